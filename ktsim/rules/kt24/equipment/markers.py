"""Equipment that is a marker: the Ammo Cache (KT24-E-AMMO-CACHE) with the action of using it, and the Comms Device
(KT24-E-COMMS-DEVICE), whose controller supports further."""

from __future__ import annotations

from collections.abc import Sequence

from ktsim.rules.engine.action import Action, refuses_close
from ktsim.rules.engine.battle import Battle
from ktsim.rules.engine.cards import Profile
from ktsim.rules.engine.decisions import Steps
from ktsim.rules.engine.events import Noted, Told
from ktsim.rules.engine.operative_events import MarkerAppeared
from ktsim.rules.engine.placing import refuses_marker, set_up_marker
from ktsim.rules.engine.rule import Rule
from ktsim.rules.engine.state import OperativeState, Point, Side, milli
from ktsim.rules.engine.table import contests
from ktsim.rules.kt24.equipment.option import Equipment, SideRule
from ktsim.rules.kt24.weapon_rules import RESUPPLIED
from ktsim.sight.scene import MM

RADIUS = milli(10 * MM)
"""KT24-MARKER: markers other than objectives are 20 mm across."""


class MarkerEquipment(Equipment):
    """One marker a side, called by the side and the option."""

    items = 1

    def refuses(self, battle: Battle, side: Side, point: Point) -> str | None:
        """Why it cannot be set up there, if it cannot."""
        return refuses_marker(battle, side, RADIUS, point)

    def set_up(self, battle: Battle, side: Side, number: int) -> Steps[None]:
        def refuse(point: Point) -> str | None:
            return self.refuses(battle, side, point)

        kind = self.name.lower()
        point = yield from set_up_marker(battle, side, f"the {kind}", RADIUS, refuse)
        if point is not None:
            told = f"{battle.name(side)} sets up {{0}}."
            yield MarkerAppeared(f"{side}-{self.key}", kind, point, RADIUS, told=told)


class AmmoCache(MarkerEquipment):
    key, name, id = "ammo-cache", "Ammo Cache", "KT24-E-AMMO-CACHE"
    text = "A marker: whoever controls it may resupply and then re-roll one attack die whenever shooting."

    def rule(self, side: Side) -> Rule:
        return CacheRule(side)


def cache_of(side: Side) -> str:
    return f"{side}-{AmmoCache.key}"


def is_resupplied(battle: Battle, who: OperativeState) -> bool:
    """Until the next turning point starts."""
    return battle.state.notes.get(f"{who.id}:resupplied") == battle.state.turning_point


class CacheRule(SideRule):
    id, name = "KT24-E-AMMO-CACHE", "Ammo Cache"

    def actions(self, battle: Battle, who: OperativeState) -> Sequence[Action]:
        return (AmmoResupply(battle.edition.ammo_resupply_ap),) if who.side == self.side else ()

    def weapon_rules(self, battle: Battle, who: OperativeState, weapon: Profile) -> tuple[str, ...]:
        """Weapons of its datacard only, and only when shooting."""
        if who.side != self.side or weapon.kind != "ranged" or not is_resupplied(battle, who):
            return ()
        return (RESUPPLIED,) if weapon in battle.card(who).weapons else ()


class AmmoResupply(Action):
    name, id = "Ammo Resupply", "KT24-E-AMMO-CACHE"

    def __init__(self, ap: int) -> None:
        self.ap = ap  # type: ignore[misc]  # the sources differ, so the edition says it

    def refusal(self, battle: Battle, who: OperativeState) -> str | None:
        state = battle.state
        if near := battle.engaged_with(who):
            return refuses_close(battle, self.name, near)
        cache = state.markers.get(cache_of(who.side))
        if cache is None or cache.controller != who.side or not contests(battle.table, state, who, cache):
            return f"{self.name}: does not control its side's ammo cache."
        if state.notes.get(f"{cache.id}:used") == state.turning_point:
            return f"{self.name}: the cache has been used in this turning point."
        return None

    def perform(self, battle: Battle, who: OperativeState) -> Steps[None]:
        now = battle.state.turning_point
        yield Noted(f"{cache_of(who.side)}:used", now)
        yield Noted(f"{who.id}:resupplied", now)
        yield Told("{0} is resupplied until the next turning point.", self.id, (who.id,))


FURTHER = 3
"""Inches."""


class CommsDevice(MarkerEquipment):
    key, name, id = "comms-device", "Comms Device", "KT24-E-COMMS-DEVICE"
    text = 'A marker: a friend that controls it supports 3" further.'

    def rule(self, side: Side) -> Rule:
        return CommsRule(side)


class CommsRule(SideRule):
    """For the operatives that control it: their side does, and they contest it. A side cannot use the enemy's."""

    id, name = "KT24-E-COMMS-DEVICE", "Comms Device"

    def support_distance(self, battle: Battle, who: OperativeState, inches: float) -> float:
        device = battle.state.markers.get(f"{self.side}-{CommsDevice.key}")
        if who.side != self.side or device is None or device.controller != self.side:
            return inches
        return inches + FURTHER if contests(battle.table, battle.state, who, device) else inches
