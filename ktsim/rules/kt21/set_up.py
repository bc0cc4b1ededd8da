"""Setting up (KT21-SETUP): who defends, which edge, barricades, then everybody with an order.

Readings: the winner of a roll-off says who is the Defender. An edge along which the two teams have no room to stand
cannot be selected; where no edge has room the board's own drop zones are used, as a mission's map would say.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ktsim.geometry.plane import Outline, length, rectangle
from ktsim.rules.engine.activation import which_order
from ktsim.rules.engine.battle import Battle
from ktsim.rules.engine.board import Board, is_wholly_inside
from ktsim.rules.engine.decisions import Option, Steps, pick
from ktsim.rules.engine.events import Chosen, CpChanged, Noted, PhaseBegan
from ktsim.rules.engine.operative_events import OrderGiven
from ktsim.rules.engine.placing import in_the_way, off_board, off_ground, piece_shape, set_up_piece
from ktsim.rules.engine.setting_up import set_up_operative
from ktsim.rules.engine.state import SIDES, PieceState, Side, milli, other
from ktsim.rules.engine.turn import roll_off
from ktsim.sight.scene import EPS


@dataclass(frozen=True)
class Distances:
    """The numbers of set-up, in inches and pieces."""

    drop_zone: float = 3.0
    barricade_reach: float = 6.0
    barricades: int = 4


DISTANCES = Distances()
EDGES = {"west": "east", "east": "west", "south": "north", "north": "south"}
"""Each edge and the one opposite."""
MAP = "map"
"""Chosen instead of an edge: the drop zones of the board."""
ROOM_STEP = 0.25
BARRICADES = "barricades"
"""Under which note the number of barricades set up is kept."""


def along(board: Board, edge: str, depth: float) -> Outline:
    """The strip of the board within *depth* of an edge."""
    width, height = board.terrain.board
    return {
        "west": rectangle(0, 0, depth, height),
        "east": rectangle(width - depth, 0, depth, height),
        "south": rectangle(0, 0, width, depth),
        "north": rectangle(0, height - depth, width, depth),
    }[edge]


def drop_zone(board: Board, choices: Mapping[str, str], side: Side) -> Outline | None:
    """The drop zone by what the Defender has chosen, if that was an edge."""
    edge = choices.get("edge", MAP)
    if edge == MAP:
        return None
    return along(board, edge if choices["defender"] == side else EDGES[edge], DISTANCES.drop_zone)


def set_up(battle: Battle) -> Steps[None]:
    """One step of set-up."""
    choices = battle.state.choices
    if "defender" not in choices:
        yield from choose_defender(battle)
    elif "edge" not in choices:
        yield from choose_edge(battle, defender(battle))
    elif battle.state.notes.get(BARRICADES, 0) < DISTANCES.barricades:
        yield from set_up_barricade(battle, battle.state.notes.get(BARRICADES, 0))
    else:
        yield from set_up_next(battle)


def defender(battle: Battle) -> Side:
    return "red" if battle.state.choices["defender"] == "red" else "blue"


def choose_defender(battle: Battle) -> Steps[None]:
    winner = yield from roll_off(battle)
    options = [Option(side, battle.name(side)) for side in (winner, other(winner))]
    values: dict[str, Side] = {"red": "red", "blue": "blue"}
    side = yield from pick(winner, "defender", "Who is the Defender?", options, values, default=winner)
    yield Chosen("defender", side, f"{battle.name(side)} is the Defender. [KT21-SETUP]")
    for each in SIDES:
        yield CpChanged(each, battle.edition.starting_cp, "start of the battle")


def choose_edge(battle: Battle, side: Side) -> Steps[None]:
    options = []
    for edge, opposite in EDGES.items():
        zones = {side: along(battle.board, edge, DISTANCES.drop_zone)}
        zones[other(side)] = along(battle.board, opposite, DISTANCES.drop_zone)
        tight = [each for each in SIDES if not has_room(battle, each, zones[each])]
        why = f"{edge}: no room for {battle.name(tight[0])} to be set up." if tight else None
        options.append(Option(edge, f"The {edge} edge; the opponent has the {opposite} edge", why))
    if all(option.refusal for option in options):
        options.append(Option(MAP, "The drop zones of the map: no edge has room"))
    edge = yield from pick(
        side, "edge", "Which edge is yours?", options, {option.key: option.key for option in options}
    )
    taken = "the drop zones of the map" if edge == MAP else f"the {edge} edge"
    yield Chosen("edge", edge, f"{battle.name(side)}, the Defender, takes {taken}.")


def has_room(battle: Battle, side: Side, zone: Outline) -> bool:
    """Whether a team of twice as many fits in *zone*, the widest first: room to spare for any way of setting up."""
    table, state = battle.table, battle.state
    team = [who for who in state.operatives.values() if who.side == side]
    xs, ys = [x for x, _ in zone], [y for _, y in zone]
    places = [(x, y) for x in _steps(min(xs), max(xs)) for y in _steps(min(ys), max(ys))]
    taken: list[tuple[float, float, float]] = []
    unfit: dict[float, set[tuple[float, float]]] = {}
    for who in sorted((*team, *team), key=table.radius, reverse=True):
        radius = table.radius(who)
        known = unfit.setdefault(radius, set())
        for x, y in places:
            if (x, y) in known or any(length(x - a, y - b) < radius + r for a, b, r in taken):
                continue
            is_in = is_wholly_inside(zone, x, y, radius)
            if is_in and table.mover.refuses_to_stand(table, state, who.id, (milli(x), milli(y), 0)) is None:
                taken.append((x, y, radius))
                break
            known.add((x, y))
        else:
            return False
    return True


def _steps(low: float, high: float) -> list[float]:
    return [low + ROOM_STEP * number for number in range(1, int((high - low) / ROOM_STEP))]


def set_up_barricade(battle: Battle, number: int) -> Steps[None]:
    """One barricade within reach of the own drop zone, which any part of it may be; they alternate, Defender first.

    It stands on the killzone floor, or on a terrain feature with the Insignificant trait, and not in the way of
    anything.
    """
    side = defender(battle) if number % 2 == 0 else other(defender(battle))
    piece = PieceState(f"{side}-barricade-{number // 2 + 1}", "barricade", side, 0, 0)
    near = grown(battle, battle.drop_zone(side))
    yield from set_up_piece(battle, piece, f"barricade {number // 2 + 1}", refuses_barricade, near, "KT21-SETUP")
    yield Noted(BARRICADES, number + 1)


def grown(battle: Battle, zone: Outline) -> Outline:
    """A rectangle around everything within reach of *zone*."""
    width, depth = battle.board.terrain.board
    xs, ys, far = [x for x, _ in zone], [y for _, y in zone], DISTANCES.barricade_reach
    left, low = max(0.0, min(xs) - far), max(0.0, min(ys) - far)
    return rectangle(left, low, min(width, max(xs) + far) - left, min(depth, max(ys) + far) - low)


def refuses_barricade(battle: Battle, piece: PieceState) -> str | None:
    """Why the barricade cannot be set up there."""
    shape = piece_shape(piece)
    if refused := off_board(battle, shape):
        return refused
    if shape.from_region(battle.drop_zone(piece.side)) > DISTANCES.barricade_reach + EPS:
        return f'It would not be within {DISTANCES.barricade_reach:g}" of its drop zone.'
    if piece.level:
        return "It is set up on the killzone floor."
    return off_ground(battle, shape) or in_the_way(battle, shape, stands_on="insignificant")


def set_up_next(battle: Battle) -> Steps[None]:
    """The next operative, the Defender's all first, wholly in the drop zone and with an order.

    Players may take them in any order; here the widest come first, which find room while there is most of it.
    """
    first = defender(battle)
    waiting = [who for who in battle.state.operatives.values() if not who.is_set_up]
    waiting.sort(key=lambda who: (who.side != first, -battle.table.radius(who)))
    who = next(iter(waiting), None)
    if who is None:
        yield PhaseBegan("initiative", 1, None)
        return
    yield from set_up_operative(battle, who)
    order = yield from which_order(battle, who)
    yield OrderGiven(who.id, order)
