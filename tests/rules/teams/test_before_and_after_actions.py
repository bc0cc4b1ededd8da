"""What is used between the actions of a counteraction, and actions that count as others. All texts are invented."""

from __future__ import annotations

from typing import Any

import pytest
from engine_help import Answers, Field, at, melee, ranged
from language_help import ground
from test_team_reading import rules

from ktsim.game.game import Game
from ktsim.rules.engine.action import Action, refuses, refuses_to_repeat
from ktsim.rules.engine.battle import Battle
from ktsim.rules.engine.decisions import Pick, Steps
from ktsim.rules.engine.operative_events import ActionBegan, ActivationBegan
from ktsim.rules.killzone.guard import Guard
from ktsim.rules.kt24.close_quarters import HatchwayFight, HatchwayFightRule
from ktsim.rules.kt24.fight import Fight
from ktsim.rules.kt24.moves import Dash
from ktsim.rules.kt24.shoot import Shoot
from ktsim.rules.kt24.turn import choose_counteraction, counteract

# -- between the actions of a counteraction ----------------------------------------------------------

TAR = (
    "name: Tar, ploy: firefight, cost: 1, on: {activation: true, or-counteraction: true}, who: friend, do: [{pick: {is:"
    " enemy, that: [{within: 7, of: who}]}}, {token: Tar, who: picked}]"
)
RUSH = "name: Rush, ploy: firefight, cost: 1, on: {counteracts: true, throughout: true}, who: friend, do:"
RUSH += " [{extra-action: 1}], until: activation"


def late(*written: str, apart: float = 8, cp: int = 1) -> Field:
    """A of red has been activated, and may counteract."""
    made = ground(*written, cp=cp).add("a", "red", (3, 5), ranged(), melee(), is_ready=False)
    return made.add("e", "blue", (4 + apart, 5), wounds=30)


def countering(made: Field, *actions: str, dice: Any = (), **choose: Any) -> tuple[Game, Answers]:
    def procedure(battle: Battle) -> Steps[None]:
        yield from counteract(battle, "red")

    answers = Answers(dice, {"counteract": "a", "action": list(actions), **choose})
    return made.play(procedure, answers), answers


def asked_for_actions(answers: Answers) -> list[list[str]]:
    return [list(each.open_keys) for each in answers.asked if isinstance(each, Pick) and each.topic == "action"]


def test_a_ploy_can_be_used_after_the_action_of_a_counteraction() -> None:
    game, answers = countering(late(TAR), "Dash", "Tar (1CP)", move=[(at(5, 5),)])
    assert game.state.operatives["e"].tokens == {"red:Tar": 1}
    assert "Tar (1CP)" not in asked_for_actions(answers)[0], "nobody is near enough yet"
    assert asked_for_actions(answers)[1] == ["Tar (1CP)", "pass"], "no second action"


def test_who_counteracts_may_let_it_be() -> None:
    game, _ = countering(late(TAR), "Dash", "pass", move=[(at(5, 5),)])
    assert (game.state.operatives["e"].tokens, game.state.cp["red"]) == ({}, 1)


@pytest.mark.parametrize(("cp", "apart"), [(0, 8), (1, 12)])
def test_where_nothing_can_be_used_any_more_nobody_is_asked(cp: int, apart: float) -> None:
    _, answers = countering(late(TAR, cp=cp, apart=apart), "Dash", move=[(at(5, 5),)])
    assert len(asked_for_actions(answers)) == 1


def test_a_ploy_of_activations_is_none_of_counteractions() -> None:
    _, answers = countering(late(TAR.replace(", or-counteraction: true", "")), "Dash", move=[(at(5, 5),)])
    assert len(asked_for_actions(answers)) == 1


@pytest.mark.parametrize("actions", [("Rush (1CP)", "Dash", "Shoot"), ("Dash", "Rush (1CP)", "Shoot")])
def test_what_is_used_while_counteracting_is_used_before_or_after_an_action(actions: tuple[str, ...]) -> None:
    dice = [(3, 3, 3, 3), (1, 1, 1)]
    game, answers = countering(late(RUSH), *actions, dice=dice, move=[(at(5, 5),)])
    assert game.state.operatives["e"].wounds == 18
    assert len(asked_for_actions(answers)) == 3


@pytest.mark.parametrize(
    ("when", "moment"),
    [
        ("is counteracting", {"counteracts": True, "throughout": True}),
        ("counteracts", "counteracts"),
        ("is counteracting, before it performs any actions", "counteracts"),
    ],
)
def test_when_a_ploy_about_counteractions_is_used(when: str, moment: Any) -> None:
    more = "It can perform an additional 1AP action for free during that counteraction, but both actions must be"
    more += " different."
    (rule,) = rules(f"Use this firefight ploy when a friendly MOTH OFFICE operative {when}. {more}", "firefight")
    assert rule["on"] == moment


# -- actions that count as others --------------------------------------------------------------------

TWICE = "name: Drill, on: always, who: friend, do: [{allow: [Fight, Shoot], times: 2EITHER}]"
EITHER = TWICE.replace("EITHER", ", either: true")
BOTH = TWICE.replace("EITHER", "")


