"""Walls drawn along the edges of their grid on the ruling table."""

from __future__ import annotations

from pathlib import Path

import pytest
from desktop_driver import Driver, driver, engine

from ktsim.app.ruling.state import new_file
from ktsim.killzones.catalogue import load_named
from ktsim.killzones.scene_file import load_scene
from ktsim.killzones.scene_walls import drawn, grid_of
from ktsim.sight.ruling import ruling
from ktsim.sight.scene import Scene

__all__ = ["driver", "engine"]


def laid_out(driver: Driver, killzone: str | None) -> None:
    driver.desktop.open_table(new_file(killzone))
    driver.settle()
    driver.key("escape")
    driver.key("t")
    driver.press("draw-walls")


def junction(driver: Driver, name: str) -> tuple[float, float]:
    place = driver.view.hands.walls.grid.place(("abcdefghij".index(name[0]), int(name[1])))
    return driver.pixel_of(*place)


def between(driver: Driver, one: str, two: str) -> tuple[float, float]:
    a, b = junction(driver, one), junction(driver, two)
    return (a[0] + b[0]) / 2, (a[1] + b[1]) / 2


def walls(driver: Driver) -> dict[str, tuple[str, str | None]]:
    """The feature of every wall line with its state now."""
    scene = driver.model.scene
    return {one.id: (one.kind, one.initial) for one in scene.terrain.features if one.kind == "wall"}


@pytest.mark.rule("KZ-WALL")
def test_walls_and_hatchways_are_drawn_saved_opened_and_undone(driver: Driver, tmp_path: Path) -> None:
    laid_out(driver, None)
    driver.drag(junction(driver, "c1"), junction(driver, "c5"), steps=4)
    assert list(walls(driver)) == ["wall-1", "wall-2", "wall-3", "wall-4"]
    driver.press("walls-hatchway")
    driver.click(*between(driver, "c2", "c3"))
    assert walls(driver)["hatchway-1"] == ("wall", "closed")
    assert len(walls(driver)) == 4
    model = driver.model
    model.add("blue", 4, 8)
    model.add("red", 20, 8)
    assert model.ruling is not None
    assert not model.ruling.visible
    model.save(tmp_path / "walls.yaml")
    file = load_scene(tmp_path / "walls.yaml")
    assert [one.id for one in file.scene.terrain.features] == [one.id for one in model.scene.terrain.features]
    assert file.scene.terrain.walls == model.scene.terrain.walls
    again = ruling(file.scene, *file.pairs[0], file.edition)
    assert again.as_json("x") == model.ruling.as_json("x")
    driver.key("escape")
    driver.press("row-hatchway-1")
    assert model.scene.states == {"hatchway-1": "open"}
    driver.key("shift", "c")
    driver.press("walls-nothing")
    driver.drag(junction(driver, "c1"), junction(driver, "c5"), steps=4)
    assert walls(driver) == {}
    assert model.scene.states == {}, "what is gone has no state"
    for _ in range(5):
        driver.key("control", "z")
    assert list(walls(driver)) == ["wall-1", "wall-2", "wall-3", "wall-4"]
    for _ in range(5):
        driver.key("control", "shift", "z")
    assert walls(driver) == {}


def test_a_killzones_walls_are_changed_on_its_own_grid(driver: Driver, tmp_path: Path) -> None:
    laid_out(driver, "gallowdark-1")
    model, before = driver.model, load_named("gallowdark-1", Path()).terrain
    driver.press("walls-nothing")
    driver.click(*between(driver, "c3", "d3"))
    gone = {one.id for one in before.features} - {one.id for one in model.scene.terrain.features}
    assert gone == {"long-wall-ends-1-1", "long-wall-ends-1-2"}
    assert "long-wall-ends-1-1" not in driver.picture.scene.terrain.features
    rest = [one for one in model.scene.terrain.walls if one.id.startswith("long-wall-ends-1")]
    assert [one.id for one in rest] == ["long-wall-ends-1-1-1"] or len(rest) == 1, "its other half still stands"
    model.save(tmp_path / "changed.yaml")
    file = load_scene(tmp_path / "changed.yaml")
    assert file.killzone == "gallowdark-1"
    assert file.scene.terrain.walls == model.scene.terrain.walls
    assert [one.id for one in file.scene.terrain.features] == [one.id for one in model.scene.terrain.features]
    driver.key("control", "z")
    assert model.scene.terrain is before or model.scene.terrain.walls == before.walls


def test_a_hatchway_is_hung_another_way_by_another_click(driver: Driver) -> None:
    laid_out(driver, None)
    driver.press("walls-hatchway")
    ways = set()
    for _ in range(4):
        driver.click(*between(driver, "d2", "e2"))
        (wall,) = driver.view.hands.walls.grid.walls
        assert wall.hatchway is not None
        ways.add((wall.hatchway.hinge, wall.hatchway.swing))
    assert len(ways) == 4


@pytest.mark.rule("KZ-TOMB-BREACH-POINT")
def test_breach_points_are_of_the_kit_that_has_them(driver: Driver) -> None:
    laid_out(driver, None)
    assert "walls-breach" not in driver.desktop.ui.rects
    driver.press("kit-tomb-world")
    driver.press("walls-breach")
    driver.click(*between(driver, "d2", "d3"))
    assert walls(driver) == {"breach-1": ("wall", "closed")}
    driver.settle()
    assert "kit-gallowdark" not in driver.desktop.ui.rects, "one kit on a table"


def test_nobody_is_walled_in(driver: Driver) -> None:
    laid_out(driver, None)
    place = driver.view.hands.walls.grid.place((3, 2))
    driver.model.add("blue", place[0], place[1] + 1.5)
    driver.settle()
    driver.drag(junction(driver, "d2"), junction(driver, "d4"), steps=3)
    assert "It would stand on Blue 1." in driver.said()
    assert walls(driver) == {}


def test_a_wall_on_a_wall_changes_nothing() -> None:
    file = new_file("tomb-world-1")
    assert isinstance(file.scene, Scene)
    wall = next(one for one in grid_of(file, "gallowdark").walls if one.hatchway is None and one.breach is None)
    start, end = wall.steps()[:2]
    assert drawn(file, "gallowdark", [(start, end)], "wall").scene.terrain.walls == file.scene.terrain.walls
