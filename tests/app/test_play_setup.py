"""Setting up a game in the window: few clicks, places offered and taken, the rest set up for a player."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from desktop_driver import Driver
from play_driver import PLAIN, Quick, begin, driver, engine, game, without_pictures

from ktsim.app.play.helping import is_placing
from ktsim.app.play.match import Match
from ktsim.app.play.saves import Agreement
from ktsim.app.shell import start
from ktsim.app.stage.engine import Engine
from ktsim.app.stage.overlays import Ghost, Label
from ktsim.app.ui.settings import Settings
from ktsim.game.record import load
from ktsim.game.setup import Setup, new_game
from ktsim.rules.engine.decisions import Place, place_and_turn

__all__ = ["driver", "engine"]

MOST_CLICKS = 40
"""From the start screen to the first activation of a full battle, both sides together."""


def press_on(driver: Driver) -> None:
    """Answer the pending question with as few clicks as somebody does who takes what is offered."""
    match = game(driver).match
    if match.privacy.is_covered:
        driver.press("accept")
        return
    draft = match.draft
    assert draft is not None
    if match.may_help:
        driver.press("help")
    elif draft.prompt.kind == "pick" and (not draft.prompt.needs_confirming or not draft.marked):
        keys = [choice.key for choice in draft.choices if not choice.refusal]
        key = draft.prompt.default if draft.prompt.default in keys else keys[0]
        driver.press(f"choice-{key}")
        if draft.prompt.needs_confirming:
            driver.press("confirm")
    else:
        driver.press("confirm")


def test_a_battle_is_set_up_with_few_clicks(engine: Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The usual hot-seat battle: from the start screen until somebody is activated, by pressing alone."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    start.forget()
    driver = Quick(engine, settings=Settings(motion=False))
    driver.press("hot-seat")
    driver.press("begin")
    without_pictures(monkeypatch)
    match = game(driver).match
    while match.prompt is None or match.prompt.topic != "activate":
        before = driver.clicks
        press_on(driver)
        assert before < driver.clicks <= MOST_CLICKS, match.prompt
    assert all(who.is_set_up for who in match.game.state.operatives.values())
    assert match.game.state.pieces
    assert match.path is not None
    assert load(match.path).game.digest() == match.game.digest()  # everything given for the players was written down
    driver.close()


def placing(path: Path, setup: Setup = PLAIN) -> Match:
    """A match at its first question of placing."""
    match = Match.begin(setup, Agreement(), path, dice=Random(3), is_animated=False)
    while not match.may_help:
        match.advance()
        assert match.decision is not None
        if match.asks_person(match.decision) and not match.may_help:
            match.submit(match.decision.default or match.decision.sample(Random(1)))
    return match


def test_the_rest_is_set_up_for_the_side_that_asks_and_no_other(tmp_path: Path) -> None:
    match = placing(tmp_path / "game.ktsim")
    assert match.prompt is not None
    assert match.prompt.rule == "KT24-DEPLOY", "where something may stand has a rule that is named"
    seat, before = match.seat, len(match.game.answers)
    digest = match.game.digest()
    match.help()
    match.advance()
    assert match.seat not in (seat, None)  # a third is set up, then the other side is asked
    assert match.decision is not None
    assert is_placing(match.decision, match.game.state.phase)
    mine = [who for who in match.game.state.operatives.values() if who.is_set_up]
    assert mine
    assert {who.side for who in mine} == {seat}
    assert match.helped == len(match.game.answers) - before
    assert sum("sets up" in line.text for line in match.log.lines) >= len(mine)

    match.submit(match.decision.sample(Random(2)))
    assert match.helped == 0  # the other player has answered: nothing goes back over that at one go
    while is_placing(match.decision, match.game.state.phase) and match.seat != seat:
        match.submit(match.decision.sample(Random(2)))
        match.advance()
    assert not is_placing(match.decision, match.game.state.phase)  # the next third came by itself
    assert sum(who.is_set_up and who.side == seat for who in match.game.state.operatives.values()) > len(mine)

    while match.game.digest() != digest:
        assert match.undo()
        assert not match.advance()  # going back is the end of it
    assert match.seat == seat
    match.close()


def test_what_was_set_up_goes_back_one_by_one_or_together(tmp_path: Path) -> None:
    match = placing(tmp_path / "game.ktsim")
    before, count = match.game.digest(), len(match.game.answers)
    match.help()
    match.advance()
    after, given = match.game.digest(), match.helped
    assert given > 1
    assert match.undo()
    match.advance()
    assert len(match.game.answers) == count + given - 1
    assert match.helped == given - 1
    assert match.redo()
    assert match.game.digest() == after
    assert match.undo_help()
    match.advance()
    assert match.game.digest() == before
    assert match.helped == 0
    match.help()  # and once more, the same places
    match.advance()
    assert match.game.digest() == after
    match.close()


def test_placing_ends_where_something_else_is_asked(tmp_path: Path) -> None:
    """Both sides have it done: everything is set up, and what follows is a player's again."""
    match = placing(tmp_path / "game.ktsim", Setup(board="open", table="plain"))
    for _ in range(2):
        match.help()
        match.advance()
    assert match.decision is not None
    assert not match.may_help
    assert match.decision.topic == "scouting"
    assert all(who.is_set_up for who in match.game.state.operatives.values())
    answers = len(match.game.answers)
    assert not match.advance()
    assert len(match.game.answers) == answers
    match.help()  # nothing to place: nothing happens
    assert not match.advance()
    match.close()


