"""Trees with four children a node, for the questions asked most: is anything nearer to a line than r, what does a
plane cut?

A node is a row of 32 numbers of 32 bits: the low and then the high sides of its children's boxes along x, y and z, four
each, as float32 rounded outwards; then the children: above 0 the row of another node, below 0 a leaf
``-1 - (4 first + count)``, 0 none, whose box nothing meets. The boxes of all four are met or missed at once, in one
vector. They only spare triangles that are farther than r for sure: what decides is exact.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from ktsim.geometry.kernels import kernel, lean
from ktsim.geometry.kernels.primitives import inverse, segment_from_triangle, segment_hits_triangle

ROW, KIDS = 32, 24
HIGH = 12
"""Where high sides begin."""
ROUNDING = 2e-7
"""Of a coordinate, at least: by what float32 may be off."""
_FOUR = ir.VectorType(ir.FloatType(), 4)


@kernel
def widened(nodes, links):
    """A binary tree (see ``tree``) with at most 3 triangles a leaf -> sides (n, 24) float32 and children (n, 4)."""
    n = nodes.shape[0]
    sides = np.empty((n, KIDS), np.float32)
    kids = np.zeros((n, 4), np.int32)
    waiting = np.empty((n + 4, 3), np.int32)
    waiting[0] = 0
    top = 1
    count = 0
    taken = np.empty(4, np.int32)
    while top > 0:
        top -= 1
        taken[0] = waiting[top, 0]
        kids[waiting[top, 1], waiting[top, 2]] = count
        m = 1
        while m < 4:
            # the largest of what was taken makes way for its two children
            largest = -1
            most = -1.0
            for q in range(m):
                if links[taken[q], 1] == 0:
                    box = nodes[taken[q]]
                    x = box[3] - box[0]
                    y = box[4] - box[1]
                    z = box[5] - box[2]
                    if x * y + y * z + z * x > most:
                        most = x * y + y * z + z * x
                        largest = q
            if largest < 0:
                break
            child = links[taken[largest], 0]
            taken[largest] = child
            taken[m] = child + 1
            m += 1
        for q in range(4):
            for c in range(3):
                low = np.float32(np.inf)
                high = np.float32(-np.inf)
                if q < m:
                    box = nodes[taken[q]]
                    low = np.float32(box[c])
                    if low > box[c]:
                        low = np.nextafter(low, np.float32(-np.inf))
                    high = np.float32(box[3 + c])
                    if high < box[3 + c]:
                        high = np.nextafter(high, np.float32(np.inf))
                sides[count, 4 * c + q] = low
                sides[count, HIGH + 4 * c + q] = high
        for q in range(m - 1, -1, -1):
            node = taken[q]
            if links[node, 1] > 0:
                kids[count, q] = -1 - (4 * links[node, 0] + links[node, 1])
            else:
                waiting[top, 0] = node
                waiting[top, 1] = count
                waiting[top, 2] = q
                top += 1
        count += 1
    return sides[:count].copy(), kids[:count].copy()


def _four(builder, number):
    """A number, four times."""
    undefined = ir.Constant(_FOUR, ir.Undefined)
    one = builder.insert_element(undefined, number, ir.Constant(ir.IntType(32), 0))
    return builder.shuffle_vector(one, undefined, ir.Constant(ir.VectorType(ir.IntType(32), 4), [0] * 4))


def _four_at(builder, data, place):
    """Four numbers that follow each other in *data*."""
    return builder.load(builder.bitcast(builder.gep(data, [place]), _FOUR.as_pointer()), align=4)


def _meeting(context, wide, i, x, y, z, ax, ay, az, bx, by, bz, ix, iy, iz, stack):
    """Which children's boxes of node *i* a segment of length 1 meets, a bit each, and where it enters each into the
    first four of *stack*, as float32, which can be compared as they stand because none is below 0. Prepared for all
    boxes: where the sides begin that are met first (x, y, z: 0 or HIGH), the origin shifted by the radius against (a)
    and along (b) the direction, and the direction's inverse (i)."""
    numbers = (types.intp,) * 4 + (types.float32,) * 9

    def written(context, builder, signature, args):
        wide, i, x, y, z, ax, ay, az, bx, by, bz, ix, iy, iz, stack = args
        data = context.make_array(signature.args[0])(context, builder, wide).data
        first = builder.mul(i, ir.Constant(i.type, ROW))

        def at(place, origin, inverse):
            sides = _four_at(builder, data, builder.add(first, place))
            return builder.fmul(builder.fsub(sides, _four(builder, origin)), _four(builder, inverse))

        def past(axis, side):
            return builder.add(ir.Constant(i.type, 4 * axis), side)

        def beyond(axis, side):
            return builder.sub(ir.Constant(i.type, 4 * axis + HIGH), side)

        def later(a, b):
            return builder.select(builder.fcmp_ordered(">", a, b), a, b)

        def sooner(a, b):
            return builder.select(builder.fcmp_ordered("<", a, b), a, b)

        enters = later(at(past(0, x), ax, ix), later(at(past(1, y), ay, iy), at(past(2, z), az, iz)))
        enters = later(enters, ir.Constant(_FOUR, [0.0] * 4))
        leaves = sooner(at(beyond(0, x), bx, ix), sooner(at(beyond(1, y), by, iy), at(beyond(2, z), bz, iz)))
        leaves = sooner(leaves, ir.Constant(_FOUR, [1.0] * 4))
        met = builder.fcmp_ordered("<=", enters, builder.fmul(leaves, ir.Constant(_FOUR, [1.000001] * 4)))
        out = context.make_array(signature.args[14])(context, builder, stack).data
        builder.store(enters, builder.bitcast(out, _FOUR.as_pointer()), align=4)
        return builder.zext(builder.bitcast(met, ir.IntType(4)), ir.IntType(32))

    return types.int32(wide, *numbers, stack), written


