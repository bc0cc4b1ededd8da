"""Points of parts on lines: from where they are measured, and that what is said of one is true of it."""

from __future__ import annotations

import math

import pytest
from sight_scenes import R32, block, op, table

from ktsim.sight.distances import BASE_MIDDLE
from ktsim.sight.ruling import Ruling, ruling
from ktsim.sight.scene import Hatchway, WallLine


@pytest.mark.rule("SIGHT-10", "SIGHT-13", "SIGHT-15", "KT24-COVER")
@pytest.mark.parametrize(("gap", "in_cover"), [(0.9999, True), (1.0001, False)])
def test_the_inch_is_measured_where_lines_run(gap: float, in_cover: bool) -> None:
    """A bar that hangs a little over the floor is crossed within an inch, and seen within the same inch: measured from
    the floor its nearest point would be farther off than that."""
    east = 16 - R32 - gap
    bar = block("bar", "light", (east - 0.2, 9, 0.03), (east, 13, 0.5))
    assert math.hypot(0.9999, 0.03) > 1
    assert ruling(table(op("a", 6, 11), op("b", 16, 11), features=[bar]), "a", "b").in_cover == in_cover


@pytest.mark.rule("SIGHT-10", "SIGHT-13", "SIGHT-15", "KT24-COVER")
@pytest.mark.parametrize(("foot", "in_cover"), [(0.385, True), (0.45, False)])
def test_between_levels_it_is_the_same_inch(foot: float, in_cover: bool) -> None:
    """From above, lines meet a high sheet 0.93 inches before the target: its foot is within the inch of the base's
    middle, where lines end, and not within one of the floor."""
    assert math.hypot(0.93, 0.385 - BASE_MIDDLE) < 1 < math.hypot(0.93, 0.385)
    east = 16 - R32 - 0.93
    sheet = block("sheet", "light", (east - 0.01, 9, foot), (east, 13, 2))
    floor = block("floor", "vantage", (4, 9, 2.8), (7, 13, 3))
    found = ruling(table(op("a", 6, 11, 3), op("b", 16, 11), features=[sheet, floor]), "a", "b", origin=(6.6, 11))
    assert found.in_cover == in_cover
    for crossing in found.cover:
        assert crossing.to_target <= 1


def _beside_a_hatch(end: float, shooter: tuple[float, float], target: tuple[float, float]) -> Ruling:
    walls = [
        WallLine("h1", (14.0, 10.0), (14.0, 13.0), hatchway=Hatchway(1.6, hinge="end", swing="right")),
        WallLine("w2", (end, 10.7), (end, 14.0)),
    ]
    return ruling(table(op("a", *shooter), op("b", *target), walls=walls, states={"h1": "open"}), "a", "b")


@pytest.mark.rule("SIGHT-12", "SIGHT-13", "SIGHT-17", "KZ-WALL-ENDS")
@pytest.mark.parametrize(
    ("end", "shooter", "target"),
    [(15.638, (14.589, 13.71), (15.427, 9.079)), (16.115, (14.386, 13.819), (12.89, 9.564))],
)
def test_a_crossing_names_a_point_of_the_part(
    end: float, shooter: tuple[float, float], target: tuple[float, float]
) -> None:
    """A line that only brushes a part runs beside it, where ways around walls may be others: what is named is the point
    of the part, and how far that is."""
    found = _beside_a_hatch(end, shooter, target)
    named = 0
    for region in found.regions:
        for zone, codes in (("cover", region.outcome.cover), ("obscured", region.outcome.obscuring)):
            for code in codes:
                crossing = found.judge.fan.crossing(code, region.origin)
                named += 1
                if zone == "cover":
                    assert crossing.to_target <= 1 + 1e-5
                else:
                    assert min(crossing.to_target, crossing.to_shooter) > 1 - 1e-5
    assert named
