"""The board itself: its ground, water where it is hazardous, a frame around it and the table it lies on."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ktsim.app.stage.materials import Material, Mood
from ktsim.app.stage.meshes import PaintedShape
from ktsim.app.stage.solids import bevelled_box
from ktsim.geometry.plane import are_enclosed, loop, to_segments
from ktsim.sight.scene import Area, Terrain

WATER_LEVEL = -0.55
FRAME_WIDTH = 0.65
FARTHEST = 4.0
"""How far from a shore (inches) shaders tell it."""


def grid(board: tuple[float, float], z: float, step: float = 1.0) -> NDArray[np.float64]:
    """A flat sheet over the board in squares of about *step*, facing up: corner lighting needs corners."""
    xs = np.linspace(0, board[0], max(2, round(board[0] / step) + 1))
    ys = np.linspace(0, board[1], max(2, round(board[1] / step) + 1))
    x, y = np.meshgrid(xs, ys, indexing="ij")
    p = np.stack([x, y, np.full_like(x, z)], axis=-1)
    a, b, c, d = p[:-1, :-1], p[1:, :-1], p[1:, 1:], p[:-1, 1:]
    return np.concatenate([np.stack(t, axis=2).reshape(-1, 3, 3) for t in ((a, b, c), (a, c, d))])


def water_areas(terrain: Terrain) -> tuple[Area, ...]:
    return tuple(area for area in terrain.areas if area.kind == "hazardous")


def ground(terrain: Terrain, mood: Mood) -> PaintedShape:
    """The floor, with sides down to the frame. Where there is water, the shader leaves it out."""
    w, h = terrain.board
    low = min(mood.rim_height, 0.0) - 0.4
    sheets = [grid(terrain.board, 0.0)]
    corners = [(0.0, 0.0), (w, 0.0), (w, h), (0.0, h)]
    sheets += [_skirt(a, b, 0.0, low) for a, b in zip(corners, corners[1:] + corners[:1], strict=True)]
    return PaintedShape.painted(np.concatenate(sheets), mood.ground_rgb, mood.ground)


def sea(terrain: Terrain) -> PaintedShape:
    """Water below the floor."""
    return PaintedShape.painted(grid(terrain.board, WATER_LEVEL), (20, 44, 50), Material.WATER)


def shore_edges(terrain: Terrain) -> list[tuple[NDArray[np.float64], NDArray[np.float64]]]:
    """Pieces of outline with land on one side and water on the other, directed so that the water is on the right.

    Areas may meet each other or the board's edge: there is no shore, so outlines are judged in short pieces.
    """
    pieces: list[tuple[NDArray[np.float64], NDArray[np.float64]]] = []
    for area in water_areas(terrain):
        points = np.asarray(area.outline, float)
        for start, end in zip(points, np.roll(points, -1, axis=0), strict=True):
            count = max(1, math.ceil(float(np.linalg.norm(end - start)) / 0.5))
            pieces += pairwise(start + (end - start) * np.linspace(0, 1, count + 1)[:, None])
    if not pieces:
        return []
    a, b = np.array(pieces).transpose(1, 0, 2)
    left = np.stack([a[:, 1] - b[:, 1], b[:, 0] - a[:, 0]], axis=1)
    left /= np.maximum(np.linalg.norm(b - a, axis=1), 1e-9)[:, None]
    wet_left, wet_right = (in_water(terrain, *((a + b) / 2 + side * left).T) for side in (0.01, -0.01))
    return [
        (end, start) if is_left else (start, end)
        for (start, end), is_left, is_right in zip(pieces, wet_left, wet_right, strict=True)
        if is_left != is_right and not _on_border(start, end, terrain.board)
    ]


def shores(terrain: Terrain) -> PaintedShape:
    """The sides of the land around the water."""
    sides = [_skirt(a, b, 0.0, WATER_LEVEL - 0.2) for a, b in shore_edges(terrain)]
    return PaintedShape.joined([PaintedShape.painted(side, (110, 110, 104), Material.ISLAND) for side in sides])


def in_water(terrain: Terrain, x: NDArray[np.float64], y: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Which points of the floor lie in a hazardous area; overlapping outlines cut islands out of each other."""
    edges = [np.empty((0, 4)), *(loop(area.outline) for area in water_areas(terrain))]
    return are_enclosed(np.concatenate(edges), x, y)


