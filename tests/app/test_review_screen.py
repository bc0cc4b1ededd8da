"""The review in the window: made beside it, stopped and gone on with, shown on the table, played from."""

from __future__ import annotations

import shutil
import time

import pytest
from desktop_driver import Driver, engine
from kept_saves import save_of_now
from play_driver import driver

from ktsim.app.play.game_screen import GameScreen
from ktsim.app.play.play_on import PlayOnScreen
from ktsim.app.play.replay_screen import ReplayScreen
from ktsim.app.play.review_screen import ROWS, ReviewScreen
from ktsim.app.play.saves import games_folder, list_saves, remove
from ktsim.app.stage.overlays import Ghost, Label
from ktsim.game.review.keeping import kept_review, review_path

__all__ = ["driver", "engine"]

SAVE = save_of_now("lite")


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The review of the game, as it is kept beside it."""
    path = tmp_path_factory.mktemp("kept") / "game.ktsim"
    shutil.copy(SAVE, path)
    kept_review(path)
    return review_path(path).read_text()


@pytest.fixture
def replay(driver: Driver, kept: str) -> ReplayScreen:
    path = games_folder() / "game.ktsim"
    path.parent.mkdir(parents=True)
    shutil.copy(SAVE, path)
    review_path(path).write_text(kept)
    watched = ReplayScreen(driver.desktop, path)
    driver.desktop.push(watched)
    while not watched.replay.is_ready:
        driver.desktop.frame()
    driver.settle()
    return watched


def reviewed(driver: Driver, replay: ReplayScreen) -> ReviewScreen:
    driver.press("review")
    screen = driver.desktop.top
    assert isinstance(screen, ReviewScreen)
    until = time.monotonic() + 60
    while screen.review is None and time.monotonic() < until:
        driver.desktop.attend()
        time.sleep(0.02)
    driver.settle()
    assert screen.review is not None
    return screen


def test_a_game_is_reviewed_over_its_replay(driver: Driver, replay: ReplayScreen) -> None:
    screen = reviewed(driver, replay)
    said = driver.said()
    for title, _, _ in ROWS:
        assert title in said
    first = screen.dearest()[0]
    assert first.better in said
    assert f"{first.loss:.1f} VP" in said
    driver.press("whose-red")
    assert {each.side for each in screen.dearest()} <= {"red"}
    driver.press("close")
    assert driver.desktop.top is replay
    driver.key("f4")
    assert driver.desktop.top is screen, "it is not made again"


def test_a_decision_is_shown_with_what_would_have_been_better(driver: Driver, replay: ReplayScreen) -> None:
    screen = reviewed(driver, replay)
    first = screen.dearest()[0]
    driver.press("show-1")
    assert driver.desktop.top is replay
    assert replay.now == first.moment
    assert first.plan is not None
    assert f"Better by {first.loss:.1f} VP" in driver.said()
    if any(step.path for step in first.plan.steps):
        assert any(isinstance(item, Ghost) for item in replay.picture.items)
        assert any(isinstance(item, Label) and item.text.endswith("better here") for item in replay.picture.items)
    driver.key("arrow_right")
    assert replay.advice is None
    assert "Better by" not in driver.said()


def test_a_decision_is_played_anew_from_the_review(driver: Driver, replay: ReplayScreen) -> None:
    screen = reviewed(driver, replay)
    first = screen.dearest()[0]
    driver.press("play-1")
    asking = driver.desktop.top
    assert isinstance(asking, PlayOnScreen)
    assert asking.after == first.moment
    driver.press("begin")
    game = driver.desktop.top
    assert isinstance(game, GameScreen)
    assert game.match.game.answers[: first.moment] == replay.replay.answers[: first.moment]


def test_a_review_is_stopped_and_gone_on_with(driver: Driver, replay: ReplayScreen) -> None:
    driver.key("f4")
    screen = driver.desktop.top
    assert isinstance(screen, ReviewScreen)
    driver.key("s")
    assert not screen.reviewer.is_at_work
    driver.press("go-on")
    assert screen.reviewer.is_at_work
    driver.key("escape")
    assert driver.desktop.top is replay
    assert not screen.reviewer.is_at_work, "nothing goes on behind a closed page"


def test_a_game_that_is_removed_takes_its_review_with_it(driver: Driver, replay: ReplayScreen) -> None:
    (save,) = list_saves()
    remove(save)
    assert not review_path(save.path).exists()
