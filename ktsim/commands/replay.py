"""``ktsim replay FILE [--check]``: tell a saved game in words, or check every recorded hash."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from ktsim.game.journal import shown_path
from ktsim.game.record import load
from ktsim.game.story import rules_line, tell
from ktsim.sight.part_names import spaced


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", help="a saved game")
    parser.add_argument("--check", action="store_true", help="only check that every recorded state hash matches")


def run(args: argparse.Namespace) -> int:
    loaded = load(Path(args.file))
    if loaded.warning:
        print(loaded.warning, file=sys.stderr)
    game = loaded.game
    if args.check:
        if loaded.differs:
            return 1
        place, count = shown_path(Path(args.file)), len(loaded.recorded.entries)
        print(f"{place}: {count} entries, every hash matches, {game.digest()}")
        return 0
    for line in (*rules_line(game.battle), *tell(game, game.events)):
        print(line)
    if game.pending is not None:
        print(f"Unfinished: {spaced(game.pending.prompt)}")
    return 0
