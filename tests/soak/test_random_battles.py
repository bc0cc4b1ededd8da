"""Random whole battles by the mission packs; scripts/soak plays many more of them."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from ktsim.game.game import Game
from ktsim.game.players import Purposeful, Sampler, play
from ktsim.game.setup import Setup, new_game
from ktsim.rules.engine.events import Chosen, Told, VpScored
from ktsim.rules.engine.operative_events import ActionBegan, ActionCancelled, MarkerTokenSet
from ktsim.rules.engine.setting_up import copies, usual
from ktsim.rules.kt21.turn import Pass as OnePass
from ktsim.rules.kt24.edition import KT24
from ktsim.rules.kt24.ops.register import CRIT_OPS
from soak import battle_soak, soak, tally
from soak.invariants import Broken, Watch
from soak.tally import BATTLES, REFUSED, SECRETS, Counts, Tally, missed, missions_of, wanted

PACKS = [Setup(board="open", table="plain", mission=mission) for mission in missions_of(KT24)]
FEW = [replace(setup, handicap_red="-3", handicap_blue="-3") for setup in PACKS]
"""With some operatives fewer, where the same is played several times."""
MANY, MOST = 300, 900
SMALL = 2
"""Operatives a side, or twice as many: the course of a battle is the same, in a fraction of the time."""
NEEDS_SIGHT = ("tac op scored", "Track Enemy")
"""It is about enemies that could not target whom they do not see: on a plain table everybody sees everybody."""
TRACKING = (221, 163)
"""Battles in which somebody has that op."""


def test_three_hundred_random_battles_keep_every_invariant_and_exercise_everything() -> None:
    """On plain tables, on which nothing hides; scripts/soak plays thousands, with whole teams and real sight too.

    What has not come about in three hundred may do so in some more: a change of the rules changes all that follows by
    chance.
    """
    counts: Counts = Counter()
    left = [deed for deed in wanted() if deed != NEEDS_SIGHT]
    for number in range(MOST):
        counts.update(battle_soak.watched_battle(number, every=40, most=SMALL))
        if number + 1 >= MANY and not missed(counts, left):
            break
    print("\n".join(tally.table(counts)))
    assert counts[BATTLES] >= MANY
    assert counts[REFUSED] > 1000
    assert counts[SECRETS] > 100
    assert missed(counts, wanted()) == missed(Counter(), [NEEDS_SIGHT])


def test_a_battle_with_real_sight_shows_what_a_plain_table_cannot() -> None:
    counts: Counts = Counter()
    for number in TRACKING:
        counts.update(battle_soak.watched_battle(number, sight=1.0, every=10, most=SMALL))
        if counts[NEEDS_SIGHT]:
            break
    assert counts["table", "sight"] > 0
    assert counts["event", "Moved"] > 3
    assert counts[NEEDS_SIGHT] > 0


def test_some_battles_begin_crowded() -> None:
    """Those have no set-up; everything else about them is a whole battle's."""
    crowded = [number for number in range(60) if battle_soak.begins_crowded(number)]
    assert 5 < len(crowded) < 30
    assert all(battle_soak.has_openings(battle_soak.board_of(number)) for number in crowded)
    counts = battle_soak.watched_battle(crowded[0], every=40, most=SMALL)
    assert counts[BATTLES] == 1
    assert counts["event", "SetUp"] == 0
    assert counts["event", "Moved"] > 0


def test_a_number_alone_says_which_battle_it_is() -> None:
    one, again, other = (battle_soak.watched_battle(number, most=2) for number in (7, 7, 8))
    assert one == again != other


def test_everything_has_its_turn() -> None:
    """After as many battles as there are cards in a deck each has been dealt once."""
    cards = list("abcdefg")
    for start in (0, 7, 21):
        assert sorted(battle_soak.dealt("letters", number, cards) for number in range(start, start + 7)) == cards
    assert len({tuple(battle_soak.dealt("letters", 7 * r + n, cards) for n in range(7)) for r in range(5)}) > 1
    tables = [battle_soak.table_of(number, 0.2) for number in range(100)]
    assert tables.count("sight") == 20


def test_a_battle_that_fails_is_told_and_the_others_are_played(monkeypatch: pytest.MonkeyPatch) -> None:
    def breaks(number: int, sight: float, every: int) -> Counts:
        if number == 1:
            raise Broken("7: too far")
        return Counter({BATTLES: 1})

    monkeypatch.setattr(battle_soak, "watched_battle", breaks)
    outcomes = list(battle_soak.outcomes(range(3), 0.0, 1, 1))
    assert [bool(outcome.failure) for outcome in outcomes] == [False, True, False]
    assert "battle 1, Setup(" in outcomes[1].failure
    assert "7: too far" in outcomes[1].failure
    assert sum(outcome.counts[BATTLES] for outcome in outcomes) == 2


