"""What lies on the floors: rails, drains, cables, kerbs, and fenders in the water. So low that no line meets it.

The floor itself, the water and the board's frame belong to the stage. Local origin: the middle of the board.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from shapely.affinity import translate
from shapely.geometry import LineString, Point, Polygon
from shapely.geometry import box as rect
from shapely.ops import unary_union
from trimesh.transformations import rotation_matrix

from .debris import Rng, chips_in
from .draft import Draft
from .shapes import bevelled, box, cylinder, lathe, move, pipe, polygons, prism, rod, torus

WATER = -0.55
HULK_BOARD = (606 / 25.4, 703 / 25.4)
HALL_BOARD = (27.5, 23.5)


def _board(width: float, height: float) -> Any:
    return rect(-width / 2, -height / 2, width / 2, height / 2)


def street(name: str, seed: int) -> Draft:
    """A city street: tram rails in a bend, drains, loose chips."""
    rng = np.random.default_rng(seed)
    draft = Draft(name, "ground")
    board = _board(30, 22)
    draft.add(chips_in(rng, board.buffer(-0.3), 240, 0.09), "rubble")
    draft.add(chips_in(rng, board.buffer(-0.3), 60, 0.08), "brick")
    bend = [(x, 3.4 * math.tanh(x / 4.5)) for x in np.linspace(-15.5, 15.5, 50)]
    for off in (-0.62, 0.62):
        rail = LineString(bend).offset_curve(off).buffer(0.07, cap_style=2).intersection(board)
        draft.add(prism(rail.simplify(0.004), 0.03), "rust")
    bed = LineString(bend)
    kerb = bed.buffer(1.0, cap_style=2).difference(bed.buffer(0.9, cap_style=2)).intersection(board)
    draft.add(prism(kerb.simplify(0.004), 0.015), "ashlar-dark", 0.8)
    for x, y, turn in ((-3.8, -4.4, 20), (3.8, 4.4, 200), (-12.9, 9.6, 0), (12.9, -9.6, 0)):
        drain(draft, x, y, turn)
    return draft


def drain(draft: Draft, x: float, y: float, turn: float) -> None:
    draft.add(move(bevelled(0.95, 0.95, 0.03, 0.01), x, y, 0, turn), "iron")
    for i in range(5):
        bar = move(box(0.08, 0.75, 0.03), (i - 2) * 0.15, 0, 0.012)
        draft.add(move(bar, x, y, 0, turn), "rust", 0.7)


def deck(name: str, seed: int) -> Draft:
    """A ship's deck: studs on the grid, cables, filings."""
    rng = np.random.default_rng(seed)
    draft = Draft(name, "ground")
    width, height = HULK_BOARD
    board = _board(width, height).buffer(-0.4)
    draft.add(chips_in(rng, board, 70, 0.06), "hull-rib", 0.6)
    draft.add(chips_in(rng, board, 50, 0.05), "rust")
    for i in range(7):
        for j in range(8):
            x = np.clip((i / 6 - 0.5) * width, -width / 2 + 0.25, width / 2 - 0.25)
            y = np.clip((j / 7 - 0.5) * height, -height / 2 + 0.25, height / 2 - 0.25)
            draft.add(move(lathe([(0, 0), (0.17, 0), (0.14, 0.03), (0, 0.03)], 8), x, y), "brass", 0.9)
    for _ in range(9):
        x, y = rng.uniform(-width / 2 + 2.5, width / 2 - 2.5), rng.uniform(-height / 2 + 2.5, height / 2 - 2.5)
        heading = rng.uniform(0, 6.28)
        run = [(x, y, 0.016)]
        for _ in range(6):
            heading += rng.normal(0, 0.5)
            x, y = x + 0.35 * math.cos(heading), y + 0.35 * math.sin(heading)
            run.append((x, y, 0.016))
        draft.add(pipe(run, 0.026, 5, 0.2, 1), "cable")
    return draft


