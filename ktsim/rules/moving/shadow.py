"""What stands in a band of heights, seen from above, and a base sweeping among it."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ktsim.geometry.kernels import bands, sweeps
from ktsim.geometry.shelf import PREPARED, weight_of
from ktsim.rules.moving.form import Array, Form

Spot = tuple[float, float]

MIX = np.array([0x1E3779B97F4A7C15, 0x42B2AE3D27D4EB4F, 0x165667B19E3779F9, 0x27D4EB2F165667C5], np.int64)

CELL = 0.75
"""Size of the cells in which edges are looked up, in radii of the base."""


class Shadow:
    """Planar triangles *pieces* (m, 6) with the number of the part each belongs to.

    One that is *joined* of two is a :class:`JoinedShadow`.
    """

    joined: tuple[Shadow, Shadow] | None = None

    def __init__(self, pieces: Array, owners: NDArray[np.int32]) -> None:
        self.pieces, self.owners = pieces, owners

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
        return JoinedShadow(self, more)

    @property
    def weight(self) -> int:
        return self.pieces.nbytes + self.owners.nbytes

    @property
    def edges(self) -> tuple[Array, NDArray[np.int32]]:
        """Every different edge (m, 4) of the pieces and its owner."""
        return PREPARED.keep((self, "edges"), self._edges)

    def _edges(self) -> tuple[Array, NDArray[np.int32]]:
        corners = self.pieces.reshape(-1, 3, 2)
        segments = np.concatenate([np.hstack([corners[:, i], corners[:, (i + 1) % 3]]) for i in range(3)])
        owners = np.tile(self.owners, 3)
        return _different(segments, owners)

    @cached_property
    def by_owner(self) -> dict[int, Array]:
        """The pieces of each part."""
        return {int(owner): self.pieces[self.owners == owner] for owner in np.unique(self.owners)}

    def field(self, form: Form) -> EdgeField:
        """The edges as a base of that form meets them."""
        return PREPARED.keep((self, form), lambda: EdgeField(form, *self.edges))

    def meets(self, form: Form, a: Spot, b: Spot) -> int:
        """The part that a base, moving from *a* to *b*, would overlap: the nearest one, or -1."""
        return self.field(form).met(a, b)

    def under(self, x: float, y: float) -> int:
        """The part whose shadow holds the point, or -1."""
        found = int(bands.over(self.pieces, x, y))
        return -1 if found < 0 else int(self.owners[found])

    def near(self, reach: float, x: float, y: float) -> list[int]:
        """The parts within *reach* of the point, seen from above."""
        found = bands.near_point(self.pieces, reach, x, y)
        return [int(owner) for owner in np.unique(self.owners[found])]

    def without(self, owners: Iterable[int]) -> Shadow:
        """What other parts there are; this very one when all are."""
        gone = frozenset(owners) & self.present
        return PREPARED.keep((self, gone), lambda: self._without(gone)) if gone else self

    @cached_property
    def present(self) -> frozenset[int]:
        """The parts that have any of it."""
        return frozenset(np.unique(self.owners).tolist())

    def _without(self, gone: frozenset[int]) -> Shadow:
        keep = ~np.isin(self.owners, np.array(sorted(gone), np.int32))
        return Shadow(self.pieces[keep], self.owners[keep])


class JoinedShadow(Shadow):
    """A shadow of two: what is known already, and what was put on the table. It has hardly anything of its own: mostly
    the two are asked one by one."""

    def __init__(self, one: Shadow, two: Shadow) -> None:
        self.joined = (one, two)

    @property
    def pieces(self) -> Array:  # type: ignore[override]
        return PREPARED.keep((self, "pieces"), lambda: np.concatenate([each.pieces for each in self._both]))

    @property
    def owners(self) -> NDArray[np.int32]:  # type: ignore[override]
        return PREPARED.keep((self, "owners"), lambda: np.concatenate([each.owners for each in self._both]))

    @property
    def _both(self) -> tuple[Shadow, Shadow]:
        assert self.joined is not None
        return self.joined

    @property
    def weight(self) -> int:
        return 0

    @property
    def edges(self) -> tuple[Array, NDArray[np.int32]]:
        (one, whose), (two, theirs) = (each.edges for each in self._both)
        return np.concatenate([one, two]), np.concatenate([whose, theirs])

    @cached_property
    def by_owner(self) -> dict[int, Array]:
        one, two = self._both
        return one.by_owner | two.by_owner

    @cached_property
    def present(self) -> frozenset[int]:
        one, two = self._both
        return one.present | two.present

    def under(self, x: float, y: float) -> int:
        one, two = self._both
        found = one.under(x, y)
        return found if found >= 0 else two.under(x, y)

    def meets(self, form: Form, a: Spot, b: Spot) -> int:
        one, two = (each.meets(form, a, b) for each in self._both)
        return max(one, two) if one < 0 or two < 0 else self.field(form).met(a, b)

    def near(self, reach: float, x: float, y: float) -> list[int]:
        return sorted({owner for each in self._both for owner in each.near(reach, x, y)})

    def _without(self, gone: frozenset[int]) -> Shadow:
        one, two = (each.without(gone) for each in self._both)
        return one.and_more(two)


def _different(segments: Array, owners: NDArray[np.int32]) -> tuple[Array, NDArray[np.int32]]:
    long = np.hypot(segments[:, 2] - segments[:, 0], segments[:, 3] - segments[:, 1]) > 1e-9
    segments, owners = segments[long], owners[long]
    flip = (segments[:, 0] > segments[:, 2]) | ((segments[:, 0] == segments[:, 2]) & (segments[:, 1] > segments[:, 3]))
    segments[flip] = segments[flip][:, [2, 3, 0, 1]]
    if not len(segments):
        return segments, owners
    names = np.round(segments * 1e7).astype(np.int64)
    # one number an edge, quicker to sort by than four; should two edges share theirs, one of them may stay doubled
    order = np.argsort(names @ MIX, kind="stable")  # so that of equal edges the first comes first
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

    @property
    def weight(self) -> int:
        return weight_of(self.grid)

    def met(self, a: Spot, b: Spot) -> int:
        """The part that the base, moving from *a* to *b*, would overlap: the nearest one, or -1."""
        if not len(self.edges):
            return -1
        found = int(sweeps.met(*self.form.at(*a), *self.form.at(*b), self.form.clear_radius, False, *self.grid))
        return -1 if found < 0 else int(self.owners[found])
