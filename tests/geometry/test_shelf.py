"""What was prepared is kept while there is room: the least recently used goes first."""

from __future__ import annotations

import sys
from pathlib import Path

import llvmlite.binding
import numpy as np
import pytest

from ktsim.geometry.shelf import LEAST, Shelf, let_go_of_code, weight_of


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


def resident_code(library: str) -> int:
    """Bytes of a library's code that are in memory."""
    found, is_its = 0, False
    for words in map(str.split, Path("/proc/self/smaps").read_text().splitlines()):
        if not words[0].endswith(":"):
            is_its = words[1] == "r-xp" and words[-1].endswith(library)
        elif is_its and words[0] == "Rss:":
            found += int(words[1]) << 10
    return found


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux is told")
def test_code_that_was_let_go_comes_back_when_it_is_wanted() -> None:
    text = "define i32 @two() {\n  ret i32 2\n}\n"
    before = str(llvmlite.binding.parse_assembly(text))
    used = resident_code("libllvmlite.so")
    let_go_of_code()
    left = resident_code("libllvmlite.so")
    assert used > 1 << 20
    assert left < used / 10
    assert str(llvmlite.binding.parse_assembly(text)) == before
