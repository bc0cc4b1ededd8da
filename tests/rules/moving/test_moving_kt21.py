"""Moving in the 2021 edition (KT21-MOVE, KT21-TERRAIN), behind the same check."""

from __future__ import annotations

import pytest
from lattice_oracle import BrutePlan, differences
from tables import PLATFORM, R, costs, move, operative, part, refused, scene

from ktsim.rules.moving.ground import ground_of
from ktsim.rules.moving.reach import reach
from ktsim.rules.moving.walk import CHARGE_21, NORMAL_MOVE_21, REPOSITION, LegalPath, Refusal, Walker
from ktsim.sight.scene import Part


@pytest.mark.rule("KT21-TERRAIN")
def test_a_traversable_part_is_crossed_for_two_inches_in_all() -> None:
    bar = part("barricade", "bar", (8, 7, 0), (8.3, 9, 1), "light", "traversable")
    assert costs(move(scene(bar, at=(6, 8, 0)), (10, 8, 0), action=NORMAL_MOVE_21)) == [6]
    refused(move(scene(bar, at=(6, 8, 0)), (10, 8, 0)), "KT24-MOVE-2", thing="barricade/bar")
    plain = part("barricade", "bar", (8, 7, 0), (8.3, 9, 1), "light")
    refused(move(scene(plain, at=(6, 8, 0)), (10, 8, 0), action=NORMAL_MOVE_21), "KT21-MOVE")


def wall(feature: str, x: float) -> Part:
    """Traversable from edge to edge of the board, and too tall for a climb to be cheaper."""
    return part(feature, "bar", (x, 0, 0), (x + 0.3, 22, 2.5), "light", "traversable")


@pytest.mark.rule("KT21-TERRAIN")
def test_each_traversable_part_is_paid_for() -> None:
    apart = scene(wall("one", 7), wall("two", 10), at=(5.5, 8, 0))
    assert costs(move(apart, (11.5, 8, 0), action=NORMAL_MOVE_21, allowance=10)) == [10]
    assert costs(move(apart, (8.5, 8, 0), (11.5, 8, 0), action=NORMAL_MOVE_21, allowance=10)) == [5, 5]
    refused(move(apart, (11.5, 8, 0), action=NORMAL_MOVE_21), "KT21-MOVE")
    close = scene(wall("one", 7), wall("two", 7.7), at=(6, 8, 0))
    assert costs(move(close, (9, 8, 0), action=NORMAL_MOVE_21)) == [7], "with no room to stop in between"
    for table, end, least in ((apart, 11.5, 10), (close, 9, 7)):
        planned = reach(ground_of(table), Walker.of(table, "a"), least, NORMAL_MOVE_21).route(end, 8, 0)
        assert isinstance(planned, LegalPath)
        assert planned.total == least
        short = reach(ground_of(table), Walker.of(table, "a"), least - 1, NORMAL_MOVE_21).route(end, 8, 0)
        assert isinstance(short, Refusal)


@pytest.mark.rule("KT21-TERRAIN")
@pytest.mark.rule("KT24-MOVE-6a")
def test_maps_with_surcharges_are_those_of_a_search_without_short_cuts() -> None:
    """Two barricades side by side, one across, and razor wire: each leg's surcharges counted give the same."""
    bars = (
        part("one", "bar", (7, 6, 0), (7.2, 10, 2.5), "light", "traversable"),
        part("two", "bar", (7.9, 6.5, 0), (8.1, 9, 2.5), "light", "traversable"),
        part("three", "bar", (5, 9.6, 0), (7, 9.8, 2.5), "light", "traversable"),
        part("wire", "coil", (6.5, 4.6, 0), (6.7, 5.4, 0.5), "exposed", kind="wire"),
    )
    for at, action in (((6.2, 7.7, 0), NORMAL_MOVE_21), ((6.2, 7.2, 0), REPOSITION)):
        table = scene(*bars, at=at)
        ground, mover = ground_of(table), Walker.of(table, "a")
        found = reach(ground, mover, 5, action)
        brute = BrutePlan(ground, mover, 5, action)
        ends = found.plan.chart.mask("ends", 0.0) & found.plan.rings.ends(0.0)
        ours, theirs = differences(found.plan, brute, ends, 0.0)
        assert len(ours) > 1000
        assert (ours == theirs).mean() > 0.999, (int((ours > theirs).sum()), int((ours < theirs).sum()))
        assert not (ours < theirs).any(), "never cheaper than what is legal"
        for place, cost in list(found.places())[::9]:
            walk = found.find(*place[:3])
            assert walk is not None
            assert walk.total <= cost, place


