"""Looking for a line from a ball to a surface that is clear: likely ones first, then many thin ones widened."""

from __future__ import annotations

import math

import numpy as np
from numba import njit

from ktsim.geometry.kernels import OPTIONS
from ktsim.geometry.kernels.primitives import closest_on_triangle
from ktsim.geometry.kernels.queries import DEPTH, blocked, clearance, first_hit, tree_first

STEPS, PATIENCE = 60, 8
"""How often a line is pushed at most, and how often without coming nearer to clear."""


@njit(**OPTIONS)
def place(pose, x, y, z):
    return x * pose[3] - y * pose[4] + pose[0], x * pose[4] + y * pose[3] + pose[1], z + pose[2]


@njit(**OPTIONS)
def mend(F, act, stack, nodes, links, tris, pose, ball, line, r):
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
    best = -1.0
    idle = 0
    for _ in range(STEPS):
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
        if d > best + 0.02 * (goal - best):
            best = d
            idle = 0
        else:
            idle += 1
            if idle > PATIENCE:
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
        if mend(F, act, stack, nodes, links, tris, pose, ball, line, r):
            for q in range(6):
                out[q] = line[q]
            return True
        if mended >= 40:
            return False
    return False


@njit(**OPTIONS)
def widen(F, act, links, nodes, tris, pose, ball, r, out):
    """Push the clear line out[0:6], also begun elsewhere in the ball, until it is clear by *r*. True with the line in
    out[0:6]."""
    stack = np.empty(DEPTH, np.int32)
    line = np.empty(6)
    for seed in range(7):
        for c in range(6):
            line[c] = out[c]
        if seed > 0:
            axis = (seed - 1) // 2
            line[axis] += ball[3] if seed % 2 else -ball[3]
        if mend(F, act, stack, nodes, links, tris, pose, ball, line, r):
            for c in range(6):
                out[c] = line[c]
            return True
    return False
