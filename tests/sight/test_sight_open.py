"""Open meshes, as scans often are: they are ruled by their surface, and nothing is inside them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from sight_oracle import check_witness, clear_look, clearances
from sight_scenes import block, finer, op, table

from ktsim.geometry.solids import box, cylinder, footprint_edges, raised
from ktsim.killzones.figures import BASE_TOP
from ktsim.sight.ruling import ruling
from ktsim.sight.scene import Feature, Figure, Part, Scene
from ktsim.sight.visibility import visible


def torn_crates(seed: int) -> Scene:
    """Two operatives with boxes between them that have lost some of their triangles."""
    rng = np.random.default_rng(seed)
    features = []
    for i in range(rng.integers(1, 4)):
        low = np.array([8 + i * 2 + rng.uniform(-0.5, 0.5), rng.uniform(7, 9), 0])
        high = low + np.array([rng.uniform(0.5, 1.8), rng.uniform(3, 6), rng.uniform(2, 4)])
        whole = finer(box(low, high), 3)
        torn = whole[rng.random(len(whole)) > rng.choice([0.08, 0.2, 0.4])]
        features.append(Feature(f"f{i}", (Part(f"f{i}", "crate", frozenset({"heavy"}), torn, is_open=True),)))
    return table(op("a", 5, rng.uniform(8, 13)), op("b", 18, rng.uniform(8, 13)), features=features)


@pytest.mark.rule("SIGHT-7")
@pytest.mark.parametrize("seed", [56, 121, *range(16)])
def test_what_is_hidden_by_torn_crates_is_hidden(seed: int) -> None:
    """Taken for solids, the crates of the first two would hide what a line through their holes reaches."""
    scene = torn_crates(seed)
    found = visible(scene, "a", "b")
    if found.visible:
        check_witness(scene, "a", "b", found.witness)
    elif found.resolution == 0:
        assert clear_look(scene, "a", "b", 4000, seed) is None


@pytest.mark.rule("SIGHT-7")
def test_the_far_side_of_an_open_body_is_seen_from_within() -> None:
    """A body of which only the half turned away from the viewer is left."""
    whole = cylinder((0.0, 0.0, BASE_TOP), 0.4, 1.2)
    shell = whole[(whole[:, :, 0] > 0).any(axis=1) & (np.ptp(whole[:, :, 2], axis=1) > 0)]
    half = Figure("half", shell, (0.0, 0.0, 1.1), 0.1, is_open=True)
    slits = [
        *(block("left", "heavy", (9, 5, 0), (9.6, 10.073, 4)), block("right", "heavy", (9, 10.133, 0), (9.6, 15, 4))),
        *(
            block("sill", "heavy", (12, 5, 0), (12.6, 15, 0.841)),
            block("lintel", "heavy", (12, 5, 0.901), (12.6, 15, 4)),
        ),
    ]
    scene = table(op("a", 5, 10.3), op("b", 15, 10, body=half), features=slits)
    assert visible(scene, "a", "b").visible
    # the other half alone would hide it, and with it nothing is seen but that
    front = op("c", 15, 10, turn=180, body=half, team="blue")
    assert not visible(replace(scene, operatives=(*scene.operatives, front)), "a", "b").visible


@pytest.mark.rule("KT24-COVER")
@pytest.mark.parametrize("kept", ["all", "front", "back"])
def test_a_sheet_covers_as_the_block_it_was_scanned_from(kept: str) -> None:
    block = box((13.5, 8, 0), (14, 12, 0.9))
    way = np.cross(block[:, 1] - block[:, 0], block[:, 2] - block[:, 0])[:, 0]
    sheet = {"all": block, "front": block[way < 0], "back": block[way > 0]}[kept]
    feature = Feature("f", (Part("f", "sheet", frozenset({"light"}), sheet, is_open=kept != "all"),))
    scene = table(op("a", 5, 10), op("b", 15, 10, order="conceal"), features=[feature])
    found = ruling(scene, "a", "b", "kt24")
    assert found.visible
    assert found.in_cover
    assert not found.valid_target


@pytest.mark.rule("KZ-WALL")
def test_an_open_wall_rises_to_the_sky() -> None:
    upright = np.array([[[0, 0, 0], [0, 3, 0], [0, 3, 1]], [[0, 0, 0], [0, 3, 1], [0, 0, 1]]], float)
    lying = np.array([[[0, 0, 1], [0, 3, 1], [3, 0, 1]]], float)
    for sheet in (upright, upright[:, ::-1], lying, lying[:, ::-1]):
        wall = raised(sheet, 50.0, is_open=True)
        over = np.column_stack([np.full(9, -1.0), np.linspace(0.1, 2.9, 9), np.full(9, 20.0)])
        assert clearances(wall, over, over + np.array([4, 0, 0]), 1.0) == pytest.approx(0), (
            "every line over it meets it"
        )
        assert (clearances(wall, over, over + np.array([0.5, 0, 0]), 1.0) > 0.4).all()


@pytest.mark.rule("KT21-COVER")
def test_an_open_surface_is_seen_from_above_whichever_way_it_is_wound() -> None:
    sheet = np.array([[[0, 0, 1], [2, 0, 1], [0, 2, 1]], [[2, 0, 1], [0, 2, 1], [2, 2, 1]]], float)
    for each in (sheet, sheet[:, ::-1]):
        edges = footprint_edges(each, is_open=True)
        assert edges.shape == (6, 4)
        assert {tuple(corner) for corner in edges[:, :2]} == {(0, 0), (2, 0), (0, 2), (2, 2)}
