"""Bheta-Decima's restricted targeting: hazardous areas and the footprints of gantries."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from ktsim.geometry.kernels import apart, areas, planar
from ktsim.geometry.plane import loop
from ktsim.sight.distances import part_is_near
from ktsim.sight.lines import Fan
from ktsim.sight.scene import EPS, Feature, Operative, Terrain

TOO_WIDE = 4.0
"""This much hazardous area on one line forbids the target (KZ-HAZARD-TARGET)."""
MARGIN = 0.5
"""By how much more or less of it elsewhere on a base is reckoned with (inches)."""
LOOKS = 181
"""Lines that are compared to show the one with the most hazardous area."""

Flat: TypeAlias = tuple[tuple[float, float], tuple[float, float]]
"""A stretch seen from above."""


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
        if "hazards" not in terrain.kept:
            outlines = [area.outline for area in terrain.areas if area.kind == "hazardous"]
            terrain.kept["hazards"] = (
                np.concatenate([np.empty((0, 4)), *(loop(ring) for ring in outlines)]),
                np.repeat(np.arange(len(outlines)), [len(ring) for ring in outlines]),
                len(outlines),
            )
        edges, owner, count = terrain.kept["hazards"]
        if not count:
            return None
        near = apart.in_corridor(edges, fan.origins, fan.ends, EPS)
        return cls(edges, owner, count, edges[near], owner[near])

    def longest(self, fan: Fan, origin: tuple[float, float]) -> float:
        """The most hazardous area, in inches, on any targeting line from *origin*."""
        return float(self._lengths(fan, np.array([origin]), np.inf)[0])

    def _lengths(self, fan: Fan, points: NDArray[np.float64], enough: float) -> NDArray[np.float64]:
        """The same from each of *points* (n, 2), exact about *enough*."""
        near = (self.near_edges, self.near_owner)
        return np.asarray(areas.lengths_inside(points, fan.ends, self.edges, self.owner, self.count, *near, enough))

    def longest_line(self, fan: Fan, origin: tuple[float, float]) -> tuple[Flat, tuple[Flat, ...]]:
        """A line that has as much of it as any (to a thousandth of an inch), and the stretches of it inside."""
        found, low, high = planar.tangents(fan.ends, *origin, 0.0)
        turns = np.linspace(low, high, LOOKS) if found else np.zeros(1)
        for _ in range(3):  # along the facing rim, then about the best end
            lengths = [sum(math.dist(*stretch) for stretch in self._inside(fan, origin, turn)) for turn in turns]
            best = int(np.argmax(lengths))
            end = planar.rim(fan.ends, math.cos(turns[best]), math.sin(turns[best]))
            stretches = self._inside(fan, origin, turns[best])
            turns = np.linspace(turns[max(0, best - 1)], turns[min(len(turns) - 1, best + 1)], LOOKS)
        return ((origin, (float(end[0]), float(end[1]))), stretches)

    def _inside(self, fan: Fan, origin: tuple[float, float], turn: float) -> tuple[Flat, ...]:
        """The stretches of one line that are inside any area."""
        start = np.array(origin)
        way = np.array(planar.rim(fan.ends, math.cos(turn), math.sin(turn))) - start
        a, along = self.edges[:, :2] - start, self.edges[:, 2:] - self.edges[:, :2]
        across = way[0] * along[:, 1] - way[1] * along[:, 0]
        with np.errstate(divide="ignore", invalid="ignore"):
            t = (a[:, 0] * along[:, 1] - a[:, 1] * along[:, 0]) / across
            u = (a[:, 0] * way[1] - a[:, 1] * way[0]) / across
        met = (np.abs(across) > 1e-12) & (u >= 0) & (u <= 1) & (t > 0) & (t < 1)
        cuts = np.concatenate([[0.0], np.sort(t[met]), [1.0]])
        found: list[Flat] = []
        for low, high in pairwise(cuts):
            middle = start + way * (low + high) / 2
            if areas.insides(*middle, self.edges, self.owner, self.count).any():
                one, two = (tuple(map(float, start + way * share)) for share in (low, high))
                if found and math.dist(found[-1][1], one) < 1e-9:
                    found[-1] = (found[-1][0], (two[0], two[1]))
                else:
                    found.append(((one[0], one[1]), (two[0], two[1])))
        return tuple(found)

    def forbid(self, fan: Fan, points: NDArray[np.float64]) -> NDArray[np.bool_]:
        """From which of the origins (n, 2) is there too much?"""
        limit = TOO_WIDE - EPS
        return np.asarray(self._lengths(fan, points, limit) >= limit)

    def depends_on_origin(self, fan: Fan) -> bool:
        """May it matter from where on the base the lines run? A look from around the base, with a margin."""
        if fan.longest < TOO_WIDE - MARGIN:
            return False
        found = self._lengths(fan, fan.spots(12, 1), TOO_WIDE + MARGIN)
        return bool((found >= TOO_WIDE - MARGIN).any() and not (found >= TOO_WIDE + MARGIN).all())


def is_under_or_on(operative: Operative, feature: Feature) -> bool:
    """Is any of the base over or under a floor of the feature, seen from above?"""
    return any(part_is_near(operative, part, 0.0) for part in feature.parts if "vantage" in part.traits)
