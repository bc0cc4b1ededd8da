"""The command line: one module of ``ktsim.commands`` per command, imported only when it is used."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from importlib import import_module

from ktsim import __version__
from ktsim.errors import UserError

COMMANDS: dict[str, str] = {
    "rule": "rule on who can see and shoot whom in a scene file",
    "odds": "the exact odds of one shooting or fight sequence",
    "sim": "play whole games without a window",
    "replay": "tell or check a saved game",
    "play": "play a game in the terminal (--text)",
    "killzone": "check a killzone file, or draw it",
    "warm": "compile what is compiled once, so that later starts are quick",
}
"""Command name to its help line; the module of the same name in ``ktsim.commands`` has
``add_arguments(parser)`` and ``run(args) -> int``."""


def parser(wanted: str | None) -> argparse.ArgumentParser:
    """The argument parser. Only the module of the *wanted* command is imported to fill in its arguments."""
    top = argparse.ArgumentParser(prog="ktsim", description="A tabletop with exact 3D line of sight.")
    top.add_argument("--version", action="version", version=f"ktsim {__version__}")
    commands = top.add_subparsers(dest="command", metavar="command")
    for name, text in COMMANDS.items():
        sub = commands.add_parser(name, help=text, description=text[0].upper() + text[1:] + ".")
        if name == wanted:
            import_module(f"ktsim.commands.{name}").add_arguments(sub)
    return top


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; return its exit code (2 for bad input, with a sentence per problem on stderr)."""
    words = list(sys.argv[1:] if argv is None else argv)
    wanted = next((word for word in words if not word.startswith("-")), None)
    args = parser(wanted).parse_args(words)
    if args.command is None:
        parser(None).print_help()
        return 0
    try:
        return int(import_module(f"ktsim.commands.{args.command}").run(args))
    except UserError as error:
        for problem in error.problems:
            print(problem, file=sys.stderr)
        return 2
    except BrokenPipeError:
        sys.stderr.close()
        return 1
    except KeyboardInterrupt:
        print("stopped", file=sys.stderr)
        return 130
