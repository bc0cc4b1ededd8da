"""Where labels over the stage go: beside what they name and over nothing that matters. Pure arithmetic, no drawing.

Each label has a place it speaks of. Around it are a few spots (above at rising heights, then to the sides, beside,
below); of these it takes the one with the least badness. Covering another label is forbidden; covering a figure, a
marker, the end of a line or the place of another label is dear, and so is a leader that runs through one of them;
being far from the place is cheap. A label stays where it was in the last frame unless another spot is clearly better,
so that nothing flickers while the camera turns.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Literal, NamedTuple, TypeAlias

from ktsim.app.ui.rect import Rect
from ktsim.geometry.plane import cross

GAP = 4.0
"""Between two labels, and between a label and the border."""
OVER = 6.0
"""Between a place and the label straight above it."""
EDGE = 22.0
"""Between the border and a label whose place is beyond it: room for its arrow."""

FIGURE, MARKER, PLACE = 320.0, 200.0, 160.0
"""How dear it is to cover a figure, a marker or the end of a line, and the place of another label, altogether."""
LINE, ROUTE = 0.5, 2.5
"""How dear it is to cover a unit of a line of sight, and of a route."""

FAR = 0.45
"""How dear a unit of distance from the place is."""
THROUGH = 0.35
"""The part of what covering something costs that a leader costs that runs through it."""
HEAD = 0.2
"""The part of a figure's height down to which a leader from above goes: over it may be somebody who stands behind."""
RIM = 0.2
"""The part of a figure's width at either side that a leader may run through."""
BEHIND, CROSSING, STRUCK = 420.0, 90.0, 260.0
"""How dear it is for a leader to run behind a label, for two leaders to cross, for a label to cover a leader."""
STICKS = 16.0
"""How much better another spot must be for a label to leave the one it has."""
HIDES = 75.0
"""What may be hidden is when its best spot is worse than this."""
POOR, RETRIES = 60.0, 2
"""A label whose spot is worse than this may choose first instead; how often that is tried."""
LOST = 1000.0
"""How bad it is not to show what may not be hidden."""
AT_PLACE = 5.0
"""Half the size of a label's place as something not to be covered."""


Box: TypeAlias = tuple[float, float, float, float]
"""Left, top, right and bottom; or a line from a point to another."""


class Solid(NamedTuple):
    """Something not to be covered, and how dear that is."""

    left: float
    top: float
    right: float
    bottom: float
    dear: float


Beside: TypeAlias = Literal["over", "left", "right", "below"]
_Kept: TypeAlias = tuple[float, float, float, float, float, float]
"""A solid: its box, how dear all of it is, and how dear the root of an area of it."""


class Stroke(NamedTuple):
    """A line not to be covered, and how dear a unit of it is."""

    ax: float
    ay: float
    bx: float
    by: float
    dear: float


@dataclass(frozen=True)
class Wanted:
    """A label of a size, at a place, over the *body* of what it speaks of, if that has one. *key* tells which label
    of the last frame it was. One that *may_hide* is left out where there is no good spot. One whose place is outside is
    left out too unless it *insists*."""

    key: Hashable
    x: float
    y: float
    w: float
    h: float
    may_hide: bool = False
    insists: bool = False
    body: Box | None = None


@dataclass(frozen=True)
class PlacedFlag:
    """A label's rectangle, which of the spots around its place that is, how bad it is, and its leader from the label's
    edge to the place: over its body, or to that side of the body the label is at. With *is_outside* the leader points
    to a place beyond the border."""

    rect: Rect
    spot: int
    bad: float
    leader: Box
    is_outside: bool = False


