"""Slow questions asked beside the window: one thread, the newest question of each kind, answers picked up later."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any


class Jobs:
    """Answers to questions by name and key. Asking again with another key drops the older question of that name.

    What runs here must only read: the questions are about values that no longer change.
    """

    def __init__(self) -> None:
        self._pool = ThreadPoolExecutor(1, "ktsim-jobs")
        self._asked: dict[str, tuple[Hashable, Future[Any]]] = {}
        self._told: set[str] = set()
        self.trouble = ""
        """What went wrong with the last answer that was picked up, if anything."""

    def ask(self, name: str, key: Hashable, question: Callable[[], Any]) -> Any:
        """The answer if it is known; otherwise ``None``, and it is being worked on."""
        known = self._asked.get(name)
        if known is None or known[0] != key:
            if known is not None:
                known[1].cancel()
            known = self._asked[name] = (key, self._pool.submit(question))
            self._told.discard(name)
        future = known[1]
        if not future.done() or future.cancelled():
            return None
        self._told.add(name)
        if (error := future.exception()) is not None:
            self.trouble = f"{name} failed ({type(error).__name__}: {error})"
            return None
        return future.result()

    def has_news(self) -> bool:
        """Whether an answer has come that nobody has picked up yet."""
        return any(future.done() and name not in self._told for name, (_, future) in self._asked.items())

    def finish(self) -> None:
        """Wait until everything asked is answered."""
        for _, future in list(self._asked.values()):
            if not future.cancelled():
                future.exception()

    def close(self) -> None:
        self._pool.shutdown(wait=False, cancel_futures=True)
