"""Compiling the engine beside the window, once: the window is usable meanwhile, only without rulings.

``python -m ktsim.app.shell.warming`` is the process that does it.
"""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from typing import TypeAlias

from ktsim import faults
from ktsim.rules.moving import warm as moving
from ktsim.sight import warm

RULINGS = (*warm.ALL, moving.STANDING)
"""What the ruling table needs; moves are compiled while it is used already."""
STAGES = (*RULINGS, moving.MOVES)

Stages: TypeAlias = tuple[int, int]
"""A stage's number, from 1, and how many there are."""

LOOK_AGAIN = 0.5


class Warmth:
    """The engine's state: ready at once when everything was compiled before, else as soon as its process has compiled
    what rulings need."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._looked = -LOOK_AGAIN
        self._done = 0
        if not warm.is_ready(STAGES):
            command = [sys.executable, "-m", "ktsim.app.shell.warming"]
            # Nothing is ever written to it: it closes when this process ends, however it ends.
            self._process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
            )

    def is_ready(self) -> bool:
        """Whether rulings can be asked for. Looked up twice a second at most."""
        if self._process is None or self._process.poll() is not None:
            return True
        now = time.monotonic()
        if now - self._looked > LOOK_AGAIN:
            self._looked, self._done = now, warm.done(RULINGS)
        return self._done == len(RULINGS)

    def stage(self) -> Stages | None:
        """Which stage rulings wait for is being compiled, of how many; None when they wait for none."""
        return None if self.is_ready() else (self._done + 1, len(RULINGS))

    def close(self) -> None:
        if self._process is not None and self._process.poll() is None:
            self._process.terminate()


def _end_with_parent() -> None:
    """End this process as soon as the one that started it has ended; what was compiled by then is kept."""

    def watch() -> None:
        sys.stdin.buffer.read()
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def main() -> int:
    _end_with_parent()
    try:
        warm.ensure_ready(lambda text: None, STAGES)
    except Exception as error:
        faults.note("compiling the engine", error)
        return faults.EXIT_CODE
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
