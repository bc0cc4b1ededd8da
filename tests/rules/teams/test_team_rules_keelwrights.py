"""Keelwrights: every ability and ploy, and the case just outside it."""

from __future__ import annotations

from typing import Any

import pytest
from engine_help import Answers, Field, acting, melee, ranged
from team_help import action, does, field, offered, rule, who

from ktsim.rules.engine.action import refuses, refuses_to_spend
from ktsim.rules.engine.activation import activation, remove_incapacitated
from ktsim.rules.engine.battle import Battle
from ktsim.rules.engine.decisions import Steps
from ktsim.rules.engine.events import EffectBegan
from ktsim.rules.engine.operative_events import MarkerPlaced, Removed, WeaponUsed, Wounded
from ktsim.rules.engine.shoot.targets import rule_on
from ktsim.rules.engine.state import Effect
from ktsim.rules.kt24.fight import Fight
from ktsim.rules.kt24.shoot import Shoot


def range_(*rules: Any, cp: int = 0, gun: Any = None, x: float = 14, **more: Any) -> Field:
    """A shoots at B."""
    made = field(*rules, cp=cp).add("a", "red", (3, 5), gun or ranged())
    return made.add("b", "blue", (x, 5), ranged(), melee(), **more)


@pytest.mark.parametrize(("side", "apl"), [("red", 2), ("blue", 1)])
def test_few_and_stubborn(side: Any, apl: int) -> None:
    made = range_(rule("few-and-stubborn", side))
    made.state.effects = [Effect("Stun", "KT24-W-STUN", "next-activation", "a", stat="apl", amount=-1)]
    assert made.battle().apl(made.state.operatives["a"]).value == apl


def test_few_and_stubborn_does_not_stop_more_apl() -> None:
    made = range_(rule("few-and-stubborn"))
    made.state.effects = [Effect("Signal", "TEAM", "next-activation", "a", stat="apl", amount=1)]
    assert made.battle().apl(made.state.operatives["a"]).value == 3


@pytest.mark.parametrize(("wounds", "after"), [(4, 7), (9, 10)])
def test_inspect_the_seams_mends_up_to_three(wounds: int, after: int) -> None:
    made = field(rule("inspect-the-seams", "red", "a")).add("a", "red", (3, 5)).add("b", "red", (8, 5))
    made.state.operatives["b"].wounds = wounds
    game = does(made, "a", "Inspect the Seams")
    assert who(game, "b").wounds == after


def test_inspect_the_seams_only_the_wounded_within_six() -> None:
    made = field(rule("inspect-the-seams", "red", "a")).add("a", "red", (3, 5)).add("b", "red", (8, 5))
    made.add("c", "red", (10.1, 5))
    made.state.operatives["c"].wounds = 4
    battle = made.battle()
    why = refuses(battle, battle.state.operatives["a"], action(battle, "a", "Inspect the Seams"))
    assert why == "Inspect the Seams: nobody to choose."


def test_rivet_down_takes_two_inches() -> None:
    made = range_(rule("rivet-down"), x=11)
    game = does(made, "a", "Rivet Down")
    assert game.battle.move(who(game, "b")).value == 4
    assert refuses(game.battle, who(game, "a"), action(game.battle, "a", "Rivet Down")) is not None, "not twice"
    far = range_(rule("rivet-down"), x=12.1).battle()
    assert refuses(far, far.state.operatives["a"], action(far, "a", "Rivet Down")) is not None


@pytest.mark.parametrize(("card", "is_obscured"), [("a", False), ("other", True)])
def test_hollow_places(card: str, is_obscured: bool) -> None:
    made = range_(rule("hollow-places", "red", card))
    made.table.rulings[("a", "b")] = {"is_obscured": True}
    battle = made.battle()
    a, b = battle.state.operatives["a"], battle.state.operatives["b"]
    assert rule_on(battle, a, b, ()).is_obscured == is_obscured


