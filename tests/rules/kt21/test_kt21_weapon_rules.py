"""Every weapon rule of 2021 with scripted dice, and the case just outside it."""

from __future__ import annotations

from typing import Any

import pytest
from engine_help import Answers, Field, acting, at, hand, melee, ranged, run, story

from ktsim.game.game import Game
from ktsim.rules.engine.action import refuses
from ktsim.rules.engine.activation import activation
from ktsim.rules.engine.battle import Battle
from ktsim.rules.engine.cards import Profile
from ktsim.rules.engine.decisions import Pick, Steps
from ktsim.rules.engine.fight.stages import Duel, fight
from ktsim.rules.engine.shoot.stages import Shot, shoot
from ktsim.rules.kt21.edition import KT21
from ktsim.rules.kt21.fight import LiteFight
from ktsim.rules.kt21.moves import LiteCharge, LiteDash, LiteFallBack, NormalMove
from ktsim.rules.kt21.shoot import OVERWATCH, LiteShoot, overwatch_options, shoot_options
from ktsim.rules.kt21.weapon_rules import KT21_WEAPON_RULES


def shot(
    *rules: str, dice: list[tuple[int, ...]], choose: dict[str, Any] | None = None, save: int = 4, **more: Any
) -> tuple[int, Answers]:
    """The damage of one shooting attack: 4 dice at 3+, 3/4, against Df 3 and Save 4+ unless said."""
    shooting = {name: more.pop(name) for name in ("defence", "cover", "cp", "invulnerable") if name in more}
    answers = Answers(dice, choose)
    result, _ = run(
        shoot(Shot(hand(*rules, edition=KT21, **more), "blue", save, **shooting), KT21.shot_stages), answers
    )
    return result.damage, answers


def duel(
    mine: tuple[str, ...], theirs: tuple[str, ...], dice: list[tuple[int, ...]], choose: dict[str, Any], **more: Any
) -> tuple[Duel, list[Any]]:
    """A combat at 4+ with damage 3/5 on both sides, 12 wounds each."""
    hands = (
        hand(*mine, atk=len(dice[0]), hit=4, damage=(3, 5), edition=KT21),
        hand(*theirs, atk=len(dice[1]), hit=4, damage=(3, 5), side="blue", operative="b", target="a", edition=KT21),
    )
    return run(
        fight(Duel(hands, more.pop("wounds", (12, 12)), verb="parry", **more), KT21.duel_stages), Answers(dice, choose)
    )


def field(*weapons: Profile, **more: Any) -> Field:
    """A shoots B, 7 inches away."""
    return Field(edition=KT21).add("a", "red", (3, 3), *weapons, **more).add("b", "blue", (10, 3))


def wounds(game: Game) -> dict[str, int]:
    return {id: who.wounds for id, who in game.state.operatives.items()}


def reason(options: list[Any], key: str) -> str | None:
    return next(option.refusal for option in options if option.key == key)


# -- the attack dice ---------------------------------------------------------------------------------


@pytest.mark.rule("KT21-W-BALANCED")
def test_balanced_rerolls_one_die_once() -> None:
    damage, answers = shot("Balanced", dice=[(1, 1, 3, 3), (6,), (1, 1, 1)], choose={"reroll": "Balanced 1"})
    assert damage == 10
    assert answers.topics.count("reroll") == 1, "not a second die"


@pytest.mark.rule("KT21-W-CEASELESS")
def test_ceaseless_rerolls_ones_only() -> None:
    damage, answers = shot(
        "Ceaseless",
        hit=4,
        dice=[(1, 1, 3, 4), (4,), (1,), (1, 1, 1)],
        choose={"reroll": ["Ceaseless 1", "Ceaseless 1"]},
    )
    assert damage == 6, "a re-rolled 1 stays a 1"
    asked = next(each for each in answers.asked if each.topic == "reroll")
    assert isinstance(asked, Pick)
    assert asked.open_keys == ["keep", "Ceaseless 1"], "neither the 3 nor the 4"
    _, answers = shot("Ceaseless", hit=4, dice=[(2, 3, 3, 4), (1, 1, 1)])
    assert "reroll" not in answers.topics


