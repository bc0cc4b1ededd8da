"""Games in the window, without a display: answered through its widgets, compared with the engine alone."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import pytest
from desktop_driver import Driver
from play_driver import PLAIN, Quick, asking, begin, driver, engine, game, give, rest, show, without_pictures

from ktsim.app.play.game_screen import GameScreen
from ktsim.app.play.replay_screen import ReplayScreen
from ktsim.app.play.saves import Agreement, latest, list_saves
from ktsim.app.play.setup_screen import SetupScreen
from ktsim.app.screens.screen import SMALLEST, Screen
from ktsim.app.shell import start
from ktsim.app.stage.engine import Engine
from ktsim.app.stage.overlays import Ghost, Label, lines_of
from ktsim.app.ui.settings import Settings
from ktsim.game.setup import Setup, new_game
from ktsim.rules.engine.battle import Battle
from ktsim.rules.engine.board import Board
from ktsim.rules.engine.decisions import CANCEL, Option, PickSome, Place, Roll, Steps, Walk, ask, pick, roll
from ktsim.rules.engine.mission import Mission
from ktsim.rules.engine.state import OperativeState
from ktsim.rules.kt24.packs.approved_ops import ApprovedOps2024

__all__ = ["driver", "engine"]

TRAINING = Setup(board="training-ground")
LETTERS = [Option("a", "First"), Option("b", "Second", "It is forbidden for a reason.", "KT24-X"), Option("c", "Third")]
VALUES = {"a": "a", "c": "c"}


def test_a_random_game_through_the_window_is_the_game_without_it(
    engine: Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every answer of a whole game is given by pressing, typing and choosing; dice are typed in as well."""
    driver = Quick(engine, settings=Settings(motion=False))
    alone = new_game(PLAIN)
    rng = Random(11)
    begin(driver, tmp_path / "game.ktsim", PLAIN, Agreement(dice="typed"))
    without_pictures(monkeypatch)
    asked: Counter[str] = Counter()
    while alone.pending is not None:
        answer = alone.pending.sample(rng)
        while answer in ("Shoot", "Charge") and is_locked(driver, answer):
            answer = alone.pending.sample(rng)
        asked[alone.pending.topic] += 1
        alone.submit(answer)
        give(driver, answer)
        assert game(driver).match.game.answers[-1] == answer
        assert game(driver).match.game.digest() == alone.digest()
    assert game(driver).match.is_over
    assert "Watch the replay" in driver.said()
    assert asked["action"] > 20
    assert asked["move"] > 10
    assert asked["attack"] > 0
    driver.close()


def is_locked(driver: Driver, key: str) -> bool:
    """Whether the window has found out that nothing would come of a choice."""
    screen = game(driver)
    rest(driver)
    assert screen.match.draft is not None
    return any(choice.refusal for choice in screen.match.draft.choices if choice.key == key)


def every_kind(battle: Battle) -> Steps[list[Any]]:
    """One of each decision, in turn to both sides."""
    found: list[Any] = []
    who = next(iter(battle.state.operatives))
    found.append((yield from pick("red", "unheard of", "Which letter?", LETTERS, VALUES)))
    some = PickSome(seat="blue", topic="kit", prompt="Which kit?", options=tuple(LETTERS), least=1, most=2)
    found.append((yield from ask(some)))

    def refuse(point: Any) -> str | None:
        return "That is too far to the left." if point[0] < 5000 else None

    place = Place(seat="red", topic="barrel", prompt="Where?", refuse=refuse, suggest=lambda rng: (9000, 9000, 0))
    found.append((yield from ask(place)))
    walk = Walk(
        seat="red",
        topic="stroll",
        prompt="Whither?",
        operative=who,
        allowance=6,
        refuse=lambda path: refuse(path[-1]),
        suggest=lambda rng: ((9000, 9000, 0),),
    )
    found.append((yield from ask(walk)))
    found.append((yield from roll(2, "luck", "Luck", "blue")))
    for seat in ("red", "blue"):
        found.append((yield from pick(seat, "op", "Which op?", LETTERS, VALUES, secret=True)))  # type: ignore[arg-type]
    return found


