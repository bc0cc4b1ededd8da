"""A battle as a bot sees it: what-if questions that never touch the game."""

from __future__ import annotations

from dataclasses import replace
from time import monotonic

from ktsim.game.bots.estimates import FightOutlook, Outlook, exact_shot, quick_fight, quick_shot
from ktsim.geometry.plane import length
from ktsim.rules.engine.attack import Attack, Hand, WeaponRule
from ktsim.rules.engine.battle import Battle
from ktsim.rules.engine.cards import Profile
from ktsim.rules.engine.fight.combat import assisting, make_duel
from ktsim.rules.engine.fight.stages import Duel
from ktsim.rules.engine.shoot.targets import as_rules_have_it, sight_words, target_refusal, weapon_options
from ktsim.rules.engine.state import Activation, OperativeState, OrderName, Point, State
from ktsim.rules.engine.table import TargetRuling
from ktsim.rules.engine.weapons import make_hand

MEMORY = 20_000
"""How many rulings are kept."""
BESIDE = 3000
"""Thousandths of an inch from the straight line between two operatives within which a body may be in the way."""


class Budget:
    """How much looking a decision may cost: a number of rulings and, if wanted, a time on the clock at which it ends.

    Only the number decides in simulated games, so that they can be repeated.
    """

    def __init__(self, rulings: int, until: float | None = None) -> None:
        self._left = rulings
        self._until = until

    @property
    def is_out_of_time(self) -> bool:
        return self._until is not None and monotonic() >= self._until

    def spend(self) -> bool:
        """Whether another ruling may be asked for."""
        self._left -= 1
        return self._left >= 0 and not self.is_out_of_time


def end_of(seconds: float | None) -> float | None:
    """When so many seconds from now are over; never for None."""
    return None if seconds is None else monotonic() + seconds


def _is_range(text: str) -> bool:
    return text == "all" or text.startswith("Range")


