"""Checks drills against what ``ktsim rule``, ``odds`` and ``move`` say of their scenes (tests/support/drill_truth.py).

    ktsim drill new --count 500 --seed 19 --json > drills.json
    scripts/drills drills.json --seconds 500

The next run goes on where one was stopped: what was found stands beside the file. Ends with 1 when one is not true.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from collections import Counter
from pathlib import Path

from drill_truth import fault_of

from ktsim.content.progress import ProgressLine
from ktsim.game.drills.drill import Drill


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path)
    parser.add_argument("--seconds", type=float, default=1e9, help="stop after so long; the next run goes on")
    args = parser.parse_args()
    drills = [Drill.from_json(each) for each in json.loads(args.file.read_text(encoding="utf-8"))]
    kept = args.file.with_name(args.file.name + ".checked")
    faults: dict[str, str] = json.loads(kept.read_text(encoding="utf-8")) if kept.exists() else {}
    until, line = time.monotonic() + args.seconds, ProgressLine()
    with tempfile.TemporaryDirectory() as folder:
        for number in range(len(faults), len(drills)):
            if time.monotonic() > until:
                break
            faults[str(number)] = fault_of(drills[number], Path(folder))
            kept.write_text(json.dumps(faults), encoding="utf-8")
            line.say(f"{len(faults)} of {len(drills)} checked")
    line.clear()
    wrong = {number: fault for number, fault in faults.items() if fault}
    kinds = Counter(drill.kind for drill in drills[: len(faults)])
    print(f"{len(faults)} of {len(drills)} checked ({', '.join(f'{n} {kind}' for kind, n in kinds.most_common())})")
    for number, fault in wrong.items():
        print(f"drill {number}: {fault}")
    print(f"{len(wrong)} not true")
    return 1 if wrong else 0


if __name__ == "__main__":
    raise SystemExit(main())
