"""Playing on from a moment of a replay: a game of its own, with the seats and the dice that were chosen."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest
from desktop_driver import Driver, engine
from play_driver import begin, driver

from ktsim.app.play import offers
from ktsim.app.play.game_screen import GameScreen
from ktsim.app.play.match import Match
from ktsim.app.play.play_on import PlayOnScreen
from ktsim.app.play.replay_screen import ReplayScreen
from ktsim.app.play.saves import HUMAN, games_folder, read_agreement
from ktsim.game.game import Game
from ktsim.game.record import load
from ktsim.game.setup import prepare
from ktsim.game.variations import leaves_from, tree

__all__ = ["driver", "engine"]


def play(match: Match, seed: int, until: int) -> None:
    """Have people answer at random until so many answers are given."""
    rng = Random(seed)
    match.shown.is_animated = False
    while len(match.game.answers) < until and match.game.pending is not None:
        match.advance()
        if match.decision is not None and match.asks_person(match.decision):
            match.submit(match.decision.sample(rng))


@pytest.fixture
def replay(driver: Driver) -> ReplayScreen:
    """A game that was played for a while, watched at its beginning."""
    path = games_folder() / "one.ktsim"
    begin(driver, path)
    screen = driver.desktop.top
    assert isinstance(screen, GameScreen)
    play(screen.match, 4, 120)
    driver.desktop.home()
    watched = ReplayScreen(driver.desktop, path)
    driver.desktop.push(watched)
    while not watched.replay.is_ready:
        driver.desktop.frame()
    driver.settle()
    return watched


def played_on(driver: Driver, replay: ReplayScreen, after: int, *keys: str) -> Match:
    replay.go(after)
    driver.settle()
    driver.key("f3")
    assert isinstance(driver.desktop.top, PlayOnScreen)
    for key in keys:
        driver.key(key)
    driver.key("enter")
    screen = driver.desktop.top
    assert isinstance(screen, GameScreen)
    return screen.match


def rolls(answers: list[Any], path: Path, after: int) -> list[Any]:
    """What chance answered after a moment of the game in *path*, as far as it went."""
    loaded = load(path)
    game, found = Game(prepare(loaded.setup)[0], loaded.start), []
    for number, answer in enumerate(answers):
        assert game.pending is not None
        if number >= after and game.pending.seat == "chance":
            found.append(answer)
        game.submit(answer)
    return found


def test_a_replay_is_played_on_as_a_game_of_its_own(driver: Driver, replay: ReplayScreen) -> None:
    path, before = replay.replay.path, replay.replay.path.read_bytes()
    replay.go(40)
    digest = replay.moment.state.digest()
    driver.settle()
    driver.press("play-on")
    assert "Play from here" in driver.said()
    driver.press("begin")
    screen = driver.desktop.top
    assert isinstance(screen, GameScreen)
    match = screen.match
    assert match.game.answers[:40] == replay.replay.answers[:40]
    if len(match.game.answers) == 40:
        assert match.game.state.digest() == digest
    assert match.path is not None
    assert match.path != path
    assert path.read_bytes() == before, "the game itself is left as it is"
    leaves = leaves_from(load(match.path).recorded.header)
    assert leaves is not None
    assert (leaves.parent, leaves.after) == (path.name, 40)
    (root,) = tree([path, match.path])
    assert [node.path for node in root.variations] == [match.path]


def test_a_bot_takes_a_seat(driver: Driver, replay: ReplayScreen) -> None:
    match = played_on(driver, replay, 40, "r", "l")
    assert match.path is not None
    kept = read_agreement(match.path)
    assert (kept.blue, kept.red) == (HUMAN, offers.bots()[0].key)
    assert kept.is_sandbox
    assert kept.level != "normal"


def test_every_player_has_a_button(driver: Driver, replay: ReplayScreen) -> None:
    driver.key("f3")
    screen = driver.desktop.top
    assert isinstance(screen, PlayOnScreen)
    for side in ("blue", "red"):
        for name in (*(offer.key for offer in offers.bots() if offer.key != offers.NON_PLAYER), HUMAN):
            driver.press(f"{side}-{name}")
            assert screen.seats[side] == name
    assert f"red-{offers.NON_PLAYER}" not in driver.desktop.ui.rects, "it plays nobody else's team"
    driver.press("dice-same")
    driver.press("level-hard")
    assert (screen.dice, screen.level) == ("same", "hard")


@pytest.mark.parametrize("is_same", [True, False])
def test_dice_fall_as_they_fell_there_or_anew(driver: Driver, replay: ReplayScreen, is_same: bool) -> None:
    path, answers = replay.replay.path, list(replay.replay.answers)
    after = next(i for i in range(len(answers), 0, -1) if len(rolls(answers, path, i)) >= 3)
    match = played_on(driver, replay, after, *(["d"] if is_same else []))
    match.shown.is_animated = False
    for answer in answers[after:]:  # the same choices as there
        decision = match.decision
        while decision is not None and decision.seat == "chance" and match.advance():
            decision = match.decision
        if decision is None or decision.check(answer) is not None or match.game.answers == answers:
            continue
        match.submit(answer)
    assert (match.game.answers[: len(answers)] == answers) is is_same


def test_escape_goes_back_to_the_replay(driver: Driver, replay: ReplayScreen) -> None:
    driver.key("f3")
    driver.key("escape")
    assert driver.desktop.top is replay
    driver.key("f3")
    driver.press("cancel")
    assert driver.desktop.top is replay
