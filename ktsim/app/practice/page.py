"""The page *Practise*: what is asked, how one gets on rule by rule, and the next question."""

from __future__ import annotations

from datetime import date
from random import Random

from ktsim.app.practice.drill_screen import DrillScreen
from ktsim.app.ruling.verdict import rule_words
from ktsim.app.screens.dialogs import centred
from ktsim.app.screens.screen import Held, Host, Screen
from ktsim.app.ui import theme
from ktsim.app.ui.pen import Rect
from ktsim.app.ui.widgets import SCROLLBAR, Widgets
from ktsim.errors import UserError
from ktsim.game.drills.drill import Drill, Marked
from ktsim.game.drills.making import DrillMaker
from ktsim.game.drills.progress import WAITS, RuleProgress, load_progress, save_progress
from ktsim.game.drills.register import KINDS
from ktsim.sight import rulebook

KEPT = 5
"""Questions kept ready, of which the one about the weakest rule is asked."""


class PracticeScreen(Screen):
    """Has questions made beside the window as long as it is open, and asks them on a `DrillScreen` over it."""

    name = "practice"
    is_dialog = True

    def __init__(self, desktop: Host, seed: str = "") -> None:
        super().__init__(desktop)
        self.progress = load_progress()
        self.maker = DrillMaker(seed or str(Random().getrandbits(48)))
        self.stock: list[Drill] = []
        self.kind = ""
        """The only kind that is asked, if any."""
        self.is_waiting = False
        """Whether a question is wanted that is not there yet."""
        self._is_stopped = False
        self._asked: DrillScreen | None = None

    # ---- making ---------------------------------------------------------------------------------------------
    @property
    def ready(self) -> list[Drill]:
        """The questions there are of what is asked."""
        return [drill for drill in self.stock if self.kind in ("", drill.kind)]

    def attend(self) -> None:
        found = self.maker.take_in()
        self.stock += found
        if found:
            self.desktop.refresh()
        if self.is_waiting and self.ready:
            self.next()
        maker = self.maker
        if maker.problem or maker.fault is not None:
            self.stop()
            problem, fault, maker.problem, maker.fault = maker.problem, maker.fault, "", None
            if fault is not None:
                self.desktop.show_fault(fault)
            raise UserError(problem) if problem else UserError("No question could be made; Next question tries again.")
        is_short = len(self.ready) < KEPT and not maker.wanted
        if is_short and not self._is_stopped and self.desktop.may_rule():
            maker.ask((self.kind,) if self.kind else ())

    def stop(self) -> None:
        """Wait for no question, and have none made until one is wanted."""
        self.maker.stop()
        self.is_waiting, self._is_stopped = False, True
        self.desktop.refresh()

    def choose(self, kind: str) -> None:
        """Ask this kind only, or all."""
        if kind != self.kind:
            self.kind, self.is_waiting, self._is_stopped = kind, False, False
            self.maker.stop()
            self.desktop.refresh()

    def close(self) -> None:
        self.maker.stop()

    # ---- asking ---------------------------------------------------------------------------------------------
    def next(self) -> None:
        """Ask the next question, as soon as there is one: weak rules first."""
        if not self.desktop.may_rule():
            raise UserError("Questions come as soon as the sight engine is ready.")
        self._is_stopped = False
        self.is_waiting = not self.ready
        self.desktop.refresh()
        if self.is_waiting:
            return
        drill = self.progress.next_of(self.ready, date.today())
        self.stock.remove(drill)
        if self._asked is None or not self.desktop.has(self._asked):
            self._asked = DrillScreen(self.desktop, self, drill)
            self.desktop.push(self._asked)
        else:
            self._asked.ask(drill)

    def answered(self, drill: Drill, marked: Marked) -> None:
        """Remember an answer."""
        self.progress.record(drill, marked.is_right, date.today())
        save_progress(self.progress)

    def status(self) -> str:
        """How far the making of questions is, in words."""
        if not self.desktop.may_rule():
            return "Questions come as soon as the sight engine is ready."
        if self.is_waiting:
            return "Looking for a question in games of bots ..."
        count = len(self.ready)
        more = ", more coming" if self.maker.wanted else ""
        return f"{count or 'No'} question{'s' if count != 1 else ''} ready{more}"

    # ---- input and panels -----------------------------------------------------------------------------------
    def key(self, key: str, held: Held) -> None:
        if key == "enter":
            self.next()
        elif key == "s" and self.is_waiting:
            self.stop()
        elif key == "0":
            self.choose("")
        elif key.isdecimal() and int(key) <= len(KINDS):
            self.choose(list(KINDS)[int(key) - 1])

    def draw(self, ui: Widgets) -> None:
        k = ui.pen.size
        rect = centred(self.desktop.size, 960 * k, 600 * k)
        progress = self.progress
        with ui.panel("practice", rect, alpha=1.0):
            x, width = rect.x + 28 * k, rect.w - 56 * k
            ui.text(x, rect.y + 36 * k, "Practise", "h2")
            run = f"{progress.streak} right in a row, {progress.best_streak} at best"
            ui.text(x + 130 * k, rect.y + 37 * k, run, "body", theme.SOFT)
            close = Rect(rect.right - 28 * k - 100 * k, rect.y + 18 * k, 100 * k, 36 * k)
            if ui.button(close, "Close##close", key="Esc"):
                self.desktop.later(lambda: self.desktop.pop(self))
            half = (width - 24 * k) / 2
            top, foot = rect.y + 72 * k, rect.bottom - 60 * k
            self._draw_kinds(ui, Rect(x, top, half, foot - 12 * k - top))
            self._draw_rules(ui, Rect(x + half + 24 * k, top, half, foot - 12 * k - top))
            if ui.button(Rect(x, foot, 220 * k, 42 * k), "Next question##next", primary=True, key="Enter"):
                self.desktop.later(self.next)
            ui.text(x + 240 * k, foot + 21 * k, self.status(), "body", theme.SOFT)
            stop = Rect(rect.right - 28 * k - 120 * k, foot, 120 * k, 42 * k)
            if self.is_waiting and ui.button(stop, "Stop##stop", key="S"):
                self.desktop.later(self.stop)

    def _draw_kinds(self, ui: Widgets, rect: Rect) -> None:
        k = ui.pen.size
        ui.text(rect.x, rect.y + 6 * k, "WHAT IS ASKED", "caption", theme.DIM)
        tall = min(44 * k, (rect.h - 20 * k) / (len(KINDS) + 1) - 6 * k)
        titles = [("", "Everything"), *((kind.name, kind.title) for kind in KINDS.values())]
        for i, (name, title) in enumerate(titles):
            row = Rect(rect.x, rect.y + 20 * k + i * (tall + 6 * k), rect.w, tall)
            label = f"{title}##kind-{name or 'all'}"
            if ui.button(row, label, chosen=name == self.kind, key=str(i), align=0):
                self.desktop.later(lambda name=name: self.choose(name))  # type: ignore[misc]

    def _draw_rules(self, ui: Widgets, rect: Rect) -> None:
        k = ui.pen.size
        ui.text(rect.x, rect.y + 6 * k, "RULES, THE WEAKEST FIRST", "caption", theme.DIM)
        body = Rect(rect.x, rect.y + 20 * k, rect.w, rect.h - 20 * k)
        words = self.progress.note or "Nothing was practised yet."
        if self.progress.note or not self.progress.rules:
            told = ui.paragraph(body.x, body.y + 4 * k, body.w, words, "body", theme.SOFT) + 12 * k
            body = Rect(body.x, body.y + told, body.w, body.h - told)
        rows, tall = self.progress.weakest(), 50 * k
        with ui.scrolled("practised", body, len(rows) * (tall + 6 * k)) as top:
            for i, (rule, kept) in enumerate(rows):
                row = Rect(body.x, top + i * (tall + 6 * k), body.w - SCROLLBAR - 4, tall)
                _draw_rule(ui, row, rule, kept)

    def summary(self) -> dict[str, str]:
        return {"kind": self.kind or "all", "ready": str(len(self.ready)), "waiting": str(self.is_waiting)}


def _draw_rule(ui: Widgets, row: Rect, rule: str, kept: RuleProgress) -> None:
    k = ui.pen.size
    ui.pen.box(row, theme.RAISED)
    ui.tip(row, rule_words(rule))
    known = rulebook.entries().get(rule)
    room = row.w - 130 * k
    ui.text(row.x + 12 * k, row.y + 17 * k, ui.pen.fitted(known.title if known else rule, "strong", room), "strong")
    days = kept.due - date.today().toordinal()
    due = "due now" if days <= 0 else "due tomorrow" if days == 1 else f"due in {days} days"
    words = f"{rule} · {kept.right} right, {kept.wrong} wrong · {due}"
    ui.text(row.x + 12 * k, row.y + 36 * k, ui.pen.fitted(words, "caption", room), "caption", theme.SOFT)
    for box in range(len(WAITS)):
        cell = Rect(row.right - 106 * k + box * 19 * k, row.y + row.h / 2 - 7 * k, 15 * k, 14 * k)
        ui.pen.box(cell, theme.ACCENT if box <= kept.box else theme.INK, theme.LINE, radius=3)
