"""The page of one terrain piece's sizes: its height, its levels, its walls, and where the numbers come from."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from functools import partial

from ktsim.app.ruling.model import TableModel
from ktsim.app.ruling.state import TableState
from ktsim.app.screens.dialogs import centred
from ktsim.app.screens.screen import Host, Screen
from ktsim.app.ui import theme
from ktsim.app.ui.pen import Rect
from ktsim.app.ui.widgets import Widgets
from ktsim.errors import UserError
from ktsim.killzones.loose_pieces import LoosePiece
from ktsim.killzones.own_sizes import keep_sizes
from ktsim.killzones.pieces import load_piece
from ktsim.killzones.scene_file import SceneFile
from ktsim.killzones.scene_pieces import every_piece, piece_of, with_piece
from ktsim.killzones.sizes import LEAST, MOST, Sizes, sizes_of, source_words
from ktsim.sight.part_names import part_name, titled_words
from ktsim.sight.standing import SAME_LEVEL, why_not


def resized_table(state: TableState, pieces: list[LoosePiece], sizes: Sizes | None) -> TableState:
    """The table with these pieces as large as said; whoever stands on one of their levels is lifted with it. Raises
    UserError when that cannot be."""
    file = state.file
    lifts: dict[float, float] = {}
    for piece in pieces:
        changed = replace(piece, sizes=sizes)
        before, after = sizes_of(piece.made()).levels or (), sizes_of(changed.made()).levels or ()
        lifts |= {one + piece.at[2]: two + piece.at[2] for one, two in zip(before, after, strict=True)}
        file = with_piece(file, changed)
    return replace(state, file=_lifted(state.file, file, lifts))


def _lifted(before: SceneFile, after: SceneFile, lifts: dict[float, float]) -> SceneFile:
    scene = after.scene
    for one in before.scene.operatives:
        if why_not(before.scene, one) is not None or why_not(scene, one) is None:
            continue
        level = next((to for height, to in lifts.items() if abs(height - one.level) < SAME_LEVEL), one.level)
        lifted = replace(one, level=level)
        if why_not(scene, lifted) is not None:
            raise UserError(f"{one.id} could not stand there any more: move that operative first.")
        scene = scene.moved(lifted)
    return replace(after, scene=scene)


class SizesScreen(Screen):
    """One piece's sizes over the ruling table; every change is a step of the table's undo."""

    name = "sizes"
    is_dialog = True

    def __init__(self, desktop: Host, model: TableModel, id: str) -> None:
        super().__init__(desktop)
        self.model, self.id = model, id

    def draw(self, ui: Widgets) -> None:
        piece = piece_of(self.model.state.file, self.id)
        if piece is None:
            self.desktop.later(lambda: self.desktop.pop(self))
            return
        now = sizes_of(piece.made())
        k = ui.pen.size
        labels = [
            "Height",
            *(["Levels"] if now.levels else []),
            *(["Wall thickness"] if now.thickness else []),
            "Measured how",
        ]
        rect = centred(self.desktop.size, 600 * k, (66 + 52 * len(labels) + 128) * k)
        with ui.panel("sizes", rect, alpha=1.0):
            x, width = rect.x + 28 * k, rect.w - 56 * k
            title = f"Sizes of {part_name(piece.id)}"
            ui.text(x, rect.y + 36 * k, ui.pen.fitted(title, "h2", width), "h2")
            rows = {
                label: Rect(x + width * 0.28, rect.y + (66 + 52 * i) * k, width * 0.72, 40 * k)
                for i, label in enumerate(labels)
            }
            for label, row in rows.items():
                ui.text(x, row.y + row.h / 2, label, "strong")
            self._numbers(ui, piece, now, rows)
            bottom = rect.y + (66 + 52 * len(labels)) * k
            self._words(ui, Rect(x, bottom, width, 40 * k), piece)
            self._buttons(ui, Rect(x, rect.bottom - 54 * k, width, 40 * k), piece)

    def _numbers(self, ui: Widgets, piece: LoosePiece, now: Sizes, rows: dict[str, Rect]) -> None:
        given = piece.sizes or Sizes()
        row, tip = rows["Height"], "Inches from the floor to its highest point: type another"
        typed = ui.number(Rect(row.x, row.y, row.w / 3, row.h), "size-height", now.height or 0.0, tip)
        if typed is not None:
            self._change(piece, lambda: replace(given, height=_size(typed)))
        levels = now.levels or ()
        for i, level in enumerate(levels):
            row = rows["Levels"]
            wide = (row.w - 6 * (len(levels) - 1)) / max(len(levels), 3)
            cell = Rect(row.x + i * (wide + 6), row.y, wide, row.h)
            found = ui.number(cell, f"size-level-{i}", level, "Inches from the floor to what one stands on")
            if found is not None:
                self._change(piece, partial(_with_level, given, levels, i, found))
        if now.thickness:
            row = rows["Wall thickness"]
            cell, tip = Rect(row.x, row.y, row.w / 3, row.h), "How thick its walls are, in inches"
            thick = ui.number(cell, "size-thickness", now.thickness, tip)
            if thick is not None:
                self._change(piece, lambda: replace(given, thickness=_size(thick)))
        source = ui.entry(rows["Measured how"], "size-source", now.source, "Such as: measured, with callipers")
        if source is not None:
            self._change(piece, lambda: replace(given, source=source_words(source)))

    def _words(self, ui: Widgets, rect: Rect, piece: LoosePiece) -> None:
        usual = sizes_of(load_piece(piece.piece))
        said = [f'{usual.height:.3g}" high']
        said += [f'levels at {", ".join(f"{level:.3g}" for level in usual.levels)}"'] if usual.levels else []
        said += [f'walls {usual.thickness:.3g}" thick'] if usual.thickness else []
        words = f"Ours, {usual.source}: {', '.join(said)}."
        words = f"{words} All in inches. Walls at the rim grow inwards. The card says where sizes come from."
        ui.paragraph(rect.x, rect.y + 2, rect.w, words, "caption", theme.SOFT)

    def _buttons(self, ui: Widgets, rect: Rect, piece: LoosePiece) -> None:
        k = ui.pen.size
        wide = (rect.w - 12 * k) / 3
        cells = [Rect(rect.x + i * (wide + 6 * k), rect.y, wide, rect.h) for i in range(3)]
        if ui.button(cells[0], "Done##done", primary=True, key="Esc"):
            self.desktop.pop(self)
        kind = titled_words(piece.piece)
        locked = "" if piece.sizes is not None else "It has our sizes: type yours first"
        tip = f"Every {kind} on this table gets these sizes, and every one put down or opened with a killzone later"
        if ui.button(cells[1], "All such, always##all-sizes", locked=locked, tip=tip):
            self.desktop.later(lambda: self._everywhere(piece.sizes))
        if ui.button(cells[2], "Back to ours##our-sizes", locked=locked, tip=f"Every {kind} has our sizes again"):
            self.desktop.later(lambda: self._everywhere(None))

    def _change(self, piece: LoosePiece, sizes: Callable[[], Sizes]) -> None:
        name = f"sizes of {part_name(piece.id)}"
        self.desktop.later(lambda: self.model.change(name, resized_table(self.model.state, [piece], sizes())))

    def _everywhere(self, sizes: Sizes | None) -> None:
        """Give every such piece these sizes, here and from now on."""
        state = self.model.state
        piece = piece_of(state.file, self.id)
        if piece is None:
            return
        alike = [one for one in every_piece(state.file) if one.piece == piece.piece and one.sizes != sizes]
        keep_sizes(piece.piece, sizes)
        if alike:
            self.model.change(f"sizes of {titled_words(piece.piece)}", resized_table(state, alike, sizes))
        whose = "your sizes" if sizes is not None else "our sizes"
        self.desktop.say(f"Every {titled_words(piece.piece)} has {whose} from now on.")


def _size(value: float) -> float:
    if not (math.isfinite(value) and LEAST <= value <= MOST):
        raise UserError(f"Type a number from {LEAST:g} to {MOST:g}, in inches.")
    return round(value, 4)


def _with_level(given: Sizes, levels: tuple[float, ...], number: int, height: float) -> Sizes:
    height = _size(height)
    return replace(given, levels=tuple(height if i == number else level for i, level in enumerate(levels)))
