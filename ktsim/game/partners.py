"""Two players, or a player and a bot, who share a side: which of them a question is for (JOINT-SHARE)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ktsim.game.game import Game
from ktsim.game.players import Player
from ktsim.rules.engine.battle import Battle
from ktsim.rules.engine.decisions import Decision, Pick, Walk
from ktsim.rules.kt24.joint.sides import PLAYERS, is_second


def asks_second(battle: Battle, decision: Decision[Any]) -> bool:
    """Whether the question is for the second player: it is about one of the operatives that player has. Whatever is
    about the side as a whole is for the first."""
    if not battle.mission.is_shared or decision.seat != PLAYERS:
        return False
    mine = (id for id in _concerned(battle, decision) if _is_of_players(battle, id))
    return is_second(battle.state, next(mine, ""))


def _concerned(battle: Battle, decision: Decision[Any]) -> Iterator[str]:
    """Whom the question is about, the likeliest first."""
    if isinstance(decision, Walk):
        yield decision.operative
    if isinstance(decision.about, str):
        yield decision.about
    if isinstance(decision, Pick) and decision.topic in ("activate", "counteract"):
        yield from decision.open_keys
        return
    if battle.state.activation is not None:
        yield battle.state.activation.operative
    yield from battle.duelling or ()
    yield battle.aimed


def _is_of_players(battle: Battle, id: str) -> bool:
    return id in battle.state.operatives and battle.state.operatives[id].side == PLAYERS


class Partners:
    """Two who answer for one side."""

    def __init__(self, first: Player, second: Player) -> None:
        self._first, self._second = first, second

    def answer(self, decision: Decision[Any], game: Game) -> Any:
        player = self._second if asks_second(game.battle, decision) else self._first
        return player.answer(decision, game)
