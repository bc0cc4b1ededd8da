"""The dice on the table: pips, and a word under every die, so that nothing rests on colour."""

from __future__ import annotations

from ...ui import theme
from ...ui.pen import Rect, V
from ...ui.theme import u32
from ...ui.widgets import Widgets
from ..tray import Counts, DieView, Row, Tray

PIPS: dict[int, tuple[tuple[float, float], ...]] = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    5: ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
    6: ((-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)),
}
WORDS: dict[Counts, str] = {"critical": "CRIT", "success": "HIT", "fail": "MISS", "plain": ""}
DEFENCE_WORDS: dict[Counts, str] = {**WORDS, "success": "SAVE", "fail": "FAIL"}


def die(ui: Widgets, x: float, y: float, size: float, view: DieView, *, is_defence: bool = False) -> None:
    """One die with its upper left corner at (x, y). Face 0 shows what it counts as instead of pips: a star, a shield
    in defence, a tick in attack."""
    colours = {
        "critical": (theme.ACCENT, theme.INK),
        "success": (theme.TEXT, theme.INK),
        "plain": (theme.TEXT, theme.INK),
        "fail": (theme.INK, theme.DIM),
    }
    fill, ink = colours[view.counts]
    ui.pen.box(Rect(x, y, size, size), fill, theme.LINE, radius=size * 0.18)
    cx, cy, far = x + size / 2, y + size / 2, size * 0.26
    for dx, dy in PIPS.get(view.face, ()):
        ui.pen.sheet.add_circle_filled(V(cx + dx * far, cy + dy * far), size * 0.085, u32(ink), 16)
    if view.face == 0:
        icon = "star" if view.counts == "critical" else "shield" if is_defence else "check"
        ui.pen.icon(icon, cx, cy, size * 0.6, ink)
    elif view.counts == "critical":
        ui.pen.icon("star", x + size - 2, y + 2, size * 0.36, theme.INK)
        ui.pen.icon("star", x + size - 2, y + 2, size * 0.28, theme.TEXT)


def tumbling(view: DieView, index: int, part: float) -> DieView:
    """The die while it still rolls: its faces go by and the last ones are slower. Decides nothing."""
    if part >= 1.0:
        return view
    turn = int(14 * part * (2 - part))
    return DieView((index * 5 + turn * 7 + index * turn) % 6 + 1)


def tray_height(tray: Tray, text: float) -> float:
    return (40 + sum(map(_row_height, tray.rows))) * text


def _row_height(row: Row) -> float:
    """Words under dice need room."""
    return 74.0 if not row.dice or any(WORDS[view.counts] for view in row.dice) else 54.0


def dice_tray(ui: Widgets, rect: Rect, tray: Tray, part: float) -> None:
    """The tray; *part* of the rolling is over, from 0 to 1."""
    k = ui.pen.size
    most = max((len(row.dice) for row in tray.rows), default=0)
    with ui.panel("tray", rect):
        ui.text(rect.x + 14 * k, rect.y + 20 * k, ui.pen.fitted(tray.title, "h3", rect.w - 28 * k), "h3")
        size = min(44 * k, (rect.w - 150 * k) / max(1, most) - 6 * k)
        y = rect.y + 38 * k
        for row in tray.rows:
            if row.seat:
                ui.pen.seat(row.seat, rect.x + 22 * k, y + 12 * k, 14 * k)
            ui.text(rect.x + 36 * k, y + 12 * k, ui.pen.fitted(row.label, "caption", 130 * k), "caption", theme.SOFT)
            if row.note:
                ui.text(rect.x + 36 * k, y + 30 * k, ui.pen.fitted(row.note, "caption", 130 * k), "caption", theme.DIM)
            x = rect.x + 176 * k
            size = min(44 * k, (rect.right - 12 * k - x) / max(1, most) - 8 * k)
            for index, view in enumerate(row.dice):
                shown = tumbling(view, index, part)
                die(ui, x, y, size, shown, is_defence=row.is_defence)
                word = (DEFENCE_WORDS if row.is_defence else WORDS)[shown.counts]
                ui.text(x + size / 2, y + size + 9 * k, word, "caption", theme.SOFT, align=0.5)
                x += size + 8 * k
            if not row.dice:
                ui.text(x, y + 16 * k, "no dice left", "caption", theme.DIM)
            y += _row_height(row) * k
