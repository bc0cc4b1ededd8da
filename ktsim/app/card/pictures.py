"""Pictures without a display: a killzone, and the card of a ruling."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from imgui_bundle import imgui
from numpy.typing import NDArray

from ktsim.app.card import drawing as card_drawing
from ktsim.app.card.elevation import elevation
from ktsim.app.card.layout import CardLayout, lay_out
from ktsim.app.card.overlay import overlays_of
from ktsim.app.card.png import write_png
from ktsim.app.card.view import RulingView, view_of
from ktsim.app.stage import cameras, overlays
from ktsim.app.stage.cameras import Free, Pose
from ktsim.app.stage.engine import Engine, colour_texture
from ktsim.app.stage.labels import TableLabels
from ktsim.app.stage.looks import Scenery
from ktsim.app.stage.overlays import Label
from ktsim.app.stage.picking import Picker, clearest
from ktsim.app.stage.scenery import killzone_scenery, scene_scenery
from ktsim.app.stage.stage import TableStage
from ktsim.app.stage.viewport import Viewport
from ktsim.app.ui import theme
from ktsim.app.ui.backend import Backend
from ktsim.app.ui.part_names import part_name
from ktsim.app.ui.pen import Pen, Rect
from ktsim.app.ui.settings import Level
from ktsim.app.ui.titles import killzone_title
from ktsim.killzones.killzone_file import Killzone
from ktsim.killzones.scene_file import SceneFile
from ktsim.sight.ruling import Ruling
from ktsim.sight.scene import Operative, Scene

CARD_SORT = -20
TEXT_SIZE = 1.15
"""Cards are looked at smaller than they are: their text is larger than a window's."""


def hatch_states(scene: Scene) -> tuple[tuple[str, str], ...]:
    """The present state of every feature that has states, by id."""
    features = scene.terrain.features
    return tuple((f.id, scene.states.get(f.id) or f.initial or "") for f in features if f.states)


def table_pose(scene: Scene, view: RulingView, aspect: float, free: Free | None = None) -> Pose:
    """Both operatives with what lies between, the line across the picture, from the side that hides least."""
    a, b = scene.operative(view.shooter), scene.operative(view.target)
    _, line, hit, _ = view.deciding
    reach = 2.0
    points = [
        (o.x + dx, o.y + dy, o.level + z)
        for o in (a, b)
        for dx in (-reach, reach)
        for dy in (-reach, reach)
        for z in (0.0, 2.4)
    ]
    points += [hit] if hit else []
    heading = math.degrees(math.atan2(b.y - a.y, b.x - a.x))
    poses = [
        cameras.fitting(points, aspect, turn=heading + turn, tilt=tilt, fov=30.0, free=free, margin=0.04)
        for tilt in (38.0, 55.0)
        for turn in (-18.0, 18.0, 162.0, 198.0)
    ]
    keys: list[Sequence[float]] = [cameras.head_of(a), cameras.head_of(b), (a.x, a.y, a.level + 0.2)]
    keys += [(b.x, b.y, b.level + 0.2), *([hit] if hit else []), *(line or ())]
    return clearest(Picker(scene), poses, keys)


def eye_pose(scene: Scene, view: RulingView) -> Pose:
    """From the shooter's head to the middle of the target, near enough to make it out."""
    a, b = scene.operative(view.shooter), scene.operative(view.target)
    head = cameras.head_of(b)
    middle = (b.x, b.y, b.level + 0.6 * (head[2] - b.level))
    away = max(math.dist(cameras.head_of(a), middle), 0.5)
    fov = math.degrees(2 * math.atan(2.1 / away))
    return cameras.eye_view(a, middle, fov=min(max(fov, 14.0), 70.0))


def side_words(view: RulingView) -> str:
    """What the side view's line met, and how near."""
    kind, _, hit, part = view.deciding
    if hit is None:
        return "the line is clear"
    row = {"cover": view.cover, "obscured": view.obscuring}.get(kind, ())
    near = row[0].from_target if row else None
    name = part_name(part)
    return name if near is None else f'{name} · {near:.2f}" from {view.target}'


def _below_title(rect: Rect) -> Rect:
    """What a panel's title leaves of its picture."""
    return Rect(rect.x, rect.y + 34, rect.w, rect.h - 34)


