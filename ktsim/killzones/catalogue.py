"""The killzones there are, by name."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

from ktsim import paths
from ktsim.content.folder import OutsideFolder, inside
from ktsim.content.printable import printable
from ktsim.content.reader import nearest
from ktsim.errors import UserError
from ktsim.sight.scene import Terrain

FILE = "killzone.yaml"


def names() -> tuple[str, ...]:
    """The killzones that come with the program."""
    return tuple(sorted(path.parent.name for path in paths.killzones().glob(f"*/{FILE}")))


def load_terrain(name_or_path: str, relative_to: Path) -> Terrain:
    """A killzone by its name, or by the path of its file inside the folder *relative_to*."""
    if name_or_path in names():
        path = paths.killzones() / name_or_path / FILE
    elif "/" in name_or_path or name_or_path.endswith((".yaml", ".yml")):
        try:
            path = inside(relative_to, name_or_path)
        except OutsideFolder as error:
            raise UserError(f"the killzone {error}") from None
    else:
        raise UserError(f"there is no killzone '{printable(name_or_path)}'; {nearest(name_or_path, names())}")
    terrain: Terrain = import_module("ktsim.killzones.killzone_file").load_killzone(path)
    return terrain
