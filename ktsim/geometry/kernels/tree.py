"""Bounding volume trees over triangles: built by the surface area heuristic, stored as flat arrays.

A tree is three arrays: *nodes* (n, 6) boxes low then high; *links* (n, 2) int32, for an inner node its left child
(the right one follows it) and 0, for a leaf its first triangle and how many; *order*, the triangles leaf by leaf.
"""

from __future__ import annotations

import math

import numpy as np

from ktsim.geometry.kernels import kernel

BINS = 12


@kernel
def build(tri, leaf):
    """Build a tree over *tri* (n, 9) with at most *leaf* triangles a leaf -> nodes, links, order."""
    n = tri.shape[0]
    centre = np.empty((n, 3))
    low = np.empty((n, 3))
    high = np.empty((n, 3))
    for i in range(n):
        for k in range(3):
            a = tri[i, k]
            b = tri[i, 3 + k]
            c = tri[i, 6 + k]
            low[i, k] = min(a, min(b, c))
            high[i, k] = max(a, max(b, c))
            centre[i, k] = 0.5 * (low[i, k] + high[i, k])
    order = np.arange(n)
    nodes = np.empty((2 * n, 6))
    links = np.empty((2 * n, 2), np.int32)
    stack = np.empty((128, 3), np.int64)
    count = 1
    stack[0, 0] = 0
    stack[0, 1] = 0
    stack[0, 2] = n
    top = 1
    bin_low = np.empty((BINS, 3))
    bin_high = np.empty((BINS, 3))
    bin_count = np.empty(BINS, np.int64)
    right = np.empty(BINS)
    bound = np.empty((2, 3))
    spread = np.empty((2, 3))
    while top > 0:
        top -= 1
        node = stack[top, 0]
        start = stack[top, 1]
        end = stack[top, 2]
        for k in range(3):
            bound[0, k] = 1e300
            bound[1, k] = -1e300
            spread[0, k] = 1e300
            spread[1, k] = -1e300
        for j in range(start, end):
            i = order[j]
            for k in range(3):
                bound[0, k] = min(bound[0, k], low[i, k])
                bound[1, k] = max(bound[1, k], high[i, k])
                spread[0, k] = min(spread[0, k], centre[i, k])
                spread[1, k] = max(spread[1, k], centre[i, k])
        for k in range(3):
            nodes[node, k] = bound[0, k]
            nodes[node, 3 + k] = bound[1, k]
        if end - start <= leaf:
            links[node, 0] = start
            links[node, 1] = end - start
            continue
        best = 1e300
        best_axis = -1
        best_bin = 0
        for axis in range(3):
            lo = spread[0, axis]
            hi = spread[1, axis]
            if hi - lo < 1e-12:
                continue
            scale = BINS * (1.0 - 1e-9) / (hi - lo)
            for b in range(BINS):
                bin_count[b] = 0
                for k in range(3):
                    bin_low[b, k] = 1e300
                    bin_high[b, k] = -1e300
            for j in range(start, end):
                i = order[j]
                b = int((centre[i, axis] - lo) * scale)
                bin_count[b] += 1
                for k in range(3):
                    bin_low[b, k] = min(bin_low[b, k], low[i, k])
                    bin_high[b, k] = max(bin_high[b, k], high[i, k])
            x0 = 1e300
            x1 = 1e300
            x2 = 1e300
            y0 = -1e300
            y1 = -1e300
            y2 = -1e300
            c = 0
            for b in range(BINS - 1, 0, -1):
                x0 = min(x0, bin_low[b, 0])
                x1 = min(x1, bin_low[b, 1])
                x2 = min(x2, bin_low[b, 2])
                y0 = max(y0, bin_high[b, 0])
                y1 = max(y1, bin_high[b, 1])
                y2 = max(y2, bin_high[b, 2])
                c += bin_count[b]
                right[b] = 1e300
                if c > 0:
                    right[b] = c * ((y0 - x0) * (y1 - x1) + (y1 - x1) * (y2 - x2) + (y2 - x2) * (y0 - x0))
            x0 = 1e300
            x1 = 1e300
            x2 = 1e300
            y0 = -1e300
            y1 = -1e300
            y2 = -1e300
            c = 0
            for b in range(BINS - 1):
                x0 = min(x0, bin_low[b, 0])
                x1 = min(x1, bin_low[b, 1])
                x2 = min(x2, bin_low[b, 2])
                y0 = max(y0, bin_high[b, 0])
                y1 = max(y1, bin_high[b, 1])
                y2 = max(y2, bin_high[b, 2])
                c += bin_count[b]
                if c == 0:
                    continue
                area = (y0 - x0) * (y1 - x1) + (y1 - x1) * (y2 - x2) + (y2 - x2) * (y0 - x0)
                cost = c * area + right[b + 1]
                if cost < best:
                    best = cost
                    best_axis = axis
                    best_bin = b
        middle = (start + end) // 2
        if best_axis >= 0:
            lo = spread[0, best_axis]
            hi = spread[1, best_axis]
            scale = BINS * (1.0 - 1e-9) / (hi - lo)
            i0 = start
            j0 = end - 1
            while i0 <= j0:
                if int((centre[order[i0], best_axis] - lo) * scale) <= best_bin:
                    i0 += 1
                else:
                    t = order[i0]
                    order[i0] = order[j0]
                    order[j0] = t
                    j0 -= 1
            if start < i0 < end:
                middle = i0
        links[node, 0] = count
        links[node, 1] = 0
        stack[top, 0] = count
        stack[top, 1] = start
        stack[top, 2] = middle
        stack[top + 1, 0] = count + 1
        stack[top + 1, 1] = middle
        stack[top + 1, 2] = end
        top += 2
        count += 2
    return nodes[:count].copy(), links[:count].copy(), order


