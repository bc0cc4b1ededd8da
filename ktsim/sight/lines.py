"""Targeting lines (SIGHT-10 to SIGHT-14): from one point of the shooter's base to the facing rim of the target's.

What they may cross are *pieces*: the stretch of one source (a terrain part, the corner of a wall, a base) that lies in
one zone (within an inch of the target; more than an inch from both; ...), because every "within 1 inch" is asked of
the points on a line (SIGHT-13). With both bases on one level everything happens in the plane of their middles and is
solved exactly; otherwise in space.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ktsim.geometry.forest import rows
from ktsim.geometry.kernels import fans, fans3d, planar
from ktsim.geometry.kernels.tree import build

from .distances import figure_row
from .levels import line_height
from .scene import EPS, Operative, Scene
from .visibility import CLEAR, RADIUS, Line, Point

Convention: TypeAlias = Literal["inset", "outer"]
Zone: TypeAlias = Literal["cover", "obscured", "footprint"]
Edges: TypeAlias = NDArray[np.float64]
Hits: TypeAlias = NDArray[np.bool_]

FINEST = 0.01 / 25.4
"""How finely ends on the target's rim are searched in space (inches)."""
SMALLEST = 0.01 / 25.4
"""Spots of origins smaller than this may be missed in space (inches)."""
ORIGINS = 200
"""Origins looked at in space before a question is left undecided (and answered against the shooter)."""


@dataclass(frozen=True, eq=False)
class Source:
    """Something lines may cross: its name ``feature/part``, its feature, what it counts as, and its shape.

    *section* are its edges in the plane of the lines, *triangles* its mesh; one of them is used. A *gate* (nx, ny, c)
    takes it out for origins p with n . p >= c.
    """

    key: str
    feature: str
    heavy: bool
    light: bool
    triangles: NDArray[np.float64]
    section: Edges
    gate: tuple[float, float, float] | None = None
    part: object = None
    """The terrain part it is (of), where there is one."""


@dataclass(frozen=True)
class Reach:
    """A zone of the lines: within *near* of the target, or beyond *far_target* of it and *far_shooter* of the shooter;
    *from_above*: the source counts whatever its height (its section is its outline seen from above)."""

    zone: Zone
    near: float | None = None
    far_target: float = 0.0
    far_shooter: float = 0.0
    from_above: bool = False


@dataclass(frozen=True, eq=False)
class Piece:
    """One source in one zone."""

    source: Source
    zone: Zone


@dataclass(frozen=True)
class Crossing:
    """A line that crosses a piece: where, how far that is from both bases, and the line."""

    key: str
    at: Point
    to_target: float
    to_shooter: float
    line: Line


@dataclass(frozen=True, eq=False)
class Stretch:
    """Origins on the shooter's rim (by the angles of the rim's normals) from which the same pieces are crossed."""

    start: float
    end: float
    hits: Hits
    origin: tuple[float, float]

    @property
    def width(self) -> float:
        return self.end - self.start


