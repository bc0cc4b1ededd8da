"""Terrain pieces that players put on the table are drawn in games, in replays and on the ruling table."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from desktop_driver import Driver
from play_driver import asking, begin, driver, engine, game, show

from ktsim.app.play.replay_screen import ReplayScreen
from ktsim.app.stage.overlays import GhostShape, Label
from ktsim.app.stage.picture import TablePicture
from ktsim.app.stage.scenery import piece_shape
from ktsim.game.setup import Setup
from ktsim.killzones.loose_pieces import LoosePiece
from ktsim.killzones.pieces import load_piece
from ktsim.killzones.scene_file import dump_scene, scene_from_text
from ktsim.killzones.scene_pieces import pieces_of
from ktsim.rules.engine.battle import Battle
from ktsim.rules.engine.decisions import Option, Steps, pick
from ktsim.rules.engine.placed import feature_of
from ktsim.rules.engine.placing import set_up_piece
from ktsim.rules.engine.state import PieceState, Point
from ktsim.rules.engine.table_events import PieceLifted, PiecePlaced

__all__ = ["driver", "engine"]

BARRICADE = PieceState("red-barricade", "heavy-barricade", "red", 9000, 12000, 0, 30_000)
WIRE = PieceState("blue-wire", "razor-wire", "blue", 20_000, 8000)
MOVED = replace(BARRICADE, x=14_500, y=5000, turn=90_000)


def drawn(picture: TablePicture, piece: PieceState) -> bool:
    """Whether the piece is drawn on the stage with its painted meshes, where the rules have it stand."""
    node = picture.stage.root.find(piece.id)
    if node.is_empty():
        return False
    (look,) = picture.stage.scenery.looks[piece.id].shapes
    assert look.shape is piece_shape(load_piece(piece.piece), False)
    low, high = (np.array(corner) for corner in node.get_tight_bounds(picture.stage.root))
    corners = np.concatenate([part.triangles.reshape(-1, 3) for part in feature_of(piece).parts])
    middle = (corners.min(axis=0) + corners.max(axis=0)) / 2
    size = corners.max(axis=0) - corners.min(axis=0)
    return bool(np.allclose((low + high)[:2] / 2, middle[:2], atol=0.2) and np.allclose(high - low, size, atol=0.4))


def moving_pieces(battle: Battle) -> Steps[None]:
    """Between questions pieces come, one of them is moved, and one goes."""

    def wait() -> Steps[Any]:
        return (yield from pick("red", "go on", "Go on?", [Option("a", "On"), Option("b", "Off")], {"a": 1, "b": 2}))

    yield from wait()
    yield PiecePlaced(BARRICADE)
    yield PiecePlaced(WIRE)
    yield from wait()
    yield PieceLifted(BARRICADE.id)
    yield PiecePlaced(MOVED)
    yield from wait()
    yield PieceLifted(WIRE.id)
    yield from wait()


def test_pieces_are_drawn_as_they_come_move_and_go(driver: Driver) -> None:
    show(driver, asking(moving_pieces, clock=driver.desktop.clock))
    picture = game(driver).picture
    stage, camera = picture.stage, picture.pose()
    assert not drawn(picture, BARRICADE)
    driver.press("choice-a")
    assert drawn(picture, BARRICADE)
    assert drawn(picture, WIRE)
    wire = stage.root.find(WIRE.id)
    driver.press("choice-a")
    assert drawn(picture, MOVED)
    assert not drawn(picture, BARRICADE)
    assert stage.root.find(WIRE.id) == wire  # what stayed was not drawn anew
    driver.press("choice-a")
    assert drawn(picture, MOVED)
    assert not drawn(picture, WIRE)
    driver.key("control", "z")
    driver.key("control", "z")
    assert drawn(picture, BARRICADE)
    assert drawn(picture, WIRE)
    driver.key("control", "z")
    assert not drawn(picture, BARRICADE)
    assert not drawn(picture, WIRE)
    assert picture.stage is stage
    assert picture.pose() == camera


def putting_down(battle: Battle) -> Steps[None]:
    """Two barricades are put down: nowhere at the left, and crosswise only in the right half."""

    def refuse(battle: Battle, piece: PieceState) -> str | None:
        if piece.x < 5000:
            return "That is too far to the left."
        return "There it stands along the board." if piece.turn == 90_000 and piece.x < 15_000 else None

    for number in (1, 2):
        piece = PieceState(f"red-barricade-{number}", "heavy-barricade", "red", 0, 0)
        yield from set_up_piece(battle, piece, f"barricade {number}", refuse)


def ghost(driver: Driver) -> GhostShape:
    (found,) = [item for item in game(driver).picture.items if isinstance(item, GhostShape)]
    return found


def is_ghost_of(found: GhostShape, piece: PieceState) -> bool:
    """Whether the ghost is the piece's own mesh where, and turned as, it would be drawn."""
    mesh = piece_shape(load_piece(piece.piece), False).triangles
    placed = LoosePiece("", piece.piece, (piece.x / 1000, piece.y / 1000, piece.level / 1000), piece.turn / 1000)
    return np.allclose(found.triangles, placed.placement().applied(mesh), atol=1e-6)


