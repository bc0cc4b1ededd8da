"""Killzone files: pieces on a board with its areas, and which rules the killzone brings.

Gantries whose floors touch are one feature (KZ-BHETA-GANTRY)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Literal, TypeAlias

import numpy as np
import trimesh
from numpy.typing import NDArray

from ktsim.content.printable import printable
from ktsim.content.reader import Reader, Sheet, Unique
from ktsim.content.yaml_tree import Node, read_tree
from ktsim.errors import UserError
from ktsim.geometry.plane import apart, hull, is_simple
from ktsim.geometry.solids import welded
from ktsim.killzones.grid import Grid, read_grid
from ktsim.killzones.pieces import ESTIMATED, Piece, Placement, load_piece, read_source, shipped, together
from ktsim.killzones.terrain_reader import TerrainReader
from ktsim.killzones.walls import wall_features
from ktsim.sight.scene import Area, Feature, Part, Terrain

VERSION = "killzone/1"
KEYS = (
    *(
        "ktsim",
        "name",
        "title",
        "board",
        "look",
        "ground",
        "symmetry",
        "source",
        "rules",
        "pieces",
        "grid",
        "features",
        "walls",
    ),
    *("hazardous areas", "drop zones", "territories", "objectives"),
)
BOARD_LIMITS = (2.0, 96.0)
TRIANGLE_LIMIT = 2_000_000
"""A killzone with more triangles than this is not loaded."""

_RULE = re.compile(r"K[ZT][0-9]*-[A-Z0-9-]+")
Symmetry: TypeAlias = Literal["rotation", "none"]
SYMMETRIES: tuple[Symmetry, ...] = ("rotation", "none")
Outline: TypeAlias = tuple[tuple[float, float], ...]


@dataclass(frozen=True)
class Zone:
    """A named region of the floor: a drop zone or a territory."""

    id: str
    outline: Outline


@dataclass(frozen=True)
class Objective:
    """Where an objective marker lies; on the floor unless the killzone allows Vantage."""

    id: str
    at: tuple[float, float, float]


@dataclass(frozen=True, eq=False)
class Killzone:
    """A killzone: the terrain that rules, the regions players use, and what to draw.

    *pieces* maps the ids in the file to their placements; *placements* is everything to draw, the ground included.
    *lines* says where in the file each thing is described, by words such as ``piece stronghold-a``.
    """

    terrain: Terrain
    path: Path
    title: str
    look: str
    symmetry: Symmetry
    drop_zones: tuple[Zone, ...]
    territories: tuple[Zone, ...]
    objectives: tuple[Objective, ...]
    pieces: Mapping[str, Placement]
    placements: tuple[Placement, ...]
    grid: Grid | None
    lines: Mapping[str, int]
    source: str = ESTIMATED
    """Where the sizes in its file come from."""
    warnings: tuple[str, ...] = ()
    """Doubts about the file and its pieces, each a sentence with its place."""

    @property
    def name(self) -> str:
        return self.terrain.name

    def piece(self, placement: Placement) -> Piece:
        """The piece a placement shows."""
        return load_piece(placement.piece, self.path.parent)

    @property
    def sizes(self) -> str:
        """Where all its sizes come from, in a word: those of its file and of the pieces in it that rule."""
        ruling = {placement.piece: placement for placement in self.placements if placement.feature}
        kit = [self.grid.kit.source] if self.grid else []
        return together([self.source, *kit, *(self.piece(placement).source for placement in ruling.values())])

    def line(self, what: str) -> int:
        return self.lines.get(what, 1)

    def meshes(self) -> trimesh.Scene:
        """Every part that rules as the game starts, a mesh each, called ``feature/part`` and with its traits."""
        scene = trimesh.Scene()
        for part in (part for feature in self.terrain.features for part in feature.parts_in(None)):
            mesh = welded(part.triangles)
            mesh.metadata["traits"] = sorted(part.traits)
            scene.add_geometry(mesh, part.key, part.key)
        return scene


def load_killzone(path: Path | str) -> Killzone:
    """The killzone in the file at *path*; :class:`UserError` with every problem when there is any.

    A file that has not changed gives the same value, so that what sight has prepared for it is found again.
    """
    path = Path(path)
    try:
        status = path.stat()
    except (OSError, ValueError):
        return _load(str(path), 0, 0)
    return _load(str(path), status.st_mtime_ns, status.st_size)


@lru_cache(maxsize=32)
def _load(path: str, changed: int, size: int) -> Killzone:
    return _KillzoneReader(Path(path)).read()


class _KillzoneReader:
    def __init__(self, path: Path) -> None:
        self.path = path
        self.reader = Reader(str(path))
        self.terrain = TerrainReader(self.reader, path.parent)
        self.lines: dict[str, int] = {}
        self.doubts: list[str] = []
        self._triangles = 0
        self._gave_up = False

    def read(self) -> Killzone:
        root = read_tree(self.path)
        reader = self.reader
        sheet = reader.sheet(root, "the killzone", KEYS, ("ktsim", "name", "board", "drop zones"))
        if not isinstance(root.value, dict):
            reader.finish()
        version = sheet.get("ktsim")
        if version is not None and version.text != VERSION:
            reader.problem(version, f"'ktsim' is '{printable(version.text)}'; a killzone file says 'ktsim: {VERSION}'")
        name = sheet.text("name")
        board = self._board(sheet)
        rules = frozenset(self._rule(item) for item in sheet.items("rules", 0, 60))
        placed = self._pieces(sheet)
        own = self.terrain.features(sheet.items("features"))
        features = (*(self._feature(id, place) for id, place in placed.items() if place.feature), *own)
        node = sheet.get("grid")
        grid = None if node is None else read_grid(reader, node, board, self.terrain.ids)
        walls = (*(grid.lines() if grid else ()), *self.terrain.walls(sheet.items("walls")))
        self._note_lines(grid)
        areas = self._areas(sheet)
        drop_zones, territories = self._zones(sheet, "drop zones", 2), self._zones(sheet, "territories", 2)
        objectives = self._objectives(sheet)
        ground = self._ground(sheet, board)
        source = read_source(reader, sheet)
        reader.finish()
        names: dict[str, str] = {}
        if "KZ-BHETA-GANTRY" in rules:
            features, names = joined(features)
        shown = tuple(replace(p, feature=names.get(p.feature, p.feature)) for p in placed.values())
        terrain = Terrain(board, (*features, *wall_features(walls)), walls, areas, rules, name)
        return Killzone(
            terrain,
            self.path,
            sheet.text("title", name),
            sheet.text("look", name),
            sheet.one_of("symmetry", SYMMETRIES, "rotation"),
            drop_zones,
            territories,
            objectives,
            MappingProxyType(placed),
            (*ground, *shown, *(grid.placements() if grid else ())),
            grid,
            MappingProxyType(self.lines),
            source,
            (*dict.fromkeys(self.doubts), *reader.warnings),
        )

    def _board(self, sheet: Sheet) -> tuple[float, float]:
        sizes = [self.reader.number(item, "the board's size", *BOARD_LIMITS) for item in sheet.items("board", 2, 2)]
        return (sizes[0], sizes[1]) if len(sizes) == 2 else (30.0, 22.0)

    def _rule(self, node: Node) -> str:
        text = self.reader.text(node, "a rule")
        if text and not _RULE.fullmatch(text):
            self.reader.problem(node, f"'{printable(text)}' is not the id of a rule; they look like 'KZ-BARRED'")
        return text

    # -- pieces ----------------------------------------------------------------------------------------------

    def _pieces(self, sheet: Sheet) -> dict[str, Placement]:
        found: dict[str, Placement] = {}
        for node in sheet.items("pieces", 0, 300):
            keys = ("piece", "id", "at", "turn", "mirror")
            item = self.reader.sheet(node, "a piece", keys, ("piece", "id", "at"))
            id, name = item.text("id"), item.text("piece")
            self.terrain.ids.claim(id, item.get("id"), node)
            x, y, *z = item.point("at", (2, 3))
            turn = item.number("turn", -360, 360, 0.0)
            mirror = item.flag("mirror", False)
            if name and self._known(name, item.get("piece") or node):
                # A piece without parts, such as a marker, is only drawn.
                rules = bool(load_piece(name, self.path.parent).parts)
                place = (x, y, z[0] if z else 0.0)
                found[id] = Placement(name, place, turn % 360, mirror, feature=id if rules else "")
                self.lines[f"piece {id}"] = node.line
        return found

    def _known(self, name: str, node: Node) -> bool:
        """Can the piece be loaded? What is wrong with it is said where it is named.

        After too many triangles or a bad piece of the user's own no more are read: each could take long.
        """
        if self._gave_up:
            return False
        before = self.reader.count
        try:
            piece = load_piece(name, self.path.parent)
            self.doubts += piece.warnings
            self._triangles += piece.triangle_count
            if self._triangles > TRIANGLE_LIMIT:
                self._gave_up = True
                self.reader.problem(node, f"the pieces up to here have more than {TRIANGLE_LIMIT:,} triangles")
        except UserError as error:
            self._gave_up = name not in shipped() and (self.path.parent / f"{name}.yaml").exists()
            for problem in error.problems:
                at = f" ({problem.place})" if problem.place else ""
                self.reader.problem(node, f"{problem.text}{at}")
        return self.reader.count == before

    def _feature(self, id: str, placement: Placement) -> Feature:
        piece = load_piece(placement.piece, self.path.parent)
        parts = tuple(
            Part(id, part.name, part.traits, placement.applied(part.triangles), part.kind, part.is_open)
            for part in piece.parts
        )
        return Feature(id, parts, kind=piece.kind)

    def _ground(self, sheet: Sheet, board: tuple[float, float]) -> tuple[Placement, ...]:
        node = sheet.get("ground")
        name = sheet.text("ground")
        if node is None or not name or not self._known(name, node):
            return ()
        return (Placement(name, (board[0] / 2, board[1] / 2, 0.0)),)

    def _note_lines(self, grid: Grid | None) -> None:
        for id, line in self.terrain.ids.lines.items():
            self.lines.setdefault(f"piece {id}", line)
        for wall in grid.walls if grid else ():
            for number in ("", "-1", "-2"):
                self.lines[f"piece {wall.id}{number}"] = wall.line

    # -- regions ---------------------------------------------------------------------------------------------

    def _areas(self, sheet: Sheet) -> tuple[Area, ...]:
        return tuple(Area(zone.id, "hazardous", zone.outline) for zone in self._zones(sheet, "hazardous areas", 0))

    def _zones(self, sheet: Sheet, key: str, least: int) -> tuple[Zone, ...]:
        ids = Unique(self.reader, key.removesuffix("s"))
        found = []
        for node in sheet.items(key, least if key in sheet else 0, 60):
            item = self.reader.sheet(node, f"one of the {key}", ("id", "outline"), ("id", "outline"))
            id = item.text("id")
            ids.claim(id, item.get("id"), node)
            before = self.reader.count
            outline = item.outline("outline")
            if outline and self.reader.count == before and not is_simple(outline):
                self.reader.problem(
                    item.get("outline") or node, "the outline crosses itself; list its corners once around"
                )
            elif outline:
                found.append(Zone(id, outline))
                self.lines[f"{key} {id}"] = node.line
        return tuple(found)

    def _objectives(self, sheet: Sheet) -> tuple[Objective, ...]:
        ids = Unique(self.reader, "objective")
        found = []
        for node in sheet.items("objectives", 0, 20):
            item = self.reader.sheet(node, "an objective", ("id", "at"), ("id", "at"))
            id = item.text("id")
            ids.claim(id, item.get("id"), node)
            x, y, *z = item.point("at", (2, 3))
            found.append(Objective(id, (x, y, z[0] if z else 0.0)))
            self.lines[f"objective {id}"] = node.line
        return tuple(found)


TOUCH = 0.01
"""Floors nearer to each other than this, in inches, touch."""


def joined(features: Sequence[Feature]) -> tuple[tuple[Feature, ...], dict[str, str]]:
    """The features with touching gantries merged, and the new id of each that was merged.

    A merged feature is called by the ids of its gantries with a ``+`` between, its parts by gantry and name.
    """
    gantries = [feature for feature in features if feature.kind == "gantry"]
    group = {feature.id: feature.id for feature in gantries}
    for i, one in enumerate(gantries):
        for other in gantries[i + 1 :]:
            if group[one.id] != group[other.id] and _touch(one, other):
                old, new = group[other.id], group[one.id]
                group = {id: new if head == old else head for id, head in group.items()}
    names: dict[str, str] = {}
    for head in dict.fromkeys(group.values()):
        ids = [id for id in group if group[id] == head]
        if len(ids) > 1:
            names.update({id: "+".join(ids) for id in ids})
    found: list[Feature] = []
    for feature in features:
        name = names.get(feature.id)
        if name is None:
            found.append(feature)
        elif all(other.id != name for other in found):
            members = [gantry for gantry in gantries if names.get(gantry.id) == name]
            parts = [
                replace(part, feature=name, name=f"{gantry.id} {part.name}")
                for gantry in members
                for part in gantry.parts
            ]
            found.append(replace(feature, id=name, parts=tuple(parts)))
    return tuple(found), names


def _floors(feature: Feature) -> list[tuple[NDArray[np.float64], float]]:
    """The outline, seen from above, and the height of each floor."""
    return [(hull(part.triangles[..., :2].reshape(-1, 2)), part.top) for part in feature.parts if part.kind == "floor"]


def _touch(one: Feature, other: Feature) -> bool:
    return any(
        abs(a_top - b_top) <= TOUCH and apart(a, b) <= TOUCH for a, a_top in _floors(one) for b, b_top in _floors(other)
    )
