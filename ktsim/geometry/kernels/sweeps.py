"""A disc that moves along straight lines among edges, found through a grid of cells."""

from __future__ import annotations

import math

import numpy as np

from ktsim.geometry.kernels import kernel, lean
from ktsim.geometry.kernels.apart import points_apart2, segments_apart2

FINE = 1e7
"""Parts of an inch to which the ends of edges are told apart."""


@lean
def _is_same(a, b):
    return a[0] == b[0] and a[1] == b[1] and a[2] == b[2] and a[3] == b[3]


@kernel
def first_of_each(edges):
    """Which edges (m, 4) are the first of those between the same two places, whichever way: (m,) bool. Not those
    without any length. Turns edges so that their first end is further left, or lower."""
    m = edges.shape[0]
    out = np.zeros(m, np.bool_)
    names = np.empty((m, 4), np.int64)
    size = 16
    while size < 2 * m:
        size *= 2
    table = np.full(size, -1, np.int32)
    for e in range(m):
        ax, ay, bx, by = edges[e]
        if math.sqrt((bx - ax) ** 2 + (by - ay) ** 2) <= 1e-9:
            continue
        if ax > bx or (ax == bx and ay > by):
            edges[e, 0], edges[e, 1], edges[e, 2], edges[e, 3] = bx, by, ax, ay
        place = 0
        for k in range(4):
            names[e, k] = round(edges[e, k] * FINE)
            place = (place ^ names[e, k]) * 0x1E3779B97F4A7C15
            place ^= place >> 29
        place &= size - 1
        while table[place] >= 0 and not _is_same(names[table[place]], names[e]):
            place = (place + 1) & (size - 1)
        if table[place] < 0:
            table[place] = e
            out[e] = True
    return out


@lean
def _cells(ax, ay, bx, by, r, x0, y0, nx, ny, cell):
    """First and last column and row of the cells that a segment grown by *r* may touch."""
    return (
        min(nx - 1, max(0, math.floor((min(ax, bx) - r - x0) / cell))),
        min(nx - 1, max(0, math.floor((max(ax, bx) + r - x0) / cell))),
        min(ny - 1, max(0, math.floor((min(ay, by) - r - y0) / cell))),
        min(ny - 1, max(0, math.floor((max(ay, by) + r - y0) / cell))),
    )


@kernel
def bucket(edges, x0, y0, nx, ny, cell):
    """Which edges (m, 4) touch which cell: (start (nx * ny + 1,), items). Cells outside the grid are its border's."""
    count = np.zeros(nx * ny + 1, np.int64)
    for step in range(2):
        if step == 1:
            total = 0
            for c in range(nx * ny + 1):
                here = count[c]
                count[c] = total
                total += here
            items = np.empty(total, np.int32)
            fill = count.copy()
        for e in range(edges.shape[0]):
            ax = edges[e, 0]
            ay = edges[e, 1]
            bx = edges[e, 2]
            by = edges[e, 3]
            i0, i1, j0, j1 = _cells(ax, ay, bx, by, 0.0, x0, y0, nx, ny, cell)
            for i in range(i0, i1 + 1):
                for j in range(j0, j1 + 1):
                    if i1 > i0 and j1 > j0:
                        # a slanting edge misses most cells of its box
                        cx = x0 + (i + 0.5) * cell
                        cy = y0 + (j + 0.5) * cell
                        if points_apart2(cx, cy, ax, ay, bx, by) > 0.51 * cell * cell:
                            continue
                    c = i * ny + j
                    if step == 0:
                        count[c] += 1
                    else:
                        items[fill[c]] = e
                        fill[c] += 1
    return count, items


@kernel
def met(ax, ay, bx, by, r, any_will_do, edges, start, items, x0, y0, nx, ny, cell):
    """The edge nearest to the segment (or any one) among those nearer than *r*, or -1: what a disc of that radius
    would hit."""
    best = r * r
    found = -1
    i0, i1, j0, j1 = _cells(ax, ay, bx, by, r, x0, y0, nx, ny, cell)
    reach = (r + 0.7072 * cell) ** 2
    for i in range(i0, i1 + 1):
        for j in range(j0, j1 + 1):
            c = i * ny + j
            if start[c] == start[c + 1]:
                continue
            inner = 0 < i < nx - 1 and 0 < j < ny - 1
            if inner and points_apart2(x0 + (i + 0.5) * cell, y0 + (j + 0.5) * cell, ax, ay, bx, by) > reach:
                continue
            for k in range(start[c], start[c + 1]):
                e = items[k]
                d = segments_apart2(ax, ay, bx, by, edges[e, 0], edges[e, 1], edges[e, 2], edges[e, 3])
                if d < best:
                    if any_will_do:
                        return e
                    best = d
                    found = e
    return found


@lean
def meets_between(ax, ay, bx, by, low, high, r, edges, start, items, x0, y0, nx, ny, cell):
    """Whether any edge is nearer than *r* to the segment, when none is to what of it is outside the stretch between
    the parameters *low* and *high*: edges away from the stretch are not asked."""
    if edges.shape[0] == 0:
        return False
    px = ax + low * (bx - ax)
    py = ay + low * (by - ay)
    qx = ax + high * (bx - ax)
    qy = ay + high * (by - ay)
    wide = r + 1e-6
    left = min(px, qx) - wide
    right = max(px, qx) + wide
    lower = min(py, qy) - wide
    upper = max(py, qy) + wide
    i0, i1, j0, j1 = _cells(px, py, qx, qy, wide, x0, y0, nx, ny, cell)
    reach = (wide + 0.7072 * cell) ** 2
    for i in range(i0, i1 + 1):
        for j in range(j0, j1 + 1):
            c = i * ny + j
            if start[c] == start[c + 1]:
                continue
            inner = 0 < i < nx - 1 and 0 < j < ny - 1
            if inner and points_apart2(x0 + (i + 0.5) * cell, y0 + (j + 0.5) * cell, px, py, qx, qy) > reach:
                continue
            for k in range(start[c], start[c + 1]):
                e = edges[items[k]]
                if max(e[0], e[2]) < left or min(e[0], e[2]) > right:
                    continue
                if max(e[1], e[3]) < lower or min(e[1], e[3]) > upper:
                    continue
                if segments_apart2(ax, ay, bx, by, e[0], e[1], e[2], e[3]) < r * r:
                    return True
    return False
