"""Naming a file to open or to write."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, TypeAlias

from ktsim import paths
from ktsim.app.screens.dialogs import centred, close_button, titled
from ktsim.app.screens.screen import Held, Host, Screen
from ktsim.app.screens.thumbnails import BoardPlans, draw_plan
from ktsim.app.ui import theme
from ktsim.app.ui.pen import Rect
from ktsim.app.ui.titles import EMPTY, killzone_title
from ktsim.app.ui.widgets import Widgets
from ktsim.content.picture_file import PICTURES
from ktsim.errors import UserError
from ktsim.killzones.scene_file import CARD, load_scene
from ktsim.sight.part_names import titled_words

FileJob: TypeAlias = Literal["open", "import", "save", "export", "photo"]
TITLES: dict[FileJob, str] = {
    "open": "Open a scene",
    "import": "Import a team or a roster",
    "save": "Save the table as a scene file",
    "export": "Export the ruling as a PNG card",
    "photo": "Open a photo of the board",
}
MOST_FILES = 200
MOST_READ = 20_000
"""Characters of a file that are looked into for what it shows."""
LONGEST_WORDS = 300
"""Characters of a file's own words that are read."""
SUFFIXES: dict[FileJob, str] = {"open": ".yaml", "import": ".json", "save": ".yaml", "export": ".png", "photo": ".jpg"}
NONE_THERE: dict[FileJob, str] = {
    "photo": "There are no pictures in your folders for pictures and downloads. Type a path, drop a picture on the "
    "window, or copy one and press Ctrl+V on the table.",
}
"""What is said where no file can be offered."""
READING = ("open", "import", "photo")
"""The jobs for which a file is there already."""


def scenes_folder() -> Path:
    """Where scenes go unless another place is typed."""
    return paths.user_data() / "scenes"


def folder_for(job: FileJob) -> Path:
    """Where a file goes of which only the name is typed: cards among the user's pictures, if there is such a folder."""
    usual = {"export": paths.pictures, "photo": paths.pictures, "import": paths.downloads}.get(job, lambda: None)
    return usual() or scenes_folder()


@dataclass(frozen=True)
class Offered:
    """A file that can be opened, what it is called and what it says of itself."""

    path: Path
    title: str
    words: str

    @classmethod
    def of(cls, path: Path) -> Offered:
        kind = "Example: " if path.parent.name == "examples" else "Card in " if path.suffix == CARD else ""
        return cls(path, titled_words(path.stem), f"{kind}{first_words(path)}")

    def fits(self, words: str) -> bool:
        """Whether it is called so or shows it: every word is in its name, its title or what it says of itself."""
        text = f"{self.path.name} {self.title} {self.words}".casefold()
        return all(word in text for word in words.casefold().split())

    def is_called(self, name: str) -> bool:
        return name.casefold() in {called.casefold() for called in (self.path.name, self.path.stem, self.title)}


def first_words(path: Path) -> str:
    """The comment a file begins with, on one line, or what a scene without one shows; its folder when it is no text."""
    words: list[str] = []
    try:
        with path.open(encoding="utf-8") as file:
            lines = file.read(MOST_READ).splitlines()
    except (OSError, ValueError):
        return str(path.parent)
    for line in lines[:5]:
        if not line.startswith("#"):
            break
        words.append(line.strip("# "))
    return " ".join(words)[:LONGEST_WORDS] or _shown(lines) or str(path.parent)


def _shown(lines: Sequence[str]) -> str:
    """What a scene file's lines put on the table, as far as that is seen without reading them in full."""
    killzone = next((line.partition(":")[2].strip() for line in lines if line.startswith("killzone:")), "")
    count = sum(line.count("team:") for line in lines)
    return f"{killzone_title(killzone) if killzone else EMPTY}, {count} operatives" if count else ""


