"""Team files: the six shipped teams are complete, ``team check`` says every problem, games can be played with all."""

from __future__ import annotations

import json
from collections import Counter
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
import trimesh
from soak.invariants import Watch
from team_json import sample

from ktsim.cli import main
from ktsim.content.yaml_tree import parse, to_yaml
from ktsim.errors import Problem, UserError
from ktsim.game.players import Sampler
from ktsim.game.record import digests_of
from ktsim.game.setup import Setup, new_game
from ktsim.killzones.figures import BASE_TOP, usual_height, widest
from ktsim.rules.engine.cards import Datacard
from ktsim.rules.engine.sight_table import SightTable, shipped_figure
from ktsim.rules.kt24.edition import KT24
from ktsim.rules.teams.behaviour import MOMENTS
from ktsim.rules.teams.classes import TEAM_RULES, TeamRule
from ktsim.rules.teams.classes.register import StrategyPloy
from ktsim.rules.teams.roster.roster_file import default_roster, names_in, roster_problems
from ktsim.rules.teams.team_file import find_team, load_team, parse_team, team_files
from ktsim.sight.scene import Base

NOBODYS = "non-player-operatives"
TEAMS = sorted(set(team_files()) - {NOBODYS})


def test_there_are_six_teams_and_operatives_nobody_plays() -> None:
    wanted = ["brine-throng", "gravel-jackals", "hollow-orchard", "keelwrights", "lantern-wardens", "rookwing-salvors"]
    assert wanted == TEAMS


@pytest.mark.parametrize("name", TEAMS)
def test_a_shipped_team_is_as_rich_as_a_real_one(name: str) -> None:
    team = find_team(name, KT24.weapon_rules)
    assert team.id == name
    assert len(team.archetypes) == 2
    assert len(team.cards) >= 8
    kinds = Counter(text.kind for text in team.texts)
    assert (kinds["strategy"], kinds["firefight"], kinds["equipment"]) == (4, 4, 4)
    assert kinds["faction"] >= 1
    assert kinds["action"] >= 2
    assert all(text.cost == 1 for text in team.texts if text.kind in ("strategy", "firefight"))
    own = [*team.ploys, *team.abilities, *(ability for card in team.cards for ability in card.abilities)]
    assert not own, "all in the language"
    assert team.enforced == {text.id for text in team.texts}
    assert not team.shown()
    assert not any(team.shown(card) for card in team.cards), "everything is enforced"
    assert {text.of for text in team.texts} == {"", *(card.id for card in team.cards)}, "each has something of its own"
    leaders = [card for card in team.cards if "leader" in card.keywords]
    assert [card.limit for card in leaders] == [1]
    assert team.roster.count(leaders[0].id) == 1
    assert all(any(weapon.kind == "melee" for weapon in card.weapons) for card in team.cards)
    assert not any(weapon.shown for card in team.cards for weapon in card.weapons)


@pytest.mark.parametrize("name", TEAMS)
def test_the_lists_of_a_shipped_team_fit_its_datacards(name: str) -> None:
    """Every datacard is on a list with all its weapons, its limit is the list's; the roster it comes with is legal."""
    team = find_team(name, KT24.weapon_rules)
    assert team.composition is not None
    roster = default_roster(team, name)
    assert tuple(each.type for each in roster.operatives) == team.roster
    assert roster_problems(roster, team) == []
    assert len(roster.equipment) == 4
    names = names_in(team)
    listed = [choice for slot in team.composition.slots for choice in slot.choices]
    assert sorted(choice.type for choice in listed) == sorted(card.id for card in team.cards)
    several = [choice.type for choice in listed if len(choice.loadouts) > 1]
    assert len(several) >= 4, "weapons to choose"
    composition, size = team.composition, team.size
    for choice in listed:
        taken = {weapon for loadout in choice.loadouts for weapon in loadout.weapons}
        assert taken == set(names.weapons[choice.type])
        all_alike = [composition.equipped([choice.type] * n, names) for n in range(1, size + 1)]
        most = sum(not composition.excesses(each, names) for each in all_alike)
        assert most == min(team.card(choice.type).limit, size - 1), choice.type


