"""What is to be scored: the numbers are those the end of a turning point then pays, and secrets stay secret."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from op_help import AT_BLUES, AT_REDS, OpField

from ktsim.game.mission_sheet import OpSheet, mission_sheet
from ktsim.rules.engine.battle import Battle
from ktsim.rules.engine.decisions import Steps, confirm
from ktsim.rules.engine.state import SIDES, Side


def field(crit: str = "orb", red: str = "", blue: str = "", turn: int = 2) -> OpField:
    made = OpField(crit, red, blue, turn)
    made.add("a", "red", AT_REDS)
    made.add("b", "blue", AT_BLUES)
    return made


def waiting(battle: Battle) -> Steps[bool]:
    return (yield from confirm("red", "end", "Enough?"))


def sheet(made: OpField, viewer: Side | None = "red") -> dict[tuple[str, str], OpSheet]:
    """The lines by their kind and whose they are."""
    found = mission_sheet(made.settle().game(waiting), viewer)
    return {(op.kind, op.sides[0] if len(op.sides) == 1 else ""): op for op in found}


def orb() -> OpField:
    return field("orb")


def orb_nowhere() -> OpField:
    made = OpField("orb")
    made.add("a", "red", (2.0, 2.0))
    made.add("b", "blue", (28.0, 20.0))
    return made


def looted() -> OpField:
    return field("loot").do("a", "Loot")


def devices() -> OpField:
    made = OpField("orb", red="plant-devices")
    made.add("a", "red", AT_BLUES)
    return made.do("a", "Plant Device")


@pytest.mark.rule("KT24-SCORE")
@pytest.mark.parametrize("make", [orb, orb_nowhere, looted, lambda: field("loot"), devices])
def test_what_it_would_pay_now_is_what_the_end_of_the_turning_point_pays(make: Callable[[], OpField]) -> None:
    made = make()
    found = sheet(made)
    promised = {(op.kind, side): op.now[side][0] for op in found.values() if op.now for side in op.sides}
    before = {key: made.vp(key[1], key[0]) for key in promised}
    ended = made.end_turn()
    assert {key: ended.vp(key[1], key[0]) - before[key] for key in promised} == promised
    worth = {"orb": 2, "orb_nowhere": 0, "looted": 1, "<lambda>": 0, "devices": 2}
    assert sum(promised.values()) == worth[make.__name__]


@pytest.mark.rule("KT24-SCORE")
def test_what_is_still_possible_ends_with_the_limits() -> None:
    made = field("loot", turn=4).do("a", "Loot")
    assert sheet(made)["crit", ""].possible == {"red": 2, "blue": 2}, "at most 2 a turning point, and one is left"
    assert sheet(field("loot", turn=3))["crit", ""].possible["red"] == 4
    early = sheet(field("loot", turn=1))["crit", ""]
    assert early.now["red"][0] == 0
    assert "turning point 2" in early.note


@pytest.mark.rule("KT24-SELECT")
def test_an_unrevealed_op_is_nobodys_business() -> None:
    told = []
    for secret in ("flank", "plant-devices"):
        made = field(red="track-enemy", blue=secret)
        made.state.choices |= {"red:primary op": "tac", "blue:primary op": "kill" if secret == "flank" else "crit"}
        found = sheet(made)
        assert found["tac", "red"].name == "Track Enemy"
        assert found["tac", "blue"].name == "Secret"
        assert found["primary", "red"].name == "the tac op"
        assert ("primary", "blue") not in found
        told.append(repr(found))
        alone = sheet(made, None)
        assert {alone["tac", side].name for side in SIDES} == {"Secret"}
        assert not any(kind == "primary" for kind, _ in alone)
    assert told[0] == told[1], "nothing about it depends on the secret"
    shown = field(red="track-enemy", blue="flank")
    shown.state.choices["blue:tac op revealed"] = "flank"
    assert sheet(shown)["tac", "blue"].name == "Flank"


def test_nothing_of_it_happens_in_the_game() -> None:
    made = orb().settle()
    game = made.game(waiting)
    before = game.digest()
    mission_sheet(game, "red")
    assert game.digest() == before
