"""Laying out the ruling table by hand: a killzone's own pieces, the grid, typed places, copies."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from desktop_driver import Driver, driver, engine

from ktsim.app.ruling.state import new_file
from ktsim.killzones.scene_file import load_scene
from ktsim.killzones.scene_pieces import absent_of, piece_of, pieces_of
from ktsim.sight.ruling import ruling
from ktsim.sight.scene import Operative

__all__ = ["driver", "engine"]


def on(driver: Driver, killzone: str | None) -> None:
    """A killzone seen from above, with two operatives."""
    driver.desktop.open_table(new_file(killzone))
    driver.settle()
    driver.model.add("blue", 3, 11)
    driver.model.add("red", 27, 11)
    driver.model.select(None)
    driver.key("t")


def test_a_killzones_piece_is_clicked_dragged_turned_removed_saved_and_undone(driver: Driver, tmp_path: Path) -> None:
    on(driver, "training-ground")
    model = driver.model
    start = piece_of(model.state.file, "light-barricade-1")
    assert start is not None
    seen, camera = driver.pixel_of(*start.at[:2], 0.5), driver.picture.camera.stand
    driver.drag(seen, (seen[0] + 60, seen[1]), steps=3)
    assert piece_of(model.state.file, "light-barricade-1") == start, "a drag of what is not selected turns the table"
    assert driver.picture.camera.stand != camera
    driver.key("t")
    driver.click_table(*start.at[:2], 0.5)
    assert model.piece == start
    driver.drag(driver.pixel_of(*start.at[:2], 0.5), driver.pixel_of(7, 9.5, 0.5), steps=3)
    moved = model.piece
    assert moved is not None
    assert moved.at[:2] == pytest.approx((7, 9.5), abs=0.2)
    driver.key("q")
    assert model.piece is not None
    assert model.piece.turn == start.turn + 15
    driver.press("row-light-barricade-1")
    model.select_thing(("piece", "heavy-rubble-1"))
    driver.settle()
    driver.press("remove")
    assert absent_of(model.state.file) == {"light-barricade-1", "heavy-rubble-1"}
    assert "heavy-rubble-1" not in {feature.id for feature in driver.picture.scene.terrain.features}

    model.save(tmp_path / "laid.yaml")
    file = load_scene(tmp_path / "laid.yaml")
    assert file.killzone == "training-ground"
    assert pieces_of(file) == pieces_of(model.state.file)
    assert model.ruling is not None
    again = ruling(file.scene, *file.pairs[0], file.edition)
    assert again.as_json("x") == model.ruling.as_json("x")
    for _ in range(3):
        driver.key("control", "z")
    assert absent_of(model.state.file) == frozenset()
    assert piece_of(model.state.file, "light-barricade-1") == start
    for _ in range(3):
        driver.key("control", "shift", "z")
    assert pieces_of(model.state.file) == pieces_of(file)


def test_nobodys_floor_is_taken_away(driver: Driver) -> None:
    on(driver, "volkus-1")
    model = driver.model
    place = next(
        (x, y, level)
        for level in model.levels[1:]
        for x in range(4, 12)
        for y in range(12, 20)
        if driver.view.hands.refusal(_at(driver, x, y, level)) is None
    )
    model.move("Blue 1", *place)
    under = next(id for id in ("stronghold-a", "small-ruin-1") if _floors(driver, id, place[2]))
    model.select_thing(("piece", under))
    driver.settle()
    driver.press("remove")
    assert "Blue 1 stands on it" in driver.said()
    assert driver.desktop.top is driver.table
    assert absent_of(model.state.file) == frozenset()


def _at(driver: Driver, x: float, y: float, level: float) -> Operative:
    return replace(driver.model.scene.operative("Blue 1"), x=x, y=y, level=level)


def _floors(driver: Driver, id: str, level: float) -> bool:
    feature = next(one for one in driver.model.scene.terrain.features if one.id == id)
    return any("vantage" in part.traits and abs(part.top - level) < 0.05 for part in feature.parts)


# ---- the grid, typed places, copies -----------------------------------------------------------------------------
def typed(driver: Driver, field: str, text: str, end: str = "enter") -> None:
    driver.press(field)
    driver.type(text)
    driver.key(end)


def in_hand(driver: Driver) -> str:
    return driver.view.hands.carry.name if driver.view.hands.carry is not None else ""


def test_blue_is_in_hand_at_the_start_then_red_and_then_nobody(driver: Driver) -> None:
    """Two operatives and a barricade on an empty board are eight clicks from the start screen at most."""
    driver.press("killzones")
    driver.press("killzone--")
    assert in_hand(driver) == "blue"
    driver.click_table(8, 11)
    assert [one.team for one in driver.model.scene.operatives] == ["blue"]
    assert in_hand(driver) == "red"
    driver.click_table(22, 11)
    assert in_hand(driver) == ""
    driver.press("tray")
    driver.press("piece-heavy-barricade")
    driver.click_table(15, 11)
    assert len(pieces_of(driver.model.state.file)) == 1
    assert driver.model.ruling is not None
    assert driver.clicks == 7
    driver.model.remove("Red 1")
    driver.press("place-red")
    driver.click_table(22, 14)
    assert in_hand(driver) == "", "only the first pair is offered"


def test_what_is_offered_follows_undo_and_other_wishes(driver: Driver) -> None:
    driver.press("killzones")
    driver.press("killzone--")
    driver.click_table(8, 11)
    driver.key("control", "z")
    assert in_hand(driver) == "blue", "there is nobody again"
    driver.click_table(8, 11)
    driver.key("b")
    assert in_hand(driver) == "blue", "whoever wants two of them takes another"
    driver.click_table(8, 14)
    assert [one.team for one in driver.model.scene.operatives] == ["blue", "blue"]
    assert in_hand(driver) == ""


def test_what_is_offered_is_put_away_by_escape_and_taken_by_its_button(driver: Driver) -> None:
    driver.press("killzones")
    driver.press("killzone--")
    driver.key("escape")
    assert driver.view.hands.carry is None
    assert driver.desktop.top is driver.table
    driver.desktop.open_table(new_file(None))
    driver.settle()
    driver.press("place-blue")
    assert driver.view.hands.carry is not None
    assert not driver.view.hands.carry.is_offered
    driver.press("place-blue")
    assert driver.view.hands.carry is None


def test_things_are_put_and_dragged_on_the_grid(driver: Driver) -> None:
    on(driver, None)
    model = driver.model
    driver.press("grid")
    assert model.grid == 1.0
    driver.key("p")
    driver.press("piece-heavy-barricade")
    driver.click_table(10.3, 6.2)
    assert model.piece is not None
    assert model.piece.at[:2] == (10, 6)
    driver.key("q")
    assert model.piece.turn == 90
    driver.key("w")
    driver.key("w")
    assert model.piece.turn == 270
    driver.key("h")
    assert model.grid == 0.5
    driver.drag(driver.pixel_of(10, 6, 0.3), driver.pixel_of(12.6, 8.4, 0.3), steps=3)
    assert model.piece.at[:2] == (12.5, 8.5)
    driver.drag(driver.pixel_of(3, 11, 0.15), driver.pixel_of(5.1, 12.9, 0.15), steps=3)
    blue = model.scene.operative("Blue 1")
    assert (blue.x, blue.y) == (5, 13)
    driver.key("h")
    assert model.grid == 0
    driver.drag(driver.pixel_of(5, 13, 0.15), driver.pixel_of(6.3, 13.2, 0.15), steps=3)
    assert model.scene.operative("Blue 1").x == pytest.approx(6.3, abs=0.15)


def test_a_place_and_an_angle_are_typed(driver: Driver) -> None:
    on(driver, None)
    model = driver.model
    driver.press("row-Blue 1")
    typed(driver, "x-Blue 1", "4.25")
    typed(driver, "y-Blue 1", "7,5", "tab")
    driver.press("turn-Blue 1")
    driver.type("90")
    driver.press("row-Blue 1")
    blue = model.scene.operative("Blue 1")
    assert (blue.x, blue.y, blue.turn) == (4.25, 7.5, 90)
    typed(driver, "x-Blue 1", "26.9")
    typed(driver, "y-Blue 1", "11")
    assert "overlap that of Red 1" in driver.said()
    assert driver.desktop.top is driver.table
    assert model.scene.operative("Blue 1").y == 7.5
    typed(driver, "x-Blue 1", "four")
    assert "Type a number" in driver.said()
    for _ in range(2):
        driver.key("control", "z")
    blue = model.scene.operative("Blue 1")
    assert (blue.x, blue.y, blue.turn) == (4.25, 7.5, 0)


def test_what_is_typed_for_one_is_not_given_to_another(driver: Driver) -> None:
    on(driver, None)
    driver.press("row-Blue 1")
    before = driver.model.scene.operatives
    driver.press("x-Blue 1")
    driver.type("9")
    driver.model.select("Red 1")
    driver.settle()
    driver.press("row-Blue 1")
    driver.settle()
    assert driver.model.scene.operative("Red 1") == before[1]


def test_copies_stand_beside_and_are_saved(driver: Driver, tmp_path: Path) -> None:
    on(driver, None)
    model = driver.model
    driver.press("row-Red 1")
    driver.press("figure-brute")
    driver.press("order-conceal")
    driver.press("duplicate")
    first, second = model.scene.operative("Red 1"), model.scene.operative("Red 2")
    assert replace(second, id=first.id, x=first.x, y=first.y) == first
    assert driver.view.hands.refusal(second) is None
    model.put_piece(model.new_piece("light-barricade", 15, 11, 0.0, 30.0))
    driver.settle()
    driver.key("control", "d")
    one, two = pieces_of(model.state.file)
    assert (one.piece, one.turn) == (two.piece, two.turn)
    assert one.at != two.at
    model.save(tmp_path / "copies.yaml")
    assert load_scene(tmp_path / "copies.yaml").scene.operatives == model.scene.operatives
    driver.key("control", "z")
    assert len(pieces_of(model.state.file)) == 1


def test_turning_at_the_edge_slides_a_piece_inwards(driver: Driver) -> None:
    on(driver, None)
    model = driver.model
    piece = model.new_piece("heavy-barricade", 15, 11, 0.0, 90.0)
    corners = np.concatenate([part.triangles.reshape(-1, 3) for part in piece.feature().parts])
    start = 15 - float(corners[:, 0].min())
    model.put_piece(replace(piece, at=(start, 11, 0.0)))
    for _ in range(6):
        driver.key("w")
        assert model.piece is not None
        corners = np.concatenate([part.triangles.reshape(-1, 3) for part in model.piece.feature().parts])
        assert corners[:, 0].min() > -1e-3
    assert model.piece.turn == 0
    assert model.piece.at[0] > start + 0.5, "it was moved inwards"


def test_only_levels_with_a_floor_below_are_offered(driver: Driver) -> None:
    on(driver, "volkus-1")
    assert len(driver.model.levels) > 1
    driver.press("row-Blue 1")
    offered = [name for name in driver.desktop.ui.rects if name.startswith("level-")]
    assert offered == ["level-0"]


def test_walls_are_not_shown_where_there_are_none_and_that_is_said(driver: Driver) -> None:
    on(driver, "volkus-1")
    driver.press("walls")
    assert "There are no walls on this table" in driver.said()
    assert not driver.view.has_walls
    on(driver, "gallowdark-1")
    driver.press("walls")
    assert driver.view.has_walls
