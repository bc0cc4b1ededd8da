"""A saved game to be watched: every moment of it, loaded a little at a time, and the controls along the foot: step,
play, jump, the whole game as a line."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from imgui_bundle import imgui

from ktsim.app.play.logbook import Logbook, LogLine
from ktsim.app.play.prompt import told_answer
from ktsim.app.play.tray import Rolled
from ktsim.app.play.walking import ShownWalk, stands_of, walks_in
from ktsim.app.ui import theme
from ktsim.app.ui.pen import Rect
from ktsim.app.ui.widgets import SCROLLBAR, Widgets
from ktsim.errors import Problem, UserError
from ktsim.game import journal
from ktsim.game.game import Game, IllegalAnswer
from ktsim.game.record import beginning, made_by
from ktsim.rules.engine.by_hand import is_deed
from ktsim.rules.engine.decisions import Roll
from ktsim.rules.engine.operative_events import ActivationBegan, Incapacitated
from ktsim.rules.engine.state import State


@dataclass(frozen=True)
class ReplayMoment:
    """The game after so many answers: its state, what was asked last and answered, and how much was told so far."""

    number: int
    state: State
    events: int
    seat: str = ""
    question: str = ""
    answer: str = ""
    roll: Rolled | None = None


@dataclass(frozen=True)
class Landmark:
    """Somewhere to jump to: an activation, or where somebody was taken out."""

    moment: int
    text: str
    seat: str
    turning_point: int
    is_activation: bool


class Replay:
    """Loads a journal without ever writing to it. ``load`` is called until ``is_ready``."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.recorded = journal.read(path)
        self.setup, battle, state = beginning(self.recorded, path)
        self.game = Game(battle, state)
        self.answers = self.recorded.answers()
        self.moments: list[ReplayMoment] = [ReplayMoment(0, self.game.state.copy(), len(self.game.events))]
        self.landmarks: list[Landmark] = []
        self.lines: list[LogLine] = []
        self.warning = ""
        """What to know about the game once it is loaded."""
        self._log = Logbook(self.game)
        self._seen = 0
        self._mark()

    @property
    def is_ready(self) -> bool:
        return len(self.moments) > len(self.answers)

    @property
    def progress(self) -> float:
        return len(self.moments) / (len(self.answers) + 1)

    def load(self, seconds: float = 0.05, clock: Callable[[], float] = time.perf_counter) -> None:
        """Go on loading for a moment; raises :class:`UserError` at an answer that does not fit."""
        until = clock() + seconds
        while not self.is_ready:
            self._step()
            if clock() >= until:
                break
        if self.is_ready:
            self.lines = self._log.lines
            last = self.recorded.entries[-1].digest if self.recorded.entries else self.recorded.header["start"]
            if not self.recorded.has_hashes or self.game.digest() != last:
                self.warning = f"Played again by the rules of now {made_by(self.recorded)}; it may differ."

    def _step(self) -> None:
        game = self.game
        number = len(game.answers)
        decision, answer = game.pending, self.answers[number]
        try:
            game.submit(answer)
        except IllegalAnswer as error:
            raise UserError(Problem(str(self.path), f"answer {number + 1} is not legal here: {error}")) from None
        assert decision is not None
        roll = None
        seat = str(decision.seat) if not is_deed(answer) else answer[1]
        if isinstance(decision, Roll) and not is_deed(answer):
            seat = decision.roller or ""
            roll = Rolled(number, decision.prompt, seat, answer, decision.about)
        words = told_answer(decision, answer)
        self.moments.append(
            ReplayMoment(number + 1, game.state.copy(), len(game.events), seat, decision.prompt, words, roll)
        )
        self._log.follow()
        self._mark()

    def _mark(self) -> None:
        """Note what was passed."""
        game = self.game
        for event in game.events[self._seen :]:
            if isinstance(event, (ActivationBegan, Incapacitated)):
                who = game.state.operatives[event.operative]
                is_activation = isinstance(event, ActivationBegan)
                text = who.name + (f" · {event.order}" if isinstance(event, ActivationBegan) else " is taken out")
                at = len(self.moments) - 1
                self.landmarks.append(Landmark(at, text, who.side, game.state.turning_point, is_activation))
        self._seen = len(game.events)

    def lines_until(self, moment: int) -> list[LogLine]:
        """The log as it was at a moment."""
        count = self.moments[moment].events
        return [line for line in self.lines if line.number < count]

    def lines_of(self, moment: int) -> list[LogLine]:
        """What the last answer before a moment brought about."""
        before = self.moments[moment - 1].events if moment else 0
        return [line for line in self.lines if before <= line.number < self.moments[moment].events]

    def walks_to(self, moment: int) -> tuple[ShownWalk, ...]:
        """The moves made by the last answer before a moment."""
        before, now = self.moments[moment - 1], self.moments[moment]
        return walks_in(self.game.events[before.events : now.events], stands_of(before.state))

    def next_activation(self, moment: int, by: int) -> int:
        """The nearest activation after (or before) a moment; the end (or beginning) when there is none."""
        found = [mark.moment for mark in self.landmarks if mark.is_activation]
        if by > 0:
            return min((at for at in found if at > moment), default=len(self.moments) - 1)
        return max((at for at in found if at < moment), default=0)


SPEEDS = (("0.5", "0.5x"), ("1", "1x"), ("2", "2x"), ("4", "4x"))
BUTTONS = (
    ("first", "first", "To the beginning (Home)"),
    ("last-activation", "skip-back", "To the activation before (Page up)"),
    ("step-back", "step-back", "One answer back (Left)"),
    ("play", "play", "Play and pause (Space)"),
    ("step-on", "step-on", "One answer on (Right)"),
    ("next-activation", "skip", "To the next activation (Page down)"),
    ("last", "last", "To the end (End)"),
)


