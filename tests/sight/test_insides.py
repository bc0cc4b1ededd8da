"""Lines inside of solid parts: what is in a part all through a zone crosses it there."""

from __future__ import annotations

from dataclasses import replace

import pytest
from sight_scenes import block, op, table

from ktsim.sight.ruling import Ruling, ruling
from ktsim.sight.scene import Feature


def _ruled(piece: Feature, level: float = 0.0, apart: float = 10.0, traits: str = "light") -> Ruling:
    under = [block("step", traits, (4, 9, 0), (6.9, 13, level))] if level else []
    return ruling(table(op("a", 6, 11, level), op("b", 6 + apart, 11), features=[piece, *under]), "a", "b")


@pytest.mark.rule("SIGHT-1", "SIGHT-12", "KT24-OBSCURED")
def test_a_thick_piece_obscures_from_its_inside() -> None:
    """Its near faces are within an inch of the two, its sides are far from all lines: only its inside is between."""
    thick = block("rubble", "heavy", (7, 5, 0), (15, 17, 0.5))
    found = _ruled(thick)
    assert found.obscured_by == ("rubble/body",)
    crossing = found.obscuring[0]
    assert crossing.to_target > 1 < crossing.to_shooter
    assert 7 < crossing.at[0] < 15
    light = block("rubble", "light", (7, 5, 0), (15, 17, 0.5))
    assert not _ruled(light).obscured


@pytest.mark.rule("SIGHT-1", "SIGHT-12", "KT24-OBSCURED")
def test_an_open_mesh_has_no_inside() -> None:
    thick = block("rubble", "heavy", (7, 5, 0), (15, 17, 0.5))
    hollow = replace(thick, parts=(replace(thick.parts[0], is_open=True),))
    assert not _ruled(hollow).obscured


@pytest.mark.rule("SIGHT-1", "SIGHT-12", "KT24-OBSCURED")
def test_the_inside_counts_between_levels_too() -> None:
    thick = block("rubble", "heavy", (7, 5, 0), (15, 17, 0.8))
    found = _ruled(thick, level=0.3, traits="light vantage")
    assert found.obscured_by == ("rubble/body",)
    low = block("rubble", "heavy", (7, 5, 0), (15, 17, 0.06))
    assert not _ruled(low, level=0.3, traits="light vantage").obscured, "the lines run over it"


@pytest.mark.rule("SIGHT-1", "KT24-OBSCURED")
def test_two_inches_apart_no_inside_is_far_from_both() -> None:
    """Between bases 2 inches apart nothing is more than 1 inch from both; a hair farther apart something is."""
    base = 32 / 25.4
    for apart, obscured in ((1.99, False), (2.01, True)):
        piece = block("rubble", "heavy", (6.8, 10.9, 0), (6 + base + apart - 0.7, 11.1, 0.5))
        assert _ruled(piece, apart=base + apart).obscured == obscured
