"""Every rule of sight, one by one: what it says, and the case just outside it.

Unless a test says otherwise: 32 mm bases (radius 0.63), shooter a at (5, 11), target b at (15, 11).
"""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
from sight_fans import from_origin, judge_of, keys
from sight_scenes import R32, block, doll, feature, op, part, table

from ktsim.geometry.solids import box
from ktsim.killzones.figures import cylinder_figure
from ktsim.sight.control import in_control_range, point_in_control_range
from ktsim.sight.dates import SMOKE_BLUNTS
from ktsim.sight.distances import (
    between,
    height_above,
    is_within,
    to_disc,
)
from ktsim.sight.kt24 import SMOKE_REACH, is_in_smoke, outside_smoke
from ktsim.sight.levels import levels, line_height, vantage_under
from ktsim.sight.obstacles import head_of
from ktsim.sight.outcomes import regions
from ktsim.sight.ruling import Ruling, ruling
from ktsim.sight.scene import (
    MM,
    RULES_DATES,
    Area,
    Base,
    Edition,
    Feature,
    Hatchway,
    Operative,
    Scene,
    WallLine,
    Weapon,
)
from ktsim.sight.visibility import visible

A, B = op("a", 5, 11), op("b", 15, 11)
SHY = op("b", 15, 11, order="conceal")
FACE = 15 - R32
"""Where the target's base begins."""


def fence(traits: str, gap: float = 0.5, id: str = "fence", high: float = 0.8) -> Feature:
    """A wide low piece *gap* before the target's base."""
    return block(id, traits, (FACE - gap - 0.2, 8, 0), (FACE - gap, 14, high))


def midway(traits: str, id: str = "mid") -> Feature:
    return block(id, traits, (9.9, 6, 0), (10.1, 16, 0.8))


def rule(
    *operatives: Operative,
    features: tuple[Feature, ...] = (),
    edition: Edition = "kt24",
    weapon: str | None = None,
    rules: tuple[str, ...] = (),
    smoke: tuple[tuple[float, float, float], ...] = (),
    areas: tuple[Area, ...] = (),
) -> Ruling:
    scene = table(*operatives, features=features, rules=rules, smoke=smoke, areas=areas)
    return ruling(scene, "a", "b", edition, Weapon(tuple(weapon.split(","))) if weapon else None)


def cited(found: Ruling) -> set[str]:
    return {reason.rule for reason in found.reasons}


# ---- things on the board ----


@pytest.mark.rule("SIGHT-1")
def test_traits_belong_to_parts() -> None:
    """Seek Light ignores the Light part of a feature; its Heavy part still hides the target."""
    x = FACE - 0.3
    light = ("high", "light", box((x - 0.3, 8, 0), (x - 0.2, 14, 0.8)))
    heavy = ("low", "heavy", box((x - 0.1, 8, 0), (x, 14, 0.2)))
    both = rule(A, SHY, features=(feature("ruin", light, heavy),), weapon="seek light")
    assert not both.valid_target
    assert both.cover_from == ("ruin/high", "ruin/low")
    assert rule(A, SHY, features=(feature("ruin", light),), weapon="seek light").valid_target


@pytest.mark.rule("SIGHT-2")
def test_states_change_what_stands_there() -> None:
    shut = part("gate", "leaf", "heavy", box((9.9, 5, 0), (10.1, 17, 8)))
    gate = Feature("gate", (), {"shut": (shut,), "gone": ()}, "shut")
    scene = table(A, B, features=[gate])
    assert not visible(scene, "a", "b").visible
    assert visible(replace(scene, states={"gate": "gone"}), "a", "b").visible
    assert not visible(replace(scene, states={"gate": "shut"}), "a", "b").visible


@pytest.mark.rule("SIGHT-3")
def test_blocking_gaps_stop_sight_and_intervene_like_what_is_around_them() -> None:
    def hole(traits: str, around: str) -> Feature:
        lintel = ("lintel", around, box((9.9, 5, 2), (10.1, 17, 9)))
        return feature("pipe", lintel, ("gap", traits, box((9.9, 5, 0), (10.1, 17, 2))))

    assert not visible(table(A, B, features=[hole("blocking", "heavy")]), "a", "b").visible
    bare = feature("pipe", ("lintel", "heavy", box((9.9, 5, 2), (10.1, 17, 9))))
    assert visible(table(A, B, features=[bare]), "a", "b").visible
    for around, obscured in (("heavy", True), ("light", False)):
        judge = judge_of(table(A, B, features=[hole("blocking", around)]))
        assert regions(judge)[0].outcome.obscured == obscured
    assert not regions(judge_of(table(A, B, features=[bare])))[0].outcome.obscured


@pytest.mark.rule("SIGHT-4")
def test_an_operative_is_a_base_a_body_above_it_and_a_head() -> None:
    oval = op("a", 5, 11, base=Base.of_mm(60, 35), turn=90)
    scene = table(oval, B)
    assert between(scene, "a", "b") == pytest.approx(10 - 17.5 * MM - R32, abs=1e-6)  # turned: the short way
    assert between(scene.moved(replace(oval, turn=0.0)), "a", "b") == pytest.approx(10 - 30 * MM - R32, abs=1e-6)
    assert doll().triangles[..., 2].min() == pytest.approx(3.5 * MM)
    figure = replace(doll(), head=(0.2, 0.0, 1.1))
    x, y, z, radius = head_of(op("a", 5, 11, 2.0, turn=90, body=figure))
    assert (x, y, z, radius) == pytest.approx((5, 11.2, 3.1, 0.1))