@pytest.fixture
def _classes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two classes somebody has written."""
    monkeypatch.setitem(TEAM_RULES, "test-ability", TeamRule)
    monkeypatch.setitem(TEAM_RULES, "test-ploy", StrategyPloy)


@pytest.mark.usefixtures("_classes")
def test_what_is_not_enforced_is_shown() -> None:
    raw = good()
    raw["ploys"] = [
        {"name": "Said", "kind": "firefight", "text": "Only said."},
        {"name": "Done", "kind": "strategy", "text": "Done.", "rule": "test-ploy"},
        {"name": "Plain", "kind": "strategy", "text": "Only said."},
        {"name": "Effect", "kind": "strategy", "text": "Done.", "stat": "move", "amount": 1},
    ]
    raw["abilities"].append({"name": "Acts", "text": "Done.", "rule": "test-ability"})
    team = parse_team(parse(to_yaml(raw).encode(), "t"), "t", KT24.weapon_rules, [])
    assert [card.title for card in team.shown()] == ["Plan", "Habit", "Said", "Plain"]
    assert [card.title for card in team.shown() if card.is_due("firefight")] == ["Said"]
    assert not any(card.is_due("nonsense") for card in team.shown())


def test_the_teams_differ_in_style() -> None:
    sizes = {name: find_team(name, KT24.weapon_rules).size for name in TEAMS}
    assert sizes["keelwrights"] < sizes["lantern-wardens"] < sizes["brine-throng"]


def test_the_teams_use_nearly_every_weapon_rule() -> None:
    used = {
        KT24.weapon_rules.parse(rule).id
        for name in TEAMS
        for card in find_team(name, KT24.weapon_rules).cards
        for weapon in card.weapons
        for rule in weapon.rules
    }
    known = {cls.id for cls in KT24.weapon_rules._classes.values() if cls.id.startswith("KT24-W-")}
    assert known - used == set()


@pytest.mark.parametrize(("red", "blue"), list(pairwise([*TEAMS, TEAMS[0]])))
def test_a_whole_game_with_every_team_keeps_the_invariants(red: str, blue: str) -> None:
    play(red, blue)


def play(red: str, blue: str) -> None:
    game = new_game(Setup(board="open", red=red, blue=blue, table="plain", mission="skirmish"))
    watch = Watch(game)
    player = Sampler(f"{red}/{blue}")
    while game.pending is not None:
        game.submit(player.answer(game.pending, game))
        watch.check()
    assert game.outcome
    assert watch.tally.counts["activation", "activation"] > 10


def test_a_game_with_an_imported_team_that_has_an_operative_without_apl(tmp_path: Path) -> None:
    path, out = tmp_path / "moth.json", tmp_path / "moth.yaml"
    path.write_text(json.dumps(sample()), encoding="utf-8")
    assert main(["team", "import", str(path), "--out", str(out)]) == 0
    play(str(out), "brine-throng")


@pytest.mark.parametrize(("move", "says"), [(0, "cannot move"), (1, None)])
def test_an_operative_without_move_stays_where_it_is(move: int, says: str | None, tmp_path: Path) -> None:
    raw = good()
    raw["operatives"][0]["stats"]["move"] = move
    path = tmp_path / "team.yaml"
    path.write_text(to_yaml(raw), encoding="utf-8")
    game = new_game(Setup(board="open", red=str(path), table="plain", mission="skirmish"))
    who = game.state.operatives["red-one-1"]
    for name in ("Reposition", "Dash"):
        why = KT24.action(name).refusal(game.battle, who)
        assert (why is None) if says is None else (why is not None and says in why)


def test_sim_takes_the_path_of_a_team(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "own.yml"
    path.write_text(team_files()["keelwrights"].read_text(encoding="utf-8"), encoding="utf-8")
    base = ["sim", "--killzone", "open", "--table", "plain", "--blue", "lantern-wardens", "--red"]
    assert main([*base, str(path)]) == 0
    by_path = capsys.readouterr().out
    assert main([*base, "keelwrights"]) == 0
    assert capsys.readouterr().out == by_path
    assert main([*base, str(tmp_path / "none.yaml")]) == 2
    assert "does not exist" in capsys.readouterr().err


# -- team check --------------------------------------------------------------------------------------


def good() -> dict[str, Any]:
    weapon = {
        "name": "Gun",
        "kind": "ranged",
        "atk": 4,
        "hit": 3,
        "damage": [3, 4],
        "rules": ["Hot"],
        "shown": ["Odd 3"],
    }
    stats = {"apl": 2, "move": 6, "save": 4, "wounds": 8}
    card = {"when": ["shooting", "set-up"], "title": "Look", "text": "One line.\nTwo lines."}
    operative = {"name": "One", "stats": stats, "base": [60, 35], "weapons": [weapon], "reminders": [card]}
    return {
        "ktsim": "team/1",
        "name": "Testers",
        "size": 1,
        "roster": ["one"],
        "operatives": [operative],
        "reminders": [{"when": ["strategy"], "title": "Plan", "text": "Plan."}],
        "abilities": [{"name": "Habit", "text": "Always the same."}],
    }


# ---- miniatures ----------------------------------------------------------------------------------------------------
def team_with(folder: Path, **figure: Any) -> Datacard:
    """The operative of a team file in *folder* with such a figure. Raises UserError."""
    raw = good()
    raw["operatives"][0]["figure"] = figure
    (folder / "testers.yaml").write_text(to_yaml(raw))
    return load_team(folder / "testers.yaml", KT24.weapon_rules).cards[0]


def test_a_figure_is_as_tall_as_figures_on_its_base_unless_said(tmp_path: Path) -> None:
    assert team_with(tmp_path).height == pytest.approx(usual_height(Base.of_mm(60, 35)))
    said = team_with(tmp_path, height=1.5, width=0.8)
    assert (said.height, said.width) == (1.5, 0.8)
    assert widest(shipped_figure(said).triangles) == pytest.approx(0.8)


def test_an_own_mesh_is_the_miniature_in_play_and_in_rulings(tmp_path: Path) -> None:
    trimesh.creation.box((20, 16, 40)).export(tmp_path / "body.stl")
    card = team_with(tmp_path, mesh="body.stl")
    assert card.height == pytest.approx(40 / 25.4 + BASE_TOP, abs=1e-6)
    figure = shipped_figure(card)
    assert figure is card.body
    assert not figure.is_stand_in, "it is the player's own"
    game = new_game(Setup(board="open", red=str(tmp_path / "testers.yaml"), mission="skirmish"))
    table = game.battle.table
    assert isinstance(table, SightTable)
    own = next(who for who in game.state.operatives.values() if who.side == "red")
    assert table.operative(own).figure.triangles.shape == figure.triangles.shape
    before = digests_of(game.battle)
    trimesh.creation.box((20, 16, 44)).export(tmp_path / "body.stl")
    (tmp_path / "testers.yaml").write_text((tmp_path / "testers.yaml").read_text() + "\n")
    after = digests_of(new_game(Setup(board="open", red=str(tmp_path / "testers.yaml"), mission="skirmish")).battle)
    assert (before["red"] != after["red"], before["blue"] == after["blue"]) == (True, True)


@pytest.mark.parametrize(
    ("figure", "says"),
    [
        ({"mesh": "../body.stl"}, "leads out of the folder"),
        ({"mesh": "/etc/passwd"}, "leads out of the folder"),
        ({"mesh": "none.stl"}, "does not exist"),
        ({"mesh": "testers.yaml"}, "is not a mesh file"),
        ({"mesh": "junk.stl"}, "junk.stl"),
        ({"mesh": "huge.stl"}, "tall"),
        ({"mesh": "body.stl", "height": 1.3}, "its own shape and size"),
        ({"mesh": "body.stl", "unit": "cm"}, "one of mm, inch"),
    ],
)
def test_a_mesh_that_is_none_is_said_with_its_line(tmp_path: Path, figure: dict[str, Any], says: str) -> None:
    trimesh.creation.box((20, 16, 40)).export(tmp_path / "body.stl")
    trimesh.creation.box((20, 16, 400)).export(tmp_path / "huge.stl")
    (tmp_path / "junk.stl").write_bytes(b"solid \xff\x00junk" * 40)
    with pytest.raises(UserError) as problem:
        team_with(tmp_path, **figure)
    assert says in str(problem.value.problems[0])
    assert problem.value.problems[0].place.startswith("testers.yaml:")


def ploy(**more: Any) -> dict[str, Any]:
    return {"name": "One", "kind": "strategy", "text": "Text.", **more}


def problems_of(raw: dict[str, Any]) -> list[str]:
    found: list[Problem] = []
    parse_team(parse(to_yaml(raw).encode(), "team.yaml"), "team.yaml", KT24.weapon_rules, found)
    return [str(problem) for problem in found]


def test_reminders_are_read() -> None:
    found: list[Problem] = []
    team = parse_team(parse(to_yaml(good()).encode(), "t"), "t", KT24.weapon_rules, found)
    assert found == []
    assert [(card.when, card.title) for card in team.shown()] == [(("strategy",), "Plan"), (("activation",), "Habit")]
    [card] = team.shown(team.cards[0])
    assert (card.when, card.text) == (("shooting", "set-up"), "One line.\nTwo lines.")
    assert team.cards[0].weapons[0].shown == ("Odd 3",)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda raw: raw["reminders"][0].update(when=["dinner"]), f"'dinner' is not one of {', '.join(MOMENTS)}"),
        (lambda raw: raw["reminders"][0].update(when=[]), "when: missing"),
        (lambda raw: raw["reminders"][0].update(when="strategy"), "when: 'strategy' is not a list"),
        (lambda raw: raw["reminders"][0].update(text="a\x07"), "text: "),
        (lambda raw: raw["reminders"][0].update(text="x" * 4001), "text: "),
        (lambda raw: raw["reminders"][0].pop("title"), "title: missing"),
        (lambda raw: raw["reminders"][0].update(colour=1), "colour: unknown field"),
        (lambda raw: raw.update({"a\x1bb": 1}), "a?b: unknown field"),
        (lambda raw: raw.update(name="x" * 65), "name: "),
        (lambda raw: raw.update(reminders=[7]), "expected a mapping"),
        (lambda raw: raw["operatives"].append(raw["operatives"][0]), "2 operatives have the id 'one'"),
        (lambda raw: raw["operatives"][0]["weapons"].append(raw["operatives"][0]["weapons"][0]), "2 weapon profiles"),
        (lambda raw: raw["operatives"][0].update(figure={"model": "dragon"}), "model: 'dragon' is not one of"),
        (lambda raw: raw["operatives"][0]["stats"].update(move=-1), "move: -1"),
        (lambda raw: raw["operatives"][0]["weapons"][0].update(shown=["\x1b"]), "shown: "),
        (
            lambda raw: raw["abilities"][0].update(rule="test-abilty"),
            "no rule 'test-abilty'; the nearest is 'test-ability'",
        ),
        (
            lambda raw: raw["abilities"][0].update(rule="test-ploy"),
            "'test-ploy' is for strategy ploys, not for abilities",
        ),
        (lambda raw: raw["operatives"][0].update(behaviour=["sing"]), "behaviour: 'sing' is not one of fight"),
        (lambda raw: raw.update(ploys=[ploy(stat="luck", amount=1)]), "stat: 'luck' is not one of move"),
        (lambda raw: raw.update(ploys=[ploy(stat="move")]), "a stat is changed by an amount other than 0"),
        (lambda raw: raw.update(ploys=[ploy(stat="move", amount=9)]), "amount: 9"),
        (lambda raw: raw.update(ploys=[ploy(stat="move", amount=1, grants="Hot")]), "either grants"),
        (lambda raw: raw["operatives"][0].update(base=[60]), "base: [60] is not a base"),
        *(
            (lambda raw, text=text: raw["operatives"][0]["weapons"][0].update(rules=[text]), f"'{text}': {words}")
            for text, words in (
                ("Lethal 0+", "the number is from 2 to 6"),
                ("Lethal 7+", "the number is from 2 to 6"),
                ("Limited 0", "the number is from 1 to 99"),
                ("Heavy (Teleport only)", "Teleport is no move; Charge, Dash, Fall Back, Reposition are"),
                ('Blast 0"', "the distance is more than 0"),
            )
        ),
        (lambda raw: raw.update(ploys=[ploy(grants="Hto")]), "grants: unknown weapon rule 'Hto'"),
        (
            lambda raw: raw.update(ploys=[ploy(grants="Hot", only_if="it rains")]),
            "only_if: 'it rains' is not one of wounded",
        ),
        (lambda raw: raw.update(ploys=[ploy(effects=[{"grants": "Hot", "loud": 1}])]), "loud: unknown field"),
        (lambda raw: raw.update(ploys=[ploy(effects=[{}])]), "either grants"),
        (lambda raw: raw.update(ploys=[ploy(kind="firefight", grants="Hot")]), "a firefight ploy needs a rule"),
        (lambda raw: raw.update(ploys=[ploy(), ploy()]), "2 ploys have the id 'one'"),
    ],
)
@pytest.mark.usefixtures("_classes")
def test_problems_of_what_is_new(change: Any, words: str) -> None:
    raw = good()
    change(raw)
    found = problems_of(raw)
    assert any(words in line for line in found), found
    assert all(line.startswith("team.yaml:") and line.isprintable() for line in found)


def test_check_sums_up(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    path = tmp_path / "team.yaml"
    path.write_text(to_yaml(good()), encoding="utf-8")
    assert main(["team", "check", str(path), "keelwrights"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[1:6] == [
        "  Testers: 1 operatives selected from 1 kinds, 1 weapon profiles, archetypes none",
        "  enforced weapon rules: Hot",
        "  enforced ploys: none",
        "  only shown: Plan, Habit, Look",
        "  weapon rules only shown: Odd 3",
    ]
    assert lines[6] == "keelwrights: no problems"


def test_check_says_every_problem_and_still_checks_the_rest(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    raw = good()
    raw["size"] = 7
    raw["operatives"][0]["weapons"][0]["hit"] = 9
    path = tmp_path / "team.yaml"
    path.write_text(to_yaml(raw), encoding="utf-8")
    assert main(["team", "check", str(path), "brine-throng"]) == 2
    told = capsys.readouterr()
    assert "brine-throng: no problems" in told.out
    places = [line.split(": ")[0] for line in told.err.splitlines()]
    lines = path.read_text(encoding="utf-8").splitlines()
    assert places == [
        f"team.yaml:{next(n for n, row in enumerate(lines, 1) if 'hit: 9' in row)}",
        f"team.yaml:{next(n for n, row in enumerate(lines, 1) if row.startswith('roster'))}",
    ]
