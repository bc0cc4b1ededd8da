"""Questions to a forest of trees: is a line clear, by how much, what does it meet.

A line is the segment ``o + t d`` with a radius. A forest (see ``ktsim.geometry.forest``) holds trees and instances of
them; *act* lists the instances that matter. Each instance has a placement: x, y, z, cosine, sine, and a bounding
sphere x, y, z, radius in its own frame.
"""

from __future__ import annotations

import math

import numpy as np

from ktsim.geometry.kernels import kernel, lean
from ktsim.geometry.kernels.primitives import (
    inverse,
    point_from_segment,
    point_from_triangle,
    segment_hits_triangle,
)
from ktsim.geometry.kernels.wide import wide_blocked, wide_clearance, wide_first

DEPTH = 512
"""Size of a traversal stack; trees are far shallower."""


@lean
def _enter(nodes, i, ox, oy, oz, ix, iy, iz, r, tmax):
    """Parameter at which the line enters box *i* grown by *r*, or 1e300 when it misses it before *tmax*."""
    t0 = (nodes[i, 0] - r - ox) * ix
    t1 = (nodes[i, 3] + r - ox) * ix
    a = min(t0, t1)
    b = max(t0, t1)
    t0 = (nodes[i, 1] - r - oy) * iy
    t1 = (nodes[i, 4] + r - oy) * iy
    a = max(a, min(t0, t1))
    b = min(b, max(t0, t1))
    t0 = (nodes[i, 2] - r - oz) * iz
    t1 = (nodes[i, 5] + r - oz) * iz
    a = max(a, min(t0, t1))
    b = min(b, max(t0, t1))
    a = max(a, 0.0)
    return a if a <= min(b, tmax) * (1.0 + 4e-16) + 1e-300 else 1e300


@lean
def tree_first(nodes, links, tris, labels, only, root, stack, ox, oy, oz, dx, dy, dz, tmax):
    """Where a thin segment first meets a triangle before *tmax*: parameter, triangle; (tmax, -1) when it does not.
    *only*: the label a triangle must have to count, or -2 for any."""
    ix = inverse(dx)
    iy = inverse(dy)
    iz = inverse(dz)
    best = tmax
    hit = -1
    sp = 0
    i = root
    if _enter(nodes, i, ox, oy, oz, ix, iy, iz, 1e-12, best) > best:
        return best, hit
    while True:
        c = links[i, 1]
        if c > 0:
            f = links[i, 0]
            for j in range(f, f + c):
                if only != -2 and labels[j] != only:
                    continue
                t = segment_hits_triangle(ox, oy, oz, dx, dy, dz, tris[j])
                if t < best:
                    best = t
                    hit = j
        else:
            l = links[i, 0]
            a = _enter(nodes, l, ox, oy, oz, ix, iy, iz, 1e-12, best)
            b = _enter(nodes, l + 1, ox, oy, oz, ix, iy, iz, 1e-12, best)
            if a <= best:
                if b <= best:
                    if a <= b:
                        stack[sp] = l + 1
                        i = l
                    else:
                        stack[sp] = l
                        i = l + 1
                    sp += 1
                else:
                    i = l
                continue
            if b <= best:
                i = l + 1
                continue
        if sp == 0:
            return best, hit
        sp -= 1
        i = stack[sp]


@lean
def _box_apart(nodes, i, x, y, z):
    dx = max(0.0, max(nodes[i, 0] - x, x - nodes[i, 3]))
    dy = max(0.0, max(nodes[i, 1] - y, y - nodes[i, 4]))
    dz = max(0.0, max(nodes[i, 2] - z, z - nodes[i, 5]))
    return dx * dx + dy * dy + dz * dz


