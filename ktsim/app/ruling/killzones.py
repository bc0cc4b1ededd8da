"""Choosing the terrain to rule on."""

from __future__ import annotations

from ktsim.app.shell import dialogs
from ktsim.app.shell.screen import Screen
from ktsim.app.ui.titles import EMPTY, board_title
from ktsim.app.ui.widgets import Widgets


class KillzoneScreen(Screen):
    name = "killzones"
    is_dialog = True

    def draw(self, ui: Widgets) -> None:
        name = dialogs.killzone_dialog(ui, self.desktop.size)
        if name == "cancel":
            self.desktop.pop(self)
        elif name is not None:
            killzone = None if name == dialogs.NO_KILLZONE else name
            self.desktop.load(board_title(killzone) if killzone else EMPTY.lower(), lambda: self._choose(killzone))

    def _choose(self, killzone: str | None) -> None:
        self.desktop.choose_killzone(killzone)
        self.desktop.pop(self)
