"""Who is in the game: wounds, orders, readiness, tokens; and the panel of both rosters."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from ktsim.app.ui import theme
from ktsim.app.ui.pen import Rect
from ktsim.app.ui.widgets import SCROLLBAR, Widgets
from ktsim.rules.engine.battle import Battle
from ktsim.rules.engine.state import Effect, OperativeState, Side, State
from ktsim.rules.killzone.guard import is_on_guard
from ktsim.rules.kt24.joint.sides import is_second
from ktsim.sight.part_names import plain_words

Readiness: TypeAlias = Literal["waiting", "ready", "active", "expended", "out"]
STANDING_WORDS: dict[Readiness, str] = {
    "waiting": "Not set up",
    "ready": "Ready",
    "active": "Active",
    "expended": "Expended",
    "out": "Out",
}


@dataclass(frozen=True)
class Member:
    """One operative in its roster. *tokens* are whatever it carries or lies on it, each in a word or two; *details* say
    all of it."""

    id: str
    name: str
    side: Side
    wounds: int
    most: int
    order: str
    standing: Readiness
    is_injured: bool
    tokens: tuple[str, ...]
    details: str
    is_on_guard: bool = False


def standing_of(who: OperativeState, state: State) -> Readiness:
    if who.is_removed or who.is_incapacitated:
        return "out"
    if not who.is_set_up:
        return "waiting"
    if state.activation is not None and state.activation.operative == who.id:
        return "active"
    return "ready" if who.is_ready else "expended"


LONG_NAME = 12
"""Characters of a marker's name that a row has room for; the tooltip has all of it."""


def roster_of(battle: Battle, side: Side) -> tuple[Member, ...]:
    """A side's operatives in roster order."""
    return tuple(member_of(battle, who) for who in battle.state.operatives.values() if who.side == side)


def member_of(battle: Battle, who: OperativeState) -> Member:
    state, card = battle.state, battle.card(who)
    is_injured = battle.is_injured(who) and not who.is_incapacitated
    notes = [("injured", "Injured")] if is_injured else []
    notes += [("second player", "The second player has it")] if is_second(state, who.id) else []
    for name, count in who.tokens.items():
        words = plain_words(name.replace(":", " "))
        notes += [(f"{words} {count}" if count > 1 else words,) * 2] if count else []
    for marker in state.carried_by(who.id):
        name = battle.name(marker.id)
        notes.append((f"carries {name if len(name) <= LONG_NAME else 'a marker'}", f"carries {name}"))
    notes += [effect_words(effect) for effect in state.effects if effect.target == who.id and not effect.is_memory]
    if who.has_counteracted:
        notes.append(("counteracted", "Has counteracted in this turning point"))
    weapons = [
        f"{w.name}: {w.atk} dice, {w.hit}+, {w.normal}/{w.critical}" + (f" ({', '.join(w.rules)})" if w.rules else "")
        for w in battle.weapons(who)
    ]
    apl, move, save = battle.apl(who), battle.move(who), battle.save(who)
    stats = f'APL {apl.words()} · Move {move.words()}" · Save {save.words("+")} · {who.wounds} of {card.wounds} wounds'
    return Member(
        who.id,
        who.name,
        who.side,
        who.wounds,
        card.wounds,
        who.order,
        standing_of(who, state),
        is_injured,
        tuple(dict.fromkeys(short for short, _ in notes)),
        "\n".join([stats, *weapons, *(whole[:1].upper() + whole[1:] for _, whole in notes)]),
        is_on_guard(who),
    )


def effect_words(effect: Effect) -> tuple[str, str]:
    """A lasting effect on an operative in a word or two, and in full. With no amount it is only a mark, or a rule that
    holds, called what its text is called."""
    stat = effect.stat.upper() if len(effect.stat) <= 3 else effect.stat.replace("-", " ")
    short = effect.grants or (f"{stat} {effect.amount:+d}" if effect.amount else stat) or effect.source
    until = {"turning-point": "the end of the turning point", "next-activation": "the end of its next activation"}
    lasts = f"until {until[effect.until]}" if effect.until in until else ""
    told = ", ".join(filter(None, ("" if short == effect.source else effect.source, lasts)))
    return short, f"{short} ({told})" if told else short


Team: TypeAlias = tuple[str, str, Sequence[Member]]
"""A side, its team's name and its members."""

ICONS: dict[Readiness, str] = {
    "waiting": "hollow",
    "ready": "disc",
    "active": "play",
    "expended": "hollow",
    "out": "cross",
}


TWO_LINES = 34
"""How tall a row is that has room for tokens below the name."""


