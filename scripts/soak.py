"""Random games and battles by the thousand: invariants, undo and redo, save and continue, swapped sides, kill -9."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Literal

from ktsim.game import soak
from ktsim.game.setup import Setup
from ktsim.game.tinkerer import Tinkerer, crowd
from ktsim.rules.editions import EDITIONS

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
    options.add_argument("--games", type=int, default=2000, help="random short games over all boards (default 2000)")
    options.add_argument("--battles", type=int, default=2000, help="whole battles by the packs (default 2000)")
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
    is_24 = args.edition == "kt24"
    missed = battles(args.battles, args.seed, args.boards, args.table) if args.battles and is_24 else []
    counts: Counter[str] = Counter()
    for number in range(args.games):
        counts += soak.watched_game(setups[number % len(setups)], args.seed + number)
        if (number + 1) % 100 == 0:
            print(f"{number + 1} games, {counts['decisions']} decisions", flush=True)
    show(counts)
    missed += soak.missed_floors(counts, args.edition) if args.games else []
    missed += equipped_games(args) if is_24 else []
    for line in missed:
        print(line, file=sys.stderr)
    for number in range(args.undo):
        board, seed = args.boards[number % len(args.boards)], args.seed + number
        short = setups[number % len(setups)]
        for setup in (short, soak.battle_setup(number, board, args.table)) if is_24 else (short,):
            soak.undo_and_redo(setup, seed)
            with tempfile.TemporaryDirectory() as folder:
                soak.save_and_continue(setup, seed, Path(folder))
        soak.swapped_sides(replace(short, board="open", table="plain"), seed)
        if is_24:
            soak.swapped_sides(soak.battle_setup(number, "open", "plain"), seed, soak.InTurn(seed, number))
    print(f"{args.undo} games undone and redone, swapped, saved and continued")
    if args.kills:
        command = [sys.executable, "-m", "pytest", "tests/engine/test_record.py", "-k", "kill_minus_nine"]
        done = subprocess.run(command, cwd=ROOT, env={**os.environ, "KTSIM_KILLS": str(args.kills)}, check=False)
        if done.returncode:
            return 1
    return 1 if missed else 0


def battles(count: int, seed: int, boards: list[str], table: Literal["sight", "plain"]) -> list[str]:
    """Whole battles with every invariant checked; what never came about in them."""
    counts: Counter[str] = Counter()
    for number in range(count):
        counts += soak.watched_battle(seed + number, boards[number % len(boards)], table)
        if (number + 1) % 50 == 0:
            print(f"{number + 1} battles, {counts['decisions']} decisions", flush=True)
    show(counts)
    return soak.missed_in_battles(counts)


def show(counts: Counter[str]) -> None:
    for name, count in sorted(counts.items()):
        print(f"{name:32} {count}")


def setups_of(args: argparse.Namespace) -> list[Setup]:
    """Every board, and on it every pair of neighbours among the teams."""
    plain = Setup(table=args.table, edition=args.edition, mission="skirmish" if args.edition == "kt24" else "")
    pairs = list(zip(args.teams, [*args.teams[1:], *args.teams[:1]], strict=True)) or [(plain.red, plain.blue)]
    return [replace(plain, board=board, red=red, blue=blue) for red, blue in pairs for board in args.boards]


if __name__ == "__main__":
    raise SystemExit(main())
