"""Who can see whom: every operative against every enemy at a glance; a cell leads to its ruling."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from ktsim.app.ruling.model import TableModel
from ktsim.app.screens.dialogs import centred, close_button
from ktsim.app.screens.screen import Host, Screen
from ktsim.app.ui import theme
from ktsim.app.ui.pen import Pen, Rect
from ktsim.app.ui.widgets import Widgets
from ktsim.errors import UserError
from ktsim.sight.part_names import readable
from ktsim.sight.ruling import Ruling
from ktsim.sight.scene import Operative

RULINGS_A_FRAME = 3
"""Asked for in one frame, so that the window stays awake."""
NAMES, CELL, LEAST_CELL = 150.0, 64.0, 30.0
"""Widths of the column of names and of a cell; cells are narrower where there are many."""
LEGEND = (
    ("check", "valid target"),
    ("eye", "seen, no target"),
    ("cross", "not visible"),
    ("help", "not decided"),
    ("shield", "in cover"),
    ("veil", "obscured"),
)


def mark_of(found: Ruling) -> tuple[str, str]:
    """The icon and colour of an answer."""
    if found.undecided:
        return "help", theme.TEXT
    if not found.visible:
        return "cross", theme.DIM
    return ("check", theme.ACCENT) if found.shootable else ("eye", theme.NO)


class MatrixScreen(Screen):
    """All pairs of enemies on the table, asked one after the other as the window finds time. Raises UserError when
    there is nobody to ask about."""

    name = "matrix"
    is_dialog = True

    def __init__(self, desktop: Host, model: TableModel) -> None:
        super().__init__(desktop)
        self.model = model
        self.pairs = model.pairs
        self._known = 0
        if not self.pairs:
            raise UserError("That needs operatives of two teams on the table.")
        if not desktop.may_rule():
            raise UserError("The rulings come as soon as the sight engine is ready.")

    def _people(self) -> list[Operative]:
        """Everybody, team by team."""
        return sorted(self.model.scene.operatives, key=lambda one: one.team)

    @property
    def wants_frames(self) -> bool:
        return self._known < len(self.pairs)

    def draw(self, ui: Widgets) -> None:
        rulings = self.model.rulings(self.pairs, RULINGS_A_FRAME)
        self._known = len(rulings)
        people = self._people()
        k = ui.pen.size
        w, h = self.desktop.size
        cell = min(CELL * k, max(LEAST_CELL * k, (w - 112 * k - NAMES * k) / len(people)))
        rows = len(people) * 36 * k
        rect = centred((w, h), max(700 * k, 72 * k + NAMES * k + cell * len(people)), 190 * k + rows)
        with ui.panel("matrix", rect, alpha=1.0):
            x = rect.x + 24 * k
            ui.text(x, rect.y + 36 * k, "Who can see whom", "h2")
            words = "Rows shoot at columns. Click a cell for its ruling."
            left = len(self.pairs) - self._known
            ui.text(x, rect.y + 66 * k, f"{words} {f'{left} still to ask.' if left else ''}", "caption", theme.SOFT)
            if close_button(ui, rect):
                self.desktop.later(lambda: self.desktop.pop(self))
            _columns(ui, Rect(x + NAMES * k, rect.y + 84 * k, cell, 36 * k), people)
            body = Rect(x, rect.y + 122 * k, rect.w - 40 * k, rect.h - 176 * k)
            with ui.scrolled("matrix-rows", body, rows) as top:
                for number, one in enumerate(people):
                    self._row(ui, Rect(x, top + number * 36 * k, NAMES * k, 34 * k), one, cell, rulings)
            _legend(ui, x, rect.bottom - 26 * k)

    def _row(
        self, ui: Widgets, name: Rect, one: Operative, cell: float, rulings: dict[tuple[str, str], Ruling]
    ) -> None:
        k, y = ui.pen.size, name.y + name.h / 2
        ui.pen.seat(one.team, name.x + 8 * k, y, 13 * k)
        ui.text(name.x + 22 * k, y, ui.pen.fitted(one.id, "label", name.w - 30 * k), "label")
        for column, two in enumerate(self._people()):
            place = Rect(name.right + column * cell, name.y, cell - 3, name.h)
            found = rulings.get((one.id, two.id))
            if one.team == two.team:
                ui.pen.box(place, theme.INK, None, 0.6, 4)
                continue
            said = f"{one.id} shoots at {two.id}: {readable(found.headline, found.scene.terrain)}" if found else ""
            if ui.button(place, f"##pair-{one.id}-{two.id}", tip=said) and found is not None:
                self.desktop.later(partial(self._choose, one.id, two.id))
            if found is not None:
                ui.said.append(said)
                _marks(ui.pen, place, found)

    def _choose(self, shooter: str, target: str) -> None:
        self.model.choose_pair(shooter, target)
        self.desktop.pop(self)


def _columns(ui: Widgets, first: Rect, people: Sequence[Operative]) -> None:
    k = ui.pen.size
    for column, two in enumerate(people):
        middle = first.x + (column + 0.5) * first.w - 1.5
        ui.pen.seat(two.team, middle, first.y + 9 * k, 12 * k)
        words = ui.pen.fitted(two.id, "caption", first.w - 4)
        ui.text(middle, first.y + 27 * k, words, "caption", theme.SOFT, align=0.5)


def _marks(pen: Pen, place: Rect, found: Ruling) -> None:
    """The answer, with cover and obscured beside it where the target is seen."""
    k, y = pen.size, place.y + place.h / 2
    icon, colour = mark_of(found)
    extra = []
    if found.visible and not found.restricted:
        extra = [name for name, has in (("shield", found.in_cover), ("veil", found.obscured)) if has]
    step = min(17 * k, place.w / (len(extra) + 1))
    x = place.x + place.w / 2 - step * len(extra) / 2
    pen.icon(icon, x, y, min(15 * k, step), colour)
    for number, name in enumerate(extra, 1):
        pen.icon(name, x + number * step, y, min(12 * k, step * 0.8), theme.SOFT)


def _legend(ui: Widgets, x: float, y: float) -> None:
    k = ui.pen.size
    for icon, words in LEGEND:
        ui.pen.icon(icon, x + 7 * k, y, 12 * k, theme.SOFT)
        x += 20 * k + ui.text(x + 20 * k, y, words, "caption", theme.SOFT) + 16 * k
