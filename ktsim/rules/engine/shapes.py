"""Plane geometry for setting things up: a convex outline among terrain seen from above.

Everything is numpy, so that a game on a plain table needs no compiled kernels. A terrain triangle counts whole when any
of it is between the heights asked for, which errs on the side of refusing on slopes.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import cos, pi, radians, sin, sqrt

import numpy as np
from numpy.typing import NDArray

from ktsim.geometry.plane import (
    Outline,
    apart,
    borders_cross,
    from_border,
    gaps,
    heights,
    is_inside,
    nearest,
    sides,
    turn,
)
from ktsim.geometry.shelf import PREPARED
from ktsim.sight.scene import EPS, Base, Part, Terrain, is_air

Array = NDArray[np.float64]
ROUND = 24
"""Corners of the outline that stands for something round."""
_TURNS = 2 * pi * np.arange(ROUND) / ROUND
RING: Array = np.stack([np.cos(_TURNS), np.sin(_TURNS)], axis=1) / cos(pi / ROUND)
"""That outline around a circle of radius 1."""
SKY = 100.0
"""Higher than anything on a board (inches)."""


@dataclass(frozen=True, eq=False)
class Prism:
    """Something on the table: its convex outline (n, 2), counter-clockwise, and the heights it fills."""

    outline: Array
    low: float
    high: float

    @classmethod
    def disc(cls, x: float, y: float, level: float, radius: float, height: float = 0.1) -> Prism:
        """Around a round thing."""
        return cls(RING * radius + (x, y), level, level + height)

    @classmethod
    def oval(cls, base: Base, x: float, y: float, level: float, turn: float, shrunk: float = 0.0) -> Prism:
        """Around a base that is turned by so many degrees, drawn in by *shrunk*."""
        disc = cls.disc(0.0, 0.0, level, 1.0)
        c, s = cos(radians(turn)), sin(radians(turn))
        ring = disc.outline * (base.along - shrunk, base.across - shrunk) @ np.array([[c, s], [-s, c]])
        return cls(ring + np.array([x, y]), level, disc.high)

    @cached_property
    def corners(self) -> list[tuple[float, float]]:
        """The outline as plain numbers, which are quicker one by one."""
        return [(x, y) for x, y in self.outline.tolist()]

    @cached_property
    def edges(self) -> list[tuple[tuple[float, float], tuple[float, float]]]:
        return sides(self.corners)

    @cached_property
    def box(self) -> tuple[float, float, float, float]:
        """The least and the greatest x and y."""
        (left, lower), (right, upper) = self.outline.min(axis=0).tolist(), self.outline.max(axis=0).tolist()
        return left, lower, right, upper

    def holds(self, x: float, y: float) -> bool:
        """Whether a point is inside the outline."""
        return all(turn(a, b, (x, y)) >= -EPS for a, b in self.edges)

    def overlaps(self, x: float, y: float, radius: float) -> bool:
        """Whether a circle overlaps the outline; touching it does not count."""
        left, lower, right, upper = self.box
        if not (left - radius < x < right + radius and lower - radius < y < upper + radius):
            return False
        return self.holds(x, y) or nearest(np.array([[x, y]]), self.outline) < radius - EPS

    def is_wholly_in(self, zone: Outline) -> bool:
        """Whether every point is in a region of the board; touching its border counts."""
        if not all(is_inside(zone, x, y) or from_border(zone, x, y) <= EPS for x, y in self.corners):
            return False
        middles = [((a[0] + b[0]) / 2, (a[1] + b[1]) / 2) for a, b in self.edges]
        return all(is_inside(zone, x, y) or from_border(zone, x, y) <= EPS for x, y in middles)

    def is_wholly_within(self, zone: Outline, distance: float) -> bool:
        """Whether every point is within a distance of a region: measured at the corners, which are the farthest."""
        return all(is_inside(zone, x, y) or from_border(zone, x, y) <= distance + EPS for x, y in self.corners)

    def from_region(self, zone: Outline) -> float:
        """How far the shape is from a region of the board, which need not be convex; 0 when they meet."""
        if any(is_inside(zone, x, y) for x, y in self.corners) or any(self.holds(x, y) for x, y in zone):
            return 0.0
        border = np.array(zone)
        if borders_cross(self.outline, border):
            return 0.0
        return min(nearest(self.outline, border), nearest(border, self.outline))

    def is_within(self, other: Prism, reach: float) -> bool:
        """Whether two shapes are within *reach* of each other, heights too; 0: whether they meet."""
        return not self._is_far(other, reach) and self.apart(other) <= reach + EPS * (reach > 0)

    def _is_far(self, other: Prism, reach: float) -> bool:
        """Quick yes: the boxes around them are further apart."""
        left, lower, right, upper = self.box
        its_left, its_lower, its_right, its_upper = other.box
        return (
            its_right < left - reach
            or its_upper < lower - reach
            or its_left > right + reach
            or its_lower > upper + reach
        )

    def apart(self, other: Prism) -> float:
        """The distance of two shapes, heights too."""
        return _slanted(apart(self.outline, other.outline), self.low, self.high, other.low, other.high)


def _slanted(flat: float, low: float, high: float, its_low: float, its_high: float) -> float:
    upright = max(0.0, its_low - high, low - its_high)
    return sqrt(flat * flat + upright * upright)


class Surroundings:
    """A board's parts, in one of its states, seen from above."""

    def __init__(self, terrain: Terrain, states: dict[str, str]) -> None:
        self.parts: list[Part] = [
            part for feature in terrain.features for part in feature.parts_in(states.get(feature.id))
        ]
        listed = [part.triangles for part in self.parts]
        self.triangles: Array = np.concatenate(listed) if listed else np.zeros((0, 3, 3))
        self.owner = np.repeat(np.arange(len(listed)), [len(each) for each in listed])
        # One array per bound: comparing them is several times quicker than reducing rows.
        self._low = np.ascontiguousarray(self.triangles.min(axis=1).T)
        self._high = np.ascontiguousarray(self.triangles.max(axis=1).T)
        self._is_solid = np.array([not (is_air(p) or p.traits == {"blocking"}) for p in self.parts], dtype=np.bool_)
        self._is_way = np.array([p.kind == "access" or "accessible" in p.traits for p in self.parts], dtype=np.bool_)
        self._is_opening = np.array([p.kind in ("access", "door") for p in self.parts], dtype=np.bool_)

    @classmethod
    def of(cls, terrain: Terrain, states: dict[str, str]) -> Surroundings:
        """The surroundings in these states, as they were before."""
        return PREPARED.keep((terrain, "surroundings", *sorted(states.items())), lambda: cls(terrain, states))

    @property
    def weight(self) -> int:
        """For a shelf: its triangles and their bounds."""
        return int(5 * self.triangles.nbytes // 3)

    def _near(self, shape: Prism, chosen: NDArray[np.bool_], reach: float) -> NDArray[np.intp]:
        """The triangles of chosen parts whose box comes within *reach* of the shape's."""
        if not len(self.triangles):
            return np.empty(0, np.intp)
        left, lower, right, upper = shape.box
        inside = (self._low[0] <= right + reach) & (self._high[0] >= left - reach)
        inside &= (self._low[1] <= upper + reach) & (self._high[1] >= lower - reach)
        inside &= (self._low[2] < shape.high + reach) & (self._high[2] > shape.low - reach)
        return np.flatnonzero(inside & chosen[self.owner])

    def met(self, shape: Prism, stands_on: str = "") -> str | None:
        """The part that the shape would be in, if any; what it merely touches does not count, nor do parts with the
        trait it *stands_on*."""
        solid = self._is_solid
        if stands_on:
            solid = solid & np.array([stands_on not in part.traits for part in self.parts], dtype=np.bool_)
        hit = self._hit(shape, solid)
        return self.parts[int(self.owner[hit[0]])].key if len(hit) else self._filled(shape, solid)

    def is_above(self, shape: Prism, trait: str) -> bool:
        """Whether a part with the trait is anywhere above the shape."""
        wanted = np.array([trait in part.traits for part in self.parts], dtype=np.bool_)
        return bool(len(self._hit(Prism(shape.outline, shape.low + 0.05, SKY), wanted)))

    def _hit(self, shape: Prism, chosen: NDArray[np.bool_]) -> NDArray[np.intp]:
        """The triangles of chosen parts that the shape meets, seen from above; touching does not count."""
        near = self._near(shape, chosen, -0.01)
        if not len(near):
            return near
        flat = self.triangles[near][:, :, :2]
        small = Prism(_shrunk(shape.outline), shape.low, shape.high)
        away = np.min([gaps(np.array(a), np.array(b), flat) for a, b in small.edges], axis=0)
        inside = [small.holds(*corners[0]) for corners in flat]
        hit: NDArray[np.intp] = near[(away <= EPS) | np.array(inside)]
        return hit

    def _filled(self, shape: Prism, solid: NDArray[np.bool_]) -> str | None:
        """The solid part that the middle of the shape is inside of: an odd number of its faces lies above."""
        if not len(self.triangles):
            return None
        x, y = shape.outline.mean(axis=0)
        z = shape.low + 0.03
        inside = (self._low[0] <= x) & (self._high[0] >= x) & (self._low[1] <= y) & (self._high[1] >= y)
        near = np.flatnonzero(inside & (self._high[2] > z) & solid[self.owner])
        over = near[heights(self.triangles[near], x, y) > z]
        owners, counts = np.unique(self.owner[over], return_counts=True)
        odd = owners[counts % 2 == 1]
        return self.parts[odd[0]].key if len(odd) else None

    def nearest_way(self, shape: Prism, reach: float) -> str | None:
        """An access point or Accessible part within *reach* of the shape."""
        return self._within(shape, self._is_way, reach)

    def nearest_opening(self, shape: Prism, reach: float) -> str | None:
        """A door or access point within *reach* of the shape."""
        return self._within(shape, self._is_opening, reach)

    def nearest_access(self, shape: Prism, reach: float) -> str | None:
        """An access point within *reach* of the shape."""
        return self._within(shape, np.array([part.kind == "access" for part in self.parts], dtype=np.bool_), reach)

    def nearest_with(self, shape: Prism, traits: frozenset[str], reach: float) -> str | None:
        """A part with any of the traits (any solid one for none) within *reach* that is not lower than the shape."""
        chosen = np.array([not traits or bool(part.traits & traits) for part in self.parts], dtype=np.bool_)
        above = np.array([part.top > shape.low + EPS for part in self.parts], dtype=np.bool_)
        return self._within(shape, chosen & above & self._is_solid, reach)

    def _within(self, shape: Prism, chosen: NDArray[np.bool_], reach: float) -> str | None:
        near = self._near(shape, chosen, reach + EPS)
        for owner in np.unique(self.owner[near]):
            own = near[self.owner[near] == owner]
            if self._apart(shape, own) <= reach + EPS:
                return self.parts[int(owner)].key
        return None

    def _apart(self, shape: Prism, near: NDArray[np.intp]) -> float:
        flat = self.triangles[near][:, :, :2]
        gap = min(float(gaps(np.array(a), np.array(b), flat).min()) for a, b in shape.edges)
        if any(shape.holds(*corners[0]) for corners in flat):
            gap = 0.0
        z = self.triangles[near][:, :, 2]
        return _slanted(gap, shape.low, shape.high, float(z.min()), float(z.max()))

    def leans_on(self, shape: Prism, reach: float, height: float) -> str | None:
        """A part that reaches *height* above the shape's foot and has a face within *reach* of it."""
        tall = np.array([p.top >= shape.low + height - EPS for p in self.parts], dtype=np.bool_) & self._is_solid
        low = Prism(shape.outline, shape.low, shape.low + height)
        return self._within(low, tall & ~self._is_opening, reach)

    def supports(self, shape: Prism) -> bool:
        """Whether the shape stands on Vantage: each corner and the middle over a Vantage part of its level."""
        parts = self._vantage_at(shape.low)
        if not parts:
            return False
        flat = np.concatenate([_upper(part, shape.low) for part in parts])
        points = [*shape.outline, shape.outline.mean(axis=0)]
        return all(bool(_over(flat, *point).any()) for point in points)

    def parts_under(self, shape: Prism) -> list[Part]:
        """The Vantage parts of its level that the middle of the shape is over."""
        middle = shape.outline.mean(axis=0)
        return [part for part in self._vantage_at(shape.low) if _over(_upper(part, shape.low), *middle).any()]

    def _vantage_at(self, level: float) -> list[Part]:
        return [part for part in self.parts if "vantage" in part.traits and abs(part.top - level) < 1e-3]

    def faces(self, height: float) -> Array:
        """Upright triangles of parts that are *height* tall, from near the floor: what a ladder can lean on."""
        normal = np.cross(self.triangles[:, 1] - self.triangles[:, 0], self.triangles[:, 2] - self.triangles[:, 0])
        long = np.linalg.norm(normal, axis=1)
        upright = (abs(normal[:, 2]) < 0.1 * long) & (self._low[2] < 0.5) & (self._high[2] > 1.0)
        tall = np.array([p.top >= height - EPS for p in self.parts], dtype=np.bool_) & self._is_solid
        return np.asarray(self.triangles[upright & tall[self.owner]])


def _shrunk(outline: Array) -> Array:
    """The outline drawn in by a hair, so that what it touches it does not meet."""
    middle = outline.mean(axis=0)
    away = outline - middle
    return np.asarray(middle + away * (1 - 2e-3 / np.maximum(np.linalg.norm(away, axis=1), 0.01))[:, None])


def _upper(part: Part, level: float) -> Array:
    """The faces of a Vantage that lie at its top."""
    near = (abs(part.triangles[:, :, 2] - level) < 0.06).all(axis=1)
    return np.asarray(part.triangles[near])


def _over(triangles: Array, x: float, y: float) -> NDArray[np.bool_]:
    return np.asarray(heights(triangles, x, y) >= 0)
