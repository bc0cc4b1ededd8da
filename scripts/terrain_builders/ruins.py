"""Ruins and rubble of the city."""

from __future__ import annotations

from typing import Any

import numpy as np
from shapely.geometry import box as rect
from trimesh import Trimesh

from .debris import Rng, chip_edges, chips, chips_around, chips_in, heap, rebar
from .draft import Draft
from .drawings import broken_outline, lancet, ragged, scatter, upper_edge
from .masonry import (
    LEVEL,
    SLAB,
    WALL,
    bars,
    broken_bars,
    broken_wall,
    door_leaf,
    dress,
    floor_beams,
    plinth,
    viewport_gap,
    window_frame,
)
from .shapes import bevelled, box, common, cylinder, move, panel, prism, side, union, without_crumbs

HEAVY = ["heavy"]
RAMPART = 0.75


class Wing:
    """One wall of an L: its frame, and local x measured from the corner where the two wings meet."""

    def __init__(self, name: str, start: tuple[float, float], end: tuple[float, float], corner: tuple[float, float]):
        self.name = name
        self.at, self.length = side(start, end)
        self.corner_at_end = bool((np.linalg.inv(self.at) @ [*corner, 0, 1])[0] > self.length / 2)

    def x(self, distance: float) -> float:
        """Local x at a *distance* from the corner."""
        return self.length - distance if self.corner_at_end else distance

    def line(self, tops: list[tuple[float, float]]) -> list[tuple[float, float]]:
        """A control line given by distance from the corner, in rising local x."""
        return sorted((self.x(distance), height) for distance, height in tops)


def large_ruin(seed: int = 3) -> Draft:
    """An L of 6 by 4.5 inches with an upper floor in its corner, a door with a viewport, windows and a rampart."""
    rng = np.random.default_rng(seed)
    draft = Draft("large-ruin", "large ruin")
    corner = (-3.0, 2.25)
    back, wing = Wing("back", (3, 2.25), corner, corner), Wing("side", corner, (-3, -2.25), corner)
    middle = wing.x(2.6)
    door = rect(middle - 0.625, 0, middle + 0.625, 2.0)
    low = {
        "back": [lancet(back.x(x), 0.75, 0.5, 1.25) for x in (1.1, 2.3, 3.5, 4.7)],
        "side": [lancet(wing.x(1.05), 0.75, 0.5, 1.25), lancet(wing.x(3.8), 0.75, 0.4, 1.2)],
    }
    high = {
        "back": [lancet(back.x(x), 3.55, 0.5, 1.25) for x in (1.1, 2.15)],
        "side": [lancet(wing.x(1.05), 3.55, 0.5, 1.25)],
    }
    walls = []
    for each in (back, wing):
        flat = sorted((each.x(3.2), each.x(each.length - 0.3)))
        tops = [
            (0, 5.6),
            (1.2, 5.4),
            (2.2, 4.9),
            (3.0, 3.8),
            (3.4, 3.0),
            (each.length - 0.3, 3.0),
            (each.length, 2.7),
        ]
        holes = low[each.name] + high[each.name] + ([door] if each is wing else [])
        mesh, whole, _ = broken_wall(rng, each.line(tops), holes, (flat[0], flat[1], LEVEL))
        walls.append(mesh.apply_transform(each.at))
        doors = [door] if each is wing else []
        windows = [hole for hole in whole if hole in low[each.name]]
        pilasters = [each.x(x) for x in (0.18, 1.7, 2.9, 4.1, each.length - 0.2)]
        dress(draft, each.at, each.length, 0, 2.85, windows, doors, pilasters)
        for hole in whole:
            if hole in high[each.name]:
                window_frame(draft, each.at, hole)
        draft.add(move(bevelled(0.36, 0.16, 2.0, 0.05), each.x(0.2), 0.04, 2.9), "trim", 0.95, each.at)
        draft.add(rebar(rng, 6, each.x(2.5), -0.12, 3.9, 0.25), "rust", 1, each.at)
        for i, hole in enumerate(windows):
            if i % 2 == 0:
                volume = panel(hole.buffer(-0.004), 0.1, -WALL / 2).apply_transform(each.at)
                name = f"{each.name} window {i // 2 + 1}"
                draft.part(name, volume, ["barred", "heavy"], "iron", kind="window", visible=False)
                bars(draft, each.at, hole)
            else:
                broken_bars(draft, each.at, hole)
        draft.part(f"{each.name} rampart", rampart(draft, rng, each, flat[0], flat[1]), ["light"], kind="rampart")
    draft.part("walls", without_crumbs(union(walls)), HEAVY, kind="wall")
    upper_floor(draft, rng)
    draft.part("door", door_leaf(draft, wing.at, door, viewport=True), ["accessible", "heavy"], "oxide")
    draft.part("viewport", viewport_gap(wing.at, door), ["blocking"], visible=False)
    ruin_chips(draft, rng)
    return draft


