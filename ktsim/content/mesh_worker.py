"""The process in which trimesh reads one mesh file of a stranger: limits first, then the file, then bytes on stdout.

Exit code 0: an ``npz`` with the vertices and faces of one mesh. 3: stdout is a sentence that says what is wrong with
the file.
"""

from __future__ import annotations

import io
import sys
import warnings
from pathlib import Path

import numpy as np
import trimesh
from trimesh import Trimesh

from ktsim.content.mesh_checks import CHECKS, DAMAGED, NOT_PLAIN, WILD, WrongMesh, check_faces
from ktsim.content.three_mf import read_3mf

MEMORY = 1_000_000_000
SECONDS = 20


def parse_mesh(data: bytes, suffix: str) -> Trimesh:
    """The mesh in a file with that *suffix*, in the file's own unit: 1 to 200,000 triangles, some with an area, all
    finite. Colours, normals and textures are left out."""
    try:
        mesh = read_3mf(data) if suffix == ".3mf" else _loaded(*CHECKS[suffix](data), suffix)
    except (WrongMesh, MemoryError):
        raise
    except Exception:  # whatever trimesh, numpy, a zip or XML may think of
        raise WrongMesh(NOT_PLAIN if suffix == ".ply" else DAMAGED) from None
    if len(mesh.faces) == 0:
        raise WrongMesh("has no triangles; export it again")
    mesh = Trimesh(mesh.vertices, mesh.faces, process=False)
    mesh.remove_unreferenced_vertices()
    if not np.isfinite(mesh.vertices).all():
        raise WrongMesh("has coordinates that are not numbers (NaN or infinite); repair it")
    if not mesh.area > 0:
        raise WrongMesh("has only triangles without an area; export it again")
    return mesh


def _loaded(data: bytes, triangles: int, suffix: str) -> Trimesh:
    """What trimesh makes of it; at least so many *triangles*, or some were left out without a word."""
    with warnings.catch_warnings():
        warnings.filterwarnings("error", message="string or file could not be read")  # an error from numpy 2.3 on
        try:
            scene = trimesh.load_scene(io.BytesIO(data), file_type=suffix[1:], process=False, skip_materials=True)
        except IndexError as error:
            raise WrongMesh(WILD if suffix == ".obj" else DAMAGED) from error
    meshes = [mesh for mesh in scene.geometry.values() if isinstance(mesh, Trimesh)]
    for mesh in meshes:
        if mesh.vertices.shape[1:] != (3,) or mesh.faces.shape[1:] != (3,):
            raise WrongMesh(DAMAGED)
        check_faces(mesh.vertices, mesh.faces)
    whole: Trimesh = scene.to_mesh()
    if len(whole.faces) < triangles:
        raise WrongMesh(DAMAGED)
    check_faces(whole.vertices, whole.faces)
    return whole


def limit_self() -> None:
    """At most 1 GB and 20 s of work, where the system can say so."""
    try:
        import resource
    except ImportError:  # Windows: the parent's time limit remains
        return
    for kind, amount in ((resource.RLIMIT_AS, MEMORY), (resource.RLIMIT_CPU, SECONDS)):
        try:
            resource.setrlimit(kind, (amount, amount))
        except (OSError, ValueError):  # some systems refuse one of them
            continue


def main() -> None:
    limit_self()
    path = Path(sys.argv[1])
    out = io.BytesIO()
    try:
        mesh = parse_mesh(path.read_bytes(), path.suffix.lower())
        np.savez(out, vertices=mesh.vertices, faces=mesh.faces)
    except WrongMesh as error:
        sys.stdout.buffer.write(str(error).encode())
        raise SystemExit(3) from None
    except MemoryError:
        sys.stdout.buffer.write(b"needs too much memory; simplify it")
        raise SystemExit(3) from None
    sys.stdout.buffer.write(out.getvalue())
