"""Fighting, markers, being incapacitated, precedence and simultaneous rules."""

from __future__ import annotations

from typing import Any

import pytest
from engine_help import CLUB, RIFLE, Answers, Field, acting, at, hand, melee, ranged, run, story
from ground_help import Ground, part, terrain

from ktsim.rules.engine.action import Action, Impossible, refuses
from ktsim.rules.engine.activation import activation, remove_incapacitated, settle_control
from ktsim.rules.engine.battle import Battle
from ktsim.rules.engine.decisions import Place, Steps
from ktsim.rules.engine.events import Told
from ktsim.rules.engine.fight.stages import Duel, fight
from ktsim.rules.engine.markers import PickUp, PlaceMarker, refuses_marker
from ktsim.rules.engine.operative_events import MarkerPlaced, Removed, Wounded
from ktsim.rules.engine.precedence import Claim, Precedence, in_order, refusal
from ktsim.rules.engine.rule import Rule
from ktsim.rules.engine.state import Effect, MarkerState, Until, milli
from ktsim.rules.engine.turn import turn_end
from ktsim.rules.kt24.edition import KT24
from ktsim.rules.kt24.fight import Fight
from ktsim.rules.kt24.moves import Charge
from ktsim.rules.kt24.shoot import Shoot


def duel(
    dice: list[tuple[int, ...]], resolve: list[str], wounds: tuple[int, int] = (12, 12), **more: Any
) -> tuple[Any, Answers]:
    hands = (
        hand(*more.pop("mine", ()), atk=len(dice[0]), hit=4, damage=(3, 5)),
        hand(*more.pop("theirs", ()), atk=len(dice[1]), hit=4, damage=(3, 5), side="blue", operative="b", target="a"),
    )
    choose = {"resolve": resolve, **more.pop("choose", {})}
    answers = Answers(dice, choose)
    result, _ = run(fight(Duel(hands, wounds, **more), KT24.duel_stages), answers)
    return result, answers


@pytest.mark.rule("KT24-W-HOT")
@pytest.mark.parametrize(("face", "left"), [(3, 4), (4, 10)])
def test_a_hot_melee_weapon_can_hurt_its_user(face: int, left: int) -> None:
    field = Field().add("a", "red", (3, 3), melee("Hot", atk=2)).add("b", "blue", (5, 3), melee(atk=1))
    game = field.act("a", Fight(), dice=[(1, 1), (1,), (face,)])
    assert [game.state.operatives[id].wounds for id in "ab"] == [left, 10]


@pytest.mark.rule("KT24-W-HOT")
def test_hot_when_retaliating_and_not_when_incapacitated() -> None:
    field = Field().add("a", "red", (3, 3), melee(atk=1)).add("b", "blue", (5, 3), melee("Hot", atk=1), wounds=3)
    game = field.act("a", Fight(), dice=[(1,), (1,), (1,)])
    assert game.state.operatives["b"].wounds == 1
    field = Field().add("a", "red", (3, 3), melee(atk=1)).add("b", "blue", (5, 3), melee("Hot", atk=1), wounds=3)
    game = field.act("a", Fight(), dice=[(4,), (1,)], choose={"resolve": "strike n"})
    assert game.state.operatives["b"].is_incapacitated


@pytest.mark.rule("KT24-FIGHT-SEQ")
def test_strikes_alternate_attacker_first() -> None:
    result, answers = duel([(4, 4), (4, 6)], ["strike n", "strike c", "strike n", "strike n"])
    assert result.suffered == (8, 6)
    assert [d.seat for d in answers.asked if d.topic == "resolve"] == ["red", "blue"] * 2


@pytest.mark.rule("KT24-FIGHT-SEQ")
def test_blocks_cancel_what_is_unresolved() -> None:
    result, _ = duel([(4, 4), (4, 1)], ["block nn"])
    assert result.suffered == (0, 3)
    result, answers = duel([(4, 4), (6, 1)], ["strike n", "strike c"])
    assert result.suffered == (5, 6)
    assert "block nc" not in answers.asked[2].open_keys, "a normal success does not cancel a critical one"  # type: ignore[attr-defined]
    result, _ = duel([(6, 1), (6, 1)], ["block cc"])
    assert result.suffered == (0, 0)


@pytest.mark.rule("KT24-FIGHT-SEQ")
def test_blocking_with_nothing_to_cancel_is_allowed() -> None:
    result, _ = duel([(4, 4), (1, 1)], ["block n-", "strike n"])
    assert result.suffered == (0, 3)


