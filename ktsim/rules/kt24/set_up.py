"""Setting up for a short game of 2024: the roll-off, then a third of each team at a time (KT24-DEPLOY)."""

from __future__ import annotations

from math import ceil

from ktsim.rules.engine.battle import Battle
from ktsim.rules.engine.decisions import Steps
from ktsim.rules.engine.events import CpChanged, PhaseBegan
from ktsim.rules.engine.set_up_operative import set_up_operative
from ktsim.rules.engine.state import SIDES, OperativeState, other
from ktsim.rules.engine.turn import give_initiative, roll_off


def set_up(battle: Battle) -> Steps[None]:
    """One step of set-up: the roll-off, one operative set up, or the start of the first turning point."""
    state = battle.state
    if state.initiative is None:
        winner = yield from roll_off(battle)
        yield from give_initiative(battle, winner)
        for side in SIDES:
            yield CpChanged(side, battle.edition.starting_cp, "start of the battle")
        return
    waiting = next((who for who in deployment(battle) if not who.is_set_up), None)
    if waiting is None:
        yield PhaseBegan("initiative", 1, None)
        return
    yield from set_up_operative(battle, waiting)


def deployment(battle: Battle) -> list[OperativeState]:
    """KT24-DEPLOY: a third of each team at a time, rounding up, initiative first."""
    state = battle.state
    first = state.initiative or "red"
    teams = {side: [o for o in state.operatives.values() if o.side == side] for side in SIDES}
    found = []
    for third in range(3):
        for side in (first, other(first)):
            size = ceil(len(teams[side]) / 3)
            found += teams[side][third * size : (third + 1) * size]
    return found
