"""The start screen: what there is to do, in order, beside the table that is already laid; and what is said about the
program."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from panda3d.core import Texture

from ktsim import __version__
from ktsim.app.play.joint_screen import JointScreen
from ktsim.app.play.lesson_screen import LessonScreen, is_taken
from ktsim.app.play.saves import Save, latest
from ktsim.app.play.setup_screen import SavesScreen, SetupScreen, resume_game
from ktsim.app.practice.page import PracticeScreen
from ktsim.app.ruling.killzones import KillzoneScreen
from ktsim.app.ruling.screen import RulingTable
from ktsim.app.screens.dialogs import centred
from ktsim.app.screens.files import FileScreen
from ktsim.app.screens.screen import Held, Host, Screen
from ktsim.app.screens.settings_page import SettingsScreen
from ktsim.app.stage.cameras import Free
from ktsim.app.teams.page import TakingUp, TeamsScreen
from ktsim.app.ui import theme
from ktsim.app.ui.pen import Rect
from ktsim.app.ui.widgets import SCROLLBAR, Widgets

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


def teams_of(desktop: Host) -> TeamsScreen:
    """The player's teams, on the way to a game."""

    def play(key: str, is_solo: bool) -> None:
        desktop.home()
        desktop.push(SetupScreen(desktop, is_solo=is_solo, team=key))

    return TeamsScreen(
        desktop,
        TakingUp("solo", "Play solo", lambda key: play(key, True)),
        TakingUp("hot-seat", "Hot-seat", lambda key: play(key, False)),
    )


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
    StartEntry("joint", "Joint missions", "", "flag", "J", lambda desktop: desktop.push(JointScreen(desktop))),
    StartEntry("open", "Open a scene", "", "book", "O", lambda desktop: desktop.push(FileScreen.opening(desktop))),
    StartEntry("teams", "Your teams", "", "people", "T", lambda desktop: desktop.push(teams_of(desktop))),
    StartEntry("killzones", "Killzones", "", "board", "K", lambda desktop: desktop.push(KillzoneScreen(desktop))),
    StartEntry("practise", "Practise", "", "bulb", "P", lambda desktop: desktop.push(PracticeScreen(desktop))),
    StartEntry("load", "Load", "", "folder", "L", lambda desktop: desktop.push(SavesScreen.loading(desktop))),
    StartEntry("watch", "Watch a replay", "", "play", "W", lambda desktop: desktop.push(SavesScreen.watching(desktop))),
)


def _lesson(desktop: Host) -> None:
    """The first lesson, and what comes after it."""
    then = (
        ("solo", "Play against the computer", "person", lambda: desktop.push(SetupScreen(desktop, is_solo=True))),
        ("practise", "Practise", "bulb", lambda: desktop.push(PracticeScreen(desktop))),
        ("home", "Back to the start", "back", lambda: None),
    )
    desktop.push(LessonScreen(desktop, then))


FIRST = StartEntry(
    "lesson",
    "First lesson",
    "Never played? A guided game of ten minutes",
    "bulb",
    "F",
    _lesson,
    "the lesson",
)
"""Offered to whoever has not taken it and has no game; a small button for everybody else."""

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
        return [*_LARGE, *_SMALL, replace(FIRST, words="")] if is_taken() else [FIRST, *_LARGE, *_SMALL]
    words = save.title
    if damaged:
        words += f". The game of {damaged[0].when:%d.%m. %H:%M}, played later, is damaged."
    path, title = save.path, save.title
    last = StartEntry("continue", "Continue", words, "play", "Enter", lambda desktop: resume_game(desktop, path), title)
    return [last, *_LARGE, *_SMALL, replace(FIRST, words="")]


