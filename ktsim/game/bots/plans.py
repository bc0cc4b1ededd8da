"""What an operative could do next, each with what it is worth."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import NamedTuple

from ktsim.game.bots.goals import Goal, goals_of, pull_of, strongest, worth_a_look
from ktsim.game.bots.view import BattleView
from ktsim.rules.engine.action import Action, refuses, refuses_to_spend
from ktsim.rules.engine.decisions import CANCEL
from ktsim.rules.engine.moves import Move
from ktsim.rules.engine.state import OperativeState, Path, Point
from ktsim.rules.engine.table import CONTROL_RANGE, MoveRequest

MISSION = 6.0
SMALL = 0.6
"""What an action is worth that the bot knows nothing about."""


@dataclass(frozen=True)
class Level:
    """How well a bot plays: how many places and enemies it looks at, and how much it misjudges.

    Of a bot that plans whole activations: how many places and enemies, how many actions ahead, to how many plans it
    thinks of the enemy's reply, and as people do, how much too much it makes of kills, how much of danger it sees at
    all, how much it makes of places and markers that pay later, and how often one of an operative's actions does not
    come to its mind all turning point.
    """

    name: str
    text: str
    places: int
    enemies: int
    rulings: int
    noise: float
    width: int = 12
    watches: int = 7
    steps: int = 9
    replies: int = 0
    bloodlust: float = 1.0
    fear: float = 1.0
    foresight: float = 1.0
    forgets: float = 0.0

    def forgotten(self, about: str, actions: Iterable[str]) -> set[str]:
        """Which of an operative's actions do not come to mind; never to fight whom it stands beside. *about* says whose
        and when: the same answer to the same."""
        return {name for name in actions if name != "Fight" and Random(f"{about}/{name}").random() < self.forgets}


# fmt: off
LEVELS = {
    level.name: level
    for level in (
        Level("beginner", "Sees what is nearest, thinks of one thing at a time.", 2, 2, 40, 3.5, 2, 1, 1,
              bloodlust=3.0, fear=0.0, foresight=0.15, forgets=0.5),
        Level("easy", "Looks at little and forgets to look behind.", 3, 2, 60, 2.5, 2, 1, 2,
              bloodlust=2.6, fear=0.0, foresight=0.25, forgets=0.46),
        Level("normal", "Thinks two actions ahead, and too much of kills.", 5, 3, 120, 0.4, 3, 2, 2,
              bloodlust=2.2, fear=0.1, foresight=0.45, forgets=0.3),
        Level("hard", "Looks at more places and enemies, but dares too much.", 12, 5, 400, 0.0, 5, 2, 2,
              bloodlust=1.8, fear=0.2, foresight=0.7, forgets=0.14),
        Level("commander", "Looks at most, and thinks of what the enemy will do about it.", 12, 7, 400, 0.0, replies=2),
    )
}
# fmt: on


JUDGE = replace(LEVELS["commander"], name="judge", width=7, watches=5, steps=3, replies=0)
"""To judge what others did: without the mistakes of people, and quick."""


class Plan(NamedTuple):
    """Something to do next: an action, for a move also where to, and why in words."""

    value: float
    action: str
    place: Point | None = None
    words: str = ""
    is_secret: bool = False
    """Whether that it can be done is for its own player to know."""


class Deliberation:
    """Weighs what one operative can do. *noise* gives each plan a misjudgement."""

    def __init__(self, view: BattleView, id: str, level: Level, noise: Callable[[], float]) -> None:
        self.view, self.id, self.level, self.noise = view, id, level, noise
        self.goals: list[Goal] = goals_of(view, view.who(id))

    @property
    def who(self) -> OperativeState:
        return self.view.who(self.id)

    @property
    def ap_left(self) -> int:
        now = self.view.state.activation
        if now is None or now.operative != self.id:
            return 0
        if now.kind == "counteraction":
            return 0 if now.actions else 1
        return max(0, self.view.battle.apl(self.who).value - now.ap_spent)

    def legal(self) -> list[Action]:
        """The actions it may spend AP on now."""
        battle, who = self.view.battle, self.who
        now = self.view.state.activation
        is_counteracting = now is not None and now.kind == "counteraction"
        found = [a for a in battle.actions(who) if is_counteracting or refuses_to_spend(battle, who, a) is None]
        return [action for action in found if refuses(battle, who, action) is None]

    def base(self) -> float:
        """What the present place is worth as it is."""
        return pull_of(self.goals, self.who.point) - self.view.danger(self.id, self.level.enemies)

    # -- plans ---------------------------------------------------------------------------------------

    def plans(self) -> list[Plan]:
        """Everything it could do next, best first; passing is worth nothing."""
        base = self.base()
        legal = {action.name: action for action in self.legal()}
        found = [Plan(0.0, "pass", None, "There is nothing better to do.")]
        # A Dash goes nowhere a Reposition does not: it is for when that has been performed.
        walks = [action for action in legal.values() if action.name != "Dash" or "Reposition" not in legal]
        moves = [plan for action in walks for plan in self._move_plans(action, base)]
        found += moves
        later = max([0.0, *(self._rest(plan, base) for plan in moves)]) if self.ap_left >= 2 else 0.0
        for action in legal.values():
            if action.is_move:
                continue
            plan = self._standing_plan(action)
            if plan is not None:
                plan = plan._replace(is_secret=action.is_secret(self.view.battle, self.who))
                found.append(plan._replace(value=plan.value + (later if plan.value > 0 else 0.0)))
        noisy = [plan._replace(value=plan.value + (self.noise() if plan.action != "pass" else 0.0)) for plan in found]
        return sorted(noisy, key=lambda plan: (-plan.value, plan.action))

    def _rest(self, plan: Plan, base: float) -> float:
        """What a move is worth when nothing is done after it."""
        if plan.place is None or plan.action == "Charge":
            return 0.0
        return 0.8 * (pull_of(self.goals, plan.place) - pull_of(self.goals, self.who.point))

    def _standing_plan(self, action: Action) -> Plan | None:
        view, name = self.view, action.name
        if name == "Shoot" or action.counts_as == "Shoot":
            gain, target, weapon = view.best_shot(self.id, self.level.enemies + 2)
            if not target:
                return Plan(SMALL if name != "Shoot" else -1.0, name, None, f"{name}: nobody is worth shooting now.")
            told = f"Shoot {view.battle.name(target)} with {view.battle.weapon(self.who, weapon).name}."
            return Plan(gain if name == "Shoot" else 0.5 * gain, name, None, told)
        if name == "Fight":
            gain, enemy = view.best_fight(self.id)
            return Plan(gain, name, None, f"Fight {view.battle.name(enemy)}.")
        if name == "Pick Up Marker":
            return Plan(MISSION + 2, name, None, "Pick up the marker.")
        if name == "Place Marker":
            return Plan(-MISSION, name, None, "Put the marker down.")
        if "-OP-" in action.id:
            return Plan(MISSION, name, None, f"{name} for the mission.")
        if ways := action.opens(view.battle, self.who):
            return self._opening_plan(action, ways)
        return Plan(SMALL, name, None, f"{name}.")

    def _opening_plan(self, action: Action, features: Sequence[str]) -> Plan:
        """What comes into reach once a way is open, of what draws the operative; not worth it where nothing does."""
        now = self.view.state.terrain
        shut, before = dict(now), self._within_reach()
        now.update(dict.fromkeys(features, "open"))
        gain = self._within_reach() - before
        now.update(shut)
        return Plan(gain - SMALL / 2, action.name, None, f"{action.name}: a way to go on.")

    def _within_reach(self) -> float:
        """What the best place a whole move leads to is worth."""
        battle = self.view.battle
        move = next(action for action in battle.edition.actions if isinstance(action, Move))
        places = battle.table.mover.places(battle.table, self.view.state, move.request(battle, self.who))
        return max((pull_of(self.goals, place) for place in places), default=0.0)

    def _move_plans(self, action: Action, base: float) -> list[Plan]:
        if not isinstance(action, Move):
            return []
        request = action.limited(self.view.battle, self.who)
        if request.ends_in_control and not self._is_near_enough(request):
            return []
        cost = self.view.battle.ap_cost(self.who, action)
        found = self.best_places(request, base, self.ap_left - cost)
        return [found[0]] if found else []

    def _is_near_enough(self, request: MoveRequest) -> bool:
        near = self.view.nearest(self.who, 1)
        is_near = bool(near) and self.view.flat(near[0], self.who.point) <= request.allowance + 2 * CONTROL_RANGE + 2
        return request.teleports or is_near

    # -- moves ---------------------------------------------------------------------------------------

    def best_places(self, request: MoveRequest, base: float, ap_after: int) -> list[Plan]:
        """Where a move could go, best first."""
        battle = self.view.battle
        places = battle.table.mover.places(battle.table, self.view.state, request)
        look = self._charges if request.ends_in_control else self._walks
        plans = look(request, places, base, ap_after)
        return sorted(plans, key=lambda plan: (-plan.value, plan.place or (0, 0, 0)))

    def _walks(self, request: MoveRequest, places: list[Point], base: float, ap_after: int) -> list[Plan]:
        view, here = self.view, self.who.point
        found = []
        now = view.state.activation
        if now is not None and now.operative == self.id:
            now.moves.append(request.action)
        for point in worth_a_look(self.goals, places, self.level.places):
            view.put(self.id, point)
            value = pull_of(self.goals, point) - view.danger(self.id, self.level.enemies)
            told = f"{request.action} {strongest(self.goals, point, here)}."
            if ap_after >= 1:
                gain, target, _ = view.best_shot(self.id, self.level.enemies)
                if gain > 0:
                    value += 0.9 * gain
                    told = f"{request.action} to a place from which {view.battle.name(target)} can be shot."
            found.append(Plan(value - base, request.action, point, told))
        view.put(self.id, here)
        if now is not None and now.operative == self.id:
            now.moves.pop()
        return found

    def _charges(self, request: MoveRequest, places: list[Point], base: float, ap_after: int) -> list[Plan]:
        view, here = self.view, self.who.point
        found = []
        for enemy in view.nearest(self.who, 2 * self.level.enemies):
            reach = view.battle.table.radius(self.who) + view.battle.table.radius(enemy) + CONTROL_RANGE
            near = [point for point in places if view.flat(enemy, point) <= reach]
            if not near:
                continue
            point = min(near, key=lambda each: (-pull_of(self.goals, each), each))
            view.put(self.id, point)
            fight = view.fight_with(self.who, enemy)
            is_useful = fight if ap_after >= 1 else 0.4 * fight - 1.0
            value = is_useful + pull_of(self.goals, point) - 0.5 * view.danger(self.id, self.level.enemies) - base
            told = f"Charge {enemy.name} and fight it." if ap_after >= 1 else f"Charge {enemy.name}."
            found.append(Plan(value, request.action, point, told))
        view.put(self.id, here)
        return found

    def path(self, request: MoveRequest, ap_after: int) -> tuple[Path, str]:
        """The way to the best place that has one."""
        battle = self.view.battle
        for plan in self.best_places(request, 0.0, ap_after):
            assert plan.place is not None
            path = battle.table.mover.route(battle.table, self.view.state, request, plan.place)
            if path != CANCEL:
                return path, plan.words
        return CANCEL, "There is no place worth going to."
