"""Real moving behind the engine's ``Mover``: judged exactly, suggested by the planner."""

from __future__ import annotations

from dataclasses import replace
from itertools import accumulate
from math import cos, pi, sin
from random import Random

from ktsim.geometry.plane import length
from ktsim.rules.engine.decisions import CANCEL
from ktsim.rules.engine.sight_table import SightTable
from ktsim.rules.engine.state import Path, Point, State
from ktsim.rules.engine.table import CONTROL_RANGE, MoveRequest, MoveVerdict, Table
from ktsim.rules.moving import walk
from ktsim.rules.moving.check import check_path
from ktsim.rules.moving.ground import Ground, ground_of
from ktsim.rules.moving.reach import MoveReach, reach
from ktsim.rules.moving.standing import refused_to_stand
from ktsim.rules.moving.straight import TELEPORTED
from ktsim.sight.scene import EPS

STRAIGHT_TRIES = 8
"""How many straight moves, ever shorter, a suggestion tries before it asks for the map."""

PLANNED_TRIES = 2
"""How many places of the map it tries then."""

PLANNED = 0.1
"""How often a suggestion is planned from the start."""

DASHED = 0.2
"""How often a suggestion looks for a climb or drop that a Dash finishes, where that is possible."""

ACTIONS = {
    "kt24": {a.name: a for a in (walk.REPOSITION, walk.DASH, walk.FALL_BACK, walk.CHARGE, walk.WITH_BARRICADE)},
    "kt21-lite": {a.name: a for a in (walk.NORMAL_MOVE_21, walk.DASH_21, walk.FALL_BACK_21, walk.CHARGE_21)},
}


class RouteMover:
    """Judges and suggests moves on a table that knows its scene. Points are in thousandths of an inch."""

    def judge(self, table: Table, state: State, request: MoveRequest, path: Path) -> MoveVerdict:
        ground, mover = placed(table, state, request.operative)
        points = tuple(waypoint_of(point) for point in path)
        action = action_of(table, request)
        found = check_path(ground, mover, points, request.allowance + request.dash, action, since=request.since)
        if isinstance(found, walk.LegalPath):
            jumps = [number for number, leg in enumerate(found.legs) if leg.kind == "jump"]
            tests = tuple(zip(jumps, found.tests, strict=False))
            refused = _needs_more_than_dash(found, request)
            is_set_up = any(leg.kind == "teleport" for leg in found.legs)
            return MoveVerdict(found.total, refused, tests, found.total > request.allowance, is_set_up, found)
        told = walk.named(found.text, found.thing, _names(state, found.thing))
        return MoveVerdict(sum(leg.cost for leg in found.legs), f"Leg {found.leg}: {told}")

    def refuses_to_stand(self, table: Table, state: State, operative: str, at: Point) -> str | None:
        ground, mover = placed(table, state, operative)
        refused = refused_to_stand(ground, mover, waypoint_of(at)._replace(turn=mover.operative.turn))
        return None if refused is None else walk.named(refused.text, refused.thing, _names(state, refused.thing))

    def suggest(self, table: Table, state: State, request: MoveRequest, rng: Random) -> Path:
        if request.teleports and rng.random() < TELEPORTED:
            places = self._pad_places(table, state, request)
            if places:
                return (rng.choice(places),)
        if request.ends_in_control and not _has_enemy_in_reach(table, state, request):
            return CANCEL
        if rng.random() >= PLANNED:
            for number in range(STRAIGHT_TRIES):
                point = self._straight(state, request, rng, 1 - number / STRAIGHT_TRIES)
                if self.judge(table, state, request, (point,)).refusal is None:
                    return (point,)
        return self._planned(table, state, request, rng)

    def places(self, table: Table, state: State, request: MoveRequest) -> list[Point]:
        return list(self.costs(table, state, request))

    def costs(self, table: Table, state: State, request: MoveRequest, *, on_foot: bool = False) -> dict[Point, int]:
        return self._reach(table, state, request, on_foot).points()

    def route(self, table: Table, state: State, request: MoveRequest, to: Point, *, on_foot: bool = False) -> Path:
        walked = self._reach(table, state, request, on_foot).find(*waypoint_of(to)[:3])
        if walked is None:
            return CANCEL
        path = tuple(point_of(waypoint) for waypoint in walked.path)
        return path if self.judge(table, state, request, path).refusal is None else CANCEL

    def _reach(self, table: Table, state: State, request: MoveRequest, on_foot: bool = False) -> MoveReach:
        ground, mover = placed(table, state, request.operative)
        action = action_of(table, request)
        if on_foot:
            action = replace(action, can_climb=False, can_jump=False)
        return reach(ground, mover, request.allowance, action)

    def _pad_places(self, table: Table, state: State, request: MoveRequest) -> list[Point]:
        return [point_of(each) for each in self._reach(table, state, request).teleports]

    def _straight(self, state: State, request: MoveRequest, rng: Random, most: float) -> Point:
        """Some way straight on: at most the share *most* of what is allowed, unless an enemy must be reached."""
        who = state.operatives[request.operative]
        if request.ends_in_control:
            enemies = state.enemies(who.id)
            if enemies:
                enemy = rng.choice(enemies)
                share = rng.uniform(0.5, 1.0)
                return who.x + int(share * (enemy.x - who.x)), who.y + int(share * (enemy.y - who.y)), who.level
        angle, away = rng.uniform(0, 2 * pi), 1000 * request.allowance * most * rng.random() ** 0.5
        return who.x + round(away * cos(angle)), who.y + round(away * sin(angle)), who.level

    def _planned(self, table: Table, state: State, request: MoveRequest, rng: Random) -> Path:
        tried = request
        if request.dash and rng.random() < DASHED:
            tried = replace(request, allowance=request.allowance + request.dash, dash=0)
        places = self.places(table, state, tried)
        for place in rng.sample(places, min(PLANNED_TRIES, len(places))):
            path = self.route(table, state, tried, place)
            if path and self.judge(table, state, request, path).refusal is None:
                return path
        return CANCEL


