"""The 2021 Lite edition as a value."""

from __future__ import annotations

from ktsim.rules.engine.attack import Cites
from ktsim.rules.engine.edition import EditionRules
from ktsim.rules.kt21.close_quarters import KILLZONE_RULES
from ktsim.rules.kt21.fight import DUEL_STAGES, LiteFight
from ktsim.rules.kt21.moves import LiteCharge, LiteDash, LiteFallBack, NormalMove
from ktsim.rules.kt21.shoot import SHOT_STAGES, LiteShoot, make_shot
from ktsim.rules.kt21.turn import Pass, choose_action, choose_order
from ktsim.rules.kt21.weapon_rules import KT21_WEAPON_RULES

KT21_CITES = Cites(
    dice="KT21-SHOOT",
    reroll="KT21-SHOOT",
    block="KT21-SHOOT",
    stats="KT21-INJURED",
    injured="KT21-INJURED",
    support="KT21-FIGHT",
    passing="KT21-ACTIVATE",
    ploys="KT21-CP",
    target="KT21-LOS",
    cancel="KT21-ACTIVATE",
    set_up="KT21-SETUP",
)

KT21 = EditionRules(
    id="kt21-lite",
    name="2021 Lite",
    weapon_rules=KT21_WEAPON_RULES,
    actions=(NormalMove(), LiteDash(), LiteFallBack(), LiteCharge(), LiteShoot(), LiteFight(), Pass()),
    killzone_rules=KILLZONE_RULES,
    shot_stages=SHOT_STAGES,
    duel_stages=DUEL_STAGES,
    make_shot=make_shot,
    choose_order=choose_order,
    choose_action=choose_action,
    cites=KT21_CITES,
    near="engagement range",
    gambit="ploy",
    generates_ap=True,
    supports_armed=True,
)
