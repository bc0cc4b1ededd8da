"""The killzones there are, by name."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from ktsim import paths
from ktsim.content.files import OutsideFolder, inside
from ktsim.content.printable import printable
from ktsim.content.reader import nearest
from ktsim.content.yaml_tree import read_tree
from ktsim.errors import UserError
from ktsim.killzones.killzone_file import Killzone, load_killzone

FILE = "killzone.yaml"


def names() -> tuple[str, ...]:
    """The killzones that come with the program."""
    return tuple(sorted(path.parent.name for path in paths.killzones().glob(f"*/{FILE}")))


def shipped_file(name: str) -> Path:
    """The file of a killzone that comes with the program."""
    return paths.killzones() / name / FILE


@lru_cache(maxsize=64)
def title(name: str) -> str:
    """What people call a killzone that comes with the program; its terrain is not loaded for it."""
    tree = read_tree(shipped_file(name)).value
    node = tree.get("title") if isinstance(tree, dict) else None
    return node.text if node is not None else name


def load_named(name_or_path: str, relative_to: Path) -> Killzone:
    """A killzone by its name, or by the path of its file inside the folder *relative_to*: the same value as long as
    its file does not change."""
    if name_or_path in names():
        path = shipped_file(name_or_path)
    elif "/" in name_or_path or name_or_path.endswith((".yaml", ".yml")):
        try:
            path = inside(relative_to, name_or_path)
        except OutsideFolder as error:
            raise UserError(f"the killzone {error}") from None
    else:
        raise no_such_killzone(name_or_path)
    return load_killzone(path)


def no_such_killzone(name: str) -> UserError:
    return UserError(f"there is no killzone '{printable(name)}'; {nearest(name, names())}")
