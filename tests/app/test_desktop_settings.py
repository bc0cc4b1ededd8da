"""Settings: chosen in the window, kept in a file, and a damaged file is only told of."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from contrast import contrast
from desktop_driver import Driver, driver, engine, pair

from ktsim.app.shell.display import XScreen, density, text_size
from ktsim.app.shell.window import first_size
from ktsim.app.stage.overlays import TEAL, in_palette
from ktsim.app.ui import theme
from ktsim.app.ui.palettes import PALETTES, channels
from ktsim.app.ui.settings import Settings, load_settings, save_settings

__all__ = ["driver", "engine"]


def test_settings_are_kept(tmp_path: Path) -> None:
    path = tmp_path / "folder" / "settings.json"
    assert load_settings(path) == (Settings(), "")
    chosen = Settings("medium", 1.5, "blue-yellow", 0.5, True, False)
    save_settings(chosen, path)
    assert load_settings(path) == (chosen, "")
    assert os.listdir(path.parent) == ["settings.json"]


@pytest.mark.parametrize("damage", [b"", b"{", b"\xff\xfe\x00", b"[1, 2]", b"null", b"[" * 5000])
def test_a_damaged_file_is_left_alone_and_told_of(tmp_path: Path, damage: bytes) -> None:
    path = tmp_path / "settings.json"
    path.write_bytes(damage)
    found, said = load_settings(path)
    assert found == Settings()
    assert str(path) in said
    assert path.read_bytes() == damage


def test_a_pipe_or_a_folder_in_its_place_is_told_of_and_not_waited_for(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    os.mkfifo(path)
    assert load_settings(path)[1].startswith("The settings in")
    path.unlink()
    path.mkdir()
    assert load_settings(path)[1].startswith("The settings in")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("quality", "best"), ("quality", 1), ("quality", []), ("text", 7.0), ("text", "1.0"), ("text", True),
        ("palette", None), ("sensitivity", -1), ("invert", 1), ("motion", "no"),
    ],
)  # fmt: skip
def test_a_value_that_makes_no_sense_is_left_at_its_default(tmp_path: Path, name: str, value: object) -> None:
    path = tmp_path / "settings.json"
    path.write_text(json.dumps({"palette": "grey", name: value, "unknown": 3}))
    found, said = load_settings(path)
    assert getattr(found, name) == getattr(Settings(), name)
    assert name in said
    assert name == "palette" or found.palette == "grey"


def test_an_unreadable_folder_is_told_of_and_nothing_breaks(driver: Driver, tmp_path: Path) -> None:
    (tmp_path / "config").write_text("a file where the folder should be")
    driver.press("settings")
    driver.press("text-1.25")
    assert driver.desktop.settings.text == 1.25
    assert driver.desktop.notice


def test_what_is_chosen_holds_at_once_and_next_time(driver: Driver) -> None:
    driver.press("settings")
    assert driver.desktop.top.name == "settings"
    driver.press("palette-blue-yellow")
    assert PALETTES["blue-yellow"].yes == theme.ACCENT
    driver.press("sensitivity-2.0")
    driver.press("invert-True")
    driver.press("motion-False")
    driver.press("quality-medium")
    driver.press("quality-low")
    driver.press("done")
    assert driver.desktop.top.name == "start"
    wanted = Settings("low", 1.0, "blue-yellow", 2.0, True, False)
    assert load_settings() == (wanted, "")
    theme.use("standard")


def test_mouse_settings_turn_the_camera(driver: Driver) -> None:
    pair(driver)
    turned = []
    middle = driver.table.layout.middle
    at = (middle.x + middle.w / 2, middle.y + middle.h / 2)
    for settings in (Settings(), Settings(sensitivity=2.0), Settings(invert=True)):
        driver.desktop.set_settings(settings)
        driver.key("home")
        before = driver.picture.camera.stand
        driver.drag(at, (at[0] + 20, at[1] + 10), "mouse3")
        after = driver.picture.camera.stand
        turned.append((after.turn - before.turn, after.tilt - before.tilt))
    (turn, tilt), double, inverted = turned
    assert double == pytest.approx((2 * turn, 2 * tilt))
    assert inverted == pytest.approx((turn, -tilt))


def test_without_motion_the_camera_jumps(driver: Driver) -> None:
    pair(driver)
    driver.key("home")
    driver.desktop.press("t", True)
    driver.desktop.frame()
    assert driver.picture.is_moving
    assert driver.picture.pose().forward[2] > -1
    driver.desktop.press("t", False)
    driver.settle()
    assert driver.picture.pose().forward[2] == pytest.approx(-1)
    driver.desktop.set_settings(Settings(motion=False))
    driver.desktop.press("home", True)
    assert not driver.picture.is_moving
    assert driver.picture.pose().forward[2] > -1


@pytest.mark.parametrize("name", PALETTES)
def test_every_palette_reads_on_every_surface(name: str) -> None:
    """Whatever is written, on whatever it may be written on: at least 4.5 to 1; on what is filled as well."""
    palette = PALETTES[name]
    meanings = (palette.yes, palette.no, palette.blue, palette.red)
    for surface in (theme.INK, theme.PANEL, theme.RAISED, theme.HOVER):
        for colour in (theme.TEXT, theme.SOFT, theme.DIM, *meanings):
            assert contrast(colour, surface) >= 4.5, f"{colour} on {surface}"
    for colour in meanings:
        assert contrast(theme.INK, colour) >= 4.5
    assert contrast(theme.INK, palette.yes) >= 7.0
    assert in_palette(TEAL, palette)[:3] == channels(palette.yes)


def _seen(rgb: tuple[int, int, int], matrix: list[list[float]]) -> list[float]:
    linear = [(channel / 255) ** 2.2 for channel in rgb]
    return [min(max(sum(m * c for m, c in zip(row, linear, strict=True)), 0), 1) ** (1 / 2.2) for row in matrix]


@pytest.mark.parametrize(
    "matrix",
    [
        [[0.367, 0.861, -0.228], [0.280, 0.673, 0.047], [-0.012, 0.043, 0.969]],
        [[0.152, 1.053, -0.205], [0.115, 0.786, 0.099], [-0.004, -0.048, 1.052]],
    ],
    ids=["deuteranopia", "protanopia"],
)
def test_blue_and_yellow_differ_for_colour_blind_eyes(matrix: list[list[float]]) -> None:
    palette = PALETTES["blue-yellow"]
    pairs = [
        (channels(palette.yes), channels(palette.no)),
        (channels(palette.blue), channels(palette.red)),
        palette.paints,
    ]
    for one, two in pairs:
        apart = sum((a - b) ** 2 for a, b in zip(_seen(one, matrix), _seen(two, matrix), strict=True)) ** 0.5
        assert apart > 0.35


def test_text_grows_only_as_far_as_the_window_allows(driver: Driver) -> None:
    driver.press("settings")
    driver.press("text-2.0")
    assert driver.desktop.pen.size == 1.0
    driver.desktop.resize((1024, 640), 0.5)
    assert driver.desktop.pen.size == 2.0
    driver.settle()
    assert driver.desktop.ui.rects["done"].bottom < 1280


def test_the_about_page_names_every_licence(driver: Driver) -> None:
    driver.press("about")
    said = driver.said()
    for name in ("Panda3D", "Dear ImGui", "NumPy", "Numba", "PyYAML", "trimesh", "Inter", "not affiliated"):
        assert name in said
    driver.press("close")
    assert driver.desktop.top.name == "start"


@pytest.mark.parametrize(
    ("environ", "screen", "wanted"),
    [
        ({}, None, 1.0),
        ({}, XScreen("", 1920, 508), 1.0),
        ({}, XScreen("", 3840, 508), 2.0),
        ({}, XScreen("144", 3840, 508), 1.5),
        ({}, XScreen("144.0", 1920, 508), 1.5),
        ({"GDK_SCALE": "2"}, XScreen("96", 1920, 508), 2.0),
        ({"QT_SCALE_FACTOR": "1.25", "GDK_SCALE": "2"}, None, 1.25),
        ({"GDK_SCALE": "large"}, XScreen("192", 1920, 508), 2.0),
        ({"GDK_SCALE": "0"}, None, 1.0),
        ({"QT_SCALE_FACTOR": "nan"}, XScreen("inf", 1920, 508), 1.0),
        ({}, XScreen("", 1920, 0), 1.0),
        ({}, XScreen("9600", 1920, 10), 1.0),
    ],
)
def test_how_dense_the_display_is(environ: dict[str, str], screen: XScreen | None, wanted: float) -> None:
    assert density(environ, lambda: screen) == pytest.approx(wanted, rel=0.01)


@pytest.mark.parametrize(
    ("dense", "wanted"),
    [(0.5, 1.0), (0.9, 1.0), (1.0, 1.0), (1.1, 1.0), (1.2, 1.25), (1.5, 1.5), (2.0, 2.0), (4.0, 2.0)],
)
def test_the_text_size_to_begin_with(dense: float, wanted: float) -> None:
    assert text_size(dense) == wanted


def test_text_is_as_the_display_wants_until_somebody_sets_it(tmp_path: Path) -> None:
    path, dense = tmp_path / "settings.json", Settings(text=2.0)
    assert load_settings(path, dense) == (dense, "")
    save_settings(Settings(text=1.0), path)
    found, said = load_settings(path, dense)
    assert (found.text, said) == (1.0, "")
    path.write_text('{"motion": false}')
    assert load_settings(path, dense) == (Settings(text=2.0, motion=False), "")
    path.write_text('{"text": 17}')
    found, said = load_settings(path, dense)
    assert found.text == 2.0
    assert "text" in said


@pytest.mark.parametrize(
    ("text", "zoom", "display", "wanted"),
    [
        (1.0, 1.0, (1920, 1080), (1280, 720)),
        (1.5, 1.0, (2560, 1440), (1920, 1080)),
        (2.0, 1.0, (3840, 2160), (2560, 1440)),
        (2.0, 1.0, (1280, 800), (1280, 752)),
        (1.0, 2.0, (3840, 2160), (2560, 1440)),
        (0.8, 1.0, (1920, 1080), (1280, 720)),
    ],
)
def test_a_new_window_has_room_for_its_text(
    text: float, zoom: float, display: tuple[int, int], wanted: tuple[int, int]
) -> None:
    assert first_size(text, zoom, display) == wanted
