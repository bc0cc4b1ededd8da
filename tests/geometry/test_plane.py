"""Figures in the plane, against shapely, which is written separately; and what happens on borders."""

from __future__ import annotations

import math

import numpy as np
import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st

from ktsim.geometry import plane

COORDINATE = st.floats(-20, 20).map(lambda at: round(at, 3))
SPOT = st.tuples(COORDINATE, COORDINATE)
SQUARE = plane.rectangle(0, 0, 4, 4)


@st.composite
def stars(draw: st.DrawFn) -> list[tuple[float, float]]:
    """Polygons around the origin, concave as often as not, wound either way."""
    count = draw(st.integers(3, 12))
    radii = draw(st.lists(st.floats(0.5, 15), min_size=count, max_size=count))
    points = [
        (r * math.cos(2 * math.pi * i / count), r * math.sin(2 * math.pi * i / count)) for i, r in enumerate(radii)
    ]
    return points[::-1] if draw(st.booleans()) else points


@st.composite
def triangles(draw: st.DrawFn) -> list[tuple[float, float]]:
    found = draw(st.lists(SPOT, min_size=3, max_size=3))
    if abs(plane.turn(*found)) < 1e-3:
        found = [(0.0, 0.0), (1.0, 0.0), (0.0, 1.0)]
    return found


@given(stars(), SPOT)
def test_insides_agree(outline: list[tuple[float, float]], spot: tuple[float, float]) -> None:
    edges = plane.loop(outline)
    found = plane.is_inside(outline, *spot)
    assert plane.is_enclosed(edges, *spot) == found
    assert plane.are_enclosed(edges, np.array([spot[0]]), np.array([spot[1]])).tolist() == [found]
    if plane.from_border(outline, *spot) > 1e-9:
        assert found == shapely.Polygon(outline).contains(shapely.Point(spot))


def test_of_a_border_the_lower_and_the_left_side_are_inside() -> None:
    """So that of regions side by side exactly one has a point on their common border."""
    edges = plane.loop(SQUARE)
    for spot, is_in in (((0, 2), True), ((2, 0), True), ((4, 2), False), ((2, 4), False), ((0, 0), True)):
        assert plane.is_inside(SQUARE, *spot) is is_in
        assert plane.is_enclosed(edges, *spot) is is_in


def test_a_loop_within_a_loop_is_a_hole() -> None:
    edges = np.concatenate([plane.loop(SQUARE), plane.loop(plane.rectangle(1, 1, 2, 2))])
    assert plane.is_enclosed(edges, 0.5, 2)
    assert not plane.is_enclosed(edges, 2, 2)
    assert not plane.is_enclosed(np.empty((0, 4)), 2, 2)


@given(SPOT, SPOT, SPOT)
def test_distances_to_a_segment(spot: tuple[float, float], a: tuple[float, float], b: tuple[float, float]) -> None:
    found = plane.distance_to_segment(*spot, a, b)
    assert found == pytest.approx(shapely.Point(spot).distance(shapely.LineString([a, b])), abs=1e-9)
    assert float(plane.to_segments(*map(np.array, (spot, a, b)))) == found


@given(SPOT, SPOT, SPOT, SPOT)
def test_crossing(
    a: tuple[float, float], b: tuple[float, float], c: tuple[float, float], d: tuple[float, float]
) -> None:
    sides = [plane.turn(a, b, c), plane.turn(a, b, d), plane.turn(c, d, a), plane.turn(c, d, b)]
    if min(map(abs, sides)) > 1e-6:
        assert plane.cross(a, b, c, d) == shapely.LineString([a, b]).crosses(shapely.LineString([c, d]))


def test_segments_that_touch_do_not_cross() -> None:
    assert not plane.cross((0, 0), (2, 0), (1, 0), (1, 1))
    assert plane.cross((0, 0), (2, 0), (1, -1e-9), (1, 1))


@given(stars())
def test_areas(outline: list[tuple[float, float]]) -> None:
    assert plane.area(outline) == pytest.approx(-plane.area(outline[::-1]))
    assert abs(plane.area(outline)) == pytest.approx(shapely.Polygon(outline).area)


