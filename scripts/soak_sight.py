"""Sight against the plain oracle, for longer than the tests do.

Lines: random lines through triangle soups and boxes, every query compared. Proofs: random tables, every witness
checked, every "not visible" searched with many random lines; tables turned, mirrored and shifted. Fans: origins of
random tables against brute force. Rulings: all that a ruling says, from its best origin and from three others of each
random table.
Prints a count of each kind and every disagreement; exit code 1 when there is any.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "tests" / "support"), str(ROOT / "tests" / "sight")]

import sight_oracle as oracle  # noqa: E402
from sight_rulings import check_rulings  # noqa: E402
from sight_scenes import random_boxes, random_table, turned  # noqa: E402
from test_sight_lines import check_queries, soup  # noqa: E402
from test_sight_targeting import check_brute  # noqa: E402

from ktsim.geometry.kernels import queries  # noqa: E402
from ktsim.sight.obstacles import world_of  # noqa: E402
from ktsim.sight.visibility import visible  # noqa: E402


def lines(total: int) -> int:
    """Random capsules, 500 a scene, soups and boxes in turn."""
    wrong = 0
    for number in range(max(1, total // 500)):
        rng = np.random.default_rng(number)
        if number % 2:
            meshes = [f.parts[0].triangles - np.array([11.0, 11.0, 1.0]) for f in random_boxes(rng, 5)]
            meshes = [np.concatenate(meshes)]
        else:
            meshes = [soup(rng, 40), soup(rng, 9)]
        try:
            check_queries(number, 500, meshes)
        except AssertionError as error:
            wrong += 1
            print(f"lines, seed {number}: {error}")
    print(f"lines: {max(1, total // 500) * 500}, scenes that disagree: {wrong}", flush=True)
    return wrong


def proofs(hidden_wanted: int, samples: int) -> int:
    """Tables until enough were hidden. Samples go through the compiled query; what it calls clear the oracle judges."""
    wrong = hidden = seen = seed = 0
    while hidden < hidden_wanted:
        scene = random_table(seed, boxes=9, bystanders=2)
        for a, b in (("a", "b"), ("b", "a")):
            found = visible(scene, a, b)
            if found.witness is not None:
                seen += 1
                try:
                    oracle.check_witness(scene, a, b, found.witness)
                except AssertionError as error:
                    wrong += 1
                    print(f"witness, seed {seed} {a}->{b}: {error}")
                continue
            hidden += 1
            world = world_of(scene)
            starts, ends = oracle.random_looks(scene.operative(a), scene.operative(b), samples, seed)
            blocked = queries.lines_blocked(world.forest, world.active((a, b)), starts, ends - starts, oracle.RADIUS)
            for index in np.flatnonzero(~blocked)[:1]:
                clear = oracle.clearance(scene, a, b, starts[index], ends[index])
                if clear >= oracle.RADIUS:
                    wrong += 1
                    print(
                        f"proof, seed {seed} {a}->{b}: a line is clear by {(clear - oracle.RADIUS) * 25.4:.3f} mm "
                        f"(stated resolution {found.resolution * 25.4:.3f} mm, close call {found.close_call}): "
                        f"{starts[index].tolist()} {ends[index].tolist()}"
                    )
        seed += 1
    print(f"proofs: {hidden} hidden looks x {samples} lines, {seen} witnesses, disagreements: {wrong}", flush=True)
    return wrong


def turns(total: int) -> int:
    """The same tables turned, mirrored and shifted: no verdict may change."""
    wrong = undecided = close = 0
    for seed in range(total):
        rng = np.random.default_rng([7, seed])
        scene = random_table(seed, boxes=9, bystanders=2)
        other = turned(scene, rng.uniform(0, 360), *rng.uniform(-3, 3, 2), mirror=bool(rng.integers(2)))
        one, two = visible(scene, "a", "b"), visible(other, "a", "b")
        undecided += one.undecided or two.undecided
        close += one.close_call
        if (one.visible, one.undecided) != (two.visible, two.undecided):
            wrong += 1
            print(f"turned, seed {seed}: {one} against {two}")
    counted = f"{total} tables, {close} close calls, {undecided} not decided"
    print(f"turned: {counted}, verdicts that changed: {wrong}", flush=True)
    return wrong


def fans(scenes: int) -> int:
    """Random tables on one level and on two, every origin's crossings."""
    wrong, total = 0, {"yes": 0, "no": 0, "unsure": 0}
    for seed in range(scenes):
        levels = ((0.0, 0.0), (1.5, 0.0), (0.0, 0.8))[seed % 3]
        try:
            for key, value in check_brute(5000 + seed, *levels, count=7, around=16, rings=2).items():
                total[key] += value
        except AssertionError as error:
            wrong += 1
            print(f"fans, seed {5000 + seed} levels {levels}: {error}")
    print(f"fans: {scenes} tables, {total}, tables that disagree: {wrong}", flush=True)
    return wrong


def rulings(total: int) -> int:
    """Four whole rulings a table."""
    wrong, counts = 0, Counter[str]()
    for seed in range(max(1, total // 4)):
        try:
            counts += check_rulings(seed)
        except AssertionError as error:
            wrong += 1
            print(f"rulings, seed {seed}: {error}")
    print(f"rulings: {dict(counts)}, tables that disagree: {wrong}", flush=True)
    return wrong


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--lines", type=int, default=20_000)
    options.add_argument("--hidden", type=int, default=200, help="looks found hidden that are searched")
    options.add_argument("--samples", type=int, default=100_000, help="random lines a hidden look")
    options.add_argument("--turned", type=int, default=400, help="tables that are also looked at turned and mirrored")
    options.add_argument("--fans", type=int, default=60, help="tables whose targeting lines are compared")
    options.add_argument("--rulings", type=int, default=2_000, help="whole rulings that are compared")
    args = options.parse_args()
    started = time.monotonic()
    wrong = lines(args.lines) + proofs(args.hidden, args.samples) + turns(args.turned)
    wrong += fans(args.fans) + rulings(args.rulings)
    print(f"{wrong} disagreements in {time.monotonic() - started:.0f} s")
    return 1 if wrong else 0


if __name__ == "__main__":
    raise SystemExit(main())
