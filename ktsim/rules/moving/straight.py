"""Straight-line moving on one level: swept bases against enemies, the board's edge and terrain seen from above.

The whole of moving (climbing, dropping, jumping, planning) can stand behind the same interface.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise, product
from math import ceil
from random import Random

import numpy as np
from numpy.typing import NDArray

from ktsim.geometry.plane import clipped, distance_to_segment, gaps, length, turns
from ktsim.rules.engine.decisions import CANCEL
from ktsim.rules.engine.state import OperativeState, Path, Point, State, milli
from ktsim.rules.engine.table import CONTROL_RANGE, MoveRequest, MoveVerdict, Table
from ktsim.rules.moving.openings import Opening, door_opening
from ktsim.rules.moving.paces import paces
from ktsim.sight.pads import Pad, pad_under, pads_of
from ktsim.sight.scene import EPS, Base, Edition, Part, Terrain

Array = NDArray[np.float64]

PASSED = frozenset({"ladder", "wire", "stakes", "foot", "pad"})
"""Kinds of parts that do not stop a base."""

HEADROOM = 1.5
"""Terrain that begins higher than this above the level is passed underneath."""


CENTRE = 0.02
"""The radius of a base's centre."""
TELEPORTED = 0.3
"""How often a suggestion is the other teleport pad, where that is possible."""

WALL, JAMBS = "wall", 0.5
"""A wall is cut where a doorway is in it, so far (inches) to either side of the doorway: doors are thinner."""


class Obstacles:
    """Terrain seen from above: the triangles of the parts that stand in the way on one level.

    ``doorways`` are its Accessible parts that stand on the level (KT24-MOVE-6): doors, open access points.
    """

    def __init__(self, terrain: Terrain, states: dict[str, str], level: float) -> None:
        found: list[tuple[str, str, Array]] = []
        self.doorways: list[Opening] = []
        for feature in terrain.features:
            parts = feature.parts_in(states.get(feature.id))
            ways = [p for p in parts if "accessible" in p.traits and p.bottom <= level + 0.05 < p.top]
            self.doorways += map(door_opening, ways)
            for part in parts:
                if part.traits & {"blocking", "accessible"} or part.kind in PASSED:
                    continue
                if part.top > level + 0.05 and part.bottom < level + HEADROOM:
                    is_wall = part.kind == WALL
                    outline = outline_of(part, tuple(ways) if is_wall else ())
                    found.append((feature.id, feature.id if is_wall else "", outline))
        self.names = [name for name, _, flat in found for _ in range(len(flat))]
        self.walls = np.array([wall for _, wall, flat in found for _ in range(len(flat))], dtype=object)
        self.flat: Array = np.concatenate([flat for *_, flat in found]) if found else np.zeros((0, 3, 2))
        # One array per bound: comparing them is several times quicker than reducing pairs.
        self.left, self.lower = np.ascontiguousarray(self.flat.min(axis=1).T)
        self.right, self.upper = np.ascontiguousarray(self.flat.max(axis=1).T)
        # The same path is asked about as it is suggested, checked and walked.
        self.hit = lru_cache(maxsize=4096)(self._hit)

    def stops(self, a: tuple[float, float], b: tuple[float, float], radius: float) -> str | None:
        """The feature that a base going from *a* to *b* is stopped by, if any.

        Of a doorway only the centre has to pass (KT24-MOVE-6): while the base is in it, the wall around it is asked
        about the centre alone.
        """
        ways = [way for way in self.doorways if way.is_between(a, b)]
        if len(ways) != 1:
            return self.hit(a, b, radius)
        (way,) = ways
        (_, one), (_, two) = way.local(*a), way.local(*b)
        reach = way.half_depth + JAMBS + radius
        first, last = sorted(min(1.0, max(0.0, (one - v) / (one - two))) for v in (reach, -reach))
        here, there = ((a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1])) for t in (first, last))
        return (
            self.hit(a, here, radius)
            or self.hit(here, there, radius, but=way.feature)
            or self.hit(here, there, CENTRE)
            or self.hit(there, b, radius)
        )

    def _hit(self, a: tuple[float, float], b: tuple[float, float], radius: float, but: str = "") -> str | None:
        """The feature that a circle of *radius* moving from *a* to *b* touches, if any; *but* walls of one."""
        if not len(self.flat):
            return None
        across = (self.left <= max(a[0], b[0]) + radius) & (self.right >= min(a[0], b[0]) - radius)
        along = (self.lower <= max(a[1], b[1]) + radius) & (self.upper >= min(a[1], b[1]) - radius)
        near = np.nonzero(across & along & (self.walls != but) if but else across & along)[0]
        if not len(near):
            return None
        apart = gaps(np.array(a), np.array(b), self.flat[near])
        first = int(np.argmin(apart))
        return self.names[near[first]] if apart[first] < radius - EPS else None

    def crossed(self, a: tuple[float, float], b: tuple[float, float]) -> int:
        """How many doorways the centre of a base goes through on its way from *a* to *b*."""
        return sum(way.is_between(a, b) for way in self.doorways)

    def stands_in(self, at: tuple[float, float], radius: float) -> str | None:
        """The feature in whose doorway a circle of *radius* would be."""
        return next((way.feature for way in self.doorways if way.from_point(*at) < radius - EPS), None)