@pytest.mark.rule("KT24-FIGHT-SEQ")
def test_the_fight_ends_when_someone_is_incapacitated() -> None:
    result, _ = duel([(6, 4), (6, 6)], ["strike c"], wounds=(12, 5))
    assert result.suffered == (0, 5)
    result, _ = duel([(6, 4), (6, 6)], ["strike c", "strike c", "strike n"], wounds=(12, 6))
    assert result.suffered == (5, 8)


@pytest.mark.rule("KT24-FIGHT-SEQ")
def test_when_one_is_out_of_dice_the_other_resolves_all_its_own() -> None:
    result, _ = duel([(4, 4, 4), (4,)], ["strike n", "strike n", "strike n", "strike n"])
    assert result.suffered == (3, 9)


@pytest.mark.rule("KT24-SIMUL")
def test_rerolls_alternate_initiative_first_until_both_pass_in_a_row() -> None:
    choose = {"reroll": ["keep", "Relentless 1", "Relentless 1", "keep", "keep"]}
    dice = [(1, 4), (1, 4), (4,), (4,)]
    hands = (
        hand("Relentless", atk=2, hit=4, damage=(3, 5)),
        hand("Relentless", atk=2, hit=4, damage=(3, 5), side="blue", operative="b", target="a"),
    )
    answers = Answers(dice, {**choose, "resolve": ["strike n"] * 4})
    run(fight(Duel(hands, (20, 20), first_to_reroll=1), KT24.duel_stages), answers)
    seats = [decision.seat for decision in answers.asked if decision.topic == "reroll"]
    assert seats == ["blue", "red", "blue", "red", "blue"], "blue has the initiative; a pass is not final"


@pytest.mark.rule("KT24-FIGHT")
def test_fight_needs_an_enemy_in_control_range() -> None:
    battle = Field().add("a", "red", (3, 3)).add("b", "blue", (5.01, 3)).battle()
    assert Fight().refusal(battle, battle.state.operatives["a"]) == "Fight: no enemy in control range."
    battle = Field().add("a", "red", (3, 3)).add("b", "blue", (5, 3)).battle()
    assert Fight().refusal(battle, battle.state.operatives["a"]) is None


@pytest.mark.rule("KT24-FIGHT-SEQ")
def test_without_a_melee_weapon_nothing_is_rolled() -> None:
    field = Field().add("a", "red", (3, 3), CLUB).add("b", "blue", (5, 3), RIFLE)
    game = field.act("a", Fight(), dice=[(4, 1, 1, 1)], choose={"resolve": "strike n"})
    assert game.state.operatives["b"].wounds == 7


@pytest.mark.rule("KT24-FIGHT-SEQ")
def test_who_cannot_retaliate_rolls_nothing() -> None:
    class Dazed(Rule):
        def forbids_retaliation(self, battle: Any, who: Any) -> bool:
            return bool(who.id == "b")

    field = Field(Dazed()).add("a", "red", (3, 3)).add("b", "blue", (5, 3))
    field.act("a", Fight(), dice=[(1, 1, 1, 1)])


@pytest.mark.rule("KT24-FIGHT")
def test_both_choose_a_weapon_and_an_enemy_is_chosen() -> None:
    field = (
        Field().add("a", "red", (3, 3), CLUB, melee()).add("b", "blue", (5, 3), CLUB, melee()).add("c", "blue", (3, 5))
    )
    answers = Answers([(1, 1, 1, 1)] * 2, {"enemy": "b", "melee weapon": ["blade", "club"]})
    field.play(acting("a", Fight()), answers)
    assert [(d.topic, d.seat) for d in answers.asked[:3]] == [
        ("enemy", "red"),
        ("melee weapon", "red"),
        ("melee weapon", "blue"),
    ]


# -- markers -----------------------------------------------------------------------------------------


@pytest.mark.rule("KT24-MARKER")
def test_control_by_the_greater_sum_of_apl() -> None:
    field = Field().add("a", "red", (3, 3), apl=3).add("b", "blue", (6, 3)).marker("m", (4.5, 3))
    battle = field.battle()
    assert battle.controller(battle.state.markers["m"]) == "red"
    field.add("c", "blue", (4.5, 4.8), apl=1)
    assert field.battle().controller(field.state.markers["m"]) is None, "3 against 3"
    field.state.operatives["c"].y = 5600
    assert field.battle().controller(field.state.markers["m"]) == "red", "C does not contest from there"
    field.state.effects.append(Effect("Daze", "X", "battle", "a", stat="apl", amount=-1))
    assert field.battle().controller(field.state.markers["m"]) is None


