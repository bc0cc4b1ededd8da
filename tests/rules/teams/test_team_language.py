"""The language of team rules: every word is read and written back, and what is wrong is said with its line."""

from __future__ import annotations

from typing import Any

import pytest

from ktsim.content.yaml_tree import parse, to_yaml
from ktsim.errors import Problem
from ktsim.rules.teams.language import (
    PARTS,
    LanguageReader,
    LanguageRule,
    TeamText,
    Term,
    Whom,
    term,
    words_of,
    written_rule,
    written_text,
)
from ktsim.rules.teams.language.arguments import Argument, ArgumentKind
from ktsim.rules.teams.playing.status import status_of


def read_text(yaml: str) -> tuple[TeamText, list[str]]:
    problems: list[Problem] = []
    text = LanguageReader("own.yaml", problems).text(parse(yaml.encode(), "own.yaml"))
    return text, [str(problem) for problem in problems]


def again(rule: LanguageRule) -> LanguageRule:
    problems: list[Problem] = []
    found = LanguageReader("own.yaml", problems).rule(parse(to_yaml(written_rule(rule)).encode(), "own.yaml"))
    assert problems == []
    return found


EXAMPLES = """
{name: dig in, ploy: strategy, on: shot-at, who: friend, if: [in-cover], do: [{reroll: defence, dice: 1}], until: turning-point}
{name: comms, action: 1AP, not-in: control-range, do: [{pick: friend, other: true}, {stat: apl, by: 1, most: 3, until: next-activation-end}]}
{name: scope, equipment: true, on: shooting, who: friend, if: [{weapon: hot-shot}, {more-than: 6, from: target}], do: [{grant: Saturate}]}
{name: steel limbs, on: damage, who: self, if: [{die: normal}, {damage: '>=3'}], do: [{reduce-damage: 1}]}
{name: medic, on: incapacitated, who: friend, if: [{within: 3, of: self}, visible], limit: once per turning-point, may: true, do: [{survive: 1}, {free-action: Dash, who: picked}]}
{name: bearer, on: control(marker), who: self, do: [{control-apl: 1}]}
{name: spotter, action: 1AP, do: [{pick: enemy, visible: true}], then: {on: shooting, who: friend, if: [{within: 3, of: self}, {foe: picked}], do: [{grant: Seek Light}, {reveal: obscured}], until: turning-point}}
{name: gunslinger, on: always, who: self, do: [{allow: Shoot, times: 2}]}
"""  # noqa: E501


@pytest.mark.parametrize("line", EXAMPLES.strip().splitlines())
def test_the_examples_of_the_language_are_read_and_written_back(line: str) -> None:
    text, problems = read_text(line)
    assert problems == []
    assert text.rules
    assert [again(rule) for rule in text.rules] == list(text.rules)
    copy, problems = read_text(to_yaml(written_text(text)))
    assert problems == []
    assert copy == text


def test_an_example_says_what_it_says() -> None:
    text, _ = read_text(EXAMPLES.strip().splitlines()[1])
    assert (text.kind, text.cost) == ("action", 1)
    [rule] = text.rules
    assert rule.conditions == (term("not", (Term("control-range"),)),)
    assert rule.do[0] == term("pick", Whom("friend", other=True))
    assert rule.do[1].get("until") == (Term("next-activation-end"),)


def value_for(argument: Argument) -> Any:
    """Some value of the kind an argument takes."""
    if argument.choices:
        return argument.choices[-1]
    return {
        ArgumentKind.NUMBER: 2,
        ArgumentKind.AMOUNT: "2D3",
        ArgumentKind.INCHES: 6,
        ArgumentKind.COMPARE: ">=3",
        ArgumentKind.NAME: "Some Name",
        ArgumentKind.NAMES: ("One", "Two"),
        ArgumentKind.FLAG: True,
        ArgumentKind.WHOM: Whom("enemy", ("psyker",), ("leader",), True, (term("within", 3, of=Whom("self")),)),
        ArgumentKind.CONDITIONS: (Term("wounded"), term("order", "engage")),
        ArgumentKind.EFFECTS: (term("heal", "D3"),),
        ArgumentKind.UNTIL: (Term("battle"),),
        ArgumentKind.RULES: (LanguageRule((Term("always"),), do=(term("heal", 1),)),),
    }[argument.kind]


FIELD = {"moment": "on", "condition": "conditions", "limit": "limit", "effect": "do", "until": "until"}


