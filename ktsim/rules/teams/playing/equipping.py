"""How many equipment options more a team selects because of who is in it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ktsim.rules.teams.language.values import TeamText


def more_equipment(texts: Iterable[TeamText], types: Sequence[str]) -> int:
    """What *texts* allow a team of these datacards, one for each operative, beyond what every team may have."""
    more = 0
    for text in texts:
        having = types.count(text.of) if text.of else 1
        for rule in text.rules:
            more += having * sum(int(str(each.main)) for each in rule.do if each.word == "extra-equipment")
    return more
