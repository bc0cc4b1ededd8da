"""Every kind of change on the ruling table: undone and redone to the byte, and a saved table opened the same."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import pytest
from board_photos import standing
from desktop_driver import Driver, driver, engine, pair

from ktsim.app.ruling.marks import RangeRing, Tape
from ktsim.app.ruling.operative_page import armed, renamed, resized
from ktsim.app.ruling.sizes_page import resized_table
from ktsim.app.ruling.state import TableState, new_file
from ktsim.killzones.scene_file import SceneFile, dump_scene, load_scene, save_scene
from ktsim.killzones.scene_photo import ScenePhoto, board_corners
from ktsim.killzones.scene_pieces import every_piece, piece_of
from ktsim.killzones.sizes import Sizes
from ktsim.sight.obstacles import _worlds
from ktsim.sight.scene import Scene

__all__ = ["driver", "engine"]


@dataclass(frozen=True)
class Written:
    """A table to the byte: what a file would say of it, its photo, and what no file keeps."""

    text: str
    photo: bytes
    pair: tuple[str | None, str | None]
    marks: tuple[object, ...]
    terrain: tuple[object, ...]


def terrain_of(scene: Scene) -> tuple[object, ...]:
    return tuple(
        (one.id, one.kind, one.initial, tuple((part.name, part.traits, part.triangles.tobytes()) for part in one.parts))
        for one in scene.terrain.features
    )


def written(driver: Driver) -> Written:
    state, file = driver.model.state, driver.model.to_file()
    photo = file.photo.kept if file.photo is not None else b""
    return Written(dump_scene(file), photo, (state.shooter, state.target), state.marks, terrain_of(state.scene))


def photo_of(board: tuple[float, float]) -> ScenePhoto:
    at = board_corners(board)
    pose = standing((16, -15, 27), (15, 9.6, 0))
    seen = pose.project([(x, y, 0.0) for x, y in at], (400, 300))[:, :2].round(2).tolist()
    return ScenePhoto(b"a picture", (400, 300), tuple((x, y) for x, y in seen), at)


Deed = Callable[[Driver], object]
ON_IT = (6.0, 18.0, 3.0)
MEASURED = Sizes(height=5.0, source="measured, with callipers")


def state_by(name: str, change: Callable[[TableState], TableState]) -> Deed:
    """A step as the pages over the table make it."""
    return lambda driver: driver.model.change(name, change(driver.model.state))


def resize(id: str, sizes: Sizes | None, state: TableState) -> TableState:
    return resized_table(state, [one for one in every_piece(state.file) if one.id == id], sizes)


def pick(*chosen: str) -> Deed:
    """Select, which is no step."""

    def run(driver: Driver) -> None:
        ids = {one.id for one in driver.model.scene.operatives}
        driver.view.hands.grouping.choose(
            ("operative" if id in ids else "smoke" if id.isdigit() else "piece", id) for id in chosen
        )

    return run


def keys(*names: str) -> Deed:
    return lambda driver: driver.key(*names)


def put_wall(kind: str, driver: Driver) -> None:
    walls = driver.view.hands.walls
    walls.kind = kind  # type: ignore[assignment]
    walls.press((8.1, 9.9))
    walls.release()


DEEDS: dict[str, tuple[Deed, ...]] = {
    "put blue": (lambda d: d.model.add("blue", 4, 4),),
    "put red": (lambda d: d.model.add("red", 24, 15),),
    "put another red": (lambda d: d.model.add("red", 26, 4),),
    "put a piece": (lambda d: d.model.put_piece(d.model.new_piece("small-ruin-1", 15, 16)),),
    "put a barricade": (lambda d: d.model.put_piece(d.model.new_piece("light-barricade", 18, 8, 0.0, 30.0)),),
    "put smoke": (lambda d: d.model.add_smoke(12, 6),),
    "move by typing": (pick("Blue 1"), lambda d: d.view.hands.arrange.place(5, 4.5, 15.0)),
    "move by an arrow": (pick("Blue 1"), keys("arrow_right")),
    "drag": (pick(), keys("t"), lambda d: d.drag(d.pixel_of(26, 4), d.pixel_of(24, 5), steps=3)),
    "move a piece": (pick("light-barricade"), keys("shift", "arrow_up")),
    "move smoke": (pick("0"), keys("arrow_down")),
    "turn": (pick("Blue 1"), keys("q")),
    "turn a piece": (pick("light-barricade"), keys("w")),
    "copy": (pick("Red 1"), keys("control", "d")),
    "copy a piece": (pick("light-barricade"), keys("control", "d")),
    "mirror": (pick("Blue 1"), lambda d: d.view.hands.grouping.mirror()),
    "mirror a piece": (pick("light-barricade"), keys("control", "m")),
    "move a group": (pick("Blue 1", "light-barricade", "0"), lambda d: d.view.hands.grouping.move(0.5, 0.25)),
    "turn a group": (pick("Blue 1", "light-barricade"), keys("q")),
    "align left": (pick("Blue 1", "Red 1"), lambda d: d.view.hands.grouping.align("left")),
    "align far": (pick("Red 1", "light-barricade"), lambda d: d.view.hands.grouping.align("far")),
    "copy a group": (pick("Blue 1", "light-barricade", "0"), keys("control", "d")),
    "mirror a group": (pick("Red 2", "0"), lambda d: d.view.hands.grouping.mirror()),
    "remove a group": (pick("light-barricade", "1"), keys("delete")),
    "draw a wall": (partial(put_wall, "wall"),),
    "draw a hatchway": (partial(put_wall, "hatchway"),),
    "open the hatchway": (lambda d: d.model.toggle("hatchway-1"),),
    "erase the wall": (partial(put_wall, "nothing"),),
    "draw it again": (partial(put_wall, "hatchway"),),
    "open it again": (lambda d: d.model.toggle("hatchway-1"),),
    "lay a photo": (lambda d: d.table.photo._lay(photo_of(d.model.scene.terrain.board)),),
    "strength of the photo": (lambda d: d.table.photo.fade(0.25),),
    "take the photo away": (lambda d: d.table.photo.remove(),),
    "lay it again": (lambda d: d.table.photo._lay(photo_of(d.model.scene.terrain.board)),),
    "height of a piece": (state_by("sizes", partial(resize, "small-ruin-1", Sizes(height=5.0))),),
    "source of its sizes": (state_by("sizes", partial(resize, "small-ruin-1", MEASURED)),),
    "our sizes": (state_by("sizes", partial(resize, "small-ruin-1", None)),),
    "sizes again": (state_by("sizes", partial(resize, "small-ruin-1", MEASURED)),),
    "put a stronghold": (lambda d: d.model.put_piece(d.model.new_piece("stronghold-a", 7, 16)),),
    "up on it": (lambda d: d.model.move("Red 2", *ON_IT),),
    "levels of it": (state_by("sizes", partial(resize, "stronghold-a", Sizes(levels=(0.5, 3.5)))),),
    "another level": (pick("Red 2"), keys("l")),
    "rename": (state_by("rename", lambda state: renamed(state, "Blue 1", "Sergeant Ulm")),),
    "height": (state_by("height", lambda state: resized(state, state.scene.operative("Red 1"), 1.75, None)),),
    "width": (state_by("width", lambda state: resized(state, state.scene.operative("Red 1"), 1.75, 0.9)),),
    "base": (pick("Red 2"), lambda d: d.model.set_base("40")),
    "miniature": (pick("Red 2"), keys("i")),
    "team": (lambda d: d.model.set_team("Red 2", "blue"),),
    "weapon": (state_by("weapon", lambda state: armed(state, ("range 8", "seek light"))),),
    "order": (pick("Red 1"), keys("o")),
    "edition": (keys("v"),),
    "date of the rules": (keys("shift", "v"),),
    "swap": (keys("x"),),
    "shooter": (pick("Sergeant Ulm"), keys("1")),
    "target": (pick("Red 3"), keys("2")),
    "pair": (lambda d: d.model.choose_pair("Red 1", "Red 2"),),
    "ask about a move": (pick("Sergeant Ulm"), keys("3")),
    "where it moves": (lambda d: d.view.desk.aim((7.0, 6.0, 0.0)),),
    "with which action": (lambda d: d.view.desk.set_action("dash"),),
    "its Move": (lambda d: d.view.desk.set_move(7),),
    "whom it charges": (lambda d: d.view.desk.aim("Red 1"),),
    "tape": (lambda d: d.model.add_mark(Tape("Red 1", (3.0, 3.0, 0.0))),),
    "ring": (lambda d: d.model.add_mark(RangeRing("Red 1", 6.0)),),
    "no marks": (keys("shift", "m"),),
    "remove": (pick("Red 3"), keys("delete")),
    "remove smoke": (pick("0"), keys("delete")),
}
"""What people do, one after the other on one table: selecting, then one step of undo."""


@pytest.fixture
def laid(driver: Driver) -> Driver:
    driver.desktop.open_table(new_file(None))
    driver.settle()
    driver.key("escape")
    return driver


def test_every_deed_is_one_step_undone_and_redone_to_the_byte(laid: Driver, tmp_path: Path) -> None:
    model = laid.model
    seen = [written(laid)]
    for number, (name, (*before, deed)) in enumerate(DEEDS.items(), 1):
        for each in before:
            each(laid)
        steps = len(model._undo)
        deed(laid)
        assert len(model._undo) == steps + 1, f"{name} is one step"
        seen.append(written(laid))
        assert seen[-1] != seen[-2], f"{name} does nothing"
        model.undo()
        assert written(laid) == seen[-2], f"{name} is not undone"
        model.redo()
        assert written(laid) == seen[-1], f"{name} is not redone"
        if number % 10 == 0 or number == len(DEEDS) - 2:  # before the last things are taken away
            opened_the_same(model.to_file(), tmp_path / "each.yaml", name)
    for number, name in reversed(list(enumerate(DEEDS))):
        model.undo()
        assert written(laid) == seen[number], f"{name} is not undone from the end"
    for number, name in enumerate(DEEDS, 1):
        model.redo()
        assert written(laid) == seen[number], f"{name} is not redone from the start"


def opened_the_same(file: SceneFile, path: Path, after: str) -> None:
    saved = save_scene(path, file)
    again = load_scene(path)
    assert not again.warnings, after
    assert dump_scene(again) == dump_scene(saved), f"after: {after}"
    assert again.scene.operatives == file.scene.operatives, f"after: {after}"
    assert terrain_of(again.scene) == terrain_of(file.scene), f"after: {after}"
    assert again.scene.terrain.walls == file.scene.terrain.walls, f"after: {after}"
    assert (again.scene.states, again.scene.smoke) == (file.scene.states, file.scene.smoke), f"after: {after}"
    assert (again.pairs, again.weapon, again.move) == (file.pairs, file.weapon, file.move), f"after: {after}"
    assert (again.photo.kept if again.photo else None) == (file.photo.kept if file.photo else None)
    for piece in every_piece(file):
        assert piece_of(again, piece.id) == piece, f"after: {after}"


def test_a_board_of_before_holds_nothing_that_can_be_made_again(driver: Driver) -> None:
    pair(driver)
    terrain, ruled = driver.model.scene.terrain, driver.model.ruling
    assert ruled is not None
    assert "lines" in terrain.kept
    driver.desktop.open_table(new_file("training-ground"))
    driver.settle()
    assert "lines" not in terrain.kept
    assert all(scene.terrain is not terrain for scene in _worlds)
    driver.model.undo()
    driver.settle()
    assert driver.model.scene.terrain is terrain
    assert driver.model.ruling is not None
    assert driver.model.ruling.as_text() == ruled.as_text()
