"""Whole activations: an order, moves, attacks and other actions, each weighed by the state it leads to.

What can be said for certain is done by the rules on a copy: mission actions, markers, hatches, whatever a team brings.
Attacks are weighed by their exact odds, with the target incapacitated and without.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ktsim.game.bots.estimates import Outlook, ShotPlan
from ktsim.game.bots.lookout import Lookout
from ktsim.game.bots.prospects import Prospect
from ktsim.game.bots.ranking import Course, Leaf, PlannedAction, Threatened, best_first, dreaded, gap
from ktsim.game.bots.reaches import ReachMap
from ktsim.rules.engine.action import Action, refuses, refuses_to_spend
from ktsim.rules.engine.activation import perform, settle_control
from ktsim.rules.engine.moves import Move
from ktsim.rules.engine.rule import Draw
from ktsim.rules.engine.state import Activation, OperativeState, OrderName, Point, State
from ktsim.rules.engine.table import CONTROL_RANGE, MoveRequest

LEAST_GAIN = 0.02
"""VP for which a shot is worth taking."""
WITHOUT_PLAN = ("Place Marker", "Guard")
SAME_SPOT = 1.2
"""Inches between places that are looked at."""
DASH = 3
DISTANT = 2
"""Goals that two moves do not reach, towards which it may run all the same."""
UNSEEN = 2.0
"""Inches that nobody's seeing it is worth at the end of such a run."""
CLEARLY = 0.1
"""Inches by which a place is within reach of what it is for, so that nobody doubts it."""


class _Way(NamedTuple):
    """A plan as far as it has been thought through."""

    state: State
    steps: tuple[PlannedAction, ...] = ()
    attacks: tuple[tuple[str, float, Outlook], ...] = ()
    lost: float = 0.0
    """The chance that it does not live to its end."""
    moves: int = 0


