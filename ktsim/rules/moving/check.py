"""The exact check of a path: legal with its cost leg by leg, or refused with the leg, the rule and the thing.

Jumping off a Vantage over what stands at its edge, as of 2026-01 (KT24-DATED): the rampart is climbed and paid for, and
the jump starts at the level of the Vantage. Its increment begins on top of the rampart and ends at that level.
"""

from __future__ import annotations

import math
from dataclasses import replace

from ktsim.geometry.kernels import bands
from ktsim.rules.moving.along import departed, judge_along, judge_terrain, touches, without_landing
from ktsim.rules.moving.contact import Contacts, between
from ktsim.rules.moving.form import Array, Form
from ktsim.rules.moving.ground import Ground
from ktsim.rules.moving.paces import Paces, paces_of, whole
from ktsim.rules.moving.shadow import Shadow
from ktsim.rules.moving.standing import judge_clear, judge_edge, judge_standing
from ktsim.rules.moving.upright import SIDEWAYS, judge_upright
from ktsim.rules.moving.walk import Increment, LegalPath, MoveAction, Path, Refusal, Refused, Stance, Walker, Waypoint
from ktsim.sight.pads import Pad, PadVisitor
from ktsim.sight.scene import EPS


def check_path(
    ground: Ground,
    mover: Walker,
    path: Path,
    allowance: int,
    action: MoveAction,
    *,
    partial: bool = False,
    since: LegalPath | None = None,
    contacts: Contacts | None = None,
) -> LegalPath | Refusal:
    """Judge the waypoints of a move, in order.

    *partial* judges the first piece of a move that goes on after something else; the next piece is judged with
    *since* that walk and the mover where it ended, its cost counting towards the same allowance. *contacts* may be
    shared between checks of the same mover.
    """
    legs: list[Increment] = []
    spent = 0 if since is None else since.total
    judge = _Judge(ground, contacts or Contacts(mover), action, Stance() if since is None else since.stance)
    at, cited = mover.start, judge.paces.cited
    try:
        if (pad := judge.other_pad(path)) is not None:
            return LegalPath((judge.teleport(pad, path, since),), 0, allowance)
        for given in path:
            there = given.as_floats
            there = there if there.turn is not None else there._replace(turn=at.turn)
            leg = judge.leg(at, there)
            if leg.kind == "land" and legs[-1].kind == "move":
                legs[-1] = judge.jumped(legs[-1])
            spent += leg.cost
            if spent > allowance:
                raise Refused("KT24-MOVE-1", f'{action.name}: {spent}" is more than the {allowance}" allowed.')
            legs.append(leg if leg.rule not in cited else replace(leg, rule=cited[leg.rule]))
            at = there
        judge.end(at, partial)
    except Refused as refused:
        text = refused.text[0].upper() + refused.text[1:]
        number = min(len(legs) + 1, max(1, len(path)))
        return Refusal(number, judge.paces.cites(refused.rule), text, refused.thing, tuple(legs))
    return LegalPath(tuple(legs), spent, allowance, partial, judge.stance, tuple(judge.tests))


