"""Widgets by name: drawn with the pen, hit-tested by ImGui, each remembering where it was.

A widget is called ``label##name``; *rects* maps names to where they stood in the last frame, so that whoever tests
presses them where a person would. *panels* are the rectangles that keep the pointer from the table.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

from imgui_bundle import imgui

from ktsim.app.ui import theme
from ktsim.app.ui.focus import Focus
from ktsim.app.ui.pen import Pen, Rect, V
from ktsim.app.ui.rect import Place
from ktsim.app.ui.theme import u32

_BARE = (
    imgui.WindowFlags_.no_decoration.value
    | imgui.WindowFlags_.no_background.value
    | imgui.WindowFlags_.no_move.value
    | imgui.WindowFlags_.no_saved_settings.value
    | imgui.WindowFlags_.no_scroll_with_mouse.value
)

SCROLLBAR = 8.0
"""Its width; what scrolls leaves this much free at its right."""


AT_SIDE, MARGIN = 0.45, 16.0
"""How much of the window's width a panel at its side takes at most, and how near to the edge it is."""
DRAGGED = 6.0
"""A pointer that moved this far, in units of the interface, while a button is held drags it."""


class Hold(NamedTuple):
    """A button of the mouse that is held: whether it has just gone down, and where the pointer is."""

    is_new: bool
    at: Place