@pytest.mark.rule("KT21-TERRAIN")
def test_the_planner_traverses_where_that_is_cheapest() -> None:
    bar = part("barricade", "bar", (8, 0, 0), (8.3, 22, 1), "light", "traversable")
    table = scene(bar, at=(6, 8, 0))
    found = reach(ground_of(table), Walker.of(table, "a"), 6, NORMAL_MOVE_21)
    walk = found.route(10, 8, 0)
    assert isinstance(walk, LegalPath)
    assert (walk.total, len(walk.legs)) == (6, 1)
    assert any("traverses barricade/bar" in note for note in walk.legs[0].notes)
    for place, cost in found.places():
        if place.x > 8.3:
            there = found.find(place.x, place.y, place.level)
            assert there is not None
            assert there.total <= cost
    short = reach(ground_of(table), Walker.of(table, "a"), 5, NORMAL_MOVE_21).route(10, 8, 0)
    assert isinstance(short, Refusal)
    # around its end where that is no longer
    open_end = scene(part("barricade", "bar", (8, 0, 0), (8.3, 8.1 - R, 1), "light", "traversable"), at=(6, 8, 0))
    around = reach(ground_of(open_end), Walker.of(open_end, "a"), 6, NORMAL_MOVE_21).route(10, 8, 0)
    assert isinstance(around, LegalPath)
    assert around.total == 5
    plain = scene(part("barricade", "bar", (8, 0, 0), (8.3, 22, 1), "light"), at=(6, 8, 0))
    over = reach(ground_of(plain), Walker.of(plain, "a"), 6, NORMAL_MOVE_21).route(10, 8, 0)
    assert isinstance(over, LegalPath)
    assert not any("traverses" in note for leg in over.legs for note in leg.notes)


@pytest.mark.rule("KT21-TERRAIN")
def test_a_climb_is_rounded_up_to_twos() -> None:
    for high, cost in ((0.5, 2), (1.9, 2), (2.0, 2), (2.1, 4), (3.0, 4), (4.0, 4), (4.1, 6)):
        ledge = part("block", "floor", (10, 5, 0), (16, 11, high), "vantage", "heavy")
        table = scene(ledge, at=(9.3, 8, 0))
        assert costs(move(table, (9.3, 8, high), (10.3, 8, high), action=NORMAL_MOVE_21)) == [cost, 1], high
        planned = reach(ground_of(table), Walker.of(table, "a"), 7, NORMAL_MOVE_21).route(10.25, 8, high)
        assert isinstance(planned, LegalPath)
        assert planned.total == cost + 1
    assert costs(move(scene(PLATFORM, at=(9.3, 8, 0)), (9.3, 8, 3), (10.3, 8, 3))) == [3, 1], "2024"


