"""The nine crit ops, line by line."""

from __future__ import annotations

from typing import Any

import pytest
from op_help import AT_BLUES, AT_CENTRE, AT_REDS, BLUES, CENTRE, REDS, OpField

from ktsim.rules.engine.events import VpScored
from ktsim.rules.kt24.ops.register import CRIT_OPS

ACTIONS = {
    "Secure": "secure",
    "Loot": "loot",
    "Transmit": "transmission",
    "Move Orb": "orb",
    "Download": "download",
    "Compile": "data",
    "Reboot": "reboot",
}


def near(place: tuple[float, float], dx: float = 0.0) -> tuple[float, float]:
    return (place[0] + dx, place[1])


def at_centre(crit: str, turn: int = 2) -> OpField:
    """Red at the centre objective, blue far away."""
    return OpField(crit, turn=turn).add("a", "red", AT_CENTRE, apl=2).add("b", "blue", (28, 3))


# -- what all their actions share --------------------------------------------------------------------


@pytest.mark.rule("KT24-SCORE")
@pytest.mark.parametrize("name", ACTIONS)
def test_mission_actions_are_not_for_the_first_turning_point(name: str) -> None:
    field = at_centre(ACTIONS[name], turn=1)
    field.state.markers[CENTRE].tokens.update(orb=1, inert=1)
    assert field.refusal("a", name) == f"{name}: not before turning point 2."
    field.state.turning_point = 2
    assert field.refusal("a", name) is None


@pytest.mark.rule("KT24-SCORE")
@pytest.mark.parametrize("name", ACTIONS)
def test_mission_actions_need_control_and_nobody_near(name: str) -> None:
    field = at_centre(ACTIONS[name], turn=3)
    field.state.markers[CENTRE].tokens.update(orb=1, inert=1)
    field.state.operatives["a"].x -= 3000
    assert field.refusal("a", name) == f"{name}: controls no objective marker."
    field.state.operatives["a"].x += 3000
    field.add("c", "blue", near(AT_CENTRE, 1.9), apl=1)
    assert field.refusal("a", name) == f"{name}: not while within C's control range: Fight or Fall Back."
    field.state.operatives["c"].x += 200
    assert field.refusal("a", name) is None, 'just more than 1" away'


@pytest.mark.rule("KT24-SCORE")
def test_a_friend_at_the_marker_does_not_do_for_one_elsewhere() -> None:
    field = at_centre("secure").add("far", "red", (5, 5))
    assert field.refusal("far", "Secure") == "Secure: controls no objective marker."


@pytest.mark.rule("KT24-SCORE")
@pytest.mark.parametrize("crit", CRIT_OPS)
def test_no_crit_op_scores_in_the_first_turning_point(crit: str) -> None:
    field = at_centre(crit, turn=1).add("c", "red", AT_REDS)
    field.state.markers[CENTRE].tokens.update(
        {"secured:red": 1, "looted:red": 1, "transmitting": 1, "claim:red": 1, "downloaded:red": 1}
    )
    field.end_turn()
    assert field.vp("red", "crit") == 0


@pytest.mark.rule("KT24-SCORE")
def test_six_vp_of_an_op_are_the_most() -> None:
    field = at_centre("secure")
    field.state.markers[CENTRE].tokens["secured:red"] = 1
    VpScored("red", 5, "before", "crit").apply(field.state)
    field.end_turn()
    assert field.vp("red", "crit") == 6


# -- Secure ------------------------------------------------------------------------------------------


@pytest.mark.rule("KT24-OP-SECURE")
def test_secured_markers_stay_secured_without_control() -> None:
    field = at_centre("secure").do("a", "Secure")
    assert field.tokens(CENTRE) == {"secured:red": 1}
    field.state.operatives["a"].x = 3000
    field.end_turn()
    assert field.vp("red", "crit") == 2, "1VP for any, 1VP for more"
    assert field.vp("blue", "crit") == 0


