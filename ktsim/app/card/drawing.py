"""The panels of a ruling, drawn with the pen: banner, captioned pictures, legend, side view, reasons and footer."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeAlias

from imgui_bundle import imgui

from ktsim.app.card.elevation import Cloud, Elevation, Standing
from ktsim.app.card.layout import ICON, PAD, CardLayout, WordRow
from ktsim.app.card.overlay import LegendEntry
from ktsim.app.card.view import RulingView, Tag, answer, inches, rules_name, tags
from ktsim.app.stage.overlays import state_colour
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
    if view.undecided:
        return theme.TEXT
    return theme.ACCENT if view.is_yes else theme.NO


def answer_icon(view: RulingView) -> str:
    return "help" if view.undecided else "check" if view.is_yes else "cross"


SIZES = (("display", "h2"), ("h1", "h3"), ("h1", "caption"), ("h2", "strong"), ("h2", "caption"), ("h3", "caption"))
"""Kinds of text for the answer and for what belongs to it, to choose the largest that fit."""
FOLDED_SIZES = SIZES[3:]
"""The same where the sentence below needs two lines."""


def banner(pen: Pen, rect: Rect, view: RulingView) -> None:
    """The verdict, first and large, with cover and obscured beside it; below it the sentence that decided."""
    said = BannerWords(answer(view), tags(view), view.sentence)
    answer_banner(pen, rect, said, answer_icon(view), answer_colour(view))


class BannerWords(NamedTuple):
    """An answer in capitals, what belongs to it, and the sentence that decided."""

    answer: str
    tags: Sequence[Tag]
    sentence: str


def answer_banner(pen: Pen, rect: Rect, said: BannerWords, icon: str, colour: str) -> None:
    """An answer, first and large, with its tags beside it and its sentence below."""
    s, k = rect.h, pen.size
    pen.box(rect, theme.PANEL, colour)
    pen.sheet.add_rect_filled(V(rect.x, rect.y), V(rect.x + s, rect.bottom), u32(colour), theme.RADIUS)
    pen.icon(icon, rect.x + s / 2, rect.y + s / 2, s * 0.5, theme.INK)
    x, room = rect.x + s + 0.17 * s, rect.w - 1.17 * s - 12
    shown = said.answer, said.tags
    words = next((kind for kind in ("h3", "strong", "caption") if pen.measure(said.sentence, kind)[0] <= room), "")
    tall = pen.measure(said.sentence, "caption", room)[1]
    is_folded = not words and tall <= s * 0.46
    sizes = FOLDED_SIZES if is_folded else SIZES
    kinds = next((kinds for kinds in sizes if _verdict_width(pen, *shown, *kinds) <= room), SIZES[-1])
    y = rect.y + s * (0.28 if is_folded else 0.38)
    x += pen.put(x, y, pen.fitted(shown[0], kinds[0], room), kinds[0]) + 16 * k
    for tag in shown[1]:
        x += _tag(pen, x, y, tag, kinds[1]) + 8 * k
    x = rect.x + s + 0.18 * s
    if words:
        pen.put(x, rect.y + s * 0.78, said.sentence, words, theme.SOFT)
    elif is_folded:
        pen.paragraph(x, rect.y + s * 0.74 - tall / 2, room, said.sentence, "caption", theme.SOFT)
    else:
        pen.put(x, rect.y + s * 0.78, pen.fitted(said.sentence, "caption", room), "caption", theme.SOFT)


def _tag_size(pen: Pen, tag: Tag, kind: str) -> tuple[float, float]:
    w, h = pen.measure(tag.words, kind)
    return w + 2.4 * h, h * 1.5


def _verdict_width(pen: Pen, said: str, tags: Sequence[Tag], big: str, small: str) -> float:
    k = pen.size
    return pen.measure(said, big)[0] + 8 * k + sum(_tag_size(pen, tag, small)[0] + 8 * k for tag in tags)


def _tag(pen: Pen, x: float, y: float, tag: Tag, kind: str) -> float:
    """A word of the verdict in a box: bright where the target has it, dim where it has not. Returns its width."""
    w, h = _tag_size(pen, tag, kind)
    colour = theme.TEXT if tag.is_on else theme.DIM
    pen.box(Rect(x, y - h / 2, w, h), theme.HOVER if tag.is_on else None, colour if tag.is_on else theme.LINE, radius=6)
    pen.icon(tag.icon, x + h * 0.6, y, h * 0.55, colour)
    pen.put(x + h * 1.1, y, tag.words, kind, colour)
    return w


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


def legend(pen: Pen, rect: Rect, entries: Sequence[LegendEntry]) -> Rect:
    """What the marks over the table mean, at the panel's lower left corner. Returns the place it takes."""
    k = pen.size
    columns = 1 if len(entries) <= 4 else 2
    rows = math.ceil(len(entries) / columns)
    wide = max((pen.measure(each.words, "caption")[0] for each in entries), default=0.0) + 62 * k
    box = Rect(rect.x + 8, rect.bottom - 8 - (rows * 19 + 9) * k, wide * columns + 4, (rows * 19 + 9) * k)
    pen.box(box, theme.INK, None, 0.82, 6)
    for i, each in enumerate(entries):
        x, y = box.x + 10 * k + wide * (i // rows), box.y + (14 + 19 * (i % rows)) * k
        _swatch(pen, x, y, each)
        pen.put(x + 48 * k, y, each.words, "caption", theme.SOFT)
    return box


def _swatch(pen: Pen, x: float, y: float, each: LegendEntry) -> None:
    """The mark an entry is about, as wide as 38 units."""
    k = pen.size
    colour, sheet = u32(each.colour), pen.sheet
    if each.mark in ("line", "dashed"):
        strokes = ((0, 38),) if each.mark == "line" else ((0, 9), (13, 22), (26, 35))
        for a, b in strokes:
            sheet.add_line(V(x + a * k, y), V(x + b * k, y), colour, 3)
        pen.icon("disc" if each.mark == "line" else "square", x + 38 * k, y, 9 * k, each.colour)
    elif each.mark == "stopped":
        sheet.add_line(V(x, y), V(x + 22 * k, y), colour, 3)
        for a in (27, 34):
            sheet.add_line(V(x + a * k, y), V(x + (a + 4) * k, y), colour, 1.5)
        pen.icon("diamond", x + 20 * k, y, 11 * k, each.colour)
    elif each.mark == "ring":
        for stroke in range(0, 12, 2):
            one, two = (math.pi / 6 * (stroke + end) for end in (0, 1))
            start, end = (V(x + (19 + 9 * math.cos(t)) * k, y + 8 * math.sin(t) * k) for t in (one, two))
            sheet.add_line(start, end, colour, 2)
    elif each.mark == "spot":
        sheet.add_circle_filled(V(x + 19 * k, y), 6 * k, colour)
        sheet.add_circle_filled(V(x + 19 * k, y), 3 * k, u32(theme.TEXT))
    elif each.mark == "area":
        sheet.add_rect_filled(V(x + 6 * k, y - 6 * k), V(x + 32 * k, y + 6 * k), u32(each.colour, 0.75), 2)
    elif each.mark == "cloud":
        pen.icon("smoke", x + 19 * k, y, 16 * k, each.colour)
    elif each.mark == "post":
        sheet.add_line(V(x + 19 * k, y - 5 * k), V(x + 19 * k, y + 8 * k), colour, 2)
        pen.icon("square", x + 19 * k, y - 5 * k, 8 * k, each.colour)
    else:
        thick = 2.5 if each.mark == "part" else 1.0
        if each.mark == "part":
            sheet.add_rect_filled(V(x + 6 * k, y - 6 * k), V(x + 32 * k, y + 6 * k), u32(each.colour, 0.3))
        sheet.add_rect(V(x + 6 * k, y - 6 * k), V(x + 32 * k, y + 6 * k), colour, 0, thickness=thick)


def caption(pen: Pen, layout: CardLayout, view: RulingView, scene: Scene) -> None:
    """Who shoots at whom, then warnings, the reasons with their rules and what was looked at in vain."""
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
    pen.pill(x, y + 34, rules_name(view), "book")
    pen.put(right, y + 34, "base to base", "caption", theme.DIM, align=1)
    for row in layout.rows:
        word_row(pen, row)


def word_row(pen: Pen, row: WordRow) -> None:
    rect = row.rect
    if row.kind == "title":
        pen.put(rect.x, rect.y + rect.h / 2, row.text, "label", theme.SOFT)
        return
    if row.kind == "aside":
        pen.icon(row.icon, rect.x + 8, rect.y + 9, 11, theme.DIM)
        pen.paragraph(rect.x + 24, rect.y, rect.w - 24, f"{row.text} {row.rule}", "caption", theme.SOFT)
        return
    is_warning = row.kind == "warning"
    pen.box(rect, theme.RAISED, theme.NO if is_warning else theme.LINE)
    pen.icon(row.icon, rect.x + ICON / 2, rect.y + min(26, rect.h / 2), 22, theme.NO if is_warning else theme.SOFT)
    tall = pen.paragraph(rect.x + ICON, rect.y + PAD, rect.w - ICON - PAD, row.text)
    if row.rule:
        pen.paragraph(rect.x + ICON, rect.y + PAD + tall + 3, rect.w - ICON - PAD, row.rule, "caption", theme.DIM)


def footer(pen: Pen, layout: CardLayout) -> None:
    """What the answer rests on."""
    pen.box(layout.footer, theme.PANEL)
    for note in layout.notes:
        tall = pen.paragraph(note.rect.x, note.rect.y, note.rect.w, note.name, "caption", theme.DIM)
        pen.paragraph(note.rect.x, note.rect.y + tall + 3, note.rect.w, note.value, "caption", theme.SOFT)


def side_view(pen: Pen, rect: Rect, data: Elevation, view: RulingView, corner: float = 0.0) -> None:
    """Heights at the left, the cut terrain, both operatives and the line, to one scale both ways; *corner* is left free
    at the right of the title."""
    k = pen.size
    room = rect.w - 44 * k - 20 - corner
    title = "Side view along the line, to scale"
    if pen.measure(title, "label")[0] + pen.measure(data.words, "caption")[0] + 16 > room:
        title = "Side view"
    captioned(pen, rect, "steps", title)
    room -= pen.measure(title, "label")[0] + 16
    is_long = pen.measure(data.words, "caption")[0] > room
    words = pen.fitted(data.brief if is_long else data.words, "caption", room)
    pen.put(rect.right - 12 - corner, rect.y + 15 * k, words, "caption", answer_colour(view), align=1)
    x0, x1, floor = rect.x + 48 * k, rect.right - 20, rect.bottom - 30 * k
    left, right = min(data.shooter.left, data.target.left) - 0.5, max(data.shooter.right, data.target.right) + 0.5
    scale = min((x1 - x0) / (right - left), (floor - rect.y - 40 * k) / max(data.top, 2.2))
    offset = (x0 + x1) / 2 - (left + right) / 2 * scale

    def at(point: tuple[float, float]) -> imgui.ImVec2:
        return V(offset + point[0] * scale, floor - point[1] * scale)

    step = 1 if scale > 16 * k else 2 if scale > 8 * k else 5
    for z in range(0, int((floor - rect.y - 40 * k) / scale) + 1, step):
        y = floor - z * scale
        pen.sheet.add_line(V(x0 - 8, y), V(x1 + 8, y), u32(theme.LINE), 1)
        pen.put(x0 - 14, y, f'{z}"', "caption", theme.DIM, align=1)
    pen.sheet.push_clip_rect(V(x0 - 8, rect.y + 31 * k), V(x1 + 8, floor + 5 * k), True)
    for solid in sorted(data.solids, key=lambda s: s.marked):
        colour = answer_colour(view) if solid.marked else VEIL if solid.veil else STONE
        places = [[at(p) for p in polygon] for polygon in solid.polygons]
        _fill(pen, places, u32(colour))
        if solid.barred:
            _gaps(pen, [p for polygon in places for p in polygon], scale)
        if solid.aside:
            for low, low_end, high_end, high in (p for p in places if len(p) == 4):
                pen.sheet.add_line(low, low_end, u32(theme.TEXT, 0.7), 1)
                pen.sheet.add_line(high, high_end, u32(theme.TEXT, 0.7), 1)
    for cloud in data.smoke:
        _cloud(pen, cloud, at, rect.y + 31 * k)
    _floor(pen, data, view, at)
    for standing in (data.shooter, data.target):
        _figure(pen, standing, at, scale)
    _line(pen, data, view, at)
    pen.sheet.pop_clip_rect()
    names = [pen.fitted(one.id, "caption", (x1 - x0) / 2 - 8) for one in (data.shooter, data.target)]
    wide = [pen.measure(name, "caption")[0] for name in names]
    middles = [at(one.head).x for one in (data.shooter, data.target)]
    for name, middle in zip(names, beside(middles, wide, x0 - 8, x1 + 8), strict=True):
        pen.put(middle, floor + 17 * k, name, "caption", theme.SOFT, align=0.5)


def _cloud(pen: Pen, cloud: Cloud, at: ToPanel, top: float) -> None:
    """Smoke from its level up and out of the picture, with a border where it obscures."""
    k, one, two = pen.size, at((cloud.left, cloud.level)), at((cloud.right, cloud.level))
    pen.sheet.add_rect_filled(V(one.x, top), two, u32(theme.SOFT, 0.26))
    for x in (one.x, two.x) if cloud.obscures else ():
        for y in range(round(top), round(one.y), round(10 * k)):
            pen.sheet.add_line(V(x, y), V(x, min(y + 6 * k, one.y)), u32(theme.TEXT, 0.8), 1.5)
    pen.icon("smoke", (one.x + two.x) / 2, top + 16 * k, 18 * k, theme.TEXT if cloud.obscures else theme.SOFT)


def _floor(pen: Pen, data: Elevation, view: RulingView, at: ToPanel) -> None:
    """Hazardous area and footprints as bars on the floor, the end of the weapon's range as a post."""
    k, colour = pen.size, answer_colour(view) if view.restricted else theme.TEXT
    for low, high in data.bands:
        one, two = at((low, 0.0)), at((high, 0.0))
        pen.sheet.add_rect_filled(V(one.x, one.y - 4 * k), V(two.x, two.y + 4 * k), u32(colour, 0.85), 2)
    if data.reach is not None:
        foot, top = at((data.reach, 0.0)), at((data.reach, max(data.top, 2.2)))
        for y in range(round(top.y), round(foot.y), round(10 * k)):
            pen.sheet.add_line(V(foot.x, y), V(foot.x, y + 6 * k), u32(colour), 2)


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
