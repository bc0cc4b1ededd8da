"""Team rules that are used or happen, each with the case just outside it."""

from __future__ import annotations

from typing import Any

import pytest
from engine_help import Answers, Field, acting, at, melee, ranged
from language_help import activating, gambit, ground, keyword, refused_gambit
from team_help import objective, who

from ktsim.rules.engine.action import refuses, refuses_to_repeat
from ktsim.rules.engine.activation import action_options, perform, remove_incapacitated
from ktsim.rules.engine.battle import Battle
from ktsim.rules.engine.decisions import Steps
from ktsim.rules.engine.events import EffectsEnded, PloyUsed, Readied
from ktsim.rules.engine.operative_events import ActivationBegan, ActivationEnded, Wounded
from ktsim.rules.engine.shoot.targets import rule_on
from ktsim.rules.engine.state import Effect
from ktsim.rules.kt24.fight import Fight
from ktsim.rules.kt24.moves import Charge, Dash, FallBack, Reposition
from ktsim.rules.kt24.shoot import Shoot
from ktsim.rules.kt24.turn import counteract, counteractors


def pair(*written: str, x: float = 10, **more: Any) -> Field:
    """A and B of red, C of blue."""
    made = ground(*written, **more).add("a", "red", (3, 5), ranged(), melee())
    return made.add("b", "red", (6, 5), ranged(), melee()).add("c", "blue", (x, 5), ranged(), melee())


def does(made: Field, name: str, id: str = "a", **choose: Any) -> Any:
    """An operative performs one of its unique actions."""
    dice = choose.pop("dice", ())

    def procedure(battle: Battle) -> Steps[None]:
        one = battle.state.operatives[id]
        yield ActivationBegan(id, "activation", one.order, 2)
        action = next(each for each in battle.actions(one) if each.name == name)
        yield from perform(battle, one, action, action.ap)

    return made.play(procedure, Answers(dice, choose))


def refusal(made: Field, name: str, id: str = "a") -> str | None:
    battle = made.game(acting(id)).battle
    one = battle.state.operatives[id]
    return refuses(battle, one, next(each for each in battle.actions(one) if each.name == name))


# -- actions -----------------------------------------------------------------------------------------

COMMS = "of: a, name: Comms, action: 1AP, if: [{not: [control-range]}], do: [{pick: friend, other: true, "
COMMS += "within: 6, of: self}, "
COMMS += "{stat: apl, by: 1, who: picked, until: next-activation-end}]"


def test_an_action_that_gives_apl_until_the_end_of_the_next_activation() -> None:
    game = does(pair(COMMS), "Comms")
    assert game.battle.apl(who(game, "b")).value == 3
    assert game.battle.apl(who(game, "a")).value == 2
    ActivationEnded("a").apply(game.state)
    assert game.battle.apl(who(game, "b")).value == 3
    ActivationBegan("b", "activation", "engage", 3).apply(game.state)
    ActivationEnded("b").apply(game.state)
    assert game.battle.apl(who(game, "b")).value == 2


def test_an_action_says_why_it_is_refused() -> None:
    assert refusal(pair(COMMS), "Comms") is None
    assert refusal(pair(COMMS, x=4.5), "Comms") == "Comms: not while within C's control range: Fight or Fall Back."
    far = pair(COMMS)
    far.state.operatives["b"].x = 10100
    assert refusal(far, "Comms") == "Comms: nobody to choose."
    assert all(action.name != "Comms" for action in pair(COMMS).battle().actions(pair(COMMS).state.operatives["b"]))


@pytest.mark.parametrize(
    ("says", "dice", "wounds"),
    [
        ("{heal: D3, who: picked}", [(4,)], 6),
        ("{heal: 2D3, who: picked}", [(6, 6)], 10),
        ("{heal: D3+1, who: picked}", [(1,)], 6),
        ("{heal: 2, who: picked}", [], 6),
        ("{damage: 2, who: picked}", [], 2),
        ("{damage: D6, who: picked}", [(3,)], 1),
        ("{roll: D6, at: '>=4', do: [{heal: 1, who: picked}], else: [{damage: 1, who: picked}]}", [(4,)], 5),
        ("{roll: D6, at: '>=4', do: [{heal: 1, who: picked}], else: [{damage: 1, who: picked}]}", [(3,)], 3),
    ],
)
def test_wounds_regained_and_lost(says: str, dice: Any, wounds: int) -> None:
    made = pair(f"of: a, name: Do, action: 1AP, do: [{{pick: friend, other: true}}, {says}]")
    made.state.operatives["b"].wounds = 4
    assert who(does(made, "Do", dice=dice), "b").wounds == wounds


