"""Close quarters in 2021: guard with Overwatch, fights through hatchways, hatches in the middle of a move."""

from __future__ import annotations

from typing import Any

import pytest
from engine_help import CLUB, Answers, Field, acting, at, melee, ranged, story
from lite_table import LiteTable

from ktsim.rules.engine.action import Action, refuses
from ktsim.rules.engine.battle import Battle
from ktsim.rules.engine.decisions import Pick, Steps
from ktsim.rules.killzone.guard import Guard, is_on_guard
from ktsim.rules.killzone.operate_hatch import OperateHatchRule
from ktsim.rules.kt21.close_quarters import LiteGuardRule, LiteHatchwayFight, LiteHatchwayFightRule
from ktsim.rules.kt21.edition import KT21
from ktsim.rules.kt21.fight import LiteFight
from ktsim.rules.kt21.moves import LiteCharge, LiteDash, NormalMove
from ktsim.rules.kt21.turn import Pass
from ktsim.sight.scene import Hatchway, WallLine

WALL = WallLine("w1", (10, 2), (10, 14), hatchway=Hatchway(1.6))


def guarded(*weapons: Any, **more: Any) -> Field:
    """B is on guard; A is activated."""
    field = Field(LiteGuardRule(), edition=KT21).add("a", "red", (3, 3), ranged(), CLUB)
    kit = weapons or (ranged(), CLUB)
    return field.add("b", "blue", (12, 3), *kit, **{"is_ready": False, "tokens": {"on guard": 1}, **more})


def interrupted(field: Field, *actions: Action, dice: Any = (), choose: dict[str, Any] | None = None) -> Any:
    return field.play(acting("a", *actions), Answers(dice, choose))


@pytest.mark.rule("KT21-GUARD")
def test_guard_is_a_shoot_action_on_engage() -> None:
    field = Field(LiteGuardRule(), edition=KT21).add("a", "red", (3, 3)).add("b", "blue", (12, 3))
    game = field.play(acting("a", Guard()), Answers())
    assert is_on_guard(game.state.operatives["a"])
    field = Field(LiteGuardRule(), edition=KT21).add("a", "red", (3, 3), order="conceal").add("b", "blue", (12, 3))
    battle = field.battle()
    assert refuses(battle, battle.state.operatives["a"], Guard()) == "Guard: not on a Conceal order."


@pytest.mark.rule("KT21-GUARD")
def test_an_operative_on_guard_interrupts_with_overwatch() -> None:
    game = interrupted(guarded(), Pass(), dice=[(3, 4, 1, 1), (1, 1, 1)], choose={"interrupt": "b Overwatch"})
    assert game.state.operatives["a"].wounds == 7, "the 3 misses: BS is worse by 1"
    assert game.state.operatives["b"].has_counteracted, "no Overwatch again in this turning point"
    assert not is_on_guard(game.state.operatives["b"])


@pytest.mark.rule("KT21-GUARD")
def test_whoever_performed_overwatch_already_has_no_shot_on_guard() -> None:
    answers = Answers()
    guarded(has_counteracted=True).play(acting("a", Pass()), answers)
    assert "interrupt" not in answers.topics


@pytest.mark.rule("KT21-GUARD")
def test_point_blank_overwatch_and_no_fighting_back() -> None:
    field = guarded()
    dice = [(4, 5, 1, 1), (1, 1, 1), (1, 1, 1, 1)]
    choose = {"move": (at(10, 3),), "interrupt": "b Point-blank Overwatch"}
    game = interrupted(field, LiteCharge(), LiteFight(), dice=dice, choose=choose)
    assert game.state.operatives["a"].wounds == 7, "5+: worse by 1 for Overwatch and by 1 for point-blank"
    assert "A with Club fights B with no weapon. [KT21-FIGHT]" in story(game)


@pytest.mark.rule("KT21-GUARD")
def test_a_fight_on_guard() -> None:
    field = guarded()
    dice = [(6, 1, 1, 1), (1, 1, 1, 1)]
    choose = {"move": (at(10, 3),), "interrupt": "b Fight", "resolve": "strike c"}
    game = interrupted(field, LiteCharge(), dice=dice, choose=choose)
    assert game.state.operatives["a"].wounds == 6


@pytest.mark.rule("KT21-GUARD")
def test_without_interrupting_a_charge_ends_guard() -> None:
    game = interrupted(guarded(), LiteCharge(), choose={"move": (at(10, 3),), "interrupt": "no"})
    assert not is_on_guard(game.state.operatives["b"])


def hatch_table(state: str = "open") -> LiteTable:
    rules = (OperateHatchRule(), LiteHatchwayFightRule(), LiteGuardRule())
    zone = frozenset({"KZ-HATCH-OPERATE", "KZ-HATCH-FIGHT", "KZ-GUARD", "KZ-WALL"})
    table = LiteTable(walls=(WALL,), rules=rules, zone_rules=zone)
    table.state.terrain["w1"] = state
    return table


@pytest.mark.rule("KT21-HATCHFIGHT")
def test_a_fight_through_an_open_hatchway() -> None:
    table = hatch_table().add("a", "red", (9.25, 8), CLUB).add("b", "blue", (11.9, 8), melee())
    game = table.play(acting("a", LiteHatchwayFight()), Answers([(6, 1, 1, 1), (1, 1, 1, 1)], {"resolve": "strike c"}))
    assert game.state.operatives["b"].wounds == 6
    assert "A with Club fights B with Blade. [KT21-HATCHFIGHT]" in story(game)


@pytest.mark.rule("KT21-HATCHFIGHT")
def test_not_through_a_closed_one_nor_too_far() -> None:
    for state, where in (("closed", 11.9), ("open", 13.5)):
        table = hatch_table(state).add("a", "red", (9.25, 8), CLUB).add("b", "blue", (where, 8), melee())
        battle = table.battle()
        assert refuses(battle, battle.state.operatives["a"], LiteHatchwayFight()) is not None


@pytest.mark.rule("KT21-HATCHFIGHT")
def test_it_is_a_fight_action() -> None:
    table = hatch_table().add("a", "red", (9.25, 8), CLUB, apl=3).add("b", "blue", (11.9, 8), melee())

    def procedure(battle: Battle) -> Steps[None]:
        yield from acting("a", LiteHatchwayFight())(battle)
        yield from KT21.choose_action(battle, battle.state.operatives["a"])

    game = table.game(procedure)
    for dice in ((1, 1, 1, 1), (1, 1, 1, 1)):
        game.submit(dice)
    assert isinstance(game.pending, Pick)
    assert game.pending.check("Fight") == "Fight: not in the same activation as Hatchway Fight."


@pytest.mark.rule("KT21-MOVE")
@pytest.mark.parametrize("move", [NormalMove(), LiteDash()])
def test_a_hatch_is_operated_in_the_middle_of_a_move(move: Action) -> None:
    table = hatch_table("closed").add("a", "red", (8.0, 8), CLUB).add("b", "blue", (25, 20))
    answers = Answers(choose={"move": [(at(9.0, 8),), ()], "meanwhile": "Operate Hatch"})
    game = table.play(acting("a", move), answers)
    assert game.state.terrain["w1"] == "open"
