"""KT24-SCOUT: a scouting option each, chosen in secret, revealed together, resolved initiative first."""

from __future__ import annotations

from random import Random

from ktsim.rules.engine.activation import remove_incapacitated, settle_control
from ktsim.rules.engine.battle import Battle
from ktsim.rules.engine.cards import Ploy
from ktsim.rules.engine.decisions import CANCEL, Option, Steps, pick
from ktsim.rules.engine.events import Chosen, Noted
from ktsim.rules.engine.operative_events import ActionBegan, ActionEnded
from ktsim.rules.engine.rule import Rule
from ktsim.rules.engine.state import OperativeState, Path, Side
from ktsim.rules.engine.table import MoveRequest
from ktsim.rules.kt24.equipment.register import EQUIPMENT, key_for, offered
from ktsim.rules.kt24.moves import Reposition
from ktsim.rules.kt24.packs.set_up import equipment_of, in_order, items_left, set_up_item
from ktsim.sight.scene import EPS

RULE = "KT24-SCOUT"
REACH = 3.0
SUGGESTIONS = 6
OPTIONS = {
    "equip": "Equip: one more, different equipment option",
    "ploy": "Ploy: one strategy ploy for 0CP in the first turning point",
    "reposition": 'Reposition: one operative makes a free Reposition ending within 3" of the drop zone',
}
BEATS = {"equip": "ploy", "ploy": "reposition", "reposition": "equip"}
"""Which option gives the first initiative over which."""


def scouting_key(side: Side) -> str:
    """Under which key of ``State.choices`` the side's scouting option is kept."""
    return f"{side}:scouting"


def scouted_key(side: Side) -> str:
    """Under which key of ``State.notes`` stands that the option is resolved."""
    return f"{side}:scouted"


def resolve_scouting(battle: Battle) -> Steps[None] | None:
    if scouting_key("red") not in battle.state.choices:
        return _choose(battle)
    for side in in_order(battle):
        if items_left(battle, side):
            return set_up_item(battle, side)
        if not battle.state.notes.get(scouted_key(side)):
            return _resolve(battle, side)
    return None


def _choose(battle: Battle) -> Steps[None]:
    """One step for both players; nothing of it is anywhere before both have chosen."""
    picked = {}
    for side in in_order(battle):
        options = [Option(key, text, refuses(battle, side, key), RULE) for key, text in OPTIONS.items()]
        values = {key: key for key in OPTIONS}
        prompt = "Choose a scouting option in secret."
        picked[side] = yield from pick(side, "scouting", prompt, options, values, secret=True)
    for side, key in picked.items():
        yield Chosen(scouting_key(side), key, f"{battle.name(side)} has chosen {OPTIONS[key]}. [{RULE}]")


def refuses(battle: Battle, side: Side, key: str) -> str | None:
    if key == "equip" and not new_equipment(battle, side):
        return "Equip: there is no other equipment."
    return None


def new_equipment(battle: Battle, side: Side) -> list[str]:
    """The options the side has not chosen before."""
    return [key for key in offered(battle) if key not in equipment_of(battle, side)]


def _resolve(battle: Battle, side: Side) -> Steps[None]:
    yield Noted(scouted_key(side), 1)
    match battle.state.choices[scouting_key(side)]:
        case "equip":
            yield from _equip(battle, side)
        case "reposition":
            yield from _reposition(battle, side)


def _equip(battle: Battle, side: Side) -> Steps[None]:
    """Its items are set up one after the other in the steps that follow."""
    values = {key: key for key in new_equipment(battle, side)}
    options = [Option(key, f"{EQUIPMENT[key].name}: {EQUIPMENT[key].text}", None, EQUIPMENT[key].id) for key in values]
    key = yield from pick(side, "equip", "Equip: which equipment option do you add?", options, values)
    told = f"{battle.name(side)} adds {EQUIPMENT[key].name}."
    yield Chosen(key_for(side), ",".join([*equipment_of(battle, side), key]), told)


class ScoutReposition(Reposition):
    """A free Reposition that ends within 3" of the operative's drop zone."""

    def refuses_path(self, battle: Battle, who: OperativeState, request: MoveRequest, path: Path) -> str | None:
        if battle.footprint(who, path[-1]).gap(battle.drop_zone(who.side)) > REACH + EPS:
            return 'The move must end within 3" of the drop zone.'
        return super().refuses_path(battle, who, request, path)

    def suggest(self, battle: Battle, who: OperativeState, request: MoveRequest, rng: Random) -> Path:
        for _ in range(SUGGESTIONS):
            path = super().suggest(battle, who, request, rng)
            if path != CANCEL and self.refuses_path(battle, who, request, path) is None:
                return path
        return CANCEL


def _reposition(battle: Battle, side: Side) -> Steps[None]:
    action = ScoutReposition()
    zone = battle.drop_zone(side)
    able = {
        who.id: who
        for who in battle.state.side(side)
        if battle.footprint(who).is_wholly_inside(zone) and action.refusal(battle, who) is None
    }
    options = [Option("none", "Nobody after all"), *(Option(who.id, who.name) for who in able.values())]
    values: dict[str, OperativeState | None] = {"none": None, **able}
    who = yield from pick(side, "scout", "Who makes a free Reposition?", options, values)
    if who is None:
        return
    path = yield from action.choose_path(battle, who)
    if path == CANCEL:
        return
    yield ActionBegan(who.id, action.name, 0)
    yield from action.follow(battle, who, path)
    yield ActionEnded(who.id)
    yield from remove_incapacitated(battle)
    yield from settle_control(battle)


class ScoutedPloy(Rule):
    """The first strategy ploy that costs CP is free in the first turning point."""

    id = RULE

    def __init__(self, side: Side) -> None:
        self.side = side

    def ploy_cost(self, battle: Battle, side: Side, ploy: Ploy, cost: int) -> int:
        if side != self.side or ploy.kind != "strategy" or battle.state.turning_point != 1:
            return cost
        costs = battle.teams[side].strategy_ploys()
        return cost if any(costs[id] for id in costs if f"{side}:{id}" in battle.state.ploys_used) else 0
