"""What universal equipment does in a battle."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from engine_help import Answers, acting, at, ranged, story
from ground_help import Ground, part, terrain
from op_help import REDS, OpField

from ktsim.game.game import Game
from ktsim.rules.engine.action import refuses, refuses_to_spend
from ktsim.rules.engine.decisions import Pick, Place, Steps, Walk
from ktsim.rules.engine.events import Noted
from ktsim.rules.engine.operative_events import Moved
from ktsim.rules.engine.placing import in_the_way, piece_shape
from ktsim.rules.engine.state import Activation, MarkerState, Smoke, State
from ktsim.rules.engine.table import MoveRequest
from ktsim.rules.engine.table_events import PiecePlaced
from ktsim.rules.engine.turn import turn_end
from ktsim.rules.kt24.equipment.barricades import MoveWithBarricade, is_connected
from ktsim.rules.kt24.equipment.grenades import SMOKE, STUN, SmokeGrenade, StunGrenade, UtilityRule, refuses_smoke
from ktsim.rules.kt24.equipment.markers import AmmoResupply
from ktsim.rules.kt24.equipment.mines import MinesRule
from ktsim.rules.kt24.equipment.register import key_for
from ktsim.rules.kt24.moves import Charge, Dash, Reposition
from ktsim.rules.kt24.packs.scouting import _reposition, scouting_key
from ktsim.rules.kt24.shoot import Shoot
from ktsim.rules.kt24.turn import firefight, ready
from ktsim.sight.ruling import ruling
from ktsim.sight.scene import Base, Terrain


def why_not(ground: Ground, id: str, action: Any) -> str | None:
    battle = ground.ready
    return refuses(battle, battle.state.operatives[id], action)


# -- ammo cache --------------------------------------------------------------------------------------


def cached(**more: Any) -> Ground:
    ground = Ground("ammo-cache").add("a", "red", (5, 5), ranged()).add("b", "blue", (15, 5), **more)
    ground.marker("red-ammo-cache", (6.5, 5), controller="red")
    return ground


@pytest.mark.rule("KT24-E-AMMO-CACHE")
def test_resupplied_one_attack_die_is_rerolled() -> None:
    dice = [(1, 1, 3, 3), (6,), (1, 1, 1)]
    game = cached().act("a", AmmoResupply(1), Shoot(), dice=dice, choose={"reroll": "Ammo Resupply 1"})
    assert game.state.operatives["b"].wounds == 10 - 3 - 3 - 4
    assert "A is resupplied until the next turning point. [KT24-E-AMMO-CACHE]" in story(game)


@pytest.mark.rule("KT24-E-AMMO-CACHE")
def test_without_resupply_there_is_no_reroll() -> None:
    game = cached().act("a", Shoot(), dice=[(1, 1, 3, 3), (1, 1, 1)])
    assert game.state.operatives["b"].wounds == 10 - 3 - 3


@pytest.mark.rule("KT24-E-AMMO-CACHE")
def test_the_cache_is_used_once_per_turning_point_by_who_controls_it() -> None:
    ground = cached().add("c", "red", (6.5, 6.5)).add("far", "red", (3, 15))
    assert why_not(ground, "far", AmmoResupply(1)) == "Ammo Resupply: does not control its side's ammo cache."
    game = ground.act("a", AmmoResupply(1))
    battle = game.battle
    assert refuses(battle, battle.state.operatives["c"], AmmoResupply(1)) is not None
    battle.state.turning_point = 2
    assert refuses(battle, battle.state.operatives["c"], AmmoResupply(1)) is None
    weapon = battle.weapons(battle.state.operatives["a"])[0]
    assert not battle.weapon_rules(battle.state.operatives["a"], weapon)  # it lasted until the next turning point


@pytest.mark.rule("KT24-E-AMMO-CACHE")
def test_not_in_an_enemys_control_range_nor_when_the_enemy_controls_it() -> None:
    near = cached().add("e", "blue", (5, 6.9))
    assert (
        why_not(near, "a", AmmoResupply(1)) == "Ammo Resupply: not while within E's control range: Fight or Fall Back."
    )
    lost = cached()
    lost.state.markers["red-ammo-cache"].controller = "blue"
    assert why_not(lost, "a", AmmoResupply(1)) is not None
    assert AmmoResupply(1).ap == cached().ready.edition.ammo_resupply_ap == 1


@pytest.mark.rule("KT24-E-AMMO-CACHE")
def test_only_weapons_of_the_datacard_and_only_when_shooting() -> None:
    ground = Ground("ammo-cache", "explosive-grenades").add("a", "red", (5, 5))
    ground.state.notes = {"a:resupplied": 1, "red:frag-grenade": 1}
    battle = ground.ready
    who = battle.state.operatives["a"]
    found = {w.key: [r.text for r in battle.weapon_rules(who, w)] for w in battle.weapons(who)}
    assert found["rifle"] == ["Ammo Resupply"]
    assert found["club"] == []
    assert "Ammo Resupply" not in found["frag-grenade"]


# -- comms device ------------------------------------------------------------------------------------


@pytest.mark.rule("KT24-E-COMMS-DEVICE")
def test_support_reaches_three_inches_further_for_the_friend_that_controls_the_device() -> None:
    """C, as near, is blue; D is red and too far to contest it."""
    ground = Ground("comms-device").add("a", "red", (5, 5), apl=3).add("c", "blue", (7, 5))
    ground.add("d", "red", (8.5, 5)).marker("red-comms-device", (6, 5), controller="red")

    def distances() -> list[float]:
        battle = ground.ready
        return [battle.support_distance(battle.state.operatives[id], 6) for id in "acd"]

    assert distances() == [9, 6, 6]
    ground.state.markers["red-comms-device"].controller = "blue"  # the enemy's cannot be used
    assert distances() == [6, 6, 6]


# -- mines -------------------------------------------------------------------------------------------


def mined() -> Ground:
    return Ground("mines").add("a", "red", (5, 5)).add("b", "blue", (20, 5)).marker("red-mines", (10, 11))


@pytest.mark.rule("KT24-E-MINES")
@pytest.mark.parametrize(("face", "damage"), [(1, 4), (2, 4), (3, 5), (6, 6)])
def test_who_comes_within_range_first_suffers_d3_and_3(face: int, damage: int) -> None:
    ground = mined().add("c", "red", (10, 15))
    reach = 0.5 + 0.394 + 1
    game = ground.act("c", Reposition(), dice=[(face,)], choose={"move": [(at(10, 11 + reach - 0.01),)]})
    assert game.state.operatives["c"].wounds == 10 - damage
    assert "red-mines" not in game.state.markers


@pytest.mark.rule("KT24-E-MINES")
def test_just_out_of_range_it_stays_and_a_move_that_passes_sets_it_off() -> None:
    reach = 0.5 + 0.394 + 1
    beside = mined().add("c", "red", (10, 15))
    game = beside.act("c", Reposition(), choose={"move": [(at(10, 11 + reach + 0.01),)]})
    assert "red-mines" in game.state.markers
    passing = mined().add("c", "blue", (7, 11 + reach - 0.2))
    game = passing.act("c", Reposition(), dice=[(6,)], choose={"move": [(at(13, 11 + reach - 0.2),)]})
    assert game.state.operatives["c"].wounds == 4
    assert game.state.operatives["c"].x == 13000  # the move goes on


@pytest.mark.rule("KT24-E-MINES")
@pytest.mark.rule("KT24-CARRY0")
@pytest.mark.parametrize(("wounds", "x", "y"), [(6, 10, 11 + 1.894), (7, 10, 9)])
def test_whom_it_incapacitates_stops_there_and_drops_what_it_carries_there(wounds: int, x: float, y: float) -> None:
    """C comes from the north and passes over the mine: it lies where the mine came into its control range."""
    ground = mined().add("c", "blue", (10, 14), wounds=wounds).marker("prize", (10, 14), carrier="c")
    game = ground.act("c", Reposition(), dice=[(6,)], choose={"move": [(at(10, 9),)]})
    who = game.state.operatives["c"]
    assert who.is_removed == (wounds == 6)
    assert who.point == (1000 * x, pytest.approx(1000 * y, abs=2), 0)
    assert game.state.markers["prize"].carrier == (None if who.is_removed else "c")
    assert not who.is_removed or game.state.markers["prize"].point == who.point
    assert any("C stops at" in line for line in story(game)) == who.is_removed


@pytest.mark.rule("KT24-E-MINES")
@pytest.mark.parametrize(("wounds", "left"), [(6, ["red-mines"]), (7, [])])
@pytest.mark.parametrize("initiative", ["red", "blue"])
def test_of_two_mines_on_the_way_the_nearer_goes_off_first(wounds: int, left: list[str], initiative: Any) -> None:
    """Blue's is nearer; whom it incapacitates never comes to the other, whoever has the initiative."""
    ground = Ground("mines", blue=("mines",)).add("c", "red", (10, 18), wounds=wounds, move=9)
    ground.marker("red-mines", (10, 11)).marker("blue-mines", (10, 15))
    ground.state.initiative = initiative
    dice = [(6,)] if left else [(6,), (1,)]
    game = ground.act("c", Reposition(), dice=dice, choose={"move": [(at(10, 10),)]})
    assert list(game.state.markers) == left
    assert game.state.operatives["c"].y == (pytest.approx(16894, abs=2) if left else pytest.approx(12894, abs=2))


