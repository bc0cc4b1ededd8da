"""Random games; scripts/soak plays many more of them."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from engine_help import PLAIN, TRAINING

from ktsim.game.players import Sampler
from ktsim.game.setup import Setup, new_game
from ktsim.rules.engine.events import CpChanged
from ktsim.rules.engine.operative_events import Moved, SetUp, Wounded
from soak import soak
from soak.invariants import Broken, Watch, check_refusals
from soak.tally import BATTLES, REFUSED, RULE, Counts

BOARDS = [PLAIN, TRAINING]
FULL, MOST_FULL, ALL = 14, 60, 120
LAYOUTS = ("training-ground", "volkus-1", "gallowdark-1", "bheta-decima-1")
"""The training ground and one layout of each killzone."""
SMALL = [replace(PLAIN, board=board, handicap_red="-3", handicap_blue="-4") for board in LAYOUTS]


def test_random_games_keep_every_invariant() -> None:
    """Some with whole teams, looked at after every move, many with three a side, looked at now and then.

    Hundreds of whole battles are in ``test_random_battles``. What is rare may come about in some more whole games: a
    change of a team changes all that follows by chance.
    """
    counts: Counts = Counter()
    for seed in range(MOST_FULL):
        counts.update(soak.watched_game(BOARDS[seed % 2], seed))
        if seed + 1 >= FULL and not soak.missed_floors(counts):
            break
    assert soak.missed_floors(counts) == []
    for seed in range(counts[BATTLES], ALL):
        counts.update(soak.watched_game(SMALL[seed % len(SMALL)], seed, every=10))
    assert counts[BATTLES] == ALL
    assert counts[REFUSED] > 10_000


@pytest.mark.parametrize("seed", range(6))
def test_undo_to_the_start_and_redo(seed: int) -> None:
    assert soak.undo_and_redo(TRAINING, seed) > 100


@pytest.mark.parametrize("seed", range(8))
def test_save_load_and_continue(seed: int, tmp_path: Path) -> None:
    soak.save_and_continue(PLAIN, seed, tmp_path)


@pytest.mark.parametrize("seed", range(10))
def test_swapping_the_players_commutes_with_the_rules(seed: int) -> None:
    """On the open board, which looks the same from both sides."""
    assert soak.swapped_sides(PLAIN, seed) > 100


def test_a_game_is_played_out_with_obvious_answers_taken() -> None:
    game = new_game(PLAIN)
    sampler = Sampler(3)
    while game.pending is not None:
        asked = game.pending
        game.submit(asked.default if asked.is_obvious else sampler.answer(asked, game))
    assert game.state.phase == "over"


# -- the checks themselves can fail ------------------------------------------------------------------


def started() -> Any:
    game = new_game(PLAIN)
    sampler = Sampler(5)
    while game.pending is not None and game.pending.topic != "action":
        game.submit(sampler.answer(game.pending, game))
    return game


@pytest.mark.parametrize(
    ("event", "text"),
    [
        (CpChanged("red", -99, "theft"), "9: CP"),
        (Wounded("red-warden-captain-1", 60, "stroke", ""), "4: Warden Captain is incapacitated"),
        (Moved("red-warden-captain-1", ((99_000, 0, 0),), 1, 6), "5, 6"),
        (Moved("red-warden-captain-1", ((3000, 3000, 0),), 9, 6), "7: a move"),
        (SetUp("blue-digger-1", (500, 500, 0)), "5, 6"),
    ],
)
def test_the_watch_notices(event: Any, text: str) -> None:
    game = started()
    watch = Watch(new_game(PLAIN))
    watch.game = game
    watch.check()
    event.apply(game.state)
    game.events.append(event)
    with pytest.raises(Broken, match=text):
        watch.check()


def test_an_event_applied_wrongly_is_noticed() -> None:
    game = started()
    watch = Watch(new_game(PLAIN))
    watch.game = game
    watch.check()
    game.state.operatives["red-lamp-gunner-1"].wounds -= 1
    with pytest.raises(Broken, match="do not add up"):
        watch.check()


def test_the_swap_notices_a_favour(monkeypatch: pytest.MonkeyPatch) -> None:
    from ktsim.rules.kt24 import turn

    def unfair(battle: Any) -> Any:
        yield CpChanged("red", 5, "favour")
        yield from original(battle)

    original = turn.PHASES["ready"]
    monkeypatch.setitem(turn.PHASES, "ready", unfair)
    with pytest.raises(Broken, match="18"):
        soak.swapped_sides(PLAIN, 1)


def test_refusals_are_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    game = started()
    assert check_refusals(game) > 5
    monkeypatch.setattr(type(game), "submit", lambda self, answer: [])
    with pytest.raises(Broken, match="was accepted"):
        check_refusals(game)


def test_floors_notice_idleness() -> None:
    assert len(soak.missed_floors(Counter({BATTLES: 10}))) == len(soak.FLOORS["kt24"])


def test_random_games_with_real_sight() -> None:
    """scripts/soak plays many of these on every kind of killzone."""
    counts: Counts = Counter()
    for board in ("training-ground", "volkus-1"):
        counts.update(soak.watched_game(Setup(board=board, table="sight"), 3))
    assert counts[BATTLES] == 2
    assert counts[RULE, "KT24-VALID"] > 0