kids_met: Any = intrinsic(_meeting)


@lean
def aimed(ox, oy, oz, dx, dy, dz, r):
    """What ``kids_met`` wants to know of the segment ``o + t d`` of radius *r*."""
    ix = inverse(dx)
    iy = inverse(dy)
    iz = inverse(dz)
    reach = r + ROUNDING * (abs(ox) + abs(oy) + abs(oz) + r)
    px = reach if ix > 0.0 else -reach
    py = reach if iy > 0.0 else -reach
    pz = reach if iz > 0.0 else -reach
    return (
        0 if ix > 0.0 else HIGH,
        0 if iy > 0.0 else HIGH,
        0 if iz > 0.0 else HIGH,
        np.float32(ox + px),
        np.float32(oy + py),
        np.float32(oz + pz),
        np.float32(ox - px),
        np.float32(oy - py),
        np.float32(oz - pz),
        np.float32(ix),
        np.float32(iy),
        np.float32(iz),
    )


def _between(context, wide, i, x, y, z, nx, ny, nz, low, high):
    """Which children's boxes of node *i* have a point p with ``low <= n p <= high``, a bit each. Prepared for all
    boxes: where the sides begin at which n p is least (x, y, z: 0 or HIGH)."""
    numbers = (types.intp,) * 4 + (types.float32,) * 5

    def written(context, builder, signature, args):
        wide, i, x, y, z, nx, ny, nz, low, high = args
        data = context.make_array(signature.args[0])(context, builder, wide).data
        first = builder.mul(i, ir.Constant(i.type, ROW))

        def times(place, factor):
            return builder.fmul(_four_at(builder, data, builder.add(first, place)), factor)

        factors = [_four(builder, each) for each in (nx, ny, nz)]
        least = most = None
        for axis, (side, factor) in enumerate(zip((x, y, z), factors, strict=True)):
            near = times(builder.add(ir.Constant(i.type, 4 * axis), side), factor)
            far = times(builder.sub(ir.Constant(i.type, 4 * axis + HIGH), side), factor)
            least = near if least is None else builder.fadd(least, near)
            most = far if most is None else builder.fadd(most, far)
        is_low = builder.fcmp_ordered("<=", least, _four(builder, high))
        met = builder.and_(is_low, builder.fcmp_ordered(">=", most, _four(builder, low)))
        return builder.zext(builder.bitcast(met, ir.IntType(4)), ir.IntType(32))

    return types.int32(wide, *numbers), written


_lies_between: Any = intrinsic(_between)


@lean
def kids_between(wide, i, local, low_s, high_s, low_t, high_t, slack):
    """Which children's boxes of node *i* may come into a rectangle of a plane, a bit each. *local* (3, 4): heights
    above the plane and places along its two directions, as ``slices.in_plane`` has them; *slack*: by how much float32
    may be off."""
    met = 15
    for axis in range(3):
        n = local[axis]
        low = -slack - n[3]
        high = slack - n[3]
        if axis == 1:
            low += low_s
            high += high_s
        elif axis == 2:
            low += low_t
            high += high_t
        met &= _lies_between(
            wide,
            i,
            0 if n[0] > 0.0 else HIGH,
            0 if n[1] > 0.0 else HIGH,
            0 if n[2] > 0.0 else HIGH,
            np.float32(n[0]),
            np.float32(n[1]),
            np.float32(n[2]),
            np.float32(low),
            np.float32(high),
        )
        if met == 0:
            break
    return met


@lean
def kids_on(wide, i, met, stack, sp):
    """The children of node *i* that are *met* onto the stack; where that ends now."""
    for c in range(4):
        if met >> c & 1:
            stack[sp] = wide[i, KIDS + c]
            sp += 1
    return sp


