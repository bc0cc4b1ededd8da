"""What one shot gives each of its targets: from which origin, in which smoke, behind which cover."""

from __future__ import annotations

import pytest
from engine_help import Answers, Field, acting, ranged
from ground_help import Ground, part, terrain

from ktsim.rules.engine.shoot.targets import rule_on
from ktsim.rules.engine.table import TargetRuling
from ktsim.rules.kt24.shoot import Shoot, save_of


def ruled(ground: Ground) -> TargetRuling:
    battle = ground.ready
    who = battle.state.operatives
    return rule_on(battle, who["a"], who["b"], ())


HALF_WAY = part("half", "way", (9.5, 6, 0), (9.7, 10.9, 6), "heavy")
"""Obscures b at (15, 11) from the lower side of a base at (5, 11), not from its upper side."""


@pytest.mark.rule("SIGHT-14")
@pytest.mark.rule("KT24-E-PORTABLE-BARRICADE")
def test_protective_counts_for_the_origin_that_has_the_barricade_in_the_way() -> None:
    """Leaning down b is obscured, leaning up it is in cover from its barricade."""
    ground = Ground(on=terrain(HALF_WAY), blue=("portable-barricade",))
    ground.add("a", "red", (5, 11), base=32).add("b", "blue", (15, 11), base=32)
    ground.put("blue-portable-barricade-1", "portable-barricade", (14.7, 12.37), turn=90, side="blue").seen()
    best = ruled(ground)
    (other,) = best.alternatives
    battle = ground.ready
    saves = [save_of(battle, battle.state.operatives["b"], each).value for each in (best, other)]
    assert (best.in_cover, best.is_obscured, best.cover_from) == (False, True, ())
    assert (other.in_cover, other.is_obscured) == (True, False)
    assert best.obscured_by == ("half/way",)
    assert other.obscured_by == ()
    assert other.cover_from == ("blue-portable-barricade-1/shield",)
    assert saves == [4, 3]


@pytest.mark.rule("SIGHT-14")
@pytest.mark.rule("KT24-VANTAGE-2")
@pytest.mark.parametrize(("order", "is_improved"), [("conceal", True), ("engage", False)])
def test_the_improved_save_goes_with_the_origin_at_which_light_cover_is_ignored(order: str, is_improved: bool) -> None:
    """Without cover nothing is ignored; an Engage target is valid whatever is ignored."""
    tower = part("tower", "floor", (2, 8, 2.9), (8, 14, 3.0), "vantage")
    bar = part("bar", "light", (13.6, 11.53, 0), (13.8, 16, 1.2), "light")
    ground = Ground(on=terrain(tower, bar, part("half", "way", (9.9, 6, 0), (10.1, 10.9, 6), "heavy")))
    ground.add("a", "red", (5, 11), base=32, level=3000).add("b", "blue", (15, 11), base=32, order=order).seen()
    best = ruled(ground)
    (other,) = best.alternatives
    assert (best.is_valid, best.in_cover, best.is_improved) == (True, False, False)
    assert (other.is_valid, other.in_cover, other.is_improved) == (True, True, is_improved)


@pytest.mark.rule("KT24-SMOKE")
@pytest.mark.rule("KT24-W-BLAST")
@pytest.mark.parametrize(("in_smoke", "rolled"), [((True, False), (3, 1)), ((False, True), (1, 3))])
def test_smoke_takes_piercing_from_those_in_it_only(in_smoke: tuple[bool, bool], rolled: tuple[int, int]) -> None:
    field = Field().add("a", "red", (5, 5), ranged('Blast 2"', "Piercing 2"))
    field.add("b", "blue", (10, 5)).add("c", "blue", (11.5, 5))
    for id, is_in in zip("bc", in_smoke, strict=True):
        field.table.rulings[("a", id)] = {"blunts_piercing": is_in}
    dice = [roll for count in rolled for roll in ((1, 1, 1, 1), (1,) * count)]
    field.act("a", Shoot(), dice=dice, choose={"target": "b"})


@pytest.mark.rule("KT24-W-BLAST")
def test_blast_takes_cover_and_obscured_from_the_primary_target_whatever_the_others_have() -> None:
    field = Field().add("a", "red", (5, 5), ranged('Blast 2"')).add("b", "blue", (10, 5)).add("c", "blue", (11.5, 5))
    other = TargetRuling(in_cover=True)
    field.table.rulings[("a", "c")] = {"is_obscured": True, "alternatives": (other,)}
    game = field.act("a", Shoot(), dice=[(1, 1, 1, 1), (1, 1, 1), (6, 1, 1, 1), (1, 1, 1)], choose={"target": "b"})
    assert game.state.operatives["c"].wounds == 6, "a critical hit, of which being obscured would leave nothing"


