"""Breach and the Breaching Charge: what it costs whom, when it is forbidden, what opens and what that does."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from engine_help import CLUB, Answers, acting, at, melee, ranged
from ground_help import GALLOWDARK, Ground, terrain

from ktsim.rules.engine.action import refuses, refuses_to_spend
from ktsim.rules.engine.cards import Ability
from ktsim.rules.engine.operative_events import Incapacitated, Moved
from ktsim.rules.engine.state import Activation
from ktsim.rules.engine.table_events import TerrainChanged
from ktsim.rules.killzone.breach import Breach, QuickBreach, is_quick
from ktsim.rules.killzone.guard import Guard
from ktsim.rules.killzone.operate_hatch import OperateHatch
from ktsim.rules.kt24.close_quarters import HatchwayFight
from ktsim.rules.kt24.equipment.grenades import BreachingCharge, BreachWithCharge
from ktsim.rules.kt24.equipment.register import EQUIPMENT, offered
from ktsim.rules.kt24.moves import Charge, Dash, Reposition
from ktsim.rules.kt24.shoot import Shoot
from ktsim.rules.kt24.turn import choose_counteraction
from ktsim.sight.dates import BREACHING_CHARGE
from ktsim.sight.scene import BreachPoint, Terrain, WallLine

WALLS = (
    WallLine("south", (15, 0), (15, 9)),
    WallLine("breach", (15, 9), (15, 13), breach=BreachPoint(1.6)),
    WallLine("north", (15, 13), (15, 22)),
)
"""A wall across the middle; the access point is about (15, 11)."""
TOUCH = 15 - 0.2 - 0.5
"""x of an operative on a 1" base that touches the access point from the west."""
BEYOND = 15 + 0.2 + 0.5
RULES = GALLOWDARK | {"KZ-TOMB-BREACH-POINT", "KZ-TOMB-BREACH", "KZ-TOMB-PAD"}


def crypt() -> Terrain:
    return terrain(walls=WALLS, rules=RULES)


def ground(*keys: str, x: float = TOUCH, **more: Any) -> Any:
    return Ground(*keys, on=crypt()).add("a", "red", (x, 11), **more)


def why_not(ground: Any, id: str, action: Any) -> str | None:
    battle = ground.ready
    return refuses(battle, battle.state.operatives[id], action)


# -- what opens, and from where ------------------------------------------------------------------------


@pytest.mark.rule("KZ-TOMB-BREACH")
def test_a_closed_breach_point_in_control_range_is_opened_for_2ap() -> None:
    assert Breach.ap == 2
    game = ground(x=TOUCH - 0.99).act("a", Breach())
    assert game.state.terrain["breach"] == "open"
    assert TerrainChanged("breach", "open") in game.events
    assert why_not(ground(x=TOUCH - 1.01), "a", Breach()) == "Breach: no closed breach point in control range."


@pytest.mark.rule("KZ-TOMB-BREACH", "KZ-TOMB-BREACH-POINT")
def test_an_open_one_stays_open_for_good() -> None:
    opened = ground()
    opened.state.terrain["breach"] = "open"
    assert why_not(opened, "a", Breach()) == "Breach: no closed breach point in control range."
    assert why_not(opened, "a", OperateHatch()) == "Operate Hatch: no access point in control range."


@pytest.mark.rule("KZ-TOMB-BREACH")
def test_not_in_an_enemys_control_range() -> None:
    near = ground().add("b", "blue", (TOUCH - 2.0, 11))
    assert why_not(near, "a", Breach()) == "Breach: not while within B's control range: Fight or Fall Back."
    near.state.operatives["b"].x -= 10
    assert why_not(near, "a", Breach()) is None


