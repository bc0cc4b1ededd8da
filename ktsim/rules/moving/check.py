"""The exact check of a path: legal with its cost leg by leg, or refused with the leg, the rule and the thing."""

from __future__ import annotations

import math
from dataclasses import replace

from ktsim.rules.moving.along import judge_along
from ktsim.rules.moving.contact import Contacts
from ktsim.rules.moving.ground import Ground
from ktsim.rules.moving.paces import paces
from ktsim.rules.moving.rampart import judge_over_rampart, jumps_over_rampart
from ktsim.rules.moving.standing import judge_clear, judge_standing
from ktsim.rules.moving.upright import judge_upright
from ktsim.rules.moving.walk import Increment, LegalPath, MoveAction, Path, Refusal, Refused, Stance, Walker, Waypoint
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
        self.paces = paces(action.edition, contacts.mover.scene.rules_as_of)
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
