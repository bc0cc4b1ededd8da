"""The meshes one file uses: each is read and checked once, however often it is named."""

from __future__ import annotations

from pathlib import Path

from ktsim.content.folder import OutsideFolder, inside
from ktsim.content.mesh_file import BadMesh, TooSlow, Unit, read_mesh
from ktsim.content.printable import printable
from ktsim.content.reader import Reader
from ktsim.content.yaml_tree import Node
from ktsim.geometry.closed import is_closed, volume
from ktsim.sight.scene import Triangles

FILE_LIMIT = 64
"""The most different mesh files one file may name."""

TRIANGLE_LIMIT = 2_000_000
"""The most triangles one file may put on the table, meshes named twice counted twice."""


class MeshShelf:
    """Closed, outward meshes from the files in *folder*; what is wrong goes to *reader*."""

    def __init__(self, reader: Reader, folder: Path) -> None:
        self.reader = reader
        self.folder = folder
        self._known: dict[tuple[str, Unit], Triangles | str] = {}
        self._triangles = 0
        self._gave_up = False

    def mesh(self, node: Node, unit: Unit) -> Triangles | None:
        """The mesh in the file that *node* names; None after a problem."""
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
        self._triangles += len(found)
        if self._triangles > TRIANGLE_LIMIT:
            self.reader.problem(node, f"the meshes have more than {TRIANGLE_LIMIT:,} triangles in all; simplify them")
            return None
        return found

    def _read(self, name: str, unit: Unit) -> Triangles | str:
        """The mesh, or what is wrong with it."""
        shown = f"'{printable(name, 80)}'"
        try:
            triangles = read_mesh(inside(self.folder, name), unit)
        except OutsideFolder as error:
            return str(error)
        except BadMesh as error:
            self._gave_up = isinstance(error, TooSlow)
            return f"{shown} {error}"
        if not is_closed(triangles):
            return f"{shown} is open (it has holes or loose edges); make it watertight"
        if volume(triangles) <= 0:
            return f"{shown} is inside out; reverse its faces (flip its normals)"
        return triangles
