"""Do closed meshes overlap or touch? Judged by points along their edges, which is enough for solids.

When two solids overlap, an edge of one of them runs through the inside of the other.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Points = NDArray[np.float64]
Triangles = NDArray[np.float64]

STEP = 0.05
"""How far apart points along an edge are, in inches."""

_CHUNK = 4_000_000


def _view() -> Points:
    """A turn of the axes to a direction that no edge of sensible terrain follows, so that rays miss all edges."""
    z = np.array([0.3719, 0.2273, 0.9])
    z /= np.linalg.norm(z)
    x = np.cross(z, [0.1171, 0.9, -0.4133])
    x /= np.linalg.norm(x)
    return np.stack([x, np.cross(z, x), z], axis=1)


_VIEW = _view()


def inside(points: Points, triangles: Triangles) -> NDArray[np.bool_]:
    """Which of the *points* (n, 3) lie inside a closed mesh: a ray from them crosses it an odd number of times."""
    result = np.zeros(len(points), bool)
    low, high = triangles.min(axis=(0, 1)), triangles.max(axis=(0, 1))
    near = np.nonzero(((points > low) & (points < high)).all(axis=1))[0]
    if len(near):
        flat = triangles @ _VIEW
        size = max(1, _CHUNK // len(triangles))
        for start in range(0, len(near), size):
            chosen = near[start : start + size]
            result[chosen] = _crossings(points[chosen] @ _VIEW, flat) % 2 == 1
    return result


def _crossings(points: Points, triangles: Triangles) -> NDArray[np.int64]:
    """How many triangles the ray along +z from each point crosses."""
    low, high = triangles.min(axis=1), triangles.max(axis=1)
    x, y, z = points[:, :1], points[:, 1:2], points[:, 2:]
    may = (x >= low[:, 0]) & (x <= high[:, 0])
    may &= (y >= low[:, 1]) & (y <= high[:, 1])
    may &= z <= high[:, 2]
    which, face = np.nonzero(may)
    to = triangles[face] - points[which][:, None]
    a, b, c = to[:, 0], to[:, 1], to[:, 2]
    # Twice the areas that the ray cuts off: of one sign when it passes within the triangle.
    u = b[:, 0] * c[:, 1] - b[:, 1] * c[:, 0]
    v = c[:, 0] * a[:, 1] - c[:, 1] * a[:, 0]
    w = a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]
    within = ((u > 0) & (v > 0) & (w > 0)) | ((u < 0) & (v < 0) & (w < 0))
    total = u + v + w
    height = (u * a[:, 2] + v * b[:, 2] + w * c[:, 2]) * np.sign(total)
    return np.bincount(which[within & (height > 0)], minlength=len(points))


def overlap(one: Triangles, other: Triangles, depth: float) -> bool:
    """Do two closed meshes run into each other by more than about *depth*?"""
    return _runs_into(one, other, depth) or _runs_into(other, one, depth)


def touch(one: Triangles, other: Triangles, reach: float) -> bool:
    """Are two closed meshes in contact, or nearer to each other than about *reach*?"""
    # Drawn in as well, or a mesh would not touch its own twin.
    return any(len(_within(a, b, by)) > 0 for a, b in ((one, other), (other, one)) for by in (reach, -reach))


def _runs_into(moving: Triangles, still: Triangles, depth: float) -> bool:
    found = _within(moving, still, -depth)
    # Where a mesh is thinner than the depth its surface comes out on the other side: such points do not count,
    # nor do those that graze the surface because corners of slivers have unsteady normals.
    found = found[inside(found, moving)]
    return bool(len(found)) and bool((_distances(found[:400], still) > 0.3 * depth).any())


def _within(moving: Triangles, still: Triangles, by: float) -> Points:
    """Points on the edges of *moving*, its surface moved outwards by *by*, that are inside *still*."""
    low, high = still.min(axis=(0, 1)), still.max(axis=(0, 1))
    grown = abs(by)
    if (moving.min(axis=(0, 1)) - grown > high).any() or (moving.max(axis=(0, 1)) + grown < low).any():
        return np.zeros((0, 3))
    starts, ends = _edges(_offset(moving, by))
    points = _sampled(starts, ends, low, high)
    return np.asarray(points[inside(points, still)])


def _offset(triangles: Triangles, by: float) -> Triangles:
    """The surface moved along its corners' normals, to which each triangle counts by its angle there."""
    ahead = np.roll(triangles, -1, axis=1) - triangles
    lengths = np.linalg.norm(ahead, axis=2)
    crossed = np.cross(ahead[:, 0], ahead[:, 1])
    area = np.linalg.norm(crossed, axis=1)
    unit = crossed / np.maximum(area, 1e-18)[:, None]
    back = np.roll(ahead, 1, axis=1)
    cosine = -np.einsum("ijk,ijk->ij", ahead, back) / np.maximum(lengths * np.roll(lengths, 1, axis=1), 1e-18)
    angle = np.arccos(np.clip(cosine, -1, 1))
    angle[area < 1e-4 * lengths.max(axis=1)] = 0
    corners = triangles.reshape(-1, 3)
    _, number = np.unique(np.round(corners, 4), axis=0, return_inverse=True)
    number = number.reshape(-1)
    total = np.zeros((int(number.max()) + 1, 3))
    np.add.at(total, number, (unit[:, None] * angle[..., None]).reshape(-1, 3))
    normal = total / np.maximum(np.linalg.norm(total, axis=1), 1e-12)[:, None]
    return np.asarray((corners + by * normal[number]).reshape(-1, 3, 3))


