"""Dialogs over the screen: choosing a killzone, naming a file, reading what went wrong."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias

from imgui_bundle import imgui

from ktsim import paths
from ktsim.app.ui import theme
from ktsim.app.ui.part_names import plain_words
from ktsim.app.ui.pen import Rect
from ktsim.app.ui.titles import EMPTY
from ktsim.app.ui.widgets import Widgets
from ktsim.killzones import catalogue

FileJob: TypeAlias = Literal["open", "save", "export"]
TITLES: dict[FileJob, str] = {
    "open": "Open a scene",
    "save": "Save the table as a scene file",
    "export": "Export the ruling as a PNG card",
}
MOST_FILES = 200
LONGEST_WORDS = 300
"""Characters of a file's own words that are read."""

NO_KILLZONE = "-"
"""The answer that asks for an empty board."""


def scenes_folder() -> Path:
    """Where scenes and cards go unless another place is typed."""
    return paths.user_data() / "scenes"


@dataclass(frozen=True)
class Offered:
    """A file that can be opened, what it is called and what it says of itself."""

    path: Path
    title: str
    words: str

    @classmethod
    def of(cls, path: Path) -> Offered:
        kind = "Example: " if path.parent.name == "examples" else ""
        return cls(path, plain(path.stem), f"{kind}{first_words(path)}")


def first_words(path: Path) -> str:
    """The comment a file begins with, on one line; its folder when it begins with none."""
    words: list[str] = []
    try:
        with path.open(encoding="utf-8") as file:
            for line in file:
                if not line.startswith("#") or len(words) > 4:
                    break
                words.append(line.strip("# \n"))
    except (OSError, ValueError):
        return ""
    return " ".join(words)[:LONGEST_WORDS] or str(path.parent)


@dataclass
class FileDialog:
    """A file being named: what for, the path as typed, the files offered, and what was wrong with the last try."""

    job: FileJob
    path: str
    offered: tuple[Offered, ...] = ()
    problems: tuple[str, ...] = ()
    is_new: bool = True
    replacing: Path | None = None
    """The file of which it was asked whether to replace it."""

    @property
    def named(self) -> Path | None:
        """The file as it is named now, if it is; an unknown ``~name`` stays as it is."""
        return Path(os.path.expanduser(path)) if (path := self.path.strip()) else None

    @classmethod
    def asking(cls, job: FileJob, path: Path) -> FileDialog:
        found: list[Path] = []
        if job == "open":
            folders = dict.fromkeys([path.parent, scenes_folder(), paths.killzones() / "examples"])
            for folder in folders:
                found += sorted(folder.glob("*.yaml"))
        return cls(job, "" if job == "open" else str(path), tuple(map(Offered.of, found[:MOST_FILES])))


def free_path(path: Path) -> Path:
    """The path, or one like it with a number, that nothing lies at."""
    found, number = path, 2
    while found.exists():
        found = path.with_stem(f"{path.stem}-{number}")
        number += 1
    return found


def plain(id: str) -> str:
    """The id of a piece or the stem of a file as words."""
    words = plain_words(id)
    return words[:1].upper() + words[1:]


def centred(size: tuple[int, int], w: float, h: float) -> Rect:
    """A rectangle in the middle of the window, never larger than it."""
    w, h = min(w, size[0] - 32.0), min(h, size[1] - 32.0)
    return Rect(round((size[0] - w) / 2), round((size[1] - h) / 2), w, h)


def close_button(ui: Widgets, rect: Rect) -> bool:
    """The button at a dialog's upper right corner that leaves it; whether it was pressed."""
    k = ui.pen.size
    return ui.button(Rect(rect.right - 24 * k - 100 * k, rect.y + 18 * k, 100 * k, 36 * k), "Cancel##cancel", key="Esc")


def titled(ui: Widgets, row: Rect, name: str, icon: str, title: str, words: str, *, tip: str = "") -> bool:
    """A button called *name* with a title and words below it; whether it was pressed."""
    k = ui.pen.size
    pressed = ui.button(row, f"##{name}", tip=tip)
    ui.pen.icon(icon, row.x + 24 * k, row.y + row.h / 2, 18 * k, theme.ACCENT)
    room, middle = row.w - 56 * k, row.y + row.h / 2
    ui.text(row.x + 46 * k, middle - (10 * k if words else 0), ui.pen.fitted(title, "strong", room), "strong")
    if words:
        ui.text(row.x + 46 * k, middle + 10 * k, ui.pen.fitted(words, "caption", room), "caption", theme.SOFT)
    return pressed


