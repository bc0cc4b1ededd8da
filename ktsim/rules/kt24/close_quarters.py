"""Close quarters in 2024, and every other rule a killzone of that edition brings, by the ids its file names."""

from __future__ import annotations

from collections.abc import Sequence

from ktsim.rules.engine.attack import Rules
from ktsim.rules.engine.battle import Battle
from ktsim.rules.engine.cards import Profile
from ktsim.rules.engine.decisions import Option, Steps
from ktsim.rules.engine.events import Noted
from ktsim.rules.engine.rule import Rule
from ktsim.rules.engine.shoot.targets import weapon_options
from ktsim.rules.engine.state import OperativeState
from ktsim.rules.engine.table import TargetRuling
from ktsim.rules.engine.values import Reasoned
from ktsim.rules.killzone.breach import BreachRule
from ktsim.rules.killzone.guard import OnGuard, activation_number, engaged_target
from ktsim.rules.killzone.operate_hatch import OperateHatchRule
from ktsim.rules.killzone.teleport_pads import TeleportPads
from ktsim.rules.killzone.tight_places import (
    ActionRule,
    Condensed,
    CondensedInside,
    Garrisoned,
    ThroughDoor,
    ThroughHatchway,
)
from ktsim.rules.kt24.fight import Fight
from ktsim.rules.kt24.shoot import Shoot


class HatchwayFight(ThroughHatchway, Fight):
    name, id = "Hatchway Fight", "KZ-HATCH-FIGHT"


class DoorFight(ThroughDoor, Fight):
    name, id = "Door Fight", "KZ-VOLKUS-DOORFIGHT"


class HatchwayFightRule(ActionRule):
    id, name, action = "KZ-HATCH-FIGHT", "Hatchway Fight", HatchwayFight()


class DoorFightRule(ActionRule):
    id, name, action = "KZ-VOLKUS-DOORFIGHT", "Door Fight", DoorFight()


class PointBlankShot(Shoot):
    """At an enemy in control range, Hit worsened by 1; the shooter cannot retaliate for the rest of the activation."""

    name, id = "Point-blank Shot", "KZ-GUARD-INTERRUPT"

    def refusal(self, battle: Battle, who: OperativeState) -> str | None:
        if not battle.engaged_with(who):
            return f"{self.name}: no enemy in control range."
        if all(option.refusal for option in weapon_options(battle, who)):
            return f"{self.name}: no ranged weapon can be used."
        return None

    def perform(self, battle: Battle, who: OperativeState) -> Steps[None]:
        yield from super().perform(battle, who)
        yield Noted(f"{who.id}:point-blank", activation_number(battle))

    def select(
        self, battle: Battle, who: OperativeState, weapon: Profile, rules: Rules
    ) -> Steps[tuple[OperativeState, TargetRuling]]:
        return (yield from engaged_target(battle, who, weapon, rules))

    def hit(self, battle: Battle, who: OperativeState, weapon: Profile) -> Reasoned:
        return battle.hit(who, weapon).plus(1, self.id, "point-blank")


class GuardRule(OnGuard):
    attacks, across = (Fight(), Shoot(), PointBlankShot()), HatchwayFight()
    shooting, point_blank = Shoot, PointBlankShot

    def guard_weapons(self, battle: Battle, who: OperativeState) -> Sequence[Option]:
        return weapon_options(battle, who)


KILLZONE_RULES: dict[str, type[Rule]] = {
    rule.id: rule
    for rule in (
        BreachRule,
        OperateHatchRule,
        TeleportPads,
        HatchwayFightRule,
        DoorFightRule,
        Condensed,
        CondensedInside,
        Garrisoned,
        GuardRule,
    )
}
"""By rule id. Ids that only concern sight or moving have no entry."""
