"""Scenes and places to measure in: boxes, walls and rubble of any number of triangles; where a base may stand."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import numpy as np
from numpy.typing import NDArray

from ktsim.killzones.figures import figure
from ktsim.sight.area import CELL, AreaGrid
from ktsim.sight.distances import BASE_MIDDLE
from ktsim.sight.obstacles import prepared_terrain
from ktsim.sight.scene import ORDERS, Base, Feature, Operative, Part, Scene, Terrain, is_air

BOARD = (30.0, 22.0)
PIECES = 26
BASE = Base.of_mm(32)


def made_terrain(triangles: int, seed: int = 1) -> Terrain:
    """About that many triangles in walls, crates and rubble that do not touch each other, always the same layout."""
    fineness = max(1, round((triangles / PIECES / 12) ** 0.5))
    rng = Random(seed)
    features: list[Feature] = []
    taken: list[tuple[float, float, float]] = []
    while len(features) < PIECES:
        kind = ("wall", "crate", "rubble")[len(features) % 3]
        size = {"wall": (4.0, 0.3, 3.0), "crate": (1.5, 1.0, 1.0), "rubble": (2.4, 1.8, 1.2)}[kind]
        x, y, angle = rng.uniform(3, BOARD[0] - 3), rng.uniform(3, BOARD[1] - 3), rng.uniform(0, np.pi)
        reach = max(size[:2]) / 2 + 0.1
        if any((x - a) ** 2 + (y - b) ** 2 < (reach + c) ** 2 for a, b, c in taken):
            continue
        taken.append((x, y, reach))
        shape = _gridded(fineness) * np.array(size)
        if kind == "rubble":
            waves = np.sin(9 * shape[..., [1, 2, 0]] + len(features)) * np.sin(7 * shape[..., [2, 0, 1]])
            shape = shape * (1 - 0.12 * (1 + waves) / 2)
        turn = np.array([[np.cos(angle), -np.sin(angle), 0], [np.sin(angle), np.cos(angle), 0], [0, 0, 1]])
        shape = shape @ turn.T + np.array([x, y, 0.0])
        name = f"{kind}-{len(features)}"
        trait = "light" if kind == "crate" else "heavy"
        features.append(Feature(name, (Part(name, kind, frozenset([trait]), shape),)))
    return Terrain(BOARD, tuple(features), name=f"{fineness * fineness * 12 * PIECES // 1000}k made")


def _gridded(n: int) -> NDArray[np.float64]:
    """A closed box of 12 n n triangles, 1 by 1 by 1, standing on the middle of its lower side."""
    steps = np.linspace(-0.5, 0.5, n + 1)
    a, b = (each.ravel() for each in np.meshgrid(steps[:-1], steps[:-1]))
    e = 1 / n
    square = np.array([[[0, 0], [e, 0], [e, e]], [[0, 0], [e, e], [0, e]]])
    flat = (np.stack([a, b], axis=1)[:, None, None] + square).reshape(-1, 3, 2)
    flat = steps[np.rint((flat + 0.5) * n).astype(int)]  # neighbours share their corners to the last bit
    faces = []
    for axis in range(3):
        for side in (-0.5, 0.5):
            face = np.insert(flat, axis, side, axis=2)
            outwards = (side > 0) != (axis == 1)
            faces.append(face if outwards else face[:, ::-1])
    return np.concatenate(faces) + np.array([0, 0, 0.5])


def places(scene: Scene) -> NDArray[np.float64]:
    """(n, 3) places on the floor and on Vantage levels where a base stands free of terrain."""
    found = AreaGrid.of(scene, CELL).place
    ready = prepared_terrain(scene.terrain)
    free = np.ones(len(found), bool)
    radius = BASE.along
    free &= (found[:, :2] >= radius).all(axis=1) & (found[:, :2] <= np.array(scene.terrain.board) - radius).all(axis=1)
    for part in scene.parts():
        if is_air(part):
            continue
        label = ready.label_of[id(part)]
        box = ready.boxes[label]
        for level in np.unique(found[:, 2]):
            z = float(level) + BASE_MIDDLE
            near = (found[:, 2] == level) & (found[:, 0] > box[0] - radius) & (found[:, 0] < box[3] + radius)
            near &= (found[:, 1] > box[1] - radius) & (found[:, 1] < box[4] + radius)
            if box[2] < z < box[5] and near.any():
                which = np.flatnonzero(near)
                free[which] &= _apart(found[which, :2], ready.part_section(label, z)) > radius
    return np.asarray(found[free])


def _apart(points: NDArray[np.float64], edges: NDArray[np.float64]) -> NDArray[np.float64]:
    nearest = np.full(len(points), np.inf)
    for edge in edges:
        start, along = edge[:2], edge[2:] - edge[:2]
        t = np.clip((points - start) @ along / max(along @ along, 1e-18), 0, 1)
        nearest = np.minimum(nearest, np.linalg.norm(points - start - t[:, None] * along, axis=1))
    return nearest


def pairs(terrain: Terrain, count: int, seed: int = 2) -> list[Scene]:
    """Scenes with ``a`` and ``b`` at random places; every other one on Vantage where there is any."""
    scene = Scene(terrain)
    where = places(scene)
    high = where[where[:, 2] > 0]
    rng = Random(seed)
    found: list[Scene] = []
    while len(found) < count:
        pool = high if len(high) and len(found) % 2 else where
        one, two = (pool[rng.randrange(len(pool))], where[rng.randrange(len(where))])
        if rng.random() < 0.5:
            one, two = two, one
        if np.hypot(*(one - two)[:2]) < 2 * BASE.along:
            continue
        made = tuple(
            Operative(id, id, *map(float, at), BASE, figure(), rng.uniform(0, 360), ORDERS[rng.randrange(2)])
            for id, at in (("a", one), ("b", two))
        )
        found.append(replace(scene, operatives=made))
    return found