@dataclass
class FileDialog:
    """A file being named: what for, the path as typed, the files offered, and what was wrong with the last try."""

    job: FileJob
    path: str
    offered: tuple[Offered, ...] = ()
    problems: tuple[str, ...] = ()
    is_new: bool = True
    plans: BoardPlans = field(default_factory=BoardPlans)
    copies: bool = False
    """Whether the clipboard is offered instead of a file."""
    replacing: Path | None = None
    """The file of which it was asked whether to replace it."""

    @property
    def named(self) -> Path | None:
        """The file as it is named now, if it is: one that is offered under this name, else a bare name in the folder
        for such files; an unknown ``~name`` stays as it is."""
        if not (text := self.path.strip()):
            return None
        listed = next((file.path for file in self.offered if file.is_called(text)), None)
        path = Path(os.path.expanduser(text))
        if listed is not None or path.name != text or (self.job in READING and path.exists()):
            return listed or path
        has_ending = path.suffix.lower() in (*SUFFIXES.values(), ".yml", ".ros", ".rosz", ".jpeg")
        return folder_for(self.job) / (path if has_ending else f"{text}{SUFFIXES[self.job]}")

    @property
    def shown(self) -> tuple[Offered, ...]:
        """The offered files that fit what is typed; all of them while a path is typed that none fits."""
        return tuple(file for file in self.offered if file.fits(self.path)) or self.offered

    @classmethod
    def asking(cls, job: FileJob, path: Path) -> FileDialog:
        found: list[Path] = []
        if job == "open":
            folders = dict.fromkeys([path.parent, scenes_folder(), paths.killzones() / "examples"])
            for folder in folders:
                files = [path for kind in ("*.yaml", "*.png") for path in folder.glob(kind)]
                is_ours = folder.is_relative_to(paths.killzones())
                found += sorted(files) if is_ours else sorted(files, key=_age)
        if job == "photo":
            places = [place for place in (path.parent, paths.downloads()) if place is not None and place.is_dir()]
            pictures = [each for place in places for each in place.iterdir() if each.suffix.lower() in PICTURES]
            found = sorted(pictures, key=_age)
        text = path.stem if path.parent == folder_for(job) else str(path)
        return cls(job, "" if job in READING else text, tuple(map(Offered.of, found[:MOST_FILES])))


def _age(path: Path) -> float:
    """Less for a newer file."""
    try:
        return -path.stat().st_mtime
    except OSError:
        return 0.0


def free_path(path: Path) -> Path:
    """The path, or one like it with a number, that nothing lies at."""
    found, number = path, 2
    while found.exists():
        found = path.with_stem(f"{path.stem}-{number}")
        number += 1
    return found


class FileScreen(Screen):
    """Asks for a path and gives it to *chosen*; when that raises UserError or OSError the dialog stays and says
    why, otherwise it goes away. A file that is there already is only replaced when that was asked for once more, unless
    it is the *own* one."""

    name = "file"
    is_dialog = True

    def __init__(
        self,
        desktop: Host,
        dialog: FileDialog,
        chosen: Callable[[Path], object],
        own: Path | None = None,
        copied: Callable[[], object] = lambda: None,
    ) -> None:
        super().__init__(desktop)
        self.copied = copied
        self.dialog, self.chosen, self.own = dialog, chosen, own
        self.name = dialog.job

    @classmethod
    def opening(cls, desktop: Host) -> FileScreen:
        """Open a scene on the ruling table."""
        dialog = FileDialog.asking("open", scenes_folder() / "table.yaml")
        return cls(desktop, dialog, lambda path: desktop.open_table(load_scene(path)))

    @property
    def wants_frames(self) -> bool:
        return self.dialog.plans.is_missing

    def draw(self, ui: Widgets) -> None:
        path = file_dialog(ui, self.desktop.size, self.dialog)
        if path == "cancel":
            self.desktop.pop(self)
        elif path == "copy":
            self.desktop.pop(self)
            self.desktop.later(self.copied)
        elif path is not None:
            self._take(path)

    def key(self, key: str, held: Held) -> None:
        """Enter before the line to type in is ready for it: whoever knows the dialog is quicker than its second
        frame."""
        path = self.dialog.named
        if key == "enter" and path is not None:
            self._take(path)

    def _take(self, path: Path) -> None:
        if self.dialog.job in READING:
            self.desktop.load(path.name, lambda: self._choose(path))
        else:
            self.desktop.later(lambda: self._choose(path))

    def _choose(self, path: Path) -> None:
        dialog = self.dialog
        if not self.desktop.has(self):  # chosen already
            return
        if dialog.job not in READING:
            path = path if path.suffix else path.with_suffix(SUFFIXES[dialog.job])
            if path.exists() and path not in (self.own, dialog.replacing):
                dialog.replacing = path
                raise UserError(f"{path.name} is there already, with something else in it. Replace it?")
        self.chosen(path)
        self.desktop.pop(self)

    def problem(self, texts: tuple[str, ...]) -> bool:
        self.dialog.problems = texts
        self.dialog.is_new = True  # to be typed in at once
        return True


