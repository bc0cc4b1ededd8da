"""Shapes seen from above: footprints, sweeping upwards, point in polygon."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def _upward(triangles: NDArray[np.float64]) -> NDArray[np.bool_]:
    a, b, c = triangles[:, 0], triangles[:, 1], triangles[:, 2]
    twice = (b[:, 0] - a[:, 0]) * (c[:, 1] - a[:, 1]) - (b[:, 1] - a[:, 1]) * (c[:, 0] - a[:, 0])
    return np.asarray(twice > 1e-12)


def _border(triangles: NDArray[np.float64]) -> list[tuple[NDArray[np.float64], NDArray[np.float64]]]:
    """The directed edges of a set of triangles that no neighbour runs the other way."""
    loose: dict[tuple[tuple[int, ...], tuple[int, ...]], tuple[NDArray[np.float64], NDArray[np.float64]]] = {}
    grid = np.round(triangles * 1e7).astype(np.int64)
    for triangle, cell in zip(triangles, grid, strict=True):
        names = [tuple(corner.tolist()) for corner in cell]
        for i in range(3):
            j = (i + 1) % 3
            if (names[j], names[i]) in loose:
                del loose[names[j], names[i]]
            else:
                loose[names[i], names[j]] = (triangle[i], triangle[j])
    return list(loose.values())


def footprint_edges(triangles: NDArray[np.float64], is_open: bool = False) -> NDArray[np.float64]:
    """The border (m, 4) of what closed triangles (n, 3, 3) cover seen from above: loops around their upper side; of an
    open surface the edges of all its triangles."""
    if is_open:
        corners = triangles[:, :, :2]
        return np.concatenate([corners, np.roll(corners, -1, axis=1)], axis=2).reshape(-1, 4)
    flat = triangles[_upward(triangles)].copy()
    flat[:, :, 2] = 0
    edges = [(*a[:2], *b[:2]) for a, b in _border(flat)]
    return np.array(edges, dtype=np.float64).reshape(-1, 4)


def raised(triangles: NDArray[np.float64], height: float, is_open: bool = False) -> NDArray[np.float64]:
    """The solid swept upwards to *height*: its upper side moved there, vertical walls below that side's border. Of an
    open surface every edge is swept: what goes over it meets those."""
    if is_open:
        a, b = triangles.reshape(-1, 3), np.roll(triangles, -1, axis=1).reshape(-1, 3)
        top_a, top_b = (np.column_stack([p[:, :2], np.full(len(p), height)]) for p in (a, b))
        return np.concatenate([triangles, np.stack([a, b, top_b], axis=1), np.stack([a, top_b, top_a], axis=1)])
    up = _upward(triangles)
    lid = triangles[up].copy()
    lid[:, :, 2] = height
    sides = []
    for a, b in _border(triangles[up]):
        top_a, top_b = np.array([a[0], a[1], height]), np.array([b[0], b[1], height])
        sides += [(a, b, top_b), (a, top_b, top_a)]
    return np.concatenate([triangles[~up], lid, np.array(sides, dtype=np.float64).reshape(-1, 3, 3)])


def inside(edges: NDArray[np.float64], x: float, y: float) -> bool:
    """Is the point inside the closed loops *edges* (m, 4), by the even-odd rule?"""
    ax, ay, bx, by = edges.T
    spans = (ay > y) != (by > y)
    if not spans.any():
        return False
    at = ax[spans] + (y - ay[spans]) / (by[spans] - ay[spans]) * (bx[spans] - ax[spans])
    return bool((at > x).sum() % 2)
