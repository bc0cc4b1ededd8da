"""Lantern Wardens: every ability and ploy, and the case just outside it."""

from __future__ import annotations

from typing import Any

import pytest
from engine_help import Answers, acting, at, melee, ranged
from team_help import action, does, field, objective, offered, rule, who

from ktsim.rules.engine.action import refuses
from ktsim.rules.engine.attack import Attack
from ktsim.rules.engine.operative_events import ActivationBegan
from ktsim.rules.engine.rule import Rule
from ktsim.rules.engine.values import Reasoned
from ktsim.rules.kt24.moves import Dash, Reposition
from ktsim.rules.kt24.shoot import Shoot
from ktsim.rules.kt24.turn import counteract


@pytest.mark.parametrize(("x", "times"), [(14.0, 1), (17.0, 0)])
def test_watch_fires_rerolls_one_defence_die_on_an_objective(x: float, times: int) -> None:
    made = objective(field(rule("watch-fires", "blue"), cp=0).add("a", "red", (3, 5)).add("b", "blue", (14, 5)), (x, 5))
    dice = [(3, 3, 1, 1), (1, 1, 1)] + [(6,)] * times
    choose = {"reroll": ["Watch Fires 1"] * times}
    game = made.play(acting("a", Shoot()), Answers(dice, choose))
    assert who(game, "b").wounds == (7 if times else 4)


def test_signal_adds_one_apl_until_the_end_of_the_next_activation() -> None:
    made = field(rule("signal", "red", "a")).add("a", "red", (3, 5)).add("b", "red", (9, 5)).add("c", "red", (15, 15))
    battle = made.battle()
    assert [action.name for action in battle.actions(made.state.operatives["a"])][-1] == "Signal"
    assert "Signal" not in [action.name for action in battle.actions(made.state.operatives["b"])], "not on its datacard"
    game = does(made, "a", "Signal")
    assert game.battle.apl(who(game, "b")).value == 3
    assert game.battle.apl(who(game, "c")).value == 2, 'more than 6" away'
    assert refuses(game.battle, who(game, "a"), action(game.battle, "a", "Signal")) == "Signal: nobody to choose."


@pytest.mark.parametrize(("x", "is_refused"), [(10.0, False), (10.1, True)])
def test_signal_reaches_six_inches_and_comms_add_to_it(x: float, is_refused: bool) -> None:
    battle = field(rule("signal", "red", "a")).add("a", "red", (3, 5)).add("b", "red", (x, 5)).battle()
    a = battle.state.operatives["a"]
    assert (refuses(battle, a, action(battle, "a", "Signal")) is not None) == is_refused

    class Comms(Rule):
        def support_distance(self, battle: object, who: Any, inches: float) -> float:
            return inches + 3 if who.id == "a" else inches

    farther = field(rule("signal", "red", "a"), [Comms()]).add("a", "red", (3, 5)).add("b", "red", (x, 5)).battle()
    assert refuses(farther, farther.state.operatives["a"], action(farther, "a", "Signal")) is None
    assert farther.support_distance(farther.state.operatives["b"], 6.0) == 6.0


def test_unique_actions_not_within_an_enemys_control_range() -> None:
    battle = field(rule("signal")).add("a", "red", (3, 5)).add("b", "red", (9, 5)).add("e", "blue", (5, 5)).battle()
    why = refuses(battle, battle.state.operatives["a"], action(battle, "a", "Signal"))
    assert why == "Signal: not while within E's control range: Fight or Fall Back."


@pytest.mark.parametrize(("target", "rules"), [("b", ["Saturate"]), ("c", [])])
def test_light_up_makes_ranged_weapons_saturate_against_one(target: str, rules: list[str]) -> None:
    made = field(rule("light-up")).add("a", "red", (3, 5), ranged(), melee()).add("b", "blue", (9, 5))
    made.add("c", "blue", (20, 5))
    game = does(made, "a", "Light Up")
    a, enemy = who(game, "a"), who(game, target)
    assert [r.text for r in game.battle.weapon_rules(a, ranged(), enemy)] == rules
    assert [r.text for r in game.battle.weapon_rules(a, melee(), enemy)] == []
    assert [r.text for r in game.battle.weapon_rules(enemy, ranged(), a)] == []