@pytest.mark.rule("KT24-E-MINES")
@pytest.mark.parametrize(("beyond", "is_left"), [(-0.001, False), (0.001, True)])
def test_a_move_that_just_grazes_its_range_sets_it_off(beyond: float, is_left: bool) -> None:
    y = 11 + 1.894 + beyond
    game = (
        mined()
        .add("c", "blue", (7.12, y))
        .act("c", Reposition(), dice=[] if is_left else [(1,)], choose={"move": [(at(12.9, y),)]})
    )
    assert ("red-mines" in game.state.markers) == is_left


@pytest.mark.rule("KT24-E-MINES")
def test_what_is_in_range_at_set_up_goes_off_in_the_ready_step() -> None:
    ground = mined().add("c", "red", (10, 12), wounds=4).add("d", "blue", (10, 10))
    game = ground.play(ready, Answers([(1,)], {"mines": "c"}))
    assert game.state.operatives["c"].is_removed
    assert game.state.operatives["d"].wounds == 10
    assert MinesRule("red").mine(game.battle) is None


@pytest.mark.rule("KT24-E-MINES")
@pytest.mark.rule("KT24-MARKER")
@pytest.mark.parametrize(("wounds", "controller"), [(4, None), (5, "red")])
def test_whom_the_mines_take_away_controls_nothing(wounds: int, controller: str | None) -> None:
    ground = mined().add("c", "red", (10, 12), wounds=wounds).marker("prize", (10, 13), controller="red")
    game = ground.play(ready, Answers([(1,)]))
    assert game.state.markers["prize"].controller == controller