def _on_border(a: NDArray[np.float64], b: NDArray[np.float64], board: tuple[float, float]) -> bool:
    return any(
        abs(a[axis] - edge) < 1e-6 and abs(b[axis] - edge) < 1e-6 for axis in (0, 1) for edge in (0.0, board[axis])
    )


def _skirt(a: ArrayLike, b: ArrayLike, top: float, low: float) -> NDArray[np.float64]:
    """An upright sheet from a to b, facing right of that direction, in pieces of about an inch."""
    start, end = np.asarray(a, float)[:2], np.asarray(b, float)[:2]
    count = max(1, int(np.linalg.norm(end - start)))
    line = start + (end - start) * np.linspace(0, 1, count + 1)[:, None]
    up = np.column_stack([line, np.full(count + 1, top)])
    down = np.column_stack([line, np.full(count + 1, low)])
    one = np.stack([down[:-1], down[1:], up[1:]], axis=1)
    return np.concatenate([one, np.stack([down[:-1], up[1:], up[:-1]], axis=1)])


def frame(board: tuple[float, float], mood: Mood) -> PaintedShape:
    """A frame with clasps around the board."""
    w, h = board
    top, half = mood.rim_height, FRAME_WIDTH / 2
    shapes = []

    def put(size: tuple[float, float, float], bevel: float, x: float, y: float, lift: float, clasp: bool) -> None:
        at = (x, y, top - 0.8 + lift)
        rgb, material = (mood.clasp_rgb, Material.STEEL) if clasp else (mood.rim_rgb, mood.rim_material)
        shapes.append(PaintedShape.painted(bevelled_box(size, bevel) + np.array(at), rgb, material))

    for y in (-half, h + half):
        put((w + 2 * FRAME_WIDTH, FRAME_WIDTH, 0.8), 0.1, w / 2, y, 0.0, False)
        for x in np.linspace(1.5, w - 1.5, max(2, int(w / 3))):
            put((0.34, 0.80, 0.84), 0.06, float(x), y, 0.0, True)
    for x in (-half, w + half):
        put((FRAME_WIDTH, h, 0.8), 0.1, x, h / 2, 0.0, False)
        for y in np.linspace(1.5, h - 1.5, max(2, int(h / 3))):
            put((0.80, 0.34, 0.84), 0.06, x, float(y), 0.0, True)
        for y in (-half, h + half):
            put((1.0, 1.0, 0.92), 0.12, x, y, 0.0, True)
    return PaintedShape.joined(shapes)


def table(board: tuple[float, float], mood: Mood) -> PaintedShape:
    """The dark table everything stands on, fading into nothing."""
    sheet = grid((500.0, 500.0), 0.0, 20.0) + np.array([board[0] / 2 - 250, board[1] / 2 - 250, mood.rim_height - 0.85])
    return PaintedShape.painted(sheet, mood.table_rgb, Material.TABLE)


def lowest(mood: Mood) -> float:
    """No height below this is seen."""
    return min(WATER_LEVEL, mood.rim_height - 0.85)


def shore_image(terrain: Terrain, width: int = 480) -> NDArray[np.uint8]:
    """Distances for the shaders, (rows, columns, 2), first row at y = 0: inches into water and onto land, as shares of
    FARTHEST."""
    w, h = terrain.board
    height = max(2, round(width * h / w))
    x, y = np.meshgrid((np.arange(width) + 0.5) / width * w, (np.arange(height) + 0.5) / height * h)
    inside, at = in_water(terrain, x, y), np.stack([x, y], axis=-1)
    near = np.full(x.shape, FARTHEST)
    for a, b in shore_edges(terrain):
        # farther than that is all the same
        low, high = np.minimum(a, b) - FARTHEST, np.maximum(a, b) + FARTHEST
        left, right = np.searchsorted(x[0], (low[0], high[0]))
        down, up = np.searchsorted(y[:, 0], (low[1], high[1]))
        part = near[down:up, left:right]
        np.minimum(part, to_segments(at[down:up, left:right], a, b), out=part)
    scaled = np.clip(near / FARTHEST * 255, 0, 255)
    wet = np.where(inside, np.maximum(scaled, 2), 0)
    return np.stack([wet, np.where(inside, 0, scaled)], axis=-1).astype(np.uint8)
