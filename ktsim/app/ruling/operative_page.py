"""The page of one operative: its name, how tall and wide its miniature is, and its weapon's rules."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from types import MappingProxyType

from ktsim.app.ruling.marks import End, Mark, Tape
from ktsim.app.ruling.model import TableModel
from ktsim.app.ruling.state import TableState
from ktsim.app.screens.dialogs import centred
from ktsim.app.screens.screen import Host, Screen
from ktsim.app.ui import theme
from ktsim.app.ui.pen import Rect
from ktsim.app.ui.widgets import Widgets
from ktsim.content.printable import NAME_LIMIT, printable
from ktsim.content.weapon_rule_forms import read_any
from ktsim.errors import UserError
from ktsim.killzones.figures import figure, models, widest
from ktsim.killzones.operative_reader import HEIGHT_LIMITS, WIDTH_LIMITS
from ktsim.sight.scene import Operative, Weapon

RANGE = "range "
SWITCHES = (("seek", "Seek"), ("seek light", "Seek Light"), ("silent", "Silent"))
"""Weapon rules that a shot at a target asks about and that have no number."""


def renamed(state: TableState, id: str, name: str) -> TableState:
    """The table with an operative under another name. Raises UserError when it cannot be called so."""
    if not name or len(name) > NAME_LIMIT or printable(name) != name:
        raise UserError(f"A name has 1 to {NAME_LIMIT} characters that can be printed.")
    if any(one.id == name for one in state.scene.operatives):
        raise UserError(f"There is a {name} already.")
    file = state.file
    people = tuple(replace(one, id=name) if one.id == id else one for one in file.scene.operatives)
    # Of one that is gone the file may still have a description under this name.
    known = [entry for entry in file.document.get("operatives") or [] if entry["id"] != name]
    entries = [{**entry, "id": name} if entry["id"] == id else entry for entry in known]
    move = file.move.renamed(id, name) if file.move is not None else None
    pairs = tuple((name if a == id else a, name if b == id else b) for a, b in file.pairs)
    document = MappingProxyType({**file.document, "operatives": entries}) if entries or known else file.document
    chosen = (name if one == id else one for one in (state.selected, state.shooter, state.target))
    selected, shooter, target = chosen
    return replace(
        state,
        file=replace(file, scene=replace(file.scene, operatives=people), document=document, pairs=pairs, move=move),
        selected=selected,
        shooter=shooter,
        target=target,
        marks=tuple(_mark(mark, id, name) for mark in state.marks),
    )


def _mark(mark: Mark, id: str, name: str) -> Mark:
    def end(one: End) -> End:
        return name if one == id else one

    if isinstance(mark, Tape):
        return Tape(end(mark.start), end(mark.end))
    return replace(mark, around=end(mark.around))


def resized(state: TableState, one: Operative, height: float, width: float | None) -> TableState:
    """The table with an operative's miniature so tall and wide, without a *width* in proportion. Raises UserError when
    it cannot be."""
    if one.figure.name not in models():
        raise UserError("Its body is described in the scene file; choose one of the miniatures first.")
    for value, (least, most), what in ((height, HEIGHT_LIMITS, "tall"), (width or 1.0, WIDTH_LIMITS, "wide")):
        if not (math.isfinite(value) and least <= value <= most):
            raise UserError(f'A miniature is {least:g}" to {most:g}" {what}.')
    file = state.file
    # The file describes the body it had; the new one is described by its model.
    entries = [entry for entry in file.document.get("operatives") or [] if entry["id"] != one.id]
    scene = file.scene.moved(
        replace(one, figure=figure(one.figure.name, round(height, 6), None, width and round(width, 6)))
    )
    document = MappingProxyType({**file.document, "operatives": entries})
    return replace(state, file=replace(file, scene=scene, document=document))


def armed(state: TableState, rules: tuple[str, ...]) -> TableState:
    """The table with these rules of the shooter's weapon. Raises UserError about one that there is not."""
    for rule in rules:
        if isinstance(wrong := read_any(rule), str):
            raise UserError(wrong)
    return replace(state, file=replace(state.file, weapon=Weapon(rules) if rules else None))


