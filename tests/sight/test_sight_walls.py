"""Walls in odd places: distances that stay on the board, ends beside wide hatchways, lines that cross; bars, gaps and
roofs."""

from __future__ import annotations

import math
from pathlib import Path

import pytest
from sight_fans import judge_of
from sight_scenes import R32, block, feature, op, table

from ktsim.geometry.solids import box
from ktsim.killzones.catalogue import load_named
from ktsim.sight.distances import between
from ktsim.sight.junctions import heavy_distance, wall_ends
from ktsim.sight.ruling import ruling
from ktsim.sight.scene import Hatchway, Scene, WallLine, Weapon
from ktsim.sight.visibility import sees_disc


def ends(scene: Scene) -> list[tuple[str, str, tuple[float, float]]]:
    found = [(each.part.feature, each.kind, each.at) for each in wall_ends(scene) if each.part.kind != "hatch"]
    return sorted((name, kind, (round(x, 6), round(y, 6))) for name, kind, (x, y) in found)


@pytest.mark.rule("SIGHT-17", "KZ-WALL")
@pytest.mark.parametrize(("start", "shorter"), [(0.0, False), (0.5, True)])
def test_distances_stay_on_the_board(start: float, shorter: bool) -> None:
    wall = WallLine("w", (10, start), (10, 10))
    apart = between(table(op("a", 9, 1.0), op("b", 11, 1.0), walls=[wall]), "a", "b")
    around_the_far_end = 2 * math.hypot(0.8, 9) + 0.4 - 2 * R32
    assert (apart < 5) == shorter
    if not shorter:
        assert apart == pytest.approx(around_the_far_end, abs=0.02)


@pytest.mark.rule("SIGHT-17", "KZ-WALL")
def test_distances_never_go_over_a_wall_however_high_one_stands() -> None:
    wall = WallLine("w", (10, 0), (10, 10))
    floors = [
        feature("west", ("floor", "vantage", box((4, 4, 2.85), (9.6, 8, 3)))),
        feature("east", ("floor", "vantage", box((10.4, 4, 2.85), (16, 8, 3)))),
    ]
    low = between(table(op("a", 8, 6), op("b", 12, 6), walls=[wall]), "a", "b")
    high = between(table(op("a", 8, 6, 3), op("b", 12, 6, 3), features=floors, walls=[wall]), "a", "b")
    assert high == pytest.approx(low)
    assert high > 4 - 2 * R32 + 1


@pytest.mark.rule("SIGHT-17", "KZ-HATCH-OPEN")
def test_distances_never_go_under_a_swung_hatch() -> None:
    wall = WallLine("w", (10, 2), (10, 14), hatchway=Hatchway(1.6))
    pair = op("a", 9, 6.2), op("b", 9, 8.2)
    straight = 2 - 2 * R32
    assert between(table(*pair, walls=[wall], states={"w": "closed"}), "a", "b") == pytest.approx(straight)
    assert between(table(*pair, walls=[wall], states={"w": "open"}), "a", "b") > straight + 0.3


@pytest.mark.rule("KZ-WALL-ENDS")
def test_a_hatchway_as_wide_as_its_line_leaves_the_ends_of_its_neighbours() -> None:
    walls = [
        WallLine("w1", (10, 0), (10, 10)),
        WallLine("h", (10, 10), (10, 11.6), hatchway=Hatchway(1.6)),
        WallLine("w2", (10, 11.6), (10, 22)),
    ]
    inner = [("w1", "end", (10.0, 10.0)), ("w2", "end", (10.0, 11.6))]
    assert set(inner) <= set(ends(table(walls=walls, states={"h": "open"})))
    assert not set(inner) & set(ends(table(walls=walls, states={"h": "closed"})))


@pytest.mark.rule("KZ-WALL-ENDS")
def test_walls_that_cross_or_branch_have_the_corners_they_have_when_drawn_in_pieces() -> None:
    whole = table(walls=[WallLine("a", (5, 10), (15, 10)), WallLine("b", (10, 5), (10, 15))])
    parted = table(
        walls=[
            *(WallLine("a1", (5, 10), (10, 10)), WallLine("a2", (10, 10), (15, 10))),
            *(WallLine("b1", (10, 5), (10, 10)), WallLine("b2", (10, 10), (10, 15))),
        ]
    )
    strip = [(kind, at) for _, kind, at in ends(whole)]
    assert sorted(strip) == sorted((kind, at) for _, kind, at in ends(parted))
    branch = table(walls=[WallLine("a", (5, 10), (15, 10)), WallLine("b", (10, 5), (10, 10))])
    assert [at for _, kind, at in ends(branch) if kind == "corner"] == [(10.0, 10.0)] * 3
    apart = table(walls=[WallLine("a", (5, 10), (15, 10)), WallLine("b", (10, 5), (10, 9.7))])
    assert not [at for _, kind, at in ends(apart) if kind == "corner"]


