"""What other installed packages bring, found through entry points.

The groups: ``ktsim.teams`` (a team file by its path), ``ktsim.weapon_rules`` (a module that registers weapon rules),
``ktsim.ops`` (an op's class), ``ktsim.bots`` (a kind of bot). Nothing is loaded before somebody asks for it; a package
that cannot be used is left out and said so in one sentence.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, MutableMapping
from functools import lru_cache
from importlib.metadata import EntryPoint, entry_points
from typing import TypeVar

from ktsim.content.printable import printable

V = TypeVar("V")


def load_plugins(
    group: str, read: Callable[[str, object], V | None], taken: Mapping[str, object] | None = None
) -> dict[str, V]:
    """What packages offer under *group*, by name; *read* makes it what is wanted, says ``None`` to what is not
    meant, or raises with the reason. Names that are *taken* stay what they are.
    """
    found: dict[str, V] = {}
    for point in sorted(entry_points(group=group), key=lambda each: (each.name, each.value)):
        try:
            if point.name in (taken or {}) or point.name in found:
                raise ValueError(f"there is already one called {point.name!r}")
            value = read(point.name, point.load())
            if value is not None:
                found[point.name] = value
        except (Exception, SystemExit) as error:
            complain(point, error)
    return found


@lru_cache(maxsize=256)
def _say(sentence: str) -> None:
    """Once each."""
    print(sentence, file=sys.stderr, flush=True)


def complain(point: EntryPoint, error: BaseException) -> None:
    """Say that something is left out, and why."""
    package = printable(point.dist.name) if point.dist is not None else "a package"
    why = f"{type(error).__name__}: {printable(' '.join(str(error).split()), 200)}"
    _say(f"{package}: {printable(point.name)!r} ({point.group}) cannot be used and is left out: {why}")


class Extensible(MutableMapping[str, V]):
    """What comes with the program, by name, and after it what packages offer under *group*: those are loaded as soon as
    a name is not known or all names are wanted."""

    def __init__(self, own: Mapping[str, V], group: str, read: Callable[[str, object], V | None]) -> None:
        self._known, self._group, self._read, self._is_loaded = dict(own), group, read, False

    def _all(self) -> dict[str, V]:
        if not self._is_loaded:
            self._is_loaded = True
            self._known |= load_plugins(self._group, self._read, self._known)
        return self._known

    def __getitem__(self, name: str) -> V:
        return self._known[name] if name in self._known else self._all()[name]

    def __setitem__(self, name: str, value: V) -> None:
        self._known[name] = value

    def __delitem__(self, name: str) -> None:
        del self._known[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._all())

    def __len__(self) -> int:
        return len(self._all())
