"""The photo of a real board that lies under a scene, and where in it the board is.

The picture lies beside the scene file, which names it; without it the scene is the same scene without a photo.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeAlias

from ktsim.content.files import OutsideFolder, inside, read_bounded, write_atomically
from ktsim.content.picture_file import KEPT_LIMIT
from ktsim.content.printable import printable
from ktsim.content.reader import Reader, Sheet
from ktsim.content.yaml_tree import Node
from ktsim.errors import UserError
from ktsim.geometry.plane_view import NoView, PlaneView, plane_view

Spot: TypeAlias = tuple[float, float]
KEYS = ("file", "size", "corners", "at", "along", "strength")
MOST_SIDE = 20_000
MOST_ALONG = 40
STRENGTH = 0.6
MARK = "-photo-"
"""What follows the scene's name in the name of its photo."""
DIGITS = 2
"""Places after the point of a pixel, and one more of an inch."""


@dataclass(frozen=True, eq=False)
class ScenePhoto:
    """*kept* is the picture's file, of *size* pixels. Its *corners*, in pixels from the top left, are the points *at*
    of the board; *along* are more of its places, each on one of the four sides between them. *strength* is how much of
    the board it hides."""

    kept: bytes
    size: tuple[int, int]
    corners: tuple[Spot, ...]
    at: tuple[Spot, ...]
    along: tuple[tuple[int, Spot], ...] = ()
    strength: float = STRENGTH
    name: str = ""
    """Its file beside the scene's, if it has one."""

    @cached_property
    def view(self) -> PlaneView:
        """How the board lies in it. Raises :class:`NoView` when its corners cannot be those of a board."""
        return plane_view(self.size, self.corners, self.at, self.along)

    def entry(self) -> dict[str, Any]:
        """What a scene file says of it."""
        found: dict[str, Any] = {
            "file": self.name,
            "size": list(self.size),
            "corners": [[round(value, DIGITS) for value in spot] for spot in self.corners],
            "at": [[round(value, DIGITS + 1) for value in spot] for spot in self.at],
        }
        if self.along:
            found["along"] = [[side, *(round(value, DIGITS) for value in spot)] for side, spot in self.along]
        return {**found, "strength": round(self.strength, DIGITS)}

    def name_beside(self, path: Path) -> str:
        """The name of its file in the folder of the scene file *path*: the one it was given there, else one that says
        whose it is and what is in it, so that no other photo is ever written over."""
        ending = f"{MARK}{sha256(self.kept).hexdigest()[:8]}.jpg"
        if self.name and not self.name.endswith(ending) and self._lies_at(path.parent / self.name):
            return self.name
        return f"{path.stem}{ending}"

    def write_beside(self, path: Path) -> None:
        """Put it into the folder of the scene file *path*, under its name."""
        if not self._lies_at(path.parent / self.name):
            write_atomically(path.parent / self.name, self.kept)

    def _lies_at(self, path: Path) -> bool:
        try:
            return path.stat().st_size == len(self.kept) and path.read_bytes() == self.kept
        except OSError:
            return False


def board_corners(board: tuple[float, float]) -> tuple[Spot, ...]:
    """Counter-clockwise from the origin."""
    return ((0.0, 0.0), (board[0], 0.0), board, (0.0, board[1]))


def read_photo(reader: Reader, node: Node, folder: Path) -> ScenePhoto | None:
    """The photo that a scene file in *folder* names. A picture that cannot be read is a warning: nothing that is ruled
    hangs on it."""
    before = reader.count
    sheet = reader.sheet(node, "'photo'", KEYS, KEYS[:4])
    sides = [int(reader.number(item, "the photo's size", 1, MOST_SIDE)) for item in sheet.items("size", 2, 2)]
    corners, at = (_spots(reader, sheet, key) for key in ("corners", "at"))
    along = tuple(_along(reader, item) for item in sheet.items("along", 0, MOST_ALONG))
    strength = sheet.number("strength", 0, 1, STRENGTH)
    name = sheet.text("file")
    if reader.count > before:
        return None
    photo = ScenePhoto(b"", (sides[0], sides[1]), corners, at, along, strength, name)
    try:
        plane_view(photo.size, corners, at, along)
    except NoView as error:
        reader.problem(node, f"'photo': {error}")
        return None
    try:
        path = inside(folder, name)
        kept = read_bounded(path, printable(name), KEPT_LIMIT, "a picture")
    except OutsideFolder as error:
        reader.warn(node, f"the photo {error}; the table is shown without it")
        return None
    except UserError as error:
        reader.warn(node, f"the photo {error.problems[0]}; the table is shown without it")
        return None
    return ScenePhoto(kept, *(photo.size, corners, at, along, strength, name))


def _spots(reader: Reader, sheet: Sheet, key: str) -> tuple[Spot, ...]:
    """Four points, of the picture or of the board."""
    found = []
    for item in sheet.items(key, 4, 4):
        x, y = (_numbers(reader, item, 2) or [0.0, 0.0])[:2]
        found.append((x, y))
    return tuple(found)


def _along(reader: Reader, node: Node) -> tuple[int, Spot]:
    side, x, y = _numbers(reader, node, 3) or [0.0, 0.0, 0.0]
    if side not in range(4):
        reader.problem(node, f"a place along a side begins with the side's number, 0 to 3, and not {side:g}")
    return int(side), (x, y)


def _numbers(reader: Reader, node: Node, count: int) -> list[float]:
    items = reader.items(node, "a place of the photo", count, count)
    return [reader.number(item, "a number of the photo", -MOST_SIDE, MOST_SIDE) for item in items]
