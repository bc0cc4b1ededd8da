"""Fights through an opening: Hatchway Fight (KZ-HATCH-FIGHT) and Door Fight (KZ-VOLKUS-DOORFIGHT).

Both are Fight actions of their edition, which joins its own Fight to what is here: neither is performed beside a Fight.
The two count as in each other's control range for the action. Our reading: the enemy's side of the opening is where the
middle of its base is.
"""

from __future__ import annotations

from abc import abstractmethod
from typing import ClassVar

from ktsim.rules.engine.battle import Battle
from ktsim.rules.engine.fight.combat import Combat
from ktsim.rules.engine.state import OperativeState
from ktsim.rules.moving.openings import Opening, across, doors, hatchway_opening, hatchways, is_open

REACH = 2.0


class Across(Combat):
    """Against an enemy on the other side of an opening that the base touches."""

    counts_as = "Fight"
    reaches_across = True
    what: ClassVar[str]

    @abstractmethod
    def openings(self, battle: Battle) -> list[Opening]:
        """The openings it can reach through."""

    def refusal(self, battle: Battle, who: OperativeState) -> str | None:
        if near := battle.engaged_with(who):
            return f"{self.name}: not with {near[0].name} in {battle.edition.near}."
        if self.enemies(battle, who):
            return None
        return f'{self.name}: no enemy within {REACH:g}" beyond {self.what} that it touches.'

    def enemies(self, battle: Battle, who: OperativeState) -> list[OperativeState]:
        return [enemy for enemy, _ in across(battle, who, self.openings(battle), REACH)]


class ThroughHatchway(Across):
    """The opening is an open hatchway's."""

    what = "an open access point"

    def openings(self, battle: Battle) -> list[Opening]:
        return [hatchway_opening(line) for line in hatchways(battle) if is_open(battle, line)]


class ThroughDoor(Across):
    """The opening is a door's."""

    what = "a door"

    def openings(self, battle: Battle) -> list[Opening]:
        return doors(battle)
