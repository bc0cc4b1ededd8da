"""Teams in 2021 games: files of their own, and 2024 teams converted."""

from __future__ import annotations

from collections import Counter
from itertools import product
from typing import Any

import pytest
from engine_help import RIFLE
from lite_table import LiteTable

from ktsim.content.yaml_tree import parse, to_yaml
from ktsim.errors import Problem, UserError
from ktsim.game.setup import Setup, prepare
from ktsim.rules.engine.cards import Team
from ktsim.rules.engine.state import Effect
from ktsim.rules.kt21.conversion import converted, counterpart, fielded
from ktsim.rules.kt21.edition import KT21
from ktsim.rules.kt24.edition import KT24
from ktsim.rules.teams.team_file import find_team, parse_team, team_files
from ktsim.sight.scene import WallLine

LITE_TEAMS = sorted(team_files("kt21-lite"))
TEAMS = sorted(team_files())


def raw_team(**more: Any) -> dict[str, Any]:
    weapon = {"name": "Gun", "kind": "ranged", "atk": 4, "hit": 3, "damage": [3, 4], "rules": more.pop("rules", [])}
    stats = {"apl": 2, "move": 6, "save": 4, "wounds": 8, **more.pop("stats", {})}
    operative = {"name": "One", "stats": stats, "base": 28, "weapons": [weapon], "limit": 2}
    return {"ktsim": "team/1", "name": "Testers", "size": 1, "roster": ["one"], "operatives": [operative], **more}


def read(raw: dict[str, Any]) -> tuple[Team, list[str]]:
    problems: list[Problem] = []
    team = parse_team(parse(to_yaml(raw).encode(), "t"), "t", KT24.weapon_rules, problems)
    return team, [problem.text for problem in problems]


def test_a_file_names_its_edition_and_is_read_by_its_rules() -> None:
    team, problems = read(raw_team(edition="kt21-lite", rules=["AP1"], stats={"df": 4, "invulnerable": 5}))
    assert problems == []
    assert (team.edition, team.cards[0].defence, team.cards[0].invulnerable) == ("kt21-lite", 4, 5)
    assert read(raw_team(edition="kt21-lite"))[0].cards[0].defence == 3
    assert "unknown weapon rule 'AP1'" in read(raw_team(rules=["AP1"]))[1][0]
    assert read(raw_team(stats={"df": 4}))[1] == ["df: unknown field"], "2024 has no Df"
    assert "edition: 'kt18' is not one of" in read(raw_team(edition="kt18"))[1][0]


@pytest.mark.parametrize("name", LITE_TEAMS)
def test_shipped_2021_teams_are_complete(name: str) -> None:
    team = find_team(name, KT21.weapon_rules)
    assert (team.id, team.edition) == (name, "kt21-lite")
    assert Counter(ploy.kind for ploy in team.ploys) == {"strategy": 4, "firefight": 4}
    assert all(ploy.is_enforced for ploy in team.ploys if ploy.kind == "strategy")
    assert [card.limit for card in team.cards if "leader" in card.keywords] == [1]
    assert all(any(weapon.kind == "melee" for weapon in card.weapons) for card in team.cards)


def test_the_two_teams_use_every_weapon_rule() -> None:
    assert len(LITE_TEAMS) >= 2
    used = {
        KT21.weapon_rules.parse(rule).id
        for name in LITE_TEAMS
        for card in find_team(name, KT21.weapon_rules).cards
        for weapon in card.weapons
        for rule in weapon.rules
    }
    assert {cls.id for cls in KT21.weapon_rules._classes.values()} - used == set()
    assert any(card.invulnerable for name in LITE_TEAMS for card in find_team(name, KT21.weapon_rules).cards)


