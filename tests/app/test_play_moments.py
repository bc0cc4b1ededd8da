"""Ruling on a moment of a game: who shoots at whom there."""

from __future__ import annotations

import pytest
from play_driver import PLAIN

from ktsim.app.play.board import pair_at
from ktsim.game.game import Game
from ktsim.game.players import Purposeful
from ktsim.game.scenes import scene_file_of
from ktsim.game.setup import new_game
from ktsim.rules.engine.operative_events import ActivationBegan


def attacked(game: Game, words: str) -> tuple[str, str]:
    """Play until the dice of an attack are about to be rolled; who attacks whom."""
    player = Purposeful(5)
    while game.pending is not None:
        told = len(game.events)
        game.submit(player.answer(game.pending, game))
        for event in game.events[told:]:
            if words in getattr(event, "text", "") and game.pending is not None:
                return event.subjects[0], event.subjects[1]  # type: ignore[attr-defined]
    raise AssertionError("nobody attacks")


@pytest.mark.parametrize("words", ["shoots {1}", "fights {1}"])
def test_in_an_attack_it_is_those_of_the_attack(words: str) -> None:
    game = new_game(PLAIN)
    pair = attacked(game, words)
    assert pair_at(game.battle, game.state, game.events) == pair
    ((shooter, target),) = scene_file_of(game.battle, game.state, PLAIN, pair).pairs
    assert shooter.startswith(game.battle.name(pair[0]))
    assert target.startswith(game.battle.name(pair[1]))


def test_otherwise_it_is_whoever_acts_and_an_enemy() -> None:
    game, player = new_game(PLAIN), Purposeful(5)
    assert pair_at(game.battle, game.state, game.events) is None  # nobody has acted yet
    while not any(isinstance(event, ActivationBegan) for event in game.events) and game.pending is not None:
        game.submit(player.answer(game.pending, game))
    pair = pair_at(game.battle, game.state, game.events)
    assert pair is not None
    assert game.state.activation is not None
    assert pair[0] == game.state.activation.operative
    enemies = [
        one.id for one in game.state.operatives.values() if one.side != game.state.operatives[pair[0]].side
    ]  # fmt: skip
    assert pair[1] == min(enemies, key=lambda id: game.battle.table.distance(game.state, pair[0], id))
