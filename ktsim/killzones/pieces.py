"""Terrain pieces: a sidecar YAML that says what each part is in the rules, and the meshes it names.

Shipped pieces lie in ``assets/terrain`` with one GLB each. A piece of a user's own lies beside the killzone file
and names a mesh file (a scan, say) for every part; without painted meshes it is drawn by its traits. A placement says
where a piece stands.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray
from trimesh import Trimesh

from ktsim import paths
from ktsim.content.files import OutsideFolder, inside
from ktsim.content.mesh_file import UNITS, paint_of, read_own
from ktsim.content.printable import printable
from ktsim.content.reader import Reader, Sheet, Unique, nearest
from ktsim.content.yaml_tree import Node, read_tree
from ktsim.errors import UserError
from ktsim.geometry.solids import triangles_of, welded
from ktsim.killzones.terrain_reader import BLANK, TerrainReader, placed
from ktsim.sight.scene import Triangles

VERSION = "terrain/1"
KEYS = ("ktsim", "name", "kind", "source", "parts", "lights")
DECOR = "decor-"
"""How the names of meshes begin that are only drawn."""

ESTIMATED, MEASURED, PARTLY = "estimated", "measured", "partly measured"
"""Where sizes come from: of every piece and killzone we know whether somebody measured it or we only estimate. A
``source:`` begins with one of the first two and may say more after a comma, such as ``measured, with callipers``."""

Colours: TypeAlias = NDArray[np.uint8]
"""Shape (n, 4), one row a triangle: sRGB albedo and the number of the material times 16."""


@dataclass(frozen=True, eq=False)
class PiecePart:
    """A part in the piece's own frame. Parts that are not *visible* rule but are not drawn."""

    name: str
    kind: str
    traits: frozenset[str]
    mesh: Trimesh
    visible: bool
    line: int
    """Where the sidecar describes it."""
    is_open: bool = False
    """A user's mesh that is not closed, of which the piece's warnings tell."""

    @cached_property
    def triangles(self) -> Triangles:
        return triangles_of(self.mesh)


@dataclass(frozen=True)
class Light:
    """A lamp on a piece: where, its linear colour times its strength, and how far it reaches in inches."""

    at: tuple[float, float, float]
    colour: tuple[float, float, float]
    reach: float


@dataclass(frozen=True, eq=False)
class Drawn:
    """Painted triangles (n, 3, 3) and their colours, in the piece's own frame. Shared: compare by identity."""

    triangles: Triangles
    colours: Colours


@dataclass(frozen=True, eq=False)
class Piece:
    """A terrain piece: its ruling parts, and what is drawn (*body*: its visible parts, *decor*: all else)."""

    name: str
    kind: str
    parts: tuple[PiecePart, ...]
    body: Drawn
    decor: Drawn
    lights: tuple[Light, ...]
    path: Path
    source: str = ESTIMATED
    """Where its sizes come from."""
    warnings: tuple[str, ...] = ()

    @property
    def triangle_count(self) -> int:
        """Everything a killzone pays for it: drawn triangles and those that only rule."""
        hidden = sum(len(part.mesh.faces) for part in self.parts if not part.visible)
        return len(self.body.triangles) + len(self.decor.triangles) + hidden


def shipped() -> tuple[str, ...]:
    """The names of the pieces that come with the program."""
    return tuple(sorted(path.stem for path in (paths.assets() / "terrain").glob("*.yaml")))


def own_folder() -> Path:
    """Where a user's own pieces lie."""
    return paths.user_data() / "terrain"


def own_names() -> tuple[str, ...]:
    """The names of the user's own pieces."""
    found = {path.stem for path in own_folder().glob("*.yaml")} - {SIZES, *shipped()}
    return tuple(sorted(found))


def usable_names() -> tuple[str, ...]:
    """The user's own pieces that can be loaded; what is wrong with others is said where they are named."""
    return tuple(name for name in own_names() if _is_usable(_stamp(own_folder() / f"{name}.yaml")))


@lru_cache(maxsize=256)
def _is_usable(stamp: Stamp) -> bool:
    try:
        return bool(_load(stamp, False).parts)
    except UserError:
        return False


SIZES = "sizes"
"""The file among the user's pieces that is none: it says what sizes shipped ones have."""


@lru_cache(maxsize=256)
def has_parts(name: str) -> bool:
    """Has that shipped piece parts that rule? Its meshes are not loaded for it."""
    tree = read_tree(paths.assets() / "terrain" / f"{name}.yaml").value
    node = tree.get("parts") if isinstance(tree, dict) else None
    return node is not None and bool(node.value)


def load_piece(name: str, folder: Path | None = None) -> Piece:
    """The piece called *name*: out of *folder* when it has one of that name, else a shipped one, else the user's."""
    if folder is not None:
        try:
            return _load(_stamp(inside(folder, f"{name}.yaml")), False)
        except OutsideFolder:
            pass
    if name not in shipped():
        try:
            return _load(_stamp(inside(own_folder(), f"{name}.yaml")), False)
        except OutsideFolder:
            known = (*shipped(), *own_names())
            raise UserError(f"there is no terrain piece '{printable(name)}'; {nearest(name, known)}") from None
    return _load(_stamp(paths.assets() / "terrain" / f"{name}.yaml"), True)


Stamp: TypeAlias = tuple[str, int, int]


def _stamp(path: Path) -> Stamp:
    """A file as it is now: a changed file is read again."""
    status = path.stat()
    return str(path), status.st_mtime_ns, status.st_size


