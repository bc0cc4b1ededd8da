"""Datacards whose names begin with somebody else's keyword, weapons of one name: each is what it is. All texts are
invented."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import pytest
from engine_help import Answers, Field, melee, ranged
from language_help import ground, keyword
from team_json import profile, sample, weapon
from test_team_import import imported

from ktsim.rules.engine.activation import perform
from ktsim.rules.engine.battle import Battle
from ktsim.rules.engine.cards import Profile
from ktsim.rules.engine.decisions import Steps
from ktsim.rules.engine.operative_events import ActivationBegan
from ktsim.rules.engine.shoot.targets import weapon_options
from ktsim.rules.kt24.equipment.grenades import FRAG, ExplosiveRule
from ktsim.rules.kt24.fight import Fight
from ktsim.rules.kt24.shoot import Shoot
from ktsim.rules.teams.roster.roster_file import Roster, RosterOperative, with_roster

# -- datacards ---------------------------------------------------------------------------------------

HASTE = "name: Haste, on: always, who: {is: friend, keyword: [cart]}, do: [{stat: move, by: 2}]"
PORTERS = HASTE.replace("keyword: [cart]", "not: [cart]")


def depot(says: str) -> Field:
    """A cart, and one who pushes carts."""
    made = ground(says).add("a", "red", (3, 5)).add("b", "red", (6, 5)).add("c", "blue", (20, 5))
    made.cards["a"] = replace(made.cards["a"], name="Old Cart")
    made.cards["b"] = replace(made.cards["b"], name="Cart Pusher")
    return keyword(keyword(made, "a", "moth", "cart"), "b", "moth", "cart pusher")


def moves(made: Field) -> list[int]:
    battle = made.battle()
    return [battle.move(battle.state.operatives[id]).value for id in "ab"]


@pytest.mark.parametrize(("says", "expected"), [(HASTE, [8, 6]), (PORTERS, [6, 8])])
def test_a_keyword_is_not_the_beginning_of_somebody_elses_name(says: str, expected: list[int]) -> None:
    assert moves(depot(says)) == expected


@pytest.mark.parametrize(("says", "expected"), [(HASTE, [6, 8]), (PORTERS, [8, 6])])
def test_where_nobody_has_a_keyword_the_name_says_who_is_meant(says: str, expected: list[int]) -> None:
    assert moves(keyword(depot(says), "a", "moth")) == expected


def test_keywords_of_enemies_are_not_the_teams() -> None:
    assert moves(keyword(keyword(depot(HASTE), "a", "moth"), "c", "cart")) == [6, 8]


def test_a_roster_does_not_change_whose_keywords_the_team_has() -> None:
    data = sample()
    team, _ = imported({**data, "opTypes": [data["opTypes"][0], {**data["opTypes"][1], "keywords": "MOTH, CART"}]})
    alone = with_roster(team, Roster("moth", (RosterOperative("head-clerk", ""),)))
    assert [card.name for card in alone.cards] == ["Head Clerk"]
    made = depot(HASTE)
    battle = made.battle()
    battle.teams = {**battle.teams, "red": alone}
    assert battle.move(battle.state.operatives["b"]).value == 6


# -- weapons -----------------------------------------------------------------------------------------

HOOKS = "name: Hooks, equipment: true, on: always, who: friend, do: [{add-weapon: [Hook]BETTER}]"
GIVEN = melee(key="hook", atk=3, hit=4)


def armed(own: Profile, given: Profile = GIVEN, better: str = "") -> Field:
    made = ground(HOOKS.replace("BETTER", better), weapons=(given,))
    made.state.choices = {"red:equipment": "own-hooks"}
    return made.add("a", "red", (5, 5), ranged(), own).add("e", "blue", (6.2, 5), ranged(), wounds=30)


def hooks(made: Field) -> dict[str, int]:
    battle = made.battle()
    return {each.key: each.atk for each in battle.weapons(battle.state.operatives["a"]) if each.kind == "melee"}


GOOD, POOR, OTHER = melee(key="hook", atk=4, hit=4), melee(key="hook", atk=2), melee(key="hook", atk=4, hit=5)


@pytest.mark.parametrize("own", [GOOD, POOR, OTHER])
def test_two_weapons_of_one_name_are_both_there(own: Profile) -> None:
    assert hooks(armed(own)) == {"hook": own.atk, "another-hook": 3}


@pytest.mark.parametrize(("chosen", "dice"), [("hook", 4), ("another-hook", 3)])
def test_each_of_them_is_fought_with_as_it_is(chosen: str, dice: int) -> None:
    answers = Answers([(1,) * dice], {"melee weapon": chosen})
    armed(GOOD).play(partial(fighting, id="a"), answers)


def fighting(battle: Battle, id: str) -> Steps[None]:
    who = battle.state.operatives[id]
    yield ActivationBegan(id, "activation", "engage", 2)
    yield from perform(battle, who, Fight(), 1)


def test_a_weapon_it_has_just_so_is_not_brought_again() -> None:
    assert hooks(armed(GIVEN)) == {"hook": 3}


@pytest.mark.parametrize(("own", "keys"), [(GOOD, ["hook"]), (POOR, ["hook", "another-hook"]), (OTHER, None)])
def test_whoever_has_a_better_version_uses_that(own: Profile, keys: list[str] | None) -> None:
    assert list(hooks(armed(own, better=", unless-better: true"))) == (keys or ["hook", "another-hook"])


def test_a_better_weapon_of_another_name_is_no_version_of_it() -> None:
    sword = melee(key="sword", atk=6, hit=2)
    assert list(hooks(armed(sword, better=", unless-better: true"))) == ["sword", "hook"]


def test_the_limit_of_a_weapon_that_is_given_is_not_that_of_its_namesake() -> None:
    made = ground(
        "name: Flares, on: always, who: friend, limit: once per battle, do: [{add-weapon: [Flare]}]",
        weapons=(ranged(key="flare", atk=1, hit=6),),
    )
    made.add("a", "red", (5, 5), ranged(key="flare"), apl=3).add("e", "blue", (12, 5), wounds=30)
    shoots = partial(made.act, "a", Shoot())
    game = shoots(dice=[(1, 1, 1, 1), (1, 1, 1)], choose={"weapon": "flare"})
    made.state = game.state
    game = shoots(dice=[(1,), (1, 1, 1)], choose={"weapon": "another-flare"})
    who = game.state.operatives["a"]
    whys = {each.key: each.refusal for each in weapon_options(game.battle, who)}
    assert whys == {"flare": None, "another-flare": "Flare: used already (Flares)."}


def test_uses_of_the_teams_grenade_count_whoever_has_one_of_that_name_already() -> None:
    made = Field(ExplosiveRule("red"))
    made.state.notes = {"red:frag-grenade": 1}
    made.add("a", "red", (5, 5), replace(FRAG, hit=3)).add("b", "red", (5, 8), ranged()).add("e", "blue", (9, 5))
    game = made.act("a", Shoot(), dice=[(1, 1, 1, 1), (1, 1, 1)], choose={"weapon": "another-frag-grenade"})
    whys = {
        id: [each.key for each in weapon_options(game.battle, game.state.operatives[id]) if each.refusal is None]
        for id in "ab"
    }
    assert whys == {"a": ["frag-grenade"], "b": ["gun"]}


NOTES = (
    "some operatives already have this weapon but with better stats, in that instance, use the better version",
    "the CLERK operative already has that weapon but with better stats; in this case, use the better one",
)


@pytest.mark.parametrize("note", ["", *(f" Note that {each}." for each in NOTES), f" {NOTES[0].capitalize()}."])
def test_what_is_printed_of_better_versions_is_read(note: str) -> None:
    data = sample()
    given = f"Friendly MOTH operatives have the following melee weapon.{note}"
    knife = {"eqName": "Letter Knives", "description": given, "weapons": [weapon("Knife", "M", profile())]}
    team, _ = imported({**data, "equipments": [knife]})
    (text,) = (each for each in team.texts if each.name == "Letter Knives")
    (effect,) = (each for rule in text.rules for each in rule.do)
    assert effect.get("unless-better") is (True if note else None)
