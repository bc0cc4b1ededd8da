"""From triangles and painted faces to Panda3D geometry, through memoryviews."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from panda3d.core import (
    Geom,
    GeomNode,
    GeomTriangles,
    GeomVertexArrayFormat,
    GeomVertexData,
    GeomVertexFormat,
    InternalName,
)

CREASE = 38.0
"""Degrees between faces from which an edge is drawn as one."""

VERTEX = np.dtype([("position", "<f4", 3), ("normal", "<f4", 3), ("colour", "u1", 4)])


@dataclass(frozen=True, eq=False)
class PaintedShape:
    """A painted mesh in its own frame: triangles (n, 3, 3) and per triangle RGB with the material id x 16.

    Shared by identity: the stage uploads each shape once, however often it stands on the table.
    """

    triangles: NDArray[np.float64]
    colours: NDArray[np.uint8]

    @classmethod
    def painted(cls, triangles: ArrayLike, rgb: Sequence[float], material: int) -> PaintedShape:
        """One colour all over."""
        mesh = np.asarray(triangles, float)
        paint = np.array([*np.clip(rgb, 0, 255), material * 16], np.uint8)
        return cls(mesh, np.broadcast_to(paint, (len(mesh), 4)))

    @classmethod
    def joined(cls, shapes: Sequence[PaintedShape]) -> PaintedShape:
        if not shapes:
            return cls(np.zeros((0, 3, 3)), np.zeros((0, 4), np.uint8))
        if len(shapes) == 1:
            return shapes[0]  # nothing is copied: most pieces of terrain are one shape
        return cls(np.concatenate([s.triangles for s in shapes]), np.concatenate([s.colours for s in shapes]))

    def moved(self, offset: ArrayLike) -> PaintedShape:
        return PaintedShape(self.triangles + np.asarray(offset, float), self.colours)


def _row_ids(keys: NDArray[np.int64]) -> NDArray[np.int64]:
    return np.unique(keys, return_inverse=True)[1].reshape(-1)


def corner_ids(triangles: NDArray[np.float64]) -> NDArray[np.int64]:
    """The same number for corners that coincide to 0.0001": shape (3n,)."""
    grid = np.round(triangles.reshape(-1, 3) * 1e4).astype(np.int64)
    grid -= grid.min(axis=0)
    spans = grid.max(axis=0) + 1
    return _row_ids((grid[:, 0] * spans[1] + grid[:, 1]) * spans[2] + grid[:, 2])


def loose_pieces(triangles: NDArray[np.float64]) -> NDArray[np.int64]:
    """A number per triangle, the same for triangles that hang together by shared corners: shape (n,)."""
    corners = corner_ids(triangles).reshape(-1, 3)
    label = np.arange(corners.max() + 1)
    while True:
        joined = label.copy()
        np.minimum.at(joined, corners.ravel(), np.repeat(label[corners].min(axis=1), 3))
        joined = joined[joined]
        if (joined == label).all():
            return _row_ids(label[corners[:, 0]])
        label = joined


def without_crumbs(shape: PaintedShape, smallest: float) -> PaintedShape:
    """The shape without loose pieces smaller than *smallest* across: rivets and chips cost triangles."""
    if not len(shape.triangles):
        return shape
    piece = loose_pieces(shape.triangles)
    low = np.full((piece.max() + 1, 3), np.inf)
    high = -low
    for corner in range(3):
        np.minimum.at(low, piece, shape.triangles[:, corner])
        np.maximum.at(high, piece, shape.triangles[:, corner])
    kept = (np.linalg.norm(high - low, axis=1) >= smallest)[piece]
    return PaintedShape(shape.triangles[kept], shape.colours[kept])


def simplified(shape: PaintedShape, cell: float) -> PaintedShape:
    """Fewer triangles: corners of one colour that share a cube of side *cell* become one, at their mean; what is
    left without area vanishes."""
    if not len(shape.triangles):
        return shape
    flat = shape.triangles.reshape(-1, 3)
    grid = np.floor(flat / cell).astype(np.int64)
    grid -= grid.min(axis=0)
    spans = grid.max(axis=0) + 1
    paint = _row_ids(np.ascontiguousarray(shape.colours).view("<u4").reshape(-1).astype(np.int64))
    cube = (grid[:, 0] * spans[1] + grid[:, 1]) * spans[2] + grid[:, 2]
    ids = _row_ids(cube * (paint.max() + 1) + np.repeat(paint, 3))
    count = np.bincount(ids)
    mean = np.stack([np.bincount(ids, flat[:, axis]) / count for axis in range(3)], axis=1)
    corners = ids.reshape(-1, 3)
    a, b, c = corners.T
    kept = (a != b) & (b != c) & (c != a)
    # The same three corners may stay once for each side: thin sheets have two.
    smallest = corners[kept].argmin(axis=1)
    started = corners[kept][np.arange(int(kept.sum()))[:, None], (smallest[:, None] + np.arange(3)) % 3]
    _, once = np.unique(started, axis=0, return_index=True)
    chosen = np.flatnonzero(kept)[once]
    return PaintedShape(mean[corners[chosen]], shape.colours[chosen])


