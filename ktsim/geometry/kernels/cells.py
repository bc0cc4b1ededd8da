"""Cells of lines from a ball to a surface: a rectangle of the window before the ball and a patch of the surface.

Coordinates are the window's: p and q across it, w away from it, towards the surface. A cell is a row: 0-3 the
rectangle, low and high p, low and high q; 4 the node of the surface's tree, or -1 for a triangle; 5-13 that triangle's
corners; 14-15 which outlines may matter (a range of a pool).
"""

from __future__ import annotations

import math

import numpy as np

from ktsim.geometry.kernels import inner, lean
from ktsim.geometry.kernels.witnesses import nearest_of, place

ROW = 16
A, B, S0, S1, SHADOW = 0, 2, 5, 6, 7
"""What ``middle`` holds: where the middle line begins (p, q) and ends (p, q, w); how far the ends of other lines of the
cell are at most from these; the radius of the ball's shadow on the window."""
MIDDLE = 8
ENDS = 0.001
"""A cell is cut as seen this far (as a share of its lines) from where they begin and end, or farther."""


@inner
def window(sph, pose, ball):
    """The window: its middle (3), two directions across it (3 each), its half-width, and the way to the surface (3)."""
    w = np.empty(13)
    x, y, z = place(pose, sph[0, 0], sph[0, 1], sph[0, 2])
    wx = x - ball[0]
    wy = y - ball[1]
    wz = z - ball[2]
    far = math.sqrt(wx * wx + wy * wy + wz * wz)
    if far < 1e-9:
        wx = 1.0
        wy = 0.0
        wz = 0.0
    else:
        wx /= far
        wy /= far
        wz /= far
    front = far - sph[0, 3]
    # touching the ball, unless the surface comes nearer than that: then between the two
    t = ball[3] if front > 1.5 * ball[3] else max(-0.9 * ball[3], min(ball[3], 0.5 * front))
    w[0] = ball[0] + t * wx
    w[1] = ball[1] + t * wy
    w[2] = ball[2] + t * wz
    side = math.sqrt(wx * wx + wy * wy)
    if side > 1e-6:
        w[3] = -wy / side
        w[4] = wx / side
        w[5] = 0.0
    else:
        w[3] = 1.0
        w[4] = 0.0
        w[5] = 0.0
    w[6] = wy * w[5] - wz * w[4]
    w[7] = wz * w[3] - wx * w[5]
    w[8] = wx * w[4] - wy * w[3]
    ahead = max(front, t + 0.25 * ball[3])
    w[9] = ball[3] + (t + ball[3]) / (ahead + ball[3]) * (sph[0, 3] + ball[3])
    w[10] = wx
    w[11] = wy
    w[12] = wz
    return w


@lean
def leaves_ball(ball, ax, ay, az, bx, by, bz):
    """Where the line through a and b, seen from b, first meets the ball: (met, point, distance of the line from its
    centre)."""
    dx = bx - ax
    dy = by - ay
    dz = bz - az
    l2 = dx * dx + dy * dy + dz * dz
    t = ((ball[0] - ax) * dx + (ball[1] - ay) * dy + (ball[2] - az) * dz) / l2
    cx = ax + t * dx
    cy = ay + t * dy
    cz = az + t * dz
    off2 = (cx - ball[0]) ** 2 + (cy - ball[1]) ** 2 + (cz - ball[2]) ** 2
    inside = ball[3] * ball[3] - off2
    if inside < 0.0:
        return False, cx, cy, cz, math.sqrt(off2)
    t = min(1.0, t + math.sqrt(inside / l2))
    return True, ax + t * dx, ay + t * dy, az + t * dz, math.sqrt(off2)


@lean
def box_corners(turn, box, far):
    for e in range(8):
        x = box[0] if e & 1 else box[3]
        y = box[1] if e & 2 else box[4]
        z = box[2] if e & 4 else box[5]
        for c in range(3):
            far[e, c] = turn[c, 0] * x + turn[c, 1] * y + turn[c, 2] * z + turn[c, 3]


