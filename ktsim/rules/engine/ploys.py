"""Using ploys: whether one can be used, what it costs, what it begins."""

from __future__ import annotations

from ktsim.rules.engine.battle import Battle
from ktsim.rules.engine.cards import Ploy
from ktsim.rules.engine.decisions import Steps
from ktsim.rules.engine.events import CpChanged, EffectBegan, PloyUsed
from ktsim.rules.engine.state import Effect, Side


def is_used(battle: Battle, side: Side, ploy: Ploy) -> bool:
    """Whether *side* has used it in this turning point; a strategy ploy is in force then."""
    return f"{side}:{ploy.id}" in battle.state.ploys_used


def refuses_ploy(battle: Battle, side: Side, ploy: Ploy) -> str | None:
    """Each ploy once per turning point, and CP to pay for it."""
    if is_used(battle, side, ploy):
        return f"{ploy.name}: already used in this turning point."
    cost = ploy_cost(battle, side, ploy)
    if battle.state.cp[side] < cost:
        return f"{ploy.name}: costs {cost}CP, {battle.state.cp[side]}CP left."
    return None


def ploy_cost(battle: Battle, side: Side, ploy: Ploy) -> int:
    """What the ploy costs now, the rules in force heard."""
    cost = ploy.cost
    for rule in battle.having("ploy_cost"):
        cost = rule.ploy_cost(battle, side, ploy, cost)
    return cost


def use_ploy(battle: Battle, side: Side, ploy: Ploy) -> Steps[None]:
    """Pay for it and begin the effects its file lists; a strategy ploy's last until the end of the turning point."""
    if cost := ploy_cost(battle, side, ploy):
        yield CpChanged(side, -cost)
    yield PloyUsed(side, ploy.id, ploy.name, cost)
    for each in ploy.effects:
        yield EffectBegan(
            Effect(
                ploy.name,
                battle.edition.cites.ploys,
                "turning-point",
                side=side,
                stat=each.stat,
                amount=each.amount,
                grants=each.grants,
                weapons=each.weapons,
                only_if=each.only_if,
            )
        )
