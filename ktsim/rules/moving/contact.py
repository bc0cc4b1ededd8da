"""Other operatives in the way of a move: their bases, and the control ranges of enemies (KT24-CONTROL)."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from ktsim.geometry.kernels import planar
from ktsim.rules.moving.walk import Walker, Waypoint, height_of
from ktsim.sight.control import CONTROL_RANGE, in_control_range
from ktsim.sight.distances import base_row, figure_row
from ktsim.sight.pads import PadVisitor, meet_on_pad, pads_of
from ktsim.sight.scene import EPS, Operative

SAMPLE = 0.1
"""How far apart (inches) a leg is asked for sight within an enemy's inch; distances need no samples."""


class Contacts:
    """The other operatives as one mover meets them. Answers are kept: a search asks the same ones again and again."""

    def __init__(self, mover: Walker) -> None:
        self.mover = mover
        self.pads = pads_of(mover.scene.terrain)
        self._engaged: dict[str, bool] = {}
        self._asked: dict[tuple[str, Waypoint], bool] = {}

    def turn_at(self, at: Waypoint) -> float:
        return self.mover.operative.turn if at.turn is None else at.turn

    # -- bases -----------------------------------------------------------------------------------------------

    def meets_height(self, other: Operative, low: float, high: float) -> bool:
        """Do the other and the mover, somewhere between two altitudes, share any height?"""
        return other.level < high + self.mover.height - EPS and low < other.level + height_of(other) - EPS

    def gap(self, other: Operative, at: Waypoint, margin: float = 0.0) -> float:
        """Horizontal distance of the bases with the mover, grown by *margin*, at a waypoint; 0 when they meet."""
        row = base_row(self.mover.operative.base, at.x, at.y, self.turn_at(at), margin)
        return float(planar.between(row, figure_row(other))[0])

    def overlaps(self, other: Operative, a: Waypoint, b: Waypoint) -> bool:
        """Bases overlap when they share more than an edge: shrunk by a hair they still touch."""
        return self.least_gap(other, a, b) <= EPS and self.nearest(other, a, b, -EPS)[0] <= 0.0

    def least_gap(self, other: Operative, a: Waypoint, b: Waypoint) -> float:
        """A distance that the bases cannot be nearer than along a leg: that of the circles about them."""
        _, apart = _along(other, a, b)
        return apart - _reach(self.mover.operative) - _reach(other)

    def nearest(self, other: Operative, a: Waypoint, b: Waypoint, margin: float = 0.0) -> tuple[float, float]:
        """The least horizontal distance of the bases along a leg, and its parameter (convex along the leg)."""
        if self.mover.operative.base.is_round and other.base.is_round:
            t, apart = _along(other, a, b)
            return apart - self.mover.operative.base.along - margin - other.base.along, t
        low, high = 0.0, 1.0
        while (high - low) * math.hypot(b.x - a.x, b.y - a.y) > 1e-7:
            one, two = low + (high - low) / 3, high - (high - low) / 3
            if self.gap(other, between(a, b, one), margin) > self.gap(other, between(a, b, two), margin):
                low = one
            else:
                high = two
        t = (low + high) / 2
        return self.gap(other, between(a, b, t), margin), t

    def base_in_way(self, a: Waypoint, b: Waypoint, everyone: bool) -> Operative | None:
        """An enemy (or anyone) whose base the leg passes through."""
        low, high = min(a.level, b.level), max(a.level, b.level)
        for other in self.mover.others if everyone else self.mover.enemies:
            if self.meets_height(other, low, high) and self.overlaps(other, a, b):
                return other
        return None

    def base_under(self, at: Waypoint) -> Operative | None:
        """Anyone whose base would be overlapped by ending there."""
        own = _reach(self.mover.operative) + 2 * EPS
        for other in self.mover.others:
            far = own + _reach(other)
            if abs(other.x - at.x) > far or abs(other.y - at.y) > far:
                continue  # as most are
            if self.meets_height(other, at.level, at.level) and self.overlaps(other, at, at):
                return other
        return None

    # -- control range ---------------------------------------------------------------------------------------

    def is_engaged(self, enemy: Operative) -> bool:
        """Is another friend of the mover in that enemy's control range?"""
        if enemy.id not in self._engaged:
            scene = self.mover.scene
            self._engaged[enemy.id] = any(
                (bool(self.pads) or _is_near(friend, enemy)) and in_control_range(scene, friend.id, enemy.id)
                for friend in self.mover.friends
            )
        return self._engaged[enemy.id]

    def is_controlled(self, enemy: Operative, at: Waypoint) -> bool:
        """Would the mover be in that enemy's control range at a waypoint?"""
        if self.meets_on_pad(enemy, at):
            return True
        rise = at.level - enemy.level
        if abs(rise) > CONTROL_RANGE + EPS or math.hypot(self.gap(enemy, at), rise) > CONTROL_RANGE + EPS:
            return False
        key = (enemy.id, at)
        if key not in self._asked:
            mover = self.mover.operative
            there = replace(mover, x=at.x, y=at.y, level=at.level, turn=self.turn_at(at))
            scene = self.mover.scene
            known = any(each.id == mover.id for each in scene.operatives)
            scene = scene.moved(there) if known else replace(scene, operatives=(*scene.operatives, there))
            self._asked[key] = in_control_range(scene, mover.id, enemy.id)
        return self._asked[key]

    def meets_on_pad(self, enemy: Operative, at: Waypoint) -> bool:
        """Would one of the two touch the teleport pad that the other stands on (KZ-TOMB-PAD)?"""
        if not self.pads:
            return False
        here = PadVisitor(self.mover.operative.base, at.x, at.y, at.level, self.turn_at(at))
        return meet_on_pad(self.pads, here, PadVisitor.of(enemy))

    def control_along(self, enemy: Operative, a: Waypoint, b: Waypoint) -> list[tuple[float, bool]]:
        """Whether the mover is in the enemy's control range at the parameters of a leg that matter, in order.

        Empty when it is never within an inch. The stretch within an inch is exact; sight in it is sampled.
        """
        if a.level != b.level:
            return self._control_upright(enemy, a, b)
        shares = {*self._within_inch(enemy, a, b), *self._over_pads(enemy, a, b)}
        return [(t, self.is_controlled(enemy, between(a, b, t))) for t in sorted(shares)]

    def _within_inch(self, enemy: Operative, a: Waypoint, b: Waypoint) -> Iterator[float]:
        rise = abs(a.level - enemy.level)
        if rise > CONTROL_RANGE + EPS:
            return
        limit = math.sqrt(max(0.0, (CONTROL_RANGE + EPS) ** 2 - rise * rise))
        if self.least_gap(enemy, a, b) > limit:
            return
        apart, middle = self.nearest(enemy, a, b)
        if max(0.0, apart) > limit:
            return
        length = math.hypot(b.x - a.x, b.y - a.y)
        first = self._crossing(enemy, a, b, middle, 0.0, limit)
        last = self._crossing(enemy, a, b, middle, 1.0, limit)
        yield from (0.0, 1.0, first, middle, last, *_steps(first, last, length))

    def _over_pads(self, enemy: Operative, a: Waypoint, b: Waypoint) -> Iterator[float]:
        """Where a leg is nearest to pads the enemy is on or at, and all along it when it comes to one of them."""
        for pad in self.pads:
            if not PadVisitor.of(enemy).touches(pad):
                continue
            low, high = 0.0, 1.0
            for _ in range(4):  # the gap is convex along the leg
                shares = np.linspace(low, high, 17)
                x, y = a.x + shares * (b.x - a.x), a.y + shares * (b.y - a.y)
                gaps = pad.gap(self.mover.operative.base, x, y, self.turn_at(a))
                least = int(np.argmin(gaps))
                low, high = shares[max(0, least - 1)], shares[min(16, least + 1)]
            if gaps[least] <= EPS:
                yield from (0.0, 1.0, float(shares[least]), *_steps(0.0, 1.0, math.hypot(b.x - a.x, b.y - a.y)))

    def _control_upright(self, enemy: Operative, a: Waypoint, b: Waypoint) -> list[tuple[float, bool]]:
        span = b.level - a.level
        shares = {0.0, 1.0, *_steps(0.0, 1.0, abs(span))}
        if 0 < (enemy.level - a.level) / span < 1:
            shares.add((enemy.level - a.level) / span)
        found = [(t, self.is_controlled(enemy, between(a, b, t))) for t in sorted(shares)]
        return found if any(inside for _, inside in found) else []

    def _crossing(self, enemy: Operative, a: Waypoint, b: Waypoint, near: float, far: float, limit: float) -> float:
        """Where between the nearest point and an end of the leg the distance passes the limit."""
        if self.gap(enemy, between(a, b, far)) <= limit:
            return far
        for _ in range(40):
            middle = (near + far) / 2
            if self.gap(enemy, between(a, b, middle)) <= limit:
                near = middle
            else:
                far = middle
        return near


