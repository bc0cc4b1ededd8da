"""The Tomb World: dark halls with green light. Bodies to draw on wall lines, breach points, pads, sarcophagi, debris.

A wall's body runs along local x from 0 to one or two cells; its line is y = 0. All of it lies within the ruling wall.
"""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import trimesh
from shapely.geometry import LineString, Point, Polygon
from shapely.geometry import box as rect
from shapely.ops import unary_union
from trimesh import Trimesh

from ktsim.killzones.grid import load_kit
from ktsim.killzones.walls import ACCESS_HEIGHT, LEAF_FOOT, LEAF_HEIGHT, LEAF_THICKNESS, LEAF_WIDTH

from .debris import Rng, chips_around, heap
from .draft import Decor, Draft
from .shapes import bevelled, box, cut, cylinder, lathe, move, panel, polygons, pose, prism
from .wall_solids import ACCESS_WIDTH, wall_solids

KIT = load_kit("tomb-world")
CELL, HEIGHT, THICK, PILLAR = KIT.cell, KIT.height, KIT.thickness, 1.5 * KIT.thickness
CORE = THICK / 2 - 0.12
"""Where the faces of a wall's core are; what stands on them is at most 0.12 thick."""
ENDS = PILLAR / 2 - 0.03


def _slab(draft: Draft, shape: Any, s: int, rise: float, material: str, tint: float = 1.0) -> None:
    """A drawing in the XZ plane as a slab that stands *rise* out of the core on side *s*."""
    draft.add(panel(shape, rise + 0.02, s * (CORE + rise / 2 - 0.01)), material, tint)


def leaning(x: float, z: float, wide: float, narrow: float, height: float) -> Polygon:
    """A slab that narrows upwards."""
    return Polygon([(x - wide / 2, z), (x + wide / 2, z), (x + narrow / 2, z + height), (x - narrow / 2, z + height)])


def glyph(x: float, z: float, size: float, kind: int) -> Any:
    """A sign of rings and strokes, *size* high, its middle at (x, z)."""
    r = size * 0.2
    eye = Point(x, z + size * 0.22)
    ring = eye.buffer(r, quad_segs=3).difference(eye.buffer(r * 0.55, quad_segs=3))
    strokes = {
        0: [[(x, z), (x, z - size * 0.5)], [(x - r, z - size * 0.15), (x + r, z - size * 0.15)]],
        1: [[(x - r, z - size * 0.1), (x, z - size * 0.45)], [(x + r, z - size * 0.1), (x, z - size * 0.45)]],
        2: [[(x, z), (x, z - size * 0.5)], [(x, z - size * 0.2), (x + r, z - size * 0.5)]],
    }[kind % 3]
    return unary_union([ring, *(LineString(run).buffer(size * 0.05, cap_style=2) for run in strokes)])


