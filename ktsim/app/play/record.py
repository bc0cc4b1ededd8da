"""The log in words, the score sheet, and the end of a game."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from imgui_bundle import imgui

from ktsim.app.play.logbook import LogLine, ScoreSheet
from ktsim.app.ui import theme
from ktsim.app.ui.pen import Rect
from ktsim.app.ui.widgets import SCROLLBAR, Widgets

INDENT = 8.0


class LogPanel:
    """The log; remembers how tall its lines are and follows the newest one."""

    def __init__(self) -> None:
        self._tall: dict[tuple[str, float], float] = {}
        self._count = 0

    def _height(self, ui: Widgets, line: LogLine, width: float) -> float:
        key = (line.text, width)
        if key not in self._tall:
            k = ui.pen.size
            kind = "label" if line.is_head else "caption"
            self._tall[key] = ui.pen.measure(line.text, kind, width)[1] + (14 if line.is_head else 8) * k
        return self._tall[key]

    def draw(self, ui: Widgets, rect: Rect, lines: Sequence[LogLine], chosen: int | None) -> int | None:
        """Shows the lines; the number of the one pressed."""
        k = ui.pen.size
        asked = None
        wide = rect.w - SCROLLBAR - 4
        widths = [wide - 22 * k - INDENT * k * min(line.depth, 3) for line in lines]
        heights = [self._height(ui, line, width) for line, width in zip(lines, widths, strict=True)]
        with ui.scrolled("log", rect, sum(heights) + 4) as top:
            y = top
            for line, tall, width in zip(lines, heights, widths, strict=True):
                if y + tall >= rect.y and y <= rect.bottom:
                    asked = line.number if self._line(ui, Rect(rect.x, y, wide, tall), line, width, chosen) else asked
                y += tall
            if len(lines) != self._count:
                self._count = len(lines)
                imgui.set_scroll_y(max(0.0, sum(heights) - rect.h + 4))
        return asked

    def _line(self, ui: Widgets, rect: Rect, line: LogLine, width: float, chosen: int | None) -> bool:
        k = ui.pen.size
        if line.is_head:
            ui.paragraph(rect.x + 2, rect.y + 7 * k, width + 20 * k, line.text, "label", theme.ACCENT)
            return False
        pressed = ui.quiet(rect, f"log-{line.number}", chosen=line.number == chosen, tip=line.rule)
        x = rect.x + 4 + INDENT * k * min(line.depth, 3)
        if line.seat:
            ui.pen.seat(line.seat, x + 5 * k, rect.y + 11 * k, 9 * k)
        ui.paragraph(
            x + 14 * k, rect.y + 4 * k, width, line.text, "caption", theme.TEXT if line.depth < 2 else theme.SOFT
        )
        return pressed


def score(ui: Widgets, rect: Rect, sheet: ScoreSheet, names: dict[str, str]) -> None:
    """The score sheet, one side above the other. A name too long to stand before its points stands above them."""
    k = ui.pen.size
    count = sheet.turning_points
    cell = min(24 * k, (rect.w - 110 * k) / count)
    edge = rect.right - SCROLLBAR - 4
    right = edge - 30 * k
    room = right - cell * count - rect.x - 6
    is_long = [ui.pen.measure(row.name, "caption")[0] > room for row in sheet.rows]
    tall = 2 * (56 * k + 24 * k * max(1, len(sheet.rows)) + 16 * k * sum(is_long) + 16 * k) + 20 * k
    with ui.scrolled("score", rect, tall) as top:
        y = top
        for side in ("blue", "red"):
            ui.pen.seat(side, rect.x + 8 * k, y + 12 * k, 13 * k)
            ui.text(rect.x + 22 * k, y + 12 * k, ui.pen.fitted(names[side], "h3", rect.w - 90 * k), "h3")
            ui.text(edge, y + 12 * k, f"{sheet.totals[side]} VP", "h3", align=1)
            y += 30 * k
            for i in range(count):
                colour = theme.ACCENT if i + 1 == sheet.now else theme.DIM
                ui.text(right - cell * (count - i) + cell / 2 - 2, y, str(i + 1), "caption", colour, align=0.5)
            ui.text(edge, y, "sum", "caption", theme.DIM, align=1)
            y += 16 * k
            if not sheet.rows:
                ui.text(rect.x + 4, y, "Nothing scored yet", "caption", theme.DIM)
                y += 24 * k
            for row, has_line in zip(sheet.rows, is_long, strict=True):
                points = row.points[side]
                name = ui.pen.fitted(row.name, "caption", edge - rect.x)
                ui.text(rect.x + 2, y, name, "caption", theme.SOFT)
                y += 16 * k if has_line else 0
                for i, amount in enumerate(points):
                    colour = theme.TEXT if amount else theme.DIM
                    at = right - cell * (count - i) + cell / 2 - 2
                    ui.text(at, y, str(amount) if amount else "·", "label", colour, align=0.5)
                ui.text(edge, y, str(sum(points)), "strong", align=1)
                y += 24 * k
            y += 26 * k
        ui.text(rect.x + 2, y, sheet.rules, "caption", theme.DIM)


def ending(
    ui: Widgets, rect: Rect, words: str, sheet: ScoreSheet, names: dict[str, str]
) -> Literal["review", "replay", "leave"] | None:
    """Who has won, where each VP came from, and what to do now."""
    k = ui.pen.size
    asked: Literal["review", "replay", "leave"] | None = None
    with ui.panel("ending", rect):
        x, width = rect.x + 16 * k, rect.w - 32 * k
        y = rect.y + 24 * k
        y += ui.paragraph(x, y, width, words, "h1") + 12 * k
        foot = rect.bottom - 16 * k
        score(ui, Rect(x, y, width + 10 * k, foot - 202 * k - y), sheet, names)
        kept = "The game is kept and can be watched again at any time."
        ui.paragraph(x, foot - 190 * k, width, kept, "body", theme.SOFT)
        if ui.button(Rect(x, foot - 148 * k, width, 44 * k), "Review the game##review", primary=True, icon="bulb"):
            asked = "review"
        if ui.button(Rect(x, foot - 96 * k, width, 44 * k), "Watch the replay##replay", icon="play"):
            asked = "replay"
        if ui.button(Rect(x, foot - 44 * k, width, 44 * k), "Back to the start##leave", key="Esc"):
            asked = "leave"
    return asked
