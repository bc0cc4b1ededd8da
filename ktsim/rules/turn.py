"""The course of a game: set-up, turning points, their phases. Goes on from any settled state."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from math import ceil

from ktsim.rules.activation import activate, counteract, counteractors, settle_control
from ktsim.rules.battle import Battle
from ktsim.rules.decisions import SIDES, Option, Side, Steps, other, pick, roll
from ktsim.rules.events import (
    CpChanged,
    EffectsEnded,
    GameEnded,
    InitiativeGiven,
    PhaseBegan,
    Readied,
    Settled,
    Told,
    TurnPassed,
)
from ktsim.rules.ploys import ploy_cost, refuses_ploy, use_ploy
from ktsim.rules.rule import Gambit
from ktsim.rules.set_up_operative import set_up_operative
from ktsim.rules.state import OperativeState


def course(battle: Battle) -> Steps[str]:
    """Play on from the battle's state, wherever it stands, to the end; returns the winner."""
    while battle.state.phase != "over":
        yield from battle.mission.phases[battle.state.phase](battle)
        yield Settled()
    return battle.state.winner or "draw"


# -- set-up ------------------------------------------------------------------------------------------


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


# -- strategy phase ----------------------------------------------------------------------------------


def roll_off(battle: Battle, tie: Side | None = None) -> Steps[Side]:
    """KT24-DICE: highest wins, ties roll again, unless *tie* names who wins them."""
    while True:
        results = yield from roll_both(battle)
        if results["red"] != results["blue"]:
            return "red" if results["red"] > results["blue"] else "blue"
        if tie is not None:
            return tie


def roll_both(battle: Battle) -> Steps[dict[Side, int]]:
    """A die each."""
    (red,) = yield from roll(1, "roll-off", f"Roll-off: {battle.teams['red'].name}", "red")
    (blue,) = yield from roll(1, "roll-off", f"Roll-off: {battle.teams['blue'].name}", "blue")
    yield Told(f"Roll-off: {{0}} rolls {red}, {{1}} rolls {blue}.", battle.edition.cites.dice, ("red", "blue"))
    return {"red": red, "blue": blue}


def give_initiative(battle: Battle, winner: Side) -> Steps[None]:
    options = [Option(side, battle.name(side)) for side in (winner, other(winner))]
    values: dict[str, Side] = {"red": "red", "blue": "blue"}
    side = yield from pick(winner, "initiative", "Who has the initiative?", options, values, default=winner)
    yield InitiativeGiven(side)


def initiative(battle: Battle) -> Steps[None]:
    """KT24-INIT: from the second turning point a roll-off; a tie is won by whoever did not have the initiative."""
    state = battle.state
    assert state.initiative is not None
    if state.turning_point >= 2:
        winner = yield from roll_off(battle, tie=other(state.initiative))
        yield from give_initiative(battle, winner)
    yield PhaseBegan("ready", state.turning_point, None)


def ready(battle: Battle) -> Steps[None]:
    """KT24-READY."""
    state = battle.state
    assert state.initiative is not None
    for side in SIDES:
        is_late = state.turning_point >= 2 and side != state.initiative
        yield CpChanged(side, 2 if is_late else 1, "Ready step")
    yield Readied()
    for rule in battle.in_turn("ready_step"):
        yield from rule.ready_step(battle)
    for rule in battle.in_turn("gambit_step"):
        yield from rule.gambit_step(battle)
    yield from settle_control(battle)
    yield PhaseBegan("gambit", state.turning_point, state.initiative)


def gambit(battle: Battle) -> Steps[None]:
    """KT24-GAMBIT: one strategic gambit or a pass; over when both pass in a row."""
    state = battle.state
    assert state.turn is not None
    side = state.turn
    gambits = {each.key: each for each in gambits_of(battle, side)}
    due = [each for each in gambits.values() if each.is_due and each.refusal is None]
    options = [Option("pass", "Pass", f"Pass: this comes first: {due[0].text}." if due else None)]
    options += [Option(each.key, each.text, each.refusal, each.rule, each.secret) for each in gambits.values()]
    values: dict[str, Gambit | None] = {"pass": None, **gambits}
    default = due[0].key if due else "pass"
    prompt = f"Use a strategic {battle.edition.gambit}?"
    suspected = [each for rule in battle.mission.suspected(battle, side) for each in rule.gambits(battle, side)]

    def could_be() -> bool:
        return any(each.refusal is None for each in suspected)

    veiled = could_be if suspected else None
    chosen = yield from pick(side, "gambit", prompt, options, values, default=default, veiled=veiled)
    if chosen is not None:
        yield from chosen.perform()
        yield from settle_control(battle)
        yield TurnPassed(other(side), 0)
    elif state.passes == 0:
        yield TurnPassed(other(side), 1)
    else:
        yield PhaseBegan("firefight", state.turning_point, state.initiative)


def gambits_of(battle: Battle, side: Side) -> list[Gambit]:
    """The strategy ploys of the side's team, then what the rules in force offer."""
    ploys = [
        Gambit(
            ploy.id,
            f"{ploy.name} ({ploy_cost(battle, side, ploy)}CP): {ploy.text}",
            partial(use_ploy, battle, side, ploy),
            refuses_ploy(battle, side, ploy),
            battle.edition.cites.ploys,
        )
        for ploy in battle.teams[side].ploys
        if ploy.kind == "strategy"
    ]
    return [*ploys, *(gambit for rule in battle.having("gambits") for gambit in rule.gambits(battle, side))]


# -- firefight phase ---------------------------------------------------------------------------------


def firefight(battle: Battle) -> Steps[None]:
    """KT24-ACTIVATE: one turn of one player: an activation, a counteraction, or nothing left to do."""
    state = battle.state
    assert state.turn is not None
    side = state.turn
    if state.ready(side):
        yield from activate(battle, side)
    elif not state.ready(other(side)):
        yield PhaseBegan("turn-end", state.turning_point, None)
        return
    elif counteractors(battle, side):
        yield from counteract(battle, side)
    yield TurnPassed(other(side), 0)


def turn_end(battle: Battle) -> Steps[None]:
    state = battle.state
    yield from settle_control(battle)
    for rule in battle.in_turn("turning_point_ends"):
        yield from rule.turning_point_ends(battle)
    yield EffectsEnded()
    yield from settle_control(battle)
    if state.turning_point < battle.edition.turning_points:
        yield PhaseBegan("initiative", state.turning_point + 1, None)
        return
    for rule in battle.in_turn("battle_ends"):
        yield from rule.battle_ends(battle)
    red, blue = state.vp["red"], state.vp["blue"]
    yield GameEnded("draw" if red == blue else "red" if red > blue else "blue")


PHASES: dict[str, Callable[[Battle], Steps[None]]] = {
    "set-up": set_up,
    "initiative": initiative,
    "ready": ready,
    "gambit": gambit,
    "firefight": firefight,
    "turn-end": turn_end,
}