class CardPainter:
    """Draws one card: the stage's pictures and the panels around them, in one frame."""

    def __init__(self, scene: Scene, view: RulingView, scenery: Scenery, level: Level = "medium") -> None:
        self.scene, self.ruling = scene, view
        self.engine = Engine.offscreen()
        self.stage = TableStage(self.engine, scene.terrain, scenery, level)
        self.stage.show(scene)
        self.items = overlays_of(scene, view)
        overlays.show(self.stage.overlays, self.items)
        self.texture = colour_texture("card")
        self.output = self.engine.buffer("card", (16, 16), CARD_SORT, colour=self.texture)
        self.backend = Backend(self.output, (16, 16))
        self.pen = Pen(self.backend.io, TEXT_SIZE)
        self.layout = self._lay_out()

    def _lay_out(self) -> CardLayout:
        found: list[CardLayout] = []

        def measured() -> None:
            name = self.scene.terrain.name
            name = killzone_title(name) if name else "none (features of the scene)"
            found.append(lay_out(self.ruling, name, hatch_states(self.scene), self.pen.measure))

        self.backend.frame(measured)
        return found[0]

    def _picture(self, rect: Rect, pose: Pose, eye: bool) -> Viewport:
        k = self.stage.quality.supersample
        view = self.stage.view((round(rect.w) * k, round(rect.h) * k), eye=eye, name="eye" if eye else "table")
        view.look(pose)
        return view

    def paint(self) -> NDArray[np.uint8]:
        """The card's pixels."""
        layout, ruling = self.layout, self.ruling
        self.stage.hide_from_eye(ruling.shooter)
        free = Free(top=36 / layout.table.h)
        table_from = table_pose(self.scene, ruling, layout.table.w / layout.table.h, free)
        table = self._picture(layout.table, table_from, False)
        eye_from = eye_pose(self.scene, ruling)
        eye = self._picture(layout.eye, eye_from, True)
        names = [item for item in self.items if isinstance(item, Label) and item.text == ruling.target]
        _, line, hit, part = ruling.deciding
        side = elevation(self.scene, ruling.shooter, ruling.target, line, hit, part) if line else None
        objectives = self.stage.scenery.objectives
        pictures = self.backend.picture(table.picture), self.backend.picture(eye.picture)

        def draw() -> None:
            pen = self.pen
            pen.sheet = imgui.get_background_draw_list()
            pen.box(Rect(0, 0, *layout.size), theme.INK, None, radius=0)
            card_drawing.banner(pen, layout.banner, ruling, layout.headline, layout.because)
            card_drawing.captioned(pen, layout.table, "line", "The table", pictures[0])
            card_drawing.legend(pen, layout.table)
            TableLabels().draw(
                pen, layout.table, table_from, self.scene, self.items, _below_title(layout.table), objectives
            )
            card_drawing.captioned(pen, layout.eye, "eye", f"What {ruling.shooter} sees", pictures[1])
            TableLabels().draw(pen, layout.eye, eye_from, self.scene, names, _below_title(layout.eye), objectives)
            if side is not None:
                card_drawing.side_view(pen, layout.side, side, ruling, side_words(ruling))
            card_drawing.caption(pen, layout, ruling, self.scene)

        self.output.set_size(*layout.size)
        self.backend.resize(layout.size)
        self.backend.frame(draw)
        self.output.set_one_shot(True)
        self.output.set_active(True)
        self.stage.draw(table, eye)
        return self.engine.pixels(self.texture)

    def close(self) -> None:
        self.backend.close()
        self.stage.close()
        self.engine.close()


def write_card(file: SceneFile, ruling: Ruling, path: Path | str, *, quality: Level = "medium") -> None:
    """Draw the card of a ruling on a scene file and write it as a PNG."""
    painter = CardPainter(file.scene, view_of(ruling), scene_scenery(file), quality)
    try:
        write_png(path, painter.paint())
    finally:
        painter.close()


def render_killzone(
    killzone: Killzone,
    path: Path | str,
    *,
    top: bool = False,
    size: tuple[int, int] = (1600, 900),
    quality: Level = "high",
    operatives: tuple[Operative, ...] = (),
) -> None:
    """Draw a killzone from a player's side, or from above, and write it as a PNG."""
    engine = Engine.offscreen()
    stage = TableStage(engine, killzone.terrain, killzone_scenery(killzone), quality)
    try:
        stage.show(Scene(killzone.terrain, operatives))
        board, aspect = killzone.terrain.board, size[0] / size[1]
        pose = cameras.top_view(board, aspect) if top else cameras.table_view(board, aspect, stage.tops())
        write_png(path, stage.still(pose, size))
    finally:
        stage.close()
        engine.close()
