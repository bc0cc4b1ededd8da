"""The ruling table's bar and tools: what can be done with the table and with whoever is selected."""

from __future__ import annotations

from typing import Literal, TypeAlias

from ktsim.sight.scene import EDITIONS, ORDERS, Edition, Operative

from ..table.model import BASES, TEAMS, TableModel
from ..ui import theme
from ..ui.pen import Rect
from ..ui.widgets import Widgets

TableAction: TypeAlias = Literal["back", "killzones", "open", "save", "export", "copy", "place-blue", "place-red"]
YEARS: dict[Edition, str] = {"kt24": "2024", "kt21-lite": "2021"}
TURN = 15.0
"""Degrees of one press of a turning button or key."""


def bar(ui: Widgets, rect: Rect, model: TableModel) -> TableAction | None:
    """The bar at the top: back, undo, redo, edition, files."""
    asked: TableAction | None = None
    k = ui.pen.size
    with ui.panel("bar", rect):
        y, tall = rect.y + 8 * k, rect.h - 16 * k
        if ui.button(Rect(rect.x + 8, y, 68 * k, tall), "Back##back", tip="Back to the start screen (Esc)"):
            asked = "back"
        right = rect.right - 8
        buttons: tuple[tuple[TableAction, str, float, str], ...] = (
            ("save", "Save", 62, "Write the table to a scene file (Ctrl+S)"),
            ("open", "Open", 62, "Open a scene file (Ctrl+O)"),
            ("killzones", "Killzone", 82, "Another killzone, or an empty board (Ctrl+N)"),
        )
        for action, label, width, tip in buttons:
            right -= width * k
            if ui.button(Rect(right, y, width * k, tall), f"{label}##{action}", tip=tip):
                asked = action
            right -= 8
        right -= 124 * k
        years = [(edition, YEARS[edition]) for edition in EDITIONS]
        chosen = ui.choice(Rect(right, y, 124 * k, tall), years, model.edition, "edition")
        if chosen is not None:
            model.set_edition("kt24" if chosen == "kt24" else "kt21-lite")
        right -= 12
        for action_name, label, name, run in (
            ("redo", "Redo", model.redo_name, model.redo),
            ("undo", "Undo", model.undo_name, model.undo),
        ):
            right -= 60 * k
            keys = "Ctrl+Z" if action_name == "undo" else "Ctrl+Shift+Z"
            locked = "" if name else f"Nothing to {action_name}"
            tip = f"{label} {name} ({keys})"
            if ui.button(Rect(right, y, 60 * k, tall), f"{label}##{action_name}", locked=locked, tip=tip):
                run()
            right -= 6
        x = rect.x + 92 * k
        room = right - x
        title = f"Ruling table · {model.title}{'' if model.is_saved else ' · not saved'}"
        ui.text(x, rect.y + rect.h / 2, ui.pen.fitted(title, "strong", room), "strong")
    return asked


def tools(ui: Widgets, rect: Rect, model: TableModel, placing: str | None) -> TableAction | None:
    """What is put on the table, what stands on it, and the selected operative."""
    asked: TableAction | None = None
    k = ui.pen.size
    with ui.panel("tools", rect):
        x, width = rect.x + 14, rect.w - 28
        half = (width - 8) / 2
        y = rect.y + 20 * k
        ui.text(x, y, "ADD AN OPERATIVE", "caption", theme.DIM)
        y += 14 * k
        rows: tuple[tuple[TableAction, str, str], ...] = (("place-blue", "blue", "B"), ("place-red", "red", "G"))
        for i, (action, team, key) in enumerate(rows):
            cell = Rect(x + i * (half + 8), y, half, 38 * k)
            tip = f"Then click the table where the {team} operative stands ({key})"
            present = {one.team for one in model.scene.operatives}
            is_next = not placing and team not in present and (team == "blue" or "blue" in present)
            seat = "" if is_next else team
            label, chosen_now = f"{team.capitalize()}##{action}", placing == team
            if ui.button(cell, label, seat=seat, primary=is_next, chosen=chosen_now, tip=tip, key=key):
                asked = action
        y += 46 * k
        base = next((name for name, base in BASES.items() if model.selected and base == model.selected.base), "")
        ui.text(x, y + 6 * k, "BASE, MM", "caption", theme.DIM)
        y += 16 * k
        options = [(name, "oval" if "x" in name else name) for name in BASES]
        chosen = ui.choice(Rect(x, y, width, 34 * k), options, base if model.selected else model.base, "base")
        if chosen is not None:
            model.set_base(chosen)
        y += 46 * k
        bottom = rect.bottom - 12
        of_one = 214 * k if model.selected else 48 * k
        ui.text(x, y + 6 * k, "ON THE TABLE", "caption", theme.DIM)
        ui.text(rect.right - 14, y + 6 * k, str(len(model.scene.operatives)), "caption", theme.DIM, align=1)
        y += 18 * k
        _roster(ui, Rect(x, y, width, bottom - of_one - y - 8), model)
        if model.selected is not None:
            _selected(ui, Rect(x, bottom - of_one, width, of_one), model, model.selected)
        else:
            words = "Click an operative to select it, drag to move it. Click a hatchway to open or close it."
            ui.paragraph(x, bottom - of_one, width, words, "caption", theme.SOFT)
    return asked


