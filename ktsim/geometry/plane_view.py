"""A plane seen in a picture: from four of its points that were found in the picture to every point of it, and back.

Straight lines stay straight only in a lens that does not bend them, so one number says how much this one does (the
division model). Points found along the sides of the four give that number.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ktsim.geometry.plane import Array, Spot, sides, turn

BEND_LIMIT = 0.35
"""How much a lens may bend, either way: at the corner of a picture as a share of its half diagonal, about."""

USUAL_FOCUS = 1.3
"""A phone's focal length in half diagonals, where the picture does not tell."""

SMALLEST = 1e-3
"""The least share of a picture, or of a square inch, that three corners enclose."""


class NoView(ValueError):
    """Points that no picture of a plane can have; the message is a sentence."""


@dataclass(frozen=True, eq=False)
class PlaneView:
    """How a plane lies in a picture of *size* pixels, whose first row is at the top. *matrix* leads from the plane to
    the picture a lens without *bend* would have taken, in half diagonals from its middle."""

    size: tuple[int, int]
    matrix: Array
    bend: float = 0.0

    def seen(self, points: ArrayLike) -> Array:
        """Where points of the plane (n, 2) are in the picture, in pixels; nan for those it cannot show."""
        straight = _mapped(self.matrix, np.asarray(points, float).reshape(-1, 2))
        far = np.linalg.norm(straight, axis=1)
        with np.errstate(divide="ignore", invalid="ignore"):
            root = np.sqrt(1 - 4 * self.bend * far**2)
            share = 2 / (1 + root)  # how much further out the lens shows it
        return np.asarray(straight * share[:, None] * _unit(self.size) + _middle(self.size))

    def found(self, pixels: ArrayLike) -> Array:
        """The points of the plane (n, 2) that are seen at places of the picture; nan beyond its horizon."""
        straight = _unbent(np.asarray(pixels, float).reshape(-1, 2), self.size, self.bend)
        return _mapped(_inverse(self.matrix), straight)

    def eye(self) -> tuple[float, float, float]:
        """Where the picture was taken from: in the plane's units, the third above it. Its lens looks through the middle
        of the picture; where that leaves the focal length open it is taken for a phone's."""
        share, h = self._focus(), self._facing()
        focus = 1 / math.sqrt(share) if share is not None else USUAL_FOCUS
        scaled = h / np.array([focus, focus, 1.0])[:, None]
        scaled /= math.sqrt(float(np.linalg.norm(scaled[:, 0]) * np.linalg.norm(scaled[:, 1])))
        right, up = (scaled[:, i] / np.linalg.norm(scaled[:, i]) for i in (0, 1))
        x, y, z = -np.stack([right, up, np.cross(right, up)]) @ scaled[:, 2]
        return float(x), float(y), abs(float(z))

    def doubt(self) -> float:
        """How far this is from what any camera sees of a plane whose two directions are at right angles and of one
        scale: 0 for one that a camera can have taken."""
        share, h = self._focus(), self._facing()
        scaled = h * np.sqrt(np.array([share or USUAL_FOCUS**-2] * 2 + [1.0]))[:, None]
        one, two = scaled[:, 0], scaled[:, 1]
        sizes = float(one @ one), float(two @ two)
        return (abs(float(one @ two)) + abs(sizes[0] - sizes[1])) / max(sum(sizes), 1e-18)

    def _facing(self) -> Array:
        """The matrix by which what is seen in the middle lies before the camera."""
        ahead = _depth(self.matrix, _mapped(_inverse(self.matrix), np.zeros((1, 2))))[0]
        return np.asarray(self.matrix / np.sign(ahead))

    def _focus(self) -> float | None:
        """One over the focal length squared, in half diagonals; None where the picture does not tell."""
        (a, b), (c, d), (e, f) = self.matrix[:, :2]
        known, free = np.array([a * b + c * d, a * a + c * c - b * b - d * d]), np.array([e * f, e * e - f * f])
        share = -float(known @ free) / max(float(known @ known), 1e-18)
        return share if 0.01 < share < 25 else None


def plane_view(
    size: tuple[int, int], corners: Sequence[Spot], at: Sequence[Spot], along: Sequence[tuple[int, Spot]] = ()
) -> PlaneView:
    """The view in which four *corners* of a picture, in pixels, are the points *at* of a plane, in the same order.
    *along* are more places, each with the number of the side of the four on which it lies: the bend of the lens is the
    one that brings them nearest to it. :class:`NoView` when there is no such view."""
    for points, scale in ((corners, float(size[0] * size[1])), (at, 1.0)):
        ways = [turn(*(points[(i + j) % 4] for j in range(3))) for i in range(4)]
        if not (min(ways) > SMALLEST * scale or max(ways) < -SMALLEST * scale):
            raise NoView("the four corners do not enclose an area; click them in turn around the board")
    if not along:
        return _straight(size, corners, at, 0.0)
    lines = sides(at)

    def error(bend: float) -> float:
        """Square inches that the places are away from their sides."""
        view = _straight(size, corners, at, bend)
        total = 0.0
        for (side, _), (x, y) in zip(along, view.found([spot for _, spot in along]), strict=True):
            a, b = lines[side % 4]
            total += (turn(a, b, (float(x), float(y))) / math.dist(a, b)) ** 2
        return total if math.isfinite(total) else math.inf

    steps = np.linspace(-BEND_LIMIT, BEND_LIMIT, 57)
    best = min(steps, key=error)
    low, high = best - (steps[1] - steps[0]), best + (steps[1] - steps[0])
    for _ in range(40):
        third = (high - low) / 3
        low, high = (low, high - third) if error(low + third) < error(high - third) else (low + third, high)
    return _straight(size, corners, at, float(low + high) / 2)


def _straight(size: tuple[int, int], corners: Sequence[Spot], at: Sequence[Spot], bend: float) -> PlaneView:
    """The view through four points, by a lens of that bend."""
    rows, wanted = [], []
    for (x, y), (u, v) in zip(at, _unbent(np.asarray(corners, float), size, bend), strict=True):
        rows += [[x, y, 1, 0, 0, 0, -u * x, -u * y], [0, 0, 0, x, y, 1, -v * x, -v * y]]
        wanted += [u, v]
    try:
        found = np.linalg.solve(np.array(rows), np.array(wanted))
    except np.linalg.LinAlgError:
        raise NoView("the four corners do not enclose an area; click them in turn around the board") from None
    return PlaneView(size, np.append(found, 1.0).reshape(3, 3), bend)


def _middle(size: tuple[int, int]) -> Array:
    return np.array(size, float) / 2


def _unit(size: tuple[int, int]) -> float:
    return math.hypot(*size) / 2


def _unbent(pixels: Array, size: tuple[int, int], bend: float) -> Array:
    """Where a lens that does not bend would have shown them, in half diagonals from the middle."""
    out = (pixels - _middle(size)) / _unit(size)
    return np.asarray(out / (1 + bend * (out**2).sum(axis=1))[:, None])


def _inverse(matrix: Array) -> Array:
    return np.asarray(np.linalg.inv(matrix), np.float64)


def _depth(matrix: Array, points: Array) -> Array:
    return np.asarray(points @ matrix[2, :2] + matrix[2, 2])


def _mapped(matrix: Array, points: Array) -> Array:
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray((points @ matrix[:2, :2].T + matrix[:2, 2]) / _depth(matrix, points)[:, None])
