"""The desktop without a window: widgets pressed by name where they stand, operatives dragged, rulings compared."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from desktop_driver import Driver, driver, engine, pair

from ktsim import paths
from ktsim.app.ruling.screen import lay_out
from ktsim.app.shell.window import scale_for
from ktsim.app.ui import clipboard
from ktsim.killzones.scene_file import load_scene
from ktsim.sight.part_names import readable

__all__ = ["driver", "engine"]


def test_from_the_start_to_a_ruling_and_back(driver: Driver, tmp_path: Path) -> None:
    pair(driver)
    assert driver.clicks <= 15
    assert "VALID TARGET" in driver.said()
    blue, red = driver.model.scene.operatives
    assert (blue.team, red.team) == ("blue", "red")
    assert (blue.x, blue.y) == pytest.approx((8, 11), abs=0.05)
    assert red.x == pytest.approx(22, abs=0.05)

    before = driver.model.ruling
    assert before is not None
    assert before.valid_target
    driver.drag(driver.pixel_of(red.x, red.y, 0.15), driver.pixel_of(18, 7, 0.15), steps=4)
    moved = driver.model.scene.operative(red.id)
    assert (moved.x, moved.y) == pytest.approx((18, 7), abs=0.2)
    after = driver.model.ruling
    assert after is not None
    assert after.distance < before.distance
    assert f'{after.distance:.2f}"' in driver.said()

    driver.press("order-conceal")
    assert driver.model.scene.operative(red.id).order == "conceal"
    assert "Conceal order" in driver.said() or driver.model.ruling is not after

    driver.press("save")
    path = tmp_path / "data" / "ktsim" / "scenes" / "table.yaml"
    driver.press("confirm")
    file = load_scene(path)
    assert file.scene.operative(red.id).order == "conceal"
    assert file.pairs == ((blue.id, red.id),)

    driver.key("control", "z")
    assert driver.model.scene.operative(red.id).order == "engage"
    driver.press("undo")
    assert driver.model.scene.operative(red.id) == red
    driver.key("control", "shift", "z")
    assert driver.model.scene.operative(red.id) == moved
    driver.press("redo")
    assert driver.model.scene.operative(red.id).order == "conceal"

    for _ in range(3):
        driver.key("escape")
    assert driver.desktop.top.name == "start"
    driver.press("quit")
    assert driver.desktop.wants_to_quit


@pytest.mark.parametrize("frames", [0, 1, 2, 3])
def test_enter_saves_however_soon_after_the_dialog_opens(driver: Driver, tmp_path: Path, frames: int) -> None:
    pair(driver)
    for down in (True, False):
        driver.desktop.press("control", down)
        driver.desktop.press("s", down)
    for _ in range(frames):
        driver.desktop.frame()
    driver.key("enter")
    assert (tmp_path / "data" / "ktsim" / "scenes" / "table.yaml").exists()
    assert not driver.desktop.top.is_dialog
    assert driver.desktop.notice.startswith("Saved in")


def test_keys_turn_swap_change_the_edition_and_copy(driver: Driver, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clipboard, "_TOOLS", ())
    pair(driver)
    driver.press("row-Blue 1")
    driver.key("q")
    assert driver.model.scene.operative("Blue 1").turn == 15
    driver.key("x")
    assert driver.model.state.shooter == "Red 1"
    driver.press("edition-kt21-lite")
    assert driver.model.edition == "kt21-lite"
    driver.press("copy")
    assert driver.model.ruling is not None
    assert clipboard.paste() == readable(driver.model.ruling.as_text(), driver.model.scene.terrain)
    driver.key("delete")
    assert driver.model.ruling is None
    assert "Take Blue, then click the table where it stands" in driver.said()


def test_the_camera_is_never_under_the_floor_and_zooms_to_the_pointer(driver: Driver) -> None:
    pair(driver)
    middle = driver.table.layout.middle
    at = (middle.x + middle.w * 0.7, middle.y + middle.h * 0.6)
    for way in (-400, 400):
        driver.drag(at, (at[0] + 30, at[1] + way), "mouse3")
        assert driver.picture.pose().eye[2] > 0
    driver.key("home")
    home = driver.picture.pose()
    spot = driver.picture.under(at)
    assert spot is not None
    driver.point(*at)
    for _ in range(3):
        driver.button(True, "wheel_up")
    driver.settle()
    assert driver.picture.pose().eye[2] < home.eye[2]
    assert driver.pixel_of(*spot.point) == pytest.approx(at, abs=0.5)
    driver.key("t")
    assert driver.picture.pose().forward[2] == pytest.approx(-1)
    driver.press("row-Blue 1")
    driver.key("e")
    blue = driver.model.scene.operative("Blue 1")
    assert driver.picture.pose().eye[:2] == pytest.approx((blue.x, blue.y), abs=0.3)
    driver.key("escape")
    assert driver.picture.eye is None
    assert driver.model.selected is not None


def test_a_resting_desktop_draws_no_table(driver: Driver) -> None:
    pair(driver)
    drawn = driver.picture.pictures
    driver.point(5, 5)
    driver.settle()
    assert driver.picture.pictures == drawn
    driver.key("home")
    driver.key("t")
    assert driver.picture.pictures > drawn


def test_the_desktop_rests_only_when_all_input_was_taken_in(driver: Driver) -> None:
    """Somebody types quickly while a frame is being drawn: all of it arrives at once."""
    for _ in range(4):
        for is_down in (True, False):
            driver.desktop.press("f5", is_down)
    driver.desktop.frame()
    assert driver.desktop.backend.is_behind
    driver.settle()
    assert not driver.desktop.backend.is_behind


def test_a_bad_file_is_told_of_in_the_dialog(driver: Driver, tmp_path: Path) -> None:
    bad = tmp_path / "bad.yaml"
    bad.write_text("ktsim: scene/1\nedition: kt99\noperatives: []\n")
    driver.press("open")
    driver.type(str(bad))
    driver.press("confirm")
    assert driver.desktop.top.name == "open"
    assert "kt99" in driver.said()
    driver.key("escape")
    assert driver.desktop.top.name == "start"
    assert driver.desktop.top.name == "start"


def test_a_scene_is_opened_from_the_list(driver: Driver) -> None:
    driver.press("open")
    driver.press("file-barred-at-the-window.yaml")
    assert driver.desktop.top is driver.table
    found = driver.model.ruling
    assert found is not None
    assert readable(found.headline, found.scene.terrain) in driver.said()


def test_a_hatchway_is_toggled_by_a_click_and_the_ruling_follows(driver: Driver) -> None:
    driver.desktop.open_table(load_scene(paths.killzones() / "examples" / "hatch-open.yaml"))
    driver.settle()
    model = driver.model
    assert model.scene.states == {"h1": "open"}
    before = model.ruling
    leaf = next(part for part in model.scene.parts() if part.key == "h1/hatch")
    driver.click_table(*leaf.triangles.reshape(-1, 3).mean(axis=0))
    assert model.scene.states == {"h1": "closed"}
    found = model.ruling
    assert found is not None
    assert found is not before
    assert readable(found.headline, found.scene.terrain) in driver.said()
    driver.key("control", "z")
    assert model.scene.states == {"h1": "open"}


def test_an_operative_is_put_on_a_vantage_level(driver: Driver) -> None:
    driver.desktop.open_table(load_scene(paths.killzones() / "examples" / "vantage-accurate-1.yaml"))
    driver.settle()
    floor = next(part for part in driver.model.scene.parts() if "vantage" in part.traits)
    driver.key("t")
    low, high = floor.triangles.min(axis=(0, 1)), floor.triangles.max(axis=(0, 1))
    driver.press("place-blue")
    driver.click_table(low[0] + 0.3 * (high[0] - low[0]), low[1] + 0.2 * (high[1] - low[1]), floor.top)
    added = driver.model.selected
    assert added is not None
    assert added.level == pytest.approx(floor.top)
    driver.drag(driver.pixel_of(added.x, added.y, added.level + 0.15), driver.pixel_of(15, 20))
    assert driver.model.scene.operative(added.id).level == 0


def test_nobody_is_put_on_a_wall(driver: Driver) -> None:
    driver.desktop.open_table(load_scene(paths.killzones() / "examples" / "hatch-open.yaml"))
    driver.settle()
    driver.key("t")
    count = len(driver.model.scene.operatives)
    wall = next(part for part in driver.model.scene.parts() if "wall" in part.traits)
    x, y, _ = wall.triangles.reshape(-1, 3).mean(axis=0)
    driver.press("place-red")
    driver.click_table(x, y, wall.top)
    assert len(driver.model.scene.operatives) == count
    assert "Nobody can stand there" in driver.said()
    assert driver.view.hands.carry is not None


def test_the_card_is_exported(driver: Driver, tmp_path: Path) -> None:
    driver.press("open")
    driver.press("file-barred-at-the-window.yaml")
    driver.press("export")
    driver.press("confirm")
    assert driver.table.files.card is not None
    for _ in range(1200):
        driver.desktop.attend()
        if driver.table.files.card is None:
            break
        time.sleep(0.1)
    card = tmp_path / "data" / "ktsim" / "scenes" / "barred-at-the-window.png"
    assert card.read_bytes().startswith(b"\x89PNG"), driver.desktop.notice
    driver.settle()
    assert str(card) in driver.said()


@pytest.mark.parametrize("size", [(1024, 640), (1280, 720), (2560, 1440)])
def test_panels_never_overlap(size: tuple[int, int]) -> None:
    layout = lay_out(size, 1.5 if size[0] > 2000 else 1.0)
    rects = [
        layout.bar,
        layout.tools,
        layout.verdict,
        layout.banner,
        layout.eye,
        layout.side,
        layout.strip,
        layout.middle,
    ]
    assert all(not a.overlaps(b) for i, a in enumerate(rects) for b in rects[i + 1 :])
    assert layout.middle.w > 300
    assert layout.middle.h > 150


@pytest.mark.parametrize(
    ("pixels", "zoom", "scale"),
    [((1280, 720), 1.0, 1.0), ((2560, 1440), 2.0, 2.0), ((1536, 960), 2.0, 1.5), ((512, 320), 1.0, 0.5)],
)
def test_the_interface_is_as_large_as_the_display_asks_and_the_window_allows(
    pixels: tuple[int, int], zoom: float, scale: float
) -> None:
    assert scale_for(pixels, zoom) == scale


def test_the_table_is_seen_beside_the_start_screen_at_any_size(driver: Driver) -> None:
    driver.desktop.lay_table()
    driver.settle()
    before = driver.pixels()
    assert before[:, before.shape[1] * 2 // 3 :].std() > 10
    driver.press("rule")
    driver.key("escape")  # puts away what is in hand
    driver.key("escape")
    driver.desktop.resize((640, 400), 0.5)
    driver.settle()
    assert driver.desktop.top.name == "start"
    assert driver.picture.frame.pixels == (640, 400)
    assert driver.picture.view.frames > 0
