"""Random games as a test: invariants after every answer, undo and redo, save and load, the sides swapped."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

from ktsim.game.game import Game, IllegalAnswer
from ktsim.game.journal import JournalEntry
from ktsim.game.players import Player, Sampler
from ktsim.game.record import header_of, load, save
from ktsim.game.setup import Setup, new_game, prepare
from ktsim.rules.engine.battle import Battle
from ktsim.rules.engine.state import State, other
from ktsim.rules.kt21.edition import KT21
from ktsim.rules.kt21.set_up import EDGES
from ktsim.rules.kt24.edition import KT24
from soak.invariants import Broken, Watch, check_refusals
from soak.tally import (
    ACTIVATION,
    BATTLES,
    DECISIONS,
    EVENT,
    REFUSED,
    RULE,
    Counts,
    Deed,
    action_section,
    weapon_rule_section,
)


def _each(section: str, least: float, *names: str) -> dict[Deed, float]:
    return {(section, name): least for name in names}


_ACTION_24, _ACTION_21 = map(action_section, (KT24, KT21))
FLOORS: dict[str, dict[Deed, float]] = {
    "kt24": {
        **_each(_ACTION_24, 0.5, "Reposition", "Dash", "Shoot"),
        **_each(EVENT, 0.5, "Moved", "Wounded", "Incapacitated", "Removed"),
        **_each(EVENT, 0.2, "ActionCancelled", "ControlChanged", "VpScored"),
        **_each(_ACTION_24, 0.2, "Charge"),
        **_each(ACTIVATION, 0.2, "counteraction"),
        **_each(_ACTION_24, 0.05, "Fight"),
        **_each(RULE, 0.05, "KT24-REROLL", "KT24-BLOCK"),
        **_each(weapon_rule_section(KT24), 0.05, "Blast {d}", "Torrent {d}", "Hot"),
        **_each(_ACTION_24, 0.01, "Fall Back", "Pick Up Marker", "Place Marker"),
        **_each(RULE, 0.01, "KT24-ASSIST", "KT24-DAMAGE"),
    },
    "kt21-lite": {
        **_each(_ACTION_21, 0.5, "Normal Move", "Dash", "Shoot", "Pass"),
        **_each(EVENT, 0.5, "Moved", "Wounded", "Incapacitated", "Removed"),
        **_each(EVENT, 0.1, "Overwatched", "ControlChanged", "VpScored"),
        **_each(_ACTION_21, 0.1, "Charge"),
        **_each(_ACTION_21, 0.05, "Fight"),
        **_each(EVENT, 0.05, "PloyUsed"),
        **_each(RULE, 0.05, "KT21-SHOOT"),
        **_each(_ACTION_21, 0.01, "Fall Back"),
        **_each(RULE, 0.01, "KT21-INJURED"),
    },
}
"""How often each deed must have come about at least per game of an edition: no run passes by doing nothing."""

MOST_ANSWERS = 50_000
"""A bound no game comes near: one that reaches it is stuck."""


def missed_floors(counts: Counts, edition: str = "kt24") -> list[str]:
    """What did not happen often enough."""
    games = counts[BATTLES]
    return [
        f"{section}: {name}: {counts[section, name]} in {games} games, at least {least * games:g} wanted"
        for (section, name), least in FLOORS[edition].items()
        if counts[section, name] < least * games
    ]


def watched_game(
    setup: Setup,
    seed: int | str,
    player: Player | None = None,
    start: Callable[[Battle, State, Random], None] | None = None,
    every: int = 1,
) -> Counts:
    """Play one game, at random unless *player* answers, with every invariant checked; what it exercised.

    *start* may change how it begins. Where everybody stands is looked at after each *every*-th move.
    """
    battle, state = prepare(setup)
    rng = Random(seed)
    if start is not None:
        start(battle, state, rng)
    game = Game(battle, state)
    player = player or Sampler(seed)
    watch = Watch(game, every, rng.randrange(every))
    counts = watch.tally.counts
    while game.pending is not None:
        if len(game.answers) >= MOST_ANSWERS:
            raise Broken(f"11: stuck: {len(game.answers)} answers and no end; now {game.pending.prompt}")
        if rng.random() < 0.05:
            counts[REFUSED] += check_refusals(game)
        answer = player.answer(game.pending, game)
        before = game.digest() if rng.random() < 0.02 else ""
        if before:
            _ask_around(game)
            if game.digest() != before:
                raise Broken("16: asking changed the state")
        try:
            game.submit(answer)
        except IllegalAnswer as refused:
            raise Broken(f"10: sample gave {answer!r}, which check refuses: {refused}") from None
        watch.check()
    counts[DECISIONS] += len(game.answers)
    counts[BATTLES] += 1
    return counts


def _ask_around(game: Game) -> None:
    """Questions the window and bots ask."""
    battle, state = game.battle, game.state
    for who in state.operatives.values():
        battle.apl(who), battle.move(who), battle.save(who), battle.name(who.id)
        if who.is_in_killzone:
            battle.engaged_with(who)
    for marker in state.markers.values():
        battle.controller(marker)


def undo_and_redo(setup: Setup, seed: int | str) -> int:
    """13, 14: undo a random game answer by answer to its start and redo it; the hashes agree at every step."""
    game, rng = new_game(setup), Random(seed)
    digests = [game.digest()]
    while game.pending is not None:
        game.submit(game.pending.sample(rng))
        digests.append(game.digest())
    answers = list(game.answers)
    for count in range(len(answers) - 1, -1, -1):
        game.rewind(count)
        if game.digest() != digests[count]:
            raise Broken(f"14: after undoing to answer {count} the hash differs")
    for count, answer in enumerate(answers, 1):
        game.submit(answer)
        if game.digest() != digests[count]:
            raise Broken(f"13: after redoing answer {count} the hash differs")
    return len(answers)


def save_and_continue(setup: Setup, seed: int | str, folder: Path) -> None:
    """15: save in the middle, load, save: the same bytes; and both games go on the same."""
    battle, state = prepare(setup)
    start, game, rng = state.copy(), Game(battle, state), Random(seed)
    entries: list[JournalEntry] = []
    for _ in range(rng.randint(20, 250)):
        if game.pending is None:
            break
        answer = game.pending.sample(rng)
        game.submit(answer)
        entries.append(JournalEntry(game.digest(), answer=answer))
    one, two = folder / "one.ktsim", folder / "two.ktsim"
    save(one, entries, header_of(game, setup, start))
    loaded = load(one)
    save(two, list(loaded.recorded.entries), loaded.recorded.header)
    if one.read_bytes() != two.read_bytes():
        raise Broken("15: saved, loaded and saved, the files differ")
    mine, theirs = Random(f"{seed}/on"), Random(f"{seed}/on")
    while game.pending is not None and loaded.game.pending is not None:
        game.submit(game.pending.sample(mine))
        loaded.game.submit(loaded.game.pending.sample(theirs))
        if game.digest() != loaded.game.digest():
            raise Broken("15: the loaded game goes on differently")


# -- the sides swapped -------------------------------------------------------------------------------


LOPSIDED = "light-barricades"
"""The equipment whose pieces do not look the same after half a turn: their sandbags lie as they fell."""


def swapped_sides(setup: Setup, seed: int | str, player: Player | None = None) -> int:
    """18: with the teams swapped and everything turned half around, the same answers lead to the same game.

    The board must look the same after half a turn. The answers are random unless *player* gives them.
    """
    player = player or Sampler(seed)
    game = new_game(setup)
    swapped = replace(
        setup, red=setup.blue, blue=setup.red, handicap_red=setup.handicap_blue, handicap_blue=setup.handicap_red
    )
    mirror = new_game(swapped)
    board = game.battle.board.terrain.board
    while game.pending is not None:
        if game.pending.topic == "roll-off":
            # Red rolls first in both games, so the two dice change places.
            dice = []
            for _ in range(2):
                dice.append(player.answer(game.pending, game))
                game.submit(dice[-1])
                assert game.pending is not None
            for each in reversed(dice):
                mirror.submit(each)
        else:
            answer = player.answer(game.pending, game)
            if game.pending.topic == "equipment":
                answer = tuple(key for key in answer if key != LOPSIDED)
            game.submit(answer)
            mirror.submit(turned(answer, board))
        if swapped_state(game.state, board).digest() != ordered(mirror.state).digest():
            raise Broken(f"18: after answer {len(game.answers)} the swapped game differs")
    return len(game.answers)


def turned(answer: Any, board: tuple[float, float]) -> Any:
    """The answer in the swapped game: names swapped, places turned half around."""
    if isinstance(answer, str):
        return swapped_name(answer)
    if isinstance(answer, tuple) and len(answer) == 3 and max(map(_size, answer)) > 6:
        return (round(1000 * board[0]) - answer[0], round(1000 * board[1]) - answer[1], answer[2])
    if isinstance(answer, tuple):
        return tuple(turned(each, board) for each in answer)
    return answer


def _size(value: Any) -> int:
    return abs(value) if isinstance(value, int) else 0


SWAPS = {"red": "blue", "Red": "Blue", "objective-2": "objective-3"}
SWAPS |= {there: here for here, there in SWAPS.items()}
_SWAPPED = re.compile(rf"\b({'|'.join(SWAPS)})\b")


def swapped_name(text: str) -> str:
    if text in EDGES:
        return EDGES[text]
    return _SWAPPED.sub(lambda found: SWAPS[found[0]], text)


def swapped_state(state: State, board: tuple[float, float]) -> State:
    """The state with the sides swapped and turned half around; markers are known by where they are."""

    def side(name: str | None) -> Any:
        return None if name is None else swapped_name(name)

    twin = state.copy()
    width, depth = round(1000 * board[0]), round(1000 * board[1])
    for marker in twin.markers.values():
        marker.x, marker.y = width - marker.x, depth - marker.y
    for who in twin.operatives.values():
        if who.is_set_up:
            who.x, who.y = width - who.x, depth - who.y
        who.id, who.side, who.card = swapped_name(who.id), side(who.side), swapped_name(who.card)
        who.wounded_by, who.tokens = swapped_name(who.wounded_by), swapped_keys(who.tokens)
    turned_pieces = [
        replace(each, id=swapped_name(each.id), side=other(each.side), x=width - each.x, y=depth - each.y)
        for each in twin.pieces.values()
    ]
    twin.pieces = {each.id: each for each in turned_pieces}
    twin.smoke = [each._replace(x=width - each.x, y=depth - each.y) for each in twin.smoke]
    for marker in twin.markers.values():
        marker.carrier, marker.controller, marker.owner = map(side, (marker.carrier, marker.controller, marker.owner))
        marker.tokens = swapped_keys(marker.tokens)
    twin.notes = swapped_keys(twin.notes)
    data = twin.to_json()
    for name in ("initiative", "turn", "winner"):
        data[name] = side(data[name])
    for name in ("cp", "vp"):
        data[name] = {"red": data[name]["blue"], "blue": data[name]["red"]}
    data["ploys_used"] = [swapped_name(text) for text in data["ploys_used"]]
    data["sheet"] = [line._replace(side=other(line.side), reason=swapped_name(line.reason)) for line in twin.sheet]
    data["choices"] = {swapped_name(key): swapped_name(value) for key, value in data["choices"].items()}
    for effect in data["effects"]:
        effect["target"], effect["side"] = side(effect["target"]), side(effect["side"])
        effect |= {name: swapped_name(effect[name]) for name in ("clause", "by", "foe") if name in effect}
        effect["picked"] = tuple(map(swapped_name, effect.get("picked", ())))
    if data["activation"] is not None:
        data["activation"]["operative"] = swapped_name(data["activation"]["operative"])
        data["activation"]["interrupts"] = [swapped_name(id) for id in data["activation"]["interrupts"]]
    if data["reaching"] is not None:
        data["reaching"] = tuple(map(swapped_name, data["reaching"]))
    return ordered(State.from_json(data))


def swapped_keys(counts: dict[str, int]) -> dict[str, int]:
    return {swapped_name(key): count for key, count in counts.items()}


def ordered(state: State) -> State:
    """The state with operatives in the order of their ids and markers by place, not by name."""
    twin = state.copy()
    twin.operatives = {who.id: who for who in sorted(twin.operatives.values(), key=lambda who: who.id)}
    places = sorted(twin.markers.values(), key=lambda m: (m.kind, m.x, m.y, m.carrier or "", m.owner or ""))
    for number, marker in enumerate(places):
        marker.id = str(number)
    twin.markers = {marker.id: marker for marker in places}
    twin.pieces = dict(sorted(twin.pieces.items()))
    twin.sheet.sort()
    return twin
