"""A quick look at what is near: one clear line from a ball to some point of a part that is within reach of a base."""

from __future__ import annotations

import math

import numpy as np

from ktsim.geometry.kernels import kernel, lean
from ktsim.geometry.kernels.planar import gap
from ktsim.geometry.kernels.primitives import closest_on_triangle, segment_from_triangle
from ktsim.geometry.kernels.queries import DEPTH, _enter, _far, local_ray

LOOKS = 24
"""Points that are looked at before it is given up."""


@kernel
def glimpsed(F, act, tris, label, fig, z, limit, ball, r, short):
    """Is a point of the triangles (n, 9), all of the part *label*, seen from the middle or top of the ball by a line of
    radius *r* clear of everything but that part? A point within *limit* of the figure at height z, and
    lines end *short* of it. No proof of no."""
    stack = np.empty(DEPTH, np.int32)
    looks = 0
    for i in range(tris.shape[0]):
        t = tris[i]
        for spot in range(2):
            if spot == 0:
                x, y, h = closest_on_triangle(fig[0], fig[1], z, t)
            else:
                x = (t[0] + t[3] + t[6]) / 3.0
                y = (t[1] + t[4] + t[7]) / 3.0
                h = (t[2] + t[5] + t[8]) / 3.0
            g, _a = gap(fig, x, y)
            g = max(g, 0.0)
            if math.sqrt(g * g + (h - z) ** 2) > limit:
                continue
            for up in range(2):
                top = ball[2] + up * ball[3]
                dx = x - ball[0]
                dy = y - ball[1]
                dz = h - top
                length = math.sqrt(dx * dx + dy * dy + dz * dz)
                part = max(0.0, 1.0 - short / length) if length > 0.0 else 0.0
                if not _hidden(F, act, stack, label, ball[0], ball[1], top, part * dx, part * dy, part * dz, r):
                    return True
            looks += 1
            if looks == LOOKS:
                return False
    return False


@lean
def _hidden(F, act, stack, label, ox, oy, oz, dx, dy, dz, r):
    """Is anything active but the part *label* nearer than *r* to the segment?"""
    r2 = r * r
    for n in range(act.shape[0]):
        k = act[n]
        if _far(F.place, k, ox, oy, oz, dx, dy, dz, r):
            continue
        x, y, z, ex, ey, ez, ix, iy, iz = local_ray(F, k, ox, oy, oz, dx, dy, dz)
        stack[0] = F.roots[k]
        sp = 1
        while sp > 0:
            sp -= 1
            i = stack[sp]
            if _enter(F.nodes, i, x, y, z, ix, iy, iz, r, 1.0) > 1.0:
                continue
            if F.links[i, 1] == 0:
                stack[sp] = F.links[i, 0]
                stack[sp + 1] = F.links[i, 0] + 1
                sp += 2
                continue
            for j in range(F.links[i, 0], F.links[i, 0] + F.links[i, 1]):
                if F.labels[j] == label:
                    continue
                d2, _s = segment_from_triangle(x, y, z, ex, ey, ez, F.tris[j], r2)
                if d2 < r2:
                    return True
    return False
