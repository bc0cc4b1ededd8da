"""What the start screen offers, in order."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ktsim.app.ruling.killzones import KillzoneScreen
from ktsim.app.shell.files import FileScreen

if TYPE_CHECKING:
    from ktsim.app.shell.desktop import Desktop


@dataclass(frozen=True)
class Entry:
    """One thing to do from the start screen. *name* is its widget's name, *key* the key that presses it. With *words*
    it is a large card, without a small button below. An entry that *is_there* denies is left out. The first large
    one is the next step. *run* is called between frames; what cannot be done raises UserError. What takes long names
    what it *loads*."""

    name: str
    title: str
    words: str
    icon: str
    key: str
    run: Callable[[Desktop], object]
    loads: str = ""
    is_there: Callable[[], bool] = lambda: True


ENTRIES: list[Entry] = [
    Entry(
        "rule",
        "Rule on a dispute",
        "Sight, cover, obscured: settled in a minute",
        "target",
        "1",
        lambda desktop: desktop.open_table(),
    ),
    Entry(
        "open",
        "Open a scene",
        "",
        "book",
        "O",
        lambda desktop: desktop.push(FileScreen.opening(desktop)),
    ),
    Entry(
        "killzones",
        "Killzones",
        "",
        "board",
        "K",
        lambda desktop: desktop.push(KillzoneScreen(desktop)),
    ),
]
