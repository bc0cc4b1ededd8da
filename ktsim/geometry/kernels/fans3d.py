"""Fans of lines in space: from a point at one height to the facing rim of a convex figure at another.

Pieces are triangles (n, 9) with a code each, in a tree; as everywhere, a piece is crossed when a line of the fan comes
nearer than r. Origins lie on a second figure. Here moving the origin towards the target is not always better, so the
search runs over the whole figure and not only over its rim.
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit

from . import OPTIONS
from .planar import TAU, gap, rim, tangents
from .primitives import segment_from_triangle
from .queries import DEPTH, _enter, _inverse

FINEST = 0.08
"""How finely a triangle is cut along a zone's curved border before the border is taken as straight (inches): it bends
by at most FINEST^2 / 8 = 0.0008 inch, a fiftieth of a millimetre, over such a stretch."""


@njit(**OPTIONS)
def _apart(fig, z, x, y, h):
    """Distance of a point in space from the flat figure at height z."""
    g, _a = gap(fig, x, y)
    if g < 0.0:
        g = 0.0
    return math.sqrt(g * g + (h - z) ** 2)


@njit(**OPTIONS)
def _keep_polygon(v, d, limit, within, out, n):
    """Add the part of triangle v (3, 3) where d (linear, given at the corners) is within (or beyond) *limit*."""
    poly = np.empty((4, 3))
    m = 0
    for k in range(3):
        j = (k + 1) % 3
        a = d[k] <= limit if within else d[k] > limit
        b = d[j] <= limit if within else d[j] > limit
        if a:
            for c in range(3):
                poly[m, c] = v[k, c]
            m += 1
        if a != b:
            t = (limit - d[k]) / (d[j] - d[k])
            for c in range(3):
                poly[m, c] = v[k, c] + t * (v[j, c] - v[k, c])
            m += 1
    for k in range(1, m - 1):
        for c in range(3):
            out[n, c] = poly[0, c]
            out[n, 3 + c] = poly[k, c]
            out[n, 6 + c] = poly[k + 1, c]
        n += 1
    return n


@njit(**OPTIONS)
def cut_triangles(tris, fig, z, limit, within):
    """The parts of triangles within (or beyond) *limit* of the flat figure at height z -> triangles, source index."""
    cap = max(256, 4 * tris.shape[0])
    out = np.empty((cap, 9))
    source = np.empty(cap, np.int64)
    n = 0
    stack = np.empty((256, 9))
    v = np.empty((3, 3))
    d = np.empty(3)
    for i in range(tris.shape[0]):
        stack[0] = tris[i]
        sp = 1
        while sp > 0:
            sp -= 1
            t = stack[sp].copy()
            cx = (t[0] + t[3] + t[6]) / 3.0
            cy = (t[1] + t[4] + t[7]) / 3.0
            cz = (t[2] + t[5] + t[8]) / 3.0
            size = 0.0
            inside = 0
            for k in range(3):
                size = max(size, (t[3 * k] - cx) ** 2 + (t[3 * k + 1] - cy) ** 2 + (t[3 * k + 2] - cz) ** 2)
                d[k] = _apart(fig, z, t[3 * k], t[3 * k + 1], t[3 * k + 2])
                if d[k] <= limit:
                    inside += 1
            size = math.sqrt(size)
            whole = 0  # 1: all of it within, 2: all beyond
            if inside == 3:
                whole = 1  # the zone is convex
            elif inside == 0 and _apart(fig, z, cx, cy, cz) - size > limit:
                whole = 2
            if n + 8 > out.shape[0]:
                more = np.empty((2 * out.shape[0], 9))
                more[:n] = out[:n]
                out = more
                names = np.empty(2 * source.shape[0], np.int64)
                names[:n] = source[:n]
                source = names
            if whole > 0:
                if (whole == 1) == within:
                    out[n] = t
                    source[n] = i
                    n += 1
                continue
            if size <= FINEST:
                for k in range(3):
                    for c in range(3):
                        v[k, c] = t[3 * k + c]
                m = _keep_polygon(v, d, limit, within, out, n)
                for k in range(n, m):
                    source[k] = i
                n = m
                continue
            if sp + 4 > 256:
                continue
            for q in range(4):
                for c in range(3):
                    a = t[c]
                    b = t[3 + c]
                    e = t[6 + c]
                    ab = 0.5 * (a + b)
                    be = 0.5 * (b + e)
                    ea = 0.5 * (e + a)
                    stack[sp + q, c] = a if q == 0 else (ea if q == 2 else ab)
                    stack[sp + q, 3 + c] = ab if q == 0 else (b if q == 1 else be)
                    stack[sp + q, 6 + c] = be if q == 1 else (e if q == 2 else ea)
            sp += 4
    return out[:n].copy(), source[:n].copy()


@njit(**OPTIONS)
def triangles_near(nodes, links, tris, labels, root, ox, oy, oz, dx, dy, dz, r):
    """The triangles of a tree nearer than *r* to the segment ``o + t d``, and their labels."""
    stack = np.empty(DEPTH, np.int32)
    out = np.empty((64, 9))
    names = np.empty(64, np.int32)
    n = 0
    ix = _inverse(dx)
    iy = _inverse(dy)
    iz = _inverse(dz)
    r2 = r * r
    sp = 1
    stack[0] = root
    while sp > 0:
        sp -= 1
        i = stack[sp]
        if _enter(nodes, i, ox, oy, oz, ix, iy, iz, r, 1.0) > 1.0:
            continue
        c = links[i, 1]
        if c == 0:
            stack[sp] = links[i, 0]
            stack[sp + 1] = links[i, 0] + 1
            sp += 2
            continue
        for j in range(links[i, 0], links[i, 0] + c):
            d2, _s = segment_from_triangle(ox, oy, oz, dx, dy, dz, tris[j], r2)
            if d2 < r2:
                if n == out.shape[0]:
                    more = np.empty((2 * n, 9))
                    more[:n] = out
                    out = more
                    longer = np.empty(2 * n, np.int32)
                    longer[:n] = names
                    names = longer
                out[n] = tris[j]
                names[n] = labels[j]
                n += 1
    return out[:n].copy(), names[:n].copy()


@njit(**OPTIONS)
def crossed3(px, py, pz, T, tz, nodes, links, tris, codes, r, whole, finest, hit, line, asked, enough):
    """Set hit[k] for the pieces k with asked[k] that the fan from p crosses; line[k] = distance, parameter, end x,
    end y, and how squarely that end faces p (inches p may move before the end stops facing it). With *enough* >= 0 it
    stops at the first crossing that all origins within *enough* of p share."""
    K = hit.shape[0]
    hit[:] = False
    possible = np.zeros(K, np.bool_)
    stack = np.empty(DEPTH, np.int32)
    d, _at = gap(T, px, py)
    a0 = 0.0
    a1 = TAU
    if not whole and d > 0.0:
        _ok, a0, a1 = tangents(T, px, py, 0.0)
    arcs = np.empty((96, 2))
    parts = 4
    for i in range(parts):
        arcs[i, 0] = a0 + (a1 - a0) * i / parts
        arcs[i, 1] = a0 + (a1 - a0) * (i + 1) / parts
    n = parts
    while n > 0:
        n -= 1
        b0 = arcs[n, 0]
        b1 = arcs[n, 1]
        am = 0.5 * (b0 + b1)
        nx = math.cos(am)
        ny = math.sin(am)
        ex, ey = rim(T, nx, ny)
        s = 0.0
        for side in range(2):
            a = b0 if side == 0 else b1
            qx, qy = rim(T, math.cos(a), math.sin(a))
            s = max(s, (qx - ex) ** 2 + (qy - ey) ** 2)
        s = math.sqrt(s)
        facing = 1e300 if whole or d <= 0.0 else nx * (px - ex) + ny * (py - ey)
        dx = ex - px
        dy = ey - py
        dz = tz - pz
        ix = _inverse(dx)
        iy = _inverse(dy)
        iz = _inverse(dz)
        reach = r + s
        reach2 = reach * reach
        r2 = r * r
        possible[:] = False
        sp = 0
        i = 0
        if _enter(nodes, 0, px, py, pz, ix, iy, iz, reach, 1.0) <= 1.0:
            sp = 1
            stack[0] = 0
        while sp > 0:
            sp -= 1
            i = stack[sp]
            c = links[i, 1]
            if c == 0:
                l = links[i, 0]
                if _enter(nodes, l, px, py, pz, ix, iy, iz, reach, 1.0) <= 1.0:
                    stack[sp] = l
                    sp += 1
                if _enter(nodes, l + 1, px, py, pz, ix, iy, iz, reach, 1.0) <= 1.0:
                    stack[sp] = l + 1
                    sp += 1
                continue
            for j in range(links[i, 0], links[i, 0] + c):
                k = codes[j]
                if hit[k] or not asked[k]:
                    continue
                d2, u = segment_from_triangle(px, py, pz, dx, dy, dz, tris[j], reach2)
                if d2 < r2:
                    hit[k] = True
                    line[k, 0] = math.sqrt(d2)
                    line[k, 1] = u
                    line[k, 2] = ex
                    line[k, 3] = ey
                    line[k, 4] = facing
                    if enough >= 0.0 and facing >= enough and line[k, 0] + enough * (1.0 - u) < r:
                        return
                elif d2 < reach2:
                    possible[k] = True
        if s <= finest or n + 2 > 96:
            continue
        for k in range(K):
            if possible[k] and not hit[k]:
                arcs[n, 0] = b0
                arcs[n, 1] = am
                arcs[n + 1, 0] = am
                arcs[n + 1, 1] = b1
                n += 2
                break


@njit(**OPTIONS)
def _origin(S, angle, scale):
    x, y = rim(S, math.cos(angle), math.sin(angle))
    return S[0] + scale * (x - S[0]), S[1] + scale * (y - S[1])


@njit(**OPTIONS)
def sample3(points, pz, T, tz, nodes, links, tris, codes, K, r, whole, finest):
    """What the fan crosses from each of *points* (n, 2): (n, K) bool."""
    hits = np.empty((points.shape[0], K), np.bool_)
    line = np.empty((K, 5))
    asked = np.ones(K, np.bool_)
    for i in range(points.shape[0]):
        crossed3(
            points[i, 0],
            points[i, 1],
            pz,
            T,
            tz,
            nodes,
            links,
            tris,
            codes,
            r,
            whole,
            finest,
            hits[i],
            line,
            asked,
            -1.0,
        )
    return hits


@njit(**OPTIONS)
def free_origin(S, sz, T, tz, nodes, links, tris, codes, r, whole, forbidden, finest, smallest, budget, out):
    """Is there an origin of S whose fan crosses none of the forbidden pieces? 1: yes, at out[0:2]; 0: proved there is
    none, but for spots smaller than *smallest*; 2: undecided within *budget* origins."""
    K = forbidden.shape[0]
    hit = np.empty(K, np.bool_)
    line = np.empty((K, 5))
    cap = 4096
    cells = np.empty((cap, 4))
    start = math.atan2(T[1] - S[1], T[0] - S[0])
    head = 0
    tail = 0
    for i in range(6):
        cells[tail, 0] = start + TAU * (i - 0.5) / 6
        cells[tail, 1] = start + TAU * (i + 0.5) / 6
        cells[tail, 2] = 0.0
        cells[tail, 3] = 1.0
        tail += 1
    looked = 0
    while head < tail:
        a0 = cells[head % cap, 0]
        a1 = cells[head % cap, 1]
        l0 = cells[head % cap, 2]
        l1 = cells[head % cap, 3]
        head += 1
        am = 0.5 * (a0 + a1)
        lm = 0.5 * (l0 + l1)
        px, py = _origin(S, am, lm)
        s = 0.0
        for q in range(9):  # corners and middles of the cell's sides: its farthest points
            x, y = _origin(S, a0 + (a1 - a0) * (q % 3) / 2.0, l0 + (l1 - l0) * (q // 3) / 2.0)
            s = max(s, (x - px) ** 2 + (y - py) ** 2)
        s = math.sqrt(s)
        looked += 1
        crossed3(px, py, sz, T, tz, nodes, links, tris, codes, r, whole, finest, hit, line, forbidden, s)
        free = True
        closed = False
        for k in range(K):
            if forbidden[k] and hit[k]:
                free = False
                if line[k, 0] + s * (1.0 - line[k, 1]) < r and line[k, 4] >= s:
                    closed = True
        if free:
            out[0] = px
            out[1] = py
            return 1
        if closed:
            continue
        if l1 == 1.0:  # the rim is where the last free origins are
            px, py = _origin(S, am, 1.0)
            crossed3(px, py, sz, T, tz, nodes, links, tris, codes, r, whole, finest, hit, line, forbidden, 0.0)
            free = True
            for k in range(K):
                if forbidden[k] and hit[k]:
                    free = False
            if free:
                out[0] = px
                out[1] = py
                return 1
        if s <= smallest:
            continue
        if looked >= budget or tail - head > cap - 4:
            return 2
        e0x, e0y = _origin(S, a0, lm)
        e1x, e1y = _origin(S, a1, lm)
        r0x, r0y = _origin(S, am, l0)
        r1x, r1y = _origin(S, am, l1)
        if (e0x - e1x) ** 2 + (e0y - e1y) ** 2 > (r0x - r1x) ** 2 + (r0y - r1y) ** 2:
            cells[tail % cap, 0] = a0
            cells[tail % cap, 1] = am
            cells[tail % cap, 2] = l0
            cells[tail % cap, 3] = l1
            tail += 1
            cells[tail % cap, 0] = am
            cells[tail % cap, 1] = a1
            cells[tail % cap, 2] = l0
            cells[tail % cap, 3] = l1
            tail += 1
        else:
            cells[tail % cap, 0] = a0
            cells[tail % cap, 1] = a1
            cells[tail % cap, 2] = lm
            cells[tail % cap, 3] = l1
            tail += 1
            cells[tail % cap, 0] = a0
            cells[tail % cap, 1] = a1
            cells[tail % cap, 2] = l0
            cells[tail % cap, 3] = lm
            tail += 1
    return 0
