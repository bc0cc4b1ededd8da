"""Hidden looks attacked: lines from a head to a body, or to points of a part, among all triangles there are."""

from __future__ import annotations

import math

import numpy as np
from numba import njit
from plain_lines import clearance, meets, on_triangle

R = 0.5 / 25.4
"""Half the thickness of a line (inches)."""


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
