"""Pictures of a table in motion: in fewer pixels where whole ones come too slowly, and whole once it rests."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from desktop_driver import engine

from ktsim.app.stage.cameras import Free
from ktsim.app.stage.engine import Engine
from ktsim.app.stage.looks import plain_scenery
from ktsim.app.stage.picture import REST, SMOOTH, Frame, TablePicture
from ktsim.app.ui.settings import Level, Settings
from ktsim.sight.scene import Scene, Terrain

__all__ = ["engine"]

SIZE = (200, 120)


def picture_of(engine: Engine, level: Level) -> TablePicture:
    terrain = Terrain((30.0, 22.0))
    frame = Frame(SIZE, 1.0, Free())
    return TablePicture(engine, Scene(terrain), plain_scenery(terrain), frame, Settings(quality=level))


@pytest.fixture
def picture(engine: Engine) -> Iterator[TablePicture]:
    made = picture_of(engine, "low")
    yield made
    made.close()


def turn(picture: TablePicture, times: list[float]) -> list[tuple[int, int]]:
    """The sizes of the pictures drawn at these times while the camera turns."""
    sizes = []
    for now in times:
        picture.camera.orbit(5, 0)
        picture.camera.arrive()
        assert picture.update(now)
        sizes.append(picture.view.size)
    return sizes


def test_a_slow_motion_is_drawn_in_fewer_pixels_and_ends_in_a_whole_picture(picture: TablePicture) -> None:
    slow = 1.5 * SMOOTH
    small = (120, 72)
    assert turn(picture, [1.0, 1.0 + slow, 1.0 + 1.2 * slow]) == [SIZE, small, small]
    last = 1.0 + 1.2 * slow
    assert picture.is_moving  # the whole picture is still to come
    assert not picture.update(last + 0.9 * REST)
    assert picture.update(last + 1.1 * REST)
    assert picture.view.size == SIZE
    assert not picture.is_moving
    assert not picture.update(last + 9.0)


def test_a_smooth_motion_and_single_steps_are_drawn_whole(picture: TablePicture) -> None:
    assert turn(picture, [1.0, 1.0 + 0.9 * SMOOTH, 1.0 + 1.8 * SMOOTH]) == [SIZE] * 3
    assert turn(picture, [2.0, 2.0 + 1.1 * REST, 2.0 + 2.2 * REST]) == [SIZE] * 3
    assert not picture.is_moving


def test_better_qualities_are_drawn_whole(engine: Engine) -> None:
    made = picture_of(engine, "medium")
    assert turn(made, [1.0, 1.0 + 2 * SMOOTH, 1.0 + 4 * SMOOTH]) == [SIZE] * 3
    made.close()