@lean
def tree_nearest(nodes, links, tris, labels, only, root, stack, x, y, z, rmax):
    """Distance of a point from the nearest triangle labelled *only* (-2: any), and that triangle; (rmax, -1) beyond
    *rmax*."""
    best = rmax * rmax
    hit = -1
    sp = 0
    i = root
    if _box_apart(nodes, i, x, y, z) >= best:
        return rmax, hit
    while True:
        c = links[i, 1]
        if c > 0:
            f = links[i, 0]
            for j in range(f, f + c):
                if only != -2 and labels[j] != only:
                    continue
                d2 = point_from_triangle(x, y, z, tris[j])
                if d2 < best:
                    best = d2
                    hit = j
        else:
            l = links[i, 0]
            a = _box_apart(nodes, l, x, y, z)
            b = _box_apart(nodes, l + 1, x, y, z)
            if a < best:
                if b < best:
                    if a <= b:
                        stack[sp] = l + 1
                        i = l
                    else:
                        stack[sp] = l
                        i = l + 1
                    sp += 1
                else:
                    i = l
                continue
            if b < best:
                i = l + 1
                continue
        if sp == 0:
            return math.sqrt(best), hit
        sp -= 1
        i = stack[sp]


# ---- the same for a forest: each active instance in its own frame ----


@lean
def _far(place, k, ox, oy, oz, dx, dy, dz, r):
    """Is the segment farther than *r* from the instance's bounding sphere?"""
    cx = place[k, 5] * place[k, 3] - place[k, 6] * place[k, 4] + place[k, 0]
    cy = place[k, 5] * place[k, 4] + place[k, 6] * place[k, 3] + place[k, 1]
    cz = place[k, 7] + place[k, 2]
    reach = place[k, 8] + r
    return point_from_segment(cx, cy, cz, ox, oy, oz, dx, dy, dz) > reach * reach


@lean
def in_frame(place, k, ox, oy, oz, dx, dy, dz):
    """The segment in instance *k*'s own frame."""
    c = place[k, 3]
    s = place[k, 4]
    x = ox - place[k, 0]
    y = oy - place[k, 1]
    return x * c + y * s, y * c - x * s, oz - place[k, 2], dx * c + dy * s, dy * c - dx * s, dz


@lean
def local_ray(F, k, ox, oy, oz, dx, dy, dz):
    """The segment in instance *k*'s own frame, and the inverse of its direction."""
    x, y, z, ex, ey, ez = in_frame(F.place, k, ox, oy, oz, dx, dy, dz)
    return x, y, z, ex, ey, ez, inverse(ex), inverse(ey), inverse(ez)


@lean
def blocked(F, act, stack, ox, oy, oz, dx, dy, dz, r):
    """Is anything active nearer than *r* to the segment?"""
    for n in range(act.shape[0]):
        k = act[n]
        if _far(F.place, k, ox, oy, oz, dx, dy, dz, r):
            continue
        x, y, z, ex, ey, ez = in_frame(F.place, k, ox, oy, oz, dx, dy, dz)
        if wide_blocked(F.wide, F.tris, F.tops[k], stack, x, y, z, ex, ey, ez, r) >= 0:
            return True
    return False


@lean
def clearance(F, act, stack, ox, oy, oz, dx, dy, dz, rmax):
    """Distance to the nearest active thing: distance, parameter, triangle, instance; (rmax, 0, -1, -1) beyond."""
    best = rmax
    u = 0.0
    tri = -1
    inst = -1
    for n in range(act.shape[0]):
        k = act[n]
        if _far(F.place, k, ox, oy, oz, dx, dy, dz, best):
            continue
        x, y, z, ex, ey, ez = in_frame(F.place, k, ox, oy, oz, dx, dy, dz)
        d, s, j = wide_clearance(F.wide, F.tris, F.tops[k], stack, x, y, z, ex, ey, ez, best)
        if j >= 0:
            best = d
            u = s
            tri = j
            inst = k
            if d == 0.0:
                break
    return best, u, tri, inst


