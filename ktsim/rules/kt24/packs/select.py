"""KT24-SELECT: operatives, then equipment, chosen in secret and revealed together."""

from __future__ import annotations

from ktsim.rules.engine.battle import Battle
from ktsim.rules.engine.decisions import Option, PickSome, Steps, ask
from ktsim.rules.engine.events import Chosen, CpChanged
from ktsim.rules.engine.muster import card_of, copies, muster, usual
from ktsim.rules.engine.state import SIDES, Side
from ktsim.rules.kt24.equipment.register import EQUIPMENT, key_for
from ktsim.rules.kt24.packs.prepare import in_order

MOST_EQUIPMENT = 4


def operatives_key(side: Side) -> str:
    """Under which key of ``State.choices`` the side's operatives are kept, as datacards separated by commas."""
    return f"{side}:operatives"


def select(battle: Battle) -> Steps[None] | None:
    return None if operatives_key("red") in battle.state.choices else _select(battle)


def _select(battle: Battle) -> Steps[None]:
    """One step for both players, so that nothing of it is anywhere before both have chosen."""
    picked = {}
    for side in in_order(battle):
        operatives = yield from _operatives(battle, side)
        equipment = yield from _equipment(battle, side)
        picked[side] = (operatives, equipment)
    for side, (operatives, equipment) in picked.items():
        joining = muster(side, operatives, battle.cards)
        told = f"{battle.name(side)} selects {', '.join(who.name for who in joining)}."
        yield Chosen(operatives_key(side), ",".join(operatives), told)
        yield from joining
        if EQUIPMENT:
            names = ", ".join(EQUIPMENT[key].name for key in equipment) or "none"
            yield Chosen(key_for(side), ",".join(equipment), f"{battle.name(side)} has equipment: {names}.")
    for side in SIDES:
        yield CpChanged(side, battle.edition.starting_cp, "start of the battle")


def _operatives(battle: Battle, side: Side) -> Steps[tuple[str, ...]]:
    """As many as the team's size, each datacard at most as often as its limit says."""
    team = battle.teams[side]
    options = tuple(copies(team))
    if len(options) == team.size:
        return tuple(card_of(option.key) for option in options)
    prompt = f"Select {team.size} operatives of {team.name}."
    picked = yield from ask(
        PickSome(
            seat=side,
            topic="operatives",
            prompt=prompt,
            options=options,
            least=team.size,
            most=team.size,
            default=usual(team),
            secret=True,
        )
    )
    return tuple(card_of(key) for key in picked)


def _equipment(battle: Battle, side: Side) -> Steps[tuple[str, ...]]:
    if not EQUIPMENT:
        return ()
    options = tuple(Option(each.key, f"{each.name}: {each.text}", None, each.id) for each in EQUIPMENT.values())
    picked = yield from ask(
        PickSome(
            seat=side,
            topic="equipment",
            prompt=f"Choose up to {MOST_EQUIPMENT} equipment options.",
            options=options,
            least=0,
            most=min(MOST_EQUIPMENT, len(options)),
            default=tuple(option.key for option in options[:MOST_EQUIPMENT]),
            secret=True,
        )
    )
    return picked
