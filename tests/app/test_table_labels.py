"""What labels over a table keep clear of, who of them chooses first, and which insist."""

from __future__ import annotations

import math

import pytest

from ktsim.app.play.marks import route_marks, words_over
from ktsim.app.play.routes import Route
from ktsim.app.stage.cameras import eye_view, fitting, head_of
from ktsim.app.stage.labels import figures, flags_of, marks
from ktsim.app.stage.overlays import Ghost, Label, Line, Measure, Ring, Spot
from ktsim.app.stage.picture import name_label
from ktsim.app.stage.ways import RouteLeg
from ktsim.app.ui import theme
from ktsim.app.ui.flag_places import FIGURE, MARKER, ROUTE, Solid
from ktsim.app.ui.rect import Rect
from ktsim.killzones.figures import figure
from ktsim.sight.scene import Base, Operative

WINDOW = Rect(0, 0, 1000, 600)
CORNERS = [(x, y, 0.0) for x in (0.0, 20.0) for y in (0.0, 12.0)]
SLANTED = fitting(CORNERS, WINDOW.w / WINDOW.h)
ABOVE = fitting(CORNERS, WINDOW.w / WINDOW.h, turn=0.0, tilt=90.0, fov=20.0)


def somebody(x: float, y: float, id: str = "a", level: float = 0.0) -> Operative:
    return Operative(id, "blue", x, y, level, Base.of_mm(32), figure(), 0.0, "engage")


def seen(pose: object, point: tuple[float, float, float]) -> tuple[float, float]:
    ((x, y, _),) = pose.project([point], (1000, 600))  # type: ignore[attr-defined]
    return float(x), float(y)


def holds(solid: Solid, at: tuple[float, float]) -> bool:
    return solid.left <= at[0] <= solid.right and solid.top <= at[1] <= solid.bottom


@pytest.mark.parametrize("pose", [SLANTED, ABOVE])
def test_a_figure_is_kept_clear_from_its_base_to_its_head(pose: object) -> None:
    one = somebody(8, 6)
    (body,) = figures(WINDOW, pose, [one])  # type: ignore[arg-type]
    assert body is not None
    assert body.dear == FIGURE
    r = one.base.along * 0.98
    for i in range(16):
        rim = (8 + r * math.cos(i * math.pi / 8), 6 + r * math.sin(i * math.pi / 8), 0.0)
        assert holds(body, seen(pose, rim))
    x, y, z = head_of(one)
    assert holds(body, seen(pose, (x, y, z)))
    assert holds(body, seen(pose, (x, y, z + one.figure.head_radius * 0.9)))
    # What lies clearly beside it is free.
    assert not holds(body, seen(pose, (8 + 3 * r, 6, 0.0)))
    assert not holds(body, seen(pose, (8, 6 - 3 * r, 0.0)))


def test_nobody_behind_the_camera_is_in_the_way() -> None:
    viewer, behind, ahead = somebody(8, 6), somebody(2, 6, "b"), somebody(14, 6, "c")
    pose = eye_view(viewer, head_of(ahead))
    own, gone, there = figures(WINDOW, pose, [viewer, behind, ahead])
    assert own is None
    assert gone is None
    assert there is not None


def test_markers_line_ends_and_bends_are_kept_clear() -> None:
    line = Line((2, 2, 1), (10, 8, 1), "blocked", (6, 5, 1))
    marker = Ring(15, 3, 0, Base(0.8, 0.8), 0.0, 0.02)
    leg = Label((4, 10, 0), "1", "target", along=((3, 10, 0), (5, 10, 0)))
    items = [line, marker, leg, Spot((12, 4, 0.2)), Measure((1, 1, 0), (2, 1, 0))]
    solids, strokes = marks(WINDOW, SLANTED, items, [], [(9, 2, 0)])
    assert all(solid.dear == MARKER for solid in solids)
    kept = [(2, 2, 1), (10, 8, 1), (6, 5, 1), (15, 3, 0), (3, 10, 0), (5, 10, 0), (12, 4, 0.2), (1, 1, 0), (9, 2, 0)]
    for x, y, z in kept:
        assert any(holds(solid, seen(SLANTED, (float(x), float(y), float(z)))) for solid in solids), (x, y, z)
    assert len(strokes) == 3
    assert max(stroke.dear for stroke in strokes) == ROUTE


def test_rings_around_somebody_and_rings_of_a_distance_are_no_markers() -> None:
    one = somebody(8, 6)
    around = Ring(8, 6, 0, one.base, 0.0, 0.13)
    wide = Ring(4, 4, 0, Base(0.5, 0.5), 0.0, 2.0)
    assert marks(WINDOW, SLANTED, [around, wide], [one], []) == ([], [])
    assert len(marks(WINDOW, SLANTED, [around, wide], [], [])[0]) == 1


def test_refusals_choose_first_then_what_is_marked_and_what_may_hide_last() -> None:
    labels = [
        name_label(somebody(2, 2, "may hide")),
        Label((4, 4, 1), "leg", "target", along=((3, 4, 0), (5, 4, 0))),
        Label((6, 4, 1), "name"),
        Label((8, 4, 1), "answer", "seen"),
        Label((10, 4, 1), "marked", is_marked=True),
        Label((12, 4, 1), "refused", "blocked"),
    ]
    found = flags_of(WINDOW, SLANTED, labels, [None] * len(labels), None)
    assert [flag.text for flag in found] == ["refused", "marked", "answer", "name", "leg", "may hide"]
    assert found[0].colour == theme.NO
    assert found[1].is_marked


def test_of_those_that_may_hide_the_nearest_chooses_first_unless_another_is_pointed_at() -> None:
    near, far = name_label(somebody(10, 1, "near")), name_label(somebody(10, 11, "far"))
    assert [flag.text for flag in flags_of(WINDOW, SLANTED, [far, near], [None, None], None)] == ["near", "far"]
    x, y = seen(SLANTED, far.at)
    found = flags_of(WINDOW, SLANTED, [far, near], [None, None], (x, y + 20))
    assert [(flag.text, flag.may_hide) for flag in found] == [("far", False), ("near", True)]


def test_answers_refusals_and_what_is_chosen_insist() -> None:
    assert Label((0, 0, 0), "x", "blocked").insists
    assert Label((0, 0, 0), "x", is_marked=True).insists
    assert not Label((0, 0, 0), "x").insists
    assert not Label((0, 0, 0), "x", "target", along=((0, 0, 0), (1, 0, 0))).insists


def test_the_words_about_a_leg_are_at_its_middle_and_know_the_leg() -> None:
    legs = (
        RouteLeg("move", (2000, 2000, 0), (4000, 2000, 0), 2.0, 2),
        RouteLeg("climb", (4000, 2000, 0), (4000, 2000, 3000), 3, 3),
    )
    items = route_marks(Route(((4000, 2000, 3000),), legs, 5), somebody(2, 2))
    first, second = [item for item in items if isinstance(item, Label)]
    assert first.at == (3, 2, 0)
    assert first.along == ((2, 2, 0), (4, 2, 0))
    assert second.along == ((4, 2, 0), (4, 2, 3))
    assert sum(isinstance(item, Ghost) for item in items) == 1


def test_the_marked_one_is_named_as_marked() -> None:
    assert words_over(somebody(2, 2), "Cutter", is_marked=True).is_marked
    assert not words_over(somebody(2, 2), "Cutter").is_marked
