"""The ruling beside the table: the verdict first, then why, rule by rule."""

from __future__ import annotations

from typing import Literal, TypeAlias

from ktsim.sight.scene import Scene

from ..card_drawing import banner
from ..card_layout import rule_icon
from ..ruling_view import EDITION_NAMES, RulingView, inches, verdict
from ..ui import theme
from ..ui.pen import Rect
from ..ui.widgets import Widgets

VerdictAction: TypeAlias = Literal["swap", "copy", "export"]


def verdict_banner(ui: Widgets, rect: Rect, view: RulingView) -> None:
    """The answer over the table, to be read from two metres."""
    with ui.panel("banner", rect, fill=None):
        ui.said.append(verdict(view))
        banner(ui.pen, rect, view, verdict(view), view.sentence)


def prompt(ui: Widgets, rect: Rect, text: str) -> None:
    """The next step, where the verdict will be."""
    w = min(rect.w, ui.pen.measure(text, "h3")[0] + 32)
    box = Rect(rect.x + (rect.w - w) / 2, rect.y, w, 44 * ui.pen.size)
    with ui.panel("prompt", box):
        ui.text(box.x + 16, box.y + box.h / 2, ui.pen.fitted(text, "h3", w - 32), "h3")


def verdict_panel(ui: Widgets, rect: Rect, scene: Scene, view: RulingView | None) -> VerdictAction | None:
    """Who shoots at whom, every reason with its rule and numbers, and what to do with the ruling."""
    asked: VerdictAction | None = None
    k = ui.pen.size
    with ui.panel("verdict", rect):
        x, right = rect.x + 14, rect.right - 14
        if view is None:
            ui.text(x, rect.y + 24 * k, "No ruling yet", "h3")
            words = "It appears here as soon as one operative can be asked about another, and follows every change."
            ui.paragraph(x, rect.y + 44 * k, right - x, words, "body", theme.SOFT)
            return None
        y = rect.y + 24 * k
        measured = inches(view.distance)
        room = (right - x - ui.pen.measure(measured, "h3")[0] - 84) / 2
        ui.pen.seat(scene.operative(view.shooter).team, x + 7, y, 14)
        at = x + 20 + ui.text(x + 20, y, ui.pen.fitted(view.shooter, "h3", room), "h3") + 10
        ui.pen.icon("arrow", at + 6, y, 13, theme.DIM)
        ui.pen.seat(scene.operative(view.target).team, at + 28, y, 14)
        ui.text(at + 40, y, ui.pen.fitted(view.target, "h3", room), "h3")
        ui.text(right, y, measured, "h3", align=1)
        y += 30 * k
        at = x + ui.pen.pill(x, y, f"{view.order.capitalize()} order", view.order) + 8
        ui.pen.pill(at, y, EDITION_NAMES[view.edition], "book")
        y += 20 * k
        foot = rect.bottom - 14 - 42 * k
        _reasons(ui, Rect(x, y, rect.right - 6 - x, foot - y - 8), view)
        third = (right - x - 16) / 3
        buttons: tuple[tuple[VerdictAction, str, str], ...] = (
            ("swap", "Swap", "The shot the other way (X)"),
            ("copy", "Copy text", "The ruling in words, to the clipboard (Ctrl+C)"),
            ("export", "Export", "The ruling as a picture, a PNG card (Ctrl+E)"),
        )
        for i, (action, label, tip) in enumerate(buttons):
            cell = Rect(x + i * (third + 8), foot, third, 42 * k)
            if ui.button(cell, f"{label}##{action}", primary=action == "export", tip=tip):
                asked = action
    return asked


def _reasons(ui: Widgets, rect: Rect, view: RulingView) -> None:
    k = ui.pen.size
    width = rect.w - 10
    heights = [ui.pen.measure(text, "body", width - 50)[1] + 38 * k for _, text in view.reasons]
    head = ui.pen.measure(view.sentence, "strong", width)[1] + 10
    with ui.scrolled("reasons", rect, head + sum(heights) + 8 * len(heights)) as top:
        ui.paragraph(rect.x, top, width, view.sentence, "strong")
        y = top + head
        for (rule, text), tall in zip(view.reasons, heights, strict=True):
            row = Rect(rect.x, y, width, tall)
            ui.pen.box(row, theme.RAISED)
            ui.pen.icon(rule_icon(rule), row.x + 20, row.y + 22, 18, theme.SOFT)
            ui.paragraph(row.x + 40, row.y + 8, width - 50, text)
            ui.text(row.x + 40, row.bottom - 14 * k, rule, "caption", theme.DIM)
            y += tall + 8
