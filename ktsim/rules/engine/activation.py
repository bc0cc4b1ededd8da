"""Activations, and what happens around every action."""

from __future__ import annotations

from ktsim.rules.engine.action import Action, Impossible, refuses, refuses_free, refuses_to_spend
from ktsim.rules.engine.battle import Battle
from ktsim.rules.engine.decisions import AskAgain, Option, Steps, pick
from ktsim.rules.engine.markers import PlaceMarker
from ktsim.rules.engine.operative_events import (
    ActionBegan,
    ActionCancelled,
    ActionEnded,
    ActivationBegan,
    ActivationEnded,
    ControlChanged,
    Incapacitated,
    Removed,
)
from ktsim.rules.engine.precedence import in_order
from ktsim.rules.engine.rule import Moment
from ktsim.rules.engine.state import OperativeState, OrderName, Side, State
from ktsim.rules.engine.windows import has_offers, open_window, would_fall

ACTIVATION_OVER = "activation over"
"""The mark of an operative whose activation a rule has ended."""
ORDERS: dict[str, OrderName] = {"engage": "engage", "conceal": "conceal"}


def activate(battle: Battle, side: Side) -> Steps[None]:
    """KT24-ACTIVATE: choose a ready operative and its order, perform actions, then it is expended."""
    ready = {who.id: who for who in battle.mission.next_ready(battle, side)}
    options = [Option(who.id, f"{who.name} ({who.wounds} wounds, {who.order.title()})") for who in ready.values()]
    who = yield from pick(side, "activate", "Which operative is activated?", options, ready)
    yield from activation(battle, who)


def activation(battle: Battle, who: OperativeState) -> Steps[None]:
    """The activation of one operative, from choosing its order to being expended."""
    order = yield from battle.edition.choose_order(battle, who)
    battle.former_order = who.order
    yield ActivationBegan(who.id, "activation", order, battle.apl(who).value)
    for rule in battle.in_turn("activation_begins"):
        yield from rule.activation_begins(battle, who)
    yield from open_window(battle, Moment("activated", who))
    yield from clear(battle)
    yield from settle_control(battle)
    while not who.is_incapacitated and not battle.has_mark(who, ACTIVATION_OVER):
        try:
            action = yield from battle.edition.choose_action(battle, who)
        except AskAgain:
            yield from after_deed(battle)
            continue
        if action is None:
            break
        yield from perform(battle, who, action, battle.ap_cost(who, action))
    for rule in battle.in_turn("activation_ends"):
        yield from rule.activation_ends(battle, who)
    yield from clear(battle)
    yield ActivationEnded(who.id)
    yield from settle_control(battle)
    yield from open_window(battle, Moment("activation ended", who))
    yield from clear(battle)
    for rule in battle.in_turn("expended"):
        yield from rule.expended(battle, who)


def which_order(battle: Battle, who: OperativeState) -> Steps[OrderName]:
    """Its player gives it an order; the one it has is offered first."""
    forbidding, orders = battle.having("forbids_order"), []
    for key, order in ORDERS.items():
        is_barred = any(rule.forbids_order(battle, who, order) for rule in forbidding)
        orders.append(Option(key, key.title(), f"{who.name} cannot have that order." if is_barred else None))
    default = next((each.key for each in orders if each.key == who.order and each.refusal is None), None)
    prompt = f"Which order for {who.name}?"
    return (yield from pick(who.side, "order", prompt, orders, ORDERS, default=default, about=who.id))


def action_options(battle: Battle, who: OperativeState) -> dict[str, tuple[Option, Action]]:
    """Every action it has, with the reason where it cannot be performed now."""
    found = {}
    with battle.while_nothing_happens():
        for action in battle.actions(who):
            why = refuses_to_choose(battle, who, action)
            text = f"{action.name} ({battle.ap_cost(who, action)}AP)"
            found[action.name] = (Option(action.name, text, why, action.id, action.is_secret(battle, who)), action)
    return found


def refuses_to_choose(battle: Battle, who: OperativeState, action: Action) -> str | None:
    """Why *who*, being activated, cannot be given *action* to perform."""
    return refuses_to_spend(battle, who, action) or refuses(battle, who, action)


