"""What the start screen offers, in order."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from ktsim.app.play.saves import Save, latest
from ktsim.app.play.setup_screen import SavesScreen, SetupScreen, resume_game
from ktsim.app.ruling.killzones import KillzoneScreen
from ktsim.app.screens.files import FileScreen
from ktsim.app.screens.screen import Host

LOOK_AGAIN = 2.0
"""Seconds for which what was found in the folder of games is believed."""


@dataclass(frozen=True)
class StartEntry:
    """One thing to do from the start screen. *name* is its widget's name, *key* the key that presses it. With *words*
    it is a large card, without a small button below. The first large one is the next step. *run* is called between
    frames; what cannot be done raises UserError. What takes long names what it *loads*."""

    name: str
    title: str
    words: str
    icon: str
    key: str
    run: Callable[[Host], object]
    loads: str = ""


_LARGE = (
    StartEntry(
        "rule",
        "Rule on a dispute",
        "Sight, cover, obscured: settled in a minute",
        "target",
        "1",
        lambda desktop: desktop.open_table(),
    ),
    StartEntry(
        "hot-seat",
        "Play hot-seat",
        "Two players, one screen",
        "people",
        "2",
        lambda desktop: desktop.push(SetupScreen(desktop, is_solo=False)),
    ),
    StartEntry(
        "solo",
        "Play solo",
        "Practise against the computer",
        "person",
        "3",
        lambda desktop: desktop.push(SetupScreen(desktop, is_solo=True)),
    ),
)
_SMALL = (
    StartEntry("open", "Open a scene", "", "book", "O", lambda desktop: desktop.push(FileScreen.opening(desktop))),
    StartEntry("killzones", "Killzones", "", "board", "K", lambda desktop: desktop.push(KillzoneScreen(desktop))),
    StartEntry("load", "Load", "", "folder", "L", lambda desktop: desktop.push(SavesScreen.loading(desktop))),
    StartEntry("watch", "Watch a replay", "", "play", "W", lambda desktop: desktop.push(SavesScreen.watching(desktop))),
)

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


def entries() -> list[StartEntry]:
    """What there is to do. The last game that can be read comes first, when there is one; newer ones that cannot are
    named."""
    save, damaged = _latest()
    if save is None:
        return [*_LARGE, *_SMALL]
    words = save.title
    if damaged:
        words += f". The game of {damaged[0].when:%d.%m. %H:%M}, played later, is damaged."
    path, title = save.path, save.title
    last = StartEntry("continue", "Continue", words, "play", "Enter", lambda desktop: resume_game(desktop, path), title)
    return [last, *_LARGE, *_SMALL]
