"""Broken masonry: blocks, heaps, chips and bent rods."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import trimesh
from trimesh import Trimesh
from trimesh.transformations import euler_matrix

from .drawings import scatter
from .outside import LOW
from .pinholes import RADIUS, STEP, pinholes
from .shapes import box, common, cut, join, pipe, union

Rng = np.random.Generator


def chunk(rng: Rng, sx: float, sy: float, sz: float, jitter: float = 0.28) -> Trimesh:
    """One broken block: a jittered box, often with a corner struck off."""
    corners = np.array(np.meshgrid((-0.5, 0.5), (-0.5, 0.5), (-0.5, 0.5))).T.reshape(-1, 3)
    corners = corners * (1 + rng.uniform(-jitter, jitter, (8, 3)))
    if rng.random() < 0.6:
        struck = int(rng.integers(8))
        corner = corners[struck].copy()
        corners = np.delete(corners, struck, 0)
        for axis in range(3):
            point = corner.copy()
            point[axis] *= rng.uniform(-0.2, 0.35)
            corners = np.vstack([corners, point])
    return trimesh.convex.convex_hull(corners * [sx, sy, sz])


def tumbled(rng: Rng, mesh: Trimesh, x: float, y: float, z: float, flat: float = 0.35) -> Trimesh:
    """*mesh* turned at random (*flat* says how little it tilts) and put at a place."""
    matrix = euler_matrix(rng.normal(0, flat), rng.normal(0, flat), rng.uniform(0, 6.28))
    matrix[:3, 3] = [x, y, z]
    return mesh.apply_transform(matrix)


def chip_edges(
    rng: Rng, mesh: Trimesh, points: Sequence[tuple[float, float]], size: float = 0.16, y: float = 0.125
) -> Trimesh:
    """Strike flakes off a wall that stands along local x: *points* are (x, z) on its broken edge.

    Flakes that would leave a small hole through the wall stay on.
    """
    cutters = []
    for x, z in points:
        s = size * rng.uniform(0.6, 1.6)
        block = chunk(rng, s * rng.uniform(0.9, 2), s, s * rng.uniform(0.8, 1.6))
        face = rng.choice([-1, 1]) * y + rng.normal(0, 0.03)
        cutters.append(tumbled(rng, block, x + rng.normal(0, 0.05), face, z + rng.normal(0, 0.04), 0.5))
    while True:
        struck = cut(mesh, cutters)
        holes = pinholes(np.asarray(struck.triangles), STEP / 2, RADIUS / 2)[:, [0, 2]]
        around = [c.bounds[:, [0, 2]] + np.array([[-0.03], [0.03]]) for c in cutters]
        kept = [
            cutter
            for cutter, (low, high) in zip(cutters, around, strict=True)
            if not ((holes > low) & (holes < high)).all(axis=1).any()
        ]
        if len(kept) == len(cutters):
            return struck
        cutters = kept


def _grounded(mesh: Trimesh) -> Trimesh:
    """The block together with everything straight below it, so that nothing can be seen underneath."""
    shadow = mesh.vertices * [1, 1, 0] - [0, 0, 0.05]
    return trimesh.convex.convex_hull(np.vstack([mesh.vertices, shadow]))


def heap(
    rng: Rng, rx: float, ry: float, height: float, count: int, size: float, extra: Sequence[Trimesh] = ()
) -> Trimesh:
    """A closed mound within 2rx x 2ry x height: a union of broken blocks without gaps underneath."""
    blocks = []
    for k in range(3):
        s = 1 - 0.27 * k
        core = chunk(rng, rx * 1.45 * s, ry * 1.4 * s, height * 0.5, 0.2)
        blocks.append(
            tumbled(rng, core, rng.normal(0, 0.1 * rx), rng.normal(0, 0.1 * ry), height * (0.12 + 0.22 * k), 0.12)
        )
    for _ in range(count):
        t, a = math.sqrt(rng.random()), rng.uniform(0, 6.28)
        x, y = t * math.cos(a) * rx * 0.8, t * math.sin(a) * ry * 0.8
        s = size * rng.uniform(0.35, 1.1)
        block = chunk(rng, s * rng.uniform(1, 1.8), s, s * rng.uniform(0.35, 0.7))
        blocks.append(tumbled(rng, block, x, y, max(0.08, height * (1 - t**1.6) * rng.uniform(0.6, 1.0)), 0.5))
    # Only low blocks need their shadow filled: the others lie on those.
    low = [_grounded(block) if block.bounds[0][2] < 0.45 else block for block in blocks]
    mound = union([*low, *extra])
    return common([mound, box(2 * rx, 2 * ry, height)])


def chips(
    rng: Rng, places: Sequence[tuple[float, float]], size: float = 0.1, z: float = 0, tall: float = LOW - 0.001
) -> Trimesh:
    """Loose chips, so low that no line meets them; one mesh."""
    blocks = []
    for x, y in places:
        s = size * rng.uniform(0.4, 1.5)
        block = chunk(rng, s * rng.uniform(1, 1.7), s, min(s * rng.uniform(0.4, 0.9), 0.06))
        block = tumbled(rng, block, x, y, z + 0.4 * tall, min(0.12, 0.02 / s))
        block.vertices[:, 2] = np.clip(block.vertices[:, 2], z - 0.02, z + tall * rng.uniform(0.6, 1.0))
        blocks.append(trimesh.convex.convex_hull(block.vertices))
    return join(blocks)


def chips_in(rng: Rng, shape: Any, count: int, size: float = 0.1, z: float = 0, tall: float = LOW - 0.001) -> Trimesh:
    return chips(rng, scatter(rng, shape, count), size, z, tall)


def chips_around(rng: Rng, count: int, radius: float, size: float, x: float = 0, y: float = 0) -> Trimesh:
    """Chips thick in the middle and thin outside."""
    places = []
    for _ in range(count):
        a, d = rng.uniform(0, 6.28), min(abs(rng.normal(0, 0.55)), 1.2) * radius
        places.append((x + d * math.cos(a), y + d * math.sin(a)))
    return chips(rng, places, size)


def rebar(rng: Rng, count: int, x: float, y: float, z: float, spread: float, height: float = 0.16) -> list[Trimesh]:
    """A tuft of bent rods that stays within a wall's thickness of local y. Rods rule: they are real enough to stop a
    line."""
    out = []
    for _ in range(count):
        foot = np.array([x + rng.normal(0, spread), y + rng.normal(0, 0.02), z])
        knee = foot + np.array([rng.normal(0, 0.04), rng.normal(0, 0.02), height * rng.uniform(0.4, 0.7)])
        end = knee + np.array([rng.normal(0, 0.08), rng.normal(0, 0.03), height * rng.uniform(0.1, 0.4)])
        out.append(pipe([foot - [0, 0, 0.1], knee, end], 0.024, 4, 0.05, 1))
    return out
