"""Can a surface be seen from a ball? A complete search that ends in a witness line or in a proof.

Lines run from the ball to the surface. Cut where they leave the ball they are clear if they were before, so a line
may be named by where it crosses the window, a plane touching the ball on the surface's side, and where it ends. Cells
are pairs (rectangle of the window, patch of the surface). A cell is proved blocked, or gives a witness, or is split.
What proves it:

* one part that all its lines meet, or come nearer to than r: see ``silhouettes``;
* tapered: an obstacle point at distance d from the middle line at parameter u with d + s0 (1 - u) + s1 u < r, where
  the ends of the cell's lines are at most s0 and s1 from those of the middle one.

Cells are split where the outline of the part that is most in the way sticks out most, so along a slit they grow long
and thin and few are needed. Cells in which no line is clear by more than the resolution are left at that.
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit

from . import OPTIONS
from .primitives import closest_on_triangle, segment_hits_triangle
from .queries import (
    DEPTH,
    _enter,
    _far,
    _inverse,
    _local,
    blocked,
    clearance,
    crosses,
    depth,
    first_hit,
    tapered,
    tree_first,
)
from .silhouettes import PLANES, bound, clip, drawn_in, into_window, may_turn, outlines, sticks_out
from .slices import AXES, crossing, cut, plane_through

ROW = 16
"""A cell: 0-3 a rectangle of the window, low and high across it both ways; 4 the node of the surface's tree, or -1 for
a triangle; 5-13 that triangle's corners in the window's coordinates; 14-15 the outlines that may matter, a range of the
pool."""
CELLS = 4096
"""Cells kept for the next finer pass."""
PUSHES = 40
"""How often one search tries to mend a line that is nearly clear."""
MET = 8
"""Parts on one line that are considered."""
SLACK = 0.99
"""By how much of r cells are drawn in; the rest is for rounding and for welded corners."""


@njit(**OPTIONS)
def _place(pose, x, y, z):
    return x * pose[3] - y * pose[4] + pose[0], x * pose[4] + y * pose[3] + pose[1], z + pose[2]


@njit(**OPTIONS)
def _mend(F, act, stack, nodes, links, tris, pose, ball, line, r):
    """Push a nearly clear line away from what blocks it, until it is clear (True, *line* changed) or given up.

    Each step moves both ends as little as possible so that the offending point of the line gets its distance; the
    origin is kept in the ball, and the far end is wherever the line meets the surface.
    """
    hx = line[0]
    hy = line[1]
    hz = line[2]
    px = line[3]
    py = line[4]
    pz = line[5]
    goal = r * (1.0 + 1e-4)
    for _ in range(60):
        gx = hx - ball[0]
        gy = hy - ball[1]
        gz = hz - ball[2]
        out = math.sqrt(gx * gx + gy * gy + gz * gz)
        if out > ball[3]:
            back = ball[3] / out
            hx = ball[0] + gx * back
            hy = ball[1] + gy * back
            hz = ball[2] + gz * back
        d, u, j, k = clearance(F, act, stack, hx, hy, hz, px - hx, py - hy, pz - hz, goal)
        if j < 0:
            # clear: now the end must be on the surface
            c = pose[3]
            s = pose[4]
            ox = hx - pose[0]
            oy = hy - pose[1]
            ex = (px - hx) * 1.5
            ey = (py - hy) * 1.5
            t, tri = tree_first(
                nodes, links, tris, F.labels, -2, 0, stack,
                ox * c + oy * s, oy * c - ox * s, hz - pose[2], ex * c + ey * s, ey * c - ex * s, (pz - hz) * 1.5,
                1.0 + 1e-12,
            )  # fmt: skip
            if tri < 0:
                return False
            px = hx + t * ex
            py = hy + t * ey
            pz = hz + t * (pz - hz) * 1.5
            if blocked(F, act, stack, hx, hy, hz, px - hx, py - hy, pz - hz, r):
                return False
            line[0] = hx
            line[1] = hy
            line[2] = hz
            line[3] = px
            line[4] = py
            line[5] = pz
            return True
        if d <= 1e-9:
            return False
        ax = hx + u * (px - hx)
        ay = hy + u * (py - hy)
        az = hz + u * (pz - hz)
        c = F.place[k, 3]
        s = F.place[k, 4]
        wx = ax - F.place[k, 0]
        wy = ay - F.place[k, 1]
        qx, qy, qz = closest_on_triangle(wx * c + wy * s, wy * c - wx * s, az - F.place[k, 2], F.tris[j])
        nx = ax - (qx * c - qy * s + F.place[k, 0])
        ny = ay - (qx * s + qy * c + F.place[k, 1])
        nz = az - (qz + F.place[k, 2])
        n = math.sqrt(nx * nx + ny * ny + nz * nz)
        if n <= 1e-12:
            return False
        move = (goal - d) * 1.02 / n / ((1.0 - u) ** 2 + u * u)
        hx += move * (1.0 - u) * nx
        hy += move * (1.0 - u) * ny
        hz += move * (1.0 - u) * nz
        px += move * u * nx
        py += move * u * ny
        pz += move * u * nz
    return False


@njit(**OPTIONS)
def probe(F, act, probes, pose, ball, r, out):
    """Try lines from the ball's centre, top and sides to the probe points. True with the line in out[0:6]."""
    stack = np.empty(DEPTH, np.int32)
    bx = pose[0] - ball[0]
    by = pose[1] - ball[1]
    flat = math.sqrt(bx * bx + by * by)
    for spot in range(4):
        hx = ball[0]
        hy = ball[1]
        hz = ball[2]
        if spot == 1:
            hz += ball[3]
        elif spot >= 2:
            if flat == 0.0:
                break
            side = ball[3] if spot == 2 else -ball[3]
            hx -= side * by / flat
            hy += side * bx / flat
        if spot > 0 and ball[3] == 0.0:
            break
        for i in range(probes.shape[0]):
            x, y, z = _place(pose, probes[i, 0], probes[i, 1], probes[i, 2])
            if not blocked(F, act, stack, hx, hy, hz, x - hx, y - hy, z - hz, r):
                out[0] = hx
                out[1] = hy
                out[2] = hz
                out[3] = x
                out[4] = y
                out[5] = z
                return True
    return False


