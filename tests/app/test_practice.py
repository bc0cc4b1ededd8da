"""Practising in the window: every kind of drill answered right and wrong, on the table, and remembered.

``drills.jsonl`` holds a drill of each kind; judging one asks the engine anew.
"""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest
from desktop_driver import Driver, driver, engine

from ktsim.app.practice.drill_screen import DrillScreen
from ktsim.app.practice.page import PracticeScreen
from ktsim.app.stage.overlays import Ghost, Label, Measure, Ring, lines_of
from ktsim.game.drills.drill import Drill
from ktsim.game.drills.making import DrillMaker
from ktsim.game.drills.progress import load_progress, progress_file
from ktsim.game.drills.register import KINDS
from ktsim.sight import rulebook

__all__ = ["driver", "engine"]

LINES = (Path(__file__).parent / "drills.jsonl").read_text(encoding="utf-8").splitlines()
DRILLS = {drill.kind: drill for drill in (Drill.from_json(json.loads(line)) for line in LINES)}
CHOICES = [kind for kind, drill in DRILLS.items() if drill.choices]
PLACES = [kind for kind, drill in DRILLS.items() if not drill.choices]


@pytest.fixture
def page(driver: Driver, monkeypatch: pytest.MonkeyPatch) -> PracticeScreen:
    """The page, opened with its key, with one drill of each kind at hand and none being made."""
    monkeypatch.setattr(DrillMaker, "ask", lambda self, kinds=(), count=1: None)
    driver.key("p")
    found = driver.desktop.top
    assert isinstance(found, PracticeScreen)
    found.stock += DRILLS.values()
    driver.settle()
    return found


def asked(driver: Driver, kind: str) -> DrillScreen:
    """That kind chosen on the page by its digit, and the question asked."""
    driver.key(str(list(KINDS).index(kind) + 1))
    driver.key("enter")
    found = driver.desktop.top
    assert isinstance(found, DrillScreen)
    assert found.drill is DRILLS[kind]
    return found


def place_on(driver: Driver, screen: DrillScreen, x: float, y: float, z: float) -> tuple[float, float]:
    """Where a place of the drill's table is in the window."""
    ((px, py, _),) = screen.picture.pose().project([(x, y, z)], driver.desktop.size)
    return float(px), float(py)


def test_there_is_a_drill_of_every_kind() -> None:
    assert list(DRILLS) == list(KINDS)


