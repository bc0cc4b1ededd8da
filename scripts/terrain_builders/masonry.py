"""What the city's buildings share: dressed walls, doors, windows, broken walls."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from shapely.geometry import box as rect
from trimesh import Trimesh
from trimesh.transformations import rotation_matrix

from .debris import Rng, chip_edges
from .draft import Draft, Matrix
from .drawings import Line, broken_outline, lancet, slot, upper_edge
from .ornament import frame, lamp, wall_rivets
from .shapes import bevelled, box, lathe, move, panel, polygons, prism, without_crumbs

WALL = 0.25
"""Thickness of a wall."""
LEVEL = 3.0
"""Height of the first upper level."""
SLAB = 0.2
"""Thickness of a floor."""
VIEWPORT = (1.35, 0.5, 0.16)
"""Height of a door's viewport, its width and height."""


def plinth(draft: Draft, at: Matrix, length: float, doors: Sequence[Any] = (), foot: float = 0) -> None:
    run = rect(0.02, foot, length - 0.02, foot + 0.34)
    for door in doors:
        run = run.difference(door.buffer(0.16, join_style=2))
    for piece in polygons(run):
        x0, _, x1, _ = piece.bounds
        draft.add(move(bevelled(x1 - x0, 0.10, 0.34, 0.04), (x0 + x1) / 2, 0.04, foot), "trim", 0.82, at)


def cornice(draft: Draft, at: Matrix, length: float, top: float, openings: Sequence[Any]) -> None:
    draft.add(move(bevelled(length - 0.04, 0.14, 0.13, 0.035), length / 2, 0.05, top - 0.16), "trim", 1, at)
    draft.add(move(bevelled(length - 0.12, 0.08, 0.09, 0.02), length / 2, 0.03, top - 0.25), "trim", 0.9, at)
    for x in np.arange(0.3, length - 0.2, 0.34):
        corbel = rect(x - 0.06, top - 0.42, x + 0.06, top - 0.2)
        if not any(opening.buffer(0.1).intersects(corbel) for opening in openings):
            draft.add(move(bevelled(0.10, 0.09, 0.15, 0.025), x, 0.03, top - 0.38), "trim", 0.92, at)


def pilaster(draft: Draft, at: Matrix, x: float, foot: float, top: float) -> None:
    draft.add(move(bevelled(0.30, 0.13, top - 0.28 - foot, 0.04), x, 0.05, foot), "trim", 0.95, at)
    draft.add(move(bevelled(0.40, 0.17, 0.42, 0.05), x, 0.05, foot), "trim", 0.85, at)
    draft.add(move(bevelled(0.38, 0.16, 0.16, 0.04), x, 0.05, top - 0.46), "trim", 1, at)
    niche = lancet(x, foot + 0.75, 0.12, min(1.2, top - foot - 1.4))
    draft.add(panel(niche, 0.02, 0.12), "ashlar-dark", 0.8, at)


def window_frame(draft: Draft, at: Matrix, opening: Any) -> None:
    """A frame and a sill around an opening."""
    x0, z, x1, _ = opening.bounds
    draft.add(frame(opening, 0.075, WALL + 0.12, -WALL / 2), "trim", 1.03, at)
    sill = move(bevelled(x1 - x0 + 0.28, WALL + 0.2, 0.09, 0.025), (x0 + x1) / 2, -WALL / 2, z - 0.09)
    draft.add(sill, "trim", 1, at)


def door_surround(draft: Draft, at: Matrix, door: Any, foot: float = 0) -> None:
    """A frame, a pointed hood and a lamp around a doorway."""
    x0, _, x1, z1 = door.bounds
    middle = (x0 + x1) / 2
    draft.add(frame(door, 0.14, WALL + 0.16, -WALL / 2, rect(-9, foot, 99, 99)), "trim", 1, at)
    hood = lancet(middle, foot, x1 - x0 + 0.28, z1 - foot + 0.42)
    draft.add(frame(hood, 0.07, 0.10, 0.02, rect(-9, foot + 0.5, 99, 99)), "trim", 0.9, at)
    for mesh, material, tint in lamp():
        draft.add(move(mesh, middle, 0.06, z1 + 0.16), material, tint, at)


def dress(
    draft: Draft,
    at: Matrix,
    length: float,
    foot: float,
    top: float,
    openings: Sequence[Any] = (),
    doors: Sequence[Any] = (),
    pilasters: Sequence[float] = (),
) -> None:
    """Plinth, pilasters, cornice and frames on the outside of one wall (frame *at*, outside +y)."""
    holes = [*openings, *doors]
    plinth(draft, at, length, doors, foot)
    cornice(draft, at, length, top, holes)
    for x in pilasters:
        if all(x + 0.2 < hole.bounds[0] - 0.08 or x - 0.2 > hole.bounds[2] + 0.08 for hole in holes):
            pilaster(draft, at, x, foot, top)
    for opening in openings:
        window_frame(draft, at, opening)
    for door in doors:
        door_surround(draft, at, door, foot)


