"""One moment of the ruling table, the tables one starts from, and the file that keeps what nobody has saved."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal, TypeAlias

from ktsim.app.ruling.marks import Mark, is_there
from ktsim.app.ui.palettes import seat_name
from ktsim.errors import UserError
from ktsim.killzones.loose_pieces import LoosePiece
from ktsim.killzones.own_sizes import UNNAMED as UNNAMED
from ktsim.killzones.own_sizes import new_file as new_file
from ktsim.killzones.scene_file import SceneFile, save_scene
from ktsim.killzones.scene_photo import MARK
from ktsim.killzones.scene_pieces import own_pieces, pieces_of
from ktsim.killzones.snapping import snapped
from ktsim.sight.scene import Base, Scene

TEAMS = ("blue", "red")
PLACE_KEYS = {"blue": "B", "red": "G"}
"""The keys that take an operative of a team."""
BASES: dict[str, Base] = {
    **{str(mm): Base.of_mm(mm) for mm in (25, 28, 32, 40, 50)},
    "60x35": Base.of_mm(60, 35),
}
"""Bases offered by name, in millimetres."""

Thing: TypeAlias = tuple[Literal["piece", "smoke"], str]
"""A terrain piece by its id, or a smoke marker by its number."""
Chosen: TypeAlias = tuple[Literal["operative", "piece", "smoke"], str]
"""Anything that can be selected."""
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
    group: tuple[Chosen, ...] = ()
    """Several things that are selected together, instead of one."""
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
    group = () if selected is not None or state.thing is not None else _still_there(state)
    if shooter is None:
        against = operatives[target].team if target else "red"
        shooter = next((one.id for one in operatives.values() if one.team != against and one.id != target), None)
    if target is None and shooter is not None:
        own = operatives[shooter].team
        target = next((one.id for one in operatives.values() if one.team != own), None)
    return replace(state, selected=selected, shooter=shooter, target=target, group=group)


def _still_there(state: TableState) -> tuple[Chosen, ...]:
    """What is selected together, as far as it is on the table."""
    scene = state.scene
    there = {
        *(("operative", one.id) for one in scene.operatives),
        *(("piece", feature.id) for feature in scene.terrain.features),
        *(("smoke", str(number)) for number in range(len(scene.smoke))),
    }
    return tuple(one for one in state.group if one in there)


def free_name(file: SceneFile, team: str) -> str:
    """What another operative of a team is called."""
    known = file.document.get("operatives") or []
    taken = {one.id for one in file.scene.operatives} | {entry["id"] for entry in known}
    called = seat_name(team).capitalize()
    return next(name for n in range(1, 10_000) if (name := f"{called} {n}") not in taken)


def with_described(file: SceneFile, entries: Sequence[Mapping[str, Any]]) -> SceneFile:
    """The file with more operatives described, as far as a file says more of them than the table shows."""
    if not entries:
        return file
    known = file.document.get("operatives") or []
    return replace(file, document=MappingProxyType({**file.document, "operatives": [*known, *entries]}))


@dataclass
class Snapping:
    """What things are put by: a grid, or with *to_edges* the edge of the board and the pieces beside them."""

    grid: float = GRIDS[0]
    to_edges: bool = False

    def on_grid(self, x: float, y: float) -> tuple[float, float]:
        """The place on the grid nearest to a place, or that place while there is no grid."""
        grid = self.grid
        return (round(x / grid) * grid, round(y / grid) * grid) if grid else (x, y)

    def other(self) -> None:
        """The next grid; after the last, edges; after these, nothing."""
        at = len(GRIDS) if self.to_edges else GRIDS.index(self.grid)
        following = (at + 1) % (len(GRIDS) + 1)
        self.to_edges = following == len(GRIDS)
        self.grid = 0.0 if self.to_edges else GRIDS[following]

    def beside(self, file: SceneFile, piece: LoosePiece) -> LoosePiece:
        """A piece brought to the edges near it, if that is asked for."""
        if not self.to_edges:
            return piece
        return snapped(piece, (*pieces_of(file), *own_pieces(file)), file.scene.terrain.board)


class KeptTable:
    """Writes a table that is not saved to a file of its own, so that a quit or a crash loses nothing. What lay on the
    table before something else was put there is kept in a second file."""

    NAME, BEFORE = "unsaved-table.yaml", "unsaved-table-before.yaml"
    PAUSE = 0.1
    """Seconds between two writings of the same kind of step: not every one of a key that is held is written."""

    def __init__(self, folder: Path) -> None:
        self.path, self.before = folder / self.NAME, folder / self.BEFORE
        self._written: SceneFile | None = None
        self._last: float | None = None
        self._step: str | None = None

    @property
    def is_begun(self) -> bool:
        """Whether this table has been written."""
        return self._written is not None

    def keep(self, state: TableState, file: SceneFile, step: str | None = None) -> None:
        """Write *file*, the table as it would be saved, unless that has been done for this state, or just now for
        another after the same kind of *step*."""
        now = time.monotonic()
        is_held = self._last is not None and step == self._step and now - self._last < self.PAUSE
        if state.file is self._written or is_held:
            return
        self._written, self._last, self._step = state.file, now, step
        # Neither a full disk nor a scene that cannot leave its folder stops anybody's work.
        with suppress(UserError, OSError):
            self.path.parent.mkdir(parents=True, exist_ok=True)
            save_scene(self.path, file)

    def finish(self, state: TableState, file: SceneFile) -> None:
        """Write what is not written yet, if anything was kept here before."""
        if self._last is not None:
            self._last -= self.PAUSE
            self.keep(state, file, self._step)

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