def rampart(draft: Draft, rng: Rng, wing: Wing, start: float, end: float) -> Trimesh:
    """The parapet on the level stretch of a wing."""
    tops = sorted([(start, RAMPART), (end, RAMPART), ((start + end) / 2, RAMPART - 0.02)])
    outline = broken_outline(rng, tops, 0.5, 0.04).intersection(rect(start, 0, end, RAMPART))
    mesh = chip_edges(rng, panel(outline, WALL * 0.8), upper_edge(rng, outline, 0.3, 0.3), 0.12, 0.1)
    kerb = bevelled(end - start, WALL + 0.12, 0.08, 0.03)
    draft.add(move(kerb, (start + end) / 2, -WALL / 2, LEVEL), "trim", 1, wing.at)
    return mesh.apply_translation([0, -WALL / 2, LEVEL]).apply_transform(wing.at)


def upper_floor(draft: Draft, rng: Rng) -> None:
    """The broken floor in the corner, its beams and chips."""
    edge = [(-2.75, 2.0), (-2.75, -2.1), (-1.2, -2.0), (-0.5, -0.4), (1.0, 0.1), (2.75, 0.5), (2.9, 2.0)]
    floor = ragged(rng, edge, 0.36, 0.14, keep=(0, 6)).intersection(rect(-2.75, -2.2, 3, 2.0))
    draft.part("upper floor", prism(floor, SLAB, LEVEL - SLAB), ["ceiling", "vantage"], "slab", kind="floor")
    floor_beams(draft, floor, 0.62)
    draft.add(chips_in(rng, floor.buffer(-0.15), 30, 0.13, LEVEL), "rubble")
    inlay = floor.buffer(-0.28, join_style=2).difference(floor.buffer(-0.34, join_style=2))
    draft.add(prism(inlay, 0.02, LEVEL), "ashlar-dark", 0.8)


def ruin_chips(draft: Draft, rng: Rng) -> None:
    draft.add(chips_around(rng, 90, 2.0, 0.15, 0.2, 0), "rubble")
    draft.add(chips_around(rng, 30, 1.4, 0.1, -1, -0.6), "brick")
    draft.add(chips_around(rng, 26, 0.9, 0.24, -1.9, 1.2), "rubble-dark")


