"""The compiled half of the oracle: hidden looks attacked, targeting lines laid one by one, every triangle asked.

No trees and nothing of the engine. A base is a row (x, y, along, across, cosine, sine); walls are boxes seen from above
(x0, y0, x1, y1), and *far* holds how far each of their corners is from the base, by ways around them.
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit
from plain_lines import clearance, from_triangle, meets, on_triangle

R = 0.5 / 25.4
"""Half the thickness of a line (inches)."""


# ---- looks ----


@njit(cache=True)
def _openness(tris, o, e, cap):
    """How good a line is: its distance from all triangles (at most *cap*), or below 0 how long it is in solids."""
    d = e - o
    met, inside = 0, 0.0
    for i in range(tris.shape[0]):
        T = tris[i]
        if not meets(o, d, T):
            continue
        nx = (T[1, 1] - T[0, 1]) * (T[2, 2] - T[0, 2]) - (T[1, 2] - T[0, 2]) * (T[2, 1] - T[0, 1])
        ny = (T[1, 2] - T[0, 2]) * (T[2, 0] - T[0, 0]) - (T[1, 0] - T[0, 0]) * (T[2, 2] - T[0, 2])
        nz = (T[1, 0] - T[0, 0]) * (T[2, 1] - T[0, 1]) - (T[1, 1] - T[0, 1]) * (T[2, 0] - T[0, 0])
        dn = d[0] * nx + d[1] * ny + d[2] * nz
        if dn != 0.0:
            t = ((T[0, 0] - o[0]) * nx + (T[0, 1] - o[1]) * ny + (T[0, 2] - o[2]) * nz) / dn
            met += 1
            inside += t if dn > 0.0 else -t
    if met:
        return -max(1e-9, abs(inside) * math.sqrt(d @ d))
    return clearance(tris, o, e, cap)


@njit(cache=True)
def _in_ball(o, head, radius):
    w = o - head
    size = math.sqrt(w @ w)
    return o if size <= radius else head + w * (radius * 0.9999999 / size)


@njit(cache=True)
def _on_body(x, body, balls):
    """The point of the body nearest to x."""
    best, out = np.inf, x.copy()
    for j in range(body.shape[0]):
        away = (
            math.sqrt((x[0] - balls[j, 0]) ** 2 + (x[1] - balls[j, 1]) ** 2 + (x[2] - balls[j, 2]) ** 2) - balls[j, 3]
        )
        if away > 0.0 and away * away >= best:
            continue
        px, py, pz = on_triangle(x[0], x[1], x[2], body[j])
        apart = (px - x[0]) ** 2 + (py - x[1]) ** 2 + (pz - x[2]) ** 2
        if apart < best:
            best = apart
            out[0], out[1], out[2] = px, py, pz
    return out


@njit(cache=True)
def _anywhere(body, shares):
    """A random point of the body."""
    j = min(np.searchsorted(shares, np.random.random() * shares[-1]), body.shape[0] - 1)
    u, v = np.random.random(), np.random.random()
    if u + v > 1.0:
        u, v = 1.0 - u, 1.0 - v
    return body[j, 0] + u * (body[j, 1] - body[j, 0]) + v * (body[j, 2] - body[j, 0])


@njit(cache=True)
def _start(head, radius):
    w = np.random.standard_normal(3)
    return head + w * (radius * 0.9999999 * np.random.random() ** 0.2 / math.sqrt(w @ w))


@njit(cache=True)
def attack(tris, head, radius, body, balls, shares, seed, lines, aimed, climbers, steps, goal, out):
    """Look for a line from the head to the body that keeps *goal* from all triangles: *lines* random ones, *aimed* ones
    just past random points of the triangles' edges, then the *climbers* best moved about. The best value found (see
    ``_openness``); its line in *out* (2, 3)."""
    np.random.seed(seed)
    values = np.full(climbers, -np.inf)
    pool = np.zeros((climbers, 2, 3))
    last = 0
    for number in range(lines + aimed):
        o, e = _start(head, radius), _anywhere(body, shares)
        if number < lines:
            if number > climbers and meets(o, e - o, tris[last]):
                continue
        else:
            T = tris[np.random.randint(tris.shape[0])]
            k = np.random.randint(3)
            q = T[k] + np.random.random() * (T[(k + 1) % 3] - T[k])
            d = e - o
            s = min(1.0, max(0.0, ((q - o) @ d) / (d @ d)))
            off = q - (o + s * d)
            size = math.sqrt(off @ off)
            if size > 1.5 or size < 1e-9:
                continue
            off *= 1.0 + (R * (1.0 + 0.2 * np.random.random())) / size
            o, e = _in_ball(o + off, head, radius), _on_body(e + off, body, balls)
        if number >= climbers and number < lines:
            d = e - o
            is_open = True
            for i in range(tris.shape[0]):
                if meets(o, d, tris[i]):
                    is_open, last = False, i
                    break
            if not is_open:
                continue
        value = _openness(tris, o, e, goal)
        worst = np.argmin(values)
        if value > values[worst]:
            values[worst] = value
            pool[worst, 0], pool[worst, 1] = o, e
            if value >= goal:
                out[:] = pool[worst]
                return value
    for c in range(climbers):
        value, o, e = values[c], pool[c, 0].copy(), pool[c, 1].copy()
        if value == -np.inf:
            continue
        size, reach = 0.15, radius
        for step in range(steps):
            shift = size * np.random.standard_normal(3)
            p, q = o, e
            which = step % 3
            if which != 1:
                p = _in_ball(
                    o + (shift if which == 2 else min(size, reach) * np.random.standard_normal(3)), head, radius
                )
            if which != 0:
                q = _on_body(e + shift, body, balls)
            found = _openness(tris, p, q, goal)
            if found > value:
                value, o, e = found, p, q
                if value >= goal:
                    out[0], out[1] = o, e
                    return value
            else:
                size *= 0.96
        values[c] = value
        pool[c, 0], pool[c, 1] = o, e
    best = np.argmax(values)
    out[:] = pool[best]
    return values[best]


@njit(cache=True)
def sees_points(tris, head, radius, points, tries, seed, short, out):
    """The best clearance among *tries* lines from the head to some of the points, ended *short* of them."""
    np.random.seed(seed)
    best, last = -1.0, 0
    for _ in range(tries):
        o = _start(head, radius)
        e = points[np.random.randint(points.shape[0])].copy()
        d = e - o
        if short > 0.0:
            size = math.sqrt(d @ d)
            if size > short:
                e = o + d * (1.0 - short / size)
                d = e - o
        if tris.shape[0]:
            if meets(o, d, tris[last]):
                continue
            is_open = True
            for i in range(tris.shape[0]):
                if meets(o, d, tris[i]):
                    is_open, last = False, i
                    break
            if not is_open:
                continue
        found = clearance(tris, o, e, 2 * R)
        if found > best:
            best = found
            out[0], out[1] = o, e
            if best >= 1.5 * R:
                break
    return best


# ---- distances ----


@njit(cache=True)
def gap(base, x, y):
    """How far a point is outside of a base (0: it is over it)."""
    dx, dy = x - base[0], y - base[1]
    a, b = base[2], base[3]
    if a == b:
        return max(0.0, math.sqrt(dx * dx + dy * dy) - a)
    u, v = abs(dx * base[4] + dy * base[5]), abs(dy * base[4] - dx * base[5])
    if (u / a) ** 2 + (v / b) ** 2 <= 1.0:
        return 0.0
    low, high = 0.0, a * math.hypot(u, v) + b * math.hypot(u, v)
    for _ in range(60):
        t = (low + high) / 2
        if (a * u / (t + a * a)) ** 2 + (b * v / (t + b * b)) ** 2 > 1.0:
            low = t
        else:
            high = t
    return math.hypot(u - a * a * u / (high + a * a), v - b * b * v / (high + b * b))


@njit(cache=True)
def rim(base, angle, inset, out):
    """The point of a base's rim whose normal looks that way, *inset* inwards; returns the normal."""
    nx, ny = math.cos(angle), math.sin(angle)
    u, v = nx * base[4] + ny * base[5], ny * base[4] - nx * base[5]
    h = math.sqrt((base[2] * u) ** 2 + (base[3] * v) ** 2)
    x, y = base[2] ** 2 * u / h, base[3] ** 2 * v / h
    out[0] = base[0] + x * base[4] - y * base[5] - inset * nx
    out[1] = base[1] + x * base[5] + y * base[4] - inset * ny
    return nx, ny


