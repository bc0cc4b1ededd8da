"""Bheta-Decima's restricted targeting: hazardous areas and the footprints of gantries."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np

from ktsim.geometry.kernels import planar

from .distances import part_is_near
from .lines import Fan
from .scene import Feature, Operative, Scene

TOO_WIDE = 4.0
"""This much hazardous area on one line forbids the target (KZ-HAZARD-TARGET)."""


def longest_hazard(scene: Scene, fan: Fan, origin: tuple[float, float]) -> float:
    """The most hazardous area, in inches, on any targeting line from *origin*.

    Along the rim the length changes smoothly but where a line runs through a corner of an area: those lines, the
    tangents, and the largest in between are all that can be the longest.
    """
    outlines = [np.array(area.outline) for area in scene.terrain.areas if area.kind == "hazardous"]
    if not outlines:
        return 0.0
    gap, _ = planar.gap(fan.ends, *origin)
    if gap <= 0:
        return 0.0
    _, first, last = planar.tangents(fan.ends, *origin, 0.0)
    angles = set(np.linspace(first, last, 33).tolist())
    for outline in outlines:
        for x, y in outline:
            angles |= _through(fan, origin, float(x), float(y), first, last)

    def length(angle: float) -> float:
        return _hazard_on(outlines, origin, planar.rim(fan.ends, math.cos(angle), math.sin(angle)))

    ordered = sorted(angles)
    values = [length(angle) for angle in ordered]
    best = max(values)
    for i in range(len(ordered) - 1):
        if max(values[i], values[i + 1]) > best - 0.25:
            best = max(best, _largest(length, ordered[i], ordered[i + 1]))
    return best


def _largest(f: object, low: float, high: float) -> float:
    """The largest value of a function of one hump between two angles."""
    assert callable(f)
    if high - low < 1e-9:
        return 0.0
    for _ in range(40):
        a, b = low + (high - low) / 3, high - (high - low) / 3
        if f(a) < f(b):
            low = a
        else:
            high = b
    return float(f((low + high) / 2))


def _through(
    fan: Fan, origin: tuple[float, float], x: float, y: float, first: float, last: float
) -> set[float]:
    """Rim angles, just to both sides, of the line from *origin* through a point."""
    nx, ny = y - origin[1], origin[0] - x
    size = math.hypot(nx, ny)
    if size < 1e-9:
        return set()
    nx, ny = nx / size, ny / size
    met, a, b = planar.line_meets_rim(fan.ends, nx, ny, nx * origin[0] + ny * origin[1])
    if not met:
        return set()
    found = set()
    for angle in (a, b):
        turn = first + (angle - first) % (2 * math.pi)
        for near in (turn - 1e-9, turn, turn + 1e-9):
            if first <= near <= last:
                found.add(near)
    return found


def _hazard_on(outlines: list[np.ndarray], start: tuple[float, float], end: tuple[float, float]) -> float:
    """Inches of a straight line that lie in any of the areas."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    spans: list[tuple[float, float]] = []
    for outline in outlines:
        cuts = [0.0, 1.0]
        for (ax, ay), (bx, by) in zip(outline, np.roll(outline, -1, axis=0), strict=True):
            ex, ey = bx - ax, by - ay
            cross = dx * ey - dy * ex
            if cross != 0:
                t = ((ax - start[0]) * ey - (ay - start[1]) * ex) / cross
                s = ((ax - start[0]) * dy - (ay - start[1]) * dx) / cross
                if 0 <= t <= 1 and 0 <= s <= 1:
                    cuts.append(float(t))
        cuts.sort()
        for t0, t1 in pairwise(cuts):
            if t1 > t0 and _inside(outline, start[0] + (t0 + t1) / 2 * dx, start[1] + (t0 + t1) / 2 * dy):
                spans.append((t0, t1))
    spans.sort()
    covered = reached = 0.0
    for t0, t1 in spans:
        covered += max(0.0, t1 - max(t0, reached))
        reached = max(reached, t1)
    return covered * math.hypot(dx, dy)


def _inside(outline: np.ndarray, x: float, y: float) -> bool:
    odd = False
    for (ax, ay), (bx, by) in zip(outline, np.roll(outline, -1, axis=0), strict=True):
        if (ay > y) != (by > y) and x < ax + (y - ay) / (by - ay) * (bx - ax):
            odd = not odd
    return odd


def is_under_or_on(operative: Operative, feature: Feature) -> bool:
    """Is any of the base over or under a floor of the feature, seen from above?"""
    return any(part_is_near(operative, part, 0.0) for part in feature.parts if "vantage" in part.traits)
