"""Team rules about setting up again, the middle of sequences, what went before, markers that lie about: each with the
case just outside it."""

from __future__ import annotations

from typing import Any

import pytest
from engine_help import Answers, Field, acting, at, melee, ranged
from language_help import activating, gambit, ground
from team_help import who

from ktsim.rules.engine.action import refuses
from ktsim.rules.engine.activation import perform
from ktsim.rules.engine.attack import Attack
from ktsim.rules.engine.battle import Battle
from ktsim.rules.engine.decisions import Steps
from ktsim.rules.engine.fight.combat import make_duel
from ktsim.rules.engine.operative_events import ActivationBegan, MarkerTaken
from ktsim.rules.engine.shoot.targets import rule_on, target_refusal
from ktsim.rules.engine.weapons import make_hand
from ktsim.rules.kt24.fight import Fight
from ktsim.rules.kt24.moves import Charge, Dash, FallBack, Reposition
from ktsim.rules.kt24.shoot import Shoot


def three(*written: str, x: float = 10, **more: Any) -> Field:
    """A and B of red, C of blue."""
    made = ground(*written, **more).add("a", "red", (3, 5), ranged(), melee())
    return made.add("b", "red", (6, 5), ranged(), melee()).add("c", "blue", (x, 5), ranged(), melee())


def turn(made: Field, id: str, *actions: Any, dice: Any = (), answers: Answers | None = None, **choose: Any) -> Any:
    """An activation in which these actions are performed."""
    answers = answers or Answers(dice, {name.replace("_", " "): value for name, value in choose.items()})

    def procedure(battle: Battle) -> Steps[None]:
        one = battle.state.operatives[id]
        yield ActivationBegan(id, "activation", one.order, 3)
        for rule in battle.in_turn("activation_begins"):
            yield from rule.activation_begins(battle, one)
        for action in actions:
            yield from perform(battle, one, action, action.ap)

    return made.play(procedure, answers)


# -- setting up again --------------------------------------------------------------------------------

FLY = "of: a, name: Fly, on: {doing: [move]}, may: true, do: [{relocate: true, own-move: true, dash: 3, "
FLY += "horizontally: true, no-engage: true}]"


@pytest.mark.parametrize(
    ("action", "place", "is_there"),
    [
        (Reposition(), (8.9, 2.8), True),  # as far as its Move, whatever is in between
        (Reposition(), (9.1, 2.8), False),
        (Reposition(), (8.5, 5), False),  # in C's control range
        (Dash(), (6, 7), False),
        (Dash(), (5, 7), True),
        (Charge(), (8.5, 5), True),
        (Charge(), (8, 2), False),  # nobody is near
    ],
)
def test_being_set_up_again_instead_of_moving(action: Any, place: tuple[float, float], is_there: bool) -> None:
    answers = Answers([], {"team option": "set up"})
    made = three(FLY)
    made.state.operatives["a"].y = 2800 if place[1] == 2.8 else 5000
    turn(made, "a", action, answers=answers)
    (asked,) = [each for each in answers.asked if each.topic == "relocate"]
    assert (asked.check(at(*place)) is None) is is_there


@pytest.mark.parametrize(
    ("level", "words", "is_too_far"), [(0, "", False), (3, "", True), (3, "horizontally: true, ", False)]
)
def test_a_place_to_be_set_up_at_is_as_far_as_the_text_measures(level: int, words: str, is_too_far: bool) -> None:
    answers = Answers([], {"team option": "set up"})
    made = three(f"of: a, name: Fly, on: {{doing: [Dash]}}, may: true, do: [{{relocate: 4, {words}no-engage: true}}]")
    turn(made, "a", Dash(), answers=answers)
    (asked,) = [each for each in answers.asked if each.topic == "relocate"]
    assert ("from where it was" in (asked.check((*at(3, 9)[:2], 1000 * level)) or "")) is is_too_far


