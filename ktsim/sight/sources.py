"""What targeting lines may meet in a scene: terrain parts, corners and ends of walls, other operatives' bases."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ktsim.geometry.kernels import planar
from ktsim.geometry.plane import distance_to_segment, loop
from ktsim.geometry.solids import prism
from ktsim.sight.distances import BASE_MIDDLE, figure_row, part_is_near
from ktsim.sight.junctions import WallEnd, hatch_leaves, wall_ends
from ktsim.sight.levels import line_height
from ktsim.sight.lines import Edges, Source
from ktsim.sight.obstacles import PreparedTerrain, can_intervene, prepared_terrain
from ktsim.sight.scene import EPS, MM, Operative, Part, Scene
from ktsim.sight.visibility import RADIUS

RIM_POINTS = 96
"""Corners of the polygon that stands for another operative's base: 0.01 mm off a 32 mm base at most."""

TOUCHING = 0.05
"""A base this near (inches) to something touches it: bases are put down by hand."""

NO_EDGES: Edges = np.empty((0, 4))
NO_TRIANGLES: NDArray[np.float64] = np.empty((0, 3, 3))


def counts_as_heavy(scene: Scene, part: Part) -> bool:
    """Heavy, or (SIGHT-3) a Blocking gap without a trait of its own in a feature that is Heavy."""
    return "heavy" in part.traits or (_is_bare_gap(part) and _has_any(scene, part.feature, "heavy"))


def counts_as_light(scene: Scene, part: Part) -> bool:
    """Light, or Vantage (KT24-VANTAGE-4), or (SIGHT-3) such a gap in a feature that is Light; what is Heavy is not."""
    if counts_as_heavy(scene, part):
        return False
    return bool(part.traits & {"light", "vantage"}) or (_is_bare_gap(part) and _has_any(scene, part.feature, "light"))


def _is_bare_gap(part: Part) -> bool:
    """A gap that counts as part of its feature (SIGHT-3, KT21-GAP)."""
    return "blocking" in part.traits and not part.traits & {"heavy", "light"}


def _has_any(scene: Scene, feature_id: str, trait: str) -> bool:
    feature = scene.terrain.feature(feature_id)
    return any(trait in part.traits for part in feature.parts_in(scene.states.get(feature.id)))


def terrain_sources(scene: Scene, shooter: Operative, target: Operative) -> list[Source]:
    """The terrain parts near the lines of this pair, but for Wall terrain."""
    ready = prepared_terrain(scene.terrain)
    labels = _near(ready, ready.present(scene).plain, shooter, target)
    if scene.terrain.portable:
        labels = [label for label in labels if covers(scene, ready.parts[label], target)]
    heights = line_height(scene, shooter), line_height(scene, target)
    if abs(heights[0] - heights[1]) <= EPS:
        shapes = [(label, ready.part_section(label, heights[0]), NO_TRIANGLES) for label in labels]
    else:
        shapes = _triangles_between(ready, labels, shooter, target, heights)
    return [
        Source(
            part.key,
            part.feature,
            counts_as_heavy(scene, part),
            counts_as_light(scene, part),
            triangles,
            section,
            None,
            part,
        )
        for label, section, triangles in shapes
        if len(section) or len(triangles)
        for part in (ready.parts[label],)
    ]


def covers(scene: Scene, part: Part, target: Operative) -> bool:
    """A portable barricade intervenes only for an operative connected to it: our reading, one whose base touches it."""
    if part.feature not in scene.terrain.portable:
        return True
    return abs(target.level - float(part.triangles[:, :, 2].min())) < TOUCHING and part_is_near(target, part, TOUCHING)


def _near(ready: PreparedTerrain, labels: NDArray[np.int64], a: Operative, b: Operative) -> list[int]:
    """Those of the parts that may come near the straight way between two operatives, seen from above."""
    wide = max(a.base.along, a.base.across, b.base.along, b.base.across) + RADIUS
    x, y, reach = ready.discs[labels].T
    ux, uy = b.x - a.x, b.y - a.y
    t = np.clip(((x - a.x) * ux + (y - a.y) * uy) / max(ux * ux + uy * uy, 1e-18), 0.0, 1.0)
    near = (x - a.x - t * ux) ** 2 + (y - a.y - t * uy) ** 2 <= (reach + wide) ** 2
    return [int(label) for label in labels[near]]


def _triangles_between(
    ready: PreparedTerrain, labels: Iterable[int], a: Operative, b: Operative, heights: tuple[float, float]
) -> list[tuple[int, Edges, NDArray[np.float64]]]:
    way = (b.x - a.x, b.y - a.y, heights[1] - heights[0])
    wide = max(a.base.along, a.base.across, b.base.along, b.base.across) + RADIUS
    triangles, names = ready.triangles_near((a.x, a.y, heights[0]), way, wide)
    wanted = set(labels)
    return [
        (int(label), NO_EDGES, triangles[names == label].reshape(-1, 3, 3))
        for label in np.unique(names)
        if int(label) in wanted
    ]


