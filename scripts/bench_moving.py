"""Measure moving on every shipped killzone: ``python scripts/bench_moving.py [--seeds N] [killzone ...]``.

Times are CPU milliseconds of one thread. "again" is the same map after an operative far away has moved.
"""

from __future__ import annotations

import argparse
import math
import random
import time
from collections import defaultdict
from dataclasses import replace
from pathlib import Path

import numpy as np

from ktsim.killzones.catalogue import load_named, names
from ktsim.killzones.figures import figure
from ktsim.rules.moving.check import check_path
from ktsim.rules.moving.ground import ground_of
from ktsim.rules.moving.reach import MoveReach, reach
from ktsim.rules.moving.standing import can_stand
from ktsim.rules.moving.walk import CHARGE, REPOSITION, LegalPath, Walker
from ktsim.sight.scene import Base, Operative, Scene, Terrain

Times = defaultdict[str, list[float]]


def crowd(terrain: Terrain, seed: int, count: int = 10) -> Scene:
    """Two teams set up at random places where they can stand; every hatchway is open or closed by chance."""
    rng = random.Random(seed)
    states = {f.id: rng.choice(sorted(f.states)) for f in terrain.features if f.states}
    scene = Scene(terrain, (), states)
    ground = ground_of(scene)
    model = figure()
    while len(scene.operatives) < count:
        level = rng.choice(ground.levels) if rng.random() < 0.35 else 0.0
        x, y = rng.uniform(0, terrain.board[0]), rng.uniform(0, terrain.board[1])
        team = "red" if len(scene.operatives) % 2 == 0 else "blue"
        one = Operative(f"{team}-{len(scene.operatives)}", team, x, y, level, Base.of_mm(32), model)
        if can_stand(ground, Walker(one, scene), x, y, level) is None:
            scene = replace(scene, operatives=(*scene.operatives, one))
    return scene


def timed(times: Times, name: str, started: float) -> float:
    now = time.thread_time()
    times[name].append((now - started) * 1000)
    return time.thread_time()


def measure(scene: Scene, rng: random.Random, times: Times, counts: defaultdict[str, int]) -> None:
    ground = ground_of(scene)
    who = scene.operatives[rng.randrange(len(scene.operatives))]
    mover = Walker.of(scene, who.id)
    started = time.thread_time()
    found = reach(ground, mover, 6, REPOSITION)
    maps = {level: found.costs(level) for level in found.levels}
    started = timed(times, 'map 6"', started)
    far = max(mover.others, key=lambda other: math.hypot(other.x - who.x, other.y - who.y))
    if math.hypot(far.x - who.x, far.y - who.y) > 17:
        moved = scene.moved(replace(far, x=far.x + 0.01))
        started = time.thread_time()
        again = reach(ground, Walker.of(moved, who.id), 6, REPOSITION)
        for level in again.levels:
            again.costs(level)
        timed(times, 'map 6" again', started)
    places = list(found.places())
    for place, cost in rng.sample(places, min(12, len(places))):
        started = time.thread_time()
        walk = found.find(place.x, place.y, place.level)
        timed(times, "route", started)
        counts["routes"] += 1
        if walk is None or walk.total > cost:
            counts["places shown but not routed for that cost"] += 1
        if isinstance(walk, LegalPath):
            started = time.thread_time()
            check_path(ground, mover, walk.path, 6, REPOSITION)
            timed(times, "check", started)
    counts["places"] += len(places)
    assert maps
    started = time.thread_time()
    charge = MoveReach(ground, mover, 8, CHARGE, None)
    counts["enemies a Charge reaches"] += len(charge.enemies)
    timed(times, 'charge 8"', started)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("killzones", nargs="*", default=list(names()))
    parser.add_argument("--seeds", type=int, default=8)
    args = parser.parse_args()
    everything: Times = defaultdict(list)
    counts: defaultdict[str, int] = defaultdict(int)
    for name in args.killzones:
        terrain = load_named(name, Path()).terrain
        times: Times = defaultdict(list)
        measure(crowd(terrain, 0), random.Random(0), defaultdict(list), defaultdict(int))  # charts and kernels
        for seed in range(args.seeds):
            measure(crowd(terrain, seed), random.Random(seed), times, counts)
        for what, found in times.items():
            everything[what] += found
        print(f"{name:18}" + "  ".join(f"{what} {np.median(found):.1f}" for what, found in times.items()), flush=True)
    for what, found in everything.items():
        middle, p99, most = np.median(found), np.percentile(found, 99), max(found)
        print(f"{what:14} n={len(found):4}  median {middle:8.1f} ms  p99 {p99:8.1f} ms  max {most:8.1f} ms")
    for what, count in counts.items():
        print(f"{what}: {count}")


if __name__ == "__main__":
    main()
