"""Terrain as files write it down: features with parts, walls by their lines, areas. For scenes and killzones.

Each mesh of a file is read and checked once, however often it is named."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

import numpy as np
from trimesh import Trimesh

from ktsim.content.files import OutsideFolder, inside
from ktsim.content.mesh_file import UNITS, BadMesh, TooSlow, Unit, read_mesh
from ktsim.content.printable import printable
from ktsim.content.reader import COORDINATE_LIMIT, Reader, Sheet, Unique, nearest
from ktsim.content.yaml_tree import Node
from ktsim.errors import UserError
from ktsim.geometry.plane import is_simple
from ktsim.geometry.solids import box, cylinder, is_closed, prism, triangles_of
from ktsim.killzones.walls import wall_problem
from ktsim.sight.levels import FIRE_STEP, FIRE_STEP_TRAITS
from ktsim.sight.scene import TRAITS, Area, BreachPoint, Feature, Hatchway, Part, Triangles, WallLine

PieceMaker: TypeAlias = Callable[[Sheet, tuple[float, float, float], float], Feature]
"""Makes a feature from an entry with the name of a terrain piece, the place and the turn; raises UserError."""
PIECE_KEYS = ("id", "at", "turn", "sizes", "piece")

SHAPES = ("box", "cylinder", "prism", "mesh")
LEAST = 1e-3
"""The least size of anything, in inches."""

PART_LIMIT = 2_000
"""The most parts a file may have."""

BLANK: Triangles = box((0, 0, 0), (1, 1, 1))
"""What stands in for a shape that could not be read."""


class TerrainReader:
    """Reads terrain; *folder* is where the file lies that names the meshes. With *pieces* a feature may be one of
    those terrain pieces instead of a list of parts."""

    def __init__(self, reader: Reader, folder: Path, pieces: PieceMaker | None = None) -> None:
        self._pieces = pieces
        self.reader = reader
        self.meshes = MeshShelf(reader, folder)
        self.ids = Unique(reader, "feature")
        self._parts = 0

    # -- features --------------------------------------------------------------------------------------------

    def features(self, nodes: list[Node]) -> tuple[Feature, ...]:
        return tuple(self._feature(node) for node in nodes)

    def _feature(self, node: Node) -> Feature:
        keys: tuple[str, ...] = ("id", "at", "turn", "parts")
        is_piece = self._pieces is not None and isinstance(node.value, dict) and "piece" in node.value
        if is_piece:
            keys = PIECE_KEYS
        sheet = self.reader.sheet(node, "a feature", keys, ("id", keys[-1]))
        id = sheet.text("id")
        self.ids.claim(id, sheet.get("id"), node)
        at = sheet.point("at", (2, 3))
        turn = sheet.number("turn", -3600, 3600, 0.0)
        if is_piece and self._pieces is not None:
            return self._piece(sheet, self._pieces, at, turn)
        names = Unique(self.reader, "part")
        parts = tuple(self._part(item, id, at, turn, names) for item in sheet.items("parts", 1, PART_LIMIT))
        return Feature(id, parts)

    def _piece(self, sheet: Sheet, pieces: PieceMaker, at: tuple[float, ...], turn: float) -> Feature:
        try:
            return pieces(sheet, (at[0], at[1], at[2] if len(at) > 2 else 0.0), turn)
        except UserError as error:
            for problem in error.problems:
                self.reader.problem(sheet.get("piece") or sheet.node, problem.text)
            return Feature(sheet.text("id"), ())

    def _part(self, node: Node, feature: str, at: tuple[float, ...], turn: float, names: Unique) -> Part:
        sheet = self.reader.sheet(node, "a part", ("id", "traits", *SHAPES, "unit"), ("id", "traits"))
        self._parts += 1
        if self._parts == PART_LIMIT + 1:
            self.reader.problem(node, f"the file has more than {PART_LIMIT} parts; leave some out")
        if self._parts > PART_LIMIT:
            return Part(feature, "", frozenset(), BLANK)
        id = sheet.text("id")
        names.claim(id, sheet.get("id"), node)
        traits = frozenset(self.trait(item) for item in sheet.items("traits"))
        local, is_open = self._shape(sheet, f"part '{feature}/{id}'")
        # Nothing else has all of these, and a file has no other word for it (KT24-VANTAGE-3).
        kind = FIRE_STEP if traits >= FIRE_STEP_TRAITS else ""
        return Part(feature, id, traits, placed(local, at, turn), kind, is_open)

    def trait(self, node: Node) -> str:
        """A known trait; a problem for any other word."""
        word = node.text if isinstance(node.value, str) else ""
        if word not in TRAITS:
            self.reader.problem(node, f"'{printable(node.text)}' is not a trait; {nearest(node.text, TRAITS)}")
        return word

    def _shape(self, sheet: Sheet, whose: str) -> tuple[Triangles, bool]:
        """The triangles, and whether they are an open surface."""
        given = [shape for shape in SHAPES if shape in sheet]
        if "unit" in sheet and "mesh" not in sheet:
            self.reader.problem(sheet.node, "'unit' is for a mesh; boxes, cylinders and prisms are in inches")
        if len(given) != 1:
            what = f"has two shapes ({', '.join(given)})" if given else "has no shape"
            self.reader.problem(sheet.node, f"{sheet.what} {what}; give it exactly one of {', '.join(SHAPES)}")
            return BLANK, False
        node = sheet.get(given[0])
        assert node is not None
        if given[0] == "box":
            return self._box(node), False
        if given[0] == "cylinder":
            return self._cylinder(node), False
        if given[0] == "prism":
            return self._prism(node), False
        found = self.meshes.scan(node, sheet.one_of("unit", UNITS, "mm"), whose)
        return (BLANK, False) if found is None else (triangles_of(found.mesh), found.is_open)

    def _box(self, node: Node) -> Triangles:
        before = self.reader.count
        items = self.reader.items(node, "a box", 2, 2)
        corners = [self.reader.point(item, "a corner of the box", (3,)) for item in items]
        if self.reader.count > before:
            return BLANK
        if min(abs(a - b) for a, b in zip(*corners, strict=True)) < LEAST:
            self.reader.problem(node, "the box has no size in one direction; give two opposite corners")
            return BLANK
        return box(*corners)

    def _cylinder(self, node: Node) -> Triangles:
        keys = ("centre", "radius", "height")
        sheet = self.reader.sheet(node, "a cylinder", keys, keys)
        centre = sheet.point("centre", (3,), (0.0, 0.0, 0.0))
        return cylinder(centre, sheet.number("radius", LEAST, 60, 1), sheet.number("height", LEAST, 60, 1))

    def _prism(self, node: Node) -> Triangles:
        sheet = self.reader.sheet(node, "a prism", ("outline", "z"), ("outline", "z"))
        before = self.reader.count
        outline = sheet.outline("outline")
        heights = [
            self.reader.number(item, "a height of the prism", -COORDINATE_LIMIT, COORDINATE_LIMIT)
            for item in sheet.items("z", 2, 2)
        ]
        if len(outline) < 3 or len(heights) < 2 or self.reader.count > before:
            return BLANK
        if abs(heights[0] - heights[1]) < LEAST:
            self.reader.problem(sheet.get("z") or node, "the prism has no height; 'z' is [low, high]")
            return BLANK
        if not self._is_outline(outline, sheet.get("outline") or node, "the prism"):
            return BLANK
        return prism(outline, *heights)

    def _is_outline(self, outline: tuple[tuple[float, float], ...], node: Node, what: str) -> bool:
        if is_simple(outline):
            return True
        self.reader.problem(node, f"{what}'s outline crosses itself or has no area; list its corners once around")
        return False

    # -- walls and areas -------------------------------------------------------------------------------------

    def walls(self, nodes: list[Node]) -> tuple[WallLine, ...]:
        """Wall lines. Their ids are feature ids too, since each becomes a feature."""
        return tuple(line for line in map(self._wall, nodes) if line is not None)

    def _wall(self, node: Node) -> WallLine | None:
        keys = ("id", "line", "thickness", "height", "hatchway", "breach")
        sheet = self.reader.sheet(node, "a wall", keys, ("id", "line"))
        id = sheet.text("id")
        self.ids.claim(id, sheet.get("id"), node)
        before = self.reader.count
        ends = [self.reader.point(item, "an end of the wall's line") for item in sheet.items("line", 2, 2)]
        thickness = sheet.number("thickness", 0.05, 4, 0.4)
        height = sheet.number("height", 0.5, 20, 2.75)
        given = sheet.get("hatchway")
        hatchway = None if given is None else self._hatchway(given)
        holed = sheet.get("breach")
        breach = None if holed is None else self._breach(holed)
        if holed is not None and given is not None:
            self.reader.problem(holed, f"the wall '{printable(id)}' has a hatchway and a breach point; leave one out")
        if len(ends) < 2 or self.reader.count > before:
            return None
        (x0, y0), (x1, y1) = ends
        line = WallLine(id, (x0, y0), (x1, y1), thickness, height, hatchway, breach=breach)
        text = wall_problem(line)
        if text is not None:
            self.reader.problem(sheet.get("line") or node, text)
            return None
        return line

    def _hatchway(self, node: Node) -> Hatchway:
        if node.value is None:
            return Hatchway()
        sheet = self.reader.sheet(node, "a hatchway", ("width", "hinge", "swing"))
        return Hatchway(
            sheet.number("width", 0.25, 20, 1.6),
            sheet.one_of("hinge", ("start", "end"), "start"),
            sheet.one_of("swing", ("left", "right"), "left"),
        )

    def _breach(self, node: Node) -> BreachPoint:
        if node.value is None:
            return BreachPoint()
        return BreachPoint(self.reader.sheet(node, "a breach point", ("width",)).number("width", 0.25, 20, 1.6))

    def areas(self, nodes: list[Node], kinds: tuple[str, ...]) -> tuple[Area, ...]:
        ids = Unique(self.reader, "area")
        found = []
        for node in nodes:
            sheet = self.reader.sheet(node, "an area", ("id", "kind", "outline"), ("id", "kind", "outline"))
            id = sheet.text("id")
            ids.claim(id, sheet.get("id"), node)
            kind = sheet.one_of("kind", kinds, kinds[0])
            before = self.reader.count
            outline = sheet.outline("outline")
            where = sheet.get("outline") or node
            if outline and self.reader.count == before and self._is_outline(outline, where, "the area"):
                found.append(Area(id, kind, outline))
        return tuple(found)


def placed(local: Triangles, at: tuple[float, ...], turn: float) -> Triangles:
    """*local* turned counter-clockwise by *turn* degrees about its origin, which then stands at *at*."""
    angle = math.radians(turn)
    # Right angles are exact, so that walls turned by 90 degrees still lie in a plane of one coordinate.
    quarter = {0: (1, 0), 1: (0, 1), 2: (-1, 0), 3: (0, -1)}.get(int(turn // 90) % 4) if turn % 90 == 0 else None
    c, s = quarter or (math.cos(angle), math.sin(angle))
    out = np.empty_like(local)
    out[..., 0] = c * local[..., 0] - s * local[..., 1] + at[0]
    out[..., 1] = s * local[..., 0] + c * local[..., 1] + at[1]
    out[..., 2] = local[..., 2] + (at[2] if len(at) > 2 else 0.0)
    out.setflags(write=False)
    return out


FILE_LIMIT = 64
"""The most different mesh files one file may name."""

TRIANGLE_LIMIT = 2_000_000
"""The most triangles one file may put on the table, meshes named twice counted twice."""


@dataclass(frozen=True, eq=False)
class Scan:
    """A mesh from outside. One that is not closed is ruled by its surface, the others face outwards."""

    mesh: Trimesh
    is_open: bool


class MeshShelf:
    """Meshes from the files in *folder*; what is wrong or doubtful goes to *reader*."""

    def __init__(self, reader: Reader, folder: Path) -> None:
        self.reader = reader
        self.folder = folder
        self._known: dict[tuple[str, Unit], Scan | str] = {}
        self._triangles = 0
        self._gave_up = False

    def scan(self, node: Node, unit: Unit, whose: str) -> Scan | None:
        """The mesh in the file that *node* names, for *whose* (``part 'ruin'``); None after a problem."""
        name = node.value if isinstance(node.value, str) else ""
        if (name, unit) not in self._known:
            if self._gave_up:
                return None  # one slow file has been reported; a hundred more must not take a hundred times as long
            if len(self._known) >= FILE_LIMIT:
                self._gave_up = True
                self.reader.problem(node, f"more than {FILE_LIMIT} mesh files are named; leave some out")
                return None
            self._known[name, unit] = self._read(name, unit)
        found = self._known[name, unit]
        if isinstance(found, str):
            self.reader.problem(node, f"the mesh {found}")
            return None
        self._triangles += len(found.mesh.faces)
        if self._triangles > TRIANGLE_LIMIT:
            self.reader.problem(node, f"the meshes have more than {TRIANGLE_LIMIT:,} triangles in all; simplify them")
            return None
        if found.is_open:
            self.reader.warn(
                node,
                f"the mesh {_shown(name)} of the {whose} is open (it has holes or loose edges), so it is ruled by its "
                "surface; make it watertight to rule it as a solid",
            )
        return found

    def _read(self, name: str, unit: Unit) -> Scan | str:
        """The mesh, or what is wrong with it."""
        try:
            mesh = read_mesh(inside(self.folder, name), unit)
        except OutsideFolder as error:
            return str(error)
        except BadMesh as error:
            self._gave_up = isinstance(error, TooSlow)
            return f"{_shown(name)} {error}"
        is_open = not is_closed(triangles_of(mesh))
        if not is_open and mesh.volume <= 0:
            return f"{_shown(name)} is inside out; reverse its faces (flip its normals)"
        return Scan(mesh, is_open)


def _shown(name: str) -> str:
    return f"'{printable(name, 80)}'"
