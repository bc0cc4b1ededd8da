"""Can a surface be seen from a ball? A complete search that ends in a witness line or in a proof.

Lines run from the ball to the surface. Cut where they leave the ball they are clear if they were before, so a line
may be named by where it crosses the window, a plane touching the ball on the surface's side, and where it ends. Cells
are pairs (patch of the window, patch of the surface). A cell is proved blocked, or gives a witness, or is split. What
proves it, for a line in the middle and lines whose ends are at most s0 and s1 away:

* tapered: an obstacle point at distance d from the middle line at parameter u with d + s0 (1 - u) + s1 u < r;
* solid: a point of the middle line at u inside a solid, no surface nearer than rho, with s0 (1 - u) + s1 u < rho + r;
* one triangle: the lines between all corners of the two patches cross some plane between them at points nearer than r
  to the same triangle. Seen from either end that is a projection, so all lines of the cell cross the plane within the
  hull of those nine points; and what is within r of a triangle is convex. Patches are split where they stick out most,
  so along a slit they grow long and thin and few are needed.

Cells in which no line is clear by more than the resolution are left at that.
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit

from . import OPTIONS
from .primitives import closest_on_triangle
from .queries import DEPTH, blocked, clearance, depth, first_hit, leaves, tapered, tree_first

ROW = 14
"""A cell: 0-3 a rectangle of the window, low and high across it both ways; 4 the node of the surface's tree, or -1 for
a triangle; 5-13 that triangle's corners."""
CELLS = 4096
"""Cells kept for the next finer pass."""
PUSHES = 40
"""How often one search tries to mend a line that is nearly clear."""


@njit(**OPTIONS)
def _place(pose, x, y, z):
    return x * pose[3] - y * pose[4] + pose[0], x * pose[4] + y * pose[3] + pose[1], z + pose[2]


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
def _solid_between(F, act, stack, ox, oy, oz, dx, dy, dz, r, s0, s1):
    """1: one solid blocks every line of the cell; 0: the thin middle line is free; 2: it is not, but no proof.
    And where it first meets something: parameter, triangle, instance."""
    t1, j, k = first_hit(F, act, stack, ox, oy, oz, dx, dy, dz)
    if j < 0:
        return 0, 0.5, j, k
    nx, ny, nz = _normal(F, j, k)
    if nx * dx + ny * dy + nz * dz >= 0.0:
        return 2, t1, j, k  # leaving a solid: the line began inside it
    length = math.sqrt(dx * dx + dy * dy + dz * dz)
    step = t1 + 1e-9 / length
    if step >= 1.0:
        return 2, t1, j, k
    # how far it goes through that solid; what else is inside it does not matter
    rest = 1.0 - step
    label = F.labels[j]
    t2 = step + rest * leaves(
        F, k, label, stack, ox + step * dx, oy + step * dy, oz + step * dz, rest * dx, rest * dy, rest * dz
    )
    u = 0.5 * (t1 + t2)
    need = s0 * (1.0 - u) + s1 * u - r
    if need < 0.0:
        return 1, t1, j, k
    need = need * (1.0 + 1e-9) + 1e-9
    if need > 0.5 * (t2 - t1) * length:
        return 2, t1, j, k
    if depth(F, k, label, stack, ox + u * dx, oy + u * dy, oz + u * dz, need) >= need:
        return 1, t1, j, k
    return 2, t1, j, k


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
def _one_triangle(F, j, k, near, far, n_far, px, py, pz, nx, ny, nz, w):
    """How far from triangle *j* of instance *k* the lines between the corners *near* and *far* may cross the plane
    through p with normal n (inf when some corner lies on the wrong side of it). The direction in which they stick out
    most goes to w.
    """
    c = F.place[k, 3]
    s = F.place[k, 4]
    T = F.tris[j]
    worst = -1.0
    for e in range(4):
        ax = near[e, 0]
        ay = near[e, 1]
        az = near[e, 2]
        ha = (ax - px) * nx + (ay - py) * ny + (az - pz) * nz
        for f in range(n_far):
            bx = far[f, 0]
            by = far[f, 1]
            bz = far[f, 2]
            hb = (bx - px) * nx + (by - py) * ny + (bz - pz) * nz
            if ha * hb >= 0.0:
                return np.inf
            t = ha / (ha - hb)
            z = az + t * (bz - az) - F.place[k, 2]
            gx = ax + t * (bx - ax) - F.place[k, 0]
            gy = ay + t * (by - ay) - F.place[k, 1]
            x = gx * c + gy * s
            y = gy * c - gx * s
            qx, qy, qz = closest_on_triangle(x, y, z, T)
            dx = x - qx
            dy = y - qy
            dz = z - qz
            d2 = dx * dx + dy * dy + dz * dz
            if d2 > worst:
                worst = d2
                w[0] = dx * c - dy * s
                w[1] = dx * s + dy * c
                w[2] = dz
    return math.sqrt(worst)