def after_these(made: Field, *done: str, kind: str = "activation") -> Battle:
    """A has performed these actions and may perform more."""

    def procedure(battle: Battle) -> Steps[None]:
        yield ActivationBegan("a", "activation" if kind == "activation" else "counteraction", "engage", 3)
        for each in done:
            yield ActionBegan("a", each, 0)

    return made.play(procedure).battle


def drilled(says: str) -> Field:
    return ground(says).add("a", "red", (5, 5), ranged(), melee(), apl=3).add("e", "blue", (6.2, 5))


FIGHT, HATCH, SHOOT, GUARD = Fight(), HatchwayFight(), Shoot(), Guard()


def repeats(says: str, action: Action, *done: Action) -> bool:
    battle = after_these(drilled(says), *(each.name for each in done))
    return refuses_to_repeat(battle, battle.state.operatives["a"], action) is None


@pytest.mark.parametrize("says", [EITHER, BOTH])
@pytest.mark.parametrize(
    ("first", "then"),
    [(FIGHT, FIGHT), (FIGHT, HATCH), (HATCH, FIGHT), (HATCH, HATCH), (SHOOT, GUARD), (GUARD, SHOOT)],
)
def test_two_actions_of_a_kind_may_be_of_different_names(says: str, first: Action, then: Action) -> None:
    assert repeats(says, then, first)
    assert not repeats(says, then, first, then), "two, not three"


@pytest.mark.parametrize(("says", "is_allowed"), [(EITHER, False), (BOTH, True)])
@pytest.mark.parametrize("two", [(FIGHT, FIGHT), (HATCH, FIGHT), (FIGHT, HATCH)])
def test_either_two_of_the_one_or_two_of_the_other(says: str, is_allowed: bool, two: tuple[Action, Action]) -> None:
    assert repeats(says, SHOOT, *two, SHOOT) == is_allowed
    assert repeats(says, GUARD, *two, SHOOT) == is_allowed
    assert repeats(says, SHOOT, *two), "the first of them"


def test_an_action_that_is_left_out_is_left_out_though_it_counts_as_another() -> None:
    says = BOTH.replace("times: 2", "times: 2, except: [Guard]")
    assert repeats(says, SHOOT, SHOOT)
    assert not repeats(says, GUARD, SHOOT)


@pytest.mark.parametrize(
    ("done", "offered"),
    [("Hatchway Fight", []), ("Fight", []), ("Dash", ["Fight", "Hatchway Fight"])],
)
def test_both_actions_of_a_counteraction_differ_by_what_they_count_as(done: str, offered: list[str]) -> None:
    made = late(RUSH, apart=0.2)
    made._rules = (*made._rules, HatchwayFightRule())
    battle = after_these(made, done, kind="counteraction")
    asked: Any = next(iter(choose_counteraction(battle, battle.state.operatives["a"], may_act=True)))
    assert [each.key for each in asked.options if "Fight" in each.key] == offered


NOT_BOTH = (
    "name: Order, on: counteracts, who: friend, do: [{extra-action: 1, not-both: [Shoot, Fight]}], until: activation"
)


@pytest.mark.parametrize(("done", "action", "is_barred"), [
    ("Hatchway Fight", SHOOT, True),
    ("Hatchway Fight", FIGHT, False),
    ("Fight", HATCH, False),
    ("Dash", SHOOT, False),
])  # fmt: skip
def test_not_both_of_two_actions_in_one_counteraction(done: str, action: Action, is_barred: bool) -> None:
    made = ground(NOT_BOTH).add("a", "red", (5, 5), ranged(), melee(), apl=3).add("e", "blue", (6.2, 5))

    def procedure(battle: Battle) -> Steps[None]:
        who = battle.state.operatives["a"]
        yield ActivationBegan("a", "counteraction", "engage", 3)
        for rule in battle.in_turn("activation_begins"):
            yield from rule.activation_begins(battle, who)
        yield ActionBegan("a", done, 0)

    battle = made.play(procedure).battle
    claims = [rule.claim(battle, battle.state.operatives["a"], action) for rule in battle.having("claim")]
    assert any(claim is not None for claim in claims) == is_barred


def test_an_action_that_is_barred_is_barred_by_whatever_name() -> None:
    says = "name: Parry, ploy: firefight, cost: 1, on: doing(Fight), who: enemy, do: [{cancel: true, refund: true}]"
    made = ground(says, cp=1, side="blue").add("a", "red", (5, 5), ranged(), melee(), apl=3).add("e", "blue", (6.2, 5))
    game = made.act("a", Fight(), choose={"ploy": "parry#0"})
    who = game.state.operatives["a"]
    assert game.state.cp["blue"] == 0
    assert [refuses(game.battle, who, each) for each in (FIGHT, HATCH)] == [
        "Fight: not any more now.",
        "Hatchway Fight: not any more now.",
    ]
    assert refuses(game.battle, who, Dash()) != "Dash: not any more now."
