"""The lesson, a review, the tree of variations, and a scene that is to be played."""

from __future__ import annotations

import shutil
import time

from desktop_driver import Driver
from kept_saves import save_of_now
from play_driver import rest

from ktsim.app.play.game_screen import GameScreen
from ktsim.app.play.play_on import PlayOnScreen
from ktsim.app.play.replay_screen import ReplayScreen
from ktsim.app.play.review_screen import ReviewScreen
from ktsim.app.play.saves import games_folder
from ktsim.game.lesson import BRAWLER, GUNNER
from ktsim.game.variations import branch
from ktsim.killzones.scene_file import load_scene
from ktsim.paths import killzones

from . import shot


def watched(driver: Driver, kept: str) -> ReplayScreen:
    """A kept game in its replay."""
    path = games_folder() / "An evening game.ktsim"
    path.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(save_of_now(kept), path)
    screen = ReplayScreen(driver.desktop, path)
    driver.desktop.push(screen)
    while not screen.replay.is_ready:
        driver.desktop.frame()
    driver.settle()
    return screen


@shot("lesson")
def _(driver: Driver) -> None:
    driver.press("lesson")
    driver.settle()


@shot("lesson-move")
def _(driver: Driver) -> None:
    driver.press("lesson")
    driver.settle()
    screen = driver.desktop.top
    assert isinstance(screen, GameScreen)
    for answer in (GUNNER, "engage", "Reposition"):
        screen.match.submit(answer)
    rest(driver)
    assert BRAWLER in screen.match.game.state.operatives


@shot("review")
def _(driver: Driver) -> None:
    reviewed(driver)


@shot("review-shown")
def _(driver: Driver) -> None:
    reviewed(driver)
    driver.press("show-1")


@shot("review-under-way")
def _(driver: Driver) -> None:
    watched(driver, "battle")
    driver.press("review")


def reviewed(driver: Driver) -> None:
    watched(driver, "lite")
    driver.press("review")
    screen = driver.desktop.top
    assert isinstance(screen, ReviewScreen)
    while screen.review is None:
        driver.desktop.attend()
        time.sleep(0.05)
    driver.settle()


@shot("variations")
def _(driver: Driver) -> None:
    path = watched(driver, "skirmish").replay.path
    early = branch(path, 60, "Straight for the beacon")
    branch(early, 50, "The same, from the left and with everybody who can still move")
    branch(path, 90, "Late")
    driver.key("f5")


@shot("play-on")
def _(driver: Driver) -> None:
    screen = watched(driver, "skirmish")
    screen.go(60)
    driver.settle()
    driver.key("f3")
    assert isinstance(driver.desktop.top, PlayOnScreen)


@shot("scene-play")
def _(driver: Driver) -> None:
    driver.desktop.open_table(load_scene(killzones() / "examples" / "light-near-target.yaml"))
    driver.settle()
    driver.key("f3")
