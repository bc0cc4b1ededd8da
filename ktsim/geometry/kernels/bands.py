"""What a solid holds between two heights, seen from above, as triangles in the plane.

The shadow of a closed mesh in a band of heights is the union of its surface clipped to the band, plus the places where
the solid fills the band without any surface in it. A base that starts outside and never comes near the clipped surface
never enters the second kind, so for moving the clipped surface is all it takes.
"""

from __future__ import annotations

import math

import numpy as np

from ktsim.geometry.kernels import inner, kernel, lean

BUNCH = 32
"""Triangles in one box."""


@lean
def _clip(points, n, z, above, out):
    """Clip a polygon (n, 3) by a horizontal plane; returns the number of corners written to *out*."""
    m = 0
    for i in range(n):
        j = (i + 1) % n
        di = points[i, 2] - z if above else z - points[i, 2]
        dj = points[j, 2] - z if above else z - points[j, 2]
        if di >= 0.0:
            for k in range(3):
                out[m, k] = points[i, k]
            m += 1
        if (di > 0.0 and dj < 0.0) or (di < 0.0 and dj > 0.0):
            t = di / (di - dj)
            for k in range(3):
                out[m, k] = points[i, k] + t * (points[j, k] - points[i, k])
            m += 1
    return m


@kernel
def band(tris, low, high):
    """Triangles (n, 9) between the heights *low* and *high*, seen from above: (m, 6). Upright faces become slivers."""
    out = np.empty((3 * tris.shape[0], 6))
    m = 0
    one = np.empty((8, 3))
    two = np.empty((8, 3))
    for i in range(tris.shape[0]):
        top = max(tris[i, 2], max(tris[i, 5], tris[i, 8]))
        bottom = min(tris[i, 2], min(tris[i, 5], tris[i, 8]))
        if top < low or bottom > high:
            continue
        for k in range(3):
            for c in range(3):
                one[k, c] = tris[i, 3 * k + c]
        n = 3
        if bottom < low:
            n = _clip(one, n, low, True, two)
            for k in range(n):
                for c in range(3):
                    one[k, c] = two[k, c]
        if top > high and n > 0:
            n = _clip(one, n, high, False, two)
            for k in range(n):
                for c in range(3):
                    one[k, c] = two[k, c]
        for k in range(1, n - 1):
            out[m, 0] = one[0, 0]
            out[m, 1] = one[0, 1]
            out[m, 2] = one[k, 0]
            out[m, 3] = one[k, 1]
            out[m, 4] = one[k + 1, 0]
            out[m, 5] = one[k + 1, 1]
            m += 1
    return out[:m].copy()


@lean
def in_triangle(piece, x, y):
    """Is the point inside or on the border of a triangle (6,) of either winding? Never for a sliver."""
    d0 = (piece[2] - piece[0]) * (y - piece[1]) - (piece[3] - piece[1]) * (x - piece[0])
    d1 = (piece[4] - piece[2]) * (y - piece[3]) - (piece[5] - piece[3]) * (x - piece[2])
    d2 = (piece[0] - piece[4]) * (y - piece[5]) - (piece[1] - piece[5]) * (x - piece[4])
    if abs(d0 + d1 + d2) < 1e-12:
        return False
    return (d0 >= 0.0 and d1 >= 0.0 and d2 >= 0.0) or (d0 <= 0.0 and d1 <= 0.0 and d2 <= 0.0)


@kernel
def over(pieces, x, y):
    """Index of a triangle (n, 6) that holds the point, or -1."""
    for i in range(pieces.shape[0]):
        if in_triangle(pieces[i], x, y):
            return i
    return -1


@kernel
def fills(tris, x, y, z):
    """Is the point inside the solid of closed triangles (n, 9)? Faces above it count by the way they look, so shells
    that overlap do not cancel out."""
    turns = 0
    for i in range(tris.shape[0]):
        t = tris[i]
        d0 = (t[3] - t[0]) * (y - t[1]) - (t[4] - t[1]) * (x - t[0])
        d1 = (t[6] - t[3]) * (y - t[4]) - (t[7] - t[4]) * (x - t[3])
        d2 = (t[0] - t[6]) * (y - t[7]) - (t[1] - t[7]) * (x - t[6])
        if not ((d0 >= 0.0 and d1 >= 0.0 and d2 >= 0.0) or (d0 <= 0.0 and d1 <= 0.0 and d2 <= 0.0)):
            continue
        twice = d0 + d1 + d2
        if abs(twice) < 1e-12:
            continue
        height = (d1 * t[2] + d2 * t[5] + d0 * t[8]) / twice
        if height > z:
            turns += 1 if twice > 0.0 else -1
    return turns > 0


