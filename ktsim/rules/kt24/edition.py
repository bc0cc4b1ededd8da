"""The 2024 edition as a value."""

from __future__ import annotations

from ktsim.rules.engine.attack import Cites
from ktsim.rules.engine.edition import EditionRules
from ktsim.rules.engine.markers import PickUp, PlaceMarker
from ktsim.rules.kt24.close_quarters import KILLZONE_RULES
from ktsim.rules.kt24.fight import DUEL_STAGES, Fight
from ktsim.rules.kt24.moves import Charge, Dash, FallBack, Reposition
from ktsim.rules.kt24.shoot import SHOT_STAGES, Shoot, make_shot
from ktsim.rules.kt24.turn import choose_action, choose_order
from ktsim.rules.kt24.weapon_rules import KT24_WEAPON_RULES

KT24_CITES = Cites(
    dice="KT24-DICE",
    reroll="KT24-REROLL",
    block="KT24-BLOCK",
    stats="KT24-STATS",
    injured="KT24-DAMAGE",
    support="KT24-ASSIST",
    passing="KT24-PASS",
    ploys="KT24-GAMBIT",
    target="KT24-VALID",
    cancel="KT24-CANCEL",
    set_up="KT24-DEPLOY",
)

KT24 = EditionRules(
    id="kt24",
    name="2024",
    weapon_rules=KT24_WEAPON_RULES,
    actions=(Reposition(), Dash(), FallBack(), Charge(), Shoot(), Fight(), PickUp(), PlaceMarker()),
    killzone_rules=KILLZONE_RULES,
    shot_stages=SHOT_STAGES,
    duel_stages=DUEL_STAGES,
    make_shot=make_shot,
    choose_order=choose_order,
    choose_action=choose_action,
    cites=KT24_CITES,
    near="control range",
    gambit="gambit",
    generates_ap=False,
)