def test_every_kind_of_decision_is_answered_by_pressing(driver: Driver) -> None:
    show(driver, asking(every_kind, Agreement(dice="typed"), clock=driver.desktop.clock))
    screen = game(driver)

    rects = driver.desktop.ui.rects
    assert rects["choice-a"].y < rects["choice-c"].y < rects["choice-b"].y  # what is forbidden comes last
    driver.press("choice-b")  # forbidden: it says why and answers nothing
    assert screen.match.game.answers == []
    assert "It is forbidden for a reason." in driver.said()
    driver.key("2")  # a digit stays with its choice, whatever is forbidden
    assert screen.match.game.answers == []
    driver.key("3")
    assert screen.match.game.answers == ["c"]

    driver.press("confirm")
    assert len(screen.match.game.answers) == 1  # nothing was chosen yet: locked, with the engine's sentence
    driver.press("choice-c")
    driver.press("choice-a")
    driver.press("confirm")
    assert screen.match.game.answers[-1] == ("c", "a")

    click_board(driver, 3, 11)
    assert "That is too far to the left." in driver.said()
    assert "confirm" in driver.desktop.ui.locked
    assert any(isinstance(item, Label) and "too far" in item.text for item in screen.picture.items)
    answers = len(screen.match.game.answers)
    shift_click_board(driver, 12, 11)  # shown there, and moved before it is given
    assert len(screen.match.game.answers) == answers
    for key in ("arrow_right", "arrow_up"):
        driver.key(key)
    driver.key("shift", "arrow_left")
    driver.key("enter")
    x, y, level = screen.match.game.answers[-1]
    assert (x / 1000, y / 1000, level) == (pytest.approx(12.09, abs=0.15), pytest.approx(11.1, abs=0.15), 0)

    click_board(driver, 8, 8)
    shift_click_board(driver, 9, 8)
    click_board(driver, 3, 9)
    assert "That is too far to the left." in driver.said()
    click_board(driver, 10, 9)
    assert len(screen.match.draft.points) == 2  # type: ignore[union-attr]
    assert any(isinstance(item, Ghost) for item in screen.picture.items)
    driver.press("confirm")
    assert [round(point[0] / 1000) for point in screen.match.game.answers[-1]] == [9, 10]

    driver.press("face-3")
    driver.key("5")
    driver.press("face-1")  # two are enough
    driver.press("step-back")
    driver.key("6")
    driver.press("confirm")
    assert screen.match.game.answers[-1] == (3, 6)

    for seat in ("red", "blue"):
        assert screen.match.privacy.is_covered
        assert "Hand the screen to" in driver.said()
        assert "Third" not in driver.said()
        assert screen.texture is None
        driver.press("accept")
        assert "Third" in driver.said()
        assert screen.match.team(seat) in driver.said()  # type: ignore[arg-type]
        assert "confirm" in driver.desktop.ui.locked  # nothing is chosen beforehand
        driver.press("choice-c")
        driver.press("confirm")
        assert "Third" not in driver.said()
    assert screen.match.is_over


def click_board(driver: Driver, x: float, y: float) -> None:
    ((px, py, _),) = game(driver).picture.pose().project([(x, y, 0.0)], driver.desktop.size)
    driver.click(float(px), float(py))


def shift_click_board(driver: Driver, x: float, y: float) -> None:
    driver.desktop.press("lshift", True)
    click_board(driver, x, y)
    driver.desktop.press("lshift", False)
    driver.settle()


def back_to(driver: Driver, screen: Screen) -> None:
    """Out of the ruling table, which first lets go of what is selected."""
    for _ in range(4):
        if driver.desktop.top is not screen:
            driver.key("escape")
    assert driver.desktop.top is screen


