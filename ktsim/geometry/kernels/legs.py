"""Straight legs of a base's centre between two places: may it go there? See ``lattice`` for what the arguments are."""

from __future__ import annotations

import math

from ktsim.geometry.kernels import lean
from ktsim.geometry.kernels.apart import points_apart2
from ktsim.geometry.kernels.bands import all_near_in, last_over
from ktsim.geometry.kernels.sweeps import meets_between

EPS = 1e-6


@lean
def _between_nodes(values, least, x, y, x0, y0, h, nx, ny):
    """Values of nodes, none less than *least*, interpolated at a place."""
    u = min(nx - 1.0, max(0.0, (x - x0) / h))
    v = min(ny - 1.0, max(0.0, (y - y0) / h))
    i = min(nx - 2, math.floor(u))
    j = min(ny - 2, math.floor(v))
    u -= i
    v -= j
    n = i * ny + j
    low = max(least, values[n]) * (1.0 - v) + max(least, values[n + 1]) * v
    high = max(least, values[n + ny]) * (1.0 - v) + max(least, values[n + ny + 1]) * v
    return low * (1.0 - u) + high * u


@lean
def _held(ax, ay, bx, by, near, reach, pieces, boxes, x0, y0, h, nx, ny):
    """Is the whole leg within *reach* of the pieces? Distances at nodes decide most legs, or most of a leg: between
    nodes they are interpolated, which is good to a few hundredths of an inch.

    What is interpolated grows by sqrt 2 an inch at most, so well within reach most places of a leg need no look.
    """
    length = math.sqrt((bx - ax) ** 2 + (by - ay) ** 2)
    steps = max(1, math.ceil(length / (0.5 * h)))
    step = max(1e-9, length / steps)
    least = reach - 3.0 * h  # nearer than this distances are not exact
    stride = 1 + math.floor(((3.0 * h - 0.03) / 1.4143 - 0.7072 * h) / step)
    u = (ax - x0) / h + 0.5
    v = (ay - y0) / h + 0.5
    du = (bx - ax) / (h * steps)
    dv = (by - ay) / (h * steps)
    first = steps + 1
    last = -1
    s = 0
    while s <= steps:
        i = min(nx - 1, max(0, int(u + s * du)))
        j = min(ny - 1, max(0, int(v + s * dv)))
        if near[i * ny + j] <= least:
            s += stride
            continue
        t = s / steps
        d = _between_nodes(near, least, ax + t * (bx - ax), ay + t * (by - ay), x0, y0, h, nx, ny)
        if d > reach + 0.03:
            return False
        if d > reach - 0.03:
            first = min(first, s)
            last = s
            s += 1
        else:
            s += 1 + math.floor((reach - 0.03 - d) / (1.4143 * step))
    if last < 0:
        return True
    low = max(0.0, (first - 1) / steps)
    high = min(1.0, (last + 1) / steps)
    px = ax + low * (bx - ax)
    py = ay + low * (by - ay)
    return all_near_in(pieces, boxes, reach, px, py, ax + high * (bx - ax), ay + high * (by - ay))


@lean
def _is_clear(ax, ay, bx, by, shape, grid, lat):
    """Does a base meet no edge of the terrain on the leg? Distances at nodes, which go as far as two nodes beyond its
    reach, decide most of a leg; only along the stretches where they do not the edges near them are asked."""
    edges, start, items, gx, gy, gnx, gny, cell, clear = grid
    x0, y0, h, nx, ny = lat
    matrix, r, inner, outer = shape
    px = matrix[0, 0] * ax + matrix[0, 1] * ay
    py = matrix[1, 0] * ax + matrix[1, 1] * ay
    qx = matrix[0, 0] * bx + matrix[0, 1] * by
    qy = matrix[1, 0] * bx + matrix[1, 1] * by
    if clear.shape[0] == 0:
        return not meets_between(px, py, qx, qy, 0.0, 1.0, r, edges, start, items, gx, gy, gnx, gny, cell)
    length = math.sqrt((bx - ax) ** 2 + (by - ay) ** 2)
    steps = max(1, math.ceil(length / (0.5 * h)))
    step = max(1e-9, length / steps)
    off = 0.7072 * h + 1e-6  # of the node that is asked from the place that is meant
    around = 0.25 * h  # what every place that is clear must answer for, to both sides
    far = outer + 2.0 * h
    stride = max(1, math.floor((2.0 * h - off + around) / step))
    low = -1.0  # where the stretch begins that is not decided, if there is one
    u = (ax - x0) / h + 0.5
    v = (ay - y0) / h + 0.5
    du = (bx - ax) / (h * steps)
    dv = (by - ay) / (h * steps)
    s = 0
    while True:
        i = min(nx - 1, max(0, int(u + s * du)))
        j = min(ny - 1, max(0, int(v + s * dv)))
        d = clear[i * ny + j]
        if d < outer + off + around:
            if d < inner - off - around:
                return False
            if low < 0.0:
                low = max(0.0, s / steps - around / max(1e-9, length))
        elif low >= 0.0:
            if meets_between(px, py, qx, qy, low, s / steps, r, edges, start, items, gx, gy, gnx, gny, cell):
                return False
            low = -1.0
        if s == steps:
            break
        s = min(steps, s + (stride if d > far else max(1, math.floor((d - off - outer + around) / step))))
    return low < 0.0 or not meets_between(px, py, qx, qy, low, 1.0, r, edges, start, items, gx, gy, gnx, gny, cell)


