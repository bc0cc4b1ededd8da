"""Who sees what (SIGHT-6 to SIGHT-9): a witness line, or what is in the way and how finely that was proved."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from ktsim.geometry.forest import Forest, Surface
from ktsim.geometry.kernels import queries, seeing, witnesses
from ktsim.sight.distances import disc_row, figure_is_near, figure_row
from ktsim.sight.obstacles import Active, World, head_of, pose_of, prepared, world_of
from ktsim.sight.scene import EPS, MM, Scene

RADIUS = 0.5 * MM
CLEAR = RADIUS - EPS
"""A line is clear of what is at least this far from its axis (SIGHT-6)."""
CLOSE = 0.1 * MM
"""Clear or blocked by less than this is too close to call (SIGHT-9)."""
NEARLY = CLEAR - 2 * CLOSE
"""Where the best line found is blocked by no more than would make it clear by this, a better one is looked for."""
PROVED = 0.05 * MM
"""Hidden is what was searched this finely."""
FAR = RADIUS + 1.0 * MM
"""How far a line's clearance is measured."""
RESOLUTIONS = np.array([0.4, 0.04, 0.01, 0.0]) * MM
"""How finely a search goes on as long as its effort lasts: the last but one is enough for a proof."""
COMPLETE = 20_000
"""Cells after which a proof need not be made complete."""
FIRST, GUESSES = 40, 400
"""Cells that are looked at before any guessing, because most looks are decided by them, and lines that are guessed."""
BARRED_REACH = 1.0
CORNERS = 96
"""Of the polygon that stands for a round marker: 0.01 mm off one of 40 mm at most."""

Point: TypeAlias = tuple[float, float, float]
Line: TypeAlias = tuple[Point, Point]


@dataclass(frozen=True)
class Block:
    """What stops a line that was nearly clear: the line, where it is stopped, and by what."""

    line: Line
    at: Point
    by: str


@dataclass(frozen=True)
class Effort:
    """How long to look, in work and not in time: the same question gets the same answer on every machine."""

    cells: int
    """Bundles of lines that one search may look at."""
    guesses: int
    """Lines that are tried where a search did not decide."""
    flags: int
    """Bundles looked at only for whether there is a line that is no close call (SIGHT-9); 0: that is only said where it
    is plain."""

    def times(self, more: int) -> Effort:
        """To ask again what was not decided."""
        return Effort(self.cells * more, self.guesses * more, self.flags * more)


LIVE = Effort(120, 60, 0)
"""While something is dragged: a few milliseconds."""
SETTLED = Effort(150_000, 2_000, 20_000)
"""For an answer that stands: next to always at once, at most about a second."""
WHETHER = Effort(SETTLED.cells, SETTLED.guesses, 0)
"""The same where it is only asked whether: what lies on terrain is seen by lines so close to it that most of the work
would go into finding out that there is no line farther off."""


@dataclass(frozen=True)
class Sighting:
    """An answer of visibility with its proof."""

    visible: bool
    witness: Line | None = None
    block: Block | None = None
    resolution: float = 0.0
    """When not visible: no clear line exists but for ones clear by less than this (inches); 0 is a complete proof, inf
    none at all."""
    close_call: bool = False
    undecided: bool = False
    """Neither a witness was found nor a proof down to ``PROVED``: ask again with more effort."""
    clearance: float | None = None
    """By how many millimetres the best line found is clear (at most 1), or blocked (below 0; one that meets something
    with its axis is no candidate). ``None``: not measured, or no candidate."""


def visible(
    scene: Scene,
    viewer: str,
    target: str,
    ignoring: Iterable[int] = (),
    effort: Effort = SETTLED,
    out: NDArray[np.float64] | None = None,
) -> Sighting:
    """Does operative *viewer* see operative *target*? *ignoring*: labels of parts that do not count. An undecided
    answer gets better with more *effort*. *out*: as ``Look`` has it; who sets ``out[STOP]`` ends the search."""
    if viewer == target:
        at = _tuple(head_of(scene.operative(viewer))[:3])
        return Sighting(True, (at, at))  # SIGHT-8
    world = world_of(scene)
    one, two = scene.operative(viewer), scene.operative(target)
    dropped = {*ignoring, *open_bars(world, figure_row(one), figure_row(two))}
    act = world.active((viewer, target), dropped)
    surface = prepared(two.figure).surface
    return sighting(world, act, head_of(one), surface, pose_of(two), not two.figure.is_open, effort, out)


def sees_disc(
    scene: Scene,
    viewer: str,
    centre: Point,
    radius: float,
    ignoring: Iterable[int] = (),
    effort: Effort = SETTLED,
) -> Sighting:
    """Does *viewer* see any of a flat round thing lying at *centre*, such as a marker?"""
    world = world_of(scene)
    one = scene.operative(viewer)
    bars = open_bars(world, figure_row(one), disc_row(centre[0], centre[1], radius))
    act = world.active((viewer,), {*ignoring, *bars})
    # just above what it lies on, or the floor under it would hide it from a line of 1 mm
    pose = np.array([centre[0], centre[1], centre[2] + RADIUS + EPS, 1.0, 0.0])
    return sighting(world, act, head_of(one), _disc(radius), pose, False, effort)


