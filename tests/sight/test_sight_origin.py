"""A ruling from a given point of the shooter's base (SIGHT-14): what that point gives, the best or not."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from ktsim import paths
from ktsim.killzones.scene_file import load_scene
from ktsim.sight.ruling import Ruling, ruling
from ktsim.sight.scene import EDITIONS

EXAMPLES = sorted((paths.killzones() / "examples").glob("*.yaml"))[:12]


def same(one: Ruling, two: Ruling) -> bool:
    def outcome(found: Ruling) -> tuple[object, ...]:
        return found.valid_target, found.in_cover, found.obscured, found.choice

    return outcome(one) == outcome(two)


@pytest.mark.rule("SIGHT-14")
@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_the_best_origin_gives_the_ruling_and_no_other_gives_more(path: Path) -> None:
    file = load_scene(path)
    for edition in EDITIONS:
        for shooter, target in file.pairs:
            best = ruling(file.scene, shooter, target, edition, file.weapon)
            assert same(ruling(file.scene, shooter, target, edition, file.weapon, origin=best.origin[:2]), best)
            for other in best.alternatives:
                found = ruling(file.scene, shooter, target, edition, file.weapon, origin=other.origin[:2])
                assert (found.in_cover, found.obscured) == (other.in_cover, other.obscured)
            one = file.scene.operative(shooter)
            for angle in range(0, 360, 60):
                x = one.x + one.base.along * 0.7 * math.cos(math.radians(angle))
                y = one.y + one.base.along * 0.7 * math.sin(math.radians(angle))
                found = ruling(file.scene, shooter, target, edition, file.weapon, origin=(x, y))
                assert found.visible == best.visible
                rank = found.regions[0].outcome.rank
                assert rank >= best.regions[0].outcome.rank


@pytest.mark.rule("SIGHT-14")
def test_a_point_beside_the_base_means_the_nearest_one_on_it() -> None:
    file = load_scene(EXAMPLES[0])
    shooter, target = file.pairs[0]
    one = file.scene.operative(shooter)
    found = ruling(file.scene, shooter, target, origin=(one.x + 9, one.y))
    reach = math.dist(found.origin[:2], (one.x, one.y))
    assert found.origin[0] > one.x
    assert reach == pytest.approx(one.base.along - 0.5 / 25.4, abs=1e-6)
    inside = ruling(file.scene, shooter, target, origin=(one.x + 0.1, one.y))
    assert inside.origin[:2] == (one.x + 0.1, one.y)
