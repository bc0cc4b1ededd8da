"""Moves shown along the path that was taken: where figures are seen, how it is cut short, that it decides nothing.

The state is final all the while; only what the stage shows lags behind it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from desktop_driver import Driver
from panda3d.core import Texture
from play_driver import PLAIN, asking, game, show

from ktsim.app.play.game_screen import show_game
from ktsim.app.play.helping import Mind
from ktsim.app.play.match import BOT_PAUSE, Match
from ktsim.app.play.replay_screen import ReplayScreen
from ktsim.app.play.saves import Agreement
from ktsim.app.play.walking import LONGEST, SHORTEST, ShownWalk
from ktsim.app.stage import baking
from ktsim.app.stage.engine import Engine
from ktsim.app.stage.picture import TablePicture
from ktsim.app.ui.backend import Backend
from ktsim.app.ui.settings import Settings
from ktsim.game.setup import new_game
from ktsim.game.thinking import Thought
from ktsim.rules.engine.battle import Battle
from ktsim.rules.engine.decisions import Option, Steps, pick
from ktsim.rules.engine.operative_events import Moved, SetUp

START = (4000, 11000, 0)
CLIMB = ((6000, 11000, 0), (6000, 11000, 2000), (9000, 11000, 2000), (9000, 11000, 0))
"""Along, up, along on a level, and down: nine inches."""


@pytest.fixture(scope="module")
def engine() -> Iterator[Engine]:
    made = Engine.offscreen()
    yield made
    made.close()


@pytest.fixture
def now() -> list[float]:
    """What the clock says."""
    return [100.0]


@pytest.fixture
def driver(
    engine: Engine, now: list[float], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Callable[[Settings], Driver]]:
    """Makes a window whose clock stands still until it is set; pixels are not drawn, what is shown is."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setattr(baking, "baked_tiles", lambda *about: Texture("tiles"))
    monkeypatch.setattr(baking, "baked_ground", lambda *about: Texture("ground"))
    monkeypatch.setattr(TablePicture, "update", lambda self, now: False)
    monkeypatch.setattr(Engine, "render", lambda self: None)
    monkeypatch.setattr(Backend, "_geometry", lambda self, over: None)
    opened: list[Driver] = []

    def make(settings: Settings) -> Driver:
        made = Driver(engine, settings=settings)
        made.desktop.clock = lambda: now[0]
        opened.append(made)
        return made

    yield make
    for each in opened:
        each.close()


def climbing(battle: Battle) -> Steps[None]:
    """Somebody is set up; any answer has it climb over something; then something else is asked."""
    who = next(iter(battle.state.operatives))
    yield SetUp(who, START)
    options = [Option("a", "One"), Option("b", "Other")]
    values = {"a": 1, "b": 2}
    yield from pick("red", "go", "Go?", options, values)
    yield Moved(who, CLIMB, 9, 9)
    yield from pick("red", "then", "And then?", options, values)
    yield from pick("red", "last", "And last?", options, values)


def climber(driver: Driver) -> Match:
    match = asking(climbing, clock=driver.desktop.clock)
    show(driver, match)
    return match


def seen(driver: Driver) -> tuple[float, float, float]:
    """Where the stage shows the one that climbs."""
    picture = game(driver).picture
    (one,) = picture.scene.operatives
    at = picture.stage._minis[one.id].node.get_pos()
    assert at == (one.x, one.y, one.level)
    return round(one.x, 3), round(one.y, 3), round(one.level, 3)


def frame_at(driver: Driver, now: list[float], seconds: float) -> None:
    now[0] = 100.0 + seconds
    driver.desktop.attend()
    driver.desktop.frame()


def test_a_way_is_walked_leg_by_leg_and_never_for_long() -> None:
    walk = ShownWalk("one", (START, *CLIMB))
    assert walk.inches == 9.0
    assert walk.at(0.0) == (4.0, 11.0, 0.0)
    assert walk.at(1.0) == (9.0, 11.0, 0.0)
    shown = [walk.at(step / 200) for step in range(201)]
    for x, y, level in shown:  # never through the air: on the floor, at a face, or on top
        assert y == 11.0
        assert level == 0.0 or (level == 2.0 and 6.0 <= x <= 9.0) or x in (6.0, 9.0)
    assert {"up": any(x == 6.0 and 0 < z < 2 for x, _, z in shown), "down": any(
        x == 9.0 and 0 < z < 2 for x, _, z in shown
    )} == {"up": True, "down": True}  # fmt: skip
    assert walk.seconds == LONGEST
    assert ShownWalk("one", (START, (4100, 11000, 0))).seconds == SHORTEST


def test_a_move_begins_where_it_began_and_ends_where_the_state_says(
    driver: Callable[[Settings], Driver], now: list[float]
) -> None:
    window = driver(Settings())
    match = climber(window)
    assert seen(window) == (4.0, 11.0, 0.0)
    match.submit("a")
    (who,) = [who for who in match.game.state.operatives.values() if who.is_in_killzone]
    final = match.game.digest()
    assert who.point == CLIMB[-1]
    frame_at(window, now, 0.0)
    assert seen(window) == (4.0, 11.0, 0.0)
    assert window.desktop.wanted
    assert "choice-a" not in window.desktop.ui.rects
    frame_at(window, now, LONGEST / 2)
    assert seen(window) == (6.5, 11.0, 2.0)
    assert match.game.digest() == final
    frame_at(window, now, LONGEST)
    assert seen(window) == (9.0, 11.0, 0.0)
    assert "choice-a" in window.desktop.ui.rects
    assert match.game.digest() == final