@pytest.mark.rule("KZ-WALL-ENDS")
def test_a_wall_drawn_twice_still_ends() -> None:
    twice = table(walls=[WallLine("a", (5, 10), (10, 10)), WallLine("b", (7, 10), (10, 10))])
    assert ("a", "end", (10.0, 10.0)) in ends(twice)
    on = table(walls=[WallLine("a", (5, 10), (10, 10)), WallLine("b", (7, 10), (12, 10))])
    assert ("a", "end", (10.0, 10.0)) not in ends(on)


@pytest.mark.rule("KT21-WALLDIST")
def test_a_branch_counts_as_heavy_where_walls_meet_but_the_side_of_a_wide_hatchway_does_not() -> None:
    walls = [WallLine("a", (2, 10), (28, 10)), WallLine("b", (15, 2), (15, 10))]
    assert heavy_distance(table(op("a", 15, 11.5), walls=walls), "a", "kt21-lite") == pytest.approx(1.3 - R32, abs=0.01)
    wide = [WallLine("w1", (10, 0), (10, 10)), WallLine("h", (10, 10), (10, 11.6), hatchway=Hatchway(1.6))]
    assert heavy_distance(table(op("a", 8, 10), walls=wide, states={"h": "open"}), "a", "kt21-lite") > 2


@pytest.mark.rule("KZ-BARRED")
@pytest.mark.parametrize(("x", "seen"), [(10.8, True), (10.9, False)])
def test_markers_are_seen_through_bars_one_is_at(x: float, seen: bool) -> None:
    bars = block("window", "barred", (9, 5, 0), (9.2, 17, 3))
    scene = table(op("a", x, 11), features=[bars])
    assert sees_disc(scene, "a", (6.0, 11.0, 0.0), 0.4).visible == seen


@pytest.mark.rule("SIGHT-3", "KT24-W-SEEK-LIGHT")
@pytest.mark.parametrize(("around", "valid"), [("light", True), ("heavy", False)])
def test_a_blocking_gap_is_light_in_a_light_feature(around: str, valid: bool) -> None:
    fence = feature(
        "fence",
        ("rail", around, box((13.6, 8, 0.5), (13.7, 14, 1.0))),
        ("gap", "blocking", box((13.6, 8, 0), (13.7, 14, 0.5))),
    )
    scene = table(op("a", 5, 11), op("b", 15, 11, order="conceal"), features=[fence])
    assert not ruling(scene, "a", "b").valid_target
    assert ruling(scene, "a", "b", weapon=Weapon(("seek light",))).valid_target == valid


@pytest.mark.rule("KT21-RAMPART")
@pytest.mark.parametrize(("low", "covered"), [(3.0, True), (5.3, False)])
def test_only_what_rises_from_the_vantage_point_is_its_rampart(low: float, covered: bool) -> None:
    tower = feature(
        "tower",
        ("floor", "vantage", box((13, 8, 2.8), (18, 14, 3))),
        ("top", "heavy", box((13.2, 8, low), (13.4, 14, low + 0.5))),
    )
    scene = table(op("a", 9, 11), op("b", 14.5, 11, 3, order="conceal"), features=[tower])
    codes = [piece.source.key for piece in judge_of(scene, edition="kt21-lite").fan.pieces if piece.zone == "cover"]
    assert ("tower/top" in codes) == covered


@pytest.mark.rule("KT21-WALLDIST")
def test_a_pillar_that_a_piece_brings_counts_where_walls_go_straight_on() -> None:
    plain = [WallLine("a", (5, 10), (15, 10)), WallLine("b", (15, 10), (25, 10))]
    brought = [plain[0], WallLine("b", (15, 10), (25, 10), posts=((15, 10),))]
    who = op("a", 15, 11.5)
    assert heavy_distance(table(who, walls=plain), "a", "kt21-lite") > 5
    assert heavy_distance(table(who, walls=brought), "a", "kt21-lite") == pytest.approx(1.2 - R32, abs=1e-4)
    assert ends(table(walls=brought)) == ends(table(walls=plain))


@pytest.mark.rule("KT21-WALLDIST")
@pytest.mark.parametrize("name", ["gallowdark-1"])
def test_every_pillar_that_is_drawn_counts(name: str) -> None:
    killzone = load_named(name, Path())
    pillars = [each.at for each in killzone.placements if each.piece == "gallowdark-pillar"]
    assert len(pillars) > 10
    for x, y, _ in pillars:
        who = op("a", x + 1.2 * (1 if x < 12 else -1) / math.sqrt(2), y + 1.2 * (1 if y < 14 else -1) / math.sqrt(2))
        assert heavy_distance(Scene(killzone.terrain, (who,)), "a", "kt21-lite") <= 1.2 - R32 + 0.05, (x, y)
