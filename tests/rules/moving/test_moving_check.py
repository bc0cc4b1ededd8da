"""The exact check of a path (KT24-MOVE-1..7), each rule with the case just outside it."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tables import BARRIER, PLATFORM, R, costs, doorway, move, operative, part, refused, scene

from ktsim.rules.moving.ground import ground_of
from ktsim.rules.moving.standing import can_stand
from ktsim.rules.moving.walk import CHARGE, DASH, FALL_BACK, WITH_BARRICADE, LegalPath, Walker
from ktsim.sight.scene import Area, Base, Hatchway, WallLine

OVAL = Base.of_mm(60, 35)


# -- increments ------------------------------------------------------------------------------------------------


@pytest.mark.rule("KT24-MOVE-1")
def test_each_increment_is_rounded_up() -> None:
    assert costs(move(scene(at=(5, 5, 0)), (7.75, 5, 0))) == [3]
    assert costs(move(scene(at=(5, 5, 0)), (8, 5, 0))) == [3]
    assert costs(move(scene(at=(5, 5, 0)), (8.001, 5, 0))) == [4]
    assert costs(move(scene(at=(5, 5, 0)), (6.2, 5, 0), (7.4, 5, 0))) == [2, 2]


@pytest.mark.rule("KT24-MOVE-1")
def test_the_sum_is_at_most_the_allowance() -> None:
    assert costs(move(scene(at=(5, 5, 0)), (8, 5, 0), (8, 8, 0), allowance=6)) == [3, 3]
    refused(move(scene(at=(5, 5, 0)), (8, 5, 0), (8, 8.01, 0), allowance=6), "KT24-MOVE-1", leg=2)


@pytest.mark.rule("KT24-MOVE-1")
def test_an_increment_is_straight() -> None:
    refused(move(scene(PLATFORM, at=(9, 8, 0)), (11, 8, 3)), "KT24-MOVE-1", leg=1)


@pytest.mark.rule("KT24-MOVE-1")
def test_around_a_corner_in_two_legs() -> None:
    corner = part("hut", "wall", (10, 0, 0), (12, 8, 5), "heavy")
    refused(move(scene(corner, at=(9, 7, 0)), (13, 7, 0)), "KT24-MOVE-2", leg=1, thing="hut/wall")
    over = 8 + R
    assert costs(move(scene(corner, at=(9, over - 1, 0)), (9, over, 0), (13, over, 0))) == [1, 4]


# -- what stops a base -----------------------------------------------------------------------------------------


@pytest.mark.rule("KT24-MOVE-2")
def test_terrain_stops_the_whole_base() -> None:
    post = part("post", "post", (10, 8, 0), (10.5, 8.5, 4), "heavy")
    assert costs(move(scene(post, at=(8, 8 - R, 0)), (12, 8 - R, 0))) == [4]
    refused(move(scene(post, at=(8, 8 - R + 0.001, 0)), (12, 8 - R + 0.001, 0)), "KT24-MOVE-2", thing="post/post")


@pytest.mark.rule("KT24-MOVE-2")
def test_an_oval_keeps_its_turn_unless_turned_at_a_waypoint() -> None:
    narrow = (
        part("one", "wall", (10, 0, 0), (14, 7, 3), "heavy"),
        part("two", "wall", (10, 8.5, 0), (14, 20, 3), "heavy"),
    )
    along = scene(*narrow, at=(8, 7.75, 0), base=OVAL, turn=0)
    across = scene(*narrow, at=(8, 7.75, 0), base=OVAL, turn=90)
    assert costs(move(along, (15.9, 7.75, 0))) == [8]
    refused(move(across, (15.9, 7.75, 0)), "KT24-MOVE-2")
    # turned where it stands, then through
    assert costs(move(across, (8, 7.75, 0, 0), (15.9, 7.75, 0))) == [0, 8]
    # inside, an oval that is longer than the gap is wide cannot turn back
    refused(move(along, (12, 7.75, 0, 90)), "KT24-MOVE-2")


@pytest.mark.rule("KT24-MOVE-2")
def test_an_oval_is_an_ellipse_and_not_a_box() -> None:
    corner = 8 + 17.5 / 25.4 * math.sin(1.0)
    far = 10 - 30 / 25.4 * math.cos(1.0)
    post = part("post", "post", (10, corner, 0), (11, corner + 1, 3), "heavy")
    assert (
        can_stand(ground_of(scene(post, base=OVAL)), Walker.of(scene(post, base=OVAL), "a"), far - 0.001, 8, 0) is None
    )
    assert (
        can_stand(ground_of(scene(post, base=OVAL)), Walker.of(scene(post, base=OVAL), "a"), far + 0.001, 8, 0)
        is not None
    )


@pytest.mark.rule("KT24-MOVE-2")
def test_the_edge_of_the_board() -> None:
    assert costs(move(scene(at=(3, 8, 0)), (R, 8, 0))) == [3]
    refused(move(scene(at=(3, 8, 0)), (R - 0.001, 8, 0)), "KT24-MOVE-2", thing="board edge")


@pytest.mark.rule("KT24-MOVE-2")
def test_friends_are_passed_and_not_ended_on() -> None:
    friend = operative("f", "red", 8, 8)
    assert costs(move(scene(at=(5, 8, 0), others=(friend,)), (11, 8, 0))) == [6]
    refused(move(scene(at=(5, 8, 0), others=(friend,)), (7, 8, 0)), "KT24-MOVE-2", thing="f")
    assert costs(move(scene(at=(5, 8, 0), others=(friend,)), (8 - 2 * R, 8, 0))) == [2]


@pytest.mark.rule("KT24-MOVE-2")
def test_enemy_bases_are_not_passed() -> None:
    enemy = operative("e", "blue", 8, 8)
    past = scene(at=(5, 8 - 2 * R, 0), others=(enemy,))
    assert costs(move(past, (11, 8 - 2 * R, 0), action=FALL_BACK)) == [6]
    into = scene(at=(5, 8.01 - 2 * R, 0), others=(enemy,))
    refused(move(into, (11, 8.01 - 2 * R, 0), action=FALL_BACK), "KT24-MOVE-2", thing="e")


@pytest.mark.rule("KT24-MOVE-2")
def test_an_oval_passes_an_oval_as_near_as_it_touches() -> None:
    enemy = operative("e", "blue", 8, 8, base=OVAL)
    apart = 35 / 25.4
    near = scene(at=(4, 8 - apart, 0), others=(enemy,), base=OVAL)
    assert costs(move(near, (12, 8 - apart, 0), action=FALL_BACK)) == [8]
    through = scene(at=(4, 8.01 - apart, 0), others=(enemy,), base=OVAL)
    refused(move(through, (12, 8.01 - apart, 0), action=FALL_BACK), "KT24-MOVE-2", thing="e")


@pytest.mark.rule("KT24-MOVE-2")
def test_a_base_stands_where_its_centre_is_supported() -> None:
    table = scene(PLATFORM, at=(11, 8, 3))
    ground, mover = ground_of(table), Walker.of(table, "a")
    assert can_stand(ground, mover, 10.001, 8, 3) is None
    assert can_stand(ground, mover, 9.999, 8, 3) == "the base would not be supported there."
    assert can_stand(ground, mover, 11, 8, 2) is not None
    assert can_stand(ground, mover, 13, 8, 0) is not None, "inside the block"


@pytest.mark.rule("KT24-MOVE-2")
def test_terrain_without_vantage_is_crossed_and_not_stood_on() -> None:
    x = 10 - R - 0.1
    refused(move(scene(BARRIER, at=(x, 8, 0)), (x, 8, 1), (x + 1.3, 8, 1)), "KT24-MOVE-2")


@pytest.mark.rule("KT24-MOVE-2")
def test_a_move_does_not_end_in_the_air() -> None:
    refused(move(scene(PLATFORM, at=(11, 8, 3)), (9, 8, 3)), "KT24-MOVE-2")


# -- climbing --------------------------------------------------------------------------------------------------


@pytest.mark.rule("KT24-MOVE-3")
def test_over_a_wall_with_a_rampart() -> None:
    rampart = part("block", "rampart", (10, 5, 3), (10.25, 11, 4), "light")
    x = 10 - R - 0.05
    table = scene(PLATFORM, rampart, at=(x, 8, 0))
    assert costs(move(table, (x, 8, 4), (x + 2, 8, 4), (x + 2, 8, 3))) == [4, 2, 0]
    refused(move(table, (x, 8, 3), (x + 2, 8, 3)), "KT24-MOVE-2", leg=2, thing="block/rampart")


@pytest.mark.rule("KT24-MOVE-3")
def test_over_a_low_obstacle() -> None:
    x = 10 - R - 0.1
    table = scene(BARRIER, at=(x, 8, 0))
    assert costs(move(table, (x, 8, 1), (x + 3, 8, 1), (x + 3, 8, 0))) == [2, 3, 0]
    refused(move(table, (x, 8, 0.9), (x + 3, 8, 0.9), (x + 3, 8, 0)), "KT24-MOVE-2", leg=2)


@pytest.mark.rule("KT24-MOVE-3")
def test_a_climb_starts_within_an_inch() -> None:
    for far, ok in ((1.0, True), (1.01, False)):
        x = 10 - R - far
        found = move(scene(PLATFORM, at=(x, 8, 0)), (x, 8, 3), (x + 2, 8, 3))
        if ok:
            assert costs(found) == [3, 2]
        else:
            refused(found, "KT24-MOVE-3", leg=1)


@pytest.mark.rule("KT24-MOVE-3")
def test_a_climb_starts_within_three_inches_of_height() -> None:
    for z, ok in ((3.0, True), (3.1, False)):
        shelf = part("shelf", "floor", (10, 5, z), (16, 11, z + 0.2), "vantage")
        x = 10 - R
        found = move(scene(shelf, at=(x, 8, 0)), (x, 8, z + 0.2), (x + 1, 8, z + 0.2))
        if ok:
            assert costs(found) == [4, 1]
        else:
            refused(found, "KT24-MOVE-3", leg=1)


@pytest.mark.rule("KT24-MOVE-3")
def test_a_climb_goes_no_higher_than_its_terrain() -> None:
    x = 10 - R
    refused(move(scene(BARRIER, at=(x, 8, 0)), (x, 8, 2.5)), "KT24-MOVE-3", leg=1, thing="barrier")


@pytest.mark.rule("KT24-MOVE-3")
def test_climbed_terrain_must_be_visible() -> None:
    x = 10 - R - 0.9
    screen = part("screen", "sheet", (x + R + 0.1, 0, 0), (x + R + 0.2, 22, 1.6), "heavy")
    shelf = part("shelf", "floor", (10, 5, 0.5), (16, 11, 1.2), "vantage")
    seen = scene(shelf, at=(x, 8, 0))
    assert costs(move(seen, (x, 8, 1.2), (x + 2, 8, 1.2))) == [2, 2]
    found = move(scene(shelf, screen, at=(x, 8, 0)), (x, 8, 1.2), (x + 2, 8, 1.2))
    assert not isinstance(found, LegalPath)


@pytest.mark.rule("KT24-MOVE-3")
def test_something_overhead_stops_a_climb() -> None:
    x = 10 - R - 0.1
    roof = part("roof", "slab", (5, 5, 3.5), (10, 11, 3.7), "heavy")
    refused(move(scene(PLATFORM, roof, at=(x, 8, 0)), (x, 8, 3)), "KT24-MOVE-3", leg=1, thing="roof/slab")
    higher = part("roof", "slab", (5, 5, 4.5), (10, 11, 4.7), "heavy")
    assert costs(move(scene(PLATFORM, higher, at=(x, 8, 0)), (x, 8, 3), (x + 2, 8, 3))) == [3, 2]


@pytest.mark.rule("KT24-MOVE-3")
def test_stairs_need_no_climb() -> None:
    stairs = part("block", "steps", (8, 7, 0), (10, 9, 3), "heavy", kind="stairs")
    table = scene(PLATFORM, stairs, at=(7, 8, 0))
    assert costs(move(table, (9, 8, 0), (9, 8, 3), (11, 8, 3))) == [2, 0, 2]
    solid = part("block", "steps", (8, 7, 0), (10, 9, 3), "heavy")
    refused(move(scene(PLATFORM, solid, at=(7, 8, 0)), (9, 8, 0)), "KT24-MOVE-2")


@pytest.mark.rule("KT24-MOVE-6a")
def test_the_base_stays_within_an_inch_of_what_it_climbed() -> None:
    x = 10 - R - 0.1
    table = scene(BARRIER, at=(x, 8, 0))
    beyond = 11.2 + R
    assert costs(move(table, (x, 8, 1), (beyond + 1, 8, 1), (beyond + 1, 8, 0))) == [2, 4, 0]
    refused(move(table, (x, 8, 1), (beyond + 1.01, 8, 1), (beyond + 1.01, 8, 0)), "KT24-MOVE-6a", leg=2)


# -- dropping and jumping --------------------------------------------------------------------------------------


@pytest.mark.rule("KT24-MOVE-4")
def test_off_a_ledge() -> None:
    ledge = part("block", "floor", (10, 5, 0), (16, 11, 4), "vantage", "heavy")
    table = scene(ledge, at=(10.2, 8, 4))
    assert costs(move(table, (8.5, 8, 4), (8.5, 8, 0))) == [2, 2]
    refused(move(table, (9.5, 8, 4), (9.5, 8, 0)), "KT24-MOVE-4", leg=2, thing="block/floor")


@pytest.mark.rule("KT24-MOVE-4")
def test_two_inches_of_drop_are_free_once() -> None:
    upper = part("a", "floor", (10, 5, 0), (12, 11, 3), "vantage", "heavy")
    lower = part("b", "floor", (12, 5, 0), (14, 11, 1.5), "vantage", "heavy")
    table = scene(upper, lower, at=(11.5, 8, 3))
    found = move(table, (12.9, 8, 3), (12.9, 8, 1.5), (14.9, 8, 1.5), (14.9, 8, 0))
    assert costs(found) == [2, 0, 2, 1]


@pytest.mark.rule("KT24-MOVE-4")
@pytest.mark.parametrize(("heights", "paid"), [((1.8, 1.2, 0.6), [0, 0, 0]), ((4.5, 3.0, 1.5), [0, 1, 2])])
def test_three_drops_of_one_move_are_counted_together(heights: tuple[float, ...], paid: list[int]) -> None:
    """Down stairs of three floors: two inches in all are free, not two of each drop nor of the last two."""
    floors = [
        part(f"floor {number}", "top", (10 + 2 * number, 5, 0), (12 + 2 * number, 11, height), "vantage", "heavy")
        for number, height in enumerate(heights)
    ]
    path: list[tuple[float, float, float]] = []
    for number, (high, low) in enumerate(zip(heights, (*heights[1:], 0.0), strict=True)):
        x = 12.9 + 2 * number
        path += [(x, 8, high), (x, 8, low)]
    found = move(scene(*floors, at=(11.5, 8, heights[0])), *path, allowance=20)
    assert costs(found)[1::2] == paid


@pytest.mark.rule("KT24-MOVE-5")
def test_a_jump_reaches_four_inches_from_the_edge() -> None:
    for gap, ok in ((3.9, True), (4.1, False)):
        far = part("other", "floor", (16 + gap, 5, 0), (24, 11, 3), "vantage", "heavy")
        found = move(scene(PLATFORM, far, at=(15.9, 8, 3)), (16.01 + gap, 8, 3))
        if ok:
            assert costs(found) == [5]
        else:
            refused(found, "KT24-MOVE-5", leg=1)


@pytest.mark.rule("KT24-MOVE-5")
def test_a_jump_starts_higher_than_two_inches() -> None:
    for high, ok in ((2.1, True), (2.0, False)):
        near = part("one", "floor", (10, 5, 0), (16, 11, high), "vantage", "heavy")
        far = part("two", "floor", (19, 5, 0), (24, 11, high), "vantage", "heavy")
        found = move(scene(near, far, at=(15.9, 8, high)), (19.2, 8, high))
        if ok:
            assert costs(found) == [4]
        else:
            refused(found, "KT24-MOVE-5", leg=1)


@pytest.mark.rule("KT24-MOVE-5")
def test_an_inch_of_height_is_ignored_where_a_jump_lands() -> None:
    for high, ok in ((4.0, True), (4.1, False)):
        far = part("other", "floor", (19, 5, 0), (24, 11, high), "vantage", "heavy")
        found = move(scene(PLATFORM, far, at=(15.9, 8, 3)), (19.2, 8, 3), (19.2, 8, high))
        if ok:
            assert costs(found) == [4, 0]
        else:
            assert not isinstance(found, LegalPath)
    rampart = part("other", "rampart", (19, 5, 3), (19.2, 11, 3.9), "light")
    level = part("other", "floor", (19, 5, 0), (24, 11, 3), "vantage", "heavy")
    assert costs(move(scene(PLATFORM, level, rampart, at=(15.9, 8, 3)), (19.9, 8, 3))) == [4]


@pytest.mark.rule("KT24-MOVE-5")
def test_what_a_jump_ignores_it_must_land_on() -> None:
    fence = part("fence", "board", (17.5, 5, 0), (17.6, 11, 3.5), "heavy")
    table = scene(PLATFORM, fence, at=(15.9, 8, 3))
    refused(move(table, (18.9, 8, 3), (18.9, 8, 0)), "KT24-MOVE-5", leg=2)
    lower = part("fence", "board", (17.5, 5, 0), (17.6, 11, 2.9), "heavy")
    assert costs(move(scene(PLATFORM, lower, at=(15.9, 8, 3)), (18.9, 8, 3), (18.9, 8, 0))) == [3, 1]


@pytest.mark.rule("KT24-MOVE-5")
def test_a_rampart_at_the_edge_is_climbed_before_a_jump() -> None:
    rampart = part("block", "rampart", (15.75, 5, 3), (16, 11, 3.7), "light")
    far = part("other", "floor", (19, 5, 0), (24, 11, 3), "vantage", "heavy")
    table = scene(PLATFORM, rampart, far, at=(15, 8, 3))
    refused(move(table, (19.2, 8, 3)), "KT24-MOVE-2", thing="block/rampart")
    found = move(table, (15, 8, 3.7), (19.7, 8, 3.7), (19.7, 8, 3))
    assert costs(found) == [2, 5, 0]


@pytest.mark.rule("KT24-MOVE-5")
def test_after_a_jump_there_is_a_drop_or_a_climb() -> None:
    table = scene(PLATFORM, at=(15.9, 8, 3))
    assert costs(move(table, (18.9, 8, 3), (18.9, 8, 0))) == [3, 1]
    refused(move(table, (18.9, 8, 3), (19.9, 8, 3), (19.9, 8, 0)), "KT24-MOVE-5", leg=2)


# -- Accessible, Insignificant, Ceiling ------------------------------------------------------------------------


@pytest.mark.rule("KT24-MOVE-6")
def test_only_the_centre_passes_a_door() -> None:
    assert costs(move(scene(*doorway(), at=(9, 8, 0)), (11.9, 8, 0))) == [4]
    inside = 8 - 0.625
    assert costs(move(scene(*doorway(), at=(9, inside, 0)), (11.9, inside, 0))) == [4]
    outside = inside - 0.01
    refused(move(scene(*doorway(), at=(9, outside, 0)), (11.9, outside, 0)), "KT24-MOVE-2", thing="hut/wall 1")
    large = Base.of_mm(60)
    assert costs(move(scene(*doorway(), at=(8.5, 8, 0), base=large), (11.5, 8, 0))) == [4]


@pytest.mark.rule("KT24-MOVE-6")
def test_what_stands_behind_a_door_still_stops() -> None:
    crate = part("crate", "crate", (10.5, 8.3, 0), (11.5, 9, 1), "heavy")
    refused(move(scene(*doorway(), crate, at=(9, 8, 0)), (11.9, 8, 0)), "KT24-MOVE-2", thing="crate/crate")
    assert costs(move(scene(*doorway(), crate, at=(9, 7.6, 0)), (11.9, 7.6, 0))) == [4]


@pytest.mark.rule("KT24-MOVE-6a")
def test_a_doorway_is_passed_within_one_increment() -> None:
    table = scene(*doorway(), at=(9, 8, 0))
    refused(move(table, (10.1, 8, 0), (11.9, 8, 0)), "KT24-MOVE-6a", leg=1, thing="hut/door")
    before = 10 - R
    assert costs(move(table, (before, 8, 0), (11.9, 8, 0))) == [1, 4]


@pytest.mark.rule("KT24-MOVE-6")
def test_a_plain_door_is_a_wall() -> None:
    refused(move(scene(*doorway(1.25, "heavy"), at=(9, 8, 0)), (11.9, 8, 0)), "KT24-MOVE-2")


@pytest.mark.rule("KT24-MOVE-6")
def test_insignificant_terrain_is_no_obstacle() -> None:
    foot = part("bags", "foot", (7, 7, 0), (7.5, 9, 0.2), "insignificant", "exposed")
    assert costs(move(scene(foot), (10, 8, 0))) == [5]
    plain = part("bags", "foot", (7, 7, 0), (7.5, 9, 0.2), "exposed")
    refused(move(scene(plain), (10, 8, 0)), "KT24-MOVE-2", thing="bags/foot")


@pytest.mark.rule("KT24-MOVE-6")
@pytest.mark.rule("KZ-VOLKUS-STRONGHOLD")
def test_onto_and_off_a_fire_step() -> None:
    step = part("hut", "step", (8, 6, 0), (12, 10, 0.5), "vantage", "insignificant", "exposed", kind="fire step")
    assert costs(move(scene(step), (9, 8, 0), (9, 8, 0.5))) == [4, 0]
    assert costs(move(scene(step), (9, 8, 0), (9, 8, 0.5), action=DASH, allowance=4)) == [4, 0]
    refused(move(scene(step), (9, 8, 0)), "KT24-MOVE-2", thing="hut/step")
    assert costs(move(scene(step, at=(9, 8, 0.5)), (9, 8, 0), (5, 8, 0))) == [0, 4]
    plain = part("hut", "step", (8, 6, 0), (12, 10, 0.5), "vantage")
    refused(move(scene(plain), (9, 8, 0)), "KT24-MOVE-2", thing="hut/step")


@pytest.mark.rule("KT24-MOVE-6")
def test_small_bases_move_underneath_a_ceiling_whatever_their_height() -> None:
    for traits, mm, ok in (
        (("vantage", "ceiling"), 50, True),
        (("vantage", "ceiling"), 51, False),
        (("vantage",), 50, False),
    ):
        roof = part("hut", "roof", (8, 0, 2.8), (14, 22, 3), *traits)
        found = move(scene(roof, at=(5, 8, 0), base=Base.of_mm(mm), tall=True), (11, 8, 0))
        assert isinstance(found, LegalPath) is ok
    oval = part("hut", "roof", (8, 0, 2.8), (14, 22, 3), "vantage", "ceiling")
    assert costs(move(scene(oval, at=(5, 8, 0), base=OVAL, tall=True), (11, 8, 0))) == [6]


@pytest.mark.rule("KT24-MOVE-2")
def test_headroom_is_the_miniatures_height() -> None:
    beam = part("hut", "beam", (8, 0, 2.0), (14, 22, 3), "heavy")
    assert costs(move(scene(beam, at=(5, 8, 0)), (11, 8, 0))) == [6]
    refused(move(scene(beam, at=(5, 8, 0), tall=True), (11, 8, 0)), "KT24-MOVE-2", thing="hut/beam")


@pytest.mark.rule("KT24-MOVE-6a")
@pytest.mark.rule("KZ-BHETA-GANTRY")
def test_an_accessible_floor_is_passed_upright_for_an_inch() -> None:
    floor = part("gantry", "floor", (10, 5, 2.85), (16, 11, 3), "accessible", "vantage")
    assert costs(move(scene(floor, at=(12, 8, 0)), (12, 8, 3))) == [4]
    assert costs(move(scene(floor, at=(12, 8, 3)), (12, 8, 0))) == [2]
    beside = 10 - R
    assert costs(move(scene(floor, at=(beside, 8, 0)), (beside, 8, 3), (beside + 1, 8, 3))) == [3, 1]
    solid = part("gantry", "floor", (10, 5, 2.85), (16, 11, 3), "vantage")
    refused(move(scene(solid, at=(12, 8, 0)), (12, 8, 3)), "KT24-MOVE-3", thing="gantry/floor")


@pytest.mark.rule("KT24-MOVE-7")
def test_on_vantage_part_of_the_base_stays_on_it() -> None:
    chimney = part("block", "chimney", (12, 5.8, 3), (13, 11, 6), "heavy")
    y = 5.8 - R
    table = scene(PLATFORM, chimney, at=(11, y, 3))
    assert y < 5.2
    assert costs(move(table, (14, y, 3))) == [3]
    low = part("block", "chimney", (12, 4.9, 3), (13, 11, 6), "heavy")
    y = 4.9 - R - 0.2
    refused(move(scene(PLATFORM, low, at=(11, 8, 3)), (11, y, 3), (14, y, 3), (14, 8, 3), allowance=20), "KT24-MOVE-2")


# -- actions ---------------------------------------------------------------------------------------------------


@pytest.mark.rule("KT24-DASH")
def test_a_dash_drops_and_jumps_but_does_not_climb() -> None:
    x = 10 - R - 0.1
    refused(move(scene(BARRIER, at=(x, 8, 0)), (x, 8, 1), allowance=3, action=DASH), "KT24-DASH", leg=1)
    low = part("block", "floor", (10, 5, 0), (16, 11, 2), "vantage", "heavy")
    assert costs(move(scene(low, at=(10.2, 8, 2)), (9.3, 8, 2), (9.3, 8, 0), allowance=3, action=DASH)) == [1, 0]
    far = part("other", "floor", (18, 5, 0), (24, 11, 3), "vantage", "heavy")
    assert costs(move(scene(PLATFORM, far, at=(15.9, 8, 3)), (18.1, 8, 3), allowance=3, action=DASH)) == [3]


@pytest.mark.rule("KT24-E-PORTABLE-BARRICADE")
def test_with_a_barricade_there_is_no_dropping() -> None:
    low = part("block", "floor", (10, 5, 0), (16, 11, 2), "vantage", "heavy")
    refused(move(scene(low, at=(10.2, 8, 2)), (9.3, 8, 2), action=WITH_BARRICADE), "KT24-E-PORTABLE-BARRICADE")
    assert costs(move(scene(low, at=(10.2, 8, 2)), (12.2, 8, 2), action=WITH_BARRICADE)) == [2]


@pytest.mark.rule("KT24-REPOSITION")
@pytest.mark.rule("KT24-CONTROL")
def test_a_reposition_keeps_out_of_control_range() -> None:
    enemy = operative("e", "blue", 10, 8)
    edge = 8 - 2 * R - 1
    assert costs(move(scene(at=(7, edge - 0.001, 0), others=(enemy,)), (13, edge - 0.001, 0))) == [6]
    refused(move(scene(at=(7, edge, 0), others=(enemy,)), (13, edge, 0)), "KT24-REPOSITION", leg=1, thing="e")


@pytest.mark.rule("KT24-REPOSITION")
def test_where_a_friend_is_engaged_a_reposition_passes_but_does_not_end() -> None:
    enemy = operative("e", "blue", 10, 8)
    friend = operative("f", "red", 10, 8 + 2 * R + 0.9)
    table = scene(at=(7, 6.5, 0), others=(enemy, friend))
    assert costs(move(table, (13, 6.5, 0))) == [6]
    refused(move(table, (10, 6.5, 0)), "KT24-REPOSITION", thing="e")
    away = operative("f", "red", 10, 8 + 2 * R + 1.1)
    refused(move(scene(at=(7, 6.5, 0), others=(enemy, away)), (13, 6.5, 0)), "KT24-REPOSITION", thing="e")


@pytest.mark.rule("KT24-CONTROL")
def test_there_is_no_control_range_through_a_wall() -> None:
    enemy = operative("e", "blue", 10, 8)
    screen = part("hut", "wall", (0, 7, 0), (30, 7.2, 5), "heavy")
    table = scene(screen, at=(7, 6.3, 0), others=(enemy,))
    assert costs(move(table, (13, 6.3, 0))) == [6]
    low = part("hut", "wall", (0, 7, 0), (30, 7.2, 0.5), "heavy")
    refused(move(scene(low, at=(7, 6.3, 0), others=(enemy,)), (13, 6.3, 0)), "KT24-REPOSITION", thing="e")


@pytest.mark.rule("KT24-CONTROL")
def test_control_range_is_measured_in_height_too() -> None:
    floor = part("block", "floor", (9, 7, 0), (16, 11, 1.5), "vantage", "heavy")
    enemy = operative("e", "blue", 10, 8, 1.5)
    assert costs(move(scene(floor, at=(7, 6.3, 0), others=(enemy,)), (13, 6.3, 0))) == [6]
    lower = part("block", "floor", (9, 7, 0), (16, 11, 0.5), "vantage", "heavy")
    near = operative("e", "blue", 10, 8, 0.5)
    refused(move(scene(lower, at=(7, 6.3, 0), others=(near,)), (13, 6.3, 0)), "KT24-REPOSITION", thing="e")


@pytest.mark.rule("KT24-FALLBACK")
def test_a_fall_back_passes_control_range_and_ends_outside() -> None:
    one, two = operative("e", "blue", 10, 8), operative("g", "blue", 13, 8)
    table = scene(at=(8.5, 8, 0), others=(one, two))
    assert costs(move(table, (8.5, 6, 0), (16.5, 6, 0), allowance=10, action=FALL_BACK)) == [2, 8]
    refused(move(table, (8.5, 6, 0), (13, 6, 0), action=FALL_BACK), "KT24-FALLBACK", thing="g")


@pytest.mark.rule("KT24-CHARGE")
def test_a_charge_ends_in_control_range() -> None:
    enemy = operative("e", "blue", 10, 8)
    stop = 10 - 2 * R - 1
    assert costs(move(scene(at=(5, 8, 0), others=(enemy,)), (stop, 8, 0), action=CHARGE)) == [3]
    refused(move(scene(at=(5, 8, 0), others=(enemy,)), (stop - 0.01, 8, 0), action=CHARGE), "KT24-CHARGE")


@pytest.mark.rule("KT24-CHARGE")
def test_a_charge_does_not_leave_a_control_range_again() -> None:
    one, two = operative("e", "blue", 10, 8), operative("g", "blue", 14, 8)
    table = scene(at=(7, 6, 0), others=(one, two))
    refused(move(table, (13, 6.2, 0), action=CHARGE), "KT24-CHARGE", thing="e")
    refused(move(table, (9, 6, 0), (12.5, 6, 0), action=CHARGE), "KT24-CHARGE", leg=2, thing="e")
    friend = operative("f", "red", 10, 9.5)
    engaged = scene(at=(7, 6, 0), others=(one, two, friend))
    assert costs(move(engaged, (13, 6.2, 0), action=CHARGE)) == [7]
    # around the same enemy it may go on
    assert costs(move(table, (9, 6, 0), (11, 6, 0), action=CHARGE)) == [2, 2]


# -- equipment and killzones -----------------------------------------------------------------------------------


@pytest.mark.rule("KT24-E-LADDERS")
def test_a_ladder_counts_an_inch_once() -> None:
    ladder = part("ladder", "ladder", (9.85, 7.5, 0), (10, 8.5, 3), "exposed", kind="ladder")
    x = 10 - R - 0.2
    table = scene(PLATFORM, ladder, at=(x, 8, 0))
    assert costs(move(table, (x, 8, 3), (x + 2, 8, 3))) == [1, 2]
    far = scene(PLATFORM, ladder, at=(x, 10.5, 0))
    assert costs(move(far, (x, 10.5, 3), (x + 2, 10.5, 3))) == [3, 2]
    again = part("tower", "floor", (10, 11.2, 3), (12, 14, 6), "vantage")
    other = part("ladder 2", "ladder", (10.5, 11.05, 3), (11.5, 11.2, 6), "exposed", kind="ladder")
    both = scene(PLATFORM, ladder, again, other, at=(x, 8, 0))
    found = move(both, (x, 8, 3), (11, 10, 3), (11, 10, 6), (11, 11.9, 6), allowance=12)
    assert costs(found)[0] == 1
    assert costs(found)[2] == 3


@pytest.mark.rule("KT24-E-LADDERS")
@pytest.mark.parametrize(("off", "cost"), [(0.78, 1), (0.82, 3)])
def test_a_ladder_is_in_control_range_during_the_whole_climb(off: float, cost: int) -> None:
    """Its top is 0.6" below the platform's, where it may be 0.8" away seen from above."""
    ladder = part("ladder", "ladder", (9.9, 7.5, 0), (10, 8.5, 2.4), "insignificant", "exposed", kind="ladder")
    x = 9.9 - R - off
    assert costs(move(scene(PLATFORM, ladder, at=(x, 8, 0)), (x, 8, 3), (x + 2, 8, 3)))[0] == cost
    high = part("ladder", "ladder", (9.9, 7.5, 0.6), (10, 8.5, 3), "insignificant", "exposed", kind="ladder")
    assert costs(move(scene(PLATFORM, high, at=(x, 8, 0)), (x, 8, 3), (x + 2, 8, 3)))[0] == cost


@pytest.mark.rule("KT24-E-LADDERS")
@pytest.mark.parametrize(("gap", "cost"), [(0.1, 1), (0.2, 3)])
def test_only_terrain_the_ladder_leans_on_is_climbed_by_it(gap: float, cost: int) -> None:
    ladder = part(
        "ladder", "ladder", (9.9 - gap, 7.5, 0), (10 - gap, 8.5, 3), "insignificant", "exposed", kind="ladder"
    )
    x = 10 - R - 0.5
    assert costs(move(scene(PLATFORM, ladder, at=(x, 8, 0)), (x, 8, 3), (x + 2, 8, 3)))[0] == cost


@pytest.mark.rule("KT24-E-LADDERS")
@pytest.mark.parametrize(("west", "cost"), [(True, 1), (False, 3)])
def test_a_ladder_behind_the_wall_is_not_in_control_range(west: bool, cost: int) -> None:
    wall = part("house", "wall", (10, 4, 0), (10.2, 12, 3), "heavy")
    low = 9.9 if west else 10.2
    ladder = part("ladder", "ladder", (low, 7.5, 0), (low + 0.1, 8.5, 3), "insignificant", "exposed", kind="ladder")
    x = 10 - R - 0.2
    found = move(scene(wall, ladder, at=(x, 8, 0)), (x, 8, 3), (x + 2, 8, 3), (x + 2, 8, 0), allowance=12)
    assert costs(found)[0] == cost


@pytest.mark.rule("KT24-E-LADDERS")
def test_a_ladder_is_passed_and_not_ended_on() -> None:
    ladder = part("ladder", "ladder", (8, 7.5, 0), (8.1, 8.5, 3), "insignificant", "exposed", kind="ladder")
    assert costs(move(scene(ladder, at=(5, 8, 0)), (11, 8, 0))) == [6]
    refused(move(scene(ladder, at=(5, 8, 0)), (8, 8, 0)), "KT24-MOVE-2", thing="ladder/ladder")


@pytest.mark.rule("KT24-E-RAZOR-WIRE")
@pytest.mark.rule("KT24-MOVE-6a")
def test_crossing_razor_wire_costs_more() -> None:
    wire = part("wire", "coil", (8, 7, 0), (8.2, 10, 0.5), "exposed", kind="wire")
    assert costs(move(scene(wire, at=(6, 8, 0)), (10, 8, 0))) == [5]
    past = 7 - 1 - R
    assert costs(move(scene(wire, at=(6, past + 0.02, 0)), (10, past + 0.02, 0))) == [5], "the base within an inch"
    assert costs(move(scene(wire, at=(6, past - 0.02, 0)), (10, past - 0.02, 0))) == [4]
    beside = 8 - 1 - R
    assert costs(move(scene(wire, at=(beside + 0.02, 5, 0)), (beside + 0.02, 10, 0))) == [6], "alongside"
    assert costs(move(scene(wire, at=(beside - 0.02, 5, 0)), (beside - 0.02, 10, 0))) == [5]
    assert costs(move(scene(wire, at=(7.1, 8, 0)), (6.1, 8, 0), (5.1, 8, 0))) == [2, 1], "away from it, and further"
    assert costs(move(scene(wire, at=(6, 8, 0)), (7, 8, 0), (7, 9, 0))) == [2, 2], "each increment"
    corner = (8 - (1 + R) * 0.5**0.5, 7 - (1 + R) * 0.5**0.5)
    for out, cost in ((0.02, 2), (0.05, 2), (-0.02, 3)):
        at, to = (corner[0] - out - 1, corner[1] - out + 1), (corner[0] - out + 0.3, corner[1] - out - 0.3)
        assert costs(move(scene(wire, at=(*at, 0)), (*to, 0))) == [cost], "around its corner"


@pytest.mark.rule("KZ-HAZARD-MOVE")
def test_no_part_of_a_base_touches_a_hazardous_area() -> None:
    sea = Area("sea", "hazardous", ((9, 7), (11, 7), (11, 9), (9, 9)))
    assert costs(move(scene(at=(7, 7 - R, 0), areas=(sea,)), (13, 7 - R, 0))) == [6]
    refused(move(scene(at=(7, 7.01 - R, 0), areas=(sea,)), (13, 7.01 - R, 0)), "KZ-HAZARD-MOVE", thing="sea")
    above = part("gantry", "floor", (6, 6, 2.85), (14, 10, 3), "accessible", "vantage")
    assert costs(move(scene(above, at=(7, 8, 3), areas=(sea,)), (13, 8, 3))) == [6]
    refused(move(scene(above, at=(10, 8, 3), areas=(sea,)), (10, 8, 0)), "KZ-HAZARD-MOVE", thing="sea")
    table = scene(areas=(sea,))
    assert can_stand(ground_of(table), Walker.of(table, "a"), 10, 8, 0) is not None


WALL = WallLine("w", (10, 0), (10, 12))


@pytest.mark.rule("KZ-WALL")
def test_nobody_moves_over_a_wall() -> None:
    x = 9.8 - R
    table = scene(at=(x, 8, 0), walls=(WALL,))
    refused(move(table, (x, 8, 2.75), (x + 2, 8, 2.75)), "KT24-MOVE-3", leg=1)
    helper = part("crate", "crate", (8.6, 9, 0), (9.7, 10, 3), "heavy")
    refused(
        move(scene(helper, at=(x, 8, 0), walls=(WALL,)), (x, 8, 3), (x + 1.5, 8, 3)), "KZ-WALL", leg=2, thing="w/wall"
    )
    heavy = part("hut", "wall", (9.8, 0, 0), (10.2, 12, 2.75), "heavy")
    assert costs(move(scene(heavy, at=(x, 8, 0)), (x, 8, 2.75), (x + 2, 8, 2.75), (x + 2, 8, 0))) == [3, 2, 1]


HATCH = (
    WallLine("w1", (10, 0), (10, 7)),
    WallLine("h", (10, 7), (10, 9), hatchway=Hatchway()),
    WallLine("w2", (10, 9), (10, 22)),
)


@pytest.mark.rule("KZ-HATCH-OPEN")
@pytest.mark.rule("KZ-HATCH-CLOSED")
def test_an_open_hatchway_is_passed_and_a_closed_one_is_not() -> None:
    opened = scene(at=(8.5, 8, 0), walls=HATCH, states={"h": "open"})
    assert costs(move(opened, (11.5, 8, 0))) == [4]
    refused(move(scene(at=(8.5, 8, 0), walls=HATCH), (11.5, 8, 0)), "KZ-WALL", leg=1)
    # the swung hatch stands beside the opening: left of the line is west
    y = 7.3
    refused(move(scene(at=(8.5, y, 0), walls=HATCH, states={"h": "open"}), (11.5, y, 0)), "KZ-WALL", thing="h/hatch")
    large = Base.of_mm(60)
    through = scene(at=(8.0, 8.55, 0), walls=HATCH, states={"h": "open"}, base=large)
    assert costs(move(through, (11.9, 8.55, 0))) == [5]


@pytest.mark.rule("KZ-VOLKUS-TOP")
def test_the_top_level_holds_one_friendly_operative() -> None:
    top = part("hut", "top", (8, 6, 0), (14, 10, 5), "vantage", kind="top floor")
    for team, ok in (("red", False), ("blue", True)):
        table = scene(top, at=(9, 8, 5), others=(operative("f", team, 13, 8, 5),), rules=frozenset({"KZ-VOLKUS-TOP"}))
        assert (can_stand(ground_of(table), Walker.of(table, "a"), 9, 8, 5) is None) is ok


# -- properties ------------------------------------------------------------------------------------------------

spots = st.tuples(st.floats(1, 29), st.floats(1, 21))


@settings(max_examples=60, deadline=None)
@given(spots, spots, st.floats(0.05, 0.95))
def test_splitting_a_leg_never_makes_it_cheaper(a: tuple[float, float], b: tuple[float, float], share: float) -> None:
    table = scene(part("post", "post", (14, 10, 0), (16, 12, 3), "heavy"), at=(*a, 0))
    middle = (a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1]))
    whole = move(table, (*b, 0), allowance=99)
    parts = move(table, (*middle, 0), (*b, 0), allowance=99)
    assert (
        isinstance(whole, LegalPath) == isinstance(parts, LegalPath)
        or math.dist(a, middle) < 1e-3
        or math.dist(middle, b) < 1e-3
    )
    if isinstance(whole, LegalPath) and isinstance(parts, LegalPath):
        assert whole.total <= parts.total


@settings(max_examples=60, deadline=None)
@given(spots, spots, st.floats(0, 360))
def test_a_move_there_is_a_move_back(a: tuple[float, float], b: tuple[float, float], turn: float) -> None:
    post = part("post", "post", (14, 10, 0), (16, 12, 3), "heavy")
    there = move(scene(post, at=(*a, 0), base=OVAL, turn=turn), (*b, 0), allowance=99)
    back = move(scene(post, at=(*b, 0), base=OVAL, turn=turn), (*a, 0), allowance=99)
    start = scene(post, at=(*a, 0), base=OVAL, turn=turn)
    if can_stand(ground_of(start), Walker.of(start, "a"), *a, 0) is None and isinstance(there, LegalPath):
        assert isinstance(back, LegalPath)
        assert back.total == there.total


@pytest.mark.rule("KT24-MOVE-2")
def test_a_place_is_judged_anew_by_base_by_level_and_by_who_stands_there() -> None:
    alone = scene(PLATFORM, at=(5, 5, 0))
    ground, (one, *_) = ground_of(alone), alone.operatives
    walker = Walker(one, alone)
    for _ in range(2):  # the second time what is kept of it is asked
        assert can_stand(ground, walker, 12.0, 4.0, 0.0) is None
        assert can_stand(ground, walker, 12.0, 4.0, 3.0) == "the base would not be supported there."
        large = Walker(replace(one, base=Base.of_mm(160)), alone)
        assert can_stand(ground, large, 12.0, 2.5, 0.0) == "the base would leave the board."
        assert can_stand(ground, walker, 12.0, 2.5, 0.0) is None
        crowded = replace(alone, operatives=(one, operative("other", "blue", 12.5, 4.0)))
        found = can_stand(ground, Walker(one, crowded), 12.0, 4.0, 0.0)
        assert found == "the base would overlap that of other."