# -- grenades ----------------------------------------------------------------------------------------


def armed(key: str, count: int = 1) -> Ground:
    option = "utility-grenades" if key in (SMOKE, STUN) else "explosive-grenades"
    ground = Ground(option).add("a", "red", (5, 5)).add("b", "blue", (10, 5))
    ground.state.notes[f"red:{key}"] = count
    return ground


@pytest.mark.rule("KT24-E-UTILITY-GRENADES")
def test_a_stun_grenade_takes_an_apl_on_three_or_more_from_all_within_an_inch() -> None:
    ground = armed(STUN).add("c", "blue", (12, 5)).add("d", "blue", (10, 7.01)).add("f", "red", (10, 3))
    game = ground.act("a", StunGrenade(), dice=[(3,), (2,), (6,)], choose={"stun": "b"})
    apl = {id: game.battle.apl(who).value for id, who in game.state.operatives.items()}
    assert apl == {"a": 2, "b": 1, "c": 2, "d": 2, "f": 1}  # c rolled 2, d is 1.01" away, f is a friend
    assert game.state.notes["red:stun-grenade"] == 0
    assert refuses(game.battle, game.state.operatives["a"], StunGrenade()) == "Stun Grenade: none left."


@pytest.mark.rule("KT24-E-UTILITY-GRENADES")
def test_a_stun_grenade_reaches_six_inches_and_not_out_of_control_range() -> None:
    far = Ground("utility-grenades").add("a", "red", (5, 5)).add("b", "blue", (12.01, 5))
    far.state.notes["red:stun-grenade"] = 1
    assert why_not(far, "a", StunGrenade()) == 'Stun Grenade: no visible enemy within 6".'
    far.state.operatives["b"].x = 12000
    assert why_not(far, "a", StunGrenade()) is None
    far.state.operatives["b"].x = 7000
    assert why_not(far, "a", StunGrenade()) == "Stun Grenade: not while within B's control range: Fight or Fall Back."
    assert why_not(far, "a", SmokeGrenade()) == "Smoke Grenade: not while within B's control range: Fight or Fall Back."


