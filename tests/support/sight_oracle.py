"""The plain oracle behind the tests of sight: every line against every triangle, in numpy, without a tree.

The distance of a segment from a triangle is the smallest value of a convex quadratic over a prism (how far along the
segment, where in the triangle). It is had by solving for the stationary point on each face of that prism and taking
the least of those that lie on their face. Nothing is shared with the kernels under test.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from ktsim.sight.scene import EPS, MM, Operative, Part, Scene

Floats = NDArray[np.float64]

RADIUS = 0.5 * MM
SKY = 150.0
"""How high the oracle raises walls: far above every line of a test, and not the height the engine takes."""

_CONSTRAINTS = np.array([[1, 0, 0, 0], [-1, 0, 0, 1], [0, 1, 0, 0], [0, 0, 1, 0], [0, -1, -1, 1]], dtype=np.float64)
"""Rows (a, b, c, d): a t + b u + c v + d >= 0 for a place t on the segment and u, v in the triangle."""


def _faces() -> list[tuple[Floats, Floats]]:
    """Every face of the prism as a point (3,) and its directions (3, k)."""
    found = []
    for count in range(4):
        for chosen in combinations(range(5), count):
            rows = _CONSTRAINTS[list(chosen)]
            if np.linalg.matrix_rank(rows[:, :3]) < count:
                continue
            point = np.linalg.lstsq(rows[:, :3], -rows[:, 3], rcond=None)[0] if count else np.zeros(3)
            _, _, vh = np.linalg.svd(rows[:, :3]) if count else (None, None, np.eye(3))
            found.append((point, vh[count:].T))
    return found


FACES = _faces()


def pair_distances(starts: Floats, ways: Floats, triangles: Floats) -> Floats:
    """(n,) distance of segment i (start, way) from triangle i (n, 3, 3)."""
    a, e1, e2 = triangles[:, 0], triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0]
    matrix = np.stack([ways, -e1, -e2], axis=2)
    offset = starts - a
    best = np.full(len(starts), np.inf)
    for point, directions in FACES:
        base = offset + matrix @ point
        k = directions.shape[1]
        if k:
            reach = matrix @ directions
            gram = np.einsum("nik,nil->nkl", reach, reach)
            size = np.einsum("nkk->nk", gram).prod(axis=1)
            good = (np.abs(np.linalg.det(gram)) > 1e-13 * size) & (size > 0)
            if k == 3:  # the lines' own equations, not their squares: better conditioned
                flat = np.abs(np.linalg.det(reach)) > 1e-9 * np.sqrt(size)
                good &= flat
                safe = np.where(good[:, None, None], reach, np.eye(k))
                steps = np.linalg.solve(safe, -base[:, :, None])[:, :, 0]
            else:
                safe = np.where(good[:, None, None], gram, np.eye(k))
                right = -np.einsum("nik,ni->nk", reach, base)
                steps = np.linalg.solve(safe, right[:, :, None])[:, :, 0]
            spots = point + steps @ directions.T
            base = base + np.einsum("nik,nk->ni", reach, steps)
            inside = (spots @ _CONSTRAINTS[:, :3].T + _CONSTRAINTS[:, 3] >= -1e-9).all(axis=1) & good
            value = np.where(inside, np.linalg.norm(base, axis=1), np.inf)
        else:
            value = np.linalg.norm(base, axis=1)
        best = np.minimum(best, value)
    return best


def _near_pairs(starts: Floats, ways: Floats, triangles: Floats, cap: float) -> tuple[Floats, Floats]:
    """Indices (line, triangle) of pairs whose ball around the triangle comes within *cap* of the line."""
    centre = triangles.mean(axis=1)
    radius = np.linalg.norm(triangles - centre[:, None], axis=2).max(axis=1)
    w = centre[None] - starts[:, None]
    length2 = np.maximum((ways**2).sum(axis=1), 1e-300)
    t = np.clip(np.einsum("nmi,ni->nm", w, ways) / length2[:, None], 0, 1)
    apart2 = ((w - t[:, :, None] * ways[:, None]) ** 2).sum(axis=2)
    lines, tris = np.nonzero(apart2 <= (radius + cap + 1e-9) ** 2)
    return lines, tris


def clearances(triangles: Floats, starts: Floats, ends: Floats, cap: float = 1e6) -> Floats:
    """(n,) distance of each line from the nearest of all triangles (m, 3, 3); *cap* where it is farther than that."""
    starts, ends = np.atleast_2d(starts).astype(float), np.atleast_2d(ends).astype(float)
    out = np.full(len(starts), cap)
    if not len(triangles):
        return out
    ways = ends - starts
    chunk = max(1, 400_000 // len(triangles))
    for first in range(0, len(starts), chunk):
        part = slice(first, first + chunk)
        lines, tris = _near_pairs(starts[part], ways[part], triangles, cap)
        values = pair_distances(starts[part][lines], ways[part][lines], triangles[tris])
        np.minimum.at(out, first + lines, values)
    return out


def _crosses(triangles: Floats, starts: Floats, ends: Floats) -> NDArray[np.bool_]:
    """(n,) bool: which thin lines go right through some triangle (those that graze one may be missed)."""
    found = np.zeros(len(starts), dtype=np.bool_)
    ways = ends - starts
    for a, b, c in triangles:
        # six times the volumes that the line's ends and the line itself span with the triangle
        normal = np.cross(b - a, c - a)
        before, after = (starts - a) @ normal, (ends - a) @ normal
        todo = np.flatnonzero(~found & (before * after < 0))
        if len(todo):
            o, d = starts[todo], ways[todo]
            sides = [np.einsum("ni,ni->n", np.cross(p - o, q - o), d) for p, q in ((a, b), (b, c), (c, a))]
            signs = np.sign(sides)
            same = (signs == signs[0]).all(axis=0) & (signs[0] != 0)
            found[todo[same]] = True
    return found


def posed(triangles: Floats, x: float, y: float, z: float, turn: float) -> Floats:
    """A mesh turned about the vertical and moved."""
    angle = np.radians(turn)
    matrix = np.array([[np.cos(angle), -np.sin(angle), 0], [np.sin(angle), np.cos(angle), 0], [0, 0, 1]])
    return np.asarray(triangles @ matrix.T + np.array([x, y, z]))


def body(operative: Operative) -> Floats:
    """The operative's body where it stands."""
    return posed(operative.figure.triangles, operative.x, operative.y, operative.level, operative.turn)


