"""Doors, access points and gaps: only the centre of the base has to pass (KT24-MOVE-6)."""

from __future__ import annotations

from dataclasses import dataclass, field
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from ktsim.geometry.kernels import bands
from ktsim.geometry.rectangle import smallest_rectangle
from ktsim.sight.scene import EPS

from .form import Array, Form
from .shadow import EdgeField, Shadow

Owners = NDArray[np.int32]

FRAME = 0.4
"""How much thicker than the door the wall around it may be (inches, each side)."""

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
    _outside: WeakKeyDictionary[Shadow, dict[float, tuple[Array, Owners]]] = field(default_factory=WeakKeyDictionary)
    _fields: WeakKeyDictionary[Shadow, dict[Form, EdgeField]] = field(default_factory=WeakKeyDictionary)

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

    def beyond_wall(self, obstacles: Shadow, form: Form) -> EdgeField:
        """The obstacles without what stands in the wall's own slab beside the opening."""
        kept = self._fields.setdefault(obstacles, {})
        if form not in kept:
            kept[form] = EdgeField(form, *self._beyond(obstacles, self.half_width + 2 * form.outer))
        return kept[form]

    def _beyond(self, obstacles: Shadow, reach: float) -> tuple[Array, Owners]:
        if obstacles.joined is not None:
            (one, whose), (two, theirs) = (self._beyond(each, reach) for each in obstacles.joined)
            return np.concatenate([one, two]), np.concatenate([whose, theirs])
        known = self._outside.setdefault(obstacles, {})
        if reach not in known:
            pieces, owners = [], []
            for edge, owner in zip(*obstacles.edges, strict=True):
                for piece in self._outside_slab(edge, reach):
                    pieces.append(piece)
                    owners.append(owner)
            known[reach] = np.array(pieces, dtype=np.float64).reshape(-1, 4), np.array(owners, np.int32)
        return known[reach]

    def _outside_slab(self, edge: Array, reach: float) -> list[Array]:
        (u0, v0), (u1, v1) = self.local(edge[0], edge[1]), self.local(edge[2], edge[3])
        if min(u0, u1) > reach or max(u0, u1) < -reach:
            return [edge]
        top, bottom = self.left + 1e-4, -self.right - 1e-4
        if max(v0, v1) <= top and min(v0, v1) >= bottom:
            return []
        a, d = edge[:2], edge[2:] - edge[:2]
        slope = v1 - v0
        spans = []
        if max(v0, v1) > top:
            t = (top - v0) / slope if min(v0, v1) < top else (0.0 if slope >= 0 else 1.0)
            spans.append((t, 1.0) if slope >= 0 else (0.0, t))
        if min(v0, v1) < bottom:
            t = (bottom - v0) / slope if max(v0, v1) > bottom else (1.0 if slope >= 0 else 0.0)
            spans.append((0.0, t) if slope >= 0 else (t, 1.0))
        return [np.concatenate([a + t0 * d, a + t1 * d]) for t0, t1 in spans if t1 > t0]


def doorway_of(shadow: Shadow, walls: Shadow) -> Doorway:
    """The doorway an Accessible part makes in the *walls* around it."""
    centre, along, half_width, half_depth = smallest_rectangle(shadow.pieces.reshape(-1, 2))
    bare = Doorway(shadow, centre, along, half_width, half_depth, half_depth)
    left = right = half_depth
    for side in (-1, 1):
        for beside in JAMB:
            u = side * (half_width + beside)
            far = half_depth + FRAME
            a, b = _world(bare, u, -far), _world(bare, u, far)
            for t0, t1 in bands.near_spans(walls.pieces, 0.02, *a, *b):
                left = max(left, min(far, (2 * t1 - 1) * far))
                right = max(right, min(far, (1 - 2 * t0) * far))
    return Doorway(shadow, centre, along, half_width, left, right)


def _world(door: Doorway, u: float, v: float) -> tuple[float, float]:
    ux, uy = door.along
    return door.centre[0] + u * ux - v * uy, door.centre[1] + u * uy + v * ux
