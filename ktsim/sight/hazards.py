"""Bheta-Decima's restricted targeting: hazardous areas and the footprints of gantries."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ktsim.geometry.kernels import areas, fans
from ktsim.sight.distances import part_is_near
from ktsim.sight.lines import Fan
from ktsim.sight.scene import EPS, Feature, Operative, Terrain

TOO_WIDE = 4.0
"""This much hazardous area on one line forbids the target (KZ-HAZARD-TARGET)."""


@dataclass(frozen=True, eq=False)
class Hazards:
    """The hazardous areas of a terrain, and those of their edges that the lines of one pair may cross."""

    edges: NDArray[np.float64]
    owner: NDArray[np.int64]
    count: int
    near_edges: NDArray[np.float64]
    near_owner: NDArray[np.int64]

    @classmethod
    def between(cls, terrain: Terrain, fan: Fan) -> Hazards | None:
        outlines = [np.array(area.outline) for area in terrain.areas if area.kind == "hazardous"]
        if not outlines:
            return None
        edges = np.concatenate([np.hstack([ring, np.roll(ring, -1, axis=0)]) for ring in outlines])
        owner = np.repeat(np.arange(len(outlines)), [len(ring) for ring in outlines])
        near = fans.in_corridor(edges, fan.origins, fan.ends, EPS)
        return cls(edges, owner, len(outlines), edges[near], owner[near])

    def longest(self, fan: Fan, origin: tuple[float, float]) -> float:
        """The most hazardous area, in inches, on any targeting line from *origin*."""
        at_start = areas.insides(*origin, self.edges, self.owner, self.count)
        return float(areas.longest_inside(*origin, fan.ends, self.near_edges, self.near_owner, at_start, np.inf))

    def forbid(self, fan: Fan, points: NDArray[np.float64], limit: float = TOO_WIDE - EPS) -> NDArray[np.bool_]:
        """From which of the origins (n, 2) is that *limit* or more?"""
        found = areas.are_long(
            points, fan.ends, self.edges, self.owner, self.count, self.near_edges, self.near_owner, limit
        )
        return np.asarray(found)

    def depends_on_origin(self, fan: Fan) -> bool:
        """May it matter from where on the base the lines run? A look from around the base, with a margin."""
        spots = fan.spots(12, 1)
        return bool(self.forbid(fan, spots, TOO_WIDE - 0.5).any() and not self.forbid(fan, spots, TOO_WIDE + 0.5).all())


def is_under_or_on(operative: Operative, feature: Feature) -> bool:
    """Is any of the base over or under a floor of the feature, seen from above?"""
    return any(part_is_near(operative, part, 0.0) for part in feature.parts if "vantage" in part.traits)