@pytest.mark.rule("KT24-OP-SECURE")
def test_until_the_enemy_secures_them() -> None:
    field = OpField("secure").add("b", "blue", AT_CENTRE)
    field.state.markers[CENTRE].tokens["secured:red"] = 1
    field.do("b", "Secure")
    assert field.tokens(CENTRE) == {"secured:blue": 1}
    assert field.refusal("b", "Secure") == "Secure: the centre objective is secured already."


@pytest.mark.rule("KT24-OP-SECURE")
def test_as_many_as_the_opponent_is_not_more() -> None:
    field = OpField("secure").add("a", "red", (3, 3)).add("b", "blue", (28, 3))
    field.state.markers[CENTRE].tokens["secured:red"] = 1
    field.state.markers[BLUES].tokens["secured:blue"] = 1
    field.end_turn()
    assert (field.vp("red", "crit"), field.vp("blue", "crit")) == (1, 1)


# -- Loot --------------------------------------------------------------------------------------------


@pytest.mark.rule("KT24-OP-LOOT")
def test_loot_pays_once_per_marker_and_turning_point() -> None:
    field = at_centre("loot").add("c", "red", near(AT_CENTRE, -1.0)).do("a", "Loot")
    assert field.refusal("c", "Loot") == "Loot: the centre objective was looted in this turning point."
    field.next_turn()
    assert field.vp("red", "crit") == 1
    assert field.refusal("c", "Loot") is None, "again in the next turning point"


@pytest.mark.rule("KT24-OP-LOOT")
def test_loot_pays_at_most_two_per_turning_point() -> None:
    field = at_centre("loot").add("c", "red", AT_REDS).add("d", "red", AT_BLUES)
    for id in ("a", "c", "d"):
        field.do(id, "Loot")
    field.end_turn()
    assert field.vp("red", "crit") == 2


@pytest.mark.rule("KT24-OP-LOOT")
def test_a_marker_looted_by_the_enemy_is_looted() -> None:
    field = at_centre("loot")
    field.state.markers[CENTRE].tokens["looted:blue"] = 1
    assert field.refusal("a", "Loot") == "Loot: the centre objective was looted in this turning point."


# -- Transmission ------------------------------------------------------------------------------------


@pytest.mark.rule("KT24-OP-TRANSMISSION")
def test_transmission_needs_control_at_the_end() -> None:
    field = at_centre("transmission").do("a", "Transmit")
    assert field.refusal("a", "Transmit") == "Transmit: the centre objective is transmitting."
    field.add("c", "blue", near(AT_CENTRE, 1.0), apl=3).end_turn()
    assert (field.vp("red", "crit"), field.vp("blue", "crit")) == (0, 2), "blue controls it now"


@pytest.mark.rule("KT24-OP-TRANSMISSION")
def test_markers_transmit_until_the_next_turning_point() -> None:
    field = at_centre("transmission").do("a", "Transmit").next_turn()
    assert field.vp("red", "crit") == 2
    assert field.tokens(CENTRE) == {}
    field.end_turn()
    assert field.vp("red", "crit") == 2


@pytest.mark.rule("KT24-OP-TRANSMISSION")
def test_as_many_transmitting_markers_are_not_more() -> None:
    field = OpField("transmission").add("a", "red", AT_REDS).add("b", "blue", AT_BLUES).do("a", "Transmit")
    field.do("b", "Transmit").end_turn()
    assert (field.vp("red", "crit"), field.vp("blue", "crit")) == (1, 1)


# -- Orb ---------------------------------------------------------------------------------------------


@pytest.mark.rule("KT24-OP-ORB")
def test_the_orb_goes_from_the_centre_to_a_players_marker_and_back() -> None:
    field = at_centre("orb").run(lambda battle: CRIT_OPS["orb"]().begin(battle))
    assert field.tokens(CENTRE) == {"orb": 1}
    field.do("a", "Move Orb", {"orb": BLUES})
    assert (field.tokens(CENTRE), field.tokens(BLUES)) == ({}, {"orb": 1})
    assert field.refusal("a", "Move Orb") == "Move Orb: the orb is not on the centre objective."
    field.add("c", "red", AT_BLUES).do("c", "Move Orb")
    assert field.tokens(CENTRE) == {"orb": 1}, "from a player's only to the centre"


