"""Rectangles of the interface."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

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


GAP = 16.0
"""Narrower than this is a gap between panels, not an opening."""


def opening(size: tuple[float, float], panels: Iterable[Rect]) -> Rect:
    """The least rectangle around everything wider than a gap that *panels* leave open of a window of this size; the
    whole window where there is nothing of the kind."""
    columns, rows = (max(1, math.ceil(side / GAP)) for side in size)
    is_open = np.ones((rows, columns), bool)
    for panel in panels:
        left, top = (max(0, math.floor(side / GAP)) for side in (panel.x, panel.y))
        right, bottom = (max(0, math.ceil(side / GAP)) for side in (panel.right, panel.bottom))
        is_open[top:bottom, left:right] = False
    down, across = np.flatnonzero(is_open.any(axis=1)), np.flatnonzero(is_open.any(axis=0))
    if not len(down):
        return Rect(0, 0, *size)
    # A row or column more on each side: panels end within it.
    low = max(0.0, (across[0] - 1) * GAP), max(0.0, (down[0] - 1) * GAP)
    high = min(size[0], (across[-1] + 2) * GAP), min(size[1], (down[-1] + 2) * GAP)
    return Rect.between((float(low[0]), float(low[1])), (float(high[0]), float(high[1])))
