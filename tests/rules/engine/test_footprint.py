"""Bases against regions of the floor, oval ones in their real shape."""

from __future__ import annotations

from dataclasses import replace
from math import cos, hypot, radians, sin

import pytest
from engine_help import at
from ground_help import Ground

from ktsim.geometry.plane import rectangle
from ktsim.rules.engine.board import Footprint
from ktsim.rules.engine.setting_up import refuses_set_up
from ktsim.rules.engine.table import MoveRequest
from ktsim.rules.kt24.ops.op import is_near_enemy_drop_zone, is_wholly_in_flank
from ktsim.sight.scene import Base

OVAL = Base.of_mm(60, 35)
ZONE = rectangle(0, 0, 6, 22)
LONG, SHORT = OVAL.along, OVAL.across


@pytest.mark.rule("KT24-DEPLOY")
@pytest.mark.parametrize(("turn", "reach"), [(0, SHORT), (90, LONG), (180, SHORT)])
def test_an_oval_base_is_set_up_as_near_the_edge_of_the_drop_zone_as_it_fits(turn: int, reach: float) -> None:
    """Along the bottom edge, and with its end towards it."""
    ground = Ground().add("a", "red", (3, 3)).seen()
    ground.cards["a"] = replace(ground.cards["a"], base=OVAL)
    ground.seen()
    who = ground.state.operatives["a"]
    who.turn = 1000 * turn
    assert refuses_set_up(ground.ready, who, at(3, reach + 0.002)) is None
    assert refuses_set_up(ground.ready, who, at(3, reach - 0.002)) is not None


@pytest.mark.parametrize("turn", [0, 20, 45, 90, 130])
def test_an_oval_is_as_far_from_an_edge_as_its_side_that_faces_it(turn: float) -> None:
    wide = hypot(LONG * cos(radians(turn)), SHORT * sin(radians(turn)))
    base = Footprint(10.0, 11.0, OVAL, turn)
    assert base.half_width(1.0, 0.0) == pytest.approx(wide)
    assert base.gap(ZONE) == pytest.approx(4.0 - wide, abs=1e-9)
    assert Footprint(6 - wide - 1e-4, 11.0, OVAL, turn).is_wholly_inside(ZONE)
    assert not Footprint(6 - wide + 1e-4, 11.0, OVAL, turn).is_wholly_inside(ZONE)
    assert Footprint(6 + wide - 1e-4, 11.0, OVAL, turn).gap(ZONE) == 0.0
    assert Footprint(6 + wide + 1e-4, 11.0, OVAL, turn).gap(ZONE) == pytest.approx(1e-4, abs=1e-6)


def test_an_oval_beside_a_corner() -> None:
    """Its end points at the corner of the zone, from 3" along each axis."""
    base = Footprint(9.0, 14.0, OVAL, 45.0)
    assert base.gap(rectangle(0, 0, 6, 11)) == pytest.approx(hypot(3, 3) - LONG, abs=2e-4)


def test_a_round_base_is_a_circle() -> None:
    base = Footprint.disc(at(9, 14), 0.5)
    assert base.gap(rectangle(0, 0, 6, 11)) == pytest.approx(hypot(3, 3) - 0.5)
    assert base.half_width(0.6, 0.8) == 0.5


@pytest.mark.rule("KT24-OP-ROUT")
@pytest.mark.rule("KT24-OP-FLANK")
def test_ops_ask_an_oval_base_as_it_is_turned() -> None:
    ground = Ground().add("a", "red", (24 - 6 - 1, 11 + 0.8))
    ground.cards["a"] = replace(ground.cards["a"], base=OVAL)
    who = ground.state.operatives["a"]
    for turn, is_near, is_left in ((0, True, True), (90_000, False, False)):
        who.turn = turn
        assert is_near_enemy_drop_zone(ground.ready, who, 6.0) is is_near
        assert is_wholly_in_flank(ground.ready, "red", "left", ground.ready.footprint(who)) is is_left


@pytest.mark.rule("KT24-MOVE-2")
@pytest.mark.rule("KT24-REPOSITION")
def test_whoever_is_in_the_way_is_told_by_name() -> None:
    ground = Ground().add("a", "red", (3, 3)).add("b", "blue", (8, 3)).seen()
    table, state = ground.table, ground.state
    judge = table.mover.judge

    def why(action: str, to: float, **how: bool) -> str | None:
        return judge(table, state, MoveRequest("a", action, 9, **how), (at(to, 3),)).refusal

    assert why("Fall Back", 11, may_pass_control=True) == "Leg 1: The base of B is in the way."
    assert why("Reposition", 6.5) == "Leg 1: It would come into the control range of B."
    assert why("Reposition", 5.5) is None
    assert table.mover.refuses_to_stand(table, state, "a", at(8.5, 3)) == "The base would overlap that of B."


@pytest.mark.rule("SIGHT-16")
@pytest.mark.parametrize("level", [0, 3000])
def test_regions_are_measured_horizontally(level: int) -> None:
    ground = Ground().add("a", "red", (9, 11), level=level)
    who = ground.ready.state.operatives["a"]
    base = ground.ready.footprint(who)
    assert base.gap(ZONE) == pytest.approx(3 - base.base.along)
    assert ground.ready.footprint(who, at(6.3, 11)).gap(ZONE) == 0
    edge = 6 - base.base.along
    assert ground.ready.footprint(who, at(edge - 0.001, 11)).is_wholly_inside(ZONE)
    assert not ground.ready.footprint(who, at(edge + 0.001, 11)).is_wholly_inside(ZONE)
