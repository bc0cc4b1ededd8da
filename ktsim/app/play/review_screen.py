"""The review of a game over its replay: the curve, the dearest decisions, what was luck, and playing from there."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from ktsim.app.screens.dialogs import progress
from ktsim.app.screens.screen import Held, Host, Screen
from ktsim.app.ui import theme
from ktsim.app.ui.pen import Rect
from ktsim.app.ui.widgets import SCROLLBAR, Widgets
from ktsim.errors import UserError
from ktsim.game.review.keeping import Reviewer
from ktsim.game.review.review import GameReview, ReviewedActivation, SideStatistics
from ktsim.rules.engine.state import Side

MARGIN = 20.0
SIDES: tuple[Side, Side] = ("blue", "red")
ROWS: tuple[tuple[str, str, Callable[[GameReview, Side], str]], ...] = (
    ("Lost by choice", "VP lost against the best plan found, all activations together", lambda r, s: _vp(r, s, "loss")),
    ("Luck", "VP the dice gave beyond what was to be expected", lambda r, s: _vp(r, s, "luck")),
    ("Activations", "", lambda r, s: str(_of(r, s).activations)),
    ("AP unspent", "AP left at the end of activations", lambda r, s: str(_of(r, s).ap_unspent)),
    ("Shots, fights", "", lambda r, s: f"{_of(r, s).shots}, {_of(r, s).fights}"),
    ("Shot in the open", "Shots suffered without cover and not obscured", lambda r, s: str(_of(r, s).suffered_in_open)),
    (
        "Damage, expected",
        "Damage inflicted, and what the odds made one expect",
        lambda r, s: f"{_of(r, s).damage_rolled}, {_of(r, s).damage_expected:.0f}",
    ),
    ("Incapacitated", "Enemies taken out by attacks", lambda r, s: str(_of(r, s).incapacitated)),
    (
        "Objectives held",
        "At the end of each turning point",
        lambda r, s: " ".join(map(str, _of(r, s).objectives)) or "-",
    ),
)


def _of(found: GameReview, side: Side) -> SideStatistics:
    return found.statistics[side]


def _vp(found: GameReview, side: Side, what: str) -> str:
    return f"{found.total(side, 'loss'):.1f}" if what == "loss" else f"{found.total(side, 'luck'):+.1f}"


class ReviewScreen(Screen):
    """Over the replay of the game in *path*: *show* goes to an activation there, *play* asks how to play from it."""

    name = "review"
    is_dialog = True

    def __init__(
        self,
        desktop: Host,
        path: Path,
        show: Callable[[ReviewedActivation], None],
        play: Callable[[ReviewedActivation], None],
    ) -> None:
        super().__init__(desktop)
        self.path, self.show, self.play = path, show, play
        self.reviewer = Reviewer(path)
        self.side: Side | None = None
        """Whose decisions are listed; both unless one is chosen."""

    # ---- making ---------------------------------------------------------------------------------------------
    @property
    def review(self) -> GameReview | None:
        return self.reviewer.review

    def attend(self) -> None:
        reviewer = self.reviewer
        if reviewer.take_in():
            self.desktop.refresh()
        if reviewer.fault is not None:
            fault, reviewer.fault = reviewer.fault, None
            self.desktop.show_fault(fault)
        if reviewer.problem:
            problem, reviewer.problem = reviewer.problem, ""
            self.desktop.pop(self)
            raise UserError(problem)

    def stop(self) -> None:
        """Judge no more for now; what is judged is kept."""
        self.reviewer.stop()
        self.desktop.refresh()

    def go_on(self) -> None:
        self.reviewer = Reviewer(self.path)
        self.desktop.refresh()

    def close(self) -> None:
        self.reviewer.stop()

    def dearest(self) -> list[ReviewedActivation]:
        """The dearest decisions of what is judged so far."""
        found = self.review or GameReview(tuple(self.reviewer.activations), (), {}, {})
        return found.dearest(self.side)

    # ---- input and panels -----------------------------------------------------------------------------------
    def key(self, key: str, held: Held) -> None:
        listed = self.dearest()
        if key.isdecimal() and 1 <= int(key) <= len(listed):
            self.show(listed[int(key) - 1])
        elif key == "s" and self.reviewer.is_at_work:
            self.stop()
        elif key in ("a", "b", "r"):
            self.side = {"b": "blue", "r": "red"}.get(key)  # type: ignore[assignment]
            self.desktop.refresh()

    def draw(self, ui: Widgets) -> None:
        k = ui.pen.size
        w, h = self.desktop.size
        rect = Rect(MARGIN, MARGIN, w - 2 * MARGIN, h - 2 * MARGIN)
        with ui.panel("review", rect, alpha=1.0):
            x, width = rect.x + 24 * k, rect.w - 48 * k
            ui.text(x, rect.y + 34 * k, "Review", "h2")
            close = Rect(rect.right - 24 * k - 100 * k, rect.y + 16 * k, 100 * k, 36 * k)
            if ui.button(close, "Close##close", key="Esc"):
                self.desktop.later(lambda: self.desktop.pop(self))
            self._draw_state(ui, Rect(x + 110 * k, rect.y + 16 * k, close.x - x - 126 * k, 36 * k))
            top = rect.y + 66 * k
            tall = min(170 * k, 0.22 * rect.h)
            self._draw_curve(ui, Rect(x, top, width, tall))
            body = top + tall + 16 * k
            right = min(330 * k, 0.36 * width)
            self._draw_dearest(ui, Rect(x, body, width - right - 24 * k, rect.bottom - 16 * k - body))
            self._draw_statistics(ui, Rect(rect.right - 24 * k - right, body, right, rect.bottom - 16 * k - body))

    def _draw_state(self, ui: Widgets, rect: Rect) -> None:
        """How far it is, or what came of it."""
        k = ui.pen.size
        y, found = rect.y + rect.h / 2, self.review
        if found is not None:
            said = found.note or "What was done against the best plan found at that moment, by the odds; in VP."
            ui.text(rect.x, y, ui.pen.fitted(said, "body", rect.w), "body", theme.SOFT)
            ui.tip(rect, said)
            return
        label, name = ("Stop", "stop") if self.reviewer.is_at_work else ("Go on", "go-on")
        button = Rect(rect.right - 110 * k, rect.y, 110 * k, rect.h)
        if ui.button(button, f"{label}##{name}", key="S" if name == "stop" else ""):
            self.desktop.later(self.stop if name == "stop" else self.go_on)
        words = f"{len(self.reviewer.activations)} activations judged"
        ui.text(rect.x, y, words, "body", theme.SOFT)
        bar = Rect(rect.x + 190 * k, y - 5 * k, button.x - rect.x - 206 * k, 10 * k)
        progress(ui, bar, self.reviewer.progress)

    def _draw_curve(self, ui: Widgets, rect: Rect) -> None:
        """What the table was worth before each activation: blue's above, red's below."""
        k = ui.pen.size
        ui.pen.box(rect, theme.RAISED)
        judged = self.reviewer.activations
        curve = self.review.curve if self.review is not None else tuple(each.standing for each in judged)
        inner = Rect(rect.x + 12 * k, rect.y + 24 * k, rect.w - 24 * k, rect.h - 34 * k)
        middle = inner.y + inner.h / 2
        ui.text(inner.x, rect.y + 12 * k, "WHO IS AHEAD, IN EXPECTED VP", "caption", theme.DIM)
        ui.pen.box(Rect(inner.x, middle, inner.w, 1), theme.LINE, None, 1, 0)
        if not curve:
            return
        most = max(2.0, *(abs(each) for each in curve))
        ends = {"blue": f"blue +{most:.0f}", "red": f"red +{most:.0f}"}
        ui.text(rect.right - 12 * k, rect.y + 12 * k, ends["blue"], "caption", theme.seat_colour("blue"), align=1)
        ui.text(rect.right - 12 * k, rect.bottom - 10 * k, ends["red"], "caption", theme.seat_colour("red"), align=1)
        step = inner.w / len(curve)
        dearest = {each.number: place for place, each in enumerate(self.dearest(), 1)}
        before = 0
        for i, worth in enumerate(curve):
            x, high = inner.x + i * step, abs(worth) / most * inner.h / 2
            column = Rect(x + 1, middle if worth > 0 else middle - high, max(1.0, step - 2), max(1.0, high))
            ui.pen.box(column, theme.seat_colour("red" if worth > 0 else "blue"), None, 0.85, 0)
            if i >= len(judged):
                ui.tip(Rect(x, inner.y, step, inner.h), f"At the end: {_ahead(worth)}")
                continue
            each = judged[i]
            if each.turning_point != before:
                before = each.turning_point
                ui.pen.box(Rect(x, inner.y, 1, inner.h), theme.LINE, None, 1, 0)
                ui.text(x + 4 * k, inner.bottom - 6 * k, f"TP {before}", "caption", theme.DIM)
            whole = Rect(x, inner.y, step, inner.h)
            if each.number in dearest:
                ui.pen.icon("disc", x + step / 2, inner.y + 8 * k, 20 * k, theme.NO)
                ui.text(x + step / 2, inner.y + 8 * k, str(dearest[each.number]), "caption", theme.INK, align=0.5)
            if ui.quiet(whole, f"moment-{each.number}", tip=f"{each.number}. {each.words} {_ahead(worth)}"):
                self.desktop.later(lambda each=each: self.show(each))  # type: ignore[misc]

    def _draw_dearest(self, ui: Widgets, rect: Rect) -> None:
        k = ui.pen.size
        ui.text(rect.x, rect.y + 14 * k, "THE DEAREST DECISIONS", "caption", theme.DIM)
        whose = (("", "Both"), ("blue", "Blue"), ("red", "Red"))
        wide = min(230 * k, 0.55 * rect.w)
        cell = Rect(rect.right - wide, rect.y, wide, 30 * k)
        chosen = ui.choice(cell, whose, self.side or "", "whose")
        if chosen is not None:
            self.side = {"blue": "blue", "red": "red"}.get(chosen)  # type: ignore[assignment]
        listed = self.dearest()
        top = rect.y + 38 * k
        body = Rect(rect.x, top, rect.w, rect.bottom - top)
        if not listed:
            words = "Nothing cost much." if self.review is not None else "They are listed as they are found."
            ui.paragraph(body.x, body.y + 4 * k, body.w, words, "body", theme.SOFT)
            return
        wrap = body.w - SCROLLBAR - 28 * k
        heights = [_height(ui, each, wrap) for each in listed]
        with ui.scrolled("dearest", body, sum(heights) + 8 * k * len(heights)) as y:
            for number, (each, tall) in enumerate(zip(listed, heights, strict=True), 1):
                self._draw_card(ui, Rect(body.x, y, body.w - SCROLLBAR - 4, tall), number, each)
                y += tall + 8 * k

    def _draw_card(self, ui: Widgets, rect: Rect, number: int, each: ReviewedActivation) -> None:
        k = ui.pen.size
        ui.pen.box(rect, theme.RAISED)
        x, width = rect.x + 12 * k, rect.w - 24 * k
        ui.pen.seat(each.side, x + 7 * k, rect.y + 18 * k, 13 * k)
        cost = f"{each.loss:.1f} VP"
        ui.text(rect.right - 12 * k, rect.y + 18 * k, cost, "strong", theme.NO, align=1)
        room = width - 30 * k - ui.pen.measure(cost, "strong")[0]
        title = f"{number}. {each.name}, turning point {each.turning_point}"
        ui.text(x + 20 * k, rect.y + 18 * k, ui.pen.fitted(title, "strong", room), "strong")
        y = rect.y + 32 * k
        y += ui.paragraph(x, y, width, f"Done: {each.did}.", "body", theme.SOFT) + 4 * k
        y += ui.paragraph(x, y, width, f"Better: {each.better}", "body") + 6 * k
        half = min(190 * k, (width - 8 * k) / 2)
        if ui.button(Rect(x, y, half, 34 * k), f"Show##show-{number}", icon="eye", key=str(number)):
            self.desktop.later(lambda: self.show(each))
        if ui.button(Rect(x + half + 8 * k, y, half, 34 * k), f"Play from here##play-{number}", icon="person"):
            self.desktop.later(lambda: self.play(each))

    def _draw_statistics(self, ui: Widgets, rect: Rect) -> None:
        k, found = ui.pen.size, self.review
        columns = {"blue": rect.right - 74 * k, "red": rect.right - SCROLLBAR}
        for side, x in columns.items():
            ui.pen.seat(side, x - 8 * k, rect.y + 14 * k, 13 * k)
        ui.text(rect.x, rect.y + 14 * k, "IN ALL", "caption", theme.DIM)
        body = Rect(rect.x, rect.y + 30 * k, rect.w, rect.h - 30 * k)
        if found is None:
            ui.paragraph(body.x, body.y + 4 * k, body.w, "Comes at the end.", "body", theme.SOFT)
            return
        tall = 28 * k
        with ui.scrolled("statistics", body, len(ROWS) * tall) as top:
            for i, (title, tip, read) in enumerate(ROWS):
                y = top + i * tall + tall / 2
                row = Rect(body.x, y - tall / 2, body.w - SCROLLBAR, tall)
                if i % 2 == 0:
                    ui.pen.box(row, theme.RAISED, None, 1, 4)
                room = columns["blue"] - body.x - 62 * k
                ui.text(body.x + 6 * k, y, ui.pen.fitted(title, "label", room), "label", theme.SOFT)
                for side in SIDES:
                    ui.text(columns[side] - 2 * k, y, read(found, side), "label", align=1)
                if tip:
                    ui.tip(row, tip, at_left=True)

    def summary(self) -> dict[str, str]:
        state = "done" if self.review is not None else "working" if self.reviewer.is_at_work else "stopped"
        return {"review": state, "judged": str(len(self.reviewer.activations))}


def _height(ui: Widgets, each: ReviewedActivation, wrap: float) -> float:
    k = ui.pen.size
    said = (f"Done: {each.did}.", f"Better: {each.better}")
    return sum(ui.pen.measure(text, "body", wrap)[1] for text in said) + 88 * k


def _ahead(worth: float) -> str:
    if abs(worth) < 0.05:
        return "Nobody is ahead."
    return f"{'Red' if worth > 0 else 'Blue'} is ahead by {abs(worth):.1f} VP."
