"""A side view along a line: what stands in a narrow strip beneath and above it, to scale."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ktsim.sight.scene import Operative, Scene

from .ruling_view import Point, Segment
from .stage.cameras import head_of

STRIP = 0.3
"""Half the width of the strip that is shown, in inches to either side of the line."""

Polygon = tuple[tuple[float, float], ...]


@dataclass(frozen=True)
class Standing:
    """An operative in a side view: where its base begins and ends, its level, its head, its silhouette."""

    id: str
    team: str
    left: float
    right: float
    level: float
    head: tuple[float, float]
    head_radius: float
    body: tuple[Polygon, ...]


@dataclass(frozen=True)
class Solid:
    """A part cut by the strip. *veil*: an invisible volume; *floor*: something to stand on."""

    part: str
    polygons: tuple[Polygon, ...]
    marked: bool
    veil: bool


@dataclass(frozen=True)
class Elevation:
    """Inches along the line from the shooter's centre, and inches of height."""

    length: float
    top: float
    solids: tuple[Solid, ...]
    shooter: Standing
    target: Standing
    line: tuple[tuple[float, float], tuple[float, float]]
    hit: tuple[float, float] | None


@dataclass(frozen=True)
class _Plane:
    """The upright plane through a line: distance along it, and offset to its left."""

    origin: NDArray[np.float64]
    along: NDArray[np.float64]

    def flat(self, points: NDArray[np.float64]) -> NDArray[np.float64]:
        """(along, offset, height) of points, same shape."""
        relative = points[..., :2] - self.origin
        along = relative @ self.along
        offset = relative @ np.array([-self.along[1], self.along[0]])
        return np.stack([along, offset, points[..., 2]], axis=-1)

    def at(self, point: Point) -> tuple[float, float]:
        s, _, z = self.flat(np.asarray(point, float))
        return float(s), float(z)


def elevation(scene: Scene, shooter: str, target: str, line: Segment, hit: Point | None, marked: str) -> Elevation:
    """The side view along *line*; the part with the key *marked* is the one it meets at *hit*."""
    a, b = scene.operative(shooter), scene.operative(target)
    start, way = np.array(line[0][:2]), np.subtract(line[1][:2], line[0][:2])
    size = float(np.linalg.norm(way))
    plane = _Plane(start, way / size if size > 1e-9 else np.array([1.0, 0.0]))
    s0 = float(plane.flat(np.array([a.x, a.y, 0.0]))[0])
    plane = _Plane(start + s0 * plane.along, plane.along)
    first, last = _standing(a, plane), _standing(b, plane)
    reach = (min(first.left, last.left) - 1.2, max(first.right, last.right) + 1.2)
    solids = []
    for part in scene.parts():
        if "exposed" in part.traits and not ({"vantage"} & part.traits):
            continue
        polygons = _cut(plane.flat(part.triangles), reach)
        if polygons:
            veil = "blocking" in part.traits and "heavy" not in part.traits
            solids.append(Solid(part.key, polygons, part.key == marked, veil))
    heights = [first.head[1] + 0.4, last.head[1] + 0.4]
    heights += [z for solid in solids for polygon in solid.polygons for _, z in polygon]
    middle = float(plane.flat(np.array([b.x, b.y, 0.0]))[0])
    line_at = (plane.at(line[0]), plane.at(line[1]))
    return Elevation(middle, max(heights), tuple(solids), first, last, line_at, plane.at(hit) if hit else None)


def _standing(operative: Operative, plane: _Plane) -> Standing:
    t = np.radians(operative.turn)
    spin = np.array([[np.cos(t), -np.sin(t), 0], [np.sin(t), np.cos(t), 0], [0, 0, 1]])
    place = np.array([operative.x, operative.y, operative.level])
    body = plane.flat(operative.figure.triangles @ spin.T + place)
    base = operative.base
    facing = np.array([np.cos(t), np.sin(t)])
    across = np.array([-facing[1], facing[0]])
    half = float(np.hypot(base.along * (facing @ plane.along), base.across * (across @ plane.along)))
    head = plane.at(head_of(operative))
    middle = float(plane.flat(place)[0])
    shape = tuple(tuple((float(s), float(z)) for s, _, z in triangle) for triangle in body)
    return Standing(
        operative.id,
        operative.team,
        middle - half,
        middle + half,
        operative.level,
        head,
        operative.figure.head_radius,
        shape,
    )


def _cut(flat: NDArray[np.float64], reach: tuple[float, float]) -> tuple[Polygon, ...]:
    """Triangles (n, 3, 3) clipped to the strip and to the reach, seen from the side."""
    low, high = flat.min(axis=1), flat.max(axis=1)
    near = (low[:, 1] <= STRIP) & (high[:, 1] >= -STRIP) & (low[:, 0] <= reach[1]) & (high[:, 0] >= reach[0])
    polygons = []
    for triangle in flat[near]:
        polygon = triangle
        for axis, sign, limit in ((1, 1, STRIP), (1, -1, STRIP), (0, 1, reach[1]), (0, -1, -reach[0])):
            polygon = _half(polygon, axis, sign, limit)
            if len(polygon) < 3:
                break
        if len(polygon) >= 3:
            s, z = polygon[:, 0], polygon[:, 2]
            area = abs(float(np.sum(s * np.roll(z, -1) - np.roll(s, -1) * z))) / 2
            if area > 1e-4:
                polygons.append(tuple((float(p[0]), float(p[2])) for p in polygon))
    return tuple(polygons)


def _half(polygon: NDArray[np.float64], axis: int, sign: int, limit: float) -> NDArray[np.float64]:
    """The part of a convex polygon where sign * coordinate <= limit."""
    inside = limit - sign * polygon[:, axis]
    points = []
    for i in range(len(polygon)):
        j = (i + 1) % len(polygon)
        if inside[i] >= 0:
            points.append(polygon[i])
        if (inside[i] >= 0) != (inside[j] >= 0):
            t = inside[i] / (inside[i] - inside[j])
            points.append(polygon[i] + t * (polygon[j] - polygon[i]))
    return np.array(points).reshape(-1, 3)
