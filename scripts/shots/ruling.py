"""Start screen, settings, and everything of the ruling table."""

from __future__ import annotations

import math
import tempfile
import time
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import numpy as np
from board_photos import Lens, standing

from ktsim import paths
from ktsim.app.card.elevation import elevation
from ktsim.app.play.match import Match
from ktsim.app.play.saves import Agreement
from ktsim.app.ruling.photo_page import PhotoScreen
from ktsim.app.ruling.scan_page import ScanScreen
from ktsim.app.ruling.state import new_file
from ktsim.app.shell import start
from ktsim.faults import Fault
from ktsim.game.session import autosave_path
from ktsim.game.setup import Setup
from ktsim.geometry.solids import box, cylinder, welded
from ktsim.killzones.scene_file import load_scene

from . import shot

if TYPE_CHECKING:
    from desktop_driver import Driver

PATIENCE = 240.0
"""Seconds to wait for an area view."""


def _example(driver: Driver, name: str) -> None:
    driver.desktop.open_table(load_scene(paths.killzones() / "examples" / f"{name}.yaml"))
    driver.settle()


@shot("start")
def _start(driver: Driver) -> None:
    driver.desktop.lay_table()


@shot("settings")
def _settings(driver: Driver) -> None:
    driver.desktop.lay_table()
    driver.press("settings")


@shot("about")
def _about(driver: Driver) -> None:
    driver.press("about")


@shot("killzones")
def _killzones(driver: Driver) -> None:
    driver.press("killzones")


@shot("open")
def _open(driver: Driver) -> None:
    driver.press("open")


@shot("open-problem")
def _problem(driver: Driver) -> None:
    driver.press("open")
    driver.type("/nowhere/scene.yaml")
    driver.press("confirm")


@shot("table-empty")
def _empty(driver: Driver) -> None:
    driver.press("rule")


@shot("table-carrying")
def _carrying(driver: Driver) -> None:
    driver.desktop.open_table(new_file("training-ground"))
    driver.settle()
    driver.press("tray")
    driver.press("piece-heavy-barricade")
    driver.point(*driver.pixel_of(15, 14))


@shot("table-refused")
def _refused(driver: Driver) -> None:
    _example(driver, "hatch-open")
    driver.key("b")
    driver.point(*driver.pixel_of(10, 5))


@shot("table-tray")
def _tray(driver: Driver) -> None:
    _example(driver, "barred-at-the-window")
    driver.press("tray")


@shot("ruling-valid")
def _valid(driver: Driver) -> None:
    _example(driver, "vantage-accurate-1")
    driver.key("page_down")


@shot("ruling-in-cover")
def _in_cover(driver: Driver) -> None:
    """Somebody on a Conceal order who is seen, but in cover."""
    driver.desktop.open_table(new_file("volkus-1"))
    model, random = driver.model, Random(2)
    width, depth = model.scene.terrain.board
    blue, red = model.add("blue", 2, 2), model.add("red", 28, 20)
    model.set_order(red, "conceal")
    for _ in range(2000):
        for id in (blue, red):
            model.move(id, random.uniform(1, width - 1), random.uniform(1, depth - 1), 0.0)
        stands = all(driver.view.hands.refusal(one) is None for one in model.scene.operatives)
        found = model.ruling if stands else None
        if found is not None and found.visible and found.cover and not found.valid_target and 8 < found.distance < 14:
            crossing = found.cover[0]
            cut = elevation(model.scene, blue, red, crossing.line, crossing.at, crossing.key)
            heights = [z for solid in cut.solids if solid.marked for ring in solid.polygons for _, z in ring]
            if max(heights, default=0.0) > 0.5:  # to be seen in the side view
                break
    one, two = model.scene.operatives
    heading = math.degrees(math.atan2(two.y - one.y, two.x - one.x))
    model.turn(blue, heading - one.turn)
    model.turn(red, heading + 180 - two.turn)
    model.select(None)
    driver.settle()
    driver.key("f")


@shot("ruling-pointed")
def _pointed(driver: Driver) -> None:
    """A sentence that somebody points at: its part and line are lit."""
    _example(driver, "kt21-rampart")
    driver.key("j")
    driver.point(*driver.middle_of("reasons-KT21-COVER"))
    driver.settle()


def _moving(driver: Driver, killzone: str | None) -> None:
    """A move is asked about, of a blue operative with a red one not far."""
    driver.desktop.open_table(new_file(killzone))
    driver.settle()
    driver.model.add("blue", 5.2, 5.5)
    driver.model.add("red", 12.4, 8)
    driver.model.select("Blue 1")
    driver.key("3")


@shot("move-reach")
def _move_reach(driver: Driver) -> None:
    _moving(driver, "training-ground")


