"""A photo of a real board under the ruling table: found by its corners, pieces and bases put where they are seen."""

from __future__ import annotations

import math
import os
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pytest
from board_photos import Lens, standing
from desktop_driver import Driver, driver, engine
from PIL import Image

from ktsim.app.ruling.model import TableModel
from ktsim.app.ruling.photo_page import PhotoScreen
from ktsim.app.ruling.state import new_file
from ktsim.app.stage.engine import Engine
from ktsim.app.ui import clipboard
from ktsim.app.ui.settings import Settings
from ktsim.killzones.footprints import foot_on_board
from ktsim.killzones.loose_pieces import LoosePiece
from ktsim.killzones.scene_file import SceneFile, load_scene
from ktsim.killzones.scene_pieces import pieces_of

__all__ = ["driver", "engine"]

LAYOUT = (
    *(("stronghold-a", 5, 5, 90), ("stronghold-b", 25, 17, 270), ("large-ruin-1", 23.5, 5, 12)),
    *(("large-ruin-2", 6.5, 17, 192), ("small-ruin-1", 14, 4, 0), ("small-ruin-2", 16, 18, 180)),
    *(("heavy-rubble-1", 12.3, 9.5, 60), ("heavy-rubble-2", 18, 13, 240), ("light-rubble-1", 17.6, 8.6, 20)),
    *(("light-rubble-2", 11, 14, 200), ("light-rubble-3", 25, 11, 80), ("light-barricade", 8.5, 11, 90)),
)
"""Volkus as none of the shipped layouts has it: piece, x, y, turn."""
PEOPLE = (("blue", "32", 3, 11.5), ("blue", "40", 14, 7.2), ("red", "25", 21, 9.5), ("red", "28", 15.2, 14.5))
LENSES = (
    Lens(standing((16, -15, 27), (15, 9.6, 0))),
    Lens(standing((38, -6, 30), (15.5, 10.2, 0), 0.45), bend=-0.1),
    Lens(standing((14, 5, 42), (15, 10.8, 0), 0.42), bend=0.05),
)
BOARD = ((0, 0, 0), (30, 0, 0), (30, 22, 0), (0, 22, 0))
SHAKE = 1.0
"""Pixels of the photo by which a person misses what is meant."""


@pytest.fixture(scope="module")
def truth() -> SceneFile:
    model = TableModel()
    for name, x, y, turn in LAYOUT:
        model.put_piece(model.new_piece(name, x, y, 0.0, turn))
    for team, base, x, y in PEOPLE:
        model.base = base
        model.add(team, x, y)
    return model.to_file()


@dataclass
class Person:
    """Somebody who sees a photo and clicks on what is in it, missing by a little."""

    driver: Driver
    lens: Lens
    chance: np.random.Generator

    def seen(self, x: float, y: float, z: float = 0.0) -> tuple[float, float]:
        """Where a place of the real table is seen in the photo, and a little beside it."""
        px, py = self.lens.seen([(x, y, z)])[0] + self.chance.uniform(-SHAKE, SHAKE, 2)
        return float(px), float(py)

    def on_screen(self, x: float, y: float) -> tuple[float, float]:
        """Where the same is shown on the table under which the photo lies."""
        photo = self.driver.model.state.file.photo
        assert photo is not None
        found = photo.view.found([self.seen(x, y)])[0]
        return self.driver.pixel_of(float(found[0]), float(found[1]))

    def open(self, path: Path) -> None:
        """Choose the file and find the board in it."""
        self.driver.press("photo")
        self.driver.type(str(path))
        self.driver.key("enter")
        page = self.page
        for corner in (*BOARD, (15, 0, 0), (15, 22, 0)):
            self.driver.click(*page.place_of(self.seen(*corner)))
        self.driver.press("photo-done")

    @property
    def page(self) -> PhotoScreen:
        page = self.driver.desktop.top
        assert isinstance(page, PhotoScreen)
        return page

    def put(self, piece: LoosePiece) -> None:
        """A piece by the edge of its foot that is seen best: the one nearest to the camera."""
        feet = foot_on_board(piece)
        eye = self.lens.pose.eye
        middles = [math.dist(eye[:2], np.add(feet[i], feet[(i + 1) % 4]) / 2) for i in range(4)]
        corner = int(np.argmin(middles))
        self.driver.scroll_to(f"piece-{piece.piece}", "terrain")
        self.driver.press(f"piece-{piece.piece}")
        for _ in range(corner):
            self.driver.key("z")
        start, end = (self.on_screen(*feet[(corner + step) % 4]) for step in (0, 1))
        self.driver.drag(start, end, steps=3)
        self.driver.clicks += 1


def rim(x: float, y: float, radius: float, degrees: float) -> tuple[float, float]:
    return x + radius * math.cos(math.radians(degrees)), y + radius * math.sin(math.radians(degrees))


