"""A table as a screen shows it: its stage, its camera and overlays, and what lies under the pointer.

It knows nothing of rulings or games: whoever owns it gives it a scene and overlays, hands it the pointer's gestures
for the camera, and asks what is under a place. Places are in the interface's units.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike
from panda3d.core import Texture

from ktsim.app.stage import cameras, overlays
from ktsim.app.stage.cameras import WHOLE, Free, Point, Pose
from ktsim.app.stage.engine import Engine
from ktsim.app.stage.looks import Scenery
from ktsim.app.stage.overlays import Label, Overlay
from ktsim.app.stage.picking import Picked, Picker, on_level
from ktsim.app.stage.silhouettes import Silhouettes
from ktsim.app.stage.stage import TableStage
from ktsim.app.stage.table_camera import Stand, TableCamera
from ktsim.app.stage.underlay import LaidPhoto
from ktsim.app.stage.viewport import Viewport
from ktsim.app.ui.rect import Place
from ktsim.app.ui.settings import Settings
from ktsim.sight.scene import Operative, Scene

CLICK = 4.0
"""A pointer that moved less than this, in units of the interface, while held down has clicked, not dragged."""

SMOOTH = 1 / 45
"""Seconds from one picture to the next in a motion that looks smooth."""

REST = 0.15
"""A picture that follows another within so many seconds belongs to the same motion."""

ORBIT_STEP, PAN_STEP = 30.0, 40.0
"""What one press of a key does to the camera, in units of a drag."""


@dataclass(frozen=True)
class Frame:
    """The place a picture fills: the window's *size* in units of the interface, *scale* pixels per unit, and the
    part of it that panels leave *free*."""

    size: tuple[int, int]
    scale: float
    free: Free

    @property
    def pixels(self) -> tuple[int, int]:
        return max(1, round(self.size[0] * self.scale)), max(1, round(self.size[1] * self.scale))


@dataclass(frozen=True)
class Lent:
    """Where a picture's camera was before it was lent to another screen."""

    free: Free
    stand: Stand