@pytest.mark.rule("KT24-OP-ORB")
def test_controlled_markers_without_the_orb_pay() -> None:
    field = at_centre("orb").add("c", "red", AT_REDS).add("d", "red", AT_BLUES)
    field.state.markers[CENTRE].tokens["orb"] = 1
    field.end_turn()
    assert field.vp("red", "crit") == 2
    field = at_centre("orb")
    field.state.markers[CENTRE].tokens["orb"] = 1
    assert field.end_turn().vp("red", "crit") == 0


# -- Stake Claim -------------------------------------------------------------------------------------


def claims(turn: int, red: str, blue: str) -> OpField:
    field = at_centre("stake-claim", turn=turn)
    field.state.operatives["a"].is_ready = False
    return field.ready({"claim": [red, blue]})


@pytest.mark.rule("KT24-OP-STAKE-CLAIM")
def test_no_claims_in_the_first_turning_point() -> None:
    assert at_centre("stake-claim", turn=1).ready().tokens(CENTRE) == {}


@pytest.mark.rule("KT24-OP-STAKE-CLAIM")
def test_true_claims_and_more_markers_pay() -> None:
    field = claims(2, f"{CENTRE} 1", f"{REDS} 2").end_turn()
    assert field.vp("red", "crit") == 2, "more markers, and the claim is true"
    assert field.vp("blue", "crit") == 1, "red does not contest its own objective"


@pytest.mark.rule("KT24-OP-STAKE-CLAIM")
def test_false_claims_pay_nothing() -> None:
    field = claims(2, f"{REDS} 1", f"{CENTRE} 2").end_turn()
    assert (field.vp("red", "crit"), field.vp("blue", "crit")) == (1, 0)


@pytest.mark.rule("KT24-OP-STAKE-CLAIM")
def test_a_marker_contested_but_not_controlled_by_them_breaks_the_claim() -> None:
    field = claims(2, f"{CENTRE} 2", f"{REDS} 2").add("c", "blue", near(AT_CENTRE, 1.0), apl=1).end_turn()
    assert field.state.markers[CENTRE].controller == "red"
    assert field.vp("red", "crit") == 1, "more markers only"


@pytest.mark.rule("KT24-OP-STAKE-CLAIM")
def test_each_marker_is_claimed_once_initiative_first() -> None:
    field = claims(2, f"{CENTRE} 1", f"{REDS} 2").end_turn()
    field.state.phase, field.state.initiative = "ready", "blue"
    game = field.game(lambda battle: CRIT_OPS["stake-claim"]().gambit_step(battle))
    pending: Any = game.pending
    assert pending.seat == "blue"
    refused = {option.key for option in pending.options if option.refusal}
    assert refused == {f"{REDS} 1", f"{REDS} 2"}
    assert "claim:red" not in game.state.markers[CENTRE].tokens, "claims are for one turning point"


@pytest.mark.rule("KT24-OP-STAKE-CLAIM")
def test_when_every_marker_was_claimed_nothing_is_asked() -> None:
    field = at_centre("stake-claim", turn=4)
    for marker in field.state.markers.values():
        marker.tokens.update({"claimed:red": 1, "claimed:blue": 1})
    field.ready()


# -- Energy Cells ------------------------------------------------------------------------------------

CELL = "Pick Up Energy Cell"


@pytest.mark.rule("KT24-OP-ENERGY-CELLS")
@pytest.mark.parametrize(("turn", "cost"), [(2, 3), (3, 2), (4, 1)])
def test_cells_are_dear_early(turn: int, cost: int) -> None:
    field = at_centre("energy-cells", turn).settle()
    battle = field.battle()
    assert battle.ap_cost(battle.state.operatives["a"], field.action("a", CELL)) == cost
    assert battle.ap_cost(battle.state.operatives["a"], field.action("a", "Pick Up Marker")) == 1


