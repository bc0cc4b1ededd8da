"""Sections have as many edges as sides, however finely a mesh is cut; cells know the corners of small patches."""

from __future__ import annotations

import numpy as np
import pytest
from sight_scenes import finer

from ktsim.geometry.forest import Grove, Surface, Tree, rows
from ktsim.geometry.kernels import queries
from ktsim.geometry.kernels.sections import joined, section
from ktsim.geometry.solids import box, cylinder


@pytest.mark.rule("SIGHT-13")
def test_what_follows_straight_on_is_one_edge_and_the_border_stays_the_same() -> None:
    turn = np.array([[0.8, -0.6, 0.0], [0.6, 0.8, 0.0], [0.0, 0.0, 1.0]])
    for shape, sides in ((box((0, 0, 0), (3, 1, 2)), 4), (cylinder((1, 1, 0), 2.0, 2.0, 12), 12)):
        fine = finer(shape, 3) @ turn.T
        edges, _ = section(rows(fine), np.zeros(len(fine), np.int32), 0.7)
        found = joined(edges)
        assert len(edges) > 2 * sides
        assert len(found) == sides
        # all corners there were lie on what is left, and all that is left were corners
        ends = edges.reshape(-1, 2)
        along = found[:, 2:] - found[:, :2]
        t = np.einsum("nek,ek->ne", ends[:, None] - found[:, :2], along) / (along**2).sum(axis=1)
        nearest = found[:, :2] + np.clip(t, 0, 1)[..., None] * along
        assert np.linalg.norm(ends[:, None] - nearest, axis=2).min(axis=1).max() < 1e-9
        known = {tuple(end) for end in ends.tolist()}
        assert all(tuple(end) in known for end in found.reshape(-1, 2).tolist())


def test_bends_forks_and_turns_back_are_not_joined() -> None:
    bend = np.array([[0.0, 0.0, 1.0, 0.0], [1.0, 0.0, 2.0, 1e-6]])
    fork = np.array([[0.0, 0.0, 1.0, 0.0], [1.0, 0.0, 2.0, 0.0], [1.0, 0.0, 1.0, 1.0]])
    back = np.array([[0.0, 0.0, 1.0, 0.0], [1.0, 0.0, 0.5, 0.0]])
    for edges in (bend, fork, back):
        assert len(joined(edges)) == len(edges)
    bend[1, 3] = 0.0
    assert joined(bend).tolist() == [[0.0, 0.0, 2.0, 0.0]]


def test_corners_of_a_patch_are_all_of_its_triangles_corners() -> None:
    surface = Surface.of(finer(box((0, 0, 0), (2, 1, 1)), 1))
    below: dict[int, set[tuple[float, ...]]] = {}
    few = 0
    for node in range(len(surface.links) - 1, -1, -1):
        first, count = surface.links[node]
        if count:
            below[node] = {tuple(corner) for corner in surface.tris[first].reshape(3, 3).tolist()}
        else:
            below[node] = below[first] | below[first + 1]
        number, *which = surface.corners[node].tolist()
        assert (number == len(below[node])) if len(below[node]) <= 8 else number == 0
        if number:
            few += count == 0
            points = surface.tris.reshape(-1, 3)[which[:number]]
            assert {tuple(point) for point in points.tolist()} == below[node]
    assert few > 10


@pytest.mark.rule("SIGHT-6")
def test_a_thin_line_first_meets_what_is_nearest() -> None:
    rng = np.random.default_rng(4)
    triangles = rng.uniform(-4, 4, (300, 1, 3)) + rng.uniform(-1, 1, (300, 3, 3)) + 20.0
    forest = Grove.of([Tree.over(triangles)]).forest([(0, 0.0, 0.0, 0.0, 0.0)])
    act, stack = np.zeros(1, np.int32), np.empty(queries.DEPTH, np.int32)
    met = 0
    for _ in range(400):
        start = rng.uniform(-6, 6, 3) + 20.0
        way = rng.uniform(-9, 9, 3)
        edge1, edge2 = triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0]
        across = np.cross(way, edge2)
        det = (edge1 * across).sum(axis=1)
        to = start - triangles[:, 0]
        u = (to * across).sum(axis=1) / det
        turned = np.cross(to, edge1)
        v = turned @ way / det
        t = (edge2 * turned).sum(axis=1) / det
        hits = np.where((u >= 0) & (v >= 0) & (u + v <= 1) & (t >= 0) & (t <= 1), t, 2.0)
        found, _, instance = queries.first_hit(forest, act, stack, *start, *way)
        assert found == pytest.approx(hits.min(), abs=1e-9)
        assert (instance >= 0) == (hits.min() <= 1)
        met += instance >= 0
    assert 50 < met < 350