@pytest.mark.parametrize(("part", "word"), [(part, word) for part, words in PARTS.items() for word in words])
def test_every_word_with_all_its_arguments_is_written_and_read_back(part: str, word: str) -> None:
    entry = PARTS[part][word]
    assert entry.says
    main = None if entry.main is None else value_for(entry.main)
    whole = term(word, main, **{name: value_for(argument) for name, argument in entry.args.items()})
    if part == "cost":
        rule = LanguageRule((Term("used"),), do=(term("heal", 1),), cost=whole)
    else:
        rule = LanguageRule(**({"on": (Term("always"),)} | {FIELD[part]: (whole,)}))  # type: ignore[arg-type]
    assert again(rule) == rule
    assert (part, word) in set(words_of(rule))


def test_words_within_words_are_counted() -> None:
    inner = term("roll", "D6", at=">=4", do=(term("heal", 1, **{"if": (Term("wounded"),)}),))
    rule = LanguageRule((Term("activated"),), Whom("friend", that=(Term("ready"),)), do=(inner,))
    expected = {("moment", "activated"), ("effect", "roll"), ("effect", "heal"), ("condition", "wounded")}
    assert set(words_of(rule)) == expected | {("condition", "ready")}


@pytest.mark.parametrize(
    ("yaml", "words"),
    [
        ("name: x\ndo: [{heel: 3}]", "own.yaml:2: {heel} is no effect; did you mean 'heal'?"),
        ("name: x\non: [shooting, shoting]", "own.yaml:2: 'shoting' is no moment; did you mean 'shooting'?"),
        ("name: x\ndo: [{heal: many}]", "own.yaml:2: heal: 'many' is not a number or dice"),
        ("name: x\ndo: [{heal: 3, upon: self}]", "own.yaml:2: heal: unknown argument 'upon'"),
        ("name: x\nwho: everyone\ndo: [{heal: 3}]", "own.yaml:2: 'everyone' is no operative"),
        ("name: x\nif: [{damage: '3'}]", "own.yaml:2: damage: '3' is not a comparison"),
        ("name: x\ndo: [{cover-save: best}]", "own.yaml:2: cover-save: 'best' is not one of extra, critical"),
        ("name: x\nmay: perhaps", "own.yaml:2: may: it is true or false"),
        ("name: x\naction: cheap", "own.yaml:2: action: 'cheap' is not what it costs"),
        ("name: x\ndo: [heal]", "own.yaml:2: heal: needs a number or dice"),
        ("name: x\nnonsense: 3", "own.yaml:2: nonsense: unknown field"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(yaml: str, words: str) -> None:
    _, problems = read_text(yaml)
    assert any(problem.startswith(words) for problem in problems), problems


def test_rules_within_rules_have_an_end() -> None:
    rule: Any = {"on": "always", "do": [{"heal": 1}]}
    for _ in range(12):
        rule = {"on": "always", "then": rule}
    problems: list[Problem] = []
    LanguageReader("own.yaml", problems).rule(parse(to_yaml(rule).encode(), "own.yaml"))
    assert any("nested more than" in problem.text for problem in problems)


# -- how much of a text works ------------------------------------------------------------------------


def text_of(*rules: LanguageRule, unread: tuple[str, ...] = ()) -> TeamText:
    return TeamText("x", "ability", "X", rules, of="a", unread=unread)


HEALS = LanguageRule((Term("activated"),), do=(term("heal", 1),))
WARDS = LanguageRule((Term("shot-at"),), do=(term("reroll", "defence", dice="1"),))


def test_a_text_is_enforced_only_as_a_whole() -> None:
    assert status_of(text_of(HEALS, WARDS)) == ("enforced", "")
    assert status_of(text_of(HEALS, unread=("Then sing.",)))[0] == "partly"
    assert status_of(text_of(unread=("Sing.",))) == ("shown", "not understood: Sing.")


def test_play_says_which_words_it_cannot_carry_out() -> None:
    flies = LanguageRule((Term("always"),), do=(Term("visible-from-all"),))
    assert status_of(text_of(HEALS, flies)) == ("partly", "play has no effect visible-from-all")
    assert status_of(text_of(flies)) == ("shown", "play has no effect visible-from-all")


def test_a_card_is_not_taken_for_more_than_it_is() -> None:
    card = LanguageRule((Term("activated"),), do=(Term("card"),))
    status, why = status_of(text_of(card, unread=("Sing.",)))
    assert status == "partly"
    assert "left to the players" in why