@pytest.mark.parametrize(("x", "wounds"), [(10.1, 7), (10.0, 6)])
def test_like_a_door_from_afar(x: float, wounds: int) -> None:
    made = range_(rule("stands-like-a-door", "blue", "b"), x=x)
    game = made.act("a", Shoot(), dice=[(6, 1, 1, 1), (1, 1, 1)])
    assert who(game, "b").wounds == wounds
    game = made.act("b", Shoot(), dice=[(6, 1, 1, 1), (1, 1, 1)])
    assert who(game, "a").wounds == 6, "only when it is shot"


@pytest.mark.parametrize(("used", "dice"), [(["blue:watertight"], 3), ([], 2)])
def test_watertight(used: list[str], dice: int) -> None:
    made = range_(rule("watertight", "blue"), gun=ranged("Piercing 1", atk=1))
    made.state.ploys_used = used
    game = made.act("a", Shoot(), dice=[(1,), (1,) * dice])
    assert who(game, "b").wounds == 10


def plate(gun: Any) -> Field:
    made = range_(rule("spare-plate", "blue"), gun=gun)
    made.state.cp["blue"] = 1
    return made


@pytest.mark.parametrize(
    ("gun", "dice", "wounds"),
    [
        (ranged(damage=(3, 7)), (6, 1, 1, 1), 7),
        (ranged("Lethal 5+", damage=(3, 7)), (5, 1, 1, 1), 7),
        (ranged(damage=(3, 7)), (6, 6, 1, 1), 0),
    ],
)
def test_spare_plate_when_shot(gun: Any, dice: tuple[int, ...], wounds: int) -> None:
    """Of two critical successes one."""
    answers = Answers([dice, (1, 1, 1)], {"reroll": "keep", "ward": "yes"})
    game = plate(gun).play(acting("a", Shoot()), answers)
    assert who(game, "b").wounds == wounds
    assert game.state.cp["blue"] == 0
    assert answers.topics.count("ward") == 1


@pytest.mark.parametrize(("dice", "damage"), [((5, 1, 1, 1), (3, 7)), ((6, 1, 1, 1), (3, 3))])
def test_spare_plate_needs_a_critical_that_matters(dice: tuple[int, ...], damage: tuple[int, int]) -> None:
    answers = Answers([dice, (1, 1, 1)], {"reroll": "keep"})
    plate(ranged(damage=damage)).play(acting("a", Shoot()), answers)
    assert "ward" not in answers.topics


@pytest.mark.parametrize("side", ["red", "blue"])
def test_spare_plate_in_a_fight(side: Any) -> None:
    made = field(rule("spare-plate", side), cp=0).add("a", "red", (3, 5), melee(atk=1, damage=(3, 7)))
    made.add("b", "blue", (5, 5), melee(atk=1, damage=(3, 7)))
    made.state.cp[side] = 1
    choose = {"ward": "yes", "reroll": "keep", "resolve": ["strike c", "strike c"]}
    game = made.act("a", Fight(), dice=[(6,), (6,)], choose=choose)
    assert {id: who(game, id).wounds for id in "ab"} == ({"a": 7, "b": 3} if side == "red" else {"a": 3, "b": 7})


def test_brace_rerolls_any_defence_dice() -> None:
    made = range_(rule("brace", "blue"))
    made.state.cp["blue"] = 1
    choose = {"ploy": "brace#0", "reroll": ["Brace 1", "Brace 1", "keep"]}
    game = made.act("a", Shoot(), dice=[(3, 3, 1, 1), (1, 1, 1), (4,), (4,)], choose=choose)
    assert who(game, "b").wounds == 10


def test_brace_not_for_shooting() -> None:
    made = range_(rule("brace", "red"))
    made.state.cp["red"] = 1
    answers = Answers([(1, 1, 1, 1), (1, 1, 1)], {"reroll": "keep"})
    assert offered(made, acting("a", Shoot()), answers) == []