@lru_cache(maxsize=4096)
def outline_of(part: Part, ways: tuple[Part, ...]) -> Array:
    """The ground a part covers, as triangles (n, 3, 2), without the doorways in it.

    A part is a closed mesh: its triangles that face upwards cover all that the others do.
    """
    flat = part.triangles[:, :, :2]
    upward = flat[turns(flat[:, 0], flat[:, 1], flat[:, 2]) > 0]
    for way in ways:
        upward = without(upward, door_opening(way))
    return upward


def without(flat: Array, way: Opening) -> Array:
    """Triangles (n, 3, 2) of a wall without what is of them in a doorway."""
    bounds = ((0, way.half_width), (1, way.half_depth + JAMBS))
    kept: list[Array] = []
    for triangle in flat:
        inside = [way.local(x, y) for x, y in triangle]
        for (axis, bound), sign in product(bounds, (1, -1)):
            outside = clipped(inside, axis, sign, bound)
            corners = [way.world(*point) for point in outside]
            kept += [np.array((corners[0], *pair)) for pair in pairwise(corners[1:])]
            inside = clipped(inside, axis, -sign, -bound)
    return np.array(kept).reshape(-1, 3, 2)


DIRECTIONS = tuple((dx, dy) for dx in range(-2, 3) for dy in range(-2, 3) if 2 in (abs(dx), abs(dy)))
"""Sixteen directions in whole numbers, so that they are the same on every machine."""


