"""A page of keys, over the screen they belong to."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from ktsim.app.shell.keys_panel import keys_page
from ktsim.app.shell.screen import Held, Screen
from ktsim.app.ui.widgets import Widgets

if TYPE_CHECKING:
    from ktsim.app.shell.desktop import Desktop

KeyGroups: TypeAlias = tuple[tuple[str, tuple[tuple[str, str], ...]], ...]
"""By group: keys and what they do."""


class KeysScreen(Screen):
    """Every key of a screen."""

    name = "keys"
    is_dialog = True

    def __init__(self, desktop: Desktop, groups: KeyGroups) -> None:
        super().__init__(desktop)
        self.groups = groups

    def draw(self, ui: Widgets) -> None:
        if keys_page(ui, self.desktop.size, self.groups):
            self.desktop.pop(self)

    def key(self, key: str, held: Held) -> None:
        if key == "f1":
            self.desktop.pop(self)
