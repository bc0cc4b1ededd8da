"""Doors and access points as operatives meet them: how far from a base, and on which side of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from math import cos, hypot, pi, radians, sin

from ktsim.geometry.plane import smallest_rectangle
from ktsim.rules.engine.battle import Battle
from ktsim.rules.engine.state import OperativeState, inches, milli
from ktsim.rules.engine.table import CONTROL_RANGE
from ktsim.sight.scene import EPS, Part, Terrain, WallLine

TOUCHING = 0.1
"""A base this near (inches) to an opening touches it: doors are recessed in their walls, bases put down by hand."""

SPOTS = 4
"""How many places of an opening to either side of its middle are asked whether they are reached."""

IN_FRONT = 0.05
"""How far in front of an opening the places are that stand for it."""
ROUNDED = 0.001
"""Places are in thousandths of an inch; how near the opening itself is, is asked of it."""

FLOOR = 0.25
"""What is no higher than this (inches), such as a teleport pad, is as good as the floor for openings in it."""

RIM = 72
"""Points of an oval base's rim that are asked."""


@dataclass(frozen=True)
class Opening:
    """The rectangle of a door or access point on the floor. *along* is a unit vector along its wall."""

    feature: str
    name: str
    centre: tuple[float, float]
    along: tuple[float, float]
    half_width: float
    half_depth: float

    def local(self, x: float, y: float) -> tuple[float, float]:
        """Coordinates along the wall and across it."""
        dx, dy = x - self.centre[0], y - self.centre[1]
        ux, uy = self.along
        return dx * ux + dy * uy, dy * ux - dx * uy

    def from_point(self, x: float, y: float) -> float:
        u, v = self.local(x, y)
        return hypot(max(0.0, abs(u) - self.half_width), max(0.0, abs(v) - self.half_depth))

    def gap(self, battle: Battle, who: OperativeState) -> float:
        """Distance of the operative's base from the opening, in the plane (0 when they meet)."""
        base, x, y = battle.card(who).base, inches(who.x), inches(who.y)
        if base.is_round:
            return max(0.0, self.from_point(x, y) - base.along)
        c, s = cos(radians(who.turn / 1000)), sin(radians(who.turn / 1000))
        rim = [(base.along * cos(t), base.across * sin(t)) for t in (2 * pi * i / RIM for i in range(RIM))]
        return min(self.from_point(x, y), *(self.from_point(x + c * a - s * b, y + s * a + c * b) for a, b in rim))

    def in_front(self, x: float, y: float, away: float) -> Iterator[tuple[float, float]]:
        """Points *away* from the opening on the side of a point, the one at the nearest spot of it first."""
        u, v = self.local(x, y)
        face = self.half_depth if v >= 0 else -self.half_depth
        near_u = max(-self.half_width, min(self.half_width, u))
        near_v = max(-self.half_depth, min(self.half_depth, v))
        if (far := hypot(u - near_u, v - near_v)) > 0:
            yield self.world(near_u + away * (u - near_u) / far, near_v + away * (v - near_v) / far)
        for step in range(-SPOTS, SPOTS + 1):
            yield self.world(step * self.half_width / SPOTS, face + (away if v >= 0 else -away))

    def world(self, u: float, v: float) -> tuple[float, float]:
        """The inverse of :meth:`local`."""
        ux, uy = self.along
        return self.centre[0] + u * ux - v * uy, self.centre[1] + u * uy + v * ux

    def is_left(self, x: float, y: float) -> bool:
        """On which side of the opening's middle line a point is."""
        return self.local(x, y)[1] >= 0

    def is_between(self, a: tuple[float, float], b: tuple[float, float]) -> bool:
        """Whether the straight way from one point to another goes through it."""
        (ua, va), (ub, vb) = self.local(*a), self.local(*b)
        return (va < 0) != (vb < 0) and abs(ua + (ub - ua) * va / (va - vb)) <= self.half_width

    def separates(self, one: OperativeState, two: OperativeState) -> bool:
        """Whether the middles of two bases are on different sides."""
        return self.is_left(inches(one.x), inches(one.y)) != self.is_left(inches(two.x), inches(two.y))


def access_opening(line: WallLine) -> Opening:
    """The access point of a hatchway or a breach point."""
    assert line.access_width is not None
    (x0, y0), (x1, y1) = line.start, line.end
    long = hypot(x1 - x0, y1 - y0)
    middle, along = ((x0 + x1) / 2, (y0 + y1) / 2), ((x1 - x0) / long, (y1 - y0) / long)
    return Opening(line.id, line.id, middle, along, line.access_width / 2, line.thickness / 2)


@lru_cache(maxsize=128)
def door_opening(part: Part) -> Opening:
    """A door, from its part."""
    centre, along, half_width, half_depth = smallest_rectangle(part.triangles.reshape(-1, 3)[:, :2].copy())
    return Opening(part.feature, part.key, centre, along, half_width, half_depth)


def hatchways(battle: Battle) -> list[WallLine]:
    return [line for line in battle.board.terrain.walls if line.hatchway is not None]


def breach_points(battle: Battle) -> list[WallLine]:
    return [line for line in battle.board.terrain.walls if line.breach is not None]


def access_points(terrain: Terrain) -> list[WallLine]:
    """Hatchways and breach points."""
    return [line for line in terrain.walls if line.access_width is not None]


def is_open(battle: Battle, line: WallLine) -> bool:
    return battle.state.terrain.get(line.id) == "open"


def doors(battle: Battle) -> list[Opening]:
    return doors_of(battle.board.terrain)


def doors_of(terrain: Terrain) -> list[Opening]:
    return [door_opening(part) for feature in terrain.features for part in feature.parts if part.kind == "door"]


def reaches(battle: Battle, who: OperativeState, line: WallLine) -> bool:
    """Whether the access point is in the operative's control range: within 1" and visible, not through a wall.

    Closed it is a wall itself, so places just in front of it, on the operative's side, are asked.
    """
    opening = access_opening(line)
    gap = opening.gap(battle, who)
    if inches(who.level) > FLOOR or gap > CONTROL_RANGE + EPS:
        return False
    return gap <= EPS or any(
        battle.table.reaches(battle.state, who.id, (milli(x), milli(y), who.level), IN_FRONT + ROUNDED)
        for x, y in opening.in_front(inches(who.x), inches(who.y), IN_FRONT)
    )


def across(
    battle: Battle, who: OperativeState, openings: list[Opening], reach: float
) -> list[tuple[OperativeState, Opening]]:
    """Enemies on the floor within *reach* of an opening that the operative's base touches, on its other side."""
    if inches(who.level) > FLOOR:
        return []
    touched = [each for each in openings if each.gap(battle, who) <= TOUCHING]
    found = []
    for enemy in battle.state.enemies(who.id):
        for opening in touched:
            is_low = inches(enemy.level) <= FLOOR
            if is_low and opening.separates(who, enemy) and is_within(battle, enemy, opening, reach):
                found.append((enemy, opening))
                break
    return found


def is_within(battle: Battle, who: OperativeState, opening: Opening, reach: float) -> bool:
    """Whether the operative is within *reach* of an opening, around walls (SIGHT-17).

    A closed one is a wall itself, so places just in front of it, on the operative's side, are asked.
    """
    gap = opening.gap(battle, who)
    if gap > reach + EPS:
        return False
    return gap <= EPS or any(
        battle.table.distance_to(battle.state, who.id, (milli(x), milli(y), 0), IN_FRONT + ROUNDED) <= reach + EPS
        for x, y in opening.in_front(inches(who.x), inches(who.y), IN_FRONT)
    )
