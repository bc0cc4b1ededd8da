"""Can an operative be where a scene says it is (SIGHT-5, KT24-MOVE-2)? A floor under it, and not inside terrain.

Everything is asked of the base, in numpy: scenes are read before any kernel is compiled.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from ktsim.geometry.plane import is_enclosed, to_segments
from ktsim.geometry.solids import is_closed
from ktsim.sight.scene import EPS, MM, Operative, Part, Scene, is_air

Array = NDArray[np.float64]

SAME_LEVEL = 0.05
"""A base this near (inches) to the top of a Vantage part stands on it; users' files are rarely more exact."""

LEVEL_DEPTH = 0.06
"""How far below the top of a Vantage its surface may lie and still be stood on: bevels and grooves."""

TOUCH = 0.01
"""A base that runs into something by less than this (inches) touches it."""

THICKNESS = 3.5 * MM
STEP, FARTHEST = 0.1, 6.0
"""A free place is looked for on rings this far apart, up to this far away (inches)."""
STAIRS = frozenset({"stairs", "slope"})
LADDER = "ladder"
"""Insignificant, but not ended on (KT24-E-LADDERS)."""


def upper_side(triangles: Array, level: float) -> Array:
    """The faces (m, 6) one can stand on: those that look up, near the top at *level*."""
    a, b, c = (triangles[:, i, :2] for i in range(3))
    twice = (b[:, 0] - a[:, 0]) * (c[:, 1] - a[:, 1]) - (b[:, 1] - a[:, 1]) * (c[:, 0] - a[:, 0])
    near = (triangles[:, :, 2] >= level - LEVEL_DEPTH).all(axis=1)
    return np.ascontiguousarray(triangles[near & (twice > 1e-12)][:, :, :2].reshape(-1, 6))


def levels(scene: Scene) -> tuple[float, ...]:
    """SIGHT-5: the floor and the top of each Vantage part."""
    tops = {round(part.top, 6) for part in scene.parts() if "vantage" in part.traits}
    return (0.0, *sorted(top for top in tops if top > EPS))


def levels_under(scene: Scene, one: Operative) -> tuple[float, ...]:
    """The levels on which the operative could stand at its place: there is a floor, and it is not inside terrain."""
    places = (replace(one, level=level) for level in levels(scene))
    return tuple(place.level for place in places if why_not(scene, place) is None)


def why_not(scene: Scene, one: Operative) -> str | None:
    """Why the operative cannot be where it is; None when it can. A base may hang over an edge if it would not fall,
    and run into things a little: that happens on real tables (see :func:`doubts`)."""
    if not one.level <= SAME_LEVEL:
        support = _Support(scene, one)
        if not support.holds:
            if support.names:
                return f"its base hangs over the edge of {support.names[0]} and would fall"
            return "there is no floor under it"
    around = next((part.key for part in _solids(scene, one) if _is_wholly_in(one, part)), None)
    if around is None and _is_wholly_in(one, *_solids(scene, one)):
        around = "terrain"
    return None if around is None else f"it is wholly inside {around}"


def place_problem(scene: Scene, one: Operative) -> str | None:
    """A sentence that says why the operative cannot be where it is, and where it could be; None when it can."""
    why = why_not(scene, one)
    if why is None:
        return None
    where = f"the operative '{one.id}' cannot be at [{one.x:g}, {one.y:g}] on level {one.level:g}: {why}"
    found = sorted(levels_under(scene, one), key=lambda level: abs(level - one.level))
    if found:
        return f"{where}; the nearest level with a floor under it is {found[0]:g}"
    free = _free_place(scene, one)
    if free is None:
        return f"{where}; no level has a free floor there: put it elsewhere"
    return f"{where}; no level has a free floor there, the nearest free place is [{free.x:g}, {free.y:g}] on level 0"


def doubts(scene: Scene) -> tuple[str, ...]:
    """What cannot quite be so on a real table: bases that run into terrain or into each other."""
    found = []
    for one in scene.operatives:
        for part in _solids(scene, one):
            deep = _depth(one, part)
            if deep > TOUCH:
                how = f'{deep:.2f}" into' if math.isfinite(deep) else "with its middle into"
                found.append(f"{one.id}'s base runs {how} {part.key}; it is ruled where it stands.")
    for one, two in combinations(scene.operatives, 2):
        deep = _overlap(one, two)
        if deep > TOUCH:
            found.append(f'The bases of {one.id} and {two.id} overlap by {deep:.2f}"; they are ruled where they stand.')
    return tuple(found)


# ---- what holds a base ----


