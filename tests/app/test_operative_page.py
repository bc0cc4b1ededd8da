"""One operative's page: its name, the size of its miniature, its weapon's rules."""

from __future__ import annotations

from pathlib import Path

import pytest
from desktop_driver import Driver, driver, engine, pair

from ktsim import paths
from ktsim.app.ruling.marks import RangeRing, Tape
from ktsim.killzones.figures import widest
from ktsim.killzones.scene_file import load_scene
from ktsim.sight.ruling import ruling
from ktsim.sight.scene import Weapon

__all__ = ["driver", "engine"]


def typed(driver: Driver, field: str, text: str) -> None:
    driver.press(field)
    driver.key("control", "a")
    driver.type(text)
    driver.key("enter")


def saved(driver: Driver, path: Path) -> None:
    """What is saved is opened the same, and ruled the same."""
    model = driver.model
    model.save(path)
    file = load_scene(path)
    assert file.scene.operatives == model.scene.operatives
    assert file.weapon == model.state.file.weapon
    assert model.ruling is not None
    again = ruling(file.scene, *file.pairs[0], file.edition, file.weapon)
    assert again.as_json("x") == model.ruling.as_json("x")


def test_an_operative_is_renamed_wherever_it_is_named(driver: Driver, tmp_path: Path) -> None:
    pair(driver)
    model = driver.model
    model.add_mark(Tape("Red 1", "Blue 1"))
    model.add_mark(RangeRing("Red 1", 6.0))
    driver.press("row-Red 1")
    driver.press("operative")
    typed(driver, "name", "Sergeant Ulm")
    assert [one.id for one in model.scene.operatives] == ["Blue 1", "Sergeant Ulm"]
    assert (model.state.selected, model.state.shooter, model.state.target) == ("Sergeant Ulm", "Blue 1", "Sergeant Ulm")
    assert model.state.marks == (Tape("Sergeant Ulm", "Blue 1"), RangeRing("Sergeant Ulm", 6.0))
    typed(driver, "name", "Blue 1")
    assert "There is a Blue 1 already" in driver.said()
    driver.press("done")
    assert driver.desktop.top is driver.table
    saved(driver, tmp_path / "named.yaml")
    driver.key("control", "z")
    assert model.operative("Red 1") is not None
    assert model.state.target == "Red 1"
    driver.key("control", "shift", "z")
    assert model.state.target == "Sergeant Ulm"


def test_a_described_body_goes_with_the_name(driver: Driver, tmp_path: Path) -> None:
    driver.desktop.open_table(load_scene(paths.killzones() / "examples" / "body-hides.yaml"))
    driver.settle()
    one = driver.model.scene.operatives[0]
    driver.press(f"row-{one.id}")
    driver.key("s")
    typed(driver, "name", "other")
    assert driver.model.scene.operatives[0].figure == one.figure
    saved(driver, tmp_path / "body.yaml")


def test_height_and_width_are_typed(driver: Driver, tmp_path: Path) -> None:
    pair(driver)
    model = driver.model
    driver.press("row-Red 1")
    driver.key("s")
    typed(driver, "height", "2")
    body = model.scene.operative("Red 1").figure
    assert float(body.triangles[..., 2].max()) == pytest.approx(2)
    typed(driver, "width", "0.6")
    body = model.scene.operative("Red 1").figure
    assert (float(body.triangles[..., 2].max()), widest(body.triangles)) == pytest.approx((2, 0.6))
    typed(driver, "height", "40")
    assert 'A miniature is 0.3" to 12" tall' in driver.said()
    assert model.scene.operative("Red 1").figure == body
    driver.key("escape")
    saved(driver, tmp_path / "tall.yaml")
    driver.key("control", "z")
    driver.key("control", "z")
    assert float(model.scene.operative("Red 1").figure.triangles[..., 2].max()) < 1.5


@pytest.mark.rule("KT24-VALID")
def test_a_weapons_rules_are_chosen_and_the_ruling_follows(driver: Driver, tmp_path: Path) -> None:
    pair(driver)
    model = driver.model
    assert model.ruling is not None
    assert model.ruling.valid_target
    driver.press("row-Blue 1")
    driver.key("s")
    typed(driver, "range", "6")
    assert model.state.file.weapon == Weapon(("range 6",))
    assert not model.ruling.valid_target, "it is further than that"
    driver.press("weapon-seek-light")
    driver.press("weapon-silent")
    driver.press("weapon-seek-light")
    assert model.state.file.weapon == Weapon(("range 6", "silent"))
    typed(driver, "range", "far")
    assert model.state.file.weapon == Weapon(("range 6", "silent"))
    driver.press("done")
    saved(driver, tmp_path / "armed.yaml")
    driver.key("control", "z")
    driver.key("control", "z")
    driver.key("control", "z")
    driver.key("control", "z")
    assert model.state.file.weapon is None
    assert model.ruling is not None
    assert model.ruling.valid_target
