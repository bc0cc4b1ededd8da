"""The outline of a moving base: an affine map makes every oval a disc, so one exact test serves both."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from ktsim.sight.scene import EPS, MM, Base

Array = NDArray[np.float64]

CEILING_ROUND = 25.0 * MM
CEILING_OVAL = (30.0 * MM, 17.5 * MM)
"""KT24-MOVE-6: semi-axes of the largest bases that move underneath a Ceiling whatever their height."""


@dataclass(frozen=True)
class Form:
    """A base at a turn. For a disc the map is the identity; an oval is turned and scaled to the unit disc."""

    base: Base
    turn: float = 0.0

    @staticmethod
    def of(base: Base, turn: float) -> Form:
        return _form_of(base, 0.0 if base.is_round else turn % 180.0)

    @cached_property
    def matrix(self) -> Array:
        if self.base.is_round:
            return np.eye(2)
        c, s = math.cos(math.radians(self.turn)), math.sin(math.radians(self.turn))
        return np.array([[c / self.base.along, s / self.base.along], [-s / self.base.across, c / self.base.across]])

    @property
    def radius(self) -> float:
        """Of the mapped disc."""
        return self.base.along if self.base.is_round else 1.0

    @cached_property
    def clear_radius(self) -> float:
        """The radius things must keep from, ties going to the mover."""
        return self.radius - (EPS if self.base.is_round else EPS / max(self.base.along, self.base.across))

    @cached_property
    def shape(self) -> tuple[Array, float, float, float]:
        """For kernels.lattice: the map, the mapped disc's radius, the least and the greatest reach of the base."""
        return self.matrix, self.clear_radius, self.inner, self.outer

    @property
    def outer(self) -> float:
        return max(self.base.along, self.base.across)

    @property
    def inner(self) -> float:
        return min(self.base.along, self.base.across)

    @cached_property
    def spread(self) -> tuple[float, float]:
        """How far the base reaches from its centre along x and y."""
        c, s = math.cos(math.radians(self.turn)), math.sin(math.radians(self.turn))
        a, b = self.base.along, self.base.across
        return math.hypot(a * c, b * s), math.hypot(a * s, b * c)

    def reach_along(self, ux: float, uy: float) -> float:
        """How far the base reaches from its centre in a direction (a unit vector)."""
        c, s = math.cos(math.radians(self.turn)), math.sin(math.radians(self.turn))
        return math.hypot(self.base.along * (ux * c + uy * s), self.base.across * (uy * c - ux * s))

    @property
    def is_small(self) -> bool:
        """KT24-MOVE-6: moves underneath a Ceiling whatever its height."""
        if self.base.is_round:
            return self.base.along <= CEILING_ROUND + EPS
        return self.outer <= CEILING_OVAL[0] + EPS and self.inner <= CEILING_OVAL[1] + EPS

    def mapped(self, points: Array) -> Array:
        """Points (..., 2) in the space in which the base is a disc."""
        return points if self.base.is_round else points @ self.matrix.T

    def at(self, x: float, y: float) -> tuple[float, float]:
        if self.base.is_round:
            return x, y
        m = self.matrix
        return float(m[0, 0] * x + m[0, 1] * y), float(m[1, 0] * x + m[1, 1] * y)


@lru_cache(maxsize=512)
def _form_of(base: Base, turn: float) -> Form:
    """One form for whoever asks, so that what it knows of itself is worked out once."""
    return Form(base, turn)
