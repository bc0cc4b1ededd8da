"""The stage draws what the scene says, where the camera says, and only when asked; no display is needed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray
from stage_scenes import scene_file

from ktsim.app.stage import baking, cameras, overlays
from ktsim.app.stage import engine as engine_module
from ktsim.app.stage.cameras import Free, Pose
from ktsim.app.stage.engine import Engine
from ktsim.app.stage.silhouettes import Silhouettes
from ktsim.app.stage.stage import TableStage
from ktsim.app.ui.palettes import STANDARD
from ktsim.errors import UserError
from ktsim.sight.scene import Scene

SIZE = (320, 200)
ASPECT = SIZE[0] / SIZE[1]


@pytest.fixture(scope="module")
def engine() -> Iterator[Engine]:
    made = Engine.offscreen()
    yield made
    made.close()


@pytest.fixture(scope="module")
def stage(engine: Engine) -> Iterator[TableStage]:
    made = TableStage(engine, scene_file().scene.terrain, level="low")
    yield made
    made.close()


@pytest.fixture
def scene(stage: TableStage) -> Scene:
    """The table as written; whatever a test did before is undone."""
    found = replace(scene_file().scene, terrain=stage.terrain)
    stage.show(found)
    overlays.show(stage.overlays, [])
    stage.hide_from_eye(None)
    return found


def picture(stage: TableStage, pose: Pose, eye: bool = False) -> NDArray[np.int64]:
    return stage.still(pose, SIZE, eye=eye, supersample=1).astype(int)


def whole(stage: TableStage) -> Pose:
    return cameras.table_view(stage.terrain.board, ASPECT, stage.tops())


def around(
    pixels: NDArray[np.int64], pose: Pose, point: tuple[float, float, float], reach: int = 3
) -> NDArray[np.int64]:
    ((x, y, _),) = pose.project([point], SIZE)
    return pixels[round(y) - reach : round(y) + reach + 1, round(x) - reach : round(x) + reach + 1]


def test_operatives_wear_their_team_where_they_stand(stage: TableStage, scene: Scene) -> None:
    pose = whole(stage)
    pixels = picture(stage, pose)
    chest = 0.75
    blue = around(pixels, pose, (2, 5, chest)).reshape(-1, 3).mean(axis=0)
    red = around(pixels, pose, (11, 5, chest)).reshape(-1, 3).mean(axis=0)
    floor = around(pixels, pose, (6, 2, 0)).reshape(-1, 3).mean(axis=0)
    assert blue[2] > blue[0] + 30
    assert red[0] > red[2] + 30
    assert np.ptp(floor) < 30, "the floor is muted"


def test_an_operative_that_left_is_gone(stage: TableStage, scene: Scene) -> None:
    pose = whole(stage)
    stage.show(replace(scene, operatives=scene.operatives[:1]))
    red = around(picture(stage, pose), pose, (11, 5, 0.75)).reshape(-1, 3).mean(axis=0)
    assert red[0] < red[2] + 30


def test_opening_a_hatch_shows(stage: TableStage, scene: Scene) -> None:
    pose = whole(stage)
    shut = picture(stage, pose)
    stage.show(replace(scene, states={"h1": "open"}))
    opened = picture(stage, pose)
    changed = np.abs(shut - opened).sum(axis=2) > 60
    assert changed.sum() > 30
    rows, columns = np.nonzero(changed)
    points = [(x, y, z) for x in (9.5, 13.5) for y in (4.0, 8.5) for z in (0.0, 2.75)]
    spots = pose.project(points, SIZE)
    assert columns.min() >= spots[:, 0].min() - 2
    assert columns.max() <= spots[:, 0].max() + 2
    assert rows.min() >= spots[:, 1].min() - 2


def test_what_stands_in_the_sun_throws_a_shadow(stage: TableStage, scene: Scene) -> None:
    pose = cameras.top_view(stage.terrain.board, ASPECT)
    pixels = picture(stage, pose)
    x, y, z = stage.mood.sun
    edge = (8.0, 8.0) if x < 0 else (5.0, 8.0)
    below = 0.6  # of the block's height of 2.2": well inside its shadow on the floor
    dark = around(pixels, pose, (edge[0] - x / z * below, edge[1] - y / z * below, 0.0), 1).mean()
    light = around(pixels, pose, (4.5, 3.0, 0.0), 1).mean()
    assert dark < 0.8 * light


@pytest.mark.parametrize("free", [None, Free(0.0, 0.2, 0.6, 1.0)])
@pytest.mark.parametrize("view", ["table", "top"])
def test_the_projection_is_the_pictures(stage: TableStage, scene: Scene, view: str, free: Free | None) -> None:
    board = stage.terrain.board
    pose = cameras.table_view(board, ASPECT, free=free) if view == "table" else cameras.top_view(board, ASPECT, free)
    point = (9.0, 2.0, 1.5)
    without = picture(stage, pose)
    overlays.show(stage.overlays, [overlays.Spot(point)])
    changed = np.abs(picture(stage, pose) - without).sum(axis=2) > 40
    rows, columns = np.nonzero(changed)
    ((x, y, _),) = pose.project([point], SIZE)
    assert len(rows) >= 1
    assert abs(columns.mean() + 0.5 - x) < 1.5
    assert abs(rows.mean() + 0.5 - y) < 1.5


def test_overlays_are_faint_behind_terrain_and_not_lost(stage: TableStage, scene: Scene) -> None:
    pose = cameras.fitting(cameras.board_corners(stage.terrain.board), ASPECT, turn=0, tilt=20, fov=30)
    without = picture(stage, pose)
    behind = overlays.Line((5.5, 9.3, 1.0), (7.5, 9.3, 1.0), "target")
    before = overlays.Line((5.5, 6.7, 1.0), (7.5, 6.7, 1.0), "target")
    strength = []
    for line in (behind, before):
        overlays.show(stage.overlays, [line])
        middle = (6.5, line.start[1], 1.0)
        strength.append(np.abs(around(picture(stage, pose) - without, pose, middle, 2)).max())
    assert 15 < strength[0] < 0.7 * strength[1]


@pytest.mark.parametrize("level", ["low", "medium", "high"])
def test_who_stands_behind_terrain_shows_faintly_and_nothing_of_who_stands_in_the_open(
    engine: Engine, level: str
) -> None:
    found = scene_file().scene
    kess, raider = found.operatives
    hidden = replace(kess, x=6.5, y=9.55)
    made = TableStage(engine, found.terrain, level=level)  # type: ignore[arg-type]
    made.show(replace(found, operatives=(hidden, raider)))
    pose = cameras.fitting(cameras.board_corners(made.terrain.board), ASPECT, turn=0, tilt=12, fov=30)
    without = picture(made, pose)
    silhouettes = Silhouettes(made.overlays, STANDARD)
    silhouettes.show((hidden, raider))
    changed = picture(made, pose) - without
    silhouettes.show(())
    gone = picture(made, pose)
    made.close()
    assert (
        around(changed, pose, (6.5, 9.55, 0.9), 1)[..., 2].mean()
        > 8 + around(changed, pose, (6.5, 9.55, 0.9), 1)[..., 0].mean()
    ), "blue behind the block"
    _, columns = np.nonzero(np.abs(changed).sum(axis=2) > 12)
    spots = pose.project([(x, 9.55, z) for x in (5.7, 7.3) for z in (0.0, 2.2)], SIZE)
    assert columns.min() >= spots[:, 0].min() - 1
    assert columns.max() <= spots[:, 0].max() + 1
    assert (gone == without).all()


def test_the_eye_sees_neither_its_own_model_nor_lines(stage: TableStage, scene: Scene) -> None:
    pose = Pose((6.0, 1.0, 1.2), (-4.0, 4.0, -0.5), tangent=0.2, near=0.1)
    seen = picture(stage, pose, eye=True)
    stage.hide_from_eye("kess")
    hidden = picture(stage, pose, eye=True)
    body = (2.0, 5.0, 0.75)
    assert around(seen, pose, body)[..., 2].mean() > around(seen, pose, body)[..., 0].mean() + 30
    assert around(hidden, pose, body)[..., 2].mean() < around(hidden, pose, body)[..., 0].mean() + 30
    overlays.show(stage.overlays, [overlays.Line((2, 5, 0.7), (6, 5, 0.7), "blocked")])
    assert (picture(stage, pose, eye=True) == hidden).all()
    stage.hide_from_eye(None)
    assert (picture(stage, pose, eye=True) == seen).all()


def test_nothing_is_drawn_unasked(stage: TableStage, scene: Scene) -> None:
    view = stage.view(SIZE)
    view.look(whole(stage))
    stage.draw(view)
    first = stage.engine.pixels(view.picture)
    stage.show(replace(scene, operatives=()))
    for _ in range(3):
        stage.engine.render()
    assert not any(output.is_active() for output in view.outputs)
    assert (stage.engine.pixels(view.picture) == first).all()
    assert view.frames == 1
    stage.draw(view)
    assert (stage.engine.pixels(view.picture) != first).any()
    stage.drop(view)


def test_turning_the_camera_does_not_redraw_the_shadows(stage: TableStage, scene: Scene) -> None:
    view = stage.view(SIZE)
    view.look(whole(stage))
    stage.draw(view)
    before = stage.shadows.frames
    view.look(cameras.top_view(stage.terrain.board, ASPECT))
    stage.draw(view)
    assert stage.shadows.frames == before
    stage.show(replace(scene, operatives=scene.operatives[1:]))
    stage.draw(view)
    assert stage.shadows.frames == before + 1
    stage.drop(view)


def test_only_the_shadow_of_what_moved_is_drawn_again_and_all_look_as_if_they_were(
    stage: TableStage, scene: Scene
) -> None:
    pose = cameras.top_view(stage.terrain.board, ASPECT)
    first = picture(stage, pose)
    one, *others = scene.operatives
    changes = {
        "moved": (replace(one, x=one.x + 1.5, y=one.y + 0.7, turn=one.turn + 40), *others),
        "gone": tuple(others),
        "back": (one, *others),
        "another order": (replace(one, order="conceal" if one.order == "engage" else "engage"), *others),
    }
    for what, operatives in changes.items():
        stage.show(replace(scene, operatives=operatives))
        part, area = picture(stage, pose), stage.shadows.drawn
        assert (area.right - area.left) * (area.top - area.bottom) < stage.quality.shadow_size**2 / 10, what
        stage.shadows.spoil()
        # the edge of a shadow may fall on the other side of a pixel's middle
        assert ((part != picture(stage, pose)).any(axis=2)).sum() <= 3, what
        assert ((part != first).any(axis=2).sum() > 3) == (what != "back"), what


@pytest.mark.parametrize("level", ["low", "medium", "high"])
def test_before_a_camera_that_stands_still_only_what_changed_is_drawn_and_all_looks_as_if_it_were(
    engine: Engine, level: str
) -> None:
    scene = scene_file().scene
    stage = TableStage(engine, scene.terrain, level=level)  # type: ignore[arg-type]
    stage.show(scene)
    one, *others = scene.operatives
    view, pose = stage.view(SIZE), whole(stage)
    other_pose = cameras.top_view(scene.terrain.board, ASPECT)
    near, far = replace(one, x=one.x + 1.0, turn=40.0), replace(one, x=one.x + 3.5, y=one.y - 1.0)
    smoke = ((4.0, 4.0, 0.0),)
    steps = {
        "first": (scene, pose, (), "all"),
        "nothing": (scene, pose, (), "none"),
        "moved": (replace(scene, operatives=(near, *others)), pose, (), "some"),
        "moved far": (replace(scene, operatives=(far, *others)), pose, (far,), "some"),
        "not in the way": (replace(scene, operatives=(far, *others)), pose, (far, others[0]), "some"),
        "all in the way again": (replace(scene, operatives=(far, *others)), pose, (), "some"),
        "its shadow far below it": (replace(scene, operatives=(replace(far, level=4.0), *others)), pose, (), "some"),
        "gone": (replace(scene, operatives=tuple(others)), pose, (), "some"),
        "smoke": (replace(scene, smoke=smoke), pose, (), "all"),
        "another camera": (replace(scene, smoke=smoke), other_pose, (), "all"),
        "cleared": (scene, other_pose, (), "all"),
    }
    for what, (shown, seen_from, kept, drawn) in steps.items():
        stage.show(shown)
        view.kept = tuple(map(cameras.body_of, kept))
        view.look(seen_from)
        stage.draw(view)
        part = engine.pixels(view.picture)
        left, top, right, bottom = view.drawn
        share = (right - left) * (bottom - top) / (SIZE[0] * SIZE[1])
        assert drawn == ("all" if share == 1 else "some" if 0 < share < 0.5 else "none" if share == 0 else share), what
        view.spoil()
        stage.draw(view)
        assert (part == engine.pixels(view.picture)).all(), what
    stage.close()


@pytest.mark.parametrize("level", ["medium", "high"])
def test_the_better_levels_draw_the_same_table(engine: Engine, level: str) -> None:
    scene = scene_file().scene
    made = TableStage(engine, scene.terrain, level=level)  # type: ignore[arg-type]
    made.show(scene)
    pose = cameras.table_view(scene.terrain.board, 1.6, made.tops())
    pixels = made.still(pose, (160, 100), supersample=1).astype(int)
    made.close()
    ((x, y, _),) = pose.project([(11, 5, 0.75)], (160, 100))
    red = pixels[round(y) - 1 : round(y) + 2, round(x) - 1 : round(x) + 2].reshape(-1, 3).mean(axis=0)
    assert red[0] > red[2] + 30
    assert pixels.std() > 15


def test_an_engine_around_somebody_elses_output_draws_the_same(engine: Engine, stage: TableStage, scene: Scene) -> None:
    other = Engine.around(engine.host)
    made = TableStage(other, stage.terrain, level="low")
    made.show(scene)
    pose = whole(stage)
    assert (picture(made, pose) == picture(stage, pose)).all()
    made.close()


def test_stages_of_one_board_share_what_was_baked_until_the_last_is_closed(engine: Engine, scene: Scene) -> None:
    before = dict(baking._shared)
    one, two = (TableStage(engine, scene.terrain, level="low") for _ in range(2))
    assert {users for key, (_, users) in baking._shared.items() if key not in before} <= {2}
    two.show(scene)
    pose = whole(two)
    first = picture(two, pose)
    one.close()
    assert (picture(two, pose) == first).all()
    other = TableStage(engine, scene.terrain, level="low")  # after the driver has let go of nothing
    other.show(scene)
    assert (picture(other, pose) == first).all()
    for stage in (two, other):
        stage.close()
    assert baking._shared == before
    again = TableStage(engine, scene.terrain, level="low")
    again.show(scene)
    assert (picture(again, pose) == first).all()
    again.close()


def test_tables_draw_their_shadows_on_one_map_by_turns_and_each_has_its_own(engine: Engine, scene: Scene) -> None:
    one, two = (TableStage(engine, scene.terrain, level="low") for _ in range(2))
    moved = replace(scene.operatives[0], x=scene.operatives[0].x + 3, y=scene.operatives[0].y + 2)
    one.show(scene)
    two.show(replace(scene, operatives=(moved, *scene.operatives[1:])))
    pose = whole(one)
    first, second = picture(one, pose), picture(two, pose)
    assert (first != second).any()
    assert one.shadows.texture == two.shadows.texture
    for _ in range(2):
        assert (picture(one, pose) == first).all()
        assert (picture(two, pose) == second).all()
    asked = one.view(SIZE)
    asked.look(pose)
    one.prepare(asked)
    two.draw()  # before the engine has come to the other
    assert (engine.pixels(asked.picture) == first).all()
    one.close()
    assert (picture(two, pose) == second).all()
    two.close()


def test_where_somebody_waits_all_is_drawn_in_steps_first_and_looks_the_same(engine: Engine, scene: Scene) -> None:
    steps: list[float] = []
    plain = TableStage(engine, scene.terrain, level="low")
    plain.show(scene)
    plain.rehearse(whole(plain))
    assert plain.shadows.frames == 0, "nobody waits"
    engine.pause = steps.append
    laid = TableStage(engine, scene.terrain, level="low")
    try:
        laid.show(scene)
        stood = len(steps)
        laid.rehearse(whole(laid))
        assert len(steps) >= stood + 3
        assert steps == sorted(steps)
        assert steps[-1] < 1
        assert laid.shadows.frames == 1
        assert not laid.views
        assert (picture(laid, whole(laid)) == picture(plain, whole(plain))).all()
    finally:
        engine.pause = engine_module.no_pause
        laid.close()
        plain.close()


def test_a_picture_too_large_for_the_machine_is_refused(stage: TableStage, scene: Scene) -> None:
    with pytest.raises(UserError, match="too large"):
        stage.still(whole(stage), (stage.engine.largest() + 1, 100))


def test_without_opengl_one_sentence_names_the_package(monkeypatch: pytest.MonkeyPatch) -> None:
    class Nothing:
        @staticmethod
        def get_global_ptr() -> Nothing:
            return Nothing()

        def make_module_pipe(self, name: str) -> None:
            return None

    monkeypatch.setattr(engine_module, "GraphicsPipeSelection", Nothing)
    with pytest.raises(UserError, match="libegl1") as found:
        Engine.offscreen()
    assert len(found.value.problems) == 1
    assert "\n" not in str(found.value)
