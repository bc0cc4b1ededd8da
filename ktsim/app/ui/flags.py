"""Labels over the stage, drawn: a box of words, and a leader from it to the place it speaks of."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace

from ktsim.app.ui import theme
from ktsim.app.ui.flag_places import Box, PlacedFlag, Solid, Stroke, Wanted, place, spots_of
from ktsim.app.ui.pen import Pen, V
from ktsim.app.ui.rect import Rect
from ktsim.app.ui.theme import u32

LONGEST = 380.0
"""Width of the text of a label before it is shortened."""
ARROW = 9.0
"""Length of the head of an arrow to a place beyond the border."""


@dataclass(frozen=True)
class Flag:
    """Words at a place on the stage, in the interface's units. One that *may_hide* is left out where there is no good
    spot; one whose place is outside is too, unless it *insists*. One that *is_marked* looks like a marked row. What it
    speaks of has its *body* there, if it has one."""

    x: float
    y: float
    text: str
    colour: str = theme.TEXT
    icon: str = ""
    team: str = ""
    may_hide: bool = False
    insists: bool = True
    is_marked: bool = False
    body: Box | None = None


Spots = Mapping[Hashable, int]
"""Which spot each label had in a frame."""
NO_SPOTS: Spots = {}


@dataclass(frozen=True)
class DrawnFlags:
    """Where the labels of a frame stand, those that are shown; *spots* is for the next frame."""

    rects: tuple[Rect, ...]
    spots: Spots


def draw(
    pen: Pen,
    wanted: Sequence[Flag],
    within: Rect,
    solids: Sequence[Solid] = (),
    strokes: Sequence[Stroke] = (),
    before: Spots = NO_SPOTS,
) -> DrawnFlags:
    """Draw labels inside *within*, clear of each other and of *solids* and *strokes* where that can be. Those that come
    first choose first."""
    flags = [replace(flag, text=pen.fitted(flag.text, "label", LONGEST * pen.size)) for flag in wanted]
    sizes = _sized(pen, flags)
    placed = place(sizes, solids, strokes, within, before)
    shown = [(flag, it) for flag, it in zip(flags, placed, strict=True) if it is not None]
    for flag, it in shown:
        _leader(pen, flag, it)
    for flag, it in shown:
        _box(pen, flag, it.rect)
    return DrawnFlags(tuple(it.rect for _, it in shown), spots_of(sizes, placed))


def _sized(pen: Pen, flags: Sequence[Flag]) -> list[Wanted]:
    """What the labels need. A name is known again by its words; measures change theirs all the time, so they are known
    by what kind of label they are and by their number among those."""
    k = pen.size
    h = round((theme.TYPE["label"][1] + 13) * k)
    seen: Counter[Hashable] = Counter()
    found = []
    for flag in flags:
        w = math.ceil(pen.measure(flag.text, "label")[0] + 20 + 18 * k * (bool(flag.team) + bool(flag.icon)))
        kind: Hashable = (flag.team, flag.text) if flag.team else (flag.icon, flag.colour)
        seen[kind] += 1
        key = (kind, seen[kind])
        found.append(Wanted(key, flag.x, flag.y, w, h, flag.may_hide, flag.insists, flag.body))
    return found


def _colour(flag: Flag) -> str:
    return theme.ACCENT if flag.is_marked else flag.colour


def _leader(pen: Pen, flag: Flag, it: PlacedFlag) -> None:
    ax, ay, bx, by = it.leader
    colour = u32(_colour(flag), 0.95)
    pen.sheet.add_line(V(ax, ay), V(bx, by), u32(theme.INK, 0.7), 3.5)
    pen.sheet.add_line(V(ax, ay), V(bx, by), colour, 1.5)
    if not it.is_outside:
        pen.sheet.add_circle_filled(V(bx, by), 3.5, u32(theme.INK, 0.7))
        pen.sheet.add_circle_filled(V(bx, by), 2.5, colour)
        return
    length = math.hypot(flag.x - ax, flag.y - ay) or 1.0
    ux, uy = (flag.x - ax) / length, (flag.y - ay) / length
    back, side = ARROW * pen.size, 0.6 * ARROW * pen.size
    one = V(bx - ux * back - uy * side, by - uy * back + ux * side)
    two = V(bx - ux * back + uy * side, by - uy * back - ux * side)
    pen.sheet.add_triangle_filled(V(bx, by), one, two, colour)


def _box(pen: Pen, flag: Flag, rect: Rect) -> None:
    colour = _colour(flag)
    if flag.is_marked:
        pen.box(rect, theme.HOVER, colour, 1.0, 6, 2.5)
    else:
        pen.box(rect, theme.INK, colour, 0.9, 6, 1.5)
    x, k = rect.x + 10, pen.size
    if flag.team:
        pen.seat(flag.team, x + 6 * k, rect.y + rect.h / 2, 12 * k)
        x += 18 * k
    if flag.icon:
        pen.icon(flag.icon, x + 6 * k, rect.y + rect.h / 2, 13 * k, colour)
        x += 18 * k
    pen.put(x, rect.y + rect.h / 2, flag.text, "label")
