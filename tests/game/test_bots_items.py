"""Bought terrain is set up where it is of use."""

from __future__ import annotations

from random import Random

import pytest

from ktsim.game.bots.items import place_item, turned
from ktsim.game.bots.preparations import Preparing
from ktsim.game.bots.prospects import Prospect
from ktsim.game.bots.roads import RoadBook
from ktsim.game.bots.view import Budget
from ktsim.game.bots.weights import weights_of
from ktsim.game.players import Purposeful
from ktsim.game.setup import Setup, new_game
from ktsim.geometry.plane import length
from ktsim.rules.engine.decisions import Pick, Place


@pytest.mark.rule("KT24-DEPLOY")
def test_a_barricade_stands_before_a_marker_and_broadside_to_the_enemy() -> None:
    game, player = new_game(Setup(board="volkus-1", red="keelwrights", blue="brine-throng")), Purposeful(1)
    looked_at = 0
    while (asked := game.pending) is not None and asked.topic != "activate":
        answer = player.answer(asked, game)
        if asked.seat == "red" and asked.topic == "equipment":
            answer = ("light-barricades",)
        prospect = Prospect(game.battle, "red", weights_of(), {}, RoadBook(), Budget(9))
        if asked.seat == "red" and isinstance(asked, Place) and asked.topic == "place item":
            found = place_item(Preparing(prospect, game, Random(1)), asked)
            assert found is not None
            answer = found[0]
            objectives = [m for m in game.state.markers.values() if m.kind == "objective"]
            gaps = {m.x: length(m.x - answer[0], m.y - answer[1]) for m in objectives}
            assert min(gaps.values()) < 4500
            looked_at += 1
        elif asked.seat == "red" and isinstance(asked, Pick) and asked.topic == "turn":
            chosen = turned(Preparing(prospect, game, Random(1)), asked)
            assert chosen is not None
            answer = chosen[0]
            across = {"0": 0, "45": 1, "90": 2, "135": 1}  # the enemy comes along x here, so it stands along y
            assert across[answer] == max(across[key] for key in asked.open_keys)
        game.submit(answer)
    assert looked_at == 2
