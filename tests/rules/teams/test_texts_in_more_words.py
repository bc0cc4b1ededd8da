"""More ways of saying what is known: distances from the other one, several things that are forbidden, what else is so
if something is, until somebody falls, choices that come once. All texts are invented; each has the case just outside
it."""

from __future__ import annotations

from typing import Any

import pytest
from engine_help import Field, melee, ranged
from language_help import ground
from test_team_reading import OFFICE, read, rules
from test_team_reading_forms import status

M = "MOTH OFFICE"


def three(*written: str, x: float = 10, **more: Any) -> Field:
    """A and B of red, C of blue."""
    made = ground(*written, **more).add("a", "red", (3, 5), ranged(), melee())
    return made.add("b", "red", (6, 5), ranged(), melee()).add("c", "blue", (x, 5), ranged(), melee())


# -- distances from the other one --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "foe"),
    [
        (
            f'Whenever an operative more than 6" away is shooting a friendly {M} operative, you can re-roll one of '
            "your defence dice.",
            {"is": "anyone", "that": [{"more-than": 6, "from": "who"}]},
        ),
        (
            f'Whenever a friendly {M} operative is shooting an enemy operative within 6", you can re-roll one of your '
            "attack dice.",
            {"is": "enemy", "that": [{"within": 6, "of": "who"}]},
        ),
    ],
)
def test_a_distance_is_from_the_other_one(text: str, foe: dict[str, Any]) -> None:
    [rule] = rules(text, "strategy", of_operative=False)
    assert (rule["who"], rule["foe"]) == (OFFICE, foe)
    assert status(text, "strategy") == "enforced"
    assert status(text.replace('6"', '6" or so'), "strategy") != "enforced"


def test_a_distance_in_another_place_is_from_nobody() -> None:
    assert read(f'Whenever a friendly {M} operative more than 6" away is activated, it can perform a free Dash.').unread


def test_weapons_that_have_a_rule_while_shooting() -> None:
    text = f"Friendly {M} operatives' staplers have the Stun weapon rule while {{}}."
    [rule] = rules(text.format('shooting an operative within 4"'), "equipment", of_operative=False)
    assert (rule["on"], rule["do"]) == ("shooting", [{"grant": ["Stun"], "weapons": ["stapler"]}])
    assert rule["foe"] == {"is": "anyone", "that": [{"within": 4, "of": "who"}]}
    assert status(text.format('within 4" of a desk'), "equipment") == "shown"


# -- several things that are forbidden ---------------------------------------------------------------


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        (
            "retaliate, climb, or perform the Shoot action",
            ["forbid-retaliation", {"forbid-move": ["climb"]}, {"forbid": ["Shoot"]}],
        ),
        (
            "perform any actions other than Charge and Dash, and cannot use any weapons that aren't on its datacard",
            [{"forbid": ["all"], "except": ["Charge", "Dash"]}, {"forbid-weapons": ["all"], "not-own": True}],
        ),
        ("be given a Conceal order or assist", [{"forbid-order": "conceal"}, "forbid-assist"]),
    ],
)
def test_each_thing_that_is_forbidden(said: str, meant: list[Any]) -> None:
    text = f"This operative cannot {said}."
    assert rules(text)[0]["do"] == meant
    assert status(text, "ability") == "enforced"
    assert read(text.replace(".", " while it has a Conceal order.")).unread  # of which of them?
    assert read(text.replace("cannot", "cannot sleep, or")).unread


def test_this_operative_that_cannot_use_its_rule() -> None:
    text = f"Once per turning point, when another friendly {M} operative would be incapacitated while visible to and "
    text += "within 3\" of this operative, that operative isn't incapacitated and has 1 wound remaining. {} cannot use "
    text += "this rule while it is within control range of an enemy operative."
    [rule] = rules(text.format("This operative"))
    assert {"not": [{"control-range": True, "about": "self"}]} in rule["if"]
    assert read(text.format("The porter")).unread


@pytest.mark.parametrize("period", ["battle", "turning point", "activation"])
def test_what_was_performed_already(period: str) -> None:
    text = (
        "Perform a free Dash action with this operative. This operative cannot perform this action if it has already "
    )
    [rule] = rules(f"{text}performed it during the {period}.", "action")
    assert rule["limit"] == [{"once": period.replace(" ", "-"), "each": True}]
    assert read(f"{text}performed it near the {period}.", "action").unread


# -- what else is so, if something is ----------------------------------------------------------------


@pytest.mark.parametrize("between", ["; ", " and, "])
def test_more_at_the_same_moment_if_something_is_so(between: str) -> None:
    text = (
        f"Whenever an operative is shooting a friendly {M} operative, ignore the Saturate weapon rule{between}if you "
    )
    text += "can retain any cover saves, you can retain one additional cover save."
    [rule] = rules(text, "strategy", of_operative=False)
    assert rule["do"] == [{"ignore-rule": ["Saturate"]}, {"cover-save": "extra", "if": ["has-cover-saves"]}]
    assert status(text, "strategy") == "enforced"


