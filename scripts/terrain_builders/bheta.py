"""The ocean platforms: gantries and the thermometric condenser."""

from __future__ import annotations

import itertools
import math

import numpy as np
from trimesh import Trimesh
from trimesh.transformations import rotation_matrix

from .draft import Draft
from .drawings import sector
from .ornament import rivets, wall_rivets
from .shapes import bevelled, box, cylinder, lathe, move, pipe, pose, prism, rod, torus

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
    floor = move(box(length, WIDTH, FLOOR), 0, 0, LEVEL - FLOOR)
    draft.part("floor", floor, ["accessible", "vantage"], "grate")
    xs = np.linspace(-length / 2 + 0.55, length / 2 - 0.55, 3 if length > 8 else 2)
    ys = (-1.1, 1.1)
    number = 0
    for x in xs:
        for y in ys:
            number += 1
            draft.part(
                f"pillar {number}", move(cylinder(0.25, LEVEL - FLOOR - FOOT, 12, FOOT), x, y), ["heavy"], "steel"
            )
            pillar_dressing(draft, float(x), y, rungs=number in (1, 2 * len(xs)))
    girders(draft, length, [float(x) for x in xs], ys)
    edges(draft, length)
    services(draft, length)
    return draft


def pillar_dressing(draft: Draft, x: float, y: float, rungs: bool) -> None:
    """Collars, a warning band and, on some, rungs to climb by."""
    for z, radius, height in (
        (FOOT, 0.34, 0.24),
        (0.0, 0.33, 0.08),
        (0.95, 0.30, 0.10),
        (2.35, 0.30, 0.10),
        (2.62, 0.36, 0.2),
    ):
        draft.add(move(cylinder(radius, height, 12), x, y, z), "yellow" if z > 0.1 else "wet", 0.85)
    draft.add(move(lathe([(0.25, 0), (0.262, 0), (0.262, 0.55), (0.25, 0.55), (0.25, 0)], 12), x, y, 1.25), "warn")
    if rungs:
        out = 1 if y > 0 else -1
        for z in np.arange(0.24, 2.7, 0.3):
            face = y + out * 0.36
            grip = [
                (x - 0.12, y + out * 0.2, z),
                (x - 0.12, face, z),
                (x + 0.12, face, z),
                (x + 0.12, y + out * 0.2, z),
            ]
            draft.add(pipe(grip, 0.024, 5, 0.04, 1), "steel", 1.1)


def girders(draft: Draft, length: float, xs: list[float], ys: tuple[float, float]) -> None:
    """Portal frames, knee braces and a lattice under the floor, all within its outline."""
    for x in xs:
        draft.add(move(bevelled(0.16, 2.2, 0.2, 0.03), x, 0, 2.6), "yellow", 0.85)
        for s in (-1, 1):
            draft.add(rod([x, s * 0.95, 2.0], [x, s * 0.4, 2.62], 0.05, 6), "yellow", 0.8)
    for y in ys:
        draft.add(rod([-length / 2 + 0.2, y, 2.2], [length / 2 - 0.2, y, 2.2], 0.045, 6), "yellow", 0.85)
        stops = np.linspace(-length / 2 + 0.25, length / 2 - 0.25, int(length / 0.75) + 1)
        for i, (x0, x1) in enumerate(itertools.pairwise(stops)):
            z0, z1 = (2.2, 2.8) if i % 2 else (2.8, 2.2)
            draft.add(rod([x0, y, z0], [x1, y, z1], 0.032, 5), "steel", 0.85)
        for x in stops[1:-1]:
            draft.add(
                move(bevelled(0.12, 0.06, 0.12, 0.02), x, y, 2.15),
                "yellow",
                0.75,
            )


def edges(draft: Draft, length: float) -> None:
    """Channel edges, hazard noses and a low kerb rail that leaves gaps to climb through."""
    for s in (-1, 1):
        y, x = s * WIDTH / 2, s * length / 2
        draft.add(move(bevelled(length, 0.10, 0.26, 0.03), 0, y + s * 0.02, LEVEL - 0.25), "yellow", 0.95)
        draft.add(move(bevelled(0.10, WIDTH, 0.24, 0.03), x + s * 0.02, 0, LEVEL - 0.24), "warn")
        draft.add(move(box(0.22, WIDTH - 0.1, 0.012), x - s * 0.16, 0, LEVEL), "warn")
        studs = np.arange(-length / 2 + 0.3, length / 2 - 0.2, 0.5)
        draft.add(wall_rivets(studs, (LEVEL - 0.12,), y + s * 0.07, s, 0.03), "yellow", 0.7)
        gap = 1.3 if length < 5 else 1.6
        run = (length - gap) / 2 - 0.1
        for k in (-1, 1):
            middle = k * (gap / 2 + run / 2)
            kerb_rail(draft, middle, y - s * 0.03, run)
    for x in np.arange(-length / 2 + 1.5, length / 2 - 0.5, 1.5):
        draft.add(move(box(0.05, WIDTH - 0.06, 0.012), x, 0, LEVEL), "steel")


