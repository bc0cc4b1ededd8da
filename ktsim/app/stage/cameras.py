"""Where a picture is taken from: poses that fit the question into the space left open, and their projection."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ktsim.sight.scene import Operative

Point = tuple[float, float, float]

TILTS = (37.0, 42.0, 47.0, 52.0)
"""Degrees above the floor the whole board is looked at from."""

TURN = -13.0
"""Degrees counter-clockwise of the south the whole board is usually looked at from."""

NO_SMALLER = 0.99
"""How wide, of its greatest width, the board stays when it is looked at from further above."""


@dataclass(frozen=True)
class Free:
    """The part of the picture that panels leave open, as fractions from the left and from the top."""

    left: float = 0.0
    top: float = 0.0
    right: float = 1.0
    bottom: float = 1.0


WHOLE = Free()


@dataclass(frozen=True)
class Pose:
    """A camera: its place, the way it looks, what is up, the tangent of half its height's angle, and the shift
    of the picture's middle (fractions of the picture) that keeps the subject in the free space."""

    eye: Point
    forward: Point
    up: Point = (0.0, 0.0, 1.0)
    tangent: float = 0.32
    near: float = 1.0
    far: float = 200.0
    shift: tuple[float, float] = (0.0, 0.0)

    def basis(self) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
        """Unit vectors to the right, up and forward."""
        forward = np.asarray(self.forward, float)
        forward /= np.linalg.norm(forward)
        right = np.cross(forward, self.up)
        right /= np.linalg.norm(right)
        return right, np.cross(right, forward), forward

    def project(self, points: ArrayLike, size: tuple[int, int]) -> NDArray[np.float64]:
        """Pixels (x, y, depth along the view) of points, shape (n, 3); pixels are nan behind the camera."""
        right, up, forward = self.basis()
        relative = np.atleast_2d(np.asarray(points, float)) - np.asarray(self.eye)
        depth = relative @ forward
        with np.errstate(divide="ignore", invalid="ignore"):
            scale = np.where(depth > 1e-6, 1 / (depth * self.tangent), np.nan)
        x = size[0] / 2 + (relative @ right) * scale * size[1] / 2 + self.shift[0] * size[0]
        y = size[1] / 2 - (relative @ up) * scale * size[1] / 2 + self.shift[1] * size[1]
        return np.column_stack([x, y, depth])

    def ray(self, pixel: tuple[float, float], size: tuple[int, int]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Start and unit direction of what lies under a pixel."""
        right, up, forward = self.basis()
        x = (pixel[0] - size[0] / 2 - self.shift[0] * size[0]) / (size[1] / 2) * self.tangent
        y = -(pixel[1] - size[1] / 2 - self.shift[1] * size[1]) / (size[1] / 2) * self.tangent
        direction = forward + x * right + y * up
        return np.asarray(self.eye, float), direction / np.linalg.norm(direction)


def fitting(
    points: ArrayLike,
    aspect: float,
    *,
    turn: float = -8.0,
    tilt: float = 38.0,
    fov: float = 34.0,
    free: Free | None = None,
    margin: float = 0.03,
) -> Pose:
    """The nearest pose that shows every point inside *free*, seen from *turn* degrees (0: from the south, growing
    counter-clockwise) and *tilt* degrees above the floor; 90 looks straight down with north at the top."""
    area = free or Free()
    corners = np.asarray(points, float)
    t, e = math.radians(turn), math.radians(min(tilt, 90.0))
    back = np.array([math.sin(t) * math.cos(e), -math.cos(t) * math.cos(e), math.sin(e)])
    up = np.array([-math.sin(t) * math.sin(e), math.cos(t) * math.sin(e), math.cos(e)])
    right = np.cross(up, back)
    tangent = math.tan(math.radians(fov) / 2)
    wide = tangent * aspect * (area.right - area.left) * (1 - 2 * margin)
    tall = tangent * (area.bottom - area.top) * (1 - 2 * margin)
    r, u, b = corners @ right, corners @ up, corners @ back
    # |r - r0| <= wide * (d - b) for every point: the tightest d and r0 in closed form; u likewise.
    low_r, high_r = float((b - r / wide).max()), float((b + r / wide).max())
    low_u, high_u = float((b - u / tall).max()), float((b + u / tall).max())
    distance = max((low_r + high_r) / 2, (low_u + high_u) / 2, float(b.max()) + 1.0)
    middle_r, middle_u = wide * (high_r - low_r) / 2, tall * (high_u - low_u) / 2
    eye = right * middle_r + up * middle_u + back * distance
    reach = distance - b
    shift = ((area.left + area.right - 1) / 2, (area.top + area.bottom - 1) / 2)
    return Pose(
        eye=(float(eye[0]), float(eye[1]), float(eye[2])),
        forward=(float(-back[0]), float(-back[1]), float(-back[2])),
        up=(float(up[0]), float(up[1]), float(up[2])),
        tangent=tangent,
        near=max(0.2, float(reach.min()) - 14.0),
        far=float(reach.max()) + 120.0,
        shift=shift,
    )


def board_corners(board: tuple[float, float], height: float = 0.0) -> NDArray[np.float64]:
    """The board's corners with its frame, on the floor and at *height*."""
    xs, ys = (-0.7, board[0] + 0.7), (-0.7, board[1] + 0.7)
    return np.array([(x, y, z) for x in xs for y in ys for z in (0.0, height)])


def table_view(
    board: tuple[float, float],
    aspect: float,
    tall: ArrayLike = (),
    *,
    turn: float = TURN,
    free: Free | None = None,
) -> Pose:
    """The whole board from a player's side, with the points in *tall* (tops of terrain) in view too; from further above
    where there is height to spare, so that less is hidden."""
    points = np.concatenate([board_corners(board), np.asarray(tall, float).reshape(-1, 3)])
    poses = [fitting(points, aspect, turn=turn, tilt=tilt, fov=32.0, free=free, margin=0.012) for tilt in TILTS]
    widths = [np.ptp(pose.project(board_corners(board), (1000, 1000))[:, 0]) for pose in poses]
    return next(p for p, wide in zip(reversed(poses), reversed(widths), strict=True) if wide >= widths[0] * NO_SMALLER)


def top_view(board: tuple[float, float], aspect: float, free: Free | None = None) -> Pose:
    """The whole board from straight above, north at the top, with hardly any perspective."""
    return fitting(board_corners(board), aspect, turn=0.0, tilt=90.0, fov=20.0, free=free, margin=0.02)


def head_of(operative: Operative) -> Point:
    """The centre of an operative's head on the board."""
    x, y, z = operative.figure.head
    t = math.radians(operative.turn)
    return (
        operative.x + x * math.cos(t) - y * math.sin(t),
        operative.y + x * math.sin(t) + y * math.cos(t),
        operative.level + z,
    )


def body_of(operative: Operative) -> tuple[Point, float]:
    """A sphere about an operative with its base: its middle and radius."""
    top = float(operative.figure.triangles[..., 2].max())
    return (operative.x, operative.y, operative.level + top / 2), max(top / 2, operative.base.along) * 1.15


def eye_view(viewer: Operative, target: ArrayLike, *, fov: float = 42.0) -> Pose:
    """From the viewer's head towards a point."""
    eye = head_of(viewer)
    way = np.asarray(target, float) - np.asarray(eye)
    if np.linalg.norm(way[:2]) < 1e-6:
        way = way + np.array([1e-3, 0, 0])
    return Pose(
        eye=eye,
        forward=(float(way[0]), float(way[1]), float(way[2])),
        tangent=math.tan(math.radians(fov) / 2),
        near=0.12,
        far=140.0,
    )
