"""What is seen from where, remembered by places: a bot asks the same of the same places again and again.

A pair of places is ruled on as if nobody else stood about; probes come first, so that a sliver may be taken for hidden.
The game itself rules on what is played.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, TypeVar

import numpy as np
from numba import get_num_threads, set_num_threads
from numpy.typing import NDArray

from ktsim.geometry.kernels import parallel
from ktsim.geometry.plane import length
from ktsim.rules.engine.sight_table import SightTable, from_sight, scene_in
from ktsim.rules.engine.state import OperativeState, Point, State
from ktsim.rules.engine.table import CONTROL_RANGE, Table, TargetRuling
from ktsim.sight.area import AreaGrid
from ktsim.sight.obstacles import World, head_of, pose_of, prepared, world_of
from ktsim.sight.ruling import ruling
from ktsim.sight.scene import Operative, Weapon
from ktsim.sight.visibility import CLEAR, CLOSE

T = TypeVar("T")
CELL = 1.0
"""The lattice of places for which it is asked what is seen from somewhere, in inches."""
PROBES = 16
DIRECTIONS = 24
"""In how many directions it is asked whether there is cover."""
KNEE = 0.15
"""Inches above the floor at which terrain gives cover."""
CLOSE_BY = 2500
"""Thousandths of an inch between two middles within which nothing is taken for hidden without a ruling."""
MOST = 200_000
"""Answers kept."""

HIDDEN = TargetRuling(is_visible=False, is_valid=False)
Cells = NDArray[np.bool_]
Memory = dict[Any, Any]


@contextmanager
def one_thread() -> Iterator[None]:
    """For a call of a parallel kernel on little: more threads would spend longer waiting for each other."""
    with parallel.ONE_BATCH:
        threads = get_num_threads()
        set_num_threads(1)
        try:
            yield
        finally:
            set_num_threads(threads)


class Lattice:
    """The places of one terrain in one state, a cell each, and the world that stops lines there."""

    def __init__(self, table: SightTable, state: State) -> None:
        self.scene = scene_in(state, table.terrain_in(state), (), table.rules_as_of)
        self.world: World = world_of(self.scene)
        self.active = self.world.active(())
        self.grid = AreaGrid.of(self.scene, CELL)
        self._numbers = np.full((len(self.grid.heights) + 1, *self.grid.shape), -1)
        self._numbers[self.grid.on, self.grid.row, self.grid.column] = np.arange(len(self.grid))
        self._levels = [round(1000 * height) for height in self.grid.heights]

    def __len__(self) -> int:
        return len(self.grid)

    def numbers(self, places: NDArray[np.int64]) -> NDArray[np.int64]:
        """The number of the cell each place is in, (n, 3) in thousandths of an inch; -1 where nobody can stand at the
        middle of it."""
        side = round(1000 * CELL)
        levels = np.full(len(places), -1)
        for number, height in enumerate(self._levels):
            levels[places[:, 2] == height] = number
        rows, columns = (np.clip(places[:, axis] // side, 0, self._numbers.shape[2 - axis] - 1) for axis in (1, 0))
        found: NDArray[np.int64] = self._numbers[levels, rows, columns]
        return found

    def seen(self, eye: Operative, target: Operative, among: Cells | None = None) -> Cells:
        """In which cells (*among* some, where no others matter) a figure like *target* is found by a few lines from
        *eye*."""
        places = self.grid.place if among is None else self.grid.place[among]
        poses = np.empty((len(places), 5))
        poses[:, :3] = places
        poses[:, 3:] = pose_of(target)[3:]
        found = self._probed(eye, target, poses)
        if among is None:
            return found
        seen = np.zeros(len(self), np.bool_)
        seen[among] = found
        return seen

    def bare(self, who: Operative) -> Cells:
        """The cells in whose direction no terrain stands close enough to *who* to give it cover, about."""
        turns = 2 * np.pi * np.arange(DIRECTIONS) / DIRECTIONS
        far = max(who.base.along, who.base.across) + CONTROL_RANGE
        ways = far * np.column_stack([np.cos(turns), np.sin(turns), np.zeros(DIRECTIONS)])
        here = np.tile(np.array([who.x, who.y, who.level + KNEE]), (DIRECTIONS, 1))
        with one_thread():
            shut = parallel.lines_blocked(self.world.forest, self.active, here, ways, CLEAR)
        away = self.grid.place[:, :2] - (who.x, who.y)
        number = np.rint(np.arctan2(away[:, 1], away[:, 0]) / (2 * np.pi) * DIRECTIONS).astype(int) % DIRECTIONS
        found: Cells = ~shut[number]
        return found

    def is_seen(self, eye: Operative, target: Operative) -> bool:
        return bool(self._probed(eye, target, pose_of(target).reshape(1, 5))[0])

    def _probed(self, eye: Operative, target: Operative, poses: NDArray[np.float64]) -> Cells:
        ball = head_of(eye)
        ball[3] = 0.0
        probes = np.ascontiguousarray(prepared(target.figure).surface.probes[:PROBES])
        with one_thread():
            found: Cells = parallel.poses_probed(self.world.forest, self.active, probes, poses, ball, CLEAR + CLOSE)
        return found


class Lookout(SightTable):
    """A table that remembers by places what it was asked, in a memory that outlives it."""

    def __init__(self, table: SightTable, memory: Memory) -> None:
        self.__dict__.update(SightTable.twin(table).__dict__)
        if len(memory) > MOST:
            memory.clear()
        self._memory = memory

    def twin(self) -> Lookout:
        return Lookout(self, self._memory)

    def _kept(self, key: tuple[Any, ...], answer: Callable[[], T]) -> T:
        if key not in self._memory:
            self._memory[key] = answer()
        known: T = self._memory[key]
        return known

    def _terrain_key(self, state: State) -> int:
        """The terrain as it is now, as a number: what it consists of is compared, which is quicker than hashed."""
        smoke = tuple(each.point for each in state.smoke)
        now = tuple(state.terrain.values()), tuple(state.pieces.values()), smoke
        number, known = self._memory.get("terrain", (0, None))
        if known != now:
            number = self._memory.setdefault(("terrain", now), len(self._memory))
            self._memory["terrain"] = (number, now)
        return int(number)

    def lattice(self, state: State) -> Lattice:
        return self._kept(("lattice", self._terrain_key(state)), lambda: Lattice(self, state))

    def row(self, state: State, who: OperativeState, other: OperativeState) -> Cells:
        """In which cells of the lattice somebody like *other* is seen by *who*, where it stands."""
        lattice = self.lattice(state)
        key = ("row", who.card, who.point, other.card, self._terrain_key(state))
        return self._kept(key, lambda: lattice.seen(self.operative(who), self.operative(other)))

    def row_among(self, state: State, who: OperativeState, other: OperativeState, cells: Cells) -> Cells:
        """Which of some cells, an array of this memory, are among those of :meth:`row`."""
        lattice, now = self.lattice(state), self._terrain_key(state)
        whole: Cells | None = self._memory.get(("row", who.card, who.point, other.card, now))
        if whole is not None:
            return cells & whole
        key = ("row among", who.card, who.point, other.card, id(cells), now)
        return self._kept(key, lambda: lattice.seen(self.operative(who), self.operative(other), cells))

    def bare(self, state: State, who: OperativeState) -> Cells:
        """From which cells of the lattice *who* has no cover where it stands, about."""
        lattice = self.lattice(state)
        key = ("bare", who.card, who.point, self._terrain_key(state))
        return self._kept(key, lambda: lattice.bare(self.operative(who)))

    def target_ruling(self, state: State, shooter: str, target: str, weapon_words: tuple[str, ...]) -> TargetRuling:
        one, two = state.operatives[shooter], state.operatives[target]
        key = ("ruling", one.card, one.point, two.card, two.point, weapon_words, self._terrain_key(state))
        found = self._kept(key, lambda: self._ruling(state, one, two, weapon_words))
        is_sought = any("seek" in word or "indirect" in word for word in weapon_words)
        is_hidden = two.order == "conceal" and found.in_cover and not is_sought
        return replace(found, is_valid=False) if is_hidden else found

    def _ruling(
        self, state: State, one: OperativeState, two: OperativeState, weapon_words: tuple[str, ...]
    ) -> TargetRuling:
        """As if the target were on Engage."""
        if not self.is_visible(state, one.id, two.id):
            return HIDDEN
        pair = self.operative(one), replace(self.operative(two), order="engage")
        scene = scene_in(state, self.terrain_in(state), pair, self.rules_as_of)
        found = from_sight(ruling(scene, one.id, two.id, self.edition, Weapon(weapon_words)))
        return replace(found, reasons=found.reasons[-1:])

    def _is_seen(self, state: State, one: OperativeState, two: OperativeState) -> bool:
        if length(one.x - two.x, one.y - two.y) < CLOSE_BY:
            return True
        return self.lattice(state).is_seen(self.operative(one), self.operative(two))

    def is_visible(self, state: State, viewer: str, target: str) -> bool:
        one, two = state.operatives[viewer], state.operatives[target]
        key = ("visible", one.card, one.point, two.card, two.point, self._terrain_key(state))
        return self._kept(key, lambda: self._is_seen(state, one, two))

    def distance(self, state: State, a: str, b: str, at: Point | None = None) -> float:
        one, two = state.operatives[a], state.operatives[b]
        key = ("distance", one.card, at or one.point, two.card, two.point, self._terrain_key(state))
        return self._kept(key, lambda: super(Lookout, self).distance(state, a, b, at))

    def _controls(self, state: State, a: str, b: str, at: Point | None) -> bool:
        one, two = state.operatives[a], state.operatives[b]
        key = ("control", one.card, at or one.point, two.card, two.point, self._terrain_key(state))
        return self._kept(key, lambda: super(Lookout, self)._controls(state, a, b, at))

    def _controls_place(self, state: State, operative: str, point: Point, radius: float, at: Point | None) -> bool:
        who = state.operatives[operative]
        key = ("reaches", who.card, at or who.point, point, radius, self._terrain_key(state))
        return self._kept(key, lambda: super(Lookout, self)._controls_place(state, operative, point, radius, at))


def lookout_over(table: Table, memory: Memory) -> Table:
    """The table with a memory by places; one without sight has nothing to remember."""
    return Lookout(table, memory) if isinstance(table, SightTable) else table
