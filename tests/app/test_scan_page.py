"""The page on which a scan becomes a piece, and files that are none."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from desktop_driver import Driver, driver, engine

from ktsim.app.ruling import scan_page
from ktsim.app.ruling.scan_page import ScanScreen
from ktsim.app.ruling.state import new_file
from ktsim.app.ui.rect import Rect
from ktsim.geometry.solids import box, welded
from ktsim.killzones.loose_pieces import loose_pieces
from ktsim.killzones.scans import Box, ScanDraft
from ktsim.killzones.scene_pieces import pieces_of

__all__ = ["driver", "engine"]


def page_of(driver: Driver) -> ScanScreen:
    page = driver.desktop.top
    assert isinstance(page, ScanScreen)
    return page


def read(driver: Driver) -> ScanScreen:
    """The page, when nothing goes on beside it any more."""
    page = page_of(driver)
    for _ in range(1000):
        driver.desktop.attend()
        driver.desktop.frame()
        if page.is_at_rest:
            driver.settle()
            return page
        time.sleep(0.02)
    raise AssertionError("it never came to rest")


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
    read(driver)
    assert '3.94" high' in driver.said()
    driver.press("scan-up-z")
    driver.press("scan-add")
    assert page.draft.parts[1].box is not None
    typed(driver, "scan-box-1-0-2", "2.5")
    assert page.draft.parts[1].box[0][2] == 2.5
    read(driver)
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
    for _ in range(1000):
        driver.desktop.attend()
        if driver.desktop.top is driver.table:
            break
        time.sleep(0.02)
    driver.settle()
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


def test_boxes_are_dragged_by_edges_corners_and_whole_and_cut_when_let_go(driver: Driver, tmp_path: Path) -> None:
    path = tmp_path / "block.stl"
    welded(box((0, 0, 0), (100, 50, 80))).export(path)
    driver.desktop.open_table(new_file(None))
    driver.settle()
    driver.table.scan(path)
    page = read(driver)
    driver.press("scan-add")
    read(driver)

    def place(view: int) -> Rect:
        return driver.desktop.ui.rects[f"scan-box-1-in-{view}"]

    def box_now() -> Box:
        assert page.draft is not None
        found = page.draft.parts[1].box
        assert found is not None
        return found

    first = box_now()
    (ax, ay, az), (bx, by, bz) = first
    scale = place(1).w / (bx - ax)
    seen = place(1)  # from the front: x to the right, z upwards
    driver.drag((seen.x + seen.w / 2, seen.bottom), (seen.x + seen.w / 2, seen.bottom - 0.5 * scale))
    assert box_now()[0] == pytest.approx((ax, ay, az + 0.5), abs=0.03)
    assert box_now()[1] == (bx, by, bz), "only the edge that is held moves"
    assert not page.is_at_rest
    read(driver)
    assert page.cut is not None
    assert page.cut.made.parts[1][..., 2].min() == pytest.approx(box_now()[0][2])
    seen = place(0)  # from above: a corner
    scale = seen.w / (bx - ax)
    driver.drag((seen.right, seen.y), (seen.right - scale, seen.y + 0.4 * scale))
    assert box_now()[1] == pytest.approx((bx - 1, by - 0.4, bz), abs=0.03)
    before, seen = box_now(), place(0)
    middle = (seen.x + seen.w / 2, seen.y + seen.h / 2)
    driver.drag(middle, (middle[0] + 0.6 * scale, middle[1]))
    for old, new in zip(before, box_now(), strict=True):
        assert new == pytest.approx((old[0] + 0.6, old[1], old[2]), abs=0.03), "the whole box"
    seen = place(0)
    driver.drag((seen.right, seen.y + seen.h / 2), (seen.x - 3 * scale, seen.y + seen.h / 2))
    assert box_now()[1][0] > box_now()[0][0], "never inside out"
    read(driver)


def test_reading_and_cutting_are_stopped_and_the_boxes_are_where_they_were(
    driver: Driver, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "block.stl"
    welded(box((0, 0, 0), (100, 50, 80))).export(path)
    driver.desktop.open_table(new_file(None))
    driver.settle()
    driver.table.scan(path)
    page = page_of(driver)
    monkeypatch.setattr(scan_page, "AT_ONCE", 0.0)
    time.sleep(0.01)
    driver.desktop.frame()
    assert "Reading the mesh" in driver.said()
    driver.press("scan-stop")
    assert page.is_at_rest
    assert page.draft is None
    page.load(path)
    before = read(driver).draft

    def endless(draft: ScanDraft) -> Iterator[float]:
        while True:
            yield 0.4
            time.sleep(0.005)

    monkeypatch.setattr(scan_page, "cutting", endless)
    driver.press("scan-add")
    for _ in range(20):
        driver.desktop.attend()
        driver.desktop.frame()
        time.sleep(0.01)
    assert "Cutting ..." in driver.said()
    driver.press("scan-save")
    assert page.doing == "cut", "what is not cut is not saved"
    driver.key("escape")
    assert page_of(driver) is page
    assert page.draft is before
    assert page.is_at_rest
    driver.key("escape")
    assert driver.desktop.top is driver.table
