"""Golden playthroughs: stories kept as text. After a wanted change run ``scripts/golden`` and read the diff."""

from __future__ import annotations

import pytest
from golden_cases import CASES, FOLDER


@pytest.mark.parametrize("name", CASES)
def test_the_story_is_the_same(name: str) -> None:
    assert CASES[name]() == (FOLDER / f"{name}.txt").read_text(encoding="utf-8")


def test_no_story_is_left_over() -> None:
    assert {path.stem for path in FOLDER.glob("*.txt")} == set(CASES)
