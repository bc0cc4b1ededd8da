"""What play can carry out is what its tables have handlers for, down to the arguments; all else is refused."""

from __future__ import annotations

import pytest
from language_help import lacks

from ktsim.rules.teams.language.values import LanguageRule, TeamText, Term
from ktsim.rules.teams.language.vocabulary import CONDITIONS as CONDITION_WORDS
from ktsim.rules.teams.language.vocabulary import EFFECTS, MOMENTS
from ktsim.rules.teams.language.vocabulary import UNTILS as UNTIL_WORDS
from ktsim.rules.teams.playing.clauses import LATE, STANDING_MOMENTS
from ktsim.rules.teams.playing.conditions import CONDITIONS
from ktsim.rules.teams.playing.effects import HAPPENING, UNTILS
from ktsim.rules.teams.playing.playable import why_not
from ktsim.rules.teams.playing.words import MOMENT_HOOKS, STANDING, WINDOWS

ALSO = {"strike"}
"""Part of a fight: the clause says when, the fight does it."""
LOGIC = {"not", "any", "all"}


def reasons(rule: LanguageRule, kind: str = "ability") -> list[str]:
    return why_not(TeamText("x", kind, "X", (rule,), of="a"), rule)  # type: ignore[arg-type]


def test_every_handler_is_for_a_word_of_the_language_and_its_arguments() -> None:
    for word, standing in STANDING.items():
        assert standing.args - {""} <= set(EFFECTS[word].args), word
        assert standing.moments <= set(MOMENTS), word
    for word, happening in HAPPENING.items():
        assert happening.args - {""} <= set(EFFECTS[word].args), word
    for word, condition in CONDITIONS.items():
        assert condition.args <= set(CONDITION_WORDS[word].args), word
    assert set(UNTILS) <= set(UNTIL_WORDS)
    assert set(MOMENT_HOOKS) | STANDING_MOMENTS <= set(MOMENTS)
    assert {word for words in WINDOWS.values() for word in words} <= set(MOMENT_HOOKS)


@pytest.mark.parametrize("word", sorted(set(EFFECTS) - set(STANDING) - set(HAPPENING) - ALSO))
def test_an_effect_without_a_handler_is_refused(word: str) -> None:
    for on in ("always", "activated"):
        assert f"effect {word}" in reasons(LanguageRule((Term(on),), do=(Term(word),)))


@pytest.mark.parametrize("word", sorted(set(CONDITION_WORDS) - set(CONDITIONS) - LATE - LOGIC))
def test_a_condition_without_a_handler_is_refused(word: str) -> None:
    for on, effect in (("always", "not-counted"), ("activated", "card")):
        rule = LanguageRule((Term(on),), conditions=(Term(word),), do=(Term(effect),))
        assert f"condition {word}" in reasons(rule)


@pytest.mark.parametrize("word", sorted(set(MOMENTS) - set(MOMENT_HOOKS) - STANDING_MOMENTS))
def test_a_moment_without_a_hook_is_refused(word: str) -> None:
    assert f"moment {word}" in reasons(LanguageRule((Term(word),), do=(Term("card"),)))


@pytest.mark.parametrize("word", sorted({**STANDING, **HAPPENING}))
def test_an_argument_nobody_reads_is_refused(word: str) -> None:
    for handlers, on in ((STANDING, "always"), (HAPPENING, "activated")):
        if word not in handlers:
            continue
        on = "rolled" if word == "reroll" and on == "activated" else on
        for name in set(EFFECTS[word].args) - handlers[word].args - {"until"}:  # type: ignore[attr-defined]
            rule = LanguageRule((Term(on),), do=(Term(word, ((name, True),)),))
            assert any(f"{word} with {name}" == reason for reason in reasons(rule)), name


@pytest.mark.parametrize("word", sorted(set(UNTIL_WORDS) - set(UNTILS)))
def test_a_way_of_lasting_without_a_handler_is_refused(word: str) -> None:
    rule = LanguageRule((Term("activated"),), do=(Term("stat", (("", "apl"), ("by", 1))),), until=(Term(word),))
    assert f"until {word}" in reasons(rule)


@pytest.mark.parametrize(
    ("written", "reason"),
    [
        ("name: X, of: a, on: always, do: [{stat: wounds, by: 1}]", "stat wounds"),
        ("name: X, of: a, on: shot-at, do: [{stat: damage, by: -1}]", "stat damage while shot at"),
        ("name: X, of: a, on: activated, do: [{stat: apl, by: 1}]", "how long it lasts"),
        ("name: X, of: a, on: always, do: [{grant: [Gleaming]}]", "weapon rule Gleaming"),
        ("name: X, of: a, on: always, do: [{grant: [Severe], weapons: [this]}]", "grant for this"),
        ("name: X, of: a, on: shot-at, limit: once per battle, do: [{reroll: defence}]", "reroll with a limit"),
        ("name: X, of: a, on: always, if: [{fails: '>=2'}], do: [{grant: [Severe]}]", "grant by fails"),
        ("name: X, of: a, on: activated, do: [{damage: 1, who: foe}]", "foe at activated"),
        ("name: X, of: a, on: [always, activated], do: [not-counted]", "a moment and something that lasts in one rule"),
        ("name: X, of: a, kind: weapon-rule, on: always, do: [{grant: [Severe]}]", "weapon rules of a team's own"),
        ("name: X, ploy: firefight, on: shooting, do: [{critical-on: 5}]", "firefight with shooting"),
        ("name: X, of: a, on: always, may: true, do: [{grant: ['Blast 2\"']}]", "grant of a rule one may not want"),
        ("name: X, of: a, on: shot-at, do: [{reroll: attack, dice: 1}]", "re-roll of attack dice while shot-at"),
        ("name: X, of: a, on: fighting, do: [{reroll: defence, dice: 1}]", "re-roll of defence dice while fighting"),
        (
            "name: X, of: a, on: dying, who: friend, do: [{survive: 1}, {free-action: [Dash]}]",
            "a free action in the middle of a fight",
        ),
        (
            "name: X, of: a, on: always, if: [{within: 3, of: friend, wholly: true}], do: [{grant: [Severe]}]",
            "wholly or horizontally within of an operative",
        ),
        ("name: X, of: a, on: dying, do: [{next-activation: friend}]", "another activation in the middle of one"),
    ],
)
def test_combinations_that_cannot_work_are_refused(written: str, reason: str) -> None:
    assert reason in lacks(written)
