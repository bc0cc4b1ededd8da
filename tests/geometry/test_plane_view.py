"""A plane found in a picture by four points, through a lens that bends; circles through places on a rim."""

from __future__ import annotations

import math

import numpy as np
import pytest
from numpy.typing import NDArray

from ktsim.geometry.plane import circle_of_radius, circle_through
from ktsim.geometry.plane_view import NoView, PlaneView, plane_view

SIZE = (1600, 1200)
BOARD = ((0.0, 0.0), (30.0, 0.0), (30.0, 22.0), (0.0, 22.0))
EYE = np.array([17.0, -14.0, 26.0])
INNER = np.array([(15.0, 11.0), (5.0, 5.0), (25.0, 15.0), (28.0, 2.0)])


def shot(points: object, bend: float = 0.0) -> NDArray[np.float64]:
    """Pixels of floor points as a camera at EYE sees them: written out, without what is tested."""
    flat = np.asarray(points, float)
    ahead = np.array([15.0, 10.0, 0.0]) - EYE
    ahead /= np.linalg.norm(ahead)
    right = np.cross(ahead, (0, 0, 1))
    right /= np.linalg.norm(right)
    seen = (np.column_stack([flat, np.zeros(len(flat))]) - EYE) @ np.stack([right, np.cross(ahead, right), ahead]).T
    straight = seen[:, :2] / seen[:, 2:] * 1.35
    far = np.linalg.norm(straight, axis=1)
    bent = far.copy()
    for _ in range(200):
        bent = far * (1 + bend * bent**2)
    return np.asarray(straight * (bent / far)[:, None] * 1000 + [800, 600])


def spots(points: object, bend: float = 0.0) -> list[tuple[float, float]]:
    return [(float(x), float(y)) for x, y in shot(points, bend)]


def off(view: PlaneView, bend: float) -> float:
    return float(np.linalg.norm(view.found(shot(INNER, bend)) - INNER, axis=1).max())


def test_four_corners_are_enough_for_a_straight_lens() -> None:
    view = plane_view(SIZE, spots(BOARD), BOARD)
    assert off(view, 0.0) < 1e-9
    assert view.seen(INNER) == pytest.approx(shot(INNER), abs=1e-6)
    assert view.eye() == pytest.approx(tuple(EYE), abs=1e-6)
    assert view.doubt() < 1e-9
    assert plane_view(SIZE, spots(BOARD), (*BOARD[1:], BOARD[0])).doubt() > 0.05, "no camera sees it turned by 90°"


@pytest.mark.parametrize("bend", [-0.1, -0.03, 0.08])
def test_places_along_the_edges_tell_how_a_lens_bends(bend: float) -> None:
    corners = spots(BOARD, bend)
    near, far = spots([(15, 0), (14, 22)], bend)
    assert off(plane_view(SIZE, corners, BOARD), bend) > 0.08, "without them the middle is off"
    view = plane_view(SIZE, corners, BOARD, [(0, near), (2, far)])
    assert view.bend == pytest.approx(bend, abs=1e-5)
    assert off(view, bend) < 1e-4
    assert view.seen(INNER) == pytest.approx(shot(INNER, bend), abs=0.01)
    assert view.eye() == pytest.approx(tuple(EYE), abs=0.01)


@pytest.mark.parametrize(
    "corners",
    [
        [(0, 0), (100, 100), (200, 200), (300, 300)],
        [(0, 0), (1000, 0), (0, 800), (1000, 800)],
        [(5, 5)] * 4,
    ],
)
def test_corners_that_enclose_nothing_are_refused(corners: list[tuple[float, float]]) -> None:
    with pytest.raises(NoView, match="click them in turn"):
        plane_view(SIZE, corners, BOARD)


def test_beyond_the_horizon_there_is_nothing_of_the_floor() -> None:
    view = plane_view(SIZE, spots(BOARD), BOARD)
    high = view.found([(800, -3000)])[0]
    assert not np.isfinite(high).all() or high[1] < 0


def test_three_places_give_a_circle_and_a_radius_its_middle() -> None:
    around = [(3 + 2 * math.cos(a), 1 + 2 * math.sin(a)) for a in (0.3, 2.0, 4.4)]
    found = circle_through(*around)
    assert found is not None
    assert found[0] == pytest.approx((3, 1))
    assert found[1] == pytest.approx(2)
    assert circle_through((0, 0), (1, 1), (2, 2)) is None
    assert circle_of_radius(around, 2.0, (2.5, 1.5)) == pytest.approx((3, 1))
    shaken = [(x + 0.01, y) for x, y in around]
    assert circle_of_radius(shaken, 2.0, found[0]) == pytest.approx((3.01, 1), abs=1e-6)