def to_firefight(driver: Driver, seed: int = 3) -> None:
    """Answer at random until somebody can be activated."""
    match, rng = game(driver).match, Random(seed)
    while match.game.state.phase != "firefight":
        match.advance()
        decision = match.decision
        assert decision is not None
        if match.asks_person(decision):
            match.submit(decision.sample(rng))
    driver.settle()


def test_an_activation_on_the_real_table(driver: Driver, tmp_path: Path) -> None:
    """Activate on the table, order by key, a planned move by click with its legs and reach, undo and redo."""
    begin(driver, tmp_path / "game.ktsim", TRAINING)
    to_firefight(driver)
    screen = game(driver)
    match = screen.match
    assert match.prompt is not None
    assert match.prompt.topic == "activate"
    choice = match.prompt.choices[1]
    one = next(one for one in screen.table.scene().operatives if one.id == choice.operative)
    ((px, py, _),) = screen.picture.pose().project([(one.x, one.y, one.level + 0.05)], driver.desktop.size)
    driver.click(float(px), float(py))
    assert match.game.answers[-1] == choice.key
    driver.key("c")
    assert match.game.answers[-1] == "conceal"
    assert match.game.state.activation is not None
    assert "Not on a Conceal order." in driver.said()
    driver.key("s")  # Shoot is forbidden on Conceal
    assert match.prompt is not None
    assert match.prompt.topic == "action"
    driver.key("q")
    assert match.prompt is not None
    assert match.prompt.kind == "walk"
    rest(driver)
    reach = screen.table.reach()
    assert reach is not None
    assert reach.cells
    far = max(reach.cells, key=lambda cell: cell[5])
    click_board(driver, (far[0] + far[2]) / 2, (far[1] + far[3]) / 2)
    rest(driver)
    draft = match.draft
    assert draft is not None
    assert draft.route is not None
    assert draft.route.refusal == ""
    for leg in draft.route.legs:
        assert f'{leg.measured:.2f}" →' in driver.said()
    assert f'{draft.route.total}" of {match.prompt.allowance}" paid' in driver.said()
    before = match.game.digest()
    driver.press("confirm")
    assert match.game.answers[-1] == draft.route.path
    who = match.game.state.operatives[one.id]
    assert (who.x, who.y) == draft.route.path[-1][:2]
    driver.key("control", "z")
    assert match.game.digest() == before
    driver.key("control", "shift", "z")
    assert match.game.state.operatives[one.id].point == who.point
    driver.press("tab-log")
    line = next(line for line in match.log.lines if line.path and one.id in line.subjects and "moves" in line.text)
    driver.press(f"log-{line.number}")
    assert screen.table.shown_line == line.number
    driver.key("escape")
    assert screen.table.shown_line is None


def test_odds_cover_and_obscured_are_shown_before_shooting(driver: Driver, tmp_path: Path) -> None:
    begin(driver, tmp_path / "game.ktsim", TRAINING)
    to_firefight(driver, 5)
    screen = game(driver)
    match, rng = screen.match, Random(9)
    for _ in range(2000):
        match.advance()
        if match.decision is not None and match.decision.topic == "target":
            break
        if match.decision is not None and match.asks_person(match.decision):
            decision = match.decision
            keys = [option.key for option in getattr(decision, "options", ()) if option.refusal is None]
            wanted = [key for key in ("Shoot", "engage") if key in keys and rng.random() < 0.6]
            match.submit(wanted[0] if wanted else decision.sample(rng))
    assert match.draft is not None
    several = len(match.draft.prompt.open_choices) > 1
    assert (match.draft.marked == []) is several  # nothing that changes by itself under a finger on Enter
    driver.settle()
    rest(driver)
    prompt = match.prompt
    assert prompt is not None
    assert prompt.topic == "target"
    shots, _ = screen.table.offered()
    said = driver.said()
    for aimed in shots:
        name = match.game.battle.name(aimed.target)
        assert name in said
        if aimed.refusal:
            assert aimed.refusal.removeprefix(f"{name}: ").lower() in said.lower()
        else:
            chance = aimed.chance()
            assert f"{chance.kill:.0%}" in said
            assert f"{chance.damage:.1f} damage" in said
        assert ("in cover" in said) == any(shot.ruling.is_visible and shot.ruling.in_cover for shot in shots)
    marked = match.draft.marked  # type: ignore[union-attr]
    best = max((aimed for aimed in shots if not aimed.refusal), key=lambda aimed: aimed.chance().kill)
    assert best.chance().kill == next(a.chance().kill for a in shots if [a.target] == marked)
    assert lines_of(screen.picture.items)
    driver.press("rule")  # the ruling table on a copy, with the same pair
    assert driver.desktop.top is driver.desktop.table
    state = driver.model.state
    assert state.target == match.game.battle.name(marked[0])
    before = match.game.digest()
    back_to(driver, screen)
    assert match.game.digest() == before


