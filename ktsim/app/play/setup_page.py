"""Agreeing on a game: killzone, teams, who plays them, mission, rules, dice."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from ktsim.app.play.offers import SetupOffer
from ktsim.app.screens.dialogs import centred, close_button, titled
from ktsim.app.ui import theme
from ktsim.app.ui.pen import Rect
from ktsim.app.ui.widgets import SCROLLBAR, Widgets

Style: TypeAlias = Literal["list", "families", "side by side", "stepper"]
"""How offers stand: one below another; the same with numbered ones (Volkus 1, Volkus 2) in one row; in one row; or
only the chosen one, between a button to the one before and one to the next."""

SetupAsked: TypeAlias = tuple[str, str]
"""A field and the offer of it that was chosen; ``more`` and a field; or ``begin`` or ``cancel`` and nothing."""

HEAD, ROW, GAP = 24.0, 42.0, 14.0
NUMBERED = re.compile(r"(.+) (\d+)")


@dataclass(frozen=True)
class Field:
    """One thing to agree on: its name, its title, and what there is to choose from."""

    name: str
    title: str
    offers: Sequence[SetupOffer]
    seat: str = ""
    style: Style = "list"
    more: str = ""
    """What the button beside the title says that leads to more of it; none without."""

    def chosen(self, chosen: Mapping[str, str]) -> SetupOffer | None:
        return next((offer for offer in self.offers if offer.key == chosen.get(self.name)), None)


@dataclass(frozen=True)
class SetupPage:
    """The page: columns of fields from left to right, the rules above them, and why it cannot begin, if it cannot."""

    title: str
    words: str
    rules: Field
    columns: Sequence[Sequence[Field]]
    chosen: Mapping[str, str]
    problem: str = ""


def setup_page(ui: Widgets, size: tuple[int, int], page: SetupPage) -> SetupAsked | None:
    """Shows the page: what was asked for, if anything."""
    k = ui.pen.size
    rect = centred(size, 1360 * k, 700 * k)
    asked: SetupAsked | None = None
    with ui.panel("setup", rect):
        x, width = rect.x + 24 * k, rect.w - 48 * k
        ui.text(x, rect.y + 32 * k, page.title, "h2")
        leave = Rect(rect.right - 24 * k - 100 * k, rect.y + 16 * k, 100 * k, 36 * k)
        if ui.button(leave, "Back##cancel", key="Esc"):
            asked = ("cancel", "")
        rules = Rect(leave.x - 16 * k - 200 * k, leave.y, 200 * k, 36 * k)
        asked = _side_by_side(ui, rules, page.rules, page.chosen) or asked
        wide = ui.text(rules.x - 10 * k, leave.y + 18 * k, page.rules.title, "caption", theme.DIM, align=1)
        room = rules.x - 10 * k - wide - 16 * k - x
        ui.text(x, rect.y + 58 * k, ui.pen.fitted(page.words, "label", room), "label", theme.SOFT)
        top, bottom, gap = rect.y + 80 * k, rect.bottom - 20 * k, 16 * k
        each = (width - gap * (len(page.columns) - 1)) / len(page.columns)
        foot = 62 * k
        if page.problem:
            foot += ui.pen.measure(page.problem, "caption", each - 20 * k)[1] + 10 * k
        for i, fields in enumerate(page.columns):
            tall = bottom - top - (foot if fields is page.columns[-1] else 0)
            asked = _column(ui, Rect(x + i * (each + gap), top, each, tall), fields, page.chosen) or asked
        begin = Rect(rect.right - 24 * k - each, bottom - 52 * k, each, 52 * k)
        if page.problem:
            ui.pen.icon("warning", begin.x + 7 * k, bottom - foot + 7 * k, 14 * k, theme.NO)
            ui.paragraph(begin.x + 20 * k, bottom - foot, each - 20 * k, page.problem, "caption", theme.NO)
        label, locked = "Begin##begin", page.problem
        if ui.button(begin, label, primary=True, locked=locked, icon="play", key="Enter", kind="h3"):
            asked = ("begin", "")
    return asked


def _column(ui: Widgets, rect: Rect, fields: Sequence[Field], chosen: Mapping[str, str]) -> SetupAsked | None:
    """Several fields below each other. Where they do not fit, lists shrink to the chosen offer, the last first; when
    that is not enough either, the column scrolls."""
    k = ui.pen.size
    asked = None
    width = rect.w - SCROLLBAR - 2
    shown = list(fields)
    for i in reversed(range(len(shown))):
        if sum(_height(ui, field, chosen, width) for field in shown) - GAP * k <= rect.h:
            break
        if shown[i].style == "list":
            shown[i] = replace(shown[i], style="stepper")
    heights = [_height(ui, field, chosen, width) for field in shown]
    with ui.scrolled(f"column-{fields[0].name}", rect, sum(heights) - GAP * k) as top:
        y = top
        for field, tall in zip(shown, heights, strict=True):
            asked = _field(ui, Rect(rect.x, y, width, tall - GAP * k), field, chosen) or asked
            y += tall
    return asked


def _families(field: Field) -> list[list[SetupOffer]]:
    """The offers in rows: of families those whose titles differ by a number only share one."""
    rows: dict[str, list[SetupOffer]] = {}
    for offer in field.offers:
        numbered = NUMBERED.fullmatch(offer.title) if field.style == "families" else None
        rows.setdefault(numbered[1] if numbered else offer.title, []).append(offer)
    return list(rows.values())


def _height(ui: Widgets, field: Field, chosen: Mapping[str, str], width: float) -> float:
    k = ui.pen.size
    offer = field.chosen(chosen)
    note = _note(field, offer)
    words = ui.pen.measure(note, "caption", width)[1] + 2 * k if note else 0.0
    rows = len(_families(field)) if field.style in ("list", "families") else 1
    return (HEAD + ROW * rows + GAP) * k + words


def _field(ui: Widgets, rect: Rect, field: Field, chosen: Mapping[str, str]) -> SetupAsked | None:
    """A title and its offers, and the words of the chosen one."""
    k = ui.pen.size
    if field.seat:
        ui.pen.seat(field.seat, rect.x + 7 * k, rect.y + 9 * k, 13 * k)
    left = rect.x + (20 * k if field.seat else 0)
    asked: SetupAsked | None = None
    room = rect.right - left - (116 * k if field.more else 4 * k)
    ui.text(left, rect.y + 9 * k, ui.pen.fitted(field.title, "caption", room), "caption", theme.DIM)
    if field.more:
        more = Rect(rect.right - 108 * k, rect.y, 108 * k, (HEAD - 4) * k)
        if ui.button(more, f"{field.more}##more-{field.name}", kind="caption", icon="people"):
            asked = ("more", field.name)
    row = Rect(rect.x, rect.y + HEAD * k, rect.w, (ROW - 6) * k)
    match field.style:
        case "side by side":
            asked = _side_by_side(ui, row, field, chosen) or asked
        case "stepper":
            asked = stepper(ui, row, field, chosen) or asked
        case _:
            for number, family in enumerate(_families(field)):
                cell = Rect(row.x, row.y + number * ROW * k, row.w, row.h)
                asked = _row(ui, cell, field, family, chosen) or asked
    note = _note(field, field.chosen(chosen))
    if note:
        tall = ui.pen.measure(note, "caption", rect.w)[1]
        ui.paragraph(rect.x, rect.bottom - tall - 2 * k, rect.w, note, "caption", theme.SOFT)
    return asked


def _note(field: Field, offer: SetupOffer | None) -> str:
    """The words below a field; of families they name which one is meant, for other rows may lie between."""
    if offer is None or not offer.note:
        return ""
    return f"{offer.title}: {offer.note}" if field.style == "families" else offer.note


def _row(
    ui: Widgets, rect: Rect, field: Field, family: Sequence[SetupOffer], chosen: Mapping[str, str]
) -> SetupAsked | None:
    """One offer, or the name of several and their numbers."""
    k = ui.pen.size
    asked = None
    if len(family) == 1:
        offer = family[0]
        is_chosen = chosen.get(field.name) == offer.key
        icon = "lock" if offer.refusal else "check" if is_chosen else ""
        label = f"{offer.title}##{field.name}-{offer.key}"
        tip, locked = offer.note, offer.refusal
        if ui.button(rect, label, chosen=is_chosen, icon=icon, align=0, kind="strong", tip=tip, locked=locked):
            asked = (field.name, offer.key)
        return asked
    titles = [found for offer in family if (found := NUMBERED.fullmatch(offer.title))]
    is_here = any(chosen.get(field.name) == offer.key for offer in family)
    ui.pen.box(rect, theme.HOVER if is_here else theme.RAISED, theme.ACCENT if is_here else theme.LINE)
    wide = 34 * k
    left = rect.x + 10
    if is_here:
        ui.pen.icon("check", left + 8 * k, rect.y + rect.h / 2, 15 * k, theme.TEXT)
        left += 22 * k
    room = rect.right - left - (wide + 3 * k) * len(family) - 6 * k
    ui.text(left, rect.y + rect.h / 2, ui.pen.fitted(titles[0][1], "strong", room), "strong")
    for i, (offer, title) in enumerate(zip(family, titles, strict=True)):
        at = rect.right - (wide + 3 * k) * (len(family) - i) - 1
        cell = Rect(at, rect.y + 4 * k, wide, rect.h - 8 * k)
        is_chosen = chosen.get(field.name) == offer.key
        label, tip = f"{title[2]}##{field.name}-{offer.key}", f"{offer.title}: {offer.note}"
        if ui.button(cell, label, chosen=is_chosen, kind="strong", tip=tip, locked=offer.refusal):
            asked = (field.name, offer.key)
    return asked


def _side_by_side(ui: Widgets, rect: Rect, field: Field, chosen: Mapping[str, str]) -> SetupAsked | None:
    options = [(offer.key, offer.title) for offer in field.offers]
    found = ui.choice(rect, options, chosen.get(field.name, ""), field.name)
    return None if found is None else (field.name, found)


def stepper(ui: Widgets, rect: Rect, field: Field, chosen: Mapping[str, str]) -> SetupAsked | None:
    """The chosen offer between the one before and the next that can be chosen."""
    open_offers = [offer for offer in field.offers if not offer.refusal]
    now = field.chosen(chosen)
    at = open_offers.index(now) if now in open_offers else -1
    ui.pen.box(rect, theme.INK)
    title = now.title if now is not None else ""
    ui.place(field.name, rect)
    middle, room = rect.x + rect.w / 2, rect.w - 2 * rect.h - 8
    ui.text(middle, rect.y + rect.h / 2, ui.pen.fitted(title, "strong", room), "strong", align=0.5)
    asked = None
    ways = (("before", "step-back", rect.x, at - 1), ("next", "step-on", rect.right - rect.h, at + 1))
    for name, icon, left, to in ways:
        cell = Rect(left, rect.y, rect.h, rect.h)
        locked = "" if len(open_offers) > 1 else "There is nothing else to choose"
        if ui.button(
            cell, f"##{field.name}-{name}", icon=icon, locked=locked, tip=f"The {name.replace('before', 'one before')}"
        ):
            asked = (field.name, open_offers[to % len(open_offers)].key)
    return asked


@dataclass(frozen=True)
class SaveRow:
    """A saved game in a list."""

    name: str
    title: str
    note: str
    is_damaged: bool = False


SaveAsked: TypeAlias = tuple[Literal["open", "ask", "remove", "keep", "cancel", "variations"], str]
"""What was pressed in a list of saved games, and of which."""


def saves_page(
    ui: Widgets, size: tuple[int, int], title: str, rows: Sequence[SaveRow], empty: str, asking: str = ""
) -> SaveAsked | None:
    """A list of saved games; of the one called *asking* it is asked whether to remove it. What was pressed."""
    k = ui.pen.size
    each = 58 * k
    rect = centred(size, 760 * k, min(560 * k, 94 * k + each * max(1, len(rows))))
    asked: SaveAsked | None = None
    with ui.panel("saves", rect, alpha=1.0):
        x = rect.x + 24 * k
        ui.text(x, rect.y + 36 * k, title, "h2")
        if close_button(ui, rect):
            asked = ("cancel", "")
        place = Rect(rect.right - 282 * k, rect.y + 18 * k, 150 * k, 36 * k)
        if rows and ui.button(place, "Variations##variations", icon="list", tip="What was tried in which game"):
            asked = ("variations", "")
        body = Rect(x, rect.y + 74 * k, rect.w - 40 * k, rect.h - 94 * k)
        if not rows:
            ui.paragraph(x, body.y, rect.w - 48 * k, empty, "body", theme.SOFT)
        with ui.scrolled("saved", body, len(rows) * each) as top:
            for i, row in enumerate(rows):
                cell = Rect(x, top + i * each, body.w - SCROLLBAR - 4, each - 6 * k)
                asked = (removal_question(ui, cell, row) if row.name == asking else _save(ui, cell, row)) or asked
    return asked


def _save(ui: Widgets, rect: Rect, row: SaveRow) -> SaveAsked | None:
    k = ui.pen.size
    asked: SaveAsked | None = None
    wide = 96 * k
    opens = Rect(rect.x, rect.y, rect.w - wide - 6 * k, rect.h)
    icon = "warning" if row.is_damaged else "folder"
    if titled(ui, opens, f"save-{row.name}", icon, row.title, row.note, tip=row.name):
        asked = ("open", row.name)
    cell = Rect(opens.right + 6 * k, rect.y, wide, rect.h)
    tip = "Take this game off the list: it is asked first, and the file is kept in the folder removed"
    if ui.button(cell, f"Remove##remove-{row.name}", icon="cross", tip=tip):
        asked = ("ask", row.name)
    return asked


def removal_question(ui: Widgets, rect: Rect, row: SaveRow) -> SaveAsked | None:
    """Whether to remove a saved game, in its place in the list."""
    k = ui.pen.size
    ui.pen.box(rect, theme.RAISED, theme.NO)
    room, middle = rect.w - 260 * k, rect.y + rect.h / 2
    ui.text(rect.x + 14 * k, middle - 10 * k, ui.pen.fitted(f"Remove {row.title}?", "strong", room), "strong")
    words = "It goes to the folder removed beside your games."
    ui.text(rect.x + 14 * k, middle + 10 * k, ui.pen.fitted(words, "caption", room), "caption", theme.SOFT)
    asked: SaveAsked | None = None
    actions: tuple[tuple[Literal["remove", "keep"], str], ...] = (("remove", "Remove"), ("keep", "Keep it"))
    for i, (action, title) in enumerate(actions):
        cell = Rect(rect.right - (2 - i) * 118 * k, rect.y + 8 * k, 110 * k, rect.h - 16 * k)
        if ui.button(cell, f"{title}##{action}"):
            asked = (action, row.name)
    return asked