def test_counts_are_kept_in_a_file(tmp_path: Path) -> None:
    path = tmp_path / "counts.json"
    assert battle_soak.read_counts(path) == Counter()
    counts = Counter({("weapon rule, kt24", "{d} Devastating {x}"): 3, BATTLES: 2})
    battle_soak.write_counts(path, counts)
    assert battle_soak.read_counts(path) == counts


def test_new_things_are_wanted_by_themselves(monkeypatch: pytest.MonkeyPatch) -> None:
    class Whistle(OnePass):
        name, id = "Whistle", "KT24-WHISTLE"

    Whistle.__module__ = "ktsim.rules.teams.whistlers"
    monkeypatch.setitem(CRIT_OPS, "picnic", type("Picnic", (CRIT_OPS["loot"],), {"name": "Picnic"}))
    wanted.cache_clear()
    try:
        found = wanted()
    finally:
        wanted.cache_clear()
    assert ("action, kt24", "Whistle") in found
    assert ("crit op scored", "Picnic") in found
    Whistle.__module__ = "tests"  # not an action of the program any more


def test_a_cancelled_action_is_not_counted() -> None:
    game = new_game(replace(PACKS[0], crit_op="loot"))
    counted = Tally(game)
    who = next(iter(new_game(Setup(board="open", table="plain", mission="skirmish")).state.operatives.values()))
    game.state.operatives[who.id] = who
    counted.follow(ActionBegan(who.id, "Dash", 1, True))
    assert counted.counts["action, kt24", "Dash"] == 1
    counted.follow(ActionCancelled(who.id, "Dash", "no room", game.state))
    assert counted.counts["action, kt24", "Dash"] == 0


@pytest.mark.parametrize("setup", FEW)
@pytest.mark.parametrize("seed", range(2))
def test_undo_to_the_start_and_redo(setup: Setup, seed: int) -> None:
    assert soak.undo_and_redo(setup, seed) > 100


@pytest.mark.parametrize("setup", FEW)
@pytest.mark.parametrize("seed", range(3))
def test_save_load_and_continue(setup: Setup, seed: int, tmp_path: Path) -> None:
    soak.save_and_continue(setup, seed, tmp_path)


@pytest.mark.parametrize("setup", FEW)
@pytest.mark.parametrize("seed", range(6))
def test_swapping_the_players_commutes_with_the_rules(setup: Setup, seed: int) -> None:
    assert soak.swapped_sides(setup, seed, battle_soak.Seat(seed)) > 100


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


def watched(answers: dict[str, dict[Any, Any]], setup: Setup = PACKS[0]) -> None:
    """A random battle under watch, some answers given by topic and seat."""
    game, sampler = new_game(setup), Sampler(5)
    watch = Watch(game)
    while game.pending is not None:
        given = answers.get(game.pending.topic, {}).get(game.pending.seat)
        game.submit(sampler.answer(game.pending, game) if given is None else given)
        watch.check()


def test_an_option_that_gives_the_op_away_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    from ktsim.rules.kt24.ops.op import OpAction

    monkeypatch.setattr(OpAction, "is_secret", lambda self, battle, who: False)
    with pytest.raises(Broken, match="secret: an option names red's tac op"):
        watched({"tac op": {"red": "retrieval", "blue": "rout"}})


def test_a_choice_told_too_early_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    from ktsim.rules.kt24.packs import set_up

    def talks(battle: Any, side: Any) -> Any:
        picked = yield from original(battle, side)
        yield Told(f"Somebody takes {taken}.")
        return picked

    original = set_up._operatives
    monkeypatch.setattr(set_up, "_operatives", talks)
    teams = new_game(FEW[0]).battle.teams
    assert all(len(copies(team)) > team.size for team in teams.values()), "nothing to choose: nothing is asked"
    rosters = {side: usual(team) for side, team in teams.items()}
    taken = next(option.text for option in copies(teams["red"]) if option.key in rosters["red"])
    red = dict.fromkeys(("red", "blue"), "red")
    with pytest.raises(Broken, match="is told before the other has chosen"):
        watched({"initiative": red, "operatives": rosters}, FEW[0])


def test_idleness_is_noticed() -> None:
    assert len(missed(Counter(), wanted())) == len(wanted()) > 250
    done = Counter(dict.fromkeys(wanted(), 1))
    assert missed(done, wanted()) == []
    assert missed(done - Counter([wanted()[3]]), wanted()) == [f"{wanted()[3][0]}: {wanted()[3][1]} never came about"]
