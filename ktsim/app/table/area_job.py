"""An area view being computed beside the window: it gets better, and can be given up at any time."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator

from ktsim.errors import UserError
from ktsim.sight.area import AreaMap, SafeMap


class AreaJob:
    """Asks *maps* for one better map after the other in a thread of its own. *latest* is the best so far."""

    def __init__(self, maps: Callable[[], Iterator[AreaMap | SafeMap]]) -> None:
        self.latest: AreaMap | SafeMap | None = None
        self.problem = ""
        self.is_done = False
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, args=(maps,), daemon=True)
        self._thread.start()

    def _run(self, maps: Callable[[], Iterator[AreaMap | SafeMap]]) -> None:
        try:
            for found in maps():
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
