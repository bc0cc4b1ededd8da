"""Figures in the plane, in numpy and plain Python: what is inside what, how far apart, hulls, areas, triangles.

The compiled kernels have planar queries of their own (``kernels.planar``); everything else asks here, so that a game on
a plain table needs none of them. Of one thing there are up to two functions: for a few plain numbers, and for arrays;
both do the same sums in the same order, so that they agree about points on a border.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import TypeAlias, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array: TypeAlias = NDArray[np.float64]
Spot: TypeAlias = tuple[float, float]
Outline: TypeAlias = Sequence[Spot]
"""The corners of a polygon; its last side leads back to the first."""
Numbers = TypeVar("Numbers", float, Array)

TINY = 1e-12
"""Turns smaller than this, in square inches, are straight on."""


class NotSimple(ValueError):
    """An outline that crosses or touches itself, or encloses nothing."""


# -- points, lines, sides ----------------------------------------------------------------------------


def length(x: float, y: float) -> float:
    """Of a vector. Square roots round the same on every machine, which math.hypot does not promise."""
    return math.sqrt(x * x + y * y)


def turn(a: Spot, b: Spot, c: Spot) -> float:
    """Twice the area of a triangle: positive when a, b, c turn left."""
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def turns(a: Array, b: Array, c: Array) -> Array:
    """The same for points (..., 2), any of them one or many."""
    found: Array = (b[..., 0] - a[..., 0]) * (c[..., 1] - a[..., 1]) - (b[..., 1] - a[..., 1]) * (c[..., 0] - a[..., 0])
    return found


def cross(a: Spot, b: Spot, c: Spot, d: Spot) -> bool:
    """Do the segments a-b and c-d cross between their ends?"""
    return turn(a, b, c) * turn(a, b, d) < 0 and turn(c, d, a) * turn(c, d, b) < 0


def sides(outline: Sequence[Spot]) -> list[tuple[Spot, Spot]]:
    """The sides of a polygon as pairs of corners."""
    return list(zip(outline, (*outline[1:], outline[0]), strict=True))


def loop(ring: ArrayLike) -> Array:
    """The sides (n, 4) of a polygon with these corners (n, 2)."""
    corners = np.asarray(ring, np.float64)
    return np.hstack([corners, np.roll(corners, -1, axis=0)])


def distance_to_segment(x: float, y: float, a: Spot, b: Spot) -> float:
    """From a point to the segment from *a* to *b*."""
    ux, uy = b[0] - a[0], b[1] - a[1]
    square = ux * ux + uy * uy
    along = 0.0 if square == 0 else max(0.0, min(1.0, ((x - a[0]) * ux + (y - a[1]) * uy) / square))
    return length(x - a[0] - along * ux, y - a[1] - along * uy)


def to_segments(x: Array, p: Array, q: Array) -> Array:
    """Distances from points *x* to segments from *p* to *q*, any of them one or many."""
    # coordinate by coordinate: several times quicker than sums over pairs
    px, py = p[..., 0], p[..., 1]
    along_x, along_y = q[..., 0] - px, q[..., 1] - py
    from_x, from_y = x[..., 0] - px, x[..., 1] - py
    square = along_x * along_x + along_y * along_y
    share = (from_x * along_x + from_y * along_y) / np.where(square == 0, 1.0, square)
    share = np.minimum(np.maximum(share, 0.0), 1.0)
    off_x, off_y = from_x - share * along_x, from_y - share * along_y
    found: Array = np.sqrt(off_x * off_x + off_y * off_y)
    return found


# -- polygons ----------------------------------------------------------------------------------------


def rectangle(x: float, y: float, width: float, depth: float) -> tuple[Spot, ...]:
    """The outline of a rectangle along the axes, from its lowest corner."""
    return ((x, y), (x + width, y), (x + width, y + depth), (x, y + depth))


def _reached(y: Numbers, ax: Numbers, ay: Numbers, bx: Numbers, by: Numbers) -> Numbers:
    """The x at which a line that is not level has this y: the one sum that all tests of insides have in common."""
    return ax + (y - ay) * (bx - ax) / (by - ay)


def is_inside(outline: Outline, x: float, y: float) -> bool:
    """Is the point inside a polygon of a few corners, by the even-odd rule?"""
    inside = False
    for (ax, ay), (bx, by) in zip(outline, (*outline[1:], outline[0]), strict=True):
        if (ay > y) != (by > y) and x < _reached(y, ax, ay, bx, by):
            inside = not inside
    return inside


def is_enclosed(edges: Array, x: float, y: float) -> bool:
    """Is the point inside the closed loops *edges* (m, 4), by the same rule?"""
    spans = edges[(edges[:, 1] > y) != (edges[:, 3] > y)]
    return bool(len(spans)) and bool((x < _reached(np.float64(y), *spans.T)).sum() % 2)


def are_enclosed(edges: Array, x: Array, y: Array) -> NDArray[np.bool_]:
    """Which of many points are inside the closed loops *edges* (m, 4), by the same rule?"""
    inside = np.zeros(np.shape(x), bool)
    for ax, ay, bx, by in edges.tolist():
        if ay != by:
            inside ^= ((ay > y) != (by > y)) & (x < _reached(y, ax, ay, bx, by))
    return inside


def from_border(outline: Outline, x: float, y: float) -> float:
    """How far the point is from the nearest side of a polygon."""
    return min(distance_to_segment(x, y, a, b) for a, b in sides(outline))


def area(outline: Outline) -> float:
    """The area of a polygon, negative when it is wound clockwise."""
    ax, ay, bx, by = loop(outline).T
    return float((ax * by - bx * ay).sum()) / 2


def is_simple(outline: Outline) -> bool:
    """No two sides cross or touch except neighbours at their common corner, and the area is not zero."""
    p = np.array(outline, dtype=np.float64)
    n = len(p)
    if n < 3 or abs(area(outline)) < 1e-9:
        return False
    q = np.roll(p, -1, axis=0)
    if (np.abs(q - p).max(axis=1) < 1e-9).any():
        return False
    from_p, from_q = (np.sign(turns(p[:, None], q[:, None], c[None])) for c in (p, q))
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
    bend = d[:, 0] * np.roll(d[:, 1], -1) - d[:, 1] * np.roll(d[:, 0], -1)
    ahead = (d * np.roll(d, -1, axis=0)).sum(axis=1)
    return not ((np.abs(bend) < TINY) & (ahead < 0)).any()


def without_straight_corners(points: Array) -> Array:
    """The same outline without corners at which it does not turn."""
    bend = turns(np.roll(points, 1, axis=0), points, np.roll(points, -1, axis=0))
    return np.asarray(points[np.abs(bend) > TINY])


def ears(points: Array) -> NDArray[np.int64]:
    """Triangulate a simple counter-clockwise polygon by clipping ears: (n - 2, 3) corner numbers."""
    corners: list[Spot] = [(float(x), float(y)) for x, y in points]
    count = len(corners)
    before = [(i - 1) % count for i in range(count)]
    after = [(i + 1) % count for i in range(count)]

    def bends_in(j: int) -> bool:
        return turn(corners[before[j]], corners[j], corners[after[j]]) <= TINY

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


def _holds_any(corners: list[Spot], triangle: tuple[int, int, int], others: set[int]) -> bool:
    """Does the triangle of these corners hold one of the *others*, on its sides included?"""
    a, b, c = (corners[i] for i in triangle)
    for other in others:
        if other in triangle:
            continue
        p = corners[other]
        if turn(a, b, p) >= -TINY and turn(b, c, p) >= -TINY and turn(c, a, p) >= -TINY:
            return True
    return False


# -- convex polygons ---------------------------------------------------------------------------------


def hull(points: Array, digits: int = 6) -> Array:
    """The corners (n, 2) of the smallest convex polygon around points, counter-clockwise; those that are the same to so
    many decimal *digits* are one."""
    ordered = sorted({(round(x, digits), round(y, digits)) for x, y in points.tolist()})

    def chain(listed: Iterable[Spot]) -> list[Spot]:
        found: list[Spot] = []
        for point in listed:
            while len(found) > 1 and turn(found[-2], found[-1], point) <= TINY:
                found.pop()
            found.append(point)
        return found[:-1]

    return np.array(chain(ordered) + chain(ordered[::-1]))


def apart(one: Array, two: Array) -> float:
    """How far two convex polygons (n, 2), counter-clockwise, are from each other; 0 when they meet."""
    if _is_separated(one, two) or _is_separated(two, one):
        return min(nearest(one, two), nearest(two, one))
    return 0.0


def _is_separated(one: Array, two: Array) -> bool:
    """Whether all of *two* is beyond some side of the convex *one*."""
    return bool((turns(one[:, None], np.roll(one, -1, axis=0)[:, None], two[None]) < 0).all(axis=1).any())


def nearest(corners: Array, outline: Array) -> float:
    """The least distance of points from the sides of a polygon."""
    return float(to_segments(corners[:, None], outline[None], np.roll(outline, -1, axis=0)[None]).min())


def borders_cross(one: Array, two: Array) -> bool:
    """Whether a side of one polygon runs across a side of the other."""
    a, b = one[:, None], np.roll(one, -1, axis=0)[:, None]
    c, d = two[None], np.roll(two, -1, axis=0)[None]
    return bool(((turns(a, b, c) * turns(a, b, d) < 0) & (turns(c, d, a) * turns(c, d, b) < 0)).any())


def clipped(polygon: list[Spot], axis: int, sign: int, bound: float) -> list[Spot]:
    """The part of a convex polygon in which the coordinate times *sign* is at least *bound*."""
    found = []
    for one, two in sides(polygon) if polygon else ():
        here, there = sign * one[axis] - bound, sign * two[axis] - bound
        if here >= 0:
            found.append(one)
        if (here > 0 > there) or (here < 0 < there):
            share = here / (here - there)
            found.append((one[0] + share * (two[0] - one[0]), one[1] + share * (two[1] - one[1])))
    return found


# -- triangles ---------------------------------------------------------------------------------------


def gaps(a: Array, b: Array, triangles: Array) -> Array:
    """Distances from the segment *a* to *b* to each triangle (n, 3, 2); 0 where they meet."""
    starts, ends = triangles, triangles[:, (1, 2, 0)]
    beside_a, beside_b = turns(starts, ends, a), turns(starts, ends, b)
    crosses = (beside_a * beside_b < 0) & (turns(a, b, starts) * turns(a, b, ends) < 0)
    # An upright triangle is a line seen from above, and holds nothing.
    holds = (np.all(beside_a >= 0, axis=1) | np.all(beside_a <= 0, axis=1)) & np.any(beside_a != 0, axis=1)
    away = np.minimum(to_segments(a, starts, ends), to_segments(b, starts, ends))
    away = np.minimum(away, to_segments(starts, a, b)).min(axis=1)
    return np.where(holds | crosses.any(axis=1), 0.0, away)


def heights(triangles: Array, x: float, y: float) -> Array:
    """How high each triangle (n, 3, 3) is over a point of the plane; -1 where it is not over it."""
    a, b, c = triangles[:, 0], triangles[:, 1], triangles[:, 2]
    at = np.array([x, y])
    twice = turns(a, b, c)
    is_flat = abs(twice) < TINY
    safe = np.where(is_flat, 1.0, twice)
    u, v = turns(a, at, c) / safe, turns(a, b, at) / safe
    over = ~is_flat & (u >= 0) & (v >= 0) & (u + v <= 1)
    return np.where(over, a[:, 2] + u * (b[:, 2] - a[:, 2]) + v * (c[:, 2] - a[:, 2]), -1.0)


def smallest_rectangle(points: Array) -> tuple[Spot, Spot, float, float]:
    """The smallest rectangle around the corners (3n, 2) of triangles: centre, unit vector of its longer side, half of
    either side."""
    best: tuple[float, float, Array, Array, Array] | None = None
    differences = np.roll(points.reshape(-1, 3, 2), -1, axis=1).reshape(-1, 2) - points
    angles = {round(math.atan2(d[1], d[0]) % (math.pi / 2), 6) for d in differences if math.hypot(*d) > 1e-6}
    for angle in sorted(angles):
        u = np.array([math.cos(angle), math.sin(angle)])
        v = np.array([-u[1], u[0]])
        spread = np.stack([points @ u, points @ v])
        low, high = spread.min(axis=1), spread.max(axis=1)
        size = float(np.prod(high - low))
        if best is None or size < best[0] - 1e-9:
            best = (size, angle, u, low, high)
    assert best is not None
    _, _, u, low, high = best
    v = np.array([-u[1], u[0]])
    middle, half = (low + high) / 2, (high - low) / 2
    centre = middle[0] * u + middle[1] * v
    if half[0] < half[1]:
        u, half = v, half[::-1]
    return (float(centre[0]), float(centre[1])), (float(u[0]), float(u[1])), float(half[0]), float(half[1])


# -- circles -----------------------------------------------------------------------------------------


def circle_through(a: Spot, b: Spot, c: Spot) -> tuple[Spot, float] | None:
    """The middle and radius of the circle through three points; None when they lie on a line."""
    (bx, by), (cx, cy) = ((p[0] - a[0], p[1] - a[1]) for p in (b, c))
    twice = 2 * turn(a, b, c)
    if abs(twice) < TINY:
        return None
    x = (cy * (bx * bx + by * by) - by * (cx * cx + cy * cy)) / twice
    y = (bx * (cx * cx + cy * cy) - cx * (bx * bx + by * by)) / twice
    return (a[0] + x, a[1] + y), length(x, y)


def circle_of_radius(points: ArrayLike, radius: float, start: Spot) -> Spot:
    """The middle of the circle of that radius that comes nearest to points (n, 2), searched from *start*."""
    on, middle = np.asarray(points, float), np.array(start, float)
    for _ in range(20):
        away = on - middle
        far = np.maximum(np.linalg.norm(away, axis=1), TINY)
        step, *_ = np.linalg.lstsq(away / far[:, None], far - radius, rcond=None)
        middle = middle + step
        if float(np.abs(step).max()) < TINY:
            break
    return float(middle[0]), float(middle[1])
