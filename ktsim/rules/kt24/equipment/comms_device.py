"""The Comms Device (KT24-E-COMMS-DEVICE): a marker; the operative that controls it supports further."""

from __future__ import annotations

from ktsim.rules.engine.battle import Battle
from ktsim.rules.engine.decisions import Steps
from ktsim.rules.engine.operative_events import MarkerAppeared
from ktsim.rules.engine.placing import refuses_marker, set_up_marker
from ktsim.rules.engine.rule import Rule
from ktsim.rules.engine.state import OperativeState, Point, Side
from ktsim.rules.engine.table import contests
from ktsim.rules.kt24.equipment.ammo_cache import RADIUS
from ktsim.rules.kt24.equipment.option import Equipment, SideRule

FURTHER = 3
"""Inches."""


class CommsDevice(Equipment):
    key, name, id = "comms-device", "Comms Device", "KT24-E-COMMS-DEVICE"
    text = 'A marker: a friend that controls it supports 3" further.'
    items = 1

    def rule(self, side: Side) -> Rule:
        return CommsRule(side)

    def set_up(self, battle: Battle, side: Side, number: int) -> Steps[None]:
        def refuse(point: Point) -> str | None:
            return refuses_marker(battle, side, RADIUS, point)

        point = yield from set_up_marker(battle, side, self.name, RADIUS, refuse)
        if point is not None:
            yield MarkerAppeared(device_of(side), "comms device", point, RADIUS)


def device_of(side: Side) -> str:
    return f"{side}-comms-device"


class CommsRule(SideRule):
    """For the operatives that control it: their side does, and they contest it. A side cannot use the enemy's."""

    id, name = "KT24-E-COMMS-DEVICE", "Comms Device"

    def support_distance(self, battle: Battle, who: OperativeState, inches: float) -> float:
        device = battle.state.markers.get(device_of(self.side))
        if who.side != self.side or device is None or device.controller != self.side:
            return inches
        return inches + FURTHER if contests(battle.table, battle.state, who, device) else inches
