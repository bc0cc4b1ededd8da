"""The card of a ruling on a move: the answer, the table with the way on it, and why, leg by leg."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from imgui_bundle import imgui

from ktsim import __version__
from ktsim.app.card import drawing as card_drawing
from ktsim.app.card.drawing import BannerWords, answer_banner
from ktsim.app.card.layout import (
    BANNER_HEIGHT,
    CAPTION_WIDTH,
    FOOT_PAD,
    LEAST_HEIGHT,
    MARGIN,
    PAIR,
    WIDTH,
    CardLayout,
    FootNote,
    Measure,
    WantedRow,
    by_state,
    note_places,
    word_rows,
)
from ktsim.app.card.move_view import MoveView, move_overlays, move_view
from ktsim.app.card.overlay import LegendEntry
from ktsim.app.card.pictures import CARD_SORT, TEXT_SIZE, hatch_states, sizes_words, terrain_name
from ktsim.app.stage import cameras, overlays
from ktsim.app.stage.cameras import Free, Pose
from ktsim.app.stage.engine import Engine, colour_texture
from ktsim.app.stage.labels import TableLabels
from ktsim.app.stage.overlays import Overlay
from ktsim.app.stage.picking import Picker, clearest
from ktsim.app.stage.scenery import scene_scenery
from ktsim.app.stage.stage import TableStage
from ktsim.app.stage.ways import reachable_by
from ktsim.app.ui import theme
from ktsim.app.ui.backend import Backend
from ktsim.app.ui.pen import Pen, Rect
from ktsim.app.ui.settings import Level
from ktsim.content.files import write_atomically
from ktsim.content.png_text import SCENE, encoded, with_text
from ktsim.game.move_ruling import MoveRuling, asked_ruling, moving
from ktsim.killzones.figures import figure_words
from ktsim.killzones.scene_file import SceneFile, dump_scene
from ktsim.sight.scene import Scene

LEGEND = (
    LegendEntry("line", "the way, leg by leg", theme.ACCENT),
    LegendEntry("area", "in reach, in bands of an inch", theme.ACCENT),
)


def move_pose(scene: Scene, found: MoveRuling, aspect: float, free: Free | None = None) -> Pose:
    """The whole move with what lies between, from the side that hides least."""
    who = scene.operative(found.who)
    ends = [(who.x, who.y, who.level), found.to, *(leg.end[:3] for leg in found.legs)]
    points = [(x + dx, y + dy, z + dz) for x, y, z in ends for dx in (-2, 2) for dy in (-2, 2) for dz in (0.0, 2.0)]
    poses = [
        cameras.fitting(points, aspect, turn=turn, tilt=tilt, fov=30.0, free=free, margin=0.04)
        for tilt in (42.0, 60.0)
        for turn in (-108.0, -72.0, 18.0, 72.0, 108.0, 162.0)
    ]
    return clearest(Picker(scene), poses, [(x, y, z + 0.3) for x, y, z in ends])


def _lay_out(view: MoveView, notes: Sequence[tuple[str, str]], measure: Measure) -> CardLayout:
    """As a card of a shot is laid out, without eye and side view."""
    top, left = MARGIN * 2 + BANNER_HEIGHT, WIDTH - MARGIN - CAPTION_WIDTH
    wanted: list[WantedRow] = [
        ("reason", row.icon, row.rule, f"{row.number}. {row.text}")
        if row.number
        else ("warning", row.icon, row.rule, row.text)
        for row in view.rows
    ]
    rows = word_rows(wanted, left + MARGIN, top + PAIR, CAPTION_WIDTH - 2 * MARGIN, measure)
    foot = note_places(notes, measure)
    tall = max(note.rect.bottom for note in foot) + FOOT_PAD
    last = rows[-1].rect.bottom if rows else top + PAIR
    height = round(max(LEAST_HEIGHT, last + 2 * MARGIN + tall + MARGIN))
    footer = Rect(MARGIN, height - MARGIN - tall, WIDTH - 2 * MARGIN, tall)
    none = Rect(0, 0, 0, 0)
    return CardLayout(
        size=(round(WIDTH), height),
        banner=Rect(MARGIN, MARGIN, WIDTH - 2 * MARGIN, BANNER_HEIGHT),
        table=Rect(MARGIN, top, left - 2 * MARGIN, footer.y - MARGIN - top),
        eye=none,
        side=none,
        caption=Rect(left, top, CAPTION_WIDTH, footer.y - MARGIN - top),
        footer=footer,
        rows=tuple(rows),
        notes=tuple(FootNote(note.rect.moved(footer.x, footer.y), note.name, note.value) for note in foot),
    )


def _caption(pen: Pen, layout: CardLayout, view: MoveView, scene: Scene) -> None:
    """Who moves where and how, then what is against it and every leg."""
    rect, found = layout.caption, view.found
    pen.box(rect, theme.PANEL)
    x, y, right = rect.x + theme.L, rect.y + theme.L + 12, rect.right - theme.L
    room = (right - x - 90) / 2
    pen.seat(scene.operative(found.who).team, x + 8, y, 16)
    at = x + 26 + pen.put(x + 26, y, pen.fitted(found.who, "h3", room), "h3") + 14
    pen.icon("arrow", at + 6, y, 14, theme.DIM)
    pen.put(at + 26, y, pen.fitted(view.goal, "h3", room), "h3")
    x += pen.pill(x, y + 34, f'{found.action}, {found.allowance}"', "dash") + theme.S
    pen.pill(x, y + 34, view.rules, "book")
    for row in layout.rows:
        card_drawing.word_row(pen, row)


def _draw(
    pen: Pen,
    layout: CardLayout,
    scene: Scene,
    view: MoveView,
    items: tuple[Overlay, ...],
    pose: Pose,
    picture: imgui.ImTextureRef,
    objectives: Sequence[cameras.Point],
) -> None:
    pen.box(Rect(0, 0, *layout.size), theme.INK, None, radius=0)
    colour = theme.ACCENT if view.is_yes else theme.NO
    words = BannerWords(view.answer, view.tags, view.sentence)
    answer_banner(pen, layout.banner, words, "check" if view.is_yes else "cross", colour)
    card_drawing.captioned(pen, layout.table, "steps", "The table", picture)
    legend = card_drawing.legend(pen, layout.table, LEGEND)
    table = layout.table
    free = Rect(table.x, table.y + 34, table.w, legend.y - table.y - 34)
    TableLabels().draw(pen, table, pose, scene, items, free, objectives)
    _caption(pen, layout, view, scene)
    card_drawing.footer(pen, layout)


def write_move_card(file: SceneFile, path: Path | str, *, quality: Level = "medium") -> None:
    """Draw the card of the move that *file* asks about and write it as a PNG that carries the scene. Raises UserError
    where it asks about none."""
    found, asked, scene = asked_ruling(file), file.move, file.scene
    assert asked is not None
    view = move_view(found, scene)
    word = found.action.lower().replace(" ", "-")
    reachable = reachable_by(moving(file, asked.who, word, asked.move).reached)
    items = move_overlays(scene, asked.who, view, reachable)
    who = scene.operative(found.who)
    notes = [
        ("Ruled by", f"ktsim {__version__}, {view.rules}"),
        ("Moves", f'{found.who}: Move {asked.move}", {found.action} {found.allowance}"'),
        (f"Figure of {found.who}", figure_words(who.figure, who.base)),
        ("Terrain", f"{terrain_name(file)}; sizes: {sizes_words(file)}"),
    ]
    states = hatch_states(scene)
    notes += [("Hatchways", by_state(states))] if states else []
    engine = Engine.offscreen()
    stage = TableStage(engine, scene.terrain, scene_scenery(file), quality)
    stage.show(scene)
    overlays.show(stage.overlays, items)
    texture = colour_texture("card")
    output = engine.buffer("card", (16, 16), CARD_SORT, colour=texture)
    backend = Backend(output, (16, 16))
    try:
        pen = Pen(backend.io, TEXT_SIZE)
        made: list[CardLayout] = []
        backend.frame(lambda: made.append(_lay_out(view, notes, pen.measure)))
        layout = made[0]
        table, k = layout.table, stage.quality.supersample
        free = Free(top=36 / table.h, bottom=1 - 60 / table.h)
        pose = move_pose(scene, found, table.w / table.h, free)
        shown = stage.view((round(table.w) * k, round(table.h) * k), name="table", is_dense=k > 1)
        shown.kept = tuple(map(cameras.body_of, (who, replace(who, x=found.to[0], y=found.to[1], level=found.to[2]))))
        shown.look(pose)
        picture = backend.picture(shown.picture)

        def draw() -> None:
            pen.sheet = imgui.get_background_draw_list()
            _draw(pen, layout, scene, view, items, pose, picture, stage.scenery.objectives)

        output.set_size(*layout.size)
        backend.resize(layout.size)
        backend.frame(draw)
        output.set_one_shot(True)
        output.set_active(True)
        stage.draw(shown)
        pixels = engine.pixels(texture)
        write_atomically(Path(path), with_text(encoded(pixels), SCENE, dump_scene(file)))
    finally:
        backend.close()
        stage.close()
        engine.close()
