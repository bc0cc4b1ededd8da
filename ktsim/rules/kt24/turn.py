"""The course of a 2024 game (KT24-TP): set-up, then turning points of Initiative, Ready, Gambit and Firefight steps."""

from __future__ import annotations

from collections.abc import Callable

from ktsim.rules.engine.action import Action, refuses
from ktsim.rules.engine.activation import (
    action_options,
    activate,
    perform,
    refuses_to_choose,
    settle_control,
    suspected_actions,
    which_action,
    which_order,
)
from ktsim.rules.engine.battle import Battle
from ktsim.rules.engine.decisions import Option, Steps, pick
from ktsim.rules.engine.events import CpChanged, PhaseBegan, Readied, TurnPassed
from ktsim.rules.engine.operative_events import ActivationBegan, ActivationEnded
from ktsim.rules.engine.rule import Moment
from ktsim.rules.engine.state import SIDES, OperativeState, OrderName, Side, other
from ktsim.rules.engine.turn import gambit, give_initiative, roll_off, turn_end
from ktsim.rules.engine.windows import open_window
from ktsim.rules.kt24.set_up import set_up


def choose_order(battle: Battle, who: OperativeState) -> Steps[OrderName]:
    """KT24-ORDER: chosen at every activation."""
    return (yield from which_order(who))


def choose_action(battle: Battle, who: OperativeState) -> Steps[Action | None]:
    """The next action, or none: KT24-PASS, also when there is nothing left to choose."""
    offered = action_options(battle, who)
    left = battle.ap_left(who)
    options = [option for option, _ in offered.values()]
    options.append(Option("pass", f"Pass ({left}AP unspent)", None, battle.edition.cites.passing))
    values: dict[str, Action | None] = {name: action for name, (_, action) in offered.items()} | {"pass": None}
    prompt, suspected = which_action(battle, who), suspected_actions(battle, who)

    def could_be() -> bool:
        return any(refuses_to_choose(battle, who, action) is None for action in suspected)

    veiled = could_be if suspected else None
    return (yield from pick(who.side, "action", prompt, options, values, veiled=veiled, about=who.id))


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


def counteractors(battle: Battle, side: Side) -> list[OperativeState]:
    """KT24-COUNTERACT, KT24-ORDER: expended, on Engage, not yet this turning point."""
    return [
        who
        for who in battle.state.side(side)
        if not who.is_ready and who.order == "engage" and not who.has_counteracted
    ]


def counteract(battle: Battle, side: Side) -> Steps[None]:
    """The player may have one operative perform one 1AP action for free."""
    found = {who.id: who for who in counteractors(battle, side)}
    options = [Option(who.id, f"{who.name} ({who.wounds} wounds)") for who in found.values()]
    options.append(Option("none", "Do not counteract"))
    values: dict[str, OperativeState | None] = {**found, "none": None}
    who = yield from pick(
        side, "counteract", "None of yours is ready: counteract with whom?", options, values, default="none"
    )
    if who is None:
        return
    yield ActivationBegan(who.id, "counteraction", "engage", battle.apl(who).value)
    for rule in battle.in_turn("activation_begins"):
        yield from rule.activation_begins(battle, who)
    yield from open_window(battle, Moment("counteracts", who))
    yield from settle_control(battle)
    while not who.is_incapacitated:
        action = yield from choose_counteraction(battle, who)
        if action is None or (yield from perform(battle, who, action, 0)):
            break
    for rule in battle.in_turn("activation_ends"):
        yield from rule.activation_ends(battle, who)
    yield ActivationEnded(who.id)
    yield from settle_control(battle)


def choose_counteraction(battle: Battle, who: OperativeState) -> Steps[Action | None]:
    """The one action, or none. After one that was cancelled there is another choice (KT24-CANCEL)."""

    def may(action: Action) -> bool:
        return action.can_counteract and battle.ap_cost(who, action) == 1

    def could_be() -> bool:
        return any(may(action) and refuses(battle, who, action) is None for action in suspected)

    actions, suspected = {a.name: a for a in battle.actions(who) if may(a)}, suspected_actions(battle, who)
    options = [
        Option(a.name, a.name, refuses(battle, who, a), a.id, a.is_secret(battle, who)) for a in actions.values()
    ]
    options.append(Option("pass", "No action after all"))
    choices: dict[str, Action | None] = {**actions, "pass": None}
    prompt = f"{who.name} counteracts: which action?"
    veiled = could_be if suspected else None
    return (yield from pick(who.side, "action", prompt, options, choices, veiled=veiled, about=who.id))


PHASES: dict[str, Callable[[Battle], Steps[None]]] = {
    "set-up": set_up,
    "initiative": initiative,
    "ready": ready,
    "gambit": gambit,
    "firefight": firefight,
    "turn-end": turn_end,
}
