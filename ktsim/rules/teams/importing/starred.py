"""Weapon rules that files describe on a datacard, with a star before their name: which weapons are meant by *this*."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from ktsim.rules.teams.fields import id_of
from ktsim.rules.teams.language.values import LanguageRule, TeamText, Term, Value, Whom
from ktsim.rules.teams.playing.clauses import weapon_rule_of

THIS = ("this",)


def about_weapons(text: TeamText, operatives: Sequence[Mapping[str, Any]]) -> TeamText:
    """The text with *this weapon* named, where it is the rule of some of its operative's weapons."""
    names = tuple(name for name, _ in _profiles(text, operatives))
    return replace(text, rules=tuple(_named(rule, names) for rule in text.rules)) if names else text


def clear_weapons(texts: Sequence[TeamText], operatives: Sequence[Mapping[str, Any]]) -> None:
    """Weapons all of whose rules are enforced, those of *texts* included, need no mark any more."""
    known: dict[int, set[str]] = {}
    for text in texts:
        for _, profile in _profiles(text, operatives):
            known.setdefault(id(profile), set()).add(weapon_rule_of(text))
    for each in operatives:
        for weapon in each["weapons"]:
            for profile in weapon.get("profiles", [weapon]):
                if {rule.lower() for rule in profile.get("shown", ())} <= known.get(id(profile), set()):
                    profile.pop("unclear", None)


def _profiles(text: TeamText, operatives: Sequence[Mapping[str, Any]]) -> Iterator[tuple[str, dict[str, Any]]]:
    """The weapons of the text's operative that have it as a rule, by the names the language has for them."""
    if not (title := weapon_rule_of(text)):
        return
    for each in operatives:
        for weapon in each["weapons"] if id_of(each["name"]) == text.of else ():
            for profile in weapon.get("profiles", [weapon]):
                if title in (rule.lower() for rule in profile.get("shown", ())):
                    name = weapon["name"].lower()
                    yield (name if profile is weapon else f"{name}/{profile['name'].lower()}"), profile


def _named(rule: LanguageRule, names: tuple[str, ...]) -> LanguageRule:
    return replace(
        rule,
        conditions=tuple(_in_term(each, names) for each in rule.conditions),
        do=tuple(_in_term(each, names) for each in rule.do),
        then=tuple(_named(each, names) for each in rule.then),
    )


def _in_term(term: Term, names: tuple[str, ...]) -> Term:
    return Term(term.word, tuple((name, _in_value(value, names)) for name, value in term.args))


def _in_value(value: Value, names: tuple[str, ...]) -> Value:
    if value == THIS:
        return names
    if isinstance(value, Term):
        return _in_term(value, names)
    if isinstance(value, LanguageRule):
        return _named(value, names)
    if isinstance(value, Whom):
        return replace(value, that=tuple(_in_term(each, names) for each in value.that))
    return tuple(_in_value(each, names) for each in value) if isinstance(value, tuple) else value
