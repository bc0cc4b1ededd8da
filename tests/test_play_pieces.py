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
from ktsim.app.scenery import piece_shape
from ktsim.app.stage.overlays import GhostShape
from ktsim.app.table.loose import pieces_of
from ktsim.app.table.picture import TablePicture
from ktsim.game.setup import Setup
from ktsim.killzones.pieces import load_piece
from ktsim.killzones.scene_file import dump_scene, scene_from_text
from ktsim.rules.battle import Battle
from ktsim.rules.decisions import Option, Steps, pick
from ktsim.rules.equipment.placing import set_up_piece
from ktsim.rules.placed import feature_of
from ktsim.rules.state import PieceState
from ktsim.rules.table_events import PieceLifted, PiecePlaced

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


def setting_up(battle: Battle) -> Steps[None]:
    yield from set_up_piece(battle, replace(BARRICADE, turn=0), "Heavy Barricade", lambda battle, piece: None)


def ghost_size(picture: TablePicture) -> tuple[tuple[float, float], tuple[float, float]]:
    """The middle and the size, seen from above, of the one ghost of a piece that is shown."""
    (ghost,) = (item for item in picture.items if isinstance(item, GhostShape))
    assert ghost.allowed
    corners = ghost.triangles.reshape(-1, 3)[:, :2]
    (left, near), (right, far) = corners.min(axis=0), corners.max(axis=0)
    return ((left + right) / 2, (near + far) / 2), (right - left, far - near)


def test_a_piece_is_seen_where_it_would_stand_and_turned_as_it_would_be(driver: Driver) -> None:
    show(driver, asking(setting_up, clock=driver.desktop.clock))
    match, picture = game(driver).match, game(driver).picture
    assert match.draft is not None
    match.draft.put((12_000, 9000, 0))
    driver.desktop.refresh()
    driver.settle()
    middle, size = ghost_size(picture)
    assert middle == pytest.approx((12, 9), abs=0.3)
    driver.press("confirm")
    assert ghost_size(picture) == (middle, size)
    driver.press("choice-90")
    turned = ghost_size(picture)
    assert turned[0] == pytest.approx((12, 9), abs=0.3)
    assert turned[1] == pytest.approx(size[::-1], abs=0.01)
    assert turned[1] != pytest.approx(size, abs=0.1)
    driver.press("confirm")
    assert match.game.state.pieces[BARRICADE.id].turn == 90_000


@pytest.mark.rule("KT21-SETUP")
def test_barricades_are_drawn_in_a_replay_and_when_a_moment_is_ruled_on(driver: Driver, tmp_path: Path) -> None:
    path = tmp_path / "game.ktsim"
    begin(driver, path, Setup(edition="kt21-lite", board="training-ground"))
    match, rng = game(driver).match, Random(4)
    match.is_animated = False
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
