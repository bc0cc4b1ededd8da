"""Cheapest routes and maps of what is reached (KT24-MOVE-8), against the check and a search without short cuts."""

from __future__ import annotations

import math
import random
from dataclasses import replace

import numpy as np
import pytest
from lattice_oracle import BrutePlan, differences, random_table
from tables import BARRIER, PLATFORM, R, doorway, operative, part, scene
from test_moving_check import HATCH

from ktsim.rules.moving.chart import Mask
from ktsim.rules.moving.check import check_path
from ktsim.rules.moving.ground import ground_of
from ktsim.rules.moving.plan import UNREACHED, MovePlan
from ktsim.rules.moving.reach import MoveReach, plan_route, reach
from ktsim.rules.moving.rings import asked_between
from ktsim.rules.moving.walk import (
    CHARGE,
    DASH,
    FALL_BACK,
    REPOSITION,
    LegalPath,
    MoveAction,
    Refusal,
    Walker,
    Waypoint,
)
from ktsim.sight.scene import Area, Base, Scene


def route(
    table: Scene, x: float, y: float, level: float = 0.0, allowance: int = 8, action: MoveAction = REPOSITION
) -> LegalPath | Refusal:
    return reach(ground_of(table), Walker.of(table, "a"), allowance, action).route(x, y, level)


def total(found: LegalPath | Refusal) -> int:
    assert isinstance(found, LegalPath), found.words()
    return found.total


# -- the rulebook's examples, found rather than checked ----------------------------------------------------------


@pytest.mark.rule("KT24-MOVE-8")
def test_over_a_wall_with_a_rampart() -> None:
    rampart = part("block", "rampart", (10, 5, 3), (10.25, 11, 4), "light")
    table = scene(PLATFORM, rampart, at=(10 - R - 0.05, 8, 0))
    found = route(table, 11.2, 8, 3)
    assert total(found) == 6
    assert isinstance(found, LegalPath)
    assert [leg.cost for leg in found.legs] == [4, 2, 0]


@pytest.mark.rule("KT24-MOVE-8")
def test_over_a_low_obstacle() -> None:
    assert total(route(scene(BARRIER, at=(10 - R - 0.1, 8, 0)), 11.2 + R + 0.3, 8)) == 5


@pytest.mark.rule("KT24-MOVE-8")
def test_off_a_ledge() -> None:
    ledge = part("block", "floor", (10, 5, 0), (16, 11, 4), "vantage", "heavy")
    assert total(route(scene(ledge, at=(10.2, 8, 4)), 10 - R - 0.2, 8)) == 4


@pytest.mark.rule("KT24-MOVE-8")
def test_around_a_corner() -> None:
    corner = part("hut", "wall", (10, 0, 0), (12, 8, 5), "heavy")
    found = route(scene(corner, at=(9, 7.5, 0)), 13, 7.5)
    assert isinstance(found, LegalPath)
    assert len(found.legs) >= 2
    assert found.total <= 6
    straight = math.dist((9, 7.5), (13, 7.5))
    assert found.total >= straight


@pytest.mark.rule("KT24-MOVE-8")
def test_through_a_door_or_around() -> None:
    assert total(route(scene(*doorway(), at=(9, 8.1, 0)), 11.9, 8.1)) == 4
    refused = route(scene(*doorway(1.25, "heavy"), at=(9, 8.1, 0)), 11.9, 8.1, allowance=3)
    assert isinstance(refused, Refusal)
    large = scene(*doorway(), at=(8.5, 8.1, 0), base=Base.of_mm(60))
    assert total(route(large, 11.5, 8.1)) == 4


@pytest.mark.rule("KT24-MOVE-8")
@pytest.mark.rule("KZ-HATCH-OPEN")
def test_through_an_open_hatchway() -> None:
    assert total(route(scene(at=(8.5, 8, 0), walls=HATCH, states={"h": "open"}), 11.5, 8)) == 4
    closed = route(scene(at=(8.5, 8, 0), walls=HATCH), 11.5, 8)
    assert isinstance(closed, Refusal)
    assert closed.rule == "KZ-WALL"


@pytest.mark.rule("KT24-MOVE-5")
def test_a_jump_between_platforms() -> None:
    far = part("other", "floor", (19, 5, 0), (24, 11, 3.5), "vantage", "heavy")
    assert total(route(scene(PLATFORM, far, at=(15.9, 8, 3)), 19.2, 8, 3.5, 6)) == 4
    further = part("other", "floor", (21, 5, 0), (24, 11, 3), "vantage", "heavy")
    assert isinstance(route(scene(PLATFORM, further, at=(15.9, 8, 3)), 21.2, 8, 3, 6), Refusal)


@pytest.mark.rule("KT24-E-LADDERS")
def test_up_a_ladder() -> None:
    ladder = part("ladder", "ladder", (9.85, 7.5, 0), (10, 8.5, 3), "exposed", kind="ladder")
    x = 10 - R - 0.2
    assert total(route(scene(PLATFORM, ladder, at=(x, 8, 0)), x + 1.7, 8, 3)) == 3
    assert total(route(scene(PLATFORM, at=(x, 8, 0)), x + 1.7, 8, 3)) == 5
    apart = part("ladder", "ladder", (9.65, 7.5, 0), (9.8, 8.5, 3), "insignificant", "exposed", kind="ladder")
    x = 9.65 - R - 0.1
    assert total(route(scene(PLATFORM, apart, at=(x, 8, 0)), x + 1.7, 8, 3)) == 5  # it leans on nothing


