"""Targeting lines (SIGHT-10 to SIGHT-14): thresholds against closed forms, and all of it against brute force."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
from sight_fans import RADIUS, brute, from_origin, judge_of, keys, origins, random_slabs
from sight_scenes import R32, block, op, table

from ktsim.sight.outcomes import Outcome, regions
from ktsim.sight.ruling import ruling
from ktsim.sight.scene import MM, Base, Edition, Feature, Operative, Scene

TOLERANCE = 0.05 * MM
THIN = 0.02


def support(one: Operative, nx: float, ny: float, inset: float) -> float:
    """Of the base shrunk by *inset*: the largest n . x, for a unit vector n."""
    c, s = math.cos(math.radians(one.turn)), math.sin(math.radians(one.turn))
    along, across = one.base.along * (nx * c + ny * s), one.base.across * (ny * c - nx * s)
    return nx * one.x + ny * one.y + math.hypot(along, across) - inset


def tip_threshold(a: Operative, b: Operative, x: float, convention: str) -> float:
    """Where the tip of a wall that comes from below at *x* may just be, for some origin to have all lines pass it.

    The best origin is where the line that touches the shooter's figure from above and the target's from below (the
    inner common tangent) leaves the former: it is the lowest line of that origin's fan, and no origin's lowest line
    is higher at the wall. The tip must keep 0.5 mm from it.
    """
    inset = RADIUS if convention == "inset" else 0.0

    def gap(slope: float) -> float:
        nx, ny = math.sin(slope), math.cos(slope)
        return support(a, nx, ny, inset) + support(b, -nx, -ny, inset)

    low, high = 0.0, 1.2  # touching S from above lies above what touches T from below until the line is steep enough
    for _ in range(80):
        middle = (low + high) / 2
        low, high = (middle, high) if gap(middle) > 0 else (low, middle)
    nx, ny = math.sin(low), math.cos(low)
    return (support(a, nx, ny, inset) - RADIUS - nx * (x + THIN / 2)) / ny


def bisect(test: Callable[[float], bool], low: float, high: float) -> float:
    """Where *test* turns from False to True."""
    assert not test(low)
    assert test(high)
    while high - low > 1e-5:
        middle = (low + high) / 2
        low, high = (low, middle) if test(middle) else (middle, high)
    return (low + high) / 2


OVAL = Base.of_mm(60, 35)
PAIRS = [
    (op("a", 5, 11), op("b", 15, 11)),
    (op("a", 5, 11, base=25.0), op("b", 15, 11.4, base=40.0)),
    (op("a", 5, 11, base=OVAL), op("b", 15, 11, base=OVAL, turn=90)),
    (op("a", 5, 11, base=OVAL, turn=35), op("b", 14.5, 10.6, base=32.0)),
]


@pytest.mark.rule("SIGHT-10")
def test_the_closed_form_of_two_equal_discs() -> None:
    """Half way between equal discs the inner tangent is on the line of centres: sin(slope) = 2 r / d."""
    a, b = PAIRS[0]
    slope = math.asin(2 * (R32 - RADIUS) / 10)
    by_hand = 11 - (RADIUS + math.sin(slope) * THIN / 2) / math.cos(slope)
    assert tip_threshold(a, b, 10.0, "inset") == pytest.approx(by_hand, abs=1e-9)


@pytest.mark.rule("SIGHT-10", "SIGHT-12")
@pytest.mark.parametrize("convention", ["inset", "outer"])
@pytest.mark.parametrize("edition", ["kt24", "kt21-lite"])
@pytest.mark.parametrize("pair", range(len(PAIRS)))
@pytest.mark.parametrize(("x", "what"), [(9.6, "obscured"), (13.0, "in_cover")])
def test_a_wall_tip_intervenes_where_the_closed_form_says(
    convention: str, edition: Edition, pair: int, x: float, what: str
) -> None:
    a, b = PAIRS[pair]
    place = x if what == "obscured" else b.x - support(b, 1, 0, 0) + b.x - 0.4

    def intervenes(tip: float) -> bool:
        wall = block("wall", "heavy", (place - THIN / 2, 2, 0), (place + THIN / 2, tip, 4))
        judge = judge_of(table(a, b, features=[wall]), edition=edition, convention=convention)
        return bool(getattr(regions(judge)[0].outcome, what))

    expected = tip_threshold(a, b, place, convention)
    assert bisect(intervenes, expected - 0.2, expected + 0.2) == pytest.approx(expected, abs=TOLERANCE)


@pytest.mark.rule("SIGHT-10")
@pytest.mark.parametrize("pair", [0, 1])
def test_the_same_threshold_between_levels(pair: int) -> None:
    """A tall upright edge: the distance of a sloping line from it is that of its plan."""
    a, b = PAIRS[pair]
    b = op("b", b.x, b.y, 2.0, base=b.base)
    perch = block("perch", "vantage", (13.9, 9, 1.8), (17, 13, 2))

    def intervenes(tip: float) -> bool:
        wall = block("wall", "heavy", (9.6 - THIN / 2, 2, 0), (9.6 + THIN / 2, tip, 6))
        return regions(judge_of(table(a, b, features=[wall, perch])))[0].outcome.obscured

    expected = tip_threshold(a, b, 9.6, "inset")
    assert bisect(intervenes, expected - 0.2, expected + 0.2) == pytest.approx(expected, abs=TOLERANCE)


@pytest.mark.rule("KT24-COVER")
@pytest.mark.parametrize("traits", ["light", "heavy"])
@pytest.mark.parametrize(("gap", "covered"), [(0.5, True), (1.0, True), (1.0 + 1e-4, False)])
def test_cover_reaches_one_inch_from_the_target(traits: str, gap: float, covered: bool) -> None:
    face = 15 - R32 - gap
    scene = table(op("a", 5, 11), op("b", 15, 11), features=[block("x", traits, (face - 0.3, 9, 0), (face, 13, 0.8))])
    judge = judge_of(scene)
    assert from_origin(judge, 5 + R32 - RADIUS, 11).in_cover == covered


@pytest.mark.rule("KT24-OBSCURED")
@pytest.mark.parametrize("gap", [0.9, 1.0, 1.0 + 1e-4, 1.1])
@pytest.mark.parametrize("near_target", [False, True])
def test_obscured_begins_beyond_one_inch_of_both(gap: float, near_target: bool) -> None:
    """A post as thin as a needle, straight ahead: nothing of it is farther than it looks."""
    x = 15 - R32 - gap if near_target else 5 + R32 + gap
    middle, reach = (x + 1e-6, x) if near_target else (x - 1e-6, x)
    post = block("x", "heavy", (min(middle, reach), 11 - 1e-4, 0), (max(middle, reach), 11 + 1e-4, 3))
    outcome = from_origin(judge_of(table(op("a", 5, 11), op("b", 15, 11), features=[post])), 5 + R32 - RADIUS, 11)
    assert outcome.obscured == (gap > 1.00001)


@pytest.mark.rule("SIGHT-13")
@pytest.mark.parametrize(
    ("first", "last", "cover", "obscured"),
    [
        (6.0, 14.0, True, True),  # from beside the shooter to beside the target
        (7.5, 13.2, False, True),  # stops 1.17 short of the target
        (12.8, 14.0, True, True),
        (13.4, 14.0, True, False),  # all of it within the inch
        (5.9, 6.5, False, False),  # all of it within an inch of the shooter
    ],
)
def test_the_inch_is_asked_of_points_not_of_features(first: float, last: float, cover: bool, obscured: bool) -> None:
    pipe = block("pipe", "heavy", (first, 10.95, 0), (last, 11.05, 0.8))
    outcome = from_origin(judge_of(table(op("a", 5, 11), op("b", 15, 11), features=[pipe])), 5 + R32 - RADIUS, 11)
    assert (outcome.in_cover, outcome.obscured) == (cover, obscured)
    assert outcome.choice == ("defender" if cover and obscured else None)


def trade() -> Scene:
    """Light from above near the target, Heavy from below half way: leaning up gives cover, leaning down obscures."""
    light = block("light", "light", (13.6, 11.53, 0), (13.8, 16, 0.8))
    heavy = block("heavy", "heavy", (9.9, 6, 0), (10.1, 10.9, 0.8))
    return table(op("a", 5, 11), op("b", 15, 11), features=[light, heavy])


@pytest.mark.rule("SIGHT-14")
def test_undominated_outcomes_are_listed() -> None:
    """From the top of the base the lowest line passes half way at 11.0, from the bottom at 10.4; near the target the
    highest line passes at 11.61 and 11.46."""
    found = ruling(trade(), "a", "b")
    assert (found.valid_target, found.in_cover, found.obscured) == (True, False, True)
    assert [(o.in_cover, o.obscured) for o in found.alternatives] == [(True, False)]
    assert found.origin[1] < 11 < found.alternatives[0].origin[1]
    outcomes = {(r.outcome.in_cover, r.outcome.obscured) for r in found.regions}
    assert {(True, False), (False, True)} <= outcomes


@pytest.mark.rule("SIGHT-14")
def test_a_valid_target_comes_first() -> None:
    """On Conceal the origin without cover is the only one that makes a valid target."""
    scene = trade()
    found = ruling(scene.moved(op("b", 15, 11, order="conceal")), "a", "b")
    assert found.valid_target
    assert not found.in_cover
    assert found.obscured


@pytest.mark.rule("SIGHT-14")
def test_nothing_to_choose_on_open_ground() -> None:
    found = ruling(table(op("a", 5, 11), op("b", 15, 11)), "a", "b")
    assert found.alternatives == ()
    assert len(found.regions) == 1


@pytest.mark.rule("SIGHT-14")
def test_regions_tell_where_on_the_base_an_outcome_is_had() -> None:
    """Every origin in a region's arcs gives that region's outcome, and the arcs go all the way round."""
    judge = judge_of(trade())
    found = regions(judge)
    whole = sum(end - start for region in found for start, end in region.arcs)
    assert whole == pytest.approx(360, abs=1e-6)
    checked = 0
    for region in found:
        for start, end in region.arcs:
            if end - start > 0.1:
                for share in (0.02, 0.5, 0.98):
                    x, y = judge.fan.rim(math.radians(start + share * (end - start)))
                    assert from_origin(judge, x, y).rank == region.outcome.rank
                    checked += 1
    assert checked >= 6


def pins(level: float, *places: tuple[str, float, float]) -> list[Feature]:
    return [block(id, "light", (x - 0.01, y - 0.01, level), (x + 0.01, y + 0.01, level + 0.4)) for id, x, y in places]


@pytest.mark.rule("SIGHT-11", "SIGHT-10")
def test_lines_end_on_the_facing_arc_only_in_2024_and_on_the_whole_rim_in_2021() -> None:
    """Pins before the target's base and within its outline, behind its middle."""
    features = pins(0.0, ("front", 14.3, 11), ("back", 15.4, 11))
    scene = table(op("a", 5, 11), op("b", 15, 11), features=features)
    spot = (5 + R32 - RADIUS, 11)
    for edition, expected in (("kt24", {"front"}), ("kt21-lite", {"front", "back"})):
        judge = judge_of(scene, edition=edition)  # type: ignore[arg-type]
        crossed = judge.fan.at(np.array([spot]))[0]
        assert {judge.fan.pieces[i].source.feature for i in np.flatnonzero(crossed)} == expected


