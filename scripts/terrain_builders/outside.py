"""What is drawn outside of what rules. Pieces with such drawing are not written.

A picture must not hide what a ruling calls visible. Lines are 1 mm thick, so drawing that leaves the ruling parts by
less than half of that is never met by the axis of a clear line; :data:`TOLERANCE` is well below. Low things on the
floor are allowed: no line runs there.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from ktsim.geometry.forest import Tree
from ktsim.geometry.kernels import inner, kernel
from ktsim.geometry.kernels.primitives import point_from_triangle, segment_hits_triangle
from ktsim.geometry.kernels.queries import tree_nearest

Triangles = NDArray[np.float64]

MM = 1 / 25.4
TOLERANCE = 0.2 * MM
"""How far drawing may leave the ruling parts, in inches."""

LOW = 1.25 * MM - 0.004
"""Targeting lines run 1.75 mm above the floor and are 1 mm thick; below this nothing can be in the way of any line."""

_RAY = (0.3719 / 0.9987, 0.2273 / 0.9987, 0.9 / 0.9987)
"""A direction that no edge of sensible terrain follows."""


class Ruled:
    """What rules where a piece stands, prepared for asking what is drawn outside of it: the closed meshes in
    *triangles* (k, 3, 3), all together."""

    def __init__(self, triangles: Triangles) -> None:
        self._tree = Tree.over(np.ascontiguousarray(triangles.reshape(-1, 3, 3)))

    def outside(self, drawn: Triangles, tolerance: float = TOLERANCE, low: float = LOW) -> Triangles:
        """Points (n, 3) of *drawn* (m, 3, 3), one a triangle, that lie more than *tolerance* outside the union of the
        ruling meshes and higher than *low*.

        Triangles are halved until each piece is known to be good or a point of it is known to be bad, so nothing of a
        triangle is left out; what is called good is at most a quarter of the tolerance worse.
        """
        tree = self._tree
        rows = np.array(drawn, np.float64, order="C").reshape(-1, 9)
        found = _search(rows, tree.nodes, tree.links, tree.tris, tree.labels, tolerance, low)
        return np.asarray(found[np.isfinite(found[:, 0])])


@inner
def _winding(nodes, links, tris, stack, x, y, z):
    """How many of the closed meshes a point lies in: a ray leaves each once more often than it enters it."""
    dx, dy, dz = _RAY[0] * 200.0, _RAY[1] * 200.0, _RAY[2] * 200.0
    count = 0
    stack[0] = 0
    top = 1
    while top > 0:
        top -= 1
        i = stack[top]
        # the direction is positive along every axis
        a = max(max((nodes[i, 0] - x) / dx, (nodes[i, 1] - y) / dy), max((nodes[i, 2] - z) / dz, 0.0))
        b = min(min((nodes[i, 3] - x) / dx, (nodes[i, 4] - y) / dy), (nodes[i, 5] - z) / dz)
        if a > b + 1e-12:
            continue
        if links[i, 1] == 0:
            stack[top] = links[i, 0]
            stack[top + 1] = links[i, 0] + 1
            top += 2
            continue
        for j in range(links[i, 0], links[i, 0] + links[i, 1]):
            T = tris[j]
            if segment_hits_triangle(x, y, z, dx, dy, dz, T) <= 1.0:
                nx = (T[4] - T[1]) * (T[8] - T[2]) - (T[5] - T[2]) * (T[7] - T[1])
                ny = (T[5] - T[2]) * (T[6] - T[0]) - (T[3] - T[0]) * (T[8] - T[2])
                nz = (T[3] - T[0]) * (T[7] - T[1]) - (T[4] - T[1]) * (T[6] - T[0])
                count += 1 if nx * dx + ny * dy + nz * dz > 0.0 else -1
    return count


@kernel
def _search(drawn, nodes, links, tris, labels, tolerance, low):
    out = np.full((len(drawn), 3), np.nan)
    stack = np.empty(256, np.int64)
    work = np.empty((256, 9))
    for n in range(len(drawn)):
        work[0] = drawn[n]
        top = 1
        while top > 0:
            top -= 1
            T = work[top].copy()
            if max(T[2], max(T[5], T[8])) <= low:
                continue
            # the middle of the longest side: halving there keeps pieces compact
            far, side = -1.0, 0
            for k in range(3):
                a, b = 3 * k, 3 * ((k + 1) % 3)
                d = (T[a] - T[b]) ** 2 + (T[a + 1] - T[b + 1]) ** 2 + (T[a + 2] - T[b + 2]) ** 2
                if d > far:
                    far, side = d, k
            x, y, z = (T[0] + T[3] + T[6]) / 3.0, (T[1] + T[4] + T[7]) / 3.0, (T[2] + T[5] + T[8]) / 3.0
            radius = 0.0
            for k in range(3):
                radius = max(radius, (T[3 * k] - x) ** 2 + (T[3 * k + 1] - y) ** 2 + (T[3 * k + 2] - z) ** 2)
            radius = math.sqrt(radius)
            inside = _winding(nodes, links, tris, stack, x, y, z) > 0
            apart, nearest = tree_nearest(nodes, links, tris, labels, 0, 0, stack, x, y, z, radius + tolerance)
            if inside:
                if radius - apart <= tolerance:
                    continue
            else:
                if apart > tolerance and z > low:
                    out[n, 0], out[n, 1], out[n, 2] = x, y, z
                    break
                if apart + radius <= tolerance or radius <= 0.25 * tolerance:
                    continue
            # what is within the tolerance of one triangle is convex: three corners in it, and all is
            flush = nearest >= 0
            for k in range(3):
                flush = (
                    flush and point_from_triangle(T[3 * k], T[3 * k + 1], T[3 * k + 2], tris[nearest]) <= tolerance**2
                )
            if flush:
                continue
            a, b, c = 3 * side, 3 * ((side + 1) % 3), 3 * ((side + 2) % 3)
            mx, my, mz = (T[a] + T[b]) / 2.0, (T[a + 1] + T[b + 1]) / 2.0, (T[a + 2] + T[b + 2]) / 2.0
            for k in range(2):
                e = a if k == 0 else b
                work[top, 0], work[top, 1], work[top, 2] = T[e], T[e + 1], T[e + 2]
                work[top, 3], work[top, 4], work[top, 5] = mx, my, mz
                work[top, 6], work[top, 7], work[top, 8] = T[c], T[c + 1], T[c + 2]
                top += 1
    return out