class _Judge:
    """Goes along a path; its stance is what the legs so far have left."""

    def __init__(self, ground: Ground, contacts: Contacts, action: MoveAction, stance: Stance) -> None:
        self.ground, self.contacts, self.action, self.stance = ground, contacts, action, stance
        self.paces = paces_of(action, contacts.mover.scene.rules_as_of)
        self.tests: list[int] = []

    def leg(self, a: Waypoint, b: Waypoint) -> Increment:
        flat = math.hypot(b.x - a.x, b.y - a.y)
        is_over_rampart = flat > EPS and jumps_over_rampart(self.paces, self.stance, a, b)
        if flat > EPS and abs(b.level - a.level) > EPS and not is_over_rampart:
            raise Refused("KT24-MOVE-1", "an increment goes along or straight up or down, not both at once.")
        judged = judge_over_rampart if is_over_rampart else judge_along if flat > EPS else judge_upright
        if flat > EPS:
            b = b._replace(level=self.stance.origin if is_over_rampart else a.level)
        leg, self.stance = judged(self.ground, self.contacts, self.action, self.paces, self.stance, a, b)
        if is_over_rampart:
            a = a._replace(level=b.level)
        if leg.kind == "jump":
            self._test()
        other = self.contacts.base_in_way(a, b, not self.paces.passes_friends)
        if other is not None:
            raise Refused("KT24-MOVE-2", f"the base of {other.id} is in the way.", other.id)
        self._control(a, b)
        return leg

    def other_pad(self, path: Path) -> Pad | None:
        """The pad that a path goes to straight from another one: no walk is like that."""
        if not path or not self.ground.pads:
            return None
        here, there = (self.ground.pad_under(at) for at in (self.contacts.mover.start, path[0]))
        return None if here is there or here is None else there

    def teleport(self, there: Pad, path: Path, since: LegalPath | None) -> Increment:
        """KZ-TOMB-PAD: set up on another pad instead of moving. Whoever stands there swaps and is in nobody's way."""
        mover, at = self.contacts.mover, path[0].as_floats
        here = self.ground.pad_under(mover.start)
        if here is None or not self.action.teleports:
            text = "no pad takes it there now: only instead of a move in its activation, from turning point 2 on."
            raise Refused("KZ-TOMB-PAD", text, there.id)
        if since is not None or len(path) > 1:
            raise Refused("KZ-TOMB-PAD", "it is set up on the other pad instead of moving, not on the way.", there.id)
        swaps = [other for other in mover.others if PadVisitor.of(other).is_on(there)]
        for other in swaps:
            if not here.holds(other.base, *here.centre, other.turn):
                raise Refused("KZ-TOMB-PAD", f"{here.id} is too small to be the place of {other.id}.", other.id)
        rest = tuple(each for each in mover.scene.operatives if each not in swaps)
        self.contacts = Contacts(Walker(mover.operative, replace(mover.scene, operatives=rest)))
        self.end(at._replace(turn=mover.start.turn), partial=False)
        return Increment("teleport", mover.start, at, 0.0, 0, "KZ-TOMB-PAD", (f"set up on {there.id}",))

    def jumped(self, leg: Increment) -> Increment:
        """A short way off an edge that was a jump, as the landing after it shows."""
        self._test()
        return replace(leg, kind="jump", rule=self.paces.jump_rule)

    def _test(self) -> None:
        if self.paces.jump_test is not None:
            self.tests.append(self.paces.jump_test)

    def _control(self, a: Waypoint, b: Waypoint) -> None:
        """What the action may do in enemies' control ranges on the way."""
        if self.action.passes_control:
            return
        lone, near = self.paces.shares_control, self.paces.near
        for enemy in self.contacts.mover.enemies:
            along = self.contacts.control_along(enemy, a, b)
            inside = [t for t, is_in in along if is_in]
            if enemy.id in self.stance.held and len(inside) < max(1, len(along)):
                self._leaves(enemy.id)
            if not inside or (lone and self.contacts.is_engaged(enemy)):
                continue
            if not self.action.ends_in_control:
                text = f"it would come into the {near} of {enemy.id}."
                raise Refused(self.action.rule, text, enemy.id)
            if lone:
                if not all(is_in for t, is_in in along if t >= inside[0]):
                    self._leaves(enemy.id)
                self.stance = replace(self.stance, held=self.stance.held | {enemy.id})

    def _leaves(self, enemy: str) -> None:
        text = f"it may not leave the {self.paces.near} of {enemy} again, whom no other friend engages."
        raise Refused(self.action.rule, text, enemy)

    def end(self, at: Waypoint, partial: bool) -> None:
        if self.stance.footing != "ground":
            if partial and self.action.edition == "kt21-lite" and self.stance.footing == "over":
                return  # a Dash may finish the climb (KT21-TERRAIN)
            raise Refused("KT24-MOVE-2", "the move cannot end in the middle of a climb, a drop or a jump.")
        if partial:
            judge_clear(self.ground, self.contacts, at)
            return
        judge_standing(self.ground, self.contacts, at)
        near = [enemy.id for enemy in self.contacts.mover.enemies if self.contacts.is_controlled(enemy, at)]
        name = self.action.name
        if self.action.ends_in_control and not near:
            raise Refused(self.action.rule, f"{name} must end in an enemy's {self.paces.near}.")
        if near and not self.action.ends_in_control:
            raise Refused(self.action.rule, f"{name} cannot end in the {self.paces.near} of {near[0]}.", near[0])


