"""The space hulk: bodies to draw on wall lines, the hatch, pillars. They rule by the lines they stand on.

A wall's body runs along local x from 0 to one or two cells; its line is y = 0. All of it lies within the ruling wall: a
thin core, and on either side of it ribs, pipes and panels that end flush at most.
"""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
from shapely.geometry import box as rect
from shapely.ops import unary_union
from trimesh.transformations import rotation_matrix

from ktsim.killzones.grid import load_kit
from ktsim.killzones.walls import ACCESS_HEIGHT, LEAF_FOOT, LEAF_HEIGHT, LEAF_THICKNESS, LEAF_WIDTH

from .debris import Rng
from .draft import Draft
from .drawings import lancet, slot
from .ornament import frame, wall_rivets
from .shapes import bevelled, box, cut, cylinder, move, panel, pipe, polygons, pose, prism, rod, torus
from .wall_solids import ACCESS_WIDTH, wall_solids

KIT = load_kit("gallowdark")
CELL, HEIGHT, THICK, PILLAR = KIT.cell, KIT.height, KIT.thickness, 1.5 * KIT.thickness
CORE = THICK / 2 - 0.12
"""Where the faces of a wall's core are; what stands on them is at most 0.12 thick."""


def pillar() -> Draft:
    """A pillar on a junction of walls: corner posts and, sunk between them, a rib on each face."""
    draft = Draft("gallowdark-pillar", "wall")
    draft.ruled += wall_solids(KIT, pillar=True)
    half, deep = PILLAR / 2, 0.09
    shaft = bevelled(PILLAR, PILLAR, HEIGHT, 0.025)
    niches = [
        move(box(0.34, 2 * deep, 1.82), 0, half, 0.4).apply_transform(pose(turn=90 * quarter)) for quarter in range(4)
    ]
    draft.add(cut(shaft, [*niches, move(box(0.36, 0.36, 1), 0, 0, HEIGHT - 0.06)]), "hull-dark")
    for z, height in ((0.06, 0.24), (2.3, 0.1), (2.46, 0.2)):
        band = rect(-half, -half, half, half)
        draft.add(prism(band.difference(band.buffer(-0.04)), height, z), "hull-rib", 0.8 if z > 1 else 0.6)
    for quarter in range(4):
        at = pose(turn=90 * quarter)
        draft.add(move(bevelled(0.16, 0.06, 1.8, 0.02), 0, half - deep + 0.025, 0.41), "hull-rib", 0.95, at)
        draft.add(panel(lancet(0, 0.55, 0.08, 1.2), 0.03, half - deep + 0.055), "brass", 1, at)
        draft.add(move(bevelled(0.05, 0.05, 1.8, 0.015), -0.13, half - deep + 0.02, 0.41), "brass", 0.75, at)
        draft.add(move(bevelled(0.05, 0.05, 1.8, 0.015), 0.13, half - deep + 0.02, 0.41), "cable", 1, at)
    draft.add(cylinder(0.10, 0.055, 8, HEIGHT - 0.06), "brass")
    return draft


def bay_lancets(draft: Draft, x0: float, x1: float, s: int, rng: Rng) -> None:
    width, middle, y = x1 - x0, (x0 + x1) / 2, s * CORE
    for k in (-1, 1):
        x = middle + k * width * 0.235
        arch = lancet(x, 0.48, width * 0.36, 1.62)
        draft.add(frame(arch, 0.045, 0.09, y), "hull-rib", 0.85)
        draft.add(panel(arch, 0.03, y), "hull-dark", 0.75)
        draft.add(move(bevelled(width * 0.26, 0.04, 0.05, 0.01), x, y + s * 0.02, 0.95), "brass", 0.9)
    draft.add(wall_rivets((x0 + 0.09, middle, x1 - 0.09), (0.48, 1.3, 2.0), y, s), "hull-rib")


