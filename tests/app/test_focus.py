"""The keyboard's walk through the widgets, without a window."""

from __future__ import annotations

import pytest

from ktsim.app.ui.focus import Focus
from ktsim.app.ui.pen import Rect


def drawn(focus: Focus, *names: str) -> Rect | None:
    """A frame with buttons one below the other; where the ring is."""
    focus.begin()
    for row, name in enumerate(names):
        focus.meet(name, Rect(0, 30 * row, 100, 20))
    return focus.end()


def test_the_walk_goes_round_and_is_ringed() -> None:
    focus = Focus()
    assert drawn(focus, "a", "b", "c") is None
    seen = []
    for _ in range(4):
        focus.step(1)
        ring = drawn(focus, "a", "b", "c")
        assert ring is not None
        seen.append((focus.name, ring.y))
    assert seen == [("a", 0), ("b", 30), ("c", 60), ("a", 0)]
    focus.step(-1)
    assert focus.name == "c"


def test_a_press_is_taken_once_by_the_widget_it_was_meant_for() -> None:
    focus = Focus()
    drawn(focus, "a", "b")
    focus.step(1)
    assert focus.key("enter")
    assert not focus.takes_press("b")
    assert focus.takes_press("a")
    assert not focus.takes_press("a")
    assert focus.key("space")
    drawn(focus, "a", "b")
    assert not focus.takes_press("a"), "a press does not wait for another frame"


def test_whoever_walked_on_a_widget_that_is_gone_walks_no_more() -> None:
    focus = Focus()
    drawn(focus, "a", "b")
    focus.step(1)
    assert drawn(focus, "b") is None
    assert not focus.is_walking
    assert not focus.key("enter"), "the keys belong to the screen again"


@pytest.mark.parametrize(("key", "wanted"), [("arrow_down", "b"), ("arrow_up", "a"), ("arrow_left", "a")])
def test_arrows_go_to_the_next_one_in_a_direction(key: str, wanted: str) -> None:
    focus = Focus()
    drawn(focus, "a", "b", "c")
    focus.step(1)
    assert focus.key(key)
    assert focus.name == wanted


def test_a_field_keeps_its_keys() -> None:
    focus = Focus()
    focus.begin()
    focus.meet("name", Rect(0, 0, 100, 20), is_field=True)
    focus.end()
    focus.step(1)
    assert focus.is_at_field
    assert focus.key("x")
    assert focus.key("enter")
    assert not focus.takes_press("name")


def test_an_arrow_before_the_screen_that_is_back_was_drawn_stays() -> None:
    focus = Focus()
    drawn(focus, "path", "cancel")
    focus.step(1)
    focus.at("open")  # the dialog was left by a key: the screen below it had been left there
    assert focus.key("arrow_down")
    assert focus.name == "open"
    drawn(focus, "rule", "open", "quit")
    assert focus.key("arrow_down")
    assert focus.name == "quit"
