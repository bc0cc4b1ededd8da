"""The replay's controls along the foot: step, play, jump, and the whole game as a line."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from imgui_bundle import imgui

from ktsim.app.play.replay import Landmark
from ktsim.app.ui import theme
from ktsim.app.ui.pen import Rect
from ktsim.app.ui.widgets import SCROLLBAR, Widgets

SPEEDS = (("0.5", "0.5x"), ("1", "1x"), ("2", "2x"), ("4", "4x"))
BUTTONS = (
    ("first", "first", "To the beginning (Home)"),
    ("last-activation", "skip-back", "To the activation before (Page up)"),
    ("step-back", "step-back", "One answer back (Left)"),
    ("play", "play", "Play and pause (Space)"),
    ("step-on", "step-on", "One answer on (Right)"),
    ("next-activation", "skip", "To the next activation (Page down)"),
    ("last", "last", "To the end (End)"),
)


@dataclass(frozen=True)
class Timeline:
    """Where the replay is: moment *now* of *count*; *turns* are the moments turning points begin at."""

    now: int
    count: int
    is_playing: bool
    speed: str
    turns: tuple[tuple[int, int], ...]
    marks: tuple[Landmark, ...]


def timeline(ui: Widgets, rect: Rect, data: Timeline) -> str | int | None:
    """Shows the controls. A button's name, ``speed-...``, the moment that was pointed at, or nothing."""
    k = ui.pen.size
    asked: str | int | None = None
    with ui.panel("timeline", rect):
        x, middle = rect.x + 12 * k, rect.y + rect.h / 2
        for name, icon, tip in BUTTONS:
            is_play = name == "play"
            wide = 52 * k if is_play else 38 * k
            shown = "pause" if is_play and data.is_playing else icon
            cell = Rect(x, middle - 22 * k, wide, 44 * k)
            if ui.button(cell, f"##{name}", icon=shown, primary=is_play, tip=tip):
                asked = name
            x += wide + 4 * k
        right = rect.right - 12 * k
        speed = ui.choice(Rect(right - 168 * k, middle + 2 * k, 168 * k, 32 * k), SPEEDS, data.speed, "speed")
        if speed is not None:
            asked = f"speed-{speed}"
        ui.text(right, middle - 18 * k, f"Answer {data.now} of {data.count - 1}", "strong", align=1)
        line = Rect(x + 14 * k, middle - 22 * k, right - 168 * k - 20 * k - x - 14 * k, 44 * k)
        moment = _line(ui, line, data)
        if moment is not None:
            asked = moment
    return asked


def _line(ui: Widgets, rect: Rect, data: Timeline) -> int | None:
    k = ui.pen.size
    most = max(1, data.count - 1)
    y = rect.y + rect.h * 0.62

    def at(moment: int) -> float:
        return rect.x + rect.w * moment / most

    starts = [(0, 0), *[(moment, number) for moment, number in data.turns if moment > 0]]
    for i, (moment, number) in enumerate(starts):
        end = starts[i + 1][0] if i + 1 < len(starts) else most
        ui.pen.box(Rect(at(moment) + 1, y - 4 * k, max(1.0, at(end) - at(moment) - 2), 8 * k), theme.HOVER, None, 1, 3)
        if at(end) - at(moment) > 34 * k:
            ui.text(at(moment) + 3, y - 18 * k, f"TP {number}" if number else "Set-up", "caption", theme.DIM)
    ui.pen.box(Rect(rect.x, y - 4 * k, max(1.0, at(data.now) - rect.x), 8 * k), theme.ACCENT, None, 1, 3)
    for mark in data.marks:
        if not mark.is_activation:
            ui.pen.seat(mark.seat, at(mark.moment), y, 11 * k)
    ui.pen.icon("disc", at(data.now), y, 22 * k, theme.TEXT)
    ui.pen.icon("disc", at(data.now), y, 10 * k, theme.INK)
    for moment, number in starts[1:]:
        ui.tip(Rect(at(moment) - 4 * k, y - 26 * k, 34 * k, 20 * k), f"Turning point {number} begins here")
    for mark in data.marks:
        if not mark.is_activation:
            place = Rect(at(mark.moment) - 7 * k, y - 8 * k, 14 * k, 16 * k)
            ui.place(f"mark-{mark.moment}", place)
            ui.tip(place, f"{mark.text}, turning point {mark.turning_point}, answer {mark.moment}")
    if ui.quiet(Rect(rect.x, y - 12 * k, rect.w, 24 * k), "scrub") or _is_dragged():
        share = (imgui.get_mouse_pos().x - rect.x) / rect.w
        return round(min(max(share, 0.0), 1.0) * most)
    return None


def _is_dragged() -> bool:
    return bool(imgui.is_item_active() and imgui.is_mouse_dragging(0, 1.0))


def activations(ui: Widgets, rect: Rect, marks: Sequence[Landmark], now: int) -> int | None:
    """Every activation, to jump to: the moment of the one pressed. The present one is kept in view unless the pointer
    is over the list."""
    k = ui.pen.size
    tall = 32 * k
    asked = None
    listed = [mark for mark in marks if mark.is_activation]
    heads = sorted({mark.turning_point for mark in listed})
    present = max((mark.moment for mark in listed if mark.moment <= now), default=-1)
    with ui.scrolled("activations", rect, len(listed) * (tall + 4 * k) + 26 * k * len(heads)) as top:
        y = top
        before = None
        for mark in listed:
            if mark.turning_point != before:
                before = mark.turning_point
                ui.text(rect.x + 2, y + 12 * k, f"Turning point {before}", "caption", theme.ACCENT)
                y += 26 * k
            row = Rect(rect.x, y, rect.w - SCROLLBAR - 2, tall)
            is_now = mark.moment == present
            if is_now and not (rect.y <= row.y and row.bottom <= rect.bottom) and not imgui.is_window_hovered():
                imgui.set_scroll_y(max(0.0, y - top - (rect.h - tall) / 2))
            if ui.button(row, f"{mark.text}##jump-{mark.moment}", seat=mark.seat, chosen=is_now, align=0):
                asked = mark.moment
            y += tall + 4 * k
    return asked