def test_the_page_is_a_button_of_the_start_screen(driver: Driver, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(DrillMaker, "ask", lambda self, kinds=(), count=1: None)
    driver.press("practise")
    assert driver.desktop.top.name == "practice"
    assert "Nothing was practised yet." in driver.said()
    for kind in KINDS.values():
        assert kind.title in driver.said()
    driver.press("close")
    assert driver.desktop.top.name == "start"


@pytest.mark.parametrize("kind", CHOICES)
def test_a_choice_is_answered_by_its_button(driver: Driver, page: PracticeScreen, kind: str) -> None:
    screen = asked(driver, kind)
    drill = DRILLS[kind]
    assert drill.question in driver.said()
    right = next(i for i, choice in enumerate(drill.choices) if KINDS[kind].mark(drill, choice).is_right)
    driver.press(f"choice-{right + 1}")
    assert screen.marked is not None
    assert screen.marked.is_right
    assert "Right" in driver.said()
    assert f"{rulebook.entries()[drill.rule].title} ({drill.rule})" in driver.said()
    kept = load_progress()
    assert (kept.rules[drill.rule].right, kept.rules[drill.rule].box, kept.streak) == (1, 1, 1)


@pytest.mark.parametrize("kind", CHOICES)
def test_a_choice_is_answered_by_its_digit(driver: Driver, page: PracticeScreen, kind: str) -> None:
    screen = asked(driver, kind)
    drill = DRILLS[kind]
    wrong = next(i for i, choice in enumerate(drill.choices) if not KINDS[kind].mark(drill, choice).is_right)
    driver.key(str(wrong + 1))
    assert screen.marked is not None
    assert not screen.marked.is_right
    assert "Not so" in driver.said()
    assert f"Right is: {screen.marked.right}." in driver.said()
    assert KINDS[kind].mark(drill, screen.marked.right).is_right
    driver.key("1")
    driver.key("2")
    kept = load_progress()
    assert (kept.rules[drill.rule].wrong, kept.streak) == (1, 0), "an answer counts once"


@pytest.mark.parametrize("kind", [kind for kind in CHOICES if kind not in ("reach", "score")])
def test_the_answer_comes_with_the_engines_own_lines(driver: Driver, page: PracticeScreen, kind: str) -> None:
    screen = asked(driver, kind)
    assert lines_of(screen.picture.items) == [], "nothing is given away before"
    driver.key("1")
    assert screen.marked is not None
    found = screen.marked.rulings[0]
    drawn = {(line.start, line.end) for line in lines_of(screen.picture.items)}
    block = found.sighting.block
    assert (found.witness if found.visible else block.line if block is not None else None) in drawn
    for reason in found.reasons:
        assert reason.rule in driver.said()


def test_the_way_of_a_move_is_shown_with_what_it_costs(driver: Driver, page: PracticeScreen) -> None:
    screen = asked(driver, "reach")
    assert [item.operative.x for item in screen.picture.items if isinstance(item, Ghost)] == [
        DRILLS["reach"].answer["to"][0]
    ]
    assert not any(isinstance(item, Measure) for item in screen.picture.items)
    driver.key("1")
    assert screen.marked is not None
    assert screen.marked.move is not None
    assert sum(isinstance(item, Measure) for item in screen.picture.items) == len(screen.marked.move.legs)
    assert screen.marked.move.headline in driver.said()


@pytest.mark.parametrize("kind", PLACES)
def test_a_right_place_is_clicked_twice(driver: Driver, page: PracticeScreen, kind: str) -> None:
    screen = asked(driver, kind)
    drill = DRILLS[kind]
    driver.key("t")
    at = place_on(driver, screen, *drill.answer["example"])
    driver.click(*at)
    assert screen.marked is None, "the first click only shows the place"
    assert screen.place is not None
    assert screen.place == pytest.approx(drill.answer["example"], abs=0.05)
    (ghost,) = (item for item in screen.picture.items if isinstance(item, Ghost))
    assert (ghost.operative.id, ghost.operative.x) == (drill.answer["who"], screen.place[0])
    driver.click(*at)
    assert screen.marked is not None
    assert screen.marked.is_right
    assert screen.picture.scene.operative(drill.answer["who"]).x == screen.place[0], "it stands there now"
    assert load_progress().rules[drill.rule].right == 1


@pytest.mark.parametrize("kind", PLACES)
def test_a_wrong_place_is_meant_and_confirmed_with_keys(driver: Driver, page: PracticeScreen, kind: str) -> None:
    screen = asked(driver, kind)
    drill = DRILLS[kind]
    driver.key("enter")
    assert screen.marked is None, "no place, no answer"
    assert "confirm" in driver.desktop.ui.locked
    driver.key("arrow_left")
    driver.key("shift", "arrow_down")
    who = screen.who
    assert screen.place == pytest.approx((who.x - 0.25, who.y - 1, who.level), abs=0.01)
    driver.key("enter")
    assert screen.marked is not None
    assert not screen.marked.is_right
    assert "Not so" in driver.said()
    labels = {item.text for item in screen.picture.items if isinstance(item, Label)}
    assert "here, for one" in labels
    assert KINDS[kind].mark(drill, screen.marked.right).is_right
    assert load_progress().rules[drill.rule].wrong == 1


def test_a_second_click_elsewhere_means_another_place(driver: Driver, page: PracticeScreen) -> None:
    screen = asked(driver, "stand")
    driver.key("t")
    x, y, z = DRILLS["stand"].answer["example"]
    driver.click(*place_on(driver, screen, x, y, z))
    driver.click(*place_on(driver, screen, x + 1, y, z))
    assert screen.marked is None
    assert screen.place is not None
    assert screen.place[0] == pytest.approx(x + 1, abs=0.05)


def test_who_is_asked_about_is_ringed_and_the_objective_marked(driver: Driver, page: PracticeScreen) -> None:
    screen = asked(driver, "safe")
    drill = DRILLS["safe"]
    rings = {(item.x, item.y) for item in screen.picture.items if isinstance(item, Ring)}
    for id in (drill.answer["who"], *drill.answer["enemies"]):
        one = screen.file.scene.operative(id)
        assert (one.x, one.y) in rings
    assert tuple(drill.answer["objective"][:2]) in rings
    never_hidden = {item.text for item in screen.picture.items if isinstance(item, Label) and not item.may_hide}
    assert {drill.answer["who"], *drill.answer["enemies"], "Objective"} <= never_hidden


def test_one_question_follows_the_other_and_the_ruling_table_comes_back(driver: Driver, page: PracticeScreen) -> None:
    screen = asked(driver, "shot")
    driver.key("1")
    driver.key("f2")
    assert driver.desktop.top is driver.table
    assert screen.marked is not None
    found = screen.marked.rulings[0]
    assert (driver.model.state.shooter, driver.model.state.target) == (found.shooter, found.target)
    driver.key("escape")
    assert driver.desktop.top is screen
    page.kind = ""
    driver.press("next")
    assert driver.desktop.top is screen
    assert screen.drill.kind != "shot"
    assert screen.marked is None
    driver.press("leave")
    assert driver.desktop.top is page


def test_weak_rules_are_asked_first(driver: Driver, page: PracticeScreen) -> None:
    asked(driver, "order")
    right = DRILLS["order"]
    driver.key(str(1 + [KINDS["order"].mark(right, each).is_right for each in right.choices].index(True)))
    driver.key("escape")
    page.stock[:] = [DRILLS["safe"], DRILLS["reach"]]
    assert DRILLS["safe"].rule == right.rule, "the rule that was just answered right"
    driver.key("0")
    driver.key("enter")
    assert isinstance(driver.desktop.top, DrillScreen)
    assert driver.desktop.top.drill.kind == "reach"


def test_a_damaged_file_of_progress_is_said_on_the_page(driver: Driver, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(DrillMaker, "ask", lambda self, kinds=(), count=1: None)
    progress_file().parent.mkdir(parents=True, exist_ok=True)
    progress_file().write_text("{")
    driver.key("p")
    assert "cannot be read" in driver.said()


def test_questions_are_made_beside_the_window(driver: Driver) -> None:
    """In a process of its own: the window waits for nothing, and says how far it is."""
    page = PracticeScreen(driver.desktop, "beside")
    driver.desktop.push(page)
    driver.key("2")
    driver.key("enter")
    assert page.is_waiting
    assert "Looking for a question in games of bots ..." in driver.said()
    until = time.monotonic() + 200
    while driver.desktop.top is page and time.monotonic() < until:
        started = time.process_time()
        driver.desktop.attend()
        assert time.process_time() - started < 2, "taking in never takes as long as making"
        time.sleep(0.05)
    assert isinstance(driver.desktop.top, DrillScreen)
    assert driver.desktop.top.drill.kind == "order"
    driver.settle()
    assert driver.desktop.top.drill.question in driver.said()


def test_waiting_can_be_stopped(driver: Driver) -> None:
    page = PracticeScreen(driver.desktop, "stopped")
    driver.desktop.push(page)
    driver.key("enter")
    driver.desktop.attend()
    assert page.maker.wanted == 1
    driver.press("stop")
    assert not page.is_waiting
    assert page.maker.wanted == 0
    driver.desktop.attend()
    assert page.maker.wanted == 0, "nothing is made until a question is wanted"


def test_two_vp_are_shown_where_they_are_to_be_had(driver: Driver, page: PracticeScreen) -> None:
    screen = asked(driver, "score")
    labels = [item.text for item in screen.picture.items if isinstance(item, Label)]
    assert "Marker A" in labels
    assert not any("for one" in text for text in labels), "nothing is given away before"
    drill = DRILLS["score"]
    driver.press(f"choice-{drill.choices.index(drill.answer['choice']) + 1}")
    labels = [item.text for item in screen.picture.items if isinstance(item, Label)]
    for who in drill.answer["people"]:
        assert f"{who}, for one" in labels
    assert "2 VP." in driver.said()
