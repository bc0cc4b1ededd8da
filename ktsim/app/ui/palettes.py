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
    are written; *paints* are the two seats' colours on miniatures, *names* what they are called for it."""

    title: str
    yes: str
    no: str
    blue: str
    red: str
    paints: tuple[RGB, RGB]
    names: tuple[str, str] = ("blue", "red")


STANDARD = Palette("Standard", "#4FD1C5", "#FF9A4D", "#5B9DFF", "#F4737C", ((18, 98, 196), (205, 44, 40)))
PALETTES: dict[str, Palette] = {
    "standard": STANDARD,
    "blue-yellow": Palette(
        *("Blue and yellow", "#7CC4FF", "#FFC933", "#6E9AFF", "#FFD966", ((18, 84, 204), (236, 176, 16))),
        names=("blue", "yellow"),
    ),
    "grey": Palette(
        *("Bright and dark", "#FFFFFF", "#C9A227", "#9FC5FF", "#E8E8E8", ((30, 52, 92), (226, 226, 222))),
        names=("dark", "bright"),
    ),
}
"""Blue and yellow differ for every common kind of colour blindness; bright and dark differ without any hue."""

_in_use = STANDARD


def call_seats(palette: Palette) -> None:
    """Call the two seats as *palette* does from now on."""
    global _in_use
    _in_use = palette


def seat_name(team: str) -> str:
    """What a team is called by its colour in the palette in use: the yellow team is called yellow."""
    blue, red = _in_use.names
    return {"blue": blue, "red": red}.get(team, team)
