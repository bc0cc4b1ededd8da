"""The course of a 2024 game (KT24-TP): set-up, then turning points of Initiative, Ready, Gambit and Firefight steps."""

from __future__ import annotations

from collections.abc import Callable

from ktsim.rules.engine.action import Action, refuses
from ktsim.rules.engine.activation import (
    action_options,
    after_deed,
    clear,
    perform,
    refuses_to_choose,
    settle_control,
    suspected_actions,
    which_action,
    which_order,
)
from ktsim.rules.engine.battle import Battle
from ktsim.rules.engine.decisions import AskAgain, Option, Steps, pick
from ktsim.rules.engine.events import CpChanged, PhaseBegan, Readied
from ktsim.rules.engine.operative_events import ActivationBegan, ActivationEnded
from ktsim.rules.engine.rule import Moment
from ktsim.rules.engine.state import SIDES, OperativeState, OrderName, Side, other
from ktsim.rules.engine.turn import gambit, give_initiative, pick_or_none, roll_off, take_turn, turn_end
from ktsim.rules.engine.values import Reasoned
from ktsim.rules.engine.windows import open_window
from ktsim.rules.kt24.set_up import set_up


def choose_order(battle: Battle, who: OperativeState) -> Steps[OrderName]:
    """KT24-ORDER: chosen at every activation."""
    return (yield from which_order(battle, who))


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
    yield from clear(battle)
    for rule in battle.in_turn("gambit_step"):
        yield from rule.gambit_step(battle)
    yield from settle_control(battle)
    yield PhaseBegan("gambit", state.turning_point, state.initiative)


def firefight(battle: Battle) -> Steps[None]:
    """KT24-ACTIVATE: one turn of one player: an activation, a counteraction, or nothing left to do."""
    yield from take_turn(battle, counteract)


def counteractors(battle: Battle, side: Side) -> list[OperativeState]:
    """KT24-COUNTERACT, KT24-ORDER: expended, on Engage, not yet this turning point."""
    return [
        who
        for who in battle.state.side(side)
        if not who.is_ready
        and not who.has_counteracted
        and (who.order == "engage" or any(rule.may_counteract(battle, who) for rule in battle.having("may_counteract")))
    ]


def counteract(battle: Battle, side: Side) -> Steps[None]:
    """The player may have one operative perform one 1AP action for free; what can be used before or after an action can
    be used both before and after it."""
    if not (found := counteractors(battle, side)):
        return
    prompt = "None of yours is ready: counteract with whom?"
    who = yield from pick_or_none(side, "counteract", prompt, found, "Do not counteract")
    if who is None:
        return
    yield ActivationBegan(who.id, "counteraction", who.order, battle.apl(who).value)
    for rule in battle.in_turn("activation_begins"):
        yield from rule.activation_begins(battle, who)
    yield from open_window(battle, Moment("counteracts", who))
    yield from clear(battle)
    yield from settle_control(battle)
    done = 0
    while not who.is_incapacitated:
        most = battle.changed(who, "counteract actions", Reasoned.of(1)).value
        try:
            action = yield from choose_counteraction(battle, who, may_act=done < most)
        except AskAgain:
            yield from after_deed(battle)
            continue
        if action is None:
            break
        is_done = yield from perform(battle, who, action, 0)
        done += is_done and action.is_act
    for rule in battle.in_turn("activation_ends"):
        yield from rule.activation_ends(battle, who)
    yield from clear(battle)
    yield ActivationEnded(who.id)
    yield from settle_control(battle)


def choose_counteraction(battle: Battle, who: OperativeState, may_act: bool = True) -> Steps[Action | None]:
    """The one action, or none. After one that was cancelled there is another choice (KT24-CANCEL).

    Where it cannot perform another (not *may_act*), it is asked only where something can be used between actions.
    """
    now = battle.state.activation
    done = {Action.counted_as(name) for name in now.actions} if now is not None else set()

    def may(action: Action) -> bool:
        if not action.is_act:
            return action.can_counteract
        is_new = may_act and action.counted not in done
        return action.can_counteract and is_new and battle.ap_cost(who, action) == 1

    def could_be() -> bool:
        return any(may(action) and refuses(battle, who, action) is None for action in suspected)

    actions, suspected = {a.name: a for a in battle.actions(who) if may(a)}, suspected_actions(battle, who)
    options = [
        Option(a.name, a.name, refuses(battle, who, a), a.id, a.is_secret(battle, who)) for a in actions.values()
    ]
    options.append(Option("pass", "No action after all" if may_act else "Nothing more"))
    choices: dict[str, Action | None] = {**actions, "pass": None}
    prompt = f"{who.name} counteracts: which action?" if may_act else f"{who.name} has counteracted: anything more?"
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
