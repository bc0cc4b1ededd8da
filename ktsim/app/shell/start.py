"""The start screen: what there is to do, beside the table that is already laid."""

from __future__ import annotations

from typing import TYPE_CHECKING

from panda3d.core import Texture

from ktsim.app.play.entries import PLAY_ENTRIES, SMALL_ENTRIES, continue_entries, forget
from ktsim.app.shell import start_panel as start
from ktsim.app.shell.about import AboutScreen
from ktsim.app.shell.entries import ENTRIES, Entry
from ktsim.app.shell.screen import Held, Screen
from ktsim.app.shell.settings_screen import SettingsScreen
from ktsim.app.stage.cameras import Free
from ktsim.app.ui.pen import Rect
from ktsim.app.ui.widgets import Widgets

if TYPE_CHECKING:
    from ktsim.app.shell.desktop import Desktop


class StartScreen(Screen):
    """The bottom of the stack."""

    name = "start"

    def __init__(self, desktop: Desktop) -> None:
        super().__init__(desktop)
        self._is_laid = False
        """Whether the table's camera fits it beside the panel."""

    def enter(self) -> None:
        forget()  # a game was played or removed meanwhile

    def entries(self) -> list[Entry]:
        offered = [*continue_entries(), *ENTRIES[:1], *PLAY_ENTRIES, *ENTRIES[1:], *SMALL_ENTRIES]
        return [entry for entry in offered if entry.is_there()]

    @property
    def texture(self) -> Texture | None:
        table = self.desktop.table
        return table.texture if table is not None else None

    def update(self, now: float) -> None:
        table = self.desktop.table
        if table is None:
            return
        if table.is_fresh and not self._is_laid:
            size = self.desktop.size
            left = start.panel_rect(size, self.desktop.pen.size).right / size[0]
            table.view.picture.refit(Free(left, 0.05, 1.0, 0.95))
            self._is_laid = True
        if table.view.update(now):
            self.desktop.refresh_once()

    def notice_place(self) -> Rect:
        """Beside the panel, so that its foot can be seen."""
        size = self.desktop.size
        left = start.panel_rect(size, self.desktop.pen.size).right + 16
        return Rect(left, 0, size[0] - left - 16, size[1] - 24)

    def resized(self) -> None:
        self._is_laid = False

    def draw(self, ui: Widgets) -> None:
        asked = start.start_screen(ui, self.desktop.size, self.entries())
        if asked == "quit":
            self.desktop.wants_to_quit = True
        elif asked == "about":
            self.desktop.push(AboutScreen(self.desktop))
        elif asked == "settings":
            self.desktop.push(SettingsScreen(self.desktop))
        elif asked is not None:
            self._run(asked)

    def _run(self, entry: Entry) -> None:
        if entry.loads:
            self.desktop.load(entry.loads, lambda: entry.run(self.desktop))
        else:
            self.desktop.later(lambda: entry.run(self.desktop))

    def key(self, key: str, held: Held) -> None:
        for entry in self.entries():
            if entry.key.lower() == key:
                self._run(entry)
