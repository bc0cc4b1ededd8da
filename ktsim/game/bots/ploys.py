"""When a bot spends CP on ploys."""

from __future__ import annotations

from random import Random

from ktsim.game.game import Game
from ktsim.rules.engine.cards import Ploy
from ktsim.rules.engine.decisions import Pick
from ktsim.rules.engine.state import Side

WORTH = {
    "blinding-flash": 0.6,
    "keep-the-flame": 1.4,
    "shutter": 1.2,
    "call-and-answer": 0.3,
    "scent-of-blood": 0.7,
    "snap-back": 1.8,
    "worry-the-wound": 1.4,
    "scatter": 0.4,
    "spare-plate": 1.6,
    "brace": 1.4,
    "work-to-rule": 1.3,
    "last-rivet": 2.0,
    "over-the-fallen": 0.9,
    "drag-under": 1.3,
    "slip-away": 0.5,
    "wave-after-wave": 1.2,
}
"""What a firefight ploy is worth about, when it is offered; a Command Re-roll is worth 1."""

UNKNOWN = 1.0


def price(game: Game, side: Side) -> float:
    """What a CP is worth now: less when there are many, and when the battle is nearly over."""
    cp = game.state.cp[side]
    return 0.5 if game.state.turning_point >= 4 else 1.5 if cp <= 1 else 1.1 if cp == 2 else 0.8


def ploy_choice(decision: Pick, game: Game, rng: Random) -> tuple[str, str]:
    """The firefight ploy worth more than it costs, if there is one."""
    side: Side = "red" if decision.seat == "red" else "blue"
    keys = [key for key in decision.open_keys if key != "no"]
    best = max(keys, key=lambda key: WORTH.get(key, UNKNOWN))
    worth = WORTH.get(best, UNKNOWN) + 0.2 * (rng.random() - 0.5)
    if worth < price(game, side):
        return "no", "The CP are better kept."
    return best, f"{best.replace('-', ' ').capitalize()} is worth the CP now."


def gambit_choice(decision: Pick, game: Game, rng: Random) -> tuple[str, str]:
    """Free gambits are used; a strategy ploy that suits the team while at least 2CP are left, not at first."""
    side: Side = "red" if decision.seat == "red" else "blue"
    ploys = {ploy.id: ploy for ploy in game.battle.teams[side].ploys}
    keys = [key for key in decision.open_keys if key != "pass"]
    free = [key for key in keys if key not in ploys]
    if free:
        return rng.choice(free), "It costs nothing."
    used = [word for word in game.state.ploys_used if word.startswith(f"{side}:")]
    is_early = game.state.turning_point <= 1
    if is_early or game.state.cp[side] < 2 or len(used) >= 2:
        return "pass", "The CP are better kept for the firefight."
    best = max(keys, key=lambda key: suits(game, side, ploys[key]) + 0.3 * rng.random(), default="pass")
    return best, f"{ploys[best].name} suits what is to come." if best in ploys else "Nothing suits."


def suits(game: Game, side: Side, ploy: Ploy) -> float:
    """How well a strategy ploy fits: what it does to weapons of the kind most operatives are good with."""
    cards = [game.battle.card(who) for who in game.state.side(side)]
    score = 0.6
    for effect in ploy.effects:
        if effect.grants:
            kinds = (effect.weapons,) if effect.weapons else ("ranged", "melee")
            strong = [card for card in cards if any(w.kind in kinds and w.atk >= 4 for w in card.weapons)]
            score += len(strong) / max(1, len(cards)) * (0.7 if effect.only_if else 1.0)
    return score
