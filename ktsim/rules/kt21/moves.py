"""The actions that move (KT21-MOVE): Normal Move, Dash, Charge, Fall Back; jumps are tested, a Dash may finish a climb.

Readings: a jump that fails ends the move at the last place before it where the operative can stand. A climb or drop
is begun in a move when at least an inch of it is paid for by the move; the Dash pays for the rest and what follows.
"""

from __future__ import annotations

from dataclasses import replace

from ktsim.rules.engine.action import refuses, refuses_to_spend
from ktsim.rules.engine.battle import Battle
from ktsim.rules.engine.decisions import Steps, roll
from ktsim.rules.engine.events import Told
from ktsim.rules.engine.moves import Charging, Move, went
from ktsim.rules.engine.operative_events import ActionBegan, ActionEnded
from ktsim.rules.engine.state import OperativeState, Path
from ktsim.rules.engine.table import MoveRequest, MoveVerdict


class LiteMove(Move):
    """What moving actions of 2021 have in common."""

    id = "KT21-MOVE"

    def walk(self, battle: Battle, who: OperativeState, request: MoveRequest, path: Path) -> Steps[MoveVerdict]:
        verdict = battle.table.mover.judge(battle.table, battle.state, request, path)
        if verdict.needs_dash:
            dash = battle.edition.action("Dash")
            yield ActionBegan(who.id, dash.name, battle.ap_cost(who, dash), True)
            request = replace(request, allowance=request.allowance + request.dash, dash=0)
        for leg, least in verdict.tests:
            (face,) = yield from roll(1, "jump", f"{who.name} jumps: {least}+", who.side)
            yield Told(f"{{0}} jumps: {face}, {least}+ needed.", "KT21-TERRAIN", (who.id,))
            if face < least:
                path = until(battle, request, path[:leg])
                verdict = replace(verdict, cost=request.allowance, walk=None)  # nothing is left of the move
                break
        if path:
            cost = battle.table.mover.judge(battle.table, battle.state, freely(request), path).cost
            yield from went(battle, who, path, cost, request.allowance)
        if verdict.needs_dash:
            yield ActionEnded(who.id)
        return verdict


def until(battle: Battle, request: MoveRequest, path: Path) -> Path:
    """As much of *path* as ends where the operative can stand."""
    for count in range(len(path), 0, -1):
        for ends in (True, False):
            wanted = replace(freely(request), ends_in_control=ends)
            if battle.table.mover.judge(battle.table, battle.state, wanted, path[:count]).refusal is None:
                return path[:count]
    return ()


def freely(request: MoveRequest) -> MoveRequest:
    """The same move, not asked about engagement ranges on the way."""
    return replace(request, may_pass_control=True)


class NormalMove(LiteMove):
    name = "Normal Move"
    barred_after = ("Charge", "Fall Back")

    def request(self, battle: Battle, who: OperativeState) -> MoveRequest:
        return MoveRequest(who.id, self.name, battle.move(who).value, dash=dash_after(battle, who))


class LiteDash(LiteMove):
    name = "Dash"
    barred_after = ("Charge",)

    def request(self, battle: Battle, who: OperativeState) -> MoveRequest:
        return MoveRequest(who.id, self.name, battle.edition.dash)


class LiteFallBack(LiteMove):
    name, ap = "Fall Back", 2
    barred_after = ("Normal Move", "Charge")

    def own_refusal(self, battle: Battle, who: OperativeState) -> str | None:
        return None if battle.engaged_with(who) else f"Fall Back: no enemy in {battle.edition.near}."

    def request(self, battle: Battle, who: OperativeState) -> MoveRequest:
        allowance = battle.move(who).value
        return MoveRequest(who.id, self.name, allowance, may_pass_control=True)


class LiteCharge(Charging, LiteMove):
    barred_after = ("Normal Move", "Dash", "Fall Back")


def dash_after(battle: Battle, who: OperativeState) -> int:
    """How far a Dash could go on after the move under way: not at all when it could not be performed."""
    now = battle.state.activation
    if now is None or now.operative != who.id:
        return 0
    dash = battle.edition.action("Dash")
    refused = refuses_to_spend(battle, who, dash) or refuses(battle, who, dash)
    return 0 if refused else battle.edition.dash
