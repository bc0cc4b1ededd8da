"""Random battles and games by the thousand: invariants, what they exercise, undo and redo, save and continue, swapped
sides, kill -9.

Battles are whole ones, over every layout, edition, mission and pair of teams; a number says everything about a battle,
so ``--seed N --battles 1`` plays one again. Ctrl+C ends the soak and prints what was counted so far.
"""

from __future__ import annotations

import argparse
from pathlib import Path


def soak_options() -> argparse.ArgumentParser:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--battles", type=int, default=5000, help="whole battles (default 5000)")
    options.add_argument("--games", type=int, default=2000, help="short games with two small teams (default 2000)")
    options.add_argument("--undo", type=int, default=100, help="games undone and redone (default 100)")
    options.add_argument("--kills", type=int, default=60, help="times the playing process is killed (default 60)")
    options.add_argument("--seed", type=int, default=0, help="number of the first battle and game")
    options.add_argument("--on", default="", help="only battles on boards whose names begin so")
    options.add_argument("--sight", type=float, default=0.2, help="share with real sight and moving (default 0.2)")
    options.add_argument("--every", type=int, default=1, help="look at places after every so many moves (default 1)")
    options.add_argument("--jobs", type=int, default=1, help="processes (default 1)")
    options.add_argument("--seconds", type=float, default=0.0, help="begin no more battles after so many seconds")
    options.add_argument("--counts", type=Path, help="a file whose counts this run is added to, for soaks in slices")
    return options


if __name__ == "__main__":  # for --help, which needs nothing installed
    soak_options().parse_args()
