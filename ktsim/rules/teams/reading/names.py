"""Numbers, dice, and the names of actions, weapon rules, weapons, tokens, markers and keywords in a sentence."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from ktsim.content.weapon_rule_forms import FORMS, Printed, read
from ktsim.rules.teams.reading.grammar import Grammar, Matching

G = Grammar()
"""The grammar of team texts; the modules of this package add to it."""

NUMBERS = {
    word: n
    for n, word in enumerate(["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"])
}
NOT_KEYWORDS = frozenset(
    [
        "apl",
        "ap",
        "cp",
        "cps",
        "vp",
        "vps",
        "fly",
        "support",
        "psychic",
        "npo",
        "npos",
        "a",
        "i",
        "gambit",
        "strategic",
        "atk",
        "dmg",
        "hit",
        "wr",
        "ke",
    ]
)


def _single(name: str, pattern: str, value: Any) -> None:
    """A part that is one word of a certain shape."""
    shape = re.compile(pattern)

    def find(matching: Matching, at: int) -> Iterator[tuple[int, Any]]:
        if match := shape.fullmatch(matching.word(at)):
            yield at + 1, value(match)

    G.special(name)(find)


_single("inches", r'(\d+(?:\.\d+)?)"', lambda m: float(m[1]) if "." in m[1] else int(m[1]))
_single("dice", r"(\d?d[36](?:\+\d+)?)", lambda m: m[1].replace("d", "D").replace("1D", "D"))
_single("plus", r"(\d)\+", lambda m: int(m[1]))
_single("cp", r"(\d)cp", lambda m: int(m[1]))
_single("ap", r"(\d)ap", lambda m: int(m[1]))
_single("dmg", r"(\d{1,2}/\d{1,2})", lambda m: m[1])
_single("digits", r"(\d{1,2})", lambda m: int(m[1]))


@G.special("n")
def _number(matching: Matching, at: int) -> Iterator[tuple[int, int]]:
    word = matching.word(at)
    if word in NUMBERS:
        yield at + 1, NUMBERS[word]
    elif word.isdigit() and len(word) < 3:
        yield at + 1, int(word)


G.says("amount", "<dice>", "<n>")(lambda amount: amount)
G.says("cps", "<cp>")(lambda n: n)
G.says("cps", "<n> [additional] cp")(lambda n: n)
G.says("aps", "<ap>", "<n> ap")(lambda n: n)

# -- actions ---------------------------------------------------------------------------------------------


@G.special("action-name")
def _action(matching: Matching, at: int) -> Iterator[tuple[int, str]]:
    found = matching.lexicon.name_at("action", matching.words[at : at + 8])
    if found is not None:
        yield at + found[0], found[1]


G.says("one-action", "[the/a/an] [free] <action-name>")(lambda name: (name,))
G.says("one-action", "[a/any/the/your] [free] mission [or unique]")(lambda: ("mission",))
G.says("one-action", "[a/any/the] unique")(lambda: ("unique",))
G.says("one-action", "pick up [marker]")(lambda: ("Pick Up Marker",))
G.says("one-action", "place [marker]")(lambda: ("Place Marker",))
G.says("one-action", "[a] psychic [unique]")(lambda: ("psychic",))
G.says("one-action", "[a] support [unique]")(lambda: ("support",))
G.says("one-action", "psychic unique")(lambda: ("psychic",))
G.says("actions", "<one-action> [action/actions]")(lambda one: one)
G.says("actions", "either <actions>")(lambda some: some)
G.says("actions", "<one-action> [action/actions] ([,] and/or|,|[,] and then) <actions>")(
    lambda one, rest: (*one, *rest)
)

# -- weapon rules ----------------------------------------------------------------------------------------

RULE_WORDS = frozenset(word for form in FORMS["kt24"] for word in re.findall(r"[a-z]+", form.lower()))
_RULE_HEADS = frozenset(re.split(r"[ ({]", form.replace("{d} ", ""))[0].lower() for form in FORMS["kt24"])


@G.special("weapon-rule")
def _weapon_rule(matching: Matching, at: int) -> Iterator[tuple[int, str]]:
    """A universal weapon rule with its numbers, as it is printed; or one of the team's own."""
    own = matching.lexicon.name_at("own-weapon-rule", matching.words[at : at + 5])
    if own is not None:
        yield at + own[0], own[1]
    start = at
    distance = ""
    if re.fullmatch(r'(\d+|x)"', matching.word(at)):
        distance, start = matching.word(at) + " ", at + 1
    if matching.word(start) not in _RULE_HEADS:
        return
    for end in range(min(start + 5, len(matching.words)), start, -1):
        text = distance + " ".join(matching.words[start:end]).replace("( ", "(").replace(" )", ")")
        text = re.sub(r"\bcrit\b", "crits", text)
        if isinstance(found := read(re.sub(r"\bx\b", "1", text), FORMS["kt24"]), Printed):
            yield end, re.sub(r"\b1\b", "x", found.text) if re.search(r"\bx\b", text) else found.text
    if end_of := {
        "devastating": 1,
        "piercing": 1,
        "lethal": 1,
        "accurate": 1,
        "blast": 1,
        "torrent": 1,
        "heavy": 1,
        "range": 1,
    }.get(matching.word(start)):
        yield start + end_of, distance + matching.word(start).title()


