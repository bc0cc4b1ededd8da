"""Rulings on moves: the same actions, planner and check as in play, asked of a scene."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ktsim.cli import main
from ktsim.errors import UserError
from ktsim.game.move_ruling import MoveRuling, move_actions, move_ruling
from ktsim.game.scenes import battle_of
from ktsim.killzones.scene_file import SceneFile, scene_from_text
from ktsim.rules.moving.check import check_path
from ktsim.rules.moving.mover import action_of, placed
from ktsim.rules.moving.walk import LegalPath

SCENE = """
ktsim: scene/1
edition: {edition}
board: [30, 22]
features:
  - id: deck
    at: [12, 6]
    parts:
      - {{id: floor, traits: [vantage], box: [[0, 0, 0], [5, 5, 3]]}}
operatives:
  - {{id: a, team: red, at: [5, 11], order: {order}}}
  - {{id: mate, team: red, at: [5, 14]}}
  - {{id: b, team: blue, at: [{x}, 18]}}
"""


def scene(order: str = "engage", edition: str = "kt24", x: float = 5) -> SceneFile:
    return scene_from_text(SCENE.format(order=order, edition=edition, x=x), Path("dispute.yaml"))


def reasons(found: MoveRuling) -> list[str]:
    return [rule for rule, _ in found.against]


@pytest.mark.rule("KT24-REPOSITION")
@pytest.mark.parametrize(("x", "legal", "cost"), [(11.0, True, 6), (11.01, False, 7)])
def test_a_place_is_reached_for_its_whole_inches_and_one_just_beyond_is_not(x: float, legal: bool, cost: int) -> None:
    found = move_ruling(scene(), "a", (x, 11.0))
    assert (found.legal, found.cost, found.allowance) == (legal, cost, 6)
    assert found.headline.startswith("Yes" if legal else "No")


@pytest.mark.rule("KT24-DASH")
def test_a_dash_goes_three_inches_and_climbs_nothing() -> None:
    assert move_ruling(scene(), "a", (8.0, 11.0), "dash").legal
    assert not move_ruling(scene(), "a", (8.1, 11.0), "dash").legal
    up = scene_from_text(
        SCENE.format(order="engage", edition="kt24", x=5).replace("[5, 11]", "[11, 8]"), Path("x.yaml")
    )
    assert move_ruling(up, "a", (12.7, 8.0), "reposition").to[2] == 3.0
    assert not move_ruling(up, "a", (12.7, 8.0, 3.0), "dash", move=9).legal


@pytest.mark.rule("KT24-CHARGE")
@pytest.mark.parametrize(("x", "legal"), [(5, True), (17, False)])
def test_a_charge_ends_in_the_enemys_control_range_or_says_what_it_would_cost(x: float, legal: bool) -> None:
    found = move_ruling(scene(x=x), "a", "b")
    assert (found.action, found.allowance, found.enemy, found.legal) == ("Charge", 8, "b", legal)
    assert found.cost is not None
    assert (found.cost <= 8) == legal


@pytest.mark.rule("KT24-CHARGE")
def test_the_conditions_of_the_action_are_heard_before_the_way() -> None:
    found = move_ruling(scene(order="conceal"), "a", "b")
    assert reasons(found) == ["KT24-CHARGE"]
    assert "Conceal" in found.headline
    assert found.legs, "the way is shown all the same"


@pytest.mark.rule("KT24-FALLBACK")
def test_falling_back_needs_somebody_to_fall_back_from() -> None:
    assert reasons(move_ruling(scene(), "a", (6.0, 11.0), "fall back")) == ["KT24-FALLBACK"]


def test_without_a_height_the_cheapest_level_that_can_be_stood_on_is_meant() -> None:
    found = move_ruling(scene(), "mate", (14.0, 8.0), move=20)
    assert found.to == (14.0, 8.0, 3.0)
    assert [leg.kind for leg in found.legs].count("climb") == 1


def test_every_way_passes_the_exact_check() -> None:
    file = scene()
    for to in [(9.0, 13.0), (12.7, 8.0, 3.0), (3.0, 6.5)]:
        found = move_ruling(file, "a", to, move=12)
        battle, state = battle_of(file, "red", 12)
        ground, walker = placed(battle.table, state, "a")
        chosen = move_actions("kt24")["reposition"]
        request = chosen.request(battle, state.operatives["a"])
        path = tuple(leg.end for leg in found.legs)
        checked = check_path(ground, walker, path, request.allowance, action_of(battle.table, request))
        assert isinstance(checked, LegalPath)
        assert checked.total == found.cost


def test_the_2021_edition_has_its_own_actions() -> None:
    found = move_ruling(scene(edition="kt21-lite"), "a", (8.0, 11.0))
    assert found.action == "Normal Move"
    assert found.legal


@pytest.mark.parametrize(
    ("who", "to", "action", "words"),
    [
        ("x", (1.0, 1.0), None, "no operative 'x'"),
        ("a", "x", None, "no operative 'x'"),
        ("a", "mate", None, "same team"),
        ("a", "a", None, "'a' cannot charge itself; name an enemy or a place"),
        ("a", (1.0, 1.0), "fly", "no action 'fly'"),
    ],
)
def test_what_is_not_there_is_named_with_what_is(
    who: str, to: tuple[float, ...] | str, action: str, words: str
) -> None:
    with pytest.raises(UserError, match=words):
        move_ruling(scene(), who, to, action)


def test_the_command_answers_in_words_and_in_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "dispute.yaml"
    path.write_text(SCENE.format(order="engage", edition="kt24", x=5))
    assert main(["move", str(path), "--who", "a", "--to", "9,11", "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert (answer["legal"], answer["cost"], answer["legs"][0]["kind"]) == (True, 4, "move")
    assert main(["move", str(path), "--who", "a", "--to", "b"]) == 0
    assert "Yes: Charge" in capsys.readouterr().out
    for wrong in ("nowhere", "1", "nan,2", "1,2,3,4"):
        assert main(["move", str(path), "--who", "a", "--to", wrong]) == 2
        assert "--to" in (told := capsys.readouterr().err)
        assert "is no place" in told
    for far in ("900,11", "5,1e300", "5,11,101"):
        assert main(["move", str(path), "--who", "a", "--to", far]) == 2
        assert f"--to: '{far}' is a place off the board" in capsys.readouterr().err
    assert main(["move", str(path), "--who", "a", "--to", "100,11"]) == 0
    assert "would leave the board" in capsys.readouterr().out
