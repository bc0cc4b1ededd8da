"""Weights of the commander, found by play: ``scripts/train --out FILE [--seconds 600] [--pairs 6]``.

First a fit: every position in which somebody is to be activated is kept in FILE.positions with what it consists of
(``Prospect.features``) and what the rest of the game brought. ``--fit`` says which weights fit those best, drawn
towards those in use as far as positions are few; nothing is played then.

Then a hill climb in slices. Each round some weights of the best so far are multiplied by up to a half more or less, and
the challenger plays the champion in pairs of games, sides swapped, on seeds for tuning that no round shares. It takes
over when it is ahead by more VP a pair than chance would have it (one standard error). Every round is a JSON line in
FILE: who challenged, by what, with what result; a search that was broken off goes on from there. ``--write`` puts the
best into ``assets/bots/commander.yaml``; report a match of old against new on seeds for reporting with it.
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

import numpy as np
from arena import BOARDS, TEAMS

from ktsim import paths
from ktsim.game.bots.commander import Commander
from ktsim.game.bots.prospects import Prospect
from ktsim.game.bots.roads import RoadBook
from ktsim.game.bots.view import Budget
from ktsim.game.bots.weights import Weights, weights_of
from ktsim.game.game import Game
from ktsim.game.players import Blindfolded, Player, Sampler, play
from ktsim.game.setup import Setup, new_game
from ktsim.rules.engine.decisions import Decision
from ktsim.rules.engine.state import SIDES, Side, other

CHANGED = 3
"""How many weights a challenger changes."""
MOST = 0.5
"""The greatest change, as a share."""
ALIKE = 10.0
"""How many positions of a game say about as much as one."""


def challenger(champion: Weights, rng: Random) -> dict[str, float]:
    """The factors by which a challenger differs."""
    names = rng.sample(sorted(asdict(champion)), CHANGED)
    return {name: round(math.exp(rng.uniform(-MOST, MOST)), 2) for name in names}


class Chronicler:
    """A player whose positions are kept: what those consist of when it is to activate somebody."""

    def __init__(self, player: Player, weights: Weights) -> None:
        self._player, self._weights, self._roads = player, weights, RoadBook()
        self.positions: list[dict[str, float]] = []

    def answer(self, decision: Decision[Any], game: Game) -> Any:
        if decision.topic == "activate":
            side: Side = "red" if decision.seat == "red" else "blue"
            seen = game.seen_by(side)
            found = Prospect(seen.battle, side, self._weights, {}, self._roads, Budget(0))
            self.positions.append(found.features())
        return self._player.answer(decision, game)


def difference(
    one: Weights,
    two: Weights,
    number: str,
    board: str,
    teams: tuple[str, str],
    level: str,
    kept: list[dict[str, float]],
) -> int:
    """VP of the first less the second's over a pair of games, sides swapped; positions go into *kept*."""
    total = 0
    for first in SIDES:
        game = new_game(Setup(board=board, red=teams[0], blue=teams[1]))
        sides: Mapping[Side, Weights] = {first: one, other(first): two}
        players: dict[str, Player] = {"chance": Sampler(f"{number}/chance")}
        for side, weights in sides.items():
            players[side] = Chronicler(Blindfolded(Commander(f"{number}/{side}", level, None, weights)), weights)
        play(game, players)
        for side in SIDES:
            player = players[side]
            assert isinstance(player, Chronicler)
            ahead = game.state.vp[side] - game.state.vp[other(side)]
            kept += [position | {"after": ahead - position["before"]} for position in player.positions]
        total += game.state.vp[first] - game.state.vp[other(first)]
    return total


def round_of(number: int, champion: Weights, args: argparse.Namespace, kept: list[dict[str, float]]) -> dict[str, Any]:
    rng = Random(f"train/{number}")
    factors = challenger(champion, rng)
    rival, diffs = champion.times(factors), []
    for pair in range(args.pairs):
        teams = (rng.choice(args.teams), rng.choice(args.teams))
        board = args.boards[(number + pair) % len(args.boards)]
        diffs.append(difference(rival, champion, f"tune/train/{number}/{pair}", board, teams, args.level, kept))
    error = stdev(diffs) / math.sqrt(len(diffs)) if len(diffs) > 1 else math.inf
    wins = mean(diffs) > error
    return {"round": number, "factors": factors, "diffs": diffs, "takes over": wins, "weights": asdict(rival)}


