"""The ruling table's picture, and the pointer's dealings with what stands on it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, TypeAlias

from ktsim.errors import UserError
from ktsim.sight.ruling import Ruling
from ktsim.sight.scene import Operative, Scene, Terrain

from ..ruling_overlay import overlays_of, selection
from ..ruling_view import RulingView, view_of
from ..scenery import scene_scenery
from ..settings import Settings
from ..stage.engine import Engine
from ..stage.overlays import Label, Overlay
from .model import TableModel
from .picture import CLICK, Frame, Place, TablePicture, name_label

Hold: TypeAlias = Literal["camera", "operative"]


class TableView:
    """One ruling table's picture. Pointer places are in the interface's units."""

    def __init__(self, engine: Engine, model: TableModel, frame: Frame, settings: Settings) -> None:
        self.model = model
        self.placing: str | None = None
        self.ruling: RulingView | None = None
        self.may_rule: Callable[[], bool] = lambda: True
        """Whether the engine is ready to be asked; until then there is a table without a ruling."""
        self._drags = 0
        self._hold: tuple[Hold, Place] | None = None
        self._grabbed: tuple[str, float, float] | None = None
        self._moved = False
        self._shown: tuple[Scene, Ruling | None, str | None] | None = None
        self._terrain: Terrain = model.scene.terrain
        self.picture = TablePicture(engine, model.scene, scene_scenery(model.state.file), frame, settings)

    @property
    def items(self) -> tuple[Overlay, ...]:
        return self.picture.items

    def update(self, now: float) -> bool:
        """Bring the picture up to date with the model and the camera. Returns whether it looks different."""
        model = self.model
        if model.scene.terrain is not self._terrain:
            self._terrain = model.scene.terrain
            self.picture.set_stage(model.scene, scene_scenery(model.state.file))
            self._shown = None
        found = model.ruling if self.may_rule() else None
        shown = (model.scene, found, model.state.selected)
        if shown != self._shown:
            self._shown = shown
            self.ruling = view_of(found) if found is not None else None
            self.picture.show(model.scene, table_overlays(model.scene, self.ruling, model.selected))
            self._keep_looking()
        return self.picture.update(now)

    # ---- the pointer ----------------------------------------------------------------------------------------
    def press(self, button: str, at: Place, shift: bool) -> None:
        """A button went down over the table."""
        self._moved = False
        if self.picture.grab(button, at, shift):
            self._hold = ("camera", at)
        elif self.placing is not None:
            picked = self.picture.under(at)
            if picked is None or not picked.standable:
                raise UserError("Nobody can stand there: click the floor or a Vantage level.")
            self.model.add(self.placing, *picked.point)
            self.placing = None
        else:
            self._grab(at)

    def _grab(self, at: Place) -> None:
        picked = self.picture.under(at)
        if picked is not None and picked.kind == "operative":
            one = self.model.scene.operative(picked.id)
            self.model.select(one.id)
            # The point of the base's level under the pointer keeps its distance from the base's centre.
            start = self.picture.on_level(at, one.level) or (one.x, one.y)
            near = abs(start[0] - one.x) < 3 and abs(start[1] - one.y) < 3
            self._grabbed = (one.id, one.x - start[0] if near else 0.0, one.y - start[1] if near else 0.0)
            self._hold = ("operative", at)
            self._drags += 1
        elif picked is not None and picked.kind == "part" and self.model.toggle(picked.id.split("/")[0]):
            self._hold = None
        else:
            self.model.select(None)
            self.picture.turn_with(at)
            self._hold = ("camera", at)

    def move(self, at: Place) -> None:
        """The pointer moved; whatever is held follows it."""
        if self._hold is None:
            return
        kind, start = self._hold
        if not self._moved and max(abs(at[0] - start[0]), abs(at[1] - start[1])) < CLICK:
            return
        self._moved = True
        if kind == "camera":
            self.picture.drag(at)
        elif self._grabbed is not None:
            id, dx, dy = self._grabbed
            one = self.model.operative(id)
            where = self.picture.standing_at(at, one) if one is not None else None
            if one is not None and where is not None:
                self.model.move(id, where[0] + dx, where[1] + dy, where[2], self._drags)

    def release(self) -> None:
        self._hold = self._grabbed = None
        self.picture.let_go()

    @property
    def is_dragging(self) -> bool:
        """Whether an operative is being dragged."""
        return self._grabbed is not None and self._moved

    def wheel(self, notches: int, at: Place, turning: bool) -> None:
        if turning and self.model.selected is not None:
            self.model.turn(self.model.selected.id, 5.0 * notches)
        elif not turning:
            self.picture.zoom(notches, at)

    # ---- the camera's keys ----------------------------------------------------------------------------------
    def frame(self) -> None:
        """The selected operative, or the pair that is ruled on, or everything."""
        state = self.model.state
        ids = [state.selected] if state.selected else [state.shooter, state.target]
        self.picture.frame_on([one for one in map(self.model.operative, ids) if one is not None])

    def look_through(self) -> None:
        """The eyes of the selected operative, or of the shooter; a second time goes back."""
        viewer = self.model.operative(self.model.state.selected or self.model.state.shooter)
        self._look(viewer if self.picture.eye is None else None)

    def _look(self, viewer: Operative | None) -> None:
        """The shooter looks at the target, anybody else straight ahead."""
        other = self.model.operative(self.model.state.target)
        towards = None
        if viewer is not None and other is not None and viewer.id == self.model.state.shooter:
            towards = (other.x, other.y, other.level + 0.8)
        self.picture.look_through(viewer, towards)

    def _keep_looking(self) -> None:
        if self.picture.eye is not None:
            self._look(self.model.operative(self.picture.eye[0].id))


def table_overlays(scene: Scene, view: RulingView | None, selected: Operative | None) -> tuple[Overlay, ...]:
    """What is drawn over the table: the ruling's lines and marks, who is selected, and everyone's name."""
    items: tuple[Overlay, ...] = overlays_of(scene, view) if view is not None else ()
    if selected is not None:
        items = (*items, *selection(selected))
    named = {item.text for item in items if isinstance(item, Label)}
    return (*items, *(name_label(one) for one in scene.operatives if one.id not in named))
