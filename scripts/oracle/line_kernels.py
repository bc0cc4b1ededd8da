"""Targeting lines laid one by one, every triangle asked. Bases, walls and ways to their corners are those of
``plane_kernels``."""

from __future__ import annotations

import math

import numpy as np
from numba import njit
from plain_lines import meets, on_triangle

from oracle.plane_kernels import R, gap, rim, way


@njit(cache=True)
def facing(base, z, p, count, phase, whole, out):
    """Ends of lines from p: (n, 3), points of the rim that face it (*whole*: all), half a millimetre inside; returns
    how many."""
    n, spot = 0, np.empty(2)
    step = 2 * math.pi / count
    for i in range(count):
        nx, ny = rim(base, (i + phase) * step, R, spot)
        if whole or (p[0] - spot[0]) * nx + (p[1] - spot[1]) * ny >= 0.0:
            out[n, 0], out[n, 1], out[n, 2] = spot[0], spot[1], z
            n += 1
    if n == 0:  # over or under the base: all of it faces
        for i in range(count):
            rim(base, (i + phase) * step, R, spot)
            out[i, 0], out[i, 1], out[i, 2] = spot[0], spot[1], z
        n = count
    return n


@njit(cache=True)
def _from_segment(x, p, d, dd):
    t = min(1.0, max(0.0, ((x[0] - p[0]) * d[0] + (x[1] - p[1]) * d[1] + (x[2] - p[2]) * d[2]) / dd))
    return math.sqrt((x[0] - p[0] - t * d[0]) ** 2 + (x[1] - p[1] - t * d[1]) ** 2 + (x[2] - p[2] - t * d[2]) ** 2)


@njit(cache=True)
def _nearest(p, d, dd, T, planar, out):
    """The point of a triangle (planar: of the segment of its first two corners) nearest to a line; its distance."""
    best = np.inf
    if not planar and meets(p, d, T):
        u, v = T[1] - T[0], T[2] - T[0]
        n = np.cross(u, v)
        t = ((T[0] - p) @ n) / (d @ n)
        out[:] = p + t * d
        return 0.0
    for end in range(2):
        if planar:
            break
        x, y, z = p[0] + end * d[0], p[1] + end * d[1], p[2] + end * d[2]
        a, b, c = on_triangle(x, y, z, T)
        found = math.sqrt((a - x) ** 2 + (b - y) ** 2 + (c - z) ** 2)
        if found < best:
            best = found
            out[0], out[1], out[2] = a, b, c
    q = np.empty(3)
    for k in range(1 if planar else 3):
        m = (k + 1) % 3
        # on a side the distance from the line is convex: between its best places for the line without ends and for both
        ex, ey, ez = T[m, 0] - T[k, 0], T[m, 1] - T[k, 1], T[m, 2] - T[k, 2]
        rx, ry, rz = p[0] - T[k, 0], p[1] - T[k, 1], p[2] - T[k, 2]
        ee, de = ex * ex + ey * ey + ez * ez, d[0] * ex + d[1] * ey + d[2] * ez
        re, rd = rx * ex + ry * ey + rz * ez, rx * d[0] + ry * d[1] + rz * d[2]
        if ee < 1e-18:
            continue
        for guess in range(5):
            if guess == 0:
                det = ee * dd - de * de
                s = (re * dd - rd * de) / det if det > 1e-14 * ee * dd else 0.5
            elif guess == 1:
                s = re / ee
            elif guess == 2:
                s = (re + de) / ee
            else:
                s = float(guess - 3)
            s = min(1.0, max(0.0, s))
            q[0], q[1], q[2] = T[k, 0] + s * ex, T[k, 1] + s * ey, T[k, 2] + s * ez
            found = _from_segment(q, p, d, dd)
            if found < best:
                best = found
                out[:] = q
    return best