def _distances(points: Points, triangles: Triangles) -> NDArray[np.float64]:
    """From each point to the nearest of the triangles."""
    nearest = np.full(len(points), np.inf)
    for a, b in ((0, 1), (1, 2), (2, 0)):
        start, along = triangles[:, a], triangles[:, b] - triangles[:, a]
        to = points[:, None] - start
        square = np.maximum(np.einsum("jk,jk->j", along, along), 1e-18)
        t = np.clip(np.einsum("ijk,jk->ij", to, along) / square, 0, 1)
        off = to - t[..., None] * along
        nearest = np.minimum(nearest, np.sqrt(np.einsum("ijk,ijk->ij", off, off)).min(axis=1))
    normal = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])
    size = np.maximum(np.linalg.norm(normal, axis=1), 1e-18)
    normal = normal / size[:, None]
    to = points[:, None] - triangles[:, 0]
    height = np.einsum("ijk,jk->ij", to, normal)
    over = np.ones(height.shape, bool)
    for k in range(3):
        side = triangles[:, (k + 1) % 3] - triangles[:, k]
        across = np.cross(normal, side)
        over &= np.einsum("ijk,jk->ij", points[:, None] - triangles[:, k], across) >= 0
    return np.asarray(np.minimum(nearest, np.where(over, np.abs(height), np.inf).min(axis=1)))


def _edges(triangles: Triangles) -> tuple[Points, Points]:
    """Both ends of every edge, once per pair of triangles that share it."""
    starts = np.concatenate([triangles[:, 0], triangles[:, 1], triangles[:, 2]])
    ends = np.concatenate([triangles[:, 1], triangles[:, 2], triangles[:, 0]])
    # In a closed mesh every edge is there in both directions.
    forward = (starts[:, 0] < ends[:, 0]) | (
        (starts[:, 0] == ends[:, 0])
        & ((starts[:, 1] < ends[:, 1]) | ((starts[:, 1] == ends[:, 1]) & (starts[:, 2] < ends[:, 2])))
    )
    return starts[forward], ends[forward]


def _sampled(starts: Points, ends: Points, low: Points, high: Points) -> Points:
    """Points along the stretches of edges that lie in the box from *low* to *high*."""
    along = ends - starts
    with np.errstate(divide="ignore", invalid="ignore"):
        t0, t1 = (low - starts) / along, (high - starts) / along
    flat = np.abs(along) < 1e-12
    within = (starts > low) & (starts < high)
    enter = np.where(flat, np.where(within, -np.inf, np.inf), np.minimum(t0, t1)).max(axis=1).clip(0, 1)
    leave = np.where(flat, np.where(within, np.inf, -np.inf), np.maximum(t0, t1)).min(axis=1).clip(0, 1)
    kept = leave > enter
    starts, along, enter, leave = starts[kept], along[kept], enter[kept], leave[kept]
    lengths = np.linalg.norm(along, axis=1) * (leave - enter)
    counts = np.clip(np.ceil(lengths / STEP).astype(int), 1, 200)
    edge = np.repeat(np.arange(len(starts)), counts)
    first = np.repeat(np.cumsum(counts) - counts, counts)
    share = (np.arange(len(edge)) - first + 0.5) / counts[edge]
    return np.asarray(starts[edge] + along[edge] * (enter[edge] + share * (leave - enter)[edge])[:, None])
