"""The end of a game."""

from __future__ import annotations

from typing import Literal

from ...ui import theme
from ...ui.pen import Rect
from ...ui.widgets import Widgets
from ..logbook import ScoreSheet


def ending(ui: Widgets, rect: Rect, words: str, sheet: ScoreSheet) -> Literal["replay", "leave"] | None:
    """Who has won, by how much, and what to do now."""
    k = ui.pen.size
    asked: Literal["replay", "leave"] | None = None
    with ui.panel("ending", rect):
        x, width = rect.x + 16 * k, rect.w - 32 * k
        y = rect.y + 24 * k
        y += ui.paragraph(x, y, width, words, "h1") + 12 * k
        for side in ("blue", "red"):
            ui.pen.seat(side, x + 8 * k, y + 12 * k, 16 * k)
            ui.text(x + 26 * k, y + 12 * k, f"{sheet.totals[side]} VP", "h2")
            y += 34 * k
        ui.paragraph(x, y + 8 * k, width, "The game is kept and can be watched again at any time.", "body", theme.SOFT)
        foot = rect.bottom - 16 * k
        if ui.button(Rect(x, foot - 96 * k, width, 44 * k), "Watch the replay##replay", primary=True, icon="play"):
            asked = "replay"
        if ui.button(Rect(x, foot - 44 * k, width, 44 * k), "Back to the start##leave", key="Esc"):
            asked = "leave"
    return asked
