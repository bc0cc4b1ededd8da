"""Only what differs from the frame before is drawn again, and the window looks as if all of it had been."""

from __future__ import annotations

import numpy as np
import pytest
from desktop_driver import Driver, driver, engine, pair

from ktsim.app.ui.patches import MOST_PATCHES, WORDS, Box, Inked, area, differing, overlap, patches

__all__ = ["driver", "engine"]

SIZE = (100, 60)


def inked(*squares: tuple[float, float], clip: Box = (0, 0, *SIZE), content: object = "letters") -> Inked:
    """A square of side 4 at each of these corners."""
    places = np.array([[(x, y), (x + 4, y), (x + 4, y + 4), (x, y), (x + 4, y + 4), (x, y + 4)] for x, y in squares])
    corners = np.zeros((places.size // 2, WORDS), np.float32)
    corners[:, :2] = places.reshape(-1, 2)
    return Inked(corners.view(np.uint32).reshape(-1, 3 * WORDS), clip, content)


def boxes(before: Inked | None, now: Inked | None, scale: float = 1.0) -> set[Box]:
    return {box for box in differing(before, now, scale) if area(box)}


def test_what_is_the_same_is_not_drawn_again() -> None:
    assert boxes(inked((10, 10), (50, 10)), inked((10, 10), (50, 10))) == set()


def test_what_moved_is_drawn_where_it_was_and_where_it_is() -> None:
    assert boxes(inked((10, 10), (50, 10)), inked((10, 10), (60, 10))) == {(49, 9, 55, 15), (59, 9, 65, 15)}
    assert boxes(inked((10, 10)), inked((20, 10)), 2.0) == {(19, 19, 29, 29), (39, 19, 49, 29)}


def test_what_came_or_went_leaves_the_rest_alone() -> None:
    one, more = inked((10, 10), (80, 40)), inked((10, 10), (50, 10), (80, 40))
    assert boxes(one, more) == boxes(more, one) == {(49, 9, 55, 15)}
    assert boxes(None, one) == boxes(one, None) == {(9, 9, 85, 45)}


def test_another_texture_or_clipping_is_drawn_whole() -> None:
    assert boxes(inked((10, 10)), inked((10, 10), content="a picture")) == {(9, 9, 15, 15)}
    assert boxes(inked((10, 10)), inked((10, 10), clip=(0, 0, 12, 60))) == {(9, 9, 15, 15), (9, 9, 12, 15)}


def test_patches_cover_everything_and_do_not_overlap() -> None:
    rng = np.random.default_rng(4)
    for _ in range(200):
        corners = rng.integers(-10, 90, (int(rng.integers(0, 9)), 2)).tolist()
        wanted: list[Box] = [(x, y, x + int(rng.integers(0, 20)), y + int(rng.integers(0, 20))) for x, y in corners]
        found = patches(wanted, SIZE)
        drawn = np.zeros(SIZE[::-1], int)
        for left, top, right, bottom in found:
            drawn[top:bottom, left:right] += 1
        for left, top, right, bottom in (overlap(box, (0, 0, *SIZE)) for box in wanted):
            assert drawn[top : max(top, bottom), left : max(left, right)].all()
        assert drawn.max() <= 1
        assert len(found) <= MOST_PATCHES


def is_as_if_drawn_whole(driver: Driver) -> bool:
    """Whether the window as it stands is what it would be had all of it been drawn now."""
    assert not driver.desktop.wanted
    shown = driver.pixels()
    driver.desktop.backend.spoil()
    driver.desktop.frame()
    return np.array_equal(shown, driver.pixels())


@pytest.mark.parametrize("scale", [0.5, 0.73])
def test_the_window_is_as_if_all_of_it_had_been_drawn(driver: Driver, scale: float) -> None:
    size = driver.desktop.size
    driver.scale = scale
    pixels = round(size[0] * scale), round(size[1] * scale)
    driver.output.set_size(*pixels)
    driver.desktop.resize(pixels, scale)
    driver.settle()
    assert is_as_if_drawn_whole(driver)
    pair(driver)
    drawn = []
    for step in (
        lambda: driver.point(*driver.middle_of("undo")),
        lambda: driver.drag(driver.pixel_of(22, 11), driver.pixel_of(18, 12)),
        lambda: driver.drag((500, 300), (540, 310), "mouse3"),
        lambda: driver.key("e"),
        lambda: driver.key("escape"),
        lambda: driver.key("tab"),
        lambda: driver.press("settings"),
        lambda: driver.key("escape"),
        lambda: driver.press("undo"),
        lambda: driver.desktop.say("Something is said."),
        lambda: driver.key("f1"),
    ):
        step()
        driver.settle()
        drawn.append(is_as_if_drawn_whole(driver))
    assert all(drawn), drawn


def test_at_rest_nothing_is_drawn_again_and_one_word_is_a_small_patch(driver: Driver) -> None:
    pair(driver)
    backend = driver.desktop.backend
    driver.desktop.frame()
    assert not backend.root.find_all_matches("command").get_num_paths()
    found = []
    for name in ("undo", "redo", "undo"):  # letters that were never written before have everything drawn again
        driver.point(*driver.middle_of(name))
        found.append(sum(map(area, backend.patches)))
        driver.settle()
    w, h = driver.desktop.pixels
    assert 0 < found[-1] < 0.1 * w * h
