"""Strongholds A and B: fortified halls of 7 by 7 inches with walls of 3."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
from shapely.geometry import Point
from shapely.geometry import box as rect
from trimesh import Trimesh

from .debris import Rng, chip_edges, chips_in, chunk, rebar, tumbled
from .draft import Decor, Draft, Matrix
from .drawings import broken_outline, chamfered, lancet, ragged, slot, upper_edge
from .masonry import DEPTH, LEVEL, SLAB, WALL, door_leaf, dress, floor, let_in, sunk, walls_with_rods
from .shapes import bevelled, common, cut, lathe, move, panel, pipe, polygons, prism, side, union, without_crumbs

HEAVY = ["heavy"]
OUTER = chamfered(-3.5, -3.5, 3.5, 3.5, 0.9)
INNER = OUTER.buffer(-WALL, join_style=2)
RING = OUTER.difference(INNER)
GAP = rect(-1.9, -1.9, -0.5, -0.5)
SECOND = 5.5
"""Height of B's highest level."""

Side = tuple[Matrix, float, tuple[float, float]]


def sides() -> list[Side]:
    """Frame, length and middle of each of the eight sides."""
    corners = list(OUTER.exterior.coords)
    out = []
    for start, end in itertools.pairwise(corners):
        at, length = side(start, end)
        out.append((at, length, ((start[0] + end[0]) / 2, (start[1] + end[1]) / 2)))
    return out


def openings_of(length: float, middle: tuple[float, float]) -> tuple[list[Any], list[Any], Any]:
    """Windows, doorways and the broken vent of one side, as drawings."""
    half = length / 2
    if length < 3:
        return [], [], None
    if middle[1] < -3:
        doorway = rect(half - 0.625, 0, half + 0.625, 2.0)
        return [slot(half - 1.75, 1.3, 0.8, 0.32), slot(half + 1.75, 1.3, 0.8, 0.32)], [doorway], None
    if middle[1] > 3:
        return [lancet(half + x, 0.85, 0.5, 1.25) for x in (-1.6, 0, 1.6)], [], None
    slits = [slot(half - 1.5, 1.3, 0.8, 0.32), slot(half + 1.5, 1.3, 0.8, 0.32)]
    if middle[0] > 3:
        return slits, [], slot(half + 0.75, 0.12, 0.9, 0.5, 0.05)
    return [*slits, lancet(half, 0.85, 0.5, 1.25)], [], None


def buttress(draft: Draft, at: Matrix, length: float) -> None:
    """A cut corner's buttress with a lantern niche."""
    half = length / 2
    at = sunk(at)
    draft.add(move(bevelled(0.62, 0.16, 2.0, 0.05), half, 0.01), "trim", 0.93, at)
    draft.add(panel(lancet(half, 0.6, 0.34, 1.1), 0.05, 0.085), "ashlar-dark", 0.75, at)
    draft.add(move(bevelled(0.2, 0.05, 0.34, 0.02), half, 0.11, 0.75), "lamp", 1, at)


def louvres(draft: Draft, at: Matrix, vent: Any) -> None:
    """Bent slats in the broken vent."""
    middle = (vent.bounds[0] + vent.bounds[2]) / 2
    for i, (z, tilt) in enumerate(((0.2, 14), (0.33, -20), (0.46, 30))):
        shorter = 0.3 if i == 1 else 0.0
        slat = bevelled(0.8 - shorter, 0.05, 0.05, 0.01)
        draft.add(move(slat, middle - 0.4 * shorter, -0.04, z, tilt=tilt * 0.5, axis=(0, 1, 0.3)), "rust", 1, at)


