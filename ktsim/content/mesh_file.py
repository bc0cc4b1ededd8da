"""Meshes from outside. A worker process with little memory and time parses them, so that none can hurt us."""

from __future__ import annotations

import io
import os
import stat
import zipfile
from collections.abc import Generator
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray
from trimesh import Trimesh, load_scene

from ktsim.content.guarded import Died, OutOfTime, RefusedFile, to_the_end, working
from ktsim.content.printable import printable
from ktsim.errors import Problem, UserError

Vertices: TypeAlias = NDArray[np.float64]
Faces: TypeAlias = NDArray[Any]
Unit: TypeAlias = Literal["mm", "inch"]
UNITS: tuple[Unit, ...] = ("mm", "inch")
FORMATS = (".stl", ".obj", ".ply", ".glb", ".3mf")
FILE_LIMIT = 64_000_000
"""The largest mesh file that is opened, in bytes: 200,000 triangles written generously."""

SECONDS = 20
RANGE = 240.0
"""The furthest from its origin a mesh may reach, in inches."""


class BadMesh(ValueError):
    """A mesh that cannot be used; the message is a sentence without its subject."""


class TooSlow(BadMesh):
    """A mesh that took all the time there is."""


def read_own(path: Path) -> dict[str, Trimesh]:
    """The meshes, by name, of a GLB file that comes with the program. Never for a file from outside."""
    try:
        return dict(load_scene(path, process=False).geometry)
    except Exception as error:  # whatever trimesh may think of
        text = f"cannot be read: {printable(str(error), 120)}; build it again with 'scripts/build_assets'"
        raise UserError(Problem(str(path), text)) from None


def paint_of(mesh: Trimesh) -> NDArray[np.uint8] | None:
    """The colour (n, 4) of each triangle, that of its first corner; None when the file has none."""
    visual: Any = mesh.visual
    return np.asarray(visual.vertex_colors)[mesh.faces[:, 0]] if visual.defined else None


def read_mesh(path: Path, unit: Unit = "mm") -> Trimesh:
    """The mesh in a file, in inches, corners in the same place made one: finite, in range, 1 to 200,000 triangles.

    Nothing is said about being closed. :class:`BadMesh` when the file is not such a mesh.
    """
    status = _status(path)
    return _joined(*_parsed(str(path), status.st_mtime_ns, status.st_size), unit)


def reading_mesh(path: Path, unit: Unit = "mm") -> Generator[None, None, Trimesh]:
    """The same in steps of a moment: whoever goes no further gives it up."""
    _status(path)
    vertices, faces = yield from _parsing(str(path))
    return _joined(vertices, faces, unit)


def _status(path: Path) -> os.stat_result:
    """A file that may be a mesh, as the system knows it."""
    if path.suffix.lower() not in FORMATS:
        raise BadMesh(f"is not a mesh file we read; use one of {', '.join(name[1:] for name in FORMATS)}")
    try:
        status = path.stat()
    except OSError as error:
        raise BadMesh(f"cannot be read: {printable(error.strerror or 'no such file')}") from None
    if not stat.S_ISREG(status.st_mode):
        raise BadMesh("is not a file; choose a mesh file")
    if status.st_size > FILE_LIMIT:
        raise BadMesh(f"is {status.st_size / 1e6:.0f} MB; at most {FILE_LIMIT / 1e6:.0f} MB are read; simplify it")
    return status


def _joined(vertices: Vertices, faces: Faces, unit: Unit) -> Trimesh:
    """The mesh in inches, its corners joined."""
    mesh = Trimesh(vertices / 25.4 if unit == "mm" else vertices, faces, process=False)
    size = float(np.abs(mesh.bounds).max())
    if size > RANGE:
        other = "mm" if unit == "inch" else "inch"
        raise BadMesh(f'reaches {size:.4g}" from its origin, more than {RANGE:.0f}"; is its unit {other}?')
    mesh.merge_vertices()
    return mesh


@lru_cache(maxsize=64)
def _parsed(path: str, changed: int, size: int) -> tuple[Vertices, Faces]:
    """What the worker makes of the file; *changed* and *size* tell versions apart."""
    return to_the_end(_parsing(path))


def _parsing(path: str) -> Generator[None, None, tuple[Vertices, Faces]]:
    """What the worker makes of the file: vertices in the file's own unit and faces."""
    try:
        made = yield from working("mesh", path, seconds=SECONDS)
        with np.load(io.BytesIO(made), allow_pickle=False) as held:
            return held["vertices"], held["faces"]
    except RefusedFile as error:
        raise BadMesh(str(error)) from None
    except OutOfTime:
        raise TooSlow(f"took more than {SECONDS} seconds to read; simplify it") from None
    except (Died, ValueError, KeyError, EOFError, zipfile.BadZipFile):
        raise BadMesh("cannot be read: it is damaged or needs too much memory; export it again") from None
