"""The Fight action: enemy, weapons, one fight sequence."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from ktsim.rules.action import Action, Impossible
from ktsim.rules.decisions import Option, Steps, pick
from ktsim.rules.dice import Hand
from ktsim.rules.events import Told
from ktsim.rules.fighting import Duel, fight
from ktsim.rules.operative_events import WeaponUsed
from ktsim.rules.shoot import assisting, make_hand, one_of_each, run_hot
from ktsim.rules.state import OperativeState
from ktsim.rules.table_events import ReachedAcross
from ktsim.rules.team_file import Profile
from ktsim.rules.windows import Moment, open_window

if TYPE_CHECKING:
    from ktsim.rules.battle import Battle


class Fight(Action):
    name, id = "Fight", "KT24-FIGHT"

    reaches_across: ClassVar[bool] = False
    """Whether the two count as in each other's control range for the action only."""

    def refusal(self, battle: Battle, who: OperativeState) -> str | None:
        return None if self.enemies(battle, who) else "Fight: no enemy in control range."

    def enemies(self, battle: Battle, who: OperativeState) -> list[OperativeState]:
        """Whom it can fight."""
        return battle.engaged_with(who)

    def perform(self, battle: Battle, who: OperativeState) -> Steps[None]:
        enemies = {enemy.id: enemy for enemy in self.enemies(battle, who)}
        if not enemies:
            raise Impossible("no enemy in reach")
        options = [Option(id, f"{e.name} ({e.wounds} wounds)") for id, e in enemies.items()]
        enemy = yield from pick(who.side, "enemy", f"Whom does {who.name} fight?", options, enemies, about=who.id)
        if self.reaches_across:
            yield ReachedAcross(who.id, enemy.id)
        mine = yield from choose_weapon(battle, who)
        theirs = None if cannot_retaliate(battle, enemy) else (yield from choose_weapon(battle, enemy))
        for user, weapon in ((who, mine), (enemy, theirs)):
            if weapon is not None:
                limited = any(rule.limit for rule in battle.weapon_rules(user, weapon))
                yield WeaponUsed(user.id, weapon.key, weapon.key if limited else "")
        names = [weapon.name if weapon else "no weapon" for weapon in (mine, theirs)]
        yield Told(f"{{0}} with {names[0]} fights {{1}} with {names[1]}.", self.id, (who.id, enemy.id))
        first = [rule for rule in battle.rules if rule.retaliates_first(battle, who, enemy)]
        for rule in first:
            yield Told("{0} resolves first.", rule.id, (enemy.id,))
        one = yield from hand_for(battle, who, mine, enemy)
        two = yield from hand_for(battle, enemy, theirs, who)

        def window(duel: Duel) -> Steps[Duel]:
            if duel.stage not in ("attack", "retain") or duel.turn != 0:
                return duel
            kind = "fight begins" if duel.stage == "attack" else "fight rolled"
            moment = Moment(kind, who, enemy, duel=duel)
            yield from open_window(battle, moment)
            return moment.duel or duel

        yield from fight(make_duel(battle, who, enemy, one, two)._replace(first_to_resolve=1 if first else 0), window)
        for user, hand in ((who, one), (enemy, two)):
            if any(rule.is_hot for rule in hand.rules) and not user.is_incapacitated:
                yield from run_hot(user, hand.hit)
        for rule in battle.having("fought"):
            yield from rule.fought(battle, who, enemy)
        yield from open_window(battle, Moment("has fought", who, enemy))


def make_duel(battle: Battle, who: OperativeState, enemy: OperativeState, one: Hand, two: Hand) -> Duel:
    """The sequence about to begin, as the rules in force shape it."""
    state = battle.state
    duel = Duel(
        (one, two),
        (who.wounds, enemy.wounds),
        cp=(state.cp["red"], state.cp["blue"]),
        first_to_reroll=0 if state.initiative == who.side else 1,
    )
    for rule in battle.having("duel"):
        duel = rule.duel(battle, duel)
    return duel


def choose_weapon(battle: Battle, who: OperativeState) -> Steps[Profile | None]:
    """A melee weapon it has; without one it rolls nothing."""
    options, profiles = [], {}
    for weapon in battle.weapons(who):
        if weapon.kind != "melee":
            continue
        rules = battle.weapon_rules(who, weapon)
        why = next((why for rule in rules if (why := rule.forbids_use(battle, who, weapon.key)) is not None), None)
        options.append(Option(weapon.key, f"{weapon.name} ({weapon.atk} dice, {weapon.hit}+)", why))
        profiles[weapon.key] = weapon
    if all(option.refusal for option in options):
        return None
    prompt = f"{who.name} fights with which weapon?"
    return (yield from pick(who.side, "weapon", prompt, options, profiles, about=who.id))


def hand_for(battle: Battle, who: OperativeState, weapon: Profile | None, enemy: OperativeState) -> Steps[Hand]:
    if weapon is None:
        return Hand(who.side, who.id, enemy.id, 0, 6, 0, 0, name=who.name, target_name=enemy.name)
    hit = battle.hit(who, weapon, assisting(battle, who, enemy))
    if hit.changes:
        yield Told(f"{{0}}: Hit {hit.words('+')}.", hit.changes[-1].rule, (who.id,))
    rules = yield from one_of_each(who.side, battle.weapon_rules(who, weapon, enemy))
    return make_hand(battle, who, weapon, hit, rules, enemy)


def cannot_retaliate(battle: Battle, who: OperativeState) -> bool:
    return any(rule.forbids_retaliation(battle, who) for rule in battle.having("forbids_retaliation"))
