"""What a move can reach: the cheapest route to a place, the map of all places, the enemies a Charge can reach.

Every route handed out has passed the exact check, and what it costs is what the check says.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import repeat
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ktsim.geometry.kernels import lattice
from ktsim.geometry.shelf import Shelf
from ktsim.rules.engine.state import Point, milli
from ktsim.rules.moving.chart import PITCH
from ktsim.rules.moving.charted import EVERYWHERE, NOTHING
from ktsim.rules.moving.check import check_path
from ktsim.rules.moving.contact import Contacts
from ktsim.rules.moving.form import Array
from ktsim.rules.moving.ground import Ground
from ktsim.rules.moving.paces import paces, whole
from ktsim.rules.moving.plan import UNREACHED, Labels, MovePlan
from ktsim.rules.moving.standing import EDGE, refused_to_stand
from ktsim.rules.moving.walk import Increment, LegalPath, MoveAction, Path, Refusal, Stance, Walker, Waypoint
from ktsim.sight.scene import EPS, Operative

MAP_STEP = 2
MAP_PITCH = MAP_STEP * PITCH
"""The map shows every so many nodes: a quarter of an inch."""

PLANS = Shelf(32 << 20)
"""Of moves looked at just now: on a shelf of their own, so that they do not push away what every move needs."""

LOOK_FURTHER = 4
"""How many inches beyond the allowance a refusal looks, to say what the way would cost."""


@dataclass(frozen=True)
class Candidate:
    """A path worth checking, and the least it can cost."""

    least: int
    legs: int
    path: Path


class MoveReach:
    """Everything an operative can reach with one action."""

    def __init__(
        self, ground: Ground, mover: Walker, allowance: int, action: MoveAction, since: LegalPath | None
    ) -> None:
        self.ground, self.mover, self.allowance, self.action, self.since = ground, mover, allowance, action, since
        self.contacts = Contacts(mover)

    @property
    def plan(self) -> MovePlan:
        return PLANS.keep((self, "plan"), self._planned)

    def _planned(self) -> MovePlan:
        """The plan; that of the same move without jumps where it comes nowhere to jump from."""
        if self._is_kept_low and not (without := self._without_jumps.plan).comes_to_jumps:
            return without
        spent = 0 if self.since is None else self.since.total
        stance = Stance() if self.since is None else self.since.stance
        return MovePlan(self.ground, self.mover, self.allowance - spent, self.action, stance, self.contacts)

    @property
    def _is_kept_low(self) -> bool:
        """Whether it begins too low to jump, and does not climb: hardly any move like that comes to jump."""
        level, jump_from = self.mover.operative.level, paces(self.action.edition).jump_from
        return self.action.can_jump and not self.action.can_climb and level <= jump_from

    @property
    def _without_jumps(self) -> MoveReach:
        action = replace(self.action, can_jump=False)
        return reach(self.ground, self.mover, self.allowance, action, self.since)

    def check(self, path: Path) -> LegalPath | Refusal:
        return check_path(
            self.ground, self.mover, path, self.allowance, self.action, since=self.since, contacts=self.contacts
        )

    # -- the map -------------------------------------------------------------------------------------------------

    @property
    def levels(self) -> tuple[float, ...]:
        return self.ground.levels

    def costs(self, level: float) -> NDArray[np.int32]:
        """What it costs to end at each node of the board's quarter-inch grid, (nx, ny); UNREACHED where it cannot."""
        cost = np.where(self._ends(level), self.plan.costs(level), UNREACHED).astype(np.int32)
        found = self.plan.chart.spread(cost, UNREACHED)[::MAP_STEP, ::MAP_STEP]
        for place in self.teleports:
            if abs(place.level - level) < EPS:
                found[round(place.x / MAP_PITCH), round(place.y / MAP_PITCH)] = 0
        return found

    @cached_property
    def teleports(self) -> tuple[Waypoint, ...]:
        """Places of the map on other pads at which the operative may be set up instead of moving (KZ-TOMB-PAD)."""
        if not self.action.teleports:
            return ()
        here = self.ground.pad_under(self.mover.start)
        found = []
        for pad in self.ground.pads.values():
            left, near, right, far = (round(side / MAP_PITCH) for side in pad.box)
            nodes = [(i, j) for i in range(left, right + 1) for j in range(near, far + 1)]
            for i, j in nodes if here is not None and pad is not here else ():
                place = Waypoint(i * MAP_PITCH, j * MAP_PITCH, round(pad.level, 3))
                if isinstance(self.check((place,)), LegalPath):
                    found.append(place)
        return tuple(found)

    def _teleports_to(self, enemy: Operative) -> list[Waypoint]:
        """Those of them in the control range of *enemy*, who does not stand there itself and swap."""
        taken = self.ground.pad_under(Waypoint(enemy.x, enemy.y, enemy.level))
        near = (place for place in self.teleports if self.ground.pad_under(place) is not taken)
        return [place for place in near if self.contacts.is_controlled(enemy, place)]

    def _ends(self, level: float) -> NDArray[np.bool_]:
        return np.asarray(self.plan.chart.mask("ends", level) & self.plan.rings.ends(level))

    def places(self) -> Iterator[tuple[Waypoint, int]]:
        """Every place of the map, with its cost."""
        for level, nodes, costs in self._reached():
            for (i, j), cost in zip(nodes.tolist(), costs.tolist(), strict=True):
                yield Waypoint(i * MAP_PITCH, j * MAP_PITCH, level), cost

    def points(self) -> dict[Point, int]:
        """The same in thousandths of an inch, in a fraction of the time."""
        found: dict[Point, int] = {}
        for level, nodes, costs in self._reached():
            across, along = (milli(MAP_PITCH) * nodes).T.tolist()
            found.update(zip(zip(across, along, repeat(milli(level))), costs.tolist(), strict=False))
        return found

    def _reached(self) -> Iterator[tuple[float, NDArray[np.int64], NDArray[np.int32]]]:
        """By level: the nodes of the map that can be reached, (n, 2), and what each costs, (n,)."""
        for level in self.levels:
            cost = self.costs(level)
            nodes = np.argwhere(cost < UNREACHED)
            yield level, nodes, cost[tuple(nodes.T)]

    @cached_property
    def enemies(self) -> dict[str, int]:
        """For a Charge: the enemies whose control range it can end in, with the least cost."""
        found: dict[str, int] = {}
        if not self.action.ends_in_control:
            return found
        for enemy in self.plan.rings.enemies:
            costs = [int(cost.min()) for _, cost in self._costs_into(enemy)]
            if costs and min(costs) <= self.plan.allowance:
                found[enemy.id] = min(costs)
        for enemy in self.mover.enemies:
            if self._teleports_to(enemy):
                found[enemy.id] = 0
        return found

    def _costs_into(self, enemy: Operative) -> Iterator[tuple[float, NDArray[np.int32]]]:
        """By level: what it costs to end at each node in the enemy's control range; UNREACHED at all others."""
        rings = self.plan.rings
        for level in self.levels:
            if rings.ring_radius(enemy, level) > 0.0:
                ends = self._ends(level) & rings.in_ring(enemy, level)
                yield level, np.where(ends, self.plan.costs(level), UNREACHED).astype(np.int32)

    def into_control(self, enemy: Operative) -> LegalPath | Refusal:
        """The cheapest way for a Charge into the control range of *enemy*, as near to it as that gets; or why not."""
        found = self._find_into(enemy)
        if found is not None:
            return found
        further = MoveReach(self.ground, self.mover, self.allowance + LOOK_FURTHER, self.action, self.since)
        walk, near = further._find_into(enemy), paces(self.action.edition).near
        if walk is not None:
            text = f'The cheapest way into the {near} of {enemy.id} costs {walk.total}", more than the '
            text += f'{self.allowance}" allowed.'
            return Refusal(len(walk.legs), self._cites("KT24-MOVE-1"), text, None, walk.legs)
        text = f'There is no way into the {near} of {enemy.id} within {further.allowance}".'
        return Refusal(1, self._cites("KT24-MOVE-8"), text, enemy.id)

    def _find_into(self, enemy: Operative) -> LegalPath | None:
        xs, ys = self.plan.xs, self.plan.ys
        set_up = [(0, math.hypot(p.x - enemy.x, p.y - enemy.y), p[:3]) for p in self._teleports_to(enemy)]
        walked = (
            (int(cost[node]), math.hypot(xs[node] - enemy.x, ys[node] - enemy.y), (xs[node], ys[node], level))
            for level, cost in self._costs_into(enemy)
            for node in np.flatnonzero(cost <= self.plan.allowance)
        )
        ways = (self.find(*map(float, place)) for _, _, place in sorted([*set_up, *walked]))
        return next((way for way in ways if way is not None), None)

    # -- routes --------------------------------------------------------------------------------------------------

    def route(self, x: float, y: float, level: float) -> LegalPath | Refusal:
        """The cheapest way to a place (then the one with fewest legs), or why there is none."""
        x, y, level, _ = Waypoint(x, y, level).as_floats
        if (set_up := self._set_up(Waypoint(x, y, level))) is not None:
            return set_up
        standing = refused_to_stand(self.ground, self.mover, Waypoint(x, y, level, self.mover.operative.turn))
        if standing is not None:
            if standing.thing not in (None, EDGE) and (too_far := self._too_far(x, y)) is not None:
                return too_far
            if level == self.mover.operative.level:
                return self.check((Waypoint(x, y, level),))
            return Refusal(1, self._cites(standing.rule), standing.text[0].upper() + standing.text[1:], standing.thing)
        found = self.find(x, y, level)
        return self._why_not(x, y, level) if found is None else found

    def find(self, x: float, y: float, level: float) -> LegalPath | None:
        """The cheapest way to a place, if there is one."""
        if (set_up := self._set_up(Waypoint(x, y, level))) is not None:
            return set_up
        spent = 0 if self.since is None else self.since.total
        best: LegalPath | None = None
        if abs(level - self.mover.operative.level) < EPS:
            straight = self.check((Waypoint(x, y, level),))
            if isinstance(straight, LegalPath):
                best = straight
                flat = math.hypot(x - self.mover.operative.x, y - self.mover.operative.y)
                if straight.total - spent == whole(flat):
                    return straight
        candidates = sorted(self._candidates(x, y, level), key=lambda each: (each.least, each.legs))
        for each in candidates:
            # In this order nothing that follows can be cheaper, nor as cheap with fewer legs.
            if best is not None and (each.least + spent, each.legs) >= (best.total, len(best.legs)):
                break
            walk = self.check(each.path)
            if isinstance(walk, LegalPath) and (
                best is None or (walk.total, len(walk.legs)) < (best.total, len(best.legs))
            ):
                best = walk
        return best

    def _set_up(self, at: Waypoint) -> LegalPath | None:
        """Being set up on another pad instead of moving, where that is possible."""
        found = self.check((at,)) if self.action.teleports else None
        is_so = isinstance(found, LegalPath) and any(leg.kind == "teleport" for leg in found.legs)
        return found if isinstance(found, LegalPath) and is_so else None

    def _why_not(self, x: float, y: float, level: float) -> Refusal:
        if self.action.ends_in_control and not any(
            self.contacts.is_controlled(enemy, Waypoint(x, y, level)) for enemy in self.mover.enemies
        ):
            text = f"{self.action.name} must end in an enemy's {paces(self.action.edition).near}."
            return Refusal(1, self.action.rule, text)
        further = MoveReach(self.ground, self.mover, self.allowance + LOOK_FURTHER, self.action, self.since)
        walk = further.find(x, y, level)
        if walk is not None:
            text = f'The cheapest way costs {walk.total}", more than the {self.allowance}" allowed.'
            return Refusal(len(walk.legs), self._cites("KT24-MOVE-1"), text, None, walk.legs)
        if (too_far := self._too_far(x, y)) is not None:
            return too_far
        if level == self.mover.operative.level:
            straight = self.check((Waypoint(x, y, level),))
            if isinstance(straight, Refusal) and straight.rule != self._cites("KT24-MOVE-1"):
                return straight
        text = f'There is no way there within {self.allowance + LOOK_FURTHER}".'
        return Refusal(1, self._cites("KT24-MOVE-8"), text)

    def _too_far(self, x: float, y: float) -> Refusal | None:
        """Whether a place is out of reach even where nothing is in the way."""
        flat = math.hypot(x - self.mover.operative.x, y - self.mover.operative.y)
        if self.since is not None or whole(flat) <= self.allowance:
            return None
        text = f'Too far: {flat:.1f}" away in a straight line, more than the {self.allowance}" allowed.'
        return Refusal(1, self._cites("KT24-MOVE-1"), text)

    def _cites(self, rule: str) -> str:
        return paces(self.action.edition).cites(rule)

    def _candidates(self, x: float, y: float, level: float) -> Iterator[Candidate]:
        """Ways to come to a place: straight on its level, down onto it, up to it, by a step, by a jump."""
        plan = self.plan
        end = Waypoint(x, y, level)
        for number, labels in enumerate(plan.labels):
            altitude = labels.stage.altitude
            yield from self._jumps(number, labels, end)
            least = self._least_change(labels, altitude, level)
            if least is None:
                continue
            over = () if abs(altitude - level) < EPS else (Waypoint(x, y, altitude),)
            for node, cost in (*self._straight(labels, x, y), *self._through_doors(labels, x, y)):
                if node >= 0:
                    path = plan.path_to(number, node)
                    yield Candidate(cost + least, int(labels.legs[node]), _joined(path, *over, end))

    def _least_change(self, labels: Labels, altitude: float, level: float) -> int | None:
        """The least a change from an altitude to a level costs; None when there is none."""
        paces, action = self.plan.paces, self.action
        if abs(altitude - level) < EPS:
            return None if labels.stage.where == "off" else 0
        if altitude > level:
            return paces.drop_cost(altitude - level, 0.0) if action.can_drop else self._step(altitude, level)
        step = self._step(altitude, level)
        if step is not None or labels.stage.where != "ground" or not action.can_climb:
            return step
        grated = bool(self.plan.chart.mask("grated", altitude, level).any())
        return min(1, paces.climb_cost(level - altitude, True)) if grated else None

    def _step(self, altitude: float, level: float) -> int | None:
        low, high = min(altitude, level), max(altitude, level)
        if self.ground.support(high) is None or not self.ground.is_level(low):
            return None
        return 0 if self.plan.chart.mask("steps", low, high).any() else None

    def _straight(self, labels: Labels, x: float, y: float) -> Iterator[tuple[int, int]]:
        """The best nodes to come straight to a place from, one for each set of surcharges the leg may pay."""
        plan, altitude = self.plan, labels.stage.altitude
        surface = plan.free(labels)
        yield self._into(labels, labels.cost, x, y, surface.cells, surface.near, surface.reach, surface.pieces)
        if plan.surcharges(altitude):  # it may be a node itself, come to at whatever price
            for node in np.flatnonzero((np.abs(plan.xs - x) < EPS) & (np.abs(plan.ys - y) < EPS)):
                if labels.cost[node] <= plan.allowance:
                    yield int(node), int(labels.cost[node])
        for chosen, surcharge in plan.surcharges_together(altitude, plan.allowance):
            surface = plan.opened(labels.stage, chosen)
            cost = labels.cost + np.int32(surcharge)
            yield self._into(labels, cost, x, y, surface.cells, surface.near, surface.reach, surface.pieces)

    def _into(
        self,
        labels: Labels,
        cost: NDArray[np.int32],
        x: float,
        y: float,
        cells: tuple[Any, ...],
        near: Array,
        reach: float,
        pieces: Array,
    ) -> tuple[int, int]:
        plan, altitude = self.plan, labels.stage.altitude
        node, total = lattice.into(
            *(x, y, plan.allowance, plan.xs, plan.ys, cost, labels.legs, plan.form.shape),
            *(cells, near, reach, pieces, plan.discs(altitude), plan.veto(altitude), plan.chart.lat),
        )
        return int(node), int(total)

    def _through_doors(self, labels: Labels, x: float, y: float) -> Iterator[tuple[int, int]]:
        if labels.stage.where != "ground":
            return
        plan, altitude = self.plan, labels.stage.altitude
        surface = plan.free(labels)
        for door in self.ground.doorways(altitude, self.mover.height):
            if math.dist(door.centre, (x, y)) > plan.allowance:
                continue
            row = np.array([*door.centre, *door.along, door.half_width, door.left, door.right])
            node, cost = lattice.into_door(
                *(x, y, plan.allowance, plan.xs, plan.ys, labels.cost, labels.legs, plan.form.shape),
                *(surface.cells, plan.clipped(door, altitude), row),
                *(plan.discs(altitude), plan.veto(altitude), plan.chart.lat),
            )
            yield int(node), int(cost)

    def _jumps(self, number: int, labels: Labels, end: Waypoint) -> Iterator[Candidate]:
        plan, stage = self.plan, labels.stage
        down = stage.altitude - end.level
        lands = abs(down) <= plan.paces.landing + EPS
        high = stage.where == "ground" and stage.altitude > plan.paces.jump_from + EPS
        support = self.ground.support(stage.altitude)
        goes_down = down > 0 and not plan.paces.jump_lands
        if not (self.action.can_jump and high and support is not None and (lands or goes_down)):
            return
        brinks = np.append(plan.chart.mask("brinks", stage.altitude), True)
        near = (plan.xs - end.x) ** 2 + (plan.ys - end.y) ** 2 <= (plan.paces.jump_reach + 1.5) ** 2
        cost = np.where(brinks & near, labels.cost, UNREACHED).astype(np.int32)
        least = 0 if lands else plan.paces.drop_cost(down, 0.0)
        for floor in support.floors if lands else (None,):
            cells = labels.surface.cells
            if floor is not None:
                cells = plan.chart.whole.landing_field(stage.altitude, floor, plan.paces).cells
            node, total = self._into(labels, cost, end.x, end.y, cells, EVERYWHERE, 0.0, NOTHING)
            if node >= 0:
                over = Waypoint(end.x, end.y, stage.altitude)
                path = _joined(plan.path_to(number, node), over, end)
                yield Candidate(total + least, int(labels.legs[node]), path)