@lean
def around(far, count, box):
    """Middle and half-widths of the box around points."""
    for c in range(3):
        low = far[0, c]
        high = far[0, c]
        for f in range(1, count):
            low = min(low, far[f, c])
            high = max(high, far[f, c])
        box[c] = 0.5 * (low + high)
        box[3 + c] = 0.5 * (high - low)


@lean
def open_cell(row, surface_turn, sph, corners, links, nodes, tris, far, middle):
    """Corners of a cell's patch, or of the box around it, into *far*, its middle and size into *middle*; returns how
    many corners. A leaf of the tree becomes a triangle."""
    node = int(row[4])
    turn = surface_turn
    if node >= 0 and links[node, 1] > 0:
        T = tris[links[node, 0]]
        for e in range(3):
            for c in range(3):
                row[5 + 3 * e + c] = (
                    turn[c, 0] * T[3 * e] + turn[c, 1] * T[3 * e + 1] + turn[c, 2] * T[3 * e + 2] + turn[c, 3]
                )
        row[4] = -1.0
        node = -1
    if node >= 0:
        for c in range(3):
            middle[B + c] = (
                turn[c, 0] * sph[node, 0] + turn[c, 1] * sph[node, 1] + turn[c, 2] * sph[node, 2] + turn[c, 3]
            )
        middle[S1] = sph[node, 3]
        few = corners[node]
        if few[0] == 0:
            box_corners(turn, nodes[node], far)
            return 8
        for f in range(few[0]):
            T = tris[few[1 + f] // 3]
            at = 3 * (few[1 + f] % 3)
            for c in range(3):
                far[f, c] = turn[c, 0] * T[at] + turn[c, 1] * T[at + 1] + turn[c, 2] * T[at + 2] + turn[c, 3]
        return few[0]
    apart = 0.0
    for c in range(3):
        middle[B + c] = (row[5 + c] + row[8 + c] + row[11 + c]) / 3.0
    for e in range(3):
        away = 0.0
        for c in range(3):
            far[e, c] = row[5 + 3 * e + c]
            away += (far[e, c] - middle[B + c]) ** 2
        apart = max(apart, away)
    middle[S1] = math.sqrt(apart)
    return 3


@lean
def taken(rows, n, row):
    """Row *n* into *row*."""
    for c in range(ROW):
        row[c] = rows[n, c]


@lean
def turned_away(row, behind, radius):
    """Is a cell's triangle turned away from all of the ball? *behind*: how far along w its centre is."""
    nx = (row[9] - row[6]) * (row[13] - row[7]) - (row[10] - row[7]) * (row[12] - row[6])
    ny = (row[10] - row[7]) * (row[11] - row[5]) - (row[8] - row[5]) * (row[13] - row[7])
    nz = (row[8] - row[5]) * (row[12] - row[6]) - (row[9] - row[6]) * (row[11] - row[5])
    away = nx * row[5] + ny * row[6] + nz * (row[7] - behind)
    return away > radius * math.sqrt(nx * nx + ny * ny + nz * nz)


@lean
def all_turned_away(cones, node, turn, middle, behind, radius):
    """Are all triangles of a cell's patch turned away from all of the ball? *cones*, *node*: of their normals."""
    cone = cones[node]
    if cone[3] == 0.0:
        return False
    p = middle[B]
    q = middle[B + 1]
    w = middle[B + 2] - behind
    ahead = 0.0
    for c in range(3):
        along = turn[c, 0] * cone[0] + turn[c, 1] * cone[1] + turn[c, 2] * cone[2]
        ahead += along * (p if c == 0 else (q if c == 1 else w))
    away = math.sqrt(p * p + q * q + w * w)
    cosine = ahead / away if away > 0.0 else 0.0
    sine = math.sqrt(max(0.0, 1.0 - cosine * cosine))
    # no normal is farther from the way there than the cone is wide
    return cosine > 0.0 and away * (cosine * cone[3] - sine * cone[4]) > (middle[S1] + radius) * (1.0 + 1e-9)


@lean
def tighten(row, far, n_far, behind, radius, shadows, middle):
    """Cut the cell's rectangle down to where lines from the ball to the patch cross the window, and choose the middle
    line: one from the ball if there is any. False when no line comes from the ball.

    *behind*, *radius*: of the ball. Seen from a point of the patch the ball's shadow on the window lies within a disc;
    the middles of these discs go to *shadows*, the largest radius to middle[SHADOW]."""
    steep = 0.0
    far_w = 0.0
    near_w = np.inf
    for f in range(n_far):
        ahead = far[f, 2] - behind
        near_w = min(near_w, ahead)
        far_w = max(far_w, far[f, 2])
    closest = math.sqrt(middle[B] ** 2 + middle[B + 1] ** 2 + (middle[B + 2] - behind) ** 2) - middle[S1]
    wide = np.inf
    if near_w > 1.2 * radius and closest > 1.2 * radius and behind + radius <= 1e-9:
        for f in range(n_far):
            back = -behind / (far[f, 2] - behind)
            shadows[f, 0] = far[f, 0] * back
            shadows[f, 1] = far[f, 1] * back
            steep = max(steep, (far[f, 0] ** 2 + far[f, 1] ** 2) / (far[f, 2] - behind) ** 2)
        steep = math.sqrt(steep)
        sine = radius / closest
        tan = sine / math.sqrt(1.0 - sine * sine)
        if steep * tan < 0.9:
            wide = far_w * ((steep + tan) / (1.0 - steep * tan) - steep) * (1.0 + 1e-9)
    middle[SHADOW] = wide
    p = 0.5 * (row[0] + row[1])
    q = 0.5 * (row[2] + row[3])
    if wide < np.inf:
        for axis in range(2):
            low = shadows[0, axis]
            high = low
            for f in range(1, n_far):
                low = min(low, shadows[f, axis])
                high = max(high, shadows[f, axis])
            row[2 * axis] = max(row[2 * axis], low - wide)
            row[2 * axis + 1] = min(row[2 * axis + 1], high + wide)
            if row[2 * axis] >= row[2 * axis + 1]:
                return False
        p = 0.5 * (row[0] + row[1])
        q = 0.5 * (row[2] + row[3])
        back = -behind / (middle[B + 2] - behind)
        x = p - middle[B] * back
        y = q - middle[B + 1] * back
        away = math.sqrt(x * x + y * y)
        own = 0.999 * radius * middle[B + 2] / (middle[B + 2] - behind)
        if away > own:
            p = min(row[1], max(row[0], p - x * (1.0 - own / away)))
            q = min(row[3], max(row[2], q - y * (1.0 - own / away)))
            # is even the rectangle's point nearest to the shadows too far from them?
            x = p - middle[B] * back
            y = q - middle[B + 1] * back
            away = math.sqrt(x * x + y * y)
            if away > own:
                x /= away
                y /= away
                least = min(x * row[0], x * row[1]) + min(y * row[2], y * row[3])
                if least > lit(shadows, n_far, wide, x, y):
                    return False
    middle[A] = p
    middle[A + 1] = q
    x = max(row[1] - p, p - row[0])
    y = max(row[3] - q, q - row[2])
    middle[S0] = math.sqrt(x * x + y * y)
    return True


@lean
def lit(shadows, n_far, wide, x, y):
    """How far the ball's shadows reach along (x, y)."""
    reach = -np.inf
    for f in range(n_far):
        reach = max(reach, shadows[f, 0] * x + shadows[f, 1] * y)
    return reach + wide


@lean
def lit_within(rect, disc, p, q):
    """How far what is both in the rectangle and in the disc (x, y, radius) reaches along (p, q), of unit length; -inf
    when nothing is."""
    wide = disc[2]
    if wide == np.inf:
        return max(p * rect[0], p * rect[1]) + max(q * rect[2], q * rect[3])
    far_p = disc[0] + wide * p
    far_q = disc[1] + wide * q
    # where the disc's own farthest point is past sides of the rectangle, the farthest of both lies on one of these
    past_p = far_p > rect[1] or far_p < rect[0]
    past_q = far_q > rect[3] or far_q < rect[2]
    if not past_p and not past_q:
        return p * far_p + q * far_q
    most = -np.inf
    if past_p:
        side = rect[1] if far_p > rect[1] else rect[0]
        most = p * side + _along_side(side - disc[0], wide, rect[2], rect[3], disc[1], q)
    if past_q:
        side = rect[3] if far_q > rect[3] else rect[2]
        most = max(most, q * side + _along_side(side - disc[1], wide, rect[0], rect[1], disc[0], p))
    return most


@lean
def _along_side(off, wide, low, high, middle, way):
    """How far along *way* the part from *low* to *high* of a line reaches that is within a disc of radius *wide*: *off*
    from the line, its centre beside *middle*; -inf when none is."""
    half = wide * wide - off * off
    if half < 0.0:
        return -np.inf
    half = math.sqrt(half)
    low = max(low, middle - half)
    high = min(high, middle + half)
    if low > high:
        return -np.inf
    return way * high if way > 0.0 else way * low


@lean
def all_shadows(shadows, n_far, wide, disc):
    """A disc (x, y, radius) around the ball's shadows on the window, seen from anywhere in the patch."""
    disc[2] = wide
    if wide == np.inf:
        return
    for axis in range(2):
        low = shadows[0, axis]
        high = low
        for f in range(1, n_far):
            low = min(low, shadows[f, axis])
            high = max(high, shadows[f, axis])
        disc[axis] = 0.5 * (low + high)
    off = 0.0
    for f in range(n_far):
        off = max(off, (shadows[f, 0] - disc[0]) ** 2 + (shadows[f, 1] - disc[1]) ** 2)
    disc[2] += math.sqrt(off) * (1.0 + 1e-9)


@lean
def split(row, far, n_far, node, links, w, u, rows, n):
    """The two halves of a cell, cut where it is longest along w[0:2] as seen at parameter *u*, into rows *n* and
    n + 1."""
    one = rows[n]
    two = rows[n + 1]
    # right at one end the other end would never be cut
    u = min(1.0 - ENDS, max(ENDS, u))
    size = math.sqrt(w[0] * w[0] + w[1] * w[1])
    lp = _along(w, size, row[1] - row[0], 0.0, 0.0) * (1.0 - u)
    lq = _along(w, size, 0.0, row[3] - row[2], 0.0) * (1.0 - u)
    cut = 0
    lb = 0.0
    for e in range(3 if n_far == 8 or node < 0 else n_far):
        f = 1 << e if n_far == 8 else (e + 1) % n_far
        g = 0 if n_far == 8 else e
        l = _along(w, size, far[g, 0] - far[f, 0], far[g, 1] - far[f, 1], far[g, 2] - far[f, 2]) * u
        if l > lb:
            lb = l
            cut = e
    for c in range(ROW):
        one[c] = row[c]
        two[c] = row[c]
    if max(lp, lq) > lb:
        at = 0 if lp >= lq else 2
        half = 0.5 * (row[at] + row[at + 1])
        one[at + 1] = half
        two[at] = half
    elif node >= 0:
        one[4] = links[node, 0]
        two[4] = links[node, 0] + 1
    else:
        f = (cut + 1) % 3
        for c in range(3):
            half = 0.5 * (row[5 + 3 * cut + c] + row[5 + 3 * f + c])
            one[5 + 3 * cut + c] = half
            two[5 + 3 * f + c] = half


@lean
def _along(w, size, dp, dq, dw):
    """Length of an edge measured mostly along w; the rest keeps cells from being cut in one direction for ever."""
    l = math.sqrt(dp * dp + dq * dq + dw * dw)
    return l if size == 0.0 else 0.1 * l + abs(w[0] * dp + w[1] * dq) / size


@lean
def towards(F, j, k, win, ax, ay, az, dx, dy, dz, u):
    """The way across the window that brings the line a + t d, seen along itself, from its point at *u* to the nearest
    point of triangle *j* of instance *k*."""
    x = ax + u * dx
    y = ay + u * dy
    z = az + u * dz
    gx, gy, gz = nearest_of(F, j, k, x, y, z)
    gx -= x
    gy -= y
    gz -= z
    along = dx * win[10] + dy * win[11] + dz * win[12]
    if along > 1e-12:
        back = (gx * win[10] + gy * win[11] + gz * win[12]) / along
        gx -= back * dx
        gy -= back * dy
        gz -= back * dz
    return gx * win[3] + gy * win[4] + gz * win[5], gx * win[6] + gy * win[7] + gz * win[8]