@njit(cache=True)
def _is_on(q, T, planar):
    """Is a point of a triangle's plane in the triangle (planar: one of a segment's line on the segment)?"""
    ux, uy, uz = T[1, 0] - T[0, 0], T[1, 1] - T[0, 1], T[1, 2] - T[0, 2]
    wx, wy, wz = q[0] - T[0, 0], q[1] - T[0, 1], q[2] - T[0, 2]
    uu, wu = ux * ux + uy * uy + uz * uz, wx * ux + wy * uy + wz * uz
    if planar:
        return 0.0 <= wu <= uu
    vx, vy, vz = T[2, 0] - T[0, 0], T[2, 1] - T[0, 1], T[2, 2] - T[0, 2]
    uv, vv, wv = ux * vx + uy * vy + uz * vz, vx * vx + vy * vy + vz * vz, wx * vx + wy * vy + wz * vz
    det = uu * vv - uv * uv
    if det <= 0.0:
        return False
    a, b = (vv * wu - uv * wv) / det, (uu * wv - uv * wu) / det
    return a >= 0.0 and b >= 0.0 and a + b <= 1.0


@njit(cache=True)
def _zones(x, m, wants, zones, base_s, base_t, zs, zt, walls, skip, corners, far_s, far_t, planar):
    """Of a point on a line: is it near the target, and far from both, with *m* to spare? *zones*: what is near, and how
    far from target and shooter is far."""
    dz = 0.0 if planar else x[2] - zt
    to_target = math.hypot(way(base_t, x[0], x[1], walls, skip, corners, far_t), dz)
    near = wants[0] and to_target <= zones[0] - m
    if not wants[1] or to_target <= zones[1] + m:
        return near, False
    dz = 0.0 if planar else x[2] - zs
    return near, math.hypot(way(base_s, x[0], x[1], walls, skip, corners, far_s), dz) > zones[2] + m


@njit(cache=True)
def _inside(x, tris, first, last):
    """Is a point inside the solid that is bounded by these triangles?"""
    above = 0
    for i in range(first, last):
        T = tris[i]
        a = (T[0, 0] - x[0]) * (T[1, 1] - x[1]) - (T[0, 1] - x[1]) * (T[1, 0] - x[0])
        b = (T[1, 0] - x[0]) * (T[2, 1] - x[1]) - (T[1, 1] - x[1]) * (T[2, 0] - x[0])
        c = (T[2, 0] - x[0]) * (T[0, 1] - x[1]) - (T[2, 1] - x[1]) * (T[0, 0] - x[0])
        around = (a > 0.0 and b > 0.0 and c > 0.0) or (a < 0.0 and b < 0.0 and c < 0.0)
        if around and (b * T[0, 2] + c * T[1, 2] + a * T[2, 2]) / (a + b + c) > x[2]:
            above += 1 if a > 0.0 else -1
    return above != 0


@njit(cache=True)
def _middle(p, d, zones, base_s, base_t, zs, zt, planar):
    """How far along a line it is as much too far from the one base as from the other."""
    low, high = 0.0, 1.0
    for _ in range(24):
        t = (low + high) / 2
        x, y, z = p[0] + t * d[0], p[1] + t * d[1], p[2] + t * d[2]
        from_s = math.hypot(gap(base_s, x, y), 0.0 if planar else z - zs) - zones[2]
        if from_s < math.hypot(gap(base_t, x, y), 0.0 if planar else z - zt) - zones[1]:
            low = t
        else:
            high = t
    return (low + high) / 2


@njit(cache=True)
def _middles(p, d, wide, zones, base_s, base_t, zs, zt, planar, out):
    """The middles of a line's axis and of lines beside it, so *wide* away: (9, 3); in the plane the first three are
    all."""
    flat = math.hypot(d[0], d[1])
    size = math.sqrt(flat * flat + d[2] * d[2])
    u, v, q = np.zeros(3), np.zeros(3), np.empty(3)
    if flat > 1e-12:
        u[0], u[1] = -d[1] / flat, d[0] / flat
    else:
        u[0] = 1.0
    v[:] = np.cross(d, u) / size
    for k in range(3 if planar else 9):
        angle = math.pi * (k - 1) if k < 3 else math.pi / 4 * (k - 2 + (k > 5))
        for c in range(3):
            q[c] = p[c] if k == 0 else p[c] + wide * (math.cos(angle) * u[c] + math.sin(angle) * v[c])
        t = _middle(q, d, zones, base_s, base_t, zs, zt, planar)
        for c in range(3):
            out[k, c] = q[c] + t * d[c]


