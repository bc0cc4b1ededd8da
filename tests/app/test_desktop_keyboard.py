"""Everything in the window is reached and pressed with the keyboard alone."""

from __future__ import annotations

from typing import Any

import pytest
from desktop_driver import Driver, pair
from play_driver import asking, driver, engine, game, show, without_pictures

from ktsim.app.ui.focus import Focus
from ktsim.app.ui.pen import Rect
from ktsim.rules.engine.battle import Battle
from ktsim.rules.engine.decisions import Option, Place, Steps, ask, pick

__all__ = ["driver", "engine"]

LETTERS = [Option(letter, f"Letter {letter}") for letter in "abcdefghijklmnop"]
VALUES = {option.key: option.key for option in LETTERS}


def tab(driver: Driver, *held: str) -> None:
    """Press Tab, with two frames: a list scrolls in the second."""
    for down in (True, False):
        for key in (*held, "tab"):
            driver.desktop.press(key, down)
    driver.desktop.frame()
    driver.desktop.frame()


def tab_to(driver: Driver, name: str) -> None:
    assert name in driver.desktop.ui.focus.names
    while driver.desktop.ui.focus.name != name or not driver.desktop.ui.focus.is_walking:
        tab(driver)
    driver.settle()


def walk(driver: Driver, *held: str) -> list[str]:
    """Tab until a widget comes again: the names on the way, each to be seen."""
    found: list[str] = []
    focus = driver.desktop.ui.focus
    for _ in range(400):
        tab(driver, *held)
        assert focus.is_walking
        if focus.name in found:
            assert focus.name == found[0]
            return found
        found.append(focus.name)
        x, y = driver.middle_of(focus.name)
        assert driver.desktop.ui.covers(x, y), f"{focus.name} is not to be seen"
    raise AssertionError("Tab never comes round")


def letters(battle: Battle) -> Steps[list[Any]]:
    found: list[Any] = []
    for number in (1, 2):
        found.append((yield from pick("red", "unheard of", f"Letter {number}?", LETTERS, VALUES)))
    place = Place(seat="red", topic="barrel", prompt="Where?", refuse=lambda point: None, suggest=lambda rng: (9, 9, 0))
    found.append((yield from ask(place)))
    return found


def test_tab_reaches_every_widget_of_the_start_screen_and_of_the_settings(
    driver: Driver, monkeypatch: pytest.MonkeyPatch
) -> None:
    without_pictures(monkeypatch)
    small = {"lesson", "joint", "open", "teams", "killzones", "practise", "load", "watch", "settings", "about", "quit"}
    wanted = {"rule", "hot-seat", "solo", *small}
    found = walk(driver)
    assert set(found) == wanted == set(driver.desktop.ui.rects)
    assert walk(driver, "shift") == [found[-1], *found[-2::-1]]

    tab_to(driver, "settings")
    driver.key("enter")
    assert driver.desktop.top.name == "settings"
    assert not driver.desktop.ui.focus.is_walking
    assert set(walk(driver)) == set(driver.desktop.ui.rects) >= {"quality-high", "text-1.5", "motion-False", "done"}
    tab_to(driver, "text-1.25")
    driver.key("space")
    assert driver.desktop.settings.text == 1.25
    driver.key("escape")
    assert (driver.desktop.top.name, driver.desktop.ui.focus.name) == ("start", "settings")  # where it was left


def test_the_ring_is_seen_and_says_what_the_widget_says(driver: Driver) -> None:
    driver.desktop.settings = driver.desktop.settings.with_value("text", 1.0)
    before = driver.pixels().copy()
    driver.key("tab")
    assert (driver.pixels() != before).any()
    driver.key("escape")
    assert not driver.desktop.ui.focus.is_walking
    assert driver.desktop.top.name == "start"


