"""How fast sight is. Usage: scripts/bench sight [--quick].

Prints: capsule tests a second against embree's thin occlusion rays, Bullet's sphere sweep and trimesh's own ray engine
(in turns, so that other work on the machine disturbs all alike); time of whole rulings, live and settled, on made
scenes of 5k, 50k and 300k triangles and on every shipped killzone, with the slowest; area views; opening a hatch;
loading a killzone, and its memory.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
from bench_scenes import BASE, made_terrain, pairs, places
from numpy.typing import NDArray

from ktsim.geometry.forest import Grove, Tree
from ktsim.geometry.kernels import parallel, queries
from ktsim.killzones.catalogue import load_named, names
from ktsim.killzones.figures import figure
from ktsim.sight import warm
from ktsim.sight.area import survey
from ktsim.sight.obstacles import world_of
from ktsim.sight.ruling import ruling
from ktsim.sight.scene import Operative, Scene, Terrain
from ktsim.sight.visibility import CLEAR, LIVE, SETTLED, Effort, visible

Points = NDArray[np.float64]
SIZES = (5_000, 50_000, 300_000)
LONGEST = 120.0
"""Seconds after which a full area view is stopped."""
FIRST = 12
"""Rulings that load kernels and cut terrain for the first time, not counted."""
SLOWEST: list[tuple[float, str, str]] = []


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure sight.")
    parser.add_argument("--only", choices=("lines", "rulings", "areas"), help="just this")
    parser.add_argument("--quick", action="store_true", help="fewer rulings, no full area view")
    args = parser.parse_args()
    quick, only = args.quick, args.only
    warm.ensure_ready(lambda text: print(text, file=sys.stderr, flush=True), warm.ALL)
    print(f"{os.cpu_count()} cores, load {load()}")
    if only in (None, "lines"):
        lines(rounds=3 if quick else 9)
    if only in (None, "rulings"):
        rulings(60 if quick else 4000, 30 if quick else 200)  # p99 of fewer is chance
    if only in (None, "areas"):
        areas(full=not quick)
    if only is None:
        hatches()
        loading()
    print(f"load at the end {load()}")


def load() -> str:
    return " ".join(f"{each:.1f}" for each in os.getloadavg()) if hasattr(os, "getloadavg") else "unknown"


# ---- single lines ----


def lines(rounds: int) -> None:
    """All contestants in turns; the best round of each counts."""
    for size in SIZES:
        triangles = np.concatenate([part.triangles for part in Scene(made_terrain(size)).parts()])
        start, end = _ends(made_terrain(size), 20_000)
        contestants = _capsules(triangles, start, end)
        contestants["embree thin rays"] = (len(start), _embree(triangles, start, end))
        contestants["Bullet sphere sweep"] = (300, _bullet(triangles, start[:300], end[:300]))
        if size == SIZES[0]:
            contestants["trimesh rays"] = (64, _trimesh(triangles, start[:64], end[:64]))
        best = dict.fromkeys(contestants, np.inf)
        for _ in range(rounds):
            for name, (amount, ask) in contestants.items():
                # CPU time of those on one thread, so that other work on the machine counts for less
                clock = time.perf_counter if "all threads" in name else time.thread_time
                began = clock()
                ask()
                best[name] = min(best[name], (clock() - began) / amount)
        one, two = list(best.values())[:2]
        print(f"lines in {len(triangles):,} triangles:")
        for name, each in best.items():
            ratio = "" if name.startswith("caps") else f"; capsules {each / one:.3g} and {each / two:.3g} of its rate"
            print(f"  {name:22} {1 / each:12,.0f} a second{ratio}", flush=True)


def _ends(terrain: Terrain, count: int) -> tuple[Points, Points]:
    """Lines from heads to bodies at places where bases stand."""
    where = places(Scene(terrain))
    rng = np.random.default_rng(3)
    start = where[rng.integers(len(where), size=count)] + [0, 0, 1.1]
    spread = rng.uniform([-0.3, -0.3, 0.2], [0.3, 0.3, 1.3], (count, 3))
    return start, where[rng.integers(len(where), size=count)] + spread


def _capsules(triangles: Points, start: Points, end: Points) -> dict[str, tuple[int, Callable[[], object]]]:
    forest = Grove.of([Tree.over(triangles)]).forest([(0, 0.0, 0.0, 0.0, 0.0)])
    act = np.zeros(1, np.int32)
    way = end - start
    return {
        "capsules, one thread": (len(way), lambda: queries.lines_blocked(forest, act, start, way, CLEAR)),
        "capsules, all threads": (len(way), lambda: parallel.lines_blocked(forest, act, start, way, CLEAR)),
    }


def _embree(triangles: Points, start: Points, end: Points) -> Callable[[], object]:
    from embreex import rtcore_scene
    from embreex.mesh_construction import TriangleMesh

    scene = rtcore_scene.EmbreeScene()
    TriangleMesh(scene, triangles.astype(np.float32))
    origin, direction = start.astype(np.float32), (end - start).astype(np.float32)
    reach = np.ones(len(origin), np.float32)
    return lambda: scene.run(origin, direction, dists=reach.copy(), query="OCCLUDED")


def _bullet(triangles: Points, start: Points, end: Points) -> Callable[[], object]:
    from panda3d.bullet import (
        BulletRigidBodyNode,
        BulletSphereShape,
        BulletTriangleMesh,
        BulletTriangleMeshShape,
        BulletWorld,
    )
    from panda3d.core import BitMask32, Point3, TransformState

    mesh = BulletTriangleMesh()
    for a, b, c in triangles.tolist():
        mesh.addTriangle(Point3(*a), Point3(*b), Point3(*c))
    body = BulletRigidBodyNode("terrain")
    body.addShape(BulletTriangleMeshShape(mesh, dynamic=False))
    world = BulletWorld()
    world.attachRigidBody(body)
    ball = BulletSphereShape(CLEAR)
    ways = [
        (TransformState.makePos(Point3(*a)), TransformState.makePos(Point3(*b)))
        for a, b in zip(start.tolist(), end.tolist(), strict=True)
    ]
    everything = BitMask32.allOn()
    return lambda: [world.sweepTestClosest(ball, a, b, everything, 0.0).hasHit() for a, b in ways]


def _trimesh(triangles: Points, start: Points, end: Points) -> Callable[[], object]:
    import trimesh
    from trimesh.ray.ray_triangle import RayMeshIntersector

    mesh = trimesh.Trimesh(**trimesh.triangles.to_kwargs(triangles))
    engine = RayMeshIntersector(mesh)
    return lambda: engine.intersects_any(start, end - start)


# ---- whole rulings ----


def rulings(made: int, shipped: int) -> None:
    terrains = [(made_terrain(size), made) for size in SIZES]
    terrains += [(load_named(name, Path()).terrain, shipped) for name in names()]
    for kind, effort in (("live", LIVE), ("settled", SETTLED)):
        late = {}
        SLOWEST.clear()
        print(f"whole rulings, {kind} (ms of CPU time): median, p90, p99, most")
        for terrain, count in terrains:
            spent = _ruled(terrain, count, effort)
            p50, p90, p99 = np.percentile(spent, (50, 90, 99))
            triangles = sum(len(part.triangles) for part in Scene(terrain).parts())
            late[triangles] = p99
            print(
                f"  {terrain.name:16} {triangles:8,} triangles, {count} pairs: "
                f"{p50:7.2f} {p90:7.2f} {p99:7.2f} {max(spent):7.1f}",
                flush=True,
            )
        sizes = list(late)[: len(SIZES)]
        growth = ", ".join(f"{size:,}: x{late[size] / late[sizes[0]]:.2f}" for size in sizes)
        print(f"  p99 growth with triangles: {growth}")
        print(f"slowest {kind} rulings:")
        for spent_there, name, where in sorted(SLOWEST, reverse=True)[:3]:
            print(f"  {spent_there:.0f} ms on {name}: {where}")


def _ruled(terrain: Terrain, count: int, effort: Effort) -> list[float]:
    scenes = pairs(terrain, FIRST + count)
    for scene in scenes[:FIRST]:
        ruling(scene, "a", "b", effort=effort)
    found = []
    for scene in scenes[FIRST:]:
        start = time.process_time()
        answer = ruling(scene, "a", "b", effort=effort)
        spent = 1000 * (time.process_time() - start)
        found.append(spent)
        where = [f"{o.id} at ({o.x}, {o.y}, {o.level}) turned {o.turn} {o.order}" for o in scene.operatives]
        said = "not decided" if answer.undecided else "hidden"
        seen = "visible" if answer.visible else f"{said}, resolution {answer.resolution:.4g}"
        start = time.process_time()
        visible(scene, "a", "b", effort=effort)
        sight = 1000 * (time.process_time() - start)
        SLOWEST.append((spent, terrain.name, f"{'; '.join(where)}; {seen}; visibility alone {sight:.0f} ms"))
    return found


# ---- area views ----


def areas(full: bool) -> None:
    for name in ("volkus-1", "gallowdark-1", "bheta-decima-1"):
        terrain = load_named(name, Path()).terrain
        scene = Scene(terrain, (_viewer(terrain),))
        stand_in = Operative("b", "b", 0.0, 0.0, 0.0, BASE, figure(), order="conceal")
        firsts = []
        for _ in range(3):
            start = time.perf_counter()
            next(survey(replace(scene), "a", stand_in))
            firsts.append(time.perf_counter() - start)
        print(f"area view of {name}: first answer {min(firsts):.2f} s", flush=True)
        if full:
            start = time.perf_counter()
            done = ""
            for made in survey(scene, "a", stand_in):
                spent = time.perf_counter() - start
                done = f"{made.asked:,} of {made.of:,} cells exact after {spent:.0f} s"
                if spent > LONGEST:
                    break
            print(f"  {done}", flush=True)


def _viewer(terrain: Terrain) -> Operative:
    where = places(Scene(terrain))
    floor = where[where[:, 2] == 0]
    x, y, z = floor[np.abs(floor[:, :2] - 5.0).sum(axis=1).argmin()]
    return Operative("a", "a", float(x), float(y), float(z), BASE, figure())


# ---- the rest ----


def hatches() -> None:
    """Every hatch of every killzone that has any, opened and closed in turn."""
    for name in names():
        terrain = load_named(name, Path()).terrain
        movable = [feature for feature in terrain.features if len(feature.states) > 1]
        if not movable:
            continue
        scene = pairs(terrain, 1)[0]
        world_of(scene)
        spent = []
        for turn in range(10 * len(movable)):
            feature = movable[turn % len(movable)]
            changed = replace(scene, states={feature.id: list(feature.states)[turn // len(movable) % 2]})
            start = time.process_time()
            world_of(changed)
            spent.append(1000 * (time.process_time() - start))
        print(f"opening a hatch of {name}: {np.median(spent):.2f} ms in the middle, {max(spent):.2f} ms at most")


LOADED = """
import os, sys, time
from pathlib import Path
from ktsim.killzones.catalogue import load_named
from ktsim.sight.obstacles import world_of
from ktsim.sight.scene import Scene
def used():
    path = Path("/proc/self/statm")
    return int(path.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20 if path.exists() else 0.0
before = used()
start = time.process_time()
ready = world_of(Scene(load_named(sys.argv[1], Path()).terrain)).terrain
ready.line_trees, ready.boxes
print(time.process_time() - start, used() - before, used())
"""


def loading() -> None:
    """Each killzone in a process of its own: loaded and made ready for lines, compiled kernels and kept trees read."""
    for name in names():
        command = [sys.executable, "-c", LOADED, name]
        subprocess.run(command, capture_output=True, check=True)  # keeps its trees
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        spent, more, total = map(float, done.stdout.split())
        print(f"loading {name:16} {spent:5.2f} s, {more:5.0f} MB more, {total:5.0f} MB in all", flush=True)


if __name__ == "__main__":
    main()