def rosters(ui: Widgets, rect: Rect, teams: Sequence[Team], picked: Sequence[str]) -> str | None:
    """The rosters as (side, team's name, members). Returns the id of whoever was pressed."""
    k = ui.pen.size
    rows = sum(len(members) for _, _, members in teams)
    head = 30 * k
    room = (rect.h - head * len(teams)) / max(1, rows) - 4 * k
    tall = min(46 * k, max(28 * k, room))
    asked = None
    with ui.scrolled("rosters", rect, head * len(teams) + rows * (tall + 4 * k)) as top:
        y = top
        for side, name, members in teams:
            ui.pen.seat(side, rect.x + 8 * k, y + 14 * k, 14 * k)
            ready = sum(member.standing in ("ready", "active") for member in members)
            is_waiting = all(member.standing == "waiting" for member in members)
            words = f"{ready} ready" if not is_waiting else "" if members else "to come"
            width = rect.w - SCROLLBAR - 2
            ui.text(rect.x + width, y + 14 * k, words, "caption", theme.DIM, align=1)
            used = ui.pen.measure(words, "caption")[0] + 30 * k
            kind = ui.pen.largest(name, ("h3", "label"), width - used)
            ui.text(rect.x + 22 * k, y + 14 * k, ui.pen.fitted(name, kind, width - used), kind)
            ui.tip(Rect(rect.x, y, width, head), name)
            y += head
            for member in members:
                if _member(ui, Rect(rect.x, y, width, tall), member, member.id in picked):
                    asked = member.id
                y += tall + 4 * k
    return asked


def _tokens(ui: Widgets, tokens: Sequence[str], room: float) -> str:
    """As many of the tokens as there is room for, whole, and how many more there are: the tooltip has them all."""
    for count in range(len(tokens), -1, -1):
        more = f"+{len(tokens) - count}" if count < len(tokens) else ""
        words = ", ".join([*tokens[:count], *([more] if more else [])])
        if ui.pen.measure(words, "caption")[0] <= room:
            return words
    return ""


def _member(ui: Widgets, rect: Rect, member: Member, is_picked: bool) -> bool:
    k = ui.pen.size
    pressed = ui.button(rect, f"##member-{member.id}", chosen=is_picked, tip=member.details)
    is_off = member.standing in ("expended", "out", "waiting")
    ink = theme.DIM if is_off else theme.TEXT
    is_up = member.standing in ("ready", "active")
    middle = rect.y + rect.h / 2
    ui.pen.icon(ICONS[member.standing], rect.x + 14 * k, middle, 12 * k, theme.ACCENT if is_up else theme.DIM)
    right = rect.right - 8 * k
    if member.standing in ("out", "waiting"):
        right -= ui.text(right, middle, STANDING_WORDS[member.standing], "caption", theme.DIM, align=1)
    else:
        ui.pen.icon(member.order, right - 8 * k, middle, 14 * k, ink)
        right -= 22 * k
        if member.is_on_guard:
            ui.pen.icon("guard", right - 6 * k, middle, 13 * k, theme.ACCENT)
            right -= 20 * k
        colour = theme.NO if member.is_injured else ink
        right -= ui.text(right, middle, f"{member.wounds}/{member.most}", "label", colour, align=1)
    room = right - rect.x - 34 * k
    kind = ui.pen.largest(member.name, ("strong", "caption"), room)
    name = ui.pen.fitted(member.name, kind, room)
    colour = theme.NO if member.is_injured else theme.SOFT
    if not member.tokens:
        ui.text(rect.x + 28 * k, middle, name, kind, ink)
    elif rect.h >= TWO_LINES * k:
        ui.text(rect.x + 28 * k, middle - 9 * k, name, kind, ink)
        ui.text(rect.x + 28 * k, middle + 6 * k, _tokens(ui, member.tokens, room), "caption", colour)
    else:
        kind = ui.pen.largest(member.name, ("strong", "caption"), room - 16 * k)
        name = ui.pen.fitted(member.name, kind, room - 16 * k)
        x = rect.x + 28 * k + ui.text(rect.x + 28 * k, middle, name, kind, ink) + 6 * k
        words = _tokens(ui, member.tokens, right - 6 * k - x)
        if member.is_injured and not words.startswith(member.tokens[0]):
            ui.pen.icon("injured", x + 6 * k, middle, 13 * k, colour)
        else:
            ui.text(x, middle, words, "caption", colour)
    if member.standing not in ("out", "waiting"):
        share = member.wounds / max(1, member.most)
        colour = theme.NO if member.is_injured else theme.SOFT
        ui.pen.box(Rect(rect.x + 2, rect.bottom - 4, (rect.w - 4) * share, 2), colour, None, 0.8, 1)
    return pressed