def bay_vent(draft: Draft, x0: float, x1: float, s: int, rng: Rng) -> None:
    width, middle, y = x1 - x0, (x0 + x1) / 2, s * CORE
    opening = slot(middle, 0.55, width * 0.72, 0.95, 0.1)
    draft.add(frame(opening, 0.06, 0.10, y), "hull-rib", 0.8)
    draft.add(panel(opening, 0.03, y), "cable", 0.5)
    for z in np.arange(0.65, 1.45, 0.13):
        draft.add(move(bevelled(width * 0.68, 0.05, 0.05, 0.012), middle, y + s * 0.03, z), "hull", 0.8)
    draft.add(wall_rivets(np.linspace(x0 + 0.12, x1 - 0.12, 4), (1.68,), y, s, 0.03), "hull-rib")


def bay_panel(draft: Draft, x0: float, x1: float, s: int, rng: Rng) -> None:
    width, middle, y = x1 - x0, (x0 + x1) / 2, s * CORE
    draft.add(move(bevelled(width * 0.62, 0.12, 0.72, 0.04), middle, y + s * 0.03, 0.85), "hull", 1.15)
    draft.add(move(bevelled(width * 0.5, 0.03, 0.30, 0.02), middle, y + s * 0.095, 1.16), "cable", 0.8)
    glow = "teal" if rng.random() < 0.6 else "amber"
    for k in range(3):
        light = bevelled(width * 0.10, 0.02, 0.05, 0.005)
        draft.add(move(light, middle + (k - 1) * width * 0.14, y + s * 0.108, 1.30), glow if k else "red")
    for k in (-1, 0, 1):
        x = middle + k * 0.14
        run = [(x, y + s * 0.05, 1.5), (x, y + s * 0.05, 1.85), (x + k * 0.08, y + s * 0.03, 2.2)]
        draft.add(pipe(run, 0.03, 5, 0.1, 2), "cable")
    for k in (-1, 1):
        x = middle + k * 0.16
        draft.add(pipe([(x, y + s * 0.06, 0.9), (x, y + s * 0.06, 0.25)], 0.035, 6), "brass", 0.8)


def bay_plate(draft: Draft, x0: float, x1: float, s: int, rng: Rng) -> None:
    width, middle, y = x1 - x0, (x0 + x1) / 2, s * CORE
    draft.add(panel(slot(middle, 0.45, width * 0.84, 1.62, 0.14), 0.05, y), "hull", 0.92)
    draft.add(frame(slot(middle, 0.62, width * 0.6, 1.28, 0.1), 0.04, 0.08, y), "hull-rib", 0.75)
    studs = np.linspace(x0 + width * 0.14, x1 - width * 0.14, 5)
    draft.add(wall_rivets(studs, (0.53, 1.99), y + s * 0.025, s, 0.032), "hull-rib")
    label = "warn" if rng.random() < 0.5 else "brass"
    draft.add(move(bevelled(width * 0.42, 0.04, 0.16, 0.02), middle, y + s * 0.03, 1.52), label, 0.9)


BAYS = [bay_lancets, bay_plate, bay_vent, bay_lancets, bay_panel, bay_plate]


