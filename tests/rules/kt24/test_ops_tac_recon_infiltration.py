"""The tac ops of Recon and Infiltration, line by line."""

from __future__ import annotations

from typing import Any

import pytest
from engine_help import story
from op_help import AT_BLUES, AT_CENTRE, AT_REDS, BLUES, CENTRE, REDS, OpField

from ktsim.rules.engine.activation import free_action
from ktsim.rules.engine.battle import Battle
from ktsim.rules.engine.decisions import Steps
from ktsim.rules.engine.operative_events import ActionBegan

# -- Flank -------------------------------------------------------------------------------------------


def flank(turn: int = 2, at: tuple[float, float] = (20, 15), is_revealed: bool = True) -> OpField:
    """Red in the enemy territory; for red, looking right, the left flank is the upper half."""
    field = OpField(red="flank", turn=turn).add("a", "red", at).add("b", "blue", (28, 3))
    if is_revealed:
        field.state.choices["red:tac op revealed"] = "flank"
    return field


@pytest.mark.rule("KT24-OP-FLANK")
def test_flank_is_revealed_by_a_gambit_and_scores_nothing_before() -> None:
    field = flank(is_revealed=False)
    assert field.end_turn().vp("red", "tac") == 0
    field = flank(is_revealed=False)
    game = field.gambits("red")
    pending: Any = game.pending
    option = next(option for option in pending.options if option.key == "flank")
    assert option.secret
    assert any("reveals its tac op: Flank" in event.words(game.battle.name) for event in game.submit("flank"))
    field.state = game.state
    assert field.end_turn().vp("red", "tac") == 1
    field.state.phase = "gambit"
    assert field.gambits("red").pending is None, "revealed once"


@pytest.mark.rule("KT24-OP-FLANK")
@pytest.mark.parametrize(
    ("at", "vp"),
    [
        ((20, 15), 1),  # left flank
        ((20, 5), 1),  # right flank
        ((20, 11.5), 1),  # just wholly in the left flank
        ((20, 11.4), 0),  # on the line
        ((15.5, 15), 1),  # just wholly in the enemy territory
        ((15.4, 15), 0),
        ((5, 15), 0),  # own territory
    ],
)
def test_flanks_need_wholly_within(at: tuple[float, float], vp: int) -> None:
    assert flank(at=at).end_turn().vp("red", "tac") == vp


@pytest.mark.rule("KT24-OP-FLANK")
def test_a_defender_at_home_contests_nothing_and_intruders_do() -> None:
    """Each side is judged by its own opponent's territory."""
    field = flank().add("c", "blue", (25, 18), apl=3)
    assert field.end_turn().vp("red", "tac") == 1, "at home in the flank"
    field = flank().add("c", "blue", (5, 18), apl=2)
    assert field.end_turn().vp("red", "tac") == 0, "as much APL in red's territory, same flank"
    field = flank().add("c", "blue", (5, 18), apl=1)
    assert field.end_turn().vp("red", "tac") == 1
    field = flank().add("c", "blue", (5, 11), apl=3)
    assert field.end_turn().vp("red", "tac") == 1, "on the line, in neither flank"
    field = flank().add("c", "blue", (14.6, 18), apl=3)
    assert field.end_turn().vp("red", "tac") == 1, "not wholly in red's territory"


@pytest.mark.rule("KT24-OP-FLANK")
def test_a_flank_held_before_pays_two_but_the_first_turning_point_does_not_count() -> None:
    field = flank(turn=1).next_turn().next_turn()
    assert field.vp("red", "tac") == 1
    assert field.end_turn().vp("red", "tac") == 3
    field = flank(turn=2).next_turn()
    field.state.operatives["a"].y = 5000
    assert field.end_turn().vp("red", "tac") == 2, "another flank than before"


@pytest.mark.rule("KT24-OP-FLANK")
@pytest.mark.rule("KT24-SCORE")
def test_flank_pays_two_per_turning_point_at_most() -> None:
    field = flank(turn=2).add("c", "red", (20, 4)).next_turn()
    assert field.vp("red", "tac") == 2
    assert field.next_turn().vp("red", "tac") == 4


