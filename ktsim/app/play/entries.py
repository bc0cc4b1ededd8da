"""What the start screen offers to play."""

from __future__ import annotations

import time

from ..screens.entries import Entry
from .saves import Save, latest
from .setup_screen import SavesScreen, SetupScreen, resume_game

LOOK_AGAIN = 2.0
"""Seconds for which what was found in the folder of games is believed."""

_found: tuple[float, Save | None] = (-LOOK_AGAIN, None)


def _latest() -> Save | None:
    global _found
    now = time.monotonic()
    if now - _found[0] > LOOK_AGAIN:
        _found = (now, latest())
    return _found[1]


def forget() -> None:
    """Look again at once."""
    global _found
    _found = (-LOOK_AGAIN, None)


def continue_entries() -> list[Entry]:
    """Going on with the last game, when there is one."""
    save = _latest()
    if save is None:
        return []
    return [Entry("continue", "Continue", save.title, "play", "Enter", lambda desktop: resume_game(desktop, save.path))]


PLAY_ENTRIES: list[Entry] = [
    Entry(
        "hot-seat",
        "Play hot-seat",
        "Two players, one screen",
        "people",
        "2",
        lambda desktop: desktop.push(SetupScreen(desktop, is_solo=False)),
    ),
    Entry(
        "solo",
        "Play solo",
        "Practise against the computer",
        "person",
        "3",
        lambda desktop: desktop.push(SetupScreen(desktop, is_solo=True)),
    ),
]
SMALL_ENTRIES: list[Entry] = [
    Entry("load", "Load", "", "folder", "L", lambda desktop: desktop.push(SavesScreen.loading(desktop))),
    Entry("watch", "Watch a replay", "", "play", "W", lambda desktop: desktop.push(SavesScreen.watching(desktop))),
]
