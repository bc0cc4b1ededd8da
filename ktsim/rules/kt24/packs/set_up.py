"""Set-up step by step (KT24-SETUP): the crit op, the roll-off and drop zones; operatives and equipment, chosen in
secret and revealed together (KT24-SELECT); tac ops; equipment item by item, then operatives in lots (KT24-DEPLOY)."""

from __future__ import annotations

from collections.abc import Sequence

from ktsim.geometry.plane import Outline
from ktsim.rules.engine.battle import Battle
from ktsim.rules.engine.decisions import Option, PickSome, Steps, ask, pick
from ktsim.rules.engine.events import Chosen, CpChanged, Noted
from ktsim.rules.engine.setting_up import card_of, copies, lots, muster, set_up_operative, usual
from ktsim.rules.engine.state import SIDES, OperativeState, Side, other
from ktsim.rules.engine.turn import give_initiative, roll_off
from ktsim.rules.kt24.equipment.register import (
    EQUIPMENT,
    equipment_names,
    equipment_options,
    key_for,
    most_options,
    offered,
    usual_equipment,
)
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
    options = [Option(op.key, f"{op.name}: {op(side).about(battle)}", None, op.id) for op in ops.values()]
    op = yield from pick(side, "tac op", "Choose your tac op.", options, ops, secret=True)
    yield Chosen(tac_key(side), op.key)


def operatives_key(side: Side) -> str:
    """Under which key of ``State.choices`` the side's operatives are kept, as datacards separated by commas."""
    return f"{side}:operatives"


def select(battle: Battle) -> Steps[None] | None:
    return None if operatives_key("red") in battle.state.choices else _select(battle)


def _select(battle: Battle) -> Steps[None]:
    """One step for both players, so that nothing of it is anywhere before both have chosen."""
    picked = {}
    for side in in_order(battle):
        picked[side] = yield from choose_force(battle, side)
    for side, (operatives, equipment) in picked.items():
        yield from take_force(battle, side, operatives, equipment)
    for side in SIDES:
        yield CpChanged(side, battle.edition.starting_cp, "start of the battle")


def choose_force(battle: Battle, side: Side) -> Steps[tuple[tuple[str, ...], tuple[str, ...]]]:
    """The operatives and the equipment a side takes."""
    operatives = yield from _operatives(battle, side)
    return operatives, (yield from _equipment(battle, side, operatives))


def take_force(battle: Battle, side: Side, operatives: tuple[str, ...], equipment: tuple[str, ...]) -> Steps[None]:
    """What was chosen belongs to the battle."""
    joining = muster(side, operatives, battle.cards)
    told = f"{battle.name(side)} selects {', '.join(who.name for who in joining)}."
    yield Chosen(operatives_key(side), ",".join(operatives), told)
    yield from joining
    if offered(battle):
        names = equipment_names(battle.teams[side], equipment)
        yield Chosen(key_for(side), ",".join(equipment), f"{battle.name(side)} has equipment: {names}.")


def _operatives(battle: Battle, side: Side) -> Steps[tuple[str, ...]]:
    """As many as the team's size, each datacard at most as often as its limit says."""
    team = battle.teams[side]
    options = tuple(copies(team))
    if len(options) == team.size:
        return tuple(card_of(option.key) for option in options)
    prompt = f"Select {team.size} operatives of {team.name}."
    picked = yield from ask(
        PickSome(
            seat=side,
            topic="operatives",
            prompt=prompt,
            options=options,
            least=team.size,
            most=team.size,
            default=usual(team),
            secret=True,
        )
    )
    return tuple(card_of(key) for key in picked)


def _equipment(battle: Battle, side: Side, operatives: Sequence[str]) -> Steps[tuple[str, ...]]:
    found = offered(battle)
    if not found:
        return ()
    types = [battle.teams[side].card(id).type for id in operatives]
    most = most_options(battle, side, types)
    options = equipment_options(battle, side)
    picked = yield from ask(
        PickSome(
            seat=side,
            topic="equipment",
            prompt=f"Choose up to {most} equipment options.",
            options=options,
            least=0,
            most=min(most, len(options)),
            default=usual_equipment(battle.teams[side], most),
            secret=True,
        )
    )
    return picked


# -- equipment ---------------------------------------------------------------------------------------


def set_up_equipment(battle: Battle) -> Steps[None] | None:
    """Turns go on as long as one side has items left."""
    left = {side: items_left(battle, side) for side in in_order(battle)}
    done = {side: items_set_up(battle, side) for side in left}
    first, second = left
    turns = [side for side in (first, second) if left[side]]
    if not turns:
        return None
    if len(turns) == 2 and done[second] < done[first]:
        return set_up_item(battle, second)
    return set_up_item(battle, turns[0])


def items_key(side: Side, equipment: str) -> str:
    """Under which key of ``State.notes`` stands how many items of it are set up."""
    return f"{side}:items:{equipment}"


def equipment_of(battle: Battle, side: Side) -> list[str]:
    return [key for key in battle.state.choices.get(key_for(side), "").split(",") if key]


def items_left(battle: Battle, side: Side) -> list[str]:
    """The equipment options that have items to set up."""
    notes = battle.state.notes
    return [
        key
        for key in equipment_of(battle, side)
        if key in EQUIPMENT and notes.get(items_key(side, key), 0) < EQUIPMENT[key].items
    ]


def items_set_up(battle: Battle, side: Side) -> int:
    return sum(battle.state.notes.get(items_key(side, key), 0) for key in equipment_of(battle, side))


def set_up_item(battle: Battle, side: Side) -> Steps[None]:
    """One item of *side*, which it chooses."""
    keys = items_left(battle, side)
    options = [Option(key, EQUIPMENT[key].name) for key in keys]
    values = {key: key for key in keys}
    key = yield from pick(side, "item", "Which equipment is set up next?", options, values, default=keys[0])
    number = battle.state.notes.get(items_key(side, key), 0) + 1
    yield from EQUIPMENT[key].set_up(battle, side, number)
    yield Noted(items_key(side, key), number)


# -- operatives --------------------------------------------------------------------------------------


def deploy(battle: Battle) -> Steps[None] | None:
    """One lot of each team at a time; the player chooses who is next."""
    sides = in_order(battle)
    teams = {side: [who for who in battle.state.operatives.values() if who.side == side] for side in sides}
    done = {side: sum(who.is_set_up for who in teams[side]) for side in sides}
    for number in (1, 2, 3):
        for side in sides:
            if done[side] < sum(lots(len(teams[side]))[:number]):
                return set_up_one_of(battle, side, [who for who in teams[side] if not who.is_set_up])
    return None


def set_up_one_of(battle: Battle, side: Side, waiting: list[OperativeState]) -> Steps[None]:
    """Wholly within the drop zone; its order is Conceal already."""
    values = {who.id: who for who in waiting}
    options = [Option(who.id, who.name) for who in waiting]
    prompt = "Which operative is set up next?"
    who = yield from pick(side, "set up next", prompt, options, values, default=waiting[0].id)
    yield from set_up_operative(battle, who)
