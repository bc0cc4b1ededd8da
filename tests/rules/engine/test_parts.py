"""Decisions, numbers with reasons, teams, tables and straight moves on their own."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from random import Random
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pytest
from engine_help import Field, at, box

from ktsim.content.yaml_tree import parse
from ktsim.errors import UserError
from ktsim.game.boards import find_board
from ktsim.game.setup import Setup, prepare
from ktsim.geometry.plane import is_inside, rectangle
from ktsim.rules.engine.board import is_wholly_inside
from ktsim.rules.engine.decisions import Option, Pick, PickSome, Roll, answer_from_json
from ktsim.rules.engine.sight_table import SightTable
from ktsim.rules.engine.state import other
from ktsim.rules.engine.values import Reasoned
from ktsim.rules.kt24.moves import Reposition
from ktsim.rules.kt24.weapon_rules import KT24_WEAPON_RULES
from ktsim.rules.moving.straight import StraightMover
from ktsim.rules.teams.team_file import find_team, load_team, parse_team, team_files
from ktsim.sight.scene import Feature, Part, Terrain


def test_pick() -> None:
    options = (Option("a", "A"), Option("b", "B", "not today"))
    question = Pick(seat="red", topic="t", prompt="?", options=options, default="a")
    assert question.check("a") is None
    assert question.check("b") == "not today"
    assert "choose one of: a" in (question.check("c") or "")
    assert question.sample(Random(1)) == "a"
    assert question.is_obvious, "one open option"


def test_pick_some() -> None:
    options = (Option("a", "A"), Option("b", "B"), Option("c", "C", "not today"))
    question = PickSome(seat="red", topic="t", prompt="?", options=options, least=1, most=2)
    assert question.check(("b", "a")) is None
    for wrong in ((), ("a", "a"), ("c",), ("d",), ("a", "b", "a"), "a", 3, (1,)):
        assert question.check(wrong) is not None
    rng = Random(2)
    assert all(question.check(question.sample(rng)) is None for _ in range(50))


def test_roll() -> None:
    question = Roll(topic="t", prompt="?", count=2)
    assert question.check((1, 6)) is None
    for wrong in ((1,), (0, 1), (1, 7), (1.0, 2), (True, 2), [1, 2], "12", None):
        assert question.check(wrong) is not None


def test_answers_survive_json() -> None:
    assert answer_from_json([[1, 2, 3], "a"]) == ((1, 2, 3), "a")
    assert other("red") == "blue"


def test_numbers_remember_their_reasons() -> None:
    number = Reasoned.of(4).plus(1, "R1", "injured").plus(0, "R2", "nothing").to(6, "R3", "worse")
    assert int(number) == 6
    assert [change.rule for change in number.changes] == ["R1", "R3"]
    assert number.words("+") == "6+ instead of 4+ (injured, worse)"
    assert Reasoned.of(4).words("+") == "4+"


# -- teams -------------------------------------------------------------------------------------------


def test_every_shipped_team_loads() -> None:
    assert len(team_files()) >= 2
    for name in team_files():
        team = find_team(name, KT24_WEAPON_RULES)
        assert len(team.roster) == team.size
        assert all(card.weapons for card in team.cards)


def good() -> dict[str, Any]:
    weapon = {"name": "Gun", "kind": "ranged", "atk": 4, "hit": 3, "damage": [3, 4]}
    stats = {"apl": 2, "move": 6, "save": 4, "wounds": 8}
    operative = {"name": "One", "stats": stats, "base": 28, "weapons": [weapon], "limit": 2}
    return {"ktsim": "team/1", "name": "Testers", "size": 1, "roster": ["one"], "operatives": [operative]}


def broken(change: Any) -> list[str]:
    raw, problems = good(), []  # type: ignore[var-annotated]
    change(raw)
    parse_team(parse(json.dumps(raw).encode(), "team.yaml"), "team.yaml", KT24_WEAPON_RULES, problems)
    return [str(problem) for problem in problems]


def test_a_good_team_has_no_problems() -> None:
    assert broken(lambda raw: None) == []


@pytest.mark.parametrize(
    ("change", "place"),
    [
        (lambda raw: raw.pop("name"), "name"),
        (lambda raw: raw.update(colour="red"), "colour"),
        (lambda raw: raw.update(ktsim="team/9"), "ktsim"),
        (lambda raw: raw.update(roster=["one", "one"]), "roster"),
        (lambda raw: raw.update(roster=["two"]), "roster"),
        (lambda raw: raw.update(size=3, roster=["one"] * 3), "roster"),
        (lambda raw: raw.update(archetypes=["cooking"]), "archetypes"),
        (lambda raw: raw["operatives"][0].update(base="wide"), "base"),
        (lambda raw: raw["operatives"][0].update(base=[60, 35, 2]), "base"),
        (lambda raw: raw["operatives"][0]["stats"].update(apl=9), "apl"),
        (lambda raw: raw["operatives"][0]["stats"].update(apl=True), "apl"),
        (lambda raw: raw["operatives"][0]["stats"].pop("move"), "move"),
        (lambda raw: raw["operatives"][0]["weapons"][0].update(damage="3/4"), "damage"),
        (lambda raw: raw["operatives"][0]["weapons"][0].update(rules=["Letal 5+"]), "rules"),
        (lambda raw: raw["operatives"][0]["weapons"][0].update(rules=[5]), "rules"),
        (lambda raw: raw["operatives"][0]["weapons"][0].update(kind="thrown"), "kind"),
        (lambda raw: raw["operatives"][0].update(name="a\x1b[31m"), "name"),
        (lambda raw: raw.update(operatives="none"), "operatives"),
        (
            lambda raw: raw.update(ploys=[{"name": "P", "kind": "strategy", "text": "t", "grants": "Nope"}]),
            "grants",
        ),
        (lambda raw: raw["operatives"].append("x"), "expected a mapping"),
    ],
)
def test_a_broken_team_says_where(change: Any, place: str) -> None:
    found = broken(change)
    assert found
    assert any(place in line for line in found)


def test_team_files_that_are_not(tmp_path: Path) -> None:
    path = tmp_path / "team.yaml"
    for content in ("", "- 1", "a: [", "\x00", "x: " + "y" * 1_100_000):
        path.write_text(content, encoding="utf-8")
        with pytest.raises(UserError):
            load_team(path, KT24_WEAPON_RULES)
    with pytest.raises(UserError, match="no such team"):
        find_team("nobody", KT24_WEAPON_RULES)


def test_problems_name_the_line(tmp_path: Path) -> None:
    path = tmp_path / "team.yaml"
    text = team_files()["gravel-jackals"].read_text(encoding="utf-8")
    text = text.replace("save: 4, wounds: 11", "save: 9, wounds: 11", 1)
    path.write_text(text, encoding="utf-8")
    with pytest.raises(UserError) as caught:
        load_team(path, KT24_WEAPON_RULES)
    line = next(number for number, row in enumerate(text.splitlines(), 1) if "save: 9" in row)
    assert [str(problem) for problem in caught.value.problems] == [
        f"team.yaml:{line}: save: 9 is not a whole number from 2 to 6"
    ]


def test_a_changed_team_file_is_read_again(tmp_path: Path) -> None:
    path = tmp_path / "team.yaml"
    text = team_files()["gravel-jackals"].read_text(encoding="utf-8")
    path.write_text(text, encoding="utf-8")
    assert load_team(path, KT24_WEAPON_RULES).name == "Gravel Jackals"
    path.write_text(text.replace("name: Gravel Jackals", "name: Sand Jackals!"), encoding="utf-8")
    assert load_team(path, KT24_WEAPON_RULES).name == "Sand Jackals!"


# -- the plane ---------------------------------------------------------------------------------------


def test_outlines() -> None:
    zone = rectangle(0, 0, 6, 22)
    assert is_inside(zone, 3, 3)
    assert not is_inside(zone, 7, 3)
    assert is_wholly_inside(zone, 5.5, 3, 0.5)
    assert not is_wholly_inside(zone, 5.51, 3, 0.5)
    assert not is_wholly_inside(zone, 7, 3, 0.5)


def test_terrain_stops_bases() -> None:
    part = Part("shed", "body", frozenset(["heavy"]), box(6, 2, 2, 2, 3))
    gap = Part("shed", "gap", frozenset(["blocking"]), box(6, 6, 2, 2, 3))
    high = Part("roof", "body", frozenset(["light"]), np.add(box(3, 8, 6, 2, 0.2), [0, 0, 2]))
    terrain = Terrain((30, 22), (Feature("shed", (part, gap)), Feature("roof", (high,))))
    field = Field(terrain=terrain).add("a", "red", (3, 3)).add("b", "blue", (25, 20))
    battle = field.battle()
    request = Reposition().request(battle, battle.state.operatives["a"])

    def walk(*path: tuple[float, float]) -> str | None:
        return battle.table.mover.judge(battle.table, battle.state, request, tuple(at(*p) for p in path)).refusal

    assert walk((9, 3)) == "Leg 1: shed is in the way."
    assert walk((5.5, 3)) is None, "touching the wall"
    assert walk((5.51, 3)) is not None
    assert walk((5.5, 1.49), (7.5, 1.49)) is None, "past the corner"
    assert walk((5.5, 3), (7, 3)) is not None
    assert walk((3, 8.5)) is None, "underneath what is high enough"
    assert battle.table.mover.refuses_to_stand(battle.table, battle.state, "a", at(7, 7)) is None, "gaps do not stop"
    assert (
        battle.table.mover.refuses_to_stand(battle.table, battle.state, "a", at(7, 3))
        == "The base would stand in shed."
    )


def test_boards() -> None:
    for name in ("open", "training-ground"):
        board = find_board(name)
        assert len(board.objectives) == 3
    with pytest.raises(UserError, match="there is no killzone"):
        find_board("moon")


# -- the sight table ---------------------------------------------------------------------------------


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, ...]]:
    """Stand-ins for the sight modules that note what they are asked."""
    log: list[tuple[str, ...]] = []

    def module(name: str, **functions: Any) -> None:
        made = ModuleType(f"ktsim.sight.{name}")
        for key, function in functions.items():
            setattr(made, key, function)
        monkeypatch.setitem(sys.modules, made.__name__, made)

    def ruling(scene: Any, a: str, b: str, edition: str, weapon: Any) -> Any:
        log.append(("ruling", a, b, *weapon.rules))
        reason = SimpleNamespace(rule="KT24-COVER", text="in cover from x/y")
        return SimpleNamespace(
            visible=True, valid_target=False, in_cover=True, obscured=False, choice=None, distance=3.0, accurate=1,
            improved_cover_save=False, blunts_piercing=False, undecided=False,
            cover_from=("x/y",), obscured_by=(), reasons=(reason,), alternatives=(),
            decided_by="KT24-VALID", headline="No target: in cover from x/y on Conceal.",
        )  # fmt: skip

    def between(scene: Any, a: str, b: str) -> float:
        log.append(("distance", a, b))
        one, two = scene.operative(a), scene.operative(b)
        return float(abs(one.x - two.x))

    def control(scene: Any, a: str, b: str) -> bool:
        log.append(("control", a, b))
        return True

    def point(scene: Any, a: str, place: Any, radius: float) -> bool:
        log.append(("point", a))
        return True

    def visible(scene: Any, a: str, b: str) -> Any:
        log.append(("visible", a, b))
        return SimpleNamespace(visible=True)

    module("ruling", ruling=ruling)
    module("distances", between=between)
    module("control", in_control_range=control, point_in_control_range=point)
    module("visibility", visible=visible)
    return log


def test_the_sight_table_asks_once_until_something_moves(asked: list[tuple[str, ...]]) -> None:
    field = Field().add("a", "red", (3, 3)).add("b", "blue", (4.5, 3)).add("far", "blue", (20, 3))
    table = SightTable(field.board.terrain, field.cards, StraightMover())
    state = field.state
    found = [table.target_ruling(state, "a", "b", ("seek",)) for _ in range(2)]
    assert found[0] == found[1]
    assert found[0].in_cover
    said = ("KT24-VALID", "No target: in cover from x/y on Conceal.")
    assert found[0].reasons == (("KT24-COVER", "in cover from x/y"), said)
    assert table.in_control_range(state, "a", "b")
    assert not table.in_control_range(state, "a", "far"), "too far away to be asked about"
    assert table.distance(state, "a", "b") == pytest.approx(1.5)
    assert table.distance(state, "a", "b", at(2, 3)) == pytest.approx(2.5)
    assert table.is_visible(state, "a", "b")
    assert table.reaches(state, "a", at(4, 3), 0.4)
    assert not table.reaches(state, "a", at(9, 3), 0.4)
    assert len(asked) == 6
    state.operatives["b"].x += 10
    table.target_ruling(state, "a", "b", ("seek",))
    assert len(asked) == 7
    assert [o.id for o in table.scene(state).operatives] == ["a", "b", "far"]


def test_a_game_on_the_sight_table_begins() -> None:
    battle, _ = prepare(Setup(board="training-ground", table="sight"))
    assert isinstance(battle.table, SightTable)
