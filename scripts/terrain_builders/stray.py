"""Decor that stands where bases can go. Pieces with such decor are not written.

Decor may lie flat on the floor, cling to a ruling part, stand above one nobody stands on, or hang under a level.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import trimesh
from numpy.typing import NDArray
from scipy.spatial import cKDTree

FLAT = 0.1
"""A base stands on decor lower than this."""

CLOSE = 0.17
"""How far decor may be from a ruling part, in inches."""

_SPACING = 0.05

Triangles = NDArray[np.float64]


class Ruling(NamedTuple):
    """What the search needs to know of a part."""

    triangles: Triangles
    is_level: bool


def stray(parts: Sequence[Ruling], decor: Triangles) -> NDArray[np.float64]:
    """The corners (n, 3) of *decor* (m, 3, 3) that stand where a base could."""
    points = np.unique(np.round(decor.reshape(-1, 3), 3), axis=0)
    points = points[points[:, 2] >= FLAT]
    if not len(points) or not parts:
        return points
    surface = np.concatenate([_samples(part.triangles) for part in parts])
    distance, _ = cKDTree(surface).query(points, distance_upper_bound=CLOSE + _SPACING)
    left = points[distance > CLOSE]
    for part in parts:
        if len(left):
            inside_plan = _under_or_over(left, part.triangles)
            hangs = left[:, 2] < part.triangles[..., 2].min() + 0.01
            left = left[~(inside_plan & (hangs | (not part.is_level)))]
    return left


def _samples(triangles: Triangles) -> NDArray[np.float64]:
    """Points so dense on a surface that the nearest of them tells its distance to within a few hundredths."""
    faces = np.arange(len(triangles) * 3).reshape(-1, 3)
    vertices, _ = trimesh.remesh.subdivide_to_size(triangles.reshape(-1, 3), faces, max_edge=2 * _SPACING)
    return np.unique(np.round(vertices, 3), axis=0)


def _under_or_over(points: NDArray[np.float64], triangles: Triangles) -> NDArray[np.bool_]:
    """Which points lie within the part's outline seen from above."""
    found = np.zeros(len(points), bool)
    for triangle in triangles[..., :2]:
        near = ((points[:, :2] >= triangle.min(axis=0)) & (points[:, :2] <= triangle.max(axis=0))).all(axis=1) & ~found
        if not near.any():
            continue
        sides = np.roll(triangle, -1, axis=0) - triangle
        to = points[near, None, :2] - triangle
        turns = sides[:, 0] * to[..., 1] - sides[:, 1] * to[..., 0]
        found[near] = (turns >= 0).all(axis=1) | (turns <= 0).all(axis=1)
    return found