def bay(draft: Draft, x0: float, x1: float, s: int, rng: Rng) -> None:
    """What is between two ribs: a sealed niche, a wall of signs, or conduits."""
    width, middle = x1 - x0, (x0 + x1) / 2
    kind = int(rng.integers(4))
    if kind == 0:
        niche = leaning(middle, 0.42, width * 0.78, width * 0.6, 1.62)
        _slab(draft, niche.difference(niche.buffer(-0.07, join_style=2)), s, 0.09, "tomb-trim", 0.8)
        lid = leaning(middle, 0.56, width * 0.5, width * 0.36, 1.3)
        _slab(draft, lid, s, 0.05, "tomb-dark", 0.9)
        slit = rect(middle - 0.02, 0.75, middle + 0.02, 1.6)
        _slab(draft, slit, s, 0.06, "gauss", 0.9)
    elif kind == 1:
        plate = leaning(middle, 0.42, width * 0.86, width * 0.86, 1.62)
        signs = unary_union(
            [glyph(middle + dx * width, z, 0.4, int(rng.integers(3))) for dx in (-0.22, 0.22) for z in (0.85, 1.55)]
        )
        _slab(draft, plate.difference(signs), s, 0.07, "tomb", 0.95)
        _slab(draft, signs, s, 0.035, "gauss", 0.75)
    elif kind == 2:
        for k in (-1, 0, 1):
            x = middle + k * width * 0.25
            _slab(draft, rect(x - 0.05, 0.35, x + 0.05, 2.1), s, 0.08, "tomb-trim", 0.75)
            _slab(draft, rect(x - 0.018, 0.5, x + 0.018, 1.95), s, 0.088, "gauss", 0.7)
        _slab(draft, leaning(middle, 0.95, width * 0.8, width * 0.7, 0.5), s, 0.1, "tomb-dark")
        _slab(draft, glyph(middle, 1.2, 0.36, 1), s, 0.108, "tomb-gold", 0.9)
    else:
        for z in (0.42, 0.98, 1.54):
            for k in (-1, 1):
                block = rect(
                    middle + k * width * 0.22 - width * 0.2, z, middle + k * width * 0.22 + width * 0.2, z + 0.5
                )
                _slab(draft, block, s, 0.05 + 0.03 * float(rng.random()), "tomb", 0.85 + 0.2 * float(rng.random()))


def trim(draft: Draft, length: float, opening: Any) -> None:
    """Foot, conduit and cap along both faces."""
    keep_off = opening.buffer(0.16, join_style=2) if opening is not None else unary_union([])
    for s in (-1, 1):
        for piece in polygons(rect(ENDS, 0, length - ENDS, 0.32).difference(keep_off)):
            x0, _, x1, _ = piece.bounds
            draft.add(move(bevelled(x1 - x0, 0.14, 0.32, 0.05), (x0 + x1) / 2, s * (CORE + 0.045)), "tomb-dark")
        _slab(draft, rect(ENDS, 2.2, length - ENDS, 2.36), s, 0.1, "tomb-dark", 0.9)
        for x in np.arange(ENDS + 0.3, length - ENDS - 0.2, 0.42):
            _slab(draft, rect(x, 2.255, x + 0.22, 2.305), s, 0.107, "gauss", 0.8)
    cap = length - 2 * ENDS
    draft.add(move(bevelled(cap, THICK, 0.2, 0.05), length / 2, 0, HEIGHT - 0.26), "tomb")
    draft.add(move(bevelled(cap, 0.18, 0.06, 0.02), length / 2, 0, HEIGHT - 0.065), "tomb-dark")
    for x in np.arange(0.7, length - 0.5, 0.7):
        draft.add(move(bevelled(0.22, THICK - 0.06, 0.06, 0.015), x, 0, HEIGHT - 0.07), "tomb-trim", 0.8)


def rib(draft: Draft, x: float, s: int) -> None:
    _slab(draft, leaning(x, 0, 0.34, 0.2, 2.24), s, 0.1, "tomb", 1.05)
    _slab(draft, leaning(x, 0, 0.44, 0.36, 0.5), s, 0.115, "tomb-dark", 1.1)
    _slab(draft, rect(x - 0.15, 2.02, x + 0.15, 2.24), s, 0.115, "tomb-trim")


def lamp(draft: Draft, x: float, s: int) -> None:
    _slab(draft, leaning(x, 2.0, 0.3, 0.6, 0.2), s, 0.105, "tomb-trim", 0.7)
    _slab(draft, leaning(x, 2.05, 0.22, 0.44, 0.1), s, 0.115, "lamp-gauss")


