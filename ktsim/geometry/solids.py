"""Closed solids as triangles (n, 3, 3), wound outwards: box, cylinder, prism; what a solid covers, it swept
up, as a mesh of trimesh, and whether triangles are a closed surface."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray
from trimesh import Trimesh

from ktsim.geometry.plane import TINY, Outline, area, ears, turns, without_straight_corners

Triangles: TypeAlias = NDArray[np.float64]

SIDES = 48
"""Sides of a cylinder. Its corners lie *on* the radius, so it is inside the true one by at most 0.2 % of it."""


def box(one: Sequence[float], other: Sequence[float]) -> Triangles:
    """The box with opposite corners *one* and *other* (x, y, z), in any order."""
    (x0, y0, z0), (x1, y1, z1) = np.minimum(one, other), np.maximum(one, other)
    return prism([(x0, y0), (x1, y0), (x1, y1), (x0, y1)], z0, z1)


def cylinder(centre: Sequence[float], radius: float, height: float, sides: int = SIDES) -> Triangles:
    """An upright cylinder; *centre* is the middle of its lower face."""
    x, y, z = centre
    angles = [2 * math.pi * i / sides for i in range(sides)]
    return prism([(x + radius * math.cos(a), y + radius * math.sin(a)) for a in angles], z, z + height)


def prism(outline: Outline, low: float, high: float) -> Triangles:
    """The upright solid over a simple polygon, wound either way, from *low* to *high*."""
    points = np.array(outline, dtype=np.float64)
    if area(outline) < 0:
        points = points[::-1]
    points = without_straight_corners(points)
    low, high = min(low, high), max(low, high)
    flat = points[ears(points)]
    top = np.concatenate([flat, np.full((*flat.shape[:2], 1), high)], axis=2)
    bottom = np.concatenate([flat[:, ::-1], np.full((*flat.shape[:2], 1), low)], axis=2)
    after = np.roll(points, -1, axis=0)
    a, b = (np.column_stack([p, np.full(len(p), low)]) for p in (points, after))
    c, d = (np.column_stack([p, np.full(len(p), high)]) for p in (after, points))
    return np.concatenate([top, bottom, np.stack([a, b, c], axis=1), np.stack([a, c, d], axis=1)])


def _upward(triangles: NDArray[np.float64]) -> NDArray[np.bool_]:
    return np.asarray(turns(triangles[:, 0], triangles[:, 1], triangles[:, 2]) > TINY)


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


WELD = 1e-5
"""Corners nearer to each other than about this, in inches, are one corner."""


def corner_numbers(triangles: NDArray[np.float64]) -> NDArray[np.int64]:
    """(n, 3) corner numbers of *triangles* (n, 3, 3) after welding; those of a triangle that collapsed repeat."""
    cells = np.round(triangles.reshape(-1, 3) / WELD).astype(np.int64)
    order = np.lexsort(cells.T)
    ordered = cells[order]
    new = np.empty(len(ordered), dtype=bool)
    new[:1] = True
    new[1:] = (ordered[1:] != ordered[:-1]).any(axis=1)
    numbers = np.empty(len(cells), dtype=np.int64)
    numbers[order] = np.cumsum(new) - 1
    return numbers.reshape(-1, 3)


def triangles_of(mesh: Trimesh) -> NDArray[np.float64]:
    """The triangles (n, 3, 3) of a mesh, not to be written to."""
    triangles: NDArray[np.float64] = np.asarray(mesh.vertices)[np.asarray(mesh.faces)]
    triangles.setflags(write=False)
    return triangles


def welded(triangles: NDArray[np.float64]) -> Trimesh:
    """*triangles* (n, 3, 3) as a mesh in which those that meet share their corners."""
    numbers = corner_numbers(triangles)
    _, first = np.unique(numbers, return_index=True)
    return Trimesh(triangles.reshape(-1, 3)[first], numbers, process=False)


def is_closed(triangles: NDArray[np.float64]) -> bool:
    """Does every edge run as often one way as the other, and is something left after welding?

    ``Trimesh.is_watertight`` wants two triangles at each edge; solids that touch share edges and are closed all the
    same.
    """
    mesh = welded(triangles)
    ways = np.sign(mesh.edges[:, 1] - mesh.edges[:, 0])
    return bool(ways.any()) and not np.bincount(mesh.edges_unique_inverse, ways).any()