def trim(draft: Draft, length: float, opening: Any) -> None:
    """Skirting, pipes and the cap along both faces."""
    ends = PILLAR / 2 - 0.03
    keep_off = opening.buffer(0.2) if opening is not None else unary_union([])
    for s in (-1, 1):
        y = s * CORE
        for piece in polygons(rect(ends, 0, length - ends, 0.3).difference(keep_off)):
            x0, _, x1, _ = piece.bounds
            middle = (x0 + x1) / 2
            draft.add(move(bevelled(x1 - x0, 0.13, 0.26, 0.04), middle, y + s * 0.05), "hull-dark", 0.9)
            draft.add(move(bevelled(x1 - x0, 0.08, 0.06, 0.015), middle, y + s * 0.04, 0.28), "brass", 0.7)
        tube, cable = y + s * 0.06, y + s * 0.05
        draft.add(rod([ends, tube, 2.32], [length - ends, tube, 2.32], 0.045, 8), "brass", 0.75)
        draft.add(rod([ends, cable, 2.44], [length - ends, cable, 2.44], 0.028, 6), "cable")
    cap = length - 2 * ends
    draft.add(move(bevelled(cap, THICK, 0.16, 0.03), length / 2, 0, HEIGHT - 0.2), "hull-rib")
    draft.add(move(bevelled(cap - 0.1, 0.16, 0.05, 0.015), length / 2, 0, HEIGHT - 0.05), "hull-dark", 0.9)
    for x in np.arange(0.6, length - 0.4, 0.5):
        draft.add(move(bevelled(0.10, THICK - 0.04, 0.05, 0.012), x, 0, HEIGHT - 0.052), "hull-rib", 0.85)


def plain_cell(draft: Draft, rng: Rng, start: float, number: int) -> None:
    """Ribs, bays, a sagging cable and a lamp on one cell without a hatchway."""
    a, b = start + PILLAR / 2, start + CELL - PILLAR / 2
    posts = np.linspace(a, b, 4)
    for s in (-1, 1):
        y = s * CORE
        for x in posts[1:3]:
            draft.add(move(bevelled(0.17, 0.13, 2.25, 0.03), x, y + s * 0.04), "hull-rib", 0.9)
            draft.add(move(bevelled(0.24, 0.15, 0.42, 0.04), x, y + s * 0.045), "hull-rib", 0.75)
            draft.add(move(bevelled(0.24, 0.15, 0.16, 0.04), x, y + s * 0.045, 2.14), "hull-rib")
        for x0, x1 in itertools.pairwise(posts):
            BAYS[int(rng.integers(len(BAYS)))](draft, x0 + 0.12, x1 - 0.12, s, rng)
        sag = [
            (x, y + s * 0.09, 2.05 - 0.16 * math.sin(math.pi * ((x - a) / (b - a) * 3 % 1)))
            for x in np.linspace(a, b, 13)
        ]
        draft.add(pipe(sag, 0.022, 4, 0.02, 1), "cable")
        if s == (1 if number % 2 else -1):
            middle = (a + b) / 2
            draft.add(move(bevelled(0.62, 0.12, 0.12, 0.03), middle, y + s * 0.05, 2.10), "hull-dark")
            glow = ("lamp-teal", "lamp-amber", "lamp-teal")[number % 3]
            draft.add(move(bevelled(0.52, 0.05, 0.06, 0.015), middle, y + s * 0.105, 2.10), glow)


def wall(name: str, cells: int, seed: int) -> Draft:
    """The body of a wall of one or two cells."""
    rng = np.random.default_rng(1000 + seed)
    draft = Draft(name, "wall")
    length = cells * CELL
    draft.ruled += wall_solids(KIT, cells)
    draft.add(panel(rect(0.02, 0, length - 0.02, HEIGHT - 0.05), 2 * CORE), "hull")
    trim(draft, length, None)
    for cell in range(cells):
        plain_cell(draft, rng, cell * CELL, seed + cell)
    return draft


