"""Texts that hang on others: what they ask about must be something play knows, or it is the players' to keep."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from ktsim.rules.teams.language.values import LanguageRule, TeamText, conditions_in, terms_of
from ktsim.rules.teams.playing.limits import limits_of
from ktsim.rules.teams.playing.playable import why_not

PLOYS = ("strategy", "firefight")


def with_what_is_left(texts: Sequence[TeamText]) -> list[TeamText]:
    """The texts; those that ask whether another rule was used of which play keeps no account, or that have somebody
    count as something no rule that works asks about, say so."""
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


def _asks_about(rule: LanguageRule) -> Iterator[str]:
    for each in terms_of(rule):
        if each.word in ("used-rule", "not-with"):
            yield str(each.main)
        if (name := each.get("not-after")) is not None:
            yield str(name)


def _counts_as(rule: LanguageRule) -> Iterator[str]:
    return (str(each.main) for each in terms_of(rule) if each.word == "counts-as")
