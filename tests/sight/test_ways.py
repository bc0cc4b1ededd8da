"""Distances of what lies on lines go around walls (SIGHT-17), against a plain search over corners."""

from __future__ import annotations

import heapq
import math
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from sight_scenes import op, table

from ktsim.geometry.solids import box
from ktsim.killzones.scene_file import scene_from_text
from ktsim.sight.distances import figure_row
from ktsim.sight.ruling import ruling
from ktsim.sight.scene import Feature, Operative, Part, Scene, WallLine
from ktsim.sight.ways import Ways

mark = pytest.mark
Floats = NDArray[np.float64]
Box = tuple[float, float, float, float]
SHY = 1e-5


def walls_at(*boxes: Box) -> list[Feature]:
    """Wall terrain that stands as it is, from low and high corners."""
    traits = frozenset({"heavy", "wall"})
    return [
        Feature(f"w{i}", (Part(f"w{i}", "wall", traits, box((x0, y0, 0), (x1, y1, 2.75)), "wall"),))
        for i, (x0, y0, x1, y1) in enumerate(boxes)
    ]


def crosses(p: Floats, q: Floats, each: Box) -> bool:
    """Does a way go through the inside of a box? By clipping it to the box."""
    t0, t1 = 0.0, 1.0
    for axis in range(2):
        low, high = each[axis] + SHY, each[2 + axis] - SHY
        way = q[axis] - p[axis]
        if abs(way) < 1e-12:
            if not low < p[axis] < high:
                return False
            continue
        one, two = sorted(((low - p[axis]) / way, (high - p[axis]) / way))
        t0, t1 = max(t0, one), min(t1, two)
    return t0 < t1


def way_around(one: Operative, spot: Floats, boxes: list[Box]) -> float:
    """From a round base to a point by the shortest way over the corners of boxes."""
    corners = [np.array([b[i], b[j]]) for b in boxes for i in (0, 2) for j in (1, 3)]
    middle = np.array([one.x, one.y])

    def first(end: Floats) -> float:
        away = end - middle
        length = float(np.hypot(*away))
        if length <= one.base.along:
            return 0.0
        start = middle + away / length * one.base.along
        return math.inf if any(crosses(start, end, b) for b in boxes) else length - one.base.along

    best = {i: first(corner) for i, corner in enumerate(corners)}
    queue = [(length, i) for i, length in best.items() if math.isfinite(length)]
    heapq.heapify(queue)
    while queue:
        length, i = heapq.heappop(queue)
        if length > best[i]:
            continue
        for j, corner in enumerate(corners):
            further = length + float(np.hypot(*(corner - corners[i])))
            if further < best[j] and not any(crosses(corners[i], corner, b) for b in boxes):
                best[j] = further
                heapq.heappush(queue, (further, j))
    found = first(spot)
    for i, corner in enumerate(corners):
        if math.isfinite(best[i]) and not any(crosses(corner, spot, b) for b in boxes):
            found = min(found, best[i] + float(np.hypot(*(spot - corner))))
    return found


def random_place(seed: int) -> tuple[Scene, Operative, list[Box]]:
    """A base with a wall above it and one to its right, as near as can be or a little farther."""
    rng = np.random.default_rng(seed)
    dx, dy, up, right = rng.uniform((-0.5, -0.5, 0.65, 0.65), (0.5, 0.5, 0.9, 1.2))
    boxes = [(14.3 + dx, 11 + up, 15.5 + dx, 11.4 + up), (15 + right, 10.2 + dy, 15.4 + right, 11.5 + dy)]
    one = op("b", 15, 11)
    return table(one, features=walls_at(*boxes)), one, boxes


@mark.rule("SIGHT-17", "SIGHT-13")
def test_the_length_of_a_way_is_that_of_a_plain_search() -> None:
    counts: Counter[str] = Counter()
    for seed in range(30):
        scene, one, boxes = random_place(seed)
        ways = Ways(scene, figure_row(one))
        for spot in np.random.default_rng(seed).uniform((12.5, 8.5), (17.5, 13.5), (12, 2)):
            if any(b[0] - 0.01 < spot[0] < b[2] + 0.01 and b[1] - 0.01 < spot[1] < b[3] + 0.01 for b in boxes):
                continue
            plain = max(0.0, math.dist((15, 11), spot) - one.base.along)
            truth = way_around(one, spot, boxes)
            assert ways.length(*spot) == pytest.approx(truth, abs=1e-4), (seed, spot)
            counts["bent" if truth > plain + 1e-6 else "straight"] += 1
    assert counts["bent"] > 40
    assert counts["straight"] > 40


@mark.rule("SIGHT-17", "SIGHT-13")
def test_edges_are_parted_where_the_way_to_them_is_too_long() -> None:
    counts: Counter[str] = Counter()
    for seed in range(25):
        scene, one, boxes = random_place(seed)
        ways = Ways(scene, figure_row(one))
        rng = np.random.default_rng(100 + seed)
        for limit in (1.0, 2.0):
            edge = rng.uniform((14, 10), (17, 13), (2, 2))
            near, far = ways.within(edge.reshape(1, 4), limit), ways.beyond(edge.reshape(1, 4), limit)
            for t in rng.random(25):
                spot = edge[0] + t * (edge[1] - edge[0])
                if any(b[0] - 0.01 < spot[0] < b[2] + 0.01 and b[1] - 0.01 < spot[1] < b[3] + 0.01 for b in boxes):
                    continue
                truth = way_around(one, spot, boxes)
                if abs(truth - limit) < 1e-3:
                    continue
                assert lies_on(spot, near) == (truth <= limit), (seed, limit, spot, truth)
                assert lies_on(spot, far) == (truth > limit), (seed, limit, spot, truth)
                plain = max(0.0, math.dist((15, 11), spot) - one.base.along)
                counts["hidden"] += plain < limit < truth
                counts["bent"] += plain + 1e-6 < truth <= limit
    assert counts["hidden"] > 20
    assert counts["bent"] > 10


