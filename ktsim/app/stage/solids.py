"""Simple closed meshes as triangles, shape (n, 3, 3), outward winding: boxes, lathed bodies, tubes, grilles."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike, NDArray

Mesh = NDArray[np.float64]


def hull_of_rings(rings: Sequence[ArrayLike]) -> Mesh:
    """The closed body through rings of equally many points, each counter-clockwise from above, bottom first."""
    stack = np.asarray(rings, float)
    count = stack.shape[1]
    step = np.arange(count)
    after = (step + 1) % count
    parts = []
    for low, high in pairwise(stack):
        parts.append(np.stack([low[step], low[after], high[after]], axis=1))
        parts.append(np.stack([low[step], high[after], high[step]], axis=1))
    for ring, order in ((stack[0], (after, step)), (stack[-1], (step, after))):
        middle = np.broadcast_to(ring.mean(axis=0), (count, 3))
        parts.append(np.stack([middle, ring[order[0]], ring[order[1]]], axis=1))
    mesh = np.concatenate(parts)
    size = np.linalg.norm(np.cross(mesh[:, 1] - mesh[:, 0], mesh[:, 2] - mesh[:, 0]), axis=1)
    return mesh[size > 1e-12]


def bevelled_box(size: tuple[float, float, float], bevel: float = 0.05) -> Mesh:
    """A box standing on z = 0, centred in x and y, with its upright and top edges bevelled."""
    x, y, z = size[0] / 2, size[1] / 2, size[2]
    b = min(bevel, x * 0.9, y * 0.9, z * 0.45)

    def ring(inset: float, cut: float, height: float) -> list[tuple[float, float, float]]:
        u, v = x - inset, y - inset
        corners = [(u - cut, -v), (u, -v + cut), (u, v - cut), (u - cut, v)]
        corners += [(-u + cut, v), (-u, v - cut), (-u, -v + cut), (-u + cut, -v)]
        return [(px, py, height) for px, py in corners]

    return hull_of_rings([ring(0, b, 0), ring(0, b, z - b), ring(b, b * 0.6, z)])


def lathe(profile: Sequence[tuple[float, float]], sides: int = 24, squash: float = 1.0) -> Mesh:
    """A profile of (radius, height) turned about z, bottom first; *squash* scales y."""
    angles = np.arange(sides) * 2 * math.pi / sides
    rings = [np.column_stack([r * np.cos(angles), r * squash * np.sin(angles), np.full(sides, z)]) for r, z in profile]
    return hull_of_rings(rings)


def tube(start: ArrayLike, end: ArrayLike, radius: float, sides: int = 8) -> Mesh:
    """A straight round bar from *start* to *end*."""
    a, b = np.asarray(start, float), np.asarray(end, float)
    along = b - a
    along = along / max(float(np.linalg.norm(along)), 1e-12)
    helper = np.array([0.0, 0.0, 1.0]) if abs(along[2]) < 0.9 else np.array([1.0, 0.0, 0.0])
    u = np.cross(helper, along)
    u /= np.linalg.norm(u)
    v = np.cross(along, u)
    angles = np.arange(sides) * 2 * math.pi / sides
    ring = radius * (np.cos(angles)[:, None] * u + np.sin(angles)[:, None] * v)
    return hull_of_rings([a + ring, b + ring])


def ball(centre: ArrayLike, radius: float, sides: int = 16, rings: int = 8) -> Mesh:
    """A sphere of latitude rings."""
    lats = np.linspace(-math.pi / 2, math.pi / 2, rings + 1)
    profile = [(max(radius * math.cos(t), 1e-9), radius * math.sin(t)) for t in lats]
    return lathe(profile, sides) + np.asarray(centre, float)


def turned(mesh: Mesh, degrees: float, axis: int = 2) -> Mesh:
    """The mesh turned counter-clockwise about a coordinate axis through the origin."""
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    i, j = [(1, 2), (2, 0), (0, 1)][axis]
    result = mesh.copy()
    result[..., i] = c * mesh[..., i] - s * mesh[..., j]
    result[..., j] = s * mesh[..., i] + c * mesh[..., j]
    return result


APART = 0.24
"""Inches between the middles of bars, about."""

THICK = 0.08
"""More than the detail that low quality merges."""


def bars_in(triangles: NDArray[np.float64]) -> Mesh:
    """A grille that fills the place of a part: upright bars (in one that lies flat, along its shorter side) between two
    rails, in the smallest upright box around it."""
    points = np.unique(triangles.reshape(-1, 3), axis=0)
    middle = (points.max(axis=0) + points.min(axis=0)) / 2
    along = _heading(points[:, :2])
    axes = np.array([(along[0], along[1], 0.0), (-along[1], along[0], 0.0), (0.0, 0.0, 1.0)])
    local = (points - middle) @ axes.T
    low, high = local.min(axis=0), local.max(axis=0)
    middle = middle + ((low + high) / 2) @ axes
    size = high - low
    thin = int(np.argmin(size))
    rise = 2 if thin != 2 else int(np.argmin(size[:2]))
    wide = 3 - thin - rise
    thick = THICK
    count = max(2, round(size[wide] / APART))
    pieces = []
    for number in range(count):
        at = np.zeros(3)
        at[wide] = ((number + 0.5) / count - 0.5) * size[wide]
        pieces.append(_bar(at, rise, size[rise], thick))
    for end in (-0.5, 0.5):
        at = np.zeros(3)
        at[rise] = end * (size[rise] - thick)
        pieces.append(_bar(at, wide, size[wide], thick * 1.3))
    return np.concatenate(pieces) @ axes + middle


def _heading(points: NDArray[np.float64]) -> NDArray[np.float64]:
    """The direction in plan along which the points are spread furthest, as a unit vector."""
    centred = points - points.mean(axis=0)
    _, _, rows = np.linalg.svd(centred, full_matrices=False)
    found: NDArray[np.float64] = rows[0]
    return found


def _bar(at: NDArray[np.float64], axis: int, length: float, thick: float) -> Mesh:
    """A bar along an axis with its middle at a place."""
    size = [thick, thick, thick]
    size[axis] = float(length)
    box = bevelled_box((size[0], size[1], size[2]), thick * 0.1)
    return box + at - np.array([0.0, 0.0, size[2] / 2])