@pytest.mark.rule("SIGHT-5")
def test_levels_are_the_floor_and_the_tops_of_vantage_parts() -> None:
    tower = feature(
        "tower",
        ("one", "vantage", box((0, 0, 2.8), (4, 4, 3))),
        ("two", "vantage ceiling", box((0, 0, 5.3), (4, 4, 5.5))),
        ("roof", "heavy", box((0, 0, 7), (4, 4, 8))),
    )
    scene = table(op("a", 2, 2, 3.0), op("b", 2, 2, 5.5), op("c", 9, 9), op("d", 5, 2, 3.0), features=[tower])
    assert levels(scene) == (0.0, 3.0, 5.5)
    names = {id: [p.name for p in vantage_under(scene, scene.operative(id))] for id in "abcd"}
    assert names == {"a": ["one"], "b": ["two"], "c": [], "d": []}  # d stands beside it


# ---- lines ----


@pytest.mark.rule("SIGHT-6")
@pytest.mark.parametrize(("gap", "seen"), [(0.99, False), (1.01, True)])
def test_a_line_needs_a_millimetre(gap: float, seen: bool) -> None:
    half = gap / 2 * MM
    walls = (
        block("l", "heavy", (9.99, 5, 0), (10.01, 11 - half, 8)),
        block("r", "heavy", (9.99, 11 + half, 0), (10.01, 17, 8)),
    )
    assert rule(A, B, features=walls).visible == seen


@pytest.mark.rule("SIGHT-7")
def test_what_obstructs_sight() -> None:
    tall = (9.9, 5, 0), (10.1, 17, 8)
    for traits in ("heavy", "light", "blocking", "exposed", "vantage"):
        assert not visible(table(A, B, features=[block("x", traits, *tall)]), "a", "b").visible
    low = block("x", "heavy", (9.9, 5, 0), (10.1, 17, 0.9))
    assert visible(table(A, B, features=[low]), "a", "b").visible


@pytest.mark.rule("SIGHT-9")
def test_a_ruling_carries_its_proof() -> None:
    free = rule(A, B)
    assert free.witness is not None
    shut = rule(A, B, features=(block("x", "heavy", (9.9, 5, 0), (10.1, 17, 8)),))
    assert shut.witness is None
    assert shut.sighting.block is not None
    assert shut.sighting.block.by == "x/body"
    assert not shut.valid_target


@pytest.mark.rule("SIGHT-12")
def test_exposed_parts_and_operatives_never_intervene_in_2024() -> None:
    assert rule(A, SHY, features=(fence("light"),)).in_cover
    assert not rule(A, SHY, features=(fence("light exposed"),)).in_cover
    between_them = op("c", FACE - 0.8, 11, body=cylinder_figure(0.1, 0.5))
    assert not rule(A, SHY, between_them).in_cover
    assert rule(A, SHY, between_them, edition="kt21-lite").in_cover


# ---- distances ----


@pytest.mark.rule("SIGHT-15")
def test_distances_run_between_closest_points_in_space() -> None:
    scene = table(op("a", 5, 11), op("b", 8, 15, 3.0), op("c", 5.2, 11, 2.0))
    assert between(scene, "a", "b") == pytest.approx(((5 - 2 * R32) ** 2 + 9) ** 0.5)
    assert between(scene, "a", "c") == pytest.approx(2.0)
    assert to_disc(scene, "a", (8.0, 11.0, 0.0), 0.4) == pytest.approx(3 - R32 - 0.4)
    assert is_within(1.0 + 5e-7, 1.0)
    assert not is_within(1.0 + 2e-6, 1.0)


@pytest.mark.rule("SIGHT-17", "KZ-WALL")
def test_distances_go_around_walls() -> None:
    """Around the wall's end at y = 12: both faces 0.2 from its middle."""
    people = op("a", 8, 11), op("b", 12, 11)
    wall = WallLine("w", (10, 0), (10, 12))
    straight = table(*people)
    around = table(*people, walls=[wall])
    assert between(straight, "a", "b") == pytest.approx(4 - 2 * R32)
    expected = 2 * ((1.8**2 + 1) ** 0.5 - R32) + 0.4
    assert between(around, "a", "b") == pytest.approx(expected, abs=1e-4)
    heavy = table(*people, features=[block("w", "heavy", (9.8, 0, 0), (10.2, 12, 2.75))])
    assert between(heavy, "a", "b") == pytest.approx(4 - 2 * R32)  # only Wall terrain


@pytest.mark.rule("SIGHT-18")
def test_height_is_the_difference_of_levels() -> None:
    assert height_above(op("a", 1, 1, 3.0), op("b", 9, 9, 0.5, body=cylinder_figure(0.3, 3.0))) == 2.5


# ---- 2024 ----


@pytest.mark.rule("KT24-CONTROL")
def test_control_range_is_an_inch_and_sight() -> None:
    for gap, inside in ((0.5, True), (1.0, True), (1.001, False)):
        assert in_control_range(table(A, op("b", 5 + 2 * R32 + gap, 11)), "a", "b") == inside
    near = op("b", 5 + 2 * R32 + 0.8, 11)
    wall = block("x", "heavy", (5 + R32 + 0.3, 5, 0), (5 + R32 + 0.4, 17, 8))
    assert not in_control_range(table(A, near, features=[wall]), "a", "b")


@pytest.mark.rule("KT24-CONTROL")
def test_control_range_is_mutual_when_only_one_sees() -> None:
    """A sill hides a from b's low head, b's tall body shows above it."""
    a = op("a", 5, 11, body=cylinder_figure(0.3, 1.0, (0.95, 0.1)))
    b = op("b", 5 + 2 * R32 + 0.9, 11, body=cylinder_figure(0.3, 3.0, (0.4, 0.1)))
    sill = block("sill", "heavy", (5 + R32 + 0.5, 5, 0), (5 + R32 + 0.85, 17, 1.6))
    scene = table(a, b, features=[sill])
    assert visible(scene, "a", "b").visible
    assert not visible(scene, "b", "a").visible
    assert in_control_range(scene, "a", "b")
    assert in_control_range(scene, "b", "a")


