"""The table of a game as a picture, and the places of it under the pointer."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from ktsim.game.boards import OPEN
from ktsim.killzones.catalogue import load_named
from ktsim.rules.battle import Battle
from ktsim.rules.decisions import Point
from ktsim.rules.state import State, milli

from ..scenery import killzone_scenery
from ..stage.cameras import Free
from ..stage.looks import Scenery, plain_scenery
from ..stage.picking import Picker
from ..table.picture import Frame, Place, TablePicture
from .board_marks import scene_of

if TYPE_CHECKING:
    from ..desktop import Desktop


def scenery_of(battle: Battle, board: str) -> Scenery:
    """How a board looks: a killzone's own looks, or plain ones."""
    terrain = battle.board.terrain
    return plain_scenery(terrain) if board == OPEN else killzone_scenery(load_named(board, Path.cwd()))


def picture_of(desktop: Desktop, battle: Battle, state: State, board: str, free: Free) -> TablePicture:
    """The table of a game, to be shown by *desktop*."""
    frame = Frame(desktop.size, desktop.scale, free)
    return TablePicture(desktop.engine, scene_of(battle, state), scenery_of(battle, board), frame, desktop.settings)


def point_at(picture: TablePicture, at: Place) -> Point | None:
    """The place under the pointer where something could be put: the floor or a Vantage level, operatives looked
    through; over anything else the floor behind it."""
    bare = Picker(replace(picture.scene, operatives=()))
    picked = bare.under(at, picture.pose(), picture.frame.size)
    if picked is not None and picked.standable:
        x, y, z = picked.point
        return milli(x), milli(y), milli(z)
    flat = picture.on_level(at, 0.0)
    return (milli(flat[0]), milli(flat[1]), 0) if flat is not None else None


def operative_at(picture: TablePicture, at: Place) -> str:
    """The id of the operative under the pointer, or nothing."""
    picked = picture.under(at)
    return picked.id if picked is not None and picked.kind == "operative" else ""
