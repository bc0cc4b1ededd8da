"""How long is looked, and what is said when that was not enough (SIGHT-9): never a flat no."""

from __future__ import annotations

import importlib.util
import sys
import threading
import time
from dataclasses import replace
from functools import cache
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
import sight_oracle as oracle
from numpy.typing import NDArray
from sight_scenes import block, feature, op, random_table, table, turned

from ktsim.geometry.solids import box
from ktsim.killzones.catalogue import load_named
from ktsim.killzones.figures import figure
from ktsim.rules.engine.sight_table import from_sight
from ktsim.sight.refining import Refining
from ktsim.sight.ruling import ruling
from ktsim.sight.scene import MM, Base, Feature, Operative, Scene
from ktsim.sight.visibility import CLEAR, LIVE, PROVED, SETTLED, STOP, Effort, Sighting, nothing_yet, visible

Stand = tuple[float, float, float, str, float, float]
"""Where someone stands, on how wide a base, as which model of what height, turned how far."""


def fence(id: str, x: float, gap_mm: float, shift: float) -> Feature:
    """Pickets 2.5 mm wide with gaps between them, across the whole look."""
    step = 2.5 * MM + gap_mm * MM
    starts = np.arange(9.0 + shift * step, 13.0, step)
    return feature(id, *((f"p{n}", "heavy", box((x, y, 0), (x + 0.02, y + 2.5 * MM, 9))) for n, y in enumerate(starts)))


def fenced(*gaps: float) -> Scene:
    fences = [fence(f"f{n}", 7.0 + n, gap, 0.37 * n) for n, gap in enumerate(gaps)]
    return table(op("a", 5, 11), op("b", 15, 11), features=fences)


def slit(width_mm: float) -> Scene:
    half = width_mm / 2 * MM
    halves = box((9.99, 5, 0), (10.01, 11.03 - half, 8)), box((9.99, 11.03 + half, 0), (10.01, 17, 8))
    parts = [(name, "heavy", mesh) for name, mesh in zip("lr", halves, strict=True)]
    return table(op("a", 5, 11), op("b", 15, 11), features=[feature("screen", *parts)])


@pytest.mark.rule("SIGHT-7")
def test_a_line_clear_by_a_hair_is_found() -> None:
    scene = slit(1.1)
    found = visible(scene, "a", "b")
    assert found.visible
    assert found.close_call
    oracle.check_witness(scene, "a", "b", found.witness)
    assert found.clearance is not None
    measured = oracle.clearance(scene, "a", "b", *np.array(found.witness))
    assert found.clearance == pytest.approx((measured - oracle.RADIUS) / MM, abs=1e-6)


@pytest.mark.rule("SIGHT-9")
def test_a_search_that_gave_up_is_not_decided_and_never_a_flat_no() -> None:
    scene = fenced(0.9, 0.9, 0.9, 0.9)
    found = visible(scene, "a", "b", effort=LIVE)
    assert found.undecided
    assert not found.visible
    assert found.resolution > PROVED
    brief = ruling(scene, "a", "b", effort=LIVE)
    assert brief.undecided
    assert not brief.valid_target
    assert (from_sight(brief).is_visible, from_sight(brief).is_undecided) == (False, True)
    words = brief.as_text().lower()
    assert "not decided" in words
    assert "not visible" not in words
    fields = brief.as_json("here")
    assert fields["undecided"] is True
    assert fields["resolution"] is None or fields["resolution"] == brief.resolution > 0
    for edition in ("kt24", "kt21-lite"):
        old = ruling(scene, "a", "b", edition, effort=LIVE)  # type: ignore[arg-type]
        assert "not visible" not in old.as_text().lower()


@pytest.mark.rule("SIGHT-9")
def test_more_effort_decides_what_little_did_not() -> None:
    scene = fenced(0.9, 0.9)
    assert visible(scene, "a", "b", effort=Effort(60, 10, 0)).undecided
    settled = visible(scene, "a", "b")
    assert (settled.visible, settled.undecided) == (False, False)
    assert settled.resolution <= PROVED
    fields = ruling(scene, "a", "b").as_json("here")
    assert (fields["undecided"], fields["visible"]) == (False, False)
    assert fields["resolution"] == settled.resolution
    assert LIVE.times(3).cells == 3 * LIVE.cells


@pytest.mark.rule("SIGHT-9")
def test_an_undecided_look_goes_on_beside_everything_else_until_it_is_decided() -> None:
    scene = fenced(0.9, 0.9)
    little = Effort(60, 10, 0)
    first = visible(scene, "a", "b", effort=little)
    assert first.undecided
    refining = Refining(scene, "a", "b", first, little, (2, 2_500))
    found = refining.wait(120)
    assert not refining.is_looking
    assert (found.visible, found.undecided) == (False, False)
    assert found.resolution <= PROVED
    better = ruling(scene, "a", "b", seen=found)
    assert (better.undecided, better.visible) == (False, False)


