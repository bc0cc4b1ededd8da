"""What was prepared is kept while there is room: the least recently used goes first."""

from __future__ import annotations

import numpy as np

from ktsim.geometry.shelf import LEAST, Shelf, weight_of


def test_the_least_recently_used_goes_first() -> None:
    shelf, built = Shelf(3 * (1000 + LEAST)), list[str]()

    def ask(name: str) -> None:
        def build() -> np.ndarray[tuple[int], np.dtype[np.uint8]]:
            built.append(name)
            return np.zeros(1000, np.uint8)

        shelf.keep((name,), build)

    for name in "abc":
        ask(name)
    ask("a")
    ask("d")  # b goes
    ask("a")
    ask("c")
    assert built == ["a", "b", "c", "d"]
    assert shelf.weight == 3 * (1000 + LEAST)
    ask("b")
    assert built[-1] == "b"


def test_the_last_one_is_kept_however_heavy_it_is() -> None:
    shelf = Shelf(10)
    first = shelf.keep(("a",), lambda: np.zeros(5000))
    assert shelf.keep(("a",), lambda: np.zeros(1)) is first
    shelf.keep(("b",), lambda: np.zeros(5000))
    assert len(shelf) == 1
    assert shelf.weight == 40_000 + LEAST


def test_nothing_is_a_value_too() -> None:
    shelf, asked = Shelf(10_000), list[int]()
    for number in range(3):
        assert shelf.keep(("none",), lambda number=number: asked.append(number)) is None  # type: ignore[misc]
    assert asked == [0]


def test_weights() -> None:
    array = np.zeros(10)

    class Heavy:
        weight = 7

    assert weight_of(array) == 80
    assert weight_of((array, [array], {"x": array}, Heavy(), "text", None)) == 247
