"""The ruling table's bar at the top, and its strip of tools."""

from __future__ import annotations

from typing import Literal, TypeAlias

from ktsim.app.ruling.hands import Tool
from ktsim.app.ruling.marks import RANGES
from ktsim.app.ruling.model import TableModel
from ktsim.app.ruling.moves import MoveDesk
from ktsim.app.ruling.state import Snapping
from ktsim.app.ui import theme
from ktsim.app.ui.pen import Rect
from ktsim.app.ui.titles import killzone_title
from ktsim.app.ui.widgets import Widgets
from ktsim.sight.scene import EDITIONS, RULES_DATES, Edition

TableBarAction: TypeAlias = Literal["back", "killzones", "open", "save", "settings"]
StripAction: TypeAlias = Literal["tape", "ring", "grid", "area", "matrix", "walls", "compare", "play", "keys"]
YEARS: dict[Edition, str] = {"kt24": "2024", "kt21-lite": "2021"}


def _title(model: TableModel) -> str:
    """What lies on the table, as people call it."""
    return killzone_title(model.title)


def bar(ui: Widgets, rect: Rect, model: TableModel) -> TableBarAction | None:
    """Back, undo, redo, edition, files."""
    asked: TableBarAction | None = None
    k = ui.pen.size
    with ui.panel("bar", rect):
        y, tall = rect.y + 8 * k, rect.h - 16 * k
        if ui.button(Rect(rect.x + 8, y, 68 * k, tall), "Back##back", tip="Back to the start screen (Esc)"):
            asked = "back"
        right = rect.right - 8
        buttons: tuple[tuple[TableBarAction, str, float, str], ...] = (
            ("settings", "Settings", 78, "Picture, text size, colours, mouse"),
            ("save", "Save", 58, "Write the table to a scene file (Ctrl+S)"),
            ("open", "Open", 58, "Open a scene file (Ctrl+O)"),
            ("killzones", "Killzone", 78, "Another killzone, or an empty board (Ctrl+N)"),
        )
        for action, label, width, tip in buttons:
            right -= width * k
            if ui.button(Rect(right, y, width * k, tall), f"{label}##{action}", tip=tip):
                asked = action
            right -= 6
        right -= 118 * k
        years = [(edition, YEARS[edition]) for edition in EDITIONS]
        chosen = ui.choice(Rect(right, y, 118 * k, tall), years, model.edition, "edition", "The rules' edition (V)")
        if chosen is not None:
            model.set_edition("kt24" if chosen == "kt24" else "kt21-lite")
        right -= 10
        right -= 138 * k  # whichever edition: nothing moves when the other one is chosen
        if model.edition == "kt24":
            dates = [(date, date) for date in RULES_DATES]
            place, tip = Rect(right, y, 138 * k, tall), "Rules as of: before or after they were corrected (Shift+V)"
            if (date := ui.choice(place, dates, model.scene.rules_as_of, "rules-as-of", tip)) is not None:
                model.set_rules_date("2026-01" if date == "2026-01" else "2025-03")
        right -= 10
        for name, label, step, run in (
            ("redo", "Redo", model.redo_name, model.redo),
            ("undo", "Undo", model.undo_name, model.undo),
        ):
            right -= 56 * k
            keys = "Ctrl+Z" if name == "undo" else "Ctrl+Shift+Z"
            locked = "" if step else f"Nothing to {name}"
            tip = f"{label} {step} ({keys})"
            if ui.button(Rect(right, y, 56 * k, tall), f"{label}##{name}", locked=locked, tip=tip):
                run()
            right -= 6
        x = rect.x + 90 * k
        title = f"{_title(model)}{'' if model.is_saved else ' · not saved'}"
        ui.text(x, rect.y + rect.h / 2, ui.pen.fitted(title, "strong", right - x), "strong")
    return asked


def asks(ui: Widgets, rect: Rect, desk: MoveDesk) -> bool:
    """What is asked about: a shot or a move. Returns whether the other one was chosen."""
    k = ui.pen.size
    with ui.panel("asks", rect):
        place = Rect(rect.x + 6 * k, rect.y + 5 * k, rect.w - 12 * k, rect.h - 10 * k)
        now = "shot" if desk.asked is None else "move"
        options = [("shot", "Can it shoot?"), ("move", "Can it get there?")]
        chosen = ui.choice(place, options, now, "asks", "What is asked about: a shot, or a move (3)")
    return chosen is not None and chosen != now


_STRIP: tuple[tuple[StripAction, str, str, str], ...] = (
    ("tape", "ruler", "Tape", "Tape measure: press and drag, or click twice; tapes stay (M)"),
    ("ring", "ring", "Ring", "Range ring: click an operative or a place; rings stay (R)"),
    (
        "grid",
        "board",
        "Grid",
        'Put things on a grid of 1" or 1/2", pieces to the edges of others and turned by 90°, or anywhere (H)',
    ),
    ("area", "fan", "Area", "What does he see? Where am I safe? (A)"),
    ("matrix", "grid", "Everyone", "Who can see whom, for everyone on the table (N)"),
    ("walls", "corner", "Corners", "Show the corners and ends of walls (C)"),
    ("compare", "columns", "Compare", "Both editions, or both dates of the rules, side by side (D)"),
    ("play", "person", "Play", "Play from here: a game that goes on from this table (F3)"),
    ("keys", "help", "Keys", "Every key (F1)"),
)


def strip(ui: Widgets, rect: Rect, tool: Tool, snap: Snapping, has_walls: bool) -> StripAction | None:
    """What can be laid on the table, or asked of it."""
    asked: StripAction | None = None
    k = ui.pen.size
    tall = (rect.h - 8) / len(_STRIP)
    with ui.panel("strip", rect):
        for i, (action, icon, word, tip) in enumerate(_STRIP):
            cell = Rect(rect.x + 4, rect.y + 4 + i * tall, rect.w - 8, tall - 3)
            chosen = (
                tool == action
                or (action == "walls" and has_walls)
                or (action == "grid" and (snap.grid > 0 or snap.to_edges))
            )
            if action == "grid":
                word = "Edges" if snap.to_edges else {0.5: 'Grid 1/2"', 1.0: 'Grid 1"'}.get(snap.grid, word)
            if ui.button(cell, f"##{action}", chosen=chosen, tip=tip):
                asked = action
            middle = cell.x + cell.w / 2
            ui.pen.icon(icon, middle, cell.y + cell.h / 2 - 7 * k, 17 * k, theme.TEXT)
            ui.pen.put(middle, cell.bottom - 10 * k, word, "caption", theme.SOFT, align=0.5)
    return asked


def ring_options(ui: Widgets, rect: Rect, chosen: float) -> float | Literal["clear"] | None:
    """How far the next ring reaches, or taking all marks away; over the foot of *rect*."""
    k = ui.pen.size
    w = min(rect.w, 420 * k)
    box = Rect(rect.x + (rect.w - w) / 2, rect.bottom - 48 * k, w, 48 * k)
    with ui.panel("ring options", box):
        options = [(f"{one:g}", f'{one:g}"') for one in RANGES]
        cell = Rect(box.x + 6, box.y + 6 * k, w - 96 * k - 12, 36 * k)
        found = ui.choice(cell, options, f"{chosen:g}", "inches", "How far the ring reaches")
        if ui.button(Rect(box.right - 90 * k, box.y + 6 * k, 84 * k, 36 * k), "Clear all##clear-marks"):
            return "clear"
    return float(found) if found is not None else None
