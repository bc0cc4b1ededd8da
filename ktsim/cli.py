"""The command line: one module of ``ktsim.commands`` per command, imported only when it is used."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import NoReturn

from ktsim import __version__, faults
from ktsim.app.shell.display import Unopened
from ktsim.content.printable import printable
from ktsim.errors import UserError

COMMANDS: dict[str, str] = {
    "table": "open the ruling table in a window, with a scene file if one is named",
    "rule": "rule on who can see and shoot whom in a scene file",
    "move": "rule on whether an operative of a scene file gets somewhere, and what it costs",
    "odds": "the exact odds of one shooting or fight sequence",
    "sim": "play whole games without a window",
    "replay": "tell or check a saved game",
    "review": "what each activation of a saved game was worth, what would have been better, what was luck",
    "play": "open the window, or play a game in the terminal (--text)",
    "drill": "make questions to practise on, answer them, or see how you get on",
    "killzone": "check a killzone file, or draw it",
    "demo": "see the main jobs done: a ruling with its card, a short battle in words",
    "team": "check a team or roster file, make one from community JSON, or print a roster",
    "report": "pack the log of faults and the last saved game into one file for a bug report",
    "warm": "compile what is compiled once, so that later starts are quick",
}
"""Command name to its help line; the module of the same name in ``ktsim.commands`` has
``add_arguments(parser)`` and ``run(args) -> int``."""


class Parser(argparse.ArgumentParser):
    """An argument parser that repeats nothing to the terminal that could be taken for an escape sequence."""

    def error(self, message: str) -> NoReturn:
        super().error(printable(message, 2000))


def parser(wanted: str | None) -> argparse.ArgumentParser:
    """The argument parser. Only the module of the *wanted* command is imported to fill in its arguments."""
    top = Parser(prog="ktsim", description="A tabletop with exact 3D line of sight.")
    top.add_argument("--version", action="version", version=f"ktsim {__version__}")
    commands = top.add_subparsers(dest="command", metavar="command")
    for name, text in COMMANDS.items():
        sub = commands.add_parser(name, help=text, description=text[0].upper() + text[1:] + ".")
        if name == wanted:
            import_module(f"ktsim.commands.{name}").add_arguments(sub)
    return top


def _open_desktop() -> int:
    """The window; where there is no display for it, the commands that work without one."""
    try:
        import_module("ktsim.commands.table").open_desktop()
    except Unopened as problem:
        print(f"{problem.problems[0]} ktsim and ktsim table need one; all of these work without:\n")
        for name, text in COMMANDS.items():
            if name != "table":
                print(f"  ktsim {name:<9} {text}")
        print("\nktsim COMMAND --help says more; ktsim demo shows it at work.")
    return 0


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; return its exit code: 2 for bad input, with a sentence per problem on stderr, and 70 where
    something unexpected happened, with the place of its log; ``KTSIM_DEBUG=1`` shows the traceback instead."""
    if argv is None:
        # Where scipy is installed trimesh loads it, which takes a while at every start; nothing here needs it.
        sys.modules.setdefault("scipy", None)  # type: ignore[arg-type]
    words = list(sys.argv[1:] if argv is None else argv)
    wanted = next((word for word in words if not word.startswith("-")), None)
    args = parser(wanted).parse_args(words)
    try:
        if args.command is None:
            return _open_desktop()
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
    except Exception as error:
        if faults.is_debugging():
            raise
        fault = faults.note(f"ktsim {args.command or ''}".strip(), error, {"arguments": words})
        print(f"{fault.sentence} ktsim report packs it for a bug report.", file=sys.stderr)
        return faults.EXIT_CODE
