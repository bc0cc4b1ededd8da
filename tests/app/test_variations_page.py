"""The tree of variations in the window: who leaves whom and where, gone on with, watched, removed."""

from __future__ import annotations

from desktop_driver import Driver, engine
from play_driver import driver
from test_play_on import played_on, replay

from ktsim.app.play.game_screen import GameScreen
from ktsim.app.play.replay_screen import ReplayScreen
from ktsim.app.play.saves import games_folder, removed_folder
from ktsim.app.play.setup_screen import SavesScreen, show_variations
from ktsim.app.play.variations_screen import VariationsScreen
from ktsim.game.record import load
from ktsim.game.variations import branch, leaves_from

__all__ = ["driver", "engine", "replay"]


def page(driver: Driver) -> VariationsScreen:
    driver.settle()
    screen = driver.desktop.top
    assert isinstance(screen, VariationsScreen)
    return screen


def test_the_tree_is_walked_from_a_replay(driver: Driver, replay: ReplayScreen) -> None:
    path = replay.replay.path
    late = branch(path, 100, "Late")
    early = branch(path, 60, "Early")
    second = branch(early, 50, "Earlier still")
    driver.key("f5")
    screen = page(driver)
    assert [(row.title, row.depth) for row in screen.rows[1:]] == [("Early", 1), ("Earlier still", 2), ("Late", 1)]
    assert screen.rows[0].node.path == path
    told = [row.note for row in screen.rows]
    leaves = leaves_from(load(late).recorded.header)
    assert leaves is not None
    assert f"turning point {replay.replay.moments[100].state.turning_point}" in leaves.where
    assert leaves.where in told[-1]
    assert told[0] == "two people"
    assert [row.up for row in screen.rows[1:]] == [1, 1, 3]
    driver.press(f"remove-{second.name}")
    assert "Remove Earlier still?" in driver.said()
    driver.press("remove")
    assert [row.title for row in screen.rows[1:]] == ["Early", "Late"]
    assert (removed_folder() / second.name).exists()
    assert not second.exists()
    driver.press(f"go-{early.name}")
    game = driver.desktop.top
    assert isinstance(game, GameScreen)
    assert game.match.path == early
    assert len(game.match.game.answers) >= 60


def test_a_variation_is_watched_from_the_list_of_games(driver: Driver, replay: ReplayScreen) -> None:
    other = branch(replay.replay.path, 30, "Other")
    driver.desktop.home()
    driver.desktop.push(SavesScreen.loading(driver.desktop))
    driver.settle()
    driver.press("variations")
    page(driver)
    driver.press(f"watch-{other.name}")
    watched = driver.desktop.top
    assert isinstance(watched, ReplayScreen)
    assert watched.replay.path == other


def test_variations_of_a_removed_game_stay(driver: Driver, replay: ReplayScreen) -> None:
    match = played_on(driver, replay, 40)
    assert match.path is not None
    driver.desktop.home()
    show_variations(driver.desktop)
    screen = page(driver)
    driver.press(f"remove-{replay.replay.path.name}")
    driver.press("remove")
    assert [(row.node.path, row.depth) for row in screen.rows] == [(match.path, 0)]


def test_without_variations_it_says_how_to_make_one(driver: Driver) -> None:
    games_folder().mkdir(parents=True, exist_ok=True)
    show_variations(driver.desktop)
    page(driver)
    assert "No game has variations yet" in driver.said()
