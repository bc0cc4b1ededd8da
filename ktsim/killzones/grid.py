"""Boards of walls on a grid: junctions are named like the squares of a chess board, walls run between them.

Junctions are named by a letter for the column of lines and a number for the row: ``a0`` is the corner at the
board's origin, ``c4`` two lines to the right and four up. A wall of two cells becomes two wall lines, so that
every junction is an end of the lines that meet there (KZ-WALL-ENDS).
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from types import MappingProxyType
from typing import Literal, TypeAlias

from ktsim import paths
from ktsim.content.printable import printable
from ktsim.content.reader import Reader, Sheet, Unique
from ktsim.content.yaml_tree import Node, read_tree
from ktsim.killzones.pieces import Placement, read_source
from ktsim.killzones.walls import LEAF_THICKNESS, LEAF_WIDTH
from ktsim.sight.scene import MM, BreachPoint, Hatchway, WallLine

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


LETTERS = "abcdefghijklmnop"
DEFAULT_KIT = "gallowdark"
Spot: TypeAlias = tuple[float, float]
Junction: TypeAlias = tuple[int, int]


@dataclass(frozen=True)
class GridWall:
    """One wall piece on the grid, from one junction to another."""

    id: str
    piece: str
    start: tuple[int, int]
    end: tuple[int, int]
    hatchway: Hatchway | None
    breach: BreachPoint | None
    line: int

    def steps(self) -> list[tuple[int, int]]:
        """The junctions it runs along, both ends included."""
        cells = max(abs(self.end[0] - self.start[0]), abs(self.end[1] - self.start[1]))
        dx, dy = (self.end[0] - self.start[0]) // cells, (self.end[1] - self.start[1]) // cells
        return [(self.start[0] + dx * k, self.start[1] + dy * k) for k in range(cells + 1)]


@dataclass(frozen=True)
class Grid:
    """The grid of a killzone: what its walls are made of, how many cells, how large, where its corner is, its walls."""

    kit: WallKit
    cells: tuple[int, int]
    cell: tuple[float, float]
    corner: tuple[float, float]
    walls: tuple[GridWall, ...]

    def place(self, junction: tuple[int, int]) -> tuple[float, float]:
        """Where a junction is on the board."""
        return self.corner[0] + junction[0] * self.cell[0], self.corner[1] + junction[1] * self.cell[1]

    def lines(self) -> tuple[WallLine, ...]:
        """The wall lines, one per cell that a wall spans."""
        return tuple(line for wall in self.walls for line in self._lines_of(wall))

    def _lines_of(self, wall: GridWall) -> list[WallLine]:
        steps = wall.steps()
        ids = [wall.id] if len(steps) == 2 else [f"{wall.id}-{k}" for k in range(1, len(steps))]
        found = []
        for id, a, b in zip(ids, steps, steps[1:], strict=False):
            posts = tuple(self._posts[each] for each in (a, b) if each in self._posts)
            size = (self.kit.thickness, self.kit.height)
            line = WallLine(id, self.place(a), self.place(b), *size, wall.hatchway, posts, wall.breach)
            found.append(line)
        return found

    # -- drawing ---------------------------------------------------------------------------------------------

    def placements(self) -> tuple[Placement, ...]:
        """What to draw: a body on every wall, hatches in both states, pillars."""
        found: list[Placement] = []
        for number, wall in enumerate(self.walls):
            found += self._bodies(wall, number)
        owners = {at: line.id for line in reversed(self.lines()) for at in line.posts}
        pillars = [Placement(self.kit.pillar, (*at, 0.0), feature=owners[at]) for at in self._posts.values()]
        return (*found, *pillars)

    def _bodies(self, wall: GridWall, number: int) -> list[Placement]:
        (x0, y0), (x1, y1) = self.place(wall.start), self.place(wall.end)
        turn = math.degrees(math.atan2(y1 - y0, x1 - x0)) % 360
        cells = len(wall.steps()) - 1
        stretch = math.hypot(x1 - x0, y1 - y0) / (cells * self.kit.cell)
        at = (x0, y0, 0.0)
        piece = self.kit.pieces[wall.piece]
        if piece.access is None:
            body = piece.bodies[number % len(piece.bodies)]
            return [Placement(body, at, turn, stretch=stretch, feature=self._lines_of(wall)[0].id)]
        found = []
        for state, body in zip(STATES, piece.bodies, strict=True):
            found.append(Placement(body, at, turn, stretch=stretch, feature=wall.id, state=state))
            if wall.hatchway is not None:
                found.append(_leaf(self.kit.hatch, wall, self._lines_of(wall)[0], turn, state))
        return found

    @cached_property
    def _posts(self) -> dict[Junction, Spot]:
        """A pillar where walls end, turn or branch and where a piece brings one. At a free end it stands back, so
        that the wall ends with it."""
        ways: dict[Junction, set[tuple[int, int]]] = {}
        wanted: set[Junction] = set()
        for wall in self.walls:
            for a, b in itertools.pairwise(wall.steps()):
                ways.setdefault(a, set()).add((b[0] - a[0], b[1] - a[1]))
                ways.setdefault(b, set()).add((a[0] - b[0], a[1] - b[1]))
            wanted |= {getattr(wall, end) for end in self.kit.pieces[wall.piece].pillars}
        found = {}
        for junction, directions in sorted(ways.items()):
            straight = len(directions) == 2 and sum(x + y for x, y in directions) == 0
            if straight and junction not in wanted:
                continue
            x, y = self.place(junction)
            dx, dy = next(iter(directions)) if len(directions) == 1 else (0, 0)
            back = 0.75 * self.kit.thickness  # half a pillar
            found[junction] = (x + dx * back, y + dy * back)
        return found


def _leaf(piece: str, wall: GridWall, line: WallLine, turn: float, state: str) -> Placement:
    """The hatch, whose model has its hinge at the origin and its leaf along x, as the wall's feature has it."""
    assert wall.hatchway is not None
    length = math.dist(line.start, line.end)
    ux, uy = (line.end[0] - line.start[0]) / length, (line.end[1] - line.start[1]) / length
    at_start = wall.hatchway.hinge == "start"
    if state == "closed":
        along, across = length / 2 - LEAF_WIDTH / 2 if at_start else length / 2 + LEAF_WIDTH / 2, 0.0
        heading = turn if at_start else turn + 180
    else:
        side = 1 if wall.hatchway.swing == "left" else -1
        jamb = wall.hatchway.width / 2 + LEAF_THICKNESS / 2
        along = length / 2 - jamb if at_start else length / 2 + jamb
        across = side * line.thickness / 2
        heading = turn + 90 * side
    x = line.start[0] + along * ux - across * uy
    y = line.start[1] + along * uy + across * ux
    return Placement(piece, (x, y, 0.0), heading % 360, feature=wall.id, state=state)


