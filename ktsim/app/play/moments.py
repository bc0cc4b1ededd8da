"""A moment of a game as a scene for the ruling table."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from ktsim.game.boards import OPEN
from ktsim.game.setup import Setup
from ktsim.killzones.scene_file import SceneFile
from ktsim.rules.battle import Battle
from ktsim.rules.state import State
from ktsim.sight.scene import Edition, Scene

from ..table.loose import with_piece
from .board_marks import pieces_in, scene_of

if TYPE_CHECKING:
    from ..desktop import Desktop


def scene_file_of(battle: Battle, state: State, setup: Setup, pair: tuple[str, str] | None = None) -> SceneFile:
    """The table of that moment as a scene file, operatives by the names players call them, and the pieces players have
    put down as pieces of the file."""
    scene = scene_of(battle, state)
    several = Counter(state.operatives[one.id].name for one in scene.operatives)
    names = {}
    for one in scene.operatives:
        name = state.operatives[one.id].name
        names[one.id] = name if several[name] == 1 else f"{name} ({one.team})"
    operatives = tuple(replace(one, id=names[one.id]) for one in scene.operatives)
    named = Scene(battle.board.terrain, operatives, scene.states, scene.smoke)
    pairs = ((names[pair[0]], names[pair[1]]),) if pair is not None and set(pair) <= names.keys() else ()
    killzone = None if setup.board == OPEN else setup.board
    edition: Edition = "kt21-lite" if setup.edition.startswith("kt21") else "kt24"
    file = SceneFile(named, edition, pairs, None, killzone, Path("table.yaml"))
    for piece in pieces_in(state):
        file = with_piece(file, piece)
    return file


def open_on_table(
    desktop: Desktop, battle: Battle, state: State, setup: Setup, pair: tuple[str, str] | None = None
) -> None:
    """Open the ruling table over the present screen with a copy of that moment on it."""
    file = scene_file_of(battle, state, setup, pair)
    if desktop.table is None:
        table = desktop.lay_table(file)
    else:
        table = desktop.table
        table.lay(file)
    desktop.push(table)