def place(
    wanted: Sequence[Wanted],
    solids: Sequence[Solid],
    strokes: Sequence[Stroke],
    within: Rect,
    before: Mapping[Hashable, int],
) -> list[PlacedFlag | None]:
    """A spot inside *within* for every label, or None for one that is not shown. Earlier ones choose first, unless all
    are better off when the one with the poorest spot does; no two cover each other, and one that finds no room at all
    is left out. *before* has the spots of the last frame."""
    places = [_place_of(one) for one in wanted if _is_in(one.x, one.y, within)]

    def tried(order: Sequence[int]) -> tuple[float, list[PlacedFlag | None]]:
        table = _Table(within, [*solids, *places], strokes)
        found: list[PlacedFlag | None] = [None] * len(wanted)
        for i in order:
            found[i] = table.choose(wanted[i], before.get(wanted[i].key, -1))
            if (placed := found[i]) is not None:
                table.take(placed)
        return sum(_bad(wanted[i], found[i]) for i in order), found

    order = [i for i, one in enumerate(wanted) if one.insists or _is_in(one.x, one.y, within)]
    total, best = tried(order)
    shown = [i for i in order if best[i] is not None or not wanted[i].may_hide]
    if all((it := best[i]) is not None and it.spot == before.get(wanted[i].key) for i in shown):
        return best
    for _ in range(RETRIES):
        worst = max(order[1:], key=lambda i: _bad(wanted[i], best[i]), default=0)
        if _bad(wanted[worst], best[worst]) <= POOR or wanted[worst].may_hide:
            break
        order = [worst, *(i for i in order if i != worst)]
        again = tried(order)
        if again[0] < total - STICKS:
            total, best = again
    return best


def _bad(one: Wanted, placed: PlacedFlag | None) -> float:
    if placed is not None:
        return placed.bad
    return HIDES if one.may_hide else LOST


def spots_of(wanted: Sequence[Wanted], placed: Sequence[PlacedFlag | None]) -> dict[Hashable, int]:
    """What the next frame needs to know of this one."""
    return {one.key: it.spot for one, it in zip(wanted, placed, strict=True) if it is not None}


def _place_of(one: Wanted) -> Solid:
    return Solid(one.x - AT_PLACE, one.y - AT_PLACE, one.x + AT_PLACE, one.y + AT_PLACE, PLACE)


def _is_in(x: float, y: float, rect: Rect) -> bool:
    return rect.x <= x <= rect.right and rect.y <= y <= rect.bottom


def _ways(w: float, h: float) -> Iterator[tuple[float, float, float, Beside]]:
    """Middles of the spots around a place at 0, 0, each with how much it is liked less than others as near, and which
    side of it that is."""
    straight, aside = -(h / 2 + OVER), w / 2 + 14
    for dx in (0.0, -0.28 * w, 0.28 * w):
        yield dx, straight, 0.0 if not dx else 5.0, "over"
    for rise in (0.5, 1.1, 2.0, 3.2, 4.6):
        for dx in (0.0, -aside, aside) if rise != 0.5 else (0.0, -0.3 * w, 0.3 * w, -aside, aside):
            yield dx, straight - rise * h, 6.0 if not dx else 9.0, "over"
    for away in (14.0, 40.0, 80.0):
        for dy in (0.0, -0.75 * h, 0.75 * h) if away < 80 else (0.0,):
            yield -(w / 2 + away), dy, 12.0, "left"
            yield w / 2 + away, dy, 12.0, "right"
    for fall in (0.0, 1.0, 2.4):
        for dx in (0.0, -aside, aside):
            yield dx, h / 2 + 12 + fall * h, 18.0, "below"


class _Spot(NamedTuple):
    """A spot by its upper left corner, from the place or from the side of the body it is at, and how bad it is."""

    dx: float
    dy: float
    bad: float
    number: int
    side: Beside


@lru_cache(maxsize=256)
def _spots(w: float, h: float) -> tuple[tuple[_Spot, ...], Box]:
    """The spots of a label of a size, the best first; and how far they reach to the left, up, right and down."""
    found = []
    for number, (dx, dy, less, side) in enumerate(_ways(w, h)):
        away = math.hypot(max(abs(dx) - w / 2, 0.0), max(abs(dy) - h / 2, 0.0))
        found.append(_Spot(round(dx - w / 2, 1), round(dy - h / 2, 1), less + FAR * away, number, side))
    found.sort(key=lambda spot: spot.bad)
    left, top = min(spot.dx for spot in found), min(spot.dy for spot in found)
    right, bottom = max(spot.dx for spot in found) + w, max(spot.dy for spot in found) + h
    return tuple(found), (left, top, right, bottom)


def within_box(
    ax: float, ay: float, bx: float, by: float, left: float, top: float, right: float, bottom: float
) -> float:
    """The part of a line from a to b that is inside a box, from 0 to 1."""
    low, high = 0.0, 1.0
    for at, way, near, far in ((ax, bx - ax, left, right), (ay, by - ay, top, bottom)):
        if way:
            one, two = (near - at) / way, (far - at) / way
            if one > two:
                one, two = two, one
            if one > low:
                low = one
            if two < high:
                high = two
        elif at <= near or at >= far:
            return 0.0
    return high - low if high > low else 0.0


