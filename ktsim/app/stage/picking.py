"""What lies under a pixel or in the way of a camera: rays against the triangles that are drawn or rule."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ktsim.app.stage.cameras import Pose
from ktsim.app.stage.miniatures import BASE_HEIGHT
from ktsim.sight.scene import Figure, Operative, Part, Scene

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


def meets_boxes(boxes: NDArray[np.float64], origin: Vector, direction: Vector) -> NDArray[np.bool_]:
    """Which boxes, each its lowest and highest corner (n, 2, 3), a ray meets: shape (n,)."""
    with np.errstate(divide="ignore", invalid="ignore"):
        ways = (boxes - origin) / direction
        near, far = np.minimum(ways[:, 0], ways[:, 1]), np.maximum(ways[:, 0], ways[:, 1])
        found: NDArray[np.bool_] = np.fmin.reduce(far, axis=1) >= np.maximum(np.fmax.reduce(near, axis=1), 0.0)
    return found


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
        kept = scene.terrain.kept.setdefault("picked", {})
        parts = scene.parts()
        if kept.get("of") is not parts:  # the same as long as no state changes
            seen = [part for part in parts if _is_drawn(part)]
            kept.update({"of": parts, "seen": seen, "boxes": np.array([part.box for part in seen]).reshape(-1, 2, 3)})
        self._parts: list[Part] = kept["seen"]
        self._boxes: NDArray[np.float64] = kept["boxes"]

    def _met(self, origin: Vector, direction: Vector) -> Iterator[Part]:
        """The parts whose boxes a ray meets."""
        return (self._parts[number] for number in np.flatnonzero(meets_boxes(self._boxes, origin, direction)))

    def along(self, origin: Vector, direction: Vector) -> Picked | None:
        """The first thing on a ray."""
        best, found = float("inf"), None
        if direction[2] < -1e-9:
            t = -origin[2] / direction[2]
            x, y, _ = origin + t * direction
            if t > 0 and 0 <= x <= self.scene.terrain.board[0] and 0 <= y <= self.scene.terrain.board[1]:
                best, found = t, Picked("floor", "", (float(x), float(y), 0.0), True)
        for part in self._met(origin, direction):
            t, which = distance_to(part.triangles, origin, direction)
            if t < best:
                a, b, c = part.triangles[which]
                up = bool(np.cross(b - a, c - a)[2] > 0)
                found = Picked("part", part.key, _point(origin, direction, t), up and "vantage" in part.traits)
                best = t
        for operative in _near(self.scene.operatives, origin, direction):
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
                for part in self._met(start, way / length)
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
    if meets_boxes(operative.figure.box[None], start, way)[0]:
        best = min(best, distance_to(operative.figure.triangles, start, way)[0])
    return best


def _is_drawn(part: Part) -> bool:
    is_seen = "blocking" not in part.traits or "heavy" in part.traits
    return is_seen and ("exposed" not in part.traits or "vantage" in part.traits)


def _near(operatives: Sequence[Operative], origin: Vector, direction: Vector) -> list[Operative]:
    """Those a ray comes so near that it may meet them, however they are turned. *direction* is of length 1."""
    if not operatives:
        return []
    way = np.array([(one.x, one.y, one.level) for one in operatives]) - origin
    across = np.linalg.norm(way - (way @ direction)[:, None] * direction, axis=1)
    reach = [max(_reach(one.figure), one.base.along, one.base.across) + BASE_HEIGHT for one in operatives]
    return [one for one, is_near in zip(operatives, across <= reach, strict=True) if is_near]


def _reach(figure: Figure) -> float:
    """How far from its origin a figure comes at most."""
    return float(np.linalg.norm(np.abs(figure.box).max(axis=0)))


def clearest(picker: Picker, poses: Sequence[Pose], points: Sequence[ArrayLike]) -> Pose:
    """The first of the poses from which terrain hides the fewest of the points."""
    return min(poses, key=lambda pose: picker.hides(pose.eye, points))
