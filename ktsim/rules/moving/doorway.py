"""Doors, access points and gaps: only the centre of the base has to pass (KT24-MOVE-6)."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ktsim.geometry.kernels import bands
from ktsim.geometry.plane import smallest_rectangle
from ktsim.geometry.shelf import PREPARED
from ktsim.rules.moving.form import Array, Form
from ktsim.rules.moving.shadow import EdgeField, Shadow
from ktsim.sight.scene import EPS

FRAME = 0.4
"""How much thicker than the door the wall around it may be (inches, each side)."""

THIN = 0.02
"""Walls that thin are met all the same (inches)."""

JAMB = (0.03, 0.1, 0.2, 0.3)
"""How far beside the opening the wall's thickness is looked for (inches)."""


@dataclass(frozen=True, eq=False)
class Doorway:
    """The rectangle of an Accessible part: centre, unit vector *along* the wall, half its width, and how far the wall
    it stands in reaches on either side of its middle line."""

    shadow: Shadow
    centre: tuple[float, float]
    along: tuple[float, float]
    half_width: float
    left: float
    right: float

    @property
    def part(self) -> int:
        return int(self.shadow.owners[0])

    def local(self, x: float, y: float) -> tuple[float, float]:
        """Coordinates along the wall and across it (left of *along* is positive)."""
        dx, dy = x - self.centre[0], y - self.centre[1]
        ux, uy = self.along
        return dx * ux + dy * uy, dy * ux - dx * uy

    def passage(self, a: tuple[float, float], b: tuple[float, float], reach: float) -> tuple[float, float] | None:
        """The parameters between which a centre moving from *a* to *b* is in the opening or a base's reach from it."""
        (u0, v0), (u1, v1) = self.local(*a), self.local(*b)
        low, high = 0.0, 1.0
        for start, end, least, most in (
            (u0, u1, -self.half_width, self.half_width),
            (v0, v1, -self.right - reach, self.left + reach),
        ):
            slope = end - start
            if abs(slope) < 1e-15:
                if start < least - EPS or start > most + EPS:
                    return None
                continue
            t0, t1 = (least - start) / slope, (most - start) / slope
            low, high = max(low, min(t0, t1)), min(high, max(t0, t1))
        return (low, high) if low < high else None

    def beyond_wall(self, obstacles: Shadow, form: Form, more: Shadow | None = None) -> EdgeField:
        """The obstacles without what stands in the wall's own slab beside the opening, and all of *more*."""

        def build() -> EdgeField:
            edges, owners = self._outside_slab(*obstacles.edges, self.half_width + 2 * form.outer)
            if more is not None:
                edges, owners = np.concatenate([edges, more.edges[0]]), np.concatenate([owners, more.edges[1]])
            return EdgeField(form, edges, owners)

        return PREPARED.keep((self, obstacles, form, more), build)

    def _outside_slab(self, edges: Array, owners: NDArray[np.int32], reach: float) -> tuple[Array, NDArray[np.int32]]:
        """Of edges (m, 4) what is not in the wall's slab, or further than *reach* along it: cut at the slab's faces."""
        (ux, uy), (cx, cy) = self.along, self.centre
        u = (edges[:, 0::2] - cx) * ux + (edges[:, 1::2] - cy) * uy
        beside = (u.min(axis=1) > reach) | (u.max(axis=1) < -reach)
        kept, whose = [edges[beside]], [owners[beside]]
        edges, owners = edges[~beside], owners[~beside]
        v = (edges[:, 1::2] - cy) * ux - (edges[:, 0::2] - cx) * uy
        top, bottom = self.left + 1e-4, -self.right - 1e-4
        rise = v[:, 1] - v[:, 0]
        with np.errstate(divide="ignore", invalid="ignore"):
            at_top, at_bottom = (top - v[:, 0]) / rise, (bottom - v[:, 0]) / rise
        for face, crossing, inner, outer in (
            (top, at_top, v.min(axis=1), v.max(axis=1)),
            (-bottom, at_bottom, -v.max(axis=1), -v.min(axis=1)),
        ):
            reaches_out = outer > face
            whole = reaches_out & (inner >= face)
            cut = reaches_out & ~whole
            kept.append(edges[whole])
            whose.append(owners[whole])
            # Outside is the end that is further out: the second one where the edge goes outwards.
            outwards = (rise if face == top else -rise)[cut] >= 0
            start, step, t = edges[cut, :2], edges[cut, 2:] - edges[cut, :2], crossing[cut, None]
            at = start + t * step
            kept.append(np.where(outwards[:, None], np.hstack([at, edges[cut, 2:]]), np.hstack([start, at])))
            whose.append(owners[cut])
        return np.ascontiguousarray(np.concatenate(kept)), np.concatenate(whose)


def doorway_of(shadow: Shadow, walls: Array) -> Doorway:
    """The doorway an Accessible part makes in the *walls* around it, planar triangles (m, 6)."""
    centre, along, half_width, half_depth = smallest_rectangle(shadow.pieces.reshape(-1, 2))
    bare = Doorway(shadow, centre, along, half_width, half_depth, half_depth)
    left = right = half_depth
    reach = math.hypot(half_width + JAMB[-1], half_depth + FRAME) + THIN
    corners = walls.reshape(-1, 3, 2) - centre
    walls = walls[((corners.max(axis=1) >= -reach) & (corners.min(axis=1) <= reach)).all(axis=1)]
    for side in (-1, 1):
        for beside in JAMB:
            u = side * (half_width + beside)
            far = half_depth + FRAME
            a, b = _world(bare, u, -far), _world(bare, u, far)
            for t0, t1 in bands.near_spans(walls, THIN, *a, *b):
                left = max(left, min(far, (2 * t1 - 1) * far))
                right = max(right, min(far, (1 - 2 * t0) * far))
    return Doorway(shadow, centre, along, half_width, left, right)


def _world(door: Doorway, u: float, v: float) -> tuple[float, float]:
    ux, uy = door.along
    return door.centre[0] + u * ux - v * uy, door.centre[1] + u * uy + v * ux
