"""Terrain as large as its owner's: corrected heights, levels and walls."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from ktsim.errors import UserError
from ktsim.geometry.solids import box, is_closed
from ktsim.geometry.splitting import split
from ktsim.killzones.loose_pieces import LoosePiece, loose_pieces
from ktsim.killzones.own_sizes import keep_sizes, known_sizes, new_file, pieces_resized
from ktsim.killzones.pieces import load_piece
from ktsim.killzones.scene_file import dump_scene, scene_from_text
from ktsim.killzones.scene_pieces import pieces_of
from ktsim.killzones.sizes import Sizes, resized, sizes_of, source_words

SCENE = """
ktsim: scene/1
edition: kt24
features:
  - {{id: ruin, piece: large-ruin-1, at: [12, 11], sizes: {sizes}}}
operatives:
  - {{id: a, team: red, at: [3, 11]}}
  - {{id: b, team: blue, at: [25, 11]}}
"""


def volume(triangles: np.ndarray) -> float:
    return float(np.einsum("ij,ij->i", triangles[:, 0], np.cross(triangles[:, 1], triangles[:, 2])).sum() / 6)


def test_triangles_are_cut_along_a_plane_and_stay_joined() -> None:
    rng = np.random.default_rng(5)
    solid = box((-1, -2, 0), (3, 1, 2)) @ np.linalg.qr(rng.normal(size=(3, 3)))[0]
    if volume(solid) < 0:
        solid = solid[:, ::-1]
    found = solid
    for axis, at in ((0, 0.1), (1, -0.4), (2, 0.5), (2, 0.5)):
        before = found
        found, parents = split(before, axis, at)
        assert len(parents) == len(found)
        low, high = found[..., axis].min(axis=1), found[..., axis].max(axis=1)
        assert not ((low < at - 1e-9) & (high > at + 1e-9)).any(), "none crosses it"
        assert is_closed(found)
        assert volume(found) == pytest.approx(volume(solid))
    assert len(found) > len(solid)
    assert len(split(found, 2, 0.5)[0]) == len(found), "what is cut is not cut again"


@pytest.mark.parametrize("name", ["large-ruin-1", "stronghold-b", "barricade", "gantry-short", "condenser"])
def test_a_piece_has_the_sizes_it_was_given_and_its_footprint(name: str) -> None:
    piece = load_piece(name)
    now = sizes_of(piece)
    assert now.height is not None
    wanted = Sizes(
        now.height + 0.5 if not now.levels or now.levels[-1] < now.height - 0.01 else now.levels[-1] * 0.9,
        tuple(level * 0.9 for level in now.levels) if now.levels else None,
        now.thickness * 1.4 if now.thickness else None,
        "measured, by hand",
    )
    made = resized(piece, wanted)
    found = sizes_of(made)
    assert found.height == pytest.approx(wanted.height, abs=1e-3)
    assert (found.levels or ()) == pytest.approx(wanted.levels or (), abs=1e-3)
    assert (found.thickness or 0) == pytest.approx(wanted.thickness or 0, abs=5e-3)
    assert made.source == "measured, by hand"
    before = np.concatenate([part.triangles.reshape(-1, 3) for part in piece.parts])
    after = np.concatenate([part.triangles.reshape(-1, 3) for part in made.parts])
    if name != "barricade":  # which is nothing but a wall
        assert after.min(axis=0)[:2] == pytest.approx(before.min(axis=0)[:2])
        assert after.max(axis=0)[:2] == pytest.approx(before.max(axis=0)[:2])
    for one, two in zip(piece.parts, made.parts, strict=True):
        assert (one.name, one.traits, is_closed(one.triangles)) == (two.name, two.traits, is_closed(two.triangles))
    assert len(made.body.triangles) == len(made.body.colours)


def test_a_floor_keeps_its_thickness_and_what_stands_on_it_its_height() -> None:
    piece = load_piece("large-ruin-1")
    made = resized(piece, Sizes(levels=(2.5,)))

    def heights(which: object, name: str) -> tuple[float, float]:
        part = next(part for part in which.parts if part.name == name)  # type: ignore[attr-defined]
        return float(part.triangles[..., 2].min()), float(part.triangles[..., 2].max())

    assert heights(made, "upper floor") == pytest.approx((2.3, 2.5), abs=1e-6)
    low, high = heights(piece, "back rampart")
    assert heights(made, "back rampart") == pytest.approx((low - 0.5, high - 0.5), abs=1e-6)


@pytest.mark.parametrize(
    ("name", "sizes", "said"),
    [
        ("large-ruin-1", Sizes(levels=(2.0, 4.0)), "has 1 levels and 2 are given"),
        ("large-ruin-1", Sizes(height=2.5), "one above the other"),
        ("large-ruin-1", Sizes(thickness=6.0), "room between"),
        ("heavy-rubble-1", Sizes(thickness=0.3), "no walls"),
        ("gantry-short", Sizes(height=5.0), "same height"),
    ],
)
def test_sizes_that_cannot_be_are_refused_in_a_sentence(name: str, sizes: Sizes, said: str) -> None:
    with pytest.raises(UserError, match=said):
        resized(load_piece(name), sizes)


def test_every_piece_can_be_made_higher() -> None:
    for name in loose_pieces():
        now = sizes_of(load_piece(name))
        assert now.height is not None
        levels = tuple(level * 1.1 for level in now.levels) if now.levels else None
        made = resized(load_piece(name), Sizes(now.height * 1.1, levels))
        assert sizes_of(made).height == pytest.approx(now.height * 1.1, abs=1e-3), name


def test_a_scene_carries_the_sizes_and_says_where_they_come_from() -> None:
    text = SCENE.format(sizes="{height: 5, levels: [2.6], source: 'measured, callipers'}")
    file = scene_from_text(text, Path("x.yaml"))
    (piece,) = pieces_of(file)
    assert piece.sizes == Sizes(5, (2.6,), None, "measured, callipers")
    (floor,) = (part for part in file.scene.terrain.features[0].parts if part.name == "upper floor")
    assert floor.top == pytest.approx(2.6)
    again = scene_from_text(dump_scene(file), Path("x.yaml"))
    assert pieces_of(again) == pieces_of(file)
    assert dump_scene(again) == dump_scene(file)
    for wrong, said in (("{tall: 3}", "unknown key 'tall'"), ("{height: -1}", "from"), ("{source: guessed}", "begins")):
        with pytest.raises(UserError, match=said):
            scene_from_text(SCENE.format(sizes=wrong), Path("x.yaml"))


def test_the_users_sizes_are_kept_and_used_for_a_killzone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert not known_sizes()
    sizes = Sizes(levels=(2.75,), thickness=0.3)
    keep_sizes("large-ruin-1", sizes)
    keep_sizes("barricade", Sizes(height=1.2))
    keep_sizes("barricade", None)
    assert dict(known_sizes()) == {"large-ruin-1": sizes}
    file = new_file("volkus-1")
    assert pieces_resized("volkus-1") == ("large-ruin-1",)
    assert pieces_resized("training-ground") == ()
    found = [piece for piece in pieces_of(file) if piece.piece == "large-ruin-1"]
    assert found
    assert all(piece.sizes == sizes for piece in found)
    assert {piece.piece for piece in pieces_of(file)} == {"large-ruin-1"}
    (tmp_path / "ktsim" / "terrain" / "sizes.yaml").write_text("pieces: [")
    plain = new_file("volkus-1")
    assert pieces_resized("volkus-1") == ()
    assert not pieces_of(plain)
    assert "Your own sizes are not used" in plain.warnings[0]


def test_words_about_a_source() -> None:
    assert source_words("") == "measured"
    assert source_words("with callipers") == "measured, with callipers"
    assert source_words("estimated") == "estimated"
    assert replace(LoosePiece("a", "barricade", (1, 1, 0)), sizes=Sizes(height=1.3)).made().source == "measured"
