"""Windows: the moments at which players may use something out of the ordinary, a firefight ploy above all.

A procedure that comes to such a moment opens a window for it. Rules in force make offers; both players are asked in
turn, the one with the initiative first, until both decline in a row (KT24-SIMUL). Who has nothing to use is not asked,
and nothing is ever used silently.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ktsim.rules.engine.decisions import Option, Pick, Side, Steps, ask, other

if TYPE_CHECKING:
    from ktsim.rules.engine.battle import Battle
    from ktsim.rules.engine.fight.stages import Duel
    from ktsim.rules.engine.shoot.stages import Shot
    from ktsim.rules.engine.state import OperativeState

KINDS = {
    "activated": "{0} is activated",
    "counteracts": "{0} counteracts",
    "targeted": "{0} is about to shoot {1}",
    "shot begins": "{0} is about to roll attack dice against {1}",
    "attack rolled": "{0} has rolled its attack dice against {1}",
    "has shot": "{0} has shot",
    "fight begins": "{0} is about to fight {1}",
    "fight rolled": "{0} and {1} have rolled their attack dice",
    "has fought": "{0} has fought {1}",
    "incapacitated": "{0} is incapacitated",
    "activation ended": "{0} is expended",
}
"""Every kind of moment, as the question words it: {0} is who it is about, {1} the other operative."""


@dataclass
class Moment:
    """One moment. An offer that is used may replace *shot* or *duel*: the sequence goes on with what is there then."""

    kind: str
    who: OperativeState
    other: OperativeState | None = None
    shot: Shot | None = None
    duel: Duel | None = None

    def words(self) -> str:
        return KINDS[self.kind].format(self.who.name, self.other.name if self.other else "nobody")


@dataclass(frozen=True)
class Offer:
    """Something *side* may use now."""

    key: str
    text: str
    side: Side
    use: Callable[[], Steps[None]] = field(compare=False)


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
