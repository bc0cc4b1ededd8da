"""Gravel Jackals: every ability and ploy, and the case just outside it."""

from __future__ import annotations

from typing import Any

import pytest
from engine_help import Answers, Field, acting, at, melee, ranged
from team_help import action, does, field, in_force, offered, rule, who

from ktsim.rules.engine.action import refuses
from ktsim.rules.engine.activation import activation
from ktsim.rules.engine.state import Activation
from ktsim.rules.kt24.fight import Fight
from ktsim.rules.kt24.moves import Charge, FallBack
from ktsim.rules.kt24.shoot import Shoot


def brawl(*rules: Any, cp: int = 3, wounds: int = 10) -> Field:
    return (
        field(*rules, cp=cp)
        .add("a", "red", (3, 5), melee(atk=2), wounds=wounds)
        .add("b", "blue", (5, 5), melee(atk=2), wounds=wounds)
    )


def test_pack_hunters_balanced_against_the_hunted() -> None:
    made = brawl(rule("pack-hunters"), cp=0).add("c", "red", (5, 9))
    a, b, c = (made.state.operatives[id] for id in "abc")
    assert not made.battle().weapon_rules(c, melee(), b)
    game = made.act("a", Fight(), dice=[(1, 1), (1, 1)])
    assert [r.text for r in game.battle.weapon_rules(who(game, "c"), melee(), who(game, "b"))] == ["Balanced"]
    assert not game.battle.weapon_rules(who(game, "c"), ranged(), who(game, "b"))
    assert not game.battle.weapon_rules(who(game, "b"), melee(), who(game, "a")), "not the other way round"
    assert (a.side, b.side, c.side) == ("red", "blue", "red")


@pytest.mark.parametrize(("x", "is_refused"), [(10.0, False), (10.1, True)])
def test_rally_howl(x: float, is_refused: bool) -> None:
    made = field(rule("rally-howl")).add("a", "red", (3, 5)).add("b", "red", (x, 5))
    battle = made.battle()
    assert (refuses(battle, battle.state.operatives["a"], action(battle, "a", "Rally Howl")) is not None) == is_refused
    if not is_refused:
        game = does(made, "a", "Rally Howl", choose={"move": (at(13, 5),)})
        assert who(game, "b").x == 13000


def test_rally_howl_not_for_somebody_in_control_range() -> None:
    battle = (
        field(rule("rally-howl")).add("a", "red", (3, 5)).add("b", "red", (8, 5)).add("e", "blue", (10, 5)).battle()
    )
    why = refuses(battle, battle.state.operatives["a"], action(battle, "a", "Rally Howl"))
    assert why == "Rally Howl: nobody to choose."


def test_a_free_dash_given_up_is_cancelled() -> None:
    made = field(rule("rally-howl")).add("a", "red", (3, 5)).add("b", "red", (8, 5))
    game = does(made, "a", "Rally Howl", choose={"move": [()]})
    assert who(game, "b").x == 8000
    assert game.state.activation is not None
    assert game.state.activation.ap_spent == 1, "the howl was performed"


def test_corrode_worsens_the_save_once_until_the_end_of_the_turning_point() -> None:
    made = field(rule("corrode")).add("a", "red", (3, 5)).add("b", "blue", (9, 5), save=4).add("c", "blue", (12, 5))
    game = does(made, "a", "Corrode")
    assert game.battle.save(who(game, "b")).value == 5
    assert game.battle.save(who(game, "c")).value == 4, 'more than 6" away'
    assert refuses(game.battle, who(game, "a"), action(game.battle, "a", "Corrode")) == "Corrode: nobody to choose."


@pytest.mark.parametrize(("card", "cost"), [("b", 3), ("other", 2)])
def test_clinging(card: str, cost: int) -> None:
    battle = brawl(rule("clinging", "blue", card)).battle()
    assert battle.ap_cost(battle.state.operatives["a"], FallBack()) == cost
    assert battle.ap_cost(battle.state.operatives["b"], FallBack()) == 2, "not its own side"


@pytest.mark.parametrize(("card", "move", "hit"), [("a", 6, 4), ("other", 4, 5)])
def test_unbroken(card: str, move: int, hit: int) -> None:
    made = brawl(rule("unbroken", "red", card))
    a = made.state.operatives["a"]
    a.wounds = 4
    battle = made.battle()
    assert (battle.move(a).value, battle.hit(a, melee()).value) == (move, hit)
    a.wounds = 5
    assert (battle.move(a).value, battle.hit(a, melee()).value) == (6, 4), "not injured: nothing to change"


@pytest.mark.parametrize(("wounds", "is_offered"), [(9, True), (10, False)])
def test_scent_of_blood_needs_a_wounded_enemy(wounds: int, is_offered: bool) -> None:
    made = field(rule("scent-of-blood")).add("a", "red", (3, 5)).add("b", "blue", (20, 5))
    made.state.operatives["b"].wounds = wounds
    choose: dict[str, Any] = {"order": "engage", "action": ["Reposition", "pass"], "move": (at(11, 5),)}
    if is_offered:
        choose["ploy"] = "scent-of-blood#0"
    else:
        choose["move"] = (at(9, 5),)
    answers = Answers(choose=choose)
    game = made.play(lambda battle: activation(battle, battle.state.operatives["a"]), answers)
    [walk] = [d for d in answers.asked if d.topic == "move"]
    assert walk.allowance == (8 if is_offered else 6)  # type: ignore[attr-defined]
    assert game.battle.move(who(game, "a")).value == 6, "it ends with the activation"


