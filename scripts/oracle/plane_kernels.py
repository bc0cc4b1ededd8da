"""Bases seen from above, and ways around walls. A base is a row (x, y, along, across, cosine, sine); walls are boxes
(x0, y0, x1, y1), and *far* holds how far each of their corners is from the base, by ways around them.
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit
from plain_lines import from_triangle, on_triangle

R = 0.5 / 25.4
"""Half the thickness of a line (inches)."""


@njit(cache=True)
def gap(base, x, y):
    """How far a point is outside of a base (0: it is over it)."""
    dx, dy = x - base[0], y - base[1]
    a, b = base[2], base[3]
    if a == b:
        return max(0.0, math.sqrt(dx * dx + dy * dy) - a)
    u, v = abs(dx * base[4] + dy * base[5]), abs(dy * base[4] - dx * base[5])
    if (u / a) ** 2 + (v / b) ** 2 <= 1.0:
        return 0.0
    low, high = 0.0, a * math.hypot(u, v) + b * math.hypot(u, v)
    for _ in range(60):
        t = (low + high) / 2
        if (a * u / (t + a * a)) ** 2 + (b * v / (t + b * b)) ** 2 > 1.0:
            low = t
        else:
            high = t
    return math.hypot(u - a * a * u / (high + a * a), v - b * b * v / (high + b * b))


@njit(cache=True)
def rim(base, angle, inset, out):
    """The point of a base's rim whose normal looks that way, *inset* inwards; returns the normal."""
    nx, ny = math.cos(angle), math.sin(angle)
    u, v = nx * base[4] + ny * base[5], ny * base[4] - nx * base[5]
    h = math.sqrt((base[2] * u) ** 2 + (base[3] * v) ** 2)
    x, y = base[2] ** 2 * u / h, base[3] ** 2 * v / h
    out[0] = base[0] + x * base[4] - y * base[5] - inset * nx
    out[1] = base[1] + x * base[5] + y * base[4] - inset * ny
    return nx, ny


@njit(cache=True)
def apart(one, two):
    """Horizontal distance of two bases."""
    if one[2] == one[3] and two[2] == two[3]:
        return max(0.0, math.hypot(one[0] - two[0], one[1] - two[1]) - one[2] - two[2])
    if gap(one, two[0], two[1]) == 0.0 or gap(two, one[0], one[1]) == 0.0:
        return 0.0
    spot = np.empty(2)
    best, at, step = np.inf, 0.0, 2 * math.pi / 64
    for n in range(64):
        rim(one, n * step, 0.0, spot)
        found = gap(two, spot[0], spot[1])
        if found < best:
            best, at = found, n * step
    for _ in range(22):
        step /= 2
        for side in (-1, 1):
            rim(one, at + side * step, 0.0, spot)
            found = gap(two, spot[0], spot[1])
            if found < best:
                best, at = found, at + side * step
                break
    return best


@njit(cache=True)
def stopped(ax, ay, bx, by, walls, skip):
    """Does a wall stand between two spots?"""
    for i in range(walls.shape[0]):
        if skip[i]:
            continue
        low, high = 0.0, 1.0
        for k in range(2):
            a, b = (ax, bx) if k == 0 else (ay, by)
            x0, x1 = walls[i, k] + 1e-8, walls[i, 2 + k] - 1e-8
            if abs(b - a) < 1e-12:
                if a <= x0 or a >= x1:
                    low, high = 1.0, 0.0
                continue
            t0, t1 = (x0 - a) / (b - a), (x1 - a) / (b - a)
            low, high = max(low, min(t0, t1)), min(high, max(t0, t1))
        if low < high:
            return True
    return False


@njit(cache=True)
def outside(base, x, y):
    """How far a point is from where lines may start on a base (at most 0: it is one of those)."""
    spot, out = np.empty(2), -np.inf
    for n in range(180):
        nx, ny = rim(base, n * math.pi / 90, R, spot)
        out = max(out, (x - spot[0]) * nx + (y - spot[1]) * ny)
    return out