def wall(name: str, cells: int, seed: int) -> Draft:
    """The body of a wall of one or two cells."""
    rng = np.random.default_rng(2000 + seed)
    draft = Draft(name, "wall")
    length = cells * CELL
    draft.ruled += wall_solids(KIT, cells)
    draft.add(panel(rect(0.02, 0, length - 0.02, HEIGHT - 0.06), 2 * CORE), "tomb-dark", 1.1)
    trim(draft, length, None)
    for cell in range(cells):
        a, b = cell * CELL + PILLAR / 2, (cell + 1) * CELL - PILLAR / 2
        posts = np.linspace(a, b, 4)
        for s in (-1, 1):
            for x in posts[1:3]:
                rib(draft, float(x), s)
            for x0, x1 in itertools.pairwise(posts):
                bay(draft, float(x0) + 0.16, float(x1) - 0.16, s, rng)
        if (seed + cell) % 2:
            lamp(draft, (a + b) / 2, 1 if (seed + cell) % 4 == 1 else -1)
    return draft


def pillar() -> Draft:
    """A pillar on a junction of walls: leaning faces with a line of light in each."""
    draft = Draft("tomb-world-pillar", "wall")
    draft.ruled += wall_solids(KIT, pillar=True)
    half, deep = PILLAR / 2, 0.09
    shaft = bevelled(PILLAR, PILLAR, HEIGHT, 0.03)
    niches = [
        panel(leaning(0, 0.42, 0.4, 0.28, 1.8), 2 * deep, half).apply_transform(pose(turn=90 * quarter))
        for quarter in range(4)
    ]
    draft.add(cut(shaft, [*niches, move(box(0.34, 0.34, 1), 0, 0, HEIGHT - 0.07)]), "tomb")
    for quarter in range(4):
        at = pose(turn=90 * quarter)
        draft.add(panel(leaning(0, 0.45, 0.22, 0.14, 1.7), 0.08, half - deep + 0.02), "tomb-trim", 0.75, at)
        draft.add(panel(rect(-0.015, 0.7, 0.015, 1.9), 0.09, half - deep + 0.025), "gauss", 0.6, at)
    band = rect(-half, -half, half, half)
    for z, height in ((0.1, 0.2), (2.34, 0.14)):
        draft.add(prism(band.difference(band.buffer(-0.04)), height, z), "tomb-dark", 1.1)
    draft.add(lathe([(0, 0), (0.12, 0), (0.05, 0.06), (0, 0.065)], 4).apply_translation([0, 0, HEIGHT - 0.07]), "gauss")
    return draft


def _gate(draft: Draft, opening: Any, glow: str) -> None:
    """What an access point has around it: a frame as thick as the wall with a line of light."""
    clip = rect(-9, 0, 99, 9)
    ring = opening.buffer(0.18, join_style=2).difference(opening).intersection(clip)
    line = opening.buffer(0.11, join_style=2).difference(opening.buffer(0.07, join_style=2)).intersection(clip)
    draft.add(panel(ring.difference(line), THICK), "tomb-trim", 0.85)
    draft.add(panel(line, THICK - 0.04), glow, 0.8)
    x0, _, x1, _ = opening.bounds
    middle = (x0 + x1) / 2
    for s in (-1, 1):
        _slab(draft, leaning(middle, ACCESS_HEIGHT + 0.12, 0.5, 0.8, 0.18), s, 0.115, "tomb-gold", 0.8)
        for a, b in ((PILLAR / 2, x0 - 0.22), (x1 + 0.22, CELL - PILLAR / 2)):
            plate = leaning((a + b) / 2, 0.42, b - a - 0.06, b - a - 0.16, 1.62)
            sign = glyph((a + b) / 2, 1.25, 0.5, 0)
            _slab(draft, plate.difference(sign), s, 0.08, "tomb", 0.95)
            _slab(draft, sign, s, 0.045, "gauss", 0.75)
    draft.add(move(box(x1 - x0, THICK + 0.1, 0.02), middle), "tomb-trim", 0.6)


def _opening() -> Any:
    return rect(CELL / 2 - ACCESS_WIDTH / 2, -0.2, CELL / 2 + ACCESS_WIDTH / 2, ACCESS_HEIGHT)


