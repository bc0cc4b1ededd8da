"""Straight up and down: climbs, drops, landings after a jump, steps and stairs."""

from __future__ import annotations

from dataclasses import replace
from math import sqrt
from typing import NamedTuple

from ktsim.rules.moving.contact import Contacts
from ktsim.rules.moving.form import Form
from ktsim.rules.moving.ground import LADDER, STAIRS, Ground, GroundPart
from ktsim.rules.moving.paces import Paces
from ktsim.rules.moving.shadow import Shadow
from ktsim.rules.moving.standing import judge_clear, judge_hazard
from ktsim.rules.moving.walk import Footing, Increment, MoveAction, Refused, Stance, Waypoint
from ktsim.sight.scene import EPS, Operative
from ktsim.sight.seen_parts import sees_part_near

SIDEWAYS, UPWARDS = 1.0, 3.0
"""KT24-MOVE-3: how near terrain must be to be climbed, and (KT24-MOVE-6a) how far a base may stand off it."""


def judge_upright(
    ground: Ground, contacts: Contacts, action: MoveAction, paces: Paces, stance: Stance, a: Waypoint, b: Waypoint
) -> tuple[Increment, Stance]:
    """Judge a change of level (or only of turn) at one place."""
    form = Form.of(contacts.mover.operative.base, contacts.turn_at(b))
    return _Change(ground, contacts, form, action, paces, stance, a, b).judged()