def _joined(path: Path, *rest: Waypoint) -> Path:
    out = list(path)
    for point in rest:
        if not out or out[-1][:3] != point[:3]:
            out.append(point)
    return tuple(out)


def reach(
    ground: Ground, mover: Walker, allowance: int, action: MoveAction, since: LegalPath | None = None
) -> MoveReach:
    """What the mover can reach; the same as before as long as nothing near it changes."""
    key = ("reach", *_key(mover, allowance, action, since))
    return ground.keep(key, lambda: MoveReach(ground, mover, allowance, action, since))


def _key(mover: Walker, allowance: int, action: MoveAction, since: LegalPath | None) -> tuple[object, ...]:
    """What a plan depends on: the mover, the action, the operatives near enough to matter, the date of the rules."""
    here = mover.operative
    far = allowance + LOOK_FURTHER + 6.0
    near = tuple(
        sorted(
            (o.id, o.team == here.team, o.x, o.y, o.level, o.turn, o.base.along, o.base.across, id(o.figure))
            for o in mover.others
            if action.teleports or math.hypot(o.x - here.x, o.y - here.y) <= far
        )
    )
    own = (here.id, here.x, here.y, here.level, here.turn, here.base, id(here.figure))
    left = None if since is None else (since.total, since.stance)
    return (own, allowance, action, left, near, mover.scene.rules_as_of)


