"""Targeting lines by brute force: many origins, many ends, many points on each line, against upright boxes.

A line is followed in small steps. At each the distance from every box is known exactly, and so is the distance from
both bases; what comes near a threshold by less than a stated slack is *unsure* and compared with nothing.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from sight_scenes import part, turn_mesh

from ktsim.geometry.solids import box
from ktsim.sight import kt21, kt24
from ktsim.sight.distances import between
from ktsim.sight.outcomes import Outcome
from ktsim.sight.scene import MM, Edition, Feature, Operative, Scene, Weapon

Floats = NDArray[np.float64]
RADIUS = 0.5 * MM
MIDDLE = 1.75 * MM


@dataclass(frozen=True)
class Slab:
    """An upright box: middle, half sizes, turn in degrees, from *low* to *high*."""

    id: str
    traits: str
    x: float
    y: float
    half: tuple[float, float]
    turn: float
    low: float
    high: float

    def feature(self) -> Feature:
        (w, d), x, y = self.half, self.x, self.y
        mesh = turn_mesh(box((x - w, y - d, self.low), (x + w, y + d, self.high)), self.turn, (x, y))
        return Feature(self.id, (part(self.id, "body", self.traits, mesh),))

    def apart(self, points: Floats) -> Floats:
        """Distance of points (..., 3) from the box."""
        c, s = math.cos(math.radians(self.turn)), math.sin(math.radians(self.turn))
        u, v = points[..., 0] - self.x, points[..., 1] - self.y
        along = np.maximum(np.abs(u * c + v * s) - self.half[0], 0)
        across = np.maximum(np.abs(v * c - u * s) - self.half[1], 0)
        up = np.maximum(np.maximum(self.low - points[..., 2], points[..., 2] - self.high), 0)
        return np.sqrt(along**2 + across**2 + up**2)


def random_slabs(rng: np.random.Generator, count: int) -> list[Slab]:
    """Boxes of all kinds between two operatives at x = 5 and x = 15."""
    found = []
    for number in range(count):
        low = 0.0 if rng.random() < 0.7 else float(rng.uniform(0.2, 1.0))
        half = float(rng.uniform(0.03, 0.9)), float(rng.uniform(0.03, 0.4))
        found.append(
            Slab(
                f"s{number}",
                "heavy" if rng.random() < 0.6 else "light",
                float(rng.uniform(6.5, 13.7)),
                float(rng.uniform(10.1, 11.9)),
                half,
                float(rng.uniform(0, 180)),
                low,
                low + float(rng.uniform(0.3, 2.0)),
            )
        )
    return found


def judge_of(
    scene: Scene,
    a: str = "a",
    b: str = "b",
    edition: Edition = "kt24",
    weapon: Weapon | None = None,
    convention: str = "inset",
    seen: bool = True,
) -> kt24.Judge24 | kt21.Judge21:
    """The edition's judge of a pair, without asking for visibility."""
    make = kt24.Judge24 if edition == "kt24" else kt21.Judge21
    one, two = scene.operative(a), scene.operative(b)
    return make(scene, one, two, weapon, between(scene, a, b), seen, convention)  # type: ignore[arg-type]


def from_origin(judge: kt24.Judge24 | kt21.Judge21, x: float, y: float) -> Outcome:
    """What one origin gives."""
    origin = np.array([[x, y]])
    return judge.judge(judge.fan.at(origin)[0], bool(judge.forbidden(origin)[0]))


def keys(judge: kt24.Judge24 | kt21.Judge21, codes: tuple[int, ...]) -> set[str]:
    return {judge.fan.pieces[code].source.feature for code in codes}


def facing_ends(p: Floats, target: Operative, count: int) -> Floats:
    """Ends on the facing arc of the round target's shrunk rim, its two tangents included."""
    radius = target.base.along - RADIUS
    dx, dy = p[0] - target.x, p[1] - target.y
    distance = math.hypot(dx, dy)
    towards = math.atan2(dy, dx)
    half = math.pi if distance <= radius else math.acos(radius / distance)
    angles = np.linspace(towards - half, towards + half, count)
    return np.stack([target.x + radius * np.cos(angles), target.y + radius * np.sin(angles)], axis=1)


def origins(shooter: Operative, around: int, rings: int) -> Floats:
    """Spots all over the round shooter's shrunk base."""
    radius = shooter.base.along - RADIUS
    turns = 2 * math.pi * np.arange(around) / around
    found = [
        (shooter.x + radius * k / rings * math.cos(t), shooter.y + radius * k / rings * math.sin(t))
        for k in range(1, rings + 1)
        for t in turns
    ]
    return np.array([(shooter.x, shooter.y), *found])


@dataclass(frozen=True)
class Brute:
    """For one origin: the boxes surely crossed in a zone, and those surely not."""

    yes: dict[str, set[str]]
    no: dict[str, set[str]]


def brute(scene: Scene, slabs: list[Slab], p: Floats, ends: int = 48, steps: int = 700) -> Brute:
    """Which boxes give cover (within 1 inch of the target) or obscure (beyond 1 inch of both) from origin *p*."""
    shooter, target = scene.operative("a"), scene.operative("b")
    start = np.array([p[0], p[1], shooter.level + MIDDLE])
    far = facing_ends(p, target, ends)
    far3 = np.column_stack([far, np.full(len(far), target.level + MIDDLE)])
    t = np.linspace(0, 1, steps)[None, :, None]
    points = start + t * (far3[:, None] - start)
    step = float(np.linalg.norm(far3 - start, axis=1).max()) / steps

    def from_base(one: Operative) -> Floats:
        flat = np.hypot(points[..., 0] - one.x, points[..., 1] - one.y) - one.base.along
        return np.hypot(np.maximum(flat, 0), points[..., 2] - one.level - MIDDLE)

    to_target, to_shooter = from_base(target), from_base(shooter)
    # a box's point on a line is up to 0.5 mm from its axis, and the next step is not far
    slack = RADIUS + step
    zones = {
        "cover": (to_target < 1 - slack, to_target < 1 + slack),
        "obscured": (
            (to_target > 1 + slack) & (to_shooter > 1 + slack),
            (to_target > 1 - slack) & (to_shooter > 1 - slack),
        ),
    }
    yes: dict[str, set[str]] = {"cover": set(), "obscured": set()}
    no: dict[str, set[str]] = {"cover": set(), "obscured": set()}
    for slab in slabs:
        apart = slab.apart(points)
        for zone, (surely, perhaps) in zones.items():
            if (apart[surely] < RADIUS - 1e-5).any():
                yes[zone].add(slab.id)
            elif not (apart[perhaps] < RADIUS + 0.004).any():
                no[zone].add(slab.id)
    return Brute(yes, no)
