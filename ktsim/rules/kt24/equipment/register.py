"""What universal equipment there is, by key."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ktsim.rules.engine.battle import Battle
from ktsim.rules.engine.cards import Team
from ktsim.rules.engine.decisions import Option
from ktsim.rules.engine.rule import Rule
from ktsim.rules.engine.state import SIDES, Side
from ktsim.rules.kt24.equipment.barricades import HeavyBarricade, Ladders, LightBarricades, PortableBarricade, RazorWire
from ktsim.rules.kt24.equipment.grenades import BreachingCharge, ExplosiveGrenades, UtilityGrenades
from ktsim.rules.kt24.equipment.markers import AmmoCache, CommsDevice
from ktsim.rules.kt24.equipment.mines import Mines
from ktsim.rules.kt24.equipment.option import Equipment

__all__ = [
    "EQUIPMENT",
    "Equipment",
    "equipment_names",
    "equipment_of",
    "equipment_options",
    "equipment_rules",
    "key_for",
    "most_options",
    "offered",
    "usual_equipment",
]

EQUIPMENT: dict[str, Equipment] = {
    option.key: option
    for option in (
        AmmoCache(),
        CommsDevice(),
        HeavyBarricade(),
        Ladders(),
        LightBarricades(),
        Mines(),
        PortableBarricade(),
        RazorWire(),
        UtilityGrenades(),
        ExplosiveGrenades(),
        BreachingCharge(),
    )
}


MOST = 4
"""How many equipment options a team selects, where no rule of its own says more."""


def most_options(battle: Battle, side: Side, types: Sequence[str]) -> int:
    """How many a side selects that has operatives of these datacards."""
    return MOST + sum(rule.more_equipment(battle, side, types) for rule in battle.having("more_equipment"))


def offered(battle: Battle) -> dict[str, Equipment]:
    """What can be chosen for a battle, by key."""
    return {key: option for key, option in EQUIPMENT.items() if option.is_offered(battle)}


def key_for(side: Side) -> str:
    """Under which key of ``State.choices`` the side's equipment is kept, as keys separated by commas."""
    return f"{side}:equipment"


def equipment_of(choices: Mapping[str, str], side: Side) -> list[Equipment]:
    """What *side* has chosen, in its order."""
    return [EQUIPMENT[key] for key in choices.get(key_for(side), "").split(",") if key in EQUIPMENT]


def equipment_options(battle: Battle, side: Side) -> tuple[Option, ...]:
    """Every equipment option of a side: the universal ones that are offered, then its faction's own."""
    own = own_of(battle.teams[side])
    found = [Option(each.key, f"{each.name}: {each.text}", None, each.id) for each in offered(battle).values()]
    found += [Option(key, f"{text.name}: {text.text}" if text.text else text.name) for key, text in own]
    return tuple(found)


def own_of(team: Team) -> list[tuple[str, Any]]:
    return list(team.own_equipment.items())


def equipment_names(team: Team, keys: Iterable[str]) -> str:
    """What the equipment chosen is called."""
    own = {key: text.name for key, text in own_of(team)}
    return ", ".join(EQUIPMENT[key].name if key in EQUIPMENT else own[key] for key in keys) or "none"


def usual_equipment(team: Team, most: int) -> tuple[str, ...]:
    """What the team's roster takes, or else the first options there are."""
    names = {each.name: each.key for each in EQUIPMENT.values()} | {text.name: key for key, text in own_of(team)}
    taken = [names[name] for name in team.equipment if name in names]
    return tuple(taken[:most] if taken else list(EQUIPMENT)[:most])


def equipment_rules(choices: Mapping[str, str]) -> list[Rule]:
    """The rules in force because of what both sides have chosen; for ``Mission.chosen``."""
    return [option.rule(side) for side in SIDES for option in equipment_of(choices, side)]
