"""A ruling: one immutable value that the panel, the picture, the log, the bots and the tests all read."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from . import kt21, kt24
from .control import in_control_range
from .distances import between, height_above
from .lines import Convention, Crossing
from .outcomes import Outcome, Region, region_at, regions, undominated
from .reasons import Reason, reasons_for
from .scene import Edition, Operative, Order, Scene, Weapon
from .visibility import SETTLED, Effort, Line, Point, Sighting, visible
from .weapons import TargetingRules


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
    ignores_piercing: bool
    origin: Point
    cover: tuple[Crossing, ...]
    obscuring: tuple[Crossing, ...]
    smoke: tuple[str, ...]
    regions: tuple[Region, ...]
    """All outcomes, the shooter's best first, with where on the base they are had."""
    alternatives: tuple[Alternative, ...]
    reasons: tuple[Reason, ...]
    convention: Convention
    scene: Scene

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
    def verdict(self) -> str:
        """One sentence: the answer first."""
        if self.undecided:
            return f"{self.target} is not a valid target for {self.shooter}: whether it is visible is not decided."
        if not self.visible:
            return f"{self.target} is not a valid target for {self.shooter}: not visible."
        what = []
        if self.choice:
            what.append("in cover or obscured, as the defender chooses")
        else:
            what += ["in cover"] if self.in_cover else []
            what += ["obscured"] if self.obscured else []
        tail = f", {' and '.join(what)}" if what else ", neither in cover nor obscured"
        if self.valid_target:
            return f"{self.target} is a valid target for {self.shooter}{tail}."
        return f"{self.target} is not a valid target for {self.shooter}: visible{tail}."

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
            "reasons": [{"rule": reason.rule, "text": reason.text} for reason in self.reasons],
        }

    def as_text(self) -> str:
        """The verdict, then why, rule by rule."""
        width = max(len(reason.rule) for reason in self.reasons)
        lines = [self.verdict]
        lines += [f"  {reason.rule:<{width}}  {reason.text}" for reason in self.reasons]
        return "\n".join(lines)


def ruling(
    scene: Scene,
    shooter: str,
    target: str,
    edition: Edition = "kt24",
    weapon: Weapon | None = None,
    convention: Convention = "inset",
    origin: tuple[float, float] | None = None,
    effort: Effort = SETTLED,
) -> Ruling:
    """Rule on operative *shooter* choosing *target*, with targeting lines from its best origin, or from the point of
    its base nearest to *origin* whatever that gives. *effort*: how long to look whether it is visible."""
    one, two = scene.operative(shooter), scene.operative(target)
    sighting = visible(scene, shooter, target, effort=effort)
    judge = _judge(scene, one, two, sighting.visible, edition, weapon, convention, effort)
    distance = judge.distance
    found = regions(judge) if origin is None else [region_at(judge, origin)]
    best = found[0]
    outcome, fan = best.outcome, judge.fan
    cover = tuple(fan.crossing(code, best.origin) for code in outcome.cover)
    obscuring = tuple(fan.crossing(code, best.origin) for code in outcome.obscuring)
    smoke = judge.smoke if isinstance(judge, kt24.Judge24) else ()
    piercing = isinstance(judge, kt24.Judge24) and judge.ignores_piercing()
    others = tuple(_alternative(region, judge, smoke) for region in undominated(found)[1:])
    result = Ruling(
        edition=edition,
        shooter=shooter,
        target=target,
        order=two.order,
        sighting=sighting,
        valid_target=outcome.valid,
        in_cover=outcome.in_cover,
        obscured=outcome.obscured,
        choice=outcome.choice,
        distance=distance,
        accurate=judge.accurate(),
        improved_cover_save=_is_improved(outcome, judge),
        ignores_piercing=piercing,
        origin=(*best.origin, fan.shooter_z),
        cover=cover,
        obscuring=obscuring,
        smoke=smoke,
        regions=tuple(found),
        alternatives=others,
        reasons=(),
        convention=convention,
        scene=scene,
    )
    notes = _shoot_notes(scene, one, two, edition, weapon)
    object.__setattr__(result, "reasons", (*reasons_for(result, outcome, judge), *notes))
    return result


def best_outcome(
    scene: Scene,
    shooter: str,
    target: str,
    is_visible: bool,
    edition: Edition = "kt24",
    weapon: Weapon | None = None,
    convention: Convention = "inset",
) -> Outcome:
    """What the shooter's best origin gives it, for a caller that knows already whether it sees the target."""
    one, two = scene.operative(shooter), scene.operative(target)
    return regions(_judge(scene, one, two, is_visible, edition, weapon, convention))[0].outcome


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
        valid_target=outcome.valid,
        in_cover=outcome.in_cover,
        obscured=outcome.obscured,
        choice=outcome.choice,
        improved_cover_save=_is_improved(outcome, judge),
        cover_from=_each_once(fan.pieces[code].source.key for code in outcome.cover),
        obscured_by=_each_once((*(fan.pieces[code].source.key for code in outcome.obscuring), *smoke)),
    )


def _is_improved(outcome: Outcome, judge: kt24.Judge24 | kt21.Judge21) -> bool:
    """KT24-VANTAGE-2: does the target keep an improved cover save? 2021 has none."""
    return isinstance(judge, kt24.Judge24) and outcome.by_vantage


def _each_once(keys: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(keys))


def _shoot_notes(
    scene: Scene, shooter: Operative, target: Operative, edition: Edition, weapon: Weapon | None
) -> list[Reason]:
    """What else the Shoot action asks for; other rules that ask for a valid target do not."""
    notes = []
    if shooter.order == "conceal" and not TargetingRules.of(weapon).silent:
        rule = "KT24-ORDER" if edition == "kt24" else "KT21-ACTIVATE"
        notes.append(Reason(rule, f"{shooter.id} has a Conceal order: it may not Shoot without a Silent weapon."))
    near = [
        friend.id
        for friend in scene.operatives
        if friend.team == shooter.team
        and friend.id != shooter.id
        and _may_touch(friend, target)
        and in_control_range(scene, friend.id, target.id)
    ]
    if near:
        where = "control range" if edition == "kt24" else "engagement range"
        rule = "KT24-VALID" if edition == "kt24" else "KT21-SHOOT"
        who = " and ".join(near)
        text = f"{who} of {shooter.id}'s team in {target.id}'s {where}: the Shoot action may not choose it."
        notes.append(Reason(rule, text))
    return notes


def _may_touch(one: Operative, two: Operative) -> bool:
    """Quick no: too far apart for control range."""
    reach = sum(max(o.base.along, o.base.across) for o in (one, two)) + 1.1
    return (one.x - two.x) ** 2 + (one.y - two.y) ** 2 <= reach * reach and abs(height_above(one, two)) < 1.1
