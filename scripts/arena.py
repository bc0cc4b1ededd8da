"""A round robin of bots: ``scripts/arena commander tactician:hard --pairs 40 --out FILE [--jobs 2]``.

A bot is named with its level, ``tactician:hard``. Every two play pairs of games: the same board, teams and dice,
sides swapped. Boards and teams (mirror and cross) take turns, so that a match that is broken off is balanced. Games are
kept in FILE, one JSON line each; what is there is not played again. Seeds for tuning (``--seeds tune``) are none of
those for reporting (``--seeds report``).

Printed are wins, draws and the share of points with its Wilson interval (95 %), VP, Elo, and per activation what each
bot did that nobody should (``Blunders``), and the CPU seconds of its answers.
"""

from __future__ import annotations

import argparse
import json
import math
import os
from collections import defaultdict
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass
from itertools import combinations, product
from pathlib import Path
from statistics import mean, median, stdev
from time import monotonic, process_time
from typing import Any, NamedTuple

from arena_blunders import Blunders

from ktsim.game.bots import BOTS
from ktsim.game.players import Player, Sampler
from ktsim.game.setup import Setup, new_game
from ktsim.rules.engine.state import SIDES, Side, other

KINDS = ("volkus", "gallowdark", "bheta-decima", "tomb-world")
BOARDS = ("training-ground", *(f"{kind}-{number}" for number in (1, 2, 3) for kind in KINDS))
TEAMS = ("lantern-wardens", "keelwrights", "gravel-jackals", "brine-throng", "rookwing-salvors", "hollow-orchard")
BESIDE, AGAIN = 5, 7
"""How many matches of teams further the next board is, and the same board the next time: so that all meet."""
Z = 1.96
PLANNING = 0.05
"""CPU seconds from which an answer counts as thought about: most questions are answered at once."""


@dataclass(frozen=True)
class Fixture:
    """One game to be played; *first* is the side of the first bot."""

    one: str
    two: str
    board: str
    red: str
    blue: str
    seed: str
    first: Side

    @property
    def key(self) -> str:
        return json.dumps(asdict(self), sort_keys=True)


class Tally(NamedTuple):
    """What one bot brought home from games against another: its points are wins and half the draws."""

    games: int
    wins: int
    draws: int
    diffs: list[int]

    @property
    def points(self) -> float:
        return self.wins + self.draws / 2

    @property
    def share(self) -> float:
        return self.points / self.games

    @property
    def interval(self) -> tuple[float, float]:
        return wilson(self.points, self.games)


def wilson(points: float, games: int) -> tuple[float, float]:
    """The Wilson interval of a share (95 %)."""
    share, z = points / games, Z * Z / games
    middle = (share + z / 2) / (1 + z)
    half = Z / (1 + z) * math.sqrt(share * (1 - share) / games + Z * Z / (4 * games * games))
    return max(0.0, middle - half), min(1.0, middle + half)


def made(name: str, seed: str) -> Player:
    kind, _, level = name.partition(":")
    return BOTS[kind](seed, level)


def fixtures(args: argparse.Namespace) -> Iterator[Fixture]:
    """Every game in the order it is played: pairs of the same seed, boards first, then teams."""
    size = len(args.teams)  # mirror and cross turn by turn: the diagonals of the square of teams
    matches = [(args.teams[i], args.teams[(i + far) % size]) for far, i in product(range(size), repeat=2)]
    for number in range(args.first, args.first + args.pairs):
        turn, at = divmod(number, len(args.boards))
        red, blue = matches[(BESIDE * at + AGAIN * turn) % len(matches)]
        board = args.boards[at]
        for one, two in combinations(args.bots, 2):
            for first in SIDES:
                yield Fixture(one, two, board, red, blue, f"{args.seeds}/{number}", first)


