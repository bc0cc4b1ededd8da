"""3MF files: a zip with XML in it. Trimesh reads them only with two more packages, and unpacks whatever is in them."""

from __future__ import annotations

import io
import zipfile
from xml.etree import ElementTree

import numpy as np
from numpy.typing import NDArray
from trimesh import Scene, Trimesh

from ktsim.content.mesh_checks import CIRCLE, DAMAGED, NODE_LIMIT, VERTEX_LIMIT, WrongMesh, check_count, check_faces

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