@pytest.mark.rule("KT24-OP-ENERGY-CELLS")
def test_cells_are_not_picked_up_in_the_first_turning_point() -> None:
    assert at_centre("energy-cells", 1).refusal("a", CELL) == f"{CELL}: not before turning point 2."
    assert at_centre("energy-cells", 2).refusal("a", CELL) is None


@pytest.mark.rule("KT24-OP-ENERGY-CELLS")
@pytest.mark.rule("KT24-PLACE")
def test_picking_a_cell_up_is_picking_up_a_marker() -> None:
    field = at_centre("energy-cells", 4).do("a", CELL)
    assert field.state.markers[CENTRE].carrier == "a"
    assert field.refusal("a", CELL) == f"{CELL}: already carrying a marker."

    def procedure(battle: Any) -> Any:
        from ktsim.rules.engine.activation import perform
        from ktsim.rules.engine.markers import PlaceMarker
        from ktsim.rules.engine.operative_events import ActivationBegan

        who = battle.state.operatives["a"]
        yield ActivationBegan("a", "activation", "engage", 2)
        yield from perform(battle, who, field.action("a", CELL), 1)
        refusals.append(PlaceMarker().refusal(battle, who))

    refusals: list[str | None] = []
    at_centre("energy-cells", 4).settle().run(procedure)
    assert refusals == [f"Place Marker: not after {CELL}."]


@pytest.mark.rule("KT24-OP-ENERGY-CELLS")
def test_controlling_more_pays_and_carried_ones_at_the_end_of_the_battle() -> None:
    field = at_centre("energy-cells", 3).end_turn()
    assert field.vp("red", "crit") == 1
    field = at_centre("energy-cells", 4).do("a", CELL).end_turn()
    assert field.vp("red", "crit") == 2
    assert [line.at_end for line in field.state.sheet if line.op == "crit"] == [False, True]
    assert at_centre("energy-cells", 4).end_turn().vp("red", "crit") == 1, "controlled, not carried"


@pytest.mark.rule("KT24-OP-ENERGY-CELLS")
def test_carried_cells_pay_only_at_the_end_of_the_battle() -> None:
    assert at_centre("energy-cells", 3).do("a", CELL).end_turn().vp("red", "crit") == 1


# -- Download ----------------------------------------------------------------------------------------


@pytest.mark.rule("KT24-OP-DOWNLOAD")
@pytest.mark.parametrize(("turn", "vp"), [(2, 0), (3, 1), (4, 2)])
def test_downloads_pay_more_later(turn: int, vp: int) -> None:
    field = at_centre("download", turn).do("a", "Download").end_turn()
    assert field.vp("red", "crit") == vp


@pytest.mark.rule("KT24-OP-DOWNLOAD")
def test_download_once_per_battle_and_not_from_your_own() -> None:
    field = at_centre("download", 3).add("c", "red", AT_REDS).do("a", "Download").next_turn()
    assert field.refusal("a", "Download") == "Download: the centre objective was downloaded before."
    assert field.refusal("c", "Download") == "Download: only the centre marker and the enemy's."
    assert field.add("d", "red", AT_BLUES).refusal("d", "Download") is None
    before = field.vp("red", "crit")
    field.state.operatives["c"].x = field.state.operatives["d"].x = 1000
    assert field.end_turn().vp("red", "crit") == before, "paid once"


@pytest.mark.rule("KT24-OP-DOWNLOAD")
def test_more_markers_that_are_not_downloaded() -> None:
    assert at_centre("download").end_turn().vp("red", "crit") == 1
    field = at_centre("download")
    field.state.markers[CENTRE].tokens["downloaded:blue"] = 1
    assert field.end_turn().vp("red", "crit") == 0


