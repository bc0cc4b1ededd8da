"""What hides a base from directly above (KT21-W-BARRAGE), by hand."""

from __future__ import annotations

import pytest
from sight_scenes import R32, block, op, table

from ktsim.sight.distances import is_under_terrain
from ktsim.sight.scene import Base


@pytest.mark.rule("KT21-W-BARRAGE")
@pytest.mark.parametrize(("gap", "hidden"), [(-0.01, True), (0.0, False), (0.01, False)])
def test_any_part_of_the_base_is_enough(gap: float, hidden: bool) -> None:
    roof = block("roof", "light", (5 + R32 + gap, 9, 2), (9, 13, 2.2))
    assert is_under_terrain(table(op("a", 5, 11), features=[roof]), "a") == hidden


@pytest.mark.rule("KT21-W-BARRAGE")
def test_what_is_below_or_beside_does_not_hide() -> None:
    floor = block("floor", "vantage", (3, 9, 0), (7, 13, 2))
    assert not is_under_terrain(table(op("a", 5, 11, 2), features=[floor]), "a"), "it stands on it"
    wall = block("wall", "heavy", (5 + R32, 9, 0), (6.5, 13, 4))
    assert not is_under_terrain(table(op("a", 5, 11), features=[wall]), "a"), "it touches it"
    air = block("gap", "blocking", (4, 10, 1), (6, 12, 2))
    assert not is_under_terrain(table(op("a", 5, 11), features=[air]), "a"), "nothing is there"


@pytest.mark.rule("KT21-W-BARRAGE")
def test_oval_bases_as_they_are_turned() -> None:
    oval = Base.of_mm(60, 35)
    roof = block("roof", "light", (5 + 1.0, 9, 2), (9, 13, 2.2))
    assert is_under_terrain(table(op("a", 5, 11, base=oval), features=[roof]), "a"), "1.18 inches along"
    assert not is_under_terrain(table(op("a", 5, 11, base=oval, turn=90), features=[roof]), "a"), "0.69 across"


@pytest.mark.rule("KT21-W-BARRAGE")
def test_a_roof_over_all_of_it_hides_it() -> None:
    roof = block("roof", "light", (2, 8, 2), (8, 14, 2.2))
    assert is_under_terrain(table(op("a", 5, 11), features=[roof]), "a")
