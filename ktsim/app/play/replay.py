"""A saved game to be watched: every moment of it, loaded a little at a time."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from ktsim.app.play.logbook import Logbook, LogLine
from ktsim.app.play.prompt import told_answer
from ktsim.app.play.tray import Rolled
from ktsim.app.play.walking import ShownWalk, stands_of, walks_in
from ktsim.errors import Problem, UserError
from ktsim.game import journal
from ktsim.game.game import Game, IllegalAnswer
from ktsim.game.record import beginning, made_by
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
        seat = str(decision.seat)
        if isinstance(decision, Roll):
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
