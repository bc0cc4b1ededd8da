"""A square lattice of places for a base's centre: what is free, how far things are, and legs between its nodes.

A lattice is (x0, y0, h, nx, ny); node (i, j) is number ``i * ny + j`` at ``(x0 + i h, y0 + j h)``. Behind the nodes of
the lattice a few extra ones may follow, anywhere (the start of a move).
"""

from __future__ import annotations

import math

import numpy as np

from ktsim.geometry.kernels import kernel, lean
from ktsim.geometry.kernels.apart import points_apart2
from ktsim.geometry.kernels.bands import BUNCH, boxes_of, in_triangle
from ktsim.geometry.kernels.legs import (
    door_leg_is_free,
    flight_is_free,
    leg_is_free,
    past_edge,
    side_of_door,
    through_door,
)

EPS = 1e-6
BLOCKED, FREE, PASSED = 0, 1, 2
"""A node: in terrain; fit to end an increment; only to be passed."""
FEW = 8
"""Triangles that a node is held against together: most nodes near them are nearer to others."""


@lean
def _span(low, high, origin, h, n):
    return max(0, math.ceil((low - origin) / h - 1e-9)), min(n - 1, math.floor((high - origin) / h + 1e-9))


@kernel
def mark_blocked(edges, matrix, r, outer, x0, y0, h, nx, ny, out):
    """Set out (nx * ny,) where a base overlaps an edge (m, 4). *matrix* (2, 2) makes the base a disc of radius r; it
    reaches *outer* from its centre."""
    for e in range(edges.shape[0]):
        ax = matrix[0, 0] * edges[e, 0] + matrix[0, 1] * edges[e, 1]
        ay = matrix[1, 0] * edges[e, 0] + matrix[1, 1] * edges[e, 1]
        bx = matrix[0, 0] * edges[e, 2] + matrix[0, 1] * edges[e, 3]
        by = matrix[1, 0] * edges[e, 2] + matrix[1, 1] * edges[e, 3]
        i0, i1 = _span(min(edges[e, 0], edges[e, 2]) - outer, max(edges[e, 0], edges[e, 2]) + outer, x0, h, nx)
        j0, j1 = _span(min(edges[e, 1], edges[e, 3]) - outer, max(edges[e, 1], edges[e, 3]) + outer, y0, h, ny)
        for i in range(i0, i1 + 1):
            x = x0 + i * h
            for j in range(j0, j1 + 1):
                if out[i * ny + j]:
                    continue
                y = y0 + j * h
                px = matrix[0, 0] * x + matrix[0, 1] * y
                py = matrix[1, 0] * x + matrix[1, 1] * y
                if points_apart2(px, py, ax, ay, bx, by) < r * r:
                    out[i * ny + j] = True


@kernel
def mark_over(pieces, x0, y0, h, nx, ny, out):
    """Set out (nx * ny,) where a node is over a triangle (m, 6)."""
    for k in range(pieces.shape[0]):
        p = pieces[k]
        i0, i1 = _span(min(p[0], min(p[2], p[4])), max(p[0], max(p[2], p[4])), x0, h, nx)
        j0, j1 = _span(min(p[1], min(p[3], p[5])), max(p[1], max(p[3], p[5])), y0, h, ny)
        for i in range(i0, i1 + 1):
            for j in range(j0, j1 + 1):
                if not out[i * ny + j] and in_triangle(p, x0 + i * h, y0 + j * h):
                    out[i * ny + j] = True


@lean
def _from_box2(box, x, y):
    """Squared distance of a place from a box."""
    across = max(0.0, max(box[0] - x, x - box[2]))
    beside = max(0.0, max(box[1] - y, y - box[3]))
    return across * across + beside * beside