def ground_floor(draft: Draft, rng: Rng, covered: Any) -> None:
    """Walls with their openings, door, vent and fire steps."""
    walls = prism(RING, LEVEL)
    openings, relief, rods = [prism(covered, 1.0, LEVEL - SLAB)], [], []
    for at, length, middle in sides():
        windows, doors, vent = openings_of(length, middle)
        holes = [*windows, *doors] + ([vent] if vent is not None else [])
        deep = [
            hole.union(rect(hole.bounds[0], -0.2, hole.bounds[2], 0.1)) if hole in doors else hole for hole in holes
        ]
        openings += [panel(hole, 1, -0.12).apply_transform(at) for hole in deep]
        pilasters = [length / 2 - 0.85, length / 2 + 0.85] if length > 3 and not doors else []
        relief += dress(draft, at, length, 0, 2.68, [hole for hole in holes if hole not in doors], doors, pilasters)
        if vent is not None:
            volume = panel(vent.buffer(-0.004), WALL, -WALL / 2).apply_transform(at)
            draft.part("broken vent", volume, ["blocking"], kind="vent", visible=False)
            louvres(draft, at, vent)
        if length < 3:
            buttress(draft, at, length)
        for doorway in doors:
            leaf, fittings = door_leaf(at, doorway)
            draft.part("door", leaf, ["accessible", "heavy"], drawn=fittings)
        bites, tuft = broken_crown(rng, at, length, covered)
        openings += bites
        rods += tuft
    stone = without_crumbs(cut(walls, openings))
    walls_with_rods(draft, stone, [common([rod, prism(RING, LEVEL)]) for rod in rods], relief)
    for number, place in ((1, rect(-2.75, -3.3, -0.75, -2.33)), (2, rect(-3.3, -1.5, -2.33, 2.0))):
        within = place.intersection(INNER.buffer(-0.003, join_style=2))
        step = prism(within, 0.5)
        nosing = within.difference(within.buffer(-0.05, join_style=2))
        drawn = [Decor(cut(step, [prism(nosing, 1, 0.45)]), "slab"), Decor(prism(nosing, 0.06, 0.44), "trim", 0.9)]
        draft.part(f"fire step {number}", step, ["vantage", "insignificant", "exposed"], drawn=drawn)
    draft.add(chips_in(rng, INNER.buffer(-0.2), 60, 0.13), "rubble")


def broken_crown(rng: Rng, at: Matrix, length: float, covered: Any) -> tuple[list[Trimesh], list[Trimesh]]:
    """Bites out of the top of a wall where no floor rests on it, and rods sticking out there."""
    bites, bare, rods = [], [], []
    for x in np.arange(0.12, length, 0.3):
        spot = Point(*(at @ [x, -WALL / 2, 0, 1])[:2])
        if covered.buffer(0.42).contains(spot):
            continue
        bare.append(float(x))
        size = rng.uniform(0.25, 0.55)
        block = chunk(rng, size * 1.3, 1.0, size)
        bites.append(tumbled(rng, block, x, -0.12, LEVEL + 0.1 + rng.normal(0, 0.06), 0.18).apply_transform(at))
    if len(bare) > 3:
        middle = (bare[0] + bare[-1]) / 2
        tuft = rebar(rng, 5, middle, -0.12, LEVEL - 0.2, (bare[-1] - bare[0]) * 0.2, 0.18)
        rods = [rod.apply_transform(at) for rod in tuft]
    return bites, rods


def roof_grille(draft: Draft, x: float, y: float, radius: float) -> Trimesh:
    """A ventilator let into the floor; returns the pit for it."""
    foot = LEVEL - 0.1
    for outer, height, material in ((1.15, 0.1, "iron"), (1.0, 0.06, "bronze"), (0.8, 0.07, "iron")):
        inner = 1.0 if outer > 1 else 0.0
        profile = [(radius * inner, 0), (radius * outer, 0), (radius * outer, height), (radius * inner, height)]
        ring = lathe([*profile, (radius * inner, 0)] if inner else profile, 18)
        draft.add(move(ring, x, y, foot), material, 0.9)
    for k in range(4):
        slat = bevelled(radius * 1.4 * math.cos(0.36 * (k - 1.5)), 0.06, 0.09, 0.01)
        draft.add(move(slat, x, y + (k - 1.5) * radius * 0.36, foot), "bronze", 0.8)
    return move(lathe([(0, 0), (radius * 1.15, 0), (radius * 1.15, 1), (0, 1)], 18), x, y, foot)


