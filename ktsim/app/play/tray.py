"""The dice of a sequence as they lie: rolled, re-rolled, retained, with what each counts as."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from ktsim.app.play.sequence import hand_of
from ktsim.rules.engine.attack import Hand
from ktsim.rules.engine.battle import Battle
from ktsim.rules.engine.dice import Rerolling, is_success
from ktsim.rules.engine.fight.stages import Duel
from ktsim.rules.engine.shoot.stages import Shot

ROLL_OFF = "Roll-off"
Counts: TypeAlias = Literal["critical", "success", "fail", "plain"]


@dataclass(frozen=True)
class DieView:
    """One die. Face 0 is a success retained without showing a face."""

    face: int
    counts: Counts = "plain"


@dataclass(frozen=True)
class Row:
    """One player's dice, and the wounds of the operative they can hurt or save."""

    seat: str
    label: str
    dice: tuple[DieView, ...]
    note: str = ""
    is_defence: bool = False
    to_roll: int = 0
    """How many dice are about to be rolled."""


@dataclass(frozen=True)
class Tray:
    title: str
    rows: tuple[Row, ...]


@dataclass(frozen=True)
class Rolled:
    """Dice that were rolled: whose, what for, and what the roll was about."""

    number: int
    prompt: str
    roller: str
    faces: tuple[int, ...]
    about: object = None


def counted(face: int, needed: int, critical_on: int = 6) -> DieView:
    if not is_success(face, needed):
        return DieView(face, "fail")
    return DieView(face, "critical" if face == 6 or face >= critical_on else "success")


def _kept(normals: int, crits: int) -> tuple[DieView, ...]:
    return (*[DieView(0, "critical")] * crits, *[DieView(0, "success")] * normals)


def title_of(about: object) -> str:
    """The sequence in words: ``Bone Thrower shoots Spitter``; nothing when it is none."""
    hand = hand_of(about)
    return f"{hand.who} {hand.verb} {hand.whom}" if hand is not None else ""


def attack_row(hand: Hand) -> Row:
    """Attack dice: as rolled, or once retained as successes."""
    if hand.dice or hand.in_hand:
        dice = tuple(counted(die.face, hand.hit, hand.critical_on) for die in hand.dice)
        dice += (DieView(0, "success"),) * hand.unrolled
    else:
        dice = _kept(hand.normals, hand.crits)
    return Row(hand.side, hand.who, dice, f"attack {hand.hit}+")


def tray_of(about: object, battle: Battle) -> Tray | None:
    """The tray of a sequence under way; ``None`` when nothing of the kind is."""
    if isinstance(about, Rerolling):
        return tray_of(about.sequence, battle)
    if isinstance(about, Shot):
        hand = about.hand
        saves = tuple(counted(die.face, about.save) for die in about.dice)
        defence = Row(
            about.defender,
            hand.whom,
            saves + _kept(about.kept_normals, about.kept_crits),
            f"defence {about.save}+{_wounds(battle, hand.target)}",
            is_defence=True,
        )
        has_begun = about.stage not in _BEFORE_DEFENCE
        if about.stage == "defend":
            defence = replace(defence, to_roll=about.defence)
        return Tray(title_of(about), (attack_row(hand), defence) if has_begun else (attack_row(hand),))
    if isinstance(about, Duel):
        rows = tuple(
            Row(row.seat, row.label, row.dice, f"{row.note} · {wounds} wounds")
            for row, wounds in zip(map(attack_row, about.hands), about.wounds, strict=True)
        )
        return Tray(title_of(about), rows)
    if isinstance(about, Hand):
        row = attack_row(about)
        return Tray(title_of(about), (row if row.dice else replace(row, to_roll=about.atk),))
    return None


_BEFORE_DEFENCE = ("attack", "attack re-rolls", "attack re-roll", "retain")


def _wounds(battle: Battle, operative: str) -> str:
    who = battle.state.operatives.get(operative)
    return f" · {who.wounds} wounds" if who is not None else ""


def tray_of_rolls(rolls: Sequence[Rolled]) -> Tray | None:
    """The last dice rolled, one row a roll, as long as nothing says more about them."""
    if not rolls:
        return None
    rows = []
    title = title_of(rolls[-1].about)
    last = [rolled for rolled in rolls[-2:] if title_of(rolled.about) == title] if title else list(rolls[-2:])
    if last[-1].prompt.startswith(ROLL_OFF):
        last.sort(key=lambda rolled: rolled.roller)  # blue is first everywhere
    for rolled in last:
        needed, critical = _needs(rolled.about)
        dice = tuple(counted(face, needed, critical) if needed else DieView(face) for face in sorted(rolled.faces))
        label = rolled.prompt.removeprefix(f"{ROLL_OFF}: ")
        rows.append(Row(rolled.roller, label, dice, is_defence=isinstance(rolled.about, Shot)))
    return Tray(title or rolls[-1].prompt.partition(":")[0], tuple(rows))


def _needs(about: object) -> tuple[int, int]:
    if isinstance(about, Hand):
        return about.hit, about.critical_on
    if isinstance(about, Shot):
        return about.save, 6
    return 0, 6
