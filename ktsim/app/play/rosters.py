"""Who is in the game: wounds, orders, readiness, tokens, as the rosters show them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from ktsim.rules.battle import Battle
from ktsim.rules.decisions import Side
from ktsim.rules.state import OperativeState, State

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
    """One operative in its roster. *tokens* are whatever it carries or lies on it, in words."""

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
    tokens = [f"{name.replace('-', ' ')} {count}" if count > 1 else name for name, count in who.tokens.items() if count]
    tokens += [f"carries {battle.name(marker.id)}" for marker in state.carried_by(who.id)]
    for effect in state.effects:
        if effect.target == who.id:
            tokens.append(effect.grants or f"{effect.stat.upper()} {effect.amount:+d} ({effect.source})")
    if who.has_counteracted:
        tokens.append("has counteracted")
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
        battle.is_injured(who) and not who.is_incapacitated,
        tuple(tokens),
        "\n".join([stats, *weapons, *tokens]),
    )
