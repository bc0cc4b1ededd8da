"""Can a surface be seen from a ball? A complete search that ends in a witness line or in a proof.

Lines run from the ball to the surface. Cut where they leave the ball they are clear if they were before, so a line
may be named by where it crosses the window, a plane touching the ball on the surface's side, and where it ends. Cells
are pairs (rectangle of the window, patch of the surface). A cell is proved blocked, or gives a witness, or is split.
What proves it:

* one part that all its lines meet, or come nearer to than r: see ``silhouettes``;
* a flat cut through one part that all its lines cross: see ``slices``;
* a flat cut through all parts that leaves no gap as wide as a line: see ``slits``;
* an obstacle point at distance d from the middle line at parameter u with d + s0 (1 - u) + s1 u < r, where the ends of
  the cell's lines are at most s0 and s1 from those of the middle one.

Cells are split where the outline of the part that is most in the way sticks out most, so along a slit they grow long
and thin and few are needed. Cells in which no line is clear by more than the resolution are left at that.
"""

from __future__ import annotations

import math

import numpy as np

from ktsim.geometry.kernels import kernel, lean
from ktsim.geometry.kernels.cells import (
    MIDDLE,
    ROW,
    S0,
    S1,
    SHADOW,
    A,
    B,
    all_shadows,
    all_turned_away,
    around,
    box_corners,
    leaves_ball,
    open_cell,
    split,
    taken,
    tighten,
    towards,
    turned_away,
    window,
)
from ktsim.geometry.kernels.meeting import MET, is_whole, owner_of, parts_met
from ktsim.geometry.kernels.queries import DEPTH, blocked, clearance, depth, within
from ktsim.geometry.kernels.silhouettes import (
    PLANES,
    bound,
    drawn_in,
    into_window,
    outlines,
    reaching,
    sticks_out,
)
from ktsim.geometry.kernels.slices import AXES, HOPELESS
from ktsim.geometry.kernels.slits import RECTANGLES, SEGMENTS, is_shut
from ktsim.geometry.kernels.witnesses import KNOWN, guess, mend, widen

KEPT = 256
"""Cells kept for the next finer pass, at first; room grows with them."""
STACK = 4096
"""Cells waiting to be looked at in one pass."""
PUSHES, EVERY = 4, 128
"""How many free lines one search tries to mend, and one more for so many cells; others only when they are clearer than
all before."""
SLACK = 0.99
"""By how much of r cells are drawn in; the rest is for rounding and for welded corners."""


@kernel
def outlined(F, act, sph, nodes, pose, ball, reach):
    """The outlines that searches from the ball to the surface have to mind, radius and resolution together at most
    *reach* -> edges, whose each is, and which parts come near an end: see ``silhouettes.outlines``."""
    rect = np.empty(4)
    far = np.empty((8, 3))
    box = np.empty(6)
    turn = np.empty((3, 4))
    win = window(sph, pose, ball)
    into_window(win, pose[0], pose[1], pose[2], pose[3], pose[4], turn)
    for c in range(4):
        rect[c] = -win[9] if c % 2 == 0 else win[9]
    box_corners(turn, nodes[0], far)
    around(far, 8, box)
    touching = np.zeros(F.parts + F.roots.shape[0], np.uint8)
    edges, whose = outlines(F, act, np.empty(DEPTH, np.int32), win, rect, far, box, reach, touching)
    return edges, whose, touching


