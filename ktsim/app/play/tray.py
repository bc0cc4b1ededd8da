"""The dice of a sequence as they lie: rolled, re-rolled, retained, with what each counts as; and the tray that shows
them, with pips, and a word under every die, so that nothing rests on colour."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from ktsim.app.play.sequence import attack_of, hand_of
from ktsim.app.ui import theme
from ktsim.app.ui.pen import Rect, V
from ktsim.app.ui.theme import u32
from ktsim.app.ui.widgets import Widgets
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
class DiceRow:
    """One player's dice, and the wounds of the operative they can hurt or save."""

    seat: str
    label: str
    dice: tuple[DieView, ...]
    note: str = ""
    is_defence: bool = False
    to_roll: int = 0
    """How many dice are about to be rolled."""
    rolling: int = 0
    """How many of the dice, from the first on, were rolled last: those that roll while that is shown."""


@dataclass(frozen=True)
class Tray:
    title: str
    rows: tuple[DiceRow, ...]


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


def attack_row(hand: Hand) -> DiceRow:
    """Attack dice: as rolled, or once retained as successes."""
    if hand.dice or hand.in_hand:
        dice = tuple(counted(die.face, hand.hit, hand.critical_on) for die in hand.dice)
        dice += (DieView(0, "success"),) * hand.unrolled
    else:
        dice = _kept(hand.normals, hand.crits)
    return DiceRow(hand.side, hand.who, dice, f"attack {hand.hit}+")


def tray_of(about: object, battle: Battle) -> Tray | None:
    """The tray of a sequence under way; ``None`` when nothing of the kind is."""
    if isinstance(about, Rerolling):
        return tray_of(about.sequence, battle)
    if isinstance(about, Shot):
        hand = about.hand
        saves = tuple(counted(die.face, about.save) for die in about.dice)
        defence = DiceRow(
            about.defender,
            hand.whom,
            saves + _kept(about.kept_normals, about.kept_crits),
            f"defence {about.save}+{_wounds(battle, hand.target)}",
            is_defence=True,
        )
        has_begun = about.stage not in _BEFORE_DEFENCE
        if about.stage == "defend":
            defence = replace(defence, to_roll=about.defence - about.kept_normals - about.kept_crits)
        return Tray(title_of(about), (attack_row(hand), defence) if has_begun else (attack_row(hand),))
    if isinstance(about, Duel):
        rows = tuple(
            DiceRow(row.seat, row.label, row.dice, f"{row.note} · {wounds} wounds")
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
    """The last dice rolled, one row a player, as long as nothing says more about them: with what was retained or lies
    from before beside them."""
    if not rolls:
        return None
    last = _last_rolls(rolls)
    title = title_of(last[0].about) or rolls[-1].prompt.partition(":")[0]
    if last[-1].prompt.startswith(ROLL_OFF):
        last.sort(key=lambda rolled: rolled.roller)  # blue is first everywhere
    return Tray(title, tuple(_rolled_row(rolled, rolled is rolls[-1]) for rolled in last))


def _last_rolls(rolls: Sequence[Rolled]) -> list[Rolled]:
    """The last two rolls, in a sequence the last of each player."""
    attack = attack_of(rolls[-1].about)
    if attack is None:
        return list(rolls[-2:])
    found: list[Rolled] = []
    for rolled in reversed(rolls):
        other = attack_of(rolled.about)
        if other is None or other.pair != attack.pair:
            break
        if rolled.roller not in [each.roller for each in found]:
            found.append(rolled)
    return found[::-1]


def _rolled_row(rolled: Rolled, is_last: bool) -> DiceRow:
    needed, critical = _needs(rolled.about)
    dice = tuple(counted(face, needed, critical) if needed else DieView(face) for face in sorted(rolled.faces))
    rolling, about = len(dice) if is_last else 0, rolled.about
    if isinstance(about, Shot | Hand):
        dice += tuple(counted(die.face, needed, critical) for die in about.dice)
    if isinstance(about, Shot):
        dice += _kept(about.kept_normals, about.kept_crits)
    elif isinstance(about, Hand):
        dice += _kept(about.unrolled, 0)
    label = rolled.prompt.removeprefix(f"{ROLL_OFF}: ")
    return DiceRow(rolled.roller, label, dice, is_defence=isinstance(about, Shot), rolling=rolling)


def _needs(about: object) -> tuple[int, int]:
    if isinstance(about, Hand):
        return about.hit, about.critical_on
    if isinstance(about, Shot):
        return about.save, 6
    return 0, 6


# ---- the panel ------------------------------------------------------------------------------------------------
PIPS: dict[int, tuple[tuple[float, float], ...]] = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    5: ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
    6: ((-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)),
}
WORDS: dict[Counts, str] = {"critical": "CRIT", "success": "HIT", "fail": "MISS", "plain": ""}
DEFENCE_WORDS: dict[Counts, str] = {**WORDS, "success": "SAVE", "fail": "FAIL"}