@pytest.mark.rule("KT21-TERRAIN")
def test_up_a_scalable_part_the_last_increment_under_two_inches_is_free() -> None:
    for high, cost in ((0.5, 0), (1.9, 0), (2.0, 2), (2.1, 2), (3.0, 2), (4.0, 4), (4.1, 4)):
        ledge = part("block", "floor", (10, 5, 0), (16, 11, high), "vantage", "heavy", "scalable")
        table = scene(ledge, at=(9.3, 8, 0))
        assert costs(move(table, (9.3, 8, high), (10.3, 8, high), action=NORMAL_MOVE_21)) == [cost, 1], high
        planned = reach(ground_of(table), Walker.of(table, "a"), 7, NORMAL_MOVE_21).route(10.25, 8, high)
        assert isinstance(planned, LegalPath)
        assert planned.total == cost + 1
    scalable = part("block", "floor", (10, 5, 0), (16, 11, 3), "vantage", "heavy", "scalable")
    assert costs(move(scene(scalable, at=(9.3, 8, 0)), (9.3, 8, 3), (10.3, 8, 3))) == [3, 1], "2024"
    # a Scalable part that is further away, and one that the climb does not end at, are none
    foot = part("block", "foot", (9.95, 5, 0), (10, 11, 1.5), "heavy", "scalable")
    table = scene(PLATFORM, foot, at=(9.3, 8, 0))
    assert costs(move(table, (9.3, 8, 3), (10.3, 8, 3), action=NORMAL_MOVE_21)) == [4, 1]
    ladder = part("block", "rungs", (9.9, 8.2 + 1 + R, 0), (10, 11, 3), "heavy", "scalable")
    for y, cost in ((8.15, 4), (8.6, 2)):
        table = scene(PLATFORM, ladder, at=(9.3, y, 0))
        assert costs(move(table, (9.3, y, 3), (10.3, y, 3), action=NORMAL_MOVE_21)) == [cost, 1]


@pytest.mark.rule("KT21-MOVE")
def test_every_increment_takes_whole_inches() -> None:
    assert costs(move(scene(at=(5, 8, 0)), (6.2, 8, 0), (7.0, 8, 0), action=NORMAL_MOVE_21)) == [2, 1]
    assert costs(move(scene(at=(5, 8, 0)), (6, 8, 0), (7, 8, 0), action=NORMAL_MOVE_21)) == [1, 1]


@pytest.mark.rule("KT21-TERRAIN")
def test_a_drop_is_rounded_down_to_two_inches_and_six_at_most() -> None:
    for high, cost in ((1.9, 0), (2.0, 2), (2.1, 2), (3.0, 2), (4.0, 4), (6.0, 6)):
        ledge = part("block", "floor", (10, 5, 0), (16, 11, high), "vantage", "heavy")
        table = scene(ledge, at=(10.2, 8, high))
        found = move(table, (9.2, 8, high), (9.2, 8, 0), action=NORMAL_MOVE_21)
        assert costs(found) == [1, cost], high
        assert isinstance(found, LegalPath)
        assert ([leg.kind for leg in found.legs], found.tests) == (["move", "drop"], ())
        planned = reach(ground_of(table), Walker.of(table, "a"), 7, NORMAL_MOVE_21).route(9.25, 8, 0)
        assert isinstance(planned, LegalPath)
        assert planned.total == 1 + cost
    ledge = part("block", "floor", (10, 5, 0), (16, 11, 6.1), "vantage", "heavy")
    table = scene(ledge, at=(10.2, 8, 6.1))
    refused(move(table, (9.2, 8, 6.1), (9.2, 8, 0), action=NORMAL_MOVE_21), "KT21-TERRAIN", leg=2)


@pytest.mark.rule("KT21-TERRAIN")
def test_a_jump_of_three_inches_needs_a_two() -> None:
    near = part("other", "floor", (18.8, 5, 0), (24, 11, 3), "vantage", "heavy")
    found = move(scene(PLATFORM, near, at=(15.9, 8, 3)), (18.9, 8, 3), action=NORMAL_MOVE_21)
    assert isinstance(found, LegalPath)
    assert found.tests == (2,)
    far = part("other", "floor", (19.2, 5, 0), (24, 11, 3), "vantage", "heavy")
    refused(move(scene(PLATFORM, far, at=(15.9, 8, 3)), (19.3, 8, 3), action=NORMAL_MOVE_21), "KT21-TERRAIN")


