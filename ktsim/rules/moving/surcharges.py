"""What a base pays for on its way: razor wire (KT24-E-RAZOR-WIRE, KT24-MOVE-6a), Traversable parts (KT21-TERRAIN)."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ktsim.geometry.plane import hull
from ktsim.rules.moving.form import Array, Form
from ktsim.rules.moving.shadow import Shadow

WIRE_REACH = 1.0
"""How far around it a wire is still paid for (inches)."""

WIRE_COST = 1

ROUND = 64
"""Corners of the circle that rounds the ends of a wire's surroundings (good to a thousandth of an inch)."""

FINE = 9
"""Decimal digits to which corners of those surroundings are told apart."""


@dataclass(frozen=True, eq=False)
class Surcharge:
    """Something that costs a base *inches* more on every increment on which any of it meets the *shadow*.

    Reading of KT24-MOVE-6a: the surroundings of razor wire reach an inch from it on all sides, and an increment is
    paid for that comes into them, goes through them or begins in them; going along the wire is no cheaper than going
    over it, and moving on inside is paid again with every further increment. Going straight up or down is no increment
    through them. Of Traversable parts each one is paid for by itself. *is_solid*: no increment ends in it.
    """

    inches: int
    note: str
    shadow: Shadow
    is_solid: bool

    def is_met(self, form: Form, a: tuple[float, float], b: tuple[float, float]) -> bool:
        return self.shadow.meets(form, a, b) >= 0 or self.shadow.under(*a) >= 0

    @cached_property
    def box(self) -> tuple[Array, Array]:
        """Its least and greatest x and y."""
        corners = self.shadow.pieces.reshape(-1, 2)
        return corners.min(axis=0), corners.max(axis=0)

    def gap(self, low: Array, high: Array) -> float:
        """At least how far it is from a box."""
        mine = self.box
        return float(np.hypot(*np.maximum(0.0, np.maximum(mine[0] - high, low - mine[1]))))


def wire_surcharges(parts: Iterable[tuple[str, Array]]) -> tuple[Surcharge, ...]:
    """One surcharge per feature made of wire: all within an inch of its outline seen from above."""
    points: dict[str, list[Array]] = {}
    for feature, flat in parts:
        points.setdefault(feature, []).append(flat.reshape(-1, 3)[:, :2])
    angles = np.arange(ROUND) * (2 * math.pi / ROUND)
    circle = WIRE_REACH * np.stack([np.cos(angles), np.sin(angles)], axis=1)
    surcharges = []
    for feature, found in points.items():
        corners = hull(np.concatenate(found), FINE)
        ring = hull((corners[:, None] + circle[None]).reshape(-1, 2), FINE)
        fan = np.hstack([np.repeat(ring[:1], len(ring) - 2, axis=0), ring[1:-1], ring[2:]])
        note = f'{feature} is razor wire, +{WIRE_COST}"'
        surcharges.append(Surcharge(WIRE_COST, note, Shadow.of([(0, fan)]), is_solid=False))
    return tuple(surcharges)
