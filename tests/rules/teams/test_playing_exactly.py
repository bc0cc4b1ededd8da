"""Words of printed texts that are easily lost: each rule does what it says, and no more. All texts are invented."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from engine_help import Answers, Field, acting, melee, ranged
from language_help import ground
from team_help import who
from test_team_reading import OFFICE, rules

from ktsim.rules.engine.action import refuses
from ktsim.rules.engine.activation import perform, remove_incapacitated
from ktsim.rules.engine.attack import Attack
from ktsim.rules.engine.battle import Battle
from ktsim.rules.engine.decisions import Steps
from ktsim.rules.engine.operative_events import ActivationBegan, MarkerAppeared, Wounded
from ktsim.rules.engine.weapons import make_hand


def three(*written: str) -> Field:
    """A and B of red, C and D of blue."""
    made = ground(*written).add("a", "red", (3, 5), ranged(), melee()).add("b", "red", (6, 5), ranged(), melee())
    return made.add("c", "blue", (10, 5), ranged(), melee()).add("d", "blue", (10, 9), ranged(), melee())


def does(made: Field, id: str, name: str, **choose: Any) -> Any:
    def procedure(battle: Battle) -> Steps[None]:
        one = battle.state.operatives[id]
        yield ActivationBegan(id, "activation", one.order, 2)
        action = next(each for each in battle.actions(one) if each.name == name)
        yield from perform(battle, one, action, action.ap)

    answers = choose.pop("answers", None) or Answers([], choose)
    return made.play(procedure, answers)


# -- what is read ------------------------------------------------------------------------------------


def test_an_activation_in_which_is_no_counteraction() -> None:
    text = "Whenever a friendly MOTH OFFICE operative is shooting during an activation in which it has not performed "
    (rule,) = rules(f"{text}the Charge action, its weapons have the Balanced weapon rule.")
    assert rule["if"][0] == "activated-now"
    (rule,) = rules("Whenever a friendly MOTH OFFICE operative is shooting, its weapons have the Balanced weapon rule.")
    assert "if" not in rule


def test_an_action_performed_before_does_not_lift_other_bars() -> None:
    text = "Whenever this operative ends the Fight action, it can immediately perform a free Charge action (even if it"
    (rule,) = rules(f"{text}'s already performed the Charge action during that activation).")
    assert rule["do"] == [{"free-action": ["Charge"], "in-spite-of": ["Charge"]}]


def test_move_and_hit_are_both_not_cumulative_with_being_injured() -> None:
    start = "Select one enemy operative visible to this operative. Until the end of that operative's next activation, "
    text = 'subtract 2" from its Move stat and worsen the Hit stat of its weapons by 1'
    (rule,) = rules(f"{start}{text} (this isn't cumulative with being injured).", "action")
    assert [each.get("not-with-injury") for each in rule["do"][1:]] == [True, True]
    text = "subtract 1 from its APL stat and worsen the Hit stat of its weapons by 1"
    (rule,) = rules(f"{start}{text} (this isn't cumulative with being injured).", "action")
    assert [each.get("not-with-injury") for each in rule["do"][1:]] == [None, True], "injury does not change APL"


@pytest.mark.parametrize(
    ("words", "until"),
    [
        ("this action is performed again by a friendly operative", "performed-by-friend"),
        ("it performs this action again", "performed-again"),
    ],
)
def test_who_performs_it_again(words: str, until: str) -> None:
    start = "Select one friendly MOTH OFFICE operative visible to this operative. Until the start of this operative's"
    text = f"{start} next activation or until {words} (whichever comes first), add 1 to that operative's APL stat."
    (rule,) = rules(text, "action")
    assert rule["do"][0] == {"pick": OFFICE | {"that": [{"visible": "self"}]}}
    assert until in str(rule)
    assert str(rule).count("performed-") == 1


# -- what is played ----------------------------------------------------------------------------------


@pytest.mark.parametrize(("until", "left"), [("performed-by-friend", ["d"]), ("performed-again", ["c", "d"])])
def test_what_ends_as_another_friend_performs_the_action(until: str, left: list[str]) -> None:
    says = "name: Mark, action: 1AP, do: [{pick: enemy}, {token: Ink, who: picked, "
    says += f"until: [own-next-activation, {until}]}}], then: [{{on: shooting, who: friend, "
    says += "foe: {is: enemy, that: [{token: Ink}]}, do: [{grant: [Saturate]}]}]"
    made = three(f"of: a, {says}", f"of: b, {says}")
    game = does(made, "a", "Mark", operative="c")
    made.state.effects = list(game.state.effects)
    game = does(made, "b", "Mark", operative="d")
    b = who(game, "b")
    assert [id for id in ("c", "d") if game.battle.weapon_rules(b, ranged(), who(game, id))] == left


@pytest.mark.rule("SIGHT-8")
@pytest.mark.parametrize(
    ("where", "found"),
    [
        ("{within: 6, of: self}", {"a", "b"}),
        ("visible: self", {"a", "b"}),
        ("control-range: self", {"a"}),
        ("{within: 6, of: self}, other: true", {"b"}),
        ("{within: 1, of: self}", {"a"}),
    ],
)
def test_an_operative_is_near_and_visible_to_itself(where: str, found: set[str]) -> None:
    that, _, other = where.partition(", other")
    that = that if that.startswith("{") else f"{{{that}}}"
    whom = f"{{is: friend, that: [{that}]{', other: true' if other else ''}}}"
    made = three(f"of: a, name: Tend, action: 1AP, do: [{{pick: {whom}}}, {{heal: 1, who: picked}}]")
    for id in ("a", "b"):
        made.state.operatives[id].wounds = 5
        game = does(made, "a", "Tend", **({"operative": id} if len(found) > 1 else {}))
        assert (who(game, id).wounds > 5) is (id in found)


@pytest.mark.parametrize(
    ("done", "is_offered"), [(["Charge", "Fight"], True), (["Dash", "Fight"], False), (["Reposition", "Fight"], False)]
)
def test_a_charge_in_spite_of_a_charge_and_of_nothing_else(done: list[str], is_offered: bool) -> None:
    says = "of: a, name: Lunge, action: 0AP, do: [{free-action: [Charge], in-spite-of: [Charge], most: 3, who: self}]"
    made = three(says)
    made.state.operatives["c"].x = 5500
    game = made.game(acting("a"))
    assert game.state.activation is not None
    game.state.activation.actions.extend(done)
    lunge = next(each for each in game.battle.actions(who(game, "a")) if each.name == "Lunge")
    assert (refuses(game.battle, who(game, "a"), lunge) is None) is is_offered


def test_markers_of_equipment_are_no_mission_markers() -> None:
    says = (
        "name: Hold, kind: faction, on: shooting, who: friend, if: [{contests: [mission]}], do: [{grant: [Balanced]}]"
    )
    for can_be_picked_up in (True, False):
        made = three(says)
        MarkerAppeared("thing", "thing", (3000, 5000, 0), 400, can_be_picked_up).apply(made.state)
        battle = made.battle()
        rules_had = battle.weapon_rules(battle.state.operatives["a"], ranged(), battle.state.operatives["c"])
        assert bool(rules_had) is can_be_picked_up


def test_a_first_time_that_was_let_pass_is_over() -> None:
    says = "of: b, name: Save, on: dying, who: {is: friend, other: true}, if: [{first-time: turning-point}], may: true"

    def falls(battle: Battle) -> Steps[None]:
        for id in ("a", "e"):
            yield Wounded(id, 20, "a test", "c")
            yield from remove_incapacitated(battle)

    for answer, asked in (("no", 1), ("yes", 1)):
        answers = Answers([], {"team option": answer})
        three(f"{says}, do: [{{survive: 1}}]").add("e", "red", (6, 8), ranged(), melee()).play(falls, answers)
        assert len([each for each in answers.asked if each.topic == "team option"]) == asked


def test_no_results_below_six_are_made_critical_by_a_team_either() -> None:
    better = "of: a, name: Better, on: fighting, may: true, do: [{convert: normal, to: critical}]"
    ward = "of: a, name: Ward, on: fighting, do: [{no-critical-below: 6}]"

    def given(*written: str) -> int:
        made = three(*written)
        made.state.operatives["c"].x = 4000
        battle = made.game(acting("a")).battle
        a, c = battle.state.operatives["a"], battle.state.operatives["c"]
        return len(make_hand(battle, Attack(a, melee(), (), battle.hit(a, melee()), c)).rules)

    assert given(better) == 1
    assert given(better, ward) == 0


def test_the_same_psychic_weapon_once_and_another_one_too() -> None:
    says = "of: a, name: Twice, on: always, do: [{allow: [Shoot], times: 2, psychic-once: true}]"
    gaze, howl = (replace(ranged(), key=key, name=key, traits=("psychic",)) for key in ("gaze", "howl"))
    made = ground(says).add("a", "red", (3, 5), gaze, howl).add("c", "blue", (10, 5), ranged())
    game = made.game(acting("a"))
    assert game.state.activation is not None
    game.state.activation.weapons.append("gaze")
    rule, *_ = game.battle.having("forbids_weapon")
    refused = [rule.forbids_weapon(game.battle, who(game, "a"), each) for each in (gaze, howl)]
    assert refused == ["gaze: Twice, the same psychic weapon only once.", None]


def test_a_weapon_that_has_a_profile_has_it_whichever_is_used() -> None:
    says = "of: a, name: Coat, on: shot-at, if: [{not: [{weapon: ['*/wide'], about: foe}]}], "
    says += "do: [{ignore-rule: [Piercing]}]"
    wide, narrow = (replace(ranged(), key=f"gun/{each}", name=f"Gun ({each})") for each in ("wide", "narrow"))
    other = replace(ranged("Piercing 1"), key="lamp", name="Lamp")
    narrow = replace(narrow, rules=other.rules)
    made = ground(says).add("a", "red", (3, 5), ranged()).add("c", "blue", (10, 5), wide, narrow, other)
    battle = made.battle()
    a, c = battle.state.operatives["a"], battle.state.operatives["c"]
    assert [bool(battle.weapon_rules(c, each, a)) for each in (narrow, other)] == [True, False]
