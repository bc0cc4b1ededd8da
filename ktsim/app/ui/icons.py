"""Icons as drawn strokes: crisp at any size, and no icon font to ship."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from imgui_bundle import imgui

_P = tuple[float, float]


@dataclass
class _Stylus:
    """Draws in a square from (-1, -1) to (1, 1) around a centre."""

    sheet: Any
    x: float
    y: float
    radius: float
    colour: int

    @property
    def width(self) -> float:
        return max(1.6, self.radius * 2 / 11)

    def at(self, point: _P) -> imgui.ImVec2:
        return imgui.ImVec2(self.x + point[0] * self.radius, self.y + point[1] * self.radius)

    def line(self, *points: _P, closed: bool = False, bold: float = 1.0) -> None:
        flags = imgui.ImDrawFlags_.closed.value if closed else 0
        self.sheet.add_polyline([self.at(p) for p in points], self.colour, thickness=self.width * bold, flags=flags)

    def circle(self, centre: _P, radius: float, filled: bool = False) -> None:
        if filled:
            self.sheet.add_circle_filled(self.at(centre), radius * self.radius, self.colour, 28)
        else:
            self.sheet.add_circle(self.at(centre), radius * self.radius, self.colour, 28, thickness=self.width)

    def arc(self, centre: _P, radius: float, start: float, end: float, bold: float = 1.0) -> None:
        self.sheet.path_arc_to(self.at(centre), radius * self.radius, math.radians(start), math.radians(end), 24)
        self.sheet.path_stroke(self.colour, thickness=self.width * bold)

    def fill(self, *points: _P) -> None:
        self.sheet.add_convex_poly_filled([self.at(p) for p in points], self.colour)


def _check(s: _Stylus) -> None:
    s.line((-0.75, 0.05), (-0.2, 0.6), (0.8, -0.6), bold=1.5)


def _cross(s: _Stylus) -> None:
    s.line((-0.6, -0.6), (0.6, 0.6), bold=1.5)
    s.line((-0.6, 0.6), (0.6, -0.6), bold=1.5)


def _eye(s: _Stylus) -> None:
    s.arc((0, 0.75), 1.2, 218, 322)
    s.arc((0, -0.75), 1.2, 38, 142)
    s.circle((0, 0), 0.32, True)


def _shield(s: _Stylus) -> None:
    s.line((-0.7, -0.7), (0, -0.9), (0.7, -0.7), (0.6, 0.2), (0, 0.9), (-0.6, 0.2), closed=True)


def _veil(s: _Stylus) -> None:
    s.circle((0, 0), 0.45)
    for y in (-0.6, 0.0, 0.6):
        s.line((-0.9, y), (0.9, y))


def _steps(s: _Stylus) -> None:
    s.line((-0.9, 0.8), (-0.3, 0.8), (-0.3, 0), (0.3, 0), (0.3, -0.7), (0.9, -0.7))


def _ruler(s: _Stylus) -> None:
    s.line((-0.9, 0.35), (-0.9, -0.35), (0.9, -0.35), (0.9, 0.35), closed=True)
    for x, y in ((-0.45, 0.05), (0, 0.15), (0.45, 0.05)):
        s.line((x, -0.35), (x, y))


def _line(s: _Stylus) -> None:
    s.line((-0.7, 0.7), (0.7, -0.7))
    s.circle((-0.7, 0.7), 0.22, True)
    s.circle((0.7, -0.7), 0.22, True)


def _target(s: _Stylus) -> None:
    s.circle((0, 0), 0.6)
    for x, y in ((0, 1), (0, -1), (1, 0), (-1, 0)):
        s.line((x * 0.3, y * 0.3), (x * 0.95, y * 0.95))


def _book(s: _Stylus) -> None:
    s.line((0, -0.6), (0, 0.8))
    s.line((0, -0.6), (-0.9, -0.8), (-0.9, 0.6), (0, 0.8), (0.9, 0.6), (0.9, -0.8), closed=True)


def _door(s: _Stylus) -> None:
    s.line((-0.6, 0.85), (-0.6, -0.85), (0.6, -0.85), (0.6, 0.85))
    s.fill((-0.6, -0.85), (0.15, -0.5), (0.15, 1), (-0.6, 0.85))


def _board(s: _Stylus) -> None:
    s.line((-0.9, -0.65), (0.9, -0.65), (0.9, 0.65), (-0.9, 0.65), closed=True)
    s.line((-0.3, -0.65), (-0.3, 0.1), (0.3, 0.1), (0.3, 0.65))


def _arrow(s: _Stylus) -> None:
    s.line((-0.9, 0), (0.7, 0), bold=1.3)
    s.line((0.2, -0.55), (0.75, 0), (0.2, 0.55), bold=1.3)


def _warning(s: _Stylus) -> None:
    s.line((0, -0.85), (0.95, 0.75), (-0.95, 0.75), closed=True)
    s.line((0, -0.3), (0, 0.25), bold=1.3)
    s.circle((0, 0.5), 0.11, True)


def _disc(s: _Stylus) -> None:
    s.circle((0, 0), 0.8, True)


def _diamond(s: _Stylus) -> None:
    s.fill((0, -0.95), (0.95, 0), (0, 0.95), (-0.95, 0))


def _square(s: _Stylus) -> None:
    s.fill((-0.7, -0.7), (0.7, -0.7), (0.7, 0.7), (-0.7, 0.7))


def _ring(s: _Stylus) -> None:
    s.circle((0, 0), 0.85)
    s.circle((0, 0), 0.25, True)


def _smoke(s: _Stylus) -> None:
    s.circle((-0.35, 0.25), 0.45)
    s.circle((0.4, 0.3), 0.4)
    s.circle((0.05, -0.35), 0.42)


def _fan(s: _Stylus) -> None:
    s.line((-0.85, 0.75), (0.75, -0.75))
    s.line((-0.85, 0.75), (0.95, 0.55))
    s.arc((-0.85, 0.75), 1.15, -42, -6)


def _corner(s: _Stylus) -> None:
    s.line((-0.8, 0.8), (-0.8, -0.6), (0.8, -0.6), bold=1.4)
    s.circle((-0.8, -0.6), 0.26, True)


def _columns(s: _Stylus) -> None:
    for x in (-0.5, 0.5):
        s.line((x - 0.35, -0.8), (x + 0.35, -0.8), (x + 0.35, 0.8), (x - 0.35, 0.8), closed=True)


def _ruin(s: _Stylus) -> None:
    s.line((-0.85, 0.8), (-0.85, -0.8), (-0.3, -0.35), (0.1, -0.5), (0.4, 0.1), (0.85, 0.2), (0.85, 0.8), closed=True)


def _help(s: _Stylus) -> None:
    s.arc((0, -0.35), 0.45, 180, 400, bold=1.2)
    s.line((0.28, 0.02), (0, 0.3), (0, 0.45), bold=1.2)
    s.circle((0, 0.8), 0.12, True)


def _engage(s: _Stylus) -> None:
    s.fill((0, -0.9), (0.9, 0.75), (-0.9, 0.75))


def _conceal(s: _Stylus) -> None:
    s.arc((0, 0.35), 0.8, 180, 360, bold=1.3)
    s.line((-0.95, 0.35), (0.95, 0.35), bold=1.3)


def _heart(s: _Stylus) -> None:
    s.fill((0, 0.85), (-0.85, -0.1), (-0.75, -0.6), (-0.4, -0.75), (0, -0.45), (0.4, -0.75), (0.75, -0.6), (0.85, -0.1))


def _injured(s: _Stylus) -> None:
    _heart(s)
    s.line((-0.9, 0.9), (0.9, -0.9), bold=1.2)


def _dash(s: _Stylus) -> None:
    s.line((-0.7, -0.55), (-0.1, 0), (-0.7, 0.55), bold=1.4)
    s.line((0.1, -0.55), (0.7, 0), (0.1, 0.55), bold=1.4)


def _charge(s: _Stylus) -> None:
    s.line((-0.9, 0), (0.4, 0), bold=1.3)
    s.line((-0.1, -0.5), (0.4, 0), (-0.1, 0.5), bold=1.3)
    s.line((0.75, -0.7), (0.75, 0.7), bold=1.3)


def _back(s: _Stylus) -> None:
    s.line((0.9, 0), (-0.7, 0), bold=1.3)
    s.line((-0.2, -0.55), (-0.75, 0), (-0.2, 0.55), bold=1.3)


def _swords(s: _Stylus) -> None:
    s.line((-0.75, -0.75), (0.6, 0.6), bold=1.2)
    s.line((0.75, -0.75), (-0.6, 0.6), bold=1.2)
    s.line((0.15, 0.75), (0.75, 0.15), bold=1.2)
    s.line((-0.15, 0.75), (-0.75, 0.15), bold=1.2)


def _pick_up(s: _Stylus) -> None:
    s.line((0, 0.4), (0, -0.8), bold=1.3)
    s.line((-0.5, -0.3), (0, -0.8), (0.5, -0.3), bold=1.3)
    s.line((-0.7, 0.8), (0.7, 0.8), bold=1.3)


def _put_down(s: _Stylus) -> None:
    s.line((0, -0.8), (0, 0.4), bold=1.3)
    s.line((-0.5, -0.1), (0, 0.4), (0.5, -0.1), bold=1.3)
    s.line((-0.7, 0.8), (0.7, 0.8), bold=1.3)


def _skip(s: _Stylus) -> None:
    s.fill((-0.8, -0.6), (0, 0), (-0.8, 0.6))
    s.fill((0, -0.6), (0.8, 0), (0, 0.6))


def _skip_back(s: _Stylus) -> None:
    s.fill((0.8, -0.6), (0, 0), (0.8, 0.6))
    s.fill((0, -0.6), (-0.8, 0), (0, 0.6))


def _act(s: _Stylus) -> None:
    s.circle((0, 0), 0.75)
    s.circle((0, 0), 0.3, True)


def _dice(s: _Stylus) -> None:
    s.line((-0.8, -0.8), (0.8, -0.8), (0.8, 0.8), (-0.8, 0.8), closed=True)
    for x, y in ((-0.4, -0.4), (0, 0), (0.4, 0.4)):
        s.circle((x, y), 0.15, True)


def _flag(s: _Stylus) -> None:
    s.line((-0.5, 0.9), (-0.5, -0.85), bold=1.2)
    s.fill((-0.5, -0.85), (0.7, -0.45), (-0.5, 0.0))


def _lock(s: _Stylus) -> None:
    s.arc((0, -0.15), 0.45, 180, 360)
    s.fill((-0.65, -0.15), (0.65, -0.15), (0.65, 0.8), (-0.65, 0.8))


def _undo(s: _Stylus) -> None:
    s.arc((0.1, 0.15), 0.6, -90, 120, bold=1.2)
    s.line((-0.8, -0.45), (0.1, -0.45), bold=1.2)
    s.line((-0.4, -0.85), (-0.8, -0.45), (-0.4, -0.05), bold=1.2)


def _redo(s: _Stylus) -> None:
    s.arc((-0.1, 0.15), 0.6, 60, 270, bold=1.2)
    s.line((0.8, -0.45), (-0.1, -0.45), bold=1.2)
    s.line((0.4, -0.85), (0.8, -0.45), (0.4, -0.05), bold=1.2)


def _play(s: _Stylus) -> None:
    s.fill((-0.55, -0.8), (0.8, 0), (-0.55, 0.8))


def _pause(s: _Stylus) -> None:
    s.fill((-0.6, -0.75), (-0.2, -0.75), (-0.2, 0.75), (-0.6, 0.75))
    s.fill((0.2, -0.75), (0.6, -0.75), (0.6, 0.75), (0.2, 0.75))


def _first(s: _Stylus) -> None:
    s.fill((0.7, -0.7), (0.7, 0.7), (-0.4, 0))
    s.line((-0.6, -0.7), (-0.6, 0.7), bold=1.4)


def _last(s: _Stylus) -> None:
    s.fill((-0.7, -0.7), (0.4, 0), (-0.7, 0.7))
    s.line((0.6, -0.7), (0.6, 0.7), bold=1.4)


def _step_back(s: _Stylus) -> None:
    s.fill((0.45, -0.7), (0.45, 0.7), (-0.6, 0))


def _step_on(s: _Stylus) -> None:
    s.fill((-0.45, -0.7), (0.6, 0), (-0.45, 0.7))


def _list(s: _Stylus) -> None:
    for y in (-0.6, 0.0, 0.6):
        s.circle((-0.75, y), 0.12, True)
        s.line((-0.4, y), (0.85, y))


def _person(s: _Stylus) -> None:
    s.circle((0, -0.4), 0.38)
    s.arc((0, 0.9), 0.7, 190, 350, bold=1.2)


def _people(s: _Stylus) -> None:
    for x in (-0.45, 0.45):
        s.circle((x, -0.4), 0.3)
        s.arc((x, 0.75), 0.5, 190, 350)


def _bulb(s: _Stylus) -> None:
    s.circle((0, -0.25), 0.55)
    s.line((-0.22, 0.5), (0.22, 0.5))
    s.line((-0.16, 0.8), (0.16, 0.8))


def _star(s: _Stylus) -> None:
    points = []
    for i in range(10):
        angle, far = math.pi * i / 5 - math.pi / 2, 0.95 if i % 2 == 0 else 0.42
        points.append((far * math.cos(angle), far * math.sin(angle)))
    for i in range(10):
        s.fill((0, 0), points[i], points[(i + 1) % 10])


def _hollow(s: _Stylus) -> None:
    s.circle((0, 0), 0.7)


def _folder(s: _Stylus) -> None:
    s.line((-0.9, 0.7), (-0.9, -0.6), (-0.3, -0.6), (-0.1, -0.35), (0.9, -0.35), (0.9, 0.7), closed=True)


ICONS: dict[str, Callable[[_Stylus], None]] = {
    "check": _check, "cross": _cross, "eye": _eye, "shield": _shield, "veil": _veil, "steps": _steps,
    "ruler": _ruler, "line": _line, "target": _target, "book": _book, "door": _door, "board": _board,
    "arrow": _arrow, "warning": _warning, "disc": _disc, "diamond": _diamond, "square": _square,
    "engage": _engage, "conceal": _conceal, "heart": _heart, "injured": _injured, "dash": _dash, "charge": _charge,
    "back": _back, "swords": _swords, "pick-up": _pick_up, "put-down": _put_down, "skip": _skip, "act": _act,
    "dice": _dice, "flag": _flag, "lock": _lock, "undo": _undo, "redo": _redo, "play": _play, "pause": _pause,
    "first": _first, "last": _last, "step-back": _step_back, "step-on": _step_on, "list": _list,
    "person": _person, "people": _people, "bulb": _bulb, "star": _star, "hollow": _hollow, "folder": _folder,
    "ring": _ring, "smoke": _smoke, "fan": _fan, "corner": _corner, "columns": _columns, "ruin": _ruin,
    "help": _help, "skip-back": _skip_back,
}  # fmt: skip


def draw(sheet: Any, name: str, x: float, y: float, size: float, colour: int) -> None:
    """Draw an icon centred at (x, y) in a square of *size* on a draw list."""
    ICONS[name](_Stylus(sheet, x, y, size / 2, colour))
