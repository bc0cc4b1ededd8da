"""The table's camera: it turns about a point of the floor, and is never under it. Long ways it flies."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from ktsim.app.stage import cameras
from ktsim.app.stage.cameras import Free, Point, Pose
from ktsim.app.stage.picking import on_level
from ktsim.app.ui.settings import Settings
from ktsim.sight.scene import Operative

NEAREST, FARTHEST = 3.0, 200.0
"""Inches from the eye to where it looks: any board fits from above beside the panels of the smallest window."""
LOWEST_TILT = 8.0
"""Degrees above the floor; with it no distance brings the eye below the floor."""

DEGREES_PER_PIXEL = 0.3
ZOOM = 1.15
"""How much nearer one notch of the wheel brings the camera."""

HARDLY = 0.8
"""The part of the distance from which the whole board is seen beyond which it may as well be."""

FLIGHT, GLIDE = 0.28, 0.12
"""Seconds between whole views, and of one notch of the wheel."""


@dataclass(frozen=True)
class Stand:
    """Where the camera is: the floor point it turns about, how far it is from it, degrees above the floor, degrees
    around (0: from the south, growing counter-clockwise), and the tangent of half its height's angle."""

    focus: tuple[float, float]
    distance: float
    tilt: float
    turn: float
    tangent: float

    def towards(self, other: Stand, part: float) -> Stand:
        """A part of the way, linear in everything, so that what a zoom keeps in place stays there on the way."""

        def mix(a: float, b: float) -> float:
            return a + (b - a) * part

        way = (other.turn - self.turn + 180) % 360 - 180
        focus = (mix(self.focus[0], other.focus[0]), mix(self.focus[1], other.focus[1]))
        return Stand(
            focus,
            mix(self.distance, other.distance),
            mix(self.tilt, other.tilt),
            self.turn + way * part,
            mix(self.tangent, other.tangent),
        )


