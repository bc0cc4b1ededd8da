"""A ruling: one immutable value that the panel, the picture, the log, the bots and the tests all read.

Any part of a miniature counts, guns too. But our figures are not the players' own: where only a thin part of one
decides, or the way it is turned, a ruling says so."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache

import numpy as np

from ktsim.geometry.solids import cylinder
from ktsim.sight import kt21, kt24, reasons
from ktsim.sight.considered import Considered, considered
from ktsim.sight.control import in_control_range
from ktsim.sight.distances import between, height_above
from ktsim.sight.hazards import Flat, Hazards
from ktsim.sight.lines import Convention, Crossing
from ktsim.sight.outcomes import Outcome, Region, region_at, regions, undominated
from ktsim.sight.pads import PadVisitor, meet_on_pad, pads_of
from ktsim.sight.reasons import Reason
from ktsim.sight.scene import Edition, Figure, Operative, Order, Scene, Weapon
from ktsim.sight.standing import doubts
from ktsim.sight.visibility import SETTLED, Effort, Line, Point, Sighting, visible

CLOSE_MISS = 1.0
"""Of what does not count, text names what lines cross or pass as near as this (inches); data names all of it."""


@dataclass(frozen=True)
class Alternative:
    """Another origin the shooter's player might pick, and what it gives (SIGHT-14)."""

    origin: Point
    valid_target: bool
    in_cover: bool
    obscured: bool
    choice: str | None
    improved_cover_save: bool
    cover_from: tuple[str, ...]
    obscured_by: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Ruling:
    """May *shooter* shoot *target*, and what does the target get? With the lines and numbers that decided it."""

    edition: Edition
    shooter: str
    target: str
    order: Order
    sighting: Sighting
    valid_target: bool
    in_cover: bool
    obscured: bool
    choice: str | None
    """``"defender"`` when cover and obscured come only from the same feature; both are then true."""
    distance: float
    accurate: int
    improved_cover_save: bool
    blunts_piercing: bool
    origin: Point
    cover: tuple[Crossing, ...]
    obscuring: tuple[Crossing, ...]
    smoke: tuple[str, ...]
    regions: tuple[Region, ...]
    """All outcomes, the shooter's best first, with where on the base they are had."""
    alternatives: tuple[Alternative, ...]
    friends: tuple[str, ...]
    """Of the shooter, in the target's control range: then Shoot may not choose it."""
    enemies: tuple[str, ...]
    """Of the shooter, in its own control range: then it may not Shoot."""
    convention: Convention
    scene: Scene
    judge: kt24.Judge24 | kt21.Judge21 = field(repr=False)

    @cached_property
    def reasons(self) -> tuple[Reason, ...]:
        """What was found, in the order things are decided."""
        return tuple(reasons.reasons_for(self))

    @property
    def visible(self) -> bool:
        return self.sighting.visible

    @property
    def witness(self) -> Line | None:
        return self.sighting.witness

    @property
    def close_call(self) -> bool:
        return self.sighting.close_call

    @property
    def undecided(self) -> bool:
        """Whether it is visible was not found out; it is then no valid target."""
        return self.sighting.undecided

    @property
    def resolution(self) -> float:
        """How finely was searched (inches): 0 for a complete search, see ``Sighting``."""
        return self.sighting.resolution

    @property
    def cover_from(self) -> tuple[str, ...]:
        """The parts that give cover, each once."""
        return _each_once(crossing.key for crossing in self.cover)

    @property
    def obscured_by(self) -> tuple[str, ...]:
        return _each_once((*(crossing.key for crossing in self.obscuring), *self.smoke))

    @property
    def outcome(self) -> Outcome:
        return self.regions[0].outcome

    @property
    def shootable(self) -> bool:
        """A valid target that the Shoot action may choose."""
        return self.valid_target and not self.friends

    @property
    def restricted(self) -> tuple[str, ...]:
        """The rules that forbid shooting at the target whatever its order."""
        beyond = self.judge.beyond_range()
        return self.outcome.restricted if beyond is None else (*self.outcome.restricted, beyond)

    @property
    def decided_by(self) -> str:
        """The id of the rule that decided."""
        return reasons.decided_by(self)

    @cached_property
    def headline(self) -> str:
        """The answer and what decided it, in one sentence."""
        return reasons.headline(self)

    @cached_property
    def considered(self) -> tuple[Considered, ...]:
        """Every part that might have given cover or obscured, and why it does or does not."""
        return considered(self)

    @property
    def set_aside(self) -> tuple[Considered, ...]:
        """Of what was considered in vain, what people ask about: lines cross it or pass it by little. Nobody does once
        the target is not seen or forbidden whatever stands there."""
        if not self.visible or self.restricted:
            return ()
        vain = (each for each in self.considered if not each.counts and not each.is_below and each.apart <= CLOSE_MISS)
        return tuple({(each.rule, each.text): each for each in vain}.values())

    @property
    def _hazards(self) -> Hazards | None:
        return self.judge.hazards if isinstance(self.judge, kt24.Judge24) else None

    @cached_property
    def hazard(self) -> float:
        """The most hazardous area, in inches, on any targeting line from the origin."""
        return self._hazards.longest(self.judge.fan, self.origin[:2]) if self._hazards is not None else 0.0

    @cached_property
    def hazard_line(self) -> tuple[Flat, tuple[Flat, ...]] | None:
        """The targeting line with the most hazardous area on it, and the stretches of it there, seen from above."""
        if self._hazards is None or not self.hazard:
            return None
        return self._hazards.longest_line(self.judge.fan, self.origin[:2])

    @cached_property
    def footprints(self) -> tuple[Crossing, ...]:
        """Where lines cross footprints of gantries that forbid the target (KZ-BHETA-FOOTPRINT)."""
        if "KZ-BHETA-FOOTPRINT" not in self.outcome.restricted:
            return ()
        fan, origin = self.judge.fan, self.origin[:2]
        hits = fan.at(np.array([origin]))[0]
        codes = [int(code) for code in np.flatnonzero(hits) if fan.pieces[code].zone == "footprint"]
        return tuple(fan.crossing(code, origin) for code in codes)

    @cached_property
    def stand_in_note(self) -> str | None:
        """That the answer hangs on how the target's figure is built or turned, if it does."""
        return stand_in_note(self)

    @cached_property
    def warnings(self) -> tuple[str, ...]:
        """Doubts about the scene, as sentences."""
        note = self.stand_in_note
        return (*doubts(self.scene), *(() if note is None else (note,)))

    def as_json(self, scene_name: str) -> dict[str, object]:
        """The fields other people's programs read."""
        return {
            "scene": scene_name,
            "from": self.shooter,
            "to": self.target,
            "edition": self.edition,
            "order": self.order,
            "visible": self.visible,
            "valid_target": self.valid_target,
            "in_cover": self.in_cover,
            "obscured": self.obscured,
            "choice": self.choice,
            "cover_from": list(self.cover_from),
            "obscured_by": list(self.obscured_by),
            # JSON has no infinity: null when walls leave no way from one to the other
            "distance": round(self.distance, 6) if math.isfinite(self.distance) else None,
            "accurate": self.accurate,
            "improved_cover_save": self.improved_cover_save,
            "witness": None if self.witness is None else [list(point) for point in self.witness],
            "origin": list(self.origin),
            "close_call": self.close_call,
            "undecided": self.undecided,
            # null when not even the coarsest search came to its end
            "resolution": self.resolution if math.isfinite(self.resolution) else None,
            "shootable": self.shootable,
            "decided_by": self.decided_by,
            "headline": self.headline,
            "reasons": [{"rule": reason.rule, "text": reason.text} for reason in self.reasons],
            "considered": [each.as_json() for each in self.considered],
            "warnings": list(self.warnings),
            "hangs_on_figure": self.stand_in_note is not None,
            "rules_as_of": self.scene.rules_as_of,
        }

    def as_text(self) -> str:
        """The headline, then why, rule by rule: what was found, then what was set aside, then doubts."""
        rows = [(reason.rule, reason.text) for reason in self.reasons]
        rows += [(each.rule, each.text) for each in self.set_aside]
        rows += [("warning", text) for text in self.warnings]
        width = max(len(rule) for rule, _ in rows)
        head = f"{self.shooter} -> {self.target}: {self.headline}"
        return "\n".join([head, *(f"  {rule:<{width}}  {text}" for rule, text in rows)])