@pytest.mark.rule("KT21-W-RELENTLESS")
def test_relentless_rerolls_any_dice_each_once() -> None:
    damage, answers = shot(
        "Relentless",
        dice=[(1, 2, 3, 4), (6,), (1,), (1, 1, 1)],
        choose={"reroll": ["Relentless 1", "Relentless 2", "keep"]},
    )
    assert damage == 10
    last = [each for each in answers.asked if each.topic == "reroll"][-1]
    assert isinstance(last, Pick)
    assert last.open_keys == ["keep", "Relentless 3", "Relentless 4"]


@pytest.mark.rule("KT21-W-LETHAL")
def test_lethal() -> None:
    assert shot("Lethal 5+", dice=[(5, 4, 1, 1), (1, 1, 1)])[0] == 7
    assert shot(dice=[(5, 4, 1, 1), (1, 1, 1)])[0] == 6
    assert shot("Lethal 5+", hit=6, dice=[(5, 1, 1, 1), (1, 1, 1)])[0] == 0, "a 5 is no hit at BS 6+"


@pytest.mark.rule("KT21-W-RENDING")
def test_rending_needs_a_critical_and_a_normal_hit() -> None:
    assert shot("Rending", dice=[(6, 4, 1, 1), (1, 1, 1)], choose={"rending": "yes"})[0] == 8
    assert shot("Rending", dice=[(6, 4, 1, 1), (1, 1, 1)], choose={"rending": "no"})[0] == 7
    assert shot("Rending", dice=[(5, 4, 1, 1), (1, 1, 1)])[0] == 6
    assert shot("Rending", dice=[(6, 6, 1, 1), (1, 1, 1)])[0] == 8


@pytest.mark.rule("KT21-W-HOT")
def test_hot_hurts_for_every_one_that_is_left() -> None:
    game = field(ranged("Hot"), wounds=12).act("a", LiteShoot(), dice=[(1, 1, 2, 4), (1, 1, 1)])
    assert wounds(game) == {"a": 6, "b": 7}, "the 2 is discarded too and does not hurt"
    game = field(ranged("Hot", "Ceaseless"), wounds=12).act(
        "a", LiteShoot(), dice=[(1, 2, 2, 4), (2,), (1, 1, 1)], choose={"reroll": "Ceaseless 1"}
    )
    assert wounds(game)["a"] == 12, "the 1 was re-rolled"
    game = (
        Field(edition=KT21)
        .add("a", "red", (3, 3), melee("Hot"))
        .add("b", "blue", (5, 3), ranged())
        .act("a", LiteFight(), dice=[(1, 1, 1, 1)])
    )
    assert wounds(game)["a"] == 10, "not in combat"


@pytest.mark.rule("KT21-W-MW")
def test_mortal_wounds_for_each_critical_hit_retained() -> None:
    assert shot("MW3", dice=[(6, 6, 3, 1), (6, 6, 6)])[0] == 6, "saves do not help against them"
    assert shot("MW3", dice=[(5, 5, 3, 1), (6, 6, 6)])[0] == 0
    game = Field(edition=KT21).add("a", "red", (3, 3), melee("MW3")).add("b", "blue", (5, 3), ranged())
    assert wounds(game.act("a", LiteFight(), dice=[(6, 1, 1, 1)], choose={"resolve": "strike c"}))["b"] == 6, (
        "not in combat"
    )


@pytest.mark.rule("KT21-W-SPLASH")
def test_splash_reaches_everybody_within_two_inches_of_the_target() -> None:
    table = field(ranged("Splash 1")).add("near", "blue", (10, 6)).add("far", "blue", (10, -0.1))
    table.add("friend", "red", (13, 3))
    game = table.act("a", LiteShoot(), dice=[(6, 6, 1, 1), (6, 6, 1)], choose={"target": "b"})
    assert wounds(game) == {"a": 10, "b": 8, "near": 8, "far": 10, "friend": 8}
    assert shot("Splash 1", "MW2", dice=[(6, 1, 1, 1), (6, 1, 1)])[0] == 3, "two rules, both count"