@pytest.mark.rule("KT24-MARKER")
def test_control_changes_between_actions_only() -> None:
    field = Field().add("a", "red", (3, 3)).add("b", "blue", (8, 3)).marker("m", (6.5, 3), controller="blue")
    game = field.game(acting("a", Charge()))
    game.submit((at(6, 3),))
    assert game.state.markers["m"].controller is None
    assert story(game)[-1] == "Nobody controls m now."


@pytest.mark.rule("KT24-MARKER")
@pytest.mark.parametrize(("stunned", "controller"), [("a", None), ("b", "red")])
def test_control_is_settled_when_a_changed_apl_ends(stunned: str, controller: str | None) -> None:
    """A is activated: its own Stun ends with that, B's does not."""
    field = Field().add("a", "red", (5, 5)).add("b", "blue", (8.2, 5)).marker("m", (6.6, 5))
    field.state.effects = [Effect("Stun", "KT24-W-STUN", "next-activation", stunned, stat="apl", amount=-1)]

    def procedure(battle: Battle) -> Steps[None]:
        yield from settle_control(battle)
        assert battle.state.markers["m"].controller == ("blue" if stunned == "a" else "red")
        yield from activation(battle, battle.state.operatives["a"])

    game = field.play(procedure, Answers(choose={"action": "pass"}))
    assert game.state.markers["m"].controller == controller


@pytest.mark.rule("KT24-MARKER")
@pytest.mark.parametrize(("until", "controller"), [("turning-point", None), ("battle", "red")])
def test_control_is_settled_when_the_turning_points_effects_end(until: Until, controller: str | None) -> None:
    field = Field().add("a", "red", (5, 5)).add("b", "blue", (8.2, 5)).marker("m", (6.6, 5), controller="red")
    field.state.effects = [Effect("Drive", "X", until, side="red", stat="apl", amount=1)]
    assert field.play(turn_end).state.markers["m"].controller == controller


@pytest.mark.rule("KT24-MARKER")
def test_a_carrier_alone_contests_and_controls() -> None:
    field = Field().add("a", "red", (3, 3), apl=1).add("b", "blue", (4.2, 3), apl=3)
    field.marker("m", (3, 3), carrier="a")
    assert field.battle().controller(field.state.markers["m"]) == "red"


@pytest.mark.rule("KT24-PICKUP")
def test_pick_up() -> None:
    field = Field().add("a", "red", (3, 3)).add("b", "blue", (15, 3))
    field.marker("m", (4, 3), can_be_picked_up=True, controller="red").marker("fixed", (3, 4), controller="red")
    game = field.act("a", PickUp())
    assert game.state.markers["m"].carrier == "a"
    field.state = game.state
    battle = field.battle()
    assert PickUp().refusal(battle, battle.state.operatives["a"]) == "Pick Up Marker: already carrying a marker."


@pytest.mark.rule("KT24-PICKUP")
def test_pick_up_needs_control_and_no_enemy_near() -> None:
    field = Field().add("a", "red", (3, 3)).add("b", "blue", (15, 3))
    field.marker("m", (4, 3), can_be_picked_up=True, controller="blue")
    battle = field.battle()
    who = battle.state.operatives["a"]
    assert PickUp().refusal(battle, who) == "Pick Up Marker: controls no marker that may be picked up."
    field.state.markers["m"].controller = "red"
    assert PickUp().refusal(battle, who) is None
    field.state.operatives["b"].x = 5000
    assert PickUp().refusal(battle, who) == "Pick Up Marker: not while within B's control range: Fight or Fall Back."


@pytest.mark.rule("KT24-PLACE")
def test_place_within_control_range_and_not_after_pick_up() -> None:
    field = Field().add("a", "red", (3, 3)).add("b", "blue", (15, 3)).marker("m", (0, 0), carrier="a")
    game = field.game(acting("a", PlaceMarker()))
    assert isinstance(game.pending, Place)
    assert game.pending.check(at(4.894, 3)) is None
    assert game.pending.check(at(4.895, 3)) == "The marker would not be within A's control range."
    assert game.pending.check(at(0.2, 3)) == "The marker would not be on the board."
    game.submit(at(4, 3))
    assert game.state.markers["m"].carrier is None
    assert game.state.markers["m"].point == at(4, 3)
    field.state.activation = game.state.activation
    assert field.state.activation is not None
    field.state.activation.actions.append("Pick Up Marker")
    battle = field.battle()
    assert PlaceMarker().refusal(battle, battle.state.operatives["a"]) == "Place Marker: not after Pick Up Marker."


