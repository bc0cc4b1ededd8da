"""What corrections changed, ruled as of the date before and the date after (KT24-DATED)."""

from __future__ import annotations

import pytest
from engine_help import Field, ranged
from op_help import OpField

from ktsim.rules.kt24.shoot import Shoot
from ktsim.sight.dates import CORRECTIONS
from ktsim.sight.scene import RULES_DATES, RulesDate

OLD, NEW = RULES_DATES


@pytest.mark.rule("KT24-DATED")
def test_corrections_hold_from_their_date_on() -> None:
    for correction in CORRECTIONS:
        assert not correction.holds(OLD)
        assert correction.holds(NEW)


@pytest.mark.rule("KT24-DATED", "KT24-OP-FLANK")
@pytest.mark.parametrize(
    ("as_of", "by_turn"),
    [
        (OLD, [0, 1, 3, 5]),
        (NEW, [0, 1, 2, 4]),
    ],
)
def test_a_flank_held_again_pays_two_at_last_only_as_of_2026(as_of: RulesDate, by_turn: list[int]) -> None:
    field = OpField(red="flank", turn=1).add("a", "red", (20, 15)).add("b", "blue", (28, 3))
    field.rules_as_of = as_of
    field.state.choices["red:tac op revealed"] = "flank"
    found = []
    for turn in range(1, 5):
        (field.end_turn if turn == 4 else field.next_turn)()
        found.append(field.vp("red", "tac"))
    assert found == by_turn


@pytest.mark.rule("KT24-DATED", "KT24-OP-FLANK")
def test_the_last_turning_point_pays_one_for_a_flank_not_held_in_the_third() -> None:
    field = OpField(red="flank", turn=2).add("a", "red", (20, 15)).add("b", "blue", (28, 3))
    field.rules_as_of = NEW
    field.state.choices["red:tac op revealed"] = "flank"
    field.next_turn()
    field.state.operatives["a"].y = 5000  # the other flank in the third
    field.next_turn()
    field.state.operatives["a"].y = 15000
    assert field.vp("red", "tac") == 2
    assert field.end_turn().vp("red", "tac") == 3


@pytest.mark.rule("KT24-DATED", "KT24-SMOKE")
@pytest.mark.parametrize(
    ("weapon", "as_of", "is_smoke", "rolled"),
    [
        ("Piercing 2", OLD, True, 3),
        ("Piercing 2", NEW, True, 2),
        ("Piercing 2", NEW, False, 1),
        ("Piercing 1", OLD, True, 3),
        ("Piercing 1", NEW, True, 2),
        ("Piercing Crits 2", OLD, True, 3),
        ("Piercing Crits 2", NEW, True, 2),
        ("Piercing Crits 2", NEW, False, 1),
        ("Piercing Crits 1", NEW, True, 2),
    ],
)
def test_smoke_takes_piercing_away_and_blunts_it_as_of_2026(
    weapon: str, as_of: RulesDate, is_smoke: bool, rolled: int
) -> None:
    field = Field().add("a", "red", (3, 3), ranged(weapon)).add("b", "blue", (15, 3))
    field.rules_as_of = as_of
    field.table.rulings[("a", "b")] = {"blunts_piercing": is_smoke}
    field.act("a", Shoot(), dice=[(6, 1, 1, 1), (1,) * rolled])


@pytest.mark.rule("KT24-DATED", "KT24-SMOKE")
def test_blunted_piercing_crits_still_need_a_critical_success() -> None:
    field = Field().add("a", "red", (3, 3), ranged("Piercing Crits 2")).add("b", "blue", (15, 3))
    field.rules_as_of = NEW
    field.table.rulings[("a", "b")] = {"blunts_piercing": True}
    field.act("a", Shoot(), dice=[(5, 1, 1, 1), (1, 1, 1)])