def test_an_action_twice_in_an_activation_and_once_in_a_battle() -> None:
    twice = pair("of: a, name: Do, action: 0AP, limit: once per battle, do: [{cp: 1}]")
    game = does(twice, "Do")
    assert game.state.cp["red"] == 1
    twice.state.effects = list(game.state.effects)
    assert refusal(twice, "Do") == "Do: used already."


def test_what_lasts_until_the_action_is_performed_again() -> None:
    says = "of: a, name: Mark, action: 1AP, do: [{pick: enemy}, {token: Ink, who: picked, "
    says += "until: [own-next-activation, performed-again]}], then: [{on: shooting, who: friend, "
    says += "foe: {is: enemy, that: [{token: Ink}]}, do: [{grant: [Saturate]}]}]"
    made = pair(says).add("d", "blue", (10, 9))
    game = does(made, "Mark", operative="c")

    def marked() -> list[str]:
        battle, b = game.battle, who(game, "b")
        return [id for id in ("c", "d") if battle.weapon_rules(b, ranged(), who(game, id))]

    assert marked() == ["c"]
    made.state.effects = list(game.state.effects)
    game = does(made, "Mark", operative="d")
    assert marked() == ["d"]
    ActivationEnded("a").apply(game.state)
    ActivationBegan("a", "activation", "engage", 2).apply(game.state)
    assert marked() == []


def test_an_option_is_chosen() -> None:
    says = "of: a, name: Tune, action: 1AP, do: [{options: [{then: [{on: always, do: [{stat: move, by: 1}]}]}, "
    says += "{then: [{on: always, do: [{stat: save, by: 1}]}]}], names: [Fast, Hard], until: own-next-activation}]"
    game = does(pair(says), "Tune", **{"team option": "1"})
    one = who(game, "a")
    assert (game.battle.move(one).value, game.battle.save(one).value) == (6, 3)
    assert game.battle.save(who(game, "b")).value == 4


def test_a_marker_with_a_reach() -> None:
    says = "of: a, name: Beacon, action: 1AP, do: [{marker: Beacon, of: self, visible: true, "
    says += "until: own-next-activation}], "
    says += "then: [{on: always, who: enemy, if: [{within: 4, marker: Beacon}], do: [{stat: move, by: -1}]}]"
    for place, move in ((at(7, 5), 5), (at(4.9, 5), 6)):
        game = does(pair(says), "Beacon", **{"team marker": place})
        assert game.battle.move(who(game, "c")).value == move
    activated = activating("a")(game.battle)
    events = [next(activated)]
    assert events, "the activation asks for an order"
    ActivationBegan("a", "activation", "engage", 2).apply(game.state)
    assert game.battle.move(who(game, "c")).value == 6


def test_free_actions_of_others() -> None:
    says = (
        "of: a, name: Go, action: 1AP, do: [{pick: friend, other: true}, {free-action: [Dash], who: picked, most: 2}]"
    )
    game = does(pair(says), "Go", **{"free action": "Dash", "move": (at(6, 7),)})
    assert who(game, "b").y == 7000
    with pytest.raises(ValueError, match="2"):
        does(pair(says), "Go", **{"free action": "Dash", "move": (at(6, 7.5),)})


def test_two_that_let_each_other_act() -> None:
    """Whoever may act for free may have an action that lets the first one act: that is asked once, not for ever."""
    go = "name: Go, action: 1AP, do: [{pick: friend, other: true}, {free-action: [%s], who: picked}]"
    made = pair("of: a, " + go % "1AP", "of: b, " + go % "1AP")
    assert [refusal(made, "Go", id) for id in ("a", "b")] == [None, None]
    made = pair("of: a, " + go % "Go", "of: b, " + go % "Go")
    assert refusal(made, "Go", "a") == "Go: nobody to choose."


