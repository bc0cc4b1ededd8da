"""Lines against triangles, one by one: what the judges of sight that share nothing with the engine are built on."""

from __future__ import annotations

import math

import numpy as np
from numba import njit


@njit(cache=True)
def meets(o, d, T):
    """Does the thin segment o + t d go through the triangle?"""
    ux, uy, uz = T[1, 0] - T[0, 0], T[1, 1] - T[0, 1], T[1, 2] - T[0, 2]
    vx, vy, vz = T[2, 0] - T[0, 0], T[2, 1] - T[0, 1], T[2, 2] - T[0, 2]
    px, py, pz = d[1] * vz - d[2] * vy, d[2] * vx - d[0] * vz, d[0] * vy - d[1] * vx
    det = ux * px + uy * py + uz * pz
    if abs(det) < 1e-14:
        return False
    sx, sy, sz = o[0] - T[0, 0], o[1] - T[0, 1], o[2] - T[0, 2]
    a = (sx * px + sy * py + sz * pz) / det
    if a < 0.0 or a > 1.0:
        return False
    qx, qy, qz = sy * uz - sz * uy, sz * ux - sx * uz, sx * uy - sy * ux
    b = (d[0] * qx + d[1] * qy + d[2] * qz) / det
    if b < 0.0 or a + b > 1.0:
        return False
    t = (vx * qx + vy * qy + vz * qz) / det
    return 0.0 <= t <= 1.0


@njit(cache=True)
def _apart2(ox, oy, oz, dx, dy, dz, T, k):
    """Squared distance of the segment o + s d from side *k* of a triangle: between points within both, or from an end
    of one to the nearest point of the other."""
    m = (k + 1) % 3
    ex, ey, ez = T[m, 0] - T[k, 0], T[m, 1] - T[k, 1], T[m, 2] - T[k, 2]
    rx, ry, rz = ox - T[k, 0], oy - T[k, 1], oz - T[k, 2]
    a = dx * dx + dy * dy + dz * dz
    c = ex * ex + ey * ey + ez * ez
    b = dx * ex + dy * ey + dz * ez
    f = dx * rx + dy * ry + dz * rz
    g = ex * rx + ey * ry + ez * rz
    det = a * c - b * b
    if det > 1e-16 * a * c:
        s = (b * g - f * c) / det
        t = (a * g - b * f) / det
        if 0.0 <= s <= 1.0 and 0.0 <= t <= 1.0:
            return (rx + s * dx - t * ex) ** 2 + (ry + s * dy - t * ey) ** 2 + (rz + s * dz - t * ez) ** 2
    best = np.inf
    for end in range(2):
        t = min(1.0, max(0.0, (g + end * b) / c)) if c > 0.0 else 0.0
        best = min(best, (rx + end * dx - t * ex) ** 2 + (ry + end * dy - t * ey) ** 2 + (rz + end * dz - t * ez) ** 2)
        s = min(1.0, max(0.0, (end * b - f) / a)) if a > 0.0 else 0.0
        best = min(best, (rx + s * dx - end * ex) ** 2 + (ry + s * dy - end * ey) ** 2 + (rz + s * dz - end * ez) ** 2)
    return best


@njit(cache=True)
def from_triangle(o, d, T, cap):
    """Distance of a segment from a triangle, or *cap* when it is farther."""
    ux, uy, uz = T[1, 0] - T[0, 0], T[1, 1] - T[0, 1], T[1, 2] - T[0, 2]
    vx, vy, vz = T[2, 0] - T[0, 0], T[2, 1] - T[0, 1], T[2, 2] - T[0, 2]
    nx, ny, nz = uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx
    size = math.sqrt(nx * nx + ny * ny + nz * nz)
    if size > 1e-15:
        wx, wy, wz = o[0] - T[0, 0], o[1] - T[0, 1], o[2] - T[0, 2]
        h0 = (wx * nx + wy * ny + wz * nz) / size
        h1 = h0 + (d[0] * nx + d[1] * ny + d[2] * nz) / size
        if (h0 > cap and h1 > cap) or (h0 < -cap and h1 < -cap):
            return cap
        if meets(o, d, T):
            return 0.0
        uu, uv, vv = ux * ux + uy * uy + uz * uz, ux * vx + uy * vy + uz * vz, vx * vx + vy * vy + vz * vz
        det = uu * vv - uv * uv
        for end in range(2):
            h = abs(h1 if end else h0)
            if h < cap:
                x, y, z = wx + end * d[0], wy + end * d[1], wz + end * d[2]
                wu, wv = x * ux + y * uy + z * uz, x * vx + y * vy + z * vz
                a = (vv * wu - uv * wv) / det
                b = (uu * wv - uv * wu) / det
                if a >= 0.0 and b >= 0.0 and a + b <= 1.0:
                    cap = h
    for k in range(3):
        cap = min(cap, math.sqrt(_apart2(o[0], o[1], o[2], d[0], d[1], d[2], T, k)))
    return cap


