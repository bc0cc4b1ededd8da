"""What climbs, drops and jumps cost in each edition, as plain values."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Protocol

from ktsim.sight.dates import JUMP_FROM_VANTAGE
from ktsim.sight.scene import EPS, RULES_DATES, Edition, RulesDate

LEAST_CLIMB = 2
FREE_DROP = 2.0


def whole(length: float) -> int:
    """A length rounded up to whole inches (KT24-MOVE-1); a hair more than a whole number is that number.

    KT21-MOVE, our reading: 2021 rounds as well. Its moves are counted in increments laid with gauges of 1, 2, 3 and 6
    inches (its commentary adds a 1 inch gauge to a Movement of three 2 inch ones), and no gauge is a fraction of an
    inch long, so each straight increment takes whole inches from the total.
    """
    return max(0, math.ceil(length - EPS))


def _free_then_paid(height: float, used: float) -> int:
    """KT24-MOVE-4: two inches of drop in an action are free, what a drop has beyond that is rounded up."""
    return whole(max(0.0, used + height - FREE_DROP) - max(0.0, used - FREE_DROP))


def _by_twos(height: float, used: float) -> int:
    """KT21-TERRAIN: a drop counts in steps of two inches, rounded down: 1.9 inches are free, 2 cost 2."""
    return 2 * int((height + EPS) / 2)


def _at_least_two(height: float, is_scalable: bool) -> int:
    """KT24-MOVE-3: rounded up, at least two inches."""
    return max(LEAST_CLIMB, whole(height))


def _by_twos_up(height: float, is_scalable: bool) -> int:
    """KT21-TERRAIN: a climb goes in increments of two inches, and one under two inches counts as two.

    Our reading: 3 inches are an increment of 2 and one of 1, which is rounded up, so they cost 4. Up a Scalable part
    the last increment is free when it is under two inches: 3 cost 2, 1.9 nothing, 2 and 4 what they always cost.
    """
    full = int((height + EPS) / 2)
    is_rounded = height - 2 * full > EPS
    return 2 * full + (2 if is_rounded and not is_scalable else 0)


@dataclass(frozen=True, eq=False)
class Paces:
    """The numbers of one edition. *jump_test* is the least result of a die that completes a jump."""

    climb_rule: str
    drop_rule: str
    jump_rule: str
    climb_cost: Callable[[float, bool], int]
    """By height, and whether the last of it is up a Scalable part."""
    climb_words: str
    """Why a climb costs more than its height."""
    drop_cost: Callable[[float, float], int]
    drop_words: str
    """Why a drop costs less than its height."""
    most_drop: float
    jump_reach: float
    jump_from: float
    landing: float
    jump_lands: bool
    """Whether a jump ends on a level that is *landing* higher or lower at most; else a climb or a drop may follow."""
    jump_test: int | None
    passes_friends: bool
    traverse_cost: int | None
    near: str
    shares_control: bool
    """Whether the range of an enemy whom a friend engages already may be passed."""
    cited: Mapping[str, str]
    """The rows of the edition that say what the rows named in the check say."""
    cheap_climb_words: str = 'Scalable, the last increment under 2" is free'
    """Why a climb costs less than its height."""
    jumps_from_vantage: bool = False
    """Whether a jump over a climbed rampart starts at the level of the Vantage, not at the highest point climbed."""

    def cites(self, rule: str) -> str:
        """The row to name for *rule*, a row of either edition."""
        return self.cited.get(rule, rule)


KT24 = Paces(
    climb_rule="KT24-MOVE-3",
    drop_rule="KT24-MOVE-4",
    jump_rule="KT24-MOVE-5",
    climb_cost=_at_least_two,
    climb_words='at least 2"',
    drop_cost=_free_then_paid,
    drop_words='up to 2" of drop are free',
    most_drop=math.inf,
    jump_reach=4.0,
    jump_from=2.0,
    landing=1.0,
    jump_lands=False,
    jump_test=None,
    passes_friends=True,
    traverse_cost=None,
    near="control range",
    shares_control=True,
    cited={},
)
KT21 = Paces(
    climb_rule="KT21-TERRAIN",
    drop_rule="KT21-TERRAIN",
    jump_rule="KT21-TERRAIN",
    climb_cost=_by_twos_up,
    climb_words='increments under 2" count as 2"',
    drop_cost=_by_twos,
    drop_words='drops count in steps of 2", rounded down',
    most_drop=6.0,
    jump_reach=3.0,
    jump_from=0.0,
    landing=2.0,
    jump_lands=True,
    jump_test=2,
    passes_friends=False,
    traverse_cost=2,
    near="engagement range",
    shares_control=False,
    cited={
        **dict.fromkeys(("KT24-MOVE-1", "KT24-MOVE-2", "KT24-MOVE-8"), "KT21-MOVE"),
        **dict.fromkeys(("KT24-MOVE-3", "KT24-MOVE-4", "KT24-MOVE-5", "KT24-MOVE-6", "KT24-MOVE-6a"), "KT21-TERRAIN"),
    },
)


KT24_CORRECTED = replace(KT24, jumps_from_vantage=True)


def paces(edition: Edition, as_of: RulesDate = RULES_DATES[0]) -> Paces:
    """The numbers of an edition as of a date (KT24-DATED)."""
    if edition != "kt24":
        return KT21
    return KT24_CORRECTED if JUMP_FROM_VANTAGE.holds(as_of) else KT24


class Walks(Protocol):
    """What an action says about climbs and drops."""

    @property
    def edition(self) -> Edition: ...

    @property
    def climb(self) -> int | None: ...

    @property
    def drops_free(self) -> bool: ...


def paces_of(action: Walks, as_of: RulesDate = RULES_DATES[0]) -> Paces:
    """The numbers of the action's edition, as rules about its climbs and drops have them."""
    return _changed(action.edition, as_of, action.climb, action.drops_free)


@cache
def _changed(edition: Edition, as_of: RulesDate, climb: int | None, drops_free: bool) -> Paces:
    found = paces(edition, as_of)
    if climb is not None:
        usual, most = found.climb_cost, climb
        words = f'counts as {most}"'
        found = replace(
            found, climb_cost=lambda height, grated: min(most, usual(height, grated)), cheap_climb_words=words
        )
    if drops_free:
        found = replace(found, drop_cost=lambda height, used: 0, drop_words="the height of drops is ignored")
    return found
