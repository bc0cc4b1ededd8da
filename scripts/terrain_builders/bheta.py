"""The ocean platforms: gantries and the thermometric condenser."""

from __future__ import annotations

import math

import numpy as np
from shapely.geometry import box as rect
from shapely.ops import unary_union
from trimesh import Trimesh
from trimesh.transformations import rotation_matrix

from .draft import Decor, Draft
from .drawings import sector
from .ornament import rivets, wall_rivets
from .shapes import bevelled, box, cut, cylinder, lathe, move, pipe, pose, prism, rod, torus

LEVEL = 3.0
FLOOR = 0.15
WIDTH = 3.0
FOOT = -0.7
"""How far pillars go down: below the water, so that they stand in it as well as on land."""


def polar(radius: float, degrees: float) -> tuple[float, float]:
    return radius * math.cos(math.radians(degrees)), radius * math.sin(math.radians(degrees))


def gantry(name: str, length: float) -> Draft:
    """A walkway 3 inches wide with its floor at 3 inches, on pillars."""
    draft = Draft(name, "gantry")
    xs = np.linspace(-length / 2 + 0.55, length / 2 - 0.55, 3 if length > 8 else 2)
    walkway(draft, length)
    number = 0
    for x in xs:
        for y in (-1.1, 1.1):
            number += 1
            gantry_pillar(draft, number, float(x), y, has_rungs=number in (1, 2 * len(xs)))
    return draft


def walkway(draft: Draft, length: float) -> None:
    """The floor: a grating in a yellow channel, striped at its ends, with joists and lamps let into its underside."""
    slab = move(box(length, WIDTH, FLOOR), 0, 0, LEVEL - FLOOR)
    outline = rect(-length / 2, -WIDTH / 2, length / 2, WIDTH / 2)
    frame = outline.difference(outline.buffer(-0.1, join_style=2))
    ends = outline.difference(rect(-length / 2 + 0.28, -9, length / 2 - 0.28, 9))
    seams = np.arange(-length / 2 + 1.5, length / 2 - 1, 1.5)
    stripes = unary_union([rect(x - 0.03, -1.4, x + 0.03, 1.4) for x in seams])
    cutters = [prism(frame.union(ends), 1, LEVEL - FLOOR - 0.5), prism(stripes, 1, LEVEL - 0.03)]
    draft.add(prism(frame.difference(ends), FLOOR, LEVEL - FLOOR), "yellow", 0.95)
    draft.add(prism(ends, FLOOR, LEVEL - FLOOR), "warn")
    draft.add(prism(stripes, 0.04, LEVEL - 0.04), "steel")
    soffit = outline.buffer(-0.35, join_style=2)
    cutters.append(prism(soffit, 0.1, LEVEL - FLOOR - 0.01))
    beams = np.arange(-length / 2 + 0.75, length / 2 - 0.6, 0.75)
    joists = unary_union([rect(x - 0.05, -9, x + 0.05, 9) for x in beams])
    draft.add(prism(joists.intersection(soffit), 0.1, LEVEL - FLOOR), "steel", 0.7)
    for y, radius, material in ((-0.55, 0.045, "pipe"), (-0.3, 0.035, "tank"), (0.6, 0.035, "steel")):
        z = LEVEL - FLOOR + radius
        draft.add(rod([-length / 2 + 0.4, y, z], [length / 2 - 0.4, y, z], radius, 8), material)
    for s in (-1, 1):
        x, y = s * (length / 2 - 0.95), s * 0.9
        draft.add(move(bevelled(0.34, 0.16, 0.06, 0.02), x, y, LEVEL - FLOOR + 0.02), "steel", 0.6)
        draft.add(move(bevelled(0.26, 0.1, 0.05, 0.01), x, y, LEVEL - FLOOR), "lamp-amber")
        # plates painted on the channel
        side = s * WIDTH / 2
        plate = s * (length / 2 - 1.4)
        draft.add(move(box(0.6, 0.02, 0.1), plate, side - s * 0.005, LEVEL - 0.125), "white", 0.9)
        draft.add(move(box(0.36, 0.02, 0.03), plate, side - s * 0.0035, LEVEL - 0.09), "oxide")
    draft.part("floor", slab, ["accessible", "vantage"], drawn=[Decor(cut(slab, cutters), "grate")])


