"""Dialogs over the screen: choosing a killzone, naming a file, reading what went wrong."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias

from ktsim import paths
from ktsim.killzones import catalogue

from ..table.model import EMPTY
from ..ui import theme
from ..ui.pen import Rect
from ..ui.widgets import Widgets

FileJob: TypeAlias = Literal["open", "save", "export"]
TITLES: dict[FileJob, str] = {
    "open": "Open a scene",
    "save": "Save the table as a scene file",
    "export": "Export the ruling as a PNG card",
}
MOST_FILES = 200
NO_KILLZONE = "-"
"""The answer that asks for an empty board."""


def scenes_folder() -> Path:
    """Where scenes and cards go unless another place is typed."""
    return paths.user_data() / "scenes"


@dataclass
class FileDialog:
    """A file being named: what for, the path as typed, the files offered, and what was wrong with the last try."""

    job: FileJob
    path: str
    offered: tuple[Path, ...] = ()
    problems: tuple[str, ...] = ()
    is_new: bool = True

    @classmethod
    def asking(cls, job: FileJob, path: Path) -> FileDialog:
        found: list[Path] = []
        if job == "open":
            folders = dict.fromkeys([path.parent, scenes_folder(), paths.killzones() / "examples"])
            for folder in folders:
                found += sorted(folder.glob("*.yaml"))
        return cls(job, "" if job == "open" else str(path), tuple(found[:MOST_FILES]))


def centred(size: tuple[int, int], w: float, h: float) -> Rect:
    """A rectangle in the middle of the window, never larger than it."""
    w, h = min(w, size[0] - 32.0), min(h, size[1] - 32.0)
    return Rect(round((size[0] - w) / 2), round((size[1] - h) / 2), w, h)


def close_button(ui: Widgets, rect: Rect) -> bool:
    """The button at a dialog's upper right corner that leaves it; whether it was pressed."""
    k = ui.pen.size
    return ui.button(Rect(rect.right - 24 * k - 100 * k, rect.y + 18 * k, 100 * k, 36 * k), "Cancel##cancel", key="Esc")


def killzone_dialog(ui: Widgets, size: tuple[int, int]) -> str | None:
    """Every killzone there is and the empty board: the name, NO_KILLZONE, or ``cancel``; None while undecided."""
    k = ui.pen.size
    names = [NO_KILLZONE, *catalogue.names()]
    rows = (len(names) + 2) // 3
    rect = centred(size, 680 * k, 100 * k + rows * 60 * k)
    asked: str | None = None
    with ui.panel("killzones", rect, alpha=1.0):
        ui.text(rect.x + 24, rect.y + 36, "Killzones", "h2")
        if close_button(ui, rect):
            asked = "cancel"
        w = (rect.w - 48 - 16) / 3
        body = Rect(rect.x + 24, rect.y + 76 * k, rect.w - 48, rect.h - 92 * k)
        with ui.scrolled("killzone-list", body, rows * 60 * k) as top:
            for i, name in enumerate(names):
                cell = Rect(body.x + (i % 3) * (w + 8), top + (i // 3) * 60 * k, w, 52 * k)
                label = EMPTY if name == NO_KILLZONE else name.replace("-", " ").title()
                if ui.button(cell, f"{label}##killzone-{name}", icon="board", align=0, kind="strong"):
                    asked = name
    return asked


def file_dialog(ui: Widgets, size: tuple[int, int], dialog: FileDialog) -> Path | Literal["cancel"] | None:
    """The path that was chosen, ``cancel``, or None while it is being named."""
    k = ui.pen.size
    rect = centred(size, 680 * k, (520 if dialog.job == "open" else 240) * k + 20 * k * len(dialog.problems))
    with ui.panel("file", rect, alpha=1.0):
        x, width = rect.x + 24, rect.w - 48
        ui.text(x, rect.y + 36, TITLES[dialog.job], "h2")
        cancelled = close_button(ui, rect)
        y = rect.y + 76 * k
        dialog.path, entered = ui.field(Rect(x, y, width - 112 * k, 38 * k), "path", dialog.path, focus=dialog.is_new)
        dialog.is_new = False
        word = {"open": "Open", "save": "Save", "export": "Export"}[dialog.job]
        locked = "" if dialog.path.strip() else "Type a file's name, or choose one below"
        go = Rect(rect.right - 24 - 104 * k, y, 104 * k, 38 * k)
        pressed = ui.button(go, f"{word}##confirm", primary=True, locked=locked, key="Enter")
        y += 50 * k
        for problem in dialog.problems:
            ui.pen.icon("warning", x + 8, y + 9, 15, theme.NO)
            y += ui.paragraph(x + 24, y, width - 24, problem, "body", theme.TEXT) + 8
        if dialog.job == "open":
            chosen = _offered(ui, Rect(x, y, width, rect.bottom - 20 - y), dialog.offered)
            if chosen is not None:
                return chosen
    if cancelled:
        return "cancel"
    return Path(dialog.path.strip()).expanduser() if (pressed or entered) and dialog.path.strip() else None


def _offered(ui: Widgets, rect: Rect, files: Sequence[Path]) -> Path | None:
    k = ui.pen.size
    found = None
    with ui.scrolled("files", rect, len(files) * 38 * k) as top:
        for i, path in enumerate(files):
            row = Rect(rect.x, top + i * 38 * k, rect.w - 14, 34 * k)
            if row.bottom < rect.y or row.y > rect.bottom:
                continue
            where = "example" if path.parent.name == "examples" else ""
            if ui.button(row, f"{path.stem}##file-{path.name}", icon="book", align=0, tip=str(path), key=where):
                found = path
    return found


def notice(ui: Widgets, rect: Rect, text: str) -> None:
    """A sentence at the foot of the table; the next press of anything takes it away."""
    k = ui.pen.size
    w = min(rect.w, ui.pen.measure(text, "body")[0] + 30)
    h = ui.pen.measure(text, "body", w - 28)[1] + 20 * k
    box = Rect(rect.x + (rect.w - w) / 2, rect.bottom - h, w, h)
    with ui.panel("notice", box, alpha=1.0):
        ui.paragraph(box.x + 14, box.y + 10 * k, w - 28, text)
