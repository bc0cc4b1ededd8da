"""Every weapon rule with scripted dice, and the case just outside it."""

from __future__ import annotations

from typing import Any

import pytest
from engine_help import CLUB, RIFLE, Answers, Field, acting, at, hand, melee, ranged, run, story

from ktsim.errors import UserError
from ktsim.rules.engine.activation import activate
from ktsim.rules.engine.decisions import Pick
from ktsim.rules.engine.events import CpChanged, EffectBegan
from ktsim.rules.engine.fight.stages import Duel, fight
from ktsim.rules.engine.operative_events import Wounded
from ktsim.rules.engine.shoot.stages import Shot, shoot
from ktsim.rules.engine.shoot.targets import weapon_options
from ktsim.rules.engine.state import Effect
from ktsim.rules.kt24.edition import KT24
from ktsim.rules.kt24.fight import Fight
from ktsim.rules.kt24.moves import Dash, Reposition
from ktsim.rules.kt24.shoot import Shoot
from ktsim.rules.kt24.weapon_rules import KT24_WEAPON_RULES


def shot(
    *rules: str, dice: list[tuple[int, ...]], choose: dict[str, Any] | None = None, save: int = 4, **more: Any
) -> tuple[int, Answers]:
    """The damage of one shooting sequence: 4 dice at 3+, 3/4, against Save 4+ unless said."""
    shooting = {name: more.pop(name) for name in ("defence", "cover", "is_improved", "cp", "guards") if name in more}
    answers = Answers(dice, choose)
    result, _ = run(shoot(Shot(hand(*rules, **more), "blue", save, **shooting), KT24.shot_stages), answers)
    return result.damage, answers


def duel(
    mine: tuple[str, ...],
    theirs: tuple[str, ...],
    dice: list[tuple[int, ...]],
    choose: dict[str, Any],
    **more: Any,
) -> tuple[Duel, list[Any]]:
    """A fight of 3 dice at 4+ with damage 3/5 on both sides, 12 wounds each."""
    hands = (
        hand(*mine, atk=len(dice[0]), hit=4, damage=(3, 5)),
        hand(*theirs, atk=len(dice[1]), hit=4, damage=(3, 5), side="blue", operative="b", target="a"),
    )
    return run(fight(Duel(hands, more.pop("wounds", (12, 12)), **more), KT24.duel_stages), Answers(dice, choose))


# -- dice --------------------------------------------------------------------------------------------


@pytest.mark.rule("KT24-DICE")
def test_one_always_fails_and_six_is_always_critical() -> None:
    assert shot(hit=2, dice=[(1, 1, 2, 2), (1, 1, 1)])[0] == 6
    assert shot(hit=6, dice=[(6, 5, 5, 5), (1, 1, 1)])[0] == 4
    assert shot(hit=7, dice=[(6, 5, 5, 5), (1, 1, 1)])[0] == 4
    assert shot(dice=[(3, 1, 1, 1), (1, 2, 3)], save=2)[0] == 0, "a save of 2 is enough, a 1 never is"
    assert shot(dice=[(3, 1, 1, 1), (1, 1, 1)], save=2)[0] == 3


@pytest.mark.rule("KT24-SHOOT")
def test_hits_and_saves() -> None:
    assert shot(dice=[(3, 2, 6, 1), (1, 2, 3)])[0] == 7
    assert shot(dice=[(3, 2, 6, 1), (4, 2, 3)])[0] == 4


@pytest.mark.rule("KT24-BLOCK")
def test_blocks() -> None:
    assert shot(dice=[(6, 1, 1, 1), (4, 1, 1)])[0] == 4, "one normal save does not block a critical"
    assert shot(dice=[(6, 1, 1, 1), (4, 5, 1)])[0] == 0, "two do"
    assert shot(dice=[(6, 1, 1, 1), (6, 1, 1)])[0] == 0, "a critical one does"
    assert shot(dice=[(3, 1, 1, 1), (6, 1, 1)])[0] == 0, "a critical save blocks a normal success"