class Widgets:
    """What panels are made of. One of these lives as long as its interface."""

    def __init__(self, pen: Pen) -> None:
        self.pen = pen
        self.rects: dict[str, Rect] = {}
        self.panels: list[Rect] = []
        self.locked: set[str] = set()
        self.said: list[str] = []
        """Every text of the last frame, as drawn: what a test reads."""
        self.dragged = ""
        """The button that was pressed and from which the pointer is being dragged away, by its name."""
        self.focus = Focus()
        """Which widget the keyboard is at."""
        self.told = ""
        """The tooltip of the last frame."""
        self._tip = ""
        self._tip_below: Rect | None = None
        """What the tooltip belongs to when the keyboard is at it; otherwise it goes beside the pointer."""
        self._tip_left_of: Rect | None = None
        self._tip_panel: Rect | None = None
        """The panel at the side of the window in which it is: the tooltip goes beside it, so that the next row can be
        read."""
        self._panel: Rect | None = None
        self.is_pointed = True
        """Whether the pointer was put where it is: what a new screen happens to have there is not asked about."""
        self._scrolls = 0
        self._typing = ""
        self._entry: tuple[str, str] | None = None
        """The value that is being typed: the field's name and the text so far."""

    def begin(self) -> None:
        """Start a frame."""
        self.rects.clear()
        self.panels.clear()
        self.locked.clear()
        self.said.clear()
        self._tip = self.dragged = ""
        if self._typing and self.focus.is_walking and self.focus.name != self._typing:
            imgui.internal.clear_active_id()  # the keyboard has walked on from what was being typed
        if self._entry is not None and self._entry[0] != self._typing:
            self._entry = None  # its field is gone
        self._typing = ""
        self.focus.begin()

    def end(self) -> None:
        """Finish a frame: the ring of what the keyboard is at and the tooltip of what is pointed at go on top."""
        self.told = self._tip
        self.pen.sheet = imgui.get_foreground_draw_list()
        ring = self.focus.end()
        if ring is not None:
            self._ring(ring)
        if self._tip:
            self._draw_tip()

    def _ring(self, rect: Rect) -> None:
        """A light line with a dark one on each side, so that it shows on every fill."""
        for grow, colour, thick in ((2.0, theme.INK, 6.0), (2.0, theme.TEXT, 2.5)):
            around = Rect(rect.x - grow, rect.y - grow, rect.w + 2 * grow, rect.h + 2 * grow)
            self.pen.box(around, None, colour, thick=thick)

    def _draw_tip(self) -> None:
        at, screen = imgui.get_mouse_pos(), imgui.get_io().display_size
        wrap = 320.0 * self.pen.size
        w, h = self.pen.measure(self._tip, "body", wrap)
        # Low on the screen it goes above the pointer: below are the buttons that confirm.
        x, y = at.x + 14, at.y + 20 if at.y + 40 + h < 0.75 * screen.y else at.y - h - 24
        if (below := self._tip_below) is not None:
            x, y = below.x, below.bottom + 8 if below.bottom + 28 + h < screen.y else below.y - h - 22
        if (panel := self._tip_panel) is not None:
            y = min(at.y - 12 if below is None else below.y, screen.y - h - 18)
            x = panel.right + 6 if panel.x + panel.w / 2 < screen.x / 2 else panel.x - w - 26
        if (of := self._tip_left_of) is not None:
            x, y = of.x - w - 36, min(of.y, screen.y - h - 18)
        x = min(max(x, 4), screen.x - w - 24)
        self.pen.box(Rect(x, y, w + 20, h + 14), theme.INK, theme.LINE, 0.97, 6)
        self.pen.paragraph(x + 10, y + 7, wrap, self._tip)

    def _tell(self, words: str, rect: Rect | None = None) -> None:
        """Words for the tooltip: of what the pointer is at, or with *rect* of what the keyboard is at."""
        if rect is not None or self.is_pointed:
            self._tip, self._tip_below, self._tip_left_of = words, rect, None
            self._tip_panel = self._panel if self._panel is not None and self._is_at_side(self._panel) else None

    def _is_at_side(self, rect: Rect) -> bool:
        wide = imgui.get_io().display_size.x
        return rect.h > rect.w / 2 and rect.w < wide * AT_SIDE and (rect.x < MARGIN or rect.right > wide - MARGIN)

    @contextmanager
    def panel(self, name: str, rect: Rect, *, fill: str | None = theme.PANEL, alpha: float = 0.96) -> Iterator[None]:
        """A window of the interface at *rect*; what is drawn within goes over what came before."""
        imgui.set_next_window_pos(V(rect.x, rect.y))
        imgui.set_next_window_size(V(rect.w, rect.h))
        imgui.push_style_var(imgui.StyleVar_.window_padding.value, V(0, 0))
        imgui.begin(f"##{name}", None, _BARE)
        imgui.pop_style_var()
        before, self.pen.sheet = self.pen.sheet, imgui.get_window_draw_list()
        outer, self._panel = self._panel, rect
        self.panels.append(rect)
        # A window's own clipping leaves out its outermost pixels, where the edge is.
        self.pen.sheet.push_clip_rect(V(rect.x, rect.y), V(rect.right, rect.bottom))
        if fill is not None:
            self.pen.box(rect, fill, theme.LINE, alpha)
        try:
            yield
        finally:  # whatever goes wrong within, ImGui's windows stay closed pairs
            self.pen.sheet = imgui.get_window_draw_list()
            self.pen.sheet.pop_clip_rect()
            self.pen.sheet, self._panel = before, outer
            imgui.end()

    @contextmanager
    def scrolled(self, name: str, rect: Rect, height: float) -> Iterator[float]:
        """A part of a panel that scrolls when *height* does not fit; gives the y its contents begin at."""
        imgui.set_cursor_screen_pos(V(rect.x, rect.y))
        imgui.push_style_color(imgui.Col_.child_bg.value, theme.rgba(theme.INK, 0.0))
        imgui.push_style_color(imgui.Col_.scrollbar_bg.value, theme.rgba(theme.INK, 0.0))
        imgui.push_style_var(imgui.StyleVar_.scrollbar_size.value, SCROLLBAR)
        imgui.begin_child(f"##{name}", V(rect.w, rect.h))
        before, self.pen.sheet = self.pen.sheet, imgui.get_window_draw_list()
        self._scrolls += 1
        try:
            yield rect.y - imgui.get_scroll_y()
        finally:
            self._scrolls -= 1
            imgui.set_cursor_pos(V(0, height - 1))
            imgui.dummy(V(1, 1))
            self.pen.sheet = before
            imgui.end_child()
            imgui.pop_style_var()
            imgui.pop_style_color(2)

    # ---- text -----------------------------------------------------------------------------------------------
    def text(self, x: float, y: float, text: str, kind: str = "body", colour: str = theme.TEXT, **style: Any) -> float:
        """One line around *y*. Returns its width."""
        self.said.append(text)
        return self.pen.put(x, y, text, kind, colour, **style)

    def paragraph(
        self, x: float, y: float, width: float, text: str, kind: str = "body", colour: str = theme.TEXT
    ) -> float:
        """Wrapped text. Returns its height."""
        self.said.append(text)
        return self.pen.paragraph(x, y, width, text, kind, colour)

    # ---- things to press ------------------------------------------------------------------------------------
    def _area(self, rect: Rect, name: str, locked: str = "", tip: str = "") -> tuple[bool, bool]:
        """An area that can be pressed: (pressed, pointed at or walked to). The *tip* is told while it is either."""
        self.rects[name] = rect
        is_walked_to = self.focus.meet(name, rect)
        if locked:
            self.locked.add(name)
        imgui.set_cursor_screen_pos(V(rect.x, rect.y))
        pressed = imgui.invisible_button(f"##{name}", V(rect.w, rect.h))
        if imgui.is_item_active() and imgui.is_mouse_dragging(0, DRAGGED) and not locked:
            self.dragged = name
        if pressed:
            self.focus.at(name)
        pressed = self.focus.takes_press(name) or pressed
        is_hovered = imgui.is_item_hovered()
        if is_walked_to:
            self._show_walked_to()
        if tip and (is_walked_to or is_hovered):
            self._tell(tip, rect if is_walked_to else None)
        return pressed and not locked, is_hovered or is_walked_to

    def _show_walked_to(self) -> None:
        """Have what the keyboard has just come to scrolled to, where it scrolls."""
        if self.focus.is_new and self._scrolls:
            imgui.set_scroll_here_y(0.5)

    def button(
        self,
        rect: Rect,
        label: str,
        *,
        icon: str = "",
        seat: str = "",
        primary: bool = False,
        chosen: bool = False,
        locked: str = "",
        tip: str = "",
        key: str = "",
        kind: str = "label",
        align: float = 0.5,
    ) -> bool:
        """A button called ``label##name``. *locked* is why it cannot be pressed; *key* is shown at its right."""
        shown, _, name = label.partition("##")
        k = self.pen.size
        extra = 22.0 * k * (bool(icon) + bool(seat))
        key_room = self.pen.measure(key, "caption")[0] + 18 * k if key else 0.0
        text = self.pen.fitted(shown, kind, rect.w - extra - key_room - 12) if shown else ""
        words = locked or tip or (shown if text != shown else "")
        pressed, hot = self._area(rect, name or shown, locked, words)
        fill = theme.ACCENT if primary and not locked else theme.HOVER if hot or chosen else theme.RAISED
        edge = theme.ACCENT if chosen else theme.TEXT if primary and hot and not locked else theme.LINE
        self.pen.box(rect, fill, edge, thick=2.0 if chosen or (primary and hot) else 1.0)
        colour = theme.DIM if locked else theme.INK if primary else theme.TEXT
        w = self.pen.measure(text, kind)[0] + (extra if shown else extra - 6 * k)
        least = (10.0 if align == 0 else 4.0) if shown else 0.0
        x = rect.x + max(least, (rect.w - key_room - w) * align)
        y = rect.y + rect.h / 2
        if seat:
            self.pen.seat(seat, x + 7 * k, y, 13 * k, theme.INK if primary and not locked else "")
            x += 22 * k
        if icon:
            self.pen.icon(icon, x + 8 * k, y, 15 * k, colour)
            x += 22 * k
        if text:
            self.text(x, y, text, kind, colour)
        if key:
            cap = Rect(rect.right - key_room - 2 * k, y - 10 * k, key_room - 6 * k, 20 * k)
            self.pen.box(cap, None, colour if primary else theme.LINE, radius=4)
            self.pen.put(cap.x + cap.w / 2, y, key, "caption", colour if primary else theme.DIM, align=0.5)
        return pressed

    def area(self, rect: Rect, name: str, tip: str = "") -> bool:
        """An area that can be pressed; its owner draws it."""
        return self._area(rect, name, tip=tip)[0]

    def handle(self, rect: Rect, name: str) -> Hold | None:
        """An area out of which something is dragged, while the button is held that went down there. The keyboard does
        not walk to it: whatever is dragged can be typed too."""
        self.rects[name] = rect
        imgui.set_cursor_screen_pos(V(rect.x, rect.y))
        imgui.invisible_button(f"##{name}", V(rect.w, rect.h))
        at = imgui.get_mouse_pos()
        return Hold(imgui.is_item_activated(), (at.x, at.y)) if imgui.is_item_active() else None

    def quiet(self, rect: Rect, name: str, *, chosen: bool = False, tip: str = "") -> bool:
        """An area that can be pressed and shows only when it is pointed at or chosen; its owner draws the rest."""
        pressed, hot = self._area(rect, name, tip=tip)
        if hot or chosen:
            self.pen.box(rect, theme.HOVER, theme.ACCENT if chosen else None, radius=4, thick=2)
        return pressed

    def place(self, name: str, rect: Rect) -> None:
        """Remember where something that is not pressed stands."""
        self.rects[name] = rect

    def points_at(self, rect: Rect) -> bool:
        """Whether the pointer was put over a rectangle, as far as that is seen."""
        return self.is_pointed and imgui.is_mouse_hovering_rect(V(rect.x, rect.y), V(rect.right, rect.bottom))

    def tip(self, rect: Rect, text: str, *, at_left: bool = False) -> None:
        """Words shown while the pointer is over a rectangle: beside the pointer, or beside the rectangle so that what
        is below it can be read."""
        if text and self.points_at(rect):
            self._tell(text)
            self._tip_left_of = rect if at_left else None

    def choice(
        self, rect: Rect, options: Sequence[tuple[str, str]], chosen: str, prefix: str, tip: str = ""
    ) -> str | None:
        """Options side by side as (value, label), each named ``prefix-value``; the one pressed, if any."""
        self.pen.box(rect, theme.INK, theme.LINE)
        w = (rect.w - 6) / len(options)
        found = None
        for i, (value, label) in enumerate(options):
            cell = Rect(rect.x + 3 + i * w, rect.y + 3, w, rect.h - 6)
            pressed, hot = self._area(cell, f"{prefix}-{value}", tip=tip)
            if value == chosen or hot:
                self.pen.box(
                    cell, theme.HOVER if value == chosen else theme.RAISED,
                    theme.ACCENT if value == chosen else None, radius=6, thick=2,
                )  # fmt: skip
            self.text(cell.x + w / 2, cell.y + cell.h / 2, self.pen.fitted(label, "label", w - 4), "label", align=0.5)
            if pressed:
                found = value
        return found

    def entry(self, rect: Rect, name: str, value: str, tip: str = "") -> str | None:
        """A value that can be typed over: what was typed, once Enter or leaving the field ends it, if that differs."""
        typed = self._entry[1] if self._entry is not None and self._entry[0] == name else None
        text, entered = self.field(rect, name, value if typed is None else typed, is_selected=True)
        self.tip(rect, tip)
        if self._typing == name and not entered:
            self._entry = (name, text)
            return None
        if typed is None and not entered:
            return None
        self._entry = None
        return text.strip() if text.strip() != value else None

    def number(self, rect: Rect, name: str, value: float, tip: str = "", digits: int = 2) -> float | None:
        """A number that can be typed over, shown with so many *digits* after its point: the new one, if one was typed,
        which is not finite when it is no number."""
        text = self.entry(rect, name, f"{round(value, digits):g}", tip)
        if text is None:
            return None
        try:
            return float(text.replace(",", ".").strip('"°'))
        except ValueError:
            return math.nan

    def field(
        self, rect: Rect, name: str, value: str, *, focus: bool = False, is_selected: bool = False
    ) -> tuple[str, bool]:
        """A line to type in: its value, and whether Enter was pressed in it. With *is_selected* all of it is selected
        when it is pressed, so that typing replaces it."""
        self.rects[name] = rect
        font, pixels = self.pen.kind("body")
        imgui.push_font(font, pixels)
        imgui.push_style_color(imgui.Col_.frame_bg.value, theme.rgba(theme.INK))
        imgui.push_style_color(imgui.Col_.text.value, theme.rgba(theme.TEXT))
        imgui.push_style_var(imgui.StyleVar_.frame_padding.value, V(min(10, rect.w / 10), (rect.h - pixels) / 2))
        imgui.push_style_var(imgui.StyleVar_.frame_rounding.value, theme.RADIUS)
        imgui.set_cursor_screen_pos(V(rect.x, rect.y))
        imgui.set_next_item_width(rect.w)
        is_walked_to = self.focus.meet(name, rect, is_field=True)
        if focus or (is_walked_to and self.focus.is_new):
            imgui.set_keyboard_focus_here()
        flags = imgui.InputTextFlags_.enter_returns_true.value
        flags |= imgui.InputTextFlags_.auto_select_all.value if is_selected else 0
        entered, text = imgui.input_text(f"##{name}", value, flags)
        if is_walked_to:
            self._show_walked_to()
        if imgui.is_item_active():
            self._typing = name
            if not self.focus.is_walking:
                self.focus.at(name)  # where Tab goes on from
        if entered:
            self.focus.stop()
        imgui.pop_style_var(2)
        imgui.pop_style_color(2)
        imgui.pop_font()
        self.pen.sheet.add_rect(V(rect.x, rect.y), V(rect.right, rect.bottom), u32(theme.LINE), theme.RADIUS)
        return text, entered

    def covers(self, x: float, y: float) -> bool:
        """Whether a panel of the last frame lies at that place."""
        return any(rect.x <= x < rect.right and rect.y <= y < rect.bottom for rect in self.panels)
