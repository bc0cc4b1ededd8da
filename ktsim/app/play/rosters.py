"""Who is in the game: wounds, orders, readiness, tokens, as the rosters show them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from ktsim.app.ui.part_names import plain_words
from ktsim.rules.engine.battle import Battle
from ktsim.rules.engine.state import Effect, OperativeState, Side, State

Standing: TypeAlias = Literal["waiting", "ready", "active", "expended", "out"]
STANDING_WORDS: dict[Standing, str] = {
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
    standing: Standing
    is_injured: bool
    tokens: tuple[str, ...]
    details: str


def standing_of(who: OperativeState, state: State) -> Standing:
    if who.is_removed or who.is_incapacitated:
        return "out"
    if not who.is_set_up:
        return "waiting"
    if state.activation is not None and state.activation.operative == who.id:
        return "active"
    return "ready" if who.is_ready else "expended"


def roster_of(battle: Battle, side: Side) -> tuple[Member, ...]:
    """A side's operatives in roster order."""
    return tuple(member_of(battle, who) for who in battle.state.operatives.values() if who.side == side)


def member_of(battle: Battle, who: OperativeState) -> Member:
    state, card = battle.state, battle.card(who)
    is_injured = battle.is_injured(who) and not who.is_incapacitated
    notes = [("injured", "Injured")] if is_injured else []
    for name, count in who.tokens.items():
        words = plain_words(name.replace(":", " "))
        notes += [(f"{words} {count}" if count > 1 else words,) * 2] if count else []
    notes += [(f"carries {battle.name(marker.id)}",) * 2 for marker in state.carried_by(who.id)]
    notes += [effect_words(effect) for effect in state.effects if effect.target == who.id]
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
    )


def effect_words(effect: Effect) -> tuple[str, str]:
    """A lasting effect on an operative in a word or two, and in full. With no amount it is only a mark."""
    stat = effect.stat.upper() if len(effect.stat) <= 3 else effect.stat.replace("-", " ")
    short = effect.grants or (f"{stat} {effect.amount:+d}" if effect.amount else stat)
    until = {"turning-point": "the end of the turning point", "next-activation": "the end of its next activation"}
    lasts = f", until {until[effect.until]}" if effect.until in until else ""
    return short, f"{short} ({effect.source}{lasts})"