@pytest.mark.rule("KT24-BLOCK")
def test_the_defender_chooses_what_to_block() -> None:
    dice = [(6, 3, 1, 1), (4, 5, 1)]
    damage, answers = shot(dice=dice)
    assert (damage, answers.topics[-1]) == (3, "block"), "by default the critical is blocked"
    assert shot(dice=dice, choose={"block": "1n 0c"})[0] == 4
    block = answers.asked[-1]
    assert isinstance(block, Pick)
    assert [option.key for option in block.options] == ["1n 0c", "0n 1c"]
    assert block.check("1n 1c") is not None


@pytest.mark.rule("KT24-REROLL")
def test_a_die_is_rerolled_once() -> None:
    damage, answers = shot(
        "Relentless", dice=[(1, 3, 3, 3), (1,), (1, 1, 1)], choose={"reroll": ["Relentless 1", "keep"]}
    )
    assert damage == 9
    last = [decision for decision in answers.asked if decision.topic == "reroll"][-1]
    assert isinstance(last, Pick)
    assert "Relentless 1" not in last.open_keys


@pytest.mark.rule("KT24-REROLL")
def test_a_die_retained_unrolled_cannot_be_rerolled() -> None:
    _, answers = shot("Accurate 2", "Balanced", atk=2, dice=[(1, 1, 1)])
    assert "reroll" not in answers.topics


@pytest.mark.rule("KT24-CMDREROLL")
def test_command_reroll_of_attack_and_defence_dice() -> None:
    choose = {"reroll": ["Command Re-roll 1", "Command Re-roll 2", "keep", "Command Re-roll 1", "keep"]}
    answers = Answers([(1, 2, 3, 3), (6,), (3,), (1, 4, 4), (6,)], choose)
    result, events = run(shoot(Shot(hand(), "blue", 4, cp=(3, 2)), KT24.shot_stages), answers)
    assert result.cp == (1, 1)
    assert sum(getattr(event, "ploy", "") == "command-reroll" for event in events) == 3
    paid = [(event.side, event.amount) for event in events if isinstance(event, CpChanged)]
    assert paid == [("red", -1), ("red", -1), ("blue", -1)], "each is paid for by whose dice they are"
    assert result.damage == 3 * 3 + 4 - 3 - 3 - 4


@pytest.mark.rule("KT24-CMDREROLL")
def test_command_reroll_needs_a_point() -> None:
    assert "reroll" not in shot(dice=[(1, 2, 3, 3), (1, 1, 1)], cp=(0, 0))[1].topics


@pytest.mark.rule("KT24-SHOOT-OBSC")
def test_obscured_discards_a_success_and_makes_criticals_normal() -> None:
    assert shot(is_obscured=True, dice=[(6, 3, 1, 1), (1, 1, 1)])[0] == 3
    assert shot(is_obscured=True, dice=[(6, 1, 1, 1), (1, 1, 1)])[0] == 0, "also the only one"
    assert shot(is_obscured=True, dice=[(1, 1, 1, 1), (1, 1, 1)])[0] == 0


@pytest.mark.rule("KT24-SHOOT-OBSC")
def test_the_attacker_chooses_which_success_is_discarded() -> None:
    _, answers = shot(is_obscured=True, dice=[(6, 5, 3, 1), (1, 1, 1)], choose={"discard": "5"})
    question = next(decision for decision in answers.asked if decision.topic == "discard")
    assert isinstance(question, Pick)
    assert question.seat == "red"
    assert question.open_keys == ["3", "5", "6"]


@pytest.mark.rule("KT24-SHOOT-OBSC")
@pytest.mark.parametrize("rule", ["Lethal 5+", "Rending", "Punishing", "Severe", "Devastating 3", "Piercing Crits 2"])
def test_obscured_takes_criticals_from_every_rule(rule: str) -> None:
    assert shot(rule, is_obscured=True, dice=[(6, 5, 3, 1), (1, 1, 1)])[0] == 6


# -- one rule after the other ------------------------------------------------------------------------


