"""The ruling beside the table: large words, what was set aside, what a sentence lights, and everybody at a glance."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from desktop_driver import Driver, driver, engine, pair
from stage_scenes import covered
from test_desktop_table import example

from ktsim.app.card.view import verdict, view_of
from ktsim.app.ruling.state import new_file
from ktsim.app.stage.overlays import TEAL, Highlight, Line
from ktsim.app.ui import palettes
from ktsim.content.png_text import SCENE, encoded, with_text
from ktsim.errors import UserError
from ktsim.killzones.scene_file import SceneFile, dump_scene, load_scene, scene_from_text
from ktsim.sight.ruling import Ruling, ruling
from ktsim.sight.scene import MM, Scene
from ktsim.sight.visibility import Effort

__all__ = ["driver", "engine"]


def lit(driver: Driver) -> list[Highlight]:
    return [item for item in driver.view.items if isinstance(item, Highlight) and item.colour == TEAL]


def test_the_large_line_says_cover_and_obscured(driver: Driver) -> None:
    example(driver, "same-feature-twice")
    assert "VALID TARGET, IN COVER OR OBSCURED" in driver.said()
    example(driver, "light-near-target-conceal")
    assert "NO TARGET, ON CONCEAL, IN COVER" in driver.said()


def test_pointing_at_a_sentence_lights_its_part_and_line_on_the_table_and_in_the_side_view(driver: Driver) -> None:
    example(driver, "two-features")
    assert not lit(driver)
    driver.point(*driver.middle_of("reasons-KT24-OBSCURED"))
    driver.settle()
    found = driver.view.ruling
    assert found is not None
    assert driver.view.lit == ("block/wall",)
    part = next(part for part in driver.model.scene.parts() if part.key == "block/wall")
    assert [item.triangles is part.triangles for item in lit(driver)] == [True]
    strong = [item for item in driver.view.items if isinstance(item, Line) and item.strong and item.hit is not None]
    assert [(line.start, line.end) for line in strong] == [found.obscuring[0].line]
    assert driver.table._side is not None
    cut = driver.table._side[2]
    assert cut is not None
    assert [solid.part for solid in cut.solids if solid.marked] == ["block/wall"]
    driver.point(500, 300)
    driver.settle()
    assert not lit(driver)


def test_what_was_set_aside_is_in_the_panel_and_is_lit_too(driver: Driver) -> None:
    driver.desktop.resize((800, 600))  # twice as many units: nothing scrolls
    example(driver, "beyond-two-inches")
    assert "LOOKED AT, DOES NOT COUNT" in driver.said()
    found = driver.view.ruling
    assert found is not None
    assert found.aside[0].text in driver.said()
    driver.point(*driver.middle_of("reasons-aside-0"))
    driver.settle()
    assert driver.view.lit == ("barricade/shield",)
    assert driver.desktop.ui.told.startswith("KT24-OBSCURED")


def test_a_name_within_a_longer_one_is_not_meant() -> None:
    long = replace(covered().cover[0], part="barrel/drum lid")
    view = replace(covered(), cover=(*covered().cover, long))
    assert view.named_in("In cover from barrel (drum lid).") == ("barrel/drum lid",)
    assert view.named_in("In cover from barrel (drum).") == ("barrel/drum",)
    assert view.named_in("Apart, base to base.") == ()


@pytest.mark.parametrize(("inset", "key"), [("eye", "y"), ("side", "u")])
def test_the_smaller_pictures_are_large_on_a_click(driver: Driver, inset: str, key: str) -> None:
    example(driver, "two-features")
    small = driver.desktop.ui.rects[f"enlarge-{inset}"]
    driver.press(f"enlarge-{inset}")
    large = driver.desktop.ui.rects[f"enlarge-{inset}"]
    assert large.w * large.h > 3 * small.w * small.h
    driver.key("escape")
    assert driver.desktop.ui.rects[f"enlarge-{inset}"] == small
    driver.key(key)
    assert driver.desktop.ui.rects[f"enlarge-{inset}"] == large


def test_a_button_brings_both_into_the_picture(driver: Driver) -> None:
    example(driver, "volkus-ruin-level")
    driver.model.select("a")
    before = driver.picture.size_of(driver.model.scene.operative("b"))
    driver.press("pair")
    assert all(driver.picture.size_of(one) > 1.2 * before for one in driver.model.scene.operatives)


def test_the_point_says_that_it_can_be_dragged(driver: Driver) -> None:
    example(driver, "two-features")
    assert "Drag it on the table to try another." in driver.said()
    example(driver, "barred-from-afar")
    assert "Drag it on the table" not in driver.said(), "nobody is seen: lines do not matter"


def test_who_can_see_whom_is_what_the_rulings_say_and_leads_to_them(driver: Driver) -> None:
    driver.desktop.open_table(new_file(None))
    model = driver.model
    for number, (team, x) in enumerate((("blue", 4), ("red", 20), ("blue", 10), ("red", 26))):
        model.add(team, x, 5 + 3 * number)
    driver.settle()
    driver.key("n")
    for _ in range(10):
        driver.desktop.frame()
    for one, two in model.pairs:
        found = ruling(model.scene, one, two)
        assert f"{one} shoots at {two}: {found.headline}" in driver.said()
    assert "pair-Blue 1-Blue 2" not in driver.desktop.ui.rects
    driver.press("pair-Red 2-Blue 1")
    assert driver.desktop.top is driver.table
    assert (model.state.shooter, model.state.target) == ("Red 2", "Blue 1")


def test_nobody_to_ask_about_is_said(driver: Driver) -> None:
    driver.desktop.open_table(new_file(None))
    driver.settle()
    driver.press("matrix")
    assert "two teams" in driver.desktop.notice


# ---- not decided ---------------------------------------------------------------------------------------------------
def fenced() -> SceneFile:
    """Two fences, one behind the other, that hide b: to prove it takes more than a glance."""
    step = 3.4 * MM
    boxes = [
        f"{{id: p{n}-{i}, traits: [heavy], box: [[{7 + n}, {y:.5f}, 0], [{7.02 + n}, {y + 2.5 * MM:.5f}, 9]]}}"
        for n in range(2)
        for i, y in enumerate(np.arange(9.0 + 0.37 * n * step, 13.0, step))
    ]
    text = f"""