class StraightMover:
    """Moves in straight increments on the level the operative stands on."""

    def __init__(self, edition: Edition = "kt24") -> None:
        self._paces = paces(edition)

    def _footprint(self, table: Table, state: State, level: int) -> Obstacles:
        terrain = table.terrain_in(state)
        known: dict[object, Obstacles] = terrain.kept.setdefault("footprints", {})
        key = (tuple(sorted(state.terrain.items())), level)
        if key not in known:
            known[key] = Obstacles(terrain, state.terrain, level / 1000)
        return known[key]

    # -- standing ------------------------------------------------------------------------------------

    def refuses_to_stand(self, table: Table, state: State, operative: str, at: Point) -> str | None:
        who = state.operatives[operative]
        radius = table.radius(who)
        x, y, level = at[0] / 1000, at[1] / 1000, at[2]
        width, depth = table.terrain.board
        if not (radius - EPS <= x <= width - radius + EPS and radius - EPS <= y <= depth - radius + EPS):
            return "The base would not be on the board."
        if level != who.level and who.is_in_killzone:
            return "The move stays on one level."
        for each in state.operatives.values():
            if each.id == operative or not each.is_in_killzone or each.level != level:
                continue
            if length(each.x - at[0], each.y - at[1]) / 1000 < radius + table.radius(each) - EPS:
                return f"The base would overlap {each.name}'s."
        footprint = self._footprint(table, state, level)
        if feature := footprint.hit((x, y), (x, y), radius) or footprint.stands_in((x, y), radius):
            return f"The base would stand in {feature}."
        return _pad_refusal(table, state, who, at)

    # -- moving --------------------------------------------------------------------------------------

    def judge(self, table: Table, state: State, request: MoveRequest, path: Path) -> MoveVerdict:
        who = state.operatives[request.operative]
        cost, here = request.since or 0, who.point
        if request.teleports and len(path) == 1 and (pad := _other_pad(table, who, path[0])) is not None:
            return self._judge_teleport(table, state, request, pad, path[0])
        held: set[str] = set()
        for number, there in enumerate(path, 1):
            if there[2] != who.level:
                return MoveVerdict(cost, f"Leg {number}: the move stays on one level.")
            cost += ceil(length(there[0] - here[0], there[1] - here[1]) / 1000 - EPS)
            cost += self._surcharges(table, state, who.level, here, there)
            if cost > request.allowance:
                return MoveVerdict(cost, f'{request.action}: {cost}" is more than the {request.allowance}" allowed.')
            blocked = self._leg_blocked(table, state, who, here, there) or self._control_refusal(
                table, state, request, who, here, there, held
            )
            if blocked:
                return MoveVerdict(cost, f"Leg {number}: {blocked}")
            here = there
        return MoveVerdict(cost, self._end_refusal(table, state, request, here, held), walk=cost)

    def _judge_teleport(self, table: Table, state: State, request: MoveRequest, pad: Pad, to: Point) -> MoveVerdict:
        """KZ-TOMB-PAD: whoever stands on the other pad swaps, and so is in nobody's way."""
        lifted = state.copy()
        for each in lifted.operatives.values():
            if each.id != request.operative and pad.is_under(*_inches(each.point)):
                each.is_set_up = False
        return MoveVerdict(0, self._end_refusal(table, lifted, request, to, set()), teleports=True)

    def _surcharges(self, table: Table, state: State, level: int, here: Point, there: Point) -> int:
        """1" more for each doorway (KT24-MOVE-6)."""
        a, b = (here[0] / 1000, here[1] / 1000), (there[0] / 1000, there[1] / 1000)
        return self._footprint(table, state, level).crossed(a, b)

    def _leg_blocked(self, table: Table, state: State, who: OperativeState, here: Point, there: Point) -> str | None:
        radius = table.radius(who)
        a, b = (here[0] / 1000, here[1] / 1000), (there[0] / 1000, there[1] / 1000)
        friends = [] if self._paces.passes_friends else state.friends(who.id)
        for other in (*state.enemies(who.id), *friends):
            if other.level != who.level:
                continue
            gap = distance_to_segment(other.x / 1000, other.y / 1000, a, b)
            if gap < radius + table.radius(other) - EPS:
                return f"{other.name}'s base is in the way."
        footprint = self._footprint(table, state, who.level)
        feature = footprint.stops(a, b, radius) or footprint.stands_in(b, radius)
        return f"{feature} is in the way." if feature else None

    def _control_refusal(
        self,
        table: Table,
        state: State,
        request: MoveRequest,
        who: OperativeState,
        here: Point,
        there: Point,
        held: set[str],
    ) -> str | None:
        """What the leg does with enemies' control ranges; notes in *held* whom a Charge may not leave any more."""
        if request.may_pass_control:
            return None
        for enemy in state.enemies(who.id):
            if not self._passes_control(table, state, who, enemy, here, there):
                continue
            is_shared = self._paces.shares_control
            if is_shared and any(table.in_control_range(state, f.id, enemy.id) for f in state.friends(who.id)):
                continue
            if not request.ends_in_control:
                return f"it would come into {enemy.name}'s {self._paces.near}."
            if is_shared:
                held.add(enemy.id)
        for id in sorted(held):
            if not table.in_control_range(state, who.id, id, there):
                return f"it may not leave {state.operatives[id].name}'s {self._paces.near} again."
        return None

    def _passes_control(
        self, table: Table, state: State, who: OperativeState, enemy: OperativeState, here: Point, there: Point
    ) -> bool:
        """Whether the leg comes into the enemy's control range: asked where it is nearest, and around there."""
        reach = table.radius(who) + table.radius(enemy) + CONTROL_RANGE
        a, b = (here[0] / 1000, here[1] / 1000), (there[0] / 1000, there[1] / 1000)
        if distance_to_segment(enemy.x / 1000, enemy.y / 1000, a, b) > reach + EPS:
            return False
        return any(table.in_control_range(state, who.id, enemy.id, at) for at in _along(here, there, enemy.point))

    def _end_refusal(self, table: Table, state: State, request: MoveRequest, end: Point, held: set[str]) -> str | None:
        if refused := self.refuses_to_stand(table, state, request.operative, end):
            return refused
        near = [
            e for e in state.enemies(request.operative) if table.in_control_range(state, request.operative, e.id, end)
        ]
        if request.ends_in_control:
            return None if near else f"{request.action} must end in an enemy's {self._paces.near}."
        return f"{request.action} cannot end in {near[0].name}'s {self._paces.near}." if near else None

    # -- planning ------------------------------------------------------------------------------------

    def costs(self, table: Table, state: State, request: MoveRequest, *, on_foot: bool = False) -> dict[Point, int]:
        return {to: self.judge(table, state, request, (to,)).cost for to in self.places(table, state, request)}

    def places(self, table: Table, state: State, request: MoveRequest) -> list[Point]:
        """Straight moves in sixteen directions; beside each enemy when the move must end there."""
        who = state.operatives[request.operative]
        found = []
        if request.ends_in_control:
            for enemy in state.enemies(who.id):
                gap = table.radius(who) + table.radius(enemy) + 0.05
                found.append(_beside(who, enemy, gap, (who.x - enemy.x, who.y - enemy.y)))
        else:
            for dx, dy in DIRECTIONS:
                far = length(dx, dy)
                for steps in sorted({request.allowance, request.allowance - 2, request.allowance // 2} - {0}):
                    share = 1000 * steps / far
                    found.append((who.x + int(dx * share), who.y + int(dy * share), who.level))
        found += _pad_middles(table, request, who)
        return [point for point in found if self.judge(table, state, request, (point,)).refusal is None]

    def route(self, table: Table, state: State, request: MoveRequest, to: Point, *, on_foot: bool = False) -> Path:
        return (to,) if self.judge(table, state, request, (to,)).refusal is None else CANCEL

    # -- suggesting ----------------------------------------------------------------------------------

    def suggest(self, table: Table, state: State, request: MoveRequest, rng: Random) -> Path:
        who = state.operatives[request.operative]
        for point in self._candidates(table, state, request, who, rng):
            if self.judge(table, state, request, (point,)).refusal is None:
                return (point,)
        return CANCEL

    def _candidates(
        self, table: Table, state: State, request: MoveRequest, who: OperativeState, rng: Random
    ) -> Iterator[Point]:
        if request.teleports and rng.random() < TELEPORTED:
            yield from _pad_middles(table, request, who)
        if request.ends_in_control:
            enemies = state.enemies(who.id)
            rng.shuffle(enemies)
            for enemy in enemies:
                gap = table.radius(who) + table.radius(enemy) + 0.05
                yield _beside(who, enemy, gap, (who.x - enemy.x, who.y - enemy.y))
                for _ in range(3):
                    yield _beside(who, enemy, gap, (rng.randint(-100, 100), rng.randint(-100, 100)))
            return
        goals = [e.point for e in state.enemies(who.id)] + [m.point for m in state.markers.values()]
        for number in range(12):
            if goals and number % 4 < 3:
                steps = max(rng.randint(1, request.allowance) for _ in range(2))
                yield _towards(who, rng.choice(goals), 1000 * steps)
                continue
            far = 1000 * request.allowance
            yield (who.x + rng.randint(-far, far), who.y + rng.randint(-far, far), who.level)


def _inches(point: Point) -> tuple[float, float, float]:
    return point[0] / 1000, point[1] / 1000, point[2] / 1000


def _other_pad(table: Table, who: OperativeState, to: Point) -> Pad | None:
    """The teleport pad at a place, for whoever stands on another one."""
    here, there = (pad_under(table.terrain, *_inches(point)) for point in (who.point, to))
    return None if here is there or here is None else there


def _pad_refusal(table: Table, state: State, who: OperativeState, at: Point) -> str | None:
    """KZ-TOMB-PAD: one operative at a time, wholly on the pad or not on it."""
    x, y, _ = _inches(at)
    base = Base(table.radius(who), table.radius(who))
    for pad in pads_of(table.terrain):
        if pad.gap(base, x, y, 0.0) >= -EPS:
            continue
        if not pad.holds(base, x, y, 0.0):
            return f"The base would be neither wholly on {pad.id} nor off it."
        for each in state.operatives.values():
            if each.id != who.id and each.is_in_killzone and pad.is_under(*_inches(each.point)):
                return f"{pad.id} holds one operative at a time, and {each.name} is there."
    return None


def _pad_middles(table: Table, request: MoveRequest, who: OperativeState) -> list[Point]:
    """The middles of the teleport pads that the operative may be set up on instead of moving."""
    if not request.teleports:
        return []
    middles = [(milli(pad.centre[0]), milli(pad.centre[1]), who.level) for pad in pads_of(table.terrain)]
    return [point for point in middles if _other_pad(table, who, point) is not None]


def _beside(who: OperativeState, enemy: OperativeState, gap: float, towards: tuple[int, int]) -> Point:
    """A point at *gap* inches from the enemy's centre in the direction *towards*."""
    far = length(*towards) or 1.0
    dx, dy = towards[0] / far, towards[1] / far
    return (enemy.x + round(1000 * gap * dx), enemy.y + round(1000 * gap * dy), who.level)


def _towards(who: OperativeState, goal: Point, steps: int) -> Point:
    """A point *steps* thousandths of an inch towards *goal*, or the goal if it is nearer."""
    far = length(goal[0] - who.x, goal[1] - who.y)
    share = 1.0 if far <= steps else steps / far
    return (who.x + int(share * (goal[0] - who.x)), who.y + int(share * (goal[1] - who.y)), who.level)


def _along(here: Point, there: Point, enemy: Point) -> Iterator[Point]:
    """Points of a leg worth asking: its end, where it is nearest to the enemy, and every quarter inch."""
    yield there
    ux, uy = there[0] - here[0], there[1] - here[1]
    far = length(ux, uy)
    if far == 0:
        return
    nearest = ((enemy[0] - here[0]) * ux + (enemy[1] - here[1]) * uy) / far**2
    shares = [nearest, *(step * 250 / far for step in range(1, int(far / 250)))]
    for share in shares:
        if 0 < share < 1:
            yield (here[0] + round(share * ux), here[1] + round(share * uy), here[2])
