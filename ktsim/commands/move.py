"""``ktsim move``: can an operative of a scene get somewhere, what does it cost, and why not."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from ktsim.content.printable import printable
from ktsim.errors import Problem, UserError
from ktsim.killzones.scene_file import load_scene

MOST_MOVE = 40


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("scene", metavar="SCENE.yaml", help="a scene file, or a card with its scene")
    parser.add_argument("--who", required=True, metavar="ID", help="the operative that moves")
    parser.add_argument("--to", required=True, metavar="X,Y[,Z]", help="a place in inches, or an enemy to charge")
    parser.add_argument("--action", help="the action it moves with; the ordinary move unless you say, such as charge")
    parser.add_argument("--move", type=int, default=6, metavar="INCHES", help="its Move stat; 6 unless you say")
    parser.add_argument("--json", action="store_true", help="print one object for other programs")


def run(args: argparse.Namespace) -> int:
    if not 1 <= args.move <= MOST_MOVE:
        raise UserError(f'--move is {args.move}; a Move stat is from 1" to {MOST_MOVE}"')
    place = printable(args.scene, 200)
    file = load_scene(Path(args.scene))
    for warning in file.warnings:
        print(warning, file=sys.stderr)
    from ktsim.game.move_ruling import move_ruling, read_place

    ids = {each.id for each in file.scene.operatives}
    try:
        to = args.to if args.to in ids else read_place(args.to)
    except UserError as error:
        raise UserError(Problem("--to", f"{error.problems[0].text}, or an operative's id")) from None
    try:
        found = move_ruling(file, args.who, to, args.action, args.move)
    except UserError as error:
        raise UserError(*(Problem(each.place or place, each.text) for each in error.problems)) from None
    print(json.dumps(found.as_json(args.scene), indent=2, allow_nan=False) if args.json else found.as_text())
    return 0
