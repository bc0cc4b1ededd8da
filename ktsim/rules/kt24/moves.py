"""The actions of 2024 that move: Reposition, Dash, Fall Back, Charge."""

from __future__ import annotations

from ktsim.rules.engine.battle import Battle
from ktsim.rules.engine.moves import Charging, Move
from ktsim.rules.engine.state import OperativeState
from ktsim.rules.engine.table import MoveRequest


class Reposition(Move):
    name, id = "Reposition", "KT24-REPOSITION"
    barred_after = ("Fall Back", "Charge")

    def request(self, battle: Battle, who: OperativeState) -> MoveRequest:
        return MoveRequest(who.id, self.name, battle.move(who).value)


class Dash(Move):
    name, id = "Dash", "KT24-DASH"
    barred_after = ("Charge",)

    def request(self, battle: Battle, who: OperativeState) -> MoveRequest:
        return MoveRequest(who.id, self.name, battle.edition.dash, can_climb=False)


class FallBack(Move):
    name, id, ap = "Fall Back", "KT24-FALLBACK", 2
    barred_after = ("Reposition", "Charge")

    def own_refusal(self, battle: Battle, who: OperativeState) -> str | None:
        return None if battle.engaged_with(who) else "Fall Back: no enemy in control range."

    def request(self, battle: Battle, who: OperativeState) -> MoveRequest:
        return MoveRequest(who.id, self.name, battle.move(who).value, may_pass_control=True)


class Charge(Charging):
    id = "KT24-CHARGE"
    barred_after = ("Reposition", "Dash", "Fall Back")