class StartScreen(Screen):
    """The bottom of the stack."""

    name = "start"

    def __init__(self, desktop: Host, table: Callable[[], RulingTable | None]) -> None:
        """*table* is the ruling table, once it is laid."""
        super().__init__(desktop)
        self._table = table
        self._is_laid = False
        """Whether the table's camera fits it beside the panel."""

    def enter(self) -> None:
        forget()  # a game was played or removed meanwhile

    @property
    def texture(self) -> Texture | None:
        table = self._table()
        return table.texture if table is not None else None

    def update(self, now: float) -> None:
        table = self._table()
        if table is None:
            return
        if table.is_fresh and not self._is_laid:
            size = self.desktop.size
            left = panel_rect(size, self.desktop.pen.size).right / size[0]
            table.view.picture.refit(Free(left, 0.05, 1.0, 0.95))
            self._is_laid = True
        if table.view.update(now):
            self.desktop.refresh_once()

    def notice_place(self) -> Rect:
        """Beside the panel, so that its foot can be seen."""
        size = self.desktop.size
        left = panel_rect(size, self.desktop.pen.size).right + 16
        return Rect(left, 0, size[0] - left - 16, size[1] - 24)

    def resized(self) -> None:
        self._is_laid = False

    def draw(self, ui: Widgets) -> None:
        asked = start_panel(ui, self.desktop.size, entries())
        if asked == "quit":
            self.desktop.quit()
        elif asked == "about":
            self.desktop.push(AboutScreen(self.desktop))
        elif asked == "settings":
            self.desktop.push(SettingsScreen(self.desktop))
        elif asked is not None:
            self._run(asked)

    def _run(self, entry: StartEntry) -> None:
        if entry.loads:
            self.desktop.load(entry.loads, lambda: entry.run(self.desktop))
        else:
            self.desktop.later(lambda: entry.run(self.desktop))

    def key(self, key: str, held: Held) -> None:
        for entry in entries():
            if entry.key.lower() == key:
                self._run(entry)


def panel_rect(size: tuple[int, int], text: float, cards: int = 3, rows: int = 3) -> Rect:
    """Where the start screen's panel stands: at the left, no taller than so many cards and rows of buttons need."""
    tall = min(size[1] - 48.0, (152.0 + 104.0 * cards + 44.0 * rows) * text)
    return Rect(24, round((size[1] - tall) / 2), min(468.0 * text, size[0] - 48.0), tall)


