"""How far edges in the plane are from each other and from convex figures, and what of them is near a figure."""

from __future__ import annotations

import math

import numpy as np

from ktsim.geometry.kernels import inner, kernel, lean
from ktsim.geometry.kernels.planar import gap


@lean
def points_apart2(px, py, ax, ay, bx, by):
    ex = bx - ax
    ey = by - ay
    l2 = ex * ex + ey * ey
    t = 0.0
    if l2 > 0.0:
        t = min(1.0, max(0.0, ((px - ax) * ex + (py - ay) * ey) / l2))
    return (px - ax - t * ex) ** 2 + (py - ay - t * ey) ** 2


@lean
def segments_apart2(ax, ay, bx, by, cx, cy, dx, dy):
    """Squared distance of two segments in the plane."""
    o1 = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax)
    o2 = (bx - ax) * (dy - ay) - (by - ay) * (dx - ax)
    o3 = (dx - cx) * (ay - cy) - (dy - cy) * (ax - cx)
    o4 = (dx - cx) * (by - cy) - (dy - cy) * (bx - cx)
    if ((o1 > 0.0) != (o2 > 0.0)) and ((o3 > 0.0) != (o4 > 0.0)):
        return 0.0
    return min(
        min(points_apart2(ax, ay, cx, cy, dx, dy), points_apart2(bx, by, cx, cy, dx, dy)),
        min(points_apart2(cx, cy, ax, ay, bx, by), points_apart2(dx, dy, ax, ay, bx, by)),
    )


@kernel
def edge_from_figure(fig, ax, ay, bx, by):
    """Distance of a segment from a convex figure, and the parameter of the closest point (it is convex along it)."""
    if fig[2] == 0.0 and fig[3] == 0.0:
        ex = bx - ax
        ey = by - ay
        l2 = ex * ex + ey * ey
        t = 0.0
        if l2 > 0.0:
            t = min(1.0, max(0.0, ((fig[0] - ax) * ex + (fig[1] - ay) * ey) / l2))
        return math.sqrt((ax + t * ex - fig[0]) ** 2 + (ay + t * ey - fig[1]) ** 2) - fig[6], t
    lo = 0.0
    hi = 1.0
    for _ in range(50):
        m0 = lo + (hi - lo) / 3.0
        m1 = hi - (hi - lo) / 3.0
        g0, _a = gap(fig, ax + m0 * (bx - ax), ay + m0 * (by - ay))
        g1, _a = gap(fig, ax + m1 * (bx - ax), ay + m1 * (by - ay))
        if g0 > g1:
            lo = m0
        else:
            hi = m1
    t = 0.5 * (lo + hi)
    g, _a = gap(fig, ax + t * (bx - ax), ay + t * (by - ay))
    return g, t


@kernel
def over_or_near(fig, tris, limit):
    """Does any of the triangles (n, 9), seen from above, come within *limit* of the figure?"""
    reach = max(fig[2], fig[3]) + fig[6] + limit
    for i in range(tris.shape[0]):
        T = tris[i]
        if min(T[0], min(T[3], T[6])) > fig[0] + reach or max(T[0], max(T[3], T[6])) < fig[0] - reach:
            continue
        if min(T[1], min(T[4], T[7])) > fig[1] + reach or max(T[1], max(T[4], T[7])) < fig[1] - reach:
            continue
        left = 0
        right = 0
        for e in range(3):
            f = (e + 1) % 3
            d, _t = edge_from_figure(fig, T[3 * e], T[3 * e + 1], T[3 * f], T[3 * f + 1])
            if d <= limit:
                return True
            side = (T[3 * f] - T[3 * e]) * (fig[1] - T[3 * e + 1]) - (T[3 * f + 1] - T[3 * e + 1]) * (fig[0] - T[3 * e])
            if side >= 0.0:
                left += 1
            if side <= 0.0:
                right += 1
        if left == 3 or right == 3:  # wholly over a large face
            return True
    return False


