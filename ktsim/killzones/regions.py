"""Points and outlines on the floor."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ktsim.sight.scene import Triangles

Outline = Sequence[tuple[float, float]]

SPACING = 0.25
"""How far apart the spots are that stand for a region, in inches."""

MARGIN = 0.02
"""What reaches into a region by less than this is at its edge."""


def in_outline(points: NDArray[np.float64], outline: Outline) -> NDArray[np.bool_]:
    """Which of the *points* (n, 2) lie inside a simple polygon."""
    x, y = points[:, 0], points[:, 1]
    inside = np.zeros(len(points), bool)
    corners = np.asarray(outline, float)
    for (ax, ay), (bx, by) in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        crosses = (ay > y) != (by > y)
        with np.errstate(divide="ignore", invalid="ignore"):
            inside ^= crosses & (x < (bx - ax) * (y - ay) / (by - ay) + ax)
    return inside


def spots(outline: Outline) -> NDArray[np.float64]:
    """Points (n, 2) spread over the inside of a polygon."""
    corners = np.asarray(outline, float)
    low, high = corners.min(axis=0), corners.max(axis=0)
    xs = np.arange(low[0] + MARGIN, high[0], SPACING)
    ys = np.arange(low[1] + MARGIN, high[1], SPACING)
    grid = np.stack(np.meshgrid(xs, ys), axis=-1).reshape(-1, 2)
    return np.asarray(grid[in_outline(grid, outline)])


def plan_points(triangles: Triangles, outline: Outline) -> bool:
    """Does a mesh, seen from above, reach into a polygon?"""
    corners = np.asarray(outline, float)
    low, high = corners.min(axis=0) + MARGIN, corners.max(axis=0) - MARGIN
    flat = triangles[..., :2]
    near = flat[((flat.max(axis=1) > low) & (flat.min(axis=1) < high)).all(axis=1)]
    if not len(near):
        return False
    ends = np.roll(near, -1, axis=1)
    along = [(near + (ends - near) * t).reshape(-1, 2) for t in np.linspace(0, 1, 9)[:-1]]
    centre = corners.mean(axis=0)
    drawn_in = centre + (corners - centre) * (1 - MARGIN / max(1e-9, float(np.abs(corners - centre).max())))
    if in_outline(np.concatenate(along), [(x, y) for x, y in drawn_in]).any():
        return True
    return _any_under(spots(outline), near)


def _any_under(points: NDArray[np.float64], flat: NDArray[np.float64]) -> bool:
    """Does any of the *points* lie in one of the triangles (n, 3, 2)?"""
    for triangle in flat:
        near = points[((points >= triangle.min(axis=0)) & (points <= triangle.max(axis=0))).all(axis=1)]
        sides = np.roll(triangle, -1, axis=0) - triangle
        if not len(near) or abs(float(np.linalg.det(sides[:2]))) < 1e-9:
            continue
        to = near[:, None] - triangle[None]
        turns = sides[None, :, 0] * to[..., 1] - sides[None, :, 1] * to[..., 0]
        if ((turns > 0).all(axis=1) | (turns < 0).all(axis=1)).any():
            return True
    return False
