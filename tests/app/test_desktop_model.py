"""The ruling table's state and commands, without a window."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from ktsim.app.ruling.model import TableModel
from ktsim.app.ruling.state import BASES, new_file
from ktsim.errors import UserError
from ktsim.killzones.scene_file import load_scene
from ktsim.sight.ruling import ruling


def pair() -> TableModel:
    model = TableModel()
    model.add("blue", 5, 11)
    model.add("red", 20, 11)
    return model


def test_two_operatives_make_a_ruling() -> None:
    model = TableModel()
    assert model.ruling is None
    assert model.prompt
    model.add("blue", 5, 11)
    assert model.ruling is None
    assert model.prompt == "Take Red, then click the table where it stands"
    model.add("red", 20, 11)
    assert model.ruling is not None
    assert model.prompt == ""
    assert (model.ruling.shooter, model.ruling.target) == ("Blue 1", "Red 1")
    assert model.ruling.valid_target


def test_two_of_one_team_are_no_pair() -> None:
    model = TableModel()
    model.add("red", 5, 11)
    model.add("red", 20, 11)
    assert model.ruling is None


def test_a_drag_is_one_step_and_the_ruling_follows_it() -> None:
    model = pair()
    for x in (19.0, 18.0, 17.0):
        model.move("Red 1", x, 11, 0.0, drag=1)
        assert model.ruling is not None
        assert model.ruling.distance == ruling(model.scene, "Blue 1", "Red 1").distance
    model.move("Red 1", 16, 11, 0.0, drag=2)
    model.undo()
    assert model.scene.operative("Red 1").x == 17
    model.undo()
    assert model.scene.operative("Red 1").x == 20
    model.redo()
    model.redo()
    assert model.scene.operative("Red 1").x == 16


def test_something_new_ends_redo() -> None:
    model = pair()
    model.undo()
    assert model.redo_name == "add Red 1"
    model.add("red", 9, 9)
    assert model.redo_name is None


def test_nobody_leaves_the_board() -> None:
    model = pair()
    model.move("Red 1", 99, -4, 0.0)
    red = model.scene.operative("Red 1")
    assert red.x == pytest.approx(30 - red.base.along)
    assert red.y == pytest.approx(red.base.across)


def test_base_order_team_and_turn_are_changes() -> None:
    model = pair()
    model.set_base("50")
    model.set_order("Red 1", "conceal")
    model.turn("Red 1", 15)
    model.set_team("Red 1", "blue")
    red = model.scene.operative("Red 1")
    assert (red.base, red.order, red.turn, red.team) == (BASES["50"], "conceal", -165.0, "blue")
    for _ in range(4):
        model.undo()
    red = model.scene.operative("Red 1")
    assert (red.base, red.order, red.turn, red.team) == (BASES["32"], "engage", 180.0, "red")


def test_who_is_removed_is_chosen_no_more() -> None:
    model = pair()
    model.remove("Red 1")
    assert model.state.target is None
    assert model.ruling is None
    model.undo()
    assert model.ruling is not None


def test_swap_and_choices() -> None:
    model = pair()
    model.swap()
    assert (model.state.shooter, model.state.target) == ("Red 1", "Blue 1")
    model.choose_target("Red 1")
    assert (model.state.shooter, model.state.target) == ("Blue 1", "Red 1")


def test_a_hatchway_opens_and_closes_and_a_wall_does_not() -> None:
    model = TableModel(new_file("gallowdark-1"))
    hatch = next(feature for feature in model.scene.terrain.features if feature.states)
    before = hatch.initial
    assert model.toggle(hatch.id)
    assert model.scene.states[hatch.id] != before
    assert model.toggle(hatch.id)
    assert model.scene.states[hatch.id] == before
    plain = next(feature for feature in model.scene.terrain.features if not feature.states)
    assert not model.toggle(plain.id)


def test_what_is_saved_is_opened_again(tmp_path: Path) -> None:
    model = pair()
    model.set_order("Red 1", "conceal")
    model.other_edition()
    model.swap()
    assert not model.is_saved
    model.save(tmp_path / "scene.yaml")
    assert model.is_saved
    file = load_scene(tmp_path / "scene.yaml")
    assert file.pairs == (("Red 1", "Blue 1"),)
    assert file.edition == "kt21-lite"
    assert file.scene.operative("Red 1").order == "conceal"
    other = TableModel()
    other.lay(load_scene(tmp_path / "scene.yaml"))
    assert other.ruling is not None
    assert model.ruling is not None
    assert other.ruling.as_text() == model.ruling.as_text()
    other.undo()
    assert not other.scene.operatives


def test_a_bad_file_changes_nothing(tmp_path: Path) -> None:
    (tmp_path / "bad.yaml").write_text("ktsim: scene/1\nedition: kt99\n")
    model = pair()
    with pytest.raises(UserError):
        model.lay(load_scene(tmp_path / "bad.yaml"))
    assert len(model.scene.operatives) == 2


def test_the_model_needs_no_window() -> None:
    code = (
        "import sys, ktsim.app.ruling.model; sys.exit('panda3d.core' in sys.modules or 'imgui_bundle' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
