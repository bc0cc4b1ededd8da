"""What comes before and after what: rules of an action for free, actions that follow, whom nobody chooses twice; and
more words for what is known. All texts are invented; each has the case just outside it."""

from __future__ import annotations

from typing import Any

import pytest
from engine_help import Answers, Field, melee, ranged
from language_help import ground
from test_team_reading import OFFICE, read, rules
from test_team_reading_forms import status

from ktsim.rules.engine.activation import perform
from ktsim.rules.engine.battle import Battle
from ktsim.rules.engine.decisions import Steps

M = "MOTH OFFICE"


def three(*written: str, x: float = 10, **more: Any) -> Field:
    """A and B of red, C of blue."""
    made = ground(*written, **more).add("a", "red", (3, 5), ranged(), melee())
    return made.add("b", "red", (6, 5), ranged(), melee()).add("c", "blue", (x, 5), ranged(), melee())


# -- during an action for free -----------------------------------------------------------------------

RUSH = "Perform a free Fight action with this operative. {}, {}."


def test_what_holds_during_an_action_begins_with_it() -> None:
    text = RUSH.format("Until the end of that action", "its melee weapons have the Accurate 2 weapon rule")
    [rule] = rules(text, "action")
    assert rule["do"] == [
        {"grant": ["Accurate 2"], "until": ["action"], "weapons": ["melee"], "who": "self"},
        {"free-action": ["Fight"], "who": "self"},
    ]
    assert status(text, "action") == "enforced"
    longer = RUSH.format("Until the end of the turning point", "its melee weapons have the Rending weapon rule")
    assert rules(longer, "action")[0]["do"][0] == {"free-action": ["Fight"], "who": "self"}


def test_a_stat_that_changes_after_the_action_does_not_hold_during_it() -> None:
    text = RUSH.format("Until the end of that action", "add 1 to the Atk stat of its melee weapons")
    assert status(text, "action") != "enforced"


def test_a_ploy_for_an_action_that_may_not_come_is_not_understood() -> None:
    text = (
        f"Use this firefight ploy when a friendly {M} operative is activated. That operative can perform a free Fight "
    )
    text += "action. Until the end of that action, its melee weapons have the Rending weapon rule."
    assert status(text, "firefight") != "enforced"


def test_dice_of_the_action_have_the_rule() -> None:
    says = "of: a, name: Rush, action: 1AP, on: used, do: [{grant: [Accurate 2], weapons: [melee], who: self, "
    made = three(f"{says}until: [action]}}, {{free-action: [Fight], who: self}}]", x=4.2)

    def procedure(battle: Battle) -> Steps[None]:
        a = battle.state.operatives["a"]
        [rush] = [each for each in battle.actions(a) if each.name == "Rush"]
        yield from perform(battle, a, rush, 0)

    answers = Answers([(1, 1), (1, 1, 1, 1)])
    game = made.play(procedure, answers)
    assert "accurate" in answers.topics
    assert game.state.effects == []


# -- what follows an action --------------------------------------------------------------------------


def test_what_somebody_then_performs_comes_after() -> None:
    text = f"Whenever a friendly {M} operative performs the Fall Back action, it can {{}}perform a "
    text += "free Dash action."
    [rule] = rules(text.format("then "), "strategy", of_operative=False)
    assert rule["do"] == [{"free-action": ["Dash"], "afterwards": True}]
    assert status(text.format("then "), "strategy") == "enforced"
    [rule] = rules(text.format(""), "strategy", of_operative=False)
    assert rule["do"] == [{"free-action": ["Dash"]}]


def test_somebody_else_acts_before_it_does() -> None:
    text = "Use this firefight ploy when an enemy operative would perform the Fall Back action while "
    text += "within control range "
    text += (
        f"of a friendly {M} operative. Before it does, that friendly operative can perform a free Fight action against "
    )
    [rule] = rules(f"{text}it.", "firefight", of_operative=False)
    assert rule["do"][1] == {"free-action": ["Fight"], "against": "who", "who": "picked"}
    assert read(f"{text}a porter.", "firefight").unread


