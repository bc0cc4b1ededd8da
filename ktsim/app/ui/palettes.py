"""Which colours carry meaning, to choose from. Every meaning has a shape as well, whatever the palette."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

RGB: TypeAlias = tuple[int, int, int]


def channels(colour: str) -> RGB:
    """Red, green and blue of a colour such as ``#4FD1C5``."""
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


@dataclass(frozen=True)
class Palette:
    """Colours of meaning: *yes* (selected, valid, the next step), *no* (blocked, refused), and the two seats as they
    are written; *paints* are the two seats' colours on miniatures."""

    title: str
    yes: str
    no: str
    blue: str
    red: str
    paints: tuple[RGB, RGB]


STANDARD = Palette("Standard", "#4FD1C5", "#FF9A4D", "#5B9DFF", "#F0606A", ((18, 98, 196), (205, 44, 40)))
PALETTES: dict[str, Palette] = {
    "standard": STANDARD,
    "blue-yellow": Palette(
        "Blue and yellow", "#7CC4FF", "#FFC933", "#5B8CFF", "#FFD966", ((18, 84, 204), (236, 176, 16))
    ),
    "grey": Palette("Bright and dark", "#FFFFFF", "#C9A227", "#9FC5FF", "#E8E8E8", ((30, 52, 92), (226, 226, 222))),
}
"""Blue and yellow differ for every common kind of colour blindness; bright and dark differ without any hue."""
