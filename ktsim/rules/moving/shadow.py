"""What stands in a band of heights, seen from above, and a base sweeping among it."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ktsim.geometry.kernels import bands, sweeps
from ktsim.rules.moving.form import Array, Form

CELL = 0.75
"""Size of the cells in which edges are looked up, in radii of the base."""


class Shadow:
    """Planar triangles *pieces* (m, 6) with the number of the part each belongs to.

    A shadow may be *joined* of two: of what is known already and of what was put on the table.
    """

    def __init__(self, pieces: Array, owners: NDArray[np.int32], joined: tuple[Shadow, Shadow] | None = None) -> None:
        self.pieces, self.owners, self.joined = pieces, owners, joined
        self._fields: dict[Form, EdgeField] = {}
        self._without: dict[frozenset[int], Shadow] = {}

    @classmethod
    def of(cls, found: Iterable[tuple[int, Array]]) -> Shadow:
        listed = [(owner, pieces) for owner, pieces in found if len(pieces)]
        if not listed:
            return cls(np.empty((0, 6)), np.empty(0, np.int32))
        owners = np.concatenate([np.full(len(pieces), owner, np.int32) for owner, pieces in listed])
        return cls(np.concatenate([pieces for _, pieces in listed]), owners)

    def and_more(self, more: Shadow) -> Shadow:
        """This one and *more*; this very one when there is no more."""
        if not len(more.pieces):
            return self
        pieces, owners = np.concatenate([self.pieces, more.pieces]), np.concatenate([self.owners, more.owners])
        return Shadow(pieces, owners, (self, more))

    @cached_property
    def edges(self) -> tuple[Array, NDArray[np.int32]]:
        """Every different edge (m, 4) of the pieces and its owner."""
        if self.joined is not None:
            (one, whose), (two, theirs) = self.joined[0].edges, self.joined[1].edges
            return np.concatenate([one, two]), np.concatenate([whose, theirs])
        corners = self.pieces.reshape(-1, 3, 2)
        segments = np.concatenate([np.hstack([corners[:, i], corners[:, (i + 1) % 3]]) for i in range(3)])
        owners = np.tile(self.owners, 3)
        return _different(segments, owners)

    @cached_property
    def by_owner(self) -> dict[int, Array]:
        """The pieces of each part."""
        if self.joined is not None:
            return self.joined[0].by_owner | self.joined[1].by_owner
        return {int(owner): self.pieces[self.owners == owner] for owner in np.unique(self.owners)}

    def field(self, form: Form) -> EdgeField:
        """The edges as a base of that form meets them."""
        if form not in self._fields:
            self._fields[form] = EdgeField(form, *self.edges)
        return self._fields[form]

    def under(self, x: float, y: float) -> int:
        """The part whose shadow holds the point, or -1."""
        found = int(bands.over(self.pieces, x, y))
        return -1 if found < 0 else int(self.owners[found])

    def near(self, reach: float, x: float, y: float) -> list[int]:
        """The parts within *reach* of the point, seen from above."""
        found = bands.near_point(self.pieces, reach, x, y)
        return [int(owner) for owner in np.unique(self.owners[found])]

    def without(self, owners: Iterable[int]) -> Shadow:
        """What other parts there are; kept."""
        gone = frozenset(owners)
        if gone not in self._without:
            if self.joined is not None:
                one, two = (each.without(gone) for each in self.joined)
                self._without[gone] = one.and_more(two)
            else:
                keep = ~np.isin(self.owners, np.array(sorted(gone), np.int32))
                self._without[gone] = Shadow(self.pieces[keep], self.owners[keep])
        return self._without[gone]


def _different(segments: Array, owners: NDArray[np.int32]) -> tuple[Array, NDArray[np.int32]]:
    long = np.hypot(segments[:, 2] - segments[:, 0], segments[:, 3] - segments[:, 1]) > 1e-9
    segments, owners = segments[long], owners[long]
    flip = (segments[:, 0] > segments[:, 2]) | ((segments[:, 0] == segments[:, 2]) & (segments[:, 1] > segments[:, 3]))
    segments[flip] = segments[flip][:, [2, 3, 0, 1]]
    if not len(segments):
        return segments, owners
    names = np.round(segments * 1e7).astype(np.int64)
    order = np.lexsort(names.T)  # stable, so that of equal edges the first comes first
    is_new = np.ones(len(order), np.bool_)
    is_new[1:] = (names[order[1:]] != names[order[:-1]]).any(axis=1)
    first = np.sort(order[is_new])
    return np.ascontiguousarray(segments[first]), owners[first]


class EdgeField:
    """Edges in the space where the base is a disc, in cells."""

    def __init__(self, form: Form, edges: Array, owners: NDArray[np.int32]) -> None:
        self.form, self.owners = form, owners
        self.edges = np.ascontiguousarray(form.mapped(edges.reshape(-1, 2, 2)).reshape(-1, 4))
        cell = CELL * form.radius
        low = self.edges.reshape(-1, 2).min(axis=0) if len(edges) else np.zeros(2)
        high = self.edges.reshape(-1, 2).max(axis=0) if len(edges) else np.ones(2)
        nx, ny = (int((high[i] - low[i]) / cell) + 3 for i in range(2))
        x0, y0 = float(low[0]) - cell, float(low[1]) - cell
        start, items = sweeps.bucket(self.edges, x0, y0, nx, ny, cell)
        self.grid = (self.edges, start, items, x0, y0, nx, ny, cell)
        self.cells = (*self.grid, np.empty(0))
        """For kernels.lattice: the grid, and no distances at nodes."""

    def met(self, a: tuple[float, float], b: tuple[float, float]) -> int:
        """The part that the base, moving from *a* to *b*, would overlap: the nearest one, or -1."""
        if not len(self.edges):
            return -1
        found = int(sweeps.met(*self.form.at(*a), *self.form.at(*b), self.form.clear_radius, False, *self.grid))
        return -1 if found < 0 else int(self.owners[found])
