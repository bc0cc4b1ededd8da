"""Pictures of a table in motion: in fewer pixels where whole ones come too slowly, and whole once it rests."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from desktop_driver import engine

from ktsim.app.stage.cameras import Free
from ktsim.app.stage.engine import Engine
from ktsim.app.stage.looks import plain_scenery
from ktsim.app.stage.picture import REST, SMOOTH, Frame, TablePicture
from ktsim.app.ui.rect import Rect, opening
from ktsim.app.ui.settings import Level, Settings
from ktsim.killzones.figures import figure
from ktsim.sight.scene import Base, Operative, Scene, Terrain

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
    small = (100, 60)
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
    assert not picture.update(1.9)
    for now in (2.0, 2.0 + 1.1 * REST, 2.0 + 2.2 * REST):
        assert turn(picture, [now]) == [SIZE]
        assert not picture.update(now + 0.01)  # nothing more to draw
    assert not picture.is_moving


def test_a_motion_goes_on_where_the_machine_is_so_busy_that_pictures_come_late(picture: TablePicture) -> None:
    late = 3 * REST
    assert turn(picture, [1.0, 1.0 + late, 1.0 + 2 * late]) == [SIZE, (100, 60), (100, 60)]
    assert not picture.update(1.0 + 2 * late + 0.01)
    assert picture.update(1.0 + 3 * late)
    assert picture.view.size == SIZE


def test_better_qualities_are_drawn_whole(engine: Engine) -> None:
    made = picture_of(engine, "medium")
    assert turn(made, [1.0, 1.0 + 2 * SMOOTH, 1.0 + 4 * SMOOTH]) == [SIZE] * 3
    made.close()


def test_a_rough_motion_draws_only_what_panels_leave_open(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was drawn is what a whole picture shows there but for a pixel of an edge here and there; the rest stays as
    it was when the motion began."""
    people = tuple(
        Operative(f"{x}", "red", float(x), 11.0, 0.0, Base.of_mm(32), figure("trooper")) for x in range(1, 30, 2)
    )
    terrain = Terrain((30.0, 22.0))
    pictures = [
        TablePicture(engine, Scene(terrain, people), plain_scenery(terrain), Frame(SIZE, 1.0, Free()), Settings("low"))
        for _ in range(2)
    ]
    times = [1.0 + 1.5 * SMOOTH * number for number in range(4)]
    shots = []
    for picture, free in zip(pictures, (Free(), Free(0.25, 0.25, 0.75, 1.0)), strict=True):
        monkeypatch.setattr(engine, "free", free)
        shots.append([])
        for now in times:
            turn(picture, [now])
            engine.render()
            shots[-1].append(engine.pixels(picture.texture).astype(int))
    whole, part = shots
    h, w = whole[1].shape[:2]
    inside = np.zeros((h, w), bool)
    inside[h // 4 :, w // 4 : w * 3 // 4] = True
    assert (h, w) == (60, 100)
    assert np.array_equal(part[1], whole[1])  # the first one of the motion
    for number in (2, 3):
        off = np.abs(part[number] - whole[number]).max(axis=2)[inside]
        assert (off > 8).mean() < 0.005
        assert np.array_equal(part[number][~inside], whole[1][~inside])
        assert not np.array_equal(whole[number][~inside], whole[1][~inside])  # it would have looked different
    monkeypatch.setattr(engine, "free", Free())  # panels have gone: all of it is drawn at once
    turn(pictures[1], [times[-1] + 1.5 * SMOOTH])
    turn(pictures[0], [times[-1] + 1.5 * SMOOTH])
    engine.render()
    assert np.array_equal(engine.pixels(pictures[0].texture), engine.pixels(pictures[1].texture))
    for picture in pictures:
        picture.close()


@pytest.mark.parametrize(
    ("panels", "found"),
    [
        ((), Rect(0, 0, 640, 320)),
        ((Rect(8, 8, 152, 304),), Rect(144, 0, 496, 320)),
        ((Rect(8, 8, 152, 304), Rect(168, 8, 464, 64)), Rect(144, 64, 496, 256)),  # the gap between them is none
        ((Rect(0, 0, 640, 320),), Rect(0, 0, 640, 320)),
        ((Rect(-50, -50, 100, 100),), Rect(0, 0, 640, 320)),
        ((Rect(600, 300, 100, 100), Rect(0, 0, 700, 160)), Rect(0, 144, 640, 176)),
    ],
)
def test_what_panels_leave_open_without_the_gaps_between_them(panels: tuple[Rect, ...], found: Rect) -> None:
    assert opening((640, 320), panels) == found
