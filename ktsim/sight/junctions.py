"""Corners and ends of walls (KZ-WALL-ENDS): what of Wall terrain intervenes.

A wall counts where its main structure turns (a corner) or stops (an end), over a stretch of three quarters of its
thickness: half a pillar, which is half as thick again as its wall. Where one line simply continues another there is a
straight joint, which is neither. Both sides of an open hatchway are ends; so is the free end of a swung hatch.

Our reading of "has not passed them": an origin has passed a corner or end of a wall when it lies on the same side of
that wall's centre line as the whole of the target's base.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal
from weakref import WeakKeyDictionary

import numpy as np

from .scene import Part, Scene, Terrain, WallLine

STRETCH = 0.75
"""How far from its very end a wall counts, in thicknesses."""
SAME = 1e-6

Spot = tuple[float, float]


@dataclass(frozen=True, eq=False)
class WallEnd:
    """A corner or end: the piece of wall that counts, as a rectangle, and the centre line of its wall."""

    part: Part
    kind: Literal["corner", "end"]
    at: Spot
    corners: tuple[Spot, Spot, Spot, Spot]
    along: Spot
    """Unit vector along the wall's centre line."""
    height: float


_kept: WeakKeyDictionary[Terrain, dict[tuple[tuple[str, str], ...], tuple[WallEnd, ...]]] = WeakKeyDictionary()


def wall_ends(scene: Scene) -> tuple[WallEnd, ...]:
    """Every corner and end of the scene's walls in their present states."""
    kept = _kept.setdefault(scene.terrain.root, {})
    key = tuple(sorted(scene.states.items()))
    if key not in kept:
        kept[key] = _find_wall_ends(scene)
    return kept[key]


def _find_wall_ends(scene: Scene) -> tuple[WallEnd, ...]:
    parts = {(part.feature, part.name): part for part in scene.parts() if part.kind in ("wall", "access", "hatch")}
    found: list[WallEnd] = []
    for line in scene.terrain.walls:
        opened = line.hatchway is not None and scene.states.get(line.id) == "open"
        length = math.dist(line.start, line.end)
        stretches = [(0.0, length)]
        if opened and line.hatchway is not None:
            left, right = (length - line.hatchway.width) / 2, (length + line.hatchway.width) / 2
            stretches = [(0.0, left), (right, length)]
        for first, last in stretches:
            if last - first <= SAME:
                continue
            part = parts.get((line.id, "wall")) or parts[line.id, "access"]
            for here, other in ((first, last), (last, first)):
                inner = min(STRETCH * line.thickness, abs(other - here))
                towards = math.copysign(1.0, other - here)
                at_line_end = here in (0.0, length)
                kind = _kind(scene, line, _at(line, here)) if at_line_end else "end"
                if kind is not None:
                    outer = line.thickness / 2 if kind == "corner" else 0.0
                    span = (here - towards * outer, here + towards * inner)
                    found.append(_wall_end(line, part, kind, here, span))
        if opened:
            found.append(_leaf_end(line, parts[line.id, "hatch"]))
    return tuple(found)


def hatch_leaves(scene: Scene) -> tuple[WallEnd, ...]:
    """Every swung hatch as a whole (KT21-HATCH), from the floor up."""
    parts = {part.feature: part for part in scene.parts() if part.kind == "hatch"}
    return tuple(
        _leaf_end(line, parts[line.id], whole=True)
        for line in scene.terrain.walls
        if line.hatchway is not None and scene.states.get(line.id) == "open"
    )


def _at(line: WallLine, distance: float) -> Spot:
    ux, uy = _unit(line)
    return line.start[0] + distance * ux, line.start[1] + distance * uy


def _unit(line: WallLine) -> Spot:
    length = math.dist(line.start, line.end)
    return (line.end[0] - line.start[0]) / length, (line.end[1] - line.start[1]) / length


def _kind(scene: Scene, line: WallLine, node: Spot) -> Literal["corner", "end"] | None:
    """What the end of *line* at *node* is, from the lines that meet it there; ``None``: a straight joint."""
    own = _unit(line)
    straight = False
    for other in scene.terrain.walls:
        if other is line or not _touches(other, node):
            continue
        theirs = _unit(other)
        if abs(own[0] * theirs[1] - own[1] * theirs[0]) > 1e-6:
            return "corner"
        straight = True
    return None if straight else "end"


def _touches(line: WallLine, node: Spot) -> bool:
    """Does the centre line pass through the node, or end there?"""
    ux, uy = _unit(line)
    dx, dy = node[0] - line.start[0], node[1] - line.start[1]
    along, across = dx * ux + dy * uy, dx * uy - dy * ux
    return abs(across) <= SAME and -SAME <= along <= math.dist(line.start, line.end) + SAME


def _wall_end(
    line: WallLine, part: Part, kind: Literal["corner", "end"], here: float, span: tuple[float, float]
) -> WallEnd:
    ux, uy = _unit(line)
    half = line.thickness / 2
    rectangle = [
        (line.start[0] + a * ux - c * uy, line.start[1] + a * uy + c * ux)
        for a, c in ((span[0], -half), (span[1], -half), (span[1], half), (span[0], half))
    ]
    a, b, c, d = rectangle
    return WallEnd(part, kind, _at(line, here), (a, b, c, d), (ux, uy), line.height)


def _leaf_end(line: WallLine, leaf: Part, whole: bool = False) -> WallEnd:
    """The free end of a swung hatch (or all of it). It stands at right angles to its wall."""
    ux, uy = _unit(line)
    flat = leaf.triangles.reshape(-1, 3)[:, :2] - np.array(line.start)
    along, across = flat @ np.array([ux, uy]), flat @ np.array([-uy, ux])
    side = 1.0 if across.mean() > 0 else -1.0
    near, far = np.sort(across * side)[[0, -1]]
    first, last = along.min(), along.max()
    inner = near if whole else max(near, far - STRETCH * line.thickness)
    rectangle = [
        (float(line.start[0] + a * ux - c * uy), float(line.start[1] + a * uy + c * ux))
        for a, c in ((first, side * inner), (last, side * inner), (last, side * far), (first, side * far))
    ]
    a, b, c, d = rectangle
    middle, reach = (first + last) / 2, side * far
    at = (float(line.start[0] + middle * ux - reach * uy), float(line.start[1] + middle * uy + reach * ux))
    return WallEnd(leaf, "end", at, (a, b, c, d), (-uy, ux), leaf.top)