@pytest.mark.rule("KT24-E-UTILITY-GRENADES", "KT24-SMOKE")
def test_smoke_is_thrown_within_six_inches_where_it_is_visible() -> None:
    game = armed(SMOKE).act("a", SmokeGrenade(), choose={"smoke": at(9, 5)})
    assert game.state.smoke == [Smoke(9000, 5000, 0)]
    assert State.from_json(game.state.to_json()).smoke == game.state.smoke
    ground = armed(SMOKE)
    battle = ground.ready
    who = battle.state.operatives["a"]
    reach = 0.5 + 6 + 0.394
    assert refuses_smoke(battle, who, at(5 + reach - 0.01, 5)) is None
    assert refuses_smoke(battle, who, at(5 + reach + 0.01, 5)) == 'The marker would be more than 6" away.'
    block = Ground("utility-grenades", on=terrain(part("block", "wall", (8, 0, 0), (8.4, 22, 5), "heavy")))
    hidden = block.add("a", "red", (5, 5)).seen().ready
    assert refuses_smoke(hidden, hidden.state.operatives["a"], at(10, 5)) == "The place is not visible."
    assert refuses_smoke(hidden, hidden.state.operatives["a"], at(8, 5)) == "The marker would be in block/wall."
    assert refuses_smoke(hidden, hidden.state.operatives["a"], at(7, 5)) is None


@pytest.mark.rule("KT24-E-UTILITY-GRENADES", "KT24-SMOKE")
def test_smoke_is_thrown_on_vantage_of_a_visible_feature() -> None:
    deck = part("deck", "floor", (8, 3, 0), (12, 7, 3), "vantage", "heavy")
    battle = Ground("utility-grenades", on=terrain(deck)).add("a", "red", (5, 5)).seen().ready
    who = battle.state.operatives["a"]
    assert not battle.table.sees_place(battle.state, "a", (10000, 5000, 3000), 0.394)  # from below
    assert refuses_smoke(battle, who, (10000, 5000, 3000)) is None
    assert refuses_smoke(battle, who, (10000, 5000, 2000)) is not None


@pytest.mark.rule("KT24-E-UTILITY-GRENADES")
def test_smoke_lasts_for_d3_activations_of_the_next_turning_point() -> None:
    ground = armed(SMOKE)
    ground.state.smoke = [Smoke(9000, 5000, 0)]
    ground.state.turn = "red"

    def round_of(battle: Any) -> Steps[None]:
        yield from ready(battle)
        for _ in range(2):
            yield from firefight(battle)

    game = ground.game(round_of)
    left = []
    while game.pending is not None:
        game.submit((4,) if game.pending.topic == "smoke die" else _passing(game))
        left.append([each.left for each in game.state.smoke])
    assert [2] in left
    assert [1] in left
    assert game.state.smoke == []


def _passing(game: Game) -> Any:
    assert isinstance(game.pending, Pick)
    return "pass" if "pass" in game.pending.open_keys else game.pending.open_keys[0]


@pytest.mark.rule("KT24-E-UTILITY-GRENADES")
def test_smoke_is_gone_at_the_end_of_that_turning_point_but_not_of_the_one_it_was_thrown_in() -> None:
    fresh = armed(SMOKE)
    fresh.state.smoke = [Smoke(9000, 5000, 0), Smoke(3000, 5000, 0, 2)]
    game = fresh.play(turn_end, Answers())
    assert game.state.smoke == [Smoke(9000, 5000, 0)]
    both = Ground("utility-grenades", blue=("utility-grenades",)).add("a", "red", (5, 5))
    both.state.smoke = [Smoke(9000, 5000, 0)]
    game = both.play(ready, Answers([(6,)]))  # rolled for once, though both sides have grenades
    assert [each.left for each in game.state.smoke] == [3]
    assert sum(isinstance(rule, UtilityRule) for rule in game.battle.rules) == 2


@pytest.mark.rule("KT24-E-EXPLOSIVE-GRENADES")
def test_grenades_are_weapons_of_the_whole_team_with_so_many_uses_in_all() -> None:
    ground = armed("frag-grenade", 2).add("c", "red", (5, 8))
    battle = ground.ready
    frag = battle.weapon(battle.state.operatives["a"], "frag-grenade")
    assert (frag.atk, frag.hit, frag.normal, frag.critical) == (4, 4, 2, 4)
    assert frag.rules == ('Range 6"', 'Blast 2"', "Saturate", "Team Limited 2")
    assert not [w for w in battle.weapons(battle.state.operatives["b"]) if "grenade" in w.key]
    dice = [(4, 4, 4, 4), (1, 1, 1)]
    game = ground.act("a", Shoot(), dice=dice, choose={"weapon": "frag-grenade"})
    assert game.state.operatives["b"].wounds == 10 - 8
    again = game.battle
    limited = next(rule for rule in again.weapon_rules(again.state.operatives["c"], frag) if rule.limit)
    assert limited.forbids_use(again.state, again.state.operatives["c"], frag.key) is None
    again.state.operatives["a"].uses[frag.key] = 2
    assert limited.forbids_use(again.state, again.state.operatives["c"], frag.key) == "Team Limited 2: used up."