def test_the_last_picture_is_drawn_although_nothing_happens(
    driver: Callable[[Settings], Driver], now: list[float]
) -> None:
    """The window draws only what is asked for: after the last frame on the way one more has to be."""
    window = driver(Settings())
    climber(window).submit("a")
    frame_at(window, now, 0.5)
    now[0] = 100.0 + LONGEST
    assert seen(window) != (9.0, 11.0, 0.0)
    window.desktop.attend()
    while window.desktop.wanted:
        window.desktop.frame()
    assert seen(window) == (9.0, 11.0, 0.0)


@pytest.mark.parametrize("way", ["key", "table", "panel"])
def test_any_press_finishes_a_move_and_does_nothing_else(
    way: str, driver: Callable[[Settings], Driver], now: list[float]
) -> None:
    window = driver(Settings())
    match = climber(window)
    match.submit("a")
    frame_at(window, now, LONGEST / 2)
    version = match.game.digest()
    if way == "key":
        window.key("enter")
    elif way == "table":
        layout = game(window).layout.middle
        window.click(layout.x + layout.w / 2, layout.y + layout.h / 2)
    else:
        rect = game(window).layout.right
        window.click(rect.x + rect.w / 2, rect.y + rect.h / 2)
    assert seen(window) == (9.0, 11.0, 0.0)
    assert not match.is_showing
    assert match.game.answers == ["a"]
    assert match.game.digest() == version
    window.key("enter")  # the next one answers
    assert len(match.game.answers) == 2


def test_without_animations_the_figure_is_there_at_once(driver: Callable[[Settings], Driver], now: list[float]) -> None:
    window = driver(Settings(motion=False))
    match = climber(window)
    match.submit("a")
    assert not match.is_showing
    frame_at(window, now, 0.0)
    assert seen(window) == (9.0, 11.0, 0.0)
    assert "choice-a" in window.desktop.ui.rects


def test_going_back_and_forth_shows_the_table_as_it_is_at_once(
    driver: Callable[[Settings], Driver], now: list[float]
) -> None:
    window = driver(Settings())
    match = climber(window)
    match.submit("a")
    frame_at(window, now, LONGEST / 2)
    window.key("control", "z")
    assert match.game.answers == []
    assert seen(window) == (4.0, 11.0, 0.0)
    assert not match.is_showing
    window.key("control", "shift", "z")
    assert match.game.answers == ["a"]
    assert seen(window) == (9.0, 11.0, 0.0)
    assert not match.is_showing


def test_a_bots_move_is_shown_before_its_next_answer(
    driver: Callable[[Settings], Driver], now: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Mind, "think", lambda self, bot, viewer: Thought("a", "it likes climbing"))
    window = driver(Settings())
    match = asking(climbing, Agreement(red="opponent"), clock=window.desktop.clock)
    show_game(window.desktop, match)
    window.desktop.frame()
    assert match.game.answers == ["a"]
    frame_at(window, now, max(LONGEST, BOT_PAUSE) / 2)
    assert seen(window) == (6.5, 11.0, 2.0)
    assert len(match.game.answers) == 1
    frame_at(window, now, max(LONGEST, BOT_PAUSE))
    assert len(match.game.answers) == 2


def test_a_game_is_the_same_with_and_without(
    driver: Callable[[Settings], Driver], now: list[float], tmp_path: Path
) -> None:
    """A turning point, answered at random: alone; and in a window where moves are shown, some of them cut short."""
    window = driver(Settings())
    alone, rng, impatient = new_game(PLAIN), Random(5), Random(6)
    match = Match.begin(PLAIN, Agreement(dice="typed"), tmp_path / "one.ktsim", clock=window.desktop.clock)
    show(window, match)
    walked = 0
    while alone.state.turning_point < 2:
        assert alone.pending is not None
        answer: Any = alone.pending.sample(rng)
        alone.submit(answer)
        assert match.submit(answer)
        assert match.game.digest() == alone.digest()
        walked += bool(match.shown.places())
        while match.is_showing:
            now[0] += 0.15
            window.desktop.frame()
            if impatient.random() < 0.3:
                match.skip()
        assert match.game.digest() == alone.digest()
    window.desktop.frame()
    assert game(window).picture.scene.operatives == game(window).table.scene().operatives
    assert walked > 3


def test_a_replay_walks_only_to_the_next_moment(
    driver: Callable[[Settings], Driver], now: list[float], tmp_path: Path
) -> None:
    match = Match.begin(PLAIN, Agreement(dice="typed"), tmp_path / "one.ktsim", is_animated=False)
    rng = Random(4)
    while not any(isinstance(event, Moved) for event in match.game.events):
        assert match.decision is not None
        match.submit(match.decision.sample(rng))
    moved = next(event for event in match.game.events if isinstance(event, Moved))
    match.close()
    window = driver(Settings())
    screen = ReplayScreen(window.desktop, tmp_path / "one.ktsim")
    window.desktop.push(screen)
    while not screen.replay.is_ready:
        window.desktop.frame()
    last = len(screen.replay.moments) - 1

    def stands() -> tuple[float, float]:
        window.desktop.frame()
        one = screen.picture.scene.operative(moved.operative)
        return one.x, one.y

    end = (moved.path[-1][0] / 1000, moved.path[-1][1] / 1000)
    screen.go(last)  # a jump
    assert stands() == end
    screen.go(last - 1)  # back
    start = stands()
    assert start != end
    window.desktop.press("arrow_right", True)
    assert stands() == start
    assert window.desktop.wanted
    now[0] += SHORTEST / 2
    assert stands() not in (start, end)
    now[0] += LONGEST
    assert stands() == end
    window.desktop.press("arrow_left", True)
    assert stands() == start
    window.desktop.press("arrow_right", True)
    now[0] += SHORTEST / 2
    assert stands() not in (start, end)
    window.desktop.press("f", True)  # any key
    assert stands() == end
    assert screen.now == last