@pytest.mark.rule("KT24-OP-FLANK")
def test_flanks_of_blue_and_of_players_at_bottom_and_top() -> None:
    field = OpField(blue="flank").add("b", "blue", (5, 15)).add("a", "red", (3, 3))
    field.state.choices["blue:tac op revealed"] = "flank"
    assert field.end_turn().vp("blue", "tac") == 1
    note = {key for key in field.state.notes if "flank" in key}
    assert note == {"blue:flank:right"}, "blue looks the other way"


# -- Scout Enemy Movement ----------------------------------------------------------------------------


def scout(far: float = 7.1, **more: Any) -> OpField:
    """Red's base and an enemy's, *far* apart."""
    field = OpField(red="scout-enemy-movement").add("a", "red", (5, 5), order="conceal")
    return field.add("b", "blue", (6 + far, 5), **more)


@pytest.mark.rule("KT24-OP-SCOUT-ENEMY-MOVEMENT")
@pytest.mark.parametrize(
    ("far", "more", "is_able"),
    [
        (6.01, {}, True),
        (6.0, {}, False),  # not more than 6" away
        (8.0, {"is_ready": False}, False),
    ],
)
def test_scout_needs_a_ready_enemy_far_enough(far: float, more: dict[str, Any], is_able: bool) -> None:
    refusal = scout(far, **more).refusal("a", "Scout")
    assert (refusal is None) == is_able
    if not is_able:
        assert refusal == 'Scout: no ready enemy visible more than 6" away.'


@pytest.mark.rule("KT24-OP-SCOUT-ENEMY-MOVEMENT")
def test_scout_is_for_conceal_orders() -> None:
    field = scout()
    field.state.operatives["a"].order = "engage"
    assert field.refusal("a", "Scout") == "Scout: only on a Conceal order."


@pytest.mark.rule("KT24-OP-SCOUT-ENEMY-MOVEMENT")
def test_scout_needs_visibility(monkeypatch: pytest.MonkeyPatch) -> None:
    field = scout()
    monkeypatch.setattr(type(field.table), "is_visible", lambda *args: False)
    assert field.refusal("a", "Scout") is not None


@pytest.mark.rule("KT24-OP-SCOUT-ENEMY-MOVEMENT")
def test_monitored_enemies_pay_while_visible_to_any_friend(monkeypatch: pytest.MonkeyPatch) -> None:
    field = scout().add("c", "red", (3, 18)).do("a", "Scout")
    assert field.state.operatives["b"].tokens == {"monitored:red": 1}
    monkeypatch.setattr(type(field.table), "is_visible", lambda self, state, viewer, target: viewer == "c")
    field.next_turn()
    assert field.vp("red", "tac") == 1
    assert field.state.operatives["b"].tokens == {}, "until the next Ready step"
    assert field.end_turn().vp("red", "tac") == 1


@pytest.mark.rule("KT24-OP-SCOUT-ENEMY-MOVEMENT")
def test_nobody_sees_it_no_vp(monkeypatch: pytest.MonkeyPatch) -> None:
    field = scout().do("a", "Scout")
    monkeypatch.setattr(type(field.table), "is_visible", lambda *args: False)
    assert field.end_turn().vp("red", "tac") == 0


@pytest.mark.rule("KT24-OP-SCOUT-ENEMY-MOVEMENT")
def test_three_monitored_pay_two_and_the_fallen_nothing() -> None:
    field = scout()
    for number in range(2):
        field.add(f"c{number}", "blue", (20, 5 + 3 * number))
    for who in field.state.side("blue"):
        who.tokens["monitored:red"] = 1
    assert field.end_turn().vp("red", "tac") == 2
    field = scout().do("a", "Scout").fell("b")
    assert field.end_turn().vp("red", "tac") == 0


# -- Retrieval ---------------------------------------------------------------------------------------