@pytest.mark.parametrize(("ploy", "times"), [("work-to-rule#0", 2), ("no", 1)])
def test_work_to_rule_two_shoots(ploy: str, times: int) -> None:
    made = range_(rule("work-to-rule"))
    made.state.cp["red"] = 1
    choose: dict[str, Any] = {"ploy": ploy, "order": "engage", "action": ["Shoot"] * times + ["pass"] * (2 - times)}
    if ploy == "no":
        choose["reroll"] = "keep"
    answers = Answers([(1, 1, 1, 1), (1, 1, 1)] * times, choose)
    made.play(lambda battle: activation(battle, battle.state.operatives["a"]), answers)
    last = [d for d in answers.asked if d.topic == "action"][-1]
    refusal = {o.key: o.refusal for o in last.options}["Shoot"]  # type: ignore[attr-defined]
    assert refusal is None if ploy != "no" else refusal == "Shoot: already performed in this activation."


def test_work_to_rule_not_both_twice_and_not_three_times() -> None:
    made = range_(rule("work-to-rule"), apl=3)
    a = made.state.operatives["a"]

    def procedure(battle: Any) -> Steps[None]:
        yield from acting("a")(battle)
        yield EffectBegan(Effect("Work to Rule", "TEAM", "activation", "a", "red", clause="work-to-rule#0/0"))
        for done, shoot, fight in (
            (["Shoot"], True, True),
            (["Shoot", "Shoot"], False, True),
            (["Shoot", "Shoot", "Fight"], False, False),
            (["Fight", "Fight", "Shoot"], False, False),
        ):
            battle.state.activation.actions[:] = done
            found = [refuses_to_spend(battle, a, action) is None for action in (Shoot(), Fight())]
            assert found == [shoot, fight], done

    made.play(procedure)


def test_last_rivet_shoots_before_it_is_removed() -> None:
    made = range_(rule("last-rivet", "blue"), wounds=3)
    made.state.cp["blue"] = 1
    dice = [(3, 3, 1, 1), (1, 1, 1), (4, 4, 4, 1), (1, 1, 1)]
    choose = {"reroll": ["keep"], "ploy": "last-rivet#0"}
    game = made.act("a", Shoot(), dice=dice, choose=choose)
    assert who(game, "b").is_removed
    assert who(game, "a").wounds == 1


def test_whoever_the_last_rivet_fells_leaves_too() -> None:
    made = range_(rule("last-rivet", "blue"), wounds=3)
    made.state.operatives["a"].wounds = 3
    made.state.cp["blue"] = 1
    dice = [(4, 4, 1, 1), (1, 1, 1), (4, 4, 4, 1), (1, 1, 1)]
    game = made.act("a", Shoot(), dice=dice, choose={"reroll": ["keep"], "ploy": "last-rivet#0"})
    assert who(game, "a").is_removed
    assert who(game, "b").is_removed


def test_last_rivet_not_on_a_conceal_order() -> None:
    made = range_(rule("last-rivet", "blue"), wounds=3, order="conceal")
    made.state.cp["blue"] = 1
    answers = Answers([(3, 3, 1, 1), (1, 1, 1)], {"reroll": "keep"})
    assert offered(made, acting("a", Shoot()), answers) == []


@pytest.mark.rule("KT24-CARRY0")
@pytest.mark.parametrize("carrier", ["a", "b"])
def test_last_rivet_comes_after_the_carried_marker_is_placed(carrier: str) -> None:
    """What A carried lies there already when A shoots; what B carries stays with B, who is not hurt."""
    ground = field(rule("last-rivet")).add("a", "red", (5, 5), wounds=5).add("b", "blue", (20, 5))
    ground.marker("m", (5, 5), can_be_picked_up=True, carrier=carrier)

    def procedure(battle: Battle) -> Steps[None]:
        yield Wounded("a", 5, "test", "b")
        yield from remove_incapacitated(battle)

    answers = Answers([(1, 1, 1, 1), (1, 1, 1)], {"ploy": "last-rivet#0"})
    game = ground.play(procedure, answers)
    order = [type(event) for event in game.events if isinstance(event, (MarkerPlaced, WeaponUsed, Removed))]
    assert order == ([MarkerPlaced, WeaponUsed, Removed] if carrier == "a" else [WeaponUsed, Removed])
