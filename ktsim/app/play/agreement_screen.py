"""Asking both players whether the game may go back across dice or a reveal."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from ..screens.screen import Held, Screen
from ..ui.widgets import Widgets
from .match import Match
from .panels.cover import agreement

if TYPE_CHECKING:
    from ..desktop import Desktop


class AgreementScreen(Screen):
    """Goes back when both have agreed."""

    name = "agreement"
    is_dialog = True

    def __init__(self, desktop: Desktop, match: Match, undo: Callable[..., object] | None = None) -> None:
        """*undo* is what is agreed on: the last step unless said."""
        super().__init__(desktop)
        self.match = match
        self._undo = undo or match.undo
        self.agreed: set[str] = set()
        self._why = match.undo_refusal()

    def draw(self, ui: Widgets) -> None:
        names = {"blue": self.match.team("blue"), "red": self.match.team("red")}
        asked = agreement(ui, self.desktop.size, names, self.agreed, self._why)
        if asked == "cancel":
            self.desktop.later(lambda: self.desktop.pop(self))
        elif asked is not None:
            self._agree(asked)

    def key(self, key: str, held: Held) -> None:
        if key in ("b", "r"):
            self._agree("blue" if key == "b" else "red")

    def _agree(self, side: str) -> None:
        self.agreed.add(side)
        if len(self.agreed) == 2:
            self.desktop.later(self._go_back)

    def _go_back(self) -> None:
        self.desktop.pop(self)
        self._undo(is_agreed=True)