def test_going_back_across_dice_needs_both(driver: Driver, tmp_path: Path) -> None:
    begin(driver, tmp_path / "game.ktsim")
    match = game(driver).match
    assert match.prompt is not None
    assert match.prompt.topic == "initiative"
    driver.key("enter")
    count = len(match.game.answers)
    driver.press("undo")
    assert len(match.game.answers) == count - 1
    driver.press("undo")
    assert driver.desktop.top.name == "agreement"
    assert "both players agree: each presses the button of their own team" in driver.said()
    driver.press("agree-blue")
    assert len(match.game.answers) == count - 1
    driver.key("r")
    assert driver.desktop.top is game(driver)
    assert len(match.game.answers) < count
    driver.settle()


def choose(driver: Driver, field: str, key: str) -> None:
    """Choose an offer of the set-up page, from its list or, where there is no room for one, by stepping."""
    screen: Any = driver.desktop.top
    for _ in range(9):
        if f"{field}-{key}" in driver.desktop.ui.rects:
            driver.press(f"{field}-{key}")
        elif screen.chosen[field] != key:
            driver.press(f"{field}-next")
    assert screen.chosen[field] == key


def test_from_the_start_screen_to_a_game_and_back_to_it(driver: Driver, tmp_path: Path) -> None:
    assert "continue" not in driver.desktop.ui.rects
    driver.press("hot-seat")
    driver.press("board-open")
    driver.press("blue-keelwrights")
    choose(driver, "mission", "skirmish")
    driver.press("dice-typed")
    driver.press("begin")
    match = game(driver).match
    assert match.session.setup.board == "open"
    assert match.session.setup.blue == "keelwrights"
    give(driver, (2,))
    give(driver, (5,))
    give(driver, "blue")
    digest = match.game.digest()
    driver.press("menu")
    driver.press("leave")
    assert driver.desktop.top.name == "start"
    start.forget()
    driver.settle()
    assert latest()[0] is not None
    driver.press("continue")
    assert game(driver).match is not match
    assert game(driver).match.game.digest() == digest
    assert game(driver).match.agreement.dice == "typed"
    driver.key("f10")
    driver.key("l")
    driver.press("load")
    assert "Keelwrights 0 : 0 Lantern Wardens" in driver.said()
    (save,) = list_saves()
    driver.press(f"save-{save.path.name}")
    assert game(driver).match.game.digest() == digest


def test_the_teams_of_the_rules_chosen_are_offered(driver: Driver) -> None:
    """2021 teams in 2021 games alone; a team that cannot stay is replaced when the rules change."""
    driver.press("hot-seat")
    assert "red-cinder-choir" not in driver.desktop.ui.rects
    assert "red-keelwrights" in driver.desktop.ui.rects
    driver.press("edition-kt21-lite")
    driver.press("red-cinder-choir")
    driver.press("begin")
    setup = game(driver).match.session.setup
    assert (setup.edition, setup.red) == ("kt21-lite", "cinder-choir")
    assert game(driver).match.game.battle.teams["red"].edition == "kt21-lite"
    driver.key("f10")
    driver.key("l")
    driver.press("hot-seat")
    driver.press("edition-kt21-lite")
    driver.press("red-cinder-choir")
    driver.press("edition-kt24")
    assert "red-cinder-choir" not in driver.desktop.ui.rects
    driver.press("begin")
    assert game(driver).match.session.setup.edition == "kt24"