def suspected_actions(battle: Battle, who: OperativeState) -> list[Action]:
    """The actions of which the opponent must think that *who* has some in secret."""
    return [action for rule in battle.mission.suspected(battle, who.side) for action in rule.actions(battle, who)]


def which_action(battle: Battle, who: OperativeState) -> str:
    return f"{who.name} ({who.order.title()}, {battle.ap_left(who)}AP left): which action?"


def perform(battle: Battle, who: OperativeState, action: Action, ap: int) -> Steps[bool]:
    """Perform *action* for *ap* and settle what follows; if it cannot be completed nothing has happened.

    Returns whether it was completed.
    """
    if not action.is_act:
        yield from action.perform(battle, who)
        yield from remove_incapacitated(battle)
        yield from settle_control(battle)
        return True
    if (begins := (yield from _announce(battle, who, action, ap))) is None:
        return False
    if who.is_incapacitated:  # by what happened as it was about to
        yield from clear(battle)
        return False
    before, battle.fights = begin_action(battle), frozenset()
    yield from _take_hold(battle, who, action, begins)
    yield ActionBegan(who.id, action.name, ap, action.is_move)
    try:
        with battle.amid():
            yield from action.perform(battle, who)
    except Impossible as why:
        yield ActionCancelled(who.id, action.name, str(why), before, battle.edition.cites.cancel)
        battle.before, battle.aimed = None, ""
        return False
    yield ActionEnded(who.id)
    yield from remove_incapacitated(battle)
    yield from settle_control(battle)
    with battle.amid(False):  # it is whole, though it may have been performed within a move
        yield from _conclude(battle, who, action)
        yield from clear(battle)
    battle.before, battle.aimed = None, ""
    return True


def _announce(battle: Battle, who: OperativeState, action: Action, ap: int) -> Steps[Moment | None]:
    """What comes just before an action; nothing where it is not performed then."""
    for rule in battle.in_turn("action_shows"):
        yield from rule.action_shows(battle, who, action)
    for rule in battle.in_turn("action_begins"):
        yield from rule.action_begins(battle, who, action)
    begins = Moment("action begins", who, action=action, ap=ap)
    yield from open_window(battle, begins)
    return begins if begins.action is not None else None


def _take_hold(battle: Battle, who: OperativeState, action: Action, begins: Moment) -> Steps[None]:
    """What begins to hold with the action, within it."""
    for rule in battle.in_turn("action_holds"):
        yield from rule.action_holds(battle, who, action)
    for begin in begins.begins:
        yield from begin()


def _conclude(battle: Battle, who: OperativeState, action: Action) -> Steps[None]:
    """What an action that was performed sets off."""
    for rule in battle.in_turn("action_ends"):
        yield from rule.action_ends(battle, who, action)
    yield from open_window(battle, Moment("action ended", who, action=action))


def begin_action(battle: Battle) -> State:
    """The state as an action begins, of which nobody is the target yet."""
    battle.before, battle.targets, battle.aimed = battle.state.copy(), frozenset(), ""
    return battle.before


def free_action(battle: Battle, who: OperativeState, action: Action) -> Steps[bool]:
    """An action some rule lets *who* perform for free: one like any other, and what it sets off comes about.

    Returns whether it was completed. In the middle of another action nobody is removed yet; if it cannot be completed
    only this one has not happened.
    """
    around, fights = (battle.before, battle.targets, battle.aimed), battle.fights
    try:
        if battle.is_amid:
            return (yield from _within(battle, who, action))
        return (yield from perform(battle, who, action, 0))
    finally:
        battle.before, battle.targets, battle.aimed = around
        battle.fights = battle.fights if battle.is_amid else fights


def _within(battle: Battle, who: OperativeState, action: Action) -> Steps[bool]:
    """A free action within another one."""
    if (begins := (yield from _announce(battle, who, action, 0))) is None:
        return False
    before = begin_action(battle)
    yield from _take_hold(battle, who, action, begins)
    yield ActionBegan(who.id, action.name, 0, action.is_move)
    try:
        yield from action.perform(battle, who)
    except Impossible as why:
        yield ActionCancelled(who.id, action.name, str(why), before)
        return False
    yield ActionEnded(who.id)
    yield from settle_control(battle)
    yield from _conclude(battle, who, action)
    return True


