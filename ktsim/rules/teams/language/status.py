"""What becomes of a text in play: all of it works, some of it, or it is shown. The one place that decides this."""

from __future__ import annotations

from typing import Literal, TypeAlias

from ktsim.rules.teams.language.values import LanguageRule, TeamText, words_of

Status: TypeAlias = Literal["enforced", "partly", "shown", "failed"]
Executable: TypeAlias = "frozenset[tuple[str, str]]"
"""Pairs of a part of speech and a word that play can carry out."""


def missing_words(rule: LanguageRule, executable: Executable | None) -> list[str]:
    """The words of *rule* that play cannot carry out; ``None`` stands for a play that can do all of them."""
    if executable is None:
        return []
    return sorted({f"{part} {word}" for part, word in words_of(rule) if (part, word) not in executable})


def status_of(text: TeamText, executable: Executable | None = None) -> tuple[Status, str]:
    """How much of a text works, and why not all of it."""
    if not text.rules:
        return "shown", _first(text.unread) or "nothing of it is in the language of team rules"
    lacking = {rule: missing_words(rule, executable) for rule in text.rules}
    works = [rule for rule, missing in lacking.items() if not missing]
    if not works:
        return "shown", "play has no " + ", ".join(sorted({word for each in lacking.values() for word in each})[:4])
    if text.unread:
        if all(effect.word == "card" for rule in works for effect in rule.do):
            return (
                "partly",
                f"its moment, cost and limits are kept, what it does is left to the players: {_first(text.unread)}",
            )
        return "partly", _first(text.unread)
    if len(works) < len(text.rules):
        return "partly", "play has no " + ", ".join(sorted({word for each in lacking.values() for word in each})[:4])
    return "enforced", ""


def _first(unread: tuple[str, ...]) -> str:
    if not unread:
        return ""
    more = f" (and {len(unread) - 1} more)" if len(unread) > 1 else ""
    return f"not understood: {unread[0][:160]}{more}"