ktsim: scene/1
edition: kt24
features: [{{id: fence, parts: [{", ".join(boxes)}]}}]
operatives:
  - {{id: a, team: blue, at: [5, 11]}}
  - {{id: b, team: red, at: [15, 11]}}
"""
    return scene_from_text(text, Path("fence.yaml"))


def undecided(scene: Scene) -> Ruling:
    found = ruling(scene, "a", "b", effort=Effort(60, 10, 0))
    assert found.undecided
    return found


def test_what_is_not_decided_is_called_so_and_a_better_ruling_takes_its_place(driver: Driver) -> None:
    driver.desktop.open_table(fenced())
    driver.settle()
    model = driver.model
    found = model._ruling = undecided(model.scene)
    driver.settle()
    assert verdict(view_of(found)).startswith("NOT DECIDED, SEARCHED")
    assert "NOT DECIDED" in driver.said()
    assert "Not decided yet, searched" in driver.said()
    until = time.monotonic() + 60
    while time.monotonic() < until and driver.view.is_looking:
        driver.desktop.attend()
        time.sleep(0.05)
    driver.desktop.attend()
    driver.settle()
    assert model.ruling is not None
    assert not model.ruling.undecided
    assert "NOT DECIDED" not in driver.said()


def test_a_better_ruling_on_what_is_no_longer_asked_is_left_aside(driver: Driver) -> None:
    driver.desktop.open_table(fenced())
    driver.settle()
    better = ruling(fenced().scene, "a", "b")
    assert not driver.model.improve(better), "of another scene"
    assert not driver.model.improve(driver.model.ruling or better), "what is decided is not asked again"


def test_looking_on_is_given_up_with_the_question(driver: Driver) -> None:
    driver.desktop.open_table(fenced())
    driver.settle()
    driver.view._look_on(undecided(driver.model.scene))
    assert driver.view._looking is not None
    search = driver.view._looking[1]
    driver.view._look_on(None)
    search.wait(60)
    assert not search.is_looking
    assert not driver.view.is_looking


# ---- the window's size and colours ---------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("size", "text", "at_least", "at_most"),
    [
        ((1024, 640), 1.0, 1.0, 1.0),
        ((1280, 720), 1.0, 1.0, 1.0),
        ((1920, 1080), 1.0, 1.15, 1.3),
        ((2560, 1440), 1.0, 1.3, 1.5),
        ((2560, 1440), 1.5, 1.6, 1.8),
        ((3840, 2160), 1.0, 1.6, 1.75),
        ((1280, 720), 1.5, 1.0, 1.125),
    ],
)
def test_text_grows_with_the_window(
    driver: Driver, size: tuple[int, int], text: float, at_least: float, at_most: float
) -> None:
    driver.desktop.settings = driver.desktop.settings.with_value("text", text)
    driver.desktop.pixels, driver.desktop.scale = size, 1.0
    assert at_least <= driver.desktop._text_size() <= at_most


def test_the_yellow_team_is_called_yellow(driver: Driver) -> None:
    try:
        driver.desktop.set_settings(driver.desktop.settings.with_value("palette", "blue-yellow"))
        pair(driver)
        assert "Yellow 1" in driver.said()
        assert "Red\n" not in driver.said()
        assert "Red 1" not in driver.said()
    finally:
        palettes.call_seats(palettes.STANDARD)


# ---- cards ---------------------------------------------------------------------------------------------------------
PIXELS = encoded(np.zeros((4, 4, 3), np.uint8))


def test_a_card_gives_its_scene_back_and_is_saved_as_a_scene_of_its_own(driver: Driver, tmp_path: Path) -> None:
    file = load_scene(Path(__file__).parents[2] / "killzones" / "examples" / "two-features.yaml")
    card = tmp_path / "card.png"
    card.write_bytes(with_text(PIXELS, SCENE, dump_scene(file)))
    driver.press("rule")
    driver.key("control", "o")
    driver.type(str(card))
    driver.press("confirm")
    assert [one.id for one in driver.model.scene.operatives] == ["a", "b"]
    before = card.read_bytes()
    driver.model.select("a")
    driver.key("o")
    driver.key("control", "s")
    driver.press("confirm")
    assert card.read_bytes() == before, "the picture is left alone"
    assert load_scene(tmp_path / "data" / "ktsim" / "scenes" / "card.yaml").scene.operative("a").order == "conceal"


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (PIXELS, "is a picture without a scene"),
        (PIXELS[:-20], "is damaged"),
        (b"GIF89a", "is not a PNG picture"),
        (with_text(PIXELS, SCENE, "a" * 2_000_000), "more than 1 MB"),
        (with_text(PIXELS, SCENE, "ktsim: scene/1\n"), "edition"),
        (with_text(PIXELS, SCENE, "a: &x [*x, *x]"), "anchor"),
        (PIXELS + b"\0" * 33_000_000, "at most 32 MB"),
    ],
)
def test_a_picture_that_carries_nothing_good_is_said_at_once(tmp_path: Path, data: bytes, says: str) -> None:
    card = tmp_path / "card.png"
    card.write_bytes(data)
    started = time.process_time()
    with pytest.raises(UserError) as problem:
        load_scene(card)
    assert time.process_time() - started < 2
    assert any(says in str(each) for each in problem.value.problems)
    assert all("card.png" in each.place for each in problem.value.problems)
