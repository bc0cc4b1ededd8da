"""Flat cuts through the inside of a part, and what they prove.

All lines of a bundle that cross some plane between their ends within a solid are blocked by it. Rough parts (rubble,
sandbags) show many outlines of their own bumps, but a cut through their middle is whole. The bundle crosses the plane
inside the hull of where the lines between its corners do; when one of these points is inside the solid, and the border
of the cut does not come into the rectangle around them, all are. As everywhere, nearer than r is enough, so the
rectangle is drawn in by that much first.

All coordinates are the window's, see ``silhouettes``.
"""

from __future__ import annotations

import math

import numpy as np

from ktsim.geometry.kernels import lean
from ktsim.geometry.kernels.primitives import narrowed
from ktsim.geometry.kernels.silhouettes import into_window
from ktsim.geometry.kernels.wide import ROUNDING, kids_between, kids_on

AXES = 12
"""A plane to cut along: 0-2 a point of it, 3-5 its normal, 6-8 and 9-11 two directions in it, all of unit length."""
HOPELESS = 8.0
"""A border that reaches so much farther into a bundle than the bundle may be drawn in need not be the worst: it is cut
there, wherever else it will have to be."""


@lean
def plane_through(x, y, z, nx, ny, nz, axes):
    """The plane through a point across a normal of unit length."""
    axes[0] = x
    axes[1] = y
    axes[2] = z
    axes[3] = nx
    axes[4] = ny
    axes[5] = nz
    # level in the window where that is possible
    l = math.sqrt(nx * nx + nz * nz)
    if l > 1e-6:
        axes[6] = nz / l
        axes[7] = 0.0
        axes[8] = -nx / l
    else:
        axes[6] = 1.0
        axes[7] = 0.0
        axes[8] = 0.0
    axes[9] = ny * axes[8] - nz * axes[7]
    axes[10] = nz * axes[6] - nx * axes[8]
    axes[11] = nx * axes[7] - ny * axes[6]


@lean
def crossing(axes, rect, far, n_far, region):
    """Where the bundle crosses the plane: low and high along both directions, into *region*. False when some of its
    lines do not cross it."""
    region[0] = 1e300
    region[1] = -1e300
    region[2] = 1e300
    region[3] = -1e300
    for e in range(4):
        p = rect[e & 1] - axes[0]
        q = rect[2 + (e >> 1)] - axes[1]
        z = -axes[2]
        before = p * axes[3] + q * axes[4] + z * axes[5]
        for f in range(n_far):
            fp = far[f, 0] - axes[0]
            fq = far[f, 1] - axes[1]
            fw = far[f, 2] - axes[2]
            beyond = fp * axes[3] + fq * axes[4] + fw * axes[5]
            if before * beyond >= 0.0:
                return False
            t = before / (before - beyond)
            x = p + t * (fp - p)
            y = q + t * (fq - q)
            w = z + t * (fw - z)
            s = x * axes[6] + y * axes[7] + w * axes[8]
            region[0] = min(region[0], s)
            region[1] = max(region[1], s)
            s = x * axes[9] + y * axes[10] + w * axes[11]
            region[2] = min(region[2], s)
            region[3] = max(region[3], s)
    return True


@lean
def _reaches_in(s0, t0, s1, t1, region, less):
    """Does the segment come into the region drawn in by *less* on all sides (but never past the origin)?"""
    a = 0.0
    b = 1.0
    for side in range(4):
        if side < 2:
            x0 = s0
            x1 = s1
        else:
            x0 = t0
            x1 = t1
        if side & 1:
            limit = max(0.0, region[side] - less)
            x0 -= limit
            x1 -= limit
        else:
            limit = min(0.0, region[side] + less)
            x0 = limit - x0
            x1 = limit - x1
        a, b = narrowed(x0, x1, a, b)
        if a > b:
            return False
    return True


@lean
def in_plane(F, k, win, axes, local):
    """Heights above the plane and places along its two directions, of points in instance *k*'s own frame: local[i, :3]
    times the point, and local[i, 3]. The next three rows are room to work in. Returns by how much these may be off in
    float32."""
    turn = local[3:6]
    into_window(win, F.place[k, 0], F.place[k, 1], F.place[k, 2], F.place[k, 3], F.place[k, 4], turn)
    for i in range(3):
        for c in range(3):
            local[i, c] = axes[3 + 3 * i] * turn[0, c] + axes[4 + 3 * i] * turn[1, c] + axes[5 + 3 * i] * turn[2, c]
        local[i, 3] = (
            axes[3 + 3 * i] * (turn[0, 3] - axes[0])
            + axes[4 + 3 * i] * (turn[1, 3] - axes[1])
            + axes[5 + 3 * i] * (turn[2, 3] - axes[2])
        )
    P = F.place[k]
    return 1e-9 + 5.0 * ROUNDING * (abs(P[5]) + abs(P[6]) + abs(P[7]) + 2.0 * P[8])