def _roster(ui: Widgets, rect: Rect, model: TableModel) -> None:
    k = ui.pen.size
    tall = 34 * k
    operatives = model.scene.operatives
    with ui.scrolled("roster", rect, len(operatives) * (tall + 4)) as top:
        for i, one in enumerate(operatives):
            row = Rect(rect.x, top + i * (tall + 4), rect.w - 10, tall)
            role = {model.state.shooter: "shoots", model.state.target: "target"}.get(one.id, "")
            is_selected = one.id == model.state.selected
            label = f"{one.id}##row-{one.id}"
            pressed = ui.button(row, label, seat=one.team, icon=one.order, chosen=is_selected, align=0, key=role)
            if pressed:
                model.select(one.id)


def _selected(ui: Widgets, rect: Rect, model: TableModel, one: Operative) -> None:
    k = ui.pen.size
    x, half = rect.x, (rect.w - 8) / 2
    y = rect.y
    ui.pen.seat(one.team, x + 8, y + 10 * k, 14)
    where = f'{one.x:.2f}", {one.y:.2f}"' + (f', level {one.level:.1f}"' if one.level else "")
    room = rect.w - 26 - ui.pen.measure(where, "caption")[0]
    ui.text(x + 22, y + 10 * k, ui.pen.fitted(one.id, "h3", room), "h3")
    ui.text(rect.right, y + 10 * k, where, "caption", theme.DIM, align=1)
    y += 28 * k
    for i, order in enumerate(ORDERS):
        cell = Rect(x + i * (half + 8), y, half, 38 * k)
        chosen = one.order == order
        if ui.button(cell, f"{order.capitalize()}##order-{order}", icon=order, chosen=chosen, tip="Order (O)"):
            model.set_order(one.id, order)
    y += 46 * k
    for i, team in enumerate(TEAMS):
        cell = Rect(x + i * (half + 8), y, half, 30 * k)
        if ui.button(cell, f"{team.capitalize()}##team-{team}", seat=team, chosen=one.team == team, tip="Team"):
            model.set_team(one.id, team)
    y += 38 * k
    third = (rect.w - 16) / 3
    if ui.button(Rect(x, y, third, 30 * k), "Left##turn-left", tip="Turn left by 15 degrees (Q, Ctrl+wheel)"):
        model.turn(one.id, TURN)
    ui.text(x + rect.w / 2, y + 15 * k, f"{one.turn:.0f}°", "strong", align=0.5)
    if ui.button(Rect(rect.right - third, y, third, 30 * k), "Right##turn-right", tip="Turn right (W, Ctrl+wheel)"):
        model.turn(one.id, -TURN)
    y += 38 * k
    shoots, aimed_at = model.state.shooter == one.id, model.state.target == one.id
    if ui.button(Rect(x, y, third, 36 * k), "Shooter##shooter", chosen=shoots, tip="Who shoots (1)") and not shoots:
        model.choose_shooter(one.id)
    target = Rect(x + third + 8, y, third, 36 * k)
    if ui.button(target, "Target##target", chosen=aimed_at, tip="Who is shot at (2)") and not aimed_at:
        model.choose_target(one.id)
    if ui.button(Rect(rect.right - third, y, third, 36 * k), "Remove##remove", tip="Take it off the table (Delete)"):
        model.remove(one.id)
