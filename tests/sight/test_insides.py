"""Lines inside of solid parts: what is in a part all through a zone crosses it there."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
import pytest
from sight_scenes import R32, Floats, block, op, part, table

from ktsim.geometry.kernels import planar
from ktsim.geometry.solids import box
from ktsim.sight.distances import base_row
from ktsim.sight.insides import FOLLOWED, PlanesAcross
from ktsim.sight.ruling import Ruling, ruling
from ktsim.sight.scene import Base, Feature


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


@pytest.mark.rule("SIGHT-1", "SIGHT-13", "KT24-OBSCURED")
def test_nearer_than_two_inches_the_inside_counts_beside_the_middle() -> None:
    """Between bases 1.9 inches apart what is 0.4 inches beside the middle is 1 inch from both: a piece that all lines
    there are inside of obscures, one that ends before does not."""
    ends = op("a", 6, 11), op("b", 6 + 2 * R32 + 1.9, 11)
    beside = math.sqrt((1 + R32) ** 2 - (R32 + 0.95) ** 2)
    for far, obscured in ((2.0, True), (beside + 0.03, True), (beside - 0.03, False)):
        piece = block("rubble", "heavy", (6 + R32 + 0.1, 10, 0), (6 + R32 + 1.8, 11 + far, 0.5))
        found = ruling(table(*ends, features=[piece]), "a", "b", origin=(6, 11.61))
        assert found.obscured == obscured, far
        for crossing in found.obscuring:
            assert crossing.to_target > 1 < crossing.to_shooter


@pytest.mark.rule("SIGHT-1", "KT21-OBSCURED")
def test_the_inside_counts_in_2021() -> None:
    """There it is 2 inches from the target and 1 from the shooter: bases 3 inches apart have nothing between."""

    def ruled(apart: float, traits: str, close: float) -> Ruling:
        last = 6 + 2 * R32 + apart
        piece = block("rubble", traits, (6 + R32 + 0.2, 10.9, 0), (last - R32 - close, 11.1, 0.5))
        scene = table(op("a", 6, 11), op("b", last, 11), features=[piece])
        return ruling(scene, "a", "b", "kt21-lite", origin=(6.6, 11))

    assert ruled(8, "heavy", 1.5).obscured_by == ("rubble/body",)
    crossing = ruled(8, "heavy", 1.5).obscuring[0]
    assert crossing.to_target > 2
    assert crossing.to_shooter > 1
    assert not ruled(8, "light", 1.5).obscured
    assert ruled(3.01, "heavy", 1.5).obscured
    assert not ruled(2.99, "heavy", 1.5).obscured


@pytest.mark.rule("SIGHT-1", "KT21-VANTAGE")
@pytest.mark.parametrize(("id", "obscured"), [("tower", False), ("other", True)])
def test_in_2021_no_inside_counts_below_the_target_in_its_own_feature(id: str, obscured: bool) -> None:
    """Lines up to a Vantage Point are in a mass that rises a little over its level, and leave it within 2 inches."""
    floor = part("tower", "floor", "vantage", box((14, 9, 0.8), (18, 13, 1)))
    mass = part(id, "mass", "heavy", box((6.9, 5, 0), (13.9, 17, 1.2)))
    parts = {"tower": [floor]}
    parts.setdefault(id, []).append(mass)
    features = [Feature(name, tuple(each)) for name, each in parts.items()]
    found = ruling(table(op("a", 6, 11), op("b", 16, 11, 1), features=features), "a", "b", "kt21-lite")
    assert found.obscured == obscured


@pytest.mark.rule("SIGHT-1", "SIGHT-13")
@pytest.mark.parametrize("kind", ["round", "ovals", "2021", "levels", "ovals apart on levels"])
def test_planes_are_met_by_every_line_where_it_is_far_from_both(kind: str) -> None:
    """Lines between bases of any places: where one is far from both, a plane crosses it there."""
    rng = np.random.default_rng(5)
    found = 0
    for _ in range(600):
        shapes = [Base.of_mm(float(rng.choice([25, 32, 40, 50]))) for _ in range(2)]
        if "ovals" in kind:
            shapes[int(rng.integers(2))] = Base(60 / 50.8, 35 / 50.8)
        rise = float(rng.uniform(0.05, 2.5)) if "levels" in kind else 0.0
        far = (1.0, 2.0) if kind == "2021" else (1.0, 1.0)
        way, turns = rng.uniform(0, 2 * math.pi), rng.uniform(0, 180, 2)
        away = rng.uniform(1.0, sum(far) + 1.5)
        rows = [base_row(shapes[0], 0, 0, turns[0])]
        rows.append(base_row(shapes[1], away * math.cos(way), away * math.sin(way), turns[1]))
        flat = planar.between(*rows)[0]
        if flat <= 0.01 or (kind == "ovals apart on levels" and math.hypot(flat, rise) <= sum(far)):
            continue
        planes = PlanesAcross(*rows, (0.0, rise), *far).planes
        for turn, other in rng.uniform(0, 7, (3, 2)):
            start, end = (_on_rim(row, at, z) for row, at, z in zip(rows, (turn, other), (0.0, rise), strict=True))
            line = _Line(start, end, rows, far)
            if max(map(line.farther, np.linspace(0, 1, 60))) <= (3 * FOLLOWED if rise else 1e-5):
                continue
            found += 1
            shares = []
            for plane in planes:
                low, high = (float(np.dot(plane.normal, x)) - plane.place for x in (start, end))
                if (high > 0) != (low > 0):
                    shares.append(low / (low - high))
            assert any(line.farther(t) > 0 for t in shares), line
    assert found > 50


def _on_rim(row: Floats, turn: float, z: float) -> Floats:
    return np.array([*planar.rim(row, math.cos(turn), math.sin(turn)), z])


@dataclass
class _Line:
    """A line from one base to another."""

    start: Floats
    end: Floats
    rows: list[Floats]
    far: tuple[float, float]

    def farther(self, t: float) -> float:
        """By how much its point at *t* is more than far from both."""
        x, y, z = self.start + t * (self.end - self.start)
        gaps = [max(0.0, float(planar.gap(row, x, y)[0])) for row in self.rows]
        heights = z - self.start[2], z - self.end[2]
        return min(math.hypot(gap, up) - far for gap, up, far in zip(gaps, heights, self.far, strict=True))
