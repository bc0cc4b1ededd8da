"""The tac ops of Security and of Seek and Destroy, line by line."""

from __future__ import annotations

from typing import Any

import pytest
from engine_help import Answers, at
from op_help import AT_BLUES, AT_CENTRE, AT_REDS, CENTRE, REDS, OpField

from ktsim.rules.engine.battle import Battle
from ktsim.rules.engine.events import VpScored
from ktsim.rules.engine.mission import MARKER_RADIUS
from ktsim.rules.engine.operative_events import Wounded
from ktsim.rules.engine.rule import Rule
from ktsim.rules.engine.state import OperativeState, inches
from ktsim.rules.engine.turn import turn_end

# -- Plant Banner ------------------------------------------------------------------------------------


def banner(place: tuple[float, float] = (20, 11), turn: int = 2) -> OpField:
    return OpField(red="plant-banner", turn=turn).add("a", "red", place).add("b", "blue", (28, 3))


def planted(place: tuple[float, float] = (20, 11), turn: int = 2) -> OpField:
    return banner(place, turn).do("a", "Plant Banner", {"plant banner": at(*place)})


@pytest.mark.rule("KT24-OP-PLANT-BANNER")
def test_a_banner_is_planted_once() -> None:
    field = planted()
    marker = field.state.markers["banner-red"]
    assert (marker.kind, marker.owner, marker.can_be_picked_up) == ("banner", None, True)
    assert field.refusal("a", "Plant Banner") == "Plant Banner: once per battle."


@pytest.mark.rule("KT24-OP-PLANT-BANNER")
@pytest.mark.parametrize(
    ("place", "says"),
    [
        ((20.5, 11.5), None),
        ((18, 11), "The marker would not be within A's control range."),
        ((20, 11 - 1.5 - inches(MARKER_RADIUS) + 0.01), None),
        ((20, 11 - 1.5 - inches(MARKER_RADIUS) - 0.01), "The marker would not be within A's control range."),
    ],
)
def test_within_control_range(place: tuple[float, float], says: str | None) -> None:
    field = banner()
    battle = field.settle().battle()
    action: Any = field.action("a", "Plant Banner")
    assert action.refuses_place(battle, battle.state.operatives["a"], at(*place)) == says


@pytest.mark.rule("KT24-OP-PLANT-BANNER")
def test_wholly_in_the_enemy_territory_and_away_from_neutral_edges() -> None:
    radius = inches(MARKER_RADIUS)
    territory = "The banner would not be wholly within the enemy territory."
    edge = 'The banner must be more than 5" from a neutral edge.'
    for place, says in [
        ((15 + radius, 11), None),
        ((15 + radius - 0.01, 11), territory),
        ((20, 5 + radius + 0.01), None),
        ((20, 5 + radius), edge),
        ((20, 17 - radius - 0.01), None),
        ((20, 17 - radius), edge),
        ((29, 11), None),
    ]:
        field = banner(place)
        battle = field.settle().battle()
        action: Any = field.action("a", "Plant Banner")
        assert action.refuses_place(battle, battle.state.operatives["a"], at(*place)) == says, place


@pytest.mark.rule("KT24-OP-PLANT-BANNER")
def test_no_place_no_action() -> None:
    says = 'Plant Banner: no place wholly within enemy territory and more than 5" from a neutral edge.'
    assert banner((5, 11)).refusal("a", "Plant Banner") == says
    assert banner((20, 2)).refusal("a", "Plant Banner") == says
    assert banner((14, 11)).refusal("a", "Plant Banner") is None, "it may reach over"
    assert banner((13.7, 4.84)).refusal("a", "Plant Banner") is None, "askew as well"


@pytest.mark.rule("KT24-OP-PLANT-BANNER")
def test_the_banner_pays_two_alone_and_one_when_contested() -> None:
    assert planted().end_turn().vp("red", "tac") == 2
    assert planted().add("c", "blue", (21, 11), apl=1).end_turn().vp("red", "tac") == 1
    assert planted().add("c", "blue", (21, 11), apl=2).end_turn().vp("red", "tac") == 0, "not controlled"


