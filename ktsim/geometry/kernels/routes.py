"""Shortest ways in the plane that touch none of the given edges (m, 4): the borders of what stands in the way."""

from __future__ import annotations

import math

import numpy as np

from ktsim.geometry.kernels import kernel
from ktsim.geometry.kernels.planar import gap, rim


@kernel
def stopped(ax, ay, bx, by, edges):
    """Does the segment touch any edge? Touching counts, so that nothing passes between walls set end to end."""
    for i in range(edges.shape[0]):
        cx = edges[i, 0]
        cy = edges[i, 1]
        dx = edges[i, 2]
        dy = edges[i, 3]
        if max(ax, bx) < min(cx, dx) or max(cx, dx) < min(ax, bx):
            continue
        if max(ay, by) < min(cy, dy) or max(cy, dy) < min(ay, by):
            continue
        o1 = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax)
        o2 = (bx - ax) * (dy - ay) - (by - ay) * (dx - ax)
        if (o1 > 0.0 and o2 > 0.0) or (o1 < 0.0 and o2 < 0.0):
            continue
        o3 = (dx - cx) * (ay - cy) - (dy - cy) * (ax - cx)
        o4 = (dx - cx) * (by - cy) - (dy - cy) * (bx - cx)
        if (o3 > 0.0 and o4 > 0.0) or (o3 < 0.0 and o4 < 0.0):
            continue
        return True
    return False


@kernel
def corner_ways(corners, edges):
    """Lengths of the shortest ways between all corners (n, 2): (n, n), inf when there is none."""
    n = corners.shape[0]
    way = np.full((n, n), np.inf)
    for i in range(n):
        way[i, i] = 0.0
        for j in range(i + 1, n):
            if not stopped(corners[i, 0], corners[i, 1], corners[j, 0], corners[j, 1], edges):
                d = math.hypot(corners[i, 0] - corners[j, 0], corners[i, 1] - corners[j, 1])
                way[i, j] = d
                way[j, i] = d
    for k in range(n):
        for i in range(n):
            if way[i, k] < np.inf:
                for j in range(n):
                    d = way[i, k] + way[k, j]
                    if d < way[i, j]:
                        way[i, j] = d
    return way


@kernel
def to_corners(figure, corners, edges):
    """From a convex figure straight to each corner (n, 2): (n,) lengths, inf where an edge is in the way."""
    out = np.full(corners.shape[0], np.inf)
    for i in range(corners.shape[0]):
        d, at = gap(figure, corners[i, 0], corners[i, 1])
        if d <= 0.0:
            out[i] = 0.0
            continue
        x, y = rim(figure, math.cos(at), math.sin(at))
        if not stopped(x, y, corners[i, 0], corners[i, 1], edges):
            out[i] = d
    return out
