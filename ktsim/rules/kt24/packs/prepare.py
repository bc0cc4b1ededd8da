"""Before operatives are selected: the crit op, the roll-off, drop zones; and the tac ops after it (KT24-SETUP)."""

from __future__ import annotations

from ktsim.rules.engine.battle import Battle
from ktsim.rules.engine.board import Outline
from ktsim.rules.engine.decisions import Option, Steps, pick
from ktsim.rules.engine.events import Chosen
from ktsim.rules.engine.state import Side, other
from ktsim.rules.engine.turn import give_initiative, roll_off
from ktsim.rules.kt24.ops.op import tac_key
from ktsim.rules.kt24.ops.register import CRIT_OPS, tac_ops_of

CRIT_OP = "crit op"
DROP_ZONES = "drop zones"


def in_order(battle: Battle) -> tuple[Side, Side]:
    """The two sides, initiative first."""
    first = battle.state.initiative or "red"
    return first, other(first)


def determine_crit_op(battle: Battle) -> Steps[None] | None:
    """The one that was agreed, or else one drawn at random."""
    return None if CRIT_OP in battle.state.choices else _determine_crit_op(battle)


def _determine_crit_op(battle: Battle) -> Steps[None]:
    key = battle.mission.crit_op
    if not key:
        options = [Option(op.key, f"{op.name}: {op.text}", None, op.id) for op in CRIT_OPS.values()]
        values = {key: key for key in CRIT_OPS}
        key = yield from pick("chance", "crit op", "Which crit op is drawn?", options, values)
    op = CRIT_OPS[key]()
    yield Chosen(CRIT_OP, key, f"The crit op is {op.name}: {op.text} [{op.id}]")
    yield from op.begin(battle)


def roll_for_drop_zones(battle: Battle) -> Steps[None] | None:
    """The winner gives out initiative; that player picks a drop zone."""
    return None if DROP_ZONES in battle.state.choices else _roll_for_drop_zones(battle)


def _roll_for_drop_zones(battle: Battle) -> Steps[None]:
    winner = yield from roll_off(battle)
    yield from give_initiative(battle, winner)
    first = battle.state.initiative
    assert first is not None
    zones = battle.board.drop_zones
    places = {"as drawn": _where(battle, zones[first]), "swapped": _where(battle, zones[other(first)])}
    options = [Option(key, f"The drop zone {where}") for key, where in places.items()]
    values = {key: key for key in places}
    key = yield from pick(first, "drop zone", "Which drop zone is yours?", options, values, default="as drawn")
    yield Chosen(DROP_ZONES, key, f"{battle.name(first)} picks the drop zone {places[key]}.")


def _where(battle: Battle, outline: Outline) -> str:
    """Where a region of the floor lies, as the board is seen from above with its first corner at the lower left."""
    width, depth = battle.board.terrain.board
    across = sum(x for x, _ in outline) / len(outline) / width - 0.5
    up = sum(y for _, y in outline) / len(outline) / depth - 0.5
    if abs(across) >= abs(up):
        return "on the left" if across < 0 else "on the right"
    return "at the bottom" if up < 0 else "at the top"


def choose_tac_ops(battle: Battle) -> Steps[None] | None:
    """KT24-SELECT: each player chooses one of its archetypes' in secret; it stays secret."""
    waiting = [side for side in in_order(battle) if tac_key(side) not in battle.state.choices]
    return _choose_tac_op(battle, waiting[0]) if waiting else None


def _choose_tac_op(battle: Battle, side: Side) -> Steps[None]:
    ops = {op.key: op for op in tac_ops_of(battle.teams[side])}
    options = [Option(op.key, f"{op.name}: {op.text}", None, op.id) for op in ops.values()]
    op = yield from pick(side, "tac op", "Choose your tac op.", options, ops, secret=True)
    yield Chosen(tac_key(side), op.key)
