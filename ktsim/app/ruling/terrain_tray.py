"""The tray of terrain pieces in the ruling table's left panel: small pictures of them, and a filter by name."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Literal

from panda3d.core import Texture

from ktsim.app.ruling.hands import Carry
from ktsim.app.ruling.model import TableModel
from ktsim.app.screens.screen import Host
from ktsim.app.stage.engine import image_texture
from ktsim.app.stage.scenery import piece_shape
from ktsim.app.stage.thumbnails import thumbnail
from ktsim.app.ui import theme
from ktsim.app.ui.pen import Rect
from ktsim.app.ui.widgets import SCROLLBAR, Widgets
from ktsim.killzones.pieces import load_piece
from ktsim.sight.part_names import titled_words

PIXELS = (208, 124)
TALL = 86.0
COLUMNS = 2
A_FRAME = 3
"""Pictures made in one frame, so that none takes long."""


@lru_cache(maxsize=128)
def _picture(name: str) -> Texture:
    return image_texture(f"piece {name}", thumbnail(piece_shape(load_piece(name), False), PIXELS))


def fitting_pieces(pieces: Sequence[str], words: str) -> tuple[str, ...]:
    """The pieces that have every one of the words in their names."""
    return tuple(
        name for name in pieces if all(word in titled_words(name).casefold() for word in words.casefold().split())
    )


class TerrainTray:
    """Which pieces are shown, while it is open."""

    def __init__(self, desktop: Host) -> None:
        self.desktop = desktop
        self.is_open = False
        self.words = ""
        self._made: set[str] = set()

    def is_shown(self, model: TableModel) -> bool:
        """Whoever is selected is shown in its place, and so are several things at once."""
        return self.is_open and model.selected is None and not model.state.group

    def toggle(self, model: TableModel) -> None:
        """Show it, or put it away."""
        self.is_open = not self.is_shown(model)
        if self.is_open and (model.selected is not None or model.state.group):
            model.select(None)

    def draw(
        self, ui: Widgets, rect: Rect, pieces: Sequence[str], carry: Carry | None
    ) -> Carry | Literal["scan"] | None:
        """Every piece that fits, to be clicked or dragged onto the table; returns the one that was, or ``scan`` for one
        of the user's own."""
        k = ui.pen.size
        narrow = 62 * k
        self.words, _ = ui.field(Rect(rect.x, rect.y, rect.w - narrow - 6 * k, 32 * k), "terrain-filter", self.words)
        own, tip = Rect(rect.right - narrow, rect.y, narrow, 32 * k), "A piece of your own from a scan (a mesh file)"
        scan = ui.button(own, "Scan##scan", tip=tip)
        if not self.words:
            ui.text(rect.x + 12 * k, rect.y + 16 * k, "Filter by name", "body", theme.DIM)
        body = Rect(rect.x, rect.y + 40 * k, rect.w, rect.h - 40 * k)
        ui.place("terrain", body)
        found = fitting_pieces(pieces, self.words)
        if not found:
            ui.paragraph(body.x, body.y, body.w, "No piece is called so.", "caption", theme.SOFT)
        asked: Carry | Literal["scan"] | None = "scan" if scan else None
        gap, tall = 6 * k, TALL * k
        wide = (body.w - SCROLLBAR - gap * COLUMNS) / COLUMNS
        left = A_FRAME
        with ui.scrolled("pieces", body, -(-len(found) // COLUMNS) * (tall + gap)) as top:
            for i, name in enumerate(found):
                row, column = divmod(i, COLUMNS)
                cell = Rect(body.x + column * (wide + gap), top + row * (tall + gap), wide, tall)
                chosen = carry is not None and carry.name == name
                widget = f"piece-{name}"
                tip = f"{titled_words(name)}: click here and on the table, or drag"
                if ui.button(cell, f"##{widget}", chosen=chosen, tip=tip):
                    asked = Carry("piece", name)
                if ui.dragged == widget:
                    asked = Carry("piece", name, is_dragged=True)
                is_seen = cell.bottom > body.y and cell.y < body.bottom
                if is_seen and name not in self._made and left:
                    left -= 1
                    self._made.add(name)
                if is_seen and name in self._made:
                    w = min(wide - 8 * k, (tall - 26 * k) * PIXELS[0] / PIXELS[1])
                    place = Rect(cell.x + (wide - w) / 2, cell.y + 4 * k, w, w * PIXELS[1] / PIXELS[0])
                    ui.pen.image(self.desktop.backend.picture(_picture(name)), place)
                elif is_seen:
                    self.desktop.refresh_once()
                words = ui.pen.fitted(titled_words(name), "caption", wide - 6 * k)
                ui.text(cell.x + wide / 2, cell.bottom - 11 * k, words, "caption", theme.SOFT, align=0.5)
        return asked