class _Change(NamedTuple):
    """A change of level from *a* to *b*, by which a base in some *stance* goes on."""

    ground: Ground
    contacts: Contacts
    form: Form
    action: MoveAction
    paces: Paces
    stance: Stance
    a: Waypoint
    b: Waypoint

    def judged(self) -> tuple[Increment, Stance]:
        ground, stance, paces, a, b = self.ground, self.stance, self.paces, self.a, self.b
        rise = b.level - a.level
        if abs(rise) <= EPS:
            judge_clear(ground, self.contacts, b)
            return Increment("move", a, b, 0.0, 0, "KT24-MOVE-1", ("turned",)), stance
        free = _free_change(ground, a, b, stance)
        if free is not None:
            judge_clear(ground, self.contacts, b)
            return free, self._grounded()
        if self._lands():
            judge_clear(ground, self.contacts, b)
            note = f'up to {paces.landing:g}" is ignored'
            return Increment("land", a, b, abs(rise), 0, paces.jump_rule, (note,)), self._grounded()
        if stance.must_land:
            raise Refused(paces.jump_rule, "the jump went over terrain higher than it, so it has to land there.")
        if paces.jump_lands and stance.footing == "air":
            text = f'a jump lands on a level that is {paces.landing:g}" higher or lower at most.'
            raise Refused(paces.jump_rule, text)
        return self._climb() if rise > 0 else self._drop()

    def _lands(self) -> bool:
        """Does a jump end there, its small difference of height ignored?

        KT21-TERRAIN, our reading: right beside the edge a way down is a drop, which needs no die; only what no drop
        does there is a jump.
        """
        stance, b, rise = self.stance, self.b, self.b.level - self.a.level
        if not stance.can_land or abs(rise) > self.paces.landing + EPS:
            return False
        drops = self.paces.jump_lands and stance.footing == "off" and rise < 0 and not stance.must_land
        return self.ground.stands_on(b.x, b.y, b.level) is not None and not drops

    def _grounded(self) -> Stance:
        at = self.b.level
        return replace(self.stance, footing="ground", origin=at, floor=-1, can_land=False, must_land=False)

    def _met(self, shadow: Shadow) -> int:
        """The part of a shadow that the base is over, or -1."""
        at = self.a.x, self.a.y
        part = shadow.meets(self.form, at, at)
        return part if part >= 0 else shadow.under(*at)

    def _surcharge(self) -> tuple[int, list[str]]:
        """KT24-MOVE-6a: passing an Accessible floor vertically costs 1 inch as well."""
        part = self._met(self.ground.gratings(*sorted((self.a.level, self.b.level))))
        return (0, []) if part < 0 else (1, [f'{self.ground.parts[part].name} is Accessible, +1"'])

    def _judge_column(self, rule: str) -> None:
        low, high = sorted((self.a.level, self.b.level))
        part = self._met(self.ground.obstacles(self.form, self.contacts.mover.height, low, high))
        if part >= 0:
            name = self.ground.parts[part].name
            where = "overhead" if self.b.level > self.a.level else "below"
            raise Refused("KZ-WALL" if self.ground.parts[part].is_wall else rule, f"{name} is {where}.", name)

    def _climb(self) -> tuple[Increment, Stance]:
        ground, contacts, form, action, paces, stance, a, b = self
        rule = paces.climb_rule
        if not action.can_climb:
            raise Refused(action.rule, f"{action.name} may not climb.")
        if stance.footing == "off":
            raise Refused(rule, "it has moved off the edge and can only drop.")
        self._judge_column(rule)
        feature, is_scalable = _climbed_feature(ground, contacts, form, a, b)
        rise = b.level - a.level
        cost, notes, ladder_used = paces.climb_cost(rise, is_scalable), [], stance.ladder_used
        ladder = None if stance.ladder_used else _ladder_beside(ground, contacts, form, a, b)
        if ladder is not None:
            cost, ladder_used = 1, True
            notes.append(f'{ladder} counts as 1"')
        elif cost > rise + 1 - EPS:
            notes.append(paces.climb_words)
        elif cost < rise - EPS:
            notes.append(paces.cheap_climb_words)
        more, why = self._surcharge()
        notes += [*why, feature]
        origin = a.level if stance.footing == "ground" else stance.origin
        floor = _floor_number(ground, a) if stance.footing == "ground" else stance.floor
        footing: Footing = (
            "ground" if ground.is_level(b.level) and ground.stands_on(b.x, b.y, b.level) is not None else "over"
        )
        after = replace(stance, footing=footing, ladder_used=ladder_used, origin=origin, floor=floor, can_land=False)
        if ladder_used != stance.ladder_used:
            rule = "KT24-E-LADDERS"
        return Increment("climb", a, b, rise, cost + more, rule, tuple(notes)), after

    def _drop(self) -> tuple[Increment, Stance]:
        ground, contacts, form, action, paces, stance, a, b = self
        rule = paces.drop_rule
        if not action.can_drop:
            raise Refused(action.rule, f"{action.name} may not drop.")
        height = a.level - b.level
        if height > paces.most_drop + EPS:
            raise Refused(rule, f'a drop of {height:.2f}" is more than {paces.most_drop:g}".')
        self._judge_column(rule)
        judge_hazard(ground, form, b, b)
        if ground.stands_on(b.x, b.y, b.level) is None:
            raise Refused("KT24-MOVE-2", "there is nothing to land on.")
        judge_clear(ground, contacts, b)
        cost = paces.drop_cost(height, stance.drop_used)
        notes = [paces.drop_words] if cost < height - EPS else []
        more, why = self._surcharge()
        after = replace(self._grounded(), drop_used=stance.drop_used + height)
        return Increment("drop", a, b, height, cost + more, rule, (*notes, *why)), after


def _free_change(ground: Ground, a: Waypoint, b: Waypoint, stance: Stance) -> Increment | None:
    """Insignificant steps and stairs: no climb and no drop."""
    if stance.footing != "ground" or not (ground.is_level(a.level) and ground.is_level(b.level)):
        return None
    low, high = min(a.level, b.level), max(a.level, b.level)
    raw = high - low
    stairs = ground.of_kind(STAIRS).under(a.x, a.y)
    if stairs >= 0 and ground.parts[stairs].low <= low + EPS and ground.parts[stairs].top >= high - EPS:
        return Increment("stairs", a, b, raw, 0, "KT24-MOVE-3", ("stairs and slopes need no climb",))
    upper = ground.stands_on(a.x, a.y, high)
    if upper is None or upper < 0 or ground.stands_on(b.x, b.y, b.level) is None:
        return None
    step = ground.parts[upper]
    if not step.is_insignificant or step.low > low + EPS:
        return None
    return Increment("step", a, b, raw, 0, "KT24-MOVE-6", (f"{step.name} is Insignificant",))