@pytest.mark.rule("SIGHT-11")
@pytest.mark.parametrize("edition", ["kt24", "kt21-lite"])
@pytest.mark.parametrize(("beyond", "facing"), [(-0.3, True), (0.3, False)])
def test_the_facing_arc_lies_between_the_tangents(edition: Edition, beyond: float, facing: bool) -> None:
    """A pin 0.05 inside the shrunk rim, 0.3 rad before or behind the point a tangent touches: there it is 0.075 from
    that tangent on the inner side, where lines to the facing arc have ended; lines to the whole rim go on."""
    radius, start = R32 - RADIUS, 5 + R32 - RADIUS
    turn = math.acos(radius / (15 - start)) + beyond
    depth = -0.01 if facing else 0.05
    x, y = 15 - (radius - depth) * math.cos(turn), 11 + (radius - depth) * math.sin(turn)
    pin = block("pin", "light", (x - 1e-4, y - 1e-4, 0), (x + 1e-4, y + 1e-4, 0.5))
    judge = judge_of(table(op("a", 5, 11), op("b", 15, 11), features=[pin]), edition=edition)
    assert judge.fan.at(np.array([[start, 11.0]]))[0].any() == (facing or edition == "kt21-lite")


@pytest.mark.rule("SIGHT-11")
def test_stacked_the_whole_rim_is_facing() -> None:
    features = pins(0.0, ("west", 15 - R32 + RADIUS, 11), ("east", 15 + R32 - RADIUS, 11))
    above = table(op("a", 15, 11, 3), op("b", 15, 11), features=features)
    judge = judge_of(above)
    crossed = judge.fan.at(np.array([[15.0, 11.0]]))[0]
    assert {judge.fan.pieces[i].source.feature for i in np.flatnonzero(crossed)} == {"west", "east"}
    aside = judge_of(table(op("a", 10, 11, 3), op("b", 15, 11), features=features))
    crossed = aside.fan.at(np.array([[10.0, 11.0]]))[0]
    assert {aside.fan.pieces[i].source.feature for i in np.flatnonzero(crossed)} == {"west"}


