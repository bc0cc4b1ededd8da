"""The same question by both editions, side by side."""

from __future__ import annotations

from collections.abc import Sequence

from ktsim.app.card.view import EDITION_NAMES, RulingView, verdict, view_of
from ktsim.app.ruling.model import TableModel
from ktsim.app.ruling.verdict import reasons
from ktsim.app.screens.dialogs import centred
from ktsim.app.screens.screen import Host, Screen
from ktsim.app.ui import theme
from ktsim.app.ui.pen import Rect
from ktsim.app.ui.widgets import Widgets
from ktsim.sight.ruling import ruling
from ktsim.sight.scene import EDITIONS


class CompareScreen(Screen):
    """Rulings on the chosen pair as the table stands. Raises UserError, from the rules, when there is none."""

    name = "compare"
    is_dialog = True

    def __init__(self, desktop: Host, model: TableModel) -> None:
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


def comparison(ui: Widgets, rect: Rect, views: Sequence[RulingView]) -> None:
    """Rulings on the same question by different editions, side by side."""
    k = ui.pen.size
    wide = (rect.w - 16 * k * (len(views) - 1)) / len(views)
    for i, view in enumerate(views):
        x = rect.x + i * (wide + 16 * k)
        ui.text(x, rect.y + 10 * k, EDITION_NAMES[view.edition], "label", theme.SOFT)
        said = verdict(view)
        colour = theme.ACCENT if view.valid else theme.NO
        ui.pen.icon("check" if view.valid else "cross", x + 12 * k, rect.y + 42 * k, 20 * k, colour)
        ui.text(x + 30 * k, rect.y + 42 * k, ui.pen.fitted(said, "h2", wide - 30 * k), "h2")
        reasons(ui, Rect(x, rect.y + 66 * k, wide, rect.h - 66 * k), view, f"reasons-{view.edition}")
