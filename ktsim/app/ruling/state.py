"""One moment of the ruling table, the tables one starts from, and the file that keeps what nobody has saved."""

from __future__ import annotations

import os
import time
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal, TypeAlias

from ktsim.app.ruling.marks import Mark, is_there
from ktsim.errors import UserError
from ktsim.killzones.catalogue import load_named
from ktsim.killzones.own_sizes import with_known_sizes
from ktsim.killzones.scene_file import DEFAULT_BOARD, SceneFile, save_scene
from ktsim.killzones.scene_photo import MARK
from ktsim.sight.scene import Base, Scene, Terrain

TEAMS = ("blue", "red")
PLACE_KEYS = {"blue": "B", "red": "G"}
"""The keys that take an operative of a team."""
BASES: dict[str, Base] = {
    **{str(mm): Base.of_mm(mm) for mm in (25, 28, 32, 40, 50)},
    "60x35": Base.of_mm(60, 35),
}
"""Bases offered by name, in millimetres."""

UNNAMED = Path("table.yaml")
"""Where a table lies that was never saved."""

Thing: TypeAlias = tuple[Literal["piece", "smoke"], str]
"""A terrain piece by its id, or a smoke marker by its number."""
GRIDS = (0.0, 1.0, 0.5)
"""Inches between the places that things are put at; with none they are put anywhere."""
SMOKE_LIMIT = 100
MOST_STEPS = 500
"""How far undo goes back."""


@dataclass(frozen=True, eq=False)
class TableState:
    """One moment of the table; undo goes from one to another."""

    file: SceneFile
    selected: str | None = None
    """The operative that is selected, by its id."""
    shooter: str | None = None
    target: str | None = None
    thing: Thing | None = None
    """What else is selected."""
    marks: tuple[Mark, ...] = ()

    @property
    def scene(self) -> Scene:
        return self.file.scene


@dataclass(frozen=True, eq=False)
class Step:
    """A change that can be undone: what it was, and the state before it."""

    name: str
    before: TableState
    joins: str | None
    """Changes in a row that join the same thing (one drag) are undone together."""


def new_file(killzone: str | None) -> SceneFile:
    """A table with nothing but a shipped killzone's terrain on it, as large as the user's, or an empty board."""
    terrain = load_named(killzone, Path()).terrain if killzone else Terrain(DEFAULT_BOARD)
    return with_known_sizes(SceneFile(Scene(terrain), "kt24", (), None, killzone, UNNAMED))


def opened(file: SceneFile) -> TableState:
    shooter, target = file.pairs[0] if file.pairs else (None, None)
    return paired(TableState(file, None, shooter, target))


def paired(state: TableState) -> TableState:
    """The state without choices that are gone. A missing one is filled in where only one team is left to choose
    from: the first blue shoots, the first of another team is the target."""
    operatives = {one.id: one for one in state.scene.operatives}
    state = replace(state, marks=tuple(mark for mark in state.marks if is_there(state.scene, mark)))
    if state.file.move is not None:
        asked = state.file.move.among({one.id: one.team for one in operatives.values()})
        state = state if asked == state.file.move else replace(state, file=replace(state.file, move=asked))
    chosen = (state.selected, state.shooter, state.target)
    selected, shooter, target = (id if id in operatives else None for id in chosen)
    if shooter is None:
        against = operatives[target].team if target else "red"
        shooter = next((one.id for one in operatives.values() if one.team != against and one.id != target), None)
    if target is None and shooter is not None:
        own = operatives[shooter].team
        target = next((one.id for one in operatives.values() if one.team != own), None)
    return replace(state, selected=selected, shooter=shooter, target=target)


class KeptTable:
    """Writes a table that is not saved to a file of its own, so that a quit or a crash loses nothing. What lay on the
    table before something else was put there is kept in a second file."""

    NAME, BEFORE = "unsaved-table.yaml", "unsaved-table-before.yaml"
    PAUSE = 0.1
    """Seconds between two writings: not every step of a key that is held is written."""

    def __init__(self, folder: Path) -> None:
        self.path, self.before = folder / self.NAME, folder / self.BEFORE
        self._written: SceneFile | None = None
        self._last: float | None = None

    def keep(self, state: TableState, file: SceneFile) -> None:
        """Write *file*, the table as it would be saved, unless that has been done for this state or just now."""
        now = time.monotonic()
        if state.file is self._written or (self._last is not None and now - self._last < self.PAUSE):
            return
        self._written, self._last = state.file, now
        # Neither a full disk nor a scene that cannot leave its folder stops anybody's work.
        with suppress(UserError, OSError):
            self.path.parent.mkdir(parents=True, exist_ok=True)
            save_scene(self.path, file)

    def finish(self, state: TableState, file: SceneFile) -> None:
        """Write what is not written yet, if anything was kept here before."""
        if self._last is not None:
            self._last -= self.PAUSE
            self.keep(state, file)

    def set_aside(self) -> None:
        """Something else is put on the table."""
        with suppress(OSError):
            os.replace(self.path, self.before)
        self._written = None
        self._tidy()

    def drop(self) -> None:
        """The table is saved elsewhere."""
        with suppress(OSError):
            self.path.unlink()
        self._written = None
        self._tidy()

    def _tidy(self) -> None:
        """Throw away photos of tables that were kept here and are not any more."""
        with suppress(OSError):
            kept = "".join(path.read_text("utf-8") for path in (self.path, self.before) if path.exists())
            for photo in self.path.parent.glob(f"{self.path.stem}{MARK}*.jpg"):
                if photo.name not in kept:
                    photo.unlink()
