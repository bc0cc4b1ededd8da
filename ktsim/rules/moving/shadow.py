"""What stands in a band of heights, seen from above, and a base sweeping among it."""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ktsim.geometry.kernels import bands, sweeps
from ktsim.geometry.shelf import PREPARED, weight_of
from ktsim.rules.moving.form import Array, Form
from ktsim.sight.scene import EPS

Spot = tuple[float, float]

NO_PIECES: Array = np.empty((0, 6))
NOBODY: NDArray[np.int32] = np.empty(0, np.int32)

CELL = 0.75
"""Size of the cells in which edges are looked up, in radii of the base."""


class Slice:
    """What of one part is between two heights, seen from above. All shadows that have it share it, and what is known of
    it; its triangles are cut again when they were given up."""

    def __init__(self, cut: Callable[[], Array]) -> None:
        self._cut = cut

    @property
    def pieces(self) -> Array:
        """Planar triangles (m, 6)."""
        return PREPARED.keep((self, "pieces"), self._cut)

    @cached_property
    def is_empty(self) -> bool:
        return not len(self.pieces)

    @cached_property
    def box(self) -> tuple[float, float, float, float]:
        """Low x and y, high x and y."""
        x, y = self.pieces[:, 0::2], self.pieces[:, 1::2]
        return float(x.min()), float(y.min()), float(x.max()), float(y.max())

    def is_near(self, reach: float, x: float, y: float) -> bool:
        """Whether the box around it comes within *reach* of the point, along x and y."""
        left, low, right, high = self.box
        return left - reach <= x <= right + reach and low - reach <= y <= high + reach

    @property
    def edges(self) -> Array:
        """Every different edge (m, 4) of the pieces."""
        return PREPARED.keep((self, "edges"), lambda: _edges(self.pieces, np.zeros(len(self.pieces), np.int32))[0])

    def is_met(self, form: Form, a: Spot, b: Spot) -> bool:
        """Whether a base, moving from *a* to *b*, would overlap it."""
        left, low, right, high = self.box
        reach = form.outer + EPS
        if max(a[0], b[0]) < left - reach or min(a[0], b[0]) > right + reach:
            return False
        if max(a[1], b[1]) < low - reach or min(a[1], b[1]) > high + reach:
            return False
        return PREPARED.keep((self, form), lambda: EdgeField(form, self.edges, NOBODY)).is_met(a, b)


class Shadow:
    """Planar triangles *pieces* (m, 6) with the number of the part each belongs to.

    One that is *joined* of two is a :class:`JoinedShadow`, one of parts between two heights a :class:`SlicedShadow`.
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
        return JoinedShadow(self, more) if more.present else self

    @property
    def weight(self) -> int:
        return self.pieces.nbytes + self.owners.nbytes

    @property
    def edges(self) -> tuple[Array, NDArray[np.int32]]:
        """Every different edge (m, 4) of the pieces and its owner."""
        return PREPARED.keep((self, "edges"), lambda: _edges(self.pieces, self.owners))

    @cached_property
    def by_owner(self) -> Mapping[int, Array]:
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


class _PiecesOf(Mapping[int, Array]):
    """The pieces of slices, each fetched when it is asked for."""

    def __init__(self, slices: Mapping[int, Slice]) -> None:
        self._slices = slices

    def __getitem__(self, owner: int) -> Array:
        return self._slices[owner].pieces

    def __iter__(self) -> Iterator[int]:
        return iter(self._slices)

    def __len__(self) -> int:
        return len(self._slices)


class SlicedShadow(Shadow):
    """A shadow of one slice of each of some parts, by their numbers. It is hardly ever needed as one: mostly its slices
    are asked one by one, those that are near."""

    def __init__(self, slices: Mapping[int, Slice]) -> None:
        self.slices = slices

    @property
    def pieces(self) -> Array:  # type: ignore[override]
        return np.concatenate([NO_PIECES, *(each.pieces for each in self.slices.values())])

    @property
    def owners(self) -> NDArray[np.int32]:  # type: ignore[override]
        counts = [len(each.pieces) for each in self.slices.values()]
        return np.repeat(np.array(list(self.slices), np.int32), counts)

    @property
    def weight(self) -> int:
        return 0

    @cached_property
    def by_owner(self) -> Mapping[int, Array]:
        return _PiecesOf(self.slices)

    @cached_property
    def present(self) -> frozenset[int]:
        return frozenset(self.slices)

    def meets(self, form: Form, a: Spot, b: Spot) -> int:
        met = [owner for owner, each in self.slices.items() if each.is_met(form, a, b)]
        return super().meets(form, a, b) if len(met) > 1 else met[0] if met else -1

    def under(self, x: float, y: float) -> int:
        near = ((owner, each) for owner, each in self.slices.items() if each.is_near(EPS, x, y))
        return next((owner for owner, each in near if bands.over(each.pieces, x, y) >= 0), -1)

    def near(self, reach: float, x: float, y: float) -> list[int]:
        near = ((owner, each) for owner, each in self.slices.items() if each.is_near(reach + EPS, x, y))
        return [owner for owner, each in near if bands.near_point(each.pieces, reach, x, y).any()]

    def _without(self, gone: frozenset[int]) -> Shadow:
        return SlicedShadow({owner: each for owner, each in self.slices.items() if owner not in gone})


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
    def by_owner(self) -> Mapping[int, Array]:
        one, two = self._both
        return ChainMap(two.by_owner, one.by_owner)  # type: ignore[arg-type]  # only read

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


def _edges(pieces: Array, owners: NDArray[np.int32]) -> tuple[Array, NDArray[np.int32]]:
    """Every different edge (m, 4) of planar triangles, and its owner."""
    corners = pieces.reshape(-1, 3, 2)
    segments = np.concatenate([np.hstack([corners[:, i], corners[:, (i + 1) % 3]]) for i in range(3)])
    is_first = sweeps.first_of_each(segments)
    return np.ascontiguousarray(segments[is_first]), np.tile(owners, 3)[is_first]


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
        found = self._met(a, b, False)
        return -1 if found < 0 else int(self.owners[found])

    def is_met(self, a: Spot, b: Spot) -> bool:
        """Whether it would overlap any."""
        return len(self.edges) > 0 and self._met(a, b, True) >= 0

    def _met(self, a: Spot, b: Spot, any_will_do: bool) -> int:
        return int(sweeps.met(*self.form.at(*a), *self.form.at(*b), self.form.clear_radius, any_will_do, *self.grid))
