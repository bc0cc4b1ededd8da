"""Rectangles of the interface."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

Place: TypeAlias = tuple[float, float]
"""A point of the interface, in its units from the top left corner of the window."""


@dataclass(frozen=True)
class Rect:
    """A rectangle of the interface, from its top left corner."""

    x: float
    y: float
    w: float
    h: float

    @classmethod
    def between(cls, a: Place, b: Place) -> Rect:
        """The one with these two corners."""
        return cls(min(a[0], b[0]), min(a[1], b[1]), abs(a[0] - b[0]), abs(a[1] - b[1]))

    @property
    def right(self) -> float:
        return self.x + self.w

    @property
    def bottom(self) -> float:
        return self.y + self.h

    def inset(self, by: float) -> Rect:
        return Rect(self.x + by, self.y + by, self.w - 2 * by, self.h - 2 * by)

    def moved(self, dx: float, dy: float) -> Rect:
        return Rect(self.x + dx, self.y + dy, self.w, self.h)

    def overlaps(self, other: Rect, gap: float = 0.0) -> bool:
        across = self.x < other.right + gap and other.x < self.right + gap
        return across and self.y < other.bottom + gap and other.y < self.bottom + gap