@pytest.mark.parametrize(("extra", "most", "far"), [(0, 3, 3), (1, 3, 3), (1, 9, 4)])
def test_who_moves_further_is_set_up_further_but_for_a_move_that_is_shorter(extra: int, most: int, far: float) -> None:
    fly = "of: a, name: Fly, on: {doing: [move]}, may: true, do: [{relocate: true, own-move: true, dash: 3}]"
    more = f"of: a, name: More, on: {{doing: [Dash]}}, do: [{{move-extra: {extra}}}]"
    urge = f"of: a, name: Urge, action: 1AP, on: used, do: [{{free-action: [Dash], most: {most}, who: self}}]"

    def procedure(battle: Battle) -> Steps[None]:
        one = battle.state.operatives["a"]
        yield ActivationBegan("a", "activation", "engage", 2)
        yield from perform(battle, one, next(each for each in battle.actions(one) if each.name == "Urge"), 1)

    answers = Answers([], {"team option": "set up", "free action": "Dash"})
    three(fly, *([more] if extra else []), urge).play(procedure, answers)
    (asked,) = [each for each in answers.asked if each.topic == "relocate"]
    assert f'within {far:g}"' in asked.prompt


def test_who_is_set_up_again_has_moved() -> None:
    game = turn(three(FLY), "a", Reposition(), team_option="set up", relocate=at(5, 9))
    assert who(game, "a").point == at(5, 9)
    assert game.state.activation is not None
    assert game.state.activation.moves == ["Reposition"]


def test_who_does_not_fly_walks() -> None:
    game = turn(three(FLY), "a", Dash(), team_option="move", move=(at(5, 6),))
    assert who(game, "a").point == at(5, 6)


# -- moves -------------------------------------------------------------------------------------------


def test_the_rest_of_a_charge() -> None:
    says = "of: a, name: X, on: always, do: [{allow: [Dash], after: [Charge], leftover: 3}]"
    made = three(says, x=9)
    game = turn(made, "a", Charge(), move=(at(7.2, 5.6),))
    battle, one = game.battle, who(game, "a")
    assert Dash().limited(battle, one).allowance == 3  # 5" of 8"
    far = turn(three(says, x=11), "a", Charge(), move=(at(5, 7), at(9.3, 5.8)))
    assert Dash().limited(far.battle, who(far, "a")).allowance < 2


def test_inches_more_for_some_moves() -> None:
    made = three("of: a, name: X, on: {doing: [Charge, Dash]}, do: [{move-extra: 1}]")
    battle = made.game(acting("a")).battle
    one = battle.state.operatives["a"]
    assert [each.limited(battle, one).allowance for each in (Dash(), Charge(), Reposition())] == [4, 9, 6]


def test_who_shoots_twice_because_it_stays_cannot_move_then() -> None:
    says = "of: a, name: X, on: always, who: {is: friend, that: [{not: [{moved: true, during: activation}]}]}, "
    says += "do: [{allow: [Shoot], times: 2}]"
    game = turn(three(says), "a", Shoot(), Shoot(), dice=[(1,) * 4, (1,) * 3] * 2)
    assert "does not move" in (refuses(game.battle, who(game, "a"), Dash()) or "")
    once = turn(three(says), "a", Shoot(), dice=[(1,) * 4, (1,) * 3])
    assert refuses(once.battle, who(once, "a"), Dash()) is None


# -- free actions ------------------------------------------------------------------------------------


def test_two_shots_with_two_weapons() -> None:
    says = "of: a, name: Barrage, action: 1AP, do: [{free-action: [Shoot], regardless: true, times: 2, "
    says += "weapons-each: [gun, pistol], who: self}]"
    made = ground(says).add("a", "red", (3, 5), ranged(), ranged(key="pistol"))
    made.add("c", "blue", (9, 5), ranged())

    def procedure(battle: Battle) -> Steps[None]:
        one = battle.state.operatives["a"]
        yield ActivationBegan("a", "activation", "engage", 2)
        yield from perform(battle, one, next(each for each in battle.actions(one) if each.name == "Barrage"), 1)

    answers = Answers([(1,) * 4, (1,) * 3] * 2, {"free action": ["Shoot with gun", "Shoot with pistol"]})
    game = made.play(procedure, answers)
    assert game.state.activation is not None
    assert game.state.activation.actions == ["Barrage", "Shoot", "Shoot"]
    offered = [[o.key for o in each.options] for each in answers.asked if each.topic == "free action"]  # type: ignore[attr-defined]
    assert offered == [["Shoot with gun", "Shoot with pistol", "none"], ["Shoot with pistol", "none"]]


