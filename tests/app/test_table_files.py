"""Keeping the ruling table: names, the list of scenes, cards, and work nobody saved."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from desktop_driver import Driver, driver, engine, pair

from ktsim import paths
from ktsim.app.ruling.state import KeptTable, new_file
from ktsim.app.screens.files import FileDialog, folder_for, scenes_folder
from ktsim.killzones.scene_file import load_scene

__all__ = ["driver", "engine"]


def retyped(driver: Driver, text: str) -> None:
    driver.key("control", "a")
    driver.type(text)


def test_a_bare_name_goes_to_the_scenes_folder_and_opens_from_there(driver: Driver) -> None:
    pair(driver)
    driver.key("control", "s")
    assert driver.desktop.top.dialog.path == "table", "no more than its name"  # type: ignore[attr-defined]
    retyped(driver, "my dispute")
    driver.press("confirm")
    path = scenes_folder() / "my dispute.yaml"
    assert load_scene(path).scene.operatives == driver.model.scene.operatives
    assert str(path) in driver.said()
    before = driver.model.scene.operatives
    driver.model.move("Blue 1", 4, 4, 0.0)
    driver.key("control", "o")
    driver.type("My Dispute")
    driver.key("enter")
    assert driver.desktop.top is driver.table
    assert driver.model.scene.operatives == before


def test_the_newest_scene_is_first_and_what_is_typed_filters(driver: Driver) -> None:
    pair(driver)
    for number, name in enumerate(("older", "newest", "oldest")):
        path = scenes_folder() / f"{name}.yaml"
        path.parent.mkdir(parents=True, exist_ok=True)
        driver.model.save(path)
        os.utime(path, (100 * (1 + number % 3), {"oldest": 100, "older": 200, "newest": 300}[name]))
    dialog = FileDialog.asking("open", scenes_folder() / "table.yaml")
    assert [file.path.stem for file in dialog.offered[:3]] == ["newest", "older", "oldest"]
    assert "2 operatives" in dialog.offered[0].words
    dialog.path = "hatch gallow"
    assert {"gallowdark-hatch-open", "gallowdark-hatch-closed"} <= {file.path.stem for file in dialog.shown}
    assert all("hatch" in f"{file.path.stem} {file.words}".casefold() for file in dialog.shown)
    assert len(dialog.shown) < len(dialog.offered)
    driver.key("control", "o")
    driver.type("oldest")
    assert [name for name in driver.desktop.ui.rects if name.startswith("file-")] == ["file-oldest.yaml"]


@pytest.mark.parametrize("typed", ["./x.yaml", "sub/x.yaml", "/somewhere/x.yaml"])
def test_a_path_is_taken_as_it_is(typed: str, driver: Driver) -> None:
    assert FileDialog("save", typed).named == Path(typed)


def test_cards_go_among_the_pictures_where_there_is_such_a_folder(driver: Driver, tmp_path: Path) -> None:
    assert folder_for("export") == scenes_folder()
    (tmp_path / "pictures").mkdir()
    assert paths.pictures() == tmp_path / "pictures"
    assert FileDialog("export", "my card").named == tmp_path / "pictures" / "my card.png"
    assert FileDialog("save", "game 1.2").named == scenes_folder() / "game 1.2.yaml"
    assert FileDialog("save", "my card").named == scenes_folder() / "my card.yaml"


# ---- work that nobody saved -------------------------------------------------------------------------------------
def attended(driver: Driver, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(KeptTable, "PAUSE", 0.0)
    driver.desktop.attend()
    driver.settle()


def test_what_is_not_saved_is_kept_at_every_step_and_listed_first(
    driver: Driver, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = scenes_folder() / KeptTable.NAME
    pair(driver)
    attended(driver, monkeypatch)
    assert load_scene(kept).scene.operatives == driver.model.scene.operatives
    driver.model.move("Blue 1", 5, 5, 0.0)
    attended(driver, monkeypatch)
    assert load_scene(kept).scene.operatives == driver.model.scene.operatives
    driver.model.undo()
    attended(driver, monkeypatch)
    before = driver.model.scene.operatives
    assert load_scene(kept).scene.operatives == before
    assert FileDialog.asking("open", kept).offered[0].title == "Unsaved table"

    driver.key("control", "o")
    driver.press(f"file-{KeptTable.NAME}")
    assert driver.model.scene.operatives == before
    driver.key("control", "s")
    assert KeptTable.NAME not in driver.desktop.top.dialog.path  # type: ignore[attr-defined]
    retyped(driver, "kept")
    driver.press("confirm")
    assert load_scene(scenes_folder() / "kept.yaml").scene.operatives == before
    assert not kept.exists(), "it is saved now"


def test_another_killzone_sets_what_lay_there_aside(driver: Driver, monkeypatch: pytest.MonkeyPatch) -> None:
    pair(driver)
    attended(driver, monkeypatch)
    driver.model.move("Blue 1", 5, 5, 0.0)
    before = driver.model.scene.operatives
    driver.desktop.open_table(new_file(None))
    driver.settle()
    assert load_scene(scenes_folder() / KeptTable.BEFORE).scene.operatives == before
    assert driver.table.model.undo_name == "new table"
    driver.key("control", "z")
    assert driver.model.scene.operatives == before


def test_closing_the_window_keeps_the_last_step(driver: Driver, monkeypatch: pytest.MonkeyPatch) -> None:
    pair(driver)
    driver.desktop.attend()
    monkeypatch.setattr(KeptTable, "PAUSE", 60.0)
    driver.model.move("Blue 1", 5, 6, 0.0)
    driver.desktop.attend()
    after = driver.model.scene.operatives
    assert load_scene(scenes_folder() / KeptTable.NAME).scene.operatives == after, "another step waits for nothing"
    driver.model.move("Blue 1", 5, 5, 0.0)
    driver.desktop.attend()
    before = driver.model.scene.operatives
    assert load_scene(scenes_folder() / KeptTable.NAME).scene.operatives != before
    driver.table.close()
    driver.desktop.table = None
    assert load_scene(scenes_folder() / KeptTable.NAME).scene.operatives == before