@njit(**OPTIONS)
def guess(F, act, links, nodes, tris, probes, pose, ball, r, tries, out):
    """Thin lines from spots all over the ball to spots all over the surface; those that get through are widened to
    radius *r* where that is possible. Finds slits and loopholes. True with the line in out[0:6]."""
    stack = np.empty(DEPTH, np.int32)
    line = np.empty(6)
    mended = 0
    a = 0.5
    b = 0.5
    c = 0.5
    d = 0.5
    n = tris.shape[0]
    for i in range(tries):
        # a sequence that fills the square evenly: multiples of roots of x^5 = x + 1, modulo 1
        a = (a + 0.8566748838545029) % 1.0
        b = (b + 0.7338918566271260) % 1.0
        c = (c + 0.6287067210378087) % 1.0
        d = (d + 0.5385972572236101) % 1.0
        hz = 2.0 * a - 1.0
        flat = math.sqrt(max(0.0, 1.0 - hz * hz))
        hx = ball[0] + ball[3] * flat * math.cos(6.283185307179586 * b)
        hy = ball[1] + ball[3] * flat * math.sin(6.283185307179586 * b)
        hz = ball[2] + ball[3] * hz
        if i % 2 == 0:
            j = (i // 2) % probes.shape[0]
            x, y, z = _place(pose, probes[j, 0], probes[j, 1], probes[j, 2])
        else:
            j = int(c * n)
            e = d if d < 0.5 else 1.0 - d
            x, y, z = _place(
                pose,
                tris[j, 0] * (1.0 - 2.0 * e) + (tris[j, 3] + tris[j, 6]) * e,
                tris[j, 1] * (1.0 - 2.0 * e) + (tris[j, 4] + tris[j, 7]) * e,
                tris[j, 2] * (1.0 - 2.0 * e) + (tris[j, 5] + tris[j, 8]) * e,
            )
        _t, hit, _k = first_hit(F, act, stack, hx, hy, hz, x - hx, y - hy, z - hz)
        if hit >= 0:
            continue
        line[0] = hx
        line[1] = hy
        line[2] = hz
        line[3] = x
        line[4] = y
        line[5] = z
        mended += 1
        if _mend(F, act, stack, nodes, links, tris, pose, ball, line, r):
            for q in range(6):
                out[q] = line[q]
            return True
        if mended >= 40:
            return False
    return False


@njit(**OPTIONS)
def _along(w, size, dp, dq, dw):
    """Length of an edge measured mostly along w; the rest keeps cells from being cut in one direction for ever."""
    l = math.sqrt(dp * dp + dq * dq + dw * dw)
    return l if size == 0.0 else 0.1 * l + abs(w[0] * dp + w[1] * dq) / size


@njit(**OPTIONS)
def _box_corners(turn, box, far):
    for e in range(8):
        x = box[0] if e & 1 else box[3]
        y = box[1] if e & 2 else box[4]
        z = box[2] if e & 4 else box[5]
        for c in range(3):
            far[e, c] = turn[c, 0] * x + turn[c, 1] * y + turn[c, 2] * z + turn[c, 3]


@njit(**OPTIONS)
def _around(far, count, box):
    """Middle and half-widths of the box around points."""
    for c in range(3):
        low = far[0, c]
        high = far[0, c]
        for f in range(1, count):
            low = min(low, far[f, c])
            high = max(high, far[f, c])
        box[c] = 0.5 * (low + high)
        box[3 + c] = 0.5 * (high - low)


@njit(**OPTIONS)
def _turned_away(row, behind, radius):
    """Is a cell's triangle turned away from all of the ball? *behind*: how far along w its centre is."""
    nx = (row[9] - row[6]) * (row[13] - row[7]) - (row[10] - row[7]) * (row[12] - row[6])
    ny = (row[10] - row[7]) * (row[11] - row[5]) - (row[8] - row[5]) * (row[13] - row[7])
    nz = (row[8] - row[5]) * (row[12] - row[6]) - (row[9] - row[6]) * (row[11] - row[5])
    away = nx * row[5] + ny * row[6] + nz * (row[7] - behind)
    return away > radius * math.sqrt(nx * nx + ny * ny + nz * nz)


@njit(**OPTIONS)
def _towards(F, j, k, win, ax, ay, az, dx, dy, dz, u):
    """The way across the window that brings the line a + t d, seen along itself, from its point at *u* to the nearest
    point of triangle *j* of instance *k*."""
    x = ax + u * dx
    y = ay + u * dy
    z = az + u * dz
    c = F.place[k, 3]
    s = F.place[k, 4]
    wx = x - F.place[k, 0]
    wy = y - F.place[k, 1]
    qx, qy, qz = closest_on_triangle(wx * c + wy * s, wy * c - wx * s, z - F.place[k, 2], F.tris[j])
    gx = qx * c - qy * s + F.place[k, 0] - x
    gy = qx * s + qy * c + F.place[k, 1] - y
    gz = qz + F.place[k, 2] - z
    along = dx * win[10] + dy * win[11] + dz * win[12]
    if along > 1e-12:
        back = (gx * win[10] + gy * win[11] + gz * win[12]) / along
        gx -= back * dx
        gy -= back * dy
        gz -= back * dz
    return gx * win[3] + gy * win[4] + gz * win[5], gx * win[6] + gy * win[7] + gz * win[8]


@njit(**OPTIONS)
def _window(sph, pose, ball):
    """The window: its middle (3), two directions across it (3 each), its half-width, and the way to the surface (3)."""
    w = np.empty(13)
    x, y, z = _place(pose, sph[0, 0], sph[0, 1], sph[0, 2])
    wx = x - ball[0]
    wy = y - ball[1]
    wz = z - ball[2]
    far = math.sqrt(wx * wx + wy * wy + wz * wz)
    if far < 1e-9:
        wx = 1.0
        wy = 0.0
        wz = 0.0
    else:
        wx /= far
        wy /= far
        wz /= far
    front = far - sph[0, 3]
    # touching the ball, unless the surface comes nearer than that: then between the two
    t = ball[3] if front > 1.5 * ball[3] else max(-0.9 * ball[3], min(ball[3], 0.5 * front))
    w[0] = ball[0] + t * wx
    w[1] = ball[1] + t * wy
    w[2] = ball[2] + t * wz
    side = math.sqrt(wx * wx + wy * wy)
    if side > 1e-6:
        w[3] = -wy / side
        w[4] = wx / side
        w[5] = 0.0
    else:
        w[3] = 1.0
        w[4] = 0.0
        w[5] = 0.0
    w[6] = wy * w[5] - wz * w[4]
    w[7] = wz * w[3] - wx * w[5]
    w[8] = wx * w[4] - wy * w[3]
    ahead = max(front, t + 0.25 * ball[3])
    w[9] = ball[3] + (t + ball[3]) / (ahead + ball[3]) * (sph[0, 3] + ball[3])
    w[10] = wx
    w[11] = wy
    w[12] = wz
    return w


@njit(**OPTIONS)
def _leaves_ball(ball, ax, ay, az, bx, by, bz):
    """Where the line through a and b, seen from b, first meets the ball: (met, point, distance of the line from its
    centre)."""
    dx = bx - ax
    dy = by - ay
    dz = bz - az
    l2 = dx * dx + dy * dy + dz * dz
    t = ((ball[0] - ax) * dx + (ball[1] - ay) * dy + (ball[2] - az) * dz) / l2
    cx = ax + t * dx
    cy = ay + t * dy
    cz = az + t * dz
    off2 = (cx - ball[0]) ** 2 + (cy - ball[1]) ** 2 + (cz - ball[2]) ** 2
    inside = ball[3] * ball[3] - off2
    if inside < 0.0:
        return False, cx, cy, cz, math.sqrt(off2)
    t = min(1.0, t + math.sqrt(inside / l2))
    return True, ax + t * dx, ay + t * dy, az + t * dz, math.sqrt(off2)


@njit(**OPTIONS)
def _met(F, act, stack, ox, oy, oz, dx, dy, dz, counts, touching, owner, where, inside, hits):
    """The parts that a thin segment meets: how many (at most MET; 0: it is free), into *owner*; *where* gets an
    instance, a label and the triangle met first, *inside* from where to where it is longest within the part without
    meeting it. Just one when that has no outline in the cell and comes near neither end."""
    found = 0
    n = 0
    for a in range(act.shape[0]):
        k = act[a]
        if _far(F.place, k, ox, oy, oz, dx, dy, dz, 0.0):
            continue
        x, y, z, ex, ey, ez = _local(F.place, k, ox, oy, oz, dx, dy, dz)
        ix = _inverse(ex)
        iy = _inverse(ey)
        iz = _inverse(ez)
        stack[0] = F.roots[k]
        sp = 1
        while sp > 0:
            sp -= 1
            i = stack[sp]
            if _enter(F.nodes, i, x, y, z, ix, iy, iz, 1e-12, 1.0) > 1.0:
                continue
            if F.links[i, 1] == 0:
                stack[sp] = F.links[i, 0]
                stack[sp + 1] = F.links[i, 0] + 1
                sp += 2
                continue
            for j in range(F.links[i, 0], F.links[i, 0] + F.links[i, 1]):
                t = segment_hits_triangle(x, y, z, ex, ey, ez, F.tris[j])
                if t > 1.0:
                    continue
                o = F.labels[j] if F.labels[j] >= 0 else F.parts + k
                known = -1
                for f in range(found):
                    if owner[f] == o:
                        known = f
                if known < 0:
                    if counts[o] == 0 and touching[o] == 0:
                        known = 0
                        owner[0] = o
                        where[0, 0] = k
                        where[0, 1] = F.labels[j]
                        return 1
                    if found == MET:
                        continue
                    known = found
                    owner[found] = o
                    where[found, 0] = k
                    where[found, 1] = F.labels[j]
                    where[found, 2] = j
                    found += 1
                if n < hits.shape[0]:
                    hits[n, 0] = known
                    hits[n, 1] = t
                    hits[n, 2] = _faces(F.tris[j], ex, ey, ez)
                    hits[n, 3] = j
                    n += 1
    for f in range(found):
        inside[f, 0] = 0.0
        inside[f, 1] = 0.0
        for i in range(n):
            if hits[i, 0] != f or hits[i, 2] >= 0.0:
                continue
            leaves = 1.0
            for g in range(n):
                if hits[g, 0] == f and hits[g, 1] > hits[i, 1] + 1e-9:
                    leaves = min(leaves, hits[g, 1])
            if leaves < 1.0 and leaves - hits[i, 1] > inside[f, 1] - inside[f, 0]:
                inside[f, 0] = hits[i, 1]
                inside[f, 1] = leaves
                where[f, 2] = int(hits[i, 3])
    return found


@njit(inline="always", **OPTIONS)
def _faces(T, dx, dy, dz):
    """Below 0 when a triangle faces against the direction d, so that a line enters there."""
    nx = (T[4] - T[1]) * (T[8] - T[2]) - (T[5] - T[2]) * (T[7] - T[1])
    ny = (T[5] - T[2]) * (T[6] - T[0]) - (T[3] - T[0]) * (T[8] - T[2])
    nz = (T[3] - T[0]) * (T[7] - T[1]) - (T[4] - T[1]) * (T[6] - T[0])
    return nx * dx + ny * dy + nz * dz


@njit(**OPTIONS)
def _whole(F, k, label, j, stack, win, row, far, n_far, b, u, give, reach, axes, region, w):
    """Does a flat cut through a part at parameter *u* of the middle line fill the cell? As ``slices.cut``; along the
    window and along the triangle *j* met before. -1 when neither is crossed by all lines."""
    p = 0.5 * (row[0] + row[1])
    q = 0.5 * (row[2] + row[3])
    x = p + u * (b[0] - p)
    y = q + u * (b[1] - q)
    z = u * b[2]
    state = -1
    plane_through(x, y, z, 0.0, 0.0, 1.0, axes)
    if crossing(axes, row, far, n_far, region):
        state = cut(F, k, label, stack, win, axes, region, give, reach, w)
        if state == 2:
            return state
    nx, ny, nz = _normal(F, j, k)
    l = math.sqrt(nx * nx + ny * ny + nz * nz)
    ap = (nx * win[3] + ny * win[4] + nz * win[5]) / l
    aq = (nx * win[6] + ny * win[7] + nz * win[8]) / l
    aw = (nx * win[10] + ny * win[11] + nz * win[12]) / l
    if abs(aw) < 0.98:
        plane_through(x, y, z, ap, aq, aw, axes)
        if crossing(axes, row, far, n_far, region):
            first = w[3]
            wp = w[0]
            wq = w[1]
            other = cut(F, k, label, stack, win, axes, region, give, reach, w)
            if other < state or (other == state and first < w[3]):
                w[0] = wp
                w[1] = wq
                w[3] = first
            state = max(state, other)
    return state


@njit(**OPTIONS)
def _normal(F, j, k):
    """The outward normal of triangle *j* as instance *k* stands; not of unit length."""
    T = F.tris[j]
    nx = (T[4] - T[1]) * (T[8] - T[2]) - (T[5] - T[2]) * (T[7] - T[1])
    ny = (T[5] - T[2]) * (T[6] - T[0]) - (T[3] - T[0]) * (T[8] - T[2])
    nz = (T[3] - T[0]) * (T[7] - T[1]) - (T[4] - T[1]) * (T[6] - T[0])
    c = F.place[k, 3]
    s = F.place[k, 4]
    return nx * c - ny * s, nx * s + ny * c, nz


@njit(**OPTIONS)
def search(F, act, sph, links, nodes, tris, closed, pose, ball, r, sizes, budget, out):
    """Look for a line of radius *r*, clear of the active instances, from the ball to the surface.

    *sph*, *links*, *nodes*, *tris*: the surface's tree; *closed*: it bounds a solid (faces turned away are left out);
    *pose*: x, y, z, cosine, sine of the surface; *ball*: x, y, z, radius; *sizes*: resolutions, coarse to fine;
    *budget*: cells to look at; the coarsest pass is always finished. Returns 1 (line in out[0:6]) or 0 with out[6] the
    resolution reached (0: no line at all), out[7] cells looked at, and out[8:15] the nearest miss: its clearance (-1:
    there was none) and its line.
    """
    stack = np.empty(DEPTH, np.int32)
    line = np.empty(6)
    rows = np.empty((1024, ROW))
    waiting = np.empty((CELLS, ROW))
    kept = np.empty((CELLS, ROW))
    row = np.empty(ROW)
    w = np.zeros(4)
    w_cut = np.zeros(4)
    best_w = np.zeros(4)
    far = np.empty((8, 3))
    b = np.empty(3)
    box = np.empty(6)
    turn = np.empty((3, 4))
    planes = np.empty((PLANES + 2, 4))
    span = np.empty(2)
    owner = np.empty(MET, np.int32)
    where = np.empty((MET, 3), np.int32)
    inside = np.zeros((MET, 2))
    hits = np.empty((64, 4))
    axes = np.empty(AXES)
    region = np.empty(4)
    win = _window(sph, pose, ball)
    into_window(win, pose[0], pose[1], pose[2], pose[3], pose[4], turn)
    behind = (ball[0] - win[0]) * win[10] + (ball[1] - win[1]) * win[11] + (ball[2] - win[2]) * win[12]
    cells = 0
    pushes = 0
    out[6] = np.inf
    out[8] = -1.0
    n_waiting = 1
    for c in range(4):
        waiting[0, c] = -win[9] if c % 2 == 0 else win[9]
    waiting[0, 4] = 0.0
    touching = np.zeros(F.parts + F.roots.shape[0], np.uint8)
    counts = np.zeros(touching.shape[0], np.int32)
    _box_corners(turn, nodes[0], far)
    _around(far, 8, box)
    edges, whose = outlines(F, act, stack, win, waiting[0, :4], far, box, r + sizes[0], touching)
    pool = np.empty(8 * edges.shape[0] + 1024, np.int32)
    for i in range(edges.shape[0]):
        pool[i] = i
    waiting[0, 14] = 0.0
    waiting[0, 15] = edges.shape[0]
    for level in range(sizes.shape[0]):
        size = sizes[level]
        reach = r + size
        n_kept = 0
        overflow = False
        for g in range(n_waiting):
            rows[0] = waiting[g]
            n = 1
            while n > 0:
                n -= 1
                row[:] = rows[n]
                cells += 1
                if (cells > budget and level > 0) or n > 1000 or cells > 20 * budget:
                    out[7] = cells
                    return 0
                # the two patches: corners, middle, size; first in the window's coordinates
                node = int(row[4])
                if node >= 0 and links[node, 1] > 0:
                    T = tris[links[node, 0]]
                    for e in range(3):
                        for c in range(3):
                            row[5 + 3 * e + c] = (
                                turn[c, 0] * T[3 * e]
                                + turn[c, 1] * T[3 * e + 1]
                                + turn[c, 2] * T[3 * e + 2]
                                + turn[c, 3]
                            )
                    row[4] = -1.0
                    node = -1
                    if closed and _turned_away(row, behind, ball[3]):
                        continue
                if node >= 0:
                    n_far = 8
                    _box_corners(turn, nodes[node], far)
                    for c in range(3):
                        b[c] = (
                            turn[c, 0] * sph[node, 0]
                            + turn[c, 1] * sph[node, 1]
                            + turn[c, 2] * sph[node, 2]
                            + turn[c, 3]
                        )
                    s1 = sph[node, 3]
                else:
                    n_far = 3
                    s1 = 0.0
                    for c in range(3):
                        b[c] = (row[5 + c] + row[8 + c] + row[11 + c]) / 3.0
                    for e in range(3):
                        apart = 0.0
                        for c in range(3):
                            far[e, c] = row[5 + 3 * e + c]
                            apart += (far[e, c] - b[c]) ** 2
                        s1 = max(s1, apart)
                    s1 = math.sqrt(s1)
                s0 = 0.5 * math.sqrt((row[1] - row[0]) ** 2 + (row[3] - row[2]) ** 2)
                p = 0.5 * (row[0] + row[1])
                q = 0.5 * (row[2] + row[3])
                ax = win[0] + p * win[3] + q * win[6]
                ay = win[1] + p * win[4] + q * win[7]
                az = win[2] + p * win[5] + q * win[8]
                bx = win[0] + b[0] * win[3] + b[1] * win[6] + b[2] * win[10]
                by = win[1] + b[0] * win[4] + b[1] * win[7] + b[2] * win[11]
                bz = win[2] + b[0] * win[5] + b[1] * win[8] + b[2] * win[12]
                dx = bx - ax
                dy = by - ay
                dz = bz - az
                length = math.sqrt(dx * dx + dy * dy + dz * dz)
                # the outlines that reach into the cell
                low = int(row[14])
                high = int(row[15])
                u = 0.5
                best_w[:] = 0.0
                fits = False
                if length > 1e-9:
                    met, hx, hy, hz, off = _leaves_ball(ball, ax, ay, az, bx, by, bz)
                    back = math.sqrt((ax - ball[0]) ** 2 + (ay - ball[1]) ** 2 + (az - ball[2]) ** 2)
                    back = (ball[3] + back) / length
                    if off > ball[3] + s0 * (1.0 + back) + s1 * back:
                        continue  # no line of the cell comes from the ball
                    bound(row, far, n_far, reach, planes)
                    _around(far, n_far, box)
                    top = high
                    room = pool.shape[0] - high >= high - low
                    if not room:
                        top = low
                    start = top
                    for i in range(low, high):
                        edge = edges[pool[i]]
                        if clip(planes, PLANES, edge, span) and may_turn(edge, row, box, reach):
                            counts[whose[pool[i]]] += 1
                            if room:
                                pool[top] = pool[i]
                                top += 1
                    if room:
                        low = start
                        high = top
                    found = _met(F, act, stack, ax, ay, az, dx, dy, dz, counts, touching, owner, where, inside, hits)
                    proved = False
                    if found == 1 and counts[owner[0]] == 0 and touching[owner[0]] == 0:
                        proved = True
                    shift_p = 0.0
                    shift_q = 0.0
                    give = SLACK * r
                    if found == 0:
                        if met:
                            d, _u, j, k = clearance(F, act, stack, hx, hy, hz, bx - hx, by - hy, bz - hz, r)
                            if j < 0 and node < 0:
                                out[0] = hx
                                out[1] = hy
                                out[2] = hz
                                out[3] = bx
                                out[4] = by
                                out[5] = bz
                                out[7] = cells
                                return 1
                            if d > out[8] and j >= 0:
                                out[8] = d
                                out[9] = hx
                                out[10] = hy
                                out[11] = hz
                                out[12] = bx
                                out[13] = by
                                out[14] = bz
                        if pushes < PUSHES and (met or off < 1.5 * ball[3]):
                            pushes += 1
                            line[0] = hx
                            line[1] = hy
                            line[2] = hz
                            line[3] = bx
                            line[4] = by
                            line[5] = bz
                            if _mend(F, act, stack, nodes, links, tris, pose, ball, line, r):
                                for c in range(6):
                                    out[c] = line[c]
                                out[7] = cells
                                return 1
                        d, u, j, k = clearance(F, act, stack, ax, ay, az, dx, dy, dz, reach)
                        if j >= 0:
                            # move the middle line a little way into what is nearest
                            shift_p, shift_q = _towards(F, j, k, win, ax, ay, az, dx, dy, dz, u)
                            apart = math.sqrt(shift_p * shift_p + shift_q * shift_q)
                            deep = 0.25 * (r - apart)
                            if apart < r:
                                give = SLACK * r - apart - deep
                            else:
                                deep = 1e-6
                                give = 0.0
                            grow = 1.0 + deep / apart if apart > 1e-12 else 1.0
                            shift_p *= grow
                            shift_q *= grow
                            owner[0] = F.labels[j] if F.labels[j] >= 0 else F.parts + k
                            where[0, 0] = k
                            where[0, 1] = F.labels[j]
                            cx = shift_p * win[3] + shift_q * win[6]
                            cy = shift_p * win[4] + shift_q * win[7]
                            cz = shift_p * win[5] + shift_q * win[8]
                            if crosses(F, k, F.labels[j], stack, ax + cx, ay + cy, az + cz, dx, dy, dz):
                                found = 1
                                inside[0] = 0.0
                            best_w[0] = shift_p
                            best_w[1] = shift_q
                    if not proved and b[2] > 1e-9:
                        least = np.inf
                        shifted = math.sqrt(shift_p * shift_p + shift_q * shift_q)
                        for f in range(found):
                            o = owner[f]
                            worst = np.inf
                            outlined = touching[o] == 0 or (
                                depth(F, where[f, 0], where[f, 1], stack, ax, ay, az, s0 + reach) >= s0 + reach
                                and depth(F, where[f, 0], where[f, 1], stack, bx, by, bz, s1 + reach) >= s1 + reach
                            )
                            if outlined:
                                worst = sticks_out(
                                    edges,
                                    pool,
                                    low,
                                    high,
                                    whose,
                                    o,
                                    row,
                                    far,
                                    n_far,
                                    b,
                                    shift_p,
                                    shift_q,
                                    span,
                                    planes,
                                    w,
                                )
                                if worst == -np.inf or (
                                    worst < give
                                    and drawn_in(
                                        edges, pool, low, high, whose, o, row, far, n_far, b, shift_p, shift_q,
                                        w[0], w[1], give, span, planes,
                                    )
                                ):  # fmt: skip
                                    proved = True
                                    break
                                if worst + shifted < reach and drawn_in(
                                    edges, pool, low, high, whose, o, row, far, n_far, b, shift_p, shift_q, w[0], w[1],
                                    (reach - shifted) * SLACK, span, planes,
                                ):  # fmt: skip
                                    fits = True
                            if inside[f, 1] > inside[f, 0]:
                                state = _whole(
                                    F, where[f, 0], where[f, 1], where[f, 2], stack, win, row, far, n_far, b,
                                    0.5 * (inside[f, 0] + inside[f, 1]), SLACK * r, SLACK * reach, axes, region, w_cut,
                                )  # fmt: skip
                                if state == 2:
                                    proved = True
                                    break
                                fits = fits or state == 1
                                if state >= 0 and w_cut[3] < worst:
                                    worst = w_cut[3]
                                    w[:] = w_cut
                                    w[2] = 0.5 * (inside[f, 0] + inside[f, 1])
                            if worst < least:
                                least = worst
                                best_w[:] = w
                                u = w[2]
                    for i in range(low, high):
                        counts[whose[pool[i]]] = 0
                    if proved or tapered(F, act, stack, ax, ay, az, dx, dy, dz, r, s0, s1):
                        continue
                if fits or (node < 0 and s0 + s1 <= size):
                    if n_kept < CELLS:
                        kept[n_kept] = row
                        n_kept += 1
                    else:
                        overflow = True
                    continue
                # split where it sticks out most
                length_w = math.sqrt(best_w[0] * best_w[0] + best_w[1] * best_w[1])
                lp = _along(best_w, length_w, row[1] - row[0], 0.0, 0.0) * (1.0 - u)
                lq = _along(best_w, length_w, 0.0, row[3] - row[2], 0.0) * (1.0 - u)
                cut = 0
                lb = 0.0
                if node >= 0:
                    for e in range(3):
                        i = 1 << e
                        lb = max(
                            lb,
                            _along(
                                best_w, length_w, far[0, 0] - far[i, 0], far[0, 1] - far[i, 1], far[0, 2] - far[i, 2]
                            ),
                        )
                else:
                    for e in range(3):
                        f = (e + 1) % 3
                        l = _along(
                            best_w, length_w, far[e, 0] - far[f, 0], far[e, 1] - far[f, 1], far[e, 2] - far[f, 2]
                        )
                        if l > lb:
                            lb = l
                            cut = e
                lb *= u
                row[14] = low
                row[15] = high
                rows[n] = row
                rows[n + 1] = row
                if max(lp, lq) > lb:
                    at = 0 if lp >= lq else 2
                    middle = 0.5 * (row[at] + row[at + 1])
                    rows[n, at + 1] = middle
                    rows[n + 1, at] = middle
                elif node >= 0:
                    rows[n, 4] = links[node, 0]
                    rows[n + 1, 4] = links[node, 0] + 1
                else:
                    f = (cut + 1) % 3
                    for c in range(3):
                        middle = 0.5 * (row[5 + 3 * cut + c] + row[5 + 3 * f + c])
                        rows[n, 5 + 3 * cut + c] = middle
                        rows[n + 1, 5 + 3 * f + c] = middle
                n += 2
        if n_kept == 0:
            out[6] = 0.0
            out[7] = cells
            return 0
        out[6] = size
        if overflow:
            break
        waiting[:n_kept] = kept[:n_kept]
        for g in range(n_kept):
            waiting[g, 14] = 0.0
            waiting[g, 15] = edges.shape[0]
        n_waiting = n_kept
    out[7] = cells
    return 0