@njit(cache=True)
def apart(one, two):
    """Horizontal distance of two bases."""
    if one[2] == one[3] and two[2] == two[3]:
        return max(0.0, math.hypot(one[0] - two[0], one[1] - two[1]) - one[2] - two[2])
    if gap(one, two[0], two[1]) == 0.0 or gap(two, one[0], one[1]) == 0.0:
        return 0.0
    spot = np.empty(2)
    best, at, step = np.inf, 0.0, 2 * math.pi / 64
    for n in range(64):
        rim(one, n * step, 0.0, spot)
        found = gap(two, spot[0], spot[1])
        if found < best:
            best, at = found, n * step
    for _ in range(22):
        step /= 2
        for side in (-1, 1):
            rim(one, at + side * step, 0.0, spot)
            found = gap(two, spot[0], spot[1])
            if found < best:
                best, at = found, at + side * step
                break
    return best


@njit(cache=True)
def stopped(ax, ay, bx, by, walls, skip):
    """Does a wall stand between two spots?"""
    for i in range(walls.shape[0]):
        if skip[i]:
            continue
        low, high = 0.0, 1.0
        for k in range(2):
            a, b = (ax, bx) if k == 0 else (ay, by)
            x0, x1 = walls[i, k] + 1e-8, walls[i, 2 + k] - 1e-8
            if abs(b - a) < 1e-12:
                if a <= x0 or a >= x1:
                    low, high = 1.0, 0.0
                continue
            t0, t1 = (x0 - a) / (b - a), (x1 - a) / (b - a)
            low, high = max(low, min(t0, t1)), min(high, max(t0, t1))
        if low < high:
            return True
    return False