def test_a_free_dash_that_ends_closer_to_somebody() -> None:
    says = "id: go, name: Go, ploy: strategy, cost: 0, do: [{pick: friend, all: true}, "
    says += "{free-action: [Dash], who: picked, any-order: true, closer-to: [closest enemy]}]"
    made = ground(says).add("a", "red", (3, 5)).add("c", "blue", (10, 5))
    answers = Answers([], {"free action": "Dash", "move": (at(5, 5),)})
    game = gambit(made, "go", answers=answers)
    assert who(game, "a").point == at(5, 5)
    (asked,) = [each for each in answers.asked if each.topic == "move"]
    assert asked.check((at(2, 5),)) is not None


# -- the middle of a sequence ------------------------------------------------------------------------


def fight(made: Field, *dice: tuple[int, ...], **choose: Any) -> Any:
    return made.play(acting("a", Fight()), Answers(list(dice), choose))


def duel(*written: str, side: Any = "red", cp: int = 2) -> Field:
    made = ground(*written, side=side, cp=cp).add("a", "red", (5, 5), ranged(), melee())
    return made.add("b", "blue", (6.5, 5), ranged(), melee())


def test_damage_as_the_dice_are_about_to_be_rolled() -> None:
    says = "of: a, name: Spark, on: {doing: [Fight]}, may: true, do: [{damage: 1, who: foe}]"
    game = fight(duel(says), (1,) * 4, (1,) * 4, ploy="spark#0 a")
    assert who(game, "b").wounds == 9
    made = duel(says)
    made.state.operatives["b"].wounds = 1
    assert who(fight(made, ploy="spark#0 a"), "b").wounds == 0  # nobody rolls any more


def test_a_last_strike_for_cp() -> None:
    says = "id: rage, name: Rage, ploy: firefight, cost: 1, on: incapacitated, who: friend, "
    says += "if: [{did: [fighting, retaliating], during: sequence}], may: true, do: [strike]"
    for cp, wounds in ((1, 7), (0, 10)):
        made = duel(says, side="blue", cp=cp)
        made.state.operatives["b"].wounds = 3
        choose = {"resolve": "strike n"} | ({"last strike": "strike n"} if cp else {})
        game = fight(made, (4, 1, 1, 1), (5, 1, 1, 1), **choose)
        assert (who(game, "a").wounds, game.state.cp["blue"]) == (wounds, 0)


def test_results_below_six_are_not_critical_once_that_is_said() -> None:
    says = "of: b, name: Shield, on: {rolled: attack, by: foe}, limit: once per turning-point, may: true, "
    says += "do: [{no-critical-below: 6, who: foe}]"
    made = duel(says, side="blue").add("a", "red", (5, 5), melee("Lethal 5+"))
    for answer, wounds in (("shield#0 b", 7), ("no", 6)):
        game = fight(made, (5, 1, 1, 1), (1, 1, 1, 1), ploy=answer, resolve=["strike n" if wounds == 7 else "strike c"])
        assert who(game, "b").wounds == wounds


def test_a_block_with_some_weapons_only() -> None:
    says = "of: b, name: X, on: [fighting, retaliating], if: [{weapon: [blade]}], do: [{block: two}]"
    made = duel(says, side="blue")
    battle = made.battle()
    a, b = battle.state.operatives["a"], battle.state.operatives["b"]
    weapon = next(each for each in battle.card(b).weapons if each.kind == "melee")
    hands = [
        make_hand(battle, Attack(one, weapon, (), battle.hit(one, weapon), other)) for one, other in ((a, b), (b, a))
    ]
    assert make_duel(battle, (a, hands[0]), (b, hands[1])).blocks[1] == ("two",)
    other = [hand._replace(weapon="") for hand in hands]
    assert make_duel(battle, (a, other[0]), (b, other[1])).blocks[1] == ()


