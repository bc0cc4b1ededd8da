"""What is pressed, dragged and let go while one frame is drawn does what it does over several."""

from __future__ import annotations

import pytest
from desktop_driver import Driver, driver, engine, pair

from ktsim.app.shell.inputs import NOTCH, WHEEL, Inputs, is_of_mouse, places_of_message, places_of_presses
from ktsim.app.ui.rect import Place

__all__ = ["driver", "engine"]

LEFT_DOWN, LEFT_UP, MOTION = 0x0201, 0x0202, 0x0200


def at_once(driver: Driver, start: Place, end: Place, button: str = "mouse1") -> int:
    """A drag taken in at once, as the window passes it on. Returns after how many frames it was over."""
    driver.desktop.is_deaf = False
    inputs = Inputs(driver.desktop)
    k = driver.scale
    places = [(x * k, y * k) for x, y in (start, end)]
    inputs.take([("down", button), ("up", button)], places, places[1])
    frames = 0
    while True:
        inputs.pass_on()
        if button not in driver.desktop.keys:
            break
        driver.desktop.frame()
        inputs.drawn()
        frames += 1
    driver.settle()
    return frames


def test_an_operative_is_dragged(driver: Driver) -> None:
    pair(driver)
    red = driver.model.scene.operatives[1]
    assert at_once(driver, driver.pixel_of(red.x, red.y, 0.15), driver.pixel_of(18, 7, 0.15)) == 2
    moved = driver.model.scene.operative(red.id)
    assert (moved.x, moved.y) == pytest.approx((18, 7), abs=0.2)


def test_an_operative_is_dragged_out_of_its_button(driver: Driver) -> None:
    driver.press("killzones")
    driver.press("killzone--")
    driver.key("escape")  # puts away what is in hand
    at_once(driver, driver.middle_of("place-blue"), driver.pixel_of(8, 11))
    (blue,) = driver.model.scene.operatives
    assert (blue.x, blue.y) == pytest.approx((8, 11), abs=0.1)


@pytest.mark.parametrize("button", ["mouse1", "mouse2", "mouse3"])
def test_the_camera_is_turned_and_moved(driver: Driver, button: str) -> None:
    pair(driver)
    start, end = driver.pixel_of(15, 20), driver.pixel_of(24, 20)
    before = driver.picture.camera.stand
    at_once(driver, start, end, button)
    found = driver.picture.camera.stand
    driver.picture.camera.return_to(before)
    driver.picture.camera.arrive()
    driver.drag(start, end, button, steps=1)
    assert found == driver.picture.camera.stand
    assert found != before


def test_a_click_waits_for_no_frame(driver: Driver) -> None:
    pair(driver)
    x, y = driver.middle_of("undo")
    assert at_once(driver, (x, y), (x + 2, y)) == 0
    assert len(driver.model.scene.operatives) == 1


def test_the_rest_comes_after_it_in_its_order(driver: Driver) -> None:
    """A second press, a key and what is typed wait as well; whoever is deaf is told what is let go only."""

    class Told:
        is_deaf = False

        def __init__(self) -> None:
            self.said: list[str] = []

        def pointer(self, x: float, y: float) -> None:
            self.said.append(f"{x:.0f},{y:.0f}")

        def press(self, name: str, down: bool) -> None:
            self.said.append(f"{name} {'down' if down else 'up'}")

        def text(self, characters: str) -> None:
            self.said.append(characters)

    events = [("down", "mouse1"), ("up", "mouse1"), ("down", "a"), ("text", "a"), ("up", "a"), ("down", "mouse3")]
    places: list[Place] = [(10, 10), (90, 10), (95, 10)]
    told = Told()
    inputs = Inputs(told)
    inputs.take(events, places, (97, 10))
    inputs.pass_on()
    assert told.said == ["10,10", "mouse1 down"]
    inputs.pass_on()
    assert len(told.said) == 2, "nothing was drawn"
    inputs.drawn()
    inputs.pass_on()
    assert told.said[2:] == ["90,10"]
    inputs.drawn()
    inputs.pass_on()
    assert told.said[3:] == ["mouse1 up", "a down", "a", "a up", "95,10", "mouse3 down", "97,10"]
    told = Told()
    told.is_deaf = True
    inputs = Inputs(told)
    inputs.take(events, places, (97, 10))
    inputs.pass_on()
    assert told.said == ["10,10", "90,10", "mouse1 up", "a up", "95,10", "97,10"]