def broken_ramparts(draft: Draft, rng: Rng, covered: Any) -> None:
    """Stumps of the parapet along the outer edge of A's upper floor."""
    number = 0
    for at, length, _ in sides():
        for x0 in np.arange(0.35, length - 0.3, 1.35):
            x = x0 + 0.4
            width = rng.uniform(0.7, 1.1)
            ends = [Point(*(at @ [x + s * width / 2, -0.16, 0, 1])[:2]) for s in (-1, 1)]
            inside = covered.intersection(OUTER).buffer(-0.1)
            if x + width / 2 > length or not all(inside.contains(end) for end in ends) or rng.random() > 0.85:
                continue
            number += 1
            outline = broken_outline(rng, [(-width / 2, 0.5), (width / 2, rng.uniform(0.25, 0.5))], 0.25, 0.06)
            stump = chip_edges(rng, panel(outline, 0.22), upper_edge(rng, outline, 0.3, 0.15), 0.1, 0.11)
            stump.apply_translation([x, -0.16, LEVEL]).apply_transform(at)
            kerb = move(bevelled(width + 0.06, 0.30, 0.08, 0.02), x, -0.16, LEVEL).apply_transform(at)
            drawn = [Decor(stump, "ashlar"), Decor(kerb, "trim")]
            traits = ["insignificant", "exposed"]
            draft.part(f"broken rampart {number}", union([stump, kerb]), traits, kind="rampart", drawn=drawn)


def barrel() -> Trimesh:
    hoops = [(0.30, 0), (0.32, 0.04), (0.32, 0.3), (0.35, 0.33), (0.32, 0.36), (0.32, 0.64), (0.35, 0.67)]
    return lathe([(0, 0), *hoops, (0.32, 0.7), (0.32, 0.98), (0.29, 1.02), (0, 1.0)], 14)


def stronghold_a(seed: int = 1) -> Draft:
    """A hall with an open court, barrels in it and what is left of a parapet on its floor."""
    rng = np.random.default_rng(seed)
    draft = Draft("stronghold-a", "stronghold")
    edge = [(-3.5, -1.9), (-1.3, -1.7), (-1.1, 0.35), (1.9, 0.55), (3.5, 0.2), (3.5, 3.5), (-3.5, 3.5)]
    covered = ragged(rng, edge, 0.4, 0.13, keep=(4, 5, 6)).intersection(OUTER)
    ground_floor(draft, rng, covered)
    grille = roof_grille(draft, 1.7, 2.0, 0.5)
    floor(draft, rng, "upper floor", covered, LEVEL, "floor", INNER, 34, [grille])
    for number, (x, y) in enumerate(((1.85, -2.6), (2.55, -2.25), (1.95, -1.85)), start=1):
        colour = "bronze" if number == 2 else "oxide"
        draft.part(f"barrel {number}", move(barrel(), x, y), ["blocking", "heavy"], colour)
    broken_ramparts(draft, rng, covered)
    x = 3.5 - DEPTH / 2
    for y in (-2.2, -2.0):
        draft.add(pipe([(x, y, 0), (x, y, 2.2), (x, y + 0.5, 2.2), (x, y + 0.5, 2.75)], 0.048, 8, 0.15), "bronze")
    return draft


def stronghold_b(seed: int = 2) -> Draft:
    """A hall with a gap in its lower floor and a second level around a beacon."""
    rng = np.random.default_rng(seed)
    draft = Draft("stronghold-b", "stronghold")
    edge = [(-3.5, -3.5), (0.5, -3.5), (0.75, -1.2), (3.5, -0.9), (3.5, 3.5), (-3.5, 3.5)]
    covered = ragged(rng, edge, 0.4, 0.12, keep=(0, 3, 4, 5)).intersection(OUTER).difference(GAP)
    ground_floor(draft, rng, covered)
    rim = let_in(draft, GAP.buffer(0.1, join_style=2).difference(GAP), LEVEL, "iron")
    grille = roof_grille(draft, 2.2, 0.35, 0.42)
    floor(draft, rng, "upper floor", covered, LEVEL, "floor", INNER, 34, [rim, grille])
    draft.part(
        "gap",
        prism(GAP.buffer(-0.004), SLAB, LEVEL - SLAB),
        ["accessible", "insignificant", "exposed"],
        kind="access",
        visible=False,
    )
    upper_storey(draft, rng)
    x = DEPTH / 2 - 3.5
    draft.add(pipe([(x, -1.6, 0), (x, -1.6, 2.3), (x, -0.9, 2.3), (x, -0.9, 2.8)], 0.048, 8, 0.15), "bronze")
    return draft