@pytest.mark.rule("KT24-CONTROL")
def test_a_marker_in_control_range() -> None:
    scene = table(A, features=[block("x", "heavy", (3, 11.9, 0), (7, 12, 4))])
    assert point_in_control_range(scene, "a", (5 + R32 + 0.4 + 1.0, 11.0, 0.0), 0.4)
    assert not point_in_control_range(scene, "a", (5 + R32 + 0.4 + 1.001, 11.0, 0.0), 0.4)
    assert not point_in_control_range(scene, "a", (5.0, 12.5, 0.0), 0.4)  # near enough, behind the wall


@pytest.mark.rule("KZ-VOLKUS-CONTROL")
def test_doors_and_low_parts_of_strongholds_do_not_stop_control_range() -> None:
    near = op("b", 5 + 2 * R32 + 0.8, 11)
    x0, x1 = 5 + R32 + 0.3, 5 + R32 + 0.4

    def scene(kind: str, name: str, high: float, rules: tuple[str, ...] = ("KZ-VOLKUS-CONTROL",)) -> Scene:
        barrier = feature("s", ("it", "heavy", box((x0, 5, 0), (x1, 17, high))), kind=kind, kinds={"it": name})
        return table(A, near, features=[barrier], rules=rules)

    assert in_control_range(scene("stronghold", "door", 3.0), "a", "b")
    assert in_control_range(scene("large ruin", "door", 3.0), "a", "b")
    assert not in_control_range(scene("small ruin", "door", 3.0), "a", "b")
    assert in_control_range(scene("stronghold", "", 1.99), "a", "b")
    assert not in_control_range(scene("stronghold", "", 2.0), "a", "b")
    assert not in_control_range(scene("large ruin", "", 1.99), "a", "b")
    assert not in_control_range(scene("stronghold", "door", 3.0, ()), "a", "b")
    assert not visible(scene("stronghold", "door", 3.0), "a", "b").visible  # for control range only


@pytest.mark.rule("KT24-COVER")
def test_cover_comes_from_what_is_within_an_inch_of_the_target() -> None:
    for traits in ("light", "heavy"):
        assert rule(A, B, features=(fence(traits, 0.9),)).cover_from == ("fence/body",)
        assert not rule(A, B, features=(fence(traits, 1.1),)).in_cover


@pytest.mark.rule("KT24-COVER")
def test_no_cover_within_two_inches() -> None:
    for gap, covered in ((2.0, False), (2.001, True)):
        a = op("a", FACE - gap - R32, 11)
        assert rule(a, SHY, features=(fence("light"),)).in_cover == covered


@pytest.mark.rule("KT24-COVER")
def test_the_target_must_see_what_covers_it() -> None:
    """A crate right behind a tall screen that is itself too high for lines: the target sees only the screen."""
    crate = block("crate", "light", (FACE - 0.6, 9, 0), (FACE - 0.5, 13, 0.12))
    screen = feature(
        "screen",
        ("front", "light exposed", box((FACE - 0.3, 7, 0), (FACE - 0.2, 15, 0.5))),
        ("left", "light exposed", box((FACE - 0.9, 7, 0), (FACE - 0.2, 7.1, 0.5))),
        ("lid", "light exposed", box((FACE - 0.9, 7, 0.4), (FACE - 0.2, 15, 0.5))),
    )
    assert rule(A, B, features=(crate,)).in_cover
    assert not rule(A, B, features=(crate, screen)).in_cover


@pytest.mark.rule("KT24-OBSCURED")
def test_heavy_terrain_beyond_an_inch_of_both_obscures() -> None:
    assert rule(A, B, features=(midway("heavy"),)).obscured_by == ("mid/body",)
    assert not rule(A, B, features=(midway("light"),)).obscured
    near = block("x", "heavy", (FACE - 0.4, 10.3, 0), (FACE - 0.3, 11.7, 0.8))
    assert not rule(A, B, features=(near,)).obscured
    beside = block("x", "heavy", (5 + R32 + 0.3, 10.3, 0), (5 + R32 + 0.4, 11.7, 0.8))
    assert not rule(A, B, features=(beside,)).obscured


@pytest.mark.rule("KT24-SAMEFEATURE")
def test_cover_and_obscured_need_two_features() -> None:
    cover, mid = fence("light").parts[0], midway("heavy").parts[0]
    two = rule(A, B, features=(fence("light"), midway("heavy")))
    assert (two.in_cover, two.obscured, two.choice) == (True, True, None)
    one = Feature("one", (replace(cover, feature="one", name="c"), replace(mid, feature="one", name="m")))
    same = rule(A, B, features=(one,))
    assert (same.in_cover, same.obscured, same.choice) == (True, True, "defender")
    third = rule(A, B, features=(one, midway("heavy", "other")))
    assert (third.in_cover, third.obscured, third.choice) == (True, True, None)
    assert rule(A, B, features=(fence("light"),)).choice is None


@pytest.mark.rule("KT24-VALID")
def test_valid_targets_by_order() -> None:
    assert rule(A, B, features=(fence("light"),)).valid_target
    assert not rule(A, SHY, features=(fence("light"),)).valid_target
    assert rule(A, SHY, features=(midway("heavy"),)).valid_target  # obscured never prevents it
    assert rule(A, SHY).valid_target
    assert not rule(A, B, features=(block("x", "heavy", (9.9, 5, 0), (10.1, 17, 8)),)).valid_target


