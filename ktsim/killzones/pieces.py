"""Terrain pieces: a sidecar YAML that says what each part is in the rules, and the meshes it names.

Shipped pieces lie in ``assets/terrain`` with one GLB each. A piece of a user's own lies beside the killzone file
and names a mesh file (a scan, say) for every part; without painted meshes it is drawn by its traits.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from ktsim import paths
from ktsim.content.folder import OutsideFolder, inside
from ktsim.content.glb import Mesh, NotOurs, read_glb
from ktsim.content.mesh_file import UNITS
from ktsim.content.reader import Reader, Unique, nearest
from ktsim.content.yaml_tree import Node, read_tree
from ktsim.errors import Problem, UserError
from ktsim.killzones.size_source import ESTIMATED, read_source
from ktsim.killzones.terrain_reader import BLANK, TerrainReader
from ktsim.sight.scene import Triangles

VERSION = "terrain/1"
KEYS = ("ktsim", "name", "kind", "source", "parts", "lights")
DECOR = "decor-"
"""How the names of meshes begin that are only drawn."""

Colours: TypeAlias = NDArray[np.uint8]
"""Shape (n, 4), one row a triangle: sRGB albedo and the number of the material times 16."""


@dataclass(frozen=True, eq=False)
class PiecePart:
    """A part in the piece's own frame. Parts that are not *visible* rule but are not drawn."""

    name: str
    kind: str
    traits: frozenset[str]
    triangles: Triangles
    visible: bool
    line: int
    """Where the sidecar describes it."""


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

    @property
    def triangle_count(self) -> int:
        """Everything a killzone pays for it: drawn triangles and those that only rule."""
        hidden = sum(len(part.triangles) for part in self.parts if not part.visible)
        return len(self.body.triangles) + len(self.decor.triangles) + hidden


def shipped() -> tuple[str, ...]:
    """The names of the pieces that come with the program."""
    return tuple(sorted(path.stem for path in (paths.assets() / "terrain").glob("*.yaml")))


@lru_cache(maxsize=256)
def has_parts(name: str) -> bool:
    """Has that shipped piece parts that rule? Its meshes are not loaded for it."""
    tree = read_tree(paths.assets() / "terrain" / f"{name}.yaml").value
    node = tree.get("parts") if isinstance(tree, dict) else None
    return node is not None and bool(node.value)


def load_piece(name: str, folder: Path | None = None) -> Piece:
    """The piece called *name*: out of *folder* when it has one of that name, else a shipped one."""
    if folder is not None:
        try:
            return _load(_stamp(inside(folder, f"{name}.yaml")), False)
        except OutsideFolder:
            pass
    if name not in shipped():
        raise UserError(f"there is no terrain piece '{name}'; {nearest(name, shipped())}")
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
    meshes = _meshes(path.with_suffix(".glb")) if ours else {}
    terrain = TerrainReader(reader, path.parent)
    names = Unique(reader, "part")
    parts = tuple(_part(terrain, node, meshes, names) for node in sheet.items("parts", 0, 500))
    lights = tuple(_light(reader, node) for node in sheet.items("lights", 0, 64))
    source = read_source(reader, sheet)
    reader.finish()
    body = _drawn([meshes[part.name] for part in parts if part.visible and part.name in meshes])
    decor = _drawn([mesh for name, mesh in meshes.items() if name.startswith(DECOR)])
    return Piece(path.stem, sheet.text("kind"), parts, body, decor, lights, path, source)


def _meshes(path: Path) -> dict[str, Mesh]:
    try:
        return {mesh.name: mesh for mesh in read_glb(path)}
    except (OSError, NotOurs) as error:
        text = f"cannot be read: {error}; build it again with 'scripts/build_assets terrain'"
        raise UserError(Problem(str(path), text)) from None


def _part(terrain: TerrainReader, node: Node, meshes: dict[str, Mesh], names: Unique) -> PiecePart:
    reader = terrain.reader
    keys = ("name", "kind", "traits", "visible", "mesh", "unit")
    sheet = reader.sheet(node, "a part", keys, ("name", "traits"))
    name = sheet.text("name")
    names.claim(name, sheet.get("name"), node)
    traits = frozenset(terrain.trait(item) for item in sheet.items("traits"))
    given = sheet.get("mesh")
    if given is not None:
        found = terrain.meshes.mesh(given, sheet.one_of("unit", UNITS, "mm"))
        triangles = BLANK if found is None else found
    elif name in meshes:
        triangles = meshes[name].triangles()
        triangles.setflags(write=False)
    else:
        reader.problem(node, f"the part '{name}' has no mesh; name a file, such as 'mesh: {name or 'wall'}.stl'")
        triangles = BLANK
    return PiecePart(name, sheet.text("kind"), traits, triangles, sheet.flag("visible", True), node.line)


def _light(reader: Reader, node: Node) -> Light:
    sheet = reader.sheet(node, "a light", ("at", "colour", "reach"), ("at", "colour", "reach"))
    x, y, z = sheet.point("at", (3,), (0.0, 0.0, 0.0))
    red, green, blue = (
        reader.number(item, "a light's colour", 0, 100) for item in sheet.items("colour", 3, 3) or [node] * 3
    )
    return Light((x, y, z), (red, green, blue), sheet.number("reach", 0, 40, 3))


def _drawn(meshes: list[Mesh]) -> Drawn:
    painted = [mesh for mesh in meshes if mesh.colours is not None and len(mesh.indices)]
    if not painted:
        return Drawn(np.zeros((0, 3, 3)), np.zeros((0, 4), np.uint8))
    triangles = np.concatenate([mesh.triangles() for mesh in painted])
    colours = np.concatenate([mesh.colours[mesh.indices[:, 0]] for mesh in painted if mesh.colours is not None])
    for array in (triangles, colours):
        array.setflags(write=False)
    return Drawn(triangles, colours)