# -- Data --------------------------------------------------------------------------------------------


@pytest.mark.rule("KT24-OP-DATA")
def test_compile_adds_a_point_once_per_marker_and_turning_point() -> None:
    field = at_centre("data").do("a", "Compile")
    assert field.tokens(CENTRE)["data"] == 1
    assert field.refusal("a", "Compile") == "Compile: the centre objective was compiled on in this turning point."
    field.next_turn()
    assert field.vp("red", "crit") == 1, "more Compiles"
    assert field.do("a", "Compile").tokens(CENTRE)["data"] == 2


@pytest.mark.rule("KT24-OP-DATA")
def test_as_many_compiles_are_not_more() -> None:
    field = OpField("data").add("a", "red", AT_REDS).add("b", "blue", AT_BLUES).do("a", "Compile").do("b", "Compile")
    field.end_turn()
    assert (field.vp("red", "crit"), field.vp("blue", "crit")) == (0, 0)


@pytest.mark.rule("KT24-OP-DATA")
def test_more_compiles_pay_in_turning_points_2_and_3_only() -> None:
    assert at_centre("data", 3).do("a", "Compile").end_turn().vp("red", "crit") == 1
    assert at_centre("data", 4).do("a", "Compile").end_turn().vp("red", "crit") == 0


@pytest.mark.rule("KT24-OP-DATA")
def test_send_pays_the_points_in_the_last_turning_point() -> None:
    field = at_centre("data", 4)
    assert field.refusal("a", "Send") == "Send: the centre objective has no data points."
    field.state.markers[CENTRE].tokens["data"] = 3
    field.do("a", "Send")
    assert field.vp("red", "crit") == 3
    assert field.tokens(CENTRE) == {}
    field = at_centre("data", 3)
    field.state.markers[CENTRE].tokens["data"] = 3
    assert field.refusal("a", "Send") == "Send: not before turning point 4."


# -- Reboot ------------------------------------------------------------------------------------------


@pytest.mark.rule("KT24-OP-REBOOT")
@pytest.mark.parametrize(("picks", "inert"), [([CENTRE, CENTRE], CENTRE), ([CENTRE, REDS], BLUES)])
def test_the_same_pick_or_else_the_third_is_inert(picks: list[str], inert: str) -> None:
    field = at_centre("reboot")
    field.state.markers[REDS].tokens["inert"] = 1
    field.ready({"inert": picks})
    assert [id for id, marker in field.state.markers.items() if marker.tokens.get("inert")] == [inert]


@pytest.mark.rule("KT24-OP-REBOOT")
def test_the_picks_are_secret_until_both_are_made() -> None:
    field = at_centre("reboot")
    game = field.game(lambda battle: CRIT_OPS["reboot"]().gambit_step(battle))
    assert game.pending is not None
    assert game.pending.secret
    assert game.pending.seat == "red"
    assert game.submit(CENTRE) == []
    assert game.pending.secret
    assert game.pending.seat == "blue"


@pytest.mark.rule("KT24-OP-REBOOT")
def test_nothing_is_inert_in_the_first_turning_point() -> None:
    assert at_centre("reboot", 1).ready().tokens(CENTRE) == {}


@pytest.mark.rule("KT24-OP-REBOOT")
def test_reboot_wakes_a_marker_for_2ap() -> None:
    field = at_centre("reboot")
    assert field.refusal("a", "Reboot") == "Reboot: the centre objective is not inert."
    assert field.action("a", "Reboot").ap == 2
    field.state.markers[CENTRE].tokens["inert"] = 1
    assert field.do("a", "Reboot").end_turn().vp("red", "crit") == 1


@pytest.mark.rule("KT24-OP-REBOOT")
def test_inert_markers_pay_nothing() -> None:
    field = at_centre("reboot").add("c", "red", AT_REDS)
    field.state.markers[CENTRE].tokens["inert"] = 1
    assert field.end_turn().vp("red", "crit") == 1
