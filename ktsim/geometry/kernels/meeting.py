"""What the middle line of a cell meets on its way, and whether a flat cut through it stops all lines of the cell."""

from __future__ import annotations

import numpy as np

from ktsim.geometry.kernels import lean
from ktsim.geometry.kernels.cells import A, B
from ktsim.geometry.kernels.primitives import normal, segment_hits_triangle
from ktsim.geometry.kernels.queries import _far, in_frame
from ktsim.geometry.kernels.slices import crossing, cut, plane_through
from ktsim.geometry.kernels.wide import aimed, kids_met, kids_on

MET = 8
"""Parts on one line that are considered."""
PLACES, WIDE = 3, 0.25
"""Where in a part flat cuts are tried; and how wide a cell may be at the cut, in inches, to try more than one."""


@lean
def owner_of(F, j, k):
    """Whose triangle *j* of instance *k* is: a part's label, or past all labels the instance."""
    return F.labels[j] if F.labels[j] >= 0 else F.parts + k


@lean
def parts_met(F, act, stack, ox, oy, oz, dx, dy, dz, counts, touching, owner, where, first, inside, hits):
    """The parts that a thin segment meets: how many (at most MET; 0: it is free), into *owner*; *where* gets an
    instance and a label, *inside* from where to where, at most to its end, it is longest within the part without
    meeting it, *first* where it meets it at all. Just one when that has no outline in the cell and
    comes near neither end."""
    found = 0
    n = 0
    for a in range(act.shape[0]):
        k = act[a]
        if _far(F.place, k, ox, oy, oz, dx, dy, dz, 0.0):
            continue
        x, y, z, ex, ey, ez = in_frame(F.place, k, ox, oy, oz, dx, dy, dz)
        sx, sy, sz, ax, ay, az, bx, by, bz, ix, iy, iz = aimed(x, y, z, ex, ey, ez, 1e-12)
        stack[4] = F.tops[k]
        sp = 5
        while sp > 4:
            sp -= 1
            i = stack[sp]
            if i >= 0:
                met = kids_met(F.wide, i, sx, sy, sz, ax, ay, az, bx, by, bz, ix, iy, iz, stack)
                sp = kids_on(F.wide, i, met, stack, sp)
                continue
            begin = (-1 - i) >> 2
            for j in range(begin, begin + ((-1 - i) & 3)):
                t = segment_hits_triangle(x, y, z, ex, ey, ez, F.tris[j])
                if t > 1.0:
                    continue
                o = owner_of(F, j, k)
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
                    first[found] = t
                    found += 1
                if n < hits.shape[0]:
                    hits[n, 0] = known
                    hits[n, 1] = t
                    hits[n, 2] = _faces(F.tris[j], ex, ey, ez)
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
    return found


@lean
def _faces(T, dx, dy, dz):
    """Below 0 when a triangle faces against the direction d, so that a line enters there."""
    nx, ny, nz = normal(T)
    return nx * dx + ny * dy + nz * dz


@lean
def is_whole(F, where, stack, win, row, far, n_far, middle, inside, f, give, reach, axes, region, favourite, w, local):
    """Does a flat cut through part *f* fill the cell, where the middle line is *inside* it from one parameter to the
    other? As ``slices.cut``; -1 when no plane that was tried is crossed by all lines.

    Tried are planes along the window, in the middle and near both ends: a ledge or a bevel may be before or behind what
    is whole. *favourite* (1,): which one served last; *local*: as ``slices.cut`` has it.
    """
    k = where[f, 0]
    label = where[f, 1]
    state = -1
    w[3] = np.inf
    for i in range(PLACES):
        which = (favourite[0] + i) % PLACES
        part = (0.5, 0.85, 0.15)[which]
        u = inside[f, 0] + part * (inside[f, 1] - inside[f, 0])
        x = middle[A] + u * (middle[B] - middle[A])
        y = middle[A + 1] + u * (middle[B + 1] - middle[A + 1])
        plane_through(x, y, u * middle[B + 2], 0.0, 0.0, 1.0, axes)
        if not crossing(axes, row, far, n_far, region):
            continue
        if state >= 0 and max(region[1] - region[0], region[3] - region[2]) > WIDE:
            break
        if state < 0:
            state = cut(F, k, label, stack, win, axes, region, give, reach, False, w, local)
            w[2] = u
        else:
            state = max(state, cut(F, k, label, stack, win, axes, region, give, reach, True, w, local))
        if state == 2:
            favourite[0] = which
            return 2
    return state
