"""Bars in place of a barred part: what can be looked through from near by is not drawn as a plate."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ktsim.app.stage.solids import Mesh, bevelled_box

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