class _Support:
    """The Vantage under a base: the parts, and whether the base stays up on them."""

    def __init__(self, scene: Scene, one: Operative) -> None:
        spots, self.names = [], []
        for part in scene.parts():
            if "vantage" in part.traits and abs(part.top - one.level) <= SAME_LEVEL:
                faces = _in_frame(one, upper_side(part.triangles, part.top).reshape(-1, 3, 2))
                touched = _met_by_disc(faces)
                if len(touched):
                    spots.append(touched)
                    self.names.append(part.key)
        self.holds = bool(spots) and _is_held(np.concatenate(spots))


def _is_held(spots: Array) -> bool:
    """Does the middle of a unit disc lie among the points it rests on? Else it falls over the side without any."""
    angles = np.sort(np.arctan2(spots[:, 1], spots[:, 0]))
    at_middle = np.hypot(spots[:, 0], spots[:, 1]) < 1e-9
    gaps = np.diff([*angles, angles[0] + 2 * math.pi])
    return bool(at_middle.any() or gaps.max() <= math.pi + 1e-9)


def _met_by_disc(faces: Array) -> Array:
    """The corners of what the unit disc shares with triangles (n, 3, 2); the middle itself where one is over it."""
    low, high = faces.min(axis=1), faces.max(axis=1)
    near = faces[((low < 1) & (high > -1)).all(axis=1)]
    if not len(near):
        return np.empty((0, 2))
    start, way = near, np.roll(near, -1, axis=1) - near
    turned = start[..., 0] * way[..., 1] - start[..., 1] * way[..., 0]
    over = (turned >= -1e-12).all(axis=1) | (turned <= 1e-12).all(axis=1)
    start, way = start.reshape(-1, 2), way.reshape(-1, 2)
    a, b, c = (way**2).sum(axis=1), (start * way).sum(axis=1), (start**2).sum(axis=1) - 1
    root = np.sqrt(np.maximum(b * b - a * c, 0))
    meets = (b * b > a * c) & (a > 0)
    spots = [start[c <= 0], np.zeros((int(over.any()), 2))]
    for sign in (-1, 1):
        t = (-b + sign * root) / np.where(a > 0, a, 1)
        on = meets & (t >= 0) & (t <= 1)
        spots.append(start[on] + t[on, None] * way[on])
    return np.concatenate(spots)


# ---- what a base may be in ----


@dataclass(frozen=True, eq=False)
class _Section:
    """A solid part as it stands at the height of a base."""

    key: str
    edges: Array
    is_closed: bool


def _solids(scene: Scene, one: Operative) -> list[_Section]:
    """What a base on that level can run into near its place; not gaps and openings, nor what it stands over."""
    z = one.level + THICKNESS / 2
    reach = max(one.base.along, one.base.across)
    found = []
    for part in scene.parts():
        if _is_solid(part) and part.bottom < z < part.top and _is_near(part, one, reach):
            edges = _section(part.triangles, z)
            low = np.minimum(edges[:, :2], edges[:, 2:]).min(axis=0, initial=math.inf)
            high = np.maximum(edges[:, :2], edges[:, 2:]).max(axis=0, initial=-math.inf)
            if (low < (one.x + reach, one.y + reach)).all() and (high > (one.x - reach, one.y - reach)).all():
                found.append(_Section(part.key, edges, is_closed(part.triangles)))
    return found


def _is_near(part: Part, one: Operative, reach: float) -> bool:
    """Whether the box around a part comes as near as that in plan: most do not, and are not cut open."""
    (x0, y0, _), (x1, y1, _) = part.box
    return bool(x0 < one.x + reach and y0 < one.y + reach and x1 > one.x - reach and y1 > one.y - reach)


def _is_solid(part: Part) -> bool:
    is_gap = part.traits == frozenset({"blocking"})
    is_low = "insignificant" in part.traits and "wall" not in part.traits and part.kind != LADDER
    is_step = part.kind in STAIRS or is_low
    return not (is_gap or is_step or is_air(part))


def _section(triangles: Array, z: float) -> Array:
    """The edges (m, 4) in which a mesh meets the plane at height *z*; a corner exactly there counts as above."""
    up = triangles[:, :, 2] >= z
    cut = triangles[(up.any(axis=1)) & ~up.all(axis=1)]
    up = cut[:, :, 2] >= z
    # the corner that is alone on its side first: both other edges of the triangle are met
    alone = np.argmax(up == (up.sum(axis=1) == 1)[:, None], axis=1)
    rows = np.arange(len(cut))
    apex = cut[rows, alone]
    ends = []
    for step in (1, 2):
        other = cut[rows, (alone + step) % 3]
        t = (z - apex[:, 2]) / (other[:, 2] - apex[:, 2])
        ends.append(apex[:, :2] + t[:, None] * (other - apex)[:, :2])
    return np.hstack(ends) if len(cut) else np.empty((0, 4))


