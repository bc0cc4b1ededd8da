"""A ruling on a move as the window and the pictures show it: its words, and the marks over the table.

Everything comes from the ruling and the planner's map; nothing is measured or decided here.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from ktsim.app.card.layout import rule_icon
from ktsim.app.card.view import EDITION_NAMES, Tag
from ktsim.app.stage.cameras import head_of
from ktsim.app.stage.overlays import (
    ORANGE,
    TEAL,
    WHITE,
    Ghost,
    Highlight,
    Label,
    Overlay,
    Paint,
    ring,
)
from ktsim.app.stage.picture import name_label
from ktsim.app.stage.ways import LEG_ICONS, Reachable, leg_marks, legs_of, reach_marks, ribbon
from ktsim.game.move_ruling import MoveRuling
from ktsim.rules.engine.state import milli
from ktsim.sight.part_names import readable
from ktsim.sight.scene import Scene


@dataclass(frozen=True)
class MoveRow:
    """A sentence about a move with its rule: a leg of the way by its number, or (0) something against it."""

    number: int
    icon: str
    rule: str
    text: str


@dataclass(frozen=True)
class MoveView:
    """One ruling on a move in words."""

    found: MoveRuling
    sentence: str
    rows: tuple[MoveRow, ...]

    @property
    def is_yes(self) -> bool:
        return self.found.legal

    @property
    def answer(self) -> str:
        """The answer itself, in capitals."""
        if self.found.enemy is not None:
            return "REACHES" if self.is_yes else "DOES NOT REACH"
        return "GETS THERE" if self.is_yes else "CANNOT GET THERE"

    @property
    def tags(self) -> tuple[Tag, ...]:
        """What belongs to the answer: the cost of the allowance, and what has to be rolled."""
        found = self.found
        paid = () if found.cost is None else (Tag("ruler", f'{found.cost}" OF {found.allowance}"', self.is_yes),)
        return (*paid, *(Tag("dice", f"ROLL {least}+") for least in found.tests))

    @property
    def goal(self) -> str:
        """Where to, in words."""
        x, y, level = self.found.to
        up = f', {level:.3g}" up' if level else ""
        return self.found.enemy or f"({x:.2f}, {y:.2f}){up}"

    @property
    def rules(self) -> str:
        """The rules it was made by."""
        dated = f", as of {self.found.rules_as_of}" if self.found.edition == "kt24" else ""
        return f"{EDITION_NAMES[self.found.edition]}{dated}"


def move_view(found: MoveRuling, scene: Scene) -> MoveView:
    """The engine's ruling as words for people."""

    def said(text: str) -> str:
        return readable(text, scene.terrain)

    legs = (
        MoveRow(number, LEG_ICONS.get(leg.kind, "steps"), leg.rule, said(_capital(f"{leg.words()}.")))
        for number, leg in enumerate(found.legs, 1)
    )
    against = (MoveRow(0, rule_icon(rule), rule, said(text)) for rule, text in found.against)
    return MoveView(found, said(found.headline), (*against, *legs))


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def move_overlays(
    scene: Scene, who: str, view: MoveView | None, reachable: Reachable | None, lit: int | None = None
) -> tuple[Overlay, ...]:
    """What is in reach, the way leg by leg, whoever moves where it would stand, and what is in the way; the leg *lit*
    (0: what is against it) is pointed at."""
    one = scene.operative(who)
    items: list[Overlay] = reach_marks(reachable) if reachable is not None else []
    items.append(ring(one, 0.13, colour=TEAL, width=0.09))
    if view is None:
        return (*items, replace(name_label(one, may_hide=False), state="target"))
    found = view.found
    legs = legs_of(found.legs)
    items += leg_marks(legs)
    if lit:
        leg = legs[lit - 1]
        items.append(ribbon(leg.start, leg.end, 0.3, WHITE, 0.045))
    x, y, level = found.to
    goal = (milli(x), milli(y), milli(level))
    last = legs[-1].end if legs else (milli(one.x), milli(one.y), milli(one.level))
    if not found.legal and last[:2] != goal[:2]:
        items.append(_missing(last, goal))
    at = replace(one, x=x, y=y, level=level)
    if found.enemy is None or found.legal:
        items.append(Ghost(at, found.legal))
    if found.enemy is not None:
        items.append(ring(scene.operative(found.enemy), 1.0, dash=0.28, width=0.06))
    items += _in_the_way(scene, found.thing, lit == 0)
    if not found.legal:
        hx, hy, hz = head_of(at)
        # Short: why is said beside the table.
        words = ": ".join((view.answer.capitalize(), *(tag.words.lower() for tag in view.tags[:1])))
        items.append(Label((hx, hy, hz + 0.6), words, "blocked", "cross"))
    return (*items, replace(name_label(one, may_hide=False), state="target"))


def _missing(last: tuple[int, int, int], goal: tuple[int, int, int]) -> Paint:
    """The stretch that nobody can go."""
    return ribbon(last, goal, 0.1, ORANGE, 0.05)


def _in_the_way(scene: Scene, thing: str | None, is_lit: bool) -> list[Overlay]:
    """The part of terrain, the feature or the operative that stops a move."""
    if thing is None:
        return []
    operatives = [one for one in scene.operatives if one.id == thing]
    if operatives:
        return [ring(operatives[0], 0.13, colour=ORANGE, width=0.14 if is_lit else 0.09, dash=0.22)]
    parts = (part for part in scene.parts() if thing in (part.key, part.key.partition("/")[0]))
    return [Highlight(part.triangles, ORANGE) for part in parts if "exposed" not in part.traits]