def test_an_order_is_changed() -> None:
    game = does(pair("of: a, name: Hide, action: 1AP, do: [{order: conceal, who: self}]"), "Hide")
    assert who(game, "a").order == "conceal"


# -- ploys -------------------------------------------------------------------------------------------

STRATEGY = (
    "name: Dig In, ploy: strategy, cost: 1, on: always, who: friend, do: [{stat: save, by: 1}], until: turning-point"
)


@pytest.mark.rule("KT24-GAMBIT")
def test_a_strategy_ploy_lasts_for_the_turning_point() -> None:
    game = gambit(pair(STRATEGY, cp=1), "dig-in")
    assert (game.battle.save(who(game, "a")).value, game.battle.save(who(game, "c")).value) == (3, 4)
    assert game.state.cp["red"] == 0
    assert [(event.name, event.cost) for event in game.events if isinstance(event, PloyUsed)] == [("Dig In", 1)]
    made = pair(STRATEGY, cp=1)
    made.state.ploys_used = ["red:dig-in"]
    assert refused_gambit(made, "dig-in") == "Dig In: already used in this turning point."
    assert refused_gambit(pair(STRATEGY), "dig-in") == "Dig In: costs 1CP, 0CP left."


def test_a_strategy_ploy_about_one_enemy() -> None:
    says = "name: Prey, ploy: strategy, cost: 1, on: used, who: friend, do: [{pick: enemy}], until: turning-point, "
    says += "then: [{on: [shooting, fighting, retaliating], who: friend, foe: picked, do: [{grant: [Ceaseless]}]}]"
    game = gambit(pair(says, cp=1).add("d", "blue", (10, 9)), "prey", operative="d")
    rules = [game.battle.weapon_rules(who(game, "a"), ranged(), who(game, id)) for id in ("c", "d")]
    assert [bool(each) for each in rules] == [False, True]
    EffectsEnded().apply(game.state)
    assert not game.battle.weapon_rules(who(game, "a"), ranged(), who(game, "d"))


def test_a_gambit_of_a_datacard_once_in_a_turning_point() -> None:
    made = pair("of: a, name: Plan, on: gambit, if: [{turning-point: '=1'}], do: [{cp: 1}]")
    game = gambit(made, "plan#0 a")
    assert game.state.cp["red"] == 1
    made.state.effects = list(game.state.effects)
    assert refused_gambit(made, "plan#0 a") == "Plan: used already."
    made = pair("of: a, name: Plan, on: gambit, if: [{turning-point: '=1'}], do: [{cp: 1}]")
    made.state.turning_point = 2
    assert refused_gambit(made, "plan#0 a") == "Plan: its conditions do not hold."


def test_a_ploy_that_costs_less() -> None:
    says = "of: a, name: Thrift, on: always, if: [on-board], do: [{ploy-cost: [Dig In], cp: 0}]"
    assert refused_gambit(pair(STRATEGY, says), "dig-in") is None
    made = pair(STRATEGY, says)
    made.state.operatives["a"].is_removed = True
    assert refused_gambit(made, "dig-in") == "Dig In: costs 1CP, 0CP left."


def test_a_firefight_ploy_as_an_operative_is_activated() -> None:
    says = "name: Rouse, ploy: firefight, cost: 1, on: activated, who: {is: friend, keyword: [clerk]}, "
    says += "do: [{stat: apl, by: 1}], until: activation"
    made = keyword(pair(says, cp=1), "a", "clerk")
    answers = Answers(choose={"ploy": "rouse#0", "action": "pass"})
    game = made.play(activating("a"), answers)
    assert game.state.cp["red"] == 0
    assert game.battle.apl(who(game, "a")).value == 2, "it is over"
    assert any("APL 3" in each.prompt or "3AP left" in each.prompt for each in answers.asked)
    answers = Answers(choose={"action": "pass"})
    made = keyword(pair(says, cp=1), "a", "porter")
    made.play(activating("a"), answers)
    assert "ploy" not in answers.topics


