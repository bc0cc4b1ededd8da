"""What the city's buildings share: dressed walls, doors, windows, floors, broken walls.

A wall's frame has its outside at y = 0 with +y pointing out. Trim is written as if it stood on the wall's face and then
sunk into it (:func:`sunk`): the wall between is cut back, and nothing stands out of what rules.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from shapely.geometry import box as rect
from shapely.ops import unary_union
from trimesh import Trimesh
from trimesh.transformations import rotation_matrix

from .debris import Rng, chip_edges, chips_in
from .draft import RODS, Decor, Draft, Matrix
from .drawings import Line, broken_outline, lancet, slot, upper_edge
from .ornament import frame, lamp, wall_rivets
from .shapes import bevelled, box, cut, lathe, move, panel, polygons, prism, union, without_crumbs

WALL = 0.25
"""Thickness of a wall."""
LEVEL = 3.0
"""Height of the first upper level."""
SLAB = 0.2
"""Thickness of a floor."""
VIEWPORT = (1.35, 0.5, 0.16)
"""Height of a door's viewport, its width and height."""
DEPTH = 0.1
"""How far a dressed wall is cut back between its trim."""
RISE = 0.135
"""How far the boldest trim stands out of that: flush with the ruling wall."""
FIELD = 0.025
"""How far a floor is cut back where chips lie on it."""


def sunk(at: Matrix) -> Matrix:
    """The frame of a wall's face, cut back so that trim of RISE ends flush."""
    inwards = np.eye(4)
    inwards[1, 1], inwards[1, 3] = DEPTH / RISE, -DEPTH
    return np.asarray(at @ inwards)


def recess(at: Matrix, shape: Any, depth: float = DEPTH) -> list[Trimesh]:
    """What to cut out of a wall to set the outside of a region back."""
    return [panel(part, 2 * depth).apply_transform(at) for part in polygons(shape)]


def plinth(draft: Draft, at: Matrix, length: float, doors: Sequence[Any] = (), foot: float = 0) -> None:
    run = rect(0, foot, length, foot + 0.34)
    for door in doors:
        run = run.difference(door.buffer(0.14, join_style=2))
    for piece in polygons(run):
        x0, _, x1, _ = piece.bounds
        draft.add(move(bevelled(x1 - x0, 0.17, 0.34, 0.03), (x0 + x1) / 2, 0.05, foot), "trim", 0.82, sunk(at))


def cornice(draft: Draft, at: Matrix, length: float, top: float, openings: Sequence[Any]) -> None:
    at = sunk(at)
    draft.add(move(bevelled(length, 0.17, 0.13, 0.03), length / 2, 0.05, top - 0.16), "trim", 1, at)
    draft.add(move(bevelled(length - 0.06, 0.12, 0.09, 0.02), length / 2, 0.03, top - 0.25), "trim", 0.9, at)
    for x in np.arange(0.3, length - 0.2, 0.34):
        corbel = rect(x - 0.06, top - 0.42, x + 0.06, top - 0.2)
        if not any(opening.buffer(0.1).intersects(corbel) for opening in openings):
            draft.add(move(bevelled(0.10, 0.11, 0.15, 0.025), x, 0.03, top - 0.38), "trim", 0.92, at)


def pilaster(draft: Draft, at: Matrix, x: float, foot: float, top: float) -> None:
    at = sunk(at)
    draft.add(move(bevelled(0.30, 0.16, top - 0.28 - foot, 0.03), x, 0.04, foot), "trim", 0.95, at)
    draft.add(move(bevelled(0.40, 0.17, 0.42, 0.04), x, 0.05, foot), "trim", 0.85, at)
    draft.add(move(bevelled(0.38, 0.17, 0.16, 0.035), x, 0.05, top - 0.46), "trim", 1, at)
    niche = lancet(x, foot + 0.75, 0.12, min(1.2, top - foot - 1.4))
    draft.add(panel(niche, 0.02, 0.12), "ashlar-dark", 0.8, at)


def pier(draft: Draft, at: Matrix, x: float, foot: float, top: float) -> list[Trimesh]:
    """A plain pier let into a wall; returns what to cut out of the wall for it."""
    draft.add(move(bevelled(0.36, 0.17, top - foot, 0.04), x, 0.05, foot), "trim", 0.95, sunk(at))
    return recess(at, rect(x - 0.2, foot, x + 0.2, top), DEPTH)


def _sill(opening: Any) -> Any:
    x0, z, x1, _ = opening.bounds
    return rect(x0 - 0.14, z - 0.09, x1 + 0.14, z)


def window_frame(draft: Draft, at: Matrix, opening: Any) -> list[Trimesh]:
    """A frame and a sill around an opening, as thick as the wall; returns what to cut out of the wall for them."""
    sill = _sill(opening)
    ring = opening.buffer(0.075, join_style=2).difference(opening).difference(sill)
    draft.add(panel(ring, WALL, -WALL / 2), "trim", 1.03, at)
    x0, z0, x1, z1 = sill.bounds
    draft.add(move(bevelled(x1 - x0, WALL, z1 - z0, 0.02), (x0 + x1) / 2, -WALL / 2, z0), "trim", 1, at)
    return [panel(ring.union(sill), WALL + 0.2, -WALL / 2).apply_transform(at)]


