"""About the program, and the licences of what it is made of."""

from __future__ import annotations

from ktsim.app.shell.about_panel import about_page
from ktsim.app.shell.screen import Screen
from ktsim.app.ui.widgets import Widgets


class AboutScreen(Screen):
    name = "about"
    is_dialog = True

    def draw(self, ui: Widgets) -> None:
        if about_page(ui, self.desktop.size):
            self.desktop.pop(self)
