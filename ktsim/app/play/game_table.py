"""The table of a match in progress: its picture, what is drawn over it, and the slow questions behind that."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ktsim.app.play import game_view, intents, marks, threat_marks
from ktsim.app.play.board import BoardPicture
from ktsim.app.play.draft import Draft
from ktsim.app.play.intents import Attacks, Intent
from ktsim.app.play.lead import CameraLead, who_matters
from ktsim.app.play.match import Match
from ktsim.app.play.routes import Pointed, Route, RoutePlanner
from ktsim.app.play.threats import DangerMap, Threats, danger_over, threats_at
from ktsim.app.play.walking import on_the_way
from ktsim.app.screens.jobs import Jobs
from ktsim.app.screens.screen import Host
from ktsim.app.stage.cameras import Free
from ktsim.app.stage.overlays import Overlay
from ktsim.app.stage.picture import Frame
from ktsim.app.stage.ways import Reachable, Stand
from ktsim.game.scenes import scene_of
from ktsim.rules.engine.battle import Battle
from ktsim.rules.engine.decisions import Walk
from ktsim.rules.engine.sight_table import SightTable
from ktsim.rules.engine.state import Point
from ktsim.sight.scene import Operative, Scene

NAMED = ("activate", "counteract", "order", "action", "gambit", "initiative", "ploy", "enemy", "weapon", "melee weapon")
"""The questions at which everybody's name is on the table; at others there are other words there."""
RESTED = 0.12
"""Seconds the pointer rests somewhere before it is asked what threatens there."""
BEYOND = 0.6
"""Inches from the map of what is in reach beyond which a place is said at once to be out of reach."""


