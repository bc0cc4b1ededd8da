"""``ktsim play``: the window, or with ``--text`` a game in the terminal."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from random import Random

from ktsim.app.shell.display import Unopened
from ktsim.commands.sim import add_game_arguments, ally_of, bot_of, check_seed, machine_seat, setup_of
from ktsim.commands.table import open_desktop
from ktsim.content.printable import printable
from ktsim.errors import Problem, UserError
from ktsim.game import journal
from ktsim.game.bots import BOTS, LEVELS
from ktsim.game.journal import MendableSave, shown_path
from ktsim.game.players import Player, Sampler
from ktsim.game.record import load, mend
from ktsim.game.session import Session, autosave_path
from ktsim.game.text_play import HELP, TextPlay
from ktsim.game.variations import SameDice, branch

ALLIES = f"player (two at the terminal) or a bot: {', '.join(BOTS)}"
SECONDS = 4.0
"""How long a bot may look around for one decision; what it does then takes little more."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--text", action="store_true", help="play in the terminal")
    parser.add_argument("--load", metavar="FILE", help="go on with a saved game")
    parser.add_argument("--after", type=int, metavar="N", help="with --load: play on after its first N answers, anew")
    parser.add_argument("--same-dice", action="store_true", help="with --after: dice fall as they fell there")
    parser.add_argument("--mend", action="store_true", help="go on from what is good of a damaged or outdated game")
    parser.add_argument("--save", metavar="FILE", help="where the game is kept (default: your folder of games)")
    parser.add_argument("--dice", default="rolled", metavar="D", help="rolled, typed, or a seed to roll them from")
    parser.add_argument("--sandbox", action="store_true", help="undo freely, across dice too")
    parser.add_argument("--quick", action="store_true", help="take the default where only one answer is sensible")
    for side in ("red", "blue"):
        parser.add_argument(f"--{side}-bot", metavar="BOT", help=f"let a bot play {side}: {', '.join(BOTS)}")
        parser.add_argument(f"--{side}-level", default="", metavar="L", help=f"one of {', '.join(LEVELS)}")
    parser.add_argument("--ally", default="", metavar="WHO", help=f"of a joint mission, half of blue: {ALLIES}")
    add_game_arguments(parser)


def run(args: argparse.Namespace) -> int:
    if not args.text:
        if args.save:
            raise UserError("the window keeps every game in your folder of games; --save goes with --text")
        saved = Path(args.load) if args.load else None
        if saved is not None:
            journal.read(saved)  # a bad file is told of before a window opens
        try:
            open_desktop(game=saved)
        except Unopened as problem:
            raise UserError(f"{problem.problems[0]} In the terminal: ktsim play --text") from None
        return 0
    if args.after is not None and not args.load:
        raise UserError("--after goes with --load, the game to play on from")
    bots_of(args, args.mission)  # whoever is named wrongly is told of before anything begins
    check_seed("--dice", args.dice)
    session, dice = begin(args), dice_of(args)
    bots = bots_of(args, session.setup.mission_name)
    print(HELP)
    try:
        play = TextPlay(session, input, sys.stdout, dice=dice, bots=bots, takes_obvious=args.quick)
        is_over = play.run()
    except Exception as error:
        error.add_note(f"after {len(session.game.answers)} answers of {session.setup.to_json()}; dice: {args.dice}")
        raise
    finally:
        session.close()
    if not is_over:
        print("The game is saved and can be continued.")
    return 0


def bots_of(args: argparse.Namespace, mission: str) -> dict[str, Player]:
    """The bots that play, by seat; ``ally`` has half of blue."""
    machine_seat(args, mission, None)
    bots: dict[str, Player] = {}
    for side in ("red", "blue"):
        if getattr(args, f"{side}_bot") is not None:
            bots[side] = bot_of(args, side, Random().getrandbits(64), SECONDS)
    if args.ally and args.ally != "player":
        bots["ally"] = ally_of(args, Random().getrandbits(64), SECONDS)
    return bots


def dice_of(args: argparse.Namespace) -> Player | None:
    """What rolls the dice; nothing when they are typed in."""
    if args.same_dice:
        if args.after is None or not args.load:
            raise UserError("--same-dice goes with --load and --after, which say whose dice and from when on")
        return SameDice(load(Path(args.load)), args.after, Random().getrandbits(64))
    if args.dice == "typed":
        return None
    return Sampler(Random().getrandbits(64) if args.dice == "rolled" else args.dice)


def begin(args: argparse.Namespace) -> Session:
    """The session to play: a saved game gone on with, or a new one kept from its first answer on."""
    if args.load:
        path = Path(args.load)
        if args.after is not None:
            path = branch(path, args.after)
            print(f"Made {shown_path(path)}: the first {args.after} answers.", file=sys.stderr)
        if args.mend:
            whole, (path, holds) = path, mend(path)
            print(f"{'Made ' if path != whole else ''}{shown_path(path)}: {holds}.", file=sys.stderr)
        try:
            session, warning = Session.resume(path, is_sandbox=args.sandbox)
        except MendableSave as error:
            remedy = Problem("", "with --mend it goes on, in a new file, from what is good of it")
            raise UserError([*error.problems, remedy]) from None
        if warning:
            print(warning, file=sys.stderr)
        return session
    path = Path(args.save) if args.save else autosave_path()
    if args.save and not path.parent.exists():
        raise UserError(Problem(shown_path(path), "cannot be written: there is no such folder; choose another place"))
    session = Session.begin(setup_of(args), path, is_sandbox=args.sandbox)
    print(f"This game is kept in {printable(str(path), 200)}")
    return session
