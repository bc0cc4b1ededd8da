"""Fans of lines from one point to the rim of a convex figure, in the plane: what does a fan cross?

A fan from p to figure T holds the lines to every facing rim point (or, *whole*, to every point of T). What it may
cross are pieces: edges (m, 4) with a code each, the codes numbering the pieces 0..K-1. A piece may have a gate
(nx, ny, c, on): it does not count for origins with n . p >= c.
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit

from ktsim.geometry.kernels import OPTIONS
from ktsim.geometry.kernels.planar import TAU, gap, line_meets_rim, rim, support, tangents


@njit(**OPTIONS)
def _points_apart2(px, py, ax, ay, bx, by):
    ex = bx - ax
    ey = by - ay
    l2 = ex * ex + ey * ey
    t = 0.0
    if l2 > 0.0:
        t = min(1.0, max(0.0, ((px - ax) * ex + (py - ay) * ey) / l2))
    return (px - ax - t * ex) ** 2 + (py - ay - t * ey) ** 2


@njit(**OPTIONS)
def _segments_apart2(ax, ay, bx, by, cx, cy, dx, dy):
    """Squared distance of two segments in the plane."""
    o1 = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax)
    o2 = (bx - ax) * (dy - ay) - (by - ay) * (dx - ax)
    o3 = (dx - cx) * (ay - cy) - (dy - cy) * (ax - cx)
    o4 = (dx - cx) * (by - cy) - (dy - cy) * (bx - cx)
    if ((o1 > 0.0) != (o2 > 0.0)) and ((o3 > 0.0) != (o4 > 0.0)):
        return 0.0
    return min(
        min(_points_apart2(ax, ay, cx, cy, dx, dy), _points_apart2(bx, by, cx, cy, dx, dy)),
        min(_points_apart2(cx, cy, ax, ay, bx, by), _points_apart2(dx, dy, ax, ay, bx, by)),
    )


@njit(**OPTIONS)
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


@njit(**OPTIONS)
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


@njit(**OPTIONS)
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


@njit(**OPTIONS)
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
        d2 = _segments_apart2(sx, sy, tx, ty, edges[i, 0], edges[i, 1], edges[i, 2], edges[i, 3])
        keep[i] = d2 <= wide * wide
    return keep


@njit(**OPTIONS)
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


@njit(**OPTIONS)
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


@njit(**OPTIONS)
def crossed(px, py, T, edges, codes, gates, r, whole, hit, last):
    """Set hit[k] to whether the fan from p to T comes nearer than *r* to piece k. *last* remembers, per piece, an edge
    that was crossed before and is tried first."""
    K = hit.shape[0]
    hit[:] = False
    d, _at = gap(T, px, py)
    inside = d <= 0.0
    n0x = 0.0
    n0y = 0.0
    n1x = 0.0
    n1y = 0.0
    c0 = 0.0
    c1 = 0.0
    t0x = px
    t0y = py
    t1x = px
    t1y = py
    if not inside:
        _ok, a0, a1 = tangents(T, px, py, 0.0)
        n0x = math.cos(a0)
        n0y = math.sin(a0)
        n1x = math.cos(a1)
        n1y = math.sin(a1)
        c0 = support(T, n0x, n0y)
        c1 = support(T, n1x, n1y)
        t0x, t0y = rim(T, n0x, n0y)
        t1x, t1y = rim(T, n1x, n1y)
    r2 = r * r
    for k in range(K):
        if gates[k, 3] > 0.0 and gates[k, 0] * px + gates[k, 1] * py >= gates[k, 2]:
            hit[k] = True  # so that it is passed over below; undone at the end
    for pass_ in range(2):
        m = K if pass_ == 0 else edges.shape[0]
        for n in range(m):
            i = n
            if pass_ == 0:
                i = last[n]
                if i < 0:
                    continue
            k = codes[i]
            if hit[k]:
                continue
            ax = edges[i, 0]
            ay = edges[i, 1]
            bx = edges[i, 2]
            by = edges[i, 3]
            if inside:
                g, _t = edge_from_figure(T, ax, ay, bx, by)
                if g < r:
                    hit[k] = True
                    last[k] = i
                continue
            # wholly beyond one of the two tangent lines
            if n0x * ax + n0y * ay - c0 > r and n0x * bx + n0y * by - c0 > r:
                continue
            if n1x * ax + n1y * ay - c1 > r and n1x * bx + n1y * by - c1 > r:
                continue
            if (
                _segments_apart2(px, py, t0x, t0y, ax, ay, bx, by) < r2
                or _segments_apart2(px, py, t1x, t1y, ax, ay, bx, by) < r2
            ):
                hit[k] = True
                last[k] = i
                continue
            # the part of the edge in the triangle p, t0, t1
            u0 = 0.0
            u1 = 1.0
            for side in range(3):
                if side == 0:
                    ex = px
                    ey = py
                    fx = t0x
                    fy = t0y
                    ox = t1x
                    oy = t1y
                elif side == 1:
                    ex = t0x
                    ey = t0y
                    fx = t1x
                    fy = t1y
                    ox = px
                    oy = py
                else:
                    ex = t1x
                    ey = t1y
                    fx = px
                    fy = py
                    ox = t0x
                    oy = t0y
                sign = (fx - ex) * (oy - ey) - (fy - ey) * (ox - ex)
                va = (fx - ex) * (ay - ey) - (fy - ey) * (ax - ex)
                vb = (fx - ex) * (by - ey) - (fy - ey) * (bx - ex)
                if sign < 0.0:
                    va = -va
                    vb = -vb
                if va < 0.0 and vb < 0.0:
                    u0 = 2.0
                elif va < 0.0:
                    u0 = max(u0, va / (va - vb))
                elif vb < 0.0:
                    u1 = min(u1, va / (va - vb))
            touched = False
            if u0 <= u1:
                if whole:
                    touched = True
                else:
                    g, _a = gap(T, ax + u0 * (bx - ax), ay + u0 * (by - ay))
                    touched = g > 0.0
                    if not touched:
                        g, _a = gap(T, ax + u1 * (bx - ax), ay + u1 * (by - ay))
                        touched = g > 0.0
            if not touched:
                g, _t = edge_from_figure(T, ax, ay, bx, by)
                if whole:
                    touched = g < r
                elif g < 0.0:
                    # inside the target's outline: the ends of the lines reach *r* inwards from the facing rim
                    for e in range(2):
                        x = ax if e == 0 else bx
                        y = ay if e == 0 else by
                        g, at = gap(T, x, y)
                        if -r < g <= 0.0:
                            x, y = rim(T, math.cos(at), math.sin(at))
                            if math.cos(at) * (px - x) + math.sin(at) * (py - y) >= 0.0:
                                touched = True
            if touched:
                hit[k] = True
                last[k] = i
    for k in range(K):
        if gates[k, 3] > 0.0 and gates[k, 0] * px + gates[k, 1] * py >= gates[k, 2]:
            hit[k] = False


@njit(**OPTIONS)
def deepest(px, py, T, edges, whole):
    """Of the lines of the fan from p to T one that crosses the edges best, the outermost last: the line's end and the
    point of it nearest to them (ex, ey, x, y)."""
    first = 0.0
    last = TAU
    d, _at = gap(T, px, py)
    if not whole and d > 0.0:
        _ok, first, last = tangents(T, px, py, 0.0)
    best = 1e300
    bex = px
    bey = py
    bx = px
    by = py
    steps = 128
    for i in range(steps + 1):
        # from the middle outwards
        k = steps // 2 + (i + 1) // 2 * (1 if i % 2 else -1)
        a = first + (last - first) * k / steps
        ex, ey = rim(T, math.cos(a), math.sin(a))
        dx = ex - px
        dy = ey - py
        l2 = dx * dx + dy * dy
        for e in range(edges.shape[0]):
            x0 = edges[e, 0]
            y0 = edges[e, 1]
            x1 = edges[e, 2]
            y1 = edges[e, 3]
            d2 = _segments_apart2(px, py, ex, ey, x0, y0, x1, y1)
            if d2 >= best:
                continue
            best = d2
            bex = ex
            bey = ey
            fx = x1 - x0
            fy = y1 - y0
            cross = dx * fy - dy * fx
            t = 0.0
            if d2 == 0.0 and cross != 0.0:
                t = ((x0 - px) * fy - (y0 - py) * fx) / cross
            elif l2 > 0.0:
                t0 = min(1.0, max(0.0, ((x0 - px) * dx + (y0 - py) * dy) / l2))
                t1 = min(1.0, max(0.0, ((x1 - px) * dx + (y1 - py) * dy) / l2))
                g0 = (px + t0 * dx - x0) ** 2 + (py + t0 * dy - y0) ** 2
                g1 = (px + t1 * dx - x1) ** 2 + (py + t1 * dy - y1) ** 2
                t = t0 if g0 <= g1 else t1
            bx = px + t * dx
            by = py + t * dy
        if best == 0.0:
            break
    return bex, bey, bx, by


@njit(**OPTIONS)
def _near_rim_events(S, x, y, r, ev, n):
    """Angles of the rim of S at distance *r* from a point."""
    steps = 48
    before = 0.0
    for i in range(steps + 1):
        a = TAU * i / steps
        bx, by = rim(S, math.cos(a), math.sin(a))
        f = (bx - x) ** 2 + (by - y) ** 2 - r * r
        if i > 0 and (f > 0.0) != (before > 0.0) and n < ev.shape[0]:
            lo = TAU * (i - 1) / steps
            hi = a
            for _ in range(50):
                mid = 0.5 * (lo + hi)
                bx, by = rim(S, math.cos(mid), math.sin(mid))
                g = (bx - x) ** 2 + (by - y) ** 2 - r * r
                if (g > 0.0) == (before > 0.0):
                    lo = mid
                else:
                    hi = mid
            ev[n] = 0.5 * (lo + hi)
            n += 1
        before = f
    return n


@njit(**OPTIONS)
def events(S, T, edges, gates, r):
    """Every angle of S's rim at which what its fan crosses can change, sorted within one turn, and closed.

    A fan first touches an edge at a corner that lies at distance *r* beyond one of its two tangent lines, or at the
    origin itself.
    """
    m = edges.shape[0]
    ev = np.empty(24 * m + 2 * gates.shape[0] + 8)
    n = 0
    for i in range(m):
        for e in range(2):
            x = edges[i, 2 * e]
            y = edges[i, 2 * e + 1]
            ok, a0, a1 = tangents(T, x, y, r)
            if ok:
                for side in range(2):
                    a = a0 if side == 0 else a1
                    nx = math.cos(a)
                    ny = math.sin(a)
                    met, b0, b1 = line_meets_rim(S, nx, ny, support(T, nx, ny))
                    if met:
                        ev[n] = b0
                        ev[n + 1] = b1
                        n += 2
            g, _a = gap(S, x, y)
            if abs(g) < 2.0 * r:
                n = _near_rim_events(S, x, y, r, ev, n)
        dx = edges[i, 2] - edges[i, 0]
        dy = edges[i, 3] - edges[i, 1]
        l = math.sqrt(dx * dx + dy * dy)
        if l > 0.0:
            g, _t = edge_from_figure(S, edges[i, 0], edges[i, 1], edges[i, 2], edges[i, 3])
            if g < r:
                for side in range(2):
                    nx = -dy / l if side == 0 else dy / l
                    ny = dx / l if side == 0 else -dx / l
                    met, b0, b1 = line_meets_rim(S, nx, ny, nx * edges[i, 0] + ny * edges[i, 1] + r)
                    if met and n + 2 <= ev.shape[0]:
                        ev[n] = b0
                        ev[n + 1] = b1
                        n += 2
    for k in range(gates.shape[0]):
        if gates[k, 3] > 0.0:
            met, b0, b1 = line_meets_rim(S, gates[k, 0], gates[k, 1], gates[k, 2])
            if met and n + 2 <= ev.shape[0]:
                ev[n] = b0
                ev[n + 1] = b1
                n += 2
    start = math.atan2(S[1] - T[1], S[0] - T[0])  # the back of the base: a place where intervals may well be cut
    for i in range(n):
        a = ev[i] - start
        ev[i] = a - TAU * math.floor(a / TAU)
    ev[n] = 0.0
    ev[n + 1] = TAU
    out = np.sort(ev[: n + 2])
    return out + start


@njit(**OPTIONS)
def sweep(S, T, edges, codes, gates, r, whole):
    """What the fan crosses from every origin on S's rim: (angles (n + 1,), crossings (n, K) bool per interval)."""
    K = gates.shape[0]
    angles = events(S, T, edges, gates, r)
    n = angles.shape[0] - 1
    hits = np.empty((n, K), np.bool_)
    last = np.full(K, -1, np.int64)
    ends = np.empty(n + 1)
    ends[0] = angles[0]
    count = 0
    for i in range(n):
        if angles[i + 1] - angles[i] < 1e-11:
            continue
        a = 0.5 * (angles[i] + angles[i + 1])
        px, py = rim(S, math.cos(a), math.sin(a))
        crossed(px, py, T, edges, codes, gates, r, whole, hits[count], last)
        same = count > 0
        for k in range(K):
            if same and hits[count, k] != hits[count - 1, k]:
                same = False
        if same:
            ends[count] = angles[i + 1]
        else:
            count += 1
            ends[count] = angles[i + 1]
    return ends[: count + 1].copy(), hits[:count].copy()


@njit(**OPTIONS)
def crossings_from(points, T, edges, codes, gates, r, whole):
    """What the fan crosses from each of *points* (n, 2): (n, K) bool."""
    K = gates.shape[0]
    hits = np.empty((points.shape[0], K), np.bool_)
    last = np.full(K, -1, np.int64)
    for i in range(points.shape[0]):
        crossed(points[i, 0], points[i, 1], T, edges, codes, gates, r, whole, hits[i], last)
    return hits
