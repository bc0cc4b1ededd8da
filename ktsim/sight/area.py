"""The board as one operative sees it: where a figure would be visible, in cover, obscured, a valid target.

``survey`` and ``safe_from`` yield maps that get better: probes first, then complete searches, then rulings. A caller
that has seen enough stops asking. Probes only ever say yes, and nothing is called safe before an exact answer says so.
"""

from __future__ import annotations

import math
import os
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

from ktsim.geometry.forest import Surface
from ktsim.geometry.kernels import parallel
from ktsim.geometry.solids import box
from ktsim.sight.distances import BASE_MIDDLE, disc_row, figure_row
from ktsim.sight.levels import SAME_LEVEL, levels
from ktsim.sight.obstacles import head_of, pose_of, prepared, prepared_terrain, world_of
from ktsim.sight.ruling import outcomes_by_order
from ktsim.sight.scene import Edition, Operative, Order, Scene, Weapon, is_air
from ktsim.sight.visibility import CLEAR, CLOSE, SETTLED, Effort, open_bars, sighting

CELL = 0.25
PROBES = 16
"""Lines tried per cell for the first answer."""
BRIEF, WHOLE = Effort(1_000, 60, 0), replace(SETTLED, flags=0)
"""How long is looked at a cell at first, and again when all else is known. Close calls are of no interest here."""
BLOCKS, GLIMPSE = (8, 4, 2), Effort(5_000, 0, 0)
"""Cells a side that are asked about together where none is known to be seen, and how long."""
KNOWN = 64
"""Cells known to be seen that are chosen at once to be ruled on while others are searched."""
PAUSE = 0.15
"""About how long (seconds) a step of work takes before the map is shown again."""

Cells = NDArray[np.uint8]
Indices = NDArray[np.int64]


class Answer(IntEnum):
    """What is known of one cell."""

    NOWHERE = 0
    """Nobody can stand there: inside terrain, or off the level."""
    UNKNOWN = 1
    NO = 2
    YES = 3
    MOOT = 4
    """Not asked, because the figure is not visible there."""


@dataclass(frozen=True, eq=False)
class LevelMap:
    """Answers (rows from y = 0, columns from x = 0) for figures standing on one level."""

    level: float
    visible: Cells
    in_cover: Cells
    obscured: Cells
    valid_on_conceal: Cells
    valid_on_engage: Cells


@dataclass(frozen=True, eq=False)
class AreaMap:
    """What *viewer* can see and shoot, cell by cell and level by level. Cover and obscured are those of the stand-in's
    order."""

    viewer: str
    cell: float
    levels: tuple[LevelMap, ...]
    asked: int
    """Cells whose exact answers are complete."""
    of: int

    @property
    def complete(self) -> bool:
        return self.asked == self.of


@dataclass(frozen=True, eq=False)
class SafeLevel:
    """*hidden*: visible to none of the enemies. *safe*: a valid target for none of them, on the stand-in's order."""

    level: float
    hidden: Cells
    safe: Cells


@dataclass(frozen=True, eq=False)
class SafeMap:
    enemies: tuple[str, ...]
    cell: float
    levels: tuple[SafeLevel, ...]
    complete: bool


