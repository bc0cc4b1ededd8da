"""Printed texts become rules in the language, or are named as not understood. All texts here are invented."""

from __future__ import annotations

from typing import Any

import pytest

from ktsim.rules.teams.language import written_rule
from ktsim.rules.teams.language.values import TextKind
from ktsim.rules.teams.playing.status import status_of
from ktsim.rules.teams.reading.documents import DocumentReader, PrintedText
from ktsim.rules.teams.reading.lexicon import Lexicon
from ktsim.rules.teams.reading.parsing import SentenceReader
from ktsim.rules.teams.reading.sentences import cleaned, passages
from ktsim.rules.teams.reading.texts import TextReader, TextReading

LEXICON = Lexicon(
    keywords=frozenset(("moth office", "clerk", "porter", "cart", "head clerk")),
    weapons=frozenset(("stapler", "paper knife", "ink pistol")),
    ploys=("Overtime", "Tea Break"),
    actions=("Stamp",),
    rules=("First Aid", "Filing"),
    weapon_rules=("Dust",),
    groups={"ink weapon": ("*ink*",)},
    statuses=("BEHIND DESKS",),
)


def read(text: str, kind: TextKind = "ability", of_operative: bool = True) -> TextReading:
    return TextReader(SentenceReader(LEXICON)).read(text, kind, of_operative)


def rules(text: str, kind: TextKind = "ability", of_operative: bool = True) -> list[dict[str, Any]]:
    found = read(text, kind, of_operative)
    assert found.unread == ()
    return [written_rule(rule) for rule in found.rules]


OFFICE = {"is": "friend", "keyword": ["moth office"]}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "Whenever this operative is shooting an enemy operative within 4\" of it, this operative's "
            "ranged weapons "
            "have the Lethal 5+ and Rending weapon rules.",
            {
                "on": "shooting",
                "foe": {"is": "enemy", "that": [{"within": 4, "of": "who"}]},
                "do": [{"grant": ["Lethal 5+", "Rending"], "weapons": ["ranged"], "who": "self"}],
            },
        ),
        (
            "Whenever an operative is shooting a friendly MOTH OFFICE operative (excluding CART) that's in "
            "cover, you "
            "can re-roll one of your defence dice.",
            {
                "on": "shot-at",
                "who": OFFICE | {"not": ["cart"], "that": ["in-cover"]},
                "foe": "anyone",
                "may": True,
                "do": [{"reroll": "defence", "dice": "1"}],
            },
        ),
        (
            "Once per turning point, when an attack dice inflicts Normal Dmg of 4 or more on this operative, "
            "you can use "
            "this rule. If you do, roll one D6: on a 3+, subtract 2 from that inflicted damage.",
            {
                "on": "damage",
                "if": [{"die": "normal"}, {"damage": ">=4"}],
                "limit": [{"once": "turning-point"}],
                "may": True,
                "do": [{"roll": "D6", "at": ">=3", "do": [{"reduce-damage": 2}]}],
            },
        ),
        (
            'Whenever a friendly PORTER operative is within 5" of this operative, add 1" to that '
            "operative's Move stat.",
            {
                "on": "always",
                "who": {"is": "friend", "keyword": ["porter"]},
                "if": [{"within": 5, "of": "self"}],
                "do": [{"stat": "move", "by": 1}],
            },
        ),
        (
            "Whenever this operative is fighting, worsen the Hit stat of the enemy operative's melee weapons "
            "by 1 (this "
            "isn't cumulative with being injured).",
            {
                "on": "fighting",
                "do": [{"stat": "hit", "by": -1, "not-with-injury": True, "weapons": ["melee"], "who": "foe"}],
            },
        ),
        (
            "This operative cannot perform any actions other than Charge, Dash and Fight. It cannot "
            "retaliate or assist in a fight.",
            {
                "on": "always",
                "do": [
                    {"forbid": ["all"], "except": ["Charge", "Dash", "Fight"]},
                    "forbid-retaliation",
                    "forbid-assist",
                ],
            },
        ),
        (
            "Whenever this operative performs an action in which it moves, it can FLY. If it does, don't "
            "move it. Instead, "
            'remove it from the killzone and set it back up wholly within 5" of its original location, measuring the '
            "horizontal distance only. It must be set up in a location it can be placed.",
            {
                "on": "doing(move)",
                "may": True,
                "do": [{"relocate": 5, "horizontally": True, "no-engage": True}],
            },
        ),
    ],
)
def test_sentences_are_put_together_from_their_parts(text: str, expected: dict[str, Any]) -> None:
    assert rules(text) == [expected]


