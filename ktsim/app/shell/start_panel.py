"""The start screen's panel."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

from ktsim import __version__
from ktsim.app.ui import theme
from ktsim.app.ui.pen import Rect
from ktsim.app.ui.widgets import Widgets

if TYPE_CHECKING:
    from ktsim.app.shell.entries import Entry


def panel_rect(size: tuple[int, int], text: float, cards: int = 3, rows: int = 3) -> Rect:
    """Where the start screen's panel stands: at the left, no taller than so many cards and rows of buttons need."""
    tall = min(size[1] - 48.0, (152.0 + 104.0 * cards + 44.0 * rows) * text)
    return Rect(24, round((size[1] - tall) / 2), min(468.0 * text, size[0] - 48.0), tall)


def start_screen(
    ui: Widgets, size: tuple[int, int], entries: Sequence[Entry]
) -> Entry | Literal["settings", "about", "quit"] | None:
    """What there is to do: large cards, then small buttons. The first entry is the next step. Returns what was
    pressed."""
    k = ui.pen.size
    asked: Entry | Literal["settings", "about", "quit"] | None = None
    large = [entry for entry in entries if entry.words]
    small = [entry for entry in entries if not entry.words]
    rows = -(-len(small) // 2) + 1
    rect = panel_rect(size, k, len(large), rows)
    with ui.panel("start", rect):
        x, width = rect.x + 32 * k, rect.w - 64 * k
        ui.pen.icon("target", x + 18 * k, rect.y + 46 * k, 34 * k, theme.ACCENT)
        ui.text(x + 50 * k, rect.y + 46 * k, "ktsim", "h1")
        ui.text(x, rect.y + 84 * k, "Settle it at the table.", "body", theme.SOFT)
        foot = rect.bottom - 38 * k - rows * 44 * k
        top = rect.y + 106 * k
        tall = min(96.0 * k, (foot - 8 * k - top) / max(1, len(large)) - 8 * k)
        y = top
        for entry in large:
            if _card(ui, Rect(x, y, width, tall), entry, entry is large[0]):
                asked = entry
            y += tall + 8 * k
        half, third = (width - 8 * k) / 2, (width - 16 * k) / 3
        for i, entry in enumerate(small):
            cell = Rect(x + (i % 2) * (half + 8 * k), foot + (i // 2) * 44 * k, half, 38 * k)
            if ui.button(cell, f"{entry.title}##{entry.name}", icon=entry.icon, align=0, key=entry.key):
                asked = entry
        y = foot + (rows - 1) * 44 * k
        last: tuple[tuple[Literal["settings", "about", "quit"], str], ...] = (
            ("settings", "Settings"),
            ("about", "About"),
            ("quit", "Quit"),
        )
        for i, (name, title) in enumerate(last):
            if ui.button(Rect(x + i * (third + 8 * k), y, third, 38 * k), f"{title}##{name}"):
                asked = name
        words = f"{__version__} · rules 2024 and 2021 Lite · not affiliated with any publisher"
        ui.text(x, rect.bottom - 20 * k, ui.pen.fitted(words, "caption", width), "caption", theme.DIM)
    return asked


def _card(ui: Widgets, card: Rect, entry: Entry, is_next: bool) -> bool:
    k = ui.pen.size
    pressed = ui.button(card, f"##{entry.name}", primary=is_next, key=entry.key)
    ink, soft, mark = (theme.INK,) * 3 if is_next else (theme.TEXT, theme.SOFT, theme.ACCENT)
    ui.pen.icon(entry.icon, card.x + 34 * k, card.y + card.h / 2, 28 * k, mark)
    room, middle = card.w - 68 * k - 46 * k, card.y + card.h / 2
    x = card.x + 68 * k
    kind = "label" if ui.pen.measure(entry.words, "label")[0] <= room else "caption"
    top = middle - (30 * k + ui.pen.measure(entry.words, kind, room)[1]) / 2
    ui.text(x, top + 12 * k, ui.pen.fitted(entry.title, "h2", room), "h2", ink)
    ui.paragraph(x, top + 30 * k, room, entry.words, kind, soft)
    return pressed