@pytest.mark.rule("KT24-VALID")
def test_a_friend_at_the_target_forbids_the_shoot_action_only() -> None:
    friend = op("a2", 15, 11 + 2 * R32 + 1.0)
    found = rule(A, B, friend)
    notes = [r.text for r in found.reasons if r.rule == "KT24-VALID" and "Shoot" in r.text]
    assert found.valid_target
    assert len(notes) == 1
    away = rule(A, B, op("a2", 15, 11 + 2 * R32 + 1.01))
    assert not [r for r in away.reasons if "Shoot action" in r.text]
    foe = rule(A, B, op("c", 15, 11 + 2 * R32 + 1.0))
    assert not [r for r in foe.reasons if "Shoot action" in r.text]


def perch(level: float, id: str = "tower") -> Feature:
    return block(id, "vantage", (3, 9, level - 0.15), (7, 13, level))


@pytest.mark.rule("KT24-VANTAGE-1")
@pytest.mark.parametrize(("level", "accurate"), [(1.9, 0), (2.0, 1), (3.9, 1), (4.0, 2)])
def test_accurate_from_vantage(level: float, accurate: int) -> None:
    a = op("a", 6.2, 11, level)
    assert rule(a, B, features=(perch(level),)).accurate == accurate
    assert rule(a, SHY, features=(perch(level),)).accurate == 0
    assert rule(a, B).accurate == 0  # as high, but not on Vantage


@pytest.mark.rule("KT24-VANTAGE-2")
@pytest.mark.parametrize(("level", "denied"), [(1.9, False), (2.0, True)])
def test_light_terrain_does_not_hide_from_vantage(level: float, denied: bool) -> None:
    a = op("a", 6.4, 11, level)
    light = block("fence", "light", (FACE - 0.4, 8, 0), (FACE - 0.2, 14, 0.9))
    found = rule(a, SHY, features=(perch(level), light))
    assert found.in_cover
    assert (found.valid_target, found.improved_cover_save) == (denied, denied)
    heavy = block("fence", "heavy", (FACE - 0.4, 8, 0), (FACE - 0.2, 14, 0.9))
    assert not rule(a, SHY, features=(perch(level), heavy)).valid_target


@pytest.mark.rule("KT24-VANTAGE-2", "KT24-W-SEEK-LIGHT")
def test_seek_light_denies_the_improved_save() -> None:
    light = block("fence", "light", (FACE - 0.4, 8, 0), (FACE - 0.2, 14, 0.9))
    found = rule(op("a", 6.4, 11, 3), SHY, features=(perch(3), light), weapon="seek light")
    assert found.valid_target
    assert not found.improved_cover_save
    engage = rule(op("a", 6.4, 11, 3), B, features=(perch(3), light))
    assert not engage.improved_cover_save


@pytest.mark.rule("KT24-VANTAGE-2", "KT24-W-RANGE")
@pytest.mark.parametrize(("reach", "improved"), [(8, True), (7, False)])
def test_who_is_out_of_reach_keeps_no_improved_save(reach: int, improved: bool) -> None:
    """Nothing makes it a valid target, so Vantage does not either."""
    light = block("fence", "light", (FACE - 0.4, 8, 0), (FACE - 0.2, 14, 0.9))
    found = rule(op("a", 6.4, 11, 3), SHY, features=(perch(3), light), weapon=f'range {reach}"')
    assert (found.valid_target, found.improved_cover_save) == (improved, improved)


def tower_with(traits: str, kind: str = "") -> Feature:
    """A floor to stand on and a buttress in the lines, more than an inch from both."""
    floor = ("floor", "vantage", box((3, 9, 2.85), (7, 13, 3)))
    return feature("tower", floor, ("buttress", traits, box((9, 6, 0), (9.3, 16, 2.6))), kinds={"floor": kind})


@pytest.mark.rule("KT24-VANTAGE-3")
def test_heavy_parts_of_the_feature_one_stands_on_do_not_obscure() -> None:
    a = op("a", 6.4, 11, 3)
    assert not rule(a, B, features=(tower_with("heavy"),)).obscured
    other = block("rock", "heavy", (9, 6, 0), (9.3, 16, 2.6))
    assert rule(a, B, features=(perch(3), other)).obscured
    assert rule(a, B, features=(tower_with("heavy", "fire step"),)).obscured
    # the target on it, the shooter below
    below = table(op("a", 15, 11), op("b", 6.4, 11, 3), features=[tower_with("heavy")])
    assert not ruling(below, "a", "b").obscured


@pytest.mark.rule("KT24-VANTAGE-4")
def test_the_edge_of_a_floor_covers_those_who_stand_back() -> None:
    floor = block("floor", "vantage", (12, 8, 2.8), (18, 14, 3))
    back = rule(op("a", 5, 11), op("b", 13.4, 11, 3), features=(floor,))
    assert back.in_cover
    edge = rule(op("a", 5, 11), op("b", 12 + 0.1, 11, 3), features=(floor,))
    assert not edge.in_cover
    light = rule(op("a", 5, 11), op("b", 13.4, 11, 3, order="conceal"), features=(floor,), weapon="seek light")
    assert light.valid_target  # the floor is Light terrain


