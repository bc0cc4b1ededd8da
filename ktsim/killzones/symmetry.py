"""Is a layout fair? Turned by half a turn about the middle of the board it must fall onto itself.

Pieces count by their kind: stronghold A faces stronghold B. A piece without a counterpart is fair only on the
centre line, as near to one side as to the other.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np
from numpy.typing import NDArray

from ktsim.killzones.killzone_file import Killzone, Zone

SAME = 0.011
"""Coordinates are written to 0.01 or finer; nearer than this they are the same."""

Point = tuple[float, float]


def asymmetries(killzone: Killzone) -> Iterator[tuple[int, str]]:
    """Line and sentence for everything without a counterpart."""
    if killzone.symmetry == "none":
        return
    yield from _pieces(killzone)
    yield from _own_features(killzone)
    yield from _walls(killzone)
    zones = (("drop zones", killzone.drop_zones), ("territories", killzone.territories))
    areas = tuple(Zone(area.id, area.outline) for area in killzone.terrain.areas)
    for key, group in (*zones, ("hazardous areas", areas)):
        for zone in group:
            if not any(_same_corners(_turned(killzone, zone.outline), other.outline) for other in group):
                yield killzone.line(f"{key} {zone.id}"), _lonely(f"'{zone.id}' of the {key}")
    for objective in killzone.objectives:
        x, y = _turned(killzone, [objective.at[:2]])[0]
        wanted = np.array([x, y, objective.at[2]])
        if not any(np.abs(wanted - other.at).max() <= SAME for other in killzone.objectives):
            yield killzone.line(f"objective {objective.id}"), _lonely(f"the objective '{objective.id}'")


def _lonely(what: str) -> str:
    return f"{what} has no counterpart on the other side; add one, or say 'symmetry: none'"


def _turned(killzone: Killzone, points: Iterable[Point]) -> list[Point]:
    width, height = killzone.terrain.board
    return [(width - x, height - y) for x, y in points]


def _same_corners(one: Iterable[Point], other: Iterable[Point]) -> bool:
    a, b = np.array(list(one)), np.array(list(other))
    if len(a) != len(b):
        return False
    apart = np.abs(a[:, None] - b[None]).max(axis=2) <= SAME
    return bool(apart.any(axis=0).all() and apart.any(axis=1).all())


def _across(killzone: Killzone) -> NDArray[np.float64]:
    """The direction from one drop zone to the other."""
    if len(killzone.drop_zones) != 2:
        return np.array([1.0, 0.0])
    one, other = (np.array(zone.outline).mean(axis=0) for zone in killzone.drop_zones)
    away = other - one
    return np.asarray(away / max(1e-9, float(np.linalg.norm(away))))


def _on_centre_line(killzone: Killzone, at: Point) -> bool:
    middle = np.array(killzone.terrain.board) / 2
    return abs(float((np.array(at) - middle) @ _across(killzone))) <= SAME


def _pieces(killzone: Killzone) -> Iterator[tuple[int, str]]:
    kinds = {id: killzone.piece(placement).kind for id, placement in killzone.pieces.items()}
    for id, placement in killzone.pieces.items():
        spot = _turned(killzone, [placement.at[:2]])[0]
        partners = [
            other
            for other_id, other in killzone.pieces.items()
            if kinds[other_id] == kinds[id]
            and np.abs(np.array([*spot, placement.at[2]]) - other.at).max() <= SAME
            and (other is placement or _half_turn(placement.turn, other.turn))
            and other.mirror == placement.mirror
        ]
        if not partners and not _on_centre_line(killzone, placement.at[:2]):
            yield killzone.line(f"piece {id}"), _lonely(f"the piece '{id}'")


def _half_turn(one: float, other: float) -> bool:
    return abs((one - other) % 360 - 180) <= 0.05


def _own_features(killzone: Killzone) -> Iterator[tuple[int, str]]:
    """Features with shapes of their own, by the boxes around their parts."""
    placed = {id for feature in killzone.terrain.features for id in feature.id.split("+")} & set(killzone.pieces)
    own = [f for f in killzone.terrain.features if f.kind != "wall" and not set(f.id.split("+")) & placed]
    middle = np.array([*killzone.terrain.board, 0.0])
    boxes = []
    for feature in own:
        for part in feature.parts:
            boxes.append((part.traits, part.triangles.min(axis=(0, 1)), part.triangles.max(axis=(0, 1)), feature.id))
    told = set()
    flip = np.array([-1.0, -1.0, 1.0])
    for traits, low, high, id in boxes:
        a, b = middle + low * flip, middle + high * flip
        low2, high2 = np.minimum(a, b), np.maximum(a, b)
        found = any(
            traits == other[0] and np.abs(low2 - other[1]).max() <= SAME and np.abs(high2 - other[2]).max() <= SAME
            for other in boxes
        )
        centre = (low + high)[:2] / 2
        if not found and id not in told and not _on_centre_line(killzone, (float(centre[0]), float(centre[1]))):
            told.add(id)
            yield killzone.line(f"piece {id}"), _lonely(f"the feature '{id}'")


def _walls(killzone: Killzone) -> Iterator[tuple[int, str]]:
    lines = killzone.terrain.walls
    for line in lines:
        ends = _turned(killzone, [line.start, line.end])
        partners = [
            other
            for other in lines
            if _same_corners(ends, [other.start, other.end])
            and (other.hatchway is None, other.breach) == (line.hatchway is None, line.breach)
        ]
        if not partners:
            yield killzone.line(f"piece {line.id}"), _lonely(f"the wall '{line.id}'")
