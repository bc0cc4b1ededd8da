"""What lies near lines in space: the triangles about a line, and their parts within or beyond a distance of a flat
figure. What the lines of a fan cross is in ``origins``."""

from __future__ import annotations

import math

import numpy as np

from ktsim.geometry.kernels import inner, kernel, lean
from ktsim.geometry.kernels.planar import gap, support
from ktsim.geometry.kernels.primitives import inverse, segment_from_triangle
from ktsim.geometry.kernels.queries import DEPTH, _enter

FINEST = 0.08
"""How finely a triangle is cut along a zone's curved border before the border is taken as straight (inches): it bends
by at most FINEST^2 / 8 = 0.0008 inch, a fiftieth of a millimetre, over such a stretch."""
BEND = 0.004
"""Parts along a border belong to the shape on whose plane they are but for this much."""


@inner
def _apart(fig, z, x, y, h):
    """Distance of a point in space from the flat figure at height z."""
    g, _a = gap(fig, x, y)
    if g < 0.0:
        g = 0.0
    return math.sqrt(g * g + (h - z) ** 2)


@inner
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


@lean
def _plane_beyond(t, fig, z, limit, plane):
    """Set *plane* (n, c), n . x >= c being wholly beyond *limit* of the flat figure, to one across the shortest way to
    the middle of triangle t. Is all of t beyond it?"""
    cx = (t[0] + t[3] + t[6]) / 3.0
    cy = (t[1] + t[4] + t[7]) / 3.0
    h = (t[2] + t[5] + t[8]) / 3.0 - z
    g, at = gap(fig, cx, cy)
    g = max(g, 0.0)
    l = math.sqrt(g * g + h * h)
    if l == 0.0:
        return False
    x = math.cos(at)
    y = math.sin(at)
    plane[0] = x * g / l
    plane[1] = y * g / l
    plane[2] = h / l
    plane[3] = limit + g / l * support(fig, x, y) + h / l * z
    return _least(t, plane) > plane[3]


@lean
def _least(t, plane):
    least = 1e300
    for k in range(3):
        least = min(least, plane[0] * t[3 * k] + plane[1] * t[3 * k + 1] + plane[2] * t[3 * k + 2])
    return least


@kernel
def convex_groups(tris, source, wholes, fig, z, limit, fig2, z2, limit2):
    """Sort the parts of triangles that are beyond *limit* of one figure and *limit2* of another into convex shapes.

    *tris* came from the triangles *wholes* by *source*. A shape is a row of a triangle and two planes: what of the
    triangle is beyond both. Returns the parts sorted by shape, the shape of each, and the shapes (m, 17).
    """
    n = tris.shape[0]
    group = np.full(n, -1, np.int64)
    shapes = np.zeros((n, 17))
    count = 0
    first = 0
    while first < n:
        last = first
        while last < n and source[last] == source[first]:
            last += 1
        for round_ in range(2):
            for i in range(first, last):
                if group[i] >= 0:
                    continue
                row = shapes[count]
                row[:9] = wholes[source[first]]
                if last - first == 1:
                    row[:9] = tris[i]
                elif round_ == 0:
                    if not _plane_beyond(tris[i], fig, z, limit, row[9:13]):
                        continue
                    if not _plane_beyond(tris[i], fig2, z2, limit2, row[13:17]):
                        continue
                else:  # at the border itself
                    row[:9] = tris[i]
                    row[9:] = 0.0
                group[i] = count
                if round_ == 0 and last - first > 1:
                    for j in range(first, last):
                        if (
                            group[j] < 0
                            and _least(tris[j], row[9:13]) > row[12] - BEND
                            and _least(tris[j], row[13:17]) > row[16] - BEND
                        ):
                            group[j] = count
                count += 1
        first = last
    order = np.argsort(group, kind="mergesort")
    return tris[order], group[order], shapes[:count].copy()


@kernel
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


@lean
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


@kernel
def between_planes(tris, planes):
    """Which triangles (n, 9) are not wholly beyond one of the planes: (n,) bool."""
    keep = np.empty(tris.shape[0], np.bool_)
    for i in range(tris.shape[0]):
        keep[i] = not beyond_planes(tris[i], planes)
    return keep


@kernel
def cut_triangles(tris, fig, z, limit, within):
    """The parts of triangles within (or beyond) *limit* of the flat figure at height z -> triangles, source index."""
    return cut_between(tris, fig, z, limit, within, np.empty((0, 4)))


@kernel
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
    plane = np.empty(4)
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
            elif inside == 0 and _plane_beyond(t, fig, z, limit, plane):
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
            if sp + 2 > 256:
                continue
            # halve it across its longest side
            side = 0
            longest = -1.0
            for k in range(3):
                m = (k + 1) % 3
                l = 0.0
                for c in range(3):
                    l += (t[3 * k + c] - t[3 * m + c]) ** 2
                if l > longest:
                    longest = l
                    side = k
            m = (side + 1) % 3
            stack[sp] = t
            stack[sp + 1] = t
            for c in range(3):
                middle = 0.5 * (t[3 * side + c] + t[3 * m + c])
                stack[sp, 3 * m + c] = middle
                stack[sp + 1, 3 * side + c] = middle
            sp += 2
    return out[:n].copy(), source[:n].copy()


@kernel
def triangles_near(nodes, links, tris, labels, only, most, ox, oy, oz, dx, dy, dz, r):
    """The triangles of a tree nearer than *r* to the segment ``o + t d``, and their labels; just those labelled *only*
    (-2: any), and about *most* of them at most."""
    stack = np.empty(DEPTH, np.int32)
    out = np.empty((64, 9))
    names = np.empty(64, np.int32)
    n = 0
    ix = inverse(dx)
    iy = inverse(dy)
    iz = inverse(dz)
    r2 = r * r
    sp = 1
    stack[0] = 0
    while sp > 0 and n < most:
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
            if only != -2 and labels[j] != only:
                continue
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


@kernel
def triangles_in_box(nodes, links, tris, labels, root, low, high, without):
    """The triangles of a tree whose boxes touch the box from *low* to *high*, but those labelled *without*."""
    stack = np.empty(DEPTH, np.int32)
    out = np.empty((64, 9))
    n = 0
    sp = 1
    stack[0] = root
    while sp > 0:
        sp -= 1
        i = stack[sp]
        apart = False
        for k in range(3):
            if nodes[i, k] > high[k] or nodes[i, 3 + k] < low[k]:
                apart = True
        if apart:
            continue
        c = links[i, 1]
        if c == 0:
            stack[sp] = links[i, 0]
            stack[sp + 1] = links[i, 0] + 1
            sp += 2
            continue
        for j in range(links[i, 0], links[i, 0] + c):
            t = tris[j]
            apart = labels[j] == without
            for k in range(3):
                if min(t[k], min(t[3 + k], t[6 + k])) > high[k] or max(t[k], max(t[3 + k], t[6 + k])) < low[k]:
                    apart = True
            if apart:
                continue
            if n == out.shape[0]:
                more = np.empty((2 * n, 9))
                more[:n] = out
                out = more
            out[n] = t
            n += 1
    return out[:n].copy()
