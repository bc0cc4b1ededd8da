"""The player's teams in the window: from a downloaded file to the first activation, rosters, datacards."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from desktop_driver import Driver
from play_driver import Quick, engine, game, without_pictures
from whole_team import downloaded, whole_team

from ktsim.app.play import match as match_module
from ktsim.app.play.setup_screen import SetupScreen
from ktsim.app.shell import start
from ktsim.app.stage.engine import Engine
from ktsim.app.teams.builder import RosterScreen
from ktsim.app.teams.cards_screen import CardsScreen
from ktsim.app.teams.page import TeamsScreen
from ktsim.app.teams.report import ReportScreen
from ktsim.app.ui.settings import Settings
from ktsim.game.named_files import teams_folder
from ktsim.game.record import load
from ktsim.game.team_library import library, save_roster, take_in, team_named
from ktsim.rules.engine.operative_events import ActivationBegan
from ktsim.rules.kt24.edition import KT24
from ktsim.rules.teams.team_file import find_team

__all__ = ["engine"]

MOST_CLICKS = 12
"""From the start screen to the first activation, with a team file that was downloaded."""


@pytest.fixture
def driver(engine: Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Driver]:
    """A desktop of somebody who has never played; a team file lies among the downloads."""
    for name in ("DATA_HOME", "CONFIG_HOME", "STATE_HOME", "DOWNLOAD_DIR", "PICTURES_DIR"):
        monkeypatch.setenv(f"XDG_{name}", str(tmp_path / name.lower()))
    monkeypatch.chdir(tmp_path)
    downloaded(tmp_path / "download_dir")
    start.forget()
    found = Quick(engine, settings=Settings(motion=False), scale=0.5)
    yield found
    found.close()


def wait(driver: Driver, until: Callable[[], bool]) -> None:
    """Until something that goes on beside the window is done."""
    for _ in range(1200):
        driver.desktop.attend()
        if until():
            driver.settle()
            return
        time.sleep(0.05)
    raise AssertionError("it never came")


def page(driver: Driver) -> TeamsScreen:
    """The page with the downloaded team taken in."""
    taken = take_in(Path(os.environ["XDG_DOWNLOAD_DIR"]) / "lantern-moths.json")
    driver.press("teams")
    found = driver.desktop.top
    assert isinstance(found, TeamsScreen)
    found.choose(taken.key)
    driver.settle()
    return found


def builder(driver: Driver) -> RosterScreen:
    page(driver)
    driver.press("new")
    found = driver.desktop.top
    assert isinstance(found, RosterScreen)
    return found


def test_from_a_downloaded_file_to_the_first_activation(driver: Driver, monkeypatch: pytest.MonkeyPatch) -> None:
    """By pressing alone, with every click counted: the file, what became of it, set-up, and somebody is activated."""
    without_pictures(monkeypatch)
    seeds = iter(range(100))
    monkeypatch.setattr(match_module, "Random", lambda seed=None: Random(next(seeds) if seed is None else seed))
    driver.press("teams")
    driver.press("file-lantern-moths.json")
    wait(driver, lambda: isinstance(driver.desktop.top, ReportScreen))
    assert "Old grudge" in driver.said()
    driver.press("go")
    screen = driver.desktop.top
    assert isinstance(screen, SetupScreen)
    assert screen.chosen["blue"].endswith("lantern-moths.yaml")
    screen.chosen |= {"red-seat": "purposeful", "board": "open"}  # so that nothing is thought about or loaded; no click
    driver.press("begin")
    driver.settle()
    match = game(driver).match
    match.shown.is_animated = False

    def is_asked() -> bool:
        match.skip()
        return match.draft is not None

    def is_activated() -> bool:
        return any(isinstance(event, ActivationBegan) for event in match.game.events)

    while not is_activated():
        wait(driver, lambda: is_asked() or is_activated())
        if is_activated():  # the bot's, who has the initiative
            break
        draft = match.draft
        assert draft is not None
        keys = [choice.key for choice in draft.choices if not choice.refusal]
        key = next((key for key in ("pass", draft.prompt.default) if key in keys), keys[0])
        driver.press("help" if match.may_help else f"choice-{key}")
        if draft.prompt.needs_confirming and match.draft is draft:
            driver.press("confirm")
        assert driver.clicks <= MOST_CLICKS, driver.clicks
    assert match.game.state.turning_point == 1
    assert driver.clicks > 5  # it was not done without any
    assert {who.name for who in match.game.state.operatives.values()} >= {"Keeper", "Porter 1", "Porter 2"}
    assert match.path is not None
    assert load(match.path).game.digest() == match.game.digest()


def test_what_became_of_a_file_is_told_item_by_item(driver: Driver) -> None:
    screen = page(driver)
    driver.press("report")
    assert isinstance(driver.desktop.top, ReportScreen)
    assert "Steady light" in driver.said()
    driver.press("status-shown")
    said = driver.said()
    assert "Not understood: Whenever this operative is fighting somebody who laughed at it, it strikes twice." in said
    assert "Steady light" not in said
    driver.press("close")
    assert driver.desktop.top is screen


def test_a_bad_file_says_why_and_leaves_everything_as_it_was(driver: Driver, tmp_path: Path) -> None:
    before = [team.key for team in library()]
    bad = tmp_path / "bad.json"
    bad.write_text(json.dumps({"killteamName": "Nobody", "opTypes": []}), encoding="utf-8")
    driver.desktop.drop(bad)
    screen = driver.desktop.top
    assert isinstance(screen, TeamsScreen)
    wait(driver, lambda: not screen.taking.is_busy)
    assert "no operative of it can be used" in driver.said()
    assert [team.key for team in library()] == before


def test_a_file_is_chosen_from_a_list_or_typed(driver: Driver, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Path] = []
    monkeypatch.setattr(TeamsScreen, "take_in", lambda self, files: asked.extend(files))
    driver.press("teams")
    driver.press("import")
    assert "Lantern Moths" in driver.said()
    driver.press("file-lantern-moths.json")
    driver.press("import")
    driver.press("path")
    driver.desktop.text("somewhere/else.rosz")
    driver.settle()
    driver.press("confirm")
    assert [path.name for path in asked] == ["lantern-moths.json", "else.rosz"]


def test_a_file_is_dropped_on_any_screen(driver: Driver, tmp_path: Path) -> None:
    driver.desktop.drop(tmp_path / "download_dir" / "lantern-moths.json")
    screen = driver.desktop.top
    assert isinstance(screen, TeamsScreen)
    wait(driver, lambda: isinstance(driver.desktop.top, ReportScreen))
    assert screen.team.team.name == "Lantern Moths"


def test_a_roster_is_legal_at_every_step_or_says_why_not(driver: Driver) -> None:
    screen = builder(driver)
    assert screen.judged.problems == ()
    assert "This roster is legal." in driver.said()
    assert "add-keeper" in driver.desktop.ui.locked  # there is room for one
    driver.press("remove-2")  # the Mender
    assert any("do not fill" in problem for problem in screen.judged.problems)
    assert "add-mender" not in driver.desktop.ui.locked
    assert "Gunner is taken 2 times" in screen.judged.refusals["gunner"]
    driver.press("add-mender")
    assert screen.judged.problems == ()
    assert screen.chosen is not None
    assert screen.chosen.type == "mender"
    driver.press("remove-0")
    assert not screen.judged.refusals["keeper"]
    driver.press("default")
    assert screen.judged.problems == ()
    assert len(screen.operatives) == 8


def test_a_roster_is_saved_with_names_loadouts_heights_and_equipment(driver: Driver) -> None:
    screen = builder(driver)
    driver.press("operative-1")
    assert screen.chosen is not None
    assert screen.chosen.weapons == ("Fists", "Arc lance")
    driver.press("loadout-1")
    driver.press("name")
    driver.desktop.text("Old Wick")
    driver.settle()
    driver.key("enter")
    driver.press("height")
    driver.desktop.text("1.75")
    driver.settle()
    driver.key("enter")
    driver.press("equipment-Candle ends")
    driver.press("save")
    back = driver.desktop.top
    assert isinstance(back, TeamsScreen)
    assert back.roster is not None
    team = find_team(str(back.roster.path), KT24.weapon_rules)
    gunner = team.card("gunner")
    assert (gunner.names, gunner.height) == (("Old Wick",), 1.75)
    assert [profile.name for profile in gunner.weapons] == ["Tar thrower", "Fists"]
    assert team.equipment == ("Wax plates", "Candle ends")
    assert team.roster_name == "Roster 1"

    driver.press("edit")  # once more: the same file
    driver.press("equipment-Candle ends")
    driver.press("save")
    assert len(team_named(back.team.key).rosters) == 1  # type: ignore[union-attr]
    driver.press("new")
    driver.press("save")
    assert [saved.name for saved in team_named(back.team.key).rosters] == ["Roster 1", "Roster 2"]  # type: ignore[union-attr]
    driver.press("ask")
    driver.press("remove")
    assert [saved.name for saved in team_named(back.team.key).rosters] == ["Roster 1"]  # type: ignore[union-attr]
    assert list((teams_folder() / "removed").glob("*.yaml"))


def test_rosters_are_offered_for_people_and_bots(driver: Driver) -> None:
    screen = page(driver)
    path = save_roster(screen.team, replace(screen.team.default(), name="Night watch"))
    driver.press("back")
    driver.press("solo")
    setup = driver.desktop.top
    assert isinstance(setup, SetupScreen)
    for side in ("blue", "red"):
        driver.press(f"more-{side}")
        teams = driver.desktop.top
        assert isinstance(teams, TeamsScreen)
        teams.choose(str(path.resolve()))
        driver.settle()
        driver.press("take")
        assert driver.desktop.top is setup
        assert setup.chosen[side] == str(path.resolve())
        assert "Lantern Moths: Night watch" in [offer.title for offer in setup._offered(side)]


def test_an_illegal_roster_is_kept_and_cannot_be_played(driver: Driver) -> None:
    screen = page(driver)
    short = replace(screen.team.default(), name="Short")
    path = save_roster(screen.team, replace(short, operatives=short.operatives[:-1]))
    screen.choose(str(path.resolve()))
    driver.settle()
    assert "do not fill" in screen.refusal
    assert {"solo", "hot-seat"} <= driver.desktop.ui.locked
    assert str(path.resolve()) not in [
        offer.key for offer in SetupScreen(driver.desktop, is_solo=True)._offered("blue")
    ]


def test_datacards_show_what_is_enforced(driver: Driver) -> None:
    page(driver)
    driver.press("cards")
    assert isinstance(driver.desktop.top, CardsScreen)
    said = driver.said()
    for words in ("Keeper", "Storm lamp", "Steady light", "done by ktsim", "by hand", "LANTERN MOTH, KEEPER, LEADER"):
        assert words in said


def test_rosters_of_another_program_find_their_team(driver: Driver, tmp_path: Path) -> None:
    take_in(tmp_path / "download_dir" / "lantern-moths.json")
    rows = [{"opTypeId": each["opTypeId"], "opName": f"My {each['opTypeName']}"} for each in whole_team()["opTypes"]]
    path = tmp_path / "evening.json"
    path.write_text(json.dumps({"killteamId": "LNT-MOTH", "ops": rows, "eqIds": []}), encoding="utf-8")
    taken = take_in(path)
    assert not taken.is_team
    assert taken.title == "Lantern Moths: evening"
    assert any("do not fill" in note for note in taken.notes)  # six of eight, and said
    found = team_named(taken.key)
    assert found is not None
    assert [each.name for each in found.rosters[0].roster.operatives][:2] == ["My Keeper", "My Gunner"]
    path.write_text(json.dumps({"ops": [{"opTypeId": "WASP", "opTypeName": "Wasp"}]}), encoding="utf-8")
    with pytest.raises(Exception, match="no team here has its operatives"):
        take_in(path)
