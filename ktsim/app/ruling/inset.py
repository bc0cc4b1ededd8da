"""What the shooter sees, as a small picture beside the table."""

from __future__ import annotations

from panda3d.core import Texture

from ktsim.app.card.pictures import eye_pose
from ktsim.app.ruling.ruling_view import RulingView
from ktsim.app.ruling.table_view import TableView
from ktsim.app.stage.stage import Stage
from ktsim.app.stage.view import View


class EyeInset:
    """A picture through the shooter's eyes, towards the target, drawn again when either changed."""

    def __init__(self, table: TableView) -> None:
        self._table = table
        self._view: tuple[Stage, View] | None = None
        self._shown: RulingView | None = None

    @property
    def texture(self) -> Texture | None:
        return self._view[1].picture if self._view is not None and self._shown is not None else None

    def forget(self) -> None:
        """The picture's place has changed, or the stage has."""
        if self._view is not None:
            stage, view = self._view
            if view in stage.views:
                stage.drop(view)
        self._view = self._shown = None

    def update(self, pixels: tuple[int, int]) -> None:
        """Bring it up to date; it is drawn in the engine's next frame."""
        picture, found = self._table.picture, self._table.ruling
        stage = picture.stage
        if self._view is not None and (self._view[0] is not stage or self._view[1] not in stage.views):
            self._view = self._shown = None
        if found is None or found is self._shown or picture.eye is not None:
            return
        if self._view is None:
            self._view = (stage, stage.view(pixels, eye=True, name="inset"))
        scene = picture.scene
        stage.hide_from_eye(found.shooter)
        self._view[1].look(eye_pose(scene, found))
        stage.prepare(self._view[1])
        self._shown = found