def kerb_rail(draft: Draft, x: float, y: float, run: float) -> None:
    """A guard low enough for bases to stand against: 0.15 high."""
    draft.add(move(box(run, 0.03, 0.06), x, y, LEVEL), "yellow", 0.7)
    draft.add(rod([x - run / 2, y, LEVEL + 0.13], [x + run / 2, y, LEVEL + 0.13], 0.024, 6), "yellow")
    for post in np.linspace(x - run / 2, x + run / 2, max(2, int(run / 0.6) + 1)):
        draft.add(move(bevelled(0.07, 0.07, 0.145, 0.015), post, y, LEVEL), "yellow", 0.95)


def services(draft: Draft, length: float) -> None:
    """Joists, pipes, cable trays and lamps under the floor."""
    for x in np.arange(-length / 2 + 0.75, length / 2 - 0.6, 0.75):
        draft.add(move(box(0.07, WIDTH - 0.1, 0.14), x, 0, LEVEL - FLOOR - 0.14), "steel", 0.7)
    for y, radius, material in ((-0.55, 0.12, "pipe"), (-0.2, 0.09, "tank"), (0.6, 0.07, "steel")):
        z = 2.64 - radius
        draft.add(rod([-length / 2 + 0.15, y, z], [length / 2 - 0.15, y, z], radius, 8), material)
        for x in np.linspace(-length / 2 + 0.6, length / 2 - 0.6, 3):
            draft.add(rod([x - 0.05, y, z], [x + 0.05, y, z], radius + 0.035, 8), material, 0.7)
    for s in (-1, 1):
        x, y = s * (length / 2 - 0.9), s * 1.25
        draft.add(move(bevelled(0.30, 0.14, 0.12, 0.03), x, y, LEVEL - 0.38), "steel", 0.6)
        draft.add(move(bevelled(0.24, 0.10, 0.05, 0.01), x, y, LEVEL - 0.42), "lamp-amber")
        draft.add(
            move(bevelled(0.6, 0.03, 0.2, 0.02), s * (length / 2 - 1.4), s * (WIDTH / 2 + 0.08), LEVEL - 0.23),
            "white",
            0.9,
        )
        draft.add(
            move(bevelled(0.36, 0.04, 0.05, 0.01), s * (length / 2 - 1.4), s * (WIDTH / 2 + 0.085), LEVEL - 0.15),
            "oxide",
        )


def condenser(name: str = "condenser") -> Draft:
    """A drum 6 inches across with a flat roof at 3, an inner ledge and four battlements."""
    draft = Draft(name, "condenser")
    sections = 48
    profile = [(0, 0), (2.92, 0), (2.92, 0.34), (2.72, 0.46), (2.72, 2.42), (2.92, 2.56), (2.92, LEVEL - 0.2)]
    draft.part("body", lathe([*profile, (0, LEVEL - 0.2)], sections), ["heavy"], "tank")
    roof = lathe([(0, LEVEL - 0.2), (3.0, LEVEL - 0.2), (3.0, LEVEL), (0, LEVEL)], sections)
    draft.part("roof", roof, ["accessible", "vantage"], "steel")
    ledge = [(1.18, LEVEL), (1.5, LEVEL), (1.46, LEVEL + 0.14), (1.18, LEVEL + 0.14), (1.18, LEVEL)]
    draft.part("inner ledge", lathe(ledge, sections), ["exposed", "insignificant"], "yellow", kind="ledge")
    for number in range(4):
        battlement(draft, number)
    drum(draft)
    for number in range(4):
        gauge_house(draft, number)
    roof_face(draft)
    return draft