def jumps_over_rampart(paces: Paces, stance: Stance, a: Waypoint, b: Waypoint) -> bool:
    """Whether a way from *a* to *b* is meant as such a jump."""
    has_climbed = stance.footing == "over" and stance.floor >= 0 and a.level > stance.origin + EPS
    return paces.jumps_from_vantage and has_climbed and abs(b.level - stance.origin) <= EPS


def judge_over_rampart(
    ground: Ground, contacts: Contacts, action: MoveAction, paces: Paces, stance: Stance, a: Waypoint, b: Waypoint
) -> tuple[Increment, Stance]:
    """Judge the jump: as far as the edge on top of what was climbed, from there at the level of the Vantage."""
    form, height = Form.of(contacts.mover.operative.base, contacts.turn_at(a)), contacts.mover.height
    judge_edge(ground, form, a, b)
    floor = departed(ground, stance)
    spans = bands.near_spans(floor, 0.0, a.x, a.y, b.x, b.y)
    edge = float(spans[-1, 1]) if len(spans) else 0.0
    length = math.hypot(b.x - a.x, b.y - a.y)
    _judge_reach(action, paces, stance, (1 - edge) * length)
    brink = between(a, b, edge)._replace(level=a.level)
    holds = ground.holds(a.level - SIDEWAYS, a.level)
    if not bands.all_near(holds.pieces, form.inner + SIDEWAYS + EPS, a.x, a.y, brink.x, brink.y):
        raise Refused("KT24-MOVE-6a", 'the base would be more than 1" from the terrain it climbed.')
    surcharges = []
    if edge > EPS:
        surcharges += judge_terrain(ground, form, height, ground.obstacles(form, height, a.level), paces, a, brink)
    low, there = brink._replace(level=stance.origin), between(a, b, 1.0)
    stops = _without_climbed(ground, ground.obstacles(form, height, low.level), a.level, floor)
    is_landed = ground.stands_on(b.x, b.y, b.level) is not None
    after = replace(stance, footing="ground" if is_landed else "air", can_land=not is_landed)
    try:
        beyond = judge_terrain(ground, form, height, stops, paces, low, b)
        judge_clear(ground, contacts, there)
    except Refused:
        over = without_landing(ground, stops, low.level, after, paces)
        beyond = judge_terrain(ground, form, height, over, paces, low, b)
        if is_landed:
            judge_clear(ground, contacts, there)
        else:
            after = replace(after, must_land=True)
    if contacts.turn_at(a) != contacts.turn_at(b):
        judge_clear(ground, contacts, b)
    surcharges += beyond
    cost = whole(length) + sum(extra for extra, _ in surcharges)
    notes = ("from the level of the Vantage", *(note for _, note in surcharges))
    return Increment("jump", a, b, length, cost, paces.jump_rule, notes), after


def _judge_reach(action: MoveAction, paces: Paces, stance: Stance, past: float) -> None:
    if not action.can_jump:
        raise Refused(action.rule, f"{action.name} may not jump.")
    if past <= EPS:
        raise Refused(paces.jump_rule, "a jump leaves the Vantage.")
    if stance.origin <= paces.jump_from + EPS:
        raise Refused(paces.jump_rule, f'a jump starts from higher than {paces.jump_from:g}".')
    if past > paces.jump_reach + EPS:
        raise Refused(paces.jump_rule, f'a jump of {past:.2f}" from the edge is more than {paces.jump_reach:g}".')


def _without_climbed(ground: Ground, stops: Shadow, reached: float, floor: Array) -> Shadow:
    """Obstacles at the level of the Vantage but for what stands on it and was climbed: no higher than *reached*."""
    climbed = [
        number
        for number in sorted(stops.present)
        if number >= 0 and ground.parts[number].top <= reached + EPS and touches(stops.by_owner[number], floor)
    ]
    return stops.without(climbed)
