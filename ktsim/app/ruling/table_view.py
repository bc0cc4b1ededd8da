"""The ruling table's pictures, kept up to date with the model and with what the pointer does."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from panda3d.core import Texture

from ktsim.app.card.move_card import move_pose
from ktsim.app.card.move_view import MoveView, move_overlays
from ktsim.app.card.pictures import eye_pose, table_pose
from ktsim.app.card.view import RulingView, view_of
from ktsim.app.ruling.hands import Hands, Hover
from ktsim.app.ruling.marks import Point, Tape
from ktsim.app.ruling.model import TableModel
from ktsim.app.ruling.moves import MoveDesk
from ktsim.app.ruling.overlay import Shown, table_overlays
from ktsim.app.ruling.state import TableState
from ktsim.app.stage.engine import Engine
from ktsim.app.stage.overlays import Overlay
from ktsim.app.stage.picture import Frame, TablePicture
from ktsim.app.stage.scenery import scene_scenery
from ktsim.app.stage.stage import TableStage
from ktsim.app.stage.underlay import LaidPhoto, photo_texture
from ktsim.app.stage.viewport import Viewport
from ktsim.app.stage.ways import Reachable
from ktsim.app.ui.rect import Place
from ktsim.app.ui.settings import Settings
from ktsim.content.picture_file import decoded
from ktsim.killzones.scene_photo import ScenePhoto
from ktsim.sight.obstacles import forget
from ktsim.sight.refining import Refining
from ktsim.sight.ruling import Ruling, ruling
from ktsim.sight.scene import Operative, Terrain
from ktsim.sight.visibility import LIVE, SETTLED

AFAR = 16.0
"""The half width of a base, in units of the interface, below which its operative is hard to make out."""


_Showing: TypeAlias = tuple[
    TableState,
    Ruling | None,
    Hover | None,
    Tape | None,
    tuple[Point, ...],
    tuple[Overlay, ...],
    bool,
    tuple[str, ...],
    MoveView | None,
    Reachable | None,
    int | None,
    bool,
]
"""Everything a picture was made of."""


class TableView:
    """One ruling table's picture, and the hands on it."""

    def __init__(self, engine: Engine, model: TableModel, frame: Frame, settings: Settings) -> None:
        self.model = model
        self.ruling: RulingView | None = None
        """The ruling that is shown: from the point that is tried, if one is, else the best."""
        self.best: RulingView | None = None
        self.has_walls = False
        self.lit: tuple[str, ...] = ()
        """The parts that somebody points at in words."""
        self.desk = MoveDesk(model)
        self.move: MoveView | None = None
        """The ruling on a move that is shown, while one is asked about."""
        self.lit_leg: int | None = None
        """The leg of it that somebody points at; 0 for what is against it."""
        self._looking: tuple[Ruling, Refining] | None = None
        """What is not decided, and the search for it that goes on."""
        self.may_rule: Callable[[], bool] = lambda: True
        """Whether the engine is ready to be asked; until then there is a table without a ruling."""
        self._shown: _Showing | None = None
        self._photo: ScenePhoto | None = None
        self._texture: tuple[bytes, Texture] | None = None
        """The photo that lies on the table, and what it looks like."""
        self._terrain: Terrain = model.scene.terrain
        self.picture = TablePicture(engine, model.scene, scene_scenery(model.state.file), frame, settings)
        self.hands = Hands(model, self.picture)
        self.hands.aim = self._aim
        self.hands.may_ask = lambda: self.may_rule()
        self.hands.origin = lambda: self.ruling.origin if self.ruling is not None else None

    @property
    def items(self) -> tuple[Overlay, ...]:
        return self.picture.items

    def update(self, now: float) -> bool:
        """Bring the picture up to date with the model and the camera. Returns whether it looks different."""
        model, hands = self.model, self.hands
        offered = hands.offer()
        is_stale = offered is None or hands.carry is None or offered.name != hands.carry.name
        if hands.carry is not None and hands.carry.is_offered and is_stale:
            hands.take(offered)  # somebody was put down or taken away by other means
        if model.scene.terrain is not self._terrain:
            before, self._terrain = self._terrain, model.scene.terrain
            self.picture.lay(model.scene, scene_scenery(model.state.file))
            if before.name != self._terrain.name:
                forget(before)  # undo keeps the boards of before, tens of MB with what was ready for them
            self._shown = None
        if model.state.file.photo is not self._photo:
            self._photo = model.state.file.photo
            self._lay_photo()
        model.effort = LIVE if hands.is_dragging else SETTLED
        is_asked = self.may_rule() and self.desk.asked is not None and not hands.is_dragging
        self.move, reachable = self.desk.look() if is_asked else (None, None)
        best = model.ruling if self.may_rule() and self.desk.asked is None else None
        found = model.tried if best is not None and model.origin is not None else best
        in_full = not hands.is_dragging
        shown = (
            model.state,
            found,
            hands.hover,
            hands.tape,
            hands.rims.clicked,
            hands.sketch,
            self.has_walls,
            self.lit,
            self.move,
            reachable,
            self.lit_leg,
            in_full,
        )
        if self._shown is None or any(a is not b for a, b in zip(shown, self._shown, strict=True)):
            is_same = self._shown is not None and (found, in_full) == (self._shown[1], self._shown[-1])
            self._shown = shown
            if not is_same:
                self.best = view_of(best, in_full=in_full) if best is not None else None
                self.ruling = self.best if found is best or found is None else view_of(found, in_full=in_full)
                self._look_on(best if in_full else None)
            self._keep_in_sight()
            asked = self.desk.asked
            move = () if asked is None else move_overlays(model.scene, asked.who, self.move, reachable, self.lit_leg)
            drawn = Shown(
                self.ruling, hands.hover, hands.tape, self.has_walls, self.lit, move, hands.rims.clicked, hands.sketch
            )
            self.picture.show(model.scene, table_overlays(model.state, drawn))
            self._keep_looking()
        return self.picture.update(now)

    def _aim(self, at: Place) -> bool:
        """A click on the table while a move is asked about: an enemy or a place to get to, or a friend to ask about.
        Returns whether it was that."""
        asked = self.desk.asked
        if asked is None:
            return False
        who, picked = self.model.scene.operative(asked.who), self.picture.under(at)
        if picked is not None and picked.kind == "operative":
            is_friend = self.model.scene.operative(picked.id).team == who.team
            self.desk.choose(picked.id) if is_friend else self.desk.aim(picked.id)
        elif (spot := self.picture.standing_at(at, who)) is not None:
            self.desk.aim((*self.model.snap.on_grid(*spot[:2]), spot[2]))
        return True

    def _lay_photo(self) -> None:
        """Have the floor show the scene's photo. Raises UserError, once, when it cannot be read."""
        photo = self._photo
        self.picture.lay_photo(None)
        if photo is not None:
            if self._texture is None or self._texture[0] != photo.kept:
                pixels = decoded(photo.kept, photo.name).pixels
                self._texture = (photo.kept, photo_texture(pixels))
            self.picture.lay_photo(LaidPhoto(self._texture[1], photo.view, photo.strength))

    def _keep_in_sight(self) -> None:
        """Whatever stands before shooter or target, or whoever moves, is see-through."""
        view, asked = self.ruling, self.desk.asked
        pair = {view.shooter, view.target} if view is not None else {asked.who} if asked is not None else set()
        self.picture.kept = tuple(one for one in self.model.scene.operatives if one.id in pair)

    # ---- looking on -----------------------------------------------------------------------------------------
    @property
    def is_looking(self) -> bool:
        """Whether an answer that is not decided is still being looked for."""
        return self._looking is not None and self._looking[1].is_looking

    def _look_on(self, found: Ruling | None) -> None:
        """Go on looking for an answer where none was found, and only there."""
        if self._looking is not None and self._looking[0] is not found:
            self._looking[1].close()
            self._looking = None
        if found is not None and found.undecided and self._looking is None:
            self._looking = (found, Refining(found.scene, found.shooter, found.target, found.sighting))

    def attend(self) -> bool:
        """Take in what was found beside the window. Returns whether there is anything new."""
        is_new = self.desk.jobs.has_news()
        if self._looking is None:
            return is_new
        found, refining = self._looking
        seen = refining.latest
        if seen is found.sighting:
            return is_new
        asked = (found.scene, found.shooter, found.target, found.edition, self.model.state.file.weapon)
        better = ruling(*asked, seen=seen)
        self._looking = (better, refining)
        return self.model.improve(better) or is_new

    def forget(self) -> None:
        """Somebody else has drawn on the table: the next update draws everything again."""
        self._shown = None

    # ---- the camera's keys ----------------------------------------------------------------------------------
    def frame(self) -> None:
        """The selected operative, or the pair that is ruled on, or everything."""
        one = self.model.selected
        if one is None and self.ruling is not None:
            self.frame_pair()
        else:
            self.picture.frame_on([one] if one is not None else self.model.scene.operatives)

    def frame_pair(self) -> None:
        """The pair that is ruled on, from the side that hides least."""
        camera, picture = self.picture.camera, self.picture
        if self.move is not None:
            picture.eye = None
            camera.take(move_pose(picture.scene, self.move.found, camera.aspect, camera.free))
        elif self.ruling is not None:
            picture.eye = None
            camera.take(table_pose(picture.scene, self.ruling, camera.aspect, camera.free))

    def come_nearer(self) -> None:
        """Fly to the pair that is ruled on where it is seen from afar, unless somebody has moved the camera."""
        picture = self.picture
        ids = (self.ruling.shooter, self.ruling.target) if self.ruling is not None else ()
        pair = [one for one in picture.scene.operatives if one.id in ids]
        is_afar = any(picture.size_of(one) < AFAR for one in pair)
        if pair and is_afar and not picture.camera.is_touched and picture.eye is None:
            picture.frame_on(pair)

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


class EyeInset:
    """A picture through the shooter's eyes, towards the target, drawn again when either changed."""

    def __init__(self, table: TableView) -> None:
        self._table = table
        self._view: tuple[TableStage, Viewport] | None = None
        self._shown: RulingView | None = None
        self._pixels = (0, 0)

    @property
    def texture(self) -> Texture | None:
        return self._view[1].picture if self._view is not None and self._shown is not None else None

    @property
    def version(self) -> int:
        """How often it was drawn."""
        return self._view[1].frames if self._view is not None else 0

    def forget(self) -> None:
        """The picture's place has changed, or the stage has."""
        if self._view is not None:
            stage, view = self._view
            if view in stage.views:
                stage.drop(view)
        self._view = self._shown = None

    def update(self, pixels: tuple[int, int]) -> None:
        """Bring it up to date, *pixels* large; it is drawn in the engine's next frame."""
        picture, found = self._table.picture, self._table.ruling
        if pixels != self._pixels:
            self._pixels = pixels
            self.forget()
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