@lean
def _parted(ax, ay, bx, by, discs):
    """Does another operative forbid the leg? discs (m, 4): x, y, radius and 0 for keep out, 1 for: do not leave, nor
    pass through without ending there."""
    for d in range(discs.shape[0]):
        r2 = discs[d, 2] * discs[d, 2]
        if points_apart2(discs[d, 0], discs[d, 1], ax, ay, bx, by) >= r2:
            continue
        if discs[d, 3] == 0.0:
            return True
        if (bx - discs[d, 0]) ** 2 + (by - discs[d, 1]) ** 2 >= r2:
            return True
    return False


@lean
def _vetoed(ax, ay, bx, by, veto, x0, y0, h, nx, ny):
    length = math.sqrt((bx - ax) ** 2 + (by - ay) ** 2)
    steps = max(1, math.ceil(length / h))
    for s in range(steps + 1):
        t = s / steps
        i = min(nx - 1, max(0, round((ax + t * (bx - ax) - x0) / h)))
        j = min(ny - 1, max(0, round((ay + t * (by - ay) - y0) / h)))
        if veto[i * ny + j]:
            return True
    return False


@lean
def _is_open(ax, ay, bx, by, shape, grid, veto, lat):
    """Do neither terrain nor a veto forbid the leg?"""
    x0, y0, h, nx, ny = lat
    if not _is_clear(ax, ay, bx, by, shape, grid, lat):
        return False
    return not (veto.shape[0] > 0 and _vetoed(ax, ay, bx, by, veto, x0, y0, h, nx, ny))


@lean
def flight_is_free(ax, ay, bx, by, shape, grid, discs, veto, lat):
    """May a base go straight from a to b, whatever it is near to?"""
    return not _parted(ax, ay, bx, by, discs) and _is_open(ax, ay, bx, by, shape, grid, veto, lat)


@lean
def leg_is_free(ax, ay, bx, by, shape, grid, near, reach, pieces, boxes, discs, veto, lat):
    """May a base go straight from a to b on this layer? Everything but tolls and doors. *boxes* are those around the
    pieces (``bands.boxes_of``)."""
    if not flight_is_free(ax, ay, bx, by, shape, grid, discs, veto, lat):
        return False
    x0, y0, h, nx, ny = lat
    return near.shape[0] == 0 or _held(ax, ay, bx, by, near, reach, pieces, boxes, x0, y0, h, nx, ny)


@lean
def side_of_door(x, y, door, outer):
    """On which side of a doorway a base is that reaches *outer*: 1 or -1, and 0 when it is in it."""
    v = (y - door[1]) * door[2] - (x - door[0]) * door[3]
    return 1 if v >= door[5] + outer - 1e-9 else -1 if v <= -door[6] - outer + 1e-9 else 0


@lean
def through_door(ax, ay, bx, by, door, outer):
    """The stretch of a leg in a doorway (cx, cy, ux, uy, half width, left, right): (found, low, high)."""
    if side_of_door(ax, ay, door, outer) * side_of_door(bx, by, door, outer) != -1:
        return False, 0.0, 0.0
    u0 = (ax - door[0]) * door[2] + (ay - door[1]) * door[3]
    v0 = (ay - door[1]) * door[2] - (ax - door[0]) * door[3]
    u1 = (bx - door[0]) * door[2] + (by - door[1]) * door[3]
    v1 = (by - door[1]) * door[2] - (bx - door[0]) * door[3]
    top = door[5] + outer
    bottom = -door[6] - outer
    t0 = (top - v0) / (v1 - v0)
    t1 = (bottom - v0) / (v1 - v0)
    lo = min(t0, t1)
    hi = max(t0, t1)
    if abs(u0 + lo * (u1 - u0)) > door[4] or abs(u0 + hi * (u1 - u0)) > door[4]:
        return False, 0.0, 0.0
    return True, max(0.0, lo), min(1.0, hi)


@lean
def door_leg_is_free(ax, ay, bx, by, lo, hi, shape, grid, clipped, discs, veto, lat):
    """May a base go straight through a doorway? Before and after it everything counts, in it what is beyond."""
    px = ax + lo * (bx - ax)
    py = ay + lo * (by - ay)
    qx = ax + hi * (bx - ax)
    qy = ay + hi * (by - ay)
    if lo > 0.0 and not _is_open(ax, ay, px, py, shape, grid, veto, lat):
        return False
    if not _is_open(px, py, qx, qy, shape, clipped, veto, lat):
        return False
    if hi < 1.0 and not _is_open(qx, qy, bx, by, shape, grid, veto, lat):
        return False
    return not _parted(ax, ay, bx, by, discs)


@lean
def past_edge(pieces, ax, ay, bx, by):
    """How far the leg goes beyond the last point over the pieces."""
    return (1.0 - last_over(pieces, ax, ay, bx, by)) * math.sqrt((bx - ax) ** 2 + (by - ay) ** 2)