@lru_cache(maxsize=32)
def _disc(radius: float) -> Surface:
    """A flat round thing to be seen."""
    angles = np.linspace(0, 2 * np.pi, CORNERS + 1)
    rim = np.stack([radius * np.cos(angles), radius * np.sin(angles), np.zeros(CORNERS + 1)], axis=1)
    triangles = np.stack([np.zeros((CORNERS, 3)), rim[:-1], rim[1:]], axis=1)
    return Surface.of(triangles, 12)


def sees_point(scene: Scene, viewer: str, point: Point, ignoring: Iterable[int] = ()) -> Sighting:
    """Does *viewer* see a point?"""
    return sees_disc(scene, viewer, (point[0], point[1], point[2] - RADIUS - EPS), 1e-4, ignoring)


def open_bars(world: World, *figures: NDArray[np.float64]) -> list[int]:
    """KZ-BARRED: barred parts that do not stop a look, because one of the *figures*, the base of who looks and what is
    looked at, is at them."""
    terrain = world.terrain
    return [
        label
        for label in world.labels
        if label in terrain.barred
        and any(
            _may_be_near(each, terrain.boxes[label]) and figure_is_near(each, terrain.parts[label], BARRED_REACH)
            for each in figures
        )
    ]


def _may_be_near(figure: NDArray[np.float64], box: tuple[float, ...]) -> bool:
    """Whether a part in *box* can be within reach of the figure at all: spares looking at its triangles."""
    x, y = figure[:2]
    far = BARRED_REACH + max(figure[2], figure[3]) + figure[6] + EPS
    return bool(box[0] - far <= x <= box[3] + far and box[1] - far <= y <= box[4] + far)


def sighting(
    world: World,
    act: Active,
    ball: NDArray[np.float64],
    surface: Surface,
    pose: NDArray[np.float64],
    closed: bool,
    effort: Effort = SETTLED,
    out: NDArray[np.float64] | None = None,
) -> Sighting:
    """Is there a clear line; then, with little effort, is the answer close?"""
    act = _between(world.forest, act, ball, surface, pose)
    look = Look(world.forest, act, surface, pose, ball, closed, nothing_yet() if out is None else out)
    if look.probe(CLEAR + CLOSE):
        return _seen(look)
    if found := look.search(CLEAR, effort):
        return _widest(look, found, effort)
    resolution = look.resolution
    if effort.flags and NEARLY < look.out[8] <= CLEAR - CLOSE and look.guess(CLEAR - CLOSE, GUESSES):
        look.keep_as_miss()
    return _hidden(world, look, resolution)


def _widest(look: Look, found: int, effort: Effort) -> Sighting:
    """A clear line was found: is there one that is not close?"""
    witness = look.out[:6].copy()
    if found == 1 and not (effort.flags == 0 and look.widen(CLEAR + CLOSE)):
        look.out[:6] = witness
        if effort.flags:
            look.broaden()
    return _seen(look)


def _seen(look: Look) -> Sighting:
    clear = look.clearance(look.out)
    return Sighting(True, look.line(), close_call=clear < CLEAR + CLOSE, clearance=(clear - RADIUS) / MM)


def _hidden(world: World, look: Look, resolution: float) -> Sighting:
    """What a search that found nothing says: a proof, or that it is not decided."""
    if look.push_miss():
        return _seen(look)
    best = float(look.out[8])
    return Sighting(
        False,
        None,
        _blocked(world, look),
        resolution,
        look.is_near_miss(),
        resolution > PROVED,
        min(0.0, best - RADIUS) / MM if best > 0.0 else None,
    )


STOP = 15
"""Where in ``Look.out`` another thread says that it need not be looked any longer."""


def nothing_yet() -> NDArray[np.float64]:
    """What was found before anything was looked at."""
    out = np.zeros(16)
    out[8] = -1.0
    return out