@lean
def _nearest_kid(wide, i, met, stack, sp):
    """Of the children of node *i* that are *met* the nearest, which comes next; the others wait on the stack. And where
    that ends now."""
    soonest = np.int32(0x7FFFFFFF)
    best = -1
    for c in range(4):
        if met >> c & 1:
            if stack[c] < soonest:
                if best >= 0:
                    stack[sp] = wide[i, KIDS + best]
                    sp += 1
                soonest = stack[c]
                best = c
            else:
                stack[sp] = wide[i, KIDS + c]
                sp += 1
    return wide[i, KIDS + best], sp


@lean
def wide_blocked(wide, tris, root, stack, ox, oy, oz, dx, dy, dz, r):
    """A triangle nearer than *r* to the segment ``o + t d``, or -1."""
    x, y, z, ax, ay, az, bx, by, bz, ix, iy, iz = aimed(ox, oy, oz, dx, dy, dz, r)
    r2 = r * r
    sp = 4
    i = root
    while True:
        if i < 0:
            first = (-1 - i) >> 2
            for j in range(first, first + ((-1 - i) & 3)):
                d2, _s = segment_from_triangle(ox, oy, oz, dx, dy, dz, tris[j], r2)
                if d2 < r2:
                    return j
        else:
            met = kids_met(wide, i, x, y, z, ax, ay, az, bx, by, bz, ix, iy, iz, stack)
            if met:
                i, sp = _nearest_kid(wide, i, met, stack, sp)
                continue
        if sp == 4:
            return -1
        sp -= 1
        i = stack[sp]


@lean
def wide_clearance(wide, tris, root, stack, ox, oy, oz, dx, dy, dz, rmax):
    """Distance of the segment from the nearest triangle, its parameter there, that triangle; (rmax, 0, -1) beyond."""
    ix = inverse(dx)
    iy = inverse(dy)
    iz = inverse(dz)
    x = 0 if ix > 0.0 else HIGH
    y = 0 if iy > 0.0 else HIGH
    z = 0 if iz > 0.0 else HIGH
    jx = np.float32(ix)
    jy = np.float32(iy)
    jz = np.float32(iz)
    ax = ay = az = bx = by = bz = np.float32(0.0)
    r = rmax
    r2 = r * r
    u = 0.0
    best = -1
    nearer = True
    sp = 4
    i = root
    while True:
        if i < 0:
            first = (-1 - i) >> 2
            for j in range(first, first + ((-1 - i) & 3)):
                d2, s = segment_from_triangle(ox, oy, oz, dx, dy, dz, tris[j], r2)
                if d2 < r2:
                    r2 = d2
                    u = s
                    best = j
                    nearer = True
                    if d2 == 0.0:
                        return 0.0, u, best
        else:
            if nearer:
                r = math.sqrt(r2)
                reach = r + ROUNDING * (abs(ox) + abs(oy) + abs(oz) + r)
                px = reach if ix > 0.0 else -reach
                py = reach if iy > 0.0 else -reach
                pz = reach if iz > 0.0 else -reach
                ax = np.float32(ox + px)
                ay = np.float32(oy + py)
                az = np.float32(oz + pz)
                bx = np.float32(ox - px)
                by = np.float32(oy - py)
                bz = np.float32(oz - pz)
                nearer = False
            met = kids_met(wide, i, x, y, z, ax, ay, az, bx, by, bz, jx, jy, jz, stack)
            if met:
                i, sp = _nearest_kid(wide, i, met, stack, sp)
                continue
        if sp == 4:
            return (math.sqrt(r2) if best >= 0 else rmax), u, best
        sp -= 1
        i = stack[sp]


@lean
def _bits(t):
    """A parameter, a little later, as ``kids_met`` leaves where boxes are entered."""
    return np.float32(t * (1.0 + 1e-5) + 1e-6).view(np.int32)


@lean
def wide_first(wide, tris, labels, only, root, stack, ox, oy, oz, dx, dy, dz, tmax):
    """Where a thin segment first meets a triangle before *tmax*, at most 1: parameter, triangle; (tmax, -1) when it
    does not. *only*: the label a triangle must have to count, or -2 for any."""
    x, y, z, ax, ay, az, bx, by, bz, ix, iy, iz = aimed(ox, oy, oz, dx, dy, dz, 1e-12)
    best = tmax
    limit = _bits(best)
    hit = -1
    sp = 4
    i = root
    while True:
        if i < 0:
            first = (-1 - i) >> 2
            for j in range(first, first + ((-1 - i) & 3)):
                if only != -2 and labels[j] != only:
                    continue
                t = segment_hits_triangle(ox, oy, oz, dx, dy, dz, tris[j])
                if t < best:
                    best = t
                    hit = j
                    limit = _bits(best)
        else:
            met = kids_met(wide, i, x, y, z, ax, ay, az, bx, by, bz, ix, iy, iz, stack)
            for c in range(4):
                if stack[c] > limit:
                    met &= ~(1 << c)
            if met:
                i, sp = _nearest_kid(wide, i, met, stack, sp)
                continue
        if sp == 4:
            return best, hit
        sp -= 1
        i = stack[sp]
