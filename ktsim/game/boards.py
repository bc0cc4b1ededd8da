"""The boards a game can be played on, by name."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from pathlib import Path

import numpy as np

from ktsim.killzones import catalogue
from ktsim.killzones.killzone_file import Killzone, load_killzone
from ktsim.killzones.scene_file import SceneFile, load_scene
from ktsim.rules.engine.board import Board, open_board

OPEN = "open"
TABLE = ".board.yaml"
"""How the name of a scene file ends whose table, without operatives, is the board of a game."""
FINENESS = 1e4
"""Terrain differs when it differs by a ten-thousandth of an inch: mathematics is not the same to the last bit on every
machine."""


def board_names() -> tuple[str, ...]:
    """A bare board and every killzone that comes with the program."""
    return (OPEN, *catalogue.names())


def is_file_name(name: str) -> bool:
    """Whether *name* is that of a killzone file rather than of a board that comes with the program."""
    return name not in board_names() and ("/" in name or name.endswith((".yaml", ".yml")))


def is_table(name: str) -> bool:
    """Whether *name* is that of a scene file whose table is a board."""
    return name.endswith(TABLE)


def find_board(name: str) -> Board:
    """A board by name, or the killzone or table in a file that the player named."""
    if name == OPEN:
        return open_board()
    if is_table(name):
        return board_on(load_scene(Path(name)))
    return board_of(load_killzone(Path(name)) if is_file_name(name) else catalogue.load_named(name, Path.cwd()))


def board_of(killzone: Killzone) -> Board:
    """What the game needs of a killzone. Its first drop zone and territory are red's, its second blue's."""
    red, blue = killzone.drop_zones[:2]
    return Board(
        killzone.name,
        killzone.terrain,
        {"red": red.outline, "blue": blue.outline},
        {"red": killzone.territories[0].outline, "blue": killzone.territories[1].outline},
        tuple(objective.at for objective in killzone.objectives),
    )


def board_on(file: SceneFile) -> Board:
    """The board of a scene: its terrain with the zones and objectives of its killzone, or those of a bare board."""
    terrain = file.scene.terrain
    if file.killzone is None:
        return replace(open_board(OPEN, terrain.board), terrain=terrain)
    return replace(board_of(catalogue.load_named(file.killzone, file.path.parent)), terrain=terrain)


def board_digest(board: Board) -> str:
    """A hash of what rules read of a board: its terrain part by part, its zones and objectives; no title, no look."""
    found = hashlib.blake2b(digest_size=8)
    terrain = board.terrain
    for feature in terrain.features:
        for state, parts in (("", feature.parts), *sorted(feature.states.items())):
            for part in parts:
                found.update(f"{part.key} {state} {sorted(part.traits)}".encode())
                found.update(np.round(part.triangles * FINENESS).astype(np.int64).tobytes())
    areas = [(area.id, area.kind, area.outline) for area in terrain.areas]
    rest = [terrain.board, terrain.walls, areas, sorted(terrain.rules), board.objectives]
    zones = [sorted(board.drop_zones.items()), sorted(board.territories.items())]
    found.update(repr([rest, zones]).encode())
    return found.hexdigest()