@pytest.mark.rule("KT21-W-STUN")
def test_stun_when_shooting() -> None:
    game = field(ranged("Stun")).act("a", LiteShoot(), dice=[(6, 1, 1, 1), (6, 6, 6)])
    assert game.battle.apl(game.state.operatives["b"]).value == 1
    game = field(ranged("Stun")).act("a", LiteShoot(), dice=[(5, 1, 1, 1), (6, 6, 6)])
    assert game.battle.apl(game.state.operatives["b"]).value == 2


@pytest.mark.rule("KT21-W-STUN")
def test_stun_lasts_until_the_end_of_the_targets_next_activation() -> None:
    table = field(ranged("Stun"))
    table.state.turning_point = 2

    def both(battle: Battle) -> Steps[None]:
        yield from activation(battle, battle.state.operatives["a"])
        assert battle.apl(battle.state.operatives["b"]).value == 1, "the shooter's activation is over"
        yield from activation(battle, battle.state.operatives["b"])

    chosen = {"order": "engage", "action": ["Shoot", "Pass", "Pass"]}
    answers = Answers([(6, 1, 1, 1), (6, 6, 6)], chosen)
    game = table.play(both, answers)
    assert answers.topics.count("action") == 3, "B generated one AP"
    assert game.battle.apl(game.state.operatives["b"]).value == 2


@pytest.mark.rule("KT21-W-STUN")
def test_stun_in_combat_discards_then_stuns() -> None:
    result, _ = duel(("Stun",), (), [(6, 1, 1), (4, 4, 6)], {"resolve": ["strike c", "strike c", "strike n"]})
    assert result.suffered == (8, 5), "the first critical strike discarded one of two normal hits"
    result, _ = duel(("Stun",), (), [(6, 1), (6, 1)], {"resolve": ["strike c", "strike c"]})
    assert result.suffered == (5, 5), "never a critical hit"
    table = Field(edition=KT21).add("a", "red", (3, 3), melee("Stun")).add("b", "blue", (5, 3), ranged(), wounds=30)
    game = table.act("a", LiteFight(), dice=[(6, 6, 6, 1)], choose={"resolve": ["strike c"] * 3})
    assert game.battle.apl(game.state.operatives["b"]).value == 1
    assert sum("APL -1" in line for line in story(game)) == 1, "the second critical strike, and no other"


# -- the defence -------------------------------------------------------------------------------------


@pytest.mark.rule("KT21-W-AP")
def test_armour_penetration_takes_defence_dice() -> None:
    assert shot("AP2", dice=[(3, 3, 1, 1), (4,)])[0] == 3
    assert shot("AP2", dice=[(3, 3, 1, 1)], defence=2)[0] == 6
    assert shot("AP1", dice=[(3, 3, 1, 1), (4, 1)], cover=0)[0] == 3


@pytest.mark.rule("KT21-W-AP")
@pytest.mark.rule("KT21-W-P")
def test_two_different_aps_are_not_cumulative() -> None:
    assert shot("AP1", "P2", dice=[(6, 3, 1, 1), (4,)])[0] == 4, "AP2 is used, not AP3"


@pytest.mark.rule("KT21-W-P")
def test_piercing_only_with_a_critical_hit() -> None:
    assert shot("P2", dice=[(6, 1, 1, 1), (1,)])[0] == 4
    assert shot("P2", dice=[(5, 1, 1, 1), (1, 1, 1)])[0] == 3


@pytest.mark.rule("KT21-W-INVULNERABLE")
def test_an_invulnerable_save_is_used_instead_with_the_whole_defence() -> None:
    damage, _ = shot("AP2", dice=[(3, 3, 3, 1), (5, 5, 5)], save=3, invulnerable=5, choose={"save": "invulnerable"})
    assert damage == 0, "three dice: AP does not touch it"
    damage, _ = shot("AP2", dice=[(3, 3, 3, 1), (4,)], save=3, invulnerable=5, choose={"save": "save"})
    assert damage == 6
    _, answers = shot(dice=[(3, 3, 3, 1), (4, 4, 4)], save=3)
    assert "save" not in answers.topics, "without one nothing is asked"


