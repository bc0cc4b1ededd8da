"""Questions answered beside the window, so that it never waits for them."""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor, wait
from typing import Any

from ktsim import faults
from ktsim.faults import Fault


class _Followed:
    """The latest of ever better answers, until somebody stops it."""

    def __init__(self, answers: Callable[[], Iterator[Any]]) -> None:
        self.latest: Any = None
        self.told: Any = None
        self._answers = answers
        self._stop = threading.Event()

    def stop(self) -> None:
        self._stop.set()

    def run(self) -> None:
        if self._stop.is_set():
            return
        for answer in self._answers():
            if self._stop.is_set():
                return
            self.latest = answer


class Jobs:
    """Answers to questions by name and key. Asking again with another key drops the older question of that name.

    What runs here must only read: the questions are about values that no longer change. Short questions are answered
    one after the other; those that are followed, which take long, go on beside them.
    """

    def __init__(self, facts: Callable[[], Mapping[str, object]] = dict) -> None:
        """*facts* are written down with whatever goes wrong."""
        self._facts = facts
        self._pool = ThreadPoolExecutor(1, "ktsim-jobs")
        self._long = ThreadPoolExecutor(1, "ktsim-maps")
        self._asked: dict[str, tuple[object, Future[Any]]] = {}
        self._followed: dict[str, tuple[Hashable, Future[Any], _Followed]] = {}
        self._told: set[str] = set()
        self._noted: set[str] = set()
        self.fault: Fault | None = None
        """What went wrong with the last answer that was picked up, if anything."""

    def ask(self, name: str, key: object, question: Callable[[], Any], patience: float = 0.0) -> Any:
        """The answer if it is known; otherwise ``None``, and it is being worked on. A new question is waited for as
        many seconds as *patience* says, so that what is found at once does not come a frame later."""
        known = self._asked.get(name)
        if known is None or known[0] != key:
            if known is not None:
                known[1].cancel()
            known = self._asked[name] = (key, self._pool.submit(question))
            self._told.discard(name)
            wait([known[1]], patience)
        future = known[1]
        if not future.done() or future.cancelled():
            return None
        self._told.add(name)
        if (error := future.exception()) is not None:
            self.fault = faults.note(name, error, self._facts())
            return None
        return future.result()

    def follow(self, name: str, key: Hashable, answers: Callable[[], Iterator[Any]]) -> tuple[Any, bool]:
        """The latest of ever better answers, or ``None`` before the first, and whether it is the last. Asking with
        another key gives up the older question of that name after its present step."""
        known = self._followed.get(name)
        if known is None or known[0] != key:
            self.drop(name)
            followed = _Followed(answers)
            known = self._followed[name] = (key, self._long.submit(followed.run), followed)
        _, future, followed = known
        is_last = future.done()
        followed.told = followed.latest
        if is_last and name not in self._noted:
            self._told.add(name)
            self._noted.add(name)
            if not future.cancelled() and (error := future.exception()) is not None:
                self.fault = faults.note(name, error, self._facts())
        return followed.told, is_last

    def key_of(self, name: str) -> object:
        """What was asked last under a name."""
        known = self._asked.get(name) or self._followed.get(name)
        return known[0] if known is not None else None

    def drop(self, name: str) -> None:
        """Follow a question no longer."""
        known = self._followed.pop(name, None)
        self._told.discard(name)
        self._noted.discard(name)
        if known is not None:
            known[2].stop()
            known[1].cancel()

    def has_news(self) -> bool:
        """Whether an answer has come that nobody has picked up yet and that was not told of before."""
        fresh = {name for name, (_, future) in self._asked.items() if future.done() and name not in self._told}
        for name, (_, future, followed) in self._followed.items():
            if followed.latest is not followed.told or (future.done() and name not in self._told):
                followed.told = followed.latest
                fresh |= {name} if future.done() else {""}
        self._told |= fresh - {""}
        return bool(fresh)

    def finish(self) -> None:
        """Wait until everything asked is answered."""
        futures = [future for _, future in self._asked.values()]
        for future in [*futures, *(future for _, future, _ in self._followed.values())]:
            if not future.cancelled():
                future.exception()

    def close(self) -> None:
        for name in list(self._followed):
            self.drop(name)
        for pool in (self._pool, self._long):
            pool.shutdown(wait=False, cancel_futures=True)
