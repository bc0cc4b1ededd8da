"""Team rules in shooting and fights, each with the case just outside it."""

from __future__ import annotations

from typing import Any

import pytest
from engine_help import Answers, Field, acting, melee, ranged
from language_help import ground, keyword
from team_help import who

from ktsim.rules.engine.attack import Attack
from ktsim.rules.engine.fight.combat import make_duel
from ktsim.rules.engine.operative_events import ActivationBegan
from ktsim.rules.engine.state import Effect
from ktsim.rules.engine.weapons import make_hand
from ktsim.rules.kt24.edition import KT24
from ktsim.rules.kt24.fight import Fight
from ktsim.rules.kt24.shoot import Shoot, make_shot
from ktsim.rules.odds.sequences import duel_damage, mean, shot_damage

ON_A = "of: a, name: X"


def duel_field(*written: str, side: Any = "red", cp: int = 0, **more: Any) -> Field:
    """A fights B."""
    made = ground(*written, side=side, cp=cp).add("a", "red", (5, 5), ranged(), melee(), **more)
    return made.add("b", "blue", (6.5, 5), ranged(), melee(), **more)


def range_field(*written: str, side: Any = "blue", cp: int = 0, x: float = 14) -> Field:
    """A shoots B."""
    made = ground(*written, side=side, cp=cp).add("a", "red", (3, 5), ranged())
    return made.add("b", "blue", (x, 5), ranged(), melee())


def shot(made: Field) -> Any:
    battle = made.battle()
    a, b = battle.state.operatives["a"], battle.state.operatives["b"]
    weapon = battle.card(a).weapons[0]
    rules = battle.weapon_rules(a, weapon, b)
    return make_shot(battle, Attack(a, weapon, rules, battle.hit(a, weapon), b))


def texts_of(made: Field, weapon: Any = None, target: str | None = "b") -> list[str]:
    battle = made.battle()
    a = battle.state.operatives["a"]
    aimed = None if target is None else battle.state.operatives[target]
    return [rule.text for rule in battle.weapon_rules(a, weapon or ranged(), aimed)]


# -- weapon rules ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("says", "has"),
    [
        ("do: [{grant: [Lethal 5+]}]", ["Lethal 5+"]),
        ("do: [{grant: [Lethal 5+], weapons: [melee]}]", []),
        ("do: [{grant: [Lethal 5+], weapons: [gun]}]", ["Lethal 5+"]),
        ("do: [{grant: [Lethal 5+], weapons: ['*u*']}]", ["Lethal 5+"]),
        ("do: [{grant: [Lethal 5+], weapons: ['*x*']}]", []),
        ("do: [{grant: [Lethal 5+], weapons: [not gun]}]", []),
        ("do: [{grant: [Balanced]}, {grant: [Ceaseless], instead-of: [Balanced]}]", ["Ceaseless"]),
        ("on: shooting, do: [{grant: [Saturate]}]", ["Saturate"]),
        ("on: fighting, do: [{grant: [Saturate]}]", []),
        ("on: shooting, foe: {is: enemy, that: [wounded]}, do: [{grant: [Saturate]}]", []),
        ("on: shooting, foe: {is: enemy, that: [{within: 11, of: who}]}, do: [{grant: [Saturate]}]", ["Saturate"]),
        ("on: shooting, foe: {is: enemy, that: [{within: 9, of: who}]}, do: [{grant: [Saturate]}]", []),
        ("who: {is: friend, keyword: [clerk]}, do: [{grant: [Saturate]}]", ["Saturate"]),
        ("who: {is: friend, keyword: [porter]}, do: [{grant: [Saturate]}]", []),
        ("who: {is: friend, not: [clerk]}, do: [{grant: [Saturate]}]", []),
        ("who: enemy, do: [{grant: [Saturate]}]", []),
        ("do: [{grant: [Saturate], if: [{order: conceal}]}]", []),
        ("do: [{grant: [Saturate], if: [{order: engage}]}]", ["Saturate"]),
        ("do: [{grant: [Rending]}, {grant: [Severe], if: [{order: engage}], instead: true}]", ["Severe"]),
    ],
)
def test_grant(says: str, has: list[str]) -> None:
    on = "" if says.startswith("on") else "on: always, "
    made = range_field(f"{ON_A}, {on}{says}", side="red", x=14)
    assert texts_of(keyword(made, "a", "clerk")) == has


