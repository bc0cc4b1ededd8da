"""``ktsim drill``: questions to practise on, made new or asked in the terminal, and how one gets on with them."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from datetime import date
from itertools import islice
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from ktsim import paths
from ktsim.content.files import write_atomically
from ktsim.content.printable import printable
from ktsim.content.progress import ProgressLine
from ktsim.content.reader import nearest
from ktsim.errors import UserError

if TYPE_CHECKING:
    from ktsim.game.drills.drill import Drill

MOST = 10_000


def add_arguments(parser: argparse.ArgumentParser) -> None:
    doing = parser.add_subparsers(dest="doing", required=True, metavar="new|ask|progress")
    new = doing.add_parser("new", help="make drills")
    ask = doing.add_parser("ask", help="answer drills in the terminal")
    doing.add_parser("progress", help="how often which rule was answered right, the weak ones first")
    for sub in (new, ask):
        sub.add_argument("--kind", action="append", default=[], metavar="KIND", help="only this kind; may be repeated")
        sub.add_argument("--seed", metavar="S", help="the same seed gives the same drills")
        sub.add_argument("--count", type=int, default=1, metavar="N", help="how many (default 1)")
    new.add_argument("--out", metavar="DIR", help="keep the scenes there, as drill-1.yaml and so on")
    new.add_argument("--json", action="store_true", help="print one list for other programs")


def run(args: argparse.Namespace) -> int:
    if args.doing == "progress":
        return _progress()
    if not 1 <= args.count <= MOST:
        raise UserError(f"--count is {args.count}; it must be from 1 to {MOST}")
    from ktsim.game.drills.making import batches
    from ktsim.game.drills.register import KINDS

    for kind in args.kind:
        if kind not in KINDS:
            raise UserError(f"there is no kind of drill '{printable(kind)}'; {nearest(kind, KINDS)}")
    seed = args.seed if args.seed is not None else str(Random().getrandbits(48))
    seed = printable(seed, 200)
    if args.doing == "ask":
        return _ask(islice(batches(seed, args.kind), args.count))
    made = _made(seed, args.kind, args.count)
    if args.json:
        print(json.dumps([drill.as_json() for drill in made], indent=2, allow_nan=False))
        return 0
    for number, drill in enumerate(made, 1):
        if args.out:
            write_atomically(Path(args.out) / f"drill-{number}.yaml", drill.scene.encode())
        print(f"{number}. {KINDS[drill.kind].title} [{drill.rule}, difficulty {drill.difficulty:.1f}]")
        print(f"   {drill.question}")
        for choice in drill.choices:
            print(f"     - {choice}")
        _print_table(drill, "   ")
    return 0


def _made(seed: str, kinds: Sequence[str], count: int) -> list[Drill]:
    """So many drills, saying how far it is."""
    from ktsim.game.drills.making import many

    line = ProgressLine()
    try:
        return many(seed, kinds, count, lambda made: line.say(f"{made} of {count} drills made"))
    finally:
        line.clear()


def _print_table(drill: Drill, margin: str = "") -> None:
    """Where everybody stands, those the question names first."""
    file = drill.file()
    named = [one for one in file.scene.operatives if one.id in drill.question]
    others = [one for one in file.scene.operatives if one.id not in drill.question]
    wide, deep = file.scene.terrain.board
    print(f"{margin}{file.killzone or 'A table of its own'}, {wide:g} x {deep:g} inches")
    for one in (*named, *others):
        level = f', {one.level:g}" up' if one.level else ""
        print(f"{margin}  {one.id} ({one.team}, {one.order}) at {one.x:.2f}, {one.y:.2f}{level}")
    if opened := [id for id, state in file.scene.states.items() if state == "open"]:
        print(f"{margin}  open: {', '.join(opened)}")


def _ask(drills: Iterator[Drill]) -> int:
    """Ask one drill after another; an empty line ends it."""
    from ktsim.game.drills.progress import load_progress, save_progress
    from ktsim.game.drills.register import KINDS

    progress = load_progress()
    if progress.note:
        print(progress.note, file=sys.stderr)
    shown = paths.user_data() / "drill.yaml"
    shown.parent.mkdir(parents=True, exist_ok=True)
    for drill in drills:
        write_atomically(shown, drill.scene.encode())
        _print_table(drill)
        print(f"To see it: ktsim table {printable(str(shown), 200)}\n\n{drill.question}")
        for number, choice in enumerate(drill.choices, 1):
            print(f"  {number}. {choice}")
        given = _answered(drill)
        if not given:
            print("No more questions; ktsim drill progress says how you get on.")
            break
        marked = KINDS[drill.kind].mark(drill, given)
        progress.record(drill, marked.is_right, date.today())
        save_progress(progress)
        print("Right." if marked.is_right else "Not so.", f"[{drill.rule}]")
        print(marked.text)
        print(f"{progress.streak} in a row.\n")
    return 0


def _answered(drill: Drill) -> str:
    """What the player answers, asked again until it is an answer; nothing at an empty line."""
    from ktsim.game.move_ruling import read_place

    many = len(drill.choices)
    wanted = f"a number from 1 to {many}" if many else "a place such as 12,8.5 or 12,8.5,3"
    while True:
        print(f"Your answer ({wanted}; an empty line ends): ", end="", flush=True)
        given = sys.stdin.readline().strip()
        if not given:
            return ""
        if many and given.isdecimal() and 1 <= int(given) <= many:
            return drill.choices[int(given) - 1]
        if not many:
            with suppress(UserError):
                read_place(given)
                return given
        print(f"'{printable(given, 60)}' is not {wanted}.")


def _progress() -> int:
    from ktsim.game.drills.progress import load_progress

    progress = load_progress()
    if progress.note:
        print(progress.note, file=sys.stderr)
    if not progress.rules:
        print("Nothing was practised yet; ktsim drill ask begins.")
    for rule, kept in progress.weakest():
        print(f"{rule:<22} box {kept.box + 1} of 5, {kept.right} right, {kept.wrong} wrong")
    print(f"Best streak {progress.best_streak}, now {progress.streak}.")
    return 0
