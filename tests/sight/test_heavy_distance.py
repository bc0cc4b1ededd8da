"""How far from Heavy terrain: by hand, with bases of 32 mm (radius 0.62992")."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from ktsim.killzones.scene_file import scene_from_text
from ktsim.sight.distances import to_outline
from ktsim.sight.junctions import heavy_distance
from ktsim.sight.scene import Scene

R = 16 / 25.4
HATCHWAY = "{id: h, line: [[10, 0], [10, 8]], hatchway: {width: 1.6, hinge: start, swing: left}}"
WALL = "{id: w, line: [[10, 8], [10, 14]]}"
SIDE = "{id: s, line: [[10, 14], [14, 14]]}"


def scene(at: str, *, walls: str = "", features: str = "", states: str = "", level: float = 0) -> Scene:
    text = f"ktsim: scene/1\nedition: kt24\nboard: [30, 22]\nwalls: [{walls}]\nfeatures: [{features}]\n"
    text += f"states: {{{states}}}\n" if states else ""
    text += f"operatives: [{{id: a, team: red, at: {at}, level: {level}}}]\n"
    return scene_from_text(text, Path("scene.yaml")).scene


BLOCK = "{id: f, parts: [{id: p, traits: [%s], box: [[12, 4, %g], [14, 6, %g]]}]}"


@pytest.mark.rule("SIGHT-15")
@pytest.mark.parametrize(
    ("at", "level", "expected"),
    [
        ("[9, 5]", 0, math.hypot(3 - R, 2)),
        ("[9, 2]", 0, math.hypot(math.hypot(3, 2) - R, 2)),
        ("[13, 5]", 0, 2.0),
        ("[9, 5]", 4, math.hypot(3 - R, 1)),
        ("[13, 5]", 3, 0.0),
    ],
)
def test_straight_to_a_block_in_the_air(at: str, level: float, expected: float) -> None:
    features = BLOCK % ("heavy", 2, 3)
    if level:
        floor = f"{{id: p, traits: [vantage], box: [[0, 0, {level - 0.1}], [20, 9, {level}]]}}"
        features += f", {{id: floor, parts: [{floor}]}}"
    found = heavy_distance(scene(at, features=features, level=level), "a", "kt24")
    assert found == pytest.approx(expected, abs=1e-5)


@pytest.mark.rule("SIGHT-15")
def test_light_terrain_is_not_heavy() -> None:
    assert heavy_distance(scene("[9, 5]", features=BLOCK % ("light", 0, 3)), "a", "kt24") == math.inf


@pytest.mark.rule("KT21-WALLDIST")
def test_the_middle_of_a_wall_counts_in_2024_and_only_its_ends_in_2021() -> None:
    beside = scene("[8, 11]", walls=WALL)
    assert heavy_distance(beside, "a", "kt24") == pytest.approx(1.8 - R, abs=1e-5)
    # The ends reach 0.3" along the wall from y = 8 and y = 14: 2.7" up or down, 1.8" across.
    assert heavy_distance(beside, "a", "kt21-lite") == pytest.approx(math.hypot(1.8, 2.7) - R, abs=1e-5)


@pytest.mark.rule("KT21-WALLDIST")
def test_a_pillar_counts_in_2021() -> None:
    # The corner's inner sides are at x = 10.2 and y = 13.8; the base stands 2.8" from the one and 0.8" from the other,
    # and the corner reaches 0.3" along the wall to x = 10.3.
    inner = scene("[12, 13]", walls=f"{WALL}, {SIDE}")
    assert heavy_distance(inner, "a", "kt24") == pytest.approx(0.8 - R, abs=1e-5)
    assert heavy_distance(inner, "a", "kt21-lite") == pytest.approx(math.hypot(1.7, 0.8) - R, abs=1e-5)


@pytest.mark.rule("KT21-WALLDIST")
@pytest.mark.parametrize("states", ["", "h: open"])
def test_the_sides_of_a_hatchway_do_not_count_in_2021(states: str) -> None:
    """The access point is from y = 3.2 to 4.8; the wall's own ends are at y = 0 and, joined straight to another, 14."""
    before = scene("[11.5, 5]", walls=f"{HATCHWAY}, {WALL}", states=states)
    assert heavy_distance(before, "a", "kt24") == pytest.approx(1.3 - R, abs=1e-5)
    assert heavy_distance(before, "a", "kt21-lite") == pytest.approx(math.hypot(1.3, 4.7) - R, abs=1e-5)


@pytest.mark.rule("KT21-WALLDIST", "SIGHT-17")
def test_other_heavy_terrain_counts_around_the_wall() -> None:
    block = "{id: f, parts: [{id: p, traits: [heavy], box: [[10.5, 10, 0], [11.5, 12, 2]]}]}"
    behind = scene("[8, 11]", walls=WALL, features=block)
    # Around (9.8, 8) and (10.2, 8) to the block's corner (10.5, 10): longer than to the wall's end.
    assert heavy_distance(behind, "a", "kt21-lite") == pytest.approx(math.hypot(1.8, 2.7) - R, abs=1e-5)
    # 1" from the block, hypot(0.8, 0.7) = 1.06" from the wall's end.
    near = scene("[11, 9]", walls=WALL, features=block)
    assert heavy_distance(near, "a", "kt21-lite") == pytest.approx(1 - R, abs=1e-5)


@pytest.mark.rule("SIGHT-15", "SIGHT-17")
@pytest.mark.parametrize(("bottom", "rise"), [(0, 0.0), (4, 4.0)])
def test_height_comes_on_top_of_the_way_around_a_wall(bottom: float, rise: float) -> None:
    """A wall that is not Heavy itself, and behind it a Heavy block on the floor or in the air."""
    wall = "{id: w, parts: [{id: w, traits: [wall], box: [[9.8, 8, 0], [10.2, 14, 3]]}]}"
    block = f"{{id: f, parts: [{{id: p, traits: [heavy], box: [[11.3, 10, {bottom}], [12, 12, {bottom + 1}]]}}]}}"
    # Around the end at y = 8, as in the next test; straight it would be 2.67" and then up.
    flat = math.hypot(1.8, 3) - R + 0.4 + math.hypot(1.1, 2)
    found = heavy_distance(scene("[8, 11]", features=f"{wall}, {block}"), "a", "kt24")
    assert found == pytest.approx(math.hypot(flat, rise), abs=1e-4)


@pytest.mark.rule("SIGHT-17")
def test_the_way_to_an_outline_goes_around_a_wall() -> None:
    board = scene("[8, 11]", walls=WALL)
    edge = np.array([[11.3, 10.0, 11.3, 12.0]])
    # Around the end at y = 8: to (9.8, 8), across 0.4" to (10.2, 8), and to (11.3, 10).
    expected = math.hypot(1.8, 3) - R + 0.4 + math.hypot(1.1, 2)
    assert to_outline(board, board.operative("a"), edge) == pytest.approx(expected, abs=1e-4)


@pytest.mark.rule("SIGHT-17")
def test_an_outline_behind_a_closed_ring_is_out_of_reach() -> None:
    ring = ", ".join(
        f"{{id: {id}, line: {line}}}"
        for id, line in (
            ("n", "[[10, 14], [14, 14]]"),
            ("e", "[[14, 14], [14, 8]]"),
            ("s", "[[14, 8], [10, 8]]"),
            ("w", "[[10, 8], [10, 14]]"),
        )
    )
    board = scene("[8, 11]", walls=ring)
    assert to_outline(board, board.operative("a"), np.array([[12.0, 10.0, 12.0, 12.0]])) == math.inf
