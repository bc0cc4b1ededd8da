"""The shadow map: how far the sun's light gets, drawn only where something on the table has changed.

The camera's turning never redraws it. While a miniature is dragged only the parts of the map it covered and covers
now are drawn again, on the map's own pixels, so that the map is the same as if all of it had been.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from panda3d.core import BitMask32, Camera, LMatrix4f, NodePath, OrthographicLens, Vec3

from ktsim.app.stage import shaders
from ktsim.app.stage.engine import Engine, depth_texture
from ktsim.app.stage.viewport import SHADOW_SORT

SHADOW_MASK = BitMask32.bit(3)
MARGIN = 2
"""Pixels drawn again around what has changed."""
BESIDE = 0.06
"""Inches from a face to the place whose light the shaders take for it."""


@dataclass(frozen=True)
class Pixels:
    """A rectangle of the map: from (left, bottom) up to, and without, (right, top)."""

    left: int
    bottom: int
    right: int
    top: int

    def joined(self, other: Pixels) -> Pixels:
        return Pixels(
            min(self.left, other.left),
            min(self.bottom, other.bottom),
            max(self.right, other.right),
            max(self.top, other.top),
        )


class _Sheet:
    """What a map is drawn on. Those of one engine that are as large share it: one table is looked at at a time, and
    the largest take more memory than all else about it. Whoever draws on it spoils what the others had drawn."""

    def __init__(self, engine: Engine, size: int) -> None:
        self.engine = engine
        self.texture = depth_texture("shadows", comparing=True)
        self.output = engine.buffer("shadows", (size, size), SHADOW_SORT, depth=self.texture)
        self.output.disable_clears()  # only what is drawn again is cleared
        self.region = self.output.make_display_region()
        self.region.set_clear_depth_active(True)
        self.users: list[ShadowMap] = []
        self.owner: ShadowMap | None = None

    def take(self, user: ShadowMap) -> bool:
        """Have it drawn on by *user* from now on. Returns whether somebody else did before."""
        before, self.owner = self.owner, user
        if before is not None and before is not user:
            self.engine.render()  # what was asked for is drawn first
        return before is not user


_sheets: dict[tuple[int, int], _Sheet] = {}


class ShadowMap:
    """Shadows of everything under *root* that is not hidden from `SHADOW_MASK`, in light from the direction *sun*.
    The map is *size* pixels each way and covers the whole *board*."""

    def __init__(self, engine: Engine, root: NodePath, sun: Vec3, board: tuple[float, float], size: int) -> None:
        self._engine, self._root, self._size = engine, root, size
        self._sun = np.array(sun)
        w, h = board
        self._reach = math.hypot(w, h) / 2 + 1.5
        key = (id(engine.graphics), size)
        self._sheet = _sheets.get(key) or _sheets.setdefault(key, _Sheet(engine, size))
        self._sheet.users.append(self)
        self.texture = self._sheet.texture
        self._lens = OrthographicLens()
        self._lens.set_film_size(2 * self._reach, 2 * self._reach)
        self._lens.set_near_far(10, 10 + 2 * self._reach + 16)
        self._camera = root.attach_new_node(Camera("sun", self._lens))
        middle = Vec3(w / 2, h / 2, 0)
        self._camera.set_pos(middle + sun * (10 + self._reach + 4))
        self._camera.look_at(middle, Vec3(0, 0, 1))
        self._camera.node().set_camera_mask(SHADOW_MASK)
        plain = NodePath("plain")
        plain.set_shader(shaders.program("depth.vert", "depth.frag"), 100)
        self._camera.node().set_initial_state(plain.get_state())
        bias = LMatrix4f(0.5, 0, 0, 0, 0, 0.5, 0, 0, 0, 0, 0.5, 0, 0.5, 0.5, 0.5, 1)
        matrix = LMatrix4f(self._camera.get_mat(root))
        matrix.invert_in_place()
        self.matrix = matrix * LMatrix4f(self._lens.get_projection_mat()) * bias
        """From the table to places of the map."""
        self._whole = Pixels(0, 0, size, size)
        self._stale: Pixels | None = self._whole
        self.frames = 0
        """How often any of it was drawn."""
        self.drawn = Pixels(0, 0, 0, 0)
        """What was drawn last."""

    def spoil(self, node: NodePath | None = None) -> None:
        """What *node* covers now, or everything, is no longer right."""
        spoilt = self._whole if node is None else self._covered(node)
        if spoilt is not None:
            self._stale = spoilt if self._stale is None else self._stale.joined(spoilt)

    def _covered(self, node: NodePath) -> Pixels | None:
        bounds = node.get_tight_bounds(self._camera)
        if not bounds:
            return None
        (x0, _, y0), (x1, _, y1) = bounds
        low = [math.floor((value / self._reach + 1) / 2 * self._size) - MARGIN for value in (x0, y0)]
        high = [math.ceil((value / self._reach + 1) / 2 * self._size) + MARGIN for value in (x1, y1)]
        left, bottom, right, top = (min(max(value, 0), self._size) for value in (*low, *high))
        return Pixels(left, bottom, right, top) if left < right and bottom < top else None

    def reached_by(self, node: NodePath, lowest: float, softness: float) -> NDArray[np.float64]:
        """Points (n, 3) around all that *node* covers or shades down to the height *lowest*, where shadows are blurred
        by *softness*, a share of the map."""
        bounds = node.get_tight_bounds(self._root)
        if not bounds:
            return np.zeros((0, 3))
        beside = BESIDE + 2 * self._reach * (softness + MARGIN / self._size)
        low, high = np.array(bounds[0]) - beside, np.array(bounds[1]) + beside
        corners = np.array([(x, y, z) for x in (low[0], high[0]) for y in (low[1], high[1]) for z in (low[2], high[2])])
        fall = np.maximum(corners[:, 2:] - lowest, 0.0) / self._sun[2]
        return np.concatenate([corners, corners - fall * self._sun])

    def prepare(self) -> None:
        """Draw what is out of date in the engine's next frame."""
        sheet = self._sheet
        area, self._stale = self._whole if sheet.take(self) else self._stale, None
        if area is None:
            return
        inch = 2 * self._reach / self._size
        self._lens.set_film_size((area.right - area.left) * inch, (area.top - area.bottom) * inch)
        self._lens.set_film_offset(
            (area.left + area.right) / 2 * inch - self._reach, (area.bottom + area.top) / 2 * inch - self._reach
        )
        size = self._size
        sheet.region.set_camera(self._camera)
        sheet.region.set_dimensions(area.left / size, area.right / size, area.bottom / size, area.top / size)
        sheet.output.set_one_shot(True)
        sheet.output.set_active(True)
        self.frames += 1
        self.drawn = area

    def close(self) -> None:
        """Leave the sheet to its other users; the last of them takes it away. Closing again does nothing."""
        sheet = self._sheet
        if self not in sheet.users:
            return
        sheet.users.remove(self)
        if sheet.owner is self:
            sheet.owner = None
            sheet.output.set_active(False)
            sheet.region.set_camera(NodePath())
        if not sheet.users:
            self._engine.remove(sheet.output)
            del _sheets[id(self._engine.graphics), self._size]