def retrieval(turn: int = 2) -> OpField:
    return OpField("secure", red="retrieval", turn=turn).add("a", "red", AT_CENTRE).add("b", "blue", (28, 3))


@pytest.mark.rule("KT24-OP-RETRIEVAL")
def test_a_search_pays_and_gives_a_marker_to_carry() -> None:
    field = retrieval().do("a", "Retrieve")
    assert field.vp("red", "tac") == 1
    (marker,) = field.state.carried_by("a")
    assert (marker.kind, marker.owner) == ("retrieval", "red")
    assert field.refusal("a", "Retrieve") == "Retrieve: already carrying a marker."


@pytest.mark.rule("KT24-OP-RETRIEVAL")
def test_an_action_for_free_reveals_the_op_first() -> None:
    def freely(battle: Battle) -> Steps[None]:
        who = battle.state.operatives["a"]
        yield from free_action(battle, who, next(each for each in battle.actions(who) if each.name == "Retrieve"))

    game = retrieval().settle().play(freely)
    told = [event.words(game.battle.name) for event in game.events]
    reveals, carries = (next(n for n, line in enumerate(told) if word in line) for word in ("reveals", "carries"))
    assert reveals < carries


@pytest.mark.rule("KT24-OP-RETRIEVAL")
def test_an_objective_is_searched_once() -> None:
    field = retrieval().do("a", "Retrieve").add("c", "red", (14, 11))
    assert field.refusal("c", "Retrieve") == "Retrieve: the centre objective was searched before."
    field.state.markers[CENTRE].tokens = {"searched:blue": 1}
    assert field.refusal("c", "Retrieve") is None, "the other side's searches do not matter"


@pytest.mark.rule("KT24-OP-RETRIEVAL")
def test_carried_markers_pay_at_the_end_of_the_battle() -> None:
    field = retrieval(turn=3).do("a", "Retrieve").next_turn()
    assert field.vp("red", "tac") == 1, "not at the end of a turning point"
    assert field.end_turn().vp("red", "tac") == 2
    field = retrieval(turn=4).do("a", "Retrieve")
    field.state.markers[f"retrieval-red-{CENTRE}"].carrier = None
    assert field.end_turn().vp("red", "tac") == 1, "lying about"


@pytest.mark.rule("KT24-OP-RETRIEVAL")
@pytest.mark.rule("KT24-PICKUP")
def test_only_friends_pick_retrieval_markers_up() -> None:
    field = retrieval().do("a", "Retrieve").fell("a", choose={"place marker": (15000, 11000, 0)})
    marker = field.state.markers[f"retrieval-red-{CENTRE}"]
    assert marker.carrier is None
    field.add("c", "blue", (15, 10))
    assert field.refusal("c", "Pick Up Marker") == "Pick Up Marker: controls no marker that may be picked up."
    field.state.operatives["c"].x = 28000
    assert field.add("d", "red", (15, 10)).refusal("d", "Pick Up Marker") is None


@pytest.mark.rule("KT24-OP-RETRIEVAL")
@pytest.mark.rule("KT24-SCORE")
def test_three_searches_in_a_turning_point_pay_two() -> None:
    field = retrieval().add("c", "red", AT_REDS).add("d", "red", AT_BLUES)
    for id in ("a", "c", "d"):
        field.do(id, "Retrieve")
    assert field.vp("red", "tac") == 2


# -- Track Enemy -------------------------------------------------------------------------------------


def track(far: float = 6.0, turn: int = 2) -> OpField:
    field = OpField(red="track-enemy", turn=turn).add("a", "red", (5, 5), order="conceal")
    field.add("b", "blue", (6 + far, 5))
    field.table.rulings[("b", "a")] = {"in_cover": True}
    return field


@pytest.mark.rule("KT24-OP-TRACK-ENEMY")
@pytest.mark.parametrize(("far", "vp"), [(6.0, 1), (6.01, 0)])
def test_tracked_within_six_inches(far: float, vp: int) -> None:
    assert track(far).end_turn().vp("red", "tac") == vp


