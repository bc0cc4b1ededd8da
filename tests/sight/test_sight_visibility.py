"""Who sees what (SIGHT-7 to SIGHT-9): slits, witnesses, proofs, what obstructs and what does not."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import sight_oracle as oracle
from sight_scenes import BOARD, R32, block, doll, feature, finer, op, random_table, table, trooper, turned

from ktsim.geometry.solids import box
from ktsim.killzones.figures import cylinder_figure
from ktsim.sight.obstacles import world_of
from ktsim.sight.scene import EPS, MM, Feature, Hatchway, Part, Scene, WallLine
from ktsim.sight.seen_parts import sees_part_near
from ktsim.sight.visibility import sees_disc, sees_point, visible

THIN = 0.02


def screen(slit_mm: float, at: float, upright: bool = True, cuts: int = 0) -> Feature:
    """A thin tall wall at x = 10 with one slit: upright at y = *at*, or level at the height *at*."""
    half = slit_mm / 2 * MM
    x0, x1 = 10 - THIN / 2, 10 + THIN / 2
    if upright:
        halves = box((x0, 5, 0), (x1, at - half, 8)), box((x0, at + half, 0), (x1, 17, 8))
    else:
        halves = box((x0, 5, 0), (x1, 17, at - half)), box((x0, 5, at + half), (x1, 17, 8))
    return feature("screen", *((name, "heavy", finer(mesh, cuts)) for name, mesh in zip("lr", halves, strict=True)))


def across(slit: Feature, body: bool = False) -> Scene:
    figure = trooper() if body else doll()
    return table(op("a", 5, 11, body=figure), op("b", 15, 11, turn=180, body=figure), features=[slit])


# Heads reach 0.1 to the side, bodies 0.35: a slit in the middle is on a line when it is within 0.22 of the middle.
UPRIGHT = [(10.85, 0, 0.0), (11.0, 1, 30.0), (11.1, 2, -77.0), (11.2, 0, 135.0)]
LEVEL = [(0.9, 2, 0.0), (1.1, 0, 61.0)]


@pytest.mark.rule("SIGHT-6")
@pytest.mark.parametrize("width", [0.90, 0.98, 1.02, 1.20])
@pytest.mark.parametrize(("at", "cuts", "angle"), UPRIGHT)
def test_upright_slits_show_the_target_from_one_millimetre_on(width: float, at: float, cuts: int, angle: float) -> None:
    scene = turned(across(screen(width, at, cuts=cuts)), angle)
    found = visible(scene, "a", "b")
    assert found.visible == (width > 1)
    if found.witness:
        oracle.check_witness(scene, "a", "b", found.witness)


@pytest.mark.rule("SIGHT-6")
@pytest.mark.parametrize("width", [0.90, 0.98, 1.02, 1.20])
@pytest.mark.parametrize(("at", "cuts", "angle"), LEVEL)
def test_level_slits_show_the_target_from_one_millimetre_on(width: float, at: float, cuts: int, angle: float) -> None:
    scene = turned(across(screen(width, at, upright=False, cuts=cuts)), angle)
    assert visible(scene, "a", "b").visible == (width > 1)


@pytest.mark.rule("SIGHT-6")
@pytest.mark.parametrize(("width", "seen"), [(0.98, False), (1.02, True)])
def test_a_slit_before_a_sculpted_figure(width: float, seen: bool) -> None:
    assert visible(across(screen(width, 11.0), body=True), "a", "b").visible == seen


@pytest.mark.rule("SIGHT-9")
@pytest.mark.parametrize(
    ("width", "seen", "close"),
    [(0.70, False, False), (0.90, False, True), (0.98, False, True), (1.02, True, True), (1.40, True, False)],
)
def test_clear_or_blocked_by_less_than_a_tenth_is_too_close_to_call(width: float, seen: bool, close: bool) -> None:
    found = visible(across(screen(width, 11.0)), "a", "b")
    assert (found.visible, found.close_call) == (seen, close)
    if not seen:
        assert found.witness is None
        assert found.block is not None
        assert found.block.by.startswith("screen/")
        assert found.block.at[0] == pytest.approx(10, abs=THIN)


@pytest.mark.rule("SIGHT-9")
def test_open_ground_and_a_massive_wall_are_no_close_calls() -> None:
    free = visible(table(op("a", 5, 11), op("b", 15, 11)), "a", "b")
    assert free.visible
    assert not free.close_call
    shut = visible(across(block("wall", "heavy", (9, 5, 0), (11, 17, 8))), "a", "b")
    assert not shut.visible
    assert not shut.close_call
    assert shut.block is not None
    assert shut.block.by == "wall/body"


@pytest.mark.rule("SIGHT-7", "SIGHT-9")
def test_every_witness_of_random_scenes_passes_the_oracle_and_every_proof_survives_a_search() -> None:
    seen = hidden = 0
    for seed in range(16):
        scene = random_table(seed, boxes=9, bystanders=2)
        for a, b in (("a", "b"), ("b", "a")):
            found = visible(scene, a, b)
            if found.visible:
                seen += 1
                oracle.check_witness(scene, a, b, found.witness)
            else:
                hidden += 1
                line = oracle.clear_look(scene, a, b, 1500, seed)
                assert line is None, (seed, a, b, line)
    assert seen >= 6
    assert hidden >= 6


@pytest.mark.rule("SIGHT-8")
def test_visibility_is_not_symmetric() -> None:
    """A sill just before one with a low head and a tall body: it is seen above the sill and cannot look over it."""
    low = table(
        op("a", 5, 11, body=cylinder_figure(0.3, 1.0, (0.9, 0.1))),
        op("b", 15, 11, body=cylinder_figure(0.3, 3.0, (0.6, 0.1))),
        features=[block("sill", "heavy", (13, 5, 0), (13.2, 17, 2.0))],
    )
    # from 0.9 up over the sill at 13 the line climbs to 2.2 at b, which is 3.1 tall
    assert visible(low, "a", "b").visible
    # from b's head at 0.7 at most, the sill 1.9 away rises to 2.0: no line comes down to a's 1.1
    assert not visible(low, "b", "a").visible


@pytest.mark.rule("SIGHT-8")
def test_an_operative_sees_itself_wherever_it_is() -> None:
    scene = table(op("a", 10, 11), features=[block("tomb", "heavy", (9, 10, 0), (11, 12, 3))])
    assert visible(scene, "a", "a").visible


@pytest.mark.rule("SIGHT-7")
def test_bodies_obstruct() -> None:
    wide = cylinder_figure(0.9, 3.0)
    scene = table(op("a", 5, 11), op("b", 15, 11), op("c", 10, 11, body=wide))
    found = visible(scene, "a", "b")
    assert not found.visible
    assert found.block is not None
    assert found.block.by == "c"
    aside = scene.moved(op("c", 10, 12.3, body=wide))
    assert visible(aside, "a", "b").visible


@pytest.mark.rule("SIGHT-7", "SIGHT-4")
def test_bases_do_not_obstruct() -> None:
    """A huge base right between them under a body like a thread: only the body counts."""
    thread = cylinder_figure(0.02, 3.0)
    low = cylinder_figure(0.35, 0.12, (0.1, 0.02))
    scene = table(op("a", 5, 11, body=low), op("b", 15, 11, body=low), op("c", 10, 11, base=160.0, body=thread))
    assert visible(scene, "a", "b").visible
    # the same disc as a body does obstruct
    disc = cylinder_figure(3.1, 0.3)
    assert not visible(scene.moved(op("c", 10, 11, body=disc)), "a", "b").visible


@pytest.mark.rule("SIGHT-7")
def test_neither_ones_own_body_obstructs() -> None:
    hood = cylinder_figure(0.5, 1.25, (0.7, 0.1))
    scene = table(op("a", 5, 11, body=hood), op("b", 15, 11, body=hood))
    assert visible(scene, "a", "b").visible


@pytest.mark.rule("KZ-BARRED")
@pytest.mark.parametrize(("gap", "seen"), [(0.9, True), (1.0, True), (1.0 + 1e-4, False), (3.0, False)])
def test_barred_parts_stop_sight_unless_one_is_within_an_inch(gap: float, seen: bool) -> None:
    bars = block("bars", "heavy barred", (9.9, 5, 0), (10.1, 17, 8))
    viewer = table(op("a", 9.9 - gap - 16 * MM, 11), op("b", 15, 11), features=[bars])
    assert visible(viewer, "a", "b").visible == seen
    target = table(op("a", 3, 11), op("b", 10.1 + gap + 16 * MM, 11), features=[bars])
    assert visible(target, "a", "b").visible == seen


@pytest.mark.rule("KZ-BARRED")
def test_other_parts_beside_bars_still_stop_sight() -> None:
    solid = feature("house", ("wall", "heavy", box((9.9, 5, 0), (10.1, 17, 8))))
    assert not visible(table(op("a", 9, 11), op("b", 15, 11), features=[solid]), "a", "b").visible


@pytest.mark.rule("KZ-WALL")
def test_walls_are_unlimited_in_height_for_sight() -> None:
    tower = [
        block("west", "vantage", (3, 9, 5.85), (7, 13, 6)),
        block("east", "vantage", (13, 9, 5.85), (17, 13, 6)),
    ]
    people = op("a", 5, 11, 6), op("b", 15, 11, 6)
    wall = WallLine("w", (10, 0), (10, 22))
    assert not visible(table(*people, features=tower, walls=[wall]), "a", "b").visible
    same = block("w", "heavy", (9.8, 0, 0), (10.2, 22, 2.75))
    assert visible(table(*people, features=[*tower, same]), "a", "b").visible


@pytest.mark.rule("KZ-HATCH-OPEN", "KZ-HATCH-CLOSED")
def test_sight_passes_an_open_hatchway_only() -> None:
    walls = [
        WallLine("n", (10, 0), (10, 10)),
        WallLine("h", (10, 10), (10, 12), hatchway=Hatchway()),
        WallLine("s", (10, 12), (10, 22)),
    ]
    people = op("a", 5, 11), op("b", 15, 11)
    for states, seen in (({}, False), ({"h": "closed"}, False), ({"h": "open"}, True)):
        scene = table(*people, walls=walls, states=states)
        found = visible(scene, "a", "b")
        assert found.visible == seen
        if found.witness:
            oracle.check_witness(scene, "a", "b", found.witness)
    # beside the access point an open hatchway is a wall like any other
    aside = table(op("a", 5, 5), op("b", 15, 5), walls=walls, states={"h": "open"})
    steep = aside.moved(op("a", 9.2, 5)).moved(op("b", 10.8, 5))
    assert not visible(steep, "a", "b").visible


def sealed() -> Feature:
    """A box around (15, 11), all walls 0.1 thick and overlapping."""
    shell = [
        ("west", box((13.9, 9.9, 0), (14.0, 12.1, 2))),
        ("east", box((16.0, 9.9, 0), (16.1, 12.1, 2))),
        ("north", box((13.9, 12.0, 0), (16.1, 12.1, 2))),
        ("south", box((13.9, 9.9, 0), (16.1, 10.0, 2))),
        ("lid", box((13.9, 9.9, 1.9), (16.1, 12.1, 2))),
    ]
    return feature("cell", *((name, "light", mesh) for name, mesh in shell))


@pytest.mark.rule("SIGHT-7")
@pytest.mark.parametrize("place", [(5.0, 11.0), (13.2, 11.0), (15.0, 14.0), (20.0, 3.0)])
def test_a_sealed_operative_is_never_visible(place: tuple[float, float]) -> None:
    scene = table(op("a", *place), op("b", 15, 11), features=[sealed()])
    assert not visible(scene, "a", "b").visible
    assert not visible(scene, "b", "a").visible
    cell = sealed()
    opened = [p for p in cell.parts if p.name != "lid"]
    above = table(
        op("a", 10, 11, 5),
        op("b", 15, 11),
        features=[replace(cell, parts=tuple(opened)), block("perch", "vantage", (8, 9, 4.8), (11, 13, 5))],
    )
    assert visible(above, "a", "b").visible


@pytest.mark.rule("SIGHT-7")
def test_a_marker_is_round_from_everywhere() -> None:
    """Of a marker of 40 mm a wall leaves its outermost rim to be seen: as much of it wherever the viewer stands."""
    x, y = BOARD[0] / 2, BOARD[1] / 2

    def edge(angle: float) -> float:
        """How far past the marker's middle a wall before it must reach to hide it."""
        low, high = 0.0, 1.5
        while high - low > 0.005 * MM:
            middle = (low + high) / 2
            wall = block("w", "heavy", (x - 1.1, y - 6, 0), (x - 1.0, y + middle, 9))
            scene = turned(table(op("a", x - 8, y), features=[wall]), angle)
            if sees_disc(scene, "a", (x, y, 0.0), 20 * MM).visible:
                low = middle
            else:
                high = middle
        return low

    found = [edge(angle) for angle in (0.0, 2.0, 4.0, 6.0)]
    assert max(found) - min(found) < 0.03 * MM


