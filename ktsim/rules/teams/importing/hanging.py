"""Texts that hang on others: what they ask about must be something play knows, or it is the players' to keep."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from ktsim.rules.teams.language.values import SELF, LanguageRule, TeamText, Term, conditions_in, terms_of
from ktsim.rules.teams.playing.limits import limits_of
from ktsim.rules.teams.playing.playable import why_not

PLOYS = ("strategy", "firefight")


def with_what_is_left(texts: Sequence[TeamText]) -> list[TeamText]:
    """The texts; those that ask whether another rule was used of which play keeps no account, or that have somebody
    count as something no rule that works asks about, say so."""
    texts = [_for_whom_it_is_used(text, texts) for text in texts]
    working = [(text, rule) for text in texts for rule in text.rules if not why_not(text, rule)]
    kept = {text.name.lower() for text, rule in working if text.kind in PLOYS or any(True for _ in limits_of(rule))}
    asked = {str(each.main) for _, rule in working for each in conditions_in(rule) if each.word == "token"}
    asked |= {str(each.get("per-token")) for _, rule in working for each in terms_of(rule) if each.get("per-token")}
    found = []
    for text in texts:
        missing = [name for rule in text.rules for name in _asks_about(rule) if name.lower() not in kept]
        missing += [name for rule in text.rules for name in _counts_as(rule) if name not in asked]
        notes = tuple(dict.fromkeys(f"{name} is left to the players" for name in missing))
        found.append(replace(text, unread=(*text.unread, *notes)) if notes else text)
    return found


def _for_whom_it_is_used(text: TeamText, texts: Sequence[TeamText]) -> TeamText:
    """The text; what costs less for 'this operative' are ploys used for somebody, who is known as they are paid."""

    def known(each: Term) -> Term:
        names = each.main if isinstance(each.main, tuple) else ()
        is_own = each.word == "ploy-cost" and each.get("specified") == SELF
        return each.plus(used_for=True) if is_own and all(_is_used_for(str(name), texts) for name in names) else each

    rules = tuple(replace(rule, do=tuple(map(known, rule.do))) for rule in text.rules)
    return text if rules == text.rules else replace(text, rules=rules)


def _is_used_for(name: str, texts: Sequence[TeamText]) -> bool:
    """Whether the ploy works, and whoever it is used for is a friend whom its moment names, not one that is picked."""
    ploys = [text for text in texts if text.kind == "firefight" and text.name.lower() == name.lower()]
    rules = [(text, rule) for text in ploys for rule in text.rules]
    return bool(rules) and not any(
        text.unread
        or why_not(text, rule)
        or rule.who.role != "friend"
        or any(each.word in ("pick", "choose", "card", "redirect") for each in rule.do)
        for text, rule in rules
    )


def _asks_about(rule: LanguageRule) -> Iterator[str]:
    for each in terms_of(rule):
        if each.word in ("used-rule", "not-with"):
            yield str(each.main)
        if (name := each.get("not-after")) is not None:
            yield str(name)


def _counts_as(rule: LanguageRule) -> Iterator[str]:
    return (str(each.main) for each in terms_of(rule) if each.word == "counts-as")