def test_who_retaliates_first_for_the_first_time() -> None:
    says = "of: b, name: X, on: retaliating, if: [{first-time: turning-point}, ready], do: [resolve-first]"
    made = duel(says, side="blue")
    made.state.operatives["b"].is_ready = True
    game = fight(made, (4, 1, 1, 1), (4, 1, 1, 1), resolve=["block nn"])
    assert (who(game, "a").wounds, who(game, "b").wounds) == (10, 10)
    made.state.effects = list(game.state.effects)
    game = fight(made, (4, 1, 1, 1), (4, 1, 1, 1), resolve=["strike n", "strike n"])
    assert (who(game, "a").wounds, who(game, "b").wounds) == (7, 7)


def shot(made: Field, *dice: tuple[int, ...], **choose: Any) -> Any:
    return made.play(acting("a", Shoot()), Answers(list(dice), choose))


def at_range(*written: str, cp: int = 2, weapon: Any = None) -> Field:
    made = ground(*written, side="blue", cp=cp).add("a", "red", (3, 5), weapon or ranged())
    return made.add("b", "blue", (14, 5), ranged())


def test_piercing_made_worse_once() -> None:
    says = "of: b, name: Mist, on: shot-at, foe: anyone, limit: once per turning-point, may: true, "
    says += "do: [{weaken-rule: Piercing, by: 1}]"
    made = at_range(says, weapon=ranged("Piercing 1"))
    game = shot(made, (5, 1, 1, 1), (5, 1, 1), ploy="mist#0 b")
    assert who(game, "b").wounds == 10
    game = shot(made, (5, 1, 1, 1), (1, 1), ploy="no")
    assert who(game, "b").wounds == 7
    answers = Answers([(5, 1, 1, 1), (1, 1, 1)], {})
    at_range(says).play(acting("a", Shoot()), answers)
    assert all(each.topic != "ploy" for each in answers.asked)  # there is nothing to make worse


def test_critical_successes_become_normal_ones() -> None:
    says = (
        "id: tough, name: Tough, ploy: firefight, cost: 1, on: shot-at, who: friend, foe: anyone, do: [downgrade-all]"
    )
    game = shot(at_range(says), (6, 1, 1, 1), (1, 1, 1), ploy="tough#0")
    assert (who(game, "b").wounds, game.state.cp["blue"]) == (7, 1)


def test_a_defence_die_with_a_result_is_a_success() -> None:
    says = "of: b, name: Vest, on: shot-at, foe: anyone, may: true, "
    says += "do: [{convert: result, result: 3, of: defence, to: normal}]"
    assert who(shot(at_range(says), (5, 1, 1, 1), (3, 1, 1), convert="yes"), "b").wounds == 10
    assert who(shot(at_range(says), (5, 1, 1, 1), (2, 1, 1)), "b").wounds == 7


def test_one_of_two_ways_to_retain_a_die() -> None:
    says = "of: b, name: Guide, on: shot-at, foe: anyone, may: true, do: [{choose: [{convert: fail, to: normal}, "
    says += "{convert: normal, to: critical}]}]"
    answers = Answers([(5, 5, 1, 1), (4, 1, 1)], {"convert": "yes"})
    at_range(says).play(acting("a", Shoot()), answers)
    assert sum(each.topic == "convert" for each in answers.asked) == 1


# -- what went before --------------------------------------------------------------------------------


@pytest.mark.parametrize(("order", "has"), [("conceal", ["Rending"]), ("engage", [])])
def test_an_order_changed_as_it_is_activated(order: Any, has: list[str]) -> None:
    says = "of: a, name: X, on: activated, if: [{changed-order: engage}], do: [{grant: [Rending]}], until: activation"
    made = three(says)
    made.state.operatives["a"].order = order
    made.state.operatives["a"].is_ready = True
    seen: list[str] = []

    def watched(battle: Battle) -> Steps[None]:
        steps = activating("a")(battle)
        answer = None
        while True:
            try:
                step = steps.send(answer)
            except StopIteration:
                return
            if getattr(step, "topic", "") == "action":
                seen[:] = [rule.text for rule in battle.weapon_rules(battle.state.operatives["a"], ranged())]
            answer = yield step

    made.play(watched, Answers([], {"order": "engage", "action": "pass"}))
    assert seen == has