@pytest.mark.rule("KZ-TOMB-BREACH")
@pytest.mark.parametrize("has_spur", [True, False])
def test_no_breach_point_is_reached_through_a_wall(has_spur: bool) -> None:
    spur = WallLine("spur", (5, 12.2), (14.8, 12.2))
    on = terrain(walls=(*WALLS, *([spur] if has_spur else [])), rules=RULES)
    beside = Ground(on=on).add("a", "red", (14.1, 12.95), base=25).seen()
    why = "Breach: no closed breach point in control range." if has_spur else None
    assert why_not(beside, "a", Breach()) == why


@pytest.mark.rule("KZ-TOMB-BREACH", "KZ-TOMB-BREACH-POINT")
def test_it_is_passed_at_1_inch_more_and_seen_through_once_it_is_open() -> None:
    seen = ground(apl=3).add("b", "blue", (20, 11)).seen()
    assert not seen.table.is_visible(seen.state, "a", "b")
    way = (at(BEYOND + 0.3, 11),)  # 1.7", so 2" and 1" more
    assert why_walk(seen, way) is not None
    game = seen.act("a", Breach(), Reposition(), choose={"move": [way]})
    assert game.battle.table.is_visible(game.state, "a", "b")
    assert game.state.operatives["a"].x == way[0][0]
    assert [event.cost for event in game.events if isinstance(event, Moved)] == [3]


def why_walk(ground: Any, path: Any) -> str | None:
    battle = ground.ready
    request = Reposition().limited(battle, battle.state.operatives["a"])
    return battle.table.mover.judge(battle.table, battle.state, request, path).refusal


@pytest.mark.rule("KZ-HATCH-FIGHT", "KZ-TOMB-BREACH-POINT")
def test_a_hatchway_fight_goes_through_an_open_breach_point() -> None:
    there = ground().add("b", "blue", (BEYOND + 1.99, 11), melee(atk=1))
    assert why_not(there, "a", HatchwayFight()) is not None
    there.state.terrain["breach"] = "open"
    assert why_not(there, "a", HatchwayFight()) is None
    there.state.operatives["b"].x += 20
    assert why_not(there, "a", HatchwayFight()) is not None


# -- what it does to those behind the wall -------------------------------------------------------------


@pytest.mark.rule("KZ-TOMB-BREACH")
@pytest.mark.parametrize(("face", "damage"), [(3, 0), (4, 2), (5, 3), (6, 3)])
def test_whoever_is_behind_it_is_hurt_on_4_or_more(face: int, damage: int) -> None:
    game = ground().add("b", "blue", (BEYOND, 11)).act("a", Breach(), dice=[(face,)])
    who = game.state.operatives["b"]
    assert who.wounds == 10 - damage
    assert game.battle.apl(who).value == (1 if damage else 2)
    assert who.wounded_by == ("a" if damage else "")


@pytest.mark.rule("KZ-TOMB-BREACH")
def test_friends_too_on_the_other_side_only_and_with_the_access_point_in_control_range() -> None:
    there = ground().add("f", "red", (BEYOND, 10.3)).add("b", "blue", (BEYOND + 0.99, 11.7))
    there.add("far", "blue", (BEYOND + 1.02, 14.5)).add("g", "red", (TOUCH, 12.1))
    game = there.act("a", Breach(), dice=[(6,), (4,)])
    wounds = {id: who.wounds for id, who in game.state.operatives.items()}
    assert wounds == {"a": 10, "f": 7, "b": 8, "far": 10, "g": 10}
    away = ground().add("b", "blue", (BEYOND + 1.01, 11)).act("a", Breach())
    assert away.state.operatives["b"].wounds == 10  # no die was rolled


@pytest.mark.rule("KZ-TOMB-BREACH")
def test_the_apl_comes_back_at_the_end_of_the_next_activation_and_the_fallen_leave_after_the_action() -> None:
    game = ground().add("b", "blue", (BEYOND, 11), wounds=3).act("a", Breach(), dice=[(5,)])
    assert Incapacitated("b", "a") in game.events
    assert game.state.operatives["b"].is_removed
    hurt = ground().add("b", "blue", (BEYOND, 11)).act("a", Breach(), dice=[(4,)])
    (effect,) = hurt.state.effects
    assert (effect.stat, effect.amount, effect.until, effect.target) == ("apl", -1, "next-activation", "b")


