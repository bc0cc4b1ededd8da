"""Flat drawings: openings, broken outlines, ragged floors. Walls are drawn in the XZ plane."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Collection, Sequence
from typing import Any

import numpy as np
from shapely.geometry import Point, Polygon
from shapely.geometry import box as rect

from .shapes import polygons

Line = Sequence[tuple[float, float]]


def lancet(x: float, z: float, width: float, height: float) -> Any:
    """A pointed opening, the middle of its foot at (x, z)."""
    spring = z + height - width * math.sqrt(3) / 2
    bend = np.radians(np.linspace(0, 60, 7))
    right = [(x - width / 2 + width * math.cos(a), spring + width * math.sin(a)) for a in bend]
    left = [(2 * x - px, pz) for px, pz in reversed(right[:-1])]
    return Polygon([(x - width / 2, z), (x + width / 2, z), *right, *left])


def slot(x: float, z: float, width: float, height: float, corner: float = 0.08) -> Any:
    """A rectangle with cut corners, the middle of its foot at (x, z)."""
    whole = rect(x - width / 2, z, x + width / 2, z + height)
    return whole.buffer(-corner, join_style=2).buffer(corner, join_style=3)


def chamfered(x0: float, y0: float, x1: float, y1: float, c: float) -> Polygon:
    """A rectangle with 45 degree corners, counter-clockwise."""
    corners = [(x0 + c, y0), (x1 - c, y0), (x1, y0 + c), (x1, y1 - c)]
    return Polygon([*corners, (x1 - c, y1), (x0 + c, y1), (x0, y1 - c), (x0, y0 + c)])


def sector(inner: float, outer: float, start: float, end: float, steps: int = 10) -> Polygon:
    """A piece of a ring between two angles in degrees."""
    angles = np.radians(np.linspace(start, end, steps))
    rim = [(outer * math.cos(a), outer * math.sin(a)) for a in angles]
    return Polygon(rim + [(inner * math.cos(a), inner * math.sin(a)) for a in angles[::-1]])


def broken_outline(rng: np.random.Generator, tops: Line, step: float = 0.3, amp: float = 0.16) -> Polygon:
    """The outline of a broken wall: *tops* are (x, height) of its control line, which crumbles in courses."""
    xs = [tops[0][0]]
    end = tops[-1][0]
    while xs[-1] < end - step * 0.6:
        xs.append(min(end, xs[-1] + step * rng.uniform(0.5, 1.5)))
    xs[-1] = end
    tx, tz = zip(*tops, strict=True)
    points = [(tops[0][0], 0.0)]
    previous: float | None = None
    for a, b in itertools.pairwise(xs):
        z = float(np.interp((a + b) / 2, tx, tz)) + rng.normal(0, amp)
        z = max(0.15, round(z / 0.2) * 0.2 + rng.uniform(-0.03, 0.03))
        if previous is not None and abs(previous - z) < 0.12:
            z = previous + rng.uniform(-0.05, 0.05)
        points += [(a + rng.uniform(0, 0.05), z), (b - rng.uniform(0, 0.05), z + rng.uniform(-0.07, 0.07))]
        previous = z
    return Polygon([*points, (end, 0.0)]).buffer(0)


def ragged(
    rng: np.random.Generator, points: Line, step: float = 0.45, amp: float = 0.18, keep: Collection[int] = ()
) -> Any:
    """A floor's outline, roughened except for the edges in *keep* (by the index of their first point)."""
    out: list[tuple[float, float]] = []
    for i, point in enumerate(points):
        a, b = np.array(point, float), np.array(points[(i + 1) % len(points)], float)
        out.append((float(a[0]), float(a[1])))
        if i in keep:
            continue
        along = b - a
        length = float(np.linalg.norm(along))
        across = np.array([along[1], -along[0]]) / length
        count = int(length / step)
        for j in range(1, count):
            spot = a + along * (j + rng.uniform(-0.3, 0.3)) / count + across * rng.normal(0, amp)
            out.append((float(spot[0]), float(spot[1])))
    return Polygon(out).buffer(0)


def upper_edge(
    rng: np.random.Generator, shape: Any, step: float = 0.28, above: float = 0.3
) -> list[tuple[float, float]]:
    """Points along the boundary of a wall's drawing, higher than *above*."""
    out = []
    for part in polygons(shape):
        left, _, right, _ = part.bounds
        for s in np.arange(rng.uniform(0, step), part.exterior.length, step * rng.uniform(0.8, 1.2)):
            point = part.exterior.interpolate(s)
            if point.y > above and left + 0.03 < point.x < right - 0.03:
                out.append((point.x, point.y))
    return out


def scatter(rng: np.random.Generator, shape: Any, count: int) -> list[tuple[float, float]]:
    """*count* random points inside a drawing."""
    x0, y0, x1, y1 = shape.bounds
    inside: Callable[[Point], bool] = shape.contains
    out: list[tuple[float, float]] = []
    while len(out) < count:
        x, y = rng.uniform(x0, x1), rng.uniform(y0, y1)
        if inside(Point(x, y)):
            out.append((x, y))
    return out
