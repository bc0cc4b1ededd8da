"""Slits too narrow for a line: what no single part proves, because each stops only the lines on its side.

A plane that all lines of a bundle cross, each at a point nearer than r to the border of some cut through the obstacles,
whoever's cut that is, is passed by none of them. To be near a border segment is to be near a convex set, so a rectangle
whose corners are near one segment is near it everywhere: along a slit a few rectangles do.

All coordinates are the window's, see ``silhouettes``; planes and regions are those of ``slices``.
"""

from __future__ import annotations

import math

from ktsim.geometry.kernels import lean
from ktsim.geometry.kernels.cells import A, B
from ktsim.geometry.kernels.slices import crossing, in_plane, plane_through, section

SEGMENTS, RECTANGLES = 64, 64
"""How many borders are minded, and how many rectangles are looked at, before it is given up."""
NARROW = 8.0
"""How wide a region may be to be worth it, in radii of a line: what is wider is never near borders only."""


@lean
def is_shut(F, act, stack, win, row, far, n_far, middle, u, r, axes, region, segments, rects):
    """Are all lines of the cell stopped where they cross the plane along the window at the middle line's parameter *u*?
    *segments* (SEGMENTS + 7, 4) and *rects* (RECTANGLES, 4): room to work in."""
    x = middle[A] + u * (middle[B] - middle[A])
    y = middle[A + 1] + u * (middle[B + 1] - middle[A + 1])
    plane_through(x, y, u * middle[B + 2], 0.0, 0.0, 1.0, axes)
    if not crossing(axes, row, far, n_far, region):
        return False
    if min(region[1] - region[0], region[3] - region[2]) > NARROW * r:
        return False
    count = _borders(F, act, stack, win, axes, region, r, segments)
    return count > 0 and _covered(segments, count, region, r * (1.0 - 1e-9), rects)


@lean
def _borders(F, act, stack, win, axes, region, r, segments):
    """Borders of the cuts through everything active that may be within r of the region: how many."""
    n = 0
    local = segments[SEGMENTS:]
    for a in range(act.shape[0]):
        k = act[a]
        in_plane(F, k, win, axes, local)
        stack[0] = F.roots[k]
        sp = 1
        while sp > 0:
            sp -= 1
            node = stack[sp]
            outside = False
            for i in range(3):
                at = local[i, 3]
                half = 0.0
                for c in range(3):
                    at += local[i, c] * 0.5 * (F.nodes[node, c] + F.nodes[node, 3 + c])
                    half += abs(local[i, c]) * 0.5 * (F.nodes[node, 3 + c] - F.nodes[node, c])
                low = 0.0 if i == 0 else region[2 * i - 2] - r
                high = 0.0 if i == 0 else region[2 * i - 1] + r
                if at - half > high or at + half < low:
                    outside = True
                    break
            if outside:
                continue
            if F.links[node, 1] == 0:
                stack[sp] = F.links[node, 0]
                stack[sp + 1] = F.links[node, 0] + 1
                sp += 2
                continue
            for j in range(F.links[node, 0], F.links[node, 0] + F.links[node, 1]):
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