@pytest.mark.rule("KT24-OP-TRACK-ENEMY")
def test_what_spoils_tracking() -> None:
    field = track()
    field.state.operatives["a"].order = "engage"
    assert field.end_turn().vp("red", "tac") == 0, "not on Conceal"
    field = track()
    del field.table.rulings[("b", "a")]
    assert field.end_turn().vp("red", "tac") == 0, "it is a valid target itself"
    field = track()
    field.table.rulings[("a", "b")] = {"is_visible": False}
    assert field.end_turn().vp("red", "tac") == 0, "the enemy is no valid target"
    field = track().add("c", "blue", (5, 7))
    field.table.rulings[("c", "a")] = {"in_cover": True}
    assert field.end_turn().vp("red", "tac") == 0, "in an enemy's control range"


@pytest.mark.rule("KT24-OP-TRACK-ENEMY")
def test_one_pays_one_but_two_in_the_last_turning_point_and_two_pay_two() -> None:
    assert track(turn=3).end_turn().vp("red", "tac") == 1
    assert track(turn=4).end_turn().vp("red", "tac") == 2
    field = track().add("c", "blue", (10, 8))
    field.table.rulings[("c", "a")] = {"in_cover": True}
    assert field.end_turn().vp("red", "tac") == 2
    assert track(turn=1).end_turn().vp("red", "tac") == 0


# -- Steal Intelligence ------------------------------------------------------------------------------


def steal(turn: int = 2, crit: str = "secure") -> OpField:
    field = OpField(crit, red="steal-intelligence", turn=turn).add("a", "red", (10, 15), apl=3)
    return field.add("b", "blue", (11, 14)).add("c", "blue", (11, 16)).add("z", "blue", (28, 3))


@pytest.mark.rule("KT24-OP-STEAL-INTELLIGENCE")
def test_incapacitated_enemies_leave_markers_friends_do_not() -> None:
    field = steal(turn=1).fell("b", "a")
    marker = field.state.markers["intelligence-b"]
    assert (marker.point, marker.owner, marker.can_be_picked_up) == ((11000, 14000, 0), "red", True)
    assert field.state.choices["red:tac op revealed"] == "steal-intelligence"
    field = steal().fell("a", "b")
    assert not any(marker.kind == "intelligence" for marker in field.state.markers.values())


@pytest.mark.rule("KT24-OP-STEAL-INTELLIGENCE")
def test_any_carried_pays_one_and_each_at_the_end_of_the_battle() -> None:
    field = steal(turn=3).fell("b", "a").fell("c", "a")
    assert field.next_turn().vp("red", "tac") == 0, "lying about"
    for id in ("intelligence-b", "intelligence-c"):
        field.state.markers[id].carrier = "a"
    assert field.end_turn().vp("red", "tac") == 1 + 2
    field = steal(turn=2).fell("b", "a").fell("c", "a")
    for id in ("intelligence-b", "intelligence-c"):
        field.state.markers[id].carrier = "a"
    assert field.end_turn().vp("red", "tac") == 1


@pytest.mark.rule("KT24-OP-STEAL-INTELLIGENCE")
@pytest.mark.rule("KT24-PICKUP")
def test_an_operative_may_carry_two_but_not_three() -> None:
    field = steal().fell("b", "a").fell("c", "a").do("a", "Pick Up Marker", {"marker": "intelligence-b"})
    assert field.refusal("a", "Pick Up Marker") is None
    field.do("a", "Pick Up Marker")
    assert len(field.state.carried_by("a")) == 2
    field.marker("m", (10, 14), can_be_picked_up=True)
    assert field.refusal("a", "Pick Up Marker") == "Pick Up Marker: already carrying a marker."


