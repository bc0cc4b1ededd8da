"""What the oracle knows of a table: its triangles, traits and bases, and where walls turn or end."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ktsim.sight.scene import Base, Operative, Part, Scene

Floats = NDArray[np.float64]
MM = 1 / 25.4
RADIUS = 0.5 * MM
EPS = 1e-6
TIE = 1e-4
"""What is nearer to a threshold than this is not argued about (inches)."""
SKY = 90.0
STRETCH = 0.75
"""How much of a wall counts at its end, in thicknesses."""


def row(base: Base, x: float, y: float, turn: float) -> Floats:
    """A base as the oracle's kernels have it."""
    angle = math.radians(turn)
    return np.array([x, y, base.along, base.across, math.cos(angle), math.sin(angle)])


def balls(triangles: Floats) -> Floats:
    """A ball around each triangle: x, y, z, radius."""
    middle = triangles.mean(axis=1)
    size = np.sqrt(((triangles - middle[:, None]) ** 2).sum(axis=2).max(axis=1))
    return np.column_stack([middle, size + 1e-9])


def areas(triangles: Floats) -> Floats:
    """Areas added up, twice as large."""
    across = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])
    return np.cumsum(np.sqrt((across**2).sum(axis=1)))


def body(one: Operative) -> Floats:
    angle = math.radians(one.turn)
    c, s = math.cos(angle), math.sin(angle)
    return one.figure.triangles @ np.array([[c, s, 0], [-s, c, 0], [0, 0, 1]]) + np.array([one.x, one.y, one.level])


def head(one: Operative) -> tuple[Floats, float]:
    x, y, z = one.figure.head
    angle = math.radians(one.turn)
    c, s = math.cos(angle), math.sin(angle)
    return np.array([one.x + c * x - s * y, one.y + s * x + c * y, one.level + z]), one.figure.head_radius


def is_opening(part: Part) -> bool:
    """An open access point stops nothing (KZ-HATCH-OPEN)."""
    return part.traits >= {"accessible", "insignificant", "exposed"}


@dataclass(frozen=True, eq=False)
class Source:
    """Something lines may cross: a part, or the corner or end of a wall, there while an origin has not passed it."""

    key: str
    feature: str
    heavy: bool
    light: bool
    part: Part
    solid: Floats
    outline: Floats | None = None
    """Of a corner or end of a wall: its corners seen from above (4, 2)."""
    at: tuple[float, float] | None = None
    across: int = 0
    """Which coordinate tells on which side of its wall something is."""


