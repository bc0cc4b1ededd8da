"""What is within a distance of a base, and what is beyond it, by the shortest way around walls (SIGHT-13, SIGHT-17).

A shortest way is straight, or bends at corners of walls. So what is within reach of a base is what it reaches straight,
and what each corner reaches straight with what is left of the distance: a corner counts as a disc of negative radius,
the length of the way to it. Only where a wall comes between a base and something near it does any of this matter.

A wall is not in the way to itself, nor to a corner where it meets another: what is measured is how far the structure
is, not how far its other side is.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ktsim.geometry.kernels import apart, fans3d, planar, routes, shadows
from ktsim.geometry.plane import is_enclosed
from ktsim.sight.distances import HAIR, Row, closest_on, disc_row, walls_of
from ktsim.sight.junctions import WallEnd
from ktsim.sight.scene import EPS, Part, Scene

Array = NDArray[np.float64]
ANYWHERE = 400.0
"""Farther than anything on a board (inches)."""


@dataclass(frozen=True, eq=False)
class _Near:
    """The walls about a base: their edges with the numbers of their walls, and the corners that a way of less than some
    limit leads to, as discs of negative radius, the nearest first."""

    edges: Array
    owner: NDArray[np.int64]
    corners: list[Row]


class Ways:
    """Ways from a base, as long as a few inches."""

    def __init__(self, scene: Scene, figure: Row) -> None:
        self.figure = figure
        self._walls = walls_of(scene)
        self._kept: dict[tuple[float, int], tuple[object, _Near | None]] = {}

    def _near(self, limit: float, to: object = None) -> _Near | None:
        """The walls within *limit* of the base; None when there are none: then all ways are straight. *to*: the part,
        corner or end that is measured to."""
        key = (limit, id(to))
        if key not in self._kept:
            self._kept[key] = (to, self._find(limit) if to is None else self._near_but(limit, to))  # so its id stays
        return self._kept[key][1]

    def _near_but(self, limit: float, to: object) -> _Near | None:
        found = self._near(limit)
        if found is None or not isinstance(to, WallEnd | Part) or (own := self._own(to)) is None:
            return found
        others = ~np.isin(found.owner, own)
        return replace(found, edges=found.edges[others], owner=found.owner[others]) if others.any() else None

    def _own(self, to: WallEnd | Part) -> NDArray[np.int64] | None:
        """The numbers of the walls that are not in the way to a wall, or to a corner or end of one."""
        walls = self._walls
        part = to.part if isinstance(to, WallEnd) else to
        if walls is None or id(part) not in walls.number:
            return None
        if id(to) not in walls.kept:
            own = {walls.number[id(part)]}
            if isinstance(to, WallEnd):
                at = np.array(to.at)
                gaps = np.linalg.norm(closest_on(walls.edges, at) - at, axis=1)
                own |= {int(number) for number in walls.owner[gaps <= HAIR]}
                own |= {number for number, border in enumerate(walls.borders) if is_enclosed(border, *to.at)}
            walls.kept[id(to)] = (to, np.array(sorted(own)))  # with it, so that its id stays its own
        return walls.kept[id(to)][1]

    def _find(self, limit: float) -> _Near | None:
        walls = self._walls
        if walls is None:
            return None
        close = np.unique(walls.owner[apart.in_corridor(walls.edges, self.figure, self.figure, limit)])
        if not len(close):
            return None
        chosen = np.isin(walls.owner, close)
        edges, owner = walls.edges[chosen], walls.owner[chosen]
        reach = max(self.figure[2], self.figure[3]) + self.figure[6] + limit
        nearby = np.hypot(*(walls.corners - self.figure[:2]).T) <= reach
        discs: list[Row] = []
        if nearby.any():
            first = routes.to_corners(self.figure, walls.corners[nearby], edges)
            lengths = (first[:, None] + walls.ways[np.ix_(nearby, nearby)]).min(axis=0)
            found = sorted(zip(lengths.tolist(), walls.corners[nearby].tolist(), strict=True))
            discs = [disc_row(x, y, -length) for length, (x, y) in found if length < limit]
        return _Near(edges, owner, discs)

    # ---- in the plane ----

    def within(self, edges: Array, limit: float, to: object = None) -> Array:
        """What of *edges* (n, 4) of the part *to* is within *limit* of the base."""
        if not len(edges):
            return edges
        straight: Array = apart.cut_within(edges, self.figure, limit)[0]
        near = self._near(limit, to) if len(straight) else None
        if near is None:
            return straight
        seen, hidden = _parted(straight, self.figure, near)
        found = [seen]
        for corner in near.corners if len(hidden) else ():
            reached, _ = _parted(hidden, corner, near)
            found.append(apart.cut_within(reached, corner, limit)[0])
        return np.concatenate(found)

    def beyond(self, edges: Array, limit: float, to: object = None) -> Array:
        """What of *edges* (n, 4) of the part *to* is farther than *limit* from the base."""
        if not len(edges):
            return edges
        far: Array = apart.cut_beyond(edges, self.figure, limit)[0]
        if self._walls is None:
            return far
        straight = apart.cut_within(edges, self.figure, limit)[0]
        near = self._near(limit, to) if len(straight) else None
        if near is None:
            return far
        _, hidden = _parted(straight, self.figure, near)
        for corner in near.corners if len(hidden) else ():
            reached, hidden = _parted(hidden, corner, near)
            hidden = np.concatenate([hidden, apart.cut_beyond(reached, corner, limit)[0]])
        return np.concatenate([far, hidden])

    def length(self, x: float, y: float, to: object = None) -> float:
        """From the base to a point of the part *to*; inf when there is no way."""
        straight = max(0.0, float(planar.gap(self.figure, x, y)[0]))
        near = self._near(ANYWHERE, to) if straight > 0.0 else None
        if near is None or _reaches(near, self.figure, x, y):
            return straight
        best = math.inf
        for corner in near.corners:
            if -corner[6] >= best:
                break
            length = math.dist(corner[:2], (x, y)) - float(corner[6])
            if length < best and _reaches(near, corner, x, y):
                best = length
        return best

    # ---- in space ----

    def is_plain(self, limit: float, to: object = None) -> bool:
        """Is no wall but the part *to* as near as that?"""
        return self._near(limit, to) is None

    def triangles_within(self, triangles: Array, z: float, limit: float, planes: Array, to: object = None) -> Array:
        """What of triangles (n, 9) is within *limit* of the base at height *z*; heights are added as between bases."""
        straight: Array = fans3d.cut_between(triangles, self.figure, z, limit, True, planes)[0]
        near = self._near(limit, to)
        if near is None:
            return straight
        seen, hidden = _parted3(straight, self.figure, near)
        found = [seen]
        for corner in near.corners if len(hidden) else ():
            reached, _ = _parted3(hidden, corner, near)
            found.append(fans3d.cut_between(reached, corner, z, limit, True, planes)[0])
        return np.concatenate(found)

    def triangles_beyond(self, triangles: Array, z: float, limit: float, planes: Array, to: object = None) -> Array:
        """What of triangles (n, 9) is farther than *limit* from the base at height *z*."""
        far: Array = fans3d.cut_between(triangles, self.figure, z, limit, False, planes)[0]
        near = self._near(limit, to)
        if near is None:
            return far
        straight = fans3d.cut_between(triangles, self.figure, z, limit, True, planes)[0]
        _, hidden = _parted3(straight, self.figure, near)
        for corner in near.corners if len(hidden) else ():
            reached, hidden = _parted3(hidden, corner, near)
            hidden = np.concatenate([hidden, fans3d.cut_between(reached, corner, z, limit, False, planes)[0]])
        return np.concatenate([far, hidden])


def _parted(edges: Array, apex: Row, near: _Near) -> tuple[Array, Array]:
    """*edges* cut into what is reached straight from *apex* and what walls hide.

    Cut where shadows of walls end, seen from the middle of the apex: exact for corners and round bases, and good for
    ovals, because a way around a corner is as long as the straight one where its shadow ends.
    """
    pieces, reached = shadows.parted(edges, apex, near.edges, near.owner, HAIR)
    return pieces[reached], pieces[~reached]


def _reaches(near: _Near, apex: Row, x: float, y: float) -> bool:
    return bool(shadows.is_reached(x, y, apex, near.edges, near.owner, HAIR))


def _parted3(triangles: Array, apex: Row, near: _Near) -> tuple[Array, Array]:
    """The same for triangles (n, 9): cut by upright planes where shadows of walls end, and at walls."""
    if not len(triangles):
        return triangles, triangles
    spots = near.edges.reshape(-1, 2)
    for (x, y), (dx, dy) in [
        *((spot, spot - apex[:2]) for spot in np.unique(spots.round(9), axis=0)),
        *zip(near.edges[:, :2], near.edges[:, 2:] - near.edges[:, :2], strict=True),
    ]:
        length = math.hypot(dx, dy)
        if length > EPS:
            nx, ny = -dy / length, dx / length
            plane = np.array([nx, ny, 0.0, nx * x + ny * y])
            heights = triangles.reshape(-1, 3, 3) @ plane[:3] - plane[3]
            met = (heights.min(axis=1) < -EPS) & (heights.max(axis=1) > EPS)
            cut = triangles[met]
            halves = [fans3d.clip(cut, plane)[0], fans3d.clip(cut, -plane)[0]]
            triangles = np.concatenate([triangles[~met], *halves])
    middles = np.ascontiguousarray(triangles.reshape(-1, 3, 3).mean(axis=1)[:, :2])
    reached = shadows.are_reached(middles, apex, near.edges, near.owner, HAIR)
    return triangles[reached], triangles[~reached]
