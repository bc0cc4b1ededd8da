"""The net of ways by which bots weigh places, beside what moves really cost."""

from __future__ import annotations

import numpy as np
import pytest

from ktsim.game.bots.prospects import Prospect
from ktsim.game.bots.roads import RoadBook
from ktsim.game.bots.view import Budget
from ktsim.game.bots.weights import weights_of
from ktsim.game.game import Game
from ktsim.game.players import Sampler
from ktsim.game.setup import Setup, new_game
from ktsim.rules.engine.state import Point
from ktsim.rules.engine.table import MoveRequest


def set_up(board: str) -> Prospect:
    """A battle in which everybody has been set up, as red sees it."""
    game: Game = new_game(Setup(board=board, red="rookwing-salvors", blue="keelwrights"))
    player = Sampler(3)
    while game.pending is not None and game.pending.topic != "activate":
        game.submit(player.answer(game.pending, game))
    return Prospect(game.battle, "red", weights_of(), {}, RoadBook(), Budget(400))


def test_a_way_leads_around_walls_and_a_shut_hatch_costs_more_than_an_open_one() -> None:
    game = new_game(Setup(board="gallowdark-1"))
    table, state, roads = game.battle.table, game.state.copy(), RoadBook()
    centre, red, _ = (marker.point for marker in state.markers.values())
    shut = roads.far(table, state, centre, red)
    state.terrain = dict.fromkeys(state.terrain, "open")
    opened = roads.far(table, state, centre, red)
    straight = ((centre[0] - red[0]) ** 2 + (centre[1] - red[1]) ** 2) ** 0.5 / 1000
    assert straight < opened < shut


@pytest.mark.parametrize(
    ("board", "start"),
    [
        ("bheta-decima-3", (15000, 11000, 3000)),  # a platform, with gantries to jump to
        ("bheta-decima-3", (1600, 5800, 0)),
        ("volkus-2", (6600, 12200, 0)),
        ("gallowdark-1", (11929, 7712, 0)),
    ],
)
def test_a_way_is_about_as_long_as_a_move_there_costs(board: str, start: Point) -> None:
    prospect = set_up(board)
    who = prospect.state.side("red")[0]
    prospect.put(who.id, start)
    reached = prospect.reached(MoveRequest(who.id, "Reposition", 9))
    assert len(reached.costs) > 200
    off = prospect.ways(start, reached.places) - reached.costs
    assert abs(float(np.median(off))) < 0.8
    assert np.percentile(np.abs(off), 90) < 2.5


@pytest.mark.rule("KT24-MOVE-3")
@pytest.mark.rule("KT24-MOVE-4")
def test_up_is_further_than_down() -> None:
    prospect = set_up("bheta-decima-3")
    above, below = (8800, 13600, 3000), (5500, 11500, 0)
    up, down = prospect.way(above, below), prospect.way(below, above)
    assert up - down == pytest.approx(2.0, abs=0.3)
    assert prospect.way(above, (5500, 11500, 3000)) < up  # who is up already need not climb
