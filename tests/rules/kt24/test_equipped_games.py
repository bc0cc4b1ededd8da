"""Random games with equipment on killzones that bring actions of their own; scripts/soak plays many more."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from soak import soak
from soak.tally import BATTLES, EVENT, Counts, Deed, action_section, cited, killzone_section, missed, within_section
from soak.tinkerer import Tinkerer, crowd

from ktsim.game.setup import Setup
from ktsim.rules.killzone.teleport_pads import TeleportPads
from ktsim.rules.killzone.tight_places import Condensed, CondensedInside
from ktsim.rules.kt24.edition import KT24
from ktsim.sight.dates import BREACHING_CHARGE

BOARDS = ("gallowdark-1", "volkus-1", "bheta-decima-1", "tomb-world-1")


def setup(number: int, table: str) -> Setup:
    board = BOARDS[number % len(BOARDS)]
    return Setup(board=board, table=table, mission="equipped-skirmish")  # type: ignore[arg-type]


def crowded_games(setup_of: Callable[[int], Setup], wanted: list[Deed], least: int, most: int) -> Counts:
    """At least so many games, and more until everything wanted has come about: what does so by chance is another thing
    in other games, and a change of a team makes other games."""
    counts: Counts = Counter()
    for number in range(most):
        counts.update(soak.watched_game(setup_of(number), number, Tinkerer(number), crowd))
        if number + 1 >= least and not missed(counts, wanted):
            break
    return counts


def test_random_games_that_begin_around_openings() -> None:
    """A start that random play hardly comes to by itself: everybody beside hatchways and doors."""
    actions = ("Operate Hatch", "Hatchway Fight", "Point-blank Shot", "Smoke Grenade", "Stun Grenade")
    wanted = [(action_section(KT24), name) for name in actions]
    wanted += [(within_section(KT24), "Operate Hatch"), (EVENT, "Displaced"), (EVENT, "GuardInterrupted")]
    wanted += [(killzone_section(KT24), cited(rule)) for rule in (Condensed, CondensedInside)]
    wanted += [("equipment in use", "Explosive Grenades")]
    few = [replace(setup(number, "plain"), handicap_red="-3", handicap_blue="-3") for number in range(2)]
    counts = crowded_games(lambda number: few[number % 2], wanted, 12, 80)
    assert missed(counts, wanted) == []


def test_random_games_breach_and_teleport() -> None:
    """On the Tomb World, as of the date that brings the Breaching Charge."""
    tomb = replace(setup(3, "plain"), rules=BREACHING_CHARGE.since, red="keelwrights")
    wanted = [(action_section(KT24), name) for name in ("Breach", "Quick Breach", "Breaching Charge")]
    wanted += [(EVENT, "Teleported"), (killzone_section(KT24), cited(TeleportPads))]
    wanted += [("equipment in use", "Breaching Charge")]
    counts = crowded_games(lambda _: tomb, wanted, 6, 60)
    assert missed(counts, wanted) == []


def test_with_real_sight_and_moving() -> None:
    """On the killzone with hatchways; battles on the others are in ``test_random_battles``."""
    counts = soak.watched_game(setup(0, "sight"), 0, Tinkerer(0))
    assert counts[BATTLES] == 1
    assert counts[EVENT, "Moved"] > 5


@pytest.mark.parametrize("number", [0, 1, 3])
def test_undo_to_the_start_and_redo(number: int) -> None:
    assert soak.undo_and_redo(setup(number, "plain"), number) > 100


@pytest.mark.parametrize("number", range(4))
def test_save_load_and_continue(number: int, tmp_path: Path) -> None:
    soak.save_and_continue(setup(number, "plain"), number, tmp_path)
