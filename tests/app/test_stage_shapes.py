"""Meshes, cameras and picking: the numbers behind the pictures."""

from __future__ import annotations

import math

import numpy as np
import pytest
from stage_scenes import scene_file

from ktsim.app.stage import cameras
from ktsim.app.stage.board import ground, in_water, shore_image, shores
from ktsim.app.stage.cameras import Free
from ktsim.app.stage.looks import plain_look
from ktsim.app.stage.materials import MOODS, Material, mood_named
from ktsim.app.stage.meshes import PaintedShape, creased_normals, packed, simplified, without_crumbs
from ktsim.app.stage.miniatures import base_shape, figure_colours, order_token
from ktsim.app.stage.picking import Picker, on_level
from ktsim.app.stage.solids import ball, bevelled_box, hull_of_rings, lathe, tube
from ktsim.geometry.solids import box
from ktsim.killzones.figures import cylinder_figure, figure
from ktsim.sight.scene import Area, Base, Feature, Part, Terrain

SOLIDS = {
    "box": bevelled_box((1, 2, 3)),
    "lathe": lathe([(1, 0), (0.5, 1), (0.2, 2)]),
    "ball": ball((1, 2, 3), 0.5),
    "tube": tube((0, 0, 0), (1, 2, 0.5), 0.1),
    "upright tube": tube((0, 0, 0), (0, 0, 2), 0.1),
}


def volume(mesh: np.ndarray) -> float:
    return float(np.einsum("ij,ij->i", mesh[:, 0], np.cross(mesh[:, 1], mesh[:, 2])).sum() / 6)


@pytest.mark.parametrize("name", SOLIDS)
def test_solids_are_closed_and_face_outwards(name: str) -> None:
    mesh = SOLIDS[name]
    edges: dict[tuple[tuple[float, ...], tuple[float, ...]], int] = {}
    for triangle in np.round(mesh, 6):
        for a, b in ((0, 1), (1, 2), (2, 0)):
            key = (tuple(triangle[a]), tuple(triangle[b]))
            edges[key] = edges.get(key, 0) + 1
    assert all(edges.get((b, a)) == count for (a, b), count in edges.items())
    assert volume(mesh) > 0


def test_a_prism_of_rings_has_its_volume() -> None:
    ring = np.array([(0, 0, 0), (2, 0, 0), (2, 1, 0), (0, 1, 0)], float)
    assert volume(hull_of_rings([ring, ring + np.array([0, 0, 3])])) == pytest.approx(6)


def test_a_box_keeps_its_edges_and_a_ball_loses_them() -> None:
    flat = box((0, 0, 0), (1, 1, 1))
    face = np.cross(flat[:, 1] - flat[:, 0], flat[:, 2] - flat[:, 0])
    face /= np.linalg.norm(face, axis=1)[:, None]
    assert np.allclose(creased_normals(flat), np.repeat(face, 3, axis=0))
    round_one = ball((0, 0, 0), 1.0, 24, 16)
    assert np.allclose(creased_normals(round_one), round_one.reshape(-1, 3), atol=0.08)


def test_indexing_changes_no_corner_and_no_colour() -> None:
    shape = PaintedShape.joined(
        [
            PaintedShape.painted(ball((0, 0, 0), 1), (10, 20, 30), 3),
            PaintedShape.painted(box((0, 0, 0), (1, 1, 1)), (90, 0, 0), 4),
        ]
    )
    rows, index = packed(shape)
    assert len(rows) < 3 * len(shape.triangles)
    assert np.allclose(rows["position"][index].reshape(-1, 3, 3), shape.triangles, atol=1e-6)
    assert (rows["colour"][index].reshape(-1, 3, 4) == shape.colours[:, None]).all()


def test_crumbs_go_and_the_rest_stays() -> None:
    big, rivet = box((0, 0, 0), (2, 2, 2)), box((3, 0, 0), (3.1, 0.1, 0.1))
    shape = PaintedShape.joined([PaintedShape.painted(big, (1, 1, 1), 1), PaintedShape.painted(rivet, (2, 2, 2), 4)])
    assert len(without_crumbs(shape, 0.3).triangles) == len(big)
    assert len(without_crumbs(shape, 0.1).triangles) == len(big) + len(rivet)


def test_simplifying_keeps_what_is_larger_than_a_cell() -> None:
    cube = PaintedShape.painted(box((0.01, 0.01, 0.01), (2.01, 2.01, 2.01)), (1, 1, 1), 1)
    assert volume(simplified(cube, 0.06).triangles) == pytest.approx(8)
    fine = PaintedShape.painted(ball((0, 0, 0), 0.1, 32, 24), (1, 1, 1), 1)
    assert 0 < len(simplified(fine, 0.06).triangles) < len(fine.triangles) / 3
    sheet = PaintedShape.painted(box((0, 0, 0.001), (2, 2, 0.02)), (1, 1, 1), 1)
    normal = creased_normals(simplified(sheet, 0.06).triangles)
    assert (normal[:, 2] > 0.9).any(), "a thin sheet still has an upper side"


