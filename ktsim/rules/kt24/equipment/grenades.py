"""Explosive Grenades (KT24-E-EXPLOSIVE-GRENADES): two picks of frag or krak. Utility Grenades
(KT24-E-UTILITY-GRENADES): two picks of smoke or stun. One use each for anybody of the team.

Our readings: a smoke marker lies where an operative could be, on the floor or on Vantage; counteractions are no
activations, so smoke does not thin by them; a stun grenade may hurt friends, and its thrower if that is so near.

The Breaching Charge (KT24-E-BREACHING-CHARGE, dated): once per battle a Breach costs 1AP less, at least 1. Readings:
anybody of the team may use it, and it is an action of its own that counts as a Breach, so that its player says when. A
Quick Breach costs no more than that already and takes nothing of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from random import Random
from typing import ClassVar

from ktsim.rules.engine.action import Action, Impossible, refuses_close
from ktsim.rules.engine.battle import Battle
from ktsim.rules.engine.cards import Profile
from ktsim.rules.engine.decisions import Option, Place, Steps, ask, pick, roll
from ktsim.rules.engine.events import EffectBegan, Noted, Told
from ktsim.rules.engine.placing import is_seen_at, refuses_lying
from ktsim.rules.engine.rule import Rule
from ktsim.rules.engine.state import Effect, OperativeState, Point, Side, inches
from ktsim.rules.engine.table_events import SmokeSpread, SmokeThins
from ktsim.rules.killzone.breach import Breach
from ktsim.rules.kt24.equipment.markers import RADIUS
from ktsim.rules.kt24.equipment.option import Equipment, SideRule
from ktsim.rules.moving.openings import breach_points
from ktsim.sight.dates import BREACHING_CHARGE
from ktsim.sight.scene import EPS

FRAG = Profile("frag-grenade", "Frag Grenade", "ranged", 4, 4, 2, 4, ('Range 6"', 'Blast 2"', "Saturate"))
KRAK = Profile("krak-grenade", "Krak Grenade", "ranged", 4, 4, 4, 5, ('Range 6"', "Piercing 1", "Saturate"))


class ExplosiveGrenades(Equipment):
    key, name, id = "explosive-grenades", "Explosive Grenades", "KT24-E-EXPLOSIVE-GRENADES"
    text = "Two frag or krak grenades for anybody of the team."
    worth = 0.5
    items = 2

    def rule(self, side: Side) -> Rule:
        return ExplosiveRule(side)

    def set_up(self, battle: Battle, side: Side, number: int) -> Steps[None]:
        """Nothing is put on the table: the player says which grenade it is."""
        options = [Option(each.key, each.name) for each in (FRAG, KRAK)]
        key = yield from pick(
            side, "grenade", which_grenade(self.name, number), options, {o.key: o.key for o in options}
        )
        yield from note_grenade(battle, side, key, self.id)


def which_grenade(equipment: str, number: int) -> str:
    return f"{equipment}: what is the {'first' if number == 1 else 'second'} one?"


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
        found = ((grenade, notes.get(f"{self.side}:{grenade.key}", 0)) for grenade in (FRAG, KRAK))
        return [_of_the_team(grenade, count) for grenade, count in found if count]


@lru_cache(maxsize=32)
def _of_the_team(grenade: Profile, count: int) -> Profile:
    """The grenade, of which the whole team has so many."""
    return replace(grenade, rules=(*grenade.rules, f"Team Limited {count}"))


ID = "KT24-E-UTILITY-GRENADES"
SMOKE, STUN = "smoke-grenade", "stun-grenade"
THROW = 6.0
AROUND = 1.0
STUNNED_ON = 3


class UtilityGrenades(Equipment):
    key, name, id = "utility-grenades", "Utility Grenades", ID
    text = "Two smoke or stun grenades for anybody of the team."
    items = 2

    def rule(self, side: Side) -> Rule:
        return UtilityRule(side)

    def set_up(self, battle: Battle, side: Side, number: int) -> Steps[None]:
        """Nothing is put on the table: the player says which grenade it is."""
        options = [Option(SMOKE, "Smoke Grenade"), Option(STUN, "Stun Grenade")]
        key = yield from pick(side, "grenade", which_grenade(self.name, number), options, {SMOKE: SMOKE, STUN: STUN})
        yield from note_grenade(battle, side, key, self.id)


class UtilityRule(SideRule):
    id, name = ID, "Utility Grenades"

    def actions(self, battle: Battle, who: OperativeState) -> Sequence[Action]:
        if who.side != self.side:
            return ()
        thrown: tuple[Grenade, ...] = (SmokeGrenade(), StunGrenade())
        return [action for action in thrown if f"{self.side}:{action.key}" in battle.state.notes]

    def _is_first(self, battle: Battle) -> bool:
        """Both sides may have grenades; smoke is nobody's, so the rule in force first sees to all of it."""
        rules = [rule for rule in battle.rules if isinstance(rule, UtilityRule)]
        return rules[0] is self

    def ready_step(self, battle: Battle) -> Steps[None]:
        """Smoke spread before this turning point lasts for D3 activations of it."""
        if not self._is_first(battle):
            return
        for smoke in list(battle.state.smoke):
            (face,) = yield from roll(1, "smoke die", "Smoke: for how many activations does it last (D3)?")
            yield SmokeThins(smoke.point, (face + 1) // 2)

    def activation_ends(self, battle: Battle, who: OperativeState) -> Steps[None]:
        now = battle.state.activation
        if now is None or now.kind != "activation" or not self._is_first(battle):
            return
        for smoke in list(battle.state.smoke):
            if smoke.left:
                yield SmokeThins(smoke.point, smoke.left - 1)

    def turning_point_ends(self, battle: Battle) -> Steps[None]:
        """What was rolled for in this turning point goes at its end at the latest."""
        if self._is_first(battle):
            for smoke in [each for each in battle.state.smoke if each.left]:
                yield SmokeThins(smoke.point, 0)


class Grenade(Action):
    """Throwing a utility grenade of a kind the team still has."""

    id = ID
    is_unique = True
    key: ClassVar[str]

    def refusal(self, battle: Battle, who: OperativeState) -> str | None:
        if near := battle.engaged_with(who):
            return refuses_close(battle, self.name, near)
        if not self.is_granted and battle.state.notes.get(f"{who.side}:{self.key}", 0) < 1:
            return f"{self.name}: none left."
        return None

    def spend(self, battle: Battle, side: Side) -> Steps[None]:
        if not self.is_granted:
            yield Noted(f"{side}:{self.key}", battle.state.notes[f"{side}:{self.key}"] - 1)


class SmokeGrenade(Grenade):
    name, key = "Smoke Grenade", SMOKE

    def perform(self, battle: Battle, who: OperativeState) -> Steps[None]:
        point = yield from ask(
            Place(
                seat=who.side,
                topic="smoke",
                prompt=f'{who.name} throws a smoke grenade within {THROW:g}".',
                default=who.point,
                refuse=lambda point: refuses_smoke(battle, who, point),
                suggest=lambda rng: suggest_smoke(battle, who, rng),
                rule="KT24-SMOKE",
            )
        )
        yield from self.spend(battle, who.side)
        yield Told("{0} throws a smoke grenade.", "KT24-SMOKE", (who.id,))
        yield SmokeSpread(point)


def refuses_smoke(battle: Battle, who: OperativeState, point: Point) -> str | None:
    """Within 6", and visible or on Vantage of a visible feature. At its own feet it always can be."""
    if point == who.point:
        return "Smoke lies there already." if any(each.point == point for each in battle.state.smoke) else None
    state, table = battle.state, battle.table
    if (why := refuses_lying(battle, point, RADIUS)) is not None:
        return why
    if any(each.point == point for each in state.smoke):
        return "Smoke lies there already."
    if table.distance_to(state, who.id, point, inches(RADIUS)) > THROW + EPS:
        return f'The marker would be more than {THROW:g}" away.'
    return None if is_seen_at(battle, who, point, RADIUS) else "The place is not visible."


def suggest_smoke(battle: Battle, who: OperativeState, rng: Random) -> Point:
    """Towards somebody in reach, or anywhere near; at its feet if nothing else is found."""
    goals = [each for each in battle.state.operatives.values() if each.is_in_killzone]
    for _ in range(6):
        goal = rng.choice(goals)
        point = (goal.x + rng.randint(-600, 600), goal.y + rng.randint(-600, 600), goal.level)
        if refuses_smoke(battle, who, point) is None:
            return point
    for _ in range(200):
        point = (who.x + rng.randint(-5000, 5000), who.y + rng.randint(-5000, 5000), who.level)
        if refuses_smoke(battle, who, point) is None:
            return point
    return who.point


class StunGrenade(Grenade):
    name, key = "Stun Grenade", STUN

    def targets(self, battle: Battle, who: OperativeState) -> list[OperativeState]:
        state, table = battle.state, battle.table
        return [
            enemy
            for enemy in state.enemies(who.id)
            if table.is_within(state, who.id, enemy.id, THROW + EPS) and table.is_visible(state, who.id, enemy.id)
        ]

    def refusal(self, battle: Battle, who: OperativeState) -> str | None:
        if refused := super().refusal(battle, who):
            return refused
        return None if self.targets(battle, who) else f'{self.name}: no visible enemy within {THROW:g}".'

    def perform(self, battle: Battle, who: OperativeState) -> Steps[None]:
        state = battle.state
        found = {enemy.id: enemy for enemy in self.targets(battle, who)}
        if not found:
            raise Impossible(f'no visible enemy within {THROW:g}"')
        options = [Option(id, battle.name(id)) for id in found]
        enemy = yield from pick(who.side, "stun", f"Whom does {who.name} stun?", options, found)
        yield from self.spend(battle, who.side)
        yield Told("{0} throws a stun grenade at {1}.", ID, (who.id, enemy.id))
        near = [
            each
            for each in state.operatives.values()
            if each.is_in_killzone
            and each.id != enemy.id
            and battle.table.is_within(state, enemy.id, each.id, AROUND + EPS)
        ]
        near.sort(key=lambda each: each.side != enemy.side)  # so that it does not matter who is red
        for each in (enemy, *near):
            (face,) = yield from roll(1, "stun die", f"Stun grenade: {each.name}", who.side)
            yield Told(f"Stun grenade: {face} for {{0}}, {STUNNED_ON}+ stuns.", ID, (each.id,))
            if face >= STUNNED_ON:
                yield EffectBegan(
                    Effect("Stun Grenade", ID, "next-activation", each.id, stat="apl", amount=-1, is_pending=True)
                )


class OwnSmokeGrenade(SmokeGrenade):
    """One that a rule gives to an operative, not counted among the equipment."""

    name, counts_as, is_granted = "Own Smoke Grenade", "Smoke Grenade", True


class OwnStunGrenade(StunGrenade):
    """One that a rule gives to an operative, not counted among the equipment."""

    name, counts_as, is_granted = "Own Stun Grenade", "Stun Grenade", True


# -- the Breaching Charge ----------------------------------------------------------------------------


class BreachingCharge(Equipment):
    key, name, id = "breaching-charge", "Breaching Charge", BREACHING_CHARGE.rule
    text = "Once per battle a Breach costs 1AP less."

    def is_offered(self, battle: Battle) -> bool:
        """As of a date, and where a killzone has breach points to use it on."""
        return (
            battle.is_corrected(BREACHING_CHARGE)
            and Breach.id in battle.board.terrain.rules
            and bool(breach_points(battle))
        )

    def rule(self, side: Side) -> Rule:
        return ChargeRule(side)


def used_key(side: Side) -> str:
    """Under which key of ``State.notes`` it is kept that the side's charge is gone."""
    return f"{side}:{BreachingCharge.key}"


class ChargeRule(SideRule):
    id, name = BreachingCharge.id, BreachingCharge.name

    def actions(self, battle: Battle, who: OperativeState) -> Sequence[Action]:
        return (BreachWithCharge(),) if who.side == self.side else ()


class BreachWithCharge(Breach):
    name, id, ap, counts_as = BreachingCharge.name, BreachingCharge.id, Breach.ap - 1, Breach.name

    def refusal(self, battle: Battle, who: OperativeState) -> str | None:
        if battle.state.notes.get(used_key(who.side), 0):
            return f"{self.name}: none left."
        return super().refusal(battle, who)

    def perform(self, battle: Battle, who: OperativeState) -> Steps[None]:
        yield from super().perform(battle, who)
        yield Noted(used_key(who.side), 1)