class TablePicture:
    """One table on a stage. Call `show` when the scene or the overlays changed, and `update` before every frame."""

    def __init__(self, engine: Engine, scene: Scene, scenery: Scenery, frame: Frame, settings: Settings) -> None:
        self.engine, self.frame, self.settings = engine, frame, settings
        self.items: tuple[Overlay, ...]
        self.pictures = 0
        """How often the table was drawn."""
        self.eye: tuple[Operative, Point | None] | None = None
        """Whose eyes the table is seen through, and the point they look at, if anyone's."""
        self.kept: tuple[Operative, ...] = ()
        """Those before whom nothing may stand: whatever does is see-through."""
        self.photo: LaidPhoto | None = None
        """The photo that lies on the floor, if one does."""
        self._hold: tuple[Literal["orbit", "pan"], Place] | None = None
        self._shown: Pose | None = None
        self._drawn = -math.inf
        """When the last picture was drawn."""
        self._is_pausing = True
        """Whether there was nothing to draw since."""
        self._is_slow = False
        """Whether whole pictures have followed each other too slowly in the motion under way."""
        self._lay(scene, scenery)

    # ---- the stage ------------------------------------------------------------------------------------------
    def lay(self, scene: Scene, scenery: Scenery) -> None:
        """Lay other terrain. What differs in its features only is changed where it stands, and the camera stays."""
        if self.stage.relay(scene.terrain, scenery):
            self._show(scene)
        else:
            self.set_stage(scene, scenery)

    def set_stage(self, scene: Scene, scenery: Scenery) -> None:
        """Lay other terrain; the camera goes home."""
        self.stage.close()
        self._lay(scene, scenery)

    def _lay(self, scene: Scene, scenery: Scenery) -> None:
        self.items = ()
        self._build(scene, scenery)
        self.camera = TableCamera(scene.terrain.board, self.frame.size, self.frame.free, self.settings)
        self.eye = None
        self.home()
        self.camera.arrive()
        self.stage.rehearse(self.camera.pose())

    @property
    def scene(self) -> Scene:
        """What is shown."""
        assert self.stage.scene is not None
        return self.stage.scene

    def _make_views(self) -> None:
        self.view = self._table_view = self.stage.view(self.frame.pixels)
        self._eye_view: Viewport | None = None
        self._rough_view: Viewport | None = None
        self._rough_part = WHOLE
        """What panels left open when the last rough picture was drawn."""
        self._shown = None

    def _build(self, scene: Scene, scenery: Scenery) -> None:
        settings = self.settings
        self.stage = TableStage(self.engine, scene.terrain, scenery, settings.quality, settings.colours)
        self.stage.show(scene)
        self._silhouettes = Silhouettes(self.stage.overlays, settings.colours)
        self._silhouettes.show(scene.operatives)
        self.stage.photo.show(self.photo)
        self._make_views()

    def resize(self, frame: Frame, settings: Settings) -> None:
        """Fill another place, or draw with other settings."""
        before, known = self.frame, self.settings
        self.frame, self.settings = frame, settings
        self.camera.resize(frame.size, frame.free, settings)
        if (settings.quality, settings.palette) != (known.quality, known.palette):
            scene, scenery = self.scene, self.stage.scenery
            self.stage.close()
            self._build(scene, scenery)
            overlays.show(self.stage.overlays, self.items, settings.colours)
            self.stage.rehearse(self.camera.pose())
        elif (frame.size, frame.scale) != (before.size, before.scale):
            for view in list(self.stage.views):
                self.stage.drop(view)
            self._make_views()

    def refit(self, free: Free) -> None:
        """Show the whole table in another free part of the same window."""
        self.frame = replace(self.frame, free=free)
        self.camera.resize(self.frame.size, free, self.settings)
        self.home()
        self.camera.arrive()

    def lend(self, free: Free) -> Lent:
        """Show the whole table in another free part of the window for a while; `give_back` ends that."""
        lent = Lent(self.frame.free, self.camera.goal)
        self.frame = replace(self.frame, free=free)
        self.camera.resize(self.frame.size, free, self.settings)
        self.home()
        return lent

    def give_back(self, lent: Lent) -> None:
        """As it was before."""
        self.frame = replace(self.frame, free=lent.free)
        self.camera.resize(self.frame.size, lent.free, self.settings)
        self.camera.return_to(lent.stand)

    def show(self, scene: Scene, items: Iterable[Overlay]) -> None:
        """Make the table look like this from the next update on. The terrain must be the stage's. Overlays that are
        given again as the same tuple are left as they are."""
        self._show(scene)
        if items is not self.items:
            self.items = tuple(items)
            overlays.show(self.stage.overlays, self.items, self.settings.colours)

    def _show(self, scene: Scene) -> None:
        self.stage.show(scene)
        self._silhouettes.show(scene.operatives)
        self._shown = None

    def lay_photo(self, photo: LaidPhoto | None) -> None:
        """Have this photo on the floor from the next update on, or none."""
        self.photo, self._shown = photo, None
        self.stage.photo.show(photo)

    def pose(self) -> Pose:
        """Where the table is seen from now."""
        if self.eye is not None:
            return self.camera.eye_pose(*self.eye)
        return self.camera.pose()

    def update(self, now: float) -> bool:
        """Bring the picture up to date: draws it in the engine's next frame if it looks different now. Returns
        whether it does."""
        self.camera.tick(now)
        pose = self.pose()
        is_same = pose == self._shown
        self._is_pausing = self._is_pausing or is_same
        # On a busy machine the next picture may come late: there is a rest only if nothing was to be drawn meanwhile.
        is_at_rest = self._is_pausing and now - self._drawn > REST
        if is_same and not (self._is_rough and is_at_rest):
            return False
        self._is_pausing = False
        self._is_slow = not is_at_rest and (self._is_slow or now - self._drawn > SMOOTH)
        self._shown, self._drawn = pose, now
        part = WHOLE
        if self.eye is not None:
            if self._eye_view is None:
                self._eye_view = self.stage.view(self.frame.pixels, eye=True, name="eye")
            self.stage.hide_from_eye(self.eye[0].id)
            self.view = self._eye_view
        else:
            part = self._turn_to(is_rough=self._is_slow and self.stage.quality.moving < 1)
            self.view.kept = tuple(cameras.body_of(one) for one in self.kept)
        self.view.look(pose, part)
        self.pictures += 1
        self.stage.prepare(self.view)
        return True

    def _turn_to(self, *, is_rough: bool) -> Free:
        """Have the table drawn in fewer pixels, or whole. Returns the part of it to draw: while a rough motion goes on,
        what panels cover stays as it was when it began."""
        free, was_free = self.engine.free if is_rough else WHOLE, self._rough_part if self._is_rough else None
        self.view = self._rough() if is_rough else self._table_view
        self._rough_part = free
        return free if free == was_free else WHOLE

    def _rough(self) -> Viewport:
        """The table in fewer pixels, for motions that would not be smooth."""
        if self._rough_view is None:
            w, h = self.frame.pixels
            part = self.stage.quality.moving
            size = max(1, round(w * part)), max(1, round(h * part))
            self._rough_view = self.stage.view(size, name="moving", is_rough=True)
        return self._rough_view

    @property
    def _is_rough(self) -> bool:
        return self.view is self._rough_view

    @property
    def is_moving(self) -> bool:
        """Whether the next picture will be another: the camera is on its way, or the last one is still to be drawn
        whole."""
        return self.camera.is_moving or self._is_rough

    @property
    def texture(self) -> Texture:
        return self.view.picture

    def close(self) -> None:
        self.stage.close()

    # ---- the pointer ----------------------------------------------------------------------------------------
    def under(self, at: Place, without: str | None = None) -> Picked | None:
        """What lies under a place of the picture, as if operative *without* were not there."""
        scene = self.scene
        if without is not None:
            scene = replace(scene, operatives=scene.others(without))
        return Picker(scene).under(at, self.pose(), self.frame.size)

    def on_level(self, at: Place, level: float) -> tuple[float, float] | None:
        """The point of a height under a place."""
        return on_level(at, self.pose(), self.frame.size, level)

    def standing_at(self, at: Place, mover: Operative) -> Point | None:
        """Where *mover*, dragged to a place of the picture, would stand: on the floor or a Vantage level; over
        anything else it stays on its level."""
        picked = self.under(at, mover.id)
        if picked is not None and picked.standable:
            return picked.point
        flat = self.on_level(at, mover.level)
        return (*flat, mover.level) if flat is not None else None

    def places(self, points: ArrayLike) -> list[Place | None]:
        """Where points of the table are in the picture; None for those outside it."""
        found = self.pose().project(np.asarray(points, float).reshape(-1, 3), self.frame.size)
        w, h = self.frame.size
        return [(float(x), float(y)) if np.isfinite(x) and 0 < x < w and 0 < y < h else None for x, y, _ in found]

    def size_of(self, one: Operative) -> float:
        """The half width of an operative's base in the picture, 0 when it is outside."""
        x, y, z, far = one.x, one.y, one.level, one.base.along
        middle, *rim = self.places([(x, y, z), (x + far, y, z), (x, y + far, z)])
        return max((math.dist(middle, place) for place in rim if place), default=0.0) if middle else 0.0

    # ---- the camera's gestures and keys ---------------------------------------------------------------------
    def grab(self, button: str, at: Place, shift: bool) -> bool:
        """Take hold of the camera if that is what this button does: right turns, middle or Shift moves."""
        if button == "mouse3" and not shift:
            self._hold = ("orbit", at)
        elif button in ("mouse2", "mouse3") or shift:
            self._hold = ("pan", at)
        else:
            return False
        return True

    def turn_with(self, at: Place) -> None:
        """Turn the camera with the pointer until it is let go."""
        self._hold = ("orbit", at)

    def drag(self, at: Place) -> bool:
        """The pointer moved: what is held of the camera follows. Returns whether anything is."""
        if self._hold is None:
            return False
        kind, last = self._hold
        self._hold = (kind, at)
        self.eye = None
        if kind == "orbit":
            self.camera.orbit(at[0] - last[0], at[1] - last[1])
        else:
            self.camera.pan(last, at)
        return True

    def let_go(self) -> None:
        self._hold = None

    def zoom(self, notches: float, at: Place) -> None:
        self.eye = None
        self.camera.zoom(notches, at)

    def nudge(self, dx: float, dy: float, is_pan: bool) -> None:
        """Turn or move the camera by a step to a side."""
        self.eye = None
        if is_pan:
            w, h = self.frame.size[0] / 2, self.frame.size[1] / 2
            self.camera.pan((w, h), (w - dx * PAN_STEP, h - dy * PAN_STEP))
        else:
            self.camera.orbit(-dx * ORBIT_STEP, -dy * ORBIT_STEP)

    def step(self, notches: int) -> None:
        """Nearer or further, towards the middle."""
        free = self.frame.free
        w, h = self.frame.size
        self.zoom(notches, ((free.left + free.right) / 2 * w, (free.top + free.bottom) / 2 * h))

    def home(self, turn: float = cameras.TURN) -> None:
        """The whole board from a player's side, or from so many degrees counter-clockwise of the south."""
        self.eye = None
        self.camera.home(self.stage.tops(), turn)

    def top(self) -> None:
        """The whole board from above."""
        self.eye = None
        self.camera.top()

    def look_from(self, eye: Point) -> None:
        """The board from a place above it, as large as it fits."""
        self.eye = None
        self.camera.look_from(eye)

    def frame_on(self, subject: Sequence[Operative], reach: float = 2.5, *, or_all: bool = False) -> None:
        """These operatives and the inches around them, from the side the camera is at; with *or_all* the whole table
        instead where that is hardly further away."""
        self.eye = None
        if not subject:
            self.home()
            return
        ways = (-reach, reach)
        corners = [(o.x + dx, o.y + dy, o.level + z) for o in subject for dx in ways for dy in ways for z in (0.0, 1.8)]
        self.camera.fit(corners, self.stage.tops() if or_all else None)

    def look_through(self, viewer: Operative | None, towards: Point | None = None) -> None:
        """See the table through somebody's eyes, or as before."""
        self.eye = (viewer, towards) if viewer is not None else None
        self._shown = None


def name_label(one: Operative, *, may_hide: bool = True) -> Label:
    """An operative's name over its head."""
    x, y, z = cameras.head_of(one)
    return Label((x, y, z + 0.35), one.id, None, one.order, one.team, may_hide)