def upper_storey(draft: Draft, rng: Rng) -> None:
    """B's upper walls, second level, posts and beacon."""
    height = SECOND - SLAB - LEVEL
    openings, relief = [], []
    for at, length, middle in sides():
        if length > 3 and middle[1] > 3:
            half = length / 2
            windows = [lancet(half + x, LEVEL + 0.55, 0.5, 1.25) for x in (-1.6, 0, 1.6)]
            openings += [panel(window, 1, -0.12).apply_transform(at) for window in windows]
            relief += dress(draft, at, length, LEVEL, SECOND - SLAB, windows, [], [half - 0.8, half + 0.8])
            for x in (-0.8, 0.8):
                hem = [(half + x - 0.3, 3.55), (half + x + 0.3, 3.55), (half + x + 0.3, 4.83), (half + x - 0.3, 4.83)]
                cloth = max(polygons(ragged(rng, hem, 0.14, 0.05, keep=(1, 2, 3))), key=lambda polygon: polygon.area)
                draft.add(panel(cloth, 0.05, -0.025), "banner", 1, at)
        elif length < 3 and middle[1] > 2:
            relief += dress(draft, at, length, LEVEL, SECOND - SLAB)
    for x in (-1, 1):
        for z in np.arange(3.45, 5.2, 0.3):
            block = chunk(rng, 0.5, 0.45, 0.4)
            openings.append(tumbled(rng, block, x * 3.4, 1.15 + rng.uniform(-0.1, 0.18), z, 0.4))
    walls = prism(RING.intersection(rect(-3.5, 1.15, 3.5, 3.5)), height, LEVEL)
    stone = without_crumbs(cut(walls, openings))
    draft.part("upper walls", stone, HEAVY, kind="wall", drawn=[Decor(cut(stone, relief), "ashlar")])
    edge = [(-3.5, 1.5), (3.5, 1.5), (3.5, 3.5), (-3.5, 3.5)]
    second = ragged(rng, edge, 0.4, 0.10, keep=(1, 2, 3)).intersection(OUTER)
    floor(draft, rng, "second level", second, SECOND, "top floor", INNER, 16, border=0.22)
    posts = union([move(bevelled(0.3, 0.3, height, 0.05), x, 1.95, LEVEL) for x in (-2.2, 2.2)])
    draft.part("posts", posts, HEAVY, "trim", kind="post")
    beacon(draft)


def beacon(draft: Draft) -> None:
    """The lantern in the middle of B's highest level: bars stand at the edges of the prism that rules."""
    foot, cage, top = 0.25, 0.44, 1.35
    head = [(cage, top), (0.2, 1.55), (0.13, 1.56), (0.13, 1.68), (0, 1.7)]
    ruling = lathe([(0, 0), (0.5, 0), (0.5, foot), (cage, foot + 0.08), *head], 12)
    inner = [(0.36, foot + 0.1), (0.33, 0.4), (0.33, 1.1), (cage, 1.2), (cage, top), (0.2, 1.55), (0, 1.56)]
    drawn = [
        Decor(lathe([(0, 0), (0.5, 0), (0.5, foot), (cage, foot + 0.08), *inner], 12), "bronze"),
        Decor(lathe([(0, 1.5), (0.13, 1.5), (0.13, 1.68), (0, 1.7)], 12), "lamp"),
        Decor(lathe([(0, 0.5), (0.345, 0.5), (0.345, 1.0), (0, 1.0)], 12), "lamp", 0.5),
    ]
    for angle in range(0, 360, 30):
        x, y = (cage - 0.05) * math.cos(math.radians(angle)), (cage - 0.05) * math.sin(math.radians(angle))
        drawn.append(Decor(move(bevelled(0.1, 0.06, 0.95, 0.01), x, y, foot + 0.02, angle), "iron"))
    for decor in drawn:
        decor.mesh.apply_translation([0, 2.55, SECOND])
    draft.part("beacon", move(ruling, 0, 2.55, SECOND), HEAVY, drawn=drawn)
