"""What is directly above an operative's base (KT21-W-BARRAGE)."""

from __future__ import annotations

import math

import numpy as np

from ktsim.geometry.kernels import bands
from ktsim.sight.distances import BASE_MIDDLE
from ktsim.sight.scene import EPS, Scene

SKY = 1e6


def is_under_terrain(scene: Scene, operative: str) -> bool:
    """Whether a terrain feature hides any part of the base from directly above. Gaps that only block lines do not."""
    one = scene.operative(operative)
    c, s = math.cos(math.radians(one.turn)), math.sin(math.radians(one.turn))
    # In the base's own frame, stretched so that it is a disc of radius 1.
    frame = np.array([[c / one.base.along, s / one.base.along], [-s / one.base.across, c / one.base.across]])
    reach = 1.0 - EPS / min(one.base.along, one.base.across)
    for part in scene.parts():
        if part.top <= one.level + 2 * BASE_MIDDLE or part.traits == {"blocking"}:
            continue
        pieces = bands.band(part.triangles.reshape(-1, 9), one.level + 2 * BASE_MIDDLE, SKY)
        if not len(pieces):
            continue
        seen = (pieces.reshape(-1, 3, 2) - (one.x, one.y)) @ frame.T
        if bands.near_point(np.ascontiguousarray(seen.reshape(-1, 6)), reach, 0.0, 0.0).any():
            return True
    return False
