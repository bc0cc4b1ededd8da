"""The ruling on a move beside the table: who moves with which action, the answer, and why, leg by leg."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TypeAlias

from ktsim.app.card.drawing import BannerWords, answer_banner
from ktsim.app.card.move_view import MoveRow, MoveView
from ktsim.app.ruling.moves import MoveDesk
from ktsim.app.ruling.verdict import RULING_BUTTONS, VerdictAction, VerdictButton, buttons_row, rule_words
from ktsim.app.ui import theme
from ktsim.app.ui.pen import Rect
from ktsim.app.ui.widgets import SCROLLBAR, Widgets

Later: TypeAlias = Callable[[Callable[[], object]], object]
"""Does something after the frame in which it was asked for, and tells what was wrong with it."""
LOOKING = "Looking for a way ..."
MAPPING = "Finding out everywhere it can go ..."
AIM = "Click the table where it is to go, or an enemy to charge. Click a friend to ask about it instead."


def move_banner(ui: Widgets, rect: Rect, view: MoveView) -> None:
    """The answer over the table, to be read from two metres."""
    with ui.panel("banner", rect, fill=None):
        ui.said.append(", ".join([view.answer, *(tag.words for tag in view.tags)]))
        colour = theme.ACCENT if view.is_yes else theme.NO
        words = BannerWords(view.answer, view.tags, view.sentence)
        answer_banner(ui.pen, rect, words, "check" if view.is_yes else "cross", colour)
        ui.tip(rect, view.sentence)


def move_panel(
    ui: Widgets, rect: Rect, desk: MoveDesk, view: MoveView | None, later: Later
) -> tuple[VerdictAction | None, int | None]:
    """The question and its answer. Returns what was asked for, and the row that is pointed at: a leg by
    its number, 0 for what is against the move."""
    k = ui.pen.size
    with ui.panel("verdict", rect):
        return _panel(ui, Rect(rect.x + 14 * k, rect.y, rect.w - 28 * k, rect.h - 12 * k), desk, view, later)


def _panel(
    ui: Widgets, rect: Rect, desk: MoveDesk, view: MoveView | None, later: Later
) -> tuple[VerdictAction | None, int | None]:
    asked, k = desk.asked, ui.pen.size
    assert asked is not None
    x, right = rect.x, rect.right
    who = desk.model.scene.operative(asked.who)
    y = rect.y + 24 * k
    room = (right - x - 74 * k) / 2
    ui.pen.seat(who.team, x + 7 * k, y, 14 * k)
    at = x + 20 * k + ui.text(x + 20 * k, y, ui.pen.fitted(who.id, "h3", room), "h3") + 10 * k
    ui.pen.icon("arrow", at + 6 * k, y, 13 * k, theme.DIM)
    goal = view.goal if view is not None else "where?"
    ui.text(at + 22 * k, y, ui.pen.fitted(goal, "h3", right - at - 22 * k), "h3")
    y += 20 * k
    ui.text(x, y + 5 * k, "ACTION, AND ITS MOVE STAT IN INCHES", "caption", theme.DIM)
    y += 15 * k
    y = _actions(ui, Rect(x, y, right - x, 32 * k), desk, later) + 8 * k
    foot, locked = rect.bottom - 40 * k, "" if view is not None else "Click where it is to go first"
    body = Rect(x, y, right - x, foot - y - 8)
    lit = None
    if view is None:
        words = AIM if asked.to is None else LOOKING
        tall = ui.paragraph(x, y + 4 * k, right - x - 8, words, "body", theme.SOFT) + 14 * k
        if desk.is_working and asked.to is None:
            ui.paragraph(x, y + tall, right - x - 8, MAPPING, "caption", theme.SOFT)
    else:
        lit = _rows(ui, body, view)
    return buttons_row(ui, Rect(x, foot, right - x, 40 * k), _BUTTONS, locked), lit


_BUTTONS: tuple[VerdictButton, ...] = (("pair", "Frame", "The whole move in the picture (J)"), *RULING_BUTTONS)


def _actions(ui: Widgets, rect: Rect, desk: MoveDesk, later: Later) -> float:
    """The actions two in a row, and the Move stat at the end of the last. Returns where they end."""
    k = ui.pen.size
    cells: list[tuple[str, str]] = [*desk.actions.items(), ("", "")]
    half, asked = (rect.w - 6 * k) / 2, desk.asked
    for i, (word, name) in enumerate(cells):
        cell = Rect(rect.x + (i % 2) * (half + 6 * k), rect.y + (i // 2) * (rect.h + 5 * k), half, rect.h)
        if word:
            if ui.button(cell, f"{name}##action-{word}", chosen=desk.action == word):
                later(partial(desk.set_action, word))
        elif asked is not None:
            wide = ui.text(cell.x + 4 * k, cell.y + cell.h / 2, "Move", "label", theme.SOFT) + 12 * k
            cell = Rect(cell.x + wide, cell.y, cell.w - wide, cell.h)
            typed = ui.number(cell, f"move-stat-{asked.who}", asked.move, "Its Move stat in inches: type another")
            if typed is not None:
                later(partial(desk.set_move, typed))
    return rect.y + ((len(cells) + 1) // 2) * (rect.h + 5 * k)


def _rows(ui: Widgets, rect: Rect, view: MoveView) -> int | None:
    """The sentence, what is against it, and every leg; the row that is pointed at."""
    k = ui.pen.size
    width = rect.w - SCROLLBAR
    room = width - 48 * k
    heights = [ui.pen.measure(row.text, "body", room)[1] + 34 * k for row in view.rows]
    # What is against it is said by its own row.
    head = ui.pen.measure(view.sentence, "strong", width)[1] + 10 if view.is_yes else 0.0
    lit = None
    with ui.scrolled("legs", rect, head + sum(heights) + 6 * len(heights)) as top:
        if head:
            ui.paragraph(rect.x, top, width, view.sentence, "strong")
        y = top + head
        for row, tall in zip(view.rows, heights, strict=True):
            place = Rect(rect.x, y, width, tall)
            if _row(ui, rect, place, row, room):
                lit = row.number
            y += tall + 6
    return lit


def _row(ui: Widgets, within: Rect, row: Rect, said: MoveRow, room: float) -> bool:
    k = ui.pen.size
    is_seen = row.y < within.bottom and row.bottom > within.y
    is_lit = is_seen and ui.points_at(row)
    ui.pen.box(row, theme.HOVER if is_lit else theme.RAISED, theme.LINE if said.number else theme.NO)
    if said.number:
        ui.pen.icon("disc", row.x + 20 * k, row.y + 20 * k, 26 * k, theme.ACCENT)
        ui.text(row.x + 20 * k, row.y + 20 * k, str(said.number), "label", theme.INK, align=0.5)
    else:
        ui.pen.icon(said.icon, row.x + 20 * k, row.y + 20 * k, 18 * k, theme.NO)
    ui.paragraph(row.x + 40 * k, row.y + 7 * k, room, said.text)
    ui.text(row.x + 40 * k, row.bottom - 13 * k, said.rule, "caption", theme.DIM)
    if is_seen:
        ui.place(f"leg-{said.number}", row)
        ui.tip(row, rule_words(said.rule), at_left=True)
    return is_lit
