"""The ruling card: every section, every word, and numbers that are the ruling's."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from imgui_bundle import imgui
from panda3d.core import PNMImage, StringStream, Texture
from stage_scenes import LINE, covered, hidden, scene_file

from ktsim import __version__, paths
from ktsim.app.card.elevation import Elevation, elevation, side_of
from ktsim.app.card.layout import CardLayout, foot_notes, lay_out
from ktsim.app.card.overlay import legend_of, overlays_of
from ktsim.app.card.pictures import (
    TEXT_SIZE,
    CardPainter,
    card_poses,
    draw_card,
    eye_pose,
    hatch_states,
    render_killzone,
    table_pose,
)
from ktsim.app.card.process import CardJob
from ktsim.app.card.view import RulingView, inches, verdict, view_of
from ktsim.app.stage.engine import Engine, colour_texture
from ktsim.app.stage.scenery import scene_scenery
from ktsim.app.ui.backend import Backend
from ktsim.app.ui.pen import Pen, Rect
from ktsim.content.png_text import encoded
from ktsim.killzones.catalogue import load_named
from ktsim.killzones.scene_file import load_scene
from ktsim.sight.considered import Considered
from ktsim.sight.kt24 import SMOKE_REACH
from ktsim.sight.ruling import ruling
from ktsim.sight.scene import Scene


def measure(text: str, kind: str, wrap: float) -> tuple[float, float]:
    """A stand-in for a font: 7 units a letter, 17 a line."""
    width = 7.0 * len(text)
    return (width, 17.0) if not wrap else (min(width, wrap), 17.0 * max(1, -(-width // wrap)))


def layout(view: RulingView) -> CardLayout:
    notes = foot_notes(view, "gallowdark-1", "estimated", (("h1", "open"), ("h2", "closed")), ("range 6",))
    return lay_out(view, notes, measure)


def png_size(path: Path) -> tuple[int, int]:
    data = path.read_bytes()
    return int.from_bytes(data[16:20]), int.from_bytes(data[20:24])


def decoded(data: bytes) -> np.ndarray:
    """The pixels of a PNG."""
    image, texture = PNMImage(), Texture()
    assert image.read(StringStream(data))
    assert texture.load(image)
    rows = np.frombuffer(texture.get_ram_image_as("RGB"), np.uint8)
    return rows.reshape(image.get_y_size(), image.get_x_size(), 3)[::-1]


def test_all_sections_are_there_and_apart() -> None:
    made = layout(covered())
    sections = list(made.sections.values())
    assert set(made.sections) == {"banner", "table", "eye", "side", "caption", "footer"}
    for i, one in enumerate(sections):
        assert one.x >= 0
        assert one.y >= 0
        assert one.right <= made.size[0]
        assert one.bottom <= made.size[1]
        assert min(one.w, one.h) > 40
        assert not any(one.overlaps(other) for other in sections[i + 1 :])


def test_the_words_are_the_rulings() -> None:
    vain = Considered("barrel/drum", "obscured", False, "KT24-OBSCURED", "barrel: on a line, but Light.")
    view = replace(covered(), aside=(vain,), warnings=("kess stands in the block.",), figures=(("kess", "a model"),))
    made = layout(view)
    rows = [(row.kind, row.rule, row.text) for row in made.rows]
    assert rows[0] == ("warning", "", view.warnings[0])
    assert rows[1:4] == [("reason", rule, text) for rule, text in view.reasons]
    assert rows[5] == ("aside", vain.rule, vain.text)
    notes = {note.name: note.value for note in made.notes}
    assert notes == {
        "Ruled by": f"ktsim {__version__}, 2024 rules, as of 2025-03",
        "Lines": "1 mm thick, inset convention",
        "Figure of kess": "a model",
        "Terrain": "gallowdark-1; sizes: estimated",
        "Weapon": "range 6",
        "Hatchways": "open: h1; closed: h2",
    }


@pytest.mark.rule("KT24-DATED")
def test_a_card_says_as_of_which_date_it_rules() -> None:
    assert layout(replace(covered(), rules_as_of="2026-01")).notes[0].value.endswith("as of 2026-01")
    assert "as of" not in layout(replace(covered(), edition="kt21-lite")).notes[0].value


def test_a_card_grows_with_its_reasons() -> None:
    view = covered()
    many = replace(view, reasons=tuple((f"RULE-{i}", "A long reason with many words in it. " * 4) for i in range(14)))
    made = layout(many)
    assert made.size[1] > layout(view).size[1]
    assert len(made.rows) == 14
    assert made.rows[-1].rect.bottom < made.caption.bottom
    boxes = [row.rect for row in made.rows]
    assert not any(a.overlaps(b) for i, a in enumerate(boxes) for b in boxes[i + 1 :])


VALID = replace(covered(), valid=True, order="engage")


@pytest.mark.parametrize(
    ("view", "said"),
    [
        (covered(), "NO TARGET, ON CONCEAL, IN COVER"),
        (hidden(), "NOT VISIBLE"),
        (VALID, "VALID TARGET, IN COVER, NOT OBSCURED"),
        (replace(VALID, in_cover=False, obscured=True), "VALID TARGET, NOT IN COVER, OBSCURED"),
        (replace(VALID, obscured=True, choice="defender"), "VALID TARGET, IN COVER OR OBSCURED"),
        (replace(VALID, friends=("c",)), "CANNOT BE CHOSEN, IN COVER, NOT OBSCURED"),
        (replace(covered(), restricted=("KT24-W-RANGE",), range=6.0), 'NO TARGET, BEYOND RANGE 6"'),
        (replace(covered(), edition="kt21-lite", obscured=True), "NO TARGET, OBSCURED, ON CONCEAL, IN COVER"),
        (replace(hidden(), undecided=True, resolution=1.2 / 25.4), "NOT DECIDED, SEARCHED DOWN TO 1.2 MM"),
        (replace(hidden(), undecided=True, resolution=math.inf), "NOT DECIDED, SEARCHED COARSELY SO FAR"),
    ],
)
def test_the_headline_is_the_answer_with_cover_and_obscured(view: RulingView, said: str) -> None:
    assert verdict(view) == said


def test_no_way_around_is_said_in_words() -> None:
    assert inches(2.0) == '2.00"'
    assert inches(float("inf")) == "no way around"


def test_the_deciding_line_is_one_the_ruling_holds() -> None:
    cover, block = covered(), hidden()
    assert cover.deciding == ("cover", LINE, cover.cover[0].point, "barrel/drum")
    assert block.blocked is not None
    assert block.deciding == ("visible", block.blocked.line, block.blocked.point, "block/stone")
    clear = replace(cover, valid=True, in_cover=False, cover=())
    assert clear.deciding == ("visible", clear.witness, None, "")


def test_the_side_view_is_to_scale() -> None:
    scene = scene_file().scene
    view = elevation(scene, "kess", "raider", LINE, (9.4, 5.0, LINE[0][2]), "barrel/drum")
    assert view.length == pytest.approx(9.0)
    assert view.hit == pytest.approx((7.4, LINE[0][2]))
    assert view.line == (pytest.approx((0.6, LINE[0][2])), pytest.approx((8.4, LINE[0][2])))
    (solid,) = view.solids
    assert (solid.part, solid.marked) == ("barrel/drum", True)
    points = np.array([p for polygon in solid.polygons for p in polygon])
    assert points[:, 0].min() == pytest.approx(6.6, abs=0.01)
    assert points[:, 0].max() == pytest.approx(7.4, abs=0.01)
    assert points[:, 1].max() == pytest.approx(1.0)
    filled = sum((p[1][0] - p[0][0]) * (p[2][1] - p[1][1]) for p in solid.polygons)
    assert filled == pytest.approx(0.8, rel=0.01), "the whole section is filled"
    assert view.shooter.left == pytest.approx(-0.63, abs=0.01)
    assert view.target.head[0] == pytest.approx(9.0)


@pytest.mark.rule("KT24-SMOKE")
def test_smoke_is_in_the_side_view_and_in_the_legend() -> None:
    file = load_scene(paths.killzones() / "examples" / "smoke.yaml")
    (marker,) = file.scene.smoke
    a, b = (file.scene.operative(id) for id in "ab")

    def drawn(scene: Scene) -> tuple[list[str], Elevation]:
        view = view_of(ruling(scene, "a", "b"))
        side = side_of(scene, view)
        assert side is not None
        return [each.words for each in legend_of(scene, view, ()) if each.mark == "cloud"], side

    words, side = drawn(file.scene)
    assert words == ["smoke, which obscures"]
    (cloud,) = side.smoke
    # the line runs to b's rim and not through the marker's middle
    assert cloud.right - cloud.left == pytest.approx(2 * SMOKE_REACH, abs=0.1)
    assert (cloud.left + cloud.right) / 2 == pytest.approx(math.dist((a.x, a.y), marker[:2]), abs=0.1)
    assert (cloud.level, cloud.obscures) == (marker[2], True)
    away = replace(file.scene, smoke=((b.x, b.y + 1.0, 0.0),))
    words, side = drawn(away)
    assert words == ["smoke"]
    assert [each.obscures for each in side.smoke] == [False]
    assert side.smoke[0].right - side.smoke[0].left < 2.1, "cut beside its middle"
    words, side = drawn(replace(file.scene, smoke=()))
    assert (words, side.smoke) == ([], ())


def test_what_stands_beside_the_line_is_not_in_the_side_view() -> None:
    scene = scene_file().scene
    aside = ((2.6, 4.0, LINE[0][2]), (10.4, 4.0, LINE[0][2]))
    assert elevation(scene, "kess", "raider", aside, None, "").solids == ()


def test_the_table_camera_shows_both_and_the_eye_is_in_the_head() -> None:
    scene, view = scene_file().scene, covered()
    pose = table_pose(scene, view, 1.6)
    spots = pose.project([(2, 5, 0.5), (11, 5, 0.5), view.cover[0].point], (800, 500))
    assert ((spots[:, 0] > 0) & (spots[:, 0] < 800) & (spots[:, 1] > 0) & (spots[:, 1] < 500)).all()
    assert spots[0, 0] < spots[1, 0], "the shooter is on the left"
    assert eye_pose(scene, view).eye[:2] == pytest.approx((2, 5))


def test_hatch_states_are_those_of_the_scene() -> None:
    scene = scene_file().scene
    assert hatch_states(scene) == (("h1", "closed"),)
    assert hatch_states(replace(scene, states={"h1": "open"})) == (("h1", "open"),)


@pytest.mark.parametrize("view", [covered(), hidden()], ids=["cover", "blocked"])
def test_a_card_is_written(tmp_path: Path, view: RulingView) -> None:
    path = tmp_path / "card.png"
    painter = CardPainter(scene_file().scene, view, scene_scenery(scene_file()), (("Ruled by", "a test"),), "low")
    path.write_bytes(encoded(painter.paint()))
    painter.close()
    width, height = png_size(path)
    assert (width, height) == (1600, 1000)
    pixels = decoded(path.read_bytes()).astype(int)
    orange = (np.abs(pixels - [255, 154, 77]).max(axis=2) < 3).sum()
    assert orange > 3000, "the banner's mark"
    table = pixels[200:700, 40:1000]
    assert table.std() > 20


def test_a_killzone_is_drawn(tmp_path: Path) -> None:
    killzone = load_named("training-ground", tmp_path)
    path = tmp_path / "killzone.png"
    render_killzone(killzone, path, size=(320, 180), quality="low", top=True)
    assert png_size(path) == (320, 180)
    assert decoded(path.read_bytes()).std() > 15


@pytest.mark.parametrize("size", [(60, 80), (1, 1), (3, 5)])
@pytest.mark.parametrize("colours", [2, 256])
def test_png_is_exact(size: tuple[int, int], colours: int) -> None:
    pixels = np.random.default_rng(1).integers(0, colours, (*size, 3)).astype(np.uint8)
    assert (decoded(encoded(pixels)) == pixels).all()


def test_a_card_being_drawn_never_keeps_the_window_open(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """However busy its process is and whatever it makes of being asked to end."""
    stubborn = tmp_path / "stubborn"
    stubborn.write_text(f"#!/bin/sh\ntrap '' TERM\necho > {tmp_path}/busy\nwhile :; do sleep 0.1; done\n")
    stubborn.chmod(0o755)
    monkeypatch.setattr("ktsim.workers.command", lambda *words: [str(stubborn)])
    job = CardJob(scene_file(), tmp_path / "card.png")
    while not (tmp_path / "busy").exists():
        time.sleep(0.01)
    assert job.outcome() is None
    job.close()
    assert job.is_done


# ---- no text lies over another -------------------------------------------------------------------------------------
class RecordingPen(Pen):
    """Remembers where the glyphs of a text really went, and what it was."""

    def start(self) -> None:
        self.texts: list[tuple[Rect, str]] = []

    def _record(self, text: str, before: int) -> None:
        corners = [self.sheet.vtx_buffer[i].pos for i in range(before, self.sheet.vtx_buffer.size())]
        if corners:
            (x, y), (right, bottom) = ((of(p.x for p in corners), of(p.y for p in corners)) for of in (min, max))
            self.texts.append((Rect(x, y, right - x, bottom - y), text))

    def put(self, x: float, y: float, text: str, *style: Any, **more: Any) -> float:
        before = self.sheet.vtx_buffer.size()
        wide = super().put(x, y, text, *style, **more)
        self._record(text, before)
        return wide

    def paragraph(self, x: float, y: float, width: float, text: str, *style: Any, **more: Any) -> float:
        before = self.sheet.vtx_buffer.size()
        tall = super().paragraph(x, y, width, text, *style, **more)
        self._record(text, before)
        return tall


@pytest.fixture(scope="module")
def recorder() -> Iterator[tuple[Backend, RecordingPen]]:
    engine = Engine.offscreen()
    backend = Backend(engine.buffer("card", (16, 16), 0, colour=colour_texture("card")), (1600, 3000))
    yield backend, RecordingPen(backend.io, TEXT_SIZE)
    backend.close()
    engine.close()


EXAMPLES = sorted((paths.killzones() / "examples").glob("*.yaml"))


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_no_text_lies_over_another_or_leaves_its_box(recorder: tuple[Backend, RecordingPen], path: Path) -> None:
    backend, pen = recorder
    file = load_scene(path)
    view = view_of(ruling(file.scene, *file.pairs[0], file.edition, file.weapon))
    items = overlays_of(file.scene, view)
    notes = foot_notes(view, "a killzone", "estimated", hatch_states(file.scene), ())
    made: list[CardLayout] = []

    def draw() -> None:
        pen.sheet = imgui.get_background_draw_list()
        pen.start()
        layout = lay_out(view, notes, pen.measure)
        made.append(layout)
        draw_card(pen, layout, file.scene, view, items, card_poses(file.scene, view, layout))

    backend.frame(draw)
    (layout,) = made
    boxes = [*layout.sections.values(), *(row.rect for row in layout.rows), *(note.rect for note in layout.notes)]
    assert len(pen.texts) > 25
    for i, (rect, text) in enumerate(pen.texts):
        beside = [other for other_rect, other in pen.texts[i + 1 :] if rect.overlaps(other_rect, -1.0)]
        assert not beside, f"{text!r} lies over {beside}"
        for box in boxes:
            if box.x <= rect.x < box.right and box.y <= rect.y < box.bottom:
                assert rect.right <= box.right + 1, text
                assert rect.bottom <= box.bottom + 1, text
