"""A board as the game needs it: terrain, drop zones and places for objective markers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import sqrt
from typing import TypeAlias

from ktsim.rules.engine.state import Side
from ktsim.sight.scene import EPS, Terrain

Outline: TypeAlias = tuple[tuple[float, float], ...]


@dataclass(frozen=True, eq=False)
class Board:
    """Terrain with its drop zones and territories (one per side) and objective places (x, y, level), in inches."""

    name: str
    terrain: Terrain
    drop_zones: Mapping[Side, Outline]
    territories: Mapping[Side, Outline]
    objectives: tuple[tuple[float, float, float], ...]


def rectangle(x: float, y: float, width: float, depth: float) -> Outline:
    return ((x, y), (x + width, y), (x + width, y + depth), (x, y + depth))


def is_inside(outline: Outline, x: float, y: float) -> bool:
    """Whether a point lies in a simple polygon."""
    inside = False
    for (ax, ay), (bx, by) in zip(outline, (*outline[1:], outline[0]), strict=True):
        if (ay > y) != (by > y) and x < ax + (y - ay) * (bx - ax) / (by - ay):
            inside = not inside
    return inside


def is_wholly_inside(outline: Outline, x: float, y: float, radius: float) -> bool:
    """Whether a circle lies in a simple polygon."""
    if not is_inside(outline, x, y):
        return False
    edges = zip(outline, (*outline[1:], outline[0]), strict=True)
    return all(distance_to_segment(x, y, a, b) >= radius - EPS for a, b in edges)


def distance_to_segment(x: float, y: float, a: tuple[float, float], b: tuple[float, float]) -> float:
    """From a point to the segment from *a* to *b*."""
    ux, uy = b[0] - a[0], b[1] - a[1]
    square = ux * ux + uy * uy
    along = 0.0 if square == 0 else max(0.0, min(1.0, ((x - a[0]) * ux + (y - a[1]) * uy) / square))
    return length(x - a[0] - along * ux, y - a[1] - along * uy)


def length(x: float, y: float) -> float:
    """Of a vector. Square roots round the same on every machine, which math.hypot does not promise."""
    return sqrt(x * x + y * y)


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
