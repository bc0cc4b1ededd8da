"""What matches of bots count as blunders: only what was done for nothing."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from ktsim.game.game import Game
from ktsim.game.players import Purposeful
from ktsim.game.setup import Setup, new_game
from ktsim.rules.engine.decisions import Option, Pick
from ktsim.rules.engine.events import Event
from ktsim.rules.engine.operative_events import ActionBegan, ActivationBegan, ActivationEnded, ControlChanged, Moved
from ktsim.rules.engine.state import Activation, OperativeState

sys.path.insert(0, str(Path(__file__).parents[2] / "scripts"))
from arena_blunders import Blunders


def begun() -> tuple[Game, OperativeState, OperativeState]:
    """A game in which red activates somebody, who stands apart from everybody, and an enemy."""
    game, player = (
        new_game(Setup(board="open", table="plain", red="lantern-wardens", blue="keelwrights")),
        Purposeful(1),
    )
    while game.pending is not None and not (game.pending.topic == "activate" and game.pending.seat == "red"):
        game.submit(player.answer(game.pending, game))
    red, blue = (next(iter(game.state.side(side))) for side in ("red", "blue"))
    for number, each in enumerate(game.state.operatives.values()):
        each.x, each.y = 2000 + 2000 * number, 2000
    red.x, red.y = 15000, 15000
    game.state.activation = Activation(red.id, "activation", 2)
    return game, red, blue


@pytest.mark.parametrize(("wounds", "counted"), [(1, 1), (99, 0)])
def test_to_pass_is_a_blunder_where_a_fight_would_bring_more_than_it_costs(wounds: int, counted: int) -> None:
    game, red, blue = begun()
    blue.x, blue.y, blue.wounds = red.x + 1000, red.y, wounds
    red.wounds = 1 if wounds == 99 else red.wounds
    blunders, options = Blunders(game), (Option("Fight", "Fight"), Option("pass", "Pass"))
    blunders.before(Pick(seat="red", topic="action", prompt="What now?", options=options), "pass")
    assert blunders.found("red")["passed engaged"] == counted


@pytest.mark.parametrize(("does", "friend_near", "counted"), [(None, False, 1), ("Shoot", False, 0), (None, True, 0)])
def test_to_leave_an_objective_is_one_if_nobody_looks_after_it_and_nothing_came_of_it(
    does: str | None, friend_near: bool, counted: int
) -> None:
    game, red, _ = begun()
    marker = next(each for each in game.state.markers.values() if each.kind == "objective")
    marker.controller = None
    red.x, red.y = (marker.x + 8000 if marker.x < 15000 else marker.x - 8000), marker.y
    if friend_near:
        friend = game.state.friends(red.id)[0]
        friend.x, friend.y = marker.x + 2500, marker.y
    blunders = Blunders(game)
    blunders.after([ControlChanged(marker.id, "red")])
    assert game.state.turning_point == 1, "nothing pays yet"
    done: list[Event] = [
        ActivationBegan(red.id, "activation", "conceal", 2),
        Moved(red.id, (red.point,), 6, 6),
        ControlChanged(marker.id, None),
    ]
    if does is not None:
        done.append(ActionBegan(red.id, does, 1))
    blunders.after([*done, ActivationEnded(red.id)])
    assert blunders.found("red")["objective left"] == counted


@pytest.mark.parametrize(("paid_before", "paid_after", "counted"), [(2, 1, 1), (2, 2, 0)])
def test_to_leave_an_objective_that_pays_all_the_same_is_none(
    paid_before: int, paid_after: int, counted: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As what has been secured does."""
    game, red, _ = begun()
    game.state.turning_point = 2
    marker = next(each for each in game.state.markers.values() if each.kind == "objective")
    marker.controller = None
    red.x, red.y = (marker.x + 8000 if marker.x < 15000 else marker.x - 8000), marker.y
    blunders, would_pay = Blunders(game), iter([paid_before, paid_after])
    monkeypatch.setattr(Blunders, "_paid", lambda self, side: next(would_pay))
    moved = (Moved(red.id, (red.point,), 6, 6), ControlChanged(marker.id, None), ActivationEnded(red.id))
    blunders.after([ControlChanged(marker.id, "red"), ActivationBegan(red.id, "activation", "conceal", 2), *moved])
    assert blunders.found("red")["objective left"] == counted


def test_to_pass_by_an_objective_is_none() -> None:
    """It was not held before: controlled on the way and left again in one activation."""
    game, red, _ = begun()
    marker = next(each for each in game.state.markers.values() if each.kind == "objective")
    marker.controller = None
    red.x, red.y = (marker.x + 8000 if marker.x < 15000 else marker.x - 8000), marker.y
    blunders = Blunders(game)
    blunders.after([ActivationBegan(red.id, "activation", "conceal", 2), Moved(red.id, (red.point,), 6, 6)])
    blunders.after([ControlChanged(marker.id, "red"), Moved(red.id, (red.point,), 3, 3)])
    blunders.after([ControlChanged(marker.id, None), ActivationEnded(red.id)])
    assert blunders.found("red")["objective left"] == 0