class _Table:
    """What is to be kept clear, and the labels that have their spots."""

    def __init__(self, within: Rect, solids: Sequence[Solid], strokes: Sequence[Stroke]) -> None:
        self.within, self.strokes = within, strokes
        self.solids = [(*s, s.dear / math.sqrt(max((s.right - s.left) * (s.bottom - s.top), 1.0))) for s in solids]
        self.labels: list[Box] = []
        self.leaders: list[Box] = []

    def take(self, placed: PlacedFlag) -> None:
        rect = placed.rect
        self.labels.append((rect.x, rect.y, rect.right, rect.bottom))
        self.leaders.append(placed.leader)

    def choose(self, one: Wanted, last: int) -> PlacedFlag | None:
        """The best spot of a label that had spot *last* in the last frame (-1: none)."""
        room, x, y, w, h = self.within, one.x, one.y, one.w, one.h
        is_outside = not _is_in(x, y, room)
        if is_outside:
            x, y = min(max(x, room.x + 3), room.right - 3), min(max(y, room.y + 3), room.bottom - 3)
        inset = EDGE if is_outside else GAP
        low_x, low_y = room.x + inset, room.y + inset
        high_x, high_y = room.right - inset - w, room.bottom - inset - h
        if high_x < low_x or high_y < low_y:
            return None
        body = one.body if one.body is not None and not is_outside else (x, y, x, y)
        across, waist = (body[0] + body[2]) / 2, (y + body[3]) / 2
        origins = {"over": (x, y), "left": (body[0], waist), "right": (body[2], waist), "below": (across, body[3])}
        rim = RIM * (body[2] - body[0])
        head = max(y, body[1] + HEAD * (body[3] - body[1]))
        ends = {**origins, "over": (x, head), "left": (body[0] + rim, waist), "right": (body[2] - rim, waist)}
        near = self._near(one, x, y, body, (low_x, low_y, high_x, high_y))
        spots = _spots(w, h)[0]
        best, found = (HIDES if one.may_hide else math.inf), None
        held = [spot for spot in spots if spot[3] == last]
        for i, (dx, dy, bad, number, side) in enumerate([*held, *spots] if held else spots):
            if held and i == 0:
                bad -= STICKS
            elif bad >= best:
                break
            from_x, from_y = origins[side]
            left, top = from_x + dx, from_y + dy
            if left < low_x or left > high_x or top < low_y or top > high_y:
                pushed_x, pushed_y = min(max(left, low_x), high_x), min(max(top, low_y), high_y)
                bad += FAR * (abs(pushed_x - left) + abs(pushed_y - top))
                left, top = pushed_x, pushed_y
            at = ends[side]
            bad = near.badness((left, top, left + w, top + h), at, bad, best)
            if bad < best:
                best, found = bad, (left, top, number, at)
        if found is None and not one.may_hide:
            free = self._anywhere(one, x, y, (low_x, low_y, high_x, high_y))
            best, found = POOR, (*free, -1, (x, y)) if free is not None else None
        if found is None:
            return None
        rect = Rect(round(found[0]), round(found[1]), w, h)
        leader = _leader(rect.x, rect.y, rect.right, rect.bottom, *found[3])
        return PlacedFlag(rect, found[2], best, leader, is_outside)

    def _near(self, one: Wanted, x: float, y: float, body: Box, room: Box) -> _Near:
        """What is within reach of a label's spots. A spot is pushed back inside the border, by which it may come to lie
        further off than the spots reach."""
        left, top, right, bottom = _spots(one.w, one.h)[1]
        left, top = min(min(x, body[0]) + left, room[2]), min(y + top, room[3])
        right, bottom = max(max(x, body[2]) + right, room[0] + one.w), max(max(y, body[3]) + bottom, room[1] + one.h)
        near, high, wide, deep = left - GAP, top - GAP, right + GAP, bottom + GAP
        return _Near(
            (x, y),
            [s for s in self.solids if s[0] < right and s[2] > left and s[1] < bottom and s[3] > top],
            [s for s in self.strokes if within_box(*s[:4], left, top, right, bottom)],
            [o for o in self.labels if o[0] < wide and o[2] > near and o[1] < deep and o[3] > high],
            [o for o in self.leaders if within_box(*o, left, top, right, bottom)],
        )

    def _anywhere(self, one: Wanted, x: float, y: float, room: Box) -> tuple[float, float] | None:
        """The free spot nearest to a place, however far it is, for a label that must be shown in a crowd."""
        low_x, low_y, high_x, high_y = room
        columns = max(1, math.ceil((high_x - low_x) / (one.w / 2)))
        rows = max(1, math.ceil((high_y - low_y) / (one.h / 2)))
        xs = [low_x + (high_x - low_x) * i / columns for i in range(columns + 1)]
        ys = [low_y + (high_y - low_y) * j / rows for j in range(rows + 1)]
        spots = sorted((math.hypot(left + one.w / 2 - x, top + one.h / 2 - y), left, top) for left in xs for top in ys)
        free = (
            (left, top) for _, left, top in spots if not _is_taken(self.labels, left, top, left + one.w, top + one.h)
        )
        return next(free, None)


