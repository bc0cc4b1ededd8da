"""What may be used is tried out first: on forks that know no secrets of others, with the same dice, by what it does."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from ktsim.game.bots.commander import Commander
from ktsim.game.bots.prospects import Prospect
from ktsim.game.bots.roads import RoadBook
from ktsim.game.bots.trials import compared, strategy_worth, tried
from ktsim.game.bots.view import Budget
from ktsim.game.bots.weights import weights_of
from ktsim.game.game import Game
from ktsim.game.players import Purposeful
from ktsim.game.setup import Setup, new_game

PACK = Setup(board="open", table="plain", red="keelwrights", blue="lantern-wardens")


def until(topic: str) -> Game:
    """A game in which red is asked about a topic."""
    for seed in range(9):
        game, player = new_game(PACK), Purposeful(seed)
        while (now := game.pending) is not None:
            if now.topic == topic and now.seat == "red" and game.state.turning_point >= 1:
                return game
            saves_cp = now.topic == "gambit" and now.check("pass") is None
            game.submit("pass" if saves_cp else player.answer(now, game))
    raise AssertionError(f"never asked about {topic}")


def test_a_fork_of_what_somebody_sees_goes_on_without_the_secrets_of_others() -> None:
    game = until("action")
    game.battle.state.choices.pop("blue:tac op revealed", None)
    hidden = {key for key in game.state.choices if key not in game.seen_by("red").state.choices}
    assert {"blue:tac op", "blue:primary op"} <= hidden
    before = game.digest()
    twin = game.seen_by("red").fork()
    assert not hidden & twin.state.choices.keys()
    assert "red:tac op" in twin.state.choices
    assert twin.pending == game.pending
    twin.submit("pass")
    assert game.digest() == before
    assert hidden <= game.fork().state.choices.keys()


def test_a_trial_runs_until_what_was_begun_is_over_with_the_dice_it_is_given() -> None:
    game = until("ploy")
    assert game.pending is not None
    before = game.digest()
    trials = [tried(game, "no", Random(seed)) for seed in (1, 1, 2)]
    assert all(trial is not None for trial in trials)
    digests = [trial[0].digest() for trial in trials if trial is not None]
    assert digests[0] == digests[1]
    for trial in trials:
        assert trial is not None
        asked = trial[0].pending
        assert asked is None or asked.topic in ("activate", "action", "order", "counteract")
    assert game.digest() == before


def test_answers_are_compared_on_average_and_all_of_them() -> None:
    game = until("ploy")
    assert game.pending is not None
    keys = game.pending.open_keys  # type: ignore[attr-defined]
    found = compared(game, keys, lambda trial: float(trial.state.cp["red"]))
    assert set(found) == set(keys)
    assert all(found["no"] >= found[key] for key in keys)


@pytest.mark.parametrize(("worth", "answer"), [(0.0, True), (99.0, False)])
def test_a_ploy_is_used_when_it_brings_more_than_its_cp(worth: float, answer: bool, monkeypatch: Any) -> None:
    """Whatever it is called: the trial says what it brings."""
    game = until("ploy")
    assert game.pending is not None
    keys = [key for key in game.pending.open_keys if key != "no"]  # type: ignore[attr-defined]
    gains = {"no": 1.0, keys[0]: 2.0 - worth}
    monkeypatch.setattr("ktsim.game.bots.commander.compared", lambda *_: gains)
    assert (Commander("a").answer(game.pending, game) == keys[0]) is answer


def test_a_strategy_ploy_is_worth_what_it_does_to_the_attacks_that_may_come() -> None:
    game = until("gambit")
    found = Prospect(game.battle, "red", weights_of(), {}, RoadBook(), Budget(400))
    before = found.state.digest()
    piercing, nothing = (strategy_worth(found, key) for key in ("cut-once", "primary op"))
    assert (piercing.gain > 0.01, piercing.cost) == (True, 1)
    assert nothing == (0.0, 0)
    assert found.state.digest() == before
