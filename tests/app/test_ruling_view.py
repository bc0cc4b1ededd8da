"""What is drawn of a ruling is what the ruling says: the engine's own lines, on real rulings."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from stage_scenes import scene_file

from ktsim.app.card.layout import lay_out
from ktsim.app.card.overlay import overlays_of, wall_marks
from ktsim.app.card.pictures import write_card
from ktsim.app.card.view import verdict, view_of
from ktsim.app.stage.overlays import Paint, Spot, lines_of
from ktsim.killzones.scene_file import load_scene
from ktsim.sight.part_names import readable
from ktsim.sight.ruling import Ruling, ruling
from ktsim.sight.scene import Edition, Scene


def rulings(count: int = 60) -> list[Ruling]:
    """Rulings on the small table with the operatives at random places, in both editions and orders."""
    scene = scene_file().scene
    rng = np.random.default_rng(11)
    found = []
    while len(found) < count:
        places = rng.uniform((0.8, 0.8), (13.2, 9.2), (2, 2))
        if np.linalg.norm(places[0] - places[1]) < 1.4:
            continue
        order = "conceal" if rng.random() < 0.5 else "engage"
        moved = [
            replace(o, x=float(x), y=float(y), order=order)  # type: ignore[arg-type]
            for o, (x, y) in zip(scene.operatives, places, strict=True)
        ]
        states = {"h1": "open"} if rng.random() < 0.5 else {}
        now: Scene = replace(scene, operatives=tuple(moved), states=states)
        edition: Edition = "kt24" if rng.random() < 0.6 else "kt21-lite"
        found.append(ruling(now, "kess", "raider", edition))
    return found


@pytest.fixture(scope="module")
def many() -> list[Ruling]:
    return rulings()


def test_the_sample_has_every_kind(many: list[Ruling]) -> None:
    assert {r.visible for r in many} == {True, False}
    assert {r.valid_target for r in many} == {True, False}
    assert any(r.cover for r in many)
    assert any(r.obscuring for r in many)


def test_overlay_lines_are_the_engines(many: list[Ruling]) -> None:
    for found in many:
        drawn = {(line.start, line.end, line.hit) for line in lines_of(overlays_of(found.scene, view_of(found)))}
        met = (*found.cover, *found.obscuring) if found.visible else ()
        expected = {(*crossing.line, crossing.at) for crossing in met}
        if found.witness is not None:
            expected.add((*found.witness, None))
        if found.sighting.block is not None:
            expected.add((*found.sighting.block.line, found.sighting.block.at))
        assert drawn == expected


def test_the_deciding_line_is_among_them(many: list[Ruling]) -> None:
    for found in many:
        view = view_of(found)
        _, line, hit, part = view.deciding
        if line is None:
            continue
        drawn = lines_of(overlays_of(found.scene, view))
        assert (*line, hit) in {(d.start, d.end, d.hit) for d in drawn}
        assert sum(d.strong for d in drawn) == 1
        if not found.visible:
            assert found.sighting.block is not None
            assert part == found.sighting.block.by


def test_the_chosen_origin_is_marked_and_lies_on_the_painted_region(many: list[Ruling]) -> None:
    for found in many:
        items = overlays_of(found.scene, view_of(found))
        if not found.visible:
            assert not any(isinstance(item, (Spot, Paint)) for item in items), "nobody asks where lines come from"
            continue
        assert [i.at for i in items if isinstance(i, Spot)][-1] == found.origin
        shooter = found.scene.operative("kess")
        for paint in (i for i in items if isinstance(i, Paint)):
            away = [math.dist(p, (shooter.x, shooter.y)) for p in paint.outline]
            assert away[0] == 0
            assert away[1:] == pytest.approx([shooter.base.along] * (len(away) - 1))


def test_the_card_says_what_the_ruling_says(many: list[Ruling]) -> None:
    for found in many:
        view = view_of(found)
        made = lay_out(view, (("Ruled by", "a test"),), lambda text, kind, wrap: (7.0 * len(text), 17.0))
        assert view.sentence == readable(found.headline, found.scene.terrain)
        for kind, told in (("reason", found.reasons), ("aside", found.set_aside)):
            rows = [(row.rule, row.text) for row in made.rows if row.kind == kind]
            assert rows == [(each.rule, readable(each.text, found.scene.terrain)) for each in told]
        assert [row.text for row in made.rows if row.kind == "warning"] == list(view.warnings)
        assert verdict(view).startswith("VALID TARGET") == found.shootable
        if found.shootable and not found.choice:
            assert (", IN COVER" in verdict(view)) == found.in_cover
            assert (", OBSCURED" in verdict(view)) == found.obscured


@pytest.mark.rule("KZ-WALL-ENDS")
def test_wall_marks_follow_the_hatch() -> None:
    scene = scene_file().scene
    shut = wall_marks(scene)
    opened = wall_marks(replace(scene, states={"h1": "open"}))
    assert {mark.kind for mark in shut} == {"corner", "end"}
    assert set(wall_marks(scene, {"w1/wall"})) < set(shut)
    assert wall_marks(scene, set()) == ()
    assert sum(mark.kind == "end" for mark in opened) > sum(mark.kind == "end" for mark in shut)


def test_a_card_of_a_real_ruling(tmp_path: Path) -> None:
    file = scene_file()
    path = tmp_path / "card.png"
    asked = replace(file.scene, states={"h1": "open"}, rules_as_of="2026-01")
    write_card(file, ruling(asked, "raider", "kess", "kt24"), path, quality="low")
    assert path.stat().st_size > 20_000
    carried = load_scene(path)
    assert carried.pairs == (("raider", "kess"),)
    assert (carried.scene.states, carried.scene.rules_as_of) == ({"h1": "open"}, "2026-01")
    one, two = (ruling(scene, "raider", "kess", "kt24") for scene in (asked, carried.scene))
    assert one.as_json("x") == two.as_json("x")
