"""Terrain pieces of a user's own, out of scans."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from ktsim.errors import UserError
from ktsim.geometry.solids import box, is_closed, welded
from ktsim.killzones import scans
from ktsim.killzones.loose_pieces import LoosePiece, loose_pieces
from ktsim.killzones.pieces import Piece, load_piece, own_folder
from ktsim.killzones.scans import UPS, ScanCut, ScanDraft, ScanPart, cutting, doubts, named_after, problems, saving
from ktsim.killzones.scene_file import scene_from_text

BLOCK = box((0, 0, 0), (100, 50, 80))
"""In millimetres."""


def cut(draft: ScanDraft) -> ScanCut:
    """What comes of cutting it, without a pause."""
    *_, found = cutting(draft)
    assert isinstance(found, ScanCut)
    return found


def save_piece(draft: ScanDraft) -> Piece:
    """Cut and save it without a pause."""
    *_, piece = saving(draft, cut(draft))
    assert isinstance(piece, Piece)
    return piece


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
    made = cut(draft)
    parts = dict(zip(("foot", "top", "corner"), made.parts, strict=True))
    areas = {name: float(welded(found).area) for name, found in parts.items()}
    assert sum(areas.values()) == pytest.approx(welded(draft.upright()).area)
    assert parts["top"][..., 2].min() == pytest.approx(2.0)
    assert parts["corner"][..., 2].max() == pytest.approx(2.0), "the boxes before it come first"
    assert parts["corner"][..., 0].min() == pytest.approx(1.0)
    assert problems(draft, made) == []
    assert [text.split("'")[1] for text in doubts(draft, made)] == ["foot", "top", "corner"], "they were cut"


def test_boxes_that_cut_too_finely_are_refused_before_they_take_long(monkeypatch: pytest.MonkeyPatch) -> None:
    slices = [ScanPart(f"s{i}", box=((i / 10, i / 10, 0.0), (i / 10 + 0.05, i / 10 + 0.05, 3.0))) for i in range(11)]
    draft = ScanDraft(BLOCK, "block", parts=(ScanPart("rest"), *slices))
    whole = cut(draft)
    count = sum(map(len, whole.parts))
    monkeypatch.setattr(scans, "MOST_CUT", count)
    assert not cut(draft).is_too_fine
    monkeypatch.setattr(scans, "MOST_CUT", count - 1)
    found = problems(draft, cut(draft))
    assert found == [f"The boxes cut it into more than {count - 1:,} triangles: use fewer, or simplify the scan."]
    monkeypatch.setattr(scans, "MOST_CUT", count)
    largest = max(map(len, whole.parts))
    monkeypatch.setattr(scans, "TRIANGLE_LIMIT", largest - 1)
    assert "'rest' has more than" in problems(draft, whole)[0], "it could be saved and never loaded"


def test_a_scan_is_turned_once_for_all_that_is_said_about_it() -> None:
    draft = ScanDraft(BLOCK, "block")
    assert replace(draft, name="other", parts=(ScanPart("a"),)).upright() is draft.upright()
    on_its_side = replace(draft, up="x")
    assert on_its_side.size == pytest.approx((50 / 25.4, 80 / 25.4, 100 / 25.4))
    assert draft.size == pytest.approx((100 / 25.4, 50 / 25.4, 80 / 25.4))


def test_saving_that_is_given_up_leaves_what_was_there() -> None:
    save_piece(ScanDraft(BLOCK, "my-block"))
    before = {path.name for path in own_folder().iterdir()}
    changed = ScanDraft(BLOCK[2:], "my-block")
    steps = saving(changed, cut(changed))
    assert [next(steps) for _ in range(2)] == [0.0, 0.5]
    steps.close()  # type: ignore[attr-defined]
    assert not load_piece("my-block").parts[0].is_open
    save_piece(changed)
    assert load_piece("my-block").parts[0].is_open
    assert len(list(own_folder().iterdir())) == len(before), "what nobody names is gone"


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