def test_nobody_plays_non_player_operatives_but_the_bot_that_follows_their_lists(driver: Driver) -> None:
    npo = "non-player-operatives"
    driver.press("hot-seat")
    assert "red-lantern-wardens" in driver.desktop.ui.rects
    assert f"red-{npo}" not in driver.desktop.ui.rects
    assert f"blue-{npo}" not in driver.desktop.ui.rects
    driver.key("escape")
    driver.press("solo")
    page = driver.desktop.top
    assert isinstance(page, SetupScreen)
    assert page.setup().red != npo
    assert "level-next" in driver.desktop.ui.rects
    # Nothing has to be scrolled to in the smallest window.
    assert driver.desktop.size == SMALLEST
    assert max(rect.bottom for rect in driver.desktop.ui.rects.values()) <= driver.desktop.ui.rects["begin"].bottom
    choose(driver, "red-seat", "npo")
    assert page.setup().red == npo
    assert f"blue-{npo}" not in driver.desktop.ui.rects
    assert "level-next" not in driver.desktop.ui.rects  # they do what their lists say, whatever the difficulty
    choose(driver, "red-seat", "tactician")
    assert page.setup().red != npo
    driver.press("handicap_red-next")
    driver.press("handicap_blue-before")
    assert (page.setup().handicap_red, page.setup().handicap_blue) == ("+1CP", "-2")


