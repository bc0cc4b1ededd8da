"""The area view's panel: the question, the legend with its shares, and how far the answer is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from ktsim.app.area.overlay import OPEN, VISIBLE, Kind
from ktsim.app.ruling.state import BASES
from ktsim.app.ui import theme
from ktsim.app.ui.pen import Rect, V
from ktsim.app.ui.theme import u32
from ktsim.app.ui.widgets import Widgets
from ktsim.sight.scene import ORDERS, Operative, Order

Question: TypeAlias = Literal["sees", "safe"]


@dataclass(frozen=True)
class AreaQuestion:
    """What is asked: what *who* sees, or where somebody is safe from *who*'s whole team; of a figure on this base with
    this order."""

    question: Question = "sees"
    who: str = ""
    base: str = "32"
    order: Order = "conceal"


def area_panel(
    ui: Widgets,
    rect: Rect,
    asked: AreaQuestion,
    people: Sequence[Operative],
    kinds: Sequence[Kind],
    shares: Mapping[Kind, float],
    exact: float | None,
    known: float,
) -> AreaQuestion | Literal["back"]:
    """The answer is *exact* at places so far apart, None while it is not; *known* is the part of the next, finer
    one that is known. Returns the question as changed, or ``back``."""
    k = ui.pen.size
    with ui.panel("area", rect):
        x, width = rect.x + 14 * k, rect.w - 28 * k
        y = rect.y + 12 * k
        options = [("sees", "What does he see?"), ("safe", "Where am I safe?")]
        chosen = ui.choice(Rect(x, y, width, 40 * k), options, asked.question, "question", "The other question (A)")
        if chosen is not None:
            asked = AreaQuestion("sees" if chosen == "sees" else "safe", asked.who, asked.base, asked.order)
        y += 50 * k
        who = next((one for one in people if one.id == asked.who), None)
        if who is not None:
            ui.pen.seat(who.team, x + 8 * k, y + 10 * k, 15 * k)
            words = who.id if asked.question == "sees" else f"Safe from {theme.seat_name(who.team)}"
            ui.text(x + 24 * k, y + 10 * k, ui.pen.fitted(words, "h2", width - 90 * k), "h2")
            if len(people) > 1:
                cell = Rect(rect.right - 14 * k - 62 * k, y - 6 * k, 62 * k, 32 * k)
                if ui.button(cell, "Next##next", tip="The next operative (PgDn)"):
                    at = people.index(who) + 1
                    asked = AreaQuestion(asked.question, people[at % len(people)].id, asked.base, asked.order)
        y += 36 * k
        for kind in kinds:
            if exact is not None and kind in (OPEN, VISIBLE):
                continue
            _legend(ui, Rect(x, y, width, 46 * k), kind, shares.get(kind, 0.0))
            y += 52 * k
        y += 4 * k
        ui.text(x, y + 6 * k, "WHO STANDS THERE: BASE, MM", "caption", theme.DIM)
        sizes = [(name, "oval" if "x" in name else name) for name in BASES]
        base = ui.choice(Rect(x, y + 18 * k, width, 34 * k), sizes, asked.base, "area-base")
        if base is not None:
            asked = AreaQuestion(asked.question, asked.who, base, asked.order)
        y += 62 * k
        if asked.question == "safe":
            for i, order in enumerate(ORDERS):
                half = (width - 6 * k) / 2
                cell = Rect(x + i * (half + 6 * k), y, half, 36 * k)
                label = f"{order.capitalize()}##area-{order}"
                if ui.button(cell, label, icon=order, chosen=asked.order == order, tip="Its order"):
                    asked = AreaQuestion(asked.question, asked.who, asked.base, order)
        foot = rect.bottom - 12 * k - 40 * k
        _progress(ui, Rect(x, foot - 34 * k, width, 26 * k), exact, known)
        if ui.button(Rect(x, foot, width, 40 * k), "Back to the ruling##area-back", key="Esc"):
            return "back"
    return asked


def _legend(ui: Widgets, rect: Rect, kind: Kind, share: float) -> None:
    k = ui.pen.size
    ui.pen.box(rect, theme.RAISED)
    swatch = Rect(rect.x + 8 * k, rect.y + 8 * k, 40 * k, rect.h - 16 * k)
    draw_pattern(ui, swatch, kind)
    part = f"{share:.0%}"
    room = rect.w - 64 * k - ui.pen.measure(part, "h3")[0] - 16 * k
    middle = rect.y + rect.h / 2
    ui.text(rect.x + 58 * k, middle - (8 * k if kind.words else 0), ui.pen.fitted(kind.title, "label", room), "label")
    if kind.words:
        words = ui.pen.fitted(kind.words, "caption", room)
        ui.text(rect.x + 58 * k, middle + 9 * k, words, "caption", theme.SOFT)
    ui.text(rect.right - 10 * k, middle, part, "h3", align=1)


def draw_pattern(ui: Widgets, rect: Rect, kind: Kind) -> None:
    """The pattern a kind's cells have on the table."""
    sheet = ui.pen.sheet
    meant = {"any": theme.NO, "target": theme.NO, "hidden": theme.ACCENT, "safe": theme.ACCENT}
    colour = u32(meant.get(kind.name, theme.TEXT))
    ui.pen.box(rect, theme.INK, theme.LINE, radius=3)
    sheet.push_clip_rect(V(rect.x, rect.y), V(rect.right, rect.bottom), True)
    if kind.pattern == "solid":
        sheet.add_rect_filled(V(rect.x, rect.y), V(rect.right, rect.bottom), colour, 3)
    for way in (1,) if kind.pattern == "hatched" else (1, -1) if kind.pattern == "crossed" else ():
        x = rect.x - rect.h
        while x < rect.right + rect.h:
            sheet.add_line(
                V(x, rect.bottom if way > 0 else rect.y), V(x + rect.h, rect.y if way > 0 else rect.bottom), colour, 3
            )
            x += 9
    if kind.pattern == "dotted":
        for i in range(1, int(rect.w / 8)):
            for j in range(1, int(rect.h / 8) + 1):
                sheet.add_circle_filled(V(rect.x + i * 8, rect.y + j * 8 - 2), 1.8, colour)
    sheet.pop_clip_rect()


def _progress(ui: Widgets, rect: Rect, exact: float | None, known: float) -> None:
    k = ui.pen.size
    words = "" if exact is None else f'Exact every {exact:g}"'
    if known < 1:
        words = f"Asking every place: {known:.0%}" if exact is None else f"{words}; more finely: {known:.0%}"
    ui.text(rect.x, rect.y + 7 * k, words, "caption", theme.SOFT)
    bar = Rect(rect.x, rect.bottom - 6 * k, rect.w, 5 * k)
    ui.pen.box(bar, theme.INK, None, radius=2)
    ui.pen.box(Rect(bar.x, bar.y, bar.w * min(max(known, 0.0), 1.0), bar.h), theme.ACCENT, None, radius=2)