def killzone_dialog(ui: Widgets, size: tuple[int, int]) -> str | None:
    """Every killzone there is and the empty board: the name, NO_KILLZONE, or ``cancel``; None while undecided."""
    k = ui.pen.size
    titles = {name: catalogue.title(name).partition(": ") for name in catalogue.names()}
    # Those with layouts of their own come first, a killzone to a row.
    names = [*sorted(titles, key=lambda name: not titles[name][2]), NO_KILLZONE]
    rows = (len(names) + 2) // 3
    rect = centred(size, 760 * k, 100 * k + rows * 60 * k)
    asked: str | None = None
    with ui.panel("killzones", rect, alpha=1.0):
        ui.text(rect.x + 24 * k, rect.y + 36 * k, "Killzones", "h2")
        if close_button(ui, rect):
            asked = "cancel"
        w = (rect.w - 48 * k - 16 * k) / 3
        body = Rect(rect.x + 24 * k, rect.y + 76 * k, rect.w - 48 * k, rect.h - 92 * k)
        with ui.scrolled("killzone-list", body, rows * 60 * k - 8 * k) as top:
            for i, name in enumerate(names):
                cell = Rect(body.x + (i % 3) * (w + 8 * k), top + (i // 3) * 60 * k, w, 52 * k)
                title, _, words = titles.get(name, (EMPTY, "", "For terrain of your own"))
                if titled(ui, cell, f"killzone-{name}", "board", title, words):
                    asked = name
    return asked


def file_dialog(ui: Widgets, size: tuple[int, int], dialog: FileDialog) -> Path | Literal["cancel"] | None:
    """The path that was chosen, ``cancel``, or None while it is being named."""
    k = ui.pen.size
    is_opening = dialog.job == "open"
    wide = min(760 * k, size[0] - 32.0) - 48 * k
    heights = [ui.pen.measure(problem, "body", wide - 24 * k)[1] + 8 * k for problem in dialog.problems]
    rect = centred(size, 760 * k, (560 if is_opening else 164) * k + (0 if is_opening else sum(heights)))
    with ui.panel("file", rect, alpha=1.0):
        x = rect.x + 24 * k
        ui.text(x, rect.y + 36 * k, TITLES[dialog.job], "h2")
        cancelled = close_button(ui, rect)
        words = "Type a file's name, or choose one below" if is_opening else "The file's name"
        ui.text(x, rect.y + 74 * k, words, "caption", theme.DIM)
        y = rect.y + 86 * k
        typed, entered = ui.field(Rect(x, y, wide - 124 * k, 40 * k), "path", dialog.path, focus=dialog.is_new)
        if typed != dialog.path:
            dialog.path, dialog.replacing, dialog.problems = typed, None, ()
        dialog.is_new = False
        word = {"open": "Open", "save": "Save", "export": "Export"}[dialog.job]
        word = "Replace" if dialog.replacing is not None else word
        locked = words if dialog.named is None else ""
        go = Rect(x + wide - 116 * k, y, 116 * k, 40 * k)
        pressed = ui.button(go, f"{word}##confirm", primary=True, locked=locked, key="Enter")
        y += 54 * k
        for problem, tall in zip(dialog.problems, heights, strict=False):
            ui.pen.icon("warning", x + 8 * k, y + 8 * k, 15 * k, theme.NO)
            ui.paragraph(x + 24 * k, y, wide - 24 * k, problem)
            y += tall
        if is_opening:
            chosen = _offered(ui, Rect(x, y, wide, rect.bottom - 20 * k - y), dialog.offered)
            if chosen is not None:
                return chosen
    if cancelled:
        return "cancel"
    return dialog.named if pressed or entered else None


def _offered(ui: Widgets, rect: Rect, files: Sequence[Offered]) -> Path | None:
    k = ui.pen.size
    found = None
    each = 56 * k
    with ui.scrolled("files", rect, len(files) * each) as top:
        for i, file in enumerate(files):
            row = Rect(rect.x, top + i * each, rect.w - 14, each - 6 * k)
            path = file.path
            if titled(ui, row, f"file-{path.name}", "book", file.title, file.words, tip=str(path)):
                found = path
    return found


def progress(ui: Widgets, rect: Rect, part: float) -> None:
    """A bar that is filled as far as something has got."""
    ui.pen.box(rect, theme.INK, theme.LINE, radius=4)
    if part > 0:
        ui.pen.box(Rect(rect.x, rect.y, rect.w * part, rect.h), theme.ACCENT, None, radius=4)


def loading(ui: Widgets, size: tuple[int, int], what: str) -> None:
    """What is being loaded, over everything: the next frame comes when it is."""
    k = ui.pen.size
    text = f"Loading {what} ..."
    rect = centred(size, ui.pen.measure(text, "h2")[0] + 56 * k, 84 * k)
    ui.pen.sheet = imgui.get_foreground_draw_list()
    ui.pen.box(Rect(0, 0, *size), theme.INK, None, 0.5, 0)
    ui.pen.box(rect, theme.PANEL, theme.LINE)
    ui.text(rect.x + rect.w / 2, rect.y + rect.h / 2, ui.pen.fitted(text, "h2", rect.w - 40 * k), "h2", align=0.5)


def notice(ui: Widgets, rect: Rect, text: str) -> None:
    """A sentence at the foot of the window; the next press of anything takes it away, and reaches what lies below."""
    k = ui.pen.size
    w = min(rect.w, ui.pen.measure(text, "body")[0] + 30)
    h = ui.pen.measure(text, "body", w - 28)[1] + 20 * k
    box = Rect(rect.x + (rect.w - w) / 2, rect.bottom - h, w, h)
    ui.pen.sheet = imgui.get_foreground_draw_list()
    ui.pen.box(box, theme.PANEL, theme.LINE)
    ui.paragraph(box.x + 14, box.y + 10 * k, w - 28, text)
