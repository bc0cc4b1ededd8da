"""How near a flat figure in space is to triangles."""

from __future__ import annotations

import math

import numpy as np

from ktsim.geometry.kernels import kernel, lean
from ktsim.geometry.kernels.planar import gap

STEPS = 44
"""Thirds cut off a search interval: leaves 2e-8 of it."""


@lean
def _apart(fig, z, x, y, h):
    g, _angle = gap(fig, x, y)
    return math.hypot(max(0.0, g), h - z)


@lean
def _along(fig, z, ax, ay, az, bx, by, bz):
    """The smallest distance of a segment; the distance is convex along it."""
    low, high = 0.0, 1.0
    for _ in range(STEPS):
        s, t = low + (high - low) / 3.0, high - (high - low) / 3.0
        f = _apart(fig, z, ax + s * (bx - ax), ay + s * (by - ay), az + s * (bz - az))
        g = _apart(fig, z, ax + t * (bx - ax), ay + t * (by - ay), az + t * (bz - az))
        if f < g:
            high = t
        else:
            low = s
    t = 0.5 * (low + high)
    return _apart(fig, z, ax + t * (bx - ax), ay + t * (by - ay), az + t * (bz - az))


@lean
def _across(fig, z, T, s):
    """The smallest distance of the segment of a triangle that runs from one side to another, a share *s* along both."""
    ax, ay, az = T[0] + s * (T[3] - T[0]), T[1] + s * (T[4] - T[1]), T[2] + s * (T[5] - T[2])
    bx, by, bz = T[0] + s * (T[6] - T[0]), T[1] + s * (T[7] - T[1]), T[2] + s * (T[8] - T[2])
    return _along(fig, z, ax, ay, az, bx, by, bz)


@kernel
def figure_from_triangles(fig, z, tris):
    """Distance of the flat figure at height z from triangles (n, 9); inf when there are none.

    The distance is convex over a triangle, and so is the least of it over segments that sweep the triangle.
    """
    best = np.inf
    for i in range(tris.shape[0]):
        T = tris[i]
        cx, cy, cz = (T[0] + T[3] + T[6]) / 3.0, (T[1] + T[4] + T[7]) / 3.0, (T[2] + T[5] + T[8]) / 3.0
        size = 0.0
        for k in range(3):
            size = max(size, (T[3 * k] - cx) ** 2 + (T[3 * k + 1] - cy) ** 2 + (T[3 * k + 2] - cz) ** 2)
        if _apart(fig, z, cx, cy, cz) - math.sqrt(size) >= best:
            continue
        low, high = 0.0, 1.0
        for _ in range(STEPS):
            s, t = low + (high - low) / 3.0, high - (high - low) / 3.0
            if _across(fig, z, T, s) < _across(fig, z, T, t):
                high = t
            else:
                low = s
        best = min(best, _across(fig, z, T, 0.5 * (low + high)), _across(fig, z, T, 1.0), _across(fig, z, T, 0.0))
    return best
