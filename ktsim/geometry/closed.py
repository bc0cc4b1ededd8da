"""Is a soup of triangles a closed surface, and which way does it face?"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

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


def welded(triangles: NDArray[np.float64]) -> NDArray[np.int64]:
    """The same without triangles that collapsed."""
    faces = corner_numbers(triangles)
    whole = (faces[:, 0] != faces[:, 1]) & (faces[:, 1] != faces[:, 2]) & (faces[:, 2] != faces[:, 0])
    return np.asarray(faces[whole])


def open_edges(triangles: NDArray[np.float64]) -> int:
    """How many directed edges have no partner running the other way. 0: the surface is closed."""
    faces = welded(triangles)
    if len(faces) == 0:
        return 0
    edges = np.concatenate([faces[:, [0, 1]], faces[:, [1, 2]], faces[:, [2, 0]]])
    count = int(faces.max()) + 1
    forward = edges[:, 0] * count + edges[:, 1]
    backward = edges[:, 1] * count + edges[:, 0]
    keys, balance = np.unique(np.concatenate([forward, backward]), return_inverse=True)
    sign = np.concatenate([np.ones(len(forward)), -np.ones(len(backward))])
    return int(np.abs(np.bincount(balance, sign, len(keys))).sum()) // 2


def is_closed(triangles: NDArray[np.float64]) -> bool:
    """Every edge is matched by its reverse, and something is left after welding."""
    return len(welded(triangles)) > 0 and open_edges(triangles) == 0


def volume(triangles: NDArray[np.float64]) -> float:
    """The signed volume of a closed surface: negative when it faces inwards."""
    local = triangles - triangles.reshape(-1, 3).mean(axis=0)
    return float(np.einsum("ij,ij->", local[:, 0], np.cross(local[:, 1], local[:, 2]))) / 6
