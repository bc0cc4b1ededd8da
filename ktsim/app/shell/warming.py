"""Compiling the engine beside the window, once: the window is usable meanwhile, only without rulings.

``main`` is the worker that does a part of it.
"""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from typing import TypeAlias

from ktsim import faults, workers
from ktsim.rules.moving import warm as moving
from ktsim.sight import warm

SHARES = ((warm.PROOFS, warm.WALLS, warm.AREAS), (*warm.LINES, moving.STANDING, moving.MOVES))
"""What each of the processes compiles: they have little in common and take about as long."""
RULINGS = (*warm.ALL, moving.STANDING)
"""What the ruling table needs; moves are compiled while it is used already."""

Stages: TypeAlias = tuple[int, int]
"""A stage's number, from 1, and how many there are."""

LOOK_AGAIN = 0.5


class Warmth:
    """The engine's state: ready at once when all was compiled before, else as soon as its processes have compiled
    what rulings need."""

    def __init__(self) -> None:
        self._looked = -LOOK_AGAIN
        self._done = 0
        # Nothing is ever written to them: their input closes when this process ends, however it ends.
        self._processes = [
            subprocess.Popen(
                workers.command("compile", str(share)),
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
            for share, stages in enumerate(SHARES)
            if not warm.is_ready(stages)
        ]

    def is_ready(self) -> bool:
        """Whether rulings can be asked for. Looked up twice a second at most."""
        if all(process.poll() is not None for process in self._processes):
            return True
        now = time.monotonic()
        if now - self._looked > LOOK_AGAIN:
            self._looked, self._done = now, warm.done(RULINGS)
        return self._done == len(RULINGS)

    def stage(self) -> Stages | None:
        """Which stage rulings wait for is being compiled, of how many; None when they wait for none."""
        return None if self.is_ready() else (self._done + 1, len(RULINGS))

    def close(self) -> None:
        for process in self._processes:
            if process.poll() is None:
                process.terminate()


def _end_with_parent() -> None:
    """End this process as soon as the one that started it has ended; what was compiled by then is kept."""

    def watch() -> None:
        sys.stdin.buffer.read()
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def main(share: str) -> int:
    """Compile what is in that share."""
    _end_with_parent()
    try:
        warm.ensure_ready(lambda text: None, SHARES[int(share)])
    except Exception as error:
        faults.note("compiling the engine", error)
        return faults.EXIT_CODE
    return 0