class Ground:
    """What of a table stays while operatives move: its parts in their present states."""

    def __init__(self, scene: Scene) -> None:
        self.parts = scene.parts()
        self.kinds = {feature.id: feature.kind for feature in scene.terrain.features}
        stop = [part for part in self.parts if not is_opening(part)]
        meshes = [_to_the_sky(part.triangles) if "wall" in part.traits else part.triangles for part in stop]
        self.sight = np.concatenate([np.empty((0, 3, 3)), *meshes])
        self.sight_of = np.repeat(np.arange(len(stop)), [len(mesh) for mesh in meshes])
        self.sight_balls = balls(self.sight)
        self.number = {id(part): n for n, part in enumerate(stop)}
        self.barred = [part for part in self.parts if "barred" in part.traits]
        self.vantage = [part for part in self.parts if "vantage" in part.traits]
        boxes = [box for part in self.parts if "wall" in part.traits for box in _boxes_at_foot(part.triangles)]
        self.walls = np.array(boxes, dtype=np.float64).reshape(-1, 4)
        self.corners = self._corners(scene.terrain.board)
        self.sources = [*self._pieces(scene), *_wall_ends(scene)]
        self.spots: dict[int, Floats] = {}

    def _corners(self, board: tuple[float, float]) -> Floats:
        """Where ways around walls may bend."""
        hair, found = 1e-6, []
        for x0, y0, x1, y1 in self.walls:
            for x, y in (
                (x0 - hair, y0 - hair),
                (x1 + hair, y0 - hair),
                (x0 - hair, y1 + hair),
                (x1 + hair, y1 + hair),
            ):
                inside = (
                    (self.walls[:, 0] < x) & (x < self.walls[:, 2]) & (self.walls[:, 1] < y) & (y < self.walls[:, 3])
                )
                if not inside.any() and 0 <= x <= board[0] and 0 <= y <= board[1]:
                    found.append((x, y))
        return np.array(found, dtype=np.float64).reshape(-1, 2)

    def _pieces(self, scene: Scene) -> Iterable[Source]:
        for part in self.parts:
            if "exposed" in part.traits or "wall" in part.traits or part.kind == "gap":
                continue
            heavy = "heavy" in part.traits
            light = not heavy and bool(part.traits & {"light", "vantage"})
            yield Source(part.key, part.feature, heavy, light, part, part.triangles)

    @cached_property
    def solids(self) -> Floats:
        return np.concatenate([np.empty((0, 3, 3)), *(source.solid for source in self.sources)])

    @cached_property
    def solid_balls(self) -> Floats:
        return balls(self.solids)

    @cached_property
    def spans(self) -> NDArray[np.int64]:
        """Of each source, its first triangle and the one after its last."""
        ends = np.cumsum([0, *(len(source.solid) for source in self.sources)])
        return np.stack([ends[:-1], ends[1:]], axis=1)

    @cached_property
    def boxes(self) -> Floats:
        found = [(*s.solid.min(axis=(0, 1)), *s.solid.max(axis=(0, 1))) for s in self.sources]
        return np.array(found, dtype=np.float64).reshape(-1, 6)

    @cached_property
    def owner(self) -> NDArray[np.int64]:
        return np.repeat(np.arange(len(self.sources)), self.spans[:, 1] - self.spans[:, 0])

    @cached_property
    def skips(self) -> NDArray[np.bool_]:
        """(sources, walls): walls that are not in the way to a corner or end of theirs."""
        out = np.zeros((len(self.sources), len(self.walls)), np.bool_)
        for n, source in enumerate(self.sources):
            if source.at is not None:
                x, y = source.at
                a, b, c, d = self.walls.T
                out[n] = (a - 1e-5 <= x) & (x <= c + 1e-5) & (b - 1e-5 <= y) & (y <= d + 1e-5)
        return out

    def points_of(self, part: Part) -> Floats:
        """Points all over a part."""
        if id(part) not in self.spots:
            rng = np.random.default_rng(len(part.triangles))
            shares = areas(part.triangles)
            chosen = np.minimum(np.searchsorted(shares, rng.random(600) * shares[-1]), len(shares) - 1)
            self.spots[id(part)] = np.einsum("nk,nkj->nj", rng.dirichlet((1, 1, 1), 600), part.triangles[chosen])
        return self.spots[id(part)]


def _to_the_sky(mesh: Floats) -> Floats:
    """Wall terrain has no top (KZ-WALL). Ours is boxes: their upper corners are drawn up."""
    made = mesh.copy()
    made[:, :, 2] = np.where(made[:, :, 2] > made[:, :, 2].max() - 1e-9, SKY, made[:, :, 2])
    return made


def section(triangles: Floats, z: float) -> tuple[Floats, NDArray[np.bool_]]:
    """Where triangles meet the plane at a height no corner has: segments (m, 2, 3), and which triangles they are of."""
    above = triangles[:, :, 2] > z
    met = above.any(axis=1) & ~above.all(axis=1)
    chosen, sides = triangles[met], above[met]
    segments, filled = np.empty((len(chosen), 2, 3)), np.zeros(len(chosen), np.int64)
    for k in range(3):
        m = (k + 1) % 3
        cut = np.flatnonzero(sides[:, k] != sides[:, m])
        a, b = chosen[cut, k], chosen[cut, m]
        t = (z - a[:, 2]) / (b[:, 2] - a[:, 2])
        segments[cut, filled[cut]] = a + t[:, None] * (b - a)
        filled[cut] += 1
    segments[:, :, 2] = z
    return segments, met


def _boxes_at_foot(triangles: Floats) -> Iterable[Floats]:
    """From where to where the solids of a wall are that stand on the floor: each outline just above it."""
    segments, _ = section(triangles, float(triangles[:, :, 2].min()) + 0.0456)
    names, group = np.unique(segments[:, :, :2].reshape(-1, 2).round(6), axis=0, return_inverse=True)
    ends, label = group.reshape(-1, 2), np.arange(len(names))
    for _ in range(len(names)):
        np.minimum.at(label, ends.ravel(), np.repeat(label[ends].min(axis=1), 2))
    for number in np.unique(label):
        spots = names[label == number]
        yield np.concatenate([spots.min(axis=0), spots.max(axis=0)])