class TableCamera:
    """Where the table is seen from. *size* is the picture's, in the units pointer places are given in."""

    def __init__(self, board: tuple[float, float], size: tuple[int, int], free: Free, settings: Settings) -> None:
        self.board, self.size, self.free, self.settings = board, size, free, settings
        self.stand = self.goal = self._stand_of(cameras.table_view(board, self.aspect, free=free))
        self._start = self.stand
        self.is_touched = False
        """Whether somebody has turned, moved or zoomed it by hand."""
        self._flight: tuple[float, float | None] | None = None
        """How long the way to the goal takes, and when it began (None until the clock is next read)."""

    @property
    def aspect(self) -> float:
        return self.size[0] / self.size[1]

    def resize(self, size: tuple[int, int], free: Free, settings: Settings) -> None:
        self.size, self.free, self.settings = size, free, settings

    # ---- flying ---------------------------------------------------------------------------------------------
    def _go(self, goal: Stand, seconds: float) -> None:
        self.goal = goal
        if self.settings.motion and seconds:
            self._start, self._flight = self.stand, (seconds, None)
        else:
            self.arrive()

    def tick(self, now: float) -> None:
        """Move on with the clock, in seconds."""
        if self._flight is None:
            return
        seconds, began = self._flight
        if began is None:
            began = now
            self._flight = (seconds, now)
        part = min(max((now - began) / seconds, 0.0), 1.0)
        self.stand = self._start.towards(self.goal, 1 - (1 - part) ** 3)
        if part >= 1.0:
            self.arrive()

    def arrive(self) -> None:
        """Finish whatever way the camera is on."""
        self.stand, self._flight = self.goal, None

    @property
    def is_moving(self) -> bool:
        return self._flight is not None

    # ---- whole views ----------------------------------------------------------------------------------------
    def home(self, tall: ArrayLike = (), turn: float = cameras.TURN) -> None:
        """The whole board from a player's side, or from so many degrees counter-clockwise of the south."""
        self._go(self._stand_of(cameras.table_view(self.board, self.aspect, tall, turn=turn, free=self.free)), FLIGHT)

    def top(self) -> None:
        self._go(self._stand_of(cameras.top_view(self.board, self.aspect, self.free)), FLIGHT)

    def fit(self, points: ArrayLike, tall: ArrayLike | None = None) -> None:
        """These points from the side the camera is at. With *tall* (tops of terrain) the whole board from a player's
        side instead, where that is hardly further away."""
        at = self.goal
        pose = cameras.fitting(points, self.aspect, turn=at.turn, tilt=at.tilt, fov=32.0, free=self.free, margin=0.08)
        stand = self._stand_of(pose)
        if tall is not None:
            home = self._stand_of(cameras.table_view(self.board, self.aspect, tall, free=self.free))
            stand = home if stand.distance > HARDLY * home.distance else stand
        self._go(stand, FLIGHT)

    def take(self, pose: Pose) -> None:
        """Go where somebody else found a good place."""
        self._go(self._stand_of(pose), FLIGHT)

    def look_from(self, eye: Point) -> None:
        """From a place above the floor, however far, towards the middle of the board, as large as that fits."""
        x, y = self.board[0] / 2, self.board[1] / 2
        way = np.array([x, y, 0.0]) - np.asarray(eye, float)
        distance = min(max(float(np.linalg.norm(way)), NEAREST), FARTHEST)
        tilt = min(max(math.degrees(math.asin(-way[2] / np.linalg.norm(way))), LOWEST_TILT), 90.0)
        turn = math.degrees(math.atan2(-way[0], way[1])) if math.hypot(way[0], way[1]) > 1e-6 else 0.0
        stand = Stand((x, y), distance, tilt, turn, 1.0)
        seen = self._pose_of(stand).project(cameras.board_corners(self.board), self.size)
        free, (w, h) = self.free, self.size
        middle = (free.left + free.right) / 2 * w, (free.top + free.bottom) / 2 * h
        room = (free.right - free.left) * w / 2, (free.bottom - free.top) * h / 2
        fill = max(float(np.abs(seen[:, i] - middle[i]).max()) / room[i] for i in (0, 1))
        self._go(replace(stand, tangent=fill * 1.03), FLIGHT)

    def return_to(self, stand: Stand) -> None:
        """Back to where the camera was."""
        self._go(stand, FLIGHT)

    def _stand_of(self, pose: Pose) -> Stand:
        """Turn about the floor point in the middle of *pose* from now on."""
        _, up, forward = pose.basis()
        eye = np.asarray(pose.eye)
        distance = float(min(max(eye[2] / max(-forward[2], 1e-6), NEAREST), FARTHEST))
        x, y, _ = eye + forward * distance
        tilt = min(max(math.degrees(math.asin(min(max(-forward[2], -1.0), 1.0))), LOWEST_TILT), 90.0)
        heading = up if tilt > 89.0 else forward
        return Stand(
            self._on_board(x, y), distance, tilt, math.degrees(math.atan2(-heading[0], heading[1])), pose.tangent
        )

    def _on_board(self, x: float, y: float) -> tuple[float, float]:
        return float(min(max(x, 0.0), self.board[0])), float(min(max(y, 0.0), self.board[1]))

    # ---- small changes --------------------------------------------------------------------------------------
    def orbit(self, dx: float, dy: float) -> None:
        """Turn by a drag of so many pixels; the hand is followed at once."""
        self.is_touched = True
        self.arrive()
        step = DEGREES_PER_PIXEL * self.settings.sensitivity
        up = -1 if self.settings.invert else 1
        tilt = min(max(self.goal.tilt + dy * step * up, LOWEST_TILT), 90.0)
        self._go(replace(self.goal, turn=self.goal.turn - dx * step, tilt=tilt), 0.0)

    def pan(self, start: tuple[float, float], end: tuple[float, float]) -> None:
        """Move so that what was on the floor under *start* comes under *end*."""
        self.is_touched = True
        self.arrive()
        a, b = (on_level(pixel, self.pose(), self.size, 0.0) for pixel in (start, end))
        if a is not None and b is not None:
            # Near the horizon a pixel is many inches: no drag jumps further than its distance.
            at = self.goal
            dx, dy = (min(max(one - two, -at.distance), at.distance) for one, two in zip(a, b, strict=True))
            self._go(replace(at, focus=self._on_board(at.focus[0] + dx, at.focus[1] + dy)), 0.0)

    def zoom(self, notches: float, pixel: tuple[float, float]) -> None:
        """Nearer (or further for negative *notches*), keeping the floor under the pointer where it is."""
        self.is_touched = True
        at = self.goal
        wanted = min(max(at.distance * ZOOM**-notches, NEAREST), FARTHEST)
        k = wanted / at.distance
        under = on_level(pixel, self._pose_of(at), self.size, 0.0)
        x, y = under if under is not None and self._is_near(under) else at.focus
        focus = self._on_board(x + (at.focus[0] - x) * k, y + (at.focus[1] - y) * k)
        self._go(replace(at, focus=focus, distance=wanted), GLIDE)

    def _is_near(self, point: tuple[float, float]) -> bool:
        return all(-10 <= value <= side + 10 for value, side in zip(point, self.board, strict=True))

    # ---- the pose -------------------------------------------------------------------------------------------
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
        return self._pose_of(self.stand)

    def _pose_of(self, stand: Stand) -> Pose:
        t, e = math.radians(stand.turn), math.radians(stand.tilt)
        back = (math.sin(t) * math.cos(e), -math.cos(t) * math.cos(e), math.sin(e))
        up = (-math.sin(t) * math.sin(e), math.cos(t) * math.sin(e), math.cos(e))
        x, y = stand.focus
        d = stand.distance
        free = self.free
        return Pose(
            eye=(x + back[0] * d, y + back[1] * d, back[2] * d),
            forward=(-back[0], -back[1], -back[2]),
            up=up,
            tangent=stand.tangent,
            near=max(0.2, d * 0.05),
            far=d + 160.0,
            shift=((free.left + free.right - 1) / 2, (free.top + free.bottom - 1) / 2),
        )