def hatchway(state: str) -> Draft:
    """The body of a wall of one cell with an opening for the hatch; its light shows the *state*."""
    draft = Draft(f"tomb-world-hatchway-{state}", "wall")
    draft.ruled += wall_solids(KIT, access="hatchway")
    opening = _opening()
    draft.add(panel(rect(0.02, 0, CELL - 0.02, HEIGHT - 0.06).difference(opening), 2 * CORE), "tomb-dark", 1.1)
    trim(draft, CELL, opening)
    _gate(draft, opening, "gauss" if state == "open" else "lamp-gauss")
    return draft


def hatch() -> Draft:
    """The hatch: hinge at the origin, leaf along local x, its thickness centred on y."""
    draft = Draft("tomb-world-hatch", "hatch")
    width, foot, thick = LEAF_WIDTH, LEAF_FOOT, LEAF_THICKNESS
    draft.ruled.append(move(box(width, thick, LEAF_HEIGHT, foot), width / 2))
    whole = rect(0, foot, width, foot + LEAF_HEIGHT)
    inner = whole.buffer(-0.1, join_style=2)
    draft.add(panel(inner, 0.04), "tomb-dark")
    draft.add(panel(whole.difference(inner), thick), "tomb-trim", 0.9)
    middle = width / 2
    for s in (-1, 1):
        lid = leaning(middle, foot + 0.18, 1.0, 0.7, 1.6)
        sign = glyph(middle, foot + 1.05, 0.8, 0)
        draft.add(panel(lid.difference(sign), 0.05, s * 0.035), "tomb", 1.1)
        draft.add(panel(sign, 0.03, s * 0.03), "gauss", 0.9)
        for x in (0.18, width - 0.18):
            draft.add(panel(rect(x - 0.03, foot + 0.2, x + 0.03, foot + 1.8), 0.05, s * 0.045), "tomb-gold", 0.8)
    return draft


def breach_point(state: str) -> Draft:
    """The body of a wall of one cell with a breach point: its access point filled with blocks, or broken open."""
    draft = Draft(f"tomb-world-breach-{state}", "wall")
    shut = state == "closed"
    draft.ruled += wall_solids(KIT, access="breach", state="closed" if shut else "")
    opening = _opening()
    draft.add(panel(rect(0.02, 0, CELL - 0.02, HEIGHT - 0.06).difference(opening), 2 * CORE), "tomb-dark", 1.1)
    trim(draft, CELL, opening)
    rng = np.random.default_rng(77)
    if shut:
        _gate(draft, opening, "tomb-gold")
        x0, _, x1, _ = opening.bounds
        draft.add(panel(rect(x0, 0, x1, ACCESS_HEIGHT), 2 * CORE), "ember", 0.35)
        for row, z in enumerate(np.arange(0, ACCESS_HEIGHT, 0.44)):
            stops = [x0, *(x0 + (0.4 if row % 2 else 0.8) + 0.8 * k for k in range(2) if row % 2 or k < 1), x1]
            for a, b in itertools.pairwise(stops):
                block = rect(a + 0.012, z + 0.012, b - 0.012, min(z + 0.44, ACCESS_HEIGHT) - 0.012)
                for s in (-1, 1):
                    tint = 0.85 + 0.25 * float(rng.random())
                    _slab(draft, block, s, 0.085 + 0.03 * float(rng.random()), "rubble-dark", tint)
    else:
        _gate(draft, opening, "ember")
        for y in (-0.5, 0.5):
            draft.add(chips_around(rng, 26, 0.6, 0.16, CELL / 2, y), "rubble-dark")
        draft.add(chips_around(rng, 10, 0.5, 0.1, CELL / 2, 0), "tomb", 0.7)
    return draft