def hall(name: str, seed: int) -> Draft:
    """A necron hall: slabs with lines of light between them, some of them dead, and circles of signs."""
    rng = np.random.default_rng(seed)
    draft = Draft(name, "ground")
    width, height = HALL_BOARD
    columns, rows = 7, 6
    for i in range(columns):
        for j in range(rows):
            x, y = (i + 0.5 - columns / 2) * width / columns, (j + 0.5 - rows / 2) * height / rows
            wide, deep = width / columns - 0.12, height / rows - 0.12
            tone = 0.75 + 0.3 * float(rng.random())
            draft.add(move(bevelled(wide, deep, 0.022, 0.008), x, y), "tomb-dark", tone)
            if rng.random() < 0.35:
                turn = float(rng.choice([0, 90]))
                draft.add(move(box(0.05, wide * 0.7, 0.026), x + 0.4, y, 0, turn), "gauss", 0.55)
    for i in range(1, columns):
        x = (i - columns / 2) * width / columns
        for y in np.arange(-height / 2 + 0.6, height / 2 - 1.2, 1.6):
            if rng.random() < 0.6:
                draft.add(move(box(0.05, 1.1, 0.01), x, y + 0.55), "gauss", 0.7)
    middle = [Point(0, 0).buffer(r, quad_segs=16) for r in (2.2, 2.12, 1.5, 1.44)]
    draft.add(prism(middle[0].difference(middle[1]).union(middle[2].difference(middle[3])), 0.028), "gauss", 0.8)
    draft.add(chips_in(rng, _board(width, height).buffer(-0.4), 120, 0.07), "tomb", 0.8)
    return draft


def practice(name: str, seed: int) -> Draft:
    """A practice floor: painted lanes every six inches and a ring in the middle."""
    rng = np.random.default_rng(seed)
    draft = Draft(name, "ground")
    board = _board(30, 22)
    for x in (-9, -3, 3, 9):
        draft.add(move(box(0.06, 21.4, 0.01), x, 0), "white", 0.75)
    draft.add(move(box(0.1, 21.4, 0.012), 0, 0), "yellow", 0.8)
    ring = Point(0, 0).buffer(2.0, quad_segs=16).difference(Point(0, 0).buffer(1.9, quad_segs=16))
    draft.add(prism(ring, 0.012), "yellow", 0.8)
    edge = board.buffer(-0.15, join_style=2).difference(board.buffer(-0.4, join_style=2))
    draft.add(prism(edge, 0.012), "warn", 0.9)
    draft.add(chips_in(rng, board.buffer(-0.6), 60, 0.06), "rubble-dark")
    return draft


def platforms(name: str, seed: int, board: tuple[float, float], hazards: Sequence[Any]) -> Draft:
    """Concrete islands around *hazards* (outlines in board coordinates): kerbs, hazard stripes, piles, buoys."""
    rng = np.random.default_rng(seed)
    draft = Draft(name, "ground")
    whole = rect(0, 0, *board)
    # Outlines that share a border are rounded to 0.01, so a hair's breadth between them is no land.
    water = unary_union([Polygon(outline).buffer(0.008, join_style=2) for outline in hazards]).intersection(whole)
    land = whole.difference(water).buffer(-0.02, join_style=2).buffer(0.02, join_style=2)
    shift = [-board[0] / 2, -board[1] / 2]
    for island in polygons(land):
        _island(draft, rng, translate(island, *shift), translate(whole, *shift))
    _afloat(draft, rng, translate(water, *shift))
    return draft


def _island(draft: Draft, rng: Rng, island: Polygon, board: Any) -> None:
    shore = board.buffer(-0.05, join_style=2)
    edge = island.difference(island.buffer(-0.13, join_style=2)).intersection(shore)
    draft.add(prism(edge, 0.035), "steel", 0.8)
    stripe = island.buffer(-0.24, join_style=2).difference(island.buffer(-0.44, join_style=2))
    draft.add(prism(stripe, 0.012), "warn", 0.95)
    inner = island.buffer(-2.0, join_style=2)
    if inner.area > 6:
        draft.add(prism(inner.boundary.buffer(0.05, cap_style=2).intersection(island), 0.010), "white", 0.8)
    draft.add(chips_in(rng, island.buffer(-0.5), 14, 0.07), "rubble-dark")
    if island.area > 30:
        spot = island.representative_point()
        draft.add(move(bevelled(0.9, 0.6, 0.03, 0.01), spot.x, spot.y - 1.4), "steel", 0.6)
    for ring in (island.exterior, *island.interiors):
        _fenders(draft, ring, island, board)


