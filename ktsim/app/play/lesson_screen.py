"""The first lesson in the window: the game itself, with what to do next and why above the table."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from ktsim import paths
from ktsim.app.play.game_screen import GameScreen
from ktsim.app.play.layout import PlayLayout, lay_out
from ktsim.app.play.match import BOT_PAUSE, Match
from ktsim.app.play.saves import HUMAN, Agreement
from ktsim.app.screens.dialogs import centred, progress
from ktsim.app.screens.screen import GAP, Host
from ktsim.app.stage.overlays import TEAL, Label, Overlay, Ring, ring
from ktsim.app.ui import theme
from ktsim.app.ui.pen import Rect
from ktsim.app.ui.widgets import Widgets
from ktsim.content.files import write_atomically
from ktsim.game.lesson import (
    DONE,
    FREE,
    LEARNER,
    READING,
    SETUP,
    STEPS,
    WAITING,
    Lesson,
    LessonDice,
    LessonEnemy,
    begin,
)
from ktsim.game.session import Session
from ktsim.rules.engine.decisions import Decision
from ktsim.rules.engine.state import inches
from ktsim.sight.scene import Base

NO_WAY_BACK = "In the lesson there is no way back; it goes on with what the panel above the table says."
ENEMY = "the lesson"


def is_taken() -> bool:
    """Whether somebody has been through the lesson."""
    return _mark().exists()


def _mark() -> Path:
    return paths.user_data() / "lesson-done"


class LessonMatch(Match):
    """A match in which only the right answers are taken; the lesson rolls the dice and plays the enemy."""

    def __init__(self, clock: Callable[[], float]) -> None:
        game = begin()
        self.lesson = Lesson(game)
        self._enemy = LessonEnemy()
        agreement = Agreement(red=ENEMY, blue=HUMAN)
        super().__init__(Session(game, SETUP), agreement, None, chance=LessonDice(), clock=clock)

    def _submit(self, answer: Any) -> bool:
        decision = self.decision
        assert decision is not None
        is_legal = decision.seat == LEARNER and decision.check(answer) is None
        if is_legal and (why := self.lesson.refuses(answer)) is not None:
            self.notice = why
            self.intended.stop()
            self.version += 1
            return False
        taken = super()._submit(answer)
        if taken:
            self.lesson.given(decision.topic, decision.seat)
            if self.lesson.is_done:
                _mark().parent.mkdir(parents=True, exist_ok=True)
                write_atomically(_mark(), b"")
        return taken

    def _answer_by_itself(self, decision: Decision[Any]) -> bool:
        return not self.lesson.is_done and super()._answer_by_itself(decision)

    def _answer_by_bot(self, decision: Decision[Any]) -> bool:
        if not self._submit(self._enemy.answer(decision, self.game)):
            return False
        self.shown.show(BOT_PAUSE)
        return True

    def ask_hint(self, bot: str) -> None:
        self.notice = self.lesson.words[1]
        self.version += 1

    @property
    def may_step_back(self) -> bool:
        return False

    def undo(self, *, is_agreed: bool = False) -> bool:
        self.notice = NO_WAY_BACK
        return False

    def redo(self) -> bool:
        return self.undo()


class LessonScreen(GameScreen):
    """The game of the lesson. *then* are what may be done after it: a name, a title, an icon, and how."""

    name = "lesson"
    match: LessonMatch

    def __init__(self, desktop: Host, then: tuple[tuple[str, str, str, Callable[[], object]], ...]) -> None:
        match = LessonMatch(desktop.clock)
        super().__init__(desktop, match)
        self.lesson, self.then = match.lesson, then
        self.table.extra = self._marks
        self.table.resize(self.layout.free())

    @property
    def layout(self) -> PlayLayout:
        full = lay_out(self.desktop.size, self.desktop.pen.size)
        middle, tall = full.middle, self._tall(full.middle.w) + GAP
        return replace(full, middle=Rect(middle.x, middle.y + tall, middle.w, middle.h - tall))

    def _tall(self, width: float) -> float:
        """As tall as the longest of its texts needs, so that the table stays where it is."""
        pen = self.desktop.pen
        texts = (*(step.text for step in STEPS), *FREE.values(), WAITING)
        return max(pen.measure(text, "body", width - 32 * pen.size)[1] for text in texts) + 50 * pen.size

    def _marks(self) -> list[Overlay]:
        """Whom and where to look at."""
        step = self.lesson.step
        if step is None:
            return []
        scene = self.table.scene()
        items: list[Overlay] = [
            ring(one, 0.2, colour=TEAL, width=0.1) for one in scene.operatives if one.id in step.look
        ]
        if step.spot is not None:
            x, y, level = (inches(each) for each in step.spot)
            items.append(Ring(x, y, level, Base(0.7, 0.7), 0.0, 0.05, colour=TEAL, width=0.14, fill=50))
            items.append(Label((x, y, level + 0.2), "Here", "target"))
        return items

    def draw(self, ui: Widgets) -> None:
        super().draw(ui)
        if self.is_preparing:
            return
        k = ui.pen.size
        full = lay_out(self.desktop.size, k).middle
        rect = Rect(full.x, full.y, full.w, self._tall(full.w))
        title, text = ("The enemy", READING) if self.match.is_read else self.lesson.words
        with ui.panel("lesson", rect):
            x, width = rect.x + 16 * k, rect.w - 32 * k
            number = min(self.lesson.number + 1, len(STEPS))
            ui.pen.icon("bulb", x + 8 * k, rect.y + 20 * k, 18 * k, theme.ACCENT)
            count = f"{number} of {len(STEPS)}"
            ui.text(rect.right - 16 * k, rect.y + 20 * k, count, "caption", theme.DIM, align=1)
            ui.text(x + 26 * k, rect.y + 20 * k, ui.pen.fitted(title, "h3", width - 110 * k), "h3")
            shown = "" if self.lesson.is_done and not self.match.is_read else text
            ui.paragraph(x, rect.y + 36 * k, width, shown, "body")
            progress(ui, Rect(x, rect.bottom - 8 * k, width, 3 * k), self.lesson.number / len(STEPS))
        if self.lesson.is_done and not self.match.is_read:
            self._draw_done(ui)

    def _draw_done(self, ui: Widgets) -> None:
        k = ui.pen.size
        rect = centred(self.desktop.size, 560 * k, 290 * k)
        with ui.panel("lesson-done", rect, alpha=1.0):
            x, width = rect.x + 28 * k, rect.w - 56 * k
            ui.text(x, rect.y + 38 * k, "You have played", "h2")
            y = rect.y + 62 * k + ui.paragraph(x, rect.y + 62 * k, width, DONE) + 16 * k
            for i, (name, words, icon, run) in enumerate(self.then):
                row = Rect(x, y + i * 46 * k, width, 40 * k)
                if ui.button(row, f"{words}##{name}", primary=i == 0, icon=icon):
                    self.desktop.later(lambda run=run: self._leave(run))  # type: ignore[misc]

    def _leave(self, run: Callable[[], object]) -> None:
        self.desktop.pop(self)
        run()

    def summary(self) -> dict[str, str]:
        return {**super().summary(), "step": str(self.lesson.number), "done": "yes" if self.lesson.is_done else "no"}
