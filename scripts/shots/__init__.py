"""The screens of the window, each drawn by driving the desktop to it. Every module here adds its own.

A shot is a function that is given a desktop at its start screen and leaves it at what is to be drawn:

    @shot("ruling-table")
    def _(driver: Driver) -> None: ...
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from desktop_driver import Driver

Shot: TypeAlias = "Callable[[Driver], None]"
SHOTS: dict[str, Shot] = {}


def shot(name: str) -> Callable[[Shot], Shot]:
    """Add a shot under *name*, which also names its files."""

    def add(function: Shot) -> Shot:
        if name in SHOTS:
            raise ValueError(f"there are two shots called {name}")
        SHOTS[name] = function
        return function

    return add
