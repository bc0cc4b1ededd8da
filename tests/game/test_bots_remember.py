"""What bots keep by places is what the rules say of the whole table, and is asked for once."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from ktsim.game.bots.lookout import lookout_over
from ktsim.game.bots.reaches import Reaches
from ktsim.game.bots.view import BattleView, Budget
from ktsim.game.game import Game
from ktsim.game.players import Purposeful
from ktsim.game.setup import Setup, new_game
from ktsim.rules.engine.shoot.targets import rule_on
from ktsim.rules.engine.state import OperativeState, Point
from ktsim.rules.engine.table import MoveRequest

SETUP = Setup(board="gallowdark-1", red="lantern-wardens", blue="keelwrights")


@pytest.fixture(scope="module")
def game() -> Game:
    """In the second turning point of a game in which everybody went for the middle."""
    game, player = new_game(SETUP), Purposeful(4)
    while game.state.turning_point < 2 and game.pending is not None:
        game.submit(player.answer(game.pending, game))
    return game


def put(who: OperativeState, x: float, y: float) -> None:
    who.x, who.y, who.level = round(1000 * x), round(1000 * y), 0


def requests(who: OperativeState) -> list[MoveRequest]:
    return [
        MoveRequest(who.id, "Reposition", 6),
        MoveRequest(who.id, "Charge", 8, may_pass_control=True, ends_in_control=True),
    ]


@pytest.mark.rule("KT24-MOVE-2")
def test_a_map_minds_whoever_is_in_the_way_as_the_rules_do(game: Game) -> None:
    state, table = game.state.copy(), game.battle.table
    red, blue = state.side("red"), state.side("blue")
    put(blue[0], red[0].x / 1000 + 2.5, red[0].y / 1000)
    put(red[1], red[0].x / 1000, red[0].y / 1000 + 2)
    reaches = Reaches(lookout_over(table, {}), {})
    for who in (red[0], red[2]):
        for request in requests(who):
            mine = dict(zip(*_listed(reaches, state, request), strict=True))
            exact = table.mover.costs(table, state, request)
            assert mine.items() <= exact.items()
            assert len(mine) >= 0.95 * len(exact)


def _listed(reaches: Reaches, state: Any, request: MoveRequest) -> tuple[list[Point], list[int]]:
    found = reaches.reached(state, request, roughly=False)
    return found.points(), found.costs.tolist()


def test_a_map_is_made_once_whatever_others_do_elsewhere(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    state, made = game.state.copy(), []
    table = lookout_over(game.battle.table, {})
    costs = type(table.mover).costs

    def counted(self: Any, table: Any, state: Any, request: MoveRequest, **kind: Any) -> Any:
        made.append(request)
        return costs(self, table, state, request, **kind)

    monkeypatch.setattr(type(table.mover), "costs", counted)
    reaches, who, enemy = Reaches(table, {}), state.side("red")[0], state.side("blue")[0]
    request = MoveRequest(who.id, "Reposition", 6)
    for other in state.operatives.values():
        if other.side != who.side:
            put(other, 29.0, 21.0)
    put(who, 4.0, 4.0)
    first = reaches.reached(state, request, roughly=False)
    put(enemy, 25.0, 18.0)
    again = reaches.reached(state, request, roughly=False)
    assert len(made) == 1
    assert first.points() == again.points()
    put(enemy, 6.0, 4.0)
    assert len(reaches.reached(state, request, roughly=False).costs) < len(first.costs)
    assert len(made) == 2


def test_a_ruling_is_kept_until_somebody_comes_between(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    battle = game.battle.twin()
    view = BattleView(battle, Budget(400))
    state = view.state
    (one, other, *_), (two, far, *_) = state.side("red"), state.side("blue")
    for each in state.operatives.values():
        put(each, 28.0, 20.0)
    put(one, 3.0, 3.0)
    put(two, 9.0, 3.0)
    asked = []
    ruling = type(view.battle.table).target_ruling

    def counted(self: Any, *what: Any) -> Any:
        asked.append(what)
        return ruling(self, *what)

    monkeypatch.setattr(type(view.battle.table), "target_ruling", counted)
    seen = view.look(one, two, ())
    put(far, 20.0, 15.0)
    assert view.look(one, two, ()) == seen
    assert len(asked) == 1
    put(other, 6.0, 3.0)
    now = view.look(one, two, ())
    assert len(asked) == 2
    assert now.is_visible == replace(rule_on(view.battle, one, two, ())).is_visible