def _along(other: Operative, a: Waypoint, b: Waypoint) -> tuple[float, float]:
    """Where along a leg the centres are nearest, and how far they are apart there."""
    dx, dy = b.x - a.x, b.y - a.y
    long = dx * dx + dy * dy
    t = 0.0 if long == 0 else min(1.0, max(0.0, ((other.x - a.x) * dx + (other.y - a.y) * dy) / long))
    return t, math.hypot(a.x + t * dx - other.x, a.y + t * dy - other.y)


def between(a: Waypoint, b: Waypoint, t: float) -> Waypoint:
    """The point of a leg at a parameter; the base keeps the turn it started the leg with."""
    if t >= 1.0:
        return Waypoint(b.x, b.y, b.level, a.turn)
    return Waypoint(a.x + t * (b.x - a.x), a.y + t * (b.y - a.y), a.level + t * (b.level - a.level), a.turn)


def _steps(first: float, last: float, length: float) -> Iterator[float]:
    count = int((last - first) * length / SAMPLE)
    for step in range(1, count + 1):
        yield first + (last - first) * step / (count + 1)


def _is_near(one: Operative, two: Operative) -> bool:
    """Are circles around the two bases within an inch of each other?"""
    return math.hypot(one.x - two.x, one.y - two.y) <= _reach(one) + _reach(two) + CONTROL_RANGE + EPS


def _reach(operative: Operative) -> float:
    return max(operative.base.along, operative.base.across)
