"""A base as regions of the floor meet it, in its real shape: drop zones, territories, flanks. Levels do not matter
(SIGHT-16)."""

from __future__ import annotations

from dataclasses import dataclass
from math import cos, pi, radians, sin

from ktsim.rules.engine.board import Outline, distance_to_segment, is_inside, is_wholly_inside, length
from ktsim.rules.engine.state import Point
from ktsim.sight.scene import Base

RIM = 180
"""Points of an oval's rim that are asked how far a corner is: off by less than 0.0002"."""


@dataclass(frozen=True)
class Footprint:
    """A base about a point (inches), turned by degrees; a marker is a round one."""

    x: float
    y: float
    base: Base
    turn: float = 0.0

    @classmethod
    def at(cls, point: Point, base: Base, turn: int = 0) -> Footprint:
        """From a state's numbers."""
        return cls(point[0] / 1000, point[1] / 1000, base, turn / 1000)

    @classmethod
    def disc(cls, point: Point, radius: float) -> Footprint:
        return cls.at(point, Base(radius, radius))

    def half_width(self, nx: float, ny: float) -> float:
        """How far it reaches from its middle in a direction (a unit vector)."""
        if self.base.is_round:
            return self.base.along
        u, v = self._turned(nx, ny)
        return length(self.base.along * u, self.base.across * v)

    def is_wholly_inside(self, outline: Outline) -> bool:
        """Whether all of it lies in a simple polygon."""
        if self.base.is_round:
            return is_wholly_inside(outline, self.x, self.y, self.base.along)
        # Stretched so that the oval is a circle of its shorter half-axis: what is inside stays inside.
        stretch = self.base.across / self.base.along
        local = (self._turned(x - self.x, y - self.y) for x, y in outline)
        return is_wholly_inside(tuple((u * stretch, v) for u, v in local), 0.0, 0.0, self.base.across)

    def gap(self, outline: Outline) -> float:
        """How far it is from a region of the floor; 0 when they meet."""
        if is_inside(outline, self.x, self.y):
            return 0.0
        edges = list(zip(outline, (*outline[1:], outline[0]), strict=True))
        if self.base.is_round:
            near = min(distance_to_segment(self.x, self.y, a, b) for a, b in edges)
            return max(0.0, near - self.base.along)
        if any(self._meets(a, b) for a, b in edges):
            return 0.0
        rim = [self._rim(cos(2 * pi * n / RIM), sin(2 * pi * n / RIM)) for n in range(RIM)]
        for (ax, ay), (bx, by) in edges:
            if far := length(bx - ax, by - ay):
                rim += self._facing((ay - by) / far, (bx - ax) / far)
        return min(distance_to_segment(x, y, a, b) for x, y in rim for a, b in edges)

    def _meets(self, a: tuple[float, float], b: tuple[float, float]) -> bool:
        stretch = self.base.across / self.base.along
        (au, av), (bu, bv) = (self._turned(x - self.x, y - self.y) for x, y in (a, b))
        return distance_to_segment(0.0, 0.0, (au * stretch, av), (bu * stretch, bv)) <= self.base.across

    def _facing(self, nx: float, ny: float) -> list[tuple[float, float]]:
        """The two points of the rim that are furthest along a normal and against it."""
        u, v = self._turned(nx, ny)
        wide = self.half_width(nx, ny)
        one = (self.base.along * u / wide, self.base.across * v / wide)
        return [self._rim(*one), self._rim(-one[0], -one[1])]

    def _rim(self, u: float, v: float) -> tuple[float, float]:
        """The rim's point at (*u*, *v*) of a unit circle."""
        c, s = cos(radians(self.turn)), sin(radians(self.turn))
        along, across = self.base.along * u, self.base.across * v
        return self.x + c * along - s * across, self.y + s * along + c * across

    def _turned(self, dx: float, dy: float) -> tuple[float, float]:
        """A vector along the base and across it."""
        c, s = cos(radians(self.turn)), sin(radians(self.turn))
        return c * dx + s * dy, c * dy - s * dx
