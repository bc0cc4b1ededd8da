"""Compiling the engine beside the window, once: the window is usable meanwhile, only without rulings.

``python -m ktsim.app.warming`` is the process that does it.
"""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from typing import TypeAlias

from ktsim.sight import warm


def _stand() -> None:
    """Everything that is asked before somebody is put down on the table."""
    from ktsim.geometry.solids import box
    from ktsim.killzones.figures import figure
    from ktsim.rules.moving.ground import ground_of
    from ktsim.rules.moving.standing import can_stand
    from ktsim.rules.moving.walk import Mover
    from ktsim.sight.scene import Area, Base, Feature, Operative, Part, Scene, Terrain

    floor = Part("block", "floor", frozenset({"vantage", "heavy"}), box((4, 4, 0), (9, 9, 2)))
    pool = Area("pool", "hazardous", ((20.0, 3.0), (24.0, 3.0), (24.0, 6.0), (20.0, 6.0)))
    terrain = Terrain((30.0, 22.0), (Feature("block", (floor,)),), areas=(pool,))
    people = (
        Operative("one", "a", 12.0, 11.0, 0.0, Base.of_mm(32), figure()),
        Operative("two", "b", 15.0, 11.0, 0.0, Base.of_mm(60, 35), figure(), 30.0),
    )
    scene = Scene(terrain, people)
    for one in people:
        for x, y, level in ((12.0, 15.0, 0.0), (6.0, 6.0, 2.0), (9.0, 9.0, 0.0), (21.0, 4.0, 0.0), (14.0, 11.0, 0.0)):
            can_stand(ground_of(scene), Mover(one, scene), x, y, level)


STAGES = (*warm.ALL, warm.Stage("standing", _stand))

Stages: TypeAlias = tuple[int, int]
"""A stage's number, from 1, and how many there are."""

LOOK_AGAIN = 0.5


class Warmth:
    """The engine's state: ready at once when everything was compiled before, else when its process is done."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._looked = -LOOK_AGAIN
        self._stage: Stages = (1, len(STAGES))
        if not warm.is_ready(STAGES):
            command = [sys.executable, "-m", "ktsim.app.warming"]
            # Nothing is ever written to it: it closes when this process ends, however it ends.
            self._process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
            )

    def is_ready(self) -> bool:
        return self._process is None or self._process.poll() is not None

    def stage(self) -> Stages | None:
        """Which stage is being compiled, of how many; None when none is. Looked up twice a second at most."""
        if self.is_ready():
            return None
        now = time.monotonic()
        if now - self._looked > LOOK_AGAIN:
            self._looked = now
            self._stage = (min(warm.done(STAGES) + 1, len(STAGES)), len(STAGES))
        return self._stage

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
    warm.ensure_ready(lambda text: None, STAGES)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
