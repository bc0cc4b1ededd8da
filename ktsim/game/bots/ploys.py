"""When a bot spends CP on ploys, by what their texts say."""

from __future__ import annotations

from random import Random

from ktsim.game.game import Game
from ktsim.rules.engine.cards import Ploy
from ktsim.rules.engine.decisions import Pick
from ktsim.rules.engine.state import Side
from ktsim.rules.teams.language.values import TeamText, words_of

WORTH = {
    "survive": 2.0,
    "resolve-first": 1.8,
    "downgrade-crit": 1.6,
    "reduce-damage": 1.5,
    "damage": 1.4,
    "reroll": 1.4,
    "allow": 1.3,
    "next-activation": 1.2,
    "order": 1.2,
    "heal": 1.2,
    "free-action": 1.0,
    "grant": 0.8,
    "stat": 0.7,
    "forbid-reroll": 0.6,
    "ap-cost": 0.5,
    "move-extra": 0.5,
}
"""What a firefight ploy with this effect is worth about, when it is offered; a Command Re-roll is worth 1."""
UNKNOWN = 1.0


def price(game: Game, side: Side) -> float:
    """What a CP is worth now: less when there are many, and when the battle is nearly over."""
    cp = game.state.cp[side]
    return 0.5 if game.state.turning_point >= 4 else 1.5 if cp <= 1 else 1.1 if cp == 2 else 0.8


def _text(game: Game, side: Side, key: str) -> TeamText | None:
    """The text of the team that a question calls by *key*."""
    id = key.partition("#")[0]
    return next((text for text in game.battle.teams[side].texts if text.id == id), None)


def _worth(game: Game, side: Side, key: str) -> float:
    text = _text(game, side, key)
    words = () if text is None else words_of(*text.rules)
    return max((WORTH[word] for part, word in words if part == "effect" and word in WORTH), default=UNKNOWN)


def ploy_choice(decision: Pick, game: Game, rng: Random) -> tuple[str, str]:
    """The firefight ploy worth more than it costs, if there is one."""
    side: Side = "red" if decision.seat == "red" else "blue"
    found = {key: _worth(game, side, key) for key in decision.open_keys if key != "no"}
    best = max(found, key=lambda key: found[key])
    if found[best] + 0.2 * (rng.random() - 0.5) < price(game, side):
        return "no", "The CP are better kept."
    name = next(option.text for option in decision.options if option.key == best).partition(" (")[0]
    return best, f"{name} is worth the CP now."


def gambit_choice(decision: Pick, game: Game, rng: Random) -> tuple[str, str]:
    """Free gambits are used; a strategy ploy that suits the team while at least 2CP are left, not at first."""
    side: Side = "red" if decision.seat == "red" else "blue"
    team = game.battle.teams[side]
    ploys = team.strategy_ploys()
    keys = [key for key in decision.open_keys if key != "pass"]
    free = [key for key in keys if key not in ploys]
    if free:
        return rng.choice(free), "It costs nothing."
    used = [word for word in game.state.ploys_used if word.startswith(f"{side}:")]
    is_early = game.state.turning_point <= 1
    if is_early or game.state.cp[side] < 2 or len(used) >= 2:
        return "pass", "The CP are better kept for the firefight."
    plain = {ploy.id: ploy for ploy in team.ploys}
    said = {key: plain.get(key) or _text(game, side, key) for key in keys}
    best = max(keys, key=lambda key: suits(game, side, said[key]) + 0.3 * rng.random(), default="pass")
    what = said.get(best)
    return best, "Nothing suits." if what is None else f"{what.name} suits what is to come."


def suits(game: Game, side: Side, ploy: Ploy | TeamText | None) -> float:
    """How well a strategy ploy fits: what it does to weapons of the kind most operatives are good with."""
    cards = [game.battle.card(who) for who in game.state.side(side)]
    score = 0.6
    for kinds, is_conditional in _grants(ploy):
        strong = [card for card in cards if any(w.kind in kinds and w.atk >= 4 for w in card.weapons)]
        score += len(strong) / max(1, len(cards)) * (0.7 if is_conditional else 1.0)
    return score


def _grants(ploy: Ploy | TeamText | None) -> list[tuple[tuple[str, ...], bool]]:
    """The kinds of weapons a ploy gives rules to, and whether only in some situations."""
    both = ("ranged", "melee")
    if isinstance(ploy, Ploy):
        named = [(each.weapons, bool(each.only_if)) for each in ploy.effects if each.grants]
        return [((kind,) if kind else both, is_conditional) for kind, is_conditional in named]
    found = []
    for rule in () if ploy is None else ploy.rules:
        is_conditional = bool(rule.conditions or rule.who.that or rule.foe)
        for term in rule.do:
            kinds = term.get("weapons")
            named_kinds = tuple(str(each) for each in kinds if each in both) if isinstance(kinds, tuple) else ()
            if term.word == "grant":
                found.append((named_kinds or both, is_conditional))
    return found