def door_surround(draft: Draft, at: Matrix, door: Any, foot: float = 0) -> list[Trimesh]:
    """A frame, a pointed hood and a lamp around a doorway; returns what to cut out of the wall for them."""
    x0, _, x1, z1 = door.bounds
    middle = (x0 + x1) / 2
    ring = door.buffer(0.14, join_style=2).difference(door).intersection(rect(-9, foot, 99, 99))
    draft.add(panel(ring, WALL, -WALL / 2), "trim", 1, at)
    hood = lancet(middle, foot, x1 - x0 + 0.28, z1 - foot + 0.42)
    draft.add(frame(hood, 0.07, 0.12, 0.02, rect(-9, foot + 0.5, 99, 99)), "trim", 0.9, sunk(at))
    for mesh, material, tint in lamp():
        draft.add(move(mesh, middle, 0.02, z1 + 0.16), material, tint, sunk(at))
    return [panel(ring, WALL + 0.2, -WALL / 2).apply_transform(at)]


def dress(
    draft: Draft,
    at: Matrix,
    length: float,
    foot: float,
    top: float,
    openings: Sequence[Any] = (),
    doors: Sequence[Any] = (),
    pilasters: Sequence[float] = (),
) -> list[Trimesh]:
    """Plinth, pilasters, cornice and frames in the outside of one wall; returns what to cut out of the wall for them.

    There are pilasters at both ends as well: they keep the edges of the face where they are.
    """
    holes = [*openings, *doors]
    plinth(draft, at, length, doors, foot)
    cornice(draft, at, length, top, holes)
    for x in (0.15, *pilasters, length - 0.15):
        if all(x + 0.2 < hole.bounds[0] - 0.08 or x - 0.2 > hole.bounds[2] + 0.08 for hole in holes):
            pilaster(draft, at, x, foot, top)
    cutters = recess(at, rect(-0.05, foot - 0.01, length + 0.05, top - 0.03))
    for opening in openings:
        cutters += window_frame(draft, at, opening)
    for door in doors:
        cutters += door_surround(draft, at, door, foot)
    return cutters


def walls_with_rods(draft: Draft, stone: Trimesh, rods: Sequence[Trimesh], cutters: Sequence[Trimesh]) -> None:
    """Ruling walls, drawn cut back for their trim, and what sticks out of them: rods and stumps of bars, which rule."""
    draft.part("walls", stone, ["heavy"], kind="wall", drawn=[Decor(cut(stone, cutters), "ashlar")])
    loose = cut(union(rods), [stone]) if rods else None
    if loose is not None and len(loose.faces):
        draft.part("rods", loose, ["heavy"], "rust", kind=RODS)


# -- floors ------------------------------------------------------------------------------------------------------


def floor(
    draft: Draft,
    rng: Rng,
    name: str,
    outline: Any,
    level: float,
    kind: str,
    beams: Any,
    chips: int,
    pits: Sequence[Trimesh] = (),
    border: float = 0.32,
) -> None:
    """A broken floor with its top at *level*: an inlaid line around chips, joists in its underside within *beams*.

    *pits* are cut out of it for what is let into it besides.
    """
    slab = prism(outline, SLAB, level - SLAB)
    inner = outline.buffer(-border - 0.08, join_style=2)
    inlay = outline.buffer(-border, join_style=2).difference(inner)
    cutters = [prism(inner, 1, level - FIELD), prism(inlay, 1, level - 0.035), *pits]
    draft.add(prism(inlay, 0.04, level - 0.05), "ashlar-dark", 0.8)
    draft.add(chips_in(rng, inner, chips, 0.12, level - FIELD, FIELD - 0.001), "rubble")
    soffit = outline.intersection(beams).buffer(-0.12, join_style=2)
    if not soffit.is_empty:
        cutters.append(prism(soffit, 0.11, level - SLAB - 0.01))
        x0, y0, x1, y1 = soffit.bounds
        joists = unary_union([rect(x - 0.06, y0, x + 0.06, y1) for x in np.arange(x0 + 0.35, x1, 0.62)])
        draft.add(prism(joists.intersection(soffit), 0.12, level - SLAB), "rust", 0.9)
    drawn = [Decor(cut(slab, cutters), "slab")]
    draft.part(name, slab, ["ceiling", "vantage"], kind=kind, drawn=drawn)


def let_in(draft: Draft, shape: Any, level: float, material: str, tint: float = 1.0) -> Trimesh:
    """A flat inlay flush with a floor's top; returns the pit for it."""
    draft.add(prism(shape, 0.06, level - 0.06), material, tint)
    return prism(shape, 1, level - 0.05)


# -- doors and windows -------------------------------------------------------------------------------------------


