"""Triangles and trimesh's meshes: one as the other, and whether they are a closed surface."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from trimesh import Trimesh

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
