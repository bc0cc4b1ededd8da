"""The panels of a ruling, drawn with the pen: banner, captioned pictures, side view, reasons and facts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from imgui_bundle import imgui

from ktsim.app.card.elevation import Elevation, Standing
from ktsim.app.card.layout import FACT_COLUMN, CardLayout
from ktsim.app.card.view import EDITION_NAMES, RulingView, inches
from ktsim.app.stage.overlays import State, state_colour
from ktsim.app.ui import theme
from ktsim.app.ui.pen import Pen, Rect, V
from ktsim.app.ui.theme import u32
from ktsim.sight.scene import Scene

ToPanel: TypeAlias = Callable[[tuple[float, float]], imgui.ImVec2]
"""From inches along and up to the interface's units."""

BARS = 0.24
"""Inches from one bar to the next in the side view."""

STONE, VEIL = "#59636D", "#7FB4C4"


def answer_colour(view: RulingView) -> str:
    return theme.ACCENT if view.valid else theme.NO


def banner(pen: Pen, rect: Rect, view: RulingView, headline: str, because: str) -> None:
    """The verdict, first and large."""
    colour, s = answer_colour(view), rect.h
    pen.box(rect, theme.PANEL, colour)
    pen.sheet.add_rect_filled(V(rect.x, rect.y), V(rect.x + s, rect.bottom), u32(colour), theme.RADIUS)
    pen.icon("check" if view.valid else "cross", rect.x + s / 2, rect.y + s / 2, s * 0.5, theme.INK)
    kind = "display" if pen.measure(headline, "display")[0] < rect.w - s - 40 else "h1"
    pen.put(rect.x + s + 20, rect.y + s * 0.37, headline, kind)
    room = rect.w - s - 44
    words = next((kind for kind in ("h3", "strong", "caption") if pen.measure(because, kind)[0] <= room), "caption")
    pen.put(rect.x + s + 22, rect.y + s * 0.77, pen.fitted(because, words, room), words, theme.SOFT)


def captioned(pen: Pen, rect: Rect, icon: str, title: str, picture: imgui.ImTextureRef | None = None) -> None:
    """A panel with a title, and a picture in it if there is one."""
    pen.box(rect, theme.PANEL, None)
    if picture is not None:
        pen.image(picture, rect)
    k = pen.size
    pen.sheet.add_rect_filled(V(rect.x, rect.y), V(rect.right, rect.y + 30 * k), u32(theme.INK, 0.82), theme.RADIUS)
    pen.icon(icon, rect.x + 19 * k, rect.y + 15 * k, 15 * k, theme.SOFT)
    pen.put(rect.x + 34 * k, rect.y + 15 * k, pen.fitted(title, "label", rect.w - 44 * k), "label")
    pen.box(rect, None, theme.LINE)


def legend(pen: Pen, rect: Rect) -> None:
    """The three states of a line, by stroke and end as well as by colour, at the panel's lower left corner."""
    words: tuple[tuple[State, str], ...] = (
        ("target", "clear: a valid target"),
        ("seen", "clear: visible, not a valid target"),
        ("blocked", "stopped here, ghosted beyond"),
    )
    w = 16 + max(pen.measure(text, "caption")[0] for _, text in words) + 58
    box = Rect(rect.x + 8, rect.bottom - 8 - 66, w, 66)
    pen.box(box, theme.INK, None, 0.8, 6)
    for i, (state, text) in enumerate(words):
        y, x, colour = box.y + 14 + 19 * i, box.x + 10, u32(state_colour(state))
        if state == "seen":
            for k in range(3):
                pen.sheet.add_line(V(x + 13 * k, y), V(x + 13 * k + 9, y), colour, 2.5)
        else:
            pen.sheet.add_line(V(x, y), V(x + (24 if state == "blocked" else 38), y), colour, 3)
        if state == "blocked":
            for k in range(2):
                pen.sheet.add_line(V(x + 28 + 7 * k, y), V(x + 32 + 7 * k, y), colour, 1.5)
            pen.icon("diamond", x + 22, y, 11, state_colour(state))
        else:
            pen.icon("disc" if state == "target" else "square", x + 38, y, 9, state_colour(state))
        pen.put(x + 50, y, text, "caption", theme.SOFT)