def die(ui: Widgets, x: float, y: float, size: float, view: DieView, *, is_defence: bool = False) -> None:
    """One die with its upper left corner at (x, y). Face 0 shows what it counts as instead of pips: a star, a shield
    in defence, a tick in attack."""
    colours = {
        "critical": (theme.ACCENT, theme.INK),
        "success": (theme.TEXT, theme.INK),
        "plain": (theme.TEXT, theme.INK),
        "fail": (theme.INK, theme.DIM),
    }
    fill, ink = colours[view.counts]
    ui.pen.box(Rect(x, y, size, size), fill, theme.LINE, radius=size * 0.18)
    cx, cy, far = x + size / 2, y + size / 2, size * 0.26
    for dx, dy in PIPS.get(view.face, ()):
        ui.pen.sheet.add_circle_filled(V(cx + dx * far, cy + dy * far), size * 0.085, u32(ink), 16)
    if view.face == 0:
        icon = "star" if view.counts == "critical" else "shield" if is_defence else "check"
        ui.pen.icon(icon, cx, cy, size * 0.6, ink)
    elif view.counts == "critical":
        ui.pen.icon("star", x + size - 2, y + 2, size * 0.36, theme.INK)
        ui.pen.icon("star", x + size - 2, y + 2, size * 0.28, theme.TEXT)


def tumbling(view: DieView, index: int, part: float) -> DieView:
    """The die while it still rolls: its faces go by and the last ones are slower. Decides nothing."""
    if part >= 1.0:
        return view
    turn = int(14 * part * (2 - part))
    first, step = (index * 7 + index // 6) % 6, (1, 5, 2, 4)[index % 4]
    return DieView((first + turn * step) % 6 + 1)


def dice_tray(ui: Widgets, rect: Rect, tray: Tray, part: float) -> None:
    """The tray, its rows beside each other so that little of the table is hidden; *part* of the rolling is over, from 0
    to 1."""
    k = ui.pen.size
    most = max((len(row.dice) for row in tray.rows), default=0)
    with ui.panel("tray", rect):
        ui.text(rect.x + 14 * k, rect.y + 17 * k, ui.pen.fitted(tray.title, "h3", rect.w - 28 * k), "h3")
        wide = (rect.w - 28 * k - 16 * k * (len(tray.rows) - 1)) / max(1, len(tray.rows))
        size = min(40 * k, wide / max(1, most) - 6 * k)
        for number, row in enumerate(tray.rows):
            cell = Rect(rect.x + 14 * k + number * (wide + 16 * k), rect.y + 32 * k, wide, rect.h - 32 * k)
            if number:
                ui.pen.box(Rect(cell.x - 8 * k, cell.y, 1, cell.h - 10 * k), theme.LINE, None, radius=0)
            _row(ui, cell, row, size, part)


def _row(ui: Widgets, rect: Rect, row: DiceRow, size: float, part: float) -> None:
    """One player's dice under who they are and what they need."""
    k = ui.pen.size
    x, y, room = rect.x, rect.y + 9 * k, rect.w
    if row.seat:
        ui.pen.seat(row.seat, x + 6 * k, y, 12 * k)
        x, room = x + 18 * k, room - 18 * k
    note = ui.pen.fitted(row.note, "caption", room * 0.6) if row.note else ""
    beside = ui.pen.measure(note, "caption")[0] + 8 * k if note else 0.0
    x += ui.text(x, y, ui.pen.fitted(row.label, "caption", room - beside), "caption", theme.SOFT) + 8 * k
    if note:
        ui.text(x, y, note, "caption", theme.DIM)
    x, y = rect.x, rect.y + 20 * k
    for index, view in enumerate(row.dice):
        shown = tumbling(view, index, part) if index < row.rolling else view
        die(ui, x, y, size, shown, is_defence=row.is_defence)
        word = (DEFENCE_WORDS if row.is_defence else WORDS)[shown.counts]
        ui.text(x + size / 2, y + size + 8 * k, word, "caption", theme.SOFT, align=0.5)
        x += size + 6 * k
    if row.to_roll or not row.dice:
        words = f"{row.to_roll} {'die' if row.to_roll == 1 else 'dice'}" if row.to_roll else "no dice left"
        ui.text(x, y + 16 * k, words, "caption", theme.DIM)
