"""``ktsim demo``: the main jobs, shown anywhere: a ruling with its card as a picture, and a short battle in words."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from ktsim import paths
from ktsim.content.files import check_output
from ktsim.content.printable import printable
from ktsim.game.game import Game
from ktsim.game.players import Player, Sampler
from ktsim.game.setup import Setup, prepare
from ktsim.game.story import Teller
from ktsim.killzones.scene_file import load_scene
from ktsim.sight.ruling import ruling

EXAMPLE = "hatch-open.yaml"
SEED = "demo"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--png", default="ktsim-demo.png", metavar="FILE", help="where the card goes")
    parser.add_argument("--no-card", action="store_true", help="leave the picture out")
    parser.add_argument("--turning-points", type=int, default=1, metavar="N", help="how much battle (1 to 4)")


def run(args: argparse.Namespace) -> int:
    if not args.no_card:
        check_output(args.png, "PNG picture")
    path = paths.killzones() / "examples" / EXAMPLE
    scene_file = load_scene(path)
    shooter, target = scene_file.pairs[0]
    found = ruling(scene_file.scene, shooter, target, scene_file.edition, scene_file.weapon)
    print(f"A ruling, from {path.name}:\n")
    print(found.as_text())
    if not args.no_card:
        from ktsim.app.card.pictures import write_card

        print("\nDrawing its card ...", file=sys.stderr, flush=True)
        write_card(scene_file, found, Path(args.png))
        print(f"\nIts card is in {printable(args.png, 200)}.")
    print("\nA battle of two bots that pick at random:\n")
    for line in battle_in_words(min(max(args.turning_points, 1), 4)):
        print(line, flush=True)
    print("\nYour turn: ktsim rule SCENE.yaml, ktsim play --text, ktsim odds shoot --help.")
    return 0


def battle_in_words(turning_points: int) -> list[str]:
    """The first *turning_points* of a game, told line by line."""
    battle, state = prepare(Setup(mission="skirmish"))
    game = Game(battle, state)
    teller = Teller(game)
    players: dict[str, Player] = {
        "red": Sampler(f"{SEED}/red"),
        "blue": Sampler(f"{SEED}/blue"),
        "chance": Sampler(f"{SEED}/chance"),
    }
    told = list(teller.tell(game.events))
    while game.pending is not None and game.state.turning_point <= turning_points:
        answer = players[game.pending.seat].answer(game.pending, game)
        told += teller.tell(game.submit(answer))
    return told
