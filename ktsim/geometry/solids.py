"""Closed solids as triangles (n, 3, 3), wound outwards: box, cylinder, prism."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Triangles: TypeAlias = NDArray[np.float64]
Outline: TypeAlias = Sequence[tuple[float, float]]

SIDES = 48
"""Sides of a cylinder. Its corners lie *on* the radius, so it is inside the true one by at most 0.2 % of it."""


TINY = 1e-12
"""Turns smaller than this, in square inches, are straight on."""


class NotSimple(ValueError):
    """An outline that crosses or touches itself, or encloses nothing."""


def box(one: Sequence[float], other: Sequence[float]) -> Triangles:
    """The box with opposite corners *one* and *other* (x, y, z), in any order."""
    (x0, y0, z0), (x1, y1, z1) = np.minimum(one, other), np.maximum(one, other)
    return prism([(x0, y0), (x1, y0), (x1, y1), (x0, y1)], z0, z1)


def cylinder(centre: Sequence[float], radius: float, height: float, sides: int = SIDES) -> Triangles:
    """An upright cylinder; *centre* is the middle of its lower face."""
    x, y, z = centre
    angles = [2 * math.pi * i / sides for i in range(sides)]
    return prism([(x + radius * math.cos(a), y + radius * math.sin(a)) for a in angles], z, z + height)


def prism(outline: Outline, low: float, high: float) -> Triangles:
    """The upright solid over a simple polygon, wound either way, from *low* to *high*."""
    points = np.array(outline, dtype=np.float64)
    if area(outline) < 0:
        points = points[::-1]
    points = _without_straight_corners(points)
    low, high = min(low, high), max(low, high)
    flat = points[_ears(points)]
    top = np.concatenate([flat, np.full((*flat.shape[:2], 1), high)], axis=2)
    bottom = np.concatenate([flat[:, ::-1], np.full((*flat.shape[:2], 1), low)], axis=2)
    after = np.roll(points, -1, axis=0)
    a, b = (np.column_stack([p, np.full(len(p), low)]) for p in (points, after))
    c, d = (np.column_stack([p, np.full(len(p), high)]) for p in (after, points))
    return np.concatenate([top, bottom, np.stack([a, b, c], axis=1), np.stack([a, c, d], axis=1)])


def area(outline: Outline) -> float:
    """The area of a polygon, negative when it is wound clockwise."""
    p = np.array(outline, dtype=np.float64)
    q = np.roll(p, -1, axis=0)
    return float((p[:, 0] * q[:, 1] - q[:, 0] * p[:, 1]).sum()) / 2


def is_simple(outline: Outline) -> bool:
    """No two sides cross or touch except neighbours at their common corner, and the area is not zero."""
    p = np.array(outline, dtype=np.float64)
    n = len(p)
    if n < 3 or abs(area(outline)) < 1e-9:
        return False
    q = np.roll(p, -1, axis=0)
    if (np.abs(q - p).max(axis=1) < 1e-9).any():
        return False

    def side(a: Triangles, b: Triangles, c: Triangles) -> NDArray[np.float64]:
        """(n, n): on which side of each line a-b each point c lies."""
        d, e = (b - a)[:, None], c[None] - a[:, None]
        return np.asarray(np.sign(d[..., 0] * e[..., 1] - d[..., 1] * e[..., 0]))

    from_p, from_q = side(p, q, p), side(p, q, q)
    apart = from_p * from_q > 0
    meets = ~(apart | apart.T)
    # Sides of one line meet only if their boxes overlap.
    low, high = np.minimum(p, q), np.maximum(p, q)
    overlap = ((low[:, None] <= high[None]) & (low[None] <= high[:, None])).all(axis=2)
    index = np.arange(n)
    gap = (index[None] - index[:, None]) % n
    distant = (gap > 1) & (gap < n - 1)
    if (meets & overlap & distant).any():
        return False
    # A neighbour that folds back over its side: collinear and pointing the other way.
    d = q - p
    turn = d[:, 0] * np.roll(d[:, 1], -1) - d[:, 1] * np.roll(d[:, 0], -1)
    ahead = (d * np.roll(d, -1, axis=0)).sum(axis=1)
    return not ((np.abs(turn) < TINY) & (ahead < 0)).any()


def _without_straight_corners(points: NDArray[np.float64]) -> NDArray[np.float64]:
    """The same outline without corners at which it does not turn: they would make slivers without area."""
    back, ahead = points - np.roll(points, 1, axis=0), np.roll(points, -1, axis=0) - points
    turn = back[:, 0] * ahead[:, 1] - back[:, 1] * ahead[:, 0]
    return np.asarray(points[np.abs(turn) > TINY])


def _ears(points: NDArray[np.float64]) -> NDArray[np.int64]:
    """Triangulate a simple counter-clockwise polygon by clipping ears: (n - 2, 3) corner numbers."""
    corners: list[tuple[float, float]] = [(float(x), float(y)) for x, y in points]
    count = len(corners)
    before = [(i - 1) % count for i in range(count)]
    after = [(i + 1) % count for i in range(count)]

    def bends_in(j: int) -> bool:
        return _turn(corners[before[j]], corners[j], corners[after[j]]) <= TINY

    # Only a corner at which the outline bends inwards can lie in an ear.
    inward = {j for j in range(count) if bends_in(j)}
    faces: list[tuple[int, int, int]] = []
    at, tried = 0, 0
    while len(faces) < count - 3:
        i, k = before[at], after[at]
        if at not in inward and not _holds_any(corners, (i, at, k), inward):
            faces.append((i, at, k))
            after[i], before[k] = k, i
            inward -= {j for j in (i, k) if j in inward and not bends_in(j)}
            at, tried = i, 0
        else:
            at, tried = k, tried + 1
            if tried > count:
                raise NotSimple("the outline crosses itself")
    faces.append((before[at], at, after[at]))
    return np.array(faces, dtype=np.int64)


def _turn(a: tuple[float, float], b: tuple[float, float], c: tuple[float, float]) -> float:
    """Positive when a, b, c turn left."""
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def _holds_any(corners: list[tuple[float, float]], triangle: tuple[int, int, int], others: set[int]) -> bool:
    """Does the triangle of these corners hold one of the *others*, on its sides included?"""
    a, b, c = (corners[i] for i in triangle)
    for other in others:
        if other in triangle:
            continue
        p = corners[other]
        if _turn(a, b, p) >= -TINY and _turn(b, c, p) >= -TINY and _turn(c, a, p) >= -TINY:
            return True
    return False
