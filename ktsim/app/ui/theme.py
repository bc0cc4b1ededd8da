"""Design tokens. Every colour, size and spacing of the interface is named here and nowhere else.

One hue means one thing: teal is yes, selected or the next step; orange is no, blocked; blue and red are the two
seats. Each also has a shape, so nothing rests on hue alone.
"""

from __future__ import annotations

from functools import lru_cache

from imgui_bundle import imgui

from ktsim.app.ui import palettes
from ktsim.app.ui.palettes import PALETTES, STANDARD
from ktsim.app.ui.palettes import channels as channels
from ktsim.app.ui.palettes import seat_name as seat_name

# Surfaces: dark and slightly blue, so that warm terrain stands out.
INK = "#0B0E12"
PANEL = "#12171D"
RAISED = "#1C232B"
HOVER = "#27313B"
LINE = "#3A4653"
# Text, by contrast on PANEL: 16.3, 9.6 and 6.5 to 1.
TEXT = "#F2F5F7"
SOFT = "#B4BFC9"
DIM = "#909EAB"
# Meaning.
ACCENT, NO, BLUE, RED = STANDARD.yes, STANDARD.no, STANDARD.blue, STANDARD.red

# Space on a grid of 4 pixels.
S, L = 8, 16
RADIUS = 8

TYPE: dict[str, tuple[str, float]] = {
    "display": ("Bold", 44),
    "h1": ("Bold", 34),
    "h2": ("SemiBold", 22),
    "h3": ("SemiBold", 16),
    "strong": ("SemiBold", 14),
    "body": ("Regular", 14),
    "label": ("SemiBold", 13),
    "caption": ("Medium", 12),
}
"""Kind of text to weight and pixels; display and h1 are meant to be read from two metres."""


def use(palette: str) -> None:
    """Take the colours of meaning from a palette from now on."""
    global ACCENT, NO, BLUE, RED
    chosen = PALETTES[palette]
    palettes.call_seats(chosen)
    ACCENT, NO, BLUE, RED = chosen.yes, chosen.no, chosen.blue, chosen.red


def seat_colour(team: str) -> str:
    return {"blue": BLUE, "red": RED}.get(team, SOFT)


def rgba(colour: str, alpha: float = 1.0) -> imgui.ImVec4:
    r, g, b = channels(colour)
    return imgui.ImVec4(r / 255, g / 255, b / 255, alpha)


@lru_cache(maxsize=512)
def u32(colour: str, alpha: float = 1.0) -> int:
    return imgui.get_color_u32(rgba(colour, alpha))
