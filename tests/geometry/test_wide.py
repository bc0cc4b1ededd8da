"""Trees with four children a node only spare what is far off: they answer as exact distances do."""

from __future__ import annotations

import numpy as np
import pytest

from ktsim.geometry.forest import Grove, Tree
from ktsim.geometry.kernels import queries


@pytest.mark.rule("SIGHT-6")
@pytest.mark.parametrize(
    ("count", "shift", "size"), [(1, 0.0, 1.0), (5, 0.0, 1.0), (400, 30.0, 0.5), (400, 900.0, 0.2)]
)
def test_a_line_is_blocked_just_when_something_is_nearer_than_its_radius(count: int, shift: float, size: float) -> None:
    rng = np.random.default_rng(count)
    triangles = rng.uniform(-4, 4, (count, 1, 3)) + rng.uniform(-size, size, (count, 3, 3)) + shift
    forest = Grove.of([Tree.over(triangles)]).forest([(0, 0.0, 0.0, 0.0, 0.0)])
    act = np.zeros(1, np.int32)
    start = rng.uniform(-6, 6, (3_000, 3)) + shift
    way = rng.uniform(-9, 9, (3_000, 3))
    way[::5, 0] = way[1::5, 1] = way[2::5, 2] = 0.0  # along a plane
    way[::15, 1] = 0.0  # along an axis
    way[7::100] = 0.0  # a point
    apart = queries.lines_clearance(forest, act, start, way, 3.0)
    for radius in (0.02, 0.3, 1.1):
        assert (queries.lines_blocked(forest, act, start, way, radius) == (apart < radius)).all()
    # radii that differ from the distance by next to nothing: no box may be missed
    for line in np.flatnonzero((apart > 1e-3) & (apart < 3.0))[:300]:
        one = slice(line, line + 1)
        assert queries.lines_blocked(forest, act, start[one], way[one], apart[line] * (1 + 1e-12))[0]
        assert not queries.lines_blocked(forest, act, start[one], way[one], apart[line] * (1 - 1e-12))[0]
