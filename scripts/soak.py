"""Random games by the thousand: invariants, undo and redo, save and continue, swapped sides, and kill -9."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

from ktsim.game import soak
from ktsim.game.setup import Setup
from ktsim.game.tinkerer import Tinkerer, crowd

ROOT = Path(__file__).resolve().parent.parent


BOARDS = ("training-ground", "volkus-1", "gallowdark-1", "bheta-decima-1")


def equipped_games(args: argparse.Namespace) -> list[str]:
    """Games with equipment on killzones with actions of their own; what never came about in them."""
    counts: Counter[str] = Counter()
    for number in range(args.equipped):
        board = BOARDS[1 + number % 3]
        setup = Setup(board=board, table=args.table, mission="equipped-skirmish")
        start = crowd if number % 2 and board != BOARDS[-1] else None
        counts += soak.watched_game(setup, f"equipped {number}", Tinkerer(args.seed + number), start)
        if (number + 1) % 100 == 0:
            print(f"{number + 1} equipped games, {counts['decisions']} decisions", flush=True)
    wanted = (*soak.EQUIPMENT_USED, *soak.KILLZONE_USED)
    for name in wanted:
        print(f"{name:28} {counts[name]}")
    return soak.missed(counts, wanted) if args.equipped else []


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--games", type=int, default=2000, help="random games over all boards (default 2000)")
    options.add_argument("--equipped", type=int, default=300, help="games with equipment (default 300)")
    options.add_argument("--undo", type=int, default=100, help="games undone and redone (default 100)")
    options.add_argument("--kills", type=int, default=60, help="times the playing process is killed (default 60)")
    options.add_argument("--seed", type=int, default=0, help="first seed")
    options.add_argument("--boards", nargs="*", default=list(BOARDS), help="boards to play on")
    options.add_argument("--table", choices=("sight", "plain"), default="sight", help="as for ktsim sim")
    args = options.parse_args()
    setups = [Setup(board=board, table=args.table) for board in args.boards]
    counts: Counter[str] = Counter()
    for number in range(args.games):
        counts += soak.watched_game(setups[number % len(setups)], args.seed + number)
        if (number + 1) % 100 == 0:
            print(f"{number + 1} games, {counts['decisions']} decisions", flush=True)
    for name, count in sorted(counts.items()):
        print(f"{name:24} {count}")
    missed = soak.missed_floors(counts) if args.games else []
    missed += equipped_games(args)
    for line in missed:
        print(line, file=sys.stderr)
    for number in range(args.undo):
        soak.undo_and_redo(setups[number % len(setups)], args.seed + number)
        soak.swapped_sides(Setup(board="open", table="plain"), args.seed + number)
        with tempfile.TemporaryDirectory() as folder:
            soak.save_and_continue(setups[number % len(setups)], args.seed + number, Path(folder))
    print(f"{args.undo} games undone and redone, swapped, saved and continued")
    if args.kills:
        command = [sys.executable, "-m", "pytest", "tests/engine/test_record.py", "-k", "kill_minus_nine"]
        done = subprocess.run(command, cwd=ROOT, env={**os.environ, "KTSIM_KILLS": str(args.kills)}, check=False)
        if done.returncode:
            return 1
    return 1 if missed else 0


if __name__ == "__main__":
    raise SystemExit(main())
