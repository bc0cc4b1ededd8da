"""What covers the table: the hand-over to the other player, and the engine being prepared."""

from __future__ import annotations

from ktsim.app.screens.dialogs import centred, progress
from ktsim.app.ui import theme
from ktsim.app.ui.pen import Rect
from ktsim.app.ui.widgets import Widgets


def hand_over(ui: Widgets, size: tuple[int, int], seat: str, player: str) -> bool:
    """The screen goes to another player. Nothing of the game is shown. Whether that player has it."""
    k = ui.pen.size
    ui.pen.box(Rect(0, 0, *size), theme.INK, None, 1.0, 0)
    rect = centred(size, 660 * k, 380 * k)
    with ui.panel("handover", rect, alpha=1.0):
        ui.pen.box(rect, None, theme.seat_colour(seat), thick=3)
        middle = rect.x + rect.w / 2
        ui.pen.seat(seat, middle, rect.y + 66 * k, 56 * k)
        room = rect.w - 48 * k
        ui.text(middle, rect.y + 122 * k, "Hand the screen to", "h2", theme.SOFT, align=0.5)
        ui.text(middle, rect.y + 168 * k, ui.pen.fitted(player, "display", room), "display", align=0.5)
        words = "Something only you may see comes next: the other player looks away."
        ui.text(middle, rect.y + 222 * k, ui.pen.fitted(words, "body", room), "body", theme.SOFT, align=0.5)
        ui.text(middle, rect.bottom - 28 * k, "Ctrl+Z goes back instead", "caption", theme.DIM, align=0.5)
        wide = min(420 * k, room)
        cell = Rect(middle - wide / 2, rect.bottom - 112 * k, wide, 60 * k)
        return ui.button(cell, f"I play {player}##accept", primary=True, key="Enter", kind="h3")


def preparing(ui: Widgets, size: tuple[int, int], stage: tuple[int, int] | None) -> None:
    """The engine is being compiled, which happens once: which *stage* of how many is at work."""
    k = ui.pen.size
    rect = centred(size, 560 * k, 140 * k)
    with ui.panel("preparing", rect, alpha=1.0):
        x, width = rect.x + 28 * k, rect.w - 56 * k
        words = f"Preparing the engine: {stage[0]} of {stage[1]}" if stage is not None else "Preparing the engine"
        ui.text(x, rect.y + 38 * k, words, "h2")
        progress(ui, Rect(x, rect.y + 62 * k, width, 10 * k), (stage[0] - 1) / stage[1] if stage is not None else 0.0)
        words = "This happens once and takes a minute or two. The game is kept and begins by itself."
        ui.paragraph(x, rect.y + 86 * k, width, words, "body", theme.SOFT)
