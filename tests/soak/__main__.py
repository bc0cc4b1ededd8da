"""Random battles and games by the thousand: see ``options.py``."""

from __future__ import annotations

import argparse
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from itertools import count, islice
from pathlib import Path

from ktsim.game.setup import Setup
from soak import battle_soak, soak
from soak.options import soak_options
from soak.tally import BATTLES, DECISIONS, Counts, missed, table, wanted

ROOT = Path(__file__).resolve().parents[2]
BOARDS = ("training-ground", "volkus-1", "gallowdark-1", "bheta-decima-1", "tomb-world-1")
ENOUGH = 1000
"""After so many battles everything must have come about."""
ENOUGH_GAMES = 100
"""After so many short games nothing may have been too rare; fewer tell nothing about that."""
LINE = 20.0
"""Seconds between lines of progress."""


def main() -> int:
    args = soak_options().parse_args()
    # A soak that is told to stop says what it has found, as it does on Ctrl+C.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    parts: list[Callable[[argparse.Namespace], bool]] = [battles, games, undo, kills]
    try:
        good = [part(args) for part in parts]
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return 130
    return 0 if all(good) else 1


def battles(args: argparse.Namespace) -> bool:
    """Whole battles; whether none failed and, when there were enough, nothing was missed."""
    if not args.battles:
        return True
    counts: Counts = battle_soak.read_counts(args.counts) if args.counts else Counter()
    on_it = (number for number in count(args.seed) if battle_soak.board_of(number).startswith(args.on))
    numbers = list(islice(on_it, args.battles))
    failures: list[str] = []
    started = told = time.monotonic()
    played = 0
    try:
        for outcome in battle_soak.outcomes(numbers, args.sight, args.every, args.jobs):
            played += 1
            counts.update(outcome.counts)
            if outcome.failure:
                failures.append(outcome.failure)
                print(outcome.failure, file=sys.stderr, flush=True)
            now = time.monotonic()
            if now - told >= LINE:
                told = now
                print(f"{played} battles, {counts[DECISIONS]} decisions, {now - started:.0f} s", flush=True)
            if args.seconds and now - started >= args.seconds:
                break
    finally:
        if args.counts:
            battle_soak.write_counts(args.counts, counts)
        for line in table(counts):
            print(line)
        lacking = missed(counts, wanted())
        print(f"{played} battles played from {args.seed} on, {len(failures)} failed; {counts[BATTLES]} counted in all")
        done = len(wanted()) - len(lacking)
        print(
            f"{done} of {len(wanted())} deeds came about"
            + (f", {len(lacking)} did not:" if lacking else ": all of them")
        )
        for line in (*lacking, *(f"failed: {failure.splitlines()[0]}" for failure in failures)):
            print(f"  {line}", flush=True)
    return not failures and (not lacking or counts[BATTLES] < ENOUGH)


def games(args: argparse.Namespace) -> bool:
    """Short games with two small teams, over one layout of each killzone."""
    counts: Counts = Counter()
    for number in range(args.seed, args.seed + args.games):
        setup = Setup(board=BOARDS[number % len(BOARDS)], table=battle_soak.table_of(number, args.sight))
        counts.update(soak.watched_game(replace(setup, mission="skirmish"), number))
        if counts[BATTLES] % 100 == 0:
            print(f"{counts[BATTLES]} games, {counts[DECISIONS]} decisions", flush=True)
    lacking = soak.missed_floors(counts) if counts[BATTLES] >= ENOUGH_GAMES else []
    for line in lacking:
        print(line, file=sys.stderr)
    return not lacking


def undo(args: argparse.Namespace) -> bool:
    """Undone and redone, saved and continued, played with the sides swapped."""
    for number in range(args.seed, args.seed + args.undo):
        setup = battle_soak.battle_setup(number, args.sight)
        soak.undo_and_redo(setup, number)
        with tempfile.TemporaryDirectory() as folder:
            soak.save_and_continue(setup, number, Path(folder))
        mirrored = replace(setup, board="open", table="plain")
        soak.swapped_sides(mirrored, number, battle_soak.Seat(number) if setup.edition == "kt24" else None)
    print(f"{args.undo} games undone and redone, saved and continued, swapped")
    return True


def kills(args: argparse.Namespace) -> bool:
    """A playing process killed in the middle loses nothing."""
    if not args.kills:
        return True
    command = [sys.executable, "-m", "pytest", "-s", "tests/game/test_record.py", "-k", "kill_minus_nine"]
    wanted_of_it = {"KTSIM_KILLS": str(args.kills), "KTSIM_KILLS_SEED": str(args.seed)}
    done = subprocess.run(command, cwd=ROOT, env={**os.environ, **wanted_of_it}, check=False)
    return done.returncode == 0


if __name__ == "__main__":
    raise SystemExit(main())