def played(fixture: Fixture) -> dict[str, Any]:
    """Play it; what became of it as plain data."""
    game = new_game(Setup(board=fixture.board, red=fixture.red, blue=fixture.blue))
    names = {fixture.first: fixture.one, other(fixture.first): fixture.two}
    players: dict[str, Player] = {"chance": Sampler(f"{fixture.seed}/chance")}
    players |= {side: made(names[side], f"{fixture.seed}/{side}") for side in SIDES}
    spent: dict[str, list[float]] = {side: [] for side in SIDES}
    blunders = Blunders(game)
    while (asked := game.pending) is not None:
        begun = process_time()
        answer = players[asked.seat].answer(asked, game)
        if asked.seat != "chance":
            spent[asked.seat].append(process_time() - begun)
        blunders.before(asked, answer)
        events = game.submit(answer)
        blunders.after(events)
    vp, first = game.state.vp, fixture.first
    told: dict[str, Any] = asdict(fixture) | {
        "winner": "draw" if game.outcome == "draw" else "one" if game.outcome == first else "two",
        "vp": [vp[first], vp[other(first)]],
        "hash": game.digest(),
    }
    for name, side in (("one", first), ("two", other(first))):
        times = spent[side]
        thought = [each for each in times if each > PLANNING]
        ops: dict[str, int] = defaultdict(int)
        for line in game.state.sheet:
            if line.side == side:
                ops[line.op] += line.amount
        told[f"{name} did"] = {
            "ops": dict(ops),
            "tac op": game.state.choices.get(f"{side}:tac op", ""),
            "cpu": round(sum(times), 2),
            "answers": len(times),
            "median": round(median(times), 4),
            "thought": round(median(thought), 3) if thought else 0.0,
            "slowest": round(max(times), 2),
            "lost": sum(o.is_incapacitated for o in game.state.operatives.values() if o.side == side),
            "blunders": blunders.found(side),
        }
    return told


def play_all(args: argparse.Namespace, out: Path) -> list[dict[str, Any]]:
    """What is kept in *out* and what is still to be played, until the time is up."""
    wanted = {fixture.key: fixture for fixture in fixtures(args)}
    kept = [json.loads(line) for line in out.read_text().splitlines()] if out.exists() else []
    known = {Fixture(**{name: each[name] for name in Fixture.__annotations__}).key: each for each in kept}
    left = [fixture for key, fixture in wanted.items() if key not in known]
    until = monotonic() + args.seconds
    with out.open("a") as file:

        def keep(fixture: Fixture, found: dict[str, Any]) -> None:
            known[fixture.key] = found
            file.write(json.dumps(found) + "\n")
            file.flush()
            vp = "{}:{}".format(*found["vp"])
            print(f"{fixture.seed} {fixture.board} {fixture.one} ({fixture.first}) {vp} {found['winner']}", flush=True)

        if args.jobs == 1:
            for fixture in left:
                if monotonic() > until:
                    break
                keep(fixture, played(fixture))
        else:
            with ProcessPoolExecutor(args.jobs) as pool:
                for at in range(0, len(left), args.jobs):
                    if monotonic() > until:
                        break
                    some = left[at : at + args.jobs]
                    for fixture, found in zip(some, pool.map(played, some), strict=True):
                        keep(fixture, found)
    return [known[key] for key in wanted if key in known]


# -- the table ---------------------------------------------------------------------------------------


def tally(games: list[dict[str, Any]]) -> Tally:
    diffs = [game["vp"][0] - game["vp"][1] for game in games]
    won = sum(game["winner"] == "one" for game in games)
    return Tally(len(games), won, sum(game["winner"] == "draw" for game in games), diffs)


def report(games: list[dict[str, Any]], bots: list[str]) -> None:
    by_match: dict[tuple[str, str], list[dict[str, Any]]] = defaultdict(list)
    for game in games:
        by_match[game["one"], game["two"]].append(game)
    for (one, two), found in by_match.items():
        _match(one, two, found)
    if len(bots) > 2:
        print("\nElo (the last is 0):", ", ".join(f"{name} {each:+.0f}" for name, each in elo(by_match, bots).items()))
    print("\nA bot's blunders per 100 activations, VP by op a game, CPU seconds:")
    for bot in bots:
        mine = [game[f"{name} did"] for game in games for name in ("one", "two") if game[name] == bot]
        if mine:
            _habits(bot, mine)