def test_a_firefight_ploy_between_actions() -> None:
    says = "name: Slip, ploy: firefight, cost: 1, on: activation, who: friend, "
    says += "do: [{ap-cost: -1, actions: [Fall Back]}], until: activation"
    made = pair(says, cp=1, x=4.5)
    battle = made.game(acting("a")).battle
    options = action_options(battle, battle.state.operatives["a"])
    assert options["Fall Back"][0].text == "Fall Back (2AP)"
    assert options["Slip (1CP)"][0].refusal is None

    made = pair(says, cp=1, x=4.5)
    answers = Answers(choose={"action": ["Slip (1CP)", "pass"]})
    game = made.play(activating("a"), answers)
    asked = [each for each in answers.asked if each.topic == "action"]
    second = {option.key: option for option in asked[1].options}  # type: ignore[attr-defined]
    assert second["Fall Back"].text == "Fall Back (1AP)"
    assert "Slip (1CP)" not in second, "used once"
    assert (game.state.cp["red"], game.state.activation) == (0, None)


def test_somebody_else_is_shot_instead() -> None:
    says = "name: Shield, ploy: firefight, cost: 1, on: targeted, who: friend, "
    says += "do: [{pick: friend, other: true, within: 3, of: who}, {redirect: true, who: picked}]"
    made = pair(says, cp=1)
    answers = Answers([(3, 1, 1, 1), (1, 1, 1)], {"target": "a", "ploy": "shield#0", "reroll": "keep"})
    game = made.play(acting("c", Shoot()), answers)
    assert (who(game, "a").wounds, who(game, "b").wounds) == (10, 7)


def test_dice_are_rerolled_by_a_ploy_once_they_lie_there() -> None:
    says = "name: Again, ploy: firefight, cost: 1, on: {rolled: attack, by: who}, who: friend, may: true, "
    says += "do: [{reroll: attack, dice: any}]"
    made = ground(says, cp=1).add("a", "red", (3, 5), ranged()).add("c", "blue", (10, 5))
    choose = {"ploy": "again#0", "reroll": ["keep", "Again 1", "Again 1", "keep", "keep"]}
    game = made.play(acting("a", Shoot()), Answers([(1, 1, 3, 3), (3,), (3,), (1, 1, 1)], choose))
    assert (who(game, "c").wounds, game.state.cp["red"]) == (0, 0)


# -- moments -----------------------------------------------------------------------------------------


def test_after_an_action() -> None:
    says = "of: a, name: Ram, on: done(Charge), may: true, do: [{pick: enemy, that: [{control-range: who}]}, "
    says += "{damage: 2, who: picked}]"
    made = pair(says, x=7)
    made.state.operatives["b"].y = 12000
    game = made.act("a", Charge(), choose={"move": (at(5.5, 5),), "ploy": "ram#0 a"})
    assert who(game, "c").wounds == 8
    game = pair(says, x=12).act("a", Dash(), choose={"move": (at(4, 5),)})
    assert who(game, "c").wounds == 10


def test_an_enemy_that_falls_back() -> None:
    says = (
        "of: a, name: Snag, on: doing(Fall Back), who: enemy, if: [{control-range: self}], may: true, do: [{damage: 2}]"
    )
    made = pair(says, x=4.5)
    game = made.act("c", FallBack(), choose={"move": (at(4.5, 8),), "ploy": "snag#0 a"})
    assert who(game, "c").wounds == 8
    made = pair(says, x=7.5)
    game = made.act("c", FallBack(), choose={"move": (at(7.5, 8),)})
    assert who(game, "c").wounds == 10, "it is B that it falls back from"


def test_who_kills_regains_wounds() -> None:
    says = (
        "of: a, name: Feast, on: incapacitates, if: [{did: [fighting, retaliating], during: sequence}], do: [{heal: 2}]"
    )
    made = pair(says, x=4.5)
    made.state.operatives["a"].wounds, made.state.operatives["c"].wounds = 5, 1
    game = made.act("a", Fight(), dice=[(4, 1, 1, 1), (1, 1, 1, 1)], choose={"resolve": "strike n"})
    assert who(game, "a").wounds == 7
    made = pair(says)
    made.state.operatives["a"].wounds, made.state.operatives["c"].wounds = 5, 1
    game = made.act("a", Shoot(), dice=[(3, 1, 1, 1), (1, 1, 1)])
    assert who(game, "a").wounds == 5, "not by shooting"


