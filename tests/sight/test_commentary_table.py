"""The designers' answers about sight, moving and killzones (2021), each as a scene.

What is about play, and what is left out with its reason, is in ``engine/test_commentary_play.py``.
"""

from __future__ import annotations

from dataclasses import replace

import pytest
from sight_fans import from_origin, judge_of
from sight_scenes import R32, block, feature, op, table
from tables import PLATFORM, costs, move, part, refused, scene

from ktsim.geometry.solids import box
from ktsim.killzones.walls import wall_features
from ktsim.rules.moving.walk import NORMAL_MOVE_21
from ktsim.sight.junctions import heavy_distance
from ktsim.sight.ruling import Ruling, ruling
from ktsim.sight.scene import MM, Feature, Hatchway, Operative, Scene, WallLine
from ktsim.sight.visibility import visible

A, B = op("a", 5, 11), op("b", 15, 11)
SPOT = (5 + R32 - 0.5 * MM, 11)
FACE = 15 - R32


def rule(*operatives: Operative, features: tuple[Feature, ...] = ()) -> Ruling:
    return ruling(table(*operatives, features=features), "a", "b", "kt21-lite")


# -- line of sight -----------------------------------------------------------------------------------


@pytest.mark.rule("KT21-OBSCURED")
def test_commentary_any_point_of_a_crossing_counts_not_the_closest() -> None:
    """A ruin runs along the line from 1.5" to 4" before the target: within 2" at one end, beyond 2" at the other."""
    for far, obscured in ((4.0, True), (1.9, False)):
        ruin = block("ruin", "heavy", (FACE - far, 10.95, 0), (FACE - 1.5, 11.05, 0.8))
        assert from_origin(judge_of(table(A, B, features=[ruin]), edition="kt21-lite"), *SPOT).obscured == obscured


@pytest.mark.rule("KT21-OBSCURED")
def test_commentary_only_the_parts_within_an_inch_of_the_shooter_are_ignored() -> None:
    """One long wall that begins beside the shooter: what of it is further than an inch still obscures."""
    for end, obscured in ((0.9, False), (3.0, True)):
        wall = block("wall", "heavy", (5 + R32 + 0.2, 10.95, 0), (5 + R32 + end, 11.05, 0.8))
        assert from_origin(judge_of(table(A, B, features=[wall]), edition="kt21-lite"), *SPOT).obscured == obscured


@pytest.mark.rule("KT21-COVER")
@pytest.mark.rule("KT21-OBSCURED")
@pytest.mark.parametrize(("low", "high", "crosses"), [(0.0, 0.8, True), (0.5, 1.0, False)])
def test_commentary_cover_lines_have_no_height(low: float, high: float, crosses: bool) -> None:
    """A beam the lines pass underneath is not crossed; standing on the floor it is."""
    beam = block("beam", "heavy", (9.9, 6, low), (10.1, 16, high))
    found = rule(A, B, features=(beam,))
    assert (found.in_cover or found.obscured) == crosses
    above = op("a", 5, 11, 3.0)
    perch = block("perch", "vantage", (3, 9, 2.8), (7, 13, 3))
    fence = block("fence", "light", (7.2, 8, 0), (7.4, 14, 0.8))
    assert not rule(above, B, features=(perch, fence)).in_cover, "and lines from high up pass above a low fence"


def test_commentary_an_operative_is_visible_to_itself() -> None:
    assert visible(table(A, B), "a", "a").visible


@pytest.mark.rule("KT21-RAMPART")
def test_commentary_a_line_underneath_a_rampart_counts_as_crossing_it() -> None:
    def keep(x: float) -> Feature:
        floor, rampart = box((12, 8, 2.8), (18, 14, 3)), box((x, 8, 3.3), (x + 0.1, 14, 3.8))
        return feature("keep", ("floor", "vantage", floor), ("rampart", "light", rampart))

    target = op("b", 13.4, 11, 3)
    assert rule(A, target, features=(keep(12.0),)).cover_from == ("keep/rampart",)
    assert not rule(A, replace(target, x=12 + 0.1 + 1.05 + R32), features=(keep(12.0),)).in_cover


# -- moving ------------------------------------------------------------------------------------------


RAMPART = part("block", "rampart", (10, 5, 3), (10.2, 11, 3.5), "light", "traversable")


@pytest.mark.rule("KT21-TERRAIN")
def test_commentary_a_rampart_is_traversed_when_dropping() -> None:
    down = ((9.2, 8, 3), (9.2, 8, 0))
    bare = move(scene(PLATFORM, at=(11.2, 8, 3)), *down, action=NORMAL_MOVE_21)
    assert costs(bare) == [2, 2]
    with_rampart = move(scene(PLATFORM, RAMPART, at=(11.2, 8, 3)), *down, action=NORMAL_MOVE_21)
    assert costs(with_rampart) == [4, 2], "2 inches more for traversing it"


@pytest.mark.rule("KT21-TERRAIN")
def test_commentary_a_rampart_may_be_climbed_as_part_of_the_climb() -> None:
    """Up to its top, over it, and the half inch down to the Vantage Point is nothing."""
    up = ((9.2, 8, 3.5), (11.2, 8, 3.5), (11.2, 8, 3))
    assert costs(move(scene(PLATFORM, RAMPART, at=(9.2, 8, 0)), *up, action=NORMAL_MOVE_21)) == [4, 2, 0]


