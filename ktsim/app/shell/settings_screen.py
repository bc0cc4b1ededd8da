"""The settings, in force as soon as they are chosen."""

from __future__ import annotations

from ktsim.app.shell.screen import Screen
from ktsim.app.shell.settings_panel import settings_page
from ktsim.app.ui.widgets import Widgets


class SettingsScreen(Screen):
    name = "settings"
    is_dialog = True

    def draw(self, ui: Widgets) -> None:
        now = self.desktop.settings
        chosen = settings_page(ui, self.desktop.size, now)
        if chosen is None:
            self.desktop.pop(self)
        elif chosen != now:
            self.desktop.later(lambda: self.desktop.set_settings(chosen))