@pytest.mark.rule("KT24-OP-PLANT-BANNER")
def test_the_banner_pays_only_where_it_may_stand_and_not_while_carried() -> None:
    field = planted()
    field.state.markers["banner-red"].carrier = "a"
    assert field.end_turn().vp("red", "tac") == 0
    field = planted()
    field.state.markers["banner-red"].x = field.state.operatives["a"].x = 5000
    assert field.end_turn().vp("red", "tac") == 0, "in red's own territory"


@pytest.mark.rule("KT24-OP-PLANT-BANNER")
@pytest.mark.rule("KT24-PICKUP")
def test_anybody_who_controls_it_picks_the_banner_up() -> None:
    field = planted()
    assert field.refusal("a", "Pick Up Marker") is None
    field.state.operatives["a"].x = 3000
    field.add("c", "blue", (20, 11))
    assert field.refusal("c", "Pick Up Marker") is None
    field.do("c", "Pick Up Marker")
    assert field.state.markers["banner-red"].carrier == "c"
    assert field.end_turn().vp("red", "tac") == 0, "carried"


@pytest.mark.rule("KT24-OP-PLANT-BANNER")
@pytest.mark.parametrize(("place", "vp"), [((20, 2), 2), ((16, 2), 2), ((15.3, 2), 0)])
def test_a_banner_scores_wherever_it_lies_wholly_in_enemy_territory(place: tuple[float, float], vp: int) -> None:
    """The distance to a neutral edge is a condition of planting, not of scoring."""
    field = planted()
    marker, who = field.state.markers["banner-red"], field.state.operatives["a"]
    marker.x, marker.y = who.x, who.y = at(*place)[:2]
    assert field.settle().end_turn().vp("red", "tac") == vp


# -- Martyrs -----------------------------------------------------------------------------------------


def martyrs(turn: int = 2) -> OpField:
    field = OpField("secure", red="martyrs", turn=turn).add("a", "red", AT_CENTRE).add("f", "red", (3, 3))
    return field.add("b", "blue", (28, 3))


@pytest.mark.rule("KT24-OP-MARTYRS")
def test_friends_that_fall_contesting_leave_tokens() -> None:
    assert martyrs(turn=1).fell("a", "b").tokens(CENTRE) == {"martyr:red": 1}
    field = martyrs()
    field.state.operatives["a"].x -= 2400
    assert field.fell("a", "b").tokens(CENTRE) == {}, "did not contest it"
    assert "red:tac op revealed" not in field.state.choices
    field = martyrs().add("c", "blue", (14, 11)).fell("c", "a")
    assert field.tokens(CENTRE) == {}, "an enemy"


@pytest.mark.rule("KT24-OP-MARTYRS")
def test_tokens_pay_one_contested_two_controlled_and_are_removed() -> None:
    field = martyrs().fell("a", "b").add("c", "red", (14, 11), apl=2)
    assert field.add("d", "blue", (16, 11), apl=2).next_turn().vp("red", "tac") == 1
    assert field.tokens(CENTRE) == {}
    assert field.end_turn().vp("red", "tac") == 1
    assert martyrs().fell("a", "b").add("c", "red", (14, 11)).end_turn().vp("red", "tac") == 2


@pytest.mark.rule("KT24-OP-MARTYRS")
def test_tokens_where_nobody_contests_stay() -> None:
    field = martyrs().fell("a", "b").next_turn()
    assert field.vp("red", "tac") == 0
    assert field.tokens(CENTRE) == {"martyr:red": 1}
    assert martyrs(turn=1).fell("a", "b").add("c", "red", (14, 11)).end_turn().vp("red", "tac") == 0