@njit(cache=True)
def outside(base, x, y):
    """How far a point is from where lines may start on a base (at most 0: it is one of those)."""
    spot, out = np.empty(2), -np.inf
    for n in range(180):
        nx, ny = rim(base, n * math.pi / 90, R, spot)
        out = max(out, (x - spot[0]) * nx + (y - spot[1]) * ny)
    return out


@njit(cache=True)
def spread(base, around, inside, seed):
    """Points of a base that lines may start from: so many of the rim, and so many inside."""
    np.random.seed(seed)
    found, spot, turn = np.empty((around + inside, 2)), np.empty(2), np.random.random()
    for n in range(around + inside):
        is_rim = n < around
        rim(base, 2 * math.pi * ((n + turn) / around if is_rim else np.random.random()), R, spot)
        share = 1.0 if is_rim else math.sqrt(np.random.random())
        found[n] = base[:2] + share * (spot - base[:2])
    return found


@njit(cache=True)
def near_base(base, z, points, limit):
    """(n,) bool: which points are within *limit* of a base at height z."""
    out = np.zeros(points.shape[0], np.bool_)
    for i in range(points.shape[0]):
        dz = points[i, 2] - z
        if abs(dz) <= limit and math.hypot(points[i, 0] - base[0], points[i, 1] - base[1]) <= limit + base[2] + base[3]:
            out[i] = math.hypot(gap(base, points[i, 0], points[i, 1]), dz) <= limit
    return out


@njit(cache=True)
def nearest_points(triangles, x, y, z):
    """The point of each triangle nearest to a point."""
    out = np.empty((triangles.shape[0], 3))
    for i in range(triangles.shape[0]):
        out[i, 0], out[i, 1], out[i, 2] = on_triangle(x, y, z, triangles[i])
    return out


@njit(cache=True)
def towards(base, x, y):
    """The spot of a round base's rim nearest to a point outside of it."""
    dx, dy = x - base[0], y - base[1]
    size = max(1e-12, math.hypot(dx, dy))
    return base[0] + dx * base[2] / size, base[1] + dy * base[2] / size


