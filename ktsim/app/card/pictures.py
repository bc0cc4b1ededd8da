"""Pictures without a display: a killzone, and the card of a ruling."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from imgui_bundle import imgui
from numpy.typing import NDArray

from ktsim.app.card import drawing as card_drawing
from ktsim.app.card.elevation import side_of
from ktsim.app.card.layout import CardLayout, foot_notes, lay_out
from ktsim.app.card.overlay import legend_of, overlays_of
from ktsim.app.card.view import RulingView, view_of
from ktsim.app.stage import cameras, overlays
from ktsim.app.stage.cameras import Free, Point, Pose
from ktsim.app.stage.engine import Engine, colour_texture
from ktsim.app.stage.labels import TableLabels
from ktsim.app.stage.looks import Scenery
from ktsim.app.stage.overlays import Label, Overlay
from ktsim.app.stage.picking import Picker, clearest
from ktsim.app.stage.scenery import killzone_scenery, scene_scenery
from ktsim.app.stage.stage import TableStage
from ktsim.app.stage.viewport import Viewport
from ktsim.app.ui import theme
from ktsim.app.ui.backend import Backend
from ktsim.app.ui.pen import Pen, Rect
from ktsim.app.ui.settings import Level
from ktsim.app.ui.titles import killzone_title
from ktsim.content.files import write_atomically
from ktsim.content.png_text import SCENE, encoded, with_text
from ktsim.killzones.catalogue import load_named
from ktsim.killzones.killzone_file import Killzone
from ktsim.killzones.pieces import together
from ktsim.killzones.scene_file import SceneFile, dump_scene
from ktsim.killzones.scene_pieces import pieces_of
from ktsim.sight.ruling import Ruling
from ktsim.sight.scene import Operative, Scene

CARD_SORT = -20
LEGEND = 44.0
"""How much of the table's picture is kept free at its foot, for some of the legend."""
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
    reach = 1.5
    points = [
        (o.x + dx, o.y + dy, o.level + z)
        for o in (a, b)
        for dx in (-reach, reach)
        for dy in (-reach, reach)
        for z in (0.0, 2.4)
    ]
    points += [hit] if hit else []
    heading = math.degrees(math.atan2(b.y - a.y, b.x - a.x))
    # The shooter on the left, as in the side view, unless more is seen from the other side.
    poses = [
        cameras.fitting(points, aspect, turn=heading + turn, tilt=tilt, fov=30.0, free=free, margin=0.04)
        for turns in ((-18.0, 18.0), (162.0, 198.0))
        for tilt in (38.0, 55.0)
        for turn in turns
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


def _above(rect: Rect, foot: Rect) -> Rect:
    """What is left of a rectangle above another at its foot."""
    return Rect(rect.x, rect.y, rect.w, foot.y - rect.y)


def _below_title(rect: Rect) -> Rect:
    """What a panel's title leaves of its picture."""
    return Rect(rect.x, rect.y + 34, rect.w, rect.h - 34)


def card_poses(scene: Scene, view: RulingView, layout: CardLayout) -> tuple[Pose, Pose]:
    """Where a card's two pictures are taken from: the table, and the shooter's eye."""
    free = Free(top=36 / layout.table.h, bottom=1 - LEGEND / layout.table.h)
    return table_pose(scene, view, layout.table.w / layout.table.h, free), eye_pose(scene, view)


def draw_card(
    pen: Pen,
    layout: CardLayout,
    scene: Scene,
    view: RulingView,
    items: tuple[Overlay, ...],
    poses: tuple[Pose, Pose],
    pictures: tuple[imgui.ImTextureRef, imgui.ImTextureRef] | None = None,
    objectives: Sequence[Point] = (),
) -> None:
    """The whole card, around its two *pictures* taken from *poses*."""
    table, eye = pictures or (None, None)
    pen.box(Rect(0, 0, *layout.size), theme.INK, None, radius=0)
    card_drawing.banner(pen, layout.banner, view)
    card_drawing.captioned(pen, layout.table, "line", "The table", table)
    legend = card_drawing.legend(pen, layout.table, legend_of(scene, view, items))
    free = _above(_below_title(layout.table), legend)
    TableLabels().draw(pen, layout.table, poses[0], scene, items, free, objectives)
    card_drawing.captioned(pen, layout.eye, "eye", f"What {view.shooter} sees", eye)
    names = [item for item in items if isinstance(item, Label) and item.text == view.target]
    TableLabels().draw(pen, layout.eye, poses[1], scene, names, _below_title(layout.eye), objectives)
    side = side_of(scene, view)
    if side is not None:
        card_drawing.side_view(pen, layout.side, side, view)
    else:
        card_drawing.captioned(pen, layout.side, "steps", "Side view: there is no line to show")
    card_drawing.caption(pen, layout, view, scene)
    card_drawing.footer(pen, layout)


class CardPainter:
    """Draws one card: the stage's pictures and the panels around them, in one frame."""

    def __init__(
        self,
        scene: Scene,
        view: RulingView,
        scenery: Scenery,
        notes: Sequence[tuple[str, str]],
        level: Level = "medium",
    ) -> None:
        """*notes* are what the answer rests on, for the footer."""
        self.scene, self.ruling, self.notes = scene, view, notes
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
        self.backend.frame(lambda: found.append(lay_out(self.ruling, self.notes, self.pen.measure)))
        return found[0]

    def _picture(self, rect: Rect, pose: Pose, eye: bool) -> Viewport:
        k = self.stage.quality.supersample
        size, name = (round(rect.w) * k, round(rect.h) * k), "eye" if eye else "table"
        view = self.stage.view(size, eye=eye, name=name, is_dense=k > 1)
        if not eye:
            pair = (self.scene.operative(id) for id in (self.ruling.shooter, self.ruling.target))
            view.kept = tuple(cameras.body_of(one) for one in pair)
        view.look(pose)
        return view

    def paint(self) -> NDArray[np.uint8]:
        """The card's pixels."""
        layout, ruling = self.layout, self.ruling
        self.stage.hide_from_eye(ruling.shooter)
        poses = card_poses(self.scene, ruling, layout)
        table, eye = self._picture(layout.table, poses[0], False), self._picture(layout.eye, poses[1], True)
        pictures = self.backend.picture(table.picture), self.backend.picture(eye.picture)
        objectives = self.stage.scenery.objectives

        def draw() -> None:
            self.pen.sheet = imgui.get_background_draw_list()
            draw_card(self.pen, layout, self.scene, ruling, self.items, poses, pictures, objectives)

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
    """Draw the card of a ruling on a scene file and write it as a PNG that carries the scene, asking for this pair.
    Meshes and killzone files that the scene names in its folder are named in it, not carried; a photo is neither."""
    view = view_of(ruling)
    weapon = file.weapon.rules if file.weapon is not None else ()
    notes = foot_notes(view, terrain_name(file), sizes_words(file), hatch_states(file.scene), weapon)
    painter = CardPainter(file.scene, view, scene_scenery(file), notes, quality)
    pairs = ((ruling.shooter, ruling.target),)
    asked = replace(file, scene=ruling.scene, edition=ruling.edition, pairs=pairs, photo=None)
    try:
        write_atomically(Path(path), with_text(encoded(painter.paint()), SCENE, dump_scene(asked)))
    finally:
        painter.close()


def _killzone_of(file: SceneFile) -> Killzone | None:
    return load_named(file.killzone, file.path.parent) if file.killzone is not None else None


def terrain_name(file: SceneFile) -> str:
    """What the terrain of a scene is called."""
    killzone = _killzone_of(file)
    return killzone_title(killzone.name) if killzone is not None else "features of the scene"


def sizes_words(file: SceneFile) -> str:
    """Where the sizes of the terrain come from."""
    pieces, killzone = pieces_of(file), _killzone_of(file)
    sources = [piece.made().source for piece in pieces]
    sources += [killzone.sizes] if killzone is not None else []
    has_own = len(file.document.get("features") or ()) > len(pieces) or bool(file.document.get("walls"))
    own = ["as the scene says"] if has_own or not sources else []
    return ", others ".join([*([together(sources)] if sources else []), *own])


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
        write_atomically(Path(path), encoded(stage.still(pose, size)))
    finally:
        stage.close()
        engine.close()
