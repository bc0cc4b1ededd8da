"""Weapon rules that only equipment brings."""

from __future__ import annotations

from dataclasses import dataclass

from ktsim.rules.engine.attack import Dice, Reroll, WeaponRule, open_faces
from ktsim.rules.engine.state import OperativeState, State
from ktsim.rules.kt24.weapon_rules import KT24_WEAPON_RULES

RESUPPLIED = "Ammo Resupply"


@KT24_WEAPON_RULES.add("KT24-E-AMMO-CACHE", RESUPPLIED)
@dataclass(frozen=True)
class Resupplied(WeaponRule):
    """Re-roll one attack die; not the rule Balanced, so a weapon that has that re-rolls two."""

    def rerolls(self, dice: Dice) -> list[Reroll]:
        return [Reroll(RESUPPLIED, face, False, True) for face in open_faces(dice)]


@KT24_WEAPON_RULES.add("KT24-E-EXPLOSIVE-GRENADES", "Team Limited {x}")
@dataclass(frozen=True)
class TeamLimited(WeaponRule):
    """Gone after so many uses by anybody of the team; one action is one use."""

    x: int

    @property
    def limit(self) -> int | None:
        return self.x

    def forbids_use(self, state: State, operative: OperativeState, weapon: str) -> str | None:
        team = [who for who in state.operatives.values() if who.side == operative.side]
        used = sum(who.uses.get(weapon, 0) for who in team)
        return f"{self.text}: used up." if used >= self.x else None
