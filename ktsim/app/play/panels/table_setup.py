"""Agreeing on a game: killzone, teams, who plays them, mission, rules, dice."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ...ui import theme
from ...ui.pen import Rect
from ...ui.widgets import SCROLLBAR, Widgets
from ..offers import Offer


@dataclass(frozen=True)
class Field:
    """One thing to agree on: its name, its title, and what there is to choose from."""

    name: str
    title: str
    offers: Sequence[Offer]
    seat: str = ""


@dataclass(frozen=True)
class SetupPage:
    """The page: a wide list at the left, then a column for each side, then the rest."""

    title: str
    words: str
    boards: Field
    sides: Sequence[Sequence[Field]]
    others: Sequence[Field]
    chosen: Mapping[str, str]
    problem: str = ""


def setup_page(ui: Widgets, size: tuple[int, int], page: SetupPage) -> tuple[str, str] | None:
    """Shows the page: (field, key) of what was chosen, ``("begin", "")``, ``("cancel", "")`` or nothing."""
    k = ui.pen.size
    rect = Rect(16, 16, size[0] - 32, size[1] - 32)
    asked: tuple[str, str] | None = None
    with ui.panel("setup", rect):
        x, width = rect.x + 24 * k, rect.w - 48 * k
        ui.text(x, rect.y + 32 * k, page.title, "h2")
        room = width - 120 * k
        ui.text(x, rect.y + 58 * k, ui.pen.fitted(page.words, "label", room), "label", theme.SOFT)
        leave = Rect(rect.right - 24 * k - 100 * k, rect.y + 16 * k, 100 * k, 36 * k)
        if ui.button(leave, "Back##cancel", key="Esc"):
            asked = ("cancel", "")
        top, bottom = rect.y + 80 * k, rect.bottom - 20 * k
        gap = 16 * k
        columns = 2 + len(page.sides)
        wide = (width - gap * (columns - 1)) / columns
        column = Rect(x, top, wide, bottom - top)
        asked = _column(ui, column, [page.boards], page.chosen) or asked
        for fields in page.sides:
            column = Rect(column.right + gap, top, wide, bottom - top)
            asked = _column(ui, column, fields, page.chosen) or asked
        column = Rect(column.right + gap, top, wide, bottom - top)
        begin = Rect(column.x, bottom - 52 * k, wide, 52 * k)
        rest = Rect(column.x, top, wide, bottom - top - 62 * k)
        asked = _column(ui, rest, page.others, page.chosen) or asked
        locked = page.problem
        if ui.button(begin, "Begin##begin", primary=True, locked=locked, icon="play", key="Enter", kind="h3"):
            asked = ("begin", "")
    return asked


def _column(ui: Widgets, rect: Rect, fields: Sequence[Field], chosen: Mapping[str, str]) -> tuple[str, str] | None:
    """Several fields below each other; the column scrolls when they do not fit."""
    k = ui.pen.size
    asked = None
    width = rect.w - SCROLLBAR - 2
    heights = [_height(ui, field, chosen, width) for field in fields]
    with ui.scrolled(f"column-{fields[0].name}", rect, sum(heights)) as top:
        y = top
        for field, tall in zip(fields, heights, strict=True):
            asked = _field(ui, Rect(rect.x, y, width, tall - 8 * k), field, chosen) or asked
            y += tall
    return asked


HEAD, ROW = 26.0, 44.0


def _note(field: Field, chosen: Mapping[str, str]) -> str:
    return next((offer.note for offer in field.offers if offer.key == chosen.get(field.name)), "")


def _height(ui: Widgets, field: Field, chosen: Mapping[str, str], width: float) -> float:
    k = ui.pen.size
    note = _note(field, chosen)
    words = ui.pen.measure(note, "caption", width)[1] + 6 * k if note else 0.0
    return (HEAD + ROW * len(field.offers)) * k + words + 14 * k


def _field(ui: Widgets, rect: Rect, field: Field, chosen: Mapping[str, str]) -> tuple[str, str] | None:
    """A title and its offers, and the words of the chosen one."""
    k = ui.pen.size
    asked = None
    if field.seat:
        ui.pen.seat(field.seat, rect.x + 7 * k, rect.y + 10 * k, 13 * k)
    left = rect.x + (20 * k if field.seat else 0)
    ui.text(left, rect.y + 10 * k, ui.pen.fitted(field.title, "caption", rect.w - 24 * k), "caption", theme.DIM)
    y = rect.y + HEAD * k
    for offer in field.offers:
        is_chosen = chosen.get(field.name) == offer.key
        icon = "check" if is_chosen else ""
        label = f"{offer.title}##{field.name}-{offer.key}"
        row = Rect(rect.x, y, rect.w, (ROW - 6) * k)
        if ui.button(row, label, chosen=is_chosen, icon=icon, align=0, kind="strong", tip=offer.note):
            asked = (field.name, offer.key)
        y += ROW * k
    if note := _note(field, chosen):
        ui.paragraph(rect.x, y + 2 * k, rect.w, note, "caption", theme.SOFT)
    return asked


def saves_page(
    ui: Widgets, size: tuple[int, int], title: str, rows: Sequence[tuple[str, str, str]], empty: str
) -> str | None:
    """A list of saved games as (name, title, note): the name of the one pressed, ``cancel``, or nothing."""
    k = ui.pen.size
    wide, tall = min(760 * k, size[0] - 48), min(560 * k, size[1] - 48)
    rect = Rect(round((size[0] - wide) / 2), round((size[1] - tall) / 2), wide, tall)
    asked = None
    with ui.panel("saves", rect, alpha=1.0):
        x = rect.x + 24 * k
        ui.text(x, rect.y + 36 * k, title, "h2")
        if ui.button(
            Rect(rect.right - 24 * k - 100 * k, rect.y + 18 * k, 100 * k, 36 * k), "Cancel##cancel", key="Esc"
        ):
            asked = "cancel"
        body = Rect(x, rect.y + 74 * k, rect.w - 40 * k, rect.h - 94 * k)
        if not rows:
            ui.paragraph(x, body.y, rect.w - 48 * k, empty, "body", theme.SOFT)
        each = 58 * k
        with ui.scrolled("saved", body, len(rows) * each) as top:
            for i, (name, words, note) in enumerate(rows):
                row = Rect(x, top + i * each, body.w - SCROLLBAR - 4, each - 6 * k)
                if row.bottom < body.y or row.y > body.bottom:
                    continue
                if ui.button(row, f"##save-{name}", tip=name):
                    asked = name
                room = row.w - 56 * k
                ui.pen.icon("folder", row.x + 24 * k, row.y + row.h / 2, 18 * k, theme.ACCENT)
                ui.text(row.x + 46 * k, row.y + 17 * k, ui.pen.fitted(words, "strong", room), "strong")
                ui.text(row.x + 46 * k, row.y + 37 * k, ui.pen.fitted(note, "caption", room), "caption", theme.DIM)
    return asked
