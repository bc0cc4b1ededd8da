"""Windows: the moments at which players may use something out of the ordinary, a firefight ploy above all.

A procedure that comes to such a moment opens a window for it. Rules in force make offers; both players are asked in
turn, the one with the initiative first, until both decline in a row (KT24-SIMUL). Who has nothing to use is not asked,
and nothing is ever used silently.
"""

from __future__ import annotations

from ktsim.rules.engine.battle import Battle
from ktsim.rules.engine.decisions import Option, Pick, Steps, ask
from ktsim.rules.engine.rule import Moment, Offer
from ktsim.rules.engine.state import OperativeState, Side, other


def open_window(battle: Battle, moment: Moment) -> Steps[None]:
    """Ask both players, as long as one of them can use something and does."""
    rules = battle.at_moment(moment.kind)
    if not rules:
        return
    side, passes = battle.state.initiative or "red", 0
    while passes < 2:
        chosen = yield from _ask(battle, moment, side)
        if chosen is None:
            passes += 1
        else:
            passes = 0
            yield from chosen.use()
            _count_cp(battle, moment)
        side = other(side)


def has_offers(battle: Battle, moment: Moment) -> bool:
    """Whether either player could use something at *moment*."""
    return any(rule.offers(battle, moment) for rule in battle.at_moment(moment.kind))


def _ask(battle: Battle, moment: Moment, side: Side) -> Steps[Offer | None]:
    rules = battle.at_moment(moment.kind)
    offers = {offer.key: offer for rule in rules for offer in rule.offers(battle, moment) if offer.side == side}
    if not offers:
        return None
    options = (Option("no", "No"), *(Option(offer.key, offer.text) for offer in offers.values()))
    prompt = f"{moment.words()}: use a ploy?"
    answer = yield from ask(Pick(seat=side, topic="ploy", prompt=prompt, options=options, default="no", about=moment))
    return offers.get(answer)


def _count_cp(battle: Battle, moment: Moment) -> None:
    """A sequence counts the CP left for re-rolls; some were just spent."""
    cp = (battle.state.cp["red"], battle.state.cp["blue"])
    if moment.shot is not None:
        moment.shot = moment.shot._replace(cp=cp)
    if moment.duel is not None:
        moment.duel = moment.duel._replace(cp=cp)


def would_fall(battle: Battle, who: OperativeState) -> Steps[None]:
    """Rules in force may keep *who*, who has no wounds left, from being incapacitated."""
    for rule in battle.in_turn("would_fall"):
        if who.is_incapacitated:
            yield from rule.would_fall(battle, who)
