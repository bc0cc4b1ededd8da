"""Non-player operatives: each follows the behaviour list of its datacard, the first thing it can do first.

They are activated nearest to the enemy first, on an Engage order if they can fight, charge or shoot, else on Conceal.
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
from ktsim.game.bots.tactician import Tactician, chosen_operative, request_for
from ktsim.game.bots.view import BattleView, Budget, end_of
from ktsim.game.game import Game
from ktsim.game.players import cancelled
from ktsim.geometry.plane import length
from ktsim.rules.engine.decisions import CANCEL, Decision, Pick, Walk
from ktsim.rules.engine.state import OperativeState, Point
from ktsim.rules.engine.table import TargetRuling

MOVES = ("take-cover", "advance", "hold")
POINT_BLANK = 6.0
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
        self._handlers: dict[str, Callable[[Any, Game], tuple[Any, str] | None]] = {
            "activate": self._activate,
            "order": self._order,
            "action": self._action,
            "move": self._move,
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
        doing = self._next(planner, ("fight", "charge", "shoot", "point-blank"))
        if doing is not None:
            return "engage", doing[1]
        if self._is_out_of_time:
            return None
        return "conceal", "There is nobody to attack yet."

    def _planner(self, view: BattleView, id: str) -> Deliberation:
        return Deliberation(view, id, LEVELS["normal"], lambda: 0.0)

    def _action(self, decision: Pick, game: Game) -> tuple[str, str] | None:
        now = game.state.activation
        assert now is not None
        planner = self._planner(self._view(game), now.operative)
        found = self._next(planner, None, cancelled(game))
        if found is None and self._is_out_of_time:
            return None
        return found if found is not None else ("pass", "Nothing on its list can be done.")

    def _next(
        self, planner: Deliberation, only: tuple[str, ...] | None, given_up: Collection[str] = ()
    ) -> tuple[str, str] | None:
        """The first thing on the operative's list that it can do now."""
        legal = [action.name for action in planner.legal() if action.name not in given_up]
        for behaviour in behaviour_of(planner):
            if only is not None and behaviour not in only:
                continue
            if self._is_out_of_time:
                return None
            action = DOING[behaviour](planner, legal)
            if action is not None:
                return action, f"{planner.who.name}: {behaviour.replace('-', ' ')}."
        return None

    # -- moves ---------------------------------------------------------------------------------------

    def _move(self, decision: Walk, game: Game) -> tuple[Any, str] | None:
        view = self._view(game)
        request = request_for(game, view, decision)
        near = view.nearest(view.who(decision.operative), 1)
        if request is None or not near:
            return None
        who = view.who(decision.operative)
        mover = view.battle.table.mover
        places = mover.places(view.battle.table, view.state, request)
        style = next((word for word in behaviour_of(self._planner(view, who.id)) if word in MOVES), "advance")
        if request.ends_in_control or request.may_pass_control:
            style = "advance"
        for place in ranked(view, who, near[0], places, style):
            if self._is_out_of_time:
                return None
            path = mover.route(view.battle.table, view.state, request, place)
            if path != CANCEL:
                return path, f"{who.name}: {style.replace('-', ' ')}."
        return decision.sample(Random(f"{self._seed}/{len(game.answers)}")), "There is no better way."


def behaviour_of(planner: Deliberation) -> tuple[str, ...]:
    return planner.view.battle.card(planner.who).behaviour or USUAL


# -- what each behaviour does ------------------------------------------------------------------------

Doing = Callable[[Deliberation, list[str]], "str | None"]


def _fight(planner: Deliberation, legal: list[str]) -> str | None:
    return "Fight" if "Fight" in legal else None


def _charge(planner: Deliberation, legal: list[str]) -> str | None:
    if "Charge" not in legal:
        return None
    battle, who = planner.view.battle, planner.who
    request = battle.edition.action("Charge").limited(battle, who)  # type: ignore[attr-defined]
    return "Charge" if battle.table.mover.places(battle.table, planner.view.state, request) else None


def _shoot(planner: Deliberation, legal: list[str]) -> str | None:
    return "Shoot" if "Shoot" in legal and planner.view.best_shot(planner.id, 6)[0] > 0 else None


def _point_blank(planner: Deliberation, legal: list[str]) -> str | None:
    view = planner.view
    if "Shoot" not in legal:
        return None
    gain, target, _ = view.best_shot(planner.id, 6)
    is_close = gain > 0 and view.battle.table.distance(view.state, planner.id, target) <= POINT_BLANK
    return "Shoot" if is_close else None


def _mission(planner: Deliberation, legal: list[str]) -> str | None:
    known = {action.name: action.id for action in planner.view.battle.actions(planner.who)}
    return next((name for name in legal if name == "Pick Up Marker" or "-OP-" in known[name]), None)


def _named(name: str) -> Doing:
    return lambda planner, legal: name if name in legal else None


def _hold(planner: Deliberation, legal: list[str]) -> str | None:
    view, who = planner.view, planner.who
    markers = [marker for marker in view.state.markers.values() if marker.kind == "objective"]
    near = [marker for marker in markers if view.flat(who, marker.point) <= 2.0]
    return "Reposition" if markers and not near and "Reposition" in legal else None


DOING: dict[str, Doing] = {
    "fight": _fight,
    "charge": _charge,
    "shoot": _shoot,
    "point-blank": _point_blank,
    "mission": _mission,
    "fall-back": _named("Fall Back"),
    "take-cover": _named("Reposition"),
    "advance": _named("Reposition"),
    "hold": _hold,
    "dash": _named("Dash"),
}
"""By the words of ``ktsim.rules.teams.behaviour``: the action it means, if it can be done."""


def ranked(
    view: BattleView, who: OperativeState, enemy: OperativeState, places: list[Point], style: str
) -> list[Point]:
    """Places to move to, best first."""
    goal = enemy.point
    markers = [marker.point for marker in view.state.markers.values() if marker.kind == "objective"]
    if style == "hold" and markers:
        goal = min(markers, key=lambda point: (view.flat(who, point), point))

    def far(point: Point) -> float:
        return length(point[0] - goal[0], point[1] - goal[1]) / 1000

    nearest = sorted(places, key=lambda point: (far(point), point))
    if style != "take-cover":
        return nearest[:LOOKED_AT]
    here = who.point
    scores = []
    for point in spread(nearest, LOOKED_AT):
        if view.budget.is_out_of_time:
            break
        view.put(who.id, point)
        sees = view.battle.table.is_visible(view.state, who.id, enemy.id)
        covered = view.look(enemy, who, ()).in_cover
        scores.append(((3.0 if covered else 0.0) + (2.0 if sees else 0.0) - 0.4 * far(point), point))
    view.put(who.id, here)
    return [point for _, point in sorted(scores, key=lambda each: (-each[0], each[1]))] + nearest[:2]
