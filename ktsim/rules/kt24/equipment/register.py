"""What universal equipment there is, by key."""

from __future__ import annotations

from collections.abc import Mapping

from ktsim.rules.engine.rule import Rule
from ktsim.rules.engine.state import SIDES, Side
from ktsim.rules.kt24.equipment.ammo_cache import AmmoCache
from ktsim.rules.kt24.equipment.barricades import HeavyBarricade, Ladders, LightBarricades, RazorWire
from ktsim.rules.kt24.equipment.comms_device import CommsDevice
from ktsim.rules.kt24.equipment.grenades import ExplosiveGrenades, UtilityGrenades
from ktsim.rules.kt24.equipment.mines import Mines
from ktsim.rules.kt24.equipment.option import Equipment
from ktsim.rules.kt24.equipment.portable_barricade import PortableBarricade

__all__ = ["EQUIPMENT", "Equipment", "equipment_of", "equipment_rules", "key_for"]

EQUIPMENT: dict[str, Equipment] = {
    option.key: option
    for option in (
        AmmoCache(),
        CommsDevice(),
        HeavyBarricade(),
        Ladders(),
        LightBarricades(),
        Mines(),
        PortableBarricade(),
        RazorWire(),
        UtilityGrenades(),
        ExplosiveGrenades(),
    )
}


def key_for(side: Side) -> str:
    """Under which key of ``State.choices`` the side's equipment is kept, as keys separated by commas."""
    return f"{side}:equipment"


def equipment_of(choices: Mapping[str, str], side: Side) -> list[Equipment]:
    """What *side* has chosen, in its order."""
    return [EQUIPMENT[key] for key in choices.get(key_for(side), "").split(",") if key]


def equipment_rules(choices: Mapping[str, str]) -> list[Rule]:
    """The rules in force because of what both sides have chosen; for ``Mission.chosen``."""
    return [option.rule(side) for side in SIDES for option in equipment_of(choices, side)]