def remove_incapacitated(battle: Battle) -> Steps[None]:
    """KT24-DAMAGE, KT24-CARRY0: after the whole action; the player with initiative orders several.

    Rules that keep somebody from being incapacitated are heard in the order in which they fell. What they carry is
    placed before anything else happens. Whoever is incapacitated by what the incapacitated still do
    leaves with them.
    """
    with battle.amid():
        yield from _remove_incapacitated(battle)


def _remove_incapacitated(battle: Battle) -> Steps[None]:
    state, decider = battle.state, battle.state.initiative or "red"
    gone: list[OperativeState] = []
    while found := [o for o in state.operatives.values() if is_leaving(o) and o not in gone]:
        found.sort(key=lambda each: each.fell)
        for who in found:
            yield from would_fall(battle, who)
        if not (found := [who for who in found if is_leaving(who)]):
            break
        gone += found
        for who in found:
            yield Incapacitated(who.id, who.wounded_by)
        carriers = [(who.name, place_carried(battle, who)) for who in found if state.carried_by(who.id)]
        yield from in_order(decider, "Who places its marker first?", carriers)
        fallen = [(who.name, fall(battle, who)) for who in found]
        if sum(has_offers(battle, fallen_at(battle, who)) for who in found) > 1:
            yield from in_order(decider, "Who has fallen first?", fallen)
        else:
            for _, steps in fallen:
                yield from steps
    if any(last_actions(battle, who) for who in gone):
        leaving = [(who.name, leave(battle, who)) for who in gone]
        yield from in_order(decider, "Who leaves the killzone first?", leaving)
    else:
        for who in gone:
            yield Removed(who.id)
    if any(map(is_leaving, state.operatives.values())):  # by a last action
        yield from _remove_incapacitated(battle)


def clear(battle: Battle) -> Steps[None]:
    """Whoever was incapacitated by what rules do between actions leaves, and control is settled then."""
    if any(map(is_leaving, battle.state.operatives.values())):
        yield from remove_incapacitated(battle)
        yield from settle_control(battle)


def fall(battle: Battle, who: OperativeState) -> Steps[None]:
    """What rules in force and ploys do as it is incapacitated."""
    for rule in battle.in_turn("incapacitated"):
        yield from rule.incapacitated(battle, who, who.wounded_by)
    yield from open_window(battle, fallen_at(battle, who))


def fallen_at(battle: Battle, who: OperativeState) -> Moment:
    return Moment("incapacitated", who, battle.state.operatives.get(who.wounded_by))


def is_leaving(who: OperativeState) -> bool:
    return who.is_in_killzone and who.is_incapacitated


def last_actions(battle: Battle, who: OperativeState) -> list[Action]:
    """The free actions rules in force offer the incapacitated operative."""
    found = [action for rule in battle.having("last_action") if (action := rule.last_action(battle, who)) is not None]
    return [action for action in found if refuses_free(battle, who, action) is None]


def leave(battle: Battle, who: OperativeState) -> Steps[None]:
    """At most one free action, then the operative is removed."""
    offered = {action.name: action for action in last_actions(battle, who)}
    if offered:
        options = [Option(name, name) for name in offered] + [Option("none", "None")]
        values: dict[str, Action | None] = {**offered, "none": None}
        chosen = yield from pick(who.side, "last action", f"{who.name} may perform one free action.", options, values)
        if chosen is not None:
            yield from free_action(battle, who, chosen)
    yield Removed(who.id)


def place_carried(battle: Battle, who: OperativeState) -> Steps[None]:
    """Every marker it carries is placed for 0AP."""
    place = PlaceMarker()
    while battle.state.carried_by(who.id):
        yield ActionBegan(who.id, place.name, 0)
        yield from place.perform(battle, who)


def after_deed(battle: Battle) -> Steps[None]:
    """What follows from something done by hand between two actions."""
    yield from remove_incapacitated(battle)
    yield from settle_control(battle)


def settle_control(battle: Battle) -> Steps[None]:
    """KT24-MARKER: control changes between actions only: after one, and when something else may have changed who
    contests or whose APL is what."""
    for marker in list(battle.state.markers.values()):
        controller = battle.controller(marker)
        if controller != marker.controller:
            yield ControlChanged(marker.id, controller)
