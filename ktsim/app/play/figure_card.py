"""The card of whoever is pointed at or about to move: how it stands, and who could shoot whom.

It lies on the table like the labels do: nothing on it can be pressed, and clicks go through it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ktsim.app.play.prompt import Mark
from ktsim.app.play.roster import STANDING_WORDS, Member
from ktsim.app.play.threats import Threat, Threats
from ktsim.app.play.topics import ruling_marks
from ktsim.app.ui import theme
from ktsim.app.ui.pen import Rect
from ktsim.app.ui.widgets import Widgets

WIDE = 268.0
MOST_ROWS = 4
"""Of each list; how many more there are is said."""


@dataclass(frozen=True)
class ShotRow:
    """One that could shoot another, as a row of the card."""

    seat: str
    name: str
    odds: str
    words: str
    is_dim: bool = False
    """Whether the shooter has been activated already."""


@dataclass(frozen=True)
class FigureCard:
    """What is shown of *member*. Without *is_whole* only what a move to a place would mean."""

    member: Member
    is_whole: bool
    against: tuple[ShotRow, ...] = ()
    by: tuple[ShotRow, ...] = ()
    near: str = ""
    is_known: bool = False


def card_of(member: Member, threats: Threats | None, name: Callable[[str], str], *, is_whole: bool) -> FigureCard:
    """The card of *member*, with what threatens it as soon as that is known."""
    if threats is None:
        return FigureCard(member, is_whole)
    other = "red" if member.side == "blue" else "blue"
    against = tuple(_row(other, name(each.shooter), each, is_dim=not each.is_ready) for each in threats.against)
    by = tuple(_row(other, name(each.target), each) for each in threats.by)
    near = ", ".join(map(name, threats.near))
    return FigureCard(member, is_whole, against, by, near, is_known=True)


def _row(seat: str, name: str, threat: Threat, *, is_dim: bool = False) -> ShotRow:
    marks = [mark.text for mark in ruling_marks(threat.ruling) if mark.text != "visible"]
    expended = ["expended"] if is_dim else []
    words = " · ".join([*expended, threat.weapon, *(marks or ["in the open"]), f'{threat.ruling.distance:.1f}"'])
    odds = f"{threat.chance.kill:.0%} out · {threat.chance.damage:.1f} dmg"
    return ShotRow(seat, name, odds, words, is_dim)


def draw_card(ui: Widgets, free: Rect, card: FigureCard, pointer: tuple[float, float]) -> None:
    """The card in the lower corner of *free* that is further from the pointer: the table stands higher up."""
    k = ui.pen.size
    wide = min(WIDE * k, free.w * 0.6)
    x = free.x + 8 if pointer[0] > free.x + free.w / 2 else free.right - wide - 8
    sheet = _Sheet(ui, x + 12 * k, wide - 24 * k, drawn=False)
    _lay(sheet, card)
    tall = sheet.y + 22 * k
    rect = Rect(x, max(free.y + 8, free.bottom - tall - 8), wide, tall)
    ui.pen.box(rect, theme.PANEL, theme.seat_colour(card.member.side), 1.0)
    _lay(_Sheet(ui, x + 12 * k, wide - 24 * k, drawn=True, top=rect.y + 11 * k), card)
    ui.place("figure-card", rect)


def danger_legend(ui: Widgets, free: Rect, known: int, of: int) -> Rect:
    """What the squares of the danger map mean, and how much of it is known, at the foot of *free*; what is left."""
    k = ui.pen.size
    parts = [(theme.ACCENT, 0.9, "nobody could shoot"), (theme.NO, 0.45, "one"), (theme.NO, 0.65, "two")]
    parts.append((theme.NO, 0.9, "three or more; pale: all through cover"))
    words = "" if known == of else f"{known} of {of} places looked at"
    wide = sum(ui.pen.measure(text, "caption")[0] + 30 * k for _, _, text in parts)
    room = min(free.w - 16, max(wide, ui.pen.measure(words, "caption")[0]) + 20 * k)
    rows = 2 if wide + 20 * k > room else 1
    tall = (18 * rows + (18 if words else 0) + 14) * k
    x, y = free.x + (free.w - room) / 2, free.bottom - tall - 8
    ui.pen.box(Rect(x, y, room, tall), theme.PANEL, theme.LINE, 0.94)
    at, line = x + 12 * k, y + 16 * k
    for colour, size, text in parts:
        need = ui.pen.measure(text, "caption")[0] + 30 * k
        if at + need > x + room and at > x + 12 * k:
            at, line = x + 12 * k, line + 18 * k
        half = 7 * k * size
        ui.pen.box(Rect(at + 7 * k - half, line - half, 2 * half, 2 * half), colour, None, 0.8, radius=1)
        ui.text(at + 20 * k, line, text, "caption", theme.SOFT)
        at += need
    if words:
        ui.text(x + 12 * k, line + 18 * k, words, "caption", theme.DIM)
    return Rect(free.x, free.y, free.w, y - free.y)


class _Sheet:
    """Lines below each other, measured first and drawn then."""

    def __init__(self, ui: Widgets, x: float, wide: float, *, drawn: bool, top: float = 0.0) -> None:
        self.ui, self.x, self.wide, self.drawn, self.y = ui, x, wide, drawn, top

    def line(self, left: str, kind: str = "caption", colour: str = theme.SOFT, right: str = "", seat: str = "") -> None:
        k = self.ui.pen.size
        tall = {"h3": 22 * k, "strong": 20 * k}.get(kind, 17 * k)
        if self.drawn:
            room, x, middle = self.wide, self.x, self.y + tall / 2
            if right:
                room -= self.ui.text(self.x + self.wide, middle, right, "label", colour, align=1) + 8 * k
            if seat:
                self.ui.pen.seat(seat, x + 5 * k, middle, 10 * k)
                x, room = x + 15 * k, room - 15 * k
            self.ui.text(x, middle, self.ui.pen.fitted(left, kind, room), kind, colour)
        self.y += tall

    def words(self, text: str, colour: str = theme.SOFT) -> None:
        if self.drawn:
            self.y += self.ui.paragraph(self.x, self.y, self.wide, text, "caption", colour)
        else:
            self.y += self.ui.pen.measure(text, "caption", self.wide)[1]
        self.y += 3 * self.ui.pen.size

    def marks(self, marks: Sequence[Mark]) -> None:
        k, x = self.ui.pen.size, self.x
        for mark in marks if self.drawn else ():
            self.ui.pen.icon(mark.icon, x + 7 * k, self.y + 9 * k, 13 * k, theme.SOFT)
            x += 18 * k + self.ui.text(x + 18 * k, self.y + 9 * k, mark.text, "caption", theme.SOFT) + 8 * k
        self.y += 19 * k

    def gap(self) -> None:
        self.y += 6 * self.ui.pen.size


def _lay(sheet: _Sheet, card: FigureCard) -> None:
    member = card.member
    sheet.line(member.name, "h3", theme.TEXT, "" if card.is_whole else "ending here", member.side)
    if card.is_whole:
        state = STANDING_WORDS[member.standing]
        wounds = Mark("injured" if member.is_injured else "heart", f"{member.wounds}/{member.most}")
        marks = [wounds, Mark(member.order, member.order.capitalize()), Mark("disc", state)]
        sheet.marks([*marks, *([Mark("guard", "On guard")] if member.is_on_guard else [])])
        for line in member.details.split("\n"):
            sheet.words(line)
    sheet.gap()
    if not card.is_known:
        sheet.line("Looking who could shoot whom ...", colour=theme.DIM)
        return
    _rows(sheet, "Could shoot it from where they stand", card.against, "Nobody could shoot it there.", theme.NO)
    sheet.gap()
    _rows(sheet, "It could shoot", card.by, "It could shoot nobody.", theme.ACCENT)
    if card.near:
        sheet.gap()
        sheet.words(f"Near enough to charge it, if there is a way: {card.near}.", theme.DIM)


def _rows(sheet: _Sheet, title: str, rows: Sequence[ShotRow], none: str, colour: str) -> None:
    if not rows:
        sheet.line(none, colour=theme.DIM)
        return
    sheet.line(title, "label", colour)
    for row in rows[:MOST_ROWS]:
        sheet.line(row.name, "caption", theme.DIM if row.is_dim else theme.TEXT, row.odds, row.seat)
        sheet.line(f"    {row.words}", "caption", theme.DIM)
    if len(rows) > MOST_ROWS:
        sheet.line(f"and {len(rows) - MOST_ROWS} more", "caption", theme.DIM)