@pytest.mark.rule("SIGHT-7")
def test_points_markers_and_parts_are_seen_past_what_stands_between() -> None:
    low = block("low", "heavy", (9.9, 5, 0), (10.1, 17, 0.5))
    scene = table(op("a", 5, 11), features=[low])
    assert sees_point(scene, "a", (15.0, 11.0, 0.6)).visible
    # from 1.2 at x = 4.9 over 0.52 at x = 10.1 a line reaches the floor at x = 14.1
    assert sees_disc(scene, "a", (15.0, 11.0, 0.0), 0.4).visible
    assert not sees_disc(scene, "a", (11.5, 11.0, 0.0), 0.4).visible
    assert sees_point(scene, "a", (13.0, 11.0, 0.4)).visible
    assert not sees_point(scene, "a", (11.0, 11.0, 0.2)).visible


@pytest.mark.rule("SIGHT-7")
def test_a_part_is_seen_near_a_base_unless_something_hides_it() -> None:
    crate = block("crate", "light", (11.0, 10.5, 0), (11.4, 11.5, 0.8))
    scene = table(op("a", 10, 11), features=[crate])
    part: Part = crate.parts[0]
    assert sees_part_near(scene, "a", part, 1.0)
    assert not sees_part_near(scene, "a", part, 0.3)  # 0.37 away
    box_up = block("cover", "heavy", (10.8, 10.2, 0), (10.9, 11.8, 4))
    hidden = table(op("a", 10, 11), features=[crate, box_up])
    assert not sees_part_near(hidden, "a", part, 1.0)


