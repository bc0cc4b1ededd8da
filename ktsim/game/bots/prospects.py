"""What a state of a battle is worth to a side, in VP: scored, promised, still to be scored by whoever lives."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from math import exp
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ktsim.game.bots.estimates import FightOutlook, Outlook, ShotPlan, exact_shot, quick_shot
from ktsim.game.bots.lookout import Cells, Lookout, Memory, lookout_over
from ktsim.game.bots.ranking import dreaded
from ktsim.game.bots.reaches import Reaches, ReachMap
from ktsim.game.bots.roads import RoadBook
from ktsim.game.bots.view import BattleView, Budget
from ktsim.game.bots.weights import Weights
from ktsim.game.rehearsal import Unfinished, rehearse
from ktsim.rules.engine.action import Impossible
from ktsim.rules.engine.activation import remove_incapacitated, settle_control
from ktsim.rules.engine.attack import Attack, WeaponRule
from ktsim.rules.engine.battle import Battle
from ktsim.rules.engine.cards import Profile
from ktsim.rules.engine.decisions import Steps
from ktsim.rules.engine.rule import Draw
from ktsim.rules.engine.shoot.targets import (
    as_rules_have_it,
    blast_reach,
    rule_on,
    target_refusal,
    weapon_options,
)
from ktsim.rules.engine.sight_table import SightTable
from ktsim.rules.engine.state import SIDES, OperativeState, Path, Point, Side, State, inches, other
from ktsim.rules.engine.table import CONTROL_RANGE, MoveRequest, TargetRuling
from ktsim.rules.kt24.ops.kill_and_primary import primary_key
from ktsim.rules.kt24.ops.op import TacOp


class Scoring(NamedTuple):
    """VP of mine less theirs: scored, what the turning point and then the battle would pay if they ended now, what was
    done and pays later; and objective markers held."""

    before: float
    turn: float
    end: float
    promised: float
    held: int


NEAR, FAR = 6.0, 30.0
"""Inches over which the draw of a goal falls off: steeply where it is near, slowly where it is far."""
ATTENTION = 0.75
"""What is left of a threat for each that is greater."""
SHARED = 0.55
"""What is left of a draw for whoever comes next."""
NOBODY = ShotPlan(0.0, "", "", Outlook())
RIVALS = 3
"""How many of the nearest it is thought to charge."""
ENEMIES = 7
"""How many of the nearest enemies are looked at."""


class Prospect(BattleView):
    """A copy of a battle to be changed and weighed. *memory* is of places and lasts from one to the next."""

    def __init__(
        self, battle: Battle, side: Side, weights: Weights, memory: Memory, roads: RoadBook, budget: Budget
    ) -> None:
        super().__init__(battle, budget)
        self.side, self.weights, self.roads, self._places = side, weights, roads, memory
        self.enemies = ENEMIES
        self.on_foot = False
        """Whether it thinks of no climbs and jumps, and as if enemies were no obstacle, which is quicker."""
        self.battle.table = lookout_over(battle.table, memory)
        self._reaches = Reaches(self.battle.table, memory)
        self._fights: dict[object, FightOutlook] = {}

    @property
    def is_last(self) -> bool:
        return self.state.turning_point >= self.battle.edition.turning_points

    @contextmanager
    def aside(self, state: State | None = None) -> Iterator[State]:
        """Inside, everything happens to a copy of *state* (of the present one)."""
        twin = (state or self.state).copy()
        with self.within(twin):
            yield twin

    @contextmanager
    def within(self, state: State) -> Iterator[None]:
        """Inside, *state* itself is the present one: nothing may happen."""
        kept, self.battle.state = self.battle.state, state
        try:
            yield
        finally:
            self.battle.state = kept

    def run(self, steps: Steps[Any]) -> bool:
        """Whether the procedure came to its end on the present state."""
        try:
            rehearse(self.state, steps)
        except (Impossible, Unfinished):
            return False
        return True

    # -- worth ---------------------------------------------------------------------------------------

    def worth(self, who: OperativeState) -> float:
        """What it is worth that the operative lives, in VP."""
        state, weights = self.state, self.weights
        team = sum(each.side == who.side for each in state.operatives.values())
        left = self.battle.edition.turning_points - state.turning_point + (1 if who.is_ready else 0)
        lives = weights.presence * left * self.battle.card(who).apl / 2
        return weights.kill * min(1.0, 5 / max(1, team)) + lives + 0.5 * len(state.carried_by(who.id))

    def gain(self, target: OperativeState, found: Outlook) -> float:
        share = min(1.0, found.damage / max(1, target.wounds))
        kept = target.wounds / max(1, self.battle.card(target).wounds)
        damage = self.weights.damage * (0.5 + 0.5 * kept)
        return self.worth(target) * (damage * share + (1 - damage) * found.kill)

    def value(self) -> float:
        """Everything but where somebody stands: VP by the rules themselves, promises, who lives, lasting effects."""
        return self.forecast() + self.material()

    def cp_worth(self) -> float:
        """VP for a CP kept: the more there are the less, and less at the end."""
        return self.weights.cp * 2 / (1 + max(1, self.state.cp[self.side])) * (0.4 if self.is_last else 1.0)

    def material(self) -> float:
        state, battle, total = self.state, self.battle, 0.0
        share = self.weights.damage
        for who in state.operatives.values():
            if who.is_in_killzone and not who.is_incapacitated:
                health = 1 - share + share * who.wounds / max(1, battle.card(who).wounds)
                total += self._sign(who.side) * health * self.worth(who)
        for effect in state.effects:
            meant = [state.operatives[effect.target]] if effect.target else []
            meant = meant or (state.side(effect.side) if effect.side else [])
            is_bad = effect.amount < 0 if effect.stat not in ("hit", "save") else effect.amount > 0
            for who in meant:
                ready = 1.0 if who.is_ready else 0.4
                total += self._sign(who.side) * (-1 if is_bad else 1) * self.weights.effect * ready
        return total

    def _sign(self, side: str | None) -> int:
        return 0 if side is None else 1 if side == self.side else -1

    # -- scoring by the rules themselves -------------------------------------------------------------

    def forecast(self) -> float:
        """VP of mine less theirs, with what the turning point and the battle would pay if they ended now.

        VP for kills are left out, except at the very end: who lives is counted more smoothly elsewhere.
        """
        weights, found, left = self.weights, self.scoring(), self._turning_points_left
        if left <= 0:
            return found.before + found.turn + found.end
        is_opening = self.state.turning_point < 2
        share = (weights.opening if is_opening else 1.0) + weights.future * max(0, left - is_opening)
        later = weights.at_end * found.end + found.promised + weights.control * found.held
        return found.before + share * found.turn + later

    @property
    def _turning_points_left(self) -> int:
        return self.battle.edition.turning_points - self.state.turning_point

    def scoring(self) -> Scoring:
        """What is scored and would be, by the rules themselves."""
        battle = self.battle
        with self.aside() as state:
            self.run(settle_control(battle))
            before = self._scored(state)
            state.turning_point = max(2, state.turning_point)
            for rule in battle.in_turn("turning_point_ends"):
                self.run(rule.turning_point_ends(battle))
            turn = self._scored(state) - before
            promising = [(side, rule) for side in SIDES for rule in battle.having("promise")]
            promised = sum(self._sign(side) * rule.promise(battle, side) for side, rule in promising)
            for rule in battle.in_turn("battle_ends"):
                self.run(rule.battle_ends(battle))
            end = self._scored(state) - before - turn
            markers = [marker for marker in state.markers.values() if marker.kind == "objective"]
            held = sum(self._sign(marker.controller) for marker in markers)
        return Scoring(before, turn, end, promised, held)

    def features(self) -> dict[str, float]:
        """What the weights of the same names are multiplied by in :meth:`value`, about, besides what is scored
        (``before``) and what the turning point would pay (``turn``): for fitting them to how games ended."""
        found, left, state = self.scoring(), self._turning_points_left, self.state
        kill = presence = 0.0
        for who in state.operatives.values():
            if who.is_in_killzone and not who.is_incapacitated:
                team = sum(each.side == who.side for each in state.operatives.values())
                kill += self._sign(who.side) * min(1.0, 5 / max(1, team))
                ready = left + (1 if who.is_ready else 0)
                presence += self._sign(who.side) * ready * self.battle.card(who).apl / 2
        later = {"future": left * found.turn, "at_end": found.end if left > 0 else 0.0, "control": found.held}
        cp = state.cp[self.side] - state.cp[other(self.side)]
        return {"before": found.before, "turn": found.turn, "kill": kill, "presence": presence, "cp": cp, **later}

    def _scored(self, state: State) -> float:
        """VP of mine less theirs without those for kills; what counts half again counts so."""
        mine = state.choices.get(primary_key(self.side))
        total = 0.0
        for line in state.sheet:
            if line.op not in ("kill", "primary"):
                is_primary = line.op == mine and line.side == self.side
                total += self._sign(line.side) * line.amount * (1.5 if is_primary else 1.0)
        return total

    def without(self, target: str, by: str) -> float:
        """What it is worth, besides the enemy's own worth, that *target* is incapacitated by *by*."""
        before = self.forecast()
        with self.aside() as state:
            who = state.operatives[target]
            who.wounds, who.wounded_by = 0, by
            self.run(remove_incapacitated(self.battle))
            return self.forecast() - before

    # -- what draws ----------------------------------------------------------------------------------

    def draws(self, who: OperativeState) -> list[Draw]:
        """What draws the operative: by the rules in force, markers to pick up, whoever carries one off."""
        battle, state = self.battle, self.state
        found: list[Draw] = []
        for rule in battle.having("draws"):
            is_secret = isinstance(rule, TacOp) and not rule.is_revealed(battle)
            found += [draw._replace(name="") if is_secret else draw for draw in rule.draws(battle, who)]
        radius = battle.table.radius(who)
        if not battle.having("draws"):
            found += [self._to(m.point, 1.0, radius + inches(m.radius), m.id) for m in state.markers.values()]
        for marker in state.markers.values():
            contact = radius + inches(marker.radius)
            if marker.carrier is not None and state.operatives[marker.carrier].side != who.side:
                found.append(self._to(state.operatives[marker.carrier].point, 0.5, contact, marker.carrier))
            is_free = marker.carrier is None and marker.can_be_picked_up and marker.owner in (None, who.side)
            if is_free and not state.carried_by(who.id):
                found.append(self._to(marker.point, 1.0, contact, marker.id))
        taken = self._taken(who, sorted({draw.point for draw in found if draw.contact}))
        enemies = self.state.enemies(who.id)
        for number, draw in enumerate(found):
            theirs = sum(self.flat(enemy, draw.point) <= draw.contact for enemy in enemies)
            share = SHARED ** max(0, taken.get(draw.point, 0) - theirs)
            found[number] = draw._replace(worth=draw.worth * share)
        return found + [Draw(enemy.point, 0.3, 0.0, f"towards {enemy.name}") for enemy in self.nearest(who, 1)]

    def _taken(self, who: OperativeState, goals: list[Point]) -> dict[Point, int]:
        """How many friends each goal has already: each is for the one it is nearest to."""
        friends = self.state.friends(who.id)
        if not goals or not friends:
            return {}
        places = np.array([each.point for each in friends])
        nearest = np.array([self.ways(goal, places) for goal in goals]).argmin(axis=0)
        return {goal: int(np.count_nonzero(nearest == number)) for number, goal in enumerate(goals)}

    def _to(self, point: Point, worth: float, radii: float, id: str) -> Draw:
        return Draw(point, worth, radii + CONTROL_RANGE, f"to {self.battle.name(id)}")

    def way(self, goal: Point, point: Point) -> float:
        """Inches on foot from a place to a goal, about."""
        return self.roads.far(self.battle.table, self.state, goal, point)

    def pull(self, draws: list[Draw], point: Point) -> float:
        """How well a place serves what draws, in VP: the nearer the more, by the way around walls."""
        best = rest = 0.0
        for draw in draws:
            gap = max(0.0, self.way(draw.point, point) - draw.contact)
            near = draw.worth * (0.5 * exp(-gap / NEAR) + 0.5 * max(0.0, 1 - gap / FAR))
            best, rest = max(best, near), rest + near
        return self._pull_weight * (best + 0.15 * (rest - best))

    def ways(self, goal: Point, places: NDArray[np.int64]) -> NDArray[np.float64]:
        """:meth:`way` of many places at once, (n, 3)."""
        table = self.battle.table
        if isinstance(table, SightTable):
            return self.roads.over(table, self.state).ways(goal, places)
        found: NDArray[np.float64] = np.hypot(places[:, 0] - goal[0], places[:, 1] - goal[1]) / 1000
        return found

    def pulls(self, draws: list[Draw], places: NDArray[np.int64]) -> NDArray[np.float64]:
        """:meth:`pull` of many places at once, (n, 3)."""
        if not draws:
            return np.zeros(len(places))
        gaps = np.array([np.maximum(0.0, self.ways(draw.point, places) - draw.contact) for draw in draws])
        worth = np.array([draw.worth for draw in draws])[:, None]
        near = worth * (0.5 * np.exp(-gaps / NEAR) + 0.5 * np.maximum(0.0, 1 - gaps / FAR))
        best = near.max(axis=0)
        found: NDArray[np.float64] = self._pull_weight * (best + 0.15 * (near.sum(axis=0) - best))
        return found

    @property
    def _pull_weight(self) -> float:
        return self.weights.pull * (1 + self.weights.future * max(0, self._turning_points_left))

    # -- shots ---------------------------------------------------------------------------------------

    def look(self, who: OperativeState, target: OperativeState, rules: tuple[WeaponRule, ...]) -> TargetRuling:
        return rule_on(self.battle, who, target, rules)

    def best_shot_plan(self, id: str) -> ShotPlan:
        """The best shot from where it stands, on Engage unless the weapon needs none."""
        who, best = self.who(id), NOBODY
        if self.battle.engaged_with(who):
            return best
        keys = [option.key for option in weapon_options(self.battle, who) if option.refusal is None]
        weapons = [weapon for key in keys if not (weapon := self.battle.weapon(who, key)).is_unclear]
        for enemy in self.nearest(who, self.enemies) if weapons else ():
            for weapon in weapons:
                found = self.shot_plan(who, enemy, weapon)
                if found is not None and found.gain > best.gain:
                    best = found
        return best

    def shot_plan(self, who: OperativeState, enemy: OperativeState, weapon: Profile) -> ShotPlan | None:
        """What shooting *enemy* gains; ``None`` when it cannot be the target."""
        battle, far = self.battle, self.flat(who, enemy.point) - 2.5
        if self.is_too_far(weapon, far) or not battle.table.is_visible(self.state, who.id, enemy.id):
            return None
        rules = battle.weapon_rules(who, weapon, enemy)
        if any(rule.forbids_target(far) for rule in rules):
            return None
        ruling = self.look(who, enemy, rules)
        if target_refusal(battle, who, enemy.id, ruling, rules) is not None:
            return None
        attack = Attack(who, weapon, rules, battle.hit(who, weapon), enemy, ruling)
        found = exact_shot(battle.edition.make_shot(battle, attack), enemy.wounds, battle.edition.id)
        gain = self.gain(enemy, found) - (0.15 if any(rule.is_hot for rule in rules) else 0.0)
        if (reach := blast_reach(rules)) is not None:
            for each in self.state.operatives.values():
                if each.is_in_killzone and each.id != enemy.id and self.flat(enemy, each.point) <= reach + 1:
                    gain += (-1.2 if each.side == who.side else 0.8) * self.gain(each, found)
        return ShotPlan(gain, enemy.id, weapon.key, found)

    # -- danger --------------------------------------------------------------------------------------

    def threats(self, id: str, charges: dict[str, float] | None = None) -> dict[str, float]:
        """By enemy: the damage to be expected of it where the operative stands, on the order it has; *charges* are its
        :meth:`charge_threats`, if they are known."""
        who, found = self.who(id), dict[str, float]()
        with self.battle.while_nothing_happens():
            for enemy, charge in (self.charge_threats(id) if charges is None else charges).items():
                shot = self._weight_of(self.who(enemy)) * self._shot_threat(self.who(enemy), who)
                found[enemy] = max(shot, charge)
        return dreaded(found)

    def charge_threats(self, id: str) -> dict[str, float]:
        """By enemy that may do anything to it: the damage to be expected of a Charge, nothing included."""
        who, near = self.who(id), self.nearest(self.who(id), self.enemies)
        with self.battle.while_nothing_happens():
            weights = {enemy.id: self._weight_of(enemy) for enemy in near}
            return {e.id: weights[e.id] * self._charge_threat(e, who) for e in near if weights[e.id]}

    def _weight_of(self, enemy: OperativeState) -> float:
        """How much counts what it may do."""
        return self.weights.danger if enemy.is_ready else 0.0 if self.is_last else self.weights.later

    def sum_of(self, who: OperativeState, threats: dict[str, float]) -> float:
        """What is likely lost to all of them, in VP."""
        part, damage = self.share_of(who, threats), self.weights.damage
        return self.worth(who) * (damage * part + (1 - damage) * part * part)

    def share_of(self, who: OperativeState, threats: dict[str, float]) -> float:
        """Of its wounds, what is likely lost. Not everybody shoots at the same: each further one counts less."""
        total, share = 0.0, 1.0
        for each in sorted(threats.values(), reverse=True):
            total, share = total + share * each, share * ATTENTION
        return min(1.0, total / max(1, who.wounds))

    def _shot_threat(self, enemy: OperativeState, who: OperativeState) -> float:
        battle, best = self.battle, 0.0
        if battle.engaged_with(enemy) or battle.engaged_with(who):
            return 0.0  # nobody shoots from or into a fight
        weapon = self._gun(enemy)
        if weapon is None:
            return 0.0
        far, move = self.flat(enemy, who.point), battle.move(enemy).value if enemy.is_ready else 0
        if self.is_too_far(weapon, far - move - 1.5):
            return 0.0
        rules = battle.weapon_rules(enemy, weapon, who)
        if not any(rule.forbids_target(far - 1.5) for rule in rules):
            ruling = self.look(enemy, who, rules)
            if ruling.is_visible and ruling.is_valid:
                best = self._hit_by(enemy, weapon, rules, who, ruling)
        can_move = enemy.is_ready and not any("Heavy" in rule.text for rule in rules)
        if can_move and not any(rule.forbids_target(far - move - 1.5) for rule in rules):
            factor = self.weights.moved * self._chance_to_find(enemy, who)
            if factor > 0:
                ruling = TargetRuling(distance=far)
                best = max(best, factor * self._hit_by(enemy, weapon, rules, who, ruling))
        return best

    def _gun(self, who: OperativeState) -> Profile | None:
        """The ranged weapon that does most on the whole."""
        weapons = [weapon for weapon in self.battle.weapons(who) if weapon.kind == "ranged" and not weapon.is_unclear]
        return max(weapons, key=lambda each: each.atk * (7 - each.hit) * (each.normal + each.critical), default=None)

    def usual_shot(self, who: OperativeState, enemy: OperativeState) -> float:
        """What a shot from about here would gain, whether or not there is one: most are at somebody in cover."""
        weapon, far = self._gun(who), self.flat(who, enemy.point)
        if weapon is None:
            return 0.0
        rules = self.battle.weapon_rules(who, weapon, enemy)
        if any(rule.forbids_target(far - self.battle.move(who).value) for rule in rules):
            return 0.0
        ruling = as_rules_have_it(self.battle, who, enemy, TargetRuling(in_cover=True, distance=far))
        attack = Attack(who, weapon, rules, self.battle.hit(who, weapon), enemy, ruling)
        return self.gain(enemy, quick_shot(self.battle.edition.make_shot(self.battle, attack), enemy.wounds))

    def clash(self, who: OperativeState, enemy: OperativeState) -> float:
        """What a fight would gain, if there came to be one: nothing where they are two moves apart."""
        reach = 2 * self.battle.move(who).value + self.battle.edition.charge_bonus
        if self.flat(who, enemy.point) > reach or not self.melee(who):
            return 0.0
        found = [self._usual_fight(who, weapon, enemy) for weapon in self.melee(who)]
        return max(self.gain(enemy, each.inflicted) - self.gain(who, each.suffered) for each in found)

    def _usual_fight(self, who: OperativeState, weapon: Profile | None, enemy: OperativeState) -> FightOutlook:
        """What comes of a fight of the two, if there came to be one: with whatever held when that was first asked."""
        key = (who.id, who.wounds, weapon and weapon.key, enemy.id, enemy.wounds, len(self.state.effects))
        if key not in self._fights:
            self._fights[key] = self.fight_outlook(who, weapon, enemy)
        return self._fights[key]

    def charges(self, who: OperativeState) -> float:
        """What the best fight would gain that a Charge from where it stands leads to, about."""
        table, best = self.battle.table, 0.0
        far = self.battle.move(who).value + self.battle.edition.charge_bonus + CONTROL_RANGE + table.radius(who)
        for enemy in self.nearest(who, RIVALS):
            reach = far + table.radius(enemy)
            if self.flat(who, enemy.point) <= reach and self.way(enemy.point, who.point) <= reach:
                best = max(best, self.clash(who, enemy))
        return best

    def _hit_by(
        self,
        enemy: OperativeState,
        weapon: Profile,
        rules: tuple[WeaponRule, ...],
        who: OperativeState,
        at: TargetRuling,
    ) -> float:
        attack = Attack(enemy, weapon, rules, self.battle.hit(enemy, weapon), who, at)
        return quick_shot(self.battle.edition.make_shot(self.battle, attack), who.wounds).damage

    def _chance_to_find(self, enemy: OperativeState, who: OperativeState) -> float:
        """How likely an enemy finds a place to shoot from, by the share of the cells it can walk to that *who* sees:
        from there it sees *who*, too. On Conceal those count most from which *who* has no cover."""
        table = self.battle.table
        if not isinstance(table, Lookout):
            return 1.0 if who.order == "engage" else self.weights.hidden
        cells = self.walked(enemy)
        count = int(np.count_nonzero(cells))
        seen = table.row_among(self.state, who, enemy, cells) if count else cells
        if not seen.any():
            return 0.0
        chance = min(1.0, 0.3 + float(np.count_nonzero(seen)) / count)
        if who.order == "engage":
            return chance
        bare = float(np.count_nonzero(seen & table.bare(self.state, who))) / count
        return max(self.weights.hidden * chance, self.weights.bare * min(1.0, 0.2 + bare) if bare > 0 else 0.0)

    def walked(self, enemy: OperativeState) -> Cells:
        """The cells the operative can walk to with one move, about: others are not in its way."""
        table, state = self.battle.table, self.state
        assert isinstance(table, Lookout)
        lattice, move = table.lattice(state), self.battle.move(enemy).value
        roads = self.roads.over(table, state)
        key = ("walked", enemy.point, move, id(lattice), id(roads))
        if key not in self._places:
            names = ("knots", id(lattice), id(roads))
            if names not in self._places:
                places = np.rint(1000 * lattice.grid.place).astype(np.int64)
                self._places[names] = roads.knots(places)
            knots = self._places[names]
            self._places[key] = roads.within(enemy.point, move)[knots] <= move
        known: Cells = self._places[key]
        return known

    def reached(self, request: MoveRequest) -> ReachMap:
        """Where a move can end, with the inches each place costs."""
        return self._reaches.reached(self.state, request, roughly=self.on_foot)

    def route(self, request: MoveRequest, to: Point) -> Path:
        """The way to a place that can be reached."""
        return self._reaches.route(self.state, request, to)

    def _charge_threat(self, enemy: OperativeState, who: OperativeState) -> float:
        reach = self.battle.move(enemy).value + self.battle.edition.charge_bonus + 1.5
        if self.flat(enemy, who.point) > reach:
            return 0.0
        if self.way(enemy.point, who.point) > reach + 1:
            return 0.0
        weapons = self.melee(enemy)
        weapon = max(weapons, key=lambda each: each.atk * (7 - each.hit) * each.normal, default=None)
        found = self._usual_fight(enemy, weapon, who)
        return max(0.0, found.inflicted.damage - 0.5 * found.suffered.damage)
