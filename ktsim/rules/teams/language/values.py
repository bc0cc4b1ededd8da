"""Team rules as values: terms with arguments, operatives meant, rules and the texts they come from."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

Value: TypeAlias = "bool | int | float | str | Whom | Term | LanguageRule | tuple[Value, ...]"
"""What an argument can be. Dice are text (``D3+1``), lists are tuples."""

TextKind: TypeAlias = Literal["ability", "action", "strategy", "firefight", "equipment", "faction", "weapon-rule"]
TEXT_KINDS: tuple[TextKind, ...] = (
    "ability",
    "action",
    "strategy",
    "firefight",
    "equipment",
    "faction",
    "weapon-rule",
)


@dataclass(frozen=True)
class Term:
    """One word of the language with its arguments; the main one has the empty name.

    Which words there are and what arguments they take: ``ktsim.rules.teams.language.vocabulary``.
    """

    word: str
    args: tuple[tuple[str, Value], ...] = ()

    def get(self, name: str = "") -> Value | None:
        for key, value in self.args:  # asked all the time: a generator would take three times as long
            if key == name:
                return value
        return None

    @property
    def main(self) -> Value | None:
        return self.get()

    def plus(self, **more: Value | None) -> Term:
        """The same with more arguments; those that are ``None`` are left out."""
        return term(self.word, self.main, **{**{key: value for key, value in self.args if key}, **named(more)})


def named(args: dict[str, Value | None]) -> dict[str, Value | None]:
    """Names of arguments as the language writes them: with hyphens."""
    return {key.rstrip("_").replace("_", "-"): value for key, value in args.items()}


def term(word: str, main: Value | None = None, /, **args: Value | None) -> Term:
    """A term; arguments that are ``None`` are left out, underscores in their names become hyphens."""
    given = {"": main, **named(args)}
    return Term(word, tuple(sorted((key, value) for key, value in given.items() if value is not None)))


@dataclass(frozen=True)
class Whom:
    """Which operatives are meant: a role, narrowed by keywords and conditions.

    *keyword*: any of these, each all the keywords joined by ``&``; *without*: none of these.
    """

    role: str
    keyword: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    other: bool = False
    that: tuple[Term, ...] = ()

    def narrowed(self, *more: Term) -> Whom:
        return replace(self, that=(*self.that, *more))


SELF, WHO, FOE, PICKED = Whom("self"), Whom("who"), Whom("foe"), Whom("picked")
FRIEND, ENEMY, ANYONE = Whom("friend"), Whom("enemy"), Whom("anyone")


@dataclass(frozen=True)
class LanguageRule:
    """When, whose, on what conditions, how often, at what cost, whether the player is asked, what happens, how long.

    Conditions are about *who* unless they say about whom, effects happen to *who* unless they say to whom, and both
    may name the *foe* and whom a ``pick`` before them chose. Rules in *then* hold once the rule has happened, for as
    long as they say; in them ``who``, ``foe`` and ``picked`` as their own *who* or *foe* are those of the rule around
    them. An effect with ``instead`` takes the place of the one before it where its conditions hold.
    """

    on: tuple[Term, ...]
    who: Whom = SELF
    foe: Whom | None = None
    conditions: tuple[Term, ...] = ()
    limit: tuple[Term, ...] = ()
    cost: Term | None = None
    may: bool = False
    do: tuple[Term, ...] = ()
    until: tuple[Term, ...] = ()
    then: tuple[LanguageRule, ...] = ()


@dataclass(frozen=True)
class TeamText:
    """An ability, action, ploy or piece of equipment: its printed text and what of it is said in the language.

    *of* is the operative's id, empty for the team's. *unread* are the sentences that are not in *rules*.
    """

    id: str
    kind: TextKind
    name: str
    rules: tuple[LanguageRule, ...] = ()
    of: str = ""
    cost: int = 0
    text: str = ""
    when: tuple[str, ...] = ()
    unread: tuple[str, ...] = ()

    @property
    def title(self) -> str:
        """What a card with it is headed."""
        return f"{self.name} ({self.cost}AP)" if self.kind == "action" else self.name

    options: str = ""
    """The name of the list of options this text is one of (a chosen tactic, mark or boon)."""


PartTerm: TypeAlias = "tuple[str, Term]"


def words_of(*rules: LanguageRule) -> Iterator[tuple[str, str]]:
    """Every word the rules use, as pairs of part of speech and word, repeated as often as it is used."""
    for rule in rules:
        yield from ((part, each.word) for part, each in _parts(rule))


def terms_of(*rules: LanguageRule) -> Iterator[Term]:
    """Every term of the rules, those within others too."""
    for rule in rules:
        yield from (each for _, each in _parts(rule))


def conditions_in(*rules: LanguageRule) -> Iterator[Term]:
    """Every condition of the rules, of those they speak of and of their effects."""
    for rule in rules:
        yield from (each for part, each in _parts(rule) if part == "condition")


def _parts(rule: LanguageRule) -> Iterator[PartTerm]:
    for part, terms in (
        ("moment", rule.on),
        ("condition", rule.conditions),
        ("limit", rule.limit),
        ("effect", rule.do),
        ("until", rule.until),
        ("cost", () if rule.cost is None else (rule.cost,)),
    ):
        for each in terms:
            yield from _inner(part, each)
    for whom in filter(None, (rule.who, rule.foe)):
        yield from _in_value(whom)
    for inner in rule.then:
        yield from _parts(inner)


def _inner(part: str, each: Term) -> Iterator[PartTerm]:
    yield part, each
    for name, value in each.args:
        yield from _in_value(value, name or each.word)


def _in_value(value: Value, name: str = "") -> Iterator[PartTerm]:
    if isinstance(value, Whom):
        for each in value.that:
            yield from _inner("condition", each)
    elif isinstance(value, Term):
        part = (
            "until" if name == "until" else "effect" if name in ("do", "else", "otherwise", "choose") else "condition"
        )
        yield from _inner(part, value)
    elif isinstance(value, LanguageRule):
        yield from _parts(value)
    elif isinstance(value, tuple):
        for one in value:
            yield from _in_value(one, name)