@pytest.mark.rule("KT21-TERRAIN")
def test_a_jump_over_a_narrow_gap_needs_its_die_too() -> None:
    """Half an inch away and 2 inches higher: no free climb, but a jump on a 2 or more."""
    low = part("low", "floor", (8, 4, 0), (14, 12, 3), "vantage", "heavy")
    high = part("high", "floor", (14.5, 4, 0), (20, 12, 5), "vantage", "heavy")
    table = scene(low, high, at=(13.3, 8, 3))
    found = move(table, (14.7, 8, 3), (14.7, 8, 5), action=NORMAL_MOVE_21)
    assert costs(found) == [2, 0]
    assert isinstance(found, LegalPath)
    assert ([leg.kind for leg in found.legs], found.tests) == (["jump", "land"], (2,))
    planned = reach(ground_of(table), Walker.of(table, "a"), 3, NORMAL_MOVE_21).route(14.75, 8, 5)
    assert isinstance(planned, LegalPath)
    assert planned.tests == (2,)
    higher = part("high", "floor", (14.5, 4, 0), (20, 12, 5.1), "vantage", "heavy")
    refused(move(scene(low, higher, at=(13.3, 8, 3)), (14.7, 8, 3), (14.7, 8, 5.1), action=NORMAL_MOVE_21), "KT21-MOVE")
    # climbed where it stands, it is paid for and no die is needed
    climbed = move(scene(low, high, at=(13.3, 8, 3)), (13.3, 8, 5), (14.7, 8, 5), action=NORMAL_MOVE_21)
    assert costs(climbed) == [2, 2]
    assert isinstance(climbed, LegalPath)
    assert climbed.tests == ()


@pytest.mark.rule("KT21-TERRAIN")
def test_a_jump_is_two_inches_up_or_down_at_most() -> None:
    for high in (1.9, 2.0):
        ledge = part("block", "floor", (10, 5, 0), (16, 11, high), "vantage", "heavy")
        found = move(scene(ledge, at=(15.9, 8, high)), (18.9, 8, high), (18.9, 8, 0), action=NORMAL_MOVE_21)
        assert costs(found) == [3, 0]
        assert isinstance(found, LegalPath)
        assert found.tests == (2,)
    for high in (2.1, 3.0):
        ledge = part("block", "floor", (10, 5, 0), (16, 11, high), "vantage", "heavy")
        table = scene(ledge, at=(15.9, 8, high))
        refused(move(table, (18.9, 8, high), (18.9, 8, 0), action=NORMAL_MOVE_21), "KT21-TERRAIN", leg=2)
        planned = reach(ground_of(table), Walker.of(table, "a"), 5, NORMAL_MOVE_21).route(18.5, 8, 0)
        assert isinstance(planned, LegalPath)
        assert (planned.total, planned.tests) == (5, ())


@pytest.mark.rule("KT21-MOVE")
def test_nobodys_base_is_passed() -> None:
    friend = operative("f", "red", 8, 8)
    table = scene(at=(5, 8, 0), others=(friend,))
    refused(move(table, (11, 8, 0), action=NORMAL_MOVE_21), "KT21-MOVE", thing="f")
    assert costs(move(scene(at=(5, 8 - 2 * R, 0), others=(friend,)), (11, 8 - 2 * R, 0), action=NORMAL_MOVE_21)) == [6]


@pytest.mark.rule("KT21-MOVE")
@pytest.mark.rule("KT21-ENGAGE")
def test_engagement_range() -> None:
    enemy, friend = operative("e", "blue", 10, 8), operative("f", "red", 10, 9.9)
    table = scene(at=(7, 6.5, 0), others=(enemy, friend))
    refused(move(table, (13, 6.5, 0), action=NORMAL_MOVE_21), "KT21-MOVE", thing="e")
    assert costs(move(table, (9.5, 6.5, 0), action=CHARGE_21)) == [3]
    refused(move(table, (13, 6.5, 0), action=CHARGE_21), "KT21-MOVE")
