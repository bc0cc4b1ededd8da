"""From the ruling table into a game: matched, set, played, undone, saved, opened again and replayed."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from desktop_driver import Driver, engine
from play_driver import driver

from ktsim.app.play import offers
from ktsim.app.play.game_screen import GameScreen
from ktsim.app.play.match import Match
from ktsim.app.play.replay import Replay
from ktsim.app.play.saves import read_agreement
from ktsim.app.play.scene_play import ScenePlayScreen
from ktsim.game.record import load
from ktsim.game.scene_start import OUT
from ktsim.game.session import Session
from ktsim.killzones.scene_file import SceneFile, load_scene

__all__ = ["driver", "engine"]

PEOPLE = """
operatives:
  - {id: Blue 1, team: blue, at: [8, 11], base: 28, order: engage}
  - {id: Blue 2, team: blue, at: [6, 5], base: 28, order: conceal}
  - {id: Red 1, team: red, at: [22, 11], base: 28, order: engage}
"""
OPEN_TABLE = "ktsim: scene/1\nedition: kt24\nboard: [30, 22]\n" + PEOPLE
OWN_TABLE = OPEN_TABLE + "features:\n  - {id: crate, piece: heavy-barricade, at: [15, 5]}\nsmoke: [[14, 15]]\n"


def scene(tmp_path: Path, text: str) -> SceneFile:
    path = tmp_path / "scene.yaml"
    path.write_text(text)
    return load_scene(path)


def page(driver: Driver, file: SceneFile) -> ScenePlayScreen:
    driver.desktop.open_table(file)
    driver.settle()
    driver.key("f3")
    screen = driver.desktop.top
    assert isinstance(screen, ScenePlayScreen), driver.said()
    return screen


def typed(driver: Driver, field: str, text: str) -> None:
    driver.press(field)
    driver.key("control", "a")
    driver.type(text)
    driver.key("enter")


def played(driver: Driver) -> Match:
    driver.press("begin")
    screen = driver.desktop.top
    assert isinstance(screen, GameScreen), driver.said()
    screen.match.shown.is_animated = False
    return screen.match


def test_a_scene_becomes_a_game_that_is_played_undone_and_opened_again(driver: Driver, tmp_path: Path) -> None:
    screen = page(driver, scene(tmp_path, OPEN_TABLE))
    driver.press("order-Blue 2-engage")
    driver.press("ready-Blue 2-expended")
    typed(driver, "wounds-Blue 1", "3")
    typed(driver, "cp-red", "4")
    typed(driver, "vp-blue", "2")
    driver.press("turning-point-3")
    driver.press("initiative-red")
    driver.press("next-blue")
    before = screen.situation
    match = played(driver)
    state = match.game.state
    assert (state.turning_point, state.phase, state.initiative, state.turn) == (3, "firefight", "red", "blue")
    assert (state.cp["red"], state.vp) == (4, {"red": 0, "blue": 2})
    blue, expended = state.side("blue")
    assert (blue.x, blue.y, blue.wounds, blue.order, blue.is_ready) == (8000, 11000, 3, "engage", True)
    assert (expended.order, expended.is_ready) == ("engage", False)
    assert blue.card == f"blue/{before.entrants['Blue 1'].card}"

    start = match.game.digest()
    for _ in range(3):  # who, its order, and what it does first
        assert match.decision is not None
        assert match.submit(match.decision.sample(Random(1)))
    assert match.game.state.activation is not None
    while match.game.answers:
        match.undo()
    assert match.game.digest() == start
    path = match.path
    assert path is not None
    match.submit(match.decision.sample(Random(2)) if match.decision is not None else None)
    last = match.game.digest()
    driver.desktop.home()
    again, warning = Session.resume(path)
    assert (again.game.digest(), again.game.start.digest(), warning) == (last, start, "")
    again.close()
    replay = Replay(path)
    assert replay.moments[0].state.digest() == start


def test_a_bot_plays_from_there(driver: Driver, tmp_path: Path) -> None:
    screen = page(driver, scene(tmp_path, OPEN_TABLE))
    driver.press("red-seat-next")
    driver.press("level-hard")
    driver.press("initiative-red")
    assert screen.chosen["red-seat"] == offers.bots()[0].key
    match = played(driver)
    assert match.path is not None
    kept = read_agreement(match.path)
    assert (kept.red, kept.level, kept.is_sandbox) == (screen.chosen["red-seat"], "hard", True)


def test_a_table_of_ones_own_is_kept_beside_the_save(driver: Driver, tmp_path: Path) -> None:
    page(driver, scene(tmp_path, OWN_TABLE))
    match = played(driver)
    assert match.path is not None
    board = match.path.with_name(f"{match.path.stem}.board.yaml")
    assert match.session.setup.board == str(board)
    assert [each.id for each in match.game.battle.board.terrain.features] == ["crate"]
    assert match.game.state.smoke[0].point == (14000, 15000, 0)
    assert load(match.path).game.digest() == match.game.digest()
    moved = tmp_path / "elsewhere"
    moved.mkdir()
    for each in (match.path, board):
        (moved / each.name).write_bytes(each.read_bytes())
    board.unlink()
    assert load(moved / match.path.name).game.digest() == match.game.digest(), "its board lies beside it"


def test_the_match_is_by_name_and_can_be_changed(driver: Driver, tmp_path: Path) -> None:
    screen = page(driver, scene(tmp_path, OPEN_TABLE))
    team = screen.teams["blue"]
    named = team.cards[-1]
    driver.desktop.pop(screen)
    people = [replace(one, id=named.name) if one.id == "Blue 1" else one for one in screen.file.scene.operatives]
    file = replace(screen.file, scene=replace(screen.file.scene, operatives=tuple(people)), pairs=())
    driver.desktop.home()
    screen = page(driver, file)
    if team.roster.count(named.id) == 1:
        assert screen.situation.entrants[named.name].card == named.id
    driver.press("card-Red 1-before")
    changed = screen.situation.entrants["Red 1"]
    assert changed.wounds == next((c.wounds for c in screen.teams["red"].cards if c.id == changed.card), 1)
    screen.match_to("Red 1", OUT)
    driver.press("begin")
    assert driver.desktop.top is screen
    assert "Nobody of red takes part" in driver.said()


def test_what_cannot_be_is_said(driver: Driver, tmp_path: Path) -> None:
    screen = page(driver, scene(tmp_path, OPEN_TABLE))
    typed(driver, "wounds-Blue 1", "99")
    assert "wounds" in driver.said()
    assert screen.situation.entrants["Blue 1"].wounds < 99
    driver.key("escape")
    assert driver.desktop.top is driver.table
    alone = OPEN_TABLE.replace("  - {id: Red 1, team: red, at: [22, 11], base: 28, order: engage}\n", "")
    driver.desktop.open_table(scene(tmp_path, alone))
    driver.settle()
    driver.key("f3")
    assert driver.desktop.top is driver.table
    assert "no operatives of two teams" in driver.said()


@pytest.mark.parametrize("edition", ["kt24", "kt21-lite"])
def test_the_game_goes_on_to_its_end(driver: Driver, tmp_path: Path, edition: str) -> None:
    screen = page(driver, scene(tmp_path, OPEN_TABLE.replace("kt24", edition)))
    screen.situation = replace(screen.situation, turning_point=3)
    game = played(driver).game
    rng = Random(3)
    while game.pending is not None:
        game.submit(game.pending.sample(rng))
    assert game.state.phase == "over"