@pytest.mark.rule("KT24-W-ACCURATE")
def test_accurate() -> None:
    assert shot("Accurate 1", dice=[(1, 1, 1), (1, 1, 1)])[0] == 3
    assert shot("Accurate 2", dice=[(1, 1, 1, 6), (1, 1, 1)], choose={"accurate": "0"})[0] == 4
    _, answers = shot("Accurate 1", dice=[(1, 1, 1), (1, 1, 1)])
    assert answers.asked[0].default == "1"
    for other in ("Accurate 1", "Accurate 2"):
        _, answers = shot("Accurate 1", other, dice=[(1, 1), (1, 1, 1)])
        assert answers.asked[0].default == "2", "several instances are Accurate 2 at most"


@pytest.mark.rule("KT24-W-ACCURATE")
def test_accurate_printed_and_granted_is_two_instances() -> None:
    field = Field().add("a", "red", (3, 3), ranged("Accurate 1", "Balanced")).add("b", "blue", (9, 3))
    field.state.effects.append(Effect("ploy", "X", "turning-point", side="red", grants="Accurate 1"))
    field.state.effects.append(Effect("ploy", "X", "turning-point", side="red", grants="Balanced"))
    battle = field.battle()
    who = battle.state.operatives["a"]
    found = [rule.text for rule in battle.weapon_rules(who, battle.weapons(who)[0])]
    assert sorted(found) == ["Accurate 1", "Accurate 1", "Balanced"], "any other rule helps once"


@pytest.mark.rule("KT24-W-BALANCED")
def test_balanced() -> None:
    assert shot("Balanced", dice=[(1, 1, 1, 1), (6,), (1, 1, 1)])[0] == 4
    _, answers = shot("Balanced", dice=[(1, 1, 1, 1), (1,), (1, 1, 1)])
    assert answers.topics.count("reroll") == 1, "one die only"


@pytest.mark.rule("KT24-W-CEASELESS")
def test_ceaseless() -> None:
    assert shot("Ceaseless", dice=[(2, 2, 1, 3), (6, 6), (1, 1, 1)], choose={"reroll": "Ceaseless 2"})[0] == 11
    _, answers = shot("Ceaseless", dice=[(2, 2, 1, 3), (1, 1), (1, 1, 1)], choose={"reroll": "Ceaseless 2"})
    assert answers.topics.count("reroll") == 1, "one result only"


@pytest.mark.rule("KT24-REROLL")
@pytest.mark.rule("KT24-W-CEASELESS")
def test_ceaseless_goes_on_with_the_same_result_after_a_look_at_the_first_re_roll() -> None:
    rolls: list[tuple[int, ...]] = [(3, 3, 1, 1), (1,), (6,), (1, 1, 1)]
    damage, answers = shot("Ceaseless", dice=rolls, choose={"reroll": ["Ceaseless x1 3", "Ceaseless 3"]})
    assert (damage, answers.topics.count("reroll")) == (4, 2)
    _, answers = shot("Ceaseless", dice=[(3, 3, 1, 1), (6,), (1, 1, 1)], choose={"reroll": ["Ceaseless x1 3", "keep"]})
    second = [asked for asked in answers.asked if asked.topic == "reroll"][1]
    assert second.open_keys == ["keep", "Ceaseless 3"], "the other 3, never the 1s: the result is chosen"


@pytest.mark.rule("KT24-W-RELENTLESS")
def test_relentless() -> None:
    choose = {"reroll": ["Relentless 1", "Relentless 2", "Relentless 3", "keep"]}
    assert shot("Relentless", dice=[(1, 2, 3, 3), (6,), (6,), (6,), (1, 1, 1)], choose=choose)[0] == 15


@pytest.mark.rule("KT24-W-BRUTAL")
def test_brutal_shooting() -> None:
    assert shot("Brutal", dice=[(3, 3, 1, 1), (4, 5, 5)])[0] == 6
    assert shot("Brutal", dice=[(3, 3, 1, 1), (6, 5, 5)])[0] == 3


