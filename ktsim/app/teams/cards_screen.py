"""The datacards of a team or of a roster in the window, and on the way to the printer."""

from __future__ import annotations

from ktsim import paths, workers
from ktsim.app.card.process import DrawingJob
from ktsim.app.screens.dialogs import centred
from ktsim.app.screens.files import free_path
from ktsim.app.screens.screen import Held, Host, Screen
from ktsim.app.teams.datacards import MARKS, CardPen, Placed, laid_out, window_ink
from ktsim.app.ui import theme
from ktsim.app.ui.pen import Rect
from ktsim.app.ui.widgets import SCROLLBAR, Widgets
from ktsim.game.named_files import teams_folder
from ktsim.rules.engine.cards import Team
from ktsim.rules.teams.card_view import CardView, cards_of
from ktsim.rules.teams.fields import id_of

WIDE = 470.0
"""How wide a card is at least, of text of size 1."""


class CardsScreen(Screen):
    """Every card of *team*, in columns; *key* is what the team or its roster is found by, for printing."""

    name = "cards"
    is_dialog = True

    def __init__(self, desktop: Host, team: Team, key: str = "", only: str = "") -> None:
        """With *only* the cards of that kind of operative come first."""
        super().__init__(desktop)
        self.team, self.key_of_team = team, key
        self.views: list[CardView] = cards_of(team)
        chosen = [card.name for card in team.cards if only in (card.id, card.type)]
        self.views.sort(key=lambda view: view.title not in chosen)
        self._placed: tuple[object, list[Placed]] = (None, [])
        self._job: DrawingJob | None = None

    def key(self, key: str, held: Held) -> None:
        if key in ("p", "g") and self.key_of_team:
            self.print_as(".pdf" if key == "p" else ".png")

    def print_as(self, kind: str) -> None:
        """Have the cards written among the user's pictures, by a process of its own."""
        folder = paths.pictures() or teams_folder()
        path = free_path(folder / f"{id_of(self.team.name)}-datacards{kind}")
        path.parent.mkdir(parents=True, exist_ok=True)
        self._job = DrawingJob(workers.command("cards", self.key_of_team, str(path)), path, f"The cards are in {path}")
        self.desktop.refresh()

    def attend(self) -> None:
        if self._job is not None and (said := self._job.outcome()) is not None:
            self._job = None
            self.desktop.say(said)

    def close(self) -> None:
        if self._job is not None:
            self._job.close()

    def draw(self, ui: Widgets) -> None:
        k = ui.pen.size
        w, h = self.desktop.size
        rect = centred(self.desktop.size, w - 48, h - 48)
        with ui.panel("cards", rect, alpha=1.0):
            x, width = rect.x + 20 * k, rect.w - 40 * k
            close = Rect(rect.right - 20 * k - 100 * k, rect.y + 14 * k, 100 * k, 36 * k)
            if ui.button(close, "Close##close", key="Esc"):
                self.desktop.later(lambda: self.desktop.pop(self))
            left = close.x
            busy = "They are being drawn." if self._job is not None else ""
            for name, label, key, kind in (("png", "PNG", "G", ".png"), ("pdf", "PDF", "P", ".pdf")):
                if not self.key_of_team:
                    break
                left -= 118 * k
                words = busy or f"Write the cards as {label} pages of A4, to print"
                if ui.button(Rect(left, close.y, 110 * k, 36 * k), f"{label}##{name}", icon="book", key=key, tip=words,
                             locked=busy):  # fmt: skip
                    self.desktop.later(lambda kind=kind: self.print_as(kind))  # type: ignore[misc]
            title = self.team.name + (f": {self.team.roster_name}" if self.team.roster_name else "")
            ui.text(x, close.y + 10 * k, ui.pen.fitted(title, "h2", left - x - 12 * k), "h2")
            self._legend(ui, x, close.y + 34 * k)
            self._draw_cards(ui, Rect(x, rect.y + 66 * k, width, rect.h - 82 * k))

    def _legend(self, ui: Widgets, x: float, y: float) -> None:
        k = ui.pen.size
        for status, (icon, words) in MARKS.items():
            if status != "failed":
                ui.pen.icon(icon, x + 7 * k, y, 12 * k, theme.ACCENT if status == "enforced" else theme.NO)
                x += 20 * k + ui.text(x + 18 * k, y, words, "caption", theme.SOFT) + 14 * k

    def _draw_cards(self, ui: Widgets, rect: Rect) -> None:
        k = ui.pen.size
        wide = rect.w - SCROLLBAR - 4
        pen = CardPen(ui.pen, window_ink())
        key = (wide, k)
        if self._placed[0] != key:
            columns = max(1, int(wide // (WIDE * k)))
            self._placed = (key, laid_out(pen, self.views, wide, float("inf"), columns, 10 * k))
        placed = self._placed[1]
        with ui.scrolled("datacards", rect, max((each.rect.bottom for each in placed), default=0) + 4) as top:
            for each in placed:
                at = Rect(rect.x + each.rect.x, top + each.rect.y, each.rect.w, each.rect.h)
                if at.bottom > rect.y and at.y < rect.bottom:
                    pen.draw(each.view, at)
        ui.said += pen.said
