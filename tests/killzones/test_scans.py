"""Terrain pieces of a user's own, out of scans."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from ktsim.errors import UserError
from ktsim.geometry.solids import box, is_closed, welded
from ktsim.killzones.loose_pieces import LoosePiece, loose_pieces
from ktsim.killzones.pieces import load_piece, own_folder
from ktsim.killzones.scans import UPS, ScanDraft, ScanPart, cut, doubts, named_after, problems, save_piece
from ktsim.killzones.scene_file import scene_from_text

BLOCK = box((0, 0, 0), (100, 50, 80))
"""In millimetres."""


@pytest.fixture(autouse=True)
def _own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))


@pytest.mark.parametrize("up", UPS)
def test_any_axis_is_turned_upwards_and_nothing_mirrored(up: str) -> None:
    found = ScanDraft(BLOCK, "block", up=up).upright()  # type: ignore[arg-type]
    axis = "xyz".index(up[-1])
    assert np.ptp(found[..., 2]) == pytest.approx((100, 50, 80)[axis] / 25.4)
    assert found.min(axis=(0, 1))[2] == pytest.approx(0)
    assert (found.max(axis=(0, 1)) + found.min(axis=(0, 1)))[:2] == pytest.approx([0, 0])
    assert welded(found).volume == pytest.approx(welded(BLOCK).volume / 25.4**3), "inside out it would be negative"
    # What was at the upper end of that axis is above, of a minus one below.
    marked = ScanDraft(np.concatenate([BLOCK, box((40, 20, 30), (41, 21, 31))]), "block", up=up)  # type: ignore[arg-type]
    small = marked.upright()[len(BLOCK) :].mean(axis=(0, 1))[2] * 25.4
    along = (40.5, 20.5, 30.5)[axis]
    assert small == pytest.approx(along if not up.startswith("-") else (100, 50, 80)[axis] - along)


def test_boxes_cut_parts_that_cover_the_scan_once() -> None:
    draft = ScanDraft(
        BLOCK,
        "block",
        parts=(
            ScanPart("foot"),
            ScanPart("top", frozenset({"vantage"}), ((-9.0, -9.0, 2.0), (9.0, 9.0, 9.0))),
            ScanPart("corner", frozenset({"light"}), ((1.0, -9.0, 1.0), (9.0, 9.0, 9.0))),
        ),
    )
    parts = cut(draft)
    areas = {name: float(welded(found).area) for name, found in parts.items()}
    assert sum(areas.values()) == pytest.approx(welded(draft.upright()).area)
    assert parts["top"][..., 2].min() == pytest.approx(2.0)
    assert parts["corner"][..., 2].max() == pytest.approx(2.0), "the boxes before it come first"
    assert parts["corner"][..., 0].min() == pytest.approx(1.0)
    assert problems(draft, parts) == []
    assert [text.split("'")[1] for text in doubts(draft, parts)] == ["foot", "top", "corner"], "they were cut"


def test_what_speaks_against_a_piece_is_said() -> None:
    def against(**changes: object) -> str:
        draft = replace(ScanDraft(BLOCK, "my-block"), **changes)  # type: ignore[arg-type]
        return " ".join(problems(draft, cut(draft)))

    assert against() == ""
    assert "small letters" in against(name="My Block")
    assert "comes with the program" in against(name="barricade")
    assert "Is its unit mm" in against(unit="inch")
    assert "no traits" in against(parts=(ScanPart("all", frozenset()),))
    far = ((50.0, 50.0, 50.0), (60.0, 60.0, 60.0))
    assert "Nothing of the scan" in against(parts=(ScanPart("all"), ScanPart("far", box=far)))
    assert "smaller to a larger" in against(parts=(ScanPart("all"), ScanPart("flat", box=(far[1], far[0]))))
    assert "Two parts are called" in against(parts=(ScanPart("a"), ScanPart("a", box=far)))
    assert "all that is left" in against(parts=(ScanPart("a"), ScanPart("b")))
    assert named_after(Path("My Hut (final).STL")) == "my-hut-final"
    assert named_after(Path("barricade.stl")) == "my-barricade"
    with pytest.raises(UserError, match="small letters"):
        save_piece(ScanDraft(BLOCK, "../out"))
    assert not own_folder().exists()


SCENE = """
ktsim: scene/1
edition: kt24
features: [{id: hut, piece: my-block, at: [12, 11]}]
operatives:
  - {id: a, team: red, at: [3, 11]}
  - {id: b, team: blue, at: [25, 11]}
"""


@pytest.mark.rule("SIGHT-1")
def test_a_piece_is_saved_loaded_put_down_and_an_open_one_ruled_by_its_surface() -> None:
    closed = save_piece(ScanDraft(BLOCK, "my-block", source="measured, scanned"))
    assert closed.source == "measured, scanned"
    assert not closed.warnings
    assert is_closed(closed.parts[0].triangles)
    assert "my-block" in loose_pieces()
    feature = LoosePiece("hut", "my-block", (12, 11, 0)).feature()
    assert not feature.parts[0].is_open
    assert not scene_from_text(SCENE, Path("x.yaml")).warnings

    save_piece(ScanDraft(BLOCK[2:], "my-block"))
    again = load_piece("my-block")
    assert again.parts[0].is_open, "the new one is loaded, not the one before"
    assert "'body'" in again.warnings[0]
    file = scene_from_text(SCENE, Path("x.yaml"))
    assert file.scene.terrain.features[0].parts[0].is_open
    assert "part 'body' is open" in file.warnings[0]

    (own_folder() / "broken.yaml").write_text("ktsim: terrain/1\nparts: [{name: a, traits: [heavy], mesh: no.stl}]")
    assert "broken" not in loose_pieces(), "one that cannot be used is not offered"
    assert "my-block" in loose_pieces()
