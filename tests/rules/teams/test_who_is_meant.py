"""Who 'they', 'it' and 'another' are, for whom and for how long something holds: what is read is what is played, or it
is not read. All texts are invented."""

from __future__ import annotations

from typing import Any

import pytest
from engine_help import Answers, Field, acting, melee, ranged
from language_help import activating, ground, lacks
from team_help import who
from test_team_reading import read, rules

from ktsim.rules.engine.action import Action
from ktsim.rules.kt24.shoot import Shoot

NEAR = {"is": "enemy", "that": [{"within": 2, "of": "self"}]}
STRIKES = 'Inflict 1 damage on each enemy operative within 2" of this operative. '
LATER = "until the end of their next activations"


# -- they ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("more", "effect"),
    [
        (f"Subtract 1 from the APL stat of each of those operatives {LATER}.", {"stat": "apl", "by": -1}),
        (f"Subtract 1 from their APL stats {LATER}.", {"stat": "apl", "by": -1}),
        (f'Subtract 2" from the Move stat of each of them {LATER}.', {"stat": "move", "by": -2}),
        ("Each of those operatives gains one of your Ink tokens.", {"token": "Ink"}),
    ],
)
def test_they_are_the_group_that_was_spoken_of(more: str, effect: dict[str, Any]) -> None:
    [rule] = rules(STRIKES + more, "action")
    damage, last = rule["do"]
    assert damage == {"damage": 1, "who": NEAR}
    assert last["who"] == NEAR
    assert effect.items() <= last.items()


def test_they_are_not_the_one_a_moment_names() -> None:
    text = "Whenever this operative is activated, inflict 1 damage on each enemy operative within its control range. "
    [rule] = rules(text + "Until the end of that activation, they cannot retaliate.")
    assert {each["who"]["is"] for each in rule["do"]} == {"enemy"}


@pytest.mark.parametrize(
    "more",
    [
        f"If they are wounded, subtract 1 from their APL stats {LATER}.",
        f"Subtract 1 from the APL stat of that operative {LATER}.",
        f"Subtract 1 from the APL stat of each of those friendly operatives {LATER}.",
    ],
)
def test_where_nobody_fits_the_sentence_is_not_understood(more: str) -> None:
    assert read(STRIKES + more, "action").unread


def test_whom_an_action_harms_is_those_it_was_used_against() -> None:
    [rule] = rules(STRIKES + f'Subtract 2" from the Move stat of each of them {LATER}.', "action")
    assert rule["do"][1]["until"] == ["next-activation-end"]
    says = (
        "of: a, name: Gust, action: 1AP, on: used, do: [{damage: 1, who: {is: enemy, that: [{within: 2, of: self}]}}, "
    )
    says += "{stat: move, by: -2, until: next-activation-end, who: {is: enemy, that: [{within: 2, of: self}]}}]"
    made = ground(says).add("a", "red", (3, 5)).add("c", "blue", (5.5, 5)).add("d", "blue", (12, 5))
    game = made.act("a", _action(made, "Gust"))
    assert [game.battle.move(who(game, id)).value for id in ("a", "c", "d")] == [6, 4, 6]


def _action(made: Field, name: str) -> Action:
    return next(each for each in made.battle().actions(made.state.operatives["a"]) if each.name == name)


def test_a_token_is_taken_from_one_and_that_one_is_harmed() -> None:
    text = 'Remove one of your Ink tokens from an enemy operative within 8" of this operative. '
    [rule] = rules(f"{text}If you do, inflict D3+1 damage on that operative.", "action")
    whom = {"is": "enemy", "that": [{"within": 8, "of": "self"}, {"token": "Ink"}]}
    assert rule["do"] == [{"pick": whom}, {"lose-token": "Ink", "who": "picked"}, {"damage": "D3+1", "who": "picked"}]