class GameTable:
    """Keeps the picture up to date with the match. Odds, routes and reach are worked out beside the window."""

    def __init__(self, desktop: Host, match: Match, free: Free) -> None:
        self.desktop, self.match = desktop, match
        self.jobs = Jobs(match.facts)
        board = match.session.setup.board
        self.picture = BoardPicture(desktop, match.game.battle, match.game.state, board, free)
        self.hover: Point | None = None
        self.hovered = ""
        """The operative under the pointer."""
        self.shows_names = True
        """Whether everybody's name is on the table while it is chosen who acts and how."""
        self.shows_danger = False
        """Whether the map of what is in reach shows how dangerous it is."""
        self.shown_line: int | None = None
        self._lead = CameraLead()
        self._pointed: tuple[Any, float] = (None, 0.0)
        self._twins: dict[str, tuple[Any, Battle]] = {}
        self._scene: tuple[int, Scene] | None = None
        self._shown: tuple[Any, ...] | None = None
        self._items: tuple[Overlay, ...] = ()
        self.extra: Callable[[], list[Overlay]] = list
        """What somebody else wants to be seen as well."""
        self._walked: dict[str, Stand] = {}
        self._planner: tuple[int, RoutePlanner] | None = None
        self._offers: tuple[int, tuple[Any, Any]] | None = None
        self._straight: tuple[Any, Route] | None = None
        self._aimed: tuple[Any, str] | None = None
        self._lines: tuple[tuple[str, str], tuple[Overlay, ...]] | None = None

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
        self._lock_attacks()
        if self.match.attack() is None and not self._is_aimed:
            self._lines = None  # whoever shoots next may have moved
        if not self._is_held:
            self._refresh()
        turns = self.desktop.settings.turns
        self._lead.follow(self.match, self.picture, self.scene(), turns=turns)
        if self.jobs.fault is not None:
            self.desktop.show_fault(self.jobs.fault)
            self.jobs.fault = None
        return self.picture.update(now)

    def _refresh(self) -> None:
        key, places = self._look(), self.match.shown.places()
        if self._shown is None or self._shown != key:
            self._shown, self._items = key, self._overlays()
            self._show(places)
        elif places != self._walked:
            self._show(places)

    def hold(self) -> None:
        """Dice are about to roll: until they lie the table is shown as it stands before."""
        self._refresh()

    @property
    def _is_held(self) -> bool:
        return self.match.shown.is_rolling and self._shown is not None

    def _show(self, places: dict[str, Stand]) -> None:
        """Show the game as it stands, except that those in *places* are still on their way."""
        self._walked = places
        self.picture.kept = self._kept_in_sight()
        self.picture.show_state(self.match.game.state, on_the_way(self.scene(), places), self._items)

    def scene(self) -> Scene:
        """The table as the game stands, whoever is still shown on the way; while dice roll, as it stood before."""
        if self._scene is None or (self._scene[0] != self.match.version and not self._is_held):
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
        threats = (self.hovered, self.threats(), self.danger())
        return (self.match.version, is_showing, drafted, self.shown_line, self.odds(), self.reach(), lines, threats)

    def _kept_in_sight(self) -> tuple[Operative, ...]:
        """Those before whom buildings are see-through: both of an attack, or whoever acts and whoever is marked."""
        people = who_matters(self.match, self.scene())
        pointed = [one for one in self.scene().operatives if one.id == self.hovered and one not in people]
        return (*pointed, *people)

    def _overlays(self) -> tuple[Overlay, ...]:
        match, scene = self.match, self.scene()
        items = [*game_view.standing_marks(match), *self.extra()]
        draft, attack = match.draft, match.attack()
        is_asked = draft is not None and not match.is_read
        recap = match.recaps.pending if not match.is_showing else None
        hits = dict(recap.hits) if recap is not None else match.recaps.hits
        items += threat_marks.hit_marks(match.game.state, scene, hits)
        if recap is not None:
            items += marks.shown_subjects(match.game.battle, scene, (recap.operative, *recap.subjects), ())
            for walk in recap.walks:
                items += marks.way_marks(walk.points)
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
        danger, threats = self.danger(), self.threats()
        if draft is not None and is_asked:
            reach = self.reach() if danger is None else None
            items += game_view.placed_marks(match, draft, self.hover, reach, self.aim())
        if danger is not None:
            items += threat_marks.danger_marks(danger)
        if threats is not None:
            items += threat_marks.threat_marks(scene, threats)
        if self.shows_names and draft is not None and is_asked and draft.prompt.topic in NAMED:
            items += threat_marks.name_marks(match.game.battle, scene)
        else:
            items += threat_marks.guard_marks(match.game.battle, scene)
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
            route: Route | None = self.jobs.ask("planning", key, lambda: planner.route(points))
            draft.route = route or self._at_once(planner, draft)
        else:
            if self._straight is None or self._straight[0] != key:
                self._straight = (key, planner.route(points))
            draft.route = self._straight[1]

    def _at_once(self, planner: RoutePlanner, draft: Draft) -> Route | None:
        """What the map says already of a place that is well out of reach; the planner says it more exactly."""
        reach, (*before, end) = self.reach(), draft.points
        if reach is None or before or not reach.is_beyond(end, BEYOND):
            return None
        return planner.out_of_reach(end)

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

    # ---- threats --------------------------------------------------------------------------------------------
    def _twin_for(self, name: str, key: Any) -> Battle:
        """The battle as it stood when a question was first asked, to be changed by whoever answers it."""
        if name not in self._twins or self._twins[name][0] != key:
            self._twins[name] = (key, self.match.game.battle.twin())
        return self._twins[name][1]

    def subject(self) -> tuple[str, Point, bool] | None:
        """Whose threats are shown: whoever would end a move somewhere, or is pointed at; where; and whether it stands
        there already."""
        match, draft = self.match, self.match.draft
        if match.is_read or match.privacy.is_private or match.is_over:
            return None
        if draft is not None and draft.prompt.kind == "walk":
            route, aim = draft.route, self.aim()
            if draft.points and route is not None and not route.refusal and route.path:
                return draft.prompt.operative, route.path[-1], False
            if self.hover is not None and aim is not None and aim.is_legal:
                return draft.prompt.operative, self.hover, False
        who = match.game.state.operatives.get(self.hovered)
        return (who.id, who.point, True) if who is not None and who.is_in_killzone else None

    def threats(self) -> Threats | None:
        """Who could shoot whom, of whoever it is about, once that is known."""
        subject = self.subject()
        if subject is None:
            return None
        who, at, _ = subject
        key = (self.match.version, who, at)
        if self._pointed[0] != key:
            self._pointed = (key, self.desktop.clock())
        if not self._has_rested():
            return None
        twin = self._twin_for("threats", key)
        found: Threats | None = self.jobs.ask("threats", key, lambda: threats_at(twin, who, at))
        return found

    def _has_rested(self) -> bool:
        return self.desktop.clock() - self._pointed[1] >= RESTED

    def is_due(self) -> bool:
        """Whether the pointer has come to rest where it has not been asked yet what threatens."""
        key = self._pointed[0]
        return key not in (None, self.jobs.key_of("threats")) and self.subject() is not None and self._has_rested()

    def danger(self) -> DangerMap | None:
        """How dangerous everywhere in reach is, as far as it is known, while that is wanted."""
        reach, draft = (self.reach(), self.match.draft) if self.shows_danger else (None, None)
        if reach is None or draft is None or draft.prompt.kind != "walk":
            self.jobs.drop("danger")
            return None
        key, who = (self.match.version, len(self.match.game.answers)), draft.prompt.operative
        twin = self._twin_for("danger", key)
        found, _ = self.jobs.follow("danger", key, lambda: danger_over(twin, who, reach))
        return found if isinstance(found, DangerMap) else None

    # ---- what could be done to enemies -------------------------------------------------------------------------
    def attacks(self) -> Attacks | None:
        """What whoever is asked for its order or action could do to enemies, once that is known."""
        draft = self.match.draft
        if draft is None or draft.prompt.topic not in intents.TOPICS or self.match.is_read:
            return None
        topic, who = draft.prompt.topic, draft.prompt.operative
        if who not in self.match.game.state.operatives or (topic == "order" and draft.prompt.choice("engage") is None):
            return None
        key = (self.match.version, topic, who)
        twin = self._twin_for("attacks", key)
        found: Attacks | None = self.jobs.ask("attacks", key, lambda: intents.attacks_from(twin, who, topic))
        return found

    def intents(self, enemy: str) -> list[Intent]:
        """What can be done to *enemy* now."""
        found = self.attacks()
        if found is None:
            return []
        key = (self.match.version, found.operative)
        odds = self.jobs.ask("the odds of attacks", key, lambda: intents.solved_attacks(found)) or {}
        return intents.intents_at(found, enemy, self.match.game.battle.name(enemy), odds)

    def _lock_attacks(self) -> None:
        """Shoot is locked as soon as it is known that no weapon has a target, Charge that no enemy is near enough."""
        draft, found = self.match.draft, self.attacks()
        if draft is not None and found is not None and draft.prompt.topic == "action":
            for action in ("Shoot", "Charge"):
                choice = draft.prompt.choice(action)
                if choice is not None and not choice.refusal:
                    draft.lock(action, game_view.in_names(self.match, found.why_not(action)))

    def charge_place(self) -> Point | None:
        """Where the Charge that was meant for an enemy would end, once the map of what is in reach is known."""
        return self.place_beside(self.match.intended.charged)

    def place_beside(self, enemy: str) -> Point | None:
        """Where the move being planned would end beside *enemy*; None where that is not known or not in reach."""
        reach, draft = self.reach(), self.match.draft
        stands = {one.id: (one.x, one.y, one.level) for one in self.scene().operatives}
        start = stands.get(draft.prompt.operative) if draft is not None else None
        if reach is None or start is None or enemy not in stands:
            return None
        return reach.beside(stands[enemy], start)