@pytest.mark.rule("KT24-E-EXPLOSIVE-GRENADES")
def test_krak() -> None:
    battle = armed("krak-grenade").ready
    krak = battle.weapon(battle.state.operatives["a"], "krak-grenade")
    assert (krak.atk, krak.hit, krak.normal, krak.critical) == (4, 4, 4, 5)
    assert krak.rules[:3] == ('Range 6"', "Piercing 1", "Saturate")
    assert "frag-grenade" not in [weapon.key for weapon in battle.weapons(battle.state.operatives["a"])]


# -- terrain that sight and moving respect -----------------------------------------------------------


def test_pieces_put_on_the_table_rule_like_terrain_that_was_always_there() -> None:
    """The quick way of preparing them and the whole board prepared anew agree."""
    block = part("block", "floor", (8, 8, 0), (12, 12, 3), "vantage", "heavy")
    ground = Ground(on=terrain(block)).add("a", "red", (4, 10)).add("b", "blue", (17, 10), order="conceal")
    ground.put("one", "heavy-barricade", (15.9, 10), 90).put("two", "light-barricade", (6, 6), 45).seen()
    scene = ground.table.scene(ground.state)  # type: ignore[attr-defined]
    assert scene.terrain.base is ground.board.terrain
    flat = Terrain(scene.terrain.board, scene.terrain.features, rules=scene.terrain.rules)
    again = type(scene)(flat, scene.operatives)
    for one, two in (("a", "b"), ("b", "a")):
        assert ruling(scene, one, two).as_json("") == ruling(again, one, two).as_json("")


@pytest.mark.rule("KT24-E-HEAVY-BARRICADE")
def test_a_heavy_barricade_covers_near_and_obscures_far() -> None:
    def seen(x: float) -> Any:
        ground = Ground().add("a", "red", (4, 10)).add("b", "blue", (20, 10)).put("bar", "heavy-barricade", (x, 10), 90)
        return ground.seen().table.target_ruling(ground.state, "a", "b", ())

    near, far = seen(18.9), seen(12)
    assert near.in_cover
    assert not near.is_obscured
    assert far.is_obscured
    assert not far.in_cover
    assert near.cover_from == ("bar/shield",)


@pytest.mark.rule("KT24-E-LIGHT-BARRICADES")
def test_a_light_barricade_covers_but_never_obscures() -> None:
    for x, covered in ((18.9, True), (12, False)):
        ground = Ground().add("a", "red", (4, 10)).add("b", "blue", (20, 10)).put("bar", "light-barricade", (x, 10), 90)
        found = ground.seen().table.target_ruling(ground.state, "a", "b", ())
        assert (found.in_cover, found.is_obscured) == (covered, False)


@pytest.mark.rule("KT24-E-RAZOR-WIRE")
def test_razor_wire_costs_an_inch_more_where_it_is_crossed() -> None:
    ground = Ground().add("a", "red", (5, 5)).put("wire", "razor-wire", (8, 5), 90).seen()

    def cost(y: float) -> int:
        ground.state.operatives["a"].y = round(1000 * y)
        request = MoveRequest("a", "Reposition", 9)
        found = ground.table.mover.judge(ground.table, ground.state, request, (at(11, y),))
        assert found.refusal is None
        return found.cost

    assert cost(5) == 7
    past = 5 + 1.291 + 1 + ground.table.radius(ground.state.operatives["a"])
    assert cost(past - 0.02) == 7  # the base within an inch of its end
    assert cost(past + 0.02) == 6
    assert ground.table.mover.refuses_to_stand(ground.table, ground.state, "a", at(8, 5)) is not None


@pytest.mark.rule("KT24-E-LADDERS")
def test_once_per_action_a_climb_on_a_ladder_counts_as_an_inch() -> None:
    block = part("block", "floor", (8, 3, 0), (12, 7, 3), "vantage", "heavy")
    climb = ((7400, 5000, 0), (7400, 5000, 3000), (9000, 5000, 3000))

    def cost(*pieces: tuple[float, float], y: float = 5) -> int:
        ground = Ground(on=terrain(block)).add("a", "red", (6.4, y))
        for number, place in enumerate(pieces):
            ground.put(f"ladder-{number}", "ladder", place, 90)
        table = ground.seen().table
        path = tuple((x, round(1000 * y), z) for x, _, z in climb)
        found = table.mover.judge(table, ground.state, MoveRequest("a", "Reposition", 9), path)
        assert found.refusal is None, found.refusal
        return found.cost

    assert cost() == 1 + 3 + 2
    assert cost((7.95, 5)) == 1 + 1 + 2
    assert cost((7.95, 3.5), y=6) == 1 + 3 + 2  # too far along the wall
    ground = Ground(on=terrain(block)).add("a", "red", (7, 5)).put("l", "ladder", (7.95, 5), 90).seen()
    assert ground.table.mover.refuses_to_stand(ground.table, ground.state, "a", at(7.6, 5)) is not None


