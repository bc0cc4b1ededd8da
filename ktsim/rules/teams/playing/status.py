"""What becomes of a text in play: all of it works, some of it, or it is shown. The one place that decides this."""

from __future__ import annotations

from typing import Literal, TypeAlias

from ktsim.rules.teams.language.values import TeamText
from ktsim.rules.teams.playing.playable import why_not

Status: TypeAlias = Literal["enforced", "partly", "shown", "failed"]


def status_of(text: TeamText) -> tuple[Status, str]:
    """How much of a text works, and why not all of it."""
    if not text.rules:
        return "shown", _first(text.unread) or "nothing of it is in the language of team rules"
    lacks = {number: why_not(text, rule) for number, rule in enumerate(text.rules)}
    works = [rule for number, rule in enumerate(text.rules) if not lacks[number]]
    missing = "play has no " + ", ".join(list(dict.fromkeys(word for each in lacks.values() for word in each))[:4])
    if not works:
        return "shown", missing
    if text.unread:
        if all(effect.word == "card" for rule in works for effect in rule.do):
            return (
                "partly",
                f"its moment, cost and limits are kept, what it does is left to the players: {_first(text.unread)}",
            )
        return "partly", _first(text.unread)
    if len(works) < len(text.rules):
        return "partly", missing
    return "enforced", ""


def _first(unread: tuple[str, ...]) -> str:
    if not unread:
        return ""
    more = f" (and {len(unread) - 1} more)" if len(unread) > 1 else ""
    return f"not understood: {unread[0][:160]}{more}"