@njit(cache=True)
def spread(base, around, inside, seed):
    """Points of a base that lines may start from: so many of the rim, and so many inside."""
    np.random.seed(seed)
    found, spot, turn = np.empty((around + inside, 2)), np.empty(2), np.random.random()
    for n in range(around + inside):
        is_rim = n < around
        rim(base, 2 * math.pi * ((n + turn) / around if is_rim else np.random.random()), R, spot)
        share = 1.0 if is_rim else math.sqrt(np.random.random())
        found[n] = base[:2] + share * (spot - base[:2])
    return found


@njit(cache=True)
def near_base(base, z, points, limit):
    """(n,) bool: which points are within *limit* of a base at height z."""
    out = np.zeros(points.shape[0], np.bool_)
    for i in range(points.shape[0]):
        dz = points[i, 2] - z
        if abs(dz) <= limit and math.hypot(points[i, 0] - base[0], points[i, 1] - base[1]) <= limit + base[2] + base[3]:
            out[i] = math.hypot(gap(base, points[i, 0], points[i, 1]), dz) <= limit
    return out


@njit(cache=True)
def nearest_points(triangles, x, y, z):
    """The point of each triangle nearest to a point."""
    out = np.empty((triangles.shape[0], 3))
    for i in range(triangles.shape[0]):
        out[i, 0], out[i, 1], out[i, 2] = on_triangle(x, y, z, triangles[i])
    return out


@njit(cache=True)
def towards(base, x, y):
    """The spot of a round base's rim nearest to a point outside of it."""
    dx, dy = x - base[0], y - base[1]
    size = max(1e-12, math.hypot(dx, dy))
    return base[0] + dx * base[2] / size, base[1] + dy * base[2] / size


@njit(cache=True)
def way(base, x, y, walls, skip, corners, far):
    """How far a point is from a base, around walls."""
    direct = gap(base, x, y)
    if walls.shape[0] == 0 or direct == 0.0:
        return direct
    ax, ay = towards(base, x, y)
    if not stopped(ax, ay, x, y, walls, skip):
        return direct
    best = np.inf
    for c in range(corners.shape[0]):
        length = far[c] + math.hypot(x - corners[c, 0], y - corners[c, 1])
        if length < best and not stopped(corners[c, 0], corners[c, 1], x, y, walls, skip):
            best = length
    return best


@njit(cache=True)
def from_base(base, corners, walls):
    """How far each corner of the walls is from a base, by ways that bend at corners."""
    n = corners.shape[0]
    none = np.zeros(walls.shape[0], np.bool_)
    far = np.full(n, np.inf)
    for c in range(n):
        ax, ay = towards(base, corners[c, 0], corners[c, 1])
        if not stopped(ax, ay, corners[c, 0], corners[c, 1], walls, none):
            far[c] = gap(base, corners[c, 0], corners[c, 1])
    for _ in range(n):
        changed = False
        for c in range(n):
            for k in range(n):
                length = far[k] + math.hypot(corners[c, 0] - corners[k, 0], corners[c, 1] - corners[k, 1])
                if length < far[c] - 1e-12 and not stopped(
                    corners[k, 0], corners[k, 1], corners[c, 0], corners[c, 1], walls, none
                ):
                    far[c], changed = length, True
        if not changed:
            break
    return far


@njit(cache=True)
def over(base, tris, limit):
    """Is any of the triangles, seen from above, within *limit* of a base?"""
    flat = tris.copy()
    flat[:, :, 2] = 0.0
    point = np.array([base[0], base[1], 0.0])
    if base[2] == base[3]:
        for i in range(flat.shape[0]):
            x, y, _ = on_triangle(point[0], point[1], 0.0, flat[i])
            if gap(base, x, y) <= limit or from_triangle(point, np.zeros(3), flat[i], 10.0) <= base[2] + limit:
                return True
        return False
    spot = np.empty(2)
    for n in range(97):
        if n < 96:
            rim(base, n * 2 * math.pi / 96, 0.0, spot)
        else:
            spot[0], spot[1] = base[0], base[1]
        for i in range(flat.shape[0]):
            x, y, _ = on_triangle(spot[0], spot[1], 0.0, flat[i])
            if math.hypot(x - spot[0], y - spot[1]) <= limit or gap(base, x, y) <= limit:
                return True
    return False
