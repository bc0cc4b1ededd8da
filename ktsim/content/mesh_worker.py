"""The process in which trimesh reads one mesh file of a stranger: limits first, then the file, then bytes on stdout.

3MF files are read here: trimesh wants two more packages for them, and unpacks whatever is in them.

What comes of it is an ``npz`` with the vertices and faces of one mesh, or a sentence (:mod:`ktsim.content.guarded`).
"""

from __future__ import annotations

import io
import sys
import warnings
import zipfile
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import trimesh
from numpy.typing import NDArray
from trimesh import Scene, Trimesh

from ktsim.content.guarded import REFUSED, limit_self
from ktsim.content.mesh_checks import (
    CHECKS,
    CIRCLE,
    DAMAGED,
    NODE_LIMIT,
    NOT_PLAIN,
    VERTEX_LIMIT,
    WILD,
    WrongMesh,
    check_count,
    check_faces,
)

XML_LIMIT = 64_000_000
DEPTH_LIMIT = 32
_CORE = "{http://schemas.microsoft.com/3dmanufacturing/core/2015/02}"


def read_3mf(data: bytes) -> Trimesh:
    """The built objects of a 3MF package (objects made of components included), in the file's own unit."""
    root = ElementTree.fromstring(_model(data))
    objects = {entry.get("id"): entry for entry in root.iter(f"{_CORE}object")}
    pieces: list[Trimesh] = []
    total = visits = 0
    stack = [(item.get("objectid"), _affine(item.get("transform")), 0) for item in root.iter(f"{_CORE}item")]
    while stack:
        id, world, depth = stack.pop()
        visits += 1
        if depth > DEPTH_LIMIT or visits > NODE_LIMIT:
            raise WrongMesh(CIRCLE)
        entry = objects[id]
        for part in entry.iter(f"{_CORE}component"):
            stack.append((part.get("objectid"), world @ _affine(part.get("transform")), depth + 1))
        for body in entry.findall(f"{_CORE}mesh"):
            mesh = _mesh(body)
            total += len(mesh.faces)
            check_count(total)
            pieces.append(mesh.apply_transform(world))
    whole: Trimesh = Scene(pieces).to_mesh()
    return whole


def _model(data: bytes) -> bytes:
    """The XML in the package."""
    with zipfile.ZipFile(io.BytesIO(data)) as package:
        models = [entry for entry in package.infolist() if entry.filename.lower().endswith(".model")]
        if not models or len(package.infolist()) > 1_000:
            raise WrongMesh(DAMAGED)
        main = min(models, key=lambda entry: entry.filename.count("/"))
        # The size in the directory may lie, so no more than the limit is ever unpacked.
        with package.open(main) as file:
            text = file.read(XML_LIMIT + 1)
    if len(text) > XML_LIMIT:
        raise WrongMesh(f"unpacks to more than {XML_LIMIT // 1_000_000} MB; simplify it")
    if b"<!DOCTYPE" in text or b"<!ENTITY" in text:
        raise WrongMesh("has entities in its XML; export it again")
    check_count(text.count(b"<triangle "), text.count(b"<vertex "))
    if text.count(b"<") > 4 * VERTEX_LIMIT:
        raise WrongMesh("describes too many objects; simplify it")
    return text


def _mesh(body: ElementTree.Element) -> Trimesh:
    corners = body.findall(f"{_CORE}vertices/{_CORE}vertex")
    faces = body.findall(f"{_CORE}triangles/{_CORE}triangle")
    vertices = np.array([[float(v.get(a, "nan")) for a in "xyz"] for v in corners]).reshape(-1, 3)
    numbers = [[int(t.get(a, "-1")) for a in ("v1", "v2", "v3")] for t in faces]
    indices = np.array(numbers, dtype=np.int64).reshape(-1, 3)
    check_faces(vertices, indices)
    return Trimesh(vertices, indices, process=False)


def _affine(text: str | None) -> NDArray[np.float64]:
    """A 3MF transform: twelve numbers, columns of a matrix for column vectors."""
    out = np.eye(4)
    if text:
        out[:3] = np.array([float(word) for word in text.split()]).reshape(4, 3).T
    return out


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


def main(name: str) -> int:
    """Read the file of that name."""
    limit_self(SECONDS)
    path = Path(name)
    out = io.BytesIO()
    try:
        mesh = parse_mesh(path.read_bytes(), path.suffix.lower())
        np.savez(out, vertices=mesh.vertices, faces=mesh.faces)
    except WrongMesh as error:
        sys.stdout.buffer.write(str(error).encode())
        return REFUSED
    except MemoryError:
        sys.stdout.buffer.write(b"needs too much memory; simplify it")
        return REFUSED
    sys.stdout.buffer.write(out.getvalue())
    return 0
