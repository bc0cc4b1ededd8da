"""Where a scene may say that somebody stands: a floor under the base, not inside terrain; what is only doubtful."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from sight_scenes import block, feature, op, table

from ktsim import paths
from ktsim.commands import rule as command
from ktsim.errors import UserError
from ktsim.geometry.solids import box, cylinder
from ktsim.killzones.figures import figure, usual_height
from ktsim.killzones.scene_file import load_scene, scene_from_text
from ktsim.rules.moving.ground import ground_of
from ktsim.sight.scene import Base, Feature, Scene
from ktsim.sight.standing import doubts, levels_under, place_problem, why_not

mark = pytest.mark
PLATFORM = block("p", "vantage", (3, 9, 2.85), (7, 13, 3))


def scene(text: str) -> Scene:
    return scene_from_text(f"ktsim: scene/1\nedition: kt24\n{text}", Path("s.yaml")).scene


def said(text: str) -> str:
    with pytest.raises(UserError) as caught:
        scene(text)
    (problem,) = caught.value.problems
    return str(problem)


def one_there(x: float, y: float, level: float, *features: Feature, base: float | Base = 32.0) -> str | None:
    who = op("a", x, y, level, base=base)
    return why_not(table(who, features=features), who)


@mark.rule("SIGHT-5", "KT24-MOVE-2")
def test_somebody_in_the_air_is_told_of_the_nearest_floor() -> None:
    found = said("operatives:\n  - {id: Red 1, team: red, at: [20, 11], level: 2.2}\n")
    assert found == (
        "s.yaml:4: the operative 'Red 1' cannot be at [20, 11] on level 2.2: there is no floor under it; "
        "the nearest level with a floor under it is 0"
    )


@mark.rule("SIGHT-5")
@mark.parametrize(("level", "nearest"), [(2.0, "3"), (1.2, "0"), (4.4, "3")])
def test_the_nearest_level_is_the_nearest_of_those_with_a_floor_there(level: float, nearest: str) -> None:
    who = op("a", 5, 11, level)
    text = place_problem(table(who, features=[PLATFORM, block("q", "vantage", (20, 9, 1), (24, 13, 2))]), who)
    assert text is not None
    assert text.endswith(f"a floor under it is {nearest}")


@mark.rule("KT24-MOVE-2")
@mark.parametrize(("x", "stands"), [(6.0, True), (6.99, True), (7.01, False), (7.6, False)])
def test_a_base_may_hang_over_an_edge_until_it_would_fall(x: float, stands: bool) -> None:
    why = one_there(x, 11, 3, PLATFORM)
    assert why == (None if stands else "its base hangs over the edge of p/body and would fall")


@mark.rule("KT24-MOVE-2")
def test_a_base_stands_across_a_gap_but_not_in_its_mouth() -> None:
    twin = block("q", "vantage", (7.8, 9, 2.85), (10, 13, 3))
    assert one_there(7.4, 11, 3, PLATFORM, twin) is None
    assert one_there(7.4, 11, 3, PLATFORM) is not None
    # 25 mm is less than the gap
    assert one_there(7.4, 11, 3, PLATFORM, block("q", "vantage", (8.1, 9, 2.85), (10, 13, 3)), base=25) is not None


@mark.rule("KT24-MOVE-2")
def test_an_oval_base_stands_lengthwise_where_it_would_fall_across() -> None:
    plank, other = (block(id, "vantage", (x, 10, 2.85), (x + 1, 12, 3)) for id, x in (("p", 3), ("q", 5.5)))
    assert one_there(4.75, 11, 3, plank, other, base=Base.of_mm(60, 35)) is None
    who = op("a", 4.75, 11, 3, base=Base.of_mm(60, 35), turn=90)
    assert why_not(table(who, features=[plank, other]), who) is not None


@mark.rule("SIGHT-5")
def test_nobody_is_wholly_inside_terrain_and_anybody_may_be_partly() -> None:
    found = said(
        "features:\n  - {id: w, parts: [{id: w, traits: [heavy], box: [[4, 10, 0], [6, 12, 3]]}]}\n"
        "operatives:\n  - {id: a, team: red, at: [5, 11]}\n"
    )
    assert "'a' cannot be at [5, 11] on level 0: it is wholly inside w/w; no level has a free floor there" in found
    place = found.split("free place is ")[1]
    x, y = (float(word) for word in place[1 : place.index("]")].split(", "))
    who = op("a", x, y)
    clear = table(who, features=[block("w", "heavy", (4, 10, 0), (6, 12, 3))])
    assert (why_not(clear, who), doubts(clear)) == (None, ())
    assert one_there(5.5, 11, 0, block("w", "heavy", (4, 10, 0), (6, 12, 3))) is None


@mark.rule("SIGHT-5", "SIGHT-1")
def test_two_halves_of_a_block_hold_nobody_either() -> None:
    halves = [block("l", "heavy", (4, 10, 0), (5, 12, 3)), block("r", "heavy", (5, 10, 0), (6, 12, 3))]
    assert one_there(5, 11, 0, *halves) == "it is wholly inside terrain"


@mark.rule("SIGHT-5")
def test_inside_a_block_with_vantage_the_top_is_named() -> None:
    who = op("a", 5, 11)
    text = place_problem(table(who, features=[block("w", "heavy vantage", (4, 10, 0), (6, 12, 1))]), who)
    assert text is not None
    assert text.endswith("the nearest level with a floor under it is 1")


@mark.rule("SIGHT-3", "KZ-HATCH-OPEN")
@mark.parametrize("traits", ["blocking", "insignificant heavy", "accessible insignificant exposed"])
def test_gaps_steps_and_openings_are_nothing_to_be_inside_of(traits: str) -> None:
    around = block("g", traits, (4, 10, 0), (6, 12, 3))
    assert one_there(5, 11, 0, around) is None
    assert doubts(table(op("a", 5, 11), features=[around])) == ()


def test_what_is_not_closed_does_not_swallow_anybody() -> None:
    open_box = feature("w", ("w", "heavy", box((4, 10, 0), (6, 12, 3))[:-1]))
    assert one_there(5, 11, 0, open_box) is None


@mark.rule("SIGHT-15")
def test_overlaps_are_doubts_with_their_depth() -> None:
    wall = block("w", "heavy", (5.5, 5, 0), (6, 15, 3))
    assert doubts(table(op("a", 5, 11), features=[wall])) == (
        "a's base runs 0.13\" into w/body; it is ruled where it stands.",
    )
    assert doubts(table(op("a", 4.87, 11), features=[wall])) == ()
    assert doubts(table(op("a", 5.7, 11), features=[wall])) == (
        "a's base runs with its middle into w/body; it is ruled where it stands.",
    )
    assert doubts(table(op("b", 15, 11), op("c", 15.2, 11))) == (
        'The bases of b and c overlap by 1.06"; they are ruled where they stand.',
    )
    assert doubts(table(op("b", 15, 11), op("c", 16.26, 11))) == ()
    stacked = block("p", "vantage", (10, 5, 2.85), (20, 15, 3))
    assert doubts(table(op("b", 15, 11), op("c", 15, 11, 3), features=[stacked])) == ()


def test_depth_and_overlap_of_ovals_are_measured_too() -> None:
    long = Base.of_mm(60, 35)
    wall = block("w", "heavy", (6, 5, 0), (7, 15, 3))
    (text,) = doubts(table(op("a", 5, 11, base=long), features=[wall]))
    assert '0.18"' in text  # 1.181 along x
    assert doubts(table(op("a", 5, 11, base=long, turn=90), features=[wall])) == ()
    (text,) = doubts(table(op("a", 5, 11, base=long), op("b", 6.5, 11)))
    assert '0.31"' in text  # 1.181 + 0.630 - 1.5


@mark.rule("KT24-MOVE-2")
@mark.parametrize("name", ["volkus-1", "bheta-decima-1"])
def test_wherever_moving_lets_stand_a_scene_does(name: str) -> None:
    terrain = load_scene(_example(name)).scene.terrain
    ground = ground_of(Scene(terrain))
    rng = np.random.default_rng(4)
    held = 0
    for level in ground.levels[1:]:
        for x, y in rng.uniform((1, 1), np.array(terrain.board) - 1, (60, 2)):
            if ground.stands_on(x, y, level) is not None:
                who = op("a", x, y, level)
                found = why_not(Scene(terrain, (who,)), who)
                assert found is None or found.startswith("it is wholly inside"), (x, y, level, found)
                held += 1
    assert held > 10


def _example(killzone: str) -> Path:
    files = sorted((paths.killzones() / "examples").glob("*.yaml"))
    return next(path for path in files if f"killzone: {killzone}" in path.read_text(encoding="utf-8"))


def test_no_example_is_doubtful() -> None:
    for path in sorted((paths.killzones() / "examples").glob("*.yaml")):
        assert doubts(load_scene(path).scene) == (), path.name


def test_the_levels_under_somebody() -> None:
    upper = block("q", "vantage", (4, 9, 5.35), (7, 13, 5.5))
    drum = feature("d", ("drum", "heavy", cylinder((6, 11, 0), 0.9, 2.0)))
    who = op("a", 6, 11)
    assert levels_under(table(who, features=[PLATFORM, upper, drum]), who) == (3.0, 5.5)
    assert levels_under(table(who, features=[PLATFORM]), replace(who, x=15.0)) == (0.0,)


# ---- figures ----


def test_a_figure_has_a_size_by_its_base_unless_it_says_one() -> None:
    bases = (25, 28, 32, 40, 50)
    for mm, tall in zip(bases, (1.1, 1.2, 1.3, 1.6, 2.0), strict=True):
        (who,) = scene(f"operatives:\n  - {{id: a, team: red, at: [9, 9], base: {mm}}}\n").operatives
        assert who.figure.triangles[..., 2].max() == pytest.approx(tall)
        assert who.figure.head[2] == pytest.approx(tall * 1.1 / 1.3)
    assert usual_height(Base.of_mm(36)) == pytest.approx(1.45)
    assert usual_height(Base.of_mm(60, 35)) == pytest.approx(usual_height(Base.of_mm((60 * 35) ** 0.5)))
    (who,) = scene("operatives:\n  - {id: a, team: red, at: [9, 9], base: 25, height: 1.7}\n").operatives
    assert who.figure is figure("trooper", 1.7)


def test_width_is_a_number_of_its_own() -> None:
    (who,) = scene("operatives:\n  - {id: a, team: red, at: [9, 9], height: 2, width: 0.5}\n").operatives
    corners = who.figure.triangles.reshape(-1, 3)
    assert np.ptp(corners, axis=0)[:2].max() == pytest.approx(0.5)
    assert corners[:, 2].max() == pytest.approx(2.0)
    assert who.figure.head_radius < figure("trooper", 2.0).head_radius


@mark.rule("SIGHT-4")
@mark.parametrize(
    ("more", "wrong"),
    [
        ("height: 4.0, body: {cylinder: {radius: 0.35, height: 1.25}}", "'height' is 4.0 and its body, a cylinder,"),
        ("width: 2, body: {cylinder: {radius: 0.35, height: 1.25}}", "'width' is 2 and its body, a cylinder, is 0.70"),
        ("head: {height: 1.25, radius: 1.5}", 'the head is 3.00" across and the whole body only 0.94" wide'),
        ("width: 3, head: {height: 0.9, radius: 0.7}", 'the head is 1.40" across and the whole body only 1.16" tall'),
    ],
)
def test_sizes_that_cannot_be_are_refused(more: str, wrong: str) -> None:
    assert wrong in said(f"operatives:\n  - {{id: a, team: red, at: [9, 9], {more}}}\n")


def test_a_height_that_says_the_same_as_the_body_is_no_contradiction() -> None:
    body = "height: 1.3, body: {cylinder: {radius: 0.35, height: 1.25}}, head: {height: 1.1, radius: 0.1}"
    assert scene(f"operatives:\n  - {{id: a, team: red, at: [9, 9], {body}}}\n").operatives


# ---- the date of the rules ----


@mark.rule("KT24-DATED")
def test_a_scene_says_as_of_when_it_is_ruled() -> None:
    who = "operatives:\n  - {id: a, team: red, at: [9, 9]}\n"
    assert scene(who).rules_as_of == "2025-03"
    assert scene(f"rules: 2026-01\n{who}").rules_as_of == "2026-01"
    assert said(f"rules: 2024-10\n{who}").endswith("is '2024-10'; the rules are known as of 2025-03 and 2026-01")


def test_command_refuses_an_unknown_date(tmp_path: Path) -> None:
    import argparse

    parser = argparse.ArgumentParser()
    command.add_arguments(parser)
    with pytest.raises(UserError, match="--rules is '2023'; the rules are known as of 2025-03 and 2026-01"):
        command.run(parser.parse_args([str(tmp_path / "s.yaml"), "--rules", "2023"]))