@kernel
def first_hit(F, act, stack, ox, oy, oz, dx, dy, dz):
    """Where a thin segment first meets something active: parameter, triangle, instance; (2, -1, -1) when nothing."""
    best = 1.0 + 1e-12
    tri = -1
    inst = -1
    for n in range(act.shape[0]):
        k = act[n]
        if _far(F.place, k, ox, oy, oz, dx, dy, dz, 0.0):
            continue
        x, y, z, ex, ey, ez = in_frame(F.place, k, ox, oy, oz, dx, dy, dz)
        t, j = wide_first(F.wide, F.tris, F.labels, -2, F.tops[k], stack, x, y, z, ex, ey, ez, best)
        if j >= 0:
            best = t
            tri = j
            inst = k
    if tri < 0:
        return 2.0, -1, -1
    return best, tri, inst


@lean
def within(F, k, label, stack, ox, oy, oz, dx, dy, dz):
    """Where a thin segment first meets what of instance *k* has this label, where next, and the triangle it meets
    first; 1 and -1 when it does not."""
    x, y, z, ex, ey, ez = in_frame(F.place, k, ox, oy, oz, dx, dy, dz)
    t, j = wide_first(F.wide, F.tris, F.labels, label, F.tops[k], stack, x, y, z, ex, ey, ez, 1.0)
    if j < 0 or t > 1.0 - 1e-9:
        return t, 1.0, j
    x += (t + 1e-9) * ex
    y += (t + 1e-9) * ey
    z += (t + 1e-9) * ez
    rest = 1.0 - t - 1e-9
    next_, _j = wide_first(
        F.wide, F.tris, F.labels, label, F.tops[k], stack, x, y, z, rest * ex, rest * ey, rest * ez, 1.0
    )
    return t, t + 1e-9 + rest * next_, j


@lean
def depth(F, k, label, stack, x, y, z, rmax):
    """Distance of a point from the surface of what of instance *k* has this label, at most *rmax*."""
    lx, ly, lz, _a, _b, _c = in_frame(F.place, k, x, y, z, 0.0, 0.0, 0.0)
    d, _j = tree_nearest(F.nodes, F.links, F.tris, F.labels, label, F.roots[k], stack, lx, ly, lz, rmax)
    return d


@kernel
def near(F, ox, oy, oz, dx, dy, dz, r, act):
    """Those of the instances *act* whose bounding sphere comes within *r* of the segment."""
    keep = np.empty(act.shape[0], np.int32)
    n = 0
    for m in range(act.shape[0]):
        if not _far(F.place, act[m], ox, oy, oz, dx, dy, dz, r):
            keep[n] = act[m]
            n += 1
    return keep[:n].copy()


@kernel
def line_clearance(F, act, ox, oy, oz, dx, dy, dz, rmax):
    """One line, its own stack: distance, parameter, triangle, instance."""
    stack = np.empty(DEPTH, np.int32)
    return clearance(F, act, stack, ox, oy, oz, dx, dy, dz, rmax)


@kernel
def lines_blocked(F, act, origin, direction, r):
    """(n,) bool: which of the lines (n, 3) ``origin + t direction`` have something nearer than *r*."""
    stack = np.empty(DEPTH, np.int32)
    out = np.empty(origin.shape[0], np.bool_)
    for i in range(origin.shape[0]):
        out[i] = blocked(
            F, act, stack,
            origin[i, 0], origin[i, 1], origin[i, 2], direction[i, 0], direction[i, 1], direction[i, 2], r,
        )  # fmt: skip
    return out


@kernel
def lines_clearance(F, act, origin, direction, rmax):
    """(n,) distances of the lines from the nearest thing, at most *rmax*."""
    stack = np.empty(DEPTH, np.int32)
    out = np.empty(origin.shape[0])
    for i in range(origin.shape[0]):
        d, _u, _j, _k = clearance(
            F, act, stack,
            origin[i, 0], origin[i, 1], origin[i, 2], direction[i, 0], direction[i, 1], direction[i, 2], rmax,
        )  # fmt: skip
        out[i] = d
    return out
