"""A side view along a line: the section through everything beneath and above it, to scale."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ktsim.app.card.view import CrossedPart, Kind, Point, RulingView, Segment, inches
from ktsim.app.stage.cameras import head_of
from ktsim.sight.kt24 import SMOKE_REACH
from ktsim.sight.part_names import part_name
from ktsim.sight.scene import Operative, Scene

COLUMN = 0.04
"""Width of the upright slices a section is filled with, in inches."""

SLIM = 0.015
"""The same for figures, which have finer outlines."""

SEAM = 0.01
"""Gaps in a silhouette smaller than this are not drawn."""

TOUCHING = (0.0, 0.019, -0.019, 0.04, -0.04, 0.1, -0.1)
"""Offsets, in inches, at which the part a line meets is looked for: a line of 1 mm may meet it beside its axis."""

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
class CutPart:
    """A part cut by the plane. *veil*: an invisible volume; *barred*: bars to look through from near by; *aside*: it
    was looked at in vain."""

    part: str
    polygons: tuple[Polygon, ...]
    marked: bool
    veil: bool
    barred: bool = False
    aside: bool = False


@dataclass(frozen=True)
class Cloud:
    """A smoke area cut by the plane: from where to where, and from which level it rises without limit."""

    left: float
    right: float
    level: float
    obscures: bool


@dataclass(frozen=True)
class Elevation:
    """Inches along the line from the shooter's centre, and inches of height."""

    length: float
    top: float
    solids: tuple[CutPart, ...]
    shooter: Standing
    target: Standing
    line: tuple[tuple[float, float], tuple[float, float]]
    hit: tuple[float, float] | None
    bands: tuple[tuple[float, float], ...] = ()
    """Stretches of the floor that decided: hazardous area, or a footprint."""
    smoke: tuple[Cloud, ...] = ()
    reach: float | None = None
    """Where the weapon's range ends."""
    words: str = ""
    """What the line met, and how near."""
    brief: str = ""
    """The same where there is little room."""


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


def side_of(scene: Scene, view: RulingView, part: str = "") -> Elevation | None:
    """The side view of a ruling along the line it turned on, or along the one that meets *part*; None without any."""
    kind, line, hit, marked = view.deciding
    crossing = next((crossing for crossing in view.crossings() if crossing.part == part), None)
    if crossing is not None:
        kind, line, hit, marked = "cover", crossing.line, crossing.point, part
    elif part:
        hit, marked = None, part
    if line is None:
        return None
    cut = elevation(scene, view.shooter, view.target, line, hit, marked, frozenset(each.part for each in view.aside))
    bands: list[tuple[float, float]] = []
    if view.hazard is not None:
        plane = _plane(scene, view.shooter, line)
        bands += [(plane.at(one)[0], plane.at(two)[0]) for one, two in view.hazard.inside]
    if kind == "footprint":
        across = [p[0] for solid in cut.solids if solid.marked for polygon in solid.polygons for p in polygon]
        bands += [(min(across), max(across))] if across else []
    reach = cut.shooter.right + view.range if view.range is not None else None
    words = _words(view, kind, crossing, hit, marked)
    brief = words.removesuffix(f" from {view.target}")
    smoke = _smoke(scene, view, _plane(scene, view.shooter, line))
    return replace(cut, bands=tuple(bands), smoke=smoke, reach=reach, words=words, brief=brief)


def _smoke(scene: Scene, view: RulingView, plane: _Plane) -> tuple[Cloud, ...]:
    """The smoke areas that the plane cuts."""
    found = []
    for number, marker in enumerate(scene.smoke, 1):
        along, offset, level = (float(each) for each in plane.flat(np.array(marker)))
        if abs(offset) < SMOKE_REACH:
            half = math.sqrt(SMOKE_REACH**2 - offset**2)
            found.append(Cloud(along - half, along + half, level, f"smoke/{number}" in view.smoke))
    return tuple(found)


def _words(view: RulingView, kind: Kind, crossing: CrossedPart | None, hit: Point | None, marked: str) -> str:
    if kind == "hazard" and view.hazard is not None:
        return f'{view.hazard.inches:.2f}" of it through hazardous area'
    if kind == "footprint":
        return f"the footprint of {part_name(marked.partition('/')[0])}"
    if kind == "range" and view.range is not None:
        return f'{inches(view.distance)} away, range {view.range:g}"'
    if hit is None:
        return part_name(marked) if marked else "the line is clear"
    first = crossing or next((one for one in view.crossings() if (one.part, one.point) == (marked, hit)), None)
    near = first.from_target if first is not None else None
    name = part_name(marked)
    return name if near is None else f'{name} · {near:.2f}" from {view.target}'


def _plane(scene: Scene, shooter: str, line: Segment) -> _Plane:
    """The upright plane along a line, measured from beside the shooter's middle."""
    one = scene.operative(shooter)
    start, way = np.array(line[0][:2]), np.subtract(line[1][:2], line[0][:2])
    size = float(np.linalg.norm(way))
    plane = _Plane(start, way / size if size > 1e-9 else np.array([1.0, 0.0]))
    return _Plane(start + float(plane.flat(np.array([one.x, one.y, 0.0]))[0]) * plane.along, plane.along)