@pytest.mark.rule("KT24-W-BLAST")
@pytest.mark.rule("KT24-VANTAGE-1")
@pytest.mark.parametrize(("accurate", "rolled"), [({"b": 1}, (1, 2)), ({"c": 1}, (2, 1)), ({"b": 2, "c": 1}, (0, 1))])
def test_of_a_blast_each_target_has_its_own_accurate(accurate: dict[str, int], rolled: tuple[int, int]) -> None:
    gun = ranged('Blast 2"', atk=2)
    field = Field().add("a", "red", (5, 5), gun).add("b", "blue", (10, 5)).add("c", "blue", (11.5, 5))
    for id, dice in accurate.items():
        field.table.rulings[("a", id)] = {"accurate": dice}
    answers = [dice for count in rolled for dice in ((1,) * count, (1, 1, 1)) if dice]
    game = field.act("a", Shoot(), dice=answers, choose={"target": "b"})
    lost = {id: 10 - game.state.operatives[id].wounds for id in "bc"}
    assert lost == {id: 3 * accurate.get(id, 0) for id in "bc"}, "each die retained unrolled is a normal success"


@pytest.mark.rule("KT24-W-TORRENT")
@pytest.mark.parametrize(("wounds", "sequences"), [(5, 1), (30, 2)])
def test_who_fell_to_the_first_target_of_a_torrent_is_not_shot(wounds: int, sequences: int) -> None:
    """Devastating around the first target takes nine wounds off the second."""
    gun = ranged('Torrent 2"', '2" Devastating 9', atk=1)
    field = Field().add("a", "red", (5, 5), gun).add("b", "blue", (10, 5), wounds=60)
    field.add("c", "blue", (11.5, 5), wounds=wounds)
    dice = [(6,), (1, 1, 1), (1,), (1, 1, 1)][: 2 * sequences]
    field.act("a", Shoot(), dice=dice, choose={"target": "b", "torrent": [("c",)]})


@pytest.mark.rule("SIGHT-14")
@pytest.mark.rule("KT24-W-TORRENT")
@pytest.mark.parametrize(("origin", "defence", "wounds"), [("0", 3, 10), ("1", 2, 6)])
def test_the_origin_is_chosen_for_each_target_of_a_torrent(origin: str, defence: int, wounds: int) -> None:
    """C is obscured from the usual origin, in cover from the other one."""
    field = Field().add("a", "red", (5, 5), ranged('Torrent 3"')).add("b", "blue", (10, 5)).add("c", "blue", (11.5, 7))
    field.table.rulings[("a", "c")] = {"is_obscured": True, "alternatives": (TargetRuling(in_cover=True),)}
    dice = [(1, 1, 1, 1), (1, 1, 1), (6, 1, 1, 1), (1,) * defence]
    game = field.act("a", Shoot(), dice=dice, choose={"target": "b", "origin": origin})
    assert game.state.operatives["c"].wounds == wounds


@pytest.mark.rule("KT24-W-TORRENT")
def test_the_attacker_orders_all_targets_of_a_torrent_the_primary_included() -> None:
    field = Field().add("a", "red", (5, 5), ranged('Torrent 3"')).add("b", "blue", (10, 5)).add("c", "blue", (11.5, 7))
    dice = [(6, 1, 1, 1), (1, 1, 1), (1, 1, 1, 1), (1, 1, 1)]
    game = field.act("a", Shoot(), dice=dice, choose={"target": "b", "torrent order": "c"})
    assert [game.state.operatives[id].wounds for id in ("b", "c")] == [10, 6], "C was shot first"
    answers = Answers([(6, 1, 1, 1), (1, 1, 1)], {"target": "b", "torrent": [()]})
    field.play(acting("a", Shoot()), answers)
    assert "torrent order" not in [each.topic for each in answers.asked]


@pytest.mark.rule("KT24-W-BLAST")
@pytest.mark.parametrize(("far", "says"), [(2.9, "; the Blast also hits the shooter itself"), (3.2, "")])
def test_a_blast_that_would_include_the_shooter_says_so_before_the_target_is_chosen(far: float, says: str) -> None:
    field = Field().add("a", "red", (5, 5), ranged('Blast 2"')).add("b", "blue", (5 + far, 5)).add("c", "blue", (5, 15))
    answers = Answers([(1, 1, 1, 1), (1, 1, 1)], {"target": "c"})
    field.play(acting("a", Shoot()), answers)
    option = next(
        o for each in answers.asked if each.topic == "target" for o in getattr(each, "options", ()) if o.key == "b"
    )
    assert option.text.endswith(says)
    assert ("Blast" in option.text) == bool(says)


@pytest.mark.rule("KT24-W-BLAST")
@pytest.mark.rule("KT24-VANTAGE-1")
def test_a_friend_in_a_blast_from_vantage_gets_the_accurate_of_its_own_order() -> None:
    field = Field().add("a", "red", (3, 3), ranged('Blast 2"')).add("b", "blue", (15, 3)).add("c", "red", (16.5, 4.5))
    field.table.rulings[("a", "c")] = {"accurate": 2}
    answers = Answers([(1, 1, 1, 1), (1, 1, 1), (1, 1), (1, 1, 1)], {"accurate": "2"})
    field.play(acting("a", Shoot()), answers)
    assert "accurate" in [each.topic for each in answers.asked]
