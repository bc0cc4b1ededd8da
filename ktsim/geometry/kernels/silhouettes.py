"""Outlines of obstacles as a bundle of lines meets them, and what they prove.

A bundle is all the segments from a rectangle of the window (a plane before the viewer) to a patch of a surface.
Whether a line of a bundle meets a surface can only change where a line touches the surface without going through it,
at an edge with one face turned towards the line and one away, or where the line ends on the surface. So when one line
of a bundle meets a part, no such edge of the part reaches into the bundle, and the part touches neither end of it, all
of its lines meet the part. That holds for every mesh, however finely it is cut, convex or not, closed or not (a free
edge always counts). Lines are blocked by what is nearer than r, so it is enough to show that a bundle drawn in by
nearly r on all sides meets the part.

All coordinates here are the window's: p and q across it, w away from it.
"""

from __future__ import annotations

import math

import numpy as np

from ktsim.geometry.kernels import inner, lean
from ktsim.geometry.kernels.cells import S0, SHADOW, A, B, lit
from ktsim.geometry.kernels.facets import EVEN, FLAT, FREE
from ktsim.geometry.kernels.primitives import clipped, narrowed

EDGE = 14
"""An edge: 0-2 and 3-5 its ends; 6-9 and 10-13 the planes of its faces, x on the outer side of (n, c): n x > c."""
PLANES = 6


@lean
def bound(rect, far, n_far, reach, planes):
    """Planes (6, 4) around the bundle from *rect* to the points *far*, *reach* farther out: inside is n x <= c."""
    low = 0.0
    high = 0.0
    for f in range(n_far):
        low = min(low, far[f, 2])
        high = max(high, far[f, 2])
    for side in range(4):
        axis = side >> 1
        sign = 1.0 if side & 1 else -1.0
        edge = sign * rect[side]
        slope = -1e300
        open_side = False
        for f in range(n_far):
            if far[f, 2] <= 1e-9:
                open_side = True
                break
            slope = max(slope, (sign * far[f, axis] - edge) / far[f, 2])
        planes[side, 0] = 0.0
        planes[side, 1] = 0.0
        planes[side, axis] = sign
        if open_side:
            planes[side, 2] = 0.0
            planes[side, 3] = 1e300
        else:
            planes[side, 2] = -slope
            planes[side, 3] = edge + reach * math.sqrt(1.0 + slope * slope)
    for side in range(4, 6):
        planes[side, 0] = 0.0
        planes[side, 1] = 0.0
    planes[4, 2] = -1.0
    planes[4, 3] = reach - low
    planes[5, 2] = 1.0
    planes[5, 3] = high + reach


@lean
def _inside(planes, first, last, e, t0, t1):
    """Between which parameters of t0 to t1 the edge *e* is inside the planes from *first* to *last*; exchanged when
    nowhere."""
    for i in range(first, last):
        a = planes[i, 0] * e[0] + planes[i, 1] * e[1] + planes[i, 2] * e[2] - planes[i, 3]
        b = planes[i, 0] * e[3] + planes[i, 1] * e[4] + planes[i, 2] * e[5] - planes[i, 3]
        t0, t1 = narrowed(a, b, t0, t1)
        if t0 > t1:
            break
    return t0, t1


@lean
def _inside_bundle(planes, e):
    """Between which parameters the edge *e* is inside the planes of ``bound``; exchanged when nowhere."""
    t0 = 0.0
    t1 = 1.0
    for i in range(4):
        axis = i >> 1
        n = planes[i, axis]
        a = n * e[axis] + planes[i, 2] * e[2] - planes[i, 3]
        b = n * e[3 + axis] + planes[i, 2] * e[5] - planes[i, 3]
        t0, t1 = narrowed(a, b, t0, t1)
        if t0 > t1:
            return t0, t1
    t0, t1 = narrowed(-e[2] - planes[4, 3], -e[5] - planes[4, 3], t0, t1)
    return narrowed(e[2] - planes[5, 3], e[5] - planes[5, 3], t0, t1)