@pytest.mark.rule("SIGHT-7", "KT24-COVER")
@pytest.mark.parametrize(
    ("wall", "seen"),
    [
        ((10.2, 10.6), False),  # right under the floor
        ((10.55, 10.75), False),  # flush with its edge at 10.75
        ((10.75, 10.95), True),  # before its edge
    ],
)
def test_a_floor_hides_what_is_below_it_but_not_what_stands_out(wall: tuple[float, float], seen: bool) -> None:
    floor = feature("floor", ("top", "vantage", box((7, 8, 2.8), (10.75, 14, 3))))
    below = block("wall", "heavy", (wall[0], 9, 0), (wall[1], 13, 2.8))
    scene = table(op("a", 10, 11, 3), features=[floor, below])
    assert sees_part_near(scene, "a", below.parts[0], 1.0) == seen


@pytest.mark.rule("SIGHT-7")
def test_no_clear_line_to_a_part_below_a_floor_is_missed() -> None:
    found = {True: 0, False: 0}
    for seed in range(16):
        rng = np.random.default_rng(seed)
        edge = rng.uniform(10.0, 10.8)
        hole = rng.uniform(9.2, 9.7)
        floor = feature(
            "floor",
            ("right", "vantage", box((hole + 0.3, 8, 2.8), (edge, 14, 3))),
            ("left", "vantage", box((6, 8, 2.8), (hole, 14, 3))),
        )
        at = rng.uniform(8.8, 10.9)
        below = block("wall", "heavy", (at, 9, 0), (at + 0.2, rng.uniform(10.5, 13), 2.8))
        scene = table(op("a", 10, 11, 3), features=[floor, below])
        centre, radius = oracle.head(scene.operative("a"))
        count = 4000
        ways = rng.normal(size=(count, 3))
        starts = centre + radius * ways / np.linalg.norm(ways, axis=1)[:, None]
        mesh = below.parts[0].triangles
        ends = np.einsum("nk,nkj->nj", rng.dirichlet((1, 1, 1), count), mesh[rng.integers(len(mesh), size=count)])
        flat = np.maximum(np.hypot(ends[:, 0] - 10, ends[:, 1] - 11) - R32, 0)
        near = np.hypot(flat, ends[:, 2] - 3) < 1 - 1e-4
        others = oracle.obstacles(scene, "a", dropping=["wall/body"])
        clear = (oracle.clearances(others, starts[near], ends[near], 1.0) >= oracle.RADIUS).any()
        seen = sees_part_near(scene, "a", below.parts[0], 1.0)
        assert seen or not clear, seed
        found[seen] += 1
    assert min(found.values()) >= 3, found