@pytest.mark.parametrize("words", [", measuring the horizontal distance only", ""])
def test_distances_are_horizontal_where_the_text_says_so(words: str) -> None:
    text = (
        "Whenever this operative performs an action in which it moves, it can FLY. If it does, don't move it. Instead, "
    )
    text += f'remove it from the killzone and set it back up wholly within 5" of its original location{words}.'
    assert rules(text)[0]["do"][0].get("horizontally", False) is bool(words)


def test_an_action_chooses_and_forbids() -> None:
    text = (
        '**SUPPORT**\nSelect one other friendly MOTH OFFICE operative visible to and within 7" of this '
        "operative. Until the "
        "end of that operative's next activation, add 1 to its APL stat.\n"
        "This operative cannot perform this action while within control range of an enemy operative, or if "
        "it has a Conceal order."
    )
    [rule] = rules(text, "action")
    assert rule["on"] == "used"
    assert rule["if"] == [{"not": ["control-range"]}, {"not": [{"order": "conceal"}]}]
    picked = {
        "is": "friend",
        "other": True,
        "keyword": ["moth office"],
        "that": [{"visible": "self"}, {"within": 7, "of": "self"}],
    }
    assert rule["do"] == [{"pick": picked}, {"stat": "apl", "by": 1, "until": ["next-activation-end"], "who": "picked"}]


def test_what_lasts_after_a_choice_is_part_of_it() -> None:
    text = (
        "Select one enemy operative visible to this operative. Until the end of the turning point, whenever "
        "a friendly "
        "CLERK operative is shooting that enemy operative, that enemy operative cannot be obscured."
    )
    [rule] = rules(text, "action")
    [then] = rule["then"]
    assert (then["on"], then["foe"], then["until"]) == ("shooting", "picked", ["turning-point"])
    assert then["do"] == [{"reveal": "obscured", "who": "foe"}]


def test_a_firefight_ploy_has_its_moment() -> None:
    text = (
        "Use this firefight ploy when a friendly MOTH OFFICE operative is activated. Until the end of that "
        "operative's "
        "activation, add 1 to its APL stat. You cannot use this ploy during the first turning point."
    )
    [rule] = rules(text, "firefight", False)
    assert rule == {
        "on": "activated",
        "who": OFFICE,
        "limit": [{"not-in": 1}],
        "do": [{"stat": "apl", "by": 1}],
        "until": ["activation"],
    }


def test_a_strategy_ploy_lasts_for_the_turning_point() -> None:
    text = "Friendly MOTH OFFICE operatives' melee weapons have the Brutal weapon rule."
    [rule] = rules(text, "strategy", False)
    assert rule["until"] == ["turning-point"]
    [rule] = rules(text, "equipment", False)
    assert "until" not in rule


def test_options_are_rules_to_choose_from() -> None:
    text = (
        "Select one of the following effects to last until the start of this operative's next activation:\n\n"
        "- **Ledger:** Its ink pistol has the Seek Light weapon rule.\n- **Lamp:** Improve its Save stat by 1.\n"
    )
    [rule] = rules(text, "action")
    [choice] = rule["do"]
    assert choice["names"] == ["Ledger", "Lamp"]
    assert choice["until"] == ["own-next-activation"]
    inner = [option["then"][0]["do"] for option in choice["options"]]
    assert inner == [
        [{"grant": ["Seek Light"], "weapons": ["ink pistol"], "who": "self"}],
        [{"stat": "save", "by": 1, "who": "self"}],
    ] or [each[0].get("grant") or each[0].get("stat") for each in inner] == [["Seek Light"], "save"]


def test_a_list_shares_what_leads_it_in() -> None:
    text = (
        "Whenever an operative is shooting this operative:\n\n- Ignore the Piercing weapon rule.\n"
        "- Defence dice results of 5+ are critical successes.\n"
    )
    [rule] = rules(text)
    assert (rule["on"], rule["do"]) == ("shot-at", [{"ignore-rule": ["Piercing"]}, {"critical-on": 5, "of": "defence"}])


