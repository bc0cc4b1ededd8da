"""The convex hull: closed, turned outwards, around every point, with corners among them."""

from __future__ import annotations

import numpy as np
import pytest

from ktsim.geometry.hull import convex_hull
from ktsim.geometry.solids import box, is_closed, triangles_of
from ktsim.killzones.figures import model_meshes, models


def around(points: np.ndarray) -> np.ndarray:
    """The hull, checked."""
    found = convex_hull(points)
    assert is_closed(found)
    a, b, c = found[:, 0], found[:, 1], found[:, 2]
    normals = np.cross(b - a, c - a)
    normals /= np.linalg.norm(normals, axis=1)[:, None]
    outside = points @ normals.T - np.einsum("ij,ij->i", normals, a)
    assert outside.max() < 1e-7
    known = {tuple(point) for point in points.tolist()}
    assert all(tuple(corner) in known for corner in found.reshape(-1, 3).tolist())
    return found


def volume(triangles: np.ndarray) -> float:
    return float(np.einsum("ij,ij->i", triangles[:, 0], np.cross(triangles[:, 1], triangles[:, 2])).sum() / 6)


@pytest.mark.parametrize("seed", range(6))
def test_random_points(seed: int) -> None:
    rng = np.random.default_rng(seed)
    points = rng.normal(size=(200, 3)) * (1, 0.2, 3)
    assert volume(around(points)) > 0


def test_a_box_with_points_inside_and_on_its_faces_is_the_box() -> None:
    corners = np.asarray(box((0, 0, 0), (2, 3, 4)), float).reshape(-1, 3)
    inside = np.array([[1, 1, 1], [1, 0, 2], [2, 1.5, 2], [0.5, 3, 4]], float)
    assert volume(around(np.concatenate([inside, corners]))) == pytest.approx(24)


def test_every_figure() -> None:
    for model in models():
        meshes = model_meshes(model).values()
        around(np.concatenate([triangles_of(mesh) for mesh in meshes]).reshape(-1, 3))


@pytest.mark.parametrize(
    "points", [np.zeros((0, 3)), np.zeros((5, 3)), np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]])]
)
def test_what_lies_in_a_plane_has_none(points: np.ndarray) -> None:
    assert len(convex_hull(points.astype(float))) == 0