def test_snap_back_resolves_first() -> None:
    made = brawl(rule("snap-back", "blue"), cp=1)
    answers = Answers(
        [(4, 1), (4, 1)], {"ploy": "snap-back#0", "reroll": ["keep"], "resolve": ["strike n", "strike n"]}
    )
    made.play(acting("a", Fight()), answers)
    assert [d.seat for d in answers.asked if d.topic == "resolve"] == ["blue", "red"]


def test_snap_back_only_when_retaliating() -> None:
    made = brawl(rule("snap-back", "red"), cp=1)
    answers = Answers([(1, 1), (1, 1)], {"reroll": ["keep"] * 2})
    assert offered(made, acting("a", Fight()), answers) == []
    made = field(rule("snap-back", "blue"), cp=0).add("a", "red", (3, 5), melee(atk=2))
    made.state.cp = {"red": 0, "blue": 1}
    made.add("b", "blue", (5, 5), ranged())
    assert offered(made, acting("a", Fight()), Answers([(1, 1)])) == [], "without a weapon it resolves nothing"


@pytest.mark.parametrize(("wounds", "is_offered"), [(4, True), (3, False)])
@pytest.mark.parametrize("side", ["red", "blue"])
def test_worry_the_wound_if_both_live(wounds: int, is_offered: bool, side: Any) -> None:
    made = field(rule("worry-the-wound", side), cp=0).add("a", "red", (3, 5), melee(atk=1))
    made.add("b", "blue", (5, 5), melee(atk=1), wounds=wounds)
    made.state.cp[side] = 1
    choose: dict[str, Any] = {"resolve": "strike n", "reroll": ["keep"]}
    if is_offered:
        choose["ploy"] = "worry-the-wound#0"
    game = made.play(acting("a", Fight()), Answers([(4,), (1,)], choose))
    enemy = who(game, "b" if side == "red" else "a")
    assert enemy.wounds == {("red", True): 0, ("blue", True): 8}.get((side, is_offered), enemy.wounds)
    assert who(game, "b").is_removed == (not is_offered or side == "red")


@pytest.mark.parametrize(("x", "is_offered"), [(18.0, True), (18.1, False)])
def test_scatter(x: float, is_offered: bool) -> None:
    made = (
        field(rule("scatter", "blue"), cp=0).add("a", "red", (3, 5)).add("b", "blue", (14, 5)).add("c", "blue", (x, 5))
    )
    made.state.cp["blue"] = 1
    choose: dict[str, Any] = {"target": "b"}
    choose |= {"ploy": "scatter#0", "move": (at(20, 5),)} if is_offered else {"reroll": "keep"}
    game = made.play(acting("a", Shoot()), Answers([(1, 1, 1, 1), (1, 1, 1)], choose))
    assert who(game, "c").x == (20000 if is_offered else 18100)


# -- strategy ploys ----------------------------------------------------------------------------------


def test_circling_pack_adds_to_move() -> None:
    battle = in_force(brawl(rule("circling-pack")), "circling-pack").battle()
    assert [battle.move(battle.state.operatives[id]).value for id in "ab"] == [7, 6]


@pytest.mark.parametrize(("wounds", "rules"), [(9, ["Rending"]), (10, [])])
def test_taste_of_rust_against_the_wounded(wounds: int, rules: list[str]) -> None:
    battle = in_force(brawl(rule("taste-of-rust")), "taste-of-rust").battle()
    a, b = (battle.state.operatives[id] for id in "ab")
    b.wounds = wounds
    assert [r.text for r in battle.weapon_rules(a, melee(), b)] == rules


def test_downwind_silent() -> None:
    battle = in_force(brawl(rule("downwind")), "downwind").battle()
    a = battle.state.operatives["a"]
    assert [r.text for r in battle.weapon_rules(a, ranged())] == ["Silent"]
    assert not battle.weapon_rules(a, melee())


def test_go_for_the_throat_after_a_charge_only() -> None:
    made = in_force(field(rule("go-for-the-throat")), "go-for-the-throat").add("a", "red", (3, 5))
    made.add("b", "blue", (9, 5))
    a, b = (made.state.operatives[id] for id in "ab")
    made.state.activation = Activation("a", "activation", 2)
    assert not made.battle().weapon_rules(a, melee(), b)
    made.state.activation = None
    game = made.act("a", Charge(), choose={"move": (at(7.5, 5),)})
    a, b = (who(game, id) for id in "ab")
    assert [r.text for r in game.battle.weapon_rules(a, melee(), b)] == ["Lethal 5+", "Balanced"]
    assert not game.battle.weapon_rules(a, ranged(), b)