def test_a_moment_in_a_list_is_part_of_the_choice_above_it() -> None:
    text = (
        "Whenever this operative is activated, you can use this rule. If you do, until the start of this "
        "operative's next "
        'activation:\n\n- Subtract 1" from its Move stat.\n- Whenever an operative is shooting this '
        "operative, you can "
        "re-roll any of your defence dice.\n"
    )
    [rule] = rules(text)
    assert rule["may"] is True
    assert rule["do"][0]["stat"] == "move"
    assert rule["then"][0]["on"] == "shot-at"


def test_states_a_team_defines_are_conditions() -> None:
    define = (
        'An operative is BEHIND DESKS if any of the following are true:\n\n- It is within 1" of Heavy '
        "terrain that is not "
        "lower than it.\n- Any part of its base is underneath Vantage terrain.\n"
    )
    [rule] = rules(define, "faction", False)
    assert rule["do"] == [{"status": "BEHIND DESKS", "who": rule["do"][0].get("who", "anyone")}] or rule["do"] == [
        {"status": "BEHIND DESKS"}
    ]
    [rule] = rules(
        "Whenever a friendly CLERK operative is BEHIND DESKS, improve its Save stat by 1.", "strategy", False
    )
    assert rule["if"] == [{"status": "BEHIND DESKS"}]


# -- never guess -------------------------------------------------------------------------------------

KNOWN = "Whenever this operative is activated, it regains D3 lost wounds."


@pytest.mark.parametrize(
    "restriction",
    [
        "You cannot use this rule on a Tuesday.",
        "This rule has no effect while it is raining.",
        "It must sing to do so.",
        "If you do, it can only whisper until the end of the battle.",
        "Subtract 1 from its dignity instead.",
    ],
)
def test_a_restriction_that_is_not_understood_takes_down_what_it_restricts(restriction: str) -> None:
    assert rules(KNOWN)[0]["do"] == [{"heal": "D3"}]
    found = read(f"{KNOWN} {restriction}")
    assert not any(effect.word == "heal" for rule in found.rules for effect in rule.do)
    assert restriction in found.unread


def test_what_stands_for_itself_stays() -> None:
    found = read(f"{KNOWN} Whenever this operative sneezes, it cannot be heard.")
    assert [effect.word for rule in found.rules for effect in rule.do] == ["heal"]
    assert found.unread == ("Whenever this operative sneezes, it cannot be heard.",)
    assert not found.is_whole


def test_what_goes_on_from_an_unknown_sentence_is_not_read_alone() -> None:
    found = read("Whenever this operative sneezes, you can use this rule. If you do, it regains D3 lost wounds.")
    assert found.rules == ()


def test_a_ploy_whose_moment_is_not_known_is_only_shown() -> None:
    text = "Use this firefight ploy when the kettle boils. Until the end of the turning point, add 1 to its APL stat."
    assert read(text, "firefight", False).rules == ()


def test_a_ploy_whose_effect_is_not_known_keeps_its_moment() -> None:
    text = "Use this firefight ploy when a friendly CLERK operative is activated. It recites a poem. It must rhyme."
    [rule] = read(text, "firefight", False).rules
    assert [effect.word for effect in rule.do] == ["card"]
    assert rule.on[0].word == "activated"


@pytest.mark.parametrize(
    "text",
    [
        "Friendly operatives (excluding BEETLE) have the Brutal weapon rule.",  # nobody has the keyword
        "Whenever this operative is shooting with its trumpet, it has the Silent weapon rule.",  # no such weapon
        "You can use the Lunch firefight ploy for 0CP.",  # no such ploy
        "Add 1 to its Beard stat.",
        "Whenever this operative is shooting, that enemy operative's owner loses 1CP.",
        "Whenever this operative is activated, add 1 to its APL stat.",  # for how long?
        "Select one enemy operative. Inflict D3 damage on it.",  # when?
        "Whenever this operative is shooting, you can re-roll any of your defence dice.",  # nobody rolls them then
    ],
)
def test_what_cannot_be_so_is_not_understood(text: str) -> None:
    assert read(text).rules == ()