@pytest.mark.rule("KT24-OP-MARTYRS")
@pytest.mark.parametrize(("chosen", "left"), [(None, {CENTRE: 1, REDS: 0}), ([CENTRE], {CENTRE: 0, REDS: 0})])
def test_which_tokens_are_removed_is_the_players_choice(chosen: list[str] | None, left: dict[str, int]) -> None:
    """The centre is contested by both, red's own objective is red's: it pays all of the turning point's 2VP at once."""
    field = OpField("secure", red="martyrs").add("a", "red", (15, 11.9)).add("c", "red", (10, 6.4))
    field.add("e", "blue", (15, 9.8)).settle()
    for id in (CENTRE, REDS):
        field.state.markers[id].tokens = {"martyr:red": 1}
    answers = Answers(choose={"martyr token": chosen} if chosen else {})
    field.run(turn_end, answers)
    assert field.vp("red", "tac") == 2
    assert {id: field.tokens(id).get("martyr:red", 0) for id in left} == left


@pytest.mark.rule("KT24-OP-MARTYRS")
@pytest.mark.rule("KT24-SCORE")
def test_tokens_beyond_the_limit_stay() -> None:
    field = martyrs().add("c", "red", (14, 11))
    field.state.markers[CENTRE].tokens["martyr:red"] = 3
    field.end_turn()
    assert field.vp("red", "tac") == 2
    assert field.tokens(CENTRE) == {"martyr:red": 2}, "a controlled one pays 2VP, the most of a turning point"


@pytest.mark.rule("KT24-OP-MARTYRS")
def test_between_two_objectives_the_player_chooses() -> None:
    field = martyrs()
    field.state.markers[REDS].x, field.state.markers[REDS].y = 13500, 11000
    field.fell("a", "b", choose={"martyr": REDS})
    assert (field.tokens(CENTRE), field.tokens(REDS)) == ({}, {"martyr:red": 1})


# -- Envoy -------------------------------------------------------------------------------------------


def envoy(place: tuple[float, float] = (20, 5), turn: int = 2) -> OpField:
    return OpField(red="envoy", turn=turn).add("a", "red", place).add("f", "red", (3, 3)).add("b", "blue", (28, 18))


def named(place: tuple[float, float] = (20, 5)) -> OpField:
    field = envoy(place)
    game = field.gambits("red")
    game.submit("envoy")
    game.submit("a")
    field.state = game.state
    return field


@pytest.mark.rule("KT24-OP-ENVOY")
def test_the_envoy_is_named_by_a_gambit_from_the_second_turning_point() -> None:
    pending: Any = envoy(turn=1).gambits("red").pending
    assert "envoy" not in [option.key for option in pending.options], "not in the first turning point"
    field = envoy()
    game = field.gambits("red")
    pending = game.pending
    assert pending.check("envoy") is None
    assert next(option for option in pending.options if option.key == "envoy").secret
    assert field.gambits("blue").pending is None, "not blue's gambit"
    field = named()
    assert field.state.operatives["a"].tokens == {"envoy": 1}
    assert field.gambits("red").pending is None, "one envoy per turning point"


@pytest.mark.rule("KT24-OP-ENVOY")
def test_nobody_is_envoy_twice() -> None:
    field = named().next_turn()
    assert field.state.operatives["a"].tokens == {"former envoy": 1}
    game = field.gambits("red")
    game.submit("envoy")
    assert game.state.operatives["f"].tokens == {"envoy": 1}, "only F is left to name"
    field.state = game.state
    field.next_turn()
    assert field.gambits("red").pending is None, "everybody has been envoy"


@pytest.mark.rule("KT24-OP-ENVOY")
@pytest.mark.parametrize(("place", "vp"), [((20, 5), 2), ((15.5, 5), 2), ((15.4, 5), 0), ((5, 5), 0)])
def test_the_envoy_must_end_wholly_in_enemy_territory(place: tuple[float, float], vp: int) -> None:
    assert named(place).end_turn().vp("red", "tac") == vp


@pytest.mark.rule("KT24-OP-ENVOY")
def test_an_engaged_envoy_pays_nothing_a_hurt_one_pays_one() -> None:
    assert named().add("c", "blue", (22, 5)).end_turn().vp("red", "tac") == 0
    assert named().add("c", "blue", (22.1, 5)).end_turn().vp("red", "tac") == 2
    field = named()
    Wounded("a", 1, "test", "b").apply(field.state)
    assert field.end_turn().vp("red", "tac") == 1
    field = named()
    field.state.operatives["a"].wounds, field.state.operatives["a"].wounded_in = 3, 1
    assert field.end_turn().vp("red", "tac") == 2, "hurt in an earlier turning point"


