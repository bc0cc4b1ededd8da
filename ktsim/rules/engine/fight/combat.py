"""What the Fight actions of every edition have in common: the enemy, both weapons, one sequence."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import ClassVar

from ktsim.rules.engine.action import Action, Impossible
from ktsim.rules.engine.attack import Hand
from ktsim.rules.engine.battle import Battle
from ktsim.rules.engine.cards import Profile
from ktsim.rules.engine.decisions import Option, Steps, pick
from ktsim.rules.engine.events import Told
from ktsim.rules.engine.fight.stages import Duel, fight, next_to_resolve
from ktsim.rules.engine.operative_events import WeaponUsed
from ktsim.rules.engine.rule import Moment, Rule
from ktsim.rules.engine.state import OperativeState
from ktsim.rules.engine.table_events import ReachedAcross
from ktsim.rules.engine.weapons import forbidden_use
from ktsim.rules.engine.windows import open_window, would_fall

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
        enemies = {e.id: e for e in self.enemies(battle, who) if battle.only is None or e.id in battle.only}
        if not enemies:
            raise Impossible("no enemy in reach")
        options = [Option(id, f"{e.name} ({e.wounds} wounds)") for id, e in enemies.items()]
        enemy = yield from pick(who.side, "enemy", f"Whom does {who.name} fight?", options, enemies, about=who.id)
        if self.reaches_across:
            yield ReachedAcross(who.id, enemy.id)
        selected = Moment("fought", who, enemy)
        yield from open_window(battle, selected)
        if selected.other is not None and selected.other is not enemy:
            enemy = selected.other
            yield ReachedAcross(who.id, enemy.id)
        battle.duelling = (who.id, enemy.id)
        battle.fights |= {battle.duelling}
        try:
            yield from self.against(battle, who, enemy)
        finally:
            battle.duelling = None

    def against(self, battle: Battle, who: OperativeState, enemy: OperativeState) -> Steps[None]:
        """The fight against the enemy selected."""
        mine = yield from choose_weapon(battle, who)
        theirs = None if cannot_retaliate(battle, enemy) else (yield from choose_weapon(battle, enemy))
        yield from announce(battle, (who, mine), (enemy, theirs), self.id)
        battle.armed = ("" if mine is None else mine.key, "" if theirs is None else theirs.key)
        first = retaliating_first(battle, who, enemy)
        for rule in first:
            yield Told("{0} resolves first.", rule.id, (enemy.id,))
        hands = []
        for user, weapon, foe in ((who, mine, enemy), (enemy, theirs, who)):
            hand = empty_hand(battle, user, foe)
            if weapon is not None:
                hand = yield from self.hand(battle, user, weapon, foe)
            hands.append((user, hand))

        def window(duel: Duel) -> Steps[Duel]:
            if min(duel.wounds) <= 0:
                return (yield from saved(battle, duel))
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


def saved(battle: Battle, duel: Duel) -> Steps[Duel]:
    """The fight after rules were heard that keep somebody from being incapacitated."""
    for index in (0, 1):
        who = battle.state.operatives[duel.hands[index].operative]
        if duel.wounds[index] > 0 or not who.is_incapacitated:
            continue
        yield from would_fall(battle, who)
        if not who.is_incapacitated:
            wounds = (who.wounds, duel.wounds[1]) if index == 0 else (duel.wounds[0], who.wounds)
            duel = next_to_resolve(duel._replace(wounds=wounds, stage="resolve"), duel.turn)
    return duel


def empty_hand(battle: Battle, who: OperativeState, enemy: OperativeState) -> Hand:
    """Of an operative that fights without a weapon: it rolls nothing."""
    hand = Hand(who.side, who.id, enemy.id, 0, 6, 0, 0, verb="fights", cites=battle.edition.cites)
    return hand._replace(name=who.name, target_name=enemy.name)


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
    """The fight about to begin.

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
    if rules := battle.having("wards"):
        mine = [each for rule in rules for each in rule.wards(battle, one[0], two[0], "fighting")]
        theirs = [each for rule in rules for each in rule.wards(battle, two[0], one[0], "retaliating")]
        duel = duel._replace(wards=(tuple(mine), tuple(theirs)))
    for rule in battle.having("duel"):
        duel = rule.duel(battle, one[0], two[0], duel)
    return duel


def choose_weapon(battle: Battle, who: OperativeState) -> Steps[Profile | None]:
    """A melee weapon it has; without one it rolls nothing."""
    options, profiles = [], {}
    for weapon in battle.weapons(who):
        if weapon.kind != "melee":
            continue
        why = forbidden_use(battle, who, weapon, battle.weapon_rules(who, weapon))
        options.append(Option(weapon.key, f"{weapon.name} ({weapon.atk} dice, {weapon.hit}+){weapon.mark}", why))
        profiles[weapon.key] = weapon
    if all(option.refusal for option in options):
        return None
    prompt = f"{who.name} fights with which weapon?"
    return (yield from pick(who.side, "melee weapon", prompt, options, profiles, about=who.id))


def cannot_retaliate(battle: Battle, who: OperativeState) -> bool:
    return any(rule.forbids_retaliation(battle, who) for rule in battle.having("forbids_retaliation"))


def assisting(battle: Battle, who: OperativeState, enemy: OperativeState) -> Sequence[OperativeState]:
    """KT24-ASSIST, KT21-FIGHT: friends in the enemy's control range that are in no other enemy's.

    In editions that say so only with a melee weapon of their own.
    """
    state, table = battle.state, battle.table
    return [
        friend
        for friend in state.friends(who.id)
        if not friend.is_incapacitated
        and table.in_control_range(state, friend.id, enemy.id)
        and not any(rule.forbids_assist(battle, friend, enemy) for rule in battle.having("forbids_assist"))
        and (not battle.edition.supports_armed or any(weapon.kind == "melee" for weapon in battle.weapons(friend)))
        and (
            not any(
                other.id != enemy.id and table.in_control_range(state, friend.id, other.id)
                for other in state.enemies(who.id)
            )
            or any(rule.assists(battle, friend, enemy) for rule in battle.having("assists"))
        )
    ]
