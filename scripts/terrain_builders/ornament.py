"""Small drawn detail: rivets, frames, lamps, rungs. None of it rules."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from trimesh import Trimesh
from trimesh.transformations import rotation_matrix, translation_matrix

from .shapes import bevelled, join, move, panel, rod


def rivet(radius: float = 0.035) -> Trimesh:
    """A rivet head on z = 0."""
    angles = np.arange(6) * math.pi / 3
    foot = np.c_[radius * np.cos(angles), radius * np.sin(angles), np.zeros(6)]
    head = np.c_[0.6 * foot[:, :2], np.full(6, radius * 0.8)]
    faces = [(k, (k + 1) % 6, 6 + (k + 1) % 6) for k in range(6)] + [(k, 6 + (k + 1) % 6, 6 + k) for k in range(6)]
    faces += [(6, 6 + k, 6 + k + 1) for k in range(1, 5)] + [(0, k + 1, k) for k in range(1, 5)]
    return Trimesh(np.vstack([foot, head]), faces, process=False)


def rivets(points: Sequence[Sequence[float]], radius: float = 0.035) -> Trimesh:
    """Rivet heads facing up."""
    return join([rivet(radius).apply_translation(point) for point in points])


def wall_rivets(xs: Iterable[float], zs: Iterable[float], y: float, facing: int = 1, radius: float = 0.035) -> Trimesh:
    """Rivet heads on a wall's face at local *y*, facing +y or -y."""
    turn = rotation_matrix(-facing * math.pi / 2, [1, 0, 0])
    heights = list(zs)
    places = [translation_matrix([x, y, z]) @ turn for x in xs for z in heights]
    return join([rivet(radius).apply_transform(place) for place in places])


def frame(shape: Any, width: float = 0.09, thickness: float = 0.4, y: float = 0, clip: Any = None) -> Trimesh:
    """A frame around an opening drawn in the XZ plane."""
    ring = shape.buffer(width, join_style=2).difference(shape)
    return panel(ring if clip is None else ring.intersection(clip), thickness, y)


def lamp(width: float = 0.26, body: str = "iron", glow: str = "lamp") -> list[tuple[Trimesh, str, float]]:
    """A lamp on a wall's face at local y = 0."""
    return [
        (move(bevelled(width, 0.08, 0.16, 0.02), 0, 0.04), body, 1.0),
        (move(bevelled(width * 0.8, 0.04, 0.08, 0.01), 0, 0.085, 0.03), glow, 1.0),
    ]


def ladder_rods(height: float, width: float = 0.55, rung: float = 0.25, stile: float = 0.04) -> list[Trimesh]:
    """The stiles and rungs of a ladder in the XZ plane."""
    stiles = [rod([s * width / 2, 0, 0], [s * width / 2, 0, height], stile, 6) for s in (-1, 1)]
    rungs = [rod([-width / 2, 0, z], [width / 2, 0, z], 0.028, 5) for z in np.arange(rung * 0.7, height, rung)]
    return stiles + rungs
