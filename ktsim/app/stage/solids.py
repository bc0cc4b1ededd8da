"""Simple closed meshes as triangles, shape (n, 3, 3), outward winding: boxes, lathed bodies, tubes."""

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