@njit(**OPTIONS)
def _along(w, size, dx, dy, dz):
    """Length of an edge measured mostly along w; the rest keeps cells from being cut in one direction for ever."""
    l = math.sqrt(dx * dx + dy * dy + dz * dz)
    return l if size == 0.0 else 0.1 * l + abs(w[0] * dx + w[1] * dy + w[2] * dz) / size


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
    w = np.zeros(3)
    near = np.empty((4, 3))
    far = np.empty((8, 3))
    win = _window(sph, pose, ball)
    cells = 0
    pushes = 0
    out[6] = np.inf
    out[8] = -1.0
    n_waiting = 1
    for c in range(4):
        waiting[0, c] = -win[9] if c % 2 == 0 else win[9]
    waiting[0, 4] = 0.0
    for level in range(sizes.shape[0]):
        size = sizes[level]
        n_kept = 0
        overflow = False
        for g in range(n_waiting):
            rows[0] = waiting[g]
            n = 1
            while n > 0:
                n -= 1
                row[:] = rows[n]
                cells += 1
                if (cells > budget and level > 0) or n > 1000:
                    out[7] = cells
                    return 0
                # the two patches: corners, middle, size
                p = 0.5 * (row[0] + row[1])
                q = 0.5 * (row[2] + row[3])
                ax = win[0] + p * win[3] + q * win[6]
                ay = win[1] + p * win[4] + q * win[7]
                az = win[2] + p * win[5] + q * win[8]
                s0 = 0.5 * math.sqrt((row[1] - row[0]) ** 2 + (row[3] - row[2]) ** 2)
                for e in range(4):
                    p = row[e & 1]
                    q = row[2 + (e >> 1)]
                    near[e, 0] = win[0] + p * win[3] + q * win[6]
                    near[e, 1] = win[1] + p * win[4] + q * win[7]
                    near[e, 2] = win[2] + p * win[5] + q * win[8]
                node = int(row[4])
                if node >= 0 and links[node, 1] > 0:
                    j = links[node, 0]
                    for e in range(3):
                        x, y, z = _place(pose, tris[j, 3 * e], tris[j, 3 * e + 1], tris[j, 3 * e + 2])
                        row[5 + 3 * e] = x
                        row[6 + 3 * e] = y
                        row[7 + 3 * e] = z
                    row[4] = -1.0
                    node = -1
                    if closed:
                        nx = (row[9] - row[6]) * (row[13] - row[7]) - (row[10] - row[7]) * (row[12] - row[6])
                        ny = (row[10] - row[7]) * (row[11] - row[5]) - (row[8] - row[5]) * (row[13] - row[7])
                        nz = (row[8] - row[5]) * (row[12] - row[6]) - (row[9] - row[6]) * (row[11] - row[5])
                        away = nx * (row[5] - ball[0]) + ny * (row[6] - ball[1]) + nz * (row[7] - ball[2])
                        if away > ball[3] * math.sqrt(nx * nx + ny * ny + nz * nz):
                            continue
                if node >= 0:
                    bx, by, bz = _place(pose, sph[node, 0], sph[node, 1], sph[node, 2])
                    s1 = sph[node, 3]
                    n_far = 8
                    for e in range(8):
                        x, y, z = _place(
                            pose,
                            nodes[node, 0] if e & 1 else nodes[node, 3],
                            nodes[node, 1] if e & 2 else nodes[node, 4],
                            nodes[node, 2] if e & 4 else nodes[node, 5],
                        )
                        far[e, 0] = x
                        far[e, 1] = y
                        far[e, 2] = z
                else:
                    n_far = 3
                    bx = (row[5] + row[8] + row[11]) / 3.0
                    by = (row[6] + row[9] + row[12]) / 3.0
                    bz = (row[7] + row[10] + row[13]) / 3.0
                    s1 = 0.0
                    for e in range(3):
                        for c in range(3):
                            far[e, c] = row[5 + 3 * e + c]
                        s1 = max(s1, (far[e, 0] - bx) ** 2 + (far[e, 1] - by) ** 2 + (far[e, 2] - bz) ** 2)
                    s1 = math.sqrt(s1)
                dx = bx - ax
                dy = by - ay
                dz = bz - az
                length = math.sqrt(dx * dx + dy * dy + dz * dz)
                u = 0.5
                worst = np.inf
                w[:] = 0.0
                if length > 1e-9:
                    met, hx, hy, hz, off = _leaves_ball(ball, ax, ay, az, bx, by, bz)
                    back = math.sqrt((ax - ball[0]) ** 2 + (ay - ball[1]) ** 2 + (az - ball[2]) ** 2)
                    back = (ball[3] + back) / length
                    if off > ball[3] + s0 * (1.0 + back) + s1 * back:
                        continue  # no line of the cell comes from the ball
                    state, u, j, k = _solid_between(F, act, stack, ax, ay, az, dx, dy, dz, r, s0, s1)
                    if state == 1:
                        continue
                    if state == 0:
                        if node < 0 and met:
                            d, _u, j, k = clearance(F, act, stack, hx, hy, hz, bx - hx, by - hy, bz - hz, r)
                            if j < 0:
                                out[0] = hx
                                out[1] = hy
                                out[2] = hz
                                out[3] = bx
                                out[4] = by
                                out[5] = bz
                                out[7] = cells
                                return 1
                            if d > out[8]:
                                out[8] = d
                                out[9] = hx
                                out[10] = hy
                                out[11] = hz
                                out[12] = bx
                                out[13] = by
                                out[14] = bz
                        d, u, j, k = clearance(F, act, stack, ax, ay, az, dx, dy, dz, r + size)
                        if node < 0 and pushes < PUSHES and (met or off < 1.5 * ball[3]):
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
                    if j >= 0:
                        fx = win[10]
                        fy = win[11]
                        fz = win[12]
                        if state == 2:  # the triangle it meets, seen in its own plane
                            fx, fy, fz = _normal(F, j, k)
                        worst = _one_triangle(
                            F, j, k, near, far, n_far, ax + u * dx, ay + u * dy, az + u * dz, fx, fy, fz, w
                        )
                        if worst < r:
                            continue
                    if tapered(F, act, stack, ax, ay, az, dx, dy, dz, r, s0, s1):
                        continue
                if worst < r + size or (node < 0 and s0 + s1 <= size):
                    if n_kept < CELLS:
                        kept[n_kept] = row
                        n_kept += 1
                    else:
                        overflow = True
                    continue
                # split where it sticks out most
                length_w = math.sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2])
                wide_p = row[1] - row[0]
                wide_q = row[3] - row[2]
                lp = _along(w, length_w, wide_p * win[3], wide_p * win[4], wide_p * win[5]) * (1.0 - u)
                lq = _along(w, length_w, wide_q * win[6], wide_q * win[7], wide_q * win[8]) * (1.0 - u)
                edge = 0
                lb = 0.0
                if node >= 0:
                    for e in range(3):
                        i = 1 << e
                        lb = max(
                            lb,
                            _along(w, length_w, far[0, 0] - far[i, 0], far[0, 1] - far[i, 1], far[0, 2] - far[i, 2]),
                        )
                else:
                    for e in range(3):
                        f = (e + 1) % 3
                        l = _along(w, length_w, far[e, 0] - far[f, 0], far[e, 1] - far[f, 1], far[e, 2] - far[f, 2])
                        if l > lb:
                            lb = l
                            edge = e
                lb *= u
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
                    f = (edge + 1) % 3
                    for c in range(3):
                        middle = 0.5 * (row[5 + 3 * edge + c] + row[5 + 3 * f + c])
                        rows[n, 5 + 3 * edge + c] = middle
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
        n_waiting = n_kept
    out[7] = cells
    return 0
