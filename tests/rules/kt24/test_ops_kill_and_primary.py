"""The kill op, the primary op, and what all ops share: limits, draws, the sheet."""

from __future__ import annotations

from typing import Any

import pytest
from engine_help import Answers, story
from op_help import AT_CENTRE, CENTRE, OpField

from ktsim.game.story import score_sheet
from ktsim.rules.engine.events import VpScored
from ktsim.rules.engine.turn import gambit, turn_end
from ktsim.rules.kt24.ops.kill_and_primary import grade_of, needed
from ktsim.rules.kt24.ops.register import CRIT_OPS, TAC_OPS

TABLE = {
    5: (1, 2, 3, 4, 5),
    6: (1, 2, 4, 5, 6),
    7: (1, 3, 4, 6, 7),
    8: (2, 3, 5, 6, 8),
    9: (2, 4, 5, 7, 9),
    10: (2, 4, 6, 8, 10),
    11: (2, 4, 7, 9, 11),
    12: (2, 5, 7, 10, 12),
    13: (3, 5, 8, 10, 13),
    14: (3, 6, 8, 11, 14),
}


@pytest.mark.rule("KT24-OP-KILL")
@pytest.mark.parametrize("enemies", TABLE)
def test_the_table_of_grades(enemies: int) -> None:
    assert tuple(needed(enemies, grade) for grade in range(1, 6)) == TABLE[enemies]
    for grade, count in enumerate(TABLE[enemies], 1):
        assert grade_of(enemies, count) == grade
        assert grade_of(enemies, count - 1) == grade - 1


@pytest.mark.rule("KT24-OP-KILL")
@pytest.mark.parametrize("enemies", [1, 2, 3, 4, 15, 20])
def test_beyond_the_table_grades_go_on(enemies: int) -> None:
    assert grade_of(enemies, enemies) == 5
    assert grade_of(enemies, 0) == 0
    assert grade_of(0, 0) == 0


def war(turn: int = 2) -> OpField:
    field = OpField("energy-cells", turn=turn).add("a", "red", (3, 3)).add("z", "red", (3, 8))
    for number in range(6):
        field.add(f"b{number}", "blue", (25, 2 + 3 * number))
    return field


@pytest.mark.rule("KT24-OP-KILL")
def test_each_grade_pays_when_it_is_reached_also_in_the_first_turning_point() -> None:
    field = war(turn=1).fell("b0", "a")
    assert field.vp("red", "kill") == 1
    field.fell("b1", "a")
    assert field.vp("red", "kill") == 2
    field.fell("b2", "a")
    assert field.vp("red", "kill") == 2, "three of six are no grade"
    field.fell("b3", "")
    assert field.vp("red", "kill") == 3, "whoever did it"


@pytest.mark.rule("KT24-OP-KILL")
def test_several_at_once_pay_every_grade() -> None:
    field = war()
    for number in range(4):
        field.state.operatives[f"b{number}"].wounds = 0
    field.fell("b4", "a")
    assert field.vp("red", "kill") == 4


@pytest.mark.rule("KT24-OP-KILL")
def test_the_higher_grade_pays_at_the_end() -> None:
    field = war(turn=4).fell("b0", "a").end_turn()
    assert field.vp("red", "kill") == 2
    field = war(turn=3).fell("b0", "a").end_turn()
    assert field.vp("red", "kill") == 1, "only at the end of the battle"


@pytest.mark.rule("KT24-OP-KILL")
def test_equal_grades_pay_nothing_at_the_end() -> None:
    field = war(turn=4).add("y", "red", (3, 12)).add("x", "red", (3, 16)).add("w", "red", (3, 19))
    field.fell("b0", "a").fell("z", "b1").end_turn()
    assert (field.vp("red", "kill"), field.vp("blue", "kill")) == (1, 1)


# -- the primary op ----------------------------------------------------------------------------------


@pytest.mark.rule("KT24-GAMBIT")
def test_the_primary_op_is_a_secret_gambit_of_the_first_turning_point() -> None:
    field = war(turn=1)
    game = field.gambits("red")
    pending: Any = game.pending
    assert pending.topic == "primary op", "nothing else is left to choose, so it is asked at once"
    assert pending.secret
    told = [event.words(game.battle.name) for event in game.submit("kill")]
    assert game.state.choices["red:primary op"] == "kill"
    assert not any("kill" in words.lower() for words in told)
    field.state = game.state
    assert field.gambits("red").pending is None, "once"
    field.state.turning_point = 2
    assert field.gambits("blue").pending is None, "only in the first turning point"


