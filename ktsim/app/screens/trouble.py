"""Something unexpected has happened: what it was, that nothing is lost, and where it is written down."""

from __future__ import annotations

from typing import Literal

from ktsim.app.screens.dialogs import centred
from ktsim.app.screens.screen import Held, Host, Screen
from ktsim.app.ui import clipboard, theme
from ktsim.app.ui.pen import Rect
from ktsim.app.ui.widgets import Widgets
from ktsim.faults import Fault

KEPT = (
    "Nothing of a game is lost: every answer is saved when it is given. ktsim report packs all that a bug report needs."
)


class FaultScreen(Screen):
    """Over the screen on which it happened."""

    name = "fault"
    is_dialog = True

    def __init__(self, desktop: Host, fault: Fault) -> None:
        super().__init__(desktop)
        self.fault = fault

    def draw(self, ui: Widgets) -> None:
        asked = fault_page(ui, self.desktop.size, self.fault)
        if asked == "close":
            self.desktop.pop(self)
        elif asked == "copy":
            is_there = clipboard.copy(str(self.fault.log))
            self.desktop.say("The file's place is on the clipboard." if is_there else clipboard.MISSING)

    def key(self, key: str, held: Held) -> None:
        if key == "enter":
            self.desktop.pop(self)


def fault_page(ui: Widgets, size: tuple[int, int], fault: Fault) -> Literal["close", "copy"] | None:
    """What happened and where it is written down; what was asked for."""
    k = ui.pen.size
    words = fault.sentence[:1].upper() + fault.sentence[1:]
    wide = min(640 * k, size[0] - 32.0) - 56 * k
    first, second = (ui.pen.measure(text, "body", wide)[1] for text in (words, KEPT))
    rect = centred(size, 640 * k, 138 * k + first + second + 12 * k)
    asked: Literal["close", "copy"] | None = None
    with ui.panel("fault", rect, alpha=1.0):
        x = rect.x + 28 * k
        ui.pen.icon("warning", x + 9 * k, rect.y + 36 * k, 18 * k, theme.NO)
        ui.text(x + 28 * k, rect.y + 36 * k, "Something went wrong", "h2")
        ui.paragraph(x, rect.y + 62 * k, wide, words)
        ui.paragraph(x, rect.y + 62 * k + first + 12 * k, wide, KEPT, "body", theme.SOFT)
        y = rect.bottom - 54 * k
        if ui.button(Rect(x, y, 140 * k, 40 * k), "Go on##close", primary=True, key="Enter"):
            asked = "close"
        copy = Rect(x + 152 * k, y, 220 * k, 40 * k)
        locked = "" if fault.log is not None else "There is no file."
        if ui.button(copy, "Copy the file's place##copy", locked=locked):
            asked = "copy"
    return asked
