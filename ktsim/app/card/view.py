"""A ruling as the window and the pictures show it: what is drawn, in which state, and in what words.

Everything comes from the ruling; nothing is measured or decided here.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal, TypeAlias

from ktsim.app.stage.overlays import State, rim_point
from ktsim.killzones.figures import figure_words
from ktsim.sight.part_names import part_name, readable
from ktsim.sight.scene import RULES_DATES, Edition, Operative, Order, RulesDate

if TYPE_CHECKING:
    from ktsim.sight import lines, ruling
    from ktsim.sight.considered import Considered

Point: TypeAlias = tuple[float, float, float]
Segment: TypeAlias = tuple[Point, Point]
Outline: TypeAlias = tuple[tuple[float, float], ...]
Kind: TypeAlias = Literal["visible", "cover", "obscured", "hazard", "footprint", "range"]
"""What a ruling may turn on."""


@dataclass(frozen=True)
class CrossedPart:
    """A part on a line: where, and how far that is from the target (None where it was not measured)."""

    part: str
    point: Point
    line: Segment
    from_target: float | None = None

    @property
    def name(self) -> str:
        """The part as players call it."""
        return part_name(self.part)


@dataclass(frozen=True)
class HazardStretch:
    """A targeting line with the stretches of it that run through hazardous area, and how long they are together."""

    line: Segment
    inside: tuple[Segment, ...]
    inches: float


@dataclass(frozen=True)
class Tag:
    """A word of the verdict besides the answer itself, and whether the target has it."""

    icon: str
    words: str
    is_on: bool = True


@dataclass(frozen=True)
class RulingView:
    """One ruling, ready to be drawn."""

    edition: Edition
    shooter: str
    target: str
    order: Order
    valid: bool
    visible: bool
    in_cover: bool
    obscured: bool
    distance: float
    convention: str
    sentence: str
    reasons: tuple[tuple[str, str], ...]
    choice: str | None = None
    rules_as_of: RulesDate = RULES_DATES[0]
    close_call: bool = False
    undecided: bool = False
    resolution: float = 0.0
    restricted: tuple[str, ...] = ()
    """Rules that forbid the target whatever its order."""
    friends: tuple[str, ...] = ()
    """Of the shooter, near the target: it cannot be chosen."""
    witness: Segment | None = None
    blocked: CrossedPart | None = None
    origin: Point | None = None
    regions: tuple[Outline, ...] = ()
    cover: tuple[CrossedPart, ...] = ()
    obscuring: tuple[CrossedPart, ...] = ()
    smoke: tuple[str, ...] = ()
    """Smoke areas that obscure."""
    alternatives: tuple[Point, ...] = ()
    hazard: HazardStretch | None = None
    footprints: tuple[CrossedPart, ...] = ()
    range: float | None = None
    """How far the weapon reaches, in inches."""
    aside: tuple[Considered, ...] = ()
    """What was considered in vain, in words for people; not asked for while something is dragged."""
    warnings: tuple[str, ...] = ()
    figures: tuple[tuple[str, str], ...] = ()
    """Both operatives with what was taken for their miniatures and bases."""

    @property
    def is_yes(self) -> bool:
        """Whether the target can be chosen."""
        return self.valid and not self.friends

    @property
    def state(self) -> State:
        if not self.visible:
            return "blocked"
        return "target" if self.is_yes else "seen"

    @property
    def deciding(self) -> tuple[Kind, Segment | None, Point | None, str]:
        """What the ruling turned on: its kind, line, where the line meets a part, and that part."""
        if not self.visible:
            hit = self.blocked
            return "visible", hit.line if hit else None, hit.point if hit else None, hit.part if hit else ""
        if self.footprints:
            first = self.footprints[0]
            return "footprint", first.line, first.point, first.part
        if self.hazard is not None and "KZ-HAZARD-TARGET" in self.restricted:
            return "hazard", self.hazard.line, None, ""
        if self.restricted:
            return "range", self.witness, None, ""
        obscures: tuple[Kind, tuple[CrossedPart, ...]] | None = ("obscured", self.obscuring) if self.obscuring else None
        covers: tuple[Kind, tuple[CrossedPart, ...]] | None = ("cover", self.cover) if self.cover else None
        if self.valid:
            shown = covers or obscures
        elif self.edition == "kt24":
            shown = covers if self.order == "conceal" else None
        else:
            shown = obscures or (covers if self.order == "conceal" else None)
        if shown is None:
            return "visible", self.witness, None, ""
        kind, (first, *_) = shown
        return kind, first.line, first.point, first.part

    def crossings(self) -> tuple[CrossedPart, ...]:
        """Everything a line was found to meet that still matters: nobody asks about cover who is not seen."""
        if not self.visible:
            return (self.blocked,) if self.blocked else ()
        return self.footprints if self.restricted else (*self.cover, *self.obscuring)

    def named_in(self, text: str) -> tuple[str, ...]:
        """The parts a sentence of this ruling speaks of."""
        keys = [crossing.part for crossing in self.crossings()] + [each.part for each in self.aside]
        found = {key: part_name(key) for key in keys if part_name(key).lower() in text.lower()}
        # a name that is the beginning of a longer one there is not meant
        longer = [name for name in found.values() if any(name in other and name != other for other in found.values())]
        return tuple(key for key, name in found.items() if name not in longer)


EDITION_NAMES: dict[Edition, str] = {"kt24": "2024 rules", "kt21-lite": "2021 rules (Lite)"}


def rules_name(view: RulingView) -> str:
    """The rules a ruling was made by: the edition, and the date where an edition has several."""
    dated = f", as of {view.rules_as_of}" if view.edition == "kt24" else ""
    return f"{EDITION_NAMES[view.edition]}{dated}"


def answer(view: RulingView) -> str:
    """The answer itself, in capitals."""
    if view.undecided:
        return "NOT DECIDED"
    if not view.visible:
        return "NOT VISIBLE"
    if view.is_yes:
        return "VALID TARGET"
    return "CANNOT BE CHOSEN" if view.valid else "NO TARGET"


def tags(view: RulingView) -> tuple[Tag, ...]:
    """What belongs to the answer: cover and obscured where there is a target, else what there is against it."""
    if view.undecided:
        return (Tag("eye", searched(view).upper()),)
    if not view.visible:
        return ()
    if view.restricted:
        return tuple(_against(view, rule) for rule in view.restricted[:2])
    cover = Tag("shield", "IN COVER" if view.in_cover else "NOT IN COVER", view.in_cover)
    obscured = Tag("veil", "OBSCURED" if view.obscured else "NOT OBSCURED", view.obscured)
    if view.valid:
        return (Tag("shield", "IN COVER OR OBSCURED"),) if view.choice else (cover, obscured)
    against = [obscured] if view.edition != "kt24" and view.obscured else []
    against += [Tag("conceal", "ON CONCEAL"), cover] if view.in_cover and view.order == "conceal" else []
    return tuple(against)


def _against(view: RulingView, rule: str) -> Tag:
    if rule == "KZ-HAZARD-TARGET" and view.hazard is not None:
        return Tag("warning", f'{view.hazard.inches:.2f}" OF HAZARD BETWEEN')
    if rule == "KZ-BHETA-FOOTPRINT":
        return Tag("board", "FOOTPRINT BETWEEN")
    return Tag("ruler", f'BEYOND RANGE {view.range:g}"' if view.range is not None else "OUT OF RANGE")


def verdict(view: RulingView) -> str:
    """The answer with all that belongs to it, in capitals."""
    return ", ".join([answer(view), *(tag.words for tag in tags(view))])


def searched(view: RulingView) -> str:
    """How finely a look was searched that is not decided."""
    if not math.isfinite(view.resolution):
        return "searched coarsely so far"
    return f"searched down to {view.resolution * 25.4:.2g} mm"


def inches(value: float) -> str:
    """A measured distance, or that there is none because walls leave no way around."""
    return f'{value:.2f}"' if math.isfinite(value) else "no way around"


def view_of(found: ruling.Ruling, *, in_full: bool = True) -> RulingView:
    """The engine's ruling as plain data to draw; with what was considered and doubts only *in_full*, which takes
    longer."""
    scene = found.scene
    shooter, target = scene.operative(found.shooter), scene.operative(found.target)
    block = found.sighting.block
    best = found.regions[0] if found.regions else None

    def said(text: str) -> str:
        return readable(text, scene.terrain)

    return RulingView(
        edition=found.edition,
        rules_as_of=scene.rules_as_of,
        shooter=found.shooter,
        target=found.target,
        order=found.order,
        valid=found.valid_target,
        visible=found.visible,
        in_cover=found.in_cover,
        obscured=found.obscured,
        distance=found.distance,
        convention=found.convention,
        sentence=said(found.headline),
        reasons=tuple((reason.rule, said(reason.text)) for reason in found.reasons),
        choice=found.choice,
        close_call=found.close_call,
        undecided=found.undecided,
        resolution=found.resolution,
        restricted=found.restricted,
        friends=found.friends,
        witness=found.witness,
        blocked=CrossedPart(block.by, block.at, block.line) if block else None,
        origin=found.origin,
        regions=tuple(_sector(shooter, arc) for arc in best.arcs) if best else (),
        cover=tuple(_crossing(crossing) for crossing in found.cover),
        obscuring=tuple(_crossing(crossing) for crossing in found.obscuring),
        smoke=found.smoke if found.visible else (),
        alternatives=tuple(other.origin for other in found.alternatives),
        hazard=_hazard(found),
        footprints=tuple(_crossing(crossing) for crossing in found.footprints if found.visible),
        range=found.judge.weapon.range,
        aside=tuple(replace(each, text=said(each.text)) for each in found.set_aside) if in_full else (),
        warnings=tuple(map(said, found.warnings)) if in_full else (),
        figures=tuple((one.id, figure_words(one.figure, one.base)) for one in (shooter, target)),
    )


def _crossing(found: lines.Crossing) -> CrossedPart:
    return CrossedPart(found.key, found.at, found.line, found.to_target)


def _hazard(found: ruling.Ruling) -> HazardStretch | None:
    """The stretches at the height of the line over them."""
    if not found.visible or found.hazard_line is None:
        return None
    (start, end), inside = found.hazard_line
    low, high = found.judge.fan.shooter_z, found.judge.fan.target_z

    def raised(x: float, y: float) -> Point:
        share = math.dist(start, (x, y)) / max(math.dist(start, end), 1e-9)
        return x, y, low + share * (high - low)

    stretches = tuple((raised(*one), raised(*two)) for one, two in inside)
    return HazardStretch((raised(*start), raised(*end)), stretches, found.hazard)


def _sector(shooter: Operative, arc: tuple[float, float]) -> Outline:
    """The part of a base between its centre and a stretch of its rim, which is given by the rim's normals."""
    start, end = arc
    steps = max(2, math.ceil(abs(end - start) / 4))
    angles = [start + (end - start) * i / steps for i in range(steps + 1)]
    rim = [rim_point(shooter.x, shooter.y, shooter.base, shooter.turn, angle) for angle in angles]
    return ((shooter.x, shooter.y), *rim)
