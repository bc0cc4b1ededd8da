"""What killzones let operatives do: hatches, guard, fights through openings, tight places."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from engine_help import RIFLE, Answers, acting, at, melee, ranged, story
from ground_help import GALLOWDARK, HALL, VOLKUS, Ground, hall, part, terrain

from ktsim.game.game import Game
from ktsim.rules.engine.action import Impossible, refuses, refuses_to_spend
from ktsim.rules.engine.activation import free_action
from ktsim.rules.engine.decisions import Pick, Steps, Walk
from ktsim.rules.engine.operative_events import ActionBegan, ActionCancelled, ActivationBegan, Moved
from ktsim.rules.engine.state import Effect, State, milli
from ktsim.rules.engine.table import MoveRequest
from ktsim.rules.engine.table_events import Displaced, TerrainChanged
from ktsim.rules.engine.turn import turn_end
from ktsim.rules.killzone.guard import ON_GUARD, Guard, is_on_guard
from ktsim.rules.killzone.operate_hatch import OperateHatch, is_in, swept
from ktsim.rules.killzone.tight_places import stronghold_around
from ktsim.rules.kt24.close_quarters import KILLZONE_RULES, DoorFight, GuardRule, HatchwayFight, PointBlankShot
from ktsim.rules.kt24.edition import KT24
from ktsim.rules.kt24.fight import Fight
from ktsim.rules.kt24.moves import Charge, Dash, FallBack, Reposition
from ktsim.rules.kt24.shoot import Shoot
from ktsim.rules.kt24.turn import counteract, counteractors
from ktsim.sight.scene import Base, WallLine

TOUCH = 15 - 0.2 - 0.5
"""x of an operative on a 1" base that touches the access point from the west."""


def why_not(ground: Ground, id: str, action: Any) -> str | None:
    battle = ground.ready
    return refuses(battle, battle.state.operatives[id], action)


def test_rules_come_by_id_never_by_the_killzones_name() -> None:
    assert KT24.rules_of_killzone(["KZ-CONDENSED"])[0].id == "KZ-CONDENSED"
    assert KT24.rules_of_killzone([]) == []
    assert all(id == rule.id for id, rule in KILLZONE_RULES.items())


# -- Operate Hatch -----------------------------------------------------------------------------------


@pytest.mark.rule("KZ-HATCH-OPERATE")
def test_a_hatch_in_control_range_is_opened_and_closed() -> None:
    ground = Ground(on=hall()).add("a", "red", (TOUCH - 0.99, 11))
    game = ground.act("a", OperateHatch())
    assert game.state.terrain["hatch"] == "open"
    assert TerrainChanged("hatch", "open", "KZ-HATCH-OPERATE") in game.events
    again = Ground(on=hall()).add("a", "red", (TOUCH - 0.99, 11)).open_hatch()
    assert again.act("a", OperateHatch()).state.terrain["hatch"] == "closed"
    far = Ground(on=hall()).add("a", "red", (TOUCH - 1.01, 11))
    assert why_not(far, "a", OperateHatch()) == "Operate Hatch: no access point in control range."


@pytest.mark.rule("KZ-HATCH-OPERATE")
def test_not_in_an_enemys_control_range_nor_closing_on_an_enemy_at_the_access_point() -> None:
    ground = Ground(on=hall()).add("a", "red", (TOUCH - 0.5, 11)).add("b", "blue", (TOUCH - 2.4, 11))
    assert (
        why_not(ground, "a", OperateHatch()) == "Operate Hatch: not while within B's control range: Fight or Fall Back."
    )
    beyond = Ground(on=hall()).add("a", "red", (TOUCH - 0.5, 10.4)).add("b", "blue", (15.2 + 0.5 + 0.99, 11.6))
    assert why_not(beyond, "a", OperateHatch()) is None  # closed: it may be opened
    assert "open access point" in (why_not(beyond.open_hatch(), "a", OperateHatch()) or "")
    beyond.state.operatives["b"].x += 30
    assert why_not(beyond, "a", OperateHatch()) is None


SPUR = WallLine("spur", (5, 12.2), (14.8, 12.2))
"""A wall that meets the one with the access point beside it, to the north."""


@pytest.mark.rule("KZ-HATCH-OPERATE")
@pytest.mark.parametrize("has_spur", [True, False])
def test_no_access_point_is_reached_through_a_wall(has_spur: bool) -> None:
    """It is 0.85" from A as the crow flies."""
    on = terrain(walls=(*HALL, *([SPUR] if has_spur else [])), rules=GALLOWDARK)
    ground = Ground(on=on).add("a", "red", (14.1, 12.95), base=25).seen()
    why = "Operate Hatch: no access point in control range." if has_spur else None
    assert why_not(ground, "a", OperateHatch()) == why
    assert why_not(ground.open_hatch(), "a", OperateHatch()) == why


