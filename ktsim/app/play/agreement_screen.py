"""Asking the players whether the game may go back across dice or a reveal."""

from __future__ import annotations

from collections.abc import Callable

from ktsim.app.play.match import Match
from ktsim.app.play.panels.cover import agreement
from ktsim.app.play.saves import HUMAN
from ktsim.app.screens.screen import Held, Host, Screen
from ktsim.app.ui.widgets import Widgets
from ktsim.rules.engine.decisions import Side

SIDES: tuple[Side, Side] = ("blue", "red")
"""As they stand beside each other."""


class AgreementScreen(Screen):
    """Goes back when every person at the screen has agreed; a bot need not be asked."""

    name = "agreement"
    is_dialog = True

    def __init__(self, desktop: Host, match: Match, undo: Callable[..., object] | None = None) -> None:
        """*undo* is what is agreed on: the last step unless said."""
        super().__init__(desktop)
        self.match = match
        self._undo = undo or match.undo
        people = [side for side in SIDES if match.agreement.player(side) == HUMAN]
        self.asked: tuple[str, ...] = tuple(people or SIDES)
        self.agreed: set[str] = set()

    def draw(self, ui: Widgets) -> None:
        names = {side: self.match.team("red" if side == "red" else "blue") for side in self.asked}
        asked = agreement(ui, self.desktop.size, names, self.agreed)
        if asked == "cancel":
            self.desktop.later(lambda: self.desktop.pop(self))
        elif asked is not None:
            self._agree(asked)

    def key(self, key: str, held: Held) -> None:
        side = {"b": "blue", "r": "red"}.get(key)
        if side in self.asked:
            self._agree(side)

    def _agree(self, side: str) -> None:
        self.agreed.add(side)
        if self.agreed.issuperset(self.asked):
            self.desktop.later(self._go_back)

    def _go_back(self) -> None:
        self.desktop.pop(self)
        self._undo(is_agreed=True)
