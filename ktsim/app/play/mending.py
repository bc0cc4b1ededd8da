"""A saved game that cannot be gone on with as it is: what is wrong, and going on from what is good of it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Literal

from ktsim.app.play.saves import read_agreement, write_agreement
from ktsim.app.screens.dialogs import centred
from ktsim.app.screens.screen import Held, Host, Screen
from ktsim.app.ui import theme
from ktsim.app.ui.pen import Rect
from ktsim.app.ui.widgets import Widgets
from ktsim.game.record import mend

OFFER = (
    "The game can go on from what is good of it: up to the damage, or from its last snapshot. "
    "That becomes a game of its own; this one is left as it is."
)


class MendScreen(Screen):
    """Over the list of games; the mended game goes to *run*."""

    name = "mend"
    is_dialog = True

    def __init__(self, desktop: Host, path: Path, wrong: str, run: Callable[[Host, Path], object]) -> None:
        super().__init__(desktop)
        self.path, self.wrong, self.run = path, wrong, run

    def draw(self, ui: Widgets) -> None:
        asked = mend_page(ui, self.desktop.size, self.wrong)
        if asked == "cancel":
            self.desktop.pop(self)
        elif asked == "mend":
            self._mend()

    def key(self, key: str, held: Held) -> None:
        if key == "enter":
            self._mend()

    def _mend(self) -> None:
        self.desktop.load(self.path.stem, self._go_on)

    def _go_on(self) -> None:
        new, holds = mend(self.path)
        write_agreement(new, read_agreement(self.path))
        self.run(self.desktop, new)
        self.desktop.say(f"This is {holds}, kept as {new.stem}.")


def mend_page(ui: Widgets, size: tuple[int, int], wrong: str) -> Literal["mend", "cancel"] | None:
    """What is wrong with the game and what can be done; what was asked for."""
    k = ui.pen.size
    wide = min(640 * k, size[0] - 32.0) - 56 * k
    first, second = (ui.pen.measure(text, "body", wide)[1] for text in (wrong, OFFER))
    rect = centred(size, 640 * k, 150 * k + first + second)
    asked: Literal["mend", "cancel"] | None = None
    with ui.panel("mend", rect, alpha=1.0):
        x = rect.x + 28 * k
        ui.pen.icon("warning", x + 9 * k, rect.y + 36 * k, 18 * k, theme.NO)
        ui.text(x + 28 * k, rect.y + 36 * k, "This game cannot go on as it is", "h2")
        ui.paragraph(x, rect.y + 62 * k, wide, wrong)
        ui.paragraph(x, rect.y + 62 * k + first + 12 * k, wide, OFFER, "body", theme.SOFT)
        y = rect.bottom - 54 * k
        if ui.button(Rect(x, y, 300 * k, 40 * k), "Go on from what is good##mend", primary=True, key="Enter"):
            asked = "mend"
        if ui.button(Rect(x + 312 * k, y, 120 * k, 40 * k), "Cancel##cancel"):
            asked = "cancel"
    return asked