def test_without_a_place_left_help_says_so_and_stops(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    match = placing(tmp_path / "game.ktsim")

    def full(*_: object) -> object:
        raise ValueError("no room")

    monkeypatch.setattr("ktsim.rules.engine.setting_up.suggest_set_up", full)
    answers = list(match.game.answers)
    match.help()
    match.advance()
    assert match.game.answers == answers
    assert "no place left" in match.notice
    assert match.draft is not None
    assert match.draft.points == []
    match.close()


def test_only_questions_of_placing_are_answered(tmp_path: Path) -> None:
    """Whatever a random battle asks: what help answers is a place in set-up, or a choice that comes with one."""
    game, rng = new_game(Setup(board="open", table="plain")), Random(5)
    seen = set()
    while game.pending is not None and game.state.turning_point < 2:
        if is_placing(game.pending, game.state.phase):
            assert game.state.phase == "set-up"
            assert not game.pending.secret
            seen.add(game.pending.topic)
        game.submit(game.pending.sample(rng))
    assert seen <= {"item", "set up next", "turn", "order", "grenade", "set up", "place item"}
    assert {"set up next", "set up"} <= seen


def test_a_place_is_offered_and_a_click_places_elsewhere(driver: Driver, tmp_path: Path) -> None:
    begin(driver, tmp_path / "game.ktsim")
    screen = game(driver)
    match = screen.match
    driver.key("enter")
    draft = match.draft
    assert draft is not None
    assert draft.prompt.kind == "place"
    assert draft.is_offered
    offered = draft.points[0]
    assert draft.decision.check(offered) is None
    said = driver.said()
    for words in ("Enter", "takes the suggested place", "Arrows", "Set up the rest for me"):
        assert words in said
    driver.key("f1")
    assert driver.desktop.top.name == "keys"
    for words in ("set up the rest for me", "Reposition", "end the activation"):
        assert words in driver.said()
    driver.key("f1")
    assert driver.desktop.top is screen
    driver.key("enter")
    assert match.game.answers[-1] == offered

    draft = match.draft
    assert draft is not None
    offered = draft.points[0]
    there = (offered[0], offered[1] + (2000 if offered[1] < 8000 else -2000), 0)
    at = driver_pixel(driver, there)
    driver.point(*at)
    driver.settle()
    assert any(isinstance(item, Label) and item.text == "Enter" for item in screen.picture.items)
    assert len([item for item in screen.picture.items if isinstance(item, Ghost)]) == 1
    answers = len(match.game.answers)
    driver.desktop.press("lshift", True)
    driver.click(*at)
    driver.desktop.press("lshift", False)
    driver.settle()
    assert len(match.game.answers) == answers  # with Shift it is only shown there
    assert not draft.is_offered
    driver.key("backspace")
    assert draft.is_offered
    assert draft.points == [offered]
    driver.click(*at)
    assert len(match.game.answers) == answers + 1
    assert match.game.answers[-1][:2] == (pytest.approx(there[0], abs=20), pytest.approx(there[1], abs=20))
    driver.key("control", "z")
    driver.key("r")
    assert match.helped
    driver.press("undo-help")
    assert len(match.game.answers) == answers
    middle = (15_000, 11_000, 0)
    driver.click(*driver_pixel(driver, middle))  # not in the drop zone: nothing is placed, and it says why
    assert len(match.game.answers) == answers
    assert "drop zone" in driver.said()


def driver_pixel(driver: Driver, point: tuple[int, int, int]) -> tuple[float, float]:
    inches = [tuple(value / 1000 for value in point)]
    ((px, py, _),) = game(driver).picture.pose().project(inches, driver.desktop.size)
    return float(px), float(py)


def test_a_figure_is_turned_where_it_is_set_up(driver: Driver, tmp_path: Path) -> None:
    """A gun is part of it, so how it is turned may decide who sees it."""
    path = tmp_path / "game.ktsim"
    begin(driver, path)
    screen = game(driver)
    match = screen.match
    driver.key("enter")
    draft = match.draft
    assert draft is not None
    assert draft.prompt.topic == "set up"
    assert "turn it" in driver.said()
    who = draft.prompt.operative
    for key in ("q", "q", "w"):
        driver.key(key)
    assert [item.operative.turn for item in screen.picture.items if isinstance(item, Ghost)] == [15.0]
    driver.key("enter")
    assert match.game.state.operatives[who].turn == 15_000
    assert match.game.answers[-1][3:] == (15_000,)
    assert load(path).game.state.operatives[who].turn == 15_000, "as it was saved"


@pytest.mark.parametrize("turn", [360_001, -400_000, 1.5, True, "90", None])
def test_a_turn_that_is_none_is_refused(turn: object) -> None:
    place = Place(
        seat="red", topic="set up", prompt="", refuse=lambda _: None, suggest=lambda _: (0, 0, 0), can_turn=True
    )
    assert place.check((1, 2, 3, 90_000)) is None
    assert place.check((1, 2, 3, turn)) is not None
    assert place.check((1, 2, 3, 0, 0)) is not None
    assert replace(place, can_turn=False).check((1, 2, 3, 90_000)) is not None
    assert (place_and_turn((1, 2, 3)), place_and_turn((1, 2, 3, 4))) == (((1, 2, 3), 0), ((1, 2, 3), 4))


def test_dice_of_the_set_up_do_not_lie_there_when_somebody_is_activated(tmp_path: Path) -> None:
    """What was answered for a player is over, and so are the dice before it."""
    setup = Setup(board="volkus-1", table="plain")
    agreement = Agreement(red="random", is_set_up=True)
    match = Match.begin(setup, agreement, tmp_path / "game.ktsim", dice=Random(3), is_animated=False)
    while match.prompt is None or match.prompt.topic != "activate":
        match.advance()
        decision = match.decision
        assert decision is not None
        if match.asks_person(decision) and match.prompt is not None and match.prompt.topic != "activate":
            match.help(is_all=True)
    assert any("Roll-off" in line.text for line in match.log.lines)
    assert match.tray() is None
    match.close()
