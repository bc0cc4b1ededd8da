"""A ruling as the window and the pictures show it: what is drawn, in which state, and in what words.

Everything comes from the ruling; nothing is measured or decided here.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

from ktsim.app.stage.overlays import State, rim_point
from ktsim.app.ui.part_names import part_name, readable
from ktsim.sight.scene import RULES_DATES, Edition, Operative, Order, RulesDate

if TYPE_CHECKING:
    from ktsim.sight import lines, ruling

Point: TypeAlias = tuple[float, float, float]
Segment: TypeAlias = tuple[Point, Point]
Outline: TypeAlias = tuple[tuple[float, float], ...]


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
    accurate: int = 0
    improved_cover_save: bool = False
    close_call: bool = False
    undecided: bool = False
    witness: Segment | None = None
    blocked: CrossedPart | None = None
    origin: Point | None = None
    regions: tuple[Outline, ...] = ()
    cover: tuple[CrossedPart, ...] = ()
    obscuring: tuple[CrossedPart, ...] = ()
    alternatives: tuple[Point, ...] = ()

    @property
    def state(self) -> State:
        if not self.visible:
            return "blocked"
        return "target" if self.valid else "seen"

    @property
    def deciding(self) -> tuple[Literal["visible", "cover", "obscured"], Segment | None, Point | None, str]:
        """What the ruling turned on: its kind, line, where the line meets a part, and that part."""
        if not self.visible:
            hit = self.blocked
            return "visible", hit.line if hit else None, hit.point if hit else None, hit.part if hit else ""
        obscures = ("obscured", self.obscuring) if self.obscuring else None
        covers = ("cover", self.cover) if self.cover else None
        if self.valid:
            shown = covers or obscures
        elif self.edition == "kt24":
            shown = covers if self.order == "conceal" else None
        else:
            shown = obscures or (covers if self.order == "conceal" else None)
        if shown is None:
            return "visible", self.witness, None, ""
        kind, (first, *_) = shown
        return "cover" if kind == "cover" else "obscured", first.line, first.point, first.part


EDITION_NAMES: dict[Edition, str] = {"kt24": "2024 rules", "kt21-lite": "2021 rules (Lite)"}


def verdict(view: RulingView) -> str:
    """The answer, first and in capitals."""
    if view.valid:
        return "VALID TARGET"
    if view.undecided:
        return "NOT DECIDED"
    return "NOT VISIBLE" if not view.visible else "NOT A VALID TARGET"


def inches(value: float) -> str:
    """A measured distance, or that there is none because walls leave no way around."""
    return f'{value:.2f}"' if math.isfinite(value) else "no way around"


def facts(view: RulingView, killzone: str, states: tuple[tuple[str, str], ...]) -> tuple[tuple[str, str], ...]:
    """What a reader needs to check the ruling: name and value, in the order they are written."""
    yes_no = {True: "yes", False: "no"}
    rows = [
        ("Distance, base to base", inches(view.distance)),
        ("In cover", yes_no[view.in_cover] + (", improved save" if view.improved_cover_save else "")),
        ("Obscured", yes_no[view.obscured]),
    ]
    if view.choice:
        rows.append(("Cover or obscured", f"the {view.choice} chooses one"))
    if view.accurate:
        rows.append(("From Vantage", f"Accurate {view.accurate}"))
    rows.append(("Edition", EDITION_NAMES[view.edition]))
    if view.edition == "kt24":
        rows.append(("Rules as of", view.rules_as_of))
    rows += [
        ("Killzone", killzone),
        ("Hatchways", _by_state(states) or "none"),
        ("Lines", f"{view.convention} convention, 1 mm thick"),
    ]
    return tuple(rows)


def _by_state(states: tuple[tuple[str, str], ...]) -> str:
    """Features grouped by their state, such as ``open: hatchway 1; closed: hatchway 2, hatchway 3``."""
    groups: dict[str, list[str]] = {}
    for id, state in sorted(states, key=lambda pair: pair[1] != "open"):
        groups.setdefault(state, []).append(part_name(id))
    return "; ".join(f"{state}: {', '.join(ids)}" for state, ids in groups.items())


def view_of(found: ruling.Ruling) -> RulingView:
    """The engine's ruling as plain data to draw."""
    scene = found.scene
    shooter = scene.operative(found.shooter)
    block = found.sighting.block
    best = found.regions[0] if found.regions else None
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
        sentence=readable(found.headline, scene.terrain),
        reasons=tuple((reason.rule, readable(reason.text, scene.terrain)) for reason in found.reasons),
        choice=found.choice,
        accurate=found.accurate,
        improved_cover_save=found.improved_cover_save,
        close_call=found.close_call,
        undecided=found.undecided,
        witness=found.witness,
        blocked=CrossedPart(block.by, block.at, block.line) if block else None,
        origin=found.origin,
        regions=tuple(_sector(shooter, arc) for arc in best.arcs) if best else (),
        cover=tuple(_crossing(crossing) for crossing in found.cover),
        obscuring=tuple(_crossing(crossing) for crossing in found.obscuring),
        alternatives=tuple(other.origin for other in found.alternatives),
    )


def _crossing(found: lines.Crossing) -> CrossedPart:
    return CrossedPart(found.key, found.at, found.line, found.to_target)


def _sector(shooter: Operative, arc: tuple[float, float]) -> Outline:
    """The part of a base between its centre and a stretch of its rim, which is given by the rim's normals."""
    start, end = arc
    steps = max(2, math.ceil(abs(end - start) / 4))
    angles = [start + (end - start) * i / steps for i in range(steps + 1)]
    rim = [rim_point(shooter.x, shooter.y, shooter.base, shooter.turn, angle) for angle in angles]
    return ((shooter.x, shooter.y), *rim)
