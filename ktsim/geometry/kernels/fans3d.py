"""What lies near lines in space: the triangles about a line, and their parts within or beyond a distance of a flat
figure. What the lines of a fan cross is in ``origins``."""

from __future__ import annotations

import math

import numpy as np
from numba import njit

from . import OPTIONS
from .planar import gap, support
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
def _is_beyond(t, fig, z, limit, cx, cy, cz):
    """Is triangle t, by a plane across the shortest way to its middle c, wholly beyond *limit* of the flat figure?"""
    g, at = gap(fig, cx, cy)
    x = math.cos(at)
    y = math.sin(at)
    h = cz - z
    g = max(g, 0.0)
    l = math.sqrt(g * g + h * h)
    if l == 0.0:
        return False
    border = limit + g / l * support(fig, x, y) + h / l * z
    x *= g / l
    y *= g / l
    h /= l
    nearest = 1e300
    for k in range(3):
        nearest = min(nearest, x * t[3 * k] + y * t[3 * k + 1] + h * t[3 * k + 2])
    return nearest > border


@njit(**OPTIONS)
def clip(tris, plane):
    """What of triangles (n, 9) is not beyond a plane (n . x <= c) -> triangles, source index."""
    out = np.empty((2 * tris.shape[0], 9))
    source = np.empty(2 * tris.shape[0], np.int64)
    n = 0
    v = np.empty((3, 3))
    d = np.empty(3)
    for i in range(tris.shape[0]):
        for k in range(3):
            for c in range(3):
                v[k, c] = tris[i, 3 * k + c]
            d[k] = plane[0] * v[k, 0] + plane[1] * v[k, 1] + plane[2] * v[k, 2]
        m = _keep_polygon(v, d, plane[3], True, out, n)
        for k in range(n, m):
            source[k] = i
        n = m
    return out[:n].copy(), source[:n].copy()


@njit(**OPTIONS)
def beyond_planes(t, planes):
    """Is triangle t wholly beyond one of the planes (m, 4): n . x > c at its corners?"""
    for i in range(planes.shape[0]):
        a = planes[i, 0]
        b = planes[i, 1]
        e = planes[i, 2]
        c = planes[i, 3]
        if (
            a * t[0] + b * t[1] + e * t[2] > c
            and a * t[3] + b * t[4] + e * t[5] > c
            and a * t[6] + b * t[7] + e * t[8] > c
        ):
            return True
    return False


@njit(**OPTIONS)
def between_planes(tris, planes):
    """Which triangles (n, 9) are not wholly beyond one of the planes: (n,) bool."""
    keep = np.empty(tris.shape[0], np.bool_)
    for i in range(tris.shape[0]):
        keep[i] = not beyond_planes(tris[i], planes)
    return keep


@njit(**OPTIONS)
def cut_triangles(tris, fig, z, limit, within):
    """The parts of triangles within (or beyond) *limit* of the flat figure at height z -> triangles, source index."""
    return cut_between(tris, fig, z, limit, within, np.empty((0, 4)))


@njit(**OPTIONS)
def cut_between(tris, fig, z, limit, within, planes):
    """As ``cut_triangles``, leaving out what lies wholly beyond one of the planes (see ``beyond_planes``)."""
    cap = max(256, 4 * tris.shape[0])
    out = np.empty((cap, 9))
    source = np.empty(cap, np.int64)
    n = 0
    stack = np.empty((256, 9))
    t = np.empty(9)
    v = np.empty((3, 3))
    d = np.empty(3)
    for i in range(tris.shape[0]):
        stack[0] = tris[i]
        sp = 1
        while sp > 0:
            sp -= 1
            t[:] = stack[sp]
            if beyond_planes(t, planes):
                continue
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
            elif inside == 0 and _is_beyond(t, fig, z, limit, cx, cy, cz):
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