def test_what_one_datacard_grants_another_does_not_have() -> None:
    made = range_field("of: b, name: X, on: always, do: [{grant: [Saturate]}]", side="red")
    assert texts_of(made) == []


@pytest.mark.parametrize(
    ("says", "left"),
    [
        ("do: [{ignore-rule: [Piercing]}]", ["Saturate"]),
        ("do: [{ignore-rule: [Saturate]}]", ["Piercing 2"]),
        ("do: [{weaken-rule: Piercing, by: 1}]", ["Piercing 1", "Saturate"]),
        ("do: [{weaken-rule: Piercing, by: 2}]", ["Saturate"]),
        ("do: [{replace-rule: Piercing 2, with: Piercing Crits 2}]", ["Piercing Crits 2", "Saturate"]),
        ("do: [{replace-rule: Piercing 1, with: Piercing Crits 1}]", ["Piercing 2", "Saturate"]),
    ],
)
def test_what_is_shot_takes_weapon_rules_away(says: str, left: list[str]) -> None:
    made = range_field(f"of: b, name: X, on: shot-at, foe: anyone, {says}")
    assert texts_of(made, ranged("Piercing 2", "Saturate")) == left
    assert texts_of(made, ranged("Piercing 2", "Saturate"), None) == ["Piercing 2", "Saturate"]


def test_an_aura_reaches_as_far_as_it_says() -> None:
    made = ground("of: c, name: X, on: always, who: friend, if: [{within: 3, of: self}], do: [{grant: [Severe]}]")
    made.add("a", "red", (3, 5)).add("b", "blue", (14, 5)).add("c", "red", (7, 5))
    assert texts_of(made) == ["Severe"]
    made.state.operatives["c"].x = 7100
    assert texts_of(made) == []


# -- dice --------------------------------------------------------------------------------------------


@pytest.mark.rule("KT24-REROLL")
@pytest.mark.parametrize(
    ("says", "rerolls", "wounds"),
    [
        ("{reroll: defence, dice: 1}", 1, 7),
        ("{reroll: defence, dice: 2}", 2, 10),
        ("{reroll: defence, dice: any}", 3, 10),
    ],
)
def test_defence_dice_are_rerolled(says: str, rerolls: int, wounds: int) -> None:
    made = range_field(f"of: b, name: X, on: shot-at, foe: anyone, may: true, do: [{says}]")
    names = ["X 1", "X, number 2 1" if "2" in says else "X 1", "X 1"]
    answers = Answers([(3, 3, 1, 1), (1, 1, 1)] + [(5,)] * rerolls, {"reroll": names[:rerolls]})
    game = made.play(acting("a", Shoot()), answers)
    assert who(game, "b").wounds == wounds


@pytest.mark.parametrize(
    ("says", "wounds"),
    [
        ("{convert: normal, to: critical}", 10),
        ("{convert: fail, to: normal}", 10),
        ("{convert: fail, to: normal, discard: true}", 10),
    ],
)
def test_a_defence_die_is_converted(says: str, wounds: int) -> None:
    """One critical attack: two normal saves or a critical one stop it."""
    made = range_field(f"of: b, name: X, on: shot-at, foe: anyone, may: true, do: [{says}]")
    saves = (4, 1, 1)
    game = made.play(acting("a", Shoot()), Answers([(6, 1, 1, 1), saves], {"convert": "yes"}))
    assert who(game, "b").wounds == wounds
    game = range_field().play(acting("a", Shoot()), Answers([(6, 1, 1, 1), saves]))
    assert who(game, "b").wounds == 6