def _is_wholly_in(one: Operative, *parts: _Section) -> bool:
    """Is all of the base inside closed parts?"""
    closed = [part.edges for part in parts if part.is_closed]
    return bool(closed) and all(any(is_enclosed(edges, x, y) for edges in closed) for x, y in _spread(one))


def _spread(one: Operative) -> Iterator[tuple[float, float]]:
    """Points all over a base, its rim first."""
    angle = math.radians(one.turn)
    c, s = math.cos(angle), math.sin(angle)
    for ring, count in ((1.0, 64), (0.75, 32), (0.5, 16), (0.25, 8), (0.0, 1)):
        for turn in 2 * math.pi * np.arange(count) / count:
            u, v = ring * one.base.along * math.cos(turn), ring * one.base.across * math.sin(turn)
            yield one.x + u * c - v * s, one.y + u * s + v * c


def _depth(one: Operative, part: _Section) -> float:
    """How far a part runs into a base from its rim; inf when the base's middle is inside it; 0 when it does not."""
    if part.is_closed and is_enclosed(part.edges, one.x, one.y):
        return math.inf
    start, end = part.edges[:, :2], part.edges[:, 2:]
    frame = _in_frame(one, np.stack([start, end], axis=1))
    away = to_segments(np.zeros(2), frame[:, 0], frame[:, 1])
    near = away < 1
    if not near.any():
        return 0.0
    if one.base.is_round:
        return float(one.base.along * (1 - away.min()))
    along = np.linspace(0, 1, 65)[:, None]
    spots = np.concatenate([p + along * (q - p) for p, q in zip(start[near], end[near], strict=True)])
    spots = spots[np.hypot(*_in_frame(one, spots).T) < 1]
    return _inwards(one, spots)


def _inwards(one: Operative, spots: Array) -> float:
    """Of points on an oval base the greatest distance from its rim."""
    turns = np.linspace(0, 2 * math.pi, 721)
    rim = np.stack([one.base.along * np.cos(turns), one.base.across * np.sin(turns)], axis=1)
    frame = _in_frame(one, spots) * (one.base.along, one.base.across)
    return max((float(np.hypot(*(rim - spot).T).min()) for spot in frame), default=0.0)


def _overlap(one: Operative, two: Operative) -> float:
    """How far two bases run into each other; 0 when they do not."""
    apart = math.hypot(one.x - two.x, one.y - two.y)
    if abs(one.level - two.level) >= THICKNESS or apart >= sum(max(o.base.along, o.base.across) for o in (one, two)):
        return 0.0
    if one.base.is_round and two.base.is_round:
        return one.base.along + two.base.along - apart
    # the direction in which the shadows of the two share least
    turns = np.linspace(0, 2 * math.pi, 721)
    ways = np.stack([np.cos(turns), np.sin(turns)], axis=1)
    shared = _supports(one, ways) + _supports(two, ways) - ways @ np.array([two.x - one.x, two.y - one.y])
    return max(0.0, float(shared.min()))


def _supports(one: Operative, ways: Array) -> Array:
    angle = math.radians(one.turn)
    c, s = math.cos(angle), math.sin(angle)
    along, across = ways @ np.array([c, s]), ways @ np.array([-s, c])
    return np.asarray(np.hypot(one.base.along * along, one.base.across * across))


def _in_frame(one: Operative, points: Array) -> Array:
    """Points (..., 2) as seen from the base, stretched so that it is a disc of radius 1."""
    angle = math.radians(one.turn)
    c, s = math.cos(angle), math.sin(angle)
    frame = np.array([[c / one.base.along, s / one.base.along], [-s / one.base.across, c / one.base.across]])
    return np.asarray((points - (one.x, one.y)) @ frame.T)


def _free_place(scene: Scene, one: Operative) -> Operative | None:
    """The nearest place on the floor, of those looked at, where the base is clear of terrain and of other bases."""
    width, depth = scene.terrain.board
    reach = max(one.base.along, one.base.across)
    others = scene.others(one.id)
    for ring in range(1, round(FARTHEST / STEP) + 1):
        for turn in 2 * math.pi * np.arange(16) / 16:
            x, y = one.x + ring * STEP * math.cos(turn), one.y + ring * STEP * math.sin(turn)
            spot = replace(one, x=round(x, 2), y=round(y, 2), level=0.0)
            if not (reach <= spot.x <= width - reach and reach <= spot.y <= depth - reach):
                continue
            if all(_depth(spot, part) <= 0 for part in _solids(scene, spot)) and not any(
                _overlap(spot, other) > 0 for other in others
            ):
                return spot
    return None
