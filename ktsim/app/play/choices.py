"""The choices of a prompt as rows: what each is, what speaks for it, and why it cannot be chosen where it cannot."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from imgui_bundle import imgui

from ktsim.app.play.prompt import Choice, Mark
from ktsim.app.ui import theme
from ktsim.app.ui.pen import Rect
from ktsim.app.ui.widgets import SCROLLBAR, Widgets


@dataclass(frozen=True)
class OddsLine:
    """The odds of one weapon at one target: large beside a target, or a line of its own below a weapon."""

    name: str
    damage: str = ""
    kill: str = ""
    marks: tuple[Mark, ...] = ()
    refusal: str = ""


@dataclass(frozen=True)
class ChoiceRows:
    """What is shown: the choices, those marked, odds beside some and lines of odds below some."""

    choices: tuple[Choice, ...]
    marked: tuple[str, ...] = ()
    is_many: bool = False
    is_led: bool = False
    """Whether the list goes to what is marked."""
    beside: Mapping[str, OddsLine] = field(default_factory=dict)
    below: Mapping[str, Sequence[OddsLine]] = field(default_factory=dict)


class ChoiceList:
    """A list of choices that scrolls to the one marked by keys, and to the one marked when the question is new."""

    def __init__(self) -> None:
        self._followed: tuple[str, ...] = ()
        self._number = -1

    def draw(self, ui: Widgets, rect: Rect, rows: ChoiceRows, number: int) -> str | None:
        """Shows the choices of question *number*; the key of the one pressed."""
        k = ui.pen.size
        width = rect.w - SCROLLBAR - 2
        shown = [_tidied(choice) for choice in rows.choices]
        heights = [_height(ui, choice, rows, width) for choice in shown]
        total = sum(heights) + 6 * k * len(heights)
        asked = None
        with ui.scrolled("choices", rect, total) as top:
            y = top
            is_begun = number != self._number
            if is_begun:
                # Of several that may be chosen together those marked to begin with are not jumped to.
                self._number, self._followed = number, rows.marked if rows.is_many else ()
                imgui.set_scroll_y(0.0)
            for choice, tall in zip(shown, heights, strict=True):
                if _row(ui, Rect(rect.x, y, width, tall), choice, rows):
                    asked = choice.key
                is_new = rows.marked != self._followed and bool(rows.marked)
                if is_new and (is_begun or rows.is_led or rows.is_many) and choice.key == rows.marked[-1]:
                    at = y - top + rect.y if is_begun else y  # the last question's list may have been scrolled
                    if at + tall > rect.bottom or at < rect.y:
                        imgui.set_scroll_y(max(0.0, y - top - rect.h / 2 + tall / 2))
                y += tall + 6 * k
        self._followed = rows.marked
        return asked


def _tidied(choice: Choice) -> Choice:
    """Notes and refusals as sentences, and no mark beside a refusal that says the same."""
    choice = replace(choice, note=_sentence(choice.note))
    if not choice.refusal:
        return choice
    refusal = choice.refusal.removeprefix(f"{choice.title}: ")
    said = refusal.rstrip(".").lower()
    marks = tuple(mark for mark in choice.marks if mark.text.lower() != said)
    return replace(choice, refusal=_sentence(refusal), marks=marks)


def _sentence(words: str) -> str:
    return words[:1].upper() + words[1:]


def _left(ui: Widgets, choice: Choice, rows: ChoiceRows) -> float:
    """Where a row's text begins: after its mark, if it has one."""
    return (36 if choice.icon or choice.seat or rows.is_many else 12) * ui.pen.size


def _text_room(ui: Widgets, choice: Choice, rows: ChoiceRows, width: float) -> float:
    k = ui.pen.size
    right = 12 * k
    if choice.keys or choice.refusal:
        right += 30 * k
    if choice.badge:
        right += ui.pen.measure(choice.badge, "strong")[0] + 8 * k
    if choice.key in rows.beside and not choice.refusal:
        right += 104 * k
    return width - _left(ui, choice, rows) - right


def _refusal_room(ui: Widgets, choice: Choice, rows: ChoiceRows, width: float) -> float:
    return width - _left(ui, choice, rows) - 12 * ui.pen.size


def _height(ui: Widgets, choice: Choice, rows: ChoiceRows, width: float) -> float:
    k = ui.pen.size
    room = _text_room(ui, choice, rows, width)
    tall = 12 * k + max(22 * k, ui.pen.measure(choice.title, "strong", room)[1] + 4 * k)
    if choice.note:
        tall += ui.pen.measure(choice.note, "caption", room)[1] + 3 * k
    if choice.marks:
        tall += _marks_height(ui, choice.marks, _marks_room(ui, choice, rows, width))
    if words := choice.refusal or choice.warning:
        tall += ui.pen.measure(words, "caption", _refusal_room(ui, choice, rows, width))[1] + 5 * k
    for line in rows.below.get(choice.key, ()):
        tall += _line_height(ui, line, width)
    return max(40 * k, tall)


def _marks_room(ui: Widgets, choice: Choice, rows: ChoiceRows, width: float) -> float:
    beside = choice.key in rows.beside and not choice.refusal
    return width - (132 if beside else 24) * ui.pen.size


def _marks_height(ui: Widgets, marks: Sequence[Mark], room: float) -> float:
    return 19 * ui.pen.size * len(_mark_rows(ui, marks, room))


def _mark_rows(ui: Widgets, marks: Sequence[Mark], room: float) -> list[list[Mark]]:
    """The marks in as many rows as they need."""
    k = ui.pen.size
    found: list[list[Mark]] = [[]]
    used = 0.0
    for mark in marks:
        wide = 26 * k + ui.pen.measure(mark.text, "caption")[0]
        if found[-1] and used + wide > room:
            found.append([])
            used = 0.0
        found[-1].append(mark)
        used += wide
    return found


