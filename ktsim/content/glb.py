"""GLB files of our own making: named meshes as arrays, written and read quickly and without a third party.

Only what we write is read: one binary buffer, triangles, no transforms. Files of strangers go through
:mod:`ktsim.content.mesh_file`.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ktsim.content.atomic import write_atomically

_MAGIC, _JSON, _BINARY = 0x46546C67, 0x4E4F534A, 0x004E4942
_FLOAT, _UNSIGNED, _BYTE = 5126, 5125, 5121
_TYPES: dict[int, Any] = {_FLOAT: np.float32, _UNSIGNED: np.uint32, _BYTE: np.uint8}
_WIDTHS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4}


@dataclass(frozen=True, eq=False)
class Mesh:
    """A named mesh: positions (n, 3), indices (m, 3) and, if present, normals (n, 3), colours (n, 4) as bytes,
    texcoords (n, 2)."""

    name: str
    positions: NDArray[np.float32]
    indices: NDArray[np.uint32]
    normals: NDArray[np.float32] | None = None
    colours: NDArray[np.uint8] | None = None
    texcoords: NDArray[np.float32] | None = None

    def triangles(self) -> NDArray[np.float64]:
        return self.positions.astype(np.float64)[self.indices]


class NotOurs(ValueError):
    """A file this reader does not understand."""


def write_glb(path: Path, meshes: Sequence[Mesh]) -> None:
    """Write *meshes* to *path*, the same bytes for the same arrays."""
    buffer = bytearray()
    views: list[dict[str, object]] = []
    accessors: list[dict[str, object]] = []

    def add(array: NDArray[Any], component: int, shape: str, **more: object) -> int:
        data = np.ascontiguousarray(array, dtype=_TYPES[component]).tobytes()
        views.append({"buffer": 0, "byteOffset": len(buffer), "byteLength": len(data)})
        buffer.extend(data + b"\0" * (-len(data) % 4))
        count = array.size // _WIDTHS[shape]
        view = {"bufferView": len(views) - 1, "componentType": component, "count": count, "type": shape}
        accessors.append({**view, **more})
        return len(accessors) - 1

    entries = []
    for mesh in meshes:
        p = mesh.positions.astype(np.float32)
        bounds = {"min": p.min(axis=0).tolist(), "max": p.max(axis=0).tolist()}
        attributes = {"POSITION": add(p, _FLOAT, "VEC3", **bounds)}
        if mesh.normals is not None:
            attributes["NORMAL"] = add(mesh.normals, _FLOAT, "VEC3")
        if mesh.colours is not None:
            attributes["COLOR_0"] = add(mesh.colours, _BYTE, "VEC4", normalized=True)
        if mesh.texcoords is not None:
            attributes["TEXCOORD_0"] = add(mesh.texcoords, _FLOAT, "VEC2")
        indices = add(mesh.indices.reshape(-1), _UNSIGNED, "SCALAR")
        entries.append({"name": mesh.name, "primitives": [{"attributes": attributes, "indices": indices}]})
    document = {
        "asset": {"version": "2.0", "generator": "ktsim"},
        "scene": 0,
        "scenes": [{"nodes": list(range(len(meshes)))}],
        "nodes": [{"mesh": i, "name": mesh.name} for i, mesh in enumerate(meshes)],
        "meshes": entries,
        "accessors": accessors,
        "bufferViews": views,
        "buffers": [{"byteLength": len(buffer)}],
    }
    text = json.dumps(document, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 4)
    size = 12 + 8 + len(text) + 8 + len(buffer)
    data = struct.pack("<III", _MAGIC, 2, size) + struct.pack("<II", len(text), _JSON) + text
    write_atomically(path, data + struct.pack("<II", len(buffer), _BINARY) + bytes(buffer))


def read_glb(path: Path) -> tuple[Mesh, ...]:
    """The meshes of a file that :func:`write_glb` wrote, in its order; :class:`NotOurs` for any other."""
    data = path.read_bytes()
    try:
        magic, version, size = struct.unpack_from("<III", data, 0)
        length, kind = struct.unpack_from("<II", data, 12)
        if (magic, version, kind) != (_MAGIC, 2, _JSON) or size != len(data):
            raise NotOurs(f"{path.name} is not a GLB file")
        document = json.loads(data[20 : 20 + length])
        start = 20 + length + 8
        return tuple(_mesh(document, entry, data, start) for entry in document["meshes"])
    except (struct.error, KeyError, IndexError, TypeError, ValueError) as error:
        raise NotOurs(f"{path.name} is damaged: {error}") from error


def _mesh(document: dict[str, Any], entry: dict[str, Any], data: bytes, start: int) -> Mesh:
    (primitive,) = entry["primitives"]

    def array(number: int) -> NDArray[Any]:
        accessor = document["accessors"][number]
        view = document["bufferViews"][accessor["bufferView"]]
        width = _WIDTHS[accessor["type"]]
        offset, dtype = start + view["byteOffset"], np.dtype(_TYPES[accessor["componentType"]])
        flat = np.frombuffer(data, dtype=dtype, count=accessor["count"] * width, offset=offset)
        return flat.reshape(-1, width)

    found = {name: array(number) for name, number in primitive["attributes"].items()}
    indices = array(primitive["indices"]).reshape(-1, 3)
    positions = found["POSITION"]
    if len(indices) and int(indices.max()) >= len(positions):
        raise ValueError("an index points past the last vertex")
    more = (found.get(name) for name in ("NORMAL", "COLOR_0", "TEXCOORD_0"))
    return Mesh(entry["name"], positions, indices, *more)