def test_a_conversion_that_discards_needs_two_fails() -> None:
    says = "of: b, name: X, on: shot-at, foe: anyone, may: true, do: [{convert: fail, to: normal, discard: true}]"
    game = range_field(says).play(acting("a", Shoot()), Answers([(3, 3, 3, 1), (4, 4, 1)]))
    assert who(game, "b").wounds == 7


def test_a_conversion_once_in_a_turning_point() -> None:
    says = "of: a, name: X, on: shooting, limit: once per turning-point, may: true, do: [{convert: fail, to: normal}]"
    made = range_field(says, side="red")
    game = made.play(acting("a", Shoot()), Answers([(1, 1, 1, 1), (1, 1, 1)], {"convert": "yes"}))
    assert who(game, "b").wounds == 7
    assert any(effect.clause.endswith("!") for effect in game.state.effects)
    made.state.effects = list(game.state.effects)
    made.state.operatives["b"].wounds = 10
    game = made.play(acting("a", Shoot()), Answers([(1, 1, 1, 1), (1, 1, 1)]))
    assert who(game, "b").wounds == 10, "used already"


@pytest.mark.parametrize(("fails", "saved"), [((1, 1, 4), True), ((1, 4, 4), False)])
def test_a_conversion_with_a_condition_about_the_dice(fails: tuple[int, ...], saved: bool) -> None:
    says = "of: b, name: X, on: shot-at, foe: anyone, if: [{successes: '<=1'}], may: true, do: [{convert: fail, "
    says += "to: normal}]"
    choose = {"convert": "yes"} if saved else {}
    game = range_field(says).play(acting("a", Shoot()), Answers([(3, 3, 3, 1), fails], choose))
    assert who(game, "b").wounds == 7


def test_a_retained_defence_die() -> None:
    says = "of: b, name: X, on: shot-at, foe: anyone, may: true, do: [{retain: normal, dice: 1, of: defence}]"
    game = range_field(says).play(acting("a", Shoot()), Answers([(3, 1, 1, 1), (1, 1)]))
    assert who(game, "b").wounds == 10


@pytest.mark.parametrize(("says", "face", "wounds"), [("5", 5, 10), ("6", 5, 6)])
def test_saves_that_are_critical_sooner(says: str, face: int, wounds: int) -> None:
    made = range_field(f"of: b, name: X, on: shot-at, foe: anyone, do: [{{critical-on: {says}, of: defence}}]")
    game = made.play(acting("a", Shoot()), Answers([(6, 1, 1, 1), (face, 1, 1)]))
    assert who(game, "b").wounds == wounds


def test_no_rerolls() -> None:
    made = range_field("of: b, name: X, on: always, who: enemy, do: [{forbid-reroll: attack}]", cp=3)
    made.add("a", "red", (3, 5), ranged("Balanced"))
    answers = Answers([(1, 1, 1, 1), (1, 1, 1)])
    made.play(acting("a", Shoot()), answers)
    assert [each.seat for each in answers.asked if each.topic == "reroll"] == ["blue"], "defence dice may be re-rolled"


def test_a_better_save_while_shot_at() -> None:
    says = "of: b, name: X, on: shot-at, foe: anyone, do: [{stat: save, by: 1}]"
    assert shot(range_field(says)).save == 3
    assert shot(range_field()).save == 4


@pytest.mark.parametrize(
    ("says", "numbers"),
    [
        ("{stat: atk, by: 1}", (5, 3, 3, 4)),
        ("{stat: atk, by: 2, most: 5}", (5, 3, 3, 4)),
        ("{stat: damage, by: 1, weapons: [ranged]}", (4, 3, 4, 5)),
        ("{stat: normal-damage, by: 1}", (4, 3, 4, 4)),
        ("{stat: critical-damage, by: 1}", (4, 3, 3, 5)),
        ("{stat: damage, by: 1, weapons: [melee]}", (4, 3, 3, 4)),
        ("{stat: hit, by: 1}", (4, 2, 3, 4)),
        ("{stat: hit, by: 1, most: 3}", (4, 3, 3, 4)),
        ("{stat: hit, by: -1}", (4, 4, 3, 4)),
    ],
)
def test_a_weapon_with_other_numbers(says: str, numbers: tuple[int, ...]) -> None:
    hand = shot(range_field(f"{ON_A}, on: shooting, do: [{says}]", side="red")).hand
    assert (hand.atk, hand.hit, hand.normal, hand.critical) == numbers


