"""The ruling card: every section, every word, and numbers that are the ruling's."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from panda3d.core import PNMImage, StringStream, Texture
from stage_scenes import LINE, covered, hidden, scene_file

from ktsim.app.card.elevation import elevation
from ktsim.app.card.layout import CardLayout, lay_out
from ktsim.app.card.pictures import CardPainter, eye_pose, hatch_states, render_killzone, table_pose
from ktsim.app.card.png import write_png
from ktsim.app.card.process import CardJob
from ktsim.app.card.view import RulingView, inches, verdict
from ktsim.app.stage.scenery import scene_scenery
from ktsim.killzones.catalogue import load_named


def measure(text: str, kind: str, wrap: float) -> tuple[float, float]:
    """A stand-in for a font: 7 units a letter, 17 a line."""
    width = 7.0 * len(text)
    return (width, 17.0) if not wrap else (min(width, wrap), 17.0 * max(1, -(-width // wrap)))


def layout(view: RulingView) -> CardLayout:
    return lay_out(view, "gallowdark-1", (("h1", "open"), ("h2", "closed")), measure)


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
    assert set(made.sections) == {"banner", "table", "eye", "side", "caption"}
    for i, one in enumerate(sections):
        assert one.x >= 0
        assert one.y >= 0
        assert one.right <= made.size[0]
        assert one.bottom <= made.size[1]
        assert min(one.w, one.h) > 100
        assert not any(one.overlaps(other) for other in sections[i + 1 :])


def test_the_words_are_the_rulings() -> None:
    view = covered()
    made = layout(view)
    assert made.headline == "NOT A VALID TARGET"
    assert [(row.rule, row.text) for row in made.reasons] == list(view.reasons)
    facts = {fact.name: fact.value for fact in made.facts}
    assert facts["Distance, base to base"] == '7.74"'
    assert facts["In cover"] == "yes"
    assert facts["Obscured"] == "no"
    assert facts["Edition"] == "2024 rules"
    assert facts["Rules as of"] == "2025-03"
    assert facts["Killzone"] == "gallowdark-1"
    assert facts["Hatchways"] == "open: h1; closed: h2"
    assert facts["Lines"].startswith("inset")
    assert made.because == view.sentence


@pytest.mark.rule("KT24-DATED")
def test_a_card_says_as_of_which_date_it_rules() -> None:
    facts = {fact.name: fact.value for fact in layout(replace(covered(), rules_as_of="2026-01")).facts}
    assert facts["Rules as of"] == "2026-01"
    older = layout(replace(covered(), edition="kt21-lite"))
    assert "Rules as of" not in {fact.name for fact in older.facts}


def test_a_card_grows_with_its_reasons() -> None:
    view = covered()
    many = replace(view, reasons=tuple((f"RULE-{i}", "A long reason with many words in it. " * 4) for i in range(14)))
    made = layout(many)
    assert made.size[1] > layout(view).size[1]
    assert len(made.reasons) == 14
    assert made.reasons[-1].rect.bottom < made.facts[0].y
    assert made.facts[-1].y < made.caption.bottom
    boxes = [row.rect for row in made.reasons]
    assert not any(a.overlaps(b) for i, a in enumerate(boxes) for b in boxes[i + 1 :])


@pytest.mark.parametrize(
    ("view", "title"),
    [
        (covered(), "NOT A VALID TARGET"),
        (hidden(), "NOT VISIBLE"),
        (replace(covered(), valid=True, order="engage"), "VALID TARGET"),
    ],
)
def test_the_headline_is_the_answer(view: RulingView, title: str) -> None:
    assert verdict(view) == title


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
    painter = CardPainter(scene_file().scene, view, scene_scenery(scene_file()), "low")
    write_png(path, painter.paint())
    painter.close()
    width, height = png_size(path)
    assert (width, height) == (1600, 1040)
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
def test_png_is_exact(tmp_path: Path, size: tuple[int, int], colours: int) -> None:
    pixels = np.random.default_rng(1).integers(0, colours, (*size, 3)).astype(np.uint8)
    write_png(tmp_path / "a.png", pixels)
    assert (decoded((tmp_path / "a.png").read_bytes()) == pixels).all()


def test_a_card_being_drawn_never_keeps_the_window_open(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """However busy its process is and whatever it makes of being asked to end."""
    stubborn = tmp_path / "stubborn"
    stubborn.write_text(f"#!/bin/sh\ntrap '' TERM\necho > {tmp_path}/busy\nwhile :; do sleep 0.1; done\n")
    stubborn.chmod(0o755)
    monkeypatch.setattr("ktsim.app.card.process.sys.executable", str(stubborn))
    job = CardJob(scene_file(), tmp_path / "card.png")
    while not (tmp_path / "busy").exists():
        time.sleep(0.01)
    assert job.outcome() is None
    job.close()
    assert job.is_done