@pytest.mark.rule("SIGHT-9")
def test_the_resolution_of_a_proof_is_stated_and_small() -> None:
    for slit in (0.7, 0.9):
        found = visible(across(screen(slit, 11.0)), "a", "b")
        assert 0 <= found.resolution <= 3 * MM
    shut = visible(across(block("wall", "heavy", (9, 5, 0), (11, 17, 8))), "a", "b")
    assert shut.resolution <= 0.4 * MM + EPS
    assert np.isfinite(shut.resolution)


@pytest.mark.rule("SIGHT-7")
@pytest.mark.parametrize(
    ("x", "width", "beyond", "seen"),
    [
        (6.0, 2.0, -0.01, True),
        (10.0, 2.0, -0.01, True),
        (6.0, 2.0, 0.01, False),
        (8.0, 3.0, 0.003, False),
        (10.0, 1.2, 0.003, False),
        (10.0, 2.0, 0.03, False),
    ],
)
def test_a_slit_beyond_the_reach_of_head_and_body_shows_nothing(
    x: float, width: float, beyond: float, seen: bool
) -> None:
    """Lines from a head 0.1 to the side to a body 0.35 to the side pass x at most 0.1 (1 - f) + 0.35 f to the side,
    f = (x - 5) / 10; in a slit their axis may be (width - 1 mm) / 2 from its middle."""
    f = (x - 5) / 10
    at = 11 + 0.1 * (1 - f) + 0.35 * f + (width - 1) / 2 * MM + beyond
    half = width / 2 * MM
    halves = box((x - 0.01, 5, 0), (x + 0.01, at - half, 8)), box((x - 0.01, at + half, 0), (x + 0.01, 17, 8))
    slit = feature("screen", *((name, "heavy", mesh) for name, mesh in zip("lr", halves, strict=True)))
    scene = across(slit)
    found = visible(scene, "a", "b")
    assert found.visible == seen
    if found.witness:
        oracle.check_witness(scene, "a", "b", found.witness)


