"""How much memory games in one process come to: ``scripts/bench memory [--games N] [--most MB] [board ...]``.

Random battles one after the other, on the boards in turn. Fails when the process comes to more than ``--most``.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

from ktsim.game.players import Sampler
from ktsim.game.setup import Setup, new_game
from ktsim.geometry.shelf import PREPARED


def megabytes() -> float:
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096 / 1e6


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("boards", nargs="*", default=["volkus-1"])
    options.add_argument("--games", type=int, default=100)
    options.add_argument("--most", type=float, default=700.0, help="megabytes (default 700)")
    args = options.parse_args()
    worst = 0.0
    for number in range(args.games):
        started, player = time.process_time(), Sampler(f"memory {number}")
        game = new_game(Setup(board=args.boards[number % len(args.boards)]))
        while game.pending is not None:
            game.submit(player.answer(game.pending, game))
        worst = max(worst, megabytes())
        if number % 5 == 4 or number == 0:
            kept = f"{PREPARED.weight / 1e6:.0f} MB in {len(PREPARED)} pieces are kept"
            took = time.process_time() - started
            print(f"{number + 1:4} games: {megabytes():.0f} MB; {kept}; the last took {took:.1f} s", flush=True)
    print(f"at most {worst:.0f} MB, {args.most:.0f} MB allowed")
    return 0 if worst <= args.most else 1


if __name__ == "__main__":
    raise SystemExit(main())