@pytest.mark.rule("KT24-SMOKE")
def test_smoke_obscures_those_wholly_within_it() -> None:
    reach = 1 + 10 * MM - R32
    assert is_in_smoke(B, (15 - reach, 11.0, 0.0))
    assert not is_in_smoke(B, (15 - reach - 1e-3, 11.0, 0.0))
    assert is_in_smoke(op("b", 15, 11, 4.0), (15.0, 11.0, 0.0))  # unlimited upwards
    assert not is_in_smoke(B, (15.0, 11.0, 1.0))  # not below
    at_target = rule(A, B, smoke=((15.0, 11.0, 0.0),))
    assert at_target.obscured
    assert at_target.obscured_by == ("smoke/1",)
    assert at_target.blunts_piercing
    at_shooter = rule(A, B, smoke=((5.0, 11.0, 0.0),))
    assert at_shooter.obscured
    assert not at_shooter.blunts_piercing
    assert not rule(A, B, smoke=((10.0, 11.0, 0.0),)).obscured


@pytest.mark.rule("KT24-SMOKE", "SIGHT-15")
@pytest.mark.parametrize("turn", [0.0, 0.5, 17.3])
@pytest.mark.parametrize("beyond", [-5e-6, 5e-6])
def test_every_point_of_an_oval_base_is_in_smoke_or_it_is_not(turn: float, beyond: float) -> None:
    oval = Base.of_mm(60, 35)
    way = math.radians(turn)
    apart = SMOKE_REACH - oval.along + beyond
    marker = (15 - apart * math.cos(way), 11 - apart * math.sin(way), 0.0)
    one = op("b", 15, 11, turn=turn, base=oval)
    assert outside_smoke(one, marker) == pytest.approx(beyond, abs=1e-8)
    assert is_in_smoke(one, marker) == (beyond < 0)


@pytest.mark.rule("KT24-SMOKE")
@pytest.mark.parametrize(("gap", "obscured"), [(2.0, False), (2.001, True)])
def test_smoke_does_not_obscure_within_two_inches(gap: float, obscured: bool) -> None:
    found = rule(op("a", FACE - gap - R32, 11), B, smoke=((15.0, 11.0, 0.0),))
    assert found.obscured == obscured
    assert found.blunts_piercing == obscured


@pytest.mark.rule("KT24-DATED", "KT24-SMOKE")
def test_a_ruling_that_hangs_on_its_date_says_what_other_dates_give() -> None:
    old, new = RULES_DATES
    scene = table(A, B, smoke=((15.0, 11.0, 0.0),))
    texts = {}
    for date, other in ((old, new), (new, old)):
        found = ruling(replace(scene, rules_as_of=date), "a", "b")
        texts[date] = [reason.text for reason in found.reasons if reason.rule == "KT24-SMOKE"]
        dated = next(reason.text for reason in found.reasons if reason.rule == "KT24-DATED")
        assert dated == f"Ruled as of {date}. As of {other}: {SMOKE_BLUNTS.said(other)}"
        assert f"  KT24-DATED  {dated}" in found.as_text().splitlines()
    assert texts[old] != texts[new]
    for apart in (rule(A, B), rule(A, B, smoke=((5.0, 11.0, 0.0),))):  # nothing that was corrected is asked
        assert "KT24-DATED" not in cited(apart)


@pytest.mark.rule("KT24-W-SEEK")
def test_seek_ignores_cover_when_choosing_a_target() -> None:
    for traits in ("light", "heavy"):
        found = rule(A, SHY, features=(fence(traits),), weapon="seek")
        assert found.valid_target
        assert found.in_cover  # the cover save remains
        assert not rule(A, SHY, features=(fence(traits),), weapon="lethal 5+").valid_target


@pytest.mark.rule("KT24-W-SEEK-LIGHT")
def test_seek_light_ignores_light_cover_only() -> None:
    assert rule(A, SHY, features=(fence("light"),), weapon="Seek Light").valid_target
    assert not rule(A, SHY, features=(fence("heavy"),), weapon="Seek Light").valid_target


@pytest.mark.rule("KT24-W-RANGE")
def test_beyond_a_weapons_range_nothing_is_a_valid_target() -> None:
    gap = 10 - 2 * R32
    for limit, reaches in ((gap + 0.01, True), (gap, True), (gap - 0.001, False)):
        found = rule(A, B, weapon=f"range {limit:.9f}")
        assert found.shootable == found.valid_target == reaches
        assert found.headline.startswith("Valid target" if reaches else "No target")
        assert not rule(A, SHY, features=(fence("light"),), weapon=f"range {limit:.9f}").valid_target
    assert "KT24-W-RANGE" in cited(rule(A, B, weapon='Range 8"'))


@pytest.mark.rule("KT24-W-SILENT")
def test_silent_weapons_may_be_shot_on_conceal() -> None:
    hidden = op("a", 5, 11, order="conceal")
    assert "KT24-ORDER" in cited(rule(hidden, B))
    assert "KT24-ORDER" not in cited(rule(hidden, B, weapon="silent"))
    assert "KT24-ORDER" not in cited(rule(A, B))


# ---- 2021 ----


@pytest.mark.rule("KT21-LOS")
def test_2021_obscured_prevents_targeting() -> None:
    assert rule(A, B, edition="kt21-lite").valid_target
    assert not rule(A, B, features=(midway("heavy"),), edition="kt21-lite").valid_target
    assert rule(A, B, features=(fence("light"),), edition="kt21-lite").valid_target
    assert not rule(A, SHY, features=(fence("light"),), edition="kt21-lite").valid_target
    assert rule(A, SHY, edition="kt21-lite").valid_target
    assert not rule(A, B, features=(block("x", "light", (9.9, 5, 0), (10.1, 17, 8)),), edition="kt21-lite").valid_target


@pytest.mark.rule("KT21-COVER")
def test_2021_cover() -> None:
    for gap, covered in ((0.9, True), (1.1, False)):
        assert rule(A, B, features=(fence("light", gap),), edition="kt21-lite").in_cover == covered
    for gap, covered in ((2.0, False), (2.001, True)):
        a = op("a", FACE - gap - R32, 11)
        assert rule(a, B, features=(fence("light"),), edition="kt21-lite").in_cover == covered