def elevation(
    scene: Scene,
    shooter: str,
    target: str,
    line: Segment,
    hit: Point | None,
    marked: str,
    aside: frozenset[str] = frozenset(),
) -> Elevation:
    """The section along *line*; the part with the key *marked* is the one it meets at *hit*."""
    a, b = scene.operative(shooter), scene.operative(target)
    plane = _plane(scene, shooter, line)
    first, last = _standing(a, plane), _standing(b, plane)
    reach = (min(first.left, last.left) - 1.2, max(first.right, last.right) + 1.2)
    solids = []
    for part in scene.parts():
        if "exposed" in part.traits and not ({"vantage"} & part.traits):
            continue
        polygons = _cut(plane.flat(part.triangles), reach, TOUCHING if part.key == marked else (0.0,))
        if polygons:
            veil = "blocking" in part.traits and "heavy" not in part.traits
            barred = "barred" in part.traits
            solids.append(CutPart(part.key, polygons, part.key == marked, veil, barred, part.key in aside))
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
    return Standing(
        operative.id,
        operative.team,
        middle - half,
        middle + half,
        operative.level,
        head,
        operative.figure.head_radius,
        _silhouette(body[:, :, [0, 2]]),
    )


def _silhouette(triangles: NDArray[np.float64]) -> tuple[Polygon, ...]:
    """What triangles (n, 3, 2), each as (along, height), cover together: upright slices of SLIM width."""
    low, high = float(triangles[..., 0].min()), float(triangles[..., 0].max())
    count = max(1, math.ceil((high - low) / SLIM))
    edges = np.linspace(low, high, count + 1)
    middles = (edges[:-1] + edges[1:]) / 2
    start, end = triangles, np.roll(triangles, -1, axis=1)
    s0, s1 = start[..., 0, None], end[..., 0, None]
    crossed = (s0 < middles) != (s1 < middles)  # (triangles, edges, columns)
    with np.errstate(divide="ignore", invalid="ignore"):
        z = start[..., 1, None] + (middles - s0) / (s1 - s0) * (end[..., 1, None] - start[..., 1, None])
    bottom = np.where(crossed, z, np.inf).min(axis=1)
    top = np.where(crossed, z, -np.inf).max(axis=1)
    slices: list[Polygon] = []
    for i in range(count):
        there = np.isfinite(bottom[:, i])
        for a, b in _joined(bottom[there, i], top[there, i]):
            x, y = float(edges[i]), float(edges[i + 1])
            slices.append(((x, a), (y, a), (y, b), (x, b)))
    return tuple(slices)


def _joined(bottom: NDArray[np.float64], top: NDArray[np.float64]) -> list[tuple[float, float]]:
    """Intervals that overlap, joined."""
    if not len(bottom):
        return []
    order = np.argsort(bottom)
    bottom, reach = bottom[order], np.maximum.accumulate(top[order])
    first = np.flatnonzero(np.concatenate([[True], bottom[1:] > reach[:-1] + SEAM]))
    last = np.concatenate([first[1:] - 1, [len(bottom) - 1]])
    return [(float(bottom[i]), float(reach[j])) for i, j in zip(first, last, strict=True)]


def _cut(flat: NDArray[np.float64], reach: tuple[float, float], offsets: tuple[float, ...]) -> tuple[Polygon, ...]:
    """The section of a closed mesh, triangles (n, 3, 3) as (along, offset, height), with the plane at the first of
    the offsets that meets it: upright slices of COLUMN width, filled where the mesh is."""
    low, high = flat.min(axis=1), flat.max(axis=1)
    near = (low[:, 0] <= reach[1]) & (high[:, 0] >= reach[0])
    for offset in offsets:
        # Nudged by less than anything that is drawn, so that no plane runs along a face of a box.
        level = offset + 1.7e-5
        crossed = flat[near & (low[:, 1] < level) & (high[:, 1] > level)]
        slices = _slices(_segments(crossed, level), reach)
        if slices:
            return slices
    return ()


def _segments(triangles: NDArray[np.float64], level: float) -> NDArray[np.float64]:
    """Where triangles meet the plane offset == level: shape (n, 2, 2), each as two points (along, height)."""
    found = []
    side = triangles[:, :, 1] - level
    for triangle, s in zip(triangles, side, strict=True):
        ends = []
        for i, j in ((0, 1), (1, 2), (2, 0)):
            if (s[i] < 0) != (s[j] < 0):
                t = s[i] / (s[i] - s[j])
                point = triangle[i] + t * (triangle[j] - triangle[i])
                ends.append((point[0], point[2]))
        if len(ends) == 2:
            found.append(ends)
    return np.array(found, float).reshape(-1, 2, 2)


def _slices(segments: NDArray[np.float64], reach: tuple[float, float]) -> tuple[Polygon, ...]:
    """Upright slices between the heights at which a vertical line enters and leaves the section."""
    if not len(segments):
        return ()
    left, right = segments[:, :, 0].min(axis=1), segments[:, :, 0].max(axis=1)
    first, last = max(float(left.min()), reach[0]), min(float(right.max()), reach[1])
    count = max(1, math.ceil((last - first) / COLUMN)) if last > first else 0
    edges = np.linspace(first, last, count + 1) if count else np.zeros(0)
    slices = []
    for a, b in pairwise(edges):
        middle = (a + b) / 2
        spans = segments[(left < middle) & (right > middle)]
        slope = (spans[:, 1, 1] - spans[:, 0, 1]) / (spans[:, 1, 0] - spans[:, 0, 0])
        order = np.argsort(spans[:, 0, 1] + slope * (middle - spans[:, 0, 0]), kind="stable")

        def height(row: int, at: float, spans: Any = spans, slope: Any = slope, order: Any = order) -> float:
            k = order[row]
            return float(spans[k, 0, 1] + slope[k] * (at - spans[k, 0, 0]))

        for low, high in zip(range(0, len(spans) - 1, 2), range(1, len(spans), 2), strict=True):
            slices.append(
                (
                    (float(a), height(low, a)),
                    (float(b), height(low, b)),
                    (float(b), height(high, b)),
                    (float(a), height(high, a)),
                )
            )
    return tuple(slices)