def door_leaf(at: Matrix, door: Any, viewport: bool = False) -> tuple[Trimesh, list[Decor]]:
    """An armoured double door that fills the doorway: the ruling mesh, and what is drawn in it."""
    x0, z0, x1, z1 = door.bounds
    middle, y = (x0 + x1) / 2, -WALL / 2
    body = door.buffer(-0.005, join_style=2)
    if viewport:
        height, width, tall = VIEWPORT
        body = body.difference(slot(middle, height, width, tall, 0.03))
    border = body.difference(body.buffer(-0.07, join_style=2))
    drawn = [Decor(panel(body, 0.06, y), "oxide"), Decor(panel(border, 0.14, y), "oxide", 0.75)]
    for s in (-1, 1):
        face = y + s * 0.03
        for z in (z0 + 0.16, z0 + 0.98, z1 - 0.34):
            drawn.append(Decor(move(bevelled(x1 - x0 - 0.08, 0.06, 0.13, 0.015), middle, face, z), "iron"))
            studs = wall_rivets(np.linspace(x0 + 0.16, x1 - 0.16, 6), [z + 0.065], face + s * 0.02, s, 0.03)
            drawn.append(Decor(studs, "iron", 1.3))
        strip = move(bevelled(0.05, 0.05, z1 - z0 - 0.1, 0.01), middle, face, z0 + 0.03)
        knob = lathe([(0, 0), (0.10, 0), (0.10, 0.022), (0.06, 0.038), (0, 0.038)], 10)
        knob.apply_transform(rotation_matrix(-s * math.pi / 2, [1, 0, 0]))
        drawn += [Decor(strip, "iron", 0.8), Decor(move(knob, middle + 0.16, face, z0 + 0.8), "trim", 0.9)]
    for decor in drawn:
        decor.mesh.apply_transform(at)
    return panel(body, 0.14, y).apply_transform(at), drawn


def viewport_gap(at: Matrix, door: Any) -> Trimesh:
    """The volume of a door's viewport."""
    x0, _, x1, _ = door.bounds
    height, width, tall = VIEWPORT
    return panel(slot((x0 + x1) / 2, height, width, tall, 0.03).buffer(-0.004), 0.14, -WALL / 2).apply_transform(at)


def bars(draft: Draft, at: Matrix, opening: Any) -> None:
    """Drawn bars across a whole window: within the Barred part that fills it."""
    x0, z0, x1, z1 = opening.bounds
    grid = opening.difference(opening.buffer(-0.045))
    for x in np.linspace(x0, x1, 4)[1:-1]:
        grid = grid.union(rect(x - 0.022, z0, x + 0.022, z1))
    for z in np.arange(z0 + 0.25, z1, 0.3):
        grid = grid.union(rect(x0, z - 0.022, x1, z + 0.022))
    draft.add(panel(grid.intersection(opening), 0.08, -WALL / 2), "iron", 1, at)


def broken_bars(at: Matrix, opening: Any) -> list[Trimesh]:
    """What is left of the bars in a broken window: stumps at its sides, which rule with the wall."""
    x0, z, x1, _ = opening.bounds
    left = move(box(0.035, 0.06, 0.36), x0 + 0.06, -0.12, z - 0.02, tilt=7, axis=(0, 1, 0))
    right = move(box(0.035, 0.06, 0.22), x1 - 0.07, -0.12, z - 0.02, tilt=-10, axis=(0, 1, 0))
    return [left.apply_transform(at), right.apply_transform(at)]


def broken_wall(
    rng: Rng, tops: Line, openings: Sequence[Any], flat: tuple[float, float, float] | None = None
) -> tuple[Trimesh, list[Any], Any]:
    """A crumbling wall along local x with its outside at y = 0.

    *flat* (from, to, height) is a stretch whose top is level, for a rampart to stand on. Returns the mesh, the
    openings that are whole, and the wall's outline. Doorways do not crumble: a door fills them.
    """
    outline = broken_outline(rng, tops)
    if flat is not None:
        start, end, height = flat
        outline = outline.union(rect(start, 0, end, height)).difference(rect(start, height, end, 99))
    touched = [opening for opening in openings if outline.buffer(-0.1).intersects(opening)]
    doors = unary_union([opening for opening in touched if opening.bounds[1] <= 0])
    whole = [opening for opening in touched if outline.buffer(-0.06).contains(opening) or opening.bounds[1] <= 0]
    for opening in touched:
        outline = outline.difference(opening)
    smooth = outline.buffer(-0.012, join_style=2).buffer(0.012, join_style=2).simplify(0.004)
    outline = max(polygons(smooth), key=lambda polygon: polygon.area)
    edge = upper_edge(rng, outline, 0.24)
    if flat is not None:
        edge = [(x, z) for x, z in edge if not (flat[0] - 0.15 < x < flat[1] + 0.15 and z > flat[2] - 0.3)]
    # Nor does the highest end: there another wall stands behind it, and a notch would be a hole.
    corner = max(tops[0], tops[-1], key=lambda top: top[1])[0]
    edge = [(x, z) for x, z in edge if abs(x - corner) > 0.5]
    if not doors.is_empty:
        kept = doors.buffer(0.35)
        x0, _, x1, z1 = kept.bounds
        edge = [(x, z) for x, z in edge if not (x0 < x < x1 and z < z1)]
    mesh = chip_edges(rng, panel(outline, WALL, -WALL / 2), edge, 0.17)
    return without_crumbs(mesh), whole, outline
