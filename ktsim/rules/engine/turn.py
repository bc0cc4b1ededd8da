"""The course of a game: set-up, turning points, their phases. Goes on from any settled state."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from ktsim.rules.engine.activation import activate, after_deed, clear, settle_control
from ktsim.rules.engine.battle import Battle
from ktsim.rules.engine.decisions import AskAgain, Option, Steps, Topic, pick, roll
from ktsim.rules.engine.events import (
    EffectsEnded,
    GameEnded,
    InitiativeGiven,
    PhaseBegan,
    Settled,
    Told,
    TurnPassed,
)
from ktsim.rules.engine.ploys import ploy_cost, refuses_ploy, use_ploy
from ktsim.rules.engine.rule import Gambit
from ktsim.rules.engine.state import OperativeState, Side, other


def course(battle: Battle) -> Steps[str]:
    """Play on from the battle's state, wherever it stands, to the end; returns the winner."""
    while battle.state.phase != "over":
        try:
            yield from battle.mission.phases[battle.state.phase](battle)
        except AskAgain:
            yield from after_deed(battle)
        yield Settled()
    return battle.state.winner or "draw"


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


def gambit(battle: Battle) -> Steps[None]:
    """KT24-GAMBIT: one strategic gambit or a pass; over when both pass in a row."""
    state = battle.state
    assert state.turn is not None
    side = state.turn
    gambits = {each.key: each for each in gambits_of(battle, side)}
    due = [each for each in gambits.values() if each.is_due and each.refusal is None]
    options = [Option("pass", "Pass", f"Pass: first {due[0].text[:1].lower()}{due[0].text[1:]}." if due else None)]
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
        yield from clear(battle)
        yield from settle_control(battle)
        yield TurnPassed(other(side), 0)
    elif state.passes == 0:
        yield TurnPassed(other(side), 1)
    else:
        yield PhaseBegan("firefight", state.turning_point, state.initiative)
        for rule in battle.in_turn("firefight_begins"):
            yield from rule.firefight_begins(battle)
        yield from clear(battle)


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


def take_turn(battle: Battle, react: Callable[[Battle, Side], Steps[None]]) -> Steps[None]:
    """One turn of one player: an activation; else, with nobody ready, what its edition has for that; or the end."""
    state = battle.state
    assert state.turn is not None
    side = state.turn
    is_decided = battle.mission.is_decided(battle)
    if battle.ready(side) and not is_decided:
        yield from activate(battle, side)
    elif is_decided or not battle.ready(other(side)):
        for rule in battle.in_turn("firefight_ends"):
            yield from rule.firefight_ends(battle)
        yield from clear(battle)
        yield PhaseBegan("turn-end", state.turning_point, None)
        return
    else:
        yield from react(battle, side)
    yield TurnPassed(other(side), 0)


def pick_or_none(
    side: Side, topic: Topic, prompt: str, found: Sequence[OperativeState], none: str
) -> Steps[OperativeState | None]:
    """One of the operatives, or none of them."""
    options = [Option(who.id, f"{who.name} ({who.wounds} wounds)") for who in found]
    values: dict[str, OperativeState | None] = {**{who.id: who for who in found}, "none": None}
    return (yield from pick(side, topic, prompt, [*options, Option("none", none)], values, default="none"))


def turn_end(battle: Battle) -> Steps[None]:
    state = battle.state
    yield from settle_control(battle)
    for rule in battle.in_turn("turning_point_ends"):
        yield from rule.turning_point_ends(battle)
    yield from clear(battle)
    yield EffectsEnded()
    yield from settle_control(battle)
    if state.turning_point < battle.edition.turning_points and not battle.mission.is_decided(battle):
        yield PhaseBegan("initiative", state.turning_point + 1, None)
        return
    for rule in battle.in_turn("battle_ends"):
        yield from rule.battle_ends(battle)
    yield GameEnded(battle.mission.winner(battle))
