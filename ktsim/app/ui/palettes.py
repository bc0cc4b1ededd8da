"""Which colours carry meaning, to choose from. Every meaning has a shape as well, whatever the palette."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Palette:
    """Colours of meaning: *yes* (selected, valid, the next step), *no* (blocked, refused), and the two seats."""

    title: str
    yes: str
    no: str
    blue: str
    red: str


PALETTES: dict[str, Palette] = {
    "standard": Palette("Standard", "#4FD1C5", "#FF9A4D", "#5B9DFF", "#F0606A"),
    "blue-yellow": Palette("Blue and yellow", "#7CC4FF", "#FFC933", "#5B8CFF", "#FFD966"),
    "grey": Palette("Bright and dark", "#FFFFFF", "#C9A227", "#9FC5FF", "#E8E8E8"),
}
"""Blue and yellow differ for every common kind of colour blindness; bright and dark differ without any hue."""
