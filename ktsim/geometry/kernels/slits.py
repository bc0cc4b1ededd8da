"""Slits too narrow for a line: what no single part proves, because each stops only the lines on its side.

A plane that all lines of a bundle cross, each at a point nearer than r to the border of some cut through the obstacles,
whoever's cut that is, is passed by none of them. To be near a border segment is to be near a convex set, so a rectangle
whose corners are near one segment is near it everywhere: along a slit a few rectangles do. They lie along the nearest
border, and the ball's roundness is minded: most cells that no middle line tells about are proved so.

All coordinates are the window's, see ``silhouettes``; planes and regions are those of ``slices``.
"""

from __future__ import annotations

import math

import numpy as np

from ktsim.geometry.kernels import lean
from ktsim.geometry.kernels.cells import A, B, lit_within
from ktsim.geometry.kernels.slices import in_plane, plane_through, section
from ktsim.geometry.kernels.wide import kids_between, kids_on

SEGMENTS, RECTANGLES = 64, 64
"""How many borders are minded, and how many rectangles are looked at, before it is given up."""
NARROW = 4.0
"""How wide a region may be across the nearest border to be worth it, in radii of a line: a slit that lets none through
is at most two wide, and behind each of its borders one more counts."""


@lean
def is_shut(F, act, stack, win, row, far, n_far, disc, middle, u, p, q, r, reach, axes, region, segments, rects):
    """2: all lines of the cell are stopped where they cross the plane along the window at the middle line's parameter
    *u*, because all of them come nearer than *r* to borders there; 1: nearer than *reach*; 0: neither.

    (p, q), of unit length: the way to the nearest border, across which the cell should be narrow. *disc*: as
    ``cells.all_shadows`` has it. *segments* (SEGMENTS + 7, 4) and *rects* (RECTANGLES, 4): room to work in."""
    x = middle[A] + u * (middle[B] - middle[A])
    y = middle[A + 1] + u * (middle[B + 1] - middle[A + 1])
    w = u * middle[B + 2]
    plane_through(x, y, w, 0.0, 0.0, 1.0, axes)
    axes[6] = p
    axes[7] = q
    axes[8] = 0.0
    axes[9] = -q
    axes[10] = p
    axes[11] = 0.0
    for side in range(4):
        sign = 1.0 if side & 1 else -1.0
        sp = sign * axes[6 + 3 * (side >> 1)]
        sq = sign * axes[7 + 3 * (side >> 1)]
        near = lit_within(row, disc, sp, sq)
        most = -np.inf
        for f in range(n_far):
            if far[f, 2] <= w:
                return 0
            t = w / far[f, 2]
            most = max(most, (1.0 - t) * near + t * (sp * far[f, 0] + sq * far[f, 1]))
        region[side] = sign * (most - sp * x - sq * y)
        if side == 1 and not 0.0 <= region[1] - region[0] <= NARROW * reach:
            return 0
    count = _borders(F, act, stack, win, axes, region, reach, segments)
    if count == 0:
        return 0
    # the corners first: one of them is the farthest from all borders where it is not the middle of a gap
    worst = 0.0
    for c in range(4):
        nearest = 1e300
        for i in range(count):
            nearest = min(nearest, _apart(segments[i], region[c & 1], region[2 + (c >> 1)]))
        worst = max(worst, nearest)
        if worst >= reach:
            return 0
    if worst < r and region[1] - region[0] <= NARROW * r and _covered(segments, count, region, r * (1.0 - 1e-9), rects):
        return 2
    return 1 if reach > r and _covered(segments, count, region, reach * (1.0 - 1e-9), rects) else 0


@lean
def _borders(F, act, stack, win, axes, region, r, segments):
    """Borders of the cuts through everything active that may be within r of the region: how many."""
    n = 0
    local = segments[SEGMENTS:]
    for a in range(act.shape[0]):
        k = act[a]
        slack = in_plane(F, k, win, axes, local)
        stack[0] = F.tops[k]
        sp = 1
        while sp > 0:
            sp -= 1
            i = stack[sp]
            if i >= 0:
                met = kids_between(F.wide, i, local, region[0] - r, region[1] + r, region[2] - r, region[3] + r, slack)
                sp = kids_on(F.wide, i, met, stack, sp)
                continue
            first = (-1 - i) >> 2
            for j in range(first, first + ((-1 - i) & 3)):
                if n < SEGMENTS and section(local, F.tris[j], segments[n]):
                    n += 1
    return n


@lean
def _covered(segments, count, region, r, rects):
    """Is every point of the region nearer than r to one of the segments?"""
    for c in range(4):
        rects[0, c] = region[c]
    n = 1
    for _ in range(RECTANGLES):
        n -= 1
        rect = rects[n]
        s = 0.5 * (rect[0] + rect[1])
        t = 0.5 * (rect[2] + rect[3])
        nearest = 1e300
        near = -1
        done = False
        for i in range(count):
            d = _apart(segments[i], s, t)
            if d < nearest:
                nearest = d
                near = i
            if d < r:
                done = True
                for c in range(4):
                    if done and _apart(segments[i], rect[c & 1], rect[2 + (c >> 1)]) >= r:
                        done = False
                if done:
                    break
        if done:
            if n == 0:
                return True
            continue
        if nearest >= r or n + 2 > RECTANGLES:
            return False
        # across the nearest border, unless it is only too short
        g = segments[near]
        ds = g[2] - g[0]
        dt = g[3] - g[1]
        l = math.sqrt(ds * ds + dt * dt)
        beside = 0.0
        if l > 0.0:
            for c in range(4):
                off = abs((rect[c & 1] - g[0]) * dt - (rect[2 + (c >> 1)] - g[1]) * ds) / l
                beside = max(beside, off)
        else:
            beside = r
        along = beside < r
        cut = 0 if (abs(ds) < abs(dt)) != along else 2
        other = 2 - cut
        if rect[other + 1] - rect[other] > 64.0 * (rect[cut + 1] - rect[cut]):
            cut = other
        half = 0.5 * (rect[cut] + rect[cut + 1])
        high = rect[cut + 1]
        for c in range(4):
            rects[n + 1, c] = rect[c]
        rect[cut + 1] = half
        rects[n + 1, cut] = half
        rects[n + 1, cut + 1] = high
        n += 2
    return False


@lean
def _apart(g, s, t):
    """Distance of a point from a segment in the plane."""
    ds = g[2] - g[0]
    dt = g[3] - g[1]
    l2 = ds * ds + dt * dt
    x = s - g[0]
    y = t - g[1]
    if l2 > 0.0:
        f = min(1.0, max(0.0, (x * ds + y * dt) / l2))
        x -= f * ds
        y -= f * dt
    return math.sqrt(x * x + y * y)
