"""Materials by the ids the shaders know (vertex alpha / 16), and how plain features are painted."""

from __future__ import annotations

from enum import IntEnum

from ktsim.app.ui.palettes import STANDARD, Palette

RGB = tuple[float, float, float]


class Material(IntEnum):
    """What a face is made of; the order is the shaders' (``materials.glsl``) and the terrain files'."""

    PLAIN = 0
    STONE = 1
    CONCRETE = 2
    PAINT = 3
    STEEL = 4
    RUST = 5
    GLOW = 6
    STREET = 7
    DECK = 8
    WATER = 9
    GRATE = 10
    CLOTH = 11
    FIGURE = 12
    ISLAND = 13
    HAZARD = 14
    TABLE = 15


def paint_of(kind: str, traits: frozenset[str]) -> tuple[RGB, Material]:
    """Colour and material of a part that has no painted mesh, by what it does in the rules."""
    if kind in ("door", "hatch") or "accessible" in traits:
        return (150, 62, 34), Material.PAINT
    if "barred" in traits:
        return (84, 84, 86), Material.STEEL
    if "wall" in traits:
        return (122, 126, 122), Material.CONCRETE
    if "vantage" in traits:
        return (136, 128, 114), Material.CONCRETE
    if "heavy" in traits:
        return (150, 142, 128), Material.STONE
    if "light" in traits:
        return (158, 132, 92), Material.CLOTH
    return (104, 112, 116), Material.STEEL


SPARE_COLOURS: tuple[RGB, ...] = ((214, 150, 20), (0, 148, 108), (160, 84, 170), (120, 120, 126))


def team_colour(team: str, palette: Palette = STANDARD) -> RGB:
    """Saturated, against muted terrain. Unknown teams get a spare colour by their name, always the same one."""
    seats = dict(zip(("blue", "red"), palette.paints, strict=True))
    return seats.get(team) or SPARE_COLOURS[sum(team.encode()) % len(SPARE_COLOURS)]
