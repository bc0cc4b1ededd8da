"""Looking for a line from a ball to a surface that is clear: likely ones first, then many thin ones widened."""

from __future__ import annotations

import math

import numpy as np

from ktsim.geometry.kernels import kernel, lean
from ktsim.geometry.kernels.primitives import closest_on_triangle
from ktsim.geometry.kernels.queries import DEPTH, blocked, clearance, first_hit, tree_first, tree_nearest

STEPS, PATIENCE = 40, 10
"""How often a line is pushed at most, and how often without coming nearer to clear."""
MENDED = 10
"""One in so many tries may be mended before guessing is given up."""
KNOWN, ROUNDS = 12, 16
"""What is in the way of a line: how much of it is minded at once, and how often in turn for each push."""


@lean
def place(pose, x, y, z):
    return x * pose[3] - y * pose[4] + pose[0], x * pose[4] + y * pose[3] + pose[1], z + pose[2]


@lean
def mend(F, act, stack, nodes, links, tris, pose, ball, line, r, walls):
    """Push a nearly clear line away from what blocks it, until it is clear (True, *line* changed) or given up (False,
    *line* is the clearest that was met). *line* (7,): start, end, and at the end how clear it is, at most about *r*;
    *walls* (KNOWN, 5): room to work in.

    Whatever came too near gives a plane that the line must keep beyond at that place of it. Each push satisfies all
    planes met so far as well as it can, moving both ends as little as possible: so a line settles in the middle of a
    slit instead of going from side to side. The start is kept in the ball, and the line ends where it meets the
    surface, or at the nearest point of it.
    """
    goal = r * (1.0 + 1e-4)
    known = 0
    hx = line[0]
    hy = line[1]
    hz = line[2]
    px = line[3]
    py = line[4]
    pz = line[5]
    line[6] = -1.0
    idle = 0
    c = pose[3]
    s = pose[4]
    for _step in range(STEPS):
        gx = hx - ball[0]
        gy = hy - ball[1]
        gz = hz - ball[2]
        away = math.sqrt(gx * gx + gy * gy + gz * gz)
        if away > ball[3]:
            back = ball[3] * (1.0 - 1e-12) / away
            hx = ball[0] + gx * back
            hy = ball[1] + gy * back
            hz = ball[2] + gz * back
        ox = hx - pose[0]
        oy = hy - pose[1]
        oz = hz - pose[2]
        lx = ox * c + oy * s
        ly = oy * c - ox * s
        ex = (px - hx) * c + (py - hy) * s
        ey = (py - hy) * c - (px - hx) * s
        ez = pz - hz
        t, tri = tree_first(
            nodes, links, tris, F.labels, -2, 0, stack, lx, ly, oz, 1.5 * ex, 1.5 * ey, 1.5 * ez, 1.0 + 1e-12
        )
        if tri >= 0:
            lx += 1.5 * t * ex
            ly += 1.5 * t * ey
            oz += 1.5 * t * ez
        else:
            lx += ex
            ly += ey
            oz += ez
            _d, tri = tree_nearest(nodes, links, tris, F.labels, -2, 0, stack, lx, ly, oz, 1e9)
            lx, ly, oz = closest_on_triangle(lx, ly, oz, tris[tri])
        px, py, pz = place(pose, lx, ly, oz)
        d, u, j, k = clearance(F, act, stack, hx, hy, hz, px - hx, py - hy, pz - hz, goal)
        if d > line[6]:
            idle = 0 if d > line[6] + 0.01 * (goal - line[6]) else idle + 1
            line[0] = hx
            line[1] = hy
            line[2] = hz
            line[3] = px
            line[4] = py
            line[5] = pz
            line[6] = d
        else:
            idle += 1
        if j < 0 or d >= r:
            return not blocked(F, act, stack, hx, hy, hz, px - hx, py - hy, pz - hz, r)
        if idle > PATIENCE or line[6] <= 1e-9:
            return False
        if d <= 1e-9:
            # right into something: half the way back to the clearest
            hx = 0.5 * (hx + line[0])
            hy = 0.5 * (hy + line[1])
            hz = 0.5 * (hz + line[2])
            px = 0.5 * (px + line[3])
            py = 0.5 * (py + line[4])
            pz = 0.5 * (pz + line[5])
            continue
        x = hx + u * (px - hx)
        y = hy + u * (py - hy)
        z = hz + u * (pz - hz)
        qx, qy, qz = nearest_of(F, j, k, x, y, z)
        nx = (x - qx) / d
        ny = (y - qy) / d
        nz = (z - qz) / d
        wall = walls[known % KNOWN]
        known += 1
        wall[0] = nx
        wall[1] = ny
        wall[2] = nz
        wall[3] = u
        wall[4] = nx * qx + ny * qy + nz * qz + goal
        for _ in range(ROUNDS):
            moved = False
            for i in range(min(known, KNOWN)):
                wall = walls[i]
                u = wall[3]
                short = wall[4] - (
                    wall[0] * (hx + u * (px - hx)) + wall[1] * (hy + u * (py - hy)) + wall[2] * (hz + u * (pz - hz))
                )
                if short > 1e-3 * (goal - d):
                    moved = True
                    short *= 1.02 / ((1.0 - u) ** 2 + u * u)
                    hx += short * (1.0 - u) * wall[0]
                    hy += short * (1.0 - u) * wall[1]
                    hz += short * (1.0 - u) * wall[2]
                    px += short * u * wall[0]
                    py += short * u * wall[1]
                    pz += short * u * wall[2]
            if not moved:
                break
    return False


