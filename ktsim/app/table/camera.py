"""The table's camera: it turns about a point of the floor, and is never under it."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from ktsim.sight.scene import Operative

from ..stage import cameras
from ..stage.cameras import Free, Pose
from ..stage.picking import on_level

NEAREST, FARTHEST = 3.0, 140.0
LOWEST_TILT = 8.0
"""Degrees above the floor; with it no distance brings the eye below the floor."""

DEGREES_PER_PIXEL = 0.3
ZOOM = 1.15
"""How much nearer one notch of the wheel brings the camera."""


class TableCamera:
    """Where the table is seen from. *size* is the picture's, in the units pointer places are given in."""

    def __init__(self, board: tuple[float, float], size: tuple[int, int], free: Free) -> None:
        self.board, self.size, self.free = board, size, free
        self.home()

    @property
    def aspect(self) -> float:
        return self.size[0] / self.size[1]

    # ---- whole poses ----------------------------------------------------------------------------------------
    def home(self, tall: ArrayLike = ()) -> None:
        """The whole board from a player's side."""
        self._adopt(cameras.table_view(self.board, self.aspect, tall, free=self.free))

    def top(self) -> None:
        self._adopt(cameras.top_view(self.board, self.aspect, self.free))

    def fit(self, points: ArrayLike) -> None:
        """These points from the side the camera is at."""
        self._adopt(
            cameras.fitting(points, self.aspect, turn=self.turn, tilt=self.tilt, fov=32.0, free=self.free, margin=0.08)
        )

    def _adopt(self, pose: Pose) -> None:
        """Turn about the floor point in the middle of *pose* from now on."""
        _, up, forward = pose.basis()
        eye = np.asarray(pose.eye)
        self.distance = float(min(max(eye[2] / max(-forward[2], 1e-6), NEAREST), FARTHEST))
        self._put_focus(*(eye + forward * self.distance)[:2])
        self.tilt = min(max(math.degrees(math.asin(min(max(-forward[2], -1.0), 1.0))), LOWEST_TILT), 90.0)
        heading = up if self.tilt > 89.0 else forward
        self.turn = math.degrees(math.atan2(-heading[0], heading[1]))
        self.tangent = pose.tangent

    def _put_focus(self, x: float, y: float) -> None:
        self.focus = (float(min(max(x, 0.0), self.board[0])), float(min(max(y, 0.0), self.board[1])))

    def resize(self, size: tuple[int, int], free: Free) -> None:
        self.size, self.free = size, free

    # ---- small changes --------------------------------------------------------------------------------------
    def orbit(self, dx: float, dy: float) -> None:
        """Turn by a drag of so many pixels."""
        self.turn -= dx * DEGREES_PER_PIXEL
        self.tilt = min(max(self.tilt + dy * DEGREES_PER_PIXEL, LOWEST_TILT), 90.0)

    def pan(self, start: tuple[float, float], end: tuple[float, float]) -> None:
        """Move so that what was on the floor under *start* comes under *end*."""
        a, b = (on_level(pixel, self.pose(), self.size, 0.0) for pixel in (start, end))
        if a is not None and b is not None:
            # Near the horizon a pixel is many inches: no drag jumps further than its distance.
            dx, dy = (min(max(one - two, -self.distance), self.distance) for one, two in zip(a, b, strict=True))
            self._put_focus(self.focus[0] + dx, self.focus[1] + dy)

    def zoom(self, notches: float, pixel: tuple[float, float]) -> None:
        """Nearer (or further for negative *notches*), keeping the floor under the pointer where it is."""
        wanted = min(max(self.distance * ZOOM**-notches, NEAREST), FARTHEST)
        k = wanted / self.distance
        under = on_level(pixel, self.pose(), self.size, 0.0)
        x, y = under if under is not None and self._is_near(under) else self.focus
        self._put_focus(x + (self.focus[0] - x) * k, y + (self.focus[1] - y) * k)
        self.distance = wanted

    def _is_near(self, point: tuple[float, float]) -> bool:
        return all(-10 <= value <= side + 10 for value, side in zip(point, self.board, strict=True))

    # ---- the pose -------------------------------------------------------------------------------------------
    def tick(self, now: float) -> None:
        """Move on with the clock."""

    @property
    def is_moving(self) -> bool:
        return False

    def eye_pose(self, viewer: Operative, towards: ArrayLike | None = None) -> Pose:
        """Through the eyes of *viewer*, towards a point or straight ahead."""
        return cameras.eye_view(viewer, self._ahead(viewer) if towards is None else towards, fov=52.0)

    @staticmethod
    def _ahead(viewer: Operative) -> tuple[float, float, float]:
        x, y, z = cameras.head_of(viewer)
        t = math.radians(viewer.turn)
        return x + 6 * math.cos(t), y + 6 * math.sin(t), z - 0.4

    def pose(self) -> Pose:
        """The present pose."""
        t, e = math.radians(self.turn), math.radians(self.tilt)
        back = (math.sin(t) * math.cos(e), -math.cos(t) * math.cos(e), math.sin(e))
        up = (-math.sin(t) * math.sin(e), math.cos(t) * math.sin(e), math.cos(e))
        x, y = self.focus
        d = self.distance
        free = self.free
        return Pose(
            eye=(x + back[0] * d, y + back[1] * d, back[2] * d),
            forward=(-back[0], -back[1], -back[2]),
            up=up,
            tangent=self.tangent,
            near=max(0.2, d * 0.05),
            far=d + 160.0,
            shift=((free.left + free.right - 1) / 2, (free.top + free.bottom - 1) / 2),
        )
