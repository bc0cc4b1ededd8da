"""Distances between points, segments and triangles. A triangle is a row of nine numbers, corner by corner."""

from __future__ import annotations

from ktsim.geometry.kernels import lean


@lean
def narrowed(a, b, t0, t1):
    """The range of parameters from t0 to t1 without those at which what goes from *a*, at 0, to *b*, at 1, is above 0;
    its ends are exchanged when nothing is left."""
    if a > 0.0:
        if b > 0.0:
            return 1.0, 0.0
        t0 = max(t0, a / (a - b))
    elif b > 0.0:
        t1 = min(t1, a / (a - b))
    return t0, t1


@lean
def clipped(t):
    """*t*, but at least 0 and at most 1; quicker than ``min`` and ``max``, which take tuples."""
    if t > 0.0:
        return t if t < 1.0 else 1.0
    return 0.0


@lean
def inverse(d):
    return 1.0 / d if abs(d) > 1e-30 else (1e30 if d >= 0.0 else -1e30)


@lean
def normal(T):
    """Outwards from triangle *T*; not of unit length."""
    return (
        (T[4] - T[1]) * (T[8] - T[2]) - (T[5] - T[2]) * (T[7] - T[1]),
        (T[5] - T[2]) * (T[6] - T[0]) - (T[3] - T[0]) * (T[8] - T[2]),
        (T[3] - T[0]) * (T[7] - T[1]) - (T[4] - T[1]) * (T[6] - T[0]),
    )


@lean
def segment_hits_triangle(ox, oy, oz, dx, dy, dz, T):
    """Parameter in [0, 1] where the segment ``o + t d`` meets triangle *T*, or 2.0.

    Edge values are computed from origin-relative corners, so that two triangles sharing an edge get exactly opposite
    signs there: no segment slips between them.
    """
    ax = T[0] - ox
    ay = T[1] - oy
    az = T[2] - oz
    bx = T[3] - ox
    by = T[4] - oy
    bz = T[5] - oz
    cx = T[6] - ox
    cy = T[7] - oy
    cz = T[8] - oz
    u = dx * (cy * bz - cz * by) + dy * (cz * bx - cx * bz) + dz * (cx * by - cy * bx)
    v = dx * (ay * cz - az * cy) + dy * (az * cx - ax * cz) + dz * (ax * cy - ay * cx)
    if (u < 0.0 and v > 0.0) or (u > 0.0 and v < 0.0):
        return 2.0
    w = dx * (by * az - bz * ay) + dy * (bz * ax - bx * az) + dz * (bx * ay - by * ax)
    if (u < 0.0 or v < 0.0 or w < 0.0) and (u > 0.0 or v > 0.0 or w > 0.0):
        return 2.0
    det = u + v + w
    if det == 0.0:
        return 2.0
    inv = 1.0 / det
    u *= inv
    v *= inv
    w *= inv
    px = u * ax + v * bx + w * cx
    py = u * ay + v * by + w * cy
    pz = u * az + v * bz + w * cz
    t = (px * dx + py * dy + pz * dz) / (dx * dx + dy * dy + dz * dz)
    if t < 0.0 or t > 1.0:
        return 2.0
    return t


@lean
def segments_apart(px, py, pz, dx, dy, dz, qx, qy, qz, ex, ey, ez):
    """Squared distance of the segments ``p + s d`` and ``q + t e``, and the *s* of the closest point."""
    rx = px - qx
    ry = py - qy
    rz = pz - qz
    a = dx * dx + dy * dy + dz * dz
    e = ex * ex + ey * ey + ez * ez
    f = ex * rx + ey * ry + ez * rz
    if a <= 1e-30 and e <= 1e-30:
        return rx * rx + ry * ry + rz * rz, 0.0
    if a <= 1e-30:
        s = 0.0
        t = clipped(f / e)
    else:
        c = dx * rx + dy * ry + dz * rz
        if e <= 1e-30:
            t = 0.0
            s = clipped(-c / a)
        else:
            b = dx * ex + dy * ey + dz * ez
            den = a * e - b * b
            if den > 1e-14 * a * e:
                s = clipped((b * f - c * e) / den)
            else:
                s = 0.0
            t = (b * s + f) / e
            if t < 0.0:
                t = 0.0
                s = clipped(-c / a)
            elif t > 1.0:
                t = 1.0
                s = clipped((b - c) / a)
    x = rx + s * dx - t * ex
    y = ry + s * dy - t * ey
    z = rz + s * dz - t * ez
    return x * x + y * y + z * z, s


