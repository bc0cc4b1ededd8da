"""A game at the window: the table in the middle, rosters and log at the left, the pending question at the right."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from imgui_bundle import imgui
from panda3d.core import Texture

from ktsim.game.players import BOTS
from ktsim.rules.decisions import CANCEL, Point, Walk
from ktsim.rules.state import milli
from ktsim.sight.scene import Scene

from .. import card_drawing
from ..screens.screen import Held, Place, Screen
from ..stage.overlays import Overlay
from ..table.picture import CLICK
from ..ui import theme
from ..ui.pen import Rect
from ..ui.widgets import Widgets
from . import game_view
from .board_marks import scene_of
from .board_view import operative_at, picture_of, point_at
from .draft import Draft
from .jobs import Jobs
from .logbook import score_of
from .match import Match
from .panels import cover
from .panels.bar import BarAction, bar, tabs
from .panels.ending import ending
from .panels.layout import PlayLayout, lay_out
from .panels.question import Asked, QuestionPanel
from .panels.record import LogPanel, score
from .panels.roster import rosters
from .panels.tray import dice_tray, tray_height
from .rosters import roster_of
from .routes import Planner, Reachable, Route

if TYPE_CHECKING:
    from ..desktop import Desktop

TABS = (("roster", "Rosters"), ("log", "Log"), ("score", "Score"))
FINE, COARSE = 10, 100
"""Thousandths of an inch of one press of an arrow key, with Shift and without."""


class GameScreen(Screen):
    """One match, from its first answer to its last."""

    name = "game"

    def __init__(self, desktop: Desktop, match: Match) -> None:
        super().__init__(desktop)
        self.match = match
        self.jobs = Jobs()
        battle, state = match.game.battle, match.game.state
        board = match.session.setup.board
        self.picture = picture_of(desktop, battle, state, board, self.layout.free())
        self.tab = "roster"
        self.hover: Point | None = None
        self.shown_line: int | None = None
        self._question, self._log = QuestionPanel(), LogPanel()
        self._scene: tuple[int, Scene] | None = None
        self._marks: tuple[Any, tuple[Overlay, ...]] | None = None
        self._planner: tuple[int, Planner] | None = None
        self._offers: tuple[int, tuple[Any, Any]] | None = None
        self._straight: tuple[Any, Route] | None = None
        self._pressed: tuple[Place, bool, bool] | None = None
        self._agreed: set[str] | None = None

    # ---- places ---------------------------------------------------------------------------------------------
    @property
    def layout(self) -> PlayLayout:
        return lay_out(self.desktop.size, self.desktop.pen.size)

    # ---- coming and going -----------------------------------------------------------------------------------
    def enter(self) -> None:
        """The keys of a game are its own: ImGui's walking through widgets would press something else with Enter."""
        self.desktop.backend.io.config_flags &= ~imgui.ConfigFlags_.nav_enable_keyboard.value

    def leave(self) -> None:
        self.desktop.backend.io.config_flags |= imgui.ConfigFlags_.nav_enable_keyboard.value
        self.picture.let_go()
        self._pressed = None

    def close(self) -> None:
        self.match.close()
        self.jobs.close()
        self.picture.close()

    def back(self) -> bool:
        draft = self.match.draft
        if self.match.is_showing:
            self.match.skip()
        elif self._agreed is not None:
            self._agreed = None
        elif self.shown_line is not None:
            self.shown_line = None
        elif self.picture.eye is not None:
            self.picture.look_through(None)
        elif draft is not None and draft.is_begun:
            while draft.back():
                pass
        else:
            return False
        self._changed()
        return True

    def _changed(self) -> None:
        self._marks = None
        self.desktop.refresh()

    # ---- the picture ----------------------------------------------------------------------------------------
    @property
    def texture(self) -> Texture | None:
        return None if self.match.is_covered or self.match.is_private else self.picture.texture

    @property
    def wants_frames(self) -> bool:
        return self.match.is_showing or self.picture.is_moving

    def resized(self) -> None:
        from ..table.picture import Frame

        frame = Frame(self.desktop.size, self.desktop.scale, self.layout.free())
        self.picture.resize(frame, self.desktop.settings)
        self._marks = None

    def attend(self) -> None:
        if self.match.advance() or self.jobs.has_news():
            self.desktop.refresh()

    def update(self, now: float) -> None:
        match = self.match
        match.is_animated = self.desktop.settings.motion
        if match.advance():
            self.shown_line = None
            self.desktop.refresh()
        if match.notice:
            self.desktop.say(match.notice)
            match.notice = ""
        self._plan()
        key = self._look()
        if self._marks is None or self._marks[0] != key:
            self._marks = (key, self._overlays())
            self.picture.show(self._scene_now(), self._marks[1])
        if self.picture.update(now):
            self.desktop.refresh_once()

    def _scene_now(self) -> Scene:
        if self._scene is None or self._scene[0] != self.match.version:
            self._scene = (self.match.version, scene_of(self.match.game.battle, self.match.game.state))
        return self._scene[1]

    def _look(self) -> tuple[Any, ...]:
        """What the overlays depend on."""
        draft = self.match.draft
        drafted: tuple[Any, ...] = ()
        if draft is not None:
            drafted = (tuple(draft.marked), tuple(draft.points), draft.route, self.hover)
        return (self.match.version, self.match.is_showing, drafted, self.shown_line, self._odds(), self._reach())

    def _overlays(self) -> tuple[Overlay, ...]:
        match, scene = self.match, self._scene_now()
        items = game_view.standing_marks(match)
        draft = match.draft
        if self.shown_line is not None:
            line = next((line for line in match.log.lines if line.number == self.shown_line), None)
            return (*items, *(game_view.log_marks(match, scene, line) if line is not None else ()))
        if draft is not None and not match.is_showing:
            items += game_view.asked_marks(match, scene, draft, self._odds())
            items += game_view.placed_marks(match, draft, self.hover, self._reach())
        return tuple(items)

    # ---- questions asked beside the window --------------------------------------------------------------------
    def planner(self) -> Planner | None:
        decision, number = self.match.decision, len(self.match.game.answers)
        if not isinstance(decision, Walk) or not self.match.asks_person(decision):
            return None
        if self._planner is None or self._planner[0] != number or self._planner[1].decision is not decision:
            self._planner = (number, Planner(self.match.game.battle, decision))
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
            if self.jobs.trouble:
                self.desktop.say(self.jobs.trouble)
                self.jobs.trouble = ""
        else:
            if self._straight is None or self._straight[0] != key:
                self._straight = (key, planner.route(points))
            draft.route = self._straight[1]

    def _reach(self) -> Reachable | None:
        planner = self.planner()
        if planner is None or not planner.can_plan:
            return None
        found = self.jobs.ask("the reachable map", len(self.match.game.answers), planner.reachable)
        return found if isinstance(found, Reachable) else None

    def _offered(self) -> tuple[Any, Any]:
        number = len(self.match.game.answers)
        if self._offers is None or self._offers[0] != number:
            self._offers = (number, game_view.shots_and_fights(self.match))
        return self._offers[1]

    def _odds(self) -> game_view.Odds | None:
        shots, fights = self._offered()
        if not shots and not fights:
            return None
        number = len(self.match.game.answers)
        found: game_view.Odds | None = self.jobs.ask("the odds", number, lambda: game_view.solved(shots, fights))
        return found

    # ---- the pointer ----------------------------------------------------------------------------------------
    def pointer(self, at: Place) -> None:
        if self._pressed is not None:
            start, _, moved = self._pressed
            if moved or max(abs(at[0] - start[0]), abs(at[1] - start[1])) >= CLICK:
                self._pressed = (start, self._pressed[1], True)
                self.picture.drag(at)
            return
        draft = self.match.draft
        is_over_table = not self.desktop.ui.covers(*at)
        if draft is not None and draft.prompt.kind == "place" and not draft.points:
            self.hover = point_at(self.picture, at) if is_over_table else None

    def press(self, button: str, at: Place, held: Held) -> None:
        if self._is_closed:
            return
        if self.match.is_showing:
            self.match.skip()
            return
        if not self.picture.grab(button, at, held.shift):
            self.picture.turn_with(at)
        self._pressed = (at, held.shift, False) if button == "mouse1" else (at, held.shift, True)

    def release(self, button: str, at: Place) -> None:
        self.picture.let_go()
        pressed, self._pressed = self._pressed, None
        if pressed is not None and not pressed[2]:
            self.click(at, pressed[1])

    def wheel(self, notches: int, at: Place, held: Held) -> None:
        if not self._is_closed:
            self.picture.zoom(notches, at)

    @property
    def _is_closed(self) -> bool:
        """Whether the table is not to be seen or touched now."""
        return self.match.is_covered or self.match.is_private or self._agreed is not None

    def click(self, at: Place, is_shifted: bool) -> None:
        """A click on the table answers, or goes some way towards an answer."""
        draft = self.match.draft
        if draft is None:
            return
        if draft.prompt.kind in ("place", "walk"):
            point = point_at(self.picture, at)
            if point is not None:
                draft.put(point, is_waypoint=is_shifted)
        else:
            who = operative_at(self.picture, at)
            choice = next((choice for choice in draft.prompt.choices if who and choice.operative == who), None)
            if choice is not None and choice.refusal:
                self.desktop.say(f"{choice.title}: {choice.refusal}")
            elif choice is not None:
                self._choose(draft, choice.key)
        self._changed()

    # ---- answering ------------------------------------------------------------------------------------------
    def _choose(self, draft: Draft, key: str) -> None:
        if draft.prompt.kind == "pick" and not draft.prompt.needs_confirming:
            self._give(lambda: self.match.submit(key))
        elif draft.prompt.kind == "pick" and draft.marked == [key] and not draft.prompt.is_secret:
            self._give(self.match.confirm)
        else:
            draft.mark(key)
            self._changed()

    def _give(self, run: Callable[[], object]) -> None:
        """Answer between frames."""

        def give() -> None:
            run()
            self.hover = None
            self._changed()

        self.desktop.later(give)

    def _asked(self, asked: Asked) -> None:
        draft = self.match.draft
        if draft is None:
            return
        match asked:
            case ("choice", str(key)):
                self._choose(draft, key)
            case ("face", int(face)):
                draft.roll(face)
            case ("confirm", _):
                self._give(self.match.confirm)
            case ("cancel-move", _):
                self._give(lambda: self.match.submit(CANCEL))
            case ("step-back", _):
                draft.back()
            case ("suggest" | "another", _):
                draft.suggest()
            case ("typed", str(text)):
                self._put_typed(draft, text)
        self._changed()

    def _put_typed(self, draft: Draft, text: str) -> None:
        """Places typed in inches: ``x, y`` or ``x, y, height``, several separated by semicolons."""
        level = self._start(draft)[2]
        points = []
        for part in text.split(";"):
            try:
                values = [float(word) for word in part.replace(",", " ").split()]
                if len(values) not in (2, 3) or not all(abs(value) < 1000 for value in values):
                    raise ValueError
            except ValueError:
                self.desktop.say(f"{part.strip()[:40]!r} is not a place such as 12.5, 8 (in inches).")
                return
            points.append((milli(values[0]), milli(values[1]), milli(values[2]) if len(values) == 3 else level))
        draft.fixed = 0
        for point in points:
            draft.put(point, is_waypoint=point is not points[-1])

    def _start(self, draft: Draft) -> Point:
        """Where something placed by keys begins: where the operative stands, or in the middle of the board."""
        battle = self.match.game.battle
        who = battle.state.operatives.get(draft.prompt.operative)
        if who is not None and who.is_in_killzone:
            return who.point
        zone = battle.drop_zone(who.side) if who is not None else None
        if zone is not None:
            return milli(sum(x for x, _ in zone) / len(zone)), milli(sum(y for _, y in zone) / len(zone)), 0
        width, depth = battle.board.terrain.board
        return milli(width / 2), milli(depth / 2), 0

    # ---- keys -----------------------------------------------------------------------------------------------
    def key(self, key: str, held: Held) -> None:
        if self._agreed is not None:
            if key in ("b", "r"):
                self._agree("blue" if key == "b" else "red")
        elif self.match.is_covered:
            if key in ("enter", "space"):
                self.match.accept()
        elif held.control:
            if key in ("z", "y"):
                self._bar("redo" if key == "y" or held.shift else "undo")
        elif self.match.is_showing:
            self.match.skip()
        elif not self._draft_key(key, held) and not self.match.is_private:
            self._table_key(key)
        self._changed()

    def _draft_key(self, key: str, held: Held) -> bool:
        """A key that answers; whether it does."""
        draft = self.match.draft
        if draft is None:
            return False
        if key == "enter":
            self._give(self.match.confirm)
        elif key == "backspace":
            draft.back()
        elif draft.prompt.kind == "roll" and key in "123456":
            draft.roll(int(key))
        elif draft.prompt.kind in ("pick", "some") and key in ("arrow_down", "arrow_up"):
            draft.step(1 if key == "arrow_down" else -1)
        elif draft.prompt.kind in ("place", "walk"):
            return self._place_key(draft, key, held)
        else:
            choice = next((choice for choice in draft.prompt.choices if choice.shortcut == key), None)
            if choice is None:
                return False
            if choice.refusal:
                self.desktop.say(f"{choice.title}: {choice.refusal}")
            else:
                self._choose(draft, choice.key)
        return True

    def _place_key(self, draft: Draft, key: str, held: Held) -> bool:
        step = FINE if held.shift else COARSE
        ways = {"left": (-step, 0), "right": (step, 0), "up": (0, step), "down": (0, -step)}
        if key.startswith("arrow_"):
            draft.nudge(*ways[key.removeprefix("arrow_")], self._start(draft))
        elif key == "g":
            draft.suggest()
        elif key == "x" and draft.can_cancel:
            self._give(lambda: self.match.submit(CANCEL))
        else:
            return False
        return True

    def _table_key(self, key: str) -> None:
        match key:
            case "t":
                self.picture.top()
            case "home":
                self.picture.home()
            case "f":
                ids = {choice.operative for choice in (self.match.prompt.choices if self.match.prompt else ())}
                ids.add(self.match.prompt.operative if self.match.prompt else "")
                self.picture.frame_on([one for one in self._scene_now().operatives if one.id in ids])
            case "e":
                acting = self.match.prompt.operative if self.match.prompt else ""
                one = next((one for one in self._scene_now().operatives if one.id == acting), None)
                self.picture.look_through(None if self.picture.eye is not None else one)
            case "tab":
                names = [name for name, _ in TABS]
                self.tab = names[(names.index(self.tab) + 1) % len(names)]
            case "h":
                self._bar("hint")
            case "f2":
                self._bar("rule")

    # ---- the bar --------------------------------------------------------------------------------------------
    def _bar(self, action: BarAction) -> None:
        match = self.match
        match action:
            case "back":
                self.desktop.later(lambda: self.desktop.pop(self))
            case "redo":
                self._give(match.redo)
            case "undo":
                if match.game.answers and match.undo_refusal():
                    self._agreed = set()
                else:
                    self._give(match.undo)
            case "hint":
                match.ask_hint(self.adviser)
            case "rule":
                self.desktop.later(self.rule_here)

    @property
    def adviser(self) -> str:
        """The bot that is asked for hints: the one that plays, or the last (the strongest) of the register."""
        agreement = self.match.agreement
        playing = [name for name in (agreement.red, agreement.blue) if name in BOTS]
        return playing[0] if playing else list(BOTS)[-1]

    def _agree(self, side: str) -> None:
        assert self._agreed is not None
        self._agreed.add(side)
        if len(self._agreed) == 2:
            self._agreed = None
            self._give(lambda: self.match.undo(is_agreed=True))

    def rule_here(self) -> None:
        """Open the ruling table on a copy of the present table; the game stays where it is."""
        from .moments import open_on_table

        draft = self.match.draft
        is_aiming = draft is not None and draft.prompt.topic == "target" and draft.marked
        pair = (draft.prompt.operative, draft.marked[0]) if draft is not None and is_aiming else None
        open_on_table(self.desktop, self.match.game.battle, self.match.game.state, self.match.session.setup, pair)

    # ---- panels ---------------------------------------------------------------------------------------------
    def draw(self, ui: Widgets) -> None:
        match, layout = self.match, self.layout
        size = self.desktop.size
        seat = match.seat or "red"
        if match.is_covered:
            if cover.hand_over(ui, size, seat, match.team(seat)):
                match.accept()
            return
        if match.is_private:
            self._draw_secret(ui)
            return
        window = Rect(0, 0, *size)
        card_drawing.table_labels(ui.pen, window, self.picture.pose(), self.picture.labels(), layout.middle)
        asked = bar(ui, layout.bar, game_view.bar_data(match))
        if asked is not None:
            self._bar(asked)
        self._draw_left(ui, layout.left)
        self._draw_right(ui, layout.right)
        tray = match.tray()
        if tray is not None:
            tall = tray_height(tray, ui.pen.size)
            foot = layout.tray
            dice_tray(ui, Rect(foot.x, foot.bottom - tall, foot.w, tall), tray, match.showing)
        if self._agreed is not None:
            names = {side: match.team("red" if side == "red" else "blue") for side in ("blue", "red")}
            said = cover.agreement(ui, size, names, self._agreed, match.undo_refusal())
            if said == "cancel":
                self._agreed = None
            elif said is not None:
                self._agree(said)

    def _draw_secret(self, ui: Widgets) -> None:
        """A secret choice: nothing of the table or of the other seat is to be seen."""
        draft = self.match.draft
        ui.pen.box(Rect(0, 0, *self.desktop.size), theme.INK, None, 1.0, 0)
        w, h = self.desktop.size
        k = ui.pen.size
        wide, tall = min(620 * k, w - 48), min(560 * k, h - 48)
        if draft is not None:
            rows = game_view.choice_rows(self.match, draft, [], [], None)
            question = game_view.question_of(self.match, draft, rows)
            asked = self._question.draw(ui, Rect((w - wide) / 2, (h - tall) / 2, wide, tall), question)
            if asked is not None:
                self._asked(asked)

    def _draw_left(self, ui: Widgets, rect: Rect) -> None:
        k = ui.pen.size
        battle = self.match.game.battle
        with ui.panel("left", rect):
            head = Rect(rect.x + 10 * k, rect.y + 10 * k, rect.w - 20 * k, 34 * k)
            self.tab = tabs(ui, head, TABS, self.tab)
            body = Rect(head.x, head.bottom + 8 * k, rect.w - 14 * k, rect.bottom - head.bottom - 16 * k)
            if self.tab == "roster":
                teams = [(side, self.match.team(side), roster_of(battle, side)) for side in ("blue", "red")]
                draft = self.match.draft
                who = rosters(ui, body, teams, draft.marked if draft is not None else ())
                if who is not None:
                    self._pick_member(who)
            elif self.tab == "log":
                line = self._log.draw(ui, body, self.match.log.lines, self.shown_line)
                if line is not None:
                    self.shown_line = None if line == self.shown_line else line
                    self._changed()
            else:
                names = {side: self.match.team("red" if side == "red" else "blue") for side in ("blue", "red")}
                score(ui, body, score_of(self.match.game), names)

    def _pick_member(self, id: str) -> None:
        """Somebody was pressed in a roster: the same as on the table."""
        draft = self.match.draft
        choice = next((c for c in draft.prompt.choices if c.operative == id), None) if draft is not None else None
        if draft is not None and choice is not None and not choice.refusal:
            self._choose(draft, choice.key)
        elif choice is not None:
            self.desktop.say(f"{choice.title}: {choice.refusal}")
        else:
            self.picture.frame_on([one for one in self._scene_now().operatives if one.id == id], reach=5.0)

    def _draw_right(self, ui: Widgets, rect: Rect) -> None:
        match, draft = self.match, self.match.draft
        if match.is_over:
            asked = ending(ui, rect, match.banner()[1], score_of(match.game))
            if asked == "replay" and match.path is not None:
                self.desktop.later(lambda: self._watch(match.path))
            elif asked == "leave":
                self._bar("back")
        elif draft is not None and not match.is_showing:
            shots, fights = self._offered()
            rows = game_view.choice_rows(match, draft, shots, fights, self._odds())
            question = self._question.draw(ui, rect, game_view.question_of(match, draft, rows))
            if question is not None:
                self._asked(question)
        else:
            words = "Rolling ..." if match.is_showing and match.rolls else "Thinking ..." if match.is_thinking else ""
            with ui.panel("question", rect):
                k = ui.pen.size
                ui.text(rect.x + 16 * k, rect.y + 30 * k, words, "h2")
                ui.text(rect.x + 16 * k, rect.y + 56 * k, "Any key goes on at once", "caption", theme.DIM)

    def _watch(self, path: Path | None) -> None:
        from .replay_screen import ReplayScreen

        if path is not None:
            self.desktop.pop(self)
            self.desktop.push(ReplayScreen(self.desktop, path))

    def summary(self) -> dict[str, str]:
        match, draft = self.match, self.match.draft
        return {
            "answers": str(len(match.game.answers)),
            "turning-point": str(match.game.state.turning_point),
            "phase": match.game.state.phase,
            "seat": match.seat or "nobody",
            "asks": "handover" if match.is_covered else draft.prompt.topic if draft is not None else "nobody",
            "kind": draft.prompt.kind if draft is not None else "none",
            "may-confirm": "yes" if draft is not None and not draft.problem() else "no",
            "showing": "yes" if match.is_showing else "no",
            "thinking": "yes" if match.is_thinking else "no",
            "hint": match.hint or "none",
            "hash": match.game.digest(),
        }