# -- nobody twice ------------------------------------------------------------------------------------

URGE = f'Select one other friendly {M} operative within 3" of this operative. That operative can '
URGE += "immediately perform a "
URGE += "free Dash action. An operative cannot be selected for this action more than once per {}."


@pytest.mark.parametrize("period", ["turning point", "battle"])
def test_whom_an_action_chooses_once(period: str) -> None:
    text = URGE.format(period)
    [rule] = rules(text, "action")
    assert rule["do"][0]["each-once"] == period.replace(" ", "-")
    assert "limit" not in rule
    assert status(text, "action") == "enforced"
    assert read(URGE.format("rainy day"), "action").unread
    assert status(f"{text} Select one enemy operative. Inflict 1 damage on it.", "action") != "enforced"


def test_whoever_was_chosen_is_not_chosen_again() -> None:
    says = "of: a, name: Soothe, action: 1AP, do: [{pick: {is: friend, other: true}, each-once: turning-point}, "
    made = three(f"{says}{{heal: 1, who: picked}}]").add("d", "red", (3, 8), ranged()).add("e", "red", (6, 8))

    def procedure(battle: Battle) -> Steps[None]:
        for _ in range(2):
            a = battle.state.operatives["a"]
            [soothe] = [each for each in battle.actions(a) if each.name == "Soothe"]
            yield from perform(battle, a, soothe, 0)
            battle.state.activation = None

    answers = Answers(choose={"operative": ["b", "d"]})
    made.play(procedure, answers)
    offered = [[option.key for option in each.options] for each in answers.asked if each.topic == "operative"]  # type: ignore[attr-defined]
    assert offered == [["b", "d", "e"], ["d", "e"]]


# -- more words for what is known --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "text", "meant", "outside"),
    [
        (
            "ability",
            "Once per activation, when this operative is shooting, you can turn one of your fails into "
            "a normal success.",
            "{'convert': 'fail', 'to': 'normal'}",
            ("turn", "swap"),
        ),
        (
            "ability",
            'Enemy operatives within 3" of this operative treat their APL stat as 1 lower when '
            "determining control of a "
            "marker.",
            "{'control-apl': -1}",
            ("a marker", "a desk"),
        ),
        (
            "ability",
            f'Friendly {M} operatives within 6" of this operative ignore changes to their APL stat.',
            "{'ignore-changes': ['apl'], 'from': 'all'}",
            ("Friendly", "One friendly"),
        ),
        (
            "ability",
            "This operative can perform the Dash action after performing the Charge action.",
            "{'allow': ['Dash'], 'after': ['Charge']}",
            ("after", "before"),
        ),
        (
            "action",
            'Change the order of one enemy operative visible to and within 6" of this operative.',
            "{'order': 'change', 'who': 'picked'}",
            ("the order", "the mood"),
        ),
        (
            "action",
            "Change the order of one enemy operative visible to this operative to Conceal.",
            "{'order': 'conceal', 'who': 'picked'}",
            ("to Conceal", "to Hide"),
        ),
        (
            "ability",
            'Whenever an operative is shooting this operative, unless that operative is within 3", '
            "this operative is "
            "obscured.",
            "'if': [{'not': [{'within': 3, 'about': 'foe', 'of': 'who'}]}]",
            ("unless that operative", "unless another operative"),
        ),
        (
            "strategy",
            f"Whenever a friendly {M} operative is shooting against an enemy operative in cover, its "
            "ranged weapons gain "
            "the Saturate weapon rule.",
            "'that': ['in-cover']",
            ("in cover", "in a bad mood"),
        ),
        (
            "ability",
            "Whenever this operative is shooting with its stapler and hasn't performed the Charge "
            "action during the "
            "activation, its stapler has the Accurate 1 weapon rule.",
            "'if': [{'weapon': ['stapler']}, {'not': ['charged']}]",
            ("and hasn't", "and the porter hasn't"),
        ),
        (
            "firefight",
            f"Use this firefight ploy during a friendly {M} operative's activation, before it performs "
            "any actions. Until "
            "the end of that activation, add 1 to its APL stat.",
            "'on': 'activated'",
            ("before it performs any actions", "before it sleeps"),
        ),
        (
            "firefight",
            "Use this firefight ploy when your opponent activates an enemy operative visible to a "
            f"friendly {M} operative. "
            "Until the end of that activation, subtract 2\" from that enemy operative's Move stat.",
            "{'stat': 'move', 'by': -2}",
            ("your opponent activates", "your opponent admires"),
        ),
        (
            "action",
            'Select one enemy operative within 6" of this operative. Inflict D3 damage on it, then '
            "roll one D6: on a 5+, "
            "inflict an additional D3 damage on it.",
            "'do': [{'damage': 'D3', 'who': 'picked'}]",
            ("an additional", "a surprising"),
        ),
        (
            "equipment",
            f'Whenever a friendly {M} operative is dropping, treat the vertical distance as 0".',
            "'drop'",
            ('0"', '2"'),
        ),
        (
            "firefight",
            f"Use this firefight ploy after rolling your attack dice for a friendly {M} operative that "
            "is fighting. You can "
            "re-roll one of your attack dice.",
            "'if': [{'did': ['fighting'], 'during': 'sequence'}]",
            ("is fighting", "is yawning"),
        ),
    ],
)
def test_said_in_more_words(kind: Any, text: str, meant: str, outside: tuple[str, str]) -> None:
    assert meant in str(rules(text, kind, kind in ("ability", "action")))
    assert status(text, kind) == "enforced"
    assert status(text.replace(*outside), kind) != "enforced"


