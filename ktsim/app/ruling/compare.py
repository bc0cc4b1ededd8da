"""The same question by both editions, side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ktsim.app.ruling.ruling_view import view_of
from ktsim.app.ruling.verdict import comparison
from ktsim.app.shell.dialogs import centred
from ktsim.app.shell.screen import Screen
from ktsim.app.ui.pen import Rect
from ktsim.app.ui.widgets import Widgets
from ktsim.sight.ruling import ruling
from ktsim.sight.scene import EDITIONS

if TYPE_CHECKING:
    from ktsim.app.ruling.model import TableModel
    from ktsim.app.shell.desktop import Desktop


class CompareScreen(Screen):
    """Rulings on the chosen pair as the table stands. Raises UserError, from the rules, when there is none."""

    name = "compare"
    is_dialog = True

    def __init__(self, desktop: Desktop, model: TableModel) -> None:
        super().__init__(desktop)
        state = model.state
        assert state.shooter is not None
        assert state.target is not None
        asked = [ruling(model.scene, state.shooter, state.target, edition, state.file.weapon) for edition in EDITIONS]
        self.views = [view_of(found) for found in asked]

    def draw(self, ui: Widgets) -> None:
        k = ui.pen.size
        rect = centred(self.desktop.size, 960 * k, 600 * k)
        with ui.panel("compare", rect, alpha=1.0):
            first = self.views[0]
            ui.text(rect.x + 28 * k, rect.y + 34 * k, f"{first.shooter} shoots at {first.target}", "h2")
            body = Rect(rect.x + 28 * k, rect.y + 64 * k, rect.w - 56 * k, rect.h - 64 * k - 68 * k)
            comparison(ui, body, self.views)
            close = Rect(rect.x + 28 * k, rect.bottom - 54 * k, 140 * k, 40 * k)
            if ui.button(close, "Close##close", primary=True, key="Esc"):
                self.desktop.pop(self)
