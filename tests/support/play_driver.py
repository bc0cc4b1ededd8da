"""A game in a window without a display, answered through its widgets as a person would."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from desktop_driver import Driver, engine

from ktsim.app.play.game_screen import GameScreen, show_game
from ktsim.app.play.match import Match
from ktsim.app.play.saves import Agreement
from ktsim.app.shell import start
from ktsim.app.stage.engine import Engine
from ktsim.app.stage.picture import TablePicture
from ktsim.app.ui.backend import Backend
from ktsim.app.ui.settings import Settings
from ktsim.game.game import Game
from ktsim.game.session import Session
from ktsim.game.setup import Setup, prepare
from ktsim.rules.engine.battle import Battle
from ktsim.rules.engine.decisions import CANCEL, Steps

__all__ = ["driver", "engine"]  # fixtures, for whoever imports them

PLAIN = Setup(board="open", table="plain", mission="skirmish")


@pytest.fixture
def driver(engine: Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Driver]:
    """A desktop at its start screen on which nothing moves by itself; its games lie in *tmp_path*."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    start.forget()
    made = Driver(engine, settings=Settings(motion=False))
    yield made
    made.close()


def asking(procedure: Callable[[Battle], Steps[Any]], agreement: Agreement | None = None, **options: Any) -> Match:
    """A match that asks whatever *procedure* asks, on a plain table with nobody set up yet."""
    battle, state = prepare(PLAIN)
    session = Session(Game(battle, state, procedure), PLAIN)
    return Match(session, agreement or Agreement(), **options)


def begin(driver: Driver, path: Path, setup: Setup = PLAIN, agreement: Agreement | None = None, seed: int = 1) -> None:
    match = Match.begin(setup, agreement or Agreement(), path, dice=Random(seed), clock=driver.desktop.clock)
    show(driver, match)


def show(driver: Driver, match: Match) -> None:
    show_game(driver.desktop, match)
    driver.settle()


def game(driver: Driver) -> GameScreen:
    screen = driver.desktop.shown
    assert isinstance(screen, GameScreen)
    return screen


def rest(driver: Driver) -> None:
    """Until everything asked beside the window is answered and shown."""
    for _ in range(3):
        game(driver).table.jobs.finish()
        driver.settle()


class Quick(Driver):
    """Draws two frames, enough for a list to scroll, where another draws until nothing more is wanted."""

    def settle(self) -> None:
        self.desktop.frame()
        self.desktop.frame()


def without_pictures(monkeypatch: Any) -> None:
    """Lay panels out and test what is hit, but draw nothing: pictures cost most of a frame and decide nothing."""
    monkeypatch.setattr(TablePicture, "update", lambda self, now: False)
    monkeypatch.setattr(TablePicture, "show", lambda self, scene, items: None)
    monkeypatch.setattr(Engine, "render", lambda self: None)
    monkeypatch.setattr(Backend, "_geometry", lambda self, over: None)


def choose(driver: Driver, key: str) -> None:
    """Mark or give a choice: by its button where it can be seen, otherwise with the arrow keys."""
    draft = game(driver).match.draft
    assert draft is not None
    rect = driver.desktop.ui.rects[f"choice-{key}"]
    panel = game(driver).layout.right
    foot = (70 if draft.prompt.needs_confirming else 20) + (40 if game(driver).match.may_step_back else 0)
    if panel.y + 60 < rect.y and rect.bottom < panel.bottom - foot:
        driver.press(f"choice-{key}")
        return
    for _ in range(len(draft.prompt.choices)):
        if draft.marked == [key]:
            break
        driver.key("arrow_down")
    assert draft.marked == [key]
    if not draft.prompt.needs_confirming:
        driver.key("enter")


def give(driver: Driver, answer: Any) -> None:
    """Answer the pending question through the window."""
    screen = game(driver)
    if screen.match.privacy.is_covered:
        driver.press("accept")
    draft = screen.match.draft
    assert draft is not None
    prompt, number = draft.prompt, len(screen.match.game.answers)
    if prompt.topic == "action":
        rest(driver)  # what is found out about a choice changes how tall its row is
    match prompt.kind:
        case "pick":
            if not prompt.needs_confirming or draft.marked != [answer]:
                choose(driver, answer)
            if prompt.needs_confirming and len(screen.match.game.answers) == number:
                driver.press("confirm")
        case "some":
            for key in [*draft.marked, *answer]:
                driver.press(f"choice-{key}")
            driver.press("confirm")
        case "roll":
            for face in answer:
                driver.press(f"face-{face}")
            driver.press("confirm")
        case "walk" if answer == CANCEL:
            driver.press("cancel-move")
        case "place" | "walk":
            places = [answer] if prompt.kind == "place" else answer
            driver.press("place")
            driver.desktop.text("; ".join(f"{x / 1000:.3f}, {y / 1000:.3f}, {z / 1000:.3f}" for x, y, z in places))
            driver.settle()
            driver.press("put")
            driver.press("confirm")
        case _:
            driver.press("confirm")
    assert len(screen.match.game.answers) > number, f"{prompt.text}: {answer!r} was not taken: {driver.said()}"
