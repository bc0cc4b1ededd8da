"""Texts as somebody who reads them anew would have them: who 'it' is beside somebody else, against whom a moment within
a moment is, how often an action may be performed, how long a token lasts. All texts are invented."""

from __future__ import annotations

from typing import Any

import pytest
from engine_help import Answers, Field, acting, at, melee, ranged
from language_help import activating, ground, lacks
from team_help import who
from test_team_reading import OFFICE, read, rules

from ktsim.rules.engine.action import refuses_to_repeat
from ktsim.rules.engine.activation import remove_incapacitated
from ktsim.rules.engine.battle import Battle
from ktsim.rules.engine.decisions import Steps, Walk
from ktsim.rules.engine.operative_events import Wounded
from ktsim.rules.engine.shoot.targets import rule_on
from ktsim.rules.kt24.shoot import Shoot
from ktsim.rules.kt24.turn import counteract
from ktsim.rules.teams.language.values import Term

FAR = {"more-than": 6, "about": "self", "from": "foe"}


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ('this operative is more than 6" from it', FAR),
        ('it is more than 6" from this operative', {"more-than": 6, "about": "foe", "from": "self"}),
        ('the enemy operative is more than 6" from it', {"more-than": 6, "about": "foe", "from": "who"}),
        ("it is visible to it", {"visible": "foe"}),
    ],
)
def test_nobody_is_compared_with_itself(said: str, expected: dict[str, Any]) -> None:
    [rule] = rules(
        f"Whenever this operative is retaliating, if {said}, its melee weapons have the Rending weapon rule."
    )
    assert rule["if"] == [expected]


def test_where_there_is_no_other_one_it_is_not_understood() -> None:
    text = 'Whenever this operative is activated, if this operative is within 3" of it, it regains D3 lost wounds.'
    assert not read(text).rules


def test_who_stands_far_from_whoever_shoots_it_is_obscured() -> None:
    says = "of: a, name: Veil, on: shot-at, foe: anyone, if: [{more-than: 6, about: self, from: foe}], do: [obscure]"
    for x, is_obscured in ((9, False), (14, True)):
        made = ground(says).add("a", "red", (3, 5)).add("c", "blue", (x, 5))
        battle = made.battle()
        one, by = battle.state.operatives["a"], battle.state.operatives["c"]
        assert rule_on(battle, by, one, ()).is_obscured == is_obscured


def test_a_moment_within_a_moment_says_against_whom() -> None:
    text = "Once during each of this operative's activations, if it incapacitates {}, it regains 2 lost wounds."
    assert rules(text.format("an enemy operative"))[0]["foe"] == "enemy"
    narrowed = rules(text.format("a wounded enemy operative"))[0]["foe"]
    assert narrowed == {"is": "enemy", "that": ["wounded"]}
    shooting = "Whenever this operative is shooting a ready enemy operative, if it incapacitates {}, you gain 1CP."
    assert rules(shooting.format("that enemy operative"))[0]["foe"] == {"is": "enemy", "that": ["ready"]}
    assert not read(shooting.format("a wounded enemy operative")).rules


def _kills(made: Field, id: str) -> Any:
    def procedure(battle: Battle) -> Steps[None]:
        yield Wounded(id, 99, "a test", "a")
        yield from remove_incapacitated(battle)

    return made.play(procedure, Answers())


def test_a_friend_that_falls_to_it_is_no_enemy() -> None:
    gains = "of: a, name: X, on: incapacitates, foe: enemy, do: [{points: 1, of: Praise}]"
    grim = "of: a, name: Y, on: always, if: [{killed: true, during: turning-point}], do: [{stat: move, by: 2}]"
    for id, gained, move in (("b", 0, 6), ("c", 1, 8)):
        made = ground(gains, grim).add("a", "red", (3, 5), wounds=5).add("b", "red", (6, 5)).add("c", "blue", (9, 5))
        game = _kills(made, id)
        assert game.state.notes.get("red:points:Praise", 0) == gained
        assert game.battle.move(who(game, "a")).value == move


def test_twice_in_a_battle_is_not_twice_in_an_activation() -> None:
    refusal = "This operative cannot perform this action more than twice per battle."
    [rule] = rules(f"This operative regains 1 lost wound. {refusal}", "action")
    assert rule["limit"] == [{"twice": "battle", "each": True}]
    for limit, can_repeat in (("{twice: battle, each: true}", False), ("{twice: activation}", True)):
        made = ground(f"of: a, name: Mend, action: 1AP, limit: [{limit}], do: [{{heal: 1, who: self}}]")
        made.add("a", "red", (3, 5), ranged(), melee())
        battle = made.game(acting("a")).battle
        one = battle.state.operatives["a"]
        mend = next(each for each in battle.actions(one) if each.name == "Mend")
        assert battle.state.activation is not None
        battle.state.activation.actions.append("Mend")
        assert (refuses_to_repeat(battle, one, mend) is None) == can_repeat


