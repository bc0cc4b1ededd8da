"""Who may be in a team, rosters that are legal or say why not, rosters of other programs. All texts are invented."""

from __future__ import annotations

import io
import json
import time
import zipfile
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from team_json import operative, profile, rule, sample, weapon

from ktsim.cli import main
from ktsim.content.yaml_tree import parse, to_yaml
from ktsim.errors import Problem, UserError
from ktsim.rules.engine.cards import Team
from ktsim.rules.kt24.edition import KT24
from ktsim.rules.teams.reading.selection import CardWords, SelectionReader
from ktsim.rules.teams.roster.building import added
from ktsim.rules.teams.roster.composition import CardNames, Composition, ListedChoice, RosterOperative, Slot
from ktsim.rules.teams.roster.roster_file import default_roster, names_in, roster_problems, with_roster
from ktsim.rules.teams.roster.sources import SIZE_LIMIT, read_battlescribe
from ktsim.rules.teams.roster.written import read_composition, written_composition
from ktsim.rules.teams.team_file import find_team, load_team

CARDS = [
    CardWords("head-clerk", "Head Clerk", ("moth", "leader"), ("Ink Pistol", "Ruler", "Stapler", "Paper Knife")),
    CardWords("porter", "Moth Porter", ("moth", "porter"), ("Trolley", "Fists")),
    CardWords("gunner", "Moth Gunner", ("moth", "gunner"), ("Ink Cannon", "Glue Gun", "Fists")),
    CardWords("scribe", "Moth Scribe", ("moth", "scribe"), ("Quill",)),
    CardWords("beetle", "Moth Beetle", ("moth", "beetle"), ("Mandibles",)),
    CardWords("medic", "Moth Medic", ("moth", "medic"), ("Bandage",)),
]
TEXT = """A MOTH kill team is composed of:

- 1 HEAD CLERK operative with one of the following options:
  - Ink pistol; ruler
  - Stapler or ink pistol; paper knife
  Or one option from each of the following:
  - Ink pistol or stapler
  - Ruler
- 4 MOTH operatives selected from the following list:
  - BEETLE (counts as two selections)
  - GUNNER with fists and ink cannon*
  - GUNNER with fists and glue gun*
  - MEDIC*
  - PORTER
  - SCRIBE

Other than PORTER operatives, your kill team can only include each operative on this list once.

*You cannot select more than two of these operatives combined.

Your kill team can only include up to one SCRIBE operative.
"""
NAMES = CardNames({card.id: card.name for card in CARDS}, {card.id: card.weapons for card in CARDS})


def composition(text: str = TEXT) -> Composition:
    return SelectionReader(CARDS, ["Moth"]).read(text)


def take(*types: str, **weapons: tuple[str, ...]) -> list[RosterOperative]:
    return [RosterOperative(type, weapons=weapons.get(type.replace("-", "_"), ())) for type in types]


def test_slots_options_and_limits_are_read() -> None:
    found = composition()
    assert found.unread == ()
    assert [(slot.count, len(slot.choices)) for slot in found.slots] == [(1, 1), (4, 6)]
    [clerk] = found.slots[0].choices
    assert {loadout.weapons for loadout in clerk.loadouts} == {
        ("Ink Pistol", "Ruler"),
        ("Stapler", "Paper Knife"),
        ("Ink Pistol", "Paper Knife"),
        ("Stapler", "Ruler"),
    }
    beetle, cannon, *_ = found.slots[1].choices
    assert beetle.counts == Fraction(2)
    assert (cannon.loadouts[0].weapons, cannon.marks) == (("Fists", "Ink Cannon"), ("*",))
    assert [(limit.what, limit.most, limit.these, limit.but) for limit in found.limits] == [
        ("entries", 1, (), ("porter",)),
        ("operatives", 2, ("#*",), ()),
        ("operatives", 1, ("scribe",), ()),
    ]


def test_the_default_roster_is_legal() -> None:
    found = composition()
    roster = found.default(NAMES)
    assert found.check(roster, NAMES) == []
    assert roster[0].type == "head-clerk"
    assert roster[0].weapons


