"""Materials: an albedo and the number of the surface the shader draws on it."""

from __future__ import annotations

from typing import NamedTuple

(
    PLAIN,
    STONE,
    CONCRETE,
    PAINT,
    STEEL,
    RUST,
    GLOW,
    STREET,
    DECK,
    WATER,
    GRATE,
    CLOTH,
    FIGURE,
    ISLE,
    HAZARD,
    TABLE,
) = range(16)


class Material(NamedTuple):
    """sRGB albedo and surface number; a mesh carries the number times 16 in its vertex alpha."""

    albedo: tuple[int, int, int]
    surface: int


class Glow(NamedTuple):
    """The light a glowing material throws: linear colour, reach in inches, strength."""

    colour: tuple[float, float, float]
    reach: float
    strength: float


MATERIALS: dict[str, Material] = {
    name: Material(albedo, surface)
    for name, albedo, surface in (
        # city ruins
        ("ashlar", (146, 138, 124), STONE),
        ("ashlar-dark", (112, 104, 94), STONE),
        ("trim", (170, 156, 132), CONCRETE),
        ("slab", (126, 118, 106), CONCRETE),
        ("rubble", (132, 124, 112), CONCRETE),
        ("rubble-dark", (98, 93, 87), CONCRETE),
        ("brick", (124, 82, 64), CONCRETE),
        ("bronze", (86, 104, 92), PAINT),
        ("iron", (72, 72, 74), STEEL),
        ("oxide", (112, 52, 36), PAINT),
        ("rust", (104, 62, 38), RUST),
        ("banner", (112, 34, 34), CLOTH),
        ("lamp", (255, 176, 84), GLOW),
        ("ember", (255, 96, 28), GLOW),
        # space hulk
        ("hull", (112, 120, 116), PAINT),
        ("hull-dark", (74, 80, 82), PAINT),
        ("hull-rib", (154, 152, 138), STEEL),
        ("brass", (176, 134, 70), STEEL),
        ("hatch", (150, 62, 34), PAINT),
        ("cable", (36, 36, 38), PLAIN),
        ("warn", (206, 150, 40), HAZARD),
        ("amber", (255, 150, 50), GLOW),
        ("red", (255, 52, 30), GLOW),
        ("teal", (70, 230, 205), GLOW),
        ("lamp-teal", (120, 240, 225), GLOW),
        ("lamp-amber", (255, 166, 70), GLOW),
        ("lamp-red", (255, 70, 44), GLOW),
        # ocean platforms
        ("yellow", (186, 138, 40), PAINT),
        ("steel", (104, 112, 116), STEEL),
        ("grate", (104, 108, 108), GRATE),
        ("tank", (92, 110, 108), PAINT),
        ("pipe", (128, 92, 66), PAINT),
        ("cyan", (90, 220, 240), GLOW),
        ("wet", (72, 76, 74), CONCRETE),
        ("white", (178, 176, 166), PAINT),
        # necron halls
        ("tomb", (112, 112, 106), CONCRETE),
        ("tomb-dark", (72, 76, 78), CONCRETE),
        ("tomb-trim", (134, 132, 118), STEEL),
        ("tomb-gold", (150, 124, 70), STEEL),
        ("gauss", (70, 214, 92), GLOW),
        ("lamp-gauss", (120, 255, 140), GLOW),
        # equipment, markers, floors
        ("sand", (146, 126, 92), CLOTH),
        ("olive", (92, 98, 70), PAINT),
        ("wire", (120, 118, 114), STEEL),
        ("street", (98, 97, 96), STREET),
        ("deck", (88, 94, 96), DECK),
        ("water", (20, 44, 50), WATER),
        ("isle", (128, 128, 120), ISLE),
        ("marker", (40, 42, 46), PLAIN),
        ("objective", (150, 112, 58), GLOW),
    )
}

GLOWS: dict[str, Glow] = {
    "lamp": Glow((1.0, 0.55, 0.2), 2.8, 1.9),
    "ember": Glow((1.0, 0.32, 0.07), 3.0, 3.0),
    "objective": Glow((1.0, 0.8, 0.45), 1.8, 0.35),
    "lamp-amber": Glow((1.0, 0.5, 0.16), 4.2, 3.2),
    "lamp-red": Glow((1.0, 0.10, 0.05), 4.0, 4.2),
    "lamp-teal": Glow((0.14, 0.85, 0.80), 4.8, 2.9),
    "lamp-gauss": Glow((0.16, 1.0, 0.28), 4.4, 2.8),
    "cyan": Glow((0.2, 0.8, 1.0), 2.8, 1.6),
}
"""Glowing materials strong enough to light what is around them."""
