"""Ruins and rubble of the city."""

from __future__ import annotations

from typing import Any

import numpy as np
from shapely.geometry import box as rect
from trimesh import Trimesh

from .debris import Rng, chip_edges, chips, chips_around, heap, rebar
from .draft import Decor, Draft
from .drawings import broken_outline, lancet, ragged, scatter, upper_edge
from .masonry import (
    LEVEL,
    WALL,
    bars,
    broken_bars,
    broken_wall,
    door_leaf,
    dress,
    floor,
    pier,
    plinth,
    recess,
    viewport_gap,
    walls_with_rods,
    window_frame,
)
from .shapes import bevelled, box, common, cylinder, move, panel, side, union, without_crumbs

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
    walls, rods, cutters = [], [], []
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
        cutters += dress(draft, each.at, each.length, 0, 2.85, windows, doors, [each.x(x) for x in (1.7, 2.9, 4.1)])
        for hole in whole:
            if hole in high[each.name]:
                cutters += window_frame(draft, each.at, hole)
        cutters += pier(draft, each.at, each.x(0.18), 2.95, 4.9)
        rods += [rod.apply_transform(each.at) for rod in rebar(rng, 5, each.x(2.5), -0.12, 3.9, 0.25)]
        for i, hole in enumerate(windows):
            if i % 2 == 0:
                volume = panel(hole.buffer(-0.004), 0.1, -WALL / 2).apply_transform(each.at)
                name = f"{each.name} window {i // 2 + 1}"
                draft.part(name, volume, ["barred", "heavy"], kind="window", visible=False)
                bars(draft, each.at, hole)
            else:
                rods += broken_bars(each.at, hole)
        rampart(draft, rng, each, flat[0], flat[1])
    walls_with_rods(draft, without_crumbs(union(walls)), rods, cutters)
    edge = [(-2.75, 2.0), (-2.75, -2.1), (-1.2, -2.0), (-0.5, -0.4), (1.0, 0.1), (2.75, 0.5), (2.9, 2.0)]
    room = rect(-2.75, -2.2, 3, 2.0)
    outline = ragged(rng, edge, 0.36, 0.14, keep=(0, 6)).intersection(room)
    floor(draft, rng, "upper floor", outline, LEVEL, "floor", room, 26, border=0.28)
    leaf, fittings = door_leaf(wing.at, door, viewport=True)
    draft.part("door", leaf, ["accessible", "heavy"], drawn=fittings)
    draft.part("viewport", viewport_gap(wing.at, door), ["blocking"], visible=False)
    ruin_chips(draft, rng)
    return draft


def rampart(draft: Draft, rng: Rng, wing: Wing, start: float, end: float) -> None:
    """The parapet on the level stretch of a wing, and the kerb it stands in."""
    tops = sorted([(start, RAMPART), (end, RAMPART), ((start + end) / 2, RAMPART - 0.02)])
    outline = broken_outline(rng, tops, 0.5, 0.04).intersection(rect(start, 0, end, RAMPART))
    mesh = chip_edges(rng, panel(outline, WALL * 0.8), upper_edge(rng, outline, 0.3, 0.3), 0.12, 0.1)
    mesh.apply_translation([0, -WALL / 2, LEVEL]).apply_transform(wing.at)
    kerb = move(bevelled(end - start, WALL, 0.08, 0.02), (start + end) / 2, -WALL / 2, LEVEL).apply_transform(wing.at)
    drawn = [Decor(mesh, "ashlar"), Decor(kerb, "trim")]
    draft.part(f"{wing.name} rampart", union([mesh, kerb]), ["light"], kind="rampart", drawn=drawn)


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
    walls, rods, cutters = [], [], []
    for each in wings:
        length = each.length
        tops = [(0, 2.5), (0.9, 2.4), (1.8, 2.0), (length - 0.8, 1.5), (length, 0.5)]
        distances = (1.0, 2.3) if each.name == "back" else (1.2,)
        holes: list[Any] = [lancet(each.x(x), 0.65, 0.5, 1.25) for x in distances]
        mesh, whole, outline = broken_wall(rng, each.line(tops), holes)
        walls.append(mesh.apply_transform(each.at))
        plinth(draft, each.at, length)
        cutters += recess(each.at, rect(-0.05, -0.01, length + 0.05, 0.335))
        # between plinth and broken edge the facing has come off
        cutters += recess(each.at, outline.buffer(-0.13).intersection(rect(0.3, 0.33, length - 0.3, 9)), 0.04)
        for hole in whole:
            cutters += window_frame(draft, each.at, hole)
        cutters += pier(draft, each.at, each.x(0.18), 0.3, 2.1)
        crest = [(x, z) for x, z in upper_edge(rng, outline, 0.5, 1.2) if abs(each.x(x) - 1.9) < 0.8][:4]
        for x, z in crest:
            rods += [rod.apply_transform(each.at) for rod in rebar(rng, 1, x, -0.12, z - 0.06, 0.02)]
    limit = box(9, 9, 2.5)
    stone = without_crumbs(common([union(walls), limit]))
    walls_with_rods(draft, stone, [common([rod, limit]) for rod in rods], cutters)
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
    _mound(draft, rng, heap(rng, 1.5, 1.0, 1.5, 60, 0.62, [column, *bed]), HEAVY, 18, 0.16)
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
    _mound(draft, rng, heap(rng, 1.25, 0.75, 0.9, 44, 0.45), ["light"], 10, 0.14)
    ring = scatter(rng, rect(-1.45, -0.95, 1.45, 0.95), 74)
    draft.add(chips(rng, ring[:50], 0.13), "rubble")
    draft.add(chips(rng, ring[50:], 0.1), "brick")
    return draft


def _mound(draft: Draft, rng: Rng, mound: Trimesh, traits: list[str], count: int, height: float) -> None:
    """A mound with bent rods and bricks stuck into its top; all of it rules, none reaches beyond the mound's box."""
    tops = mound.triangles_center[mound.face_normals[:, 2] > 0.5]
    tops = tops[tops[:, 2] > 0.3]
    limit = box(*mound.extents).apply_translation([*mound.bounds.mean(axis=0)[:2], 0])
    stuck = []
    for x, y, z in tops[rng.choice(len(tops), min(count, len(tops)), replace=False)]:
        if rng.random() < 0.5:
            stuck += [Decor(common([rod, limit]), "rust") for rod in rebar(rng, 1, x, y, z - 0.03, 0.01, height)]
        else:
            brick = move(box(0.18, 0.1, 0.09), x, y, z - 0.04, rng.uniform(0, 180))
            stuck.append(Decor(common([brick, limit]), "brick"))
    stuck = [decor for decor in stuck if len(decor.mesh.faces)]
    whole = union([mound, *(decor.mesh for decor in stuck)])
    draft.part("rubble", whole, traits, drawn=[Decor(mound, "rubble"), *stuck])
