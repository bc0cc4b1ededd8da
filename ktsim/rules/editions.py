"""The editions that can be played, by id."""

from __future__ import annotations

from ktsim.rules.engine.edition import EditionRules
from ktsim.rules.kt21.edition import KT21
from ktsim.rules.kt24.edition import KT24

EDITIONS: dict[str, EditionRules] = {KT24.id: KT24, KT21.id: KT21}


def edition(id: str) -> EditionRules:
    return EDITIONS[id]
