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
from ktsim.killzones.scene_pieces import free_id, own_pieces, piece_of, pieces_of, with_piece, without_piece
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


# ---- a killzone's own pieces ------------------------------------------------------------------------------------
VOLKUS = """ktsim: scene/1
edition: kt24
killzone: volkus-1
operatives:
  - {id: one, team: blue, at: [3, 11]}
  - {id: two, team: red, at: [27, 11], order: conceal}
"""


def test_a_killzones_piece_is_moved_and_removed_and_the_file_says_from_which_layout() -> None:
    file = scene(VOLKUS)
    rubble = piece_of(file, "light-rubble-3")
    assert rubble is not None
    moved = with_piece(file, replace(rubble, at=(25.0, 11.0, 0.0), turn=45.0))
    gone = without_piece(moved, "heavy-rubble-2")
    text = dump_scene(gone)
    assert "killzone: volkus-1" in text
    again = scene(text)
    assert again.document["without"] == ["light-rubble-3", "heavy-rubble-2"]
    assert [one.id for one in again.scene.terrain.features] == [one.id for one in gone.scene.terrain.features]
    assert "heavy-rubble-2" not in {one.id for one in again.scene.terrain.features}
    assert piece_of(again, "light-rubble-3") == LoosePiece("light-rubble-3", "light-rubble-3", (25.0, 11.0, 0.0), 45.0)
    assert piece_of(again, "heavy-rubble-2") is None
    answers = [ruling(one.scene, "one", "two").as_json("x") for one in (file, gone, again)]
    assert answers[1] == answers[2]
    assert answers[0] != answers[1], "the moved rubble matters"
    assert dump_scene(again) == text
    back = without_piece(again, "light-rubble-3")
    assert back.document["without"] == again.document["without"], "it does not go back by itself"
    assert {one.id for one in own_pieces(again)}.isdisjoint(again.document["without"])


def test_an_untouched_killzone_is_shared() -> None:
    assert scene(VOLKUS).scene.terrain is load_named("volkus-1", Path()).terrain


def test_joined_gantries_and_walls_are_not_moved_by_hand() -> None:
    for name in ("bheta-decima-1", "gallowdark-1"):
        file = scene(VOLKUS.replace("volkus-1", name).replace("[3, 11]", "[1, 1]").replace("[27, 11]", "[2.5, 1]"))
        ids = {feature.id for feature in file.scene.terrain.features if feature.kind != "wall"}
        assert {piece.id for piece in own_pieces(file)} <= ids


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (VOLKUS + "without: [large-ruin-9]\n", "there is no piece 'large-ruin-9' in the killzone"),
        (SCENE + "without: [b]\n", "'without' is given and 'killzone' is not"),
        (VOLKUS + "without: 3\n", "without"),
        (VOLKUS + "features: [{id: light-rubble-3, piece: light-rubble-3, at: [25, 11]}]\n", "light-rubble-3"),
    ],
)
def test_a_wrong_without_is_told(text: str, words: str) -> None:
    with pytest.raises(UserError, match=words):
        scene(text)
