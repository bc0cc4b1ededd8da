"""Non-player operatives: each follows a behaviour list, the first thing it can do first: its datacard's, or what the
mission has in its place as long as it knows of nobody (JOINT-NPO).

They are activated nearest to the enemy first, on an Engage order if they can attack somebody or may shoot once they
have moved, else on Conceal.
They use no ploys and no Command Re-rolls.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from random import Random
from time import monotonic
from typing import Any

from ktsim.game.bots.goals import spread
from ktsim.game.bots.plans import LEVELS, Deliberation
from ktsim.game.bots.quick import USUAL, quick_answer
from ktsim.game.bots.roads import RoadBook
from ktsim.game.bots.tactician import Tactician, chosen_operative, request_for
from ktsim.game.bots.view import BattleView, Budget, end_of
from ktsim.game.game import Game
from ktsim.game.players import cancelled
from ktsim.rules.engine.decisions import CANCEL, Decision, Pick, Walk
from ktsim.rules.engine.state import OperativeState, Point
from ktsim.rules.engine.table import CONTROL_RANGE, MoveRequest, TargetRuling
from ktsim.rules.killzone.operate_hatch import OperateHatch
from ktsim.rules.kt24.joint.alert import PATROL, noise_at
from ktsim.rules.teams.behaviour import BEHAVIOURS

MOVES = ("take-cover", "advance", "hold", "hide", "withdraw", "patrol", "search")
PLACES = ("hold", "patrol", "search")
"""Moves to a place; the others are about the nearest enemy."""
ATTACKS = ("fight", "charge", "repel", "shoot", "point-blank")
POINT_BLANK, NEAR_MARKER, THERE = 6.0, 3.0, 2.0
"""Inches: point-blank, how near to a marker an enemy must be to be repelled, and where it is that it wanted to be."""
SHORTER = 2.0
"""Inches by which an open hatch must shorten the way."""
LOOKED_AT = 8
"""How many places are compared for cover."""


class NonPlayer:
    """Plays a side by the behaviour lists of its operatives. *seconds* is a limit on the clock for one decision: when
    it is over, what the list says is done without looking any further."""

    def __init__(self, seed: int | str, seconds: float | None = None) -> None:
        self._seed, self._seconds = seed, seconds
        self._until = end_of(seconds)
        self._memory: dict[object, TargetRuling] = {}
        self._other = Tactician(seed, "normal", seconds)
        self._cards: object = None
        self._roads = RoadBook()
        self._handlers: dict[str, Callable[[Any, Game], tuple[Any, str] | None]] = {
            "activate": self._activate,
            "order": self._order,
            "action": self._action,
            "move": self._move,
            "hatch": self._hatch,
            "gambit": lambda decision, game: ("pass", "Non-player operatives use no gambits."),
            "ploy": lambda decision, game: ("no", "Non-player operatives use no ploys."),
            "reroll": lambda decision, game: (decision.default, "Only what costs nothing."),
            "counteract": lambda decision, game: None,
        }

    def answer(self, decision: Decision[Any], game: Game) -> Any:
        return self.hint(decision, game)[0]

    def hint(self, decision: Decision[Any], game: Game) -> tuple[Any, str]:
        """What it would answer, and why in a sentence."""
        self._until = end_of(self._seconds)
        handler = self._handlers.get(decision.topic)
        found = handler(decision, game) if handler is not None else None
        if found is not None and decision.check(found[0]) is None:
            return found
        if self._is_out_of_time:
            return quick_answer(decision, game, Random(f"{self._seed}/{len(game.answers)}"))
        return self._other.hint(decision, game)

    @property
    def _is_out_of_time(self) -> bool:
        return self._until is not None and monotonic() >= self._until

    def _view(self, game: Game) -> BattleView:
        if game.battle.cards is not self._cards:  # another game, another table
            self._cards, self._roads, self._memory = game.battle.cards, RoadBook(), {}
        return BattleView(game.battle, Budget(LEVELS["normal"].rulings, self._until), self._memory)

    # -- activations ---------------------------------------------------------------------------------

    def _activate(self, decision: Pick, game: Game) -> tuple[str, str]:
        view = self._view(game)
        best = min(decision.open_keys, key=lambda key: (self._far(view, view.who(key)), key))
        return best, f"{view.battle.name(best)} is nearest to the enemy."

    def _far(self, view: BattleView, who: OperativeState) -> float:
        near = view.nearest(who, 1)
        return view.flat(near[0], who.point) if near else 0.0

    def _order(self, decision: Pick, game: Game) -> tuple[str, str] | None:
        if set(decision.open_keys) != {"engage", "conceal"}:
            return None
        who = chosen_operative(game, decision.seat)
        if who is None:
            return None
        view = self._view(game)
        view.activate(who.id, "engage")
        planner = self._planner(view, who.id)
        doing = self._next(planner, ATTACKS)
        if doing is not None:
            return "engage", doing[1]
        if self._is_out_of_time:
            return None
        armed = any(weapon.kind == "ranged" for weapon in view.battle.weapons(planner.who))
        if armed and "shoot" in planner.behaviour() and not view.battle.engaged_with(planner.who):
            return "engage", "It may see somebody once it has moved."
        return "conceal", "There is nobody to attack yet."

    def _planner(self, view: BattleView, id: str) -> Following:
        return Following(view, id, self._roads)

    def _action(self, decision: Pick, game: Game) -> tuple[str, str] | None:
        now = game.state.activation
        assert now is not None
        planner = self._planner(self._view(game), now.operative)
        found = self._next(planner, None, cancelled(game))
        if found is None and self._is_out_of_time:
            return None
        return found if found is not None else ("pass", "Nothing on its list can be done.")

    def _next(
        self, planner: Following, only: tuple[str, ...] | None, given_up: Collection[str] = ()
    ) -> tuple[str, str] | None:
        """The first thing on the operative's list that it can do now."""
        legal = [action.name for action in planner.legal() if action.name not in given_up]
        for behaviour in planner.behaviour():
            if only is not None and behaviour not in only:
                continue
            if self._is_out_of_time:
                return None
            action = DOING[behaviour](planner, legal)
            if action is not None:
                return action, planner.told(behaviour)
        return None

    # -- moves ---------------------------------------------------------------------------------------

    def _move(self, decision: Walk, game: Game) -> tuple[Any, str] | None:
        view = self._view(game)
        request = request_for(game, view, decision)
        planner = self._planner(view, decision.operative)
        style, goal = planner.aim(is_charge=request is not None and request.ends_in_control)
        if request is None or goal is None:
            return None
        mover = view.battle.table.mover
        for place in planner.ranked(planner.places(request), style, goal):
            if self._is_out_of_time:
                return None
            path = mover.route(view.battle.table, view.state, request, place)
            if path != CANCEL:
                return path, planner.told(style)
        return decision.sample(Random(f"{self._seed}/{len(game.answers)}")), "There is no better way."

    def _hatch(self, decision: Pick, game: Game) -> tuple[str, str] | None:
        now = game.state.activation
        if now is None:
            return None
        planner = self._planner(self._view(game), now.operative)
        best = planner.hatch_to_open()
        return (best, planner.told("open-way")) if best in decision.open_keys else None


