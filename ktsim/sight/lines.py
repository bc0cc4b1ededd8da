"""Targeting lines (SIGHT-10 to SIGHT-14): from one point of the shooter's base to the target's facing rim (SIGHT-11).

What they may cross are *pieces*: the stretch of one source (a terrain part, the corner of a wall, a base) that lies in
one zone (within an inch of the target; more than an inch from both; ...), because every "within 1 inch" is asked of
the points on a line (SIGHT-13). With both bases on one level everything happens in the plane of their middles and is
solved exactly; otherwise in space. Lines end in the middles of bases, and in either case it is from there that what is
asked of their points is measured: bases are flat (SIGHT-15) and lie, for lines, where lines run (SIGHT-10), so that an
inch is the same inch on one level and between levels.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ktsim.geometry.forest import rows
from ktsim.geometry.kernels import apart, fans, fans3d, origins, planar
from ktsim.sight.cuts import Corridor, Cut
from ktsim.sight.distances import closest_on, figure_row
from ktsim.sight.insides import PlanesAcross
from ktsim.sight.junctions import WallEnd
from ktsim.sight.levels import line_height
from ktsim.sight.scene import EPS, Operative, Part, Scene, box_around
from ktsim.sight.visibility import CLEAR, RADIUS, Line, Point
from ktsim.sight.ways import Ways

Convention: TypeAlias = Literal["inset", "outer"]
Zone: TypeAlias = Literal["cover", "obscured", "footprint"]
Edges: TypeAlias = NDArray[np.float64]
Hits: TypeAlias = NDArray[np.bool_]

FINEST = 0.01 / 25.4
"""How finely ends on the target's rim are searched in space (inches)."""
SMALLEST = 0.01 / 25.4
"""Spots of origins smaller than this may be missed in space (inches)."""
INWARDS = 1e-5
"""How far inside of a piece the point is that stands for it (inches)."""
CELLS = 2_000
"""Parts of the base looked at in space before a question is left undecided (and answered against the shooter)."""


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
    end: WallEnd | None = None
    """The corner or end of a wall it is, if it is one."""
    foot: float = -math.inf
    """What of it is lower than that does not count; *triangles* are without it."""

    @property
    def measured(self) -> object:
        """What distances are measured to."""
        return self.end or self.part

    @property
    def is_solid(self) -> bool:
        """Is it there inside of its surface, too? An open mesh has no inside (SIGHT-1)."""
        return not (isinstance(self.part, Part) and self.part.is_open)

    @property
    def box(self) -> NDArray[np.float64]:
        """The lowest and the highest corner of a box around it: shape (2, 3)."""
        if isinstance(self.part, Part) and self.end is None:
            return self.part.box
        if self.end is not None:
            return self.end.box
        return box_around(self.triangles)

    @property
    def whole(self) -> NDArray[np.float64]:
        """All of its mesh, also what is far from the lines."""
        return self.part.triangles if isinstance(self.part, Part) and self.end is None else self.triangles


@dataclass(frozen=True)
class Reach:
    """A zone of the lines: within *near* of the target, or beyond *far_target* of it and *far_shooter* of the shooter;
    *from_above*: the source counts whatever its height (its section is its outline seen from above)."""

    zone: Zone
    near: float | None = None
    far_target: float = 0.0
    far_shooter: float = 0.0
    from_above: bool = False

    @property
    def is_beyond(self) -> bool:
        return self.far_target > 0 or self.far_shooter > 0