@lean
def _side(e, at, mp, mq, mw, hp, hq, hw, reach):
    """Which side of the plane e[at : at + 4] the box (middle m, half-widths h) lies on, all of it by more than
    *reach*: 1 outer, -1 inner, 0 neither."""
    x = e[at] * mp + e[at + 1] * mq + e[at + 2] * mw - e[at + 3]
    s = abs(e[at]) * hp + abs(e[at + 1]) * hq + abs(e[at + 2]) * hw + reach
    if x > s:
        return 1
    return -1 if x < -s else 0


@lean
def may_turn(e, rect, box, reach):
    """May a line of the bundle, or one with ends at most *reach* beside, touch edge *e* without going through its
    faces? *box*: middle and half-widths of the far patch. It cannot when all of one end of the bundle lies on one side
    of both faces."""
    mp = 0.5 * (rect[0] + rect[1])
    mq = 0.5 * (rect[2] + rect[3])
    hp = 0.5 * (rect[1] - rect[0])
    hq = 0.5 * (rect[3] - rect[2])
    one = _side(e, 6, mp, mq, 0.0, hp, hq, 0.0, reach)
    if one != 0 and one == _side(e, 10, mp, mq, 0.0, hp, hq, 0.0, reach):
        return False
    one = _side(e, 6, box[0], box[1], box[2], box[3], box[4], box[5], reach)
    return one == 0 or one != _side(e, 10, box[0], box[1], box[2], box[3], box[4], box[5], reach)


@lean
def reaching(edges, whose, pool, low, high, planes, rect, box, reach, counts, spans):
    """Which of the edges pool[low:high] may be outlines to a smaller bundle: their numbers go to *pool* from *high* on,
    between which parameters each is inside to *spans* there; they are counted by owner. Returns where they end."""
    top = high
    for i in range(low, high):
        n = pool[i]
        e = edges[n]
        t0, t1 = _inside_bundle(planes, e)
        if t0 <= t1 and may_turn(e, rect, box, reach):
            counts[whose[n]] += 1
            pool[top] = n
            spans[top, 0] = t0
            spans[top, 1] = t1
            top += 1
    return top


@lean
def _face(x, e, at):
    """The plane of a triangle in the window's coordinates, into e[at : at + 4]."""
    ux = x[1, 0] - x[0, 0]
    uy = x[1, 1] - x[0, 1]
    uz = x[1, 2] - x[0, 2]
    vx = x[2, 0] - x[0, 0]
    vy = x[2, 1] - x[0, 1]
    vz = x[2, 2] - x[0, 2]
    nx = uy * vz - uz * vy
    ny = uz * vx - ux * vz
    nz = ux * vy - uy * vx
    l = math.sqrt(nx * nx + ny * ny + nz * nz)
    if l > 0.0:
        nx /= l
        ny /= l
        nz /= l
    e[at] = nx
    e[at + 1] = ny
    e[at + 2] = nz
    e[at + 3] = nx * x[0, 0] + ny * x[0, 1] + nz * x[0, 2]


@lean
def _seen_from(turn, T, x):
    """Corners of triangle *T* in the window's coordinates; *turn* (3, 4) takes the tree's own to them."""
    for e in range(3):
        for c in range(3):
            x[e, c] = turn[c, 0] * T[3 * e] + turn[c, 1] * T[3 * e + 1] + turn[c, 2] * T[3 * e + 2] + turn[c, 3]


@lean
def into_window(win, px, py, pz, c, s, turn):
    """The map (3, 4) from a frame standing at p, turned by the angle of cosine *c* and sine *s*, to the window's."""
    for axis in range(3):
        at = 3 + 3 * axis if axis < 2 else 10
        ex = win[at]
        ey = win[at + 1]
        ez = win[at + 2]
        turn[axis, 0] = ex * c + ey * s
        turn[axis, 1] = ey * c - ex * s
        turn[axis, 2] = ez
        turn[axis, 3] = (px - win[0]) * ex + (py - win[1]) * ey + (pz - win[2]) * ez