TOKENS = (
    "Up to two friendly MOTH OFFICE operatives gain one of your Ink tokens. Whenever a friendly MOTH OFFICE operative "
    "that has one of your Ink tokens is fighting, its melee weapons have the Shock weapon rule. "
)


def test_tokens_that_are_taken_away_in_the_next_ready_step() -> None:
    text = f"{TOKENS}In the Ready step of the next Strategy phase, remove all of your Ink tokens."
    [rule] = rules(text, "strategy", of_operative=False)
    assert rule["do"][1] == {"token": "Ink", "until": ["next-ready-step"], "who": "picked"}
    for other in ("remove all of your Dust tokens", "remove all Ink tokens that nobody wants"):
        reading = read(f"{TOKENS}In the Ready step of the next Strategy phase, {other}.", "strategy", False)
        assert [each.do for each in reading.rules] == [(Term("card"),)], "what is taken back unread is not enforced"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("At the start of this operative's activation, it regains 1 lost wound.", {"on": "activated"}),
        (
            'Whenever an enemy operative ends an action in which it moves within 3" of this operative, inflict 1 '
            "damage on it.",
            {"on": "done", "who": "enemy", "if": [{"moved": True, "during": "action"}, {"within": 3, "of": "self"}]},
        ),
        (
            "When a friendly MOTH OFFICE operative is activated, it can immediately perform a free Dash action, even "
            "if it has performed the Charge action.",
            {"who": OFFICE, "do": [{"free-action": ["Dash"], "in-spite-of": ["Charge"]}]},
        ),
    ],
)
def test_more_ways_to_say_it(text: str, expected: dict[str, Any]) -> None:
    [rule] = rules(text)
    assert {key: rule[key] for key in expected} == expected


def test_what_holds_for_those_who_did_something_does_not_hold_for_all() -> None:
    twice = "This operative can perform two Fight actions during its activation"
    assert rules(f"{twice}.")[0]["do"] == [{"allow": ["Fight"], "times": 2}]
    barred = "it cannot perform the Shoot action during that activation if it does so"
    assert not read(f"{twice}, but {barred}.").rules


def test_further_in_a_counteraction_is_further_than_a_counteraction_lets_it() -> None:
    says = "id: on, name: On, ploy: firefight, cost: 0, on: counteracts, who: friend, do: [{move-extra: 2}], "
    for ploy, far in (("on#0", 4), ("no", 2)):
        made = ground(f"{says}until: activation").add("a", "red", (3, 5), ranged(), melee(), is_ready=False)
        made.add("c", "blue", (18, 5))
        choose = {"counteract": "a", "ploy": ploy, "action": "Reposition", "move": (at(3 + far - 0.1, 5),)}
        answers = Answers((), choose)
        made.play(lambda battle: counteract(battle, "red"), answers)
        assert [each.allowance for each in answers.asked if isinstance(each, Walk)] == [far]


def test_nobody_is_in_cover_while_nobody_shoots() -> None:
    always = "name: X, kind: faction, on: always, who: friend, if: [{not: [in-cover]}], do: [{stat: move, by: 1}]"
    assert lacks(always) == ["in-cover from nobody"]
    assert lacks(always.replace("always", "shot-at, foe: anyone").replace("move", "save")) == []
    assert lacks(always.replace("{stat: move, by: 1}", "forbid-target")) == []


def test_the_first_of_many_is_not_any_of_them() -> None:
    text = "Use this firefight ploy when you activate {} friendly MOTH OFFICE operative. Until the end of that "
    text += "activation, add 1 to its APL stat."
    assert rules(text.format("a"), "firefight", of_operative=False)[0]["who"] == OFFICE
    assert not read(text.format("your first"), "firefight", False).rules


def test_the_weapons_of_that_operative_are_those_of_whoever_shoots() -> None:
    text = (
        "Whenever an operative is shooting this operative, subtract 1 from both Dmg stats of that operative's weapons."
    )
    [rule] = rules(text)
    assert rule["do"] == [{"stat": "damage", "by": -1, "who": "foe"}]
    says = "of: a, name: X, on: shot-at, foe: anyone, do: [{stat: damage, by: -1, who: foe}]"
    for id, left in (("a", 6), ("b", 4)):
        made = ground(says).add("a", "red", (3, 5)).add("b", "red", (3, 9)).add("c", "blue", (9, 7), ranged())
        answers = Answers([(3, 3, 1, 1), (1, 1, 1)], {"target": id})
        assert who(made.play(acting("c", Shoot()), answers), id).wounds == left