def over(driver: Driver, x: float, y: float) -> Point:
    """Point at a place of the table; what the pointer has found there."""
    ((px, py, _),) = game(driver).picture.pose().project([(x, y, 0.0)], driver.desktop.size)
    driver.point(float(px), float(py))
    driver.settle()
    hover = game(driver).table.hover
    assert hover is not None
    assert hover[:2] == (pytest.approx(1000 * x, abs=10), pytest.approx(1000 * y, abs=10))
    return hover


def test_a_piece_that_is_put_down_is_seen_before_with_what_refuses_it(driver: Driver) -> None:
    show(driver, asking(putting_down, clock=driver.desktop.clock))
    match = game(driver).match
    piece = PieceState("red-barricade-1", "heavy-barricade", "red", 0, 0)

    def put(point: Point, turn: int = 0) -> PieceState:
        return replace(piece, x=point[0], y=point[1], level=point[2], turn=1000 * turn)

    refused = over(driver, 3, 11)
    assert not ghost(driver).allowed
    assert is_ghost_of(ghost(driver), put(refused))
    words = [item.text for item in game(driver).picture.items if isinstance(item, Label) and item.state == "blocked"]
    assert words == [match.decision.check(refused)] == ["That is too far to the left."]  # type: ignore[union-attr]
    there = over(driver, 12, 11)
    assert ghost(driver).allowed
    assert is_ghost_of(ghost(driver), put(there))

    driver.key("q")
    assert is_ghost_of(ghost(driver), put(there, 45))
    driver.desktop.press("control", True)
    driver.desktop.press("wheel_up", True)
    driver.desktop.press("control", False)
    driver.settle()
    assert is_ghost_of(ghost(driver), put(there, 90))
    assert not ghost(driver).allowed  # turned so it may not stand there, although it may otherwise
    ((px, py, _),) = game(driver).picture.pose().project([(12, 11, 0.0)], driver.desktop.size)
    driver.click(float(px), float(py))
    driver.key("enter")
    assert match.game.answers == []
    assert "There it stands along the board." in driver.said()
    driver.key("w")
    assert ghost(driver).allowed
    driver.key("enter")  # its turn is answered with it
    assert match.game.answers[1:] == ["45"]
    assert match.game.state.pieces[piece.id] == put(match.game.answers[0], 45)


def test_how_a_piece_is_turned_is_seen_while_it_is_asked(driver: Driver) -> None:
    show(driver, asking(putting_down, clock=driver.desktop.clock))
    match = game(driver).match
    over(driver, 20, 9)
    ((px, py, _),) = game(driver).picture.pose().project([(20, 9, 0.0)], driver.desktop.size)
    driver.click(float(px), float(py))
    point, turn = match.game.answers  # it stands as it was shown
    assert turn == "0"
    driver.key("control", "z")
    assert match.game.answers == [point]
    assert match.prompt is not None
    assert match.prompt.topic == "turn"
    piece = PieceState("red-barricade-1", "heavy-barricade", "red", *point)
    for turn in (0, 45, 90):
        assert is_ghost_of(ghost(driver), replace(piece, turn=1000 * turn))
        driver.key("arrow_down")
    driver.key("enter")
    assert match.game.state.pieces[piece.id] == replace(piece, turn=135_000)


@pytest.mark.rule("KT21-SETUP")
def test_barricades_are_drawn_in_a_replay_and_when_a_moment_is_ruled_on(driver: Driver, tmp_path: Path) -> None:
    path = tmp_path / "game.ktsim"
    begin(driver, path, Setup(edition="kt21-lite", board="training-ground"))
    match, rng = game(driver).match, Random(4)
    match.shown.is_animated = False
    while not any(who.is_set_up for who in match.game.state.operatives.values()):
        match.advance()
        if match.decision is not None and match.asks_person(match.decision):
            match.submit(match.decision.sample(rng))
    driver.settle()
    barricades = tuple(match.game.state.pieces.values())
    assert len(barricades) == 4
    assert all(drawn(game(driver).picture, piece) for piece in barricades)

    screen = ReplayScreen(driver.desktop, path)
    driver.desktop.push(screen)
    while not screen.replay.is_ready:
        driver.desktop.frame()
    driver.settle()
    assert not any(drawn(screen.picture, piece) for piece in barricades)
    driver.key("end")
    assert all(drawn(screen.picture, piece) for piece in barricades)

    driver.key("f2")
    assert driver.desktop.top is driver.desktop.table
    assert all(drawn(driver.picture, piece) for piece in barricades)
    file = driver.model.state.file
    assert {piece.id for piece in pieces_of(file)} == {piece.id for piece in barricades}
    again = scene_from_text(dump_scene(file), tmp_path / "moment.yaml")
    for one, other in zip(file.scene.terrain.features, again.scene.terrain.features, strict=True):
        assert one.id == other.id
        for part, same in zip(one.parts, other.parts, strict=True):
            assert np.allclose(part.triangles, same.triangles, atol=1e-3)
