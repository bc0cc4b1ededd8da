"""Setting up for a short game of 2024: the roll-off, then one lot of each team at a time (KT24-DEPLOY)."""

from __future__ import annotations

from ktsim.rules.engine.battle import Battle
from ktsim.rules.engine.decisions import Steps
from ktsim.rules.engine.events import CpChanged, PhaseBegan
from ktsim.rules.engine.setting_up import lots, set_up_operative
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
    """KT24-DEPLOY: one lot of each team at a time, initiative first."""
    state = battle.state
    first = state.initiative or "red"
    teams = {side: [o for o in state.operatives.values() if o.side == side] for side in SIDES}
    found = []
    for number in range(3):
        for side in (first, other(first)):
            sizes = lots(len(teams[side]))
            found += teams[side][sum(sizes[:number]) : sum(sizes[: number + 1])]
    return found