def gantry_pillar(draft: Draft, number: int, x: float, y: float, has_rungs: bool) -> None:
    """A pillar; collars, a warning band and perhaps rungs are let into it."""
    tall = LEVEL - FLOOR - FOOT
    shaft = cylinder(0.25, tall, 12, FOOT)
    inwards = -1 if y > 0 else 1
    drawn = [Decor(cylinder(0.232, tall, 12, FOOT), "steel")]
    for z, height, material in BANDS:
        drawn.append(Decor(cylinder(0.25, height, 12, z), material, 0.85 if material != "warn" else 1))
    if has_rungs:
        slot_for_rungs = move(box(0.22, 0.16, 2.2), 0, -inwards * 0.25, 0.1)
        drawn = [Decor(cut(decor.mesh, [slot_for_rungs]), decor.material, decor.tint) for decor in drawn]
        for z in np.arange(0.2, 2.3, 0.22):
            drawn.append(Decor(move(box(0.24, 0.04, 0.05), 0, -inwards * 0.215, z), "steel", 1.4))
        drawn.append(Decor(move(box(0.22, 0.02, 2.2), 0, -inwards * 0.17, 0.1), "cable"))
    for decor in drawn:
        decor.mesh.apply_translation([x, y, 0])
    draft.part(f"pillar {number}", move(shaft, x, y), ["heavy"], drawn=drawn)


BANDS = (
    (FOOT, 0.8, "wet"),
    (0.93, 0.13, "yellow"),
    (1.24, 0.58, "warn"),
    (2.32, 0.14, "yellow"),
    (2.66, 0.19, "yellow"),
)
"""What a pillar wears: height of the foot, how high, and what of. Between them its shaft is a little thinner."""


DRUM = 2.92
"""Radius of the condenser's body at its 24 edges; fins stand at most of them."""


def condenser(name: str = "condenser") -> Draft:
    """A drum 6 inches across with a flat roof at 3, an inner ledge and four battlements."""
    draft = Draft(name, "condenser")
    under = LEVEL - 0.2
    body = move(lathe([(0, 0), (DRUM, 0), (DRUM, under), (0, under)], 24), turn=7.5)
    profile = [(0, 0), (DRUM, 0), (DRUM, 0.34), (2.72, 0.46), (2.72, 2.42), (DRUM, 2.56), (DRUM, under), (0, under)]
    draft.part("body", body, ["heavy"], drawn=[Decor(move(lathe(profile, 24), turn=7.5), "tank")])
    drum(draft)
    for number in range(4):
        gauge_house(draft, number)
    roof_face(draft)
    for number in range(4):
        battlement(draft, number)
    return draft


def battlement(draft: Draft, number: int) -> None:
    """A block on the rim: a core, and steel ribs, a foot and a cap around it."""
    angle = 45 + 90 * number
    mesh = prism(sector(2.72, 3.0, angle - 24, angle + 24), 0.6, LEVEL)
    drawn = [
        Decor(prism(sector(2.76, 2.96, angle - 23.5, angle + 23.5), 0.55, LEVEL), "tank"),
        Decor(prism(sector(2.72, 3.0, angle - 24, angle + 24), 0.1, LEVEL + 0.5), "yellow", 0.9),
        Decor(prism(sector(2.72, 3.0, angle - 24, angle + 24), 0.09, LEVEL), "steel", 0.8),
    ]
    for off in (-22.7, -8, 8, 22.7):
        rib = prism(sector(2.72, 3.0, angle + off - 1.3, angle + off + 1.3, 2), 0.5, LEVEL + 0.05)
        drawn.append(Decor(rib, "steel", 0.9))
    draft.part(f"battlement {number + 1}", mesh, ["light"], drawn=drawn)


def drum(draft: Draft) -> None:
    """Fins and hoops around the body, within its edges."""
    for number in range(24):
        angle = 15 * number + 7.5
        if number % 6:
            fin = move(bevelled(0.09, 0.26, 2.0, 0.02), *polar(DRUM - 0.125, angle), 0.45, angle - 90)
            draft.add(fin, "steel", 0.9)
    for z, tube, material in ((0.62, 0.06, "pipe"), (1.5, 0.05, "yellow"), (2.28, 0.06, "pipe")):
        draft.add(torus(2.81, tube, 48, 6).apply_translation([0, 0, z]), material)
    band = [(DRUM - 0.03, 0.06), (DRUM + 0.02, 0.06), (DRUM + 0.02, 0.28), (DRUM - 0.03, 0.28), (DRUM - 0.03, 0.06)]
    draft.add(move(lathe(band, 24), turn=7.5), "warn")


