"""Choosing the terrain to rule on."""

from __future__ import annotations

from ktsim.app.ruling.state import new_file
from ktsim.app.screens.dialogs import centred, close_button, titled
from ktsim.app.screens.screen import Screen
from ktsim.app.ui.pen import Rect
from ktsim.app.ui.titles import EMPTY, board_title
from ktsim.app.ui.widgets import Widgets
from ktsim.killzones import catalogue

NO_KILLZONE = "-"
"""The answer that asks for an empty board."""


class KillzoneScreen(Screen):
    name = "killzones"
    is_dialog = True

    def draw(self, ui: Widgets) -> None:
        name = killzone_dialog(ui, self.desktop.size)
        if name == "cancel":
            self.desktop.pop(self)
        elif name is not None:
            killzone = None if name == NO_KILLZONE else name
            self.desktop.load(board_title(killzone) if killzone else EMPTY.lower(), lambda: self._choose(killzone))

    def _choose(self, killzone: str | None) -> None:
        self.desktop.open_table(new_file(killzone))
        self.desktop.pop(self)


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