def fitted(positions: list[dict[str, float]], now: Weights) -> tuple[Weights, dict[str, float]]:
    """The weights that say best how games went on, and by name how sure each is (one standard error).

    What the turning point pays counts whole. Each weight is drawn towards the one in use as if that were known to a
    third of itself: positions of one game are much alike, so that only one in ``ALIKE`` counts.
    """
    known = asdict(now)
    names = [name for name in positions[0] if name in known]
    table = np.array([[position[name] for name in names] for position in positions])
    wanted = np.array([position["after"] - position["turn"] for position in positions])
    use = np.array([known[name] for name in names])
    rest = wanted - table @ use
    noise = float(np.mean(rest**2))
    held = np.diag(1 / (use / 3) ** 2)
    around = table.T @ table / (noise * ALIKE) + held
    change = np.linalg.solve(around, table.T @ rest / (noise * ALIKE))
    error = np.sqrt(np.diag(np.linalg.inv(around)))
    found = {name: max(0.0, round(float(value), 3)) for name, value in zip(names, use + change, strict=True)}
    return Weights(**(known | found)), dict(zip(names, error.tolist(), strict=True))


def champion_of(rounds: list[dict[str, Any]]) -> Weights:
    """The last challenger that took over, or what is in use."""
    won = [each for each in rounds if each["takes over"]]
    return Weights(**won[-1]["weights"]) if won else weights_of()


def write(weights: Weights, how: str) -> None:
    """Into the file in use; its comments and styles stay, and it is said how the weights were found."""
    path = paths.assets() / "bots" / "commander.yaml"
    lines = path.read_text(encoding="utf-8").splitlines()
    values = asdict(weights)
    for at, line in enumerate(lines):
        name = line.strip().partition(":")[0]
        if line.startswith("  ") and name in values and "{" not in line:
            lines[at] = f"  {name}: {values[name]:.3g}"
    lines.insert(sum(line.startswith("#") for line in lines[: lines.index("weights:")]), f"# Then changed by {how}.")
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description="Searches better weights for the commander.")
    parser.add_argument("--out", default="train.jsonl", help="where rounds are kept")
    parser.add_argument("--pairs", type=int, default=6, help="pairs of games a round")
    parser.add_argument("--seconds", type=float, default=600.0, help="begin no round after so long")
    parser.add_argument("--level", default="hard")
    parser.add_argument("--boards", nargs="+", default=BOARDS)
    parser.add_argument("--teams", nargs="+", default=TEAMS)
    parser.add_argument("--fit", action="store_true", help="fit weights to the positions kept, and play nothing")
    parser.add_argument("--write", action="store_true", help="put the best into assets/bots/commander.yaml")
    args = parser.parse_args()
    out = Path(args.out)
    rounds = [json.loads(line) for line in out.read_text().splitlines()] if out.exists() else []
    beside = out.with_name(f"{out.name}.positions")
    if args.fit:
        positions = [json.loads(line) for line in beside.read_text().splitlines()]
        weights, errors = fitted(positions, champion_of(rounds))
        for name, error in errors.items():
            now, new = (getattr(each, name) for each in (champion_of(rounds), weights))
            print(f"{name:<10} {now:.3g} -> {new:.3g} +-{error:.2g}")
        if args.write:
            write(weights, f"a fit to {len(positions)} positions by scripts/train --fit")
        return
    until = monotonic() + args.seconds
    while monotonic() < until:
        kept: list[dict[str, float]] = []
        found = round_of(len(rounds), champion_of(rounds), args, kept)
        with beside.open("a") as file:
            file.writelines(json.dumps(position) + "\n" for position in kept)
        rounds.append(found)
        with out.open("a") as file:
            file.write(json.dumps(found) + "\n")
        print(f"round {found['round']}: {found['factors']} {found['diffs']} {found['takes over']}", flush=True)
    if args.write:
        write(champion_of(rounds), f"{len(rounds)} rounds of scripts/train, a hill climb by matches against itself")


if __name__ == "__main__":
    main()