@pytest.mark.rule("KZ-HATCH-OPERATE")
@pytest.mark.parametrize(("x", "y"), [(-1, 0.0), (1, 0.0), (-1, 0.8), (1, -0.8)])
def test_an_access_point_in_plain_sight_is_reached_up_to_an_inch_away(x: int, y: float) -> None:
    for beyond, why in ((-0.005, None), (0.005, "Operate Hatch: no access point in control range.")):
        ground = Ground(on=hall()).add("a", "red", (15 + x * (0.2 + 0.5 + 1 + beyond), 11 + y)).seen()
        assert why_not(ground, "a", OperateHatch()) == why


@pytest.mark.rule("KZ-HATCH-OPERATE")
def test_who_is_in_the_swing_is_returned_as_near_as_possible() -> None:
    ground = (
        Ground(on=hall()).add("a", "red", (15.2 + 0.8, 11)).add("f", "red", (13.9, 11.2)).add("g", "blue", (12, 15))
    )
    game = ground.walked().act("a", OperateHatch())
    moved = [event for event in game.events if isinstance(event, Displaced)]
    assert [event.operative for event in moved] == ["f"]
    who = game.state.operatives["f"]
    assert who.is_in_killzone
    assert who.x < 15000  # on its own side of the wall
    assert abs(who.x - 13900) + abs(who.y - 11200) < 2500
    table = game.battle.table
    assert table.mover.refuses_to_stand(table, game.state, "f", who.point) is None


@pytest.mark.rule("KZ-HATCH-OPERATE")
def test_an_oval_base_is_in_the_swing_only_where_it_really_is() -> None:
    """A 75 x 42 mm base has a long axis that reaches into the swing when it points there, and not across."""
    area = swept(HALL[1])
    left = area.box[0]
    ground = Ground(on=hall())
    ground.add("a", "red", (1, 1))
    ground.cards["a"] = replace(ground.cards["a"], base=Base.of_mm(75, 42))
    along, across = 75 / 50.8, 42 / 50.8
    battle = ground.seen().ready
    who = battle.state.operatives["a"]
    middle = 10.2
    for turn, half in ((0, along), (90_000, across), (180_000, along)):
        who.turn = turn
        for gap, inside in ((-0.05, True), (0.05, False)):
            who.x, who.y = milli(left - half - gap), milli(middle)
            assert is_in(battle, who, area) == inside, (turn, gap)
    who.turn, who.x, who.y = 90_000, milli(left - across - 0.5), milli(middle)
    assert not is_in(battle, who, area), "its long axis would reach there"


@pytest.mark.rule("KZ-HATCH-OPERATE")
@pytest.mark.parametrize(("gap", "inside"), [(-0.003, True), (0.001, False)])
def test_whoever_could_not_stand_beside_the_open_hatch_is_in_its_swing(gap: float, inside: bool) -> None:
    """By a hair: what the mover refuses afterwards is set aside before."""
    area = swept(HALL[1])
    ground = Ground(on=hall()).add("a", "red", (area.box[0] - 0.5 - gap, 10.1)).walked()
    battle = ground.ready
    who = battle.state.operatives["a"]
    assert is_in(battle, who, area) == inside
    battle.state.terrain["hatch"] = "open"
    refused = battle.table.mover.refuses_to_stand(battle.table, battle.state, "a", who.point)
    assert (refused is not None) == inside


@pytest.mark.rule("KZ-HATCH-OPERATE")
def test_who_is_beside_the_swing_stays() -> None:
    area = swept(HALL[1])
    left, top = float(area.outline[:, 0].min()), float(area.outline[:, 1].max())
    assert left == pytest.approx(14.8 - 1.5)
    assert top == pytest.approx(10.2 + 1.5)
    ground = Ground(on=hall()).add("a", "red", (15.2 + 0.8, 11)).add("f", "red", (left - 0.51, 11))
    game = ground.walked().act("a", OperateHatch())
    assert not [event for event in game.events if isinstance(event, Displaced)]


@pytest.mark.rule("KZ-HATCH-OPERATE")
def test_the_engaged_stay_engaged() -> None:
    ground = (
        Ground(on=hall()).add("a", "red", (15.2 + 0.8, 11)).add("f", "red", (13.9, 11.2)).add("e", "blue", (13.9, 12.9))
    )
    assert ground.ready.table.in_control_range(ground.state, "f", "e")
    game = ground.walked().act("a", OperateHatch())
    assert any(isinstance(event, Displaced) for event in game.events)
    assert game.battle.table.in_control_range(game.state, "f", "e")


@pytest.mark.rule("KZ-HATCH-OPERATE")
def test_without_room_the_hatch_stays_as_it_is() -> None:
    """F stands in a niche that the open hatch fills."""
    rock = [
        part("rock", "west", (8, 5, 0), (13.1, 17, 3), "heavy"),
        part("rock", "south", (13.1, 5, 0), (14.8, 10.1, 3), "heavy"),
        part("rock", "north", (13.1, 11.55, 0), (14.8, 17, 3), "heavy"),
    ]
    ground = Ground(on=hall(*rock)).add("a", "red", (16, 11)).add("f", "red", (13.9, 10.82), base=1.4 * 25.4)
    game = ground.walked().act("a", OperateHatch())
    assert any(isinstance(event, ActionCancelled) for event in game.events)
    assert game.state.terrain["hatch"] == "closed"
    assert game.state.operatives["f"].is_in_killzone
    assert game.state.operatives["f"].point == at(13.9, 10.82)