@pytest.mark.parametrize("number", range(3) if os.environ.get("KTSIM_ALL_PHOTOS") else [1])
def test_a_table_is_laid_from_a_photo(engine: Engine, truth: SceneFile, number: int, tmp_path: Path) -> None:
    """Twelve pieces and four operatives in at most 60 clicks, within 0.15" of the truth."""
    driver = Driver(engine, (1280, 720), scale=0.25, settings=Settings(quality="low"))
    person = Person(driver, LENSES[number], np.random.default_rng(number))
    path = tmp_path / "board.jpg"
    path.write_bytes(person.lens.photo(engine, truth, number))
    driver.press("killzones")
    driver.press("killzone--")
    driver.key("escape")
    person.open(path)
    driver.press("tray")
    for piece in pieces_of(truth):
        person.put(piece)
    driver.press("rims")
    for one in truth.scene.operatives:
        driver.key("b" if one.team == "blue" else "g")
        for degrees in (182, 270, 358):
            driver.click(*person.on_screen(*rim(one.x, one.y, one.base.along, degrees)))
    laid = driver.model.state.file
    assert driver.clicks <= 60
    worst = 0.0
    for piece, found in zip(pieces_of(truth), pieces_of(laid), strict=True):
        assert found.piece == piece.piece
        far = max(math.dist(a, b) for a, b in zip(foot_on_board(piece), foot_on_board(found), strict=True))
        worst = max(worst, far)
    for one, seen in zip(truth.scene.operatives, laid.scene.operatives, strict=True):
        assert (seen.team, seen.base) == (one.team, one.base)
        worst = max(worst, math.dist((one.x, one.y), (seen.x, seen.y)))
    assert worst < 0.15
    print(f'{driver.clicks} clicks, at most {worst:.3f}" off')
    driver.close()


# ---- smaller things -----------------------------------------------------------------------------------------------
def small_photo(folder: Path) -> Path:
    """A picture that is quickly made."""
    path = folder / "board.png"
    Image.fromarray(np.random.default_rng(0).integers(0, 255, (300, 400, 3), dtype=np.uint8)).save(path)
    return path


def laid(driver: Driver, folder: Path) -> PhotoScreen:
    """The page that asks for the corners of a small picture."""
    driver.desktop.open_table(new_file(None))
    driver.settle()
    driver.key("escape")
    driver.press("photo")
    driver.type(str(small_photo(folder)))
    driver.key("enter")
    page = driver.desktop.top
    assert isinstance(page, PhotoScreen)
    return page


SEEN = tuple((x, y) for x, y in (replace(LENSES[0], bend=0.0).seen(BOARD) * 400 / 2048).tolist())
"""The corners of a board in a small picture."""


def test_corners_in_any_order_are_undone_redone_saved_and_opened(driver: Driver, tmp_path: Path) -> None:
    page = laid(driver, tmp_path)
    driver.press("photo-done")
    assert driver.desktop.top is page, "not without corners"
    for spot in (SEEN[2], SEEN[0], SEEN[1], SEEN[3]):
        driver.click(*page.place_of(spot))
    assert page.photo is not None
    assert np.array(page.photo.corners) == pytest.approx(np.array(SEEN), abs=1.0)
    assert page.photo.at == ((0, 0), (30, 0), (30, 22), (0, 22))
    driver.press("turn-photo")
    assert page.photo.at[0] == (30, 0)
    for _ in range(3):
        driver.key("r")
    driver.drag(page.place_of(SEEN[0]), page.place_of((50, 230)))
    assert page.photo.corners[0] == pytest.approx((50, 230), abs=1.5)
    driver.click(*page.place_of((200, 222)))
    assert [side for side, _ in page.photo.along] == [0]
    driver.key("backspace")
    assert page.photo.along == ()
    driver.key("enter")
    model = driver.model
    photo = model.state.file.photo
    assert photo is not None
    assert driver.picture.photo is not None
    driver.press("strength-1")
    assert model.state.file.photo is not None
    assert model.state.file.photo.strength == 1.0
    driver.press("photo-remove")
    assert model.state.file.photo is None
    assert driver.picture.photo is None
    for _ in range(2):
        driver.key("control", "z")
    assert model.state.file.photo is photo
    driver.key("control", "z")
    assert model.state.file.photo is None
    driver.key("control", "shift", "z")
    assert model.state.file.photo is photo
    model.save(tmp_path / "laid.yaml")
    again = load_scene(tmp_path / "laid.yaml").photo
    assert again is not None
    assert (again.kept, again.corners, again.at, again.strength) == (
        photo.kept,
        photo.corners,
        photo.at,
        photo.strength,
    )
    driver.desktop.open_table(load_scene(tmp_path / "laid.yaml"))
    driver.settle()
    assert driver.picture.photo is not None
    driver.press("corners")
    assert isinstance(driver.desktop.top, PhotoScreen)
    assert driver.desktop.top.photo is not None, "they are corrected, not clicked again"


