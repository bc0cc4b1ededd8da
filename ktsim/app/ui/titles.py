"""What killzones and boards are called."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from ktsim.content.yaml_tree import read_tree
from ktsim.errors import UserError
from ktsim.game.boards import OPEN, is_table
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
    """A board by its title, without what is special about it; a table kept beside a game by its killzone."""
    if is_table(board):
        return f"{_under(board)}, changed"
    return EMPTY if board == OPEN else killzone_title(board).partition(": ")[0]


@lru_cache(maxsize=256)
def _under(table: str) -> str:
    """The killzone on which a table was laid out; nothing but that is read of it."""
    try:
        tree = read_tree(Path(table)).value
    except UserError:
        return "A table"
    node = tree.get("killzone") if isinstance(tree, dict) else None
    return board_title(node.text) if node is not None and node.text in catalogue.names() else EMPTY
