"""A package whose weapon rule has the printed form of another one."""

from __future__ import annotations

from ktsim.rules.engine.attack import WeaponRule
from ktsim.rules.kt24.weapon_rules import KT24_WEAPON_RULES


@KT24_WEAPON_RULES.add("BROKEN", "Rending")
class Rending(WeaponRule):
    pass
