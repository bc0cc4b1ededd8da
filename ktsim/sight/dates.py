"""What corrections of the rules changed, and from which date on (KT24-DATED): the one list of them.

A scene or a game is ruled as of one date. Whoever rules differently before and after a correction asks for it by its
name here, never for a date.
"""

from __future__ import annotations

from typing import NamedTuple

from ktsim.sight.scene import RulesDate


class Correction(NamedTuple):
    """A rule that changed: which, from which date on, what holds since then and what held before."""

    rule: str
    since: RulesDate
    text: str
    before: str

    def holds(self, as_of: RulesDate) -> bool:
        """Whether it is in force in what is ruled *as_of* a date."""
        return as_of >= self.since

    def said(self, as_of: RulesDate) -> str:
        """What the rule says *as_of* a date."""
        return self.text if self.holds(as_of) else self.before


SMOKE_BLUNTS = Correction(
    "KT24-SMOKE",
    "2026-01",
    "Smoke around the target makes Piercing 2 Piercing 1, and Piercing Crits 2 Piercing Crits 1.",
    "Smoke around the target takes Piercing away.",
)
JUMP_FROM_VANTAGE = Correction(
    "KT24-MOVE-5",
    "2026-01",
    "A jump over a rampart starts at the level of the Vantage.",
    "A jump over a rampart starts at the highest point climbed.",
)
FLANK_AT_LAST = Correction(
    "KT24-OP-FLANK",
    "2026-01",
    "A flank held before pays 2VP in the last turning point only.",
    "A flank held before pays 2VP in every turning point after the second.",
)
BREACHING_CHARGE = Correction(
    "KT24-E-BREACHING-CHARGE",
    "2026-01",
    "The Breaching Charge is equipment where there are breach points.",
    "There is no Breaching Charge.",
)

CORRECTIONS = (SMOKE_BLUNTS, JUMP_FROM_VANTAGE, FLANK_AT_LAST, BREACHING_CHARGE)