def test_a_mission_that_cannot_be_played_on_the_board_says_why(driver: Driver, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuses(self: Mission, board: Board) -> str | None:
        return "has no bell tower" if board.name != "training-ground" else None

    monkeypatch.setattr(ApprovedOps2024, "refuses_board", refuses)
    driver.press("hot-seat")
    assert "begin" not in driver.desktop.ui.locked
    driver.press("board-open")
    assert "begin" in driver.desktop.ui.locked
    assert "Approved Ops 2024 cannot be played here. Empty board has no bell tower." in driver.said()
    driver.press("begin")
    driver.key("enter")
    assert driver.desktop.top.name == "hot-seat-setup"
    choose(driver, "mission", "skirmish")
    assert "cannot be played" not in driver.said()
    driver.press("begin")
    assert game(driver).match.session.setup.mission == "skirmish"


def test_a_bad_save_is_told_of(driver: Driver, tmp_path: Path) -> None:
    folder = tmp_path / "data" / "ktsim" / "games"
    folder.mkdir(parents=True)
    (folder / "bad.ktsim").write_text("00000000 {}\n")
    start.forget()
    driver.settle()
    driver.press("load")
    driver.press("save-bad.ktsim")
    assert "damaged" in driver.said()
    assert not isinstance(driver.desktop.top, GameScreen)


def test_a_replay_is_stepped_played_jumped_in_and_ruled_on(driver: Driver, tmp_path: Path) -> None:
    path = tmp_path / "data" / "ktsim" / "games" / "one.ktsim"
    begin(driver, path)
    match, rng = game(driver).match, Random(4)
    match.shown.is_animated = False
    while match.game.state.turning_point < 2:
        match.advance()
        if match.decision is not None and match.asks_person(match.decision):
            match.submit(match.decision.sample(rng))
    last = match.game.digest()
    driver.desktop.home()
    driver.settle()
    driver.press("watch")
    driver.press("save-one.ktsim")
    screen = driver.desktop.top
    assert isinstance(screen, ReplayScreen)
    while not screen.replay.is_ready:
        driver.desktop.frame()
    driver.settle()
    driver.press("step-on")
    driver.key("arrow_right")
    assert screen.now == 2
    driver.press("step-back")
    assert screen.now == 1
    mark = next(mark for mark in screen.replay.landmarks if mark.is_activation)
    driver.press("next-activation")
    assert screen.now == mark.moment
    assert screen.moment.state.activation is not None
    present = [who for who in screen.moment.state.operatives.values() if who.is_in_killzone]
    assert len(screen.picture.scene.operatives) == len(present) > 0
    driver.press("rule")
    assert driver.desktop.top is driver.desktop.table
    assert len(driver.model.scene.operatives) == len(present)
    back_to(driver, screen)
    driver.press("play")
    assert screen.is_playing
    for _ in range(30):
        driver.desktop.frame()
        driver.desktop.attend()
    assert screen.now > mark.moment
    driver.key("end")
    assert screen.moment.state.digest() == last
    assert not screen.is_playing


def test_nobody_is_set_up_outside_the_drop_zone(driver: Driver, tmp_path: Path) -> None:
    """The ghost turns red with the engine's sentence; a legal place is taken."""
    begin(driver, tmp_path / "game.ktsim")
    driver.key("enter")
    screen = game(driver)
    prompt = screen.match.prompt
    assert prompt is not None
    assert prompt.topic == "set up"
    who: OperativeState = screen.match.game.state.operatives[prompt.operative]
    click_board(driver, 15, 11)
    ghost = next(item for item in screen.picture.items if isinstance(item, Ghost))
    assert not ghost.allowed
    sentence = screen.match.decision.check((15000, 11000, 0))  # type: ignore[union-attr]
    assert sentence is not None
    assert sentence in driver.said()
    driver.key("enter")
    assert not who.is_set_up
    click_board(driver, 3 if who.side == "red" else 27, 11)
    ghost = next(item for item in screen.picture.items if isinstance(item, Ghost))
    assert ghost.allowed
    driver.key("enter")
    assert who.is_set_up


def test_a_move_is_called_off(driver: Driver, tmp_path: Path) -> None:
    begin(driver, tmp_path / "game.ktsim")
    to_firefight(driver)
    match = game(driver).match
    driver.key("enter")
    driver.key("enter")
    driver.key("q")
    assert match.prompt is not None
    assert match.prompt.kind == "walk"
    driver.press("cancel-move")
    assert match.game.answers[-1] == CANCEL
    assert match.prompt is not None
    assert match.prompt.topic == "action"


def test_dice_roll_on_screen_and_any_key_goes_on(engine: Engine, tmp_path: Path) -> None:
    driver = Driver(engine)
    try:
        now = [0.0]
        begin(driver, tmp_path / "game.ktsim")
        match = game(driver).match
        match.shown._clock = lambda: now[0]
        rng = Random(1)
        match.skip()
        while not isinstance(match.decision, Roll) or match.is_showing:
            assert match.decision is not None
            if match.asks_person(match.decision):
                match.submit(match.decision.sample(rng))
            else:
                break
        match.shown.is_animated = True
        match.advance()
        driver.desktop.frame()
        assert match.is_showing
        assert match.prompt is None or "choice-" not in "".join(driver.desktop.ui.rects)
        answers = len(match.game.answers)
        driver.desktop.press("space", True)
        assert not match.is_showing or len(match.game.answers) > answers
    finally:
        driver.close()


def test_an_answer_given_in_the_frame_in_which_the_game_is_left_is_none(driver: Driver, tmp_path: Path) -> None:
    """The game is closed by then; going on with it finds what was there."""
    path = tmp_path / "left.ktsim"
    begin(driver, path)
    rest(driver)
    screen, before = game(driver), path.read_bytes()
    driver.desktop.later(lambda: driver.desktop.pop(screen))
    draft = screen.match.draft
    assert draft is not None
    screen._give(lambda: screen.match.submit(draft.answer()))
    driver.settle()
    assert not driver.desktop.has(screen)
    assert screen.match.fault is None
    assert path.read_bytes() == before