@pytest.mark.rule("KT21-COVER")
def test_2021_bases_in_line_of_sight_give_cover() -> None:
    other = op("c", FACE - 0.8, 11, body=cylinder_figure(0.1, 0.5))
    assert rule(A, B, other, edition="kt21-lite").cover_from == ("c/base",)
    assert not rule(A, B, replace(other, x=FACE - 1.8), edition="kt21-lite").in_cover
    # itself hidden behind a screen lower than the target, another's base gives no cover
    screen = block("screen", "light", (FACE - 1.8, 6, 0.2), (FACE - 1.7, 16, 1.0))
    shy = op("c", FACE - 0.8, 11, body=cylinder_figure(0.1, 0.15, (0.2, 0.02)))
    hidden = rule(A, B, shy, features=(screen,), edition="kt21-lite")
    assert not hidden.in_cover


@pytest.mark.rule("KT21-OBSCURED")
def test_2021_obscured_beyond_two_inches_of_the_target() -> None:
    def wall(gap: float) -> Feature:
        return block("x", "heavy", (FACE - gap, 11 - 1e-4, 0), (FACE - gap + 1e-3, 11 + 1e-4, 0.8))  # a needle

    spot = (5 + R32 - 0.5 * MM, 11)
    for gap, obscured in ((1.9, False), (2.0, False), (2.0001, True)):
        judge = judge_of(table(A, B, features=[wall(gap)]), edition="kt21-lite")
        assert from_origin(judge, *spot).obscured == obscured


@pytest.mark.rule("KT21-OBSCURED")
def test_2021_points_within_an_inch_of_the_shooter_do_not_count_but_others_of_the_part_do() -> None:
    near = block("x", "heavy", (5 + R32 + 0.2, 10.95, 0), (5 + R32 + 0.8, 11.05, 0.8))
    long = block("x", "heavy", (5 + R32 + 0.2, 10.95, 0), (5 + R32 + 1.8, 11.05, 0.8))
    spot = (5 + R32 - 0.5 * MM, 11)
    for piece, obscured in ((near, False), (long, True)):
        judge = judge_of(table(A, B, features=[piece]), edition="kt21-lite")
        assert from_origin(judge, *spot).obscured == obscured


@pytest.mark.rule("KT21-OBSCURED")
def test_2021_without_traits_what_is_taller_than_the_target_obscures() -> None:
    top = float(doll().triangles[..., 2].max())
    for high, obscured in ((top - 0.01, False), (top + 0.01, True)):
        mid = block("x", "", (9.9, 6, 0), (10.1, 16, high))
        judge = judge_of(table(A, B, features=[mid]), edition="kt21-lite")
        assert regions(judge)[0].outcome.obscured == obscured
    light = block("x", "light", (9.9, 6, 0), (10.1, 16, top + 1))
    assert not regions(judge_of(table(A, B, features=[light]), edition="kt21-lite"))[0].outcome.obscured


@pytest.mark.rule("KT21-VANTAGE")
@pytest.mark.parametrize(("level", "valid"), [(1.9, False), (2.0, True)])
def test_2021_conceal_in_light_cover_counts_as_engage_from_a_vantage_point(level: float, valid: bool) -> None:
    a = op("a", 6.4, 11, level)
    light = block("fence", "light", (FACE - 0.4, 8, 0), (FACE - 0.2, 14, 0.9))
    heavy = block("fence", "heavy", (FACE - 0.4, 8, 0), (FACE - 0.2, 14, 0.9))
    found = rule(a, SHY, features=(perch(level), light), edition="kt21-lite")
    assert found.in_cover
    assert found.valid_target == valid
    assert not rule(a, SHY, features=(perch(level), heavy), edition="kt21-lite").valid_target


@pytest.mark.rule("KT21-VANTAGE")
def test_2021_a_target_on_a_vantage_point_cannot_use_what_is_below_it() -> None:
    def keep(*more: tuple[str, str, object]) -> Feature:
        floor = ("floor", "vantage", box((12, 8, 2.8), (18, 14, 3)))
        return feature("keep", floor, *more)  # type: ignore[arg-type]

    b = op("b", 13.4, 11, 3)
    assert not rule(A, b, features=(keep(),), edition="kt21-lite").in_cover
    under = ("wall", "heavy", box((12, 8, 0), (12.2, 14, 2.8)))
    assert not rule(A, b, features=(keep(under),), edition="kt21-lite").in_cover
    rampart = ("rampart", "light", box((12, 8, 3), (12.2, 14, 3.6)))
    assert rule(op("a", 5, 11, 3), b, features=(keep(rampart), perch(3)), edition="kt21-lite").in_cover


@pytest.mark.rule("KT21-VANTAGE")
@pytest.mark.parametrize("own", [True, False])
def test_2021_a_wall_through_the_targets_level_is_there_from_the_level_upwards(own: bool) -> None:
    """The lines of a shooter below cross it below the level, 3.7" from the target: its own wall does not obscure."""
    floor, wall = box((12, 8, 2.8), (18, 14, 3)), box((12, 8, 0), (12.2, 14, 5))
    keep = feature("keep", ("floor", "vantage", floor), *([("wall", "heavy", wall)] if own else []))
    other = () if own else (feature("other", ("wall", "heavy", wall)),)
    b = op("b", 16.4, 11, 3)
    assert rule(A, b, features=(keep, *other), edition="kt21-lite").obscured != own
    # along the level and from above the lines cross what is above it
    for level in (3.0, 4.0):
        assert rule(op("a", 5, 11, level), b, features=(keep, *other, perch(level)), edition="kt21-lite").obscured


