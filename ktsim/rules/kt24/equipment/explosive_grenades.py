"""Explosive Grenades (KT24-E-EXPLOSIVE-GRENADES): two picks of frag or krak, one use each for anybody of the team."""

from __future__ import annotations

from collections.abc import Sequence

from ktsim.rules.engine.battle import Battle
from ktsim.rules.engine.cards import Profile
from ktsim.rules.engine.decisions import Option, Steps, pick
from ktsim.rules.engine.events import Noted, Told
from ktsim.rules.engine.rule import Rule
from ktsim.rules.engine.state import OperativeState, Side
from ktsim.rules.kt24.equipment.option import Equipment, SideRule

FRAG = Profile("frag-grenade", "Frag Grenade", "ranged", 4, 4, 2, 4, ('Range 6"', 'Blast 2"', "Saturate"))
KRAK = Profile("krak-grenade", "Krak Grenade", "ranged", 4, 4, 4, 5, ('Range 6"', "Piercing 1", "Saturate"))


class ExplosiveGrenades(Equipment):
    key, name, id = "explosive-grenades", "Explosive Grenades", "KT24-E-EXPLOSIVE-GRENADES"
    text = "Two frag or krak grenades for anybody of the team."
    items = 2

    def rule(self, side: Side) -> Rule:
        return ExplosiveRule(side)

    def set_up(self, battle: Battle, side: Side, number: int) -> Steps[None]:
        """Nothing is put on the table: the player says which grenade it is."""
        options = [Option(each.key, each.name) for each in (FRAG, KRAK)]
        key = yield from pick(
            side, "grenade", f"{self.name}: which is number {number}?", options, {o.key: o.key for o in options}
        )
        yield from note_grenade(battle, side, key, self.id)


def note_grenade(battle: Battle, side: Side, key: str, rule: str) -> Steps[None]:
    """One grenade more of its kind."""
    yield Noted(f"{side}:{key}", battle.state.notes.get(f"{side}:{key}", 0) + 1)
    yield Told(f"{{0}} brings a {key.replace('-', ' ')}.", rule, (side,))


class ExplosiveRule(SideRule):
    id, name = "KT24-E-EXPLOSIVE-GRENADES", "Explosive Grenades"

    def weapons(self, battle: Battle, who: OperativeState) -> Sequence[Profile]:
        if who.side != self.side:
            return ()
        notes = battle.state.notes
        return [
            Profile(p.key, p.name, p.kind, p.atk, p.hit, p.normal, p.critical, (*p.rules, f"Team Limited {count}"))
            for p in (FRAG, KRAK)
            if (count := notes.get(f"{self.side}:{p.key}", 0))
        ]
