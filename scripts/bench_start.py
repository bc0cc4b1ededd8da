"""How long a start takes, in CPU seconds of the whole process: the first one on a machine (nothing compiled), by the
kind of question, and later ones (everything compiled); what everything takes to compile, in one process and beside the
window. With --cold a few minutes of work; without it only warm starts."""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

EXAMPLES = Path(__file__).parent.parent / "killzones" / "examples"
QUESTIONS = {"open ground": "open-ground", "from a Vantage": "vantage-over-light", "not visible": "slit-too-narrow"}
BESIDE = """
import sys, time
from ktsim.app.shell.warming import Warmth
warmth, start = Warmth(), time.perf_counter()
while not warmth.is_ready():
    time.sleep(0.1)
print(time.perf_counter() - start)
for process in warmth._processes:
    process.wait()
print(time.perf_counter() - start)
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cold", action="store_true", help="first starts too")
    cold = parser.parse_args().cold
    print(f"{os.cpu_count()} cores, load {load()}")
    if cold:
        for kind, scene in QUESTIONS.items():
            with tempfile.TemporaryDirectory() as empty:
                wall, cpu = timed(rule(scene), empty)
            print(f"first ruling, {kind:15} {cpu:6.1f} s of CPU, {wall:6.1f} s", flush=True)
        with tempfile.TemporaryDirectory() as empty:
            wall, cpu = timed(["-m", "ktsim", "warm", "--quiet"], empty)
        print(f"everything compiled          {cpu:6.1f} s of CPU, {wall:6.1f} s", flush=True)
        with tempfile.TemporaryDirectory() as empty:
            environment = {**os.environ, "XDG_CACHE_HOME": empty}
            said = subprocess.run([sys.executable, "-c", BESIDE], env=environment, capture_output=True, check=True)
        ready, done = map(float, said.stdout.split())
        print(f"beside the window: rulings after {ready:.0f} s, everything after {done:.0f} s", flush=True)
    subprocess.run([sys.executable, "-m", "ktsim", "warm", "--quiet"], check=True)
    for kind, scene in QUESTIONS.items():
        spent = np.array([timed(rule(scene)) for _ in range(5)])
        wall, cpu = spent.min(axis=0)
        middle = np.median(spent[:, 0])
        print(f"warm ruling, {kind:15} {cpu:5.2f} s of CPU, {wall:5.2f} s at best, {middle:5.2f} s in the middle of 5")
    print(f"load at the end {load()}")


def load() -> str:
    return " ".join(f"{each:.1f}" for each in os.getloadavg())


def rule(scene: str) -> list[str]:
    return ["-m", "ktsim", "rule", str(EXAMPLES / f"{scene}.yaml")]


def timed(words: list[str], cache: str | None = None) -> tuple[float, float]:
    """Seconds and CPU seconds of a run of our own program, with that folder for what is kept."""
    environment = os.environ if cache is None else {**os.environ, "XDG_CACHE_HOME": cache}
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run([sys.executable, *words], env=environment, capture_output=True, check=True)
    wall, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


if __name__ == "__main__":
    main()
