"""Convex figures in the plane: discs, ellipses, and either of them shrunk or grown by a margin.

A figure is a row of seven numbers: centre x, y; semi-axes a, b of an ellipse (0, 0 for a disc); cosine and sine of its
turn; and a margin added all round (a disc's radius; negative to shrink an ellipse by that much). All it takes is the
support function, so shrunk ellipses (which are no ellipses) are exact.
"""

from __future__ import annotations

import math

import numpy as np

from ktsim.geometry.kernels import inner, kernel, lean

TAU = 2.0 * math.pi


@kernel
def support(fig, nx, ny):
    """The largest ``n . x`` over the figure, for a unit vector n."""
    u = nx * fig[4] + ny * fig[5]
    v = ny * fig[4] - nx * fig[5]
    return nx * fig[0] + ny * fig[1] + math.sqrt((fig[2] * u) ** 2 + (fig[3] * v) ** 2) + fig[6]


@kernel
def rim(fig, nx, ny):
    """The point of the rim whose outward normal is the unit vector n."""
    u = nx * fig[4] + ny * fig[5]
    v = ny * fig[4] - nx * fig[5]
    w = math.sqrt((fig[2] * u) ** 2 + (fig[3] * v) ** 2)
    x = fig[0] + fig[6] * nx
    y = fig[1] + fig[6] * ny
    if w > 0.0:
        ex = fig[2] * fig[2] * u / w
        ey = fig[3] * fig[3] * v / w
        x += ex * fig[4] - ey * fig[5]
        y += ex * fig[5] + ey * fig[4]
    return x, y


@kernel
def spots(fig, front, around, rings):
    """Points all over a figure (n, 2): *rings* rings of *around* points each, from the direction *front* on, the
    outermost on the rim; then the centre."""
    out = np.empty((around * rings + 1, 2))
    for n in range(around * rings):
        angle = front + TAU * (n % around) / around
        x, y = rim(fig, math.cos(angle), math.sin(angle))
        scale = (rings - n // around) / rings
        out[n, 0] = fig[0] + scale * (x - fig[0])
        out[n, 1] = fig[1] + scale * (y - fig[1])
    out[around * rings, 0] = fig[0]
    out[around * rings, 1] = fig[1]
    return out


@lean
def _gap_at(fig, x, y, angle):
    nx = math.cos(angle)
    ny = math.sin(angle)
    return nx * x + ny * y - support(fig, nx, ny)


@kernel
def gap(fig, x, y):
    """Signed distance of a point from the figure (negative inside) and the angle of the normal that shows it.

    The distance from a convex figure is the largest ``n . x - support(n)``: a few steps of Newton's method from the
    best of some directions; the value is second order in the angle's error.
    """
    dx = x - fig[0]
    dy = y - fig[1]
    if fig[2] == 0.0 and fig[3] == 0.0:
        return math.sqrt(dx * dx + dy * dy) - fig[6], math.atan2(dy, dx)
    lx = dx * fig[4] + dy * fig[5]
    ly = dy * fig[4] - dx * fig[5]
    a2 = fig[2] * fig[2]
    b2 = fig[3] * fig[3]
    best = -1e300
    at = 0.0
    for i in range(13):
        t = math.atan2(fig[2] * ly, fig[3] * lx) if i == 12 else TAU * i / 12
        c = math.cos(t)
        s = math.sin(t)
        f = lx * c + ly * s - math.sqrt(a2 * c * c + b2 * s * s)
        if f > best:
            best = f
            at = t
    for _ in range(12):
        c = math.cos(at)
        s = math.sin(at)
        w = math.sqrt(a2 * c * c + b2 * s * s)
        h1 = (b2 - a2) * s * c / w
        h2 = (b2 - a2) * (c * c - s * s) / w - h1 * h1 / w
        f1 = -lx * s + ly * c - h1
        f2 = -lx * c - ly * s - h2
        step = -f1 / f2 if f2 < 0.0 else (0.05 if f1 > 0.0 else -0.05)
        step = min(0.3, max(-0.3, step))
        at += step
        if abs(step) < 1e-14:
            break
    c = math.cos(at)
    s = math.sin(at)
    best = max(best, lx * c + ly * s - math.sqrt(a2 * c * c + b2 * s * s))
    return best - fig[6], at + math.atan2(fig[5], fig[4])


@lean
def _between_at(f, g, angle):
    nx = math.cos(angle)
    ny = math.sin(angle)
    return -support(g, -nx, -ny) - support(f, nx, ny)


@kernel
def between(f, g):
    """Distance of two figures (0 when they touch or overlap) and the angle of the direction from f to g there."""
    dx = g[0] - f[0]
    dy = g[1] - f[1]
    if f[2] == 0.0 and f[3] == 0.0 and g[2] == 0.0 and g[3] == 0.0:
        return max(0.0, math.sqrt(dx * dx + dy * dy) - f[6] - g[6]), math.atan2(dy, dx)
    best = -1e300
    at = 0.0
    steps = 64
    for i in range(steps):
        a = TAU * i / steps
        v = _between_at(f, g, a)
        if v > best:
            best = v
            at = a
    lo = at - TAU / steps
    hi = at + TAU / steps
    for _ in range(60):
        m0 = lo + (hi - lo) / 3.0
        m1 = hi - (hi - lo) / 3.0
        if _between_at(f, g, m0) < _between_at(f, g, m1):
            lo = m0
        else:
            hi = m1
    at = 0.5 * (lo + hi)
    return max(0.0, _between_at(f, g, at)), at


@kernel
def tangents(fig, x, y, r):
    """The two angles n with ``n . (x, y) = support(n) + r``: lines tangent to the figure that leave the point at
    distance r beyond them (r = 0: the tangents through the point). Returns (found, first, second), the angles
    between which the point lies beyond; found is False when the point is not more than r away.
    """
    d, at = gap(fig, x, y)
    if d <= r:
        return False, 0.0, 0.0
    if fig[2] == 0.0 and fig[3] == 0.0:
        wide = math.acos((fig[6] + r) / (d + fig[6])) if d + fig[6] > 0.0 else 0.0
        return True, at - wide, at + wide
    out = np.empty(2)
    for side in range(2):
        lo = 0.0
        hi = math.pi
        for _ in range(60):
            mid = 0.5 * (lo + hi)
            if _gap_at(fig, x, y, at + (mid if side == 1 else -mid)) > r:
                lo = mid
            else:
                hi = mid
        out[side] = at + (0.5 * (lo + hi) if side == 1 else -0.5 * (lo + hi))
    return True, out[0], out[1]


@inner
def line_meets_rim(fig, nx, ny, c):
    """Normal angles of the two rim points on the line ``n . x = c``; (False, 0, 0) when it misses the figure."""
    if c >= support(fig, nx, ny) or -c >= support(fig, -nx, -ny):
        return False, 0.0, 0.0
    base = math.atan2(ny, nx)
    if fig[2] == 0.0 and fig[3] == 0.0:
        wide = math.acos(min(1.0, max(-1.0, (c - nx * fig[0] - ny * fig[1]) / fig[6])))
        return True, base - wide, base + wide
    out = np.empty(2)
    for side in range(2):
        lo = 0.0
        hi = math.pi
        for _ in range(60):
            mid = 0.5 * (lo + hi)
            a = base + (mid if side == 1 else -mid)
            x, y = rim(fig, math.cos(a), math.sin(a))
            if nx * x + ny * y > c:
                lo = mid
            else:
                hi = mid
        out[side] = base + (0.5 * (lo + hi) if side == 1 else -0.5 * (lo + hi))
    return True, out[0], out[1]
