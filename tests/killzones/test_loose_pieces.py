"""Terrain pieces put on a table by hand: read from a scene file, written back, and refused where they do not fit."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from ktsim.errors import UserError
from ktsim.killzones.catalogue import load_named
from ktsim.killzones.figures import figure
from ktsim.killzones.loose_pieces import LoosePiece, loose_pieces, misfit
from ktsim.killzones.pieces import load_piece
from ktsim.killzones.scene_file import SceneFile, dump_scene, scene_from_text
from ktsim.killzones.scene_pieces import free_id, piece_of, pieces_of, with_piece, without_piece
from ktsim.sight.ruling import ruling
from ktsim.sight.scene import Base, Operative, Scene, Terrain

SCENE = """ktsim: scene/1
edition: kt24
board: [30, 22]
features:
  - {id: b, piece: heavy-barricade, at: [15, 11], turn: 90}
operatives:
  - {id: one, team: blue, at: [10, 11]}
  - {id: two, team: red, at: [20, 11], order: conceal}
"""


def scene(text: str = SCENE) -> SceneFile:
    return scene_from_text(text, Path("scene.yaml"))


def test_a_piece_in_a_scene_file_rules_as_one_in_a_killzone_does() -> None:
    file = scene()
    (feature,) = file.scene.terrain.features
    piece = load_piece("heavy-barricade")
    assert feature.kind == piece.kind
    assert [part.name for part in feature.parts] == [part.name for part in piece.parts]
    for placed, own in zip(feature.parts, piece.parts, strict=True):
        turned = np.stack([-own.triangles[..., 1] + 15, own.triangles[..., 0] + 11, own.triangles[..., 2]], axis=-1)
        assert np.allclose(placed.triangles, turned)
    assert "b/" in " ".join(reason.text for reason in ruling(file.scene, "one", "two").reasons)


def test_what_is_written_is_read_again() -> None:
    file = with_piece(scene(), LoosePiece("c", "light-barricade", (5.25, 6.5, 0.0), 30.0))
    again = scene_from_text(dump_scene(file), Path("scene.yaml"))
    assert pieces_of(again) == pieces_of(file)
    assert len(pieces_of(again)) == 2
    for one, two in zip(file.scene.terrain.features, again.scene.terrain.features, strict=True):
        assert all(np.allclose(a.triangles, b.triangles) for a, b in zip(one.parts, two.parts, strict=True))
    gone = without_piece(again, "b")
    assert [piece.id for piece in pieces_of(gone)] == ["c"]
    assert [feature.id for feature in gone.scene.terrain.features] == ["c"]
    moved = with_piece(gone, LoosePiece("c", "light-barricade", (9.0, 9.0, 0.0)))
    assert piece_of(moved, "c") == LoosePiece("c", "light-barricade", (9.0, 9.0, 0.0))
    assert free_id(moved, "c") == "c-2"


@pytest.mark.parametrize(
    ("wrong", "right", "said"),
    [
        ("piece: heavy-barricade", "piece: heavy-barricad", "did you mean 'heavy-barricade'"),
        ("piece: heavy-barricade", "piece: [1]", "piece"),
        ("turn: 90}", "turn: 90, parts: []}", "parts"),
        ("id: b, ", "", "id"),
    ],
)
def test_a_bad_piece_is_told_of_where_it_stands(wrong: str, right: str, said: str) -> None:
    with pytest.raises(UserError) as caught:
        scene(SCENE.replace(wrong, right))
    assert said in str(caught.value)
    assert "scene.yaml:5" in str(caught.value)


def test_pieces_of_walls_and_markers_are_not_offered() -> None:
    offered = loose_pieces()
    assert "light-barricade" in offered
    assert not any(name.startswith(("gallowdark", "tomb-world", "ground", "marker")) for name in offered)
    assert {"teleport-pad", "sarcophagus", "stronghold-a"} <= set(offered)
    for name in offered:
        assert LoosePiece("x", name, (15.0, 11.0, 0.0)).feature().parts


def standing(x: float, y: float, level: float = 0.0) -> Operative:
    return Operative("one", "blue", x, y, level, Base.of_mm(32), figure())


def test_a_piece_fits_beside_others_but_not_in_them_or_over_the_edge() -> None:
    empty = Scene(Terrain((30.0, 22.0)))
    ruin = LoosePiece("ruin", "large-ruin-1", (15.0, 11.0, 0.0))
    assert misfit(empty, ruin.feature()) is None
    assert misfit(empty, replace(ruin, at=(1.0, 11.0, 0.0)).feature()) == "It would reach over the edge of the board."
    table = Scene(Terrain((30.0, 22.0), (ruin.feature(),)))
    other = LoosePiece("other", "large-ruin-1", (15.3, 11.2, 0.0))
    assert misfit(table, other.feature()) == "It would overlap ruin."
    assert misfit(table, replace(other, at=(24.0, 11.0, 0.0)).feature()) is None
    assert misfit(table, replace(ruin, at=(15.2, 11.0, 0.0)).feature()) is None, "it is not in its own way"


def test_a_piece_is_not_put_on_somebody() -> None:
    barricade = LoosePiece("b", "heavy-barricade", (10.0, 10.0, 0.0))
    on_it, beside = Scene(Terrain((30.0, 22.0)), (standing(10, 10),)), Scene(Terrain((30.0, 22.0)), (standing(10, 13),))
    assert misfit(on_it, barricade.feature()) == "It would stand on one."
    assert misfit(beside, barricade.feature()) is None
    above = Scene(Terrain((30.0, 22.0)), (standing(10, 10, 5.0),))
    assert misfit(above, barricade.feature()) is None


def test_what_stands_in_a_shipped_killzone_is_in_the_way() -> None:
    terrain = load_named("volkus-1", Path()).terrain
    feature = next(one for one in terrain.features if one.kind == "stronghold")
    corner = feature.parts[0].triangles.reshape(-1, 3).mean(axis=0)
    ruin = LoosePiece("ruin", "large-ruin-1", (float(corner[0]), float(corner[1]), 0.0))
    assert misfit(Scene(terrain), ruin.feature()) is not None
