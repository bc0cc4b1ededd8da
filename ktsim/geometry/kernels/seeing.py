"""Can a surface be seen from a ball? A complete search that ends in a witness line or in a proof.

Lines run from the ball to the surface. Cut where they leave the ball they are clear if they were before, so a line
may be named by where it crosses the window, a plane touching the ball on the surface's side, and where it ends. Cells
are pairs (rectangle of the window, patch of the surface). A cell is proved blocked, or gives a witness, or is split.
What proves it:

* one part that all its lines meet, or come nearer to than r: see ``silhouettes``;
* a flat cut through one part that all its lines cross: see ``slices``;
* an obstacle point at distance d from the middle line at parameter u with d + s0 (1 - u) + s1 u < r, where the ends of
  the cell's lines are at most s0 and s1 from those of the middle one.

Cells are split where the outline of the part that is most in the way sticks out most, so along a slit they grow long
and thin and few are needed. Cells in which no line is clear by more than the resolution are left at that.
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit

from ktsim.geometry.kernels import OPTIONS
from ktsim.geometry.kernels.cells import (
    MIDDLE,
    ROW,
    S0,
    S1,
    A,
    B,
    around,
    box_corners,
    leaves_ball,
    open_cell,
    split,
    tighten,
    towards,
    turned_away,
    window,
)
from ktsim.geometry.kernels.primitives import segment_hits_triangle
from ktsim.geometry.kernels.queries import DEPTH, _enter, _far, _inverse, _local, blocked, clearance, depth, within
from ktsim.geometry.kernels.silhouettes import (
    PLANES,
    bound,
    clip,
    drawn_in,
    into_window,
    may_turn,
    outlines,
    sticks_out,
)
from ktsim.geometry.kernels.slices import AXES, crossing, cut, plane_through
from ktsim.geometry.kernels.witnesses import mend

KEPT = 256
"""Cells kept for the next finer pass, at first; room grows with them."""
STACK = 4096
"""Cells waiting to be looked at in one pass."""
PUSHES, EVERY = 8, 128
"""How many free lines one search tries to mend, and one more for so many cells; others only when they are clearer than
all before."""
MET = 8
"""Parts on one line that are considered."""
PLACES, WIDE = 3, 0.25
"""Where in a part flat cuts are tried; and how wide a cell may be at the cut, in inches, to try more than one."""
SLACK = 0.99
"""By how much of r cells are drawn in; the rest is for rounding and for welded corners."""


@njit(**OPTIONS)
def _met(F, act, stack, ox, oy, oz, dx, dy, dz, counts, touching, owner, where, first, inside, hits):
    """The parts that a thin segment meets: how many (at most MET; 0: it is free), into *owner*; *where* gets an
    instance, a label and the triangle before *inside*, from where to where, at most to its end, it is longest within
    the part without meeting it; *first* where it meets it at all. Just one when that has no outline in the cell and
    comes near neither end."""
    found = 0
    n = 0
    for a in range(act.shape[0]):
        k = act[a]
        if _far(F.place, k, ox, oy, oz, dx, dy, dz, 0.0):
            continue
        x, y, z, ex, ey, ez = _local(F.place, k, ox, oy, oz, dx, dy, dz)
        ix = _inverse(ex)
        iy = _inverse(ey)
        iz = _inverse(ez)
        stack[0] = F.roots[k]
        sp = 1
        while sp > 0:
            sp -= 1
            i = stack[sp]
            if _enter(F.nodes, i, x, y, z, ix, iy, iz, 1e-12, 1.0) > 1.0:
                continue
            if F.links[i, 1] == 0:
                stack[sp] = F.links[i, 0]
                stack[sp + 1] = F.links[i, 0] + 1
                sp += 2
                continue
            for j in range(F.links[i, 0], F.links[i, 0] + F.links[i, 1]):
                t = segment_hits_triangle(x, y, z, ex, ey, ez, F.tris[j])
                if t > 1.0:
                    continue
                o = F.labels[j] if F.labels[j] >= 0 else F.parts + k
                known = -1
                for f in range(found):
                    if owner[f] == o:
                        known = f
                if known < 0:
                    if counts[o] == 0 and touching[o] == 0:
                        known = 0
                        owner[0] = o
                        where[0, 0] = k
                        where[0, 1] = F.labels[j]
                        first[0] = t
                        return 1
                    if found == MET:
                        continue
                    known = found
                    owner[found] = o
                    where[found, 0] = k
                    where[found, 1] = F.labels[j]
                    where[found, 2] = j
                    first[found] = t
                    found += 1
                if n < hits.shape[0]:
                    hits[n, 0] = known
                    hits[n, 1] = t
                    hits[n, 2] = _faces(F.tris[j], ex, ey, ez)
                    hits[n, 3] = j
                    n += 1
    for f in range(found):
        inside[f, 0] = 0.0
        inside[f, 1] = 0.0
        begins = -1
        for i in range(n):
            if hits[i, 0] == f and (begins < 0 or hits[i, 1] < hits[begins, 1]):
                begins = i
        if begins >= 0 and hits[begins, 2] > 0.0:
            # it begins within the part
            inside[f, 1] = hits[begins, 1]
            where[f, 2] = int(hits[begins, 3])
        for i in range(n):
            if hits[i, 0] != f or hits[i, 2] >= 0.0:
                continue
            leaves = 1.0
            for g in range(n):
                if hits[g, 0] == f and hits[g, 1] > hits[i, 1] + 1e-9:
                    leaves = min(leaves, hits[g, 1])
            if leaves - hits[i, 1] > inside[f, 1] - inside[f, 0]:
                inside[f, 0] = hits[i, 1]
                inside[f, 1] = leaves
                where[f, 2] = int(hits[i, 3])
    return found


@njit(inline="always", **OPTIONS)
def _faces(T, dx, dy, dz):
    """Below 0 when a triangle faces against the direction d, so that a line enters there."""
    nx = (T[4] - T[1]) * (T[8] - T[2]) - (T[5] - T[2]) * (T[7] - T[1])
    ny = (T[5] - T[2]) * (T[6] - T[0]) - (T[3] - T[0]) * (T[8] - T[2])
    nz = (T[3] - T[0]) * (T[7] - T[1]) - (T[4] - T[1]) * (T[6] - T[0])
    return nx * dx + ny * dy + nz * dz


@njit(**OPTIONS)
def _whole(
    F, k, label, j, stack, win, row, far, n_far, middle, sx, sy, inside, give, reach, axes, region, favourite, w
):
    """Does a flat cut through a part fill the cell, where the middle line, moved sideways by (sx, sy), is *inside* it
    from one parameter to the other? As ``slices.cut``; -1 when no plane that was tried is crossed by all lines.

    Tried are planes along the window and along the triangle *j* where the line enters, in the middle and near both
    ends: a ledge or a bevel may be before or behind what is whole. *favourite* (1,): which one served last.
    """
    nx, ny, nz = _normal(F, j, k)
    l = math.sqrt(nx * nx + ny * ny + nz * nz)
    ap = (nx * win[3] + ny * win[4] + nz * win[5]) / l
    aq = (nx * win[6] + ny * win[7] + nz * win[8]) / l
    aw = (nx * win[10] + ny * win[11] + nz * win[12]) / l
    state = -1
    w[3] = np.inf
    for i in range(2 * PLACES):
        which = (favourite[0] + i) % (2 * PLACES)
        if which % 2 and abs(aw) > 0.98:
            continue
        part = (0.5, 0.85, 0.15)[which // 2]
        u = inside[0] + part * (inside[1] - inside[0])
        x = middle[A] + u * (middle[B] - middle[A])
        y = middle[A + 1] + u * (middle[B + 1] - middle[A + 1])
        if which % 2:
            plane_through(x, y, u * middle[B + 2], ap, aq, aw, axes)
        else:
            plane_through(x, y, u * middle[B + 2], 0.0, 0.0, 1.0, axes)
        if not crossing(axes, row, far, n_far, region):
            continue
        if state >= 0 and max(region[1] - region[0], region[3] - region[2]) > WIDE:
            break
        axes[0] += sx
        axes[1] += sy
        if state < 0:
            state = cut(F, k, label, stack, win, axes, region, give, reach, False, w)
            w[2] = u
        else:
            state = max(state, cut(F, k, label, stack, win, axes, region, give, reach, True, w))
        if state == 2:
            favourite[0] = which
            return 2
    return state


@njit(**OPTIONS)
def _normal(F, j, k):
    """The outward normal of triangle *j* as instance *k* stands; not of unit length."""
    T = F.tris[j]
    nx = (T[4] - T[1]) * (T[8] - T[2]) - (T[5] - T[2]) * (T[7] - T[1])
    ny = (T[5] - T[2]) * (T[6] - T[0]) - (T[3] - T[0]) * (T[8] - T[2])
    nz = (T[3] - T[0]) * (T[7] - T[1]) - (T[4] - T[1]) * (T[6] - T[0])
    c = F.place[k, 3]
    s = F.place[k, 4]
    return nx * c - ny * s, nx * s + ny * c, nz


@njit(**OPTIONS)
def search(F, act, sph, links, nodes, tris, closed, pose, ball, r, sizes, budgets, out):
    """Look for a line of radius *r*, clear of the active instances, from the ball to the surface.

    *sph*, *links*, *nodes*, *tris*: the surface's tree; *closed*: it bounds a solid (faces turned away are left out);
    *pose*: x, y, z, cosine, sine of the surface; *ball*: x, y, z, radius; *sizes*: resolutions, coarse to fine;
    *budgets*: for each of them how many cells may have been looked at, all in all, before the search is given up.
    Returns 1 (line in out[0:6]), or 0 with out[6] the finest resolution it went through (0: there is no line at all;
    inf: none). out[7]: cells looked at; out[8:15] the nearest miss, if nearer than what it was before: its clearance
    and its line.
    """
    stack = np.empty(DEPTH, np.int32)
    line = np.empty(7)
    rows = np.empty((STACK, ROW))
    waiting = np.empty((KEPT, ROW))
    kept = np.empty((KEPT, ROW))
    row = np.empty(ROW)
    w = np.zeros(4)
    w_cut = np.zeros(4)
    best_w = np.zeros(4)
    far = np.empty((8, 3))
    shadows = np.empty((8, 2))
    middle = np.empty(MIDDLE)
    box = np.empty(6)
    turn = np.empty((3, 4))
    planes = np.empty((PLANES + 2, 4))
    span = np.empty(2)
    owner = np.empty(MET, np.int32)
    where = np.empty((MET, 3), np.int32)
    first = np.empty(MET)
    inside = np.zeros((MET, 2))
    hits = np.empty((64, 4))
    axes = np.empty(AXES)
    region = np.empty(4)
    favourite = np.zeros(1, np.int32)
    win = window(sph, pose, ball)
    into_window(win, pose[0], pose[1], pose[2], pose[3], pose[4], turn)
    behind = (ball[0] - win[0]) * win[10] + (ball[1] - win[1]) * win[11] + (ball[2] - win[2]) * win[12]
    cells = 0
    pushes = 0
    pushed = 0.0
    out[6] = np.inf
    n_waiting = 1
    for c in range(4):
        waiting[0, c] = -win[9] if c % 2 == 0 else win[9]
    waiting[0, 4] = 0.0
    touching = np.zeros(F.parts + F.roots.shape[0], np.uint8)
    counts = np.zeros(touching.shape[0], np.int32)
    box_corners(turn, nodes[0], far)
    around(far, 8, box)
    edges, whose = outlines(F, act, stack, win, waiting[0, :4], far, box, r + sizes[0], touching)
    pool = np.empty(8 * edges.shape[0] + 1024, np.int32)
    waiting_edges = np.arange(edges.shape[0]).astype(np.int32)
    kept_edges = np.empty(1024, np.int32)
    waiting[0, 14] = 0.0
    waiting[0, 15] = edges.shape[0]
    for level in range(sizes.shape[0]):
        size = sizes[level]
        reach = r + size
        n_kept = 0
        n_edges = 0
        for g in range(n_waiting):
            rows[0] = waiting[g]
            low = int(waiting[g, 14])
            high = int(waiting[g, 15])
            pool[: high - low] = waiting_edges[low:high]
            rows[0, 14] = 0.0
            rows[0, 15] = high - low
            n = 1
            while n > 0:
                n -= 1
                row[:] = rows[n]
                cells += 1
                out[7] = cells
                if cells > budgets[level] or n > STACK - 4:
                    return 0
                n_far = open_cell(row, turn, sph, links, nodes, tris, far, middle)
                node = int(row[4])
                if node < 0 and closed and turned_away(row, behind, ball[3]):
                    continue
                if not tighten(row, far, n_far, behind, ball[3], shadows, middle):
                    continue
                s0 = middle[S0]
                s1 = middle[S1]
                ax = win[0] + middle[A] * win[3] + middle[A + 1] * win[6]
                ay = win[1] + middle[A] * win[4] + middle[A + 1] * win[7]
                az = win[2] + middle[A] * win[5] + middle[A + 1] * win[8]
                bx = win[0] + middle[B] * win[3] + middle[B + 1] * win[6] + middle[B + 2] * win[10]
                by = win[1] + middle[B] * win[4] + middle[B + 1] * win[7] + middle[B + 2] * win[11]
                bz = win[2] + middle[B] * win[5] + middle[B + 1] * win[8] + middle[B + 2] * win[12]
                dx = bx - ax
                dy = by - ay
                dz = bz - az
                length = math.sqrt(dx * dx + dy * dy + dz * dz)
                low = int(row[14])
                high = int(row[15])
                u = 0.5
                best_w[:] = 0.0
                fits = False
                stopped = False
                if length > 1e-9:
                    met, hx, hy, hz, off = leaves_ball(ball, ax, ay, az, bx, by, bz)
                    back = math.sqrt((ax - ball[0]) ** 2 + (ay - ball[1]) ** 2 + (az - ball[2]) ** 2)
                    back = (ball[3] + back) / length
                    if off > ball[3] + s0 * (1.0 + back) + s1 * back:
                        continue  # no line of the cell comes from the ball
                    # the outlines that reach into the cell
                    bound(row, far, n_far, reach, planes)
                    around(far, n_far, box)
                    room = pool.shape[0] - high >= high - low
                    top = high
                    for i in range(low, high):
                        edge = edges[pool[i]]
                        if clip(planes, PLANES, edge, span) and may_turn(edge, row, box, reach):
                            counts[whose[pool[i]]] += 1
                            if room:
                                pool[top] = pool[i]
                                top += 1
                    if room:
                        low = high
                        high = top
                    found = _met(
                        F, act, stack, ax, ay, az, dx, dy, dz, counts, touching, owner, where, first, inside, hits
                    )
                    proved = found == 1 and counts[owner[0]] == 0 and touching[owner[0]] == 0
                    for f in range(found):
                        t = first[f]
                        proved = proved or s0 * (1.0 - t) + s1 * t < r
                    stopped = found > 0
                    if stopped:
                        u = first[0]
                    shift_p = 0.0
                    shift_q = 0.0
                    give = SLACK * r
                    if found == 0:
                        d, u, j, k = clearance(F, act, stack, ax, ay, az, dx, dy, dz, reach)
                        stopped = d < r
                        if j < 0:
                            u = 0.5
                        if (
                            not stopped
                            and met
                            and node < 0
                            and not blocked(F, act, stack, hx, hy, hz, bx - hx, by - hy, bz - hz, r)
                        ):
                            _set_line(out, 0, hx, hy, hz, bx, by, bz)
                            return 1
                        if met and stopped and node < 0 and d > out[8]:
                            t, _u, _j, _k = clearance(F, act, stack, hx, hy, hz, bx - hx, by - hy, bz - hz, d)
                            if t > out[8]:
                                out[8] = t
                                _set_line(out, 9, hx, hy, hz, bx, by, bz)
                        if j >= 0 and d + s0 * (1.0 - u) + s1 * u < r:
                            proved = True
                        elif (pushes < PUSHES + cells // EVERY or d > pushed or (not stopped and s0 + s1 <= size)) and (
                            met or off < 1.5 * ball[3]
                        ):
                            pushes += 1
                            pushed = max(pushed, 1.01 * d)
                            _set_line(line, 0, hx, hy, hz, bx, by, bz)
                            if mend(F, act, stack, nodes, links, tris, pose, ball, line, r):
                                out[0:6] = line[:6]
                                return 1
                            if line[6] > out[8]:
                                out[8] = line[6]
                                out[9:15] = line[:6]
                        if j >= 0 and not proved:
                            # move the middle line a little way into what is nearest
                            shift_p, shift_q = towards(F, j, k, win, ax, ay, az, dx, dy, dz, u)
                            best_w[0] = shift_p
                            best_w[1] = shift_q
                            apart = math.sqrt(shift_p * shift_p + shift_q * shift_q)
                            deep = max(1e-6, 0.25 * (r - apart))
                            give = max(0.0, SLACK * r - apart - deep)
                            grow = 1.0 + deep / apart if apart > 1e-12 else 1.0
                            shift_p *= grow
                            shift_q *= grow
                            owner[0] = F.labels[j] if F.labels[j] >= 0 else F.parts + k
                            where[0, 0] = k
                            where[0, 1] = F.labels[j]
                            cx = shift_p * win[3] + shift_q * win[6]
                            cy = shift_p * win[4] + shift_q * win[7]
                            cz = shift_p * win[5] + shift_q * win[8]
                            t, leaves, j = within(F, k, F.labels[j], stack, ax + cx, ay + cy, az + cz, dx, dy, dz)
                            inside[0] = 0.0
                            if j >= 0:
                                found = 1
                                lx, ly, lz = _normal(F, j, k)
                                if lx * dx + ly * dy + lz * dz < 0.0:
                                    inside[0, 0] = t
                                    inside[0, 1] = leaves
                                    where[0, 2] = j
                    if not proved and middle[B + 2] > 1e-9:
                        least = np.inf
                        shifted = math.sqrt(shift_p * shift_p + shift_q * shift_q)
                        for f in range(found):
                            o = owner[f]
                            worst = np.inf
                            if touching[o] == 0 or (
                                depth(F, where[f, 0], where[f, 1], stack, ax, ay, az, s0 + reach) >= s0 + reach
                                and depth(F, where[f, 0], where[f, 1], stack, bx, by, bz, s1 + reach) >= s1 + reach
                            ):
                                worst = sticks_out(
                                    edges, pool, low, high, whose, o, row, far, n_far, shadows, middle,
                                    shift_p, shift_q, span, planes, w,
                                )  # fmt: skip
                                if worst == -np.inf or (
                                    worst < give
                                    and drawn_in(
                                        edges, pool, low, high, whose, o, row, far, n_far, shadows, middle,
                                        shift_p, shift_q, w[0], w[1], give, span, planes,
                                    )
                                ):  # fmt: skip
                                    proved = True
                                    break
                                if worst + shifted < reach and drawn_in(
                                    edges, pool, low, high, whose, o, row, far, n_far, shadows, middle,
                                    shift_p, shift_q, w[0], w[1], (reach - shifted) * SLACK, span, planes,
                                ):  # fmt: skip
                                    fits = True
                            if inside[f, 1] > inside[f, 0] and F.hollow[o] == 0:
                                state = _whole(
                                    F, where[f, 0], where[f, 1], where[f, 2], stack, win, row, far, n_far, middle,
                                    shift_p, shift_q, inside[f], give, (reach - shifted) * SLACK,
                                    axes, region, favourite, w_cut,
                                )  # fmt: skip
                                if state == 2:
                                    proved = True
                                    break
                                fits = fits or state == 1
                                if state >= 0 and w_cut[3] < worst:
                                    worst = w_cut[3]
                                    w[:] = w_cut
                            if worst < least:
                                least = worst
                                best_w[:] = w
                                u = w[2]
                    for i in range(low, high):
                        counts[whose[pool[i]]] = 0
                    if proved:
                        continue
                if fits or (s0 + s1 <= size and (stopped or node < 0)):
                    if n_kept == kept.shape[0]:
                        more = np.empty((4 * n_kept, ROW))
                        more[:n_kept] = kept
                        kept = more
                    if n_edges + high - low > kept_edges.shape[0]:
                        longer = np.empty(2 * (n_edges + high - low), np.int32)
                        longer[:n_edges] = kept_edges[:n_edges]
                        kept_edges = longer
                    kept_edges[n_edges : n_edges + high - low] = pool[low:high]
                    kept[n_kept] = row
                    kept[n_kept, 14] = n_edges
                    n_edges += high - low
                    kept[n_kept, 15] = n_edges
                    n_kept += 1
                    continue
                row[14] = low
                row[15] = high
                split(row, far, node, links, best_w, u, rows[n], rows[n + 1])
                n += 2
        if n_kept == 0:
            out[6] = 0.0
            return 0
        out[6] = size
        waiting, kept = kept, waiting
        waiting_edges, kept_edges = kept_edges, waiting_edges
        n_waiting = n_kept
    return 0


@njit(inline="always", **OPTIONS)
def _set_line(out, at, hx, hy, hz, bx, by, bz):
    out[at] = hx
    out[at + 1] = hy
    out[at + 2] = hz
    out[at + 3] = bx
    out[at + 4] = by
    out[at + 5] = bz