@pytest.mark.parametrize(
    ("roster", "words"),
    [
        (take("head-clerk", "porter", "porter", "porter", "scribe"), None),
        (take("head-clerk", "beetle", "porter", "scribe"), None),
        (take("head-clerk", "porter", "porter", "scribe"), "do not fill the team's 5 selections"),
        (take("head-clerk", "head-clerk", "porter", "porter", "porter"), "do not fill"),
        (take("head-clerk", "beetle", "porter", "porter", "scribe"), "do not fill"),
        (take("head-clerk", "porter", "porter", "scribe", "scribe"), "Moth Scribe is taken 2 times"),
        (take("head-clerk", "porter", "wasp", "porter", "scribe"), "'wasp' is not an operative of this team"),
        (
            take("head-clerk", "porter", "porter", "porter", "scribe", head_clerk=("Ink Pistol", "Ruler", "Stapler")),
            "Head Clerk: Ink Pistol; Ruler; Stapler is not one of its options",
        ),
        (take("head-clerk", "porter", "porter", "porter", "scribe", porter=("Sword",)), "Moth Porter: has no Sword"),
    ],
)
def test_why_a_roster_is_not_legal(roster: list[RosterOperative], words: str | None) -> None:
    problems = composition().check(roster, NAMES)
    if words is None:
        assert problems == []
    else:
        assert any(words in problem for problem in problems), problems


def test_a_combined_limit_counts_lines_of_the_list() -> None:
    gunners = [
        RosterOperative("gunner", weapons=("Fists", "Ink Cannon")),
        RosterOperative("gunner", weapons=("Fists", "Glue Gun")),
    ]
    found = composition()
    assert found.check([*take("head-clerk", "porter", "porter"), *gunners], NAMES) == []
    crowded = [*take("head-clerk", "porter", "medic"), *gunners]
    assert any("3 instead of at most 2" in problem for problem in found.check(crowded, NAMES))
    twice = [*take("head-clerk", "porter", "porter"), gunners[0], gunners[0]]
    assert any("Moth Gunner is taken 2 times" in problem for problem in found.check(twice, NAMES))


def test_half_selections_and_at_least_one() -> None:
    text = """A MOTH kill team is composed of 3 MOTH operatives selected from the following list:

- HEAD CLERK
- PORTER (1)
- SCRIBE

(1): These operatives count as half a selection each.

You must select at least one friendly SCRIBE operative.
"""
    found = composition(text)
    assert found.unread == ()
    assert found.check(take("head-clerk", "scribe", "porter", "porter"), NAMES) == []
    assert found.check(take("head-clerk", *["porter"] * 4), NAMES)
    assert found.check(found.default(NAMES), NAMES) == []


def test_what_is_not_understood_is_listed() -> None:
    found = composition(TEXT + "\nEvery second operative must hum.\n")
    assert found.unread == ("Every second operative must hum.",)
    assert found.check(found.default(NAMES), NAMES) == []


@pytest.mark.parametrize("text", ["", "One clerk.", "- 3 wasps", "- " * 500, "\x00", "composed of 99 MOTH operatives"])
def test_any_text_gives_a_roster(text: str) -> None:
    found = composition(text)
    assert found.default(NAMES)


def test_a_composition_is_written_and_read_back() -> None:
    found = composition()
    problems: list[Problem] = []
    node = parse(to_yaml(written_composition(found)).encode(), "t")
    assert read_composition(node, "t", problems) == found
    assert problems == []


# -- files and the command ---------------------------------------------------------------------------


def office() -> dict[str, Any]:
    clerk = operative(
        "Head Clerk",
        weapon("Ink Pistol", "R", profile(rule("UNIV-RANGE", 8))),
        weapon("Ruler", "M", profile()),
        weapon("Stapler", "M", profile(name="Swift"), profile(name="Slow")),
        keywords="MOTH, LEADER",
    )
    porter = operative("Porter", weapon("Trolley", "M", profile()), keywords="MOTH, PORTER")
    text = (
        "A MOTH kill team is composed of:\n- 1 HEAD CLERK operative with one of the following options:\n  - "
        "Ink pistol; ruler\n"
        "  - Ink pistol; stapler\n- 3 PORTER operatives\n"
    )
    return sample() | {"opTypes": [clerk, porter], "composition": text}


@pytest.fixture
def team(tmp_path: Path) -> Path:
    (tmp_path / "office.json").write_text(json.dumps(office()), encoding="utf-8")
    out = tmp_path / "office.yaml"
    assert main(["team", "import", str(tmp_path / "office.json"), "--out", str(out)]) == 0
    return out


def loaded(path: Path) -> Team:
    return load_team(path, KT24.weapon_rules)


