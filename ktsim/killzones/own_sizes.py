"""The sizes a user's own terrain has, kept in the user's folder by the names of the pieces."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType

from ktsim.content.files import write_atomically
from ktsim.content.reader import Reader
from ktsim.content.yaml_tree import read_tree, to_yaml
from ktsim.errors import UserError
from ktsim.killzones.catalogue import load_named
from ktsim.killzones.pieces import SIZES, own_folder
from ktsim.killzones.scene_file import DEFAULT_BOARD, SceneFile
from ktsim.killzones.scene_pieces import own_pieces, with_piece
from ktsim.killzones.sizes import Sizes, read_sizes
from ktsim.sight.scene import Scene, Terrain

VERSION = "sizes/1"
UNNAMED = Path("table.yaml")
"""Where a table lies that was never saved."""


def known_sizes() -> Mapping[str, Sizes]:
    """The sizes that the user has given pieces, by their names. Raises UserError when the file cannot be used."""
    path = own_folder() / f"{SIZES}.yaml"
    try:
        status = path.stat()
    except OSError:
        return MappingProxyType({})
    return _read(path, status.st_mtime_ns, status.st_size)


@lru_cache(maxsize=2)
def _read(path: Path, changed: int, size: int) -> Mapping[str, Sizes]:
    """The sizes in the file; *changed* and *size* tell versions apart."""
    reader = Reader(str(path))
    sheet = reader.sheet(read_tree(path), "the file of sizes", ("ktsim", "pieces"), ("ktsim", "pieces"))
    node, found = sheet.get("pieces"), {}
    if node is not None and isinstance(node.value, dict):
        found = {name: read_sizes(reader, item) for name, item in node.value.items()}
    reader.finish()
    return MappingProxyType(found)


def sizes_for(piece: str) -> Sizes | None:
    """The user's sizes of a piece, if there are any that can be used."""
    try:
        return known_sizes().get(piece)
    except UserError:
        return None


def keep_sizes(piece: str, sizes: Sizes | None) -> None:
    """Remember the sizes of a piece, or (None) that it has its own again."""
    try:
        known = dict(known_sizes())
    except UserError:
        known = {}  # what cannot be read is of no use to anybody; the new file is
    known.pop(piece, None)
    if sizes is not None:
        known[piece] = sizes
    own_folder().mkdir(parents=True, exist_ok=True)
    entries = {name: each.as_entry() for name, each in sorted(known.items())}
    text = to_yaml({"ktsim": VERSION, "pieces": entries})
    write_atomically(own_folder() / f"{SIZES}.yaml", text.encode("utf-8"))


def new_file(killzone: str | None) -> SceneFile:
    """A table with nothing but a shipped killzone's terrain on it, as large as the user's, or an empty board. Where the
    user's sizes are not known for certain its warnings say why."""
    terrain = load_named(killzone, Path()).terrain if killzone else Terrain(DEFAULT_BOARD)
    file = SceneFile(Scene(terrain), "kt24", (), None, killzone, UNNAMED)
    try:
        known = known_sizes()
        for piece in own_pieces(file):
            if (sizes := known.get(piece.piece)) is not None:
                file = with_piece(file, replace(piece, sizes=sizes))
    except UserError as error:
        text = f"Your own sizes are not used: {error.problems[0]}"
        return replace(file, warnings=(*file.warnings, text))
    return file


def pieces_resized(killzone: str) -> tuple[str, ...]:
    """The names of the pieces of a shipped killzone that the user has given sizes."""
    try:
        known = known_sizes()
    except UserError:
        return ()
    placed = load_named(killzone, Path()).pieces.values() if known else ()
    return tuple(sorted({place.piece for place in placed} & known.keys()))
