"""The tray of terrain pieces."""

from __future__ import annotations

from collections.abc import Sequence

from ktsim.app.ruling.hands import Carry
from ktsim.app.shell.dialogs import plain
from ktsim.app.ui import theme
from ktsim.app.ui.pen import Rect
from ktsim.app.ui.widgets import Widgets


def tray(ui: Widgets, rect: Rect, pieces: Sequence[str], carry: Carry | None) -> Carry | str | None:
    """Every piece, to be clicked or dragged onto the table; returns it, or ``close``."""
    k = ui.pen.size
    asked: Carry | str | None = None
    tall = 36 * k
    height = min(rect.h, 84 * k + len(pieces) * (tall + 4))
    box = Rect(rect.x, rect.y, rect.w, height)
    with ui.panel("tray", box, alpha=1.0):
        x = box.x + 12 * k
        ui.text(x, box.y + 24 * k, "Terrain", "h3")
        if ui.button(Rect(box.right - 12 * k - 84 * k, box.y + 8 * k, 84 * k, 32 * k), "Close##tray-close", key="P"):
            asked = "close"
        ui.text(x, box.y + 52 * k, "Drag onto the table; Ctrl+wheel or Q, W turn it", "caption", theme.DIM)
        body = Rect(x, box.y + 68 * k, box.w - 24 * k, box.h - 78 * k)
        with ui.scrolled("pieces", body, len(pieces) * (tall + 4)) as top:
            for i, name in enumerate(pieces):
                row = Rect(body.x, top + i * (tall + 4), body.w - 12, tall)
                chosen = carry is not None and carry.name == name
                widget = f"piece-{name}"
                label = f"{plain(name)}##{widget}"
                if ui.button(
                    row, label, icon="ruin", align=0, chosen=chosen, tip="Click here and on the table, or drag"
                ):
                    asked = Carry("piece", name)
                if ui.dragged == widget:
                    asked = Carry("piece", name, is_dragged=True)
    return asked
