"""A board as the game needs it: terrain, drop zones and places for objective markers; and bases as regions of the floor
meet them, in their real shape. Levels do not matter for these (SIGHT-16)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import cos, pi, radians, sin

from ktsim.geometry.plane import Outline, distance_to_segment, from_border, is_inside, length, rectangle, sides
from ktsim.rules.engine.state import Point, Side
from ktsim.sight.scene import EPS, Base, Terrain


@dataclass(frozen=True, eq=False)
class Board:
    """Terrain with its drop zones and territories (one per side) and objective places (x, y, level), in inches."""

    name: str
    terrain: Terrain
    drop_zones: Mapping[Side, Outline]
    territories: Mapping[Side, Outline]
    objectives: tuple[tuple[float, float, float], ...]


def is_wholly_inside(outline: Outline, x: float, y: float, radius: float) -> bool:
    """Whether a circle lies in a simple polygon."""
    return is_inside(outline, x, y) and from_border(outline, x, y) >= radius - EPS


def open_board(name: str = "open", size: tuple[float, float] = (30.0, 22.0)) -> Board:
    """A bare board: drop zones along the short edges, three objectives on the middle line."""
    width, depth = size
    return Board(
        name,
        Terrain(board=size, name=name),
        {"red": rectangle(0, 0, 6, depth), "blue": rectangle(width - 6, 0, 6, depth)},
        {"red": rectangle(0, 0, width / 2, depth), "blue": rectangle(width / 2, 0, width / 2, depth)},
        ((width / 2, depth / 2, 0.0), (width / 3, depth / 4, 0.0), (width * 2 / 3, depth * 3 / 4, 0.0)),
    )


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
        if self.base.is_round:
            return max(0.0, from_border(outline, self.x, self.y) - self.base.along)
        edges = sides(outline)
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
