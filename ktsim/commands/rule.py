"""``ktsim rule``: who can see and shoot whom in scene files."""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from ktsim.content.files import check_output
from ktsim.content.printable import printable
from ktsim.errors import Problem, UserError
from ktsim.killzones.scene_file import DATES_KNOWN, load_scene, rules_date

if TYPE_CHECKING:
    from ktsim.sight.ruling import Ruling


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("scenes", nargs="+", metavar="SCENE.yaml", help="scene files to rule on")
    parser.add_argument("--json", action="store_true", help="print one list with an object per pair and scene")
    parser.add_argument("--png", metavar="FILE", help="draw the ruling on one pair of one scene to this file")
    parser.add_argument("--from", dest="shooter", metavar="ID", help="rule on this shooter (with --to)")
    parser.add_argument("--to", dest="target", metavar="ID", help="rule on this target (with --from)")
    parser.add_argument("--rules", metavar="DATE", help=f"rule as of this date, whatever the scene says; {DATES_KNOWN}")


def run(args: argparse.Namespace) -> int:
    """Rule on every pair of every scene. A bad file is told of at the end and does not stop the others."""
    if (args.shooter is None) != (args.target is None):
        raise UserError("--from and --to go together; give both, or neither to rule on the pairs the scene names")
    if args.png is not None and len(args.scenes) > 1:
        raise UserError(f"--png draws one ruling and {len(args.scenes)} scenes are named; name one")
    if args.png is not None:
        check_output(args.png, "PNG picture", *args.scenes)
    if args.rules is not None and rules_date(args.rules) is None:
        raise UserError(f"--rules is '{printable(args.rules)}'; {DATES_KNOWN}")
    problems: list[Problem] = []
    answers: list[tuple[str, Ruling]] = []
    for name in args.scenes:
        try:
            answers += [(name, ruling) for ruling in _rulings(name, args)]
        except UserError as error:
            place = printable(name, 200)
            problems += [problem if problem.place else Problem(place, problem.text) for problem in error.problems]
    if args.json:
        print(json.dumps([ruling.as_json(name) for name, ruling in answers], indent=2, allow_nan=False))
    else:
        _print_texts(answers, several=len(args.scenes) > 1)
    sys.stdout.flush()
    for problem in problems:
        print(problem, file=sys.stderr)
    return 2 if problems else 0


def _rulings(name: str, args: argparse.Namespace) -> list[Ruling]:
    file = load_scene(Path(name))
    for warning in file.warnings:
        print(warning, file=sys.stderr)
    pairs = file.pairs_of(args.shooter, args.target)
    if args.png is not None and len(pairs) > 1:
        raise UserError(f"--png draws one ruling, the scene asks for {len(pairs)}; choose one with --from and --to")
    from ktsim.sight.ruling import ruling

    date = rules_date(args.rules or "") or file.scene.rules_as_of
    scene = replace(file.scene, rules_as_of=date)
    rulings = [ruling(scene, shooter, target, file.edition, file.weapon) for shooter, target in pairs]
    if args.png is not None:
        import_module("ktsim.app.card.pictures").write_card(file, rulings[0], Path(args.png))
        print(f"The card is in {printable(args.png, 200)}.", file=sys.stderr)
    return rulings


def _print_texts(answers: list[tuple[str, Ruling]], several: bool) -> None:
    last = None
    for number, (name, ruling) in enumerate(answers):
        if number:
            print()
        if several and name != last:
            print(f"== {printable(name, 200)}")
            last = name
        print(ruling.as_text())