def head(operative: Operative) -> tuple[Floats, float]:
    """Centre and radius of its head."""
    centre = posed(np.array(operative.figure.head)[None], operative.x, operative.y, operative.level, operative.turn)[0]
    return centre, operative.figure.head_radius


def _swept(triangles: Floats) -> Floats:
    """The solid without a top: every triangle swept up to the sky."""
    lid = triangles.copy()
    lid[:, :, 2] = SKY
    found = [triangles, lid]
    for i, j in ((0, 1), (1, 2), (2, 0)):
        a, b, top_a, top_b = triangles[:, i], triangles[:, j], lid[:, i], lid[:, j]
        found += [np.stack([a, b, top_b], axis=1), np.stack([a, top_b, top_a], axis=1)]
    return np.concatenate(found)


def stops_sight(part: Part) -> bool:
    """An open access point is an opening (KZ-HATCH-OPEN); everything else stops lines (SIGHT-7)."""
    return not part.traits >= {"accessible", "insignificant", "exposed"}


def obstacles(scene: Scene, *without: str, dropping: Iterable[str] = ()) -> Floats:
    """All triangles in the way of a look: parts in their present state but *dropping*, bodies but *without*."""
    dropped = set(dropping)
    found = [np.empty((0, 3, 3))]
    for part in scene.parts():
        if part.key not in dropped and stops_sight(part):
            found.append(_swept(part.triangles) if "wall" in part.traits else part.triangles)
    found += [body(other) for other in scene.operatives if other.id not in without]
    return np.concatenate(found)


def clearance(
    scene: Scene, viewer: str, target: str, start: Floats, end: Floats, dropping: Iterable[str] = ()
) -> float:
    """How far a line from *viewer* to *target* keeps from everything that may stop it (at most 1 inch)."""
    mesh = obstacles(scene, viewer, target, dropping=dropping)
    return float(clearances(mesh, np.array(start), np.array(end), 1.0)[0])


def is_clear(scene: Scene, viewer: str, target: str, start: Floats, end: Floats, dropping: Iterable[str] = ()) -> bool:
    """SIGHT-6, with another EPS for the arithmetic."""
    return clearance(scene, viewer, target, start, end, dropping) >= RADIUS - 2 * EPS


def random_looks(viewer: Operative, target: Operative, count: int, seed: int) -> tuple[Floats, Floats]:
    """Lines from points all over the head to points all over the body."""
    rng = np.random.default_rng(seed)
    centre, radius = head(viewer)
    direction = rng.normal(size=(count, 3))
    direction /= np.linalg.norm(direction, axis=1)[:, None]
    starts = centre + direction * radius * rng.random((count, 1)) ** (1 / 3)
    mesh = body(target)
    areas = np.linalg.norm(np.cross(mesh[:, 1] - mesh[:, 0], mesh[:, 2] - mesh[:, 0]), axis=1)
    chosen = rng.choice(len(mesh), count, p=areas / areas.sum())
    ends = np.einsum("nk,nkj->nj", rng.dirichlet((1, 1, 1), count), mesh[chosen])
    return starts, ends


def clear_look(
    scene: Scene, viewer: str, target: str, count: int, seed: int, radius: float = RADIUS, dropping: Iterable[str] = ()
) -> tuple[Floats, Floats] | None:
    """A line among *count* random ones that keeps *radius* from everything, or ``None``."""
    starts, ends = random_looks(scene.operative(viewer), scene.operative(target), count, seed)
    mesh = obstacles(scene, viewer, target, dropping=dropping)
    open_ones = ~_crosses(mesh, starts, ends)  # the distance of all others is 0
    starts, ends = starts[open_ones], ends[open_ones]
    found = clearances(mesh, starts, ends, radius * 1.5) >= radius
    return (starts[found][0], ends[found][0]) if found.any() else None


def check_witness(scene: Scene, viewer: str, target: str, line: object, dropping: Iterable[str] = ()) -> None:
    """A witness starts in the head, ends on the body and is clear."""
    start, end = np.asarray(line, dtype=np.float64)
    centre, radius = head(scene.operative(viewer))
    assert np.linalg.norm(start - centre) <= radius + 1e-9
    mesh = body(scene.operative(target))
    assert float(clearances(mesh, end, end, 1.0)[0]) <= 1e-6
    assert is_clear(scene, viewer, target, start, end, dropping), clearance(scene, viewer, target, start, end, dropping)