@pytest.mark.rule("KT24-MOVE-6")
def test_onto_a_fire_step_and_up_stairs() -> None:
    step = part("hut", "step", (8, 6, 0), (12, 10, 0.5), "vantage", "insignificant", "exposed", kind="fire step")
    assert total(route(scene(step), 9, 8, 0.5)) == 4
    stairs = part("block", "steps", (8, 7, 0), (10, 9, 3), "heavy", kind="stairs")
    assert total(route(scene(PLATFORM, stairs, at=(7, 8, 0)), 11, 8, 3)) <= 5


@pytest.mark.rule("KT24-MOVE-6a")
def test_up_and_down_through_a_grating() -> None:
    floor = part("gantry", "floor", (6, 4, 2.85), (16, 12, 3), "accessible", "vantage")
    assert total(route(scene(floor, at=(11, 8, 0)), 11, 8, 3)) == 4
    assert total(route(scene(floor, at=(11, 8, 3)), 11, 8, 0)) == 2


# -- refusals ----------------------------------------------------------------------------------------------------


@pytest.mark.rule("KT24-MOVE-8")
def test_why_there_is_no_route() -> None:
    sea = Area("sea", "hazardous", ((9, 0), (11, 0), (11, 22), (9, 22)))
    across = route(scene(at=(7, 8, 0), areas=(sea,)), 13, 8)
    assert isinstance(across, Refusal)
    assert across.rule == "KZ-HAZARD-MOVE"
    far = route(scene(at=(5, 8, 0)), 12.5, 8, allowance=6)
    assert isinstance(far, Refusal)
    assert far.rule == "KT24-MOVE-1"
    assert '8"' in far.text
    inside = route(scene(PLATFORM, at=(9, 8, 0)), 13, 8)
    assert isinstance(inside, Refusal)
    nothing = route(scene(at=(5, 8, 0)), 6, 8, action=CHARGE)
    assert isinstance(nothing, Refusal)
    assert nothing.rule == "KT24-CHARGE"


# -- waypoints, partial moves --------------------------------------------------------------------------------------


@pytest.mark.rule("KT24-MOVE-8")
def test_a_route_respects_the_players_waypoints() -> None:
    table = scene(at=(5, 8, 0))
    ground, mover = ground_of(table), Walker.of(table, "a")
    found = plan_route(ground, mover, (Waypoint(5, 10, 0), Waypoint(8, 10, 0)), 6, REPOSITION)
    assert isinstance(found, LegalPath)
    assert found.total == 5
    assert (5, 10) in {(leg.end.x, leg.end.y) for leg in found.legs}
    short = plan_route(ground, mover, (Waypoint(5, 10, 0), Waypoint(8, 10, 0)), 4, REPOSITION)
    assert isinstance(short, Refusal)
    assert [(leg.end.x, leg.end.y) for leg in short.legs] == [(5, 10), (8, 10)]  # all of it, from the start
    assert [leg.cost for leg in short.legs] == [2, 3]
    lost = plan_route(ground, mover, (Waypoint(5, 10, 0), Waypoint(-3, 10, 0)), 6, REPOSITION)
    assert isinstance(lost, Refusal)
    assert [(leg.end.x, leg.end.y) for leg in lost.legs] == [(5, 10)]  # as far as there is a way


@pytest.mark.rule("KZ-HATCH-OPERATE")
def test_a_move_goes_on_after_opening_a_hatch() -> None:
    shut = scene(at=(7.5, 8, 0), walls=HATCH)
    first = check_path(ground_of(shut), Walker.of(shut, "a"), (Waypoint(8.5, 8, 0),), 6, REPOSITION, partial=True)
    assert isinstance(first, LegalPath)
    assert first.partial
    opened = scene(at=(8.5, 8, 0), walls=HATCH, states={"h": "open"})
    ground, mover = ground_of(opened), Walker.of(opened, "a")
    rest = reach(ground, mover, 6, REPOSITION, first).route(11.5, 8, 0)
    assert isinstance(rest, LegalPath)
    assert rest.total == 1 + 4
    assert isinstance(reach(ground, mover, 4, REPOSITION, first).route(11.5, 8, 0), Refusal)


# -- maps --------------------------------------------------------------------------------------------------------


@pytest.mark.rule("KT24-MOVE-8")
def test_the_map_of_an_open_board_is_a_disc() -> None:
    table = scene(at=(15, 11, 0))
    found = reach(ground_of(table), Walker.of(table, "a"), 6, REPOSITION)
    cost = found.costs(0.0)
    for (i, j), value in np.ndenumerate(cost):
        far = math.dist((i * 0.25, j * 0.25), (15, 11))
        want = max(1, math.ceil(far - 1e-6))
        if far > 0:
            assert value == (want if want <= 6 else UNREACHED), (i, j)