def _fenders(draft: Draft, ring: Any, island: Polygon, board: Any) -> None:
    """Piles and tyres along a shore, below the floor, and low cleats on it."""
    count = int(ring.length / 1.7)
    for k in range(count):
        at = (k + 0.5) * ring.length / count
        p, q = ring.interpolate(at), ring.interpolate(at + 0.05)
        if not board.buffer(-0.3).contains(p):
            continue
        along = np.array([q.x - p.x, q.y - p.y])
        along /= np.linalg.norm(along)
        out = np.array([along[1], -along[0]])
        if island.contains(Point(p.x + out[0] * 0.1, p.y + out[1] * 0.1)):
            out = -out
        heading = math.degrees(math.atan2(along[1], along[0]))
        if k % 2:
            tyre = torus(0.17, 0.08, 12, 6).apply_transform(rotation_matrix(math.pi / 2, [1, 0, 0]))
            draft.add(move(tyre, p.x + out[0] * 0.08, p.y + out[1] * 0.08, -0.27, heading), "cable")
        else:
            pile = bevelled(0.34, 0.18, 0.75, 0.04)
            draft.add(move(pile, p.x + out[0] * 0.05, p.y + out[1] * 0.05, WATER - 0.2, heading), "wet", 0.8)
        if k % 5 == 2:
            x, y = p.x - out[0] * 0.33, p.y - out[1] * 0.33
            draft.add(move(bevelled(0.34, 0.12, 0.042, 0.012), x, y, 0, heading), "yellow", 0.8)


def _afloat(draft: Draft, rng: Rng, water: Any) -> None:
    """Buoys, drums and pipe runs in the water; point symmetric like the board."""
    open_water = water.buffer(-0.7)
    if open_water.is_empty:
        return
    buoy = [(0, -0.2), (0.26, -0.12), (0.30, 0.05), (0.24, 0.16), (0.12, 0.22), (0.07, 0.42), (0, 0.45)]
    drum = [(0, 0), (0.26, 0), (0.26, 0.3), (0.29, 0.33), (0.26, 0.36), (0.26, 0.8), (0, 0.8)]
    placed: list[Point] = []
    x0, y0, _, y1 = open_water.bounds
    for _ in range(400):
        spot = Point(rng.uniform(x0, 0), rng.uniform(y0, y1))
        if len(placed) >= 6 or not open_water.contains(spot) or any(spot.distance(o) < 2.6 for o in placed):
            continue
        placed.append(spot)
        for s in (1, -1):
            x, y = s * spot.x, s * spot.y
            if len(placed) % 3 == 0:
                barrel = move(lathe(drum, 12), x, y, WATER - 0.02, 40 * len(placed), 82)
                draft.add(barrel, "tank")
            else:
                draft.add(move(lathe(buoy, 12), x, y, WATER, 0, 9, (1, 0.4, 0)), "oxide", 1.4)
                draft.add(move(cylinder(0.06, 0.06, 8), x, y, WATER + 0.42), "lamp-amber")
    for radius, material, off in ((0.15, "pipe", 0.0), (0.10, "tank", 0.34)):
        for spot in placed[:2]:
            reach = 3.0
            run = LineString([(spot.x - reach, spot.y + off), (spot.x + reach, spot.y + off)]).intersection(water)
            for piece in getattr(run, "geoms", [run]):
                if piece.length < 1.2:
                    continue
                (ax, ay), (bx, by) = piece.coords[0], piece.coords[-1]
                for s in (1, -1):
                    draft.add(rod([s * ax, s * ay, WATER + 0.1], [s * bx, s * by, WATER + 0.1], radius, 10), material)
                    for t in (0.25, 0.75):
                        x, y = s * (ax + (bx - ax) * t), s * (ay + (by - ay) * t)
                        collar = rod([x - 0.06, y, WATER + 0.1], [x + 0.06, y, WATER + 0.1], radius + 0.05, 10)
                        draft.add(collar, "steel", 0.7)