# -- in the middle of a move -------------------------------------------------------------------------


def through(**more: Any) -> Ground:
    return Ground(on=hall()).add("a", "red", (10, 11), **more).seen()


@pytest.mark.rule("KZ-HATCH-OPERATE")
def test_in_the_middle_of_a_reposition_the_rest_of_the_move_follows() -> None:
    ground = through(move=7)
    game = ground.game(acting("a", Reposition()))
    game.submit((at(13.4, 11),))
    pending = game.pending
    assert isinstance(pending, Pick)
    assert pending.topic == "meanwhile"
    game.submit("Operate Hatch")
    assert game.state.terrain["hatch"] == "open"
    rest = game.pending
    assert isinstance(rest, Walk)
    assert rest.allowance == 7
    assert '4" so far' in rest.prompt
    # through the access point: 3.3" and 1" for Accessible terrain, 4" are gone: one inch too many
    assert '8" is more than the 7" allowed' in (rest.check((at(16.2, 11),)) or "")
    assert rest.check((at(13.3, 13),)) is None
    game.submit((at(13.3, 13),))
    assert game.pending is None
    names = [event.action for event in game.events if isinstance(event, ActionBegan)]
    assert names == ["Reposition", "Operate Hatch"]
    assert [event.cost for event in game.events if isinstance(event, Moved)] == [4, 7]
    assert game.state.activation is not None
    assert game.state.activation.ap_spent == 2


@pytest.mark.rule("KZ-HATCH-OPERATE")
def test_closed_it_stops_the_move_and_open_it_lets_it_through() -> None:
    ground = through(move=9)
    request = MoveRequest("a", "Reposition", 9)
    assert ground.table.mover.judge(ground.table, ground.state, request, (at(16.5, 11),)).refusal is not None
    game = ground.game(acting("a", Reposition()))
    game.submit((at(13.4, 11),))
    game.submit("Operate Hatch")
    game.submit((at(16.5, 11),))
    assert game.state.operatives["a"].x == 16500


@pytest.mark.rule("KZ-HATCH-OPERATE")
def test_the_move_may_end_there_and_needs_another_ap() -> None:
    game = through().game(acting("a", Reposition()))
    game.submit((at(13.4, 11),))
    assert game.pending is not None
    assert game.pending.default == "end"
    game.submit("end")
    assert game.pending is None
    assert game.state.terrain["hatch"] == "closed"
    poor = through(apl=1).act("a", Reposition(), choose={"move": [(at(13.4, 11),)]})
    assert poor.state.terrain["hatch"] == "closed"
    away = through().act("a", Reposition(), choose={"move": [(at(12, 11),)]})  # no access point near
    assert away.state.operatives["a"].x == 12000


@pytest.mark.rule("KZ-HATCH-OPERATE")
def test_only_in_a_dash_or_reposition_and_not_while_counteracting() -> None:
    ground = through().add("b", "blue", (12.5, 12.6)).seen()
    game = ground.act("a", Charge(), choose={"move": [(at(13.4, 11.2),)]})
    assert game.state.terrain["hatch"] == "closed"
    back = Ground(on=hall()).add("a", "red", (12, 11)).add("b", "blue", (10.2, 11)).seen()
    game = back.act("a", FallBack(), choose={"move": [(at(13.4, 11),)]})
    assert game.state.terrain["hatch"] == "closed"
    dash = Ground(on=hall()).add("a", "red", (12, 11)).seen()
    game = dash.act("a", Dash(), choose={"move": [(at(13.4, 11),), ()], "meanwhile": "Operate Hatch"})
    assert game.state.terrain["hatch"] == "open"
    assert game.state.operatives["a"].x == 13400  # no path: the move ends here
    late = Ground(on=hall()).add("a", "red", (12, 11)).seen()
    game = late.act("a", Dash(), choose={"move": [(at(13.4, 11),)]}, kind="counteraction")
    assert game.state.terrain["hatch"] == "closed"


@pytest.mark.rule("KZ-HATCH-OPERATE")
def test_opening_that_brings_an_enemy_into_control_range_ends_the_move() -> None:
    ground = through().add("b", "blue", (15.2 + 0.5, 11.1)).seen()
    game = ground.act("a", Reposition(), choose={"move": [(at(TOUCH, 11.1),)], "meanwhile": "Operate Hatch"})
    assert game.state.terrain["hatch"] == "open"
    assert game.battle.engaged_with(game.state.operatives["a"])
    assert "Reposition ends: B is within control range now. [KZ-HATCH-OPERATE]" in story(game)
    far = through().add("b", "blue", (15.2 + 1.5, 11.1)).seen()
    chosen = {"move": [(at(TOUCH - 0.2, 11.1),), ()], "meanwhile": "Operate Hatch"}
    game = far.act("a", Reposition(), choose=chosen)  # asked for the rest: the move has not ended
    assert game.state.terrain["hatch"] == "open"