def test_weapon_rules_that_are_taken_away() -> None:
    text = "Remove the Piercing weapon rule from friendly MOTH OFFICE operatives' ranged weapons."
    [rule] = rules(text, "equipment", of_operative=False)
    assert rule["who"] == OFFICE
    assert rule["do"] == [{"remove-rule": ["Piercing"], "weapons": ["ranged"]}]
    assert not read(text.replace("Piercing", "Sticky"), "equipment", False).rules


def test_whom_a_ploy_has_to_be_used_for() -> None:
    text = (
        "You can use the Tea Break firefight ploy for 0CP if the specified friendly {} operative has a Conceal order."
    )
    for words, keywords in (("MOTH OFFICE", ["moth office"]), ("MOTH OFFICE CLERK", ["moth office & clerk"])):
        [rule] = rules(text.format(words))
        specified = {"is": "friend", "keyword": keywords, "that": [{"order": "conceal"}]}
        assert rule["do"] == [{"ploy-cost": ["Tea Break"], "cp": 0, "specified": specified}]


NEAR = {"is": "enemy", "that": [{"within": 3, "of": "who"}]}
FAR_OFF = {"is": "enemy", "that": [{"not": [{"more-than": 8, "from": "who"}]}]}
BOTH = {"is": "enemy", "that": ["wounded", {"within": 3, "of": "who"}]}


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ('every enemy operative is more than 8" from it', {"not": [{"exists": FAR_OFF}]}),
        ('an enemy operative is wounded and within 3" of it', {"exists": BOTH}),
        ('no enemy operatives are within 3" of it', {"not": [{"exists": NEAR}]}),
        ('any enemy operatives are within 3" of it', {"within": 3, "about": "enemy", "of": "who"}),
        ('it is within 3" of another enemy operative', {"within": 3, "of": {"is": "enemy", "other": True}}),
    ],
)
def test_how_many_it_has_to_be_true_of(said: str, expected: dict[str, Any]) -> None:
    [rule] = rules(f"Whenever this operative is activated, if {said}, it regains 1 lost wound.")
    assert rule["if"] == [expected]


@pytest.mark.parametrize(
    "said",
    [
        'it is within 3" of two other friendly MOTH OFFICE operatives',
        "it is visible to all enemy operatives",
        "it is within control range of each enemy operative",
        'two enemy operatives are within 3" of it',
    ],
)
def test_one_of_them_is_not_enough(said: str) -> None:
    assert not read(f"Whenever this operative is activated, if {said}, it regains 1 lost wound.").rules


@pytest.mark.parametrize(("far", "healed"), [((9, 20), 0), ((19, 20), 1)])
def test_all_of_them_have_to_be_far(far: tuple[float, float], healed: int) -> None:
    near = "{exists: {is: enemy, that: [{not: [{more-than: 8, from: who}]}]}}"
    made = ground(f"of: a, name: X, on: activated, if: [{{not: [{near}]}}], do: [{{heal: 1}}]").add("a", "red", (3, 5))
    for number, x in enumerate(far):
        made.add(f"c{number}", "blue", (x, 5))
    made.state.operatives["a"].wounds = 5
    game = made.play(activating("a"), Answers((), {"order": "engage", "action": "pass"}))
    assert who(game, "a").wounds == 5 + healed


def test_the_first_time_of_each_of_them() -> None:
    text = 'The first time {} activated within 3" of this operative during each turning point, inflict 1 damage on it.'
    assert rules(text.format("each enemy operative is"))[0]["if"][1] == {"first-time": "turning-point", "each": True}
    assert rules(text.format("an enemy operative is"))[0]["if"][1] == {"first-time": "turning-point"}


def test_another_enemy_is_not_the_one_it_is_about() -> None:
    says = (
        "of: a, name: X, on: activated, who: enemy, do: [{damage: 2, who: {is: enemy, other: true, that: [{within: 3, "
    )
    made = ground(f"{says}of: who}}]}}}}]").add("a", "red", (3, 5)).add("c", "blue", (9, 5)).add("d", "blue", (11, 5))
    game = made.play(activating("c"), Answers((), {"order": "engage", "action": "pass"}))
    assert [who(game, id).wounds for id in ("a", "c", "d")] == [10, 10, 8]


def test_who_is_shot_instead_is_as_hidden_as_the_text_says() -> None:
    """Both are as for the original target; a text that says so of cover alone leaves whether it is obscured open."""
    text = (
        "Use this firefight ploy when a friendly MOTH OFFICE CLERK operative is selected as the valid target of a "
        'Shoot action. Select one other friendly MOTH OFFICE operative visible to and within 3" of that first friendly '
        "operative to become the valid target instead. That other operative is only in cover{} if the original "
        "target was."
    )
    [rule] = rules(text.format(" or obscured"), "firefight", of_operative=False)
    assert rule["do"][1] == {"redirect": True, "who": "picked"}
    reading = read(text.format(""), "firefight", False)
    assert all(each.do == (Term("card"),) for each in reading.rules)
    assert reading.unread
