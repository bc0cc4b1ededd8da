"""How much of the lines of a fan runs through polygons in the plane."""

from __future__ import annotations

import math

import numpy as np

from ktsim.geometry.kernels import inner, kernel
from ktsim.geometry.kernels.planar import TAU, gap, line_meets_rim, rim, tangents


@kernel
def insides(x, y, edges, owner, count):
    """In how many of *count* polygons is the point? Edges (m, 4) with the number of the polygon each belongs to."""
    odd = np.zeros(count, np.bool_)
    for i in range(edges.shape[0]):
        ay = edges[i, 1]
        by = edges[i, 3]
        if (ay > y) != (by > y) and x < edges[i, 0] + (y - ay) / (by - ay) * (edges[i, 2] - edges[i, 0]):
            odd[owner[i]] = not odd[owner[i]]
    return odd


@inner
def _length_inside(ax, ay, bx, by, edges, owner, at_start, cuts, who):
    """How much of the segment from a lies in any of the polygons, given in which of them it starts; *edges*: those it
    may cross; *cuts*, *who*: room to work in."""
    dx = bx - ax
    dy = by - ay
    n = 0
    for i in range(edges.shape[0]):
        cx = edges[i, 0] - ax
        cy = edges[i, 1] - ay
        ex = edges[i, 2] - ax
        ey = edges[i, 3] - ay
        s0 = dx * cy - dy * cx
        s1 = dx * ey - dy * ex
        if (s0 > 0.0) != (s1 > 0.0):
            f = s0 / (s0 - s1)
            px = cx + f * (ex - cx)
            py = cy + f * (ey - cy)
            t = (px * dx + py * dy) / (dx * dx + dy * dy)
            if 0.0 < t < 1.0:
                k = n
                while k > 0 and cuts[k - 1] > t:
                    cuts[k] = cuts[k - 1]
                    who[k] = who[k - 1]
                    k -= 1
                cuts[k] = t
                who[k] = owner[i]
                n += 1
    inside = at_start.copy()
    depth = 0
    for k in range(inside.shape[0]):
        if inside[k]:
            depth += 1
    covered = 0.0
    reached = 0.0
    for i in range(n):
        if depth > 0:
            covered += cuts[i] - reached
        reached = cuts[i]
        q = who[i]
        depth += -1 if inside[q] else 1
        inside[q] = not inside[q]
    if depth > 0:
        covered += 1.0 - reached
    return covered * math.sqrt(dx * dx + dy * dy)


@inner
def _to_rim(px, py, T, angle, edges, owner, at_start, cuts, who):
    x, y = rim(T, math.cos(angle), math.sin(angle))
    return _length_inside(px, py, x, y, edges, owner, at_start, cuts, who)


@inner
def _longest_inside(px, py, T, edges, owner, at_start, enough):
    """The most that any line from p to the facing rim of T runs through polygons: *edges* those the lines may cross,
    *owner* the polygon of each, *at_start* in which polygons p is. From *enough* on any such length will do.

    The length changes smoothly along the rim but where a line runs through a corner of a polygon: the lines just
    beside those, the tangents, and the largest in between are all that can be the longest.
    """
    d, _a = gap(T, px, py)
    if d <= 0.0:
        return 0.0
    cuts = np.empty(edges.shape[0] + 1)
    who = np.empty(edges.shape[0] + 1, np.int64)
    _ok, first, last = tangents(T, px, py, 0.0)
    angles = np.empty(13 + 4 * edges.shape[0])
    n = 13
    for i in range(13):
        angles[i] = first + (last - first) * i / 12.0
    for i in range(edges.shape[0]):
        nx = edges[i, 1] - py
        ny = px - edges[i, 0]
        l = math.sqrt(nx * nx + ny * ny)
        if l < 1e-9:
            continue
        nx /= l
        ny /= l
        met, a, b = line_meets_rim(T, nx, ny, nx * px + ny * py)
        if met:
            for side in range(2):
                turn = (a if side == 0 else b) - first
                turn = first + turn - TAU * math.floor(turn / TAU)
                if first <= turn <= last:
                    angles[n] = turn - 1e-9
                    angles[n + 1] = turn + 1e-9
                    n += 2
    order = np.sort(angles[:n])
    values = np.empty(n)
    best = 0.0
    for i in range(n):
        values[i] = _to_rim(px, py, T, order[i], edges, owner, at_start, cuts, who)
        best = max(best, values[i])
        if best >= enough:
            return best
    for i in range(n - 1):
        if best >= enough:
            break
        worth = best if enough == math.inf else enough
        if order[i + 1] - order[i] < 1e-8 or max(values[i], values[i + 1]) < worth - 0.1:
            continue
        low = order[i]
        high = order[i + 1]
        for _ in range(20):
            a = low + (high - low) / 3.0
            b = high - (high - low) / 3.0
            fa = _to_rim(px, py, T, a, edges, owner, at_start, cuts, who)
            fb = _to_rim(px, py, T, b, edges, owner, at_start, cuts, who)
            best = max(best, max(fa, fb))
            if fa < fb:
                low = a
            else:
                high = b
    return best


@kernel
def lengths_inside(points, T, edges, owner, count, near_edges, near_owner, enough):
    """The most that any line from each of *points* (n, 2) runs through polygons. *edges* are those of all of them,
    *near_edges* those the lines may cross. Exact (but for a hair) about *enough*: from there on any such length will
    do, and what is 0.1 less may be more than is said."""
    found = np.empty(points.shape[0])
    for i in range(points.shape[0]):
        at_start = insides(points[i, 0], points[i, 1], edges, owner, count)
        found[i] = _longest_inside(points[i, 0], points[i, 1], T, near_edges, near_owner, at_start, enough)
    return found