@lean
def _disc_part(cx, cy, r, ax, ay, dx, dy):
    """The parameters, from 0 to 1, between which a + t d is within r of the point c; the first is greater when it never
    is."""
    fx = ax - cx
    fy = ay - cy
    qa = dx * dx + dy * dy
    qc = fx * fx + fy * fy - r * r
    if qa == 0.0:
        return (0.0, 1.0) if qc <= 0.0 else (2.0, -1.0)
    qb = fx * dx + fy * dy
    q = qb * qb - qa * qc
    if q < 0.0:
        return 2.0, -1.0
    q = math.sqrt(q)
    return max(0.0, (-qb - q) / qa), min(1.0, (-qb + q) / qa)


@lean
def _strip_part(px, py, qx, qy, r, ax, ay, dx, dy):
    """The same of the strip beside the segment pq and within r of it."""
    ex = qx - px
    ey = qy - py
    l2 = ex * ex + ey * ey
    if l2 < 1e-24:
        return 2.0, -1.0
    length = math.sqrt(l2)
    lo = 0.0
    hi = 1.0
    for k in range(2):
        # k = 0: the projection on the segment lies in [0, l2]; k = 1: the distance from its line in [-r, r]
        if k == 0:
            start = (ax - px) * ex + (ay - py) * ey
            slope = dx * ex + dy * ey
            least = 0.0
            most = l2
        else:
            start = ((ax - px) * ey - (ay - py) * ex) / length
            slope = (dx * ey - dy * ex) / length
            least = -r
            most = r
        if abs(slope) < 1e-15:
            if start < least or start > most:
                return 2.0, -1.0
        else:
            t0 = (least - start) / slope
            t1 = (most - start) / slope
            lo = max(lo, min(t0, t1))
            hi = min(hi, max(t0, t1))
    return lo, hi


@lean
def _chord(piece, ax, ay, dx, dy):
    """The same of the inside of a triangle."""
    twice = (piece[2] - piece[0]) * (piece[5] - piece[1]) - (piece[3] - piece[1]) * (piece[4] - piece[0])
    if abs(twice) < 1e-12:
        return 2.0, -1.0
    sign = 1.0 if twice > 0.0 else -1.0
    lo = 0.0
    hi = 1.0
    for k in range(3):
        j = (k + 1) % 3
        ex = piece[2 * j] - piece[2 * k]
        ey = piece[2 * j + 1] - piece[2 * k + 1]
        start = sign * (ex * (ay - piece[2 * k + 1]) - ey * (ax - piece[2 * k]))
        slope = sign * (ex * dy - ey * dx)
        if abs(slope) < 1e-15:
            if start < 0.0:
                return 2.0, -1.0
        elif slope > 0.0:
            lo = max(lo, -start / slope)
        else:
            hi = min(hi, -start / slope)
    return lo, hi


@inner
def boxes_of(rows, bunch):
    """The boxes (n, 4) around every *bunch* rows of points, triangles or edges: those of one part follow each other, so
    most are small."""
    n = (rows.shape[0] + bunch - 1) // bunch
    out = np.empty((n, 4))
    for b in range(n):
        out[b, 0] = out[b, 1] = math.inf
        out[b, 2] = out[b, 3] = -math.inf
        for i in range(b * bunch, min(rows.shape[0], (b + 1) * bunch)):
            for k in range(0, rows.shape[1], 2):
                out[b, 0] = min(out[b, 0], rows[i, k])
                out[b, 1] = min(out[b, 1], rows[i, k + 1])
                out[b, 2] = max(out[b, 2], rows[i, k])
                out[b, 3] = max(out[b, 3], rows[i, k + 1])
    return out