@lean
def _all_one_way(node, cone, turn, rect, box, reach):
    """Do all triangles of a node and their neighbours face the window, or all away from it, or lie in flat faces with
    no border there, and none comes near an end of the bundle? Then there are no outlines there."""
    if cone[3] == 0.0 and cone[4] != EVEN:
        return False
    x = 0.5 * (node[0] + node[3])
    y = 0.5 * (node[1] + node[4])
    z = 0.5 * (node[2] + node[5])
    size = 0.5 * math.sqrt((node[3] - node[0]) ** 2 + (node[4] - node[1]) ** 2 + (node[5] - node[2]) ** 2)
    p = turn[0, 0] * x + turn[0, 1] * y + turn[0, 2] * z + turn[0, 3]
    q = turn[1, 0] * x + turn[1, 1] * y + turn[1, 2] * z + turn[1, 3]
    w = turn[2, 0] * x + turn[2, 1] * y + turn[2, 2] * z + turn[2, 3]
    mp = 0.5 * (rect[0] + rect[1])
    mq = 0.5 * (rect[2] + rect[3])
    near = 0.5 * math.sqrt((rect[1] - rect[0]) ** 2 + (rect[3] - rect[2]) ** 2)
    far = math.sqrt(box[3] * box[3] + box[4] * box[4] + box[5] * box[5])
    mp -= p
    mq -= q
    away = math.sqrt(mp * mp + mq * mq + w * w)
    least = size + near + reach
    if away <= least:
        return False
    if (p - box[0]) ** 2 + (q - box[1]) ** 2 + (w - box[2]) ** 2 <= (size + far + reach) ** 2:
        return False
    if cone[4] == EVEN:
        return True
    # the angle between the cone's axis and the way to the window
    np_ = turn[0, 0] * cone[0] + turn[0, 1] * cone[1] + turn[0, 2] * cone[2]
    nq = turn[1, 0] * cone[0] + turn[1, 1] * cone[1] + turn[1, 2] * cone[2]
    nw = turn[2, 0] * cone[0] + turn[2, 1] * cone[1] + turn[2, 2] * cone[2]
    cosine = abs(np_ * mp + nq * mq - nw * w) / away
    sine = math.sqrt(max(0.0, 1.0 - cosine * cosine))
    # a normal is at most as much farther off as the cone is wide
    return away * (cosine * cone[3] - sine * cone[4]) > least


@inner
def outlines(F, act, stack, win, rect, far, box, reach, owners):
    """All edges that may be outlines to the bundle from *rect* to the eight points *far*: (m, EDGE), and whose each
    is (m,): a part's label, or past all labels the instance. owners[of a part] is set to 1 when it comes near an
    end of the bundle."""
    planes = np.empty((PLANES, 4))
    bound(rect, far, 8, reach, planes)
    room = np.empty((PLANES + 10, 4))
    found = np.empty((256, EDGE))
    whose = np.empty(256, np.int32)
    m = 0
    for a in range(act.shape[0]):
        stack[0] = F.roots[act[a]]
        sp = 1
        while sp > 0:
            sp, m = _outlines_of(F, act[a], stack, sp, win, rect, box, reach, planes, owners, found, whose, m, room)
            if sp > 0:
                more = np.empty((2 * found.shape[0], EDGE))
                more[:m] = found[:m]
                found = more
                names = np.empty(found.shape[0], np.int32)
                names[:m] = whose[:m]
                whose = names
    return found[:m].copy(), whose[:m].copy()


