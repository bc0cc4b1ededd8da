"""Teleport pads (KZ-TOMB-PAD): which bases are wholly on one, which touch it, and who is in whose control range there.

Our readings: of a pad the hull of its outline seen from above counts; whoever has the middle of its base over a pad, no
higher than its top, stands on it, also in the middle of a move.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ktsim.geometry.plane import Array, hull, to_segments, turns
from ktsim.sight.scene import EPS, Base, Operative, Part, Terrain

PAD, RULE = "teleport pad", "KZ-TOMB-PAD"


@dataclass(frozen=True, eq=False)
class Pad:
    """One pad. Bases are given by their middles, x and y (numbers or arrays of them), and their turn."""

    part: Part

    @property
    def id(self) -> str:
        return self.part.feature

    @property
    def level(self) -> float:
        return self.part.top

    @cached_property
    def outline(self) -> Array:
        """Corners (n, 2), counter-clockwise."""
        return hull(self.part.triangles.reshape(-1, 3)[:, :2])

    @cached_property
    def _sides(self) -> tuple[Array, Array]:
        """The outward normals (n, 2) of its sides, and how far along them it reaches."""
        along = np.roll(self.outline, -1, axis=0) - self.outline
        normals = np.column_stack([along[:, 1], -along[:, 0]]) / np.hypot(along[:, 0], along[:, 1])[:, None]
        return normals, np.asarray((normals * self.outline).sum(axis=1))

    @property
    def centre(self) -> tuple[float, float]:
        x, y = self.outline.mean(axis=0)
        return float(x), float(y)

    def is_level(self, level: float) -> bool:
        """Is that where one stands on it?"""
        return abs(level - self.level) < 1e-3

    @cached_property
    def box(self) -> tuple[float, float, float, float]:
        """Low x and y, high x and y."""
        (left, near), (right, far) = self.outline.min(axis=0), self.outline.max(axis=0)
        return float(left), float(near), float(right), float(far)

    def is_under(self, x: float, y: float, level: float) -> bool:
        """Does the middle of a base there stand on it?"""
        left, near, right, far = self.box
        if not (left <= x <= right and near <= y <= far and self.part.bottom - EPS <= level <= self.level + EPS):
            return False
        normals, reach = self._sides
        return bool((normals @ (x, y) <= reach + EPS).all())

    def holds(self, base: Base, x: Array | float, y: Array | float, turn: float) -> NDArray[np.bool_]:
        """Is the whole base on it, seen from above?"""
        normals, reach = self._sides
        c, s = math.cos(math.radians(turn)), math.sin(math.radians(turn))
        wide = np.hypot(base.along * (normals @ (c, s)), base.across * (normals @ (-s, c)))
        along = np.multiply.outer(x, normals[:, 0]) + np.multiply.outer(y, normals[:, 1])
        return np.asarray((along + wide <= reach + EPS).all(axis=-1))

    def gap(self, base: Base, x: Array | float, y: Array | float, turn: float) -> Array:
        """How far bases are from it, seen from above: negative where they overlap. Of an oval only the sign is exact:
        it is measured where the oval is a disc."""
        c, s = math.cos(math.radians(turn)), math.sin(math.radians(turn))
        ratio = base.along / base.across
        turned = np.array([[c, s], [-s * ratio, c * ratio]]).T
        corners, at = self.outline @ turned, np.stack([x, y], axis=-1)[..., None, :] @ turned
        ahead = np.roll(corners, -1, axis=0)
        is_inside = (turns(corners, ahead, at) >= 0).all(axis=-1)
        return np.asarray(np.where(is_inside, 0.0, to_segments(at, corners, ahead).min(axis=-1)) - base.along)


def pads_of(terrain: Terrain) -> tuple[Pad, ...]:
    """The pads on a board whose killzone brings their rule; kept with it."""
    if RULE not in terrain.rules:
        return ()
    board = terrain.root
    if "pads" not in board.kept:
        board.kept["pads"] = tuple(Pad(part) for f in board.features if f.kind == PAD for part in f.parts)
    found: tuple[Pad, ...] = board.kept["pads"]
    return found


def pad_under(terrain: Terrain, x: float, y: float, level: float) -> Pad | None:
    """The pad that a base stands on."""
    return next((pad for pad in pads_of(terrain) if pad.is_under(x, y, level)), None)


class PadVisitor(NamedTuple):
    """A base somewhere, as pads meet it."""

    base: Base
    x: float
    y: float
    level: float
    turn: float = 0.0

    @classmethod
    def of(cls, operative: Operative) -> PadVisitor:
        return cls(operative.base, operative.x, operative.y, operative.level, operative.turn)

    def is_on(self, pad: Pad) -> bool:
        return pad.is_under(self.x, self.y, self.level)

    def touches(self, pad: Pad) -> bool:
        left, near, right, far = pad.box
        reach = max(self.base.along, self.base.across) + EPS
        if not (left - reach <= self.x <= right + reach and near - reach <= self.y <= far + reach):
            return False  # asked of everybody about every pad, and mostly so
        is_level = pad.part.bottom - EPS <= self.level <= pad.level + EPS
        return is_level and bool(pad.gap(self.base, self.x, self.y, self.turn) <= EPS)


def meet_on_pad(pads: tuple[Pad, ...], one: PadVisitor, two: PadVisitor) -> bool:
    """A base touching a pad is in the control range of whoever stands on it."""
    return any((one.is_on(pad) and two.touches(pad)) or (two.is_on(pad) and one.touches(pad)) for pad in pads)
