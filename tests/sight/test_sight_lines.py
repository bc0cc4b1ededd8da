"""Lines of 1 mm against triangles (SIGHT-6): the compiled queries against the plain oracle."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import sight_oracle as oracle
from sight_scenes import finer, random_boxes

from ktsim.geometry.forest import Forest, Grove, Tree
from ktsim.geometry.kernels import queries
from ktsim.sight.scene import EPS, MM

pytestmark = pytest.mark.rule("SIGHT-6")
RADIUS = 0.5 * MM
LABELS = 8
FAR = 0.5
"""Distances beyond this are not asked for."""


def soup(rng: np.random.Generator, count: int) -> np.ndarray:
    """Loose triangles: small and large, needles among them."""
    middle = rng.uniform(-2, 2, (count, 1, 3))
    size = 10 ** rng.uniform(-2, 0.3, (count, 1, 1))
    triangles = middle + size * rng.normal(size=(count, 3, 3))
    needle = rng.random(count) < 0.15
    triangles[needle, 2] = triangles[needle, 0] + (triangles[needle, 1] - triangles[needle, 0]) * 0.5
    triangles[needle, 2] += rng.normal(size=(int(needle.sum()), 3)) * 1e-3
    return triangles


def lines(rng: np.random.Generator, count: int, at: np.ndarray | None = None) -> tuple[np.ndarray, np.ndarray]:
    """Any lines, some that run along an axis or are very short; half of them through triangles of *at*."""
    starts, ends = rng.uniform(-3, 3, (count, 3)), rng.uniform(-3, 3, (count, 3))
    if at is not None:
        aimed = np.flatnonzero(rng.random(count) < 0.5)
        spots = np.einsum("nk,nkj->nj", rng.dirichlet((1, 1, 1), len(aimed)), at[rng.integers(0, len(at), len(aimed))])
        ends[aimed] = starts[aimed] + (spots - starts[aimed]) * 1.3
    ends[: count // 10, 1:] = starts[: count // 10, 1:]
    ends[count // 10 : count // 8] = starts[count // 10 : count // 8] + 1e-4
    return starts, ends


def forest_of(
    rng: np.random.Generator, meshes: list[np.ndarray]
) -> tuple[Forest, np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Two instances of each mesh, turned and moved; all in the world with label and instance per triangle."""
    trees, pieces, labels, owners, places = [], [], [], [], []
    for number, mesh in enumerate(meshes):
        names = rng.integers(0, LABELS, len(mesh)).astype(np.int32)
        trees.append(Tree.over(mesh, names))
        for _ in range(2):
            place = (float(rng.normal()), float(rng.normal()), float(rng.normal() * 0.3), float(rng.uniform(-180, 540)))
            pieces.append(oracle.posed(mesh, *place))
            owners.append(np.full(len(mesh), len(places)))
            labels.append(names)
            places.append((number, *place))
    forest = Grove.of(trees).forest(places)
    active = np.arange(len(places), dtype=np.int32)
    return forest, active, np.concatenate(pieces), np.concatenate(labels), np.concatenate(owners)


def clearances_of(forest: Any, active: np.ndarray, starts: np.ndarray, ways: np.ndarray, most: float) -> np.ndarray:
    """The clearance of each line."""
    return np.array(
        [queries.line_clearance(forest, active, *a, *w, most)[0] for a, w in zip(starts, ways, strict=True)]
    )


def check_queries(seed: int, count: int, meshes: list[np.ndarray]) -> dict[str, int]:
    """All three questions for *count* lines; how often what was answered."""
    rng = np.random.default_rng(seed)
    forest, active, world, _, owners = forest_of(rng, meshes)
    starts, ends = lines(rng, count, world)
    ways = ends - starts
    true = oracle.clearances(world, starts, ends, FAR)
    found = clearances_of(forest, active, starts, ways, FAR)
    assert np.abs(found - true).max() <= EPS
    seen = {"blocked": 0, "clear": 0, "hits": 0}
    for radius in (RADIUS, 0.1, 0.4):
        blocked = queries.lines_blocked(forest, active, starts, ways, radius)
        sure = np.abs(true - radius) > EPS
        assert (blocked[sure] == (true < radius)[sure]).all()
        seen["blocked"] += int(blocked.sum())
        seen["clear"] += int((~blocked).sum())
    stack = np.empty(queries.DEPTH, np.int32)
    few = range(0, count, 5)
    for i in few:
        distance, t, triangle, instance = queries.line_clearance(forest, active, *starts[i], *ways[i], FAR)
        at = starts[i] + t * ways[i]
        if triangle >= 0:
            near = oracle.clearances(world[owners == instance], at, at, FAR)[0]
            assert near == pytest.approx(distance, abs=EPS)
        t, triangle, instance = queries.first_hit(forest, active, stack, *starts[i], *ways[i])
        if triangle < 0:
            assert true[i] > 1e-12 or _grazes(starts[i], ends[i], world)  # nothing met, or a graze of an edge
        else:
            seen["hits"] += 1
            at = starts[i] + t * ways[i]
            assert oracle.clearances(world[owners == instance], at, at, FAR)[0] <= EPS
            before = at - ways[i] * (2 * EPS / max(np.linalg.norm(ways[i]), 1e-9))
            if t * np.linalg.norm(ways[i]) > 1e-3:
                # nothing is met before: the line up to there, shortened by a hair, has no triangle on it
                short = oracle.clearances(world, starts[i], before, EPS)[0]
                assert short > 0 or _grazes(starts[i], before, world)
    return seen


