"""What play can carry out is what its tables have handlers for, down to the arguments; all else is refused."""

from __future__ import annotations

import pytest
from engine_help import Field
from language_help import lacks, said

from ktsim.rules.teams.language.values import LanguageRule, TeamText, Term, Whom
from ktsim.rules.teams.language.vocabulary import CONDITIONS as CONDITION_WORDS
from ktsim.rules.teams.language.vocabulary import EFFECTS, MOMENTS
from ktsim.rules.teams.language.vocabulary import UNTILS as UNTIL_WORDS
from ktsim.rules.teams.playing.bound_rule import Unknown
from ktsim.rules.teams.playing.clauses import LATE, STANDING_MOMENTS
from ktsim.rules.teams.playing.conditions import CONDITIONS, holds
from ktsim.rules.teams.playing.effects import HAPPENING, UNTILS
from ktsim.rules.teams.playing.happening import MIDWAY
from ktsim.rules.teams.playing.playable import why_not
from ktsim.rules.teams.playing.team_language import TeamLanguage
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


ARGUMENTS = {"die": "critical", "first-time": "sequence"}
NESTED = {"bare": (), "not": ("not",), "any": ("any",), "deep": ("not", "all")}
KINDS: dict[str, tuple[str, Term, Term]] = {
    "always": ("ability", Term("always"), Term("grant", (("", ("Severe",)),))),
    "shooting": ("ability", Term("shooting"), Term("convert", (("", "fail"), ("to", "normal")))),
    "shot at": ("ability", Term("shot-at"), Term("convert", (("", "fail"), ("to", "normal")))),
    "a ploy shot at": ("firefight", Term("shot-at"), Term("convert", (("", "fail"), ("to", "normal")))),
    "fighting": ("ability", Term("fighting"), Term("strike-damage", (("", 1),))),
    "damage": ("ability", Term("damage"), Term("reduce-damage", (("", 1),))),
    "a moment": ("ability", Term("activated"), Term("heal", (("", 1),))),
    "from a moment on": (
        "ability",
        Term("activated"),
        Term("reduce-damage", (("", 1), ("until", (Term("turning-point"),)))),
    ),
    "rolled": ("firefight", Term("rolled", (("", "attack"), ("by", "who"))), Term("grant", (("", ("Severe",)),))),
    "a strike": ("firefight", Term("rolled", (("", "attack"), ("by", "who"))), Term("strike-damage", (("", 1),))),
    "gambit": ("ability", Term("gambit"), Term("cp", (("", 1),))),
    "action": ("action", Term("used"), Term("cp", (("", 1),))),
}
PLACES = [(kind, place) for kind in KINDS for place in ("conditions", "effect", "who", "foe", "whom")]
PLACES.append(("from a moment on", "until"))


def asking(kind: str, place: str, term: Term) -> tuple[LanguageRule, str]:
    """A rule that asks for something in one of its places."""
    of, on, effect = KINDS[kind]
    those = Whom("enemy", that=(term,))
    changes = {
        "conditions": {"conditions": (term,)},
        "effect": {"do": (effect.plus(**{"if": (term,)}),)},
        "who": {"who": Whom("friend", that=(term,))},
        "foe": {"foe": those},
        "whom": {"conditions": (Term("within", (("", 2), ("of", those))),)},
        "until": {"do": (effect.plus(until=(Term("while", (("", (term,)),)),)),)},
    }[place]
    return LanguageRule(**{"on": (on,), "do": (effect,), **changes}), of  # type: ignore[arg-type]


def is_asked_of_dice(kind: str, place: str, word: str) -> bool:
    """Whether a condition about dice is known where it is asked."""
    _, on, effect = KINDS[kind]
    if on.word not in STANDING_MOMENTS and place == "conditions":
        return word == "first-time" and on.word not in ("used", "gambit")
    if effect.word in MIDWAY and on.word in MIDWAY[effect.word].moments:
        return place == "effect" and word in MIDWAY[effect.word].late
    is_held = effect.word in STANDING and effect.word not in HAPPENING
    return place in ("conditions", "effect") and is_held and word in STANDING[effect.word].late


@pytest.mark.parametrize("nested", NESTED)
@pytest.mark.parametrize(("kind", "place"), PLACES)
def test_no_condition_is_played_that_nobody_answers_there(kind: str, nested: str, place: str) -> None:
    accepted = set()
    for word in sorted(set(CONDITION_WORDS) - LOGIC):
        term = Term(word, (("", ARGUMENTS.get(word, ">=1")),) if word in LATE else ())
        for outer in NESTED[nested]:
            term = Term(outer, (("", (term,)),))
        rule, of = asking(kind, place, term)
        if not reasons(rule, of):
            accepted.add(word)
    known = set(CONDITIONS) | {word for word in LATE if nested == "bare" and is_asked_of_dice(kind, place, word)}
    assert accepted <= known
    assert accepted or "strike-damage" in repr(KINDS[kind][2])


@pytest.mark.parametrize("nested", NESTED)
@pytest.mark.parametrize("word", sorted(LATE))
def test_what_is_about_dice_is_unknown_without_them(word: str, nested: str) -> None:
    law, *more = said("of: a, name: X, on: always, do: [{grant: [Severe]}]")
    assert isinstance(law, TeamLanguage)
    made = Field(law, *more).add("a", "red", (3, 5))
    term = Term(word, (("", ">=1"),))
    for outer in NESTED[nested]:
        term = Term(outer, (("", (term,)),))
    battle = made.battle()
    scene = law.scene(battle, law.clauses[0]).but(who=battle.state.operatives["a"])
    with pytest.raises(Unknown):
        holds(scene, term)


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
        (
            "name: X, of: a, on: {rolled: attack, by: who}, may: true, if: [{fails: '>=2'}], do: [card]",
            "condition fails",
        ),
        (
            "name: X, of: a, on: shot-at, if: [{not: [{criticals: '>=1'}]}], do: [{convert: fail, to: normal}]",
            "condition criticals",
        ),
        (
            "name: X, ploy: firefight, on: {rolled: attack, by: who}, if: [{successes: '<=1', rolled: true}], "
            "do: [{reroll: attack, dice: any}]",
            "condition successes",
        ),
        ("name: X, of: a, on: dying, do: [{next-activation: friend}]", "another activation in the middle of one"),
    ],
)
def test_combinations_that_cannot_work_are_refused(written: str, reason: str) -> None:
    assert reason in lacks(written)
