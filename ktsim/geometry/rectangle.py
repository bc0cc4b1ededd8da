"""Rectangles around shapes seen from above."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def smallest_rectangle(points: Array) -> tuple[tuple[float, float], tuple[float, float], float, float]:
    """The smallest rectangle around the corners (3n, 2) of triangles: centre, unit vector of its longer side, half of
    either side."""
    best: tuple[float, float, Array, Array, Array] | None = None
    differences = np.roll(points.reshape(-1, 3, 2), -1, axis=1).reshape(-1, 2) - points
    angles = {round(math.atan2(d[1], d[0]) % (math.pi / 2), 6) for d in differences if math.hypot(*d) > 1e-6}
    for angle in sorted(angles):
        u = np.array([math.cos(angle), math.sin(angle)])
        v = np.array([-u[1], u[0]])
        spread = np.stack([points @ u, points @ v])
        low, high = spread.min(axis=1), spread.max(axis=1)
        area = float(np.prod(high - low))
        if best is None or area < best[0] - 1e-9:
            best = (area, angle, u, low, high)
    assert best is not None
    _, _, u, low, high = best
    v = np.array([-u[1], u[0]])
    middle, half = (low + high) / 2, (high - low) / 2
    centre = middle[0] * u + middle[1] * v
    if half[0] < half[1]:
        u, half = v, half[::-1]
    return (float(centre[0]), float(centre[1])), (float(u[0]), float(u[1])), float(half[0]), float(half[1])