class Fan:
    """All targeting lines of one pair, and the pieces they may cross.

    *wanted* pairs sources with the zones in which they matter.
    """

    def __init__(
        self,
        scene: Scene,
        shooter: Operative,
        target: Operative,
        wanted: Sequence[tuple[Source, Reach]],
        *,
        whole: bool = False,
        convention: Convention = "inset",
    ) -> None:
        inset = -RADIUS if convention == "inset" else 0.0
        self.whole = whole
        self.origins = figure_row(shooter, inset)
        self.ends = figure_row(target, inset)
        self._shooter, self._target = figure_row(shooter), figure_row(target)
        self.shooter_z, self.target_z = line_height(scene, shooter), line_height(scene, target)
        self.is_planar = abs(self.shooter_z - self.target_z) <= EPS
        self.pieces: list[Piece] = []
        edges: list[Edges] = []
        edge_codes: list[int] = []
        triangles: list[NDArray[np.float64]] = []
        triangle_codes: list[int] = []
        gates: list[tuple[float, float, float, float]] = []
        for source, reach in wanted:
            flat = self.is_planar or reach.from_above
            shape = self._cut_edges(source.section, reach) if flat else self._cut_triangles(source.triangles, reach)
            if not len(shape):
                continue
            code = len(self.pieces)
            self.pieces.append(Piece(source, reach.zone))
            gates.append((*source.gate, 1.0) if source.gate else (0.0, 0.0, 0.0, 0.0))
            if flat:
                edges.append(shape)
                edge_codes += [code] * len(shape)
            else:
                triangles.append(shape)
                triangle_codes += [code] * len(shape)
        self.edges = np.concatenate([np.empty((0, 4)), *edges])
        self.edge_codes = np.array(edge_codes, dtype=np.int64)
        self.gates = np.array(gates, dtype=np.float64).reshape(-1, 4)
        self._tree: tuple[NDArray[np.float64], NDArray[np.int32], NDArray[np.float64], NDArray[np.int64]] | None = None
        if triangles:
            flat_tris = np.concatenate(triangles)
            nodes, links, order = build(flat_tris, 4)
            codes = np.array(triangle_codes, dtype=np.int64)
            self._tree = (nodes, links, np.ascontiguousarray(flat_tris[order]), np.ascontiguousarray(codes[order]))

    # ---- pieces ----

    def _cut_edges(self, edges: Edges, reach: Reach) -> Edges:
        edges = edges[fans.in_corridor(edges, self.origins, self.ends, RADIUS)]
        if reach.near is not None:
            return np.asarray(fans.cut_within(edges, self._target, reach.near + EPS)[0])
        if reach.far_target > 0:
            edges, _ = fans.cut_beyond(edges, self._target, reach.far_target + EPS)
        if reach.far_shooter > 0:
            edges, _ = fans.cut_beyond(edges, self._shooter, reach.far_shooter + EPS)
        return np.asarray(edges)

    def _cut_triangles(self, triangles: NDArray[np.float64], reach: Reach) -> NDArray[np.float64]:
        flat = rows(triangles)
        low, high = sorted((self.shooter_z, self.target_z))
        z = flat[:, 2::3]
        flat = flat[(z.max(axis=1) >= low - RADIUS) & (z.min(axis=1) <= high + RADIUS)]
        if reach.near is not None:
            return np.asarray(fans3d.cut_triangles(flat, self._target, self.target_z, reach.near + EPS, True)[0])
        if reach.far_target > 0:
            flat, _ = fans3d.cut_triangles(flat, self._target, self.target_z, reach.far_target + EPS, False)
        if reach.far_shooter > 0:
            flat, _ = fans3d.cut_triangles(flat, self._shooter, self.shooter_z, reach.far_shooter + EPS, False)
        return np.asarray(flat)

    # ---- what is crossed ----

    def at(self, points: NDArray[np.float64]) -> Hits:
        """What the lines from each of *points* (n, 2) cross: (n, pieces)."""
        if not self.pieces:
            return np.zeros((len(points), 0), dtype=np.bool_)
        hits = fans.crossings_from(points, self.ends, self.edges, self.edge_codes, self.gates, CLEAR, self.whole)
        if self._tree is not None:
            nodes, links, tris, codes = self._tree
            hits |= fans3d.sample3(
                points, self.shooter_z, self.ends, self.target_z, nodes, links, tris, codes,
                len(self.pieces), CLEAR, self.whole, FINEST,
            )  # fmt: skip
            passed = points @ self.gates[:, :2].T >= self.gates[:, 2]
            hits &= ~(passed & (self.gates[:, 3] > 0))
        return np.asarray(hits)

    def stretches(self) -> list[Stretch]:
        """In the plane: the whole rim of origins, cut where what is crossed changes. Exact.

        Moving an origin straight towards the target only takes crossings away, so the rim is all a shooter needs.
        """
        angles, hits = fans.sweep(self.origins, self.ends, self.edges, self.edge_codes, self.gates, CLEAR, self.whole)
        found = []
        for start, end, row in zip(angles[:-1], angles[1:], hits, strict=True):
            middle = (start + end) / 2
            found.append(Stretch(float(start), float(end), row, self.rim(middle)))
        return found

    def rim(self, angle: float, scale: float = 1.0) -> tuple[float, float]:
        """An origin: the rim point with that normal, or, scaled, a point on the way to it from the centre."""
        x, y = planar.rim(self.origins, math.cos(angle), math.sin(angle))
        cx, cy = self.origins[:2]
        return float(cx + scale * (x - cx)), float(cy + scale * (y - cy))

    def nearest_origin(self, x: float, y: float) -> tuple[float, float]:
        """The origin nearest to a point: the point itself if lines may start there."""
        gap, angle = planar.gap(self.origins, x, y)
        return (x, y) if gap <= 0 else self.rim(float(angle))

    @property
    def front(self) -> float:
        """The direction from the shooter to the target."""
        return math.atan2(self.ends[1] - self.origins[1], self.ends[0] - self.origins[0])

    def spots(self, around: int, rings: int) -> NDArray[np.float64]:
        """Origins all over the base: the centre and *rings* rings of *around* points, the outermost on the rim."""
        turns = self.front + 2 * math.pi * np.arange(around) / around
        points = [self.rim(turn, ring / rings) for ring in range(rings, 0, -1) for turn in turns]
        return np.array([*points, (self.origins[0], self.origins[1])])

    @cached_property
    def _spread(self) -> tuple[NDArray[np.float64], Hits]:
        """Origins all over the base and what is crossed from each."""
        points = self.spots(36, 5)
        return points, self.at(points)

    def free_origin(self, forbidden: Hits) -> tuple[float, float] | None:
        """In space: an origin whose lines cross none of the forbidden pieces, or ``None``."""
        if self._tree is None or len(self.edges):
            points, hits = self._spread
            free = ~(hits & forbidden).any(axis=1)
            return tuple(points[int(free.argmax())]) if free.any() else None
        out = np.empty(2)
        nodes, links, tris, codes = self._tree
        found = fans3d.free_origin(
            self.origins, self.shooter_z, self.ends, self.target_z, nodes, links, tris, codes,
            CLEAR, self.whole, forbidden, FINEST, SMALLEST, ORIGINS, out,
        )  # fmt: skip
        return (float(out[0]), float(out[1])) if found == 1 else None

    # ---- showing it ----

    def crossing(self, code: int, origin: tuple[float, float]) -> Crossing:
        """A line from *origin* that crosses piece *code* (which its lines do cross)."""
        start = (origin[0], origin[1], self.shooter_z)
        if (self.edge_codes == code).any():
            end, at = self._flat_crossing(code, origin)
            far = (end[0], end[1], self.target_z)
            t = _fraction(origin, end, at)
            point = (at[0], at[1], self.shooter_z + t * (self.target_z - self.shooter_z))
        else:
            assert self._tree is not None
            nodes, links, tris, codes = self._tree
            hit, line = np.zeros(len(self.pieces), np.bool_), np.zeros((len(self.pieces), 5))
            asked = np.zeros(len(self.pieces), np.bool_)
            asked[code] = True
            fans3d.crossed3(
                *start, self.ends, self.target_z, nodes, links, tris, codes,
                CLEAR, self.whole, FINEST, hit, line, asked, -1.0,
            )  # fmt: skip
            _, t, x, y, _ = line[code]
            far = (float(x), float(y), self.target_z)
            point = (start[0] + t * (x - start[0]), start[1] + t * (y - start[1]), start[2] + t * (far[2] - start[2]))
        point = (float(point[0]), float(point[1]), float(point[2]))
        return Crossing(
            self.pieces[code].source.key,
            point,
            _apart(self._target, self.target_z, point),
            _apart(self._shooter, self.shooter_z, point),
            (start, far),
        )

    def _flat_crossing(self, code: int, origin: tuple[float, float]) -> tuple[tuple[float, float], tuple[float, float]]:
        """End of a line and where it meets the piece: of many lines the one that goes deepest into it."""
        edges = self.edges[self.edge_codes == code]
        ex, ey, x, y = fans.deepest(*origin, self.ends, edges, self.whole)
        return (float(ex), float(ey)), (float(x), float(y))


def _fraction(p: tuple[float, float], end: tuple[float, float], at: tuple[float, float]) -> float:
    length = math.dist(p, end)
    return math.dist(p, at) / length if length > 0 else 0.0


def _apart(figure: NDArray[np.float64], z: float, point: Point) -> float:
    gap = max(0.0, float(planar.gap(figure, point[0], point[1])[0]))
    return math.hypot(gap, point[2] - z)
