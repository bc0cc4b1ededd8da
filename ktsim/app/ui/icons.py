"""Icons: glyphs of the icon font that comes with imgui-bundle, and a few drawn marks that the font has not."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import imgui_bundle
from imgui_bundle import icons_fontawesome_6 as glyphs
from imgui_bundle import imgui

FONT = Path(imgui_bundle.__file__).parent / "assets" / "fonts" / "Font_Awesome_6_Free-Solid-900.otf"

GLYPHS: dict[str, str] = {
    "act": glyphs.ICON_FA_CIRCLE_DOT,
    "arrow": glyphs.ICON_FA_ARROW_RIGHT,
    "back": glyphs.ICON_FA_ARROW_LEFT,
    "board": glyphs.ICON_FA_CHESS_BOARD,
    "book": glyphs.ICON_FA_BOOK_OPEN,
    "bulb": glyphs.ICON_FA_LIGHTBULB,
    "charge": glyphs.ICON_FA_ARROW_RIGHT_TO_BRACKET,
    "check": glyphs.ICON_FA_CHECK,
    "columns": glyphs.ICON_FA_TABLE_COLUMNS,
    "pen": glyphs.ICON_FA_PEN,
    "copy": glyphs.ICON_FA_COPY,
    "corner": glyphs.ICON_FA_BORDER_TOP_LEFT,
    "cross": glyphs.ICON_FA_XMARK,
    "dash": glyphs.ICON_FA_ANGLES_RIGHT,
    "dice": glyphs.ICON_FA_DICE_THREE,
    "door": glyphs.ICON_FA_DOOR_OPEN,
    "expand": glyphs.ICON_FA_UP_RIGHT_AND_DOWN_LEFT_FROM_CENTER,
    "eye": glyphs.ICON_FA_EYE,
    "fan": glyphs.ICON_FA_STREET_VIEW,
    "first": glyphs.ICON_FA_BACKWARD_STEP,
    "flag": glyphs.ICON_FA_FLAG,
    "guard": glyphs.ICON_FA_TOWER_OBSERVATION,
    "folder": glyphs.ICON_FA_FOLDER_OPEN,
    "grid": glyphs.ICON_FA_TABLE_CELLS,
    "heart": glyphs.ICON_FA_HEART,
    "help": glyphs.ICON_FA_CIRCLE_QUESTION,
    "injured": glyphs.ICON_FA_HEART_CRACK,
    "last": glyphs.ICON_FA_FORWARD_STEP,
    "list": glyphs.ICON_FA_LIST_UL,
    "lock": glyphs.ICON_FA_LOCK,
    "pause": glyphs.ICON_FA_PAUSE,
    "people": glyphs.ICON_FA_USER_GROUP,
    "person": glyphs.ICON_FA_USER,
    "photo": glyphs.ICON_FA_CAMERA,
    "pick-up": glyphs.ICON_FA_ARROW_UP_FROM_BRACKET,
    "play": glyphs.ICON_FA_PLAY,
    "put-down": glyphs.ICON_FA_DOWNLOAD,
    "redo": glyphs.ICON_FA_ARROW_ROTATE_RIGHT,
    "ring": glyphs.ICON_FA_BULLSEYE,
    "ruin": glyphs.ICON_FA_HOUSE_CRACK,
    "ruler": glyphs.ICON_FA_RULER_HORIZONTAL,
    "shield": glyphs.ICON_FA_SHIELD_HALVED,
    "skip": glyphs.ICON_FA_FORWARD,
    "skip-back": glyphs.ICON_FA_BACKWARD,
    "smoke": glyphs.ICON_FA_SMOG,
    "star": glyphs.ICON_FA_STAR,
    "step-back": glyphs.ICON_FA_CHEVRON_LEFT,
    "step-on": glyphs.ICON_FA_CHEVRON_RIGHT,
    "steps": glyphs.ICON_FA_STAIRS,
    "target": glyphs.ICON_FA_CROSSHAIRS,
    "undo": glyphs.ICON_FA_ARROW_ROTATE_LEFT,
    "veil": glyphs.ICON_FA_EYE_LOW_VISION,
    "warning": glyphs.ICON_FA_TRIANGLE_EXCLAMATION,
}


class _Stylus:
    """Draws in a square from (-1, -1) to (1, 1) around a centre, on any part of a pixel: marks move with the table."""

    def __init__(self, sheet: Any, x: float, y: float, radius: float, colour: int) -> None:
        self.sheet, self.x, self.y, self.radius, self.colour = sheet, x, y, radius, colour
        self.width = max(1.6, radius * 2 / 11)

    def at(self, x: float, y: float) -> imgui.ImVec2:
        return imgui.ImVec2(self.x + x * self.radius, self.y + y * self.radius)

    def fill(self, *corners: tuple[float, float]) -> None:
        self.sheet.add_convex_poly_filled([self.at(*corner) for corner in corners], self.colour)

    def disc(self, x: float, y: float, radius: float) -> None:
        self.sheet.add_circle_filled(self.at(x, y), radius * self.radius, self.colour, 28)

    def line(self, *ends: tuple[float, float]) -> None:
        self.sheet.add_polyline([self.at(*end) for end in ends], self.colour, thickness=self.width * 1.2, flags=0)

    def arc(self, y: float, radius: float, start: float, end: float) -> None:
        self.sheet.path_arc_to(self.at(0, y), radius * self.radius, math.radians(start), math.radians(end), 28)
        self.sheet.path_stroke(self.colour, thickness=self.width * 1.2)


def _conceal(s: _Stylus) -> None:
    s.arc(0.35, 0.8, 180, 360)
    s.line((-0.95, 0.35), (0.95, 0.35))


def _line(s: _Stylus) -> None:
    s.line((-0.7, 0.7), (0.7, -0.7))
    s.disc(-0.7, 0.7, 0.22)
    s.disc(0.7, -0.7, 0.22)


def _swords(s: _Stylus) -> None:
    for side in (-1, 1):
        s.line((0.75 * side, -0.75), (-0.6 * side, 0.6))
        s.line((0.15 * side, 0.75), (0.75 * side, 0.15))


MARKS: dict[str, Callable[[_Stylus], None]] = {
    "conceal": _conceal,
    "diamond": lambda s: s.fill((0, -0.95), (0.95, 0), (0, 0.95), (-0.95, 0)),
    "disc": lambda s: s.disc(0, 0, 0.8),
    "engage": lambda s: s.fill((0, -0.9), (0.9, 0.75), (-0.9, 0.75)),
    "hollow": lambda s: s.arc(0, 0.7, 0, 360),
    "line": _line,
    "square": lambda s: s.fill((-0.7, -0.7), (0.7, -0.7), (0.7, 0.7), (-0.7, 0.7)),
    "swords": _swords,
}


def draw(sheet: Any, font: Any, name: str, x: float, y: float, size: float, colour: int) -> None:
    """Draw an icon centred at (x, y) in a square of *size* on a draw list; *font* is the icon font."""
    if name in MARKS:
        MARKS[name](_Stylus(sheet, x, y, size / 2, colour))
        return
    code = ord(GLYPHS[name])
    wide = font.get_font_baked(round(size)).find_glyph(code).advance_x
    pixels = round(size * min(1.0, size / wide))
    box = font.get_font_baked(pixels).find_glyph(code)
    corner = imgui.ImVec2(round(x - (box.x0 + box.x1) / 2), round(y - (box.y0 + box.y1) / 2))
    sheet.add_text(font, pixels, corner, colour, GLYPHS[name])