@dataclass(frozen=True)
class Timeline:
    """Where the replay is: moment *now* of *count*; *turns* are the moments turning points begin at."""

    now: int
    count: int
    is_playing: bool
    speed: str
    turns: tuple[tuple[int, int], ...]
    marks: tuple[Landmark, ...]


def timeline(ui: Widgets, rect: Rect, data: Timeline) -> str | int | None:
    """Shows the controls. A button's name, ``speed-...``, the moment that was pointed at, or nothing."""
    k = ui.pen.size
    asked: str | int | None = None
    with ui.panel("timeline", rect):
        x, middle = rect.x + 12 * k, rect.y + rect.h / 2
        for name, icon, tip in BUTTONS:
            is_play = name == "play"
            wide = 52 * k if is_play else 38 * k
            shown = "pause" if is_play and data.is_playing else icon
            cell = Rect(x, middle - 22 * k, wide, 44 * k)
            if ui.button(cell, f"##{name}", icon=shown, primary=is_play, tip=tip):
                asked = name
            x += wide + 4 * k
        right = rect.right - 12 * k
        speed = ui.choice(Rect(right - 168 * k, middle + 2 * k, 168 * k, 32 * k), SPEEDS, data.speed, "speed")
        if speed is not None:
            asked = f"speed-{speed}"
        ui.text(right, middle - 18 * k, f"Answer {data.now} of {data.count - 1}", "strong", align=1)
        line = Rect(x + 14 * k, middle - 22 * k, right - 168 * k - 20 * k - x - 14 * k, 44 * k)
        moment = _line(ui, line, data)
        if moment is not None:
            asked = moment
    return asked


def _line(ui: Widgets, rect: Rect, data: Timeline) -> int | None:
    k = ui.pen.size
    most = max(1, data.count - 1)
    y = rect.y + rect.h * 0.62

    def at(moment: int) -> float:
        return rect.x + rect.w * moment / most

    starts = [(0, 0), *[(moment, number) for moment, number in data.turns if moment > 0]]
    for i, (moment, number) in enumerate(starts):
        end = starts[i + 1][0] if i + 1 < len(starts) else most
        ui.pen.box(Rect(at(moment) + 1, y - 4 * k, max(1.0, at(end) - at(moment) - 2), 8 * k), theme.HOVER, None, 1, 3)
        if at(end) - at(moment) > 34 * k:
            ui.text(at(moment) + 3, y - 18 * k, f"TP {number}" if number else "Set-up", "caption", theme.DIM)
    ui.pen.box(Rect(rect.x, y - 4 * k, max(1.0, at(data.now) - rect.x), 8 * k), theme.ACCENT, None, 1, 3)
    for mark in data.marks:
        if not mark.is_activation:
            ui.pen.seat(mark.seat, at(mark.moment), y, 11 * k)
    ui.pen.icon("disc", at(data.now), y, 22 * k, theme.TEXT)
    ui.pen.icon("disc", at(data.now), y, 10 * k, theme.INK)
    for moment, number in starts[1:]:
        ui.tip(Rect(at(moment) - 4 * k, y - 26 * k, 34 * k, 20 * k), f"Turning point {number} begins here")
    for mark in data.marks:
        if not mark.is_activation:
            place = Rect(at(mark.moment) - 7 * k, y - 8 * k, 14 * k, 16 * k)
            ui.place(f"mark-{mark.moment}", place)
            ui.tip(place, f"{mark.text}, turning point {mark.turning_point}, answer {mark.moment}")
    if ui.quiet(Rect(rect.x, y - 12 * k, rect.w, 24 * k), "scrub") or _is_dragged():
        share = (imgui.get_mouse_pos().x - rect.x) / rect.w
        return round(min(max(share, 0.0), 1.0) * most)
    return None


def _is_dragged() -> bool:
    return bool(imgui.is_item_active() and imgui.is_mouse_dragging(0, 1.0))


def activations(ui: Widgets, rect: Rect, marks: Sequence[Landmark], now: int) -> int | None:
    """Every activation, to jump to: the moment of the one pressed. The present one is kept in view unless the pointer
    is over the list."""
    k = ui.pen.size
    tall = 32 * k
    asked = None
    listed = [mark for mark in marks if mark.is_activation]
    heads = sorted({mark.turning_point for mark in listed})
    present = max((mark.moment for mark in listed if mark.moment <= now), default=-1)
    with ui.scrolled("activations", rect, len(listed) * (tall + 4 * k) + 26 * k * len(heads)) as top:
        y = top
        before = None
        for mark in listed:
            if mark.turning_point != before:
                before = mark.turning_point
                ui.text(rect.x + 2, y + 12 * k, f"Turning point {before}", "caption", theme.ACCENT)
                y += 26 * k
            row = Rect(rect.x, y, rect.w - SCROLLBAR - 2, tall)
            is_now = mark.moment == present
            if is_now and not (rect.y <= row.y and row.bottom <= rect.bottom) and not imgui.is_window_hovered():
                imgui.set_scroll_y(max(0.0, y - top - (rect.h - tall) / 2))
            if ui.button(row, f"{mark.text}##jump-{mark.moment}", seat=mark.seat, chosen=is_now, align=0):
                asked = mark.moment
            y += tall + 4 * k
    return asked
