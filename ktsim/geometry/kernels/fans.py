"""Fans of lines from one point to the rim of a convex figure, in the plane: what does a fan cross?

A fan from p to figure T holds the lines to every facing rim point (or, *whole*, to every point of T). What it may
cross are pieces: edges (m, 4) with a code each, the codes numbering the pieces 0..K-1. A piece may have a gate
(nx, ny, c, on): it does not count for origins with n . p >= c.
"""

from __future__ import annotations

import math

import numpy as np

from ktsim.geometry.kernels import inner, kernel, lean
from ktsim.geometry.kernels.apart import edge_from_figure, segments_apart2
from ktsim.geometry.kernels.planar import TAU, gap, line_meets_rim, rim, support, tangents


@lean
def crossed(px, py, T, edges, codes, gates, r, whole, hit, last):
    """Set hit[k] to whether the fan from p to T comes nearer than *r* to piece k. *last* remembers, per piece, an edge
    that was crossed before and is tried first."""
    K = hit.shape[0]
    for k in range(K):
        hit[k] = False
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
                segments_apart2(px, py, t0x, t0y, ax, ay, bx, by) < r2
                or segments_apart2(px, py, t1x, t1y, ax, ay, bx, by) < r2
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


@kernel
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
            d2 = segments_apart2(px, py, ex, ey, x0, y0, x1, y1)
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


@lean
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


@inner
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


@kernel
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


@kernel
def crossings_from(points, T, edges, codes, gates, r, whole):
    """What the fan crosses from each of *points* (n, 2): (n, K) bool."""
    K = gates.shape[0]
    hits = np.empty((points.shape[0], K), np.bool_)
    last = np.full(K, -1, np.int64)
    for i in range(points.shape[0]):
        crossed(points[i, 0], points[i, 1], T, edges, codes, gates, r, whole, hits[i], last)
    return hits