# -- who and how long, in one sentence ---------------------------------------------------------------


@pytest.mark.parametrize("said", ["that operative regains 1 lost wound", "you can activate that operative immediately"])
def test_somebody_a_condition_brings_in_may_be_that_operative(said: str) -> None:
    text = (
        f'Whenever a friendly {M} operative is expended, if another friendly {M} operative within 3" of it is ready, '
    )
    assert status(f"{text}{said}.", "strategy") != "enforced"
    assert status(f"{text}you gain 1CP.", "strategy") == "enforced"


def test_each_thing_lasts_as_long_as_was_said_of_it() -> None:
    text = (
        f'Whenever a friendly {M} operative performs the Charge action, add 1" to its Move stat until the end of that '
    )
    text += "action and, until the end of that activation, its melee weapons have the Balanced weapon rule."
    [rule] = rules(text, "strategy", of_operative=False)
    assert rule["until"] == ["action"]
    assert rule["do"][1] == {"grant": ["Balanced"], "until": ["activation"], "weapons": ["melee"]}
    apart = (
        "Select one enemy operative. Subtract 1 from its APL stat until the end of its next activation and it cannot "
    )
    assert status(f"{apart}perform the Dash action until the end of the turning point.", "action") != "enforced"


# -- whoever is so -----------------------------------------------------------------------------------


@pytest.mark.parametrize("begins", ["If", "While", "As long as"])
def test_whoever_is_so_and_nobody_else(begins: str) -> None:
    text = f'{begins} a friendly {M} operative is within 3" of an objective marker, its weapons have '
    text += "the Accurate 1 weapon "
    [rule] = rules(f"{text}rule.", "strategy", of_operative=False)
    assert (rule["who"], rule["if"]) == (OFFICE, [{"within": 3, "marker": "objective"}])


def test_of_two_nobody_knows_who_it_is() -> None:
    text = 'While an enemy operative is within 3" of this operative, its weapons have the Balanced weapon rule.'
    assert read(text).unread
    assert read(text.replace("its weapons", "this operative's weapons")).unread == ()


