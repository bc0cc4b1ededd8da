"""Why a ruling is as it is: sentences with rule ids and numbers, in the order things are decided at the table."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ktsim.geometry.kernels import planar

from .distances import figure_row, height_above
from .kt24 import Judge24
from .outcomes import Judge, Outcome

if TYPE_CHECKING:
    from .lines import Crossing
    from .ruling import Ruling


@dataclass(frozen=True)
class Reason:
    """A clause that decided something, and the rule it comes from."""

    rule: str
    text: str


def inches(value: float) -> str:
    """A distance as players say it."""
    return f'{value:.2f}"'


def reasons_for(ruling: Ruling, outcome: Outcome, judge: Judge) -> list[Reason]:
    reasons = [_distance(ruling), _visible(ruling)]
    if ruling.close_call:
        reasons.append(Reason("SIGHT-9", f"Too close to call: {_by_how_much(ruling)}"))
    reasons += [_restricted(rule, outcome, ruling) for rule in outcome.restricted]
    if isinstance(judge, Judge24):
        reasons += _kt24(ruling, outcome, judge)
    else:
        reasons += _kt21(ruling, outcome)
    reasons += _origin(ruling)
    return reasons


def _distance(ruling: Ruling) -> Reason:
    scene = ruling.scene
    one, two = scene.operative(ruling.shooter), scene.operative(ruling.target)
    straight = (planar.between(figure_row(one), figure_row(two))[0] ** 2 + height_above(one, two) ** 2) ** 0.5
    if ruling.distance > straight + 1e-4:
        if ruling.distance == float("inf"):
            return Reason("SIGHT-17", "No way around the walls leads from one to the other.")
        text = f"{inches(ruling.distance)} apart around the walls ({inches(straight)} in a straight line)."
        return Reason("SIGHT-17", text)
    return Reason("SIGHT-15", f"{inches(ruling.distance)} apart, base to base.")


def _visible(ruling: Ruling) -> Reason:
    sighting = ruling.sighting
    if sighting.visible:
        return Reason("SIGHT-7", f"Visible: a clear 1 mm line runs from {ruling.shooter}'s head to {ruling.target}.")
    searched = f"searched completely down to {sighting.resolution * 25.4:.2f} mm"
    if sighting.undecided:
        far = searched if math.isfinite(sighting.resolution) else "not even coarsely searched to the end"
        text = f"Not decided whether {ruling.target} is visible: no clear line was found, and none ruled out ({far})."
        return Reason("SIGHT-7", text)
    by = f": {sighting.block.by} is in the way" if sighting.block else ""
    how = "no line at all gets through" if sighting.resolution == 0 else searched
    return Reason("SIGHT-7", f"Not visible{by} ({how}).")


def _by_how_much(ruling: Ruling) -> str:
    """What was found of the best line; figures are rounded towards the doubt."""
    how = "clear" if ruling.visible else "blocked"
    found = ruling.sighting.clearance
    by = "less than 0.01" if found is None or abs(found) < 0.01 else f"{min(abs(found), 0.0999):.2f}"
    if by == "0.10":
        by = "almost 0.1"
    return f"the best line found is {how} by {by} mm."


def _restricted(rule: str, outcome: Outcome, ruling: Ruling) -> Reason:
    if rule == "KZ-HAZARD-TARGET":
        text = f'{inches(outcome.hazard)} of hazardous area on a line between them, and from 4" it forbids the target.'
    elif rule == "KZ-BHETA-FOOTPRINT":
        text = "The footprint of a gantry lies on a line between the floor and the Vantage."
    else:
        text = f"{inches(ruling.distance)} is beyond the weapon's range."
    return Reason(rule, text)


def _kt24(ruling: Ruling, outcome: Outcome, judge: Judge24) -> Iterable[Reason]:
    if not judge.can_be_in_cover:
        yield Reason("KT24-COVER", f'No cover: {inches(ruling.distance)} apart, and within 2" there is none.')
    yield from (_covering("KT24-COVER", crossing, ruling) for crossing in ruling.cover)
    if judge.can_be_in_cover and not ruling.cover:
        yield Reason("KT24-COVER", f'Not in cover: nothing within 1" of {ruling.target} is on a line.')
    for crossing in ruling.obscuring:
        yield Reason(
            "KT24-OBSCURED",
            f"Obscured by {crossing.key}: a line crosses it {inches(crossing.to_shooter)} from {ruling.shooter} and "
            f"{inches(crossing.to_target)} from {ruling.target}.",
        )
    for area in ruling.smoke:
        yield Reason("KT24-SMOKE", f'Obscured by {area}: one of them is wholly in it, more than 2" from the other.')
    if not ruling.obscured:
        yield Reason("KT24-OBSCURED", 'Not obscured: no Heavy terrain more than 1" from both is on a line.')
    if judge.not_obscuring:
        names = " and ".join(sorted(judge.not_obscuring))
        yield Reason("KT24-VANTAGE-3", f"Heavy parts of {names} do not obscure: one of them stands on its Vantage.")
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
    yield from _seek(ruling, judge)
    yield Reason("KT24-VALID", _validity(ruling))


def _seek(ruling: Ruling, judge: Judge24) -> Iterable[Reason]:
    if ruling.order == "conceal" and ruling.cover and not ruling.improved_cover_save:
        if judge.weapon.seek:
            text = "Seek: terrain gives no cover when the target is chosen; the cover save remains."
            yield Reason("KT24-W-SEEK", text)
        elif judge.weapon.seek_light and ruling.valid_target:
            text = "Seek Light: Light terrain gives no cover when the target is chosen; the cover save remains."
            yield Reason("KT24-W-SEEK-LIGHT", text)


def _covering(rule: str, crossing: Crossing, ruling: Ruling) -> Reason:
    text = f"In cover from {crossing.key}: a line crosses it {inches(crossing.to_target)} from {ruling.target}."
    return Reason(rule, text)


def _validity(ruling: Ruling) -> str:
    name = ruling.order.capitalize()
    if ruling.undecided:
        return f"Not a valid target: it is not decided whether {ruling.target} is visible."
    if not ruling.visible:
        return f"Not a valid target: {ruling.target} is not visible."
    if ruling.valid_target:
        return f"A valid target: {name} order and visible" + (
            "." if ruling.order == "engage" else ", and no cover that counts."
        )
    if ruling.order == "conceal" and ruling.in_cover:
        return "Not a valid target: Conceal order and in cover."
    return "Not a valid target: see above."


def _kt21(ruling: Ruling, outcome: Outcome) -> Iterable[Reason]:
    yield from (_covering("KT21-COVER", crossing, ruling) for crossing in ruling.cover)
    if not ruling.cover:
        near = ruling.distance <= 2
        why = 'within 2" of the shooter there is none' if near else 'no line crosses anything within 1" of the target'
        yield Reason("KT21-COVER", f"Not in cover: {why}.")
    for crossing in ruling.obscuring:
        yield Reason(
            "KT21-OBSCURED",
            f"Obscured by {crossing.key}: a line crosses it {inches(crossing.to_target)} from {ruling.target}, "
            'and more than 2" counts.',
        )
    if not ruling.obscuring:
        yield Reason("KT21-OBSCURED", 'Not obscured: no line crosses obscuring terrain more than 2" from the target.')
    if outcome.by_vantage:
        text = 'From a Vantage Point 2" or more above, in cover only from Light terrain or operatives: as on Engage.'
        yield Reason("KT21-VANTAGE", text)
    yes = "In line of sight" if ruling.valid_target else "Not in line of sight"
    hidden = ruling.order == "conceal" and ruling.in_cover and not outcome.by_vantage
    unseen = "not decided whether it is visible" if ruling.undecided else "not visible"
    against = [unseen] if not ruling.visible else []
    against += ["obscured"] if ruling.obscured else []
    against += ["in cover on a Conceal order"] if hidden else []
    yield Reason("KT21-LOS", f"{yes}{': ' + ', '.join(against) if against and not ruling.valid_target else ''}.")


def _origin(ruling: Ruling) -> Iterable[Reason]:
    ranks = {region.outcome.rank for region in ruling.regions}
    if len(ranks) > 1:
        who = ruling.shooter
        text = f"The point of {who}'s base matters: of {len(ranks)} outcomes this is the best for {who}."
        yield Reason("SIGHT-14", text)
    for other in ruling.alternatives:
        cover = "in cover" if other.in_cover else "not in cover"
        obscured = "obscured" if other.obscured else "not obscured"
        yield Reason("SIGHT-14", f"From ({other.origin[0]:.2f}, {other.origin[1]:.2f}) instead: {cover}, {obscured}.")
