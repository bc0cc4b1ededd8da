"""Random 2021 games with every invariant; undo, save and swapped sides; ``ktsim sim``."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Literal

import pytest
from soak import soak
from soak.tally import EVENT, Counts

from ktsim.cli import main
from ktsim.game.setup import Setup

OPEN = Setup(edition="kt21-lite", board="open", table="plain", red="saltglass-pickets", blue="cinder-choir")
PAIRS = [
    ("saltglass-pickets", "cinder-choir"),
    ("brine-throng", "keelwrights"),
    ("cinder-choir", "gravel-jackals"),
    ("lantern-wardens", "saltglass-pickets"),
]


def test_random_games_keep_the_invariants_and_do_things() -> None:
    counts: Counts = Counter()
    for seed in range(8):
        red, blue = PAIRS[seed % len(PAIRS)]
        setup = Setup(edition="kt21-lite", board="open", table="plain", red=red, blue=blue)
        counts.update(soak.watched_game(setup, seed))
    assert soak.missed_floors(counts, "kt21-lite") == []


@pytest.mark.parametrize(("board", "table"), [("training-ground", "plain"), ("gallowdark-1", "sight")])
def test_a_game_with_terrain(board: str, table: Literal["plain", "sight"]) -> None:
    setup = Setup(edition="kt21-lite", board=board, table=table, red="saltglass-pickets", blue="cinder-choir")
    counts = soak.watched_game(setup, 3)
    assert counts["action, kt21-lite", "Normal Move"] > 5
    assert counts[EVENT, "PiecePlaced"] == 4


def test_undo_and_redo() -> None:
    assert soak.undo_and_redo(OPEN, 5) > 100


def test_save_and_continue(tmp_path: Path) -> None:
    soak.save_and_continue(OPEN, 6, tmp_path)


def test_swapped_sides() -> None:
    assert soak.swapped_sides(OPEN, 7) > 100


def test_sim(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["sim", "--edition", "kt21-lite", "--killzone", "open", "--table", "plain", "--red", "brine-throng"]
    assert main([*words, "--blue", "cinder-choir"]) == 0
    first = capsys.readouterr().out
    assert first.startswith("game 1: ")
    assert main([*words, "--blue", "cinder-choir"]) == 0
    assert capsys.readouterr().out == first
    assert main(["sim", "--killzone", "open", "--red", "cinder-choir"]) == 2
    assert "it cannot be fielded in a game of kt24" in capsys.readouterr().err
