"""The odds the window shows are those of the sequence play would run, in either edition."""

from __future__ import annotations

import pytest
from engine_help import Field, melee, ranged

from ktsim.app.play.chances import aim, engage
from ktsim.rules.engine.edition import EditionRules
from ktsim.rules.kt21.edition import KT21
from ktsim.rules.kt24.edition import KT24
from ktsim.rules.odds.sequences import Numbers, fight_odds, mean, shoot_odds


@pytest.mark.parametrize("edition", [KT24, KT21])
def test_a_fight_is_solved_from_its_first_roll(edition: EditionRules) -> None:
    one, two = melee("Balanced", key="axe", damage=(4, 5)), melee("Relentless", key="saw", hit=4, damage=(2, 3))
    field = Field(edition=edition).add("a", "red", (5, 11), one, wounds=9).add("b", "blue", (6.5, 11), two, wounds=7)
    battle = field.battle()
    a, b = battle.state.operatives["a"], battle.state.operatives["b"]
    inflicted, suffered = engage(battle, a, one, b, two).chances()
    numbers = [Numbers(w.atk, w.hit, w.normal, w.critical, battle.weapon_rules(a, w)) for w in (one, two)]
    to_a, to_b = fight_odds(numbers[0], 9, numbers[1], 7, edition.duel_stages)
    assert (inflicted.damage, suffered.damage) == pytest.approx((mean(to_b), mean(to_a)))


@pytest.mark.rule("KT21-FIGHT")
@pytest.mark.parametrize(("edition", "is_armed", "hit"), [(KT21, False, 4), (KT21, True, 3), (KT24, False, 3)])
def test_who_supports_in_the_odds_supports_in_play(edition: EditionRules, is_armed: bool, hit: int) -> None:
    """In 2021 a friend without a melee weapon does not support."""
    axe, gun = melee(key="axe", hit=4), ranged(key="gun")
    field = Field(edition=edition).add("a", "red", (5, 11), axe).add("b", "blue", (6.5, 11), axe)
    battle = field.add("c", "red", (8, 11), axe if is_armed else gun).battle()
    a, b = battle.state.operatives["a"], battle.state.operatives["b"]
    inflicted, _ = engage(battle, a, axe, b, axe).chances()
    better = Numbers(axe.atk, hit, axe.normal, axe.critical)
    usual = Numbers(axe.atk, 4, axe.normal, axe.critical)
    _, suffered = fight_odds(better, a.wounds, usual, b.wounds, edition.duel_stages)
    assert inflicted.damage == pytest.approx(mean(suffered))


def test_a_shot_of_2021_meets_the_targets_own_dice_and_save() -> None:
    gun = ranged(key="gun")
    field = Field(edition=KT21).add("a", "red", (3, 11), gun)
    field.add("b", "blue", (10, 11), wounds=9, save=5, invulnerable=4)
    battle = field.battle()
    a, b = battle.state.operatives["a"], battle.state.operatives["b"]
    numbers = Numbers(gun.atk, gun.hit, gun.normal, gun.critical)
    wanted = shoot_odds(numbers, save=5, defence=3, invulnerable=4, stages=KT21.shot_stages)
    assert aim(battle, a, gun, b).chance().damage == pytest.approx(mean(wanted))
    assert mean(wanted) < mean(shoot_odds(numbers, save=5, defence=3, stages=KT24.shot_stages))