G.says("rules-list", "[the] <weapon-rule>")(lambda one: (one,))
G.says("rules-list", "[the] <weapon-rule> ([,] and/or|,) <rules-list>")(lambda one, rest: (one, *rest))
G.says("weapon-rules", "<rules-list> [weapon] rule/rules")(lambda rules: rules)
G.says("weapon-rules", "<rules-list>")(lambda rules: rules)

# -- tokens, points and markers --------------------------------------------------------------------------

_SMALL = frozenset(
    [
        "your",
        "one",
        "the",
        "a",
        "an",
        "that",
        "those",
        "any",
        "each",
        "its",
        "their",
        "more",
        "two",
        "no",
        "additional",
        "have",
        "has",
        "gain",
        "gains",
        "enemy",
    ]
)


def _named(matching: Matching, at: int, heads: tuple[str, ...]) -> Iterator[tuple[int, str]]:
    """Up to four words before one of *heads*, none of them an ordinary small word."""
    for end in range(at, min(at + 5, len(matching.words))):
        if matching.words[end] in heads:
            if end > at:
                yield end + 1, " ".join(matching.words[at:end]).title()
            return
        if matching.words[end] in _SMALL or not matching.words[end][0].isalpha() or matching.words[at] == "of":
            return


@G.special("token-name")
def _token(matching: Matching, at: int) -> Iterator[tuple[int, str]]:
    yield from _named(matching, at, ("token", "tokens"))


@G.special("points-name")
def _points(matching: Matching, at: int) -> Iterator[tuple[int, str]]:
    yield from _named(matching, at, ("point", "points"))


@G.special("marker-name")
def _marker(matching: Matching, at: int) -> Iterator[tuple[int, str]]:
    for end, name in _named(matching, at, ("marker", "markers")):
        if name.lower() not in ("objective", "mission", "objective or mission", "pick up", "place"):
            yield end, name


G.says("token", "[(one/any) of] [your] <token-name>")(lambda name: name)
G.says("token", "one of (its|their) <token-name>")(lambda name: name)
G.says("token", "(a/an/the/its/their) <token-name>")(lambda name: name)
G.says("token", "[one of] (that/those) token/tokens")(lambda: "that")
G.says("marker", "[one of] your <marker-name>")(lambda name: (name,))
G.says("marker", "(an|any|one|the|its closest|) objective marker/markers")(lambda: ("objective",))
G.says("marker", "(that|the selected) objective marker")(lambda: ("that",))
G.says("marker", "[one of] your mission marker/markers")(lambda: ("mission",))
G.says("marker", "a mission marker")(lambda: ("mission",))
G.says("marker", "a marker", "markers", "any marker", "any markers", "it")(lambda: ("any",))
G.says("marker", "that/the marker")(lambda: ("that",))
G.says("marker", "an objective or mission marker")(lambda: ("objective", "mission"))
G.says("markers", "<marker>")(lambda one: one)
G.says("markers", "<marker> or <markers>")(lambda one, more: (*one, *more))

# -- keywords --------------------------------------------------------------------------------------------


