"""Random games by the thousand: invariants, undo and redo, save and continue, swapped sides, and kill -9."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from collections import Counter
from dataclasses import replace
from pathlib import Path

from ktsim.game import soak
from ktsim.game.setup import Setup
from ktsim.game.tinkerer import Tinkerer
from ktsim.rules.editions import EDITIONS

ROOT = Path(__file__).resolve().parent.parent


BOARDS = ("training-ground", "volkus-1", "gallowdark-1", "bheta-decima-1")


def equipped_games(args: argparse.Namespace) -> list[str]:
    """Games with equipment on killzones with actions of their own; what never came about in them."""
    counts: Counter[str] = Counter()
    for number in range(args.equipped):
        board = BOARDS[1 + number % 3]
        setup = Setup(board=board, table=args.table, mission="equipped-skirmish")
        counts += soak.watched_game(setup, f"equipped {number}", Tinkerer(args.seed + number))
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
    options.add_argument("--edition", choices=list(EDITIONS), default="kt24", help="as for ktsim sim")
    options.add_argument("--teams", nargs="*", default=[], help="teams to play in turn, each against the next")
    options.add_argument("--table", choices=("sight", "plain"), default="sight", help="as for ktsim sim")
    args = options.parse_args()
    setups = setups_of(args)
    counts: Counter[str] = Counter()
    for number in range(args.games):
        counts += soak.watched_game(setups[number % len(setups)], args.seed + number)
        if (number + 1) % 100 == 0:
            print(f"{number + 1} games, {counts['decisions']} decisions", flush=True)
    for name, count in sorted(counts.items()):
        print(f"{name:24} {count}")
    missed = soak.missed_floors(counts, args.edition) if args.games else []
    missed += equipped_games(args) if args.edition == "kt24" else []
    for line in missed:
        print(line, file=sys.stderr)
    for number in range(args.undo):
        soak.undo_and_redo(setups[number % len(setups)], args.seed + number)
        soak.swapped_sides(Setup(board="open", table="plain", edition=args.edition), args.seed + number)
        with tempfile.TemporaryDirectory() as folder:
            soak.save_and_continue(setups[number % len(setups)], args.seed + number, Path(folder))
    print(f"{args.undo} games undone and redone, swapped, saved and continued")
    if args.kills:
        command = [sys.executable, "-m", "pytest", "tests/engine/test_record.py", "-k", "kill_minus_nine"]
        done = subprocess.run(command, cwd=ROOT, env={**os.environ, "KTSIM_KILLS": str(args.kills)}, check=False)
        if done.returncode:
            return 1
    return 1 if missed else 0


def setups_of(args: argparse.Namespace) -> list[Setup]:
    """Every board, and on it every pair of neighbours among the teams."""
    plain = Setup(table=args.table, edition=args.edition)
    pairs = list(zip(args.teams, [*args.teams[1:], *args.teams[:1]], strict=True)) or [(plain.red, plain.blue)]
    return [replace(plain, board=board, red=red, blue=blue) for red, blue in pairs for board in args.boards]


if __name__ == "__main__":
    raise SystemExit(main())