def _grazes(start: np.ndarray, end: np.ndarray, world: np.ndarray) -> bool:
    """Does a nudge of the line by EPS free it?"""
    for shift in np.vstack([np.eye(3), -np.eye(3)]) * EPS:
        if oracle.clearances(world, start + shift, end + shift, 1.0)[0] > 0:
            return True
    return False


@pytest.mark.parametrize("seed", range(4))
def test_queries_of_triangle_soups_agree_with_the_oracle(seed: int) -> None:
    rng = np.random.default_rng(1000 + seed)
    seen = check_queries(seed, 250, [soup(rng, 40), soup(rng, 7)])
    assert min(seen.values()) > 20


@pytest.mark.parametrize("seed", range(4))
def test_queries_of_boxes_agree_with_the_oracle(seed: int) -> None:
    rng = np.random.default_rng(2000 + seed)
    meshes = [f.parts[0].triangles - np.array([11.0, 11.0, 1.0]) for f in random_boxes(rng, 5)]
    seen = check_queries(seed, 250, [np.concatenate(meshes)])
    assert min(seen.values()) > 20


def test_only_active_instances_count() -> None:
    rng = np.random.default_rng(5)
    forest, _, world, _, owners = forest_of(rng, [soup(rng, 12), soup(rng, 12)])
    starts, ends = lines(rng, 100)
    for active in ([0], [1, 2], [3], []):
        true = oracle.clearances(world[np.isin(owners, active)], starts, ends, 10.0)
        found = clearances_of(forest, np.array(active, np.int32), starts, ends - starts, 10.0)
        assert np.abs(found - true).max() <= EPS


def test_cutting_triangles_up_changes_no_distance() -> None:
    rng = np.random.default_rng(9)
    mesh = soup(rng, 10)
    starts, ends = lines(rng, 200)
    active = np.zeros(1, np.int32)
    answers = []
    for times in (0, 1, 3):
        forest = Grove.of([Tree.over(finer(mesh, times))]).forest([(0, 0.0, 0.0, 0.0, 0.0)])
        answers.append(clearances_of(forest, active, starts, ends - starts, 10.0))
    assert np.abs(answers[0] - answers[1]).max() <= EPS
    assert np.abs(answers[0] - answers[2]).max() <= EPS


def test_the_oracle_knows_distances_worked_out_by_hand() -> None:
    triangle = np.array([[[0.0, 0, 0], [4, 0, 0], [0, 4, 0]]])
    cases = [
        ((1, 1, -1), (1, 1, 1), 0.0),  # through it
        ((1, 1, 3), (1, 1, 2), 2.0),  # an end above its inside
        ((1, -3, 0), (3, -3, 0), 3.0),  # beside an edge
        ((-3, -4, 0), (-3, -4, 7), 5.0),  # a corner
        ((-1, -2, 1), (5, -2, 1), 5**0.5),  # skew to an edge
        ((3, 3, -1), (3, 3, 1), 2**0.5),  # past the long edge
        ((1, 1, 0.25), (1, 1, 0.25), 0.25),  # a point
    ]
    for start, end, expected in cases:
        assert oracle.clearances(triangle, np.array(start), np.array(end))[0] == pytest.approx(expected, abs=1e-12)


def test_a_line_half_a_millimetre_away_is_clear() -> None:
    """SIGHT-6: >= 0.5 mm - EPS; just inside it is not."""
    triangle = np.array([[[0.0, 0, 0], [4, 0, 0], [0, 4, 0]]])
    forest = Grove.of([Tree.over(triangle)]).forest([(0, 0.0, 0.0, 0.0, 0.0)])
    active = np.zeros(1, np.int32)
    heights = np.array([RADIUS, RADIUS - 0.9 * EPS, RADIUS - 1.1 * EPS])
    starts = np.array([[0.5, 0.5, h] for h in heights])
    ways = np.array([[1.0, 1.0, 0.0]] * 3)
    assert queries.lines_blocked(forest, active, starts, ways, RADIUS - EPS).tolist() == [False, False, True]
