"""The table of a match in progress: its picture, what is drawn over it, and the slow questions behind that."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

from ktsim import faults
from ktsim.app.play import game_view, marks
from ktsim.app.play.board import BoardPicture
from ktsim.app.play.draft import Draft
from ktsim.app.play.match import Match
from ktsim.app.play.routes import Pointed, Route, RoutePlanner
from ktsim.app.play.walking import Stand, on_the_way
from ktsim.app.screens.screen import Host
from ktsim.app.stage.cameras import Free
from ktsim.app.stage.overlays import Overlay
from ktsim.app.stage.picture import Frame
from ktsim.app.stage.ways import Reachable
from ktsim.faults import Fault
from ktsim.game.scenes import scene_of
from ktsim.rules.engine.decisions import Walk
from ktsim.rules.engine.sight_table import SightTable
from ktsim.rules.engine.state import Point
from ktsim.sight.scene import Scene

AROUND = 2.0
"""Inches shown around what a question is about."""


class GameTable:
    """Keeps the picture up to date with the match. Odds, routes and reach are worked out beside the window."""

    def __init__(self, desktop: Host, match: Match, free: Free) -> None:
        self.desktop, self.match = desktop, match
        self.jobs = Jobs(match.facts)
        board = match.session.setup.board
        self.picture = BoardPicture(desktop, match.game.battle, match.game.state, board, free)
        self.hover: Point | None = None
        self.shown_line: int | None = None
        self.is_led = True
        """Whether the camera follows the questions; somebody who turns it leads it until the next activation."""
        self._scene: tuple[int, Scene] | None = None
        self._shown: tuple[Any, ...] | None = None
        self._items: tuple[Overlay, ...] = ()
        self._walked: dict[str, Stand] = {}
        self._planner: tuple[int, RoutePlanner] | None = None
        self._offers: tuple[int, tuple[Any, Any]] | None = None
        self._straight: tuple[Any, Route] | None = None
        self._aimed: tuple[Any, str] | None = None
        self._lines: tuple[tuple[str, str], tuple[Overlay, ...]] | None = None
        self._fitted = -1

    def close(self) -> None:
        self.jobs.close()
        self.picture.close()

    def resize(self, free: Free) -> None:
        frame = Frame(self.desktop.size, self.desktop.scale, free)
        self.picture.resize(frame, self.desktop.settings)
        self._shown = None

    # ---- the picture ----------------------------------------------------------------------------------------
    def update(self, now: float) -> bool:
        """Bring the picture up to date; whether it looks different."""
        self._plan()
        self._mark_best()
        if self.match.attack() is None and not self._is_aimed:
            self._lines = None  # whoever shoots next may have moved
        key, places = self._look(), self.match.shown.places()
        if self._shown is None or self._shown != key:
            self._shown, self._items = key, self._overlays()
            self._show(places)
        elif places != self._walked:
            self._show(places)
        self._fit()
        if self.jobs.fault is not None:
            self.desktop.show_fault(self.jobs.fault)
            self.jobs.fault = None
        return self.picture.update(now)

    def _show(self, places: dict[str, Stand]) -> None:
        """Show the game as it stands, except that those in *places* are still on their way."""
        self._walked = places
        self.picture.show_state(self.match.game.state, on_the_way(self.scene(), places), self._items)

    def scene(self) -> Scene:
        """The table as the game stands, whoever is still shown on the way there."""
        if self._scene is None or self._scene[0] != self.match.version:
            self._scene = (self.match.version, scene_of(self.match.game.battle, self.match.game.state))
        return self._scene[1]

    @property
    def _is_aimed(self) -> bool:
        decision = self.match.decision
        return decision is not None and decision.topic in ("target", "origin")

    def _look(self) -> tuple[Any, ...]:
        """What the overlays depend on."""
        draft = self.match.draft
        drafted: tuple[Any, ...] = ()
        if draft is not None:
            drafted = (tuple(draft.marked), tuple(draft.points), draft.route, draft.turn, self.hover, self.aim())
        is_showing, lines = self.match.is_showing, self.lines()
        return (self.match.version, is_showing, drafted, self.shown_line, self.odds(), self.reach(), lines)

    def _overlays(self) -> tuple[Overlay, ...]:
        match, scene = self.match, self.scene()
        items = game_view.standing_marks(match)
        draft, attack = match.draft, match.attack()
        is_asked = draft is not None and not match.is_showing
        if attack is not None:
            items += marks.attack_marks(match.game.battle, scene, attack, self.lines())
        if draft is not None and is_asked:
            items += self._ruled(draft)
            items += game_view.asked_marks(match, scene, draft, self.odds())
        line = next((line for line in match.log.lines if line.number == self.shown_line), None)
        if line is not None:
            return marks.once([*items, *game_view.log_marks(match, scene, line)])
        for walk in match.shown.walks:
            items += marks.way_marks(walk.points)
        if draft is not None and is_asked:
            items += game_view.placed_marks(match, draft, self.hover, self.reach(), self.aim())
        return marks.once(items)

    def _ruled(self, draft: Draft) -> list[Overlay]:
        """The ruling on the marked target; its lines stay while that one is shot."""
        if draft.prompt.topic != "target" or not draft.marked:
            return []
        found = game_view.ruled(self.match, self.scene(), draft)
        self._lines = ((draft.prompt.operative, draft.marked[0]), game_view.lines_of(found))
        return found

    def lines(self) -> tuple[Overlay, ...]:
        """The engine's lines of the shot under way: those seen when its target was chosen, or else asked for beside the
        window."""
        attack, battle = self.match.attack(), self.match.game.battle
        if attack is None or not attack.is_shot or not isinstance(battle.table, SightTable):
            return ()
        if self._lines is not None and self._lines[0] == attack.pair:
            return self._lines[1]
        scene, table = self.scene(), battle.table
        two = [one for id in attack.pair for one in scene.operatives if one.id == id]
        if len(two) < 2:
            return ()
        acting = battle.state.activation
        key = (attack.pair, *((one.x, one.y, one.level) for one in two), tuple(acting.actions) if acting else ())

        def ruled() -> tuple[Overlay, ...]:
            return game_view.lines_of(game_view.ruling_marks_of(scene, table, attack.pair, attack.sight_words))

        found: tuple[Overlay, ...] | None = self.jobs.ask("the line of the shot", key, ruled)
        return found or ()

    def _fit(self) -> None:
        """Fit a new question into the free space, once; then the camera is left alone."""
        draft, number = self.match.draft, len(self.match.game.answers)
        if draft is None or number == self._fitted or self.match.is_showing:
            return
        self._fitted = number
        prompt = draft.prompt
        present = {one.id: one for one in self.scene().operatives}
        acting = [present[prompt.operative]] if prompt.operative in present else []
        if prompt.topic in ("activate", "counteract", "gambit", "initiative"):
            if self.is_led:
                self.picture.home()
            self.is_led = True
        elif not self.is_led or not acting:
            return
        elif prompt.kind == "walk":
            self.picture.frame_on(acting, reach=prompt.allowance + AROUND)
        elif prompt.topic == "target":
            targets = [present[choice.operative] for choice in prompt.open_choices if choice.operative in present]
            self.picture.frame_on([*acting, *targets], reach=AROUND, or_all=True)

    # ---- questions asked beside the window --------------------------------------------------------------------
    def planner(self) -> RoutePlanner | None:
        decision, number = self.match.decision, len(self.match.game.answers)
        if not isinstance(decision, Walk) or not self.match.asks_person(decision):
            return None
        if self._planner is None or self._planner[0] != number or self._planner[1].decision is not decision:
            self._planner = (number, RoutePlanner(self.match.game.battle, decision))
        return self._planner[1]

    def _plan(self) -> None:
        """Bring the draft's route up to date with its points."""
        planner, draft = self.planner(), self.match.draft
        if planner is None or draft is None or not draft.points:
            return
        points = tuple(draft.points)
        key = (draft.prompt.number, points)
        if planner.can_plan:
            draft.route = self.jobs.ask("planning", key, lambda: planner.route(points))
        else:
            if self._straight is None or self._straight[0] != key:
                self._straight = (key, planner.route(points))
            draft.route = self._straight[1]

    def reach(self) -> Reachable | None:
        """Everywhere the move asked for can end, when that is known."""
        planner = self.planner()
        if planner is None or not planner.can_plan:
            return None
        found = self.jobs.ask("the reachable map", len(self.match.game.answers), planner.reachable)
        return found if isinstance(found, Reachable) else None

    def aim(self) -> Pointed | None:
        """What is known of a move to where the pointer is; None when none is asked for or it points nowhere."""
        planner, draft, hover = self.planner(), self.match.draft, self.hover
        if planner is None or draft is None or hover is None or len(draft.points) != draft.fixed:
            return None
        path = (*draft.points, hover)
        key = (draft.prompt.number, path)
        if self._aimed is None or self._aimed[0] != key:
            why = planner.cannot_stand(hover) if planner.can_plan else planner.decision.check(path) or ""
            self._aimed = (key, why)
        if self._aimed[1] or not planner.can_plan:
            return Pointed(not self._aimed[1], problem=self._aimed[1])
        reach = self.reach()
        if reach is None:
            return Pointed()
        cost = reach.cost_at(hover) if not draft.points else None
        if cost is not None:
            return Pointed(True, cost)
        route: Route | None = self.jobs.ask("the way to the pointer", key, lambda: planner.route(path))
        return Pointed() if route is None else Pointed(not route.refusal, route.total, route.refusal)

    def offered(self) -> tuple[Any, Any]:
        """The shots and fights the pending decision may lead to."""
        number = len(self.match.game.answers)
        if self._offers is None or self._offers[0] != number:
            self._offers = (number, game_view.shots_and_fights(self.match))
        return self._offers[1]

    def odds(self) -> game_view.Odds | None:
        """Their odds, when they are known."""
        shots, fights = self.offered()
        if not shots and not fights:
            return None
        number = len(self.match.game.answers)
        found: game_view.Odds | None = self.jobs.ask("the odds", number, lambda: game_view.solved(shots, fights))
        return found

    def _mark_best(self) -> None:
        """Mark the target with the best odds as soon as they are known, unless one was chosen."""
        draft, odds = self.match.draft, self.odds()
        if draft is None or draft.prompt.topic != "target" or draft.is_touched or not odds:
            return
        best = max(odds, key=lambda pair: (odds[pair][0].kill, odds[pair][0].damage))
        draft.mark(best[1])
        draft.is_touched = True


