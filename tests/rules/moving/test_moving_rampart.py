"""Jumping off over a rampart before and after the correction (KT24-MOVE-5, KT24-DATED)."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tables import PLATFORM, costs, move, part, refused, scene

from ktsim.rules.moving.ground import ground_of
from ktsim.rules.moving.reach import reach
from ktsim.rules.moving.walk import REPOSITION, LegalPath, MoveAction, Refusal, Walker
from ktsim.sight.dates import JUMP_FROM_VANTAGE
from ktsim.sight.scene import RULES_DATES, Part, Scene

RAMPART = part("block", "rampart", (15.75, 5, 3), (16, 11, 3.7), "light")
TOP = (15, 8, 3.7)
OLD, NEW = RULES_DATES


def tables(*parts: Part) -> tuple[Scene, Scene]:
    """The Vantage with its rampart, at 3 inches, as of each date."""
    old = scene(PLATFORM, RAMPART, *parts, at=(15, 8, 3))
    return old, replace(old, rules_as_of=NEW)


def far(top: float) -> Part:
    return part("other", "floor", (19.5, 5, 0), (24, 11, top), "vantage", "heavy")


def jump(where: Scene, *then: tuple[float, ...], action: MoveAction = REPOSITION) -> LegalPath | Refusal:
    """Up the rampart, and off it to 20 at the height the jump has as of the scene's date, and on."""
    start = 3 if JUMP_FROM_VANTAGE.holds(where.rules_as_of) else 3.7
    return move(where, TOP, (20, 8, start), *then, action=action, allowance=20)


@pytest.mark.rule("KT24-DATED", "KT24-MOVE-5")
def test_the_rampart_is_climbed_and_paid_for_either_way() -> None:
    old, new = tables(far(3))
    assert costs(jump(old, (20, 8, 3))) == [2, 5, 0]
    found = jump(new)
    assert costs(found) == [2, 5]
    assert isinstance(found, LegalPath)
    assert [leg.kind for leg in found.legs] == ["climb", "jump"]
    for where in (old, new):
        refused(move(where, (20, 8, 3)), "KT24-MOVE-2", leg=1, thing="block/rampart")


@pytest.mark.rule("KT24-DATED", "KT24-MOVE-5")
def test_each_date_has_its_own_height_of_the_jump() -> None:
    old, new = tables(far(3))
    refused(move(old, TOP, (20, 8, 3)), "KT24-MOVE-1", leg=2)
    refused(move(new, TOP, (20, 8, 3.7), (20, 8, 3)), "KT24-MOVE-5", leg=2)
    refused(move(new, TOP, (20, 8, 2.9)), "KT24-MOVE-1", leg=2)


@pytest.mark.rule("KT24-DATED", "KT24-MOVE-5")
@pytest.mark.parametrize(
    ("top", "as_of_old", "as_of_new"), [(4.0, True, True), (4.1, True, False), (4.8, False, False)]
)
def test_the_inch_ignored_at_the_landing_counts_from_where_the_jump_starts(
    top: float, as_of_old: bool, as_of_new: bool
) -> None:
    for where, lands in zip(tables(far(top)), (as_of_old, as_of_new), strict=True):
        found = jump(where, (20, 8, top))
        assert isinstance(found, LegalPath) == lands
        if lands:
            assert costs(found) == [2, 5, 0]


@pytest.mark.rule("KT24-DATED", "KT24-MOVE-5")
def test_the_drop_after_it_counts_from_where_the_jump_starts() -> None:
    old, new = tables()
    assert costs(jump(old, (20, 8, 0))) == [2, 5, 2], '3.7" of which 2" are free'
    assert costs(jump(new, (20, 8, 0))) == [2, 5, 1], '3" of which 2" are free'
    beside = move(new, TOP, (16.9, 8, 3.7), (16.9, 8, 0), allowance=20)
    assert costs(beside) == [2, 2, 2], "climbing over and dropping beside it is no jump"
    refused(move(new, TOP, (16.9, 8, 3.7), (17.9, 8, 3.7)), "KT24-MOVE-5", leg=3)


@pytest.mark.rule("KT24-DATED", "KT24-MOVE-5")
def test_what_is_in_the_way_is_met_at_the_height_of_the_jump() -> None:
    old, new = tables(part("fence", "board", (17.5, 5, 0), (17.6, 11, 3.5), "heavy"))
    assert costs(jump(old, (20, 8, 0))) == [2, 5, 2]
    refused(jump(new, (20, 8, 0)), "KT24-MOVE-5", leg=3)
    high = tables(part("fence", "board", (17.5, 5, 0), (17.6, 11, 4.8), "heavy"))
    for where in high:
        refused(jump(where, (20, 8, 0)), "KT24-MOVE-2", leg=2, thing="fence/board")


@pytest.mark.rule("KT24-DATED", "KT24-MOVE-5")
def test_the_corrected_jump_keeps_the_limits_of_a_jump() -> None:
    _, new = tables()
    assert costs(move(new, TOP, (20, 8, 3), (20, 8, 0), allowance=20)) == [2, 5, 1]
    refused(move(new, TOP, (20.1, 8, 3), (20.1, 8, 0), allowance=20), "KT24-MOVE-5", leg=2)
    refused(jump(new, (20, 8, 0), action=replace(REPOSITION, can_jump=False)), "KT24-REPOSITION", leg=2)
    refused(move(new, TOP, (14.5, 8, 3)), "KT24-MOVE-5", leg=2)
    low = part("block", "floor", (10, 5, 0), (16, 11, 2), "vantage", "heavy")
    wall = part("block", "rampart", (15.75, 5, 2), (16, 11, 2.7), "light")
    where = replace(scene(low, wall, at=(15, 8, 2)), rules_as_of=NEW)
    refused(move(where, (15, 8, 2.7), (20, 8, 2), (20, 8, 0), allowance=20), "KT24-MOVE-5", leg=2)


@pytest.mark.rule("KT24-DATED")
def test_what_was_planned_as_of_one_date_is_not_taken_for_the_other() -> None:
    old, new = tables()
    one, two = (reach(ground_of(where), Walker.of(where, "a"), 2, REPOSITION) for where in (old, new))
    assert (one.mover.scene.rules_as_of, two.mover.scene.rules_as_of) == (OLD, NEW)