@pytest.mark.parametrize(("to", "has"), [((5.9, 5.5), ["Ceaseless"]), ((3, 9), [])])
def test_not_moved_further_than_that(to: tuple[float, float], has: list[str]) -> None:
    says = "of: a, name: X, on: shooting, if: [{not: [{moved: true, during: activation, more-than: 3}]}], "
    says += "do: [{grant: [Ceaseless]}]"
    made = ground(says).add("a", "red", (3, 5), ranged()).add("c", "blue", (14, 5))
    game = turn(made, "a", Reposition(), move=(at(*to),))
    rules = game.battle.weapon_rules(who(game, "a"), ranged(), who(game, "c"))
    assert [rule.text for rule in rules] == has


def test_wounds_regained_by_who_has_inflicted_damage() -> None:
    says = "of: a, name: X, on: done, if: [{hurt: true, during: action}], do: [{heal: 1}]"
    for dice, wounds in (((5, 1, 1, 1), 6), ((1, 1, 1, 1), 5)):
        made = ground(says).add("a", "red", (3, 5), ranged()).add("b", "blue", (14, 5))
        made.state.operatives["a"].wounds = 5
        assert who(turn(made, "a", Shoot(), dice=[dice, (1, 1, 1)]), "a").wounds == wounds


def test_an_action_is_not_performed_after_all() -> None:
    says = "of: c, name: Grip, on: {doing: [Fall Back]}, who: enemy, if: [{control-range: self}], may: true, "
    says += "do: [{roll: D6, at: '>=3', do: [{cancel: true, refund: true}]}]"
    for face, spent in ((3, 0), (2, 2)):
        made = ground(says, side="blue").add("a", "red", (3, 5)).add("c", "blue", (4.6, 5))
        moved = {} if face == 3 else {"move": (at(2, 8),)}
        game = turn(made, "a", FallBack(), dice=[(face,)], ploy="grip#0 c", **moved)
        assert game.state.activation is not None
        assert game.state.activation.ap_spent == spent
        assert (refuses(game.battle, who(game, "a"), FallBack()) == "Fall Back: not any more now.") is (face == 3)


def test_a_rule_is_used_once_at_a_moment() -> None:
    made = three("of: a, name: Rest, on: activated, may: true, do: [{heal: 1}]")
    made.state.operatives["a"].wounds = 4
    made.state.operatives["a"].is_ready = True
    answers = Answers([], {"ploy": "rest#0 a", "order": "engage", "action": "pass"})
    assert who(made.play(activating("a"), answers), "a").wounds == 5
    assert answers.topics.count("ploy") == 1


# -- targets -----------------------------------------------------------------------------------------


def refusal(made: Field, target: str = "c") -> str | None:
    battle = made.game(acting("a")).battle
    a, c = battle.state.operatives["a"], battle.state.operatives[target]
    return target_refusal(battle, a, target, rule_on(battle, a, c, ()), ())


@pytest.mark.rule("KT24-VALID")
def test_friends_near_the_target_do_not_matter() -> None:
    made = three("of: a, name: X, on: shooting, do: [shoot-past-friends]", x=7.4)
    assert refusal(made) is None
    assert refusal(three(x=7.4)) == "C: B is within its control range."


@pytest.mark.rule("KT24-VALID")
def test_a_shot_at_who_is_near_only() -> None:
    says = "of: a, name: X, on: always, do: [{allow: [Shoot], while: [control-range], only-foe-engaged: true}]"
    made = ground(says).add("a", "red", (3, 5)).add("c", "blue", (4.5, 5)).add("d", "blue", (9, 5))
    assert refusal(made) is None
    assert refusal(made, "d") == "D: not within its control range."
    made.state.operatives["c"].x = 20000
    assert refusal(made, "d") is None


def test_no_light_terrain_for_cover() -> None:
    made = ground("of: b, name: X, on: always, if: [{order: conceal}], do: [no-light-cover]", side="blue")
    made.add("a", "red", (3, 5)).add("b", "blue", (14, 5))
    battle = made.battle()
    a, b = battle.state.operatives["a"], battle.state.operatives["b"]
    for order, has in (("conceal", ["Seek Light"]), ("engage", [])):
        b.order = order  # type: ignore[assignment]
        assert [rule.text for rule in battle.weapon_rules(a, ranged(), b)] == has