def _core(solid: _Kept) -> _Kept:
    """What a leader must not run through: along the rim of a figure it may."""
    left, top, right, bottom, dear, by_area = solid
    rim = RIM * (right - left) if dear >= FIGURE else 0.0
    return left + rim, top, right - rim, bottom, dear, by_area


def _is_taken(labels: Sequence[Box], left: float, top: float, right: float, bottom: float) -> bool:
    left, top, right, bottom = left - GAP, top - GAP, right + GAP, bottom + GAP
    return any(left < other[2] and other[0] < right and top < other[3] and other[1] < bottom for other in labels)


@dataclass
class _Near:
    """What is within reach of the label of one place."""

    place: tuple[float, float]
    solids: list[_Kept]
    strokes: list[Stroke]
    labels: list[Box]
    leaders: list[Box]

    @cached_property
    def in_the_way(self) -> list[_Kept]:
        """What leaders are to go around: what the place itself lies in they have to run through."""
        x, y = self.place
        return [s for s in map(_core, self.solids) if not (s[0] <= x <= s[2] and s[1] <= y <= s[3])]

    def badness(self, box: Box, at: tuple[float, float], bad: float, best: float) -> float:
        """How bad a spot is whose distance alone is *bad*; counting ends when it is no better than *best*. The root of
        an area counts: even to touch something is dear."""
        left, top, right, bottom = box
        near, high, wide, deep = left - GAP, top - GAP, right + GAP, bottom + GAP
        for o_left, o_top, o_right, o_bottom in self.labels:
            if near < o_right and o_left < wide and high < o_bottom and o_top < deep:
                return math.inf
        for s_left, s_top, s_right, s_bottom, _, dear in self.solids:
            if s_left < right and left < s_right and s_top < bottom and top < s_bottom:
                wide = (right if right < s_right else s_right) - (left if left > s_left else s_left)
                tall = (bottom if bottom < s_bottom else s_bottom) - (top if top > s_top else s_top)
                bad += dear * math.sqrt(wide * tall)
                if bad >= best:
                    return bad
        for ax, ay, bx, by, dear in self.strokes:
            if part := within_box(ax, ay, bx, by, left, top, right, bottom):
                bad += dear * part * math.hypot(bx - ax, by - ay)
        for other in self.leaders:
            if within_box(*other, left, top, right, bottom):
                bad += STRUCK
        return bad if bad >= best else bad + self._through(_leader(left, top, right, bottom, *at))

    def _through(self, leader: Box) -> float:
        """How bad it is what a leader runs through."""
        ax, ay, bx, by = leader
        left, right = (ax, bx) if ax < bx else (bx, ax)
        top, bottom = (ay, by) if ay < by else (by, ay)
        bad = 0.0
        for s_left, s_top, s_right, s_bottom, dear, _ in self.in_the_way:
            if s_left < right and left < s_right and s_top < bottom and top < s_bottom:
                inside = within_box(ax, ay, bx, by, s_left, s_top, s_right, s_bottom) * math.hypot(bx - ax, by - ay)
                bad += dear * THROUGH * min(1.0, inside / min(s_right - s_left, s_bottom - s_top))
        for other in self.labels:
            if within_box(ax, ay, bx, by, *other):
                bad += BEHIND
        for other in self.leaders:
            if cross(leader[:2], leader[2:], other[:2], other[2:]):
                bad += CROSSING
        return bad


def _leader(left: float, top: float, right: float, bottom: float, x: float, y: float) -> Box:
    """From the edge of a label nearest to its place to that place."""
    start_x = left if x < left else right if x > right else x
    start_y = top if y < top else bottom if y > bottom else y
    return start_x, start_y, x, y
