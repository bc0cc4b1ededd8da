"""What panels of every feature are made with: a place in the middle, titled buttons, bars of progress, notices."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from imgui_bundle import imgui

from ktsim.app.ui import theme
from ktsim.app.ui.pen import Rect
from ktsim.app.ui.widgets import Widgets


class DialogButton(NamedTuple):
    """A button of a dialog, so many units wide. *locked*: why it cannot be pressed."""

    name: str
    label: str
    width: float
    locked: str = ""


def centred(size: tuple[int, int], w: float, h: float) -> Rect:
    """A rectangle in the middle of the window, never larger than it."""
    w, h = min(w, size[0] - 32.0), min(h, size[1] - 32.0)
    return Rect(round((size[0] - w) / 2), round((size[1] - h) / 2), w, h)


def close_button(ui: Widgets, rect: Rect) -> bool:
    """The button at a dialog's upper right corner that leaves it; whether it was pressed."""
    k = ui.pen.size
    return ui.button(Rect(rect.right - 24 * k - 100 * k, rect.y + 18 * k, 100 * k, 36 * k), "Cancel##cancel", key="Esc")


def warning(
    ui: Widgets, size: tuple[int, int], name: str, title: str, words: str, hope: str, buttons: Sequence[DialogButton]
) -> str | None:
    """A dialog about something that went wrong: what it was, what can be hoped for. The first button is what Enter
    does. The name of the one that was pressed."""
    k = ui.pen.size
    wide = min(640 * k, size[0] - 32.0) - 56 * k
    first, second = (ui.pen.measure(text, "body", wide)[1] for text in (words, hope))
    rect = centred(size, 640 * k, 150 * k + first + second)
    asked = None
    with ui.panel(name, rect, alpha=1.0):
        x = rect.x + 28 * k
        ui.pen.icon("warning", x + 9 * k, rect.y + 36 * k, 18 * k, theme.NO)
        ui.text(x + 28 * k, rect.y + 36 * k, title, "h2")
        ui.paragraph(x, rect.y + 62 * k, wide, words)
        ui.paragraph(x, rect.y + 62 * k + first + 12 * k, wide, hope, "body", theme.SOFT)
        for each in buttons:
            is_first = each is buttons[0]
            place = Rect(x, rect.bottom - 54 * k, each.width * k, 40 * k)
            label = f"{each.label}##{each.name}"
            if ui.button(place, label, primary=is_first, key="Enter" if is_first else "", locked=each.locked):
                asked = each.name
            x = place.right + 12 * k
    return asked


def titled(
    ui: Widgets, row: Rect, name: str, icon: str, title: str, words: str, *, tip: str = "", left: float = 46.0
) -> bool:
    """A button called *name* with a title and words below it, *left* units from its edge; whether it was pressed.
    Without an *icon* its place is the owner's to draw in."""
    k = ui.pen.size
    pressed = ui.button(row, f"##{name}", tip=tip)
    if icon:
        ui.pen.icon(icon, row.x + left / 46 * 24 * k, row.y + row.h / 2, 18 * k, theme.ACCENT)
    room, middle, x = row.w - (left + 10) * k, row.y + row.h / 2, row.x + left * k
    ui.text(x, middle - (10 * k if words else 0), ui.pen.fitted(title, "strong", room), "strong")
    if words:
        ui.text(x, middle + 10 * k, ui.pen.fitted(words, "caption", room), "caption", theme.SOFT)
    return pressed


def progress(ui: Widgets, rect: Rect, part: float) -> None:
    """A bar that is filled as far as something has got."""
    ui.pen.box(rect, theme.INK, theme.LINE, radius=4)
    if part > 0:
        ui.pen.box(Rect(rect.x, rect.y, rect.w * part, rect.h), theme.ACCENT, None, radius=4)


def loading(ui: Widgets, size: tuple[int, int], what: str, share: float | None = None) -> None:
    """What is being loaded, over everything, and the share of it that is done where somebody knows."""
    k = ui.pen.size
    text = f"Loading {what} ..."
    rect = centred(size, ui.pen.measure(text, "h2")[0] + 56 * k, 84 * k)
    ui.pen.sheet = imgui.get_foreground_draw_list()
    if share is None:
        ui.pen.box(Rect(0, 0, *size), theme.INK, None, 0.5, 0)
    ui.pen.box(rect, theme.PANEL, theme.LINE)
    ui.text(rect.x + rect.w / 2, rect.y + rect.h / 2, ui.pen.fitted(text, "h2", rect.w - 40 * k), "h2", align=0.5)
    if share is not None:
        bar = Rect(rect.x + 28 * k, rect.bottom - 18 * k, rect.w - 56 * k, 4 * k)
        ui.pen.box(bar, theme.LINE, None, 1.0, 2)
        ui.pen.box(Rect(bar.x, bar.y, bar.w * min(share, 1.0), bar.h), theme.ACCENT, None, 1.0, 2)


def notice(ui: Widgets, rect: Rect, text: str) -> None:
    """A sentence at the foot of the window; the next press of anything takes it away, and reaches what lies below."""
    k = ui.pen.size
    w = min(rect.w, ui.pen.measure(text, "body")[0] + 30)
    h = ui.pen.measure(text, "body", w - 28)[1] + 20 * k
    box = Rect(rect.x + (rect.w - w) / 2, rect.bottom - h, w, h)
    ui.pen.sheet = imgui.get_foreground_draw_list()
    ui.pen.box(box, theme.PANEL, theme.LINE)
    ui.paragraph(box.x + 14, box.y + 10 * k, w - 28, text)