def ruling(
    scene: Scene,
    shooter: str,
    target: str,
    edition: Edition = "kt24",
    weapon: Weapon | None = None,
    convention: Convention = "inset",
    origin: tuple[float, float] | None = None,
    effort: Effort = SETTLED,
    seen: Sighting | None = None,
) -> Ruling:
    """Rule on operative *shooter* choosing *target*, with targeting lines from its best origin, or from the point of
    its base nearest to *origin* whatever that gives. *effort*: how long to look whether it is visible; *seen*: the
    answer to that, where it is known already (``refining``)."""
    one, two = scene.operative(shooter), scene.operative(target)
    sighting = visible(scene, shooter, target, effort=effort) if seen is None else seen
    judge = _judge(scene, one, two, sighting.visible, edition, weapon, convention, effort)
    distance = judge.distance
    found = regions(judge) if origin is None else [region_at(judge, origin)]
    best = found[0]
    outcome, fan = best.outcome, judge.fan
    cover = tuple(fan.crossing(code, best.origin) for code in outcome.cover)
    obscuring = tuple(fan.crossing(code, best.origin) for code in outcome.obscuring)
    smoke = judge.smoke if isinstance(judge, kt24.Judge24) else ()
    piercing = isinstance(judge, kt24.Judge24) and judge.blunts_piercing()
    others = tuple(_alternative(region, judge, smoke) for region in undominated(found)[1:])
    return Ruling(
        edition=edition,
        shooter=shooter,
        target=target,
        order=two.order,
        sighting=sighting,
        valid_target=outcome.valid and judge.in_range,
        in_cover=outcome.in_cover,
        obscured=outcome.obscured,
        choice=outcome.choice,
        distance=distance,
        accurate=judge.accurate(),
        improved_cover_save=_is_improved(outcome, judge),
        blunts_piercing=piercing,
        origin=(*best.origin, fan.shooter_z),
        cover=cover,
        obscuring=obscuring,
        smoke=smoke,
        regions=tuple(found),
        alternatives=others,
        friends=_within_reach(scene, two, [other for other in scene.others(shooter, target) if other.team == one.team]),
        enemies=_within_reach(scene, one, [other for other in scene.others(shooter) if other.team != one.team]),
        convention=convention,
        scene=scene,
        judge=judge,
    )


