"""Drawing datacards, in the window and on paper, with the same hand: a stat line, the weapon table, abilities with a
mark for what the program does of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ktsim.app.ui import theme
from ktsim.app.ui.pen import Pen, Rect
from ktsim.rules.teams.card_view import CardText, CardView, WeaponRow
from ktsim.rules.teams.playing.status import Status
from ktsim.sight.part_names import spaced

PAD, GAP = 12.0, 10.0
MARKS: dict[Status, tuple[str, str]] = {
    "enforced": ("check", "done by ktsim"),
    "partly": ("columns", "partly done by ktsim"),
    "shown": ("eye", "by hand"),
    "failed": ("warning", "not usable"),
}
"""The mark of a text, and what it says."""
COLUMNS = (("ATK", 40.0), ("HIT", 40.0), ("DMG", 46.0))


@dataclass(frozen=True)
class Ink:
    """The colours a card is drawn in."""

    paper: str
    raised: str
    line: str
    text: str
    soft: str
    mark: str
    other: str


def window_ink() -> Ink:
    return Ink(theme.PANEL, theme.RAISED, theme.LINE, theme.TEXT, theme.SOFT, theme.ACCENT, theme.NO)


PRINTED = Ink("#FFFFFF", "#E9EDF0", "#9AA5AF", "#101418", "#3C4650", "#0B6B60", "#A34700")
"""Dark on white: ink is dear and paper is bright."""


class CardPen:
    """Draws one card after another, or only measures how tall they are."""

    def __init__(self, pen: Pen, ink: Ink) -> None:
        self.pen, self.ink = pen, ink
        self.said: list[str] = []
        """Every text drawn."""

    def height(self, view: CardView, width: float) -> float:
        return self._card(view, Rect(0, 0, width, 0), is_drawn=False)

    def draw(self, view: CardView, rect: Rect) -> None:
        self.pen.box(rect, self.ink.paper, self.ink.line, radius=6)
        self._card(view, rect, is_drawn=True)

    # ---- pieces: each returns how tall it is ---------------------------------------------------------------
    def _card(self, view: CardView, rect: Rect, is_drawn: bool) -> float:
        k = self.pen.size
        y = rect.y + self._head(view, rect, is_drawn)
        inner = Rect(rect.x + PAD * k, y, rect.w - 2 * PAD * k, 0)
        if view.weapons:
            inner = self._below(inner, self._weapons(view.weapons, inner, is_drawn) + GAP * k)
        for text in view.texts:
            inner = self._below(inner, self._text(text, inner, is_drawn) + GAP * k)
        if view.keywords:
            tall = self._paragraph(inner, view.keywords, "caption", self.ink.soft, is_drawn)
            inner = self._below(inner, tall + 4 * k)
        return inner.y - rect.y + 4 * k

    @staticmethod
    def _below(rect: Rect, tall: float) -> Rect:
        return Rect(rect.x, rect.y + tall, rect.w, 0)

    def _put(self, x: float, y: float, text: str, kind: str, colour: str, is_drawn: bool, align: float = 0.0) -> float:
        if is_drawn:
            self.said.append(text)
            return self.pen.put(x, y, text, kind, colour, align)
        return self.pen.measure(text, kind)[0]

    def _paragraph(self, rect: Rect, text: str, kind: str, colour: str, is_drawn: bool, inset: float = 0.0) -> float:
        wide = rect.w - inset
        if is_drawn:
            self.said.append(text)
            return self.pen.paragraph(rect.x + inset, rect.y, wide, text, kind, colour)
        return self.pen.measure(text, kind, wide)[1]

    def _head(self, view: CardView, rect: Rect, is_drawn: bool) -> float:
        k = self.pen.size
        tall = 52 * k
        cell = 54 * k
        wide = cell * len(view.stats)
        room = rect.w - 2 * PAD * k - wide
        if not is_drawn:
            return tall + 8 * k
        self.pen.box(Rect(rect.x, rect.y, rect.w, tall), self.ink.raised, self.ink.line, radius=6)
        kind = "h3" if self.pen.measure(view.title, "h3")[0] <= room else "strong"
        title, note = self.pen.fitted(view.title, kind, room), self.pen.fitted(view.note, "caption", room)
        self._put(rect.x + PAD * k, rect.y + 18 * k, title, kind, self.ink.text, True)
        self._put(rect.x + PAD * k, rect.y + 38 * k, note, "caption", self.ink.soft, True)
        for i, (label, value) in enumerate(view.stats):
            x = rect.right - wide + (i + 0.5) * cell - 4 * k
            self._put(x, rect.y + 13 * k, label, "caption", self.ink.soft, True, 0.5)
            self._put(x, rect.y + 34 * k, value, "h2", self.ink.text, True, 0.5)
        return tall + 8 * k

    def _weapons(self, rows: Sequence[WeaponRow], rect: Rect, is_drawn: bool) -> float:
        k = self.pen.size
        numbers = sum(width for _, width in COLUMNS) * k
        name_wide = (rect.w - numbers - 20 * k) * 0.48
        rules_x = rect.x + 20 * k + name_wide + numbers
        rules_wide = rect.right - rules_x
        y = rect.y
        x = rect.x + 20 * k + name_wide
        self._put(rect.x + 20 * k, y + 8 * k, "NAME", "caption", self.ink.soft, is_drawn)
        for label, width in COLUMNS:
            self._put(x + width * k / 2 - 4 * k, y + 8 * k, label, "caption", self.ink.soft, is_drawn, 0.5)
            x += width * k
        self._put(rules_x, y + 8 * k, "WR", "caption", self.ink.soft, is_drawn)
        y += 18 * k
        for row in rows:
            words = row.rules + (f"{', ' if row.rules else ''}{row.by_hand} (by hand)" if row.by_hand else "")
            first = self.pen.measure(row.name, "strong", name_wide)[1]
            second = self.pen.measure(words, "body", rules_wide)[1]
            tall = max(first, second, 18 * k) + 6 * k
            if is_drawn:
                self.pen.box(Rect(rect.x, y, rect.w, 1), self.ink.line, None, radius=0)
                icon = "target" if row.is_ranged else "charge"
                self.pen.icon(icon, rect.x + 8 * k, y + 12 * k, 13 * k, self.ink.soft)
                at = Rect(rect.x + 20 * k, y + 3 * k, name_wide, 0)
                self._paragraph(at, row.name, "strong", self.ink.text, True)
                x = rect.x + 20 * k + name_wide
                for (_, width), value in zip(COLUMNS, (row.atk, row.hit, row.damage), strict=True):
                    self._put(x + width * k / 2 - 4 * k, y + 12 * k, value, "strong", self.ink.text, True, 0.5)
                    x += width * k
                colour = self.ink.other if row.by_hand else self.ink.text
                self._paragraph(Rect(rules_x, y + 3 * k, rules_wide, 0), words, "body", colour, True)
            y += tall
        return y - rect.y

    def _text(self, text: CardText, rect: Rect, is_drawn: bool) -> float:
        """The title with its mark, then the text."""
        k = self.pen.size
        icon, words = MARKS[text.status]
        colour = self.ink.mark if text.status == "enforced" else self.ink.other
        title = self.pen.fitted(spaced(text.title), "strong", rect.w - 160 * k)
        if is_drawn:
            self.pen.icon(icon, rect.x + 7 * k, rect.y + 9 * k, 13 * k, colour)
        wide = self._put(rect.x + 20 * k, rect.y + 9 * k, title, "strong", self.ink.text, is_drawn)
        self._put(rect.x + 28 * k + wide, rect.y + 9 * k, words, "caption", colour, is_drawn)
        below = Rect(rect.x, rect.y + 20 * k, rect.w, 0)
        return 20 * k + self._paragraph(below, spaced(text.text), "body", self.ink.text, is_drawn)


@dataclass(frozen=True)
class Placed:
    """A card on a page."""

    page: int
    rect: Rect
    view: CardView


def laid_out(
    pen: CardPen, views: Sequence[CardView], width: float, page_height: float, columns: int, gap: float
) -> list[Placed]:
    """The cards in columns, in order, each where the shortest column with room for it ends; a page is begun when none
    has room, and a card that is longer than a page goes on with another."""
    each = (width - gap * (columns - 1)) / columns
    ends, page = [0.0] * columns, 0
    found = []
    left = list(reversed(views))
    while left:
        view = left.pop()
        tall = pen.height(view, each)
        if tall > page_height and len(view.texts) > 1:
            left += reversed(_halves(view))
            continue
        able = [i for i in range(columns) if not ends[i] or ends[i] + tall <= page_height]
        if not able:
            ends, page, able = [0.0] * columns, page + 1, [0]
        column = min(able, key=lambda i: (ends[i], i))
        found.append(Placed(page, Rect(column * (each + gap), ends[column], each, tall), view))
        ends[column] += tall + gap
    return found


def _halves(view: CardView) -> list[CardView]:
    """A card as two: the second has the other half of its texts."""
    half = len(view.texts) // 2
    note = view.note if view.note.endswith("continued") else f"{view.note}, continued"
    first = replace(view, texts=view.texts[:half], keywords="")
    return [first, replace(view, note=note, stats=(), weapons=(), texts=view.texts[half:])]