@lean
def _lowered(pieces, boxes, first, x, y, reach, enough, d):
    """What is left of the distance *d* of a place after a few triangles; *boxes* are those around each."""
    for k in range(first, min(pieces.shape[0], first + FEW)):
        if d <= enough:
            break
        most = min(reach, d) * (1.0 + 1e-12)
        beside = _from_box2(boxes[k], x, y)
        if beside > most * most:
            continue
        p = pieces[k]
        if beside == 0.0 and in_triangle(p, x, y):
            return 0.0
        apart = points_apart2(x, y, p[0], p[1], p[2], p[3])
        apart = min(apart, points_apart2(x, y, p[2], p[3], p[4], p[5]))
        apart = min(apart, points_apart2(x, y, p[4], p[5], p[0], p[1]))
        apart = math.sqrt(apart)
        if apart <= reach and apart < d:
            d = apart
    return d


@kernel
def distances(pieces, reach, enough, x0, y0, h, nx, ny, out):
    """Lower out (nx * ny,) to the distance of each node from the nearest triangle, where that is at most *reach*. A
    node once found nearer than *enough* is left at that. Most nodes have been found nearer to another triangle than to
    the box around a few."""
    around = boxes_of(pieces, FEW)
    boxes = boxes_of(pieces, 1)
    for b in range(around.shape[0]):
        i0, i1 = _span(around[b, 0] - reach, around[b, 2] + reach, x0, h, nx)
        j0, j1 = _span(around[b, 1] - reach, around[b, 3] + reach, y0, h, ny)
        for i in range(i0, i1 + 1):
            x = x0 + i * h
            for j in range(j0, j1 + 1):
                n = i * ny + j
                if out[n] <= enough:
                    continue
                y = y0 + j * h
                most = min(reach, out[n]) * (1.0 + 1e-12)
                if _from_box2(around[b], x, y) <= most * most:
                    out[n] = _lowered(pieces, boxes, b * FEW, x, y, reach, enough, out[n])


@lean
def _inches(ax, ay, bx, by):
    """What a straight leg costs."""
    return max(1, math.ceil(math.sqrt((bx - ax) ** 2 + (by - ay) ** 2) - EPS))


@kernel
def rays(reach, h):
    """Offsets (m, 2) within *reach* cells, nearest first, what legs that long cost (m,) with nodes *h* apart, and for
    each the numbers (m, 2) of the offsets next to it on the way back to the middle."""
    side = 2 * reach + 1
    where = np.full((side, side), -1, np.int32)
    count = 0
    for i in range(-reach, reach + 1):
        for j in range(-reach, reach + 1):
            if i * i + j * j <= reach * reach:
                count += 1
    raw = np.empty((count, 2), np.int32)
    size = np.empty(count, np.int64)
    m = 0
    for i in range(-reach, reach + 1):
        for j in range(-reach, reach + 1):
            if i * i + j * j <= reach * reach:
                raw[m, 0] = i
                raw[m, 1] = j
                size[m] = i * i + j * j
                m += 1
    order = np.argsort(size, kind="mergesort")
    out = np.empty((count, 2), np.int32)
    inches = np.empty(count, np.int32)
    back = np.full((count, 2), -1, np.int32)
    for m in range(count):
        i = raw[order[m], 0]
        j = raw[order[m], 1]
        out[m, 0] = i
        out[m, 1] = j
        inches[m] = _inches(0.0, 0.0, i * h, j * h)
        where[i + reach, j + reach] = m
        if m == 0:
            continue
        si = 1 if i > 0 else (-1 if i < 0 else 0)
        sj = 1 if j > 0 else (-1 if j < 0 else 0)
        back[m, 0] = where[i - si + reach, j - sj + reach]
        if abs(i) > abs(j):
            back[m, 1] = where[i - si + reach, j + reach]
        elif abs(j) > abs(i):
            back[m, 1] = where[i + reach, j - sj + reach]
    return out, inches, back