@pytest.mark.rule("KT21-VANTAGE", "KT21-RAMPART")
@pytest.mark.parametrize(("top", "covers"), [(3.0, False), (3.5, True)])
def test_2021_a_wall_that_rises_above_the_targets_level_is_a_rampart(top: float, covers: bool) -> None:
    """Lines from below cross it below the level, within an inch of the target: they pass underneath what rises."""
    keep = feature(
        "keep",
        ("floor", "vantage", box((12, 8, 2.8), (18, 14, 3))),
        ("wall", "heavy", box((12, 8, 0), (12.2, 14, top))),
    )
    assert rule(A, op("b", 13.4, 11, 3), features=(keep,), edition="kt21-lite").in_cover == covers


@pytest.mark.rule("KT21-RAMPART")
def test_2021_lines_underneath_a_rampart_count_as_crossing_it() -> None:
    """A rampart that starts 0.3 above the floor: lines from below come up through the floor and pass underneath it."""

    def keep(x: float) -> Feature:
        return feature(
            "keep",
            ("floor", "vantage", box((12, 8, 2.8), (18, 14, 3))),
            ("rampart", "light", box((x, 8, 3.3), (x + 0.1, 14, 3.8))),
        )

    b = op("b", 13.4, 11, 3)
    near = rule(A, b, features=(keep(12.0),), edition="kt21-lite")
    assert near.in_cover
    assert near.cover_from == ("keep/rampart",)
    far = op("b", 12 + 0.1 + 1.05 + R32, 11, 3)
    assert not rule(A, far, features=(keep(12.0),), edition="kt21-lite").in_cover
    # from its own level the line runs in the open below the rampart, and that is no line from below
    level = rule(op("a", 5, 11, 3), b, features=(keep(12.0), perch(3)), edition="kt21-lite")
    assert not level.in_cover


@pytest.mark.rule("KT21-GAP")
def test_2021_a_gap_under_a_pipe_counts_when_the_file_says_so() -> None:
    pipe = ("pipe", "heavy", box((9.9, 6, 0.2), (10.1, 16, 0.8)))
    gap = ("gap", "blocking", box((9.9, 6, 0), (10.1, 16, 0.2)))
    assert rule(A, B, features=(feature("p", pipe, gap),), edition="kt21-lite").obscured
    assert not rule(A, B, features=(feature("p", pipe),), edition="kt21-lite").obscured


HATCHWAY = (
    WallLine("n", (10, 0), (10, 10)),
    WallLine("h", (10, 10), (10, 12), hatchway=Hatchway(1.6, "start", "right")),
    WallLine("s", (10, 12), (10, 22)),
)
"""The hatch swings to +x; open it stands at y = 10.05 to 10.2, from x = 10.2 to 11.7."""


def through(state: str, b: Operative, a: Operative = A) -> Scene:
    return table(a, b, walls=HATCHWAY, states={"h": state})


@pytest.mark.rule("KT21-HATCH")
def test_2021_an_open_hatch_gives_cover_also_underneath() -> None:
    """Lines run 0.07 up, the hatch begins at 0.15: all of them pass underneath it."""
    leaf = ruling(through("open", op("b", 11.2, 9.2), op("a", 11.2, 14)), "a", "b", "kt21-lite")
    assert "h/hatch" in leaf.cover_from
    gone = ruling(through("closed", op("b", 11.2, 9.2), op("a", 11.2, 14)), "a", "b", "kt21-lite")
    assert not gone.in_cover


# ---- killzones ----


@pytest.mark.rule("KZ-WALL")
def test_walls_are_heavy_and_have_no_top() -> None:
    wall = WallLine("w", (10, 0), (10, 22))
    scene = table(A, B, walls=[wall])
    assert not ruling(scene, "a", "b").visible
    assert all(p.traits >= {"heavy", "wall"} for p in scene.parts())
    assert between(scene, "a", "b") > 20  # neither over nor through


def meeting(*walls: WallLine, a: Operative = A, b: Operative = B, states: dict[str, str] | None = None) -> set[str]:
    """The walls whose corners or ends some origin's lines cross."""
    judge = judge_of(table(a, b, walls=walls, states=states or {}))
    outcomes = [region.outcome for region in regions(judge)]
    return {key for o in outcomes for key in keys(judge, o.cover + o.obscuring)}


@pytest.mark.rule("KZ-WALL-ENDS")
def test_only_corners_and_ends_of_walls_intervene() -> None:
    assert meeting(WallLine("w", (10, 4), (10, 11))) == {"w"}  # ends in the lines
    assert meeting(WallLine("w", (10, 2), (10, 20))) == set()  # its middle is in the lines
    joint = WallLine("u", (10, 2), (10, 11)), WallLine("v", (10, 11), (10, 20))
    assert meeting(*joint) == set()  # a straight joint is neither
    corner = WallLine("u", (10, 2), (10, 11)), WallLine("v", (10, 11), (16, 18))
    assert "u" in meeting(*corner)


@pytest.mark.rule("KZ-WALL-ENDS")
def test_ends_count_while_the_shooter_has_not_passed_them() -> None:
    """A wall along y = 10 that ends at x = 9; the target stands along it on its +y side."""
    wall = WallLine("w", (0, 10), (9, 10))
    b = op("b", 6, 10.9)
    assert meeting(wall, a=op("a", 12, 8.5), b=b) == {"w"}
    assert meeting(wall, a=op("a", 12, 10.7), b=b) == set()  # its whole base is past the wall's middle line


