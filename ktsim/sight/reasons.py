"""Why a ruling is as it is: sentences with rule ids and numbers, in the order things are decided at the table.

The headline says what decided, the reasons what was found on the way. What no longer matters is left out: nobody asks
about cover who is not seen.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ktsim.geometry.kernels import planar
from ktsim.sight.dates import SMOKE_BLUNTS, Correction
from ktsim.sight.distances import figure_row, height_above
from ktsim.sight.hazards import TOO_WIDE
from ktsim.sight.kt24 import Judge24, is_in_smoke
from ktsim.sight.levels import FIRE_STEP
from ktsim.sight.pads import RULE as PAD_RULE
from ktsim.sight.pads import PadVisitor, meet_on_pad, pads_of
from ktsim.sight.pair import VANTAGE_HEIGHT
from ktsim.sight.scene import EPS, RULES_DATES
from ktsim.sight.words import beside, inches, listed

if TYPE_CHECKING:
    from ktsim.sight.ruling import Ruling

NEARLY_HIGH = 1.0
"""Whoever stands lower above a target does not ask what Vantage would give."""


@dataclass(frozen=True)
class Reason:
    """A clause that decided something, and the rule it comes from."""

    rule: str
    text: str


# ---- what decided ----


def decided_by(ruling: Ruling) -> str:
    """The id of the rule that decided whether the target can be chosen."""
    is_2024 = ruling.edition == "kt24"
    if not ruling.visible:
        return "SIGHT-7"
    if ruling.restricted:
        return ruling.restricted[0]
    if ruling.valid_target:
        if ruling.friends:
            return "KT24-VALID" if is_2024 else "KT21-SHOOT"
        if ruling.outcome.by_vantage:
            return "KT24-VANTAGE-2" if is_2024 else "KT21-VANTAGE"
        if (spared := _spared(ruling)) is not None:
            return spared[0]
        return "KT24-VALID" if is_2024 else "KT21-LOS"
    if is_2024:
        return "KT24-COVER"
    return "KT21-OBSCURED" if ruling.obscured else "KT21-COVER"


def headline(ruling: Ruling) -> str:
    """The answer and what decided it, in one sentence."""
    found = _answer(ruling)
    close = " Too close to call: by less than 0.1 mm." if ruling.close_call else ""
    return f"{found[:1].upper()}{found[1:]}.{close}"


def _answer(ruling: Ruling) -> str:
    who = ruling.target
    if ruling.undecided:
        return f"not decided: no clear line to {who} was found, and none ruled out"
    if not ruling.visible:
        block = ruling.sighting.block
        return f"no target: {who} is not visible" + (f", {block.by} is in the way" if block else "")
    if ruling.restricted:
        return f"no target: {_restriction(ruling, ruling.restricted[0])}"
    gets = _gets(ruling)
    if ruling.valid_target:
        if ruling.friends:
            near = "control range" if ruling.edition == "kt24" else "engagement range"
            verb = "are" if len(ruling.friends) > 1 else "is"
            return f"cannot be chosen: {ruling.shooter}'s own {listed(ruling.friends)} {verb} within {who}'s {near}"
        spared = _spared(ruling)
        if ruling.outcome.by_vantage:
            better = ", and the cover save is improved" if ruling.improved_cover_save else ""
            return f"valid target from Vantage: {gets}{better}"
        return f"valid target{f' with {spared[1]}' if spared else ''}: {gets}"
    if ruling.edition == "kt24":
        return f"no target: in cover from {listed(ruling.cover_from)} on Conceal"
    hidden = ruling.order == "conceal" and ruling.in_cover
    against = [f"obscured by {listed(ruling.obscured_by)}"] if ruling.obscured else []
    against += [f"in cover from {listed(ruling.cover_from)} on Conceal"] if hidden else []
    return f"no target: {' and '.join(against)}"


def _gets(ruling: Ruling) -> str:
    """What the target gets, with what gives it."""
    cover, obscured = f"in cover from {listed(ruling.cover_from)}", f"obscured by {listed(ruling.obscured_by)}"
    if ruling.choice and ruling.cover_from == ruling.obscured_by:
        return f"in cover from or obscured by {listed(ruling.cover_from)}, as the defender chooses"
    if ruling.choice:
        return f"{cover} or {obscured}, as the defender chooses"
    if ruling.in_cover and ruling.obscured:
        return f"{cover} and {obscured}"
    if ruling.in_cover:
        return f"{cover}, not obscured"
    return f"{obscured}, not in cover" if ruling.obscured else "neither in cover nor obscured"


def _restriction(ruling: Ruling, rule: str) -> str:
    """What forbids the target whatever its order."""
    if rule == "KZ-HAZARD-TARGET":
        return f'{inches(ruling.hazard)} of hazardous area lies between, and {TOO_WIDE:g}" is too much'
    if rule == "KZ-BHETA-FOOTPRINT":
        assert isinstance(ruling.judge, Judge24)
        names = ruling.judge.footprints_at(ruling.origin[:2])
        low, high = sorted((ruling.judge.shooter, ruling.judge.target), key=lambda one: one.level)
        ways = f"a line between {low.id} on the floor and {high.id} on Vantage"
        return f"the footprint of {listed(names)} lies on {ways}"
    assert ruling.judge.weapon.range is not None
    return f'{away(ruling)}, beyond range {ruling.judge.weapon.range:g}"'


def away(ruling: Ruling) -> str:
    """How far the two are apart."""
    limit = ruling.judge.weapon.range
    shown = inches(ruling.distance) if limit is None else beside(ruling.distance, limit)
    return f"{shown} away" if math.isfinite(ruling.distance) else "no way there around the walls"


def _spared(ruling: Ruling) -> tuple[str, str] | None:
    """The weapon rule without which cover would have hidden a Conceal target: its id and name."""
    if ruling.order != "conceal" or not ruling.in_cover or not ruling.valid_target or ruling.outcome.by_vantage:
        return None
    if ruling.judge.weapon.seek:
        return ("KT24-W-SEEK", "Seek") if ruling.edition == "kt24" else ("KT21-W-INDIRECT", "Indirect")
    return ("KT24-W-SEEK-LIGHT", "Seek Light") if ruling.judge.weapon.seek_light else None


# ---- what was found on the way ----


def reasons_for(ruling: Ruling) -> list[Reason]:
    reasons = [_distance(ruling), _visible(ruling)]
    if ruling.close_call:
        reasons.append(Reason("SIGHT-9", f"Too close to call: {_by_how_much(ruling)}"))
    if ruling.visible:
        for rule in ruling.restricted:
            text = _restriction(ruling, rule)
            reasons.append(Reason(rule, f"{text[:1].upper()}{text[1:]}."))
        if ruling.hazard > 0 and "KZ-HAZARD-TARGET" not in ruling.restricted:
            wide = beside(ruling.hazard, TOO_WIDE)
            text = f'{wide} of hazardous area lies between; it takes {TOO_WIDE:g}" to forbid.'
            reasons.append(Reason("KZ-HAZARD-TARGET", text))
        if not ruling.restricted:
            reasons += _kt24(ruling, ruling.judge) if isinstance(ruling.judge, Judge24) else _kt21(ruling)
            reasons += _origin(ruling)
    reasons += _shoot_notes(ruling)
    reasons += _validity(ruling)
    return reasons


def _distance(ruling: Ruling) -> Reason:
    scene = ruling.scene
    one, two = scene.operative(ruling.shooter), scene.operative(ruling.target)
    straight = (planar.between(figure_row(one), figure_row(two))[0] ** 2 + height_above(one, two) ** 2) ** 0.5
    if ruling.distance >= straight + 0.005:
        if ruling.distance == float("inf"):
            return Reason("SIGHT-17", "No way around the walls leads from one to the other.")
        text = f"{inches(ruling.distance)} apart around the walls ({inches(straight)} in a straight line)."
        return Reason("SIGHT-17", text)
    return Reason("SIGHT-15", f"{inches(ruling.distance)} apart, base to base.")


def _visible(ruling: Ruling) -> Reason:
    sighting = ruling.sighting
    lines = f"1 mm line from {ruling.shooter}'s head to {ruling.target}"
    if sighting.visible:
        return Reason("SIGHT-7", f"Visible: a {lines} is clear.")
    searched = f"searched down to {sighting.resolution * 25.4:.2f} mm"
    if ruling.undecided:
        far = searched if math.isfinite(sighting.resolution) else "not even coarsely searched to the end"
        return Reason("SIGHT-7", f"Not decided: no clear {lines} was found, and none ruled out ({far}).")
    how = "proved" if sighting.resolution == 0 else searched
    by = f"; what comes nearest meets {sighting.block.by}" if sighting.block else ""
    return Reason("SIGHT-7", f"Not visible: no {lines} is clear ({how}){by}.")


def _by_how_much(ruling: Ruling) -> str:
    """What was found of the best line; figures are rounded towards the doubt."""
    how = "clear" if ruling.visible else "blocked"
    found = ruling.sighting.clearance
    by = "less than 0.01" if found is None or abs(found) < 0.01 else f"{min(abs(found), 0.0999):.2f}"
    if by == "0.10":
        by = "almost 0.1"
    return f"the best line found is {how} by {by} mm."


def _kt24(ruling: Ruling, judge: Judge24) -> Iterable[Reason]:
    who = ruling.target
    if not judge.can_be_in_cover:
        yield Reason("KT24-COVER", f'No cover: {inches(ruling.distance)} apart, and within 2" there is none.')
    yield from _covering("KT24-COVER", ruling)
    if judge.can_be_in_cover and not ruling.cover:
        yield Reason("KT24-COVER", f'Not in cover: no line crosses anything within 1" of {who} that {who} sees.')
    for crossing in ruling.obscuring:
        yield Reason(
            "KT24-OBSCURED",
            f"Obscured by {crossing.key}: a line crosses it {beside(crossing.to_shooter, 1)} from {ruling.shooter} and "
            f"{beside(crossing.to_target, 1)} from {who}.",
        )
    yield from _fire_steps(ruling, judge)
    for area in ruling.smoke:
        marker = ruling.scene.smoke[int(area.split("/")[1]) - 1]
        inside = [one.id for one in (judge.shooter, judge.target) if is_in_smoke(one, marker)]
        verb = "are" if len(inside) > 1 else "is"
        apart = f"and they are {beside(ruling.distance, 2)} apart"
        yield Reason("KT24-SMOKE", f"Obscured by {area}: {listed(inside)} {verb} wholly in it, {apart}.")
    if ruling.blunts_piercing:
        yield from _dated(ruling, SMOKE_BLUNTS)
    if not ruling.obscured:
        parts = ruling.scene.parts()
        own = sorted({part.feature for part in parts if part.feature in judge.not_obscuring and "heavy" in part.traits})
        but = f", besides that of {listed(own)}" if own else ""
        text = f'Not obscured: no line crosses Heavy terrain more than 1" from both {ruling.shooter} and {who}{but}.'
        yield Reason("KT24-OBSCURED", text)
    if ruling.choice:
        yield Reason("KT24-SAMEFEATURE", "Cover and obscured come from one feature: the defender chooses one of them.")
    elif ruling.in_cover and ruling.obscured:
        yield Reason("KT24-SAMEFEATURE", "Cover and obscured come from different features: both apply.")
    if ruling.accurate:
        text = f"From Vantage, {inches(judge.lower)} above an Engage target: Accurate {ruling.accurate}."
        yield Reason("KT24-VANTAGE-1", text)
    if ruling.improved_cover_save:
        text = (
            f"From Vantage, {inches(judge.lower)} above a Conceal target: Light terrain does not hide it. It keeps its "
            "cover save and may retain it as a critical success, or retain one more."
        )
        yield Reason("KT24-VANTAGE-2", text)
    yield from _in_vain(ruling, judge)
    yield from _too_low(ruling, judge)
    if (spared := _spared(ruling)) is not None:
        what = "Light terrain" if spared[1] == "Seek Light" else "terrain"
        text = f"{spared[1]}: {what} gives no cover when the target is chosen; the cover save remains."
        yield Reason(spared[0], text)


def _in_vain(ruling: Ruling, judge: Judge24) -> Iterable[Reason]:
    """What would have taken Light cover away from a Conceal target, were its cover Light."""
    heavy = [key for key in ruling.cover_from if key not in _light(ruling)]
    if ruling.valid_target or ruling.order != "conceal" or not heavy:
        return
    verb, covers = ("are", "cover") if len(heavy) > 1 else ("is", "covers")
    if judge.weapon.seek_light:
        text = f"Seek Light is of no use: {listed(heavy)} {verb} not Light, and {covers}."
        yield Reason("KT24-W-SEEK-LIGHT", text)
    if judge.vantage_denies_light():
        text = f"Vantage is of no use: {listed(heavy)} {verb} not Light, and {covers} all the same."
        yield Reason("KT24-VANTAGE-2", text)


def _fire_steps(ruling: Ruling, judge: Judge24) -> Iterable[Reason]:
    """That what somebody stands on is no Vantage that would lift obscured."""
    by = {crossing.key.split("/")[0] for crossing in ruling.obscuring}
    for one, parts in ((judge.shooter, judge.shooter_vantage), (judge.target, judge.target_vantage)):
        for feature in sorted({part.feature for part in parts if part.kind == FIRE_STEP} & by):
            text = f"{one.id} stands on a fire step of {feature}: that does not lift obscured by it."
            yield Reason("KT24-VANTAGE-3", text)


def _too_low(ruling: Ruling, judge: Judge24) -> Iterable[Reason]:
    """What Vantage would have given, were it higher above the target."""
    if not judge.shooter_vantage or not NEARLY_HIGH <= judge.lower < VANTAGE_HEIGHT - EPS:
        return
    why = f'only {beside(judge.lower, VANTAGE_HEIGHT)} above {ruling.target}, and {VANTAGE_HEIGHT:g}" are needed.'
    if ruling.order == "engage":
        yield Reason("KT24-VANTAGE-1", f"Vantage gives no Accurate: {why}")
    elif not ruling.valid_target and ruling.in_cover and set(ruling.cover_from) <= _light(ruling):
        yield Reason("KT24-VANTAGE-2", f"Vantage does not take Light cover away: {why}")


def _light(ruling: Ruling) -> set[str]:
    """The parts that cover and are Light."""
    pieces = ruling.judge.fan.pieces
    return {pieces[code].source.key for code in ruling.outcome.cover if pieces[code].source.light}


def _dated(ruling: Ruling, correction: Correction) -> Iterable[Reason]:
    """KT24-DATED: what a corrected rule says of this shot, and what it says as of other dates."""
    as_of = ruling.scene.rules_as_of
    yield Reason(correction.rule, correction.said(as_of))
    for other in RULES_DATES:
        if correction.holds(other) != correction.holds(as_of):
            yield Reason("KT24-DATED", f"Ruled as of {as_of}. As of {other}: {correction.said(other)}")


def _covering(rule: str, ruling: Ruling) -> Iterable[Reason]:
    """What covers, each part once by its nearest crossing."""
    found: dict[str, float] = {}
    for crossing in ruling.cover:
        found[crossing.key] = min(crossing.to_target, found.get(crossing.key, math.inf))
    for key, apart in found.items():
        yield Reason(rule, f"In cover from {key}: a line crosses it {inches(apart)} from {ruling.target}.")


def _kt21(ruling: Ruling) -> Iterable[Reason]:
    yield from _covering("KT21-COVER", ruling)
    if not ruling.cover:
        near = ruling.distance <= 2
        why = (
            f'{inches(ruling.distance)} apart, and within 2" there is none'
            if near
            else f'no line crosses anything that counts within 1" of {ruling.target}'
        )
        yield Reason("KT21-COVER", f"Not in cover: {why}.")
    for crossing in ruling.obscuring:
        yield Reason(
            "KT21-OBSCURED",
            f"Obscured by {crossing.key}: a line crosses it {beside(crossing.to_target, 2)} from {ruling.target}, "
            'and more than 2" counts.',
        )
    if not ruling.obscuring:
        text = f'Not obscured: no line crosses obscuring terrain that counts more than 2" from {ruling.target}.'
        yield Reason("KT21-OBSCURED", text)
    if ruling.outcome.by_vantage:
        text = 'From a Vantage Point 2" or more above, in cover only from Light terrain or operatives: as on Engage.'
        yield Reason("KT21-VANTAGE", text)
    if (spared := _spared(ruling)) is not None:
        yield Reason(spared[0], f"{spared[1]}: cover does not hide the target; the cover save remains.")


def _origin(ruling: Ruling) -> Iterable[Reason]:
    ranks = {region.outcome.rank for region in ruling.regions}
    if len(ranks) > 1:
        who = ruling.shooter
        text = f"Where on {who}'s base lines start matters: of {len(ranks)} outcomes this is the best for {who}."
        yield Reason("SIGHT-14", text)
    for other in ruling.alternatives:
        cover = "in cover" if other.in_cover else "not in cover"
        obscured = "obscured" if other.obscured else "not obscured"
        yield Reason("SIGHT-14", f"From ({other.origin[0]:.2f}, {other.origin[1]:.2f}) instead: {cover}, {obscured}.")


def _shoot_notes(ruling: Ruling) -> Iterable[Reason]:
    """What else the Shoot action asks for; other rules that ask for a valid target do not."""
    is_2024, who = ruling.edition == "kt24", ruling.shooter
    where = "control range" if is_2024 else "engagement range"
    if ruling.judge.shooter.order == "conceal" and not ruling.judge.weapon.silent:
        rule = "KT24-ORDER" if is_2024 else "KT21-ACTIVATE"
        yield Reason(rule, f"{who} may not Shoot: it has a Conceal order, and its weapon is not Silent.")
    if ruling.enemies:
        rule = "KT24-SHOOT" if is_2024 else "KT21-SHOOT"
        verb = "are" if len(ruling.enemies) > 1 else "is"
        yield Reason(rule, f"{who} may not Shoot: {listed(ruling.enemies)} {verb} within its {where}.")
    pads, at = pads_of(ruling.scene.terrain), PadVisitor.of(ruling.judge.shooter)
    for id in ruling.enemies:
        if meet_on_pad(pads, at, PadVisitor.of(ruling.scene.operative(id))):
            yield Reason(PAD_RULE, f"{who} and {id} meet on a teleport pad: in control range, however far apart.")
    if ruling.friends:
        rule = "KT24-VALID" if is_2024 else "KT21-SHOOT"
        verb = "are" if len(ruling.friends) > 1 else "is"
        text = f"{who}'s own {listed(ruling.friends)} {verb} within {ruling.target}'s {where}: Shoot may not choose it."
        yield Reason(rule, text)


def _validity(ruling: Ruling) -> Iterable[Reason]:
    """What follows from the order; nothing does for somebody not seen, or forbidden whatever its order."""
    if not ruling.visible or ruling.restricted:
        return
    is_2024, order = ruling.edition == "kt24", f"{ruling.order.capitalize()} order"
    rule = "KT24-VALID" if is_2024 else "KT21-LOS"
    if ruling.valid_target:
        what = "A valid target" if is_2024 else "In line of sight"
        cover = ", and its cover does not hide it" if ruling.in_cover else ", and not in cover"
        yield Reason(rule, f"{what}: {order} and visible{cover if ruling.order == 'conceal' else ''}.")
    elif is_2024:
        yield Reason(rule, f"Not a valid target: {order} and in cover.")
    else:
        hidden = [order, "in cover"] if ruling.order == "conceal" and ruling.in_cover else []
        against = [*(["obscured"] if ruling.obscured else []), *hidden]
        yield Reason(rule, f"Not in line of sight: {listed(against)}.")