@pytest.mark.rule("KT24-E-LADDERS")
def test_a_ladder_is_insignificant_and_exposed() -> None:
    ground = Ground().put("l", "ladder", (7.95, 5), 90)
    (ladder,) = ground.table.terrain_in(ground.state).features[-1].parts
    assert ladder.traits == {"insignificant", "exposed"}


@pytest.mark.rule("KT24-E-LADDERS")
def test_a_ladder_covers_nobody() -> None:
    ground = Ground().add("a", "red", (4, 10)).add("b", "blue", (20, 10)).put("l", "ladder", (18.9, 10), 90)
    found = ground.seen().table.target_ruling(ground.state, "a", "b", ())
    assert (found.in_cover, found.is_obscured) == (False, False)


# -- portable barricade ------------------------------------------------------------------------------


def behind(x: float = 10.0, gap: float = 0.0) -> Ground:
    """B stands behind a portable barricade that faces A."""
    ground = Ground("portable-barricade").add("a", "red", (4, 10), ranged(atk=1)).add("b", "blue", (x, 10))
    return ground.put("red-portable-barricade-1", "portable-barricade", (x - 0.5 - 0.07 - 0.01 - gap, 10), 90)


@pytest.mark.rule("KT24-E-PORTABLE-BARRICADE")
def test_it_covers_only_who_is_connected_to_it() -> None:
    ground = behind().seen()
    assert ground.table.target_ruling(ground.state, "a", "b", ()).in_cover
    apart = behind(gap=0.2).seen()
    assert not apart.table.target_ruling(apart.state, "a", "b", ()).in_cover


@pytest.mark.rule("KT24-E-PORTABLE-BARRICADE")
@pytest.mark.parametrize("gap", [0.02, 0.3])
def test_an_oval_base_is_connected_where_its_real_shape_is(gap: float) -> None:
    """It stands with its long side to the barricade; whoever is connected is in cover, and could put it down there."""
    base = Base.of_mm(60, 35)
    ground = Ground("portable-barricade").add("a", "blue", (4, 10)).add("b", "red", (10, 10))
    ground.cards["b"] = replace(ground.cards["b"], base=base)
    ground.state.operatives["b"].turn = 90_000
    ground.put("red-portable-barricade-1", "portable-barricade", (10 - base.across - 0.07 - gap, 10), 90)
    battle = ground.seen().ready
    piece = battle.state.pieces["red-portable-barricade-1"]
    is_near = gap < 0.1
    assert is_connected(battle, battle.state.operatives["b"], piece) == is_near
    assert battle.table.target_ruling(battle.state, "a", "b", ()).in_cover == is_near
    del battle.state.pieces[piece.id]
    assert in_the_way(battle, piece_shape(piece)) is None
    assert in_the_way(battle, piece_shape(replace(piece, x=piece.x + 100 + round(1000 * gap)))) == "B stands there."


@pytest.mark.rule("KT24-E-PORTABLE-BARRICADE")
def test_in_cover_from_it_the_save_is_better_by_one_to_two_at_best() -> None:
    for printed, face, hurt in ((4, 3, False), (4, 2, True), (2, 2, False)):
        ground = behind()
        ground.add("a", "red", (4, 10), ranged("Saturate", atk=1)).add("b", "blue", (10, 10), save=printed)
        game = ground.seen().act("a", Shoot(), dice=[(3,), (face, 1, 1)])
        assert (game.state.operatives["b"].wounds < 10) == hurt