@pytest.mark.rule("SIGHT-7", "SIGHT-9")
@pytest.mark.parametrize(("seed", "viewer", "target"), [(72, "b", "a"), (290, "a", "b")])
def test_a_mended_witness_starts_in_the_head(seed: int, viewer: str, target: str) -> None:
    scene = random_table(seed, boxes=9, bystanders=2)
    found = visible(scene, viewer, target)
    assert found.visible
    oracle.check_witness(scene, viewer, target, found.witness)


def test_whoever_stands_about_shares_what_is_prepared_of_a_terrain() -> None:
    one, two = op("a", 5, 11, body=doll()), op("b", 15, 11, body=trooper())
    met = table(one, two, features=[feature("block", ("part", "heavy", box((9, 8, 0), (10, 9, 3))))])
    nodes = world_of(met).forest.nodes
    again = replace(met, operatives=(two, one))
    assert world_of(again).forest.nodes is nodes
    assert world_of(replace(met, operatives=(two,))).forest.nodes is nodes


def test_whoever_comes_leaves_one_forest_on_a_terrain() -> None:
    """Scenes of before, as undo keeps them, do not hold what was prepared for fewer."""
    one, two = op("a", 5, 11, body=doll()), op("b", 15, 11, body=trooper())
    alone = table(one, features=[feature("block", ("part", "heavy", box((9, 8, 0), (10, 9, 3))))])
    before = world_of(alone)
    assert world_of(alone) is before
    joined = replace(alone, operatives=(one, two))
    nodes = world_of(joined).forest.nodes
    assert world_of(alone) is not before
    assert world_of(alone).forest.nodes is nodes
    assert world_of(alone).active().tolist() == before.active().tolist()