@pytest.mark.rule("SIGHT-10")
def test_lines_have_no_unlimited_height() -> None:
    """Lines run 1.75 mm up, and on one level only what is cut at that height counts."""
    for low, high, crossed in ((1.8, 50, False), (1.7, 50, True), (0, 1.7, False), (0, 1.8, True)):
        beam = block("beam", "heavy", (9.9, 8, low * MM), (10.1, 14, high * MM))
        judge = judge_of(table(op("a", 5, 11), op("b", 15, 11), features=[beam]))
        assert regions(judge)[0].outcome.obscured == crossed


@pytest.mark.rule("SIGHT-10")
def test_sloping_lines_pass_over_and_under() -> None:
    """From 3 down to the floor over 10 inches: 1.57 up half way for the middle line, 0.19 more or less at the rims."""
    for low, high, crossed in ((0, 1.2, False), (0, 1.5, True), (1.9, 3, False), (1.5, 3, True)):
        beam = block("beam", "heavy", (9.99, 6, low), (10.01, 16, high))
        judge = judge_of(table(op("a", 5, 11, 3), op("b", 15, 11), features=[beam]))
        outcomes = [region.outcome.obscured for region in regions(judge)]
        assert any(outcomes) == crossed


def check_brute(
    seed: int, level_a: float, level_b: float, count: int = 5, around: int = 10, rings: int = 1
) -> dict[str, int]:
    """One random table: every origin's crossings, and the outcomes, against brute force."""
    rng = np.random.default_rng(seed)
    slabs = random_slabs(rng, count)
    a, b = op("a", 5, rng.uniform(10.5, 11.5), level_a), op("b", 15, rng.uniform(10.5, 11.5), level_b, order="conceal")
    scene = table(a, b, features=[slab.feature() for slab in slabs])
    judge = judge_of(scene)
    heavy = {slab.id for slab in slabs if slab.traits == "heavy"}
    found = regions(judge)
    spots = np.concatenate([origins(a, around, rings), [found[0].origin]])
    seen = {"yes": 0, "no": 0, "unsure": 0}
    hits = judge.fan.at(spots)
    ranks = []
    for spot, row in zip(spots, hits, strict=True):
        truth = brute(scene, slabs, spot)
        got: dict[str, set[str]] = {"cover": set(), "obscured": set()}
        for code in np.flatnonzero(row):
            got[judge.fan.pieces[code].zone].add(judge.fan.pieces[code].source.feature)
        sure = True
        for zone, names in (("cover", {slab.id for slab in slabs}), ("obscured", heavy)):
            assert truth.yes[zone] & names <= got[zone], (seed, spot, zone)
            assert not truth.no[zone] & got[zone], (seed, spot, zone)
            undecided = names - truth.yes[zone] - truth.no[zone]
            sure &= not undecided
            seen["yes"] += len(truth.yes[zone] & names)
            seen["no"] += len(truth.no[zone] & names)
            seen["unsure"] += len(undecided)
        outcome = judge.judge(row, bool(judge.forbidden(spot[None])[0]))
        ranks.append(outcome.rank)
        if sure:
            assert keys(judge, outcome.obscuring) == truth.yes["obscured"] & heavy
            assert keys(judge, outcome.cover) <= truth.yes["cover"]  # less what the target does not see
    assert found[0].outcome.rank <= min(ranks)  # no sampled origin is better than the shooter's best
    assert ranks[-1] == found[0].outcome.rank  # and the best origin is as good as it says
    if judge.fan.is_planar:
        assert set(ranks) <= {region.outcome.rank for region in found} | set(ranks[: (rings - 1) * around + 1])
    return seen


