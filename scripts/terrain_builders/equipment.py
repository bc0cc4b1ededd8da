"""Equipment terrain: barricades, razor wire, ladders."""

from __future__ import annotations

import math

import numpy as np
from shapely.geometry import Polygon
from trimesh import Trimesh

from .draft import Decor, Draft
from .drawings import slot
from .ornament import ladder_rods, wall_rivets
from .shapes import bevelled, box, common, cut, lathe, move, panel, pipe, rod, union

LIGHT = ["light"]


def light_barricade() -> Draft:
    """Sandbags 2 inches wide and 1 high on two skids (the feet do not rule cover)."""
    draft = Draft("light-barricade", "light barricade")
    rng = np.random.default_rng(51)
    bags = []
    lying = [(0, 0), (0.24, 0), (0.25, 0.10), (0.25, 0.14), (0.20, 0.22), (0, 0.24)]
    stacked = [(0, 0), (0.20, 0.02), *lying[2:]]
    for row, count in enumerate((4, 4, 3, 3)):
        # Each row is a little narrower than the one below, so that nothing can be seen underneath.
        narrow = 1 - 0.05 * row
        for i in range(count):
            bag = lathe(stacked if row else lying, 12).apply_scale([1.18 * narrow, 0.84 * narrow, 1.08])
            x = (i - (count - 1) / 2) * 0.48 * narrow
            bags.append(move(bag, x, rng.normal(0, 0.008), 0.24 * row, rng.uniform(-5, 5)))
    core = [move(bevelled(1.6 - 0.38 * max(0, k - 1), 0.3, 0.26, 0.03), 0, 0, 0.24 * k) for k in range(3)]
    draft.part("sandbags", union([*bags, *core]), LIGHT, "sand", kind="barricade")
    for number, x in enumerate((-0.55, 0.55), start=1):
        for end, y in (("front", -0.32), ("back", 0.32)):
            foot = move(bevelled(0.16, 0.22, 0.06, 0.015), x, y)
            draft.part(f"{end} foot {number}", foot, ["insignificant", "exposed"], "iron", kind="foot")
    return draft


def plate(outline: Polygon, thick: float, sunk: float, material: str) -> tuple[Trimesh, Decor]:
    """An upright plate, and its drawing: cut back on both faces within a border."""
    whole = panel(outline, thick)
    inner = outline.buffer(-0.07, join_style=2)
    dents = [panel(inner, 2 * sunk, s * thick / 2) for s in (-1, 1)]
    return whole, Decor(cut(whole, dents), material)


def barricade() -> Draft:
    """2021's: a low plate 2 inches wide and 1 high, to be climbed across (Traversable)."""
    draft = Draft("barricade", "barricade")
    outline = Polygon([(-1.0, 0), (1.0, 0), (1.0, 0.78), (0.86, 1.0), (-0.86, 1.0), (-1.0, 0.78)])
    whole, drawn = plate(outline, 0.2, 0.04, "sand")
    draft.part("plate", whole, ["light", "traversable"], kind="barricade", drawn=[drawn])
    for s in (-1, 1):
        draft.add(move(bevelled(1.8, 0.05, 0.1, 0.015), 0, s * 0.07, 0.12), "iron")
        draft.add(move(bevelled(1.64, 0.05, 0.1, 0.015), 0, s * 0.07, 0.78), "iron")
        draft.add(wall_rivets(np.linspace(-0.8, 0.8, 6), (0.45,), s * 0.06, s), "iron")
    return draft


