"""Close quarters in 2021 (KT21-GUARD, KT21-HATCHFIGHT): as the killzone says, with Overwatch in place of the free shot.

Readings: Overwatch of an operative on guard is Overwatch, so it is performed once a turning point and worsens BS by 1;
point-blank Overwatch worsens BS by 1 more. Of a killzone's own rules those of close quarters are used.
"""

from __future__ import annotations

from collections.abc import Sequence

from ktsim.rules.engine.battle import Battle
from ktsim.rules.engine.decisions import Option, Steps
from ktsim.rules.engine.events import Noted
from ktsim.rules.engine.operative_events import Overwatched
from ktsim.rules.engine.rule import Rule
from ktsim.rules.engine.shoot.targets import no_weapon
from ktsim.rules.engine.state import OperativeState
from ktsim.rules.killzone.guard import OnGuard, activation_number, engaged_target
from ktsim.rules.killzone.operate_hatch import OperateHatchRule
from ktsim.rules.killzone.tight_places import ActionRule, ThroughHatchway
from ktsim.rules.kt21.fight import LiteFight
from ktsim.rules.kt21.shoot import WORSE, Overwatch, overwatch_options, select, shooting_attacks


class PointBlankOverwatch(Overwatch):
    """At an enemy in engagement range; the shooter does not fight back for the rest of the activation."""

    name, id = "Point-blank Overwatch", "KT21-GUARD"

    def refusal(self, battle: Battle, who: OperativeState) -> str | None:
        if not battle.engaged_with(who):
            return f"{self.name}: no enemy in {battle.edition.near}."
        return self.barred(battle, who) or no_weapon(self.name, who, overwatch_options(battle, who))

    def perform(self, battle: Battle, who: OperativeState) -> Steps[None]:
        yield Overwatched(who.id)
        attack = yield from select(battle, who, overwatch_options(battle, who), 2 * WORSE, engaged_target)
        yield from shooting_attacks(battle, attack, is_shoot=False)
        yield Noted(f"{who.id}:point-blank", activation_number(battle))


class LiteHatchwayFight(ThroughHatchway, LiteFight):
    name, id = "Hatchway Fight", "KT21-HATCHFIGHT"


class LiteHatchwayFightRule(ActionRule):
    id, name, action = "KZ-HATCH-FIGHT", "Hatchway Fight", LiteHatchwayFight()


class LiteGuardRule(OnGuard):
    """KT21-GUARD."""

    attacks, across = (LiteFight(), Overwatch(), PointBlankOverwatch()), LiteHatchwayFight()
    shooting, point_blank = Overwatch, PointBlankOverwatch

    def guard_weapons(self, battle: Battle, who: OperativeState) -> Sequence[Option]:
        return overwatch_options(battle, who)


KILLZONE_RULES: dict[str, type[Rule]] = {
    rule.id: rule for rule in (OperateHatchRule, LiteHatchwayFightRule, LiteGuardRule)
}