def test_our_models_wear_the_team_and_strangers_get_a_pale_head() -> None:
    trooper = figure("trooper")
    blue, red = figure_colours(trooper, "blue"), figure_colours(trooper, "red")
    assert 0.2 < (blue != red).any(axis=1).mean() < 0.8
    assert (blue[:, 3] // 16 == Material.FIGURE).all()
    plain = cylinder_figure(0.3, 1.2)
    assert len(figure_colours(plain, "blue")) == len(plain.triangles)


def test_red_bases_differ_in_shape_too() -> None:
    base = Base.of_mm(32)
    assert len(base_shape(base, "red").triangles) > len(base_shape(base, "blue").triangles)


def test_orders_differ_in_shape() -> None:
    base = Base.of_mm(32)
    engage, conceal = order_token("engage", base), order_token("conceal", base)
    assert len(engage.triangles) != len(conceal.triangles)
    assert engage.triangles[..., 0].max() < 0, "at the back"


def test_gaps_are_veils_and_open_access_points_are_nothing() -> None:
    terrain = scene_file().scene.terrain
    (gap,) = plain_look(terrain.feature("pipe")).in_state(None)
    assert gap.veil
    hatchway = terrain.feature("h1")
    look = plain_look(hatchway)
    opened, shut = look.in_state("open"), look.in_state("closed")

    def across(placed: tuple, veil: bool) -> int:
        return sum(len(p.shape.triangles) for p in placed if p.veil == veil)

    assert across(opened, False) < across(shut, False), "the access point is not drawn"
    assert across(opened, True) == 12
    assert across(shut, True) == 0


@pytest.mark.parametrize("turn", [0.0, 30.0, 90.0])
def test_barred_parts_are_bars_that_fill_their_place(turn: float) -> None:
    """Wherever and however the part stands: no larger than it, as wide and high, mostly gaps."""
    plate = box((-0.02, -0.5, 0.7), (0.02, 0.5, 1.5))
    c, s = math.cos(math.radians(turn)), math.sin(math.radians(turn))
    spin = np.array([(c, -s, 0.0), (s, c, 0.0), (0.0, 0.0, 1.0)])
    part = Part("ruin", "bars", frozenset({"barred", "heavy"}), plate @ spin.T + np.array((10.0, 11.0, 0.0)))
    (placed,) = plain_look(Feature("ruin", (part,))).shapes
    drawn = (placed.shape.triangles + np.array(placed.at) - np.array((10.0, 11.0, 0.0))) @ spin
    low, high = drawn.reshape(-1, 3).min(axis=0), drawn.reshape(-1, 3).max(axis=0)
    assert low[1:] == pytest.approx((-0.5, 0.7), abs=0.02)
    assert high[1:] == pytest.approx((0.5, 1.5), abs=0.02)
    assert max(abs(low[0]), abs(high[0])) < 0.06  # hardly thicker than the part
    assert 0 < volume(drawn) < 0.08 * 1.0 * 0.8 * 0.7  # mostly gaps
    uprights = drawn[np.ptp(drawn[..., 2], axis=1) > 0.5]
    assert len({round(float(y), 1) for y in uprights[..., 1].mean(axis=1)}) >= 4
    solid = Part("ruin", "plate", frozenset({"heavy"}), part.triangles)
    assert plain_look(Feature("ruin", (solid,))).shapes[0].shape.triangles.shape == plate.shape


def test_moods_are_found_by_the_start_of_a_name() -> None:
    assert mood_named("volkus-2") is MOODS["volkus"]
    assert mood_named("bheta-decima") is MOODS["bheta-decima"]
    assert mood_named("my table") is MOODS["training"]


WET = Terrain((10.0, 8.0), areas=(Area("sea", "hazardous", ((0, 0), (4, 0), (4, 8), (0, 8))),))


def test_water_lies_in_the_hazardous_areas() -> None:
    assert list(in_water(WET, np.array([1.0, 3.9, 4.1]), np.array([1.0, 7.0, 7.0]))) == [True, True, False]
    image = shore_image(WET, 100)
    assert image.shape == (80, 100, 2)
    assert image[40, 20, 0] > 0
    assert image[40, 20, 1] == 0
    assert image[40, 60, 0] == 0
    assert image[40, 60, 1] == pytest.approx(255 / 4 * 2.05, abs=4)


def test_shores_face_the_water_and_leave_out_the_boards_edge() -> None:
    mesh = shores(WET).triangles
    assert np.allclose(mesh[..., 0], 4.0)
    normals = np.cross(mesh[:, 1] - mesh[:, 0], mesh[:, 2] - mesh[:, 0])
    assert (normals[:, 0] < 0).all()
    top = ground(WET, MOODS["training"]).triangles
    assert top[..., 2].max() == 0.0


@pytest.mark.parametrize("turn", [-20, 70, 180, 255])
@pytest.mark.parametrize("free", [Free(), Free(0.3, 0.1, 0.9, 0.7)])
def test_a_fitting_camera_shows_all_points_in_the_free_space(turn: float, free: Free) -> None:
    rng = np.random.default_rng(4)
    points = rng.uniform((0, 0, 0), (12, 6, 3), (20, 3))
    size = (800, 500)
    pose = cameras.fitting(points, 1.6, turn=turn, tilt=35, free=free, margin=0.02)
    spots = pose.project(points, size)
    assert spots[:, 0].min() >= free.left * 800
    assert spots[:, 0].max() <= free.right * 800
    assert spots[:, 1].min() >= free.top * 500
    assert spots[:, 1].max() <= free.bottom * 500
    room = ((free.right - free.left) * 800, (free.bottom - free.top) * 500)
    used = (np.ptp(spots[:, 0]) / room[0], np.ptp(spots[:, 1]) / room[1])
    assert max(used) == pytest.approx(0.96, abs=0.002), "and is as near as that allows"
    assert pose.near < spots[:, 2].min()
    assert spots[:, 2].max() < pose.far


def test_a_ray_goes_through_the_pixel_it_was_asked_for() -> None:
    pose = cameras.table_view((30, 22), 1.6, free=Free(0.1, 0.0, 0.8, 0.9))
    origin, direction = pose.ray((123.0, 345.0), (800, 500))
    ((x, y, _),) = pose.project([origin + 17 * direction], (800, 500))
    assert (x, y) == pytest.approx((123.0, 345.0))


@pytest.mark.parametrize(
    ("point", "kind", "id", "standable"),
    [
        ((4.0, 3.0, 0.0), "floor", "", True),
        ((6.5, 8.0, 2.2), "part", "block/roof", True),
        ((6.5, 7.0, 1.0), "part", "block/stone", False),
        ((9.0, 5.0, 1.0), "part", "barrel/drum", False),
        ((2.0, 5.0, 1.0), "operative", "kess", False),
        ((3.0, 8.0, 0.0), "floor", "", True),
    ],
    ids=["floor", "level", "wall", "barrel", "operative", "through a gap"],
)
def test_picking_finds_what_is_drawn_there(
    point: tuple[float, float, float], kind: str, id: str, standable: bool
) -> None:
    scene = scene_file().scene
    size = (800, 500)
    pose = cameras.fitting(cameras.board_corners((14, 10)), 1.6, turn=0, tilt=50)
    ((x, y, _),) = pose.project([point], size)
    picked = Picker(scene).under((float(x), float(y)), pose, size)
    assert picked is not None
    assert (picked.kind, picked.id, picked.standable) == (kind, id, standable)
    if kind != "operative":
        assert picked.point == pytest.approx(point, abs=1e-6)


def test_beside_the_board_there_is_nothing() -> None:
    pose = cameras.top_view((14, 10), 1.6)
    ((x, y, _),) = pose.project([(-2.0, 5.0, 0.0)], (800, 500))
    assert Picker(scene_file().scene).under((float(x), float(y)), pose, (800, 500)) is None


def test_dragging_stays_on_a_level() -> None:
    pose = cameras.table_view((14, 10), 1.6)
    ((x, y, _),) = pose.project([(6.0, 8.0, 2.2)], (800, 500))
    assert on_level((float(x), float(y)), pose, (800, 500), 2.2) == pytest.approx((6.0, 8.0))


def test_a_camera_prefers_the_side_that_hides_least() -> None:
    picker = Picker(scene_file().scene)
    spot = [(6.5, 9.6, 0.2)]
    assert picker.hides((6.5, -10.0, 5.0), spot) == 1
    assert picker.hides((6.5, 30.0, 5.0), spot) == 0


def test_the_eye_is_in_the_head_and_turns_with_it() -> None:
    scene = scene_file().scene
    kess = scene.operative("kess")
    x, y, z = cameras.head_of(kess)
    assert (x, y) == pytest.approx((2, 5))
    assert z == pytest.approx(kess.figure.head[2])
    pose = cameras.eye_view(kess, (11, 5, 0.6))
    assert pose.eye == (x, y, z)
    assert math.isclose(pose.forward[1], 0, abs_tol=1e-9)


def test_one_shape_joined_is_that_shape() -> None:
    """Most pieces of terrain are one: they are not held twice."""
    one = PaintedShape.painted(box((0, 0, 0), (1, 1, 1)), (90, 0, 0), 4)
    assert PaintedShape.joined([one]) is one
    assert len(PaintedShape.joined([one, one]).triangles) == 2 * len(one.triangles)
