"""What targeting lines of one pair cross: near the target, and far from both."""

from __future__ import annotations

import math
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ktsim.sight.scene import Edition, Operative, Part
from oracle import line_kernels, plane_kernels
from oracle.ground import EPS, MM, Floats, Ground, Source, row, section

MIDDLE = 1.75 * MM
"""Lines run at this height over the level of a base, and what is asked of points on them is measured from there."""
ZONES = {"kt24": (1.0, 1.0, 1.0), "kt21-lite": (1.0, 2.0, 1.0)}
"""What is near the target, and how far from the target and from the shooter is far (KT24-COVER, KT24-OBSCURED;
KT21-COVER, KT21-OBSCURED)."""


class Lines:
    """All lines of one pair, *apart* from each other."""

    def __init__(self, ground: Ground, edition: Edition, shooter: Operative, target: Operative, apart: float) -> None:
        self.ground, self.is_2021 = ground, edition == "kt21-lite"
        self.shooter, self.target = shooter, target
        self.base_s, self.base_t = (row(o.base, o.x, o.y, o.turn) for o in (shooter, target))
        self.zs, self.zt = shooter.level + MIDDLE, target.level + MIDDLE
        self.planar = abs(self.zs - self.zt) <= EPS
        self.zones = np.array(ZONES[edition])
        self.can_cover = apart > 2 + EPS

    @cached_property
    def vantages(self) -> tuple[list[Part], list[Part]]:
        """What shooter and target stand on (SIGHT-5)."""
        found = []
        for one, base in ((self.shooter, self.base_s), (self.target, self.base_t)):
            tops = [p for p in self.ground.vantage if abs(float(p.triangles[:, :, 2].max()) - one.level) < 0.01]
            found.append([p for p in tops if plane_kernels.over(base, p.triangles, EPS)])
        return found[0], found[1]

    def _obscures(self, source: Source) -> bool:
        if not self.is_2021:
            own = {part.feature for parts in self.vantages for part in parts}
            return source.heavy and source.feature not in own
        if source.heavy or source.light:
            return source.heavy
        top = self.target.level + float(self.target.figure.triangles[:, :, 2].max())
        return float(source.part.triangles[:, :, 2].max()) > top + EPS

    @cached_property
    def _made(self) -> dict[str, Any]:
        """What the kernel wants to know of this pair."""
        ground, sources = self.ground, self.ground.sources
        wants = np.array([[self.can_cover, self._obscures(s)] for s in sources], np.bool_).reshape(-1, 2)
        gates = np.zeros((len(sources), 3))
        for n, s in enumerate(sources):
            if s.at is None:
                continue
            k, c, spot = s.across, s.at[s.across], np.empty(2)
            reach = []
            for sign in (0, 1):
                plane_kernels.rim(self.base_t, math.pi * sign + (math.pi / 2 if k else 0.0), 0.0, spot)
                reach.append(spot[k])
            if min(reach) >= c:
                gates[n] = (1.0, k, c)
            elif max(reach) <= c:
                gates[n] = (-1.0, k, c)
        if self.planar:
            prims, owner = self._sections()
            around = _segment_balls(prims)
        else:
            prims, owner, around = ground.solids, ground.owner, ground.solid_balls
        d = self.base_t[:2] - self.base_s[:2]
        t = np.clip((around[:, :2] - self.base_s[:2]) @ d / max(float(d @ d), 1e-12), 0, 1)
        off = ((around[:, :2] - self.base_s[:2] - t[:, None] * d) ** 2).sum(axis=1)
        near = off <= (around[:, 3] + max(self.base_s[2], self.base_t[2]) + 0.05) ** 2
        near &= wants.any(axis=1)[owner]
        low, high = min(self.zs, self.zt) - 0.05, max(self.zs, self.zt) + 0.05
        near &= (around[:, 2] + around[:, 3] >= low) & (around[:, 2] - around[:, 3] <= high)
        if len(ground.walls):
            bases = self.base_s, self.base_t
            far_s, far_t = (plane_kernels.from_base(base, ground.corners, ground.walls) for base in bases)
        else:
            far_s = far_t = np.empty(0)
        return {
            "prims": np.ascontiguousarray(prims[near]), "owner": owner[near], "balls": around[near], "wants": wants,
            "gates": gates, "far_s": far_s, "far_t": far_t,
        }  # fmt: skip

    def _sections(self) -> tuple[Floats, NDArray[np.int64]]:
        """Where triangles meet the plane of the lines, as segments; outlines of corners and ends of walls."""
        ground, z = self.ground, self.zs
        flat, met = section(ground.solids, z)
        segments = np.concatenate([flat, flat[:, 1:]], axis=1)
        owner = ground.owner[met]
        ends = [n for n, source in enumerate(ground.sources) if source.outline is not None]
        keep = ~np.isin(owner, ends)
        more, owners = [segments[keep]], [owner[keep]]
        for n in ends:
            outline = ground.sources[n].outline
            after = np.roll(outline, -1, axis=0)
            flat = np.stack([outline, after, after], axis=1)
            more.append(np.concatenate([flat, np.full((4, 3, 1), z)], axis=2))
            owners.append(np.full(4, n))
        prims, owner = np.concatenate(more), np.concatenate(owners)
        long = ((prims[:, 1] - prims[:, 0]) ** 2).sum(axis=1) > 1e-16
        return prims[long], owner[long]

    def crossed(self, origins: Floats, count: int, phase: float, ways: int, m: float) -> NDArray[np.bool_]:
        """(n, sources, 2): what lines from origins cross near the target, and far from both."""
        ground, made = self.ground, self._made
        out = np.zeros((len(origins), len(ground.sources), 2), np.bool_)
        line_kernels.crossed(
            origins, count, phase, self.planar, self.is_2021, m, ways, self.zones, self.base_s, self.base_t,
            self.zs, self.zt, made["prims"], made["owner"], made["balls"], made["wants"], made["gates"], ground.skips,
            ground.walls, ground.corners, made["far_s"], made["far_t"], ground.solids, ground.spans, ground.boxes,
            out,
        )  # fmt: skip
        return out


def _segment_balls(prims: Floats) -> Floats:
    middle = (prims[:, 0] + prims[:, 1]) / 2
    size = np.sqrt(((prims[:, 0] - middle) ** 2).sum(axis=1))
    return np.column_stack([middle, size + 1e-9])
