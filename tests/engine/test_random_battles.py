"""Random whole battles by the mission packs; scripts/soak plays many more of them."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from ktsim.game import soak
from ktsim.game.game import Game
from ktsim.game.invariants import Broken, Watch
from ktsim.game.players import Purposeful, Sampler, play
from ktsim.game.setup import Setup, new_game
from ktsim.rules.events import Chosen, Told, VpScored
from ktsim.rules.muster import usual
from ktsim.rules.operative_events import MarkerTokenSet
from ktsim.rules.ops.tac_infiltration import TrackEnemy

PLAIN_BOARDS = ("open", "training-ground")
SIGHT_BOARDS = ("training-ground", "volkus-1", "gallowdark-1", "bheta-decima-1")
PACKS = [Setup(board="open", table="plain", mission=mission) for mission in soak.PACKS]


LEAST, MOST = 40, 200
"""How many battles are played for certain, and until when every op must have come about."""


def test_random_battles_keep_every_invariant_and_exercise_every_op() -> None:
    """All but Track Enemy: nothing hides on a plain table."""
    counts: Counter[str] = Counter()
    missed = [""]
    while counts["games"] < LEAST or (missed and counts["games"] < MOST):
        number = counts["games"]
        counts += soak.watched_battle(number, PLAIN_BOARDS[number % 2], "plain")
        missed = [line for line in soak.missed_in_battles(counts) if not line.startswith(TrackEnemy.id)]
    assert missed == []


@pytest.mark.parametrize(("number", "board"), list(enumerate(SIGHT_BOARDS)))
def test_battles_with_real_sight(number: int, board: str) -> None:
    counts = soak.watched_battle(number, board, "sight")
    assert counts["games"] == 1
    assert counts["KT24-SCORE"] > 0


@pytest.mark.parametrize("setup", PACKS)
@pytest.mark.parametrize("seed", range(2))
def test_undo_to_the_start_and_redo(setup: Setup, seed: int) -> None:
    assert soak.undo_and_redo(setup, seed) > 100


@pytest.mark.parametrize("setup", PACKS)
@pytest.mark.parametrize("seed", range(3))
def test_save_load_and_continue(setup: Setup, seed: int, tmp_path: Path) -> None:
    soak.save_and_continue(setup, seed, tmp_path)


@pytest.mark.parametrize("setup", PACKS)
@pytest.mark.parametrize("seed", range(6))
def test_swapping_the_players_commutes_with_the_rules(setup: Setup, seed: int) -> None:
    assert soak.swapped_sides(setup, seed, soak.InTurn(seed, seed)) > 100


def test_the_same_seed_gives_the_same_battle() -> None:
    digests = []
    for _ in range(2):
        game = new_game(PACKS[0])
        play(game, {"red": Purposeful(1), "blue": Purposeful(2), "chance": Sampler(3)})
        digests.append(game.digest())
    assert digests[0] == digests[1]


# -- the checks themselves can fail ------------------------------------------------------------------


def started() -> tuple[Game, Watch]:
    """A battle in its first activation, red's tac op Envoy, blue's Rout; none revealed."""
    game = new_game(replace(PACKS[0], crit_op="loot"))
    watch = Watch(game)
    sampler = Sampler(5)
    tac = {"red": "envoy", "blue": "rout"}
    while game.pending is not None and game.pending.topic != "action":
        is_tac = game.pending.topic == "tac op"
        game.submit(tac[game.pending.seat] if is_tac else sampler.answer(game.pending, game))
        watch.check()
    return game, watch


@pytest.mark.parametrize(
    ("event", "text"),
    [
        (VpScored("red", 1, "early", "crit", "KT24-OP-LOOT"), "9: crit op scored in turning point 1"),
        (VpScored("red", 7, "much", "kill", "KT24-OP-KILL"), "9: red has 7VP from the kill op"),
        (VpScored("red", 0, "nothing", "kill", "KT24-OP-KILL"), "9: 0VP scored"),
        (Told("Rout is what blue wants."), "secret: the log names blue's tac op"),
        (Told("x", "KT24-OP-ENVOY"), "secret: the log names red's tac op"),
        (MarkerTokenSet("objective-1", "debt", -1), "markers: objective-1"),
    ],
)
def test_the_watch_notices(event: Any, text: str) -> None:
    game, watch = started()
    event.apply(game.state)
    game.events.append(event)
    with pytest.raises(Broken, match=text):
        watch.check()


def test_a_revealed_op_may_be_named() -> None:
    game, watch = started()
    for event in (Chosen("blue:tac op revealed", "rout", "Blue reveals its tac op: Rout."), Told("Rout!")):
        event.apply(game.state)
        game.events.append(event)
    watch.check()


def test_a_sheet_that_does_not_add_up_is_noticed() -> None:
    game, watch = started()
    event = VpScored("red", 1, "Kill op: grade 1", "kill", "KT24-OP-KILL")
    event.apply(game.state)
    game.events.append(event)
    game.state.sheet.clear()
    with pytest.raises(Broken, match="the sheet says"):
        watch.check()


def watched(answers: dict[str, dict[Any, Any]]) -> None:
    """A random battle under watch, some answers given by topic and seat."""
    game, sampler = new_game(PACKS[0]), Sampler(5)
    watch = Watch(game)
    while game.pending is not None:
        given = answers.get(game.pending.topic, {}).get(game.pending.seat)
        game.submit(sampler.answer(game.pending, game) if given is None else given)
        watch.check()


def test_an_option_that_gives_the_op_away_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    from ktsim.rules.ops.op_action import OpAction

    monkeypatch.setattr(OpAction, "is_secret", lambda self, battle, who: False)
    with pytest.raises(Broken, match="secret: an option names red's tac op"):
        watched({"tac op": {"red": "retrieval", "blue": "rout"}})


def test_a_choice_told_too_early_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    from ktsim.rules.packs import select

    def talks(battle: Any, side: Any) -> Any:
        picked = yield from original(battle, side)
        yield Told('Somebody takes Lamp Gunner 1 (APL 2, Move 6", Save 4+, Wounds 10).')
        return picked

    original = select._operatives
    monkeypatch.setattr(select, "_operatives", talks)
    rosters = {side: usual(team) for side, team in new_game(PACKS[0]).battle.teams.items()}
    red = dict.fromkeys(("red", "blue"), "red")
    with pytest.raises(Broken, match="is told before the other has chosen"):
        watched({"initiative": red, "operatives": rosters})


def test_idleness_is_noticed() -> None:
    assert len(soak.missed_in_battles(Counter(games=10))) > 40
