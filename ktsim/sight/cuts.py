"""Terrain cut to what lines in space can meet of it, and to the zones in which it counts (SIGHT-13)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from ktsim.geometry.forest import rows
from ktsim.geometry.kernels import fans3d, origins
from ktsim.geometry.kernels.tree import build
from ktsim.sight.scene import EPS
from ktsim.sight.ways import Ways

Rows: TypeAlias = NDArray[np.float64]
SKY = 1e4
"""How high a wall is made that counts at any height (inches)."""


@dataclass(frozen=True, eq=False)
class Cut:
    """What is left of a source in its zone: triangles (n, 9), and the convex shapes (m, 18) they are parts of (see
    ``kernels.origins``), of each triangle the number of its shape, in order."""

    triangles: Rows
    shape: NDArray[np.int64]
    shapes: Rows


class Corridor:
    """All that the lines from one base to another can meet, bases and lines given by the figures they start and end
    on (*origins*, *ends*), the ways from the bases themselves (*shooter*, *target*), two heights and the thickness of
    lines."""

    def __init__(
        self, origins: Rows, ends: Rows, shooter: Ways, target: Ways, heights: tuple[float, float], radius: float
    ) -> None:
        self.shooter, self.target = shooter, target
        self.shooter_z, self.target_z = heights
        across = ends[:2] - origins[:2]
        length = float(np.hypot(*across))
        way: Rows = across / length if length > EPS else np.array([1.0, 0.0])
        self.planes = self._planes(origins, ends, way, length, radius)

    def _planes(self, origins: Rows, ends: Rows, way: Rows, length: float, radius: float) -> Rows:
        """Planes (n, c) with n . x <= c for all that comes within *radius* of any line: lines run between two heights,
        beside each other and, seen from the side, close to each other."""
        rise = self.target_z - self.shooter_z
        slope = math.hypot(length, rise)
        wide = max(max(row[2], row[3]) + row[6] for row in (origins, ends))
        beside = np.array([-way[1], way[0], 0.0])
        above = np.array([-rise * way[0], -rise * way[1], length]) / slope
        start = np.array([origins[0], origins[1], self.shooter_z])
        planes = []
        for normal, reach in ((beside, wide), (above, wide * abs(rise) / slope)):
            middle = float(normal @ start)
            planes += [(*normal, middle + reach + radius), (*-normal, -middle + reach + radius)]
        low, high = sorted((self.shooter_z, self.target_z))
        planes += [(0.0, 0.0, 1.0, high + radius), (0.0, 0.0, -1.0, radius - low)]
        return np.array(planes)

    def within(self, triangles: Rows) -> Rows:
        """Those of triangles (n, 3, 3) that lines can meet, as rows."""
        flat = rows(triangles)
        return np.asarray(flat[fans3d.between_planes(flat, self.planes)])

    def near_target(self, triangles: Rows, limit: float, part: object = None) -> Cut:
        """What is within *limit* of the target: of each triangle one convex shape."""
        flat = self.within(triangles)
        if not self.target.is_plain(limit + EPS, part):
            return _single(self.target.triangles_within(flat, self.target_z, limit + EPS, self.planes, part))
        cut, whole = fans3d.cut_between(flat, self.target.figure, self.target_z, limit + EPS, True, self.planes)
        return Cut(cut, whole, _shapes(flat, limit + EPS))

    def far_from_both(self, triangles: Rows, far_target: float, far_shooter: float, part: object = None) -> Cut:
        """What is farther than that from target and shooter."""
        flat = self.within(triangles)
        if not (self.target.is_plain(far_target + EPS, part) and self.shooter.is_plain(far_shooter + EPS, part)):
            cut = self.target.triangles_beyond(flat, self.target_z, far_target + EPS, self.planes, part)
            return _single(self.shooter.triangles_beyond(cut, self.shooter_z, far_shooter + EPS, self.planes, part))
        target = (self.target.figure, self.target_z, far_target + EPS)
        shooter = (self.shooter.figure, self.shooter_z, far_shooter + EPS)
        cut, one = fans3d.cut_between(flat, *target, False, self.planes)
        cut, two = fans3d.cut_between(cut, *shooter, False, self.planes)
        cut, shape, shapes = fans3d.convex_groups(cut, one[two], flat, *target, *shooter)
        return Cut(cut, shape, np.column_stack([shapes, np.full(len(shapes), math.inf)]))

    def upright(self, edges: Rows) -> Cut:
        """Edges (n, 4) that count at any height, as walls."""
        low, high = sorted((self.shooter_z, self.target_z))
        below, above = np.full(len(edges), low - 1.0), np.full(len(edges), high + 1.0)
        a, b, c, d = edges.T
        one = np.stack([a, b, below, c, d, below, c, d, above], axis=1)
        two = np.stack([a, b, below, c, d, above, a, b, above], axis=1)
        # one triangle so high that between the two heights it is the wall but for a hair
        tall = np.stack([a, b, below, c, d, below, c, d, above + SKY], axis=1)
        halves = np.stack([one, two], axis=1).reshape(-1, 9)
        return Cut(halves, np.repeat(np.arange(len(edges)), 2), _shapes(tall, math.inf))

    def pieces(self, cuts: Sequence[tuple[int, Cut]]) -> origins.Pieces | None:
        """Cuts by the codes of their pieces, made ready for kernels."""
        cuts = [(code, cut) for code, cut in cuts if len(cut.triangles)]
        if not cuts:
            return None
        triangles = np.concatenate([cut.triangles for _, cut in cuts])
        codes = np.concatenate([np.full(len(cut.triangles), code) for code, cut in cuts])
        starts = np.cumsum([0, *(len(cut.shapes) for _, cut in cuts)])
        shape = np.concatenate([start + cut.shape for start, (_, cut) in zip(starts, cuts, strict=False)])
        present, shape = np.unique(shape, return_inverse=True)
        shapes = np.ascontiguousarray(np.concatenate([cut.shapes for _, cut in cuts])[present])
        numbers = np.arange(len(shapes))
        first, last = np.searchsorted(shape, numbers, "left"), np.searchsorted(shape, numbers, "right")
        nodes, links, order = build(triangles, 4)
        shape_nodes, shape_links, shape_order = build(np.ascontiguousarray(shapes[:, :9]), 4)
        return origins.Pieces(
            nodes, links, order, triangles, codes, shape_nodes, shape_links, shape_order, shapes,
            first, last, shape, self.target.figure,
        )  # fmt: skip


def _single(triangles: Rows) -> Cut:
    """Triangles, each a shape of its own."""
    return Cut(triangles, np.arange(len(triangles)), _shapes(triangles, math.inf))


def _shapes(triangles: Rows, near: float) -> Rows:
    """Shapes: what of triangles is *near* the target."""
    return np.column_stack([triangles, np.zeros((len(triangles), 8)), np.full(len(triangles), near)])