MEDIC = "of: b, name: Medic, on: dying, who: {is: friend, other: true}, if: [{within: 3, of: self}, "
MEDIC += "{first-time: turning-point}, "
MEDIC += (
    "{not: [control-range]}], may: true, do: [{survive: 1}, {stat: apl, by: -1, who: self, until: next-activation-end}]"
)


def test_somebody_is_not_incapacitated_after_all() -> None:
    def falls(battle: Battle) -> Steps[None]:
        yield Wounded("a", 20, "a test", "c")
        yield from remove_incapacitated(battle)

    made = pair(MEDIC)
    game = made.play(falls, Answers(choose={"team option": "yes"}))
    assert (who(game, "a").wounds, who(game, "a").is_removed) == (1, False)
    assert game.battle.apl(who(game, "b")).value == 1
    made.state.effects = list(game.state.effects)
    assert who(made.play(falls), "a").is_removed, "the first time only"
    made = pair(MEDIC)
    made.state.operatives["b"].x = 7100
    assert who(made.play(falls), "a").is_removed


def test_a_fight_goes_on_with_who_was_saved() -> None:
    says = MEDIC.replace(", {not: [control-range]}", "")
    made = pair(says, x=4.5)
    made.state.operatives["a"].wounds = 3
    made.state.operatives["b"].x, made.state.operatives["b"].y = 3000, 8000
    choose = {"resolve": ["strike n", "strike n"], "team option": "yes"}
    game = made.act("c", Fight(), dice=[(4, 1, 1, 1), (5, 1, 1, 1)], choose=choose)
    assert (who(game, "a").wounds, who(game, "c").wounds) == (1, 7)


def test_another_one_is_activated_next_and_no_third() -> None:
    says = "name: Herd, on: expended, who: friend, do: [{next-activation: {is: friend, other: true, that: [ready]}}]"
    made = pair(says).add("d", "red", (3, 9))
    answers = Answers(choose={"operative": "b", "action": ["pass", "pass"]})
    game = made.play(activating("a"), answers)
    assert [who(game, id).is_ready for id in ("a", "b", "d")] == [False, False, True]


def test_as_it_is_activated_unless_somebody_is_near() -> None:
    says = "of: a, name: Dim, on: activated, do: [{stat: apl, by: -1, if: [{not: [{within: 5, of: {is: friend, "
    says += "other: true}}]}]}], until: activation"
    for x, left in ((6, "2AP"), (12, "1AP")):
        made = pair(says, x=20)
        made.state.operatives["b"].x = x * 1000
        answers = Answers(choose={"action": "pass"})
        made.play(activating("a"), answers)
        assert left in answers.asked[-1].prompt


def test_what_is_remembered_of_a_turning_point() -> None:
    says = "name: Keep Going, ploy: strategy, cost: 1, on: shot-at, who: {is: friend, that: [{moved: true, "
    says += "during: turning-point}]}, "
    says += "foe: anyone, may: true, do: [{reroll: defence, dice: 1}], until: turning-point"
    made = pair(says, x=20)
    made.state.ploys_used = ["red:keep-going"]
    game = made.act("a", Dash(), choose={"move": (at(4, 5),)})
    assert game.battle.having("action_ends")
    assert [effect.clause for effect in game.state.effects] == ["past:moved"]
    assert made.act("a").state.effects == []


# -- what is allowed ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("says", "action", "why"),
    [
        ("{allow: [Charge], while: [conceal]}", Charge(), None),
        ("{allow: [Charge], while: [control-range]}", Charge(), "Charge: not on a Conceal order."),
        ("{forbid: [Dash]}", Dash(), "Dash: X."),
        ("{forbid: [all], except: [Dash]}", Dash(), None),
        ("{forbid: [all], except: [Dash]}", Reposition(), "Reposition: X."),
    ],
)
def test_what_an_operative_may_do(says: str, action: Any, why: str | None) -> None:
    made = pair(f"of: a, name: X, on: always, do: [{says}]", x=20)
    made.state.operatives["a"].order = "conceal"
    assert refuses(made.battle(), made.state.operatives["a"], action) == why