@pytest.mark.rule("KT24-OP-ENVOY")
def test_a_fallen_envoy_or_another_operative_pays_nothing() -> None:
    assert named().fell("a", "b").end_turn().vp("red", "tac") == 0
    assert envoy().end_turn().vp("red", "tac") == 0, "nobody was named"


# -- Sweep & Clear -----------------------------------------------------------------------------------


def sweep(turn: int = 2) -> OpField:
    field = OpField("secure", red="sweep-and-clear", turn=turn).add("a", "red", (14, 11))
    return field.add("b", "blue", (16.5, 11)).add("z", "blue", (28, 3))


@pytest.mark.rule("KT24-OP-SWEEP-AND-CLEAR")
def test_an_enemy_that_falls_contesting_marks_the_objective_swept() -> None:
    field = sweep().fell("b", "a")
    assert field.tokens(CENTRE) == {"swept:red": 1}
    assert field.next_turn().tokens(CENTRE) == {}, "until the next Ready step"
    assert sweep().fell("z", "a").tokens(CENTRE) == {}, "did not contest it"
    assert sweep().fell("a", "b").tokens(CENTRE) == {}, "a friend"


@pytest.mark.rule("KT24-OP-SWEEP-AND-CLEAR")
def test_controlled_pays_one_cleared_pays_two() -> None:
    assert sweep().fell("b", "a").end_turn().vp("red", "tac") == 1
    field = sweep().fell("b", "a").do("a", "Clear")
    assert field.refusal("a", "Clear") == "Clear: the centre objective is cleared already."
    assert field.end_turn().vp("red", "tac") == 2
    assert sweep().end_turn().vp("red", "tac") == 0, "controlled, not Swept"
    field = sweep().fell("b", "a").add("c", "blue", (16.5, 11), apl=3)
    assert field.end_turn().vp("red", "tac") == 0, "Swept, not controlled"
    assert sweep(turn=1).fell("b", "a").end_turn().vp("red", "tac") == 0


@pytest.mark.rule("KT24-OP-SWEEP-AND-CLEAR")
def test_clear_works_on_any_controlled_objective() -> None:
    field = sweep()
    field.state.operatives["b"].x = 28000
    assert field.refusal("a", "Clear") is None, "not Swept yet"
    field.do("a", "Clear")
    assert field.refusal("a", "Clear") == "Clear: the centre objective is cleared already."
    assert field.end_turn().vp("red", "tac") == 0, "cleared, but nobody fell there"
    field.state.operatives["a"].x = 3000
    assert field.refusal("a", "Clear") == "Clear: controls no objective marker."


@pytest.mark.rule("KT24-OP-SWEEP-AND-CLEAR")
def test_sweep_pays_once_whatever_number_of_markers() -> None:
    field = sweep().add("c", "red", AT_REDS).add("d", "blue", (10.5, 6.5)).add("e", "blue", (14, 11))
    field.fell("d", "c").fell("e", "a")
    assert {"swept:red"} == field.tokens(REDS).keys() == field.tokens(CENTRE).keys()
    assert field.end_turn().vp("red", "tac") == 1


# -- Rout --------------------------------------------------------------------------------------------


def rout(x: float = 20.0, wounds: int = 11, turn: int = 2) -> OpField:
    """Blue's drop zone begins at 24"."""
    field = OpField(red="rout", turn=turn).add("a", "red", (x, 11)).add("f", "red", (3, 3))
    return field.add("b", "blue", (20, 5), wounds=wounds).add("z", "blue", (28, 3))


@pytest.mark.rule("KT24-OP-ROUT")
@pytest.mark.parametrize(("x", "vp"), [(17.5, 1), (17.49, 0), (27, 1)])
def test_rout_counts_from_within_six_inches_of_the_enemy_drop_zone(x: float, vp: int) -> None:
    assert rout(x).fell("b", "a").vp("red", "tac") == vp


