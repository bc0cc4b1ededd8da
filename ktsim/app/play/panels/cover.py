"""What covers the table: the hand-over to the other player, asking both whether to go back, and the menu."""

from __future__ import annotations

from typing import Literal, TypeAlias

from ktsim.app.screens.dialogs import centred, progress
from ktsim.app.ui import theme
from ktsim.app.ui.pen import Rect
from ktsim.app.ui.widgets import Widgets

MenuAction: TypeAlias = Literal["continue", "settings", "keys", "leave"]


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


def agreement(ui: Widgets, size: tuple[int, int], names: dict[str, str], agreed: set[str]) -> str | None:
    """The players in *names* are asked whether the game may go back further: a side, ``cancel``, or None while
    undecided."""
    k = ui.pen.size
    rect = centred(size, 620 * k, 300 * k)
    asked = None
    with ui.panel("agreement", rect, alpha=1.0):
        x, width = rect.x + 28 * k, rect.w - 56 * k
        ui.text(x, rect.y + 40 * k, "Go back by agreement?", "h2")
        words = "Dice have been rolled or something was revealed since the last answer. "
        if len(names) > 1:
            words += "The game goes back when both players agree: each presses the button of their own team."
        else:
            words += "The computer does not mind: the game goes back when you agree."
        ui.paragraph(x, rect.y + 66 * k, width, words, "body", theme.SOFT)
        half = (width - 12 * k * (len(names) - 1)) / max(1, len(names))
        for i, side in enumerate(names):
            cell = Rect(x + i * (half + 12 * k), rect.y + 130 * k, half, 64 * k)
            has = side in agreed
            label = f"{names[side]} {'have agreed' if has else 'agree'}##agree-{side}"
            icon = "check" if has else ""
            if ui.button(cell, label, seat=side, icon=icon, chosen=has, kind="strong", key=side[0].upper()):
                asked = side
        if ui.button(Rect(x, rect.bottom - 62 * k, 160 * k, 40 * k), "Do not go back##cancel", key="Esc"):
            asked = "cancel"
    return asked


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


def menu(ui: Widgets, size: tuple[int, int]) -> MenuAction | None:
    """What there is to do beside playing; what was asked for."""
    k = ui.pen.size
    rect = centred(size, 420 * k, 330 * k)
    asked: MenuAction | None = None
    rows: tuple[tuple[MenuAction, str, str, str], ...] = (
        ("continue", "Continue playing", "play", "Enter"),
        ("settings", "Settings", "list", "F4"),
        ("keys", "Keys", "help", "F1"),
        ("leave", "Leave, the game is saved", "door", "L"),
    )
    with ui.panel("menu", rect, alpha=1.0):
        x, width = rect.x + 28 * k, rect.w - 56 * k
        ui.text(x, rect.y + 38 * k, "Leave the game?", "h2")
        y = rect.y + 72 * k
        for action, title, icon, key in rows:
            cell = Rect(x, y, width, 52 * k)
            is_next = action == "continue"
            if ui.button(cell, f"{title}##{action}", primary=is_next, icon=icon, key=key, kind="strong", align=0):
                asked = action
            y += 60 * k
    return asked
