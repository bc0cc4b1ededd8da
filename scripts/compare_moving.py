"""Compare the planner with a search without short cuts: ``scripts/compare_moving.py [--cases N] [--first SEED]``.

Counts the end positions for which the planner is dearer or cheaper, and puts routes to sampled places through the exact
check, and sampled places the map does not show through the planner.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests" / "support"))

from lattice_oracle import BrutePlan, differences, random_table

from ktsim.rules.moving.ground import ground_of
from ktsim.rules.moving.plan import UNREACHED
from ktsim.rules.moving.reach import MoveReach
from ktsim.rules.moving.walk import DASH, FALL_BACK, REPOSITION, LegalPath, Walker


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=500)
    parser.add_argument("--first", type=int, default=0)
    args = parser.parse_args()
    places = dearer = cheaper = routes = dear_routes = lost = hidden = found_hidden = 0
    started = time.time()
    for seed in range(args.first, args.first + args.cases):
        rng = random.Random(seed)
        table = random_table(seed)
        if not table.operatives or table.operatives[0].id != "a":
            continue
        ground, mover = ground_of(table), Walker.of(table, "a")
        action = rng.choice([REPOSITION, REPOSITION, FALL_BACK, DASH])
        allowance = rng.choice([3, 4, 5])
        reached = MoveReach(ground, mover, allowance, action, None)
        brute = BrutePlan(ground, mover, allowance, action)
        for level in reached.levels:
            ends = reached.plan.chart.mask("ends", level) & reached.plan.rings.ends(level)
            ours, theirs = differences(reached.plan, brute, ends, level)
            places += len(ours)
            dearer += int((ours > theirs).sum())
            cheaper += int((ours < theirs).sum())
            if (ours > theirs).sum() > 3:
                print(f"seed {seed} level {level}: {int((ours > theirs).sum())} of {len(ours)} dearer", flush=True)
        shown = list(reached.places())
        for place, cost in rng.sample(shown, min(8, len(shown))):
            walk = reached.find(place.x, place.y, place.level)
            routes += 1
            lost += walk is None
            dear_routes += walk is not None and walk.total > cost
        for level in reached.levels:
            blank = np.argwhere(reached.costs(level) == UNREACHED)
            at = np.array([mover.operative.x, mover.operative.y])
            blank = blank[np.hypot(*(blank * 0.25 - at).T) <= allowance]
            for i, j in rng.sample(list(map(tuple, blank)), min(3, len(blank))):
                hidden += 1
                found_hidden += isinstance(reached.find(i * 0.25, j * 0.25, level), LegalPath)
    print(f"{args.cases} cases, {places} end positions in {time.time() - started:.0f} s")
    share = 100 * dearer / max(1, places)
    print(f"dearer than the search without short cuts: {dearer} ({share:.3f} %), cheaper: {cheaper}")
    print(f"routes asked for: {routes}, not found: {lost}, dearer than shown: {dear_routes}")
    print(f"places not shown: {hidden}, routed all the same: {found_hidden}")


if __name__ == "__main__":
    main()
