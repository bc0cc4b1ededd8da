"""Wall kits: which wall pieces a grid is built of, how thick and high they are, and what is drawn for them.

Kits are data, one file each in ``assets/walls``; a killzone file names the kit of its grid.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import Literal, TypeAlias

from ktsim import paths
from ktsim.content.reader import Reader, Sheet, Unique
from ktsim.content.yaml_tree import Node, read_tree
from ktsim.killzones.size_source import read_source
from ktsim.sight.scene import MM

VERSION = "walls/1"
End: TypeAlias = Literal["start", "end"]
ENDS: tuple[End, ...] = ("start", "end")
Access: TypeAlias = Literal["hatchway", "breach"]
STATES = ("closed", "open")
"""Of an access point, in the order in which its bodies are listed."""


@dataclass(frozen=True)
class WallPiece:
    """A wall piece: how many cells it spans, at which ends it brings a pillar, what access point it has.

    *bodies* are the pieces drawn for it: by turns, or one for each of the states of its access point.
    """

    cells: int
    pillars: tuple[End, ...]
    access: Access | None
    bodies: tuple[str, ...]


@dataclass(frozen=True)
class WallKit:
    """*cell* is how long a cell is in the bodies, in inches: they are stretched to the line they stand on. *pillar* and
    *hatch* are pieces."""

    name: str
    source: str
    thickness: float
    height: float
    cell: float
    pillar: str
    hatch: str
    pieces: Mapping[str, WallPiece]


def kits() -> tuple[str, ...]:
    """The names of the kits that come with the program."""
    return tuple(sorted(path.stem for path in (paths.assets() / "walls").glob("*.yaml")))


@lru_cache(maxsize=16)
def load_kit(name: str) -> WallKit:
    """The kit of that name, one of :func:`kits`."""
    path = paths.assets() / "walls" / f"{name}.yaml"
    reader = Reader(str(path))
    keys = ("ktsim", "source", "thickness", "height", "cell", "pillar", "hatch", "pieces")
    sheet = reader.sheet(read_tree(path), "the kit", keys, ("ktsim", "cell", "pillar", "pieces"))
    version = sheet.get("ktsim")
    if version is not None and version.text != VERSION:
        reader.problem(version, f"a wall kit says 'ktsim: {VERSION}'")
    names = Unique(reader, "wall piece")
    pieces = dict(_piece(reader, node, names) for node in sheet.items("pieces", 1, 100))
    kit = WallKit(
        name,
        read_source(reader, sheet),
        sheet.number("thickness", 0.05, 4, 0.4),
        sheet.number("height", 0.5, 20, 2.75),
        sheet.number("cell", 20, 600, 100) * MM,
        sheet.text("pillar"),
        sheet.text("hatch"),
        MappingProxyType(pieces),
    )
    reader.finish()
    return kit


def _piece(reader: Reader, node: Node, names: Unique) -> tuple[str, WallPiece]:
    sheet = reader.sheet(node, "a wall piece", ("name", "cells", "pillars", "access", "bodies"), ("name", "bodies"))
    name = sheet.text("name")
    names.claim(name, sheet.get("name"), node)
    ends = tuple(reader.one_of(item, "an end", ENDS) for item in sheet.items("pillars", 0, 2))
    access = _access(sheet)
    bodies = tuple(reader.text(item, "a body") for item in sheet.items("bodies", 1, 20))
    if access is not None and len(bodies) != len(STATES):
        reader.problem(node, f"'{name}' has an access point; it has two bodies, for {' and '.join(STATES)}")
    return name, WallPiece(int(sheet.number("cells", 1, 15, 1)), ends, access, bodies)


def _access(sheet: Sheet) -> Access | None:
    options: tuple[Access, ...] = ("hatchway", "breach")
    return None if "access" not in sheet else sheet.one_of("access", options, "hatchway")