@lru_cache(maxsize=256)
def _load(stamp: Stamp, ours: bool) -> Piece:
    path = Path(stamp[0])
    reader = Reader(str(path))
    sheet = reader.sheet(read_tree(path), "the piece", KEYS, ("ktsim", "parts"))
    version = sheet.get("ktsim")
    if version is not None and version.text != VERSION:
        reader.problem(version, f"a terrain piece says 'ktsim: {VERSION}'")
    meshes = read_own(path.with_suffix(".glb")) if ours else {}
    terrain = TerrainReader(reader, path.parent)
    names = Unique(reader, "part")
    parts = tuple(_part(terrain, node, meshes, names) for node in sheet.items("parts", 0, 500))
    lights = tuple(_light(reader, node) for node in sheet.items("lights", 0, 64))
    source = read_source(reader, sheet)
    reader.finish()
    body = _drawn([meshes[part.name] for part in parts if part.visible and part.name in meshes])
    decor = _drawn([mesh for name, mesh in meshes.items() if name.startswith(DECOR)])
    return Piece(path.stem, sheet.text("kind"), parts, body, decor, lights, path, source, tuple(reader.warnings))


def _part(terrain: TerrainReader, node: Node, meshes: Mapping[str, Trimesh], names: Unique) -> PiecePart:
    reader = terrain.reader
    keys = ("name", "kind", "traits", "visible", "mesh", "unit")
    sheet = reader.sheet(node, "a part", keys, ("name", "traits"))
    name = sheet.text("name")
    names.claim(name, sheet.get("name"), node)
    traits = frozenset(terrain.trait(item) for item in sheet.items("traits"))
    given = sheet.get("mesh")
    found = None
    if given is not None:
        found = terrain.meshes.scan(given, sheet.one_of("unit", UNITS, "mm"), f"part '{name}'")
    elif name not in meshes:
        reader.problem(node, f"the part '{name}' has no mesh; name a file, such as 'mesh: {name or 'wall'}.stl'")
    mesh = meshes.get(name, welded(BLANK)) if found is None else found.mesh
    is_open = found is not None and found.is_open
    return PiecePart(name, sheet.text("kind"), traits, mesh, sheet.flag("visible", True), node.line, is_open)


def _light(reader: Reader, node: Node) -> Light:
    sheet = reader.sheet(node, "a light", ("at", "colour", "reach"), ("at", "colour", "reach"))
    x, y, z = sheet.point("at", (3,), (0.0, 0.0, 0.0))
    red, green, blue = (
        reader.number(item, "a light's colour", 0, 100) for item in sheet.items("colour", 3, 3) or [node] * 3
    )
    return Light((x, y, z), (red, green, blue), sheet.number("reach", 0, 40, 3))


def _drawn(meshes: list[Trimesh]) -> Drawn:
    painted = [(triangles_of(mesh), paint) for mesh in meshes if (paint := paint_of(mesh)) is not None]
    triangles = np.concatenate([np.zeros((0, 3, 3)), *(each for each, _ in painted)])
    colours = np.concatenate([np.zeros((0, 4), np.uint8), *(paint for _, paint in painted)])
    for array in (triangles, colours):
        array.setflags(write=False)
    return Drawn(triangles, colours)


@dataclass(frozen=True)
class Placement:
    """A piece on the board, for drawing it and, if it rules, for its feature.

    The piece is mirrored (x to -x) and stretched along its x first, then turned counter-clockwise, then moved.
    *feature* is the feature it shows; a placement with a *state* is shown only while the feature is in it.
    """

    piece: str
    at: tuple[float, float, float]
    turn: float = 0.0
    mirror: bool = False
    stretch: float = 1.0
    feature: str = ""
    state: str | None = None

    def applied(self, local: Triangles) -> Triangles:
        """Triangles of the piece where they stand, still wound outwards."""
        if self.mirror:
            local = local[:, ::-1] * np.array([-self.stretch, 1.0, 1.0])
        elif self.stretch != 1.0:
            local = local * np.array([self.stretch, 1.0, 1.0])
        return placed(local, self.at, self.turn)

    def matrix(self) -> NDArray[np.float64]:
        """The same as a matrix (4, 4) for column vectors."""
        axes = placed(np.array([[[0.0, 0, 0], [1, 0, 0], [0, 1, 0]]]), (0.0, 0.0), self.turn)[0]
        out = np.eye(4)
        out[:3, 0] = axes[1] * (-self.stretch if self.mirror else self.stretch)
        out[:3, 1] = axes[2]
        out[:3, 3] = self.at
        return out


def read_source(reader: Reader, sheet: Sheet, usual: str = ESTIMATED) -> str:
    """What a file says about its sizes; *usual* unless it says so."""
    text = sheet.text("source", usual)
    node = sheet.get("source")
    if node is None or not text:
        return usual
    if text.partition(",")[0].strip() not in (ESTIMATED, MEASURED):
        reader.problem(node, f"'source' is '{printable(text)}'; it begins with '{ESTIMATED}' or '{MEASURED}'")
    return text


def is_measured(source: str) -> bool:
    return source.partition(",")[0].strip() == MEASURED


def together(sources: Iterable[str]) -> str:
    """Where the sizes of several things come from: a card says ``sizes: `` and this. What all say is said in full."""
    said = list(sources)
    if len(set(said)) == 1:
        return said[0]
    measured = [is_measured(source) for source in said]
    if measured and all(measured):
        return MEASURED
    return PARTLY if any(measured) else ESTIMATED