@kernel
def search(
    F, act, sph, corners, cones, links, nodes, tris, probes, closed, pose, ball, edges, whose, touching,
    r, wider, sizes, budgets, extra, first_few, tries, out,
):  # fmt: skip
    """Look for a line of radius *r*, clear of the active instances, from the ball to the surface.

    *sph*, *corners*, *cones*, *links*, *nodes*, *tris*: the surface and its tree, see ``forest.Surface``; *closed*: it
    bounds a solid (faces turned away are left out);
    *pose*: x, y, z, cosine, sine of the surface; *ball*: x, y, z, radius; *edges*, *whose*, *touching*: as ``outlined``
    found them; *sizes*: resolutions, coarse to fine; *budgets*: for each of them how many cells may have been looked
    at, all in all, before the search is given up. After the *first_few* cells, by which most looks are decided, lines
    are guessed, *tries* of them, to and about the points *probes*. Once a line is found, *extra* cells are looked at
    for one of the radius *wider*: what is left of the search is where it can be.
    Returns 2 (a line of radius *wider* in out[0:6]), 1 (one of radius *r*), or 0 with out[6] the finest resolution it
    went through (0: there is no line at all; inf: none). out[7]: cells looked at; out[8:15] the nearest miss, if nearer
    than what it was before: its clearance and its line. out[15]: whoever sets it, from another thread, ends the search
    as if its budget were spent.
    """
    stack = np.empty(DEPTH, np.int32)
    line = np.empty(7)
    walls = np.empty((KNOWN, 5))
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
    owner = np.empty(MET, np.int32)
    where = np.empty((MET, 2), np.int32)
    first = np.empty(MET)
    inside = np.zeros((MET, 2))
    hits = np.empty((64, 3))
    axes = np.empty(AXES)
    region = np.empty(4)
    favourite = np.zeros(1, np.int32)
    segments = np.empty((SEGMENTS + 7, 4))
    rects = np.empty((RECTANGLES, 4))
    win = window(sph, pose, ball)
    into_window(win, pose[0], pose[1], pose[2], pose[3], pose[4], turn)
    behind = (ball[0] - win[0]) * win[10] + (ball[1] - win[1]) * win[11] + (ball[2] - win[2]) * win[12]
    cells = 0
    pushes = 0
    pushed = 0.0
    clear = False
    seen = 0
    last = 0
    disc = np.empty(3)
    out[6] = np.inf
    n_waiting = 1
    for c in range(4):
        waiting[0, c] = -win[9] if c % 2 == 0 else win[9]
    waiting[0, 4] = 0.0
    counts = np.zeros(touching.shape[0], np.int32)
    pool = np.empty(8 * edges.shape[0] + 1024, np.int32)
    spans = np.empty((pool.shape[0], 2))
    waiting_edges = np.arange(edges.shape[0]).astype(np.int32)
    kept_edges = np.empty(1024, np.int32)
    waiting[0, 14] = 0.0
    waiting[0, 15] = edges.shape[0]
    for level in range(sizes.shape[0]):
        size = sizes[level]
        reach = r + size
        widest = wider + size
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
                if clear:
                    # a line was found in the cell on top
                    if seen or extra == 0 or widen(F, act, links, nodes, tris, pose, ball, wider, out):
                        return 2 if extra > 0 else 1
                    seen = 1
                    last = cells + extra
                    r = wider
                    reach = widest
                    clear = False
                n -= 1
                taken(rows, n, row)
                cells += 1
                out[7] = cells
                if cells > (last if seen else budgets[level]) or n > STACK - 4 or out[15] != 0.0:
                    return seen
                if (
                    cells == first_few
                    and tries > 0
                    and not seen
                    and guess(F, act, links, nodes, tris, probes, pose, ball, r, tries, out)
                ):
                    clear = True
                    n += 1
                    continue
                n_far = open_cell(row, turn, sph, corners, links, nodes, tris, far, middle)
                node = int(row[4])
                if closed and (
                    turned_away(row, behind, ball[3])
                    if node < 0
                    else all_turned_away(cones, node, turn, middle, behind, ball[3])
                ):
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
                    bound(row, far, n_far, widest, planes)
                    around(far, n_far, box)
                    if pool.shape[0] < 2 * high - low:
                        more_pool = np.empty(4 * high, np.int32)
                        more_pool[:high] = pool[:high]
                        pool = more_pool
                        spans = np.empty((4 * high, 2))
                    top = reaching(edges, whose, pool, low, high, planes, row, box, widest, counts, spans)
                    low = high
                    high = top
                    found = parts_met(
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
                            clear = True
                        elif met and stopped and node < 0 and d > out[8]:
                            t, _u, _j, _k = clearance(F, act, stack, hx, hy, hz, bx - hx, by - hy, bz - hz, d)
                            if t > out[8]:
                                out[8] = t
                                _set_line(out, 9, hx, hy, hz, bx, by, bz)
                        if j >= 0 and d + s0 * (1.0 - u) + s1 * u < r:
                            proved = True
                        elif (
                            not clear
                            and (pushes < PUSHES + cells // EVERY or d > pushed or (not stopped and s0 + s1 <= size))
                            and (met or off < 1.5 * ball[3])
                        ):
                            pushes += 1
                            pushed = max(pushed, 1.01 * d)
                            _set_line(line, 0, hx, hy, hz, bx, by, bz)
                            if mend(F, act, stack, nodes, links, tris, pose, ball, line, r, walls):
                                out[0:6] = line[:6]
                                clear = True
                            elif line[6] > out[8]:
                                out[8] = line[6]
                                out[9:15] = line[:6]
                        if clear:
                            for i in range(low, high):
                                counts[whose[pool[i]]] = 0
                            n += 1
                            continue
                        if j >= 0 and not proved:
                            shift_p, shift_q = towards(F, j, k, win, ax, ay, az, dx, dy, dz, u)
                            best_w[0] = shift_p
                            best_w[1] = shift_q
                            apart = math.sqrt(shift_p * shift_p + shift_q * shift_q)
                            # move the middle line a little way into what is nearest
                            deep = max(1e-6, 0.25 * (r - apart))
                            give = max(0.0, SLACK * r - apart - deep)
                            grow = 1.0 + deep / apart if apart > 1e-12 else 1.0
                            shift_p *= grow
                            shift_q *= grow
                            owner[0] = owner_of(F, j, k)
                            where[0, 0] = k
                            where[0, 1] = owner[0] if owner[0] < F.parts else -1
                            cx = shift_p * win[3] + shift_q * win[6]
                            cy = shift_p * win[4] + shift_q * win[7]
                            cz = shift_p * win[5] + shift_q * win[8]
                            t, leaves, j = within(F, k, where[0, 1], stack, ax + cx, ay + cy, az + cz, dx, dy, dz)
                            found = 1 if j >= 0 else 0
                            inside[0, 0] = 0.0
                            inside[0, 1] = 0.0
                            if found > 0 and apart > 1e-12 and middle[B + 2] > 1e-9:
                                # halfway through what is nearest: there the other side of a slit is, too
                                all_shadows(shadows, n_far, middle[SHADOW], disc)
                                state = is_shut(
                                    F, act, stack, win, row, far, n_far, disc, middle, 0.5 * (t + leaves),
                                    best_w[0] / apart, best_w[1] / apart, r, reach, axes, region, segments, rects,
                                )  # fmt: skip
                                proved = state == 2
                                fits = state == 1
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
                                    edges, pool, spans, low, high, whose, o, row, far, n_far, shadows, middle,
                                    shift_p, shift_q, HOPELESS * reach, w,
                                )  # fmt: skip
                                if worst == -np.inf or (
                                    worst < give
                                    and drawn_in(
                                        edges, pool, spans, low, high, whose, o, row, far, n_far, shadows, middle,
                                        shift_p, shift_q, w[0], w[1], give, planes,
                                    )
                                ):  # fmt: skip
                                    proved = True
                                    break
                                if worst + shifted < reach and drawn_in(
                                    edges, pool, spans, low, high, whose, o, row, far, n_far, shadows, middle,
                                    shift_p, shift_q, w[0], w[1], (reach - shifted) * SLACK, planes,
                                ):  # fmt: skip
                                    fits = True
                            if inside[f, 1] > inside[f, 0] and F.hollow[o] == 0:
                                state = is_whole(
                                    F, where, stack, win, row, far, n_far, middle, inside, f, give,
                                    reach * SLACK, axes, region, favourite, w_cut, segments,
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
                split(row, far, n_far, node, links, best_w, u, rows, n)
                n += 2
        if n_kept == 0:
            out[6] = 0.0
            return seen
        out[6] = size
        waiting, kept = kept, waiting
        waiting_edges, kept_edges = kept_edges, waiting_edges
        n_waiting = n_kept
    return seen


@lean
def _set_line(out, at, hx, hy, hz, bx, by, bz):
    out[at] = hx
    out[at + 1] = hy
    out[at + 2] = hz
    out[at + 3] = bx
    out[at + 4] = by
    out[at + 5] = bz
