"""How much things count to a bot that plans whole activations."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from ktsim import paths
from ktsim.content.yaml_tree import read_tree


@dataclass(frozen=True)
class Weights:
    """How much things count, in VP. ``assets/bots`` has the values in use and how they were found."""

    kill: float
    """An enemy incapacitated, where five make a team."""
    presence: float
    """What a living operative of 2 APL brings per activation to come."""
    damage: float
    """The share of an operative's worth that goes with its wounds."""
    opening: float
    """What would be scored now, in a turning point that scores nothing yet."""
    future: float
    """What is scored now, again per turning point to come."""
    at_end: float
    """What the end of the battle would pay now, before the last turning point."""
    control: float
    """A marker controlled, by itself."""
    pull: float
    """Being near what draws, against being there."""
    danger: float
    later: float
    """What a ready enemy, and one that is expended, may do to whoever stands in its way."""
    moved: float
    hidden: float
    bare: float
    """The share of a shot that needs a move first, and again if the target is on Conceal: in any case, and where it has
    no cover."""
    stage: float
    """What it may do next from where it stands, against doing it."""
    suffer: float
    """Own losses against the enemy's."""
    effect: float
    """A lasting effect, for each operative it is about."""
    wait: float
    """How much of what a place brings is lost by going there later."""
    cp: float
    """A CP kept."""
    reply: float
    """How much of the enemy's best answer counts."""

    def times(self, factors: Mapping[str, float]) -> Weights:
        """With some of them multiplied."""
        return replace(self, **{name: getattr(self, name) * factor for name, factor in factors.items()})


@lru_cache(maxsize=8)
def weights_of(style: str = "") -> Weights:
    """The weights in use, as a style of play has them."""
    document: Any = read_tree(paths.assets() / "bots" / "commander.yaml").plain()
    return Weights(**document["weights"]).times(document["styles"][style] if style else {})