class Following(Deliberation):
    """An operative following its list."""

    def __init__(self, view: BattleView, id: str, roads: RoadBook) -> None:
        super().__init__(view, id, LEVELS["normal"], lambda: 0.0)
        self._roads = roads

    def behaviour(self) -> tuple[str, ...]:
        battle = self.view.battle
        return battle.mission.behaviour(battle, self.who) or USUAL

    def told(self, behaviour: str) -> str:
        """The line of its list that it acts by, in words."""
        words, text = self.behaviour(), BEHAVIOURS[behaviour]
        line = f", line {words.index(behaviour) + 1} of its list" if behaviour in words else ""
        return f"{self.who.name}{line}: {text[:1].lower()}{text[1:]}"

    def far(self, goal: Point, point: Point) -> float:
        """Inches on foot, around walls."""
        return self._roads.far(self.view.battle.table, self.view.state, goal, point)

    def places(self, request: MoveRequest) -> list[Point]:
        """Where a move can end. From the floor it goes on foot, except to charge: it climbs only to get at somebody."""
        table, state = self.view.battle.table, self.view.state
        is_on_foot = self.who.level == 0 and not request.ends_in_control
        return list(table.mover.costs(table, state, request, on_foot=True)) if is_on_foot else self._charged(request)

    def _charged(self, request: MoveRequest) -> list[Point]:
        table, reach = self.view.battle.table, request.allowance + CONTROL_RANGE
        near = self.view.nearest(self.who, 1)
        radii = table.radius(self.who) + table.radius(near[0]) if near else 0.0
        if request.ends_in_control and (not near or self.view.flat(near[0], self.who.point) > reach + radii):
            return []  # nobody is that near, whatever the way
        return table.mover.places(table, self.view.state, request)

    # -- where it wants to be ------------------------------------------------------------------------

    def aim(self, *, is_charge: bool = False) -> tuple[str, Point | None]:
        """How it moves by its list, and towards what: the first kind of move that would bring it anywhere. Nowhere when
        it is where its list wants it."""
        words, near = self.behaviour(), self.view.nearest(self.who, 1)
        if is_charge:
            foes = [] if "charge" in words else self.intruders()
            return "charge" if "charge" in words else "repel", next((foe.point for foe in foes or near), None)
        for word in words if any(word in MOVES for word in words) else ("advance",):
            goal = self._goal(word) if word in PLACES else next((foe.point for foe in near), None)
            is_there = word in PLACES and goal is not None and self.view.flat(self.who, goal) <= THERE
            if word in MOVES and goal is not None and not is_there:
                return word, goal
        return "wait", None

    def _goal(self, style: str) -> Point | None:
        state, here = self.view.state, self.who.point
        by_way = sorted(self.posts(), key=lambda point: (self.far(point, here), point))
        match style:
            case "search":
                return noise_at(state)
            case "patrol" if by_way:
                return by_way[1 % len(by_way)] if state.notes.get(PATROL, 0) > 4 else by_way[0]
            case "hold":
                return next(iter(by_way), None)
        return None

    def posts(self) -> list[Point]:
        """The objective markers; where there are none, the markers that lie about."""
        markers = [marker for marker in self.view.state.markers.values() if marker.carrier is None]
        return [m.point for m in markers if m.kind == "objective"] or [m.point for m in markers]

    def intruders(self) -> list[OperativeState]:
        """The enemies near a post, or with a marker, the nearest first."""
        view, posts = self.view, self.posts()
        carriers = {marker.carrier for marker in view.state.markers.values()}
        enemies = view.nearest(self.who, 99)
        return [e for e in enemies if e.id in carriers or any(view.flat(e, at) <= NEAR_MARKER for at in posts)]

    def hatch_to_open(self) -> str | None:
        """The shut hatch beside it that most shortens the way to where it wants to be, if one does."""
        _, goal = self.aim()
        battle, state = self.view.battle, self.view.state
        action = next((each for each in battle.actions(self.who) if isinstance(each, OperateHatch)), None)
        if action is None or goal is None:
            return None
        now, best = self.far(goal, self.who.point) - SHORTER, None
        for id in action.opens(battle, self.who):
            was, state.terrain[id] = state.terrain[id], "open"
            far = self.far(goal, self.who.point)
            state.terrain[id] = was
            if far < now:
                now, best = far, id
        return best

    def ranked(self, places: list[Point], style: str, goal: Point) -> list[Point]:
        """Places to move to, best first."""
        view, who = self.view, self.who
        ways = {point: self.far(goal, point) for point in places}
        nearest = sorted(places, key=lambda point: (ways[point], point))
        if style not in ("take-cover", "hide", "withdraw"):
            return nearest[:LOOKED_AT]
        enemies, here, scores = view.nearest(who, 3), who.point, []
        if not enemies:
            return nearest[:LOOKED_AT]
        for point in spread(nearest[::-1] if style == "withdraw" else nearest, LOOKED_AT):
            if view.budget.is_out_of_time:
                break
            view.put(who.id, point)
            scores.append((self._score(style, enemies, ways[point]), point))
        view.put(who.id, here)
        rest = nearest[::-1] if style == "withdraw" else nearest
        return [point for _, point in sorted(scores, key=lambda each: (-each[0], each[1]))] + rest[:2]

    def _score(self, style: str, enemies: list[OperativeState], far: float) -> float:
        """What the place it is put at is worth."""
        view, who, table = self.view, self.who, self.view.battle.table
        if style == "take-cover":
            sees = table.is_visible(view.state, who.id, enemies[0].id)
            covered = view.look(enemies[0], who, ()).in_cover
            return (3.0 if covered else 0.0) + (2.0 if sees else 0.0) - 0.4 * far
        seen = sum(table.is_visible(view.state, enemy.id, who.id) for enemy in enemies)
        return -8.0 * seen + (0.4 if style == "withdraw" else -0.4) * far