@njit(cache=True)
def way(base, x, y, walls, skip, corners, far):
    """How far a point is from a base, around walls."""
    direct = gap(base, x, y)
    if walls.shape[0] == 0 or direct == 0.0:
        return direct
    ax, ay = towards(base, x, y)
    if not stopped(ax, ay, x, y, walls, skip):
        return direct
    best = np.inf
    for c in range(corners.shape[0]):
        length = far[c] + math.hypot(x - corners[c, 0], y - corners[c, 1])
        if length < best and not stopped(corners[c, 0], corners[c, 1], x, y, walls, skip):
            best = length
    return best


@njit(cache=True)
def from_base(base, corners, walls):
    """How far each corner of the walls is from a base, by ways that bend at corners."""
    n = corners.shape[0]
    none = np.zeros(walls.shape[0], np.bool_)
    far = np.full(n, np.inf)
    for c in range(n):
        ax, ay = towards(base, corners[c, 0], corners[c, 1])
        if not stopped(ax, ay, corners[c, 0], corners[c, 1], walls, none):
            far[c] = gap(base, corners[c, 0], corners[c, 1])
    for _ in range(n):
        changed = False
        for c in range(n):
            for k in range(n):
                length = far[k] + math.hypot(corners[c, 0] - corners[k, 0], corners[c, 1] - corners[k, 1])
                if length < far[c] - 1e-12 and not stopped(
                    corners[k, 0], corners[k, 1], corners[c, 0], corners[c, 1], walls, none
                ):
                    far[c], changed = length, True
        if not changed:
            break
    return far


# ---- targeting lines ----


@njit(cache=True)
def facing(base, z, p, count, phase, out):
    """Ends of lines from p: (n, 3), points of the rim that face it, half a millimetre inside; returns how many."""
    n, spot = 0, np.empty(2)
    step = 2 * math.pi / count
    for i in range(count):
        nx, ny = rim(base, (i + phase) * step, R, spot)
        if (p[0] - spot[0]) * nx + (p[1] - spot[1]) * ny >= 0.0:
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
def _zones(x, m, wants, base_s, base_t, zs, zt, walls, skip, corners, far_s, far_t, planar):
    """Of a point on a line: is it within an inch of the target, and more than one from both, with *m* to spare?"""
    dz = 0.0 if planar else x[2] - zt
    to_target = math.hypot(way(base_t, x[0], x[1], walls, skip, corners, far_t), dz)
    near = wants[0] and to_target <= 1.0 - m
    if not wants[1] or to_target <= 1.0 + m:
        return near, False
    dz = 0.0 if planar else x[2] - zs
    return near, math.hypot(way(base_s, x[0], x[1], walls, skip, corners, far_s), dz) > 1.0 + m


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
def _middle(p, d, base_s, base_t, zs, zt, planar):
    """How far along a line it is as far from one base as from the other."""
    low, high = 0.0, 1.0
    for _ in range(24):
        t = (low + high) / 2
        x, y, z = p[0] + t * d[0], p[1] + t * d[1], p[2] + t * d[2]
        from_s = math.hypot(gap(base_s, x, y), 0.0 if planar else z - zs)
        if from_s < math.hypot(gap(base_t, x, y), 0.0 if planar else z - zt):
            low = t
        else:
            high = t
    return (low + high) / 2


