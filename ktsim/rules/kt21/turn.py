"""The course of a 2021 game (KT21-TP): set-up, then turning points of Initiative, Strategy and Firefight."""

from __future__ import annotations

from collections.abc import Callable

from ktsim.rules.engine.action import Action
from ktsim.rules.engine.activation import action_options, perform, settle_control, which_action, which_order
from ktsim.rules.engine.battle import Battle
from ktsim.rules.engine.decisions import Steps, pick
from ktsim.rules.engine.events import CpChanged, InitiativeGiven, PhaseBegan, Readied
from ktsim.rules.engine.state import SIDES, OperativeState, OrderName, Side, other
from ktsim.rules.engine.turn import gambit, give_initiative, pick_or_none, roll_both, take_turn, turn_end
from ktsim.rules.kt21.set_up import set_up
from ktsim.rules.kt21.shoot import OVERWATCH

CP_PER_TURN = 1


class Pass(Action):
    """KT21-ACTIVATE: spends an action point on nothing, as often as one likes."""

    name, id, can_repeat = "Pass", "KT21-ACTIVATE", True

    def refusal(self, battle: Battle, who: OperativeState) -> str | None:
        return None

    def perform(self, battle: Battle, who: OperativeState) -> Steps[None]:
        yield from ()


def choose_order(battle: Battle, who: OperativeState) -> Steps[OrderName]:
    """KT21-ACTIVATE: in the first turning point the order given at set-up stands; later it may change."""
    if battle.state.turning_point == 1:
        return who.order
    return (yield from which_order(battle, who))


def choose_action(battle: Battle, who: OperativeState) -> Steps[Action | None]:
    """Actions until all AP are spent; what one does not want to use is spent on Pass."""
    if battle.ap_left(who) == 0:
        return None
    offered = action_options(battle, who)
    options = [option for option, _ in offered.values()]
    values = {name: action for name, (_, action) in offered.items()}
    return (yield from pick(who.side, "action", which_action(battle, who), options, values, about=who.id))


def initiative(battle: Battle) -> Steps[None]:
    """KT21-INIT, and the CP of the Strategy phase that begins (KT21-CP).

    A tie goes to whoever did not have the initiative; in the first turning point it is rolled again.
    """
    state = battle.state
    yield Readied()
    for rule in battle.in_turn("ready_step"):
        yield from rule.ready_step(battle)
    results = yield from roll_both(battle)
    while results["red"] == results["blue"] and state.initiative is None:
        results = yield from roll_both(battle)
    if results["red"] == results["blue"] and state.initiative is not None:
        yield InitiativeGiven(other(state.initiative))
    else:
        yield from give_initiative(battle, "red" if results["red"] > results["blue"] else "blue")
    yield PhaseBegan("strategy", state.turning_point, state.initiative)
    for side in SIDES:
        yield CpChanged(side, CP_PER_TURN, "Strategy phase")
    for rule in battle.in_turn("gambit_step"):
        yield from rule.gambit_step(battle)
    yield from settle_control(battle)


def firefight(battle: Battle) -> Steps[None]:
    """One turn of one player: an activation, an Overwatch, or nothing left to do."""
    yield from take_turn(battle, overwatch)


def overwatch(battle: Battle, side: Side) -> Steps[None]:
    """KT21-OVERWATCH: with nobody ready one operative may shoot; it is not activated by that."""
    found = [who for who in battle.state.side(side) if OVERWATCH.refusal(battle, who) is None]
    prompt = "None of yours is ready: who performs Overwatch?"
    who = yield from pick_or_none(side, "overwatch", prompt, found, "No Overwatch")
    if who is not None:
        yield from perform(battle, who, OVERWATCH, 0)


PHASES: dict[str, Callable[[Battle], Steps[None]]] = {
    "set-up": set_up,
    "initiative": initiative,
    "strategy": gambit,
    "firefight": firefight,
    "turn-end": turn_end,
}