@pytest.mark.rule("SIGHT-9")
def test_what_is_decided_is_not_looked_at_again() -> None:
    scene = slit(1.1)
    found = visible(scene, "a", "b")
    assert Refining(scene, "a", "b", found).wait(10) is found


@pytest.mark.rule("SIGHT-9")
def test_a_search_that_is_stopped_is_not_decided() -> None:
    scene = fenced(0.9, 0.9)
    assert not visible(scene, "a", "b", out=nothing_yet()).undecided
    out = nothing_yet()
    out[STOP] = 1.0
    found = visible(scene, "a", "b", out=out)
    assert (found.visible, found.undecided) == (False, True)


def test_a_look_that_goes_on_can_be_given_up_at_any_time(monkeypatch: pytest.MonkeyPatch) -> None:
    scene = fenced(0.9, 0.9)
    first = visible(scene, "a", "b", effort=Effort(60, 10, 0))
    began = threading.Event()

    def endless(*args: object, out: NDArray[np.float64], **more: object) -> Sighting:
        began.set()
        while not out[STOP]:
            time.sleep(0.01)
        return visible(scene, "a", "b")

    monkeypatch.setattr("ktsim.sight.refining.visible", endless)
    refining = Refining(scene, "a", "b", first)
    assert began.wait(30)
    assert refining.is_looking
    refining.close()
    assert refining.wait(30) is first
    assert not refining.is_looking


@pytest.mark.rule("SIGHT-9")
def test_complete_answers_have_resolution_zero() -> None:
    seen = ruling(table(op("a", 5, 11), op("b", 15, 11)), "a", "b").as_json("here")
    assert (seen["visible"], seen["undecided"], seen["resolution"]) == (True, False, 0.0)
    wall = block("wall", "heavy", (9, 2, 0), (9.3, 20, 9))
    shut = ruling(table(op("a", 5, 11), op("b", 15, 11), features=[wall]), "a", "b").as_json("here")
    assert (shut["visible"], shut["undecided"], shut["resolution"]) == (False, False, 0.0)


@pytest.mark.rule("SIGHT-9")
@pytest.mark.parametrize("width", [0.86, 0.94, 0.98, 1.02, 1.06, 1.14])
def test_the_answer_says_by_how_much_the_best_line_is_clear_or_blocked(width: float) -> None:
    found = visible(slit(width), "a", "b")
    assert found.visible == (width > 1)
    assert found.close_call
    best = (width - 1) / 2
    assert found.clearance is not None
    # what was found is no more than there is, and not much less: the slit is deep, so the line must not go askew
    assert best - 0.015 <= found.clearance <= best + 2e-4
    said = next(reason.text for reason in ruling(slit(width), "a", "b").reasons if reason.rule == "SIGHT-9")
    size = abs(found.clearance)
    by = f"{size:.2f}" if size >= 0.01 else "less than 0.01"
    assert said == f"Too close to call: the best line found is {'clear' if width > 1 else 'blocked'} by {by} mm."


@pytest.mark.rule("SIGHT-7", "SIGHT-9")
def test_a_head_that_hardly_looks_out_of_terrain_is_searched_to_the_end() -> None:
    """Most of the head is inside a block: lines are stopped where they begin, and yet there are lines beside it."""
    scene = random_table(2196, boxes=9, bystanders=2)
    for laid in (scene, turned(scene, 200.0, 1.0, -1.0, mirror=True)):
        found = visible(laid, "a", "b")
        assert found.visible
        oracle.check_witness(laid, "a", "b", found.witness)
        assert found.clearance is not None
        assert 0.02 < found.clearance < 0.03


@pytest.mark.rule("SIGHT-9")
@pytest.mark.parametrize(
    ("killzone", "viewer", "target"),
    [
        ("gallowdark-3", (3.442, 24.721, 32, "trooper", 1.6, 356), (18.704, 21.772, 40, "trooper", 1.3, 24)),
        ("training-ground", (9.85, 2.388, 28, "gunner", 1.3, 98), (25.267, 11.649, 32, "gunner", 1.3, 73)),
    ],
)
def test_a_wider_line_elsewhere_makes_it_no_close_call(killzone: str, viewer: Stand, target: Stand) -> None:
    """The first line found is clear by 0.01 mm and cannot be moved to be clear by more."""
    people = (
        Operative(id, id, x, y, 0.0, Base.of_mm(base), figure(model, height), turn)
        for id, (x, y, base, model, height, turn) in (("a", viewer), ("b", target))
    )
    scene = Scene(load_named(killzone, Path()).terrain, tuple(people))
    found = visible(scene, "a", "b")
    assert (found.visible, found.close_call) == (True, False)
    clear = oracle.clearance(scene, "a", "b", *np.array(found.witness))
    assert clear >= CLEAR + 0.1 * MM
    assert visible(scene, "a", "b", effort=replace(SETTLED, flags=1)).close_call


