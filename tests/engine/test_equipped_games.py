"""Random games with equipment on killzones that bring actions of their own; scripts/soak plays many more."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from ktsim.game import soak
from ktsim.game.setup import Setup
from ktsim.game.tinkerer import Tinkerer, crowd

BOARDS = ("gallowdark-1", "volkus-1", "bheta-decima-1")


def setup(number: int, table: str) -> Setup:
    board = BOARDS[number % len(BOARDS)]
    return Setup(board=board, table=table, mission="equipped-skirmish")  # type: ignore[arg-type]


def test_random_games_with_equipment_keep_every_invariant() -> None:
    counts: Counter[str] = Counter()
    for number in range(12):
        counts += soak.watched_game(setup(number, "plain"), number, Tinkerer(number))
    wanted = ("Operate Hatch", "Guard", "PiecePlaced", "MarkerAppeared", "Move with Barricade", "Ammo Resupply")
    assert soak.missed(counts, wanted) == []
    assert counts["refused"] > 100


def test_random_games_that_begin_around_openings() -> None:
    counts: Counter[str] = Counter()
    for number in range(20):
        counts += soak.watched_game(setup(number % 2, "plain"), number, Tinkerer(number), crowd)
    wanted = ("Operate Hatch", "in a move", "Displaced", "Hatchway Fight", "GuardInterrupted", "Point-blank Shot")
    wanted += ("KZ-CONDENSED", "KZ-VOLKUS-CONDENSED", "Smoke Grenade", "Stun Grenade", "KT24-E-EXPLOSIVE-GRENADES")
    assert soak.missed(counts, wanted) == []


def test_with_real_sight_and_moving() -> None:
    """On the killzone with hatchways; battles on the others are in ``test_random_battles``."""
    counts = soak.watched_game(setup(0, "sight"), 0, Tinkerer(0))
    assert counts["games"] == 1
    assert counts["Moved"] > 5


@pytest.mark.parametrize("number", range(2))
def test_undo_to_the_start_and_redo(number: int) -> None:
    assert soak.undo_and_redo(setup(number, "plain"), number) > 100


@pytest.mark.parametrize("number", range(3))
def test_save_load_and_continue(number: int, tmp_path: Path) -> None:
    soak.save_and_continue(setup(number, "plain"), number, tmp_path)


def test_what_never_came_about_is_noticed() -> None:
    wanted = (*soak.EQUIPMENT_USED, *soak.KILLZONE_USED)
    assert len(soak.missed(Counter(games=3), wanted)) == len(wanted)
