"""Several things at once on the ruling table, and pieces put at each other's edges."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import pytest
from desktop_driver import Driver, driver, engine

from ktsim.app.ruling.state import new_file
from ktsim.killzones.footprints import foot_on_board
from ktsim.killzones.loose_pieces import LoosePiece
from ktsim.killzones.scene_file import load_scene
from ktsim.killzones.scene_pieces import piece_of, pieces_of
from ktsim.killzones.snapping import snapped

__all__ = ["driver", "engine"]


@pytest.fixture
def table(driver: Driver) -> Driver:
    """Two pieces and two operatives on an empty board, seen from above."""
    driver.desktop.open_table(new_file(None))
    driver.settle()
    driver.key("escape")
    model = driver.model
    model.put_piece(model.new_piece("heavy-barricade", 8, 8))
    model.put_piece(model.new_piece("light-barricade", 11, 10, 0.0, 30.0))
    model.add("blue", 9.5, 5)
    model.add("red", 22, 16)
    model.select(None)
    driver.key("t")
    return driver


def members(driver: Driver) -> set[str]:
    return {id for _, id in driver.view.hands.grouping.members}


def control(driver: Driver, *spot: float) -> None:
    driver.desktop.press("control", True)
    driver.click_table(*spot)
    driver.desktop.press("control", False)
    driver.settle()


def both(driver: Driver) -> None:
    control(driver, 8, 8, 0.3)
    control(driver, 11, 10, 0.3)


def test_ctrl_clicks_choose_more_and_less(table: Driver) -> None:
    both(table)
    control(table, 9.5, 5, 0.15)
    assert members(table) == {"heavy-barricade", "light-barricade", "Blue 1"}
    control(table, 8, 8, 0.3)
    assert members(table) == {"light-barricade", "Blue 1"}
    assert "2 selected" in table.said()
    table.key("escape")
    assert members(table) == set()


def test_a_box_chooses_what_is_in_it(table: Driver) -> None:
    table.desktop.press("control", True)
    table.drag(table.pixel_of(6, 3.5), table.pixel_of(13, 12), steps=3)
    table.desktop.press("control", False)
    assert members(table) == {"heavy-barricade", "light-barricade", "Blue 1"}
    assert table.model.undo_name is not None
    table.key("control", "a")
    assert members(table) == {"heavy-barricade", "light-barricade", "Blue 1", "Red 1"}


def test_they_are_moved_turned_removed_and_undone_together(table: Driver, tmp_path: Path) -> None:
    model = table.model
    both(table)
    before = pieces_of(model.state.file)
    table.drag(table.pixel_of(8, 8, 0.3), table.pixel_of(10, 11, 0.3), steps=3)
    moved = pieces_of(model.state.file)
    for old, new in zip(before, moved, strict=True):
        assert new.at[0] - old.at[0] == pytest.approx(2, abs=0.1)
        assert new.at[1] - old.at[1] == pytest.approx(3, abs=0.1)
    table.key("arrow_right")
    assert pieces_of(model.state.file)[0].at[0] == pytest.approx(moved[0].at[0] + 0.1)
    table.key("q")
    turned = pieces_of(model.state.file)
    assert [piece.turn for piece in turned] == [15, 45]
    assert math.dist(turned[0].at, turned[1].at) == pytest.approx(math.dist(before[0].at, before[1].at), abs=1e-3)
    model.save(tmp_path / "group.yaml")
    assert pieces_of(load_scene(tmp_path / "group.yaml")) == turned
    table.key("delete")
    assert pieces_of(model.state.file) == ()
    for _ in range(4):
        table.key("control", "z")
    assert pieces_of(model.state.file) == before
    for _ in range(4):
        table.key("control", "shift", "z")
    assert pieces_of(model.state.file) == ()


def test_what_does_not_fit_is_refused_as_a_whole(table: Driver) -> None:
    both(table)
    before = table.model.state.file
    table.view.hands.grouping.choose([*table.view.hands.grouping.members, ("operative", "Blue 1")])
    table.settle()
    table.drag(table.pixel_of(8, 8, 0.3), table.pixel_of(8, 3, 0.3), steps=3)
    assert table.model.state.file is before
    assert "Blue 1" in table.said()
    table.drag(table.pixel_of(8, 8, 0.3), table.pixel_of(22, 19, 0.3), steps=3)
    assert table.model.state.file is before or "reach over" not in table.said()


def test_copies_and_mirrored_ones_are_chosen_in_their_place(table: Driver) -> None:
    model = table.model
    both(table)
    table.press("duplicate")
    assert len(pieces_of(model.state.file)) == 4
    assert members(table) == {"heavy-barricade-2", "light-barricade-2"}
    table.key("control", "z")
    control(table, 9.5, 5, 0.15)
    table.press("mirror")
    assert members(table) == {"heavy-barricade-2", "light-barricade-2", "Red 2"}
    first, other = (piece_of(model.state.file, f"light-barricade{end}") for end in ("", "-2"))
    assert first is not None
    assert other is not None
    assert other.at[:2] == (30 - first.at[0], 22 - first.at[1])
    assert other.turn == 210
    red = model.scene.operative("Red 2")
    assert (red.x, red.y, red.team) == (20.5, 17, "red")


def test_sides_are_put_on_one_line(table: Driver) -> None:
    both(table)
    for side, axis, end in (("near", 1, min), ("right", 0, max)):
        table.press(f"align-{side}")
        ends = [end(corner[axis] for corner in foot_on_board(one)) for one in pieces_of(table.model.state.file)]
        assert ends[0] == pytest.approx(ends[1], abs=1e-3)
        table.key("control", "z")


def test_pieces_snap_to_edges_and_to_each_other() -> None:
    board = (30.0, 22.0)
    one = LoosePiece("a", "small-ruin-1", (10.0, 10.0, 0.0))
    low, high = foot_on_board(one)[0], foot_on_board(one)[2]
    wide = high[0] - low[0]
    beside = LoosePiece("b", "small-ruin-1", (10.0 + wide + 0.2, 10.3, 0.0))
    assert snapped(beside, [one], board).at[:2] == pytest.approx((10 + wide, 10))
    far = replace(beside, at=(10 + wide + 0.6, 10.6, 0.0))
    assert snapped(far, [one], board) == far, "too far away to be meant"
    edge = replace(one, at=(wide / 2 + 0.3, 10.0, 0.0))
    assert snapped(edge, [], board).at[0] == pytest.approx(10.0 - low[0], abs=1e-3)


def test_the_grid_button_ends_with_edges(table: Driver) -> None:
    model = table.model
    for _ in range(3):
        table.press("grid")
    assert model.snap.to_edges
    assert model.grid == 0
    table.click_table(8, 8, 0.3)
    table.drag(table.pixel_of(8, 8, 0.3), table.pixel_of(15, 0.35, 0.3), steps=4)
    piece = piece_of(model.state.file, "heavy-barricade")
    assert piece is not None
    assert min(y for _, y in foot_on_board(piece)) == pytest.approx(0, abs=1e-3)
    table.press("grid")
    assert not model.snap.to_edges