@pytest.mark.rule("KT24-OP-STEAL-INTELLIGENCE")
@pytest.mark.rule("KT24-PICKUP")
def test_an_operative_may_carry_one_and_another_marker_but_not_two_others() -> None:
    field = steal().marker("m", (10, 14), can_be_picked_up=True).marker("n", (9, 14), can_be_picked_up=True)
    field.fell("b", "a").fell("c", "a").do("a", "Pick Up Marker", {"marker": "m"})
    battle = field.settle().battle()
    assert field.refusal("a", "Pick Up Marker") is None
    pick_up: Any = field.action("a", "Pick Up Marker")
    assert {m.id for m in pick_up.markers(battle, battle.state.operatives["a"])} >= {"n", "intelligence-b"}
    field.do("a", "Pick Up Marker", {"marker": "intelligence-b"})
    assert {marker.id for marker in field.state.carried_by("a")} == {"m", "intelligence-b"}
    other = OpField("secure").add("a", "red", (10, 15)).marker("m", (10, 14), can_be_picked_up=True)
    other.marker("n", (9, 14), can_be_picked_up=True).do("a", "Pick Up Marker", {"marker": "m"})
    assert other.refusal("a", "Pick Up Marker") == "Pick Up Marker: already carrying a marker."


# -- Plant Devices -----------------------------------------------------------------------------------


def devices(**more: Any) -> OpField:
    return OpField("secure", red="plant-devices", **more).add("a", "red", AT_BLUES).add("b", "blue", (28, 3))


@pytest.mark.rule("KT24-OP-PLANT-DEVICES")
def test_a_device_on_the_enemys_objective_pays_whoever_controls_it() -> None:
    field = devices().do("a", "Plant Device")
    assert field.tokens(BLUES) == {"device:red": 1}
    assert field.refusal("a", "Plant Device") == "Plant Device: blue's objective has one of your devices."
    assert field.end_turn().vp("red", "tac") == 1


@pytest.mark.rule("KT24-OP-PLANT-DEVICES")
def test_devices_elsewhere_pay_while_the_enemy_controls_them() -> None:
    for controller, vp in (("blue", 1), ("red", 0), (None, 0)):
        field = devices()
        field.state.markers[CENTRE].tokens["device:red"] = 1
        if controller:
            field.add("c", controller, AT_CENTRE)  # type: ignore[arg-type]
        assert field.end_turn().vp("red", "tac") == vp
    field = devices()
    field.state.markers[CENTRE].tokens["device:blue"] = 1
    field.add("c", "blue", AT_CENTRE)
    assert field.end_turn().vp("red", "tac") == 0, "not red's device"


@pytest.mark.rule("KT24-OP-PLANT-DEVICES")
def test_three_devices_pay_two() -> None:
    field = devices().add("c", "blue", AT_CENTRE).add("d", "blue", AT_REDS)
    for id in (CENTRE, REDS, BLUES):
        field.state.markers[id].tokens["device:red"] = 1
    assert field.end_turn().vp("red", "tac") == 2


# -- secrecy -----------------------------------------------------------------------------------------


@pytest.mark.rule("KT24-SELECT")
def test_an_action_reveals_the_op_before_it_is_told() -> None:
    field = devices()
    battle = field.settle().battle()
    action = field.action("a", "Plant Device")
    assert action.is_secret(battle, battle.state.operatives["a"])
    assert not any(each.name == "Plant Device" for each in battle.actions(battle.state.operatives["b"]))

    def procedure(battle: Any) -> Any:
        from ktsim.rules.engine.activation import perform
        from ktsim.rules.engine.operative_events import ActivationBegan

        yield ActivationBegan("a", "activation", "engage", 2)
        yield from perform(battle, battle.state.operatives["a"], action, 1)

    game = field.play(procedure)
    told = story(game)
    assert "reveals its tac op: Plant Devices" in told[1]
    assert isinstance(game.events[2], ActionBegan)
    assert not action.is_secret(game.battle, game.state.operatives["a"])


@pytest.mark.rule("KT24-SELECT")
def test_scoring_reveals_the_op_first() -> None:
    field = track()
    told = story(field.play(lambda battle: battle.rules[-2].turning_point_ends(battle)))
    assert "reveals its tac op: Track Enemy" in told[0]
    assert "scores 1VP (Track Enemy" in told[1]