@kernel
def sources_of(k, cost, state, done, h, nx, ny):
    """Nodes of cost *k* worth starting legs from: at the border of what costs k at most, with something within about
    an inch (8 cells) that a leg from here could make cheaper. Marks them done."""
    out = np.empty(cost.shape[0], np.int32)
    m = 0
    for p in range(cost.shape[0]):
        if cost[p] != k or done[p]:
            continue
        done[p] = True
        if p >= nx * ny:
            out[m] = p
            m += 1
            continue
        if state[p] != FREE:
            continue
        i = p // ny
        j = p % ny
        border = False
        for a in range(max(0, i - 2), min(nx - 1, i + 2) + 1):
            for b in range(max(0, j - 2), min(ny - 1, j + 2) + 1):
                n = a * ny + b
                if state[n] and cost[n] > k:
                    border = True
        if not border:
            continue
        useful = False
        for a in range(max(0, i - 8), min(nx - 1, i + 8) + 1):
            for b in range(max(0, j - 8), min(ny - 1, j + 8) + 1):
                n = a * ny + b
                if state[n] and cost[n] > k + 1:
                    apart = h * math.sqrt((a - i) ** 2 + (b - j) ** 2)
                    if cost[n] > k + max(1, math.ceil(apart - EPS)):
                        useful = True
                        break
            if useful:
                break
        if useful:
            out[m] = p
            m += 1
    return out[:m].copy()


@kernel
def relax(
    sources,
    k,
    most,
    xs,
    ys,
    state,
    cost,
    legs,
    parent,
    shape,
    grid,
    near,
    reach,
    pieces,
    discs,
    veto,
    offsets,
    inches,
    within,
    back,
    lat,
):
    """Legs of any length from *sources* (nodes of cost k) to every node that gets cheaper, or as cheap with fewer legs.

    From each source a flood goes outwards along rays (``rays``; *within* so many inches go so many of them) and asks
    only where it still helps; each leg it takes is tested whole, so a flood that goes round a corner costs time and
    never truth.
    """
    x0, y0, h, nx, ny = lat
    boxes = boxes_of(pieces, BUNCH)
    seen = np.zeros(offsets.shape[0], np.bool_)
    for s in range(sources.shape[0]):
        p = sources[s]
        is_node = p < nx * ny  # else it is off the lattice, and legs are not as long as they are between nodes
        ax = xs[p]
        ay = ys[p]
        ci = min(nx - 1, max(0, round((ax - x0) / h)))
        cj = min(ny - 1, max(0, round((ay - y0) / h)))
        # ways back lead to nearer offsets only, so a flood may end where legs are too long
        for o in range(within[most - k] if is_node else offsets.shape[0]):
            seen[o] = False
            if o > 0 and not (seen[back[o, 0]] or (back[o, 1] >= 0 and seen[back[o, 1]])):
                continue
            i = ci + offsets[o, 0]
            j = cj + offsets[o, 1]
            if i < 0 or j < 0 or i >= nx or j >= ny:
                continue
            q = i * ny + j
            if o == 0:
                seen[o] = True
                if q == p:
                    continue
            if state[q] == BLOCKED:
                continue
            seen[o] = True
            if state[q] == PASSED:
                continue
            total = k + (inches[o] if is_node else _inches(ax, ay, xs[q], ys[q]))
            if total > most or total > cost[q] or (total == cost[q] and legs[p] + 1 >= legs[q]):
                continue
            if leg_is_free(ax, ay, xs[q], ys[q], shape, grid, near, reach, pieces, boxes, discs, veto, lat):
                cost[q] = total
                legs[q] = legs[p] + 1
                parent[q] = p
            else:
                seen[o] = o == 0


@kernel
def relax_door(k, most, xs, ys, state, cost, legs, parent, shape, grid, clipped, door, discs, veto, lat):
    """Legs from every node of cost k through a doorway, which costs 1 more."""
    room = most - k - 1
    near = np.empty(cost.shape[0], np.int32)
    side = np.empty(cost.shape[0], np.int8)
    m = 0
    for n in range(cost.shape[0]):
        if abs(xs[n] - door[0]) <= room and abs(ys[n] - door[1]) <= room:
            side[m] = side_of_door(xs[n], ys[n], door, shape[3])
            if side[m] != 0:
                near[m] = n
                m += 1
    for s in range(m):
        p = near[s]
        if cost[p] != k:
            continue
        ax = xs[p]
        ay = ys[p]
        for t in range(m):
            q = near[t]
            if side[t] == side[s] or q >= state.shape[0] or state[q] != FREE or cost[q] <= k + 2:
                continue
            bx = xs[q]
            by = ys[q]
            total = k + _inches(ax, ay, bx, by) + 1
            if total > most or total >= cost[q]:
                continue
            found, lo, hi = through_door(ax, ay, bx, by, door, shape[3])
            if not found:
                continue
            if door_leg_is_free(ax, ay, bx, by, lo, hi, shape, grid, clipped, discs, veto, lat):
                cost[q] = total
                legs[q] = legs[p] + 1
                parent[q] = p