def battlement(draft: Draft, number: int) -> None:
    angle = 45 + 90 * number
    mesh = prism(sector(2.72, 3.0, angle - 24, angle + 24), 0.6, LEVEL)
    draft.part(f"battlement {number + 1}", mesh, ["light"], "tank")
    draft.add(prism(sector(2.66, 3.06, angle - 25, angle + 25), 0.09, LEVEL + 0.56), "yellow", 0.9)
    draft.add(prism(sector(2.68, 3.04, angle - 25, angle + 25), 0.08, LEVEL), "steel", 0.8)
    for off in (-20, -7, 7, 20):
        draft.add(
            move(bevelled(0.10, 0.14, 0.46, 0.03), *polar(3.0, angle + off), LEVEL + 0.08, angle + off + 90),
            "steel",
            0.9,
        )


def drum(draft: Draft) -> None:
    """Fins and hoops around the body."""
    for number in range(24):
        angle = 15 * number + 7.5
        if number % 6:
            draft.add(move(bevelled(0.09, 0.26, 1.9, 0.03), *polar(2.76, angle), 0.50, angle - 90), "steel", 0.9)
    for z, tube, material in ((0.62, 0.06, "pipe"), (1.5, 0.05, "yellow"), (2.28, 0.06, "pipe")):
        draft.add(torus(2.83, tube, 56, 6).apply_translation([0, 0, z]), material)
    draft.add(lathe([(2.92, 0.06), (2.945, 0.06), (2.945, 0.28), (2.92, 0.28), (2.92, 0.06)], 48), "warn")


def gauge_house(draft: Draft, number: int) -> None:
    """A housing with a glowing dial between two riser pipes, against the body."""
    angle = 90 * number + 7.5
    at = pose(*polar(2.66, angle), 0, angle - 90)
    draft.add(move(bevelled(0.8, 0.26, 1.75, 0.06), 0, 0.06, 0.48), "tank", 1.15, at)
    dial = cylinder(0.26, 0.05, 18).apply_transform(rotation_matrix(-math.pi / 2, [1, 0, 0]))
    draft.add(move(dial.copy(), 0, 0.17, 1.62), "steel", 0.9, at)
    draft.add(move(dial.apply_scale(0.78), 0, 0.19, 1.62), "cyan", 1, at)
    draft.add(move(bevelled(0.03, 0.02, 0.2, 0.005), 0, 0.225, 1.6, 0, 30 * number, (0, 1, 0)), "cable", 1, at)
    draft.add(wall_rivets((-0.33, 0.33), (0.6, 1.0, 1.4, 1.8, 2.1), 0.18, 1, 0.03), "yellow", 0.8, at)
    for s in (-1, 1):
        riser = pipe([(s * 0.56, 0.1, 0), (s * 0.56, 0.1, 2.5), (s * 0.56, 0.02, 2.72)], 0.08, 8, 0.12)
        draft.add(riser, "pipe", 1, at)
    draft.add(move(bevelled(0.5, 0.05, 0.36, 0.02), 0, 0.18, 0.72), "warn", 1, at)


def roof_face(draft: Draft) -> None:
    """Plates, rivets and the fan under its grille."""
    for number in range(12):
        angle = 30 * number + 15
        draft.add(move(box(1.25, 0.03, 0.012), *polar(2.1, angle), LEVEL, angle), "cable", 0.8)
    for number in range(24):
        places = [(*polar(radius, 15 * number), LEVEL) for radius in (2.58, 1.64)]
        draft.add(rivets(places, 0.05), "yellow", 0.75)
    draft.add(lathe([(0, LEVEL), (1.17, LEVEL), (1.17, LEVEL + 0.02), (0, LEVEL + 0.02)], 36), "cable", 0.6)
    glow = [
        (0.52, LEVEL + 0.02),
        (0.94, LEVEL + 0.02),
        (0.94, LEVEL + 0.03),
        (0.52, LEVEL + 0.03),
        (0.52, LEVEL + 0.02),
    ]
    draft.add(lathe(glow, 36), "cyan", 0.7)
    for number in range(9):
        angle = 40 * number
        draft.add(
            move(bevelled(0.92, 0.16, 0.035, 0.01), *polar(0.6, angle), LEVEL + 0.035, angle, 12, (1, 0, 0)),
            "steel",
            0.7,
        )
    for radius in (0.45, 0.8, 1.12):
        draft.add(torus(radius, 0.02, 32, 5).apply_translation([0, 0, LEVEL + 0.08]), "yellow", 0.8)
    hub: Trimesh = lathe([(0, 0), (0.26, 0), (0.26, 0.05), (0.16, 0.09), (0, 0.09)], 14)
    draft.add(hub.apply_translation([0, 0, LEVEL + 0.01]), "yellow")
