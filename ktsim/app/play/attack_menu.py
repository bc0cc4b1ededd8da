"""What can be done to the enemy that was clicked, beside it: weapons with their odds, Charge, Fight."""

from __future__ import annotations

from collections.abc import Sequence

from ktsim.app.play.intents import Intent
from ktsim.app.ui import theme
from ktsim.app.ui.pen import Rect
from ktsim.app.ui.rect import Place
from ktsim.app.ui.widgets import Widgets

WIDE = 300.0


def attack_menu(
    ui: Widgets, free: Rect, place: Place, name: str, team: str, intents: Sequence[Intent]
) -> Intent | None:
    """Shows the *intents* about *name* below its *place*, or above it, inside *free*; the one that was chosen."""
    k = ui.pen.size
    wide = min(WIDE * k, free.w - 16)
    heights = [_height(ui, each, wide - 24 * k) for each in intents]
    tall = 40 * k + (sum(heights) + 6 * k * len(heights) if intents else 26 * k) + 8 * k
    x = min(max(place[0] - wide / 2, free.x + 4), max(free.x + 4, free.right - wide - 4))
    below, above = place[1] + 34 * k, place[1] - 60 * k - tall
    y = below if below + tall < free.bottom or above < free.y else above
    y = min(y, max(free.y + 4, free.bottom - tall - 4))
    chosen = None
    with ui.panel("attack-menu", Rect(x, y, wide, min(tall, free.h - 8)), alpha=1.0):
        ui.pen.seat(team, x + 18 * k, y + 20 * k, 13 * k)
        ui.text(x + 32 * k, y + 20 * k, ui.pen.fitted(name, "h3", wide - 44 * k), "h3")
        y += 38 * k
        if not intents:
            ui.text(x + 14 * k, y + 12 * k, "Looking at it ...", "caption", theme.DIM)
        for each, height in zip(intents, heights, strict=True):
            if _row(ui, Rect(x + 8 * k, y, wide - 16 * k, height), each):
                chosen = each
            y += height + 6 * k
    return chosen


def _height(ui: Widgets, intent: Intent, wide: float) -> float:
    k = ui.pen.size
    words = intent.refusal or intent.note
    return 32 * k + (ui.pen.measure(words, "caption", wide - 40 * k)[1] + 6 * k if words else 0.0)


def _row(ui: Widgets, rect: Rect, intent: Intent) -> bool:
    k = ui.pen.size
    pressed = ui.button(rect, f"##attack-{intent.key}", locked=intent.refusal)
    ink = theme.DIM if intent.refusal else theme.TEXT
    ui.pen.icon(intent.icon, rect.x + 16 * k, rect.y + 16 * k, 16 * k, theme.DIM if intent.refusal else theme.ACCENT)
    room = rect.w - 44 * k
    if intent.odds:
        room -= ui.text(rect.right - 10 * k, rect.y + 16 * k, intent.odds, "label", theme.TEXT, align=1) + 8 * k
    ui.text(rect.x + 32 * k, rect.y + 16 * k, ui.pen.fitted(intent.title, "strong", room), "strong", ink)
    if words := intent.refusal or intent.note:
        colour = theme.NO if intent.refusal else theme.SOFT
        ui.paragraph(rect.x + 32 * k, rect.y + 28 * k, rect.w - 44 * k, words, "caption", colour)
    return pressed