def hatchway(name: str, state: str) -> Draft:
    """The body of a wall of one cell with an opening for the hatch; its lamps show the *state*."""
    draft = Draft(name, "wall")
    opened = state == "open"
    draft.ruled += wall_solids(KIT, access="hatchway")
    middle, half = CELL / 2, THICK / 2
    opening = rect(middle - ACCESS_WIDTH / 2, -0.2, middle + ACCESS_WIDTH / 2, ACCESS_HEIGHT)
    clip = rect(-9, 0, 99, 9)
    draft.add(panel(rect(0.02, 0, CELL - 0.02, HEIGHT - 0.05).difference(opening), 2 * CORE), "hull")
    trim(draft, CELL, opening)
    for s in (-1, 1):
        y = s * CORE
        for x0, x1 in ((PILLAR / 2, middle - 1.08), (middle + 1.08, CELL - PILLAR / 2)):
            draft.add(panel(slot((x0 + x1) / 2, 0.45, x1 - x0 - 0.06, 1.7, 0.08), 0.12, y), "hull", 0.9)
            draft.add(wall_rivets(((x0 + x1) / 2,), (0.6, 1.0, 1.4, 1.8), y + s * 0.06, s), "hull-rib")
        draft.add(move(box(ACCESS_WIDTH, 0.34, 0.012), middle, s * (half + 0.36)), "warn", 0.9)
        draft.add(move(bevelled(0.5, 0.12, 0.14, 0.03), middle, y + s * 0.02, 2.4), "hull-dark")
        draft.add(
            move(bevelled(0.4, 0.06, 0.09, 0.02), middle, y + s * 0.085, 2.43), "lamp-amber" if opened else "lamp-red"
        )
        x = middle + s * (ACCESS_WIDTH / 2 + 0.42)
        draft.add(move(bevelled(0.16, 0.06, 0.26, 0.02), x, y + s * 0.08, 1.2), "cable")
        draft.add(move(bevelled(0.09, 0.03, 0.07, 0.01), x, y + s * 0.105, 1.34), "teal" if opened else "red")
    ring = opening.buffer(0.16, join_style=2)
    draft.add(panel(ring.difference(opening).intersection(clip), THICK), "warn", 0.95)
    outer = opening.buffer(0.25, join_style=2)
    draft.add(panel(outer.difference(ring).intersection(clip), THICK - 0.05), "hull-rib", 0.85)
    draft.add(move(box(ACCESS_WIDTH, THICK + 0.1, 0.02), middle), "hull-rib", 0.6)
    return draft


def hatch() -> Draft:
    """The hatch: hinge at the origin, leaf along local x, its thickness centred on y."""
    draft = Draft("gallowdark-hatch", "hatch")
    width, height, thick, foot = LEAF_WIDTH, LEAF_HEIGHT, LEAF_THICKNESS, LEAF_FOOT
    draft.ruled.append(move(box(width, thick, height, foot), width / 2))
    whole = rect(0, foot, width, foot + height)
    inner = whole.buffer(-0.1, join_style=2)
    core = 0.02
    draft.add(panel(inner, 2 * core), "hatch")
    draft.add(panel(whole.difference(inner), thick), "hatch", 0.85)
    for s in (-1, 1):
        y = s * core
        ring = slot(width / 2, foot + 0.16, width - 0.32, height - 0.32, 0.12)
        draft.add(frame(ring, 0.05, 0.07, y), "hull-rib", 0.8)
        draft.add(move(bevelled(width - 0.36, 0.05, 0.34, 0.02), width / 2, y, foot + 0.20), "warn")
        draft.add(move(bevelled(width - 0.36, 0.06, 0.10, 0.02), width / 2, y, foot + 1.06), "hull-rib", 0.9)
        draft.add(panel(lancet(width / 2, foot + 1.24, 0.44, 0.58), 0.05, y), "cable", 0.7)
        draft.add(panel(lancet(width / 2, foot + 1.28, 0.34, 0.46), 0.07, y), "amber", 0.55)
        wheel = (
            torus(0.19, 0.035, 14, 5).apply_scale([1, 1, 0.7]).apply_transform(rotation_matrix(math.pi / 2, [1, 0, 0]))
        )
        draft.add(move(wheel, width / 2, y + s * 0.03, foot + 0.83), "brass")
        for angle in (0, 60, 120):
            spoke = move(bevelled(0.36, 0.03, 0.04, 0.01), 0, 0, -0.02, 0, angle, (0, 1, 0))
            draft.add(spoke.apply_translation([width / 2, y + s * 0.025, foot + 0.83]), "brass", 0.9)
    return draft