@pytest.mark.rule("KT24-W-BRUTAL")
def test_brutal_fighting() -> None:
    answers = Answers([(4, 4), (4, 6)], {"resolve": ["strike n", "strike c", "strike n", "block n-"]})
    hands = (
        hand("Brutal", atk=2, hit=4, damage=(1, 2)),
        hand(atk=2, hit=4, damage=(1, 2), side="blue", operative="b", target="a"),
    )
    run(fight(Duel(hands, (12, 12)), KT24.duel_stages), answers)
    second = [decision for decision in answers.asked if decision.topic == "resolve"][1]
    assert isinstance(second, Pick)
    assert second.open_keys == ["strike c", "strike n", "block cn", "block c-", "block n-"], "normal blocks nothing"


@pytest.mark.rule("KT24-W-DEVASTATING")
def test_devastating() -> None:
    assert shot("Devastating 3", dice=[(6, 6, 1, 1), (6, 6, 1)])[0] == 6, "at once, and the dice can be blocked later"
    assert shot("Devastating 3", dice=[(6, 5, 1, 1), (1, 1, 1)])[0] == 3 + 4 + 3
    assert shot("Devastating 3", dice=[(5, 5, 1, 1), (1, 1, 1)])[0] == 6


@pytest.mark.rule("KT24-W-DEVASTATING")
def test_devastating_with_a_distance() -> None:
    field = Field().add("a", "red", (3, 3), ranged('1" Devastating 2')).add("b", "blue", (10, 3))
    field.add("c", "blue", (12, 3)).add("d", "blue", (10, 5.01)).add("e", "red", (10, 1))
    field.table.rulings[("a", "b")] = {}
    game = field.act("a", Shoot(), dice=[(6, 6, 1, 1), (6, 6, 1)], choose={"target": "c"})
    hurt = {event.operative: event.amount for event in game.events if isinstance(event, Wounded)}
    assert hurt == {"c": 4, "b": 4}, "within 1 inch of the target; D and E are further away"


@pytest.mark.rule("KT24-W-LETHAL")
def test_lethal() -> None:
    assert shot("Lethal 5+", dice=[(5, 4, 1, 1), (1, 1, 1)])[0] == 7
    assert shot("Lethal 3+", hit=4, dice=[(3, 4, 1, 1), (1, 1, 1)])[0] == 4, "only successes"


@pytest.mark.rule("KT24-W-PIERCING")
def test_piercing() -> None:
    assert shot("Piercing 1", dice=[(3, 1, 1, 1), (1, 4)])[0] == 0
    assert shot("Piercing 5", dice=[(3, 1, 1, 1)])[0] == 3, "never fewer than none"


@pytest.mark.rule("KT24-W-PIERCING")
@pytest.mark.rule("KT24-W-PIERCING-CRITS")
@pytest.mark.parametrize(
    ("rules", "attack", "left"),
    [
        (("Piercing 1", "Piercing Crits 1"), 6, 2),
        (("Piercing 1", "Piercing Crits 2"), 6, 1),
        (("Piercing 1", "Piercing Crits 2"), 5, 2),
        (("Piercing 2", "Piercing Crits 1"), 6, 1),
    ],
)
def test_piercing_and_piercing_crits_do_not_add_up(rules: tuple[str, ...], attack: int, left: int) -> None:
    assert shot(*rules, dice=[(attack, 1, 1, 1), (1,) * left])[0] == (4 if attack == 6 else 3)


@pytest.mark.rule("KT24-W-CEASELESS")
def test_ceaseless_takes_any_of_the_dice_of_one_result() -> None:
    damage = shot("Ceaseless", dice=[(3, 3, 3, 1), (6, 6), (1, 1, 1)], choose={"reroll": "Ceaseless x2 3"})[0]
    assert damage == 3 + 4 + 4
    damage = shot("Ceaseless", dice=[(3, 3, 3, 1), (6,), (1, 1, 1)], choose={"reroll": "Ceaseless 1"})[0]
    assert damage == 3 * 3 + 4