# -- it ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "narrowed"),
    [
        (
            'Enemy operatives that are visible to this operative and within 6" of it cannot be obscured.',
            [{"visible": "self"}, {"within": 6, "of": "self"}],
        ),
        (
            'Add 1" to the Move stat of friendly MOTH OFFICE operatives that are within 3" of this operative and '
            "visible to it.",
            [{"within": 3, "of": "self"}, {"visible": "self"}],
        ),
        (
            'Whenever a friendly MOTH OFFICE operative that is visible to this operative and within 3" of it is '
            "shooting, its ranged weapons have the Balanced weapon rule.",
            [{"visible": "self"}, {"within": 3, "of": "self"}],
        ),
        (
            'Whenever a friendly MOTH OFFICE operative is shooting an enemy operative within 3" of it, its ranged '
            "weapons have the Balanced weapon rule.",
            None,
        ),
    ],
)
def test_beside_this_operative_it_is_this_operative(text: str, narrowed: Any) -> None:
    [rule] = rules(text)
    if narrowed is None:
        assert rule["foe"]["that"] == [{"within": 3, "of": "who"}]
    else:
        assert rule["who"]["that"] == narrowed


def test_of_two_that_it_may_be_neither_is_taken() -> None:
    text = (
        'Whenever an enemy operative is shooting a friendly MOTH OFFICE operative that is within 2" of this operative '
    )
    assert read(f'{text}and not within 2" of it, you can re-roll one of your defence dice.').unread


def test_nobody_is_near_itself() -> None:
    says = "of: a, name: Gaze, on: always, who: {is: enemy, that: [{within: 6, of: who}]}, do: [{reveal: obscured}]"
    assert lacks(says) == ["somebody compared with itself"]
    assert lacks(says.replace("of: who", "of: self")) == []


AT_DESK = "of: a, name: Desk, on: shooting, who: {is: friend, that: [{within: 3, of: self}]}, foe: {is: enemy, that: "
AT_DESK += "[{within: 3, of: {is: friend, other: true}}]}, do: [{grant: [Balanced]}]"


@pytest.mark.parametrize(("a", "b", "granted"), [((3, 5), (5, 5), []), ((5, 5), (3, 5), ["Balanced"])])
def test_another_is_another_than_who_shoots(a: Any, b: Any, granted: list[str]) -> None:
    made = ground(AT_DESK).add("a", "red", a).add("b", "red", b, ranged()).add("c", "blue", (7.5, 5))
    battle = made.battle()
    b_, c = battle.state.operatives["b"], battle.state.operatives["c"]
    assert [rule.text for rule in battle.weapon_rules(b_, ranged(), c)] == granted


# -- how long, and for whom ----------------------------------------------------------------------------


@pytest.mark.parametrize(("until", "criticals"), [("action", [4, 4]), ("sequence", [4, 0])])
def test_until_the_end_of_that_action_is_also_against_the_others_of_a_blast(until: str, criticals: list[int]) -> None:
    says = "name: Ember, ploy: firefight, cost: 1, on: shooting, who: friend, do: [{grant: [Lethal 5+]}], until: "
    made = ground(says + until, cp=1).add("a", "red", (3, 5), ranged('Blast 2"', damage=(1, 2)))
    made.add("c", "blue", (9, 5), wounds=30).add("d", "blue", (10.2, 5), wounds=30)
    answers = Answers([(5, 5, 5, 5), (1, 1, 1), (5, 5, 5, 5), (1, 1, 1)], {"ploy": ["ember#0"], "target": ["c"]})
    game = made.play(acting("a", Shoot()), answers)
    assert [30 - who(game, id).wounds - 4 for id in ("c", "d")] == criticals


def test_what_holds_for_whoever_is_near_is_not_for_those_who_were() -> None:
    text = 'Until the end of the turning point, {} within 3" of this operative {}.'
    for whom, does, effect in (
        ("friendly MOTH OFFICE operatives", "have a 3+ Save stat", {"stat": "save", "set": 3}),
        ("enemy operatives", "cannot perform the Dash action", {"forbid": ["Dash"]}),
    ):
        [rule] = rules(text.format(whom, does), "action")
        [then] = rule["then"]
        assert "do" not in rule
        assert then["on"] == "always"
        assert then["do"] == [effect]
        assert then["who"]["that"] == [{"within": 3, "of": "self"}]
    each = 'Subtract 1 from the APL stat of each enemy operative within 2" of this operative until the end of its next '
    [rule] = rules(f"{each}activation.", "action")
    assert rule["do"][0]["who"] == NEAR
    assert "then" not in rule