# -- damage per die ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("says", "wounds"),
    [
        ("on: damage, if: [{damage: '>=3'}], do: [{reduce-damage: 1}]", 10 - 3 - 2),
        ("on: damage, if: [{damage: '>=4'}], do: [{reduce-damage: 1}]", 10 - 3 - 3),
        ("on: damage, if: [{die: normal}], do: [{reduce-damage: 1}]", 10 - 4 - 2),
        ("on: damage, if: [{die: normal}], do: [{reduce-damage: true, whole: true}]", 10 - 4),
        ("on: damage, if: [{die: critical}], do: [downgrade-crit]", 10 - 3 - 3),
        ("on: damage, do: [{reduce-damage: true, halve: true, least: 2}]", 10 - 2 - 2),
        ("on: damage, if: [{die: normal}], do: [{reduce-damage: true, to: 1}]", 10 - 4 - 1),
        ("on: fighting, do: [{reduce-damage: 1}]", 10 - 4 - 3),
    ],
)
def test_each_die_inflicts_less(says: str, wounds: int) -> None:
    """A critical success of 4 and a normal one of 3 get through."""
    made = range_field(f"of: b, name: X, {says}")
    game = made.play(acting("a", Shoot()), Answers([(6, 3, 1, 1), (1, 1, 1)]))
    assert who(game, "b").wounds == wounds


@pytest.mark.parametrize(("faces", "wounds"), [((5, 4), 10 - 3 - 3), ((4, 4), 10 - 4 - 3), ((5, 5), 10 - 3 - 2)])
def test_a_die_is_rolled_for_each(faces: tuple[int, int], wounds: int) -> None:
    says = "on: damage, if: [{damage: '>=3'}], do: [{roll: D6, at: '>=5', do: [{reduce-damage: 1}]}]"
    dice = [(6, 3, 1, 1), (1, 1, 1), *((face,) for face in faces)]
    game = range_field(f"of: b, name: X, {says}").play(acting("a", Shoot()), Answers(dice))
    assert who(game, "b").wounds == wounds


def test_once_in_the_battle_and_only_if_its_player_wants() -> None:
    says = "of: b, name: X, on: damage, if: [{die: normal}], limit: once per battle, may: true, "
    says += "do: [{reduce-damage: true, whole: true}]"
    made = range_field(says)
    game = made.play(acting("a", Shoot()), Answers([(3, 3, 1, 1), (1, 1, 1)], {"ward": "yes"}))
    assert who(game, "b").wounds == 7, "of two dice one"
    made.state.effects = list(game.state.effects)
    game = made.play(acting("a", Shoot()), Answers([(3, 3, 1, 1), (1, 1, 1)]))
    assert who(game, "b").wounds == 4, "and never again"


def test_a_firefight_ploy_about_damage_is_paid_for() -> None:
    says = "name: Shrug, ploy: firefight, cost: 1, on: damage, who: friend, if: [{die: normal}], "
    says += "do: [{reduce-damage: true, whole: true}]"
    made = range_field(says, cp=1)
    answers = Answers([(3, 3, 1, 1), (1, 1, 1)], {"ward": "yes", "reroll": ["keep", "keep"]})
    game = made.play(acting("a", Shoot()), answers)
    assert (who(game, "b").wounds, game.state.cp["blue"]) == (7, 0)
    assert "blue:shrug" in game.state.ploys_used
    made = range_field(says, cp=0)
    game = made.play(acting("a", Shoot()), Answers([(3, 3, 1, 1), (1, 1, 1)]))
    assert who(game, "b").wounds == 4, "without CP there is nothing to ask"