@dataclass(frozen=True, eq=False)
class Look:
    """From a ball to a surface: where to look for lines. What was found last is in *out*, see ``kernels.seeing``."""

    forest: Forest
    act: Active
    surface: Surface
    pose: NDArray[np.float64]
    ball: NDArray[np.float64]
    closed: bool
    """The surface bounds a solid."""
    out: NDArray[np.float64] = field(default_factory=nothing_yet)

    @property
    def resolution(self) -> float:
        return float(self.out[6])

    def line(self) -> Line:
        return _line(self.out)

    def clearance(self, row: NDArray[np.float64]) -> float:
        """How far the line row[0:6] keeps from everything, at most ``FAR``."""
        return float(queries.line_clearance(self.forest, self.act, *row[:3], *(row[3:6] - row[:3]), FAR)[0])

    def probe(self, radius: float) -> bool:
        """Is one of the likeliest lines clear?"""
        return bool(witnesses.probe(self.forest, self.act, self.surface.probes, self.pose, self.ball, radius, self.out))

    def widen(self, radius: float) -> bool:
        """Can the line found last be made that wide?"""
        s = self.surface
        return bool(
            witnesses.widen(self.forest, self.act, s.links, s.nodes, s.tris, self.pose, self.ball, radius, self.out)
        )

    def broaden(self) -> None:
        """Make the line found last as wide as that is easily done."""
        low, high = self.clearance(self.out), CLEAR + CLOSE
        while high - low > 0.004 * MM:
            if self.widen((low + high) / 2):
                low = max((low + high) / 2, self.clearance(self.out))
            else:
                high = (low + high) / 2

    def is_near_miss(self) -> bool:
        """Is a line known that is blocked by less than ``CLOSE``?"""
        return bool(self.out[8] > CLEAR - CLOSE)

    def keep_as_miss(self) -> None:
        """The line found last was a thinner one: it is the nearest miss."""
        self.out[8], self.out[9:15] = self.clearance(self.out), self.out[:6]

    def push_miss(self) -> bool:
        """Push the nearest miss farther from what blocks it. Is it clear then?"""
        self.out[:6] = self.out[9:15]
        return self.out[8] > 0.0 and self.widen(CLEAR)

    def soon(self, radius: float) -> bool | None:
        """Is there any clear line, if a short search tells?"""
        if self._search(radius, FIRST, 0, 0):
            return True
        return False if self.resolution == 0.0 else None

    def search(self, radius: float, effort: Effort = SETTLED) -> int:
        """Is there any clear line? 2: one that is no close call; 1: one; 0: none was found, and ``resolution`` says how
        surely there is none."""
        if effort.cells <= FIRST:
            return 0
        if found := self._search(radius, effort.cells, min(GUESSES, effort.guesses), effort.flags):
            return found
        is_worth_more = effort.guesses > GUESSES and self.resolution > PROVED and not self.out[STOP]
        return int(is_worth_more and self.guess(radius, effort.guesses))

    @cached_property
    def _outlines(self) -> tuple[NDArray[np.float64], NDArray[np.int32], NDArray[np.uint8]]:
        """What all searches have in common: for the widest lines that are looked for and the coarsest resolution."""
        s, widest = self.surface, CLEAR + CLOSE + float(RESOLUTIONS[0])
        edges, whose, touching = seeing.outlined(
            self.forest, self.act, s.spheres, s.nodes, self.pose, self.ball, widest
        )
        return edges, whose, touching

    def _search(self, radius: float, cells: int, guesses: int, flags: int) -> int:
        s, budgets = self.surface, np.full(len(RESOLUTIONS), cells)
        budgets[1:][RESOLUTIONS[:-1] <= PROVED] = min(cells, COMPLETE)
        wider = radius + CLOSE if flags else radius
        found = seeing.search(
            self.forest, self.act, s.spheres, s.corners, s.cones, s.links, s.nodes, s.tris, s.probes, self.closed,
            self.pose, self.ball, *self._outlines, radius, wider, RESOLUTIONS, budgets, flags, FIRST, guesses, self.out,
        )  # fmt: skip
        return int(found)

    def guess(self, radius: float, tries: int) -> bool:
        """Is one of *tries* thin lines clear, or can one be moved to be?"""
        s = self.surface
        found = witnesses.guess(
            self.forest, self.act, s.links, s.nodes, s.tris, s.probes, self.pose, self.ball, radius, tries, self.out
        )
        return bool(found)


def _between(
    forest: Forest, act: Active, ball: NDArray[np.float64], surface: Surface, pose: NDArray[np.float64]
) -> Active:
    """Only what can come near a line from the ball to the surface."""
    x, y, z, radius = surface.spheres[0]
    middle = np.array([x * pose[3] - y * pose[4] + pose[0], x * pose[4] + y * pose[3] + pose[1], z + pose[2]])
    way = middle - ball[:3]
    reach = max(float(ball[3]), float(radius)) + 2 * RADIUS
    return np.asarray(queries.near(forest, *ball[:3], *way, reach, act))


def _blocked(world: World, look: Look) -> Block | None:
    """What stops the nearest miss of a search; the line between the middles when there was no near miss."""
    act, ball, pose, out = look.act, look.ball, look.pose, look.out
    if out[8] >= 0:
        line = out[9:15].copy()
    else:
        x, y, z = look.surface.spheres[0, :3]
        line = np.array(
            [*ball[:3], x * pose[3] - y * pose[4] + pose[0], x * pose[4] + y * pose[3] + pose[1], z + pose[2]]
        )
    start, way = line[:3], line[3:] - line[:3]
    stack = np.empty(queries.DEPTH, np.int32)
    t, triangle, instance = queries.first_hit(world.forest, act, stack, *start, *way)
    if triangle < 0:
        _, t, triangle, instance = queries.line_clearance(world.forest, act, *start, *way, RADIUS + CLOSE)
    if triangle < 0:
        return None
    return Block(_line(line), _tuple(start + t * way), world.name_of(int(triangle), int(instance)))


def _tuple(point: NDArray[np.float64]) -> Point:
    return float(point[0]), float(point[1]), float(point[2])


def _line(row: NDArray[np.float64]) -> Line:
    return _tuple(row[0:3]), _tuple(row[3:6])
