"""The editions that can be played, by id."""

from __future__ import annotations

from ktsim.rules.engine.activation import choose_action, choose_order
from ktsim.rules.engine.dice import KT24_CITES
from ktsim.rules.engine.edition import EditionRules
from ktsim.rules.engine.fight import stages as fighting
from ktsim.rules.engine.markers import PickUp, PlaceMarker
from ktsim.rules.engine.shoot import stages as shooting
from ktsim.rules.killzone.register import KILLZONE_RULES
from ktsim.rules.kt21.edition import KT21
from ktsim.rules.kt24.fight import Fight
from ktsim.rules.kt24.moves import Charge, Dash, FallBack, Reposition
from ktsim.rules.kt24.shoot import Shoot, make_shot
from ktsim.rules.kt24.weapon_rules import KT24_WEAPON_RULES

__all__ = ["EDITIONS", "KT21", "KT24", "EditionRules", "edition"]

KT24 = EditionRules(
    id="kt24",
    name="2024",
    weapon_rules=KT24_WEAPON_RULES,
    actions=(Reposition(), Dash(), FallBack(), Charge(), Shoot(), Fight(), PickUp(), PlaceMarker()),
    killzone_rules=KILLZONE_RULES,
    shot_stages=shooting.STAGES,
    duel_stages=fighting.STAGES,
    make_shot=make_shot,
    choose_order=choose_order,
    choose_action=choose_action,
    cites=KT24_CITES,
    near="control range",
    gambit="gambit",
    generates_ap=False,
)

EDITIONS: dict[str, EditionRules] = {KT24.id: KT24, KT21.id: KT21}


def edition(id: str) -> EditionRules:
    return EDITIONS[id]