def plan_route(
    ground: Ground, mover: Walker, points: Path, allowance: int, action: MoveAction, since: LegalPath | None = None
) -> LegalPath | Refusal:
    """The cheapest way through the player's waypoints, in order, to the last one; checked as a whole. A refusal has the
    legs from the start of the move on."""
    whole_path: list[Waypoint] = []
    legs: tuple[Increment, ...] = ()
    at, before = mover, since
    for number, point in enumerate(points, 1):
        last = number == len(points)
        moving = _passing(action, last, len(points) == 1)
        found = reach(ground, at, allowance, moving, before).route(point.x, point.y, point.level)
        if isinstance(found, Refusal):
            return replace(found, leg=len(whole_path) + found.leg, legs=(*legs, *found.legs))
        whole_path += found.path
        legs += found.legs
        before = replace(found, partial=True)
        here = at.operative
        there = replace(here, x=point.x, y=point.y, level=point.level)
        at = Walker(there, at.scene.moved(there))
    return check_path(ground, mover, tuple(whole_path), allowance, action, since=since)


def _passing(action: MoveAction, last: bool, only: bool) -> MoveAction:
    """On the way to a waypoint a Charge moves like a Reposition; with several of them it is no teleport."""
    return replace(action, ends_in_control=action.ends_in_control and last, teleports=action.teleports and only)
