"""Readers of stl, obj, ply, glb and 3mf that believe nothing: sizes are compared before anything is made of them.

Each gives vertices and faces, or triangles, in the file's own unit. Colours, normals and textures are left out.
"""

from __future__ import annotations

import io
import itertools
import json
import math
import re
import struct
import zipfile
from collections.abc import Callable
from typing import Any, TypeAlias
from xml.etree import ElementTree

import numpy as np
from numpy.typing import NDArray

TRIANGLE_LIMIT = 200_000
VERTEX_LIMIT = 3 * TRIANGLE_LIMIT
XML_LIMIT = 64_000_000
LINE_LIMIT = 4_000_000
"""The longest line of text: a face with all the corners there may be."""

Triangles: TypeAlias = NDArray[np.float64]


class WrongMesh(ValueError):
    """What is wrong with a file, as a sentence without its subject."""


DAMAGED = "is damaged or not what its name says; export it again"


def parse_mesh(data: bytes, suffix: str) -> Triangles:
    """The triangles (n, 3, 3) of a file with that *suffix*: 1 to 200,000 of them, all finite."""
    try:
        triangles = READERS[suffix](data)
    except WrongMesh:
        raise
    except (
        *(ValueError, KeyError, IndexError, TypeError, AttributeError, OverflowError, struct.error),
        *(zipfile.BadZipFile, ElementTree.ParseError, NotImplementedError, EOFError, RuntimeError, StopIteration),
    ):
        raise WrongMesh(DAMAGED) from None
    except Exception as error:  # zlib.error and whatever else a decompressor may think of
        if type(error).__module__ in ("zlib", "lzma", "_lzma", "bz2"):
            raise WrongMesh(DAMAGED) from None
        raise
    if len(triangles) == 0:
        raise WrongMesh("has no triangles; export it again")
    check_count(len(triangles))
    if not np.isfinite(triangles).all():
        raise WrongMesh("has coordinates that are not numbers (NaN or infinite); repair it")
    return np.ascontiguousarray(triangles, dtype=np.float64)


def check_count(triangles: int, vertices: int = 0) -> None:
    if triangles > TRIANGLE_LIMIT or vertices > VERTEX_LIMIT:
        raise WrongMesh(f"has more than {TRIANGLE_LIMIT:,} triangles; simplify it")


def check_lines(data: bytes) -> None:
    """Text with more lines than the largest mesh needs (corners, normals, texture points, faces) is not split."""
    if data.count(b"\n") > 4 * VERTEX_LIMIT:
        raise WrongMesh(f"has more than {4 * VERTEX_LIMIT:,} lines; simplify it")


def indexed(vertices: NDArray[Any], faces: NDArray[Any]) -> Triangles:
    """Triangles of *faces*, after making sure that they point at vertices there are."""
    check_count(len(faces), len(vertices))
    if len(faces) == 0:
        return np.empty((0, 3, 3))
    if len(vertices) == 0 or int(faces.min()) < 0 or int(faces.max()) >= len(vertices):
        raise WrongMesh("has faces that point at vertices it does not have; export it again")
    return np.asarray(np.asarray(vertices, dtype=np.float64)[faces])


# -- stl ---------------------------------------------------------------------------------------------------------


