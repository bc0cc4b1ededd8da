"""A ruling as the window and the pictures show it: what is drawn, in which state, and in what words.

Everything comes from the ruling; nothing is measured or decided here.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Protocol, TypeAlias

from ktsim.sight.scene import Edition, Order

from .stage.overlays import State

Point: TypeAlias = tuple[float, float, float]
Segment: TypeAlias = tuple[Point, Point]


class Reason(Protocol):
    """A clause and the rule that decided it."""

    @property
    def rule(self) -> str: ...
    @property
    def text(self) -> str: ...


@dataclass(frozen=True)
class Crossing:
    """A part on a line: where, and how far that is from both bases (None where it was not measured)."""

    part: str
    point: Point
    line: Segment
    from_shooter: float | None = None
    from_target: float | None = None


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
    reasons: tuple[tuple[str, str], ...]
    choice: str | None = None
    accurate: int = 0
    improved_cover_save: bool = False
    close_call: bool = False
    witness: Segment | None = None
    blocked: Crossing | None = None
    origin: Point | None = None
    regions: tuple[tuple[tuple[float, float], ...], ...] = ()
    cover: tuple[Crossing, ...] = ()
    obscuring: tuple[Crossing, ...] = ()
    alternatives: tuple[str, ...] = ()

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
        if not self.valid and self.obscuring and self.edition != "kt24":
            first = self.obscuring[0]
            return "obscured", first.line, first.point, first.part
        if self.cover and (not self.valid or not self.obscuring):
            first = self.cover[0]
            return "cover", first.line, first.point, first.part
        if self.obscuring:
            first = self.obscuring[0]
            return "obscured", first.line, first.point, first.part
        return "visible", self.witness, None, ""


EDITION_NAMES: dict[Edition, str] = {"kt24": "2024 rules", "kt21-lite": "2021 rules (Lite)"}


def verdict(view: RulingView) -> str:
    """The answer, first and in capitals."""
    if view.valid:
        return "VALID TARGET"
    return "NOT VISIBLE" if not view.visible else "NOT A VALID TARGET"


def because(view: RulingView) -> str:
    """The verdict in one sentence."""
    name, order = view.target, view.order.capitalize()
    if not view.visible:
        part = f": {view.blocked.part} is in the way" if view.blocked else ""
        return f"No line from {view.shooter}'s head reaches {name}{part}."
    where = ", in cover" if view.in_cover else ""
    where += (" and obscured" if where else ", obscured") if view.obscured else ""
    if view.valid:
        save = f"{name} has {'an' if order == 'Engage' else 'a'} {order} order and is visible{where}."
        return f"{save} The defender chooses cover or obscured." if view.choice else save
    if view.obscured and view.edition != "kt24":
        return f"{name} is visible but obscured."
    if view.in_cover:
        return f"{name} has a {order} order and is in cover."
    rule, text = view.reasons[-1] if view.reasons else ("", "")
    return text or f"{name} cannot be selected ({rule})."


def facts(view: RulingView, killzone: str, states: tuple[tuple[str, str], ...]) -> tuple[tuple[str, str], ...]:
    """What a reader needs to check the ruling: name and value, in the order they are written."""
    yes_no = {True: "yes", False: "no"}
    rows = [
        ("Distance, base to base", f'{view.distance:.2f}"'),
        ("In cover", yes_no[view.in_cover] + (", improved save" if view.improved_cover_save else "")),
        ("Obscured", yes_no[view.obscured]),
    ]
    if view.choice:
        rows.append(("Cover or obscured", f"the {view.choice} chooses one"))
    if view.accurate:
        rows.append(("From Vantage", f"Accurate {view.accurate}"))
    rows += [
        ("Edition", EDITION_NAMES[view.edition]),
        ("Killzone", killzone),
        ("Hatchways", _by_state(states) or "none"),
        ("Lines", f"{view.convention} convention, 1 mm thick"),
    ]
    return tuple(rows)


def _by_state(states: tuple[tuple[str, str], ...]) -> str:
    """Ids grouped by their state, such as ``open: h1; closed: h2, h3``."""
    groups: dict[str, list[str]] = {}
    for id, state in sorted(states, key=lambda pair: pair[1] != "open"):
        groups.setdefault(state, []).append(id)
    return "; ".join(f"{state}: {', '.join(ids)}" for state, ids in groups.items())
