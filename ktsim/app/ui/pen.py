"""The pen: text, boxes, icons and labels on ImGui draw lists, in the theme's types and colours."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from imgui_bundle import imgui

from ktsim import paths

from . import icons, theme
from .theme import u32

V = imgui.ImVec2
WEIGHTS = ("Regular", "Medium", "SemiBold", "Bold")
LONGEST_FLAG = 380.0
"""Width of the text of a label over the stage before it is shortened."""


@dataclass(frozen=True)
class Rect:
    """A rectangle of the interface, from its top left corner."""

    x: float
    y: float
    w: float
    h: float

    @property
    def right(self) -> float:
        return self.x + self.w

    @property
    def bottom(self) -> float:
        return self.y + self.h

    def inset(self, by: float) -> Rect:
        return Rect(self.x + by, self.y + by, self.w - 2 * by, self.h - 2 * by)

    def overlaps(self, other: Rect, gap: float = 0.0) -> bool:
        across = self.x < other.right + gap and other.x < self.right + gap
        return across and self.y < other.bottom + gap and other.y < self.bottom + gap


class Pen:
    """Draws on *sheet*, a draw list chosen by whoever draws. *size* scales all text."""

    def __init__(self, io: Any, size: float = 1.0) -> None:
        folder = paths.assets() / "fonts"
        self.fonts = {w: io.fonts.add_font_from_file_ttf(str(folder / f"Inter-{w}.otf"), 14) for w in WEIGHTS}
        self.size = size
        self.sheet: Any = None

    def kind(self, name: str) -> tuple[Any, float]:
        weight, pixels = theme.TYPE[name]
        return self.fonts[weight], pixels * self.size

    def measure(self, text: str, kind: str = "body", wrap: float = 0.0) -> tuple[float, float]:
        """Width and height of text, wrapped at *wrap* units if given."""
        font, pixels = self.kind(kind)
        imgui.push_font(font, pixels)
        size = imgui.calc_text_size(text, False, wrap or -1.0)
        imgui.pop_font()
        return size.x, size.y

    def fitted(self, text: str, kind: str, room: float) -> str:
        """The text, or as much of it as fits with an ellipsis: nothing is ever cut by a border."""
        if self.measure(text, kind)[0] <= room:
            return text
        while text and self.measure(text + "…", kind)[0] > room:
            text = text[:-1]
        return text.rstrip() + "…"

    def put(
        self, x: float, y: float, text: str, kind: str = "body", colour: str = theme.TEXT, align: float = 0.0
    ) -> float:
        """One line with its vertical centre at *y*; align 0 left, 0.5 centred, 1 right. Returns its width."""
        font, pixels = self.kind(kind)
        w, h = self.measure(text, kind)
        self.sheet.add_text(font, pixels, V(round(x - w * align), round(y - h / 2)), u32(colour), text)
        return w

    def paragraph(
        self, x: float, y: float, width: float, text: str, kind: str = "body", colour: str = theme.TEXT
    ) -> float:
        """Wrapped text from its top left corner. Returns its height."""
        font, pixels = self.kind(kind)
        self.sheet.add_text(font, pixels, V(round(x), round(y)), u32(colour), text, width)
        return self.measure(text, kind, width)[1]

    def box(
        self,
        rect: Rect,
        fill: str | None = theme.RAISED,
        edge: str | None = theme.LINE,
        alpha: float = 1.0,
        radius: float = theme.RADIUS,
        thick: float = 1.0,
    ) -> None:
        low, high = V(rect.x, rect.y), V(rect.right, rect.bottom)
        if fill:
            self.sheet.add_rect_filled(low, high, u32(fill, alpha), radius)
        if edge:
            self.sheet.add_rect(low, high, u32(edge), radius, thickness=thick)

    def icon(self, name: str, x: float, y: float, size: float = 16.0, colour: str = theme.TEXT) -> None:
        icons.draw(self.sheet, name, x, y, size, u32(colour))

    def seat(self, team: str, x: float, y: float, size: float = 14.0, colour: str = "") -> None:
        """A team's mark: blue a disc, red a diamond, others a square; in its own colour unless another is given."""
        shape = {"blue": "disc", "red": "diamond"}.get(team, "square")
        self.icon(shape, x, y, size, colour or theme.seat_colour(team))

    def pill(
        self, x: float, y: float, text: str, icon: str = "", colour: str = theme.SOFT, height: float = 24.0
    ) -> float:
        """A small rounded tag with its vertical centre at *y*. Returns its width."""
        k = self.size
        height *= k
        w = self.measure(text, "caption")[0] + 18 * k + (18 * k if icon else 0)
        self.sheet.add_rect(V(x, y - height / 2), V(x + w, y + height / 2), u32(colour, 0.8), height / 2, thickness=1.2)
        if icon:
            self.icon(icon, x + 15 * k, y, 12 * k, colour)
        self.put(x + 9 * k + (18 * k if icon else 0), y, text, "caption", colour)
        return w

    def image(self, picture: imgui.ImTextureRef, rect: Rect) -> None:
        """A Panda3D picture, its first row at the bottom."""
        low, high = V(rect.x, rect.y), V(rect.right, rect.bottom)
        self.sheet.add_image_rounded(picture, low, high, V(0, 1), V(1, 0), 0xFFFFFFFF, theme.RADIUS)

    def flags(self, wanted: Iterable[Flag], within: Rect) -> list[Rect]:
        """Labels over the stage that never cover each other: a later one climbs, with a stem to its place, or sinks
        where there is no room above. One that may be hidden is, when it would have to climb far."""
        shown: list[tuple[Flag, Rect]] = []
        for flag in wanted:
            text = self.fitted(flag.text, "label", LONGEST_FLAG * self.size)
            w = self.measure(text, "label")[0] + 20 + 18 * self.size * (bool(flag.team) + bool(flag.icon))
            h = (theme.TYPE["label"][1] + 13) * self.size
            x = min(max(round(flag.x - w / 2), within.x + 4), within.right - w - 4)
            rect = Rect(x, min(max(round(flag.y - h - 6), within.y + 4), within.bottom - h - 4), w, h)
            taken = [other for _, other in shown]
            spot = _free_spot(rect, taken, within, CLIMB * h if flag.may_hide else within.h)
            if spot is not None or not flag.may_hide:
                shown.append((replace(flag, text=text), spot or rect))
        for flag, rect in shown:
            if flag.y - rect.bottom > 8 and rect.x <= flag.x <= rect.right:
                self.sheet.add_line(V(flag.x, rect.bottom), V(flag.x, flag.y), u32(flag.colour, 0.8), 1.5)
        for flag, rect in shown:
            self._flag(flag, rect)
        return [rect for _, rect in shown]

    def _flag(self, flag: Flag, rect: Rect) -> None:
        self.box(rect, theme.INK, flag.colour, 0.9, 6, 1.5)
        x, k = rect.x + 10, self.size
        if flag.team:
            self.seat(flag.team, x + 6 * k, rect.y + rect.h / 2, 12 * k)
            x += 18 * k
        if flag.icon:
            self.icon(flag.icon, x + 6 * k, rect.y + rect.h / 2, 13 * k, flag.colour)
            x += 18 * k
        self.put(x, rect.y + rect.h / 2, flag.text, "label")


@dataclass(frozen=True)
class Flag:
    """Words at a place on the stage, in the interface's units."""

    x: float
    y: float
    text: str
    colour: str = theme.TEXT
    icon: str = ""
    team: str = ""
    may_hide: bool = False


CLIMB = 2.5
"""How many times its own height a label that may be hidden climbs or sinks before it is."""


def _free_spot(rect: Rect, taken: Sequence[Rect], within: Rect, most: float) -> Rect | None:
    """The nearest place straight above *rect*, or else below it, where nothing lies."""
    for way in (-6.0, 6.0):
        spot = rect
        while abs(spot.y - rect.y) <= most and within.y <= spot.y and spot.bottom <= within.bottom:
            if not any(spot.overlaps(other, 4) for other in taken):
                return spot
            spot = Rect(rect.x, spot.y + way, rect.w, rect.h)
    return None