@pytest.mark.rule("KT24-PLACE")
def test_a_marker_lies_on_something_and_in_nothing() -> None:
    roof = part("ruin", "floor", (5, 5, 2.8), (9, 9, 3), "vantage", "heavy")
    step = part("step", "block", (20, 5, 0), (24, 9, 0.5), "vantage", "heavy")
    wall = part("wall", "w", (14, 8, 0), (14.3, 12, 3), "heavy")
    ground = Ground(on=terrain(roof, step, wall)).add("a", "red", (8.4, 7), level=3000)
    ground.add("b", "red", (13.3, 9)).add("c", "red", (23.4, 7), level=500)
    battle = ground.ready
    marker = MarkerState("m", "mission", 0, 0, 0, 394, True)

    def why(who: str, x: float, y: float, z: float) -> str | None:
        return refuses_marker(battle, battle.state.operatives[who], marker, (milli(x), milli(y), milli(z)))

    assert why("a", 8.5, 7, 3) is None
    assert "neither on the floor" in (why("a", 9.7, 7, 3) or ""), "over the edge"
    assert why("b", 13.5, 9, 0) is None
    assert why("b", 14.1, 9, 0) == "The marker would be in wall/w."
    assert why("c", 23.4, 7.5, 0.5) is None
    assert why("c", 24.5, 7, 0) is None, "the floor beside the step is in control range too"
    assert why("c", 25.9, 7, 0) == "The marker would not be within C's control range."


@pytest.mark.rule("KT24-CARRY0")
def test_an_incapacitated_carrier_places_its_marker_first() -> None:
    field = Field().add("a", "red", (3, 3)).add("b", "blue", (15, 3), wounds=1).marker("m", (0, 0), carrier="b")
    game = field.act("a", Shoot(), dice=[(3, 1, 1, 1), (1, 1, 1)], choose={"place marker": [at(15, 4)]})
    order = [type(event) for event in game.events if isinstance(event, (Wounded, MarkerPlaced, Removed))]
    assert order == [Wounded, MarkerPlaced, Removed]
    assert game.state.markers["m"].point == at(15, 4)
    assert "B: Place Marker (free)." in story(game)


class Grudge(Action):
    """A last action of our own invention."""

    name, id = "Grudge", "X"

    def refusal(self, battle: Any, who: Any) -> str | None:
        return None

    def perform(self, battle: Any, who: Any) -> Any:
        yield Wounded("a", 1, "Grudge", who.id)


class LastWord(Rule):
    def last_action(self, battle: Any, who: Any) -> Action | None:
        return Grudge()


class Spite(Grudge):
    name = "Spite"


class SecondWord(Rule):
    def last_action(self, battle: Any, who: Any) -> Action | None:
        return Spite()


@pytest.mark.rule("KT24-CARRY0")
def test_at_most_one_free_action_before_removal() -> None:
    field = Field(LastWord(), SecondWord()).add("a", "red", (3, 3)).add("b", "blue", (15, 3), wounds=1)
    answers = Answers(choose={"last action": "Grudge"})

    def procedure(battle: Any) -> Any:
        yield Wounded("b", 1, "test", "a")
        yield from remove_incapacitated(battle)

    game = field.play(procedure, answers)
    assert game.state.operatives["a"].wounds == 9
    assert game.state.operatives["b"].is_removed
    assert answers.topics == ["last action"]


@pytest.mark.rule("KT24-CARRY0")
def test_whom_a_last_action_incapacitates_leaves_too_after_its_own() -> None:
    field = Field(LastWord()).add("a", "red", (3, 3), wounds=1).add("b", "blue", (15, 3), wounds=1)
    answers = Answers(choose={"last action": ["Grudge", "none"]})

    def procedure(battle: Any) -> Any:
        yield Wounded("b", 1, "test", "a")
        yield from remove_incapacitated(battle)

    game = field.play(procedure, answers)
    assert [event.operative for event in game.events if isinstance(event, Removed)] == ["b", "a"]
    assert [question.seat for question in answers.asked] == ["blue", "red"]