def test_what_a_weapon_has_against_its_target_works_in_the_sequence() -> None:
    made = field(rule("light-up"), cp=0).add("a", "red", (3, 5)).add("b", "blue", (9, 5))
    made.table.rulings[("a", "b")] = {"in_cover": True}
    game = does(made, "a", "Light Up", Shoot(), dice=[(3, 3, 1, 1), (1, 1, 1)])
    assert who(game, "b").wounds == 4, "no cover save: all three dice were rolled"


@pytest.mark.parametrize(("x", "most"), [(15.9, "2"), (16.6, "1")])
def test_behind_the_shield_one_more_cover_save(x: float, most: str) -> None:
    made = field(rule("behind-the-shield", "blue", "s"), cp=0).add("a", "red", (3, 5)).add("b", "blue", (14, 5))
    made.add("s", "blue", (x, 5))
    made.table.rulings[("a", "b")] = {"in_cover": True}
    answers = Answers([(3, 3, 1, 1), (1,) * (3 - int(most))], {"target": "b", "cover": most})
    made.play(acting("a", Shoot()), answers)
    [asked] = [d for d in answers.asked if d.topic == "cover"]
    assert asked.options[0].key == most  # type: ignore[attr-defined]


def test_patient_until_it_moves() -> None:
    made = field(rule("patient", "red", "a")).add("a", "red", (3, 5)).add("b", "red", (3, 9))
    battle = made.battle()
    a, b = made.state.operatives["a"], made.state.operatives["b"]
    assert [r.text for r in battle.weapon_rules(a, ranged())] == ["Balanced"]
    assert not battle.weapon_rules(a, melee())
    assert not battle.weapon_rules(b, ranged()), "another datacard"
    game = made.act("a", Dash(), choose={"move": (at(4, 5),)})
    assert not game.battle.weapon_rules(who(game, "a"), ranged())


@pytest.mark.parametrize(("used", "x", "is_guarded"), [(True, 17.0, True), (True, 18.1, False), (False, 17.0, False)])
def test_stand_together(used: bool, x: float, is_guarded: bool) -> None:
    ploy = rule("stand-together", "blue")
    made = field(ploy).add("a", "red", (3, 5)).add("b", "blue", (14, 5)).add("c", "blue", (x, 5))
    made.state.ploys_used = ["blue:stand-together"] if used else ["red:stand-together"]
    battle = made.battle()
    a, b = battle.state.operatives["a"], battle.state.operatives["b"]
    attack = Attack(a, ranged(), (), Reasoned.of(3), b)
    found = [guard for each in battle.having("guards") for guard in each.guards(battle, attack)]
    assert bool(found) == is_guarded


@pytest.mark.rule("KT24-REROLL")
def test_two_rules_that_re_roll_one_defence_die_re_roll_two() -> None:
    made = field(rule("watch-fires", "blue"), rule("stand-together", "blue"), cp=0)
    objective(made.add("a", "red", (3, 5)).add("b", "blue", (14, 5)).add("c", "blue", (14, 7)), (14, 5))
    made.state.ploys_used = ["blue:stand-together"]
    answers = Answers(
        [(3, 3, 1, 1), (1, 1, 1), (6,), (6,)],
        {"target": "b", "reroll": ["Watch Fires 1", "Stand Together 1"]},
    )
    game = made.play(acting("a", Shoot()), answers)
    assert who(game, "b").wounds == 10
    assert [d.topic for d in answers.asked].count("reroll") == 2, "nothing is left to re-roll with"


