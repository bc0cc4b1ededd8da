"""The ruling beside the table: the verdict first, then why, rule by rule; and both editions side by side."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypeAlias

from ktsim.app.card.drawing import banner
from ktsim.app.card.layout import rule_icon
from ktsim.app.card.view import EDITION_NAMES, RulingView, inches, verdict, view_of
from ktsim.app.ruling.model import TableModel
from ktsim.app.screens.dialogs import centred, progress
from ktsim.app.screens.screen import Host, Screen
from ktsim.app.ui import theme
from ktsim.app.ui.pen import Rect
from ktsim.app.ui.widgets import Widgets
from ktsim.sight import rulebook
from ktsim.sight.ruling import ruling
from ktsim.sight.scene import EDITIONS, Scene

VerdictAction: TypeAlias = Literal["swap", "copy", "export", "best"]


def verdict_banner(ui: Widgets, rect: Rect, view: RulingView) -> None:
    """The answer over the table, to be read from two metres."""
    with ui.panel("banner", rect, fill=None):
        ui.said.append(verdict(view))
        banner(ui.pen, rect, view, verdict(view), view.sentence)


def prompt(ui: Widgets, rect: Rect, text: str, stage: tuple[int, int] | None = None) -> None:
    """The next step, where the verdict will be; with a *stage* (its number, of how many) how far something has got."""
    k = ui.pen.size
    text = f"{text}: {stage[0]} of {stage[1]}" if stage is not None else text
    w = min(rect.w, ui.pen.measure(text, "h3")[0] + 32)
    box = Rect(rect.x + (rect.w - w) / 2, rect.y, w, (44 + (14 if stage is not None else 0)) * k)
    with ui.panel("prompt", box):
        ui.text(box.x + 16, box.y + 22 * k, ui.pen.fitted(text, "h3", w - 32), "h3")
        if stage is not None:
            progress(ui, Rect(box.x + 16, box.y + 40 * k, w - 32, 8 * k), (stage[0] - 1) / stage[1])
        ui.tip(box, text)


NOBODY = "It appears here as soon as one operative can be asked about another, and follows every change."
PREPARING = "It appears here when the sight engine is ready: in a minute or two, on the first start only."


def verdict_panel(
    ui: Widgets,
    rect: Rect,
    scene: Scene,
    view: RulingView | None,
    best: RulingView | None,
    *,
    is_preparing: bool = False,
) -> VerdictAction | None:
    """Who shoots at whom, every reason with its rule and numbers, and what to do with the ruling. *best* is the ruling
    from the shooter's best point when *view* is from another one. There is no view while nobody can be asked about, or
    the sight engine *is_preparing*."""
    asked: VerdictAction | None = None
    k = ui.pen.size
    with ui.panel("verdict", rect):
        x, right = rect.x + 14 * k, rect.right - 14 * k
        if view is None:
            ui.text(x, rect.y + 24 * k, "No ruling yet", "h3")
            ui.paragraph(x, rect.y + 44 * k, right - x, PREPARING if is_preparing else NOBODY, "body", theme.SOFT)
            return None
        y = rect.y + 24 * k
        _pair(ui, x, right, y, scene, view)
        y += 30 * k
        at = x + ui.pen.pill(x, y, f"{view.order.capitalize()} order", view.order) + 8
        ui.pen.pill(at, y, EDITION_NAMES[view.edition], "book")
        y += 20 * k
        if best is not None and best is not view:
            tall = _tried(ui, Rect(x, y, right - x, 0.0), view, best)
            if ui.button(Rect(x, y + tall, right - x, 32 * k), "Back to the best point##best", key="Esc"):
                asked = "best"
            y += tall + 40 * k
        foot = rect.bottom - 12 * k - 40 * k
        reasons(ui, Rect(x, y, rect.right - 6 - x, foot - y - 8), view, "reasons")
        third = (right - x - 16) / 3
        buttons: tuple[tuple[VerdictAction, str, str], ...] = (
            ("swap", "Swap", "The shot the other way (X)"),
            ("copy", "Copy text", "The ruling in words, to the clipboard (Ctrl+C)"),
            ("export", "Export", "The ruling as a picture, a PNG card (Ctrl+E)"),
        )
        for i, (action, label, tip) in enumerate(buttons):
            cell = Rect(x + i * (third + 8), foot, third, 40 * k)
            if ui.button(cell, f"{label}##{action}", primary=action == "export", tip=tip):
                asked = action
    return asked


def _pair(ui: Widgets, x: float, right: float, y: float, scene: Scene, view: RulingView) -> None:
    measured = inches(view.distance)
    k = ui.pen.size
    room = (right - x - ui.pen.measure(measured, "h3")[0] - 84 * k) / 2
    ui.pen.seat(scene.operative(view.shooter).team, x + 7 * k, y, 14 * k)
    at = x + 20 * k + ui.text(x + 20 * k, y, ui.pen.fitted(view.shooter, "h3", room), "h3") + 10 * k
    ui.pen.icon("arrow", at + 6 * k, y, 13 * k, theme.DIM)
    ui.pen.seat(scene.operative(view.target).team, at + 28 * k, y, 14 * k)
    ui.text(at + 40 * k, y, ui.pen.fitted(view.target, "h3", room), "h3")
    ui.text(right, y, measured, "h3", align=1)


def _tried(ui: Widgets, rect: Rect, view: RulingView, best: RulingView) -> float:
    """That the ruling shown is from a point somebody tries, and what the best one gives: a warning where that differs.
    Returns its height."""
    k = ui.pen.size
    is_same = view.sentence == best.sentence
    given = "the same" if is_same else best.sentence
    words = f"This is from the point you chose on the base. The best point gives: {given}{'.' if is_same else ''}"
    icon, colour, edge = ("target", theme.DIM, theme.LINE) if is_same else ("warning", theme.NO, theme.NO)
    tall = ui.pen.measure(words, "caption", rect.w - 32 * k)[1] + 14 * k
    box = Rect(rect.x, rect.y, rect.w, tall)
    ui.pen.box(box, theme.INK, edge)
    ui.pen.icon(icon, box.x + 15 * k, box.y + tall / 2, 15 * k, colour)
    ui.paragraph(box.x + 28 * k, box.y + 7 * k, rect.w - 32 * k, words, "caption")
    return tall + 8 * k


def reasons(ui: Widgets, rect: Rect, view: RulingView, name: str) -> None:
    """Every reason with its rule; pointing at one shows what the rule says."""
    k = ui.pen.size
    width = rect.w - 10
    room = width - 48 * k
    heights = [ui.pen.measure(text, "body", room)[1] + 34 * k for _, text in view.reasons]
    head = ui.pen.measure(view.sentence, "strong", width)[1] + 10
    with ui.scrolled(name, rect, head + sum(heights) + 6 * len(heights)) as top:
        ui.paragraph(rect.x, top, width, view.sentence, "strong")
        y = top + head
        for (rule, text), tall in zip(view.reasons, heights, strict=True):
            row = Rect(rect.x, y, width, tall)
            ui.pen.box(row, theme.RAISED)
            ui.pen.icon(rule_icon(rule), row.x + 20 * k, row.y + 20 * k, 18 * k, theme.SOFT)
            ui.paragraph(row.x + 40 * k, row.y + 7 * k, room, text)
            ui.text(row.x + 40 * k, row.bottom - 13 * k, rule, "caption", theme.DIM)
            if row.y < rect.bottom and row.bottom > rect.y:
                ui.place(f"{name}-{rule}", row)
                ui.tip(row, rule_words(rule))
            y += tall + 6


def rule_words(rule: str) -> str:
    """What a rule is called and says."""
    known = rulebook.entries().get(rule)
    return f"{rule}: {known.title}\n{known.text}" if known is not None else ""


class CompareScreen(Screen):
    """Rulings on the chosen pair as the table stands. Raises UserError, from the rules, when there is none."""

    name = "compare"
    is_dialog = True

    def __init__(self, desktop: Host, model: TableModel) -> None:
        super().__init__(desktop)
        state = model.state
        assert state.shooter is not None
        assert state.target is not None
        asked = [ruling(model.scene, state.shooter, state.target, edition, state.file.weapon) for edition in EDITIONS]
        self.views = [view_of(found) for found in asked]

    def draw(self, ui: Widgets) -> None:
        k = ui.pen.size
        rect = centred(self.desktop.size, 960 * k, 600 * k)
        with ui.panel("compare", rect, alpha=1.0):
            first = self.views[0]
            ui.text(rect.x + 28 * k, rect.y + 34 * k, f"{first.shooter} shoots at {first.target}", "h2")
            body = Rect(rect.x + 28 * k, rect.y + 64 * k, rect.w - 56 * k, rect.h - 64 * k - 68 * k)
            comparison(ui, body, self.views)
            close = Rect(rect.x + 28 * k, rect.bottom - 54 * k, 140 * k, 40 * k)
            if ui.button(close, "Close##close", primary=True, key="Esc"):
                self.desktop.pop(self)


def comparison(ui: Widgets, rect: Rect, views: Sequence[RulingView]) -> None:
    """Rulings on the same question by different editions, side by side."""
    k = ui.pen.size
    wide = (rect.w - 16 * k * (len(views) - 1)) / len(views)
    for i, view in enumerate(views):
        x = rect.x + i * (wide + 16 * k)
        ui.text(x, rect.y + 10 * k, EDITION_NAMES[view.edition], "label", theme.SOFT)
        said = verdict(view)
        colour = theme.ACCENT if view.valid else theme.NO
        ui.pen.icon("check" if view.valid else "cross", x + 12 * k, rect.y + 42 * k, 20 * k, colour)
        ui.text(x + 30 * k, rect.y + 42 * k, ui.pen.fitted(said, "h2", wide - 30 * k), "h2")
        reasons(ui, Rect(x, rect.y + 66 * k, wide, rect.h - 66 * k), view, f"reasons-{view.edition}")
