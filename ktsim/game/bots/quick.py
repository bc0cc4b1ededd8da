"""Answers found without looking at the table, for when there is no time to: no ruling is asked for, no map of what is
in reach. They follow the behaviour list of whoever acts, as far as the list alone says what to do."""

from __future__ import annotations

from random import Random
from typing import Any

from ktsim.game.game import Game
from ktsim.game.players import cancelled, towards
from ktsim.geometry.plane import length
from ktsim.rules.engine.decisions import CANCEL, Decision, Pick, Walk
from ktsim.rules.engine.state import OperativeState

USUAL = ("fight", "charge", "shoot", "take-cover", "advance", "dash")
"""The behaviour of an operative whose datacard lists none."""

ACTIONS = {
    "fight": "Fight",
    "charge": "Charge",
    "shoot": "Shoot",
    "point-blank": "Shoot",
    "mission": "Pick Up Marker",
    "fall-back": "Fall Back",
    "take-cover": "Reposition",
    "advance": "Reposition",
    "hold": "Reposition",
    "dash": "Dash",
    "open-way": "Operate Hatch",
    "repel": "Charge",
    "hide": "Reposition",
    "withdraw": "Reposition",
    "patrol": "Reposition",
    "search": "Reposition",
    "wait": "pass",
}
"""By the words of ``ktsim.rules.teams.behaviour``: the action it means."""

SHARES = (1.0, 0.7, 0.4, 0.2)
"""Of a move's inches: a straight way that cannot be gone all the way may be gone so far."""

BESIDE = 1500
"""Thousandths of an inch between the middles of two operatives that fight: their bases do not touch."""


def quick_answer(decision: Decision[Any], game: Game, rng: Random) -> tuple[Any, str]:
    """A legal answer and why: what the list says, else the usual answer, and any at all only as the last resort."""
    found: tuple[Any, str] | None = None
    if isinstance(decision, Walk):
        found = _walk(decision, game)
    elif isinstance(decision, Pick) and decision.topic == "action":
        found = _action(decision, game)
    elif isinstance(decision, Pick) and decision.topic == "order":
        found = "engage", "Ready for whatever comes."
    elif isinstance(decision, Pick) and decision.topic in ("activate", "target", "enemy"):
        found = _nearest(decision, game)
    if found is not None and decision.check(found[0]) is None:
        return found
    if decision.default is not None and decision.check(decision.default) is None:
        return decision.default, "The usual answer."
    return decision.sample(rng), "One answer is as good as another."


def _action(decision: Pick, game: Game) -> tuple[str, str] | None:
    now = game.state.activation
    if now is None:
        return None
    who, given_up = game.state.operatives[now.operative], cancelled(game)
    for behaviour in game.battle.mission.behaviour(game.battle, who) or USUAL:
        action = ACTIONS[behaviour]
        if action in decision.open_keys and action not in given_up:
            return action, f"{who.name}: {behaviour.replace('-', ' ')}."
    return "pass", "Nothing on its list can be done."


def _walk(decision: Walk, game: Game) -> tuple[Any, str] | None:
    """Straight towards the nearest enemy, as far as that goes."""
    who = game.state.operatives[decision.operative]
    enemy = min(_enemies(game, who), key=lambda one: _far(one, who), default=None)
    if enemy is not None:
        most = min(1000.0 * decision.allowance, _far(enemy, who) - BESIDE)
        for share in SHARES:
            path = (towards(who.point, enemy.point, int(share * most)),)
            if most > 0 and path[0] != who.point and decision.check(path) is None:
                return path, f"{who.name}: straight on."
    return CANCEL, "There is no way straight on."


def _nearest(decision: Pick, game: Game) -> tuple[str, str] | None:
    """Of friends whoever is nearest to the enemy, of enemies whoever is nearest to whoever acts."""
    known, now = game.state.operatives, game.state.activation
    keys = [key for key in decision.open_keys if key in known]
    acting = [known[now.operative]] if now is not None else []

    def gap(key: str) -> tuple[float, str]:
        others = acting if acting and known[key].side != acting[0].side else _enemies(game, known[key])
        return min((_far(one, known[key]) for one in others), default=0.0), key

    best = min(keys, key=gap, default=None)
    return (best, f"{game.battle.name(best)} is nearest.") if best is not None else None


def _enemies(game: Game, who: OperativeState) -> list[OperativeState]:
    return [one for one in game.state.operatives.values() if one.side != who.side and one.is_in_killzone]


def _far(one: OperativeState, other: OperativeState) -> float:
    return length(one.x - other.x, one.y - other.y)