def test_where_it_is_not_told_a_button_counts_where_the_pointer_is(driver: Driver) -> None:
    pair(driver)
    red = driver.model.scene.operatives[1]
    x, y = driver.pixel_of(red.x, red.y, 0.15)
    driver.desktop.is_deaf = False
    inputs = Inputs(driver.desktop)
    inputs.take([("down", "mouse1"), ("up", "mouse1")], [], (x * driver.scale, y * driver.scale))
    inputs.pass_on()
    driver.settle()
    assert driver.model.selected is not None
    assert driver.model.selected.id == red.id


CLICKED = (True, True)
"""A button of the mouse went down and up."""


def test_a_key_in_the_same_frame_does_not_move_a_click() -> None:
    """As Panda3D tells it: two or three times where a key was pressed."""
    there, here = (640, 502), (480, 360)
    assert places_of_presses(there, [there] * 3 + [here] * 3, (False, False, *CLICKED)) == [here, here]
    assert places_of_presses(there, [there] * 5, (False, False, *CLICKED)) == [there, there], "it was not moved"
    assert places_of_presses(there, [there] * 2 + [here] * 3, (*CLICKED, False, False)) == [there, there]
    dragged = [there, there, here, here, here, here, here]
    assert places_of_presses((1, 1), dragged, (*CLICKED, False, False)) == [there, here]
    assert places_of_presses(there, [], (False, False)) == []


def test_a_button_counts_where_the_pointer_was_when_it_was_pressed() -> None:
    """Panda3D tells a place once more for every button; between two frames there may be many."""
    drag = [(120, 110), (120, 110), (150, 130), (200, 160), (200, 160), (220, 170)]
    assert places_of_presses((100, 100), drag, CLICKED) == [(120, 110), (200, 160)]
    assert places_of_presses((220, 170), [(220, 170), (50, 50), (50, 50)], CLICKED) == [(220, 170), (50, 50)]
    assert places_of_presses((5, 5), [(5, 5)] * 4, CLICKED * 2) == [(5, 5)] * 4, "a click and a turn of the wheel"
    assert places_of_presses((100, 100), [(120, 110), (150, 130)], CLICKED) == [], "not told, not known"
    jittering = [(120, 110), (120, 110), (120, 110), (150, 130), (200, 160), (200, 160)]
    assert places_of_presses((120, 110), jittering, CLICKED) == [(120, 110), (200, 160)], (
        "less than a pixel is told too"
    )
    assert is_of_mouse("mouse1")
    assert is_of_mouse("shift-wheel_up")
    assert not is_of_mouse("m")


def test_windows_tells_a_place_with_every_button() -> None:
    """Left and above of the window are less than nothing; the wheel's place is one of the display."""
    assert places_of_message(LEFT_DOWN, 1, 300 << 16 | 200, (7, 9)) == [(200, 300)]
    assert places_of_message(LEFT_UP, 0, 0xFFFE << 16 | 0xFFFF, (7, 9)) == [(-1, -2)]
    assert places_of_message(MOTION, 0, 300 << 16 | 200, (7, 9)) == []
    down = (-2 * NOTCH & 0xFFFF) << 16
    assert places_of_message(WHEEL, down, 300 << 16 | 200, (7, 9)) == [(193, 291)] * 4
    assert places_of_message(WHEEL, NOTCH // 3 << 16, 300 << 16 | 200, (7, 9)) == [(193, 291)] * 2
