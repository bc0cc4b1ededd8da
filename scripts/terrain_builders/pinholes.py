"""Small holes through walls, such as a crumbled edge leaves beside a door. Windows and doorways are larger."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from ktsim.geometry.forest import Grove, Tree
from ktsim.geometry.kernels import queries

Triangles = NDArray[np.float64]

RADIUS = 0.2 / 25.4
"""Of the lines sent through a wall: thinner than lines of sight, so that a hole is found before one passes it."""
STEP = 0.4 / 25.4
SMALL = 0.2
"""An opening that is narrower than this, in inches, was not meant to be one."""
WALL = 1.5
"""A face of at least so many square inches in one upright plane is a wall's."""
REACH = 0.45
"""How far behind its face a wall is followed."""


def pinholes(ruling: Triangles, step: float = STEP, radius: float = RADIUS) -> NDArray[np.float64]:
    """The middles (n, 3) of small holes through the upright walls of the closed meshes in *ruling* (k, 3, 3)."""
    tree = Tree.over(ruling)
    forest, act = Grove.of([tree]).forest([(0, 0.0, 0.0, 0.0, 0.0)]), np.zeros(1, np.int32)
    found = []
    for normal, offset, corners in _faces(ruling):
        along = np.array([-normal[1], normal[0], 0.0])
        span = corners @ along
        xs = np.arange(span.min() + step, span.max(), step)
        zs = np.arange(max(corners[:, 2].min(), 0.0) + 0.05, corners[:, 2].max(), step)
        starts = (xs[:, None, None] * along + zs[None, :, None] * np.array([0.0, 0.0, 1.0])).reshape(-1, 3)
        starts += (offset + 0.02) * normal
        ways = np.tile(-REACH * normal, (len(starts), 1))
        is_open = ~np.asarray(queries.lines_blocked(forest, act, starts, ways, radius), bool).reshape(len(xs), len(zs))
        for middle in _small(is_open, SMALL / step):
            found.append(starts.reshape(len(xs), len(zs), 3)[middle])
    return np.array(found).reshape(-1, 3)


def _faces(triangles: Triangles) -> Iterator[tuple[NDArray[np.float64], float, NDArray[np.float64]]]:
    """The large upright planes: normal, distance from the origin, and the corners of the triangles in each."""
    crossed = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])
    size = np.linalg.norm(crossed, axis=1)
    normals = crossed / np.maximum(size, 1e-12)[:, None]
    upright = (np.abs(normals[:, 2]) < 1e-3) & (size > 1e-6)
    offsets = np.einsum("ij,ij->i", normals, triangles[:, 0])
    keys = np.column_stack([np.round(normals[:, :2], 2), np.round(offsets, 2)])[upright]
    planes, which = np.unique(keys, axis=0, return_inverse=True)
    which = which.reshape(-1)
    for number in range(len(planes)):
        chosen = np.nonzero(upright)[0][which == number]
        if size[chosen].sum() / 2 >= WALL:
            yield normals[chosen[0]], float(offsets[chosen].max()), triangles[chosen].reshape(-1, 3)


def _small(is_open: NDArray[np.bool_], small: float) -> Iterator[tuple[int, int]]:
    """A cell in the middle of each small opening that does not reach the border."""
    # Cells next to each other's neighbours are one opening: the tip of a notch is not a hole.
    labels, _ = ndimage.label(ndimage.binary_dilation(is_open, np.ones((3, 3))), np.ones((3, 3)))
    for number, (xs, zs) in enumerate(ndimage.find_objects(labels), start=1):
        width, height = xs.stop - xs.start, zs.stop - zs.start
        inner = xs.start > 0 and zs.start > 0 and xs.stop < is_open.shape[0] and zs.stop < is_open.shape[1]
        if inner and min(width, height) < small:
            cells = np.argwhere((labels == number) & is_open)
            yield tuple(cells[len(cells) // 2])