def file_dialog(ui: Widgets, size: tuple[int, int], dialog: FileDialog) -> Path | Literal["cancel", "copy"] | None:
    """The path that was chosen, ``cancel``, ``copy`` for the clipboard instead, or None while it is being named."""
    k = ui.pen.size
    is_opening = dialog.job in READING
    wide = min(760 * k, size[0] - 32.0) - 48 * k
    heights = [ui.pen.measure(problem, "body", wide - 24 * k)[1] + 8 * k for problem in dialog.problems]
    needed = 560 if is_opening else 214 if dialog.copies else 164
    rect = centred(size, 760 * k, needed * k + (0 if is_opening else sum(heights)))
    with ui.panel("file", rect, alpha=1.0):
        x = rect.x + 24 * k
        ui.text(x, rect.y + 36 * k, TITLES[dialog.job], "h2")
        cancelled = close_button(ui, rect)
        words = "Type a name or what it shows, or choose one below"
        if dialog.job == "photo":
            words = "Type the name or path of a PNG or JPG picture, or choose one below"
        if not is_opening:
            words = f"The file's name, in {folder_for(dialog.job)}, or a path"
        ui.text(x, rect.y + 74 * k, ui.pen.fitted(words, "caption", wide), "caption", theme.DIM)
        y = rect.y + 86 * k
        typed, entered = ui.field(Rect(x, y, wide - 124 * k, 40 * k), "path", dialog.path, focus=dialog.is_new)
        if typed != dialog.path:
            dialog.path, dialog.replacing, dialog.problems = typed, None, ()
        dialog.is_new = False
        word = "Open" if dialog.job == "photo" else dialog.job.capitalize()
        word = "Replace" if dialog.replacing is not None else word
        locked = words if dialog.named is None else ""
        go = Rect(x + wide - 116 * k, y, 116 * k, 40 * k)
        pressed = ui.button(go, f"{word}##confirm", primary=True, locked=locked, key="Enter")
        y += 54 * k
        for problem, tall in zip(dialog.problems, heights, strict=False):
            ui.pen.icon("warning", x + 8 * k, y + 8 * k, 15 * k, theme.NO)
            ui.paragraph(x + 24 * k, y, wide - 24 * k, problem)
            y += tall
        if dialog.job == "export" and dialog.copies:
            place = Rect(x, rect.bottom - 52 * k, 210 * k, 36 * k)
            tip = "The card to the clipboard, as a picture, instead of a file (Ctrl+Shift+C)"
            if ui.button(place, "Copy picture instead##copy-picture", icon="copy", tip=tip):
                return "copy"
        if is_opening:
            if not dialog.shown and (none := NONE_THERE.get(dialog.job)):
                ui.paragraph(x, y + 8 * k, wide, none, "body", theme.SOFT)
            chosen = _offered(ui, Rect(x, y, wide, rect.bottom - 20 * k - y), dialog.shown, dialog.plans)
            if chosen is not None:
                return chosen
    if cancelled:
        return "cancel"
    return dialog.named if pressed or entered else None


def _offered(ui: Widgets, rect: Rect, files: Sequence[Offered], plans: BoardPlans) -> Path | None:
    k = ui.pen.size
    found = None
    each = 64 * k
    plans.begin()
    with ui.scrolled("files", rect, len(files) * each) as top:
        for i, file in enumerate(files):
            row = Rect(rect.x, top + i * each, rect.w - 14, each - 6 * k)
            path = file.path
            is_seen = row.bottom > rect.y and row.y < rect.bottom
            plan = plans.of(path) if is_seen else None
            icon = "" if plan is not None else "book"
            if titled(ui, row, f"file-{path.name}", icon, file.title, file.words, tip=str(path), left=88):
                found = path
            if plan is not None:
                draw_plan(ui.pen, Rect(row.x + 8 * k, row.y + 4 * k, 70 * k, row.h - 8 * k), plan)
    return found
