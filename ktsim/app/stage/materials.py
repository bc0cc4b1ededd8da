"""Materials by the ids the shaders know (vertex alpha / 16), how plain features are painted, and moods: light, colour
grade and ground per kind of killzone."""

from __future__ import annotations

from dataclasses import dataclass
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


Triple = tuple[float, float, float]


@dataclass(frozen=True)
class Mood:
    """How a table is lit and what its ground is. Colours of light are linear, paint is sRGB 0-255."""

    ground: Material
    ground_rgb: Triple
    rim_rgb: Triple
    rim_material: Material
    clasp_rgb: Triple
    table_rgb: Triple
    sun: Triple
    sun_colour: Triple
    sky: Triple
    below: Triple
    rim: Triple
    rim_colour: Triple
    fog: Triple
    grime: Triple
    shadow_tint: Triple
    gain: Triple
    lift: Triple
    exposure: float
    bloom: float
    saturation: float
    vignette: float
    shadow_softness: float = 0.0022
    rim_height: float = 0.18
    cell: tuple[float, float] = (4.0, 4.0)


_MM = 1 / 25.4

MOODS: dict[str, Mood] = {
    # Dusty late afternoon: ochre stone over a blue-grey street.
    "volkus": Mood(
        Material.STREET, (98, 97, 96), (48, 38, 32), Material.PLAIN, (72, 72, 74), (52, 45, 40),
        sun=(-0.86, -0.36, 0.70), sun_colour=(3.3, 2.40, 1.48), sky=(0.23, 0.30, 0.44), below=(0.12, 0.10, 0.085),
        rim=(0.7, 0.6, 0.35), rim_colour=(0.18, 0.26, 0.42),
        fog=(0.016, 0.014, 0.015), grime=(0.040, 0.033, 0.026),
        shadow_tint=(0.19, 0.16, 0.19), gain=(1.02, 1.0, 0.97), lift=(0.010, 0.010, 0.020),
        exposure=0.66, bloom=0.8, saturation=1.07, vignette=0.62,
    ),
    # A dead ship: a weak warm key from above, teal and amber lamps.
    "gallowdark": Mood(
        Material.DECK, (88, 94, 96), (74, 80, 82), Material.PAINT, (154, 152, 138), (30, 35, 38),
        sun=(-0.56, -0.38, 1.0), sun_colour=(2.2, 1.68, 1.14), sky=(0.105, 0.165, 0.205),
        below=(0.042, 0.055, 0.062),
        rim=(0.8, 0.5, 0.2), rim_colour=(0.10, 0.24, 0.28), fog=(0.006, 0.009, 0.011), grime=(0.02, 0.022, 0.02),
        shadow_tint=(0.12, 0.15, 0.17), gain=(1.0, 1.01, 1.0), lift=(0.003, 0.010, 0.013),
        exposure=0.88, bloom=1.2, saturation=1.10, vignette=0.85, shadow_softness=0.003,
        cell=(101 * _MM, 100.4 * _MM),
    ),
    # Storm light breaking over a dark teal sea.
    "bheta-decima": Mood(
        Material.ISLAND, (128, 128, 120), (74, 80, 82), Material.PAINT, (104, 112, 116), (34, 42, 46),
        sun=(0.74, -0.50, 0.66), sun_colour=(3.0, 2.30, 1.50), sky=(0.21, 0.32, 0.39), below=(0.07, 0.10, 0.10),
        rim=(-0.8, 0.5, 0.35), rim_colour=(0.14, 0.30, 0.38),
        fog=(0.010, 0.016, 0.019), grime=(0.028, 0.03, 0.022),
        shadow_tint=(0.14, 0.18, 0.21), gain=(1.0, 1.01, 0.99), lift=(0.003, 0.011, 0.016),
        exposure=0.70, bloom=0.9, saturation=1.08, vignette=0.7, rim_height=-0.45,
    ),
    # Halls under a dead world: cold faint light from above, green light from the walls.
    "tomb-world": Mood(
        Material.CONCRETE, (66, 70, 71), (58, 62, 62), Material.PLAIN, (124, 122, 108), (24, 28, 28),
        sun=(-0.62, -0.36, 0.95), sun_colour=(2.5, 2.25, 1.85), sky=(0.13, 0.19, 0.19),
        below=(0.035, 0.060, 0.045),
        rim=(0.8, 0.5, 0.2), rim_colour=(0.08, 0.26, 0.14), fog=(0.005, 0.009, 0.007), grime=(0.02, 0.024, 0.02),
        shadow_tint=(0.12, 0.16, 0.14), gain=(1.0, 1.02, 1.0), lift=(0.003, 0.010, 0.007),
        exposure=0.92, bloom=0.9, saturation=1.06, vignette=0.75, shadow_softness=0.003,
        cell=(99.7 * _MM, 99.4 * _MM),
    ),
    # A well-lit practice table: even light, plain concrete slabs.
    "training": Mood(
        Material.CONCRETE, (98, 98, 96), (56, 48, 42), Material.PLAIN, (84, 84, 86), (46, 48, 52),
        sun=(-0.62, -0.52, 0.95), sun_colour=(2.7, 2.35, 1.85), sky=(0.27, 0.32, 0.40), below=(0.12, 0.11, 0.10),
        rim=(0.7, 0.6, 0.35), rim_colour=(0.14, 0.18, 0.26), fog=(0.012, 0.013, 0.015), grime=(0.04, 0.036, 0.03),
        shadow_tint=(0.18, 0.17, 0.19), gain=(1.0, 1.0, 1.0), lift=(0.006, 0.007, 0.010),
        exposure=0.68, bloom=0.6, saturation=1.04, vignette=0.55,
    ),
}  # fmt: skip


def mood_named(name: str) -> Mood:
    """The mood of that name, or of the longest mood name that *name* starts with; otherwise the practice table."""
    fits = [key for key in MOODS if name == key or name.startswith(key)]
    return MOODS[max(fits, key=len)] if fits else MOODS["training"]