def outcomes_by_order(
    scene: Scene, shooter: str, target: str, edition: Edition = "kt24", weapon: Weapon | None = None
) -> dict[Order, Outcome]:
    """What the shooter's best origin gives it against a target that it sees, on either order. What is beyond the
    weapon's range is not valid here."""
    one, two = scene.operative(shooter), scene.operative(target)
    judge = _judge(scene, one, two, True, edition, weapon, "inset")
    engaged = concealed = regions(judge.on("engage"))[0].outcome
    if engaged.valid and engaged.in_cover:  # only cover makes the order matter
        concealed = regions(judge.on("conceal"))[0].outcome
    found: dict[Order, Outcome] = {"engage": engaged, "conceal": concealed}
    return found if judge.in_range else {order: replace(each, valid=False) for order, each in found.items()}


def _judge(
    scene: Scene,
    shooter: Operative,
    target: Operative,
    is_visible: bool,
    edition: Edition,
    weapon: Weapon | None,
    convention: Convention,
    effort: Effort = SETTLED,
) -> kt24.Judge24 | kt21.Judge21:
    make = kt24.Judge24 if edition == "kt24" else kt21.Judge21
    distance = between(scene, shooter.id, target.id)
    return make(scene, shooter, target, weapon, distance, is_visible, convention, effort)