def test_a_strategy_ploy_about_damage_is_paid_for_once() -> None:
    says = (
        "name: Hold, ploy: strategy, cost: 1, on: damage, who: friend, do: [{reduce-damage: 1}], until: turning-point"
    )
    made = range_field(says, cp=1)
    made.state.ploys_used = ["blue:hold"]
    answers = Answers([(3, 3, 1, 1), (1, 1, 1)], {"reroll": ["keep", "keep"]})
    game = made.play(acting("a", Shoot()), answers)
    assert (who(game, "b").wounds, game.state.cp["blue"]) == (6, 1)


# -- fights ------------------------------------------------------------------------------------------


def fight(made: Field, mine: tuple[int, ...], theirs: tuple[int, ...], **choose: Any) -> Any:
    return made.play(acting("a", Fight()), Answers([mine, theirs], choose))


def test_a_last_strike() -> None:
    says = "of: b, name: X, on: incapacitated, if: [{did: [fighting, retaliating], during: sequence}], "
    says += "may: true, do: [strike]"
    for written, wounds in ((says, 7), ("of: b, name: X, on: always, do: [not-counted]", 10)):
        made = duel_field(written, side="blue")
        made.state.operatives["b"].wounds = 3
        game = fight(made, (4, 1, 1, 1), (5, 1, 1, 1), resolve="strike n")
        assert (who(game, "a").wounds, who(game, "b").wounds) == (wounds, 0)


def test_a_block_against_two() -> None:
    made = duel_field("of: b, name: X, on: [fighting, retaliating], do: [{block: two}]", side="blue")
    game = fight(made, (4, 4, 4, 1), (4, 1, 1, 1), resolve=["strike n", "block nnn"])
    assert (who(game, "a").wounds, who(game, "b").wounds) == (10, 7)


@pytest.mark.parametrize(("weapon", "is_offered"), [(melee(), True), (melee("Brutal"), False)])
def test_a_normal_success_blocks_a_critical_one(weapon: Any, is_offered: bool) -> None:
    says = "of: b, name: X, on: [fighting, retaliating], do: [{block: critical-with-normal, unless-brutal: true}]"
    made = duel_field(says, side="blue").add("a", "red", (5, 5), weapon)
    answers = Answers([(6, 6, 1, 1), (4, 1, 1, 1)], {"resolve": ["strike c", "block nc" if is_offered else "strike n"]})
    game = made.play(acting("a", Fight()), answers)
    assert who(game, "b").wounds == (6 if is_offered else 2)


def test_an_early_block() -> None:
    made = duel_field("of: b, name: X, on: [fighting, retaliating], may: true, do: [early-block]", side="blue")
    game = fight(made, (4, 1, 1, 1), (4, 1, 1, 1), **{"early block": "block nn"})
    assert (who(game, "a").wounds, who(game, "b").wounds) == (10, 10)
    game = fight(made, (4, 1, 1, 1), (4, 1, 1, 1), **{"early block": "no", "resolve": ["strike n", "strike n"]})
    assert (who(game, "a").wounds, who(game, "b").wounds) == (7, 7)


def test_the_first_strike_inflicts_more() -> None:
    says = "on: fighting, if: [{first-time: sequence}], do: [{strike-damage: 1, most: 4}]"
    made = duel_field(f"{ON_A}, {says}")
    game = fight(made, (4, 4, 1, 1), (1, 1, 1, 1), resolve=["strike n", "strike n"])
    assert who(game, "b").wounds == 10 - 4 - 3
    made = duel_field(f"of: b, name: X, {says}", side="blue")
    game = fight(made, (1, 1, 1, 1), (4, 1, 1, 1), resolve="strike n")
    assert who(game, "a").wounds == 7, "not while it retaliates"


def test_the_one_who_retaliates_resolves_first() -> None:
    made = duel_field("of: b, name: X, on: retaliating, do: [resolve-first]", side="blue")
    made.state.operatives["a"].wounds = 3
    game = fight(made, (4, 1, 1, 1), (4, 1, 1, 1), resolve="strike n")
    assert (who(game, "a").wounds, who(game, "b").wounds) == (0, 10)


