"""Texts as a judge who reads them for the first time would have them: ploys between actions, what is a unique action,
whose limit it is, what comes after and vice versa. All texts are invented; each has the case just outside it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from engine_help import Answers, Field, acting, at, melee, ranged
from language_help import activating, gambit, ground, lacks, refused_gambit
from team_help import who
from test_team_reading import read, rules
from test_team_reading_forms import status

from ktsim.rules.engine.action import refuses
from ktsim.rules.engine.activation import action_options, perform, remove_incapacitated
from ktsim.rules.engine.battle import Battle
from ktsim.rules.engine.decisions import Steps
from ktsim.rules.engine.markers import PickUp
from ktsim.rules.engine.operative_events import Wounded
from ktsim.rules.kt24.equipment.grenades import SmokeGrenade, StunGrenade
from ktsim.rules.kt24.fight import Fight
from ktsim.rules.kt24.moves import Dash
from ktsim.rules.kt24.shoot import Shoot

M = "MOTH OFFICE"


def three(*written: str, x: float = 10, **more: Any) -> Field:
    """A and B of red, C of blue."""
    made = ground(*written, **more).add("a", "red", (3, 5), ranged(), melee())
    return made.add("b", "red", (6, 5), ranged(), melee()).add("c", "blue", (x, 5), ranged(), melee())


# -- what is an action -------------------------------------------------------------------------------


def test_who_can_perform_few_actions_can_still_have_a_ploy_used_between_them() -> None:
    barred = "of: a, name: Plain, on: always, do: [{forbid: [all], except: [Dash]}]"
    ploy = "name: Spit, ploy: firefight, cost: 1, on: activation, who: friend, do: [{pick: enemy}, {damage: 1, who: "
    battle = three(barred, f"{ploy}picked}}]", cp=1).game(acting("a")).battle
    offered = action_options(battle, battle.state.operatives["a"])
    assert offered["Spit (1CP)"][0].refusal is None
    assert offered["Shoot"][0].refusal is not None


def test_grenades_everybody_may_throw_are_unique_actions() -> None:
    made = three("of: a, name: Plain, on: always, do: [{forbid: [unique]}]")
    (rule, _) = made.battle().rules[-2:]
    a = made.state.operatives["a"]
    assert all(rule.claim(made.battle(), a, each()) is not None for each in (SmokeGrenade, StunGrenade))
    assert rule.claim(made.battle(), a, Fight()) is None


# -- whom is fought ----------------------------------------------------------------------------------

SHIELDED = (
    "name: Shield, ploy: firefight, cost: 1, on: [targeted, fought], who: {is: friend, keyword: [b]}, if: [{not: "
    "[{weapon-rule: [Blast], about: foe}]}], do: [{pick: {is: friend, other: true}}, {redirect: true, who: picked}]"
)


def test_a_rule_about_the_gun_does_not_stop_a_ploy_in_a_fight() -> None:
    made = three(SHIELDED, x=7.2, cp=1)
    choose = {"ploy": "shield#0"}
    game = made.act("c", Fight(), dice=[(6, 6, 1, 1), (1, 1, 1, 1)], choose=choose)
    assert who(game, "a").wounds < 10
    assert who(game, "b").wounds == 10


def test_a_rule_of_a_weapon_nobody_has_selected_yet_cannot_be_asked_about() -> None:
    says = "name: Ward, ploy: firefight, cost: 1, on: fought, who: friend, if: [{weapon-rule: [Brutal], about: foe}], "
    assert lacks(f"{says}do: [{{redirect: true}}]")


# -- how often ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "limit"),
    [
        ("This operative can only perform this action once per battle.", {"once": "battle", "each": True}),
        ("This operative cannot perform this action more than once per battle.", {"once": "battle", "each": True}),
        ("This action can only be performed once per battle.", {"once": "battle"}),
    ],
)
def test_whose_limit_of_an_action_it_is(words: str, limit: dict[str, Any]) -> None:
    (rule,) = rules(f"Perform a free Dash action with this operative. {words}", "action")
    assert rule["limit"] == [limit]


def test_what_a_friend_has_performed_already_nobody_performs() -> None:
    text = "Perform a free Dash action with this operative. This operative cannot perform this action while within "
    text += "control range of an enemy operative, or if a friendly operative has already performed this action during "
    (rule,) = rules(f"{text}this turning point.", "action")
    assert rule["limit"] == [{"times": 1, "per": "turning-point"}]


@pytest.mark.parametrize(("limit", "is_left"), [("{once: battle, each: true}", True), ("{once: battle}", False)])
def test_each_operative_may_perform_it_once(limit: str, is_left: bool) -> None:
    says = f"name: Hop, action: 1AP, on: used, limit: [{limit}], do: [{{heal: 1, who: self}}]"
    made = three(f"of: a, {says}", f"of: b, {says}")
    hop = next(each for each in made.battle().actions(made.state.operatives["a"]) if each.name == "Hop")
    made.state.effects = list(made.act("a", hop).state.effects)
    battle = made.game(acting("b")).battle
    assert (action_options(battle, battle.state.operatives["b"])["Hop"][0].refusal is None) is is_left
    battle = made.game(acting("a")).battle
    assert action_options(battle, battle.state.operatives["a"])["Hop"][0].refusal is not None


@pytest.mark.parametrize(("who_", "left"), [("self", 10), ("friend", 9)])
def test_each_operative_with_the_option_may_use_it_once(who_: str, left: int) -> None:
    says = f"name: Knack, options: Knacks, on: activated, who: {who_}, limit: once per battle, do: [{{heal: 1}}]"
    made = three(says)
    for id in ("a", "b"):
        made.cards[id] = replace(made.cards[id], options=("Knack",))
        made.state.operatives[id].wounds = 9

    def both(battle: Battle) -> Steps[None]:
        for id in ("a", "b"):
            yield from activating(id)(battle)

    game = made.play(both, Answers(choose={"action": ["pass", "pass"]}))
    assert (who(game, "a").wounds, who(game, "b").wounds) == (10, left)


# -- after and before --------------------------------------------------------------------------------


@pytest.mark.parametrize("words", [" (or vice versa)", ", or vice versa", ""])
def test_vice_versa_is_said_of_what_comes_afterwards(words: str) -> None:
    text = "Perform a free Dash action with this operative. This operative cannot perform this action during an "
    (rule,) = rules(f"{text}activation in which it performed the Charge or Fall Back action{words}.", "action")
    barred = {"forbid": ["Charge", "Fall Back"], "until": ["activation"], "who": "self"}
    assert (rule["do"][-1] == barred) is bool(words)


# -- a first time ------------------------------------------------------------------------------------

MEDIC = (
    "of: a, name: Mend, on: dying, who: {is: friend, other: true}, if: [{within: 9, of: self}, {first-time: "
    "turning-point}, {not: [control-range]}], may: true, do: [{survive: 1}]"
)


@pytest.mark.parametrize(("x", "saved"), [(4.2, False), (40, True)])
def test_a_first_time_without_what_is_needed_is_the_first_time(x: float, saved: bool) -> None:
    made = three(MEDIC, x=20).add("d", "red", (5, 8)).add("e", "blue", (x, 8))

    def falls(battle: Battle) -> Steps[None]:
        for id in ("d", "b"):
            yield Wounded(id, 20, "test", "c")
            yield from remove_incapacitated(battle)

    game = made.play(falls, Answers(choose={"team option": "yes"} if saved else {}))
    assert who(game, "d" if saved else "b").is_incapacitated is not saved


# -- when, and how long ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "conditions"),
    [
        ("during the Fight action", [{"did": ["fighting", "retaliating"], "during": "sequence"}]),
        ("during the Shoot action", [{"did": ["shooting"], "during": "sequence"}]),
        ("during its activation", ["activated-now"]),
        ("during the battle", None),
    ],
)
def test_during_something_is_when_and_not_how_long(words: str, conditions: list[Any] | None) -> None:
    (rule,) = rules(f"Whenever this operative incapacitates an enemy operative {words}, it regains 1 lost wound.")
    assert (rule.get("if"), rule.get("until")) == (conditions, None)


@pytest.mark.parametrize(("words", "must"), [("both", True), ("at least one", None)])
def test_both_shots_with_such_a_weapon_or_one_of_them(words: str, must: Any) -> None:
    text = f"During each friendly {M} operative's activation, it can perform either two Shoot actions or two Fight "
    text += f"actions. If it's two Shoot actions, a stapler must be selected for {words} of them."
    (rule,) = rules(text, "faction", False)
    assert rule["do"][0].get("must") is must


def test_nobody_is_asked_whether_what_is_worse_is_ignored() -> None:
    says = "name: Grit, on: activated, who: friend, may: true, do: [{ignore-changes: [all], from: injury, may: true}], "
    made = three(f"{says}until: activation")
    made.state.operatives["a"].wounds = 2
    answers = Answers(choose={"action": "pass"})
    game = made.play(activating("a"), answers)
    assert answers.topics == ["order", "action"]
    assert game.battle.hit(who(game, "a"), ranged()).value == 4, "it lasts no longer"
    game = three(f"{says}until: turning-point").play(activating("a"), Answers(choose={"action": "pass"}))
    who(game, "a").wounds = 2
    assert game.battle.hit(who(game, "a"), ranged()).value == 3


@pytest.mark.parametrize("until", ["turning-point", "own-next-activation"])
def test_the_first_time_while_it_lasts_is_one_time(until: str) -> None:
    says = "of: a, name: Halo, action: 0AP, on: used, do: [{pick: friend}], then: [{on: damage, who: picked, if: "
    made = three(f"{says}[{{first-time: effect}}], do: [{{reduce-damage: true, whole: true}}], until: {until}}}]")
    halo = next(each for each in made.battle().actions(made.state.operatives["a"]) if each.name == "Halo")
    left: list[int] = []

    def procedure(battle: Battle) -> Steps[None]:
        yield from acting("a", halo, halo)(battle)
        for _ in range(2):
            yield from acting("c", Shoot())(battle)
            left.append(battle.state.operatives["b"].wounds)

    dice = [(6, 1, 1, 1), (1, 1, 1)] * 2
    choose = {"operative": ["b", "a"], "target": ["b", "b"]}
    game = made.play(procedure, Answers(dice, choose))
    assert left == [10, 6]
    assert [each.picked for each in game.state.effects if each.clause == "halo#0.0"] == [("a",)]


# -- which rule is meant -----------------------------------------------------------------------------

HOLD = (
    "id: MO-S-1, name: Hold Fast, ploy: strategy, cost: 1, on: shot-at, who: friend, do: [{reroll: defence}], until: "
)
HOLD += "turning-point"


def test_a_ploy_is_meant_by_its_name_whatever_its_id() -> None:
    made = three(HOLD, "of: a, name: Bell, on: always, do: [{ploy-cost: [Hold Fast], cp: 0}]")
    assert refused_gambit(made, "MO-S-1") is None
    assert refused_gambit(three(HOLD), "MO-S-1") is not None


def test_a_rule_not_beside_another_is_told_by_its_name() -> None:
    says = (
        "id: MO-E-1, name: Clock, on: gambit, who: friend, limit: [{not-with: Hold Fast}], do: [{points: 1, of: Tea}]"
    )
    made = three(HOLD, says, cp=1)
    assert refused_gambit(made, "MO-E-1#0") is None
    made.state.ploys_used = ["red:MO-S-1"]
    assert refused_gambit(made, "MO-E-1#0") is not None


def test_a_rule_that_was_used_is_told_by_its_name() -> None:
    says = "name: Echo, on: shooting, who: friend, if: [{used-rule: Hold Fast, during: turning-point}], "
    says += "do: [{grant: [Severe]}]"
    for used, granted in ((["red:MO-S-1"], ["Severe"]), ([], [])):
        made = three(HOLD, says)
        made.state.ploys_used = used
        battle = made.battle()
        a, c = battle.state.operatives["a"], battle.state.operatives["c"]
        assert [rule.text for rule in battle.weapon_rules(a, ranged(), c)] == granted


# -- whose choice ------------------------------------------------------------------------------------

ERRAND = "name: Errand, on: always, who: friend, limit: once per battle, may: true, do: [{ap-cost: -1, actions: "
ERRAND += "[Pick Up Marker]}]"


@pytest.mark.parametrize(("period", "may"), [("battle", True), ("turning point", True), ("activation", None)])
def test_what_costs_less_once_in_a_long_while_is_its_players_choice(period: str, may: Any) -> None:
    text = f"Once per {period}, one friendly {M} operative can perform a mission action for 1 less AP."
    (rule,) = rules(text, "equipment", False)
    assert rule.get("may") is may


@pytest.mark.parametrize(("used", "cost"), [([], 1), (["Errand"], 0), (["Errand", "Pick Up Marker"], 1)])
def test_what_costs_less_once_does_when_its_player_says_so(used: list[str], cost: int) -> None:
    made = three(ERRAND).marker("m", (3, 6), can_be_picked_up=True, controller="red")
    found: list[int] = []

    def procedure(battle: Battle) -> Steps[None]:
        yield from acting("a")(battle)
        a = battle.state.operatives["a"]
        for name in used:
            (option, action) = action_options(battle, a)[name]
            assert option.refusal is None
            yield from perform(battle, a, action, battle.ap_cost(a, action))
        found.append(battle.ap_cost(a, PickUp()))

    made.play(procedure)
    assert found == [cost]


def test_what_would_cost_nothing_less_is_not_used_up() -> None:
    battle = three(ERRAND).game(acting("a")).battle
    assert action_options(battle, battle.state.operatives["a"])["Errand"][0].refusal is not None


@pytest.mark.parametrize(("kind", "is_barred"), [("activation", True), ("counteraction", False)])
def test_not_during_their_activation_leaves_counteractions(kind: str, is_barred: bool) -> None:
    says = "name: Hurry, ploy: strategy, cost: 0, on: used, who: friend, do: [{pick: friend}, {free-action: [Dash], "
    made = three(f"{says}then-forbid: [Dash], who: picked}}]", x=20)
    game = gambit(made, "hurry", **{"operative": "a", "free action": "Dash", "move": (at(4, 5),)})
    made.state.effects = list(game.state.effects)
    battle = made.game(acting("a", kind=kind)).battle
    a = battle.state.operatives["a"]
    assert (refuses(battle, a, Dash()) is not None) is is_barred


# -- ploys in the middle of a sequence ---------------------------------------------------------------

AGAIN = "name: Again, ploy: firefight, cost: 1, on: shot-at, who: friend, may: true, do: [{reroll: defence, dice: any}]"
NEVER = "of: b, name: Never, on: always, do: [{forbid-reroll: defence}]"


@pytest.mark.rule("KT24-DICE")
@pytest.mark.parametrize(
    ("texts", "ploy", "again", "left"),
    [((AGAIN,), "again#0", [(5,), (5,)], 10), ((AGAIN,), "no", [], 7), ((AGAIN, NEVER), "again#0", [], 7)],
)
def test_a_ploy_re_rolls_defence_dice_that_lie_there(
    texts: tuple[str, ...], ploy: str, again: list[tuple[int, ...]], left: int
) -> None:
    answers = Answers([(3, 3, 1, 1), (1, 1, 5), *again], {"target": "b", "ploy": ploy})
    game = three(*texts, cp=1).play(acting("c", Shoot()), answers)
    assert (who(game, "b").wounds, game.state.cp["red"]) == (left, 1 if ploy == "no" else 0)


FURY = "name: Fury, ploy: firefight, cost: 1, on: [fighting, retaliating], who: friend, do: [{grant: [Relentless], "


@pytest.mark.parametrize(
    ("weapons", "ploy", "again", "left"),
    [("melee", "fury#0", [(4,), (4,)], 4), ("melee", "no", [], 10), ("broom", "fury#0", [], 10)],
)
def test_a_ploy_gives_a_weapon_a_rule_before_its_dice_are_rolled(
    weapons: str, ploy: str, again: list[tuple[int, ...]], left: int
) -> None:
    made = three(f"{FURY}weapons: [{weapons}]}}], until: sequence", x=7.2, cp=1)
    answers = Answers([(1, 1), (1, 1), *again], {"ploy": ploy})
    for id in ("b", "c"):
        made.cards[id] = replace(made.cards[id], weapons=(melee(atk=2),))
    game = made.play(acting("b", Fight()), answers)
    assert who(game, "c").wounds == left
    assert not game.state.effects, "it is over with the sequence"


def test_a_ploy_changes_what_dice_are_rolled_with() -> None:
    says = "name: Weight, ploy: firefight, cost: 1, on: fighting, who: friend, do: [{stat: damage, by: 2}]"
    for ploy, left in (("weight#0", 5), ("no", 7)):
        made = three(says, x=7.2, cp=1)
        for id in ("b", "c"):
            made.cards[id] = replace(made.cards[id], weapons=(melee(atk=1),))
        game = made.play(acting("b", Fight()), Answers([(4,), (1,)], {"ploy": ploy}))
        assert who(game, "c").wounds == left


def test_a_ploy_betters_a_save_for_one_sequence() -> None:
    says = "name: Duck, ploy: firefight, cost: 1, on: shot-at, who: friend, do: [{stat: save, by: 1}], until: sequence"
    for ploy, left in (("duck#0", 10), ("no", 7)):
        made = three(says, cp=1)
        game = made.play(acting("c", Shoot()), Answers([(3, 1, 1, 1), (3, 1, 1)], {"target": "b", "ploy": ploy}))
        assert who(game, "b").wounds == left
        assert not game.state.effects


def test_rules_that_come_too_late_are_not_given_in_a_sequence() -> None:
    says = "name: Fury, ploy: firefight, cost: 1, on: shooting, who: friend, do: [{grant: [%s]}]"
    assert lacks(says % "Seek")
    assert not lacks(says % "Balanced")


# -- nothing is dropped on the way -------------------------------------------------------------------


def only(text: str, kind: Any = "ability") -> dict[str, Any]:
    (rule,) = rules(text, kind, kind in ("ability", "action"))
    return rule


def test_others_that_move_further_are_those() -> None:
    rule = only(f'Friendly {M} PORTER operatives can move an additional 1".')
    assert rule["who"] == {"is": "friend", "keyword": ["moth office & porter"]}


BOTH = "an objective marker or one of your mission markers"


@pytest.mark.parametrize(("words", "controls"), [("an objective marker", False), (BOTH, True)])
def test_markers_it_always_controls_are_those_that_are_named(words: str, controls: bool) -> None:
    rule = only(f"Whenever this operative contests {words}, it always controls that marker.")
    assert (rule["on"] == "control(marker)") is controls
    says = f"of: a, name: Report, on: {rule['on']}, do: [{{controls: true, who: self}}]"
    made = three(says, x=4.5).marker("m", (3.5, 6))
    made.add("d", "blue", (4, 6.5), apl=3)
    assert (made.battle().controller(made.state.markers["m"]) == "red") is controls


SPITE = "(even if it has already performed an action that prevents it from performing those actions)"


@pytest.mark.parametrize(("words", "regardless"), [("", None), (SPITE, True)])
def test_one_of_two_is_no_better_than_it_says(words: str, regardless: Any) -> None:
    text = f"Use this firefight ploy when a friendly {M} operative is activated. It can immediately perform a free "
    rule = only(f"{text}Dash action {words}, or you can change its order instead.", "firefight")
    assert rule["do"][0]["choose"][0].get("regardless") is regardless


def test_any_marker_is_any_marker() -> None:
    rule = only("Whenever this operative contests a marker, its weapons have the Severe weapon rule.")
    assert rule["if"] == [{"contests": ["any"]}]
    says = "of: a, name: Zeal, on: always, if: [{contests: [any]}], do: [{grant: [Severe]}]"
    for y, granted in ((6, ["Severe"]), (9, [])):
        battle = three(says).marker("m", (3, y)).battle()
        a, c = battle.state.operatives["a"], battle.state.operatives["c"]
        assert [each.text for each in battle.weapon_rules(a, ranged(), c)] == granted


def test_that_objective_marker_is_the_one_that_was_selected() -> None:
    whenever = f"Whenever a friendly {M} operative contests that objective marker, its weapons have the "
    whenever += "Severe weapon rule."
    rule = only(f"Select one objective marker. {whenever}", "strategy")
    assert rule["do"] == [{"pick-marker": ["objective"]}]
    assert rule["then"][0]["if"] == [{"contests": ["picked"]}]
    assert read(whenever, "strategy", False).unread == (whenever,)


def test_what_follows_for_nobody_knows_how_long_does_not() -> None:
    says = "of: a, name: Jab, action: 1AP, on: used, do: [{pick: enemy}, {damage: 1, who: picked}], then: [{on: "
    assert lacks(f"{says}incapacitated, who: picked, do: [{{cp: 1}}]}}]")
    assert not lacks(f"{says}incapacitated, who: picked, do: [{{cp: 1}}], until: turning-point}}]")


# -- more ways to say it -----------------------------------------------------------------------------

WAYS: list[tuple[Any, str, str]] = [
    ("ability", "This operative can counteract even if it has a Conceal order.", "{'counteract': 'any-order'}"),
    ("strategy", f"Up to three friendly {M} operatives can each immediately perform a free Dash action.", "'count': 3"),
    ("strategy", f"Whenever determining control of a marker, treat the APL stat of friendly {M} operatives as 1 "
     "higher.", "{'control-apl': 1"),
    ("ability", "While this operative has a Conceal order, it cannot be selected as a valid target unless the attacker "
     "is within 3\" of it.", "'unless-within': 3"),
    ("firefight", f"Use this firefight ploy when a friendly {M} operative is incapacitated during the Fight action. "
     "Before it's removed from the killzone, you can strike the enemy operative in that sequence with one of your "
     "unresolved successes.", "'strike'"),
    ("firefight", f"Use this firefight ploy when your opponent selects a friendly {M} operative as the valid target of "
     "a Shoot action. Until the end of that action, improve that friendly operative's Save stat by 1.", "'targeted'"),
    ("faction", f"STRATEGIC GAMBIT in each turning point after the first. Select one friendly {M} operative to perform "
     "a free Dash action.", "{'not-in': 1}"),
    ("action", "Until the start of this operative's next activation, whenever an enemy operative is within 3\" of this "
     "operative, subtract 1 from its APL stat.", "'own-next-activation'"),
    ("firefight", f"Use this firefight ploy after rolling your defence dice for a friendly {M} operative. You can "
     "re-roll any of your defence dice.", "'defended'"),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "text", "has"), WAYS)
def test_other_ways_to_say_it(kind: Any, text: str, has: str) -> None:
    assert has in str(only(text, kind))
    assert status(text, kind) == "enforced"


@pytest.mark.parametrize(("wounds", "face", "x"), [(10, 3, 8.0), (9, 3, 7.2), (10, 4, 7.2)])
def test_a_roll_is_better_where_it_says_so(wounds: int, face: int, x: float) -> None:
    says = "name: Snare, on: doing(Dash), who: enemy, limit: once per turning-point, may: true, do: [{roll: D6, "
    made = three(f"{says}at: '>=4', add: 1, add-if: [wounded], do: [{{cancel: true, refund: true}}]}}]", x=7.2)
    made.state.operatives["c"].wounds = wounds
    choose: dict[str, Any] = {"ploy": "snare#0"} | ({"move": (at(8, 5),)} if x > 7.5 else {})
    made.state.operatives["b"].x = 1000
    game = made.act("c", Dash(), dice=[(face,)], choose=choose)
    assert who(game, "c").x == 1000 * x


def test_a_ploy_lets_one_move_go_further() -> None:
    says = "name: Spring, ploy: firefight, cost: 1, on: doing(Dash), who: friend, do: [{move-extra: 2}], until: action"
    game = three(says, x=20, cp=1).act("b", Dash(), choose={"ploy": "spring#0", "move": (at(11, 5),)})
    assert who(game, "b").x == 11000
    assert game.battle.state.effects == []


def test_equipment_used_once_in_a_sequence_is_counted() -> None:
    says = "name: Oil, on: [fighting, retaliating], who: friend, limit: once per battle, may: true, do: [{grant: "
    made = three(f"{says}[Relentless], weapons: [melee]}}], until: sequence", x=7.2)
    for id in ("b", "c"):
        made.cards[id] = replace(made.cards[id], weapons=(melee(atk=1),))
    game = made.play(acting("b", Fight(), Fight()), Answers([(1,), (1,), (4,), (1,), (1,)], {"ploy": "oil#0"}))
    assert who(game, "c").wounds == 7


# -- what cannot be told is not played ---------------------------------------------------------------


def test_who_can_be_obscured_is_told_before_any_weapon() -> None:
    says = "of: a, name: Lens, on: shooting, if: [{weapon: [gun]}], do: [{reveal: obscured, who: enemy}]"
    assert lacks(says)
    assert not lacks(says.replace("if: [{weapon: [gun]}], ", ""))


def test_leaving_a_control_range_is_not_promised() -> None:
    text = "This operative can perform the Charge action while within control range of an enemy operative"
    assert status(f"{text}, and can leave that operative's control range to do so.", "ability") == "shown"
    assert status(f"{text}.", "ability") == "enforced"


def test_an_order_is_changed_without_asking_again() -> None:
    says = "name: Flip, ploy: firefight, cost: 1, on: activated, who: friend, may: true, do: [{order: change}]"
    answers = Answers(choose={"ploy": "flip#0", "action": "pass"})
    game = three(says, cp=1).play(activating("a"), answers)
    assert who(game, "a").order == "conceal"
    assert "team option" not in answers.topics


@pytest.mark.parametrize(("wounds", "is_offered"), [(9, True), (10, False)])
def test_what_would_not_cost_less_now_is_not_offered(wounds: int, is_offered: bool) -> None:
    made = three(ERRAND.replace("[Pick Up Marker]", "[Pick Up Marker], if: [wounded]"))
    made.marker("m", (3, 6), can_be_picked_up=True, controller="red").state.operatives["a"].wounds = wounds
    battle = made.game(acting("a")).battle
    assert (action_options(battle, battle.state.operatives["a"])["Errand"][0].refusal is None) is is_offered


def test_who_acts_is_chosen_once() -> None:
    says = "name: Rush, ploy: strategy, cost: 0, on: used, who: friend, do: [{pick: friend, count: 2, up-to: true}, "
    made = three(f"{says}{{free-action: [Dash], who: picked}}]", x=20)
    answers = Answers(choose={"operatives picked": ("b", "a"), "move": [(at(8, 5),), (at(5, 5),)]})
    game = gambit(made, "rush", answers=answers)
    assert (who(game, "a").x, who(game, "b").x) == (5000, 8000)
    assert "dashing" not in answers.topics


# -- whose it is -------------------------------------------------------------------------------------


def test_which_of_the_two_is_harmed_is_not_guessed() -> None:
    text = f"Use this firefight ploy after a friendly {M} operative performs the Shoot action. If the target wasn't "
    text += "incapacitated, until the end of "
    assert status(f'{text}its next activation, subtract 2" from its Move stat.', "firefight") == "partly"
    named = f"{text}that friendly operative's next activation, subtract 2\" from that friendly operative's Move stat."
    assert status(named, "firefight") == "enforced"


@pytest.mark.parametrize(("words", "each"), [("each", True), ("a", None)])
def test_the_first_time_of_each_or_of_all(words: str, each: Any) -> None:
    text = f"The first time {words} friendly {M} operative would be incapacitated during the battle, roll one D6: "
    (rule,) = rules(f"{text}on a 2+, it isn't incapacitated and has 1 wound remaining.", "equipment", False)
    assert rule["if"] == [{"first-time": "battle"} | ({"each": True} if each else {})]
    says = f"name: Charm, on: dying, who: friend, if: [{{first-time: battle{', each: true' if each else ''}}}], do: "
    made = three(f"{says}[{{survive: 1}}]")

    def falls(battle: Battle) -> Steps[None]:
        for id in ("a", "b", "a"):
            yield Wounded(id, 20, "test", "c")
            yield from remove_incapacitated(battle)

    game = made.play(falls)
    assert [who(game, id).is_incapacitated for id in ("a", "b")] == [True, not each]


def test_the_same_weapon_is_that_one_for_as_long_as_it_lasts() -> None:
    says = (
        "of: a, name: Oil, action: 0AP, on: used, do: [{stat: damage, by: 1, weapons: [gun], until: battle}, {grant: "
    )
    made = three(f"{says}[Severe], weapons: [same], until: battle}}]")
    oil = next(each for each in made.battle().actions(made.state.operatives["a"]) if each.name == "Oil")
    battle = made.act("a", oil).battle
    a, c = battle.state.operatives["a"], battle.state.operatives["c"]
    assert [each.text for each in battle.weapon_rules(a, ranged(), c)] == ["Severe"]
    assert battle.weapon_rules(a, melee(), c) == ()
    text = (
        "Until the end of this operative's activation, you can ignore any changes to the Hit stat of its stapler and "
    )
    assert only(f"{text}it has the Saturate weapon rule.", "action")["do"][1]["weapons"] == ["same"]


@pytest.mark.parametrize(("weapon", "left"), [("blade", 7), ("broom", 10)])
def test_a_ploy_in_a_fight_knows_the_weapon(weapon: str, left: int) -> None:
    says = (
        f"name: Edge, ploy: firefight, cost: 1, on: fighting, who: friend, if: [{{weapon: [{weapon}]}}], do: [{{grant: "
    )
    made = three(f"{says}[Relentless]}}]", x=7.2, cp=1)
    for id in ("b", "c"):
        made.cards[id] = replace(made.cards[id], weapons=(melee(atk=1),))
    dice = [(1,), (1,), (4,)] if weapon == "blade" else [(1,), (1,)]
    game = made.play(acting("b", Fight()), Answers(dice, {"ploy": "edge#0"} if weapon == "blade" else {}))
    assert who(game, "c").wounds == left


def test_what_is_not_taken_up_is_not_used_up() -> None:
    text = (
        f"Once per turning point, when a friendly {M} operative is expended, you can activate another ready friendly "
    )
    assert only(f'{text}{M} operative within 3" of it before your opponent activates.', "faction")["may"] is True
    text = f"Once per turning point, after a friendly {M} operative performs the Shoot action, it can immediately "
    assert only(f"{text}perform a free Dash action.", "faction")["may"] is True


MORE_WAYS: list[tuple[Any, str, str]] = [
    ("ability", "Enemy operatives must spend 1 additional AP to perform the Fall Back action while within control "
     "range of this operative.", "{'ap-cost': 1"),
    ("ability", "Enemy operatives within 2\" of this operative cannot re-roll attack dice.", "{'forbid-reroll':"),
    ("ability", f"Whenever a friendly {M} operative within 3\" of this operative is being shot, you can re-roll one of "
     "your defence dice.", "'shot-at'"),
    ("strategy", f"Whenever an attack dice inflicts Normal Dmg of 4 or more on a friendly {M} operative, it inflicts "
     "1 less damage on that operative.", "{'reduce-damage': 1}"),
    ("equipment", f"Add 1\" to the Move stat of friendly {M} operatives during the first turning point.",
     "{'turning-point': '=1'}"),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "text", "has"), MORE_WAYS)
def test_still_other_ways_to_say_it(kind: Any, text: str, has: str) -> None:
    test_other_ways_to_say_it(kind, text, has)


def test_one_of_them_is_that_one_and_instead_is_instead() -> None:
    text = (
        f"Friendly {M} operatives' weapons have the Balanced weapon rule. If a friendly {M} operative is injured, its "
    )
    rule = only(f"{text}weapons have the Ceaseless weapon rule instead.", "faction")
    assert rule["do"][1]["if"] == ["injured"]
    says = "name: Grit, on: always, who: friend, do: [{grant: [Balanced]}, {grant: [Ceaseless], if: [injured], "
    made = three(f"{says}instead-of: [same]}}]")
    made.state.operatives["a"].wounds = 2
    battle = made.battle()
    had = [[each.text for each in battle.weapon_rules(made.state.operatives[id], melee())] for id in ("a", "b")]
    assert had == [["Ceaseless"], ["Balanced"]]


def test_what_nobody_would_be_asked_about_is_not_promised() -> None:
    says = "of: a, name: Dodge, on: targeted, do: [{free-action: [Dash]}]"
    assert lacks(says)
    assert not lacks(says.replace("do:", "may: true, do:"))
