"""Straight moving among terrain: doorways are passed, walls beside them are not."""

from __future__ import annotations

import pytest
from engine_help import at
from ground_help import Ground, hall, part, terrain

from ktsim.rules.engine.table import MoveRequest, MoveVerdict

EAST, NORTH = at(17, 11), 1.6


def walk(ground: Ground, *path: tuple[int, int, int], allowance: int = 6) -> MoveVerdict:
    battle = ground.walked().ready
    return battle.table.mover.judge(battle.table, battle.state, MoveRequest("a", "Reposition", allowance), path)


def someone(y: float = 11, base: float = 25) -> Ground:
    return Ground(on=hall()).add("a", "red", (13, y), base=base).open_hatch()


@pytest.mark.rule("KT24-MOVE-6", "KZ-HATCH-OPEN")
def test_an_open_access_point_is_passed_for_an_inch_more() -> None:
    verdict = walk(someone(), EAST)
    assert verdict.refusal is None
    assert verdict.cost == 5
    assert walk(someone(), EAST, allowance=4).refusal == 'Reposition: 5" is more than the 4" allowed.'
    assert walk(someone(), at(13, 15)).cost == 4  # along the wall nothing is passed


@pytest.mark.rule("KT24-MOVE-6")
def test_a_closed_one_and_the_wall_beside_it_are_in_the_way() -> None:
    shut = someone()
    shut.state.terrain["hatch"] = "closed"
    assert walk(shut, EAST).refusal == "Leg 1: hatch is in the way."
    assert walk(someone(11 + NORTH), at(17, 11 + NORTH)).refusal == "Leg 1: hatch is in the way."


@pytest.mark.rule("KT24-MOVE-6a")
def test_no_increment_ends_in_it() -> None:
    assert walk(someone(), at(15, 11), EAST).refusal == "Leg 1: hatch is in the way."
    assert walk(someone(), at(14.2, 11), EAST).refusal is None


RUIN = (
    part("ruin", "wall", (14.8, 5, 0), (15.2, 17, 3), "heavy", kind="wall"),
    part("ruin", "door", (14.9, 10.4, 0), (15.1, 11.6, 2), "heavy", "accessible", kind="door"),
)


@pytest.mark.rule("KT24-MOVE-6")
@pytest.mark.parametrize(("aside", "passes"), [(0.0, True), (0.55, True), (0.65, False), (-0.55, True), (-0.65, False)])
def test_only_the_centre_has_to_pass(aside: float, passes: bool) -> None:
    """The door is 1.2" wide, the base nearly 2"."""
    wide = Ground(on=terrain(*RUIN)).add("a", "red", (17, 11 + aside), base=50)
    assert walk(wide, at(13, 11 + aside)).refusal == (None if passes else "Leg 1: ruin is in the way.")
    assert walk(wide, at(15.2 + 0.7, 11 + aside)).refusal == "Leg 1: ruin is in the way."  # it would stand in it


@pytest.mark.rule("KT24-MOVE-6")
def test_beyond_the_doorway_the_whole_base_counts_again() -> None:
    post = part("ruin", "post", (13, 11.9, 0), (13.4, 12.3, 3), "heavy", kind="wall")
    for parts, why in ((RUIN, None), ((*RUIN, post), "Leg 1: ruin is in the way.")):
        wide = Ground(on=terrain(*parts)).add("a", "red", (17, 11), base=50)
        assert walk(wide, at(12, 11)).refusal == why
