"""The player's teams: the page, what became of a file, building a roster, datacards."""

from __future__ import annotations

import os
import time
from pathlib import Path
from random import Random

from desktop_driver import Driver
from whole_team import downloaded

from ktsim.app.play.game_screen import GameScreen, show_game
from ktsim.app.play.match import Match
from ktsim.app.play.saves import Agreement
from ktsim.app.teams.builder import RosterScreen
from ktsim.app.teams.page import TeamsScreen
from ktsim.game.setup import Setup
from ktsim.game.team_library import take_in

from . import shot


def imported(driver: Driver) -> TeamsScreen:
    """The page with a team that was just taken in, and what became of it over it."""
    driver.press("teams")
    page = driver.desktop.top
    assert isinstance(page, TeamsScreen)
    page.take_in([downloaded(Path(os.environ["XDG_DATA_HOME"]) / "downloads")])
    while page.taking.is_busy:
        time.sleep(0.05)
        driver.desktop.attend()
    driver.settle()
    return page


def building(driver: Driver) -> RosterScreen:
    imported(driver)
    driver.key("escape")
    driver.press("new")
    found = driver.desktop.top
    assert isinstance(found, RosterScreen)
    return found


@shot("teams-page")
def _(driver: Driver) -> None:
    building(driver).finish()
    driver.settle()


@shot("teams-importing")
def _(driver: Driver) -> None:
    driver.press("teams")
    page = driver.desktop.top
    assert isinstance(page, TeamsScreen)
    page.take_in([downloaded(Path(os.environ["XDG_DATA_HOME"]) / "downloads")] * 3)
    page.problems = ("notes.json: has no operative that can be used",)


@shot("teams-files")
def _(driver: Driver) -> None:
    os.environ["XDG_DOWNLOAD_DIR"] = str(Path(os.environ["XDG_DATA_HOME"]) / "downloads")
    downloaded(Path(os.environ["XDG_DOWNLOAD_DIR"]))
    driver.press("teams")
    driver.press("import")


@shot("teams-report")
def _(driver: Driver) -> None:
    imported(driver)


@shot("teams-report-shown")
def _(driver: Driver) -> None:
    imported(driver)
    driver.press("status-shown")


@shot("teams-builder")
def _(driver: Driver) -> None:
    building(driver)
    driver.press("operative-1")


@shot("teams-builder-illegal")
def _(driver: Driver) -> None:
    building(driver)
    driver.press("remove-1")
    driver.press("remove-1")


@shot("teams-cards")
def _(driver: Driver) -> None:
    imported(driver)
    driver.key("escape")
    driver.press("cards")


@shot("teams-setup")
def _(driver: Driver) -> None:
    imported(driver)
    driver.press("go")


def fighting(driver: Driver, path: Path) -> GameScreen:
    """A game with a team that has cards, at the first choice of an action."""
    moths = take_in(downloaded(path)).key
    setup = Setup(board="training-ground", mission="skirmish", blue=moths, red=moths)
    match = Match.begin(setup, Agreement(), path / "game.ktsim", dice=Random(2), clock=driver.desktop.clock)
    rng = Random(4)
    while match.decision is not None and match.decision.topic != "action":
        match.game.submit(match.decision.sample(rng))
    match.log.restart()
    screen = show_game(driver.desktop, match)
    driver.settle()
    return screen


@shot("play-cards-chip")
def _(driver: Driver) -> None:
    fighting(driver, Path(os.environ["XDG_DATA_HOME"]))


@shot("play-cards-now")
def _(driver: Driver) -> None:
    fighting(driver, Path(os.environ["XDG_DATA_HOME"]))
    driver.press("cards-now")


@shot("play-by-hand")
def _(driver: Driver) -> None:
    fighting(driver, Path(os.environ["XDG_DATA_HOME"])).by_hand()
    driver.settle()
    driver.press("what-rule")