def test_import_as_json_says_what_became_of_everything(
    team: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    capsys.readouterr()
    assert main(["team", "import", str(tmp_path / "office.json"), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["team"] == "moth-office"
    assert found["roster"] == {"size": 4, "legal": True, "unread": []}
    kinds = {item["kind"] for item in found["items"]}
    assert kinds == {"operative", "profile", "weapon-rule", "ability", "ploy", "equipment", "composition"}
    assert all(set(item) == {"kind", "of", "name", "status", "why"} for item in found["items"])
    assert {item["status"] for item in found["items"] if item["kind"] == "profile"} == {"enforced"}
    ploys = {item["name"]: item["status"] for item in found["items"] if item["kind"] == "ploy"}
    assert ploys == {"Overtime": "partly", "Tea Break": "shown"}


def test_a_legal_roster_is_printed_and_checked(team: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    capsys.readouterr()
    assert main(["team", "roster", str(team), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["ktsim"], found["team"]) == ("roster/1", team.name)
    assert [each["type"] for each in found["operatives"]] == ["head-clerk", "porter", "porter", "porter"]
    assert found["operatives"][0]["weapons"] == ["Ink Pistol", "Ruler"]
    out = tmp_path / "mine.yaml"
    assert main(["team", "roster", str(team), "--out", str(out)]) == 0
    assert main(["team", "check", str(out)]) == 0
    assert "no problems" in capsys.readouterr().out
    text = out.read_text(encoding="utf-8").replace("Ruler", "Stapler")
    out.write_text(text, encoding="utf-8")
    assert main(["team", "check", str(out)]) == 0
    out.write_text(text.replace("Stapler", "Trolley"), encoding="utf-8")
    assert main(["team", "check", str(out)]) == 2
    line = next(n for n, row in enumerate(out.read_text().splitlines(), 1) if "Trolley" in row)
    assert f"{out}:{line}: Head Clerk has no 'Trolley'; known here: " in capsys.readouterr().err


def test_a_roster_names_its_team_so_that_it_is_found_again(
    team: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def printed() -> str:
        capsys.readouterr()
        assert main(["team", "roster", str(team)]) == 0
        return capsys.readouterr().out

    beside = team.parent / "beside.yaml"
    beside.write_text(printed(), encoding="utf-8")
    assert main(["team", "check", str(beside)]) == 0, "for the team's own folder"
    monkeypatch.chdir(team.parent.parent)
    above = team.parent.parent / "above.yaml"
    above.write_text(printed(), encoding="utf-8")
    assert main(["team", "check", str(above)]) == 0, "for the folder one is in, the team lies in one of its own"
    elsewhere = tmp_path / "elsewhere" / "mine.yaml"
    elsewhere.parent.mkdir()
    capsys.readouterr()
    assert main(["team", "roster", str(team), "--out", str(elsewhere)]) == 2
    said = "a roster names a team file in its own folder or in one inside that; write it beside the team file"
    assert capsys.readouterr().err == f"{elsewhere}: {said}\n"
    assert not elsewhere.exists()


@pytest.mark.parametrize(
    ("right", "wrong", "says"),
    [
        ("type: porter", "type: prter", "'prter' is not an operative of this team; did you mean 'porter'?"),
        ("Ink Pistol", "Ink Pitsol", "Head Clerk has no 'Ink Pitsol'; did you mean 'Ink Pistol'?"),
        ("equipment: []", "equipment: [Bloter]", "'Bloter' is not equipment of this team; did you mean 'Blotter'?"),
    ],
)
def test_a_name_the_team_has_not_is_told_with_its_line_and_the_nearest(
    right: str, wrong: str, says: str, team: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "mine.yaml"
    assert main(["team", "roster", str(team), "--out", str(out)]) == 0
    assert main(["team", "check", str(out)]) == 0
    text = out.read_text(encoding="utf-8").replace(right, wrong, 1)
    line = next(n for n, row in enumerate(text.splitlines(), 1) if wrong in row)
    out.write_text(text, encoding="utf-8")
    capsys.readouterr()
    assert main(["team", "check", str(out)]) == 2
    assert capsys.readouterr().err == f"{out}:{line}: {says}\n"
    assert main(["sim", "--red", str(out)]) == 2
    assert capsys.readouterr().err == f"{out.name}:{line}: {says}\n"


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("# A scene.\nktsim: scene/1\noperatives: []\n", "own.yaml:2: 'ktsim' is 'scene/1'; a team file says"),
        ('{"killteamName": "Moth"}', "own.yaml:1: has no 'ktsim'; a team file says 'ktsim: team/1', and ktsim team im"),
        ("- 1\n", "own.yaml:1: has no 'ktsim'"),
    ],
)
@pytest.mark.parametrize("words", [["team", "check"], ["team", "roster"], ["sim", "--red"]])
def test_a_file_that_is_no_team_gets_one_sentence(
    words: list[str], content: str, says: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "own.yaml").write_text(content, encoding="utf-8")
    assert main([*words, str(tmp_path / "own.yaml")]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith(says)


@pytest.mark.parametrize("name", ["nobody", ""])
@pytest.mark.parametrize("words", [["team", "check"], ["team", "roster"], ["sim", "--red"]])
def test_a_team_there_is_not(words: list[str], name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*words, name]) == 2
    assert capsys.readouterr().err.startswith(f"'{name}': no such team; there are brine-throng, ")


def test_a_roster_of_a_shipped_team(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["team", "roster", "gravel-jackals", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    jackals = find_team("gravel-jackals", KT24.weapon_rules)
    assert len(found["operatives"]) == jackals.size
    assert roster_problems(default_roster(jackals, "gravel-jackals"), jackals) == []


def test_a_roster_takes_the_field_with_its_weapons_only(team: Path) -> None:
    whole = loaded(team)
    roster = default_roster(whole, "office.yaml")
    taken = with_roster(whole, roster)
    clerk = taken.card("head-clerk")
    assert [weapon.name for weapon in clerk.weapons] == ["Ink Pistol", "Ruler"]
    assert taken.roster == ("head-clerk", "porter", "porter", "porter")
    other = replace(roster.operatives[0], weapons=("Ink Pistol", "Stapler"))
    taken = with_roster(whole, replace(roster, operatives=(other, *roster.operatives)))
    assert [len(card.weapons) for card in taken.cards] == [3, 2, 1]
    assert len(set(taken.roster)) == 3


def test_find_team_takes_a_roster_file(team: Path, tmp_path: Path) -> None:
    out = tmp_path / "mine.yaml"
    assert main(["team", "roster", str(team), "--out", str(out)]) == 0
    found = find_team(str(out), KT24.weapon_rules)
    assert (found.name, found.size) == ("Moth Office", 4)
    out.write_text(out.read_text(encoding="utf-8").replace("type: porter", "type: wasp", 1), encoding="utf-8")
    with pytest.raises(UserError, match="'wasp' is not an operative"):
        find_team(str(out), KT24.weapon_rules)


def test_corrections_by_hand_survive_a_new_import(team: Path, tmp_path: Path) -> None:
    [left] = next(text for text in loaded(team).texts if text.name == "Overtime").rules
    assert [effect.word for effect in left.do] == ["card"], "what it does is the players'"
    (tmp_path / "office.corrections.yaml").write_text(
        "overtime: {on: always, who: friend, do: [{stat: move, by: 1}], until: turning-point}\n", encoding="utf-8"
    )
    for _ in range(2):
        assert main(["team", "import", str(tmp_path / "office.json"), "--out", str(team)]) == 0
        [text] = [text for text in loaded(team).texts if text.name == "Overtime"]
        assert [effect.word for rule in text.rules for effect in rule.do] == ["stat"]
        assert text.unread == ()
    (tmp_path / "office.corrections.yaml").write_text("overtime: {do: [{stat: beard}]}\n", encoding="utf-8")
    assert main(["team", "import", str(tmp_path / "office.json"), "--out", str(team)]) == 2


# -- other programs ----------------------------------------------------------------------------------


def test_a_ktdash_roster(team: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = {
        "rosterName": "Mine",
        "killteamId": "MOTH",
        "eqIds": "blotter",
        "ops": [
            {"opTypeId": "HEAD CLERK", "opName": "Ada", "wepIds": "INK PISTOL,STAPLER", "optionIds": ""},
            {"opTypeId": "PORTER", "opName": "Bob", "wepIds": ["TROLLEY"], "optionIds": []},
            {"opTypeId": "WASP", "opName": "Eve", "wepIds": ""},
        ],
    }
    path = tmp_path / "roster.json"
    path.write_text(json.dumps(data), encoding="utf-8")
    assert main(["team", "import", str(path)]) == 2
    assert "name its team with --team" in capsys.readouterr().err
    assert main(["team", "import", str(path), "--team", str(team), "--json"]) == 0
    told = capsys.readouterr()
    found = json.loads(told.out)
    assert [(each["type"], each["name"], each["weapons"]) for each in found["operatives"]] == [
        ("head-clerk", "Ada", ["Ink Pistol", "Stapler"]),
        ("porter", "Bob", ["Trolley"]),
    ]
    assert found["equipment"] == ["Blotter"]
    assert "WASP: no such operative" in told.err
    assert "not legal: 2 operatives" in told.err


ROS = """<?xml version="1.0"?><roster xmlns="http://www.battlescribe.net/schema/rosterSchema"><forces><force><selections>
<selection name="Head Clerk" type="model" number="1"><selections><selection name="Ink pistol" type="upgrade"/>
<selection name="Ruler" type="upgrade"/></selections></selection>
<selection name="Porter" type="model" number="3"/><selection name="Wasp" type="model"/>
</selections></force></forces></roster>"""


def zipped(data: bytes) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("mine.ros", data)
    return buffer.getvalue()


@pytest.mark.parametrize("name", ["mine.ros", "mine.rosz"])
def test_a_battlescribe_roster(name: str, team: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / name
    path.write_bytes(zipped(ROS.encode()) if name.endswith("z") else ROS.encode())
    assert main(["team", "import", str(path), "--team", str(team), "--json"]) == 0
    told = capsys.readouterr()
    found = json.loads(told.out)
    assert [each["type"] for each in found["operatives"]] == ["head-clerk", "porter", "porter", "porter"]
    assert found["operatives"][0]["weapons"] == ["Ink Pistol", "Ruler"]
    assert "Wasp: no such operative" in told.err
    assert "not legal" not in told.err


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b'<!DOCTYPE r [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><roster>&b;</roster>', "declares a document type"),
        (b"<roster>" * 60 + b"</roster>" * 60, "deeper ones"),
        (b"<roster><a></roster>", "is not valid XML"),
        (b"", "is not valid XML"),
        (b"PK\x03\x04nonsense", "is no archive"),
        (zipped(b" " * (SIZE_LIMIT + 1)), "more than 8 MB"),
        (b"<roster/>", "no operative of it is in the team"),
        ("<roster/>".encode("utf-16"), "is not UTF-8"),
    ],
)
def test_hostile_rosters_get_a_sentence(
    data: bytes, words: str, team: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "bad.rosz"
    path.write_bytes(data)
    assert main(["team", "import", str(path), "--team", str(team)]) == 2
    assert words in capsys.readouterr().err


def test_an_archive_that_lies_about_its_size_is_refused(tmp_path: Path) -> None:
    raw = bytearray(zipped(b"<roster>" + b" " * 100_000 + b"</roster>"))
    at = raw.rfind(b"PK\x01\x02") + 24
    raw[at : at + 4] = (10).to_bytes(4, "little")
    path = tmp_path / "lies.rosz"
    path.write_bytes(bytes(raw))
    with pytest.raises(UserError, match="archive"):
        read_battlescribe(path)


def test_names_are_found_whatever_profile_a_weapon_has(team: Path) -> None:
    assert names_in(loaded(team)).weapons["head-clerk"] == ("Ink Pistol", "Ruler", "Stapler")


def test_many_lists_that_share_datacards_are_told_at_once() -> None:
    """What does not fit is found without trying every way to share it out."""
    types = [f"kind-{n}" for n in range(12)]
    slots = tuple(Slot(4, tuple(ListedChoice(type) for type in types)) for _ in range(4))
    found = Composition(slots)
    names = CardNames({type: type for type in types})
    roster = [RosterOperative(types[n % 12]) for n in range(17)]
    begun = time.process_time()
    assert "do not fill the team's 16 selections" in found.check(roster, names)[0]
    assert "no room" in found.excesses(roster, names)[0]
    assert found.check(roster[:16], names) == []
    assert time.process_time() - begun < 1


def test_what_may_be_added_says_why_not() -> None:
    team = find_team("keelwrights", KT24.weapon_rules)
    roster = default_roster(team, "keelwrights").operatives
    assert added(team, roster, roster[-1].type)[1]
    assert added(team, roster, roster[-1].type)[0] == list(roster)  # as it was
    short = list(roster[:-1])
    then, why = added(team, short, roster[-1].type)
    assert (why, len(then)) == ("", len(roster))
    assert then[-1].name
