"""``ktsim warm``: compile what is compiled once."""

from __future__ import annotations

import argparse
import sys

from ktsim.rules.moving import warm as moving
from ktsim.sight import warm


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--quiet", action="store_true", help="say nothing")


def run(args: argparse.Namespace) -> int:
    stages = (*warm.ALL, *moving.STAGES)
    if not warm.ensure_ready(_nothing if args.quiet else tell, stages) and not args.quiet:
        tell("all is compiled")
    return 0


def tell(text: str) -> None:
    """A line of progress, where it does not mix with answers."""
    print(text, file=sys.stderr, flush=True)


def _nothing(text: str) -> None:
    pass