@pytest.mark.parametrize(
    ("rule", "kind", "becomes"),
    [
        ("Piercing 2", "ranged", "AP2"),
        ("Piercing Crits 1", "ranged", "P1"),
        ('Range 6"', "ranged", 'Rng 6"'),
        ('Blast 1.5"', "ranged", 'Blast 1.5"'),
        ('Torrent 2"', "ranged", 'Torrent 2"'),
        ("Devastating 3", "ranged", "MW3"),
        ("Devastating 3", "melee", None),
        ('1" Devastating 2', "ranged", "Splash 2"),
        ("Saturate", "ranged", "No Cover"),
        ("Seek", "ranged", "Indirect"),
        ("Seek Light", "ranged", None),
        ("Shock", "melee", "Stun"),
        ("Heavy", "ranged", "Heavy"),
        ("Heavy (Dash only)", "ranged", "Heavy"),
        ("Heavy (Reposition only)", "ranged", None),
        ("Limited 1", "ranged", "Limited"),
        ("Limited 2", "ranged", None),
        ("Lethal 5+", "melee", "Lethal 5+"),
        ("Brutal", "melee", "Brutal"),
        ("Brutal", "ranged", None),
        ("Accurate 1", "ranged", None),
        ("Punishing", "ranged", None),
        ("Severe", "melee", None),
    ],
)
def test_counterparts(rule: str, kind: str, becomes: str | None) -> None:
    assert KT24.weapon_rules.parse(rule).text == rule, "as 2024 prints it"
    assert counterpart(rule, kind) == becomes
    if becomes is not None:
        assert KT21.weapon_rules.parse(becomes).text == becomes


@pytest.mark.parametrize("name", TEAMS)
def test_a_converted_team_has_2021_rules_only_and_shows_the_rest(name: str) -> None:
    team = find_team(name, KT24.weapon_rules)
    lite = converted(team)
    for before, after in zip(team.cards, lite.cards, strict=True):
        assert (after.apl, after.move, after.save, after.wounds) == (
            before.apl,
            before.move,
            before.save,
            before.wounds,
        )
        assert (after.defence, after.invulnerable) == (3, 0)
        for old, new in zip(before.weapons, after.weapons, strict=True):
            assert all(KT21.weapon_rules.find(rule) for rule in new.rules)
            lost = [rule for rule in old.rules if counterpart(rule, old.kind) is None]
            assert list(new.shown) == [*old.shown, *lost]
            texts = [card.text for card in lite.shown(after)]
            assert all(any(rule in text for text in texts) for rule in lost)
    granted = [effect.grants for ploy in lite.ploys for effect in ploy.effects if effect.grants]
    assert all(map(KT21.weapon_rules.find, granted))
    own = [*lite.ploys, *lite.abilities, *(ability for card in lite.cards for ability in card.abilities)]
    assert not any(each.rule for each in own), "no class written for 2024 is in force"


def test_a_2021_team_is_refused_in_a_2024_game() -> None:
    with pytest.raises(UserError) as caught:
        prepare(Setup(board="open", table="plain", red=LITE_TEAMS[0]))
    (problem,) = caught.value.problems
    assert problem.text == "Cinder Choir is a team for kt21-lite; it cannot be fielded in a game of kt24"
    team = find_team(LITE_TEAMS[0], KT21.weapon_rules)
    assert fielded(team, KT21) is team


def test_any_two_teams_can_play() -> None:
    for red, blue in product([*TEAMS, *LITE_TEAMS], repeat=2):
        battle, state = prepare(Setup(edition="kt21-lite", board="open", table="plain", red=red, blue=blue))
        assert {team.edition for team in battle.teams.values()} == {"kt21-lite"}
        assert len(state.operatives) == battle.teams["red"].size + battle.teams["blue"].size


@pytest.mark.rule("KT21-WALLDIST")
@pytest.mark.parametrize(("y", "is_near"), [(11, False), (14.5, True)])
def test_a_ploy_may_ask_for_heavy_terrain_which_a_wall_is_at_its_ends_only(y: float, is_near: bool) -> None:
    table = LiteTable(walls=(WallLine("w", (10, 8), (10, 14)),)).add("a", "red", (11, y), RIFLE)
    granted = Effect("Dig In", "X", "battle", "a", grants="Balanced", only_if='within 1" of Heavy terrain')
    table.state.effects.append(granted)
    battle = table.battle()
    who = battle.state.operatives["a"]
    assert [rule.text for rule in battle.weapon_rules(who, RIFLE)] == (["Balanced"] if is_near else [])