@lean
def _widened(low, high, also):
    """A stretch, as parameters, and what *also* is of it; nothing has the first greater than the second."""
    return (min(low, also[0]), max(high, also[1])) if also[0] <= also[1] else (low, high)


@lean
def _stretch_near(p, r, ax, ay, bx, by):
    """The stretch of the segment within *r* of a triangle, as two parameters; the first is greater when there is none.

    Along a line the distance from a convex piece is convex, so each piece gives one stretch.
    """
    if min(p[0], min(p[2], p[4])) - r > max(ax, bx) or max(p[0], max(p[2], p[4])) + r < min(ax, bx):
        return 2.0, -1.0
    if min(p[1], min(p[3], p[5])) - r > max(ay, by) or max(p[1], max(p[3], p[5])) + r < min(ay, by):
        return 2.0, -1.0
    dx = bx - ax
    dy = by - ay
    low, high = _widened(2.0, -1.0, _chord(p, ax, ay, dx, dy))
    for k in range(3):
        if r > 0.0:
            j = (k + 1) % 3
            low, high = _widened(low, high, _disc_part(p[2 * k], p[2 * k + 1], r, ax, ay, dx, dy))
            strip = _strip_part(p[2 * k], p[2 * k + 1], p[2 * j], p[2 * j + 1], r, ax, ay, dx, dy)
            low, high = _widened(low, high, strip)
    return low, high


@lean
def last_over(pieces, ax, ay, bx, by):
    """The last parameter of the segment, from 0 to 1, at which it is over any triangle; 0 when it never is."""
    last = 0.0
    for i in range(pieces.shape[0]):
        last = max(last, _stretch_near(pieces[i], 0.0, ax, ay, bx, by)[1])
    return last


@kernel
def near_spans(pieces, r, ax, ay, bx, by):
    """The stretches (k, 2) of the segment, as parameters, that are within *r* of any triangle: merged, in order."""
    n = pieces.shape[0]
    spans = np.empty((n, 2))
    m = 0
    for i in range(n):
        low, high = _stretch_near(pieces[i], r, ax, ay, bx, by)
        if low <= high:
            spans[m, 0] = low
            spans[m, 1] = high
            m += 1
    order = np.argsort(spans[:m, 0].copy())  # one after the other, as what is sorted elsewhere: compiled once
    out = np.empty((m, 2))
    k = 0
    for i in order:
        if k > 0 and spans[i, 0] <= out[k - 1, 1] + 1e-9:
            out[k - 1, 1] = max(out[k - 1, 1], spans[i, 1])
        else:
            out[k, 0] = spans[i, 0]
            out[k, 1] = spans[i, 1]
            k += 1
    return out[:k].copy()


@lean
def _covered(pieces, first, r, ax, ay, bx, by, end):
    """How far from its beginning the segment is covered by a bunch of triangles, when it is up to *end*."""
    for i in range(first, min(pieces.shape[0], first + BUNCH)):
        low, high = _stretch_near(pieces[i], r, ax, ay, bx, by)
        if low <= end + 1e-9 and high > end:
            end = high
    return end


@lean
def all_near_in(pieces, boxes, r, ax, ay, bx, by):
    """:func:`all_near` where the boxes around the triangles are known."""
    end = 0.0
    before = -1.0
    while end > before:
        before = end
        for b in range(boxes.shape[0]):
            if boxes[b, 0] > max(ax, bx) + r or boxes[b, 2] < min(ax, bx) - r:
                continue
            if boxes[b, 1] > max(ay, by) + r or boxes[b, 3] < min(ay, by) - r:
                continue
            end = _covered(pieces, b * BUNCH, r, ax, ay, bx, by, end)
            if end >= 1.0 - 1e-9:
                return True
    return False


@kernel
def all_near(pieces, r, ax, ay, bx, by):
    """Is the whole segment within *r* of the triangles?"""
    return all_near_in(pieces, boxes_of(pieces, BUNCH), r, ax, ay, bx, by)


@kernel
def near_point(pieces, r, x, y):
    """Which triangles (n, 6) are within *r* of the point: (n,) bool."""
    out = np.zeros(pieces.shape[0], np.bool_)
    for i in range(pieces.shape[0]):
        low, high = _stretch_near(pieces[i], r, x, y, x, y)
        out[i] = low <= high
    return out