@pytest.mark.rule("KT21-W-NO-COVER")
def test_no_cover() -> None:
    assert shot("No Cover", dice=[(3, 1, 1, 1), (1, 1, 1)], cover=1)[0] == 3
    assert shot(dice=[(3, 1, 1, 1), (1, 1)], cover=1)[0] == 0


@pytest.mark.rule("KT21-W-BARRAGE")
def test_barrage_asks_what_is_overhead() -> None:
    table = field(ranged("Barrage"))
    table.table.rulings[("a", "b")] = {"in_cover": True}
    assert wounds(table.act("a", LiteShoot(), dice=[(3, 1, 1, 1), (1, 1, 1)]))["b"] == 7, (
        "the cover in front is nothing"
    )
    table = field(ranged("Barrage"))
    table.table.hidden_from_above.add("b")
    assert wounds(table.act("a", LiteShoot(), dice=[(3, 1, 1, 1), (1, 1)]))["b"] == 10


@pytest.mark.rule("KT21-W-INDIRECT")
def test_indirect_finds_who_hides_and_leaves_the_cover_save() -> None:
    for rules, finds in ((("Indirect",), True), ((), False)):
        table = field(ranged(*rules))
        table.state.operatives["b"].order = "conceal"
        table.table.rulings[("a", "b")] = {"in_cover": True}
        dice = [(3, 1, 1, 1), (1, 1)] if finds else []
        game = table.act("a", LiteShoot(), dice=dice)
        assert ("cancels" in " ".join(story(game))) == (not finds)
        assert wounds(game)["b"] == 10


@pytest.mark.rule("KT21-W-BRUTAL")
def test_brutal_lets_only_critical_hits_parry() -> None:
    for theirs, keys in (
        ((), ["strike c", "strike n", "block cn", "block c-", "block nn"]),
        (("Brutal",), ["strike c", "strike n", "block cn", "block c-"]),
    ):
        hands = (
            hand(atk=2, hit=4, edition=KT21),
            hand(*theirs, atk=2, hit=4, side="blue", operative="b", target="a", edition=KT21),
        )
        answers = Answers([(4, 6), (4, 1)], {"resolve": ["block cn", *(["strike n"] if not theirs else [])]})
        run(fight(Duel(hands, (12, 12), verb="parry"), KT21.duel_stages), answers)
        first = next(each for each in answers.asked if each.topic == "resolve")
        assert isinstance(first, Pick)
        assert first.open_keys == keys
        assert first.options[2].text == "Parry a normal success with a critical success"


@pytest.mark.rule("KT21-W-REAP")
def test_reap_hurts_other_enemies_near_either_fighter() -> None:
    table = Field(edition=KT21).add("a", "red", (5, 3), melee("Reap 2")).add("b", "blue", (7, 3), ranged(), wounds=20)
    table.add("by-me", "blue", (3, 3)).add("by-b", "blue", (9, 3)).add("far", "blue", (7, 5.1))
    table.add("friend", "red", (7, 1))
    game = table.act(
        "a", LiteFight(), dice=[(6, 6, 4, 1)], choose={"enemy": "b", "resolve": ["strike c", "strike n", "strike c"]}
    )
    assert {id: n for id, n in wounds(game).items() if id != "b"} == {
        "a": 10,
        "by-me": 6,
        "by-b": 6,
        "far": 10,
        "friend": 10,
    }


# -- choosing weapon and targets ---------------------------------------------------------------------


@pytest.mark.rule("KT21-W-RNG")
def test_range() -> None:
    """A and B are 6 inches apart, base to base."""
    for inches, can in ((6, True), (5.9, False)):
        game = field(ranged(f'Rng {inches}"')).game(acting("a", LiteShoot()))
        assert ("cancels" in " ".join(story(game))) == (not can)


