"""How far an operative is from Heavy terrain."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from ktsim.geometry.kernels import nearest
from ktsim.sight.distances import figure_row, to_outline
from ktsim.sight.junctions import WallEnd, straight_pillars, wall_ends
from ktsim.sight.scene import Edition, Operative, Part, Scene


def heavy_distance(scene: Scene, operative_id: str, edition: Edition) -> float:
    """Inches from the operative's base to the nearest Heavy terrain, around walls (SIGHT-17); inf when there is none.

    KT21-WALLDIST: in 2021 a wall counts only at its ends and at its pillars, which stand where walls turn or branch or
    where a piece brings one; not at the sides of hatchways nor at hatches. Heavy terrain that is no wall counts as it
    stands in both editions.
    """
    one = scene.operative(operative_id)
    heavy = [part for part in scene.parts() if "heavy" in part.traits]
    if edition == "kt24":
        found = [_to_part(scene, one, part) for part in heavy]
    else:
        found = [_to_part(scene, one, part) for part in heavy if "wall" not in part.traits]
        ends = [end for end in wall_ends(scene) if not end.is_at_hatchway]
        found += [_to_end(scene, one, end) for end in (*ends, *straight_pillars(scene))]
    return min(found, default=math.inf)


def _to_part(scene: Scene, one: Operative, part: Part) -> float:
    triangles = np.ascontiguousarray(part.triangles.reshape(-1, 9))
    straight = float(nearest.figure_from_triangles(figure_row(one), one.level, triangles))
    if not any("wall" in other.traits for other in scene.parts()):
        return straight
    flat = part.triangles[:, :, :2]
    edges = np.concatenate([np.hstack([flat[:, k], flat[:, (k + 1) % 3]]) for k in range(3)])
    # The way around walls is a matter of the plane; the difference in height comes on top, as between operatives. A
    # way that no wall bends is the straight one, which knows the part's shape and not only how high it reaches.
    heights = part.triangles[:, :, 2]
    rise = max(0.0, float(heights.min()) - one.level, one.level - float(heights.max()))
    return max(straight, math.hypot(to_outline(scene, one, edges), rise))


def _to_end(scene: Scene, one: Operative, end: WallEnd) -> float:
    ring: NDArray[np.float64] = np.array(end.pillar or end.corners)
    flat = to_outline(scene, one, np.hstack([ring, np.roll(ring, -1, axis=0)]))
    return math.hypot(flat, max(0.0, one.level - end.height))
