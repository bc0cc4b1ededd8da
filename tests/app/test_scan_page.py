"""The page on which a scan becomes a piece, and files that are none."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from desktop_driver import Driver, driver, engine

from ktsim.app.ruling.scan_page import ScanScreen
from ktsim.app.ruling.state import new_file
from ktsim.geometry.solids import box, welded
from ktsim.killzones.loose_pieces import loose_pieces
from ktsim.killzones.scene_pieces import pieces_of

__all__ = ["driver", "engine"]


def page_of(driver: Driver) -> ScanScreen:
    page = driver.desktop.top
    assert isinstance(page, ScanScreen)
    return page


def read(driver: Driver) -> ScanScreen:
    page = page_of(driver)
    for _ in range(500):
        driver.desktop.attend()
        driver.desktop.frame()
        if page.job is None:
            driver.settle()
            return page
        time.sleep(0.02)
    raise AssertionError("the mesh was never read")


def typed(driver: Driver, field: str, text: str) -> None:
    driver.press(field)
    driver.key("control", "a")
    driver.type(text)
    driver.key("enter")


def test_a_scan_is_loaded_cut_named_saved_and_put_down(driver: Driver, tmp_path: Path) -> None:
    path = tmp_path / "Old Tower.stl"
    welded(box((0, 0, 0), (100, 50, 80))).export(path)
    driver.desktop.open_table(new_file(None))
    driver.settle()
    driver.press("tray")
    driver.press("scan")
    typed(driver, "scan-path", str(path))
    page = read(driver)
    assert page.draft is not None
    assert page.draft.name == "old-tower"
    assert '3.94" long, 1.97" wide, 3.15" high' in driver.said()
    driver.press("scan-up-x")
    assert '3.94" high' in driver.said()
    driver.press("scan-up-z")
    driver.press("scan-add")
    assert page.draft.parts[1].box is not None
    typed(driver, "scan-box-1-0-2", "2.5")
    assert page.draft.parts[1].box[0][2] == 2.5
    driver.press("scan-trait-heavy")
    driver.press("scan-trait-vantage")
    assert "ruled by its surface" in driver.said()
    typed(driver, "scan-part-name-1", "roof")
    typed(driver, "scan-name", "Bad Name")
    assert "small letters" in driver.said()
    driver.press("scan-save")
    assert page_of(driver) is page, "it cannot be saved so"
    typed(driver, "scan-name", "tower")
    driver.press("scan-save")
    assert driver.desktop.top is driver.table
    assert "tower" in loose_pieces()
    driver.key("t")
    driver.click_table(15, 11)
    assert [piece.piece for piece in pieces_of(driver.model.state.file)] == ["tower"]
    (feature,) = driver.model.scene.terrain.features
    assert {part.name: sorted(part.traits) for part in feature.parts} == {"body": ["heavy"], "roof": ["vantage"]}
    driver.key("control", "z")
    assert not pieces_of(driver.model.state.file)


@pytest.mark.parametrize(
    ("name", "data", "said"),
    [
        ("x.stl", b"solid nothing" + b"\xff" * 5000, "x.stl"),
        ("x.ply", b"ply\nformat ascii 1.0\nelement vertex 99999999\nend_header\n", "x.ply"),
        ("x.obj", b"v 0 0 0\nv 1 0 0\nv nan 1 0\nf 1 2 3\n", "x.obj"),
        ("x.exe", b"MZ", "is not a mesh file"),
        ("far.obj", b"v 0 0 0\nv 1e30 0 0\nv 0 1e30 0\nf 1 2 3\n", "is its unit inch?"),
    ],
)
def test_what_is_no_mesh_is_said_at_once_and_the_window_stays(
    driver: Driver, tmp_path: Path, name: str, data: bytes, said: str
) -> None:
    (tmp_path / name).write_bytes(data)
    driver.desktop.open_table(new_file(None))
    driver.settle()
    driver.table.scan(tmp_path / name)
    driver.desktop.frame()
    page = read(driver)
    assert page.draft is None
    assert said in driver.said()
    driver.key("escape")
    assert driver.desktop.top is driver.table