@njit(cache=True)
def crossed(
    origins, count, phase, planar, m, ways, base_s, base_t, zs, zt, prims, owner, balls, wants, gates, skips,
    walls, corners, far_s, far_t, solids, spans, boxes, out,
):  # fmt: skip
    """What the lines from each of *origins* (n, 2) cross: *out* (n, sources, 2), within an inch of the target and more
    than one from both. *count* ends around the rim, *ways* directions in which the part of a triangle that is on a line
    is searched, *m* how surely: above 0 only what counts by that much, below 0 also what misses by that much."""
    ends, x, q = np.empty((count, 3)), np.empty(3), np.empty(3)
    p, d = np.empty(3), np.empty(3)
    u, v, way_out = np.empty(3), np.empty(3), np.empty(3)
    reach = R - m
    live = np.zeros(2, np.bool_)
    can = np.zeros((prims.shape[0], 2), np.bool_)
    for i in range(prims.shape[0]):
        # what of a triangle may be where, from the ball around it; ways around walls are longer
        near = math.hypot(gap(base_t, balls[i, 0], balls[i, 1]), 0.0 if planar else balls[i, 2] - zt)
        from_s = math.hypot(gap(base_s, balls[i, 0], balls[i, 1]), 0.0 if planar else balls[i, 2] - zs)
        has_walls = walls.shape[0] > 0
        can[i, 0] = wants[owner[i], 0] and near - balls[i, 3] <= 1.0 - m
        can[i, 1] = wants[owner[i], 1] and (has_walls or min(near, from_s) + balls[i, 3] > 1.0 + m)
    some = np.flatnonzero(can[:, 0] | can[:, 1])
    for n in range(origins.shape[0]):
        p[0], p[1], p[2] = origins[n, 0], origins[n, 1], zs
        total = facing(base_t, zt, p, count, phase, ends)
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
                a, b = _zones(x, m, live, base_s, base_t, zs, zt, walls, skip, corners, far_s, far_t, planar)
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
                    live[0] &= near - longest <= 1.0 - m
                    if live[1]:
                        from_s = math.hypot(gap(base_s, x[0], x[1]), 0.0 if planar else x[2] - zs)
                        live[1] = min(near, from_s) + longest > 1.0 + m
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
                        a, b = _zones(q, m, live, base_s, base_t, zs, zt, walls, skip, corners, far_s, far_t, planar)
                        out[n, source, 0] |= a
                        out[n, source, 1] |= b
                        live[0] &= not a
                        live[1] &= not b
                    if not live[0] and not live[1]:
                        break
            # what lies on a line inside a solid is of its part, too (SIGHT-1): a line that meets none of its surface
            # far from both is inside or outside of it all the way there, and the middle of that way tells
            middle = -1.0
            for source in range(spans.shape[0]):
                if not wants[source, 1] or out[n, source, 1] or gates[source, 0] != 0.0:
                    continue
                may_be = True
                for c in range(3):
                    low, high = min(p[c], p[c] + d[c]), max(p[c], p[c] + d[c])
                    may_be &= low <= boxes[source, 3 + c] and high >= boxes[source, c]
                if not may_be:
                    continue
                if middle < 0.0:
                    middle = _middle(p, d, base_s, base_t, zs, zt, planar)
                is_in = True
                for c in range(3):
                    q[c] = p[c] + middle * d[c]
                    is_in &= boxes[source, c] <= q[c] <= boxes[source, 3 + c]
                if not is_in or not _inside(q, solids, spans[source, 0], spans[source, 1]):
                    continue
                live[0], live[1] = False, True
                _, b = _zones(q, m, live, base_s, base_t, zs, zt, walls, skips[source], corners, far_s, far_t, planar)
                out[n, source, 1] |= b


@njit(cache=True)
def over(base, tris, limit):
    """Is any of the triangles, seen from above, within *limit* of a base?"""
    flat = tris.copy()
    flat[:, :, 2] = 0.0
    point = np.array([base[0], base[1], 0.0])
    if base[2] == base[3]:
        for i in range(flat.shape[0]):
            x, y, _ = on_triangle(point[0], point[1], 0.0, flat[i])
            if gap(base, x, y) <= limit or from_triangle(point, np.zeros(3), flat[i], 10.0) <= base[2] + limit:
                return True
        return False
    spot = np.empty(2)
    for n in range(97):
        if n < 96:
            rim(base, n * 2 * math.pi / 96, 0.0, spot)
        else:
            spot[0], spot[1] = base[0], base[1]
        for i in range(flat.shape[0]):
            x, y, _ = on_triangle(spot[0], spot[1], 0.0, flat[i])
            if math.hypot(x - spot[0], y - spot[1]) <= limit or gap(base, x, y) <= limit:
                return True
    return False