def _floor_number(ground: Ground, at: Waypoint) -> int:
    """Which of the separate floors of its level a place belongs to (-1: the killzone floor)."""
    support = ground.support(at.level)
    part = ground.stands_on(at.x, at.y, at.level)
    if support is None or part is None or part < 0:
        return -1
    return support.floor_of[part]


def _climbed_feature(ground: Ground, contacts: Contacts, form: Form, a: Waypoint, b: Waypoint) -> tuple[str, bool]:
    """The feature climbed: near enough at the start, and still there within an inch of the height reached. Also
    whether a part of it that is Scalable is there, where the climb ends; such a feature is climbed rather than others.
    """
    reach = form.inner + SIDEWAYS + EPS
    below = ground.holds(a.level, a.level + UPWARDS)
    above = ground.holds(max(a.level, b.level - SIDEWAYS), b.level)
    near = {ground.parts[part].part.feature for part in below.near(reach, a.x, a.y)}
    beside = {ground.parts[part].part.feature for part in above.near(reach, b.x, b.y)}
    if not near:
        raise Refused("KT24-MOVE-3", 'there is no terrain within 1" horizontally and 3" vertically to climb.')
    if not near & beside:
        feature = sorted(near)[0]
        raise Refused("KT24-MOVE-3", f'{feature} does not reach up to {b.level:.2f}" there.', feature)
    traits = [(ground.parts[p].part.feature, ground.parts[p].part.traits) for p in above.near(reach, b.x, b.y)]
    scalable = {feature for feature, each in traits if "scalable" in each}
    for feature in sorted(near & beside, key=lambda name: (name not in scalable, name)):
        parts = [p for p in below.near(reach, a.x, a.y) if ground.parts[p].part.feature == feature]
        if any(_sees(ground, contacts, a, part) for part in parts):
            return feature, feature in scalable
    feature = sorted(near & beside)[0]
    raise Refused("KT24-MOVE-3", f"{feature} is not visible from there.", feature)


def _sees(ground: Ground, contacts: Contacts, at: Waypoint, part: int) -> bool:
    """Does the operative, standing there, see any of the part within climbing distance?"""
    scene, operative = contacts.mover.scene, contacts.mover.operative
    there: Operative = replace(operative, x=at.x, y=at.y, level=at.level, turn=contacts.turn_at(at))
    known = any(each.id == operative.id for each in scene.operatives)
    scene = scene.moved(there) if known else replace(scene, operatives=(*scene.operatives, there))
    return sees_part_near(scene, operative.id, ground.parts[part].part, UPWARDS + SIDEWAYS)


def ladder_reach(ladder: GroundPart, low: float, high: float) -> float | None:
    """How far a base may be from a ladder, seen from above, to have it in its control range all the way from *low* to
    *high*; None when it is too far above or below (KT24-E-LADDERS)."""
    off = max(0.0, high - ladder.top, ladder.low - low)
    return None if off > SIDEWAYS + EPS else sqrt(max(0.0, SIDEWAYS * SIDEWAYS - off * off))


def _ladder_beside(ground: Ground, contacts: Contacts, form: Form, a: Waypoint, b: Waypoint) -> str | None:
    """A ladder in control range (so also visible) during the whole climb, leaning on terrain that is climbed there."""
    shadow = ground.of_kind(LADDER)
    reach = form.inner + SIDEWAYS + EPS
    for part in shadow.near(reach, a.x, a.y):
        found = ground.parts[part]
        far = ladder_reach(found, a.level, b.level)
        if far is None or part not in shadow.near(form.inner + far + EPS, a.x, a.y):
            continue
        below = ground.holds(a.level, a.level + UPWARDS).near(reach, a.x, a.y)
        above = ground.holds(max(a.level, b.level - SIDEWAYS), b.level).near(reach, b.x, b.y)
        climbed = {ground.parts[p].part.feature for p in below} & {ground.parts[p].part.feature for p in above}
        if climbed & ground.leant_on(part) and all(_sees(ground, contacts, at, part) for at in (a, b)):
            return found.part.feature
    return None