def read_stl(data: bytes) -> Triangles:
    if len(data) >= 84:
        (count,) = struct.unpack_from("<I", data, 80)
        if len(data) == 84 + 50 * count:
            check_count(count)
            rows = np.frombuffer(data, dtype=np.uint8, offset=84).reshape(-1, 50)[:, 12:48]
            return np.ascontiguousarray(rows).view("<f4").reshape(-1, 3, 3).astype(np.float64)
    if data.lstrip()[:5].lower() != b"solid" or b"endsolid" not in data[-1000:].lower():
        raise WrongMesh(DAMAGED)
    check_count(data.lower().count(b"vertex") // 3)
    found = re.findall(rb"^\s*vertex\s+(\S+)\s+(\S+)\s+(\S+)\s*$", data, re.MULTILINE | re.IGNORECASE)
    if len(found) % 3:
        raise WrongMesh(DAMAGED)
    return np.array([[float(v) for v in row] for row in found]).reshape(-1, 3, 3)


# -- obj ---------------------------------------------------------------------------------------------------------


def read_obj(data: bytes) -> Triangles:
    check_lines(data)
    vertices: list[tuple[float, float, float]] = []
    faces: list[tuple[int, int, int]] = []
    for line in data.split(b"\n"):
        if len(line) > LINE_LIMIT:
            raise WrongMesh(DAMAGED)
        words = line.split()
        if not words:
            continue
        if words[0] == b"v":
            vertices.append((float(words[1]), float(words[2]), float(words[3])))
            check_count(0, len(vertices))
        elif words[0] == b"f":
            numbers = [int(word.split(b"/", 1)[0]) for word in words[1:]]
            if len(numbers) < 3 or 0 in numbers:
                raise WrongMesh(DAMAGED)
            check_count(len(faces) + len(numbers) - 2)
            corners = [n - 1 if n > 0 else len(vertices) + n for n in numbers]
            faces += [(corners[0], b, c) for b, c in itertools.pairwise(corners[1:])]
    return indexed(np.array(vertices).reshape(-1, 3), np.array(faces, dtype=np.int64).reshape(-1, 3))


# -- ply ---------------------------------------------------------------------------------------------------------

_PLY = {
    name: code
    for code, names in {
        "i1": ("char", "int8"),
        "u1": ("uchar", "uint8"),
        "i2": ("short", "int16"),
        "u2": ("ushort", "uint16"),
        "i4": ("int", "int32"),
        "u4": ("uint", "uint32"),
        "f4": ("float", "float32"),
        "f8": ("double", "float64"),
    }.items()
    for name in names
}


def read_ply(data: bytes) -> Triangles:
    end = data.find(b"end_header")
    if not data.startswith(b"ply") or not 0 < end < 20_000:
        raise WrongMesh(DAMAGED)
    start = data.index(b"\n", end) + 1
    order = ""
    elements: list[tuple[str, int, list[list[str]]]] = []
    for line in data[:end].decode("ascii").splitlines():
        words = line.split()
        if words[:1] == ["format"]:
            order = {"ascii": "a", "binary_little_endian": "<", "binary_big_endian": ">"}[words[1]]
        elif words[:1] == ["element"]:
            elements.append((words[1], int(words[2]), []))
            if not 0 <= int(words[2]) <= VERTEX_LIMIT:
                raise WrongMesh(f"has more than {TRIANGLE_LIMIT:,} triangles; simplify it")
        elif words[:1] == ["property"]:
            elements[-1][2].append(words[1:])
    body = _AsciiBody(data[start:]) if order == "a" else _BinaryBody(data, start, order)
    vertices, faces = np.empty((0, 3)), np.empty((0, 3), dtype=np.int64)
    for name, count, properties in elements:
        if name == "vertex":
            vertices = body.table(count, properties)
        elif name == "face":
            check_count(count)
            faces = body.faces(count, properties)
        else:
            body.table(count, properties)
    return indexed(vertices, faces)


def _columns(properties: list[list[str]]) -> tuple[list[str], list[str]]:
    """Names and number types of an element without lists."""
    if any(words[0] == "list" for words in properties):
        raise WrongMesh(DAMAGED)
    return [words[1] for words in properties], [_PLY[words[0]] for words in properties]


def _fan(lists: list[list[int]]) -> NDArray[np.int64]:
    faces: list[tuple[int, int, int]] = []
    for corners in lists:
        check_count(len(faces) + max(0, len(corners) - 2))
        faces += [(corners[0], b, c) for b, c in itertools.pairwise(corners[1:])]
    return np.array(faces, dtype=np.int64).reshape(-1, 3)


def _corners_at(properties: list[list[str]]) -> int:
    """Which of a face's properties is the list of its corners."""
    at = [i for i, words in enumerate(properties) if words[0] == "list" and words[-1].startswith("vertex_ind")]
    if len(at) != 1:
        raise WrongMesh(DAMAGED)
    return at[0]


class _AsciiBody:
    def __init__(self, data: bytes) -> None:
        check_lines(data)
        self.lines = iter([line.split() for line in data.splitlines() if line.strip()])

    def table(self, count: int, properties: list[list[str]]) -> NDArray[np.float64]:
        names, _ = _columns(properties)
        rows = [[float(word) for word in next(self.lines)] for _ in range(count)]
        return np.array([[row[names.index(axis)] for axis in "xyz"] if "x" in names else [0.0] for row in rows])

    def faces(self, count: int, properties: list[list[str]]) -> NDArray[np.int64]:
        wanted = _corners_at(properties)
        lists = []
        for _ in range(count):
            words, at = next(self.lines), 0
            for number, words_of in enumerate(properties):
                size = int(words[at]) if words_of[0] == "list" else 0
                if number == wanted:
                    lists.append([int(word) for word in words[at + 1 : at + 1 + size]])
                    if len(lists[-1]) != size:
                        raise WrongMesh(DAMAGED)
                at += 1 + size
        return _fan(lists)


class _BinaryBody:
    def __init__(self, data: bytes, start: int, order: str) -> None:
        self.data, self.at, self.order = data, start, order

    def table(self, count: int, properties: list[list[str]]) -> NDArray[np.float64]:
        names, types = _columns(properties)
        row = np.dtype([(f"{i}", self.order + kind) for i, kind in enumerate(types)])
        if self.at + count * row.itemsize > len(self.data):
            raise WrongMesh(DAMAGED)
        rows = np.frombuffer(self.data, row, count, self.at)
        self.at += count * row.itemsize
        if "x" not in names:
            return np.empty((0, 3))
        return np.column_stack([rows[str(names.index(axis))].astype(np.float64) for axis in "xyz"])

    def faces(self, count: int, properties: list[list[str]]) -> NDArray[np.int64]:
        wanted = _corners_at(properties)
        lists: list[list[int]] = []
        for _ in range(count):
            for number, words in enumerate(properties):
                if words[0] != "list":
                    self.at += np.dtype(_PLY[words[0]]).itemsize
                    continue
                size_type, item_type = (np.dtype(self.order + _PLY[word]) for word in words[1:3])
                (size,) = np.frombuffer(self.data, size_type, 1, self.at)
                self.at += size_type.itemsize
                end = self.at + int(size) * item_type.itemsize
                if not 0 <= int(size) <= 10_000 or end > len(self.data):
                    raise WrongMesh(DAMAGED)
                if number == wanted:
                    lists.append(np.frombuffer(self.data, item_type, int(size), self.at).astype(np.int64).tolist())
                self.at = end
        return _fan(lists)


# -- glb ---------------------------------------------------------------------------------------------------------

_COMPONENTS = {5120: "<i1", 5121: "<u1", 5122: "<i2", 5123: "<u2", 5125: "<u4", 5126: "<f4"}
_WIDTHS = {"SCALAR": 1, "VEC3": 3}


def read_glb(data: bytes) -> Triangles:
    magic, version, size = struct.unpack_from("<III", data, 0)
    length, kind = struct.unpack_from("<II", data, 12)
    if magic != 0x46546C67 or version != 2 or kind != 0x4E4F534A or size > len(data) or 20 + length > len(data):
        raise WrongMesh(DAMAGED)
    if length > 16_000_000:
        raise WrongMesh("describes too many objects; simplify it")
    document = json.loads(data[20 : 20 + length])
    binary = data[20 + length + 8 : size]
    nodes = document.get("nodes", [])
    roots = document["scenes"][document.get("scene", 0)]["nodes"] if document.get("scenes") else range(len(nodes))
    pieces: list[Triangles] = []
    total = 0
    stack: list[tuple[int, NDArray[np.float64], int]] = [(int(root), np.eye(4), 0) for root in roots]
    visits = 0
    while stack:
        number, parent, depth = stack.pop()
        visits += 1
        if depth > 64 or visits > 10_000 or number < 0:
            raise WrongMesh("has objects nested in a circle or too many of them; export it again")
        node = nodes[number]
        world = parent @ _matrix(node)
        stack += [(int(child), world, depth + 1) for child in node.get("children", [])]
        if "mesh" not in node:
            continue
        for primitive in document["meshes"][node["mesh"]]["primitives"]:
            triangles = _primitive(document, primitive, binary)
            total += len(triangles)
            check_count(total)
            turned = triangles @ world[:3, :3].T + world[:3, 3]
            # A mirrored object is wound the wrong way round.
            pieces.append(turned[:, ::-1] if np.linalg.det(world[:3, :3]) < 0 else turned)
    return np.concatenate(pieces) if pieces else np.empty((0, 3, 3))


def _primitive(document: dict[str, Any], primitive: dict[str, Any], binary: bytes) -> Triangles:
    if primitive.get("mode", 4) != 4 or "extensions" in primitive:
        raise WrongMesh("has strips, lines or compressed parts; export it as plain triangles")
    vertices = _accessor(document, primitive["attributes"]["POSITION"], binary, VERTEX_LIMIT).reshape(-1, 3)
    if "indices" in primitive:
        flat = _accessor(document, primitive["indices"], binary, 3 * TRIANGLE_LIMIT).reshape(-1)
    else:
        flat = np.arange(len(vertices))
    return indexed(vertices, flat.astype(np.int64).reshape(-1, 3))


def _accessor(document: dict[str, Any], number: int, binary: bytes, limit: int) -> NDArray[Any]:
    accessor = document["accessors"][number]
    view = document["bufferViews"][accessor["bufferView"]]
    dtype, width = np.dtype(_COMPONENTS[accessor["componentType"]]), _WIDTHS[accessor["type"]]
    count = accessor["count"]
    if "sparse" in accessor or not isinstance(count, int) or view.get("buffer", 0) != 0:
        raise WrongMesh(DAMAGED)
    if count < 0 or count > limit:
        raise WrongMesh(f"has more than {TRIANGLE_LIMIT:,} triangles; simplify it")
    stride = view.get("byteStride", dtype.itemsize * width)
    offset = view.get("byteOffset", 0) + accessor.get("byteOffset", 0)
    needed = offset + stride * (count - 1) + dtype.itemsize * width if count else 0
    if offset < 0 or stride < dtype.itemsize * width or needed > len(binary):
        raise WrongMesh(DAMAGED)
    return np.ndarray((count, width), dtype, binary, offset, (stride, dtype.itemsize)).copy()


def _matrix(node: dict[str, Any]) -> NDArray[np.float64]:
    if "matrix" in node:
        return np.array(node["matrix"], dtype=np.float64).reshape(4, 4).T
    out = np.eye(4)
    x, y, z, w = (float(v) for v in node.get("rotation", (0, 0, 0, 1)))
    length = math.sqrt(x * x + y * y + z * z + w * w) or 1.0
    x, y, z, w = x / length, y / length, z / length, w / length
    turn = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
        [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
        [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
    ]
    out[:3, :3] = np.array(turn) * np.array(node.get("scale", (1, 1, 1)), dtype=np.float64).reshape(3)
    out[:3, 3] = np.array(node.get("translation", (0, 0, 0)), dtype=np.float64).reshape(3)
    return out


# -- 3mf ---------------------------------------------------------------------------------------------------------

_CORE = "{http://schemas.microsoft.com/3dmanufacturing/core/2015/02}"


def read_3mf(data: bytes) -> Triangles:
    """The built objects of a 3MF package (objects made of components included), in the file's own unit."""
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
    root = ElementTree.fromstring(text)
    objects = {entry.get("id"): entry for entry in root.iter(f"{_CORE}object")}
    pieces: list[Triangles] = []
    total = 0
    stack = [(item.get("objectid"), _affine(item.get("transform")), 0) for item in root.iter(f"{_CORE}item")]
    visits = 0
    while stack:
        id, world, depth = stack.pop()
        visits += 1
        if depth > 32 or visits > 10_000:
            raise WrongMesh("has objects nested in a circle or too many of them; export it again")
        entry = objects[id]
        for part in entry.iter(f"{_CORE}component"):
            stack.append((part.get("objectid"), _affine(part.get("transform")) @ world, depth + 1))
        for body in entry.findall(f"{_CORE}mesh"):
            triangles = _xml_mesh(body)
            total += len(triangles)
            check_count(total)
            turned = triangles @ world[:3, :3] + world[3, :3]
            pieces.append(turned[:, ::-1] if np.linalg.det(world[:3, :3]) < 0 else turned)
    return np.concatenate(pieces) if pieces else np.empty((0, 3, 3))


def _xml_mesh(body: ElementTree.Element) -> Triangles:
    corners = body.findall(f"{_CORE}vertices/{_CORE}vertex")
    faces = body.findall(f"{_CORE}triangles/{_CORE}triangle")
    check_count(len(faces), len(corners))
    vertices = np.array([[float(v.get(a, "nan")) for a in "xyz"] for v in corners]).reshape(-1, 3)
    numbers = np.array([[int(t.get(a, "-1")) for a in ("v1", "v2", "v3")] for t in faces], dtype=np.int64)
    return indexed(vertices, numbers.reshape(-1, 3))


def _affine(text: str | None) -> NDArray[np.float64]:
    """A 3MF transform: twelve numbers, rows of a matrix that multiplies row vectors from the right."""
    out = np.eye(4)
    if text:
        out[:, :3] = np.array([float(word) for word in text.split()]).reshape(4, 3)
    return out


READERS: dict[str, Callable[[bytes], Triangles]] = {
    ".stl": read_stl,
    ".obj": read_obj,
    ".ply": read_ply,
    ".glb": read_glb,
    ".3mf": read_3mf,
}
