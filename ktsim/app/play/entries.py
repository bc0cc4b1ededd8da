"""What the start screen offers to play."""

from __future__ import annotations

import time
from typing import TypeAlias

from ktsim.app.play.saves import Save, latest
from ktsim.app.play.setup_screen import SavesScreen, SetupScreen, resume_game
from ktsim.app.shell.entries import Entry

LOOK_AGAIN = 2.0
"""Seconds for which what was found in the folder of games is believed."""

_Latest: TypeAlias = tuple[Save | None, tuple[Save, ...]]
_found: tuple[float, _Latest] = (-LOOK_AGAIN, (None, ()))


def _latest() -> _Latest:
    global _found
    now = time.monotonic()
    if now - _found[0] > LOOK_AGAIN:
        _found = (now, latest())
    return _found[1]


def forget() -> None:
    """Look again at once."""
    global _found
    _found = (-LOOK_AGAIN, (None, ()))


def continue_entries() -> list[Entry]:
    """Going on with the last game that can be read, when there is one; newer ones that cannot are named."""
    save, damaged = _latest()
    if save is None:
        return []
    words = save.title
    if damaged:
        words += f". The game of {damaged[0].when:%d.%m. %H:%M}, played later, is damaged."
    path, title = save.path, save.title
    return [Entry("continue", "Continue", words, "play", "Enter", lambda desktop: resume_game(desktop, path), title)]


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