def test_conditions_of_the_second_moment_are_kept() -> None:
    text = (
        "Whenever this operative is retaliating, the first time an attack dice inflicts Normal Dmg of 5 or "
        "more on this "
        "operative during that sequence, that dice inflicts 2 less damage on it."
    )
    [rule] = rules(text)
    assert rule["on"] == "damage"
    assert {"die": "normal"} in rule["if"]
    assert {"damage": ">=5"} in rule["if"]
    assert {"did": ["retaliating"], "during": "sequence"} in rule["if"]


def test_it_is_the_one_that_was_chosen() -> None:
    text = (
        "Select one friendly CLERK operative visible to this operative. Until the end of the turning point, "
        "whenever an "
        "operative is shooting the selected operative, you can re-roll one of your defence dice."
    )
    [rule] = rules(text, "action")
    assert (rule["then"][0]["on"], rule["then"][0]["who"]) == ("shot-at", "picked")


# -- sentences ---------------------------------------------------------------------------------------


def test_glossaries_and_examples_are_no_part_of_a_rule() -> None:
    text = "Its weapons have the Brutal weapon rule (e.g. its knife).  \n**Brutal:** Only criticals block.\n"
    assert [passage.sentence for passage in passages(text)] == ["Its weapons have the Brutal weapon rule."]


def test_broken_lines_and_abbreviations_make_no_sentences() -> None:
    text = "A friendly C.A.T. UNIT operative\rcan move, i.e. walk.\nIt's\nready."
    assert [passage.sentence for passage in passages(text)] == [
        "A friendly CAT UNIT operative can move, ie walk.",
        "It is ready.",
    ]


def test_spellings_become_one() -> None:
    assert cleaned("It isn’t ready; re-rolls cost 1D3″.") == 'It is not ready; re-roll cost D3".'


def test_a_slip_of_the_pen_is_forgiven() -> None:
    assert rules("Whenever this operative is actvated, it regains D3 lost wounds.") == rules(KNOWN)


@pytest.mark.parametrize(
    "text", ["", "   \n\n", "-", "|a|b|", "(((", "." * 500, "Whenever " * 400, "\x00\x1b[2J", "🦋" * 90]
)
def test_any_text_is_answered(text: str) -> None:
    assert read(text).rules == ()


# -- what would be stronger than printed ---------------------------------------------------------------


def test_what_an_action_begins_is_not_there_before_it() -> None:
    text = (
        "Until the start of this operative's next activation, whenever an enemy operative within 4\" of this "
        "operative is "
        "shooting, your opponent cannot re-roll their attack dice.\n"
        "This operative cannot perform this action while within control range of an enemy operative."
    )
    [rule] = rules(text, "action")
    assert (rule["on"], rule["if"]) == ("used", [{"not": ["control-range"]}])
    assert rule["then"][0]["who"] == {"is": "enemy", "that": [{"within": 4, "of": "self"}]}


def test_items_of_a_plain_list_stand_for_themselves() -> None:
    text = (
        "- Once per battle, when an attack dice inflicts Critical Dmg on this operative, you can ignore "
        "that inflicted "
        "damage.\n- The Overtime strategy ploy costs you 0CP.\n"
    )
    first, second = rules(text)
    assert first["limit"] == [{"once": "battle"}]
    assert "limit" not in second
    assert second["on"] == "always"


def test_a_moment_behind_its_effect_is_not_guessed() -> None:
    text = (
        "Select one friendly CLERK operative visible to this operative. Until the end of the turning point, "
        "subtract 1 from "
        "the Atk stat of an operative's weapons whenever it is shooting the selected operative."
    )
    found = read(text, "action")
    assert not any(effect.word == "stat" for rule in found.rules for effect in rule.do)


def test_what_is_instead_is_not_added() -> None:
    text = (
        "Whenever this operative performs the Stamp action, the selected enemy operative gains two of your Ink tokens"
    )
    [rule] = rules(f"{text} (instead of one).")
    assert rule["do"] == [{"token": "Ink", "count": 2, "instead": True, "who": "picked"}]


def test_one_operative_has_to_be_near_and_see() -> None:
    text = (
        'Whenever this operative is activated, if it is visible to and within 3" of another friendly CLERK operative,'
    )
    [rule] = rules(f"{text} it regains D3 lost wounds.")
    assert rule["if"] == [{"within": 3, "of": {"is": "friend", "other": True, "keyword": ["clerk"]}, "visible": True}]