def test_the_photo_is_seen_through_by_its_strength(driver: Driver, tmp_path: Path) -> None:
    page = laid(driver, tmp_path)
    for spot in SEEN:
        driver.click(*page.place_of(spot))
    driver.key("enter")
    x, y = (round(value * driver.scale) for value in driver.pixel_of(15, 11))
    shades = []
    assert "60%" in driver.said(), "what it is at first"
    for strength in ("0", "0.6", "1"):
        driver.press(f"strength-{strength}")
        shades.append(driver.pixels()[y - 20 : y + 20, x - 20 : x + 20].astype(float).std())
    assert shades[0] < shades[1] < shades[2], "noise is what the photo shows"
    driver.table.photo.fade(0.45)  # as a file may say
    driver.settle()
    assert "45%" in driver.said()
    shown = driver.model.state.file.photo
    assert shown is not None
    driver.press("stand-there")
    assert driver.picture.pose().eye == pytest.approx(shown.view.eye(), abs=0.5)


def test_what_is_no_picture_is_said_and_the_window_goes_on(driver: Driver, tmp_path: Path) -> None:
    driver.desktop.open_table(new_file(None))
    driver.settle()
    (tmp_path / "bad.jpg").write_bytes(b"\xff\xd8\xff\xe0 no picture at all")
    driver.press("photo")
    driver.type(str(tmp_path / "bad.jpg"))
    driver.key("enter")
    assert "is not a PNG or JPG picture" in driver.said()
    driver.key("escape")
    assert driver.desktop.top is driver.table
    driver.desktop.drop(tmp_path / "bad.jpg")
    driver.settle()
    assert "is not a PNG or JPG picture" in driver.said()


def test_a_picture_is_pasted(driver: Driver, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    driver.desktop.open_table(new_file(None))
    driver.settle()
    monkeypatch.setattr(clipboard, "paste_picture", bytes)
    monkeypatch.setattr(clipboard, "paste", lambda: "some words")
    driver.key("control", "v")
    assert "There is no picture on the clipboard" in driver.said()
    monkeypatch.setattr(clipboard, "paste_picture", lambda: small_photo(tmp_path).read_bytes())
    driver.key("control", "v")
    assert isinstance(driver.desktop.top, PhotoScreen)
    driver.press("cancel-photo")
    assert driver.desktop.top is driver.table
    assert driver.model.state.file.photo is None


def test_the_corners_of_a_piece_that_stands_there_are_enough(driver: Driver, tmp_path: Path) -> None:
    driver.desktop.open_table(new_file(None))
    driver.settle()
    driver.model.put_piece(driver.model.new_piece("stronghold-a", 20, 8, 0.0, 30.0))
    driver.key("control", "v")
    lens = replace(LENSES[0], bend=0.0)
    piece = driver.model.piece
    assert piece is not None
    driver.press("photo")
    driver.type(str(small_photo(tmp_path)))
    driver.key("enter")
    page = driver.desktop.top
    assert isinstance(page, PhotoScreen)
    driver.press("corners-of-Stronghold A")
    share = page.picture.size[0] / lens.size[0]
    for x, y in foot_on_board(piece):
        driver.click(*page.place_of(tuple(lens.seen([(x, y, 0.0)])[0] * share)))
    driver.key("enter")
    photo = driver.model.state.file.photo
    assert photo is not None
    seen = lens.seen([(15, 11, 0)])[0] * share
    assert math.dist(photo.view.found([seen])[0], (15, 11)) < 1.5, "the rest of the board follows, less exactly"
    assert math.dist(photo.view.found([lens.seen([(20, 8, 0)])[0] * share])[0], (20, 8)) < 0.2


def test_rims_that_are_no_base_are_refused(driver: Driver) -> None:
    driver.desktop.open_table(new_file(None))
    driver.settle()
    driver.key("escape")
    driver.key("t")
    driver.key("z")
    for spot in ((5, 5), (15, 5), (10, 10)):
        driver.click_table(*spot)
    assert "mm across, and no base is" in driver.said()
    for spot in ((5, 5), (5.5, 5), (6, 5)):
        driver.click_table(*spot)
    assert "lie on a line" in driver.said() or "no base is" in driver.said()
    assert driver.model.scene.operatives == ()
    driver.key("escape")
    assert driver.view.hands.tool == "select"


def test_an_unsaved_photo_is_kept_and_its_leavings_go(driver: Driver, tmp_path: Path) -> None:
    page = laid(driver, tmp_path)
    for spot in SEEN:
        driver.click(*page.place_of(spot))
    driver.key("enter")
    driver.table.attend()
    kept = driver.table.files.kept
    found = load_scene(kept.path)
    assert found.photo is not None
    assert list(kept.path.parent.glob("*-photo-*.jpg"))
    driver.table.files._save(tmp_path / "mine.yaml")
    assert not list(kept.path.parent.glob("*-photo-*.jpg"))
    assert load_scene(tmp_path / "mine.yaml").photo is not None