@pytest.mark.rule("KT24-E-PORTABLE-BARRICADE")
def test_move_with_barricade() -> None:
    ground = behind().walked()
    game = ground.game(acting("b", MoveWithBarricade()))
    walk = game.pending
    assert isinstance(walk, Walk)
    assert walk.allowance == 6 - 2
    assert not game.state.pieces  # taken up
    game.submit((at(13, 12),))
    place = game.pending
    assert isinstance(place, Place)
    assert place.default == (13000 - 580, 12000, 0)  # as it stood before
    assert place.check(at(11, 12)) == "It would not be connected to B."
    game.submit(place.default)
    if game.pending is not None:
        game.submit("90")
    piece = game.state.pieces["red-portable-barricade-1"]
    assert piece.side == "red"
    assert is_connected(game.battle, game.state.operatives["b"], piece)
    assert [type(event) for event in game.events if isinstance(event, Moved | PiecePlaced)] == [Moved, PiecePlaced]
    assert Charge().refusal(game.battle, game.state.operatives["b"]) == "Charge: not after Move with Barricade."
    assert refuses_to_spend(game.battle, game.state.operatives["b"], Reposition()) is not None


@pytest.mark.rule("KT24-E-PORTABLE-BARRICADE")
@pytest.mark.rule("KT24-STATS")
@pytest.mark.parametrize(
    ("move", "wounds", "allowance"), [(7, 10, 5), (5, 10, 3), (4, 10, 2), (6, 4, 2), (5, 4, 2), (3, 10, 1), (1, 10, 0)]
)
def test_move_with_barricade_is_two_inches_shorter_whatever_the_move(move: int, wounds: int, allowance: int) -> None:
    """Injured below 5 of 10 wounds: the Move itself is then never below 4", the distance is."""
    ground = Ground("portable-barricade").add("b", "blue", (5, 5), move=move)
    battle, who = ground.ready, ground.state.operatives["b"]
    who.wounds = wounds
    assert MoveWithBarricade().request(battle, who).allowance == allowance


def carried_to(ground: Ground, x: float, y: float) -> Game:
    """B has moved there with the barricade; the question where it goes, if any, is open."""
    game = ground.walked().game(acting("b", MoveWithBarricade()))
    game.submit((at(x, y),))
    return game


@pytest.mark.rule("KT24-E-PORTABLE-BARRICADE")
def test_it_is_set_down_more_than_two_inches_from_other_equipment_terrain() -> None:
    """The barricade is 0.14" thick and, turned, faces the other's face."""
    face = 12 - 0.5 - 0.02 - 0.07  # where its middle is, B being at 12, 10
    for gap, why in ((1.98, 'It would be within 2" of other.'), (2.02, None)):
        ground = behind().put("other", "portable-barricade", (face - 0.14 - gap, 10), 90)
        place = carried_to(ground, 12, 10).pending
        assert isinstance(place, Place)
        assert place.check(at(face, 10)) == why


@pytest.mark.rule("KT24-E-PORTABLE-BARRICADE")
def test_it_is_set_down_more_than_two_inches_from_accessible_terrain() -> None:
    """No place is further from the door than on the other side of B."""
    face = 12 - 0.5 - 0.02 - 0.07
    for gap, is_near in ((1.95, True), (2.02, False)):
        door = face + 0.07 + gap
        hut = part("hut", "door", (door, 5, 0), (door + 0.2, 15, 3), "accessible")
        ground = Ground("portable-barricade", on=terrain(hut)).add("b", "blue", (10, 10))
        ground.put("red-portable-barricade-1", "portable-barricade", (9.42, 10), 90)
        place = carried_to(ground, 12, 10).pending
        assert isinstance(place, Place) != is_near
        assert place is None or place.check(at(face, 10)) is None


@pytest.mark.rule("KT24-E-PORTABLE-BARRICADE")
@pytest.mark.parametrize(("far", "is_back"), [(1.9, False), (4.0, True)])
def test_where_it_cannot_be_set_down_it_stays_off_the_table_and_the_move_counts(far: float, is_back: bool) -> None:
    """Other barricades *far* to either side of where B ends."""
    ground = Ground("portable-barricade").add("b", "blue", (12, 13))
    ground.put("red-portable-barricade-1", "portable-barricade", (11.42, 13), 90)
    ground.put("west", "light-barricade", (12 - far, 10), 90).put("east", "light-barricade", (12 + far, 10), 90)
    game = carried_to(ground, 12, 10)
    assert isinstance(game.pending, Place) == is_back
    while game.pending is not None:
        game.submit(game.pending.default if isinstance(game.pending, Place) else "90")
    assert ("red-portable-barricade-1" in game.state.pieces) == is_back
    who = game.state.operatives["b"]
    assert who.point == at(12, 10)
    assert game.state.activation is not None
    assert game.state.activation.ap_spent == 1
    assert Charge().refusal(game.battle, who) == "Charge: not after Move with Barricade."
    assert any("stays off the table" in line for line in story(game)) != is_back