@pytest.mark.rule("SIGHT-10", "SIGHT-12", "SIGHT-14")
def test_planar_lines_agree_with_brute_force() -> None:
    total = {"yes": 0, "no": 0, "unsure": 0}
    for seed in range(8):
        for key, value in check_brute(seed, 0.0, 0.0, count=6).items():
            total[key] += value
    assert total["yes"] > 150
    assert total["no"] > 150
    assert total["unsure"] < 0.25 * sum(total.values())


@pytest.mark.rule("SIGHT-10", "SIGHT-12", "SIGHT-14")
def test_lines_between_levels_agree_with_brute_force() -> None:
    total = {"yes": 0, "no": 0, "unsure": 0}
    for seed in range(6):
        levels = (1.5, 0.0) if seed % 2 else (0.0, 0.8)
        for key, value in check_brute(100 + seed, *levels, count=8).items():
            total[key] += value
    assert total["yes"] > 80
    assert total["no"] > 80
    assert total["unsure"] < 0.25 * sum(total.values())


@pytest.mark.rule("SIGHT-14")
def test_what_the_shooter_prefers() -> None:
    """Valid before everything, then out of cover, then not obscured; one of both by choice is better than both."""
    best_first = [
        Outcome(valid=True, in_cover=False, obscured=False),
        Outcome(valid=True, in_cover=False, obscured=True),
        Outcome(valid=True, in_cover=True, obscured=False),
        Outcome(valid=True, in_cover=True, obscured=True, choice="defender"),
        Outcome(valid=True, in_cover=True, obscured=True),
        Outcome(valid=False, in_cover=False, obscured=False),
        Outcome(valid=False, in_cover=True, obscured=False),
    ]
    assert sorted(best_first, key=lambda each: each.rank) == best_first
    assert not any(each.dominates(each) for each in best_first)
    assert best_first[0].dominates(best_first[4])
    assert not best_first[1].dominates(best_first[2]), "obscured or in cover: neither is better in everything"
