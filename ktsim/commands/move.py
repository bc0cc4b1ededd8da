"""``ktsim move``: can an operative of a scene get somewhere, what does it cost, and why not."""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import replace
from importlib import import_module
from pathlib import Path

from ktsim.content.files import check_output
from ktsim.content.printable import printable
from ktsim.errors import Problem, UserError
from ktsim.killzones.asked_move import MOST_MOVE, USUAL_MOVE, AskedMove
from ktsim.killzones.scene_file import SceneFile, load_scene


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("scene", metavar="SCENE.yaml", help="a scene file, or a card with its scene")
    parser.add_argument("--who", metavar="ID", help="the operative that moves; as the scene asks unless you say")
    parser.add_argument("--to", metavar="X,Y[,Z]", help="a place in inches, or an enemy to charge")
    parser.add_argument("--action", help="the action it moves with; the ordinary move unless you say, such as charge")
    parser.add_argument("--move", type=int, metavar="INCHES", help=f"its Move stat; {USUAL_MOVE} unless you say")
    parser.add_argument("--json", action="store_true", help="print one object for other programs")
    parser.add_argument("--png", metavar="FILE", help="draw the ruling to this file")


def run(args: argparse.Namespace) -> int:
    if args.move is not None and not 1 <= args.move <= MOST_MOVE:
        raise UserError(f'--move is {args.move}; a Move stat is from 1" to {MOST_MOVE}"')
    if args.png is not None:
        check_output(args.png, "PNG picture", args.scene)
    place = printable(args.scene, 200)
    file = load_scene(Path(args.scene))
    for warning in file.warnings:
        print(warning, file=sys.stderr)
    from ktsim.game.move_ruling import asked_ruling

    asked = _question(args, file)
    file = replace(file, move=asked)
    try:
        found = asked_ruling(file)
    except UserError as error:
        raise UserError(*(Problem(each.place or place, each.text) for each in error.problems)) from None
    if args.png is not None:
        drawn = replace(file, move=replace(asked, to=found.enemy or found.to))
        import_module("ktsim.app.card.move_card").write_move_card(drawn, Path(args.png))
        print(f"The card is in {printable(args.png, 200)}.", file=sys.stderr)
    print(json.dumps(found.as_json(args.scene), indent=2, allow_nan=False) if args.json else found.as_text())
    return 0


def _question(args: argparse.Namespace, file: SceneFile) -> AskedMove:
    """What is asked: what the command line says, else what the scene does."""
    from ktsim.game.move_ruling import read_place

    asked = file.move or AskedMove("")
    if args.who is not None and args.who != asked.who:
        asked = AskedMove(args.who)
    if not asked.who or (args.to is None and asked.to is None):
        raise UserError("name --who moves and --to where, or have the scene ask: 'move: {who: ID, to: [x, y]}'")
    to, action = asked.to, asked.action
    if args.to is not None:
        action = None  # the scene's action is about the scene's goal
        try:
            to = args.to if args.to in {each.id for each in file.scene.operatives} else read_place(args.to)
        except UserError as error:
            raise UserError(Problem("--to", f"{error.problems[0].text}, or an operative's id")) from None
    return AskedMove(asked.who, to, args.action or action, args.move or asked.move)
