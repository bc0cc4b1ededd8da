"""Small closed shells to put figures together from: lathes, bevelled boxes, limbs."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class Shell:
    """Vertices (n, 3) and faces (m, 3), wound outwards."""

    vertices: NDArray[np.float64]
    faces: NDArray[np.int64]

    def moved(self, x: float, y: float, z: float) -> Shell:
        return Shell(self.vertices + np.array((x, y, z)), self.faces)

    def scaled(self, x: float, y: float, z: float) -> Shell:
        return Shell(self.vertices * (x, y, z), self.faces)

    def turned(self, axis: str, degrees: float) -> Shell:
        """Turned about a coordinate axis through the origin."""
        a = math.radians(degrees)
        c, s = math.cos(a), math.sin(a)
        i, j = {"x": (1, 2), "y": (2, 0), "z": (0, 1)}[axis]
        v = self.vertices.copy()
        v[:, i] = c * self.vertices[:, i] - s * self.vertices[:, j]
        v[:, j] = s * self.vertices[:, i] + c * self.vertices[:, j]
        return Shell(v, self.faces)


def stack(rings: Sequence[NDArray[np.float64]], low: NDArray[np.float64], high: NDArray[np.float64]) -> Shell:
    """A shell through rings of equally many points (counter-clockwise from above), a point at each end."""
    n = len(rings[0])
    vertices = np.concatenate([low[None], *rings, high[None]])
    faces = []
    last = len(vertices) - 1
    for i in range(n):
        j = (i + 1) % n
        faces.append((0, 1 + j, 1 + i))
        for level in range(len(rings) - 1):
            a, b = 1 + level * n + i, 1 + level * n + j
            faces += [(a, b, b + n), (a, b + n, a + n)]
        top = 1 + (len(rings) - 1) * n
        faces.append((last, top + i, top + j))
    return Shell(vertices, np.array(faces, dtype=np.int64))


def lathe(profile: Sequence[tuple[float, float]], sides: int) -> Shell:
    """A profile of (radius, height) turned about the z axis; flat or pointed where it ends."""
    angles = 2 * math.pi * np.arange(sides) / sides
    circle = np.column_stack([np.cos(angles), np.sin(angles)])
    rings = [np.column_stack([circle * r, np.full(sides, z)]) for r, z in profile if r > 0]
    low, high = profile[0][1], profile[-1][1]
    return stack(rings, np.array([0, 0, low]), np.array([0, 0, high]))


def ball(rx: float, ry: float, rz: float, sides: int = 10, rings: int = 5) -> Shell:
    """An ellipsoid about the origin."""
    steps = [math.pi * i / (rings + 1) - math.pi / 2 for i in range(rings + 2)]
    profile = [(max(math.cos(a), 0.0) if 0 < i <= rings else 0.0, math.sin(a)) for i, a in enumerate(steps)]
    return lathe(profile, sides).scaled(rx, ry, rz)


def block(x: float, y: float, z: float, bevel: float, taper: float = 1.0) -> Shell:
    """A bevelled box of that size standing on z = 0, its top *taper* times as wide as its foot."""
    bevel = min(bevel, 0.2 * min(x, y) * min(1.0, taper), 0.3 * z)  # so that no ring folds over

    def ring(scale: float, inset: float, height: float) -> NDArray[np.float64]:
        a, b = x / 2 * scale - inset, y / 2 * scale - inset
        c = bevel
        points = [(a, -b + c), (a, b - c), (a - c, b), (-a + c, b)]  # half of them; the rest lies opposite
        return np.array([(s * px, s * py, height) for s in (1, -1) for px, py in points])

    rings = [ring(1, bevel, 0), ring(1, 0, bevel), ring(taper, 0, z - bevel), ring(taper, bevel, z)]
    return stack(rings, np.array([0, 0, 0.0]), np.array([0, 0, z]))


def limb(start: Sequence[float], end: Sequence[float], first: float, second: float, sides: int = 7) -> Shell:
    """A rounded tube from *start* to *end* with these radii."""
    a, b = np.array(start, dtype=np.float64), np.array(end, dtype=np.float64)
    length = float(np.linalg.norm(b - a))
    round_first, round_second = first * 0.5, second * 0.5
    profile = [
        (0.0, -round_first),
        (first * 0.8, -round_first * 0.6),
        (first, 0.0),
        (second, length),
        (second * 0.8, length + round_second * 0.6),
        (0.0, length + round_second),
    ]
    tube = lathe(profile, sides)
    axis = (b - a) / length
    side = np.cross(axis, (0, 0, 1) if abs(axis[2]) < 0.9 else (1, 0, 0))
    side /= np.linalg.norm(side)
    frame = np.column_stack([side, np.cross(axis, side), axis])
    return Shell(tube.vertices @ frame.T + a, tube.faces)
