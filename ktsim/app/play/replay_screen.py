"""Watching a saved game: step, play, jump to an activation, rule on any moment."""

from __future__ import annotations

from pathlib import Path

from imgui_bundle import imgui
from panda3d.core import Texture

from ktsim.app.play import marks
from ktsim.app.play.bar import BarButton, BarData, bar, tabs
from ktsim.app.play.board import BoardPicture, open_on_table, pair_at
from ktsim.app.play.layout import ReplayLayout, lay_out_replay
from ktsim.app.play.logbook import score_of
from ktsim.app.play.plan_marks import plan_marks
from ktsim.app.play.play_on import PlayOnScreen
from ktsim.app.play.record import LogPanel, score
from ktsim.app.play.replay import Replay, ReplayMoment, Timeline, activations, timeline
from ktsim.app.play.review_screen import ReviewScreen
from ktsim.app.play.roster import roster_of, rosters
from ktsim.app.play.sequence import attack_of
from ktsim.app.play.tray import dice_tray, tray_of_rolls
from ktsim.app.play.walking import LONGEST, Walking, on_the_way
from ktsim.app.screens.dialogs import progress
from ktsim.app.screens.screen import Held, Host, Screen
from ktsim.app.stage.labels import TableLabels
from ktsim.app.stage.overlays import Overlay
from ktsim.app.stage.picture import Frame
from ktsim.app.stage.ways import Stand
from ktsim.app.ui import theme
from ktsim.app.ui.pen import Rect
from ktsim.app.ui.rect import Place
from ktsim.app.ui.widgets import Widgets
from ktsim.errors import UserError
from ktsim.game.review.review import ReviewedActivation
from ktsim.game.scenes import scene_of
from ktsim.rules.engine.state import SIDES
from ktsim.sight.part_names import spaced

TABS = (("roster", "Rosters"), ("log", "Log"), ("score", "Score"))
PACE = 0.8
"""Seconds a moment is shown while playing at normal speed."""

WALKED = 0.8
"""The part of that time in which whoever moved has arrived."""