@inner
def within_part(fig, limit, ax, ay, bx, by):
    """The parameters (t0, t1) between which a segment is within *limit* of the figure; (2, 2) when it never is."""
    if fig[2] == 0.0 and fig[3] == 0.0:
        R = fig[6] + limit
        dx = bx - ax
        dy = by - ay
        fx = ax - fig[0]
        fy = ay - fig[1]
        A = dx * dx + dy * dy
        C = fx * fx + fy * fy - R * R
        if A == 0.0:
            return (0.0, 1.0) if C <= 0.0 else (2.0, 2.0)
        B = fx * dx + fy * dy
        q = B * B - A * C
        if q <= 0.0:
            return 2.0, 2.0
        q = math.sqrt(q)
        t0 = max(0.0, (-B - q) / A)
        t1 = min(1.0, (-B + q) / A)
        return (t0, t1) if t0 < t1 else (2.0, 2.0)
    nearest, t = edge_from_figure(fig, ax, ay, bx, by)
    if nearest > limit:
        return 2.0, 2.0
    ends = np.empty(2)
    for side in range(2):
        end = float(side)
        g, _a = gap(fig, ax + end * (bx - ax), ay + end * (by - ay))
        if g <= limit:
            ends[side] = end
            continue
        inside = t
        outside = end
        for _ in range(60):
            mid = 0.5 * (inside + outside)
            g, _a = gap(fig, ax + mid * (bx - ax), ay + mid * (by - ay))
            if g <= limit:
                inside = mid
            else:
                outside = mid
        ends[side] = inside
    return (ends[0], ends[1]) if ends[0] < ends[1] else (2.0, 2.0)


@kernel
def in_corridor(edges, S, T, r):
    """Which edges come within *r* of the hull of figures S and T: (m,) bool. May keep a few more, never fewer."""
    m = edges.shape[0]
    keep = np.empty(m, np.bool_)
    sx = S[0]
    sy = S[1]
    tx = T[0]
    ty = T[1]
    wide = max(max(S[2], S[3]) + S[6], max(T[2], T[3]) + T[6]) + r
    for i in range(m):
        d2 = segments_apart2(sx, sy, tx, ty, edges[i, 0], edges[i, 1], edges[i, 2], edges[i, 3])
        keep[i] = d2 <= wide * wide
    return keep


@kernel
def cut_within(edges, fig, limit):
    """The pieces of *edges* within *limit* of the figure -> edges, index of the edge each came from."""
    m = edges.shape[0]
    out = np.empty((m, 4))
    source = np.empty(m, np.int64)
    n = 0
    for i in range(m):
        ax = edges[i, 0]
        ay = edges[i, 1]
        dx = edges[i, 2] - ax
        dy = edges[i, 3] - ay
        t0, t1 = within_part(fig, limit, ax, ay, edges[i, 2], edges[i, 3])
        if t0 <= 1.0:
            out[n, 0] = ax + t0 * dx
            out[n, 1] = ay + t0 * dy
            out[n, 2] = ax + t1 * dx
            out[n, 3] = ay + t1 * dy
            source[n] = i
            n += 1
    return out[:n], source[:n]


@kernel
def cut_beyond(edges, fig, limit):
    """The pieces of *edges* farther than *limit* from the figure -> edges, index of the edge each came from."""
    m = edges.shape[0]
    out = np.empty((2 * m, 4))
    source = np.empty(2 * m, np.int64)
    n = 0
    for i in range(m):
        ax = edges[i, 0]
        ay = edges[i, 1]
        dx = edges[i, 2] - ax
        dy = edges[i, 3] - ay
        t0, t1 = within_part(fig, limit, ax, ay, edges[i, 2], edges[i, 3])
        if t0 > 1.0:
            t0 = 1.0
            t1 = 1.0
        if t0 > 0.0:
            out[n, 0] = ax
            out[n, 1] = ay
            out[n, 2] = ax + t0 * dx
            out[n, 3] = ay + t0 * dy
            source[n] = i
            n += 1
        if t1 < 1.0:
            out[n, 0] = ax + t1 * dx
            out[n, 1] = ay + t1 * dy
            out[n, 2] = edges[i, 2]
            out[n, 3] = edges[i, 3]
            source[n] = i
            n += 1
    return out[:n], source[:n]