@pytest.mark.rule("SIGHT-6", "SIGHT-9")
@pytest.mark.parametrize("width", [0.9, 0.98, 0.996])
def test_a_slit_too_narrow_is_proved_though_neither_side_alone_stops_all_lines(width: float) -> None:
    found = visible(slit(width), "a", "b")
    assert (found.visible, found.undecided, found.resolution) == (False, False, 0.0)


@pytest.mark.rule("SIGHT-6", "SIGHT-9")
def test_no_proof_shuts_a_slit_that_a_line_just_passes() -> None:
    """As wide as a line, and a little wider: however short a search was, it never says more than is so, and a whole
    one finds the line."""
    for width in (1.001, 1.004, 1.02):
        for cells in (100, 1_000, 3_000):
            found = visible(slit(width), "a", "b", effort=Effort(cells, 0, 0))
            assert found.visible or found.resolution >= (width - 1) / 2 * MM * 0.99 > 0
        assert visible(slit(width), "a", "b").visible


def test_effort_is_counted_in_work_so_that_answers_repeat() -> None:
    scene = fenced(1.1, 0.9, 1.3)
    for effort in (LIVE, SETTLED):
        one, two = (visible(replace(scene), "a", "b", effort=effort) for _ in range(2))
        assert one == two


@pytest.mark.rule("SIGHT-7")
def test_a_head_inside_terrain_sees_nothing_and_that_is_proved() -> None:
    lump = block("lump", "heavy", (4, 10, 0), (6, 12, 1.3))
    found = visible(table(op("a", 5, 11), op("b", 12, 11), features=[lump]), "a", "b")
    assert (found.visible, found.undecided, found.resolution) == (False, False, 0.0)


@pytest.mark.rule("SIGHT-7")
@pytest.mark.parametrize("seed", range(12))
def test_a_table_turned_mirrored_or_shifted_is_seen_the_same(seed: int) -> None:
    scene = random_table(seed, boxes=9, bystanders=2) if seed % 3 else fenced(0.8 + 0.05 * seed, 1.2)
    plain = visible(scene, "a", "b")
    assert not plain.undecided
    for angle, mirror in ((37.0, False), (180.0, True), (251.3, True)):
        other = visible(turned(scene, angle, 0.3, -0.7, mirror), "a", "b")
        assert (other.visible, other.undecided) == (plain.visible, plain.undecided)


# ---- beside the referee that shares nothing with the engine ----


@cache
def _referee() -> ModuleType:
    script = Path(__file__).resolve().parents[2] / "scripts" / "referee.py"
    spec = importlib.util.spec_from_file_location("sight_referee", script)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@pytest.mark.rule("SIGHT-7")
def test_hard_looks_are_called_as_the_referee_finds_them() -> None:
    referee = _referee()
    said = set()
    for name, count in (("volkus-2", 3), ("bheta-decima-3", 2), ("training-ground", 3)):
        looks = referee.hard_looks(referee.Board.load(name), 5)
        for number, look in (next(looks) for _ in range(count)):
            row = referee.compare(look, number)
            assert row["wrong"] == "", row
            assert row["said"] != "undecided", row
            said.add(row["said"])
    assert said == {"visible", "hidden"}


def test_the_referee_finds_a_clear_line_and_refuses_a_bad_witness() -> None:
    referee = _referee()
    board = referee.Board.load("training-ground")
    screen = np.concatenate([box((9.99, 5, 0), (10.01, 10.97, 8)), box((9.99, 11.03, 0), (10.01, 17, 8))])
    one = referee.Stander("a", (5.0, 11.0, 0.0), 32.0, "trooper", 1.3, 0.0)
    two = referee.Stander("b", (15.0, 11.0, 0.0), 32.0, "trooper", 1.3, 0.0)
    rng = np.random.default_rng(3)
    look = referee.HardLook(board, one, two, screen, *referee._through(screen, one, two, 4000, rng))
    best, line = look.best(1, CLEAR + 0.1 * MM)
    assert best > CLEAR
    assert look.problem_of(line) is None
    start, end = line
    assert "head" in look.problem_of((start + np.array([0, 0, 1]), end))
    assert "body" in look.problem_of((start, end - [0.5, 0, 0]))
    assert "clear" in look.problem_of((start, two.body()[two.body()[:, 0, 1].argmax(), 0]))