class BattleView:
    """A copy of a battle to ask about. Somebody may be put elsewhere or on another order first.

    *memory* keeps what was seen, for the next view of the same table; it changes nothing but the time it takes.
    """

    def __init__(self, battle: Battle, budget: Budget, memory: dict[object, TargetRuling] | None = None) -> None:
        self.battle, self.budget = battle.twin(), budget
        self._memory = {} if memory is None else memory
        if len(self._memory) > MEMORY:
            self._memory.clear()
        self._touches_ranges: bool | None = None
        """Whether some rule may change how far weapons reach."""

    @property
    def state(self) -> State:
        return self.battle.state

    def who(self, id: str) -> OperativeState:
        return self.state.operatives[id]

    def put(self, id: str, at: Point) -> None:
        who = self.who(id)
        who.x, who.y, who.level = at

    def activate(self, id: str, order: OrderName) -> None:
        """As if it were being activated."""
        who = self.who(id)
        who.order = order
        self.state.activation = Activation(id, "activation", self.battle.apl(who).value)

    # -- worth ---------------------------------------------------------------------------------------

    def worth(self, who: OperativeState) -> float:
        """What an operative is worth to its side, in points about as heavy as three wounds."""
        card = self.battle.card(who)
        carried = 3.0 * len(self.state.carried_by(who.id))
        return 2.5 + 0.4 * card.wounds + card.apl + carried

    def gain(self, target: OperativeState, found: Outlook) -> float:
        """What is gained by doing *found* to *target*."""
        share = min(1.0, found.damage / max(1, target.wounds))
        return self.worth(target) * (0.4 * share + 0.6 * found.kill)

    # -- seeing --------------------------------------------------------------------------------------

    def look(self, who: OperativeState, target: OperativeState, rules: tuple[WeaponRule, ...]) -> TargetRuling:
        """What target selection finds, as if *target* were on an Engage order; then whether Conceal protects it."""
        state, words = self.state, sight_words(rules)
        key = (
            *((o.id, o.card, o.point, o.turn) for o in (who, target)),
            self._between(who, target),
            words,
            tuple(state.terrain.values()),
            tuple(state.pieces.values()),
            tuple(each.point for each in state.smoke),
        )
        order, target.order = target.order, "engage"
        if key not in self._memory:
            self._memory[key] = self.battle.table.target_ruling(state, who.id, target.id, words)
        found = as_rules_have_it(self.battle, who, target, self._memory[key])
        target.order = order
        is_hidden = order == "conceal" and found.in_cover and not any("seek" in word for word in words)
        return replace(found, is_valid=False) if is_hidden else found

    def _between(self, who: OperativeState, target: OperativeState) -> tuple[tuple[str, Point, int], ...]:
        """Whoever may stand in the way of a line from one to the other: everybody else is nothing to it."""
        found = []
        ax, ay, dx, dy = who.x, who.y, target.x - who.x, target.y - who.y
        far = max(1, dx * dx + dy * dy)
        for each in self.state.operatives.values():
            if each.is_in_killzone and each is not who and each is not target:
                along = min(1.0, max(0.0, ((each.x - ax) * dx + (each.y - ay) * dy) / far))
                if length(ax + along * dx - each.x, ay + along * dy - each.y) < BESIDE:
                    found.append((each.card, each.point, each.turn))
        return tuple(found)

    # -- shooting ------------------------------------------------------------------------------------

    def is_too_far(self, weapon: Profile, inches: float) -> bool:
        """Whether a distance is beyond what is printed on the weapon, and nothing could change that."""
        if self._touches_ranges is None:
            touched = [rule.texts_touched() for rule in self.battle.having("weapon_texts")]
            self._touches_ranges = any(each is None or any(_is_range(text) for text in each) for each in touched)
        if self._touches_ranges:
            return False
        printed = self.battle.edition.weapon_rules.parse_all(weapon.rules)
        return any(rule.forbids_target(inches) is not None for rule in printed)

    def best_shot(self, shooter: str, most: int, exact: bool = False) -> tuple[float, str, str]:
        """The best weapon and target from where the shooter stands: what is gained, target, weapon.

        At most the *most* nearest enemies are looked at.
        """
        who, best = self.who(shooter), (0.0, "", "")
        keys = [option.key for option in weapon_options(self.battle, who) if option.refusal is None]
        weapons = [weapon for key in keys if not (weapon := self.battle.weapon(who, key)).is_unclear]
        if not weapons or self.battle.engaged_with(who):
            return best
        for enemy in self.nearest(who, most):
            for weapon in weapons:
                found = self.shot_at(who, enemy, weapon, exact)
                if found is not None and found > best[0]:
                    best = (found, enemy.id, weapon.key)
        return best

    def shot_at(self, who: OperativeState, enemy: OperativeState, weapon: Profile, exact: bool = False) -> float | None:
        """What shooting *enemy* gains; ``None`` when it cannot be the target."""
        battle = self.battle
        rules = battle.weapon_rules(who, weapon, enemy)
        if not self.budget.spend():
            return None
        ruling = self.look(who, enemy, rules)
        if target_refusal(battle, who, enemy.id, ruling, rules) is not None:
            return None
        shot = battle.edition.make_shot(battle, Attack(who, weapon, rules, battle.hit(who, weapon), enemy, ruling))
        found = exact_shot(shot, enemy.wounds, battle.edition.id) if exact else quick_shot(shot, enemy.wounds)
        hot = 1.5 if any(rule.is_hot for rule in rules) else 0.0
        friends = sum(0.5 * self.worth(self.who(id)) for id, _ in shot.hand.bystanders if self.who(id).side == who.side)
        reach = max((rule.blast for rule in rules if rule.blast is not None), default=None)
        if reach is not None:
            near = [e for e in self.state.operatives.values() if e.is_in_killzone and e.id != enemy.id]
            near = [e for e in near if self.flat(enemy, e.point) <= reach + 1]
            friends += sum((1 if e.side == who.side else -1) * 0.3 * self.gain(e, found) for e in near)
        return self.gain(enemy, found) - hot - friends

    def kill_chance(self, shooter: str, target: str) -> float:
        """The chance of the best of its shots from where it stands to incapacitate the target, on Engage."""
        who, enemy, best = self.who(shooter), self.who(target), 0.0
        order, who.order = who.order, "engage"
        weapons = [weapon for weapon in self.battle.weapons(who) if weapon.kind == "ranged"]
        for weapon in weapons if not self.battle.engaged_with(who) else ():
            rules = self.battle.weapon_rules(who, weapon, enemy)
            ruling = self.look(who, enemy, rules)
            if target_refusal(self.battle, who, target, ruling, rules) is None:
                attack = Attack(who, weapon, rules, self.battle.hit(who, weapon), enemy, ruling)
                best = max(best, quick_shot(self.battle.edition.make_shot(self.battle, attack), enemy.wounds).kill)
        who.order = order
        return best

    # -- fighting ------------------------------------------------------------------------------------

    def best_fight(self, fighter: str) -> tuple[float, str]:
        """The enemy in control range best fought: what is gained less what is lost, and who."""
        who, best = self.who(fighter), (-99.0, "")
        for enemy in self.battle.engaged_with(who):
            best = max(best, (self.fight_with(who, enemy), enemy.id))
        return best if best[1] else (0.0, "")

    def fight_with(self, who: OperativeState, enemy: OperativeState) -> float:
        """The gain of fighting *enemy*, with the best weapons of both."""
        found = [self.fight_outlook(who, weapon, enemy) for weapon in self.melee(who)]
        return max((self.gain(enemy, f.inflicted) - 0.8 * self.gain(who, f.suffered) for f in found), default=-3.0)

    def fight_outlook(self, who: OperativeState, weapon: Profile | None, enemy: OperativeState) -> FightOutlook:
        theirs = self.melee(enemy)
        strongest = max(theirs, key=lambda each: each.atk * (7 - each.hit) * each.normal, default=None)
        return quick_fight(self._duel(who, weapon, enemy, strongest))

    def melee(self, who: OperativeState) -> list[Profile]:
        melee = [weapon for weapon in self.battle.weapons(who) if weapon.kind == "melee"]
        return [weapon for weapon in melee if not weapon.is_unclear] or melee

    def _duel(self, who: OperativeState, mine: Profile | None, enemy: OperativeState, theirs: Profile | None) -> Duel:
        one, two = self._hand(who, mine, enemy), self._hand(enemy, theirs, who)
        return make_duel(self.battle, (who, one), (enemy, two))

    def _hand(self, who: OperativeState, weapon: Profile | None, enemy: OperativeState) -> Hand:
        if weapon is None:
            return Hand(who.side, who.id, enemy.id, 0, 6, 0, 0)
        hit = self.battle.hit(who, weapon, [friend.name for friend in assisting(self.battle, who, enemy)])
        rules = self.battle.weapon_rules(who, weapon, enemy)
        return make_hand(self.battle, Attack(who, weapon, rules, hit, enemy))

    # -- danger --------------------------------------------------------------------------------------

    def danger(self, id: str, most: int) -> float:
        """What the operative may lose where it stands: to enemies that see it, and to those that can charge it."""
        who, total = self.who(id), 0.0
        for enemy in self.nearest(who, most):
            if enemy.is_ready or self.state.turning_point < self.battle.edition.turning_points:
                weight = 0.55 if enemy.is_ready else 0.2
                total += weight * max(self._shot_danger(enemy, who), self._charge_danger(enemy, who))
        return min(total, self.worth(who))

    def _shot_danger(self, enemy: OperativeState, who: OperativeState) -> float:
        weapons = [weapon for weapon in self.battle.weapons(enemy) if weapon.kind == "ranged"]
        if not weapons or not self.budget.spend():
            return 0.0
        weapon = max(weapons, key=lambda each: each.atk * (7 - each.hit) * (each.normal + each.critical))
        rules = self.battle.weapon_rules(enemy, weapon, who)
        ruling = self.look(enemy, who, rules)
        if not ruling.is_valid or any(rule.forbids_target(ruling.distance - 3) for rule in rules):
            return 0.0
        attack = Attack(enemy, weapon, rules, self.battle.hit(enemy, weapon), who, ruling)
        shot = self.battle.edition.make_shot(self.battle, attack)
        return self.gain(who, quick_shot(shot, who.wounds))

    def _charge_danger(self, enemy: OperativeState, who: OperativeState) -> float:
        reach = self.battle.move(enemy).value + self.battle.edition.charge_bonus + 2.0
        if self.flat(enemy, who.point) > reach:
            return 0.0
        weapons = self.melee(enemy)
        weapon = max(weapons, key=lambda each: each.atk * (7 - each.hit) * each.normal, default=None)
        return 0.7 * self.gain(who, self.fight_outlook(enemy, weapon, who).inflicted)

    # -- where ---------------------------------------------------------------------------------------

    def flat(self, who: OperativeState, point: Point) -> float:
        """Inches between centres as seen from above."""
        return length(who.x - point[0], who.y - point[1]) / 1000

    def nearest(self, who: OperativeState, most: int) -> list[OperativeState]:
        """The nearest enemies, at most so many."""
        found = [enemy for enemy in self.state.enemies(who.id) if not enemy.is_incapacitated]
        return sorted(found, key=lambda enemy: self.flat(enemy, who.point))[:most]