def _alternative(region: Region, judge: kt24.Judge24 | kt21.Judge21, smoke: tuple[str, ...]) -> Alternative:
    outcome, fan = region.outcome, judge.fan
    return Alternative(
        origin=(*region.origin, fan.shooter_z),
        valid_target=outcome.valid and judge.in_range,
        in_cover=outcome.in_cover,
        obscured=outcome.obscured,
        choice=outcome.choice,
        improved_cover_save=_is_improved(outcome, judge),
        cover_from=_each_once(fan.pieces[code].source.key for code in outcome.cover),
        obscured_by=_each_once((*(fan.pieces[code].source.key for code in outcome.obscuring), *smoke)),
    )


def _is_improved(outcome: Outcome, judge: kt24.Judge24 | kt21.Judge21) -> bool:
    """KT24-VANTAGE-2: does the target keep an improved cover save? Not when it is none in reach. 2021 has none."""
    return isinstance(judge, kt24.Judge24) and outcome.by_vantage and judge.in_range


def _each_once(keys: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(keys))


def _within_reach(scene: Scene, one: Operative, others: Iterable[Operative]) -> tuple[str, ...]:
    """Those of the others in whose control range an operative is."""
    pads, at = pads_of(scene.terrain), PadVisitor.of(one)
    near = (o.id for o in others if _may_touch(o, one) or meet_on_pad(pads, PadVisitor.of(o), at))
    return tuple(id for id in near if in_control_range(scene, id, one.id))


def _may_touch(one: Operative, two: Operative) -> bool:
    """Quick no: too far apart for control range, but for a teleport pad's."""
    reach = sum(max(o.base.along, o.base.across) for o in (one, two)) + 1.1
    return (one.x - two.x) ** 2 + (one.y - two.y) ** 2 <= reach * reach and abs(height_above(one, two)) < 1.1


CORE = 0.15
"""Radius of the slim core of a figure, as a share of its height: trunk and head."""
TURNS = 8
"""Ways a figure is turned to see whether that matters."""


def stand_in_note(ruling: Ruling) -> str | None:
    """A sentence that says so; None when it does not, or the figure is the player's own."""
    target = ruling.scene.operative(ruling.target)
    if not target.figure.is_stand_in:
        return None
    who = target.id
    if ruling.visible:
        if _sees(ruling, _core(target.figure)):
            return None
        always = all(_sees_turned(ruling, turn) for turn in range(1, TURNS))
        but = ", however it is turned" if always else "; turned otherwise it would be hidden"
        return f"Only a thin part of {who}'s figure (gun, arm or pack) can be seen{but}."
    if _sees(ruling, _hull(target.figure)) and any(_sees_turned(ruling, turn) for turn in range(1, TURNS)):
        return f"{who} is hidden as its figure is turned; turned otherwise a part of it could be seen."
    return None


def _sees(ruling: Ruling, figure: Figure) -> bool:
    """Would the shooter see the target if it were *figure*?"""
    scene = ruling.scene
    swapped = scene.moved(replace(scene.operative(ruling.target), figure=figure))
    return visible(swapped, ruling.shooter, ruling.target).visible


def _sees_turned(ruling: Ruling, turn: int) -> bool:
    scene = ruling.scene
    one = scene.operative(ruling.target)
    turned = scene.moved(replace(one, turn=one.turn + turn * 360 / TURNS))
    return visible(turned, ruling.shooter, ruling.target).visible


@lru_cache(maxsize=64)
def _core(figure: Figure) -> Figure:
    low, high = float(figure.triangles[..., 2].min()), float(figure.triangles[..., 2].max())
    return _upright(figure, low, figure.head[2] + figure.head_radius, CORE * high)


@lru_cache(maxsize=64)
def _hull(figure: Figure) -> Figure:
    """All that the figure takes up however it is turned."""
    low, high = float(figure.triangles[..., 2].min()), float(figure.triangles[..., 2].max())
    return _upright(figure, low, high, 1.01 * float(np.hypot(figure.triangles[..., 0], figure.triangles[..., 1]).max()))


def _upright(figure: Figure, low: float, high: float, radius: float) -> Figure:
    return Figure(f"{figure.name} core", cylinder((0.0, 0.0, low), radius, high - low), figure.head, figure.head_radius)
