"""Editions as plain values: their numbers, actions and weapon rules."""

from __future__ import annotations

from dataclasses import dataclass

from ktsim.rules.action import Action
from ktsim.rules.fight import Fight
from ktsim.rules.kt24_weapon_rules import KT24_WEAPON_RULES
from ktsim.rules.markers import PickUp, PlaceMarker
from ktsim.rules.moves import Charge, Dash, FallBack, Reposition
from ktsim.rules.shoot import Shoot
from ktsim.rules.weapon_rule import Registry


@dataclass(frozen=True)
class EditionRules:
    """What one edition lists."""

    id: str
    name: str
    weapon_rules: Registry
    actions: tuple[Action, ...]
    turning_points: int
    starting_cp: int
    defence_dice: int
    dash: int
    charge_bonus: int
    ammo_resupply_ap: int = 1

    def action(self, name: str) -> Action:
        return next(action for action in self.actions if action.name == name)


KT24 = EditionRules(
    id="kt24",
    name="2024",
    weapon_rules=KT24_WEAPON_RULES,
    actions=(Reposition(), Dash(), FallBack(), Charge(), Shoot(), Fight(), PickUp(), PlaceMarker()),
    turning_points=4,
    starting_cp=2,
    defence_dice=3,
    dash=3,
    charge_bonus=2,
)

EDITIONS: dict[str, EditionRules] = {KT24.id: KT24}


def edition(id: str) -> EditionRules:
    return EDITIONS[id]