def test_an_aura_of_an_action_is_had_by_who_comes_near() -> None:
    says = (
        "of: a, name: Lamp, action: 1AP, on: used, then: [{on: always, who: {is: friend, other: true, that: [{within: "
    )
    says += "3, of: self}]}, do: [{stat: save, set: 3}], until: turning-point}]"
    made = (
        ground(says).add("a", "red", (3, 5)).add("b", "red", (5, 5)).add("d", "red", (12, 5)).add("c", "blue", (20, 5))
    )
    game = made.act("a", _action(made, "Lamp"))
    b, d = who(game, "b"), who(game, "d")
    assert [game.battle.save(each).value for each in (b, d)] == [3, 4]
    b.x, d.x = d.x, b.x
    assert [game.battle.save(each).value for each in (b, d)] == [4, 3]


def test_a_permission_is_no_condition() -> None:
    text = (
        "Friendly MOTH OFFICE operatives can perform mission actions for 1 less AP and while within control range of "
    )
    assert read(f"{text}enemy operatives.", "strategy").unread
    assert not read("Friendly MOTH OFFICE operatives can perform mission actions for 1 less AP.", "strategy").unread


def test_a_rule_within_a_rule_goes_on_when_its_effect_ends() -> None:
    text = 'Select one enemy operative within 8" of this operative. It gains one of your Ink tokens. Whenever an '
    text += 'operative that has one of your Ink tokens is activated, subtract 1" from its Move stat until the end of '
    [rule] = rules(f"{text}that activation and remove that token.", "action")
    [then] = rule["then"]
    assert "until" not in then
    assert then["do"] == [{"stat": "move", "by": -1, "until": ["activation"]}, {"lose-token": "Ink"}]


def test_that_token_is_nothing_where_none_was_spoken_of() -> None:
    assert read("Whenever this operative is activated, remove that token.").unread


FALLS = "name: Cling, ploy: firefight, cost: 1, on: {}, who: {{is: friend, that: [{}]}}, do: [{{survive: 1}}]"


def test_nobody_is_unhurt_as_it_falls() -> None:
    assert lacks(FALLS.format("dying", "{not: [wounded]}")) == ["wounded as it falls"]
    assert lacks(FALLS.format("dying", "{order: engage}")) == []


@pytest.mark.parametrize(
    ("text", "is_read"),
    [
        (
            'Subtract 1 from the APL stat of {} enemy operative within 3" of this operative until the end of its '
            "next activation.",
            0,
        ),
        ("Change {} enemy operative's order to Engage.", 0),
        ('Inflict 1 damage on {} enemy operative within 3" of this operative.', 1),
    ],
)
def test_one_of_many_is_not_all_of_them(text: str, is_read: bool) -> None:
    assert bool(read(text.format("an"), "action").unread) is not bool(is_read)
    assert not read(text.format("each"), "action").unread


ABREAST = (
    "of: a, name: Abreast, on: fighting, who: {is: friend, that: [{within: 3, of: {is: friend, other: true}}]}, do: "
)
ABREAST += "[{grant: [Rending]}]"


@pytest.mark.parametrize(("x", "granted"), [(5, ["Rending"]), (20, [])])
def test_another_is_another_than_who_is_narrowed(x: float, granted: list[str]) -> None:
    made = ground(ABREAST).add("a", "red", (x, 5)).add("b", "red", (3, 5), melee()).add("c", "blue", (3, 6))
    battle = made.battle()
    b, c = battle.state.operatives["b"], battle.state.operatives["c"]
    battle.duelling = ("b", "c")
    assert [rule.text for rule in battle.weapon_rules(b, melee(), c)] == granted


def test_what_follows_from_an_action_happens_at_its_moment() -> None:
    says = "of: a, name: Blot, action: 1AP, on: used, do: [{pick: {is: enemy, that: [{within: 8, of: self}]}}, {token: "
    says += (
        "Ink, who: picked}], then: [{on: activated, who: {is: anyone, that: [{token: Ink}]}, do: [{stat: move, by: -1, "
    )
    says += "until: activation}, {lose-token: Ink}]}]"
    made = ground(says).add("a", "red", (3, 5)).add("c", "blue", (8, 5))
    made.state = made.act("a", _action(made, "Blot")).state
    assert made.state.operatives["c"].tokens == {"red:Ink": 1}
    game = made.game(activating("c"))
    while game.pending is not None and game.pending.topic != "action":
        game.submit(game.pending.default)
    assert game.battle.move(who(game, "c")).value == 5
    assert who(game, "c").tokens == {}
