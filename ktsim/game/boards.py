"""The boards a game can be played on, by name."""

from __future__ import annotations

import hashlib
from pathlib import Path

from ktsim.killzones import catalogue
from ktsim.killzones.killzone_file import Killzone
from ktsim.rules.engine.board import Board, open_board

OPEN = "open"


def board_names() -> tuple[str, ...]:
    """A bare board and every killzone that comes with the program."""
    return (OPEN, *catalogue.names())


def find_board(name: str) -> Board:
    """A board by name, or the killzone in a file in or below the working folder."""
    return open_board() if name == OPEN else board_of(catalogue.load_named(name, Path.cwd()))


def board_of(killzone: Killzone) -> Board:
    """What the game needs of a killzone. Its first drop zone and territory are red's, its second blue's."""
    red, blue = killzone.drop_zones[:2]
    return Board(
        killzone.name,
        killzone.terrain,
        {"red": red.outline, "blue": blue.outline},
        {"red": killzone.territories[0].outline, "blue": killzone.territories[1].outline},
        tuple(objective.at for objective in killzone.objectives),
        hashlib.blake2b(killzone.path.read_bytes(), digest_size=8).hexdigest(),
    )