@pytest.mark.rule("KT24-OP-ROUT")
@pytest.mark.parametrize(("wounds", "vp"), [(11, 1), (12, 2)])
def test_heavy_enemies_pay_two(wounds: int, vp: int) -> None:
    assert rout(wounds=wounds).fell("b", "a").vp("red", "tac") == vp


@pytest.mark.rule("KT24-OP-ROUT")
def test_what_is_no_rout() -> None:
    assert rout(turn=1).fell("b", "a").vp("red", "tac") == 0
    assert rout().fell("b", "f").vp("red", "tac") == 0, "F is far away"
    assert rout().fell("b", "").vp("red", "tac") == 0, "nobody did it"
    assert rout().fell("b", "z").vp("red", "tac") == 0, "its own side did it"
    assert rout().fell("f", "a").vp("red", "tac") == 0, "a friend"


@pytest.mark.rule("KT24-OP-ROUT")
@pytest.mark.rule("KT24-SCORE")
def test_rout_pays_two_per_turning_point_at_most() -> None:
    field = rout().add("c", "blue", (20, 8)).add("d", "blue", (22, 8))
    for id in ("b", "c", "d"):
        field.fell(id, "a")
    assert field.vp("red", "tac") == 2


@pytest.mark.rule("KT24-OP-ROUT")
def test_a_retaliating_friend_routs_as_well() -> None:
    """Whoever inflicted the last damage incapacitated, not whoever is active."""
    from engine_help import melee

    from ktsim.rules.kt24.fight import Fight

    field = rout()
    field.state.operatives["a"].y = 3000
    field.add("c", "blue", (20, 1.5), melee(atk=1, hit=6), wounds=3)
    field.run(
        lambda battle: _fights(battle, "c", Fight()),
        Answers([(1,), (6, 6, 6, 6)], {"resolve": "strike c"}),
    )
    assert field.state.operatives["c"].is_removed
    assert field.vp("red", "tac") == 1


def _fights(battle: Any, id: str, action: Any) -> Any:
    from ktsim.rules.engine.activation import perform
    from ktsim.rules.engine.operative_events import ActivationBegan

    yield ActivationBegan(id, "activation", "engage", 2)
    yield from perform(battle, battle.state.operatives[id], action, 1)


# -- Dominate ----------------------------------------------------------------------------------------


def dominate(turn: int = 3) -> OpField:
    field = OpField(red="dominate", turn=turn).add("a", "red", (10, 11)).add("f", "red", (3, 3))
    for number in range(5):
        field.add(f"b{number}", "blue", (25, 2 + 3 * number))
    return field


@pytest.mark.rule("KT24-OP-DOMINATE")
def test_tokens_for_those_that_incapacitate() -> None:
    field = dominate(turn=1).fell("b0", "a").fell("b1", "f").fell("b2", "")
    assert field.state.operatives["a"].tokens == {"dominate": 1}
    assert field.state.operatives["f"].tokens == {"dominate": 1}
    assert dominate().fell("f", "a").state.operatives["a"].tokens == {}, "not for friends"


@pytest.mark.rule("KT24-OP-DOMINATE")
@pytest.mark.parametrize(("turn", "vp"), [(1, 0), (2, 0), (3, 1), (4, 1)])
def test_tokens_pay_in_turning_points_3_and_4(turn: int, vp: int) -> None:
    field = dominate(turn).fell("b0", "a").end_turn()
    assert field.vp("red", "tac") == vp
    assert field.state.operatives["a"].tokens == ({} if vp else {"dominate": 1})


@pytest.mark.rule("KT24-OP-DOMINATE")
def test_tokens_of_the_fallen_pay_nothing() -> None:
    assert dominate().fell("b0", "a").fell("a", "b1").end_turn().vp("red", "tac") == 0