@pytest.mark.rule("KT24-FIGHT-SEQ")
def test_a_critical_success_may_be_given_away_at_any_time() -> None:
    answers = Answers([(6, 4), (4, 4)], {"resolve": ["block c-", "strike n", "strike n", "strike n"]})
    hands = (
        hand(atk=2, hit=4, damage=(1, 2)),
        hand(atk=2, hit=4, damage=(1, 2), side="blue", operative="b", target="a"),
    )
    duel, _ = run(fight(Duel(hands, (12, 12)), KT24.duel_stages), answers)
    assert duel.suffered == (2, 1), "nothing was cancelled"


@pytest.mark.rule("KT24-W-PIERCING-CRITS")
def test_piercing_crits() -> None:
    assert shot("Piercing Crits 1", dice=[(6, 1, 1, 1), (1, 1)])[0] == 4
    assert shot("Piercing Crits 1", dice=[(5, 1, 1, 1), (1, 1, 1)])[0] == 3


@pytest.mark.rule("KT24-W-PUNISHING")
def test_punishing() -> None:
    assert shot("Punishing", dice=[(6, 1, 1, 1), (1, 1, 1)])[0] == 7
    assert shot("Punishing", dice=[(6, 1, 1, 1), (1, 1, 1)], choose={"punishing": "no"})[0] == 4
    assert shot("Punishing", dice=[(5, 1, 1, 1), (1, 1, 1)])[0] == 3


@pytest.mark.rule("KT24-W-RENDING")
def test_rending() -> None:
    assert shot("Rending", dice=[(6, 3, 1, 1), (1, 1, 1)])[0] == 8
    assert shot("Rending", dice=[(5, 3, 1, 1), (1, 1, 1)])[0] == 6
    assert shot("Rending", "Accurate 1", dice=[(6, 1, 1), (1, 1, 1)])[0] == 7, "not one from Accurate"
    assert shot("Rending", "Punishing", dice=[(6, 1, 1, 1), (1, 1, 1)])[0] == 7, "nor one from Punishing"


@pytest.mark.rule("KT24-W-SATURATE")
def test_saturate() -> None:
    assert shot("Saturate", cover=1, dice=[(3, 1, 1, 1), (1, 1, 1)])[0] == 3
    assert shot(cover=1, dice=[(3, 1, 1, 1), (1, 1)])[0] == 0


@pytest.mark.rule("KT24-W-SEVERE")
def test_severe() -> None:
    assert shot("Severe", dice=[(3, 3, 1, 1), (1, 1, 1)])[0] == 7
    assert shot("Severe", dice=[(6, 3, 1, 1), (1, 1, 1)])[0] == 7, "not with a critical retained"
    assert shot("Severe", "Devastating 2", dice=[(3, 1, 1, 1), (1, 1, 1)])[0] == 6
    assert shot("Severe", "Piercing Crits 1", dice=[(3, 1, 1, 1), (1, 1)])[0] == 4
    assert shot("Severe", "Rending", dice=[(3, 3, 1, 1), (1, 1, 1)])[0] == 7, "Rending does not work on it"
    assert shot("Severe", "Punishing", dice=[(3, 3, 1, 1), (1, 1, 1)])[0] == 7, "nor does Punishing"
    assert shot("Rending", "Severe", dice=[(3, 3, 1, 1), (1, 1, 1)])[0] == 7, "whatever the order"


@pytest.mark.rule("KT24-W-SHOCK")
def test_shock() -> None:
    choose = {"resolve": ["strike c", "strike c"]}
    result, _ = duel(("Shock",), (), [(6, 6), (4, 4)], {"resolve": ["strike c", "strike n", "strike c"]})
    assert result.suffered == (3, 10), "one of the two normal successes is discarded, by the first strike only"
    result, _ = duel(("Shock",), (), [(6, 6), (6, 1)], choose)
    assert result.suffered == (0, 10), "a critical one if there is no normal one"
    result, _ = duel(("Shock",), (), [(4, 4), (4, 4)], {"resolve": ["strike n"] * 4})
    assert result.suffered == (6, 6), "not with a normal strike"