def start_panel(
    ui: Widgets, size: tuple[int, int], entries: Sequence[StartEntry]
) -> StartEntry | Literal["settings", "about", "quit"] | None:
    """What there is to do: large cards, then small buttons. The first entry is the next step. Returns what was
    pressed."""
    k = ui.pen.size
    asked: StartEntry | Literal["settings", "about", "quit"] | None = None
    large = [entry for entry in entries if entry.words]
    small = [entry for entry in entries if not entry.words]
    rows = -(-len(small) // 2) + 1
    rect = panel_rect(size, k, len(large), rows)
    with ui.panel("start", rect):
        x, width = rect.x + 32 * k, rect.w - 64 * k
        ui.pen.icon("target", x + 18 * k, rect.y + 46 * k, 34 * k, theme.ACCENT)
        ui.text(x + 50 * k, rect.y + 46 * k, "ktsim", "h1")
        ui.text(x, rect.y + 84 * k, "Settle it at the table.", "body", theme.SOFT)
        foot = rect.bottom - 38 * k - rows * 44 * k
        top = rect.y + 106 * k
        tall = min(96.0 * k, (foot - 8 * k - top) / max(1, len(large)) - 8 * k)
        y = top
        for entry in large:
            if _card(ui, Rect(x, y, width, tall), entry, entry is large[0]):
                asked = entry
            y += tall + 8 * k
        half, third = (width - 8 * k) / 2, (width - 16 * k) / 3
        for i, entry in enumerate(small):
            wide = width if i == len(small) - 1 and i % 2 == 0 else half
            cell = Rect(x + (i % 2) * (half + 8 * k), foot + (i // 2) * 44 * k, wide, 38 * k)
            if ui.button(cell, f"{entry.title}##{entry.name}", icon=entry.icon, align=0, key=entry.key):
                asked = entry
        y = foot + (rows - 1) * 44 * k
        last: tuple[tuple[Literal["settings", "about", "quit"], str], ...] = (
            ("settings", "Settings"),
            ("about", "About"),
            ("quit", "Quit"),
        )
        for i, (name, title) in enumerate(last):
            if ui.button(Rect(x + i * (third + 8 * k), y, third, 38 * k), f"{title}##{name}"):
                asked = name
        words = f"{__version__} · rules 2024 and 2021 Lite · not affiliated with any publisher"
        ui.text(x, rect.bottom - 20 * k, ui.pen.fitted(words, "caption", width), "caption", theme.DIM)
    return asked


def _card(ui: Widgets, card: Rect, entry: StartEntry, is_next: bool) -> bool:
    k = ui.pen.size
    pressed = ui.button(card, f"##{entry.name}", primary=is_next, key=entry.key)
    ink, soft, mark = (theme.INK,) * 3 if is_next else (theme.TEXT, theme.SOFT, theme.ACCENT)
    ui.pen.icon(entry.icon, card.x + 34 * k, card.y + card.h / 2, 28 * k, mark)
    room, middle = card.w - 68 * k - 46 * k, card.y + card.h / 2
    x = card.x + 68 * k
    kind = "label" if ui.pen.measure(entry.words, "label")[0] <= room else "caption"
    tall = ui.pen.measure(entry.words, kind, room)[1]
    title, gap = ("h2", 30 * k) if card.h >= 38 * k + tall else ("h3", 22 * k)
    top = middle - (gap + tall) / 2
    ui.text(x, top + 0.4 * gap, ui.pen.fitted(entry.title, title, room), title, ink)
    ui.paragraph(x, top + gap, room, entry.words, kind, soft)
    return pressed


class AboutScreen(Screen):
    name = "about"
    is_dialog = True

    def draw(self, ui: Widgets) -> None:
        if about_page(ui, self.desktop.size):
            self.desktop.pop(self)


LICENCES: tuple[tuple[str, str], ...] = (
    (
        "About",
        "A table to settle disputes on: exact lines of sight in three dimensions, the rules of both editions, and "
        "the game itself. ktsim is an independent program, not affiliated with or endorsed by any publisher of "
        "miniatures games. Names of games and killzones are their owners' and only say which rules are meant.",
    ),
    ("Panda3D", "Modified BSD licence, Carnegie Mellon University"),
    ("Dear ImGui and imgui-bundle", "MIT licence, Omar Cornut, Pascal Thomet and contributors"),
    ("NumPy", "BSD licence, NumPy developers"),
    ("Numba and llvmlite", "BSD licence, Anaconda and contributors"),
    ("PyYAML", "MIT licence, Kirill Simonov, Ingy döt Net and contributors"),
    ("trimesh", "MIT licence, Michael Dawson-Haggerty and contributors"),
    ("Inter, the typeface", "SIL Open Font Licence 1.1, The Inter Project Authors; its text is beside the font files"),
    ("Font Awesome 6 Free, the icons", "SIL Open Font Licence 1.1, Fonticons, Inc.; they come with imgui-bundle"),
    ("Terrain and figures", "Made for ktsim; they are under the licence of the program"),
)


def about_page(ui: Widgets, size: tuple[int, int]) -> bool:
    """About the program, and the licences of what it is made of. Returns whether it was closed."""
    k = ui.pen.size
    rect = centred(size, 640 * k, 632 * k)
    with ui.panel("about", rect, alpha=1.0):
        x, width = rect.x + 28 * k, rect.w - 56 * k
        ui.text(x, rect.y + 38 * k, f"ktsim {__version__}", "h2")
        body = Rect(x, rect.y + 64 * k, width, rect.h - 64 * k - 72 * k)
        wrap = width - SCROLLBAR - 6
        heights = [ui.pen.measure(text, "body", wrap)[1] + 30 * k for _, text in LICENCES]
        with ui.scrolled("licences", body, sum(heights)) as top:
            y = top
            for (title, text), tall in zip(LICENCES, heights, strict=True):
                ui.text(x, y + 10 * k, title, "label", theme.SOFT)
                ui.paragraph(x, y + 20 * k, wrap, text)
                y += tall
        return ui.button(Rect(x, rect.bottom - 56 * k, 140 * k, 40 * k), "Close##close", primary=True, key="Esc")