@dataclass(frozen=True, eq=False)
class AreaGrid:
    """The cells where a base can stand: (n,) level number, row, column and (n, 3) place of each."""

    scene: Scene
    cell: float
    heights: tuple[float, ...]
    shape: tuple[int, int]
    on: Indices
    row: Indices
    column: Indices
    place: NDArray[np.float64]

    @classmethod
    def of(cls, scene: Scene, cell: float) -> AreaGrid:
        width, depth = scene.terrain.board
        xs, ys = np.arange(cell / 2, width, cell), np.arange(cell / 2, depth, cell)
        x, y = (each.ravel() for each in np.meshgrid(xs, ys))
        heights = levels(scene)
        free = np.stack([_standable(scene, x, y, level) for level in heights])
        on, which = np.nonzero(free)
        place = np.column_stack([x[which], y[which], np.array(heights)[on]])
        return cls(scene, cell, heights, (len(ys), len(xs)), on, which // len(xs), which % len(xs), place)

    def __len__(self) -> int:
        return len(self.on)

    def spread(self, answers: Cells) -> list[Cells]:
        """Answers (n,) as one array of rows and columns for each level."""
        whole = np.full((len(self.heights), *self.shape), Answer.NOWHERE, np.uint8)
        whole[self.on, self.row, self.column] = answers
        whole.setflags(write=False)
        return list(whole)


def _standable(scene: Scene, x: NDArray[np.float64], y: NDArray[np.float64], level: float) -> NDArray[np.bool_]:
    """Which of the points can be the centre of a base on that level (SIGHT-5)."""
    ready = prepared_terrain(scene.terrain)
    free = np.ones(len(x), np.bool_)
    held = np.full(len(x), level == 0.0)
    for part in scene.parts():
        if is_air(part):
            continue
        label = ready.label_of[id(part)]
        low, high = ready.boxes[label][:3], ready.boxes[label][3:]
        near = np.flatnonzero((x >= low[0]) & (x <= high[0]) & (y >= low[1]) & (y <= high[1]))
        if not len(near):
            continue
        if low[2] < level + BASE_MIDDLE < high[2]:
            free[near[_within(ready.part_section(label, level + BASE_MIDDLE), x[near], y[near])]] = False
        if level > 0 and "vantage" in part.traits and abs(part.top - level) <= SAME_LEVEL:
            under = max(level - SAME_LEVEL, (low[2] + high[2]) / 2)
            held[near[_within(ready.part_section(label, under), x[near], y[near])]] = True
    return np.asarray(free & held)


def _within(edges: NDArray[np.float64], x: NDArray[np.float64], y: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Which points are inside the closed loops *edges* (m, 4), by the even-odd rule."""
    odd = np.zeros(len(x), np.bool_)
    for ax, ay, bx, by in edges:
        if ay != by:
            odd ^= ((ay > y) != (by > y)) & (ax + (y - ay) / (by - ay) * (bx - ax) > x)
    return odd


class _Survey:
    """One viewer's answers so far, (n,) each over the cells of a grid, and the ways to more of them."""

    def __init__(
        self, grid: AreaGrid, viewer: str, stand_in: Operative, edition: Edition, weapon: Weapon | None
    ) -> None:
        self.grid, self.viewer, self.edition, self.weapon = grid, viewer, edition, weapon
        self.cell = grid.cell
        self._boxes: dict[int, Surface] = {}
        self.scene = with_stand_in(grid.scene, stand_in)
        self.stand_in = stand_in
        self.order: Order = stand_in.order
        unknown = np.full(len(grid), Answer.UNKNOWN, np.uint8)
        self.visible, self.in_cover, self.obscured = unknown.copy(), unknown.copy(), unknown.copy()
        self.valid: dict[Order, Cells] = {"conceal": unknown.copy(), "engage": unknown.copy()}
        self.done = np.zeros(len(grid), np.bool_)

    def _at(self, index: int) -> Operative:
        x, y, z = map(float, self.grid.place[index])
        return replace(self.stand_in, x=x, y=y, level=z)

    def probe(self) -> None:
        """Yes where a few lines find the figure; nothing is learned elsewhere. Barred parts stop all lines here."""
        world = world_of(self.scene)
        ball = head_of(self.scene.operative(self.viewer))
        ball[3] = 0.0
        poses = np.empty((len(self.grid), 5))
        poses[:, :3] = self.grid.place
        poses[:, 3:] = pose_of(self.stand_in)[3:]
        probes = np.ascontiguousarray(prepared(self.stand_in.figure).surface.probes[:PROBES])
        act = world.active((self.viewer, self.stand_in.id))
        # thicker than a line of sight, as the first lines of a complete search are: so it says yes there too
        with parallel.ONE_BATCH:
            found = parallel.poses_probed(world.forest, act, probes, poses, ball, CLEAR + CLOSE)
        self.visible[found] = Answer.YES

    def look(self, index: int, effort: Effort = BRIEF) -> None:
        """The exact answer to whether the figure is visible in one cell; none if that takes more *effort*."""
        if self.visible[index] != Answer.UNKNOWN:
            return
        world = world_of(self.scene)
        one, two = self.scene.operative(self.viewer), self._at(index)
        act = world.active((one.id, two.id), open_bars(world, figure_row(one), figure_row(two)))
        surface = prepared(two.figure).surface
        found = sighting(world, act, head_of(one), surface, pose_of(two), True, effort)
        if found.visible:
            self.visible[index] = Answer.YES
        elif not found.undecided:
            self._hide(index)
        elif effort is WHOLE:
            self.done[index] = True  # it stays unknown

    def blocks(self) -> list[tuple[int, Indices]]:
        """Squares of cells of one level of which none is known to be seen: how many cells a side, and which."""
        grid, found = self.grid, []
        for side in BLOCKS:
            key = np.stack([grid.on, grid.row // side, grid.column // side], axis=1)
            _, which = np.unique(key, axis=0, return_inverse=True)
            order = np.argsort(which.ravel(), kind="stable")
            together = np.split(order, np.flatnonzero(np.diff(which.ravel()[order])) + 1)
            found += [(side, cells) for cells in together if not (self.visible[cells] == Answer.YES).any()]
        return found

    def look_at_block(self, side: int, cells: Indices) -> None:
        """Nowhere in a block is the figure visible when a box around all the places it could take there is not: a line
        to the figure goes through the box. Nothing is learned when the box is."""
        cells = cells[self.visible[cells] == Answer.UNKNOWN]
        if len(cells) < 2:
            return
        world, one = world_of(self.scene), self.scene.operative(self.viewer)
        low, high = self.grid.place[cells].min(axis=0), self.grid.place[cells].max(axis=0)
        x, y, z = map(float, (low + high) / 2)
        half = (side - 1) * self.cell / 2
        around = disc_row(x, y, math.hypot(half, half) + max(self.stand_in.base.along, self.stand_in.base.across))
        act = world.active((one.id, self.stand_in.id), open_bars(world, figure_row(one), around))
        pose = np.array([x, y, z, 1.0, 0.0])
        found = sighting(world, act, head_of(one), self._box(side), pose, True, GLIMPSE)
        if not found.visible and not found.undecided:
            self._hide(cells)

    def _box(self, side: int) -> Surface:
        """Around all places a figure can take in a block of so many cells a side, from its middle on its level."""
        if side not in self._boxes:
            corners = self.stand_in.figure.triangles.reshape(-1, 3)
            reach = float(np.hypot(corners[:, 0], corners[:, 1]).max()) + (side - 1) * self.cell / 2
            low, high = float(corners[:, 2].min()), float(corners[:, 2].max())
            self._boxes[side] = Surface.of(box((-reach, -reach, low), (reach, reach, high)))
        return self._boxes[side]

    def _hide(self, cells: Indices | int) -> None:
        """The figure is not visible there: that answers everything."""
        self.in_cover[cells] = self.obscured[cells] = Answer.MOOT
        self.valid["conceal"][cells] = self.valid["engage"][cells] = Answer.NO
        self.visible[cells] = Answer.NO
        self.done[cells] = True

    def rule(self, index: int) -> None:
        """All other answers for a cell where the figure is visible."""
        scene = self.scene.moved(self._at(index))
        outcomes = outcomes_by_order(scene, self.viewer, self.stand_in.id, self.edition, self.weapon)
        mine = outcomes[self.order]
        self.in_cover[index] = _answer(mine.in_cover)
        self.obscured[index] = _answer(mine.obscured)
        for order, outcome in outcomes.items():
            self.valid[order][index] = _answer(outcome.valid)
        self.done[index] = True

    def refine(self, wanted: Callable[[], NDArray[np.bool_]]) -> Iterator[None]:
        """Make the answers of the *wanted* cells exact, a step at a time; what is wanted may shrink meanwhile."""
        cores = os.cpu_count() or 1
        blocks = self.blocks()

        def of_blocks() -> NDArray[np.bool_]:
            now = wanted()
            return np.array([now[cells].any() for _, cells in blocks], np.bool_)

        def rule_one() -> bool:
            if not known:
                known.extend(order[seen()[order]][:KNOWN].tolist())
            if known:
                self.rule(known.popleft())
                return True
            return False

        def seen() -> NDArray[np.bool_]:
            return np.asarray(wanted() & ~self.done & (self.visible == Answer.YES))

        order = _evenly(self.grid)
        known: deque[int] = deque()
        hide = lambda number: self.look_at_block(*blocks[number])  # noqa: E731
        yield from _stepwise(hide, np.arange(len(blocks)), of_blocks, cores, rule_one)
        yield from _stepwise(self.look, _by_border(self.grid, self.visible), wanted, cores, rule_one)
        left = _by_border(self.grid, self.visible)
        yield from _stepwise(lambda index: self.look(index, WHOLE), left, wanted, cores, rule_one)
        yield from _stepwise(self.rule, order, seen, cores)

    def map(self, cell: float) -> AreaMap:
        grid = self.grid
        answers = (self.visible, self.in_cover, self.obscured, self.valid["conceal"], self.valid["engage"])
        columns = [grid.spread(answer) for answer in answers]
        made = tuple(
            LevelMap(level, *(column[number] for column in columns)) for number, level in enumerate(grid.heights)
        )
        return AreaMap(self.viewer, cell, made, int(self.done.sum()), len(grid))


def survey(
    scene: Scene,
    viewer: str,
    stand_in: Operative,
    edition: Edition = "kt24",
    weapon: Weapon | None = None,
    cell: float = CELL,
) -> Iterator[AreaMap]:
    """What operative *viewer* sees of a figure like *stand_in* (its place does not matter) wherever it could stand.

    The first map comes at once and says where it is visible for sure; the last one is complete.
    """
    made = _Survey(AreaGrid.of(with_stand_in(scene, stand_in), cell), viewer, stand_in, edition, weapon)
    made.probe()
    yield made.map(cell)
    for _ in made.refine(lambda: np.ones(len(made.grid), np.bool_)):
        yield made.map(cell)


def safe_from(
    scene: Scene,
    enemies: Sequence[str],
    stand_in: Operative,
    edition: Edition = "kt24",
    weapon: Weapon | None = None,
    cell: float = CELL,
) -> Iterator[SafeMap]:
    """Where a figure like *stand_in* is a valid target for none of the *enemies*, each asked with *weapon*."""
    grid = AreaGrid.of(with_stand_in(scene, stand_in), cell)
    surveys = [_Survey(grid, enemy, stand_in, edition, weapon) for enemy in enemies]
    for each in surveys:
        each.probe()
    yield _safe_map(grid, surveys, cell, not surveys)
    for each in surveys:
        # where one enemy may shoot, the others need not be asked
        for _ in each.refine(lambda: _none_of([one.valid[stand_in.order] for one in surveys]) != Answer.NO):
            yield _safe_map(grid, surveys, cell, False)
    if surveys:
        yield _safe_map(grid, surveys, cell, True)


def with_stand_in(scene: Scene, stand_in: Operative) -> Scene:
    """The scene with *stand_in* in it, in place of the operative of that id if there is one."""
    if any(operative.id == stand_in.id for operative in scene.operatives):
        return scene.moved(stand_in)
    return replace(scene, operatives=(*scene.operatives, stand_in))


def _safe_map(grid: AreaGrid, surveys: Sequence[_Survey], cell: float, complete: bool) -> SafeMap:
    hidden = _none_of([each.visible for each in surveys], len(grid))
    safe = _none_of([each.valid[each.order] for each in surveys], len(grid))
    hidden_levels, safe_levels = grid.spread(hidden), grid.spread(safe)
    made = tuple(SafeLevel(*three) for three in zip(grid.heights, hidden_levels, safe_levels, strict=True))
    return SafeMap(tuple(each.viewer for each in surveys), cell, made, complete)


def _none_of(answers: Sequence[Cells], size: int = 0) -> Cells:
    """Yes where all say no, no where one says yes."""
    if not answers:
        return np.full(size, Answer.YES, np.uint8)
    found = np.array(answers)
    none = np.where((found == Answer.NO).all(axis=0), Answer.YES, Answer.UNKNOWN)
    return np.where((found == Answer.YES).any(axis=0), Answer.NO, none).astype(np.uint8)


def _answer(yes: bool) -> Answer:
    return Answer.YES if yes else Answer.NO


def _stepwise(
    ask: Callable[[int], None],
    order: Indices,
    wanted: Callable[[], NDArray[np.bool_]],
    threads: int,
    meanwhile: Callable[[], bool] = lambda: False,
) -> Iterator[None]:
    """Ask about the cells in that order, stopping now and then. *meanwhile*: what this thread does while others search,
    which needs no interpreter; False when there is nothing to do."""
    size = 8 * threads
    at = 0
    with ThreadPoolExecutor(threads) as pool:
        while at < len(order):
            part = order[at : at + size]
            at += len(part)
            part = part[wanted()[part]]
            if not len(part):
                continue
            start = time.perf_counter()
            for asked in [pool.submit(_ask_all, ask, part[first::threads].tolist()) for first in range(threads)]:
                while not asked.done() and meanwhile():
                    pass
                asked.result()
            spent = time.perf_counter() - start
            size = int(np.clip(len(part) * PAUSE / max(spent, 1e-6), threads, 1024))
            yield


def _ask_all(ask: Callable[[int], None], cells: Sequence[int]) -> None:
    for cell in cells:
        ask(cell)


def _by_border(grid: AreaGrid, visible: Cells) -> Indices:
    """The cells still unknown, those nearest to visible ones first: there the map changes most."""
    seen = np.stack(grid.spread(visible)) == Answer.YES
    steps = np.zeros(seen.shape, np.int32)
    reached = seen
    while not reached.all() and reached.any():
        grown = reached.copy()
        grown[:, 1:] |= reached[:, :-1]
        grown[:, :-1] |= reached[:, 1:]
        grown[:, :, 1:] |= reached[:, :, :-1]
        grown[:, :, :-1] |= reached[:, :, 1:]
        if (grown == reached).all():
            break
        steps += ~reached
        reached = grown
    unknown = np.flatnonzero(visible == Answer.UNKNOWN)
    away = steps[grid.on[unknown], grid.row[unknown], grid.column[unknown]]
    return unknown[np.argsort(away, kind="stable")]


def _evenly(grid: AreaGrid) -> Indices:
    """All cells, first a coarse pattern all over the board, then what lies between."""
    together = grid.row | grid.column
    fineness = np.select([together % 8 == 0, together % 4 == 0, together % 2 == 0], [0, 1, 2], 3)
    return np.argsort(fineness, kind="stable")