@pytest.mark.rule("KT24-W-STUN")
def test_stun() -> None:
    for dice, wanted in (((6, 1, 1, 1), 1), ((5, 1, 1, 1), 0)):
        _, events = run(shoot(Shot(hand("Stun"), "blue", 4), KT24.shot_stages), Answers([dice, (1, 1, 1)]))
        assert sum(isinstance(event, EffectBegan) for event in events) == wanted


@pytest.mark.rule("KT24-W-STUN")
@pytest.mark.rule("KT24-STATS")
def test_stun_lasts_to_the_end_of_the_next_activation() -> None:
    field = Field().add("a", "red", (3, 3), ranged("Stun")).add("b", "blue", (10, 3))
    game = field.act("a", Shoot(), dice=[(6, 1, 1, 1), (6, 6, 6)])
    battle = game.battle
    who = battle.state.operatives["b"]
    assert battle.apl(who).value == 1
    assert "Stun" in battle.apl(who).words()
    field.state = battle.state
    field.state.activation = None
    game = field.play(lambda b: activate(b, "blue"), Answers(choose={"order": "engage", "action": "pass"}))
    assert game.battle.apl(game.state.operatives["b"]).value == 2


# -- rules around the sequence -----------------------------------------------------------------------


@pytest.mark.rule("KT24-W-RANGE")
def test_range() -> None:
    field = Field().add("a", "red", (3, 3), ranged('Range 6"')).add("b", "blue", (10, 3)).add("c", "blue", (3, 10.01))
    game = field.game(lambda battle: Shoot().perform(battle, battle.state.operatives["a"]))
    assert game.pending is not None
    assert game.pending.topic == "attack", "B at exactly 6 inches is the only target, so nothing is asked"


@pytest.mark.rule("KT24-W-SILENT")
@pytest.mark.rule("KT24-ORDER")
def test_silent() -> None:
    for rules, wanted in (((), "Shoot: not on a Conceal order."), (("Silent",), None)):
        field = Field().add("a", "red", (3, 3), ranged(*rules), order="conceal").add("b", "blue", (10, 3))
        battle = field.battle()
        assert Shoot().refusal(battle, battle.state.operatives["a"]) == wanted


@pytest.mark.rule("KT24-W-LIMITED")
def test_limited() -> None:
    field = Field().add("a", "red", (3, 3), ranged("Limited 1", 'Blast 2"', key="bomb"), RIFLE)
    field.add("b", "blue", (10, 3)).add("c", "blue", (11.5, 3))
    dice = [(1, 1, 1, 1), (1, 1, 1)] * 2
    game = field.act("a", Shoot(), dice=dice, choose={"weapon": "bomb", "target": "b"})
    who = game.state.operatives["a"]
    assert who.uses == {"bomb": 1}, "one action is one use, however many targets"
    options = weapon_options(game.battle, who)
    assert [option.refusal for option in options] == ["Limited 1: used up.", None]


@pytest.mark.rule("KT24-W-HEAVY")
def test_heavy_forbids_shooting_after_moving_and_moving_after_shooting() -> None:
    field = Field().add("a", "red", (3, 3), ranged("Heavy")).add("b", "blue", (20, 3))
    game = field.act("a", Dash(), choose={"move": (at(5, 3),)})
    assert Shoot().refusal(game.battle, game.state.operatives["a"]) == "Shoot: Heavy: not after Dash."
    field = Field().add("a", "red", (3, 3), ranged("Heavy")).add("b", "blue", (20, 3))
    game = field.act("a", Shoot(), dice=[(1, 1, 1, 1), (1, 1, 1)])
    refused = Reposition().refusal(game.battle, game.state.operatives["a"])
    assert refused == "Reposition: Heavy: no Reposition after using the weapon."


