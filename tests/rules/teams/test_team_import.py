"""Community JSON becomes a team file; what cannot be turned into behaviour is shown, what is broken is listed."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from language_help import texts
from team_json import operative, profile, rule, sample, weapon

from ktsim.cli import main
from ktsim.content.files import JSON_LIMIT
from ktsim.content.yaml_tree import parse, to_yaml
from ktsim.errors import Problem, UserError
from ktsim.rules.engine.cards import Team
from ktsim.rules.kt24.edition import KT24
from ktsim.rules.teams.importing.hanging import with_what_is_left
from ktsim.rules.teams.importing.report import LINE_LIMIT, WORDS, Item, Report
from ktsim.rules.teams.importing.team import TEXT_BUDGET, import_team
from ktsim.rules.teams.importing.values import Row
from ktsim.rules.teams.importing.weapons import WeaponReader
from ktsim.rules.teams.team_file import load_team, parse_team
from ktsim.sight.scene import Base


def imported(data: Any) -> tuple[Team, Report]:
    """The team that comes out, read back from its YAML, and the report."""
    made = import_team(data, "moth.json", KT24, {})
    problems: list[Problem] = []
    team = parse_team(parse(to_yaml(made.document).encode(), "t"), "t", KT24.weapon_rules, problems)
    assert problems == []
    return team, made.report


def test_a_team_comes_out_whole() -> None:
    team, report = imported(sample())
    assert report.failed == []
    assert (team.name, team.archetypes, team.size) == ("Moth Office", ("seek-and-destroy", "security"), 2)
    clerk, cart = team.cards
    assert (clerk.apl, clerk.move, clerk.save, clerk.wounds) == (3, 6, 4, 9)
    assert (cart.apl, cart.move) == (0, 0)
    assert (clerk.base, cart.base) == (Base.of_mm(28), Base.of_mm(60, 35))
    assert clerk.keywords == ("moth", "clerk", "leader")
    assert {weapon.name: (weapon.kind, weapon.rules, weapon.shown) for weapon in clerk.weapons} == {
        "Inkwell": ("ranged", ('Range 8"', "Piercing Crits 1"), ()),
        "Stapler (Slow)": ("ranged", ("Heavy (Dash only)",), ()),
        "Stapler (Quick)": ("ranged", ("Lethal 5+",), ("Dust",)),
        "Ruler": ("melee", ("Brutal",), ()),
    }
    assert [(w.atk, w.hit, w.normal, w.critical) for w in clerk.weapons] == [(4, 3, 3, 4)] * 4


def test_texts_become_reminders_with_their_moment() -> None:
    team, report = imported(sample())
    assert {card.title: card.when for card in team.shown()} == {
        "Overtime": ("strategy",),
        "Tea Break": ("firefight",),
        "Paperwork": ("activation",),
        "Blotter": ("set-up",),
        "Selecting the team": ("set-up",),
    }
    clerk = team.shown(team.card("head-clerk"))
    assert {card.title: card.when for card in clerk} == {
        "Dust": ("fighting",),
        "Filing": ("shooting",),
        "Stamp (1AP)": ("activation",),
    }
    assert clerk[1].text == "Whenever this operative is shooting, file a form.\n\n- Twice"
    assert clerk[2].text == "Stamp a form.\nNot: Never at lunch."
    assert not team.ploys
    titles = [card.title for card in [*team.shown(), *clerk]]
    told = [item.line for item in report.items if item.status in ("shown", "partly")]
    assert all(any(title in line for line in told) for title in titles)


def test_the_report_names_everything_enforced() -> None:
    _, report = imported(sample())
    lines = [item.line for item in report.items if item.status == "enforced"]
    assert lines[0] == 'enforced: Head Clerk: APL 3, Move 6", Save 4+, Wounds 9, 28 mm base'
    assert lines[1] == 'enforced: Head Clerk: Inkwell, ranged, Atk 4, Hit 3+, Dmg 3/4, Range 8", Piercing Crits 1'
    rules = [line for line in lines if line.startswith("enforced: weapon rule ")]
    assert len(rules) == 5
    assert len(lines) == 2 + 5 + len(rules)


@pytest.mark.parametrize(
    ("given", "text"),
    [
        (rule("UNIV-ACCURATE", 1), "Accurate 1"),
        (rule("UNIV-BLAST", 2), 'Blast 2"'),
        (rule("UNIV-BLAST", '2"'), 'Blast 2"'),
        (rule("UNIV-DEVASTATING", 3), "Devastating 3"),
        (rule("UNIV-DEVASTATING", 1, '1"'), '1" Devastating 1'),
        (rule("UNIV-HEAVY"), "Heavy"),
        (rule("UNIV-HEAVY", 0), "Heavy"),
        (rule("UNIV-HEAVY", None, "Reposition"), "Heavy (Reposition only)"),
        (rule("UNIV-HEAVY", None, "dash only"), "Heavy (Dash only)"),
        (rule("UNIV-LETHAL", 5), "Lethal 5+"),
        (rule("UNIV-LETHAL", "5+"), "Lethal 5+"),
        (rule("UNIV-LIMITED", 1.0), "Limited 1"),
        (rule("UNIV-PIERCING", 2), "Piercing 2"),
        (rule("UNIV-PIERCING", 1, "Crits"), "Piercing Crits 1"),
        (rule("UNIV-RANGE", 6), 'Range 6"'),
        (rule("UNIV-SEEK", None, "Light"), "Seek Light"),
        (rule("UNIV-TORRENT", 1), 'Torrent 1"'),
        (rule("UNIV-TORRENT", 0), 'Torrent 0"'),
        (rule("univ-stun"), "Stun"),
        (rule("UNIV-PSYCHIC"), "Psychic"),
        (rule("UNIV-PIERCING-CRITS", 1), "Piercing Crits 1"),
        (rule("UNIV-SEEK-LIGHT"), "Seek Light"),
        (rule("UNIV-DEVASTATING", 1) | {"prefix_num": 2}, '2" Devastating 1'),
        (rule("UNIV-HEAVY", None, "(Repos)"), "Heavy (Reposition only)"),
        (rule("UNIV-HEAVY", None, "Dash Only"), "Heavy (Dash only)"),
        ({"text": 'Rng 8"'}, 'Range 8"'),
        ({"text": "Dev2"}, "Devastating 2"),
        ({"text": '1" Dev 3'}, '1" Devastating 3'),
        ({"text": "Heavy (Repos Only)"}, "Heavy (Reposition only)"),
        ({"text": "Piercing Crit 1"}, "Piercing Crits 1"),
        ({"text": "Splendid 3"}, None),
        # Nothing given may be dropped: these have something no printed rule has.
        (rule("UNIV-HEAVY", 3), None),
        (rule("UNIV-HEAVY", None, "Crits"), None),
        (rule("UNIV-BRUTAL", 2), None),
        (rule("UNIV-LETHAL"), None),
        (rule("UNIV-RANGE", float("nan")), None),
        (rule("UNIV-RANGE", [8]), None),
        (rule("SHARED-HOT"), None),
        ({"number": 3}, None),
        ({"id": 5}, None),
    ],
)
def test_weapon_rules_by_id_and_number(given: dict[str, Any], text: str | None) -> None:
    assert WeaponReader(KT24, {}, Report()).printed(Row(given, "WR", Report())) == text


def test_every_printed_rule_without_a_value_has_its_id() -> None:
    for form in KT24.weapon_rules.forms:
        if "{" not in form and " " not in form:
            given = rule(f"UNIV-{form.upper()}")
            assert WeaponReader(KT24, {}, Report()).printed(Row(given, "WR", Report())) == form


def change(path: str, value: Any) -> dict[str, Any]:
    """The sample with one value replaced; deleted when it is ``...``."""
    data: Any = sample()
    at = data
    *steps, last = [int(step) if step.isdigit() else step for step in path.split(".")]
    for step in steps:
        at = at[step]
    if value is ...:
        del at[last]
    else:
        at[last] = value
    return data  # type: ignore[no-any-return]


@pytest.mark.parametrize(
    ("path", "value", "place", "operatives", "profiles"),
    [
        ("opTypes.0.APL", ..., "opTypes[0].APL: is missing", 1, 1),
        ("opTypes.0.APL", "many", "opTypes[0].APL: is 'many'", 1, 1),
        ("opTypes.0.APL", True, "opTypes[0].APL: is True", 1, 1),
        ("opTypes.0.WOUNDS", float("nan"), "opTypes[0].WOUNDS: is nan", 1, 1),
        ("opTypes.0.SAVE", "9+", "opTypes[0].SAVE: is '9+'", 1, 1),
        ("opTypes.0.MOVE", {"x": 1}, "opTypes[0].MOVE: is an object", 1, 1),
        ("opTypes.0.opTypeName", None, "opTypes[0].opTypeName: is empty", 1, 1),
        ("opTypes.0", "clerk", "opTypes[0]: is 'clerk'", 1, 1),
        ("opTypes.0.basesize", "wide", "opTypes[0].basesize: is 'wide'", 2, 5),
        ("opTypes.0.basesize", "60x3500", "opTypes[0].basesize: is '60x3500'", 2, 5),
        ("opTypes.0.keywords", 7, "opTypes[0].keywords: is 7", 2, 5),
        ("opTypes.0.abilities", "none", "opTypes[0].abilities: is 'none'", 2, 5),
        ("opTypes.0.abilities.0.description", 4, "abilities[0].description: is 4", 2, 5),
        ("opTypes.0.weapons", 3, "opTypes[0].weapons: is 3", 2, 1),
        ("opTypes.0.weapons.0.wepName", ..., "weapons[0].wepName: is missing", 2, 4),
        ("opTypes.0.weapons.0.wepType", "E", None, 2, 5),
        ("opTypes.0.weapons.2.wepType", "E", None, 2, 5),
        ("opTypes.0.weapons.0.wepType", "P", None, 2, 5),
        ("opTypes.0.weapons.2.wepType", "P", None, 2, 5),
        ("opTypes.0.weapons.2.wepType", "Q", "weapons[2].wepType: is 'Q'", 2, 4),
        ("opTypes.0.weapons.0.profiles", ..., "weapons[0].profiles: is missing", 2, 4),
        ("opTypes.0.weapons.1.profiles.0.DMG", "3", "profiles[0].DMG: is '3'", 2, 4),
        ("opTypes.0.weapons.1.profiles.0.DMG", "3/400", "profiles[0].DMG: is '3/400'", 2, 4),
        ("opTypes.0.weapons.1.profiles.0.HIT", "1+", "profiles[0].HIT: is '1+'", 2, 4),
        ("opTypes.0.weapons.1.profiles.0.ATK", [4], "profiles[0].ATK: is a list of 1", 2, 4),
        ("opTypes.0.weapons.0.profiles.0.WR.0.id", "WR-NOBODY", "WR[0].id: is 'WR-NOBODY'", 2, 5),
        ("opTypes.0.weapons.0.profiles.0.WR.0.id", ..., "WR[0].id: is missing", 2, 5),
        ("opTypes.0.weapons.0.profiles.0.WR", "Range", "profiles[0].WR: is 'Range'", 2, 5),
        ("archetypes.0", "Cooking", "archetypes: 'Cooking'", 2, 5),
        ("ploys.0.ployType", "Q", "ploys[0].ployType: is 'Q'", 2, 5),
        ("killteamName", ..., "killteamName: is missing", 2, 5),
        ("killteamName", "a\x1b[31mb", "killteamName: has unprintable", 2, 5),
        ("killteamName", "long " * 30, "killteamName: has unprintable characters or more than 64", 2, 5),
    ],
)
def test_a_broken_value_is_listed_and_the_rest_loads(
    path: str, value: Any, place: str | None, operatives: int, profiles: int
) -> None:
    team, report = imported(change(path, value))
    assert len(team.cards) == operatives
    assert sum(len(card.weapons) for card in team.cards) == profiles
    if place is None:
        assert report.failed == []
    else:
        assert any(place in line for line in report.failed), report.failed
    assert all(line.isprintable() for line in report.lines())


@pytest.mark.parametrize("value", ["ATK", "HIT", "DMG"])
def test_a_profile_that_is_left_out_is_named(value: str) -> None:
    _, report = imported(change(f"opTypes.0.weapons.1.profiles.0.{value}", "many"))
    assert any("profile of Head Clerk, Stapler left out" in said for said in report.failed)


def test_an_unknown_weapon_rule_keeps_its_name_on_the_weapon() -> None:
    team, _ = imported(change("opTypes.0.weapons.0.profiles.0.WR.0", rule("MOTH-GLOW", 3)))
    assert team.cards[0].weapons[0].rules == ("Piercing Crits 1",)
    assert team.cards[0].weapons[0].shown == ("MOTH-GLOW 3",)


def test_names_that_would_share_an_id_are_numbered() -> None:
    gun = weapon("Gun", "R", profile())
    data = sample() | {"opTypes": [operative(name, gun, gun) for name in ("Том", "Боб", "Ann", "ann!", "1e5", "null")]}
    team, report = imported(data)
    assert [card.name for card in team.cards] == ["Том", "Боб 2", "Ann", "ann! 2", "1e5", "null"]
    assert len({card.id for card in team.cards}) == 6
    assert [weapon.name for weapon in team.cards[0].weapons] == ["Gun", "Gun 2"]
    assert report.failed == []


def test_leaders_come_first_and_at_most_twenty_are_selected() -> None:
    data = sample()
    data["opTypes"] = [operative(f"Moth {n}") for n in range(25)] + [data["opTypes"][0]]
    team, _ = imported(data)
    assert team.size == 20
    assert team.roster[:2] == ("head-clerk", "moth-0")


def test_very_long_texts_and_lists_are_cut_and_said() -> None:
    data = sample()
    guns = [weapon(f"Gun {number}", "R", profile()) for number in range(50)]
    data["opTypes"] = [operative(f"Moth {number}", *guns) for number in range(130)]
    data["ploys"] = [{"ployType": "S", "ployName": f"P{n}", "description": "word \n" * 3000} for n in range(99)]
    team, report = imported(data)
    assert len(team.cards) == 120
    assert sum(len(card.weapons) for card in team.cards) == 800
    assert sum(len(card.text) for card in team.shown()) < TEXT_BUDGET
    failed = "\n".join(report.failed)
    cut = ("has 130 items; the first 120 are read", "has 50 items", "at most 800", "first 4000 are kept", "bytes")
    for words in cut:
        assert words in failed


def test_the_report_counts_what_it_does_not_list() -> None:
    report = Report()
    for number in range(LINE_LIMIT + 5):
        report.items.append(Item("ploy", "x", f"{number}\x1b[0m", "failed"))
    lines = list(report.lines())
    assert lines[-2:] == ["failed: and 5 more", "0 enforced, 0 partly, 0 only shown, 305 failed"]
    assert all(line.isprintable() for line in lines)


@pytest.mark.parametrize("data", [[], None, 5, "x", {}, {"opTypes": []}, {"opTypes": {}}, {"opTypes": [{}]}])
def test_nothing_usable(data: Any) -> None:
    with pytest.raises(UserError) as caught:
        import_team(data, "moth.json", KT24, {})
    assert all(str(problem).startswith("moth.json: ") for problem in caught.value.problems)


def test_a_file_of_weapon_rules_is_not_a_team() -> None:
    with pytest.raises(UserError, match="weapon rules, not a team"):
        import_team({"weapon_rules": []}, "weapon_rules.json", KT24, {})


# -- the command -------------------------------------------------------------------------------------


def test_the_command_prints_the_team_and_reports(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "moth.json"
    path.write_text(json.dumps(sample()), encoding="utf-8")
    assert main(["team", "import", str(path)]) == 0
    printed = capsys.readouterr()
    out = tmp_path / "moth.yaml"
    assert main(["team", "import", str(path), "--out", str(out)]) == 0
    assert out.read_text(encoding="utf-8") == printed.out
    assert capsys.readouterr().out == ""
    assert load_team(out, KT24.weapon_rules).name == "Moth Office"
    assert printed.err.splitlines()[-1] == "12 enforced, 1 partly, 7 only shown, 0 failed"
    assert sorted(os.listdir(tmp_path)) == ["moth.json", "moth.yaml"]


def mixed() -> dict[str, Any]:
    """A team with ploys that work in full, partly and not, an ability that two operatives have, and a bad value."""
    works = "Whenever a friendly CLERK operative is fighting, its weapons have the Balanced weapon rule."
    texts = {"Sharp Pens": works, "Dusty Pens": f"{works} Whenever it sneezes, nobody hears it."}
    data = sample()
    data["ploys"] += [{"ployType": "S", "ployName": name, "description": text} for name, text in texts.items()]
    data["opTypes"][1]["abilities"] = data["opTypes"][0]["abilities"]
    data["opTypes"][1]["basesize"] = "vast"
    return data


def test_text_json_and_check_tell_the_same(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, out = tmp_path / "moth.json", tmp_path / "moth.yaml"
    path.write_text(json.dumps(mixed()), encoding="utf-8")
    assert main(["team", "import", str(path), "--out", str(out)]) == 0
    lines = capsys.readouterr().err.splitlines()
    assert main(["team", "import", str(path), "--json"]) == 0
    items = json.loads(capsys.readouterr().out)["items"]
    counts = {status: sum(item["status"] == status for item in items) for status in WORDS}
    assert all(counts.values()), counts
    assert lines[-1] == ", ".join(f"{counts[status]} {word}" for status, word in WORDS.items())
    for status, word in WORDS.items():
        assert sum(line.startswith(f"{word}: ") for line in lines) == counts[status]
    assert main(["team", "check", str(out)]) == 0
    told = dict(line.strip().split(": ", 1) for line in capsys.readouterr().out.splitlines())
    assert (told["enforced ploys"], told["partly"]) == ("Sharp Pens", "Overtime, Dusty Pens")
    assert [item["status"] for item in items if item["kind"] == "ploy"] == ["partly", "shown", "enforced", "partly"]
    assert "Filing (2)" in told["only shown"].split(", ")


def test_a_team_belongs_to_no_other_team(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "moth.json"
    path.write_text(json.dumps(sample()), encoding="utf-8")
    assert main(["team", "import", str(path), "--team", "keelwrights"]) == 2
    assert capsys.readouterr().err.startswith("--team names the team of a roster")


def test_shared_weapon_rules_beside_the_file_are_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = change("opTypes.0.weapons.0.profiles.0.WR.0", rule("SHARED-GLOW"))
    path, beside = tmp_path / "moth.json", tmp_path / "weapon_rules.json"
    path.write_text(json.dumps(data), encoding="utf-8")
    rules = [{"id": "WR-SHARED-GLOW", "name": "Glow", "description": "It glows."}]
    beside.write_text(json.dumps({"weapon_rules": rules}), encoding="utf-8")
    assert main(["team", "import", str(path)]) == 0
    told = capsys.readouterr()
    assert "only shown: weapon rule Glow: " in told.err
    assert "0 failed" in told.err
    beside.write_text("{", encoding="utf-8")
    assert main(["team", "import", str(path)]) == 0
    told = capsys.readouterr()
    assert "not read: " in told.err
    assert "WR-SHARED-GLOW" in told.err
    beside.write_text("[1]", encoding="utf-8")
    assert main(["team", "import", str(path)]) == 0


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "is not valid JSON"),
        (b"{", "is not valid JSON"),
        (b'{"a": \n oops}', ":2: is not valid JSON"),
        (b"\xff\xfe{\x00", "is not UTF-8 text"),
        (b"[" * 200_000, "is nested too deep"),
        (b'{"opTypes":' * 100_000, "is nested too deep"),
        (b" " * 20_000_000, "is 20.0 MB; at most 8 MB is read"),
        (b"NaN", "a team is an object"),
        (b"9" * 10_000, "a team is an object"),
    ],
)
def test_files_that_are_no_team(content: bytes, words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "moth.json"
    path.write_bytes(content)
    out = tmp_path / "out.yaml"
    assert main(["team", "import", str(path), "--out", str(out)]) == 2
    told = capsys.readouterr()
    assert words in told.err
    assert told.out == ""
    assert not out.exists()


def test_a_large_file_is_refused_unread(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "sparse.json"
    with path.open("wb") as file:
        file.truncate(JSON_LIMIT * 10_000)
    assert main(["team", "import", str(path)]) == 2
    assert "80000.0 MB" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["nobody.json", "", "x" * 5000, "a\0b", "a\x1b[31m.json"])
def test_names_of_no_file(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for action in ("import", "check"):
        assert main(["team", action, f"{tmp_path}/{name}"]) == 2
        told = capsys.readouterr()
        assert told.err.strip().isprintable()


def test_an_existing_file_stays_when_the_new_one_cannot_be_made(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "moth.json"
    path.write_text(json.dumps(sample()), encoding="utf-8")
    assert main(["team", "import", str(path), "--out", str(tmp_path / "no" / "moth.yaml")]) == 2
    assert "cannot be written" in capsys.readouterr().err


def test_what_hangs_on_a_rule_play_keeps_no_account_of_is_left_to_the_players() -> None:
    lamp = "of: a, name: Lamp, on: always, if: [{not: [{used-rule: Oath, during: battle}]}], do: [{stat: apl, by: 1}]"
    oath = "of: b, name: Oath, limit: once per battle, on: activated, may: true, do: [{heal: 1}]"
    for other, unread in ((oath, ()), (oath.replace("limit: once per battle, ", ""), ("Oath is left to the players",))):
        assert with_what_is_left(texts(lamp, other))[0].unread == unread
    brand = "of: a, name: Brand, on: always, who: enemy, do: [{counts-as: Ash}]"
    hunt = "of: b, name: Hunt, on: shooting, foe: {is: enemy, that: [{token: Ash}]}, do: [{grant: [Balanced]}]"
    assert with_what_is_left(texts(brand, hunt))[0].unread == ()
    assert with_what_is_left(texts(brand, hunt.replace("Ash", "Soot")))[0].unread == ("Ash is left to the players",)


def test_other_ways_of_writing_a_team() -> None:
    """A list of one team, weapon rules as texts, stats by their letters."""
    plain = sample()
    other = json.loads(json.dumps(plain))
    for one in other["opTypes"]:
        one["M"], one["SV"], one["W"] = one.pop("MOVE"), one.pop("SAVE"), one.pop("WOUNDS")
    (one_team, _), (other_team, _) = imported(plain), imported([other])
    stats = [[(card.apl, card.move, card.save, card.wounds) for card in team.cards] for team in (one_team, other_team)]
    assert stats[0] == stats[1]
    other["opTypes"][0]["weapons"][0]["profiles"][0]["WR"] = ["Lethal 5+", 'Rng 8"']
    assert imported(other)[0].cards[0].weapons[0].rules == ("Lethal 5+", 'Range 8"')
    with pytest.raises(UserError, match="is a list of 2"):
        imported([plain, plain])