class OperativeScreen(Screen):
    """One operative's page over the ruling table; every change is a step of the table's undo."""

    name = "operative"
    is_dialog = True

    def __init__(self, desktop: Host, model: TableModel, id: str) -> None:
        super().__init__(desktop)
        self.model, self.id = model, id

    def draw(self, ui: Widgets) -> None:
        one = self.model.operative(self.id)
        if one is None:
            self.desktop.later(lambda: self.desktop.pop(self))
            return
        k = ui.pen.size
        rect = centred(self.desktop.size, 560 * k, 330 * k)
        with ui.panel("operative", rect, alpha=1.0):
            x, width = rect.x + 28 * k, rect.w - 56 * k
            ui.text(x, rect.y + 36 * k, ui.pen.fitted(one.id, "h2", width), "h2")
            rows = [Rect(x + width * 0.34, rect.y + (66 + 52 * i) * k, width * 0.66, 40 * k) for i in range(4)]
            for row, words in zip(rows, ("Name", "Tall, wide", "Weapon's range", "Its rules"), strict=True):
                ui.text(x, row.y + row.h / 2, words, "strong")
            self._body(ui, one, rows)
            self._weapon(ui, rows)
            if ui.button(Rect(x, rect.bottom - 54 * k, 140 * k, 40 * k), "Done##done", primary=True, key="Esc"):
                self.desktop.pop(self)

    def _change(self, name: str, changed: Callable[[], TableState]) -> None:
        self.desktop.later(lambda: self.model.change(name, changed()))

    def _body(self, ui: Widgets, one: Operative, rows: list[Rect]) -> None:
        state = self.model.state
        name = ui.entry(rows[0], "name", one.id, "What it is called")
        if name is not None:
            self.desktop.later(lambda: self._rename(name))
        tall, wide = float(one.figure.triangles[..., 2].max()), widest(one.figure.triangles)
        half = (rows[1].w - 8) / 2
        cells = [Rect(rows[1].x + i * (half + 8), rows[1].y, half, rows[1].h) for i in range(2)]
        height = ui.number(
            cells[0], "height", tall, "Inches from its feet to its highest point; it stays in proportion"
        )
        if height is not None:
            self._change(f"height of {one.id}", lambda: resized(state, one, height, None))
        across = ui.number(cells[1], "width", wide, "Inches across at its widest")
        if across is not None:
            self._change(f"width of {one.id}", lambda: resized(state, one, tall, across))

    def _rename(self, name: str) -> None:
        self.model.change(f"rename {self.id}", renamed(self.model.state, self.id, name))
        self.id = name

    def _weapon(self, ui: Widgets, rows: list[Rect]) -> None:
        state = self.model.state
        rules = state.file.weapon.rules if state.file.weapon is not None else ()
        reach = next((rule.removeprefix(RANGE) for rule in rules if rule.startswith(RANGE)), "")
        typed = ui.entry(rows[2], "range", reach, "Inches; empty for a weapon without a range")
        if not reach:
            right, y = rows[2].right - 12 * ui.pen.size, rows[2].y + rows[2].h / 2
            ui.text(right, y, "inches; empty: any range", "caption", theme.DIM, align=1)
        if typed is not None:
            others = tuple(rule for rule in rules if not rule.startswith(RANGE))
            inches = typed.strip('" ')
            self._change("weapon", lambda: armed(state, (*((f"{RANGE}{inches}",) if inches else ()), *others)))
        row = rows[3]
        third = (row.w - 16) / len(SWITCHES)
        for i, (rule, label) in enumerate(SWITCHES):
            cell = Rect(row.x + i * (third + 8), row.y, third, row.h)
            if ui.button(cell, f"{label}##weapon-{rule.replace(' ', '-')}", chosen=rule in rules):
                now = tuple(one for one in rules if one != rule) if rule in rules else (*rules, rule)
                self._change("weapon", partial(armed, state, now))
        who = self.model.state.shooter
        words = f"The weapon is {who}'s: it shoots." if who is not None else "The weapon is that of whoever shoots."
        ui.text(row.x, row.bottom + 16 * ui.pen.size, words, "caption", theme.SOFT)