@pytest.mark.parametrize(("x", "is_offered"), [(9.0, True), (10.2, False)])
def test_blinding_flash_within_six_inches(x: float, is_offered: bool) -> None:
    made = field(rule("blinding-flash", "blue")).add("a", "red", (3, 5), ranged("Ceaseless", "Balanced"))
    made.add("b", "blue", (x, 5))
    answers = Answers([(1, 1, 1, 1), (1, 1, 1)], {"ploy": "blinding-flash#0"} if is_offered else {"reroll": "keep"})
    game = made.play(acting("a", Shoot()), answers)
    asked = [d for d in answers.asked if d.topic == "reroll" and d.seat == "red"]
    assert bool(asked) != is_offered, "no re-roll of any kind"
    assert game.state.cp == {"red": 3, "blue": 2 if is_offered else 3}


@pytest.mark.parametrize(
    ("objective_at", "friend_at", "is_offered"), [(15.0, 18.0, True), (19.0, 18.0, False), (15.0, 21.2, False)]
)
def test_keep_the_flame(objective_at: float, friend_at: float, is_offered: bool) -> None:
    made = field(rule("keep-the-flame", "blue"), cp=1).add("a", "red", (3, 5)).add("b", "blue", (14, 5), wounds=3)
    made.add("c", "blue", (friend_at, 5))
    objective(made, (objective_at, 5))
    choose = {"target": "b", "reroll": ["keep"] * 2}
    if is_offered:
        choose |= {"ploy": "keep-the-flame#0", "move": (at(16, 5),)}
    game = made.play(acting("a", Shoot()), Answers([(3, 3, 1, 1), (1, 1, 1)], choose))
    assert who(game, "c").x == (16000 if is_offered else round(1000 * friend_at))
    assert who(game, "b").is_removed


@pytest.mark.parametrize("order", ["engage", "conceal"])
def test_shutter_after_shooting(order: str) -> None:
    made = field(rule("shutter")).add("a", "red", (3, 5), ranged("Silent"), order=order).add("b", "blue", (14, 5))
    is_offered = order == "engage"
    answers = Answers([(1, 1, 1, 1), (1, 1, 1)], {"ploy": "shutter#0"} if is_offered else {})
    game = made.play(acting("a", Shoot()), answers)
    assert who(game, "a").order == "conceal"
    assert ("ploy" in answers.topics) == is_offered


def test_a_firefight_ploy_once_per_turning_point_and_only_with_cp() -> None:
    for used, cp in ((["red:shutter"], 3), ([], 0)):
        made = field(rule("shutter"), cp=cp).add("a", "red", (3, 5)).add("b", "blue", (14, 5))
        made.state.ploys_used = used
        assert offered(made, acting("a", Shoot()), Answers([(1, 1, 1, 1), (1, 1, 1)])) == []
    made = field(rule("shutter")).add("a", "red", (3, 5)).add("b", "blue", (14, 5))
    answers = Answers([(1, 1, 1, 1), (1, 1, 1)])
    assert offered(made, acting("a", Shoot()), answers) == ["shutter"]
    assert made.state.cp["red"] == 3, "declined by default, so nothing was paid"


@pytest.mark.parametrize(("ploy", "allowance"), [("call-and-answer#0", 3), ("no", 2)])
def test_call_and_answer(ploy: str, allowance: int) -> None:
    made = field(rule("call-and-answer")).add("a", "red", (3, 5), is_ready=False).add("b", "blue", (14, 5))
    path = (at(3 + allowance, 5),)
    choose = {"counteract": "a", "ploy": ploy, "action": "Reposition", "move": path}
    answers = Answers(choose=choose)
    game = made.play(lambda battle: counteract(battle, "red"), answers)
    [asked] = [d for d in answers.asked if d.topic == "move"]
    assert asked.allowance == allowance  # type: ignore[attr-defined]
    assert not game.state.effects, "it ends with the counteraction"
    events = [event for event in game.events if isinstance(event, ActivationBegan)]
    assert len(events) == 1


def test_no_counteract_bonus_outside_a_counteraction() -> None:
    made = field(rule("call-and-answer")).add("a", "red", (3, 5)).add("b", "blue", (14, 5))
    assert offered(made, acting("a", Reposition()), Answers(choose={"move": (at(4, 5),)})) == []
