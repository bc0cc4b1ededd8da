"""A variation tried again: with fresh dice, or with the same dice and another choice; names and the tree."""

from __future__ import annotations

import pytest
from desktop_driver import Driver, engine
from play_driver import driver
from test_play_on import play, played_on, replay, rolls

from ktsim.app.play.game_screen import GameScreen
from ktsim.app.play.play_on import PlayOnScreen
from ktsim.app.play.replay_screen import ReplayScreen
from ktsim.game.record import load
from ktsim.game.variations import leaves_from, tree

__all__ = ["driver", "engine", "replay"]


def top(driver: Driver) -> GameScreen:
    screen = driver.desktop.top
    assert isinstance(screen, GameScreen)
    return screen


@pytest.mark.parametrize("key", ["f6", "f7"])
def test_a_key_tries_a_variation_again(driver: Driver, replay: ReplayScreen, key: str) -> None:
    first = played_on(driver, replay, 60)
    play(first, 9, 90)
    assert first.path is not None
    driver.key(key)
    second = top(driver).match
    assert second.path not in (None, first.path)
    assert second.path is not None
    leaves = leaves_from(load(second.path).recorded.header)
    assert leaves is not None
    assert (leaves.parent, leaves.after) == (replay.replay.path.name, 60)
    assert second.game.answers[:60] == first.game.answers[:60]
    (root,) = tree([replay.replay.path, first.path, second.path])
    assert {node.path for node in root.variations} == {first.path, second.path}
    if key == "f7":
        play(second, 9, 90)  # the same choices: with the same dice it is the same game
        assert rolls(second.game.answers, second.path, 60) == rolls(first.game.answers, first.path, 60)
        assert second.game.digest() == first.game.digest(), "a variation played again has the same hashes"


def test_a_variation_has_the_name_it_was_given(driver: Driver, replay: ReplayScreen) -> None:
    replay.go(60)
    driver.settle()
    driver.key("f3")
    screen = driver.desktop.top
    assert isinstance(screen, PlayOnScreen)
    screen.title = "Left around the ruin"
    driver.key("enter")
    path = top(driver).match.path
    assert path is not None
    leaves = leaves_from(load(path).recorded.header)
    assert leaves is not None
    assert leaves.name == "Left around the ruin"
    (root,) = tree([replay.replay.path, path])
    assert [node.title for node in root.variations] == ["Left around the ruin"]


def test_a_game_that_is_no_variation_says_so(driver: Driver, replay: ReplayScreen) -> None:
    from play_driver import begin

    begin(driver, replay.replay.path.with_name("two.ktsim"))
    driver.key("f6")
    assert "This game is no variation" in driver.desktop.notice
