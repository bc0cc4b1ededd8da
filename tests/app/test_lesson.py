"""The first lesson in the window: from the start screen to its end; every step waits for the right thing."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import pytest
from desktop_driver import Driver, engine
from play_driver import driver, give

from ktsim.app.play.lesson_screen import LessonScreen, is_taken
from ktsim.app.shell import start
from ktsim.app.stage.overlays import Label
from ktsim.game.lesson import (
    BRAWLER,
    GUNNER,
    IN_THE_OPEN,
    LEARNER,
    READING,
    STEPS,
    Lesson,
    LessonDice,
    LessonEnemy,
    begin,
)
from ktsim.game.rehearsal import usual_answer
from ktsim.rules.engine.decisions import Walk

__all__ = ["driver", "engine"]

RIGHT = (
    GUNNER,
    "engage",
    "Reposition",
    STEPS[3].spot,
    "Shoot",
    IN_THE_OPEN,
    "1",
    "engage",
    "Charge",
    STEPS[9].spot,
    "Fight",
    GUNNER,
    "Reposition",
    STEPS[13].spot,
)
WRONG: dict[int, object] = {
    0: "blue-shield-hand-1",
    1: "conceal",
    2: "Dash",
    3: (26000, 17500, 0),
    5: BRAWLER,
    6: "0",
    8: "Reposition",
    11: "none",
    13: (22900, 15600, 0),
}


@pytest.fixture
def lesson(driver: Driver) -> LessonScreen:
    driver.press("lesson")
    screen = driver.desktop.top
    assert isinstance(screen, LessonScreen)
    driver.settle()
    return screen


def go_on(driver: Driver, screen: LessonScreen) -> None:
    """Watch the enemy and read what it did until the learner is asked, or it is over."""
    for _ in range(200):
        driver.desktop.attend()
        driver.settle()
        if screen.match.is_read:
            assert READING in driver.said(), "not yet what is to be done afterwards"
            driver.key("enter")
        elif screen.lesson.is_done or screen.match.draft is not None:
            return
    raise AssertionError("it does not go on")


def answered(driver: Driver, screen: LessonScreen, answer: object) -> None:
    """Give an answer as a person would: a place by a click on the table."""
    if not isinstance(answer, tuple):
        with suppress(AssertionError):  # whether it was taken is looked at by whoever gave it
            give(driver, answer)
        return
    x, y, z = (each / 1000 for each in answer)
    ((px, py, _),) = screen.picture.pose().project([(x, y, z)], driver.desktop.size)
    screen.click((float(px), float(py)), False)
    for _ in range(3):
        screen.table.jobs.finish()
        driver.settle()
    driver.press("confirm")


def test_it_is_offered_to_whoever_is_new(driver: Driver) -> None:
    first = start.entries()[0]
    assert (first.name, first.words != "") == ("lesson", True)
    assert "First lesson" in driver.said()


@pytest.mark.rule("KT24-ACTIVATE", "KT24-ORDER", "KT24-COVER", "KT24-COUNTERACT", "KT24-MARKER")
def test_the_lesson_goes_to_its_end_by_the_window(
    driver: Driver, lesson: LessonScreen, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[int] = []
    said: list[str] = []
    monkeypatch.setattr(driver.desktop, "say", said.append)
    while not lesson.lesson.is_done:
        go_on(driver, lesson)
        if lesson.lesson.is_done:
            break
        step, number = lesson.lesson.step, lesson.lesson.number
        pending = lesson.match.game.pending
        assert pending is not None
        if step is None:
            assert "ny answer will do" in driver.said()
            give(driver, usual_answer(pending))
            continue
        assert step.title in driver.said()
        assert step.text in driver.said()
        if step.spot is not None:
            assert "Here" in [item.text for item in lesson.picture.items if isinstance(item, Label)]
        if step.title == "A free action":
            assert 'Move up to 2"' in driver.said(), "the list says how far it may go now"
            assert 'Move up to 6"' not in driver.said()
        count = len(lesson.match.game.answers)
        if number in WRONG and number not in seen:
            seen.append(number)
            said.clear()
            answered(driver, lesson, WRONG[number])
            assert len(lesson.match.game.answers) == count, "it waits for the right thing"
            assert said, "and says why"
            continue
        answered(driver, lesson, RIGHT[number])
        assert lesson.lesson.number == number + 1, (number, said)
    driver.settle()
    assert seen == list(WRONG)
    assert lesson.match.game.state.vp == {"red": 0, "blue": 1}
    go_on(driver, lesson)
    assert "You have played" in driver.said()
    assert is_taken()
    driver.press("solo")
    assert driver.desktop.top.name == "solo-setup"


def test_the_lesson_needs_no_luck() -> None:
    """Without the window, by the answers alone: the dice and the enemy are the lesson's."""
    game = begin()
    lesson, dice, enemy = Lesson(game), LessonDice(), LessonEnemy()
    for _ in range(200):
        pending = game.pending
        if lesson.is_done:
            break
        assert pending is not None
        if pending.seat == "chance":
            answer = dice.answer(pending, game)
        elif pending.seat != LEARNER:
            answer = enemy.answer(pending, game)
        elif lesson.step is None:
            answer = usual_answer(pending)
        else:
            answer = RIGHT[lesson.number]
            if isinstance(pending, Walk):
                table = game.battle.table
                answer = table.mover.route(table, game.state, pending.about, answer)
            assert lesson.refuses(answer) is None
        topic, seat = pending.topic, pending.seat
        game.submit(answer)
        lesson.given(topic, seat)
    assert lesson.is_done
    assert lesson.number == len(STEPS)


def test_whoever_has_taken_it_finds_it_among_the_small_buttons(driver: Driver, tmp_path: Path) -> None:
    mark = tmp_path / "data" / "ktsim" / "lesson-done"
    mark.parent.mkdir(parents=True, exist_ok=True)
    mark.write_bytes(b"")
    found = {entry.name: entry for entry in start.entries()}
    assert start.entries()[0].name == "rule"
    assert found["lesson"].words == ""
