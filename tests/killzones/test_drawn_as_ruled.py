"""What is drawn is what rules: no drawing leaves the ruling parts, no small holes, no clear line through a picture."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from trimesh import Trimesh

from ktsim import paths
from ktsim.app.stage.miniatures import figure_colours
from ktsim.content.mesh_file import read_own
from ktsim.geometry.solids import triangles_of
from ktsim.killzones.catalogue import load_named
from ktsim.killzones.figures import figure, models
from ktsim.killzones.pieces import load_piece, shipped
from ktsim.sight.scene import Base, Operative, Scene
from ktsim.sight.visibility import visible

sys.path.insert(0, str(Path(__file__).parents[2] / "scripts"))

from drawn_lines import Look, drawn_triangles
from terrain_builders.draft import RODS, Decor, Draft
from terrain_builders.outside import LOW, Ruled
from terrain_builders.pinholes import pinholes
from terrain_builders.shapes import box, cut, move
from terrain_builders.write import DrawnOutside, NotClosed, Pinhole, write

MM = 1 / 25.4
PIECES = [name for name in shipped() if load_piece(name).parts]
GROUNDS = [name for name in shipped() if name.startswith("ground-")]
GRIDS = ["gallowdark-1", "tomb-world-1"]


def corners(mesh: Trimesh) -> np.ndarray:
    return np.asarray(mesh.triangles, float)


# -- the shipped pieces ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", PIECES)
def test_no_piece_is_drawn_outside_of_what_rules(name: str) -> None:
    piece = load_piece(name)
    ruled = Ruled(np.concatenate([part.triangles for part in piece.parts]))
    # what is painted just as it rules needs no asking
    assert {part.name for part in piece.parts if part.visible}
    assert len(ruled.outside(piece.decor.triangles)) == 0


@pytest.mark.parametrize("name", PIECES)
def test_no_piece_has_pinholes(name: str) -> None:
    tight = [part.triangles for part in load_piece(name).parts if part.kind != RODS]
    assert len(pinholes(np.concatenate(tight))) == 0


@pytest.mark.parametrize("name", GROUNDS)
def test_what_lies_on_the_floor_is_below_all_lines(name: str) -> None:
    assert load_piece(name).decor.triangles[..., 2].max() <= LOW < 1.25 * MM


@pytest.mark.rule("KZ-WALL")
@pytest.mark.parametrize("name", GRIDS)
@pytest.mark.parametrize("state", ["closed", "open"])
def test_walls_on_a_grid_are_drawn_within_their_lines(name: str, state: str) -> None:
    killzone = load_named(name, Path())
    states = {feature.id: state for feature in killzone.terrain.features if state in feature.states}
    assert states
    parts = [part.triangles for part in Scene(killzone.terrain, (), states).parts()]
    once = {(place.piece, place.state): place for place in killzone.placements if place.feature}
    drawn = drawn_triangles(replace(killzone, placements=tuple(once.values())), states)
    assert drawn[..., 2].max() > 2.5
    assert len(Ruled(np.concatenate(parts)).outside(drawn)) == 0


def ordered(triangles: np.ndarray) -> np.ndarray:
    """The same triangles in an order that does not depend on the order of their meshes."""
    rows = np.round(triangles.reshape(-1, 9), 5) + 0.0
    return rows[np.lexsort(rows.T)]


@pytest.mark.rule("SIGHT-4")
@pytest.mark.parametrize("name", models())
def test_a_miniature_is_drawn_as_its_body(name: str) -> None:
    body = figure(name).triangles
    in_file = np.concatenate(
        [triangles_of(mesh) for mesh in read_own(paths.assets() / "figures" / f"{name}.glb").values()]
    )
    assert np.array_equal(ordered(body), ordered(in_file))
    assert len(figure_colours(figure(name), "red")) == len(body)


# -- lines -------------------------------------------------------------------------------------------------------


@pytest.mark.rule("SIGHT-9")
@pytest.mark.parametrize("name", ["volkus-2", "gallowdark-1", "bheta-decima-1", "tomb-world-3", "training-ground"])
def test_no_witness_crosses_anything_drawn(name: str) -> None:
    found = Look(name).slice(7, 40)
    assert found.seen == 40
    assert found.asked >= 40
    assert found.crossings == ()


def test_a_line_through_something_drawn_is_noticed() -> None:
    look = Look("training-ground")
    sheets = np.concatenate([corners(move(box(0.01, 60, 6), x, 11)) for x in np.arange(0, 30, 0.3)])
    sheets = np.concatenate([sheets, sheets[:, ::-1, [1, 0, 2]]])
    look.tables = [(states, _forest(sheets)) for states, _ in look.tables]
    assert len(look.slice(1, 5).crossings) == 5


def _forest(triangles: np.ndarray) -> object:
    from ktsim.geometry.forest import Grove, Tree

    return Grove.of([Tree.over(triangles)]).forest([(0, 0.0, 0.0, 0.0, 0.0)])


def test_past_the_corner_of_a_stronghold() -> None:
    """A target seen past a pilaster: the line that proves it is clear in the picture as well."""
    killzone = load_named("volkus-2", Path())
    one = Operative("a", "red", 4.599, 6.823, 0.0, Base.of_mm(40), figure("trooper"), turn=315)
    two = Operative("b", "blue", 10.019, 9.013, 0.0, Base.of_mm(25), figure("brute"), turn=351)
    found = visible(Scene(killzone.terrain, (one, two)), "a", "b")
    assert found.witness is not None
    start, end = np.array(found.witness)
    steps = start + np.linspace(0, 1, 400)[:, None] * (end - start)
    specks = np.repeat(steps[:, None], 3, axis=1) + np.array([[0, 0, 0], [1e-6, 0, 0], [0, 1e-6, 0]])
    inside = len(specks) - len(Ruled(drawn_triangles(killzone, {})).outside(specks, 1e-6))
    assert inside == 0


# -- the measure -------------------------------------------------------------------------------------------------

WALL = box(4, 0.25, 3)


@pytest.mark.parametrize(
    ("at", "is_outside"),
    [
        ((0, 0.125, 1.0), True),  # half of it stands out of the face
        ((0, 0.075 + 0.3 * MM, 1.0), True),  # by 0.3 mm
        ((0, 0.075 + 0.1 * MM, 1.0), False),  # by 0.1 mm
        ((0, 0, 1.0), False),  # inside
        ((3, 0, 0.0), True),  # a bollard beside it
        ((0, 0, 2.95), True),  # over its top
    ],
)
def test_drawing_outside_is_found(at: tuple[float, float, float], is_outside: bool) -> None:
    speck = corners(move(box(0.1, 0.1, 0.1), *at))
    assert bool(len(Ruled(corners(WALL)).outside(speck))) is is_outside


def test_a_large_triangle_is_searched_as_a_whole() -> None:
    """A drawn face whose corners are all inside leaves what rules only in its middle."""
    two = np.concatenate([corners(move(box(1, 1, 3), x)) for x in (-2, 2)])
    bridge = np.array([[[-2, 0, 1], [2, 0, 1], [2, 0.1, 1.2]]])
    assert len(Ruled(two).outside(bridge)) == 1
    closed = np.concatenate([two, corners(box(3.2, 1, 3))])
    assert len(Ruled(closed).outside(bridge)) == 0


def test_what_is_low_on_the_floor_may_lie_anywhere() -> None:
    ruled = Ruled(corners(WALL))
    assert len(ruled.outside(corners(move(box(0.2, 0.2, LOW), 3, 3)))) == 0
    assert len(ruled.outside(corners(move(box(0.2, 0.2, LOW + 0.01), 3, 3)))) > 0


@pytest.mark.parametrize(("width", "count"), [(0.1 * MM, 0), (1.5 * MM, 1), (4 * MM, 1), (8 * MM, 0)])
def test_pinholes_are_found(width: float, count: int) -> None:
    pierced = cut(WALL, [move(box(width, 1, width), 0.5, 0, 1.2)])
    found = pinholes(corners(pierced))
    # seen from both of its faces
    assert len(found) == 2 * count
    assert all(np.abs(hole[[0, 2]] - (0.5, 1.2)).max() < 5 * MM for hole in found)


def test_a_notch_is_no_pinhole() -> None:
    assert len(pinholes(corners(cut(WALL, [move(box(2 * MM, 1, 1), 0.5, 0, 2.5)])))) == 0


# -- writing -----------------------------------------------------------------------------------------------------


def test_what_stands_out_is_cut_off(tmp_path: Path) -> None:
    draft = Draft("hut", "hut")
    draft.part("walls", box(2, 2, 2), ["heavy"], drawn=[Decor(box(1.9, 1.9, 2), "iron")])
    draft.add(move(box(0.2, 0.4, 0.2), 0, 1.0, 1.0), "iron")
    draft.add(move(box(0.2, 0.2, 0.2), 3.0, 3.0, 1.0), "iron")
    write(tmp_path, draft)
    drawn = np.concatenate([triangles_of(m) for n, m in read_own(tmp_path / "hut.glb").items() if n != "walls"])
    assert drawn[..., 1].max() == pytest.approx(1.0, abs=1e-4)
    assert drawn[..., 0].max() < 1.01


def test_a_piece_that_is_not_drawn_as_it_rules_is_not_written(tmp_path: Path) -> None:
    ground = Draft("ground-high", "ground")
    ground.add(box(1, 1, 0.06), "iron")
    with pytest.raises(DrawnOutside):
        write(tmp_path, ground)
    holed = Draft("holed", "hut")
    holed.part("walls", cut(WALL, [move(box(0.08, 1, 0.08), 0.5, 0, 1.2)]), ["heavy"])
    with pytest.raises(Pinhole):
        write(tmp_path, holed)
    assert not list(tmp_path.iterdir())


def test_a_piece_with_an_open_part_is_not_written(tmp_path: Path) -> None:
    torn = Draft("torn", "hut")
    whole = box(2, 2, 2)
    torn.part("walls", Trimesh(whole.vertices, whole.faces[1:], process=False), ["heavy"])
    with pytest.raises(NotClosed):
        write(tmp_path, torn)
    inward = Draft("inward", "hut")
    inside_out = box(2, 2, 2)
    inside_out.invert()
    inward.part("walls", inside_out, ["heavy"])
    with pytest.raises(NotClosed):
        write(tmp_path, inward)
