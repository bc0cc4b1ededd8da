"""What lies under a pixel or in the way of a camera: rays against the triangles that are drawn or rule."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ktsim.app.stage.cameras import Pose
from ktsim.app.stage.miniatures import BASE_HEIGHT
from ktsim.sight.scene import Operative, Part, Scene

Vector = NDArray[np.float64]


def distance_to(triangles: NDArray[np.float64], origin: Vector, direction: Vector) -> tuple[float, int]:
    """How far along the ray its first triangle is, and which one; (inf, -1) when there is none."""
    if not len(triangles):
        return float("inf"), -1
    a = triangles[:, 0]
    ab, ac = triangles[:, 1] - a, triangles[:, 2] - a
    p = np.cross(direction, ac)
    det = np.einsum("ij,ij->i", ab, p)
    with np.errstate(divide="ignore", invalid="ignore"):
        inverse = np.where(np.abs(det) > 1e-12, 1 / det, np.nan)
        s = origin - a
        u = np.einsum("ij,ij->i", s, p) * inverse
        q = np.cross(s, ab)
        v = (q @ direction) * inverse
        t = np.einsum("ij,ij->i", ac, q) * inverse
        hit = (u >= -1e-9) & (v >= -1e-9) & (u + v <= 1 + 1e-9) & (t > 1e-6)
    if not hit.any():
        return float("inf"), -1
    far = np.where(hit, t, np.inf)
    best = int(np.argmin(far))
    return float(far[best]), best


def meets_box(low: Vector, high: Vector, origin: Vector, direction: Vector) -> bool:
    """Whether a ray meets a box."""
    with np.errstate(divide="ignore", invalid="ignore"):
        one, two = (low - origin) / direction, (high - origin) / direction
    near = np.nanmax(np.minimum(one, two))
    return bool(np.nanmin(np.maximum(one, two)) >= max(near, 0.0))


@dataclass(frozen=True)
class Picked:
    """The first thing under a pixel: the board's floor, a terrain part, or an operative."""

    kind: Literal["floor", "part", "operative"]
    id: str
    point: tuple[float, float, float]
    standable: bool
    """Whether an operative could be put down here: the floor, or the upper side of a Vantage part."""


class Picker:
    """Answers what a ray meets in one scene. Boxes are kept per part, so most rays test few triangles."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self._parts: list[tuple[Part, Vector, Vector]] = [
            (part, part.triangles.min(axis=(0, 1)), part.triangles.max(axis=(0, 1)))
            for part in scene.parts()
            if "blocking" not in part.traits or "heavy" in part.traits
            if "exposed" not in part.traits or "vantage" in part.traits
        ]

    def along(self, origin: Vector, direction: Vector) -> Picked | None:
        """The first thing on a ray."""
        best, found = float("inf"), None
        if direction[2] < -1e-9:
            t = -origin[2] / direction[2]
            x, y, _ = origin + t * direction
            if t > 0 and 0 <= x <= self.scene.terrain.board[0] and 0 <= y <= self.scene.terrain.board[1]:
                best, found = t, Picked("floor", "", (float(x), float(y), 0.0), True)
        for part, low, high in self._parts:
            if meets_box(low, high, origin, direction):
                t, which = distance_to(part.triangles, origin, direction)
                if t < best:
                    a, b, c = part.triangles[which]
                    up = bool(np.cross(b - a, c - a)[2] > 0)
                    found = Picked("part", part.key, _point(origin, direction, t), up and "vantage" in part.traits)
                    best = t
        for operative in self.scene.operatives:
            t = _operative_distance(operative, origin, direction)
            if t < best:
                best, found = t, Picked("operative", operative.id, _point(origin, direction, t), False)
        return found

    def under(self, pixel: tuple[float, float], pose: Pose, size: tuple[int, int]) -> Picked | None:
        """The first thing under a pixel of a view."""
        return self.along(*pose.ray(pixel, size))

    def hides(self, eye: ArrayLike, points: Iterable[ArrayLike], slack: float = 0.25) -> int:
        """How many of the points terrain hides from *eye*."""
        count = 0
        start = np.asarray(eye, float)
        for point in points:
            way = np.asarray(point, float) - start
            length = float(np.linalg.norm(way))
            count += any(
                distance_to(part.triangles, start, way / length)[0] < length - slack
                for part, low, high in self._parts
                if meets_box(low, high, start, way / length)
            )
        return count


def on_level(pixel: tuple[float, float], pose: Pose, size: tuple[int, int], level: float) -> tuple[float, float] | None:
    """Where the ray under a pixel meets a height, for dragging something that stays on its level."""
    origin, direction = pose.ray(pixel, size)
    if abs(direction[2]) < 1e-9:
        return None
    t = (level - origin[2]) / direction[2]
    if t <= 0:
        return None
    x, y, _ = origin + t * direction
    return float(x), float(y)


def _point(origin: Vector, direction: Vector, t: float) -> tuple[float, float, float]:
    x, y, z = origin + t * direction
    return float(x), float(y), float(z)


def _operative_distance(operative: Operative, origin: Vector, direction: Vector) -> float:
    """The ray is turned into the operative's frame; its figure and its base's upper side are tested there."""
    t = np.radians(operative.turn)
    c, s = np.cos(t), np.sin(t)
    back = np.array([[c, s, 0], [-s, c, 0], [0, 0, 1]])
    start = back @ (origin - np.array([operative.x, operative.y, operative.level]))
    way = back @ direction
    best = float("inf")
    if way[2] < -1e-9:
        flat = (BASE_HEIGHT - start[2]) / way[2]
        x, y, _ = start + flat * way
        if flat > 0 and (x / operative.base.along) ** 2 + (y / operative.base.across) ** 2 <= 1:
            best = float(flat)
    mesh = operative.figure.triangles
    if meets_box(mesh.min(axis=(0, 1)), mesh.max(axis=(0, 1)), start, way):
        best = min(best, distance_to(mesh, start, way)[0])
    return best


def clearest(picker: Picker, poses: Sequence[Pose], points: Sequence[ArrayLike]) -> Pose:
    """The first of the poses from which terrain hides the fewest of the points."""
    return min(poses, key=lambda pose: picker.hides(pose.eye, points))