@given(st.lists(SPOT, min_size=3, max_size=30))
def test_hulls(points: list[tuple[float, float]]) -> None:
    if shapely.MultiPoint(points).convex_hull.area < 1e-3:
        return
    hull = plane.hull(np.array(points))
    assert plane.area([(x, y) for x, y in hull]) == pytest.approx(shapely.MultiPoint(points).convex_hull.area)
    assert (plane.turns(np.roll(hull, 1, axis=0), hull, np.roll(hull, -1, axis=0)) > 0).all()


def test_a_hull_has_no_corners_on_its_sides() -> None:
    points = [(0, 0), (0.1, 0.1), (0.2, 0.2), (0.3, 0.3), (0.3, 0.0), (0.15, 0.0), (1e-9, 0.0)]
    assert plane.hull(np.array(points)).tolist() == [[0, 0], [0.3, 0], [0.3, 0.3]]
    assert len(plane.hull(np.array(points), 9)) == 3


@given(triangles(), triangles())
def test_how_far_convex_polygons_are_apart(one: list[tuple[float, float]], two: list[tuple[float, float]]) -> None:
    found = plane.apart(plane.hull(np.array(one)), plane.hull(np.array(two)))
    assert found == pytest.approx(shapely.Polygon(one).distance(shapely.Polygon(two)), abs=1e-9)


@given(SPOT, SPOT, triangles())
def test_gaps_between_a_segment_and_a_triangle(
    a: tuple[float, float], b: tuple[float, float], triangle: list[tuple[float, float]]
) -> None:
    found = plane.gaps(np.array(a), np.array(b), np.array([triangle]))
    assert found[0] == pytest.approx(shapely.LineString([a, b]).distance(shapely.Polygon(triangle)), abs=1e-9)


def test_outlines_whose_borders_cross_or_only_touch() -> None:
    square = np.array(SQUARE)
    assert plane.borders_cross(square, square + 2)
    assert not plane.borders_cross(square, square + np.array([4, 0]))
    assert not plane.borders_cross(square, (square - 2) / 2 + 2)


def test_clipping_leaves_what_is_beyond_the_bound() -> None:
    left = plane.clipped(list(SQUARE), 0, -1, -1.0)
    assert abs(plane.area(left)) == pytest.approx(4)
    assert plane.clipped(list(SQUARE), 1, 1, 5.0) == []
    assert plane.clipped([], 1, 1, 5.0) == []


def test_heights_over_a_point() -> None:
    slope = np.array([[(0, 0, 0), (4, 0, 4), (0, 4, 0)], [(0, 0, 0), (0, 0, 3), (4, 4, 0)]], float)
    assert plane.heights(slope, 1, 1).tolist() == [1, -1]
    assert plane.heights(slope, 3, 3).tolist() == [-1, -1]


def test_the_smallest_rectangle_around_a_turned_one() -> None:
    c, s = math.cos(0.3), math.sin(0.3)
    corners = np.array([(-2, -1), (2, -1), (2, 1), (-2, -1), (2, 1), (-2, 1)]) @ np.array([[c, s], [-s, c]]) + (5, 6)
    centre, along, half, other = plane.smallest_rectangle(corners)
    assert centre == pytest.approx((5, 6))
    assert (abs(along[0]), abs(along[1])) == pytest.approx((c, s), abs=1e-5)
    assert (half, other) == pytest.approx((2, 1), abs=1e-5)


@pytest.mark.parametrize(
    "outline",
    [
        [(0, 0), (2, 2), (2, 0), (0, 2)],
        [(0, 0), (1, 0), (2, 0)],
        [(0, 0), (1, 0)],
        [(0, 0), (0, 0), (1, 0), (1, 1)],
        [(0, 0), (4, 0), (4, 4), (2, 0), (0, 4)],
        [(0, 0), (4, 0), (2, 0), (2, 3)],
    ],
)
def test_outlines_that_are_not_simple(outline: list[tuple[float, float]]) -> None:
    assert not plane.is_simple(outline)
    assert plane.is_simple(SQUARE)
