"""What killzones and boards are called."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from ktsim.game.boards import OPEN
from ktsim.killzones import catalogue
from ktsim.sight.part_names import plain_words

EMPTY = "Empty board"


@lru_cache(maxsize=64)
def killzone_title(name: str) -> str:
    """A killzone by the title in its file; one that does not come with the program by the words of its own name."""
    if name in catalogue.names():
        return catalogue.title(name)
    words = plain_words(Path(name).stem)
    return words[:1].upper() + words[1:]


def board_title(board: str) -> str:
    """A board by its title, without what is special about it."""
    return EMPTY if board == OPEN else killzone_title(board).partition(": ")[0]
