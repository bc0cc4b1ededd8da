"""Matches of bots, sides and teams changing: ``scripts/bench bots [--one tactician] [--two random] [--games 20]``.

Prints how the games go as they are played, then for each board what share of the decided games the first bot wins, and
the CPU time. With ``--teams`` every two teams play each other with the first bot on both sides, and the share of the
first team is printed.
"""

from __future__ import annotations

import argparse
from collections import Counter
from itertools import combinations
from time import process_time

from ktsim.game.bots import BOTS
from ktsim.game.players import Player, Sampler
from ktsim.game.setup import Setup, new_game
from ktsim.rules.teams.team_file import team_files

BOARDS = ("training-ground", "volkus-1", "gallowdark-1", "bheta-decima-1")
NOBODYS = "non-player-operatives"


def main() -> None:
    parser = argparse.ArgumentParser(description="Matches of bots.")
    parser.add_argument("--one", default="tactician", choices=list(BOTS))
    parser.add_argument("--two", default="random", choices=list(BOTS))
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--boards", nargs="+", default=BOARDS)
    parser.add_argument("--table", default="sight", choices=("sight", "plain"))
    parser.add_argument("--mission", default="skirmish")
    parser.add_argument("--teams", action="store_true", help="compare teams instead of bots")
    args = parser.parse_args()
    for board in args.boards:
        if args.teams:
            for one, two in combinations(sorted(set(team_files()) - {NOBODYS}), 2):
                report(args, board, one, two, args.one, args.one)
        else:
            report(args, board, "lantern-wardens", "gravel-jackals", args.one, args.two)


def report(args: argparse.Namespace, board: str, one: str, two: str, bot_one: str, bot_two: str) -> None:
    """One match: in every second game the sides change, when bots are compared the teams too."""
    won, begun = Counter[str](), process_time()
    for number in range(args.games):
        sides = [(bot_one, one), (bot_two, two)]
        if not args.teams and number // 2 % 2:
            sides = [(bot_one, two), (bot_two, one)]
        if number % 2:
            sides.reverse()
        outcome = play(args, board, sides, f"{board}/{number}")
        first = "red" if number % 2 == 0 else "blue"
        won["draw" if outcome == "draw" else "one" if outcome == first else "two"] += 1
        score = f"{won['one']} won, {won['two']} lost, {won['draw']} draws"
        print(f"  {board}, game {number + 1} of {args.games}: {score}, {process_time() - begun:.0f} s CPU", flush=True)
    decided = won["one"] + won["two"]
    share = f"{won['one'] / decided:.0%} of {decided} decided" if decided else "nothing decided"
    names = (one, two) if args.teams else (bot_one, bot_two)
    seconds = (process_time() - begun) / args.games
    print(
        f"{board}: {names[0]} against {names[1]}: {share}, {won['draw']} draws, {seconds:.1f} s CPU a game", flush=True
    )


def play(args: argparse.Namespace, board: str, sides: list[tuple[str, str]], seed: str) -> str:
    """One game; who won. *sides* are red's and blue's bot and team."""
    (red_bot, red), (blue_bot, blue) = sides
    game = new_game(Setup(board=board, table=args.table, mission=args.mission, red=red, blue=blue))
    players: dict[str, Player] = {
        "red": BOTS[red_bot](f"{seed}/red"),
        "blue": BOTS[blue_bot](f"{seed}/blue"),
        "chance": Sampler(f"{seed}/chance"),
    }
    while game.pending is not None:
        game.submit(players[game.pending.seat].answer(game.pending, game))
    return str(game.outcome)


if __name__ == "__main__":
    main()
