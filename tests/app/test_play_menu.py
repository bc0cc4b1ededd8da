"""Going back in a game, the menu over it, and what is said of actions that came to nothing."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from desktop_driver import Driver
from play_driver import asking, driver, engine, game, show

from ktsim.app.play.saves import Agreement
from ktsim.rules.engine.action import Action, Impossible
from ktsim.rules.engine.activation import perform
from ktsim.rules.engine.battle import Battle
from ktsim.rules.engine.decisions import Option, Steps, pick, roll
from ktsim.rules.engine.state import OperativeState

__all__ = ["driver", "engine"]

LETTERS = [Option("a", "First"), Option("b", "Second")]
VALUES = {"a": "a", "b": "b"}


def talk(battle: Battle) -> Steps[list[Any]]:
    """Red is asked twice, dice are rolled, red is asked again, then blue twice."""
    found: list[Any] = []
    for seat in ("red", "red", "dice", "red", "blue", "blue"):
        if seat == "dice":
            found.append((yield from roll(1, "luck", "Luck", "red")))
        else:
            found.append((yield from pick(seat, "letter", "Which letter?", LETTERS, VALUES)))  # type: ignore[arg-type]
    return found


@pytest.fixture(params=[False, True], ids=["hot-seat", "solo"])
def agreement(request: pytest.FixtureRequest) -> Agreement:
    return Agreement(is_sandbox=request.param)


def test_escape_goes_one_step_back_and_never_out_by_surprise(driver: Driver, agreement: Agreement) -> None:
    match = asking(talk, agreement, clock=driver.desktop.clock, dice=Random(1), is_animated=False)
    show(driver, match)
    answers = match.game.answers
    driver.key("escape")  # nothing to go back to
    assert driver.desktop.top.name == "menu"
    driver.key("escape")
    assert driver.desktop.top is game(driver)

    driver.press("choice-a")
    assert answers == ["a"]
    driver.key("escape")
    assert answers == []
    assert driver.desktop.top is game(driver)
    for _ in range(2):
        driver.press("choice-b")
    assert len(answers) == 3  # the die has been rolled
    driver.key("escape")
    assert driver.desktop.top.name == "menu"  # dice stay as they fell
    assert len(answers) == 3
    driver.key("enter")
    driver.press("choice-b")
    driver.key("escape")
    assert driver.desktop.top.name == "menu"  # it was the other player's answer
    assert len(answers) == 4
    driver.press("continue")
    driver.press("choice-a")
    driver.key("escape")
    assert len(answers) == 4
    driver.key("escape")
    driver.press("leave")
    assert driver.desktop.top.name == "start"


def test_settings_and_keys_are_within_reach_in_a_game(driver: Driver) -> None:
    show(driver, asking(talk, clock=driver.desktop.clock))
    for key, name in (("f1", "keys"), ("f4", "settings"), ("f10", "menu")):
        driver.key(key)
        assert driver.desktop.top.name == name
        driver.key("escape")
        assert driver.desktop.top is game(driver)
    for name in ("keys", "settings"):
        driver.press("menu")
        driver.press(name)
        assert driver.desktop.top.name == name
        driver.key("escape")
        driver.key("escape")
        assert driver.desktop.top is game(driver)


def secretly(battle: Battle) -> Steps[Any]:
    return (yield from pick("red", "op", "Which op?", LETTERS, VALUES, secret=True))


def test_the_keys_are_within_reach_of_a_covered_screen_and_show_nothing_of_it(driver: Driver) -> None:
    show(driver, asking(secretly, clock=driver.desktop.clock))
    driver.press("accept")
    assert "First" in driver.said()
    driver.key("f10")
    assert driver.desktop.top.name == "menu"
    assert "First" not in driver.said()


class Doomed(Action):
    """Asks something, and then cannot be done."""

    name, id = "Open Door", "X"

    def refusal(self, battle: Battle, who: OperativeState) -> str | None:
        return None

    def perform(self, battle: Battle, who: OperativeState) -> Steps[None]:
        yield from pick(who.side, "letter", "Which letter?", LETTERS, VALUES)
        raise Impossible("there is no door.")


def failing(battle: Battle) -> Steps[Any]:
    who = next(iter(battle.state.operatives.values()))
    yield from pick(who.side, "letter", "Ready?", LETTERS, VALUES)
    yield from perform(battle, who, Doomed(), 0)
    return (yield from pick(who.side, "letter", "And now?", LETTERS, VALUES))


@pytest.mark.rule("KT24-CANCEL")
def test_a_cancelled_action_says_why(driver: Driver) -> None:
    match = asking(failing, clock=driver.desktop.clock)
    show(driver, match)
    driver.press("choice-a")
    assert driver.desktop.notice == ""
    driver.press("choice-a")
    name = next(iter(match.game.state.operatives.values())).name
    assert f"{name}: Open Door is cancelled, there is no door. Everything" in driver.said()
    place, layout = game(driver).notice_place(), game(driver).layout
    assert not place.overlaps(layout.left)
    assert not place.overlaps(layout.right)