@pytest.mark.rule("KT24-W-HEAVY")
def test_heavy_with_an_exception() -> None:
    field = Field().add("a", "red", (3, 3), ranged("Heavy (Dash only)")).add("b", "blue", (20, 3))
    game = field.act("a", Dash(), choose={"move": (at(5, 3),)})
    assert Shoot().refusal(game.battle, game.state.operatives["a"]) is None
    field = Field().add("a", "red", (3, 3), ranged("Heavy (Dash only)"), apl=3).add("b", "blue", (20, 3))
    game = field.act("a", Shoot(), dice=[(1, 1, 1, 1), (1, 1, 1)])
    who = game.state.operatives["a"]
    assert Dash().refusal(game.battle, who) is None
    assert Reposition().refusal(game.battle, who) is not None


@pytest.mark.rule("KT24-W-HOT")
@pytest.mark.parametrize(("face", "lost"), [(2, 4), (3, 0), (1, 2)])
def test_hot(face: int, lost: int) -> None:
    field = Field().add("a", "red", (3, 3), ranged("Hot", hit=3)).add("b", "blue", (10, 3))
    game = field.act("a", Shoot(), dice=[(1, 1, 1, 1), (1, 1, 1), (face,)])
    assert game.state.operatives["a"].wounds == 10 - lost


@pytest.mark.rule("KT24-W-HOT")
def test_hot_asks_the_hit_as_modified() -> None:
    field = Field().add("a", "red", (3, 3), ranged("Hot", hit=3)).add("b", "blue", (10, 3))
    field.state.operatives["a"].wounds = 4
    game = field.act("a", Shoot(), dice=[(1, 1, 1, 1), (1, 1, 1), (3,)])
    assert game.state.operatives["a"].wounds == 0, "injured, so a 3 is below 4+"


def blast_field(*rules: str) -> Field:
    field = Field().add("a", "red", (3, 3), ranged('Blast 2"', *rules)).add("b", "blue", (12, 3), wounds=20)
    field.add("c", "blue", (14, 3), order="conceal", wounds=20).add("d", "red", (12, 5.9), wounds=20)
    return field.add("e", "blue", (15.01, 3), wounds=20)


@pytest.mark.rule("KT24-W-BLAST")
def test_blast_shoots_everybody_near_the_primary_target() -> None:
    field = blast_field("Hot")
    dice = [(3, 1, 1, 1), (1, 1, 1)] * 3 + [(6,)]
    game = field.act("a", Shoot(), dice=dice, choose={"target": "b", "blast": "d"})
    lost = {id: 20 - who.wounds for id, who in game.state.operatives.items() if id != "a"}
    assert lost == {"b": 3, "c": 3, "d": 3, "e": 0}, "friends and the concealed too, E is 2.01 inches away; Hot once"


@pytest.mark.rule("KT24-W-BLAST")
def test_blast_copies_the_primary_targets_cover() -> None:
    field = blast_field()
    field.table.rulings[("a", "b")] = {"in_cover": True, "is_obscured": True}
    dice = [(3, 3, 1, 1), (1, 1)] * 3
    game = field.act("a", Shoot(), dice=dice, choose={"target": "b", "blast": "c"})
    assert [who.wounds for who in game.state.operatives.values()] == [10, 20, 20, 20, 20]
    told = story(game)
    assert sum("for cover" in line for line in told) == 3
    assert sum("is discarded" in line for line in told) == 3


@pytest.mark.rule("KT24-W-BLAST")
@pytest.mark.rule("KT24-VANTAGE-2")
def test_blast_copies_the_improved_cover_save() -> None:
    field = blast_field()
    field.table.rulings[("a", "b")] = {"in_cover": True, "is_improved": True}
    dice = [(6, 1, 1, 1), (1, 1)] * 3
    game = field.act("a", Shoot(), dice=dice, choose={"target": "b", "blast": "c"})
    assert [who.wounds for who in game.state.operatives.values()] == [10, 20, 20, 20, 20]


