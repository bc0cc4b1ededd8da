"""How far it is on foot, around walls and up to every level: a coarse net, for weighing places. Moves are judged by the
rules.

Where the way is barred only by something that has another state (a hatch that can be opened), it is open and longer.
"""

from __future__ import annotations

from collections.abc import Iterator
from heapq import heappop, heappush
from itertools import product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ktsim.game.bots.lookout import one_thread
from ktsim.geometry.kernels import parallel
from ktsim.geometry.plane import length
from ktsim.rules.engine.sight_table import SightTable, scene_in
from ktsim.rules.engine.state import Point, State
from ktsim.rules.engine.table import Table
from ktsim.rules.moving.paces import FREE_DROP, KT24, LEAST_CLIMB
from ktsim.sight.area import AreaGrid
from ktsim.sight.obstacles import world_of
from ktsim.sight.scene import Scene

MESH = 0.5
"""How far apart the knots are, in inches."""
HEIGHT, WIDTH = 0.8, 0.3
"""What comes this high above the floor bars the way of somebody this wide: less is walked over or climbed."""
UPRIGHT = 0.05
"""How much room a climb needs to each side."""
OPENING = 3.0
"""Inches that opening something costs."""
NOWHERE, DETOUR = 60.0, 16.0
"""How far what cannot be reached is, and the longest way around something."""
STRAIGHT = 1.5
"""Inches within which the straight way is taken."""
RINGS = 3
"""Knots to each side of a place that are looked at for the nearest."""
MOST = 100_000
"""Distances kept."""
AROUND = sorted(product(range(-RINGS, RINGS + 1), repeat=2), key=lambda step: length(*step))
STEPS = ((1, 0), (0, 1), (1, 1), (1, -1))
EDGES = tuple((far * x, far * y) for far in (1, 2) for x, y in product((-1, 0, 1), repeat=2) if (x, y) != (0, 0))
"""From the last knot of a level to where one climbs to it."""
JUMPS = tuple((far * x, far * y) for x, y in STEPS for far in range(2, 1 + int(KT24.jump_reach / MESH / length(x, y))))
"""From one edge of a level to another. In 2021 jumps are shorter by an inch: near enough."""

Knots = NDArray[np.intp]
Inches = float | NDArray[np.float64]


class _Edge(NamedTuple):
    """To a knot beside it: the inches there, and *back* from it."""

    to: int
    inches: float
    back: float
    is_shut: bool


class _Pairs(NamedTuple):
    """Knots that may be next to each other, (n,) each: the lower first where they are on two levels."""

    one: Knots
    two: Knots

    def where(self, kept: NDArray[np.bool_]) -> _Pairs:
        return _Pairs(self.one[kept], self.two[kept])


