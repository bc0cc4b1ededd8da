"""The Fight action: enemy, weapons, one fight sequence."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from ktsim.rules.action import Action, Impossible
from ktsim.rules.decisions import Option, Steps, pick
from ktsim.rules.dice import Hand
from ktsim.rules.events import Told
from ktsim.rules.fighting import Duel, fight
from ktsim.rules.operative_events import WeaponUsed
from ktsim.rules.rule import Rule
from ktsim.rules.shoot import assisting, make_hand, one_of_each, run_hot
from ktsim.rules.state import OperativeState
from ktsim.rules.table_events import ReachedAcross
from ktsim.rules.team_file import Profile
from ktsim.rules.windows import Moment, open_window

if TYPE_CHECKING:
    from ktsim.rules.battle import Battle


RETALIATES = "retaliates against"
"""What the operative that is fought does to the one that fights it."""


class Combat(Action):
    """What fights have in common: the enemy, both weapons, one sequence. Editions say how the dice come about."""

    reaches_across: ClassVar[bool] = False
    """Whether the two count as in each other's control range for the action only."""
    verb: ClassVar[str] = "block"
    """What the edition calls cancelling a success."""

    def refusal(self, battle: Battle, who: OperativeState) -> str | None:
        return None if self.enemies(battle, who) else f"{self.name}: no enemy in {battle.edition.near}."

    def enemies(self, battle: Battle, who: OperativeState) -> list[OperativeState]:
        """Whom it can fight."""
        return battle.engaged_with(who)

    @abstractmethod
    def hand(self, battle: Battle, who: OperativeState, weapon: Profile, enemy: OperativeState) -> Steps[Hand]:
        """The attack dice of one of the two."""

    def ends(self, battle: Battle, hands: Sequence[tuple[OperativeState, Hand]]) -> Steps[None]:
        """What the weapons do afterwards."""
        yield from ()

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
        yield from announce(battle, (who, mine), (enemy, theirs), self.id)
        first = retaliating_first(battle, who, enemy)
        for rule in first:
            yield Told("{0} resolves first.", rule.id, (enemy.id,))
        hands = []
        for user, weapon, foe in ((who, mine, enemy), (enemy, theirs, who)):
            hand = empty_hand(user, foe) if weapon is None else (yield from self.hand(battle, user, weapon, foe))
            hands.append((user, hand))

        def window(duel: Duel) -> Steps[Duel]:
            if duel.stage not in ("attack", "retain") or duel.turn != 0:
                return duel
            kind = "fight begins" if duel.stage == "attack" else "fight rolled"
            moment = Moment(kind, who, enemy, duel=duel)
            yield from open_window(battle, moment)
            return moment.duel or duel

        duel = make_duel(battle, hands[0], hands[1], first)._replace(verb=self.verb)
        yield from fight(duel, battle.edition.duel_stages, window)
        yield from self.ends(battle, hands)
        for rule in battle.in_turn("fought"):
            yield from rule.fought(battle, who, enemy)
        yield from open_window(battle, Moment("has fought", who, enemy))


class Fight(Combat):
    name, id = "Fight", "KT24-FIGHT"

    def hand(self, battle: Battle, who: OperativeState, weapon: Profile, enemy: OperativeState) -> Steps[Hand]:
        hit = battle.hit(who, weapon, [friend.name for friend in assisting(battle, who, enemy)])
        if hit.changes:
            yield Told(f"{{0}}: Hit {hit.words('+')}.", hit.changes[-1].rule, (who.id,))
        rules = yield from one_of_each(who.side, battle.weapon_rules(who, weapon, enemy))
        return make_hand(battle, who, weapon, hit, rules, enemy)

    def ends(self, battle: Battle, hands: Sequence[tuple[OperativeState, Hand]]) -> Steps[None]:
        for user, hand in hands:
            if any(rule.is_hot for rule in hand.rules) and not user.is_incapacitated:
                yield from run_hot(user, hand.hit)


def empty_hand(who: OperativeState, enemy: OperativeState) -> Hand:
    """Of an operative that fights without a weapon: it rolls nothing."""
    return Hand(who.side, who.id, enemy.id, 0, 6, 0, 0, name=who.name, target_name=enemy.name, verb="fights")


def announce(
    battle: Battle, one: tuple[OperativeState, Profile | None], two: tuple[OperativeState, Profile | None], rule: str
) -> Steps[None]:
    """Both weapons are used now; the log says so."""
    for user, weapon in (one, two):
        if weapon is not None:
            limited = any(rule.limit for rule in battle.weapon_rules(user, weapon))
            yield WeaponUsed(user.id, weapon.key, weapon.key if limited else "")
    names = [weapon.name if weapon else "no weapon" for _, weapon in (one, two)]
    yield Told(f"{{0}} with {names[0]} fights {{1}} with {names[1]}.", rule, (one[0].id, two[0].id))


def retaliating_first(battle: Battle, who: OperativeState, enemy: OperativeState) -> list[Rule]:
    """The rules by which *enemy*, fought by *who*, resolves the first success."""
    return [rule for rule in battle.having("retaliates_first") if rule.retaliates_first(battle, who, enemy)]


def make_duel(
    battle: Battle,
    one: tuple[OperativeState, Hand],
    two: tuple[OperativeState, Hand],
    first: Sequence[Rule] | None = None,
) -> Duel:
    """The fight about to begin, as the rules in force shape it.

    By the rules *first* the second of the two resolves first; they are asked for unless they are known.
    """
    state = battle.state
    duel = Duel(
        (one[1], two[1]._replace(verb=RETALIATES)),
        (one[0].wounds, two[0].wounds),
        cp=(state.cp["red"], state.cp["blue"]),
        first_to_reroll=0 if state.initiative == one[0].side else 1,
        first_to_resolve=int(bool(retaliating_first(battle, one[0], two[0]) if first is None else first)),
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
        options.append(Option(weapon.key, f"{weapon.name} ({weapon.atk} dice, {weapon.hit}+){weapon.mark}", why))
        profiles[weapon.key] = weapon
    if all(option.refusal for option in options):
        return None
    prompt = f"{who.name} fights with which weapon?"
    return (yield from pick(who.side, "weapon", prompt, options, profiles, about=who.id))


def cannot_retaliate(battle: Battle, who: OperativeState) -> bool:
    return any(rule.forbids_retaliation(battle, who) for rule in battle.having("forbids_retaliation"))
