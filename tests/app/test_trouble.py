"""Faults in the window: told with the place of their log, nothing lost, the window goes on."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from desktop_driver import Driver
from play_driver import asking, begin, driver, engine, game, rest, show

from ktsim import faults, paths
from ktsim.app.area.screen import AreaScreen
from ktsim.app.card import process
from ktsim.app.play import game_view
from ktsim.app.screens.screen import Held, Screen
from ktsim.app.shell.fault_screen import FaultScreen
from ktsim.app.ui import clipboard
from ktsim.app.ui.rect import Rect
from ktsim.app.ui.widgets import Widgets
from ktsim.game import journal
from ktsim.killzones.scene_file import load_scene
from ktsim.rules.engine.battle import Battle
from ktsim.rules.engine.decisions import Option, Steps, pick

__all__ = ["driver", "engine"]


@pytest.fixture
def window(driver: Driver, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Driver]:
    """A desktop that tells of faults as it does for people; its log lies in *tmp_path*."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setattr(faults, "_known", {})
    driver.desktop.raises_faults = False
    return driver


def log(tmp_path: Path) -> str:
    return (tmp_path / "state" / "ktsim" / "faults.log").read_text()


class Broken(Screen):
    """Fails where it is told to, in the middle of panels."""

    name = "broken"

    def __init__(self, desktop: Any, where: str) -> None:
        super().__init__(desktop)
        self.where = where

    def draw(self, ui: Widgets) -> None:
        with ui.panel("outer", Rect(10, 10, 200, 200)), ui.scrolled("inner", Rect(20, 20, 100, 100), 500):
            ui.text(30, 30, "half drawn")
            self.fail("draw")

    def update(self, now: float) -> None:
        self.fail("update")

    def key(self, key: str, held: Held) -> None:
        self.fail("key")

    def fail(self, here: str) -> None:
        if here == self.where:
            raise KeyError(f"lost in {here}")


@pytest.mark.parametrize("where", ["draw", "update", "key"])
def test_a_screen_that_fails_is_told_of_and_the_window_goes_on(
    window: Driver, where: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    window.desktop.push(Broken(window.desktop, where))
    window.settle()
    window.key("x")
    assert isinstance(window.desktop.top, FaultScreen)
    place = tmp_path / "state" / "ktsim" / "faults.log"
    assert str(place) in window.said()
    assert f"lost in {where}" in log(tmp_path)
    assert "screen: broken" in log(tmp_path)
    copied: list[str] = []
    monkeypatch.setattr(clipboard, "copy", lambda text: copied.append(text) or True)
    window.press("copy")
    assert copied == [str(place)]
    window.press("close")
    assert not isinstance(window.desktop.top, FaultScreen)
    window.settle()
    assert log(tmp_path).count("Traceback") == 1  # it goes on failing, and is told of once
    window.desktop.home()
    window.settle()
    window.press("settings")
    assert window.desktop.top.name == "settings"


def test_when_debugging_it_is_raised(driver: Driver) -> None:
    assert driver.desktop.raises_faults
    driver.desktop.push(Broken(driver.desktop, "key"))
    with pytest.raises(KeyError):
        driver.key("x")


def failing(battle: Battle) -> Steps[None]:
    while True:
        chosen = yield from pick(
            "red", "letter", "Which?", [Option("a", "First"), Option("b", "Second")], {"a": "a", "b": "b"}
        )
        if chosen == "b":
            raise ZeroDivisionError("a rule went wrong")


def test_a_rule_that_fails_is_written_down_and_the_game_stands(window: Driver, tmp_path: Path) -> None:
    match = asking(failing, clock=window.desktop.clock)
    show(window, match)
    assert match.submit("a")
    before = match.game.digest()
    assert not match.submit("b")
    window.settle()
    assert isinstance(window.desktop.top, FaultScreen)
    assert "a rule went wrong" in window.said()
    text = log(tmp_path)
    assert "answers: 1" in text
    assert "seed: " in text
    window.press("close")
    assert match.game.digest() == before
    assert game(window).match.submit("a")


def test_a_question_beside_the_window_that_fails_is_told_of(
    window: Driver, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def lost(*_: object) -> None:
        raise IndexError("no such odds")

    path = tmp_path / "g.ktsim"
    begin(window, path)
    monkeypatch.setattr(game_view, "solved", lost)
    monkeypatch.setattr(game_view, "shots_and_fights", lambda match: ([object()], []))
    monkeypatch.setattr(game_view, "choice_rows", lambda match, draft, *_: _rows(match, draft))
    game(window).table._offers = None
    window.desktop.refresh()
    rest(window)
    assert isinstance(window.desktop.top, FaultScreen)
    text = log(tmp_path)
    assert "the odds" in text
    assert "no such odds" in text
    assert "journal: g.ktsim" in text
    assert journal.read(path).header  # the game is kept
    window.press("close")


_plain_rows = game_view.choice_rows


def _rows(match: Any, draft: Any) -> Any:
    return _plain_rows(match, draft, [], [], None)


def test_an_area_view_that_fails_is_told_of(window: Driver, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def lost(*_: object) -> Any:
        raise IndexError("no such cell")

    monkeypatch.setattr("ktsim.app.area.screen.survey", lost)
    window.desktop.open_table(load_scene(paths.killzones() / "examples" / "hatch-open.yaml"))
    window.settle()
    window.key("a")
    screen = window.desktop.top
    assert isinstance(screen, AreaScreen)
    assert screen.job is not None
    screen.job._thread.join()
    window.desktop.attend()
    window.settle()
    assert isinstance(window.desktop.top, FaultScreen)
    assert "no such cell" in log(tmp_path)
    window.press("close")
    assert window.desktop.top is screen


def test_a_card_that_fails_is_written_down(
    window: Driver, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def lost(*_: object) -> None:
        raise IndexError("no paint left")

    scene = paths.killzones() / "examples" / "hatch-open.yaml"
    monkeypatch.setattr("ktsim.app.card.pictures.write_card", lost)
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(scene.read_bytes())))
    assert process.main(str(scene), str(tmp_path / "card.png")) == faults.EXIT_CODE
    assert "no paint left" in log(tmp_path)
    assert "faults.log" in capsys.readouterr().err