# -- reading -----------------------------------------------------------------------------------------------------


def read_grid(reader: Reader, node: Node, board: tuple[float, float], ids: Unique) -> Grid:
    """The grid in a killzone file, in the middle of its *board*."""
    sheet = reader.sheet(node, "the grid", ("kit", "cells", "cell", "walls"), ("cells", "cell", "walls"))
    kit = load_kit(sheet.one_of("kit", kits(), DEFAULT_KIT))
    counts = [int(reader.number(item, "a number of cells", 1, 15)) for item in sheet.items("cells", 2, 2)] or [
        1,
        1,
    ]
    sizes = [reader.number(item, "a cell's size in mm", 20, 600) * MM for item in sheet.items("cell", 2, 2)] or [
        1,
        1,
    ]
    cells, cell = (counts[0], counts[1]), (sizes[0], sizes[1])
    spare = board[0] - cells[0] * cell[0], board[1] - cells[1] * cell[1]
    if min(spare) < -0.01:
        reader.problem(node, f"{cells[0]} x {cells[1]} cells are larger than the board; make the board larger")
    walls: list[GridWall] = []
    taken: dict[frozenset[tuple[int, int]], str] = {}
    for item in sheet.items("walls", 0, 400):
        wall = _read_wall(reader, item, kit, cells, ids)
        if wall is None:
            continue
        for edge in _edges(wall):
            if edge in taken:
                reader.problem(item, f"the wall '{wall.id}' lies on '{taken[edge]}'; leave one out")
            taken[edge] = wall.id
        walls.append(wall)
    return Grid(kit, cells, cell, (spare[0] / 2, spare[1] / 2), tuple(walls))


def _edges(wall: GridWall) -> list[frozenset[tuple[int, int]]]:
    steps = wall.steps()
    return [frozenset(pair) for pair in itertools.pairwise(steps)]


def _read_wall(reader: Reader, node: Node, kit: WallKit, cells: tuple[int, int], ids: Unique) -> GridWall | None:
    keys = ("id", "piece", "from", "to", "hinge", "swing")
    sheet = reader.sheet(node, "a wall on the grid", keys, ("id", "piece", "from", "to"))
    id = sheet.text("id")
    ids.claim(id, sheet.get("id"), node)
    name = sheet.one_of("piece", tuple(kit.pieces), next(iter(kit.pieces)))
    before = reader.count
    start, end = (_junction(reader, sheet.get(key) or node, cells) for key in ("from", "to"))
    piece = kit.pieces[name]
    if piece.access != "hatchway" and ("hinge" in sheet or "swing" in sheet):
        reader.problem(node, f"the wall '{printable(id)}' has no hatchway; 'hinge' and 'swing' are for those that do")
    hatchway = None
    if piece.access == "hatchway":
        hatchway = Hatchway(
            hinge=sheet.one_of("hinge", ("start", "end"), "start"),
            swing=sheet.one_of("swing", ("left", "right"), "left"),
        )
    across, up = abs(end[0] - start[0]), abs(end[1] - start[1])
    if reader.count > before:
        return None
    if min(across, up) != 0 or max(across, up) != piece.cells:
        span = {1: "one cell", 2: "two cells"}.get(piece.cells, f"{piece.cells} cells") + " in a straight line"
        reader.problem(node, f"the wall '{printable(id)}' is a {name}; it spans {span}, so move 'from' or 'to'")
        return None
    breach = BreachPoint() if piece.access == "breach" else None
    return GridWall(id, name, start, end, hatchway, breach, node.line)


def _junction(reader: Reader, node: Node, cells: Sequence[int]) -> tuple[int, int]:
    text = node.text
    if len(text) >= 2 and text[0] in LETTERS[: cells[0] + 1] and text[1:].isdecimal() and int(text[1:]) <= cells[1]:
        return LETTERS.index(text[0]), int(text[1:])
    last = f"{LETTERS[cells[0]]}{cells[1]}"
    reader.problem(node, f"'{printable(text)}' is not a junction of the grid; they run from a0 to {last}")
    return 0, 0