def _wall_ends(scene: Scene) -> Iterable[Source]:
    """KZ-WALL-ENDS, for walls along the axes: where the structure turns or stops, at open hatchways as well."""
    parts = {(part.feature, part.name): part for part in scene.parts()}
    standing: list[tuple[Any, int, float, float, float]] = []  # wall, axis, coordinate across, from, to
    for wall in scene.terrain.walls:
        axis = 0 if abs(wall.end[0] - wall.start[0]) > abs(wall.end[1] - wall.start[1]) else 1
        low, high = sorted((wall.start[axis], wall.end[axis]))
        spans = [(low, high)]
        if wall.hatchway is not None and scene.states.get(wall.id) == "open":
            middle, half = (low + high) / 2, wall.hatchway.width / 2
            spans = [(low, middle - half), (middle + half, high)]
        standing += [(wall, axis, wall.start[1 - axis], a, b) for a, b in spans if b - a > 1e-6]
    for wall, axis, across, low, high in standing:
        turns = {
            other[2]
            for other in standing
            if other[1] != axis
            and other[3] - 1e-6 <= across <= other[4] + 1e-6
            and low - 1e-6 <= other[2] <= high + 1e-6
        }
        bounds = [low, *sorted(t for t in turns if low + 1e-6 < t < high - 1e-6), high]
        for first, last in pairwise(bounds):
            for here, there in ((first, last), (last, first)):
                is_corner = any(abs(here - t) <= 1e-6 for t in turns)
                goes_on = any(
                    other[1] == axis
                    and abs(other[2] - across) <= 1e-6
                    and (other[3] < here - 1e-6 if there > here else other[4] > here + 1e-6)
                    and other[3] - 1e-6 <= here <= other[4] + 1e-6
                    for other in standing
                )
                if goes_on and not is_corner:
                    continue
                way = 1.0 if there > here else -1.0
                inner = here + way * min(STRETCH * wall.thickness, abs(there - here))
                outer = here - way * (wall.thickness / 2 if is_corner else 0.0)
                part = parts.get((wall.id, "wall")) or parts[wall.id, "access"]
                yield _end(part, axis, across, here, sorted((inner, outer)), wall.thickness / 2, wall.height)
    for wall in scene.terrain.walls:
        leaf = parts.get((wall.id, "hatch"))
        if leaf is None or wall.hatchway is None or scene.states.get(wall.id) != "open":
            continue
        wall_axis = 0 if abs(wall.end[0] - wall.start[0]) > abs(wall.end[1] - wall.start[1]) else 1
        axis = 1 - wall_axis
        flat = leaf.triangles.reshape(-1, 3)
        low, high = flat[:, axis].min(), flat[:, axis].max()
        line = wall.start[axis]
        free = high if (low + high) / 2 > line else low
        near = low if free == high else high
        inner = free - math.copysign(min(STRETCH * wall.thickness, high - low), free - near)
        side = flat[:, wall_axis]
        middle, half = (side.min() + side.max()) / 2, (side.max() - side.min()) / 2
        yield _end(leaf, axis, float(middle), float(free), sorted((inner, free)), float(half), float(flat[:, 2].max()))


def _end(part: Part, axis: int, across: float, at: float, span: list[float], half: float, height: float) -> Source:
    low, high = np.empty(2), np.empty(2)
    low[axis], high[axis] = span
    low[1 - axis], high[1 - axis] = across - half, across + half
    outline = np.array([[low[0], low[1]], [high[0], low[1]], [high[0], high[1]], [low[0], high[1]]])
    spot = np.empty(2)
    spot[axis], spot[1 - axis] = at, across
    a, b, c, d = (np.array([*corner, 0.0]) for corner in outline)
    up = np.array([0.0, 0.0, height])
    quads = (
        (a, d, c, b),
        (a + up, b + up, c + up, d + up),
        *((p, q, q + up, p + up) for p, q in ((a, b), (b, c), (c, d), (d, a))),
    )
    solid = np.array([t for p, q, r, s in quads for t in ((p, q, r), (p, r, s))])
    return Source(part.key, part.feature, True, False, part, solid, outline, (spot[0], spot[1]), 1 - axis)
