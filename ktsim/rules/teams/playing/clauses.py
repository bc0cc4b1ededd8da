"""Rules of the language made ready for play: each with a key under which effects of the state remember it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

from ktsim.rules.engine.state import Effect
from ktsim.rules.teams.language.values import WHO, LanguageRule, TeamText, Term, Whom, terms_of
from ktsim.rules.teams.playing.prepared import ALWAYS, STANDING_MOMENTS, as_played

LATE = frozenset({"die", "damage", "fails", "successes", "criticals", "first-time"})
"""Conditions that are asked when dice lie on the table, by the effect they belong to."""


@dataclass(frozen=True)
class Clause:
    """One rule of a text.

    It holds because of its *text* (an ability, a ploy in force, equipment taken, an option chosen), or while an
    *effect* of the state says so. *kinds* are the datacards it belongs to; with none, the whole team has it.
    """

    key: str
    text: TeamText
    rule: LanguageRule
    holds_by: Literal["text", "effect"]
    kinds: frozenset[str] = frozenset()

    @property
    def title(self) -> str:
        return self.text.name

    @cached_property
    def moments(self) -> frozenset[str]:
        return frozenset(term.word for term in self.rule.on)

    @property
    def is_standing(self) -> bool:
        return self.moments <= STANDING_MOMENTS

    @cached_property
    def is_paid(self) -> bool:
        """Whether each use is one of a firefight ploy; what follows from a ploy, or from a gambit, is paid for."""
        return self.text.kind == "firefight" and self.holds_by == "text"

    @cached_property
    def chosen(self) -> str:
        """What has to be chosen for an operative to have it."""
        return chosen_by(self.text)

    @cached_property
    def can_be_used_up(self) -> bool:
        """Whether something it does makes it one that cannot be used any more."""
        return any(each.word == "never-again" for each in terms_of(self.rule))

    @cached_property
    def only_acts(self) -> bool:
        """Whether nothing comes of it but free actions."""
        return all(each.word in ("pick", "free-action") for each in self.rule.do)

    @cached_property
    def is_support(self) -> bool:
        return is_marked(self.text, "SUPPORT")

    @cached_property
    def is_psychic_rule(self) -> bool:
        """Whether it is of an additional rule that is marked PSYCHIC."""
        return self.text.kind == "ability" and is_psychic(self.text)

    @cached_property
    def is_about_a_role(self) -> bool:
        """Whether it is about whoever has its role, however they are."""
        return self.rule.who == Whom(self.rule.who.role)

    @cached_property
    def foe_wanted(self) -> Literal["any", "enemy", "such"]:
        """Against whom it is: anybody, any enemy, or those its rule says more about."""
        if self.rule.foe is None or self.rule.foe == Whom("anyone"):
            return "any"
        return "enemy" if self.rule.foe == Whom("enemy") else "such"

    @cached_property
    def weapon_rule(self) -> str:
        """The weapon rule it is part of, if it is."""
        return weapon_rule_of(self.text)


def is_use_of(effect: Effect, ids: frozenset[str]) -> bool:
    """Whether it remembers that one of these texts was used."""
    return effect.clause.partition("#")[0] in ids and effect.clause.endswith("!")


def used_up(clause: Clause) -> str:
    """Under which key the state remembers that a rule cannot be used any more."""
    return f"{clause.key}!never"


def chosen_by(text: TeamText) -> str:
    """What has to be chosen for an operative to have the text: the option it is, or the keyword it is named after."""
    if text.options:
        return text.name.partition("]")[2].strip().lower() or text.name.lower()
    keyword, _, rest = text.name.partition(" - ")
    return keyword.strip().lower() if rest and text.kind == "faction" and not text.of else ""


def is_marked(text: TeamText, mark: str) -> bool:
    """Whether a text is printed as SUPPORT, PSYCHIC and the like; one that begins by speaking of such things is not."""
    return re.match(rf"\W*(?:Not:\W*)?(?:[A-Z ]+ and \W*)?{mark}\b(?!\W+(?!and\b)[a-z])", text.text) is not None


def is_psychic(text: TeamText) -> bool:
    return is_marked(text, "PSYCHIC")


def weapon_rule_of(text: TeamText) -> str:
    """The weapon rule a text of a datacard is (with a star before its name); empty for what is none."""
    return text.name.strip("* ").lower() if text.name.startswith("*") else ""


def clauses_of(texts: Sequence[TeamText]) -> Iterator[Clause]:
    """Every clause of the texts; the same text on several datacards is one rule about all of them."""
    same: dict[tuple[str, str, tuple[LanguageRule, ...], str], list[TeamText]] = {}
    for text in texts:
        same.setdefault((text.kind, text.name, text.rules, text.options), []).append(text)
    seen: dict[str, int] = {}
    for found in same.values():
        text = found[0]
        kinds = frozenset(each.of for each in found if each.of)
        seen[text.id] = seen.get(text.id, 0) + 1
        prefix = text.id if seen[text.id] == 1 else f"{text.id}~{seen[text.id]}"
        rules = (part for rule in text.rules for part in as_played(text, rule))
        for number, rule in enumerate(rules):
            yield from _within(Clause(f"{prefix}#{number}", text, rule, "text", kinds))


def _within(clause: Clause) -> Iterator[Clause]:
    """The clause, what holds once it has happened, and its effects that last."""
    yield clause
    for number, rule in enumerate(clause.rule.then):
        yield from _within(replace(clause, key=f"{clause.key}.{number}", rule=rule, holds_by="effect"))
    for number, term in enumerate(clause.rule.do):
        yield from _in_term(clause, f"{clause.key}/{number}", term)


def _in_term(clause: Clause, key: str, term: Term) -> Iterator[Clause]:
    yield replace(clause, key=key, rule=lasting(term), holds_by="effect")
    for name in ("", "do", "else", "otherwise"):
        value = term.get(name)
        for number, inner in enumerate(value if isinstance(value, tuple) else ()):
            if isinstance(inner, Term) and term.word in ("roll", "choose", "token"):
                yield from _in_term(clause, f"{key}{name}/{number}", inner)
            elif isinstance(inner, LanguageRule) and term.word == "options":
                yield from _within(replace(clause, key=f"{key}={number}", rule=inner, holds_by="effect"))


def lasting(term: Term) -> LanguageRule:
    """The effect as a rule about one operative, for as long as an effect of the state has it."""
    args = tuple((name, value) for name, value in term.args if name not in ("who", "until"))
    return LanguageRule((ALWAYS,), who=WHO, do=(Term(term.word, args),))


def conditions_of(rule: LanguageRule, term: Term) -> tuple[tuple[Term, ...], tuple[Term, ...]]:
    """The conditions of an effect of the rule: those that can be told before dice are rolled, and the others."""
    own = term.get("if")
    both = (*rule.conditions, *(each for each in (own if isinstance(own, tuple) else ()) if isinstance(each, Term)))
    early = tuple(each for each in both if each.word not in LATE)
    return early, tuple(each for each in both if each.word in LATE)


def about(term: Term) -> Whom | None:
    """Whom an effect says it is about; the rule's own unless it says."""
    whom = term.get("who")
    return whom if isinstance(whom, Whom) else None