def test_a_move_with_a_hatch_is_undone_answer_by_answer() -> None:
    game = through(move=9).game(acting("a", Reposition()))
    digests = [game.digest()]
    for answer in ((at(13.4, 11),), "Operate Hatch", (at(16.5, 11),)):
        game.submit(answer)
        digests.append(game.digest())
    for count in (2, 1, 0):
        game.rewind(count)
        assert game.digest() == digests[count]


# -- fights through openings -------------------------------------------------------------------------


@pytest.mark.rule("KZ-HATCH-FIGHT")
def test_a_hatchway_fight_reaches_two_inches_beyond_an_open_access_point() -> None:
    def at_hatch(x: float = TOUCH, far: float = 2.0) -> Ground:
        ground = Ground(on=hall()).add("a", "red", (x, 11), melee(atk=1), apl=3)
        return ground.add("b", "blue", (15.2 + far + 0.5, 11), melee(atk=1)).open_hatch()

    assert why_not(at_hatch(), "a", HatchwayFight()) is None
    assert why_not(at_hatch(far=2.02), "a", HatchwayFight()) is not None
    assert why_not(at_hatch(TOUCH - 0.2), "a", HatchwayFight()) is not None  # not touching
    shut = at_hatch()
    shut.state.terrain["hatch"] = "closed"
    assert why_not(shut, "a", HatchwayFight()) is not None
    same_side = at_hatch().add("c", "blue", (TOUCH - 1.9, 11))
    assert why_not(same_side, "a", HatchwayFight()) == "Hatchway Fight: not with C in control range."
    game = at_hatch().act("a", HatchwayFight(), dice=[(5,), (1,)])
    assert game.state.operatives["b"].wounds == 7
    assert game.state.reaching is None  # for the action only
    assert refuses_to_spend(game.battle, game.state.operatives["a"], Fight()) is not None  # it was a Fight action


@pytest.mark.rule("KZ-HATCH-FIGHT")
@pytest.mark.rule("SIGHT-17")
@pytest.mark.parametrize("has_spur", [True, False])
def test_two_inches_beyond_an_access_point_are_not_measured_through_a_wall(has_spur: bool) -> None:
    spur = WallLine("spur", (15.2, 12.2), (25, 12.2))
    on = terrain(walls=(*HALL, *([spur] if has_spur else [])), rules=GALLOWDARK)
    ground = Ground(on=on).add("a", "red", (TOUCH, 11)).add("b", "blue", (16, 12.95)).open_hatch().seen()
    assert (why_not(ground, "a", HatchwayFight()) is not None) == has_spur


@pytest.mark.rule("KZ-VOLKUS-DOORFIGHT")
def test_a_door_fight_reaches_two_inches_beyond_the_door() -> None:
    hut = terrain(
        part("hut", "wall 1", (15, 0, 0), (15.25, 10.4, 3), "heavy"),
        part("hut", "wall 2", (15, 11.6, 0), (15.25, 22, 3), "heavy"),
        part("hut", "door", (15.05, 10.4, 0), (15.2, 11.6, 2), "accessible", "heavy", kind="door"),
        rules=VOLKUS,
        kinds={"hut": "large ruin"},
    )

    def at_door(gap: float = 0.05, far: float = 1.9, level: int = 0) -> Ground:
        ground = Ground(on=hut).add("a", "red", (15.05 - 0.5 - gap, 11), melee(atk=1))
        return ground.add("b", "blue", (15.2 + 0.5 + far, 11), melee(atk=1), level=level)

    assert why_not(at_door(), "a", DoorFight()) is None
    assert why_not(at_door(far=2.02), "a", DoorFight()) is not None
    assert why_not(at_door(gap=0.15), "a", DoorFight()) is not None
    assert why_not(at_door(level=500), "a", DoorFight()) is not None  # not on the floor
    engaged = at_door().add("c", "blue", (13.2, 11))
    assert why_not(engaged, "a", DoorFight()) is not None

    def watching(battle: Any) -> Steps[None]:
        who = battle.state.operatives["a"]
        yield ActivationBegan("a", "activation", "engage", 2)
        yield from DoorFight().perform(battle, who)

    game = at_door().game(watching)
    assert game.battle.table.in_control_range(game.state, "a", "b")  # for the action, whatever their distance
    assert State.from_json(game.state.to_json()).reaching == ("a", "b")
    done = at_door().act("a", DoorFight(), dice=[(5,), (1,)])
    assert done.state.operatives["b"].wounds == 7
    assert not done.battle.table.in_control_range(done.state, "a", "b")


# -- Guard -------------------------------------------------------------------------------------------


def watch(*more: Any, **values: Any) -> Ground:
    """B of blue is on guard and sees everything; A of red is about to act."""
    ground = Ground(on=terrain(rules=["KZ-GUARD", "KZ-HATCH-FIGHT"])).add("a", "red", (5, 5), apl=3, **values)
    return ground.add("b", "blue", (12, 5), *more, tokens={ON_GUARD: 1}, is_ready=False)