def gauge_house(draft: Draft, number: int) -> None:
    """A housing with a glowing dial between two riser pipes, against the body."""
    angle = 90 * number + 7.5
    at = pose(*polar(2.69, angle), 0, angle - 90)
    draft.add(move(bevelled(0.8, 0.26, 1.75, 0.06), 0, 0.06, 0.48), "tank", 1.15, at)
    dial = cylinder(0.26, 0.05, 18).apply_transform(rotation_matrix(-math.pi / 2, [1, 0, 0]))
    draft.add(move(dial.copy(), 0, 0.15, 1.62), "steel", 0.9, at)
    draft.add(move(dial.apply_scale(0.78), 0, 0.175, 1.62), "cyan", 1, at)
    draft.add(move(bevelled(0.03, 0.02, 0.2, 0.005), 0, 0.222, 1.6, 0, 30 * number, (0, 1, 0)), "cable", 1, at)
    draft.add(wall_rivets((-0.33, 0.33), (0.6, 1.0, 1.4, 1.8, 2.1), 0.18, 1, 0.03), "yellow", 0.8, at)
    for s in (-1, 1):
        riser = pipe([(s * 0.56, 0.1, 0), (s * 0.56, 0.1, 2.5), (s * 0.56, 0.02, 2.72)], 0.08, 8, 0.12)
        draft.add(riser, "pipe", 1, at)
    draft.add(move(bevelled(0.5, 0.05, 0.36, 0.02), 0, 0.18, 0.72), "warn", 1, at)


def roof_face(draft: Draft) -> None:
    """The roof with plates and rivets let into it, the ledge around the fan, and the fan in a pit under its grille."""
    sections = 48
    roof = lathe([(0, LEVEL - 0.2), (3.0, LEVEL - 0.2), (3.0, LEVEL), (0, LEVEL)], sections)
    ledge = lathe([(1.18, LEVEL), (1.5, LEVEL), (1.46, LEVEL + 0.14), (1.18, LEVEL + 0.14), (1.18, LEVEL)], sections)
    pit = LEVEL - 0.13
    cutters = [cylinder(1.18, 1, sections, pit)]
    for number in range(12):
        angle = 30 * number + 15
        seam = move(box(1.25, 0.04, 0.06), *polar(2.1, angle), LEVEL - 0.03, angle)
        cutters.append(seam)
        draft.add(move(box(1.25, 0.04, 0.04), *polar(2.1, angle), LEVEL - 0.05, angle), "cable", 0.8)
    for number in range(24):
        for radius in (2.58, 1.64):
            x, y = polar(radius, 15 * number)
            cutters.append(move(cylinder(0.06, 1, 8, LEVEL - 0.04), x, y))
            draft.add(rivets([(x, y, LEVEL - 0.045)], 0.05), "yellow", 0.75)
    draft.part("roof", roof, ["accessible", "vantage"], drawn=[Decor(cut(roof, cutters), "steel")])
    draft.part("inner ledge", ledge, ["exposed", "insignificant"], "yellow", kind="ledge")
    draft.add(cylinder(1.18, 0.03, 36, pit - 0.01), "cable", 0.6)
    glow = [(0.52, pit + 0.02), (0.94, pit + 0.02), (0.94, pit + 0.03), (0.52, pit + 0.03), (0.52, pit + 0.02)]
    draft.add(lathe(glow, 36), "cyan", 0.7)
    for number in range(9):
        angle = 40 * number
        blade = move(bevelled(0.92, 0.16, 0.035, 0.01), *polar(0.6, angle), pit + 0.035, angle, 12, (1, 0, 0))
        draft.add(blade, "steel", 0.7)
    for radius in (0.45, 0.8, 1.12):
        draft.add(torus(radius, 0.02, 32, 5).apply_translation([0, 0, pit + 0.09]), "yellow", 0.8)
    hub: Trimesh = lathe([(0, 0), (0.26, 0), (0.26, 0.07), (0.16, 0.12), (0, 0.12)], 14)
    draft.add(hub.apply_translation([0, 0, pit + 0.005]), "yellow")
