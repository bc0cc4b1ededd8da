"""Random games as a test: invariants after every answer, undo and redo, save and load, the sides swapped."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from random import Random
from typing import Any, Literal

from ktsim.game.game import Game
from ktsim.game.invariants import Broken, Watch, check_refusals
from ktsim.game.journal import Entry
from ktsim.game.players import Player, Purposeful, Sampler
from ktsim.game.record import header_of, load, save
from ktsim.game.setup import Setup, prepare
from ktsim.rules.battle import Battle
from ktsim.rules.decisions import Decision, Pick, other
from ktsim.rules.editions import KT24
from ktsim.rules.kt21.set_up import EDGES
from ktsim.rules.ops.kill import KillOp
from ktsim.rules.ops.register import CRIT_OPS, TAC_OPS
from ktsim.rules.state import State
from ktsim.rules.team_file import ARCHETYPES, find_team, team_files

FLOORS = {
    "kt24": {
        **dict.fromkeys(("Reposition", "Dash", "Shoot", "Moved", "Wounded", "Incapacitated", "Removed"), 0.5),
        **dict.fromkeys(("Charge", "counteraction", "ActionCancelled", "ControlChanged", "VpScored"), 0.2),
        **dict.fromkeys(("Fight", "KT24-REROLL", "KT24-BLOCK", "KT24-W-BLAST", "KT24-W-TORRENT", "KT24-W-HOT"), 0.05),
        **dict.fromkeys(("Fall Back", "Pick Up Marker", "Place Marker", "KT24-ASSIST", "KT24-DAMAGE"), 0.01),
    },
    "kt21-lite": {
        **dict.fromkeys(("Normal Move", "Dash", "Shoot", "Pass", "Moved", "Wounded", "Incapacitated", "Removed"), 0.5),
        **dict.fromkeys(("Charge", "Overwatched", "ControlChanged", "VpScored"), 0.1),
        **dict.fromkeys(("Fight", "PloyUsed", "KT21-SHOOT"), 0.05),
        **dict.fromkeys(("Fall Back", "KT21-INJURED"), 0.01),
    },
}
"""How often each thing must have happened at least per game of an edition: no run passes by doing nothing."""


MISSION_ACTIONS = (
    *("Secure", "Loot", "Transmit", "Move Orb", "Pick Up Energy Cell", "Download", "Compile", "Send", "Reboot"),
    *("Scout", "Retrieve", "Plant Device", "Plant Banner", "Clear"),
)


def new_game(setup: Setup) -> Game:
    battle, state = prepare(setup)
    return Game(battle, state)


EQUIPMENT_USED = (
    *("ammo cache", "comms device", "mines", "heavy-barricade", "light-barricade", "ladder", "razor-wire"),
    *("portable-barricade", "Ammo Resupply", "KT24-E-AMMO-CACHE", "KT24-E-MINES", "Move with Barricade"),
    *("Smoke Grenade", "Stun Grenade", "SmokeThins", "KT24-E-EXPLOSIVE-GRENADES", "KT24-E-PORTABLE-BARRICADE"),
)
KILLZONE_USED = (
    *("Operate Hatch", "in a move", "Displaced", "Hatchway Fight", "Door Fight", "Guard", "GuardInterrupted"),
    *("Point-blank Shot", "KZ-CONDENSED", "KZ-VOLKUS-CONDENSED", "KZ-VOLKUS-GARRISON"),
)
"""What must have come about in games with equipment on killzones that bring actions of their own."""


def missed(counts: Counter[str], wanted: Sequence[str]) -> list[str]:
    """Which of the things *wanted* never came about."""
    return [f"{name}: never in {counts['games']} games" for name in wanted if not counts[name]]


class InTurn(Purposeful):
    """Purposeful play that takes the tac ops meant for battle *number* wherever they are on offer."""

    def __init__(self, seed: int | str, number: int) -> None:
        super().__init__(seed)
        self._ops = tac_ops_for(number)

    def answer(self, decision: Decision[Any], game: Game) -> Any:
        if isinstance(decision, Pick) and decision.topic == "tac op":
            wanted = self._ops[decision.seat == "blue"]
            if wanted in decision.open_keys:
                return wanted
        return super().answer(decision, game)


PACKS = ("approved-ops-2024", "approved-ops-2025")


def tac_ops_for(number: int) -> tuple[str, str]:
    """The tac ops of red and blue in battle *number*: all in turn, and in ever other pairs."""
    keys = tuple(TAC_OPS)
    return keys[number % len(keys)], keys[(number + number // len(keys) + 1) % len(keys)]


@lru_cache(maxsize=1)
def _teams_by_archetype() -> dict[str, list[str]]:
    teams = {name: find_team(name, KT24.weapon_rules) for name in team_files()}
    return {
        archetype: [name for name, team in teams.items() if archetype in team.archetypes] for archetype in ARCHETYPES
    }


def battle_setup(number: int, board: str, table: Literal["sight", "plain"]) -> Setup:
    """The setup of whole battle *number*: packs, crit ops and tac ops in turn, with teams that may choose them."""
    crit_ops = tuple(CRIT_OPS)
    able = [_teams_by_archetype()[TAC_OPS[op].archetype] for op in tac_ops_for(number)]
    red, blue = (teams[(number // len(TAC_OPS) + turn) % len(teams)] for turn, teams in enumerate(able))
    mission, crit_op = PACKS[number % len(PACKS)], crit_ops[number // len(PACKS) % len(crit_ops)]
    return Setup(board=board, table=table, mission=mission, crit_op=crit_op, red=red, blue=blue)


def watched_battle(number: int, board: str, table: Literal["sight", "plain"]) -> Counter[str]:
    """A whole battle by a mission pack with every invariant checked; one in five is played quite at random."""
    setup, seed = battle_setup(number, board, table), f"battle {number}"
    return watched_game(setup, seed, Sampler(seed) if number % 5 == 4 else InTurn(seed, number))


def watched_game(
    setup: Setup,
    seed: int | str,
    player: Player | None = None,
    start: Callable[[Battle, State, Random], None] | None = None,
) -> Counter[str]:
    """Play one game, at random unless *player* answers, with every invariant checked; what it exercised.

    *start* may change how it begins.
    """
    battle, state = prepare(setup)
    rng = Random(seed)
    if start is not None:
        start(battle, state, rng)
    game = Game(battle, state)
    player = player or Sampler(seed)
    watch = Watch(game)
    while game.pending is not None:
        if rng.random() < 0.05:
            watch.counts["refused"] += check_refusals(game)
        answer = player.answer(game.pending, game)
        if (reason := game.pending.check(answer)) is not None:
            raise Broken(f"10: sample gave {answer!r}, which check refuses: {reason}")
        before = game.digest() if rng.random() < 0.02 else ""
        if before:
            _ask_around(game)
            if game.digest() != before:
                raise Broken("16: asking changed the state")
        game.submit(answer)
        watch.check()
    watch.counts["decisions"] += len(game.answers)
    watch.counts["games"] += 1
    return watch.counts


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
    entries: list[Entry] = []
    for _ in range(rng.randint(20, 250)):
        if game.pending is None:
            break
        answer = game.pending.sample(rng)
        game.submit(answer)
        entries.append(Entry(game.digest(), answer=answer))
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


def swapped_sides(setup: Setup, seed: int | str, player: Player | None = None) -> int:
    """18: with the teams swapped and everything turned half around, the same answers lead to the same game.

    The board must look the same after half a turn. The answers are random unless *player* gives them.
    """
    player = player or Sampler(seed)
    game = new_game(setup)
    mirror = new_game(Setup(**{**setup.to_json(), "red": setup.blue, "blue": setup.red}))
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


def missed_in_battles(counts: Counter[str]) -> list[str]:
    """Which ops and their actions never came about in whole battles."""
    wanted = [KillOp.id, *(op.id for op in (*CRIT_OPS.values(), *TAC_OPS.values())), *MISSION_ACTIONS]
    wanted += ["KT24-SCOUT", "KT24-INIT", "KT24-SCORE", "secrets", *(f"{key} drawn" for key in CRIT_OPS)]
    return [f"{name}: never in {counts['games']} battles" for name in wanted if not counts[name]]


def missed_floors(counts: Counter[str], edition: str = "kt24") -> list[str]:
    """What did not happen often enough."""
    games = counts["games"]
    return [
        f"{name}: {counts[name]} in {games} games, at least {least * games:g} wanted"
        for name, least in FLOORS[edition].items()
        if counts[name] < least * games
    ]