class Roads:
    """The net over one terrain in one state: a knot wherever the floor is, whatever may stand there, and on every level
    above it wherever somebody can stand."""

    def __init__(self, table: SightTable, state: State) -> None:
        scene = scene_in(state, table.terrain_in(state), (), table.rules_as_of)
        grid = AreaGrid.of(scene, MESH)
        rows, columns = grid.shape
        self._heights = np.array(grid.heights)
        self._number = np.full((len(self._heights), rows, columns), -1, np.intp)
        self._number[0] = np.arange(rows * columns).reshape(rows, columns)
        above = np.flatnonzero(grid.on)
        self._number[grid.on[above], grid.row[above], grid.column[above]] = rows * columns + np.arange(len(above))
        row, column = np.divmod(np.arange(rows * columns), columns)
        floor = np.column_stack([(column + 0.5) * MESH, (row + 0.5) * MESH, np.zeros(rows * columns)])
        self._places = np.concatenate([floor, grid.place[above]])
        self._near: list[list[_Edge]] = [[] for _ in self._places]
        self._walk(scene, state)
        for level in range(1, len(self._heights)):
            self._climb(scene, level)
            self._jump(scene, level)
        self._from: dict[int, NDArray[np.float64]] = {}
        self._far: dict[tuple[Point, Point], float] = {}
        self._within: dict[tuple[int, int], NDArray[np.float64]] = {}
        self._knots = np.full_like(self._number, -1)

    # -- the net -------------------------------------------------------------------------------------

    def _walk(self, scene: Scene, state: State) -> None:
        """Between knots of one level."""
        pairs = _Pairs(*(np.concatenate(each) for each in zip(*self._beside(), strict=True)))
        other = {f.id: _another(state.terrain[f.id], list(f.states)) for f in scene.terrain.features if f.states}
        barred, shut = self._barred(scene, pairs), np.zeros(len(pairs.one), np.bool_)
        if other and barred.any():
            shut = barred & ~self._barred(Scene(scene.terrain, (), other), pairs)
        self._join(pairs.where(~barred))
        self._join(pairs.where(shut), OPENING, OPENING, is_shut=True)

    def _beside(self) -> Iterator[tuple[Knots, Knots]]:
        for step in STEPS:
            yield _both(self._number, _shifted(self._number, step))

    def _climb(self, scene: Scene, level: int) -> None:
        """Between the edge of a level and what is below it."""
        here, under = self._number[level], np.full(self._number.shape[1:], -1, np.intp)
        for lower in self._number[:level]:
            under = np.where(lower >= 0, lower, under)
        under[here >= 0] = -1  # nobody climbs through a floor
        found = [_both(_shifted(under, step), here) for step in EDGES]
        pairs = _Pairs(*(np.concatenate(each) for each in zip(*found, strict=True)))
        pairs = pairs.where(~self._barred_above(scene, pairs))
        high = self._places[pairs.two, 2] - self._places[pairs.one, 2]
        self._join(pairs, np.maximum(LEAST_CLIMB, high), np.maximum(0.0, high - FREE_DROP))

    def _jump(self, scene: Scene, level: int) -> None:
        """From one edge of a level to another, over a gap."""
        here, found = self._number[level], []
        for step in JUMPS:
            size = max(map(abs, step))
            is_edge = _shifted(here, (step[0] // size, step[1] // size)) < 0
            found.append(_both(np.where(is_edge, here, -1), _shifted(here, step)))
        pairs = _Pairs(*(np.concatenate(each) for each in zip(*found, strict=True)))
        self._join(pairs.where(~self._barred(scene, pairs)))

    def _barred(self, scene: Scene, pairs: _Pairs) -> NDArray[np.bool_]:
        """(n,) which of the pairs of knots have something between them."""
        up = np.array([0.0, 0.0, HEIGHT])
        one, two = self._places[pairs.one] + up, self._places[pairs.two] + up
        return _blocked(scene, one, two, WIDTH)

    def _barred_above(self, scene: Scene, pairs: _Pairs) -> NDArray[np.bool_]:
        """(n,) at which of the pairs nobody gets up from the lower, or then across."""
        one, two = self._places[pairs.one].copy(), self._places[pairs.two].copy()
        one[:, 2] += HEIGHT
        two[:, 2] += HEIGHT
        top = one.copy()
        top[:, 2] = two[:, 2]
        return _blocked(scene, one, top, UPRIGHT) | _blocked(scene, top, two, UPRIGHT)

    def _join(self, pairs: _Pairs, more: Inches = 0.0, back: Inches = 0.0, *, is_shut: bool = False) -> None:
        """Have ways between the knots of each pair, by *more* longer than they are apart as seen from above, and by
        *back* the other way."""
        across = self._places[pairs.one, :2] - self._places[pairs.two, :2]
        flat = np.hypot(across[:, 0], across[:, 1])
        rows = (pairs.one.tolist(), pairs.two.tolist(), (flat + more).tolist(), (flat + back).tolist())
        for one, two, there, again in zip(*rows, strict=True):
            self._near[one].append(_Edge(two, there, again, is_shut))
            self._near[two].append(_Edge(one, again, there, is_shut))

    # -- how far -------------------------------------------------------------------------------------

    def far(self, goal: Point, point: Point) -> float:
        """Inches from a place to a goal."""
        key = goal, point
        known = self._far.get(key)
        if known is None:
            if len(self._far) > MOST:
                self._far.clear()
            known = self._far[key] = self._way(goal, point)
        return known

    def _way(self, goal: Point, point: Point) -> float:
        """:meth:`ways` of one place: most are asked about alone, and arrays of one take long."""
        flat = float(np.hypot(point[0] - goal[0], point[1] - goal[1])) / 1000
        up = (goal[2] - point[2]) / 1000
        if flat <= STRAIGHT and up == 0:
            return flat
        least = flat + max(up, 0.0, -up - FREE_DROP)
        return min(max(float(self._around(goal)[self._knot(point)]), least), least + DETOUR)

    def ways(self, goal: Point, places: NDArray[np.int64]) -> NDArray[np.float64]:
        """:meth:`far` of many places at once, (n, 3)."""
        flat = np.hypot(places[:, 0] - goal[0], places[:, 1] - goal[1]) / 1000
        up = (goal[2] - places[:, 2]) / 1000
        least = flat + np.maximum(up, np.maximum(0.0, -up - FREE_DROP))
        found: NDArray[np.float64] = np.clip(self._around(goal)[self.knots(places)], least, least + DETOUR)
        return np.where((flat <= STRAIGHT) & (up == 0), flat, found)

    def _around(self, goal: Point) -> NDArray[np.float64]:
        """How far each knot is from a goal."""
        knot = self._knot(goal)
        if knot not in self._from:
            self._from[knot] = np.array(self._spread(knot))
        return self._from[knot]

    def _knot(self, point: Point) -> int:
        rows, columns = self._number.shape[1:]
        column = min(max(int(point[0] / (1000 * MESH)), 0), columns - 1)
        row = min(max(int(point[1] / (1000 * MESH)), 0), rows - 1)
        level = int(np.abs(self._heights - point[2] / 1000).argmin()) if len(self._heights) > 1 else 0
        known = int(self._knots[level, row, column])
        if known < 0:
            known = self._knots[level, row, column] = self._find_knot(level, row, column)
        return known

    def knots(self, places: NDArray[np.int64]) -> Knots:
        """The nearest knot one can get away from, for each place, (n, 3)."""
        column, row = (
            np.clip((places[:, axis] / (1000 * MESH)).astype(np.intp), 0, self._number.shape[2 - axis] - 1)
            for axis in (0, 1)
        )
        level = np.abs(self._heights[None, :] - places[:, 2:3] / 1000).argmin(axis=1)
        for number in np.flatnonzero(self._knots[level, row, column] < 0).tolist():
            key = int(level[number]), int(row[number]), int(column[number])
            self._knots[key] = self._find_knot(*key)
        found: Knots = self._knots[level, row, column]
        return found

    def _find_knot(self, level: int, row: int, column: int) -> int:
        rows, columns = self._number.shape[1:]
        near = [(row + dy, column + dx) for dx, dy in AROUND if 0 <= row + dy < rows and 0 <= column + dx < columns]
        knots = [int(self._number[on, *at]) for on in dict.fromkeys((level, 0)) for at in near]
        return next((knot for knot in knots if knot >= 0 and self._near[knot]), int(self._number[0, row, column]))

    def within(self, point: Point, most: int) -> NDArray[np.float64]:
        """How far each knot is, for those at most so many inches away while what is shut stays shut."""
        key = (self._knot(point), most)
        if key not in self._within:
            self._within[key] = np.array(self._spread(key[0], most))
        return self._within[key]

    def _spread(self, start: int, most: float | None = None) -> list[float]:
        """How far it is from each knot to *start*; with *most* from it to those at most so far, and through nothing
        that is shut."""
        far = [NOWHERE] * len(self._near)
        far[start] = 0.0
        waiting = [(0.0, start)]
        while waiting:
            so_far, knot = heappop(waiting)
            if so_far > far[knot]:
                continue
            for to, inches, back, is_shut in self._near[knot]:
                total = so_far + (back if most is None else inches)
                if total < far[to] and (most is None or (total <= most and not is_shut)):
                    far[to] = total
                    heappush(waiting, (total, to))
        return far


def _shifted(numbers: Knots, step: tuple[int, int]) -> Knots:
    """What is a *step* of columns and rows further, at each place; -1 beyond the edge."""
    found = np.full_like(numbers, -1)
    (to_column, from_column), (to_row, from_row) = (
        (slice(max(0, -each), size - max(0, each)), slice(max(0, each), size - max(0, -each)))
        for each, size in zip(step, (numbers.shape[-1], numbers.shape[-2]), strict=True)
    )
    found[..., to_row, to_column] = numbers[..., from_row, from_column]
    return found


def _both(one: Knots, two: Knots) -> tuple[Knots, Knots]:
    """Where there is a knot in both."""
    there = (one >= 0) & (two >= 0)
    return one[there], two[there]


def _blocked(scene: Scene, one: NDArray[np.float64], two: NDArray[np.float64], width: float) -> NDArray[np.bool_]:
    world = world_of(scene)
    with one_thread():
        found: NDArray[np.bool_] = parallel.lines_blocked(world.forest, world.active(()), one, two - one, width)
    return found


def _another(now: str, states: list[str]) -> str:
    """A state other than the present one."""
    return next((state for state in states if state != now), now)


class RoadBook:
    """The nets of one game, one for each state of its terrain."""

    def __init__(self) -> None:
        self._kept: dict[object, Roads] = {}
        self._last: tuple[object, Roads] | None = None

    def over(self, table: SightTable, state: State) -> Roads:
        key = (tuple(state.terrain.values()), tuple(state.pieces.values()))
        if self._last is None or self._last[0] != key:  # compared, which is quicker than hashed
            if key not in self._kept:
                self._kept[key] = Roads(table, state)
            self._last = key, self._kept[key]
        return self._last[1]

    def far(self, table: Table, state: State, goal: Point, point: Point) -> float:
        if not isinstance(table, SightTable):
            return length(goal[0] - point[0], goal[1] - point[1]) / 1000
        return self.over(table, state).far(goal, point)
