"""A practice mission with universal equipment: both players choose some and set it up before their operatives."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from ktsim.rules.decisions import SIDES, Option, PickSome, Side, Steps, ask, other
from ktsim.rules.equipment.register import EQUIPMENT, Equipment, equipment_of, equipment_rules, key_for
from ktsim.rules.events import Chosen, Noted
from ktsim.rules.missions import Skirmish
from ktsim.rules.rule import Rule
from ktsim.rules.turn import PHASES, set_up

if TYPE_CHECKING:
    from ktsim.rules.battle import Battle

MOST = 4
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
        yield from choose_equipment(first)
        return
    left = items_left(battle, first)
    if not left:
        yield from set_up(battle)
        return
    side, option, number = left[0]
    yield from option.set_up(battle, side, number)
    yield Noted(ITEMS, state.notes.get(ITEMS, 0) + 1)


def choose_equipment(first: Side) -> Steps[None]:
    """KT24-SELECT: one step for both players, so that nothing of it is anywhere before both have chosen."""
    options = tuple(Option(each.key, f"{each.name}: {each.text}", None, each.id) for each in EQUIPMENT.values())
    chosen = {}
    for side in (first, other(first)):
        chosen[side] = yield from ask(
            PickSome(
                seat=side,
                topic="equipment options",
                prompt=f"Choose up to {MOST} equipment options.",
                options=options,
                least=0,
                most=MOST,
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