def small_ruin(seed: int = 5) -> Draft:
    """An L of 4 by 3 inches, 2.5 at its highest."""
    rng = np.random.default_rng(seed)
    draft = Draft("small-ruin", "small ruin")
    corner = (-2.0, 1.5)
    wings = [Wing("back", (2, 1.5), corner, corner), Wing("side", corner, (-2, -1.5), corner)]
    walls = []
    for each in wings:
        length = each.length
        tops = [(0, 2.5), (0.9, 2.4), (1.8, 2.0), (length - 0.8, 1.5), (length, 0.5)]
        distances = (1.0, 2.3) if each.name == "back" else (1.2,)
        holes: list[Any] = [lancet(each.x(x), 0.65, 0.5, 1.25) for x in distances]
        mesh, whole, outline = broken_wall(rng, each.line(tops), holes)
        walls.append(mesh.apply_transform(each.at))
        plinth(draft, each.at, length)
        for hole in whole:
            window_frame(draft, each.at, hole)
        draft.add(move(bevelled(0.34, 0.15, 2.1, 0.05), each.x(0.2), 0.04), "trim", 0.95, each.at)
        crest = [(x, z) for x, z in upper_edge(rng, outline, 0.5, 1.2) if abs(each.x(x) - 1.9) < 0.8][:4]
        for x, z in crest:
            draft.add(rebar(rng, 1, x, -0.12, z - 0.06, 0.02), "rust", 1, each.at)
    limit = box(9, 9, 2.5)
    draft.part("walls", without_crumbs(common([union(walls), limit])), HEAVY, kind="wall")
    draft.add(chips_around(rng, 70, 1.5, 0.14, -0.3, 0.2), "rubble")
    draft.add(chips_around(rng, 14, 0.7, 0.26, -1.2, 0.8), "rubble-dark")
    draft.add(chips_around(rng, 24, 1.2, 0.09), "brick")
    return draft


def heavy_rubble(seed: int = 7) -> Draft:
    """A mound of 3 by 2 by 1.5 inches with a fallen column in it."""
    rng = np.random.default_rng(seed)
    draft = Draft("heavy-rubble", "heavy rubble")
    column = move(cylinder(0.33, 1.1, 14), 0.45, -0.05, 0.78, 25, 72, (1, 0.6, 0))
    bed = [
        move(bevelled(0.5, 0.5, 0.62, 0.1), x, y, -0.02, turn) for x, y, turn in ((0.55, -0.25, 20), (0.75, -0.6, 50))
    ]
    draft.part("rubble", heap(rng, 1.5, 1.0, 1.5, 60, 0.62, [column, *bed]), HEAVY, "rubble")
    _on_mound(draft, rng, 18, 0.16)
    ring = scatter(rng, rect(-1.7, -1.2, 1.7, 1.2), 90)
    draft.add(chips(rng, ring[:60], 0.15), "rubble")
    draft.add(chips(rng, ring[60:], 0.11), "brick")
    draft.add(chips_around(rng, 16, 0.4, 0.09, -1.3, -0.85), "ember")
    draft.add(chips_around(rng, 14, 0.5, 0.12, -1.3, -0.85), "rubble-dark", 0.4)
    return draft


def light_rubble(seed: int = 9) -> Draft:
    """A mound of 2.5 by 1.5 by 0.9 inches."""
    rng = np.random.default_rng(seed)
    draft = Draft("light-rubble", "light rubble")
    draft.part("rubble", heap(rng, 1.25, 0.75, 0.9, 44, 0.45), ["light"], "rubble")
    _on_mound(draft, rng, 10, 0.14)
    ring = scatter(rng, rect(-1.45, -0.95, 1.45, 0.95), 74)
    draft.add(chips(rng, ring[:50], 0.13), "rubble")
    draft.add(chips(rng, ring[50:], 0.1), "brick")
    return draft


def _on_mound(draft: Draft, rng: Rng, count: int, height: float) -> None:
    """Bent rods and bricks stuck into the top of the only part."""
    mesh = draft.parts[0].mesh
    tops = mesh.triangles_center[mesh.face_normals[:, 2] > 0.5]
    tops = tops[tops[:, 2] > 0.3]
    for x, y, z in tops[rng.choice(len(tops), min(count, len(tops)), replace=False)]:
        if rng.random() < 0.6:
            draft.add(rebar(rng, 1, x, y, z - 0.03, 0.01, height), "rust")
        else:
            draft.add(move(bevelled(0.16, 0.09, 0.07, 0.012), x, y, z - 0.02, rng.uniform(0, 180)), "brick")
