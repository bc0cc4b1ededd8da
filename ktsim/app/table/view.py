"""The ruling table on the stage: its picture, and the pointer's dealings with what stands on it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Literal, TypeAlias

import numpy as np
from panda3d.core import Texture

from ktsim.errors import UserError
from ktsim.sight.ruling import Ruling
from ktsim.sight.scene import Operative, Scene, Terrain

from ..ruling_overlay import overlays_of, selection
from ..ruling_view import RulingView, view_of
from ..scenery import scene_scenery
from ..stage import cameras, overlays
from ..stage.cameras import Free, Pose
from ..stage.engine import Engine
from ..stage.overlays import Label, Overlay
from ..stage.picking import Picked, Picker, on_level
from ..stage.quality import Level
from ..stage.stage import Stage
from ..stage.view import View
from .camera import TableCamera
from .model import TableModel

Place: TypeAlias = tuple[float, float]
Hold: TypeAlias = Literal["orbit", "pan", "operative"]
CLICK = 4.0
"""A pointer that moved less than this, in units of the interface, while held down has clicked, not dragged."""


class TableView:
    """One table's stage, camera and overlays. Pointer places are in the interface's units."""

    def __init__(
        self, engine: Engine, model: TableModel, size: tuple[int, int], scale: float, free: Free, level: Level
    ) -> None:
        self.engine, self.model, self.level = engine, model, level
        self.size, self.scale = size, scale
        self.placing: str | None = None
        self.items: tuple[Overlay, ...] = ()
        self.ruling: RulingView | None = None
        self.pictures = 0
        self.may_rule: Callable[[], bool] = lambda: True
        """Whether the engine is ready to be asked; until then there is a table without a ruling."""
        self._drags = 0
        self._hold: tuple[Hold, Place, Place] | None = None
        self._grabbed: tuple[str, float, float] | None = None
        self._moved = False
        self._shown: tuple[Scene, Ruling | None, str | None, Pose] | None = None
        self._set_stage(free)

    # ---- the stage ------------------------------------------------------------------------------------------
    def _set_stage(self, free: Free) -> None:
        scene = self.model.scene
        self.terrain: Terrain = scene.terrain
        self.stage = Stage(self.engine, scene.terrain, scene_scenery(self.model.state.file), self.level)
        self.stage.show(scene)
        self._make_pictures()
        self.camera = TableCamera(scene.terrain.board, self.size, free)
        self.camera.home(self.stage.tops())

    def _make_pictures(self) -> None:
        self.picture = self._table_picture = self.stage.view(self._pixels())
        self._eye_picture: View | None = None

    def _choose_picture(self) -> None:
        """The table's picture, or the one through somebody's eyes: it has no overlays and not that one's model."""
        viewer = self.model.operative(self.camera.eye_of)
        self.picture = self._table_picture
        if viewer is not None:
            if self._eye_picture is None:
                self._eye_picture = self.stage.view(self._pixels(), eye=True, name="eye")
            self.stage.hide_from_eye(viewer.id)
            self.picture = self._eye_picture

    def _pixels(self) -> tuple[int, int]:
        return max(1, round(self.size[0] * self.scale)), max(1, round(self.size[1] * self.scale))

    def resize(self, size: tuple[int, int], scale: float, free: Free) -> None:
        if (size, scale) != (self.size, self.scale):
            self.size, self.scale = size, scale
            for picture in list(self.stage.views):
                self.stage.drop(picture)
            self._make_pictures()
            self._shown = None
        self.camera.resize(size, free)

    @property
    def texture(self) -> Texture:
        return self.picture.picture

    def pose(self) -> Pose:
        viewer = self.model.operative(self.camera.eye_of)
        other = self.model.operative(self.model.state.target) if viewer else None
        towards = None
        if viewer is not None and other is not None and viewer.id == self.model.state.shooter:
            towards = (other.x, other.y, other.level + 0.8)
        return self.camera.pose(viewer, towards)

    def update(self) -> bool:
        """Bring the picture up to date with the model and the camera. Returns whether it has to be drawn."""
        model = self.model
        if model.scene.terrain is not self.terrain:
            self.stage.close()
            self._set_stage(self.camera.free)
        found = model.ruling if self.may_rule() else None
        pose = self.pose()
        now = (model.scene, found, model.state.selected, pose)
        if now == self._shown:
            return False
        if self._shown is None or now[:3] != self._shown[:3]:
            self.ruling = view_of(found) if found is not None else None
            self.stage.show(model.scene)
            self.items = table_overlays(model.scene, self.ruling, model.selected)
            overlays.show(self.stage.overlays, self.items)
        self._shown = now
        self._choose_picture()
        self.picture.look(pose)
        return True

    def request(self) -> None:
        """Draw the picture in the engine's next frame."""
        self.pictures += 1
        self.stage.prepare(self.picture)

    def close(self) -> None:
        self.stage.close()

    # ---- the pointer ----------------------------------------------------------------------------------------
    def under(self, at: Place, without: str | None = None) -> Picked | None:
        """What lies under a place of the picture, as if operative *without* were not there."""
        scene = self.model.scene
        if without is not None:
            scene = replace(scene, operatives=scene.others(without))
        return Picker(scene).under(at, self.pose(), self.size)

    def standing_at(self, at: Place, mover: Operative) -> tuple[float, float, float] | None:
        """Where *mover*, dragged to a place of the picture, would stand: on the floor or a Vantage level; over
        anything else it stays on its level."""
        picked = self.under(at, mover.id)
        if picked is not None and picked.standable:
            return picked.point
        flat = on_level(at, self.pose(), self.size, mover.level)
        return (*flat, mover.level) if flat is not None else None

    def press(self, button: str, at: Place, shift: bool) -> None:
        """A button went down over the table."""
        self._moved = False
        if button == "mouse3" and not shift:
            self._hold = ("orbit", at, at)
        elif button in ("mouse2", "mouse3") or shift:
            self._hold = ("pan", at, at)
        elif self.placing is not None:
            picked = self.under(at)
            if picked is None or not picked.standable:
                raise UserError("Nobody can stand there: click the floor or a Vantage level.")
            self.model.add(self.placing, *picked.point)
            self.placing = None
        else:
            self._grab(at)

    def _grab(self, at: Place) -> None:
        picked = self.under(at)
        if picked is not None and picked.kind == "operative":
            one = self.model.scene.operative(picked.id)
            self.model.select(one.id)
            # The point of the base's level under the pointer keeps its distance from the base's centre.
            start = on_level(at, self.pose(), self.size, one.level) or (one.x, one.y)
            near = abs(start[0] - one.x) < 3 and abs(start[1] - one.y) < 3
            self._grabbed = (one.id, one.x - start[0] if near else 0.0, one.y - start[1] if near else 0.0)
            self._hold = ("operative", at, at)
            self._drags += 1
        elif picked is not None and picked.kind == "part" and self.model.toggle(picked.id.split("/")[0]):
            self._hold = None
        else:
            self.model.select(None)
            self._hold = ("orbit", at, at)

    def move(self, at: Place) -> None:
        """The pointer moved; whatever is held follows it."""
        if self._hold is None:
            return
        kind, start, last = self._hold
        if not self._moved and max(abs(at[0] - start[0]), abs(at[1] - start[1])) < CLICK:
            return
        self._moved = True
        self._hold = (kind, start, at)
        if kind == "orbit":
            self.camera.orbit(at[0] - last[0], at[1] - last[1])
        elif kind == "pan":
            self.camera.pan(last, at)
        elif self._grabbed is not None:
            id, dx, dy = self._grabbed
            one = self.model.operative(id)
            where = self.standing_at(at, one) if one is not None else None
            if one is not None and where is not None:
                self.model.move(id, where[0] + dx, where[1] + dy, where[2], self._drags)

    def release(self) -> None:
        self._hold = self._grabbed = None

    @property
    def is_dragging(self) -> bool:
        """Whether an operative is being dragged."""
        return self._grabbed is not None and self._moved

    def wheel(self, notches: int, at: Place, turning: bool) -> None:
        if turning and self.model.selected is not None:
            self.model.turn(self.model.selected.id, 5.0 * notches)
        elif not turning:
            self.camera.zoom(notches, at)

    # ---- the camera's keys ----------------------------------------------------------------------------------
    def home(self) -> None:
        self.camera.home(self.stage.tops())

    def frame(self) -> None:
        """The selected operative, or the pair that is ruled on, or everything."""
        state = self.model.state
        ids = [state.selected] if state.selected else [state.shooter, state.target]
        subject = [one for one in map(self.model.operative, ids) if one is not None]
        if not subject:
            self.home()
            return
        reach = 2.5
        self.camera.frame(
            [
                (one.x + dx, one.y + dy, one.level + z)
                for one in subject
                for dx in (-reach, reach)
                for dy in (-reach, reach)
                for z in (0.0, 1.8)
            ]
        )

    def look_through(self) -> None:
        """The eyes of the selected operative, or of the shooter; a second time goes back."""
        id = self.model.state.selected or self.model.state.shooter
        self.camera.eye_of = None if self.camera.eye_of is not None else id


def table_overlays(scene: Scene, view: RulingView | None, selected: Operative | None) -> tuple[Overlay, ...]:
    """What is drawn over the table: the ruling's lines and marks, who is selected, and everyone's name."""
    items: tuple[Overlay, ...] = overlays_of(scene, view) if view is not None else ()
    if selected is not None:
        items = (*items, *selection(selected))
    named = {item.text for item in items if isinstance(item, Label)}
    return (*items, *(_name(one) for one in scene.operatives if one.id not in named))


def _name(one: Operative) -> Label:
    x, y, z = cameras.head_of(one)
    return Label((x, y, z + 0.35), one.id, None, one.order, one.team)


def label_items(items: Sequence[Overlay], pose: Pose, size: tuple[int, int]) -> list[Label]:
    """The labels whose places are in the picture."""
    labels = [item for item in items if isinstance(item, Label)]
    if not labels:
        return []
    places = pose.project([label.at for label in labels], size)
    inside = np.isfinite(places[:, 0]) & (places[:, 0] > 0) & (places[:, 0] < size[0])
    inside &= (places[:, 1] > 0) & (places[:, 1] < size[1])
    return [label for label, is_in in zip(labels, inside, strict=True) if is_in]