@G.special("kw")
def _keyword(matching: Matching, at: int) -> Iterator[tuple[int, str]]:
    """One or more keywords in a row, as ``a & b``; ``? words`` for capitals that are no keyword of the team."""
    seen: set[int] = set()
    for end, found in _keyword_rows(matching, at, ()):
        if end not in seen:
            seen.add(end)
            yield end, " & ".join(found)
    end = at
    while end < len(matching.tokens) and matching.tokens[end].is_capital and matching.words[end] not in NOT_KEYWORDS:
        end += 1
    if end > at and end not in seen:
        row = matching.words[at:end]
        for split in range(len(row)):  # 'TEAM MISSPELT': what is known, then what is nearly known
            known = (
                next((each for stop, each in _keyword_rows(matching, at, ()) if stop == at + split), ())
                if split
                else ()
            )
            near = matching.lexicon.spelled(row[split:])
            if near is not None and (known or not split):
                yield end, " & ".join((*known, near))
                return
        yield end, "? " + " ".join(row)


def _keyword_rows(matching: Matching, at: int, before: tuple[str, ...]) -> Iterator[tuple[int, tuple[str, ...]]]:
    if len(before) > 4:
        return
    for size, found in matching.lexicon.keyword_at(matching.words[at : at + 8]):
        yield from _keyword_rows(matching, at + size, (*before, found))
        yield at + size, (*before, found)


G.says("kws", "<kw>")(lambda one: (one,))
G.says("kws", "<kw> ([,] or/and|,) [another] [friendly/a/an/any] <kws>")(lambda one, more: (one, *more))

# -- names of rules and ploys ----------------------------------------------------------------------------


@G.special("ploy-name")
def _ploy(matching: Matching, at: int) -> Iterator[tuple[int, str]]:
    found = matching.lexicon.name_at("ploy", matching.words[at : at + 10])
    if found is not None:
        yield at + found[0], found[1]


@G.special("rule-name")
def _rule(matching: Matching, at: int) -> Iterator[tuple[int, str]]:
    found = matching.lexicon.name_at("rule", matching.words[at : at + 10])
    if found is not None:
        yield at + found[0], found[1]


@G.special("option-name")
def _option(matching: Matching, at: int) -> Iterator[tuple[int, str]]:
    found = matching.lexicon.name_at("option", matching.words[at : at + 6])
    if found is not None:
        yield at + found[0], found[1]


@G.special("status")
def _status(matching: Matching, at: int) -> Iterator[tuple[int, str]]:
    """A state the team's own texts define, such as being in some place."""
    found = matching.lexicon.name_at("status", matching.words[at : at + 5])
    if found is not None:
        yield at + found[0], found[1]


@G.special("weapon-name")
def _weapon(matching: Matching, at: int) -> Iterator[tuple[int, str]]:
    """A weapon of the team: the longest name; or a kind of weapon its texts define."""
    row = matching.words[at : at + 8]
    group = matching.lexicon.name_at("group", row)
    if group is not None:
        yield at + group[0], "group " + group[1]
    found = matching.lexicon.name_at("weapon", row)
    if found is not None:
        yield at + found[0], found[1]


NO_MATTER_ENDS = frozenset((",", ";", ":", "(", ")", ".", "except", "unless", "excluding", "but", "only")) | {
    *("until", "while", "if", "when", "whenever", "during", "providing", "within", "outside"),
}
"""Where words that nothing depends on end: at a stop, or where something is taken back."""


@G.special("anything")
def _anything(matching: Matching, at: int) -> Iterator[tuple[int, str]]:
    """Any words up to the next punctuation; only where nothing can depend on them."""
    end = at
    while end < len(matching.words) and matching.words[end] not in NO_MATTER_ENDS:
        end += 1
        yield end, " ".join(matching.words[at:end])


@G.special("caps")
def _caps(matching: Matching, at: int) -> Iterator[tuple[int, str]]:
    """A name in capitals that is no keyword: something a team's own rules define."""
    end = at
    while end < len(matching.tokens) and (
        matching.tokens[end].is_capital or (end > at and matching.words[end] in ("of", "the"))
    ):
        end += 1
        if matching.tokens[end - 1].is_capital:
            yield end, " ".join(matching.words[at:end]).title()


@G.special("word")
def _any_word(matching: Matching, at: int) -> Iterator[tuple[int, str]]:
    if matching.word(at)[:1].isalpha():
        yield at + 1, matching.word(at)


G.says("profile-word", "<word>")(lambda word: (word,) if word not in ("other", "same") else NotImplemented)
G.says("profile-word", "<word> and <word>")(lambda one, two: (one, two))

G.says("ploys", "[the] <ploy-name>")(lambda one: (one,))
G.says("ploys", "[the] <ploy-name> ([,] and/or|,) <ploys>")(lambda one, more: (one, *more))
