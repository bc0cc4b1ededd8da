"""What is offered for a new game: the last choices again, and the player's own team files."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from desktop_driver import Driver
from play_driver import driver, engine, game

from ktsim import paths
from ktsim.app.play.last_choices import keep_choices, last_choices
from ktsim.app.play.setup_screen import SetupScreen
from ktsim.cli import main
from ktsim.game.named_files import own_team_files, teams_folder
from ktsim.game.scenes import scene_file_of

__all__ = ["driver", "engine"]


def setup_screen(driver: Driver) -> SetupScreen:
    screen = driver.desktop.top
    assert isinstance(screen, SetupScreen)
    return screen


def test_a_game_begins_with_the_choices_of_the_last_one(driver: Driver) -> None:
    driver.press("hot-seat")
    driver.press("board-open")
    driver.press("blue-keelwrights")
    driver.press("obvious-yes")
    chosen = dict(setup_screen(driver).chosen)
    driver.press("begin")
    assert game(driver).match.session.setup.blue == "keelwrights"
    driver.desktop.home()
    driver.settle()
    driver.press("solo")
    assert setup_screen(driver).chosen["blue"] != "keelwrights"  # what was chosen for one kind is not for the other
    driver.key("escape")
    driver.press("hot-seat")
    assert setup_screen(driver).chosen == chosen
    assert setup_screen(driver).problem_now() == ""


@pytest.mark.parametrize(
    "damage",
    [
        {"edition": "kt99", "red": "nobody"},
        {"board": "moon", "mission": "none", "level": "godlike", "handicap_red": "+9CP", "dice": 5},
        {"red-seat": "tactician", "blue-seat": "npo"},
        {"red": "/nowhere/team.yaml"},
        {"rules": "1999-12"},
    ],
)
def test_choices_that_are_no_longer_offered_are_as_usual(driver: Driver, damage: dict[str, object]) -> None:
    usual = SetupScreen(driver.desktop, is_solo=False).chosen
    folder = paths.config()
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "last-setup.json").write_text(json.dumps({"hot-seat-setup": damage}))
    assert SetupScreen(driver.desktop, is_solo=False).chosen == usual
    (folder / "last-setup.json").write_text("[" * 5000)
    assert last_choices("hot-seat-setup") == {}
    keep_choices("hot-seat-setup", {"red": "x"})
    assert last_choices("hot-seat-setup") == {"red": "x"}


@pytest.mark.rule("KT24-DATED")
def test_the_date_of_the_rules_is_chosen_played_and_remembered(driver: Driver) -> None:
    driver.press("hot-seat")
    assert setup_screen(driver).setup().rules == "2025-03"
    driver.press("rules-2026-01")
    rects = driver.desktop.ui.rects
    assert max(rect.bottom for rect in rects.values()) <= rects["begin"].bottom
    driver.press("edition-kt21-lite")
    assert "rules-2026-01" not in driver.desktop.ui.rects, "corrections are of the 2024 rules"
    driver.press("edition-kt24")
    driver.press("begin")
    match = game(driver).match
    battle = match.session.game.battle
    assert battle.rules_as_of == "2026-01"
    assert scene_file_of(battle, battle.state, match.session.setup).scene.rules_as_of == "2026-01"
    driver.press("tab-mission")
    assert "Rules as of 2026-01." in driver.said()
    driver.desktop.home()
    driver.settle()
    driver.press("hot-seat")
    assert setup_screen(driver).setup().rules == "2026-01"


def test_the_players_own_team_files_are_offered_and_played(driver: Driver, tmp_path: Path) -> None:
    shipped = (paths.assets() / "teams" / "keelwrights.yaml").read_text()
    mine = teams_folder() / "mine.yaml"
    mine.parent.mkdir(parents=True)
    mine.write_text(shipped.replace("Keelwrights", "My Wrights"))
    named = tmp_path / "elsewhere.yaml"
    named.write_text(shipped.replace("Keelwrights", "Their Wrights"))
    assert main(["team", "check", str(named)]) == 0
    (teams_folder() / "bad.yaml").write_text("ktsim: team/1\n")
    assert {Path(path).name for path, _ in own_team_files()} == {"mine.yaml", "elsewhere.yaml", "bad.yaml"}
    driver.press("hot-seat")
    names = {offer.title: offer.key for offer in setup_screen(driver)._offered("blue")}
    assert {"My Wrights", "Their Wrights", "Keelwrights"} <= names.keys()
    assert not any("bad" in key for key in names.values())
    setup_screen(driver).chosen |= {"board": "open", "blue": names["My Wrights"]}
    setup_screen(driver).begin()
    assert game(driver).match.team("blue") == "My Wrights"
