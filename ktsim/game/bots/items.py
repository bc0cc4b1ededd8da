"""Where a bot sets up what it has bought: before the markers it will hold, across the way the enemy comes."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from math import atan2, degrees
from typing import Any

from ktsim.game.bots.preparations import Preparing
from ktsim.geometry.plane import Outline, length
from ktsim.rules.engine.decisions import Pick, Place
from ktsim.rules.engine.placing import PuttingDown
from ktsim.rules.engine.state import Point, other

BEFORE = 1800
"""Thousandths of an inch before a marker: whoever holds it stands between the two."""
AROUND = sorted(product((-1400, -700, 0, 700, 1400), repeat=2), key=lambda step: length(*step))
"""Steps from the best place, nearest first, that are tried where it is taken."""
MARKERS = 3
SAMPLES = 16
TAKEN = 4000
"""Thousandths of an inch around a marker within which a piece guards it already."""


def place_item(on: Preparing, decision: Place) -> tuple[Point, str] | None:
    """Before the nearest marker that has nothing yet; else as near to that as there is room."""
    goals = _goals(on)
    if not isinstance(decision, Place) or not goals:
        return None
    for x, y in goals:
        for dx, dy in AROUND:
            place = (round(x + dx), round(y + dy), 0)
            if decision.check(place) is None:
                return place, "Before what is to be held."
    samples = [decision.sample(on.rng) for _ in range(SAMPLES)]
    return min(samples, key=lambda place: min(length(place[0] - x, place[1] - y) for x, y in goals)), "Near enough."


def turned(on: Preparing, decision: Pick) -> tuple[str, str] | None:
    """Broadside to the enemy."""
    about = decision.about
    if not isinstance(about, PuttingDown):
        return None
    x, y = _towards(on, (about.piece.x, about.piece.y))
    wanted = degrees(atan2(y, x)) - 90

    def off(key: str) -> float:
        return abs((float(key) - wanted + 90) % 180 - 90)

    return min(decision.open_keys, key=lambda key: (off(key), key)), "Broadside to the enemy."


def _goals(on: Preparing) -> list[tuple[float, float]]:
    """Places before the markers nearest to the own drop zone, those without a piece first."""
    state, home = on.prospect.state, _middle(on.prospect.battle.drop_zone(on.prospect.side))
    markers = [marker for marker in state.markers.values() if marker.kind == "objective"]
    markers.sort(key=lambda marker: (length(marker.x - home[0], marker.y - home[1]), marker.id))
    found = []
    for marker in markers[:MARKERS]:
        near = [p for p in state.pieces.values() if length(p.x - marker.x, p.y - marker.y) < TAKEN]
        x, y = _towards(on, (marker.x, marker.y))
        found.append((len(near), marker.x + BEFORE * x, marker.y + BEFORE * y))
    return [(x, y) for _, x, y in sorted(found, key=lambda each: each[0])]


def _towards(on: Preparing, point: tuple[float, float]) -> tuple[float, float]:
    """The direction from a point to the middle of the enemy drop zone."""
    x, y = _middle(on.prospect.battle.drop_zone(other(on.prospect.side)))
    far = max(1.0, length(x - point[0], y - point[1]))
    return (x - point[0]) / far, (y - point[1]) / far


def _middle(outline: Outline) -> tuple[float, float]:
    """In thousandths of an inch."""
    x, y = (1000 * sum(each) / len(outline) for each in zip(*outline, strict=True))
    return x, y


SETTING_UP: dict[str, Callable[[Preparing, Any], tuple[Any, str] | None]] = {"place item": place_item, "turn": turned}
"""By topic."""