# -- markers -----------------------------------------------------------------------------------------

MINE = "of: a, name: Mine, on: always, do: [{carries: Mine, not-near-enemy: true}, {allow: [Pick Up Marker]}, "
MINE += "{free-action: [Dash], after: [Place Marker]}]"
BOOM = "of: a, name: Boom, on: {near-marker: Mine}, who: {is: anyone, other: true}, "
BOOM += "do: [{remove-marker: Mine}, {damage: 2}, {end: action}]"


def mined(*written: str) -> Any:
    made = three(*written, x=12)
    made.state.turning_point = 1

    def ready(battle: Battle) -> Steps[None]:
        for rule in battle.in_turn("ready_step"):
            yield from rule.ready_step(battle)

    return made, made.play(ready, Answers([], {}))


@pytest.mark.rule("KT24-PICKUP")
def test_a_marker_is_carried_from_the_beginning_and_picked_up_by_its_bearer_only() -> None:
    _, game = mined(MINE)
    (marker,) = game.state.markers.values()
    assert (marker.carrier, marker.owner, marker.kind) == ("a", "red", "Mine")
    rules = game.battle.having("may_pick_up")
    assert [all(rule.may_pick_up(game.battle, who(game, id), marker) for rule in rules) for id in "ab"] == [True, False]
    assert rules[0].refuses_marker_at(game.battle, marker, at(11, 5)) == "The marker would be within C's control range."
    assert rules[0].refuses_marker_at(game.battle, marker, at(8, 5)) is None
    MarkerTaken(marker.id, "b").apply(game.state)


def test_a_marker_goes_off_where_a_move_comes_to_it_and_the_move_ends_there() -> None:
    made, game = mined(MINE, BOOM)
    made.state.markers = dict(game.state.markers)
    (marker,) = made.state.markers.values()
    marker.carrier, marker.x, marker.y, marker.level = None, 9000, 8000, 0
    made.state.operatives["c"].y = 8000
    after = turn(made, "c", Reposition(), move=(at(7, 8),))
    assert (who(after, "c").wounds, after.state.markers) == (8, {})
    assert 9500 < who(after, "c").x < 11500
    own = turn(made, "a", Reposition(), move=(at(8, 8),))
    assert who(own, "a").wounds == 10  # its bearer does not set it off


def test_who_has_left_the_killzone_is_nowhere() -> None:
    says = "of: a, name: X, on: always, do: [{grant: [Ceaseless], if: [{within: 9, of: who, about: {is: friend, "
    says += "other: true}}]}]"
    made = three(says)
    battle = made.battle()
    a, b = battle.state.operatives["a"], battle.state.operatives["b"]
    assert [rule.text for rule in battle.weapon_rules(a, ranged())] == ["Ceaseless"]
    b.is_removed = True
    assert battle.weapon_rules(a, ranged()) == ()


def test_a_ploy_holds_from_when_it_is_used_and_in_that_battle_only() -> None:
    says = "name: Dig In, ploy: strategy, cost: 1, on: always, who: friend, do: [{grant: [Ceaseless]}]"
    battle = three(says).battle()

    def granted(where: Battle) -> list[str]:
        return [rule.text for rule in where.weapon_rules(where.state.operatives["a"], ranged())]

    twin = battle.twin()
    assert (granted(twin), granted(battle)) == ([], [])
    battle.state.ploys_used.append("red:dig-in")
    assert (granted(battle), granted(twin), granted(battle)) == (["Ceaseless"], [], ["Ceaseless"])
    battle.state.ploys_used = []
    assert granted(battle) == []


@pytest.mark.parametrize("x", [8.0, 8.001])
def test_who_is_within_a_distance_is_told_as_by_the_distance(x: float) -> None:
    battle = three(x=x).battle()
    table, state = battle.table, battle.state
    away = table.distance(state, "a", "c")
    limits = [away + more for more in (-1.0, -0.001, 0.0, 0.001, 1.0)]
    assert [table.is_within(state, "a", "c", limit) for limit in limits] == [False, False, True, True, True]