def heavy_barricade() -> Draft:
    """An armoured shield on a frame."""
    draft = Draft("heavy-barricade", "heavy barricade")
    outline = Polygon([(-1.1, 0), (1.1, 0), (1.1, 0.9), (0.85, 1.3), (-0.85, 1.3), (-1.1, 0.9)])
    shield, face = plate(outline, 0.22, 0.05, "bronze")
    draft.part("shield", shield, ["heavy"], kind="barricade", drawn=[face])
    for s in (-1, 1):
        draft.add(move(bevelled(0.16, 0.22, 1.12, 0.03), s * 0.72), "iron")
        draft.add(move(bevelled(2.0, 0.06, 0.14, 0.02), 0, s * 0.075, 0.12), "iron")
        draft.add(move(bevelled(1.5, 0.06, 0.12, 0.02), 0, s * 0.075, 1.06), "iron")
        draft.add(wall_rivets(np.linspace(-0.5, 0.5, 5), (0.35, 0.9), s * 0.06, s), "iron")
        draft.add(move(bevelled(0.5, 0.05, 0.42, 0.02), 0, s * 0.075, 0.42), "oxide")
    return draft


def portable_barricade() -> Draft:
    """A shield that is carried along."""
    draft = Draft("portable-barricade", "portable barricade")
    outline = Polygon([(-0.75, 0), (0.75, 0), (0.75, 0.8), (0.55, 1.0), (-0.55, 1.0), (-0.75, 0.8)])
    shield, face = plate(outline, 0.14, 0.035, "olive")
    draft.part("shield", shield, LIGHT, kind="barricade", drawn=[face])
    draft.add(panel(slot(0, 0.66, 0.6, 0.14, 0.02), 0.12), "iron")
    draft.add(panel(slot(0, 0.2, 0.7, 0.3, 0.06), 0.12), "olive", 0.75)
    for s in (-1, 1):
        draft.add(move(bevelled(0.1, 0.13, 0.8, 0.02), s * 0.58), "iron")
        for facing in (-1, 1):
            draft.add(wall_rivets((s * 0.42,), (0.15, 0.45, 0.85), facing * 0.035, facing, 0.028), "iron")
    return draft


def razor_wire() -> Draft:
    """A coil between two crossed stakes; the wire itself rules, not the air in it."""
    draft = Draft("razor-wire", "razor wire")
    length, radius, turns = 2.4, 0.30, 7
    t = np.linspace(0, turns * 2 * math.pi, turns * 16)
    coil = np.c_[-length / 2 + length * t / t[-1], radius * np.cos(t), radius + 0.03 + radius * np.sin(t)]
    wire = pipe(coil, 0.02, 4, 0.01, 1)
    barbs = []
    for x in np.linspace(-length / 2 + 0.1, length / 2 - 0.1, 14):
        k = int(np.argmin(np.abs(coil[:, 0] - x)))
        barbs.append(move(box(0.09, 0.022, 0.022), *coil[k], turn=float(t[k]) * 40))
    limit = box(9, 9, 9)
    barbs = [common([barb, limit]) for barb in barbs]
    drawn = [Decor(wire, "wire"), *(Decor(barb, "wire", 1.2) for barb in barbs)]
    draft.part("coil", union([wire, *barbs]), ["exposed"], kind="wire", drawn=drawn)
    for number, x in enumerate((-length / 2 - 0.06, length / 2 + 0.06), start=1):
        stakes = [rod([x, -0.26, 0], [x, 0.12, 0.74], 0.035), rod([x, 0.26, 0], [x, -0.12, 0.74], 0.035)]
        mesh = union([*stakes, move(box(0.06, 0.62, 0.05), x, 0)])
        draft.part(f"stakes {number}", mesh, ["exposed"], "rust", kind="stakes")
    return draft


def ladder() -> Draft:
    """A ladder, upright in the plane y = 0; its rods rule, not the air between them."""
    draft = Draft("ladder", "ladder")
    rods = union(ladder_rods(3.1))
    feet = [move(bevelled(0.1, 0.1, 0.06, 0.015), s * 0.275) for s in (-1, 1)]
    drawn = [Decor(rods, "steel"), *(Decor(foot, "rust") for foot in feet)]
    draft.part("ladder", union([rods, *feet]), ["insignificant", "exposed"], drawn=drawn)
    return draft
