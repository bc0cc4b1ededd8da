"""Short missions to practise 2024 with, plain and with universal equipment."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from ktsim.rules.engine.battle import Battle
from ktsim.rules.engine.board import Board
from ktsim.rules.engine.decisions import Option, PickSome, Steps, ask
from ktsim.rules.engine.events import Chosen, Noted, VpScored
from ktsim.rules.engine.mission import MARKER_RADIUS, Mission, objective_markers, score_objectives
from ktsim.rules.engine.rule import Rule
from ktsim.rules.engine.state import SIDES, MarkerState, Side, milli, other
from ktsim.rules.kt24.equipment.option import Equipment
from ktsim.rules.kt24.equipment.register import (
    equipment_of,
    equipment_rules,
    key_for,
    most_options,
    offered,
)
from ktsim.rules.kt24.set_up import set_up
from ktsim.rules.kt24.turn import PHASES


class Skirmish(Mission):
    """A short mission to practise with: hold objectives, carry the beacon.

    At the end of every turning point after the first: 1VP for controlling more objective markers than the
    opponent, 1VP for carrying the beacon.
    """

    name, edition = "Skirmish", "kt24"
    phases = PHASES

    def markers(self, board: Board) -> list[MarkerState]:
        width, depth = board.terrain.board
        beacon = MarkerState("beacon", "mission", milli(width / 2), milli(depth / 2), 0, MARKER_RADIUS, True)
        return [*objective_markers(board), beacon]

    def name_of(self, battle: Battle, marker: str) -> str:
        return "the beacon" if marker == "beacon" else ""

    def turning_point_ends(self, battle: Battle) -> Steps[None]:
        state = battle.state
        if state.turning_point < 2:
            return
        yield from score_objectives(battle)
        for marker in list(state.markers.values()):
            if marker.can_be_picked_up and marker.carrier is not None:
                yield VpScored(state.operatives[marker.carrier].side, 1, "the beacon is carried")


ITEMS = "equipment items"


class EquippedSkirmish(Skirmish):
    """Skirmish with up to four equipment options each (KT24-SELECT, KT24-DEPLOY)."""

    name = "Skirmish with equipment"

    @property
    def phases(self) -> Mapping[str, Callable[[Battle], Steps[None]]]:  # type: ignore[override]
        return {**PHASES, "set-up": equip_and_set_up}

    def chosen(self, choices: Mapping[str, str]) -> Sequence[Rule]:
        return equipment_rules(choices)


def equip_and_set_up(battle: Battle) -> Steps[None]:
    """One step of set-up: the roll-off, what both sides bring, one item, then operatives as ever."""
    state = battle.state
    first = state.initiative
    if first is None:
        yield from set_up(battle)
        return
    if key_for(first) not in state.choices:
        yield from choose_equipment(battle, first)
        return
    left = items_left(battle, first)
    if not left:
        yield from set_up(battle)
        return
    side, option, number = left[0]
    yield from option.set_up(battle, side, number)
    yield Noted(ITEMS, state.notes.get(ITEMS, 0) + 1)


def choose_equipment(battle: Battle, first: Side) -> Steps[None]:
    """KT24-SELECT: one step for both players, so that nothing of it is anywhere before both have chosen."""
    options = tuple(Option(each.key, f"{each.name}: {each.text}", None, each.id) for each in offered(battle).values())
    chosen = {}
    for side in (first, other(first)):
        types = [battle.card(each).type for each in battle.state.operatives.values() if each.side == side]
        most = most_options(battle, side, types)
        chosen[side] = yield from ask(
            PickSome(
                seat=side,
                topic="equipment options",
                prompt=f"Choose up to {most} equipment options.",
                options=options,
                least=0,
                most=min(most, len(options)),
                default=(),
                secret=True,
            )
        )
    for side, keys in chosen.items():
        yield Chosen(key_for(side), ",".join(keys))


def items_left(battle: Battle, first: Side) -> list[tuple[Side, Equipment, int]]:
    """Item by item in turns, initiative first, without those that are set up."""
    items = {
        side: [(side, each, n) for each in equipment_of(battle.state.choices, side) for n in range(1, each.items + 1)]
        for side in SIDES
    }
    found = []
    while any(items.values()):
        for side in (first, other(first)):
            found += items[side][:1]
            items[side] = items[side][1:]
    return found[battle.state.notes.get(ITEMS, 0) :]
