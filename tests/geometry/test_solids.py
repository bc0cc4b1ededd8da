"""Solids are closed and face outwards, whatever they are made from."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ktsim.geometry.plane import area, is_simple
from ktsim.geometry.solids import SIDES, box, cylinder, is_closed, prism, welded

SIZE = st.floats(0.01, 50)
COORDINATE = st.floats(-100, 100)


@given(COORDINATE, COORDINATE, COORDINATE, SIZE, SIZE, SIZE, st.booleans())
def test_box(x: float, y: float, z: float, a: float, b: float, c: float, swap: bool) -> None:
    corners = [(x, y, z + c), (x + a, y + b, z)]
    solid = box(*(corners[::-1] if swap else corners))
    assert solid.shape == (12, 3, 3)
    assert is_closed(solid)
    assert welded(solid).volume == pytest.approx(a * b * c, rel=1e-6, abs=1e-9)


@given(SIZE, SIZE)
def test_cylinder_has_its_corners_on_the_radius(radius: float, height: float) -> None:
    solid = cylinder((3, 4, 5), radius, height)
    assert is_closed(solid)
    assert np.hypot(solid[..., 0] - 3, solid[..., 1] - 4) == pytest.approx(radius)
    assert solid[..., 2].min() == 5
    assert solid[..., 2].max() == pytest.approx(5 + height)
    disc = SIDES / 2 * math.sin(2 * math.pi / SIDES) * radius**2
    assert welded(solid).volume == pytest.approx(disc * height, rel=1e-6, abs=1e-9)


@st.composite
def stars(draw: st.DrawFn) -> list[tuple[float, float]]:
    """Polygons around the origin, concave as often as not, wound either way."""
    count = draw(st.integers(3, 24))
    radii = draw(st.lists(st.floats(0.5, 5), min_size=count, max_size=count))
    points = [
        (r * math.cos(2 * math.pi * i / count), r * math.sin(2 * math.pi * i / count)) for i, r in enumerate(radii)
    ]
    return points[::-1] if draw(st.booleans()) else points


@given(stars())
def test_prism_over_any_simple_outline(outline: list[tuple[float, float]]) -> None:
    assert is_simple(outline)
    solid = prism(outline, 2, 1)
    assert is_closed(solid)
    assert welded(solid).volume == pytest.approx(abs(area(outline)), rel=1e-6)


@pytest.mark.parametrize(
    "outline",
    [
        [(0, 0), (4, 0), (4, 4), (2, 1), (0, 4)],
        [(0, 0), (6, 0), (6, 1), (1, 1), (1, 2), (6, 2), (6, 3), (0, 3)],
        # Corners at which it does not turn.
        [(0, 0), (1, 0), (2, 0), (2, 1), (2, 2), (1, 2), (0, 2), (0, 1)],
        # A comb whose teeth' tips lie on one line.
        [(0, 0), (7, 0), (7, 2), (6, 2), (6, 1), (5, 1), (5, 2), (4, 2), (4, 1), (3, 1), (3, 2), (0, 2)],
    ],
)
def test_concave_outlines(outline: list[tuple[float, float]]) -> None:
    solid = prism(outline, 0, 1)
    assert is_closed(solid)
    assert welded(solid).volume == pytest.approx(abs(area(outline)))
    sizes = np.linalg.norm(np.cross(solid[:, 1] - solid[:, 0], solid[:, 2] - solid[:, 0]), axis=1)
    assert sizes.min() > 1e-6, "a sliver without area"


def test_open_and_inside_out() -> None:
    solid = box((0, 0, 0), (1, 1, 1))
    assert not is_closed(solid[:-1])
    assert welded(solid[:, ::-1]).volume == pytest.approx(-1)
    assert is_closed(solid[:, ::-1])
    assert not is_closed(np.zeros((4, 3, 3)))
    flipped = solid.copy()
    flipped[0] = flipped[0][::-1]
    assert not is_closed(flipped)


def test_two_solids_that_share_an_edge_are_closed() -> None:
    both = np.concatenate([box((0, 0, 0), (1, 1, 1)), box((1, 1, 0), (2, 2, 1))])
    assert is_closed(both)


def test_nearly_equal_corners_are_welded() -> None:
    solid = box((0, 0, 0), (1, 1, 1)) + np.random.default_rng(1).uniform(-1e-9, 1e-9, (12, 3, 3))
    assert is_closed(solid)