@pytest.mark.rule("KT24-CANCEL")
def test_a_last_action_that_cannot_be_completed_has_not_happened_and_its_operative_leaves() -> None:
    class Faint(Grudge):
        def perform(self, battle: Any, who: Any) -> Any:
            yield Wounded("a", 1, "Grudge", who.id)
            raise Impossible("Grudge: too weak.")

    class FaintWord(Rule):
        def last_action(self, battle: Any, who: Any) -> Action | None:
            return Faint()

    field = Field(FaintWord()).add("a", "red", (3, 3)).add("b", "blue", (15, 3), wounds=1)

    def procedure(battle: Any) -> Any:
        yield Wounded("b", 1, "test", "a")
        yield from remove_incapacitated(battle)

    game = field.play(procedure, Answers(choose={"last action": "Grudge"}))
    assert game.state.operatives["a"].wounds == 10
    assert game.state.operatives["b"].is_removed


@pytest.mark.rule("KT24-SIMUL")
def test_the_player_with_initiative_orders_what_happens_at_once() -> None:
    field = Field(LastWord()).add("a", "red", (3, 3)).add("b", "blue", (15, 3)).add("c", "blue", (15, 6))
    field.state.initiative = "blue"

    def procedure(battle: Any) -> Any:
        yield Wounded("b", 10, "test", "a")
        yield Wounded("c", 10, "test", "a")
        yield from remove_incapacitated(battle)

    answers = Answers(choose={"which first": "1 C", "last action": ["none", "none"]})
    game = field.play(procedure, answers)
    assert [event.operative for event in game.events if isinstance(event, Removed)] == ["c", "b"]
    assert answers.asked[0].seat == "blue"


@pytest.mark.rule("KT24-SIMUL")
def test_in_order_asks_until_one_is_left() -> None:
    def effect(name: str) -> Any:
        yield Told(name)
        return name

    answers = Answers(choose={"which first": ["2 z", "0 x"]})
    result, events = run(in_order("red", "?", [(name, effect(name)) for name in "xyz"]), answers)
    assert result == ["z", "x", "y"]
    assert [event.text for event in events] == ["z", "x", "y"]  # type: ignore[attr-defined]


# -- precedence --------------------------------------------------------------------------------------


@pytest.mark.rule("KT24-PREC")
def test_precedence_in_its_order() -> None:
    core_can, core_cannot = Claim(True, "can"), Claim(False, "cannot")
    assert refusal([core_can, core_cannot]) == "cannot"
    outside = Claim(True, "team rule", Precedence(is_outside_core=True))
    assert refusal([core_cannot, outside]) is None
    outside_cannot = Claim(False, "team rule forbids", Precedence(is_outside_core=True))
    assert refusal([outside, outside_cannot]) == "team rule forbids"
    commentary = Claim(True, "commentary", Precedence(is_commentary=True))
    assert refusal([outside_cannot, commentary]) is None
    says_so = Claim(False, "takes precedence", Precedence(says_so=True))
    assert refusal([commentary, says_so]) == "takes precedence"
    assert refusal([]) is None


@pytest.mark.rule("KT24-PREC")
def test_a_rule_in_force_can_lift_a_core_refusal() -> None:
    class Bold(Rule):
        def claim(self, battle: Any, who: Any, action: Action) -> Claim | None:
            allowed = action.name == "Charge" and who.id == "a"
            return Claim(True, "bold", Precedence(is_outside_core=True)) if allowed else None

    field = Field(Bold()).add("a", "red", (3, 3), order="conceal").add("c", "red", (3, 9), order="conceal")
    battle = field.add("b", "blue", (20, 3)).battle()
    assert refuses(battle, battle.state.operatives["a"], Charge()) is None
    assert refuses(battle, battle.state.operatives["c"], Charge()) == "Charge: not on a Conceal order."


# -- targets -----------------------------------------------------------------------------------------


@pytest.mark.rule("KT24-SAMEFEATURE")
def test_the_defender_chooses_cover_or_obscured() -> None:
    for chosen, dice in (("cover", [(3, 3, 1, 1), (1, 1)]), ("obscured", [(3, 3, 1, 1), (1, 1, 1)])):
        field = Field().add("a", "red", (3, 3)).add("b", "blue", (15, 3))
        field.table.rulings[("a", "b")] = {"in_cover": True, "is_obscured": True, "defender_chooses": True}
        game = field.act("a", Shoot(), dice=dice, choose={"cover or obscured": chosen})
        assert game.state.operatives["b"].wounds == 7