def pad() -> Draft:
    """A teleport pad 2.5 inches across: rings of light let into a low disc."""
    draft = Draft("teleport-pad", "teleport pad")
    height, radius = 0.1, 1.25
    disc = cylinder(radius, height, 24)
    rings = [Point(0, 0).buffer(r + 0.035, 24).difference(Point(0, 0).buffer(r - 0.035, 24)) for r in (1.08, 0.62)]
    spokes = unary_union(
        [LineString([_polar(0.7, a), _polar(1.0, a)]).buffer(0.025, cap_style=2) for a in range(0, 360, 45)]
    )
    sign = unary_union([*rings, spokes, glyph(0, 0, 0.7, 0)])
    draft.add(prism(sign, 0.05, height - 0.06), "lamp-gauss", 0.9)
    rim = Point(0, 0).buffer(1.22, 24).difference(Point(0, 0).buffer(1.15, 24))
    draft.add(prism(rim, 0.05, height - 0.05), "tomb-gold")
    drawn = [Decor(cut(disc, [prism(sign, 1, height - 0.03), prism(rim, 1, height - 0.03)]), "tomb-dark", 1.2)]
    draft.part("pad", disc, ["exposed", "insignificant", "vantage"], drawn=drawn)
    return draft


def _polar(radius: float, degrees: float) -> tuple[float, float]:
    return radius * math.cos(math.radians(degrees)), radius * math.sin(math.radians(degrees))


def sarcophagus() -> Draft:
    """A sarcophagus 2.4 by 1.1 by 0.9 inches, signs and light let into its lid and sides."""
    draft = Draft("sarcophagus", "sarcophagus")
    outline = Polygon([(-1.2, -0.34), (0.55, -0.55), (1.2, -0.3), (1.2, 0.3), (0.55, 0.55), (-1.2, 0.34)])
    foot, lid = (
        np.array(outline.exterior.coords)[:-1],
        np.array(outline.buffer(-0.12, join_style=2).exterior.coords)[:-1],
    )
    chest = trimesh.convex.convex_hull(
        np.vstack(
            [
                np.c_[foot, np.zeros(len(foot))],
                np.c_[foot, np.full(len(foot), 0.66)],
                np.c_[lid, np.full(len(lid), 0.9)],
            ]
        )
    )
    sign = glyph(0, 0, 0.62, 0)
    face = prism(outline.buffer(-0.2, join_style=2).difference(outline.buffer(-0.27, join_style=2)), 1, 0.86)
    marks = prism(sign, 1, 0.86).apply_transform(pose(0.35, 0, 0, -90))
    slots = [move(box(0.5, 3, 0.12), x, 0, 0.28) for x in (-0.75, 0.0)]
    core = prism(outline.buffer(-0.07, join_style=2), 0.6)
    sides = [cut(slot, [core]) for slot in slots]
    drawn = [Decor(cut(chest, [face, marks, *sides]), "tomb", 1.05)]
    drawn.append(Decor(prism(outline.buffer(-0.2, join_style=2), 0.3, 0.575), "gauss", 0.85))
    drawn.append(Decor(prism(outline.buffer(-0.06, join_style=2), 0.4, 0.1), "gauss", 0.45))
    draft.part("sarcophagus", chest, ["light"], drawn=drawn)
    band = outline.buffer(-0.001).difference(outline.buffer(-0.03, join_style=2))
    for z in (0.02, 0.56):
        draft.add(prism(band, 0.08, z), "tomb-gold", 0.8)
    return draft


def debris(number: int) -> Draft:
    """A heap of broken slabs, 2.4 by 1.5 by 0.9 inches."""
    rng = np.random.default_rng(60 + number)
    draft = Draft(f"tomb-debris-{number}", "tomb debris")
    mound: Trimesh = heap(rng, 1.2, 0.75, 0.9, 30, 0.55)
    draft.part("debris", mound, ["light"], "tomb")
    draft.add(chips_around(rng, 40, 1.3, 0.16), "tomb", 0.8)
    draft.add(chips_around(rng, 18, 1.0, 0.08), "gauss", 0.7)
    return draft
