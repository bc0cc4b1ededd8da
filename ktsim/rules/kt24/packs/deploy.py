"""KT24-DEPLOY: equipment item by item, then operatives in three lots, alternating, initiative first."""

from __future__ import annotations

from ktsim.rules.engine.battle import Battle
from ktsim.rules.engine.decisions import Option, Steps, pick
from ktsim.rules.engine.events import Noted
from ktsim.rules.engine.set_up_operative import lots, set_up_operative
from ktsim.rules.engine.state import OperativeState, Side
from ktsim.rules.kt24.equipment.register import EQUIPMENT, key_for
from ktsim.rules.kt24.packs.prepare import in_order

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
    return [key for key in equipment_of(battle, side) if notes.get(items_key(side, key), 0) < EQUIPMENT[key].items]


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