@shot("move-yes")
def _move_yes(driver: Driver) -> None:
    """Up onto a Vantage level."""
    _moving(driver, "volkus-1")
    desk = driver.view.desk
    found = desk.reachable()
    assert found is not None
    x0, y0, x1, y1, level, _ = max(found.cells, key=lambda cell: (cell[4], cell[5]))
    desk.aim(((x0 + x1) / 2, (y0 + y1) / 2, level))
    driver.settle()
    driver.key("j")


@shot("move-no")
def _move_no(driver: Driver) -> None:
    _moving(driver, "gallowdark-1")
    driver.view.desk.aim((9.0, 6.0, 0.0))
    driver.settle()
    driver.key("j")
    driver.point(*driver.middle_of("leg-0"))


@shot("move-charge")
def _move_charge(driver: Driver) -> None:
    _moving(driver, "gallowdark-1")
    driver.view.desk.aim("Red 1")
    driver.settle()
    driver.key("j")


def _rest(driver: Driver, page: ScanScreen) -> None:
    while not page.is_at_rest:
        driver.desktop.attend()
        time.sleep(0.02)
    driver.settle()


@shot("scan")
def _scan(driver: Driver) -> None:
    """A scan of a tower with a platform, cut in two."""
    shape = np.concatenate([cylinder((0, 0, 0), 30, 60), box((-45, -45, 60), (45, 45, 68))])
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "watch-tower.stl"
        welded(shape).export(path)
        driver.desktop.open_table(new_file("training-ground"))
        driver.settle()
        driver.table.scan(path)
        page = driver.desktop.top
        assert isinstance(page, ScanScreen)
        _rest(driver, page)
    driver.settle()
    driver.press("scan-add")
    _rest(driver, page)


@shot("sizes")
def _sizes(driver: Driver) -> None:
    driver.desktop.open_table(new_file("volkus-1"))
    driver.settle()
    driver.model.select_thing(("piece", "stronghold-a"))
    driver.settle()
    driver.press("sizes")


def _photographed(driver: Driver) -> None:
    """The page on which the board of a photo is found; its corners are clicked."""
    lens = Lens(standing((16, -15, 27), (15, 9.6, 0)), (1024, 768))
    driver.desktop.open_table(new_file(None))
    driver.settle()
    driver.key("escape")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "kitchen-table.jpg"
        path.write_bytes(lens.photo(driver.engine, new_file("volkus-1")))
        driver.table.photo.open(path)
        driver.settle()
    page = driver.desktop.top
    assert isinstance(page, PhotoScreen)
    for x, y in lens.seen([(0, 0, 0), (30, 0, 0), (30, 22, 0), (0, 22, 0)]).tolist():
        driver.click(*page.place_of((x, y)))


@shot("photo-open")
def _photo_open(driver: Driver) -> None:
    driver.desktop.open_table(new_file(None))
    driver.settle()
    driver.press("photo")


@shot("photo-page")
def _photo_page(driver: Driver) -> None:
    _photographed(driver)


@shot("photo-laid")
def _photo_laid(driver: Driver) -> None:
    _photographed(driver)
    driver.press("photo-done")
    driver.press("rims")


@shot("walls-drawn")
def _walls_drawn(driver: Driver) -> None:
    driver.desktop.open_table(new_file("gallowdark-1"))
    driver.settle()
    driver.key("escape")
    driver.key("t")
    driver.press("draw-walls")
    driver.point(*driver.pixel_of(12, 12))


@shot("group")
def _group(driver: Driver) -> None:
    """Two pieces and an operative selected together."""
    _moving(driver, None)
    driver.key("3")
    model = driver.model
    model.put_piece(model.new_piece("heavy-barricade", 8, 12))
    model.put_piece(model.new_piece("light-barricade", 12, 14, 0.0, 30.0))
    driver.view.hands.grouping.choose(
        [("piece", "heavy-barricade"), ("piece", "light-barricade"), ("operative", "Blue 1")]
    )


@shot("operative-page")
def _operative_page(driver: Driver) -> None:
    _example(driver, "vantage-accurate-1")
    driver.model.select(driver.model.state.shooter)
    driver.settle()
    driver.press("operative")


@shot("ruling-side-large")
def _side_large(driver: Driver) -> None:
    _example(driver, "volkus-upper-floor")
    driver.press("enlarge-side")


@shot("ruling-eye-large")
def _eye_large(driver: Driver) -> None:
    _example(driver, "gallowdark-hatch-open")
    driver.press("enlarge-eye")


