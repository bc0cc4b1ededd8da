"""An area view being computed beside the window: it gets better, and can be given up at any time."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence

from ktsim.errors import UserError
from ktsim.sight.area import AreaMap, SafeMap

CELLS = (1.0, 0.5, 0.25)
"""How finely the board is asked, one after the other, in inches."""


class AreaJob:
    """Asks *maps* for one better map after the other in a thread of its own, and then for a finer one.

    *latest* is what to show: the finest map that is complete, or the first one as it comes. *working* is the map being
    made.
    """

    def __init__(self, maps: Callable[[float], Iterator[AreaMap | SafeMap]], cells: Sequence[float] = CELLS) -> None:
        self.latest: AreaMap | SafeMap | None = None
        self.working: AreaMap | SafeMap | None = None
        self._cells = cells
        self.problem = ""
        self.is_done = False
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, args=(maps,), daemon=True)
        self._thread.start()

    def _run(self, maps: Callable[[float], Iterator[AreaMap | SafeMap]]) -> None:
        try:
            for cell in self._cells:
                for found in maps(cell):
                    self.working = found
                    if cell == self._cells[0] or found.complete:
                        self.latest = found
                    if self._stop.is_set():
                        return
        except UserError as error:
            self.problem = str(error)
        finally:
            self.is_done = True

    def close(self) -> None:
        """Give up, and wait until nothing is asked any more."""
        self._stop.set()
        self._thread.join()
