"""``ktsim table`` and ``ktsim`` alone: the window."""

from __future__ import annotations

import argparse
from pathlib import Path

from ktsim.app.shell.display import NO_DISPLAY, Unopened, has_display
from ktsim.errors import UserError
from ktsim.killzones.scene_file import load_scene


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("scene", nargs="?", metavar="SCENE.yaml", help="a scene file to open on the ruling table")


def run(args: argparse.Namespace) -> int:
    scene = Path(args.scene) if args.scene else None
    if scene is not None:
        load_scene(scene)  # a bad file is told of before a window opens
    try:
        open_desktop(scene)
    except Unopened as problem:
        raise UserError(f"{problem.problems[0]} Without one, ktsim rule SCENE.yaml says the same in words.") from None
    return 0


def open_desktop(scene: Path | None = None, game: Path | None = None) -> None:
    """The window, until it is closed: at its start screen, with a scene on the table, or in a saved game.

    Raises :class:`Unopened` where there is nothing to open it on.
    """
    if not has_display():
        raise Unopened(NO_DISPLAY)
    from ktsim.app.shell.window import run as run_window

    run_window(scene, game)