def _draw_marks(ui: Widgets, x: float, y: float, marks: Sequence[Mark], room: float, colour: str) -> float:
    k = ui.pen.size
    for row in _mark_rows(ui, marks, room):
        at = x
        for mark in row:
            ui.pen.icon(mark.icon, at + 7 * k, y + 9 * k, 13 * k, colour)
            at += 18 * k + ui.text(at + 18 * k, y + 9 * k, mark.text, "caption", colour) + 8 * k
        y += 19 * k
    return y


def _row(ui: Widgets, rect: Rect, choice: Choice, rows: ChoiceRows) -> bool:
    k = ui.pen.size
    is_marked = choice.key in rows.marked
    is_next = is_marked and not rows.is_many
    pressed = ui.button(rect, f"##choice-{choice.key}", chosen=is_marked, locked=choice.refusal)
    ink, soft = (theme.DIM, theme.DIM) if choice.refusal else (theme.TEXT, theme.SOFT)
    x, y = rect.x + 12 * k, rect.y + 8 * k
    line = y + 12 * k
    if rows.is_many:
        ui.pen.box(
            Rect(x, line - 8 * k, 16 * k, 16 * k), theme.INK, theme.ACCENT if is_marked else theme.LINE, radius=4
        )
        if is_marked:
            ui.pen.icon("check", x + 8 * k, line, 12 * k, theme.ACCENT)
        x += 24 * k
    elif choice.icon:
        ui.pen.icon(choice.icon, x + 8 * k, line, 17 * k, theme.ACCENT if is_next else soft)
        x += 24 * k
    elif choice.seat:
        ui.pen.seat(choice.seat, x + 7 * k, line, 14 * k)
        x += 24 * k
    right = rect.right - 12 * k
    if choice.refusal:
        ui.pen.icon("lock", right - 7 * k, line, 13 * k, theme.DIM)
        right -= 24 * k
    elif choice.keys:
        cap = Rect(right - 20 * k, line - 10 * k, 20 * k, 20 * k)
        ui.pen.box(cap, None, theme.LINE, radius=4)
        ui.pen.put(cap.x + cap.w / 2, line, choice.keys[0].upper(), "caption", theme.DIM, align=0.5)
        right -= 30 * k
    if choice.badge:
        right -= ui.text(right, line, choice.badge, "strong", soft, align=1) + 8 * k
    odds = rows.beside.get(choice.key)
    if odds is not None and not choice.refusal:
        _beside(ui, right, rect.y, odds)
    room = _text_room(ui, choice, rows, rect.w)
    y += max(22 * k, ui.paragraph(x, y + 3 * k, room, choice.title, "strong", ink) + 4 * k)
    if choice.note:
        y += ui.paragraph(x, y, room, choice.note, "caption", soft) + 3 * k
    if choice.marks:
        y = _draw_marks(ui, rect.x + 12 * k, y, choice.marks, _marks_room(ui, choice, rows, rect.w), soft)
    if words := choice.refusal or choice.warning:
        wide = _refusal_room(ui, choice, rows, rect.w)
        y += ui.paragraph(x, y + 1 * k, wide, words, "caption", theme.NO) + 5 * k
    for each in rows.below.get(choice.key, ()):
        y = _below(ui, rect, y, each)
    return pressed


def _beside(ui: Widgets, right: float, y: float, odds: OddsLine) -> None:
    k = ui.pen.size
    ui.text(right, y + 20 * k, odds.kill or "...", "h2", theme.ACCENT, align=1)
    ui.text(right, y + 38 * k, "to take out", "caption", theme.DIM, align=1)
    ui.text(right, y + 53 * k, f"{odds.damage} damage" if odds.damage else "", "caption", theme.SOFT, align=1)


def _is_short(ui: Widgets, line: OddsLine, width: float) -> bool:
    """Whether a refusal fits beside the name."""
    words = ui.pen.measure(line.name, "caption")[0] + ui.pen.measure(_sentence(line.refusal), "caption")[0]
    return words + 60 * ui.pen.size <= width


def _line_height(ui: Widgets, line: OddsLine, width: float) -> float:
    k = ui.pen.size
    tall = 18 * k
    if line.refusal and _is_short(ui, line, width):
        return tall
    if line.refusal:
        tall += ui.pen.measure(line.refusal, "caption", width - 58 * k)[1] + 2 * k
    elif line.marks:
        tall += _marks_height(ui, line.marks, width - 58 * k)
    return tall


def _below(ui: Widgets, rect: Rect, y: float, line: OddsLine) -> float:
    k = ui.pen.size
    x, right = rect.x + 36 * k, rect.right - 12 * k
    if line.refusal:
        ui.text(x, y + 9 * k, ui.pen.fitted(line.name, "caption", right - x), "caption", theme.DIM)
        why = _sentence(line.refusal)
        if _is_short(ui, line, rect.w):
            ui.text(right, y + 9 * k, why, "caption", theme.NO, align=1)
            return y + 18 * k
        y += 18 * k
        return y + ui.paragraph(x + 10 * k, y, rect.w - 58 * k, why, "caption", theme.NO) + 2 * k
    words = f"{line.kill} out · {line.damage} dmg" if line.kill else "..."
    wide = ui.text(right, y + 9 * k, words, "label", theme.TEXT, align=1)
    ui.text(x, y + 9 * k, ui.pen.fitted(line.name, "caption", right - x - wide - 8 * k), "caption", theme.SOFT)
    y += 18 * k
    return _draw_marks(ui, x + 10 * k, y, line.marks, rect.w - 58 * k, theme.DIM) if line.marks else y
