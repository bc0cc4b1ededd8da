"""The mission: what each op is about, what it has paid, what it would pay now; and the score sheet."""

from __future__ import annotations

from collections.abc import Sequence

from ktsim.app.play.logbook import ScoreSheet
from ktsim.app.play.record import score
from ktsim.app.ui import theme
from ktsim.app.ui.pen import Rect
from ktsim.app.ui.widgets import SCROLLBAR, Widgets
from ktsim.game.mission_sheet import NOTHING, OpSheet
from ktsim.sight.part_names import spaced

ICONS = {"crit": "flag", "tac": "eye", "kill": "swords", "primary": "star", "mission": "flag"}
SCORE = 0.42
"""The part of the height that the score sheet has at most."""


def mission_panel(ui: Widgets, rect: Rect, ops: Sequence[OpSheet], sheet: ScoreSheet, names: dict[str, str]) -> None:
    """Every op, one below the other, over the score sheet."""
    k = ui.pen.size
    needed = (2 * (56 + 24 * max(1, len(sheet.rows)) + 26) + 20) * k
    foot = min(needed, rect.h * SCORE) if sheet.rows else 20 * k
    area = Rect(rect.x, rect.y, rect.w, rect.h - foot - 8 * k)
    wide = rect.w - SCROLLBAR - 2
    heights = [_op(ui, Rect(rect.x, 0, wide, 0), op, drawn=False) for op in ops]
    with ui.scrolled("mission", area, sum(heights) + 8 * k * len(heights)) as top:
        y = top
        for op, tall in zip(ops, heights, strict=True):
            _op(ui, Rect(rect.x, y, wide, tall), op, drawn=True)
            y += tall + 8 * k
    if not sheet.rows:
        ui.text(rect.x + 2, rect.bottom - 10 * k, sheet.rules, "caption", theme.DIM)
    else:
        score(ui, Rect(rect.x, rect.bottom - foot, rect.w, foot), sheet, names)


def _op(ui: Widgets, rect: Rect, op: OpSheet, *, drawn: bool) -> float:
    """One op; how tall it is."""
    k = ui.pen.size
    x, wide, y = rect.x + 10 * k, rect.w - 20 * k, rect.y + 10 * k

    def words(text: str, colour: str, indent: float = 0.0) -> float:
        room = wide - indent
        if drawn:
            return ui.paragraph(x + indent, y, room, text, "caption", colour) + 3 * k
        return ui.pen.measure(text, "caption", room)[1] + 3 * k

    if drawn:
        ui.pen.box(rect)
        ui.pen.icon(ICONS.get(op.kind, "flag"), x + 7 * k, y + 8 * k, 15 * k, theme.ACCENT)
        right = rect.right - 10 * k
        for side in reversed(op.sides) if len(op.sides) == 1 else ():
            ui.pen.seat(side, right - 6 * k, y + 8 * k, 12 * k)
        ui.text(x + 20 * k, y + 8 * k, ui.pen.fitted(f"{op.title}: {op.name}", "strong", wide - 40 * k), "strong")
    y += 22 * k
    if op.text:
        y += words(spaced(op.text), theme.SOFT)
    if op.note:
        y += words(op.note, theme.DIM)
    for side in sorted(op.sides) if op.now else ():
        (now, whys), (end, ends) = op.now.get(side, NOTHING), op.at_end.get(side, NOTHING)
        if drawn:
            ui.pen.seat(side, x + 5 * k, y + 8 * k, 11 * k)
            parts = [f"{op.scored.get(side, 0)} VP so far"] if op.kind != "primary" else []
            parts += [f"+{now} now"] if op.kind != "primary" else []
            parts += [f"+{end} at the end"] if end or op.kind == "primary" else []
            left = op.possible.get(side)
            line = ", ".join(parts)
            more = f"{left} left" if left is not None else ""
            used = ui.text(rect.right - 10 * k, y + 8 * k, more, "caption", theme.DIM, align=1) if more else 0.0
            colour = theme.TEXT if now or end else theme.SOFT
            ui.text(x + 16 * k, y + 8 * k, ui.pen.fitted(line, "label", wide - used - 22 * k), "label", colour)
        y += 19 * k
        for why in dict.fromkeys([*whys, *ends]):
            y += words(spaced(why[:1].upper() + why[1:]), theme.DIM, 16 * k)
    return y - rect.y + 7 * k