@pytest.mark.rule("KZ-GUARD")
def test_guard_is_a_shoot_action_on_engage_out_of_control_range() -> None:
    ground = Ground(on=terrain(rules=["KZ-GUARD"])).add("a", "red", (5, 5))
    game = ground.act("a", Guard())
    assert is_on_guard(game.state.operatives["a"])
    assert (
        refuses_to_spend(game.battle, game.state.operatives["a"], Shoot())
        == "Shoot: not in the same activation as Guard."
    )
    ground.state.operatives["a"].order = "conceal"
    assert why_not(ground, "a", Guard()) == "Guard: not on a Conceal order."
    near = Ground(on=terrain(rules=["KZ-GUARD"])).add("a", "red", (5, 5)).add("b", "blue", (5, 7))
    assert why_not(near, "a", Guard()) == "Guard: not with B in control range."
    near.state.operatives["b"].y = 7010
    assert why_not(near, "a", Guard()) is None
    assert not Guard.can_counteract


@pytest.mark.rule("KZ-GUARD")
def test_it_ends_with_another_action_and_with_the_turning_point() -> None:
    ground = Ground(on=terrain(rules=["KZ-GUARD"])).add("a", "red", (5, 5), apl=3)
    game = ground.act("a", Guard(), Dash(), choose={"move": [(at(6, 5),)]})
    assert not is_on_guard(game.state.operatives["a"])
    late = watch().play(turn_end, Answers())
    assert not is_on_guard(late.state.operatives["b"])


@pytest.mark.rule("KZ-GUARD")
def test_it_ends_when_the_order_changes() -> None:
    rule = GuardRule()
    for order, stays in (("engage", True), ("conceal", False)):
        ground = watch()
        ground.state.operatives["b"].order = order  # type: ignore[assignment]
        game = ground.play(lambda battle: rule.activation_begins(battle, battle.state.operatives["b"]))
        assert is_on_guard(game.state.operatives["b"]) == stays


@pytest.mark.rule("KZ-GUARD")
def test_it_ends_when_an_enemy_ends_an_action_in_control_range_uninterrupted() -> None:
    game = watch().act("a", Charge(), choose={"move": [(at(10.1, 5),)], "interrupt": "no"})
    assert not is_on_guard(game.state.operatives["b"])
    outside = watch().act("a", Reposition(), choose={"move": [(at(9.9, 5),)], "interrupt": "no"})
    assert is_on_guard(outside.state.operatives["b"])


@pytest.mark.rule("KZ-GUARD")
def test_it_ends_for_who_is_set_aside_by_a_hatch() -> None:
    ground = Ground(on=hall()).add("a", "red", (16, 11)).add("f", "blue", (13.9, 11.2), tokens={ON_GUARD: 1})
    game = ground.walked().act("a", OperateHatch())
    assert any(isinstance(event, Displaced) for event in game.events)
    assert not is_on_guard(game.state.operatives["f"])


@pytest.mark.rule("KZ-GUARD-INTERRUPT")
def test_after_an_action_of_an_enemy_one_on_guard_shoots_for_free() -> None:
    dice = [(3, 3, 1, 1), (1, 1, 1)]
    chosen = {"move": [(at(6, 5),), (at(7, 6),)], "interrupt": "b Shoot"}
    game = watch().act("a", Dash(), Reposition(), dice=dice, choose=chosen)
    assert game.state.operatives["a"].wounds == 10 - 6
    guard = game.state.operatives["b"]
    assert not is_on_guard(guard)
    assert guard.has_counteracted
    assert game.state.activation is not None
    assert game.state.activation.interrupts == ["b"]
    assert counteractors(game.battle, "blue") == []


@pytest.mark.rule("KZ-GUARD-INTERRUPT")
def test_once_per_enemy_activation() -> None:
    ground = watch().add("c", "blue", (12, 8), tokens={ON_GUARD: 1})
    chosen = {"move": [(at(6, 5),), (at(7, 6),)], "interrupt": ["b Shoot"]}
    game = ground.act("a", Dash(), Reposition(), dice=[(1, 1, 1, 1), (1, 1, 1)], choose=chosen)
    assert is_on_guard(game.state.operatives["c"])  # not asked again in this activation


@pytest.mark.rule("KZ-GUARD-INTERRUPT")
def test_declining_keeps_it_for_the_next_action() -> None:
    chosen = {"move": [(at(6, 5),), (at(7, 6),)], "interrupt": ["no", "b Shoot"]}
    game = watch().act("a", Dash(), Reposition(), dice=[(1, 1, 1, 1), (1, 1, 1)], choose=chosen)
    assert not is_on_guard(game.state.operatives["b"])


