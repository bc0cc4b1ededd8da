"""Fans of lines in space: from a point at one height to the facing rim of a convex figure at another.

What they may cross are pieces made of triangles; as everywhere, a piece is crossed when a line of the fan comes nearer
than r. Origins lie on a second figure. Here moving the origin towards the target is not always better, so the search
runs over the whole figure and not only over its rim.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ktsim.geometry.kernels import inner, kernel, lean
from ktsim.geometry.kernels.cones import bounds, box_apart, triangle_apart
from ktsim.geometry.kernels.planar import TAU, gap, rim, support, tangents
from ktsim.geometry.kernels.primitives import inverse, segment_from_triangle
from ktsim.geometry.kernels.queries import DEPTH, _enter

ARCS = 4
"""Stretches of rim a fan is first cut into."""
DEEPEST = 16
"""How often they are halved at most."""
ENDS = 8
"""Ends looked at for one that closes a cell of origins."""
HINTS = 16
"""Ends and shapes that closed cells before, tried first on the next."""
QUEUE = 4096


class Pieces(NamedTuple):
    """The triangles of all pieces, each with the code of its piece and the convex shape it is part of, in a tree whose
    leaves list them through *order*; and the shapes in a tree of their own.

    A shape (a row of *shapes*) is a triangle, two planes (n, c) and a distance: what of the triangle has n . x >= c and
    is within that distance of the figure *near* at the target's height. Its triangles are those from *first* to *last*.
    """

    nodes: NDArray[np.float64]
    links: NDArray[np.int32]
    order: NDArray[np.int64]
    tris: NDArray[np.float64]
    codes: NDArray[np.int64]
    shape_nodes: NDArray[np.float64]
    shape_links: NDArray[np.int32]
    shape_order: NDArray[np.int64]
    shapes: NDArray[np.float64]
    first: NDArray[np.int64]
    last: NDArray[np.int64]
    shape_of: NDArray[np.int64]
    near: NDArray[np.float64]


@kernel
def room(pieces):
    """Room to work in for ``crossed3``: a list of triangles for every halving."""
    return np.empty((DEEPEST + 2) * pieces.tris.shape[0], np.int32)


@inner
def _facing(T, px, py, whole):
    """The angles between which the rim of T faces p."""
    if whole:
        return 0.0, TAU
    found, a0, a1 = tangents(T, px, py, 0.0)
    if not found:
        return 0.0, TAU
    return a0, a1


@kernel
def crossed3(px, py, pz, T, tz, pieces, r, whole, finest, asked, first, hit, line, listed):
    """Set hit[k] for the pieces k with asked[k] that the fan from p crosses; line[k] = parameter, end x, end y, the
    end's normal x, y, and the triangle. With *first* it stops at the first crossing. Returns the last piece found, or
    -1. *listed*: see ``room``."""
    nodes, links, order, tris, codes = pieces[:5]
    hit[:] = False
    left = 0
    for k in range(hit.shape[0]):
        if asked[k]:
            left += 1
    found = -1
    if left == 0:
        return found
    stack = np.empty(DEPTH, np.int32)
    body = np.empty((5, 3))
    axes = np.empty((5, 5))
    arcs = np.empty((ARCS + DEEPEST + 2, 2))
    lists = np.empty((ARCS + DEEPEST + 2, 2), np.int64)
    a0, a1 = _facing(T, px, py, whole)
    for i in range(ARCS):
        arcs[i, 0] = a0 + (a1 - a0) * i / ARCS
        arcs[i, 1] = a0 + (a1 - a0) * (i + 1) / ARCS
        lists[i, 0] = -1
        lists[i, 1] = 0
    n = ARCS
    r2 = r * r
    dz = tz - pz
    while n > 0:
        n -= 1
        b0 = arcs[n, 0]
        b1 = arcs[n, 1]
        i = lists[n, 0]
        end = lists[n, 1]
        ex, ey, nx, ny, s = bounds(px, py, pz, T, tz, b0, b1, r, body, axes)
        dx = ex - px
        dy = ey - py
        reach2 = (r + s) ** 2
        top = end
        sp = 0
        leaf = 0
        leaf_end = 0
        by_tree = i < 0
        if by_tree and not box_apart(nodes, 0, axes):
            stack[0] = 0
            sp = 1
        while True:
            # the next triangle: of the list of the stretch this one is part of, or of the tree
            if by_tree:
                if leaf == leaf_end:
                    if sp == 0:
                        break
                    sp -= 1
                    m = stack[sp]
                    c = links[m, 1]
                    if c > 0:
                        leaf = links[m, 0]
                        leaf_end = leaf + c
                    else:
                        for q in range(links[m, 0], links[m, 0] + 2):
                            if not box_apart(nodes, q, axes):
                                stack[sp] = q
                                sp += 1
                    continue
                j = order[leaf]
                leaf += 1
            else:
                if i == end:
                    break
                j = listed[i]
                i += 1
            k = codes[j]
            if hit[k] or not asked[k] or triangle_apart(tris[j], axes, body, r):
                continue
            d2, u = segment_from_triangle(px, py, pz, dx, dy, dz, tris[j], reach2)
            if d2 < r2:
                hit[k] = True
                line[k, 0] = u
                line[k, 1] = ex
                line[k, 2] = ey
                line[k, 3] = nx
                line[k, 4] = ny
                line[k, 5] = j
                found = k
                left -= 1
                if first or left == 0:
                    return found
            elif d2 < reach2:
                listed[top] = j
                top += 1
        if s <= finest or n + 2 > arcs.shape[0] or 2 * top - end > listed.shape[0]:
            continue
        for i in range(end, top):
            if not hit[codes[listed[i]]]:
                am = 0.5 * (b0 + b1)
                arcs[n, 0] = b0
                arcs[n, 1] = am
                arcs[n + 1, 0] = am
                arcs[n + 1, 1] = b1
                lists[n, 0] = end
                lists[n, 1] = top
                lists[n + 1, 0] = end
                lists[n + 1, 1] = top
                n += 2
                break
    return found


@kernel
def sample3(points, pz, T, tz, pieces, asked, r, whole, finest):
    """What of the pieces asked for the fan crosses from each of *points* (n, 2): (n, K) bool."""
    K = asked.shape[0]
    hits = np.empty((points.shape[0], K), np.bool_)
    line = np.empty((K, 6))
    listed = room(pieces)
    for i in range(points.shape[0]):
        crossed3(points[i, 0], points[i, 1], pz, T, tz, pieces, r, whole, finest, asked, False, hits[i], line, listed)
    return hits


# ---- origins from which nothing forbidden is crossed ----


@lean
def _origin(S, angle, scale):
    x, y = rim(S, math.cos(angle), math.sin(angle))
    return S[0] + scale * (x - S[0]), S[1] + scale * (y - S[1])


@lean
def _corners(S, a0, a1, l0, l1, out):
    """Five points whose hull holds the cell of S between two angles and two scales."""
    out[0, 0], out[0, 1] = _origin(S, a0, l0)
    out[1, 0], out[1, 1] = _origin(S, a1, l0)
    out[2, 0], out[2, 1] = _origin(S, a0, l1)
    out[3, 0], out[3, 1] = _origin(S, a1, l1)
    # where the tangents meet
    c0 = math.cos(a0)
    s0 = math.sin(a0)
    c1 = math.cos(a1)
    s1 = math.sin(a1)
    h0 = support(S, c0, s0)
    h1 = support(S, c1, s1)
    det = c0 * s1 - s0 * c1
    out[4, 0] = S[0] + l1 * ((h0 * s1 - h1 * s0) / det - S[0])
    out[4, 1] = S[1] + l1 * ((c0 * h1 - c1 * h0) / det - S[1])


@inner
def _meets(px, py, sz, ex, ey, tz, pieces, r, g):
    """Does the line from p to the end e come nearer than r to shape g?"""
    r2 = r * r
    dx = ex - px
    dy = ey - py
    dz = tz - sz
    t = pieces.shapes[g]
    d2, u = segment_from_triangle(px, py, sz, dx, dy, dz, t, r2)
    if d2 >= r2:
        return False
    x = px + u * dx
    y = py + u * dy
    z = sz + u * dz
    # how far outside the shape's limits the line is there, and the way out
    outside = -1e300
    wx = 0.0
    wy = 0.0
    wz = 0.0
    for k in range(9, 17, 4):
        # a plane that is none leaves everything inside
        none = t[k] == 0.0 and t[k + 1] == 0.0 and t[k + 2] == 0.0
        h = t[k + 3] - t[k] * x - t[k + 1] * y - t[k + 2] * z
        if h > outside and not none:
            outside = h
            wx = -t[k]
            wy = -t[k + 1]
            wz = -t[k + 2]
    if t[17] < 1e300:
        h, at = gap(pieces.near, x, y)
        h = max(h, 0.0)
        apart = math.sqrt(h * h + (z - tz) ** 2)
        if apart > 0.0 and apart - t[17] > outside:
            outside = apart - t[17]
            wx = h / apart * math.cos(at)
            wy = h / apart * math.sin(at)
            wz = (z - tz) / apart
    if outside + math.sqrt(d2) <= 0.0:
        return True
    if d2 == 0.0 and _is_out(t, dx, dy, dz, wx, wy, wz, r, outside):
        return False
    for j in range(pieces.first[g], pieces.last[g]):
        d2, _u = segment_from_triangle(px, py, sz, dx, dy, dz, pieces.tris[j], r2)
        if d2 < r2:
            return True
    return False


@lean
def _is_out(t, dx, dy, dz, wx, wy, wz, r, outside):
    """A line d crosses the plane of triangle t at a point that is *outside* a convex limit, whose way out is w there:
    are all points of the plane within r of the line outside it? They form an ellipse."""
    nx = (t[4] - t[1]) * (t[8] - t[2]) - (t[5] - t[2]) * (t[7] - t[1])
    ny = (t[5] - t[2]) * (t[6] - t[0]) - (t[3] - t[0]) * (t[8] - t[2])
    nz = (t[3] - t[0]) * (t[7] - t[1]) - (t[4] - t[1]) * (t[6] - t[0])
    n = math.sqrt(nx * nx + ny * ny + nz * nz)
    l = math.sqrt(dx * dx + dy * dy + dz * dz)
    if n == 0.0 or l == 0.0:
        return False
    nx /= n
    ny /= n
    nz /= n
    across = (nx * dx + ny * dy + nz * dz) / l
    # its long axis a: the line's direction in the plane
    ax = dx / l - across * nx
    ay = dy / l - across * ny
    az = dz / l - across * nz
    a = math.sqrt(ax * ax + ay * ay + az * az)
    flat = wx * nx + wy * ny + wz * nz
    w2 = max(0.0, wx * wx + wy * wy + wz * wz - flat * flat)
    wa = (wx * ax + wy * ay + wz * az) / a if a > 1e-9 else 0.0
    # reach of the ellipse towards the limit: r sqrt(wa^2 / across^2 + (w2 - wa^2))
    return outside * abs(across) > r * math.sqrt(wa * wa + max(0.0, w2 - wa * wa) * across * across)


@lean
def _closes(corners, stacked, sz, tz, pieces, gates, r, ex, ey, nx, ny, g):
    """Does the line to this end cross shape g from everywhere in the hull of the corners?

    The origins from which it comes nearer than r to a convex shape are themselves convex, so the corners decide.
    """
    k = pieces.codes[pieces.first[g]]
    for q in range(corners.shape[0]):
        x = corners[q, 0]
        y = corners[q, 1]
        if gates[k, 3] > 0.0 and gates[k, 0] * x + gates[k, 1] * y >= gates[k, 2]:
            return False
        if not stacked and nx * (x - ex) + ny * (y - ey) < 0.0:
            return False
    q = 0
    while q < corners.shape[0] and _meets(corners[q, 0], corners[q, 1], sz, ex, ey, tz, pieces, r, g):
        q += 1
    return q == corners.shape[0]


@lean
def _is_small(t, sz, tz, wide, r):
    """Is triangle t too small to be crossed from everywhere in a cell that is *wide* across?"""
    u = max((t[2] - sz) / (tz - sz), max((t[5] - sz) / (tz - sz), (t[8] - sz) / (tz - sz)))
    need = wide * (1.0 - u) - 2.0 * r
    if need <= 0.0:
        return False
    longest = 0.0
    for k in range(3):
        j = (k + 1) % 3
        d2 = (t[3 * k] - t[3 * j]) ** 2 + (t[3 * k + 1] - t[3 * j + 1]) ** 2 + (t[3 * k + 2] - t[3 * j + 2]) ** 2
        longest = max(longest, d2)
    return longest < need * need


@inner
def _close(corners, stacked, px, py, sz, T, tz, pieces, gates, r, whole, asked, hint):
    """Tries ends seen from p: is a piece asked for crossed from everywhere in the hull of the corners, and is any
    crossed from p? Returns that piece or -1, and whether. The end that serves is written to *hint*."""
    crossed = False
    wide = 0.0
    for q in range(1, corners.shape[0]):
        wide = max(wide, math.sqrt((corners[q, 0] - corners[0, 0]) ** 2 + (corners[q, 1] - corners[0, 1]) ** 2))
    nodes = pieces.shape_nodes
    links = pieces.shape_links
    a0, a1 = _facing(T, px, py, whole)
    stack = np.empty(DEPTH, np.int32)
    dz = tz - sz
    for q in range(ENDS):
        # from the middle outwards
        step = ENDS // 2 + (q + 1) // 2 * (1 if q % 2 else -1)
        angle = a0 + (a1 - a0) * step / (ENDS + 1)
        nx = math.cos(angle)
        ny = math.sin(angle)
        ex, ey = rim(T, nx, ny)
        dx = ex - px
        dy = ey - py
        ix = inverse(dx)
        iy = inverse(dy)
        iz = inverse(dz)
        stack[0] = 0
        sp = 1
        while sp > 0:
            sp -= 1
            m = stack[sp]
            if _enter(nodes, m, px, py, sz, ix, iy, iz, r, 1.0) > 1.0:
                continue
            c = links[m, 1]
            if c == 0:
                stack[sp] = links[m, 0]
                stack[sp + 1] = links[m, 0] + 1
                sp += 2
                continue
            for i in range(links[m, 0], links[m, 0] + c):
                g = pieces.shape_order[i]
                k = pieces.codes[pieces.first[g]]
                if crossed and _is_small(pieces.shapes[g], sz, tz, wide, r):
                    continue
                if not asked[k] or not _meets(px, py, sz, ex, ey, tz, pieces, r, g):
                    continue
                crossed = True
                if _closes(corners, stacked, sz, tz, pieces, gates, r, ex, ey, nx, ny, g):
                    hint[0] = ex
                    hint[1] = ey
                    hint[2] = nx
                    hint[3] = ny
                    hint[4] = g
                    return k, True
    return -1, crossed


@kernel
def free_origin(S, sz, T, tz, pieces, gates, r, whole, forbidden, finest, smallest, budget, out, used):
    """Is there an origin of S whose fan crosses none of the forbidden pieces? 1: yes, at out[0:2]; 0: proved there is
    none, but for spots smaller than *smallest*, by the pieces marked in *used*; 2: undecided within *budget* cells.

    Cells of S are halved until a line to one end shows for a whole cell that a forbidden piece is crossed.
    """
    K = forbidden.shape[0]
    used[:] = False
    hit = np.empty(K, np.bool_)
    asked = np.empty(K, np.bool_)
    line = np.empty((K, 6))
    listed = room(pieces)
    corners = np.empty((5, 2))
    hints = np.empty((HINTS, 5))
    many = 0
    cells = np.empty((QUEUE, 5))
    start = math.atan2(T[1] - S[1], T[0] - S[0])
    for i in range(6):
        cells[i, 0] = start + TAU * (i - 0.5) / 6
        cells[i, 1] = start + TAU * (i + 0.5) / 6
        cells[i, 2] = 0.0
        cells[i, 3] = 1.0
        cells[i, 4] = 0.0
    head = 0
    tail = 6
    while head < tail:
        a0, a1, l0, l1, rim_looked_at = cells[head % QUEUE]
        head += 1
        _corners(S, a0, a1, l0, l1, corners)
        stacked = True  # the whole rim faces all of it
        for q in range(5):
            if not whole and stacked:
                d, _at = gap(T, corners[q, 0], corners[q, 1])
                stacked = d <= 0.0
        closed = -1
        for q in range(min(many, HINTS)):
            h = hints[(many - 1 - q) % HINTS]
            if _closes(corners, stacked, sz, tz, pieces, gates, r, h[0], h[1], h[2], h[3], int(h[4])):
                closed = pieces.codes[pieces.first[int(h[4])]]
                break
        am = 0.5 * (a0 + a1)
        lm = 0.5 * (l0 + l1)
        for spot in range(2):
            # the rim is where the last free origins are
            if closed >= 0 or (spot == 1 and (l1 < 1.0 or rim_looked_at > 0.0)):
                break
            px, py = _origin(S, am, lm if spot == 0 else 1.0)
            for k in range(K):
                passed = gates[k, 3] > 0.0 and gates[k, 0] * px + gates[k, 1] * py >= gates[k, 2]
                asked[k] = forbidden[k] and not passed
            if spot == 0:
                hint = hints[many % HINTS]
                closed, crossed = _close(corners, stacked, px, py, sz, T, tz, pieces, gates, r, whole, asked, hint)
                if closed >= 0:
                    many += 1
                if crossed:
                    continue
            found = crossed3(px, py, sz, T, tz, pieces, r, whole, finest, asked, True, hit, line, listed)
            if found < 0:
                out[0] = px
                out[1] = py
                return 1
            if spot == 0:
                hint[:] = line[found, 1:]
                hint[4] = pieces.shape_of[int(line[found, 5])]
                if _closes(
                    corners, stacked, sz, tz, pieces, gates, r, hint[0], hint[1], hint[2], hint[3], int(hint[4])
                ):
                    closed = found
                    many += 1
        if closed >= 0:
            used[closed] = True
            continue
        e0x, e0y = _origin(S, a0, lm)
        e1x, e1y = _origin(S, a1, lm)
        r0x, r0y = _origin(S, am, l0)
        r1x, r1y = _origin(S, am, l1)
        wide = math.sqrt((e0x - e1x) ** 2 + (e0y - e1y) ** 2)
        deep = math.sqrt((r0x - r1x) ** 2 + (r0y - r1y) ** 2)
        if max(wide, deep) <= smallest:
            continue
        if head >= budget or tail - head > QUEUE - 4:
            return 2
        for half in range(2):
            row = cells[tail % QUEUE]
            row[:] = (a0, a1, l0, l1, 0.0)
            if wide > deep:
                row[half] = am
            elif half == 0:
                row[2] = lm
                row[4] = 1.0
            else:
                row[3] = lm
            tail += 1
    return 0