@pytest.mark.rule("KT24-CHARGE")
def test_which_enemies_a_charge_reaches() -> None:
    near, far, hidden = operative("e", "blue", 10, 8), operative("g", "blue", 20, 8), operative("h", "blue", 5, 11)
    wall = part("hut", "wall", (0, 9.5, 0), (30, 9.7, 6), "heavy")
    table = scene(wall, at=(5, 8, 0), others=(near, far, hidden))
    found = MoveReach(ground_of(table), Walker.of(table, "a"), 5, CHARGE, None)
    assert found.enemies == {"e": 3}
    end = next(place for place, cost in found.places() if cost == 3)
    assert isinstance(found.find(end.x, end.y, end.level), LegalPath)


@pytest.mark.rule("KT24-REPOSITION")
def test_nothing_is_reached_from_an_enemys_control_range() -> None:
    table = scene(at=(8, 8, 0), others=(operative("e", "blue", 10, 8),))
    ground, mover = ground_of(table), Walker.of(table, "a")
    assert list(reach(ground, mover, 6, REPOSITION).places()) == []
    assert list(reach(ground, mover, 6, FALL_BACK).places()) != []


@pytest.mark.rule("KT24-CONTROL")
@pytest.mark.parametrize("with_wall", [False, True], ids=["open", "by a wall"])
def test_the_ring_of_an_enemy_beyond_reach_is_kept_out_of(with_wall: bool) -> None:
    """Its base is further than the move goes; its control range is not."""
    wall = (part("bar", "bar", (12.0, 10.5, 0), (16.0, 10.7, 1), "light"),) if with_wall else ()
    table = scene(*wall, at=(5, 8, 0), others=(operative("e", "blue", 12.5, 8),))
    found = [place for place, _ in reach(ground_of(table), Walker.of(table, "a"), 6, REPOSITION).places()]
    gaps = [math.hypot(place.x - 12.5, place.y - 8) - 2 * R for place in found]
    assert 1.0 < min(gaps) < 1.3
    assert max(place.x for place in found) > 10.5


def test_an_operative_far_away_changes_nothing() -> None:
    far = operative("e", "blue", 29, 21)
    table = scene(at=(5, 5, 0), others=(far,))
    ground = ground_of(table)
    one = reach(ground, Walker.of(table, "a"), 6, REPOSITION)
    moved = table.moved(replace(far, x=28.0))
    assert reach(ground, Walker.of(moved, "a"), 6, REPOSITION) is one
    near = table.moved(replace(far, x=8.0, y=5.0))
    assert reach(ground, Walker.of(near, "a"), 6, REPOSITION) is not one


# -- random tables -----------------------------------------------------------------------------------------------


@pytest.mark.rule("KT24-MOVE-8")
@pytest.mark.parametrize("seed", range(900, 908))
def test_the_planner_is_no_dearer_than_a_search_without_short_cuts(seed: int) -> None:
    table = random_table(seed)
    ground, mover = ground_of(table), Walker.of(table, "a")
    action = (REPOSITION, DASH, FALL_BACK)[seed % 3]
    found = MoveReach(ground, mover, 3, action, None)
    brute = BrutePlan(ground, mover, 3, action)
    assert isinstance(found.plan, MovePlan)
    for level in found.levels:
        ends = found.plan.chart.mask("ends", level) & found.plan.rings.ends(level)
        ours, theirs = differences(found.plan, brute, ends, level)
        assert (ours > theirs).sum() <= 0.002 * len(ours)
    shown = list(found.places())
    for place, cost in random.Random(seed).sample(shown, min(6, len(shown))):
        walk = found.find(place.x, place.y, place.level)
        assert walk is not None, place
        assert walk.total <= cost
    blank = np.argwhere(found.costs(0.0) == UNREACHED)
    for i, j in random.Random(seed).sample([(int(i), int(j)) for i, j in blank], 4):
        assert found.find(i * 0.25, j * 0.25, 0.0) is None


@pytest.mark.rule("KT24-MOVE-8", "KT24-CONTROL")
def test_a_cut_control_range_is_known_node_by_node_from_few_questions() -> None:
    rng = np.random.default_rng(4)
    asked = nodes = 0
    for _ in range(60):
        x, y = np.indices((40, 40))
        disc = (x - 20) ** 2 + (y - 20) ** 2 < rng.uniform(8, 18) ** 2
        turn, at = rng.uniform(0, 2 * math.pi), rng.uniform(-8, 8)
        seen = (x - 20) * math.cos(turn) + (y - 20) * math.sin(turn) < at
        fit = rng.random((40, 40)) < 0.9
        questions: list[tuple[int, int]] = []

        def ask(i: int, j: int, seen: Mask = seen, questions: list[tuple[int, int]] = questions) -> bool:
            questions.append((i, j))
            return bool(seen[i, j])

        found = asked_between(disc, fit, ask)
        assert (found == seen)[disc & fit].all()
        asked, nodes = asked + len(questions), nodes + int(disc.sum())
    assert asked < 0.7 * nodes