def test_somebody_who_is_so_is_enough_for_what_is_of_nobody() -> None:
    text = f'If a friendly {M} operative is within 3" of an objective marker, you gain 1CP.'
    [rule] = rules(text, "strategy", of_operative=False)
    assert rule["do"][0]["if"] == [{"within": 3, "about": OFFICE, "marker": "objective"}]


@pytest.mark.parametrize(
    ("kind", "text", "meant", "outside"),
    [
        (
            "strategy",
            f"Whenever an attack dice inflicts damage of 4 or more on a friendly {M} operative, reduce "
            "that damage by 1.",
            "{'reduce-damage': 1}",
            ("that damage", "that mood"),
        ),
        (
            "strategy",
            f'Enemy operatives within 2" of friendly {M} operatives have their Move stat reduced by 1".',
            "{'stat': 'move', 'by': -1}",
            ("Enemy", "One enemy"),
        ),
        (
            "ability",
            'When shooting with this operative, if the target is within 6", its ranged weapons have '
            "the Accurate 1 weapon "
            "rule.",
            "'if': [{'within': 6, 'about': 'foe', 'of': 'who'}]",
            ("shooting with", "talking to"),
        ),
        (
            "action",
            'For each enemy operative within 3" of this operative, roll one D6: on a 4+, inflict 1 damage on it.',
            "'each': {'is': 'enemy', 'that': [{'within': 3, 'of': 'self'}]}",
            ("on it", "on this operative"),
        ),
        (
            "action",
            'Inflict D3 damage on each operative within 2" of this operative (excluding this operative).',
            "{'is': 'anyone', 'other': True, 'that': [{'within': 2, 'of': 'self'}]}",
            ("(excluding this", "(excluding one"),
        ),
        (
            "strategy",
            f"Add 1 to the Atk stat of the melee weapons of friendly {M} operatives that performed the "
            "Charge action during "
            "that activation.",
            "'that': ['charged']",
            ("weapons of", "moods of"),
        ),
        (
            "equipment",
            f"Once per battle, after you roll your attack dice for a friendly {M} operative, you can turn one of your "
            "fails into a normal success.",
            "{'rolled': 'attack', 'by': 'who'}",
            ("you roll", "you count"),
        ),
        (
            "ability",
            f"Whenever a friendly {M} operative is within 3\" of this operative, that operative's APL stat cannot be "
            "changed.",
            "{'ignore-changes': ['apl'], 'from': 'all'}",
            ("cannot be changed", "cannot be guessed"),
        ),
        (
            "action",
            f'Select one friendly {M} operative within 6" of this operative. That operative can immediately perform a '
            'free Charge action, but cannot move more than 4" while doing so.',
            "'most': 4",
            ("while doing so", "while singing"),
        ),
        (
            "strategy",
            f"Friendly {M} operatives that performed the Charge action during this turning point have the Rending "
            "weapon rule on their melee weapons.",
            "{'grant': ['Rending'], 'weapons': ['melee']}",
            ("on their melee", "near their melee"),
        ),
    ],
)
def test_said_in_still_more_words(kind: Any, text: str, meant: str, outside: tuple[str, str]) -> None:
    assert meant in str(rules(text, kind, kind in ("ability", "action")))
    assert status(text, kind) == "enforced"
    assert status(text.replace(*outside), kind) != "enforced"


def test_everybody_near_but_itself() -> None:
    says = "of: a, name: Shriek, action: 1AP, do: [{damage: 1, who: {is: anyone, other: true, that: [{within: 4, of: "
    made = three(f"{says}self}}]}}}}]")

    def procedure(battle: Battle) -> Steps[None]:
        a = battle.state.operatives["a"]
        [shriek] = [each for each in battle.actions(a) if each.name == "Shriek"]
        yield from perform(battle, a, shriek, 0)

    game = made.play(procedure, Answers())
    assert [game.state.operatives[id].wounds for id in "abc"] == [10, 9, 10]