class Jobs:
    """Answers to questions by name and key. Asking again with another key drops the older question of that name.

    What runs here must only read: the questions are about values that no longer change.
    """

    def __init__(self, facts: Callable[[], Mapping[str, object]] = dict) -> None:
        """*facts* are written down with whatever goes wrong."""
        self._facts = facts
        self._pool = ThreadPoolExecutor(1, "ktsim-jobs")
        self._asked: dict[str, tuple[Hashable, Future[Any]]] = {}
        self._told: set[str] = set()
        self.fault: Fault | None = None
        """What went wrong with the last answer that was picked up, if anything."""

    def ask(self, name: str, key: Hashable, question: Callable[[], Any]) -> Any:
        """The answer if it is known; otherwise ``None``, and it is being worked on."""
        known = self._asked.get(name)
        if known is None or known[0] != key:
            if known is not None:
                known[1].cancel()
            known = self._asked[name] = (key, self._pool.submit(question))
            self._told.discard(name)
        future = known[1]
        if not future.done() or future.cancelled():
            return None
        self._told.add(name)
        if (error := future.exception()) is not None:
            self.fault = faults.note(name, error, self._facts())
            return None
        return future.result()

    def has_news(self) -> bool:
        """Whether an answer has come that nobody has picked up yet."""
        return any(future.done() and name not in self._told for name, (_, future) in self._asked.items())

    def finish(self) -> None:
        """Wait until everything asked is answered."""
        for _, future in list(self._asked.values()):
            if not future.cancelled():
                future.exception()

    def close(self) -> None:
        self._pool.shutdown(wait=False, cancel_futures=True)