@pytest.mark.rule("KT24-W-TORRENT")
def test_torrent() -> None:
    field = Field().add("a", "red", (3, 3), ranged('Torrent 2"')).add("b", "blue", (12, 3))
    field.add("c", "blue", (14, 3)).add("d", "blue", (10, 3)).add("e", "red", (10, 4.5)).add("f", "blue", (12, 6.01))
    answers = Answers([(3, 1, 1, 1), (1, 1, 1)] * 2, {"target": "b", "torrent": [("c",)]})
    game = field.play(acting("a", Shoot()), answers)
    assert {id for id, who in game.state.operatives.items() if who.wounds < 10} == {"b", "c"}
    question = next(decision for decision in answers.asked if decision.topic == "torrent")
    refusals = {option.key: option.refusal for option in question.options}  # type: ignore[attr-defined]
    assert refusals == {"c": None, "d": "D: E is within its control range."}, "F is too far from B to be asked about"


@pytest.mark.rule("KT24-W-TORRENT")
def test_torrent_may_leave_targets_out() -> None:
    field = Field().add("a", "red", (3, 3), ranged('Torrent 2"')).add("b", "blue", (12, 3)).add("c", "blue", (14, 3))
    game = field.act("a", Shoot(), dice=[(3, 1, 1, 1), (1, 1, 1)], choose={"target": "b", "torrent": [()]})
    assert game.state.operatives["c"].wounds == 10


@pytest.mark.rule("KT24-W-SEEK")
@pytest.mark.rule("KT24-W-SEEK-LIGHT")
def test_seek_reaches_target_selection_and_cover_saves_remain() -> None:
    for rules, wanted in (((), True), (("Seek",), False)):
        field = Field().add("a", "red", (3, 3), ranged(*rules)).add("b", "blue", (12, 3), order="conceal")
        field.table.rulings[("a", "b")] = {"in_cover": True}
        dice = [] if wanted else [(3, 1, 1, 1), (1, 1)]
        game = field.act("a", Shoot(), dice=dice)
        assert any("cancels" in line for line in story(game)) is wanted
    assert KT24_WEAPON_RULES.parse("seek light").sight_words == ("seek light",)
    assert KT24_WEAPON_RULES.parse("range 8").sight_words == ("range 8",)


@pytest.mark.rule("KT24-SIMUL")
def test_a_rule_twice_helps_once_and_its_user_chooses_which_x() -> None:
    field = Field().add("a", "red", (3, 3), ranged("Piercing 1", "Piercing 2")).add("b", "blue", (10, 3))
    field.act("a", Shoot(), dice=[(3, 1, 1, 1), (1, 1)], choose={"which rule": "Piercing 1"})
    field.act("a", Shoot(), dice=[(3, 1, 1, 1), (1,)], choose={"which rule": "Piercing 2"})


def test_printed_text_in_any_capitals() -> None:
    for text, printed in (
        ("lethal 5+", "Lethal 5+"),
        ("BLAST 2", 'Blast 2"'),
        ('1" devastating 2', '1" Devastating 2'),
        ("heavy (fall back only)", "Heavy (Fall Back only)"),
        ("piercing   crits 1", "Piercing Crits 1"),
    ):
        assert KT24_WEAPON_RULES.parse(text).text == printed


@pytest.mark.parametrize("text", ["", "lethal", "Lethal 5", "blast", "devastating x", "fusillade", "a" * 500])
def test_unknown_text_is_refused_in_one_sentence(text: str) -> None:
    with pytest.raises(UserError) as caught:
        KT24_WEAPON_RULES.parse(text)
    assert len(caught.value.problems) == 1
    assert "nearest known" in caught.value.problems[0].text


@pytest.mark.rule("KT24-ASSIST")
def test_assist_improves_hit() -> None:
    field = Field().add("a", "red", (3, 3), melee(hit=4)).add("b", "blue", (4.2, 3), CLUB).add("c", "red", (5.4, 3))
    game = field.act("a", Fight(), dice=[(3, 3, 3, 3), (1, 1, 1, 1)], choose={"resolve": ["strike n"] * 4})
    assert game.state.operatives["b"].wounds == 0
    field.add("d", "blue", (6.6, 3))
    game = field.act("a", Fight(), dice=[(3, 3, 3, 3), (1, 1, 1, 1)])
    assert game.state.operatives["b"].wounds == 10, "C is within another enemy's control range"