@dataclass(frozen=True, eq=False)
class ZonedSource:
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
        self._shooter, self._target = Ways(scene, figure_row(shooter)), Ways(scene, figure_row(target))
        self.shooter_z, self.target_z = line_height(scene, shooter), line_height(scene, target)
        self.is_planar = abs(self.shooter_z - self.target_z) <= EPS
        self._planes: dict[Reach, PlanesAcross] = {}
        self.pieces: list[ZonedSource] = []
        edges: list[Edges] = []
        edge_codes: list[int] = []
        cuts: list[tuple[int, Cut]] = []
        gates: list[tuple[float, float, float, float]] = []
        heights = (self.shooter_z, self.target_z)
        room = None
        if not self.is_planar:
            room = Corridor(self.origins, self.ends, self._shooter, self._target, heights, RADIUS)
        for source, reach in wanted:
            code = len(self.pieces)
            if room is None or reach.from_above:
                shape = self._cut_edges(source, reach)
                present = len(shape) > 0
                edges.append(shape)
                edge_codes += [code] * len(shape)
                if present and room is not None:
                    cuts.append((code, room.upright(shape)))
            else:
                cut = _cut_triangles(room, source, reach, self._inside(source, reach))
                present = len(cut.triangles) > 0
                cuts.append((code, cut))
            if present:
                self.pieces.append(ZonedSource(source, reach.zone))
                gates.append((*source.gate, 1.0) if source.gate else (0.0, 0.0, 0.0, 0.0))
        self.edges = np.concatenate([np.empty((0, 4)), *edges])
        self.edge_codes = np.array(edge_codes, dtype=np.int64)
        self.gates = np.array(gates, dtype=np.float64).reshape(-1, 4)
        self._solid = room.pieces(cuts) if room is not None else None
        self._stretches: list[Stretch] | None = None
        self._spread: dict[tuple[int, int], tuple[NDArray[np.float64], Hits]] = {}
        self._free: dict[bytes, tuple[tuple[float, float] | None, Hits]] = {}
        """What was asked before: both orders of a target ask the same."""

    # ---- pieces ----

    def _cut_edges(self, source: Source, reach: Reach) -> Edges:
        edges = source.section
        if self._may_surround(source, reach):
            edges = np.concatenate([edges, self._across(reach).chords(edges)])
        edges = edges[apart.in_corridor(edges, self.origins, self.ends, RADIUS)]
        if reach.near is not None:
            return self._target.within(edges, reach.near + EPS, source.measured)
        if reach.far_target > 0:
            edges = self._target.beyond(edges, reach.far_target + EPS, source.measured)
        if reach.far_shooter > 0:
            edges = self._shooter.beyond(edges, reach.far_shooter + EPS, source.measured)
        return np.asarray(edges)

    def _inside(self, source: Source, reach: Reach) -> NDArray[np.float64]:
        """What stands for the inside of a source in space."""
        if self._may_surround(source, reach) and self._across(reach).may_hold(source.triangles.reshape(-1, 3)):
            slices = self._across(reach).slices(source.whole)
            return slices if source.foot == -math.inf else above(slices, source.foot)
        return np.empty((0, 3, 3))

    def _may_surround(self, source: Source, reach: Reach) -> bool:
        """May lines be inside of the source all through the zone?"""
        return reach.is_beyond and source.is_solid and self._across(reach).may_fill(source.box)

    def _across(self, reach: Reach) -> PlanesAcross:
        """Planes across the lines, where they are that far from both bases."""
        if reach not in self._planes:
            figures, heights = (self._shooter.figure, self._target.figure), (self.shooter_z, self.target_z)
            self._planes[reach] = PlanesAcross(*figures, heights, reach.far_shooter, reach.far_target)
        return self._planes[reach]

    # ---- what is crossed ----

    def at(self, points: NDArray[np.float64]) -> Hits:
        """What the lines from each of *points* (n, 2) cross: (n, pieces)."""
        if not self.pieces:
            return np.zeros((len(points), 0), dtype=np.bool_)
        hits = fans.crossings_from(points, self.ends, self.edges, self.edge_codes, self.gates, CLEAR, self.whole)
        if self._solid is not None:
            asked = np.ones(len(self.pieces), np.bool_)
            asked[self.edge_codes] = False  # known exactly
            hits |= origins.sample3(
                points, self.shooter_z, self.ends, self.target_z, self._solid, asked,
                CLEAR, self.whole, FINEST,
            )  # fmt: skip
            passed = points @ self.gates[:, :2].T >= self.gates[:, 2]
            hits &= ~(passed & (self.gates[:, 3] > 0))
        return np.asarray(hits)

    def stretches(self) -> list[Stretch]:
        """In the plane: the whole rim of origins, cut where what is crossed changes. Exact.

        Moving an origin straight towards the target only takes crossings away, so the rim is all a shooter needs.
        """
        if self._stretches is not None:
            return self._stretches
        angles, hits = fans.sweep(self.origins, self.ends, self.edges, self.edge_codes, self.gates, CLEAR, self.whole)
        found = []
        for start, end, row in zip(angles[:-1], angles[1:], hits, strict=True):
            middle = (start + end) / 2
            found.append(Stretch(float(start), float(end), row, self.rim(middle)))
        self._stretches = found
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
        return np.asarray(planar.spots(self.origins, self.front, around, rings))

    @property
    def longest(self) -> float:
        """No line is longer than this, seen from above."""
        wide = sum(max(row[2], row[3]) + row[6] for row in (self.origins, self.ends))
        return float(np.hypot(*(self.ends[:2] - self.origins[:2])) + wide)

    def spread(self, around: int, rings: int) -> tuple[NDArray[np.float64], Hits]:
        """Such spots, and what the lines from each cross."""
        if (around, rings) not in self._spread:
            points = self.spots(around, rings)
            self._spread[around, rings] = (points, self.at(points))
        return self._spread[around, rings]

    def free_origin(self, forbidden: Hits) -> tuple[tuple[float, float] | None, Hits]:
        """In space: an origin whose lines cross none of the forbidden pieces, if there is one; else those of them that
        suffice to leave none."""
        if forbidden.tobytes() not in self._free:
            self._free[forbidden.tobytes()] = self._look_for_free(forbidden)
        return self._free[forbidden.tobytes()]

    def _look_for_free(self, forbidden: Hits) -> tuple[tuple[float, float] | None, Hits]:
        assert self._solid is not None
        out, used = np.empty(2), np.empty(len(forbidden), np.bool_)
        found = origins.free_origin(
            self.origins, self.shooter_z, self.ends, self.target_z, self._solid, self.gates,
            CLEAR, self.whole, forbidden, FINEST, SMALLEST, CELLS, out, used,
        )  # fmt: skip
        if found == 1:
            return (float(out[0]), float(out[1])), used
        return None, used if found == 0 else forbidden

    # ---- showing it ----

    def crossing(self, code: int, origin: tuple[float, float]) -> Crossing:
        """A line from *origin* that crosses piece *code* (which its lines do cross), and a point of that piece on it:
        of the piece, not of the line's axis, which may be so far from it as a line is thick."""
        start = (origin[0], origin[1], self.shooter_z)
        if (self.edge_codes == code).any():
            end, at = self._flat_crossing(code, origin)
            far = (end[0], end[1], self.target_z)
            t = min(1.0, _fraction(origin, end, at))
            point = (at[0], at[1], self.shooter_z + t * (self.target_z - self.shooter_z))
        else:
            assert self._solid is not None
            hit, line = np.zeros(len(self.pieces), np.bool_), np.zeros((len(self.pieces), 6))
            asked = np.zeros(len(self.pieces), np.bool_)
            asked[code] = True
            origins.crossed3(
                *start, self.ends, self.target_z, self._solid,
                CLEAR, self.whole, FINEST, asked, True, hit, line, origins.room(self._solid),
            )  # fmt: skip
            t, x, y = line[code, :3]
            far = (float(x), float(y), self.target_z)
            on_axis = np.array(start) + t * (np.array(far) - start)
            point = _nearest_in(self._solid.tris[int(line[code, 5])].reshape(3, 3), on_axis)
        source = self.pieces[code].source
        return Crossing(
            source.key,
            point,
            _apart(self._target, self.target_z, point, source.measured),
            _apart(self._shooter, self.shooter_z, point, source.measured),
            (start, far),
        )

    def _flat_crossing(self, code: int, origin: tuple[float, float]) -> tuple[tuple[float, float], tuple[float, float]]:
        """End of a line and where it meets the piece: of many lines the one that goes deepest into it."""
        edges = self.edges[self.edge_codes == code]
        ex, ey, *on_axis = fans.deepest(*origin, self.ends, edges, self.whole)
        # a hair inside of its ends, where what is measured around walls may change
        along = edges[:, 2:] - edges[:, :2]
        shift = along * np.minimum(0.5, INWARDS / np.maximum(np.hypot(*along.T), EPS))[:, None]
        spots = closest_on(np.column_stack([edges[:, :2] + shift, edges[:, 2:] - shift]), np.array(on_axis))
        x, y = spots[np.hypot(*(spots - on_axis).T).argmin()]
        return (float(ex), float(ey)), (float(x), float(y))


