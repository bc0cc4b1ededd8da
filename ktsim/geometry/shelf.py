"""What was prepared and can be prepared again: kept while there is room, the least recently used given up first."""

from __future__ import annotations

import ctypes
import sys
import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from contextlib import suppress
from typing import Any, TypeVar, cast

T = TypeVar("T")

SWEPT = 24 << 20
"""After so many bytes were given up the system gets back what lies about free."""

LARGE = 512 << 10
"""Bytes of a block that is worth a piece of memory of its own."""
_M_MMAP_THRESHOLD, _M_ARENA_MAX = -3, -8
_MADV_DONTNEED = 4
_SELDOM = ("llvm", "libcg.")
"""In the names of libraries whose code is seldom wanted."""

LEAST = 256
"""Bytes that anything kept is held to weigh at least, its name included."""


class Shelf:
    """Values by name, together no heavier than *most* bytes (but the last one, however heavy, is kept).

    A name begins with what the value belongs to, itself and not its id: that lives as long as its values are kept, and
    nothing else can be taken for it. What a value weighs is asked once, when it is put there: see :func:`weight_of`.
    """

    def __init__(self, most: int) -> None:
        self.most = most
        self.weight = 0
        self._given_up = 0
        self._values: OrderedDict[tuple[Hashable, ...], tuple[object, int]] = OrderedDict()
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return len(self._values)

    def keep(self, name: tuple[Hashable, ...], build: Callable[[], T]) -> T:
        """The value of that name; built when there is none, or none any more."""
        with self._lock:
            known = self._values.get(name)
            if known is not None:
                self._values.move_to_end(name)
                return cast("T", known[0])
        value = build()
        weight = LEAST + weight_of(value)
        with self._lock:
            _, before = self._values.pop(name, (None, 0))
            self._values[name] = (value, weight)
            self.weight += weight - before
            while self.weight > self.most and len(self._values) > 1:
                _, (_, gone) = self._values.popitem(last=False)
                self.weight -= gone
                self._given_up += gone
            is_due = self._given_up >= SWEPT
            self._given_up = 0 if is_due else self._given_up
        if is_due:
            sweep()
        return value


def sweep() -> None:
    """Hand free memory back, in a few milliseconds: the C library keeps it, in pieces between what is still used, and
    asks for more."""
    if sys.platform == "linux" and hasattr(ctypes.CDLL(None), "malloc_trim"):
        ctypes.CDLL(None).malloc_trim(0)


def let_go_of_code() -> None:
    """Let the system have the pages of code that is much and seldom wanted: LLVM's, which compiles and loads kernels
    and shaders, and that of Cg, which Panda3D brings and nothing here asks. What is wanted comes from its file again.
    Nothing ever writes there, as some drivers do into their own."""
    if sys.platform != "linux":
        return
    with suppress(OSError), open("/proc/self/maps", encoding="utf-8", errors="replace") as rows:
        for row in rows:
            words = row.split(maxsplit=5)
            begin, end = (int(part, 16) for part in words[0].split("-"))
            if words[1] == "r-xp" and any(name in words[-1].rpartition("/")[2].lower() for name in _SELDOM):
                ctypes.CDLL(None).madvise(ctypes.c_void_p(begin), ctypes.c_size_t(end - begin), _MADV_DONTNEED)


def keep_little() -> None:
    """Have the C library hand large blocks back as soon as they are free, and not collect free ones apart for threads:
    for programs that stay open. By itself it takes the first large block that is freed for the usual size."""
    if sys.platform == "linux" and hasattr(ctypes.CDLL(None), "mallopt"):
        for option, value in ((_M_MMAP_THRESHOLD, LARGE), (_M_ARENA_MAX, 1)):
            ctypes.CDLL(None).mallopt(option, value)


def weight_of(value: Any) -> int:
    """About how many bytes a value holds: arrays, what contains arrays, and what says so itself by ``weight``."""
    if hasattr(value, "nbytes"):
        return int(value.nbytes)
    if isinstance(value, tuple | list):
        return sum(map(weight_of, value))
    if isinstance(value, dict):
        return sum(map(weight_of, value.values()))
    return int(getattr(value, "weight", 0))


PREPARED = Shelf(128 << 20)
"""What boards have prepared, all of them together: it must not grow with the games played in one process."""