def lies_on(spot: Floats, edges: Floats) -> bool:
    start, way = edges[:, :2], edges[:, 2:] - edges[:, :2]
    t = np.clip(((spot - start) * way).sum(axis=1) / np.maximum((way**2).sum(axis=1), 1e-18), 0, 1)
    return bool((np.hypot(*(start + t[:, None] * way - spot).T) < 1e-7).any())


@mark.rule("SIGHT-17", "SIGHT-13")
def test_triangles_in_space_are_parted_too() -> None:
    counts: Counter[str] = Counter()
    for seed in range(30):
        scene, one, boxes = random_place(seed)
        ways = Ways(scene, figure_row(one))
        rng = np.random.default_rng(200 + seed)
        mesh = rng.uniform((14.5, 11, 0), (16.5, 12.8, 0.5), (1, 3, 3))
        none = np.empty((0, 4))
        if ways.is_plain(1.0):
            continue
        near = ways.triangles_within(mesh.reshape(-1, 9), 0.0, 1.0, none)
        far = ways.triangles_beyond(mesh.reshape(-1, 9), 0.0, 1.0, none)
        for weights in rng.dirichlet((1, 1, 1), 40):
            spot = weights @ mesh[0]
            if any(b[0] - 0.01 < spot[0] < b[2] + 0.01 and b[1] - 0.01 < spot[1] < b[3] + 0.01 for b in boxes):
                continue
            truth = math.hypot(way_around(one, spot[:2], boxes), spot[2])
            if abs(truth - 1) > 0.005:
                assert is_among(spot, near) == (truth <= 1), (seed, spot, truth)
                assert is_among(spot, far) == (truth > 1), (seed, spot, truth)
                plain = math.hypot(max(0.0, math.dist((15, 11), spot[:2]) - one.base.along), spot[2])
                counts["hidden"] += plain < 1 < truth
                counts["near"] += truth <= 1
    assert counts["hidden"] > 5
    assert counts["near"] > 10


def is_among(spot: Floats, rows: Floats) -> bool:
    """Is the point, known to be in their common plane, in one of the triangles?"""
    corners = rows.reshape(-1, 3, 3) - spot
    crossed = np.cross(corners, np.roll(corners, -1, axis=1))
    normal = crossed.sum(axis=1)
    area = np.linalg.norm(normal, axis=1)
    sides = np.einsum("nki,ni->nk", crossed, normal) / np.maximum(area, 1e-12)[:, None]
    return bool(((sides > -1e-7).all(axis=1) & (area > 1e-9)).any())


F4 = """\
ktsim: scene/1
edition: {edition}
board: [30, 22]
walls:
  - {{id: W, line: [[5, 11.85], [{end}, 11.85]]}}
  - {{id: V, line: [[15.1, 20], [15.1, 12.25]]}}
operatives:
  - {{id: a, team: red, at: [18, 18]}}
  - {{id: b, team: blue, at: [15, 11], body: {{cylinder: {{radius: 0.6, height: 1.25}}}}}}
"""


@mark.rule("SIGHT-17", "KT24-OBSCURED", "KT24-COVER")
def test_the_end_of_a_wall_behind_another_wall_obscures_and_does_not_cover() -> None:
    # V's end is 0.62" from b through W. Around W's end at 15.6: (0.885 - 0.63) + 0.4 + 0.36 = 1.02".
    file = scene_from_text(F4.format(edition="kt24", end=15.6), Path("s.yaml"))
    found = ruling(file.scene, "a", "b")
    assert found.cover_from == ("W/wall",)
    assert found.obscured_by == ("V/wall",)
    (crossing,) = found.obscuring
    assert 1.0 < crossing.to_target < 1.3
    # With W a little shorter the way is (0.680 - 0.63) + 0.4 + 0.51 at most: within the inch.
    file = scene_from_text(F4.format(edition="kt24", end=15.2), Path("s.yaml"))
    assert not ruling(file.scene, "a", "b").obscured


@mark.rule("SIGHT-17")
def test_a_wall_is_not_in_the_way_to_itself() -> None:
    scene, one, boxes = random_place(0)
    ways, wall = Ways(scene, figure_row(one)), scene.parts()[0]
    x0, y0, x1, y1 = boxes[0]
    middle = np.array([(x0 + x1) / 2, (y0 + y1) / 2])
    straight = math.dist((15, 11), middle) - one.base.along
    assert ways.length(*middle, wall) <= max(straight, way_around(one, middle, boxes[1:])) + 1e-6


@mark.rule("SIGHT-17", "KZ-WALL-ENDS")
def test_walls_that_meet_are_not_in_the_way_to_their_corner() -> None:
    """Its outer side is a long way around from inside the corner: all the same the corner is near, and only covers."""
    corner = [WallLine("u", (11.9, 7.9), (11.9, 11.9)), WallLine("v", (11.9, 11.9), (15.9, 11.9))]
    found = ruling(table(op("a", 10.9, 16.9), op("b", 12.9, 10.9), walls=corner), "a", "b")
    assert set(found.cover_from) == {"u/wall", "v/wall"}
    assert not found.obscured
