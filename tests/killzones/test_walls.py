"""Walls from lines: where they are, what a hatchway is open and closed, how corners are filled."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ktsim.errors import UserError
from ktsim.geometry.solids import is_closed, welded
from ktsim.killzones.walls import wall_features
from ktsim.sight.scene import Feature, Hatchway, Part, WallLine


def bounds(part: Part) -> tuple[list[float], list[float]]:
    points = part.triangles.reshape(-1, 3)
    return points.min(axis=0).round(6).tolist(), points.max(axis=0).round(6).tolist()


def parts(feature: Feature, state: str | None = None) -> dict[str, Part]:
    return {part.name: part for part in feature.parts_in(state)}


def only(line: WallLine) -> Feature:
    (feature,) = wall_features([line])
    return feature


@pytest.mark.rule("KZ-WALL")
def test_a_plain_wall() -> None:
    feature = only(WallLine("w", (10, 2), (10, 6)))
    assert (feature.id, feature.kind, feature.initial, dict(feature.states)) == ("w", "wall", None, {})
    (wall,) = feature.parts
    assert wall.key == "w/wall"
    assert wall.traits == {"heavy", "wall"}
    assert bounds(wall) == ([9.8, 2, 0], [10.2, 6, 2.75])


HATCHWAY = WallLine("h", (10, 10), (10, 13), hatchway=Hatchway(1.6, "start", "left"))


@pytest.mark.rule("KZ-HATCH-CLOSED")
def test_a_closed_hatchway_is_wall_all_along() -> None:
    feature = only(HATCHWAY)
    assert feature.initial == "closed"
    found = parts(feature)
    assert set(found) == {"wall", "access", "hatch"}
    assert all(part.traits == {"heavy", "wall"} for part in found.values())
    # Access point 1.6 of 3", in the middle; the leaf 1.5" x 2" in the middle of it, 0.15" above the floor.
    assert bounds(found["access"]) == ([9.8, 10.7, 0], [10.2, 12.3, 2.2])
    assert bounds(found["hatch"]) == ([9.925, 10.75, 0.15], [10.075, 12.25, 2.15])
    whole = 0.4 * 3 * 2.75
    assert welded(found["wall"].triangles).volume + welded(found["access"].triangles).volume == pytest.approx(whole)


@pytest.mark.rule("KZ-HATCH-OPEN")
def test_an_open_hatchway_has_a_leaf_beside_it_and_a_gap_below_the_leaf() -> None:
    found = parts(only(HATCHWAY), "open")
    assert set(found) == {"wall", "access", "hatch", "gap"}
    assert found["access"].traits == {"accessible", "insignificant", "exposed"}
    assert found["hatch"].traits == {"heavy", "wall"}
    assert found["gap"].traits == {"blocking"}
    assert bounds(found["access"]) == ([9.8, 10.7, 0], [10.2, 12.3, 2.2])
    # Left of a line that runs in +y is -x; the hinge at its start is the lower side.
    assert bounds(found["hatch"]) == ([8.3, 10.55, 0.15], [9.8, 10.7, 2.15])
    assert bounds(found["gap"]) == ([8.3, 10.55, 0], [9.8, 10.7, 0.15])


@pytest.mark.rule("SIGHT-2")
@pytest.mark.parametrize(
    ("hinge", "swing", "low", "high"),
    [
        ("start", "left", (8.3, 10.55), (9.8, 10.7)),
        ("start", "right", (10.2, 10.55), (11.7, 10.7)),
        ("end", "left", (8.3, 12.3), (9.8, 12.45)),
        ("end", "right", (10.2, 12.3), (11.7, 12.45)),
    ],
)
def test_hinge_and_swing(hinge: str, swing: str, low: tuple[float, float], high: tuple[float, float]) -> None:
    line = WallLine("h", (10, 10), (10, 13), hatchway=Hatchway(1.6, hinge, swing))  # type: ignore[arg-type]
    leaf = parts(only(line), "open")["hatch"]
    assert bounds(leaf) == ([*low, 0.15], [*high, 2.15])


def test_a_lintel_only_where_the_wall_is_higher() -> None:
    low = only(WallLine("h", (0, 0), (3, 0), height=2.2, hatchway=Hatchway()))
    assert welded(parts(low)["wall"].triangles).volume == pytest.approx(1.4 * 0.4 * 2.2)
    lower = only(WallLine("h", (0, 0), (3, 0), height=1.0, hatchway=Hatchway()))
    for state in ("closed", "open"):
        for part in parts(lower, state).values():
            assert part.top <= 1.0
            assert is_closed(part.triangles)


def test_a_hatchway_as_wide_as_its_line_has_only_a_lintel() -> None:
    whole = only(WallLine("h", (0, 0), (1.6, 0), hatchway=Hatchway()))
    assert bounds(parts(whole)["wall"])[0][2] == 2.2
    without = only(WallLine("h", (0, 0), (1.6, 0), height=2.0, hatchway=Hatchway()))
    assert set(parts(without)) == {"access", "hatch"}


def test_corners_are_filled_joints_overlap_and_ends_are_not_lengthened() -> None:
    a = WallLine("a", (0, 0), (5, 0))
    b = WallLine("b", (5, 0), (5, 5))
    c = WallLine("c", (5, 5), (5, 9))
    found = {feature.id: bounds(feature.parts[0]) for feature in wall_features([a, b, c])}
    assert found["a"] == ([0, -0.2, 0], [5.2, 0.2, 2.75])
    assert found["b"] == ([4.8, -0.2, 0], [5.2, 5.2, 2.75])
    assert found["c"] == ([4.8, 4.8, 0], [5.2, 9, 2.75])


def test_a_wall_that_another_continues_is_not_lengthened_at_a_crossing() -> None:
    through = [WallLine("a", (0, 0), (5, 0)), WallLine("b", (5, 0), (9, 0), hatchway=Hatchway(4.0))]
    branch = WallLine("c", (5, 0), (5, 4))
    found = {feature.id: feature for feature in wall_features([*through, branch])}
    assert bounds(found["a"].parts[0])[1][0] == 5, "would narrow the hatchway next to it"
    assert bounds(found["c"].parts[0])[0][1] == -0.2


@given(
    st.floats(-20, 20),
    st.floats(-20, 20),
    st.floats(0, 6.3),
    st.floats(1.7, 12),
    st.floats(0.1, 1),
    st.floats(0.5, 6),
)
def test_every_part_is_closed_and_outward(
    x: float, y: float, angle: float, length: float, thickness: float, height: float
) -> None:
    end = (x + length * np.cos(angle), y + length * np.sin(angle))
    feature = only(WallLine("h", (x, y), end, thickness, height, Hatchway()))
    for state in ("closed", "open"):
        for part in feature.parts_in(state):
            assert is_closed(part.triangles)
            assert welded(part.triangles).volume > 0


def test_lines_that_cannot_be_walls() -> None:
    with pytest.raises(UserError) as caught:
        wall_features(
            [
                WallLine("dot", (1, 1), (1, 1)),
                WallLine("fine", (0, 0), (2, 0)),
                WallLine("wide", (0, 0), (0, 1), hatchway=Hatchway(1.6)),
            ]
        )
    first, second = map(str, caught.value.problems)
    assert first.startswith("wall dot: the wall 'dot' starts and ends at the same point")
    assert 'is 1.6" wide and its line only 1" long' in second