# -- what it costs whom ----------------------------------------------------------------------------------


def with_card(**values: Any) -> Any:
    found = ground(apl=3)
    found.cards["a"] = replace(found.cards["a"], **values)
    return found


@pytest.mark.rule("KZ-TOMB-BREACH")
@pytest.mark.parametrize(
    ("values", "quick"),
    [
        ({"keywords": ("GRENADIER",)}, True),
        ({"name": "Hall Grenadier"}, True),
        ({"abilities": (Ability("Sapper", "Places a breach marker at its feet."),)}, True),
        ({"abilities": (Ability("Melta Mine", "Once per battle."),)}, True),
        ({"abilities": (Ability("Sapper", "Once per battle it lays mines."),)}, True),
        ({"abilities": (Ability("Resolve", "Determined: undermined by nothing, a breach of every marker."),)}, False),
        ({"weapons": (ranged("Piercing 2"),)}, True),
        ({"weapons": (CLUB, ranged("Piercing Crits 2", "Heavy"))}, True),
        ({"weapons": (melee("Piercing 2"),)}, True),
        ({"weapons": (ranged("Piercing 1"),)}, False),
        ({"weapons": (ranged("Piercing Crits 1"),)}, False),
        ({"weapons": (ranged("Piercing 2", 'Blast 2"'),)}, False),
        ({"weapons": (ranged("Piercing 2", 'Torrent 2"'),)}, False),
        ({"weapons": (ranged("Piercing 2", 'Blast 2"'), ranged("Piercing 2"))}, True),
        ({}, False),
    ],
)
def test_some_breach_for_1ap(values: dict[str, Any], quick: bool) -> None:
    battle = with_card(**values).ready
    who = battle.state.operatives["a"]
    costs = {action.name: battle.ap_cost(who, action) for action in battle.actions(who) if "Breach" in action.name}
    assert costs == ({"Breach": 2, "Quick Breach": 1} if quick else {"Breach": 2})
    assert is_quick(battle, who) == quick


def sapper(**more: Any) -> Any:
    found = ground(apl=4, **more)
    found.cards["a"] = replace(found.cards["a"], keywords=("GRENADIER",))
    return found


@pytest.mark.rule("KZ-TOMB-BREACH")
def test_then_neither_charge_nor_shoot_in_either_order() -> None:
    after = sapper().add("b", "blue", (6, 11)).act("a", QuickBreach())
    who = after.state.operatives["a"]
    assert after.state.terrain["breach"] == "open"
    for action in (Charge(), Shoot(), Guard()):
        assert refuses(after.battle, who, action) == f"{action.name}: not after Quick Breach."
    for action in (Dash(), Reposition()):
        assert refuses(after.battle, who, action) is None
    plain = sapper().add("b", "blue", (6, 11)).act("a", Breach())
    assert refuses(plain.battle, plain.state.operatives["a"], Shoot()) is None  # it has paid for it


@pytest.mark.rule("KZ-TOMB-BREACH")
@pytest.mark.parametrize("first", [Guard(), Shoot()])
def test_nor_after_one_of_them(first: Any) -> None:
    there = sapper().add("b", "blue", (6, 11))
    dice = [(1, 1, 1, 1), (1, 1, 1)] if first.name == "Shoot" else []
    game = there.act("a", first, dice=dice)
    who = game.state.operatives["a"]
    assert refuses(game.battle, who, QuickBreach()) == f"Quick Breach: not after {first.name}."
    assert refuses(game.battle, who, Breach()) is None


