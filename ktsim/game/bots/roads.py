"""How far it is on foot, around walls: a coarse net over the floor, for weighing places. Moves are judged by the rules.

Where the way is barred only by something that has another state (a hatch that can be opened), it is open and longer.
"""

from __future__ import annotations

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
from ktsim.sight.obstacles import world_of
from ktsim.sight.scene import Scene

MESH = 0.5
"""How far apart the knots are, in inches."""
HEIGHT, WIDTH = 0.8, 0.3
"""What comes this high above the floor bars the way of somebody this wide: less is walked over or climbed."""
OPENING = 3.0
"""Inches that opening something costs."""
NOWHERE, DETOUR = 60.0, 16.0
"""How far what cannot be reached is, and the longest way around something."""
STRAIGHT = 1.5
"""Inches within which the straight way is taken."""
RINGS = 3
"""Knots to each side of a place that are looked at for the nearest."""
AROUND = sorted(product(range(-RINGS, RINGS + 1), repeat=2), key=lambda step: length(*step))
STEPS = ((1, 0), (0, 1), (1, 1), (1, -1))


class _Edge(NamedTuple):
    to: int
    inches: float
    is_shut: bool


class Roads:
    """The net over one terrain in one state."""

    def __init__(self, table: SightTable, state: State) -> None:
        scene = scene_in(state, table.terrain_in(state), (), table.rules_as_of)
        columns, rows = (int(size / MESH) for size in scene.terrain.board)
        self._number = {key: number for number, key in enumerate(product(range(columns), range(rows)))}
        self._places = np.array([((x + 0.5) * MESH, (y + 0.5) * MESH, HEIGHT) for x, y in self._number])
        self._near: list[list[_Edge]] = [[] for _ in self._number]
        pairs = [
            (number, there, MESH * length(*step))
            for (column, row), number in self._number.items()
            for step in STEPS
            if (there := self._number.get((column + step[0], row + step[1]))) is not None
        ]
        other = {f.id: _another(state.terrain[f.id], list(f.states)) for f in scene.terrain.features if f.states}
        barred, shut = self._barred(scene, pairs), np.zeros(len(pairs), np.bool_)
        if other and barred.any():
            shut = barred & ~self._barred(Scene(scene.terrain, (), other), pairs)
        for (one, two, far), is_barred, is_shut in zip(pairs, barred, shut, strict=True):
            if is_shut or not is_barred:
                cost = far + (OPENING if is_shut else 0.0)
                self._near[one].append(_Edge(two, cost, bool(is_shut)))
                self._near[two].append(_Edge(one, cost, bool(is_shut)))
        self._from: dict[int, NDArray[np.float64]] = {}
        self._within: dict[tuple[int, int], NDArray[np.float64]] = {}
        self._knots = np.full((columns + 1, rows + 1), -1, np.intp)

    def _barred(self, scene: Scene, pairs: list[tuple[int, int, float]]) -> NDArray[np.bool_]:
        """(n,) which of the pairs of knots have something between them."""
        world = world_of(scene)
        one, two = self._places[[one for one, _, _ in pairs]], self._places[[two for _, two, _ in pairs]]
        with one_thread():
            found: NDArray[np.bool_] = parallel.lines_blocked(world.forest, world.active(()), one, two - one, WIDTH)
        return found

    def far(self, goal: Point, point: Point) -> float:
        """Inches from a place to a goal. Levels count as high as they are."""
        flat = length(goal[0] - point[0], goal[1] - point[1]) / 1000
        up = abs(goal[2] - point[2]) / 1000
        if flat <= STRAIGHT:
            return flat + up
        return max(flat, min(float(self._around(goal)[self._knot(point)]), flat + DETOUR)) + up

    def ways(self, goal: Point, places: NDArray[np.int64]) -> NDArray[np.float64]:
        """:meth:`far` of many places at once, (n, 3)."""
        flat = np.hypot(places[:, 0] - goal[0], places[:, 1] - goal[1]) / 1000
        up = np.abs(places[:, 2] - goal[2]) / 1000
        around = self._around(goal)[self.knots(places)]
        far = np.maximum(flat, np.minimum(around, flat + DETOUR))
        found: NDArray[np.float64] = np.where(flat <= STRAIGHT, flat, far) + up
        return found

    def _around(self, goal: Point) -> NDArray[np.float64]:
        """How far each knot is from a goal."""
        knot = self._knot(goal)
        if knot not in self._from:
            self._from[knot] = np.array(self._spread(knot))
        return self._from[knot]

    def _knot(self, point: Point) -> int:
        """The nearest knot one can get away from."""
        column, row = (
            max(0, min(most - 1, int(at / 1000 / MESH))) for at, most in zip(point, self._knots.shape, strict=False)
        )
        if self._knots[column, row] < 0:
            self._knots[column, row] = self._find_knot(column, row)
        return int(self._knots[column, row])

    def _find_knot(self, column: int, row: int) -> int:
        knots = [self._number[key] for dx, dy in AROUND if (key := (column + dx, row + dy)) in self._number]
        return next((knot for knot in knots if self._near[knot]), knots[0])

    def knots(self, places: NDArray[np.int64]) -> NDArray[np.intp]:
        """The knot of each place, (n, 3)."""
        at = (places[:, :2] / (1000 * MESH)).astype(np.intp)
        columns, rows = (np.clip(at[:, axis], 0, self._knots.shape[axis] - 1) for axis in (0, 1))
        for number in np.flatnonzero(self._knots[columns, rows] < 0).tolist():
            column, row = int(columns[number]), int(rows[number])
            if self._knots[column, row] < 0:
                self._knots[column, row] = self._find_knot(column, row)
        return self._knots[columns, rows]

    def within(self, point: Point, most: int) -> NDArray[np.float64]:
        """How far each knot is, for those at most so many inches away while what is shut stays shut."""
        key = (self._knot(point), most)
        if key not in self._within:
            self._within[key] = np.array(self._spread(key[0], most))
        return self._within[key]

    def _spread(self, start: int, most: float | None = None) -> list[float]:
        """How far each knot is; with *most* only those at most so far, and through nothing that is shut."""
        far = [NOWHERE] * len(self._near)
        far[start] = 0.0
        waiting = [(0.0, start)]
        while waiting:
            so_far, knot = heappop(waiting)
            if so_far > far[knot]:
                continue
            for to, inches, is_shut in self._near[knot]:
                if most is not None and (is_shut or so_far + inches > most):
                    continue
                if so_far + inches < far[to]:
                    far[to] = so_far + inches
                    heappush(waiting, (far[to], to))
        return far


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
