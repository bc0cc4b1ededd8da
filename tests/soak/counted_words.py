"""How often each word of the language of team rules comes about in battles."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from ktsim.rules.teams.playing import conditions, happening
from ktsim.rules.teams.playing.force import InForce
from ktsim.rules.teams.playing.standing import StandingRules


def count_words(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """Counts the effects that hold when they are asked for, those that happen, and the conditions that are asked."""
    counts: Counter[str] = Counter()
    found = InForce.found

    def counting(self: InForce, *args: Any, **more: Any) -> Any:
        for each in found(self, *args, **more):
            counts[f"effect {each[1].word}"] += 1
            yield each

    def counted(word: str, run: Callable[..., Any]) -> Callable[..., Any]:
        def ran(*args: Any) -> Any:
            counts[word] += 1
            return run(*args)

        return ran

    def is_counted(self: StandingRules, *args: Any) -> bool:
        counts["effect not-counted"] += not (is_one := counts_for_kills(self, *args))
        return is_one

    def cheaper(self: StandingRules, *args: Any) -> Any:
        for each in cheapening(self, *args):
            counts["effect ploy-cost"] += 1
            yield each

    counts_for_kills, cheapening = StandingRules.counts_for_kills, StandingRules.cheapening
    monkeypatch.setattr(StandingRules, "counts_for_kills", is_counted)
    monkeypatch.setattr(StandingRules, "cheapening", cheaper)
    monkeypatch.setattr(InForce, "found", counting)
    for words in (happening.HAPPENING, happening.MIDWAY):
        for word, entry in list(words.items()):
            own = replace(entry, run=counted(f"effect {word}", entry.run))
            monkeypatch.setitem(words, word, own)  # type: ignore[arg-type]
    for word, handler in list(conditions.CONDITIONS.items()):
        own_check = replace(handler, check=counted(f"condition {word}", handler.check))
        monkeypatch.setitem(conditions.CONDITIONS, word, own_check)
    return counts
