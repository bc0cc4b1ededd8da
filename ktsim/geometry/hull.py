"""The convex hull of points in space."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Points = NDArray[np.float64]
SLACK = 1e-9
"""Of the points' extent: how far outside a face a point must lie to count as outside."""


def convex_hull(points: Points) -> Points:
    """The hull of *points* (n, 3) as triangles (m, 3, 3) turned outwards; none where they all lie in a plane.

    Point by point: the faces that see the next one give way to a fan from it to their rim.
    """
    corners = np.unique(points, axis=0)
    slack = SLACK * float(np.abs(corners - corners[:1]).max(initial=0.0))
    first = _tetrahedron(corners, slack)
    if first is None:
        return np.empty((0, 3, 3))
    faces = first[np.array([[0, 1, 2], [0, 3, 1], [1, 3, 2], [2, 3, 0]])]
    normals, offsets = _planes(corners, faces)
    for number in range(len(corners)):
        sees = normals @ corners[number] > offsets + slack
        if not sees.any():
            continue
        edges = faces[sees][:, [[0, 1], [1, 2], [2, 0]]].reshape(-1, 2)
        inner = {(b, a) for a, b in edges.tolist()}
        rim = [edge for edge in edges.tolist() if tuple(edge) not in inner]
        fan = np.array([[a, b, number] for a, b in rim])
        planes = _planes(corners, fan)
        faces = np.concatenate([faces[~sees], fan])
        normals, offsets = np.concatenate([normals[~sees], planes[0]]), np.concatenate([offsets[~sees], planes[1]])
    found: Points = corners[faces]
    return found


def _tetrahedron(corners: Points, slack: float) -> NDArray[np.int64] | None:
    """Four of the points far apart, the fourth behind the face of the others."""
    if len(corners) < 4:
        return None
    one, two = 0, int(np.argmax(np.linalg.norm(corners - corners[0], axis=1)))
    across = np.cross(corners - corners[one], corners[two] - corners[one])
    three = int(np.argmax(np.linalg.norm(across, axis=1)))
    away = (corners - corners[one]) @ across[three]
    four = int(np.argmax(np.abs(away)))
    if abs(away[four]) <= slack * np.linalg.norm(across[three]) or not np.linalg.norm(across[three]):
        return None
    # across[three] is the normal of one, three, two: the fourth must not be on its side
    return np.array([one, three, two, four] if away[four] < 0 else [one, two, three, four])


def _planes(corners: Points, faces: NDArray[np.int64]) -> tuple[Points, NDArray[np.float64]]:
    """Outward normals of length 1 and how far along them each face lies."""
    a, b, c = (corners[faces[:, number]] for number in range(3))
    normals = np.cross(b - a, c - a)
    lengths = np.linalg.norm(normals, axis=1)
    normals /= np.where(lengths > 0, lengths, 1.0)[:, None]
    return normals, np.einsum("ij,ij->i", normals, a)