@pytest.mark.rule("KT21-W-SILENT")
def test_silent_shoots_on_conceal() -> None:
    for rules, can in ((("Silent",), True), ((), False)):
        table = field(ranged(*rules), order="conceal")
        battle = table.battle()
        assert (refuses(battle, battle.state.operatives["a"], LiteShoot()) is None) == can


@pytest.mark.rule("KT21-W-LIMITED")
def test_limited_once_per_battle() -> None:
    table = field(ranged("Limited"), ranged(key="other"))
    game = table.act("a", LiteShoot(), dice=[(1, 1, 1, 1), (1, 1, 1)], choose={"weapon": "gun"})
    options = shoot_options(game.battle, game.state.operatives["a"])
    assert reason(options, "gun") == "Limited: used up."
    assert reason(options, "other") is None


@pytest.mark.rule("KT21-W-LIMITED")
def test_limited_with_blast_makes_all_its_attacks() -> None:
    table = field(ranged("Limited", 'Blast 2"')).add("c", "blue", (12, 3))
    game = table.act("a", LiteShoot(), dice=[(3, 3, 1, 1), (1, 1, 1), (3, 3, 1, 1), (1, 1, 1)], choose={"target": "b"})
    assert wounds(game) == {"a": 10, "b": 4, "c": 4}


@pytest.mark.rule("KT21-W-HEAVY")
def test_heavy_bars_all_moves_but_the_dash() -> None:
    for move, path, can in ((NormalMove(), at(4, 4), False), (LiteDash(), at(4, 4), True)):
        table = field(ranged("Heavy"))
        game = table.play(acting("a", move), Answers(choose={"move": (path,)}))
        refused = refuses(game.battle, game.state.operatives["a"], LiteShoot())
        assert (refused is None) == can, refused
    game = field(ranged("Heavy")).act("a", LiteShoot(), dice=[(1, 1, 1, 1), (1, 1, 1)])
    for move, can in ((NormalMove(), False), (LiteDash(), True), (LiteCharge(), False)):
        assert (refuses(game.battle, game.state.operatives["a"], move) is None) == can
    heavy = KT21_WEAPON_RULES.parse("Heavy")
    assert heavy.forbids_move(LiteFallBack.name)


@pytest.mark.rule("KT21-W-UNWIELDY")
def test_unwieldy_takes_an_extra_ap() -> None:
    game = field(ranged("Unwieldy"), ranged(key="light")).act(
        "a", LiteShoot(), dice=[(1, 1, 1, 1), (1, 1, 1)], choose={"weapon": "gun"}
    )
    assert game.battle.ap_left(game.state.operatives["a"]) == 0
    game = field(ranged("Unwieldy"), ranged(key="light"), apl=1).game(acting("a"))
    options = shoot_options(game.battle, game.state.operatives["a"])
    assert reason(options, "gun") == "Gun: takes 1AP more, 0AP left."
    assert reason(options, "light") is None


@pytest.mark.rule("KT21-W-UNWIELDY")
@pytest.mark.rule("KT21-W-BLAST")
@pytest.mark.parametrize("rule", ["Unwieldy", 'Blast 2"'])
def test_not_for_overwatch(rule: str) -> None:
    battle = field(ranged(rule), ranged(key="other profile"), is_ready=False).battle()
    who = battle.state.operatives["a"]
    assert reason(overwatch_options(battle, who), "gun") == f"Gun: {rule}, not for Overwatch."
    assert OVERWATCH.refusal(battle, who) is None, "with the other profile it can"
    battle = field(ranged(rule), is_ready=False).battle()
    assert OVERWATCH.refusal(battle, battle.state.operatives["a"]) is not None


@pytest.mark.rule("KT21-W-BLAST")
def test_blast_shoots_everybody_near_the_target_out_of_cover() -> None:
    table = field(ranged('Blast 2"')).add("near", "blue", (10, 6), order="conceal").add("far", "blue", (10, -0.1))
    table.add("friend", "red", (13, 3))
    for id in ("b", "near", "friend"):
        table.table.rulings[("a", id)] = {"in_cover": True}
    dice = [(3, 1, 1, 1), (1, 1)] + [(3, 1, 1, 1), (1, 1, 1)] * 2
    game = table.act("a", LiteShoot(), dice=dice, choose={"target": "b", "blast": "friend"})
    assert wounds(game) == {"a": 10, "b": 10, "near": 7, "far": 10, "friend": 7}