@lean
def section(local, T, ends):
    """Where the plane cuts triangle *T*: both ends, along the plane's two directions, into *ends* (4,); False when it
    does not. *local* (3, 4): as ``in_plane`` has it."""
    h0 = local[0, 0] * T[0] + local[0, 1] * T[1] + local[0, 2] * T[2] + local[0, 3]
    h1 = local[0, 0] * T[3] + local[0, 1] * T[4] + local[0, 2] * T[5] + local[0, 3]
    h2 = local[0, 0] * T[6] + local[0, 1] * T[7] + local[0, 2] * T[8] + local[0, 3]
    if (h0 > 0.0 and h1 > 0.0 and h2 > 0.0) or (h0 < 0.0 and h1 < 0.0 and h2 < 0.0):
        return False
    # the corner that is alone on its side, and the two others
    if (h0 >= 0.0) == (h1 >= 0.0):
        a = 6
        ha = h2
        b = 0
        hb = h0
        d = 3
        hd = h1
    elif (h0 >= 0.0) == (h2 >= 0.0):
        a = 3
        ha = h1
        b = 0
        hb = h0
        d = 6
        hd = h2
    else:
        a = 0
        ha = h0
        b = 3
        hb = h1
        d = 6
        hd = h2
    t = ha / (ha - hb) if ha != hb else 0.0
    x = T[a] + t * (T[b] - T[a])
    y = T[a + 1] + t * (T[b + 1] - T[a + 1])
    z = T[a + 2] + t * (T[b + 2] - T[a + 2])
    ends[0] = local[1, 0] * x + local[1, 1] * y + local[1, 2] * z + local[1, 3]
    ends[1] = local[2, 0] * x + local[2, 1] * y + local[2, 2] * z + local[2, 3]
    t = ha / (ha - hd) if ha != hd else 0.0
    x = T[a] + t * (T[d] - T[a])
    y = T[a + 1] + t * (T[d + 1] - T[a + 1])
    z = T[a + 2] + t * (T[d + 2] - T[a + 2])
    ends[2] = local[1, 0] * x + local[1, 1] * y + local[1, 2] * z + local[1, 3]
    ends[3] = local[2, 0] * x + local[2, 1] * y + local[2, 2] * z + local[2, 3]
    return True


@lean
def cut(F, k, label, stack, win, axes, region, give, reach, quick, w, local):
    """2: the cut of instance *k*'s *label* along the plane fills *region* drawn in by *give*; 1: drawn in by *reach*;
    0: neither. Else how far the region sticks out past the nearest border of the cut goes to w[3], and the way there,
    across the window, to w[0:2]; but not when *quick*, which stops at the first border. The origin of the plane must be
    inside the part. *local* (7, 4): room to work in."""
    slack = in_plane(F, k, win, axes, local)
    ends = local[6]
    enough = HOPELESS * reach
    give *= 0.7071
    reach *= 0.7071
    state = 2
    nearest = np.inf
    stack[0] = F.tops[k]
    sp = 1
    while sp > 0:
        sp -= 1
        i = stack[sp]
        if i >= 0:
            met = kids_between(F.wide, i, local, region[0], region[1], region[2], region[3], slack)
            sp = kids_on(F.wide, i, met, stack, sp)
            continue
        first = (-1 - i) >> 2
        for j in range(first, first + ((-1 - i) & 3)):
            if F.labels[j] != label:
                continue
            T = F.tris[j]
            if not section(local, T, ends):
                continue
            s0 = ends[0]
            t0 = ends[1]
            s1 = ends[2]
            t1 = ends[3]
            if not _reaches_in(s0, t0, s1, t1, region, give):
                continue
            state = min(state, 0 if _reaches_in(s0, t0, s1, t1, region, reach) else 1)
            if quick:
                if state == 0:
                    return 0
                continue
            # the nearest border of the cut, seen from the middle
            ds = s1 - s0
            dt = t1 - t0
            l2 = ds * ds + dt * dt
            t = min(1.0, max(0.0, -(s0 * ds + t0 * dt) / l2)) if l2 > 0.0 else 0.0
            fs = s0 + t * ds
            ft = t0 + t * dt
            apart = math.sqrt(fs * fs + ft * ft)
            if apart < nearest:
                nearest = apart
                if apart > 1e-9:
                    fs /= apart
                    ft /= apart
                else:
                    l = math.sqrt(l2)
                    fs = -dt / l if l > 0.0 else 1.0
                    ft = ds / l if l > 0.0 else 0.0
                sticks = max(fs * region[0], fs * region[1]) + max(ft * region[2], ft * region[3])
                w[0] = fs * axes[6] + ft * axes[9]
                w[1] = fs * axes[7] + ft * axes[10]
                w[3] = sticks - apart
                if state == 0 and w[3] > enough:
                    sp = 0
                    break
    if nearest < np.inf:
        l = math.sqrt(w[0] * w[0] + w[1] * w[1])
        if l > 1e-9:
            w[0] /= l
            w[1] /= l
    return state