@njit(cache=True)
def clearance(triangles, o, e, cap):
    """Distance of the segment from o to e from the nearest triangle, at most *cap*."""
    d = e - o
    for i in range(triangles.shape[0]):
        cap = from_triangle(o, d, triangles[i], cap)
        if cap <= 0.0:
            return 0.0
    return cap


@njit(cache=True)
def open_lines(triangles, starts, ends):
    """(n,) bool: which thin lines meet no triangle. What stopped one line is tried first on the next."""
    out = np.ones(starts.shape[0], np.bool_)
    recent = np.zeros(4, np.int64)
    for i in range(starts.shape[0]):
        d = ends[i] - starts[i]
        for k in range(min(4, triangles.shape[0])):
            if meets(starts[i], d, triangles[recent[k]]):
                out[i] = False
                break
        if not out[i]:
            continue
        for j in range(triangles.shape[0]):
            if meets(starts[i], d, triangles[j]):
                out[i] = False
                recent[i % 4] = j
                break
    return out


@njit(cache=True)
def climb(triangles, starts, ends, head, radius, body, steps, seed, goal):
    """Move the lines about at random, ever less, keeping what is clearer: the best clearance, its start and end."""
    np.random.seed(seed)
    best = -1.0
    best_line = np.zeros((2, 3))
    for i in range(starts.shape[0]):
        o = starts[i].copy()
        e = ends[i].copy()
        mine = clearance(triangles, o, e, goal)
        near_by = np.empty(body.shape[0], np.int64)
        n = 0
        for j in range(body.shape[0]):
            w = body[j, 0] - e
            if w @ w < 0.25:
                near_by[n] = j
                n += 1
        for step in range(steps):
            size = 0.1 * 0.95**step
            p = o + size * np.random.standard_normal(3)
            off = p - head
            away = math.sqrt(off @ off)
            if away > radius:
                p = head + off * (radius * 0.999999 / away)
            q = e
            if step % 3 and n > 0:
                # onto the nearest triangle of the body thereabouts
                x = e + size * np.random.standard_normal(3)
                near = np.inf
                q = e.copy()
                for j in range(n):
                    qx, qy, qz = on_triangle(x[0], x[1], x[2], body[near_by[j]])
                    apart2 = (qx - x[0]) ** 2 + (qy - x[1]) ** 2 + (qz - x[2]) ** 2
                    if apart2 < near:
                        near = apart2
                        q[0], q[1], q[2] = qx, qy, qz
            found = clearance(triangles, p, q, goal)
            if found > mine:
                mine = found
                o = p
                e = q
                if mine >= goal:
                    break
        if mine > best:
            best = mine
            best_line[0] = o
            best_line[1] = e
            if best >= goal:
                break
    return best, best_line


@njit(cache=True)
def on_triangle(x, y, z, T):
    """The point of a triangle nearest to a point: inside it, or on one of its sides."""
    ux, uy, uz = T[1, 0] - T[0, 0], T[1, 1] - T[0, 1], T[1, 2] - T[0, 2]
    vx, vy, vz = T[2, 0] - T[0, 0], T[2, 1] - T[0, 1], T[2, 2] - T[0, 2]
    wx, wy, wz = x - T[0, 0], y - T[0, 1], z - T[0, 2]
    uu, uv, vv = ux * ux + uy * uy + uz * uz, ux * vx + uy * vy + uz * vz, vx * vx + vy * vy + vz * vz
    wu, wv = wx * ux + wy * uy + wz * uz, wx * vx + wy * vy + wz * vz
    det = uu * vv - uv * uv
    if det > 0.0:
        a = (vv * wu - uv * wv) / det
        b = (uu * wv - uv * wu) / det
        if a >= 0.0 and b >= 0.0 and a + b <= 1.0:
            return T[0, 0] + a * ux + b * vx, T[0, 1] + a * uy + b * vy, T[0, 2] + a * uz + b * vz
    best = np.inf
    px, py, pz = T[0, 0], T[0, 1], T[0, 2]
    for k in range(3):
        m = (k + 1) % 3
        ex, ey, ez = T[m, 0] - T[k, 0], T[m, 1] - T[k, 1], T[m, 2] - T[k, 2]
        length2 = ex * ex + ey * ey + ez * ez
        along = (x - T[k, 0]) * ex + (y - T[k, 1]) * ey + (z - T[k, 2]) * ez
        t = min(1.0, max(0.0, along / length2)) if length2 > 0.0 else 0.0
        qx, qy, qz = T[k, 0] + t * ex, T[k, 1] + t * ey, T[k, 2] + t * ez
        apart2 = (x - qx) ** 2 + (y - qy) ** 2 + (z - qz) ** 2
        if apart2 < best:
            best = apart2
            px, py, pz = qx, qy, qz
    return px, py, pz