@pytest.mark.rule("KT24-OP-DOMINATE")
@pytest.mark.rule("KT24-SCORE")
def test_three_per_turning_point_and_six_in_all() -> None:
    field = dominate()
    field.state.operatives["a"].tokens["dominate"] = 5
    field.next_turn()
    assert field.vp("red", "tac") == 3
    assert field.state.operatives["a"].tokens == {"dominate": 2}
    field.state.operatives["a"].tokens["dominate"] = 9
    VpScored("red", 1, "test", "tac").apply(field.state)
    field.state.sheet[-1] = field.state.sheet[-1]._replace(turning_point=2)
    assert field.end_turn().vp("red", "tac") == 6
    assert field.state.operatives["a"].tokens == {"dominate": 7}


def test_the_places_of_these_tests() -> None:
    markers = OpField().state.markers
    places = [(marker.x / 1000, marker.y / 1000) for marker in markers.values()]
    assert places == [AT_CENTRE, AT_REDS, AT_BLUES]


# -- choices about tokens ----------------------------------------------------------------------------


@pytest.mark.rule("KT24-OP-DOMINATE")
def test_dominate_asks_whose_tokens_are_removed_and_some_may_be_kept() -> None:
    field = OpField(red="dominate", turn=3).add("a", "red", (5, 5)).add("f", "red", (5, 9)).add("z", "blue", (28, 3))
    field.state.operatives["a"].tokens["dominate"] = field.state.operatives["f"].tokens["dominate"] = 1
    game = field.game(turn_end)
    pending: Any = game.pending
    assert [option.key for option in pending.options] == ["a", "f", "keep"]
    game.submit("f")
    game.submit("keep")
    assert game.state.scored("red", "tac") == 1
    tokens = [game.state.operatives[id].tokens.get("dominate", 0) for id in ("a", "f")]
    assert tokens == [1, 0]


@pytest.mark.rule("KT24-OP-DOMINATE")
@pytest.mark.parametrize("turn", [1, 2])
def test_dominate_asks_nothing_before_the_third_turning_point(turn: int) -> None:
    field = OpField(red="dominate", turn=turn).add("a", "red", (5, 5)).add("z", "blue", (28, 3))
    field.state.operatives["a"].tokens["dominate"] = 1
    assert field.end_turn().vp("red", "tac") == 0


@pytest.mark.rule("KT24-OP-MARTYRS")
def test_a_martyrs_token_may_be_kept_for_later() -> None:
    field = martyrs().fell("a", "b").add("c", "red", AT_CENTRE).settle()
    game = field.game(turn_end)
    pending: Any = game.pending
    assert [option.key for option in pending.options] == [CENTRE, "keep"]
    game.submit("keep")
    assert game.state.scored("red", "tac") == 0
    assert game.state.markers[CENTRE].tokens == {"martyr:red": 1}


@pytest.mark.rule("KT24-OP-MARTYRS")
def test_an_operative_leaves_one_token_in_a_battle() -> None:
    field = martyrs().fell("a", "b")
    assert field.tokens(CENTRE) == {"martyr:red": 1}
    again = field.state.operatives["a"]
    again.wounds, again.is_removed = 5, False
    assert field.fell("a", "b").tokens(CENTRE) == {"martyr:red": 1}


class Decoys(Rule):
    """Somebody who does not count for the kill op."""

    def counts_for_kills(self, battle: Battle, who: OperativeState) -> bool:
        return who.id != "f"


@pytest.mark.rule("KT24-OP-ENVOY")
@pytest.mark.rule("KT24-OP-KILL")
def test_who_does_not_count_for_the_kill_op_is_no_envoy_and_no_kill() -> None:
    field = envoy()
    field._rules = (Decoys(),)
    game = field.gambits("red")
    game.submit("envoy")
    assert game.state.operatives["a"].tokens == {"envoy": 1}, "nobody else may be named"
    field = OpField(turn=2).add("a", "red", (5, 5)).add("f", "blue", (20, 5)).add("z", "blue", (28, 3))
    field._rules = (Decoys(),)
    assert field.fell("f", "a").vp("red", "kill") == 0
    assert field.fell("z", "a").vp("red", "kill") == 5, "the only one that counts"
