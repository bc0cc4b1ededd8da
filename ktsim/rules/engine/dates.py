"""What corrections of the rules changed, and from which date on (KT24-DATED): the one list of them.

A scene or a game is ruled as of one date. Whoever rules differently before and after a correction asks for it by its
name here, never for a date.
"""

from __future__ import annotations

from typing import NamedTuple

from ktsim.sight.scene import RulesDate


class Correction(NamedTuple):
    """A rule that changed: which, from which date on, and what holds since then."""

    rule: str
    since: RulesDate
    text: str

    def holds(self, as_of: RulesDate) -> bool:
        """Whether it is in force in what is ruled *as_of* a date."""
        return as_of >= self.since


SMOKE_BLUNTS = Correction("KT24-SMOKE", "2026-01", "Smoke makes Piercing 2 Piercing 1 instead of taking Piercing away.")
JUMP_FROM_VANTAGE = Correction("KT24-MOVE-5", "2026-01", "A jump over a rampart starts at the level of the Vantage.")
FLANK_AT_LAST = Correction("KT24-OP-FLANK", "2026-01", "A flank held before pays 2VP in the last turning point only.")

CORRECTIONS = (SMOKE_BLUNTS, JUMP_FROM_VANTAGE, FLANK_AT_LAST)
