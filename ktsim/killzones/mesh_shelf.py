"""The meshes one file uses: each is read and checked once, however often it is named."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from trimesh import Trimesh

from ktsim.content.folder import OutsideFolder, inside
from ktsim.content.mesh_file import BadMesh, TooSlow, Unit, read_mesh
from ktsim.content.printable import printable
from ktsim.content.reader import Reader
from ktsim.content.yaml_tree import Node
from ktsim.geometry.closed import is_closed, triangles_of

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