@njit(cache=True)
def crossed(
    origins, count, phase, planar, whole, m, ways, zones, base_s, base_t, zs, zt, prims, owner, balls, wants, gates,
    skips, walls, corners, far_s, far_t, solids, spans, boxes, out,
):  # fmt: skip
    """What the lines from each of *origins* (n, 2) cross: *out* (n, sources, 2), near the target and far from both (see
    ``_zones``). *count* ends around the rim, *ways* directions in which the part of a triangle that is on a line
    is searched, *m* how surely: above 0 only what counts by that much, below 0 also what misses by that much."""
    ends, x, q = np.empty((count, 3)), np.empty(3), np.empty(3)
    p, d = np.empty(3), np.empty(3)
    u, v, way_out = np.empty(3), np.empty(3), np.empty(3)
    reach = R - m
    live, middles = np.zeros(2, np.bool_), np.empty((9, 3))
    can = np.zeros((prims.shape[0], 2), np.bool_)
    for i in range(prims.shape[0]):
        # what of a triangle may be where, from the ball around it; ways around walls are longer
        near = math.hypot(gap(base_t, balls[i, 0], balls[i, 1]), 0.0 if planar else balls[i, 2] - zt)
        from_s = math.hypot(gap(base_s, balls[i, 0], balls[i, 1]), 0.0 if planar else balls[i, 2] - zs)
        has_walls = walls.shape[0] > 0
        can[i, 0] = wants[owner[i], 0] and near - balls[i, 3] <= zones[0] - m
        can[i, 1] = wants[owner[i], 1] and (
            has_walls or (near + balls[i, 3] > zones[1] + m and from_s + balls[i, 3] > zones[2] + m)
        )
    some = np.flatnonzero(can[:, 0] | can[:, 1])
    for n in range(origins.shape[0]):
        p[0], p[1], p[2] = origins[n, 0], origins[n, 1], zs
        total = facing(base_t, zt, p, count, phase, whole, ends)
        # lines far from each other first: what one of them crosses need not be asked of the others
        stride = 1
        for each in (7, 11, 13, 17, 19):
            if total % each:
                stride = each
                break
        for number in range(total):
            line = number * stride % total
            for k in range(3):
                d[k] = ends[line, k] - p[k]
            dd = d[0] * d[0] + d[1] * d[1] + d[2] * d[2]
            if dd < 1e-12:
                continue
            for i in some:
                source = owner[i]
                live[0] = can[i, 0] and not out[n, source, 0]
                live[1] = can[i, 1] and not out[n, source, 1]
                if not live[0] and not live[1]:
                    continue
                wx, wy, wz = balls[i, 0] - p[0], balls[i, 1] - p[1], balls[i, 2] - p[2]
                t = min(1.0, max(0.0, (wx * d[0] + wy * d[1] + wz * d[2]) / dd))
                off = (wx - t * d[0]) ** 2 + (wy - t * d[1]) ** 2 + (wz - t * d[2]) ** 2
                if off > (balls[i, 3] + reach) ** 2:
                    continue
                if gates[source, 0] != 0.0:
                    side = p[int(gates[source, 1])] - gates[source, 2]
                    if side * gates[source, 0] >= 0.0:
                        continue
                T = prims[i]
                if _nearest(p, d, dd, T, planar, x) >= reach:
                    continue
                skip = skips[source]
                a, b = _zones(x, m, live, zones, base_s, base_t, zs, zt, walls, skip, corners, far_s, far_t, planar)
                out[n, source, 0] |= a
                out[n, source, 1] |= b
                live[0] &= not a
                live[1] &= not b
                if not live[0] and not live[1]:
                    continue
                # the rest of the triangle that is on the line, which is convex, from that point outwards
                size = 0.0
                for k in range(3):
                    u[k] = T[1, k] - T[0, k]
                    size += u[k] * u[k]
                size = math.sqrt(size)
                for k in range(3):
                    u[k] /= size
                angle = 0.0
                if planar:
                    slant = abs(d[0] * u[1] - d[1] * u[0]) / math.sqrt(dd)
                else:
                    wx, wy, wz = T[2, 0] - T[0, 0], T[2, 1] - T[0, 1], T[2, 2] - T[0, 2]
                    nx, ny, nz = u[1] * wz - u[2] * wy, u[2] * wx - u[0] * wz, u[0] * wy - u[1] * wx
                    size = math.sqrt(nx * nx + ny * ny + nz * nz)
                    if size < 1e-12:
                        continue
                    nx, ny, nz = nx / size, ny / size, nz / size
                    v[0], v[1], v[2] = ny * u[2] - nz * u[1], nz * u[0] - nx * u[2], nx * u[1] - ny * u[0]
                    angle = math.atan2(d @ v, d @ u)
                    slant = abs(d[0] * nx + d[1] * ny + d[2] * nz) / math.sqrt(dd)
                longest = min(2 * balls[i, 3], 2.0 * reach / max(slant, 1e-9))
                if not has_walls:
                    near = math.hypot(gap(base_t, x[0], x[1]), 0.0 if planar else x[2] - zt)
                    live[0] &= near - longest <= zones[0] - m
                    if live[1]:
                        from_s = math.hypot(gap(base_s, x[0], x[1]), 0.0 if planar else x[2] - zs)
                        live[1] = near + longest > zones[1] + m and from_s + longest > zones[2] + m
                    if not live[0] and not live[1]:
                        continue
                for k in range(2 if planar else ways):
                    turn = angle + 2 * math.pi * k / ways
                    for c in range(3):
                        if planar:
                            way_out[c] = u[c] if k == 0 else -u[c]
                        else:
                            way_out[c] = math.cos(turn) * u[c] + math.sin(turn) * v[c]
                    low, high = 0.0, longest
                    for _ in range(18):
                        s = (low + high) / 2
                        q[0], q[1], q[2] = x[0] + s * way_out[0], x[1] + s * way_out[1], x[2] + s * way_out[2]
                        if _from_segment(q, p, d, dd) < reach and _is_on(q, T, planar):
                            low = s
                        else:
                            high = s
                    samples = min(4 * ways, 2 + int(low / 0.1))
                    for j in range(1, samples + 1):
                        for c in range(3):
                            q[c] = x[c] + way_out[c] * (low * j / samples)
                        a, b = _zones(
                            q, m, live, zones, base_s, base_t, zs, zt, walls, skip, corners, far_s, far_t, planar
                        )
                        out[n, source, 0] |= a
                        out[n, source, 1] |= b
                        live[0] &= not a
                        live[1] &= not b
                    if not live[0] and not live[1]:
                        break
            # what lies on a line inside a solid is of its part, too (SIGHT-1): a line that meets none of its surface
            # far from both is inside or outside of it all the way there, and the middle of that way tells; of the
            # line's axis, and of how far its thickness goes
            known = False
            for source in range(spans.shape[0]):
                if not wants[source, 1] or out[n, source, 1]:
                    continue
                if gates[source, 0] != 0.0:
                    side = p[int(gates[source, 1])] - gates[source, 2]
                    if side * gates[source, 0] >= 0.0:
                        continue
                may_be = True
                for c in range(3):
                    low, high = min(p[c], p[c] + d[c]) - reach, max(p[c], p[c] + d[c]) + reach
                    may_be &= low <= boxes[source, 3 + c] and high >= boxes[source, c]
                if not may_be:
                    continue
                if not known:
                    _middles(p, d, 0.999 * reach, zones, base_s, base_t, zs, zt, planar, middles)
                    known = True
                skip = skips[source]
                live[0], live[1] = False, True
                for k in range(3 if planar else middles.shape[0]):
                    is_in = True
                    for c in range(3):
                        q[c] = middles[k, c]
                        is_in &= boxes[source, c] <= q[c] <= boxes[source, 3 + c]
                    if is_in and _inside(q, solids, spans[source, 0], spans[source, 1]):
                        _, b = _zones(
                            q, m, live, zones, base_s, base_t, zs, zt, walls, skip, corners, far_s, far_t, planar
                        )
                        out[n, source, 1] |= b