@lean
def segment_from_triangle(ox, oy, oz, dx, dy, dz, T, cut2):
    """Squared distance of the segment ``o + s d`` from triangle *T* and the *s* of the closest point.

    Exact in float64 below *cut2*; anything at or beyond *cut2* may be returned as *cut2*.
    """
    e1x = T[3] - T[0]
    e1y = T[4] - T[1]
    e1z = T[5] - T[2]
    e2x = T[6] - T[0]
    e2y = T[7] - T[1]
    e2z = T[8] - T[2]
    nx = e1y * e2z - e1z * e2y
    ny = e1z * e2x - e1x * e2z
    nz = e1x * e2y - e1y * e2x
    n2 = nx * nx + ny * ny + nz * nz
    rx = ox - T[0]
    ry = oy - T[1]
    rz = oz - T[2]
    h0 = rx * nx + ry * ny + rz * nz
    h1 = h0 + dx * nx + dy * ny + dz * nz
    best = cut2
    bs = 0.0
    if n2 > 0.0:
        if h0 * h1 > 0.0 and h0 * h0 >= cut2 * n2 and h1 * h1 >= cut2 * n2:
            return cut2, 0.0
        if h0 * h1 <= 0.0:
            t = segment_hits_triangle(ox, oy, oz, dx, dy, dz, T)
            if t <= 1.0:
                return 0.0, t
        for k in range(2):  # an end of the segment over the inside of the face
            h = h0 if k == 0 else h1
            d2 = h * h / n2
            if d2 < best:
                x = rx + (dx if k == 1 else 0.0)
                y = ry + (dy if k == 1 else 0.0)
                z = rz + (dz if k == 1 else 0.0)
                g = (y * e2z - z * e2y) * nx + (z * e2x - x * e2z) * ny + (x * e2y - y * e2x) * nz
                w = (e1y * z - e1z * y) * nx + (e1z * x - e1x * z) * ny + (e1x * y - e1y * x) * nz
                if g >= 0.0 and w >= 0.0 and g + w <= n2:
                    best = d2
                    bs = float(k)
    a = dx * dx + dy * dy + dz * dz
    for k in range(3):
        if k == 0:
            ex = e1x
            ey = e1y
            ez = e1z
        elif k == 1:
            ex = e2x
            ey = e2y
            ez = e2z
        else:
            ex = e2x - e1x
            ey = e2y - e1y
            ez = e2z - e1z
            rx = ox - T[3]
            ry = oy - T[4]
            rz = oz - T[5]
        # most edges lie too far off even if both went on for ever: that needs no division
        cx = dy * ez - dz * ey
        cy = dz * ex - dx * ez
        cz = dx * ey - dy * ex
        c2 = cx * cx + cy * cy + cz * cz
        apart = rx * cx + ry * cy + rz * cz
        if c2 > 1e-12 * a * (ex * ex + ey * ey + ez * ez) and apart * apart > best * c2 * (1.0 + 1e-9):
            continue
        at = 3 if k == 2 else 0
        d2, s = segments_apart(ox, oy, oz, dx, dy, dz, T[at], T[at + 1], T[at + 2], ex, ey, ez)
        if d2 < best:
            best = d2
            bs = s
    return best, bs


@lean
def closest_on_triangle(px, py, pz, T):
    """The point of triangle *T* closest to ``p``."""
    abx = T[3] - T[0]
    aby = T[4] - T[1]
    abz = T[5] - T[2]
    acx = T[6] - T[0]
    acy = T[7] - T[1]
    acz = T[8] - T[2]
    apx = px - T[0]
    apy = py - T[1]
    apz = pz - T[2]
    d1 = abx * apx + aby * apy + abz * apz
    d2 = acx * apx + acy * apy + acz * apz
    if d1 <= 0.0 and d2 <= 0.0:
        return T[0], T[1], T[2]
    bpx = px - T[3]
    bpy = py - T[4]
    bpz = pz - T[5]
    d3 = abx * bpx + aby * bpy + abz * bpz
    d4 = acx * bpx + acy * bpy + acz * bpz
    if d3 >= 0.0 and d4 <= d3:
        return T[3], T[4], T[5]
    vc = d1 * d4 - d3 * d2
    if vc <= 0.0 and d1 >= 0.0 and d3 <= 0.0:
        v = d1 / (d1 - d3)
        return T[0] + v * abx, T[1] + v * aby, T[2] + v * abz
    cpx = px - T[6]
    cpy = py - T[7]
    cpz = pz - T[8]
    d5 = abx * cpx + aby * cpy + abz * cpz
    d6 = acx * cpx + acy * cpy + acz * cpz
    if d6 >= 0.0 and d5 <= d6:
        return T[6], T[7], T[8]
    vb = d5 * d2 - d1 * d6
    if vb <= 0.0 and d2 >= 0.0 and d6 <= 0.0:
        w = d2 / (d2 - d6)
        return T[0] + w * acx, T[1] + w * acy, T[2] + w * acz
    va = d3 * d6 - d5 * d4
    if va <= 0.0 and (d4 - d3) >= 0.0 and (d5 - d6) >= 0.0:
        w = (d4 - d3) / ((d4 - d3) + (d5 - d6))
        return T[3] + w * (T[6] - T[3]), T[4] + w * (T[7] - T[4]), T[5] + w * (T[8] - T[5])
    den = 1.0 / (va + vb + vc)
    v = vb * den
    w = vc * den
    return T[0] + abx * v + acx * w, T[1] + aby * v + acy * w, T[2] + abz * v + acz * w


@lean
def point_from_triangle(px, py, pz, T):
    """Squared distance of a point from triangle *T*."""
    x, y, z = closest_on_triangle(px, py, pz, T)
    return (px - x) ** 2 + (py - y) ** 2 + (pz - z) ** 2


@lean
def point_from_segment(px, py, pz, ox, oy, oz, dx, dy, dz):
    """Squared distance of a point from the segment ``o + t d``."""
    l2 = dx * dx + dy * dy + dz * dz
    t = 0.0
    if l2 > 0.0:
        t = clipped(((px - ox) * dx + (py - oy) * dy + (pz - oz) * dz) / l2)
    x = ox + t * dx - px
    y = oy + t * dy - py
    z = oz + t * dz - pz
    return x * x + y * y + z * z