@pytest.mark.rule("KT24-E-PORTABLE-BARRICADE")
@pytest.mark.parametrize(("gap", "is_back"), [(0.2, True), (0.06, False)])
def test_the_one_place_left_for_it_is_found(gap: float, is_back: bool) -> None:
    """To the west is other equipment; to the east a wall with a gap into which only its end goes, 0.07" either way."""
    south = part("south", "wall", (10.6, 3, 0), (13, 10 - gap, 3), "heavy")
    north = part("north", "wall", (10.6, 10 + gap, 0), (13, 20, 3), "heavy")
    ground = Ground("portable-barricade", on=terrain(south, north)).add("b", "blue", (10, 13))
    ground.put("red-portable-barricade-1", "portable-barricade", (9.42, 13), 90)
    ground.put("other", "light-barricade", (8.07, 10), 90)
    place = carried_to(ground, 10, 10).pending
    assert isinstance(place, Place) == is_back
    assert place is None or place.check(at(11.27, 10)) is None


@pytest.mark.rule("KT24-W-HEAVY")
@pytest.mark.rule("KT24-E-PORTABLE-BARRICADE")
@pytest.mark.parametrize(("exception", "why"), [("Reposition", None), ("Dash", "not after Move with Barricade.")])
def test_moving_with_it_is_a_reposition_to_a_heavy_weapon(exception: str, why: str | None) -> None:
    ground = Ground("portable-barricade").add("a", "red", (5, 5), ranged(f"Heavy ({exception} only)"))
    ground.add("b", "blue", (20, 5))
    ground.state.activation = Activation("a", "activation", 2, 1, ["Move with Barricade"], ["Move with Barricade"])
    assert why_not(ground, "a", Shoot()) == (why and f"Shoot: Heavy ({exception} only): {why}")


@pytest.mark.rule("KT24-E-PORTABLE-BARRICADE")
def test_who_is_not_connected_or_is_engaged_does_not_move_with_it() -> None:
    assert why_not(behind(gap=0.2), "b", MoveWithBarricade()) is not None
    engaged = behind().add("c", "red", (10, 11.9))
    assert (
        why_not(engaged, "b", MoveWithBarricade())
        == "Move with Barricade: not while within C's control range: Fight or Fall Back."
    )
    assert why_not(behind(), "b", MoveWithBarricade()) is None


@pytest.mark.rule("KT24-E-PORTABLE-BARRICADE")
def test_it_neither_climbs_nor_drops() -> None:
    block = part("block", "floor", (12, 8, 0), (16, 12, 2), "vantage", "heavy")
    ground = Ground("portable-barricade", on=terrain(block)).add("b", "blue", (11, 10)).seen()
    path = ((11400, 10000, 0), (11400, 10000, 2000), (13000, 10000, 2000))
    for action, allowed in (("Reposition", True), ("Move with Barricade", False)):
        found = ground.table.mover.judge(ground.table, ground.state, MoveRequest("b", action, 6), path)
        assert (found.refusal is None) == allowed


def test_notes_and_pieces_survive_json() -> None:
    ground = behind()
    Noted("red:frag-grenade", 2).apply(ground.state)
    again = State.from_json(ground.state.to_json())
    assert again.pieces == ground.state.pieces
    assert again.digest() == ground.state.digest()
    assert Dash().request(ground.ready, ground.state.operatives["a"]).allowance == 3


@pytest.mark.rule("KT24-SCOUT")
@pytest.mark.rule("KT24-DAMAGE")
@pytest.mark.parametrize(("wounds", "is_there"), [(6, False), (7, True)])
def test_whom_a_mine_incapacitates_on_a_scouting_reposition_leaves(wounds: int, is_there: bool) -> None:
    field = OpField(turn=0).add("a", "red", (4, 5), wounds=wounds).add("b", "blue", (28, 5))
    field.state.choices |= {key_for("red"): "", key_for("blue"): "mines", scouting_key("red"): "reposition"}
    field.state.markers["blue-mines"] = MarkerState("blue-mines", "mines", 6500, 5000, 0, 394)
    field.state.markers[REDS].x, field.state.markers[REDS].y = 8000, 5000
    answers = Answers(dice=[(6,)], choose={"scout": "a", "move": ((8000, 5000, 0),)})
    field.run(lambda battle: _reposition(battle, "red"), answers)
    who = field.state.operatives["a"]
    assert (who.is_in_killzone, who.is_incapacitated) == (is_there, not is_there)
    assert field.state.markers[REDS].controller == ("red" if is_there else None)
    assert field.state.ready("red") == ([who] if is_there else [])