# -- what each behaviour does ------------------------------------------------------------------------

Doing = Callable[[Following, list[str]], "str | None"]


def _named(name: str) -> Doing:
    return lambda planner, legal: name if name in legal else None


def _charge(planner: Following, legal: list[str]) -> str | None:
    return "Charge" if "Charge" in legal and _reached(planner) else None


def _repel(planner: Following, legal: list[str]) -> str | None:
    if "Charge" not in legal or not (intruders := planner.intruders()):
        return None
    view = planner.view
    foes = {enemy.id for enemy in intruders}
    state, table = view.state, view.battle.table
    ends = [at for at in _reached(planner) if any(table.in_control_range(state, planner.id, foe, at) for foe in foes)]
    return "Charge" if ends else None


def _reached(planner: Following) -> list[Point]:
    """Where a Charge can end."""
    battle, who = planner.view.battle, planner.who
    request = battle.edition.action("Charge").limited(battle, who)  # type: ignore[attr-defined]
    return planner.places(request)


def _shoot(planner: Following, legal: list[str]) -> str | None:
    return "Shoot" if "Shoot" in legal and planner.view.best_shot(planner.id, 6)[0] > 0 else None


def _point_blank(planner: Following, legal: list[str]) -> str | None:
    view = planner.view
    if "Shoot" not in legal:
        return None
    gain, target, _ = view.best_shot(planner.id, 6)
    is_close = gain > 0 and view.battle.table.distance(view.state, planner.id, target) <= POINT_BLANK
    return "Shoot" if is_close else None