@pytest.mark.rule("KT24-SAMEFEATURE")
def test_both_apply_from_different_features() -> None:
    field = Field().add("a", "red", (3, 3)).add("b", "blue", (15, 3))
    field.table.rulings[("a", "b")] = {"in_cover": True, "is_obscured": True}
    game = field.act("a", Shoot(), dice=[(3, 3, 1, 1), (1, 1)])
    assert game.state.operatives["b"].wounds == 10


@pytest.mark.rule("SIGHT-14")
def test_the_shooter_chooses_among_outcomes() -> None:
    from ktsim.rules.engine.table import TargetRuling

    field = Field().add("a", "red", (3, 3)).add("b", "blue", (15, 3))
    other = TargetRuling(is_obscured=True, distance=11.0)
    field.table.rulings[("a", "b")] = {"in_cover": True, "alternatives": (other,)}
    game = field.act("a", Shoot(), dice=[(3, 3, 1, 1), (1, 1, 1)], choose={"origin": "1"})
    assert game.state.operatives["b"].wounds == 7


@pytest.mark.rule("KT24-VALID")
def test_conceal_in_cover_is_no_target_engage_is() -> None:
    for order, is_cancelled in (("conceal", True), ("engage", False)):
        field = Field().add("a", "red", (3, 3)).add("b", "blue", (15, 3), order=order)
        field.table.rulings[("a", "b")] = {"in_cover": True}
        game = field.act("a", Shoot(), dice=[] if is_cancelled else [(3, 1, 1, 1), (1, 1)])
        assert ("cancels" in story(game)[-1]) is is_cancelled


@pytest.mark.rule("KT24-VANTAGE-1")
def test_accurate_from_vantage() -> None:
    field = Field().add("a", "red", (3, 3)).add("b", "blue", (15, 3))
    field.table.rulings[("a", "b")] = {"accurate": 2}
    game = field.act("a", Shoot(), dice=[(1, 1), (1, 1, 1)])
    assert game.state.operatives["b"].wounds == 4


@pytest.mark.rule("KT24-VANTAGE-2")
@pytest.mark.parametrize(
    ("chosen", "dice"), [("critical", (1, 1)), ("one more", (1,)), ("1", (1, 1)), ("0", (1, 1, 1))]
)
def test_improved_cover_save(chosen: str, dice: tuple[int, ...]) -> None:
    field = Field().add("a", "red", (3, 3), ranged("Seek")).add("b", "blue", (15, 3), order="conceal")
    field.table.rulings[("a", "b")] = {"in_cover": True, "is_improved": True}
    game = field.act("a", Shoot(), dice=[(6, 3, 1, 1), dice], choose={"cover": chosen})
    wanted = {"critical": 7, "one more": 7, "1": 6, "0": 3}[chosen]
    assert game.state.operatives["b"].wounds == wanted


def test_settling_control_tells_only_changes() -> None:
    field = Field().add("a", "red", (3, 3)).marker("m", (4, 3), controller="red")
    assert field.play(settle_control).events == []


@pytest.mark.rule("KT24-SMOKE")
@pytest.mark.rule("KT24-W-PIERCING")
def test_smoke_takes_piercing_away() -> None:
    for is_smoke, defence in ((True, (1, 1, 1)), (False, (1, 1))):
        field = Field().add("a", "red", (3, 3), ranged("Piercing 1", "Piercing Crits 1")).add("b", "blue", (15, 3))
        field.table.rulings[("a", "b")] = {"blunts_piercing": is_smoke}
        field.act("a", Shoot(), dice=[(6, 1, 1, 1), defence])


@pytest.mark.rule("KT24-W-DEVASTATING")
@pytest.mark.parametrize(("distance", "apart", "is_hurt"), [("1", 2.0, True), ("0.5", 2.0, False), ("0.5", 1.5, True)])
def test_devastating_with_a_distance_may_end_the_fight_for_its_user(distance: str, apart: float, is_hurt: bool) -> None:
    """Bases of 1": they stand 1" or half an inch from each other."""
    blade = melee(f'{distance}" Devastating 3', atk=2)
    field = Field().add("a", "red", (5, 5), blade, wounds=3).add("b", "blue", (5 + apart, 5), wounds=20)
    resolve = [] if is_hurt else ["strike c", "strike n"]
    game = field.act("a", Fight(), dice=[(6, 4), (5, 1, 1, 1)], choose={"resolve": resolve})
    assert game.state.operatives["a"].is_removed
    assert game.state.operatives["b"].wounds == (17 if is_hurt else 13)