def caption(pen: Pen, layout: CardLayout, view: RulingView, scene: Scene) -> None:
    """Who shoots at whom, the reasons with their rules, and the facts."""
    rect = layout.caption
    pen.box(rect, theme.PANEL)
    x, y, right = rect.x + theme.L, rect.y + theme.L + 12, rect.right - theme.L
    measured = inches(view.distance)
    room = (right - x - pen.measure(measured, "h2")[0] - 100) / 2
    pen.seat(scene.operative(view.shooter).team, x + 8, y, 16)
    x += 26 + pen.put(x + 26, y, pen.fitted(view.shooter, "h3", room), "h3") + 14
    pen.icon("arrow", x + 6, y, 14, theme.DIM)
    pen.seat(scene.operative(view.target).team, x + 34, y, 16)
    pen.put(x + 50, y, pen.fitted(view.target, "h3", room), "h3")
    pen.put(right, y, measured, "h2", align=1)
    x = rect.x + theme.L
    x += pen.pill(x, y + 34, f"{view.order.capitalize()} order", view.order) + theme.S
    pen.pill(x, y + 34, EDITION_NAMES[view.edition], "book")
    for row in layout.reasons:
        pen.box(row.rect, theme.RAISED)
        pen.icon(row.icon, row.rect.x + 26, row.rect.y + 26, 22, theme.SOFT)
        pen.paragraph(row.rect.x + 52, row.rect.y + 10, row.rect.w - 64, row.text)
        pen.put(row.rect.x + 52, row.rect.bottom - 15, row.rule, "caption", theme.DIM)
    line_y = layout.facts[0].y - 10
    pen.sheet.add_line(V(rect.x + theme.L, line_y), V(right, line_y), u32(theme.LINE), 1)
    for fact in layout.facts:
        pen.paragraph(rect.x + theme.L, fact.y + 5, FACT_COLUMN, fact.name, "body", theme.DIM)
        start = rect.x + theme.L + FACT_COLUMN
        pen.paragraph(start, fact.y + 5, right - start, fact.value, "strong")


def side_view(pen: Pen, rect: Rect, data: Elevation, view: RulingView, words: str) -> None:
    """Heights at the left, the cut terrain, both operatives and the line, to one scale both ways."""
    k = pen.size
    room = rect.w - 44 * k - 20
    title = "Side view along the deciding line, to scale"
    if pen.measure(title, "label")[0] + pen.measure(words, "caption")[0] + 16 > room:
        title = "Side view"
    captioned(pen, rect, "steps", title)
    room -= pen.measure(title, "label")[0] + 16
    pen.put(
        rect.right - 12, rect.y + 15 * k, pen.fitted(words, "caption", room), "caption", answer_colour(view), align=1
    )
    x0, x1, floor = rect.x + 48 * k, rect.right - 20, rect.bottom - 30 * k
    left, right = min(data.shooter.left, data.target.left) - 0.5, max(data.shooter.right, data.target.right) + 0.5
    scale = min((x1 - x0) / (right - left), (floor - rect.y - 40 * k) / max(data.top, 2.2))
    offset = (x0 + x1) / 2 - (left + right) / 2 * scale

    def at(point: tuple[float, float]) -> imgui.ImVec2:
        return V(offset + point[0] * scale, floor - point[1] * scale)

    step = 1 if scale > 16 else 2 if scale > 8 else 5
    for z in range(0, int((floor - rect.y - 36 * k) / scale) + 1, step):
        y = floor - z * scale
        pen.sheet.add_line(V(x0 - 8, y), V(x1 + 8, y), u32(theme.LINE), 1)
        pen.put(x0 - 14, y, f'{z}"', "caption", theme.DIM, align=1)
    pen.sheet.push_clip_rect(V(x0 - 8, rect.y + 31 * k), V(x1 + 8, rect.bottom), True)
    for solid in sorted(data.solids, key=lambda s: s.marked):
        colour = answer_colour(view) if solid.marked else VEIL if solid.veil else STONE
        _fill(pen, [[at(p) for p in polygon] for polygon in solid.polygons], u32(colour))
        if solid.barred:
            _gaps(pen, [at(p) for polygon in solid.polygons for p in polygon], scale)
    for standing in (data.shooter, data.target):
        _figure(pen, standing, at, scale)
    _line(pen, data, view, at)
    pen.sheet.pop_clip_rect()
    names = [pen.fitted(one.id, "caption", (x1 - x0) / 2 - 8) for one in (data.shooter, data.target)]
    wide = [pen.measure(name, "caption")[0] for name in names]
    middles = [at(one.head).x for one in (data.shooter, data.target)]
    for name, middle in zip(names, beside(middles, wide, x0 - 8, x1 + 8), strict=True):
        pen.put(middle, floor + 16 * k, name, "caption", theme.SOFT, align=0.5)