@pytest.mark.rule("KT24-GAMBIT")
def test_nobody_passes_before_the_primary_op_is_chosen() -> None:
    from ktsim.rules.engine.cards import Ploy

    field = war(turn=1)
    field.ploys["red"] = (Ploy("free", "Free", "strategy", 0, "-"),)
    pending: Any = field.gambits("red").pending
    assert pending.check("pass") == "Pass: first choose the primary op in secret."
    assert pending.default == "primary op"
    assert pending.check("free") is None, "another gambit may come first"
    field.state.choices = {**field.state.choices, "red:primary op": "crit"}
    pending = field.gambits("red").pending
    assert pending.check("pass") is None


@pytest.mark.rule("KT24-SCORE")
@pytest.mark.parametrize(("scored", "pays"), [(0, 0), (1, 1), (2, 1), (5, 3), (6, 3)])
def test_the_primary_op_pays_half_again_rounded_up(scored: int, pays: int) -> None:
    field = OpField(turn=4).add("a", "red", (3, 3)).add("b", "blue", (28, 3))
    field.state.choices["red:primary op"] = "tac"
    if scored:
        VpScored("red", scored, "test", "tac").apply(field.state)
    VpScored("blue", 4, "test", "tac").apply(field.state)
    field.end_turn()
    assert field.vp("red", "primary") == pays
    assert field.vp("blue", "primary") == 0, "blue chose none"


@pytest.mark.rule("KT24-SCORE")
def test_what_is_scored_at_the_end_counts_for_the_primary_op() -> None:
    field = war(turn=4).fell("b0", "a")
    field.state.choices["red:primary op"] = "kill"
    field.end_turn()
    assert (field.vp("red", "kill"), field.vp("red", "primary")) == (2, 1)


@pytest.mark.rule("KT24-SCORE")
def test_the_primary_op_is_not_revealed_before_the_end() -> None:
    field = war(turn=3)
    field.state.choices["red:primary op"] = "kill"
    told = story(field.play(turn_end))
    assert not any("primary" in line for line in told)
    field.state.turning_point = 4
    assert any("reveals its primary op: the kill op" in line for line in story(field.play(turn_end)))


@pytest.mark.rule("KT24-SCORE")
@pytest.mark.parametrize(("red", "blue", "winner"), [(3, 3, "draw"), (4, 3, "red"), (3, 4, "blue"), (0, 0, "draw")])
def test_most_vp_win_and_equal_is_a_draw(red: int, blue: int, winner: str) -> None:
    field = OpField(turn=4).add("a", "red", (3, 3)).add("b", "blue", (28, 3))
    for side, amount in (("red", red), ("blue", blue)):
        if amount:
            VpScored(side, amount, "test", "crit").apply(field.state)  # type: ignore[arg-type]
    assert field.end_turn().state.winner == winner


@pytest.mark.rule("KT24-SCORE")
def test_there_are_nine_crit_ops_and_three_tac_ops_for_each_archetype() -> None:
    assert len(CRIT_OPS) == 9
    archetypes = [op.archetype for op in TAC_OPS.values()]
    assert {name: archetypes.count(name) for name in set(archetypes)} == {
        "recon": 3,
        "infiltration": 3,
        "security": 3,
        "seek-and-destroy": 3,
    }


@pytest.mark.rule("KT24-SCORE")
def test_the_score_sheet_says_who_scored_what_when_and_why() -> None:
    field = OpField("secure", turn=4).add("a", "red", AT_CENTRE).add("b", "blue", (28, 3))
    field.state.choices["red:primary op"] = "crit"
    VpScored("red", 1, "Kill op: grade 1", "kill").apply(field.state)
    field.state.sheet[0] = field.state.sheet[0]._replace(turning_point=1)
    field.do("a", "Secure").end_turn()
    sheet = score_sheet(field.battle())
    assert sheet[0].split() == ["Score", "TP1", "TP2", "TP3", "TP4", "end", "VP"]
    assert sheet[1].split()[-6:] == ["1", "-", "-", "2", "1", "4"]
    assert "  crit op" in sheet[2]
    assert sheet[2].split()[-6:] == ["-", "-", "-", "2", "-", "2"]
    assert "  turning point 4: 1 VP, Secure: holds a secured marker" in sheet
    assert "  end of the battle: 1 VP, Primary op: half of the crit op again" in sheet
    assert sheet[-3:] == ["  no VP", "", "Rules as of 2025-03."]


def test_gambits_of_ops_do_not_use_up_the_pass() -> None:
    field = war(turn=1)
    field.state.phase, field.state.turn = "gambit", "red"

    def procedure(battle: Any) -> Any:
        while battle.state.phase == "gambit":
            yield from gambit(battle)

    field.run(procedure, Answers(choose={"primary op": ["crit", "tac"]}))
    assert field.state.phase == "firefight"
    assert field.state.markers[CENTRE].tokens == {}
