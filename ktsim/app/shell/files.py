"""Naming a file to open or to write."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from ktsim.app.shell import dialogs
from ktsim.app.shell.screen import Held, Screen
from ktsim.app.ui.widgets import Widgets
from ktsim.errors import UserError

if TYPE_CHECKING:
    from ktsim.app.shell.desktop import Desktop

SUFFIXES = {"save": ".yaml", "export": ".png"}


class FileScreen(Screen):
    """Asks for a path and gives it to *chosen*; when that raises UserError or OSError the dialog stays and says
    why, otherwise it goes away. A file that is there already is only replaced when that was asked for once more, unless
    it is the *own* one."""

    name = "file"
    is_dialog = True

    def __init__(
        self, desktop: Desktop, dialog: dialogs.FileDialog, chosen: Callable[[Path], None], own: Path | None = None
    ) -> None:
        super().__init__(desktop)
        self.dialog, self.chosen, self.own = dialog, chosen, own
        self.name = dialog.job

    @classmethod
    def opening(cls, desktop: Desktop) -> FileScreen:
        """Open a scene on the ruling table."""
        dialog = dialogs.FileDialog.asking("open", dialogs.scenes_folder() / "table.yaml")
        return cls(desktop, dialog, desktop.open_scene)

    def draw(self, ui: Widgets) -> None:
        path = dialogs.file_dialog(ui, self.desktop.size, self.dialog)
        if path == "cancel":
            self.desktop.pop(self)
        elif path is not None:
            self._take(path)

    def key(self, key: str, held: Held) -> None:
        """Enter before the line to type in is ready for it: whoever knows the dialog is quicker than its second
        frame."""
        path = self.dialog.named
        if key == "enter" and path is not None:
            self._take(path)

    def _take(self, path: Path) -> None:
        if self.dialog.job == "open":
            self.desktop.load(path.name, lambda: self._choose(path))
        else:
            self.desktop.later(lambda: self._choose(path))

    def _choose(self, path: Path) -> None:
        dialog = self.dialog
        if self not in self.desktop.stack:  # chosen already
            return
        if dialog.job != "open":
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