@lean
def nearest_of(F, j, k, x, y, z):
    """The point of triangle *j* of instance *k* that is nearest to a point."""
    c = F.place[k, 3]
    s = F.place[k, 4]
    wx = x - F.place[k, 0]
    wy = y - F.place[k, 1]
    qx, qy, qz = closest_on_triangle(wx * c + wy * s, wy * c - wx * s, z - F.place[k, 2], F.tris[j])
    return qx * c - qy * s + F.place[k, 0], qx * s + qy * c + F.place[k, 1], qz + F.place[k, 2]


@kernel
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
            x, y, z = place(pose, probes[i, 0], probes[i, 1], probes[i, 2])
            if not blocked(F, act, stack, hx, hy, hz, x - hx, y - hy, z - hz, r):
                out[0] = hx
                out[1] = hy
                out[2] = hz
                out[3] = x
                out[4] = y
                out[5] = z
                return True
    return False


@kernel
def guess(F, act, links, nodes, tris, probes, pose, ball, r, tries, out):
    """Thin lines from spots all over the ball to spots all over the surface; those that get through are widened to
    radius *r* where that is possible. Finds slits and loopholes. True with the line in out[0:6]; else out[8:15] is the
    nearest miss, if it is nearer than the one there was."""
    stack = np.empty(DEPTH, np.int32)
    line = np.empty(7)
    walls = np.empty((KNOWN, 5))
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
            x, y, z = place(pose, probes[j, 0], probes[j, 1], probes[j, 2])
        else:
            j = int(c * n)
            e = d if d < 0.5 else 1.0 - d
            x, y, z = place(
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
        if mend(F, act, stack, nodes, links, tris, pose, ball, line, r, walls):
            for q in range(6):
                out[q] = line[q]
            return True
        if line[6] > out[8]:
            out[8] = line[6]
            for q in range(6):
                out[9 + q] = line[q]
        if mended * MENDED >= tries:
            return False
    return False


@kernel
def widen(F, act, links, nodes, tris, pose, ball, r, out):
    """Push the line out[0:6], also begun elsewhere in the ball, until it is clear by *r*. True with the line in
    out[0:6]; else out[8:15] is the nearest miss, if it is nearer than the one there was."""
    stack = np.empty(DEPTH, np.int32)
    line = np.empty(7)
    walls = np.empty((KNOWN, 5))
    for seed in range(7):
        for c in range(6):
            line[c] = out[c]
        if seed > 0:
            for c in range(3):
                line[c] = ball[c]
            line[(seed - 1) // 2] += 0.7 * ball[3] if seed % 2 else -0.7 * ball[3]
        if mend(F, act, stack, nodes, links, tris, pose, ball, line, r, walls):
            for c in range(6):
                out[c] = line[c]
            return True
        if line[6] > out[8]:
            out[8] = line[6]
            for c in range(6):
                out[9 + c] = line[c]
    return False
