"""Razor wire: crossing it, or the inch around it, costs more (KT24-E-RAZOR-WIRE, KT24-MOVE-6a)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from .form import Array

WIRE_REACH = 1.0
"""How far beyond its ends a wire is still paid for (inches)."""


@dataclass(frozen=True)
class WireLine:
    """The middle line of a stretch of razor wire, lengthened by an inch at either end."""

    feature: str
    start: tuple[float, float]
    end: tuple[float, float]

    def is_crossed(self, a: tuple[float, float], b: tuple[float, float]) -> bool:
        """A point on the line counts as left of it, so no increment ends there to save the toll."""
        return (_side(self.start, self.end, a) >= 0) != (_side(self.start, self.end, b) >= 0) and (
            _side(a, b, self.start) >= 0
        ) != (_side(a, b, self.end) >= 0)


def wire_lines(parts: Iterable[tuple[str, Array]]) -> tuple[WireLine, ...]:
    """One line per feature made of wire, along its longest extent seen from above."""
    points: dict[str, list[Array]] = {}
    for feature, flat in parts:
        points.setdefault(feature, []).append(flat.reshape(-1, 3)[:, :2])
    lines = []
    for feature, found in points.items():
        cloud = np.concatenate(found)
        middle = (cloud.min(axis=0) + cloud.max(axis=0)) / 2
        _, _, axes = np.linalg.svd(cloud - cloud.mean(axis=0), full_matrices=False)
        along = axes[0]
        reach = (cloud - middle) @ along
        start, end = middle + (reach.min() - WIRE_REACH) * along, middle + (reach.max() + WIRE_REACH) * along
        lines.append(WireLine(feature, (float(start[0]), float(start[1])), (float(end[0]), float(end[1]))))
    return tuple(lines)


def _side(a: tuple[float, float], b: tuple[float, float], p: tuple[float, float]) -> float:
    return (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0])