class Planner:
    """Plans for one operative of a prospect. *width* is how many places are looked at, *steps* how many actions ahead;
    *most* plans are weighed."""

    def __init__(
        self, prospect: Prospect, id: str, width: int, given_up: Collection[str] = (), steps: int = 9, most: int = 400
    ) -> None:
        self.prospect, self.id, self.width, self._given_up, self._most = prospect, id, width, given_up, most
        self._longest = steps
        self._draws: list[Draw] = prospect.draws(prospect.who(id))
        self._values: dict[object, float] = {}
        self._threatened: dict[object, Threatened] = {}
        self._shots: dict[object, ShotPlan] = {}
        self._looks, self._last_look = 0, most
        self._from = prospect.who(id).point
        self._base = prospect.value()
        """What the state is worth before it does anything."""

    @property
    def who(self) -> OperativeState:
        return self.prospect.who(self.id)

    @property
    def _counteracts(self) -> bool:
        now = self.prospect.state.activation
        return now is not None and now.kind == "counteraction"

    # -- everything ----------------------------------------------------------------------------------

    def courses(self, orders: Sequence[OrderName]) -> list[Course]:
        """What it could do on each of *orders*, best first; on Engage with an attack, if there is another order."""
        return list(self.best_first(orders))

    def best_first(self, orders: Sequence[OrderName]) -> Iterator[Course]:
        """The same, each weighed to its end when it is wanted."""
        found: list[Leaf] = []
        for number, order in enumerate(orders, 1):
            self._last_look = self._most * number // len(orders)  # each order has its share
            with self.prospect.aside() as state:
                who = state.operatives[self.id]
                who.order = order
                if state.activation is None:
                    state.activation = Activation(self.id, "activation", self.prospect.battle.apl(who).value)
                only_attacks = order == "engage" and len(orders) > 1
                self._expand(_Way(state), order, only_attacks, found)
        return best_first(found, self._hoped, self._weighed)

    def after_begun(self, action: Move, order: OrderName) -> list[Course]:
        """The same for a move that has begun: where to, and what then."""
        found: list[Leaf] = []
        with self.prospect.aside() as state:
            self._walks(_Way(state), action, order, False, found, is_begun=True)
        return list(best_first(found, self._hoped, self._weighed))

    def stay(self) -> Course:
        """To leave it where it is, as it is."""
        with self.prospect.aside() as state:
            return self._weighed(self._leaf(_Way(state), self.who.order))

    def done(self, state: State, attacks: tuple[tuple[str, float, Outlook], ...], lost: float) -> Course:
        """What has really been done, weighed as plans are: it has come to *state*, in which its *attacks* have come to
        nothing, with a chance of *lost* not to live to its end."""
        prospect = self.prospect
        with prospect.aside(state) as end:
            return self._weighed(self._leaf(_Way(end, (), attacks, lost), end.operatives[self.id].order))

    # -- the tree ------------------------------------------------------------------------------------

    def _expand(self, way: _Way, order: OrderName, only_attacks: bool, found: list[Leaf]) -> None:
        prospect = self.prospect
        prospect.battle.state = way.state
        if not only_attacks or way.attacks:
            found.append(self._leaf(way, order))
        if (self._counteracts and way.steps) or len(way.steps) >= self._longest or self._is_over:
            return
        for name, action in self._legal(way, only_attacks).items():
            prospect.battle.state = way.state
            if isinstance(action, Move):
                self._walks(way, action, order, only_attacks, found)
            elif name == "Shoot":
                self._shoots(way, action, order, only_attacks, found)
            elif name == "Fight":
                self._fights(way, action, order, only_attacks, found)
            else:
                self._performs(way, action, order, only_attacks, found)
        prospect.battle.state = way.state

    @property
    def _is_over(self) -> bool:
        return self._looks >= self._last_look or self.prospect.budget.is_out_of_time

    def _goes_on_with(self, way: _Way, action: Action, only_attacks: bool) -> bool:
        """Whether it would be thought through after what has been done: one move or two, nothing else twice."""
        if action.name in self._given_up or action.name in WITHOUT_PLAN:
            return False
        if isinstance(action, Move):
            return way.moves == 0
        if action.name in ("Shoot", "Fight"):
            return True
        return not (only_attacks and way.steps) and action.name not in [step.action for step in way.steps]

    def _legal(self, way: _Way, only_attacks: bool) -> dict[str, Action]:
        """The actions it can go on with."""
        battle, who = self.prospect.battle, self.who
        found = {}
        with battle.while_nothing_happens():
            for action in battle.actions(who):
                if not self._goes_on_with(way, action, only_attacks):
                    continue
                if self._counteracts:
                    may = action.can_counteract and battle.ap_cost(who, action) == 1
                else:
                    may = refuses_to_spend(battle, who, action) is None
                if may and refuses(battle, who, action) is None:
                    found[action.name] = action
        return found

    def _spent(self, action: Action) -> State:
        """A copy of the present state in which the AP of the action are spent."""
        battle = self.prospect.battle
        cost = 0 if self._counteracts else battle.ap_cost(self.who, action)
        battle.state = battle.state.copy()
        now = battle.state.activation
        assert now is not None
        now.ap_spent += cost
        now.actions.append(action.name)
        if action.is_move:
            now.moves.append(action.name)
        return battle.state

    def _performs(self, way: _Way, action: Action, order: OrderName, only_attacks: bool, found: list[Leaf]) -> None:
        """By the rules, with the usual answers."""
        prospect = self.prospect
        prospect.battle.state = state = way.state.copy()
        cost = 0 if self._counteracts else prospect.battle.ap_cost(self.who, action)
        is_secret = action.is_secret(prospect.battle, self.who)
        if prospect.run(perform(prospect.battle, self.who, action, cost)):
            steps = (*way.steps, PlannedAction(action.name, is_secret=is_secret))
            self._expand(way._replace(state=state, steps=steps), order, only_attacks, found)

    def _shoots(self, way: _Way, action: Action, order: OrderName, only_attacks: bool, found: list[Leaf]) -> None:
        shot = self._shot(order)
        if shot.gain <= LEAST_GAIN:
            return
        state = self._spent(action)
        assert state.activation is not None
        state.activation.weapons.append(shot.weapon)
        step = PlannedAction(action.name, None, shot.target, shot.weapon)
        attacks = (*way.attacks, (shot.target, shot.gain, shot.odds))
        self._expand(way._replace(state=state, steps=(*way.steps, step), attacks=attacks), order, only_attacks, found)

    def _shot(self, order: OrderName) -> ShotPlan:
        now = self.prospect.state.activation
        key = (
            self.who.point,
            order,
            tuple(now.moves) if now is not None else (),
            tuple(self.prospect.state.terrain.values()),
        )
        if key not in self._shots:
            with self.prospect.battle.while_nothing_happens():
                self._shots[key] = self.prospect.best_shot_plan(self.id)
        return self._shots[key]

    def _fights(self, way: _Way, action: Action, order: OrderName, only_attacks: bool, found: list[Leaf]) -> None:
        prospect, who = self.prospect, self.who
        best: tuple[float, str, Outlook, float] = (-9.0, "", Outlook(), 0.0)
        for enemy in prospect.battle.engaged_with(who):
            for weapon in prospect.melee(who):
                odds = prospect.fight_outlook(who, weapon, enemy)
                gain = prospect.gain(enemy, odds.inflicted)
                gain -= prospect.weights.suffer * prospect.gain(who, odds.suffered)
                best = max(best, (gain, enemy.id, odds.inflicted, odds.suffered.kill))
        gain, target, odds_of, lost = best
        if not target:
            return
        state = self._spent(action)
        after = way._replace(
            state=state,
            steps=(*way.steps, PlannedAction(action.name, None, target)),
            attacks=(*way.attacks, (target, gain, odds_of)),
            lost=1 - (1 - way.lost) * (1 - lost),
        )
        self._expand(after, order, only_attacks, found)

    # -- moves ---------------------------------------------------------------------------------------

    def _walks(
        self,
        way: _Way,
        action: Move,
        order: OrderName,
        only_attacks: bool,
        found: list[Leaf],
        is_begun: bool = False,
    ) -> None:
        prospect = self.prospect
        prospect.battle.state = way.state
        request = action.limited(prospect.battle, self.who)
        is_charge = request.ends_in_control
        if is_charge and not self._is_enemy_near(request):
            return
        width = self.width if action.name != "Dash" else max(3, self.width // 3)
        reached = self.prospect.reached(request)
        places = self._beside_enemies(reached) if is_charge else self._chosen(reached, width, order, only_attacks)
        for place in places:
            self._go(way, ((action, place),), order, only_attacks, found, is_begun)
        if not is_charge and not only_attacks and not is_begun and not way.steps and self._longest > 1:
            self._runs(way, action, reached, order, found)

    def _go(
        self,
        way: _Way,
        moves: tuple[tuple[Move, Point], ...],
        order: OrderName,
        only_attacks: bool,
        found: list[Leaf],
        is_begun: bool = False,
    ) -> None:
        """Move as said, and then whatever follows."""
        prospect = self.prospect
        prospect.battle.state = way.state
        steps = way.steps
        for action, place in moves:
            state = prospect.battle.state.copy() if is_begun else self._spent(action)
            prospect.battle.state = state
            prospect.put(self.id, place)
            steps = (*steps, PlannedAction(action.name, place))
        prospect.run(settle_control(prospect.battle))
        after = way._replace(state=prospect.battle.state, steps=steps, moves=way.moves + len(moves))
        self._expand(after, order, only_attacks, found)

    def _runs(self, way: _Way, action: Move, reached: ReachMap, order: OrderName, found: list[Leaf]) -> None:
        """On by a Dash to what one move does not reach, and towards what both do not."""
        prospect = self.prospect
        battle = prospect.battle
        battle.state = way.state
        dash = next((a for a in battle.actions(self.who) if isinstance(a, Move) and a.name == "Dash"), None)
        cost = battle.ap_cost(self.who, action)
        if dash is None or action.name != "Reposition" or dash.name in self._given_up or self._counteracts:
            return
        if battle.ap_left(self.who) < cost + battle.ap_cost(self.who, dash):
            return
        distant = 0
        for draw in sorted(self._draws, key=lambda draw: (-draw.worth, draw.point)):
            if not draw.contact or draw.worth < 0.3:
                continue
            gaps = reached.gaps(draw.point) - draw.contact
            if (gaps <= -CLEARLY).any():
                continue  # one move is enough
            near = reached.where(gaps <= DASH)
            if not len(near.costs) and distant < DISTANT:
                near, distant = reached, distant + 1
            if len(near.costs):
                ways = prospect.ways(draw.point, near.places)
                half = near.point(int(np.lexsort((*near.places.T[::-1], near.costs, ways))[0]))
                self._dashes_on(way, (action, half), dash, draw, order, found)

    def _dashes_on(
        self, way: _Way, first: tuple[Move, Point], dash: Move, draw: Draw, order: OrderName, found: list[Leaf]
    ) -> None:
        """From the end of a move by a Dash to where it draws, or as near as that comes."""
        prospect = self.prospect
        prospect.battle.state = way.state
        prospect.battle.state = self._spent(first[0])
        prospect.put(self.id, first[1])
        reached = prospect.reached(dash.limited(prospect.battle, self.who))
        there = reached.where(reached.gaps(draw.point) <= draw.contact - CLEARLY)
        if len(there.costs):
            self._go(way, (first, (dash, there.cheapest())), order, False, found)
        elif len(reached.costs):
            few = reached.one_a_cell()
            ways = prospect.ways(draw.point, few.places)
            hidden = ways + UNSEEN * (self._seen_by(few) > 0)
            ends = [int(np.lexsort((*few.places.T[::-1], key))[0]) for key in (ways, hidden)]
            for end in dict.fromkeys(ends):
                self._go(way, (first, (dash, few.point(end))), order, False, found)

    def _is_enemy_near(self, request: MoveRequest) -> bool:
        near = self.prospect.nearest(self.who, 1)
        return bool(near) and self.prospect.flat(near[0], self.who.point) <= request.allowance + 2 * CONTROL_RANGE + 1

    def _beside_enemies(self, reached: ReachMap) -> list[Point]:
        """For each enemy in reach the place beside it that serves best."""
        prospect, found = self.prospect, []
        for enemy in prospect.nearest(self.who, 6):
            far = prospect.battle.table.radius(self.who) + prospect.battle.table.radius(enemy) + CONTROL_RANGE - 0.05
            near = reached.where(reached.gaps(enemy.point) <= far)
            if len(near.costs):
                pulls = prospect.pulls(self._draws, near.places)
                found.append(near.point(int(np.lexsort((*near.places.T[::-1], pulls))[-1])))
        return list(dict.fromkeys(found))

    def _chosen(self, reached: ReachMap, width: int, order: OrderName, only_attacks: bool) -> list[Point]:
        """A few of many places: where something draws, where few see it, and, to attack, where somebody is seen."""
        few = reached.one_a_cell()
        if not len(few.costs):
            return []
        seen = self._seen_by(few)
        pulls = self.prospect.pulls(self._draws, few.places)
        best = np.lexsort((*few.places.T[::-1], 0.12 * seen - pulls))
        few, seen = few.where(best), seen[best]
        attack = _spread(few.where(seen > 0).points(), max(3, width // 2)) if order == "engage" else []
        if only_attacks:
            return attack
        contact = []
        for draw in self._draws:
            gaps = reached.gaps(draw.point)
            near = reached.where(gaps <= draw.contact - CLEARLY)
            if draw.contact and len(near.costs):
                contact.append(near.cheapest())
                contact.append(near.point(int(np.lexsort((*near.places.T[::-1], near.gaps(draw.point)))[-1])))
        hidden = _spread(few.where(seen == 0).points(), width // 2)
        return list(dict.fromkeys([*attack, *contact, *_spread(few.points(), width // 2), *hidden]))

    def _seen_by(self, reached: ReachMap) -> NDArray[np.float64]:
        """By how many enemies each place is seen from where they stand, about."""
        prospect, table = self.prospect, self.prospect.battle.table
        if not isinstance(table, Lookout):
            return np.ones(len(reached.costs))
        lattice = table.lattice(prospect.state)
        total = np.zeros(len(lattice) + 1)
        for enemy in prospect.nearest(self.who, 7):
            total[:-1] += table.row(prospect.state, enemy, self.who) * (1.0 if enemy.is_ready else 0.6)
        return total[lattice.numbers(reached.places)]

    # -- weighing ------------------------------------------------------------------------------------

    def _leaf(self, way: _Way, order: OrderName) -> Leaf:
        """The present state with the attacks made on the way to it."""
        self._looks += 1
        prospect, who = self.prospect, self.who
        done = tuple(step.action for step in way.steps if step.place is None and step.action not in ("Shoot", "Fight"))
        key = (who.point, done)
        if key not in self._values:
            self._values[key] = prospect.value()
        score, threatened = self._values[key], self._threatened_here(order)
        for target, _, odds in way.attacks:
            if odds.kill > 0.1:
                score += odds.kill * self._without(target, done)
        pull = prospect.pull(self._draws, who.point)
        staged = 0.0 if way.attacks or prospect.is_last else prospect.weights.stage * self._charges_here()
        return Leaf(prospect.state, order, way.steps, way.attacks, way.lost, score, pull + staged, threatened)

    def _hoped(self, leaf: Leaf) -> float:
        """What it is worth if there is nothing to fear but Charges: more danger makes nothing better."""
        threats = leaf.threatened.found
        return self._with_threats(leaf, dreaded(leaf.threatened.charges) if threats is None else threats)[0]

    def _weighed(self, leaf: Leaf) -> Course:
        """What it is really worth."""
        prospect, there = self.prospect, leaf.threatened
        if there.found is None:
            with prospect.within(there.state):
                there.found = prospect.threats(self.id, there.charges)
        value, score, danger = self._with_threats(leaf, there.found)
        attack, goal = sum(gain for _, gain, _ in leaf.attacks), ""
        with prospect.within(leaf.state):
            goal = self._goal(self.who.point)
        names, state = tuple(there.found), leaf.state
        return Course(value, leaf.order, leaf.steps, attack, score, danger, names, goal, state, leaf.attacks)

    def _with_threats(self, leaf: Leaf, threats: dict[str, float]) -> tuple[float, float, float]:
        """Value, score and danger of a plan where there are these threats to its end."""
        prospect = self.prospect
        with prospect.within(leaf.state):
            who, score = self.who, leaf.score
            danger = prospect.sum_of(who, threats)
            for target, _, odds in leaf.attacks:
                if odds.kill > 0.1:
                    rest = {id: each for id, each in threats.items() if id != target}
                    danger += odds.kill * (prospect.sum_of(who, rest) - danger)
            if score > self._base:  # what it stands for is lost with it
                score = self._base + (score - self._base) * (1 - prospect.share_of(who, threats) ** 2)
        attack = sum(gain for _, gain, _ in leaf.attacks)
        return score + attack + (1 - leaf.lost) * (leaf.drawn - danger), score, danger

    def _goal(self, place: Point) -> str:
        """What a place is for: the best of what it is at, else what it comes nearer to, as far as that may be told."""
        prospect, named = self.prospect, [draw for draw in self._draws if draw.name]
        if place == self._from or not named:
            return ""
        at = [draw for draw in named if draw.contact and prospect.way(draw.point, place) <= draw.contact]
        if at:
            return max(at, key=lambda draw: draw.worth).name
        gains = {draw: prospect.pull([draw], place) - prospect.pull([draw], self._from) for draw in named}
        best = max(named, key=lambda draw: gains[draw])
        name = f"towards {best.name[3:]}" if best.name.startswith("to ") else best.name
        return name if gains[best] > 0 else ""

    def _without(self, target: str, done: tuple[str, ...]) -> float:
        key = (self.who.point, done, target)
        if key not in self._values:
            self._values[key] = self.prospect.without(target, self.id)
        return self._values[key]

    def _charges_here(self) -> float:
        key = (self.who.point, "charges")
        if key not in self._values:
            with self.prospect.battle.while_nothing_happens():
                self._values[key] = self.prospect.charges(self.who)
        return self._values[key]

    def _threatened_here(self, order: OrderName) -> Threatened:
        key = (self.who.point, order, tuple(self.prospect.state.terrain.values()))
        if key not in self._threatened:
            self._threatened[key] = Threatened(self.prospect.state, self.prospect.charge_threats(self.id))
        return self._threatened[key]


def _spread(points: Sequence[Point], most: int) -> list[Point]:
    found: list[Point] = []
    for point in points:
        if len(found) >= most:
            break
        if all(gap(point, each) >= SAME_SPOT for each in found):
            found.append(point)
    return found
