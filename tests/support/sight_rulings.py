"""Whole rulings against brute force and the plain oracle: who is seen, what gives cover or obscures, what follows."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
import sight_oracle as oracle
from sight_fans import Floats, Slab, brute, origins, random_slabs
from sight_scenes import op, table

from ktsim.sight.ruling import Ruling, ruling
from ktsim.sight.scene import Operative, Scene

LEVELS = ((0.0, 0.0), (1.5, 0.0), (0.0, 0.8), (0.0, 0.0))


def check_rulings(seed: int, looks: int = 1500, spots: int = 3) -> Counter[str]:
    """One random table: the ruling from the shooter's best origin and from some others. Counts what was compared."""
    rng = np.random.default_rng(seed)
    slabs = random_slabs(rng, 4)
    low, high = LEVELS[seed % len(LEVELS)]
    order = "conceal" if rng.random() < 0.5 else "engage"
    a = op("a", 5, rng.uniform(10.5, 11.5), low)
    b = op("b", 15, rng.uniform(10.5, 11.5), high, order=order)
    scene = table(a, b, features=[slab.feature() for slab in slabs])
    best = ruling(scene, "a", "b")
    counts: Counter[str] = Counter()
    _check_sight(scene, best, looks, seed, counts)
    flat = math.hypot(b.x - a.x, b.y - a.y) - a.base.along - b.base.along
    assert math.isclose(best.distance, math.hypot(flat, high - low), abs_tol=1e-6)
    everywhere = origins(a, 12, 2)
    chosen = everywhere[rng.choice(len(everywhere), spots, replace=False)]
    others = [ruling(scene, "a", "b", origin=(float(x), float(y))) for x, y in chosen]
    for each in (best, *others):
        _check_lines(scene, slabs, each, seed, counts)
    ranks = [each.regions[0].outcome.rank for each in others]
    assert best.regions[0].outcome.rank <= min(ranks), (seed, "a better origin than the best")
    return counts


def _check_sight(scene: Scene, found: Ruling, looks: int, seed: int, counts: Counter[str]) -> None:
    if found.witness is not None:
        counts["visible"] += 1
        oracle.check_witness(scene, "a", "b", found.witness)
    else:
        counts["hidden"] += 1
        line = oracle.clear_look(scene, "a", "b", looks, seed)
        assert line is None, (seed, line)


def _check_lines(scene: Scene, slabs: list[Slab], found: Ruling, seed: int, counts: Counter[str]) -> None:
    truth = brute(scene, slabs, np.array(found.origin[:2]))
    target = scene.operative("b")
    heavy = {slab.id for slab in slabs if slab.traits == "heavy"}
    seen = {slab.id for slab in slabs if slab.id in truth.yes["cover"] and _sees(scene, target, slab, seed)}
    cover = {key.split("/")[0] for key in found.cover_from}
    obscuring = {key.split("/")[0] for key in found.obscured_by}
    place = (seed, found.origin)
    assert seen <= cover, (*place, "cover missed", seen - cover)
    assert not cover & truth.no["cover"], (*place, "no cover", cover)
    assert truth.yes["obscured"] & heavy <= obscuring, (*place, "obscured missed", obscuring)
    assert not obscuring & (truth.no["obscured"] | {slab.id for slab in slabs} - heavy), (*place, "not obscured")
    counts["rulings"] += 1
    cover_known = all(slab.id in truth.no["cover"] or slab.id in seen for slab in slabs)
    if not cover_known or not heavy <= truth.yes["obscured"] | truth.no["obscured"]:
        counts["unsure"] += 1
        return
    counts["sure"] += 1
    obscured = truth.yes["obscured"] & heavy
    assert found.in_cover == bool(seen), place
    assert found.obscured == bool(obscured), place
    one_feature = bool(seen) and bool(obscured) and len(seen | obscured) == 1
    assert found.choice == ("defender" if one_feature else None), place
    assert found.valid_target == (found.visible and (target.order == "engage" or not seen)), place


def _sees(scene: Scene, viewer: Operative, slab: Slab, seed: int, tries: int = 400) -> bool:
    """Is a clear line found from the viewer's head to a point of the box within 1 inch of its base?"""
    mesh = slab.feature().parts[0].triangles
    rng = np.random.default_rng(seed)
    areas = np.linalg.norm(np.cross(mesh[:, 1] - mesh[:, 0], mesh[:, 2] - mesh[:, 0]), axis=1)
    faces = rng.choice(len(mesh), 20 * tries, p=areas / areas.sum())
    points = np.einsum("nk,nkj->nj", rng.dirichlet((1, 1, 1), len(faces)), mesh[faces])
    flat = np.maximum(np.hypot(points[:, 0] - viewer.x, points[:, 1] - viewer.y) - viewer.base.along, 0)
    ends: Floats = points[np.hypot(flat, points[:, 2] - viewer.level) < 1 - 1e-4][:tries]
    if not len(ends):
        return False
    centre, radius = oracle.head(viewer)
    starts = centre + rng.normal(size=ends.shape) * radius / 4
    starts = np.where(np.linalg.norm(starts - centre, axis=1, keepdims=True) <= radius, starts, centre)
    others = oracle.obstacles(scene, viewer.id, dropping=[f"{slab.id}/body"])
    return bool((oracle.clearances(others, starts, ends, 1.0) >= oracle.RADIUS).any())