def _match(one: str, two: str, games: list[dict[str, Any]]) -> None:
    whole = tally(games)
    low, high = whole.interval
    lost = whole.games - whole.wins - whole.draws
    spread = stdev(whole.diffs) / math.sqrt(whole.games) * Z if whole.games > 1 else 0.0
    print(f"\n{one} - {two}: {whole.games} games, {whole.wins} won, {whole.draws} drawn, {lost} lost", end="")
    print(f": {whole.share:.0%} [{low:.0%}, {high:.0%}], VP {mean(whole.diffs):+.1f} +-{spread:.1f}")
    for what in ("board", "team"):
        parts: dict[str, list[dict[str, Any]]] = defaultdict(list)
        for game in games:
            team = game["red"] if game["first"] == "red" else game["blue"]
            parts[game["board"] if what == "board" else team].append(game)
        for name, some in sorted(parts.items()):
            part = tally(some)
            print(f"  {name:<18}{part.games:>4} games {part.share:>5.0%}  VP {mean(part.diffs):+.1f}")


def _habits(bot: str, mine: list[dict[str, Any]]) -> None:
    turns = sum(each["blunders"]["activations"] for each in mine)
    names = [name for name in mine[0]["blunders"] if name != "activations"]
    counts = {name: 100 * sum(each["blunders"][name] for each in mine) / max(1, turns) for name in names}
    ops = {op: mean(each["ops"].get(op, 0) for each in mine) for op in ("crit", "kill", "tac", "primary")}
    print(f"  {bot}: " + ", ".join(f"{name} {each:.1f}" for name, each in counts.items()))
    print("    VP " + ", ".join(f"{op} {each:.2f}" for op, each in ops.items()), end="; ")
    slow = max(each["slowest"] for each in mine)
    cpu, thought = mean(each["cpu"] for each in mine), median(each["thought"] for each in mine)
    print(f"CPU {cpu:.1f} a game, median {median(e['median'] for e in mine):.3f}", end="")
    print(f" ({thought:.2f} where it thinks), slowest {slow:.1f}")


def elo(by_match: dict[tuple[str, str], list[dict[str, Any]]], bots: list[str]) -> dict[str, float]:
    """Ratings that fit the points best, a draw against everybody added so that nobody's is infinite."""
    rating = dict.fromkeys(bots, 0.0)
    for _ in range(2000):
        for bot in bots:
            scored = expected = 0.0
            for (one, two), games in by_match.items():
                if bot not in (one, two) or not games:
                    continue
                found = tally(games)
                rival, points = (two, found.points) if bot == one else (one, found.games - found.points)
                scored += points + 0.5
                expected += (found.games + 1) / (1 + 10 ** ((rating[rival] - rating[bot]) / 400))
            rating[bot] += 20 * (scored - expected) / max(1.0, expected)
    return {bot: each - rating[bots[-1]] for bot, each in rating.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description="A round robin of bots.")
    parser.add_argument("bots", nargs="+", metavar="BOT[:LEVEL]")
    parser.add_argument("--pairs", type=int, default=20, help="pairs of games for every two bots")
    parser.add_argument("--first", type=int, default=0, help="the number of the first pair")
    parser.add_argument("--boards", nargs="+", default=BOARDS)
    parser.add_argument("--teams", nargs="+", default=TEAMS)
    parser.add_argument("--seeds", default="tune", choices=("tune", "report"))
    parser.add_argument("--out", default="arena.jsonl", help="where games are kept")
    parser.add_argument("--jobs", type=int, default=1, choices=range(1, (os.cpu_count() or 1) + 1))
    parser.add_argument("--seconds", type=float, default=math.inf, help="begin no game after so long")
    args = parser.parse_args()
    for name in args.bots:
        if name.partition(":")[0] not in BOTS:
            parser.error(f"no such bot {name!r}; there are {', '.join(BOTS)}")
    report(play_all(args, Path(args.out)), args.bots)


if __name__ == "__main__":
    main()
