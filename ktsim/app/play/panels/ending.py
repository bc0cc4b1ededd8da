"""The end of a game."""

from __future__ import annotations

from typing import Literal

from ktsim.app.play.logbook import ScoreSheet
from ktsim.app.play.panels.record import score
from ktsim.app.ui import theme
from ktsim.app.ui.pen import Rect
from ktsim.app.ui.widgets import Widgets


def ending(
    ui: Widgets, rect: Rect, words: str, sheet: ScoreSheet, names: dict[str, str]
) -> Literal["replay", "leave"] | None:
    """Who has won, where each VP came from, and what to do now."""
    k = ui.pen.size
    asked: Literal["replay", "leave"] | None = None
    with ui.panel("ending", rect):
        x, width = rect.x + 16 * k, rect.w - 32 * k
        y = rect.y + 24 * k
        y += ui.paragraph(x, y, width, words, "h1") + 12 * k
        foot = rect.bottom - 16 * k
        score(ui, Rect(x, y, width + 10 * k, foot - 150 * k - y), sheet, names)
        kept = "The game is kept and can be watched again at any time."
        ui.paragraph(x, foot - 138 * k, width, kept, "body", theme.SOFT)
        if ui.button(Rect(x, foot - 96 * k, width, 44 * k), "Watch the replay##replay", primary=True, icon="play"):
            asked = "replay"
        if ui.button(Rect(x, foot - 44 * k, width, 44 * k), "Back to the start##leave", key="Esc"):
            asked = "leave"
    return asked
