"""The pen: text, boxes and icons on ImGui draw lists, in the theme's types and colours."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from imgui_bundle import imgui

from ktsim import paths
from ktsim.app.ui import icons, theme
from ktsim.app.ui.rect import Place
from ktsim.app.ui.rect import Rect as Rect
from ktsim.app.ui.theme import u32

V = imgui.ImVec2
WEIGHTS = ("Regular", "Medium", "SemiBold", "Bold")
ATLAS = 1024
"""Pixels of each side of the picture that holds the glyphs."""
ROOMY = 1.6
"""Pixels per unit from which on glyphs need a larger one."""


class Pen:
    """Draws on *sheet*, a draw list chosen by whoever draws. *size* scales all text."""

    def __init__(self, io: Any, size: float = 1.0) -> None:
        folder = paths.assets() / "fonts"
        # Room for every glyph at once: where ImGui has to make room it confuses sizes, and large letters stand among
        # small ones.
        density = size * io.display_framebuffer_scale.x
        io.fonts.tex_min_width = io.fonts.tex_min_height = ATLAS if density < ROOMY else 2 * ATLAS
        self.fonts = {w: io.fonts.add_font_from_file_ttf(str(folder / f"Inter-{w}.otf"), 14) for w in WEIGHTS}
        self.icons = io.fonts.add_font_from_file_ttf(str(icons.FONT), 14)
        self.size = size
        self.sheet: Any = None

    def kind(self, name: str) -> tuple[Any, float]:
        """Its font and size. The size is whole: ImGui measures with whole sizes, whatever it draws with."""
        weight, pixels = theme.TYPE[name]
        return self.fonts[weight], math.floor(pixels * self.size + 0.5)

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

    def largest(self, text: str, kinds: Sequence[str], room: float) -> str:
        """The first of the kinds, the largest first, in which the text fits; else the last."""
        return next((kind for kind in kinds if self.measure(text, kind)[0] <= room), kinds[-1])

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
        icons.draw(self.sheet, self.icons, name, x, y, size, u32(colour))

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

    def image(self, picture: imgui.ImTextureRef, rect: Rect, part: Rect | None = None) -> None:
        """A Panda3D picture, its first row at the bottom; or a *part* of it, from its top left as shares of its
        sides."""
        low, high = V(rect.x, rect.y), V(rect.right, rect.bottom)
        of = part or Rect(0.0, 0.0, 1.0, 1.0)
        start, end = V(of.x, 1 - of.y), V(of.right, 1 - of.bottom)
        self.sheet.add_image_rounded(picture, low, high, start, end, 0xFFFFFFFF, theme.RADIUS)

    def line(self, places: Sequence[Place], colour: str, thick: float = 1.0) -> None:
        """Straight pieces from place to place."""
        self.sheet.add_polyline([V(*place) for place in places], u32(colour), thickness=thick, flags=0)

    def ring(self, x: float, y: float, radius: float, colour: str) -> None:
        """A circle with a dark one around it, and its middle."""
        for grow, shade, thick in ((0.0, theme.INK, 4.5), (0.0, colour, 2.0)):
            self.sheet.add_circle(V(x, y), radius + grow, u32(shade), 0, thick)
        self.sheet.add_circle_filled(V(x, y), 1.5, u32(colour))

    @contextmanager
    def within(self, rect: Rect) -> Iterator[None]:
        """What is drawn is cut off at the borders of *rect*."""
        self.sheet.push_clip_rect(V(rect.x, rect.y), V(rect.right, rect.bottom), True)
        try:
            yield
        finally:
            self.sheet.pop_clip_rect()