@shot("matrix")
def _matrix(driver: Driver) -> None:
    driver.desktop.open_table(new_file("volkus-1"))
    model, random = driver.model, Random(3)
    width, depth = model.scene.terrain.board
    for number in range(8):
        id = model.add("blue" if number % 2 else "red", width / 2, depth / 2)
        for _ in range(200):
            model.move(id, random.uniform(1, width - 1), random.uniform(1, depth - 1), 0.0)
            if driver.view.hands.refusal(model.scene.operative(id)) is None:
                break
        model.set_order(id, "conceal" if number % 3 == 0 else "engage")
    driver.settle()
    driver.press("matrix")


@shot("ruling-hatchway")
def _hatchway(driver: Driver) -> None:
    _example(driver, "gallowdark-hatch-open")
    driver.key("f")


@shot("ruling-other-origin")
def _origin(driver: Driver) -> None:
    _example(driver, "barred-at-the-window")
    driver.key("f")
    found = driver.view.ruling
    assert found is not None
    assert found.origin is not None
    x, y = driver.pixel_of(*found.origin)
    driver.drag((x, y), (x - 30, y + 10), steps=3)


@shot("ruling-close")
def _close(driver: Driver) -> None:
    driver.desktop.open_table(new_file(None))
    driver.settle()
    for team, x in (("blue", 12), ("red", 14)):
        driver.press(f"place-{team}")
        driver.click_table(x, 11)


@shot("compare")
def _compare(driver: Driver) -> None:
    _example(driver, "barred-at-the-window")
    driver.press("compare")


@shot("measuring")
def _measuring(driver: Driver) -> None:
    _example(driver, "vantage-accurate-1")
    one, two = driver.model.scene.operatives[:2]
    driver.key("m")
    driver.drag(driver.pixel_of(one.x, one.y, one.level + 0.4), driver.pixel_of(two.x, two.y, two.level + 0.4), steps=3)
    driver.key("r")
    driver.click_table(two.x, two.y, two.level + 0.4)


@shot("eye")
def _eye(driver: Driver) -> None:
    _example(driver, "gallowdark-hatch-open")
    driver.key("e")


@shot("keys")
def _keys(driver: Driver) -> None:
    driver.press("rule")
    driver.key("f1")


@shot("area-sees")
def _sees(driver: Driver) -> None:
    _example(driver, "hatch-open")
    driver.press("area")
    _wait(driver)


@shot("area-safe")
def _safe(driver: Driver) -> None:
    _example(driver, "hatch-open")
    driver.press("area")
    driver.press("question-safe")
    _wait(driver)


def _wait(driver: Driver) -> None:
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        driver.desktop.attend()
        found = driver.desktop.top.found  # type: ignore[attr-defined]
        if found is not None and found.complete:
            break
        time.sleep(0.2)
    driver.point(*driver.pixel_of(15, 4))


@shot("start-continue")
def _continue(driver: Driver) -> None:
    driver.desktop.lay_table()
    Match.begin(Setup(board="volkus-2", mission="skirmish"), Agreement(), autosave_path()).close()
    start.forget()


@shot("save")
def _save(driver: Driver) -> None:
    _example(driver, "vantage-accurate-1")
    driver.key("control", "s")


@shot("export")
def _export(driver: Driver) -> None:
    _example(driver, "vantage-accurate-1")
    driver.key("control", "e")


@shot("notice")
def _notice(driver: Driver) -> None:
    driver.press("rule")
    driver.key("d")


@shot("table-selected")
def _selected(driver: Driver) -> None:
    driver.desktop.open_table(new_file("volkus-1"))
    driver.settle()
    driver.model.select(driver.model.add("blue", 8, 8))


@shot("table-piece")
def _piece(driver: Driver) -> None:
    _carrying(driver)
    driver.click(*driver.pixel_of(15, 14))
    driver.key("k")
    driver.click(*driver.pixel_of(12, 11))


@shot("table-hatches")
def _hatches(driver: Driver) -> None:
    driver.desktop.open_table(new_file("gallowdark-1"))


@shot("table-preparing")
def _preparing(driver: Driver) -> None:
    driver.desktop.may_rule = lambda: False
    _example(driver, "vantage-accurate-1")


@shot("ruling-2021")
def _lite(driver: Driver) -> None:
    _example(driver, "barred-at-the-window")
    driver.press("edition-kt21-lite")


@shot("ruling-walls")
def _walls(driver: Driver) -> None:
    _example(driver, "gallowdark-hatch-open")
    driver.key("c", "t")


@shot("rule-tip")
def _rule_tip(driver: Driver) -> None:
    _example(driver, "vantage-accurate-1")
    name = next(name for name in driver.desktop.ui.rects if name.startswith("reasons-"))
    driver.point(*driver.middle_of(name))


@shot("fault")
def _fault(driver: Driver) -> None:
    driver.desktop.lay_table()
    driver.desktop.show_fault(Fault("the window failed (KeyError: 'lost')", Path("~/.local/state/ktsim/faults.log")))
