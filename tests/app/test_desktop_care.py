"""What the ruling table does not lose and does not hide: files, the clipboard, the figure under a handle, the view."""

from __future__ import annotations

import math
import sys
from pathlib import Path
from typing import Any

import pytest
from desktop_driver import Driver, driver, engine, pair
from play_driver import asking, show

from ktsim.app.ruling import verdict
from ktsim.app.ruling.state import new_file
from ktsim.app.shell import desktop
from ktsim.app.ui import clipboard
from ktsim.killzones.scene_file import load_scene
from ktsim.rules.engine.battle import Battle
from ktsim.rules.engine.decisions import Option, Steps, pick

__all__ = ["driver", "engine"]


def letters(battle: Battle) -> Steps[Any]:
    return (yield from pick("red", "letter", "Which letter?", [Option("a", "First")], {"a": "a"}))


def scenes(tmp_path: Path) -> Path:
    return tmp_path / "data" / "ktsim" / "scenes"


def test_saving_another_table_does_not_replace_the_first(driver: Driver, tmp_path: Path) -> None:
    pair(driver)
    driver.key("control", "s")
    driver.key("enter")
    first = scenes(tmp_path) / "table.yaml"
    before = first.read_bytes()
    driver.key("control", "s")  # its own file is written again without a question
    driver.key("enter")
    assert driver.desktop.top is driver.table

    driver.key("control", "n")
    driver.press("killzone--")
    driver.press("place-blue")
    driver.click_table(15, 11)
    driver.key("control", "s")
    driver.key("enter")
    assert first.read_bytes() == before
    assert len(load_scene(scenes(tmp_path) / "table-2.yaml").scene.operatives) == 1


def test_doubts_about_a_scene_are_told_where_it_is_opened(driver: Driver, tmp_path: Path) -> None:
    (tmp_path / "scan.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 4\nf 2 3 4\nf 3 1 4\n")
    part = "{id: top, traits: [light], mesh: scan.obj, unit: inch}"
    scene = f"ktsim: scene/1\nedition: kt24\noperatives: []\nfeatures:\n  - {{id: heap, parts: [{part}]}}\n"
    (tmp_path / "scene.yaml").write_text(scene)
    driver.desktop.open_table(load_scene(tmp_path / "scene.yaml"))
    assert "the part 'heap/top' is open" in driver.desktop.notice
    (tmp_path / "plain.yaml").write_text(scene.split("features")[0])
    driver.desktop.say("")
    driver.desktop.open_table(load_scene(tmp_path / "plain.yaml"))
    assert driver.desktop.notice == ""


def test_a_file_is_only_replaced_when_asked_for_once_more(driver: Driver, tmp_path: Path) -> None:
    pair(driver)
    other = scenes(tmp_path) / "other.yaml"
    other.parent.mkdir(parents=True)
    other.write_text("mine")
    driver.key("control", "s")
    driver.key("control", "a")
    driver.type(str(other.with_suffix("")))
    driver.press("confirm")
    assert other.read_text() == "mine"
    assert "other.yaml is there already" in driver.said()
    assert "Replace" in driver.said()
    driver.type("x")
    assert "Replace" not in driver.said()  # another name is another question
    driver.key("backspace")
    driver.press("confirm")
    assert other.read_text() == "mine"
    driver.press("confirm")
    assert len(load_scene(other).scene.operatives) == 2


@pytest.mark.parametrize("tool", ["there", "broken", "missing"])
def test_copying_says_what_happened(driver: Driver, monkeypatch: pytest.MonkeyPatch, tool: str) -> None:
    pair(driver)
    code = f"import sys; sys.stdin.read(); sys.exit({int(tool != 'there')})"
    command = (sys.executable, "-c", code)
    monkeypatch.setattr(clipboard, "_TOOLS", () if tool == "missing" else ((command, command),))
    driver.press("copy")
    is_said = "is on the clipboard" in driver.said()
    assert is_said == (tool == "there")
    assert ("package xclip" in driver.said()) == (tool != "there")
    assert "Blue 1" in clipboard._own


def test_a_figure_seen_from_afar_is_taken_by_its_middle(driver: Driver) -> None:
    pair(driver)
    driver.key("home")
    driver.settle()
    blue = driver.model.scene.operative("Blue 1")
    assert driver.picture.size_of(blue) < 15
    driver.drag(driver.pixel_of(blue.x, blue.y, blue.level), driver.pixel_of(blue.x, blue.y - 3, blue.level), steps=4)
    assert driver.model.origin is None
    assert driver.model.scene.operative("Blue 1").y == pytest.approx(blue.y - 3, abs=0.5)

    driver.key("escape")
    driver.model.select("Blue 1")
    driver.key("f")
    driver.settle()
    assert driver.view.ruling is not None
    assert driver.view.ruling.origin is not None
    start = driver.pixel_of(*driver.view.ruling.origin)
    driver.drag(start, (start[0] - 30, start[1]), steps=4)
    assert driver.model.origin is not None  # from near by there is room for both


def test_the_first_ruling_is_seen_from_near_by_and_home_goes_back(driver: Driver) -> None:
    driver.press("killzones")
    driver.press("killzone--")
    home = driver.picture.camera.goal
    driver.press("place-blue")
    driver.click_table(4, 4)
    assert driver.picture.camera.goal == home
    driver.press("place-red")
    driver.click_table(9, 4)
    assert driver.model.ruling is not None
    near = driver.picture.camera.goal
    assert near.distance < home.distance
    assert math.dist(near.focus, (6.5, 4)) < 3
    driver.key("home")
    assert driver.picture.camera.goal == home
    driver.press("order-conceal")
    driver.settle()
    assert driver.picture.camera.goal == home  # only the first


def test_a_camera_that_was_moved_stays(driver: Driver) -> None:
    driver.press("killzones")
    driver.press("killzone--")
    driver.press("place-blue")
    driver.click_table(4, 4)
    driver.press("place-red")
    driver.key("-")
    before = driver.picture.camera.goal
    driver.click_table(9, 4)
    assert driver.model.ruling is not None
    assert driver.picture.camera.goal == before


def test_preparing_the_engine_shows_how_far_it_has_got(driver: Driver) -> None:
    driver.desktop.may_rule = lambda: False
    driver.desktop.preparing = lambda: (2, 5)
    pair(driver)
    assert "Preparing the sight engine, once only: 2 of 5" in driver.said()
    assert verdict.PREPARING in " ".join(driver.said().split("\n"))
    show(driver, asking(letters, clock=driver.desktop.clock))
    assert "Preparing the engine: 2 of 5" in driver.said()


def test_the_window_lives_while_a_table_is_laid(driver: Driver, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every step is followed by a frame that says how far it is, over the panels as they were."""
    monkeypatch.setattr(desktop, "PAUSE", -1.0)
    shell, frames = driver.desktop, []
    put_up = shell._put_up

    def watched() -> None:
        put_up()
        panels = shell.backend.root.find_all_matches("command").get_num_paths()
        frames.append(("Loading Volkus 1 ..." in shell.ui.said, panels))

    monkeypatch.setattr(shell, "_put_up", watched)
    shell.load("Volkus 1", lambda: shell.open_table(new_file("volkus-1")))
    shell.frame()
    assert len(frames) > 10
    assert all(said and panels > 1 for said, panels in frames)
    del frames[:]
    shell.frame()
    assert not shell.backend.root.find_all_matches("over").get_num_paths()
    assert [said for said, _ in frames] == [False]