@pytest.mark.rule("KZ-TOMB-BREACH")
@pytest.mark.parametrize("kind", ["activation", "counteraction"])
def test_nor_after_a_charge_whoever_it_was_at(kind: Any) -> None:
    there = sapper()
    there.state.activation = Activation("a", kind, 4, actions=["Charge"])
    assert why_not(there, "a", QuickBreach()) == "Quick Breach: not after Charge."
    there.state.activation = Activation("b", kind, 4, actions=["Charge"])
    assert why_not(there, "a", QuickBreach()) is None


@pytest.mark.rule("KZ-TOMB-BREACH")
def test_they_count_as_one_action_and_only_the_cheap_one_is_for_counteracting() -> None:
    game = sapper().act("a", QuickBreach())
    why = refuses_to_spend(game.battle, game.state.operatives["a"], Breach())
    assert why == "Breach: not in the same activation as Quick Breach."
    steps = choose_counteraction(sapper().ready, sapper().state.operatives["a"])
    names = {option.key for option in next(steps).options}  # type: ignore[union-attr]
    assert "Quick Breach" in names
    assert "Breach" not in names


# -- the Breaching Charge ----------------------------------------------------------------------------------


@pytest.mark.rule("KT24-E-BREACHING-CHARGE")
def test_once_per_battle_a_breach_costs_1ap() -> None:
    there = ground("breaching-charge").add("c", "red", (TOUCH, 12.1)).add("e", "blue", (BEYOND + 5, 11))
    battle = there.battle()
    mine, enemy = battle.state.operatives["c"], battle.state.operatives["e"]
    assert battle.ap_cost(mine, BreachWithCharge()) == 1
    assert "Breaching Charge" in [action.name for action in battle.actions(mine)]
    assert "Breaching Charge" not in [action.name for action in battle.actions(enemy)]
    game = there.act("a", BreachWithCharge())
    assert game.state.terrain["breach"] == "open"
    game.state.terrain["breach"] = "closed"  # as if there were another one
    assert refuses(game.battle, game.state.operatives["c"], BreachWithCharge()) == "Breaching Charge: none left."
    assert refuses(game.battle, game.state.operatives["c"], Breach()) is None


@pytest.mark.rule("KT24-E-BREACHING-CHARGE")
def test_with_it_one_may_charge_and_shoot_and_the_conditions_of_a_breach_hold() -> None:
    there = ground("breaching-charge", apl=3).add("b", "blue", (6, 11))
    game = there.act("a", BreachWithCharge())
    assert refuses(game.battle, game.state.operatives["a"], Shoot()) is None
    near = ground("breaching-charge").add("b", "blue", (TOUCH - 2.0, 11))
    assert (
        why_not(near, "a", BreachWithCharge())
        == "Breaching Charge: not while within B's control range: Fight or Fall Back."
    )


@pytest.mark.rule("KT24-E-BREACHING-CHARGE", "KT24-DATED")
def test_it_is_offered_from_a_date_on_and_where_there_are_breach_points() -> None:
    here = ground()
    assert BreachingCharge.key not in offered(here.ready)
    here.rules_as_of = BREACHING_CHARGE.since
    assert set(offered(here.ready)) == set(EQUIPMENT)
    elsewhere = Ground(on=terrain(rules=GALLOWDARK)).add("a", "red", (5, 5))
    elsewhere.rules_as_of = BREACHING_CHARGE.since
    assert set(offered(elsewhere.battle())) == set(EQUIPMENT) - {BreachingCharge.key}


def test_answers_are_asked_for_only_with_a_choice() -> None:
    two = (
        *WALLS[:1],
        WallLine("breach-1", (15, 9), (15, 11), breach=BreachPoint(1.6)),
        WallLine("breach-2", (15, 11), (15, 13), breach=BreachPoint(1.6)),
        WALLS[2],
    )
    there = Ground(on=terrain(walls=two, rules=RULES)).add("a", "red", (TOUCH, 11))
    answers = Answers(choose={"breach": "breach-2"})
    game = there.play(acting("a", Breach()), answers)
    assert game.state.terrain == {"breach-1": "closed", "breach-2": "open"}
    assert answers.topics == ["breach"]