def test_a_charge_out_of_control_range_is_still_no_charge_after_a_dash() -> None:
    made = pair("of: a, name: X, on: always, do: [{allow: [Charge], while: [control-range]}]", x=4.5)
    assert refuses(made.battle(), made.state.operatives["a"], Charge()) is None
    game = made.game(acting("a"))
    assert game.state.activation is not None
    game.state.activation.actions.append("Dash")
    assert refuses(game.battle, who(game, "a"), Charge()) == "Charge: not after Dash."


@pytest.mark.parametrize(
    ("done", "why"), [(["Shoot"], None), (["Shoot", "Shoot"], True), (["Fight", "Fight", "Shoot"], True)]
)
def test_either_twice(done: list[str], why: Any) -> None:
    made = pair("of: a, name: X, on: always, do: [{allow: [Shoot, Fight], times: 2, either: true}]")
    game = made.game(acting("a"))
    assert game.state.activation is not None
    game.state.activation.actions.extend(done)
    assert (refuses_to_repeat(game.battle, who(game, "a"), Shoot()) is not None) == bool(why)


def test_a_weapon_that_is_dear_the_second_time() -> None:
    says = "of: a, name: X, on: always, do: [{allow: [Shoot, Fight], times: 2, either: true, dear: [gun]}]"
    made = pair(says)
    battle = made.game(acting("a")).battle
    a = battle.state.operatives["a"]
    assert battle.weapon_ap(a, ranged()) == 0
    assert battle.state.activation is not None
    battle.state.activation.weapons.append("gun")
    assert battle.weapon_ap(a, ranged()) == 1
    assert battle.weapon_ap(a, ranged(key="bow")) == 0


def test_orders_and_counteracting() -> None:
    made = pair(
        "of: a, name: X, on: always, do: [counteract]", "of: b, name: Y, on: always, do: [{forbid-order: engage}]"
    )
    for id in ("a", "b"):
        made.state.operatives[id].order, made.state.operatives[id].is_ready = "conceal", False
    assert [each.id for each in counteractors(made.battle(), "red")] == ["a"]
    made.state.operatives["b"].is_ready = True
    game = made.play(activating("b"), Answers(choose={"action": "pass"}))
    assert who(game, "b").order == "conceal"


@pytest.mark.rule("KT24-MARKER")
@pytest.mark.parametrize(
    ("says", "controller"), [("{control-apl: 1}", "red"), ("{control-apl: 0}", None), ("{control-apl: -1}", "blue")]
)
def test_apl_for_control(says: str, controller: Any) -> None:
    made = objective(ground(f"of: a, name: X, on: control(marker), do: [{says}]"), (5, 5))
    made.add("a", "red", (4, 5)).add("c", "blue", (6, 5))
    battle = made.battle()
    assert battle.controller(battle.state.markers["objective-1"]) == controller


def test_a_sum_that_is_less_is_less_once() -> None:
    says = "name: X, on: control(marker), who: friend, do: [{control-apl: -1, total: true, who: enemy}]"
    made = (
        objective(ground(says), (5, 5)).add("a", "red", (4, 5), apl=3).add("c", "blue", (6, 5)).add("d", "blue", (5, 6))
    )
    battle = made.battle()
    marker = battle.state.markers["objective-1"]
    assert battle.controller(marker) is None, "4 - 1 against 3"


def test_weapons_that_equipment_brings() -> None:
    says = "name: Knives, equipment: true, on: always, who: friend, limit: once per turning-point, "
    says += "do: [{add-weapon: [Knife]}]"
    knife = ranged(key="knife")
    made = pair(says, weapons=(knife,), x=10)
    battle = made.battle()
    a = battle.state.operatives["a"]
    assert [weapon.key for weapon in battle.weapons(a)] == ["gun", "blade"], "it was not chosen"
    made.state.choices = {"red:equipment": "own-knives"}
    assert [weapon.key for weapon in battle.weapons(a)] == ["gun", "blade", "knife"]
    game = made.act("a", Shoot(), dice=[(1, 1, 1, 1), (1, 1, 1)], choose={"weapon": "knife"})
    assert game.battle.forbids_weapon(who(game, "b"), knife) == "Knife: used already (Knives)."
    assert game.battle.forbids_weapon(who(game, "b"), ranged()) is None