def floor_beams(draft: Draft, floor: Any, spacing: float) -> None:
    """Joists under a broken floor, cut off where it is."""
    x0, y0, x1, y1 = floor.bounds
    for x in np.arange(x0 + spacing * 0.7, x1, spacing):
        for run in polygons(rect(x - 0.06, y0, x + 0.06, y1).intersection(floor)):
            draft.add(prism(run, 0.16, LEVEL - SLAB - 0.16), "rust", 0.9)


def door_leaf(draft: Draft, at: Matrix, door: Any, viewport: bool = False) -> Trimesh:
    """An armoured double door that fills the doorway; returns the ruling mesh and adds its fittings."""
    x0, z0, x1, z1 = door.bounds
    middle, y = (x0 + x1) / 2, -WALL / 2
    body = door.buffer(-0.005, join_style=2)
    if viewport:
        height, width, tall = VIEWPORT
        body = body.difference(slot(middle, height, width, tall, 0.03))
    for s in (-1, 1):
        face = y + s * 0.08
        for z in (z0 + 0.16, z0 + 0.98, z1 - 0.34):
            draft.add(move(bevelled(x1 - x0 - 0.08, 0.05, 0.13, 0.02), middle, face, z), "iron", 1, at)
            studs = wall_rivets(np.linspace(x0 + 0.12, x1 - 0.12, 6), [z + 0.065], face + s * 0.02, s, 0.03)
            draft.add(studs, "iron", 1.3, at)
        draft.add(move(bevelled(0.05, 0.04, z1 - z0 - 0.1, 0.01), middle, face, z0 + 0.03), "iron", 0.8, at)
        knob = lathe([(0, 0), (0.10, 0), (0.10, 0.03), (0.06, 0.05), (0, 0.05)], 10)
        knob.apply_transform(rotation_matrix(-s * math.pi / 2, [1, 0, 0]))
        draft.add(move(knob, middle + 0.16, face, z0 + 0.8), "trim", 0.9, at)
    return panel(body, 0.14, y).apply_transform(at)


def viewport_gap(at: Matrix, door: Any) -> Trimesh:
    """The volume of a door's viewport."""
    x0, _, x1, _ = door.bounds
    height, width, tall = VIEWPORT
    return panel(slot((x0 + x1) / 2, height, width, tall, 0.03).buffer(-0.004), 0.14, -WALL / 2).apply_transform(at)


def bars(draft: Draft, at: Matrix, opening: Any) -> None:
    """Drawn bars across a whole window."""
    x0, z0, x1, z1 = opening.bounds
    grid = opening.difference(opening.buffer(-0.045))
    for x in np.linspace(x0, x1, 4)[1:-1]:
        grid = grid.union(rect(x - 0.022, z0, x + 0.022, z1))
    for z in np.arange(z0 + 0.25, z1, 0.3):
        grid = grid.union(rect(x0, z - 0.022, x1, z + 0.022))
    draft.add(panel(grid.intersection(opening), 0.08, -WALL / 2), "iron", 1, at)


def broken_bars(draft: Draft, at: Matrix, opening: Any) -> None:
    """What is left of the bars in a broken window: stumps at its sides."""
    x0, z, x1, _ = opening.bounds
    draft.add(move(box(0.035, 0.06, 0.34), x0 + 0.06, -0.12, z, tilt=7, axis=(0, 1, 0)), "iron", 1, at)
    draft.add(move(box(0.035, 0.06, 0.2), x1 - 0.07, -0.12, z, tilt=-10, axis=(0, 1, 0)), "iron", 1, at)


def broken_wall(
    rng: Rng, tops: Line, openings: Sequence[Any], flat: tuple[float, float, float] | None = None
) -> tuple[Trimesh, list[Any], Any]:
    """A crumbling wall along local x with its outside at y = 0.

    *flat* (from, to, height) is a stretch whose top is level, for a rampart to stand on. Returns the mesh, the
    openings that are whole, and the wall's outline.
    """
    outline = broken_outline(rng, tops)
    if flat is not None:
        start, end, height = flat
        outline = outline.union(rect(start, 0, end, height)).difference(rect(start, height, end, 99))
    touched = [opening for opening in openings if outline.buffer(-0.1).intersects(opening)]
    whole = [opening for opening in touched if outline.buffer(-0.06).contains(opening) or opening.bounds[1] <= 0]
    for opening in touched:
        outline = outline.difference(opening)
    smooth = outline.buffer(-0.012, join_style=2).buffer(0.012, join_style=2).simplify(0.004)
    outline = max(polygons(smooth), key=lambda polygon: polygon.area)
    edge = upper_edge(rng, outline, 0.24)
    if flat is not None:
        edge = [(x, z) for x, z in edge if not (flat[0] - 0.15 < x < flat[1] + 0.15 and z > flat[2] - 0.3)]
    mesh = chip_edges(rng, panel(outline, WALL, -WALL / 2), edge, 0.17)
    return without_crumbs(mesh), whole, outline
