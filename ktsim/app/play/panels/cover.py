"""What covers the table: the hand-over to the other player, and asking both whether to go back."""

from __future__ import annotations

from ...panels.dialogs import centred
from ...ui import theme
from ...ui.pen import Rect
from ...ui.widgets import Widgets


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


def agreement(ui: Widgets, size: tuple[int, int], names: dict[str, str], agreed: set[str], why: str) -> str | None:
    """Both players are asked whether the game may go back further: a side, ``cancel``, or None while undecided."""
    k = ui.pen.size
    rect = centred(size, 620 * k, 300 * k)
    asked = None
    with ui.panel("agreement", rect, alpha=1.0):
        x, width = rect.x + 28 * k, rect.w - 56 * k
        ui.text(x, rect.y + 40 * k, "Go back by agreement?", "h2")
        ui.paragraph(x, rect.y + 66 * k, width, why, "body", theme.SOFT)
        half = (width - 12 * k) / 2
        for i, side in enumerate(("blue", "red")):
            cell = Rect(x + i * (half + 12 * k), rect.y + 130 * k, half, 64 * k)
            has = side in agreed
            label = f"{names[side]} agree##agree-{side}"
            icon = "check" if has else ""
            if ui.button(cell, label, seat=side, icon=icon, chosen=has, kind="strong", key=side[0].upper()):
                asked = side
        if ui.button(Rect(x, rect.bottom - 62 * k, 160 * k, 40 * k), "Do not go back##cancel", key="Esc"):
            asked = "cancel"
    return asked


def preparing(ui: Widgets, size: tuple[int, int]) -> None:
    """The engine is being compiled, which happens once."""
    k = ui.pen.size
    rect = centred(size, 560 * k, 110 * k)
    with ui.panel("preparing", rect, alpha=1.0):
        ui.text(rect.x + 28 * k, rect.y + 38 * k, "Preparing the engine", "h2")
        words = "This happens once and takes about a minute. The game is kept and begins by itself."
        ui.paragraph(rect.x + 28 * k, rect.y + 60 * k, rect.w - 56 * k, words, "body", theme.SOFT)