@lean
def _outlines_of(F, k, stack, sp, win, rect, box, reach, planes, owners, found, whose, m, room):
    """The same of instance *k* below the nodes on the stack, from number *m* on: how many nodes are left because there
    is no room for more edges, and how many edges there are now. *room* (PLANES + 10, 4): to work in."""
    local = room[:PLANES]
    turn = room[PLANES : PLANES + 3]
    x = room[PLANES + 3 : PLANES + 6]
    y = room[PLANES + 6 : PLANES + 9]
    own = room[PLANES + 9]
    near_p = max(abs(rect[0]), abs(rect[1])) + reach
    near_q = max(abs(rect[2]), abs(rect[3])) + reach
    into_window(win, F.place[k, 0], F.place[k, 1], F.place[k, 2], F.place[k, 3], F.place[k, 4], turn)
    for i in range(PLANES):
        for c in range(3):
            local[i, c] = planes[i, 0] * turn[0, c] + planes[i, 1] * turn[1, c] + planes[i, 2] * turn[2, c]
        local[i, 3] = planes[i, 3] - (planes[i, 0] * turn[0, 3] + planes[i, 1] * turn[1, 3] + planes[i, 2] * turn[2, 3])
    while sp > 0:
        sp -= 1
        node = stack[sp]
        outside = False
        for i in range(PLANES):
            lx = local[i, 0]
            ly = local[i, 1]
            lz = local[i, 2]
            least = (
                lx * (F.nodes[node, 0] if lx > 0.0 else F.nodes[node, 3])
                + ly * (F.nodes[node, 1] if ly > 0.0 else F.nodes[node, 4])
                + lz * (F.nodes[node, 2] if lz > 0.0 else F.nodes[node, 5])
            )
            if least > local[i, 3]:
                outside = True
                break
        if outside:
            continue
        if _all_one_way(F.nodes[node], F.cones[node], turn, rect, box, reach):
            continue
        if F.links[node, 1] == 0:
            stack[sp] = F.links[node, 0]
            stack[sp + 1] = F.links[node, 0] + 1
            sp += 2
            continue
        if m + 3 * F.links[node, 1] > found.shape[0]:
            return sp + 1, m
        for j in range(F.links[node, 0], F.links[node, 0] + F.links[node, 1]):
            _seen_from(turn, F.tris[j], x)
            owner = F.labels[j] if F.labels[j] >= 0 else F.parts + k
            if owners[owner] == 0:
                p0 = min(x[0, 0], min(x[1, 0], x[2, 0]))
                p1 = max(x[0, 0], max(x[1, 0], x[2, 0]))
                q0 = min(x[0, 1], min(x[1, 1], x[2, 1]))
                q1 = max(x[0, 1], max(x[1, 1], x[2, 1]))
                w0 = min(x[0, 2], min(x[1, 2], x[2, 2]))
                w1 = max(x[0, 2], max(x[1, 2], x[2, 2]))
                if (
                    w0 <= reach and w1 >= -reach and p0 <= near_p and p1 >= -near_p and q0 <= near_q and q1 >= -near_q
                ) or (
                    w0 <= box[2] + box[5] + reach
                    and w1 >= box[2] - box[5] - reach
                    and p0 <= box[0] + box[3] + reach
                    and p1 >= box[0] - box[3] - reach
                    and q0 <= box[1] + box[4] + reach
                    and q1 >= box[1] - box[4] - reach
                ):
                    owners[owner] = 1
            _face(x, own, 0)
            for e in range(3):
                beyond = F.beside[j, e]
                if beyond == FLAT or 0 <= beyond < j:
                    continue
                row = found[m]
                f = (e + 1) % 3
                for c in range(3):
                    row[c] = x[e, c]
                    row[3 + c] = x[f, c]
                t0, t1 = _inside_bundle(planes, row)
                if t0 > t1:
                    continue
                if beyond == FREE:
                    for c in range(6, EDGE):
                        row[c] = 0.0
                else:
                    for c in range(4):
                        row[6 + c] = own[c]
                    _seen_from(turn, F.tris[beyond], y)
                    _face(y, row, 10)
                    if not may_turn(row, rect, box, reach):
                        continue
                whose[m] = owner
                m += 1
    return 0, m


@lean
def _near(rect, shadows, n_far, middle, p, q):
    """How far the bundle's lines begin from its middle line along (p, q): within the rectangle and the ball's
    shadows."""
    most = max(p * rect[0], p * rect[1]) + max(q * rect[2], q * rect[3])
    if middle[SHADOW] < np.inf:
        most = min(most, lit(shadows, n_far, middle[SHADOW], p, q))
    return most - p * middle[A] - q * middle[A + 1]