@pytest.mark.rule("KZ-WALL-ENDS", "KZ-HATCH-OPEN", "KZ-HATCH-CLOSED")
def test_sides_of_an_open_hatchway_are_ends() -> None:
    b = op("b", 12.8, 11.9)
    assert "h" in meeting(*HATCHWAY, b=b, states={"h": "open"})
    assert meeting(*HATCHWAY, b=b, states={"h": "closed"}) == set()
    assert meeting(*HATCHWAY, b=b) == set()  # hatchways start closed


@pytest.mark.rule("KZ-HATCH-CLOSED")
def test_a_closed_hatchway_is_wall() -> None:
    scene = through("closed", B)
    assert {p.name: set(p.traits) for p in scene.parts() if p.feature == "h" and p.name != "wall"} == {
        "access": {"heavy", "wall"},
        "hatch": {"heavy", "wall"},
    }
    assert not ruling(scene, "a", "b").visible
    assert between(scene, "a", "b") > 20


@pytest.mark.rule("KZ-HATCH-OPEN")
def test_an_open_hatchway_is_an_opening_beside_a_swung_hatch() -> None:
    scene = through("open", B)
    traits = {p.name: set(p.traits) for p in scene.parts() if p.feature == "h"}
    assert traits["access"] == {"accessible", "insignificant", "exposed"}
    assert traits["hatch"] == {"heavy", "wall"}
    assert traits["gap"] == {"blocking"}
    assert ruling(scene, "a", "b").visible
    assert between(scene, "a", "b") == pytest.approx(10 - 2 * R32)
    # the hatch and the gap underneath stop sight: looking along the wall's far side
    low = cylinder_figure(0.2, 0.04, (0.16, 0.01))
    across = through("open", op("b", 11, 8.5, body=low), op("a", 11, 11.5, body=low))
    assert not visible(across, "a", "b").visible
    assert visible(through("closed", op("b", 11, 8.5, body=low), op("a", 11, 11.5, body=low)), "a", "b").visible


@pytest.mark.rule("KZ-BARRED")
def test_barred_windows_by_horizontal_distance() -> None:
    bars = block("bars", "barred heavy", (9.9, 5, 0), (10.1, 17, 9))
    tower = block("t", "vantage", (7, 9, 5.8), (9.85, 13, 6))
    assert rule(op("a", 8.8, 11, 6), op("b", 14, 11), features=(bars, tower)).visible
    assert not rule(op("a", 8.2, 11, 6), op("b", 14, 11), features=(bars, tower)).visible


@pytest.mark.rule("KZ-VOLKUS-RUIN")
def test_a_large_ruins_floor_counts_as_high_as_a_strongholds() -> None:
    ruin = feature("ruin", ("floor", "vantage ceiling", box((3, 9, 2.8), (7, 13, 3))), kind="large ruin")
    hold = feature("hold", ("floor", "vantage ceiling", box((13, 9, 3.2), (17, 13, 3.4))), kind="stronghold")
    on_ruin, on_hold = op("a", 5, 11, 3), op("b", 15, 11, 3.4)
    scene = table(on_ruin, on_hold, features=[ruin, hold], rules=["KZ-VOLKUS-RUIN"])
    assert line_height(scene, on_ruin) == pytest.approx(3.4 + 1.75 * MM)
    assert line_height(scene, on_hold) == pytest.approx(3.4 + 1.75 * MM)
    assert judge_of(scene).fan.is_planar
    plain = table(on_ruin, on_hold, features=[ruin, hold])
    assert line_height(plain, on_ruin) == pytest.approx(3 + 1.75 * MM)
    assert not judge_of(plain).fan.is_planar
    floor = op("c", 5, 11)
    assert line_height(scene, floor) == pytest.approx(1.75 * MM)


def sea(width: float) -> tuple[Area, ...]:
    low, high = 10 - width / 2, 10 + width / 2
    return (Area("sea", "hazardous", ((low, 0), (high, 0), (high, 22), (low, 22))),)


@pytest.mark.rule("KZ-HAZARD-TARGET")
def test_four_inches_of_hazard_on_a_line_forbid_the_target() -> None:
    """The steepest line of the best origin is barely longer than the sea is wide."""
    assert rule(A, B, areas=sea(3.9)).valid_target
    wide = rule(A, B, areas=sea(4.0))
    assert not wide.valid_target
    assert "KZ-HAZARD-TARGET" in cited(wide)
    tower = perch(3.0)
    assert rule(op("a", 6.4, 11, 3), B, features=(tower,), areas=sea(6.0)).valid_target  # both on the floor only


@pytest.mark.rule("KZ-BHETA-FOOTPRINT")
def test_footprints_of_gantries_forbid_targets_between_floor_and_vantage() -> None:
    def gantry(id: str, x0: float, x1: float, y0: float = 8, y1: float = 14) -> Feature:
        return feature(id, ("floor", "vantage accessible", box((x0, y0, 2.85), (x1, y1, 3))), kind="gantry")

    mine, other = gantry("mine", 3, 7), gantry("other", 9, 11)
    a = op("a", 6.4, 11, 3)
    rules = ("KZ-BHETA-FOOTPRINT",)
    assert not rule(a, B, features=(mine, other), rules=rules).valid_target
    assert not ruling(table(B, replace(a), features=[mine, other], rules=rules), "b", "a").valid_target
    assert rule(a, B, features=(mine, other)).valid_target  # elsewhere it is no rule
    assert rule(a, B, features=(mine,), rules=rules).valid_target  # the one it stands on
    assert rule(a, B, features=(mine, gantry("other", 9, 11, 14, 17)), rules=rules).valid_target  # beside the lines
    assert rule(a, op("b", 10, 11), features=(mine, other), rules=rules).valid_target  # underneath it
    both = rule(a, op("b", 15, 11, 3), features=(mine, other, gantry("far", 14, 17)), rules=rules)
    assert both.valid_target