def creased_normals(triangles: NDArray[np.float64], degrees: float = CREASE) -> NDArray[np.float64]:
    """Unit normals per corner, shape (3n, 3): averaged by area over faces that meet at less than *degrees*."""
    crossed = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])
    size = np.linalg.norm(crossed, axis=1)
    unit = crossed / np.maximum(size, 1e-18)[:, None]
    corner = corner_ids(triangles)
    order = np.argsort(corner, kind="stable")
    face_at = order // 3
    first = np.searchsorted(corner[order], np.arange(corner.max() + 1))
    count = np.diff(np.append(first, len(order)))
    own = np.repeat(np.arange(len(triangles)), 3)
    limit = np.cos(np.radians(degrees))
    result = np.zeros((len(corner), 3))
    for j in range(min(int(count.max()), 48)):
        some = np.nonzero(count[corner] > j)[0]
        other = face_at[first[corner[some]] + j]
        smooth = np.einsum("ij,ij->i", unit[other], unit[own[some]]) > limit
        result[some[smooth]] += crossed[other[smooth]]
    length = np.linalg.norm(result, axis=1)
    lost = length < 1e-18
    result[lost], length[lost] = unit[own[lost]], 1.0
    return result / length[:, None]


def packed(shape: PaintedShape, crease: float = CREASE) -> tuple[NDArray[np.void], NDArray[np.uint32]]:
    """Vertex rows without repeats, and the indices of the triangles' corners."""
    normals = creased_normals(shape.triangles, crease)
    rows = np.empty(len(shape.triangles) * 3, VERTEX)
    rows["position"] = shape.triangles.reshape(-1, 3)
    rows["normal"] = normals
    rows["colour"] = np.repeat(shape.colours, 3, axis=0)
    paint = np.ascontiguousarray(np.repeat(shape.colours, 3, axis=0)).view("<u4").reshape(-1).astype(np.int64)
    bent = np.round(normals * 60).astype(np.int64) + 60
    keys = (corner_ids(shape.triangles) * 121 + bent[:, 0]) * 121 + bent[:, 1]
    keys = (keys * 121 + bent[:, 2]) * (1 << 16) + _row_ids(paint)
    _, chosen, index = np.unique(keys, return_index=True, return_inverse=True)
    return rows[chosen], index.reshape(-1).astype(np.uint32)


def _format(*columns: tuple[InternalName, int, int, int]) -> GeomVertexFormat:
    array = GeomVertexArrayFormat()
    for column in columns:
        array.add_column(*column)
    return GeomVertexFormat.register_format(GeomVertexFormat(array))


LIT_FORMAT = _format(
    (InternalName.get_vertex(), 3, Geom.NT_float32, Geom.C_point),
    (InternalName.get_normal(), 3, Geom.NT_float32, Geom.C_normal),
    (InternalName.get_color(), 4, Geom.NT_uint8, Geom.C_color),
)
FLAT_VERTEX = np.dtype([("position", "<f4", 3), ("colour", "u1", 4)])
FLAT_FORMAT = _format(
    (InternalName.get_vertex(), 3, Geom.NT_float32, Geom.C_point),
    (InternalName.get_color(), 4, Geom.NT_uint8, Geom.C_color),
)
PHOTO_VERTEX = np.dtype([("position", "<f4", 3), ("place", "<f4", 2)])
PHOTO_FORMAT = _format(
    (InternalName.get_vertex(), 3, Geom.NT_float32, Geom.C_point),
    (InternalName.get_texcoord(), 2, Geom.NT_float32, Geom.C_texcoord),
)


def _node(name: str, form: GeomVertexFormat, rows: NDArray[np.void], index: NDArray[np.uint32] | None) -> GeomNode:
    data = GeomVertexData(name, form, Geom.UH_static)
    data.unclean_set_num_rows(len(rows))
    memoryview(data.modify_array(0)).cast("B")[:] = rows.tobytes()
    triangles = GeomTriangles(Geom.UH_static)
    if index is None:
        triangles.add_next_vertices(len(rows))
    else:
        triangles.set_index_type(Geom.NT_uint32)
        buffer = triangles.modify_vertices()
        buffer.unclean_set_num_rows(len(index))
        memoryview(buffer).cast("B")[:] = index.tobytes()
    geom = Geom(data)
    geom.add_primitive(triangles)
    node = GeomNode(name)
    if len(rows):
        node.add_geom(geom)
    return node


def geom_node(shape: PaintedShape, name: str, crease: float = CREASE) -> GeomNode:
    """A lit, indexed node; faces that meet at less than *crease* degrees look smooth."""
    if not len(shape.triangles):
        return GeomNode(name)
    rows, index = packed(shape, crease)
    return _node(name, LIT_FORMAT, rows, index)


def flat_node(triangles: NDArray[np.float64], colours: NDArray[np.uint8], name: str) -> GeomNode:
    """An unlit node for overlays: triangles (n, 3, 3), RGBA per triangle (n, 4) or per corner (n, 3, 4)."""
    rows = np.empty(len(triangles) * 3, FLAT_VERTEX)
    rows["position"] = triangles.reshape(-1, 3)
    rows["colour"] = np.repeat(colours, 3, axis=0) if colours.ndim == 2 else colours.reshape(-1, 4)
    return _node(name, FLAT_FORMAT, rows, None)


def photo_node(triangles: NDArray[np.float64], places: NDArray[np.float64], name: str) -> GeomNode:
    """An unlit node that shows a photo: triangles (n, 3, 3), and where in it each corner is (n, 3, 2), from its bottom
    left as shares of its sides."""
    rows = np.empty(len(triangles) * 3, PHOTO_VERTEX)
    rows["position"], rows["place"] = triangles.reshape(-1, 3), places.reshape(-1, 2)
    return _node(name, PHOTO_FORMAT, rows, None)