@lean
def sticks_out(edges, pool, spans, low, high, whose, owner, rect, far, n_far, shadows, middle, sx, sy, enough, w):
    """How far the outlines of a part reach into a bundle, seen along its middle line moved sideways by (sx, sy); and
    where: the way from the line to the worst of them (of unit length, across the window) goes to w[0:2], the
    parameter there to w[2]. -inf: there are none. One that reaches in farther than *enough* need not be the worst."""
    mp = middle[A] + sx
    mq = middle[A + 1] + sy
    bw = middle[B + 2]
    dp = (middle[B] + sx - mp) / bw
    dq = (middle[B + 1] + sy - mq) / bw
    worst = -np.inf
    widest = middle[S0]
    for f in range(n_far):
        widest = max(widest, math.sqrt((far[f, 0] - middle[B]) ** 2 + (far[f, 1] - middle[B + 1]) ** 2))
    widest *= 1.0 + 1e-9
    for i in range(low, high):
        n = pool[i]
        if whose[n] != owner:
            continue
        e = edges[n]
        t0 = spans[i, 0]
        gw = e[5] - e[2]
        # the edge as seen along the middle line
        gp = e[3] - e[0] - gw * dp
        gq = e[4] - e[1] - gw * dq
        l = math.sqrt(gp * gp + gq * gq)
        w0 = e[2] + t0 * gw
        w1 = e[2] + spans[i, 1] * gw
        ap = e[0] + t0 * (e[3] - e[0]) - mp - w0 * dp
        aq = e[1] + t0 * (e[4] - e[1]) - mq - w0 * dq
        if l > 1e-12:
            op = -gq / l
            oq = gp / l
            off = op * ap + oq * aq
        else:
            off = math.sqrt(ap * ap + aq * aq)
            op = ap / off if off > 1e-12 else 1.0
            oq = aq / off if off > 1e-12 else 0.0
        if off < 0.0:
            op = -op
            oq = -oq
            off = -off
        if widest - off < worst:
            continue
        near = _near(rect, shadows, n_far, middle, op, oq)
        wide = 0.0
        for f in range(n_far):
            wide = max(wide, op * (far[f, 0] - middle[B]) + oq * (far[f, 1] - middle[B + 1]))
        u0 = clipped(w0 / bw)
        u1 = clipped(w1 / bw)
        out = near + max(u0 * (wide - near), u1 * (wide - near)) - off
        if out > worst:
            worst = out
            w[0] = op
            w[1] = oq
            w[2] = u1 if u1 * (wide - near) >= u0 * (wide - near) else u0
            if worst > enough:
                break
    return worst


@lean
def drawn_in(
    edges, pool, spans, low, high, whose, owner, rect, far, n_far, shadows, middle, sx, sy, op, oq, shrink, planes
):
    """Do all outlines of a part stay out of the bundle moved by (sx, sy) and then drawn in from both sides along
    (op, oq) by *shrink*, towards its middle line?"""
    start = op * (middle[A] + sx) + oq * (middle[A + 1] + sy)
    end = op * (middle[B] + sx) + oq * (middle[B + 1] + sy)
    wide = 0.0
    for f in range(n_far):
        if far[f, 2] <= 1e-9:
            return False
        wide = max(wide, abs(op * (far[f, 0] + sx) + oq * (far[f, 1] + sy) - end))
    scale = 1.0 - shrink / wide if wide > shrink else 0.0
    for side in range(2):
        sign = 1.0 if side else -1.0
        near = _near(rect, shadows, n_far, middle, sign * op, sign * oq)
        if near < 0.0:
            near = 0.0  # the middle line is kept in, though it is not from the ball
        edge = sign * start + max(0.0, near - shrink)
        slope = -1e300
        for f in range(n_far):
            at = end + scale * (op * (far[f, 0] + sx) + oq * (far[f, 1] + sy) - end)
            slope = max(slope, (sign * at - edge) / far[f, 2])
        planes[PLANES + side, 0] = sign * op
        planes[PLANES + side, 1] = sign * oq
        planes[PLANES + side, 2] = -slope
        planes[PLANES + side, 3] = edge + 1e-9
    for i in range(low, high):
        n = pool[i]
        if whose[n] == owner:
            t0, t1 = _inside(planes, PLANES, PLANES + 2, edges[n], spans[i, 0], spans[i, 1])
            if t0 <= t1:
                return False
    return True