def _mission(planner: Following, legal: list[str]) -> str | None:
    known = {action.name: action.id for action in planner.view.battle.actions(planner.who)}
    return next((name for name in legal if name == "Pick Up Marker" or "-OP-" in known[name]), None)


def _to_goal(planner: Following, legal: list[str]) -> str | None:
    """A Reposition, unless it is where its list wants it."""
    return "Reposition" if "Reposition" in legal and planner.aim()[0] in PLACES else None


def _dash(planner: Following, legal: list[str]) -> str | None:
    return "Dash" if "Dash" in legal and planner.aim()[1] is not None else None


def _open_way(planner: Following, legal: list[str]) -> str | None:
    return "Operate Hatch" if "Operate Hatch" in legal and planner.hatch_to_open() is not None else None


DOING: dict[str, Doing] = {
    "fight": _named("Fight"),
    "charge": _charge,
    "shoot": _shoot,
    "point-blank": _point_blank,
    "mission": _mission,
    "fall-back": _named("Fall Back"),
    "take-cover": _named("Reposition"),
    "advance": _named("Reposition"),
    "hold": _to_goal,
    "dash": _dash,
    "open-way": _open_way,
    "repel": _repel,
    "hide": _named("Reposition"),
    "withdraw": _named("Reposition"),
    "patrol": _to_goal,
    "search": _to_goal,
    "wait": lambda planner, legal: "pass",
}
"""By the words of ``ktsim.rules.teams.behaviour``: the action it means, if it can be done."""
