"""Where a base may be at one altitude, as the kernels for legs take it."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ktsim.rules.moving.form import Array

NOTHING: Array = np.empty((0, 6))
EVERYWHERE: Array = np.empty(0)
"""For what a base need not stay near anything."""


class ChartedLevel:
    """Where a base may be at one altitude: the state of each node, the edges it must keep clear of, and what it must
    stay near (``near`` empty: nothing)."""

    def __init__(
        self, state: NDArray[np.uint8], cells: tuple[Any, ...], near: Array, reach: float, pieces: Array
    ) -> None:
        self.state, self.cells, self.near, self.reach, self.pieces = state, cells, near, reach, pieces

    @property
    def weight(self) -> int:
        """For a shelf: what is known of its nodes. The edges are others' too."""
        return int(self.state.nbytes + self.near.nbytes + self.cells[-1].nbytes)

    def pieces_near(self, x: float, y: float, far: float) -> Array:
        """Of what it must stay near, what comes within *far* of a place along x and y."""
        left, lower, right, upper = self._bounds
        near = (left <= x + far) & (right >= x - far) & (lower <= y + far) & (upper >= y - far)
        return np.asarray(self.pieces[near])

    @cached_property
    def _bounds(self) -> tuple[Array, Array, Array, Array]:
        # column by column: reducing rows of three is several times slower
        p = self.pieces.T
        low = [np.minimum(np.minimum(p[i], p[i + 2]), p[i + 4]) for i in (0, 1)]
        high = [np.maximum(np.maximum(p[i], p[i + 2]), p[i + 4]) for i in (0, 1)]
        return low[0], low[1], high[0], high[1]
