"""Plans of the scenes that can be opened, and cards on the clipboard."""

from __future__ import annotations

import os
import stat
import sys
import time
from pathlib import Path

import pytest
from desktop_driver import Driver, driver, engine, pair

from ktsim import paths
from ktsim.app.screens.files import scenes_folder
from ktsim.app.screens.thumbnails import plan_of
from ktsim.app.ui import clipboard
from ktsim.content.png_text import SCENE, text_of
from ktsim.killzones.scene_file import load_scene

__all__ = ["driver", "engine"]


def test_a_plan_has_the_board_the_terrain_and_everybody(tmp_path: Path) -> None:
    path = paths.killzones() / "examples" / "gallowdark-hatch-open.yaml"
    plan, scene = plan_of(path), load_scene(path).scene
    assert plan is not None
    assert plan.board == scene.terrain.board
    assert len(plan.people) == len(scene.operatives)
    assert len(plan.outlines) >= len([one for one in scene.terrain.features if one.kind == "wall"])
    for text in ("no scene", "features: [{mesh: huge.stl}]"):
        (tmp_path / "x.yaml").write_text(text)
        assert plan_of(tmp_path / "x.yaml") is None
    assert plan_of(tmp_path / "nothing.yaml") is None


def test_scenes_are_offered_with_their_plans_newest_first(driver: Driver) -> None:
    pair(driver)
    for name, age in (("older", 20), ("newer", 10)):
        scenes_folder().mkdir(parents=True, exist_ok=True)
        driver.model.save(scenes_folder() / f"{name}.yaml")
        os.utime(scenes_folder() / f"{name}.yaml", (time.time() - age,) * 2)
    driver.key("control", "o")
    dialog = driver.desktop.top.dialog  # type: ignore[attr-defined]
    assert [file.path.stem for file in dialog.offered[:2]] == ["newer", "older"]
    assert dialog.plans.of(scenes_folder() / "newer.yaml") is not None
    assert not dialog.plans.is_missing, "all that are seen are drawn"
    driver.key("escape")


def finished(driver: Driver) -> None:
    for _ in range(600):
        driver.desktop.attend()
        if driver.table.files.card is None:
            driver.settle()
            return
        time.sleep(0.05)
    raise AssertionError("no card was drawn")


@pytest.mark.skipif(sys.platform == "win32", reason="the tool is a script")
def test_the_card_is_copied_as_a_picture_or_kept_among_the_pictures(
    driver: Driver, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tools, taken = tmp_path / "tools", tmp_path / "taken.png"
    tools.mkdir()
    (tools / "wl-copy").write_text(f'#!/bin/sh\n[ "$1 $2" = "--type image/png" ] && exec /bin/cat > "{taken}"\n')
    (tools / "wl-copy").chmod(stat.S_IRWXU)
    pair(driver)
    (tmp_path / "pictures").mkdir()
    monkeypatch.setattr(clipboard.shutil, "which", lambda name: name if name == "wl-copy" else None)
    monkeypatch.setenv("PATH", str(tools))
    driver.press("export")
    driver.press("copy-picture")
    assert "Drawing the card" in driver.said()
    finished(driver)
    assert "on the clipboard" in driver.said()
    assert "Blue 1" in (text_of(taken.read_bytes(), SCENE) or "")
    assert not list((tmp_path / "pictures").iterdir())
    monkeypatch.setattr(clipboard.shutil, "which", lambda name: None)
    driver.key("control", "shift", "c")
    finished(driver)
    assert "No tool for pictures" in driver.said()
    assert len(list((tmp_path / "pictures").glob("*.png"))) == 1