@kernel
def relax_jump(
    sources,
    k,
    most,
    xs,
    ys,
    targets,
    landing,
    least,
    cost,
    legs,
    parent,
    base_legs,
    shape,
    grid,
    pieces,
    limit,
    discs,
    veto,
    lat,
):
    """Jumps from *sources* to nodes of *targets* (m,), where one can land for *landing* inches (m,) more, *least* at
    least; cost, legs and parent are those of where one lands, base_legs those of where one jumps from."""
    x0, y0, h, nx, ny = lat
    far = float(most - k - least)
    for s in range(sources.shape[0]):
        p = sources[s]
        ax = xs[p]
        ay = ys[p]
        i0, i1 = _span(ax - far, ax + far, x0, h, nx)
        j0, j1 = _span(ay - far, ay + far, y0, h, ny)
        for i in range(i0, i1 + 1):
            for j in range(j0, j1 + 1):
                q = i * ny + j
                if not targets[q] or k + 1 + landing[q] >= cost[q]:
                    continue
                bx = xs[q]
                by = ys[q]
                total = k + _inches(ax, ay, bx, by) + landing[q]
                if total > most or total >= cost[q]:
                    continue
                past = past_edge(pieces, ax, ay, bx, by)
                if past > limit or past <= 0.0:
                    continue
                if flight_is_free(ax, ay, bx, by, shape, grid, discs, veto, lat):
                    cost[q] = total
                    legs[q] = base_legs[p] + 2
                    parent[q] = p


@kernel
def into(bx, by, most, xs, ys, cost, legs, shape, grid, near, reach, pieces, discs, veto, lat):
    """The best node to come straight to a place from, by cost and then legs: (node or -1, cost there)."""
    boxes = boxes_of(pieces, BUNCH)
    best = most + 1
    few = 1 << 30
    found = -1
    for p in range(cost.shape[0]):
        c = cost[p]
        if c >= best:
            continue
        ax = xs[p]
        ay = ys[p]
        if abs(ax - bx) > best - c or abs(ay - by) > best - c:
            continue
        n = math.ceil(math.sqrt((bx - ax) ** 2 + (by - ay) ** 2) - EPS)
        if c + n > most or c + n > best or (c + n == best and legs[p] >= few):
            continue
        if leg_is_free(ax, ay, bx, by, shape, grid, near, reach, pieces, boxes, discs, veto, lat):
            best = c + n
            few = legs[p]
            found = p
    return found, best


@kernel
def into_door(bx, by, most, xs, ys, cost, legs, shape, grid, clipped, door, discs, veto, lat):
    """The best node to come straight to a place from through a doorway: (node or -1, cost there)."""
    best = most + 1
    few = 1 << 30
    found = -1
    for p in range(cost.shape[0]):
        c = cost[p]
        ax = xs[p]
        ay = ys[p]
        if abs(ax - bx) > best - c or abs(ay - by) > best - c:
            continue
        n = math.ceil(math.sqrt((bx - ax) ** 2 + (by - ay) ** 2) - EPS) + 1
        if c + n > most or c + n > best or (c + n == best and legs[p] >= few):
            continue
        passes, lo, hi = through_door(ax, ay, bx, by, door, shape[3])
        if not passes:
            continue
        if door_leg_is_free(ax, ay, bx, by, lo, hi, shape, grid, clipped, discs, veto, lat):
            best = c + n
            few = legs[p]
            found = p
    return found, best
