"""The bar over a game: whose turn it is, to be read from two metres; score, turning point, undo."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from ktsim.app.play.glossary import glossed
from ktsim.app.ui import theme
from ktsim.app.ui.pen import Rect
from ktsim.app.ui.widgets import Widgets

BarAction: TypeAlias = Literal[
    "menu", "back", "undo", "redo", "hint", "rule", "play-on", "review", "variations", "by-hand"
]


@dataclass(frozen=True)
class BarButton:
    action: BarAction
    icon: str
    tip: str
    locked: str = ""


@dataclass(frozen=True)
class BarData:
    """What the bar shows. *turning_point* of *turning_points*; points as (side, VP, CP). *leaving* stands at the left,
    the other buttons at the right."""

    leaving: BarButton
    seat: str
    name: str
    doing: str
    turning_point: int
    turning_points: int
    points: tuple[tuple[str, int, int], ...]
    buttons: tuple[BarButton, ...]


def bar(ui: Widgets, rect: Rect, data: BarData) -> BarAction | None:
    asked: BarAction | None = None
    k = ui.pen.size
    with ui.panel("bar", rect):
        if data.seat:
            ui.pen.box(rect, theme.seat_colour(data.seat), None, 0.20)
            ui.pen.box(Rect(rect.x, rect.y, 8 * k, rect.h), theme.seat_colour(data.seat), None)
        middle = rect.y + rect.h / 2
        cell = Rect(rect.x + 14 * k, middle - 20 * k, 40 * k, 40 * k)
        if ui.button(cell, f"##{data.leaving.action}", icon=data.leaving.icon, tip=data.leaving.tip):
            asked = data.leaving.action
        right = rect.right - 10 * k
        for button in reversed(data.buttons):
            right -= 40 * k
            cell = Rect(right, middle - 20 * k, 40 * k, 40 * k)
            if ui.button(cell, f"##{button.action}", icon=button.icon, tip=button.tip, locked=button.locked):
                asked = button.action
            right -= 6 * k
        right -= 6 * k
        for side, vp, cp in reversed(data.points):
            right -= 112 * k
            _points(ui, Rect(right, middle - 20 * k, 108 * k, 40 * k), side, vp, cp, side == data.seat)
        right -= 14 * k
        right -= _turning_points(ui, right, middle, data)
        x = rect.x + 64 * k
        if data.seat:
            ui.pen.seat(data.seat, x + 14 * k, middle, 28 * k)
            x += 38 * k
        room = right - x - 10 * k
        kind = ui.pen.largest(data.name, ("h1", "h2"), room)
        name = ui.pen.fitted(data.name, kind, room)
        if data.doing:
            ui.text(x, middle - 9 * k, name, kind)
            ui.text(x, middle + 19 * k, ui.pen.fitted(data.doing, "caption", room), "caption", theme.SOFT)
            ui.tip(Rect(x, rect.y, room, rect.h), data.doing)
        else:
            ui.text(x, middle, name, kind)
    return asked


def _points(ui: Widgets, rect: Rect, side: str, vp: int, cp: int, is_asked: bool) -> None:
    k = ui.pen.size
    ui.pen.box(rect, theme.INK, theme.seat_colour(side) if is_asked else theme.LINE, thick=2.0 if is_asked else 1.0)
    y = rect.y + rect.h / 2
    ui.pen.seat(side, rect.x + 14 * k, y, 14 * k)
    x = rect.x + 28 * k
    x += ui.text(x, y, str(vp), "h2") + 4 * k
    ui.text(x, y + 2 * k, "VP", "caption", theme.DIM)
    ui.text(rect.right - 24 * k, y, str(cp), "h3", align=1)
    ui.text(rect.right - 20 * k, y + 1 * k, "CP", "caption", theme.DIM)
    ui.tip(rect, glossed("VP CP"))


def _turning_points(ui: Widgets, right: float, middle: float, data: BarData) -> float:
    """The turning points as discs, and the number; returns the width."""
    k = ui.pen.size
    words = f"Turning point {data.turning_point}" if data.turning_point else "Set-up"
    width = max(ui.pen.measure("Turning point 4", "label")[0], 18 * k * data.turning_points)
    ui.text(right, middle - 9 * k, words, "label", theme.SOFT, align=1)
    ui.tip(Rect(right - width, middle - 20 * k, width, 40 * k), glossed("turning point"))
    for i in range(data.turning_points):
        is_past = i < data.turning_point
        x = right - 8 * k - 18 * k * (data.turning_points - 1 - i)
        ui.pen.icon("disc" if is_past else "hollow", x, middle + 12 * k, 12 * k, theme.ACCENT if is_past else theme.DIM)
    return width


def tabs(ui: Widgets, rect: Rect, options: Sequence[tuple[str, str]], chosen: str) -> str:
    """Tabs at the head of a panel; the one to be shown."""
    return ui.choice(rect, options, chosen, "tab") or chosen
