"""What a mesh file promises, looked at before trimesh makes anything of it.

Each check takes the bytes of a file and gives those that trimesh shall read, with how many triangles must come of them
at least. It refuses promises that are too large and what trimesh would read as something else than it is.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Callable
from typing import Any, TypeAlias

from numpy.typing import NDArray

TRIANGLE_LIMIT = 200_000
VERTEX_LIMIT = 3 * TRIANGLE_LIMIT
LINE_LIMIT = 4_000_000
"""The longest line of text: a face with all the corners there may be."""
JSON_LIMIT = 16_000_000
NODE_LIMIT = 10_000
DEPTH_LIMIT = 64
"""Objects in a GLB file, and how deep they may be nested."""

Checked: TypeAlias = tuple[bytes, int]


class WrongMesh(ValueError):
    """What is wrong with a file, as a sentence without its subject."""


DAMAGED = "is damaged or not what its name says; export it again"
NOT_PLAIN = "is damaged, or has edges or faces of several kinds; export it again, as plain triangles"
CIRCLE = "has objects nested in a circle or too many of them; export it again"
WILD = "has faces that point at vertices it does not have; export it again"


def check_count(triangles: int, vertices: int = 0) -> None:
    if triangles > TRIANGLE_LIMIT or vertices > VERTEX_LIMIT:
        raise WrongMesh(f"has more than {TRIANGLE_LIMIT:,} triangles; simplify it")


def check_faces(vertices: NDArray[Any], faces: NDArray[Any]) -> None:
    """Do *faces* (n, 3) point at *vertices* there are? Trimesh does not ask."""
    check_count(len(faces), len(vertices))
    if len(faces) and (int(faces.min()) < 0 or int(faces.max()) >= len(vertices)):
        raise WrongMesh(WILD)


def _check_lines(data: bytes) -> None:
    """Text with more lines than the largest mesh needs (corners, normals, texture points, faces) is not split."""
    if data.count(b"\n") > 4 * VERTEX_LIMIT:
        raise WrongMesh(f"has more than {4 * VERTEX_LIMIT:,} lines; simplify it")


def _stl(data: bytes) -> Checked:
    count = int.from_bytes(data[80:84], "little")
    if len(data) < 84 or len(data) != 84 + 50 * count:
        if data.lstrip()[:5].lower() != b"solid" or b"endsolid" not in data[-1000:].lower():
            raise WrongMesh(DAMAGED)
        count = data.lower().count(b"vertex") // 3
    check_count(count)
    return data, count


def _obj(data: bytes) -> Checked:
    """Only vertices and the corners of faces go on, counted from the first: trimesh takes corner 0 for corner 1 and
    counts backwards from the last vertex of the file, not from the last one before the face."""
    _check_lines(data)
    kept: list[bytes] = []
    vertices = triangles = 0
    for line in data.replace(b"\\\r\n", b" ").replace(b"\\\n", b" ").split(b"\n"):
        if len(line) > LINE_LIMIT:
            raise WrongMesh(DAMAGED)
        words = line.split()
        if words[:1] == [b"v"]:
            vertices += 1
        elif words[:1] == [b"f"]:
            numbers = [int(word.split(b"/", 1)[0]) for word in words[1:]]
            if len(numbers) < 3 or 0 in numbers:
                raise WrongMesh(DAMAGED)
            if min(numbers) < -vertices:
                raise WrongMesh(WILD)
            triangles += len(numbers) - 2
            words = [b"f", *(b"%d" % (n if n > 0 else vertices + 1 + n) for n in numbers)]
        else:
            continue
        check_count(triangles, vertices)
        kept.append(b" ".join(words))
    return b"\n".join(kept), triangles


def _ply(data: bytes) -> Checked:
    end = data.find(b"end_header")
    if not data.startswith(b"ply") or not 0 < end < 20_000:
        raise WrongMesh(DAMAGED)
    promised = {"vertex": 0, "face": 0}
    for line in data[:end].decode("ascii").splitlines():
        words = line.split()
        if words[:1] == ["element"]:
            promised[words[1]] = int(words[2])
            if not 0 <= int(words[2]) <= VERTEX_LIMIT:
                check_count(TRIANGLE_LIMIT + 1)
        elif words[:2] == ["format", "ascii"]:
            _check_lines(data)
    check_count(promised["face"], promised["vertex"])
    return data, promised["face"]


def _glb(data: bytes) -> Checked:
    magic, version, size, length, kind = struct.unpack_from("<5I", data)
    if (magic, version, kind) != (0x46546C67, 2, 0x4E4F534A) or size > len(data) or 20 + length > len(data):
        raise WrongMesh(DAMAGED)
    if length > JSON_LIMIT:
        raise WrongMesh("describes too many objects; simplify it")
    document = json.loads(data[20 : 20 + length])
    if any("uri" in buffer for buffer in document.get("buffers", [])):
        raise WrongMesh("keeps its triangles in another file; export it as one file")
    for accessor in document.get("accessors", []):
        if "sparse" in accessor or "bufferView" not in accessor or not isinstance(accessor["count"], int):
            raise WrongMesh(DAMAGED)
        if not 0 <= accessor["count"] <= VERTEX_LIMIT:
            check_count(TRIANGLE_LIMIT + 1)
    counts = [sum(_in_primitive(document, each) for each in mesh["primitives"]) for mesh in document.get("meshes", [])]
    nodes = document.get("nodes", [])
    scenes = document.get("scenes", [])
    waiting = [(root, 0) for root in scenes[document.get("scene", 0)].get("nodes", [])] if scenes else []
    met: set[int] = set()
    total = 0
    while waiting:
        number, depth = waiting.pop()
        if number in met or depth > DEPTH_LIMIT or len(met) >= NODE_LIMIT or number < 0:
            raise WrongMesh(CIRCLE)
        met.add(number)
        waiting += [(child, depth + 1) for child in nodes[number].get("children", [])]
        if "mesh" in nodes[number]:
            total += counts[nodes[number]["mesh"]]
            check_count(total)
    return data[:size], total


def _in_primitive(document: dict[str, Any], primitive: dict[str, Any]) -> int:
    """How many triangles it has."""
    if primitive.get("mode", 4) != 4 or "extensions" in primitive:
        raise WrongMesh("has strips, lines or compressed parts; export it as plain triangles")
    number = primitive.get("indices", primitive["attributes"]["POSITION"])
    return int(document["accessors"][number]["count"]) // 3


CHECKS: dict[str, Callable[[bytes], Checked]] = {".stl": _stl, ".obj": _obj, ".ply": _ply, ".glb": _glb}