def beside(middles: Sequence[float], wide: Sequence[float], left: float, right: float, gap: float = 8.0) -> list[float]:
    """The middles of two words as near to where they belong as they can be beside each other, between two borders."""
    first, last = (0, 1) if middles[0] <= middles[1] else (1, 0)
    least = (wide[0] + wide[1]) / 2 + gap
    short = max(0.0, least - abs(middles[1] - middles[0])) / 2
    found = [0.0, 0.0]
    low, high = left + wide[first] / 2, right - wide[last] / 2
    found[first] = min(max(middles[first] - short, low), high - least)
    found[last] = max(min(middles[last] + short, high), found[first] + least)
    return found


def _fill(pen: Pen, polygons: Sequence[Sequence[imgui.ImVec2]], colour: int) -> None:
    """Filled without anti-aliasing: smooth edges would show seams inside a cut part."""
    flags, pen.sheet.flags = pen.sheet.flags, 0
    for polygon in polygons:
        pen.sheet.add_convex_poly_filled(list(polygon), colour)
    pen.sheet.flags = flags


def _gaps(pen: Pen, corners: Sequence[imgui.ImVec2], scale: float) -> None:
    """Gaps in a part that was filled, so that it is seen to be bars."""
    left, right = min(p.x for p in corners) - 1, max(p.x for p in corners) + 1
    top, bottom = min(p.y for p in corners), max(p.y for p in corners)
    step = max(6.0, BARS * scale)
    y = top + step * 0.6
    while y + step * 0.4 < bottom:
        pen.sheet.add_rect_filled(V(left, y), V(right, y + step * 0.4), u32(theme.PANEL))
        y += step


def _figure(pen: Pen, standing: Standing, place: ToPanel, scale: float) -> None:
    colour = theme.seat_colour(standing.team)
    _fill(pen, [[place(p) for p in polygon] for polygon in standing.body], u32(colour))
    low, high = (
        place((standing.left, standing.level + 0.14)),
        place((standing.right, standing.level)),
    )
    pen.sheet.add_rect_filled(low, high, u32(colour), 2)
    pen.sheet.add_circle(
        place(standing.head), max(4.0, standing.head_radius * scale), u32(theme.TEXT), 0, thickness=1.5
    )


def _line(pen: Pen, data: Elevation, view: RulingView, at: ToPanel) -> None:
    start, end = at(data.line[0]), at(data.line[1])
    if data.hit is None:
        state = view.state
        pen.sheet.add_line(start, end, u32(state_colour(state)), 3)
        pen.icon("disc" if state == "target" else "square", end.x, end.y, 11, state_colour(state))
        return
    colour, hit = answer_colour(view), at(data.hit)
    pen.sheet.add_line(start, hit, u32(colour), 3)
    length = max(1.0, ((end.x - hit.x) ** 2 + (end.y - hit.y) ** 2) ** 0.5)
    for k in range(0, int(length), 9):
        one, two = k / length, min(1.0, (k + 5) / length)
        pen.sheet.add_line(
            V(hit.x + (end.x - hit.x) * one, hit.y + (end.y - hit.y) * one),
            V(hit.x + (end.x - hit.x) * two, hit.y + (end.y - hit.y) * two),
            u32(colour),
            1.5,
        )
    pen.icon("diamond", hit.x, hit.y, 16, colour)
    pen.icon("cross", hit.x, hit.y, 15, theme.TEXT)
