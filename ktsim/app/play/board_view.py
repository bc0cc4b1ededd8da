"""The table of a game on the stage: its picture, its camera, and what lies under the pointer."""

from __future__ import annotations

from pathlib import Path
from typing import Literal, TypeAlias

from panda3d.core import Texture

from ktsim.game.boards import OPEN
from ktsim.killzones.catalogue import load_named
from ktsim.rules.battle import Battle
from ktsim.rules.decisions import Point
from ktsim.rules.state import milli
from ktsim.sight.scene import Scene

from ..scenery import killzone_scenery
from ..stage import overlays
from ..stage.cameras import Free, Pose
from ..stage.engine import Engine
from ..stage.looks import plain_scenery
from ..stage.overlays import Overlay
from ..stage.picking import Picked, Picker, on_level
from ..stage.quality import Level
from ..stage.stage import Stage
from ..table.camera import TableCamera

Place: TypeAlias = tuple[float, float]
CLICK = 4.0
"""A pointer that moved less than this, in units of the interface, while held down has clicked, not dragged."""


class BoardView:
    """One board's stage and camera. Pointer places are in the interface's units."""

    def __init__(
        self,
        engine: Engine,
        battle: Battle,
        board: str,
        size: tuple[int, int],
        scale: float,
        free: Free,
        level: Level,
    ) -> None:
        self.engine, self.size, self.scale = engine, size, scale
        terrain = battle.board.terrain
        scenery = plain_scenery(terrain) if board == OPEN else killzone_scenery(load_named(board, Path.cwd()))
        self.stage = Stage(engine, terrain, scenery, level)
        self.scene = Scene(terrain)
        self.stage.show(self.scene)
        self.items: tuple[Overlay, ...] = ()
        self.pictures = 0
        self._picture = self.stage.view(self._pixels())
        self.camera = TableCamera(terrain.board, size, free)
        self.camera.home(self.stage.tops())
        self._hold: tuple[Literal["orbit", "pan"], Place, Place] | None = None
        self._moved = False
        self._shown: tuple[Scene, tuple[Overlay, ...], Pose] | None = None

    # -- the picture ---------------------------------------------------------------------------------

    def _pixels(self) -> tuple[int, int]:
        return max(1, round(self.size[0] * self.scale)), max(1, round(self.size[1] * self.scale))

    @property
    def texture(self) -> Texture:
        return self._picture.picture

    def pose(self) -> Pose:
        viewer = next((one for one in self.scene.operatives if one.id == self.camera.eye_of), None)
        return self.camera.pose(viewer)

    def resize(self, size: tuple[int, int], scale: float, free: Free) -> None:
        if (size, scale) != (self.size, self.scale):
            self.size, self.scale = size, scale
            for picture in list(self.stage.views):
                self.stage.drop(picture)
            self._picture = self.stage.view(self._pixels())
            self._shown = None
        self.camera.resize(size, free)

    def show(self, scene: Scene, items: tuple[Overlay, ...]) -> None:
        """What is to be seen from now on."""
        self.scene, self.items = scene, items

    def update(self) -> bool:
        """Bring the picture up to date; whether it has to be drawn."""
        pose = self.pose()
        now = (self.scene, self.items, pose)
        before = self._shown
        if before is not None and before[0] is self.scene and before[1] is self.items and before[2] == pose:
            return False
        if before is None or before[0] is not self.scene:
            self.stage.show(self.scene)
        if before is None or before[1] is not self.items:
            overlays.show(self.stage.overlays, self.items)
        self._shown = now
        self._picture.look(pose)
        return True

    def request(self) -> None:
        """Draw the picture in the engine's next frame."""
        self.pictures += 1
        self.stage.prepare(self._picture)

    def close(self) -> None:
        self.stage.close()

    # -- the pointer ---------------------------------------------------------------------------------

    def under(self, at: Place) -> Picked | None:
        return Picker(self.scene).under(at, self.pose(), self.size)

    def operative_at(self, at: Place) -> str:
        picked = self.under(at)
        return picked.id if picked is not None and picked.kind == "operative" else ""

    def point_at(self, at: Place) -> Point | None:
        """The place under the pointer where something could be put: the floor or a Vantage level; over anything
        else the floor behind it."""
        bare = Picker(Scene(self.scene.terrain, (), self.scene.states, self.scene.smoke))
        picked = bare.under(at, self.pose(), self.size)
        if picked is not None and picked.standable:
            x, y, z = picked.point
            return milli(x), milli(y), milli(z)
        flat = on_level(at, self.pose(), self.size, 0.0)
        return (milli(flat[0]), milli(flat[1]), 0) if flat is not None else None

    def press(self, button: str, at: Place, shift: bool) -> None:
        """A button went down over the table: the camera is held."""
        self._moved = False
        if button == "mouse2" or (button == "mouse3" and shift):
            self._hold = ("pan", at, at)
        else:
            self._hold = ("orbit", at, at)

    def move(self, at: Place) -> bool:
        """The pointer moved; whether the camera follows it."""
        if self._hold is None:
            return False
        kind, start, last = self._hold
        if not self._moved and max(abs(at[0] - start[0]), abs(at[1] - start[1])) < CLICK:
            return False
        self._moved = True
        self._hold = (kind, start, at)
        if kind == "orbit":
            self.camera.orbit(at[0] - last[0], at[1] - last[1])
        else:
            self.camera.pan(last, at)
        return True

    def release(self) -> bool:
        """The button went up; whether it was a click and not a drag."""
        was_click = self._hold is not None and not self._moved
        self._hold = None
        return was_click

    def wheel(self, notches: int, at: Place) -> None:
        self.camera.zoom(notches, at)

    # -- the camera's keys ---------------------------------------------------------------------------

    def home(self) -> None:
        self.camera.home(self.stage.tops())

    def frame(self, ids: list[str]) -> None:
        """These operatives, or everything when none of them is there."""
        subject = [one for one in self.scene.operatives if one.id in ids]
        if not subject:
            self.home()
            return
        far = 2.5
        corners = [(dx, dy, z) for dx in (-far, far) for dy in (-far, far) for z in (0.0, 1.8)]
        self.camera.frame([(one.x + dx, one.y + dy, one.level + z) for one in subject for dx, dy, z in corners])

    def look_through(self, id: str) -> None:
        """Through the eyes of an operative; a second time goes back."""
        present = any(one.id == id for one in self.scene.operatives)
        self.camera.eye_of = id if present and self.camera.eye_of is None else None
