"""Whole rulings against the oracle, as many as you like, in slices.

Usage: scripts/soak_sight.py --rulings N [--seed S] [--out FILE] [--seconds T] [--jobs J]. FILE keeps what was counted;
the same command goes on where it ended. Exit code: 0 when all is done and agrees, 1 for a disagreement or when too
little of something was met (the oracle must not pass by doing nothing), 2 when time is up before all is done.

Each disagreement is kept with the text of its scene: save it and say `ktsim rule FILE`.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import sys
import time
from collections import Counter
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "scripts")]

import numpy as np  # noqa: E402
from oracle.ground import Ground  # noqa: E402
from oracle.judge import Judge, Shot  # noqa: E402
from oracle.tables import Table  # noqa: E402

from ktsim.sight.ruling import ruling  # noqa: E402
from ktsim.sight.scene import Weapon  # noqa: E402

PLACES = 40
"""Rulings a table."""
HARDER, HARD = 40, 6
"""Every so many rulings one is looked at so many times as hard."""
FLOORS = {
    "visible": 0.4, "hidden": 0.1, "valid": 0.3, "cover": 0.1, "obscured": 0.05, "choices": 0.005, "in space": 0.1,
    "at walls": 0.08, "control": 0.03, "accurate": 0.005, "improved": 0.002, "other regions": 0.05, "smoke": 0.01,
    "cover unseen": 0.001, "third": 0.1, "ovals": 0.05, "conceal": 0.3, "hidden by cover": 0.02, "sought": 0.002,
    "beyond range": 0.02, "2021": 0.05,
}  # fmt: skip
"""The least share of rulings in which each must be met."""
CEILINGS = {"ties": 0.05, "undecided": 0.001}


def table_rulings(seed: int, number: int, places: int = PLACES) -> tuple[Counter[str], list[dict[str, Any]]]:
    """All rulings of one random table: what was counted, and the disagreements."""
    rng = np.random.default_rng([seed, number])
    table = Table.random(rng)
    ground = Ground(table.file.scene)
    counts, wrong = Counter[str](), []
    for place in range(places):
        scene = table.scene(rng)
        if scene is None:
            counts["no place"] += 1
            continue
        shot, edition = table.shot(rng), table.edition(rng, scene)
        weapon = Weapon(shot.rules if edition == "kt24" else ())
        if edition != "kt24":
            shot = Shot()
        found = ruling(scene, "a", "b", edition, weapon)
        which = number * places + place
        judge = Judge(ground, found, which, shot, hard=1 if which % HARDER else HARD)
        judge.run()
        counts += judge.counts
        counts["third"] += len(scene.operatives) > 2
        counts["ovals"] += any(not one.base.is_round for one in scene.operatives)
        counts["smoke"] += bool(judge.found.smoke)
        if judge.wrong:
            counts["disagreements"] += 1
            text = table.text(scene)
            how = {"edition": edition, "weapon": weapon.rules}
            where = {"seed": seed, "table": number, "place": place}
            wrong.append({**where, **how, "wrong": judge.wrong, "scene": text})
    return counts, wrong


def _one(task: tuple[int, int]) -> tuple[Counter[str], list[dict[str, Any]], float]:
    began = time.process_time()
    return *table_rulings(*task), time.process_time() - began


@dataclass
class Tally:
    """What was counted so far; kept in a file."""

    seed: int
    tables: int = 0
    seconds: float = 0.0
    """Of work, added up over all jobs: what others do on the machine does not count."""
    counts: Counter[str] = field(default_factory=Counter)
    wrong: list[dict[str, Any]] = field(default_factory=list)

    @classmethod
    def load(cls, path: Path | None, seed: int) -> Tally:
        if path is None or not path.exists():
            return cls(seed)
        kept = json.loads(path.read_text())
        if kept["seed"] != seed:
            raise SystemExit(f"{path} was counted with seed {kept['seed']}; choose another file for seed {seed}")
        return cls(kept["seed"], kept["tables"], kept["seconds"], Counter(kept["counts"]), kept["wrong"])

    def save(self, path: Path | None) -> None:
        if path is not None:
            made = path.with_suffix(path.suffix + ".new")
            made.write_text(json.dumps(vars(self), indent=1))
            made.replace(path)

    def missed(self) -> list[str]:
        """What was met too seldom or too often."""
        total = max(1, self.counts["rulings"])
        found = [
            f"{name}: only {self.counts[name]} in {total} rulings"
            for name, share in FLOORS.items()
            if self.counts[name] < share * total
        ]
        return found + [
            f"{name}: {self.counts[name]} in {total} rulings"
            for name, share in CEILINGS.items()
            if self.counts[name] > share * total + 3
        ]


def soak(tally: Tally, rulings: int, seconds: float, jobs: int, out: Path | None) -> None:
    """Go on until that many rulings are counted or time is up."""
    began = saved = time.monotonic()
    with ExitStack() as stack:
        laid_out = map if jobs == 1 else stack.enter_context(multiprocessing.get_context("spawn").Pool(jobs)).imap
        # so many tables at once that all jobs are busy; what is counted is always the first so many of them
        while tally.counts["rulings"] < rulings and time.monotonic() - began < seconds:
            left = -(-(rulings - tally.counts["rulings"]) // PLACES)
            batch = range(tally.tables, tally.tables + min(left, 2 * jobs))
            for counts, wrong, seconds_of_work in laid_out(_one, [(tally.seed, number) for number in batch]):
                tally.seconds += seconds_of_work
                tally.counts += counts
                tally.wrong += wrong
                tally.tables += 1
                for each in wrong:
                    print(f"table {each['table']}, place {each['place']}: {'; '.join(each['wrong'])}", flush=True)
            if time.monotonic() - saved > 10:
                tally.save(out)
                saved = time.monotonic()
    tally.save(out)


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--rulings", type=int, default=20_000, help="how many in all")
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--out", type=Path, help="keeps what was counted")
    options.add_argument("--seconds", type=float, default=1e9, help="stop after so long; the same command goes on")
    options.add_argument("--jobs", type=int, default=1)
    args = options.parse_args()
    tally = Tally.load(args.out, args.seed)
    soak(tally, args.rulings, args.seconds, args.jobs, args.out)
    for name, count in sorted(tally.counts.items()):
        print(f"{count:>10}  {name}")
    total = tally.counts["rulings"]
    rate = total / max(tally.seconds, 0.1)
    print(f"{total} rulings of {args.rulings} in {tally.seconds:.0f} s of work, {rate:.0f} a second and core")
    if tally.wrong:
        print(f"{len(tally.wrong)} rulings disagree")
        return 1
    if total < args.rulings:
        return 2
    for text in tally.missed():
        print(f"too little to tell: {text}")
    return 1 if tally.missed() else 0


if __name__ == "__main__":
    raise SystemExit(main())
