"""Overlays show the ruling's own lines, in states that differ by more than colour."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from stage_scenes import covered, hidden, scene_file

from ktsim.app.card.overlay import overlays_of
from ktsim.app.card.view import RulingView
from ktsim.app.stage.overlays import (
    COLOURS,
    HALO,
    Coloured,
    Ghost,
    Highlight,
    Label,
    Line,
    Measure,
    Overlay,
    Paint,
    Ring,
    Spot,
    State,
    WallMark,
    lines_of,
    octahedron,
    outline,
    rim_point,
    shapes_of,
    sharp_edges,
)
from ktsim.geometry.solids import box
from ktsim.sight.scene import Base

# Machado, Oliveira and Fernandes 2009, severity 1, on linear RGB.
SIMULATED = {
    "deuteranopia": [
        [0.367322, 0.860646, -0.227968],
        [0.280085, 0.672501, 0.047413],
        [-0.011820, 0.042940, 0.968881],
    ],
    "protanopia": [
        [0.152286, 1.052583, -0.204868],
        [0.114503, 0.786281, 0.099216],
        [-0.003882, -0.048116, 1.051998],
    ],
    "greyscale": [[0.2126, 0.7152, 0.0722]] * 3,
}


def test_the_lines_are_the_rulings() -> None:
    scene, view = scene_file().scene, covered()
    drawn = {(line.start, line.end, line.hit) for line in lines_of(overlays_of(scene, view))}
    assert view.witness is not None
    assert drawn == {(*view.witness, None), (*view.cover[0].line, view.cover[0].point)}


def test_a_blocked_line_stops_where_the_ruling_says() -> None:
    scene, view = scene_file().scene, hidden()
    assert view.blocked is not None
    (line,) = lines_of(overlays_of(scene, view))
    assert (line.start, line.end, line.hit, line.state) == (*view.blocked.line, view.blocked.point, "blocked")


@pytest.mark.parametrize(
    ("view", "state"),
    [(replace(covered(), valid=True, in_cover=False, cover=()), "target"), (covered(), "seen")],
)
def test_the_witness_line_tells_valid_from_merely_visible(view: RulingView, state: State) -> None:
    witness = next(line for line in lines_of(overlays_of(scene_file().scene, view)) if line.hit is None)
    assert witness.state == state


def bright(item: Overlay) -> list[Coloured]:
    """The shapes of an overlay without the dark halo under it."""
    return [shape for shape in shapes_of(item) if shape.colour[:3] != HALO[:3]]


@pytest.mark.parametrize("item", [Line((0, 0, 1), (8, 0, 1), "seen"), Ring(0, 0, 0, Base.of_mm(32), 0, 1.0, 0.3)])
def test_a_dark_halo_lies_under_lines_and_rings(item: Overlay) -> None:
    halo, stroke = shapes_of(item)[:2]
    assert halo.colour[:3] == HALO[:3]
    assert len(halo.triangles) == len(stroke.triangles)
    assert (halo.triangles.min(axis=(0, 1)) <= stroke.triangles.min(axis=(0, 1))).all()


def test_solid_to_the_hit_and_dashed_beyond() -> None:
    start, hit, end = (0.0, 0.0, 1.0), (4.0, 0.0, 1.0), (8.0, 0.0, 1.0)
    solid, beyond, marker, *cross = bright(Line(start, end, "blocked", hit))
    assert solid.triangles[..., 0].max() == pytest.approx(4)
    assert beyond.triangles[..., 0].min() == pytest.approx(4)
    assert beyond.colour[3] < solid.colour[3]
    covered_length = np.unique(np.round(beyond.triangles[..., 0], 6))
    assert len(covered_length) > 12, "dashes, not one bar"
    assert marker.triangles.mean(axis=(0, 1)) == pytest.approx(hit)
    assert marker.insists
    assert len(cross) == 2


def test_states_differ_in_stroke_and_end() -> None:
    made = {s: bright(Line((0, 0, 1), (8, 0, 1), s)) for s in ("target", "seen")}
    made["blocked"] = bright(Line((0, 0, 1), (8, 0, 1), "blocked", (4, 0, 1)))
    bars = {state: len(shapes[0].triangles) for state, shapes in made.items()}
    ends = {state: len(shapes[-1 if state != "blocked" else 2].triangles) for state, shapes in made.items()}
    assert bars["seen"] > 5 * bars["target"], "long dashes against one solid bar"
    assert len({len(shapes) for shapes in made.values()}) == 2
    assert len(set(ends.values())) == 3, "ball, cube, octahedron"
    assert ends["blocked"] == len(octahedron((0, 0, 0), 1))


@pytest.mark.parametrize("kind", SIMULATED)
def test_states_can_be_told_apart_without_colour_vision(kind: str) -> None:
    matrix = np.array(SIMULATED[kind])
    seen = {
        state: np.clip(matrix @ (np.array(rgba[:3]) / 255) ** 2.2, 0, 1) ** (1 / 2.2) for state, rgba in COLOURS.items()
    }
    teal, white, orange = seen["target"], seen["seen"], seen["blocked"]
    assert np.abs(teal - white).max() > 0.12
    assert np.abs(orange - white).max() > 0.12
    if kind != "greyscale":
        assert np.abs(teal - orange).max() > 0.15
    else:
        assert (teal != orange).any(), "stroke and end carry the difference here"


@pytest.mark.parametrize("base", [Base.of_mm(32), Base.of_mm(60, 35)], ids=["round", "oval"])
@pytest.mark.parametrize("distance", [1.0, 2.0])
def test_rings_lie_that_far_outside_the_base(base: Base, distance: float) -> None:
    edge = outline(3, 4, base, 30, 0.0, 720)
    ring = outline(3, 4, base, 30, distance, 90)
    nearest = np.linalg.norm(ring[:, None] - edge[None], axis=2).min(axis=1)
    assert nearest == pytest.approx(np.full(90, distance), abs=2e-3)


def painted(shape: Coloured) -> float:
    """Square inches of it."""
    a, b, c = (shape.triangles[:, corner] for corner in range(3))
    return float(np.linalg.norm(np.cross(b - a, c - a), axis=1).sum() / 2)


def test_a_dashed_ring_has_gaps_and_a_zone_reaches_from_base_to_ring() -> None:
    ring = Ring(0, 0, 0, Base.of_mm(32), 0, 1.0, dash=0.28)
    whole = replace(ring, dash=0.0)
    (dashed,), (full,) = bright(ring), bright(whole)
    assert 0.4 < painted(dashed) / painted(full) < 0.75
    zone, _ = bright(replace(whole, fill=30))
    radii = np.linalg.norm(zone.triangles[..., :2], axis=2)
    assert radii.min() == pytest.approx(0.63, abs=0.01)
    assert radii.max() == pytest.approx(1.63, abs=0.01)


def test_rings_region_origin_and_part_are_there() -> None:
    scene, view = scene_file().scene, covered()
    items = overlays_of(scene, view)
    target = scene.operative("raider")
    assert any(isinstance(i, Ring) and (i.x, i.y, i.distance) == (target.x, target.y, 1.0) and i.fill for i in items)
    assert [i.at for i in items if isinstance(i, Spot)] == [*view.alternatives, view.origin]
    assert [i.outline for i in items if isinstance(i, Paint)] == list(view.regions)
    (part,) = [i for i in items if isinstance(i, Highlight)]
    assert part.triangles is next(p for p in scene.parts() if p.key == "barrel/drum").triangles
    words = [i.text for i in items if isinstance(i, Label)]
    assert words == ["kess", "raider", 'barrel (drum)  0.97"']


@pytest.mark.parametrize(("distance", "expected"), [(1.9, True), (7.74, False)])
def test_the_two_inch_ring_appears_only_near(distance: float, expected: bool) -> None:
    items = overlays_of(scene_file().scene, replace(covered(), distance=distance))
    assert any(isinstance(i, Ring) and i.distance == 2.0 for i in items) == expected


def test_wall_corners_and_ends_have_different_caps() -> None:
    corner, end = (shapes_of(WallMark(1, 2, 2.75, kind))[1].triangles for kind in ("corner", "end"))  # type: ignore[arg-type]
    assert len(corner) != len(end)
    assert corner[..., 2].max() > 2.75


@pytest.mark.parametrize(("length", "ticks"), [(4.5, 6), (5.0, 6), (0.4, 2)])
def test_a_tape_has_a_tick_at_both_ends_and_every_inch(length: float, ticks: int) -> None:
    _, tape = shapes_of(Measure((1, 2, 0.1), (1 + length, 2, 0.1)))
    one = len(shapes_of(Measure((0, 0, 0), (0.4, 0, 0)))[1].triangles) / 3
    assert len(tape.triangles) == one * (ticks + 1)
    assert tape.triangles[..., 0].max() == pytest.approx(1 + length, abs=0.03)


def test_a_ghost_stands_where_it_would_and_differs_when_it_may_not() -> None:
    raider = scene_file().scene.operative("raider")
    ghost = replace(raider, x=3.0, y=7.0, level=2.2)
    allowed, refused = shapes_of(Ghost(ghost)), shapes_of(Ghost(ghost, allowed=False))
    points = np.concatenate([shape.triangles.reshape(-1, 3) for shape in allowed])
    assert points[:, 0].mean() == pytest.approx(3.0, abs=0.3)
    assert points[:, 2].min() == pytest.approx(2.23, abs=0.02)
    assert sum(len(s.triangles) for s in allowed[2:]) == len(raider.figure.triangles)
    assert painted(refused[1]) < 0.8 * painted(allowed[1]), "a dashed base"
    assert allowed[1].colour != refused[1].colour


def test_a_box_is_traced_along_its_twelve_edges() -> None:
    assert len(sharp_edges(box((0, 0, 0), (1, 2, 3)))) == 12


@pytest.mark.parametrize("turn", [0, 25])
@pytest.mark.parametrize("normal", [0, 40, 135, 300])
def test_a_rim_point_is_on_the_rim_and_faces_that_way(turn: float, normal: float) -> None:
    base = Base.of_mm(60, 35)
    point = np.array(rim_point(3, 4, base, turn, normal))
    edge = outline(3, 4, base, turn, 0.0, 2000)
    way = np.array([np.cos(np.radians(normal)), np.sin(np.radians(normal))])
    assert np.linalg.norm(edge - point, axis=1).min() < 3e-3
    assert (edge - point) @ way == pytest.approx(np.minimum((edge - point) @ way, 1e-9)), "nothing lies beyond it"