@pytest.mark.rule("KT21-TERRAIN")
def test_commentary_a_base_may_reach_over_the_edge_if_it_stands() -> None:
    table_ = scene(PLATFORM, at=(12, 8, 3))
    assert costs(move(table_, (10.1, 8, 3), action=NORMAL_MOVE_21)) == [2]
    refused(move(table_, (9.9, 8, 3), action=NORMAL_MOVE_21), "KT21-MOVE")


@pytest.mark.rule("KT21-TERRAIN")
def test_commentary_climbing_and_dropping_give_no_free_horizontal_movement() -> None:
    """3 inches up cost 4 and an inch onto the platform 1; with 4 it is not placed there and the climb not completed."""
    path = ((9.3, 8, 3), (10.3, 8, 3))
    assert costs(move(scene(PLATFORM, at=(9.3, 8, 0)), *path, action=NORMAL_MOVE_21, allowance=5)) == [4, 1]
    refused(move(scene(PLATFORM, at=(9.3, 8, 0)), *path, action=NORMAL_MOVE_21, allowance=4), "KT21-MOVE")
    refused(move(scene(PLATFORM, at=(9.3, 8, 0)), path[0], action=NORMAL_MOVE_21, allowance=9), "KT21-MOVE")


@pytest.mark.rule("KT21-TERRAIN")
def test_commentary_stairs_and_slopes_are_free() -> None:
    stairs = part("block", "steps", (8, 7, 0), (10, 9, 3), "heavy", kind="stairs")
    found = move(scene(PLATFORM, stairs, at=(7, 8, 0)), (9, 8, 0), (9, 8, 3), (11, 8, 3), action=NORMAL_MOVE_21)
    assert costs(found) == [2, 0, 2]


# -- missions and killzones --------------------------------------------------------------------------


@pytest.mark.rule("KT21-GAP")
def test_commentary_a_small_gap_under_a_pipe_is_part_of_it_when_players_agree() -> None:
    pipe = ("pipe", "light", box((FACE - 0.7, 8, 0.2), (FACE - 0.5, 14, 0.8)))
    gap = ("gap", "blocking", box((FACE - 0.7, 8, 0), (FACE - 0.5, 14, 0.2)))
    assert rule(A, B, features=(feature("p", pipe, gap),)).in_cover
    assert not rule(A, B, features=(feature("p", pipe),)).in_cover, "agreed otherwise: the file has no gap"


WALL = WallLine("w", (10, 0), (10, 22))


def test_commentary_nobody_moves_through_or_over_a_wall() -> None:
    """Nor does climbing it help, whatever else would let an operative pass terrain."""
    where = scene(at=(8, 8, 0), walls=(WALL,), rules=frozenset({"KZ-WALL"}))
    refused(move(where, (12, 8, 0), action=NORMAL_MOVE_21), "KZ-WALL")
    over = move(where, (9.1, 8, 0), (9.1, 8, 2.75), (11, 8, 2.75), (11, 8, 0), action=NORMAL_MOVE_21, allowance=20)
    assert not hasattr(over, "total"), "refused"


def test_commentary_a_map_does_not_say_which_way_a_hatch_opens() -> None:
    """The same wall takes a hatch hinged at either side and swinging either way; closed they are all the same wall."""
    closed = []
    for hinge in ("start", "end"):
        for swing in ("left", "right"):
            wall = WallLine("h", (10, 6), (10, 12), hatchway=Hatchway(1.6, hinge, swing))  # type: ignore[arg-type]
            (found,) = wall_features((wall,))
            closed.append([sorted(map(tuple, p.triangles.reshape(-1, 9).round(6))) for p in found.parts_in("closed")])
            assert {p.kind for p in found.parts_in("open")} >= {"hatch"}
    assert all(each == closed[0] for each in closed)


HATCHWAY = (
    WallLine("n", (10, 0), (10, 10)),
    WallLine("h", (10, 10), (10, 12), hatchway=Hatchway(1.6, "start", "right")),
    WallLine("s", (10, 12), (10, 22)),
)


def swung(state: str, a: Operative, b: Operative) -> Scene:
    return table(a, b, walls=HATCHWAY, states={"h": state})


@pytest.mark.rule("KT21-HATCH")
def test_commentary_an_open_hatch_gives_cover_and_obscures_also_underneath() -> None:
    near = ruling(swung("open", op("a", 11.2, 14), op("b", 11.2, 9.2)), "a", "b", "kt21-lite")
    assert "h/hatch" in near.cover_from
    far = ruling(swung("open", op("a", 11.2, 15), op("b", 11.2, 6.5)), "a", "b", "kt21-lite")
    assert "h/hatch" in far.obscured_by
    gone = ruling(swung("closed", op("a", 11.2, 14), op("b", 11.2, 9.2)), "a", "b", "kt21-lite")
    assert not gone.in_cover


@pytest.mark.rule("KT21-WALLDIST")
def test_commentary_heavy_terrain_is_near_at_pillars_and_wall_ends_only() -> None:
    """Beside the middle of a long wall the nearest Heavy terrain is one of its ends; hatchway ends do not count."""
    middle = table(op("a", 8, 11), walls=(WallLine("w", (10, 8), (10, 14)),))
    assert heavy_distance(middle, "a", "kt21-lite") > heavy_distance(middle, "a", "kt24") + 1
    hatched = WallLine("h", (10, 0), (10, 8), hatchway=Hatchway(1.6))
    before = table(op("a", 11.5, 5), walls=(hatched, WallLine("w", (10, 8), (10, 14))))
    assert heavy_distance(before, "a", "kt24") == pytest.approx(1.3 - R32, abs=1e-5)
    assert heavy_distance(before, "a", "kt21-lite") == pytest.approx((1.3**2 + 4.7**2) ** 0.5 - R32, abs=1e-5)
