"""Small pictures of painted shapes, without a stage: points of their faces, the nearest one wins."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from ktsim.app.stage.meshes import PaintedShape

TURN, TILT = math.radians(-28.0), math.radians(32.0)
"""Where it is seen from: from the left of its front, a little from above."""
LIGHT = np.array([-0.45, -0.35, 0.82])
FROM_BELOW = 0.42
"""How bright a face is that no light falls on."""
BRIGHTER = 1.45
POINTS = 4
"""Points for a pixel, on average."""


def thumbnail(shape: PaintedShape, size: tuple[int, int]) -> NDArray[np.uint8]:
    """The shape as large as fits, RGBA with nothing behind it: (height, width, 4), first row at the bottom."""
    width, height = size
    picture = np.zeros((height, width, 4), np.uint8)
    if not len(shape.triangles):
        return picture
    right = np.array([math.cos(TURN), math.sin(TURN), 0.0])
    away = np.array([-math.sin(TURN) * math.cos(TILT), math.cos(TURN) * math.cos(TILT), -math.sin(TILT)])
    up = np.cross(right, away)
    a, b, c = (shape.triangles[:, i] for i in range(3))
    normal = np.cross(b - a, c - a)
    area = np.linalg.norm(normal, axis=1)
    facing = (normal @ away < 0) & (area > 1e-12)
    if not facing.any():
        return picture
    flat = shape.triangles @ np.stack([right, up], axis=1)
    low, high = flat.min(axis=(0, 1)), flat.max(axis=(0, 1))
    scale = 0.94 * min(width / max(high[0] - low[0], 1e-6), height / max(high[1] - low[1], 1e-6))
    shown = area[facing] * np.abs(normal[facing] @ away) / area[facing] / 2  # as large as it looks
    count = np.ceil(shown * scale**2 * POINTS).astype(int).clip(1, 40_000)
    which = np.repeat(np.flatnonzero(facing), count)
    # The same points every time: two sequences that fill a triangle evenly.
    number = np.arange(len(which)) + 0.5
    u, v = np.sqrt(number * 0.754877666 % 1.0), number * 0.569840291 % 1.0
    points = a[which] * (1 - u)[:, None] + b[which] * (u * (1 - v))[:, None] + c[which] * (u * v)[:, None]
    light = np.maximum((normal @ LIGHT) / np.maximum(area, 1e-12), 0.0) * (1 - FROM_BELOW) + FROM_BELOW
    paint = np.clip(shape.colours[:, :3] * light[:, None] * BRIGHTER, 0, 255).astype(np.uint8)
    nearest_last = np.argsort(-(points @ away), kind="stable")
    middle = (low + high) / 2
    x, y = (((points @ way - middle[i]) * scale + size[i] / 2).astype(int) for i, way in ((0, right), (1, up)))
    x, y, which = x[nearest_last], y[nearest_last], which[nearest_last]
    picture[y.clip(0, height - 1), x.clip(0, width - 1), :3] = paint[which]
    picture[y.clip(0, height - 1), x.clip(0, width - 1), 3] = 255
    return picture
