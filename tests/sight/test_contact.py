"""Overlap and touch of closed meshes."""

from __future__ import annotations

import numpy as np
import pytest

from ktsim.geometry.contact import inside, overlap, touch
from ktsim.geometry.solids import box, cylinder


def test_inside() -> None:
    drum = cylinder((0, 0, 0), 1, 2)
    points = np.array([[0, 0, 1], [0.9, 0, 1], [1.1, 0, 1], [0, 0, 2.1], [0, 0, -0.1], [0.75, 0.75, 1]])
    assert inside(points, drum).tolist() == [True, True, False, False, False, False]


def test_inside_agrees_with_the_formula_everywhere() -> None:
    rng = np.random.default_rng(1)
    points = rng.uniform(-1.5, 1.5, (2000, 3))
    expected = (np.abs(points) < 1).all(axis=1)
    assert (inside(points, box((-1, -1, -1), (1, 1, 1))) == expected).all()


@pytest.mark.parametrize("shift", [-2.1, -1.9, -1.0, 0.0, 0.5, 1.97, 2.0, 2.03])
@pytest.mark.parametrize("axis", [0, 1, 2])
def test_overlap_of_boxes_along_an_axis(shift: float, axis: int) -> None:
    one = box((-1, -1, -1), (1, 1, 1))
    offset = np.zeros(3)
    offset[axis] = shift
    other = one + offset
    deep = 2 - abs(shift)
    assert overlap(one, other, 0.01) is (deep > 0.02)
    assert touch(one, other, 0.02) is (deep > -0.02)


def test_crossing_bars_without_a_corner_in_each_other() -> None:
    assert overlap(box((-3, -0.1, 0), (3, 0.1, 0.2)), box((-0.1, -3, -0.1), (0.1, 3, 0.3)), 0.01)
    assert not overlap(box((-3, -0.1, 0), (3, 0.1, 0.2)), box((-0.1, -3, 0.2), (0.1, 3, 0.4)), 0.01)


def test_one_in_another() -> None:
    assert overlap(box((0, 0, 0), (4, 4, 4)), box((1, 1, 1), (2, 2, 2)), 0.01)
