"""About the program, and the licences of what it is made of."""

from __future__ import annotations

from ..panels.about import about_page
from ..ui.widgets import Widgets
from .screen import Screen


class AboutScreen(Screen):
    name = "about"
    is_dialog = True

    def draw(self, ui: Widgets) -> None:
        if about_page(ui, self.desktop.size):
            self.desktop.pop(self)
