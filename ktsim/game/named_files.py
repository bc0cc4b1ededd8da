"""Which team and killzone files a saved game may name: a save is data from outside and cannot make us read any file.

Shipped ones go by their names. A file has to be one the player named on this machine, by beginning a game with it or
checking it (a list in the user's folder says which), or lie beside the save or below its folder.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

from ktsim import paths
from ktsim.content.files import OutsideFolder, inside, write_atomically
from ktsim.content.printable import printable
from ktsim.errors import Problem, UserError
from ktsim.game.boards import is_file_name, is_table
from ktsim.game.journal import shown_path
from ktsim.game.setup import Setup
from ktsim.killzones.catalogue import FILE as KILLZONE_FILE
from ktsim.rules.teams.team_file import all_team_files

MOST_REMEMBERED = 200


def at_home(setup: Setup) -> Setup:
    """The setup of a game that is begun here: its files by whole paths, noted so that its save may name them."""
    found: dict[str, Any] = {field: str(Path(name).resolve()) for field, name in _files(setup).items()}
    remember_files(found.values())
    return replace(setup, **found)


def remember_files(names: Iterable[str]) -> None:
    """Note files that the player named."""
    before = _remembered()
    found = [str(Path(name).resolve()) for name in names]
    kept = [*(name for name in before if name not in found), *found][-MOST_REMEMBERED:]
    if kept != before:
        # Only going on with the game needs it, and says what to do where it is missing.
        with contextlib.suppress(OSError, UserError):
            _list_path().parent.mkdir(parents=True, exist_ok=True)
            write_atomically(_list_path(), json.dumps(kept, indent=0).encode())


def teams_folder() -> Path:
    """Where a player may put team files of their own to have them offered."""
    return paths.user_data() / "teams"


def own_team_files() -> tuple[tuple[str, int], ...]:
    """The player's own team files that are there, those in their folder and those they named, by path and when they
    were last changed."""
    found: dict[str, int] = {}
    teams = (Path(name) for name in sorted(_remembered()) if not is_table(name))
    named = (path for path in teams if path.name != KILLZONE_FILE)
    for path in (*sorted(teams_folder().glob("*.yaml")), *named):
        with contextlib.suppress(OSError, ValueError):
            found.setdefault(str(path.resolve()), path.stat().st_mtime_ns)
    return tuple(found.items())


def with_allowed_files(setup: Setup, path: Path) -> Setup:
    """The setup of the save in *path*, its files found; raises :class:`UserError` for one it may not name."""
    remembered = _remembered()
    found: dict[str, Any] = {}
    for field, name in _files(setup).items():
        beside = Path(name).name if Path(name).is_absolute() else name
        is_kept = is_table(name) and name.isprintable() and path.with_name(beside).exists()  # moved with its save
        if not is_kept and name.isprintable() and str(Path(name).resolve()) in remembered:
            continue
        try:
            found[field] = str(inside(path.parent, beside))
        except OutsideFolder:
            kind = "killzone" if field == "board" else "team"
            text = f"the game is played with the {kind} file '{printable(name, 200)}', which you have not named here"
            remedy = f"if you know that file, name it to ktsim {kind} check first"
            raise UserError(Problem(shown_path(path), f"{text}; {remedy}")) from None
    return replace(setup, **found)


def _files(setup: Setup) -> dict[str, str]:
    """The team and killzone files of the setup that are no shipped ones, by the field that names them."""
    known = all_team_files()
    names = {"red": setup.red, "blue": setup.blue}
    found = {field: name for field, name in names.items() if name not in known and name.endswith((".yaml", ".yml"))}
    return found | ({"board": setup.board} if is_file_name(setup.board) else {})


def _list_path() -> Path:
    return paths.user_data() / "named-files.json"


def _remembered() -> list[str]:
    try:
        found: Any = json.loads(_list_path().read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return []
    return [name for name in found if isinstance(name, str)] if isinstance(found, list) else []
