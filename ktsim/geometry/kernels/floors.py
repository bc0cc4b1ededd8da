"""Does a floor hide what is below it?"""

from __future__ import annotations

import math

import numpy as np

from ktsim.geometry.kernels import kernel, lean
from ktsim.geometry.kernels.planar import TAU

ROUND = 16
"""Directions tried for all edges of a floor before those across each."""


@lean
def _reach(tris, z, ball, nx, ny):
    """How far in the direction n lines from the ball to the corners of triangles pass the height z."""
    h = nx * ball[0] + ny * ball[1]
    most = -np.inf
    for i in range(tris.shape[0]):
        for k in range(0, 9, 3):
            at = nx * tris[i, k] + ny * tris[i, k + 1]
            across = h - at
            up = ball[2] - tris[i, k + 2]
            # the line that touches the ball, seen from the side: its slope is the tangent of a sum of two angles
            touch = ball[3] / math.sqrt(across * across + up * up - ball[3] * ball[3])
            left = up - touch * across
            if left <= 0.0:
                return np.inf
            most = max(most, at + (z - tris[i, k + 2]) * (across + touch * up) / left)
    return most


@kernel
def hides(section, z, tris, ball):
    """Do all lines from the ball to triangles (n, 9), which lie wholly below z as the ball lies above, pass through
    what the closed loops *section* (m, 4) hold at that height? They do when they pass inside and no edge reaches into
    where they pass, which is convex: some direction leads past all lines to all of the edge."""
    directions = np.empty((ROUND + 2, 2))
    reaches = np.empty(ROUND + 2)
    for d in range(ROUND):
        directions[d] = (math.cos(TAU * d / ROUND), math.sin(TAU * d / ROUND))
        reaches[d] = _reach(tris, z, ball, directions[d, 0], directions[d, 1])
    share = (z - tris[0, 2]) / (ball[2] - tris[0, 2])
    x = tris[0, 0] + share * (ball[0] - tris[0, 0])
    y = tris[0, 1] + share * (ball[1] - tris[0, 1])
    odd = False
    for i in range(section.shape[0]):
        ax, ay, bx, by = section[i]
        if (ay > y) != (by > y) and x < ax + (y - ay) / (by - ay) * (bx - ax):
            odd = not odd
        l = math.sqrt((bx - ax) ** 2 + (by - ay) ** 2)
        clear = l == 0.0
        for d in range(ROUND + 2):
            if clear:
                break
            if d >= ROUND:
                side = 1.0 if d == ROUND else -1.0
                directions[d] = (side * (by - ay) / l, side * (ax - bx) / l)
                reaches[d] = _reach(tris, z, ball, directions[d, 0], directions[d, 1])
            nx, ny = directions[d]
            clear = min(nx * ax + ny * ay, nx * bx + ny * by) >= reaches[d]
        if not clear:
            return False
    return odd