def part_source(scene: Scene, part: Part, z: float) -> Source:
    """Any part as it stands, for lines in the plane at height *z* and for others."""
    return replace(section_source(scene, part, z), triangles=part.triangles)


def outline_source(scene: Scene, part: Part) -> Source:
    """A part as it is seen from above, whatever its height."""
    ready = prepared_terrain(scene.terrain)
    return _flat_source(scene, part, ready.footprint(ready.label_of[id(part)]))


def section_source(scene: Scene, part: Part, z: float) -> Source:
    """A part as it stands at one height."""
    ready = prepared_terrain(scene.terrain)
    return _flat_source(scene, part, ready.part_section(ready.label_of[id(part)], z))


def _flat_source(scene: Scene, part: Part, edges: Edges) -> Source:
    heavy, light = counts_as_heavy(scene, part), counts_as_light(scene, part)
    return Source(part.key, part.feature, heavy, light, NO_TRIANGLES, edges, None, part)


def wall_sources(scene: Scene, shooter: Operative, target: Operative, *, whole_hatches: bool = False) -> list[Source]:
    """KZ-WALL-ENDS: corners and ends of walls, each gone for origins that have passed it; in 2021 also whole swung
    hatches (KT21-HATCH)."""
    ends = wall_ends(scene)
    if whole_hatches:
        leaves = hatch_leaves(scene)
        names = {leaf.part.key for leaf in leaves}
        ends = (*(end for end in ends if end.part.key not in names), *leaves)
    flat = _is_flat(scene, shooter, target)
    found = [
        wall_source(end, target, flat, gated=not (whole_hatches and end.part.kind == "hatch"))
        for end in ends
        if _is_near(end, shooter, target)
    ]
    known = {line.id for line in scene.terrain.walls}
    loose = [part for part in scene.parts() if "wall" in part.traits and part.feature not in known]
    return found + [_loose_wall_source(scene, part) for part in loose if can_intervene(part)]


def _is_flat(scene: Scene, shooter: Operative, target: Operative) -> bool:
    return abs(line_height(scene, shooter) - line_height(scene, target)) <= EPS


def _is_near(end: WallEnd, a: Operative, b: Operative) -> bool:
    """May lines between the two come near this end?"""
    wide = max(a.base.along, a.base.across, b.base.along, b.base.across) + RADIUS
    reach = max(math.dist(end.at, corner) for corner in end.corners)
    return distance_to_segment(*end.at, (a.x, a.y), (b.x, b.y)) <= wide + reach


def wall_source(end: WallEnd, target: Operative, flat: bool, gated: bool) -> Source:
    """A corner or end of a wall; *flat*: lines run in the plane; *gated*: gone for origins that have passed it."""
    gate = None
    if gated:
        nx, ny = -end.along[1], end.along[0]
        level = nx * end.at[0] + ny * end.at[1]
        row = figure_row(target)
        if -planar.support(row, -nx, -ny) >= level:
            gate = (nx, ny, level)
        elif planar.support(row, nx, ny) <= level:
            gate = (-nx, -ny, -level)
    solid = NO_TRIANGLES if flat else prism(end.corners, 0.0, end.height)
    return Source(end.part.key, end.part.feature, True, False, solid, loop(end.corners), gate, end.part, end)


def _loose_wall_source(scene: Scene, part: Part) -> Source:
    """Wall terrain that no wall line describes intervenes as it stands: where it turns cannot be told."""
    ready = prepared_terrain(scene.terrain)
    edges = ready.part_section(ready.label_of[id(part)], BASE_MIDDLE)
    return Source(part.key, part.feature, True, False, part.triangles, edges, None, part)


def base_source(scene: Scene, operative: Operative, shooter: Operative, target: Operative) -> Source:
    """Another operative's base (KT21-COVER): 3.5 mm thick, standing on its level."""
    solid, section = NO_TRIANGLES, NO_EDGES
    if not _is_flat(scene, shooter, target):
        solid = base_solid(operative)
    elif operative.level <= line_height(scene, shooter) <= operative.level + 3.5 * MM:
        section = loop(_rim(operative))
    return Source(f"{operative.id}/base", operative.id, False, True, solid, section)


def base_solid(operative: Operative) -> NDArray[np.float64]:
    """An operative's base as a mesh."""
    return prism(_rim(operative).tolist(), operative.level, operative.level + 3.5 * MM)


def _rim(operative: Operative) -> NDArray[np.float64]:
    row = figure_row(operative)
    turns = 2 * math.pi * np.arange(RIM_POINTS) / RIM_POINTS
    return np.array([planar.rim(row, math.cos(turn), math.sin(turn)) for turn in turns])
