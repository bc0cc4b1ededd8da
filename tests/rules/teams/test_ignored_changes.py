"""Changes to the stats of weapons that are ignored: in the attack dice as everywhere else. All texts are invented."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from engine_help import Field, melee, ranged
from language_help import ground, said
from test_team_reading import rules

from ktsim.rules.engine.attack import Attack
from ktsim.rules.engine.operative_events import ActivationBegan
from ktsim.rules.engine.weapons import make_hand
from ktsim.rules.kt24.shoot import Shoot

ALL = "of: a, name: Zeal, on: always, may: true, do: [{ignore-changes: [all], from: all, with-weapons: true}]"
BODY = ALL.replace(", with-weapons: true", "")
MUST = ALL.replace("may: true, ", "")
BARRED = ALL.replace("from: all", "except: [damage], from: all")
GUN = "of: a, name: Aim, on: always, may: true, do: [{ignore-changes: [hit], from: all, weapons: [gun]}]"


def changing(stat: str, by: int, on: str = "shooting") -> str:
    who = "who: friend" if by > 0 else "who: enemy"
    return f"name: {'Boon' if by > 0 else 'Bane'} {stat}, on: {on}, {who}, do: [{{stat: {stat}, by: {by}}}]"


def armed(*mine: str, theirs: tuple[str, ...] = (), hurt: bool = False) -> Field:
    made = ground(*mine)
    made._rules = (*made._rules, *said(*theirs, side="blue"))
    made.add("a", "red", (5, 5), ranged(hit=4), ranged(hit=4, key="bow"), melee())
    made.state.operatives["a"].wounds = 2 if hurt else 10
    return made.add("e", "blue", (12, 5), melee(), wounds=30)


def dice(made: Field, weapon: str = "gun") -> tuple[int, int, int, int]:
    """Atk, Hit and both damages A attacks with."""
    battle = made.battle()
    a, e = battle.state.operatives["a"], battle.state.operatives["e"]
    ActivationBegan("a", "activation", "engage", 2).apply(battle.state)
    profile = battle.weapon(a, weapon)
    hand = make_hand(battle, Attack(a, profile, battle.weapon_rules(a, profile), battle.hit(a, profile), e))
    return hand.atk, hand.hit, hand.normal, hand.critical


BANES = (changing("atk", -1), changing("hit", -1), changing("damage", -1))
BOONS = (changing("atk", 1), changing("hit", 1), changing("damage", 1))
PRINTED, WORSE, BETTER = (4, 4, 3, 4), (3, 5, 2, 3), (5, 3, 4, 5)


@pytest.mark.parametrize(
    ("says", "expected"),
    [
        ((), WORSE),
        ((ALL,), PRINTED),
        ((MUST,), PRINTED),
        ((BARRED,), (4, 4, 2, 3)),
        ((BODY,), (3, 4, 2, 3)),
        ((GUN,), (3, 4, 2, 3)),
    ],
)
def test_worse_stats_of_weapons_are_as_they_are_printed(says: tuple[str, ...], expected: tuple[int, ...]) -> None:
    assert dice(armed(*says, theirs=BANES)) == expected


@pytest.mark.parametrize(
    ("says", "expected"), [((), PRINTED), ((ALL,), BETTER), ((MUST,), PRINTED), ((GUN,), (4, 3, 3, 4))]
)
def test_what_is_better_is_kept_beside_what_is_worse(says: tuple[str, ...], expected: tuple[int, ...]) -> None:
    assert dice(armed(*says, *BOONS, theirs=BANES)) == expected


def test_changes_for_the_better_alone_are_kept_where_its_player_may_choose() -> None:
    assert dice(armed(ALL, *BOONS)) == BETTER
    assert dice(armed(MUST, *BOONS)) == PRINTED


@pytest.mark.parametrize(
    ("says", "weapon", "hit"),
    [
        ((), "gun", 5),
        ((ALL,), "gun", 4),
        ((GUN,), "gun", 4),
        ((GUN,), "bow", 5),
        ((GUN.replace("[hit]", "[damage]"),), "gun", 5),
        ((GUN.replace("from: all", "from: injury"),), "gun", 4),
        ((ALL, GUN), "gun", 4),
        ((ALL.replace("from: all", "from: injury"), GUN), "gun", 4),
        ((ALL, GUN, changing("hit", 1)), "gun", 3),
        ((GUN, changing("hit", 1)), "gun", 3),
        ((GUN, changing("hit", 1)), "bow", 4),
    ],
)
def test_hit_of_who_is_injured(says: tuple[str, ...], weapon: str, hit: int) -> None:
    assert dice(armed(*says, hurt=True), weapon)[1] == hit


def test_only_being_injured_is_ignored_where_no_more_is_said() -> None:
    injury = ALL.replace("from: all", "from: injury")
    assert dice(armed(injury, theirs=BANES, hurt=True)) == WORSE


def test_who_does_not_ignore_them_has_them() -> None:
    """The rule is on A's datacard, and it is E that shoots."""
    made = armed(ALL, changing("damage", -1))
    made.cards["e"] = replace(made.cards["e"], weapons=(ranged(),))
    game = made.act("e", Shoot(), dice=[(5, 5, 1, 1), (1, 1, 1)])
    assert game.state.operatives["a"].wounds == 6


@pytest.mark.parametrize(("says", "left"), [((), 4), ((ALL,), 7), ((BODY,), 7), ((ALL.replace("[all]", "[hit]"),), 4)])
def test_a_save_that_is_worse_while_it_is_shot(says: tuple[str, ...], left: int) -> None:
    """A fails with 4 unless its Save of 4+ is as printed."""
    bane = "name: Bane, on: shot-at, who: enemy, do: [{stat: save, by: -1}]"
    made = armed(*says, theirs=(bane,))
    made.cards["e"] = replace(made.cards["e"], weapons=(ranged(),))
    game = made.act("e", Shoot(), dice=[(5, 5, 1, 1), (4, 1, 1)])
    assert game.state.operatives["a"].wounds == left


@pytest.mark.parametrize(
    ("more", "is_said"),
    [
        (" (including its weapons' stats)", True),
        (" (including its weapons' stats, but excluding its Save stat)", True),
        ("", None),
    ],
)
def test_whether_weapons_stats_are_included_is_read(more: str, is_said: Any) -> None:
    (rule,) = rules(f"You can ignore any changes to this operative's stats{more}.")
    (effect,) = rule["do"]
    assert effect.get("with-weapons") is is_said
