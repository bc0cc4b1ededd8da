"""Who is seen, and which parts: triangles in the way of looks, and lines that try to get past them."""

from __future__ import annotations

import numpy as np
from plain_lines import clearance

from ktsim.sight.scene import Operative, Part, Scene
from oracle import look_kernels, plane_kernels
from oracle.ground import RADIUS, TIE, Floats, Ground, areas, balls, body, head, row

LINES, AIMED, CLIMBERS, STEPS = 400, 100, 6, 40
"""Random lines that attack a hidden look, lines past edges, and how many of the best are moved about and how often."""
JOINT = 6 * RADIUS
"""So near to a wall's surface a line must come for it to be seen: walls that meet are one structure."""
BARS = 1.0
"""Who is so near to a Barred part, seen from above, looks through it and is seen through it (KZ-BARRED)."""


class Looks:
    """What the operatives of a scene see."""

    def __init__(self, ground: Ground, scene: Scene, seed: int) -> None:
        self.ground, self.scene, self.seed = ground, scene, seed
        self.rng = np.random.default_rng(seed)
        self.is_close = False
        """Does an answer hang on whether somebody is within an inch of bars, or just not?"""

    def obstacles(self, *at: Operative, dropping: Part | None = None) -> tuple[Floats, Floats]:
        """All triangles in the way of a look at or by these operatives, and balls around them."""
        mesh, around = self.ground.sight, self.ground.sight_balls
        dropped = [part for part in self.ground.barred if any(self._is_at(one, part) for one in at)]
        dropped += [dropping] if dropping is not None else []
        numbers = [self.ground.number[id(part)] for part in dropped if id(part) in self.ground.number]
        if numbers:
            keep = ~np.isin(self.ground.sight_of, numbers)
            mesh, around = mesh[keep], around[keep]
        others = [body(o) for o in self.scene.operatives if o.id not in [one.id for one in at]]
        if others:
            mesh = np.concatenate([mesh, *others])
            around = np.concatenate([around, *(balls(each) for each in others)])
        return mesh, around

    def _is_at(self, one: Operative, bars: Part) -> bool:
        base = row(one.base, one.x, one.y, one.turn)
        close = TIE if one.base.is_round else 0.01  # of ovals only so many places of the rim are looked at
        far, near = (bool(plane_kernels.over(base, bars.triangles, BARS + off)) for off in (close, -close))
        self.is_close |= far != near
        return near

    def best(self, viewer: Operative, seen: Operative, times: int) -> tuple[float, Floats]:
        """The clearest line from one operative to another that the oracle finds, measured against everything."""
        mesh, around = self.obstacles(viewer, seen)
        centre, radius = head(viewer)
        shown = body(seen)
        middle = shown.reshape(-1, 3).mean(axis=0)
        wide = max(radius, float(np.sqrt(((shown.reshape(-1, 3) - middle) ** 2).sum(axis=1).max()))) + 0.05
        d = middle - centre
        t = np.clip((around[:, :3] - centre) @ d / max(float(d @ d), 1e-12), 0, 1)
        near = ((around[:, :3] - centre - t[:, None] * d) ** 2).sum(axis=1) <= (around[:, 3] + wide) ** 2
        line = np.zeros((2, 3))
        if not near.any():
            return 1.0, np.stack([centre, shown[0, 0]])
        look_kernels.attack(
            np.ascontiguousarray(mesh[near]), centre, radius, shown, balls(shown), areas(shown), self.seed + times,
            LINES * times, AIMED * times, CLIMBERS * times, STEPS + 10 * times, RADIUS + 2 * TIE, line,
        )  # fmt: skip
        return float(clearance(mesh, line[0], line[1], 1.0)), line

    def at_part(self, viewer: Operative, z: float, part: Part, is_thorough: bool) -> float:
        """How clear a line the oracle finds from the viewer to the part within an inch of its base at height z."""
        base, limit = row(viewer.base, viewer.x, viewer.y, viewer.turn), 1 - TIE
        points = self.ground.points_of(part)
        nearest = plane_kernels.nearest_points(part.triangles, viewer.x, viewer.y, z)
        if is_thorough:  # also what only a tie keeps out, and more points about the nearest
            limit = 1 + TIE
            share = self.rng.dirichlet((0.5, 0.5, 0.5), (len(part.triangles), 200))
            more = np.einsum("nmk,nkj->nmj", share, part.triangles)
            size = 10.0 ** self.rng.uniform(-4, 0, (*more.shape[:2], 1))
            points = np.concatenate([points, *more, *(nearest[:, None] + size * (more - nearest[:, None]))])
        points = np.concatenate([points, nearest])
        points = points[plane_kernels.near_base(base, z, points, limit)]
        if not len(points):
            return -1.0
        mesh, around = self.obstacles(viewer, dropping=part)
        centre, radius = head(viewer)
        wide = 2.2 + max(base[2:4])
        near = ((around[:, :3] - centre) ** 2).sum(axis=1) <= (around[:, 3] + wide) ** 2
        short = JOINT if "wall" in part.traits else 0.0
        line = np.zeros((2, 3))
        blockers = np.ascontiguousarray(mesh[near])
        if is_thorough and not short and near.any():
            small = _within(part.triangles, base, z, limit)
            if len(small):
                found = look_kernels.attack(
                    blockers, centre, radius, small, balls(small), areas(small), self.seed,
                    4000, 2000, 24, 150, RADIUS + TIE, line,
                )  # fmt: skip
                if found > 0.0:
                    return float(found)
        tries = 30_000 if is_thorough else 300
        return float(look_kernels.sees_points(blockers, centre, radius, points, tries, self.seed, short, line))


def _within(triangles: Floats, base: Floats, z: float, limit: float) -> Floats:
    """The triangles in small pieces, as far as all of a piece is within *limit* of a base."""
    near = balls(triangles)
    triangles = triangles[plane_kernels.near_base(base, z, np.ascontiguousarray(near[:, :3]), limit + 9.0)]
    for _ in range(14):
        longest = np.sqrt(((triangles - np.roll(triangles, 1, axis=1)) ** 2).sum(axis=2).max(axis=1))
        inside = plane_kernels.near_base(base, z, np.ascontiguousarray(triangles.reshape(-1, 3)), limit).reshape(-1, 3)
        big = (longest > 0.3) | (~inside.all(axis=1) & (longest > 0.004))  # finely where the limit runs
        if not big.any() or len(triangles) > 20_000:
            break
        a, b, c = triangles[big].transpose(1, 0, 2)
        ab, bc, ca = (a + b) / 2, (b + c) / 2, (c + a) / 2
        parts = [np.stack(each, axis=1) for each in ((a, ab, ca), (ab, b, bc), (ca, bc, c), (ab, bc, ca))]
        triangles = np.concatenate([triangles[~big], *parts])
        around = balls(triangles)
        gaps = [float(plane_kernels.gap(base, x, y)) for x, y in around[:, :2]]
        triangles = triangles[np.hypot(gaps, around[:, 2] - z) - around[:, 3] <= limit]
    inside = plane_kernels.near_base(base, z, np.ascontiguousarray(triangles.reshape(-1, 3)), limit).reshape(-1, 3)
    return np.ascontiguousarray(triangles[inside.all(axis=1)])