def test_tab_reaches_everything_beside_the_ruling_table(driver: Driver, monkeypatch: pytest.MonkeyPatch) -> None:
    pair(driver)
    without_pictures(monkeypatch)
    found = walk(driver)
    assert set(found) == set(driver.desktop.ui.focus.names) >= {"back", "undo", "place-blue", "tape", "copy", "swap"}
    tab_to(driver, "swap")
    shooter = driver.model.state.shooter
    driver.key("enter")
    assert driver.model.state.shooter != shooter  # once: twice would be as before
    assert driver.model.state.target == shooter

    one = driver.model.selected
    assert one is not None
    driver.key("arrow_left")  # walks on
    assert driver.model.scene.operative(one.id) == one
    driver.key("escape")
    driver.key("arrow_left")  # moves the operative again
    assert driver.model.scene.operative(one.id).x == pytest.approx(one.x - 0.1)


def test_tab_in_a_dialog_leaves_the_field_and_comes_back_to_it(driver: Driver, monkeypatch: pytest.MonkeyPatch) -> None:
    without_pictures(monkeypatch)
    driver.press("open")
    driver.type("one")
    found = walk(driver)
    assert {"path", "confirm", "cancel"} <= set(found)
    assert len([name for name in found if name.startswith("file-")]) > 5
    tab_to(driver, "path")
    driver.type("two")
    screen = driver.desktop.top
    assert "two" in screen.dialog.path  # type: ignore[attr-defined]
    tab_to(driver, "cancel")
    driver.key("enter")
    assert driver.desktop.top.name == "start"


def test_keys_of_a_prompt_and_of_the_ring_do_not_collide(driver: Driver, monkeypatch: pytest.MonkeyPatch) -> None:
    show(driver, asking(letters, clock=driver.desktop.clock))
    without_pictures(monkeypatch)
    match = game(driver).match
    found = walk(driver)
    assert set(found) == set(driver.desktop.ui.focus.names) >= {"menu", "hint", "rule", "tab-log", "choice-a"}
    assert {f"choice-{letter}" for letter in VALUES} <= set(found)
    draft = match.draft
    assert draft is not None
    tab_to(driver, "choice-d")
    driver.key("arrow_down")
    assert driver.desktop.ui.focus.name == "choice-e"
    assert draft.marked == ["a"]  # the arrows walk
    driver.key("enter")
    assert match.game.answers == ["e"]  # and Enter presses once: the next question is still open
    assert not driver.desktop.ui.focus.is_walking
    for _ in range(2):
        driver.key("arrow_down")  # now they mark
    driver.key("enter")
    assert match.game.answers == ["e", "c"]

    tab_to(driver, "place")
    driver.type("12, 8")
    driver.key("enter")
    assert match.draft is not None
    assert match.draft.points == [(12000, 8000, 0)]
    driver.key("enter")  # the field has let go
    assert match.game.answers[-1] == (12000, 8000, 0)


def test_a_key_that_is_held_presses_once(driver: Driver) -> None:
    show(driver, asking(letters, clock=driver.desktop.clock))
    for _ in range(5):
        driver.desktop.press("enter", True)
        driver.settle()
    assert game(driver).match.game.answers == ["a"]
    driver.desktop.press("enter", False)


def test_arrows_go_to_what_lies_in_their_way() -> None:
    focus = Focus()
    rects = {
        "left": Rect(0, 0, 100, 40),
        "right": Rect(110, 0, 100, 40),
        "below": Rect(110, 50, 100, 40),
        "far": Rect(500, 50, 100, 40),
    }
    focus.begin()
    for name, rect in rects.items():
        focus.meet(name, rect)
    focus.end()
    focus.step(1)
    seen = []
    for key in ("arrow_right", "arrow_down", "arrow_right", "arrow_down", "arrow_left", "arrow_up"):
        assert focus.key(key)
        seen.append(focus.name)
    assert seen == ["right", "below", "far", "far", "below", "right"]
    focus.stop()
    assert not focus.key("arrow_left")


def test_keys_that_come_faster_than_frames_never_end_the_window(driver: Driver) -> None:
    driver.press("open")
    driver.key("tab")
    for key in ("escape", "arrow_down", "arrow_up", "tab", "enter", "arrow_left"):
        driver.desktop.press(key, True)
        driver.desktop.press(key, False)
    driver.settle()
    assert driver.desktop.top.name == "start"
