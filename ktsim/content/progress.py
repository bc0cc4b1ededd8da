"""How far long work has come, in one line on stderr."""

from __future__ import annotations

import sys
from time import monotonic

SELDOM = 15.0
"""Seconds between two lines where they are kept, as in a log."""


class ProgressLine:
    """How far something has come: in a terminal the line is written over, elsewhere one is written now and then."""

    def __init__(self) -> None:
        self._is_terminal = sys.stderr.isatty()
        self._wide = 0
        self._next = monotonic() + SELDOM

    def say(self, text: str) -> None:
        if self._is_terminal:
            print(f"\r{text:<{self._wide}}", end="", file=sys.stderr, flush=True)
            self._wide = len(text)
        elif monotonic() >= self._next:
            print(text, file=sys.stderr, flush=True)
            self._next = monotonic() + SELDOM

    def clear(self) -> None:
        """It is done, or stopped: the terminal's line is free again."""
        if self._is_terminal and self._wide:
            print(f"\r{'':<{self._wide}}\r", end="", file=sys.stderr, flush=True)
            self._wide = 0
