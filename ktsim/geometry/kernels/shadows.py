"""What is reached straight from an apex in the plane, and what lies in the shadow of closed borders.

An apex is a figure (see ``planar``): ways start at its rim, or at its middle when its radius is not positive. Borders
are edges (m, 4) with the number of the loop each belongs to, loops one after the other. A loop keeps nothing from what
is inside it.
"""

from __future__ import annotations

import math

import numpy as np

from ktsim.geometry.kernels import kernel, lean
from ktsim.geometry.kernels.planar import gap, rim
from ktsim.geometry.kernels.routes import stopped

SLIVER = 1e-9
"""Stretches shorter than this (in shares of an edge) are none."""


@lean
def _is_within(x, y, edges, first, last, hair):
    """Is the point inside the loop of edges first to last, and farther than *hair* from it?"""
    odd = False
    for i in range(first, last):
        ax, ay, bx, by = edges[i]
        if (ay > y) != (by > y) and ax + (y - ay) / (by - ay) * (bx - ax) > x:
            odd = not odd
    if not odd:
        return False
    for i in range(first, last):
        ax, ay, bx, by = edges[i]
        dx = bx - ax
        dy = by - ay
        l2 = dx * dx + dy * dy
        t = 0.0
        if l2 > 0.0:
            t = min(1.0, max(0.0, ((x - ax) * dx + (y - ay) * dy) / l2))
        if (ax + t * dx - x) ** 2 + (ay + t * dy - y) ** 2 <= hair * hair:
            return False
    return True


@kernel
def is_reached(x, y, apex, edges, owner, hair):
    """Does no loop keep the point from the apex? The way is looked at up to a *hair* before it."""
    d, at = gap(apex, x, y)
    if apex[6] <= 0.0 and apex[2] == 0.0:
        sx = apex[0]
        sy = apex[1]
    elif d <= 0.0:
        return True
    else:
        sx, sy = rim(apex, math.cos(at), math.sin(at))
    length = math.hypot(x - sx, y - sy)
    if length <= hair:
        return True
    share = 1.0 - hair / length
    ex = sx + share * (x - sx)
    ey = sy + share * (y - sy)
    first = 0
    m = edges.shape[0]
    while first < m:
        last = first
        while last < m and owner[last] == owner[first]:
            last += 1
        if stopped(sx, sy, ex, ey, edges[first:last]) and not _is_within(x, y, edges, first, last, hair):
            return False
        first = last
    return True


@kernel
def are_reached(spots, apex, edges, owner, hair):
    """The same for spots (n, 2): (n,) bool."""
    out = np.empty(spots.shape[0], np.bool_)
    for i in range(spots.shape[0]):
        out[i] = is_reached(spots[i, 0], spots[i, 1], apex, edges, owner, hair)
    return out


@kernel
def parted(lines, apex, edges, owner, hair):
    """Cut *lines* (n, 4) where shadows end, seen from the middle of the apex, and at edges -> pieces (k, 4), and which
    of them are reached."""
    m = edges.shape[0]
    shares = np.empty(3 * m + 2)
    pieces = np.empty((max(64, 4 * lines.shape[0]), 4))
    reached = np.empty(pieces.shape[0], np.bool_)
    n = 0
    wide = max(apex[2], apex[3]) + max(apex[6], 0.0)
    for i in range(lines.shape[0]):
        ax, ay, bx, by = lines[i]
        dx = bx - ax
        dy = by - ay
        low_x = min(apex[0] - wide, min(ax, bx))
        high_x = max(apex[0] + wide, max(ax, bx))
        low_y = min(apex[1] - wide, min(ay, by))
        high_y = max(apex[1] + wide, max(ay, by))
        shares[0] = 0.0
        shares[1] = 1.0
        count = 2
        for k in range(m):
            cx, cy, ex, ey = edges[k]
            if max(cx, ex) < low_x or min(cx, ex) > high_x:
                continue
            if max(cy, ey) < low_y or min(cy, ey) > high_y:
                continue
            for ray in range(3):
                # from the middle of the apex to either end of the edge, and along the edge
                if ray == 0:
                    ox, oy, rx, ry = apex[0], apex[1], cx - apex[0], cy - apex[1]
                elif ray == 1:
                    ox, oy, rx, ry = apex[0], apex[1], ex - apex[0], ey - apex[1]
                else:
                    ox, oy, rx, ry = cx, cy, ex - cx, ey - cy
                cross = dx * ry - dy * rx
                if abs(cross) > 1e-12:
                    t = ((ox - ax) * ry - (oy - ay) * rx) / cross
                    if 0.0 < t < 1.0:
                        shares[count] = t
                        count += 1
        cuts = np.sort(shares[:count])
        for k in range(count - 1):
            if cuts[k + 1] - cuts[k] <= SLIVER:
                continue
            if n == pieces.shape[0]:
                more = np.empty((2 * n, 4))
                more[:n] = pieces
                pieces = more
                known = np.empty(2 * n, np.bool_)
                known[:n] = reached
                reached = known
            pieces[n, 0] = ax + cuts[k] * dx
            pieces[n, 1] = ay + cuts[k] * dy
            pieces[n, 2] = ax + cuts[k + 1] * dx
            pieces[n, 3] = ay + cuts[k + 1] * dy
            middle = 0.5 * (cuts[k] + cuts[k + 1])
            reached[n] = is_reached(ax + middle * dx, ay + middle * dy, apex, edges, owner, hair)
            n += 1
    return pieces[:n].copy(), reached[:n].copy()