@pytest.mark.parametrize(("side", "has"), [("red", True), ("blue", False)])
def test_a_rule_about_fighting_is_not_about_retaliating(side: Any, has: bool) -> None:
    made = duel_field("name: X, on: fighting, who: friend, do: [{grant: [Lethal 4+]}]", side=side)
    battle = made.game(acting("a")).battle
    owner = battle.state.operatives["a" if side == "red" else "b"]
    foe = battle.state.operatives["b" if side == "red" else "a"]
    assert bool(battle.weapon_rules(owner, melee(), foe)) == has


def test_a_hit_that_is_worse_for_the_enemy_in_a_fight() -> None:
    says = "name: X, on: fighting, who: friend, do: [{stat: hit, by: -1, who: foe}]"
    battle = duel_field(says).game(acting("a")).battle
    a, b = battle.state.operatives["a"], battle.state.operatives["b"]
    hands = [
        make_hand(battle, Attack(one, melee(), (), battle.hit(one, melee()), other)) for one, other in ((a, b), (b, a))
    ]
    assert [hand.hit for hand in hands] == [4, 5]


# -- odds --------------------------------------------------------------------------------------------


def test_odds_know_what_is_granted_and_what_is_warded() -> None:
    plain = mean(shot_damage(shot(range_field()), KT24.shot_stages))
    lethal = mean(
        shot_damage(
            shot(range_field(f"{ON_A}, on: always, do: [{{grant: [Lethal 5+]}}]", side="red")), KT24.shot_stages
        )
    )
    less = "of: b, name: X, on: damage, if: [{damage: '>=3'}], do: [{roll: D6, at: '>=4', do: [{reduce-damage: 1}]}]"
    warded = mean(shot_damage(shot(range_field(less)), KT24.shot_stages))
    assert lethal > plain > warded > 0.6 * plain
    once = "of: b, name: X, on: damage, limit: once per battle, may: true, do: [{reduce-damage: true, whole: true}]"
    assert plain - 4 < mean(shot_damage(shot(range_field(once)), KT24.shot_stages)) < plain


def test_odds_of_a_fight_know_wards_and_last_strikes() -> None:
    def odds(*written: str) -> tuple[float, float]:
        made = duel_field(*written, side="blue", wounds=5)
        battle = made.battle()
        a, b = battle.state.operatives["a"], battle.state.operatives["b"]
        hands = [
            make_hand(
                battle, Attack(one, melee(), battle.weapon_rules(one, melee(), foe), battle.hit(one, melee()), foe)
            )
            for one, foe in ((a, b), (b, a))
        ]
        one, two = duel_damage(make_duel(battle, (a, hands[0]), (b, hands[1])), KT24.duel_stages)
        return mean(one), mean(two)

    plain = odds()
    warded = odds(
        "of: b, name: X, on: damage, if: [{damage: '>=3'}], do: [{roll: D6, at: '>=4', do: [{reduce-damage: 1}]}]"
    )
    dying = odds(
        "of: b, name: X, on: incapacitated, if: [{did: [retaliating], during: sequence}], may: true, do: [strike]"
    )
    assert warded[1] < plain[1]
    assert dying[0] > plain[0]


def test_bystanders_that_are_not_affected() -> None:
    says = "of: c, name: X, on: always, do: [{unaffected: ['x\" Devastating x'], unless-target: true}]"
    for written, wounds in ((says, 10), ("of: c, name: X, on: always, do: [not-counted]", 8)):
        made = range_field(written).add("c", "blue", (15, 5)).add("a", "red", (3, 5), ranged('2" Devastating 2'))
        game = made.play(acting("a", Shoot()), Answers([(6, 1, 1, 1), (6, 1, 1)], {"target": "b"}))
        assert (who(game, "b").wounds, who(game, "c").wounds) == (8, wounds)


def test_an_effect_of_the_state_ends_with_its_activation() -> None:
    made = duel_field()
    made.state.effects = [Effect("X", "TEAM", "own-next-activation", "b", "red", clause="x", by="a")]
    ActivationBegan("b", "activation", "engage", 2).apply(made.state)
    assert made.state.effects
    ActivationBegan("a", "activation", "engage", 2).apply(made.state)
    assert not made.state.effects