@pytest.mark.rule("KT21-W-TORRENT")
def test_torrent_goes_on_within_reach_of_all_that_were_shot() -> None:
    """C and D are each within 2 inches of B, but not of each other."""
    table = field(ranged('Torrent 2"')).add("c", "blue", (10, 6)).add("d", "blue", (12, 1))
    dice = [(3, 1, 1, 1), (1, 1, 1)] * 2
    game = table.act("a", LiteShoot(), dice=dice, choose={"target": "b", "torrent": "c"})
    assert wounds(game) == {"a": 10, "b": 7, "c": 7, "d": 10}
    game = (
        field(ranged('Torrent 2"'))
        .add("c", "blue", (10, 6))
        .act("a", LiteShoot(), dice=dice[:2], choose={"target": "b", "torrent": "none"})
    )
    assert wounds(game)["c"] == 10, "it may stop"


@pytest.mark.rule("KT21-W-TORRENT")
def test_torrent_needs_valid_targets_and_works_in_overwatch() -> None:
    table = field(ranged('Torrent 2"'), is_ready=False).add("c", "blue", (12, 3), order="conceal")
    table.table.rulings[("a", "c")] = {"in_cover": True}
    game = table.act("a", LiteShoot(), dice=[(3, 1, 1, 1), (1, 1, 1)])
    assert wounds(game) == {"a": 10, "b": 7, "c": 10}, "in cover on a Conceal order"
    table = field(ranged('Torrent 2"'), is_ready=False).add("c", "blue", (12, 3))
    game = table.play(
        lambda battle: OVERWATCH.perform(battle, battle.state.operatives["a"]),
        Answers([(4, 1, 1, 1), (1, 1, 1)] * 2, {"target": "b", "torrent": "c"}),
    )
    assert wounds(game) == {"a": 10, "b": 7, "c": 7}


@pytest.mark.rule("KT21-W-FUSILLADE")
def test_fusillade_divides_the_dice() -> None:
    table = field(ranged("Fusillade", atk=5)).add("c", "blue", (12, 3)).add("far", "blue", (10, 6.1))
    game = table.act(
        "a",
        LiteShoot(),
        dice=[(3, 3), (1, 1, 1), (3, 3, 3), (1, 1, 1)],
        choose={"target": "b", "fusillade": [("c",)], "share": "2"},
    )
    assert wounds(game) == {"a": 10, "b": 4, "c": 1, "far": 10}


@pytest.mark.rule("KT21-W-FUSILLADE")
def test_fusillade_reaches_two_inches_and_is_of_shoot_actions() -> None:
    table = field(ranged("Fusillade")).add("far", "blue", (10, 6.1))
    game = table.act("a", LiteShoot(), dice=[(1, 1, 1, 1), (1, 1, 1)], choose={"target": "b"})
    assert "fusillade" not in str(story(game)).lower()
    table = field(ranged("Fusillade"), is_ready=False).add("c", "blue", (12, 3))
    answers = Answers([(4, 4, 1, 1), (1, 1, 1)], {"target": "b"})
    table.play(lambda battle: OVERWATCH.perform(battle, battle.state.operatives["a"]), answers)
    assert "fusillade" not in answers.topics


def test_every_rule_is_found_by_its_printed_text() -> None:
    printed = (
        'ap1, barrage, balanced, blast 2", brutal, ceaseless, fusillade, heavy, hot, indirect, lethal 5+, limited, '
    )
    printed += 'mw3, no cover, p1, reap 1, relentless, rending, rng 6", silent, splash 1, stun, torrent 2", unwieldy'
    found = [KT21_WEAPON_RULES.parse(text) for text in printed.split(", ")]
    assert len({rule.id for rule in found}) == 24
    assert all(rule.id.startswith("KT21-W-") for rule in found)
    assert KT21_WEAPON_RULES.find("Accurate 1") is None
