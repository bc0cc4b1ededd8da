"""Whole rulings against the oracle of ``scripts/oracle``, and the oracle against engines that are wrong."""

from __future__ import annotations

import sys
from collections import Counter
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from sight_scenes import block, op, table

from ktsim.sight import kt24
from ktsim.sight.ruling import ruling
from ktsim.sight.scene import Scene

sys.path.append(str(Path(__file__).resolve().parents[2] / "scripts"))

from oracle.ground import Ground
from oracle.judge import Judge
from oracle.tables import Table
from soak_sight import FLOORS, Tally, soak, table_rulings

TABLES, PLACES = 24, 16


@cache
def _counted() -> tuple[Counter[str], list[dict[str, Any]]]:
    counts, wrong = Counter[str](), []
    for number in range(TABLES):
        more, found = table_rulings(77, number, PLACES)
        counts += more
        wrong += found
    return counts, wrong


@pytest.mark.rule("SIGHT-7", "SIGHT-9", "SIGHT-12", "SIGHT-14", "KT24-COVER", "KT24-OBSCURED", "KT24-VALID")
def test_whole_rulings_agree_with_the_oracle() -> None:
    counts, wrong = _counted()
    assert not wrong, wrong[0]
    assert counts["rulings"] > 0.9 * TABLES * PLACES
    for name, share in FLOORS.items():
        if share >= 0.05:
            assert counts[name] > share / 2 * counts["rulings"], (name, counts)
    assert counts["ties"] < 0.06 * counts["rulings"]


@pytest.mark.parametrize(
    ("name", "wrong"),
    [("COVER_REACH", 1.02), ("OBSCURED_REACH", 0.9), ("NO_COVER_WITHIN", 2.3), ("HIGH_VANTAGE", 2.0)],
)
def test_the_oracle_sees_a_wrong_distance(monkeypatch: pytest.MonkeyPatch, name: str, wrong: float) -> None:
    monkeypatch.setattr(kt24, name, wrong)
    assert any(table_rulings(77, number, PLACES)[0]["disagreements"] for number in range(4 * TABLES))


def _said(scene: Scene, ruled: Scene) -> list[str]:
    """What the oracle says to the ruling on another scene, taken for one on *scene*."""
    judge = Judge(Ground(scene), replace(ruling(ruled, "a", "b"), scene=scene), 1)
    judge.run()
    return judge.wrong


@pytest.mark.rule("SIGHT-7")
def test_the_oracle_sees_a_dropped_triangle_and_an_added_part() -> None:
    """Through a hole where one triangle is missing a line gets through; a part left out hides nothing."""
    screen = block("screen", "heavy", (10, 0, 0), (10.1, 22, 6))
    part = screen.parts[0]
    ends = op("a", 5, 11), op("b", 15, 11)
    whole = table(*ends, features=[screen])
    side = [n for n, each in enumerate(part.triangles) if (abs(each[:, 0] - 10) < 1e-9).all()]
    far = [n for n, each in enumerate(part.triangles) if (abs(each[:, 0] - 10.1) < 1e-9).all()]
    kept = [n for n in range(len(part.triangles)) if n not in (side[0], far[0], far[1])]
    holed = table(*ends, features=[replace(screen, parts=(replace(part, triangles=part.triangles[kept]),))])
    assert _said(whole, whole) == []
    assert any("a line is clear" in text for text in _said(holed, whole))
    assert any("witness" in text for text in _said(whole, table(*ends)))


def test_the_soak_goes_on_where_it_ended(tmp_path: Path) -> None:
    """In slices the same is counted as at once; another seed is refused."""
    out, at_once = tmp_path / "kept.json", Tally(3)
    soak(at_once, 41, 1e9, 1, None)
    first = Tally(3)
    soak(first, 15, 1e9, 1, out)
    rest = Tally.load(out, 3)
    assert rest.tables < at_once.tables
    soak(rest, 41, 1e9, 1, out)
    assert (rest.counts, rest.tables) == (at_once.counts, at_once.tables)
    with pytest.raises(SystemExit, match="seed 3"):
        Tally.load(out, 4)
    assert any("only" in text for text in Tally(3, counts=Counter(rulings=1000)).missed())


def test_the_text_of_a_scene_is_the_scene() -> None:
    """A kept disagreement is replayed: the same ruling comes from its text."""
    import numpy as np

    from ktsim.killzones.scene_file import scene_from_text

    rng = np.random.default_rng(8)
    made = Table.random(rng)
    scene = next(found for found in (made.scene(rng) for _ in range(20)) if found is not None)
    again = scene_from_text(made.text(scene), Path("again.yaml"))
    assert again.pairs == (("a", "b"),)
    assert ruling(again.scene, "a", "b").as_json("") == ruling(scene, "a", "b").as_json("")