def test_what_is_so_at_another_time_is_not_of_that_moment() -> None:
    text = "Whenever this operative is activated, it regains up to D3 lost wounds; if this operative is in cover, "
    assert read(f"{text}this operative's Move stat is improved by 1.").unread


# -- until somebody falls ----------------------------------------------------------------------------

SALTED = f"Select one friendly {M} operative visible to this operative. {{}}, its melee weapons have the Brutal weapon "
SALTED += "rule."


@pytest.mark.parametrize(
    ("lasts", "until"),
    [
        (
            "Until the end of the turning point or until that operative is incapacitated (whichever comes first)",
            ["turning-point", {"while": [{"not": [{"incapacitated": True, "about": "picked"}]}]}],
        ),
        (
            "Until the end of the turning point or until it's incapacitated (whichever comes first)",
            ["turning-point", {"while": [{"not": [{"incapacitated": True, "about": "picked"}]}]}],
        ),
        (
            "Until the start of this operative's next activation or until it's incapacitated (whichever comes first)",
            ["own-next-activation", "incapacitated"],
        ),
    ],
)
def test_whoever_falls_is_the_one_spoken_of(lasts: str, until: list[Any]) -> None:
    text = SALTED.format(lasts)
    [rule] = rules(text, "action")
    assert rule["do"][1]["until"] == until
    assert status(text, "action") == "enforced"


# -- choices -----------------------------------------------------------------------------------------

TUNES = f"STRATEGIC GAMBIT. Select one of the following for friendly {M} operatives to have until the end of the "
TUNES += (
    "turning point. {}\n- March: Add 1\" to that operative's Move stat.\n- Hush: Whenever an operative is shooting "
)
TUNES += "that operative, you can re-roll one of your defence dice."


@pytest.mark.parametrize("once", ["You cannot select the same one more than once per battle.", ""])
def test_an_option_is_for_all_of_those_it_is_chosen_for(once: str) -> None:
    text = TUNES.format(once)
    [rule] = rules(text, "faction", of_operative=False)
    [chosen] = rule["do"]
    assert [option["then"][0]["who"] for option in chosen["options"]] == [OFFICE, OFFICE]
    assert chosen.get("each-once") == ("battle" if once else None)
    assert status(text, "faction") == "enforced"


def test_a_limit_that_is_not_understood_takes_the_choice_down() -> None:
    assert status(TUNES.format("You cannot select the same one once per rainy day."), "faction") != "enforced"


def test_whom_this_operative_chose_is_that_operative() -> None:
    text = f"Select one other ready friendly {M} operative visible to this operative. When this operative is expended, "
    [rule] = rules(f"{text}you can activate that operative before your opponent activates.", "action")
    assert rule["then"] == [{"on": "expended", "do": [{"next-activation": "picked", "may": True}]}]
    assert read(f"{text}you can activate the porter before your opponent activates.", "action").unread


# -- weapon rules ------------------------------------------------------------------------------------


@pytest.mark.parametrize(("given", "left"), [("Piercing 1", []), ("Piercing 2", ["Piercing 1"])])
def test_what_becomes_of_a_rule_is_not_ignored_as_well(given: str, left: list[str]) -> None:
    text = f"Whenever an operative is shooting a friendly {M} operative, ignore the Piercing 1 weapon rule. Worsen "
    text += "Piercing 2 to Piercing 1."
    [rule] = rules(text, "strategy", of_operative=False)
    assert rule["do"] == [{"ignore-rule": ["Piercing 1"]}, {"replace-rule": "Piercing 2", "with": "Piercing 1"}]
    says = "name: Wall, kind: faction, on: shot-at, who: friend, foe: anyone, do: [{ignore-rule: [Piercing 1]}, "
    made = three(f"{says}{{replace-rule: Piercing 2, with: Piercing 1}}]")
    made.add("c", "blue", (10, 5), ranged(given), melee())
    battle = made.battle()
    c, a = made.state.operatives["c"], made.state.operatives["a"]
    weapon = battle.weapons(c)[0]
    assert [each.text for each in battle.weapon_rules(c, weapon, a)] == left


def test_steps_of_a_fight() -> None:
    text = (
        "Whenever this operative is fighting, before the first attack dice is resolved, inflict 1 damage on the enemy "
    )
    [rule] = rules(f"{text}operative in that sequence.")
    assert (rule["on"], rule["do"]) == ({"rolled": "attack", "by": "who"}, [{"damage": 1, "who": "foe"}])
    assert read(f"{text}operative in that sequence.".replace("resolved", "picked up")).unread


def test_at_the_end_of_that_activation() -> None:
    text = (
        f"Use this firefight ploy when a friendly {M} operative is activated. Until the end of that activation, add 1 "
    )
    text += "to its APL stat. At the end of that activation, inflict D3 damage on {}."
    [rule] = rules(text.format("that operative"), "firefight", of_operative=False)
    assert rule["then"] == [{"on": "activation-ended", "who": "who", "do": [{"damage": "D3"}]}]
    assert read(text.format("the porter"), "firefight").unread