def _has_enemy_in_reach(table: Table, state: State, request: MoveRequest) -> bool:
    """Whether the move could end in an enemy's control range if nothing were in its way."""
    who = state.operatives[request.operative]
    far = request.allowance + CONTROL_RANGE + table.radius(who) + EPS
    return any(
        length(who.x - enemy.x, who.y - enemy.y) / 1000 <= far + table.radius(enemy) for enemy in state.enemies(who.id)
    )


def _needs_more_than_dash(found: walk.LegalPath, request: MoveRequest) -> str | None:
    """KT21-TERRAIN: beyond the move's own allowance only a climb or drop that it began goes on, by a Dash."""
    if found.total <= request.allowance:
        return None
    before_it = found.total - sum(leg.cost for leg in found.legs)
    sums = [before_it + total for total in accumulate(leg.cost for leg in found.legs)]
    number = next(number for number, total in enumerate(sums) if total > request.allowance)
    leg, before = found.legs[number], sums[number] - found.legs[number].cost
    is_begun = leg.kind in ("climb", "drop") and before < request.allowance
    if is_begun or (number > 0 and found.legs[number - 1].kind == "climb"):  # up there and not yet standing on it
        return None
    return f'Leg {number + 1}: {request.action}: {sums[number]}" is more than the {request.allowance}" allowed.'


def _names(state: State, thing: str | None) -> dict[str, str]:
    """What players call the operative that is in the way, if it is one."""
    return {thing: state.operatives[thing].name} if thing in state.operatives else {}


def placed(table: Table, state: State, operative: str) -> tuple[Ground, walk.Walker]:
    if not isinstance(table, SightTable):
        raise TypeError("real moving needs a table that knows its scene")
    scene = table.scene(state)
    return ground_of(scene), walk.Walker(table.operative(state.operatives[operative]), scene)


def action_of(table: Table, request: MoveRequest) -> walk.MoveAction:
    edition = table.edition if isinstance(table, SightTable) else "kt24"
    known = ACTIONS[edition].get(request.action, walk.MoveAction(request.action, "KT24-REPOSITION", edition))
    return replace(
        known,
        can_climb=known.can_climb and request.can_climb,
        can_jump=known.can_jump and request.can_jump,
        climb=request.climb,
        drops_free=request.drops_free,
        passes_control=request.may_pass_control,
        ends_in_control=request.ends_in_control,
        teleports=request.teleports,
    )


def waypoint_of(point: Point) -> walk.Waypoint:
    return walk.Waypoint(point[0] / 1000, point[1] / 1000, point[2] / 1000)


def point_of(waypoint: walk.Waypoint) -> Point:
    return round(waypoint.x * 1000), round(waypoint.y * 1000), round(waypoint.level * 1000)