@pytest.mark.parametrize(("says", "x", "is_valid"), [("unless-within: 2", 10, False), ("unless-within: 8", 10, True)])
def test_who_cannot_be_selected(says: str, x: float, is_valid: bool) -> None:
    made = pair(f"of: a, name: X, on: always, do: [{{forbid-target: true, precedence: true, {says}}}]", x=x)
    battle = made.battle()
    c, a = battle.state.operatives["c"], battle.state.operatives["a"]
    assert rule_on(battle, c, a, ()).is_valid == is_valid


@pytest.mark.parametrize(
    ("says", "numbers"),
    [
        ("{ignore-changes: [all], from: injury}", (5, 3)),
        ("{ignore-changes: [hit], from: injury}", (4, 3)),
        ("{ignore-changes: [move], from: injury}", (5, 4)),
        ("{ignore-changes: [all], from: all}", (6, 3)),
        ("{ignore-changes: [all], except: [move], from: all}", (4, 3)),
    ],
)
def test_changes_that_are_ignored(says: str, numbers: tuple[int, int]) -> None:
    """Injured, and Move 1 less for another reason."""
    made = pair(f"of: a, name: X, on: always, may: true, do: [{says}]")
    made.state.operatives["a"].wounds = 2
    made.state.effects = [Effect("Mud", "TEAM", "battle", "a", stat="move", amount=-1)]
    battle = made.battle()
    a = battle.state.operatives["a"]
    assert (battle.move(a).value, battle.hit(a, ranged()).value) == numbers


def test_effects_that_end_with_the_ready_step() -> None:
    made = pair()
    made.state.effects = [Effect("X", "TEAM", "next-ready-step", "a", "red", clause="x")]
    Readied().apply(made.state)
    assert made.state.effects == []


def test_grenades_that_are_not_counted() -> None:
    made = pair("of: a, name: X, on: always, do: [{use-grenades: [frag, smoke], hit: 1}]")
    battle = made.battle()
    a, b = battle.state.operatives["a"], battle.state.operatives["b"]
    assert {weapon.name: weapon.hit for weapon in battle.weapons(a)}["Frag Grenade"] == 3
    thrown = {action.name: action for action in battle.actions(a)}
    assert refuses(battle, a, thrown["Own Smoke Grenade"]) is None
    assert "Own Stun Grenade" not in thrown
    assert "Own Smoke Grenade" not in {action.name for action in battle.actions(b)}
    game = made.act("a", thrown["Own Smoke Grenade"])
    assert game.state.smoke
    assert "red:smoke-grenade" not in game.state.notes


@pytest.mark.rule("KT24-COUNTERACT")
@pytest.mark.parametrize(("ploy", "times"), [("wrath#0", 2), ("no", 1)])
def test_a_second_action_of_a_counteraction(ploy: str, times: int) -> None:
    says = "name: Wrath, ploy: firefight, cost: 1, on: counteracts, who: friend, "
    says += "do: [{extra-action: 1}], until: activation"
    made = pair(says, cp=1, x=20)
    made.state.operatives["a"].is_ready = made.state.operatives["b"].is_ready = False
    choose: dict[str, Any] = {"counteract": "a", "ploy": ploy, "action": ["Dash", "Reposition"][:times]}
    answers = Answers(choose={**choose, "move": [(at(4, 5),), (at(4, 7),)][:times]})
    game = made.play(lambda battle: counteract(battle, "red"), answers)
    assert (who(game, "a").x, who(game, "a").y) == (4000, 7000 if times == 2 else 5000)
    second = [each for each in answers.asked if each.topic == "action"][1:]
    assert not second or "Dash" not in {option.key for option in second[0].options}  # type: ignore[attr-defined]