def test_that_marker_is_the_one_that_was_chosen() -> None:
    text = (
        "Select one objective marker or one of your mission markers. Whenever an enemy operative is within "
        '2" of that '
        'marker, subtract 1" from its Move stat.'
    )
    [rule] = rules(text, "strategy", False)
    assert rule["then"][0]["if"] == [{"within": 2, "marker": "picked"}]


def test_an_exclusion_with_examples_is_still_an_exclusion() -> None:
    text = (
        "Friendly CLERK operatives' weapons (excluding stapler, e.g. the grey one, etc.) have the Brutal weapon rule."
    )
    found = read(text, "equipment", False)
    for rule in found.rules:
        assert "not stapler" in (rule.do[0].get("weapons") or ())


def test_it_is_the_weapon_where_a_weapon_was_spoken_of() -> None:
    text = (
        "Once per battle, when a friendly CLERK operative is performing the Shoot action and you select an "
        "ink pistol, you "
        "can use this rule. If you do, until the end of that action, add 1 to both Dmg stats of that weapon "
        "and it has the "
        "Hot weapon rule."
    )
    [rule] = rules(text, "equipment", False)
    assert [effect.get("weapons") for effect in rule["do"]] == [["that"], ["same"]]


def test_a_rule_about_a_keyword_nobody_has_is_not_taken_for_whole() -> None:
    """As printed it is about nobody; its player is told, and may correct it."""
    text = "Friendly BEETLE operatives' melee weapons have the Brutal weapon rule."
    lexicon = Lexicon(keywords=frozenset({"moth", "clerk"}))
    printed = PrintedText("x", "strategy", "X", text, text, cost=1)
    found = DocumentReader(lexicon, {}).text(printed, ())
    assert status_of(found) == ("partly", "not understood: nobody of the team has the keyword beetle")
    own = PrintedText("x", "strategy", "X", text.replace("BEETLE", "MOTH"), "", cost=1)
    assert status_of(DocumentReader(lexicon, {}).text(own, ()))[0] == "enforced"


def test_one_of_many_is_chosen() -> None:
    text = 'Use this firefight ploy when a friendly MOTH operative is activated. One enemy operative within 3" of that '
    text += "operative gains one of your Dust tokens."
    [rule] = TextReader(SentenceReader(Lexicon(keywords=frozenset({"moth"})))).read(text, "firefight").rules
    assert [effect.word for effect in rule.do] == ["pick", "token"]


def test_what_must_hold_while_something_lasts_is_not_asked_at_once() -> None:
    text = "Whenever this operative is activated, you can use this rule. If you do, until the start of its next "
    text += "activation, while it has a Conceal order, it cannot be obscured."
    found = TextReader(SentenceReader(Lexicon())).read(text, "ability", True)
    for rule in found.rules:
        assert all(term.word != "order" for term in rule.conditions)


CHARGES = "This operative can perform the Charge action while it has a Conceal order."
SHOT_AT = "Whenever an operative is shooting this operative,"
FROM_ABOVE = "This is not cumulative with improved cover saves from Vantage terrain."


@pytest.mark.parametrize(
    ("text", "note", "is_read"),
    [
        ("This operative's weapons have the Severe weapon rule.", "Note this has no effect on PSYCHIC weapons.", False),
        (f"{SHOT_AT} improve its Save stat by 1.", FROM_ABOVE, False),
        (f"{SHOT_AT} if you can retain any cover saves, you can retain one additional cover save.", FROM_ABOVE, True),
        (CHARGES, "This takes precedence over all other rules until the end of the first turning point.", False),
        (CHARGES, "This takes precedence over all other rules.", True),
    ],
)
def test_a_note_adds_nothing_only_to_what_it_is_a_note_of(text: str, note: str, is_read: bool) -> None:
    assert not read(text).unread
    assert (not read(f"{text} {note}").unread) is is_read


def test_not_during_both_is_once_an_activation() -> None:
    text = "Whenever this operative is shooting or fighting, you can retain one of your normal successes as a critical "
    text += "success instead. You cannot use it during both the Shoot and Fight action in the same activation."
    assert rules(text)[0]["limit"] == [{"once": "activation"}]
