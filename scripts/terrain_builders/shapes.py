"""Solids: every function returns a closed mesh with outward triangles."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np
import trimesh
from manifold3d import Error, Manifold, Mesh64, OpType
from numpy.typing import ArrayLike, NDArray
from shapely.geometry import Polygon
from trimesh import Trimesh
from trimesh.transformations import rotation_matrix, translation_matrix

from .draft import Matrix

UPRIGHT: Matrix = rotation_matrix(math.pi / 2, [1, 0, 0])
"""Turns a drawing in the XY plane up into the XZ plane, so that its y becomes height."""


def pose(
    x: float = 0, y: float = 0, z: float = 0, turn: float = 0, tilt: float = 0, axis: Sequence[float] = (1, 0, 0)
) -> Matrix:
    """Tilt about *axis*, turn about the vertical, then move; degrees."""
    matrix: Matrix = translation_matrix([x, y, z]) @ rotation_matrix(math.radians(turn), [0, 0, 1])
    return matrix @ rotation_matrix(math.radians(tilt), axis) if tilt else matrix


def move(
    mesh: Trimesh,
    x: float = 0,
    y: float = 0,
    z: float = 0,
    turn: float = 0,
    tilt: float = 0,
    axis: Sequence[float] = (1, 0, 0),
) -> Trimesh:
    """Move *mesh* in place and return it."""
    return mesh.apply_transform(pose(x, y, z, turn, tilt, axis))


def side(start: ArrayLike, end: ArrayLike) -> tuple[Matrix, float]:
    """The frame of one edge of a counter-clockwise outline, and its length.

    Local y points outside, z up, and x runs from *end* back to *start*.
    """
    first, last = np.asarray(start, float), np.asarray(end, float)
    along = first - last
    length = float(np.linalg.norm(along))
    along = along / length
    matrix = np.eye(4)
    matrix[:2, 0] = along
    matrix[:2, 1] = [-along[1], along[0]]
    matrix[:2, 3] = last
    return matrix, length


@cache
def _bevel_faces() -> NDArray[np.int64]:
    points = _bevel_points(np.array([1.0, 1.0, 1.0]), 0.2)
    hull = trimesh.convex.convex_hull(points)
    nearest = np.array([np.argmin(((points - vertex) ** 2).sum(axis=1)) for vertex in hull.vertices])
    faces: NDArray[np.int64] = nearest[hull.faces]
    return faces


def _bevel_points(half: NDArray[np.float64], bevel: float) -> NDArray[np.float64]:
    points = []
    for signs in np.array(np.meshgrid((-1, 1), (-1, 1), (-1, 1))).T.reshape(-1, 3):
        for axis in range(3):
            point = signs * (half - bevel)
            point[axis] = signs[axis] * half[axis]
            points.append(point)
    return np.array(points)


def bevelled(sx: float, sy: float, sz: float, bevel: float = 0.04, z: float = 0) -> Trimesh:
    """A box with chamfered edges, centred on the origin seen from above, standing on *z*."""
    bevel = min(bevel, 0.45 * min(sx, sy, sz))
    points = _bevel_points(np.array([sx, sy, sz]) / 2, bevel)
    return Trimesh(points, _bevel_faces(), process=False).apply_translation([0, 0, sz / 2 + z])


def box(sx: float, sy: float, sz: float, z: float = 0) -> Trimesh:
    """A box centred on the origin seen from above, standing on *z*."""
    return trimesh.creation.box((sx, sy, sz)).apply_translation([0, 0, sz / 2 + z])


def polygons(shape: Any) -> list[Polygon]:
    """The polygons of a drawing worth extruding."""
    return [part for part in getattr(shape, "geoms", [shape]) if isinstance(part, Polygon) and part.area > 1e-4]


def prism(shape: Any, height: float, z: float = 0) -> Trimesh:
    """A drawing pulled straight up from *z*."""
    meshes = [trimesh.creation.extrude_polygon(part, height) for part in polygons(shape)]
    return union(meshes).apply_translation([0, 0, z])


def panel(shape: Any, thickness: float, y: float = 0) -> Trimesh:
    """A drawing in the XZ plane as a wall of that *thickness* centred on *y*."""
    return prism(shape, thickness, -thickness / 2).apply_transform(UPRIGHT).apply_translation([0, y, 0])


def lathe(profile: Sequence[tuple[float, float]], sections: int = 24) -> Trimesh:
    """A profile of (radius, height) turned about the z axis."""
    return trimesh.creation.revolve(np.array(profile, float), sections=sections)


def cylinder(radius: float, height: float, sections: int = 16, z: float = 0) -> Trimesh:
    return lathe([(0, z), (radius, z), (radius, z + height), (0, z + height)], sections)


def torus(radius: float, tube: float, around: int = 36, across: int = 6) -> Trimesh:
    return trimesh.creation.torus(radius, tube, major_sections=around, minor_sections=across)


def rod(start: Sequence[float], end: Sequence[float], radius: float = 0.04, sections: int = 6) -> Trimesh:
    return trimesh.creation.cylinder(radius, segment=[start, end], sections=sections)


def pipe(points: ArrayLike, radius: float = 0.1, sections: int = 8, bend: float = 0.25, steps: int = 3) -> Trimesh:
    """A tube along a polyline with rounded elbows."""
    path = _rounded(np.asarray(points, float), bend, steps)
    tangents = np.gradient(path, axis=0)
    tangents /= np.linalg.norm(tangents, axis=1)[:, None]
    up = np.array([0, 0, 1.0]) if abs(tangents[0, 2]) < 0.9 else np.array([1.0, 0, 0])
    angles = np.arange(sections) * 2 * math.pi / sections
    rings = []
    for point, tangent in zip(path, tangents, strict=True):
        first = np.cross(up, tangent)
        first /= np.linalg.norm(first) + 1e-9
        up = np.cross(tangent, first)
        rings.append(point + radius * (np.cos(angles)[:, None] * first + np.sin(angles)[:, None] * up))
    count = len(path)
    faces = []
    for ring in range(count - 1):
        for k in range(sections):
            a, b = ring * sections + k, ring * sections + (k + 1) % sections
            c, d = b + sections, a + sections
            faces += [(a, b, c), (a, c, d)]
    last = (count - 1) * sections
    for k in range(sections):
        after = (k + 1) % sections
        faces += [(count * sections, after, k), (count * sections + 1, last + k, last + after)]
    mesh = Trimesh(np.vstack([*rings, path[:1], path[-1:]]), faces, process=False)
    if mesh.volume < 0:
        mesh.invert()
    return mesh


def _rounded(points: NDArray[np.float64], bend: float, steps: int) -> NDArray[np.float64]:
    path = [points[0]]
    for before, corner, after in zip(points, points[1:], points[2:], strict=False):
        back, on = before - corner, after - corner
        reach = min(bend, 0.45 * float(np.linalg.norm(back)), 0.45 * float(np.linalg.norm(on)))
        start = corner + back / np.linalg.norm(back) * reach
        end = corner + on / np.linalg.norm(on) * reach
        for t in np.linspace(0, 1, steps + 1):
            path.append((1 - t) ** 2 * start + 2 * t * (1 - t) * corner + t * t * end)
    path.append(points[-1])
    return np.array(path)


def union(meshes: Sequence[Trimesh]) -> Trimesh:
    return meshes[0] if len(meshes) == 1 else trimesh.boolean.union(meshes, engine="manifold")


def cut(mesh: Trimesh, cutters: Sequence[Trimesh]) -> Trimesh:
    """*mesh* without what lies in any of the *cutters*."""
    return trimesh.boolean.difference([mesh, *cutters], engine="manifold") if cutters else mesh


def solid(meshes: Sequence[Trimesh]) -> Manifold:
    """The union of closed meshes, prepared for :func:`clipped`."""
    return Manifold.batch_boolean([_manifold(mesh) for mesh in meshes], OpType.Add)


def clipped(mesh: Trimesh, limit: Manifold) -> Trimesh | None:
    """The part of *mesh* inside *limit*; None when there is nothing."""
    inside = (_manifold(mesh) ^ limit).to_mesh64()
    if not len(inside.tri_verts):
        return None
    return Trimesh(inside.vert_properties[:, :3], inside.tri_verts, process=False)


def _manifold(mesh: Trimesh) -> Manifold:
    found = Manifold(Mesh64(np.asarray(mesh.vertices, np.float64), np.asarray(mesh.faces, np.uint64)))
    if found.status() != Error.NoError:
        raise ValueError(f"an open mesh around {mesh.bounds.mean(axis=0).round(2).tolist()}: {found.status()}")
    return found


def without_crumbs(mesh: Trimesh, least: float = 0.02) -> Trimesh:
    """*mesh* without pieces of less than *least* cubic inches that cutting has left hanging."""
    return join([body for body in mesh.split(only_watertight=False) if body.volume >= least])


def common(meshes: Sequence[Trimesh]) -> Trimesh:
    return trimesh.boolean.intersection(meshes, engine="manifold")


def join(meshes: Sequence[Trimesh | None]) -> Trimesh:
    """Meshes in one, not merged; for decor."""
    return trimesh.util.concatenate([mesh for mesh in meshes if mesh is not None])