class ReplayScreen(Screen):
    """One saved game. Nothing done here changes it."""

    name = "replay"

    def __init__(self, desktop: Host, path: Path) -> None:
        super().__init__(desktop)
        self.replay = Replay(path)
        self.now = 0
        self.is_playing = False
        self.speed = "1"
        self.tab = "log"
        self._log = LogPanel()
        self._labels = TableLabels()
        self._due = 0.0
        self._shown = -1
        self._items: tuple[Overlay, ...] = ()
        self._walking: Walking | None = None
        self._walked: dict[str, Stand] = {}
        self._picture: BoardPicture | None = None
        self._review: ReviewScreen | None = None
        self.advice: ReviewedActivation | None = None
        """The activation of the review that is looked at, and what would have been better."""

    # ---- moments --------------------------------------------------------------------------------------------
    @property
    def moment(self) -> ReplayMoment:
        return self.replay.moments[self.now]

    def go(self, moment: int) -> None:
        """Show another moment; whoever moved on the way to the very next one is seen walking."""
        before, self.now = self.now, min(max(moment, 0), len(self.replay.moments) - 1)
        if self.advice is not None and self.now != self.advice.moment:
            self.advice = None
        self._walking = None
        if self.now == before + 1 and self.desktop.settings.motion:
            most = WALKED * PACE / float(self.speed) if self.is_playing else LONGEST
            self._walking = Walking.of(self.replay.walks_to(self.now), self.desktop.clock(), most)
        self.replay.game.battle.state = self.moment.state
        if self.now == len(self.replay.moments) - 1:
            self.is_playing = False
        self._due = self.desktop.clock() + PACE / float(self.speed)
        self.desktop.refresh()

    def _do(self, asked: str | int) -> None:
        last = len(self.replay.moments) - 1
        match asked:
            case int(moment):
                self.go(moment)
            case "play":
                if not self.is_playing and self.now == last:
                    self.go(0)
                self.is_playing = not self.is_playing
                self._due = self.desktop.clock() + PACE / float(self.speed)
            case "first" | "last":
                self.go(0 if asked == "first" else last)
            case "step-back" | "step-on":
                self.is_playing = False
                self.go(self.now + (1 if asked == "step-on" else -1))
            case "last-activation" | "next-activation":
                self.go(self.replay.next_activation(self.now, 1 if asked == "next-activation" else -1))
            case str(speed) if speed.startswith("speed-"):
                self.speed = speed.removeprefix("speed-")
        self.desktop.refresh()

    def rule_here(self) -> None:
        """Open the ruling table with this moment on it."""
        battle, state = self.replay.game.battle, self.moment.state
        pair = pair_at(battle, state, self.replay.game.events[: self.moment.events])
        open_on_table(self.desktop, battle, state, self.replay.setup, pair)

    def play_on(self) -> None:
        """Ask how to play on from this moment."""
        self.is_playing = False
        self.desktop.push(PlayOnScreen(self.desktop, self.replay.path, self.replay.setup, self.now))

    def show_variations(self) -> None:
        """The tree of variations, with this game in it."""
        from ktsim.app.play.setup_screen import show_variations

        self.is_playing = False
        show_variations(self.desktop, self.replay.path)

    def review(self) -> None:
        """Open the review of the game, or the one that was opened before."""
        self.is_playing = False
        if self._review is None:
            self._review = ReviewScreen(self.desktop, self.replay.path, self.show_advice, self._play_advice)
        elif self._review.review is None:
            self._review.go_on()
        self.desktop.push(self._review)

    def show_advice(self, found: ReviewedActivation) -> None:
        """Go to an activation of the review, with what would have been better on the table."""
        if self._review is not None:
            self.desktop.pop(self._review)
        self.advice = found
        self.go(found.moment)
        self._shown = -1

    def _play_advice(self, found: ReviewedActivation) -> None:
        self.show_advice(found)
        self.play_on()

    # ---- the picture ----------------------------------------------------------------------------------------
    @property
    def layout(self) -> ReplayLayout:
        return lay_out_replay(self.desktop.size, self.desktop.pen.size)

    @property
    def texture(self) -> Texture | None:
        return self._picture.texture if self._picture is not None else None

    @property
    def picture(self) -> BoardPicture:
        assert self._picture is not None
        return self._picture

    @property
    def wants_frames(self) -> bool:
        is_moving = self._picture is not None and self._picture.is_moving
        return not self.replay.is_ready or self._walking is not None or is_moving

    def resized(self) -> None:
        if self._picture is not None:
            frame = Frame(self.desktop.size, self.desktop.scale, self.layout.free())
            self._picture.resize(frame, self.desktop.settings)
            self._shown = -1
            self._walking = None

    def attend(self) -> None:
        if self.is_playing and self.replay.is_ready and self.desktop.clock() >= self._due:
            self.go(self.now + 1)

    def update(self, now: float) -> None:
        if not self.replay.is_ready:
            try:
                self.replay.load()
            except UserError:
                self.desktop.pop(self)  # what does not fit now never will
                raise
            if not self.replay.is_ready:
                return
            self.go(0)
            if self.replay.warning:
                self.desktop.say(self.replay.warning)
        battle = self.replay.game.battle
        if self._picture is None:
            free = self.layout.free()
            self._picture = BoardPicture(self.desktop, battle, self.moment.state, self.replay.setup.board, free)
        if self.is_playing and now >= self._due:
            self.go(self.now + 1)
        if self._walking is not None and self._walking.is_over(now):
            self._walking = None
        places = self._walking.places(now) if self._walking is not None else {}
        if self._shown != self.now or places != self._walked:
            if self._shown != self.now:
                self._shown, self._items = self.now, self._overlays()
            self._walked = places
            state = self.moment.state
            self._picture.show_state(state, on_the_way(scene_of(battle, state), places), self._items)
        if self._picture.update(now):
            self.desktop.refresh_once()

    def _overlays(self) -> tuple[Overlay, ...]:
        battle, state = self.replay.game.battle, self.moment.state
        items: list[Overlay] = []
        if state.phase == "set-up":
            for side in SIDES:
                items += marks.zone_marks(battle.drop_zone(side), side)
        for marker in state.markers.values():
            items += marks.marker_marks(battle, marker)
        scene = scene_of(battle, state)
        attack = attack_of(self.moment.roll.about) if self.moment.roll is not None else None
        if attack is not None:
            items += marks.attack_marks(battle, scene, attack)
        if self.advice is not None and self.advice.plan is not None:
            items += plan_marks(battle, scene, self.advice.plan, "better here")
            return marks.once(items)
        for line in self.replay.lines_of(self.now):
            items += marks.shown_subjects(battle, scene, line.subjects, line.path)
        return marks.once(items)

    def close(self) -> None:
        if self._review is not None:
            self._review.close()
        if self._picture is not None:
            self._picture.close()

    # ---- input ----------------------------------------------------------------------------------------------
    def pointer(self, at: Place) -> None:
        if self._picture is not None:
            self._picture.drag(at)

    def press(self, button: str, at: Place, held: Held) -> None:
        self._walking = None
        if self._picture is not None and not self._picture.grab(button, at, held.shift):
            self._picture.turn_with(at)

    def release(self, button: str, at: Place) -> None:
        if self._picture is not None:
            self._picture.let_go()

    def wheel(self, notches: int, at: Place, held: Held) -> None:
        if self._picture is not None:
            self._picture.zoom(notches, at)

    def key(self, key: str, held: Held) -> None:
        if not self.replay.is_ready:
            return
        self._walking = None
        commands = {
            "home": "first",
            "end": "last",
            "arrow_left": "step-back",
            "arrow_right": "step-on",
            "page_up": "last-activation",
            "page_down": "next-activation",
            "space": "play",
        }
        if key in commands:
            self._do(commands[key])
        elif key == "f2":
            self.desktop.load("the ruling table", self.rule_here)
        elif key == "f3":
            self.play_on()
        elif key == "f4":
            self.review()
        elif key == "f5":
            self.desktop.load("the tree", self.show_variations)
        elif key == "t":
            self.picture.top()
        elif key == "f":
            self.picture.home()

    # ---- panels ---------------------------------------------------------------------------------------------
    def draw(self, ui: Widgets) -> None:
        layout = self.layout
        if any(imgui.is_mouse_clicked(button) for button in range(3)):
            self._walking = None
        if not self.replay.is_ready or self._picture is None:
            self._draw_loading(ui)
            return
        tray = tray_of_rolls([self.moment.roll]) if self.moment.roll is not None else None
        free = layout.middle if tray is None else layout.over_tray
        self._labels.over(ui.pen, self.picture, free, self.desktop.at)
        state = self.moment.state
        battle = self.replay.game.battle
        asked = bar(
            ui,
            layout.bar,
            BarData(
                BarButton("back", "back", "Leave (Esc)"),
                "",
                "Replay",
                "Nothing you do here changes the game",
                state.turning_point,
                battle.edition.turning_points,
                tuple((side, state.vp[side], state.cp[side]) for side in ("blue", "red")),
                (
                    BarButton("review", "bulb", "Review the game: what would have been better (F4)"),
                    BarButton("variations", "list", "The game's variations (F5)"),
                    BarButton("play-on", "person", "Play on from here, as another game (F3)"),
                    BarButton("rule", "target", "Rule on this moment (F2)"),
                ),
            ),
        )
        if asked == "back":
            self.desktop.later(lambda: self.desktop.pop(self))
        elif asked == "rule":
            self.desktop.load("the ruling table", self.rule_here)
        elif asked == "play-on":
            self.desktop.later(self.play_on)
        elif asked == "review":
            self.desktop.later(self.review)
        elif asked == "variations":
            self.desktop.load("the tree", self.show_variations)
        self._draw_left(ui, layout.left)
        self._draw_right(ui, layout.right)
        if tray is not None:
            dice_tray(ui, layout.tray, tray, 1.0)
        chosen = timeline(ui, layout.timeline, self._timeline())
        if chosen is not None and chosen != self.now:
            self._do(chosen)

    def _timeline(self) -> Timeline:
        turns: dict[int, int] = {}
        for moment in self.replay.moments:
            turns.setdefault(moment.state.turning_point, moment.number)
        return Timeline(
            self.now,
            len(self.replay.moments),
            self.is_playing,
            self.speed,
            tuple((moment, number) for number, moment in turns.items()),
            tuple(self.replay.landmarks),
        )

    def _draw_loading(self, ui: Widgets) -> None:
        w, h = self.desktop.size
        k = ui.pen.size
        rect = Rect(w / 2 - 200 * k, h / 2 - 50 * k, 400 * k, 100 * k)
        with ui.panel("loading", rect):
            ui.text(rect.x + 24 * k, rect.y + 34 * k, "Loading the game ...", "h2")
            progress(ui, Rect(rect.x + 24 * k, rect.y + 64 * k, rect.w - 48 * k, 10 * k), self.replay.progress)

    def _draw_left(self, ui: Widgets, rect: Rect) -> None:
        k = ui.pen.size
        battle = self.replay.game.battle
        with ui.panel("left", rect):
            head = Rect(rect.x + 10 * k, rect.y + 10 * k, rect.w - 20 * k, 34 * k)
            self.tab = tabs(ui, head, TABS, self.tab)
            body = Rect(head.x, head.bottom + 8 * k, rect.w - 14 * k, rect.bottom - head.bottom - 16 * k)
            names = {side: battle.teams["red" if side == "red" else "blue"].name for side in ("blue", "red")}
            if self.tab == "roster":
                teams = [
                    ("blue", names["blue"], roster_of(battle, "blue")),
                    ("red", names["red"], roster_of(battle, "red")),
                ]
                rosters(ui, body, teams, ())
            elif self.tab == "score":
                score(ui, body, score_of(self.replay.game), names)
            else:
                pressed = self._log.draw(ui, body, self.replay.lines_until(self.now), None)
                if pressed is not None:
                    self.go(next(m.number for m in self.replay.moments if m.events > pressed))

    def _draw_right(self, ui: Widgets, rect: Rect) -> None:
        k = ui.pen.size
        moment = self.moment
        with ui.panel("right", rect):
            x, width = rect.x + 14 * k, rect.w - 28 * k
            y = rect.y + 14 * k
            if moment.seat in SIDES:
                team = self.replay.game.battle.teams["red" if moment.seat == "red" else "blue"].name
                ui.pen.seat(moment.seat, x + 7 * k, y + 8 * k, 13 * k)
                ui.text(x + 20 * k, y + 8 * k, ui.pen.fitted(team, "label", width - 20 * k), "label", theme.SOFT)
                y += 24 * k
            if self.advice is not None:
                y += self._draw_advice(ui, x, y, width, self.advice)
            question = spaced(moment.question) or "The game begins."
            y += ui.paragraph(x, y, width, question, "body", theme.SOFT) + 4 * k
            if moment.answer:
                y += ui.paragraph(x, y, width, moment.answer, "strong") + 6 * k
            y += 8 * k
            ui.text(x, y + 8 * k, "ACTIVATIONS", "caption", theme.DIM)
            y += 22 * k
            body = Rect(x, y, rect.right - 6 - x, rect.bottom - 12 * k - y)
            chosen = activations(ui, body, self.replay.landmarks, self.now)
            if chosen is not None:
                self.go(chosen)

    def _draw_advice(self, ui: Widgets, x: float, y: float, width: float, found: ReviewedActivation) -> float:
        """What was done next and what would have been better. Returns its height."""
        k, top = ui.pen.size, y
        ui.pen.icon("bulb", x + 8 * k, y + 9 * k, 16 * k, theme.ACCENT)
        ui.text(x + 24 * k, y + 9 * k, f"Better by {found.loss:.1f} VP", "h3")
        y += 24 * k
        y += ui.paragraph(x, y, width, found.better or "Nothing better was found.", "body") + 6 * k
        y += ui.paragraph(x, y, width, f"Done: {found.name}, {found.did}.", "body", theme.SOFT) + 8 * k
        half = (width - 8 * k) / 2
        if ui.button(Rect(x, y, half, 34 * k), "Play##advice-play", icon="person", key="F3"):
            self.desktop.later(self.play_on)
        if ui.button(Rect(x + half + 8 * k, y, half, 34 * k), "Review##advice-back", icon="back", key="F4"):
            self.desktop.later(self.review)
        return y + 48 * k - top

    def notice_place(self) -> Rect:
        return self.layout.notice

    def summary(self) -> dict[str, str]:
        return {
            "ready": "yes" if self.replay.is_ready else "no",
            "moment": str(self.now),
            "moments": str(len(self.replay.moments)),
            "playing": "yes" if self.is_playing else "no",
        }
