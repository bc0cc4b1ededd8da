"""The Tomb World's terrain: breach points in both states, wall kits, pads, what is Light."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from ktsim.errors import UserError
from ktsim.killzones.catalogue import load_named, names
from ktsim.killzones.figures import figure
from ktsim.killzones.grid import kits, load_kit
from ktsim.killzones.killzone_file import load_killzone
from ktsim.killzones.pieces import load_piece, shipped
from ktsim.killzones.scene_file import load_scene
from ktsim.killzones.walls import wall_features
from ktsim.sight.distances import between
from ktsim.sight.junctions import hatch_leaves, wall_ends
from ktsim.sight.ruling import ruling
from ktsim.sight.scene import Base, BreachPoint, Hatchway, Operative, Scene, Terrain, WallLine, is_air
from ktsim.sight.visibility import visible

TOMBS = [name for name in names() if name.startswith("tomb-world-")]
LINES = (
    WallLine("w1", (10, 0), (10, 9)),
    WallLine("b1", (10, 9), (10, 13), breach=BreachPoint()),
    WallLine("w2", (10, 13), (10, 22)),
)


def table(state: str, *operatives: Operative, lines: tuple[WallLine, ...] = LINES) -> Scene:
    terrain = Terrain((20, 22), wall_features(lines), lines, rules=frozenset({"KZ-WALL", "KZ-WALL-ENDS"}))
    return Scene(terrain, operatives, {"b1": state})


def op(id: str, x: float, y: float) -> Operative:
    order = "conceal" if id == "b" else "engage"
    return Operative(id, id, x, y, 0.0, Base.of_mm(32), figure(), order=order)  # type: ignore[arg-type]


# -- sight -------------------------------------------------------------------------------------------------------


@pytest.mark.rule("KZ-TOMB-BREACH-POINT")
def test_traits_in_each_state() -> None:
    shut = {part.name: part for part in table("closed").parts() if part.feature == "b1"}
    assert set(shut) == {"wall", "access", "breach wall"}
    assert all(part.traits == {"heavy", "wall"} for part in shut.values())
    opened = {part.name: part for part in table("open").parts() if part.feature == "b1"}
    assert set(opened) == {"wall", "access"}
    assert is_air(opened["access"])
    feature = table("closed").terrain.feature("b1")
    assert feature.initial == "closed"


@pytest.mark.rule("KZ-TOMB-BREACH-POINT")
@pytest.mark.parametrize(("y", "seen"), [(11.0, True), (14.5, False)])
def test_sight_passes_an_open_one_only(y: float, seen: bool) -> None:
    one, two = op("a", 6, y), op("b", 14, y)
    assert visible(table("closed", one, two), "a", "b").witness is None
    assert (visible(table("open", one, two), "a", "b").witness is not None) is seen


@pytest.mark.rule("KZ-TOMB-BREACH-POINT", "KZ-WALL-ENDS")
def test_walls_end_on_both_sides_of_an_open_one() -> None:
    assert [end for end in wall_ends(table("closed")) if 9 < end.at[1] < 13] == []
    ends = [end for end in wall_ends(table("open")) if 9 < end.at[1] < 13]
    assert sorted(end.at[1] for end in ends) == pytest.approx([10.2, 11.8])
    assert {(end.kind, end.part.key, end.is_at_hatchway) for end in ends} == {("end", "b1/wall", True)}
    # nothing swings: that is a hatch's
    assert hatch_leaves(table("open")) == ()
    hatch = (LINES[0], WallLine("b1", (10, 9), (10, 13), hatchway=Hatchway()), LINES[2])
    assert len(hatch_leaves(table("open", lines=hatch))) == 1


@pytest.mark.rule("KZ-TOMB-BREACH-POINT", "KT24-COVER")
@pytest.mark.parametrize(("y", "covered"), [(10.4, True), (11.0, False)])
def test_its_sides_give_cover(y: float, covered: bool) -> None:
    """The side at y = 10.2 is near the target, and on lines only while the target stands close to it."""
    found = ruling(table("open", op("a", 4, 11.6 if covered else 11.0), op("b", 11, y)), "a", "b")
    assert found.visible
    assert found.in_cover is covered
    assert [source.key for source in found.cover] == (["b1/wall"] if covered else [])


@pytest.mark.rule("KZ-TOMB-BREACH-POINT", "SIGHT-17")
def test_distances_go_through_an_open_one() -> None:
    one, two = op("a", 8, 11), op("b", 12, 11)
    assert between(table("closed", one, two), "a", "b") == float("inf")
    assert between(table("open", one, two), "a", "b") == pytest.approx(4 - 32 / 25.4)


def test_scene_files_have_them(tmp_path: Path) -> None:
    path = tmp_path / "scene.yaml"
    walls = (
        "walls:\n  - {id: w1, line: [[10, 0], [10, 9]]}\n  - {id: b1, line: [[10, 9], [10, 13]], breach: {width: 2}}\n"
    )
    people = "operatives:\n  - {id: a, team: red, at: [6, 11]}\n  - {id: b, team: blue, at: [14, 11]}\n"
    path.write_text(f"ktsim: scene/1\nedition: kt24\n{walls}{people}", encoding="utf-8")
    assert load_scene(path).scene.terrain.walls[1].breach == BreachPoint(2.0)
    path.write_text(f"ktsim: scene/1\nedition: kt24\n{walls}states: {{b1: open}}\n{people}", encoding="utf-8")
    assert load_scene(path).scene.states == {"b1": "open"}
    both = walls.replace("breach: {width: 2}", "breach: {width: 2}, hatchway: {}")
    path.write_text(f"ktsim: scene/1\nedition: kt24\n{both}{people}", encoding="utf-8")
    with pytest.raises(UserError, match="'b1' has a hatchway and a breach point; leave one out"):
        load_scene(path)
    wide = walls.replace("width: 2", "width: 5")
    path.write_text(f"ktsim: scene/1\nedition: kt24\n{wide}{people}", encoding="utf-8")
    with pytest.raises(UserError, match="the breach point 'b1' is 5\" wide and its line only 4\" long"):
        load_scene(path)


# -- kits --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", kits())
def test_everything_a_kit_draws_is_shipped(name: str) -> None:
    kit = load_kit(name)
    drawn = {body for piece in kit.pieces.values() for body in piece.bodies} | {kit.pillar, kit.hatch}
    assert drawn <= set(shipped())
    assert kit.source == "estimated"
    assert (kit.thickness, kit.height) == (0.4, 2.75)


def test_a_grid_is_built_of_its_kit(tmp_path: Path) -> None:
    text = (
        "ktsim: killzone/1\nname: mine\nboard: [20, 20]\nsymmetry: none\n"
        "drop zones:\n  - {id: a, outline: [[0, 0], [2, 0], [2, 2]]}\n  - {id: b, outline: [[9, 0], [9, 2], [7, 2]]}\n"
        "grid:\n  kit: KIT\n  cells: [4, 4]\n  cell: [100, 100]\n"
        "  walls:\n    - {id: b1, piece: short-wall-breach, from: b2, to: c2}\n"
    )
    path = tmp_path / "killzone.yaml"
    path.write_text(text.replace("KIT", "tomb-world"), encoding="utf-8")
    killzone = load_killzone(path)
    (line,) = killzone.terrain.walls
    assert line.breach == BreachPoint()
    assert {place.piece for place in killzone.placements} >= {"tomb-world-breach-open", "tomb-world-breach-closed"}
    path.write_text(text.replace("KIT", "gallowdark"), encoding="utf-8")
    with pytest.raises(UserError, match="short-wall-breach"):
        load_killzone(path)
    path.write_text(text.replace("KIT", "tomb-wrold"), encoding="utf-8")
    with pytest.raises(UserError, match="did you mean 'tomb-world'"):
        load_killzone(path)


# -- the killzones -----------------------------------------------------------------------------------------------


@pytest.mark.rule("KZ-TOMB-BREACH-POINT", "KZ-TOMB-PAD", "KZ-TOMB-LIGHT")
@pytest.mark.parametrize("name", TOMBS)
def test_the_set_of_halls(name: str) -> None:
    killzone = load_named(name, Path())
    assert killzone.terrain.board == (27.5, 23.5)
    assert killzone.grid is not None
    walls = Counter(wall.piece for wall in killzone.grid.walls)
    assert walls == {piece: 4 if piece == "short-wall-hatchway" else 2 for piece in killzone.grid.kit.pieces}
    pieces = Counter(placement.piece.rstrip("-12") for placement in killzone.pieces.values())
    assert pieces == {"teleport-pad": 2, "sarcophagus": 2, "tomb-debris": 2}
    assert {f.initial for f in killzone.terrain.features if f.states} == {"closed"}
    assert len(killzone.objectives) == 3


def test_there_are_three_of_them() -> None:
    assert TOMBS == ["tomb-world-1", "tomb-world-2", "tomb-world-3"]


@pytest.mark.rule("KZ-TOMB-PAD", "KZ-TOMB-LIGHT")
def test_traits_of_pads_and_what_lies_about() -> None:
    (pad,) = load_piece("teleport-pad").parts
    assert pad.traits == {"exposed", "insignificant", "vantage"}
    assert pad.kind == "pad"
    for name in ("sarcophagus", "tomb-debris-1", "tomb-debris-2"):
        assert {part.traits for part in load_piece(name).parts} == {frozenset({"light"})}