@pytest.mark.rule("KZ-GUARD-INTERRUPT")
def test_any_valid_target_will_do_and_none_leaves_it_on_guard() -> None:
    ground = watch().add("f", "red", (5, 9))
    chosen = {"move": [(at(6, 5),)], "interrupt": "b Shoot", "target": "f"}
    game = ground.act("a", Dash(), dice=[(3, 1, 1, 1), (1, 1, 1)], choose=chosen)
    assert game.state.operatives["f"].wounds == 7
    hidden = watch()
    hidden.table.rulings = {("b", "a"): {"is_visible": False}}
    game = hidden.act("a", Dash(), choose={"move": [(at(6, 5),)]})  # nothing to ask
    assert is_on_guard(game.state.operatives["b"])


class Foiled(Shoot):
    """An attack that turns out to be impossible."""

    name = "Shoot"

    def perform(self, battle: Any, who: Any) -> Steps[None]:
        yield from ()
        raise Impossible("no valid target after all")


@pytest.mark.rule("KZ-GUARD-INTERRUPT")
def test_an_attack_that_cannot_be_completed_leaves_it_on_guard(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(GuardRule, "attacks", (Foiled(),))  # also how another edition brings its own shot
    chosen = {"move": [(at(6, 5),)], "interrupt": "b Shoot"}
    game = watch().act("a", Dash(), choose=chosen)
    assert any(isinstance(event, ActionCancelled) for event in game.events)
    assert is_on_guard(game.state.operatives["b"])
    assert game.state.activation is not None
    assert game.state.activation.interrupts == []
    assert not game.state.operatives["b"].has_counteracted


@pytest.mark.rule("KZ-GUARD-INTERRUPT")
def test_after_an_attack_that_cannot_be_completed_another_may_be_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(GuardRule, "attacks", (FoiledFight(), Fight()))
    ground = watch(RIFLE, melee(atk=1, damage=(5, 6)))
    ground.add("a", "red", (5, 5), melee(atk=1))
    chosen = {"move": [(at(10.1, 5),)], "interrupt": ["b Flail", "no"]}
    game = ground.act("a", Charge(), choose=chosen)
    assert not is_on_guard(game.state.operatives["b"]), "it could have fought"
    game = ground.act("a", Charge(), dice=[(5,), (1,)], choose=chosen | {"interrupt": ["b Flail", "b Fight"]})
    assert game.state.operatives["a"].wounds == 5
    monkeypatch.setattr(GuardRule, "attacks", (FoiledFight(),))
    game = ground.act("a", Charge(), choose=chosen | {"interrupt": "b Flail"})
    assert is_on_guard(game.state.operatives["b"]), "no attack could be completed"


class FoiledFight(Fight):
    """A fight that turns out to be impossible."""

    name = "Flail"

    def perform(self, battle: Any, who: Any) -> Steps[None]:
        yield from ()
        raise Impossible("not this time")


@pytest.mark.rule("KZ-GUARD-INTERRUPT")
@pytest.mark.parametrize("is_visible", [True, False])
def test_a_point_blank_shot_reaches_an_engaged_enemy_seen_or_not(is_visible: bool) -> None:
    """Control range is mutual: the enemy may see the guard that does not see it."""
    ground = watch(RIFLE, melee(atk=1))
    ground.table.rulings = {("b", "a"): {"is_visible": is_visible}}
    answers = Answers([], {"move": [(at(10.1, 5),)], "interrupt": "no"})
    ground.play(acting("a", Charge()), answers)
    offered = [o.key for d in answers.asked if isinstance(d, Pick) and d.topic == "interrupt" for o in d.options]
    assert {"b Point-blank Shot", "b Fight"} <= set(offered)
    choose = {"move": [(at(10.1, 5),)], "interrupt": "b Point-blank Shot"}
    game = ground.play(acting("a", Charge()), Answers([(6, 1, 1, 1), (1, 1, 1)], choose))
    assert game.state.operatives["a"].wounds < ground.state.operatives["a"].wounds


@pytest.mark.rule("KZ-GUARD")
def test_a_free_move_ends_guard_too() -> None:
    ground = watch().add("c", "blue", (12, 8))
    ground.state.operatives["c"].tokens = {ON_GUARD: 1}

    def procedure(battle: Any) -> Steps[None]:
        yield from free_action(battle, battle.state.operatives["c"], Dash())

    game = ground.play(procedure, Answers([], {"move": [(at(13, 8),)]}))
    assert not is_on_guard(game.state.operatives["c"])
    assert is_on_guard(game.state.operatives["b"])


@pytest.mark.rule("KZ-GUARD-INTERRUPT")
def test_a_point_blank_shot_hits_worse_and_costs_the_retaliation() -> None:
    ground = watch(RIFLE, melee(atk=1))
    chosen = {"move": [(at(10.1, 5),)], "interrupt": "b Point-blank Shot"}
    dice = [(4, 3, 3, 1), (1, 1, 1), (6, 6, 6, 1)]  # 3 misses at 4+; then A fights and B rolls nothing
    game = ground.act("a", Charge(), Fight(), dice=dice, choose=chosen)
    assert game.state.operatives["a"].wounds == 10 - 3
    assert game.state.operatives["b"].wounds == 0
    assert any("point-blank" in line for line in story(game))
    battle = game.battle
    assert battle.rules[-1].forbids_retaliation(battle, game.state.operatives["a"]) is False
    battle.state.activation = None  # over: it may retaliate again
    assert not any(rule.forbids_retaliation(battle, game.state.operatives["b"]) for rule in battle.rules)


@pytest.mark.rule("KZ-GUARD-INTERRUPT")
def test_on_guard_it_may_fight_as_well() -> None:
    ground = watch(RIFLE, melee(atk=2, damage=(5, 6)))
    ground.add("a", "red", (5, 5), melee(atk=1), apl=3)
    chosen = {"move": [(at(10.1, 5),)], "interrupt": "b Fight"}
    game = ground.act("a", Charge(), dice=[(5, 5), (1,)], choose=chosen)
    assert game.state.operatives["a"].is_removed
    assert PointBlankShot().refusal(game.battle, game.state.operatives["b"]) is not None


@pytest.mark.rule("KZ-GUARD-INTERRUPT")
def test_between_an_action_within_an_action() -> None:
    """After Operate Hatch in the middle of a Reposition, before the rest of the move."""
    ground = (
        Ground(on=hall()).add("a", "red", (10, 11), wounds=3).add("b", "blue", (20, 11), tokens={ON_GUARD: 1}).seen()
    )
    game = ground.game(acting("a", Reposition()))
    game.submit((at(13.4, 11),))
    game.submit("Operate Hatch")
    assert game.pending is not None
    assert game.pending.topic == "interrupt"
    game.submit("b Shoot")
    answers = Answers([(3, 3, 3, 3), (1, 1, 1)])
    while game.pending is not None:
        game.submit(answers(game.pending))
    assert game.state.operatives["a"].is_removed  # and the move is over
    assert game.state.operatives["a"].x == 13400


@pytest.mark.rule("KZ-GUARD-INTERRUPT")
def test_a_counteraction_is_not_interrupted() -> None:
    ground = watch().add("x", "blue", (25, 20))
    who = ground.state.operatives["a"]
    who.is_ready = False
    chosen = {"counteract": "a", "action": "Dash", "move": [(at(6, 5),)]}
    game = ground.play(lambda battle: counteract(battle, "red"), Answers([], chosen))
    assert is_on_guard(game.state.operatives["b"])


@pytest.mark.rule("KZ-GUARD-INTERRUPT", "KZ-HATCH-FIGHT")
def test_a_hatchway_fight_is_a_guard_attack_too() -> None:
    ground = Ground(on=hall()).add("a", "red", (12, 14), apl=3).open_hatch()
    ground.add("b", "blue", (15.2 + 0.5, 11), melee(atk=1), tokens={ON_GUARD: 1})
    battle = ground.ready
    rule = next(rule for rule in battle.rules if isinstance(rule, GuardRule))
    assert [action.name for _, action in rule.able(battle, "blue")] == []
    ground.state.operatives["a"].x, ground.state.operatives["a"].y = 12900, 11000  # 1.4" beyond
    assert [action.name for _, action in rule.able(battle, "blue")] == ["Hatchway Fight"]


# -- tight places ------------------------------------------------------------------------------------


def rules_of(ground: Ground, key: str, target: str | None = None) -> list[str]:
    battle = ground.ready
    who = battle.state.operatives["a"]
    other = None if target is None else battle.state.operatives[target]
    return [rule.text for rule in battle.weapon_rules(who, battle.weapon(who, key), other)]


SPREADING = [('Blast 2"',), ('Torrent 2"',), ('1" Devastating 1',)]


@pytest.mark.rule("KZ-CONDENSED")
@pytest.mark.parametrize("rules", SPREADING)
def test_condensed_weapons_have_lethal_as_well(rules: tuple[str, ...]) -> None:
    ground = Ground(on=hall()).add("a", "red", (5, 5), ranged(*rules), ranged("Devastating 2", key="other"))
    assert rules_of(ground, "gun") == [*rules, "Lethal 5+"]
    assert rules_of(ground, "other") == ["Devastating 2"]


@pytest.mark.rule("KZ-CONDENSED")
@pytest.mark.parametrize(("wounds", "has_blast"), [(10, False), (9, True)])
def test_condensed_counts_what_is_granted_only_while_its_condition_holds(wounds: int, has_blast: bool) -> None:
    ground = Ground(on=hall()).add("a", "red", (5, 5), ranged())
    granted = Effect("Wrath", "X", "battle", "a", grants='Blast 2"', only_if="wounded")
    ground.state.effects.append(granted)
    ground.state.operatives["a"].wounds = wounds
    assert rules_of(ground, "gun") == (['Blast 2"', "Lethal 5+"] if has_blast else [])


def keep() -> Ground:
    """A stronghold from (10, 8) to (17, 15) with a fire step; A shoots from outside."""
    walls = [
        part("keep", "south", (10, 8, 0), (17, 8.25, 3), "heavy", kind="wall"),
        part("keep", "north", (10, 14.75, 0), (17, 15, 3), "heavy", kind="wall"),
        part("keep", "step", (10.5, 9, 0), (11.5, 13, 0.5), "vantage", "insignificant", "exposed", kind="fire step"),
        part("keep", "floor", (12, 8, 2.8), (17, 15, 3), "vantage", "ceiling", kind="floor"),
    ]
    ground = Ground(on=terrain(*walls, rules=VOLKUS, kinds={"keep": "stronghold"}))
    return ground.add("a", "red", (5, 11), ranged('Blast 2"'), melee(atk=1))


@pytest.mark.rule("KZ-VOLKUS-CONDENSED")
def test_only_against_targets_wholly_within_and_low() -> None:
    ground = keep().add("in", "blue", (14, 11)).add("step", "blue", (11, 11), level=500)
    ground.add("up", "blue", (14, 11), level=3000).add("edge", "blue", (10.4, 11)).add("out", "blue", (8, 11))
    gains = {id: "Lethal 5+" in rules_of(ground, "gun", id) for id in ("in", "step", "up", "edge", "out")}
    assert gains == {"in": True, "step": True, "up": False, "edge": False, "out": False}
    assert "Lethal 5+" not in rules_of(ground, "blade", "in")


@pytest.mark.rule("KZ-VOLKUS-CONDENSED")
def test_each_target_of_a_blast_is_judged_for_itself() -> None:
    """The primary target stands outside, the second inside: only against that is a 5 critical."""
    ground = keep().add("out", "blue", (9.2, 11)).add("in", "blue", (11.1, 11))
    ground.add("a", "red", (5, 11), ranged('Blast 2"', atk=1, damage=(2, 7)))
    chosen = {"target": "out"}
    game = ground.act("a", Shoot(), dice=[(5,), (1, 1, 1), (5,), (1, 1, 1)], choose=chosen)
    assert game.state.operatives["out"].wounds == 10 - 2
    assert game.state.operatives["in"].wounds == 10 - 7


@pytest.mark.rule("KZ-VOLKUS-GARRISON")
def test_inside_a_stronghold_it_resolves_first_against_one_outside() -> None:
    def fight(inside: tuple[float, float], outside: tuple[float, float]) -> Game:
        ground = keep().add("a", "red", outside, melee(atk=1, damage=(9, 9)), wounds=3)
        ground.add("b", "blue", inside, melee(atk=1, damage=(9, 9)), wounds=3)
        return ground.act("a", Fight(), dice=[(5,), (5,)])

    held = fight((10.6, 11), (9.4, 11))
    assert held.state.operatives["a"].is_removed
    assert not held.state.operatives["b"].is_removed
    open_field = fight((7.6, 11), (6.4, 11))
    assert open_field.state.operatives["b"].is_removed
    assert not open_field.state.operatives["a"].is_removed
    both_inside = fight((13, 11), (11.8, 11))
    assert both_inside.state.operatives["b"].is_removed
    battle = keep().add("b", "blue", (10.49, 11)).ready
    assert stronghold_around(battle, battle.state.operatives["b"]) is None  # not wholly


@pytest.mark.rule("KZ-VOLKUS-GARRISON")
def test_an_oval_base_is_within_a_stronghold_by_its_real_shape() -> None:
    """60 x 35 mm, its long axis along the wall it stands by."""
    base = Base.of_mm(60, 35)
    for turn, gap, is_within in ((90, base.across + 0.02, True), (90, base.across - 0.02, False), (0, 1.0, False)):
        ground = keep().add("b", "blue", (10 + gap, 11))
        ground.cards["b"] = replace(ground.cards["b"], base=base)
        ground.state.operatives["b"].turn = 1000 * turn
        battle = ground.seen().ready
        assert (stronghold_around(battle, battle.state.operatives["b"]) is not None) == is_within


@pytest.mark.rule("KZ-VOLKUS-TOP")
def test_the_top_level_is_stood_on_on_one_side_or_the_other() -> None:
    top = part("keep", "top", (10, 8, 5.3), (17, 10.2, 5.5), "vantage", "ceiling", kind="top floor")
    base = part("keep", "walls", (10, 8, 0), (17, 10.2, 5.3), "heavy")
    for rules, refused in (({"KZ-VOLKUS-TOP"}, True), (set(), False)):
        ground = Ground(on=terrain(top, base, rules=rules)).add("a", "red", (4, 4)).add("f", "red", (2, 2)).seen()
        stand = ground.table.mover.refuses_to_stand

        def at_top(x: float, ground: Ground = ground, stand: Any = stand) -> str | None:
            return stand(ground.table, ground.state, "a", (round(1000 * x), 9100, 5500))  # type: ignore[no-any-return]

        assert (at_top(13.5) is not None) == refused
        assert (at_top(13.5 + 0.49) is not None) == refused
        assert at_top(13.5 + 0.51) is None
        friend = ground.state.operatives["f"]
        friend.x, friend.y, friend.level = 11000, 9100, 5500
        assert (at_top(16) is not None) == refused
