"""Looking on at what a settled ruling left undecided, beside whatever else goes on.

A thread does it: searches run outside of the interpreter, so that nobody waits for them. Each round looks longer than
the one before; the best answer so far is there at any time, and it can be given up at any time.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence

from ktsim.sight.scene import Scene
from ktsim.sight.visibility import SETTLED, STOP, Effort, Sighting, nothing_yet, visible

ROUNDS = (8, 64, 512)
"""How much longer than a settled ruling each round looks. The last one takes minutes."""


class Refining:
    """One undecided look that goes on. ``latest`` is the best answer so far: give it to ``ruling`` as *seen*."""

    def __init__(
        self,
        scene: Scene,
        viewer: str,
        target: str,
        sighting: Sighting,
        effort: Effort = SETTLED,
        rounds: Sequence[int] = ROUNDS,
    ) -> None:
        self.latest = sighting
        self._rounds = [effort.times(more) for more in rounds] if sighting.undecided else []
        self._out = nothing_yet()
        self._is_closed = False
        self._thread = threading.Thread(target=self._look, args=(scene, viewer, target), daemon=True)
        self._thread.start()

    def _look(self, scene: Scene, viewer: str, target: str) -> None:
        for effort in self._rounds:
            self._out = nothing_yet()
            if self._is_closed:
                return
            found = visible(scene, viewer, target, effort=effort, out=self._out)
            if self._is_closed:
                return
            if not found.undecided or found.resolution < self.latest.resolution:
                self.latest = found
            if not found.undecided:
                return

    @property
    def is_looking(self) -> bool:
        """Whether a better answer may still come."""
        return self._thread.is_alive()

    def wait(self, seconds: float | None = None) -> Sighting:
        """The best answer after at most that long."""
        self._thread.join(seconds)
        return self.latest

    def close(self) -> None:
        """Give up: the search ends within a moment, the best answer so far stays."""
        self._is_closed = True
        self._out[STOP] = 1.0
