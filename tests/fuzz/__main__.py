"""See ``options.py``."""

from __future__ import annotations

import logging
import resource
import signal
import sys
import tempfile
import time
import traceback
from collections import Counter
from pathlib import Path
from random import Random
from typing import NamedTuple

from fuzz.formats import FORMATS, Format
from fuzz.options import fuzz_options

MOST_SECONDS = 2.0
MOST_BYTES = 1_000_000_000
MOST_LETTERS = 20_000
HANGING = 20
"""Seconds on the clock after which an input is given up."""


class Tried(NamedTuple):
    """What became of an input: ``read``, ``refused``, or a fault in words."""

    outcome: str
    seconds: float
    fault: str = ""


class Hanging(BaseException):
    pass


def attempt(form: Format, path: Path) -> Tried:
    """Read one file, watched."""
    started = time.process_time()
    signal.setitimer(signal.ITIMER_REAL, HANGING)
    outcome, fault = "read", ""
    try:
        form.read(path)
    except form.refuses as error:
        outcome, said = "refused", str(error)
        if not all(line.isprintable() for line in said.split("\n")):
            fault = f"unprintable: {said[:200]!r}"
        elif len(said) > MOST_LETTERS:
            fault = f"{len(said)} characters of refusal"
    except Hanging:
        fault = f"nothing after {HANGING} s"
    except (Exception, RecursionError) as error:
        last = traceback.extract_tb(error.__traceback__)[-1]
        fault = f"{type(error).__name__}: {str(error)[:120]!r} at {last.filename}:{last.lineno}"
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
    seconds = time.process_time() - started
    if not fault and seconds > MOST_SECONDS:
        fault = f"{seconds:.1f} s of CPU"
    return Tried("fault" if fault else outcome, seconds, fault)


def _alarm(*_: object) -> None:
    raise Hanging


def main() -> int:
    args = fuzz_options().parse_args()
    chosen = [form for form in FORMATS if not args.only or form.name in args.only.split(",")]
    logging.getLogger("trimesh").setLevel(logging.CRITICAL)  # it tells of what it then raises
    signal.signal(signal.SIGALRM, _alarm)
    # what needs more than this beyond what is there already is a fault of its own (MemoryError)
    resource.setrlimit(resource.RLIMIT_DATA, (2 * MOST_BYTES, resource.RLIM_INFINITY))
    counts: Counter[tuple[str, str]] = Counter()
    longest = dict.fromkeys((form.name for form in chosen), 0.0)
    started, cpu = time.monotonic(), time.process_time()
    number = args.seed
    with tempfile.TemporaryDirectory(prefix="fuzz-") as folder:
        while number < args.seed + args.count and (not args.seconds or time.monotonic() - started < args.seconds):
            form = chosen[number % len(chosen)]
            name, data = form.mutant(Random(f"{form.name} {number}"))
            path = Path(folder) / name
            path.write_bytes(data)
            tried = attempt(form, path)
            counts[form.name, tried.outcome] += 1
            longest[form.name] = max(longest[form.name], tried.seconds)
            if tried.fault:
                args.keep.mkdir(parents=True, exist_ok=True)
                kept = args.keep / f"{form.name}-{number}{path.suffix}"
                kept.write_bytes(data)
                print(f"FAULT {form.name} {number}: {tried.fault}; kept as {kept}", flush=True)
            path.unlink()
            if left := list(Path(folder).iterdir()):
                print(f"FAULT {form.name} {number}: left {left} behind")
                counts[form.name, "fault"] += 1
                left[0].unlink()
            number += 1
    for form in chosen:
        told = ", ".join(f"{counts[form.name, outcome]} {outcome}" for outcome in ("read", "refused", "fault"))
        print(f"{form.name:10} {told}; the longest {longest[form.name]:.2f} s")
    tried_in_all, cpu = number - args.seed, time.process_time() - cpu
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3
    faults = sum(count for (_, outcome), count in counts.items() if outcome == "fault")
    print(
        f"{tried_in_all} inputs, {faults} faults, {3600 * tried_in_all / cpu:.0f} an hour on a core, "
        f"{peak:.0f} MB at most"
    )
    return 1 if faults or peak > 1e-6 * MOST_BYTES else 0


if __name__ == "__main__":
    sys.exit(main())
