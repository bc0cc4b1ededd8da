"""The start screen, and the page about the program."""

from __future__ import annotations

from typing import Literal, TypeAlias

from ktsim import __version__

from ..ui import theme
from ..ui.pen import Rect
from ..ui.widgets import Widgets

StartAction: TypeAlias = Literal["rule", "open", "killzones", "about", "quit"]

_CHOICES: tuple[tuple[StartAction, str, str, str, str], ...] = (
    ("rule", "Rule on a dispute", "Sight, cover, obscured: settled in a minute", "target", "1"),
    ("open", "Open a scene", "A table written down in a file, or one of the examples", "book", "2"),
    ("killzones", "Killzones", "Choose the terrain to rule on", "board", "3"),
)

LICENCES = (
    "ktsim is an independent program. It is not affiliated with or endorsed by any publisher of miniatures games; "
    "names of games and killzones are their owners' and are used to say which rules are meant.",
    "Panda3D: modified BSD licence. Dear ImGui and imgui-bundle: MIT licence. NumPy: BSD licence. Numba: BSD "
    "licence. PyYAML: MIT licence. trimesh: MIT licence.",
    "Typeface: Inter by The Inter Project Authors, SIL Open Font Licence 1.1 (its text is beside the font files).",
)


def panel_rect(size: tuple[int, int], text: float) -> Rect:
    """Where the start screen's panel stands."""
    return Rect(24, 24, min(468.0 * text, size[0] - 48.0), size[1] - 48.0)


def start_screen(ui: Widgets, size: tuple[int, int]) -> StartAction | None:
    """What there is to do. Returns what was pressed."""
    k = ui.pen.size
    rect = panel_rect(size, k)
    asked: StartAction | None = None
    with ui.panel("start", rect):
        x, width = rect.x + 32, rect.w - 64
        ui.pen.icon("target", x + 18, rect.y + 54, 34, theme.ACCENT)
        ui.text(x + 50, rect.y + 54, "ktsim", "h1")
        ui.text(x, rect.y + 96, "Settle it at the table.", "body", theme.SOFT)
        tall = min(96.0 * k, (rect.h - 220 * k) / 3 - 8)
        y = rect.y + 128
        for action, title, words, icon, key in _CHOICES:
            card = Rect(x, y, width, tall)
            first = action == "rule"
            if ui.button(card, f"##{action}", primary=first, key=key):
                asked = action
            ink = theme.INK if first else theme.TEXT
            ui.pen.icon(icon, x + 34, y + tall / 2, 28, theme.INK if first else theme.ACCENT)
            ui.text(x + 68, y + tall / 2 - 12 * k, title, "h2", ink)
            room = width - 68 - 46
            under = ui.pen.fitted(words, "label", room)
            ui.text(x + 68, y + tall / 2 + 16 * k, under, "label", theme.INK if first else theme.SOFT)
            y += tall + 8
        half = (width - 8) / 2
        foot = rect.bottom - 48 - 40 * k
        if ui.button(Rect(x, foot, half, 40 * k), "About and licences##about"):
            asked = "about"
        if ui.button(Rect(x + half + 8, foot, half, 40 * k), "Quit##quit"):
            asked = "quit"
        ui.text(x, rect.bottom - 24, f"{__version__} · rules 2024 and 2021 Lite", "caption", theme.DIM)
    return asked


def about_page(ui: Widgets, rect: Rect) -> bool:
    """About the program, and the licences of what it is made of. Returns whether it was closed."""
    with ui.panel("about", rect):
        x, y, width = rect.x + 32, rect.y + 40, rect.w - 64
        ui.text(x, y, f"ktsim {__version__}", "h2")
        y += 32
        for text in LICENCES:
            y += ui.paragraph(x, y, width, text, "body", theme.SOFT) + 16
        return ui.button(Rect(x, rect.bottom - 64, 140 * ui.pen.size, 40), "Close##close", primary=True, key="Esc")
