"""Which nodes of a lattice are marked around one slice of terrain: found once, for all charts that have the slice.

A lattice is as the kernels have it: (x0, y0, pitch, nx, ny).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ktsim.geometry.kernels import lattice
from ktsim.geometry.shelf import PREPARED
from ktsim.rules.moving.form import Array
from ktsim.rules.moving.shadow import Slice

Mask = NDArray[np.bool_]
Lattice = tuple[float, float, float, int, int]


class Patch(NamedTuple):
    """Marked nodes (n, m) of some *rows* and *columns* of a lattice of *ny* columns."""

    rows: slice
    columns: slice
    ny: int
    marked: Mask

    def onto(self, out: Mask) -> None:
        """Mark the same in *out* (nx * ny,)."""
        out.reshape(-1, self.ny)[self.rows, self.columns] |= self.marked


def patch_of(part: Slice, lat: Lattice, reach: float, key: Hashable, mark: Callable[[Lattice, Mask], None]) -> Patch:
    """What *mark* marks, no further than *reach* from a slice; *key* is what it depends on besides."""

    def build() -> Patch:
        rows, columns, own = _within(lat, part.box, reach + lat[2])
        marked = np.zeros(own[3] * own[4], np.bool_)
        mark(own, marked)
        return Patch(rows, columns, lat[4], marked.reshape(own[3], own[4]))

    return build() if _is_spot(lat) else PREPARED.keep((part, lat, key), build)


def _within(lat: Lattice, box: tuple[float, float, float, float], reach: float) -> tuple[slice, slice, Lattice]:
    """The rows and columns of a lattice within *reach* of a box along x and y, and the lattice of them alone."""
    x0, y0, h, nx, ny = lat
    left, low, right, high = box
    i0, j0 = (max(0, math.floor((least - reach - at) / h)) for least, at in ((left, x0), (low, y0)))
    i1, j1 = (
        min(count, math.ceil((most + reach - at) / h) + 1) for most, at, count in ((right, x0, nx), (high, y0, ny))
    )
    rows, columns = slice(i0, max(i0, i1)), slice(j0, max(j0, j1))
    # exact: the pitch is a power of two, and the lattice of a board begins at its corner
    return rows, columns, (x0 + i0 * h, y0 + j0 * h, h, rows.stop - i0, columns.stop - j0)


def mark_near(pieces: Array, reach: float, lat: Lattice, out: Mask) -> None:
    """Mark nodes within *reach* of planar triangles."""
    found = np.full(len(out), 99.0)
    lattice.distances(pieces, reach, reach, *lat, found)
    out |= found <= reach


def nodes_of(lat: Lattice) -> tuple[Array, Array]:
    """Where the nodes of a lattice are; for all charts of a board the same."""

    def build() -> tuple[Array, Array]:
        x0, y0, h, nx, ny = lat
        return x0 + np.repeat(np.arange(nx) * h, ny), y0 + np.tile(np.arange(ny) * h, nx)

    return build() if _is_spot(lat) else PREPARED.keep(("nodes", lat), build)


def _is_spot(lat: Lattice) -> bool:
    """Whether it is one place, asked about once."""
    return lat[3] * lat[4] == 1


def around(mask: Mask) -> Mask:
    """Nodes (nx, ny) that are marked or have a marked one beside or across from them."""
    grown = np.pad(mask, 1)
    rows = grown[:-2] | grown[1:-1] | grown[2:]
    return np.asarray(rows[:, :-2] | rows[:, 1:-1] | rows[:, 2:])