def _cut_triangles(room: Corridor, source: Source, reach: Reach, inside: NDArray[np.float64]) -> Cut:
    if reach.near is not None:
        return room.near_target(source.triangles, reach.near, source.measured)
    triangles = np.concatenate([source.triangles, inside]) if len(inside) else source.triangles
    return room.far_from_both(triangles, reach.far_target, reach.far_shooter, source.measured)


def above(triangles: NDArray[np.float64], height: float) -> NDArray[np.float64]:
    """What of triangles (n, 3, 3) is at that height or higher."""
    cut, _ = fans3d.clip(rows(triangles), np.array([0.0, 0.0, -1.0, -height]))
    return np.asarray(cut.reshape(-1, 3, 3))


def _nearest_in(triangle: NDArray[np.float64], to: NDArray[np.float64]) -> Point:
    """The point of a triangle (3, 3) nearest to another, a hair inside."""
    first, *sides = triangle[0], triangle[1] - triangle[0], triangle[2] - triangle[0]
    shares, *_ = np.linalg.lstsq(np.stack(sides, axis=1), to - first, rcond=None)
    if shares.min() >= 0 and shares.sum() <= 1:
        found = first + shares @ np.stack(sides)
    else:
        along = np.roll(triangle, -1, axis=0) - triangle
        square = np.maximum((along**2).sum(axis=1), EPS * EPS)
        spots = triangle + np.clip(((to - triangle) * along).sum(axis=1) / square, 0, 1)[:, None] * along
        found = spots[np.linalg.norm(spots - to, axis=1).argmin()]
    inwards = triangle.mean(axis=0) - found
    x, y, z = (found + inwards * min(1.0, INWARDS / max(float(np.linalg.norm(inwards)), EPS))).tolist()
    return x, y, z


def _fraction(p: tuple[float, float], end: tuple[float, float], at: tuple[float, float]) -> float:
    length = math.dist(p, end)
    return math.dist(p, at) / length if length > 0 else 0.0


def _apart(ways: Ways, z: float, point: Point, part: object) -> float:
    return math.hypot(ways.length(point[0], point[1], part), point[2] - z)
