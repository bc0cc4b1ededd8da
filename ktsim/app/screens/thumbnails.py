"""Small plans of scene files: the board from above with its terrain and whoever stands on it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from imgui_bundle import imgui

from ktsim.app.ui import theme
from ktsim.app.ui.pen import Pen, Rect, V
from ktsim.app.ui.theme import u32
from ktsim.content.files import read_bounded
from ktsim.errors import UserError
from ktsim.geometry.plane import hull
from ktsim.killzones.scene_file import CARD, load_scene

MOST_TEXT = 200_000
"""Characters of a scene file of which a plan is drawn."""
LEAST_SHADE, HIGHEST = 0.3, 4.0
"""The faintest a piece is drawn, and the height in inches from which one is drawn in full."""


@dataclass(frozen=True)
class BoardPlan:
    """A board, the outlines of what stands on it with how dark each is drawn, and the operatives."""

    board: tuple[float, float]
    outlines: tuple[tuple[float, tuple[tuple[float, float], ...]], ...]
    people: tuple[tuple[float, float, str], ...]


def plan_of(path: Path) -> BoardPlan | None:
    """The plan of a scene file or card; None where there is none to draw without reading a mesh from outside."""
    try:
        if path.suffix.lower() != CARD and b"mesh:" in read_bounded(path, path.name, MOST_TEXT, "a scene"):
            return None
        scene = load_scene(path).scene
    except (UserError, OSError):
        return None
    outlines = []
    for feature in scene.terrain.features:
        parts = [part.triangles.reshape(-1, 3) for part in feature.parts if "exposed" not in part.traits]
        if parts:
            corners = np.concatenate(parts)
            shade = max(LEAST_SHADE, min(1.0, float(corners[:, 2].max()) / HIGHEST))
            spots = np.unique(np.round(corners[:, :2], 1), axis=0)
            outline = hull(spots)
            if len(outline) > 2:
                outlines.append((shade, tuple((float(x), float(y)) for x, y in outline)))
    people = tuple((one.x, one.y, one.team) for one in scene.operatives)
    return BoardPlan(scene.terrain.board, tuple(outlines), people)


class BoardPlans:
    """BoardPlans by file, made as there is time: one a frame."""

    def __init__(self) -> None:
        self._known: dict[Path, BoardPlan | None] = {}
        self.is_missing = False
        """Whether one was wanted in this frame that is not made yet."""
        self._left = 0

    def begin(self) -> None:
        """A frame begins."""
        self.is_missing, self._left = False, 1

    def of(self, path: Path) -> BoardPlan | None:
        """The plan of a file that is shown in this frame, if it is made."""
        if path not in self._known:
            if self._left <= 0:
                self.is_missing = True
                return None
            self._left -= 1
            self._known[path] = plan_of(path)
        return self._known[path]


def draw_plan(pen: Pen, rect: Rect, plan: BoardPlan) -> None:
    """A plan as large as it fits into *rect*."""
    w, h = plan.board
    scale = min(rect.w / w, rect.h / h)
    left, bottom = rect.x + (rect.w - w * scale) / 2, rect.bottom - (rect.h - h * scale) / 2
    pen.box(Rect(left, bottom - h * scale, w * scale, h * scale), theme.INK, theme.LINE, radius=2)
    for shade, outline in plan.outlines:
        pen.sheet.add_convex_poly_filled(_placed(outline, left, bottom, scale), u32(theme.SOFT, 0.75 * shade))
    for x, y, team in plan.people:
        pen.seat(team, left + x * scale, bottom - y * scale, 7 * pen.size)


def _placed(outline: Sequence[tuple[float, float]], left: float, bottom: float, scale: float) -> list[imgui.ImVec2]:
    return [V(left + x * scale, bottom - y * scale) for x, y in outline]
