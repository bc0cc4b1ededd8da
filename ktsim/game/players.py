"""Things that answer decisions: random play, dice, scripts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from random import Random
from typing import Any, Protocol

from ktsim.game.game import Game
from ktsim.rules.decisions import Decision


class Player(Protocol):
    def answer(self, decision: Decision[Any], game: Game) -> Any: ...


class Sampler:
    """Answers at random from what is legal; also the dice."""

    def __init__(self, seed: int | str) -> None:
        self._rng = Random(seed)

    def answer(self, decision: Decision[Any], game: Game) -> Any:
        return decision.sample(self._rng)


class Scripted:
    """Gives prepared answers in turn, then whatever *then* gives."""

    def __init__(self, answers: Iterable[Any], then: Player | None = None) -> None:
        self._answers = iter(answers)
        self._then = then

    def answer(self, decision: Decision[Any], game: Game) -> Any:
        try:
            return next(self._answers)
        except StopIteration:
            if self._then is None:
                raise LookupError(f"no prepared answer left for: {decision.prompt}") from None
            return self._then.answer(decision, game)


class TakesObvious:
    """Takes the default where only one answer is sensible, and asks *player* otherwise."""

    def __init__(self, player: Player) -> None:
        self._player = player

    def answer(self, decision: Decision[Any], game: Game) -> Any:
        return decision.default if decision.is_obvious else self._player.answer(decision, game)


def play(game: Game, players: Mapping[str, Player], most: int = 100_000) -> None:
    """Let the players answer until the game is over. *most* answers are a bound no game reaches."""
    for _ in range(most):
        if game.pending is None:
            return
        game.submit(players[game.pending.seat].answer(game.pending, game))
    raise RuntimeError(f"the game did not end within {most} answers")
