"""Weights of the commander, searched by play: ``scripts/train --out FILE [--seconds 600] [--pairs 6]``.

A hill climb in slices. Each round some weights of the best so far are multiplied by up to a half more or less, and the
challenger plays the champion in pairs of games, sides swapped, on seeds for tuning that no round shares. It takes over
when it is ahead by more VP a pair than chance would have it (one standard error). Every round is a JSON line in FILE:
who challenged, by what, with what result; a search that was broken off goes on from there. ``--write`` puts the best
into ``assets/bots/commander.yaml``; report a match of old against new on seeds for reporting with it.
"""

from __future__ import annotations

import argparse
import json
import math
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from random import Random
from statistics import mean, stdev
from time import monotonic
from typing import Any

from arena import BOARDS, TEAMS

from ktsim import paths
from ktsim.game.bots.commander import Commander
from ktsim.game.bots.weights import Weights, weights_of
from ktsim.game.players import Blindfolded, Player, Sampler, play
from ktsim.game.setup import Setup, new_game
from ktsim.rules.engine.state import SIDES, Side, other

CHANGED = 3
"""How many weights a challenger changes."""
MOST = 0.5
"""The greatest change, as a share."""


def challenger(champion: Weights, rng: Random) -> dict[str, float]:
    """The factors by which a challenger differs."""
    names = rng.sample(sorted(asdict(champion)), CHANGED)
    return {name: round(math.exp(rng.uniform(-MOST, MOST)), 2) for name in names}


def difference(one: Weights, two: Weights, number: str, board: str, teams: tuple[str, str], level: str) -> int:
    """VP of the first less the second's over a pair of games, sides swapped."""
    total = 0
    for first in SIDES:
        game = new_game(Setup(board=board, red=teams[0], blue=teams[1]))
        sides: Mapping[Side, Weights] = {first: one, other(first): two}
        players: dict[str, Player] = {"chance": Sampler(f"{number}/chance")}
        for side, weights in sides.items():
            players[side] = Blindfolded(Commander(f"{number}/{side}", level, None, weights))
        play(game, players)
        total += game.state.vp[first] - game.state.vp[other(first)]
    return total


def round_of(number: int, champion: Weights, args: argparse.Namespace) -> dict[str, Any]:
    rng = Random(f"train/{number}")
    factors = challenger(champion, rng)
    rival, diffs = champion.times(factors), []
    for pair in range(args.pairs):
        teams = (rng.choice(args.teams), rng.choice(args.teams))
        board = args.boards[(number + pair) % len(args.boards)]
        diffs.append(difference(rival, champion, f"tune/train/{number}/{pair}", board, teams, args.level))
    error = stdev(diffs) / math.sqrt(len(diffs)) if len(diffs) > 1 else math.inf
    wins = mean(diffs) > error
    return {"round": number, "factors": factors, "diffs": diffs, "takes over": wins, "weights": asdict(rival)}


def champion_of(rounds: list[dict[str, Any]]) -> Weights:
    """The last challenger that took over, or what is in use."""
    won = [each for each in rounds if each["takes over"]]
    return Weights(**won[-1]["weights"]) if won else weights_of()


def write(weights: Weights, rounds: int) -> None:
    """Into the file in use; its comments and styles stay, and it is said how the weights were found."""
    path = paths.assets() / "bots" / "commander.yaml"
    lines = path.read_text(encoding="utf-8").splitlines()
    values = asdict(weights)
    for at, line in enumerate(lines):
        name = line.strip().partition(":")[0]
        if line.startswith("  ") and name in values and "{" not in line:
            lines[at] = f"  {name}: {values[name]:.3g}"
    lines[1] = f"# Found by {rounds} rounds of scripts/train, a hill climb by matches of the commander against itself."
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description="Searches better weights for the commander.")
    parser.add_argument("--out", default="train.jsonl", help="where rounds are kept")
    parser.add_argument("--pairs", type=int, default=6, help="pairs of games a round")
    parser.add_argument("--seconds", type=float, default=600.0, help="begin no round after so long")
    parser.add_argument("--level", default="hard")
    parser.add_argument("--boards", nargs="+", default=BOARDS)
    parser.add_argument("--teams", nargs="+", default=TEAMS)
    parser.add_argument("--write", action="store_true", help="put the best into assets/bots/commander.yaml")
    args = parser.parse_args()
    out = Path(args.out)
    rounds = [json.loads(line) for line in out.read_text().splitlines()] if out.exists() else []
    until = monotonic() + args.seconds
    while monotonic() < until:
        found = round_of(len(rounds), champion_of(rounds), args)
        rounds.append(found)
        with out.open("a") as file:
            file.write(json.dumps(found) + "\n")
        print(f"round {found['round']}: {found['factors']} {found['diffs']} {found['takes over']}", flush=True)
    if args.write:
        write(champion_of(rounds), len(rounds))


if __name__ == "__main__":
    main()