@kernel
def spheres(nodes, links, tri):
    """A bounding sphere (x, y, z, radius) of the triangles below each node; tighter than the box's."""
    n = len(nodes)
    out = np.empty((n, 4))
    first = np.empty(n, np.int64)
    last = np.empty(n, np.int64)
    for i in range(n - 1, -1, -1):
        if links[i, 1] > 0:
            first[i] = links[i, 0]
            last[i] = links[i, 0] + links[i, 1]
        else:
            child = links[i, 0]
            first[i] = min(first[child], first[child + 1])
            last[i] = max(last[child], last[child + 1])
        x = 0.5 * (nodes[i, 0] + nodes[i, 3])
        y = 0.5 * (nodes[i, 1] + nodes[i, 4])
        z = 0.5 * (nodes[i, 2] + nodes[i, 5])
        far = 0.0
        for j in range(first[i], last[i]):
            for k in range(3):
                dx = tri[j, 3 * k] - x
                dy = tri[j, 3 * k + 1] - y
                dz = tri[j, 3 * k + 2] - z
                far = max(far, dx * dx + dy * dy + dz * dz)
        out[i, 0] = x
        out[i, 1] = y
        out[i, 2] = z
        out[i, 3] = math.sqrt(far)
    return out


@kernel
def corners(links, tri):
    """(n, 9) int32: of each node below which the triangles have at most eight corners how many, and which: corner *e*
    of triangle *j* is 3 j + e. 0: there are more."""
    n = len(links)
    points = tri.reshape(-1, 3)
    out = np.zeros((n, 9), np.int32)
    for i in range(n - 1, -1, -1):
        row = out[i]
        if links[i, 1] == 1:
            row[0] = 3
            for e in range(3):
                row[1 + e] = 3 * links[i, 0] + e
            continue
        if links[i, 1] > 0 or out[links[i, 0], 0] == 0 or out[links[i, 0] + 1, 0] == 0:
            continue
        row[:] = out[links[i, 0]]
        other = out[links[i, 0] + 1]
        for q in range(1, 1 + other[0]):
            known = False
            for p in range(1, 1 + row[0]):
                a = points[row[p]]
                b = points[other[q]]
                known = known or (a[0] == b[0] and a[1] == b[1] and a[2] == b[2])
            if known:
                continue
            if row[0] == 8:
                row[0] = 0
                break
            row[0] += 1
            row[row[0]] = other[q]
    return out
